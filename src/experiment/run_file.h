/* The files of a run folder. */
#ifndef REGRET_EXPERIMENT_RUN_FILE_H
#define REGRET_EXPERIMENT_RUN_FILE_H

#include "experiment/plan_inputs.h"
#include "experiment/row_order.h"
#include "experiment/shard_range.h"
#include "regret/experiment.h"
#include "regret/text_buffer.h"

/* run.json of one shard. */
void run_file_describe(struct regret_text *text, const struct regret_plan *plan,
                       const struct plan_inputs *inputs, const struct shard_range *range);

/* Its last fields, which alone tell the shards of a run apart. */
void run_file_describe_range(struct regret_text *text, const struct shard_range *range);
/* The same fields read from a run.json. REGRET_E_INPUT when they contradict each other or are those
 * of a program that did not record where a shard begins. */
int run_file_read_range(struct shard_range *out, const struct row_order *order,
                        struct regret_place at);

/* 1 when two descriptions are of the same run on the same pool, wherever the pool lies (its digest
 * is compared, not its path); with `any_shard`, whichever shard of the run each is. */
int run_file_same(const char *a, const char *b, int any_shard);

/* In what two descriptions that are not the same differ first: a word ("configuration", "pool",
 * "shard", "program", "machine"; static), and in `text` what exactly, "there" being a and "here"
 * b. */
const char *run_file_difference(struct regret_text *text, const char *a, const char *b,
                                int any_shard);

/* A result or timing file that is appended to. */
struct row_file {
    int fd;
    char *path;    /* owned */
    size_t length; /* bytes it has */
};
#define ROW_FILE_INIT                                                                              \
    {                                                                                              \
        -1, NULL, 0                                                                                \
    }
/* Opens folder/name, keeps its first `keep` bytes and cuts off what follows them. */
int row_file_open(struct row_file *f, const char *folder, const char *name, size_t keep);
/* Both fail, too, when the file is no longer where it was, or has not the bytes written to it. */
int row_file_append(struct row_file *f, const char *text, size_t length);
int row_file_close(struct row_file *f); /* flushes to disk; safe to call twice */
/* For a run that has failed already: flushes what there is and says nothing. */
void row_file_abandon(struct row_file *f);

#endif
