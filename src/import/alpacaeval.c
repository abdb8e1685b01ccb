#include "import/internal.h"

#include <stdio.h>
#include <string.h>

#include "base/files.h"
#include "base/status.h"
#include "base/text.h"
#include "import/builder.h"
#include "import/importer.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "table/fields.h"
#include "table/words.h"

FREED_POINTER(struct fields, fields_close)

/* AlpacaEval's published results. What becomes of what: src/import/importer.h. */

static const char CARD[] =
    "# AlpacaEval: outputs of language models, judged against a reference\n\n"
    "Contexts are instructions, outputs what language models answered. A judge, another language\n"
    "model, was shown each output beside that of a reference model.\n\n"
    "* preference: the judge's preference less 1, from 0 (the reference's output is better) to 1\n"
    "  (the model's is); no person judged it, and judges can be misled\n"
    "* brevity = r / (r + n) for an output of n characters where the reference's has r: 1/2 at "
    "the\n"
    "  same length, 1 for an empty one; made by formula, nobody judged it\n"
    "* user types: one minds brevity little (a tenth), one as much as the preference\n"
    "* an agent's cost is its price where a table of prices was given, else the mean number of\n"
    "  characters of its outputs\n"
    "* ids of contexts are hashes of the instructions; their tags are AlpacaEval's datasets\n\n"
    "Instructions, outputs and judgements: AlpacaEval 2, Dubois, Galambosi, Liang and Hashimoto,\n"
    "\"Length-Controlled AlpacaEval\", 2024, arXiv:2404.04475, under CC BY-NC 4.0: not for\n"
    "commercial use, and to be named where this pool is passed on.\n";

static const char *const COMPONENT_NAMES[ALPACAEVAL_VALUES] = {
    [ALPACAEVAL_PREFERENCE] = "preference", [ALPACAEVAL_BREVITY] = "brevity"};

/* The user types [C]. */
enum { N_USERS = 2 };
static const struct {
    const char *name;
    double weights[ALPACAEVAL_VALUES];
} USERS[N_USERS] = {{"thorough", {0.9, 0.1}}, {"brief", {0.5, 0.5}}};

static int describe_users(struct regret_pool *pool)
{
    TRY(REGRET_NEW(&pool->segments, N_USERS));
    pool->n_segments = N_USERS;
    for (size_t u = 0; u < N_USERS; u++) {
        TRY(regret_strdup(&pool->segments[u].name, USERS[u].name));
        TRY(REGRET_NEW(&pool->segments[u].weights, ALPACAEVAL_VALUES));
        memcpy(pool->segments[u].weights, USERS[u].weights, sizeof USERS[u].weights);
    }
    return REGRET_OK;
}

static int describe_text(struct regret_pool *pool, const struct alpacaeval *s)
{
    FREED_BY(regret_buffer_free) struct regret_buffer source = REGRET_BUFFER_INIT;
    regret_buffer_append(&source, "AlpacaEval 2, arXiv:2404.04475, published results, judged by ");
    regret_buffer_append_safe(&source, s->annotator, 200);
    TRY(regret_buffer_status(&source));
    const struct import_description description = {
        .name = s->options->name != NULL ? s->options->name : "alpacaeval",
        .title = "AlpacaEval: outputs of language models, judged against a reference",
        .version = "1",
        .licence = "CC BY-NC 4.0",
        .source = regret_buffer_get(&source)};
    return import_describe(pool, &description);
}

static int describe(struct regret_pool *pool, const struct alpacaeval *s)
{
    TRY(describe_text(pool, s));
    TRY(REGRET_NEW(&pool->components, ALPACAEVAL_VALUES));
    pool->n_components = ALPACAEVAL_VALUES;
    for (size_t k = 0; k < ALPACAEVAL_VALUES; k++) {
        pool->components[k].high = 1.0;
        TRY(regret_strdup(&pool->components[k].name, COMPONENT_NAMES[k]));
    }
    return describe_users(pool);
}

/* Without prices: the mean length of the outputs, for whatever the price list, longer ones cost more. */
static void cost_by_length(struct alpacaeval *s)
{
    for (size_t i = 0; i < s->b.n_rows; i++) {
        const struct import_row *row = &s->b.rows[i];
        struct import_entry *agent = &s->b.agents.entry[row->agent];
        if (row->kept) {
            agent->cost += (double)count_characters(row->text);
            agent->costs++;
        }
    }
}

