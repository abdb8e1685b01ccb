#include "import/internal.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "import/builder.h"
#include "import/harness.h"
#include "import/importer.h"
#include "import/scales.h"
#include "pool/check.h"
#include "regret/status.h"
#include "text/metrics.h"

/* Which metrics are kept, their ranges and which way they count. */

size_t harness_values(const struct harness *h)
{
    return h->n_components + h->n_counts + h->n_aux;
}

/* One more, counted in *n; counts come behind components, and auxiliary labels last. */
static int add_value(struct harness *h, size_t *n, size_t most, const char *name,
                     struct harness_component component)
{
    size_t i = harness_values(h);
    if (*n == most) {
        return regret_fail(REGRET_E_INPUT, "more than %zu metrics; a pool has no room for them",
                           most);
    }
    TRY(regret_realloc((void **)&h->component, i + 1, sizeof *h->component, "metrics"));
    TRY(pool_clean_id(&component.name, name));
    h->component[i] = component;
    ++*n;
    return REGRET_OK;
}

static int add_component(struct harness *h, const char *name, struct harness_component component)
{
    return add_value(h, &h->n_components, REGRET_POOL_MAX_COMPONENTS, name, component);
}

/* All metrics of one use. */
static int add_all(struct harness *h, enum harness_use use, size_t *n, size_t most)
{
    for (size_t i = 0; i < h->metrics.n; i++) {
        const struct harness_metric *m = &h->metric[i];
        const struct harness_component c = {.metric = (uint32_t)i,
                                            .low = m->low,
                                            .high = m->high,
                                            .is_lower = use == HARNESS_COMPONENT && m->is_lower};
        TRY(m->use == use ? add_value(h, n, most, h->metrics.name[i], c) : REGRET_OK);
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- what users say */

/* "NAME=LOW:HIGH": *length bytes are the name; without a range it is the whole. */
static int read_range(struct harness_component *c, size_t *length, const char *text,
                      const char *option)
{
    const char *sign = strrchr(text, '=');
    char *end = NULL;
    *length = strlen(text);
    if (sign == NULL || strchr(sign, ':') == NULL) {
        return REGRET_OK;
    }
    c->low = strtod(sign + 1, &end);
    int is_good = end != sign + 1 && *end == ':';
    const char *second = is_good ? end + 1 : sign;
    c->high = is_good ? strtod(second, &end) : 0.0;
    *length = (size_t)(sign - text);
    return is_good && end != second && *end == '\0' && isfinite(c->low) && isfinite(c->high) &&
                   c->low < c->high
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "--%s %s: a range is two numbers, the lower one first, such as "
                             "accuracy=0:1",
                             option, text);
}

/* Says which there are. */
static int refuse_metric(const struct harness *h, const char *why)
{
    return harness_refuse(why, &h->metrics, h->metric);
}

/* One score more of an answer, behind those it has, which move to where there is room. */
static int append_value(struct harness *h, struct harness_kept *a, uint32_t metric, double x)
{
    size_t first = h->n_values;
    for (size_t i = 0; i <= a->n_scores; i++) {
        TRY(regret_grow((void **)&h->values, &h->value_capacity, h->n_values, sizeof *h->values,
                        "scores"));
        h->values[h->n_values++] = i < a->n_scores
                                       ? h->values[a->scores + i]
                                       : (struct harness_value){.metric = metric, .value = x};
    }
    a->scores = first;
    a->n_scores++;
    h->metric[metric].n++;
    return REGRET_OK;
}

static int same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Two main metrics that are to be one score count the same way, within the same range. */
static int check_alike(const struct harness *h, uint32_t first, uint32_t second)
{
    const struct harness_metric *a = &h->metric[first], *b = &h->metric[second];
    return a->is_lower == b->is_lower && same_number(a->low, b->low) &&
                   same_number(a->high, b->high)
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "tasks are scored by \"%s\" and by \"%s\", which have other ranges or "
                             "count other ways; choose tasks by --task, or one by --metric",
                             h->metrics.name[first], h->metrics.name[second]);
}

