/* A tiny pool, configurations and run folders for the tests of this room. */
#ifndef REGRET_TESTS_EXPERIMENT_FIXTURE_H
#define REGRET_TESTS_EXPERIMENT_FIXTURE_H

#include <stddef.h>

#include "pool/sample.h"
#include "regret/experiment.h"
#include "regret/results.h"

/* Writes a pool folder sample_folder()/"pool": word-salad texts of 8 contexts and 4 agents. With
 * `duplicates` many texts are the same, so that the Gram matrix is singular. */
void fixture_pool(size_t contexts, size_t agents, size_t draws, int duplicates);

/* Init of the suites: a fresh folder with the pool and "config.json", two cells of three seeds. */
void fixture_open(void);
void fixture_close(void);

/* sample_folder()/config.json, and what it says but for the pool. */
#define FIXTURE_KEYS                                                                               \
    "\"contexts.hard\": 0, \"seeds\": 3, \"n_obs\": 60, \"n_exp\": 40, \"router.slate\": 3, "      \
    "\"router.rank\": 3, \"features.buckets\": 64, \"proxy.dim\": 4"
const char *fixture_config(void);
/* "families=[…]" with every family there is. Static. */
const char *fixture_every_family(void);

/* The costs of the fixture's configuration with an override (or NULL). */
struct run_costs;
int fixture_costs(struct run_costs *out, const char *set);
/* Of each of its cells. */
enum { FIXTURE_COST = 26372 };

/* Options of a run of the configuration into sample_folder()/`out`, one thread. Their paths are
 * valid until the next call. */
struct regret_run_options fixture_options(const char *out);
/* Runs it and expects success. */
struct regret_run_summary fixture_run(const struct regret_run_options *options);
/* fixture_run() of fixture_options(out); the same with overrides. */
void fixture_make(const char *out);
void fixture_make_with(const char *out, const char *const *sets, size_t n);
/* Asserts that a run with these overrides is refused by these words, and leaves no folder. */
void fixture_refused(const char *const *sets, size_t n, const char *part);

/* A configuration's plan, pool and inputs, opened as a run opens them. */
struct fixture_inputs {
    struct regret_run_plan *plan;
    struct regret_pool *pool;
    struct run_inputs *inputs;
};
/* Of the configuration with overrides. Expects success. */
struct fixture_inputs fixture_inputs_open(const char *const *sets, size_t n);
void fixture_inputs_close(struct fixture_inputs *o);

/* A progress callback that stops after *(size_t *)context replicates. */
int fixture_stop_after(void *context, const struct regret_progress *progress);

/* The bytes of sample_folder()/name; free with regret_free(). */
char *fixture_read(size_t *length, const char *name);
int fixture_contains(const char *name, const char *part);
/* Asserts that two files below sample_folder() hold the same bytes. */
void fixture_same_bytes(const char *a, const char *b);
/* Asserts that two runs have the same run.json and rows. */
void fixture_same_run(const char *a, const char *b);
/* Keeps the first `length` bytes of a file. */
void fixture_truncate(const char *name, size_t length);
/* Offset just past the n-th line of a file. */
size_t fixture_line_end(const char *name, size_t n);
/* Entries of sample_folder(), hidden ones included. */
size_t fixture_entries(void);

#endif
