/* `pool extend`, `merge` and `select`. */
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/names.h"
#include "base/status.h"
#include "cli/internal.h"
#include "pool/join.h"
#include "regret/status.h"

FREED_FIELDS(regret_pool_source, of->name)

FREED_POINTER(struct regret_pool, regret_pool_free)

/* What all three are told. */
struct asked {
    const char *output, *name, *title, *date;
    int force;
    struct regret_pool_join_options join;
    const char *costs;
    struct regret_buffer what; /* the command and its options, for the history */
};

#define OUTPUT(asked)                                                                              \
    CLI_OPTION("output", 'o', CLI_STRING, &(asked).output, "NEW", "the folder to write")
#define FORCE(asked, help) CLI_FLAG_OPTION("force", 'f', &(asked).force, help)
#define DATE(asked)                                                                                \
    CLI_OPTION("date", 0, CLI_STRING, &(asked).date, "YYYY-MM-DD",                                 \
               "of this step in the history (default: that of SOURCE_DATE_EPOCH, else now)")
#define NAMES(asked)                                                                               \
    CLI_OPTION("name", 0, CLI_STRING, &(asked).name, "ID", "another name of the pool"),            \
        CLI_OPTION("title", 0, CLI_STRING, &(asked).title, "TEXT", "another title of the pool")
#define JOINING(asked)                                                                             \
    CLI_FLAG_OPTION("common", 0, &(asked).join.common,                                             \
                    "leave out components, counts, labels and columns that one of them lacks"),    \
        CLI_FLAG_OPTION("draws", 0, &(asked).join.draws,                                           \
                        "outputs of pairs that are there are further draws of them"),              \
        CLI_FLAG_OPTION("rename", 0, &(asked).join.rename,                                         \
                        "a context that differs from that of its id gets ID:2"),                   \
        CLI_OPTION("costs", 0, CLI_STRING, &(asked).costs, "first|mean",                           \
                   "of an agent whose costs differ: the first, or the mean over outputs")

/* ---- the step in the history ---- */

static int set_text(char **to, const char *text)
{
    char *copy = NULL;
    if (text == NULL) {
        return REGRET_OK;
    }
    TRY(regret_strdup(&copy, text));
    regret_free(*to);
    *to = copy;
    return REGRET_OK;
}

/* Name and title as asked for, and where anything is new the step. */
static int describe(struct regret_pool *pool, const struct asked *asked, int is_new,
                    const struct regret_pool_source *from, size_t n)
{
    FREED_BY(regret_buffer_free) struct regret_buffer what = REGRET_BUFFER_INIT;
    const char *date = NULL;
    char storage[STEP_DATE];
    TRY(set_text(&pool->name, asked->name));
    TRY(set_text(&pool->title, asked->title));
    TRY(step_date(&date, storage, asked->date));
    if (!is_new) {
        return REGRET_OK;
    }
    regret_buffer_append_safe(&what, regret_buffer_get(&asked->what), REGRET_POOL_MAX_LINE / 5);
    regret_buffer_fail(&what, regret_buffer_status(&asked->what));
    TRY(regret_buffer_status(&what));
    return regret_pool_record(pool, regret_buffer_get(&what), date, from, n);
}

/* ---- extend, merge ---- */

static int put_source(struct regret_pool_source *source, const struct regret_pool *pool)
{
    memcpy(source->digest, pool->digest, sizeof source->digest);
    return regret_strdup(&source->name, pool->name);
}

/* Joins the pool at `path` into `pool`, and adds up what came of it. */
static int join_one(struct regret_pool *pool, struct regret_pool_joined *sum,
                    struct regret_pool_source *source, const char *path, const struct asked *asked)
{
    struct regret_pool *more = NULL;
    struct regret_pool_joined one;
    int rc;
    TRY(regret_pool_read(&more, path));
    TRY_CLEANUP(put_source(source, more));
    rc = regret_pool_join(&one, pool, more, &asked->join);
    TRY_CLEANUP(rc != REGRET_OK ? regret_fail_prefix(rc, "%s", path) : REGRET_OK);
    sum->contexts += one.contexts;
    sum->agents += one.agents;
    sum->outputs += one.outputs;
    sum->same += one.same;
    sum->renamed += one.renamed;
    sum->renamed_agents += one.renamed_agents;
    sum->components += one.components;
    sum->left_out += one.left_out;
    sum->default_segments |= one.default_segments;
cleanup:
    regret_pool_free(more);
    return rc;
}

static void say_joined(const char *path, const struct regret_pool *pool,
                       const struct regret_pool_joined *j)
{
    cli_say("%s holds %zu contexts (%zu new), %zu agents (%zu new), %zu outputs (%zu new, %zu were "
            "there already)",
            path, pool->n_contexts, j->contexts, pool->n_agents, j->agents, pool->n_outputs,
            j->outputs, j->same);
    if (j->components + j->left_out + j->renamed > 0) {
        cli_say("%zu component%s new; %zu components, counts, labels and columns left out; %zu "
                "context%s renamed",
                j->components, plural(j->components), j->left_out, j->renamed, plural(j->renamed));
    }
    if (j->renamed_agents > 0) {
        cli_say("%zu agent%s of another name with an id that was there got ids of their own",
                j->renamed_agents, plural(j->renamed_agents));
    }
    if (j->default_segments) {
        cli_say("the segments are the default ones of the %zu components", pool->n_components);
    }
}

