#include "estimate/internal.h"

#include <math.h>

#include "base/status.h"
#include "estimate/session.h"
#include "regret/design.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "regret/task.h"

FREED_POINTER(struct regret_folds, regret_folds_free)

const char *regret_fold_mode_name(enum regret_fold_mode mode)
{
    static const char *const names[] = {"none", "agents", "rows", "holdout", "contexts"};
    return names[mode];
}

static int folds_create(struct regret_folds **out, size_t n_rows)
{
    FREED_BY(regret_folds_free_at) struct regret_folds *f = NULL;
    TRY(REGRET_NEW(&f, 1));
    f->n_rows = n_rows;
    TRY(REGRET_NEW(&f->fold, n_rows));
    *out = f;
    f = NULL;
    return REGRET_OK;
}

static int gather_parts(struct regret_folds *f, const struct regret_rows *rows, size_t n_pairs)
{
    TRY(REGRET_NEW(&f->part, f->n_folds));
    for (size_t k = 0; k < f->n_folds; k++) {
        TRY(regret_sample_gather(&f->part[k], rows->pair, rows->y, rows->n, n_pairs, f->fold,
                                 (uint32_t)k));
    }
    return REGRET_OK;
}

int regret_folds_by_row(struct regret_folds **out, const struct regret_rows *rows, size_t n_pairs,
                        size_t n_folds, uint64_t seed, uint32_t purpose)
{
    FREED_BY(regret_folds_free_at) struct regret_folds *f = NULL;
    FREED size_t *order = NULL;
    TRY(folds_create(&f, rows->n));
    size_t folds = n_folds < rows->n ? n_folds : rows->n;
    if (folds >= 2) {
        TRY(regret_rng_order(&order, rows->n, seed, purpose, 0));
        for (size_t i = 0; i < rows->n; i++) {
            f->fold[order[i]] = (uint32_t)(i % folds);
        }
        f->mode = REGRET_FOLDS_ROWS;
        f->n_folds = folds;
        TRY(gather_parts(f, rows, n_pairs));
    }
    *out = f;
    f = NULL;
    return REGRET_OK;
}

/* Deals the groups that occur in the rows (agents, contexts) out to folds: fold_of[g]; returns how
 * many occur. */
static size_t deal_groups(uint32_t *fold_of, const struct regret_rows *rows, const uint32_t *group,
                          const size_t *order, size_t n_groups, size_t n_folds)
{
    for (size_t g = 0; g < n_groups; g++) {
        fold_of[g] = UINT32_MAX;
    }
    for (size_t i = 0; i < rows->n; i++) {
        fold_of[group[rows->pair[i]]] = 0;
    }
    size_t present = 0;
    for (size_t i = 0; i < n_groups; i++) {
        if (fold_of[order[i]] != UINT32_MAX) {
            fold_of[order[i]] = (uint32_t)(present++ % n_folds);
        }
    }
    return present;
}

/* Folds that keep the rows of a group together, `n_folds` of them or as many as there are groups.
 * Fewer groups than `least`: none, and mode NONE. */
static int folds_by_group(struct regret_folds **out, const struct regret_rows *rows, size_t n_pairs,
                          const uint32_t *group, size_t n_groups, size_t n_folds, size_t least,
                          enum regret_fold_mode mode, uint64_t seed, uint32_t purpose)
{
    FREED_BY(regret_folds_free_at) struct regret_folds *f = NULL;
    FREED size_t *order = NULL;
    FREED uint32_t *fold_of = NULL;
    TRY(folds_create(&f, rows->n));
    TRY(REGRET_NEW(&fold_of, n_groups));
    TRY(regret_rng_order(&order, n_groups, seed, purpose, 0));
    size_t present = deal_groups(fold_of, rows, group, order, n_groups, n_folds);
    if (present >= least) {
        for (size_t i = 0; i < rows->n; i++) {
            f->fold[i] = fold_of[group[rows->pair[i]]];
        }
        f->mode = mode;
        f->n_folds = n_folds < present ? n_folds : present;
        TRY(gather_parts(f, rows, n_pairs));
    }
    *out = f;
    f = NULL;
    return REGRET_OK;
}

int regret_folds_by_agent(struct regret_folds **out, const struct regret_rows *rows, size_t n_pairs,
                          const uint32_t *agent, size_t n_agents, size_t n_folds, uint64_t seed)
{
    struct regret_folds *f = NULL;
    TRY(folds_by_group(&f, rows, n_pairs, agent, n_agents, n_folds,
                       n_folds < 2 ? SIZE_MAX : n_folds, REGRET_FOLDS_AGENTS, seed,
                       REGRET_RNG_CV_FOLDS));
    if (f->mode == REGRET_FOLDS_AGENTS) {
        *out = f;
        return REGRET_OK;
    }
    regret_folds_free(f);
    return regret_folds_by_row(out, rows, n_pairs, n_folds, seed, REGRET_RNG_CV_FOLDS);
}

