/* The files of a report that people read first: report.html, a page that needs nothing from elsewhere, and
 * report.md, what a pull request wants of it. */
#ifndef REGRET_REPORT_FOLDER_H
#define REGRET_REPORT_FOLDER_H

#include "chart/figure.h"
#include "regret/report.h"
#include "report/folder/headline.h"
#include "report/page/page.h"
#include "report/recommend/for_page.h"

/* What the files are made of. */
struct report {
    const struct regret_results *results; /* borrowed, as are: */
    const char *folder;
    const struct regret_report_options *options;
    struct headline headline;
    struct page_advice advice; /* empty where the run does not say what it recommends */
    struct figures figures;
    struct table *tables; /* n_tables in the order of the report; idle ones are left out of pages */
    size_t n_tables;
};

/* The headline, the figures, the tables that say something of the run, and its facts: a page of report/page. */
int run_page(struct regret_buffer *out, const struct report *r);

/* The section of the sweep that has the families in every cell; whether the run has several, and not too many. */
int run_cells(struct regret_buffer *out, const struct regret_results *r);
int run_has_cells(const struct regret_results *r);

/* The texts of the requests, for a page beside it; run_has_requests() says whether there are any. */
#define REQUESTS_PAGE "requests.html"
int run_has_requests(const struct report *r);
int run_requests_page(struct regret_buffer *out, const struct report *r);

/* The headline, the first table, where the others and the figures are, and the facts. */
int run_markdown(struct regret_buffer *out, const struct report *r);

#endif
