/* Theorem 1 of the OBS/EXP/SIM paper in the controlled world: EXP and SIM identify the value of an
 * agent, the log does not; and each assumption matters when it is broken on purpose.
 *
 * The estimator is the theorem's formula with nothing in between: g(x,m) the mean EXP outcome of a
 * text, V(a) the mean of g over contexts and the draws the SIM replays. Its limit, the target and
 * the limit of raw OBS means are finite sums over the world. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regret/evaluate.h"
#include "regret/status.h"
#include "regret/text.h"
#include "synth/agents.h"
#include "synth/newswire.h"
#include "task/random_world.h"

enum { CONTEXTS = 6, AGENTS = 8, DRAWS = 5, TEXTS = 10, SEEDS = 12 };

static void make_sim(struct random_sim *sim)
{
    random_sim_make(sim, 100, CONTEXTS, AGENTS, DRAWS, TEXTS);
}

static struct regret_world_options options(void)
{
    struct regret_world_options o;
    regret_world_options_default(&o);
    o.seed = 3;
    o.shortlist = 2;
    return o;
}

static double distance(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]) / (double)n;
    }
    return sqrt(sum);
}

/* The share of a context in a population of these weights; NULL: all alike. */
static double share_of(const double *weight, size_t x, size_t n)
{
    double all = 0.0;
    for (size_t i = 0; i < n; i++) {
        all += weight != NULL ? weight[i] : 1.0;
    }
    return (weight != NULL ? weight[x] : 1.0) / all;
}

/* V(a), the interventional value in the population of the weights. */
static void true_values_of(double *value, const struct regret_controlled_world *w,
                           const double *weight)
{
    memset(value, 0, w->n_agents * sizeof *value);
    for (size_t i = 0; i < w->n_contexts * w->n_agents; i++) {
        value[i % w->n_agents] += w->target[i] * share_of(weight, i / w->n_agents, w->n_contexts);
    }
}

static void true_values(double *value, const struct regret_controlled_world *w)
{
    true_values_of(value, w, NULL);
}

/* Means of g over contexts, as the population has them, and replayed draws. */
static void replay(double *value, const struct regret_controlled_world *w, const uint32_t *text,
                   const double *g, const double *weight)
{
    memset(value, 0, w->n_agents * sizeof *value);
    for (size_t p = 0; p < w->pairs; p++) {
        size_t x = p / w->n_draws / w->n_agents;
        value[p / w->n_draws % w->n_agents] +=
            g[text[p]] * share_of(weight, x, w->n_contexts) / (double)w->n_draws;
    }
}

/* What EXP and SIM converge to: g(text) = E_EXP[Y | text]. */
static void identified_values_of(double *value, const struct regret_controlled_world *w,
                                 const uint32_t *text, size_t n_texts, const double *weight)
{
    double *sum = calloc(n_texts, sizeof *sum), *chance = calloc(n_texts, sizeof *chance);
    for (size_t p = 0; p < w->pairs; p++) {
        for (size_t u = 0; u < w->options.n_segments; u++) {
            size_t x = p / w->n_draws / w->n_agents;
            double c = regret_world_segment_chance(w, x, u) * regret_world_draw_chance(w, p, u);
            sum[text[p]] += c * regret_world_mean(w, p, u);
            chance[text[p]] += c;
        }
    }
    for (size_t t = 0; t < n_texts; t++) {
        sum[t] = chance[t] > 0.0 ? sum[t] / chance[t] : 0.0;
    }
    replay(value, w, text, sum, weight);
    free(sum);
    free(chance);
}

static void identified_values(double *value, const struct regret_controlled_world *w,
                              const uint32_t *text, size_t n_texts)
{
    identified_values_of(value, w, text, n_texts, NULL);
}

