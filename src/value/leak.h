/* What a leak looks like. */
#ifndef VALUE_LEAK_H
#define VALUE_LEAK_H

#include <stddef.h>
#include <stdint.h>

/* Errors of a prediction by context and agent. */
struct leak_problem {
    const double
        *error; /* [n_contexts × n_agents] mu − f; a context of which one is NaN is left out */
    const unsigned char *held; /* [n_contexts] 1: held out, 2: of neither part, 0: trained on */
    const uint32_t *group;     /* [n_contexts] kinds of contexts, below n_groups; NULL: one */
    size_t n_contexts, n_agents, n_groups;
};

/* The probability that the errors of a predictor that knows nothing of the held-out contexts cancel over the whole
 * grid as exactly as these do, or better; NaN where two contexts are not held out.
 *
 * With W_a the sum of the errors of agent a over all contexts, given what was trained on, the held-out contexts being a
 * sample: W has the covariance n_H Σ whatever the predictor, so that Q = Σ_a W_a² is at least about n_H tr Σ. Q below
 * that is as likely, by Satterthwaite, as a χ² of ν = (tr Σ)²/tr Σ² degrees of freedom below ν Q/(n_H tr Σ). A
 * predictor that was centred on all scores, the held-out ones among them, has Q = 0. Σ is estimated on the held-out
 * contexts; an estimate of tr Σ² is rather too large, ν too small and the probability too large. Where contexts are of
 * several kinds the same is asked of the sums by kind, too, and the smaller of the two probabilities doubled
 * (Bonferroni). Time O(contexts · agents²). */
int leak_probability(double *out, const struct leak_problem *problem);

#endif
