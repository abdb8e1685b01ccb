#include "task/internal.h"

#include <math.h>
#include <stdio.h>

#include "base/status.h"
#include "regret/design.h"
#include "regret/status.h"
#include "regret/task.h"

/* Streams of numbered items: index (kind << 32) + item. */
enum world_items {
    WORLD_BUCKETS = 1, /* where a bucket of φ is projected to */
    WORLD_LABELS = 2   /* the noise of a pair's labels */
};

static inline struct regret_rng world_item_stream(const struct regret_controlled_world *w,
                                                  enum world_items kind, size_t i)
{
    return regret_rng_at(w->options.seed, REGRET_RNG_WORLD, ((uint64_t)kind << 32) + i);
}

FREED_POINTER(struct regret_controlled_world, regret_controlled_world_free)

static int check_shapes(const struct regret_world_source *s, const struct regret_world_options *o)
{
    const size_t most = UINT32_MAX;
    if (s->n_contexts == 0 || s->n_agents == 0 || s->n_draws == 0 ||
        s->n_contexts > most / s->n_agents || s->n_contexts * s->n_agents > most / s->n_draws) {
        return regret_fail(REGRET_E_INPUT,
                           "a world of %zu contexts, %zu agents and %zu draws cannot be made; use "
                           "at least 1 of each and at most %zu pairs",
                           s->n_contexts, s->n_agents, s->n_draws, most);
    }
    size_t cells = s->n_contexts * s->n_agents;
    size_t pairs = s->first != NULL ? s->first[cells] : cells * s->n_draws;
    if (s->phi->rows != pairs) {
        return regret_fail(REGRET_E_INPUT,
                           "the world's features have %zu rows; %zu contexts, %zu agents and %zu "
                           "draws want %zu",
                           s->phi->rows, s->n_contexts, s->n_agents, s->n_draws, pairs);
    }
    const struct regret_csr *shared = s->context_phi;
    if (shared != NULL && (shared->rows != s->n_contexts || shared->cols != s->phi->cols)) {
        return regret_fail(REGRET_E_INPUT,
                           "the world's context features are %zu x %zu; its %zu contexts and %zu "
                           "features want %zu x %zu",
                           shared->rows, shared->cols, s->n_contexts, s->phi->cols, s->n_contexts,
                           s->phi->cols);
    }
    if (s->embedding_rank == 0 &&
        (o->context_sd > 0.0 || o->context_sharpness > 0.0 || o->user_context > 0.0)) {
        return regret_fail(REGRET_E_INPUT,
                           "world.context_sd = %g, a sharpness of %g over contexts and "
                           "world.user_context = %g want a context embedding",
                           o->context_sd, o->context_sharpness, o->user_context);
    }
    return REGRET_OK;
}

/* The tables that a task reads: means, targets, names. */
static int tabulate(struct regret_controlled_world *w)
{
    const struct regret_world_options *o = &w->options;
    TRY(REGRET_NEW(&w->mean, o->n_segments * w->pairs));
    TRY(REGRET_NEW(&w->pair_mean, w->pairs));
    TRY(REGRET_NEW(&w->target, w->n_contexts * w->n_agents));
    for (size_t p = 0; p < w->pairs; p++) {
        size_t cell = world_cell(w, p);
        for (size_t u = 0; u < o->n_segments; u++) {
            double s = w->score[p] + o->latent_effect * w->latent[u], mean = 1.0 / (1.0 + exp(-s));
            w->mean[u * w->pairs + p] = mean;
            double chance = regret_world_segment_chance(w, cell / w->n_agents, u);
            w->pair_mean[p] += chance * mean;
            w->target[cell] += chance * regret_world_draw_chance(w, p, u) * mean;
        }
    }
    for (size_t u = 0; u < o->n_segments; u++) {
        snprintf(w->segment_digits[u], sizeof w->segment_digits[u], "%u", (unsigned)u);
        w->segment[u] = w->segment_digits[u];
    }
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

/* T: wants world->hidden. */
static int world_labels(double **out, const struct regret_controlled_world *w)
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

/* The hidden representation, its score θ·h, and the labels that see it dimly. */

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

/* world->hidden and world->output. */
static int world_hide(struct regret_controlled_world *w, const struct regret_world_source *source)
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

int regret_controlled_world_create(struct regret_controlled_world **out,
                                   const struct regret_world_source *source,
                                   const struct regret_world_options *options)
{
    FREED_BY(regret_controlled_world_free_at) struct regret_controlled_world *w = NULL;
    TRY(regret_world_options_check(options, source->n_agents));
    TRY(check_shapes(source, options));
    TRY(REGRET_NEW(&w, 1));
    w->options = *options;
    w->n_contexts = source->n_contexts;
    w->n_agents = source->n_agents;
    w->n_draws = source->n_draws;
    w->first = source->first;
    w->pairs = source->phi->rows;
    TRY(world_hide(w, source));
    TRY(world_score(w, source));
    TRY(world_policies(w, source));
    TRY(tabulate(w));
    TRY(world_labels(&w->labels, w));
    *out = w;
    w = NULL;
    return REGRET_OK;
}

void regret_controlled_world_free(struct regret_controlled_world *w)
{
    if (w != NULL) {
        regret_free(w->hidden);
        regret_free(w->output);
        regret_free(w->score);
        regret_free(w->context_score);
        regret_free(w->latent);
        regret_free(w->segment_law);
        regret_free(w->context_policy);
        regret_free(w->user_policy);
        regret_free(w->draw_law);
        regret_free(w->mean);
        regret_free(w->pair_mean);
        regret_free(w->target);
        regret_free(w->labels);
        regret_free(w);
    }
}

double regret_world_mean(const struct regret_controlled_world *w, size_t pair, size_t segment)
{
    return w->mean[segment * w->pairs + pair];
}

double regret_world_draw_chance(const struct regret_controlled_world *w, size_t pair,
                                size_t segment)
{
    size_t cell = world_cell(w, pair);
    return w->draw_law != NULL ? w->draw_law[segment * w->pairs + pair]
                               : 1.0 / (double)(world_first(w, cell + 1) - world_first(w, cell));
}

double regret_world_choice_chance(const struct regret_controlled_world *w, size_t context,
                                  size_t segment, size_t agent, double beta)
{
    return (1.0 - beta) * w->context_policy[context * w->n_agents + agent] +
           beta * w->user_policy[segment * w->n_agents + agent];
}

void regret_world_options_default(struct regret_world_options *o)
{
    *o = (struct regret_world_options){
        .hidden = 32,
        .output_sd = 0.8,
        .context_sd = 0.4,
        .latent_effect = 0.8,
        .n_segments = 4,
        .segment_weight = {0.25, 0.25, 0.25, 0.25},
        .outcome = {REGRET_OUTCOME_BETA, 25.0, 0.0},
        .context_sharpness = 1.0,
        .user_sharpness = 1.0,
        .shortlist = 5,
        .labels = 16,
        .label_noise = 0.5,
    };
}

/* One key that counts something. */
struct count_key {
    const char *name;
    size_t value, high;
};

/* One key that measures something: finite, at least 0 or, where `positive`, above it. */
struct real_key {
    const char *name;
    double value;
    enum { ANY_SIGN, NOT_NEGATIVE, POSITIVE } range;
};

static int check_counts(const struct regret_world_options *o)
{
    const struct count_key keys[] = {
        {"world.hidden", o->hidden, REGRET_WORLD_MAX_HIDDEN},
        {"the number of world.segment_weights", o->n_segments, REGRET_POOL_MAX_SEGMENTS},
        {"world.labels", o->labels, REGRET_WORLD_MAX_LABELS},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].value < 1 || keys[i].value > keys[i].high) {
            return regret_fail(REGRET_E_INPUT, "%s = %zu is out of range; use 1 to %zu",
                               keys[i].name, keys[i].value, keys[i].high);
        }
    }
    return REGRET_OK;
}

