/* The report: reads a run folder (results.h) and makes tables of it. It knows nothing of
 * estimators; every number comes from the rows.
 *
 * Everything here is a pure function of the run folder's bytes: the bootstrap draws from
 * regret_rng_at(0, REGRET_RNG_BOOTSTRAP, resample), so a report is the same bit for bit wherever
 * it is made. */
#ifndef REGRET_REPORT_H
#define REGRET_REPORT_H

#include <stddef.h>

#include "regret/buffer.h"
#include "regret/evaluate.h"
#include "regret/results.h"
#include "regret/status.h"

/* ---------------------------------------------------------------- tables */

/* The names of all tables in the order of the report. Static. */
REGRET_API size_t regret_report_tables(const char *const **names);

/* Appends one table; a name that ends in .sql is a file of one's own (docs/extending.md). An unknown name is REGRET_E_INPUT with a suggestion. A table that does not
 * apply to the run (no value estimates, no grounded variants) says so in a note.
 * Markdown, LaTeX and HTML are rounded for reading; CSV is long (block, row, column, value, se,
 * text), one record a cell, with numbers that read back exactly; so are those of JSON, an object with blocks
 * of typed columns (docs/formats.md). */
REGRET_API int regret_report_table(struct regret_buffer *out, const struct regret_results *results,
                                   const char *name, enum regret_format format);

/* The same of a query over the run's tables, which may only read; its CSV is the rows as they are. */
REGRET_API int regret_report_sql(struct regret_buffer *out, const struct regret_results *results,
                                 const char *query, enum regret_format format);

/* Writes the report's folder (docs/formats.md): report.md, report.html (a page that needs nothing from elsewhere), tables/NAME.csv,
 * figures/NAME as a picture (.svg) and its numbers (.csv), results.csv, and config.json, which repeats the run. `out_folder` NULL means
 * RUN_FOLDER/report. It appears whole or not at all; an earlier report is replaced, any other non-empty folder refused. */
struct regret_report_options {
    int safe_csv; /* every .csv as regret_csv_guard() writes it */
};
REGRET_API int regret_report_write(const char *run_folder, const char *out_folder,
                                   const struct regret_report_options *options);

/* Appends what a program wants to know of the report in `folder`, which regret_report_write() made of these
 * results: a JSON object with its files, the sentences of the headline and the ranking of the families as the
 * table "summary" (docs/formats.md). */
REGRET_API int regret_report_json(struct regret_buffer *out, const struct regret_results *results,
                                  const char *folder);

/* Appends how a run ends: the family of lowest regret, what that rests on, what is to be borne in
 * mind, and the page of the report in `folder`. At most
 * REGRET_ENDING_LINES lines, indented by two blanks, none wider than `columns`, at least 60 and at most 100, but for paths, which stand alone; a
 * sentence that has no room is cut. Names of the run are made harmless. */
#define REGRET_ENDING_LINES 8
REGRET_API int regret_report_ending(struct regret_buffer *out, const struct regret_results *results,
                                    const char *folder, size_t columns);

/* What a comparison of two runs allows: REGRET_ONE_POOL wants both to be of one pool, by its digest. */
enum regret_compare_pools { REGRET_ONE_POOL, REGRET_ANY_POOLS };

/* Appends the paired comparison of two runs: per family the mean regret in each over the common cells (equal keys) and seeds, their
 * difference B − A with its errors by seeds and by seeds and contexts, and notes on everything that does not match. REGRET_E_INPUT when
 * nothing is common, or the pools differ that may not. */
REGRET_API int regret_report_compare(struct regret_buffer *out, const struct regret_results *a,
                                     const struct regret_results *b,
                                     enum regret_compare_pools pools, enum regret_format format);

/* ---------------------------------------------------------------- planning */

/* One way of spending seeds, and a pilot run of it. */
struct regret_power_scheme {
    const struct regret_results *pilot; /* borrowed */
    const char *name;                   /* "single split", "5 folds of contexts"; borrowed */
    double replicate_seconds;           /* of a processor, mean over the cells; NaN: not known */
};

struct regret_power_plan {
    const char *config; /* what the run is called; borrowed */
    struct regret_power_scheme scheme[2];
    size_t n_schemes;
    size_t cells, seeds;  /* of the run that is planned */
    double setup_seconds; /* once a process */
    double difference;    /* of regret that is wanted; 0: none */
};

/* Appends what the run can show by its seeds: of every pair of ranked families the deviation of the
 * paired difference over the pilot's seeds (of means over its cells), the least detectable difference, and
 * the seeds that the wanted one needs (stats/multiplicity.h; size .05, two-sided, power .8). REGRET_E_INPUT: a
 * pilot with fewer than two seeds or two ranked families. */
REGRET_API int regret_report_power(struct regret_buffer *out, const struct regret_power_plan *plan,
                                   enum regret_format format);

/* Appends what a trial can show (regret/evaluate.h), on one screen: agents and their shares of the rows, widths by rows,
 * and what is needed. Numbers are on the scale of outcomes as given. */
REGRET_API int regret_report_trial_plan(struct regret_buffer *out,
                                        const struct regret_trial_plan *plan,
                                        const struct regret_log *log, const char *config,
                                        enum regret_format format);

#endif
