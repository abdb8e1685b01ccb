/* Patches of coding agents with their test outcomes, joined with SWE-bench's issues: from BouncerBench's CSV, or
 * from predictions and reports as SWE-bench has them.
 *
 * Offers: importer_swebench and importer_predictions, regret_import_swebench(), regret_import_predictions().
 * Way: swebench_issues.c reads the issues → swebench_rows.c (verdicts by swebench_status.c) or predictions.c the
 * rows that are asked for → swebench_select.c settles duplicates, groups and coverage → swebench_outputs.c reads and
 * measures the patches → swebench.c makes the pool. swebench_commands.c: the command lines.
 * Uses: base/core, base/csv, base/files, base/json, base/text, import/build, pool/files, text/patch.
 */
#ifndef REGRET_IMPORT_SWEBENCH_ROOM_H
#define REGRET_IMPORT_SWEBENCH_ROOM_H

#endif
