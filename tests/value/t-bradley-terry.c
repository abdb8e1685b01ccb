/* Strengths by votes: against Hunter's MM algorithm, variances written down again,
 * and planted strengths. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "value/strength.h"

enum { MOST = 6, VOTES = 4000 };

static const char *const NAMES[MOST] = {"ant", "bee", "cat", "dog", "elk", "fox"};
static struct regret_vote room[VOTES];
static uint64_t state;

static double uniform(void) /* splitmix64 */
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double logistic(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/* The chance to win from another of m agents, each as likely. */
static double chance(const double *theta, size_t m, size_t a)
{
    double sum = 0.0;
    for (size_t b = 0; b < m; b++) {
        sum += b != a ? logistic(theta[a] - theta[b]) / (double)(m - 1) : 0.0;
    }
    return sum;
}

/* n votes between m agents of strengths theta, `ties` of them ties, `each` of a prompt; of a prompt, all are swayed alike by
 * `sway` times ±1 towards the agent with the lower number. */
static struct regret_votes planted(const double *theta, size_t m, size_t n, double ties,
                                   size_t each, double sway)
{
    double pull = 0.0;
    for (size_t v = 0; v < n; v++) {
        uint32_t a = (uint32_t)(uniform() * (double)m);
        uint32_t b = (uint32_t)(uniform() * (double)(m - 1));
        b += b >= a;
        pull = v % each == 0 ? (uniform() < 0.5 ? -sway : sway) : pull;
        double d = theta[a] - theta[b] + (a < b ? pull : -pull);
        double share = uniform() < ties ? 0.5 : uniform() < logistic(d) ? 1.0 : 0.0;
        room[v] = (struct regret_vote){a, b, (uint32_t)(v / each), 0, 1.0, share, 0};
    }
    return (struct regret_votes){room, n, m, (n + each - 1) / each, NULL, 0};
}

static struct regret_bradley_terry *fitted(const struct regret_votes *votes, double ridge)
{
    struct regret_bradley_terry_options o = REGRET_BRADLEY_TERRY_OPTIONS_INIT;
    struct regret_bradley_terry *fit = NULL;
    o.ridge = ridge;
    cr_assert_eq(regret_bradley_terry_fit(&fit, votes, NAMES, &o), 0, "%s", regret_error_message());
    return fit;
}

static void refuses(const struct regret_votes *votes, double ridge, const char *words)
{
    struct regret_bradley_terry_options o = REGRET_BRADLEY_TERRY_OPTIONS_INIT;
    struct regret_bradley_terry *fit = NULL;
    o.ridge = ridge;
    cr_assert_eq(regret_bradley_terry_fit(&fit, votes, NAMES, &o), REGRET_E_INPUT);
    cr_assert_null(fit);
    cr_assert_not_null(strstr(regret_error_message(), words), "%s", regret_error_message());
}

static const double TRUTH[MOST] = {0.9, 0.4, 0.1, -0.1, -0.4, -0.9};

/* Hunter 2004: γ_i ← W_i / Σ n_ij/(γ_i + γ_j), another way to the same maximum. */
Test(bradley_terry, without_a_ridge_the_fixed_point_of_the_mm_algorithm)
{
    double gamma[MOST] = {1, 1, 1, 1, 1, 1}, next[MOST], mean = 0.0;
    state = 11;
    struct regret_votes votes = planted(TRUTH, MOST, 300, 0.2, 1, 0.0);
    struct regret_bradley_terry *fit = fitted(&votes, 0.0);
    for (int step = 0; step < 20000; step++) {
        double wins[MOST] = {0}, below[MOST] = {0};
        for (size_t v = 0; v < votes.n; v++) {
            const struct regret_vote *x = &room[v];
            double part = 1.0 / (gamma[x->a] + gamma[x->b]);
            wins[x->a] += x->share;
            wins[x->b] += 1.0 - x->share;
            below[x->a] += part;
            below[x->b] += part;
        }
        for (size_t a = 0; a < MOST; a++) {
            next[a] = wins[a] / below[a];
        }
        memcpy(gamma, next, sizeof gamma);
    }
    for (size_t a = 0; a < MOST; a++) {
        mean += log(gamma[a]) / MOST;
    }
    for (size_t a = 0; a < MOST; a++) {
        double theta[MOST];
        for (size_t b = 0; b < MOST; b++) {
            theta[b] = log(gamma[b]);
        }
        cr_expect_float_eq(fit->agents[a].beta, log(gamma[a]) - mean, 1e-9);
        cr_expect_float_eq(fit->agents[a].value, chance(theta, MOST, a), 1e-9);
    }
    regret_bradley_terry_free(fit);
}

/* The inverse by Gauss and Jordan. */
static void invert(double a[MOST][MOST], size_t m)
{
    double b[MOST][MOST] = {{0}};
    for (size_t i = 0; i < m; i++) {
        b[i][i] = 1.0;
    }
    for (size_t k = 0; k < m; k++) {
        double pivot = a[k][k];
        for (size_t j = 0; j < m; j++) {
            a[k][j] /= pivot;
            b[k][j] /= pivot;
        }
        for (size_t i = 0; i < m; i++) {
            double f = a[i][k];
            for (size_t j = 0; j < m && i != k; j++) {
                a[i][j] -= f * a[k][j];
                b[i][j] -= f * b[k][j];
            }
        }
    }
    memcpy(a, b, sizeof b);
}

enum { M = 5 }; /* agents of the next */

/* The larger variance of what rises with θ as `slope` says; *which: 1 of the sandwich. */
static double larger_variance(double h[MOST][MOST], double meat[M][M], const double *slope,
                              size_t *which)
{
    double sandwich = 0.0, information = 0.0, of[M] = {0};
    for (size_t i = 0; i < M; i++) {
        for (size_t j = 0; j < M; j++) {
            of[i] += h[i][j] * slope[j];
            information += slope[i] * (h[i][j] - 1.0 / (0.3 * M)) * slope[j];
        }
    }
    for (size_t i = 0; i < M; i++) {
        for (size_t j = 0; j < M; j++) {
            sandwich += of[i] * meat[i][j] * of[j];
        }
    }
    *which = sandwich > information;
    return fmax(sandwich, information);
}

/* By how much the chance of one agent, less that of another if there is one, rises with each θ. */
static void differentiate(double *slope, const double *theta, size_t a, size_t other)
{
    const double step = 1e-5;
    for (size_t i = 0; i < M; i++) {
        double up[M], down[M];
        memcpy(up, theta, sizeof up);
        memcpy(down, theta, sizeof down);
        up[i] += step;
        down[i] -= step;
        slope[i] = chance(up, M, a) - chance(down, M, a);
        slope[i] -= other < M ? chance(up, M, other) - chance(down, M, other) : 0.0;
        slope[i] /= 2.0 * step;
    }
}

/* Standard errors by the formulas of the header, with the mean of θ projected out: P H⁻¹ P. */
Test(bradley_terry, standard_errors_are_the_larger_of_two)
{
    double h[MOST][MOST] = {{0}}, meat[M][M] = {{0}}, theta[M];
    size_t larger[2] = {0, 0}, best = 0, second = M;
    state = 3;
    struct regret_votes votes = planted(TRUTH, M, 150, 0.1, 5, 1.5);
    struct regret_bradley_terry *fit = fitted(&votes, 0.3);
    for (size_t a = 0; a < M; a++) {
        theta[a] = fit->agents[a].beta;
        h[a][a] = 0.3;
    }
    for (size_t g = 0; g < votes.n_clusters; g++) {
        double score[M] = {0};
        for (size_t v = 0; v < votes.n; v++) {
            const struct regret_vote *x = &room[v];
            double p = logistic(theta[x->a] - theta[x->b]);
            if (x->cluster == g) {
                score[x->a] += x->share - p;
                score[x->b] -= x->share - p;
                h[x->a][x->a] += p * (1 - p);
                h[x->b][x->b] += p * (1 - p);
                h[x->a][x->b] -= p * (1 - p);
                h[x->b][x->a] -= p * (1 - p);
            }
        }
        for (size_t i = 0; i < M; i++) {
            for (size_t j = 0; j < M; j++) {
                meat[i][j] += score[i] * score[j] * 30.0 / 29.0;
            }
        }
    }
    invert(h, M);
    for (size_t a = 0; a < M; a++) {
        const struct regret_strength *s = &fit->agents[a];
        double slope[M] = {0};
        size_t which = 0;
        slope[a] = 1.0;
        cr_expect_float_eq(s->se, sqrt(larger_variance(h, meat, slope, &which)), 1e-10);
        larger[which]++;
        differentiate(slope, theta, a, M);
        double side = fmax(s->high - s->value, s->value - s->low) / 2.0452296421327034;
        cr_expect_float_eq(s->value_se, fmax(sqrt(larger_variance(h, meat, slope, &which)), side),
                           1e-8);
        best = theta[a] > theta[best] ? a : best;
    }
    for (size_t a = 0; a < M; a++) {
        second = a != best && (second == M || theta[a] > theta[second]) ? a : second;
    }
    double slope[M];
    size_t which = 0;
    differentiate(slope, theta, best, second);
    cr_expect(fit->first == best && fit->second == second);
    cr_expect_float_eq(fit->lead, chance(theta, M, best) - chance(theta, M, second), 1e-12);
    double apart = fmax(fit->lead_high - fit->lead, fit->lead - fit->lead_low) / 2.0452296421327034;
    cr_expect_float_eq(fit->lead_se, fmax(sqrt(larger_variance(h, meat, slope, &which)), apart),
                       1e-8);
    cr_assert(larger[1] > 0, "the sandwich is never the larger one here");
    regret_bradley_terry_free(fit);
}

/* Votes, one of a prompt, by an independent implementation: records of the first of two, its wins (halves for ties) of n. */
struct record {
    uint32_t first, second;
    double wins;
    size_t n;
};
struct known {
    size_t n_records;
    struct record record[6];
    int has_order;
    size_t m;
    double theta[5], ends[4][3],
        ratio; /* value, low, high; twice the fall of equal first and second */
};

static void expect_known(const struct known *k)
{
    struct regret_votes votes = {room, 0, k->m, 0, NULL, 0};
    for (size_t i = 0; i < k->n_records; i++) {
        const struct record *r = &k->record[i];
        for (size_t v = 0; v < r->n; v++) {
            double left = r->wins - (double)v, share = left >= 1.0 ? 1.0 : fmax(left, 0.0);
            room[votes.n] = (struct regret_vote){r->first, r->second, (uint32_t)votes.n, 0,
                                                 1.0,      share,     k->has_order};
            votes.n++;
        }
    }
    votes.n_clusters = votes.n;
    struct regret_bradley_terry *fit = fitted(&votes, 0.01);
    for (size_t a = 0; a < k->m; a++) {
        const struct regret_strength *s = &fit->agents[a];
        cr_expect_float_eq(s->beta, k->theta[a], 1e-9, "theta %zu: %.10f", a, s->beta);
        cr_expect_float_eq(s->value, k->ends[a][0], 1e-9, "value %zu: %.10f", a, s->value);
        cr_expect_float_eq(s->low, k->ends[a][1], 1e-9, "low %zu: %.10f", a, s->low);
        cr_expect_float_eq(s->high, k->ends[a][2], 1e-9, "high %zu: %.10f", a, s->high);
    }
    cr_expect_float_eq(fit->lead_p, erfc(sqrt(0.5 * k->ratio)), 1e-9, "%.10f", fit->lead_p);
    cr_expect(isnan(fit->position) == !k->has_order);
    cr_expect(!k->has_order || fabs(fit->position - k->theta[k->m]) < 1e-9, "%.10f", fit->position);
    regret_bradley_terry_free(fit);
}

Test(bradley_terry, intervals_are_of_the_likelihood)
{
    static const struct known known[] = {
        {3,
         {{0, 1, 10, 15}, {0, 2, 8, 10}, {1, 2, 7, 13}},
         0,
         3,
         {0.6514272833, -0.1788308437, -0.4725964395},
         {{0.7255719097, 0.5344384370, 0.8717652225},
          {0.4382541278, 0.2707043538, 0.6129059494},
          {0.3361739625, 0.1718610488, 0.5342513792}},
         3.2218964953},
        {6,
         {{0, 1, 10, 15}, {0, 2, 8, 10}, {1, 2, 7, 13}, {3, 0, 5, 5}, {3, 1, 5, 5}, {3, 2, 5, 5}},
         0,
         4,
         {-0.8336331470, -1.6620615728, -1.9551927809, 4.4508875007},
         {{0.4851147720, 0.3593649364, 0.5851313070},
          {0.2929830419, 0.1809933775, 0.4102922211},
          {0.2248694444, 0.1150248842, 0.3575845404},
          {0.9970327417, 0.8722530482, 0.9999999999}},
         11.8633298195},
        {6,
         {{0, 1, 10, 15}, {0, 2, 8, 10}, {1, 2, 7, 13}, {3, 0, 5, 5}, {3, 1, 5, 5}, {3, 2, 4, 5}},
         0,
         4,
         {-0.1012121912, -0.8785784126, -1.0402728757, 2.0200634796},
         {{0.5036893832, 0.3739539656, 0.6452011958},
          {0.3024814384, 0.1839892513, 0.4392833618},
          {0.2618425541, 0.1406543198, 0.4110054518},
          {0.9319866243, 0.7401479686, 0.9956652510}},
         6.6879425966},
        {6,
         {{0, 1, 10, 15}, {0, 2, 8, 10}, {1, 2, 7, 13}, {3, 0, 0, 5}, {3, 1, 0, 5}, {3, 2, 0, 5}},
         0,
         4,
         {2.1304269981, 1.3014045272, 1.0084962861, -4.4403278114},
         {{0.8163653615, 0.6883793774, 0.9141175815},
          {0.6244536114, 0.5113716726, 0.7411320674},
          {0.5562208086, 0.4446787928, 0.6880459805},
          {0.0029602185, 0.0000000001, 0.1283201476}},
         3.2170057252},
        {6,
         {{0, 1, 12, 18},
          {1, 0, 8, 12},
          {0, 2, 9, 10},
          {2, 0, 6, 11},
          {1, 2, 9, 12},
          {2, 1, 8, 10}},
         1,
         3,
         {0.2365867058, 0.0154584343, -0.2520451402, 0.9109448305},
         {{0.5874209887, 0.4360110049, 0.7273542820},
          {0.5057110169, 0.3580798783, 0.6527709211},
          {0.4068679945, 0.2560533544, 0.5703949637}},
         0.4002119777},
        {3,
         {{0, 1, 10.5, 15}, {0, 2, 8, 10}, {1, 2, 6.5, 13}},
         0,
         3,
         {0.7061352758, -0.2849180269, -0.4212172489},
         {{0.7423229526, 0.5520518854, 0.8843662339},
          {0.4023631161, 0.2391807972, 0.5781116809},
          {0.3553139313, 0.1881941120, 0.5518814322}},
         4.4972413382}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        expect_known(&known[i]);
    }
}

/* Sixty of sixty say no less than fifty-nine of sixty, and whoever is shown first always has no one told apart. */
Test(bradley_terry, who_is_undefeated_and_who_is_always_first)
{
    double low[2];
    for (size_t lost = 0; lost < 2; lost++) {
        struct regret_votes votes = {room, 0, 4, 0, NULL, 0};
        for (uint32_t v = 0; v < 300; v++) {
            uint32_t a = v % 5 < 1 ? 0 : 1 + v % 3, b = 1 + (a == 0 ? v / 5 % 3 : a % 3);
            double share = a == 0 ? (v == 0 && lost ? 0.0 : 1.0) : v / 7 % 2;
            room[votes.n++] = (struct regret_vote){a, b, v, 0, 1.0, share, 0};
        }
        votes.n_clusters = votes.n;
        struct regret_bradley_terry *fit = fitted(&votes, 0.01);
        low[lost] = fit->agents[0].low;
        cr_expect(fit->agents[0].votes == 60 && fit->agents[0].rank_low == 1, "%zu",
                  fit->agents[0].rank_low);
        regret_bradley_terry_free(fit);
    }
    cr_expect(low[0] > low[1] && low[0] > 0.94 && low[1] > 0.9, "%g, %g", low[0], low[1]);
    struct regret_votes votes = {room, 0, 4, 0, NULL, 0};
    for (uint32_t v = 0; v < 600; v++) {
        uint32_t a = v % 4 == 0 ? 0 : 1 + v % 3, b = 1 + (a == 0 ? v / 4 % 3 : (a + v / 3 % 2) % 3);
        room[votes.n++] = (struct regret_vote){a, b, v, 0, 1.0, v / 12 % 10 < 7, 1};
    }
    votes.n_clusters = votes.n;
    struct regret_bradley_terry *fit = fitted(&votes, 0.01);
    cr_expect(fit->agents[0].rank_low > 1 && fit->position_low > 0.3 && fit->position_p < 1e-6 &&
                  fit->moved[0] > 0.15 && fit->known_order == 600.0,
              "%g, %g", fit->position, fit->moved[0]);
    regret_bradley_terry_free(fit);
    for (uint32_t v = 0; v < votes.n; v++) { /* the first always wins */
        room[v].first = v % 2 == 0 ? 1 : -1;
        room[v].share = v % 2 == 0;
    }
    fit = fitted(&votes, 0.01);
    cr_expect(isfinite(fit->position) && fit->position_low > 3.0 && isinf(fit->position_high));
    regret_bradley_terry_free(fit);
}

/* Whichever side an agent stands on, and whether votes are counted or listed, is no matter. */
Test(bradley_terry, sides_and_counts_change_nothing)
{
    state = 8;
    struct regret_votes votes = planted(TRUTH, MOST, 200, 0.1, 2, 0.0);
    for (size_t v = 1; v < votes.n; v += 2) { /* of a prompt, twice the same */
        room[v] = room[v - 1];
    }
    struct regret_bradley_terry *listed = fitted(&votes, 0.01);
    for (size_t v = 0; 2 * v < votes.n; v++) {
        struct regret_vote x = room[2 * v];
        room[v] = (struct regret_vote){x.b, x.a, x.cluster, 0, 2.0, 1.0 - x.share, 0};
    }
    votes.n /= 2;
    struct regret_bradley_terry *counted = fitted(&votes, 0.01);
    cr_assert(listed->votes == counted->votes && listed->n_clusters == counted->n_clusters);
    for (size_t a = 0; a < MOST; a++) {
        const struct regret_strength *x = &listed->agents[a], *y = &counted->agents[a];
        cr_expect_float_eq(x->beta, y->beta, 1e-10);
        cr_expect_float_eq(x->se, y->se, 1e-10);
        cr_expect(x->votes == y->votes && x->wins == y->wins && x->rank_high == y->rank_high &&
                  x->rank_low == y->rank_low);
    }
    regret_bradley_terry_free(listed);
    regret_bradley_terry_free(counted);
}

Test(bradley_terry, parts_that_no_vote_joins_are_named)
{
    room[0] = (struct regret_vote){0, 2, 0, 0, 1, 1, 0};
    room[1] = (struct regret_vote){1, 3, 1, 0, 1, 0, 0};
    room[2] = (struct regret_vote){3, 4, 2, 0, 1, 0.5, 0};
    struct regret_votes votes = {room, 3, MOST, 3, NULL, 0};
    refuses(&votes, 0.01, "2 parts that no vote joins: {ant, cat}, {bee, dog, elk};");
    votes.n = 0;
    refuses(&votes, 0.01, "there are no votes");
    votes.n = 1;
    refuses(&votes, -1.0, "ridge");
}

/* Without a ridge there is no maximum; with one it is finite, and its interval says that little is known. */
Test(bradley_terry, who_has_won_everything_is_not_known_for_sure)
{
    for (size_t v = 0; v < 10; v++) {
        room[v] = (struct regret_vote){0, 1, (uint32_t)v, 0, 1, 1, 0};
    }
    struct regret_votes votes = {room, 10, MOST, 10, NULL, 0};
    refuses(&votes, 0.0, "without a ridge \"bee\"");
    struct regret_bradley_terry *fit = fitted(&votes, 0.01);
    cr_expect(fit->n_compared == 2 && fit->agents[0].rank_high == 1);
    cr_expect(fit->agents[0].value_se > 0.05 && fit->lead_se > 0.05);
    cr_expect(fit->agents[0].value > 0.9 && fit->agents[0].high - fit->agents[0].low > 0.15);
    cr_expect(isnan(fit->agents[2].value) && fit->agents[2].rank_low == 0);
    cr_expect_float_eq(fit->agents[0].beta, -fit->agents[1].beta, 1e-10);
    regret_bradley_terry_free(fit);
    votes.n = 1; /* of one prompt nothing is known of how prompts differ */
    fit = fitted(&votes, 0.01);
    cr_expect(isfinite(fit->agents[0].se) && fit->agents[0].rank_low == 2);
    regret_bradley_terry_free(fit);
}

/* Intervals of planted strengths hold them as often as they say, also where votes of a prompt are swayed alike. With
 * the sway the model's θ is another one: the one that many votes give. */
static double coverage(const double *theta, double sway, size_t each)
{
    enum { TIMES = 300 };
    size_t held = 0;
    for (int k = 0; k < TIMES; k++) {
        struct regret_votes votes = planted(theta, MOST, 400, 0.0, each, sway);
        struct regret_bradley_terry *fit = fitted(&votes, 0.01);
        for (size_t a = 0; a < MOST; a++) {
            double truth = chance(theta, MOST, a);
            held += fit->agents[a].low <= truth && truth <= fit->agents[a].high;
        }
        regret_bradley_terry_free(fit);
    }
    return (double)held / (MOST * TIMES);
}

Test(bradley_terry, intervals_hold_planted_strengths)
{
    static const double EQUAL[MOST] = {0};
    state = 77;
    double alone = coverage(TRUTH, 0.0, 1), together = coverage(EQUAL, 1.0, 8);
    cr_expect(alone > 0.935 && alone < 0.985, "%.3f", alone);
    cr_expect(together > 0.92 && together < 0.99, "%.3f", together);
}

Test(bradley_terry, ranks_of_what_is_told_apart)
{
    static const double FAR[MOST] = {3, 1.5, 0, 0, -1.5, -3};
    state = 21;
    struct regret_votes votes = planted(FAR, MOST, VOTES, 0.0, 1, 0.0);
    struct regret_bradley_terry *fit = fitted(&votes, 0.01);
    cr_expect(fit->agents[0].rank_high == 1 && fit->agents[0].rank_low == 1);
    cr_expect(fit->agents[2].rank_high == 3 && fit->agents[2].rank_low == 4);
    cr_expect(fit->agents[5].rank_high == 6 && fit->agents[5].rank_low == 6);
    regret_bradley_terry_free(fit);
}

Test(bradley_terry, the_votes_of_a_tag_alone)
{
    struct regret_bradley_terry_options o = REGRET_BRADLEY_TERRY_OPTIONS_INIT;
    struct regret_bradley_terry *fit = NULL;
    state = 2;
    struct regret_votes votes = planted(TRUTH, 3, 90, 0.0, 1, 0.0);
    for (size_t v = 0; v < votes.n; v++) {
        room[v].kind = v >= 60;
    }
    o.kind = 1;
    cr_assert_eq(regret_bradley_terry_fit(&fit, &votes, NAMES, &o), 0);
    struct regret_votes own = {room + 60, 30, 3, 30, NULL, 0};
    struct regret_bradley_terry *alone = fitted(&own, 0.01);
    for (size_t a = 0; a < 3; a++) {
        cr_expect_float_eq(fit->agents[a].beta, alone->agents[a].beta, 1e-12);
        cr_expect_float_eq(fit->agents[a].se, alone->agents[a].se, 1e-12);
    }
    regret_bradley_terry_free(fit);
    regret_bradley_terry_free(alone);
    o.kind = 2;
    cr_assert_eq(regret_bradley_terry_fit(&fit, &votes, NAMES, &o), REGRET_E_INPUT);
}

/* ---------------------------------------------------------------- drawn to what is known */

static void draw_to(double *theta, const struct regret_votes *votes, const double *centre,
                    double ridge)
{
    struct regret_bradley_terry_options o = REGRET_BRADLEY_TERRY_OPTIONS_INIT;
    o.ridge = ridge;
    cr_assert_eq(strength_drawn_to(theta, votes, centre, &o), 0, "%s", regret_error_message());
}

/* Where the penalised likelihood has its only maximum its slope is 0: Σ n (s − p) = λ (θ − centre). */
Test(bradley_terry, drawn_to_a_centre_the_slope_is_zero)
{
    static const double CENTRE[MOST] = {-1.0, 0.5, 2.0, 0.3, -0.2, 0.7}, RIDGES[] = {0.01, 1, 50};
    state = 19;
    struct regret_votes votes = planted(TRUTH, MOST - 1, 60, 0.2, 1, 0.0);
    votes.n_agents = MOST; /* the last has no vote */
    for (size_t r = 0; r < 3; r++) {
        double theta[MOST], slope[MOST] = {0};
        draw_to(theta, &votes, CENTRE, RIDGES[r]);
        for (size_t v = 0; v < votes.n; v++) {
            double rest = room[v].share - logistic(theta[room[v].a] - theta[room[v].b]);
            slope[room[v].a] += rest;
            slope[room[v].b] -= rest;
        }
        for (size_t a = 0; a < MOST; a++) {
            cr_expect_float_eq(slope[a], RIDGES[r] * (theta[a] - CENTRE[a]), 1e-8);
        }
        cr_expect(theta[MOST - 1] == CENTRE[MOST - 1]);
    }
}

Test(bradley_terry, without_a_centre_as_the_fit_whatever_agents_are_called)
{
    static const uint32_t ORDER[MOST] = {4, 2, 0, 5, 1, 3};
    double theta[MOST], other[MOST];
    state = 23;
    struct regret_votes votes = planted(TRUTH, MOST, 150, 0.2, 1, 0.0);
    struct regret_bradley_terry *fit = fitted(&votes, 0.01);
    draw_to(theta, &votes, NULL, 0.01);
    for (size_t v = 0; v < votes.n; v++) {
        room[v].a = ORDER[room[v].a];
        room[v].b = ORDER[room[v].b];
    }
    draw_to(other, &votes, NULL, 0.01);
    for (size_t a = 0; a < MOST; a++) {
        cr_expect_float_eq(theta[a], fit->agents[a].beta, 1e-10);
        cr_expect_float_eq(theta[a], other[ORDER[a]], 1e-9);
    }
    regret_bradley_terry_free(fit);
}

/* Parts are fitted as if each were alone; no votes at all leave everybody unknown, or at the centre. */
Test(bradley_terry, parts_stay_and_none_are_fine)
{
    double theta[MOST], none[MOST];
    room[0] = (struct regret_vote){0, 2, 0, 0, 3, 1, 0};
    room[1] = (struct regret_vote){1, 3, 1, 0, 1, 0, 0};
    room[2] = (struct regret_vote){3, 4, 2, 0, 1, 0.5, 0};
    struct regret_votes votes = {room, 3, MOST, 3, NULL, 0};
    draw_to(theta, &votes, NULL, 0.01);
    cr_expect_float_eq(theta[0] + theta[2], 0.0, 1e-12);
    cr_expect_float_eq(theta[1] + theta[3] + theta[4], 0.0, 1e-12);
    cr_expect(theta[0] > theta[2] && theta[3] > theta[4] && theta[4] > theta[1]);
    cr_expect(isnan(theta[5]));
    votes.n = 0;
    draw_to(none, &votes, theta, 0.01);
    cr_expect(memcmp(none, theta, sizeof none) == 0);
}
