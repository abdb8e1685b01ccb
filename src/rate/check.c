#include "rate/check.h"

#include <math.h>

#include "base/try.h"
#include "rate/clusters.h"
#include "rate/rows.h"
#include "rate/summation.h"
#include "rate/words.h"
#include "regret/alloc.h"
#include "regret/multiplicity.h"
#include "regret/student.h"

static struct regret_rate_mean mean_and_error(const double *x, size_t n)
{
    return (struct regret_rate_mean){mean_of(x, n), sqrt(variance_of(x, n) / (double)n)};
}

static double count_tokens(const char *text)
{
    double n = 0.0;
    while (next_token(&text).text != NULL) {
        n += 1.0;
    }
    return n;
}

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
                                                     : count_tokens(text);
}

/* The rows by group: those of group g are order[start[g] .. start[g + 1]). */
struct group_rows {
    size_t *order, *start;
};

/* X(O), X(R) − X(O), X(RR) − X(R), X(RR) − X(O), each with room for the rows of both W, those with
 * W = 0 first. */
enum { ORIGINAL, FORTH, BACK, NET, N_CHANGES };
struct changes {
    double *value[N_CHANGES], *block; /* block owns */
};

static void gather_changes(struct changes *c, struct regret_rate_movement *m,
                           const struct regret_rate_rows *rows, const struct group_rows *of)
{
    size_t n = 0;
    for (int w = 0; w < 2; w++) {
        size_t before = n;
        for (size_t k = of->start[m->group]; k < of->start[m->group + 1]; k++) {
            size_t i = of->order[k];
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
            c->value[NET][n++] = rr - o;
        }
        m->n[w] = n - before;
    }
}

static void fill_movement(struct regret_rate_movement *m, struct changes *c)
{
    struct regret_rate_mean *parts[N_CHANGES] = {m->original, m->forth, m->back, m->net};
    size_t n = m->n[0] + m->n[1];
    for (int k = 0; k < N_CHANGES; k++) {
        for (int w = 0; w < 2; w++) {
            parts[k][w] = mean_and_error(c->value[k] + (w == 1 ? m->n[0] : 0), m->n[w]);
        }
    }
    for (size_t i = 0; i < m->n[0]; i++) {
        c->value[BACK][i] = -c->value[BACK][i]; /* R is the rewrite to 1 there, RR that to 0 */
    }
    m->asymmetry = mean_and_error(c->value[BACK], n);
    m->t = m->asymmetry.mean / m->asymmetry.se;
    m->t = m->asymmetry.mean == 0.0 ? 0.0 : m->t; /* nothing ever moved */
    m->p = n < 2 ? (double)NAN : 2.0 * regret_student_cdf(-fabs(m->t), (double)n - 1.0);
}

/* One movement of a group, where there are rows for it. */
static void add_movement(struct regret_rate_check *out, struct changes *c,
                         const struct regret_rate_rows *rows, const struct group_rows *of,
                         size_t group, enum regret_rate_measure measure, size_t model)
{
    struct regret_rate_movement *m = &out->movements[out->n_movements];
    *m = (struct regret_rate_movement){.group = group, .model = model, .measure = measure};
    gather_changes(c, m, rows, of);
    if (m->n[0] + m->n[1] > 0) {
        fill_movement(m, c);
        out->n_movements++;
    }
}

static int adjust_p(struct regret_rate_check *out)
{
    double *p = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&p, out->n_movements));
    for (size_t k = 0; k < out->n_movements; k++) {
        p[k] = out->movements[k].p;
    }
    TRY_CLEANUP(regret_holm(p, p, out->n_movements));
    for (size_t k = 0; k < out->n_movements; k++) {
        out->movements[k].p_holm = p[k];
    }
cleanup:
    regret_free(p);
    return rc;
}

