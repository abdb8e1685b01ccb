/* Graded attributes: slopes by explicit matrices, levels by hand, and what the lines are for. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/file.h"
#include "regret/rate_report.h"
#include "regret/rng.h"

TestSuite(dose, .fini = scratch_remove);

enum { MOST = 64 };

/* Rows at random: levels 1 to 5, prompts of several rows, a reward of the level and of the prompt. */
struct graded {
    size_t n, n_prompts;
    double level[3][MOST], score[3][MOST];
    size_t prompt[MOST];
};

static void draw(struct graded *g, size_t n, size_t n_prompts, double bend, struct regret_rng *rng)
{
    g->n = n;
    g->n_prompts = n_prompts;
    double kinds[MOST];
    for (size_t p = 0; p < n_prompts; p++) {
        kinds[p] = 0.8 + 0.3 * regret_rng_normal(rng);
    }
    for (size_t i = 0; i < n; i++) {
        g->prompt[i] = n_prompts == n ? i : regret_rng_below(rng, (uint32_t)n_prompts);
        double confounder = regret_rng_normal(rng), kind = kinds[g->prompt[i]];
        for (int side = 0; side < 3; side++) {
            double l = side == 2 ? g->level[0][i] : 1.0 + regret_rng_below(rng, 5);
            g->level[side][i] = l;
            g->score[side][i] = kind * l + bend * l * l + (side == 0 ? 3.0 * l : 0.0) + confounder +
                                0.3 * regret_rng_normal(rng);
        }
    }
}

static struct regret_rate_rows *rows_from(const struct graded *g)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < g->n; i++) {
        regret_buffer_printf(&t, "{\"id\": %zu, \"w\": %d, \"prompt\": \"p%zu\", \"scores\": {", i,
                             g->level[0][i] > g->level[1][i], g->prompt[i]);
        for (int k = 0; k < 2; k++) {
            const double(*v)[MOST] = k == 0 ? g->level : g->score;
            regret_buffer_printf(&t,
                                 "%s\"%s\": {\"original\": %.17g, \"rewrite\": %.17g, "
                                 "\"rewrite_of_rewrite\": %.17g}",
                                 k ? ", " : "", k == 0 ? "level" : "m", v[0][i], v[1][i], v[2][i]);
        }
        regret_buffer_append(&t, "}}\n");
    }
    struct regret_rate_rows *rows = rows_of(regret_buffer_get(&t));
    regret_buffer_free(&t);
    return rows;
}

static struct regret_rate_dose dose_of(const struct regret_rate_rows *rows,
                                       enum regret_rate_clusters clusters)
{
    const struct regret_rate_options options = {.clusters = clusters, .threads = 1};
    struct regret_rate_dose *d = NULL;
    size_t n = 0;
    cr_assert_eq(regret_rate_doses(&d, &n, rows, "level", &options), 0, "%s",
                 regret_error_message());
    cr_assert_eq(n, 1);
    struct regret_rate_dose one = *d;
    regret_free(d);
    return one;
}

/* ---- The reference: CR2 by whole matrices, (I − H_cc)^(−1/2) by its power series ---- */

typedef double matrix[MOST][MOST];

/* The fit of y on p columns; the last coefficient, its error and degrees of freedom. */
static void naive_fit(double *slope, double *se, double *df, double x[2][MOST], int p,
                      const double *y, const size_t *cluster, size_t n)
{
    static matrix h, left, power, next, a, work, b;
    double m[2][2] = {{0.0, 0.0}, {0.0, 1.0}}, inverse[2][2], beta[2] = {0.0, 0.0}, xy[2] = {0, 0};
    for (size_t i = 0; i < n; i++) {
        for (int j = 0; j < p; j++) {
            xy[j] += x[j][i] * y[i];
            for (int k = 0; k < p; k++) {
                m[j][k] += (j == 1 && k == 1 && i == 0 ? -1.0 : 0.0) + x[j][i] * x[k][i];
            }
        }
    }
    double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    inverse[0][0] = m[1][1] / det;
    inverse[1][1] = m[0][0] / det;
    inverse[0][1] = inverse[1][0] = -m[0][1] / det;
    for (int j = 0; j < p; j++) {
        for (int k = 0; k < p; k++) {
            beta[j] += inverse[j][k] * xy[k];
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            h[i][k] = 0.0;
            for (int j = 0; j < p; j++) {
                for (int l = 0; l < p; l++) {
                    h[i][k] += x[j][i] * inverse[j][l] * x[l][k];
                }
            }
            left[i][k] = cluster[i] == cluster[k] ? h[i][k] : 0.0; /* block-diagonal */
            power[i][k] = a[i][k] = i == k;
        }
    }
    double factor = 1.0;
    for (int term = 1; term < 400; term++) {
        factor *= (2.0 * term - 1.0) / (2.0 * term);
        memset(next, 0, sizeof next);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                for (size_t k = 0; k < n && power[i][j] != 0.0; k++) {
                    next[i][k] += power[i][j] * left[j][k];
                }
            }
        }
        memcpy(power, next, sizeof power);
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n; k++) {
                a[i][k] += factor * power[i][k];
            }
        }
    }
    /* ψ_c = w' A_c e_c, with w' the last row of (X'X)^(−1) X'. */
    double psi[MOST] = {0.0}, u[MOST] = {0.0}, trace = 0.0, squares = 0.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            double w = 0.0;
            for (int j = 0; j < p; j++) {
                w += inverse[p - 1][j] * x[j][k];
            }
            u[i] += w * a[k][i];
        }
    }
    memset(work, 0, sizeof work);
    memset(b, 0, sizeof b);
    *se = 0.0;
    for (size_t i = 0; i < n; i++) {
        double fitted = 0.0;
        for (int j = 0; j < p; j++) {
            fitted += beta[j] * x[j][i];
        }
        psi[cluster[i]] += u[i] * (y[i] - fitted);
        for (size_t k = 0; k < n; k++) { /* B_cd = u_c' (I − H)_cd u_d */
            b[cluster[i]][cluster[k]] += u[i] * ((i == k) - h[i][k]) * u[k];
        }
    }
    for (size_t c = 0; c < MOST; c++) {
        *se += psi[c] * psi[c];
        trace += b[c][c];
        for (size_t d = 0; d < MOST; d++) {
            squares += b[c][d] * b[c][d];
        }
    }
    *se = sqrt(*se);
    *df = trace * trace / squares;
    *slope = beta[p - 1];
}

