/* Plans against naive sums, and against trials that are simulated as planned. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate/internal.h"
#include "regret/evaluate.h"
#include "regret/report.h"
#include "regret/status.h"
#include "regret/task.h"
#include "stats/distributions.h"

enum { MOST = 40000 };

static void make(void *out, size_t n, size_t size)
{
    cr_assert_eq(regret_calloc(out, n, size, "a log"), REGRET_OK);
}

/* A log of agents "a0", "a1", … and, with n_tags above 0, as many tags; contexts are rows. */
static struct regret_log *made_log(size_t n_agents, size_t n_tags)
{
    struct regret_log *log;
    char name[32];
    make(&log, 1, sizeof *log);
    *log = (struct regret_log){
        .n_agents = n_agents, .n_tags = n_tags, .high = 1.0, .incumbent = n_agents};
    make(&log->agent, n_agents, sizeof *log->agent);
    for (size_t a = 0; a < n_agents; a++) {
        snprintf(name, sizeof name, "a%zu", a);
        cr_assert_eq(regret_strdup(&log->agent[a], name), REGRET_OK);
    }
    if (n_tags > 0) {
        make(&log->tags, n_tags, sizeof *log->tags);
        make(&log->tag, MOST, sizeof *log->tag);
        for (size_t g = 0; g < n_tags; g++) {
            snprintf(name, sizeof name, "tag%zu", g);
            cr_assert_eq(regret_strdup(&log->tags[g], name), REGRET_OK);
        }
    }
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        struct regret_log_rows *r = &log->rows[s];
        make(&r->context, MOST, sizeof *r->context);
        make(&r->agent, MOST, sizeof *r->agent);
        make(&r->outcome, MOST, sizeof *r->outcome);
        make(&r->propensity, MOST, sizeof *r->propensity);
        make(&r->cluster, MOST, sizeof *r->cluster);
        make(&r->line, MOST, sizeof *r->line);
    }
    return log;
}

static void made_row(struct regret_log *log, enum regret_log_source source, size_t tag,
                     size_t agent, double outcome, double propensity, size_t cluster)
{
    struct regret_log_rows *r = &log->rows[source];
    size_t i = r->n++;
    cr_assert_lt(log->n_contexts, MOST);
    if (log->tag != NULL) {
        log->tag[log->n_contexts] = (uint32_t)tag;
    }
    r->context[i] = (uint32_t)log->n_contexts++;
    r->agent[i] = (uint32_t)agent;
    r->outcome[i] = outcome;
    r->propensity[i] = propensity;
    r->cluster[i] = (uint32_t)cluster;
    log->n_clusters = cluster >= log->n_clusters ? cluster + 1 : log->n_clusters;
}

/* Beta(mean, variance) on [0,1]; the mean itself where the variance is 0. */
static double made_outcome(struct regret_rng *rng, double mean, double variance)
{
    if (!(variance > 0.0)) {
        return mean;
    }
    double size = mean * (1.0 - mean) / variance - 1.0;
    cr_assert_gt(size, 0.0);
    return regret_rng_beta(rng, mean * size, (1.0 - mean) * size);
}

/* A pilot in which agent a's outcomes have mean[a] and sd[a], of `rows` rows dealt in turn; a cluster a row. */
static struct regret_log *made_pilot(size_t n_agents, const double *mean, const double *sd,
                                     size_t rows, uint64_t seed)
{
    struct regret_log *log = made_log(n_agents, 0);
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_TEST, 31);
    for (size_t i = 0; i < rows; i++) {
        size_t a = i % n_agents;
        made_row(log, REGRET_LOG_EXP, 0, a, made_outcome(&rng, mean[a], sd[a] * sd[a]),
                 1.0 / (double)n_agents, i);
    }
    return log;
}

#ifdef REGRET_FEW_REPLICATES
enum { TRIALS = 300 };
#else
enum { TRIALS = 3000 };
#endif

static struct regret_trial_plan *planned(const struct regret_log *log,
                                         const struct regret_trial_plan_options *options)
{
    struct regret_trial_plan *plan;
    cr_assert_eq(regret_trial_plan(&plan, log, options), REGRET_OK, "%s", regret_error_message());
    return plan;
}

