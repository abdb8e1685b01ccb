/* A claim asked of the cells of a run. */
#ifndef REGRET_REPORT_CLAIM_ASK_H
#define REGRET_REPORT_CLAIM_ASK_H

#include "report/claims/evidence.h"

enum verdict {
    VERDICT_HOLDS,  /* the interval of every part lies above 0 */
    VERDICT_PARTLY, /* that of some but not of all, and of none below 0 */
    VERDICT_MIXED,  /* that of some lies above 0 and of others below */
    VERDICT_FAILS,  /* of none above 0, and of some below */
    VERDICT_OPEN,   /* every interval holds 0 */
    VERDICT_NOT_APPLICABLE,
    N_VERDICTS
};

/* Asks `c` of the cells `all`. `f` holds d and n_seeds; free the rest with claim_result_clear(). */
int claim_ask(struct claim_result *f, const struct claim *c, const struct slice *all,
              const struct ranking *ranking);
void claim_result_clear(struct claim_result *f);

/* `adjusted` NULL, or a p-value for each part: a side counts when its own is at most .05 too. */
enum verdict claim_verdict(const struct claim_result *f, const double *adjusted);
/* Parts on that side. */
size_t claim_parts_on(const struct claim_result *f, int side, const double *adjusted);

#endif
