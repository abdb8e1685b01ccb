#define _GNU_SOURCE /* realpath */

#include "cli/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/status.h"
#include "pool/statistics.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "report/table.h"

/* `regret pool show` and `stats` for programs. */

static void text(struct table *t, const char *value)
{
    table_text(t, "%s", value != NULL ? value : "");
}

static void count(struct table *t, size_t value)
{
    table_number(t, (double)value, 0);
}

static void put_pool(struct table *t, const struct regret_pool *p,
                     const struct regret_pool_stats *s)
{
    table_block(t, "pool");
    TABLE_HEADS(t, "name", "title", "version", "licence", "source", "digest", "origin", "contexts",
                "agents", "outputs", "pairs", "missing pairs", "least draws", "most draws",
                "empty outputs", "words a context", "words an output");
    table_row(t, "%s", p->name);
    text(t, p->title);
    text(t, p->version);
    text(t, p->licence);
    text(t, p->source);
    text(t, p->digest);
    text(t, p->synthetic ? "SYNTHETIC" : "collected");
    const size_t counts[] = {p->n_contexts,    p->n_agents,    p->n_outputs,  s->pairs,
                             s->missing_pairs, s->least_draws, s->most_draws, s->empty_outputs};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        count(t, counts[i]);
    }
    table_number(t, s->context_words.mean, 1);
    table_number(t, s->output_words.mean, 1);
}

static void put_tags(struct table *t, const struct regret_pool_stats *s)
{
    table_block(t, "contexts by tag");
    TABLE_HEADS(t, "tag", "contexts");
    for (size_t i = 0; i < s->n_tags; i++) {
        table_row(t, "%s", s->tags[i].name != NULL ? s->tags[i].name : "");
        count(t, s->tags[i].contexts);
    }
}

/* Only where there are any. */
static void put_columns(struct table *t, const struct regret_pool *p,
                        const struct regret_pool_stats *s)
{
    if (p->n_columns == 0) {
        return;
    }
    table_block(t, "columns of contexts");
    TABLE_HEADS(t, "column", "kind", "different words", "blank", "mean", "sd", "low", "high");
    for (size_t j = 0; j < p->n_columns; j++) {
        int is_word = p->columns[j].kind == REGRET_COLUMN_WORD;
        const struct regret_spread *n = &s->columns[j].number;
        const double numbers[] = {n->mean, n->sd, n->low, n->high};
        table_row(t, "%s", p->columns[j].name);
        text(t, regret_column_kind_name(p->columns[j].kind));
        table_number(t, is_word ? (double)s->columns[j].words : NAN, 0);
        table_number(t, is_word ? NAN : (double)s->columns[j].blank, 0);
        for (size_t i = 0; i < 4; i++) {
            table_number(t, is_word ? NAN : numbers[i], 4);
        }
    }
}

/* A row a source of a step; one without sources has a row of its own. */
static void put_history(struct table *t, const struct regret_pool *p)
{
    if (p->n_history == 0) {
        return;
    }
    table_block(t, "history");
    TABLE_HEADS(t, "step", "pool", "what", "program", "date", "from", "from date", "digest");
    for (size_t i = 0; i < p->n_history; i++) {
        const struct regret_pool_step *step = &p->history[i];
        for (size_t k = 0; k < step->n_from || k == 0; k++) {
            table_row(t, "%zu", i + 1);
            text(t, step->pool);
            text(t, step->what);
            text(t, step->program);
            text(t, step->date);
            text(t, k < step->n_from ? step->from[k].name : NULL);
            text(t, k < step->n_from ? step->from[k].date : NULL);
            text(t, k < step->n_from ? step->from[k].digest : NULL);
        }
    }
}

static void put_agents(struct table *t, const struct regret_pool *p,
                       const struct regret_pool_stats *s)
{
    table_block(t, "agents");
    TABLE_HEADS(t, "agent", "title", "cost", "outputs", "missing contexts", "quality",
                "sd over contexts", "best on", "words", "one text for every context");
    for (size_t a = 0; a < p->n_agents; a++) {
        const struct regret_agent_stats *agent = &s->agents[a];
        table_row(t, "%s", regret_agent_name(&p->agents[a]));
        text(t, p->agents[a].title);
        table_number(t, p->agents[a].cost, 4);
        count(t, agent->outputs);
        count(t, agent->missing);
        table_number(t, agent->quality.mean, 3);
        table_number(t, agent->quality.sd, 3);
        table_number(t, s->grid_contexts > 0 ? agent->best : (double)NAN, 2);
        table_number(t, agent->words.mean, 1);
        text(t, agent->constant ? "yes" : "no");
    }
}

