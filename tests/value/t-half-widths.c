/* Half-widths in closed form against loops over rows, the theory of a mean, and the bootstrap. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "regret/evaluate.h"
#include "regret/task.h"
#include "stats/distributions.h"

enum { AGENTS = 3, CONTEXTS = 40, DRAWS = 2, PAIRS = AGENTS * CONTEXTS * DRAWS, EXP = 300 };
enum { WIDTH = REGRET_N_VALUES * AGENTS, FOLDS = 4 };

struct setting {
    uint32_t agent[PAIRS], context[PAIRS], pair[EXP], fold[EXP];
    unsigned char eval[PAIRS];
    double prediction[PAIRS], plug_in[PAIRS], y[EXP], cross_fit[EXP], weight[CONTEXTS];
    double fold_value[FOLDS * AGENTS];
    struct regret_rows exp;
    struct regret_value_problem problem;
};

/* Evaluated are the contexts up to 25, some pairs of them missing; tried, all. */
static void draw(struct setting *s, uint64_t seed, size_t n_exp)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 97);
    for (uint32_t p = 0; p < PAIRS; p++) {
        s->agent[p] = p / DRAWS % AGENTS;
        s->context[p] = p / (DRAWS * AGENTS);
        s->eval[p] = s->context[p] < 25 && p % 11 != 3;
        s->prediction[p] = regret_rng_uniform(&r);
        s->plug_in[p] = regret_rng_uniform(&r);
    }
    for (size_t i = 0; i < n_exp; i++) {
        s->pair[i] = regret_rng_below(&r, PAIRS);
        s->y[i] = regret_rng_uniform(&r);
        s->cross_fit[i] = regret_rng_uniform(&r);
        s->fold[i] = (uint32_t)(i % FOLDS);
    }
    s->exp = (struct regret_rows){.n = n_exp, .pair = s->pair, .y = s->y};
    s->problem = (struct regret_value_problem){
        s->prediction, s->plug_in, s->cross_fit, &s->exp,  s->agent, s->context,
        s->eval,       PAIRS,      AGENTS,       CONTEXTS, NULL,     NULL,
        0.0,           0.0,        {NULL, NULL}, NULL,     NULL,     0};
}

/* Fits without a fold that follow the other folds' rows, all the more with `follows`. */
static void leave_folds_out(struct setting *s, double follows)
{
    struct regret_rng r = regret_rng_at(7, REGRET_RNG_TEST, 99);
    for (size_t v = 0; v < (size_t)FOLDS * AGENTS; v++) {
        s->fold_value[v] = 0.5 + 0.01 * regret_rng_normal(&r);
    }
    for (size_t i = 0; i < s->exp.n; i++) {
        for (size_t k = 0; k < FOLDS; k++) {
            s->fold_value[k * AGENTS + s->agent[s->pair[i]]] +=
                k != s->fold[i] ? follows * (s->y[i] - s->cross_fit[i]) * AGENTS / s->exp.n : 0.0;
        }
    }
    s->problem.fold_value = s->fold_value;
    s->problem.fold = s->fold;
    s->problem.n_folds = FOLDS;
}

/* Weights of every size, some of them 0. */
static void weigh(struct setting *s, uint64_t seed)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 98);
    for (size_t x = 0; x < CONTEXTS; x++) {
        s->weight[x] = x % 7 == 5 ? 0.0 : exp(regret_rng_normal(&r));
    }
    s->problem.weight = s->weight;
}

static double weight_of(const struct setting *s, size_t x)
{
    return s->problem.weight != NULL ? s->problem.weight[x] : 1.0;
}

/* (Σω)²/Σω² over the contexts that have something. */
static double effective(const struct setting *s, const double *something)
{
    double sum = 0.0, squares = 0.0;
    for (size_t x = 0; x < CONTEXTS; x++) {
        sum += something[x] > 0.0 ? weight_of(s, x) : 0.0;
        squares += something[x] > 0.0 ? pow(weight_of(s, x), 2.0) : 0.0;
    }
    return squares > 0.0 ? sum * sum / squares : 0.0;
}

