/* An export of `regret cell --export` read back as someone with nothing but its files would. */
#ifndef REGRET_TESTS_EXPERIMENT_EXPORTED_H
#define REGRET_TESTS_EXPERIMENT_EXPORTED_H

#include <stddef.h>
#include <stdint.h>

struct cJSON;

struct exported {
    const char *folder; /* below sample_folder() */
    struct cJSON *cell, *hyper;
    size_t n_contexts, n_draws, n_test, n_reference;
    size_t *test, *reference; /* contexts; the same unless cell.json tells them apart */
    double *mu;               /* [n_contexts × n_agents] */
};

void exported_open(struct exported *e, const char *folder);
void exported_close(struct exported *e);

struct exported_place {
    size_t cell;
    uint64_t seed;
    size_t fold;
};
/* Exports a replicate of the fixture's configuration, whose proxy is that of protocol §4, and opens it; that of a later fold takes
 * the place of the one before. Expects success. */
void exported_make(struct exported *e, const char *const *sets, size_t n_sets,
                   struct exported_place at);

/* Column `column` (from 0) of a CSV file with a header, as numbers; malloc. */
double *exported_column(size_t *rows, const struct exported *e, const char *file, size_t column);

#endif
