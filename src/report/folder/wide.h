/* The tables of a run for data frames. */
#ifndef REGRET_REPORT_WIDE_H
#define REGRET_REPORT_WIDE_H

#include "regret/results.h"
#include "report/render/table.h"

/* One rectangular CSV: a record a row, with columns for the block, the keys (every one of the run, and what
 * the table adds), the row's label, each head (what has a
 * standard error has a second column, HEAD se; text beside numbers another, HEAD text) and last the constants
 * run, pool and synthetic. A column that stands for values of keys is a record of its own, in the columns value, se
 * and text. Title and notes are left to the other formats. */
int wide_csv(struct regret_buffer *out, const struct table *t, const struct regret_results *r);

#endif
