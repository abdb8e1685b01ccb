/* A table of one's own becomes a pool. What becomes of what: include/regret/import.h. */
#include <string.h>

#include "base/input.h"
#include "base/try.h"
#include "import/builder.h"
#include "import/importer.h"
#include "import/table_map.h"
#include "import/table_source.h"
#include "pool/check.h"
#include "pool/coding_pool.h"
#include "regret/alloc.h"
#include "regret/file.h"

struct table_import {
    const struct regret_table_options *options;
    const char *path;
    struct regret_table_report report;
    size_t wide_records, wide_rows; /* records of a wide table, and what they have of all agents */
    struct import_bad_rows bad;
    struct table_map map;
    struct import_builder b;
};

static int other_one(const struct import_entry *entry, const char *what,
                     const struct table_source *source)
{
    const char *unit = table_source_unit(source);
    return regret_json_error(table_source_place(source),
                             "the %s of \"%.60s\" is another one than %s %s %zu; give "
                             "different ones different ids",
                             what, entry->given, strcmp(unit, "line") == 0 ? "on" : "in", unit,
                             entry->number);
}

/* Sets the text of a context or the title of an agent, which must not change. */
static int set_text(struct import_entry *entry, const char *what, struct table_source *source,
                    enum table_field field)
{
    const char *text = NULL;
    if (source->field[field] == NULL) {
        return REGRET_OK;
    }
    TRY(table_source_text(&text, source, field, 0));
    if (entry->text == NULL) {
        return regret_strdup(&entry->text, text);
    }
    return strcmp(entry->text, text) == 0 ? REGRET_OK : other_one(entry, what, source);
}

static int set_tag(struct import_entry *context, struct table_source *source)
{
    const char *tag = NULL;
    int differs = 0;
    if (source->field[TABLE_TAG] == NULL) {
        return REGRET_OK;
    }
    TRY(table_source_text(&tag, source, TABLE_TAG, 1));
    TRY(import_set_tag(&differs, context, tag, table_source_place(source)));
    return differs ? other_one(context, "tag", source) : REGRET_OK;
}

/* Contexts without an id of their own: the column of their texts says which one it is. */
static int is_told_by_text(const struct table_source *source)
{
    const char *text = source->field[TABLE_TEXT];
    return text != NULL && strcmp(text, source->field[TABLE_CONTEXT]) == 0;
}

static int read_context(uint32_t *out, struct table_import *t, struct table_source *source)
{
    struct import_register *contexts = &t->b.contexts;
    const char *id = NULL;
    char digest[33];
    TRY(table_source_text(&id, source, TABLE_CONTEXT, 0));
    if (is_told_by_text(source) && strlen(id) > REGRET_POOL_MAX_ID) {
        regret_digest(digest, id, strlen(id));
        id = digest;
    }
    TRY(import_enter(out, contexts, id, source->number, table_source_place(source)));
    TRY(set_text(&contexts->entry[*out], "text", source, TABLE_TEXT));
    return set_tag(&contexts->entry[*out], source);
}

static int add_cost(struct import_entry *agent, struct table_source *source)
{
    double cost = 0.0;
    if (source->field[TABLE_COST] == NULL) {
        return REGRET_OK;
    }
    TRY(table_source_number(&cost, source, TABLE_COST));
    if (cost < 0.0) {
        return regret_json_error(table_source_place(source),
                                 "\"%s\" is %g; a cost must not be negative",
                                 source->field[TABLE_COST], cost);
    }
    agent->cost += cost;
    agent->costs++;
    return REGRET_OK;
}

static int read_agent(uint32_t *out, struct table_import *t, struct table_source *source)
{
    struct import_register *agents = &t->b.agents;
    const char *id = NULL;
    if (source->is_wide) {
        id = table_source_agent(source);
    } else {
        TRY(table_source_text(&id, source, TABLE_AGENT, 0));
    }
    TRY(import_enter(out, agents, id, source->number, table_source_place(source)));
    TRY(set_text(&agents->entry[*out], "title", source, TABLE_TITLE));
    return add_cost(&agents->entry[*out], source);
}

/* Puts the place before a message that has none. */
static int fail_at(int rc, struct regret_place at)
{
    return at.line > 0 ? regret_fail_prefix(rc, "%s:%zu", at.file, at.line)
                       : regret_fail_prefix(rc, "%s", at.file);
}

