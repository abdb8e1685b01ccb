/* Predicted W where rows depend on each other: what correcting it makes of clusters. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "rate/labels/corrected.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "regret/rng.h"
#include "regret/student.h"

TestSuite(predicted_clusters, .fini = scratch_remove);

enum { MOST = 320, MOST_CLUSTERS = 60 };

struct drawn {
    double w[MOST], p[MOST], x[MOST], room[CORRECTED_ROOM * MOST];
    uint32_t cluster[MOST];
    struct labelled_sample sample;
};

/* Prompts of `sizes` rows, again and again; row i is labelled where i % each is 0, or its prompt's number is.
 * The effect .5 has the deviation `spread` over prompts, beside noise of 1; the classifier is right in 85 %. */
struct design {
    size_t n_clusters, sizes[6], n_sizes, each;
    int by_prompt;
    double spread;
};

static void draw(struct drawn *d, const struct design *how, unsigned seed)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 31);
    size_t n = 0;
    for (int labelled = 1; labelled >= 0; labelled--) {
        r = regret_rng_at(seed, REGRET_RNG_TEST, 31);
        size_t row = 0;
        for (size_t c = 0; c < how->n_clusters; c++) {
            double effect = 0.5 + how->spread * regret_rng_normal(&r);
            for (size_t k = 0; k < how->sizes[c % how->n_sizes]; k++, row++) {
                int w = regret_rng_below(&r, 2) == 0, right = regret_rng_uniform(&r) < 0.85;
                double noise = regret_rng_normal(&r);
                if (((how->by_prompt ? c : row) % how->each == 0) != labelled) {
                    continue;
                }
                d->w[n] = w;
                d->p[n] = right ? w : 1 - w;
                d->x[n] = (w ? 1.0 : -1.0) * (effect + noise);
                d->cluster[n++] = (uint32_t)c;
            }
        }
        d->sample.n = labelled ? n : d->sample.n;
    }
    d->sample = (struct labelled_sample){.n = d->sample.n,
                                         .n_more = n - d->sample.n,
                                         .w = d->w,
                                         .p = d->p,
                                         .x = d->x,
                                         .cluster = d->cluster,
                                         .n_clusters = how->n_clusters,
                                         .room = d->room};
}

static const enum regret_rate_effect_kind kinds[] = {REGRET_EFFECT_NAIVE,    REGRET_EFFECT_RATE_ATE,
                                                     REGRET_EFFECT_RATE_ATT, REGRET_EFFECT_RATE_ATU,
                                                     REGRET_EFFECT_DRIFT_1,  REGRET_EFFECT_DRIFT_0};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

Test(predicted_clusters, of_one_row_each_are_no_clusters)
{
    static struct drawn d;
    const struct design how = {60, {1}, 1, 3, 0, 0.5};
    for (unsigned seed = 0; seed < 5; seed++) {
        draw(&d, &how, seed);
        struct labelled_sample alone = d.sample;
        alone.cluster = NULL;
        for (size_t k = 0; k < N_KINDS; k++) {
            struct corrected_effect c = correct_effect(&d.sample, kinds[k], 0, (double)NAN);
            struct corrected_effect e = correct_effect(&alone, kinds[k], 0, (double)NAN);
            cr_assert(c.missing == NULL && c.n_clusters == 60 && e.n_clusters == 60);
            cr_assert(c.lambda == e.lambda && c.estimate == e.estimate);
            cr_assert_float_eq(c.se, e.se, 1e-13);
            cr_assert_float_eq(c.labelled_se, e.labelled_se, 1e-13);
            if (kinds[k] != REGRET_EFFECT_NAIVE) { /* which then has Welch's */
                cr_assert_float_eq(c.df, e.df, 1e-10, "%g, %g", c.df, e.df);
            }
        }
    }
}

/* ---- By words: the estimate as a function of the rows' weights ---- */