/* A line of the table of prices; models that were not asked for are skipped. */
static int read_price(struct alpacaeval *s, struct fields *f)
{
    const char *model = NULL, *text = NULL;
    double price = 0.0;
    TRY(fields_text(&model, f, 0, 0, NULL));
    TRY(fields_text(&text, f, 1, 0, NULL));
    if (!table_source_parse(&price, text) || price < 0.0) {
        return regret_json_error(
            fields_place(f), "\"price\" is \"%.40s\"; a price must be a number from 0 on", text);
    }
    for (size_t a = 0; a < s->b.agents.n; a++) {
        struct import_entry *agent = &s->b.agents.entry[a];
        if (strcmp(agent->given, model) == 0 && agent->costs > 0) {
            return regret_json_error(fields_place(f), "model \"%.60s\" has a price before", model);
        }
        if (strcmp(agent->given, model) == 0) {
            agent->cost = price;
            agent->costs = 1;
        }
    }
    return REGRET_OK;
}

/* Every model has a price, or none. */
static int check_prices(const struct alpacaeval *s)
{
    for (size_t a = 0; a < s->b.agents.n; a++) {
        const struct import_entry *agent = &s->b.agents.entry[a];
        if (agent->costs == 0) {
            return regret_fail(REGRET_E_INPUT,
                               "%s has no price of model \"%.60s\"; add a line, or leave the model "
                               "out with --exclude",
                               s->options->prices, agent->given);
        }
    }
    return REGRET_OK;
}

static int read_prices(struct alpacaeval *s)
{
    static const char *const FIELDS[] = {"model", "price"};
    FREED_BY(fields_close_at) struct fields *f = NULL;
    int more = 1;
    if (s->options->prices == NULL) {
        cost_by_length(s);
        return REGRET_OK;
    }
    TRY(fields_open(&f, s->options->prices, FIELDS_CSV, ',', NULL));
    TRY(fields_pick(f, FIELDS, 2));
    while (more) {
        TRY(fields_next(f, &more));
        TRY(more ? read_price(s, f) : REGRET_OK);
    }
    return check_prices(s);
}

static int refuse_repeat(const struct import_repeat *repeat, const char *path)
{
    return regret_fail(REGRET_E_INPUT,
                       "%s: record %zu (from 0) of %s is about an instruction that record %zu is "
                       "about, %s; remove one, or say with --repeats which counts",
                       path, repeat->second, repeat->agent, repeat->first, repeat->context);
}

static int settle(struct alpacaeval *s)
{
    struct regret_alpacaeval_report *r = &s->report;
    TRY(import_rank_agents(&s->b));
    TRY(import_settle_repeats(&s->b, s->options->repeats, refuse_repeat, s->path));
    TRY(import_number_draws(&s->b));
    for (size_t i = 0; i < s->b.n_rows; i++) {
        const struct import_row *row = &s->b.rows[i];
        r->repeated += !row->kept;
        r->outputs += row->kept;
        r->empty += row->kept && row->text[0] == '\0';
    }
    r->bad = s->bad.n;
    return r->outputs > 0 ? REGRET_OK
                          : regret_fail(REGRET_E_INPUT,
                                        "%s: none of the %zu records judged by %.100s is of use",
                                        s->path, r->records, s->annotator);
}

/* Which models there are, and whose judgements of them. */

enum { MOST_ANNOTATORS = 64, NAMED = 12 };

/* The annotators met so far. */
struct annotators {
    struct {
        char *name; /* owned */
        size_t models;
    } item[MOST_ANNOTATORS];
    size_t n;
};

int alpacaeval_path(char **out, const char *path, const char *a, const char *b)
{
    char *folder = NULL;
    TRY(regret_path_join(&folder, path, a));
    if (b == NULL) {
        *out = folder;
        return REGRET_OK;
    }
    int rc = regret_path_join(out, folder, b);
    regret_free(folder);
    return rc;
}

static int add_annotator(struct annotators *a, const char *name, const char *path)
{
    size_t i = 0;
    while (i < a->n && strcmp(a->item[i].name, name) != 0) {
        i++;
    }
    if (i == MOST_ANNOTATORS) {
        return regret_fail(REGRET_E_INPUT,
                           "%s has more than %d annotators; choose with --annotator", path,
                           MOST_ANNOTATORS);
    }
    if (i == a->n) {
        TRY(regret_strdup(&a->item[i].name, name));
        a->item[i].models = 0;
        a->n++;
    }
    a->item[i].models++;
    return REGRET_OK;
}

