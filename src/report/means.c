#include "report/internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "regret/status.h"
#include "report/lists.h"
#include "report/slice.h"
#include "stats/limits.h"
#include "stats/multiplicity.h"

/* ---------------------------------------------------------------- the best */

/* Over contexts where both have an output; limits of older programs, and within contexts, by Student's t. */
static struct paired lead_of(double *p, const struct regret_run_means *m, size_t group)
{
    size_t n = (size_t)m->pairs[group];
    double mean = m->lead[group], se = n > 1 ? m->lead_sd[group] / sqrt((double)n) : NAN;
    double half = half_width(se, n);
    struct paired lead = {.mean = mean, .se = se, .low = mean - half, .high = mean + half, .n = n};
    int has_limits = m->low != NULL && m->over == NULL;
    *p = has_limits ? m->lead_p[group] : paired_p(&lead, 0.0);
    lead.low = has_limits ? m->lead_low[group] : lead.low;
    lead.high = has_limits ? m->lead_high[group] : lead.high;
    return lead;
}

static struct means_best best_of(const struct regret_run_means *m, size_t group)
{
    struct means_best best = {
        .first = m->first[group], .second = m->second[group], .pairs = (size_t)m->pairs[group]};
    best.lead = lead_of(&best.p, m, group);
    return best;
}

int means_best(struct means_best **out, const struct regret_run_means *m)
{
    size_t groups = m->n_tags + 1;
    FREED struct means_best *best = NULL;
    FREED double *p = NULL;
    TRY(REGRET_NEW(&best, groups));
    TRY(REGRET_NEW(&p, groups));
    for (size_t g = 0; g < groups; g++) {
        best[g] = best_of(m, g);
        p[g] = best[g].lead.n >= FEW_CONTEXTS ? best[g].p : NAN;
    }
    TRY(regret_holm(p, p, groups));
    for (size_t g = 0; g < groups; g++) {
        best[g].p = p[g];
        best[g].separable = best[g].lead.mean > 0.0 && p[g] <= 0.05;
    }
    *out = best;
    best = NULL;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- one number */

const char *means_group_name(const struct regret_run_means *m, size_t group)
{
    return group == 0 ? "all" : m->tags[group - 1] != NULL ? m->tags[group - 1] : "no tag";
}

double means_of(const struct regret_run_means *m, size_t group, size_t agent)
{
    return m->mean[group * m->n_agents + agent];
}

struct limits means_limits(const struct regret_run_means *m, size_t group, size_t agent)
{
    size_t at = group * m->n_agents + agent;
    double half = half_width(m->sd[at] / sqrt(m->n[at]), (size_t)m->n[at]);
    return m->low != NULL ? (struct limits){m->low[at], m->high[at]}
                          : (struct limits){m->mean[at] - half, m->mean[at] + half};
}

/* ---------------------------------------------------------------- orders */

struct ordered {
    double key; /* the largest first, NaN last */
    size_t number;
};

static int largest_first(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    if (isnan(x->key) != isnan(y->key)) {
        return isnan(x->key) ? 1 : -1;
    }
    if (x->key > y->key || x->key < y->key) {
        return x->key > y->key ? -1 : 1;
    }
    return x->number < y->number ? -1 : x->number > y->number;
}

/* 0 to n − 1 by their keys. */
static int order(size_t **out, const double *key, size_t n)
{
    FREED struct ordered *items = NULL;
    TRY(REGRET_NEW(&items, n));
    TRY(REGRET_NEW(out, n));
    for (size_t i = 0; i < n; i++) {
        items[i] = (struct ordered){key[i], i};
    }
    qsort(items, n, sizeof *items, largest_first);
    for (size_t i = 0; i < n; i++) {
        (*out)[i] = items[i].number;
    }
    return REGRET_OK;
}

int means_order_agents(size_t **out, const struct regret_run_means *m)
{
    return order(out, m->mean, m->n_agents);
}

/* The whole has as many contexts as any tag, and stands first among equals. */
int means_order_groups(size_t **out, const struct regret_run_means *m)
{
    return order(out, m->contexts, m->n_tags + 1);
}

/* ---------------------------------------------------------------- cells */

int means_cells(struct slice *out, const struct regret_results *r, size_t item)
{
    size_t n = 0;
    TRY(slice_all(out, r));
    for (size_t i = 0; i < out->n_cells; i++) {
        if (r->cell_means[out->cells[i]] == item) {
            out->cells[n++] = out->cells[i];
        }
    }
    out->n_cells = n;
    return REGRET_OK;
}

void means_heading(struct regret_buffer *out, const struct slice *s)
{
    const struct regret_results *r = s->r;
    const char *joint = "";
    for (size_t k = 0; k < r->n_keys && s->n_cells < r->n_cells; k++) {
        size_t i = 1;
        while (i < s->n_cells && slice_value_at(s, i, k) == slice_value_at(s, 0, k)) {
            i++;
        }
        if (r->keys[k].n_values > 1 && i == s->n_cells) {
            regret_buffer_printf(out, "%s%s = %s", joint, r->keys[k].name, slice_value(s, k));
            joint = ", ";
        }
    }
}