/* A metric that no answer has, made of outputs and references where there are both: those of text/metrics.h. */
static int make_metric(struct harness *h, const char *name)
{
    size_t known = 0;
    while (regret_metric_name(known) != NULL && strcmp(regret_metric_name(known), name) != 0) {
        known++;
    }
    if (regret_metric_name(known) == NULL) {
        return REGRET_OK;
    }
    TRY(harness_metric(h, name, 0.0, 1.0, 0, 0, HARNESS_SCORE));
    uint32_t metric = (uint32_t)id_table_find(&h->metrics.table, name);
    for (size_t i = 0; i < h->n_answers; i++) {
        struct harness_kept *a = &h->answers[i];
        const char *reference = h->requests[a->request].reference;
        double x = 0.0;
        if (a->output != NULL && reference != NULL) {
            TRY(references_score(&x, name, a->output, reference));
            TRY(append_value(h, a, metric, x));
        }
    }
    return REGRET_OK;
}

/* The filter, scorer or judge of a metric that is by one, "exact_match,strict-match": what follows the name; else NULL. */
static const char *filter_of(const char *metric, const char *name)
{
    size_t n = strlen(name);
    return strncmp(metric, name, n) == 0 && metric[n] == ',' ? metric + n + 1 : NULL;
}

/* A metric that answers have by a filter only, no answer by two: it is that one of each. */
static int join_filters(struct harness *h, const char *name)
{
    uint32_t first = NAMES_NONE;
    for (size_t i = 0; i < h->n_answers; i++) {
        struct harness_kept *a = &h->answers[i];
        struct harness_value found = {NAMES_NONE, 0.0};
        for (size_t k = 0; k < a->n_scores; k++) {
            const struct harness_value *v = &h->values[a->scores + k];
            if (filter_of(h->metrics.name[v->metric], name) == NULL) {
                continue;
            }
            if (found.metric != NAMES_NONE) {
                return refuse_metric(h, "answers have this metric by several; say which one");
            }
            found = *v;
        }
        if (found.metric == NAMES_NONE) {
            continue;
        }
        first = first == NAMES_NONE ? found.metric : first;
        TRY(check_alike(h, first, found.metric));
        const struct harness_metric *m = &h->metric[first];
        TRY(harness_metric(h, name, m->low, m->high, m->is_lower, 0, HARNESS_SCORE));
        TRY(append_value(h, a, (uint32_t)id_table_find(&h->metrics.table, name), found.value));
    }
    return REGRET_OK;
}

static int refuse_named(struct harness *h, const char *name)
{
    char why[128];
    snprintf(why, sizeof why, "no answer has the metric \"%.80s\"", name);
    return refuse_metric(h, why);
}

static int choose_named(struct harness *h, const char *text, int is_lower)
{
    struct harness_component c = {.low = NAN, .high = NAN};
    FREED char *name = NULL;
    size_t length = 0, i = 0;
    TRY(read_range(&c, &length, text, is_lower ? "lower" : "metric"));
    TRY(regret_strdup(&name, text));
    name[length] = '\0';
    i = id_table_find(&h->metrics.table, name);
    int (*const find[])(struct harness *, const char *) = {join_filters, make_metric, refuse_named};
    for (size_t k = 0; k < 3 && (i == SIZE_MAX || h->metric[i].n == 0); k++) {
        TRY(find[k](h, name));
        i = id_table_find(&h->metrics.table, name);
    }
    const struct harness_metric *m = &h->metric[i];
    c.metric = (uint32_t)i;
    c.is_lower = is_lower || m->is_lower;
    if (isnan(c.low)) {
        c.low = m->low;
        c.high = m->high;
    }
    return add_component(h, name, c);
}

/* ---------------------------------------------------------------- the main one */

static const struct harness_value *scores_of(const struct harness *h, const struct harness_kept *a)
{
    return a->n_scores > 0 ? h->values + a->scores : NULL;
}

