/* Completion of the command line, made of the tables of commands, options and configuration keys. */
#ifndef REGRET_CLI_HELP_COMPLETE_H
#define REGRET_CLI_HELP_COMPLETE_H

#include "cli/terminal/cli.h"

/* Prints what the last of the `n` words that follow "regret" may become, a candidate a line; returns the exit code. The
 * words may be cut at "=", as bash cuts them: then what follows the last "=" is printed alone. `commands` are all there
 * are, ended by NULL. */
int complete_print(char **words, size_t n, const struct cli_command *const *commands);

#endif
