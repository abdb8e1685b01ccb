#include "evaluate/plan/shares.h"

#include <math.h>

void shares_uniform(double *share, const struct pilot *p)
{
    for (size_t k = 0; k < p->n_tags * p->n_agents; k++) {
        share[k] = p->tag_share[k / p->n_agents] / (double)p->n_agents;
    }
}

/* Makes the cells from `first` to `end` sum to `whole`; alike where no outcome scatters at all. */
static void scale(double *share, size_t first, size_t end, double whole)
{
    double sum = 0.0;
    for (size_t k = first; k < end; k++) {
        sum += share[k];
    }
    for (size_t k = first; k < end; k++) {
        share[k] = sum > 0.0 ? share[k] / sum * whole : whole / (double)(end - first);
    }
}

void shares_neyman(double *share, const struct pilot *p, size_t reference, double differences,
                   int choose_tags)
{
    size_t cells = p->n_tags * p->n_agents;
    for (size_t k = 0; k < cells; k++) {
        share[k] = p->tag_share[k / p->n_agents] * sqrt(p->variance[k]);
        share[k] *= k % p->n_agents == reference ? sqrt(differences) : 1.0;
    }
    if (choose_tags) {
        scale(share, 0, cells, 1.0);
        return;
    }
    for (size_t g = 0; g < p->n_tags; g++) {
        scale(share, g * p->n_agents, (g + 1) * p->n_agents, p->tag_share[g]);
    }
}
