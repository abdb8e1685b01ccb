/* SummEval in the layout of G-Eval. What becomes of what: include/regret/import.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "base/json_records.h"
#include "base/try.h"
#include "import/builder.h"
#include "import/importer.h"
#include "import/summary_scores.h"
#include "regret/alloc.h"
#include "regret/text.h"

static const char CARD[] =
    "# SummEval: expert judgements of 16 summarisers\n\n"
    "Summaries of CNN/DailyMail articles by published systems, each judged by experts for\n"
    "coherence, consistency, fluency and relevance on 1 to 5; the scores are the experts' "
    "means.\n\n"
    "* faithfulness = consistency, coverage = relevance, clarity = (coherence + fluency)/2\n"
    "* conciseness is made by formula from the length beside the reference's and from repeated\n"
    "  trigrams; nobody judged it\n"
    "* unsupported_claims = round(5 - consistency), a stand-in for a count\n"
    "* aux labels are text statistics computed by the importer\n"
    "* an agent's cost is the mean number of tokens of its summaries\n\n"
    "Judgements: Fabbri et al., \"SummEval: Re-evaluating Summarization Evaluation\", TACL 2021,\n"
    "doi:10.1162/tacl_a_00373, MIT licence. The articles belong to their publishers and are not\n"
    "covered by it: keep this pool to yourself unless you have their leave.\n";

/* The experts' scores, from 1 to 5. */
enum { COHERENCE, CONSISTENCY, FLUENCY, RELEVANCE, N_SCORES };
static const char *const SCORE_NAMES[N_SCORES] = {"coherence", "consistency", "fluency",
                                                  "relevance"};
static const double LOWEST = 1.0, HIGHEST = 5.0;

/* What a mean of experts may lie outside the range by rounding. */
static const double ROUNDING = 1e-9;

/* The values of an output. */
enum { FAITHFULNESS, COVERAGE, CLARITY, CONCISENESS, N_COMPONENTS };
enum { UNSUPPORTED_CLAIMS = N_COMPONENTS, STATISTICS, N_VALUES = STATISTICS + REGRET_STATISTICS };
static const char *const COMPONENT_NAMES[N_COMPONENTS] = {"faithfulness", "coverage", "clarity",
                                                          "conciseness"};

/* The systems of SummEval that were judged, as its authors list them. */
static const char *const TITLES[][2] = {{"M0", "LEAD-3"},
                                        {"M1", "NEUSUM"},
                                        {"M2", "BanditSum"},
                                        {"M5", "RNES"},
                                        {"M8", "Pointer-generator"},
                                        {"M9", "Fast-abs-rl"},
                                        {"M10", "Bottom-up"},
                                        {"M11", "Improve-abs"},
                                        {"M12", "Unified-ext-abs"},
                                        {"M13", "ROUGESal"},
                                        {"M14", "Multi-task (entailment and questions)"},
                                        {"M15", "Closed-book decoder"},
                                        {"M17", "T5"},
                                        {"M20", "GPT-2 from human preferences"},
                                        {"M22", "BART"},
                                        {"M23", "PEGASUS"}};

struct summeval {
    const struct regret_import_options *options;
    struct import_builder b;
    struct reference {
        char *text;    /* NULL where there is none; owned */
        size_t record; /* the first that has it */
    } * references;    /* one a document; owned */
    size_t reference_capacity;
    size_t seen; /* records so far */
    size_t dropped;
};

static const char BLANK[] = " \t\r\n";

enum score { ABSENT, GIVEN, WRONG };

/* One number, or a string of one. */
static enum score number_of(double *out, const cJSON *v)
{
    char *end = NULL;
    if (v == NULL || cJSON_IsNull(v)) {
        return ABSENT;
    }
    if (cJSON_IsNumber(v)) {
        *out = v->valuedouble;
        return GIVEN;
    }
    if (!cJSON_IsString(v)) {
        return WRONG;
    }
    const char *text = v->valuestring + strspn(v->valuestring, BLANK);
    if (*text == '\0') {
        return ABSENT;
    }
    double x = strpbrk(text, "xX") == NULL ? strtod(text, &end) : NAN; /* nothing hexadecimal */
    if (isnan(x) || end == text || end[strspn(end, BLANK)] != '\0') {
        return strncmp(text, "nan", 3) == 0 || strncmp(text, "NaN", 3) == 0 ? ABSENT : WRONG;
    }
    *out = x;
    return GIVEN;
}

