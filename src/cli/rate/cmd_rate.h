/* The sub-commands of `regret rate`. */
#ifndef REGRET_CLI_CMD_RATE_H
#define REGRET_CLI_CMD_RATE_H

#include "cli/terminal/cli.h"

int run_rate_estimate(const struct cli_command *self, int argc, char **argv);
int run_rate_contrast(const struct cli_command *self, int argc, char **argv);
int run_rate_human(const struct cli_command *self, int argc, char **argv);
int run_rate_samples(const struct cli_command *self, int argc, char **argv);
int run_rate_shift(const struct cli_command *self, int argc, char **argv);
int run_rate_typos(const struct cli_command *self, int argc, char **argv);
int run_rate_check(const struct cli_command *self, int argc, char **argv);
int run_rate_world(const struct cli_command *self, int argc, char **argv);

#endif
