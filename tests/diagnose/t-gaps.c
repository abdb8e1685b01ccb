/* The table of gaps against one that leaves out every cluster in turn. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

#include "diagnose/log_world.h"
#include "evaluate/diagnose.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "stats/distributions.h"
#include "stats/multiplicity.h"

struct naive_gap {
    double mean[2], difference, error, df;
};

static int is_in(const struct regret_log *log, size_t source, size_t i, size_t agent, size_t tag)
{
    const struct regret_log_rows *rows = &log->rows[source];
    return rows->agent[i] == agent && (tag == log->n_tags || log->tag[rows->context[i]] == tag);
}

/* The mean of a source without a cluster; n_clusters: of all. NaN without rows. */
static double mean_without(const struct regret_log *log, size_t source, size_t agent, size_t tag,
                           size_t cluster)
{
    const struct regret_log_rows *rows = &log->rows[source];
    double sum = 0.0, weight = 0.0;
    for (size_t i = 0; i < rows->n; i++) {
        if (is_in(log, source, i, agent, tag) && rows->cluster[i] != cluster) {
            double w = source == REGRET_LOG_EXP ? 1.0 / rows->propensity[i] : 1.0;
            sum += w * rows->outcome[i];
            weight += w;
        }
    }
    return sum / weight;
}

static int has_cluster(const struct regret_log *log, size_t source, size_t agent, size_t tag,
                       size_t cluster)
{
    for (size_t i = 0; i < log->rows[source].n; i++) {
        if (is_in(log, source, i, agent, tag) && log->rows[source].cluster[i] == cluster) {
            return 1;
        }
    }
    return 0;
}

/* Variance of outcomes of both sources about their common mean. */
static double spread(const struct regret_log *log, size_t agent, size_t tag)
{
    double n = 0.0, sum = 0.0, squares = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t s = 0; s < 2; s++) {
            for (size_t i = 0; i < log->rows[s].n; i++) {
                if (is_in(log, s, i, agent, tag)) {
                    double y = log->rows[s].outcome[i];
                    n += pass == 0;
                    sum += pass == 0 ? y : 0.0;
                    squares += pass == 1 ? (y - sum / n) * (y - sum / n) : 0.0;
                }
            }
        }
    }
    return squares / n;
}

static struct naive_gap naive_gap(const struct regret_log *log, size_t agent, size_t tag)
{
    struct naive_gap g = {{0}, 0, 0, 0};
    double v[2] = {0, 0}, n[2] = {0, 0}, effective[2], cross = 0.0, total = 0.0, below = 0.0;
    for (size_t s = 0; s < 2; s++) {
        double w1 = 0.0, w2 = 0.0;
        g.mean[s] = mean_without(log, s, agent, tag, SIZE_MAX);
        for (size_t i = 0; i < log->rows[s].n; i++) {
            double w = s == REGRET_LOG_EXP ? 1.0 / log->rows[s].propensity[i] : 1.0;
            w1 += is_in(log, s, i, agent, tag) ? w : 0.0;
            w2 += is_in(log, s, i, agent, tag) ? w * w : 0.0;
        }
        effective[s] = w1 * w1 / w2;
    }
    for (size_t c = 0; c < log->n_clusters; c++) {
        double d[2] = {0, 0};
        for (size_t s = 0; s < 2; s++) {
            if (has_cluster(log, s, agent, tag, c)) {
                d[s] = mean_without(log, s, agent, tag, c) - g.mean[s];
                n[s] += 1.0;
                v[s] += d[s] * d[s];
            }
        }
        cross += d[0] * d[1];
    }
    for (size_t s = 0; s < 2; s++) {
        v[s] = fmax(v[s] * (n[s] - 1.0) / n[s], spread(log, agent, tag) / effective[s]);
        total += v[s];
        below += v[s] * v[s] / (fmin(n[s], effective[s]) - 1.0);
    }
    double joint = fmax(total - 2.0 * cross, 0.1 * total);
    g.difference = g.mean[0] - g.mean[1];
    g.error = sqrt(joint);
    g.df = joint * joint / below;
    return g;
}

/* Weighted sums of an agent on a tag. */
struct sums {
    double n[2], w[2], ww[2], wy[2], y, yy;
};

static double weight_of(const struct regret_log_rows *rows, size_t i)
{
    return rows->propensity ? 1.0 / rows->propensity[i] : 1.0;
}

static struct sums add_up(const struct regret_log *log, size_t agent, size_t tag)
{
    struct sums t = {{0}, {0}, {0}, {0}, 0, 0};
    for (size_t s = 0; s < 2; s++) {
        const struct regret_log_rows *rows = &log->rows[s];
        for (size_t i = 0; i < rows->n; i++) {
            if (is_in(log, s, i, agent, tag)) {
                double w = weight_of(rows, i), y = rows->outcome[i];
                t.n[s] += 1;
                t.w[s] += w;
                t.ww[s] += w * w;
                t.wy[s] += w * y;
                t.y += y;
                t.yy += y * y;
            }
        }
    }
    return t;
}