/* A score, or the mean of a list of them, one an expert; *odd is one out of range, if any. */
static enum score score_of(double *out, double *odd, const cJSON *v)
{
    double sum = 0.0, x = 0.0;
    size_t n = 0;
    if (v == NULL || (cJSON_IsArray(v) && v->child == NULL)) {
        return ABSENT;
    }
    const cJSON *first = cJSON_IsArray(v) ? v->child : v;
    for (const cJSON *e = first; e != NULL; e = cJSON_IsArray(v) ? e->next : NULL, n++) {
        enum score kind = number_of(&x, e);
        if (kind != GIVEN) {
            return kind;
        }
        *odd = x >= LOWEST - ROUNDING && x <= HIGHEST + ROUNDING ? *odd : x;
        sum += x;
    }
    *out = fmin(fmax(sum / (double)n, LOWEST), HIGHEST);
    return GIVEN;
}

static int is_unscored(const cJSON *record)
{
    const cJSON *map = cJSON_GetObjectItemCaseSensitive(record, "scores");
    double score = 0.0, odd = 0.0;
    for (size_t k = 0; k < N_SCORES; k++) {
        const cJSON *v =
            cJSON_IsObject(map) ? cJSON_GetObjectItemCaseSensitive(map, SCORE_NAMES[k]) : NULL;
        if (score_of(&score, &odd, v) == ABSENT) {
            return 1;
        }
    }
    return 0;
}

static int read_scores(double *scores, const cJSON *record, struct regret_place at)
{
    static const char REMEDY[] = "; --drop-unscored leaves such records out";
    const cJSON *map = NULL;
    int rc = regret_json_get_object(&map, record, "scores", at);
    if (rc != REGRET_OK) {
        return is_unscored(record) ? regret_fail_suffix(rc, "%s", REMEDY) : rc;
    }
    for (size_t k = 0; k < N_SCORES; k++) {
        double odd = LOWEST;
        enum score kind =
            score_of(&scores[k], &odd, cJSON_GetObjectItemCaseSensitive(map, SCORE_NAMES[k]));
        if (kind == ABSENT) {
            return regret_json_error(at, "\"scores\" has no \"%s\"%s", SCORE_NAMES[k], REMEDY);
        }
        if (kind == WRONG) {
            return regret_json_error(
                at, "\"scores\": \"%s\" must be a number, or a list of numbers, one an expert",
                SCORE_NAMES[k]);
        }
        if (odd != LOWEST) {
            return regret_json_error(at, "\"scores\": \"%s\" is %.15g; scores are from 1 to 5",
                                     SCORE_NAMES[k], odd);
        }
    }
    return REGRET_OK;
}

/* Enters what a field of the record names, by a text or a number. */
static int enter(uint32_t *out, struct import_register *r, const cJSON *record, size_t index,
                 struct regret_place at)
{
    char number[32];
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(record, r->what);
    const char *given = number;
    if (cJSON_IsNumber(v)) {
        snprintf(number, sizeof number, "%.15g", v->valuedouble);
    } else {
        TRY(regret_json_get_string(&given, record, r->what, at));
    }
    return import_enter(out, r, given, index, at);
}

/* The first text that is not blank: of the field, or in the list that it is. *out stays where there
 * is none. */
static int first_text(const char **out, const cJSON *record, const char *field,
                      struct regret_place at)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(record, field);
    int is_list = cJSON_IsArray(v);
    const cJSON *e = is_list ? v->child : v;
    for (; e != NULL && *out == NULL; e = is_list ? e->next : NULL) {
        if (!cJSON_IsString(e) && !cJSON_IsNull(e)) {
            return regret_json_error(at, "\"%s\" must be a string, or a list of strings", field);
        }
        if (cJSON_IsString(e) && e->valuestring[strspn(e->valuestring, BLANK)] != '\0') {
            *out = e->valuestring;
        }
    }
    return REGRET_OK;
}

static int set_reference(struct reference *known, const char *text, const char *document,
                         size_t index, struct regret_place at)
{
    if (known->text == NULL) {
        known->record = index;
        return regret_strdup(&known->text, text);
    }
    return strcmp(known->text, text) == 0
               ? REGRET_OK
               : regret_json_error(at,
                                   "the reference of doc_id \"%s\" differs from that in record "
                                   "%zu; give one to all records of a document",
                                   document, known->record);
}

/* The document's source, which all its records give, and its reference, which some may. */
static int read_texts(struct summeval *s, uint32_t document, const cJSON *record, size_t index,
                      struct regret_place at)
{
    struct import_entry *entry = &s->b.contexts.entry[document];
    const char *source = NULL, *reference = NULL;
    TRY(regret_json_get_string(&source, record, "source", at));
    TRY(first_text(&reference, record, "reference", at));
    TRY(first_text(&reference, record, "references", at));
    if (entry->text == NULL) {
        TRY(regret_strdup(&entry->text, source));
    }
    if (strcmp(entry->text, source) != 0) {
        return regret_json_error(at,
                                 "\"source\" of doc_id \"%s\" differs from that in record %zu; "
                                 "give different documents different ids",
                                 entry->given, entry->number);
    }
    return reference == NULL
               ? REGRET_OK
               : set_reference(&s->references[document], reference, entry->given, index, at);
}

