/* The folder of a report: its page, its short report, every table and figure as files; and the list of them for programs.
 *
 * Offers: regret_report_write() and regret_report_json().
 * Way: a run folder → report.c reads it, asks report/recommend for the answer of a pool that is real, makes headline.c's sentences, report/tables' tables and report/figures' figures,
 * and writes each → wide.c has the tables for data frames, run_page.c is report.html (by report/page) with run_cells.c's choice of a cell,
 * run_markdown.c report.md; report_json.c lists what lies there.
 * Uses: base/core, base/csv, base/files, base/text, chart, report/cautions, report/figures, report/page, report/paper, report/recommend, report/render,
 * report/rows, report/tables, pool/files, results/read, results/row, results/run.
 */
#ifndef REGRET_REPORT_FOLDER_ROOM_H
#define REGRET_REPORT_FOLDER_ROOM_H

#endif
