/* Internal to the SummEval importer: the file as read, and the pool made of it. */
#ifndef REGRET_SRC_POOL_IMPORT_SUMMEVAL_H
#define REGRET_SRC_POOL_IMPORT_SUMMEVAL_H

#include "pool/id_table.h"
#include "regret/import.h"
#include "regret/pool.h"

/* The experts' scores, from 1 to 5. */
enum { COHERENCE, CONSISTENCY, FLUENCY, RELEVANCE, N_SCORES };

struct summeval_record {
    uint32_t context, agent;
    size_t index; /* in the array, for messages */
    const char *output;
    double scores[N_SCORES];
};

/* The file as read, agents in natural order and records in the pool's. Strings are borrowed from
 * the parsed JSON. */
struct summeval {
    struct summeval_record *records;
    size_t n;
    const char **doc_ids, **sources, **references;
    size_t *first_record; /* of each context, for messages */
    size_t n_contexts;
    const char **system_ids;
    size_t n_agents;
    size_t dropped;
    struct id_table contexts, agents;
};

/* Makes a checked pool of what was read; the caller frees it. */
int summeval_pool(struct regret_pool **out, const struct summeval *s,
                  const struct regret_import_options *options);

#endif
