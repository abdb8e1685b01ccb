/* What the fuzz targets share: requirements, inputs of several parts, scratch files in memory.
 *
 * A target sets fuzz_accepted where the library took the input. replay.c holds the committed seeds
 * to it: one whose name begins with "ok-" must be taken, one with "bad-" must be refused. Without
 * that a corpus could rot until every seed is turned away at the door. */
#ifndef REGRET_FUZZ_SUPPORT_H
#define REGRET_FUZZ_SUPPORT_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"

extern int fuzz_accepted;

/* Says what does not hold, and aborts: libFuzzer then keeps the input. */
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fuzz_broken(__FILE__, __LINE__, #condition);                                           \
        }                                                                                          \
    } while (0)
_Noreturn void fuzz_broken(const char *file, int line, const char *what);

/* 1 for REGRET_OK, 0 for REGRET_E_INPUT, which inputs may deserve; anything else is a finding, and
 * so is a refusal without a message. */
int fuzz_taken(int rc);

/* A part of an input, in a block of its exact size for the address sanitizer. */
struct fuzz_part {
    char *text; /* owned, never NULL */
    size_t length;
};
enum { FUZZ_MAX_PARTS = 3 };

/* The parts of an input stand between lines of five "="; absent ones are empty. */
void fuzz_split(struct fuzz_part parts[FUZZ_MAX_PARTS], const uint8_t *data, size_t size);
void fuzz_parts_free(struct fuzz_part parts[FUZZ_MAX_PARTS]);

/* The path of `name` in the scratch folder; static for each of the few names a target uses. */
const char *fuzz_path(const char *name);

/* Makes `name` in the scratch folder hold just these bytes, and returns its path. */
const char *fuzz_put(const char *name, const char *bytes, size_t length);
const char *fuzz_put_part(const char *name, struct fuzz_part part);

/* Makes a folder in the scratch folder, once. */
const char *fuzz_folder(const char *name);

/* A number that the input settles: choices that rotate are the same whenever it runs again. */
uint64_t fuzz_hash(const uint8_t *data, size_t size);

/* Properties that take long hold for one input in a few, which its hash selects: 1 for such an input.
 * replay.c sets fuzz_whole: the committed seeds are held to all of them. */
extern int fuzz_whole;
int fuzz_turn(const uint8_t *data, size_t size, unsigned inputs);

/* In which of two ways an input is taken: a seed and one input in 16 in both, half of the others in each.
 */
enum fuzz_ways { FUZZ_STRICT = 1, FUZZ_LENIENT = 2, FUZZ_BOTH = 3 };
enum fuzz_ways fuzz_ways_of(const uint8_t *data, size_t size);

int fuzz_same_text(const char *a, const char *b); /* NULL is a text like no other */
int fuzz_same_number(double a, double b);         /* bit for bit, but any NaN for any other */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A note callback: notes are words; counts them in the size_t that is its context. */
void fuzz_count_note(void *context, const char *message);

#endif
