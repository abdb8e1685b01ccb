/* Agents for one another: of all held-out contexts, and of those of a tag. */
#ifndef REGRET_REPORT_RECOMMEND_AGENTS_H
#define REGRET_REPORT_RECOMMEND_AGENTS_H

#include "report/recommend/recommend.h"

/* An agent, and the one that comes next. */
struct agent_pair {
    size_t agent, other;    /* REGRET_NO_ROW where there is none */
    double share;           /* of the replicates' choices that are for `agent` */
    double gain, low, high; /* its value less the other's, 95 % limits; NaN where not known */
    int told; /* they differ for certain; by tag corrected for the number of tags (Holm) */
};

/* The agent of the single one that most replicates chose; the other is the one of the best mean of the rest, over all
 * contexts of the grid, as is the gain. ± is for new contexts: where the run keeps the means of its pool
 * (struct regret_run_means), over the contexts on which both have outputs if that agent is the first
 * there, and else as of independent means; of votes not known else. Without them it is by how much seeds, each a draw of contexts without
 * replacement, differ: with s² the variance over seeds of the gain on n of N contexts, s² n / (1 − n/N) / N; not
 * known of folds, where every seed has all, and of a stratified division for contexts of the same shares of tags. */
int agents_single(struct agent_pair *out, const struct recommend *s);

/* The means of the pool by the run's reward, of all chosen cells; NULL where the run keeps none or they differ. */
const struct regret_run_means *agents_means(const struct recommend *s);
int agents_same_tag(const char *a, const char *b); /* NULL: none */
/* The agent's mean over all contexts, of votes its value (docs/protocol.md); NaN where the run keeps none, or several. */
double agents_mean(const struct recommend *s, size_t agent);

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

/* What the subject chose by tag, the agent that it chose most often, and the best of the rest by the pool's means. */
int agents_by_tag(struct tags_agents *out, const struct recommend *s, size_t subject);
void tags_agents_free(struct tags_agents *t);

#endif