static double weighted_mean(const struct labelled_sample *s, const double *weight, int which,
                            enum regret_rate_effect_kind kind, int part)
{
    double sum = 0.0, all = 0.0;
    for (size_t i = which == 2 ? s->n : 0; i < (which == 2 ? s->n + s->n_more : s->n); i++) {
        double w = which == 0 ? s->w[i] : s->p[i], x = s->x[i];
        double q = kind == REGRET_EFFECT_RATE_ATE   ? (part ? 1.0 : w * x - (1.0 - w) * x)
                   : kind == REGRET_EFFECT_RATE_ATU ? (part ? 1.0 - w : (w - 1.0) * x)
                   : kind == REGRET_EFFECT_DRIFT_0  ? (part ? 1.0 - w : (1.0 - w) * x)
                                                    : (part ? w : w * x);
        sum += weight[i] * q;
        all += weight[i];
    }
    return sum / all;
}

static double weighted_estimate(const struct labelled_sample *s, const double *weight,
                                enum regret_rate_effect_kind kind, double lambda)
{
    double m[2];
    if (kind == REGRET_EFFECT_NAIVE) {
        return weighted_estimate(s, weight, REGRET_EFFECT_DRIFT_1, lambda) -
               weighted_estimate(s, weight, REGRET_EFFECT_DRIFT_0, lambda);
    }
    for (int part = 0; part < 2; part++) {
        m[part] = weighted_mean(s, weight, 0, kind, part) +
                  lambda * (weighted_mean(s, weight, 2, kind, part) -
                            weighted_mean(s, weight, 1, kind, part));
    }
    return m[0] / m[1];
}

/* What row i contributes: the derivative by its weight, by differences. */
static double contribution(const struct labelled_sample *s, double *weight,
                           enum regret_rate_effect_kind kind, double lambda, size_t i)
{
    const double h = 1e-4;
    double at[2];
    for (int k = 0; k < 2; k++) {
        weight[i] = k == 0 ? 1.0 - h : 1.0 + h;
        at[k] = weighted_estimate(s, weight, kind, lambda);
    }
    weight[i] = 1.0;
    return (at[1] - at[0]) / (2.0 * h);
}

/* How many of the rows [first, first + n) are of cluster c, and have the W asked for (2: any). */
static double count_rows(const struct labelled_sample *s, size_t first, size_t n, uint32_t c, int w)
{
    double m = 0.0;
    for (size_t i = first; i < first + n; i++) {
        m += s->cluster[i] == c && (w == 2 || s->w[i] == w);
    }
    return m;
}

/* Satterthwaite's degrees of freedom from the whole matrix: ψ_c = g_c'y with g_c = (I − H) a_c, of which a_c is
 * ±1/(n √(1 − m_c/n)) on the rows of cluster c in each of two sets, rows i with set[i] 0 or 1 (2: none) of
 * variance φ. */
static double dense_df(const struct labelled_sample *s, const int *set, const double phi[2])
{
    static double g[MOST_CLUSTERS][MOST];
    size_t rows = s->n + s->n_more;
    double trace = 0.0, squares = 0.0, n[2] = {0.0, 0.0};
    for (size_t i = 0; i < rows; i++) {
        n[0] += set[i] == 0;
        n[1] += set[i] == 1;
    }
    for (uint32_t c = 0; c < s->n_clusters; c++) {
        double m[2] = {0.0, 0.0}, a[2];
        for (size_t i = 0; i < rows; i++) {
            if (set[i] < 2 && s->cluster[i] == c) {
                m[set[i]] += 1.0;
            }
        }
        for (int k = 0; k < 2; k++) {
            a[k] = n[k] > 0.0 ? 1.0 / (n[k] * sqrt(1.0 - m[k] / n[k])) : 0.0;
        }
        for (size_t i = 0; i < rows; i++) {
            int k = set[i];
            g[c][i] = k == 2 ? 0.0 : a[k] * ((s->cluster[i] == c) - m[k] / n[k]);
        }
    }
    for (uint32_t c = 0; c < s->n_clusters; c++) {
        for (uint32_t b = 0; b < s->n_clusters; b++) {
            double product = 0.0;
            for (size_t i = 0; i < rows; i++) {
                product += set[i] < 2 ? g[c][i] * g[b][i] * phi[set[i]] : 0.0;
            }
            trace += c == b ? product : 0.0;
            squares += product * product;
        }
    }
    return trace * trace / squares;
}

