/* Commands of `regret pool` in files of their own. */
#ifndef REGRET_CLI_POOLS_CMD_POOL_H
#define REGRET_CLI_POOLS_CMD_POOL_H

#include "cli/terminal/cli.h"

/* Runs `pool synth`; `self` has no synopsis, detail and examples, which tell of the generators. */
int cmd_pool_synth(const struct cli_command *self, int argc, char **argv);

/* Runs `pool agreement`. */
int cmd_pool_agreement(const struct cli_command *self, int argc, char **argv);

/* Runs `pool votes`. */
int cmd_pool_votes(const struct cli_command *self, int argc, char **argv);

/* Run `pool extend`, `pool merge` and `pool select`. */
int cmd_pool_extend(const struct cli_command *self, int argc, char **argv);
int cmd_pool_merge(const struct cli_command *self, int argc, char **argv);
int cmd_pool_select(const struct cli_command *self, int argc, char **argv);

#endif