/* rows x n_components numbers, column-major; without agents, rows are components. */
static void put_matrix(struct table *t, const char *heading, const struct regret_pool *p,
                       const double *matrix, int by_agent)
{
    size_t rows = by_agent ? p->n_agents : p->n_components;
    table_block(t, "%s", heading);
    table_column(t, "%s", by_agent ? "agent" : "component");
    for (size_t k = 0; k < p->n_components; k++) {
        table_column(t, "%s", p->components[k].name);
    }
    for (size_t i = 0; i < rows; i++) {
        table_row(t, "%s", by_agent ? regret_agent_name(&p->agents[i]) : p->components[i].name);
        for (size_t k = 0; k < p->n_components; k++) {
            table_number(t, matrix[k * rows + i], 3);
        }
    }
}

static void put_values(struct table *t, const struct regret_pool *p,
                       const struct regret_pool_stats *s)
{
    table_block(t, "values over outputs");
    TABLE_HEADS(t, "value", "kind", "outputs", "mean", "sd", "low", "high");
    for (size_t i = 0; i < p->n_components + p->n_counts + p->n_aux; i++) {
        table_row(t, "%s", regret_pool_value_name(p, i));
        text(t, i < p->n_components                 ? "component"
                : i < p->n_components + p->n_counts ? "count"
                                                    : "aux");
        count(t, s->values[i].n);
        table_number(t, s->values[i].mean, 4);
        table_number(t, s->values[i].sd, 4);
        table_number(t, s->values[i].low, 4);
        table_number(t, s->values[i].high, 4);
    }
}

static void put_histograms(struct table *t, const struct regret_pool *p,
                           const struct regret_pool_stats *s)
{
    table_block(t, "outputs by tenths of the normalised component");
    table_column(t, "component");
    for (int b = 0; b < REGRET_POOL_BINS; b++) {
        table_column(t, "0.%d", b);
    }
    for (size_t k = 0; k < p->n_components; k++) {
        table_row(t, "%s", p->components[k].name);
        for (size_t b = 0; b < REGRET_POOL_BINS; b++) {
            count(t, s->histogram[k * REGRET_POOL_BINS + b]);
        }
    }
}

static void put_grid(struct table *t, const struct regret_pool_stats *s)
{
    table_block(t, "the largest complete sub-grid");
    TABLE_HEADS(t, "contexts", "agents", "difficulty", "sd", "low", "quartile 1", "median",
                "quartile 3", "high", "variance of quality", "share of agents", "share of contexts",
                "share of agents x contexts");
    table_row_of_cells(t);
    const double numbers[] = {(double)s->grid_contexts,
                              (double)s->grid_agents,
                              s->difficulty.mean,
                              s->difficulty.sd,
                              s->difficulty.low,
                              s->difficulty_quartile[0],
                              s->difficulty_quartile[1],
                              s->difficulty_quartile[2],
                              s->difficulty.high,
                              s->quality_variance,
                              s->agent_share,
                              s->context_share,
                              s->interaction_share};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        table_number(t, numbers[i], 4);
    }
}

static void put_extremes(struct table *t, const struct regret_pool *p,
                         const struct regret_pool_stats *s)
{
    table_block(t, "extreme outputs");
    TABLE_HEADS(t, "quantity", "outputs", "contexts", "quartile 1", "quartile 3", "extreme",
                "by agent", "on context");
    for (size_t i = 0; i < s->n_extremes; i++) {
        const struct regret_pool_extreme *e = &s->extremes[i];
        table_row(t, "%s", regret_pool_quantity_name(p, e->quantity));
        count(t, e->outputs);
        count(t, e->contexts);
        table_number(t, e->quartile[0], 4);
        table_number(t, e->quartile[1], 4);
        table_number(t, e->value, 4);
        text(t, regret_agent_name(&p->agents[p->outputs[e->output].agent]));
        text(t, regret_context_name(&p->contexts[p->outputs[e->output].context]));
    }
}

