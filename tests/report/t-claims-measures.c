/* What claims are made of that no row has: ranks and wins of equal means, choices by ranking, losses by context, biases by
 * agent; each against plain loops. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_records.h"
#include "made_run.h"
#include "regret/rng.h"
#include "report/claims/answers.h"

enum { N_SEEDS = 12, N_CONTEXTS = 7, N_AGENTS = 3 };

static int direction;

static void setup(void)
{
    made_begin();
    m.n_seeds = N_SEEDS;
}

TestSuite(claim_measures, .init = setup, .fini = made_end);

static int is(const struct made_up *made, size_t family, const char *name)
{
    return family < made->n_families && strcmp(made->families[family], name) == 0;
}

static const char *verdict_of(const char *claim)
{
    return made_verdict(&m, folder, claim);
}

/* ---------------------------------------------------------------- equal means */

/* Whole numbers, moved by less than what tells means apart, rank as they do unmoved. */
Test(claim_measures, equal_numbers_share_a_rank_and_a_win)
{
    struct regret_rng r = regret_rng_at(11, REGRET_RNG_TEST, 0);
    for (size_t trial = 0; trial < 200; trial++) {
        enum { N = 6 };
        int whole[N];
        double moved[N], ranks = 0.0, wins = 0.0;
        for (size_t i = 0; i < N; i++) {
            whole[i] = (int)regret_rng_below(&r, 4);
            moved[i] = 0.1 * whole[i] + 1e-14 * (double)regret_rng_below(&r, 40);
        }
        for (size_t i = 0; i < N; i++) {
            struct standing s = {0, 0};
            double rank = 1.0, equal = 0.0;
            int lowest = 1;
            for (size_t k = 0; k < N; k++) {
                standing_count(&s, moved[i], moved[k]);
                rank += whole[k] < whole[i];
                equal += whole[k] == whole[i];
                lowest = lowest && whole[k] >= whole[i];
            }
            cr_expect_eq(standing_rank(s), rank + 0.5 * (equal - 1.0));
            cr_expect_eq(standing_win(s), lowest ? 1.0 / equal : 0.0);
            ranks += standing_rank(s);
            wins += standing_win(s);
        }
        cr_expect_float_eq(ranks, 0.5 * N * (N + 1), 1e-12);
        cr_expect_float_eq(wins, 1.0, 1e-12);
    }
}

/* grounded has cvci's numbers, but those of other seeds; where β is the least, obs-only too. */
static double turned(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    size_t as = family, by = 0;
    if (is(made, family, "grounded") ||
        (is(made, family, "obs-only") && made_cell(made, cell).beta == 0)) {
        as = 6;
        by = is(made, family, "grounded") ? 3 : 7;
    }
    return made_number(REGRET_MEASURE_REGRET, as, cell, (seed + by) % N_SEEDS);
}

static double plain_mean(size_t family, size_t cell)
{
    double sum = 0.0;
    for (size_t s = 0; s < N_SEEDS; s++) {
        sum += turned(&m, family, cell, s) / N_SEEDS;
    }
    return sum;
}

/* The evidence of the one claim of a line. */
static double evidence_of(const struct table_data *d, const char *line)
{
    static const char header[] = "id,idea,standing,views,subjects,others,measure,against,direction,"
                                 "over,cells,needs,paper,text\n";
    char text[512];
    struct claims claims = {0};
    struct claim_answers answers = {.claims = &claims};
    snprintf(text, sizeof text, "%s%s\n", header, line);
    cr_assert_eq(claims_parse(&claims, text, "own.csv"), 0, "%s", regret_error_message());
    cr_assert_eq(answers_ask(&answers, d, &d->groups.items[0], ""), 0);
    cr_assert_eq(answers.n, 1);
    double evidence = answers.items[0].result.weakest.mean;
    answers_free(&answers);
    claims_free(&claims);
    return evidence;
}