/* The lesser of those of the labelled rows that the effect rests on and of all. */
static double naive_df(const struct labelled_sample *s, enum regret_rate_effect_kind kind,
                       const double *contributions)
{
    static int set[MOST];
    const double equal[2] = {1.0, 1.0};
    double phi[2] = {0.0, 0.0}, n = (double)s->n, more = (double)s->n_more;
    int ones = kind == REGRET_EFFECT_RATE_ATT || kind == REGRET_EFFECT_DRIFT_1;
    int zeros = kind == REGRET_EFFECT_RATE_ATU || kind == REGRET_EFFECT_DRIFT_0;
    for (size_t i = 0; i < s->n + s->n_more; i++) {
        int one = s->w[i] == 1.0;
        set[i] = i >= s->n || (ones && !one) || (zeros && one) ? 2 : 0;
        if (kind == REGRET_EFFECT_NAIVE && i < s->n) {
            set[i] = one;
        }
    }
    double df = dense_df(s, set, equal);
    for (size_t i = 0; i < s->n + s->n_more; i++) {
        int labelled = i < s->n;
        set[i] = !labelled;
        phi[!labelled] += labelled
                              ? n * n * contributions[i] * contributions[i] / (n - 1.0)
                              : more * more * contributions[i] * contributions[i] / (more - 1.0);
    }
    return fmin(df, dense_df(s, set, phi));
}

Test(predicted_clusters, errors_are_those_of_contributions_by_cluster)
{
    static struct drawn d;
    static double weight[MOST], own[MOST];
    static const struct design designs[] = {{24, {1, 2, 8, 3, 1, 5}, 6, 4, 0, 1.0},
                                            {24, {1, 2, 8, 3, 1, 5}, 6, 2, 1, 1.0},
                                            {40, {4}, 1, 3, 0, 0.5}};
    for (unsigned seed = 0; seed < 3; seed++) {
        draw(&d, &designs[seed], seed);
        const struct labelled_sample *s = &d.sample;
        for (size_t k = 0; k < N_KINDS; k++) {
            for (int step = 0; step < 3; step++) {
                double lambda = 0.4 * step, variance = 0.0, jackknife = 0.0;
                struct corrected_effect c = correct_effect(s, kinds[k], 0, lambda);
                for (size_t i = 0; i < s->n + s->n_more; i++) {
                    weight[i] = 1.0;
                }
                cr_assert_float_eq(c.estimate, weighted_estimate(s, weight, kinds[k], lambda),
                                   1e-12);
                for (size_t i = 0; i < s->n + s->n_more; i++) {
                    own[i] = contribution(s, weight, kinds[k], lambda, i);
                }
                for (uint32_t g = 0; g < s->n_clusters; g++) {
                    double m = count_rows(s, 0, s->n, g, 2);
                    double more = count_rows(s, s->n, s->n_more, g, 2), u = 0.0;
                    for (size_t i = 0; i < s->n + s->n_more; i++) {
                        double h = i < s->n ? m / (double)s->n : more / (double)s->n_more;
                        u += s->cluster[i] == g ? own[i] / sqrt(1.0 - h) : 0.0;
                        weight[i] = s->cluster[i] == g ? 0.0 : 1.0;
                    }
                    variance += u * u;
                    double e = weighted_estimate(s, weight, kinds[k], lambda) - c.estimate;
                    jackknife += e * e * ((double)s->n_clusters - 1.0) / (double)s->n_clusters;
                    for (size_t i = 0; i < s->n + s->n_more; i++) {
                        weight[i] = 1.0;
                    }
                }
                cr_assert_float_eq(c.se, sqrt(variance), 1e-6 * c.se, "%zu: %g, %g", k, c.se,
                                   sqrt(variance));
                cr_assert_float_eq(c.se, sqrt(jackknife), 0.2 * c.se, "%zu: %g, %g", k, c.se,
                                   sqrt(jackknife));
                if (step > 0) {
                    double df = naive_df(s, kinds[k], own);
                    cr_assert_float_eq(c.df, df, 1e-5 * df, "%zu: %g, %g", k, c.df, df);
                }
            }
        }
    }
}

