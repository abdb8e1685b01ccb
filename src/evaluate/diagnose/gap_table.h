/* The table of gaps, of rows that are ordered already. */
#ifndef REGRET_EVALUATE_DIAGNOSE_GAP_TABLE_H
#define REGRET_EVALUATE_DIAGNOSE_GAP_TABLE_H

#include "evaluate/clusters/clusters.h"
#include "regret/diagnose.h"

int gap_table(struct regret_log_gaps **out, const struct regret_log *log,
              const struct cluster_order *order, const struct regret_diagnose_options *options);

/* What both functions of the interface refuse. */
int diagnose_check(const struct regret_log *log, const struct regret_diagnose_options *options);

#endif