/* The evidence against one rival is the difference of what the table `summary` has of the two. */
Test(claim_measures, evidence_is_what_the_table_has)
{
    static const struct {
        const char *measure, *column, *way;
        int sign;
    } kinds[] = {{"rank", "Avg. rank", "below", -1},
                 {"in-top3", "Top-3", "above", 1},
                 {"excess", "Excess (%)", "below", -1},
                 {"regret", "Mean regret ± SE", "below", -1}};
    static const char *const rivals[] = {"exp-only", "obs-only", "representation-exp", "grounded",
                                         "cvci-residual"};
    struct regret_results *r = NULL;
    struct table_data d = {0};
    size_t rounded = 0;
    m.regret = turned;
    made_up_write(&m, folder);
    cr_assert_eq(regret_results_read(&r, folder), 0);
    cr_assert_eq(table_data_make(&d, r, 0), 0);
    for (size_t c = 0; c < made_cells(&m); c++) {
        rounded += plain_mean(6, c) != plain_mean(3, c);
        cr_expect_float_eq(plain_mean(6, c), plain_mean(3, c), 1e-15);
    }
    cr_expect_gt(rounded, 0); /* equal numbers whose sums are not */
    struct csv_records t = made_table(folder, "summary");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (size_t i = 0; i < sizeof rivals / sizeof *rivals; i++) {
            char line[256];
            snprintf(line, sizeof line, "a,own (not counted),ours,main,cvci,%s,%s,each,%s,,,,a,a",
                     rivals[i], kinds[k].measure, kinds[k].way);
            double cvci = csv_value(&t, "24 of 24 cells ranked", "cvci", kinds[k].column);
            double rival = csv_value(&t, "24 of 24 cells ranked", rivals[i], kinds[k].column);
            cr_expect_float_eq(evidence_of(&d, line), kinds[k].sign * (cvci - rival), 1e-12,
                               "%s of %s", kinds[k].measure, rivals[i]);
        }
    }
    csv_free(&t);
    table_data_free(&d);
    regret_results_free(r);
}

/* A cell that several win counts as a part of one for each. */
Test(claim_measures, equal_means_share_a_win)
{
    static const size_t ranked[] = {0, 1, 2, 3, 6, 7};
    struct regret_results *r = NULL;
    struct table_data d = {0};
    double wins[8] = {0};
    m.regret = turned;
    made_up_write(&m, folder);
    cr_assert_eq(regret_results_read(&r, folder), 0);
    cr_assert_eq(table_data_make(&d, r, 0), 0);
    for (size_t c = 0; c < made_cells(&m); c++) {
        double best = INFINITY, n = 0.0;
        for (size_t i = 0; i < 6; i++) {
            best = fmin(best, plain_mean(ranked[i], c));
        }
        for (size_t i = 0; i < 6; i++) {
            n += plain_mean(ranked[i], c) < best + 1e-10;
        }
        for (size_t i = 0; i < 6; i++) {
            wins[ranked[i]] += plain_mean(ranked[i], c) < best + 1e-10 ? 1.0 / n : 0.0;
        }
    }
    cr_expect_float_eq(
        evidence_of(&d, "a,own (not counted),ours,main,cvci,obs-only,wins,each,above,,,,a,a"),
        wins[6] - wins[1], 1e-12);
    cr_expect_float_eq(
        evidence_of(&d, "a,own (not counted),ours,main,cvci,grounded,wins,each,above,,,,a,a"), 0.0,
        1e-12);
    table_data_free(&d);
    regret_results_free(r);
}

/* ---------------------------------------------------------------- the controlled world */

static void shape_world(void)
{
    m.n_maps = 1;
    m.map = "world";
    m.config = ",\"task\":\"world\"";
    m.families[4] = "not-the-paper's";
    m.families[5] = "nor-this";
}

