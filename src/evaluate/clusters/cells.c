#include "evaluate/clusters/cells.h"

#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"

size_t cell_of(const struct cells *c, enum regret_log_source source, size_t row)
{
    const struct regret_log_rows *rows = &c->log->rows[source];
    return rows->agent[row] * c->n_tags + (c->n_tags > 1 ? c->log->tag[rows->context[row]] : 0);
}

double cell_weight(const struct cells *c, enum regret_log_source source, size_t row)
{
    const double *p = c->log->rows[source].propensity;
    return p && (source == REGRET_LOG_EXP || c->weigh_obs) ? 1.0 / p[row] : 1.0;
}

int cells_build(struct cells *out, const struct regret_log *log, int by_tag, int weigh_obs)
{
    struct cells c = {.log = log, .n_tags = by_tag && log->tag ? log->n_tags : 1};
    c.n = log->n_agents * c.n_tags;
    c.weigh_obs = weigh_obs;
    TRY(REGRET_NEW(&c.at, c.n));
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < log->rows[s].n; i++) {
            struct cell *cell = &c.at[cell_of(&c, s, i)];
            double w = cell_weight(&c, s, i), y = log->rows[s].outcome[i];
            cell->rows[s]++;
            cell->weight[s] += w;
            cell->square[s] += w * w;
            cell->mean[s] += w * y;
            cell->y += y;
            cell->yy += y * y;
        }
        for (size_t k = 0; k < c.n; k++) {
            c.at[k].mean[s] = c.at[k].rows[s] > 0 ? c.at[k].mean[s] / c.at[k].weight[s] : NAN;
        }
    }
    *out = c;
    return REGRET_OK;
}

void cells_free(struct cells *cells)
{
    regret_free(cells->at);
    *cells = (struct cells){0};
}

double cell_leverage(const struct cell *cell, enum regret_log_source source)
{
    double w = cell->weight[source];
    return cell->rows[source] > 0 ? cell->square[source] / (w * w) : 0.0;
}

double cell_effective_rows(const struct cell *cell, enum regret_log_source source)
{
    return cell->rows[source] > 0 ? 1.0 / cell_leverage(cell, source) : 0.0;
}