static int check_value(const struct table_import *t, const struct table_source *source, size_t k,
                       double value)
{
    const struct regret_pool *pool = t->b.pool;
    const char *field = source->field[TABLE_VALUES + k];
    if (k < pool->n_components &&
        !(value >= pool->components[k].low && value <= pool->components[k].high)) {
        return regret_json_error(table_source_place(source),
                                 "\"%s\" is %.15g; the map says %g to %g", field, value,
                                 pool->components[k].low, pool->components[k].high);
    }
    if (t->map.is_coding && value != 0.0 && value != 1.0) {
        return regret_json_error(table_source_place(source),
                                 "\"%s\" is %.15g; the success of a patch is true or false, 1 or 0",
                                 field, value);
    }
    if (k >= pool->n_components && k < pool->n_components + pool->n_counts && value < 0.0) {
        return regret_json_error(table_source_place(source),
                                 "\"%s\" is %.15g; a count must not be negative", field, value);
    }
    return REGRET_OK;
}

static int read_output(struct import_row *row, struct table_import *t, struct table_source *source)
{
    const char *text = NULL;
    TRY(REGRET_NEW(&row->values, t->map.is_coding ? (size_t)CODING_VALUES : t->map.n_values));
    for (size_t k = 0; k < t->map.n_values; k++) {
        TRY(table_source_number(&row->values[k], source, TABLE_VALUES + k));
        TRY(check_value(t, source, k, row->values[k]));
    }
    int rc = pool_check_values(t->b.pool, row->values);
    if (rc != REGRET_OK) {
        return fail_at(rc, table_source_place(source));
    }
    if (source->field[TABLE_OUTPUT] == NULL) { /* of a wide table */
        text = table_source_agent(source);
    } else {
        TRY(table_source_text(&text, source, TABLE_OUTPUT, 1));
    }
    return regret_strdup(&row->text, text);
}

/* Values first: a row that is left out must not leave a context or an agent behind. */
static int read_row(struct table_import *t, struct table_source *source)
{
    struct import_row row = {.number = source->number};
    int rc;
    TRY_CLEANUP(read_output(&row, t, source));
    TRY_CLEANUP(read_context(&row.context, t, source));
    TRY_CLEANUP(read_agent(&row.agent, t, source));
    if (t->b.n_rows < REGRET_POOL_MAX_OUTPUTS) {
        return import_add_row(&t->b, &row);
    }
    rc = regret_json_error(table_source_place(source), "more than %d rows",
                           (int)REGRET_POOL_MAX_OUTPUTS);
cleanup:
    regret_free(row.text);
    regret_free(row.values);
    return rc;
}

/* A row of a wide table is a row of a long one for every agent that has anything in it. */
static int read_wide_row(struct table_import *t, struct table_source *source)
{
    t->wide_records++;
    for (size_t a = 0; a < source->wide.n_agents; a++) {
        if (!table_source_choose(source, a)) {
            continue;
        }
        t->report.rows++;
        t->wide_rows++;
        TRY(import_skip_row(&t->bad, read_row(t, source)));
    }
    return REGRET_OK;
}

/* The next row, *more = 0 at the end; a bad one may be skipped. */
static int next_row(struct table_import *t, struct table_source *source, int *more)
{
    int rc = table_source_next(source, more), failed = rc != REGRET_OK;
    if (!failed && !*more) {
        return REGRET_OK;
    }
    if (failed && source->over) {
        return rc;
    }
    *more = 1;
    t->b.contexts.row = t->b.agents.row = table_source_unit(source);
    if (!failed && source->is_wide) {
        return read_wide_row(t, source);
    }
    t->report.rows++;
    return import_skip_row(&t->bad, failed ? rc : read_row(t, source));
}

static int read_rows(struct table_import *t)
{
    struct table_source source;
    int more = 1, rc = REGRET_OK;
    TRY(table_source_open(&source, t->path, t->options, t->map.field,
                          TABLE_VALUES + t->map.n_values, t->map.is_wide ? &t->map.agents : NULL));
    while (more) {
        TRY_CLEANUP(next_row(t, &source, &more));
    }
    if (source.is_wide) { /* only now all agents are known */
        t->report.blank = t->wide_records * source.wide.n_agents - t->wide_rows;
    }
cleanup:
    table_source_close(&source);
    return rc;
}

