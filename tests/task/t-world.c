/* The controlled world: its law against a naive one, its draws against their chances, its refusals.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regret/results.h"
#include "regret/task.h"
#include "task/random_world.h"

static struct regret_world_options defaults(void)
{
    struct regret_world_options o;
    regret_world_options_default(&o);
    o.seed = 5;
    return o;
}

static double mean_of(const double *v, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += v[i];
    }
    return sum / (double)n;
}

static double deviation_of(const double *v, size_t n)
{
    double mean = mean_of(v, n), sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += (v[i] - mean) * (v[i] - mean);
    }
    return sqrt(sum / (double)n);
}

Test(world, scales_are_what_the_options_say)
{
    struct random_sim sim;
    random_sim_make(&sim, 1, 30, 6, 2, 20);
    struct regret_world_options o = defaults();
    o.output_sd = 1.3;
    o.context_sd = 0.7;
    o.intercept = -0.2;
    struct regret_controlled_world *w = random_world(&sim, &o);
    double context[30];
    for (size_t x = 0; x < 30; x++) {
        context[x] = w->score[x * 12] - w->output[x * 12];
        for (size_t i = 0; i < 12; i++) {
            cr_assert_float_eq(w->score[x * 12 + i] - w->output[x * 12 + i], context[x], 1e-12);
        }
    }
    cr_assert_float_eq(mean_of(w->output, w->pairs), 0.0, 1e-12);
    cr_assert_float_eq(deviation_of(w->output, w->pairs), 1.3, 1e-12);
    cr_assert_float_eq(mean_of(context, 30), -0.2, 1e-12);
    cr_assert_float_eq(deviation_of(context, 30), 0.7, 1e-12);
    double mean = 0.0, square = 0.0;
    for (size_t u = 0; u < 4; u++) {
        mean += 0.25 * w->latent[u];
        square += 0.25 * w->latent[u] * w->latent[u];
    }
    cr_assert_float_eq(mean, 0.0, 1e-12);
    cr_assert_float_eq(square, 1.0, 1e-12);
    regret_controlled_world_free(w);
    random_sim_clear(&sim);
}

/* h is a linear map of φ with one ±1 (up to the column's scale) a bucket: pairs of equal text have
 * equal h, and column j of h is an affine function of the buckets that go there. */
Test(world, hidden_is_a_signed_hash_of_the_features)
{
    struct random_sim sim;
    random_sim_make(&sim, 2, 20, 5, 3, 6);
    struct regret_world_options o = defaults();
    o.hidden = 7;
    struct regret_controlled_world *w = random_world(&sim, &o);
    double *dense = calloc(w->pairs * 64, sizeof *dense);
    for (size_t p = 0; p < w->pairs; p++) {
        for (size_t e = sim.phi->row_start[p]; e < sim.phi->row_start[p + 1]; e++) {
            dense[p * 64 + sim.phi->column[e]] = sim.phi->value[e];
        }
    }
    /* Recover the signs from bucket-wise streams as the header of the room names them. */
    for (size_t j = 0; j < o.hidden; j++) {
        double *raw = calloc(w->pairs, sizeof *raw);
        for (uint32_t b = 0; b < 64; b++) {
            struct regret_rng r = regret_rng_at(o.seed, REGRET_RNG_WORLD, ((uint64_t)1 << 32) + b);
            uint32_t place = regret_rng_below(&r, 7);
            double sign = regret_rng_u32(&r) >> 31 ? -1.0 : 1.0;
            for (size_t p = 0; place == j && p < w->pairs; p++) {
                raw[p] += sign * dense[p * 64 + b];
            }
        }
        double mean = mean_of(raw, w->pairs), sd = deviation_of(raw, w->pairs);
        for (size_t p = 0; p < w->pairs; p++) {
            cr_assert_float_eq(w->hidden[j * w->pairs + p], (raw[p] - mean) / sd, 1e-12);
        }
        free(raw);
    }
    free(dense);
    regret_controlled_world_free(w);
    random_sim_clear(&sim);
}

