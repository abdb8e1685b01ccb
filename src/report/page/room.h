/* A page of HTML that needs nothing from elsewhere, with tables and figures of anyone: its frame with the security
 * policy, style and script, its sections, and links that save what is shown. It knows nothing of runs.
 *
 * Offers: page_begin() to page_end(), page_section(), page_table(), page_figures() (page.h, which gives their order).
 * Way: the caller's struct table (report/render) and struct figures (chart) → page.c writes them into a buffer; the
 * style and the script are those of data/report, embedded.
 * Uses: base/core, base/csv, base/text, chart, report/render.
 */
#ifndef REGRET_REPORT_PAGE_ROOM_H
#define REGRET_REPORT_PAGE_ROOM_H

#include "report/page/page.h"

#endif
