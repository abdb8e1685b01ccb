/* Reading SummEval's records, in the several ways that programs write them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "pool/check.h"
#include "import/import_summeval.h"
#include "base/json_records.h"
#include "regret/alloc.h"

static const char *const SCORE_NAMES[N_SCORES] = {"coherence", "consistency", "fluency",
                                                  "relevance"};

static const double LOWEST = 1.0, HIGHEST = 5.0;

/* What a mean of experts may lie outside the range by rounding. */
static const double ROUNDING = 1e-9;

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

/* A new thing of the id, which is taken over. */
static int add_thing(struct summeval_things *things, char *id, const char *given, size_t index)
{
    int rc = regret_grow((void **)&things->thing, &things->capacity, things->n,
                         sizeof *things->thing, "documents and systems");
    if (rc != REGRET_OK) {
        regret_free(id);
        return rc;
    }
    struct summeval_thing *thing = &things->thing[things->n];
    *thing = (struct summeval_thing){.id = id, .index = index};
    id_table_put(&things->ids, id, things->n++);
    return regret_strdup(&thing->given, given);
}

/* The thing that a field of the record names, a new one if it is the first of its name. */
static int find_thing(uint32_t *out, struct summeval_things *things, size_t most,
                      const cJSON *record, const char *field, size_t index, struct regret_place at)
{
    char number[32], *id = NULL;
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(record, field);
    const char *given = number;
    int rc = REGRET_OK;
    if (cJSON_IsNumber(v)) {
        snprintf(number, sizeof number, "%.15g", v->valuedouble);
    } else {
        rc = regret_json_get_string(&given, record, field, at);
    }
    if (rc == REGRET_OK) {
        rc = pool_clean_id(&id, given);
    }
    if (rc == REGRET_OK && (rc = pool_check_id(field, id)) == REGRET_E_INPUT) {
        rc = regret_json_error(at, "%s", regret_error_message());
    }
    size_t i = rc == REGRET_OK ? id_table_find(&things->ids, id) : 0;
    if (rc == REGRET_OK && i == SIZE_MAX) {
        i = things->n;
        if (i < most) {
            *out = (uint32_t)i;
            return add_thing(things, id, given, index);
        }
        rc = regret_json_error(at, "more than %zu values of \"%s\"", most, field);
    } else if (rc == REGRET_OK && strcmp(things->thing[i].given, given) != 0) {
        rc =
            regret_json_error(at,
                              "%s \"%.60s\" would get the id \"%s\", which \"%.60s\" of record %zu "
                              "has; rename one",
                              field, given, id, things->thing[i].given, things->thing[i].index);
    }
    *out = (uint32_t)i;
    regret_free(id);
    return rc;
}

/* The first text that is not blank: v itself, or one in the list v. *out stays where there is none.
 */
static int first_text(const char **out, const cJSON *v, const char *field, struct regret_place at)
{
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

/* The document's source, which all its records give, and its reference, which some may. */
static int read_texts(struct summeval_thing *document, const cJSON *record, size_t index,
                      struct regret_place at)
{
    const char *source = NULL, *reference = NULL;
    int rc = regret_json_get_string(&source, record, "source", at);
    if (rc == REGRET_OK) {
        rc = first_text(&reference, cJSON_GetObjectItemCaseSensitive(record, "reference"),
                        "reference", at);
    }
    if (rc == REGRET_OK) {
        rc = first_text(&reference, cJSON_GetObjectItemCaseSensitive(record, "references"),
                        "references", at);
    }
    if (rc == REGRET_OK && document->source == NULL) {
        rc = regret_strdup(&document->source, source);
    }
    if (rc == REGRET_OK && strcmp(document->source, source) != 0) {
        rc = regret_json_error(at,
                               "\"source\" of doc_id \"%s\" differs from that in record %zu; "
                               "give different documents different ids",
                               document->given, document->index);
    }
    if (rc != REGRET_OK || reference == NULL) {
        return rc;
    }
    if (document->reference == NULL) {
        document->reference_index = index;
        return regret_strdup(&document->reference, reference);
    }
    return strcmp(document->reference, reference) == 0
               ? REGRET_OK
               : regret_json_error(at,
                                   "the reference of doc_id \"%s\" differs from that in record "
                                   "%zu; give one to all records of a document",
                                   document->given, document->reference_index);
}

static int read_record(struct summeval *s, const cJSON *record, struct regret_place at)
{
    struct summeval_record *r = &s->records[s->n];
    const char *output = NULL;
    *r = (struct summeval_record){.index = s->seen - 1};
    int rc = find_thing(&r->context, &s->documents, REGRET_POOL_MAX_CONTEXTS, record, "doc_id",
                        r->index, at);
    if (rc == REGRET_OK) {
        rc = read_texts(&s->documents.thing[r->context], record, r->index, at);
    }
    if (rc == REGRET_OK) {
        rc = find_thing(&r->agent, &s->systems, REGRET_POOL_MAX_AGENTS, record, "system_id",
                        r->index, at);
    }
    if (rc == REGRET_OK) {
        rc = regret_json_get_string(&output, record, "system_output", at);
    }
    if (rc == REGRET_OK) {
        rc = read_scores(r->scores, record, at);
    }
    if (rc == REGRET_OK) {
        rc = regret_strdup(&r->output, output);
    }
    s->n += rc == REGRET_OK;
    return rc;
}

static int take(struct summeval *s, const cJSON *record, int drop_unscored, struct regret_place at)
{
    s->seen++;
    if (drop_unscored && is_unscored(record)) {
        s->dropped++;
        return REGRET_OK;
    }
    if (s->n == REGRET_POOL_MAX_OUTPUTS) {
        return regret_json_error(at, "more than %d records", REGRET_POOL_MAX_OUTPUTS);
    }
    int rc = regret_grow((void **)&s->records, &s->capacity, s->n, sizeof *s->records, "records");
    return rc == REGRET_OK ? read_record(s, record, at) : rc;
}

int summeval_read(struct summeval *s, const char *path, int drop_unscored)
{
    struct json_records records = {0};
    const cJSON *record = NULL;
    int rc = id_table_init(&s->documents.ids, REGRET_POOL_MAX_CONTEXTS);
    if (rc == REGRET_OK) {
        rc = id_table_init(&s->systems.ids, REGRET_POOL_MAX_AGENTS);
    }
    if (rc == REGRET_OK) {
        rc = json_records_open(&records, path);
    }
    while (rc == REGRET_OK && (rc = json_records_next(&records, &record)) == REGRET_OK &&
           record != NULL) {
        rc = take(s, record, drop_unscored, records.at);
    }
    json_records_close(&records);
    if (rc == REGRET_OK && s->n == 0) {
        rc = regret_fail(REGRET_E_INPUT, "%s has no %srecord", path,
                         s->dropped > 0 ? "scored " : "");
    }
    return rc;
}
