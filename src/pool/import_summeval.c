/* SummEval in the layout of G-Eval. What becomes of what: include/regret/import.h. */
#include "regret/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "pool/check.h"
#include "pool/import_summeval.h"
#include "pool/natural_order.h"
#include "regret/alloc.h"
#include "regret/json.h"

static const char *const SCORE_NAMES[N_SCORES] = {"coherence", "consistency", "fluency",
                                                  "relevance"};

static const double LOWEST = 1.0, HIGHEST = 5.0;

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

static void summeval_free(struct summeval *s)
{
    regret_free(s->records);
    regret_free(s->doc_ids);
    regret_free(s->sources);
    regret_free(s->references);
    regret_free(s->first_record);
    regret_free(s->system_ids);
    id_table_free(&s->contexts);
    id_table_free(&s->agents);
}

/* Room for n records, as many contexts and as many agents. */
static int summeval_init(struct summeval *s, size_t n)
{
    int rc = REGRET_NEW(&s->records, n);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&s->doc_ids, n);
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&s->sources, n);
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&s->references, n);
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&s->first_record, n);
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&s->system_ids, n);
    }
    if (rc == REGRET_OK) {
        rc = id_table_init(&s->contexts, n);
    }
    return rc != REGRET_OK ? rc : id_table_init(&s->agents, n);
}

static int read_scores(double *scores, const cJSON *map, struct regret_place at)
{
    for (size_t k = 0; k < N_SCORES; k++) {
        int rc = regret_json_get_number(&scores[k], map, SCORE_NAMES[k], at);
        if (rc != REGRET_OK) {
            return rc;
        }
        if (!(scores[k] >= LOWEST && scores[k] <= HIGHEST)) {
            return regret_json_error(at, "\"scores\": \"%s\" is %.15g; scores are from 1 to 5",
                                     SCORE_NAMES[k], scores[k]);
        }
    }
    return REGRET_OK;
}

static int is_unscored(const cJSON *record)
{
    const cJSON *map = cJSON_GetObjectItemCaseSensitive(record, "scores");
    for (size_t k = 0; k < N_SCORES; k++) {
        const cJSON *score =
            cJSON_IsObject(map) ? cJSON_GetObjectItemCaseSensitive(map, SCORE_NAMES[k]) : NULL;
        if (score == NULL || cJSON_IsNull(score)) {
            return 1;
        }
    }
    return 0;
}

static int read_id(const char **out, const cJSON *record, const char *field, struct regret_place at)
{
    int rc = regret_json_get_string(out, record, field, at);
    if (rc == REGRET_OK) {
        rc = pool_check_id(field, *out);
        if (rc != REGRET_OK) {
            rc = regret_fail_prefix(rc, "%s", at.file);
        }
    }
    return rc;
}

/* The context of a record; a new one if its doc_id is new. */
static int place_context(struct summeval *s, struct summeval_record *r, const cJSON *record,
                         struct regret_place at)
{
    const char *doc = NULL, *source = NULL, *reference = "";
    int rc = read_id(&doc, record, "doc_id", at);
    if (rc == REGRET_OK) {
        rc = regret_json_get_string(&source, record, "source", at);
    }
    if (rc == REGRET_OK) {
        rc = regret_json_optional_string(&reference, record, "reference", at);
    }
    if (rc != REGRET_OK) {
        return rc;
    }
    size_t x = id_table_put(&s->contexts, doc, s->n_contexts);
    if (x == s->n_contexts) {
        s->doc_ids[x] = doc;
        s->sources[x] = source;
        s->references[x] = reference;
        s->first_record[x] = r->index;
        s->n_contexts++;
    } else if (strcmp(s->sources[x], source) != 0) {
        return regret_json_error(at,
                                 "\"source\" of doc_id \"%s\" differs from that in record %zu; "
                                 "give different documents different ids",
                                 doc, s->first_record[x]);
    }
    r->context = (uint32_t)x;
    return REGRET_OK;
}

static int place_agent(struct summeval *s, struct summeval_record *r, const cJSON *record,
                       struct regret_place at)
{
    const char *system = NULL;
    int rc = read_id(&system, record, "system_id", at);
    if (rc != REGRET_OK) {
        return rc;
    }
    size_t a = id_table_put(&s->agents, system, s->n_agents);
    if (a == s->n_agents) {
        s->system_ids[s->n_agents++] = system;
    }
    r->agent = (uint32_t)a;
    return REGRET_OK;
}

