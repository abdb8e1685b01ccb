/* Tokens as they are written: the index of a text has their hashes alone. */
#ifndef REGRET_TEXT_SPELL_H
#define REGRET_TEXT_SPELL_H

#include <stdint.h>

/* The first token of the text with this hash, folded; NULL where there is none. Owned. */
int token_spell(char **out, const char *text, uint64_t hash);

#endif