/* The sandwich variance of Σ top / Σ bottom by context, over those that count. */
static double sandwich(const double *top, const double *bottom, double n)
{
    double t = 0.0, b = 0.0, squares = 0.0;
    for (size_t x = 0; x < CONTEXTS; x++) {
        t += top[x];
        b += bottom[x];
    }
    for (size_t x = 0; x < CONTEXTS; x++) {
        squares += pow((top[x] - t / b * bottom[x]) / b, 2.0);
    }
    return squares * n / (n - 1.0);
}

/* A·1{A_i = a}·r_i of DR, or r_i of the agent's own rows for SNDR, weighted; and its weight. */
static int row_of(double *top, double *bottom, const struct setting *s, size_t i, int is_dr,
                  size_t a)
{
    double w = weight_of(s, s->context[s->pair[i]]), r = s->y[i] - s->cross_fit[i];
    int mine = s->agent[s->pair[i]] == a;
    *top = mine ? w * r * (is_dr ? AGENTS : 1) : 0.0;
    *bottom = mine || is_dr ? w : 0.0;
    return mine || is_dr;
}

/* Of the correction: contexts as clusters and rows as such, as far as EXP has taken the population's contexts. */
struct correction {
    double point, by_contexts, by_rows, variance, contexts, rows;
    double noise; /* of the variance, a sum over contexts */
};

static struct correction correction_of_rows(const struct setting *s, int is_dr, size_t a)
{
    double top[CONTEXTS] = {0}, bottom[CONTEXTS] = {0}, all = 0.0, squares = 0.0, weights = 0.0, t,
           b;
    struct correction c = {0};
    for (size_t i = 0; i < s->exp.n; i++) {
        row_of(&t, &b, s, i, is_dr, a);
        top[s->context[s->pair[i]]] += t;
        bottom[s->context[s->pair[i]]] += b;
        c.point += t;
        all += b;
    }
    c.point /= all;
    for (size_t i = 0; i < s->exp.n; i++) {
        row_of(&t, &b, s, i, is_dr, a);
        squares += pow((t - c.point * b) / all, 2.0);
        weights += b * b;
    }
    double n = all * all / weights, share = s->problem.exp_share;
    c.contexts = effective(s, bottom);
    c.by_contexts = sandwich(top, bottom, c.contexts);
    c.by_rows = squares * n / (n - 1.0);
    c.variance = share > 0.0 ? (1.0 - share) * c.by_contexts + share * c.by_rows : c.by_contexts;
    c.rows = n;
    double of_context[CONTEXTS] = {0}, square_sum = 0.0, m = c.contexts;
    for (size_t i = 0; i < s->exp.n; i++) {
        row_of(&t, &b, s, i, is_dr, a);
        of_context[s->context[s->pair[i]]] +=
            share * pow((t - c.point * b) / all, 2.0) * n / (n - 1.0);
    }
    for (size_t x = 0; x < CONTEXTS; x++) {
        double u = (top[x] - c.point * bottom[x]) / all;
        square_sum += pow(of_context[x] + (1.0 - share) * u * u * m / (m - 1.0), 2.0);
    }
    c.noise = fmax(square_sum - c.variance * c.variance / m, 0.0) * m / (m - 1.0);
    return c;
}

/* V' and its degrees of freedom, as protocol section 6 has them: of one row, over agents, and back. */
static double moderated(double *df, const struct setting *s, int is_dr, size_t a)
{
    double mean = 0.0, all = 0.0, spread = 0.0, noise = 0.0, n = 0.0;
    struct correction c[AGENTS];
    double rows[AGENTS];
    for (size_t k = 0; k < AGENTS; k++) {
        c[k] = correction_of_rows(s, is_dr, k);
        rows[k] = is_dr ? 1.0 : c[k].rows;
        if (c[k].contexts >= 2.0) {
            mean += (c[k].contexts - 1.0) * c[k].variance * rows[k];
            all += c[k].contexts - 1.0;
            n += 1.0;
        }
    }
    mean /= all;
    for (size_t k = 0; k < AGENTS; k++) {
        if (c[k].contexts >= 2.0) {
            spread += (c[k].contexts - 1.0) * pow(c[k].variance * rows[k] - mean, 2.0);
            noise += (c[k].contexts - 1.0) * c[k].noise * rows[k] * rows[k];
        }
    }
    double drawn = n < 2.0 ? 0.0 : fmin(noise / (spread * n / (n - 1.0)), 1.0), own = 0.0;
    if (c[a].contexts >= 2.0) {
        own = (1.0 - drawn) * c[a].variance;
        *df = 1.0 / (pow(1.0 - drawn, 2.0) / (c[a].contexts - 1.0) + drawn * (2.0 - drawn) / all);
    } else {
        drawn = 1.0;
        *df = all;
    }
    return own + drawn * mean / rows[a];
}