/* What the raw OBS means converge to: E[Y | A = a] under the logging policy. */
static void logged_values(double *value, const struct regret_controlled_world *w, double beta)
{
    for (size_t a = 0; a < w->n_agents; a++) {
        double sum = 0.0, chance = 0.0;
        for (size_t x = 0; x < w->n_contexts; x++) {
            for (size_t u = 0; u < w->options.n_segments; u++) {
                double c = regret_world_segment_chance(w, x, u) *
                           regret_world_choice_chance(w, x, u, a, beta);
                chance += c;
                for (size_t k = 0; k < w->n_draws; k++) {
                    size_t p = (x * w->n_agents + a) * w->n_draws + k;
                    sum += c * regret_world_draw_chance(w, p, u) * regret_world_mean(w, p, u);
                }
            }
        }
        value[a] = sum / chance;
    }
}

static void exp_sim_estimate_of(double *value, const struct regret_controlled_world *w,
                                const uint32_t *text, size_t n_texts, const struct regret_rows *exp,
                                const double *weight)
{
    double *g = calloc(n_texts, sizeof *g), *n = calloc(n_texts, sizeof *n), mean = 0.0;
    for (size_t i = 0; i < exp->n; i++) {
        g[text[exp->pair[i]]] += exp->y[i];
        n[text[exp->pair[i]]] += 1.0;
        mean += exp->y[i] / (double)exp->n;
    }
    for (size_t t = 0; t < n_texts; t++) {
        g[t] = n[t] > 0.0 ? g[t] / n[t] : mean;
    }
    replay(value, w, text, g, weight);
    free(g);
    free(n);
}

static void exp_sim_estimate(double *value, const struct regret_controlled_world *w,
                             const uint32_t *text, size_t n_texts, const struct regret_rows *exp)
{
    exp_sim_estimate_of(value, w, text, n_texts, exp, NULL);
}

static void obs_means(double *value, const struct regret_controlled_world *w,
                      const struct regret_rows *obs)
{
    double *n = calloc(w->n_agents, sizeof *n);
    memset(value, 0, w->n_agents * sizeof *value);
    for (size_t i = 0; i < obs->n; i++) {
        size_t a = obs->pair[i] / w->n_draws % w->n_agents;
        value[a] += obs->y[i];
        n[a] += 1.0;
    }
    for (size_t a = 0; a < w->n_agents; a++) {
        value[a] /= n[a];
    }
    free(n);
}

/* Root mean square error of the EXP+SIM estimate over seeds and agents. */
static double exp_sim_error(const struct regret_controlled_world *w, const struct random_sim *sim,
                            size_t n, const double *truth)
{
    double square = 0.0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct regret_rows exp;
        double value[AGENTS];
        cr_assert_eq(world_draw_exp(&exp, w, sim->split, n, seed), REGRET_OK);
        exp_sim_estimate(value, w, sim->text, sim->n_texts, &exp);
        square += pow(distance(value, truth, AGENTS), 2.0) / SEEDS;
        regret_rows_clear(&exp);
    }
    return sqrt(square);
}

/* As an identity: Σ_m P(m | x,a) E_EXP[Y | x,m] = E[Y | x, do(a)], whatever β, for 30
 * worlds; in every other one users differ by context. */
Test(theorem_1, identification_is_an_identity)
{
    for (uint64_t i = 0; i < 30; i++) {
        struct random_sim sim;
        struct regret_world_options o = options();
        double truth[AGENTS], identified[AGENTS];
        random_sim_make(&sim, 200 + i, CONTEXTS, AGENTS, DRAWS, TEXTS);
        o.seed = i;
        o.latent_effect = 0.2 * (double)i;
        o.user_context = i % 2 == 0 ? 0.0 : 0.1 * (double)i;
        struct regret_controlled_world *w = random_world(&sim, &o);
        true_values(truth, w);
        identified_values(identified, w, sim.text, sim.n_texts);
        cr_assert_lt(distance(truth, identified, AGENTS), 1e-12);
        regret_controlled_world_free(w);
        random_sim_clear(&sim);
    }
}

/* The error of EXP and SIM falls like n^(-1/2): 64 times the rows, an eighth of the error. With 12
 * seeds of 8 agents an RMSE has a relative standard error of about 10 %, the ratio of two 14 %; the
 * bounds are about three of them off. */
