/* The report: reads a run folder (results.h) and makes tables of it. It knows nothing of
 * estimators; every number comes from the rows.
 *
 * Everything here is a pure function of the run folder's bytes: the bootstrap draws from
 * regret_rng_at(0, REGRET_RNG_BOOTSTRAP, resample), so a report is the same bit for bit wherever
 * it is made. */
#ifndef REGRET_REPORT_H
#define REGRET_REPORT_H

#include <stddef.h>

#include "regret/results.h"
#include "regret/status.h"
#include "regret/text_buffer.h"

/* ---------------------------------------------------------------- rows in memory */

enum regret_row_kind { REGRET_ROW_FAMILY, REGRET_ROW_BASELINE, REGRET_ROW_FIT };

/* The numbers a row may hold; the names are those of the JSON fields in lower case. */
enum regret_measure {
    REGRET_MEASURE_REGRET,
    REGRET_MEASURE_RMSE,
    REGRET_MEASURE_TOP1,
    REGRET_MEASURE_TOP3,
    REGRET_MEASURE_SPEARMAN,
    REGRET_MEASURE_DM_RMSE,
    REGRET_MEASURE_DR_RMSE,
    REGRET_MEASURE_SNDR_RMSE,
    REGRET_MEASURE_LAMBDA,
    REGRET_MEASURE_ALPHA,
    REGRET_MEASURE_RHO,
    REGRET_MEASURE_TAU,
    REGRET_MEASURE_R2,
    REGRET_N_MEASURES
};

/* The first four keys are always these; every other swept key follows in order of its name. */
enum regret_key_index {
    REGRET_KEY_MAP,   /* "reward.map" */
    REGRET_KEY_BETA,  /* "beta" */
    REGRET_KEY_N_OBS, /* "n_obs" */
    REGRET_KEY_N_EXP, /* "n_exp" */
    REGRET_N_MAIN_KEYS
};

/* What a row is about: an estimator family, a baseline or a fit. */
struct regret_subject {
    enum regret_row_kind kind;
    char *name; /* owned */
};

/* A key of the cells and the values it takes: numbers ascending, then false, true, then texts and
 * lists in the order of the cells. */
struct regret_key {
    char *name; /* "reward.map"; owned */
    size_t n_values;
    char **values; /* n_values texts; numbers in their shortest round-trip form; owned */
};

/* run.json. Texts are owned; NULL where run.json does not say. */
struct regret_run_facts {
    char *folder; /* as it was given */
    char *pool_name, *pool_title, *pool_version, *pool_digest, *pool_licence;
    int synthetic;                     /* 1: generated data, 0: a real task */
    long long contexts, agents, draws; /* -1 where run.json does not say */
    /* what grid.policy left out or counted as 0; -1 likewise */
    long long dropped_contexts, dropped_agents, imputed;
    char *version, *blas_build, *blas_kernel;
    char *title;  /* the configuration's */
    char *config; /* JSON text: the configuration with its sweep */
};

/* All rows of a run. Columns have n_rows elements; missing and null numbers are NaN. */
struct regret_results {
    struct regret_run_facts run;
    size_t n_families; /* subjects [0, n_families) are the families, in run.json's order */
    size_t n_subjects; /* then come the baselines and the fits */
    struct regret_subject *subjects;
    size_t n_keys;
    struct regret_key *keys;
    size_t n_cells;
    size_t *cell_value;   /* n_cells × n_keys, column-major: which value of the key the cell has */
    size_t seeds_planned; /* run.json's */
    size_t n_seeds;       /* that occur in rows */
    long long *seeds;     /* n_seeds numbers, ascending */

    size_t n_rows;
    size_t *row_cell;    /* in [0, n_cells) */
    size_t *row_seed;    /* index into `seeds` */
    size_t *row_subject; /* in [0, n_subjects) */
    double *measure[REGRET_N_MEASURES];
    size_t *row_basis; /* index into `words`, REGRET_NO_ROW where null */
    size_t *row_cv;    /* index into `words`, REGRET_NO_ROW where null */
    size_t n_words;
    char **words; /* the bases and cross-validation modes that occur */
    size_t *at;   /* n_subjects × n_cells × n_seeds, subject fastest: the row, or REGRET_NO_ROW */