static void check_fit(const struct regret_rate_slope_test *s, const struct graded *g, int fit,
                      int by_prompt, const char *what)
{
    double x[2][MOST], y[MOST], slope, se, df;
    size_t cluster[MOST], n = 0;
    for (size_t i = 0; i < g->n; i++) {
        double to = g->level[2][i], from = g->level[1][i];
        if (fit == 2) {
            x[0][n] = 1.0;
            x[1][n] = g->level[0][i];
            y[n] = g->score[0][i];
        } else if (to == from) {
            continue;
        } else {
            x[0][n] = to - from;
            x[1][n] = to * to - from * from;
            y[n] = g->score[2][i] - g->score[1][i];
        }
        cluster[n++] = by_prompt ? g->prompt[i] : i;
    }
    naive_fit(&slope, &se, &df, x, fit == 0 ? 1 : 2, y, cluster, n);
    cr_assert_null(s->missing, "%s: %s", what, s->missing);
    cr_assert_eq(s->n, n);
    cr_assert_float_eq(s->slope, slope, 1e-9 * fmax(1.0, fabs(slope)), "%s: %g %g", what, s->slope,
                       slope);
    cr_assert_float_eq(s->se, se, 1e-8 * se, "%s: se %.15g %.15g", what, s->se, se);
    cr_assert_float_eq(s->df, df, 1e-7 * df, "%s: df %.15g %.15g", what, s->df, df);
}

Test(dose, slopes_are_those_of_explicit_matrices)
{
    struct regret_rng rng = regret_rng_at(1, REGRET_RNG_TEST, 50);
    for (unsigned trial = 0; trial < repeats(16); trial++) {
        struct graded g;
        draw(&g, 40 + regret_rng_below(&rng, 24), 8 + regret_rng_below(&rng, 8), 0.1, &rng);
        struct regret_rate_rows *rows = rows_from(&g);
        for (int by_prompt = 0; by_prompt < 2; by_prompt++) {
            struct regret_rate_dose d =
                dose_of(rows, by_prompt ? REGRET_CLUSTERS_OF_GROUP : REGRET_CLUSTERS_NONE);
            cr_assert_eq(d.clustered, by_prompt);
            check_fit(&d.slope, &g, 0, by_prompt, "slope");
            check_fit(&d.curvature, &g, 1, by_prompt, "curvature");
            check_fit(&d.naive, &g, 2, by_prompt, "naive");
        }
        regret_rate_rows_free(rows);
    }
}

