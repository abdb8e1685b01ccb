/* Value against cost, of rows whose curves are known: two agents, of which a family sends a share to the dear one. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/costs.h"
#include "report/made_run.h"
#include "report/slice.h"

enum { SEEDS = 4 };
static const double CHEAP = 1.0, DEAR = 3.0, WORTH[2] = {0.5, 0.6};
static const double SHIFT[SEEDS] = {0.0, 0.01, -0.02, 0.03}; /* of every value of a seed */

TestSuite(report_costs, .init = made_begin, .fini = made_end);

/* The share sent to the dear agent at price k, and what it gains: twice what it costs of the way, up to the half. */
static double share(size_t k)
{
    return 1.0 - (double)k / (REGRET_N_PRICES - 1);
}

static double worth(double s)
{
    return WORTH[0] + (WORTH[1] - WORTH[0]) * fmin(2.0 * s, 1.0);
}

static void write_head(const char *costs, const char *cells)
{
    FILE *f = fopen(made_path(folder, "run.json"), "w");
    fprintf(f,
            "{\"format\":\"regret-run-1\",\"results_version\":1,\"config\":{\"pool\":\"p\"},"
            "\"pool\":{\"name\":\"tiny\",\"synthetic\":false,\"contexts\":2,\"agents\":2,"
            "\"draws\":1},\"grids\":[{\"agents\":[\"a\",\"b\"],\"contexts\":[\"x\",\"y\"]%s}],"
            "\"version\":\"0.1.0\",\"blas\":{\"build\":\"b\",\"kernel\":\"k\"},"
            "\"families\":[\"exp-only\"],\"cells\":[%s],\"seeds\":%d,\"shard\":\"1/1\","
            "\"replicates\":%d}\n",
            costs, cells, SEEDS, SEEDS);
    fclose(f);
}

static const char one_cell[] = "{\"cell\":0,\"key\":{\"reward.map\":\"smooth\",\"beta\":0,"
                               "\"n_obs\":60,\"n_exp\":40}}";

static void put_row(FILE *f, int seed, int oracle, int curves)
{
    fprintf(f,
            "{\"cell\":0,\"seed\":%d,\"key\":{\"reward.map\":\"smooth\",\"beta\":0,\"n_obs\":60,"
            "\"n_exp\":40},\"kind\":\"%s\",\"family\":\"%s\",\"regret\":0",
            seed, oracle ? "baseline" : "family", oracle ? "oracle" : "exp-only");
    if (oracle && curves) {
        fprintf(f, ",\"agent_value\":[%.10g,%.10g]", WORTH[0] + SHIFT[seed],
                WORTH[1] + SHIFT[seed]);
    }
    for (int which = 0; which < 2 && curves; which++) {
        fprintf(f, ",\"%s\":[", which == 0 ? "price_value" : "price_cost");
        for (size_t k = 0; k < REGRET_N_PRICES; k++) {
            fprintf(f, "%s%.17g", k > 0 ? "," : "",
                    which == 0 ? worth(share(k)) + SHIFT[seed] : CHEAP + share(k) * (DEAR - CHEAP));
        }
        fprintf(f, "]");
    }
    fprintf(f, "%s}\n",
            !curves    ? ""
            : seed % 2 ? ",\"budget\":[0.1,0.55,2]"
                       : ",\"budget\":[0.2,0.53,1.5]");
}

static void write_rows(int curves)
{
    FILE *f = fopen(made_path(folder, "results-1-of-1.jsonl"), "w");
    for (int seed = 0; seed < SEEDS; seed++) {
        put_row(f, seed, 0, curves);
        put_row(f, seed, 1, curves);
    }
    fclose(f);
}

/* The board of the run, and how many curves it has. */
static struct regret_results *read_board(struct cost_board *board)
{
    struct regret_results *r = NULL;
    struct table_data d = {0};
    cr_assert_eq(regret_results_read(&r, folder), 0, "%s", regret_error_message());
    cr_assert_eq(table_data_make(&d, r, 0), 0);
    cr_assert_eq(cost_board_make(board, &d.all, d.ranked, d.n_ranked), 0);
    table_data_free(&d);
    return r;
}

static void near(double x, double wanted, const char *what)
{
    cr_expect_lt(fabs(x - wanted), 1e-12, "%s: %.15g, not %.15g", what, x, wanted);
}