static struct naive_gap naive_adjusted(const struct regret_log *log, size_t agent)
{
    struct naive_gap g = {{0}, 0, 0, 0};
    double covered = 0.0, within = 0.0, rows = 0.0, even[2] = {0, 0}, v[2] = {0, 0}, n[2] = {0, 0},
           cross = 0.0, total = 0.0;
    struct sums t[64];
    for (size_t k = 0; k < log->n_tags; k++) {
        t[k] = add_up(log, agent, k);
        covered += t[k].n[0] >= 2 && t[k].n[1] > 0 ? t[k].w[1] : 0.0;
    }
    for (size_t k = 0; k < log->n_tags; k++) {
        if (t[k].n[0] >= 2 && t[k].n[1] > 0) {
            double share = t[k].w[1] / covered, all = t[k].n[0] + t[k].n[1];
            g.difference += share * (t[k].wy[0] / t[k].w[0] - t[k].wy[1] / t[k].w[1]);
            even[0] += share * share * t[k].ww[0] / (t[k].w[0] * t[k].w[0]);
            even[1] += t[k].ww[1] / (covered * covered);
            within += t[k].yy - t[k].y * t[k].y / all;
            rows += all - 1.0;
        }
    }
    for (size_t c = 0; c < log->n_clusters; c++) {
        double d[2] = {0, 0};
        int is_there[2] = {0, 0};
        for (size_t s = 0; s < 2; s++) {
            const struct regret_log_rows *r = &log->rows[s];
            for (size_t i = 0; i < r->n; i++) {
                const struct sums *k = &t[log->tag[r->context[i]]];
                if (r->cluster[i] != c || r->agent[i] != agent || k->n[0] < 2 || k->n[1] == 0) {
                    continue;
                }
                double from = r->outcome[i] - k->wy[0] / k->w[0], w = weight_of(r, i);
                is_there[s] = 1;
                d[s] += s == 0 ? k->w[1] / covered * w * from / k->w[0]
                               : w * (from + g.difference) / covered;
            }
            n[s] += is_there[s];
            v[s] += d[s] * d[s];
        }
        cross += d[0] * d[1];
    }
    for (size_t s = 0; s < 2; s++) {
        total += fmax(v[s] * n[s] / (n[s] - 1.0), within / rows * even[s]);
    }
    g.error = sqrt(fmax(total - 2.0 * cross, 0.1 * total));
    return g;
}

static const struct regret_diagnose_options options = REGRET_DIAGNOSE_OPTIONS_INIT;

/* All kinds of differences of a log. */
struct gaps {
    struct differences plain, adjusted, by_tag;
};

static struct differences differences_of(const struct regret_log *log,
                                         const struct cluster_order *order,
                                         enum differences_kind kind)
{
    struct differences d = {0};
    cr_assert_eq(differences_make(&d, log, order, kind, &options), REGRET_OK, "%s",
                 regret_error_message());
    return d;
}

static struct gaps gaps_of(const struct regret_log *log)
{
    struct cluster_order order = {0};
    cr_assert_eq(cluster_order_build(&order, log), REGRET_OK);
    const struct gaps gaps = {differences_of(log, &order, DIFFERENCES_OF_AGENTS),
                              differences_of(log, &order, DIFFERENCES_ADJUSTED),
                              differences_of(log, &order, DIFFERENCES_OF_TAGS)};
    cluster_order_free(&order);
    return gaps;
}

static void gaps_free(struct gaps *gaps)
{
    differences_free(&gaps->plain);
    differences_free(&gaps->adjusted);
    differences_free(&gaps->by_tag);
}

static void near(double a, double b, const char *what)
{
    cr_assert(isnan(a) ? isnan(b) : fabs(a - b) <= 1e-9 * (1.0 + fabs(b)), "%s: %.12g and %.12g",
              what, a, b);
}

/* Users in both sources, too. */
static void share_users(struct regret_log *log)
{
    struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    for (size_t i = 0; i < exp->n; i += 3) {
        exp->cluster[i] = log->rows[REGRET_LOG_OBS].cluster[i];
    }
}

static const struct log_world worlds[] = {
    {.seed = 3, .n_obs = 240, .n_exp = 90, .n_agents = 3, .n_tags = 3, .binary = 1},
    {.seed = 4,
     .n_obs = 200,
     .n_exp = 120,
     .n_agents = 3,
     .n_tags = 2,
     .user_rows = 4.0,
     .recorded = 1.0},
    {.seed = 5,
     .n_obs = 200,
     .n_exp = 120,
     .n_agents = 2,
     .n_tags = 3,
     .user_rows = 4.0,
     .probabilities = WORLD_BY_ROW,
     .obs_probabilities = 1.0,
     .hidden = 1.0,
     .binary = 1},
    {.seed = 6, .n_obs = 60, .n_exp = 20, .n_agents = 2, .n_tags = 2, .binary = 1, .base = 3.5},
};

