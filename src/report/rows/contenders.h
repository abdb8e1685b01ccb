/* How the families and the baselines stand over some cells: mean regret, its interval, and the verdict
 * against the best family. */
#ifndef REGRET_REPORT_CONTENDERS_H
#define REGRET_REPORT_CONTENDERS_H

#include "report/rows/table_data.h"

enum contender_verdict {
    CONTENDER_BEST,   /* the family of lowest mean regret; of equals the first of the run */
    CONTENDER_TIED,   /* the 95 % interval of the paired difference to the best holds 0 */
    CONTENDER_WORSE,  /* … lies above 0 */
    CONTENDER_BETTER, /* … below 0: a baseline that no family reaches */
    CONTENDER_UNKNOWN /* fewer than two seeds have both */
};

struct contender {
    size_t subject;
    double mean, low, high; /* of regret; the interval as that of struct paired, NaN of one seed */
    struct paired to_best;  /* its regret less the best family's; of that itself 0 of no pairs */
    enum contender_verdict verdict;
};

/* Those with data, each kind by mean regret; equals keep the run's order. Families are the ranked ones,
 * baselines all but the oracle, whose regret is 0. */
struct contenders {
    const struct regret_results *r; /* borrowed */
    struct contender *items;        /* owned: the families, then the baselines */
    size_t n_families, n;
};
int contenders_make(struct contenders *out, const struct slice *cells);
void contenders_free(struct contenders *s);

/* The baseline that is one agent for everybody (best-exp or best-obs) of lowest mean regret, or NULL. */
const struct contender *contenders_single_agent(const struct contenders *s);

/* One sentence: which family recommends best and which are tied with it, how it compares with the best
 * single agent, and whether the data are real; and what grid_caution() says. Names are appended as regret_buffer_append_safe() does. */
void contenders_sentence(struct regret_buffer *out, const struct contenders *s);

/* Who recommends best over some cells, and against whom that can be told. */
struct standing {
    size_t best; /* the ranked family of lowest mean regret, REGRET_NO_ROW when none has data */
    struct estimate regret;
    size_t *
        tied; /* ranked families whose paired difference to it cannot be told from 0, best first; owned */
    size_t n_tied, n_rivals;
    size_t agent; /* best-exp or best-obs, whichever has the lower mean regret; REGRET_NO_ROW */
    struct estimate agent_regret;
    struct paired lead; /* the agent's regret less the family's: above 0 the family is better */
};
/* Bootstraps each pair with the best: families × 2,000 × seeds. */
int standing_read(struct standing *out, const struct slice *s);
void standing_free(struct standing *s);

#endif