/* ---------------------------------------------------------------- the pilot by naive sums */

enum { N_AGENTS = 3, N_TAGS = 2, N_CELLS = 6, N_ROWS = 120, REFERENCE = 1 };
static const uint32_t everyone[] = {0, 1, 2, 3, 4, 5};

static struct regret_log *clustered_log(uint64_t seed)
{
    struct regret_log *log = made_log(N_AGENTS, N_TAGS);
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_TEST, 77);
    double user[40][N_AGENTS];
    for (size_t c = 0; c < 40; c++) {
        for (size_t a = 0; a < N_AGENTS; a++) {
            user[c][a] = 0.1 * regret_rng_normal(&rng);
        }
    }
    for (size_t i = 0; i < N_ROWS; i++) {
        size_t a = regret_rng_below(&rng, N_AGENTS), g = regret_rng_below(&rng, N_TAGS), c = i % 40;
        double y = 0.4 + 0.1 * (double)(a + g) + user[c][a] + 0.1 * regret_rng_normal(&rng);
        made_row(log, REGRET_LOG_EXP, g, a, fmin(1.0, fmax(0.0, y)),
                 g == 0 ? 0.2 + 0.1 * (double)a : 1.0 / 3.0, c);
    }
    return log;
}

struct naive {
    double share[N_TAGS], rows[N_CELLS], weight[N_CELLS], mean[N_CELLS], squares[N_CELLS];
    double part[N_ROWS]; /* in the value of its agent */
    double prior;        /* rows of drawing together */
};

static struct naive naive_sums(const struct regret_log *log)
{
    struct naive s = {.share = {0.0}};
    const struct regret_log_rows *r = &log->rows[REGRET_LOG_EXP];
    double squares = 0.0, fourth = 0.0;
    for (size_t k = 0; k < N_CELLS; k++) {
        double sum = 0.0;
        for (size_t i = 0; i < r->n; i++) {
            int here = log->tag[r->context[i]] == k / N_AGENTS && r->agent[i] == k % N_AGENTS;
            s.share[k / N_AGENTS] +=
                k % N_AGENTS == 0 && log->tag[r->context[i]] == k / N_AGENTS ? 1.0 / N_ROWS : 0.0;
            s.rows[k] += here;
            s.weight[k] += here ? 1.0 / r->propensity[i] : 0.0;
            sum += here ? r->outcome[i] / r->propensity[i] : 0.0;
        }
        s.mean[k] = sum / s.weight[k];
    }
    for (size_t i = 0; i < r->n; i++) {
        size_t k = log->tag[r->context[i]] * N_AGENTS + r->agent[i];
        double e = r->outcome[i] - s.mean[k], w = 1.0 / r->propensity[i] / s.weight[k];
        s.squares[k] += s.rows[k] * w * e * e;
        s.part[i] = s.share[k / N_AGENTS] * w * e;
        squares += e * e;
        fourth += pow(e, 4.0);
    }
    s.prior = 4.0 * fmax(1.0, (r->n * fourth / squares / squares - 1.0) / 2.0);
    return s;
}

/* Σ over pairs of different rows of one cluster. */
static double naive_pairs(const struct regret_log *log, const struct naive *s, size_t a, size_t b)
{
    const struct regret_log_rows *r = &log->rows[REGRET_LOG_EXP];
    double sum = 0.0;
    for (size_t i = 0; i < r->n; i++) {
        for (size_t j = 0; j < r->n; j++) {
            int counts =
                i != j && r->cluster[i] == r->cluster[j] && r->agent[i] == a && r->agent[j] == b;
            sum += counts ? s->part[i] * s->part[j] : 0.0;
        }
    }
    return sum;
}