Test(world, policies_are_laws_and_shortlists_cover_the_agents)
{
    struct random_sim sim;
    random_sim_make(&sim, 3, 10, 8, 1, 6);
    struct regret_world_options o = defaults();
    o.shortlist = 2;
    struct regret_controlled_world *w = random_world(&sim, &o);
    int listed[8] = {0};
    for (size_t u = 0; u < 4; u++) {
        double sum = 0.0;
        int size = 0;
        for (size_t a = 0; a < 8; a++) {
            double p = w->user_policy[u * 8 + a];
            sum += p;
            size += p > 0.0;
            listed[a] += p > 0.0;
        }
        cr_assert_float_eq(sum, 1.0, 1e-12);
        cr_assert_eq(size, 2);
    }
    for (size_t a = 0; a < 8; a++) {
        cr_assert_eq(listed[a], 1);
    }
    for (size_t x = 0; x < 10; x++) {
        for (size_t u = 0; u < 4; u++) {
            double sum = 0.0;
            for (size_t a = 0; a < 8; a++) {
                sum += regret_world_choice_chance(w, x, u, a, 0.3);
            }
            cr_assert_float_eq(sum, 1.0, 1e-12);
        }
    }
    regret_controlled_world_free(w);
    random_sim_clear(&sim);
}

/* Frequencies of (context, segment, agent, draw) in `n` OBS rows against the product of their
 * chances: no standardised deviation beyond 5 among the 384 cells, which for the seed in use is a
 * matter of fact and for a fresh one fails about once in 5,000 times. */
static void check_frequencies(const struct regret_controlled_world *w, const struct random_sim *sim,
                              double beta)
{
    enum { N = 200000 };
    struct regret_rows rows;
    size_t segments = w->options.n_segments;
    double *count = calloc(w->pairs * segments, sizeof *count);
    cr_assert_eq(world_draw_obs(&rows, w, sim->split, beta, N, 9), REGRET_OK);
    for (size_t i = 0; i < N; i++) {
        count[rows.segment[i] * w->pairs + rows.pair[i]] += 1.0;
        cr_assert(rows.y[i] >= 0.0 && rows.y[i] <= 1.0);
    }
    for (size_t u = 0; u < segments; u++) {
        for (size_t p = 0; p < w->pairs; p++) {
            size_t x = p / w->n_draws / w->n_agents, a = p / w->n_draws % w->n_agents;
            double chance = 1.0 / (double)w->n_contexts * regret_world_segment_chance(w, x, u) *
                            regret_world_choice_chance(w, x, u, a, beta) *
                            regret_world_draw_chance(w, p, u);
            double sd = sqrt(N * chance * (1.0 - chance)) + 1e-300;
            cr_assert_lt(fabs(count[u * w->pairs + p] - N * chance), 5.0 * sd + 1e-9,
                         "beta %g pair %zu segment %zu: %g of %g", beta, p, u,
                         count[u * w->pairs + p], N * chance);
        }
    }
    free(count);
    regret_rows_clear(&rows);
}

Test(world, rows_follow_their_chances)
{
    struct random_sim sim;
    random_sim_make(&sim, 4, 4, 6, 4, 9);
    struct regret_world_options o = defaults();
    o.shortlist = 3;
    o.segment_weight[0] = 0.4;
    o.segment_weight[1] = 0.1;
    o.mediator_tilt = 0.6;
    o.user_context = 0.7;
    struct regret_controlled_world *w = random_world(&sim, &o);
    check_frequencies(w, &sim, 0.0);
    check_frequencies(w, &sim, 0.4);
    check_frequencies(w, &sim, 1.0);
    regret_controlled_world_free(w);
    random_sim_clear(&sim);
}

/* The mean outcome of a pair and segment is μ; its variance that of Beta(φμ, φ(1−μ)),
 * μ(1−μ)/(1+φ). */
Test(world, outcomes_have_the_stated_mean_and_precision)
{
    struct random_sim sim;
    random_sim_make(&sim, 5, 1, 2, 1, 4);
    struct regret_world_options o = defaults();
    o.shortlist = 1;
    o.outcome.precision = 9.0;
    struct regret_controlled_world *w = random_world(&sim, &o);
    struct regret_rows rows;
    enum { N = 160000 };
    double n[8] = {0}, sum[8] = {0}, square[8] = {0};
    cr_assert_eq(world_draw_exp(&rows, w, sim.split, N, 3), REGRET_OK);
    for (size_t i = 0; i < N; i++) {
        size_t cell = rows.segment[i] * 2 + rows.pair[i];
        double d = rows.y[i] - regret_world_mean(w, rows.pair[i], rows.segment[i]);
        n[cell] += 1.0;
        sum[cell] += d;
        square[cell] += d * d;
    }
    for (size_t cell = 0; cell < 8; cell++) {
        double mu = regret_world_mean(w, cell % 2, cell / 2), variance = mu * (1.0 - mu) / 10.0;
        cr_assert_lt(fabs(sum[cell] / n[cell]), 5.0 * sqrt(variance / n[cell]));
        cr_assert_lt(fabs(square[cell] / n[cell] / variance - 1.0), 0.05);
    }
    regret_rows_clear(&rows);
    regret_controlled_world_free(w);
    random_sim_clear(&sim);
}