/* The main score of an answer: the first that is one. */
static const struct harness_value *main_score(const struct harness *h, const struct harness_kept *a)
{
    const struct harness_value *v = scores_of(h, a);
    for (size_t i = 0; i < a->n_scores; i++) {
        if (h->metric[v[i].metric].is_main) {
            return &v[i];
        }
    }
    return NULL;
}

static int refuse_unscored(const struct harness *h)
{
    int rc = harness_tell(h, regret_fail(REGRET_E_INPUT, "no answer has a score"));
    return h->no_numbers + h->left_out.n == 0
               ? rc
               : regret_fail_suffix(rc,
                                    "; where there are references, --metric f1, rouge-l, chrf … "
                                    "scores outputs against them");
}

/* Where none is known to be the main one. */
static int only_metric(uint32_t *out, const struct harness *h)
{
    size_t n = 0;
    for (size_t i = 0; i < h->metrics.n; i++) {
        n += h->metric[i].n > 0;
        *out = h->metric[i].n > 0 ? (uint32_t)i : *out;
    }
    return n == 1   ? REGRET_OK
           : n == 0 ? refuse_unscored(h)
                    : refuse_metric(h, "which metric counts is not known; say it by --metric");
}

/* The metric that all answers have as their main one, or "score", which is that of each. */
static int choose_main(struct harness *h)
{
    uint32_t first = NAMES_NONE;
    int is_one = 1;
    for (size_t i = 0; i < h->n_answers; i++) {
        const struct harness_value *v = main_score(h, &h->answers[i]);
        if (v != NULL && v->metric != first && first != NAMES_NONE) {
            TRY(check_alike(h, first, v->metric));
            is_one = 0;
        }
        first = v != NULL && first == NAMES_NONE ? v->metric : first;
    }
    TRY(first == NAMES_NONE ? only_metric(&first, h) : REGRET_OK);
    const struct harness_metric *m = &h->metric[first];
    return add_component(h, is_one ? h->metrics.name[first] : "score",
                         (struct harness_component){.metric = is_one ? first : NAMES_NONE,
                                                    .low = m->low,
                                                    .high = m->high,
                                                    .is_lower = m->is_lower});
}

int harness_choose(struct harness *h)
{
    const struct harness_options *o = h->options;
    for (size_t i = 0; i < o->metrics.n; i++) {
        TRY(choose_named(h, o->metrics.items[i], 0));
    }
    for (size_t i = 0; i < o->lower.n; i++) {
        TRY(choose_named(h, o->lower.items[i], 1));
    }
    TRY(h->n_components > 0
            ? REGRET_OK
            : add_all(h, HARNESS_COMPONENT, &h->n_components, REGRET_POOL_MAX_COMPONENTS));
    TRY(h->n_components > 0 ? REGRET_OK : choose_main(h));
    TRY(add_all(h, HARNESS_COUNT, &h->n_counts, REGRET_POOL_MAX_COUNTS));
    return add_all(h, HARNESS_AUX, &h->n_aux, REGRET_POOL_MAX_AUX);
}

double harness_value(const struct harness *h, const struct harness_kept *a,
                     const struct harness_component *c)
{
    const struct harness_value *v = scores_of(h, a);
    if (c->metric == NAMES_NONE) {
        v = main_score(h, a);
        return v != NULL ? v->value : NAN;
    }
    for (size_t i = 0; i < a->n_scores; i++) {
        if (v[i].metric == c->metric) {
            return v[i].value;
        }
    }
    return NAN;
}

/* ---------------------------------------------------------------- ranges */

/* The range of scores of which nobody said it: 0 to 1 where all lie there, else rounded outwards to a power of ten not
 * above their spread. */
static void round_outwards(struct harness_component *c, double least, double most)
{
    double spread = most - least;
    c->is_from_data = 1;
    if (least >= 0.0 && most <= 1.0) {
        c->low = 0.0;
        c->high = 1.0;
        return;
    }
    if (spread == 0.0) {
        spread = fabs(most);
    }
    double digits = floor(log10(spread)), step = pow(10.0, fabs(digits));
    int is_fine = digits < 0.0; /* 0.3 is 3/10, and no multiple of 0.1 */
    c->low = is_fine ? floor(least * step) / step : floor(least / step) * step;
    c->high = (is_fine ? ceil(most * step) / step : ceil(most / step) * step) + 0.0; /* no -0 */
    if (c->high == c->low) {
        c->high += is_fine ? 1.0 / step : step;
    }
}

