/* XXH3 with its few instructions for short keys where they are used, not behind a call. */
#ifndef REGRET_TEXT_HASH_H
#define REGRET_TEXT_HASH_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#endif