static int read_document(uint32_t *out, struct summeval *s, const cJSON *record, size_t index,
                         struct regret_place at)
{
    size_t known = s->b.contexts.n;
    TRY(regret_grow((void **)&s->references, &s->reference_capacity, known, sizeof *s->references,
                    "documents"));
    TRY(enter(out, &s->b.contexts, record, index, at));
    if (s->b.contexts.n > known) {
        s->references[known] = (struct reference){NULL, 0};
    }
    return read_texts(s, *out, record, index, at);
}

static int read_judgement(struct import_row *row, const cJSON *record, struct regret_place at)
{
    const char *text = NULL;
    double scores[N_SCORES] = {0.0};
    TRY(regret_json_get_string(&text, record, "system_output", at));
    TRY(read_scores(scores, record, at));
    TRY(REGRET_NEW(&row->values, N_VALUES));
    row->values[FAITHFULNESS] = scores[CONSISTENCY];
    row->values[COVERAGE] = scores[RELEVANCE];
    row->values[CLARITY] = (scores[COHERENCE] + scores[FLUENCY]) / 2.0;
    row->values[UNSUPPORTED_CLAIMS] = round(5.0 - scores[CONSISTENCY]);
    return regret_strdup(&row->text, text);
}

static int read_record(struct summeval *s, const cJSON *record, struct regret_place at)
{
    struct import_row row = {.number = s->seen - 1};
    int rc;
    TRY_CLEANUP(read_document(&row.context, s, record, row.number, at));
    TRY_CLEANUP(enter(&row.agent, &s->b.agents, record, row.number, at));
    TRY_CLEANUP(read_judgement(&row, record, at));
    return import_add_row(&s->b, &row);
cleanup:
    regret_free(row.text);
    regret_free(row.values);
    return rc;
}

static int take(struct summeval *s, const cJSON *record, struct regret_place at)
{
    s->seen++;
    if (s->options->drop_unscored && is_unscored(record)) {
        s->dropped++;
        return REGRET_OK;
    }
    return s->b.n_rows < REGRET_POOL_MAX_OUTPUTS
               ? read_record(s, record, at)
               : regret_json_error(at, "more than %d records", REGRET_POOL_MAX_OUTPUTS);
}

static int read_records(struct summeval *s, const char *path)
{
    struct json_records records = {0};
    const cJSON *record = NULL;
    int rc;
    TRY_CLEANUP(json_records_open(&records, path, JSON_RECORDS_OF_SET));
    TRY_CLEANUP(json_records_next(&records, &record));
    while (record != NULL) {
        TRY_CLEANUP(take(s, record, records.at));
        TRY_CLEANUP(json_records_next(&records, &record));
    }
    if (s->b.n_rows == 0) {
        rc = regret_fail(REGRET_E_INPUT, "%s has no %srecord", path,
                         s->dropped > 0 ? "scored " : "");
    }
cleanup:
    json_records_close(&records);
    return rc;
}

static int refuse_repeat(const struct import_repeat *repeat, const char *path)
{
    return regret_fail(REGRET_E_INPUT,
                       "%s: record %zu (from 0): doc_id \"%s\" with system_id \"%s\" is given "
                       "before, in record %zu; remove one",
                       path, repeat->second, repeat->context, repeat->agent, repeat->first);
}

static int name_systems(struct import_register *systems)
{
    for (size_t a = 0; a < systems->n; a++) {
        for (size_t i = 0; i < sizeof TITLES / sizeof *TITLES; i++) {
            if (strcmp(TITLES[i][0], systems->entry[a].id) == 0) {
                TRY(regret_strdup(&systems->entry[a].text, TITLES[i][1]));
            }
        }
    }
    return REGRET_OK;
}

static int derive(struct summeval *s)
{
    const char **references = NULL;
    TRY(REGRET_NEW(&references, s->b.contexts.n));
    for (size_t x = 0; x < s->b.contexts.n; x++) {
        references[x] = s->references[x].text;
    }
    int rc = summary_scores_derive(&s->b, references, CONCISENESS, STATISTICS);
    regret_free(references);
    return rc;
}

