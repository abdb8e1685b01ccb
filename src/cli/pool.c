#define _GNU_SOURCE /* realpath */

#include "cli/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "regret/synth.h"

FREED_POINTER(struct regret_pool, regret_pool_free)

/* Where a clone of the project keeps its pools. */
static const char POOLS_FOLDER[] = "data/pools";

/* --- list --- */

static int print_pool_row(const char *path)
{
    FREED_BY(regret_buffer_free) struct regret_buffer t = REGRET_BUFFER_INIT;
    struct regret_pool *pool = NULL;
    regret_buffer_append_safe(&t, path, 200);
    if (regret_pool_read(&pool, path) == REGRET_OK) {
        regret_buffer_printf(&t, "\t%zu contexts\t%zu agents\t%zu outputs\t%s\t", pool->n_contexts,
                             pool->n_agents, pool->n_outputs,
                             pool->synthetic ? "SYNTHETIC" : "collected");
        regret_buffer_append_safe(&t, pool->title == NULL ? pool->name : pool->title, 200);
    } else {
        regret_buffer_printf(&t, "\tbroken: %s", regret_error_message());
    }
    regret_pool_free(pool);
    TRY(regret_buffer_status(&t));
    puts(regret_buffer_get(&t));
    return REGRET_OK;
}

static int list_if_pool(const char *folder, const char *name, size_t *found)
{
    FREED char *path = NULL;
    TRY(regret_path_join(&path, folder, name));
    if (find_is_pool(path)) {
        TRY(print_pool_row(path));
        ++*found;
    }
    return REGRET_OK;
}

/* Lists the folder itself when it is a pool, else the pools directly in it, by name. */
static int list_folder(const char *folder, size_t *found)
{
    if (find_is_pool(folder)) {
        ++*found;
        return print_pool_row(folder);
    }
    FREED_BY(folder_list_free) struct folder_list entries = {0};
    TRY(folder_list_read(&entries, folder));
    for (size_t i = 0; i < entries.n; i++) {
        TRY(list_if_pool(folder, entries.name[i], found));
    }
    return REGRET_OK;
}

/* The pools of the folder that we are in, and those that can be given by name. */
static int list_known(size_t *found)
{
    char folder[FIND_PATH_SIZE];
    char *here = NULL;
    int rc = REGRET_OK;
    if (regret_is_folder(POOLS_FOLDER)) {
        TRY_CLEANUP(list_folder(POOLS_FOLDER, found));
        here = realpath(POOLS_FOLDER, NULL);
    }
    for (size_t i = 0; find_pool_folder(folder, i) != NULL; i++) {
        int known = here != NULL && strcmp(here, folder) == 0;
        if (!known && regret_is_folder(folder)) {
            TRY_CLEANUP(list_folder(folder, found));
        }
    }
cleanup:
    free(here);
    return rc;
}

static int run_list(const struct cli_command *self, int argc, char **argv)
{
    struct cli_arguments rest;
    int code = 0, rc = REGRET_OK;
    size_t found = 0;
    if (cli_parse(&rest, &code, self, NULL, 0, 256, argc, argv)) {
        return code;
    }
    if (rest.count == 0) {
        TRY_CLEANUP(list_known(&found));
    }
    for (size_t i = 0; i < rest.count; i++) {
        TRY_CLEANUP(list_folder(rest.items[i], &found));
    }
    if (found == 0) {
        fprintf(stderr, "regret: no pools there; 'regret pool synth' makes one\n");
    }
cleanup:
    return cli_report(rc);
}

/* --- views: show, stats, votes, agreement --- */

int pool_view_print(struct pool_view *view, const struct cli_command *self,
                    const struct cli_option *options, size_t most, int argc, char **argv)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    char storage[FIND_PATH_SIZE];
    int code = 0;
    if (cli_parse(&view->words, &code, self, options, 1, most, argc, argv)) {
        return code;
    }
    const char *word = cli_format(view->word, view->json);
    const char *path = word != NULL ? find_pool(storage, view->words.items[0]) : NULL;
    if (path == NULL) {
        return CLI_USAGE;
    }
    int rc;
    TRY_CLEANUP(regret_format_parse(&view->format, word));
    rc = view->make(&text, view, path);
cleanup:
    return cli_print_csv(&text, rc, view->safe_csv && view->format == REGRET_FORMAT_CSV);
}

/* --- validate --- */

static int validate(const char *path)
{
    FREED_BY(regret_pool_free_at) struct regret_pool *pool = NULL;
    FREED_BY(regret_buffer_free) struct regret_buffer name = REGRET_BUFFER_INIT;
    TRY(regret_pool_read(&pool, path));
    regret_buffer_append_safe(&name, path, SIZE_MAX);
    TRY(regret_buffer_status(&name));
    printf("%s: valid, %zu contexts, %zu agents, %zu outputs, digest %s\n",
           regret_buffer_get(&name), pool->n_contexts, pool->n_agents, pool->n_outputs,
           pool->digest);
    return REGRET_OK;
}

