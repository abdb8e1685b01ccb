/* The estimators against a naive reference, the identities, and the papers' own numbers. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "regret/rate.h"
#include "regret/status.h"
#include "stats/distributions.h"

TestSuite(estimate, .fini = scratch_remove);

/* ---- A naive reference: plain loops over the rows, long double sums ---- */

enum quantity {
    Q_O,
    Q_SINGLE,
    Q_RATE,
    Q_DRIFT,
    Q_DO1_SINGLE,
    Q_DO0_SINGLE,
    Q_DO1_RATE,
    Q_DO0_RATE
};

/* The identities of the contract, on our output, to 1e-12 of the scale of the rewards. */
static void check_identities(const struct regret_rate_estimate *e, double scale)
{
    const struct regret_rate_effect *f = e->effects;
    double n1 = (double)e->n1, n0 = (double)e->n0, tolerance = 1e-12 * scale;
    for (int k = REGRET_EFFECT_SINGLE_ATE; k <= REGRET_EFFECT_RATE_ATE; k += 3) {
        cr_assert_float_eq(f[k].estimate,
                           (n1 * f[k + 1].estimate + n0 * f[k + 2].estimate) / (n1 + n0), tolerance,
                           "ATE");
    }
    cr_assert_float_eq(f[REGRET_EFFECT_RATE_ATT].estimate - f[REGRET_EFFECT_SINGLE_ATT].estimate,
                       f[REGRET_EFFECT_DRIFT_1].estimate, tolerance, "ATT");
    cr_assert_float_eq(f[REGRET_EFFECT_SINGLE_ATU].estimate - f[REGRET_EFFECT_RATE_ATU].estimate,
                       f[REGRET_EFFECT_DRIFT_0].estimate, tolerance, "ATU");
}

/* ---- The 82 real triples ---- */

static struct regret_rate_rows *triple_rows(const struct csv *c)
{
    struct regret_rate_rows *rows = NULL;
    cr_assert_eq(regret_rate_rows_new(&rows, 0), 0);
    for (size_t i = 0; i < c->n_rows; i++) {
        static struct regret_rate_row row;
        const char *dataset = csv_cell(c, i, "dataset"), *attribute = csv_cell(c, i, "attribute");
        const char *model = csv_cell(c, i, "reward_model"), *id = csv_cell(c, i, "row_id");
        row.id = (struct regret_span){id, strlen(id)};
        row.dataset = (struct regret_span){dataset, strlen(dataset)};
        row.attribute = (struct regret_span){attribute, strlen(attribute)};
        row.w = csv_cell(c, i, "w_original")[0] == '1' ? REGRET_LABEL_1 : REGRET_LABEL_0;
        row.z = REGRET_LABEL_MISSING;
        row.n_scores = 1;
        row.scores[0].model = (struct regret_span){model, strlen(model)};
        row.scores[0].value[0] = record_number(c, i, "r_original");
        row.scores[0].value[1] = record_number(c, i, "r_rewrite");
        row.scores[0].value[2] = record_number(c, i, "r_rewrite_of_rewrite");
        row.line = i + 2;
        cr_assert_eq(regret_rate_rows_add(rows, &row), 0);
    }
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    return rows;
}

/* The sheet: a column of differences, filtered, added up and divided. */
static double sheet_mean(const struct csv *c, const struct regret_rate_rows *rows,
                         const struct regret_rate_estimate *e, char w, const char *plus,
                         const char *minus, size_t *count)
{
    double sum = 0.0;
    *count = 0;
    for (size_t i = 0; i < c->n_rows; i++) {
        if (strcmp(csv_cell(c, i, "dataset"), rows->groups[e->group].dataset) == 0 &&
            strcmp(csv_cell(c, i, "attribute"), rows->groups[e->group].attribute) == 0 &&
            strcmp(csv_cell(c, i, "reward_model"), rows->models[e->model].name) == 0 &&
            csv_cell(c, i, "w_original")[0] == w) {
            sum += record_number(c, i, plus) - (minus ? record_number(c, i, minus) : 0.0);
            ++*count;
        }
    }
    return sum / (double)*count;
}

static void check_mean(const struct regret_rate_effect *e, double sheet, size_t count,
                       const char *what)
{
    if (count < 2) {
        cr_assert(isnan(e->estimate) && e->missing != NULL, "%s of %zu rows", what, count);
    } else {
        cr_assert_float_eq(e->estimate, sheet, 1e-14, "%s: %.17g and %.17g", what, e->estimate,
                           sheet);
    }
}

Test(estimate, real_triples_by_hand)
{
    const char *path = shared_file("rate_paper_triples.csv");
    if (path == NULL) {
        cr_skip_test("rate_paper_triples.csv is not here");
    }
    struct csv c = csv_read(path);
    cr_assert_eq(c.n_rows, 82);
    struct regret_rate_rows *rows = triple_rows(&c);
    size_t n = 0, n1, n0, made = 0, used = 0;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    for (size_t i = 0; i < n; i++) {
        const struct regret_rate_effect *f = e[i].effects;
        double att = sheet_mean(&c, rows, &e[i], '1', "r_rewrite_of_rewrite", "r_rewrite", &n1);
        double atu = -sheet_mean(&c, rows, &e[i], '0', "r_rewrite_of_rewrite", "r_rewrite", &n0);
        check_mean(&f[REGRET_EFFECT_RATE_ATT], att, n1, "RATE ATT");
        check_mean(&f[REGRET_EFFECT_RATE_ATU], atu, n0, "RATE ATU");
        double single1 = sheet_mean(&c, rows, &e[i], '1', "r_original", "r_rewrite", &n1);
        double single0 = -sheet_mean(&c, rows, &e[i], '0', "r_original", "r_rewrite", &n0);
        check_mean(&f[REGRET_EFFECT_SINGLE_ATT], single1, n1, "single ATT");
        check_mean(&f[REGRET_EFFECT_SINGLE_ATU], single0, n0, "single ATU");
        if (n1 >= 2 && n0 >= 2) {
            double total = (double)(n1 + n0);
            check_mean(&f[REGRET_EFFECT_RATE_ATE], ((double)n1 * att + (double)n0 * atu) / total,
                       n1 + n0, "RATE ATE");
            double o1 = sheet_mean(&c, rows, &e[i], '1', "r_original", NULL, &n1);
            double o0 = sheet_mean(&c, rows, &e[i], '0', "r_original", NULL, &n0);
            check_mean(&f[REGRET_EFFECT_NAIVE], o1 - o0, n1 + n0, "naive");
            check_identities(&e[i], 1.0);
            made++;
        }
        used += e[i].n_used;
    }
    cr_assert_eq(used, 82);
    cr_assert_geq(made, 5, "only %zu groups with both values of W", made);
    regret_free(e);
    regret_rate_rows_free(rows);
    csv_free(&c);
}
