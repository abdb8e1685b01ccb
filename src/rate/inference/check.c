#include "rate/inference/check.h"

#include <math.h>
#include <stdint.h>

#include "base/core/try.h"
#include "base/text/spans.h"
#include "rate/rows/rows.h"
#include "rate/rows/words.h"
#include "regret/alloc.h"
#include "regret/multiplicity.h"
#include "regret/student.h"

/* X of one text of row i; NaN: there is none. */
static double measure_of(const struct regret_rate_rows *rows, const struct regret_rate_movement *m,
                         size_t i, int side)
{
    if (m->measure == REGRET_MEASURE_SCORE) {
        return rows->models[m->model].score[side][i];
    }
    const char *text = rows->texts[i].completion[side];
    return text == NULL                              ? (double)NAN
           : m->measure == REGRET_MEASURE_CHARACTERS ? (double)count_characters(text)
                                                     : (double)count_tokens(text, SIZE_MAX);
}

/* X(O), X(R) − X(O), X(RR) − X(R), X(RR) − X(O), each with room for the rows of both W, those with
 * W = 0 first; their clusters are in the rows' room. */
enum { ORIGINAL, FORTH, BACK, NET, N_CHANGES };
struct changes {
    double *value[N_CHANGES], *block; /* block owns */
};

FREED_FIELDS(changes, of->block)

static void gather_changes(struct changes *c, struct regret_rate_movement *m,
                           const struct check_rows *of)
{
    const struct regret_rate_rows *rows = of->rows;
    size_t n = 0;
    for (int w = 0; w < 2; w++) {
        size_t before = n;
        for (size_t k = 0; k < of->n; k++) {
            size_t i = of->members[k];
            if (!check_counts(rows, m->group, i) || rows->w[i] != w) {
                continue;
            }
            double o = measure_of(rows, m, i, REGRET_SIDE_ORIGINAL);
            double r = measure_of(rows, m, i, REGRET_SIDE_REWRITE);
            double rr = measure_of(rows, m, i, REGRET_SIDE_REWRITE_OF_REWRITE);
            if (isnan(o + r + rr)) {
                continue;
            }
            c->value[ORIGINAL][n] = o;
            c->value[FORTH][n] = r - o;
            c->value[BACK][n] = rr - r;
            c->value[NET][n] = rr - o;
            of->cluster[n++] = cluster_at(&of->clusters, k);
        }
        m->n[w] = n - before;
    }
}

static struct regret_rate_mean mean_and_error(const struct check_rows *of, const double *x,
                                              size_t first, size_t n)
{
    struct check_mean m = check_mean(of, x + first, of->cluster + first, n);
    return (struct regret_rate_mean){m.mean, m.se};
}

static void fill_movement(struct regret_rate_movement *m, struct changes *c,
                          const struct check_rows *of)
{
    struct regret_rate_mean *parts[N_CHANGES] = {m->original, m->forth, m->back, m->net};
    size_t n = m->n[0] + m->n[1];
    for (int k = 0; k < N_CHANGES; k++) {
        for (int w = 0; w < 2; w++) {
            parts[k][w] = mean_and_error(of, c->value[k], w == 1 ? m->n[0] : 0, m->n[w]);
        }
    }
    for (size_t i = 0; i < m->n[0]; i++) {
        c->value[BACK][i] = -c->value[BACK][i]; /* R is the rewrite to 1 there, RR that to 0 */
    }
    struct check_mean all = check_mean(of, c->value[BACK], of->cluster, n);
    m->asymmetry = (struct regret_rate_mean){all.mean, all.se};
    m->t = m->asymmetry.mean / m->asymmetry.se;
    m->t = m->asymmetry.mean == 0.0 ? 0.0 : m->t; /* nothing ever moved */
    m->df = n < 2 ? (double)NAN : all.df;
    m->p = isnan(m->df) ? (double)NAN : 2.0 * regret_student_cdf(-fabs(m->t), m->df);
    double t = isnan(m->df) ? (double)NAN : regret_student_quantile(0.975, m->df);
    m->low = all.mean - t * all.se;
    m->high = all.mean + t * all.se;
    m->clustered = of->clusters.matter;
    m->n_clusters = all.n_clusters;
    m->missing = all.missing;
}

/* One movement of a group, where there are rows for it. */
static void add_movement(struct regret_rate_check *out, struct changes *c,
                         const struct check_rows *of, enum regret_rate_measure measure,
                         size_t model)
{
    struct regret_rate_movement *m = &out->movements[out->n_movements];
    *m = (struct regret_rate_movement){.group = of->group, .model = model, .measure = measure};
    gather_changes(c, m, of);
    if (m->n[0] + m->n[1] > 0) {
        fill_movement(m, c, of);
        out->n_movements++;
    }
}

