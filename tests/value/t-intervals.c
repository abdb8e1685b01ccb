/* Intervals of values against loops that resample with the same streams. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regret/evaluate.h"
#include "regret/status.h"
#include "regret/task.h"
#include "stats/distributions.h"

enum { AGENTS = 3, CONTEXTS = 12, PAIRS = AGENTS * CONTEXTS * 2, EXP = 30, B = 200 };
enum { WIDTH = REGRET_N_VALUES * AGENTS };

struct setting {
    uint32_t agent[PAIRS], context[PAIRS], pair[EXP];
    unsigned char eval[PAIRS];
    double prediction[PAIRS], plug_in[PAIRS], y[EXP], cross_fit[EXP];
    struct regret_rows exp;
    struct regret_interval value[WIDTH], difference[WIDTH * AGENTS];
};

static void draw(struct setting *s, uint64_t seed)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 82);
    for (uint32_t p = 0; p < PAIRS; p++) {
        s->agent[p] = p / 2 % AGENTS;
        s->context[p] = p / (2 * AGENTS);
        s->eval[p] = s->context[p] % 3 != 1;
        s->prediction[p] = regret_rng_uniform(&r);
        s->plug_in[p] = regret_rng_uniform(&r);
    }
    for (size_t i = 0; i < EXP; i++) {
        s->pair[i] = regret_rng_below(&r, PAIRS);
        s->y[i] = regret_rng_uniform(&r);
        s->cross_fit[i] = regret_rng_uniform(&r);
    }
    s->exp = (struct regret_rows){.n = EXP, .pair = s->pair, .y = s->y};
}

static struct regret_value_problem problem_of(const struct setting *s)
{
    return (struct regret_value_problem){.prediction = s->prediction,
                                         .plug_in = s->plug_in,
                                         .cross_fit = s->cross_fit,
                                         .exp = &s->exp,
                                         .agent = s->agent,
                                         .context = s->context,
                                         .eval = s->eval,
                                         .pairs = PAIRS,
                                         .n_agents = AGENTS,
                                         .n_contexts = CONTEXTS};
}

static int find(struct setting *s, size_t replicates, double level)
{
    const struct regret_value_bootstrap how = {replicates, level, 17};
    const struct regret_value_problem problem = problem_of(s);
    return regret_value_intervals(s->value, s->difference, &problem, &how);
}

/* Without residuals, which would say what the surface misses: DM is of the surface's own mean. */
static int find_blind(struct setting *s, size_t replicates, double level)
{
    const struct regret_value_bootstrap how = {replicates, level, 17};
    struct regret_value_problem problem = problem_of(s);
    problem.cross_fit = NULL;
    return regret_value_intervals(s->value, s->difference, &problem, &how);
}

/* ---- The same by hand ----------------------------------------------------------------------- */

/* The parts of every value, of contexts drawn with these weights. */
static void surface_parts(double out[WIDTH], const struct setting *s, const double *weight)
{
    for (size_t v = 0; v < WIDTH; v++) {
        const double *f = v < AGENTS ? s->prediction : s->plug_in;
        double sum = 0.0, count = 0.0;
        for (size_t p = 0; p < PAIRS; p++) {
            double w = s->eval[p] && s->agent[p] == v % AGENTS ? weight[s->context[p]] : 0.0;
            sum += w * f[p];
            count += w;
        }
        out[v] = sum / count;
    }
}

static void correction_parts(double out[WIDTH], const struct setting *s, const double *weight)
{
    double all = 0.0;
    for (size_t i = 0; i < s->exp.n; i++) {
        all += weight[s->context[s->pair[i]]];
    }
    for (size_t v = 0; v < WIDTH; v++) {
        double sum = 0.0, rows = 0.0;
        for (size_t i = 0; i < s->exp.n; i++) {
            double w = s->agent[s->pair[i]] == v % AGENTS ? weight[s->context[s->pair[i]]] : 0.0;
            sum += w * (s->y[i] - s->cross_fit[i]);
            rows += w;
        }
        out[v] = v < AGENTS       ? 0.0
                 : v < 2 * AGENTS ? AGENTS * sum / all
                 : rows > 0.0     ? sum / rows
                                  : 0.0;
    }
}

