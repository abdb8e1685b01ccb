/* Who recommends best over some cells of a run, and against whom that can be told. */
#ifndef REGRET_REPORT_STANDING_H
#define REGRET_REPORT_STANDING_H

#include "report/rows/slice.h"

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