static int adjust_p(struct regret_rate_check *out)
{
    FREED double *p = NULL;
    TRY(REGRET_NEW(&p, out->n_movements));
    for (size_t k = 0; k < out->n_movements; k++) {
        p[k] = out->movements[k].p;
    }
    TRY(regret_holm(p, p, out->n_movements));
    for (size_t k = 0; k < out->n_movements; k++) {
        out->movements[k].p_holm = p[k];
    }
    return REGRET_OK;
}

static int check_movements(struct regret_rate_check *out, struct check_rows *of,
                           const struct regret_rate_check_options *options)
{
    const struct regret_rate_rows *rows = of->rows;
    FREED_BY(changes_fields) struct changes c = {{NULL, NULL, NULL, NULL}, NULL};
    TRY(REGRET_NEW(&out->movements, rows->n_groups * (2 + options->n_off_target)));
    TRY(REGRET_NEW(&c.block, N_CHANGES * rows->n_rows));
    for (size_t k = 0; k < N_CHANGES; k++) {
        c.value[k] = c.block + k * rows->n_rows;
    }
    for (size_t g = 0; g < rows->n_groups; g++) {
        check_rows_enter(of, g);
        if (rows->texts != NULL) {
            add_movement(out, &c, of, REGRET_MEASURE_CHARACTERS, 0);
            add_movement(out, &c, of, REGRET_MEASURE_WORDS, 0);
        }
        for (size_t k = 0; k < options->n_off_target; k++) {
            uint32_t model = 0;
            TRY(rows_find_model(&model, rows, options->off_target[k]));
            add_movement(out, &c, of, REGRET_MEASURE_SCORE, model);
        }
    }
    return adjust_p(out);
}

/* The wins of one model in the group at hand. */
static void fill_wins(struct regret_rate_wins *w, struct check_rows *of)
{
    for (size_t k = 0; k < of->n; k++) {
        size_t i = of->members[k];
        double more = check_counts(of->rows, w->group, i)
                          ? advantage(of->rows, &of->rows->models[w->model], w->is_double, i)
                          : (double)NAN;
        if (!isnan(more)) {
            w->wins += more > 0.0;
            w->ties += more == 0.0;
            of->cluster[w->n] = cluster_at(&of->clusters, k);
            of->x[w->n++] = more > 0.0 ? 1.0 : more == 0.0 ? 0.5 : 0.0;
        }
    }
    if (w->n > 0) {
        struct check_mean share = check_mean(of, of->x, of->cluster, w->n);
        w->share = share.mean;
        w->se = share.se;
        w->clustered = of->clusters.matter;
        w->n_clusters = share.n_clusters;
        w->missing = share.missing;
        check_share(&w->low, &w->high, &share, of, of->x, w->n);
    }
}

static int check_wins(struct regret_rate_check *out, struct check_rows *of)
{
    const struct regret_rate_rows *rows = of->rows;
    TRY(REGRET_NEW(&out->wins, 2 * rows->n_groups * rows->n_models));
    for (size_t k = 0; k < 2 * rows->n_groups * rows->n_models; k++) {
        struct regret_rate_wins *w = &out->wins[out->n_wins];
        *w = (struct regret_rate_wins){.group = k / 2 / rows->n_models,
                                       .model = k / 2 % rows->n_models,
                                       .is_double = k % 2 == 1};
        check_rows_enter(of, w->group);
        fill_wins(w, of);
        out->n_wins += w->n > 0;
    }
    return REGRET_OK;
}

int regret_rate_check(struct regret_rate_check *out, const struct regret_rate_rows *rows,
                      const struct regret_rate_check_options *options)
{
    FREED_BY(regret_rate_check_free) struct regret_rate_check check = {0};
    FREED_BY(check_rows_free) struct check_rows of = {0};
    TRY(check_rows_new(&of, rows, options->clusters));
    TRY(check_movements(&check, &of, options));
    TRY(check_wins(&check, &of));
    if (options->classifier != NULL) {
        TRY(REGRET_NEW(&check.flips, rows->n_groups * 2 * REGRET_N_SIDES));
        TRY(check_flips(&check, &of, options->classifier));
    }
    *out = check;
    check = (struct regret_rate_check){0};
    return REGRET_OK;
}

void regret_rate_check_free(struct regret_rate_check *check)
{
    regret_free(check->movements);
    regret_free(check->wins);
    regret_free(check->flips);
    *check = (struct regret_rate_check){0};
}
