/* Arena-Hard. */
#ifndef IMPORT_ARENAHARD_H
#define IMPORT_ARENAHARD_H

#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "import/harness.h"

struct arenahard_options {
    struct harness_options harness; /* first */
    const char *judge, *baseline;   /* NULL: the one there is */
};

struct arenahard_question {
    char *category, *prompt, *reference; /* the first and the last may be NULL; owned */
    uint32_t baseline;                   /* of `baselines`; NAMES_NONE: not judged against any */
};

enum { ARENAHARD_PREFERENCE, ARENAHARD_RATING, ARENAHARD_METRICS };

/* The verdicts on one answer. */
struct arenahard_judgment {
    double sum[ARENAHARD_METRICS];
    size_t n[ARENAHARD_METRICS];
    int is_answered; /* the answer has been met */
};

struct arenahard {
    const struct arenahard_options *options; /* borrowed */
    struct harness *h;
    char *folder;                        /* of the benchmark, within what was opened; owned */
    char *model;                         /* that the file at hand is called by; owned, as is … */
    char *first;                         /* … what its first answer says; NULL: nothing yet */
    const char *part;                    /* the members that are read at present, … */
    jsonl_line *line;                    /* … and who takes their lines */
    struct names questions, baselines;   /* ids and models */
    struct arenahard_question *question; /* by number; owned, as is the next */
    struct arenahard_judgment *judgment; /* by number of `judged` */
    size_t question_capacity, judgment_capacity;
    struct names judged; /* QUESTION/MODEL, a number and a name */
    struct names judges; /* those met */
    int has_strangers;   /* 1: judgments on questions that question.jsonl lacks */
    uint32_t judge;      /* of `judges`; NAMES_NONE: none yet */
    struct regret_buffer text, key;
};

#endif
