#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "estimate/fit/session.h"
#include "regret/alloc.h"

const char *regret_tuned_name(size_t i)
{
    static const char *const names[REGRET_N_TUNED] = {"lambda", "alpha", "rho", "tau"};
    return names[i];
}

void nothing_tuned(double tuned[REGRET_N_TUNED])
{
    for (size_t i = 0; i < REGRET_N_TUNED; i++) {
        tuned[i] = NAN;
    }
}

int candidates_new(struct regret_candidate **out, size_t n)
{
    struct regret_candidate *made = NULL;
    TRY(REGRET_NEW(&made, n));
    for (size_t i = 0; i < n; i++) {
        made[i] = (struct regret_candidate){.basis = -1, .loss = NAN};
        nothing_tuned(made[i].tuned);
    }
    *out = made;
    return REGRET_OK;
}

int candidates_create(struct regret_estimate *e, size_t n)
{
    TRY(candidates_new(&e->candidates, n));
    e->n_candidates = n;
    return REGRET_OK;
}

/* What one of them does not have tells them not apart: grounded-anchored chooses in two stages. */
static int agree(double a, double b)
{
    return a == b || isnan(a) || isnan(b);
}

/* The candidate that was chosen before. */
static size_t find_candidate(const struct regret_estimate *e, const struct regret_estimate *before)
{
    for (size_t i = 0; i < e->n_candidates; i++) {
        const struct regret_candidate *c = &e->candidates[i];
        if (agree(c->lambda, before->lambda) && agree(c->alpha, before->alpha) &&
            agree(c->rho, before->rho) && agree(c->tau, before->tau) &&
            (c->basis == before->basis || c->basis < 0)) {
            return i;
        }
    }
    return 0;
}

void candidates_settle(struct regret_estimate *e, const struct regret_session *session)
{
    size_t chosen = session->chosen != NULL ? find_candidate(e, session->chosen)
                                            : regret_cv_choose(e->candidates, e->n_candidates,
                                                               session->options->tie_tolerance);
    const struct regret_candidate *c = &e->candidates[chosen];
    memcpy(e->tuned, c->tuned, sizeof e->tuned);
    e->basis = c->basis;
    e->cv_mode = (int)session->problem->cv->mode;
}
