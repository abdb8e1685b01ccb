/* Doubly robust values: unbiased, equal to the direct method when residuals vanish, steadier when
 * self-normalised. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regret/estimate.h"
#include "regret/evaluate.h"
#include "regret/task.h"
#include "task/random_world.h"

/* ---- By enumeration ---------------------------------------------------------------------------
 */

/* Two contexts, two agents, one draw; Y = mean ± spread with equal chances: an EXP row is one of
 * eight equally likely things, n rows one of 8^n. */
enum { PAIRS = 4, AGENTS = 2, STATES = 2 * PAIRS, MAX_ROWS = 4 };
static const uint32_t AGENT[PAIRS] = {0, 1, 0, 1};
static const unsigned char ALL[PAIRS] = {1, 1, 1, 1};
static const double MEAN[PAIRS] = {0.3, 0.6, 0.5, 0.9};
static const double SPREAD[PAIRS] = {0.2, 0.1, 0.3, 0.05};

/* The EXP rows number `state` of 8^n. */
static void set_rows(struct regret_rows *rows, size_t state)
{
    for (size_t i = 0; i < rows->n; i++, state /= STATES) {
        uint32_t p = (uint32_t)(state % STATES / 2);
        rows->pair[i] = p;
        rows->y[i] = MEAN[p] + (state % 2 == 0 ? SPREAD[p] : -SPREAD[p]);
    }
}

static size_t count_states(size_t n)
{
    size_t states = 1;
    for (size_t i = 0; i < n; i++) {
        states *= STATES;
    }
    return states;
}

/* A fixed surface: E V_DR(a) = V(a) exactly, however wrong the surface. The self-normalised value
 * keeps the plug-in when the agent has no row, which has chance (1 − 1/|A|)^n:
 * E V_SNDR(a) − V(a) = (V_DM(a) − V(a)) (1 − 1/|A|)^n. */
Test(values, dr_is_unbiased_for_any_fixed_surface)
{
    enum { N = 3 };
    const double surface[PAIRS] = {0.9, 0.1, 0.35, 0.2};
    uint32_t pair[N], segment[N] = {0};
    double y[N], dm[AGENTS], dr[AGENTS], sndr[AGENTS], cross_fit[N];
    double mean_dr[AGENTS] = {0}, mean_sndr[AGENTS] = {0};
    struct regret_rows rows = {.n = N, .pair = pair, .segment = segment, .y = y};
    size_t states = count_states(N);
    regret_value_dm(dm, surface, AGENT, ALL, PAIRS, AGENTS, NULL);
    for (size_t s = 0; s < states; s++) {
        set_rows(&rows, s);
        for (size_t i = 0; i < N; i++) {
            cross_fit[i] = surface[pair[i]];
        }
        regret_value_dr(dr, sndr, dm, &rows, cross_fit, AGENT, AGENTS, NULL, NULL);
        for (size_t a = 0; a < AGENTS; a++) {
            mean_dr[a] += dr[a] / (double)states;
            mean_sndr[a] += sndr[a] / (double)states;
        }
    }
    for (size_t a = 0; a < AGENTS; a++) {
        double truth = 0.5 * (MEAN[a] + MEAN[2 + a]);
        cr_assert_float_eq(mean_dr[a], truth, 1e-12);
        cr_assert_float_eq(mean_sndr[a] - truth, (dm[a] - truth) / 8.0, 1e-12);
    }
}

/* Ridge of the rows on two features, the whole sample and each fold left out: f[k * PAIRS + p], the
 * whole last. */