static int run_validate(const struct cli_command *self, int argc, char **argv)
{
    struct cli_arguments rest;
    int code = 0, worst = CLI_OK;
    if (cli_parse(&rest, &code, self, NULL, 1, 256, argc, argv)) {
        return code;
    }
    for (size_t i = 0; i < rest.count; i++) {
        char storage[FIND_PATH_SIZE];
        const char *path = find_pool(storage, rest.items[i]);
        code = path != NULL ? cli_report(validate(path)) : CLI_USAGE;
        worst = code > worst ? code : worst;
    }
    return worst;
}

/* --- pack --- */

static int run_pack(const struct cli_command *self, int argc, char **argv)
{
    const char *output = NULL;
    int force = 0, code = 0;
    const struct cli_option options[] = {
        CLI_OPTION("output", 'o', CLI_STRING, &output, "NEW", "the folder to write (required)"),
        CLI_FLAG_OPTION("force", 'f', &force, "replace a pool that is there already"),
        {0}};
    struct cli_arguments rest;
    struct regret_pool *pool = NULL;
    char *card = NULL;
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv)) {
        return code;
    }
    if (output == NULL) {
        return cli_usage_error("say where to write: -o NEW");
    }
    char storage[FIND_PATH_SIZE];
    const char *path = find_pool(storage, rest.items[0]);
    if (path == NULL) {
        return CLI_USAGE;
    }
    struct regret_folder_mark mark;
    int rc;
    regret_folder_mark(&mark, output);
    TRY_CLEANUP(regret_pool_read(&pool, path));
    TRY_CLEANUP(regret_pool_read_card(&card, path));
    TRY_CLEANUP(regret_pool_rewrite(pool, output, card, force, &mark));
    fprintf(stderr, "regret: %s holds %zu outputs of \"%s\"\n", output, pool->n_outputs,
            pool->name);
cleanup:
    regret_free(card);
    regret_pool_free(pool);
    return cli_report(rc);
}

/* --- synth --- */

enum { MOST_GENERATORS = 16 };

/* What the generators there are say of themselves. */
static int describe_generators(struct regret_buffer *synopsis, struct regret_buffer *detail,
                               struct regret_buffer *examples, const struct cli_option *contexts)
{
    const struct regret_generator *g = NULL;
    for (size_t i = 0; (g = regret_generator_at(i)) != NULL; i++) {
        const char *line = i == 0 ? "" : "\n";
        regret_buffer_printf(synopsis, "%s%s", i == 0 ? "" : "|", g->name);
        regret_buffer_printf(detail, "%s: %s.\n", g->name, g->about);
        regret_buffer_printf(examples, "%sregret pool synth %s%s --%s 200%s -o my-%s", line,
                             g->name, i == 0 ? " --seed 7" : "", g->contexts,
                             i == 0 ? " --draws 2" : "", g->name);
    }
    regret_buffer_append(synopsis, " -o POOL [--seed S] [");
    for (const struct cli_option *o = contexts; o->name != NULL; o++) {
        regret_buffer_printf(synopsis, "%s--%s N", o == contexts ? "" : "|", o->name);
    }
    regret_buffer_append(synopsis, "] [--draws K]");
    regret_buffer_append(
        detail,
        "Every byte depends on seed, context, agent and draw alone. The card that goes with the\n"
        "pool states the rules of the generator and of the scores.");
    TRY(regret_buffer_status(synopsis));
    TRY(regret_buffer_status(detail));
    return regret_buffer_status(examples);
}

static int write_synthetic(const struct regret_generator *g,
                           const struct regret_synth_options *options, const char *output,
                           int force)
{
    FREED_BY(regret_pool_free_at) struct regret_pool *pool = NULL;
    FREED char *card = NULL;
    TRY(regret_synth_pool(&pool, g, options));
    TRY(regret_synth_card(&card, g, options));
    TRY(regret_pool_write(pool, output, card, force));
    fprintf(stderr, "regret: %s holds %zu %s, %zu agents, %zu outputs\n", output, pool->n_contexts,
            g->contexts, pool->n_agents, pool->n_outputs);
    return REGRET_OK;
}

static int unknown_generator(const char *word)
{
    const char *names[MOST_GENERATORS];
    char list[256] = "there are ";
    size_t n = 0, used = strlen(list);
    for (; n < MOST_GENERATORS && regret_generator_at(n) != NULL; n++) {
        const char *between = n == 0 ? "" : regret_generator_at(n + 1) != NULL ? ", " : " and ";
        names[n] = regret_generator_at(n)->name;
        used += (size_t)snprintf(list + used, used < sizeof list ? sizeof list - used : 0, "%s%s",
                                 between, names[n]);
    }
    return cli_unknown(&(struct cli_unknown){"generator", "", list}, word, names, n);
}