Test(trial_plan, pilot_is_that_of_naive_sums)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct regret_log *log = clustered_log(seed);
        struct naive s = naive_sums(log);
        struct pilot p;
        double squares = 0.0, freedom = 0.0;
        cr_assert_eq(pilot_make(&p, log, everyone, N_AGENTS, REFERENCE), REGRET_OK);
        cr_assert_eq(p.n_clusters, 40);
        for (size_t k = 0; k < N_CELLS; k++) {
            squares += s.squares[k];
            freedom += s.rows[k] - 1.0;
            cr_assert_float_eq(p.cell[k].mean, s.mean[k], 1e-12);
            cr_assert_eq((double)p.cell[k].rows, s.rows[k]);
        }
        for (size_t a = 0; a < N_AGENTS; a++) {
            size_t first = a, second = a + N_AGENTS;
            double within = (s.squares[first] + s.squares[second] + s.prior * squares / freedom) /
                            (s.rows[first] + s.rows[second] - 2.0 + s.prior);
            double own = naive_pairs(log, &s, a, a),
                   reference = naive_pairs(log, &s, REFERENCE, REFERENCE);
            double pairs = own + reference - 2.0 * naive_pairs(log, &s, a, REFERENCE);
            double mean = s.share[0] * s.mean[first] + s.share[1] * s.mean[second];
            double v0 = (s.squares[first] + s.prior * within) / (s.rows[first] - 1.0 + s.prior);
            double v1 = (s.squares[second] + s.prior * within) / (s.rows[second] - 1.0 + s.prior);
            double gap = s.mean[first] - s.mean[second];
            double chance = s.share[0] * s.share[1] * (v0 / s.rows[first] + v1 / s.rows[second]);
            double between = fmax(0.0, s.share[0] * s.share[1] * gap * gap - chance);
            cr_assert_float_eq(p.agent[a].within, within, 1e-12);
            cr_assert_float_eq(p.cell[first].variance, v0, 1e-12);
            cr_assert_float_eq(p.mean[a], mean, 1e-12);
            cr_assert_float_eq(p.agent[a].excess, fmax(0.0, N_ROWS * own), 1e-12);
            cr_assert_float_eq(p.agent[a].excess_difference,
                               a == REFERENCE ? 0.0 : fmax(0.0, N_ROWS * pairs), 1e-12);
            cr_assert_float_eq(p.agent[a].between, between, 1e-12, "%.17g %.17g",
                               p.agent[a].between, between);
            double se2 = s.share[0] * s.share[0] * v0 / s.rows[first] +
                         s.share[1] * s.share[1] * v1 / s.rows[second] +
                         (p.agent[a].excess + between) / N_ROWS;
            cr_assert_float_eq(p.se2[a], se2, 1e-12);
        }
        pilot_clear(&p);
        regret_log_free(log);
    }
}

/* ---------------------------------------------------------------- promises */

enum { AGENTS = 4 };
static const double MEAN[AGENTS] = {0.50, 0.58, 0.45, 0.55}, SD[AGENTS] = {0.10, 0.30, 0.20, 0.05};

static struct regret_trial_plan_options heteroscedastic(size_t n)
{
    struct regret_trial_plan_options o = REGRET_TRIAL_PLAN_OPTIONS_INIT;
    o.n = n;
    o.incumbent = 0;
    return o;
}

/* Means and their variances of a trial of n rows with the shares, rows rounded. */
static void run_trial(double *mean, double *variance, size_t *rows, const double *share, size_t n,
                      struct regret_rng *rng)
{
    for (size_t a = 0; a < AGENTS; a++) {
        double sum = 0.0, squares = 0.0, m;
        rows[a] = (size_t)lround(share[a] * (double)n);
        m = (double)rows[a];
        for (size_t i = 0; i < rows[a]; i++) {
            double y = made_outcome(rng, MEAN[a], SD[a] * SD[a]);
            sum += y;
            squares += y * y;
        }
        mean[a] = sum / m;
        variance[a] = (squares - sum * sum / m) / (m - 1.0) / m;
    }
}

static double difference_half(const double *variance, const size_t *rows, size_t a, double level)
{
    double v = variance[a], w = variance[0];
    double df = (v + w) * (v + w) / (v * v / (double)(rows[a] - 1) + w * w / (double)(rows[0] - 1));
    return regret_student_quantile(0.5 + 0.5 * level, df) * sqrt(v + w);
}