    size_t n_complete; /* replicates in which every family has its row with a regret */
    char *gaps;        /* one sentence on what is missing; NULL when nothing is. Owned. */
};

#define REGRET_NO_ROW ((size_t)-1)

/* Reads run.json and every results-I-of-N.jsonl of `run_folder`. Bad fields are REGRET_E_INPUT with
 * "FILE:LINE: field …", and so are shards that overlap or belong to different partitions; missing
 * shards, replicates and rows are no error but described in `gaps`. Free with
 * regret_results_free(). Time and memory are linear in the rows (plus the cube `at`). */
REGRET_API int regret_results_read(struct regret_results **out, const char *run_folder);
REGRET_API void regret_results_free(struct regret_results *results); /* NULL is fine */

/* One number of the cube, NaN where the row is missing or the number null. Indices are unchecked:
 * subject < n_subjects, cell < n_cells, seed < n_seeds. */
REGRET_API double regret_results_value(const struct regret_results *r, enum regret_measure measure,
                                       size_t subject, size_t cell, size_t seed);

/* The subject of that kind and name, or REGRET_NO_ROW. */
REGRET_API size_t regret_results_subject(const struct regret_results *r, enum regret_row_kind kind,
                                         const char *name);

/* Appends all rows as RFC 4180 records (CRLF-free line ends "\n"), ordered by seed, cell, subject:
 * cell, seed, kind, family, every key, every measure, basis, cv. Numbers read back exactly; null is
 * an empty field. */
REGRET_API int regret_results_csv(struct regret_text *out, const struct regret_results *results);

/* ---------------------------------------------------------------- tables */

enum regret_format {
    REGRET_FORMAT_MARKDOWN,
    REGRET_FORMAT_CSV,
    REGRET_FORMAT_LATEX,
    REGRET_FORMAT_HTML,
    REGRET_N_FORMATS
};

/* "md", "csv", "tex" or "html" (REGRET_E_INPUT otherwise). */
REGRET_API int regret_format_parse(enum regret_format *out, const char *word);

/* The word of a format, which is its file extension too. Static. */
REGRET_API const char *regret_format_word(enum regret_format format);

/* The names of all tables in the order of the report. Static. */
REGRET_API size_t regret_report_tables(const char *const **names);

/* Appends one table. An unknown name is REGRET_E_INPUT with a suggestion. A table that does not
 * apply to the run (no value estimates, no grounded variants) says so in a note.
 * Markdown, LaTeX and HTML are rounded for reading; CSV is long (block, row, column, value, se,
 * text), one record a cell, with numbers that read back exactly. */
REGRET_API int regret_report_table(struct regret_text *out, const struct regret_results *results,
                                   const char *name, enum regret_format format);

/* Writes the report's folder: report.md and report.html (the run's facts, every table), tables/NAME
 * in every format (.md, .csv, .tex, .html), results.csv and config.json (what `regret run` needs to
 * repeat the run). `out_folder` NULL means RUN_FOLDER/report. The folder appears whole or not at
 * all; an earlier report is replaced, any other non-empty folder refused. `options` may be NULL. */
struct regret_report_options {
    int safe_csv; /* every .csv as regret_csv_guard() writes it */
};
REGRET_API int regret_report_write(const char *run_folder, const char *out_folder,
                                   const struct regret_report_options *options);

/* Appends the paired comparison of two runs: per family the mean regret in each over the common
 * cells (equal keys) and common seeds, their difference B − A, its standard error over seeds and
 * its 95 % bootstrap interval, and notes on everything that does not match. REGRET_E_INPUT when
 * nothing is common. */
REGRET_API int regret_report_compare(struct regret_text *out, const struct regret_results *a,
                                     const struct regret_results *b, enum regret_format format);

#endif
