/* The commands that read finished runs and answer with tables.
 *
 * Offers: cmd_report, cmd_recommend, cmd_claims, cmd_compare.
 * Way: folders of runs → regret_report_…() → a table in the format that is asked for.
 * Uses: base/core, base/csv, base/files, base/text, cli/terminal, report/claims, report/compare,
 * report/folder, report/recommend, report/render, report/rows, report/tables, results/read.
 */
#ifndef REGRET_CLI_ANSWERS_ROOM_H
#define REGRET_CLI_ANSWERS_ROOM_H

#endif
