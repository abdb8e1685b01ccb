/* What stands where in a table of somebody's own, guessed from names and contents: `regret init`.
 *
 * Offers: table_guess_make(), and the map, the configuration and the words that follow from a guess.
 * Way: profile.c (profile_json.c of JSON) looks at every column → column_names.c and scale.c tell what names and
 * ranges speak for → guess.c finds contexts, agents, texts and scores, guess_wide.c those of a wide table →
 * guess_grid.c counts the part without holes → guess_write.c writes; guess_votes.c recognises
 * tables of votes before all that; guess_relations.c leaves out columns that are made of others and puts raters together;
 * guess_try.c imports by the map, and adds the options that this needs.
 * Uses: base/core, base/csv, base/files, base/json, base/text, import/build, import/table, pool/files, pool/grid.
 */
#ifndef REGRET_IMPORT_GUESS_ROOM_H
#define REGRET_IMPORT_GUESS_ROOM_H

#include "import/guess/column_names.h"
#include "import/guess/guess.h"
#include "import/guess/profile.h"
#include "import/guess/scale.h"

#endif
