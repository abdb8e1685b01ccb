/* The frame of a page of HTML that needs nothing from elsewhere, and what it is filled with: tables and figures, each
 * to be saved from it. The page's own style and script (data/report) are all that its content security policy lets
 * run; it is whole without the script.
 *
 * In this order: page_begin(), what stands in the header, page_contents(), page_link() and page_figure_links(),
 * page_main(), sections by page_section() … "</section>\n", page_figures() or page_figure() and page_table(), which may stand in
 * parts by page_part() … page_part_end(), page_end().
 */
#ifndef REGRET_REPORT_PAGE_H
#define REGRET_REPORT_PAGE_H

#include "chart/figure.h"
#include "report/render/table.h"

/* The page up to its header; the end of that, and the list of contents; its end, and the main part; the end. */
void page_begin(struct regret_buffer *out, const char *title);
void page_contents(struct regret_buffer *out);
void page_main(struct regret_buffer *out);
void page_end(struct regret_buffer *out);

/* <section id=…> with its heading, which links to it, of a page or inside of a part; the contents' line that does. */
enum page_level { PAGE_TOP = 2, PAGE_IN_PART = 3 };
void page_section(struct regret_buffer *out, enum page_level level, const char *id,
                  const char *title);
/* A part that is folded until it is asked for: its heading and a line of what is in it; its end. */
void page_part(struct regret_buffer *out, const char *id, const char *title, const char *what);
void page_part_end(struct regret_buffer *out);
void page_link(struct regret_buffer *out, const char *id, const char *title);

/* The table as a section, with the link that saves it as CSV (guarded where it is to be safe); that link alone. */
int page_table(struct regret_buffer *out, enum page_level level, const struct table *t,
               int safe_csv);
int page_table_download(struct regret_buffer *out, const struct table *t, int safe_csv);

/* A figure, in the picture for the width of the screen, with links that save it as SVG and CSV. */
int page_figure(struct regret_buffer *out, const struct figure *f, int safe_csv);
/* The section of all figures, and the lines of the contents that lead to them; nothing where there are none. */
int page_figures(struct regret_buffer *out, const struct figures *figures, int safe_csv);
void page_figure_links(struct regret_buffer *out, const struct figures *figures);

/* A link that saves `text` as a file of that name and type: the text is in the link. */
void page_download(struct regret_buffer *out, const char *file, const char *type,
                   const struct regret_buffer *text);

/* The style and the script of the page, embedded, with their SHA-256 in Base64. */
struct page_file {
    const char *name, *text, *sha256;
};
extern const struct page_file page_files[];

#endif