/* A metric whose range nobody said, in the scores of models or of tasks: 0 to 1 of some and 0 to 100 of others is no one scale. */
static int check_scales(const struct harness *h, const struct harness_component *c, int by_task)
{
    FREED struct owned_number *r = NULL;
    struct two_scales s;
    size_t n = 0;
    TRY(REGRET_NEW(&r, h->n_answers + 1));
    for (size_t i = 0; i < h->n_answers; i++) {
        const struct harness_kept *a = &h->answers[i];
        double value = a->fate == HARNESS_KEPT ? harness_value(h, a, c) : NAN;
        r[n] = (struct owned_number){by_task ? h->requests[a->request].task : a->agent, value};
        n += !isnan(value);
    }
    qsort(r, n, sizeof *r, owned_number_compare);
    return !owners_are_on_two_scales(&s, r, n)
               ? REGRET_OK
               : regret_fail(
                     REGRET_E_INPUT,
                     "%s goes from 0 to 1 of %zu %s, and up to %.6g of the other %zu: bring "
                     "all to one scale, or say it, --%s '%s=LOW:HIGH'",
                     c->name, s.shares, by_task ? "tasks" : "models", s.most, s.points,
                     c->is_lower ? "lower" : "metric", c->name);
}

/* Texts that say nothing of good and bad in the place of scores: one in twenty may be a slip. */
static int check_labels(const struct harness *h, const struct harness_component *c)
{
    enum { SLIPS = 20 };
    for (size_t i = 0; i < h->metrics.n; i++) {
        const struct harness_metric *m = &h->metric[i];
        int is_meant = c->metric == NAMES_NONE ? m->is_main : c->metric == i;
        if (is_meant && SLIPS * m->labels > m->labels + m->n) {
            return regret_fail(
                REGRET_E_INPUT,
                "%s: \"%s\" is \"%.40s\", which is no grade (%zu of its %zu scores are "
                "such labels): score anew by numbers, C and I, or yes and no, or "
                "choose another score by --metric",
                m->labelled_at, h->metrics.name[i], m->label, m->labels, m->labels + m->n);
        }
    }
    return REGRET_OK;
}

static int measure(struct harness *h, struct harness_component *c)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < h->n_answers; i++) {
        const struct harness_kept *a = &h->answers[i];
        double value = a->fate == HARNESS_KEPT ? harness_value(h, a, c) : NAN;
        if (isnan(value)) {
            continue;
        }
        if (value < c->low || value > c->high) { /* of NAN neither holds */
            return regret_json_error(harness_at(h, a->at),
                                     "%s is %.6g, out of its range %.6g to %.6g; give another by "
                                     "--%s NAME=LOW:HIGH",
                                     c->name, value, c->low, c->high,
                                     c->is_lower ? "lower" : "metric");
        }
        least = value < least ? value : least;
        most = value > most ? value : most;
        c->n++;
    }
    if (isnan(c->low) && c->n > 0) {
        TRY(check_scales(h, c, 0));
        TRY(check_scales(h, c, 1));
        round_outwards(c, least, most);
    }
    return isfinite(c->low) && isfinite(c->high) && isfinite(c->high - c->low) && c->low < c->high
               ? REGRET_OK
               : regret_fail(
                     REGRET_E_INPUT,
                     "the values of \"%s\" have no range; give one by --metric NAME=LOW:HIGH",
                     c->name);
}

int harness_measure(struct harness *h)
{
    for (size_t k = 0; k < h->n_components; k++) {
        TRY(check_labels(h, &h->component[k]));
        TRY(measure(h, &h->component[k]));
    }
    return REGRET_OK;
}