/* Of two levels the slope is RATE's ATE over their distance, with its error and degrees of freedom. */
Test(dose, of_two_levels_is_the_effect)
{
    struct graded g;
    struct regret_rng rng = regret_rng_at(2, REGRET_RNG_TEST, 50);
    draw(&g, 50, 10, 0.0, &rng);
    for (size_t i = 0; i < g.n; i++) {
        g.level[0][i] = g.level[2][i] = i % 3 ? 4.0 : 1.0;
        g.level[1][i] = i % 3 ? 1.0 : 4.0;
    }
    struct regret_rate_rows *rows = rows_from(&g);
    struct regret_rate_estimate *e = NULL;
    const struct regret_rate_options options = {.threads = 1};
    size_t n = 0;
    cr_assert_eq(regret_rate_estimate(&e, &n, rows, &options), 0);
    struct regret_rate_dose d = dose_of(rows, REGRET_CLUSTERS_OF_GROUP);
    for (size_t k = 0; k < n; k++) {
        const struct regret_rate_effect *f = &e[k].effects[REGRET_EFFECT_RATE_ATE];
        const struct regret_rate_effect *naive = &e[k].effects[REGRET_EFFECT_NAIVE];
        if (strcmp(rows->models[e[k].model].name, "m") == 0) {
            cr_assert_float_eq(3.0 * d.slope.slope, f->estimate, 1e-12);
            cr_assert_float_eq(3.0 * d.slope.se, f->se, 1e-12);
            cr_assert_float_eq(d.slope.df, f->df, 1e-9);
            cr_assert_float_eq(3.0 * d.naive.slope, naive->estimate, 1e-12);
            cr_assert_float_eq(3.0 * d.naive.se, naive->se, 1e-12);
        }
    }
    cr_assert_not_null(d.curvature.missing); /* two levels are always on a line */
    regret_free(e);
    regret_rate_rows_free(rows);
}

/* Other units of levels and rewards: slopes go along, curvature's p stays. */
Test(dose, does_not_depend_on_units)
{
    struct graded g;
    struct regret_rng rng = regret_rng_at(3, REGRET_RNG_TEST, 50);
    draw(&g, 60, 12, 0.05, &rng);
    struct regret_rate_rows *rows = rows_from(&g);
    struct regret_rate_dose a = dose_of(rows, REGRET_CLUSTERS_OF_GROUP);
    regret_rate_rows_free(rows);
    for (int side = 0; side < 3; side++) {
        for (size_t i = 0; i < g.n; i++) {
            g.level[side][i] = 1000.0 + 10.0 * g.level[side][i];
            g.score[side][i] = 7.0 - 2.0 * g.score[side][i];
        }
    }
    rows = rows_from(&g);
    struct regret_rate_dose b = dose_of(rows, REGRET_CLUSTERS_OF_GROUP);
    cr_assert_float_eq(b.slope.slope, -0.2 * a.slope.slope, 1e-12);
    cr_assert_float_eq(b.slope.se, 0.2 * a.slope.se, 1e-12);
    cr_assert_float_eq(b.slope.df, a.slope.df, 1e-8);
    cr_assert_float_eq(b.curvature.p, a.curvature.p, 1e-9);
    cr_assert_float_eq(b.curvature.slope, -0.02 * a.curvature.slope, 1e-11);
    cr_assert_float_eq(b.naive.p, a.naive.p, 1e-9);
    cr_assert_eq(b.n_levels, 5);
    cr_assert_float_eq(b.levels[2].mean[1], 7.0 - 2.0 * a.levels[2].mean[1], 1e-12);
    regret_rate_rows_free(rows);
}

/* Where the original's reward goes along with something else, only the rewrites' slope is right; where
 * nothing is bent, the test of curvature rejects one time in twenty. */
Test(dose, only_rewrites_tell_the_slope)
{
    struct regret_rng rng = regret_rng_at(4, REGRET_RNG_TEST, 50);
    unsigned tried = repeats(800), held = 0, bent = 0;
    double slack = repeats_slack(800, 0.95), naive = 0.0;
    for (unsigned b = 0; b < tried; b++) {
        struct graded g;
        draw(&g, 48, 12, 0.0, &rng);
        struct regret_rate_rows *rows = rows_from(&g);
        struct regret_rate_dose d = dose_of(rows, REGRET_CLUSTERS_OF_GROUP);
        held += d.slope.low <= 0.8 && 0.8 <= d.slope.high;
        bent += d.curvature.p < 0.05;
        naive += d.naive.slope / tried;
        regret_rate_rows_free(rows);
    }
    cr_assert(held >= (0.92 - slack) * tried && held <= (0.98 + slack) * tried, "%u", held);
    cr_assert(bent >= (0.02 - slack) * tried && bent <= (0.085 + slack) * tried, "%u", bent);
    cr_assert_float_eq(naive, 3.8, 0.1);
}

static const char by_hand[] =
    "{\"scores\": {\"level\": {\"original\": 1, \"rewrite\": 3, \"rewrite_of_rewrite\": 1}, "
    "\"m\": {\"original\": 0, \"rewrite\": 5, \"rewrite_of_rewrite\": 1}}}\n"
    "{\"scores\": {\"level\": {\"original\": 3, \"rewrite\": 2, \"rewrite_of_rewrite\": 3}, "
    "\"m\": {\"original\": 9, \"rewrite\": 2, \"rewrite_of_rewrite\": 4}}}\n"
    "{\"scores\": {\"level\": {\"original\": 3, \"rewrite\": 3, \"rewrite_of_rewrite\": 1}, "
    "\"m\": {\"original\": 7, \"rewrite\": 6, \"rewrite_of_rewrite\": 2}}}\n"
    "{\"scores\": {\"level\": {\"original\": 2, \"rewrite\": 2, \"rewrite_of_rewrite\": 2}, "
    "\"m\": {\"original\": 7, \"rewrite\": 6, \"rewrite_of_rewrite\": 2}}}\n"
    "{\"scores\": {\"level\": {\"original\": 2}, \"m\": {\"original\": 7}}}\n";