/* Reads the contexts that stand in a file of their own: there are no others then. */
static int read_contexts(struct table_import *t)
{
    struct table_source source;
    uint32_t index = 0;
    int more = 1, rc = REGRET_OK;
    if (t->options->contexts_path == NULL) {
        return REGRET_OK;
    }
    TRY(table_source_open(&source, t->options->contexts_path, t->options, t->map.contexts,
                          TABLE_TAG + 1, NULL));
    while (more) {
        TRY_CLEANUP(table_source_next(&source, &more));
        if (more) {
            TRY_CLEANUP(read_context(&index, t, &source));
        }
    }
    t->b.contexts.closed_by = "the file of contexts";
cleanup:
    table_source_close(&source);
    return rc;
}

static int refuse_repeat(const struct import_repeat *repeat, const char *path)
{
    int is_line = strcmp(repeat->unit, "line") == 0;
    return regret_fail(
        REGRET_E_INPUT,
        "%s%s%zu%s: agent \"%s\" has an output for context \"%s\" before, %s %s %zu; remove one, "
        "or say with --repeats which counts",
        path, is_line ? ":" : ": record ", repeat->second, is_line ? "" : " (from 0)",
        repeat->agent, repeat->context, is_line ? "on" : "in", repeat->unit, repeat->first);
}

static int settle(struct table_import *t)
{
    struct regret_table_report *r = &t->report;
    TRY(import_settle_repeats(&t->b, t->options->repeats, refuse_repeat, t->path));
    TRY(import_number_draws(&t->b));
    for (size_t i = 0; i < t->b.n_rows; i++) {
        const struct import_row *row = &t->b.rows[i];
        r->repeated += !row->kept;
        r->outputs += row->kept;
        r->empty += row->kept && row->text[0] == '\0';
    }
    r->bad = t->bad.n;
    return r->outputs > 0 ? REGRET_OK
                          : regret_fail(REGRET_E_INPUT, "%s: none of its %zu rows is of use",
                                        t->path, r->rows);
}

/* The components and labels of patches: by formulas over the text and its context's, whose rows stand
 * together once they are settled. The lines that are changed are the cost where the map has none. */
static int compute_patches(struct table_import *t)
{
    struct regret_patch_issue *words = NULL;
    uint32_t context = UINT32_MAX;
    int rc = REGRET_OK;
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
            TRY_CLEANUP(regret_patch_issue_read(&words, issue, strlen(issue)));
            context = row->context;
        }
        TRY_CLEANUP(coding_values(row->values, &changed, &files, row->values[CODING_SUCCESS] != 0.0,
                                  row->text, strlen(row->text), words));
        if (t->map.field[TABLE_COST] == NULL) {
            agent->cost += (double)changed;
            agent->costs++;
        }
        t->report.without_diff += row->text[0] != '\0' && files == 0;
    }
cleanup:
    regret_patch_issue_free(words);
    return rc;
}

/* The pool of patches, in the place of the header's one component. */
static int make_coding_pool(struct table_import *t)
{
    TRY(coding_pool_describe(t->b.pool));
    return compute_patches(t);
}

static int write_pool(struct table_import *t, const char *pool_path, int replace)
{
    struct regret_text card = REGRET_TEXT_INIT;
    int rc;
    table_map_card(&card, &t->map, t->b.pool);
    TRY_CLEANUP(regret_text_status(&card));
    rc = import_finish(&t->b, t->options->into, pool_path, regret_text_get(&card), replace);
cleanup:
    regret_text_free(&card);
    return rc;
}

