/* The commands that read finished runs and answer with tables.
 *
 * Offers: cmd_report, cmd_recommend, cmd_compare.
 * Way: folders of runs → regret_report_…() → a table in the format that is asked for; new_requests.c, of cmd_recommend,
 * → regret_model_…() → a line a request.
 * Uses: base/core, base/files, base/json, base/text, cli/terminal, model/core, model/requests, report/compare, report/folder, report/recommend, report/render, report/rows, report/tables, results/read, results/row.
 */
#ifndef REGRET_CLI_ANSWERS_ROOM_H
#define REGRET_CLI_ANSWERS_ROOM_H

#endif