/* Contexts are counted by an option that is called as they are, one for all generators that call them so; how many. */
static size_t count_options(struct cli_option *options, size_t *contexts, char (*help)[128])
{
    const struct regret_generator *g = NULL;
    size_t n = 0;
    for (size_t i = 0; i < MOST_GENERATORS && (g = regret_generator_at(i)) != NULL; i++) {
        size_t k = 0;
        while (k < n && strcmp(options[k].name, g->contexts) != 0) {
            k++;
        }
        if (k == n) {
            snprintf(help[n], sizeof help[n], "%s to write (default: %zu)", g->contexts,
                     g->default_contexts);
            options[n] = (struct cli_option){
                g->contexts, 0, CLI_SIZE, &contexts[n], "N", help[n], 1, REGRET_POOL_MAX_CONTEXTS};
            n++;
        }
    }
    return n;
}

static int run_synth(const struct cli_command *self, int argc, char **argv)
{
    FREED_BY(regret_buffer_free) struct regret_buffer synopsis = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer detail = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer examples = REGRET_BUFFER_INIT;
    struct regret_synth_options o = REGRET_SYNTH_OPTIONS_INIT;
    const struct regret_generator *g = NULL;
    const char *output = NULL;
    struct cli_arguments rest;
    size_t contexts[MOST_GENERATORS] = {0};
    char help[MOST_GENERATORS][128];
    int force = 0, code = 0;
    struct cli_option options[MOST_GENERATORS + 5] = {{0}};
    size_t n = count_options(options, contexts, help);
    int rc = describe_generators(&synopsis, &detail, &examples, options);
    if (rc != REGRET_OK) {
        return cli_report(rc);
    }
    const struct cli_option others[] = {
        CLI_OPTION("output", 'o', CLI_STRING, &output, "POOL", "the folder to write (required)"),
        CLI_OPTION("seed", 0, CLI_U64, &o.seed, "S", "of everything random (default: 1)"),
        {"draws", 0, CLI_SIZE, &o.draws, "K", "outputs of each context and agent (default: 1)", 1,
         REGRET_POOL_MAX_OUTPUTS},
        CLI_FLAG_OPTION("force", 'f', &force, "replace a pool that is there already")};
    memcpy(options + n, others, sizeof others);
    const struct cli_command told = {.name = self->name,
                                     .synopsis = regret_buffer_get(&synopsis),
                                     .summary = self->summary,
                                     .detail = regret_buffer_get(&detail),
                                     .examples = regret_buffer_get(&examples),
                                     .run = self->run};
    if (cli_parse(&rest, &code, &told, options, 1, 1, argc, argv)) {
        return code;
    }
    for (size_t i = 0; (g = regret_generator_at(i)) != NULL; i++) {
        if (strcmp(g->name, rest.items[0]) == 0) {
            break;
        }
    }
    if (g == NULL) {
        return unknown_generator(rest.items[0]);
    }
    o.contexts = g->default_contexts;
    for (size_t k = 0; k < n; k++) {
        if (contexts[k] != 0 && strcmp(options[k].name, g->contexts) != 0) {
            return cli_usage_error("%s writes %s: say --%s N", g->name, g->contexts, g->contexts);
        }
        o.contexts = contexts[k] != 0 ? contexts[k] : o.contexts;
    }
    return output == NULL ? cli_usage_error("say where to write: -o POOL")
                          : cli_report(write_synthetic(g, &o, output, force));
}

#define POOL_JOIN_RULES                                                                            \
    "Contexts are known by their ids, agents and components by their names. What is there stays "  \
    "as it is,\n"                                                                                  \
    "in its order, and what is new follows. A context of one id must have one text and tag, an "   \
    "output of\n"                                                                                  \
    "one context, agent and draw one text and the same scores, a component one range; every "      \
    "output needs\n"                                                                               \
    "every component. What differs is refused by its name, and nothing is written.\n"

