/* The mixed family: what its effects are, and the rows that they are fitted on (protocol §5). */
#ifndef REGRET_ESTIMATE_MIXED_H
#define REGRET_ESTIMATE_MIXED_H

#include "estimate/fit/session.h"
#include "linalg/mixed/mixed_model.h"

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
enum { MIXED_INTERCEPT, MIXED_SHIFT, MIXED_FIXED };
enum { MIXED_VARIANCES = MIXED_BLOCKS + MIXED_OTHERS };

/* How far a fit tells requests apart: what lies beyond has no columns. */
enum mixed_reach { MIXED_ONE_AGENT, MIXED_BY_TAG, MIXED_BY_REQUEST };
/* The first two, as members of the stack: agents and what OBS has of them alone, and with tags. */
extern const struct regret_family mixed_one_agent, mixed_by_tag;

/* Columns of agents times words, picked words and own columns that a fit has at most: of more agents fewer are crossed. */
enum { MIXED_MOST_CROSSED = 256, MIXED_MOST_PICKED = 128, MIXED_MOST_OWN = 128 };

/* Lines: the columns that all entries have, then those of its agent alone. */
struct mixed_layout {
    const struct regret_problem *problem;
    const double
        *held; /* h(x), n_picked × n_contexts: whether a context holds a picked word, centred */
    size_t common, own;                    /* columns of a line */
    size_t n_blocks;                       /* without own columns those before MIXED_OWN */
    struct mixed_span block[MIXED_BLOCKS]; /* where they stand in a line */
};
/* The line of a pair, zeroed before, in an OBS or EXP row. */
void mixed_fill_line(double *line, const struct mixed_layout *layout, size_t pair, int is_obs);

/* Words by which agents differ, `most` at most, from the one by which they do most: numbers of problem->common_words. Of the
 * session's rows; O(words of contexts × agents) a word. */
int mixed_pick(uint32_t *picked, size_t *n_picked, const struct regret_session *session,
               size_t most);
/* h(x) of these, to be freed with regret_free(). */
int mixed_hold(double **held, const struct regret_problem *problem, const uint32_t *picked,
               size_t n);

/* Rows gathered as entries: a pair in OBS, or in EXP, grouped by context. */
struct mixed_rows {
    struct mixed_model model;
    double *line, *y, *rows; /* owned, as the next */
    uint32_t *group, *part;
};
/* Of all OBS rows, and of the EXP rows outside DR fold `without`; SIZE_MAX: of all. */
int mixed_rows_gather(struct mixed_rows *out, const struct mixed_layout *layout,
                      const struct regret_session *session, size_t without);
void mixed_rows_free(struct mixed_rows *rows);

#endif
