#include "evaluate/plan/shares.h"

#include <math.h>

void shares_uniform(double *share, const struct pilot *p)
{
    for (size_t a = 0; a < p->n_agents; a++) {
        share[a] = 1.0 / (double)p->n_agents;
    }
}

void shares_neyman(double *share, const struct pilot *p, size_t reference, double differences)
{
    double sum = 0.0;
    for (size_t a = 0; a < p->n_agents; a++) {
        share[a] = sqrt(pilot_row_variance(p, a) * (a == reference ? differences : 1.0));
        sum += share[a];
    }
    if (!(sum > 0.0)) { /* no outcome scatters at all */
        shares_uniform(share, p);
        return;
    }
    for (size_t a = 0; a < p->n_agents; a++) {
        share[a] /= sum;
    }
}