static void fit_folds(double *f, const struct regret_rows *rows, const struct regret_folds *folds)
{
    static const double phi[PAIRS * 2] = {1.0, -0.5, 0.3, 0.8, -0.2, 0.4, 1.1, -0.9};
    const struct regret_design design = regret_design_dense(PAIRS, 2, phi);
    struct regret_sample *sample = NULL;
    struct regret_pooled *pooled = NULL;
    double solution[3];
    cr_assert_eq(regret_sample_gather(&sample, rows->pair, rows->y, rows->n, PAIRS, NULL, 0),
                 REGRET_OK);
    cr_assert_eq(regret_pooled_create(&pooled, &design, NULL, sample, 1.0, 0.5), REGRET_OK);
    for (size_t k = 0; k <= folds->n_folds; k++) {
        struct regret_left_out *left_out = NULL;
        if (k < folds->n_folds) {
            cr_assert_eq(regret_left_out_create(&left_out, pooled, folds->part[k]), REGRET_OK);
        }
        cr_assert_eq(regret_pooled_solve(solution, pooled, 0.0, left_out), REGRET_OK);
        cr_assert_eq(regret_pooled_predict(f + k * PAIRS, pooled, solution), REGRET_OK);
        regret_left_out_free(left_out);
    }
    regret_pooled_free(pooled);
    regret_sample_free(sample);
}

/* Cross-fitted surfaces. Given the other rows, a row's residual corrects the surface of its own
 * fold without bias, so DR about the plug-in of the fold surfaces (weighted by the folds' rows) has
 * mean V(a) exactly. The paper's plug-in uses the surface of all rows: its bias is then the
 * difference of the two plug-ins' means, and nothing else. */
Test(values, cross_fitted_dr_is_unbiased_about_the_fold_surfaces)
{
    enum { N = 4, FOLDS = 2 };
    uint32_t pair[N] = {0}, segment[N] = {0};
    double y[N] = {0}, f[(FOLDS + 1) * PAIRS], plug_in[PAIRS], cross_fit[N];
    double dm[AGENTS], whole[AGENTS], dr[AGENTS], sndr[AGENTS];
    double mean_dr[AGENTS] = {0}, mean_paper[AGENTS] = {0}, mean_gap[AGENTS] = {0};
    struct regret_rows rows = {.n = N, .pair = pair, .segment = segment, .y = y};
    size_t states = count_states(N);
    for (size_t s = 0; s < states; s++) {
        struct regret_folds *folds = NULL;
        set_rows(&rows, s);
        cr_assert_eq(regret_folds_by_row(&folds, &rows, PAIRS, FOLDS, 1, REGRET_RNG_DR_FOLDS),
                     REGRET_OK);
        fit_folds(f, &rows, folds);
        for (size_t p = 0; p < PAIRS; p++) {
            plug_in[p] = 0.5 * (f[p] + f[PAIRS + p]);
        }
        for (size_t i = 0; i < N; i++) {
            cross_fit[i] = f[folds->fold[i] * PAIRS + pair[i]];
        }
        regret_value_dm(dm, plug_in, AGENT, ALL, PAIRS, AGENTS, NULL);
        regret_value_dm(whole, f + FOLDS * PAIRS, AGENT, ALL, PAIRS, AGENTS, NULL);
        regret_value_dr(dr, sndr, dm, &rows, cross_fit, AGENT, AGENTS, NULL, NULL);
        for (size_t a = 0; a < AGENTS; a++) {
            mean_dr[a] += dr[a] / (double)states;
            mean_gap[a] += (whole[a] - dm[a]) / (double)states;
        }
        regret_value_dr(dr, sndr, whole, &rows, cross_fit, AGENT, AGENTS, NULL, NULL);
        for (size_t a = 0; a < AGENTS; a++) {
            mean_paper[a] += dr[a] / (double)states;
        }
        regret_folds_free(folds);
    }
    for (size_t a = 0; a < AGENTS; a++) {
        double truth = 0.5 * (MEAN[a] + MEAN[2 + a]);
        cr_assert_float_eq(mean_dr[a], truth, 1e-12);
        cr_assert_float_eq(mean_paper[a] - truth, mean_gap[a], 1e-12);
    }
}

