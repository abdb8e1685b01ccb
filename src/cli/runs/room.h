/* The commands that compute runs, or tell of what they would compute.
 *
 * Offers: cmd_run, cmd_cost, cmd_plan, cmd_merge, cmd_cell, cmd_config.
 * Way: a configuration is found → regret_run() and its like with the options of the command → words on stderr, data on
 * stdout; dry_run.c and slurm_array.c are parts of cmd_run.c, cost_make.c of cmd_cost.c, plan_trial.c of cmd_plan.c.
 * Uses: base/core, base/files, base/json, base/text, cli/terminal, estimate, evaluate/plan, experiment/config,
 * experiment/export, experiment/run, log/core, log/read, report/folder, report/render, report/rows, report/tables,
 * report/trial, results/merge, results/read, results/row.
 */
#ifndef REGRET_CLI_RUNS_ROOM_H
#define REGRET_CLI_RUNS_ROOM_H

#endif