Test(report_costs, a_curve_that_is_known)
{
    struct cost_board b = {0};
    double mean = 0.005, se = 0.0;
    write_head(",\"costs\":[1,3]", one_cell);
    write_rows(1);
    struct regret_results *r = read_board(&b);
    cr_assert_eq(b.n_curves, 2, "the family and the oracle");
    const struct cost_curve *c = &b.curves[0];
    for (int s = 0; s < SEEDS; s++) {
        se += (SHIFT[s] - mean) * (SHIFT[s] - mean) / (SEEDS - 1.0) / SEEDS;
    }
    /* Half of the way up over half of the costs, then flat; but the knee lies between two prices, and the chord
     * between these cuts it off. */
    double below = share(14), above = share(13), kink = 0.5;
    double left = 0.5 * (worth(0.0) + worth(below)) * below,
           chord = 0.5 * (worth(below) + worth(above)) * (above - below),
           right = WORTH[1] * (1.0 - above);
    cr_assert(below < kink && above > kink);
    near(c->statistics[COST_AREA].value, left + chord + right + mean, "area");
    near(c->statistics[COST_AREA].se, sqrt(se), "its error: seeds differ by a shift");
    near(c->statistics[COST_GAIN].value, left + chord + right - 0.5 * (WORTH[0] + WORTH[1]),
         "over drawing among the agents");
    near(c->statistics[COST_GAIN].se, 0.0, "which is shifted likewise");
    near(c->statistics[COST_HALF].value, 0.25, "half of the gain by a quarter of the contexts");
    near(c->statistics[COST_MOST].value, 0.4, "80 %");
    near(c->points[0].cost, DEAR, "without a price all go to the dear one");
    near(c->budget_value.value, 0.54, "budget");
    near(c->budget_value.se, 0.01 / sqrt(3.0), "budget, error");
    near(c->budget_cost.value, 1.75, "budget, cost");
    near(b.agents_area.value, 0.5 * (WORTH[0] + WORTH[1]) + mean, "drawing among the agents");
    near(b.agents_area.se, sqrt(se), "its error");
    cr_expect(b.n_hull == 2 && b.agents[0].agent == 0 && b.agents[1].is_on_hull);
    cost_board_free(&b);
    regret_results_free(r);
}

Test(report_costs, the_dear_one_is_worth_less)
{
    struct cost_board b = {0};
    write_head(",\"costs\":[3,1]", one_cell); /* b is the cheap one, and the better */
    write_rows(1);
    struct regret_results *r = read_board(&b);
    cr_assert_eq(b.n_curves, 2);
    cr_expect(isnan(b.curves[0].statistics[COST_HALF].value));
    cr_expect(isnan(b.curves[0].statistics[COST_MOST].value));
    cr_expect(b.n_hull == 1 && b.agents[0].agent == 1 && !b.agents[1].is_on_hull);
    near(b.agents_area.value, WORTH[1] + 0.005, "no cost gets more");
    cost_board_free(&b);
    regret_results_free(r);
}

/* Files may say anything: equal costs, no costs, no lists. */
Test(report_costs, what_gives_no_curve)
{
    struct cost_board b = {0};
    write_head(",\"costs\":[2,2]", one_cell);
    write_rows(1);
    struct regret_results *r = read_board(&b);
    cr_assert_eq(b.n_curves, 2);
    cr_expect(isnan(b.curves[0].statistics[COST_HALF].value), "neither agent is the dear one");
    near(b.agents_area.value, WORTH[1] + 0.005, "of equal costs the better agent");
    cost_board_free(&b);
    regret_results_free(r);
    write_head("", one_cell);
    r = read_board(&b);
    cr_expect_eq(b.n_curves, 0, "nobody knows what agents cost");
    cost_board_free(&b);
    regret_results_free(r);
    write_head(",\"costs\":[1,3]", one_cell);
    write_rows(0);
    r = read_board(&b);
    cr_expect_eq(b.n_curves, 0, "rows without lists");
    cost_board_free(&b);
    regret_results_free(r);
}

Test(report_costs, costs_that_are_none)
{
    static const char *const wrong[][2] = {
        {",\"costs\":[1]", "must hold a number for each of the 2 agents"},
        {",\"costs\":3", "must hold a number for each of the 2 agents"},
        {",\"costs\":[1,-3]", "must hold numbers from 0 on"},
        {",\"costs\":[1,null]", "must hold numbers from 0 on"}};
    write_rows(1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct regret_results *r = NULL;
        write_head(wrong[i][0], one_cell);
        cr_expect_eq(regret_results_read(&r, folder), REGRET_E_INPUT);
        cr_expect_not_null(strstr(regret_error_message(), wrong[i][1]), "%s",
                           regret_error_message());
    }
}
