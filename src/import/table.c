/* A table of one's own becomes a pool. What becomes of what: src/import/importer.h. */
#include "import/internal.h"

#include <math.h>
#include <string.h>

#include "base/input.h"
#include "base/status.h"
#include "base/text.h"
#include "import/builder.h"
#include "import/importer.h"
#include "pool/memory.h"
#include "regret/status.h"

FREED_POINTER(struct regret_patch_issue, regret_patch_issue_free)

static int refuse_repeat(const struct import_repeat *repeat, const char *path)
{
    int is_line = strcmp(repeat->unit, "line") == 0;
    int rc = regret_fail(REGRET_E_INPUT,
                         "agent \"%s\" has an output for context \"%s\" before, %s %s %zu; remove "
                         "one, or say with --repeats which counts",
                         repeat->agent, repeat->context, is_line ? "on" : "in", repeat->unit,
                         repeat->first);
    return table_fail_in_row(rc, path, repeat->unit, repeat->second);
}

static int settle(struct table_import *t)
{
    struct regret_table_report *r = &t->report;
    TRY(t->map.votes.wanted ? table_votes_settle(t) : REGRET_OK);
    TRY(t->map.rows.role[MAP_RATER].n > 0 ? table_raters_settle(t) : REGRET_OK);
    TRY(import_settle_repeats(&t->b, t->options->repeats, refuse_repeat, t->path));
    TRY(import_number_draws(&t->b));
    for (size_t i = 0; i < t->b.n_rows; i++) {
        const struct import_row *row = &t->b.rows[i];
        r->repeated += !row->kept;
        r->outputs += row->kept;
        r->empty += row->kept && row->text[0] == '\0';
        text_store_pass(t->b.pool->texts, row->text);
    }
    r->bad = t->bad.n;
    r->is_of_votes = t->map.votes.wanted;
    r->shown_first = t->map.votes.first;
    if (r->other_agent > 0 && r->other_agent == r->rows) {
        return regret_fail(REGRET_E_INPUT, "%s: no agent matches a pattern; there are: %s", t->path,
                           t->other_agents);
    }
    return r->outputs > 0 ? REGRET_OK
                          : regret_fail(REGRET_E_INPUT, "%s: none of its %zu rows is of use",
                                        t->path, r->rows);
}

/* The components and labels of patches: by formulas over the text and its context's, whose rows stand
 * together once they are settled. The lines that are changed are the cost where the map has none. */
static int compute_patches(struct table_import *t)
{
    FREED_BY(regret_patch_issue_free_at) struct regret_patch_issue *words = NULL;
    uint32_t context = UINT32_MAX;
    for (size_t i = 0; i < t->b.n_rows; i++) {
        struct import_row *row = &t->b.rows[i];
        struct import_entry *agent = &t->b.agents.entry[row->agent];
        const char *issue = t->b.contexts.entry[row->context].text;
        size_t changed = 0, files = 0;
        if (!row->kept) {
            continue;
        }
        if (row->context != context) {
            regret_patch_issue_free(words);
            words = NULL;
            TRY(regret_patch_issue_read(&words, issue, strlen(issue)));
            context = row->context;
        }
        TRY(coding_values(row->values, &changed, &files, row->values[CODING_SUCCESS] != 0.0,
                          row->text, strlen(row->text), words));
        if (t->map.rows.role[MAP_COST].n == 0) {
            agent->cost += (double)changed;
            agent->costs++;
        }
        t->report.without_diff += row->text[0] != '\0' && files == 0;
    }
    return REGRET_OK;
}

/* The pool of patches, in the place of the header's one component. */
static int make_coding_pool(struct table_import *t)
{
    TRY(coding_pool_describe(t->b.pool));
    return compute_patches(t);
}

/* An agent without a cost beside others that have one is not known to be cheap or dear. */
static int check_costs(const struct table_import *t)
{
    const struct import_entry *without = NULL;
    int any = 0;
    for (size_t i = 0; i < t->b.n_rows && t->map.rows.role[MAP_COST].n > 0; i++) {
        const struct import_entry *agent = &t->b.agents.entry[t->b.rows[i].agent];
        any |= t->b.rows[i].kept && agent->costs > 0;
        without = t->b.rows[i].kept && agent->costs == 0 ? agent : without;
    }
    return without == NULL || !any
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s: agent \"%s\" has no \"%s\" in any row, and others have; fill it "
                             "in, or take \"cost\" out of the map's \"columns\"",
                             t->path, without->id, table_map_field(&t->map.rows, MAP_COST));
}