Test(theorem_1, exp_and_sim_converge)
{
    struct random_sim sim;
    struct regret_world_options o = options();
    double truth[AGENTS];
    make_sim(&sim);
    struct regret_controlled_world *w = random_world(&sim, &o);
    true_values(truth, w);
    double few = exp_sim_error(w, &sim, 1 << 12, truth);
    double many = exp_sim_error(w, &sim, 1 << 18, truth);
    cr_assert_gt(few / many, 5.0, "%g to %g", few, many);
    cr_assert_lt(few / many, 12.0, "%g to %g", few, many);
    cr_assert_lt(many, 0.002);
    regret_controlled_world_free(w);
    random_sim_clear(&sim);
}

/* Raw OBS means do not: they settle at a bias that grows with β, from nothing at β = 0 when
 * contexts do not choose either. */
Test(theorem_1, log_means_are_biased_and_more_so_with_beta)
{
    enum { N = 1 << 18 };
    struct random_sim sim;
    struct regret_world_options o = options();
    double truth[AGENTS], limit[AGENTS], means[AGENTS], before = -1.0;
    o.context_sharpness = 0.0;
    make_sim(&sim);
    struct regret_controlled_world *w = random_world(&sim, &o);
    true_values(truth, w);
    for (int step = 0; step <= 5; step++) {
        double beta = 0.2 * step;
        struct regret_rows obs;
        logged_values(limit, w, beta);
        double bias = distance(limit, truth, AGENTS);
        cr_assert_gt(bias, before, "the bias at beta %g", beta);
        before = bias;
        cr_assert(step > 0 || bias < 1e-12, "an unconfounded log is unbiased: %g", bias);
        cr_assert_eq(world_draw_obs(&obs, w, sim.split, beta, N, 4), REGRET_OK);
        obs_means(means, w, &obs);
        /* An agent with a tenth of N/8 rows and deviation .3 has 5 SE = .027. */
        for (size_t a = 0; a < AGENTS; a++) {
            cr_assert_lt(fabs(means[a] - limit[a]), 0.027, "agent %zu at beta %g", a, beta);
        }
        regret_rows_clear(&obs);
    }
    cr_assert_gt(before, 0.08, "the bias at beta 1 is %g", before);
    regret_controlled_world_free(w);
    random_sim_clear(&sim);
}

/* Each option that breaks an assumption moves what EXP and SIM converge to away from the target;
 * the estimate follows the wrong limit, so more rows do not help. */
static void breaks(const struct regret_world_options *o, const char *what)
{
    struct random_sim sim;
    double truth[AGENTS], limit[AGENTS];
    make_sim(&sim);
    struct regret_controlled_world *w = random_world(&sim, o);
    true_values(truth, w);
    identified_values(limit, w, sim.text, sim.n_texts);
    double bias = distance(truth, limit, AGENTS);
    cr_assert_gt(bias, 0.02, "%s: the limit is off by %g only", what, bias);
    cr_assert_lt(exp_sim_error(w, &sim, 1 << 17, limit), 0.003, "%s: the limit", what);
    double error = exp_sim_error(w, &sim, 1 << 17, truth);
    cr_assert_lt(fabs(error / bias - 1.0), 0.1, "%s: error %g, bias %g", what, error, bias);
    regret_controlled_world_free(w);
    random_sim_clear(&sim);
}

Test(theorem_1, breaks_when_the_sim_replays_another_law)
{
    struct regret_world_options o = options();
    o.sim_tilt = 1.0;
    breaks(&o, "A2, sim_tilt");
}

Test(theorem_1, breaks_when_the_user_leans_on_the_output)
{
    struct regret_world_options o = options();
    o.mediator_tilt = 1.0;
    breaks(&o, "A4, mediator_tilt");
}

Test(theorem_1, breaks_when_the_agent_itself_is_judged)
{
    struct regret_world_options o = options();
    o.direct_effect = 0.5;
    breaks(&o, "a to Y, direct_effect");
}

/* ---- The same with texts ----------------------------------------------------------------------
 */

