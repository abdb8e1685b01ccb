/* Configurations and pools that are given by name.
 *
 * "-" is a configuration that standard input gives; it is read once.
 * A path that exists is taken as it is. Else a plain name (letters, digits, ".", "_" and "-", neither "." nor
 * "-" first; so no folders and no "..") is looked for:
 *   a configuration, NAME or NAME.json, in configs/ of the program's data;
 *   a pool in each folder of REGRET_POOL_PATH (colons between), then in data/pools/ of the program's data.
 * The program's data are share/regret beside the folder of the program, as it is installed, or the source
 * tree, where the program lies in the folder that it was built in. */
#ifndef REGRET_CLI_TERMINAL_FIND_H
#define REGRET_CLI_TERMINAL_FIND_H

#include "cli/terminal/cli.h"
#include "regret/experiment.h"

enum { FIND_PATH_SIZE = 4096 };

/* What a command is to read, with room for it; nothing to free. */
struct find_inputs {
    char config[FIND_PATH_SIZE];
    char pool[FIND_PATH_SIZE]; /* "pool=PATH" */
};

/* Finds the configuration `*config`, or reads it from standard input, and the pool that it names, with `sets`, both where they are not there as
 * they are given. *config is then its path, or FIND_STANDARD, and `sets` has one more, "pool=PATH". Says on stderr what was
 * found. Returns 0, or CLI_USAGE having said where it looked, for a pool only if it is wanted; what is wrong with
 * a configuration is left to whoever reads it in earnest. */
int find_inputs(struct find_inputs *found, const char **config, struct cli_list *sets,
                int wants_pool);

/* What messages call a configuration from standard input: this very pointer. */
extern const char FIND_STANDARD[];

/* The plan of a configuration that find_inputs() has found. */
int find_plan(struct regret_run_plan **out, const char *config, const struct cli_list *sets);
/* Sets the configuration of a run to one that find_inputs() has found. */
void find_set_config(struct regret_run_options *o, const char *config);

/* find_inputs() for a run, whose configuration and overrides it sets. */
int find_run_inputs(struct find_inputs *found, struct regret_run_options *o, const char *config,
                    struct cli_list *sets);

/* The path of a pool, given as a path or by name: `word` itself, or `out`, which has FIND_PATH_SIZE bytes.
 * NULL where it is nowhere, having said so. */
const char *find_pool(char *out, const char *word);

/* 1 where the folder has a pool.json. */
int find_is_pool(const char *folder);

/* The i-th folder in which pools are looked for, or NULL past the last. */
const char *find_pool_folder(char *out, size_t i);

/* Appends the names that find something, "configs" or "pools", one a line and each once. Where nothing can be looked
 * through there are none. */
int find_names(struct regret_buffer *out, const char *what);
/* Prints them, and returns the exit code. */
int find_print_names(const char *what);

#endif
