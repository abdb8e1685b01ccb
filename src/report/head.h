/* What a report says before its tables: what was run, on what, by what. */
#ifndef REGRET_REPORT_HEAD_H
#define REGRET_REPORT_HEAD_H

#include "regret/report.h"

void head_markdown(struct regret_text *out, const struct regret_results *r);

/* The page up to its first table, with links to the tables. The page needs nothing from elsewhere:
 * its style is in it, and there are no scripts. */
void head_html(struct regret_text *out, const struct regret_results *r, const char *const *tables,
               size_t n_tables);

#endif