/* Weights of resample b of the listed contexts. */
static void draw_weights(double weight[CONTEXTS], const uint32_t *listed, uint32_t n,
                         uint64_t stream)
{
    struct regret_rng r = regret_rng_at(17, REGRET_RNG_BOOTSTRAP, stream);
    memset(weight, 0, CONTEXTS * sizeof *weight);
    for (uint32_t i = 0; i < n; i++) {
        weight[listed[regret_rng_below(&r, n)]] += 1.0;
    }
}

/* Contexts with evaluation pairs, or with EXP rows (of one agent, or of any: AGENTS). */
static uint32_t list_contexts(uint32_t *listed, const struct setting *s, int of_exp, size_t agent)
{
    uint32_t n = 0;
    for (uint32_t x = 0; x < CONTEXTS; x++) {
        int in = 0;
        for (size_t p = 0; !of_exp && p < PAIRS; p++) {
            in |= s->eval[p] && s->context[p] == x;
        }
        for (size_t i = 0; of_exp && i < s->exp.n; i++) {
            in |= s->context[s->pair[i]] == x && (agent == AGENTS || s->agent[s->pair[i]] == agent);
        }
        if (in) {
            listed[n++] = x;
        }
    }
    return n;
}

static double variance_of(const double *x)
{
    double mean = 0.0, squares = 0.0;
    for (size_t b = 0; b < B; b++) {
        mean += x[b] / B;
    }
    for (size_t b = 0; b < B; b++) {
        squares += (x[b] - mean) * (x[b] - mean);
    }
    return squares / (B - 1);
}

struct replicates {
    double surface[B][WIDTH], correction[B][WIDTH];
    double surface_point[WIDTH], correction_point[WIDTH];
    double own[WIDTH], moderated[WIDTH], df[WIDTH]; /* of corrections, in closed form */
    uint32_t n_eval, n_exp, clusters[AGENTS];
};

/* Variances of the corrections one by one and drawn together (protocol section 6): contexts as clusters, all weighing
 * one, so that a row's is AGENTS, or an agent's rows, times that of a correction. */
static void moderate(struct replicates *r, const struct setting *s, size_t kind)
{
    double per_row[AGENTS], noise[AGENTS], rows[AGENTS], df[AGENTS];
    double mean = 0.0, all = 0.0, spread = 0.0, noises = 0.0, n = 0.0;
    int is_dr = kind == REGRET_VALUE_DR;
    for (size_t a = 0; a < AGENTS; a++) {
        double top[CONTEXTS] = {0}, bottom[CONTEXTS] = {0}, total = 0.0, squares = 0.0, v = 0.0;
        double m = is_dr ? r->n_exp : r->clusters[a],
               point = r->correction_point[kind * AGENTS + a];
        for (size_t i = 0; i < s->exp.n; i++) {
            int mine = s->agent[s->pair[i]] == a;
            size_t x = s->context[s->pair[i]];
            top[x] += mine ? (s->y[i] - s->cross_fit[i]) * (is_dr ? AGENTS : 1) : 0.0;
            bottom[x] += mine || is_dr;
            total += mine || is_dr;
        }
        for (size_t x = 0; x < CONTEXTS; x++) {
            double z = pow((top[x] - point * bottom[x]) / total, 2.0) * m / (m - 1.0);
            v += z;
            squares += z * z;
        }
        df[a] = m < 2.0 ? 0.0 : m - 1.0;
        rows[a] = is_dr ? 1.0 : total;
        r->own[kind * AGENTS + a] = df[a] > 0.0 ? v : 0.0;
        per_row[a] = v * rows[a];
        noise[a] = (squares - v * v / m) * m / (m - 1.0) * rows[a] * rows[a];
        all += df[a];
        n += df[a] > 0.0;
        mean += df[a] > 0.0 ? df[a] * per_row[a] : 0.0;
    }
    mean /= all;
    for (size_t a = 0; a < AGENTS; a++) {
        spread += df[a] > 0.0 ? df[a] * pow(per_row[a] - mean, 2.0) * n / (n - 1.0) : 0.0;
        noises += df[a] > 0.0 ? df[a] * noise[a] : 0.0;
    }
    for (size_t a = 0; a < AGENTS; a++) {
        double drawn = df[a] == 0.0 ? 1.0 : n < 2.0 ? 0.0 : fmin(noises / spread, 1.0);
        double own = df[a] == 0.0 ? 0.0 : (1.0 - drawn) * per_row[a];
        r->moderated[kind * AGENTS + a] = (own + drawn * mean) / rows[a];
        r->df[kind * AGENTS + a] = 1.0 / ((df[a] == 0.0 ? 0.0 : pow(1.0 - drawn, 2.0) / df[a]) +
                                          drawn * (2.0 - drawn) / all);
    }
}