static int describe(struct regret_pool *pool, const struct regret_import_options *options)
{
    const struct import_description description = {
        .name = options->name != NULL ? options->name : "summeval",
        .title = "SummEval: expert judgements of summaries of news articles",
        .version = "1",
        .licence = "MIT (judgements); articles: rights of their publishers",
        .source = "SummEval, TACL 2021, doi:10.1162/tacl_a_00373, in the layout of G-Eval"};
    TRY(import_describe(pool, &description));
    TRY(REGRET_NEW(&pool->components, N_COMPONENTS));
    pool->n_components = N_COMPONENTS;
    for (size_t k = 0; k < N_COMPONENTS; k++) {
        pool->components[k].low = LOWEST;
        pool->components[k].high = HIGHEST;
        TRY(regret_strdup(&pool->components[k].name, COMPONENT_NAMES[k]));
    }
    TRY(REGRET_NEW(&pool->counts, 1));
    pool->n_counts = 1;
    TRY(regret_strdup(&pool->counts[0], "unsupported_claims"));
    TRY(REGRET_NEW(&pool->aux, REGRET_STATISTICS));
    pool->n_aux = REGRET_STATISTICS;
    for (size_t j = 0; j < REGRET_STATISTICS; j++) {
        TRY(regret_strdup(&pool->aux[j], regret_text_statistic_name(j)));
    }
    return regret_pool_default_segments(pool);
}

static int make_pool(struct summeval *s, const char *path)
{
    TRY(import_begin(&s->b));
    s->b.contexts.what = "doc_id";
    s->b.contexts.many = "values of \"doc_id\"";
    s->b.agents.what = "system_id";
    s->b.agents.many = "values of \"system_id\"";
    s->b.contexts.row = s->b.agents.row = "record";
    TRY(read_records(s, path));
    TRY(import_rank_agents(&s->b));
    TRY(import_settle_repeats(&s->b, REGRET_REPEATS_REFUSE, refuse_repeat, path));
    TRY(name_systems(&s->b.agents));
    TRY(derive(s));
    TRY(describe(s->b.pool, s->options));
    return import_build(&s->b);
}

int regret_import_summeval(struct regret_import_report *report, const char *json_path,
                           const char *pool_path, const struct regret_import_options *options,
                           int replace)
{
    const struct regret_import_options defaults = REGRET_IMPORT_OPTIONS_INIT;
    struct summeval s = {.options = options != NULL ? options : &defaults};
    int rc;
    TRY_CLEANUP(make_pool(&s, json_path));
    TRY_CLEANUP(import_finish(&s.b, s.options->into, pool_path, CARD, replace));
    if (report != NULL) {
        *report =
            (struct regret_import_report){s.b.contexts.n, s.b.agents.n, s.b.n_rows, s.dropped};
    }
cleanup:
    for (size_t x = 0; x < s.b.contexts.n; x++) {
        regret_free(s.references[x].text);
    }
    regret_free(s.references);
    import_free(&s.b);
    return rc;
}

static int run(const struct importer_call *call)
{
    struct regret_import_options o = *(const struct regret_import_options *)call->options;
    struct regret_import_report r;
    o.into = call->into;
    TRY(regret_import_summeval(&r, call->from, call->to, &o, call->replace));
    regret_text_printf(call->report,
                       "%s holds %zu contexts, %zu agents, %zu outputs; %zu records left out\n",
                       call->to, r.contexts, r.agents, r.outputs, r.dropped);
    return regret_text_status(call->report);
}

static const struct regret_import_options defaults = REGRET_IMPORT_OPTIONS_INIT;

#define FIELD(name) offsetof(struct regret_import_options, name)
static const struct importer_option options[] = {
    IMPORTER_FORCE_OPTION,
    {"name", 0, IMPORTER_STRING, FIELD(name), "NAME", "name of the pool (default: summeval)", 0, 0,
     NULL, NULL},
    {"drop-unscored", 0, IMPORTER_FLAG, FIELD(drop_unscored), NULL,
     "leave out records without all scores instead of refusing them", 0, 0, NULL, NULL}};

const struct importer importer_summeval = {
    .name = "import summeval",
    .synopsis = "FILE -o POOL [--force]",
    .summary = "SummEval's expert judgements, JSON or JSONL in the layout of G-Eval",
    .detail = "consistency becomes faithfulness, relevance coverage, (coherence + fluency)/2\n"
              "clarity; conciseness, the count unsupported_claims and the aux labels are made\n"
              "by formulas that the pool's README.md and regret/import.h state.",
    .examples = "regret import summeval summeval.json -o summeval\nregret pool show summeval",
    .run = run,
    .can_dry_run = 1,
    IMPORTER_OPTIONS(options, defaults),
};
