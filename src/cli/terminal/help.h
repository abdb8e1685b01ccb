/* What --help shows, and the same tables for whoever else tells of the options (cli/help). */
#ifndef REGRET_CLI_TERMINAL_HELP_H
#define REGRET_CLI_TERMINAL_HELP_H

#include "cli/terminal/cli.h"

/* To stdout, or to the visitor that is at work. */
void help_show(const struct cli_command *command, const struct cli_option *options);
/* The same of a command with others below it, `table` as in cli_dispatch(). Returns the exit code. */
int help_show_group(const struct cli_command *parent, const struct cli_command *table);
/* A line for each of a table of commands below one. */
void help_list(const struct cli_command *table, FILE *stream);

/* Gets a command with its options, or (`options` is NULL) with the commands below it, which come next;
 * either table may be NULL and both are gone when it returns. */
typedef void help_visitor(void *context, const struct cli_command *command,
                          const struct cli_option *options, const struct cli_command *below);

/* Shows `command`, and the commands below it, to `visit` instead of on stdout. The tables of options are
 * those that the parser has: each command is started with --help. Returns an exit code. */
int help_visit(const struct cli_command *command, help_visitor *visit, void *context);
/* The same with each of a list of commands that NULL ends. */
int help_visit_all(const struct cli_command *const *commands, help_visitor *visit, void *context);

#endif
