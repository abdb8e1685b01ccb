/* A caution below a table that more than one run is in. */
#ifndef REGRET_REPORT_CAUTION_NOTE_H
#define REGRET_REPORT_CAUTION_NOTE_H

#include "report/cautions/cautions.h"
#include "report/render/table.h"

/* Notes what there is of a kind, with whose it is before it. */
void caution_note(struct table *t, const char *whose, enum caution kind,
                  const struct regret_results *r);

#endif
