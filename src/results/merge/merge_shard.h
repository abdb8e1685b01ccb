/* The shards of a run as they are found in their folders. */
#ifndef REGRET_RESULTS_MERGE_SHARD_H
#define REGRET_RESULTS_MERGE_SHARD_H

#include "results/run/run_file.h"

struct shard {
    const char *folder; /* borrowed */
    char *description;  /* run.json as it is */
    struct run_file run;
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
/* The same step by step. Makes a list with room for n_runs folders, or refuses none; ... */
int shard_list_create(struct shard_list *list, size_t n_runs);
/* ... adds a folder, unless it is refused, by itself or as no shard of the first one's run; ... */
int shard_list_add(struct shard_list *list, const char *folder);
/* ... puts a list that is not empty in order, or refuses it. */
int shard_list_order(struct shard_list *list);
void shard_list_free(struct shard_list *list); /* safe on a zeroed one */

/* Refuses a list in order that lacks replicates, with the names of the shards that do. */
int shard_list_check_complete(const struct shard_list *list);

#endif
