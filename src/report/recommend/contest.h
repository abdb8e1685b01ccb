/* Which of three rules the data support, the simplest first: one agent for everything, one agent a tag, the choice of a
 * family for each request. */
#ifndef REGRET_REPORT_RECOMMEND_CONTEST_H
#define REGRET_REPORT_RECOMMEND_CONTEST_H

#include "report/recommend/recommend.h"

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
