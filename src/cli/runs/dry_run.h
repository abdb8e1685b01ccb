/* `regret run --dry-run`. */
#ifndef REGRET_CLI_RUNS_DRY_RUN_H
#define REGRET_CLI_RUNS_DRY_RUN_H

#include "regret/experiment.h"

/* Reads and checks what regret_run() would, computes one replicate of the dearest kind for its time, and says
 * on stdout what the run would compute, how long that takes and what it would write; with resume, how much is there and what the rest takes. Writes nothing. Returns
 * the exit code: 2 where the run would be refused. */
int dry_run(const struct regret_run_options *o, int report);
/* Says it on stderr. */
void dry_run_notice(void *context, const char *message);

#endif
