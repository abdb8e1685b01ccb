#include "evaluate/clusters/slopes.h"

#include <math.h>

#include "base/core/try.h"
#include "evaluate/clusters/scores.h"
#include "regret/alloc.h"

enum { LEAST_ROWS = 10, LEAST_CLUSTERS = 5 /* of an agent in a source */ };

/* Sums over the rows of an agent in a source. */
struct moments {
    double n, t, y;
    double tt, ty, yy; /* about the means */
};

struct fitting {
    const struct regret_log *log;
    const double *const *place;
    struct moments *at; /* [agents × sources] */
};

FREED_FIELDS(fitting, of->at)

static struct moments *moments_of(const struct fitting *f, size_t agent, size_t source)
{
    return &f->at[agent * REGRET_LOG_SOURCES + source];
}

static int is_there(const struct fitting *f, size_t source, size_t row)
{
    return f->place[source] && !isnan(f->place[source][row]);
}

static void sum(struct fitting *f, size_t source)
{
    const struct regret_log_rows *rows = &f->log->rows[source];
    for (size_t i = 0; i < rows->n; i++) {
        if (is_there(f, source, i)) {
            struct moments *m = moments_of(f, rows->agent[i], source);
            m->n += 1.0;
            m->t += f->place[source][i];
            m->y += rows->outcome[i];
        }
    }
    for (size_t a = 0; a < f->log->n_agents; a++) {
        struct moments *m = moments_of(f, a, source);
        m->t /= m->n > 0.0 ? m->n : 1.0;
        m->y /= m->n > 0.0 ? m->n : 1.0;
    }
    for (size_t i = 0; i < rows->n; i++) {
        if (is_there(f, source, i)) {
            struct moments *m = moments_of(f, rows->agent[i], source);
            double t = f->place[source][i] - m->t, y = rows->outcome[i] - m->y;
            m->tt += t * t;
            m->ty += t * y;
            m->yy += y * y;
        }
    }
}

static int is_enough(const struct moments *m)
{
    return m->n >= LEAST_ROWS && m->tt > 1e-9 * m->n;
}

static struct score slope_score(const void *context, enum regret_log_source source, size_t row)
{
    const struct fitting *f = context;
    const struct regret_log_rows *rows = &f->log->rows[source];
    const struct moments *m = moments_of(f, rows->agent[row], source);
    if (!is_there(f, source, row) || !is_enough(m)) {
        return (struct score){.cell = SCORE_NONE};
    }
    double t = f->place[source][row] - m->t;
    return (struct score){rows->agent[row], 0.0, t * (rows->outcome[row] - m->y) / m->tt};
}

static void settle(struct slope *slope, const struct fitting *f, const struct scores *s,
                   size_t agent, size_t source)
{
    const struct moments *m = moments_of(f, agent, source);
    double variance = s->variance[source][agent];
    slope->rows[source] = (size_t)m->n;
    slope->value[source] = slope->error[source] = NAN;
    if (is_enough(m) && s->clusters[source][agent] >= LEAST_CLUSTERS && m->yy > 0.0) {
        slope->value[source] = m->ty / m->tt;
        slope->error[source] = sqrt(fmax(variance, m->yy / (m->n - 1.0) / m->tt));
    }
}

int slopes_build(struct slopes *out, const struct regret_log *log,
                 const struct cluster_order *order, const double *const *place)
{
    FREED_BY(fitting_fields) struct fitting f = {.log = log, .place = place};
    FREED_BY(slopes_free) struct slopes slopes = {.n = log->n_agents};
    FREED_BY(scores_free) struct scores s = {0};
    TRY(REGRET_NEW(&f.at, log->n_agents * REGRET_LOG_SOURCES));
    TRY(REGRET_NEW(&slopes.at, log->n_agents));
    sum(&f, REGRET_LOG_OBS);
    sum(&f, REGRET_LOG_EXP);
    TRY(scores_gather(&s, log->n_agents, NULL, order, slope_score, &f));
    for (size_t a = 0; a < log->n_agents; a++) {
        settle(&slopes.at[a], &f, &s, a, REGRET_LOG_OBS);
        settle(&slopes.at[a], &f, &s, a, REGRET_LOG_EXP);
    }
    slopes.covariance = s.covariance;
    s.covariance = NULL;
    *out = slopes;
    memset(&slopes, 0, sizeof slopes); /* handed on */
    return REGRET_OK;
}

void slopes_free(struct slopes *slopes)
{
    regret_free(slopes->at);
    regret_free(slopes->covariance);
    *slopes = (struct slopes){0};
}
