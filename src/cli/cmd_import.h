/* What the import commands share. */
#ifndef REGRET_CLI_CMD_IMPORT_H
#define REGRET_CLI_CMD_IMPORT_H

#include <stddef.h>

#include "cli/cli.h"

/* `import csv` and `import jsonl`, told apart by the command's name. */
int run_import_table(const struct cli_command *self, int argc, char **argv);

/* Names the first bad rows left out; of the others it says that they are counted. `context` is a
 * size_t that counts them, from 0. */
void import_show_bad_row(void *context, const char *message);
/* A line "n what" of the summary, nothing when n is 0. */
void import_show_count(size_t n, const char *what);
void import_show_missing(size_t contexts, size_t agents, size_t pairs);

#endif
