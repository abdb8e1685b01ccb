/* What a run says in a minute: which family recommends best, where, how surely, and whether any is worth
 * more than one agent for everything. Every word is computed from the rows. */
#ifndef REGRET_REPORT_HEADLINE_H
#define REGRET_REPORT_HEADLINE_H

#include "regret/results.h"
#include "report/cautions/cautions.h"
#include "report/render/table.h"

enum { HEADLINE_SENTENCES = 6 + N_CAUTIONS };

struct headline {
    struct regret_buffer sentences[HEADLINE_SENTENCES]; /* the verdict first; plain text; owned */
    size_t n;
    /* A row for all cells and one for each value of each swept key; idle where no key is swept. Owned. */
    struct table regimes;
};
int headline_make(struct headline *out, const struct regret_results *r);
void headline_free(struct headline *h);

#endif
