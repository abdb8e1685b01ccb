/* The estimators against a naive reference, the identities, and the papers' own numbers. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "regret/alloc.h"
#include "regret/rate.h"
#include "regret/student.h"

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

static double quantity_of(enum quantity q, int w, double o, double r, double rr)
{
    switch (q) {
    case Q_O:
        return o;
    case Q_SINGLE:
        return w ? o - r : r - o;
    case Q_RATE:
        return w ? rr - r : r - rr;
    case Q_DRIFT:
        return rr - o;
    case Q_DO1_SINGLE:
        return w ? o : r;
    case Q_DO0_SINGLE:
        return w ? r : o;
    case Q_DO1_RATE:
        return w ? rr : r;
    default:
        return w ? r : rr;
    }
}

/* Mean, variance and count of q over the rows with W in `which` (1, 0 or 2 for both). */
static void reference_moments(double *mean, double *variance, size_t *n,
                              const struct regret_rate_rows *rows, size_t g, size_t m, int which,
                              enum quantity q)
{
    double *const *score = rows->models[m].score;
    for (int pass = 0; pass < 2; pass++) {
        long double sum = 0.0L;
        size_t count = 0;
        for (size_t i = 0; i < rows->n_rows; i++) {
            int w = rows->w[i];
            if (rows->group[i] != g || w > 1 || (which != 2 && w != which) || isnan(score[0][i]) ||
                isnan(score[1][i]) || isnan(score[2][i])) {
                continue;
            }
            double x = quantity_of(q, w, score[0][i], score[1][i], score[2][i]);
            sum += pass == 0 ? x : ((long double)x - *mean) * ((long double)x - *mean);
            count++;
        }
        if (pass == 0) {
            *mean = (double)(sum / count);
        } else {
            *variance = (double)(sum / (count - 1));
        }
        *n = count;
    }
}

static void check_close(double a, double b, double tolerance, const char *what)
{
    cr_assert(fabs(a - b) <= tolerance * fmax(1.0, fabs(b)), "%s: %.17g, expected %.17g", what, a,
              b);
}

static void check_effect(const struct regret_rate_effect *e, const struct regret_rate_rows *rows,
                         size_t g, size_t m, int which, enum quantity delta, enum quantity do1,
                         enum quantity do0, const char *what)
{
    double mean, variance, v1, v0, ignored;
    size_t n;
    reference_moments(&mean, &variance, &n, rows, g, m, which, delta);
    cr_assert_eq(e->n, n, "%s", what);
    check_close(e->estimate, mean, 1e-12, what);
    check_close(e->se_paired, sqrt(variance / (double)n), 1e-12, what);
    double t = regret_student_quantile(0.975, (double)n - 1.0);
    cr_assert_eq(e->n_clusters, n, "%s", what);
    cr_assert_eq(e->df, (double)n - 1.0, "%s", what);
    check_close(e->low, mean - t * e->se, 1e-12, what);
    check_close(e->high, mean + t * e->se, 1e-12, what);
    if (do1 != do0) {
        reference_moments(&ignored, &v1, &n, rows, g, m, which, do1);
        reference_moments(&ignored, &v0, &n, rows, g, m, which, do0);
        check_close(e->se_unpaired, sqrt(v1 / (double)n + v0 / (double)n), 1e-12, what);
    }
}

