/* Completion of the command line in bash, zsh and fish, made of the tables of commands, options and
 * configuration keys. */
#ifndef REGRET_CLI_HELP_COMPLETION_H
#define REGRET_CLI_HELP_COMPLETION_H

#include "cli/terminal/cli.h"

/* Prints what completes `regret` in a shell, "bash", "zsh" or "fish"; returns the exit code. `commands` are all
 * there are, ended by NULL. */
int completion_print(const char *shell, const struct cli_command *const *commands);

#endif
