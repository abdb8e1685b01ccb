/* The files of a report that people read first: report.html, a page that needs nothing from elsewhere, and
 * report.md, what a pull request wants of it. */
#ifndef REGRET_REPORT_PAGE_H
#define REGRET_REPORT_PAGE_H

#include "report/figures/figure.h"
#include "report/render/table.h"
#include "report/terminal/headline.h"

/* What both are made of; all borrowed. */
struct report_parts {
    const struct regret_results *results;
    const struct headline *headline;
    const struct figures *figures;
    const struct table *tables; /* n_tables in the order of the report; idle ones are left out */
    size_t n_tables;
    int safe_csv; /* CSV to download is as regret_csv_guard() writes it */
};

/* The headline, the figures, the tables that say something of the run, and its facts. The page's own style and script
 * (data/report) are all that its content security policy lets run; it is whole without the script. Tables
 * can be saved from it as CSV and figures as SVG and CSV, which are in the page. */
int page_html(struct regret_buffer *out, const struct report_parts *parts);

/* The headline, the first table, where the others and the figures are, and the facts. */
int page_markdown(struct regret_buffer *out, const struct report_parts *parts);

/* The section of the figures, and the lines of the contents that lead to them; nothing where there are none. */
int page_figures(struct regret_buffer *out, const struct figures *figures, int safe);
void page_figure_links(struct regret_buffer *out, const struct figures *figures);

/* The page up to its header, which the caller fills and closes (</header>), and its end. Between them are
 * <nav> and <main id="main">, which page_end() closes. */
void page_begin(struct regret_buffer *out, const char *title);
void page_end(struct regret_buffer *out);

/* The table as a section, with the link that saves it; that link alone. */
int page_table(struct regret_buffer *out, const struct table *t, int safe);
int page_table_download(struct regret_buffer *out, const struct table *t, int safe);

/* <section id=…> with its heading, which links to it; the contents' line that does. */
void page_section(struct regret_buffer *out, const char *id, const char *title);
void page_link(struct regret_buffer *out, const char *id, const char *title);

/* A link that saves `text` as a file of that name and type: the text is in the link. */
void page_download(struct regret_buffer *out, const char *file, const char *type,
                   const struct regret_buffer *text);

/* The same of NAME.csv, guarded where it is to be safe. */
int page_download_csv(struct regret_buffer *out, const char *name, const struct regret_buffer *csv,
                      int safe);

/* The style and the script of the page, embedded, with their SHA-256 in Base64. */
struct page_file {
    const char *name, *text, *sha256;
};
extern const struct page_file page_files[];

#endif