/* Numbers of contexts may be blank, but not all of a column: then it is not where the map says. */
static int count_numbers(struct table_import *t)
{
    const struct regret_pool *pool = t->b.pool;
    const struct map_table *m = t->options->contexts_path != NULL ? &t->map.context : &t->map.rows;
    const char **field = m->field + m->covariates.first;
    for (size_t j = 0; j < pool->n_columns; j++) {
        size_t blank = 0;
        for (size_t x = 0; pool->columns[j].kind == REGRET_COLUMN_NUMBER && x < pool->n_contexts;
             x++) {
            blank += isnan(pool->contexts[x].columns[j].number) != 0;
        }
        if (blank == pool->n_contexts) {
            return regret_fail(
                REGRET_E_INPUT,
                "%s: \"%s\" is blank everywhere; correct its \"from\" in the map's "
                "\"covariates\", or take it out",
                t->options->contexts_path != NULL ? t->options->contexts_path : t->path, field[j]);
        }
        t->report.without_number += blank;
    }
    return REGRET_OK;
}

/* From the rows to the pool. */
static int make_pool(struct table_import *t)
{
    TRY(settle(t));
    TRY(check_costs(t));
    TRY(t->map.is_coding ? make_coding_pool(t) : REGRET_OK);
    TRY(t->map.derive.wanted ? summary_scores_derive(&t->b, &t->map.derive) : REGRET_OK);
    int rc = made_scores_derive(&t->b, t->map.made, t->map.n_made);
    TRY(rc != REGRET_OK ? regret_fail_prefix(rc, "%s", t->path) : REGRET_OK);
    TRY(import_build(&t->b));
    TRY(count_numbers(t));
    t->report.contexts = t->b.pool->n_contexts;
    t->report.agents = t->b.pool->n_agents;
    t->report.pairs = t->b.pairs;
    return REGRET_OK;
}

/* The pool, with the table, its contexts and its map in its history. */
static int write_pool(struct table_import *t, const char *map_path, const char *pool_path,
                      int replace)
{
    FREED_BY(regret_buffer_free) struct regret_buffer card = REGRET_BUFFER_INIT;
    const struct regret_table_options *o = t->options;
    table_map_card(&card, &t->map, t->b.pool);
    TRY(regret_buffer_status(&card));
    TRY(import_note_file(&t->b, t->path));
    TRY(o->contexts_path != NULL ? import_note_file(&t->b, o->contexts_path) : REGRET_OK);
    TRY(import_note_file(&t->b, map_path));
    TRY(import_record(&t->b, o->layout == REGRET_TABLE_LAYOUT_CSV ? "csv" : "jsonl", o->date, 0));
    return import_finish(&t->b, o->into, pool_path, regret_buffer_get(&card), replace);
}

int regret_import_table(struct regret_table_report *report, const char *table_path,
                        const char *map_path, const char *pool_path,
                        const struct regret_table_options *options, int replace)
{
    const struct regret_table_options defaults = REGRET_TABLE_OPTIONS_INIT,
                                      *o = options != NULL ? options : &defaults;
    struct table_import t = {.options = o,
                             .path = table_path,
                             .raters = {.what = "rater",
                                        .many = "raters",
                                        .row = "row",
                                        .most = REGRET_POOL_MAX_CONTEXTS},
                             .bad = {o->skip_bad, o->note, o->note_context, 0}};
    int rc;
    TRY_CLEANUP(import_begin(&t.b));
    TRY_CLEANUP(table_map_read(&t.map, t.b.pool, map_path, table_path, o->contexts_path != NULL));
    TRY_CLEANUP(table_read_contexts(&t));
    t.path = input_path(table_path);
    TRY_CLEANUP(table_read_rows(&t));
    TRY_CLEANUP(make_pool(&t));
    TRY_CLEANUP(write_pool(&t, map_path, pool_path, replace));
    if (report != NULL) {
        *report = t.report;
    }
cleanup:
    regret_free(t.vote);
    regret_buffer_free(&t.references);
    regret_buffer_free(&t.id);
    import_register_free(&t.raters);
    import_free(&t.b);
    table_map_free(&t.map);
    return rc;
}

