/* What the tests of harnesses' importers ask of a pool, and of what is refused. */
#ifndef REGRET_TESTS_IMPORT_HARNESS_CHECKS_H
#define REGRET_TESTS_IMPORT_HARNESS_CHECKS_H

#include "import/build/importer.h"

/* Sets an importer's options by what a test gives; NULL: none. */
typedef void harness_set(void *options, const void *value);

/* Writes a text to sample_folder()/path, with the folders on the way. */
void harness_put(const char *path, const char *text);

/* The pool of sample_folder()/from, made and read again; and its report, until the next import. Asserts on failure. */
struct regret_pool *harness_imported(const struct importer *importer, const char *from,
                                     harness_set *set, const void *value);
void harness_report_has(const char *words);
/* It is refused with these words, and nothing is written. */
void harness_refused(const struct importer *importer, const char *from, harness_set *set,
                     const void *value, const char *words);

/* Value k of the first output of an agent on the context with this text; NAN: none. The cost of an agent. */
double harness_value_of(const struct regret_pool *pool, const char *text, const char *agent,
                        size_t k);
double harness_cost_of(const struct regret_pool *pool, const char *agent);

#endif