static int read_record(struct summeval *s, const cJSON *record, size_t index, int drop_unscored)
{
    char where[32];
    snprintf(where, sizeof where, "record %zu", index);
    struct regret_place at = {where, 0};
    struct summeval_record *r = &s->records[s->n];
    const cJSON *scores = NULL;
    if (!cJSON_IsObject(record)) {
        return regret_json_error(at, "must be an object in braces");
    }
    if (drop_unscored && is_unscored(record)) {
        s->dropped++;
        return REGRET_OK;
    }
    r->index = index;
    int rc = place_context(s, r, record, at);
    if (rc == REGRET_OK) {
        rc = place_agent(s, r, record, at);
    }
    if (rc == REGRET_OK) {
        rc = regret_json_get_string(&r->output, record, "system_output", at);
    }
    if (rc == REGRET_OK) {
        rc = regret_json_get_object(&scores, record, "scores", at);
    }
    if (rc == REGRET_OK) {
        rc = read_scores(r->scores, scores, at);
    }
    s->n += rc == REGRET_OK;
    return rc;
}

static int by_pair(const void *left, const void *right)
{
    const struct summeval_record *a = left, *b = right;
    if (a->context != b->context) {
        return a->context < b->context ? -1 : 1;
    }
    if (a->agent != b->agent) {
        return a->agent < b->agent ? -1 : 1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

/* Agents in natural order, records in the pool's order, none twice. */
static int arrange(struct summeval *s)
{
    struct id_table ranks = {NULL, 0};
    const char **sorted = NULL;
    int rc = REGRET_NEW(&sorted, s->n_agents);
    if (rc == REGRET_OK) {
        rc = id_table_init(&ranks, s->n_agents);
    }
    if (rc != REGRET_OK) {
        goto cleanup;
    }
    memcpy(sorted, s->system_ids, s->n_agents * sizeof *sorted);
    qsort(sorted, s->n_agents, sizeof *sorted, natural_order);
    for (size_t a = 0; a < s->n_agents; a++) {
        id_table_put(&ranks, sorted[a], a);
    }
    for (size_t i = 0; i < s->n; i++) {
        s->records[i].agent = (uint32_t)id_table_find(&ranks, s->system_ids[s->records[i].agent]);
    }
    memcpy(s->system_ids, sorted, s->n_agents * sizeof *sorted);
    qsort(s->records, s->n, sizeof *s->records, by_pair);
    for (size_t i = 1; i < s->n && rc == REGRET_OK; i++) {
        const struct summeval_record *r = &s->records[i], *before = &s->records[i - 1];
        if (r->context == before->context && r->agent == before->agent) {
            rc = regret_fail(REGRET_E_INPUT,
                             "record %zu: doc_id \"%s\" with system_id \"%s\" is given before, in "
                             "record %zu; remove one",
                             r->index, s->doc_ids[r->context], s->system_ids[r->agent],
                             before->index);
        }
    }
cleanup:
    id_table_free(&ranks);
    regret_free(sorted);
    return rc;
}

static int read_all(struct summeval *s, const cJSON *root, int drop_unscored)
{
    if (!cJSON_IsArray(root)) {
        return regret_fail(REGRET_E_INPUT, "must be one array of records in brackets");
    }
    size_t n = (size_t)cJSON_GetArraySize(root);
    if (n > REGRET_POOL_MAX_OUTPUTS) {
        return regret_fail(REGRET_E_INPUT, "has %zu records; at most %d are allowed", n,
                           REGRET_POOL_MAX_OUTPUTS);
    }
    int rc = summeval_init(s, n);
    size_t i = 0;
    for (const cJSON *r = root->child; rc == REGRET_OK && r != NULL; r = r->next) {
        rc = read_record(s, r, i++, drop_unscored);
    }
    if (rc == REGRET_OK && s->n == 0) {
        rc = regret_fail(REGRET_E_INPUT, "has no %srecord", s->dropped > 0 ? "scored " : "");
    }
    return rc != REGRET_OK ? rc : arrange(s);
}

int regret_import_summeval(struct regret_import_report *report, const char *json_path,
                           const char *pool_path, const struct regret_import_options *options,
                           int replace)
{
    const struct regret_import_options defaults = REGRET_IMPORT_OPTIONS_INIT;
    const struct regret_import_options *o = options != NULL ? options : &defaults;
    struct summeval s = {0};
    struct regret_pool *pool = NULL;
    cJSON *root = NULL;
    int rc = regret_json_read_file(&root, json_path);
    if (rc != REGRET_OK) {
        return rc;
    }
    rc = read_all(&s, root, o->drop_unscored);
    if (rc != REGRET_OK) {
        rc = regret_fail_prefix(rc, "%s", json_path);
        goto cleanup;
    }
    rc = summeval_pool(&pool, &s, o);
    if (rc == REGRET_OK) {
        rc = regret_pool_write(pool, pool_path, CARD, replace);
    }
    if (rc == REGRET_OK && report != NULL) {
        *report = (struct regret_import_report){s.n_contexts, s.n_agents, s.n, s.dropped};
    }
cleanup:
    regret_pool_free(pool);
    summeval_free(&s);
    cJSON_Delete(root);
    return rc;
}