Test(trial_plan, simulated_trials_are_as_wide_as_promised_and_cover)
{
    struct regret_log *pilot = made_pilot(AGENTS, MEAN, SD, 20000, 1);
    struct regret_trial_plan_options o = heteroscedastic(400);
    struct regret_trial_plan *plan = planned(pilot, &o);
    for (size_t k = 0; k < 3; k++) {
        const struct regret_trial_width *w = plan->width[k];
        while (w->n != 400) {
            w++;
        }
        double widest = 0.0, value = 0.0, together = 0.0, covered = 0.0, all = 0.0;
        for (size_t t = 0; t < TRIALS; t++) {
            double mean[AGENTS], variance[AGENTS], largest = 0.0, largest_value = 0.0,
                                                   largest_all = 0.0;
            size_t rows[AGENTS], inside = 0;
            struct regret_rng rng = regret_rng_at(12, REGRET_RNG_TEST, t);
            run_trial(mean, variance, rows, plan->share[k], 400, &rng);
            for (size_t a = 1; a < AGENTS; a++) {
                double error = fabs(mean[a] - mean[0] - (MEAN[a] - MEAN[0]));
                double half = difference_half(variance, rows, a, 0.95);
                double wide = difference_half(variance, rows, a, 1.0 - 0.05 / 3.0);
                largest = fmax(largest, half);
                largest_all = fmax(largest_all, wide);
                inside += error <= wide;
                covered += error <= half ? 1.0 / (3.0 * TRIALS) : 0.0;
            }
            for (size_t a = 0; a < AGENTS; a++) {
                largest_value =
                    fmax(largest_value,
                         regret_student_quantile(0.975, (double)rows[a] - 1.0) * sqrt(variance[a]));
            }
            widest += largest / TRIALS;
            together += largest_all / TRIALS;
            value += largest_value / TRIALS;
            all += inside == AGENTS - 1 ? 1.0 / TRIALS : 0.0;
        }
        cr_assert_float_eq(widest / w->difference, 1.0, 0.03, "%zu: %g, promised %g", k, widest,
                           w->difference);
        cr_assert_float_eq(together / w->simultaneous, 1.0, 0.03, "%zu: %g, promised %g", k,
                           together, w->simultaneous);
        cr_assert_float_eq(value / w->value, 1.0, 0.03, "%zu: %g, promised %g", k, value, w->value);
        double error = 4.0 * sqrt(0.05 * 0.95 / TRIALS);
        cr_assert_float_eq(covered, 0.95, error + 0.005, "%zu: %g", k, covered);
        cr_assert_geq(all, 0.95 - error - 0.005, "%zu: %g", k, all);
    }
    regret_trial_plan_free(plan);
    regret_log_free(pilot);
}

Test(trial_plan, simulated_trials_of_the_planned_rows_find_the_difference)
{
    struct regret_log *pilot = made_pilot(AGENTS, MEAN, SD, 20000, 2);
    struct regret_trial_plan_options o = heteroscedastic(400);
    struct regret_trial_plan *plan = planned(pilot, &o);
    cr_assert_eq(plan->best, 1);
    for (size_t k = 0; k < 3; k++) {
        double found = 0.0, error = 4.0 * sqrt(0.2 * 0.8 / TRIALS);
        const double together = 1.0 - 0.05 / (AGENTS - 1);
        for (size_t t = 0; t < TRIALS; t++) {
            double mean[AGENTS], variance[AGENTS];
            size_t rows[AGENTS];
            struct regret_rng rng = regret_rng_at(13, REGRET_RNG_TEST, t);
            run_trial(mean, variance, rows, plan->share[k], plan->for_best[k], &rng);
            found += mean[1] - mean[0] > difference_half(variance, rows, 1, together) ? 1.0 / TRIALS
                                                                                      : 0.0;
        }
        cr_assert_float_eq(found, 0.8, error + 0.02, "%zu: %g with %zu rows", k, found,
                           plan->for_best[k]);
        cr_assert_geq(plan->for_best_safe[k], plan->for_best[k]);
    }
    regret_trial_plan_free(plan);
    regret_log_free(pilot);
}

