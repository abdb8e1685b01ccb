/* A run: its configuration, its cells, its replicates. */
#ifndef REGRET_EXPERIMENT_H
#define REGRET_EXPERIMENT_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/estimate.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "regret/synth.h"
#include "regret/task.h"
#include "regret/text.h"

/* A configuration: one JSON file a run. Every constant of the protocol is a key with the protocol's
 * default; any key can be swept and overridden.
 *
 *   {"title": "…", "pool": "../data/pools/newswire", "seeds": 30,
 *    "n_exp": 200, "reward": {"map": "smooth"},
 *    "sweep": {"beta": [0, 0.5, 1], "n_obs": [2000, 5000]}}
 *
 * Nested {"reward": {"map": …}} and dotted {"reward.map": …} are the same, in the sweep
 * too; a key given both ways is refused. Names that begin with "_" are comments. Cells are the
 * Cartesian product of the swept keys, the first key outermost; a key has at most 1,000 values. */

enum {
    REGRET_PATH_SIZE = 1024,
    REGRET_TITLE_SIZE = 256,
    REGRET_PAPER_SIZE = 64,
    REGRET_NAMES_SIZE = 512,

    REGRET_MAX_EXTERNAL = 4
};
enum { REGRET_MAX_CELLS = 100000, REGRET_MAX_SEEDS = 100000, REGRET_MAX_CONTEXT_FOLDS = 1000 };

/* A family of the user's own: a program that is asked, or predictions that are read (docs/formats.md). */
struct regret_external_family {
    char name
        [REGRET_FAMILY_NAME_SIZE]; /* letters, digits, ".", "_" and "-", a letter first; that of no other
                                             family or baseline */
    int is_command; /* 1: `source` is the command, a JSON array of its words; 0: the path of predictions */
    char source[REGRET_PATH_SIZE];
    char folder[REGRET_PATH_SIZE]; /* where the command is started; relative as `pool` */
    double time_limit;             /* seconds that a command may take for one fit */
};

struct regret_family_list {
    size_t n;
    /* Into the table of families, in its order; then REGRET_EXTERNAL_INDEX + that into `external`. */
    size_t index[REGRET_MAX_FAMILIES];
    size_t n_external;
    struct regret_external_family external[REGRET_MAX_EXTERNAL]; /* as they are given */
};
enum { REGRET_EXTERNAL_INDEX = 1 << 16 };
/* The i-th of the list: its name, and as which of the two it is there; the other is NULL. */
REGRET_API const char *regret_family_list_name(const struct regret_family_list *list, size_t i);
REGRET_API const struct regret_family *
regret_family_list_built_in(const struct regret_family_list *list, size_t i);
REGRET_API const struct regret_external_family *
regret_family_list_external(const struct regret_family_list *list, size_t i);

/* What is left out to choose hyper-parameters on EXP: agents, as the paper does, or contexts, for features that know agents
 * by name and so say nothing of one that is left out. */
enum regret_cv_unit { REGRET_CV_AGENTS, REGRET_CV_CONTEXTS };

/* Whose outcomes are drawn. */
enum regret_task_kind {
    REGRET_TASK_POOL, /* a reward map of the pool's scores (protocol §2, §3) */
    REGRET_TASK_WORLD /* the controlled world over the pool's texts (protocol §9) */
};

/* What is left out together when DR is cross-fitted (protocol §6). */
enum regret_fold_unit {
    REGRET_UNIT_AUTO,   /* contexts on a cached pool, rows in a world; no cell has it */
    REGRET_UNIT_ROW,    /* EXP rows */
    REGRET_UNIT_CONTEXT /* the EXP rows of a context, and its OBS rows */
};
/* The surface whose mean DR corrects. */
enum regret_plug_in {
    REGRET_PLUG_IN_AUTO, /* the fold fits where contexts are left out, else the fit of all rows; no cell has it */
    REGRET_PLUG_IN_FULL, /* the fit of all rows */
    REGRET_PLUG_IN_FOLDS /* the fold fits, weighted by their left-out rows */
};

/* How fits on raw features are solved. Results agree to 1e-9; the default is the cheaper by sizes. */
enum regret_solver { REGRET_SOLVER_AUTO, REGRET_SOLVER_DIRECT, REGRET_SOLVER_ITERATIVE };

/* One cell, resolved. Plain data: copying copies. `regret config` prints every key with its
 * default, range and meaning. */