Test(world, budgets_nest_and_betas_share_their_numbers)
{
    struct random_sim sim;
    random_sim_make(&sim, 6, 12, 6, 2, 8);
    struct regret_world_options o = defaults();
    struct regret_controlled_world *w = random_world(&sim, &o);
    struct regret_rows few, many, other;
    cr_assert_eq(world_draw_obs(&few, w, sim.split, 0.5, 300, 1), REGRET_OK);
    cr_assert_eq(world_draw_obs(&many, w, sim.split, 0.5, 900, 1), REGRET_OK);
    cr_assert_eq(world_draw_obs(&other, w, sim.split, 0.6, 900, 1), REGRET_OK);
    cr_assert_arr_eq(few.pair, many.pair, 300 * sizeof *few.pair);
    cr_assert_arr_eq(few.y, many.y, 300 * sizeof *few.y);
    size_t same = 0;
    for (size_t i = 0; i < 900; i++) {
        cr_assert_eq(many.pair[i] / 12, other.pair[i] / 12, "the context of row %zu moved", i);
        cr_assert_eq(many.segment[i], other.segment[i]);
        same += many.pair[i] == other.pair[i];
    }
    /* Only a tenth of the rows changes its policy. */
    cr_assert_gt(same, 780);
    cr_assert_lt(same, 900);
    regret_rows_clear(&few);
    regret_rows_clear(&many);
    regret_rows_clear(&other);
    regret_controlled_world_free(w);
    random_sim_clear(&sim);
}

Test(world, target_is_the_mean_over_segments_and_draws)
{
    struct random_sim sim;
    random_sim_make(&sim, 7, 5, 4, 3, 6);
    struct regret_world_options o = defaults();
    o.shortlist = 2;
    o.latent_effect = 1.5;
    struct regret_controlled_world *w = random_world(&sim, &o);
    for (size_t cell = 0; cell < 20; cell++) {
        double sum = 0.0;
        for (size_t k = 0; k < 3; k++) {
            for (size_t u = 0; u < 4; u++) {
                sum += 1.0 / (1.0 + exp(-w->score[cell * 3 + k] - 1.5 * w->latent[u])) / 12.0;
            }
        }
        cr_assert_float_eq(w->target[cell], sum, 1e-12);
    }
    regret_controlled_world_free(w);
    random_sim_clear(&sim);
}

/* P(u | x) again from the header's words: the segments' vectors from their stream, the embedding
 * standardised here; the target and the mean of a pair are over it. */
Test(world, users_differ_by_context_as_stated)
{
    enum { CONTEXTS = 9, AGENTS = 4, DRAWS = 2, RANK = 3, SEGMENTS = 3 };
    struct random_sim sim;
    random_sim_make(&sim, 12, CONTEXTS, AGENTS, DRAWS, 5);
    struct regret_world_options o = defaults();
    o.shortlist = 2;
    o.n_segments = SEGMENTS;
    o.segment_weight[0] = 0.5;
    o.segment_weight[1] = 0.5;
    o.segment_weight[2] = 0.0;
    o.user_context = 1.4;
    struct regret_controlled_world *w = random_world(&sim, &o);
    struct regret_rng rng = regret_rng_at(o.seed, REGRET_RNG_WORLD, 7);
    double odds[CONTEXTS][SEGMENTS] = {{0}}, spread = 0.0;
    for (size_t u = 0; u < SEGMENTS; u++) {
        for (size_t j = 0; j < RANK; j++) {
            const double *e = sim.embedding + j * CONTEXTS,
                         theta = regret_rng_normal(&rng) / sqrt(3.0);
            for (size_t x = 0; x < CONTEXTS; x++) {
                odds[x][u] += theta * (e[x] - mean_of(e, CONTEXTS)) / deviation_of(e, CONTEXTS);
            }
        }
    }
    for (size_t x = 0; x < CONTEXTS; x++) {
        double total = 0.0;
        for (size_t u = 0; u < SEGMENTS; u++) {
            odds[x][u] = o.segment_weight[u] * exp(1.4 * odds[x][u]);
            total += odds[x][u];
        }
        for (size_t u = 0; u < SEGMENTS; u++) {
            odds[x][u] /= total;
            cr_assert_float_eq(regret_world_segment_chance(w, x, u), odds[x][u], 1e-12);
        }
        spread += fabs(odds[x][0] - 0.5);
    }
    cr_assert_gt(spread, 0.5);
    for (size_t p = 0; p < w->pairs; p++) {
        size_t x = p / DRAWS / AGENTS;
        double mean = 0.0, other = 0.0;
        for (size_t u = 0; u < SEGMENTS; u++) {
            mean += odds[x][u] * regret_world_mean(w, p, u);
            other += odds[x][u] * regret_world_mean(w, p ^ 1, u);
        }
        cr_assert_float_eq(w->pair_mean[p], mean, 1e-12);
        cr_assert_float_eq(w->target[p / DRAWS], (mean + other) / 2.0, 1e-12);
    }
    regret_controlled_world_free(w);
    random_sim_clear(&sim);
}

