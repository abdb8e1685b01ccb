/* gzip by zlib, which compares the checksums. Internal to unpack.c. */
#ifndef REGRET_BASE_GUNZIP_H
#define REGRET_BASE_GUNZIP_H

#include <stddef.h>

struct gunzip; /* opaque */

/* At most `most` bytes of the file as they are packed: their number, 0 at its end, or a negative code. */
typedef long gunzip_source(void *context, char *to, size_t most);

int gunzip_open(struct gunzip **out, gunzip_source *source, void *context, const char *path);
void gunzip_close(struct gunzip *g); /* NULL is fine */

/* As unpack_read(). All members of the file, one after the other; zeros may follow the last one, and nothing else.
 * REGRET_E_INPUT: it is damaged or cut short. */
long gunzip_read(struct gunzip *g, char *to, size_t most);

#endif