/* What is moderated of v, less w unless that is v; agents without rows have nothing. Returns how many times the
 * bootstrap's what it was before is: NaN where one has none of its own. */
static double drawn_together(double *variance, double *df, const struct replicates *r, size_t v,
                             size_t w)
{
    double own = 0.0, squares = 0.0;
    *variance = 0.0;
    for (size_t i = v;; i = w) {
        if (r->clusters[i % AGENTS] > 0) {
            *variance += r->moderated[i];
            squares += r->moderated[i] * r->moderated[i] / r->df[i];
            own += r->own[i] > 0.0 ? r->own[i] : NAN;
        }
        if (i == w) {
            break;
        }
    }
    *df = squares > 0.0 ? *variance * *variance / squares : 1.0;
    return own;
}

static void replicate_all(struct replicates *r, const struct setting *s)
{
    uint32_t evaluated[CONTEXTS], tried[CONTEXTS], other[CONTEXTS];
    double weight[CONTEXTS];
    r->n_eval = list_contexts(evaluated, s, 0, AGENTS);
    r->n_exp = list_contexts(tried, s, 1, AGENTS);
    for (size_t a = 0; a < AGENTS; a++) {
        r->clusters[a] = list_contexts(other, s, 1, a);
    }
    for (uint64_t b = 0; b < B; b++) {
        draw_weights(weight, evaluated, r->n_eval, b);
        surface_parts(r->surface[b], s, weight);
        draw_weights(weight, tried, r->n_exp, ((uint64_t)1 << 32) + b);
        correction_parts(r->correction[b], s, weight);
    }
    for (size_t x = 0; x < CONTEXTS; x++) {
        weight[x] = 1.0;
    }
    surface_parts(r->surface_point, s, weight);
    correction_parts(r->correction_point, s, weight);
    moderate(r, s, REGRET_VALUE_DR);
    moderate(r, s, REGRET_VALUE_SNDR);
}

/* Value v, less value w unless that is WIDTH. */
static void expect_interval(struct regret_interval found, const struct replicates *r, size_t v,
                            size_t w, double level)
{
    static double x[B], y[B];
    size_t kind = v / AGENTS, a = v % AGENTS, b = w < WIDTH ? w % AGENTS : a;
    double less = w < WIDTH ? 1.0 : 0.0, n = r->n_exp;
    w = w < WIDTH ? w : v;
    for (size_t i = 0; i < B; i++) {
        x[i] = r->surface[i][v] - less * r->surface[i][w];
        y[i] = r->correction[i][v] - less * r->correction[i][w];
    }
    if (kind == REGRET_VALUE_SNDR) {
        n = r->clusters[a] < r->clusters[b] ? r->clusters[a] : r->clusters[b];
        n = n > 0.0 ? n : (double)r->clusters[a] + r->clusters[b];
    }
    double m = r->n_eval, va = variance_of(x) * m / (m - 1.0), vb = 0.0, dfb = 1.0;
    if (kind != REGRET_VALUE_DM && n > 0.0) {
        double own = drawn_together(&vb, &dfb, r, v, w);
        vb *= own > 0.0 ? variance_of(y) * n / (n - 1.0) / own : 1.0;
    }
    double df = pow(va + vb, 2.0) / (va * va / (m - 1.0) + vb * vb / dfb);
    double point = r->surface_point[v] + r->correction_point[v] -
                   less * (r->surface_point[w] + r->correction_point[w]);
    double half =
        v == w && less > 0.0 ? 0.0 : sqrt(va + vb) * regret_student_quantile(0.5 + level / 2.0, df);
    if (kind != REGRET_VALUE_DM && (r->clusters[a] == 0 || r->clusters[b] == 0) && half > 0.0) {
        /* Nothing corrects one of them: what its surface misses makes the interval wider. */
        cr_assert(found.high - point > half && point - found.low > half);
        return;
    }
    cr_assert(isnan(half) ? isnan(found.low) && isnan(found.high)
                          : fabs(found.low - point + half) < 1e-11 &&
                                fabs(found.high - point - half) < 1e-11,
              "value %zu less %zu: [%g, %g], expected %g -+ %g", v, w, found.low, found.high, point,
              half);
}

