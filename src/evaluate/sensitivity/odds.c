#include "evaluate/sensitivity/odds.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "evaluate/clusters/cells.h"
#include "regret/alloc.h"

enum { MOST_PLACES = 1 << 20, MOST_CLASSES = 4096, LEAST_CLASSES = 64 };

void odds_free(struct odds *o)
{
    regret_free(o->one);
    regret_free(o->one_y);
    regret_free(o->more);
    regret_free(o->more_y);
    regret_free(o->value);
    regret_free(o->rows);
    *o = (struct odds){0};
}

static int make(struct odds *o, size_t n_agents)
{
    size_t classes = MOST_PLACES / (n_agents + 1);
    o->n_agents = n_agents;
    o->n_classes = classes > MOST_CLASSES    ? MOST_CLASSES
                   : classes < LEAST_CLASSES ? LEAST_CLASSES
                                             : classes;
    TRY(REGRET_NEW(&o->one, n_agents * o->n_classes));
    TRY(REGRET_NEW(&o->one_y, n_agents * o->n_classes));
    TRY(REGRET_NEW(&o->more, n_agents * o->n_classes));
    TRY(REGRET_NEW(&o->more_y, n_agents * o->n_classes));
    TRY(REGRET_NEW(&o->value, n_agents));
    return REGRET_NEW(&o->rows, n_agents);
}

/* Rows by tag; one tag where there are none. */
static int count_tags(double **out, const struct cells *c)
{
    double *tags = NULL;
    TRY(REGRET_NEW(&tags, c->n_tags));
    for (size_t k = 0; k < c->n; k++) {
        tags[k % c->n_tags] += (double)c->at[k].rows[REGRET_LOG_OBS];
    }
    *out = tags;
    return REGRET_OK;
}

static void add_row(struct odds *o, size_t agent, double y, double e)
{
    size_t class = (size_t)(y * (double)(o->n_classes - 1) + 0.5), k = agent * o->n_classes + class;
    double more = 1.0 / e - 1.0;
    o->one[k] += 1.0;
    o->one_y[k] += y;
    o->more[k] += more;
    o->more_y[k] += more * y;
    o->rows[agent]++;
}

int odds_build(struct odds *out, const struct regret_log *log)
{
    const struct regret_log_rows *obs = &log->rows[REGRET_LOG_OBS];
    FREED_BY(odds_free) struct odds o = {0};
    FREED_BY(cells_free) struct cells cells = {0};
    FREED double *tags = NULL;
    TRY(make(&o, log->n_agents));
    TRY(cells_build(&cells, log, 1, 0));
    TRY(count_tags(&tags, &cells));
    for (size_t i = 0; i < obs->n; i++) {
        size_t cell = cell_of(&cells, REGRET_LOG_OBS, i);
        double share = (double)cells.at[cell].rows[REGRET_LOG_OBS] / tags[cell % cells.n_tags];
        add_row(&o, obs->agent[i], obs->outcome[i], obs->propensity ? obs->propensity[i] : share);
    }
    for (size_t a = 0; a < o.n_agents; a++) {
        double high;
        odds_bounds(&o.value[a], &high, &o, a, 1.0);
    }
    *out = o;
    o = (struct odds){0};
    return REGRET_OK;
}

/* The largest of Σ w y/Σ w with λ at the low value in classes before a threshold and at the high one from it on; or the least
 * with the two exchanged. */
static double extreme(const struct odds *o, size_t agent, double before, double after, int is_low)
{
    size_t first = agent * o->n_classes, last = first + o->n_classes;
    double sum = 0.0, weight = 0.0;
    for (size_t k = first; k < last; k++) {
        sum += o->one_y[k] + after * o->more_y[k];
        weight += o->one[k] + after * o->more[k];
    }
    double best = sum / weight;
    for (size_t k = first; k < last; k++) {
        sum += (before - after) * o->more_y[k];
        weight += (before - after) * o->more[k];
        double value = sum / weight;
        best = is_low ? fmin(best, value) : fmax(best, value);
    }
    return best;
}

void odds_bounds(double *low, double *high, const struct odds *o, size_t agent, double lambda)
{
    *low = *high = NAN;
    if (o->rows[agent] > 0) {
        *low = extreme(o, agent, lambda, 1.0 / lambda, 1);
        *high = extreme(o, agent, 1.0 / lambda, lambda, 0);
    }
}

/* Whether another agent may be as good at Λ, and which is the furthest ahead. */
static int may_change(size_t *other, const struct odds *o, size_t agent, double lambda)
{
    double low, high, own, most = -1.0;
    odds_bounds(&own, &high, o, agent, lambda);
    for (size_t a = 0; a < o->n_agents; a++) {
        odds_bounds(&low, &high, o, a, lambda);
        if (a != agent && high > most) {
            most = high;
            *other = a;
        }
    }
    return most >= own;
}

double odds_of_change(size_t *other, const struct odds *o, size_t agent)
{
    const double widest = 1e6;
    double low = 0.0, high = log(widest); /* logarithms */
    if (!may_change(other, o, agent, widest)) {
        return INFINITY;
    }
    if (may_change(other, o, agent, 1.0)) {
        return 1.0;
    }
    while (high - low > 1e-6) {
        double middle = 0.5 * (low + high);
        if (may_change(other, o, agent, exp(middle))) {
            high = middle;
        } else {
            low = middle;
        }
    }
    may_change(other, o, agent, exp(high));
    return exp(high);
}

int odds_by_tag(double *out, const struct regret_log *logged, size_t agent)
{
    const struct regret_log_rows *obs = &logged->rows[REGRET_LOG_OBS];
    FREED_BY(cells_free) struct cells c = {0};
    double sum = 0.0, own = 0.0, n = (double)obs->n;
    FREED double *tags = NULL;
    *out = NAN;
    if (!logged->tag || logged->n_tags < 2) {
        return REGRET_OK;
    }
    TRY(cells_build(&c, logged, 1, 0));
    TRY(count_tags(&tags, &c));
    for (size_t t = 0; t < logged->n_tags; t++) {
        own += (double)c.at[agent * c.n_tags + t].rows[REGRET_LOG_OBS];
    }
    for (size_t t = 0; t < logged->n_tags;
         t++) { /* half a row more either way keeps empty ones finite */
        double k = (double)c.at[agent * c.n_tags + t].rows[REGRET_LOG_OBS];
        double within = log((k + 0.5) / (tags[t] - k + 0.5));
        double all = log((own + 0.5) / (n - own + 0.5));
        sum += tags[t] / n * fabs(within - all);
    }
    *out = exp(sum);
    return REGRET_OK;
}