static int join_all(const struct cli_arguments *paths, const struct asked *asked, int keep_card)
{
    struct regret_pool_source *from = NULL;
    struct regret_pool *pool = NULL;
    struct regret_pool_joined sum = {0};
    const char *output = asked->output != NULL ? asked->output : paths->items[0];
    char *card = NULL;
    int rc;
    struct regret_folder_mark mark;
    regret_folder_mark(&mark, output);
    TRY_CLEANUP(REGRET_NEW(&from, paths->count));
    TRY_CLEANUP(regret_pool_read(&pool, paths->items[0]));
    TRY_CLEANUP(keep_card ? regret_pool_read_card(&card, paths->items[0]) : REGRET_OK);
    TRY_CLEANUP(put_source(&from[0], pool));
    for (size_t i = 1; i < paths->count; i++) {
        TRY_CLEANUP(join_one(pool, &sum, &from[i], paths->items[i], asked));
    }
    size_t news = sum.contexts + sum.agents + sum.outputs + sum.components + sum.left_out;
    TRY_CLEANUP(describe(pool, asked, news > 0, from, paths->count));
    TRY_CLEANUP(regret_pool_rewrite(pool, output, card, asked->force, &mark));
    say_joined(output, pool, &sum);
cleanup:
    for (size_t i = 0; from != NULL && i < paths->count; i++) {
        regret_free(from[i].name);
    }
    regret_free(from);
    regret_free(card);
    regret_pool_free(pool);
    return rc;
}

/* Pools that are given by name become paths, in `storage`, which has room for all. */
static int find_all(struct cli_arguments *pools, char (*storage)[FIND_PATH_SIZE])
{
    for (size_t i = 0; i < pools->count; i++) {
        pools->items[i] = find_pool(storage[i], pools->items[i]);
        if (pools->items[i] == NULL) {
            return CLI_USAGE;
        }
    }
    return CLI_OK;
}

static void say_options(struct asked *asked, const char *word)
{
    regret_buffer_append(&asked->what, word);
    regret_buffer_append(&asked->what, asked->join.common ? " --common" : "");
    regret_buffer_append(&asked->what, asked->join.draws ? " --draws" : "");
    regret_buffer_append(&asked->what, asked->join.rename ? " --rename" : "");
    regret_buffer_append(&asked->what, asked->costs != NULL ? " --costs " : "");
    regret_buffer_append(&asked->what, asked->costs != NULL ? asked->costs : "");
}

static int run_join(const struct cli_command *self, struct asked *asked,
                    const struct cli_option *options, int is_extend, int argc, char **argv)
{
    struct cli_arguments pools;
    char(*storage)[FIND_PATH_SIZE] = NULL;
    int code = 0, rc;
    if (cli_parse(&pools, &code, self, options, 2, REGRET_POOL_MAX_HISTORY, argc, argv)) {
        return code;
    }
    if (asked->output == NULL && !(is_extend && asked->force)) {
        return cli_usage_error("say where to write: -o NEW%s",
                               is_extend ? ", or --force to replace the first pool" : "");
    }
    asked->join.costs = asked->costs == NULL                ? REGRET_JOIN_COSTS_REFUSE
                        : strcmp(asked->costs, "mean") == 0 ? REGRET_JOIN_COSTS_MEAN
                                                            : REGRET_JOIN_COSTS_FIRST;
    TRY_CLEANUP(REGRET_NEW(&storage, pools.count));
    code = find_all(&pools, storage);
    if (code == CLI_OK && asked->output == NULL && pools.items[0] == storage[0]) {
        code = cli_usage_error("%s was found by its name; say where to write, -o NEW, or give its "
                               "path to replace it",
                               storage[0]);
    }
    if (code == CLI_OK) {
        say_options(asked, is_extend ? "extend" : "merge");
        rc = join_all(&pools, asked, is_extend);
    }
cleanup:
    regret_buffer_free(&asked->what);
    regret_free(storage);
    return rc != REGRET_OK ? cli_report(rc) : code;
}

int cmd_pool_extend(const struct cli_command *self, int argc, char **argv)
{
    struct asked asked = {.what = REGRET_BUFFER_INIT};
    const struct cli_option options[] = {
        OUTPUT(asked),
        FORCE(asked, "replace a pool that is there already; without -o, POOL itself"),
        JOINING(asked),
        DATE(asked),
        {0}};
    return run_join(self, &asked, options, 1, argc, argv);
}

