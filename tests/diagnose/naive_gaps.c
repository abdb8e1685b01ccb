#include "diagnose/naive_gaps.h"

#include <math.h>
#include <stdint.h>

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

struct naive_gap naive_gap(const struct regret_log *log, size_t agent, size_t tag)
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

struct naive_gap naive_adjusted(const struct regret_log *log, size_t agent)
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