/* ---- Coverage ---- */

Test(predicted_clusters, intervals_hold_the_truth)
{
    enum { FULL = 2000 };
    static struct drawn d;
    static const struct design designs[] = {{40, {8}, 1, 5, 0, 0.0},
                                            {40, {8}, 1, 5, 0, 2.0},
                                            {40, {8}, 1, 2, 0, 0.65},
                                            {40, {8}, 1, 3, 1, 0.65},
                                            {48, {1, 2, 8, 3, 1, 5}, 6, 2, 0, 2.0},
                                            {48, {1, 2, 8, 3, 1, 5}, 6, 3, 1, 0.65}};
    for (size_t k = 0; k < sizeof designs / sizeof *designs; k++) {
        for (int kind = REGRET_EFFECT_RATE_ATE; kind <= REGRET_EFFECT_RATE_ATU; kind++) {
            size_t held = 0, alone_held = 0;
            unsigned n = repeats(FULL);
            for (unsigned b = 0; b < n; b++) {
                draw(&d, &designs[k], 1000 * (unsigned)k + b);
                struct labelled_sample alone = d.sample;
                alone.cluster = NULL;
                struct corrected_effect c =
                    correct_effect(&d.sample, (enum regret_rate_effect_kind)kind, 0, (double)NAN);
                held += fabs(c.estimate - 0.5) <= regret_student_quantile(0.975, c.df) * c.se;
                c = correct_effect(&alone, (enum regret_rate_effect_kind)kind, 0, (double)NAN);
                alone_held += fabs(c.estimate - 0.5) <= regret_student_quantile(0.975, c.df) * c.se;
            }
            double share = (double)held / n, slack = repeats_slack(FULL, 0.95);
            double error = 2.0 * sqrt(0.95 * 0.05 / FULL);
            cr_assert(share > 0.93 - error - slack && share < 0.97 + error + slack, "%zu, %d: %g",
                      k, kind, share);
            if (designs[k].spread > 1.0 && kind == REGRET_EFFECT_RATE_ATE) {
                cr_assert_lt((double)alone_held / n, 0.9, "%g", (double)alone_held / n);
            }
        }
    }
}

/* ---- Degenerate samples ---- */