Test(trial_plan, small_pilots_are_at_their_safe_side_four_times_of_five)
{
    size_t held = 0, n = 250;
    for (size_t t = 0; t < n; t++) {
        struct regret_log *pilot = made_pilot(AGENTS, MEAN, SD, 80, 100 + t);
        struct regret_trial_plan_options o = heteroscedastic(400);
        struct regret_trial_plan *plan = planned(pilot, &o);
        held += plan->agent[1].safe >= SD[1];
        cr_assert_geq(plan->agent[1].safe, plan->agent[1].deviation);
        regret_trial_plan_free(plan);
        regret_log_free(pilot);
    }
    cr_assert_geq((double)held / (double)n, 0.8 - 0.08, "%zu of %zu", held, n);
}

Test(trial_plan, neyman_beats_uniform_and_every_other_division)
{
    struct regret_log *pilot = made_pilot(AGENTS, MEAN, SD, 20000, 3);
    struct regret_trial_plan_options o = heteroscedastic(400);
    struct regret_trial_plan *plan = planned(pilot, &o);
    struct regret_rng rng = regret_rng_at(14, REGRET_RNG_TEST, 0);
    double seen[3] = {0.0}; /* Σ of squared errors of differences, simulated */
    for (size_t k = 0; k < 3; k++) {
        for (size_t t = 0; t < TRIALS; t++) {
            double mean[AGENTS], variance[AGENTS];
            size_t rows[AGENTS];
            run_trial(mean, variance, rows, plan->share[k], 400, &rng);
            for (size_t a = 1; a < AGENTS; a++) {
                seen[k] += pow(mean[a] - mean[0] - (MEAN[a] - MEAN[0]), 2.0) / TRIALS;
            }
        }
    }
    /* Neyman's optimum: (√3·sd_0 + Σ sd)² against 4·(3·sd_0² + Σ sd²). */
    double optimum = pow(sqrt(3.0) * SD[0] + SD[1] + SD[2] + SD[3], 2.0);
    double alike = 4.0 * (3.0 * SD[0] * SD[0] + SD[1] * SD[1] + SD[2] * SD[2] + SD[3] * SD[3]);
    double ratio = seen[REGRET_TRIAL_NEYMAN_DIFFERENCES] / seen[REGRET_TRIAL_UNIFORM];
    cr_assert_float_eq(ratio, optimum / alike, 4.0 * sqrt(2.0 / TRIALS), "%g", ratio);
    cr_assert_lt(optimum / alike, 0.81);
    struct pilot p;
    cr_assert_eq(pilot_make(&p, pilot, everyone, AGENTS, 0), REGRET_OK);
    const double *differences = plan->share[REGRET_TRIAL_NEYMAN_DIFFERENCES];
    const double *values = plan->share[REGRET_TRIAL_NEYMAN_VALUES];
    for (size_t t = 0; t < 500; t++) {
        double share[AGENTS], all = 0.0, gain[2] = {0.0};
        for (size_t a = 0; a < AGENTS; a++) {
            all += share[a] = -log(regret_rng_uniform(&rng));
        }
        for (size_t a = 0; a < AGENTS; a++) {
            share[a] /= all;
        }
        for (size_t a = 0; a < AGENTS; a++) {
            gain[0] += pilot_difference_variance(&p, share, NULL, a, 0) -
                       pilot_difference_variance(&p, differences, NULL, a, 0);
            gain[1] += pilot_value_variance(&p, share, NULL, a) -
                       pilot_value_variance(&p, values, NULL, a);
        }
        cr_assert(gain[0] >= -1e-12 && gain[1] >= -1e-12);
    }
    pilot_clear(&p);
    regret_trial_plan_free(plan);
    regret_log_free(pilot);
}

/* ---------------------------------------------------------------- invariances */

static struct regret_log *turned(const struct regret_log *log, const size_t *agent, int backwards,
                                 int is_complement, double scale)
{
    struct regret_log *out = made_log(log->n_agents, log->n_tags);
    const struct regret_log_rows *r = &log->rows[REGRET_LOG_EXP];
    for (size_t j = 0; j < r->n; j++) {
        size_t i = backwards ? r->n - 1 - j : j;
        double y = scale * (is_complement ? 1.0 - r->outcome[i] : r->outcome[i]);
        made_row(out, REGRET_LOG_EXP, log->tag != NULL ? log->tag[r->context[i]] : 0,
                 agent[r->agent[i]], y, r->propensity[i], r->cluster[i]);
    }
    return out;
}

