/* Claims about a measure of each subject against that of each rival. */
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/claims/evidence.h"

/* The i-th subject and its rivals, in the order in which they are asked: the claim's, but the run's of what
 * depends on all ranked families. `out` has room for n_families and CLAIM_SUBJECTS. */
static size_t contestants(size_t *out, const struct claim *c, const struct claim_context *x,
                          size_t i)
{
    size_t own = claim_subject(c, x, i), others = claim_others(c), n = 0;
    int by_ranking = x->measure >= REGRET_N_MEASURES;
    if (!by_ranking) {
        out[n++] = own;
    }
    for (size_t k = 0; !by_ranking && k < others; k++) {
        out[n++] = claim_subject(c, x, c->n_subjects + k);
    }
    for (size_t k = 0; (by_ranking || others == 0) && k < x->ranking.n; k++) {
        size_t family = x->ranking.families[k];
        int named = others == 0;
        for (size_t j = 0; j < others; j++) {
            named |= claim_subject(c, x, c->n_subjects + j) == family;
        }
        if (family == own ? by_ranking : named) {
            out[n++] = family;
        }
    }
    return n;
}

/* The others stay in order. */
static void put_first(size_t *all, size_t n, size_t own)
{
    size_t k = 0;
    while (k + 1 < n && all[k] != own) {
        k++;
    }
    memmove(all + 1, all, k * sizeof *all);
    all[0] = own;
}

/* Against one rival as the other. */
static int against_one(struct claim_result *f, const struct claim *c, const struct claim_context *x,
                       size_t own, size_t rival)
{
    struct claim one = *c;
    one.against = AGAINST_OTHER;
    one.everyone = 0;
    one.n_subjects = 1;
    one.subjects[0] = x->r->subjects[own].name;
    one.subjects[1] = x->r->subjects[rival].name;
    one.subjects[2] = NULL;
    return judge_contrast(f, &one, x);
}

static int against_rivals(struct claim_result *f, const struct claim *c,
                          const struct claim_context *x, size_t i)
{
    size_t own = claim_subject(c, x, i);
    FREED size_t *all = NULL;
    TRY(REGRET_NEW(&all, x->r->n_families + CLAIM_SUBJECTS));
    size_t n = contestants(all, c, x, i);
    if (x->measure >= REGRET_N_MEASURES && x->measure != MEASURE_EXCESS) {
        put_first(all, n, own);
        return compare_ranks(f, c, x, all, n);
    }
    for (size_t k = 0; k < n; k++) {
        TRY(all[k] != own ? against_one(f, c, x, own, all[k]) : REGRET_OK);
    }
    return REGRET_OK;
}

int judge_rivals(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    for (size_t i = 0; i < claim_spoken_of(c, x); i++) {
        TRY(against_rivals(f, c, x, i));
    }
    return REGRET_OK;
}
