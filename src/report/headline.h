/* The first screen. */
#ifndef REPORT_HEADLINE_H
#define REPORT_HEADLINE_H

#include <stddef.h>

#include "regret/results.h"
#include "report/cautions.h"
#include "report/table.h"

/* What a run says in a minute: which family recommends best and where. Every word is computed from
 * the rows. */

struct run_sql;

enum { HEADLINE_SENTENCES = 6 + N_CAUTIONS };

struct headline {
    struct regret_buffer sentences[HEADLINE_SENTENCES]; /* plain text; owned */
    size_t n;
    /* A row for all cells and one for each value of each swept key; idle where no key is swept. Owned. */
    struct table regimes;
};
int headline_make(struct headline *out, struct run_sql *run);
/* The sentence on the families alone. */
int headline_families(struct regret_buffer *out, const struct regret_results *r);
/* "It rests on pool X (real task): 48 cells, 30 seeds, 300 contexts and 6 agents." */
void headline_rests(struct regret_buffer *out, const struct regret_results *r);
void headline_free(struct headline *h);

#endif