int regret_folds_by_context(struct regret_folds **out, const struct regret_rows *rows,
                            size_t n_pairs, const uint32_t *context, size_t n_contexts,
                            size_t n_folds, uint64_t seed, uint32_t purpose)
{
    return folds_by_group(out, rows, n_pairs, context, n_contexts, n_folds,
                          n_folds < 2 ? SIZE_MAX : 2, REGRET_FOLDS_CONTEXTS, seed, purpose);
}

void regret_folds_free(struct regret_folds *f)
{
    if (f == NULL) {
        return;
    }
    for (size_t k = 0; f->part != NULL && k < f->n_folds; k++) {
        regret_sample_free(f->part[k]);
    }
    regret_free(f->part);
    regret_free(f->fold);
    regret_free(f);
}

static double row_loss(const struct regret_sample *part, const double *prediction)
{
    double loss = 0.0;
    for (size_t e = 0; e < part->entries; e++) {
        double f = prediction[e];
        loss += part->square[e] - 2.0 * f * part->sum[e] + f * f * part->count[e];
    }
    return loss / (double)part->rows;
}

/* Σ over agents of (n_a/n)(mean gap)² = Σ_a (Σ_{rows of a} (Y − f))²/(n_a n). Entries of one agent
 * are not adjacent, and agents are few: one pass for each agent that begins at an entry. */
static double agent_loss(const struct regret_sample *part, const double *prediction,
                         const uint32_t *agent)
{
    double loss = 0.0;
    for (size_t first = 0; first < part->entries; first++) {
        uint32_t a = agent[part->pair[first]];
        int seen = 0;
        for (size_t e = 0; e < first && !seen; e++) {
            seen = agent[part->pair[e]] == a;
        }
        if (seen) {
            continue;
        }
        double gap = 0.0, n_a = 0.0;
        for (size_t e = first; e < part->entries; e++) {
            if (agent[part->pair[e]] == a) {
                gap += part->sum[e] - part->count[e] * prediction[e];
                n_a += part->count[e];
            }
        }
        loss += gap * gap / n_a;
    }
    return loss / (double)part->rows;
}

double regret_cv_loss(enum regret_fold_mode mode, const struct regret_sample *part,
                      const double *prediction, const uint32_t *agent)
{
    return mode == REGRET_FOLDS_AGENTS ? agent_loss(part, prediction, agent)
                                       : row_loss(part, prediction);
}

double regret_cv_tie(double best, double tolerance)
{
    return best * (1.0 + tolerance) + 1e-12;
}

size_t regret_cv_choose(const struct regret_candidate *candidates, size_t n, double tolerance)
{
    double best = INFINITY;
    for (size_t i = 0; i < n; i++) {
        best = candidates[i].loss < best ? candidates[i].loss : best;
    }
    if (!isfinite(best)) {
        return 0;
    }
    size_t i = 0;
    while (!(candidates[i].loss <= regret_cv_tie(best, tolerance))) {
        i++;
    }
    return i;
}

FREED_POINTER(struct regret_pooled_batch, regret_pooled_batch_free)
FREED_POINTER(struct fold_fits, fold_fits_free)

enum { MOST_LAMBDAS = 8 };

struct fold_fits {
    const struct regret_problem *problem;
    const struct regret_pooled *pooled;
    size_t n_folds, n;             /* n: with the whole, which comes last */
    struct regret_left_out **part; /* [n]; NULL of the whole, and of a fold that is not defined */
    size_t n_made;
    struct {
        double lambda;
        double *solution; /* n of the solver's size */
    } made[MOST_LAMBDAS]; /* the last of them makes room */
};

/* What fold k leaves out, unless that is all of a sample. */
static int leave_out(struct fold_fits *f, size_t k, const uint32_t *kept)
{
    const struct regret_sample *exp = f->problem->dr->part[k];
    const struct regret_rows *rows = f->problem->obs;
    struct regret_sample *obs = NULL;
    int rc = REGRET_OK;
    if (kept != NULL) {
        TRY(regret_sample_gather(&obs, rows->pair, rows->y, rows->n, f->problem->pairs,
                                 kept + k * rows->n, 0));
    }
    if (exp->rows < f->problem->exp->n && (obs == NULL || obs->rows < rows->n)) {
        rc = regret_left_out_create_of_both(&f->part[k], f->pooled, exp, obs);
    }
    regret_sample_free(obs);
    return rc;
}

