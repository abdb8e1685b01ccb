/* What the sources of this folder share. */
#ifndef LOG_INTERNAL_H
#define LOG_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "log/config.h"
#include "log/doubts.h"
#include "regret/evaluate.h"

/* ---- overlap.c: where agents were seen. ---- */

/* Sets log->hole and takes agents off the offers of OBS there; of a log with a trial nothing, for its values rest on that. A part of
 * the rows is a hole of an agent where its share of all rows would give it 20, and it has no more than a twentieth of that, and of the part a
 * hundredth [C] (overlap: Crump, Hotz, Imbens and Mitnik, Biometrika 96, 2009, 187-199). Parts are levels of a tag, of a covariate of
 * words or of a word of the text, and ranges of a number or of the text's length, alone and within halves and levels of another. `tag` is
 * what tags are called. */
int log_find_overlap(struct regret_log *log, const char *tag);

/* ---- read.c: rows of a log. ---- */

/* What a log names: agents, tags and words of covariates (struct names), put into their order, and ids of contexts and clusters of which
 * there may be as many as rows: of these only a hash is kept. */

/* Hands the texts over in natural order, [n] at *out, to be freed each; *rank, to be freed, has the place of each number in
 * it. The names are empty then. */
int log_names_rank(char ***out, uint32_t **rank, struct names *names);

/* Hashes in the order they were first met: 8 bytes each, and 5 to 11 of a table. Two ids of 10 million have one hash by
 * chance in one log of 400,000: they would then be one context. */
struct log_keys {
    uint64_t *hash; /* owned */
    uint32_t *slot; /* owned; index + 1, 0: free */
    size_t n, capacity, n_slots;
};

/* The number of a hash, a new one where it is new. */
int log_keys_put(uint32_t *out, struct log_keys *keys, uint64_t hash);
void log_keys_free(struct log_keys *keys);

/* A log that is being read, step by step. */

/* What one table came to when it was first gone through. */
struct log_pass {
    size_t records;        /* bad ones too */
    unsigned char *usable; /* a bit of each: it is a row; owned */
    size_t usable_bytes;
    size_t capacity; /* of the rows */
    struct log_tally tally[LOG_LOSSES];
    size_t without_chance; /* rows whose probability is not known, … */
    size_t stated_chances; /* … and those of which the table tells it */
    size_t without_cluster, bad_times, bad_costs, without_slate;
    uint64_t slate_line;                    /* the first without one */
    uint64_t bad_time_line, backwards_line; /* the first; 0: none */
    size_t backwards;                       /* rows before the one before them */
    char bad_time[48];
    double least, most;        /* of the outcomes; from infinity down where there is none */
    int has_words, has_others; /* outcomes that are words, and numbers other than 0 and 1 … */
    uint64_t word_line, other_line; /* … and the first of them */
    unsigned char *agents;          /* [REGRET_LOG_MAX_AGENTS] 1: it is here; owned */
    size_t n_contexts;              /* of the log when the table was read */
};

/* An agent on an offer. */
struct log_member {
    uint64_t name; /* a hash */
    uint32_t offer;
};

struct log_reading {
    struct log_config config;
    struct regret_log *log; /* owned until it is handed out */
    struct log_pass pass[LOG_INPUTS];
    struct log_keys contexts, clusters, slates, offers,
        requests;              /* the last: contexts of outputs */
    struct log_member *member; /* of all offers; owned */
    size_t n_members, member_capacity;
    size_t everybody; /* the offer of rows whose slate is blank, and one; 0: there are none */
    int has_clusters; /* 1: a table names them; 0: they are the contexts, and `clusters` is empty */
    struct names agents, tags;
    uint32_t *
        tag; /* of each context, the number of its tag + 1; 0, or behind tag_capacity: none so far; owned */
    size_t tag_capacity;
    size_t tag_conflicts;
    double *cost;   /* [REGRET_LOG_MAX_AGENTS] sums, and … */
    size_t *costs;  /* … numbers of rows; owned; NULL: no column of costs */
    uint32_t *rank; /* of agents by number, the index in the log; owned; set by log_settle() */
    uint64_t *kept; /* [log->n_kept] hashes of the ids of contexts; owned; set by log_draw() */
};
/* Outcomes become shares of their range, agents are ordered; what has no meaning as a whole is refused, what a reader
 * should know is noted. */
int log_settle(struct log_reading *r);
/* Goes through the tables again, for the ids, texts and covariates of contexts that are kept and the outputs. */
int log_texts_read(struct log_reading *r);

/* 1 where record i of a table, from 0, is a row. */
static inline int log_pass_has(const struct log_pass *pass, size_t i)
{
    return i / 8 < pass->usable_bytes && (pass->usable[i / 8] >> (i % 8) & 1) != 0;
}

#endif