int cmd_pool_merge(const struct cli_command *self, int argc, char **argv)
{
    struct asked asked = {.what = REGRET_BUFFER_INIT};
    const struct cli_option options[] = {
        OUTPUT(asked), FORCE(asked, "replace a pool that is there already"),
        NAMES(asked),  JOINING(asked),
        DATE(asked),   {0}};
    return run_join(self, &asked, options, 0, argc, argv);
}

/* ---- select ---- */

static int select_part(const char *path, const struct regret_pool_select_options *options,
                       const struct asked *asked)
{
    FREED_BY(regret_pool_source_fields) struct regret_pool_source from = {.name = NULL};
    struct regret_pool_select_options all = *options;
    FREED_BY(regret_pool_free_at) struct regret_pool *pool = NULL;
    FREED char *card = NULL;
    size_t unanswered = 0;
    struct regret_folder_mark mark;
    regret_folder_mark(&mark, asked->output);
    all.unanswered = &unanswered;
    TRY(regret_pool_read(&pool, path));
    size_t contexts = pool->n_contexts, agents = pool->n_agents;
    TRY(regret_pool_read_card(&card, path));
    TRY(put_source(&from, pool));
    TRY(regret_pool_select(pool, &all));
    int is_part = pool->n_contexts < contexts || pool->n_agents < agents;
    TRY(describe(pool, asked, is_part, &from, 1));
    TRY(regret_pool_rewrite(pool, asked->output, card, asked->force, &mark));
    cli_say("%s holds %zu of %zu contexts, %zu of %zu agents, %zu outputs", asked->output,
            pool->n_contexts, contexts, pool->n_agents, agents, pool->n_outputs);
    if (unanswered > 0) {
        cli_say("%zu contexts went with the agents, the only ones with outputs of them",
                unanswered);
    }
    return REGRET_OK;
}

/* The options with patterns, in the order of what they set. */
enum { PATTERNS = 6 };
static const char *const PATTERN_NAMES[PATTERNS] = {"tag",     "context",     "agent",
                                                    "not-tag", "not-context", "not-agent"};

static void say_selection(struct asked *asked, const struct cli_list *lists,
                          const struct regret_pool_select_options *o)
{
    regret_buffer_append(&asked->what, "select");
    for (size_t i = 0; i < PATTERNS; i++) {
        for (size_t k = 0; k < lists[i].count; k++) {
            regret_buffer_printf(&asked->what, " --%s '%s'", PATTERN_NAMES[i], lists[i].items[k]);
        }
    }
    if (o->sample > 0) {
        regret_buffer_printf(&asked->what, " --sample %zu%s --seed %llu", o->sample,
                             o->by_tag ? " --by-tag" : "", (unsigned long long)o->seed);
    }
}

int cmd_pool_select(const struct cli_command *self, int argc, char **argv)
{
    struct asked asked = {.what = REGRET_BUFFER_INIT};
    struct regret_pool_select_options o = {.seed = 1};
    struct regret_pool_patterns *const patterns[PATTERNS] = {
        &o.tags, &o.contexts, &o.agents, &o.not_tags, &o.not_contexts, &o.not_agents};
    struct cli_list lists[PATTERNS] = {0};
#define PATTERN(i, help) CLI_OPTION(PATTERN_NAMES[i], 0, CLI_LIST, &lists[i], "PATTERN", help)
    const struct cli_option options[] = {
        PATTERN(0, "keep contexts of this tag, or pattern of tags"),
        PATTERN(1, "keep contexts of this id or title, or pattern of them"),
        PATTERN(2, "keep agents of this id or title, or pattern of them"),
        PATTERN(3, "keep no contexts of this tag"),
        PATTERN(4, "keep no contexts of this id or title"),
        PATTERN(5, "keep no agents of this id or title"),
        OUTPUT(asked),
        {"sample", 0, CLI_SIZE, &o.sample, "N", "keep so many of those contexts, by chance", 1,
         REGRET_POOL_MAX_CONTEXTS},
        CLI_FLAG_OPTION("by-tag", 0, &o.by_tag, "so many of each tag, or all that it has"),
        CLI_OPTION("seed", 0, CLI_U64, &o.seed, "S", "of the sample (default: 1)"),
        NAMES(asked),
        DATE(asked),
        FORCE(asked, "replace a pool that is there already"),
        {0}};
    struct cli_arguments rest;
    char storage[FIND_PATH_SIZE];
    int code = 0, rc;
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv)) {
        return code;
    }
    if (asked.output == NULL) {
        return cli_usage_error("say where to write: -o NEW");
    }
    if (o.by_tag && o.sample == 0) {
        return cli_usage_error("--by-tag goes with --sample N");
    }
    const char *path = find_pool(storage, rest.items[0]);
    if (path == NULL) {
        return CLI_USAGE;
    }
    for (size_t i = 0; i < PATTERNS; i++) {
        *patterns[i] = (struct regret_pool_patterns){lists[i].items, lists[i].count};
    }
    say_selection(&asked, lists, &o);
    rc = select_part(path, &o, &asked);
    regret_buffer_free(&asked.what);
    return cli_report(rc);
}
