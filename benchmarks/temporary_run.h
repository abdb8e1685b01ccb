/* A run into a folder that is thrown away. */
#ifndef REGRET_BENCHMARKS_TEMPORARY_RUN_H
#define REGRET_BENCHMARKS_TEMPORARY_RUN_H

#include <stdio.h>
#include <stdlib.h>

#include "regret/experiment.h"

/* What fails is said on stderr, after the program's name. */
static int temporary_run(const char *program, struct regret_run_summary *s, const char *config,
                         const char *seeds, size_t threads)
{
    struct regret_run_options o = REGRET_RUN_OPTIONS_INIT;
    char folder[] = "/tmp/regret-bench-XXXXXX", set[64], command[96];
    const char *sets[] = {set};
    if (mkdtemp(folder) == NULL) {
        perror(program);
        return -1;
    }
    snprintf(set, sizeof set, "seeds=%s", seeds);
    o.config = config;
    o.sets = sets;
    o.n_sets = 1;
    o.out = folder;
    o.force = 1;
    o.threads = threads;
    int rc = regret_run(s, &o);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) {
        perror(program);
    }
    if (rc != REGRET_OK) {
        fprintf(stderr, "%s: %s\n", program, regret_error_message());
    }
    return rc;
}

#endif
