/* Who is best, over replicates. */
#ifndef REPORT_CONTEST_H
#define REPORT_CONTEST_H

#include <stddef.h>

#include "regret/report.h"
#include "report/recommend.h"

/* Agents for one another: of all held-out contexts, and of those of a tag. */

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

/* Which of three rules the data support, the simplest first: one agent for everything, one agent a tag, the choice of a
 * family for each request. */

/* Contexts by their number modulo this many: whoever is named on a part was chosen by the others. */
enum { RULE_PARTS = 5 };

/* The power that advice on more data aims at. */
#define RULES_POWER 0.8

struct rule_gain {
    struct regret_two_way w; /* of the gain; its ends are of 95 % alone */
    double low, high; /* wide enough for all rules together: 1 − TOLD_LEVEL / (rules + 1) */
    int told;         /* 1: above 0, −1: below, by these; else 0 */
};

struct ruling {
    int known;                  /* the rows have it */
    size_t named;               /* the subject of lowest regret over all contexts, who is shown */
    size_t by_part[RULE_PARTS]; /* who is compared: of lowest regret on the other parts */
    struct rule_gain value, over[N_REFERENCES], over_random, over_simpler;
};

enum contest_trouble {
    RULES_FINE,
    RULES_NOT_TOLD,     /* nothing is better than an agent at random for certain */
    RULES_NO_CHOICE,    /* there is one agent */
    RULES_ALL_EQUAL,    /* whoever is chosen, on every context held out */
    RULES_NO_INTERVALS, /* one seed, or fewer than FEW_CONTEXTS */
    RULES_HOLES,        /* agents compared on the same requests do not bear it out (answer.h) */
    RULES_APART,        /* votes put an agent that is chosen in no order with another (answer.h) */
    RULES_POSITION, /* votes go to who is shown first, and agents were not shown first alike (answer.h) */
    RULES_INVENTED /* most pairs have no output: what would be learnt is which have one */
};

/* Of generated rows the rule is an index of `item`; RULE_NONE where nothing is told. */
struct contest {
    struct ruling item[REGRET_N_ADVICE]; /* that of REGRET_ADVICE_NONE is empty */
    size_t n_known;
    /* `first` is what would be the answer if it were told from random. The answer is `first`, none, or one agent where `first`
     * comes to one for everything; its numbers are those of `first`. */
    enum regret_advice answer, first;
    enum regret_advice simpler; /* `first` if there were no choice by request */
    enum contest_trouble trouble;
    double low, high;  /* the least and greatest value that any choice had: the scale */
    size_t n_contexts; /* held out by any seed */
    double alone;      /* the level of each interval */
};

int contest_make(struct contest *out, const struct recommend *s);

#endif
