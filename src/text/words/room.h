/* Texts to tokens, tokens to keys and counts.
 *
 * Offers: regret_tokens_* and regret_terms_* (regret/text.h); hashed keys in bags and buckets; overlap measures of
 * two texts; the stop words.
 * Way: fold.c brings a text to one case and composition, classes.c tells letters from digits → tokens.c cuts it
 * into hashed tokens → terms.c counts them, measures.c compares two texts, keys.c and buckets.c give each key a
 * column (occurrences.c and sort.c count and order).
 * Uses: base/core, linalg/sparse.
 */
#ifndef REGRET_TEXT_WORDS_ROOM_H
#define REGRET_TEXT_WORDS_ROOM_H

#include "regret/text.h"
#include "text/words/buckets.h"
#include "text/words/keys.h"
#include "text/words/measures.h"
#include "text/words/spell.h"
#include "text/words/stop_words.h"

#endif