/* The winner at each β: those of the paper (1), grounded and cvci-residual (−1), or of both kinds (0). */
static double won_by(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    static const char *const winners[][3] = {{"grounded", "cvci-residual", "grounded"},
                                             {"cvci", "grounded", "grounded"},
                                             {"cvci", "exp-only", "obs-only"}};
    const char *winner = winners[direction + 1][made_cell(made, cell).beta];
    double noise = 0.1 * (made_number(REGRET_MEASURE_RMSE, family, cell, seed) - 0.05);
    return 0.3 + noise - (is(made, family, winner) ? 0.05 : 0.0);
}

Test(claim_measures, some_win_fewer_cells_than_others)
{
    static const char *const expected[] = {"does not hold", "mixed", "holds"};
    shape_world();
    m.regret = won_by;
    for (direction = -1; direction <= 1; direction++) {
        cr_expect_str_eq(verdict_of("world-few-wins"), expected[direction + 1], "%d", direction);
    }
}

/* By top-1 and top-3 cvci leads at n_exp 200, exp-only at 800 (1), or obs-only everywhere (0). */
static double leads_ranking(const struct made_up *made, enum regret_measure k, size_t subject,
                            size_t cell, size_t seed)
{
    const char *leader = direction == 0                   ? "obs-only"
                         : made_cell(made, cell).exp == 0 ? "cvci"
                                                          : "exp-only";
    double noise = 0.1 * (made_number(k, subject, cell, seed) - 0.05);
    int ranks = k == REGRET_MEASURE_TOP1 || k == REGRET_MEASURE_TOP3;
    return 0.4 + noise + (ranks && is(made, subject, leader) ? 0.1 : 0.0);
}

Test(claim_measures, no_family_leads_the_ranking_or_one_does)
{
    shape_world();
    m.number = leads_ranking;
    direction = 1;
    cr_expect_str_eq(verdict_of("world-no-ranking-leader"), "holds");
    direction = 0;
    cr_expect_str_eq(verdict_of("world-no-ranking-leader"), "not separable");
}

/* ---------------------------------------------------------------- near the best */

/* At the greatest budgets representation-exp is `direction` hundredths of .3 above the others, half as much by the seed. */
static double near_the_floor(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    struct made_cell c = made_cell(made, cell);
    double far = c.obs == 1 && c.exp == 1 ? 0.003 * direction : 0.1;
    double own = is(made, family, "representation-exp") ? far : 0.0;
    return 0.3 + own * (seed % 2 ? 1.5 : 0.5);
}

Test(claim_measures, the_floor_is_reached_or_not)
{
    m.regret = near_the_floor;
    direction = 2;
    cr_expect_str_eq(verdict_of("representation-reaches-floor"), "holds");
    direction = 5;
    cr_expect_str_eq(verdict_of("representation-reaches-floor"), "not separable");
    direction = 20;
    cr_expect_str_eq(verdict_of("representation-reaches-floor"), "does not hold");
}

/* cvci is the best at every noise (0), or at the least noise another (1). */
static double kept_or_not(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    const char *best = direction == 1 && made_cell(made, cell).noise > 0 ? "grounded" : "cvci";
    double noise = 0.02 * (made_number(REGRET_MEASURE_RMSE, family, cell, seed) - 0.05);
    return 0.3 + noise - (is(made, family, best) ? 0.1 : 0.0);
}

/* The keys that a view sweeps make no blocks: one answer over all noises. */
Test(claim_measures, a_winner_is_kept_along_the_noise_or_not)
{
    m.map = "utility";
    m.n_maps = m.n_obs = m.n_exp = 1;
    m.n_noises = 2;
    m.regret = kept_or_not;
    direction = 0;
    cr_expect_str_eq(verdict_of("axes-keep-winner"), "holds");
    direction = 1;
    cr_expect_str_eq(verdict_of("axes-keep-winner"), "does not hold");
    struct csv_records t = made_table(folder, "claims");
    size_t answers = 0;
    for (size_t i = 1; i < t.n; i++) {
        answers += strcmp(t.fields[i][1], "axes-keep-winner") == 0 &&
                   strcmp(t.fields[i][2], "Verdict") == 0;
    }
    cr_expect_eq(answers, 1);
    csv_free(&t);
}