/* A tilt raises what is deployed above what the SIM replays; the user's tilt does so for every
 * segment but the first. */
Test(world, tilts_favour_the_better_draws)
{
    struct random_sim sim;
    random_sim_make(&sim, 8, 6, 5, 4, 10);
    struct regret_world_options o = defaults();
    o.mediator_tilt = 1.0;
    struct regret_controlled_world *w = random_world(&sim, &o);
    double raised = 0.0;
    for (size_t cell = 0; cell < 30; cell++) {
        double before = 0.0;
        for (size_t u = 0; u < 4; u++) {
            double sum = 0.0, score = 0.0, plain = 0.0;
            for (size_t k = 0; k < 4; k++) {
                double chance = regret_world_draw_chance(w, cell * 4 + k, u);
                sum += chance;
                score += chance * w->output[cell * 4 + k];
                plain += 0.25 * w->output[cell * 4 + k];
            }
            cr_assert_float_eq(sum, 1.0, 1e-12);
            if (u == 0) {
                cr_assert_float_eq(score, plain, 1e-12);
            } else {
                cr_assert_geq(score, before - 1e-12);
            }
            before = score;
            raised += score - plain;
        }
    }
    cr_assert_gt(raised, 1.0);
    regret_controlled_world_free(w);
    random_sim_clear(&sim);
}

/* Labels are linear views of h plus noise of the stated size: without noise, least squares of a
 * label on h leaves nothing, which we check by the normal equations' residual through two worlds
 * that differ in the noise alone. */
Test(world, labels_are_views_of_h_with_noise)
{
    struct random_sim sim;
    random_sim_make(&sim, 9, 60, 6, 3, 12);
    struct regret_world_options o = defaults();
    o.label_noise = 0.0;
    struct regret_controlled_world *clear = random_world(&sim, &o);
    o.label_noise = 0.5;
    struct regret_controlled_world *noisy = random_world(&sim, &o);
    double r2 = 0.0;
    unsigned char *all = malloc(clear->pairs);
    memset(all, 1, clear->pairs);
    for (size_t t = 0; t < 16; t++) {
        double *v = clear->labels + t * clear->pairs, *l = noisy->labels + t * clear->pairs;
        cr_assert_float_eq(mean_of(v, clear->pairs), 0.0, 1e-12);
        cr_assert_float_eq(deviation_of(v, clear->pairs), 1.0, 1e-12);
        cr_assert_eq(regret_held_out_r2(&r2, NULL, clear->hidden, 32, v, clear->pairs, all, all),
                     REGRET_OK);
        cr_assert_float_eq(r2, 1.0, 1e-9);
        for (size_t p = 0; p < clear->pairs; p++) {
            l[p] -= v[p];
        }
        cr_assert_float_eq(deviation_of(l, clear->pairs), 0.5, 0.05);
    }
    free(all);
    regret_controlled_world_free(clear);
    regret_controlled_world_free(noisy);
    random_sim_clear(&sim);
}

static void refuse(const struct regret_world_options *o, const char *key, const char *range)
{
    int rc = regret_world_options_check(o, 6);
    cr_assert_eq(rc, REGRET_E_INPUT, "%s was allowed", key);
    cr_assert_neq(strstr(regret_error_message(), key), NULL, "%s", regret_error_message());
    cr_assert_neq(strstr(regret_error_message(), range), NULL, "%s", regret_error_message());
}

#define REFUSED(field, bad, key, range)                                                            \
    do {                                                                                           \
        struct regret_world_options o = defaults();                                                \
        o.field = (bad);                                                                           \
        refuse(&o, key, range);                                                                    \
    } while (0)

