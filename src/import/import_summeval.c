/* SummEval in the layout of G-Eval. What becomes of what: include/regret/import.h. */
#include "regret/import.h"

#include <stdlib.h>
#include <string.h>

#include "import/import_summeval.h"
#include "import/natural_order.h"
#include "regret/alloc.h"

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

static void things_free(struct summeval_things *things)
{
    for (size_t i = 0; i < things->n; i++) {
        regret_free(things->thing[i].given);
        regret_free(things->thing[i].id);
        regret_free(things->thing[i].source);
        regret_free(things->thing[i].reference);
    }
    regret_free(things->thing);
    id_table_free(&things->ids);
}

static void summeval_free(struct summeval *s)
{
    for (size_t i = 0; i < s->n; i++) {
        regret_free(s->records[i].output);
    }
    regret_free(s->records);
    things_free(&s->documents);
    things_free(&s->systems);
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

static int by_id(const void *left, const void *right)
{
    const struct summeval_thing *a = left, *b = right;
    return natural_order(&a->id, &b->id);
}

/* Agents in natural order, records in the pool's order, none twice. */
static int arrange(struct summeval *s)
{
    uint32_t *rank = NULL; /* of each system */
    const char **ids = NULL;
    struct id_table ranks = {NULL, 0};
    size_t n = s->systems.n;
    int rc = REGRET_NEW(&rank, n);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&ids, n);
    }
    if (rc == REGRET_OK) {
        rc = id_table_init(&ranks, n);
    }
    if (rc != REGRET_OK) {
        goto cleanup;
    }
    for (size_t a = 0; a < n; a++) {
        ids[a] = s->systems.thing[a].id;
    }
    qsort(s->systems.thing, n, sizeof *s->systems.thing, by_id);
    for (size_t a = 0; a < n; a++) {
        id_table_put(&ranks, s->systems.thing[a].id, a);
    }
    for (size_t a = 0; a < n; a++) {
        rank[a] = (uint32_t)id_table_find(&ranks, ids[a]);
    }
    for (size_t i = 0; i < s->n; i++) {
        s->records[i].agent = rank[s->records[i].agent];
    }
    qsort(s->records, s->n, sizeof *s->records, by_pair);
    for (size_t i = 1; i < s->n && rc == REGRET_OK; i++) {
        const struct summeval_record *r = &s->records[i], *before = &s->records[i - 1];
        if (r->context == before->context && r->agent == before->agent) {
            rc = regret_fail(REGRET_E_INPUT,
                             "record %zu (from 0): doc_id \"%s\" with system_id \"%s\" is given "
                             "before, in record %zu; remove one",
                             r->index, s->documents.thing[r->context].id,
                             s->systems.thing[r->agent].id, before->index);
        }
    }
cleanup:
    regret_free(rank);
    regret_free(ids);
    id_table_free(&ranks);
    return rc;
}

int regret_import_summeval(struct regret_import_report *report, const char *json_path,
                           const char *pool_path, const struct regret_import_options *options,
                           int replace)
{
    const struct regret_import_options defaults = REGRET_IMPORT_OPTIONS_INIT;
    const struct regret_import_options *o = options != NULL ? options : &defaults;
    struct summeval s = {0};
    struct regret_pool *pool = NULL;
    int rc = summeval_read(&s, json_path, o->drop_unscored);
    if (rc == REGRET_OK) {
        rc = arrange(&s);
        if (rc == REGRET_E_INPUT) {
            rc = regret_fail_prefix(rc, "%s", json_path);
        }
    }
    if (rc == REGRET_OK) {
        rc = summeval_pool(&pool, &s, o);
    }
    if (rc == REGRET_OK) {
        rc = regret_pool_write(pool, pool_path, CARD, replace);
    }
    if (rc == REGRET_OK && report != NULL) {
        *report = (struct regret_import_report){s.documents.n, s.systems.n, s.n, s.dropped};
    }
    regret_pool_free(pool);
    summeval_free(&s);
    return rc;
}
