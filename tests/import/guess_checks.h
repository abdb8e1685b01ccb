/* What the tests of guesses ask of a table in sample_folder(). */
#ifndef REGRET_TESTS_IMPORT_GUESS_CHECKS_H
#define REGRET_TESTS_IMPORT_GUESS_CHECKS_H

#include "import/guess/guess.h"
#include "regret/import.h"

/* The map that is guessed imports the table: how many values its outputs have. Asserts on failure. */
size_t guess_imports(struct regret_table_report *report, const struct table_guess *guess,
                     const char *table);
/* Nothing is guessed of a table of this text, which the message says in these words. */
void guess_refuses(const char *table, const char *text, const char *words);

#endif