/* The command line. */
struct call_options {
    struct regret_table_options table;
    struct importer_list agents;
    const char *map;
};

#define COUNT(name) offsetof(struct regret_table_report, name)
enum { ROW_COUNTS = 5 };
static const struct importer_count OF_ROWS[ROW_COUNTS] = {
    {COUNT(other_agent), "rows of agents that were not asked for"},
    {COUNT(bad), "bad rows left out"},
    {COUNT(unscored), "rows left out because they lack a score"},
    {COUNT(repeated), "rows left out because their pair has another one"},
    {COUNT(without_cost), "rows have no cost; that of their agent is the mean of its others"}};
/* What an agent has in a row of a wide table. */
static const struct importer_count OF_ANSWERS[ROW_COUNTS] = {
    {COUNT(other_agent), "answers of agents that were not asked for"},
    {COUNT(bad), "bad answers left out"},
    {COUNT(unscored), "answers left out because they lack a score"},
    {COUNT(repeated), "answers left out because their pair has another one"},
    {COUNT(without_cost), "answers have no cost; that of their agent is the mean of its others"}};
static const struct importer_count COUNTS[] = {
    {COUNT(blank),
     "pairs of the wide table are left out because all their cells are blank or missing"},
    {COUNT(rated), "rows are further ratings of an output"},
    {COUNT(empty), "outputs are empty"},
    {COUNT(without_number), "numbers of contexts are blank; the column's mean stands for them"},
    {COUNT(without_diff), "outputs have a text but no diff"},
    {COUNT(same_agent), "votes left out because both sides are one agent"},
    {COUNT(dropped_bad), "votes left out because both answers are bad"},
    {COUNT(ties), "votes are ties, half a win of each"},
    {COUNT(both_bad), "votes find both answers bad"},
    {COUNT(averaged),
     "votes are averaged with an earlier one on the same prompt and pair, in the same order"},
    {COUNT(other_texts), "of these have other answers; those of the first vote are kept"},
    {COUNT(other_pairs),
     "contexts are prompts that another pair, or the pair in the other order, was judged on, too"}};

static int run(const struct importer_call *call, enum regret_table_layout layout)
{
    const struct call_options *given = call->options;
    struct regret_table_options o = given->table;
    struct regret_table_report r;
    o.layout = layout;
    o.agents = given->agents.items;
    o.n_agents = given->agents.n;
    o.note = call->note;
    o.note_context = call->note_context;
    o.into = call->into;
    o.date = call->date;
    TRY(regret_import_table(&r, call->from, given->map, call->to, &o, call->replace));
    regret_buffer_printf(call->report,
                         "%s holds %zu contexts, %zu agents, %zu outputs out of %zu %s", call->name,
                         r.contexts, r.agents, r.outputs, r.rows,
                         r.is_of_votes   ? "votes"
                         : r.records > 0 ? "answers in "
                                         : "rows");
    if (r.records > 0) {
        regret_buffer_printf(call->report, "%zu rows", r.records);
    }
    regret_buffer_append(call->report, "\n");
    importer_report_counts(call->report, r.records > 0 ? OF_ANSWERS : OF_ROWS, ROW_COUNTS, &r);
    importer_report_counts(call->report, COUNTS, sizeof COUNTS / sizeof *COUNTS, &r);
    if (r.is_of_votes && r.shown_first >= 0) {
        regret_buffer_printf(
            call->report,
            "         %s is taken for the answer shown first; \"shown_first\" in the "
            "map's \"votes\" says otherwise\n",
            r.shown_first == 0 ? "model_a" : "model_b");
    }
    if (!r.is_of_votes) { /* of which a context has two outputs */
        importer_report_missing(call->report, r.contexts, r.agents, r.pairs);
    }
    return regret_buffer_status(call->report);
}

static int run_csv(const struct importer_call *call)
{
    return run(call, REGRET_TABLE_LAYOUT_CSV);
}

static int run_jsonl(const struct importer_call *call)
{
    return run(call, REGRET_TABLE_LAYOUT_JSONL);
}

static const struct call_options defaults = {.table = REGRET_TABLE_OPTIONS_INIT};
static const char *const REPEATS[] = {"refuse", "first", "last", "draws", NULL};

