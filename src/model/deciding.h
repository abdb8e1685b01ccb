/* How a difference is decided. */
#ifndef MODEL_DECIDING_H
#define MODEL_DECIDING_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"

enum { DECIDING_MOST = 3 };

/* Numbers, NaN where not known, or words of n_words, one of the two. Borrowed. */
struct deciding_column {
    const char *name;
    const double *number;
    const uint32_t *word;
    size_t n_words;
    const char *const *words; /* [n_words] */
    const uint32_t *at; /* [rows] where numbers and words of a row stand; NULL: at its own place */
};

/* Requests of a side of a cut, and who is chosen for most of them. */
struct deciding_side {
    size_t rows;
    uint32_t agent;
    double share;
};

struct deciding_cut {
    size_t column;
    double least;   /* side 1: from this number on … */
    uint32_t word;  /* … or of this word; side 0: all others */
    int within, on; /* the cut whose side `on` it cuts; −1: all requests */
    struct deciding_side side[2];
};

struct deciding {
    size_t n, rows;
    struct deciding_cut cut[DECIDING_MOST];
};

/* deciding_say() or deciding_json(). */
typedef void deciding_writer(struct regret_buffer *out, const struct deciding *d,
                             const struct deciding_column *column, const char *const *agent);

/* Of rows with choice[i] below n_agents; others are passed over. */
int deciding_find(struct deciding *out, const uint32_t *choice, size_t rows, size_t n_agents,
                  const struct deciding_column *column, size_t n_columns);
/* Appends "length at least 12: a for 91 % of 120 requests, else b for 88 % of 80"; nothing where there is no cut. */
deciding_writer deciding_say;
/* Appends the cuts as an array of JSON. */
deciding_writer deciding_json;

#endif