/* Σ over agents of the jackknife's covariance of V_DM and V_DR, over folds. */
static double shared_noise(const struct setting *s)
{
    double sum = 0.0;
    for (size_t a = 0; s->problem.fold_value != NULL && a < AGENTS; a++) {
        double dm[FOLDS], dr[FOLDS], dm_mean = 0.0, dr_mean = 0.0;
        for (size_t k = 0; k < FOLDS; k++) {
            double residuals = 0.0, rows = 0.0;
            for (size_t i = 0; i < s->exp.n; i++) {
                double t, b;
                row_of(&t, &b, s, i, 1, a);
                residuals += s->fold[i] == k ? t : 0.0;
                rows += s->fold[i] == k ? b : 0.0;
            }
            dm[k] = s->fold_value[k * AGENTS + a];
            dr[k] = dm[k] + (rows > 0.0 ? residuals / rows : 0.0);
            dm_mean += dm[k] / FOLDS;
            dr_mean += dr[k] / FOLDS;
        }
        for (size_t k = 0; k < FOLDS; k++) {
            /* of the other folds, what V_DR is without fold k, is −1/(K − 1) of its own */
            sum += (FOLDS - 1.0) / FOLDS * (dm[k] - dm_mean) * (dr_mean - dr[k]) / (FOLDS - 1.0);
        }
    }
    return sum;
}

static void surface_of_agent(double *mean, double *variance, double *contexts,
                             const struct setting *s, const double *f, size_t a)
{
    double top[CONTEXTS] = {0}, bottom[CONTEXTS] = {0}, first[CONTEXTS] = {0}, t = 0.0, b = 0.0;
    for (size_t p = 0; p < PAIRS; p++) {
        if (s->eval[p] && s->agent[p] == a) {
            top[s->context[p]] += weight_of(s, s->context[p]) * f[p];
            bottom[s->context[p]] += weight_of(s, s->context[p]);
        }
    }
    for (size_t x = 0; x < CONTEXTS; x++) {
        first[x] = x < 25 ? 1.0 : 0.0;
        t += top[x];
        b += bottom[x];
    }
    *mean = t / b;
    *contexts = effective(s, first);
    *variance = sandwich(top, bottom, *contexts) * (1.0 - s->problem.eval_share);
}

/* The law of what DM misses, as protocol section 6 has it: the covariance of the corrections from the contexts'
 * influences, one by one. */
static void law_of_misses(double b[AGENTS], double *apart, double *rho, double *by_rows,
                          double *between, const struct setting *s)
{
    double u[CONTEXTS][AGENTS] = {{0}}, squares = 0.0, rows = 0.0, variance = 0.0, trace = 0.0;
    for (size_t a = 0; a < AGENTS; a++) {
        struct correction c = correction_of_rows(s, 1, a);
        double dm, plug_in, ignored[2], all = 0.0;
        surface_of_agent(&dm, &ignored[0], &ignored[1], s, s->prediction, a);
        surface_of_agent(&plug_in, &ignored[0], &ignored[1], s, s->plug_in, a);
        b[a] = dm - plug_in - c.point;
        for (size_t i = 0; i < s->exp.n; i++) {
            double t, w;
            row_of(&t, &w, s, i, 1, a);
            u[s->context[s->pair[i]]][a] += t - c.point * w;
            all += w;
        }
        for (size_t x = 0; x < CONTEXTS; x++) {
            u[x][a] *= sqrt(c.contexts / (c.contexts - 1.0)) / all;
        }
        squares += b[a] * b[a];
        rows += c.by_rows;
        variance += c.variance;
    }
    for (size_t a = 0; a < AGENTS; a++) {
        for (size_t k = 0; k < AGENTS; k++) {
            double covariance = 0.0;
            for (size_t x = 0; x < CONTEXTS; x++) {
                covariance += u[x][a] * u[x][k];
            }
            trace += covariance * covariance;
        }
    }
    *rho = fmin(fmax(shared_noise(s) / rows, 0.0), 1.0);
    double left = pow(1.0 - *rho, 2.0), top = 0.0, bottom = 0.0;
    double m = (squares - left * rows) / AGENTS, se = left * sqrt(2.0 * trace) / AGENTS;
    /* the mean of N(m, se²) above 0, by sums */
    for (double z = fmax(m - 12.0 * se, 0.0); z < fmax(m, 0.0) + 12.0 * se; z += 1e-4 * se) {
        double density = exp(-0.5 * pow((z + 0.5e-4 * se - m) / se, 2.0));
        top += density * (z + 0.5e-4 * se);
        bottom += density;
    }
    *apart = top / bottom;
    *by_rows = rows / AGENTS;
    *between = fmax(variance - rows, 0.0) / AGENTS;
}