/* Adds those that have judged the model. */
static int add_annotators(struct annotators *a, const struct alpacaeval *s, const char *model)
{
    FREED_BY(folder_list_free) struct folder_list entries = {NULL, 0};
    FREED char *folder = NULL, *path = NULL;
    enum folder_entry kind = FOLDER_ENTRY_NONE;
    TRY(alpacaeval_path(&folder, s->path, model, NULL));
    TRY(folder_list_read(&entries, folder));
    for (size_t i = 0; i < entries.n; i++) {
        regret_free(path);
        path = NULL;
        TRY(alpacaeval_path(&path, folder, entries.name[i], NULL));
        TRY(folder_entry_of(&kind, path));
        if (kind != FOLDER_ENTRY_FOLDER) {
            continue;
        }
        regret_free(path);
        path = NULL;
        TRY(alpacaeval_path(&path, folder, entries.name[i], "annotations.json"));
        TRY(folder_entry_of(&kind, path));
        if (kind != FOLDER_ENTRY_NONE) {
            TRY(add_annotator(a, entries.name[i], s->path));
        }
    }
    return REGRET_OK;
}

static int choose(struct alpacaeval *s, const struct annotators *a)
{
    char list[1000] = "";
    size_t used = 0;
    if (a->n == 1) {
        return regret_strdup(&s->annotator, a->item[0].name);
    }
    if (a->n == 0) {
        return regret_fail(REGRET_E_INPUT, "%s has no MODEL/ANNOTATOR/annotations.json", s->path);
    }
    for (size_t i = 0; i < a->n && i < NAMED && used < sizeof list; i++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.60s (%zu models)",
                                 i > 0 ? ", " : "", a->item[i].name, a->item[i].models);
    }
    return regret_fail(REGRET_E_INPUT,
                       "%s has the judgements of %zu annotators; choose one with --annotator: %s%s",
                       s->path, a->n, list, a->n > NAMED ? ", …" : "");
}

/* The name of a folder, and no way out of the one it is in. */
static int check_name(const char *name)
{
    return name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "annotator \"%.60s\" is not the name of a folder; give one that "
                             "models have, such as weighted_alpaca_eval_gpt4_turbo",
                             name);
}

/* The annotator whose judgements are read: the one that is asked for, or the only one there is. */
static int alpacaeval_find_annotator(struct alpacaeval *s)
{
    struct annotators annotators = {.n = 0};
    int rc;
    if (s->options->annotator != NULL) {
        TRY(check_name(s->options->annotator));
        return regret_strdup(&s->annotator, s->options->annotator);
    }
    for (size_t i = 0; i < s->models.n; i++) {
        TRY_CLEANUP(add_annotators(&annotators, s, s->models.name[i]));
    }
    rc = choose(s, &annotators);
cleanup:
    for (size_t i = 0; i < annotators.n; i++) {
        regret_free(annotators.item[i].name);
    }
    return rc;
}

static int is_wanted(const struct regret_alpacaeval_options *o, const char *model)
{
    return (o->n_models == 0 || name_matches(o->models, o->n_models, model)) &&
           !name_matches(o->excluded, o->n_excluded, model);
}

/* Whether an entry of the folder is a model that is asked for; files beside them are skipped. */
static int look_at(int *wanted, struct alpacaeval *s, const char *name)
{
    char *path = NULL;
    enum folder_entry kind = FOLDER_ENTRY_NONE;
    TRY(alpacaeval_path(&path, s->path, name, NULL));
    int rc = folder_entry_of(&kind, path);
    regret_free(path);
    TRY(rc);
    s->report.links += kind == FOLDER_ENTRY_OTHER;
    *wanted = kind == FOLDER_ENTRY_FOLDER && is_wanted(s->options, name);
    if (kind == FOLDER_ENTRY_FOLDER && !*wanted) {
        s->report.other_models++;
        importer_remember(s->there, sizeof s->there, name);
    }
    return REGRET_OK;
}

