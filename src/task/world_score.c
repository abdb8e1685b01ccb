/* Scores and policies of the world. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "regret/design.h"
#include "regret/status.h"
#include "task/internal.h"

/* Who chooses the agent: the world as a task. */

double regret_world_segment_chance(const struct regret_controlled_world *w, size_t context,
                                   size_t segment)
{
    return w->segment_law != NULL ? w->segment_law[context * w->options.n_segments + segment]
                                  : w->options.segment_weight[segment];
}

/* p ← softmax(sharpness · p), entries of -INFINITY becoming 0. */
static void softmax(double *p, size_t n, double sharpness)
{
    double largest = -INFINITY, total = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, p[i]);
    }
    for (size_t i = 0; i < n; i++) {
        p[i] = p[i] == -INFINITY ? 0.0 : exp(sharpness * (p[i] - largest));
        total += p[i];
    }
    for (size_t i = 0; i < n; i++) {
        p[i] /= total;
    }
}

/* score, [n_contexts × n_choices] by context: θ_c·ē(x) with ē(x) the standardised embedding and
 * θ_c ~ N(0, I)/√rank of the stream. */
static int score_choices(double *score, size_t n_choices, const struct regret_controlled_world *w,
                         const struct regret_world_source *source, enum world_stream stream)
{
    size_t rank = source->embedding_rank, n = w->n_contexts;
    struct regret_rng rng = world_stream(w, stream);
    FREED double *e = NULL;
    TRY(REGRET_NEW(&e, n * rank));
    if (rank > 0) {
        memcpy(e, source->embedding, n * rank * sizeof *e);
        TRY(regret_standardise(e, n, rank, NULL, NULL));
    }
    for (size_t c = 0; c < n_choices; c++) {
        for (size_t j = 0; j < rank; j++) {
            double theta = regret_rng_normal(&rng) / sqrt((double)rank);
            for (size_t x = 0; x < n; x++) {
                score[x * n_choices + c] += theta * e[j * n + x];
            }
        }
    }
    return REGRET_OK;
}

static int choose_by_context(struct regret_controlled_world *w,
                             const struct regret_world_source *source)
{
    TRY(score_choices(w->context_policy, w->n_agents, w, source, WORLD_AGENT_CONTEXT));
    for (size_t x = 0; x < w->n_contexts; x++) {
        softmax(w->context_policy + x * w->n_agents, w->n_agents, w->options.context_sharpness);
    }
    return REGRET_OK;
}

/* P(u | x) ∝ w_u exp(user_context · θ_u·ē(x)) [C]; nothing where the weights are all there is. */
static int spread_users(struct regret_controlled_world *w, const struct regret_world_source *source)
{
    const struct regret_world_options *o = &w->options;
    size_t n = o->n_segments;
    if (o->user_context == 0.0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&w->segment_law, w->n_contexts * n));
    TRY(score_choices(w->segment_law, n, w, source, WORLD_USER_CONTEXT));
    for (size_t i = 0; i < w->n_contexts * n; i++) {
        w->segment_law[i] = o->user_context * w->segment_law[i] + log(o->segment_weight[i % n]);
    }
    for (size_t x = 0; x < w->n_contexts; x++) {
        softmax(w->segment_law + x * n, n, 1.0);
    }
    return REGRET_OK;
}

static int choose_by_user(struct regret_controlled_world *w)
{
    size_t n = w->n_agents, *deck = NULL, dealt = 0;
    struct regret_rng order = world_stream(w, WORLD_DECK);
    struct regret_rng taste = world_stream(w, WORLD_USER_TASTE);
    TRY(REGRET_NEW(&deck, n));
    for (size_t a = 0; a < n; a++) {
        deck[a] = a;
    }
    regret_rng_shuffle(&order, deck, n);
    for (size_t u = 0; u < w->options.n_segments; u++) {
        double *policy = w->user_policy + u * n;
        for (size_t a = 0; a < n; a++) {
            policy[a] = -INFINITY;
        }
        for (size_t i = 0; i < w->options.shortlist; i++) {
            policy[deck[dealt++]] = regret_rng_normal(&taste);
            dealt = dealt < n ? dealt : 0;
        }
        softmax(policy, n, w->options.user_sharpness);
    }
    regret_free(deck);
    return REGRET_OK;
}

