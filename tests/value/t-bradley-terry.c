/* Strengths by votes: planted ones and properties; tests/outside/check_votes.py recomputes them, errors and intervals. */
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
    cr_expect_eq(fit->agents[0].rank_high, 1);
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
