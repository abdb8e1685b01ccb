/* Effects of rows whose W is partly predicted, corrected by those whose W is known: the formulas are at
 * regret_rate_correct_w(). */
#include <math.h>
#include <string.h>

#include "base/try.h"
#include "rate/clusters.h"
#include "rate/corrected.h"
#include "rate/rows.h"
#include "regret/alloc.h"
#include "regret/student.h"

static const char NO_LABELS[] =
    "fewer than two rows with a W of their own on a side: nothing corrects the predicted ones";

/* mean((c0 + c1 W) x) / mean(d0 + d1 W) */
struct ratio {
    double c0, c1, d0, d1;
};

static const struct ratio OVER_ALL = {-1.0, 2.0, 1.0, 0.0}, OVER_ONES = {0.0, 1.0, 0.0, 1.0},
                          OVER_ZEROS = {1.0, -1.0, 1.0, -1.0}, OF_ZEROS = {-1.0, 1.0, 1.0, -1.0},
                          PLAIN = {1.0, 0.0, 1.0, 0.0};

static double numerator(const struct ratio *r, double w, double x)
{
    return (r->c0 + r->c1 * w) * x;
}

static double denominator(const struct ratio *r, double w)
{
    return r->d0 + r->d1 * w;
}

/* M(q) of numerator and denominator: their quotient, and the latter. */
static double corrected_ratio(double *below, const struct ratio *r, const struct labelled_sample *s,
                              double lambda)
{
    double above[3] = {0.0}, under[3] = {0.0};
    for (size_t i = 0; i < s->n; i++) {
        above[0] += numerator(r, s->w[i], s->x[i]);
        under[0] += denominator(r, s->w[i]);
        above[1] += numerator(r, s->p[i], s->x[i]);
        under[1] += denominator(r, s->p[i]);
    }
    for (size_t i = s->n; i < s->n + s->n_more; i++) {
        above[2] += numerator(r, s->p[i], s->x[i]);
        under[2] += denominator(r, s->p[i]);
    }
    double n = (double)s->n, more = (double)s->n_more;
    *below = under[0] / n + lambda * (under[2] / more - under[1] / n);
    return (above[0] / n + lambda * (above[2] / more - above[1] / n)) / *below;
}

/* An effect: one ratio, or the difference of two. */
struct form {
    struct ratio part[2];
    int n_parts;
    double value[2], below[2];
};

static double evaluate(struct form *f, const struct labelled_sample *s, double lambda)
{
    double sum = 0.0;
    for (int k = 0; k < f->n_parts; k++) {
        f->value[k] = corrected_ratio(&f->below[k], &f->part[k], s, lambda);
        sum += k == 0 ? f->value[k] : -f->value[k];
    }
    return sum;
}

/* ψ(w) of a row with x. */
static double influence(const struct form *f, double w, double x)
{
    double sum = 0.0;
    for (int k = 0; k < f->n_parts; k++) {
        double e = (numerator(&f->part[k], w, x) - f->value[k] * denominator(&f->part[k], w)) /
                   f->below[k];
        sum += k == 0 ? e : -e;
    }
    return sum;
}

/* Means and second moments of ψ(W) and ψ(Ŵ) over the labelled rows, of ψ(Ŵ) over the others. */
struct moments {
    double variance_w, covariance, variance_p, variance_more, variance_all;
};

static struct moments moments_of(const struct form *f, const struct labelled_sample *s)
{
    struct moments m = {0.0, 0.0, 0.0, 0.0, 0.0};
    double mean_w = 0.0, mean_p = 0.0, mean_more = 0.0;
    double n = (double)s->n, more = (double)s->n_more;
    for (size_t i = 0; i < s->n; i++) {
        mean_w += influence(f, s->w[i], s->x[i]) / n;
        mean_p += influence(f, s->p[i], s->x[i]) / n;
    }
    for (size_t i = s->n; i < s->n + s->n_more; i++) {
        mean_more += influence(f, s->p[i], s->x[i]) / more;
    }
    for (size_t i = 0; i < s->n; i++) {
        double a = influence(f, s->w[i], s->x[i]) - mean_w;
        double b = influence(f, s->p[i], s->x[i]) - mean_p;
        m.variance_w += a * a / (n - 1.0);
        m.covariance += a * b / (n - 1.0);
        m.variance_p += b * b / (n - 1.0);
    }
    for (size_t i = s->n; i < s->n + s->n_more; i++) {
        double b = influence(f, s->p[i], s->x[i]) - mean_more;
        m.variance_more += s->n_more > 1 ? b * b / (more - 1.0) : 0.0;
    }
    m.variance_all = (m.variance_p * (n - 1.0) + m.variance_more * (more - 1.0)) / (n + more - 2.0);
    return m;
}

static double error_of(const struct moments *m, const struct labelled_sample *s, double lambda)
{
    double labelled =
        m->variance_w - 2.0 * lambda * m->covariance + lambda * lambda * m->variance_p;
    double variance =
        labelled / (double)s->n + lambda * lambda * m->variance_more / (double)s->n_more;
    return sqrt(variance > 0.0 ? variance : 0.0);
}