int fold_fits_create(struct fold_fits **out, const struct regret_problem *problem,
                     const struct regret_pooled *pooled, const uint32_t *kept, int with_whole)
{
    FREED_BY(fold_fits_free_at) struct fold_fits *f = NULL;
    TRY(REGRET_NEW(&f, 1));
    f->problem = problem;
    f->pooled = pooled;
    f->n_folds = problem->dr->n_folds;
    f->n = f->n_folds + (with_whole != 0);
    TRY(REGRET_NEW(&f->part, f->n));
    for (size_t k = 0; k < f->n_folds; k++) {
        TRY(leave_out(f, k, kept));
    }
    *out = f;
    f = NULL;
    return REGRET_OK;
}

void fold_fits_free(struct fold_fits *f)
{
    if (f == NULL) {
        return;
    }
    for (size_t j = 0; j < f->n_made; j++) {
        regret_free(f->made[j].solution);
    }
    for (size_t k = 0; f->part != NULL && k < f->n; k++) {
        regret_left_out_free(f->part[k]);
    }
    regret_free(f->part);
    regret_free(f);
}

/* Of the whole and of every fold that is defined. */
static int solve(double *solution, const struct fold_fits *f, double lambda)
{
    FREED struct regret_pooled_fit *fit = NULL;
    FREED_BY(regret_pooled_batch_free_at) struct regret_pooled_batch *batch = NULL;
    size_t m = 0, size = regret_pooled_size(f->pooled);
    TRY(REGRET_NEW(&fit, f->n));
    for (size_t k = 0; k < f->n; k++) {
        if (k == f->n_folds || f->part[k] != NULL) {
            fit[m++] = (struct regret_pooled_fit){.lambda = lambda, .left_out = f->part[k]};
        }
    }
    TRY(regret_pooled_batch_create(&batch, f->pooled, fit, m));
    TRY(regret_pooled_batch_solve(batch, REGRET_POOLED_ERROR));
    for (size_t k = 0, i = 0; k < f->n; k++) {
        if (k == f->n_folds || f->part[k] != NULL) {
            TRY(regret_pooled_batch_solution(solution + k * size, batch, i++));
        }
    }
    return REGRET_OK;
}

static int find(const double **solution, struct fold_fits *f, double lambda)
{
    size_t j = 0;
    FREED double *made = NULL;
    while (j < f->n_made && f->made[j].lambda != lambda) {
        j++;
    }
    if (j == f->n_made) {
        TRY(REGRET_NEW(&made, f->n * regret_pooled_size(f->pooled)));
        TRY(solve(made, f, lambda));
        j = j < MOST_LAMBDAS ? j : MOST_LAMBDAS - 1;
        regret_free(f->made[j].solution);
        f->made[j].lambda = lambda;
        f->made[j].solution = made;
        f->n_made = j + 1;
    }
    *solution = f->made[j].solution;
    made = NULL;
    return REGRET_OK;
}

int fold_fits_values(double *value, struct fold_fits *f, size_t k, double lambda)
{
    const double *solution = NULL;
    TRY(find(&solution, f, lambda));
    size_t at = k == FOLD_NONE ? f->n_folds : k;
    return regret_pooled_predict(value, f->pooled, solution + at * regret_pooled_size(f->pooled));
}

/* Losses of many candidates at once, as accurately as the choice between them needs. */

/* Candidates while they are compared. Fit first[i] + k is candidate i without fold k. */
struct contest {
    const struct folded *f;
    double factor;
    size_t n;
    struct regret_candidate *candidates;
    size_t *first;       /* [n]; KNOWN: f_O, which leaving EXP rows out does not change, is there */
    double *spread;      /* [n] the loss is that of the candidate ± this */
    unsigned char *lost; /* [n] 1: not the choice, whatever its exact loss */
    struct regret_pooled_batch *batch;
};

#define KNOWN SIZE_MAX

static int is_known(const struct folded *f, const struct regret_candidate *candidate)
{
    const struct regret_session *s = f->session;
    return candidate->lambda == 1.0 && f == s->phi && s->baseline != NULL &&
           s->problem->phi.iterative;
}