/* ---------------------------------------------------------------- lists */

static double some_loss(const struct made_up *made, size_t family, size_t cell, size_t seed,
                        size_t context)
{
    double y = 10.0 * made_number(REGRET_MEASURE_KENDALL, 64 * family + context, cell, seed);
    (void)made;
    return direction == 1 ? pow(y, 20.0) : direction == -1 ? 0.5 + 0.01 * y : y;
}

/* The greatest tenth, taken out one by one. */
static double costliest(size_t family, size_t seed)
{
    static double y[24 * N_CONTEXTS];
    size_t n = made_cells(&m) * N_CONTEXTS;
    double sum = 0.0, most = 0.0;
    for (size_t i = 0; i < n; i++) {
        y[i] = some_loss(&m, family, i / N_CONTEXTS, seed, i % N_CONTEXTS);
        sum += y[i];
    }
    for (size_t taken = 0; 10 * taken < n; taken++) {
        size_t greatest = 0;
        for (size_t i = 0; i < n; i++) {
            greatest = y[i] > y[greatest] ? i : greatest;
        }
        most += y[greatest];
        y[greatest] = -1.0;
    }
    return most / sum;
}

static int one_row_gone(const char *family, size_t cell, size_t seed)
{
    return strcmp(family, "exp-only") == 0 && cell == 5 && seed == 4;
}

/* A seed with a gap is left out: eleven are left, then nine. */
Test(claim_measures, losses_that_are_not_there_leave_a_seed_out)
{
    m.n_maps = 1;
    m.loss = some_loss;
    m.n_contexts = N_CONTEXTS;
    m.skip = one_row_gone;
    direction = 1;
    cr_expect_str_eq(verdict_of("costly-mistakes"), "holds");
    m.n_seeds = 10;
    cr_expect_str_eq(verdict_of("costly-mistakes"), "partly");
}

Test(claim_measures, costly_mistakes_are_counted)
{
    static const char *const expected[] = {"does not hold", "does not hold", "holds"};
    static const size_t ranked[] = {0, 1, 2, 3, 6, 7};
    m.n_maps = 1;
    cr_expect_str_eq(verdict_of("costly-mistakes"), "not applicable");
    m.loss = some_loss;
    m.n_contexts = N_CONTEXTS;
    for (direction = -1; direction <= 1; direction++) {
        struct interval shown = {INFINITY, 0.0, INFINITY, INFINITY};
        int against = direction < 1;
        made_up_write(&m, folder);
        struct csv_records t = made_table(folder, "claims");
        for (size_t i = 0; i < 6; i++) {
            double d[N_SEEDS];
            for (size_t s = 0; s < N_SEEDS; s++) {
                d[s] = costliest(ranked[i], s) - 0.5;
            }
            struct interval part = naive_interval(d, N_SEEDS);
            shown = (against ? part.high < shown.high : part.low < shown.low) ? part : shown;
        }
        cr_expect_str_eq(claim_field(&t, "costly-mistakes", "Verdict"), expected[direction + 1]);
        cr_expect_float_eq(csv_value(&t, "small budgets", "costly-mistakes", "Evidence"),
                           shown.mean, 1e-9);
        cr_expect_float_eq(csv_value(&t, "small budgets", "costly-mistakes", "95 % low"), shown.low,
                           1e-9);
        csv_free(&t);
    }
}

/* obs-only's DM values are off by .1 and more by the agent, and by noise, DR and exp-only's by noise alone; exp-only's at
 * the least n_exp as obs-only's. Mirrored (−1), it is the other way round. */
static double some_error(const struct made_up *made, size_t family, size_t cell, size_t seed,
                         size_t agent, int dr)
{
    double noise = made_number(REGRET_MEASURE_RMSE, 8 * family + agent, cell, seed) - 0.05;
    int biased = is(made, family, "obs-only")
                     ? !dr
                     : is(made, family, "exp-only") && made_cell(made, cell).exp == 0;
    return noise + (biased == (direction == 1) ? 0.1 + 0.01 * (double)agent : 0.0);
}

