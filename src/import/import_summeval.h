/* Internal to the SummEval importer: the file as read, and the pool made of it. */
#ifndef REGRET_IMPORT_IMPORT_SUMMEVAL_H
#define REGRET_IMPORT_IMPORT_SUMMEVAL_H

#include "base/id_table.h"
#include "regret/import.h"
#include "regret/pool.h"

/* The experts' scores, from 1 to 5. */
enum { COHERENCE, CONSISTENCY, FLUENCY, RELEVANCE, N_SCORES };

struct summeval_record {
    uint32_t context, agent;
    size_t index; /* of the record in the file, from 0, for messages */
    char *output; /* owned */
    double scores[N_SCORES];
};

/* A document or a system. */
struct summeval_thing {
    char *given, *id;       /* as the file has it, and fit for a pool; owned */
    char *source;           /* of a document; owned */
    char *reference;        /* of a document, NULL where there is none; owned */
    size_t index;           /* of its first record, for messages */
    size_t reference_index; /* of the first that has the reference */
};

struct summeval_things {
    struct summeval_thing *thing; /* owned */
    size_t n, capacity;
    struct id_table ids;
};

/* The file as read, agents in natural order and records in the pool's. */
struct summeval {
    struct summeval_record *records; /* owned */
    size_t n, capacity;
    struct summeval_things documents, systems;
    size_t seen; /* records so far */
    size_t dropped;
};

/* Reads the records one after the other. */
int summeval_read(struct summeval *s, const char *path, int drop_unscored);

/* Makes a checked pool of what was read; the caller frees it. */
int summeval_pool(struct regret_pool **out, const struct summeval *s,
                  const struct regret_import_options *options);

#endif
