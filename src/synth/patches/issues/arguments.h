/* Arguments of calls, drawn from a pattern and written as source text. */
#ifndef REGRET_SYNTH_PATCHES_ISSUES_ARGUMENTS_H
#define REGRET_SYNTH_PATCHES_ISSUES_ARGUMENTS_H

#include "regret/buffer.h"
#include "regret/rng.h"

/* Draws append "3, [1, 2], 'ab'" for a pattern of terms separated by blanks:
 *   #lo:hi            an integer; its ends come up more often
 *   [term]lo:hi       a list of lo..hi such terms
 *   ^[#lo:hi]lo:hi    the same, ascending, without repeats (and so perhaps shorter)
 *   (a|b|c)           one of the texts
 *   "letters"lo:hi    a string of lo..hi of these letters */
/* Is the pattern one of these? Draws rely on it. */
int patches_arguments_valid(const char *pattern);
void patches_draw_arguments(struct regret_buffer *t, struct regret_rng *rng, const char *pattern);

#endif