/* The features and the context embedding of a grid. */
static void featurise(struct regret_csr **phi, double *embedding, const struct regret_grid *g,
                      size_t rank)
{
    size_t pairs = regret_grid_pairs(g), found = 0;
    const char **texts = calloc(pairs, sizeof *texts);
    uint32_t *context = calloc(pairs, sizeof *context);
    struct regret_tokens *contexts = NULL, *outputs = NULL;
    struct regret_feature_options features = REGRET_FEATURE_OPTIONS_INIT;
    struct regret_embed_options embed = REGRET_EMBED_OPTIONS_INIT;
    embed.svd.rank = rank;
    for (size_t x = 0; x < g->n_contexts; x++) {
        texts[x] = regret_grid_context_text(g, x);
    }
    cr_assert_eq(regret_tokens_build(&contexts, texts, g->n_contexts), REGRET_OK);
    cr_assert_eq(regret_embed_texts(embedding, &found, texts, g->n_contexts, NULL, 0, &embed),
                 REGRET_OK);
    for (size_t p = 0; p < pairs; p++) {
        texts[p] = regret_grid_output_text(g, p);
        context[p] = (uint32_t)(regret_grid_cell(g, p) / g->n_agents);
    }
    cr_assert_eq(regret_tokens_build(&outputs, texts, pairs), REGRET_OK);
    struct regret_pairs list = {
        .n_pairs = pairs, .contexts = contexts, .outputs = outputs, .context = context};
    cr_assert_eq(regret_features_build(phi, &list, &features), REGRET_OK);
    regret_tokens_free(contexts);
    regret_tokens_free(outputs);
    free(context);
    free(texts);
}

/* Five generated articles, twenty agents, four draws a pair: EXP and SIM are right within Monte
 * Carlo error (2^17 rows: an agent has 6,500 of deviation at most .2, RMSE about .0025), OBS is off
 * by twenty times as much. */
Test(theorem_1, holds_on_generated_news)
{
    enum { ARTICLES = 5, N_AGENTS = NEWSWIRE_AGENTS, RANK = 4, N = 1 << 17 };
    struct regret_synth_options made = {.seed = 2, .contexts = ARTICLES, .draws = 4};
    struct regret_pool *pool = NULL;
    struct regret_grid *grid = NULL;
    struct regret_csr *phi = NULL;
    struct regret_world_options o;
    struct random_sim sim = {0};
    double embedding[ARTICLES * RANK] = {0}, truth[N_AGENTS], value[N_AGENTS];
    cr_assert_eq(regret_synth_pool(&pool, &newswire_generator, &made), REGRET_OK);
    cr_assert_eq(regret_grid_cut(&grid, pool, NULL), REGRET_OK);
    featurise(&phi, embedding, grid, RANK);
    sim.source =
        (struct regret_world_source){ARTICLES, N_AGENTS, 4, NULL, phi, NULL, embedding, RANK};
    regret_world_options_default(&o);
    struct regret_controlled_world *w = random_world(&sim, &o);
    size_t train[ARTICLES] = {0, 1, 2, 3, 4};
    struct regret_split split = {.n_train = ARTICLES, .train = train};
    uint32_t *identity = calloc(w->pairs, sizeof *identity);
    for (size_t p = 0; p < w->pairs; p++) {
        identity[p] = (uint32_t)p;
    }
    struct regret_rows rows;
    true_values(truth, w);
    cr_assert_eq(world_draw_exp(&rows, w, &split, N, 1), REGRET_OK);
    exp_sim_estimate(value, w, identity, w->pairs, &rows);
    regret_rows_clear(&rows);
    double exp_error = distance(value, truth, N_AGENTS);
    cr_assert_eq(world_draw_obs(&rows, w, &split, 1.0, N, 1), REGRET_OK);
    obs_means(value, w, &rows);
    regret_rows_clear(&rows);
    double obs_error = distance(value, truth, N_AGENTS);
    cr_assert_lt(exp_error, 0.005, "EXP and SIM: %g", exp_error);
    cr_assert_gt(obs_error, 20.0 * exp_error, "OBS: %g", obs_error);
    free(identity);
    regret_controlled_world_free(w);
    regret_csr_free(phi);
    regret_grid_free(grid);
    regret_pool_free(pool);
}
