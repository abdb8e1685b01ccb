/* Agents for one another: of all held-out contexts, and of those of a tag. */
#ifndef REGRET_REPORT_RECOMMEND_AGENTS_H
#define REGRET_REPORT_RECOMMEND_AGENTS_H

#include "report/recommend/recommend.h"

/* An agent, and the one that comes next. */
struct agent_pair {
    size_t agent, other; /* REGRET_NO_ROW where there is none */
    double share;        /* of the replicates' choices that are for `agent` */
    double gain, half;   /* its value less the other's, ± of 95 %; NaN where not known */
    size_t n;            /* contexts that this is of */
};

/* The agent of the single one that most replicates chose; the other is the one of the best mean of the rest, over all
 * contexts of the grid, as is the gain. ± is for new contexts and by how much seeds, each a draw of contexts without
 * replacement, differ: with s² the variance over seeds of the gain on n of N contexts, s² n / (1 − n/N) / N. Of folds,
 * where every seed has all, it is not known; of a stratified division it is for contexts of the same shares of tags. */
int agents_single(struct agent_pair *out, const struct recommend *s);

/* The tags of the grid's contexts. */
struct tag_agents {
    const char *tag; /* NULL: no tag */
    size_t contexts; /* of the grid */
    struct agent_pair pair;
    double *count; /* [n_agents] recommendations by `subject`; owned by struct tags_agents */
    double counted;
};
struct tags_agents {
    struct tag_agents *items;
    size_t n;
    size_t *of; /* the tag of each context */
    double *counts;
};

/* What the subject chose by tag. Of a subject that chooses by tag alone, the agent and the one that came next: most
 * often chosen by those who choose by tag or for everything. The gain is the mean over contexts on which
 * both are known, because one of these chose them there, ± by Student's t over contexts, of at least
 * FEW_CONTEXTS: what they choose does not depend on the context but by its tag, so that these are no selection. */
int agents_by_tag(struct tags_agents *out, const struct recommend *s, size_t subject);
void tags_agents_free(struct tags_agents *t);

#endif
