/* How hard a pool is: every number in which the pools of the newswire generator differ. */
#ifndef REGRET_SYNTH_NEWSWIRE_ARTICLE_DIFFICULTY_H
#define REGRET_SYNTH_NEWSWIRE_ARTICLE_DIFFICULTY_H

#include "regret/spread.h"

/* An agent's luck on an article is drawn from 0 to 99, and small models have worse. Below `sure` it
 * errs seldom; from the other marks on, each instead of the one before, it tells only a part, garbles,
 * rambles, or confuses the article. Marks ascend; luck never reaches 200. */
struct newswire_luck {
    unsigned sure, partial, garbling, rambling, confused;
    unsigned small; /* added to the luck of small models */
    unsigned large; /* percent: what large models have of theirs */
};

/* What the judge takes points for (judge.c). A score is 5 within the first mark of an array, 4 within
 * the second, and so on. */
struct newswire_marks {
    unsigned claims[4];    /* weight of unsupported claims: 5 to 2 */
    unsigned missing[2];   /* major points not told: 5 and 4 */
    unsigned told[2];      /* percent of the major points told, at least: 3 and 2 */
    unsigned blemishes[5]; /* 5 to 1 */
    unsigned words;        /* a major point may take */
    unsigned shortest[4];  /* percent of these words: no loss, then 1 to 3 points lost … */
    unsigned longest[4];   /* … likewise */
    unsigned idle[4];      /* percent of idle words below which no, 1, 2, 3 points are lost */
};

struct newswire_difficulty {
    unsigned
        slips; /* percent of the rates at which agents distort, invent, repeat, pad, garble … */
    unsigned suits; /* percent of what an article does to a style that it does not suit */
    struct newswire_luck luck;
    struct newswire_marks marks;
};

/* Of the pool newswire: agents err often, and on other articles each; judged by the anchors of the
 * OBS/EXP/SIM paper's Appendix B. */
extern const struct newswire_difficulty newswire_hard;
/* Of newswire-ceiling: agents err seldom, and the judge is lenient. */
extern const struct newswire_difficulty newswire_ceiling;
/* Of newswire-fitted, on the scores of that: fitted by benchmarks/fit_levels.py to levels that the paper prints. */
extern const struct regret_spread_options newswire_fitted;

#endif