static void finish(struct regret_buffer *out, struct table *t)
{
    regret_buffer_fail(out, render(out, t, REGRET_FORMAT_JSON));
    table_free(t);
}

/* The blocks that both have. */
static void begin(struct table *t, const char *name, const struct regret_pool *p,
                  const struct regret_pool_stats *s)
{
    table_begin(t, name, "%s", p->title != NULL && p->title[0] != '\0' ? p->title : p->name);
    put_pool(t, p, s);
    put_tags(t, s);
    put_columns(t, p, s);
    put_agents(t, p, s);
    put_history(t, p);
}

/* Append the pool as a table of several blocks (docs/formats.md): what it is, its contexts by tag and its
 * agents; the statistics of its scores, too. Errors are the buffer's. */
static void pool_show_json(struct regret_buffer *out, const struct regret_pool *p,
                           const struct regret_pool_stats *s)
{
    struct table t;
    begin(&t, "pool", p, s);
    finish(out, &t);
}

static void pool_stats_json(struct regret_buffer *out, const struct regret_pool *p,
                            const struct regret_pool_stats *s)
{
    struct table t;
    begin(&t, "pool-stats", p, s);
    put_matrix(&t, "mean normalised components by agent", p, s->agent_components, 1);
    put_values(&t, p, s);
    put_histograms(&t, p, s);
    put_matrix(&t, "correlation of the components over outputs", p, s->correlation, 0);
    if (s->grid_contexts > 0) {
        put_grid(&t, s);
    }
    put_extremes(&t, p, s);
    finish(out, &t);
}

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

/* --- show, stats --- */

typedef void pool_text(struct regret_buffer *t, const struct regret_pool *pool,
                       const struct regret_pool_stats *stats);

static int print_text(const char *name, pool_text *write)
{
    char storage[FIND_PATH_SIZE];
    const char *path = find_pool(storage, name);
    if (path == NULL) {
        return CLI_USAGE;
    }
    struct regret_pool *pool = NULL;
    struct regret_pool_stats *stats = NULL;
    struct regret_buffer t = REGRET_BUFFER_INIT;
    int rc;
    TRY_CLEANUP(regret_pool_read(&pool, path));
    TRY_CLEANUP(regret_pool_stats_make(&stats, pool));
    write(&t, pool, stats);
cleanup:
    regret_pool_stats_free(stats);
    regret_pool_free(pool);
    return cli_print(&t, rc);
}

static int run_text(const struct cli_command *self, int argc, char **argv, pool_text *write,
                    pool_text *write_json)
{
    struct cli_arguments rest;
    int code = 0, json = 0;
    const struct cli_option options[] = {
        {"json", 0, CLI_FLAG, &json, NULL, "for programs, as docs/formats.md says", 0, 0}, {0}};
    return cli_parse(&rest, &code, self, options, 1, 1, argc, argv)
               ? code
               : print_text(rest.items[0], json ? write_json : write);
}

static int run_show(const struct cli_command *self, int argc, char **argv)
{
    return run_text(self, argc, argv, regret_pool_overview_text, pool_show_json);
}

static int run_stats(const struct cli_command *self, int argc, char **argv)
{
    return run_text(self, argc, argv, regret_pool_stats_text, pool_stats_json);
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
        {"output", 'o', CLI_STRING, &output, "NEW", "the folder to write (required)", 0, 0},
        {"force", 'f', CLI_FLAG, &force, NULL, "replace a pool that is there already", 0, 0},
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
     .run = run_show},
    {.name = "pool validate",
     .synopsis = "POOL...",
     .summary = "check pools and name file, line, field and remedy of what is wrong",
     .examples = "regret pool validate my-pool",
     .run = run_validate},
    {.name = "pool stats",
     .synopsis = "POOL [--json]",
     .summary = "scores, agents, difficulty, correlations and variance of a pool",
     .detail = "Markdown tables, on standard output.",
     .examples = "regret pool stats data/pools/newswire > stats.md",
     .run = run_stats},
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
     .run = cmd_pool_synth},
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