Test(dose, by_hand)
{
    struct regret_rate_rows *rows = rows_of(by_hand);
    struct regret_rate_dose d = dose_of(rows, REGRET_CLUSTERS_OF_GROUP);
    /* D = −4, 2, −4 at differences −2, 1, −2: all on the line of slope 2. */
    cr_assert(d.n_rows == 5 && d.n_used == 3 && d.slope.n_clusters == 3);
    cr_assert_float_eq(d.slope.slope, 2.0, 1e-14);
    cr_assert_float_eq(d.slope.se, 0.0, 1e-14);
    cr_assert_lt(d.slope.p, 1e-6);
    cr_assert_eq(d.n_levels, 3);
    cr_assert(d.levels[0].level == 1.0 && d.levels[1].level == 2.0 && d.levels[2].level == 3.0);
    cr_assert(d.levels[2].n[0] == 2 && d.levels[2].mean[0] == 8.0 && d.levels[2].se[0] == 1.0);
    cr_assert(d.levels[1].n[1] == 2 && d.levels[1].mean[1] == 4.0 && d.levels[1].n[0] == 2);
    cr_assert(d.levels[0].n[1] == 0 && isnan(d.levels[0].mean[1]) && isnan(d.levels[0].se[0]));
    regret_rate_rows_free(rows);
}

/* All of one cluster, one level, two rows, nothing but zeros, more levels than are listed, overflow. */
Test(dose, degenerate)
{
    struct graded g;
    struct regret_rng rng = regret_rng_at(5, REGRET_RNG_TEST, 50);
    for (int k = 0; k < 5; k++) {
        draw(&g, k == 1 ? 2 : 50, 10, 0.0, &rng);
        for (size_t i = 0; i < g.n; i++) {
            for (int side = 0; side < 3; side++) {
                g.level[side][i] = k == 0   ? 3.0
                                   : k == 2 ? (double)(3 * i) + side
                                            : g.level[side][i];
                g.score[side][i] *= k == 3 ? 0.0 : k == 4 ? 1e200 : 1.0;
            }
        }
        struct regret_rate_rows *rows = rows_from(&g);
        struct regret_rate_dose d = dose_of(rows, REGRET_CLUSTERS_OF_GROUP);
        cr_assert_eq(d.slope.missing != NULL, k < 2 || k == 4, "%d: %s", k, d.slope.missing);
        cr_assert_eq(d.n_levels, k == 0 ? 1 : k == 2 ? 0 : k == 1 ? d.n_levels : 5);
        if (k == 3) {
            cr_assert(d.slope.slope == 0.0 && d.slope.p == 1.0);
        }
        regret_rate_rows_free(rows);
    }
    draw(&g, 20, 1, 0.0, &rng);
    struct regret_rate_rows *rows = rows_from(&g);
    cr_assert_not_null(dose_of(rows, REGRET_CLUSTERS_ALWAYS).slope.missing);
    cr_assert_null(dose_of(rows, REGRET_CLUSTERS_NONE).slope.missing);
    regret_rate_rows_free(rows);
}

Test(dose, the_program_and_its_figure)
{
    char path[512], arguments[1500], folder[600];
    snprintf(path, sizeof path, "%s", scratch_file("graded.jsonl", by_hand));
    snprintf(folder, sizeof folder, "%s/figures", scratch_folder());
    static const char *const runs[][2] = {{"", "| RATE curvature | 3 |"},
                                          {"-f csv", ",m,RATE,3,none,3,2,"},
                                          {"-f json", "\"levels\": ["}};
    for (size_t k = 0; k < 3; k++) {
        snprintf(arguments, sizeof arguments, "rate dose %s %s", path, runs[k][0]);
        check_run(arguments, "2>&1", 0, runs[k][1]);
    }
    snprintf(arguments, sizeof arguments, "rate dose %s --level grade", path);
    check_run(arguments, "2>&1", 2, "no row has scores of \"grade\"");
    snprintf(arguments, sizeof arguments, "rate dose %s --figures %s", path, folder);
    check_run(arguments, "2>&1", 0, "RATE");

    char *file = NULL;
    cr_assert_eq(regret_path_join(&file, folder, "dose-1.svg"), 0);
    cr_assert(regret_file_exists(file));
    regret_free(file);
}