int world_policies(struct regret_controlled_world *w, const struct regret_world_source *source)
{
    TRY(REGRET_NEW(&w->context_policy, w->n_contexts * w->n_agents));
    TRY(REGRET_NEW(&w->user_policy, w->options.n_segments * w->n_agents));
    TRY(spread_users(w, source));
    TRY(choose_by_context(w, source));
    return choose_by_user(w);
}

/* The index at which the running sum of p[0..n) passes `uniform`; never one of chance 0. */
static size_t pick(const double *p, size_t n, double uniform)
{
    size_t last = 0;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (p[i] > 0.0) {
            last = i;
            sum += p[i];
            if (uniform < sum) {
                break;
            }
        }
    }
    return last;
}

/* A handle on a world that others share. */
struct world_task {
    struct regret_task base;
    const struct regret_controlled_world *world;
    double beta;
};

static int open_logger(void **logger, const struct regret_task *task,
                       const struct regret_split *split)
{
    double beta = ((const struct world_task *)task)->beta, *kept = NULL;
    (void)split;
    if (!(beta >= 0.0 && beta <= 1.0)) {
        return regret_fail(REGRET_E_INPUT,
                           "beta = %g is out of range in a controlled world, where it is the "
                           "chance of the latent user's own choice; use 0 to 1",
                           beta);
    }
    TRY(REGRET_NEW(&kept, 1));
    *kept = beta;
    *logger = kept;
    return REGRET_OK;
}

static void close_logger(void *logger)
{
    regret_free(logger);
}

/* Every row takes the same four numbers from its stream in the same order, whatever it does with
 * them: segment, policy, agent, draw. */
static void choose(struct regret_choice *out, const struct regret_task *task, void *logger,
                   size_t context, struct regret_rng *rng)
{
    const struct regret_controlled_world *w = ((const struct world_task *)task)->world;
    size_t n = w->n_agents;
    const double *users = w->segment_law == NULL ? w->options.segment_weight
                                                 : w->segment_law + context * w->options.n_segments;
    size_t u = pick(users, w->options.n_segments, regret_rng_uniform(rng));
    double policy = regret_rng_uniform(rng), agent = regret_rng_uniform(rng);
    double draw = regret_rng_uniform(rng);
    size_t a = (size_t)(agent * (double)n);
    if (logger != NULL) {
        a = policy < *(const double *)logger ? pick(w->user_policy + u * n, n, agent)
                                             : pick(w->context_policy + context * n, n, agent);
    }
    size_t first = world_first(w, context * n + a);
    size_t draws = world_first(w, context * n + a + 1) - first;
    out->segment = u;
    out->agent = a;
    out->draw = w->draw_law == NULL ? (size_t)(draw * (double)draws)
                                    : pick(w->draw_law + u * w->pairs + first, draws, draw);
}

static void handle_free(struct regret_task *task)
{
    regret_free(task);
}

int regret_world_task_create(struct regret_task **out, const struct regret_controlled_world *w,
                             double beta)
{
    static const struct regret_policy policy = {open_logger, close_logger, choose, handle_free};
    struct world_task *t = NULL;
    TRY(REGRET_NEW(&t, 1));
    *t = (struct world_task){.base = {.policy = &policy,
                                      .n_contexts = w->n_contexts,
                                      .n_agents = w->n_agents,
                                      .n_draws = w->n_draws,
                                      .first = w->first,
                                      .n_segments = w->options.n_segments,
                                      .mean = w->mean,
                                      .pair_mean = w->pair_mean,
                                      .target = w->target,
                                      .labels = w->labels,
                                      .n_labels = w->options.labels,
                                      .segment = w->segment,
                                      .outcome = w->options.outcome},
                             .world = w,
                             .beta = beta};
    *out = &t->base;
    return REGRET_OK;
}

/* The score s(x,m,u), and which draws a deployment logs. */

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