static void same_plans(const struct regret_trial_plan *a, const struct regret_trial_plan *b,
                       const size_t *agent, double scale)
{
    for (size_t k = 0; k < REGRET_TRIAL_ALLOCATIONS; k++) {
        for (size_t c = 0; c < a->n_agents; c++) {
            cr_assert_float_eq(a->share[k][c], b->share[k][agent[c]], 1e-6, "%zu %zu", k, c);
        }
        for (size_t i = 0; i < a->n_grid; i++) {
            const struct regret_trial_width *w = &a->width[k][i], *v = &b->width[k][i];
            cr_assert_eq(w->n, v->n);
            cr_assert_float_eq(scale * w->simultaneous, v->simultaneous, 1e-6);
            cr_assert_float_eq(scale * w->value, v->value, 1e-6);
            cr_assert_float_eq(scale * w->safe, v->safe, 1e-6);
        }
    }
}

Test(trial_plan, names_and_order_do_not_matter)
{
    static const size_t same[] = {0, 1, 2}, other[] = {2, 0, 1};
    struct regret_log *log = clustered_log(3), *backwards = turned(log, same, 1, 0, 1.0);
    struct regret_log *renamed = turned(log, other, 0, 0, 1.0),
                      *half = turned(log, same, 0, 0, 0.5);
    struct regret_log *complement = turned(log, same, 0, 1, 1.0);
    struct regret_trial_plan_options o = REGRET_TRIAL_PLAN_OPTIONS_INIT;
    o.incumbent = 1;
    struct regret_trial_plan *plan = planned(log, &o), *p = planned(backwards, &o);
    same_plans(plan, p, same, 1.0);
    regret_trial_plan_free(p);
    p = planned(half, &o);
    same_plans(plan, p, same, 0.5);
    regret_trial_plan_free(p);
    p = planned(complement, &o);
    same_plans(plan, p, same, 1.0);
    regret_trial_plan_free(p);
    o.incumbent = 0;
    p = planned(renamed, &o);
    same_plans(plan, p, other, 1.0);
    regret_trial_plan_free(p);
    regret_trial_plan_free(plan);
    struct regret_log *logs[] = {log, backwards, renamed, half, complement};
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        regret_log_free(logs[i]);
    }
}

Test(trial_plan, more_rows_leave_less_and_needs_are_the_least)
{
    struct regret_log *log = clustered_log(4);
    struct regret_trial_plan_options o = REGRET_TRIAL_PLAN_OPTIONS_INIT;
    static const size_t grid[] = {5000, 50, 300, 300, 1000};
    o.grid = grid;
    o.n_grid = 5;
    o.incumbent = 0;
    o.half_width = 0.05;
    struct regret_trial_plan *plan = planned(log, &o);
    cr_assert_eq(plan->n_grid, 4);
    for (size_t k = 0; k < REGRET_TRIAL_ALLOCATIONS; k++) {
        double sum = 0.0;
        for (size_t a = 0; a < N_AGENTS; a++) {
            cr_assert_gt(plan->share[k][a], 0.0);
            sum += plan->share[k][a];
        }
        cr_assert_float_eq(sum, 1.0, 1e-9);
        for (size_t i = 0; i < plan->n_grid; i++) {
            const struct regret_trial_width *w = &plan->width[k][i];
            cr_assert(i == 0 || (w->n > w[-1].n && w->simultaneous < w[-1].simultaneous));
            cr_assert(w->difference < w->simultaneous && w->simultaneous <= w->safe);
            cr_assert((w->simultaneous <= o.half_width) == (w->n >= plan->for_width[k]));
            cr_assert((w->safe <= o.half_width) == (w->n >= plan->for_width_safe[k]));
        }
    }
    regret_trial_plan_free(plan);
    regret_log_free(log);
}