#define FIELD(name) offsetof(struct call_options, name)
static const struct importer_option options[] = {
    {"map", 'm', IMPORTER_STRING, FIELD(map), "MAP.json", "what stands in which field (required)",
     0, 0, NULL, "say what stands where: --map MAP.json"},
    {"contexts", 0, IMPORTER_STRING, FIELD(table.contexts_path), "FILE",
     "the contexts' texts, where they are not in the table", 0, 0, NULL, NULL},
    {"agent", 0, IMPORTER_LIST, FIELD(agents), "PATTERN",
     "agents that match this shell pattern alone (may be repeated)", 0, 0, NULL, NULL},
    {"repeats", 0, IMPORTER_WORD, FIELD(table.repeats), "RULE",
     "two rows of a context and agent: refuse (default), first, last, or draws", 0, 0, REPEATS,
     NULL},
    {"skip-bad", 0, IMPORTER_FLAG, FIELD(table.skip_bad), NULL,
     "leave out bad rows, naming them, instead of refusing the file", 0, 0, NULL, NULL},
    {"drop-unscored", 0, IMPORTER_FLAG, FIELD(table.drop_unscored), NULL,
     "leave out rows that lack a score, counting them", 0, 0, NULL, NULL},
    IMPORTER_FORCE_OPTION,
    /* Of CSV alone, so it comes last. */
    {"separator", 0, IMPORTER_CHARACTER, FIELD(table.separator), "CHARACTER",
     "between fields (default: a comma); tab for tabs", 0, 0, NULL, NULL}};
enum { OPTIONS_OF_CSV = sizeof options / sizeof *options };

#define MAP_DETAIL                                                                                 \
    "MAP.json says what stands where (docs/formats.md has every key):\n"                           \
    "  {\"name\": \"mine\", \"synthetic\": false,\n"                                               \
    "   \"columns\": {\"context\": \"doc_id\", \"text\": \"article\", \"tag\": \"section\",\n"     \
    "               \"agent\": \"model\", \"output\": \"summary\", \"cost\": \"price\"},\n"        \
    "   \"components\": [{\"name\": \"faithful\", \"from\": \"score_1\", \"low\": 1, \"high\": "   \
    "5}],\n"                                                                                       \
    "   \"counts\": [\"unsupported_claims\"], \"aux\": [\"length\"]}\n"                            \
    "A list of numbers or of fields, {\"from\": [\"judge_1\", \"judge_2\"]}, counts as its "       \
    "mean.\n"                                                                                      \
    "Of a wide table, a row a context, \"agents\" lists the agents, and \"{agent}\" stands for "   \
    "their\nnames in \"from\", \"output\" and \"cost\".\n"

const struct importer importer_csv = {
    .name = "import csv",
    .synopsis = "FILE --map MAP.json -o POOL [options]",
    .summary = "a table of your own: CSV with a header, a row an output",
    .detail = MAP_DETAIL,
    .examples = "regret import csv scores.csv --map map.json -o my/pool\n"
                "regret import csv scores.tsv --separator tab --map map.json "
                "--contexts articles.tsv -o my/pool",
    .options = options,
    .n_options = OPTIONS_OF_CSV,
    .defaults = &defaults,
    .size = sizeof defaults,
    .can_dry_run = 1,
    .run = run_csv,
};

const struct importer importer_jsonl = {
    .name = "import jsonl",
    .synopsis = "FILE --map MAP.json -o POOL [options]",
    .summary = "a table of your own: JSONL or a JSON array, an object an output",
    .detail = MAP_DETAIL
    "A field \"scores.faith\" or \"judges.0.score\" leads into objects and arrays;\n"
    "\"judges.*.score\" is the mean of all judges'. With the agent at \"answers.*.model\" every\n"
    "element of the list answers is a row.",
    .examples = "regret import jsonl outputs.jsonl --map map.json -o my/pool\n"
                "regret import jsonl - --map map.json -o my/pool <outputs.jsonl\n"
                "regret import jsonl outputs.jsonl --map map.json --repeats draws -o my/pool",
    .options = options,
    .n_options = OPTIONS_OF_CSV - 1,
    .defaults = &defaults,
    .size = sizeof defaults,
    .can_dry_run = 1,
    .run = run_jsonl,
};
