/* A run cut into shards as a file for GNU make: `regret cost --format make`. */
#ifndef REGRET_CLI_COST_MAKE_H
#define REGRET_CLI_COST_MAKE_H

#include "cli/terminal/cli.h"
#include "regret/buffer.h"
#include "regret/experiment.h"

/* Shards of `config` with these --set and options (shards, threads, commands.allow), then merge and report.
 * The shell and make read every word as it stands; a word with a line break is refused, since a recipe cannot hold one. */
int cost_make_put(struct regret_buffer *out, const char *config, const struct cli_list *sets,
                  const struct regret_run_options *options);

#endif
