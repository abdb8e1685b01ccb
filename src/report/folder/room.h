/* The folder of a report: its page, its short report, every table and figure as files; the list of them for programs; and how a run ends.
 *
 * Offers: regret_report_write(), regret_report_json(), regret_report_ending().
 * Way: a run folder → report.c reads it, asks report/recommend for the answer, makes headline.c's sentences of it, report/tables' tables and report/figures' figures,
 * and writes each → wide.c has the tables for data frames, run_page.c is report.html (by report/page) with run_cells.c's choice of a cell,
 * run_markdown.c report.md; report_json.c lists what lies there, ending.c says it in a few lines.
 * Uses: base/core, base/csv, base/files, base/text, chart, report/cautions, report/figures, report/page, report/recommend, report/render,
 * report/rows, report/tables, pool/files, results/read, results/row, results/run.
 */
#ifndef REGRET_REPORT_FOLDER_ROOM_H
#define REGRET_REPORT_FOLDER_ROOM_H

#endif
