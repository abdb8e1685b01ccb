#include "experiment/lab.h"

#include "regret/alloc.h"

/* The mean over segments of μ(x,m,u), for how well a proxy can fit the target. */
static int average_segments(double **out, const struct regret_controlled_world *w)
{
    double *mean = NULL;
    int rc = REGRET_NEW(&mean, w->pairs);
    for (size_t p = 0; rc == REGRET_OK && p < w->pairs; p++) {
        for (size_t u = 0; u < w->options.n_segments; u++) {
            mean[p] += w->options.segment_weight[u] * regret_world_mean(w, p, u);
        }
    }
    *out = mean;
    return rc;
}

int lab_world_create(struct lab_world **out, const struct lab *lab,
                     const struct regret_config *config)
{
    const struct regret_world_source source = {.n_contexts = lab->grid->n_contexts,
                                               .n_agents = lab->grid->n_agents,
                                               .n_draws = lab->grid->n_draws,
                                               .phi = lab->phi,
                                               .context_phi = lab->phi_context,
                                               .embedding = lab->embedding,
                                               .embedding_rank = lab->embedding_rank};
    struct lab_world *w = NULL;
    int rc = REGRET_NEW(&w, 1);
    if (rc != REGRET_OK) {
        return rc;
    }
    w->config = *config;
    w->lab = lab;
    if ((rc = regret_controlled_world_create(&w->world, &source, &config->world)) != REGRET_OK ||
        (rc = regret_world_target(&w->mu, w->world)) != REGRET_OK ||
        (rc = average_segments(&w->pair_mu, w->world)) != REGRET_OK ||
        (rc = regret_world_labels(&w->labels, w->world)) != REGRET_OK) {
        lab_world_free(w);
        return rc;
    }
    *out = w;
    return REGRET_OK;
}

void lab_world_free(struct lab_world *w)
{
    if (w != NULL) {
        regret_controlled_world_free(w->world);
        regret_free(w->mu);
        regret_free(w->pair_mu);
        regret_free(w->labels);
        regret_free(w);
    }
}
