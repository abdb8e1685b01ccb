/* Tables, figures and the page of everything that rate estimates.
 *
 * Offers: regret/rate_report.h: regret_rate_write_…(), a document each, and regret_rate_draw_…(), figures of a folder.
 * Way: report_estimates.c, report_inference.c, report_check.c, report_human.c, report_samples.c and report_studies.c
 * fill data tables → report_document.c puts them into a document of the format (report/render). figure_contrasts.c and
 * report_figures.c make charts (chart); report_page.c sets them with the estimates into report.html (report/page).
 * Uses: base/core, base/files, base/text, chart, rate/estimate, rate/inference, rate/rows, rate/studies, report/page,
 * report/render.
 */
#ifndef REGRET_RATE_REPORT_ROOM_H
#define REGRET_RATE_REPORT_ROOM_H

#include "regret/rate_report.h"

#endif