Test(trial_plan, rows_of_one_user_count_for_less)
{
    struct regret_log *apart = clustered_log(5), *together = clustered_log(5);
    struct regret_log_rows *r = &apart->rows[REGRET_LOG_EXP];
    for (size_t i = 0; i < r->n; i++) {
        r->cluster[i] = (uint32_t)i;
    }
    struct pilot p, q;
    cr_assert_eq(pilot_make(&p, apart, everyone, N_AGENTS, 0), REGRET_OK);
    cr_assert_eq(pilot_make(&q, together, everyone, N_AGENTS, 0), REGRET_OK);
    for (size_t a = 0; a < N_AGENTS; a++) {
        cr_assert_eq(p.agent[a].excess, 0.0);
        cr_assert_eq(p.agent[a].excess_difference, 0.0);
        cr_assert_geq(q.se2[a], p.se2[a]);
    }
    cr_assert_gt(q.agent[0].excess + q.agent[1].excess + q.agent[2].excess, 0.0);
    pilot_clear(&p);
    pilot_clear(&q);
    regret_log_free(apart);
    regret_log_free(together);
}

/* ---------------------------------------------------------------- little or nothing */

/* Agent 1 comes when outcomes have risen by .3, and agent 2 is gone by then: believed is what each was beside the reference. */
Test(trial_plan, agents_that_come_and_go_are_compared_where_both_were_on_offer)
{
    struct regret_log *log = made_log(3, 1);
    struct regret_rng rng = regret_rng_at(5, REGRET_RNG_TEST, 1);
    static const double effect[] = {0.0, 0.1, -0.1};
    uint32_t place[] = {0, 1, 2}, offer[400];
    uint64_t on_offer[] = {5, 3};
    struct pilot p;
    for (size_t i = 0; i < 400; i++) {
        size_t late = i >= 200, a = regret_rng_uniform(&rng) < 0.5 ? 0 : late ? 1 : 2;
        double y = 0.3 + 0.3 * (double)late + effect[a] + 0.05 * regret_rng_normal(&rng);
        made_row(log, REGRET_LOG_EXP, 0, a, y, 0.5, i);
        offer[i] = (uint32_t)late;
    }
    log->n_offers = 2;
    log->on_offer = on_offer;
    log->rows[REGRET_LOG_EXP].offer = offer;
    for (size_t reference = 0; reference < 2; reference++) {
        cr_assert_eq(pilot_make(&p, log, place, 3, reference), REGRET_OK);
        double d = p.mean[1] - p.mean[0];
        cr_expect(fabs(d - 0.1) < 0.03, "%g", d);
        if (reference == 0) {
            cr_expect(fabs(p.mean[2] - p.mean[0] + 0.1) < 0.03);
        } else {
            cr_expect(isnan(p.mean[2]) && isinf(p.se2[2]), "never beside agent 1");
        }
        pilot_clear(&p);
    }
    log->on_offer = NULL;
    log->rows[REGRET_LOG_EXP].offer = NULL;
    regret_log_free(log);
}

/* ---------------------------------------------------------------- the prior */

Test(trial_plan, prior_finds_how_much_agents_differ)
{
    enum { MANY = 200 };
    static const double planted[] = {0.02, 0.05, 0.15};
    double mean[MANY], se2[MANY];
    for (size_t t = 0; t < 3; t++) {
        struct regret_rng rng = regret_rng_at(9, REGRET_RNG_TEST, t);
        for (size_t a = 0; a < MANY; a++) {
            se2[a] = a % 10 == 0 ? INFINITY : pow(0.01 + 0.03 * regret_rng_uniform(&rng), 2.0);
            mean[a] = isfinite(se2[a]) ? 0.4 + planted[t] * regret_rng_normal(&rng) +
                                             sqrt(se2[a]) * regret_rng_normal(&rng)
                                       : NAN;
        }
        struct prior p = prior_fit(mean, se2, MANY);
        cr_assert_float_eq(p.deviation / planted[t], 1.0, 0.25);
        cr_assert_float_eq(p.centre, 0.4, 4.0 * (planted[t] + 0.03) / sqrt(MANY));
    }
    se2[0] = INFINITY;
    struct prior none = prior_fit(mean, se2, 1);
    cr_assert_eq(none.centre, 0.5);
    cr_assert(none.deviation > 0.0 && none.deviation <= 0.5);
}