static double best_lambda(const struct moments *m, const struct labelled_sample *s)
{
    double below = (1.0 + (double)s->n / (double)s->n_more) * m->variance_all;
    int says_something = below > 1e-14 * m->variance_w; /* and is not the rounding of a constant */
    return says_something ? m->covariance / below : 0.0;
}

static struct form form_of(enum regret_rate_effect_kind kind, int contrastive)
{
    switch (kind) {
    case REGRET_EFFECT_NAIVE:
        return (struct form){.part = {OVER_ONES, OVER_ZEROS}, .n_parts = 2};
    case REGRET_EFFECT_SINGLE_ATE:
    case REGRET_EFFECT_RATE_ATE:
        return (struct form){.part = {contrastive ? PLAIN : OVER_ALL}, .n_parts = 1};
    case REGRET_EFFECT_SINGLE_ATU:
    case REGRET_EFFECT_RATE_ATU:
        return (struct form){.part = {contrastive ? OVER_ZEROS : OF_ZEROS}, .n_parts = 1};
    case REGRET_EFFECT_DRIFT_0:
        return (struct form){.part = {OVER_ZEROS}, .n_parts = 1};
    default:
        return (struct form){.part = {OVER_ONES}, .n_parts = 1};
    }
}

struct corrected_effect correct_effect(const struct labelled_sample *s,
                                       enum regret_rate_effect_kind kind, int contrastive,
                                       double fixed_lambda)
{
    struct corrected_effect out;
    struct form form = form_of(kind, contrastive);
    out.labelled = evaluate(&form, s, 0.0);
    struct moments m = moments_of(&form, s);
    out.labelled_se = error_of(&m, s, 0.0);
    out.lambda = isnan(fixed_lambda) ? best_lambda(&m, s) : fixed_lambda;
    out.estimate = evaluate(&form, s, out.lambda);
    m = moments_of(&form, s);
    out.se = error_of(&m, s, out.lambda);
    return out;
}

/* ---- The rows of a group as a model sees them ---- */

/* x of a row: O for the naive estimate, a difference of rewards for the others. */
static double quantity(const struct regret_rate_model *model, enum regret_rate_effect_kind kind,
                       size_t i)
{
    double *const *score = model->score;
    int is_rate = kind >= REGRET_EFFECT_RATE_ATE && kind <= REGRET_EFFECT_RATE_ATU;
    if (model->contrastive) {
        return score[is_rate][i];
    }
    double o = score[REGRET_SIDE_ORIGINAL][i], r = score[REGRET_SIDE_REWRITE][i];
    double rr = score[REGRET_SIDE_REWRITE_OF_REWRITE][i];
    return kind == REGRET_EFFECT_NAIVE     ? o
           : is_rate                       ? rr - r
           : kind >= REGRET_EFFECT_DRIFT_1 ? rr - o
                                           : o - r;
}

/* The rows that serve a model, the labelled ones first: row[0..n), row[n..n + n_more). */
struct members {
    size_t *row;           /* owned */
    size_t *order, *start; /* sort_by_group(); owned */
    size_t ones, zeros;
    struct labelled_sample sample;
};

static void find_members(struct members *m, const struct regret_rate_rows *rows, size_t group,
                         size_t model)
{
    size_t n = 0;
    m->ones = m->zeros = 0;
    for (int predicted = 0; predicted < 2; predicted++) {
        for (size_t k = m->start[group]; k < m->start[group + 1]; k++) {
            size_t i = m->order[k];
            if (rows->w[i] > REGRET_LABEL_1 || rows->w_predicted[i] != predicted ||
                isnan(rows->w_score[i]) || rows_missing(rows, model, i) != 0) {
                continue;
            }
            m->row[n] = i;
            m->sample.w[n] = rows->w[i];
            m->sample.p[n++] = rows->w_score[i];
            m->ones += !predicted && rows->w[i] == REGRET_LABEL_1;
            m->zeros += !predicted && rows->w[i] == REGRET_LABEL_0;
        }
        if (!predicted) {
            m->sample.n = n;
        }
    }
    m->sample.n_more = n - m->sample.n;
}

/* The degrees of freedom of the labelled rows that an effect rests on. */
static double freedom_of(enum regret_rate_effect_kind kind, const struct members *m)
{
    int ones = kind == REGRET_EFFECT_SINGLE_ATT || kind == REGRET_EFFECT_RATE_ATT ||
               kind == REGRET_EFFECT_DRIFT_1;
    int zeros = kind == REGRET_EFFECT_SINGLE_ATU || kind == REGRET_EFFECT_RATE_ATU ||
                kind == REGRET_EFFECT_DRIFT_0;
    return ones    ? (double)m->ones - 1.0
           : zeros ? (double)m->zeros - 1.0
                   : (double)m->sample.n - 1.0 - (kind == REGRET_EFFECT_NAIVE);
}

static void make_missing(struct regret_rate_effect *e, const char *reason)
{
    const double nothing = NAN;
    e->n = 0;
    e->estimate = e->se = e->low = e->high = e->d = e->d_se = nothing;
    e->df = e->quantile = nothing;
    e->missing = reason;
}

