/* The score s(x,m,u), and which draws a deployment logs. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "task/world/world.h"

/* θ_x·e(x) of every context, centred and scaled to context_sd [C]; zero where it does not vary. */
static int score_contexts(double *score, const struct regret_controlled_world *w,
                          const struct regret_world_source *source)
{
    struct regret_rng rng = world_stream(w, WORLD_THETA_CONTEXT);
    int varies = 0;
    for (size_t j = 0; j < source->embedding_rank; j++) {
        double theta = regret_rng_normal(&rng);
        for (size_t x = 0; x < w->n_contexts; x++) {
            score[x] += theta * source->embedding[j * w->n_contexts + x];
        }
    }
    return world_rescale(score, w->n_contexts, w->options.context_sd, &varies);
}

/* The arrow a → Y: normals standardised over agents, so that `direct_effect` is their deviation. */
static int score_agents(double *score, const struct regret_controlled_world *w)
{
    struct regret_rng rng = world_stream(w, WORLD_DIRECT_EFFECT);
    int varies = 0;
    for (size_t a = 0; a < w->n_agents; a++) {
        score[a] = regret_rng_normal(&rng);
    }
    return world_rescale(score, w->n_agents, w->options.direct_effect, &varies);
}

/* v(u): 0, 1, 2, … with mean 0 and variance 1 under the weights; a population of one kind has 0. */
static void spread_latent(double *v, const struct regret_world_options *o)
{
    double mean = 0.0, variance = 0.0;
    for (size_t u = 0; u < o->n_segments; u++) {
        mean += o->segment_weight[u] * (double)u;
    }
    for (size_t u = 0; u < o->n_segments; u++) {
        variance += o->segment_weight[u] * ((double)u - mean) * ((double)u - mean);
    }
    for (size_t u = 0; u < o->n_segments; u++) {
        v[u] = variance > 1e-12 ? ((double)u - mean) / sqrt(variance) : 0.0;
    }
}

/* chance[k] ∝ exp(tilt · g_k) over the draws of a pair, g standardised (zero where all are equal).
 */
static void tilt_draws(double *chance, const double *output, size_t n, double tilt)
{
    double mean = 0.0, variance = 0.0, largest = -INFINITY, total = 0.0;
    for (size_t k = 0; k < n; k++) {
        mean += output[k] / (double)n;
        largest = fmax(largest, output[k]);
    }
    for (size_t k = 0; k < n; k++) {
        variance += (output[k] - mean) * (output[k] - mean) / (double)n;
    }
    double slope = variance > 1e-24 ? tilt / sqrt(variance) : 0.0;
    for (size_t k = 0; k < n; k++) {
        chance[k] = exp(slope * (output[k] - largest));
        total += chance[k];
    }
    for (size_t k = 0; k < n; k++) {
        chance[k] /= total;
    }
}

static int tilt_law(struct regret_controlled_world *w)
{
    const struct regret_world_options *o = &w->options;
    if (o->sim_tilt == 0.0 && o->mediator_tilt == 0.0) {
        return REGRET_OK; /* the SIM's law: uniform */
    }
    TRY(REGRET_NEW(&w->draw_law, o->n_segments * w->pairs));
    for (size_t u = 0; u < o->n_segments; u++) {
        double tilt = o->sim_tilt + o->mediator_tilt * (w->latent[u] - w->latent[0]);
        for (size_t p = 0, cell = 0; p < w->pairs; p = world_first(w, ++cell)) {
            tilt_draws(w->draw_law + u * w->pairs + p, w->output + p, world_first(w, cell + 1) - p,
                       tilt);
        }
    }
    return REGRET_OK;
}

int world_score(struct regret_controlled_world *w, const struct regret_world_source *source)
{
    FREED double *agent = NULL;
    TRY(REGRET_NEW(&w->context_score, w->n_contexts));
    TRY(REGRET_NEW(&agent, w->n_agents));
    TRY(REGRET_NEW(&w->score, w->pairs));
    TRY(REGRET_NEW(&w->latent, w->options.n_segments));
    TRY(score_contexts(w->context_score, w, source));
    TRY(score_agents(agent, w));
    for (size_t p = 0; p < w->pairs; p++) {
        size_t cell = world_cell(w, p);
        w->score[p] = w->options.intercept + w->output[p] + w->context_score[cell / w->n_agents] +
                      agent[cell % w->n_agents];
    }
    spread_latent(w->latent, &w->options);
    return tilt_law(w);
}