static int contest_open(struct contest *c)
{
    const struct folded *f = c->f;
    size_t n_folds = f->folds->n_folds, n_fits = 0;
    FREED struct regret_pooled_fit *fit = NULL;
    TRY(REGRET_NEW(&c->first, c->n));
    TRY(REGRET_NEW(&c->spread, c->n));
    TRY(REGRET_NEW(&c->lost, c->n));
    TRY(REGRET_NEW(&fit, c->n * n_folds));
    for (size_t i = 0; i < c->n; i++) {
        const struct regret_candidate *candidate = &c->candidates[i];
        c->first[i] = is_known(f, candidate) ? KNOWN : n_fits;
        for (size_t k = 0; k < n_folds && c->first[i] != KNOWN; k++) {
            fit[n_fits++] = (struct regret_pooled_fit){
                .lambda = isnan(candidate->lambda) ? 0.0 : candidate->lambda,
                .left_out = f->cv[k],
                .rho = isnan(candidate->rho) ? 0.0 : candidate->rho};
        }
    }
    return regret_pooled_batch_create(&c->batch, f->pooled, fit, n_fits);
}

static void contest_clear(struct contest *c)
{
    regret_free(c->first);
    regret_free(c->spread);
    regret_free(c->lost);
    regret_pooled_batch_free(c->batch);
}

/* Predictions of candidate i for the rows of fold k; what they may be off by. */
static double predict(double *v, const struct contest *c, size_t i, size_t k)
{
    const struct regret_sample *part = c->f->folds->part[k];
    if (c->first[i] != KNOWN) {
        regret_pooled_batch_predict_part(v, c->batch, c->first[i] + k);
        return regret_pooled_batch_error(c->batch, c->first[i] + k);
    }
    for (size_t e = 0; e < part->entries; e++) {
        v[e] = c->f->session->baseline[part->pair[e]];
    }
    return REGRET_LOOSEST_ERROR;
}

/* A loss is the square of a weighted norm of residuals whose weights sum to one: predictions that move by at most e
 * move its root by at most e, and the loss by 2 √L e + e². */
static void take_loss(struct contest *c, size_t i, double *v)
{
    const struct regret_problem *problem = c->f->session->problem;
    const struct regret_folds *folds = c->f->folds;
    double total = 0.0, spread = 0.0;
    for (size_t k = 0; k < folds->n_folds; k++) {
        double error = fabs(c->factor) * predict(v, c, i, k);
        link_part(v, c->f, folds->part[k], c->factor);
        double loss = regret_cv_loss(folds->mode, folds->part[k], v, problem->agent);
        total += loss;
        spread += 2.0 * sqrt(loss) * error + error * error;
    }
    c->candidates[i].loss = total / (double)folds->n_folds;
    c->spread[i] = spread / (double)folds->n_folds;
}

/* Puts out of the contest who cannot be the choice any more: what regret_cv_choose() does with the losses that are
 * most in a candidate's favour. Returns how many are left. */
static size_t put_out(struct contest *c)
{
    size_t n_folds = c->f->folds->n_folds, left = 0;
    double best = INFINITY;
    for (size_t i = 0; i < c->n; i++) {
        best = fmin(best, c->candidates[i].loss + c->spread[i]);
    }
    for (size_t i = 0; i < c->n; i++) {
        double low = c->candidates[i].loss - c->spread[i];
        if (!c->lost[i] && low > regret_cv_tie(best, c->f->session->options->tie_tolerance)) {
            c->lost[i] = 1;
            for (size_t k = 0; k < n_folds && c->first[i] != KNOWN; k++) {
                regret_pooled_batch_drop(c->batch, c->first[i] + k);
            }
        }
        left += !c->lost[i];
    }
    return left;
}

static int run_contest(struct contest *c)
{
    static const double errors[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-8, REGRET_POOLED_ERROR};
    enum { LEVELS = sizeof errors / sizeof *errors };
    FREED double *v = NULL;
    size_t left = c->n;
    TRY(REGRET_NEW(&v, c->f->session->problem->pairs));
    for (int level = c->f->session->options->all_losses ? LEVELS - 1 : 0;
         level < LEVELS && left > 1; level++) {
        TRY(regret_pooled_batch_solve(c->batch, errors[level]));
        for (size_t i = 0; i < c->n; i++) {
            if (!c->lost[i]) {
                take_loss(c, i, v);
            }
        }
        left = c->f->session->options->all_losses ? 1 : put_out(c);
    }
    return REGRET_OK;
}

int folded_losses(struct regret_candidate *candidates, size_t n, const struct folded *f,
                  double factor)
{
    FREED_BY(contest_clear)
    struct contest c = {.f = f, .factor = factor, .n = n, .candidates = candidates};
    if (f->folds->n_folds == 0) {
        return REGRET_OK; /* losses stay undefined */
    }
    TRY(contest_open(&c));
    return run_contest(&c);
}