/* Over all pairs of seeds but one seed, the mean product of their errors. */
static double pairs(size_t family, int dr, struct made_cell only, size_t but)
{
    double sum = 0.0, n = 0.0;
    for (size_t c = 0; c < made_cells(&m); c++) {
        struct made_cell at = made_cell(&m, c);
        if (at.beta != only.beta || at.obs != only.obs || (only.exp < 2 && at.exp != only.exp)) {
            continue;
        }
        for (size_t i = 0; i < N_SEEDS * N_SEEDS * N_AGENTS; i++) {
            size_t s = i % N_SEEDS, k = i / N_SEEDS % N_SEEDS, a = i / N_SEEDS / N_SEEDS;
            if (s == but || k == but) {
                continue;
            }
            sum += s == k
                       ? 0.0
                       : some_error(&m, family, c, s, a, dr) * some_error(&m, family, c, k, a, dr);
            n += s != k;
        }
    }
    return sum / n;
}

/* The interval over the jackknife's numbers of the seeds, of one less another, which may be missing (family 8). */
static struct interval bias_of(size_t a, int dr_a, size_t b, int dr_b, struct made_cell only)
{
    double d[N_SEEDS];
    for (size_t s = 0; s < N_SEEDS; s++) {
        d[s] = N_SEEDS * pairs(a, dr_a, only, N_SEEDS) - (N_SEEDS - 1) * pairs(a, dr_a, only, s);
        d[s] -= b == 8 ? 0.0
                       : N_SEEDS * pairs(b, dr_b, only, N_SEEDS) -
                             (N_SEEDS - 1) * pairs(b, dr_b, only, s);
    }
    return naive_interval(d, N_SEEDS);
}

static void expect_bias(const struct csv_records *t, const char *claim, struct interval i)
{
    static const char block[] = "Theorem 1, a reading (not counted)";
    cr_expect_float_eq(csv_value(t, block, claim, "Evidence"), i.mean, 1e-9, "%s", claim);
    cr_expect_float_eq(csv_value(t, block, claim, "95 % low"), i.low, 1e-9, "%s", claim);
    cr_expect_float_eq(csv_value(t, block, claim, "95 % high"), i.high, 1e-9, "%s", claim);
}

Test(claim_measures, bias_is_told_from_noise)
{
    static const struct made_cell last = {.beta = 2, .obs = 1, .exp = 1},
                                  any_exp = {.beta = 2, .obs = 1, .exp = 2};
    shape_world();
    cr_expect_str_eq(verdict_of("obs-keeps-its-bias"), "not applicable");
    m.error = some_error;
    m.n_agents = N_AGENTS;
    m.loss = some_loss;
    m.n_contexts = N_CONTEXTS;
    for (direction = -1; direction <= 1; direction += 2) {
        const char *expected = direction == 1 ? "holds" : "does not hold";
        made_up_write(&m, folder);
        struct csv_records t = made_table(folder, "claims");
        cr_expect_str_eq(claim_field(&t, "exp-identifies", "Verdict"), expected);
        cr_expect_str_eq(claim_field(&t, "exp-has-less-bias", "Verdict"), expected);
        cr_expect_str_eq(claim_field(&t, "dr-removes-bias", "Verdict"), expected);
        cr_expect_str_eq(claim_field(&t, "obs-keeps-its-bias", "Verdict"),
                         direction == 1 ? "holds" : "not separable");
        expect_bias(&t, "obs-keeps-its-bias", bias_of(1, 0, 8, 0, any_exp));
        expect_bias(&t, "exp-has-less-bias", bias_of(1, 0, 0, 0, last));
        expect_bias(&t, "dr-removes-bias", bias_of(1, 0, 1, 1, last));
        csv_free(&t);
    }
}
