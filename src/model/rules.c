#include "model/internal.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "regret/status.h"
#include "regret/task.h"
#include "stats/distributions.h"
#include "stats/limits.h"

enum { RULE_FOLDS = 5 };

FREED_POINTER(struct contrast, contrast_free)

/* A fold, the last of which leaves nothing out. */
struct fold {
    struct regret_split *split; /* NULL: all contexts */
    struct panel panel;
    double rho[DESIGNS], loss[DESIGNS];
};

struct search {
    const struct panel *panel;
    const struct design_list *designs;
    struct fold fold[RULE_FOLDS + 1];
    double *predicted[DESIGNS]; /* [rows × n_agents] of contexts by the fits without their fold */
};

/* d_a(x) of the contexts that were left out. */
static int predict(double *to, const struct contrast *c, const struct design *d,
                   const struct regret_split *split)
{
    size_t n_agents = c->panel->n_agents, rows = c->panel->rows;
    FREED double *theta = NULL, *intercept = NULL;
    TRY(REGRET_NEW(&theta, d->cols * n_agents));
    TRY(REGRET_NEW(&intercept, n_agents));
    TRY(contrast_weights(theta, intercept, c, d->cols));
    for (size_t i = 0; i < split->n_test; i++) {
        size_t x = split->test[i];
        for (size_t a = 0; a < n_agents; a++) {
            double f = intercept[a];
            for (size_t j = 0; j < d->cols; j++) {
                f += d->z[j * rows + x] * theta[a * d->cols + j];
            }
            to[x * n_agents + a] = f;
        }
    }
    return REGRET_OK;
}

/* The penalty of least loss, of equals the largest; the contrast is left fitted at it. */
static void choose_penalty(double *rho, double *least, struct contrast *c, double *miss,
                           size_t cols)
{
    *least = INFINITY;
    *rho = penalties[0];
    for (size_t i = 0; i < (cols > 0 ? PENALTIES : 1); i++) {
        contrast_fit(c, penalties[i]);
        contrast_left_out(miss, c, penalties[i]);
        double loss = contrast_loss(miss, c->panel);
        if (loss < *least * (1.0 - 1e-8)) {
            *least = loss;
            *rho = penalties[i];
        }
    }
    contrast_fit(c, *rho);
}

static int fit_one(void *context, size_t index, size_t worker)
{
    struct search *s = context;
    struct fold *fold = &s->fold[index / s->designs->n];
    size_t design = index % s->designs->n;
    const struct design *d = &s->designs->item[design];
    FREED_BY(contrast_free_at) struct contrast *c = NULL;
    FREED double *miss = NULL;
    (void)worker;
    TRY(contrast_create(&c, &fold->panel, d));
    TRY(REGRET_NEW(&miss, s->panel->rows * s->panel->n_agents));
    choose_penalty(&fold->rho[design], &fold->loss[design], c, miss, d->cols);
    if (fold->split != NULL) {
        return predict(s->predicted[design], c, d, fold->split);
    }
    return REGRET_OK;
}

static int open_folds(struct search *s, const uint32_t *kind)
{
    for (size_t f = 0; f <= RULE_FOLDS; f++) {
        struct fold *fold = &s->fold[f];
        fold->panel = *s->panel;
        if (f < RULE_FOLDS) {
            TRY(regret_split_fold(&fold->split, kind, s->panel->rows, RULE_FOLDS, f, 0));
            fold->panel.n = fold->split->n_train;
            fold->panel.at = fold->split->train;
        }
    }
    return REGRET_OK;
}

/* Of the designs of a rule the one that a fold would choose; n where there is none. */
static size_t of_rule(const struct search *s, const struct fold *fold, enum regret_model_rule rule)
{
    size_t best = s->designs->n;
    for (size_t d = 0; d < s->designs->n; d++) {
        if (s->designs->item[d].rule == rule &&
            (best == s->designs->n || fold->loss[d] < fold->loss[best])) {
            best = d;
        }
    }
    return best;
}

/* The regret of a rule on a context whose fold is `fold`: among what was observed. */
static double regret_of(const struct search *s, const struct fold *fold, size_t x,
                        enum regret_model_rule rule)
{
    const struct panel *p = s->panel;
    const double *f = s->predicted[of_rule(s, fold, rule)] + x * p->n_agents;
    const double *mu = p->target + x * p->n_agents;
    size_t choice = p->n_agents;
    for (size_t a = 0; a < p->n_agents; a++) {
        if (!isnan(mu[a]) && (choice == p->n_agents || f[a] > f[choice])) {
            choice = a;
        }
    }
    return panel_observed(p, x).best - mu[choice];
}

