/* The hidden representation, its score θ·h, and the labels that see it dimly. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/svd.h"
#include "task/world/world.h"

/* Where a bucket of φ goes, and with which sign (Weinberger et al., "Feature hashing for large
 * scale multitask learning", ICML 2009, doi:10.1145/1553374.1553516). */
struct bucket {
    uint32_t dimension;
    double sign;
};

static int hash_buckets(struct bucket **out, const struct regret_controlled_world *w, size_t n)
{
    struct bucket *bucket = NULL;
    TRY(REGRET_NEW(&bucket, n));
    for (size_t j = 0; j < n; j++) {
        struct regret_rng rng = world_item_stream(w, WORLD_BUCKETS, j);
        bucket[j].dimension = regret_rng_below(&rng, (uint32_t)w->options.hidden);
        bucket[j].sign = regret_rng_u32(&rng) >> 31 ? -1.0 : 1.0;
    }
    *out = bucket;
    return REGRET_OK;
}

int world_rescale(double *v, size_t n, double sd, int *varies)
{
    size_t n_constant = 0;
    TRY(regret_standardise(v, n, 1, NULL, &n_constant));
    for (size_t i = 0; i < n; i++) {
        v[i] *= sd;
    }
    *varies = n_constant == 0;
    return REGRET_OK;
}

/* θ·h with θ_j ~ N(0,1) on the standardised h, then centred and scaled to output_sd [C]. */
static int score_outputs(struct regret_controlled_world *w)
{
    struct regret_rng rng = world_stream(w, WORLD_THETA);
    int varies = 0;
    for (size_t j = 0; j < w->options.hidden; j++) {
        double theta = regret_rng_normal(&rng);
        for (size_t p = 0; p < w->pairs; p++) {
            w->output[p] += theta * w->hidden[j * w->pairs + p];
        }
    }
    TRY(world_rescale(w->output, w->pairs, w->options.output_sd, &varies));
    return varies ? REGRET_OK
                  : regret_fail(REGRET_E_INPUT,
                                "the world's features are the same in all %zu pairs, so no output "
                                "is better than another; give texts that differ",
                                w->pairs);
}

/* Adds the projection of one row of features to h of a pair. */
static void project(struct regret_controlled_world *w, size_t pair, const struct regret_csr *phi,
                    size_t row, const struct bucket *bucket)
{
    for (size_t e = phi->row_start[row]; e < phi->row_start[row + 1]; e++) {
        const struct bucket *b = &bucket[phi->column[e]];
        w->hidden[b->dimension * w->pairs + pair] += b->sign * phi->value[e];
    }
}

int world_hide(struct regret_controlled_world *w, const struct regret_world_source *source)
{
    const struct regret_csr *phi = source->phi;
    FREED struct bucket *bucket = NULL;
    TRY(hash_buckets(&bucket, w, phi->cols));
    TRY(REGRET_NEW(&w->hidden, w->pairs * w->options.hidden));
    TRY(REGRET_NEW(&w->output, w->pairs));
    for (size_t p = 0; p < w->pairs; p++) {
        project(w, p, phi, p, bucket);
        if (source->context_phi != NULL) {
            project(w, p, source->context_phi, world_cell(w, p) / w->n_agents, bucket);
        }
    }
    TRY(regret_standardise(w->hidden, w->pairs, w->options.hidden, NULL, NULL));
    return score_outputs(w);
}

/* Column `label` of T: h·w with w ~ N(0, I), standardised over pairs. */
static int view_hidden(double *view, const struct regret_controlled_world *w,
                       struct regret_rng *rng)
{
    int varies = 0;
    for (size_t j = 0; j < w->options.hidden; j++) {
        double weight = regret_rng_normal(rng);
        for (size_t p = 0; p < w->pairs; p++) {
            view[p] += weight * w->hidden[j * w->pairs + p];
        }
    }
    return world_rescale(view, w->pairs, 1.0, &varies);
}

int world_labels(double **out, const struct regret_controlled_world *w)
{
    size_t n = w->options.labels;
    struct regret_rng views = world_stream(w, WORLD_VIEW);
    FREED double *labels = NULL;
    TRY(REGRET_NEW(&labels, w->pairs * n));
    for (size_t t = 0; t < n; t++) {
        TRY(view_hidden(labels + t * w->pairs, w, &views));
    }
    for (size_t p = 0; p < w->pairs; p++) {
        struct regret_rng noise = world_item_stream(w, WORLD_LABELS, p);
        for (size_t t = 0; t < n; t++) {
            labels[t * w->pairs + p] += w->options.label_noise * regret_rng_normal(&noise);
        }
    }
    *out = labels;
    labels = NULL;
    return REGRET_OK;
}