/* Residuals with mean c and deviation σ, n rows, |A| agents: n Var(DR) = |A|(σ² + c²) − c², n
 * Var(SNDR) ≈ |A|σ². Variances of 4,000 samples have a relative standard error of 2.2 %; 10 % is
 * more than four of them (SNDR's formula is itself off by about |A|/n, 2 %). */
Test(values, self_normalising_removes_the_noise_of_the_counts)
{
    enum { N = 200, SAMPLES = 4000, A = 4 };
    const double means[] = {0.0, 0.3};
    const double sigma = 0.15;
    uint32_t pair[N], segment[N] = {0}, agent[A] = {0, 1, 2, 3};
    double y[N], zero[N] = {0}, dm[A] = {0}, dr[A], sndr[A];
    struct regret_rows rows = {.n = N, .pair = pair, .segment = segment, .y = y};
    for (size_t m = 0; m < 2; m++) {
        double c = means[m], dr2 = 0.0, sndr2 = 0.0;
        for (uint64_t s = 0; s < SAMPLES; s++) {
            struct regret_rng r = regret_rng_at(70 + m, REGRET_RNG_TEST, s);
            for (size_t i = 0; i < N; i++) {
                pair[i] = regret_rng_below(&r, A);
                y[i] = c + sigma * regret_rng_normal(&r);
            }
            regret_value_dr(dr, sndr, dm, &rows, zero, agent, A, NULL, NULL);
            dr2 += (dr[0] - c) * (dr[0] - c) / SAMPLES;
            sndr2 += (sndr[0] - c) * (sndr[0] - c) / SAMPLES;
        }
        double expected = (A * (sigma * sigma + c * c) - c * c) / N;
        cr_assert_lt(fabs(dr2 / expected - 1.0), 0.1, "DR: %g, expected %g", dr2, expected);
        cr_assert_lt(fabs(sndr2 * N / (A * sigma * sigma) - 1.0), 0.1, "SNDR: %g", sndr2);
        cr_assert(c == 0.0 || sndr2 < 0.3 * dr2);
    }
}

/* ---- In the world -----------------------------------------------------------------------------
 */

enum { W_CONTEXTS = 8, W_AGENTS = 5, W_DRAWS = 3, W_PAIRS = W_CONTEXTS * W_AGENTS * W_DRAWS };
enum { W_OBS = 600, W_EXP = 150, W_SAMPLES = 250 };

struct world_problem {
    struct random_sim sim;
    struct regret_controlled_world *world;
    double *phi, truth[W_AGENTS];
    uint32_t agent[W_PAIRS];
    unsigned char all[W_PAIRS];
    struct regret_rows obs;
};

static void make_problem(struct world_problem *p)
{
    struct regret_world_options o;
    memset(p, 0, sizeof *p);
    random_sim_make(&p->sim, 300, W_CONTEXTS, W_AGENTS, W_DRAWS, 9);
    regret_world_options_default(&o);
    o.shortlist = 2;
    o.labels = 4;
    p->world = random_world(&p->sim, &o);
    for (size_t i = 0; i < W_CONTEXTS * W_AGENTS; i++) {
        p->truth[i % W_AGENTS] += p->world->target[i] / W_CONTEXTS;
    }
    p->phi = calloc(W_PAIRS * p->sim.phi->cols, sizeof *p->phi);
    for (size_t i = 0; i < W_PAIRS; i++) {
        p->agent[i] = (uint32_t)(i / W_DRAWS % W_AGENTS);
        p->all[i] = 1;
        for (size_t e = p->sim.phi->row_start[i]; e < p->sim.phi->row_start[i + 1]; e++) {
            p->phi[p->sim.phi->column[e] * W_PAIRS + i] = p->sim.phi->value[e];
        }
    }
    cr_assert_eq(world_draw_obs(&p->obs, p->world, p->sim.split, 1.0, W_OBS, 1), REGRET_OK);
}

static void clear_problem(struct world_problem *p)
{
    regret_rows_clear(&p->obs);
    free(p->phi);
    regret_controlled_world_free(p->world);
    random_sim_clear(&p->sim);
}

