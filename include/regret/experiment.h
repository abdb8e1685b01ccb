/* Running a configuration: replicates on threads and shards, a run folder that grows row by row and
 * can be resumed, and opening one replicate for inspection. */
#ifndef REGRET_EXPERIMENT_H
#define REGRET_EXPERIMENT_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/config.h"
#include "regret/status.h"
#include "regret/stop.h"

struct regret_progress {
    size_t done, total; /* replicates of this shard */
    size_t resumed;     /* of `done`, those found already there */
    double seconds;     /* since the run began */
};
/* Called after every replicate, never by two threads at once. A value other than 0 stops the run
 * with REGRET_E_CANCELLED; what is done stays and can be resumed. */
typedef int regret_progress_callback(void *context, const struct regret_progress *progress);

/* Called before the first replicate with what the user should know of the data or of the folder, one
 * line each: what grid.policy left out, what a resumed run computes again. */
typedef void regret_notice_callback(void *context, const char *message);

/* Whether a configuration, which may be a stranger's, may start programs (docs/formats.md). */
struct regret_command_options {
    int allow; /* 1: it may */
    /* May be NULL. Asked while one waits for such a command, and, whether there is one or not, between and within fits: a
     * run then ends with REGRET_E_CANCELLED within about a second, and what is done stays and can be resumed. */
    regret_cancel_callback *cancelled;
    void *context;
};

enum { REGRET_N_STAGES = 5 };

struct regret_run_summary {
    size_t replicates, resumed, cells, seeds;
    double seconds;                          /* wall time of the new replicates */
    double stage_seconds[REGRET_N_STAGES];   /* summed over threads */
    const char *stage_name[REGRET_N_STAGES]; /* static */
};

/* Called once, after the last row of a run without failure is on disk and while the folder is still
 * locked: for what is made of the rows. Its failure is the run's. */
typedef int regret_finish_callback(void *context, const struct regret_run_summary *summary);

struct regret_run_options {
    const char *config; /* path of the configuration */
    const char *
        config_text; /* NULL, or the configuration itself, named `config` as regret_run_plan_parse() does */
    size_t config_length;    /* of config_text */
    const char *const *sets; /* overrides "KEY=VALUE" */
    size_t n_sets;
    const char *out;      /* run folder */
    size_t threads;       /* >= 1 */
    size_t shard, shards; /* this is shard `shard` of `shards`, from 1 */
    int resume;           /* go on with an interrupted run of the same configuration, or begin it */
    int force;            /* replace an existing run folder */
    regret_progress_callback *progress; /* may be NULL */
    void *progress_context;
    /* May be NULL: "opening the pool", "computing the features", and last "computing" this shard's replicates, which are counted. */
    regret_step_callback *step;
    void *step_context;
    regret_notice_callback *notice; /* may be NULL */
    void *notice_context;
    regret_finish_callback *finish; /* may be NULL */
    void *finish_context;
    struct regret_command_options commands;
};
#define REGRET_RUN_OPTIONS_INIT                                                                    \
    {                                                                                              \
        .threads = 1, .shard = 1, .shards = 1                                                      \
    }

/* Runs every (cell, seed) of the shard. All input is checked before the run folder appears. Results
 * are the same bytes whatever the number of threads, shards (after merging) or interruptions.
 * Resuming keeps the replicates at the head of the rows that are whole and those expected, and
 * computes the rest. The folder is locked meanwhile: a second run in it is refused (REGRET_E_IO).
 * A run whose files are removed, moved, replaced or changed by others while it writes fails
 * (REGRET_E_IO), at the next write or at its end.
 * With P = contexts · agents · draws, of which s are drawn: a cached pool takes 8 P² bytes a feature setting
 * and about 50 s² a thread where factorising is cheap. Where conjugate gradients are cheaper, past 12,000 pairs and in
 * a controlled world it takes 12 bytes an entry of φ a feature setting, 8 P (H + labels) a world, and a thread
 * 8 P (z and bases, about 150 columns) and either about 40 min(s, D)² or, iterating, about 8,000 s. */
REGRET_API int regret_run(struct regret_run_summary *summary,
                          const struct regret_run_options *options);

/* Writes every number of one replicate to `folder` (the files are listed by `regret cell --help`); of one
 * with contexts.folds, those of one fold, which a single split has only one of, 0. `commands`
 * (NULL: none are) says whether the configuration may start programs; a family of one's own that has no fit fails the
 * export (REGRET_E_INPUT) with the reason. */
REGRET_API int regret_export_cell(const char *folder, const char *config, const char *const *sets,
                                  size_t n_sets, size_t cell, uint64_t seed, size_t fold, int force,
                                  const struct regret_command_options *commands);

/* Appends who is held out, of every cell, seed and fold of the plan, as one JSON object (docs/formats.md): cells that
 * split alike share a group. Opens the pool, makes no features. O(cells² + groups · seeds · folds · contexts). */
REGRET_API int regret_export_splits(struct regret_buffer *out, const struct regret_run_plan *plan);

#endif