int regret_import_table(struct regret_table_report *report, const char *table_path,
                        const char *map_path, const char *pool_path,
                        const struct regret_table_options *options, int replace)
{
    const struct regret_table_options defaults = REGRET_TABLE_OPTIONS_INIT;
    const struct regret_table_options *o = options != NULL ? options : &defaults;
    struct table_import t = {
        .options = o, .path = table_path, .bad = {o->skip_bad, o->note, o->note_context, 0}};
    int rc;
    TRY_CLEANUP(import_begin(&t.b));
    TRY_CLEANUP(table_map_read(&t.map, t.b.pool, map_path, table_path, o->contexts_path != NULL));
    TRY_CLEANUP(read_contexts(&t));
    t.path = input_path(table_path);
    TRY_CLEANUP(read_rows(&t));
    TRY_CLEANUP(settle(&t));
    TRY_CLEANUP(t.map.is_coding ? make_coding_pool(&t) : REGRET_OK);
    TRY_CLEANUP(import_build(&t.b));
    t.report.contexts = t.b.pool->n_contexts;
    t.report.agents = t.b.pool->n_agents;
    t.report.pairs = t.b.pairs;
    TRY_CLEANUP(write_pool(&t, pool_path, replace));
    if (report != NULL) {
        *report = t.report;
    }
cleanup:
    import_free(&t.b);
    table_map_free(&t.map);
    return rc;
}

/* The command line. */
struct call_options {
    struct regret_table_options table;
    const char *map;
};

#define COUNT(name) offsetof(struct regret_table_report, name)
static const struct importer_count COUNTS[] = {
    {COUNT(bad), "bad rows left out"},
    {COUNT(repeated), "rows left out because their pair has another one"},
    {COUNT(blank),
     "pairs of the wide table are left out because all their cells are blank or missing"},
    {COUNT(empty), "outputs are empty"},
    {COUNT(without_diff), "outputs have a text but no diff"}};

static int run(const struct importer_call *call, enum regret_table_layout layout)
{
    const struct call_options *given = call->options;
    struct regret_table_options o = given->table;
    struct regret_table_report r;
    o.layout = layout;
    o.note = call->note;
    o.note_context = call->note_context;
    o.into = call->into;
    TRY(regret_import_table(&r, call->from, given->map, call->to, &o, call->replace));
    regret_text_printf(call->report,
                       "%s holds %zu contexts, %zu agents, %zu outputs out of %zu rows\n", call->to,
                       r.contexts, r.agents, r.outputs, r.rows);
    importer_report_counts(call->report, COUNTS, sizeof COUNTS / sizeof *COUNTS, &r);
    importer_report_missing(call->report, r.contexts, r.agents, r.pairs);
    return regret_text_status(call->report);
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
    {"repeats", 0, IMPORTER_WORD, FIELD(table.repeats), "RULE",
     "two rows of a context and agent: refuse (default), first, last, or draws", 0, 0, REPEATS,
     NULL},
    {"skip-bad", 0, IMPORTER_FLAG, FIELD(table.skip_bad), NULL,
     "leave out bad rows, naming them, instead of refusing the file", 0, 0, NULL, NULL},
    IMPORTER_FORCE_OPTION,
    /* Of CSV alone, so it comes last. */
    {"separator", 0, IMPORTER_CHARACTER, FIELD(table.separator), "CHARACTER",
     "between fields (default: a comma); tab for tabs", 0, 0, NULL, NULL}};
enum { OPTIONS_OF_CSV = sizeof options / sizeof *options };

#define MAP_DETAIL                                                                                 \
    "MAP.json says what stands where (regret/import.h has every key):\n"                           \
    "  {\"name\": \"mine\", \"synthetic\": false,\n"                                               \
    "   \"columns\": {\"context\": \"doc_id\", \"text\": \"article\", \"tag\": \"section\",\n"     \
    "               \"agent\": \"model\", \"output\": \"summary\", \"cost\": \"price\"},\n"        \
    "   \"components\": [{\"name\": \"faithful\", \"from\": \"score_1\", \"low\": 1, \"high\": "   \
    "5}],\n"                                                                                       \
    "   \"counts\": [\"unsupported_claims\"], \"aux\": [\"length\"]}\n"                            \
    "Of patches, \"coding\": {\"success\": \"resolved\"} in the place of components, counts and\n" \
    "aux computes size, locality, focus and the statistics of the diffs. Of a wide table, a row "  \
    "a\n"                                                                                          \
    "context, \"agents\" lists the agents, and \"{agent}\" stands for their names in \"from\",\n"  \
    "\"output\" and \"cost\".\n"

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
    .detail =
        MAP_DETAIL "A field \"scores.faith\" or \"judges.0.score\" leads into objects and arrays.",
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
