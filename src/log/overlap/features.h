/* What is recorded of the rows of OBS, as levels. */
#ifndef REGRET_LOG_OVERLAP_FEATURES_H
#define REGRET_LOG_OVERLAP_FEATURES_H

#include "base/core/try.h"
#include "regret/buffer.h"
#include "regret/log.h"

struct feature {
    char *name;          /* owned, as the others */
    const char **levels; /* [n_levels] of words; NULL of a number; entries borrowed */
    int is_word;         /* 1: of the text: level 1 has it */
    size_t n_levels;
    uint32_t *level; /* [rows] */
    uint32_t *order; /* [rows] of a number: rows by level */
    double *value;   /* [n_levels] of a number; the last is NaN where one is missing */
};

struct features {
    size_t n_rows;
    const uint32_t *row; /* [n_rows] of the log; NULL: all */
    size_t n;
    struct feature *at; /* owned */
    char **words;       /* [n_words] names of words; owned */
    size_t n_words;
};

int features_make_of(struct features *f, const struct regret_log *log, const char *tag);
void features_clear(struct features *f);

/* "kind = easy"; of levels from `first` to `last`, "length from 200 on". */
void feature_say(struct regret_buffer *out, const struct feature *f, size_t first, size_t last);

#endif
