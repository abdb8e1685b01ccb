#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/estimate.h"
#include "regret/rng.h"

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
