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

/* Appends how a run ends: what it recommends (regret_recommend(); of generated pools after the family of lowest regret), what
 * that rests on, what is to be borne in mind, the page of the report in `folder` and what to type next. At most
 * REGRET_ENDING_LINES lines, indented by two blanks, none wider than `columns`, at least 60 and at most 100, but for paths, which stand alone; an
 * answer that has no room is cut. Names of the run are made harmless. */
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

/* ---------------------------------------------------------------- recommendations */

/* What follows from a run: of three rules, those that beat an agent at random, the simplest that no richer one beats. */
enum regret_advice {
    REGRET_ADVICE_NONE,       /* nothing can be told apart */
    REGRET_ADVICE_ONE_AGENT,  /* everything to one agent */
    REGRET_ADVICE_BY_TAG,     /* one agent for each tag of contexts */
    REGRET_ADVICE_BY_REQUEST, /* what a family chooses for the request at hand */
    REGRET_N_ADVICE
};

/* Whose choices are to be followed: "best-obs", "best-by-tag-exp", a family; of one agent its id, too. NULL of no rule;
 * else borrowed from the results. */
struct regret_recommendation {
    enum regret_advice rule;
    const char *subject, *agent;
};

enum regret_recommend_format {
    REGRET_RECOMMEND_TEXT,     /* the answer, for a terminal of 80 columns */
    REGRET_RECOMMEND_MARKDOWN, /* the same, and every context */
    REGRET_RECOMMEND_CSV, /* context (empty: all), tag, by, votes (0 or 1), agent, share, replicates, value, value_low,
                              value_high, margin, margin_low, margin_high, of all contexts value_new_low, value_new_high,
                              margin_new_low, margin_new_high; then margin_best_exp, margin_best_obs, each with …_low,
                              …_high, …_new_low and …_new_high; cautions: the kinds that concern the record, with
                              blanks between ("leaks", "unexamined" only of the families they are about). Of votes
                              "won" stands for "value": what the one named of two answers has won */
    REGRET_RECOMMEND_JSON /* {"format": "regret-recommend-3", pool, synthetic, cells, seeds, "scale": what 0 and 1
                              are in the pool's scores or null, "rule": "one-agent",
                              "by-tag", "by-request" or null, "by": whose choices, "agent": of one agent, of votes its
                              "value", "reads_outputs": whether it chooses by request and only once all agents have
                              answered, "without_outputs": which of one agent and by tag is then
                              supported (by request without them was not tried), or null,
                              "rules": [{rule, by, value, and gains over_random, over_single, over_best_exp,
                              over_best_obs: {gain, low, high, told}, "needed": {detectable, contexts, seeds} to tell the
                              first}], "tags": [{tag, agent, runner_up, contexts,
                              share, gain, gain_low, gain_high, told}] of what is recommended or would be, "words": [{word, share}] by which
                              agents differ, as mixed picked them, where it is by request by mixed or stack, "columns": [{column, least or is, then, else, within, side}] that decide, "cautions": [{kind, sentence}],
                              "recommendations": [the fields of CSV; null: all contexts, no tag, or no number]} */
};

struct regret_recommend_options {
    enum regret_recommend_format format;
    int one_cell; /* 1: of the cell of number `cell` alone; 0: of all together */
    size_t cell;
    /* Lists are of the contexts with that tag, of that one context, and of those for which that agent is recommended;
     * NULL: of all. */
    const char *tag, *context, *agent;
};

/* Appends what to recommend. Which of the rules is supported is decided by the comparison that `run` prints, gains on
 * held-out contexts with intervals by seeds and contexts both (stats/resampling.h), which must leave out 0 for
 * all rules together at 98 % (Bonferroni): a richer rule takes the place of a simpler one that it beats, and the last of
 * them must beat an agent at random, or nothing is told (docs/guide.md). A rule's choices are those of "stack" or else the family
 * of lowest regret, and of the better of the baselines by tag; compared on each fifth of the contexts is who was best on the rest.
 * Lists: who is recommended on each context that was held out, and on all together, by each ranked family, by "vote" and
 * by the baselines. The agent is the one most often recommended over the replicates (equals: the lowest), with its share of
 * them; the value is the mean of mu(x, a) of what was recommended in each replicate, the margin that less the value of
 * the best single agent, which is best-exp or best-obs, whichever has the lower regret, as in the headline of the run. Both are
 * means over the cells, then over the seeds, with 95 % intervals by Student's t over seeds
 * and, of all contexts, by seeds and contexts both, for new requests.
 * In a replicate the vote is for the agent that most of the voting families choose (equals: that of the
 * family of lowest regret if among them, else the lowest); that family votes, and so does every ranked one
 * whose paired difference from it has a 95 % bootstrap interval over seeds that holds 0.
 * Cells that are taken together must share their contexts and agents.
 * REGRET_E_INPUT where they do not, where there is no such cell, tag, context or agent, and where the rows hold no lists;
 * not where nothing is told: that is an answer. `answer` and `options` may be NULL.
 * O(cells · seeds · contexts · families²) and as much memory as contexts · (agents + seeds). */
REGRET_API int regret_recommend(struct regret_buffer *out, struct regret_recommendation *answer,
                                const struct regret_results *results,
                                const struct regret_recommend_options *options);

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
