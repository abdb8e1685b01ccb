/* The family `mixed`. */
#ifndef ESTIMATE_MIXED_H
#define ESTIMATE_MIXED_H

#include <stddef.h>
#include <stdint.h>

#include "estimate/session.h"

/* Blocks of columns behind the two that come first, the intercept and the shift of OBS. */
enum mixed_block {
    MIXED_AGENT,     /* u_a */
    MIXED_AGENT_TAG, /* v_at, where there are tags */
    MIXED_TEXT,      /* z θ */
    MIXED_WORDS,     /* w(x) ω_a */
    MIXED_PICKED,    /* h(x) π_a */
    MIXED_BIAS,      /* b_a, on OBS rows alone */
    MIXED_TEXT_BIAS, /* z ζ, on OBS rows alone */
    MIXED_OWN,       /* k(x) κ, where contexts have own columns */
    MIXED_AGENT_OWN, /* k(x) τ_a, likewise */
    MIXED_BLOCKS
};
/* The first two, as members of the stack: agents and what OBS has of them alone, and with tags. */
extern const struct regret_family mixed_one_agent, mixed_by_tag;

/* Columns of agents times words, picked words and own columns that a fit has at most: of more agents fewer are crossed. */
enum { MIXED_MOST_CROSSED = 256, MIXED_MOST_PICKED = 128, MIXED_MOST_OWN = 128 };

/* Words by which agents differ, `most` at most, from the one by which they do most: numbers of problem->common_words. Of the
 * session's rows; O(words of contexts × agents) a word. */
int mixed_pick(uint32_t *picked, size_t *n_picked, const struct regret_session *session,
               size_t most);
/* h(x) of these, to be freed with regret_free(). */
int mixed_hold(double **held, const struct regret_problem *problem, const uint32_t *picked,
               size_t n);

#endif