/* The DM and DR values of a family on EXP sample `seed`. */
static void family_values(double *dm, double *dr, const struct world_problem *p, const char *name,
                          uint64_t seed)
{
    struct regret_rows exp;
    struct regret_folds *cv = NULL, *folds = NULL;
    struct regret_session *session = NULL;
    struct regret_estimate *e = NULL;
    struct regret_estimate_options o;
    double sndr[W_AGENTS];
    regret_estimate_options_default(&o);
    cr_assert_eq(world_draw_exp(&exp, p->world, p->sim.split, W_EXP, seed), REGRET_OK);
    cr_assert_eq(regret_folds_by_agent(&cv, &exp, W_PAIRS, p->agent, W_AGENTS, 5, seed), REGRET_OK);
    cr_assert_eq(regret_folds_by_row(&folds, &exp, W_PAIRS, 5, seed, REGRET_RNG_DR_FOLDS),
                 REGRET_OK);
    struct regret_problem problem = {
        .pairs = W_PAIRS,
        .agent = p->agent,
        .n_agents = W_AGENTS,
        .train = p->all,
        .phi = {.pairs = W_PAIRS, .dim = p->sim.phi->cols, .value = p->phi},
        .z = {.pairs = W_PAIRS, .dim = 4, .value = p->world->labels},
        .obs = &p->obs,
        .exp = &exp,
        .cv = cv,
        .dr = folds,
        .seed = seed};
    cr_assert_eq(regret_session_open(&session, &problem, &o), REGRET_OK);
    cr_assert_eq(regret_family_fit(&e, regret_family_find(name), session), REGRET_OK);
    regret_value_dm(dm, e->prediction, p->agent, p->all, W_PAIRS, W_AGENTS, NULL);
    regret_value_dr(dr, sndr, dm, &exp, e->cross_fit, p->agent, W_AGENTS, NULL, NULL);
    regret_estimate_free(e);
    regret_session_close(session);
    regret_folds_free(cv);
    regret_folds_free(folds);
    regret_rows_clear(&exp);
}

/* A confounded OBS surface (β = 1) is off by many standard errors as a plug-in; DR repairs it: over
 * 250 EXP samples the mean error of no agent exceeds 4 standard errors (chance of a false alarm
 * with fresh seeds: 5 agents × 6e-5 = 3e-4). Families that learn from EXP have the small bias of
 * their two plug-ins too, which stays below .01. */
Test(values, dr_repairs_a_confounded_surface_in_the_world)
{
    const char *const names[] = {"obs-only", "exp-only", "representation-exp", "cvci"};
    struct world_problem p;
    make_problem(&p);
    for (size_t family = 0; family < 4; family++) {
        double sum[W_AGENTS] = {0}, square[W_AGENTS] = {0}, dm[W_AGENTS], dr[W_AGENTS];
        double worst_dm = 0.0, slack = family == 0 ? 0.0 : 0.01;
        for (uint64_t s = 0; s < W_SAMPLES; s++) {
            family_values(dm, dr, &p, names[family], s);
            for (size_t a = 0; a < W_AGENTS; a++) {
                double error = dr[a] - p.truth[a];
                sum[a] += error / W_SAMPLES;
                square[a] += error * error / W_SAMPLES;
            }
        }
        for (size_t a = 0; a < W_AGENTS; a++) {
            double se = sqrt((square[a] - sum[a] * sum[a]) / W_SAMPLES);
            cr_assert_lt(fabs(sum[a]), 4.0 * se + slack, "%s, agent %zu: DR off by %g, SE %g",
                         names[family], a, sum[a], se);
            worst_dm = fmax(worst_dm, fabs(dm[a] - p.truth[a]) / se);
        }
        cr_assert(family > 0 || worst_dm > 10.0, "the plug-in is off by only %g SE", worst_dm);
    }
    clear_problem(&p);
}
