/* Tables before they have a format, and the formats. It knows nothing of runs: any room whose numbers are to be read
 * makes its tables here.
 *
 * A table for reading has a title, notes and blocks of rows under heads: table_begin(), table_block(),
 * table_column()s, and for each row table_row() and its cells; then table_note()s. render() writes it as Markdown, CSV
 * (long), LaTeX, HTML, JSON or plain text. A table of data (data_table.h) is one block without labels whose columns are an array
 * of names: data_table_begin(), then cells in their order; render_data_markdown() and its like write it, and
 * data_table.table goes wherever a table does. Errors are sticky: table_check(), which render() asks, tells of them;
 * table_free() at the end. A page of them is made by report/page.
 *
 * Offers: struct table, struct data_table, their builders and renderers; enum regret_format and its words.
 * Way: table.c and data_table.c build the struct → render.c chooses by the format → render_markdown.c, render_csv.c,
 * render_latex.c, render_html.c, render_json.c and render_text.c write it into a buffer.
 * Uses: base/core, base/text.
 */
#ifndef REGRET_REPORT_RENDER_ROOM_H
#define REGRET_REPORT_RENDER_ROOM_H

#include "regret/format.h"
#include "report/render/data_table.h"
#include "report/render/table.h"

#endif
