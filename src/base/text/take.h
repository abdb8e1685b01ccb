/* A text that was built and is done with. */
#ifndef REGRET_BASE_TAKE_H
#define REGRET_BASE_TAKE_H

#include "regret/buffer.h"

/* Hands the text over, "" where it is empty, to be freed with regret_free(), or what made it fail; the buffer is as new. */
int text_take(char **out, struct regret_buffer *text);
/* Frees a text of which another thing was made; the sticky status of that takes its failure. */
void text_free_into(int *status, struct regret_buffer *text);

#endif