Test(predicted_clusters, what_one_cluster_cannot_tell_is_said)
{
    static struct drawn d;
    const struct design how = {12, {4}, 1, 2, 0, 0.5};
    draw(&d, &how, 3);
    struct labelled_sample *s = &d.sample;
    /* Two clusters with labelled rows alone are clusters like others. */
    for (size_t i = s->n; i < s->n + s->n_more; i++) {
        d.cluster[i] = d.cluster[i] < 2 ? 2 : d.cluster[i];
    }
    struct corrected_effect c = correct_effect(s, REGRET_EFFECT_RATE_ATT, 0, (double)NAN);
    cr_assert(c.missing == NULL && c.n_clusters == 12 && isfinite(c.se) && c.df > 3.0);
    /* Of predicted rows that are all of one, only the labelled ones speak. */
    for (size_t i = s->n; i < s->n + s->n_more; i++) {
        d.cluster[i] = 2;
    }
    c = correct_effect(s, REGRET_EFFECT_RATE_ATT, 0, (double)NAN);
    cr_assert(c.missing == NULL && c.lambda == 0.0 && c.estimate == c.labelled &&
              c.se == c.labelled_se && c.n_clusters == 12);
    /* Those with W = 1 of one cluster: an ATU, and an ATE, but no ATT. */
    for (size_t i = 0; i < s->n; i++) {
        d.cluster[i] = d.w[i] > 0.5 ? 5 : d.cluster[i];
    }
    static const int there[N_KINDS] = {0, 1, 0, 1, 0, 1};
    for (size_t k = 0; k < N_KINDS; k++) {
        c = correct_effect(s, kinds[k], 0, (double)NAN);
        cr_assert_eq(c.missing == NULL, there[k], "%zu", k);
        cr_assert(there[k] || strstr(c.missing, "are of one cluster") != NULL);
    }
    memset(d.cluster, 0, sizeof d.cluster);
    for (size_t k = 0; k < N_KINDS; k++) {
        cr_assert_not_null(correct_effect(s, kinds[k], 0, (double)NAN).missing);
    }
}

/* ---- Rows ---- */

/* A table of `n` rows, four a prompt, or one; W known in every `each`-th row, or of the first prompt alone
 * (each 0). The label of row `flipped` is another one. */
static const char *table(const char *name, size_t n, size_t each, int one_prompt_each, int flipped)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    struct regret_rng r = regret_rng_at(8, REGRET_RNG_TEST, 32);
    regret_buffer_append(&t, "id,w,prompt,completions.original,clf.original,m.original,m.rewrite,"
                             "m.rewrite_of_rewrite\n");
    for (size_t i = 0; i < n; i++) {
        int w = regret_rng_below(&r, 2) == 0, said = regret_rng_uniform(&r) < 0.85 ? w : !w;
        int known = each > 0 ? i % each == 0 : i < 4;
        int told = each == 0 ? i % 2 == 0 : (int)i == flipped ? !w : w;
        regret_buffer_printf(&t, "%zu,%s,p%zu,\"a %s thing, %zu\",%d,%.9f,%.9f,%.9f\n", i,
                             !known ? ""
                             : told ? "true"
                                    : "false",
                             one_prompt_each ? i : i / 4, said ? "good" : "bad", i % 9, said,
                             w + regret_rng_normal(&r), regret_rng_normal(&r),
                             0.5 * w + regret_rng_normal(&r));
    }
    const char *path = scratch_file(name, regret_buffer_get(&t));
    regret_buffer_free(&t);
    return path;
}

/* Runs estimate on a table: what came out, to be freed. */
static char *estimate(const char *path, const char *more, int expected)
{
    char arguments[1200];
    int code = 0;
    snprintf(arguments, sizeof arguments, "rate estimate %s -f csv %s", path, more);
    char *out = run_program(&code, arguments, "2>/dev/null");
    cr_assert_eq(code, expected, "%d: %s", code, out);
    return out;
}

