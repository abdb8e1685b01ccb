/* The shards of a run as they are found in their folders. */
#ifndef REGRET_EXPERIMENT_MERGE_SHARD_H
#define REGRET_EXPERIMENT_MERGE_SHARD_H

#include "experiment/row_order.h"
#include "experiment/shard_range.h"
#include "regret/text_buffer.h"

struct shard {
    const char *folder; /* borrowed */
    char *description;  /* run.json as it is */
    struct row_order order;
    struct shard_range range;
    size_t found; /* replicates of the range whose rows are there, from its beginning on */
    char *rows, *timing;
    size_t rows_length, timing_length;
};

struct shard_list {
    struct shard *shard; /* [n], ordered by number; owned */
    size_t n;
};

/* Reads every folder and puts the shards in order. Refuses shards of different runs or divisions,
 * doubled ones, ranges that overlap or leave too little between them, and rows that are wrong;
 * shards that are missing or unfinished are none of its business. */
int shard_list_read(struct shard_list *out, const char *const *runs, size_t n_runs);
void shard_list_free(struct shard_list *list); /* safe on a zeroed one */

/* How many replicates the shards lack, the missing ones included. */
size_t shard_list_lacking(const struct shard_list *list);

/* "regret run … --shard I/N -o FOLDER --resume": computes the rest of a shard, by the description
 * of one that is there. */
void shard_command(struct regret_text *text, const struct shard *there, const char *folder,
                   size_t number);

#endif