static int check_movements(struct regret_rate_check *out, const struct regret_rate_rows *rows,
                           const struct group_rows *of,
                           const struct regret_rate_check_options *options)
{
    struct changes c = {{NULL, NULL, NULL, NULL}, NULL};
    int rc;
    TRY_CLEANUP(REGRET_NEW(&out->movements, rows->n_groups * (2 + options->n_off_target)));
    TRY_CLEANUP(REGRET_NEW(&c.block, N_CHANGES * rows->n_rows));
    for (size_t k = 0; k < N_CHANGES; k++) {
        c.value[k] = c.block + k * rows->n_rows;
    }
    for (size_t g = 0; g < rows->n_groups; g++) {
        if (rows->texts != NULL) {
            add_movement(out, &c, rows, of, g, REGRET_MEASURE_CHARACTERS, 0);
            add_movement(out, &c, rows, of, g, REGRET_MEASURE_WORDS, 0);
        }
        for (size_t k = 0; k < options->n_off_target; k++) {
            uint32_t model = 0;
            TRY_CLEANUP(rows_find_model(&model, rows, options->off_target[k]));
            add_movement(out, &c, rows, of, g, REGRET_MEASURE_SCORE, model);
        }
    }
    rc = adjust_p(out);
cleanup:
    regret_free(c.block);
    return rc;
}

double advantage(const struct regret_rate_rows *rows, const struct regret_rate_model *m,
                 int is_double, size_t i)
{
    if (m->contrastive) {
        return m->score[is_double][i];
    }
    int own = is_double ? REGRET_SIDE_REWRITE_OF_REWRITE : REGRET_SIDE_ORIGINAL;
    double more = m->score[own][i] - m->score[REGRET_SIDE_REWRITE][i];
    return rows->w[i] == REGRET_LABEL_1 ? more : -more;
}

/* The wins of one model in one group; scratch has room for all rows. */
static void fill_wins(struct regret_rate_wins *w, const struct regret_rate_rows *rows,
                      const struct group_rows *of, double *scratch)
{
    for (size_t k = of->start[w->group]; k < of->start[w->group + 1]; k++) {
        size_t i = of->order[k];
        double more = check_counts(rows, w->group, i)
                          ? advantage(rows, &rows->models[w->model], w->is_double, i)
                          : (double)NAN;
        if (!isnan(more)) {
            w->wins += more > 0.0;
            w->ties += more == 0.0;
            scratch[w->n++] = more > 0.0 ? 1.0 : more == 0.0 ? 0.5 : 0.0;
        }
    }
    if (w->n > 0) {
        struct regret_rate_mean share = mean_and_error(scratch, w->n);
        w->share = share.mean;
        w->se = share.se;
        wilson_interval(&w->low, &w->high, w->share, w->n);
    }
}

static int check_wins(struct regret_rate_check *out, const struct regret_rate_rows *rows,
                      const struct group_rows *of)
{
    double *scratch = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&out->wins, 2 * rows->n_groups * rows->n_models));
    TRY_CLEANUP(REGRET_NEW(&scratch, rows->n_rows));
    for (size_t k = 0; k < 2 * rows->n_groups * rows->n_models; k++) {
        struct regret_rate_wins *w = &out->wins[out->n_wins];
        *w = (struct regret_rate_wins){.group = k / 2 / rows->n_models,
                                       .model = k / 2 % rows->n_models,
                                       .is_double = k % 2 == 1};
        fill_wins(w, rows, of, scratch);
        out->n_wins += w->n > 0;
    }
cleanup:
    regret_free(scratch);
    return rc;
}

int regret_rate_check(struct regret_rate_check *out, const struct regret_rate_rows *rows,
                      const struct regret_rate_check_options *options)
{
    const struct regret_rate_options all = {0};
    struct regret_rate_check check = {0};
    struct group_rows of = {NULL, NULL};
    int rc;
    TRY_CLEANUP(sort_by_group(&of.order, &of.start, rows, &all));
    TRY_CLEANUP(check_movements(&check, rows, &of, options));
    TRY_CLEANUP(check_wins(&check, rows, &of));
    if (options->classifier != NULL) {
        TRY_CLEANUP(REGRET_NEW(&check.flips, rows->n_groups * 2 * REGRET_N_SIDES));
        TRY_CLEANUP(check_flips(&check, rows, options->classifier));
    }
    *out = check;
    check = (struct regret_rate_check){0};
cleanup:
    regret_free(of.order);
    regret_free(of.start);
    regret_rate_check_free(&check);
    return rc;
}

void regret_rate_check_free(struct regret_rate_check *check)
{
    regret_free(check->movements);
    regret_free(check->wins);
    regret_free(check->flips);
    *check = (struct regret_rate_check){0};
}
