/* Names of columns that come in twos: model_a and model_b, left_model and right_model, response1 and response2. */
#ifndef REGRET_IMPORT_GUESS_SIDE_H
#define REGRET_IMPORT_GUESS_SIDE_H

#include <stddef.h>

enum { SIDE_NAME = 200 };

/* What a name says beside its side: the first word of it that is one ("a", "2", "left") is left out of `rest`. */
struct side {
    int which;   /* 0 or 1; −1: the name has none */
    size_t kind; /* of words: only "a" goes with "b" */
    char rest[SIDE_NAME];
};
void side_of(struct side *out, const char *name);
/* 1 where one is the other's counterpart, the first standing on side 0. */
int side_is_pair(const struct side *first, const struct side *second);

#endif