Test(world, impossible_worlds_are_refused_by_key_and_range)
{
    REFUSED(hidden, 0, "world.hidden = 0", "use 1 to 1024");
    REFUSED(n_segments, 0, "world.segment_weights = 0", "use 1 to 64");
    REFUSED(labels, 0, "world.labels = 0", "use 1 to 256");
    REFUSED(shortlist, 7, "world.shortlist = 7", "use 1 to 6");
    REFUSED(outcome.precision, 0.0, "world.precision = 0", "above 0");
    REFUSED(output_sd, 0.0, "world.output_sd = 0", "above 0");
    REFUSED(context_sd, -1.0, "world.context_sd = -1", "at least 0");
    REFUSED(latent_effect, INFINITY, "world.latent_effect = inf", "finite");
    REFUSED(intercept, NAN, "world.intercept", "finite");
    REFUSED(label_noise, -0.1, "world.label_noise", "at least 0");
    REFUSED(segment_weight[2], 0.3, "world.segment_weights sum to 1.05", "sum to 1");
    REFUSED(segment_weight[1], -0.25, "world.segment_weights[1] = -0.25", "use 0 to 1");
    struct regret_world_options fine = defaults();
    cr_assert_eq(regret_world_options_check(&fine, 0), REGRET_OK);
    cr_assert_eq(regret_world_options_check(&fine, 5), REGRET_OK);
}

Test(world, shapes_that_do_not_fit_are_refused)
{
    struct random_sim sim;
    struct regret_controlled_world *w = NULL;
    struct regret_rows rows = {0};
    struct regret_world_options o = defaults();
    random_sim_make(&sim, 10, 3, 5, 2, 4);
    struct regret_world_source s = sim.source;
    s.n_draws = 3;
    cr_assert_eq(regret_controlled_world_create(&w, &s, &o), REGRET_E_INPUT);
    s.n_draws = 0;
    cr_assert_eq(regret_controlled_world_create(&w, &s, &o), REGRET_E_INPUT);
    s = sim.source;
    s.embedding_rank = 0;
    cr_assert_eq(regret_controlled_world_create(&w, &s, &o), REGRET_E_INPUT);
    cr_assert_neq(strstr(regret_error_message(), "world.context_sd"), NULL);
    s = sim.source;
    s.n_contexts = (size_t)1 << 40;
    cr_assert_eq(regret_controlled_world_create(&w, &s, &o), REGRET_E_INPUT);
    memset(sim.phi->value, 0, regret_csr_entries(sim.phi) * sizeof *sim.phi->value);
    cr_assert_eq(regret_controlled_world_create(&w, &sim.source, &o), REGRET_E_INPUT);
    cr_assert_null(w);
    random_sim_clear(&sim);
    random_sim_make(&sim, 10, 3, 5, 2, 4);
    w = random_world(&sim, &o);
    cr_assert_eq(world_draw_obs(&rows, w, sim.split, 1.5, 10, 1), REGRET_E_INPUT);
    cr_assert_neq(strstr(regret_error_message(), "beta = 1.5"), NULL);
    cr_assert_eq(world_draw_obs(&rows, w, sim.split, NAN, 10, 1), REGRET_E_INPUT);
    sim.split->train[2] = 3;
    cr_assert_eq(world_draw_exp(&rows, w, sim.split, 10, 1), REGRET_E_INPUT);
    cr_assert_null(rows.pair);
    regret_controlled_world_free(w);
    random_sim_clear(&sim);
}

/* One of everything is a world too. */
Test(world, the_smallest_world)
{
    struct random_sim sim;
    random_sim_make(&sim, 14, 1, 2, 1, 5);
    struct regret_world_options o = defaults();
    o.hidden = 1;
    o.n_segments = 1;
    o.segment_weight[0] = 1.0;
    o.shortlist = 1;
    o.labels = 1;
    o.outcome.law = REGRET_OUTCOME_NONE;
    struct regret_controlled_world *w = random_world(&sim, &o);
    struct regret_rows rows;
    cr_assert_eq(w->latent[0], 0.0);
    cr_assert_eq(world_draw_obs(&rows, w, sim.split, 1.0, 50, 1), REGRET_OK);
    for (size_t i = 0; i < 50; i++) {
        cr_assert_eq(rows.pair[i], rows.pair[0], "one user with one agent on its list");
        cr_assert_eq(rows.y[i], regret_world_mean(w, rows.pair[i], 0));
    }
    regret_rows_clear(&rows);
    regret_controlled_world_free(w);
    random_sim_clear(&sim);
}
