/* Changes of style that leave the meaning of a program alone. */
#ifndef REGRET_SYNTH_PATCHES_AGENTS_STYLE_H
#define REGRET_SYNTH_PATCHES_AGENTS_STYLE_H

#include "regret/rng.h"
#include "synth/patches/issues/repository.h"

/* Parameter i of the function whose `def` is on line `first`; 0 when it has fewer. */
int patches_parameter(char out[PATCHES_LINE_BYTES], const struct patches_file *file, size_t first,
                      size_t i);
/* The file in another style: double quotes, x = x + y for x += y, a blank line before a return that
 * follows a block. *line moves with its line. */
int patches_restyle(struct patches_file *file, size_t *line);
/* Gives one or two local variables of the function on lines first..end other names. */
int patches_rename(struct patches_file *file, size_t first, size_t end, struct regret_rng *rng);

#endif