static void expect_intervals(const struct setting *s, const struct replicates *r, size_t from,
                             size_t to)
{
    for (size_t v = from; v < to; v++) {
        expect_interval(s->value[v], r, v, WIDTH, 0.9);
        for (size_t a = 0; a < AGENTS; a++) {
            expect_interval(s->difference[v * AGENTS + a], r, v, v / AGENTS * AGENTS + a, 0.9);
        }
    }
}

Test(intervals, agree_with_loops)
{
    static struct replicates r;
    for (int few = 0; few < 2; few++) {
        struct setting s;
        draw(&s, 1);
        s.exp.n = few ? 3 : EXP; /* of three rows some agent has none, and others one context */
        replicate_all(&r, &s);
        cr_assert_eq(find_blind(&s, B, 0.9), 0, "%s", regret_error_message());
        expect_intervals(&s, &r, 0, AGENTS);
        cr_assert_eq(find(&s, B, 0.9), 0, "%s", regret_error_message());
        expect_intervals(&s, &r, AGENTS, WIDTH);
    }
}

/* EXP rows that have a context each: contexts are rows. */
Test(intervals, rows_of_one_context_count_once)
{
    struct setting s, doubled;
    draw(&s, 7);
    for (size_t i = 0; i < EXP; i++) { /* row i on context i mod CONTEXTS, by agent 0 */
        s.pair[i] = (uint32_t)(i % CONTEXTS) * AGENTS * 2;
        s.y[i] = 0.02 * (double)(i % CONTEXTS);
        s.cross_fit[i] = 0.0;
    }
    doubled = s;
    s.exp = (struct regret_rows){.n = CONTEXTS, .pair = s.pair, .y = s.y};
    doubled.exp = (struct regret_rows){.n = 2 * CONTEXTS, .pair = doubled.pair, .y = doubled.y};
    cr_assert_eq(find(&s, B, 0.95), 0);
    cr_assert_eq(find(&doubled, B, 0.95), 0);
    for (size_t v = AGENTS; v < WIDTH; v += AGENTS) { /* the same rows twice tell nothing new */
        cr_assert_float_eq(s.value[v].low, doubled.value[v].low, 1e-12);
        cr_assert_float_eq(s.value[v].high, doubled.value[v].high, 1e-12);
    }
}

Test(intervals, properties)
{
    struct setting s, wide;
    draw(&s, 2);
    draw(&wide, 2);
    cr_assert_eq(find(&s, B, 0.5), 0);
    cr_assert_eq(find(&wide, B, 0.99), 0);
    for (size_t v = 0; v < WIDTH; v++) {
        size_t kind = v / AGENTS, a = v % AGENTS;
        cr_assert(s.value[v].low < s.value[v].high);
        cr_assert(wide.value[v].low < s.value[v].low && wide.value[v].high > s.value[v].high);
        for (size_t b = 0; b < AGENTS; b++) {
            struct regret_interval x = s.difference[v * AGENTS + b];
            struct regret_interval y = s.difference[(kind * AGENTS + b) * AGENTS + a];
            cr_assert(fabs(x.low + y.high) < 1e-12 && fabs(x.high + y.low) < 1e-12);
            cr_assert(a != b || (x.low == 0.0 && x.high == 0.0));
        }
    }
    /* Nothing varies: no width. */
    for (size_t p = 0; p < PAIRS; p++) {
        s.prediction[p] = s.plug_in[p] = 0.25;
    }
    memcpy(s.cross_fit, s.y, sizeof s.y);
    cr_assert_eq(find(&s, B, 0.95), 0);
    for (size_t v = 0; v < WIDTH; v++) {
        cr_assert(fabs(s.value[v].low - 0.25) < 1e-15 && fabs(s.value[v].high - 0.25) < 1e-15);
    }
}

/* The interval of DM is that of a mean over contexts: ± t standard errors, up to the noise of 4,000
 * resamples (1.1 % of a standard error; four times that here). */
