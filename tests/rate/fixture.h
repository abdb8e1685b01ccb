/* What the tests of this room share: a scratch folder, files of JSONL, a small CSV reader, and rows
 * at random. */
#ifndef REGRET_TESTS_RATE_FIXTURE_H
#define REGRET_TESTS_RATE_FIXTURE_H

#include <stddef.h>

#include "regret/rate.h"

/* A fresh folder for this process; its path is static. */
const char *scratch_folder(void);
/* Removes it; the .fini of every suite here. */
void scratch_remove(void);
/* Writes `text` to a file of that name there; the path is static, valid until the next call. */
const char *scratch_file(const char *name, const char *text);

/* Runs the program in the source folder, its stderr going where `redirect` says: what came out, to be
 * freed, and the exit code. */
char *run_program(int *code, const char *arguments, const char *redirect);

/* How often something random is repeated of the `full` times that the test states: all of them, or,
 * where the program is instrumented and many times slower (REGRET_FEW_REPLICATES), an eighth. */
unsigned repeats(unsigned full);
/* By how much a band about a share `p` of `full` repeats is to be widened for those made: nothing where all
 * are, else four binomial errors √(p(1 − p)/repeats). */
double repeats_slack(unsigned full, double p);

/* A CSV file in memory; row 0 is the first below the header. */
struct csv {
    char *text;
    char **cells;
    size_t n_rows, n_columns;
};
struct csv csv_read(const char *path);
struct csv csv_parse(const char *text);
void csv_free(struct csv *c);

/* Reads and finishes rows of JSONL text, asserting success. */
struct regret_rate_rows *rows_of(const char *jsonl);
/* n rows at random with two models, W about 40 % ones, as JSONL; free with regret_free(). */
char *random_jsonl(size_t n, unsigned seed);

/* The estimates of finished rows, asserting success; free with regret_free(). */
struct regret_rate_estimate *estimates_of(const struct regret_rate_rows *rows, size_t *n,
                                          enum regret_rate_se se);

#endif
