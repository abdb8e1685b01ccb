/* Man pages, made of the tables of commands, options and configuration keys. */
#ifndef REGRET_CLI_MANUAL_H
#define REGRET_CLI_MANUAL_H

#include "cli/terminal/cli.h"

/* Prints the page of a command in roff's `man` macros, or with NULL that of the whole program, and returns
 * the exit code. ASCII alone: every other character is a named one. */
int manual_print(const struct cli_command *command);

#endif