/* Puts a corrected effect in the place of the uncorrected one, which goes to *note. */
static void replace_effect(struct regret_rate_estimate *e, enum regret_rate_effect_kind kind,
                           const struct members *m, const struct corrected_effect *c, double sd,
                           struct regret_rate_correction *note)
{
    struct regret_rate_effect *f = &e->effects[kind];
    double t = regret_student_quantile(0.975, freedom_of(kind, m));
    *note = (struct regret_rate_correction){
        .group = e->group,
        .model = e->model,
        .effect = (int)kind,
        .n_labelled = m->sample.n,
        .n_predicted = m->sample.n_more,
        .lambda = c->lambda,
        .estimate = c->estimate,
        .se = c->se,
        .labelled = c->labelled,
        .labelled_se = c->labelled_se,
        .uncorrected = f->estimate,
        .uncorrected_se = f->se,
    };
    f->estimate = c->estimate;
    f->se = c->se;
    f->df = freedom_of(kind, m);
    f->quantile = t;
    f->n_clusters = f->n;
    f->low = c->estimate - t * c->se;
    f->high = c->estimate + t * c->se;
    f->d = sd > 0.0 ? c->estimate / sd : (double)NAN;
    f->d_se = sd > 0.0 ? c->se / sd : (double)NAN;
    if (!isfinite(f->low) || !isfinite(f->high)) {
        make_missing(f, "the scores are too large, or the predictions leave no row of a side");
    }
}

/* The pooled deviation of O within W, of the labelled rows. */
static double pooled_deviation(const struct members *m, const struct regret_rate_model *model)
{
    double sum[2] = {0.0}, count[2] = {0.0}, squares = 0.0;
    if (model->contrastive) {
        return NAN;
    }
    for (size_t k = 0; k < m->sample.n; k++) {
        size_t w = m->sample.w[k] > 0.5;
        sum[w] += model->score[REGRET_SIDE_ORIGINAL][m->row[k]];
        count[w] += 1.0;
    }
    for (size_t k = 0; k < m->sample.n; k++) {
        size_t w = m->sample.w[k] > 0.5;
        double e = model->score[REGRET_SIDE_ORIGINAL][m->row[k]] - sum[w] / count[w];
        squares += e * e;
    }
    double deviation = sqrt(squares / (count[0] + count[1] - 2.0));
    return isfinite(deviation) ? deviation : (double)NAN;
}

static void correct_estimate(struct regret_rate_rows *rows, struct regret_rate_estimate *e,
                             struct members *m)
{
    const struct regret_rate_model *model = &rows->models[e->model];
    find_members(m, rows, e->group, e->model);
    int enough = m->ones >= 2 && m->zeros >= 2 && m->sample.n_more > 0;
    double sd = enough ? pooled_deviation(m, model) : (double)NAN;
    e->pooled_sd = sd;
    e->n_used = m->sample.n + m->sample.n_more;
    for (int k = 0; k < REGRET_N_EFFECTS; k++) {
        enum regret_rate_effect_kind kind = (enum regret_rate_effect_kind)k;
        struct regret_rate_effect *f = &e->effects[k];
        f->se_paired = f->se_unpaired = f->boot_se = f->boot_low = f->boot_high = NAN;
        if (f->missing != NULL) {
            continue;
        }
        if (!enough) {
            make_missing(f, NO_LABELS);
            continue;
        }
        for (size_t j = 0; j < e->n_used; j++) {
            m->sample.x[j] = quantity(model, kind, m->row[j]);
        }
        struct corrected_effect c =
            correct_effect(&m->sample, kind, model->contrastive, (double)NAN);
        replace_effect(e, kind, m, &c, sd, &rows->corrections[rows->n_corrections++]);
        f->n = f->missing == NULL ? e->n_used : 0;
    }
}

int regret_rate_correct_w(struct regret_rate_rows *rows, struct regret_rate_estimate *estimates,
                          size_t n)
{
    const struct regret_rate_options all = {0};
    struct members m = {0};
    int rc;
    if (rows->w_score == NULL) {
        return REGRET_OK;
    }
    regret_free(rows->corrections);
    rows->corrections = NULL;
    rows->n_corrections = 0;
    TRY_CLEANUP(REGRET_NEW(&rows->corrections, n * REGRET_N_EFFECTS));
    TRY_CLEANUP(sort_by_group(&m.order, &m.start, rows, &all));
    TRY_CLEANUP(REGRET_NEW(&m.row, rows->n_rows));
    TRY_CLEANUP(REGRET_NEW(&m.sample.w, rows->n_rows));
    TRY_CLEANUP(REGRET_NEW(&m.sample.p, rows->n_rows));
    TRY_CLEANUP(REGRET_NEW(&m.sample.x, rows->n_rows));
    for (size_t k = 0; k < n; k++) {
        if (estimates[k].n_predicted > 0) {
            correct_estimate(rows, &estimates[k], &m);
        }
    }
cleanup:
    regret_free(m.order);
    regret_free(m.start);
    regret_free(m.row);
    regret_free(m.sample.w);
    regret_free(m.sample.p);
    regret_free(m.sample.x);
    return rc;
}