Test(intervals, agree_with_theory)
{
    struct setting s;
    draw(&s, 3);
    cr_assert_eq(find_blind(&s, 4000, 0.95), 0);
    for (size_t a = 0; a < AGENTS; a++) {
        double x[CONTEXTS], mean = 0.0, square = 0.0, n = 0.0;
        for (size_t c = 0; c < CONTEXTS; c++) {
            if (c % 3 != 1) {
                x[c] = 0.5 * (s.prediction[(c * AGENTS + a) * 2] +
                              s.prediction[(c * AGENTS + a) * 2 + 1]);
                mean += x[c], square += x[c] * x[c], n += 1.0;
            }
        }
        mean /= n;
        double se = sqrt((square / n - mean * mean) / (n - 1.0));
        double half = 2.364624251592785 * se; /* t of 7 degrees of freedom at .975 */
        cr_assert_eq(n, 8.0);
        cr_assert_float_eq(s.value[a].low, mean - half, 0.05 * half);
        cr_assert_float_eq(s.value[a].high, mean + half, 0.05 * half);
    }
}

Test(intervals, undefined_values)
{
    struct setting s;
    draw(&s, 4);
    s.cross_fit[5] = NAN;
    for (size_t p = 0; p < PAIRS; p++) {
        s.eval[p] = s.eval[p] && s.agent[p] != 0; /* agent 0 is nowhere evaluated */
    }
    cr_assert_eq(find(&s, B, 0.95), 0);
    for (size_t v = 0; v < WIDTH; v++) {
        cr_assert(isnan(s.value[v].low) && isnan(s.value[v].high),
                  "nor is known what the surface misses");
    }
    const struct regret_value_bootstrap how = {B, 0.95, 17};
    struct regret_value_problem problem = problem_of(&s);
    problem.cross_fit = NULL;
    cr_assert_eq(regret_value_intervals(s.value, NULL, &problem, &how), 0,
                 "no out-of-fold predictions at all");
    for (size_t v = 0; v < WIDTH; v++) {
        cr_assert_eq(isnan(s.value[v].low), v == 0 || v >= AGENTS);
    }
    /* Agent 0 is evaluated in one context only: resamples without it are skipped. */
    draw(&s, 4);
    for (size_t p = 0; p < PAIRS; p++) {
        s.eval[p] = s.eval[p] && (s.agent[p] != 0 || s.context[p] == 3);
    }
    cr_assert_eq(find_blind(&s, B, 0.95), 0);
    double only = 0.5 * (s.prediction[3 * AGENTS * 2] + s.prediction[3 * AGENTS * 2 + 1]);
    cr_assert_float_eq(s.value[0].low, only, 1e-12);
    cr_assert_float_eq(s.value[0].high, only, 1e-12);
}

Test(intervals, bad_arguments)
{
    static const double levels[] = {0.0, 1.0, -0.1, NAN};
    struct setting s;
    draw(&s, 5);
    s.value[0].low = 7.0;
    for (size_t i = 0; i < 4; i++) {
        cr_assert_eq(find(&s, B, levels[i]), REGRET_E_INPUT);
    }
    cr_assert_eq(find(&s, 1, 0.95), REGRET_E_INPUT);
    s.exp.n = 0;
    cr_assert_eq(find(&s, B, 0.95), REGRET_E_INPUT);
    s.exp.n = EXP;
    memset(s.eval, 0, sizeof s.eval);
    cr_assert_eq(find(&s, B, 0.95), REGRET_E_INPUT);
    cr_assert_eq(s.value[0].low, 7.0, "touched on failure");
}

Test(intervals, differences_are_optional_and_memory_may_run_out)
{
    struct setting s, t;
    draw(&s, 6);
    draw(&t, 6);
    cr_assert_eq(find(&s, 20, 0.95), 0);
    const struct regret_value_bootstrap how = {20, 0.95, 17};
    long k = 0;
    t.value[0].low = 7.0;
    for (int rc = REGRET_E_NOMEM; rc != REGRET_OK; k++) {
        regret_alloc_fail_after(k);
        const struct regret_value_problem problem = problem_of(&t);
        rc = regret_value_intervals(t.value, NULL, &problem, &how);
        regret_alloc_fail_after(-1);
        cr_assert(rc == REGRET_OK || (rc == REGRET_E_NOMEM && t.value[0].low == 7.0));
    }
    cr_assert_gt(k, 10);
    cr_assert_eq(memcmp(s.value, t.value, sizeof s.value), 0);
}
