/* Man pages, made of the tables of commands, options and configuration keys. */
#ifndef REGRET_CLI_HELP_MANUAL_H
#define REGRET_CLI_HELP_MANUAL_H

#include "cli/terminal/cli.h"

/* Prints the page of a command in roff's `man` macros, or with NULL that of the whole program, and returns
 * the exit code; `commands` are all there are, ended by NULL. ASCII alone: every other character is a named one. */
int manual_print(const struct cli_command *command, const struct cli_command *const *commands);

#endif
