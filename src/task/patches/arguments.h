/* Arguments of calls, drawn from a pattern and written as source text. */
#ifndef REGRET_TASK_PATCHES_ARGUMENTS_H
#define REGRET_TASK_PATCHES_ARGUMENTS_H

#include "regret/rng.h"
#include "regret/text_buffer.h"

/* Appends "3, [1, 2], 'ab'" for a pattern of terms separated by blanks:
 *   #lo:hi            an integer; its ends come up more often
 *   [term]lo:hi       a list of lo..hi such terms
 *   ^[#lo:hi]lo:hi    the same, ascending, without repeats (and so perhaps shorter)
 *   (a|b|c)           one of the texts
 *   "letters"lo:hi    a string of lo..hi of these letters */
void patches_draw_arguments(struct regret_text *t, struct regret_rng *rng, const char *pattern);

#endif
