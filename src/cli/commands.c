#include "cli/commands.h"

const struct cli_command *const cli_commands[] = {
    &cmd_init,      &cmd_run,      &cmd_cost,    &cmd_plan, &cmd_merge,  &cmd_report,
    &cmd_recommend, &cmd_evaluate, &cmd_compare, &cmd_cell, &cmd_config, &cmd_pool,
    &cmd_import,    &cmd_rate,     &cmd_doctor,  NULL,
};
