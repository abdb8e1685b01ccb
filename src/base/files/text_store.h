/* Texts that need not be in memory: those beyond the first few megabytes stand in a file without a name, mapped, of which
 * the system reads what is looked at. */
#ifndef REGRET_BASE_TEXT_STORE_H
#define REGRET_BASE_TEXT_STORE_H

#include <stddef.h>

struct regret_text_store;

/* A copy of `length` bytes and a zero in *out, to be read alone, which stands as long as *store; that is made with its first
 * text. The file is in TMPDIR, else /var/tmp; REGRET_E_IO: it cannot be made or written. */
int text_store_add(char **out, struct regret_text_store **store, const char *text, size_t length);

/* Says that a text was read: after so many, what stands in the file is let go from memory. NULL is fine, and so is a text
 * of another place. */
void text_store_pass(struct regret_text_store *store, const char *text);

void text_store_free(struct regret_text_store *store);

#endif
