/* The folder of a report. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stddef.h>

#include "chart/figure.h"
#include "regret/report.h"
#include "report/headline.h"

/* What the files are made of. */
struct report {
    const struct regret_results *results; /* borrowed, as are: */
    const char *folder;
    const struct regret_report_options *options;
    struct run_sql *run; /* the same as tables; owned */
    struct headline headline;
    struct figures figures;
    struct table *tables; /* n_tables in the order of the report; idle ones are left out of pages */
    size_t n_tables;
};

/* The headline, the figures, the tables that say something of the run, and its facts: a page of report/page. */
int run_page(struct regret_buffer *out, const struct report *r);

/* The section of the sweep that has the families in every cell; whether the run has several, and not too many. */
int run_cells(struct regret_buffer *out, struct run_sql *run);
int run_has_cells(const struct regret_results *r);

#endif