static const struct cli_command pool_commands[] = {
    {.name = "pool list",
     .synopsis = "[FOLDER...]",
     .summary = "list the pools that there are, or those in the folders given",
     .detail = "Without a folder: those in data/pools, on REGRET_POOL_PATH (folders with colons "
               "between)\n"
               "and those installed with the program. A line a pool, its fields separated by tabs. "
               "Every\n"
               "pool is read and checked.",
     .examples = "regret pool list\nregret pool list ~/pools",
     .run = run_list},
    {.name = "pool show",
     .synopsis = "POOL [--json]",
     .summary = "one screen about a pool: what it is, its agents, an example",
     .examples = "regret pool show newswire",
     .run = cmd_pool_show},
    {.name = "pool validate",
     .synopsis = "POOL...",
     .summary = "check pools and name file, line, field and remedy of what is wrong",
     .examples = "regret pool validate my-pool",
     .run = run_validate},
    {.name = "pool stats",
     .synopsis = "POOL [--json]",
     .summary = "scores, agents, difficulty, correlations and variance of a pool",
     .examples = "regret pool stats newswire\n"
                 "regret pool stats data/pools/newswire --format md > stats.md",
     .run = cmd_pool_show},
    {.name = "pool votes",
     .synopsis = "POOL [--ridge NUMBER] [--format md|csv|tex|html|json] [--safe-csv]",
     .summary = "values of the agents of a pool of votes, with intervals and ranks",
     .detail =
         "Of a pool that was imported from votes between two answers: the chance of every agent\n"
         "to be preferred to another, drawn uniformly, by Bradley and Terry's strengths, in all\n"
         "and by tag, with 95 % intervals over prompts and the ranks that they leave open.\n"
         "Ties are half wins. Agents that no vote joins are refused, and named.",
     .examples =
         "regret pool votes my/pool\nregret pool votes my/pool --format csv > strengths.csv",
     .run = cmd_pool_votes},
    {.name = "pool agreement",
     .synopsis = "POOL [COMPONENT...] [--format text|md|csv|tex|html|json] [--safe-csv]",
     .summary = "how well raters or judges of the same outputs agree",
     .detail =
         "Of components that are several raters of one thing (without names: of all): "
         "Krippendorff's\n"
         "alpha, nominal, ordinal and of intervals, and the intraclass correlations ICC(2,1) and\n"
         "ICC(2,k), with 95 % intervals over contexts.",
     .examples = "regret pool agreement my/pool expert_1 expert_2 expert_3",
     .run = cmd_pool_agreement},
    {.name = "pool pack",
     .synopsis = "POOL -o NEW [--force]",
     .summary = "write a pool anew in its one canonical form, with digests",
     .detail = "The same pool always gives the same bytes. The card (README.md) is kept.",
     .examples = "regret pool pack draft -o my-pool",
     .run = run_pack},
    {.name = "pool extend",
     .synopsis = "POOL MORE... -o NEW|--force [options]",
     .summary = "add agents, contexts, draws and scores of other pools to a pool",
     .detail = POOL_JOIN_RULES "Where MORE holds the outputs of POOL scored under other names, as "
                               "by another judge, its scores join\n"
                               "them. With --force and without -o, POOL itself is replaced, in one "
                               "step, once all is written. Its\n"
                               "name, title, version and card stay.",
     .examples = "regret pool extend my-pool new-agent -o my-pool-2\n"
                 "regret pool extend my-pool another-judge --force --date 2026-11-25",
     .run = cmd_pool_extend},
    {.name = "pool merge",
     .synopsis = "POOL POOL... -o NEW [options]",
     .summary = "make one pool of several",
     .detail = POOL_JOIN_RULES "Name, title and version are the first pool's, where --name and "
                               "--title do not say others; there is\n"
                               "no card.",
     .examples = "regret pool merge week-1 week-2 week-3 -o weeks --name weeks\n"
                 "regret pool merge run-1 run-2 --draws --costs mean -o both",
     .run = cmd_pool_merge},
    {.name = "pool select",
     .synopsis =
         "POOL -o NEW [--tag T] [--context PATTERN] [--agent PATTERN] [--sample N] [options]",
     .summary = "write a part of a pool: by tag, context, agent, or a sample",
     .detail = "Patterns are the shell's (*, ?, [a-z]); quote them. Each may be given many times: "
               "contexts are\n"
               "kept whose tag matches one of --tag and whose id or title one of --context, "
               "agents whose id\n"
               "or title matches one of --agent, and none that a --not- pattern matches. A context "
               "without a\n"
               "tag has the tag \"\"; one that no agent that is kept has answered goes.\n"
               "--sample then keeps N of the contexts by chance, with --by-tag N of each tag; a "
               "larger sample\n"
               "by the same seed holds the smaller one. The order stays; so does the card.",
     .examples = "regret pool select my-pool --tag sports --tag news -o part\n"
                 "regret pool select my-pool --not-agent 'gpt-3*' --sample 500 --seed 7 -o sample",
     .run = cmd_pool_select},
    {.name = "pool synth",
     .summary = "generate a synthetic pool: news articles and summarisers",
     .run = run_synth},
    {0}};

static int run_pool(const struct cli_command *self, int argc, char **argv)
{
    return cli_dispatch(self, pool_commands, argc, argv);
}

const struct cli_command cmd_pool = {
    .name = "pool",
    .synopsis = "list|show|validate|stats|votes|agreement|pack|extend|merge|select|synth [options]",
    .summary = "look at, check and write pools of cached outputs",
    .run = run_pool,
};
