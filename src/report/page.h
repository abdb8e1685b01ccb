/* The page of a report. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "chart/figure.h"
#include "report/table.h"

/* The page up to its header; the end of that, and the list of contents; its end, and the main part; the end. */
void page_begin(struct regret_buffer *out, const char *title);
void page_contents(struct regret_buffer *out);
void page_main(struct regret_buffer *out);
void page_end(struct regret_buffer *out);

/* <section id=…> with its heading, which links to it, of a page or inside of a part; the contents' line that does. */
enum page_level { PAGE_TOP = 2, PAGE_IN_PART = 3 };
void page_section(struct regret_buffer *out, enum page_level level, const char *id,
                  const char *title);
void page_link(struct regret_buffer *out, const char *id, const char *title);

/* The table as a section, with the link that saves it as CSV (guarded where it is to be safe); that link alone. */
int page_table(struct regret_buffer *out, enum page_level level, const struct table *t,
               int safe_csv);
int page_table_download(struct regret_buffer *out, const struct table *t, int safe_csv);
/* The section of all figures, and the lines of the contents that lead to them; nothing where there are none. */
int page_figures(struct regret_buffer *out, const struct figures *figures, int safe_csv);
void page_figure_links(struct regret_buffer *out, const struct figures *figures);

/* The style and the script of the page, embedded, with their SHA-256 in Base64. */
struct page_file {
    const char *name, *text, *sha256;
};
extern const struct page_file page_files[];

#endif