static int check_reals(const struct regret_world_options *o)
{
    static const char *const ranges[] = {"a finite number", "a finite number of at least 0",
                                         "a finite number above 0"};
    const struct real_key keys[] = {
        {"world.intercept", o->intercept, ANY_SIGN},
        {"world.latent_effect", o->latent_effect, ANY_SIGN},
        {"world.output_sd", o->output_sd, POSITIVE},
        {"world.context_sd", o->context_sd, NOT_NEGATIVE},
        {"world.precision", o->outcome.precision, POSITIVE},
        {"world.context_sharpness", o->context_sharpness, NOT_NEGATIVE},
        {"world.user_sharpness", o->user_sharpness, NOT_NEGATIVE},
        {"world.user_context", o->user_context, NOT_NEGATIVE},
        {"world.label_noise", o->label_noise, NOT_NEGATIVE},
        {"world.sim_tilt", o->sim_tilt, NOT_NEGATIVE},
        {"world.mediator_tilt", o->mediator_tilt, NOT_NEGATIVE},
        {"world.direct_effect", o->direct_effect, NOT_NEGATIVE},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        double v = keys[i].value;
        if (!isfinite(v) || (keys[i].range == NOT_NEGATIVE && v < 0.0) ||
            (keys[i].range == POSITIVE && v <= 0.0)) {
            return regret_fail(REGRET_E_INPUT, "%s = %g is out of range; use %s", keys[i].name, v,
                               ranges[keys[i].range]);
        }
    }
    return REGRET_OK;
}

static int check_weights(const struct regret_world_options *o)
{
    double sum = 0.0;
    for (size_t u = 0; u < o->n_segments; u++) {
        double w = o->segment_weight[u];
        if (!(w >= 0.0 && w <= 1.0)) {
            return regret_fail(REGRET_E_INPUT,
                               "world.segment_weights[%zu] = %g is out of range; use 0 to 1", u, w);
        }
        sum += w;
    }
    if (fabs(sum - 1.0) > 1e-9) {
        return regret_fail(REGRET_E_INPUT,
                           "world.segment_weights sum to %.12g over %zu segments; they must sum "
                           "to 1 (within 1e-9)",
                           sum, o->n_segments);
    }
    return REGRET_OK;
}

int regret_world_options_check(const struct regret_world_options *o, size_t n_agents)
{
    TRY(check_counts(o));
    TRY(check_reals(o));
    TRY(check_weights(o));
    if (o->shortlist == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "world.shortlist = 0 is out of range; use 1 to the number of agents");
    }
    if (n_agents > 0 && o->shortlist > n_agents) {
        return regret_fail(REGRET_E_INPUT,
                           "world.shortlist = %zu is out of range: there are %zu agents; use 1 to "
                           "%zu",
                           o->shortlist, n_agents, n_agents);
    }
    return REGRET_OK;
}