/* h with P(|t + shift| <= h) = level, stepwise. */
static double folded(double shift, double df, double level)
{
    double h = 0.0;
    for (double step = 1.0; step > 1e-14; step *= 0.5) {
        while (regret_student_cdf(h + step - shift, df) -
                   regret_student_cdf(-h - step - shift, df) <=
               level) {
            h += step;
        }
    }
    return h;
}

static double naive(const struct setting *s, size_t kind, size_t a, double level)
{
    const double *f = kind == REGRET_VALUE_DM ? s->prediction : s->plug_in;
    double mean, surface, evaluated, own = 0.0, bias = 0.0, b[AGENTS];
    double apart, rho, v, between;
    surface_of_agent(&mean, &surface, &evaluated, s, f, a);
    double total = surface, by_df = surface * surface / (evaluated - 1.0), miss = 0.0;
    for (size_t i = 0; i < s->exp.n; i++) {
        own += s->agent[s->pair[i]] == a ? weight_of(s, s->context[s->pair[i]]) : 0.0;
    }
    law_of_misses(b, &apart, &rho, &v, &between, s);
    double square = apart + rho * rho * v, all = apart + (1.0 - rho) * (1.0 - rho) * v;
    double share = (apart - rho * (1.0 - rho) * v) / all;
    if (kind != REGRET_VALUE_DM && own > 0.0) {
        double df, variance = moderated(&df, s, kind == REGRET_VALUE_DR, a);
        total += variance;
        by_df += variance * variance / df;
    } else if (own > 0.0 && share > 0.0) {
        bias = share * b[a];
        miss = square - share * share * all + between; /* what least squares leaves */
    } else {
        miss = square + between;
    }
    total += miss;
    by_df += miss * miss / AGENTS;
    return folded(fabs(bias) / sqrt(total), total * total / by_df, level) * sqrt(total);
}

Test(half_widths, agree_with_loops)
{
    struct setting s;
    double half[WIDTH];
    for (uint64_t seed = 0; seed < 20; seed++) {
        draw(&s, seed, seed % 2 ? EXP : 5); /* of five rows an agent may have none */
        if (seed >= 10) {
            weigh(&s, seed);
        }
        if (seed % 3 == 1) {
            s.problem.eval_share = 0.2;
            s.problem.exp_share = 0.7;
        }
        if (seed % 4 > 1) {
            leave_folds_out(&s, seed % 8 > 3 ? 0.9 : 0.4);
        }
        cr_assert_eq(regret_value_half_widths(half, &s.problem, 0.9), 0);
        for (size_t v = 0; v < WIDTH; v++) {
            double wanted = naive(&s, v / AGENTS, v % AGENTS, 0.9);
            cr_assert((isnan(half[v]) && isnan(wanted)) || fabs(half[v] - wanted) < 1e-8,
                      "seed %d, value %zu: %g, not %g", (int)seed, v, half[v], wanted);
        }
    }
}

/* On a complete grid that of DM is t times the standard error of a mean over contexts. */
Test(half_widths, of_dm_are_those_of_a_mean)
{
    struct setting s;
    double half[WIDTH];
    draw(&s, 3, EXP);
    for (size_t p = 0; p < PAIRS; p++) {
        s.eval[p] = s.context[p] < 8;
    }
    s.problem.cross_fit = NULL; /* nothing is known of what the surface misses */
    cr_assert_eq(regret_value_half_widths(half, &s.problem, 0.95), 0);
    for (size_t a = 0; a < AGENTS; a++) {
        double x[8], mean = 0.0, squares = 0.0;
        for (size_t c = 0; c < 8; c++) {
            const double *f = s.prediction + (c * AGENTS + a) * DRAWS;
            x[c] = 0.5 * (f[0] + f[1]);
            mean += x[c] / 8.0;
        }
        for (size_t c = 0; c < 8; c++) {
            squares += (x[c] - mean) * (x[c] - mean);
        }
        double wanted = 2.364624251592785 * sqrt(squares / 7.0 / 8.0);
        cr_assert_float_eq(half[a], wanted, 1e-12);
    }
}