Test(gaps, are_those_of_leaving_out_clusters)
{
    for (size_t w = 0; w < sizeof worlds / sizeof *worlds; w++) {
        struct regret_log *log = log_world_make(&worlds[w]);
        if (worlds[w].user_rows > 0.0) {
            share_users(log);
        }
        struct gaps gaps = gaps_of(log);
        size_t tested = 0;
        cr_assert_eq(gaps.plain.n, log->n_agents);
        cr_assert_eq(gaps.by_tag.n, log->n_agents * log->n_tags);
        for (size_t k = 0; k < gaps.plain.n + gaps.by_tag.n; k++) {
            int is_plain = k < gaps.plain.n;
            size_t at = is_plain ? k : k - gaps.plain.n;
            const struct differences *d = is_plain ? &gaps.plain : &gaps.by_tag;
            const struct difference *gap = &d->at[at];
            struct naive_gap naive = naive_gap(log, is_plain ? at : at / log->n_tags,
                                               is_plain ? log->n_tags : at % log->n_tags);
            near(gap->mean[0], naive.mean[0], "OBS");
            near(gap->mean[1], naive.mean[1], "EXP");
            near(gap->value, naive.difference, "difference");
            if (isnan(gap->error)) {
                continue; /* one cluster alone */
            }
            near(gap->error, naive.error, "error");
            near(gap->df, naive.df, "df");
            near(difference_half(gap, 0.05), naive.error * regret_student_quantile(0.975, naive.df),
                 "half-width");
            cr_assert_geq(difference_half(gap, normal_two_sided(d->critical)),
                          difference_half(gap, 0.05));
            double alone = 2.0 * regret_student_cdf(-fabs(gap->value) / gap->error, gap->df);
            cr_assert_geq(gap->p, alone - 0.02, "adjusting makes no p smaller, but for the draws");
            tested++;
        }
        cr_assert_gt(tested, log->n_agents);
        gaps_free(&gaps);
        regret_log_free(log);
    }
}

Test(gaps, adjusted_as_the_sums_say)
{
    for (size_t w = 0; w < sizeof worlds / sizeof *worlds; w++) {
        struct regret_log *log = log_world_make(&worlds[w]);
        struct gaps gaps = gaps_of(log);
        for (size_t a = 0; a < log->n_agents; a++) {
            const struct difference *gap = &gaps.adjusted.at[a];
            struct naive_gap naive = naive_adjusted(log, a);
            near(gap->value, naive.difference, "adjusted");
            near(gap->error, naive.error > 0.0 ? naive.error : NAN, "its error");
            cr_assert(gap->covered > 0.0 && gap->covered <= 1.0);
        }
        gaps_free(&gaps);
        regret_log_free(log);
    }
}

/* A log that is its trial, row by row, has no gap. */
Test(gaps, none_where_log_and_trial_are_one)
{
    struct log_world world = LOG_WORLD_INIT;
    world.n_obs = world.n_exp = 300;
    struct regret_log *log = log_world_make(&world);
    struct regret_log_rows *obs = &log->rows[REGRET_LOG_OBS], *exp = &log->rows[REGRET_LOG_EXP];
    for (size_t i = 0; i < exp->n; i++) {
        obs->context[i] = exp->context[i];
        obs->agent[i] = exp->agent[i];
        obs->outcome[i] = exp->outcome[i];
    }
    struct gaps gaps = gaps_of(log);
    const struct differences *all[] = {&gaps.plain, &gaps.adjusted, &gaps.by_tag};
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < all[i]->n; k++) {
            near(isnan(all[i]->at[k].value) ? 0.0 : all[i]->at[k].value, 0.0, "gap");
        }
    }
    cr_assert_gt(gaps.plain.p, 0.99);
    cr_assert_gt(gaps.adjusted.p, 0.99);
    gaps_free(&gaps);
    regret_log_free(log);
}

/* A row's share of tags that only OBS has moves the plain gap, and not the adjusted one. */
Test(gaps, what_the_tag_explains_is_adjusted_away)
{
    struct log_world world = {
        .seed = 11, .n_obs = 20000, .n_exp = 2000, .n_agents = 4, .n_tags = 4, .recorded = 1.5};
    struct regret_log *log = log_world_make(&world);
    struct gaps gaps = gaps_of(log);
    cr_assert_lt(gaps.plain.p, 1e-6);
    cr_assert_gt(gaps.adjusted.p, 0.01);
    gaps_free(&gaps);
    regret_log_free(log);
}

/* Where agents are many Šidák's bounds are those of the table. */
Test(gaps, of_many_cells)
{
    struct log_world many = {.seed = 2, .n_obs = 6000, .n_exp = 3000, .n_agents = 40, .n_tags = 8};
    struct regret_log *log = log_world_make(&many);
    struct gaps gaps = gaps_of(log);
    const struct differences *d = &gaps.by_tag;
    size_t m = 0;
    for (size_t k = 0; k < d->n; k++) {
        m += d->at[k].error > 0.0;
    }
    for (size_t k = 0; k < d->n; k++) {
        const struct difference *gap = &d->at[k];
        if (gap->error > 0.0) {
            double t = regret_student_quantile(0.5 + 0.5 * pow(0.95, 1.0 / (double)m), gap->df);
            cr_assert_float_eq(difference_half(gap, normal_two_sided(d->critical)), t * gap->error,
                               1e-6);
        }
    }
    gaps_free(&gaps);
    regret_log_free(log);
}