struct regret_config {
    char title[REGRET_TITLE_SIZE];
    char paper[REGRET_PAPER_SIZE]; /* tables of the paper that the run reproduces: "T4,T5"; or "" */
    enum regret_task_kind task;
    char pool[REGRET_PATH_SIZE]; /* folder, relative paths starting at the config file's folder; or
                                    "synth:NAME", one that is generated when a run starts */
    struct regret_synth_options synth;
    struct regret_spread_options spread; /* of the pool's scores, when it is read */
    size_t seeds;
    uint64_t first_seed;
    struct regret_family_list families;
    struct regret_grid_options grid;
    double train_share;   /* of the single split */
    size_t context_folds; /* 0: the single split; else every context is held out once a seed */
    enum regret_split_rule split; /* REGRET_SPLIT_ONE_KIND: each tag is held out once a seed */
    double reference_share; /* of the held-out contexts; 0: values and regret share them all */
    struct regret_reward_options
        reward; /* its components are those of the next two, once the pool is known */
    struct regret_outcome_options outcome;
    struct regret_logging_options logging; /* keys router.* */
    size_t logging_rank;
    struct regret_world_options world; /* of REGRET_TASK_WORLD */
    size_t context_rank;               /* rank of the world's e(x) */
    size_t context_sample;             /* contexts it is fitted on, at most */
    size_t n_obs, n_exp;
    size_t text_max_bytes; /* of an output that features and proxies see; 0: all */
    struct regret_feature_options features;
    struct regret_proxy_options proxy;
    struct regret_estimate_options estimate;
    size_t cv_folds;
    enum regret_cv_unit cv_unit;
    int values; /* 1: DM, DR, SNDR */
    size_t value_folds;
    enum regret_fold_unit value_unit;
    enum regret_plug_in value_plug_in;
    enum regret_solver solver;
    int details;      /* 1: rows keep lists by context and by agent */
    int costs;        /* 1: rows keep what policies are worth and cost by price; wants details */
    double budget;    /* mean cost that a policy may have; 0: none */
    int value_retune; /* 1: hyper-parameters are chosen anew in every fold */
};

struct regret_run_plan; /* opaque: a configuration with its sweep */

/* Reads `path` and applies `n_sets` overrides "KEY=VALUE" (VALUE as JSON, or as bare text;
 * "sweep.KEY=[…]" sweeps; an override of a swept key ends its sweep). Errors name file, key and
 * remedy; an unknown key suggests the nearest. The run.json of a run is read as the configuration of
 * that run, a relative pool of it starting at the working folder. */
REGRET_API int regret_run_plan_read(struct regret_run_plan **out, const char *path,
                                    const char *const *sets, size_t n_sets);
/* The same of a configuration that is at hand, of `length` bytes. Messages call it `name`; relative paths in
 * it start at the folder of `name`, as those of a file there would: at the working folder where it has none. */
REGRET_API int regret_run_plan_parse(struct regret_run_plan **out, const char *text, size_t length,
                                     const char *name, const char *const *sets, size_t n_sets);
REGRET_API void regret_run_plan_free(struct regret_run_plan *plan);

/* How many cells the sweep has, at least one. */
REGRET_API size_t regret_run_plan_cells(const struct regret_run_plan *plan);
/* The configuration of one cell. */
REGRET_API void regret_run_plan_cell(struct regret_config *out, const struct regret_run_plan *plan,
                                     size_t cell);
/* {"reward.map":…,"beta":…,"n_obs":…,"n_exp":…} and every other swept key of a cell. A controlled
 * world has no reward map: its cells say "world" there. */
REGRET_API void regret_run_plan_cell_key(struct regret_buffer *text,
                                         const struct regret_run_plan *plan, size_t cell);

/* Every key of a configuration as one JSON object, dotted names. */
REGRET_API void regret_config_json(struct regret_buffer *text, const struct regret_config *config);
/* The same of a plan, with its "sweep": what regret_run_plan_read() would read as this plan. A relative
 * pool is told from the working folder. */
REGRET_API void regret_run_plan_json(struct regret_buffer *text,
                                     const struct regret_run_plan *plan);
REGRET_API void regret_config_default(struct regret_config *config);

/* The table of keys, for help: name, JSON type, meaning and what key i may be; 0 past the end. */
struct regret_key_help {
    const char *name, *type, *help;
    int has_range; /* 1: numbers lie within [low, high] */
    double low, high;
    const char *const *choices; /* ended by NULL; NULL unless the type is "choice" */
};
REGRET_API int regret_config_key(struct regret_key_help *out, size_t i);
/* Appends the value of key i as JSON. */
REGRET_API void regret_config_key_json(struct regret_buffer *text,
                                       const struct regret_config *config, size_t i);

/* Running a configuration: replicates on threads and shards, a run folder that grows row by row and
 * can be resumed, and opening one replicate for inspection. */

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