/* The folders of s->path that are asked for. */
static int alpacaeval_find_models(struct alpacaeval *s)
{
    struct folder_list *models = &s->models;
    size_t n = 0;
    TRY(folder_list_read(models, s->path));
    for (size_t i = 0; i < models->n; i++) {
        int wanted = 0;
        TRY(look_at(&wanted, s, models->name[i]));
        if (wanted) {
            char *name = models->name[i];
            models->name[i] = models->name[n];
            models->name[n++] = name;
        }
    }
    for (size_t i = n; i < models->n; i++) {
        regret_free(models->name[i]);
    }
    models->n = n;
    if (n > 0) {
        return REGRET_OK;
    }
    return s->there[0] != '\0'
               ? regret_fail(REGRET_E_INPUT,
                             "%s: no model is asked for by the patterns; there are: %s", s->path,
                             s->there)
               : regret_fail(REGRET_E_INPUT,
                             "%s has no folders; give AlpacaEval's folder of results, which holds "
                             "MODEL/ANNOTATOR/annotations.json",
                             s->path);
}

static int make_pool(struct alpacaeval *s)
{
    TRY(import_begin(&s->b));
    s->b.contexts.what = "instruction";
    s->b.contexts.many = "instructions";
    s->b.contexts.row = "record";
    s->b.agents.what = "model";
    s->b.agents.many = "models; choose with --model and --exclude";
    s->b.agents.row = "folder";
    TRY(alpacaeval_find_models(s));
    TRY(alpacaeval_find_annotator(s));
    for (size_t i = 0; i < s->models.n; i++) {
        TRY(alpacaeval_read_model(s, s->models.name[i], (uint32_t)i + 1));
    }
    TRY(settle(s));
    TRY(read_prices(s));
    TRY(describe(s->b.pool, s));
    return import_build(&s->b);
}

int regret_import_alpacaeval(struct regret_alpacaeval_report *report, const char *folder,
                             const char *pool_path,
                             const struct regret_alpacaeval_options *alpacaeval_options,
                             int replace)
{
    const struct regret_alpacaeval_options defaults = REGRET_ALPACAEVAL_OPTIONS_INIT;
    const struct regret_alpacaeval_options *o =
        alpacaeval_options != NULL ? alpacaeval_options : &defaults;
    struct alpacaeval s = {
        .options = o, .path = folder, .bad = {o->skip_bad, o->note, o->note_context, 0}};
    int rc;
    TRY_CLEANUP(make_pool(&s));
    s.report.contexts = s.b.pool->n_contexts;
    s.report.agents = s.b.pool->n_agents;
    s.report.pairs = s.b.pairs;
    snprintf(s.report.annotator, sizeof s.report.annotator, "%s", s.annotator);
    TRY_CLEANUP(import_record(&s.b, "alpacaeval", o->date, 1));
    TRY_CLEANUP(import_finish(&s.b, o->into, pool_path, CARD, replace));
    if (report != NULL) {
        *report = s.report;
    }
cleanup:
    folder_list_free(&s.models);
    regret_free(s.annotator);
    regret_free(s.last);
    import_free(&s.b);
    return rc;
}

/* The command line. */
struct call_options {
    struct regret_alpacaeval_options alpacaeval;
    struct importer_list models, excluded;
};

#define COUNT(name) offsetof(struct regret_alpacaeval_report, name)
static const struct importer_count COUNTS[] = {
    {COUNT(other_models), "models left out by the patterns"},
    {COUNT(links), "entries left out because they are links, pipes or devices"},
    {COUNT(bad), "bad records left out"},
    {COUNT(unscored), "records left out because they have no preference"},
    {COUNT(no_output), "records left out because there is no output"},
    {COUNT(repeated), "records left out because their pair has another one"},
    {COUNT(draws), "records are draws, a preference of 0, taken for 1/2"},
    {COUNT(empty), "outputs are empty"},
    {COUNT(bad_outputs), "bad records of model_outputs.json skipped"},
    {COUNT(unjudged), "outputs of model_outputs.json that nobody judged"},
    {COUNT(other_outputs), "outputs judged are not those of model_outputs.json; they count"},
    {COUNT(other_datasets), "records have another dataset than the first about their instruction"},
    {COUNT(other_generators), "records have another generator_2 than the first of their model"}};

