/* Cautions below a table that more than one run is in. */
#ifndef REGRET_REPORT_CAUTION_NOTE_H
#define REGRET_REPORT_CAUTION_NOTE_H

#include "report/cautions/cautions.h"
#include "report/render/table.h"

/* Notes what a run lacks, with whose it is before it: replicates, fits of one's own families, outputs. */
int caution_notes(struct table *t, const char *whose, const struct regret_results *r);

#endif
