/* The commands of the program, each in a file cmd_<name>.c of its own. */
#ifndef REGRET_CLI_COMMANDS_H
#define REGRET_CLI_COMMANDS_H

#include "cli/terminal/cli.h"

extern const struct cli_command cmd_cell, cmd_compare, cmd_config, cmd_cost, cmd_doctor,
    cmd_evaluate, cmd_import, cmd_init, cmd_merge, cmd_plan, cmd_pool, cmd_rate, cmd_recommend,
    cmd_report, cmd_run;

/* Every one, in the order in which a newcomer meets them; ended by NULL. */
extern const struct cli_command *const cli_commands[];

#endif