/* 4,000 resamples have a noise of 1.1 % of a standard error. What is left is what a ratio of sums has
 * beyond the first order: small where contexts have many rows. */
Test(half_widths, are_those_of_the_bootstrap)
{
    const struct regret_value_bootstrap how = {4000, 0.95, 5};
    struct regret_interval interval[WIDTH];
    struct setting s;
    double half[WIDTH];
    draw(&s, 4, EXP);
    cr_assert_eq(regret_value_half_widths(half, &s.problem, 0.95), 0);
    cr_assert_eq(regret_value_intervals(interval, NULL, &s.problem, &how), 0);
    for (size_t v = 0; v < WIDTH; v++) {
        double wanted = 0.5 * (interval[v].high - interval[v].low);
        cr_assert_float_eq(half[v], wanted, 0.06 * wanted, "value %zu: %g, not %g", v, half[v],
                           wanted);
    }
}

/* Adding a number to every prediction or outcome changes nothing; scaling all scales. */
Test(half_widths, invariances)
{
    struct setting s;
    double half[WIDTH], moved[WIDTH], scaled[WIDTH];
    draw(&s, 6, EXP);
    cr_assert_eq(regret_value_half_widths(half, &s.problem, 0.95), 0);
    for (size_t p = 0; p < PAIRS; p++) {
        s.prediction[p] += 2.0;
        s.plug_in[p] += 2.0;
    }
    cr_assert_eq(regret_value_half_widths(moved, &s.problem, 0.95), 0);
    for (size_t p = 0; p < PAIRS; p++) {
        s.prediction[p] *= 0.5;
        s.plug_in[p] *= 0.5;
    }
    for (size_t i = 0; i < EXP; i++) {
        s.y[i] *= 0.5;
        s.cross_fit[i] *= 0.5;
    }
    cr_assert_eq(regret_value_half_widths(scaled, &s.problem, 0.95), 0);
    for (size_t v = 0; v < WIDTH; v++) {
        cr_assert_float_eq(moved[v], half[v], 1e-12);
        cr_assert_float_eq(scaled[v], 0.5 * half[v], 1e-12);
    }
}

Test(half_widths, undefined_and_refused)
{
    struct setting s;
    double half[WIDTH];
    draw(&s, 7, EXP);
    s.problem.cross_fit = NULL;
    cr_assert_eq(regret_value_half_widths(half, &s.problem, 0.95), 0);
    for (size_t v = 0; v < WIDTH; v++) {
        cr_assert_eq(isnan(half[v]) != 0, v >= AGENTS, "%zu", v);
    }
    draw(&s, 7, EXP);
    s.cross_fit[9] = NAN;
    for (size_t p = 0; p < PAIRS; p++) {
        s.eval[p] = s.eval[p] && s.agent[p] != 1;
    }
    cr_assert_eq(regret_value_half_widths(half, &s.problem, 0.95), 0);
    for (size_t v = 0; v < WIDTH; v++) {
        cr_assert(isnan(half[v]), "%zu: what the surface misses is not known", v);
    }
    half[0] = 7.0;
    cr_assert_eq(regret_value_half_widths(half, &s.problem, 1.0), REGRET_E_INPUT);
    cr_assert_eq(regret_value_half_widths(half, &s.problem, NAN), REGRET_E_INPUT);
    s.exp.n = 0;
    cr_assert_eq(regret_value_half_widths(half, &s.problem, 0.95), REGRET_E_INPUT);
    s.exp.n = EXP;
    memset(s.eval, 0, sizeof s.eval);
    cr_assert_eq(regret_value_half_widths(half, &s.problem, 0.95), REGRET_E_INPUT);
    cr_assert_eq(half[0], 7.0, "touched on failure");
}
