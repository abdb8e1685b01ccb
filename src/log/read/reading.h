/* A log that is being read, step by step. */
#ifndef REGRET_LOG_READ_READING_H
#define REGRET_LOG_READ_READING_H

#include "log/read/config.h"
#include "log/read/losses.h"
#include "log/read/names.h"
#include "regret/log.h"

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

/* Goes through outputs, EXP and OBS, in this order: contexts of the first two are numbered first. */
int log_rows_read(struct log_reading *r);
/* Outcomes become shares of their range, agents are ordered; what has no meaning as a whole is refused, what a reader
 * should know is noted. */
int log_settle(struct log_reading *r);
/* Which OBS rows have texts: contexts are renumbered so that those which are kept come first. */
int log_draw(struct log_reading *r);
/* Goes through the tables again, for the ids, texts and covariates of contexts that are kept and the outputs. */
int log_texts_read(struct log_reading *r);

/* 1 where record i of a table, from 0, is a row. */
static inline int log_pass_has(const struct log_pass *pass, size_t i)
{
    return i / 8 < pass->usable_bytes && (pass->usable[i / 8] >> (i % 8) & 1) != 0;
}

#endif
