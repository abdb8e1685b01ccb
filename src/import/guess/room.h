/* What stands where in a table of somebody's own, guessed from names and contents: `regret init`.
 *
 * Offers: table_guess_make(), and the map, the configuration and the words that follow from a guess.
 * Way: import/profile looks at every column → guess.c finds contexts, agents, texts and scores, guess_wide.c and
 * guess_plain.c those of a wide table, guess_check.c turns down what no score can be read of, guess_defend.c agents and contexts that are none → guess_grid.c counts the part
 * without holes → guess_write.c writes; guess_votes.c recognises tables of votes before all that; guess_relations.c leaves
 * out columns that are made of others and puts raters together; guess_covariates.c finds what else is known of contexts;
 * guess_try.c reads their numbers, imports by the map, and adds the options that this needs.
 * Uses: base/core, base/files, base/json, base/text, import/build, import/profile, import/table, pool/agreement, pool/files,
 * pool/grid.
 */
#ifndef REGRET_IMPORT_GUESS_ROOM_H
#define REGRET_IMPORT_GUESS_ROOM_H

#include "import/guess/guess.h"

#endif
