/* Man pages, made of the tables of commands, options and configuration keys. */
#ifndef REGRET_CLI_MANUAL_H
#define REGRET_CLI_MANUAL_H

#include "cli/cli.h"

/* Prints the page of a command in roff's `man` macros, or with NULL that of the whole program, and returns
 * the exit code. ASCII alone: every other character is a named one. */
int manual_print(const struct cli_command *command);

/* The options that the program has before any command, for manuals and completions; ended by a NULL
 * name. */
struct manual_word {
    const char *word, *value, *help; /* "-h, --help"; value NULL where there is none */
};
extern const struct manual_word manual_program_options[];

#endif
