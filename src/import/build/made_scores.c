#include "import/build/made_scores.h"

#include <cJSON.h>

#include "base/core/try.h"
#include "import/build/references.h"
#include "regret/metrics.h"

/* "low" and "high" may be left out. */
static int check_range(const cJSON *component, struct regret_place at)
{
    double low = 0.0, high = 1.0;
    TRY(regret_json_optional_number(&low, component, "low", at));
    TRY(regret_json_optional_number(&high, component, "high", at));
    return low == 0.0 && high == 1.0
               ? REGRET_OK
               : regret_json_error(at, "a metric and pass@k go from 0 to 1; \"low\" and "
                                       "\"high\" must say so, or be left out");
}

int made_score_read(struct made_score *out, int *is_made, const cJSON *component,
                    struct regret_place at)
{
    long long k = 0;
    double ignored = 0.0;
    out->metric = NULL;
    TRY(regret_json_optional_string(&out->metric, component, "metric", at));
    TRY(regret_json_optional_integer(&k, component, "pass_at", 1, 1000000, at));
    out->k = (size_t)k;
    *is_made = out->metric != NULL || k > 0;
    if (out->metric != NULL &&
        (k > 0 || cJSON_GetObjectItemCaseSensitive(component, "from") != NULL)) {
        return regret_json_error(at, "a component with a \"metric\" is made of the output and "
                                     "its reference; leave \"from\" and \"pass_at\" out");
    }
    if (out->metric != NULL) {
        int rc = regret_metric_score(&ignored, out->metric, "", "");
        TRY(rc != REGRET_OK ? regret_fail_prefix(rc, "%s", at.file) : REGRET_OK);
    }
    return *is_made ? check_range(component, at) : REGRET_OK;
}

static int score(struct import_builder *b, struct import_row *row, const struct made_score *made)
{
    const struct import_entry *context = &b->contexts.entry[row->context];
    if (context->reference == NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "context \"%.60s\" has no reference, which the metric %s needs; give "
                           "it one, or take its rows out",
                           context->given, made->metric);
    }
    return references_score(&row->values[made->value], made->metric, row->text, context->reference);
}

/* The kept rows of a pair, which stand together; *end is behind them. */
static int pass(struct import_builder *b, size_t first, size_t *end, const struct made_score *made)
{
    const struct import_row *pair = &b->rows[first];
    size_t n = 0, right = 0, i = first;
    for (; i < b->n_rows && b->rows[i].context == pair->context && b->rows[i].agent == pair->agent;
         i++) {
        double x = b->rows[i].values[made->value];
        if (b->rows[i].kept && x != 0.0 && x != 1.0) {
            return regret_fail(REGRET_E_INPUT,
                               "%s %zu: a value is %g; pass@k is made of 1, right, and 0, wrong",
                               b->contexts.row, b->rows[i].number, x);
        }
        n += b->rows[i].kept;
        right += b->rows[i].kept && x == 1.0;
    }
    *end = i;
    if (n > 0 && n < made->k) {
        return regret_fail(REGRET_E_INPUT,
                           "agent \"%.60s\" has %zu outputs for context \"%.60s\", fewer than "
                           "pass@%zu needs; import them with --repeats draws, or ask for less",
                           b->agents.entry[pair->agent].given, n,
                           b->contexts.entry[pair->context].given, made->k);
    }
    for (i = first; i < *end; i++) {
        b->rows[i].values[made->value] = n > 0 ? regret_pass_at_k(n, right, made->k) : 0.0;
    }
    return REGRET_OK;
}

int made_scores_derive(struct import_builder *b, const struct made_score *made, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < b->n_rows && made[k].metric != NULL; i++) {
            TRY(b->rows[i].kept ? score(b, &b->rows[i], &made[k]) : REGRET_OK);
        }
        for (size_t i = 0; i < b->n_rows && made[k].metric == NULL;) {
            TRY(pass(b, i, &i, &made[k]));
        }
    }
    return REGRET_OK;
}