/* "n models WHAT: a, b", where there are any. */
static void report_models(struct regret_buffer *report, size_t n, const char *what,
                          const char *names)
{
    if (n > 0) {
        regret_buffer_printf(report, "  %8zu models %s: ", n, what);
        regret_buffer_append_safe(report, names, 400);
        regret_buffer_append_char(report, '\n');
    }
}

static int run(const struct importer_call *call)
{
    const struct call_options *given = call->options;
    struct regret_alpacaeval_options o = given->alpacaeval;
    struct regret_alpacaeval_report r;
    o.models = given->models.items;
    o.n_models = given->models.n;
    o.excluded = given->excluded.items;
    o.n_excluded = given->excluded.n;
    o.note = call->note;
    o.note_context = call->note_context;
    o.into = call->into;
    o.date = call->date;
    TRY(regret_import_alpacaeval(&r, call->from, call->to, &o, call->replace));
    regret_buffer_printf(
        call->report,
        "%s holds %zu contexts, %zu agents, %zu outputs out of %zu records, judged "
        "by ",
        call->name, r.contexts, r.agents, r.outputs, r.records);
    regret_buffer_append_safe(call->report, r.annotator, 100);
    regret_buffer_append_char(call->report, '\n');
    importer_report_counts(call->report, COUNTS, sizeof COUNTS / sizeof *COUNTS, &r);
    report_models(call->report, r.unjudged_models,
                  "left out because that annotator did not judge them", r.unjudged_models_are);
    report_models(call->report, r.renamed, "call themselves otherwise than their folders",
                  r.renamed_are);
    importer_report_missing(call->report, r.contexts, r.agents, r.pairs);
    return regret_buffer_status(call->report);
}

static const struct call_options defaults = {.alpacaeval = REGRET_ALPACAEVAL_OPTIONS_INIT};
static const char *const REPEATS[] = {"refuse", "first", "last", "draws", NULL};

#define FIELD(name) offsetof(struct call_options, name)
static const struct importer_option alpacaeval_options[] = {
    {"annotator", 0, IMPORTER_STRING, FIELD(alpacaeval.annotator), "NAME",
     "whose judgements to read, a folder's name; needed where models have several", 0, 0, NULL,
     NULL},
    {"model", 'm', IMPORTER_LIST, FIELD(models), "PATTERN",
     "models whose folder matches this shell pattern alone (may be repeated)", 0, 0, NULL, NULL},
    {"exclude", 'x', IMPORTER_LIST, FIELD(excluded), "PATTERN",
     "but none that matches this one (may be repeated)", 0, 0, NULL, NULL},
    {"prices", 0, IMPORTER_STRING, FIELD(alpacaeval.prices), "CSV",
     "a table of the columns model and price: the models' costs (default: their outputs' mean "
     "length)",
     0, 0, NULL, NULL},
    {"repeats", 0, IMPORTER_WORD, FIELD(alpacaeval.repeats), "RULE",
     "two records of a model about an instruction: first (default), last, draws, or refuse", 0, 0,
     REPEATS, NULL},
    {"skip-bad", 0, IMPORTER_FLAG, FIELD(alpacaeval.skip_bad), NULL,
     "leave out bad records, naming them, instead of refusing the file", 0, 0, NULL, NULL},
    {"name", 0, IMPORTER_STRING, FIELD(alpacaeval.name), "NAME",
     "name of the pool (default: alpacaeval)", 0, 0, NULL, NULL},
    IMPORTER_FORCE_OPTION};

const struct importer importer_alpacaeval = {
    .name = "import alpacaeval",
    .synopsis = "FOLDER -o POOL [options]",
    .summary = "AlpacaEval's published results: FOLDER/MODEL/ANNOTATOR/annotations.json",
    .detail =
        "An instruction is a context, its dataset the tag, a model (by the name of its folder)\n"
        "an agent. preference - 1 becomes preference; brevity is made of the lengths of the\n"
        "output and of the reference's by a formula that the pool's README.md states.\n"
        "What was left out, and why, is told at the end.",
    .examples = "regret import alpacaeval alpaca_eval/results -o alpacaeval\n"
                "regret import alpacaeval alpaca_eval/results --annotator "
                "weighted_alpaca_eval_gpt4_turbo --exclude '*_verbose' --prices prices.csv -o mine",
    .run = run,
    .can_dry_run = 1,
    IMPORTER_OPTIONS(alpacaeval_options, defaults),
};
