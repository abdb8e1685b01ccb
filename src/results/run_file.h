/* run.json. */
#ifndef RESULTS_RUN_FILE_H
#define RESULTS_RUN_FILE_H

#include <stddef.h>

#include "base/json.h"
#include "regret/buffer.h"
#include "regret/results.h"

/* More shards than any array job has tasks; keeps the arithmetic within 64 bits. */
enum { SHARDS_MOST = 1000000 };
/* The most cells and seeds of a run, those of regret/experiment.h, and a bound on untrusted lists. */
enum { RUN_CELLS_MOST = 100000, RUN_SEEDS_MOST = 100000, RUN_FAMILIES_MOST = 256 };

/* Shard `shard` of `shards` (from 1; at most as many as replicates, and SHARDS_MOST) and the
 * replicates [begin, end) that it computes. */
struct shard_range {
    size_t shard, shards, begin, end;
};

/* The member that says what the families are; older programs wrote none. */
#define RUN_FAMILY_FACTS "family_facts"
/* The member that names the baselines of a run that has more than ROW_BASELINES_ALWAYS. */
#define RUN_BASELINES "baselines"
/* The member that holds struct regret_run_means. */
#define RUN_MEANS "means"
enum { RUN_MEANS_VERSION = 1 };

struct run_file {
    struct regret_run_facts facts; /* owns the JSON, from which the rest is borrowed */
    size_t n_cells, n_seeds;
    const struct cJSON **key;       /* [n_cells]; the array is owned */
    struct regret_subject *subject; /* families, baselines, fits; the array is owned */
    size_t n_families, n_subjects;
    size_t n_grids;                 /* 0: the run says nothing of them */
    struct regret_run_grid *grids;  /* owned, with its arrays */
    size_t *cell_grid;              /* [n_cells]; NULL without grids; owned */
    size_t n_means;                 /* 0: the run says nothing of them */
    struct regret_run_means *means; /* owned, with its arrays */
    size_t *cell_means;             /* [n_cells]; NULL without means; owned */

    /* Of run_file_read_order() and run_file_read_range(). */
    long long first_seed;
    size_t lines; /* of a replicate: the first of `subject`, in that order */
    struct shard_range range;
};

/* The run.json of a folder, which must be of this version of the format. */
int run_file_read(struct run_file *out, const char *folder);

/* The end of a CSV record: what tells the records of several runs apart once they stand in one table. */
#define RUN_FACTS_CSV ",run,pool,synthetic\n"
void run_facts_csv(struct regret_buffer *out, const struct regret_run_facts *facts);
/* The same of its text, whatever the version. */
int run_file_parse(struct run_file *out, const char *text, struct regret_place at);
/* What is missing in a folder, of one shard of so many, by the description in `from`. */
struct run_resume {
    const char *from, *folder;
    size_t shard, shards;
};
/* "regret run FROM/run.json --shard I/N -o FOLDER --resume" */
void run_resume_command(struct regret_buffer *text, const struct run_resume *missing,
                        const struct regret_subject *families, size_t n);
void run_file_free(struct run_file *run); /* safe on a zeroed one */

/* Also demands which rows the run has in which order: its first seed and the lines of a replicate. */
int run_file_read_order(struct run_file *run, struct regret_place at);
/* And which of them the shard has. REGRET_E_INPUT when the fields contradict each other or are those
 * of a program that did not record where a shard begins. */
int run_file_read_range(struct run_file *run, struct regret_place at);
/* Those fields, the last of run.json, which alone tell the shards of a run apart. */
void run_file_write_range(struct regret_buffer *text, const struct shard_range *range);

/* "grids", where there are any; the cells must have been read. */
int run_file_read_grids(struct run_file *run, struct regret_place at);
void run_grids_free(struct regret_run_grid *grids, size_t n); /* NULL is fine */
/* RUN_MEANS, where there is one of this version; the grids must have been read. */
int run_file_read_means(struct run_file *run, struct regret_place at);
void run_means_clear(struct regret_run_means *means, size_t n); /* NULL is fine */
/* That of a cell, or NULL. */
const struct regret_run_grid *run_file_grid(const struct run_file *run, size_t cell);

/* Refuses key values that are neither text, number, boolean nor list. */
int run_file_check_key(const struct cJSON *key, struct regret_place at);

/* 1 when two values are the same with their members in the same order and every number exact, where
 * cJSON_Compare() takes neighbouring numbers for one. */
int run_same_json(const struct cJSON *a, const struct cJSON *b);

/* In what two runs differ first: a word ("configuration", "pool", "estimator", "shard", "program", "machine";
 * static), and in `text` what exactly. NULL when they are one run on one pool, wherever the pool lies
 * (its digest is compared, not its path); with `any_shard`, whichever shard of the run each is. */
const char *run_difference(struct regret_buffer *text, const struct cJSON *there,
                           const struct cJSON *here, int any_shard);

#endif