/* The mean of n numbers within −1 and 1 and t standard errors of it; of numbers that are all alike the longer side of a share's limits. */
static void mean_and_half(double *mean, double *half, const double *value, size_t n, double level)
{
    double total = 0.0, squares = 0.0;
    for (size_t i = 0; i < n; i++) {
        total += value[i];
    }
    *mean = total / (double)n;
    for (size_t i = 0; i < n; i++) {
        squares += (value[i] - *mean) * (value[i] - *mean);
    }
    double df = (double)n - 1.0;
    *half = regret_student_quantile(0.5 + level / 2.0, df) * sqrt(squares / df / (double)n);
    if (!(squares > 0.0)) {
        const struct bounded of = bounded_moments(fabs(*mean), 0.0, (double)n);
        struct limits l = bounded_limits(&of, tails_of(level));
        *half = fmax(l.high - fabs(*mean), fabs(*mean) - l.low);
    }
}

/* Regrets of every judged context by every rule there is: loss[rule * rows + i]. */
static size_t list_losses(double *loss, struct rules *out, const struct search *s)
{
    size_t n = 0;
    for (size_t f = 0; f < RULE_FOLDS; f++) {
        const struct regret_split *split = s->fold[f].split;
        for (size_t i = 0; i < split->n_test; i++) {
            size_t x = split->test[i];
            struct observed of = panel_observed(s->panel, x);
            if (of.n < 2) {
                continue;
            }
            for (int r = 0; r < REGRET_MODEL_RULES; r++) {
                if (of_rule(s, &s->fold[f], (enum regret_model_rule)r) < s->designs->n) {
                    out->score[r].is_there = 1;
                    loss[(size_t)r * s->panel->rows + n] =
                        regret_of(s, &s->fold[f], x, (enum regret_model_rule)r);
                }
            }
            out->random += of.best - of.total / (double)of.n;
            n++;
        }
    }
    out->random /= (double)n;
    return n;
}

/* How much less regret the second has, with its half-width at the level of the decision. */
static void compare(double *gain, double *half, double *room, const double *first,
                    const double *second, size_t n, size_t compared)
{
    for (size_t i = 0; i < n; i++) {
        room[i] = first[i] - second[i];
    }
    mean_and_half(gain, half, room, n, 1.0 - (1.0 - REGRET_MODEL_LEVEL) / (double)compared);
}

static void decide(struct rules *out, double *loss, double *room, size_t rows, size_t n)
{
    size_t compared = 0;
    double gain, half;
    for (size_t r = 1; r < REGRET_MODEL_RULES; r++) {
        compared += out->score[r].is_there;
    }
    out->rule = REGRET_MODEL_SINGLE;
    for (size_t r = 0; r < REGRET_MODEL_RULES; r++) {
        struct regret_model_score *s = &out->score[r];
        if (!s->is_there) {
            continue;
        }
        mean_and_half(&s->regret, &s->half, loss + r * rows, n, REGRET_MODEL_LEVEL);
        if (r > 0) {
            compare(&s->gain, &s->gain_half, room, loss, loss + r * rows, n, compared);
            compare(&gain, &half, room, loss + (size_t)out->rule * rows, loss + r * rows, n,
                    compared);
            out->rule =
                s->gain > s->gain_half && gain > half ? (enum regret_model_rule)r : out->rule;
        }
    }
}

static int judge(struct rules *out, const struct search *s)
{
    FREED double *loss = NULL, *room = NULL;
    size_t rows = s->panel->rows;
    TRY(REGRET_NEW(&loss, REGRET_MODEL_RULES * rows));
    TRY(REGRET_NEW(&room, rows));
    out->judged = list_losses(loss, out, s);
    decide(out, loss, room, rows, out->judged);
    out->design = of_rule(s, &s->fold[RULE_FOLDS], out->rule);
    memcpy(out->rho, s->fold[RULE_FOLDS].rho, sizeof out->rho);
    memcpy(out->loss, s->fold[RULE_FOLDS].loss, sizeof out->loss);
    return REGRET_OK;
}

static void search_clear(struct search *s)
{
    for (size_t d = 0; d < s->designs->n; d++) {
        regret_free(s->predicted[d]);
    }
    for (size_t f = 0; f <= RULE_FOLDS; f++) {
        regret_split_free(s->fold[f].split);
    }
}

int rules_find(struct rules *out, const struct panel *panel, const struct design_list *designs,
               const uint32_t *kind, size_t threads)
{
    FREED_BY(search_clear) struct search s = {.panel = panel, .designs = designs};
    *out = (struct rules){0};
    for (size_t d = 0; d < designs->n; d++) {
        TRY(REGRET_NEW(&s.predicted[d], panel->rows * panel->n_agents));
    }
    TRY(open_folds(&s, kind));
    TRY(regret_parallel_for((RULE_FOLDS + 1) * designs->n, threads, fit_one, &s));
    return judge(out, &s);
}