static void check_estimate(const struct regret_rate_estimate *e,
                           const struct regret_rate_rows *rows)
{
    size_t g = e->group, m = e->model, n1, n0;
    double mean1, mean0, v1, v0;
    static const int which[3] = {2, 1, 0};
    for (int k = 0; k < 3; k++) {
        check_effect(&e->effects[REGRET_EFFECT_SINGLE_ATE + k], rows, g, m, which[k], Q_SINGLE,
                     Q_DO1_SINGLE, Q_DO0_SINGLE, "single");
        check_effect(&e->effects[REGRET_EFFECT_RATE_ATE + k], rows, g, m, which[k], Q_RATE,
                     Q_DO1_RATE, Q_DO0_RATE, "RATE");
    }
    check_effect(&e->effects[REGRET_EFFECT_DRIFT_1], rows, g, m, 1, Q_DRIFT, Q_O, Q_O, "drift");
    check_effect(&e->effects[REGRET_EFFECT_DRIFT_0], rows, g, m, 0, Q_DRIFT, Q_O, Q_O, "drift");
    reference_moments(&mean1, &v1, &n1, rows, g, m, 1, Q_O);
    reference_moments(&mean0, &v0, &n0, rows, g, m, 0, Q_O);
    const struct regret_rate_effect *naive = &e->effects[REGRET_EFFECT_NAIVE];
    check_close(naive->estimate, mean1 - mean0, 1e-12, "naive");
    double a = v1 / (double)n1, b = v0 / (double)n0;
    check_close(naive->se, sqrt(a + b), 1e-12, "Welch");
    check_close(naive->df,
                (a + b) * (a + b) / (a * a / (double)(n1 - 1) + b * b / (double)(n0 - 1)), 1e-12,
                "Welch and Satterthwaite");
    double sd = sqrt(((double)(n1 - 1) * v1 + (double)(n0 - 1) * v0) / (double)(n1 + n0 - 2));
    check_close(e->pooled_sd, sd, 1e-12, "pooled deviation");
    check_close(naive->d, (mean1 - mean0) / sd, 1e-12, "d");
    cr_assert_eq(e->n1, n1);
    cr_assert_eq(e->n0, n0);
}

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

Test(estimate, equals_the_reference_and_the_identities)
{
    static const size_t sizes[] = {20, 37, 128, 129, 255, 1000, 5000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        char *jsonl = random_jsonl(sizes[k], (unsigned)k + 2);
        struct regret_rate_rows *rows = rows_of(jsonl);
        size_t n = 0;
        struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
        cr_assert_eq(n, 2);
        for (size_t i = 0; i < n; i++) {
            check_estimate(&e[i], rows);
            check_identities(&e[i], 100.0);
        }
        regret_free(e);
        regret_rate_rows_free(rows);
        regret_free(jsonl);
    }
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

/* The authors' own outputs obey the identities that ours must obey. */
Test(estimate, golden_effects_obey_the_identities)
{
    const char *path = shared_file("golden_effects.csv");
    if (path == NULL) {
        cr_skip_test("golden_effects.csv is not here");
    }
    struct csv c = csv_read(path);
    cr_assert_eq(c.n_rows, 49);
    size_t drifts = 0;
    for (size_t i = 0; i < c.n_rows; i++) {
        static const char *const kinds[] = {"single_rewrite", "rewritten_rewrite"};
        double n1 = record_number(&c, i, "n1"), n0 = record_number(&c, i, "n0"), value[2][3];
        for (int k = 0; k < 2; k++) {
            static const char *const estimands[] = {"ATE", "ATT", "ATU"};
            for (int j = 0; j < 3; j++) {
                char column[64];
                snprintf(column, sizeof column, "%s_%s", estimands[j], kinds[k]);
                value[k][j] = record_number(&c, i, column);
            }
            double mixed = (n1 * value[k][1] + n0 * value[k][2]) / (n1 + n0);
            cr_assert_float_eq(value[k][0], mixed, 1e-13 * fmax(1.0, fabs(mixed)),
                               "row %zu, %s: %.17g and %.17g", i, kinds[k], value[k][0], mixed);
        }
        /* Five rows print rewrite minus rewrite of the rewrite there, by a stray template. */
        if (csv_cell(&c, i, "note")[0] == '\0' &&
            !isnan(record_number(&c, i, "rewrite_effect_w_1"))) {
            double drift1 = record_number(&c, i, "rewrite_effect_w_1");
            double drift0 = record_number(&c, i, "rewrite_effect_w_0");
            cr_assert_float_eq(value[1][1] - value[0][1], drift1, 1e-13, "row %zu ATT", i);
            cr_assert_float_eq(value[0][2] - value[1][2], drift0, 1e-13, "row %zu ATU", i);
            drifts++;
        }
    }
    cr_assert_geq(drifts, 40, "only %zu rows with drifts", drifts);
    csv_free(&c);
}