Test(predicted_clusters, the_program_counts_prompts)
{
    const char *path = table("clustered.csv", 200, 5, 0, -1);
    char *text[3] = {estimate(path, "--predict-w score:clf:0.5", 0),
                     estimate(path, "--predict-w score:clf:0.5 --cluster none", 0),
                     estimate(path, "--predict-w score:clf:0.5 --interval normal", 0)};
    struct csv c[3] = {csv_parse(text[0]), csv_parse(text[1]), csv_parse(text[2])};
    size_t seen = 0;
    for (size_t i = 0; i < c[0].n_rows; i++) {
        if (strcmp(csv_cell(&c[0], i, "reward_model"), "m") != 0) {
            continue;
        }
        seen++;
        cr_assert_str_eq(csv_cell(&c[0], i, "cluster"), "prompt");
        cr_assert_str_eq(csv_cell(&c[1], i, "cluster"), "none");
        cr_assert_str_eq(csv_cell(&c[0], i, "n_clusters"), "50");
        cr_assert_str_eq(csv_cell(&c[1], i, "n_clusters"), "200");
        cr_assert_str_eq(csv_cell(&c[0], i, "estimate"), csv_cell(&c[1], i, "estimate"));
        cr_assert_neq(record_number(&c[0], i, "se"), record_number(&c[1], i, "se"));
        double estimated = record_number(&c[0], i, "estimate"), se = record_number(&c[0], i, "se");
        double t = regret_student_quantile(0.975, record_number(&c[0], i, "df"));
        cr_assert_float_eq(record_number(&c[0], i, "high"), estimated + t * se, 1e-12);
        cr_assert_float_eq(record_number(&c[2], i, "high"), estimated + 1.96 * se, 1e-12);
    }
    cr_assert_eq(seen, REGRET_N_EFFECTS);
    for (int k = 0; k < 3; k++) {
        csv_free(&c[k]);
        regret_free(text[k]);
    }
}

Test(predicted_clusters, prompts_of_one_row_each_change_no_byte)
{
    const char *path = table("alone.csv", 120, 3, 1, -1);
    char *own = estimate(path, "--predict-w text", 0);
    char *none = estimate(path, "--predict-w text --cluster none", 0);
    cr_assert_str_eq(own, none);
    regret_free(own);
    regret_free(none);
}

Test(predicted_clusters, one_labelled_prompt_is_too_few_and_a_missing_side_too)
{
    char arguments[1200];
    const char *path = table("one.csv", 80, 0, 0, -1);
    snprintf(arguments, sizeof arguments, "rate estimate %s --predict-w score:clf:0.5", path);
    check_run(arguments, "2>&1", 1, "are of one cluster");
    check_run(arguments, "2>&1", 1, "nothing could be estimated");
    snprintf(arguments, sizeof arguments,
             "rate estimate %s --predict-w score:clf:0.5 --cluster none", path);
    check_run(arguments, "2>&1", 0, "corrected by the labelled rows");
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_append(&t, "w,prompt,m.original,m.rewrite,m.rewrite_of_rewrite\n");
    for (int i = 0; i < 40; i++) {
        regret_buffer_printf(&t, "%s,p%d,%d,%d,%d\n", i % 3 == 0 ? "1" : "", i / 4, i % 2, i % 5,
                             i % 7);
    }
    snprintf(arguments, sizeof arguments, "rate estimate %s --predict-w score:m:0.5",
             scratch_file("side.csv", regret_buffer_get(&t)));
    check_run(arguments, "2>&1", 1, "fewer than two rows with a W of their own on a side");
    regret_buffer_free(&t);
}

/* No row's score knows a label of its prompt, be the row labelled or not. */
Test(predicted_clusters, a_fit_lacks_the_prompt_that_it_judges)
{
    const struct regret_rate_read_options how = {.keep_texts = 1};
    struct regret_rate_rows *rows[2] = {NULL, NULL};
    size_t changed = 0;
    for (int k = 0; k < 2; k++) {
        const char *path = table("folds.csv", 120, 2, 0, k == 0 ? -1 : 40);
        cr_assert_eq(regret_rate_read(&rows[k], &path, 1, &how), 0, "%s", regret_error_message());
        cr_assert_eq(regret_rate_predict_w(rows[k], "text"), 0);
    }
    cr_assert_neq(rows[0]->w[40], rows[1]->w[40]);
    for (size_t i = 0; i < 120; i++) {
        double difference = fabs(rows[0]->w_score[i] - rows[1]->w_score[i]);
        if (i / 4 == 10) {
            cr_assert_lt(difference, 1e-12, "%zu: %g", i, difference);
        }
        changed += difference > 1e-6;
    }
    cr_assert_gt(changed, 60, "%zu", changed);
    regret_rate_rows_free(rows[0]);
    regret_rate_rows_free(rows[1]);
}
