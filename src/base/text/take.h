/* A text that was built, as one of its own. */
#ifndef REGRET_BASE_TAKE_H
#define REGRET_BASE_TAKE_H

#include "regret/buffer.h"

/* Hands the text over, "" where it is empty, to be freed with regret_free(), or what made it fail; the buffer is as new. */
int text_take(char **out, struct regret_buffer *text);

#endif
