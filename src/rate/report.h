/* RATE's tables. */
#ifndef RATE_REPORT_H
#define RATE_REPORT_H

#include <stddef.h>

#include "chart/figure.h"
#include "rate/contrast.h"
#include "rate/typos.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "report/table.h"

/* Tables and figures of the attribute-effect module (rate.h, rate/typos.h). */

/* Each appends a whole document to `out`, whose sticky status tells of failure; there is none in HTML
 * (REGRET_E_INPUT). CSV is one tidy table with every column, and numbers that read back exactly; JSON one object
 * of arrays of objects; Markdown and LaTeX have four significant digits and the main columns. Markdown, LaTeX and JSON
 * name the rows with issues by line; CSV has no room for it, so print
 * regret_rate_write_issues() beside it. */
void regret_rate_write_estimates(struct regret_buffer *out, enum regret_format format,
                                 const struct regret_rate_rows *rows,
                                 const struct regret_rate_estimate *estimates, size_t n);
/* Columns of the first effect, of the second, and of their difference. */
void regret_rate_write_contrasts(struct regret_buffer *out, enum regret_format format,
                                 const struct regret_rate_rows *rows,
                                 const struct regret_rate_contrasts *contrasts);
void regret_rate_write_calibration(struct regret_buffer *out, enum regret_format format,
                                   const struct regret_rate_rows *rows,
                                   const struct regret_rate_calibration *calibration);
void regret_rate_write_shift(struct regret_buffer *out, enum regret_format format,
                             const struct regret_rate_rows *rows,
                             const struct regret_rate_shift *shifts, size_t n);
/* The counts alone, of given cell sizes. */
void regret_rate_write_counts(
    struct regret_buffer *out, enum regret_format format,
    const struct regret_rate_shift_cells counts[REGRET_RATE_SHIFT_LEVELS]);
void regret_rate_write_typos(struct regret_buffer *out, enum regret_format format,
                             const struct regret_rate_typos *typos, size_t n,
                             const struct regret_rate_typo_rates *rates);
/* results[world * REGRET_RATE_N_WORLD_ESTIMATORS + estimator] for the worlds numbered worlds[0..n). */
void regret_rate_write_worlds(struct regret_buffer *out, enum regret_format format,
                              const size_t *worlds, size_t n,
                              const struct regret_rate_world_result *results);
void regret_rate_write_check(struct regret_buffer *out, enum regret_format format,
                             const struct regret_rate_rows *rows,
                             const struct regret_rate_check *check);
/* The first per_group rows of each group that have W and all three texts, the texts and their rewards beside
 * one another; Markdown cuts texts to 240 columns. Says how many in *shown; wants keep_texts. */
int regret_rate_write_samples(struct regret_buffer *out, enum regret_format format,
                              const struct regret_rate_rows *rows, size_t per_group, size_t *shown);
/* Every issue, a line each, as words. Nothing when there is none. */
void regret_rate_write_issues(struct regret_buffer *out, const struct regret_rate_rows *rows);

/* report.html, a page of what the estimates say, which needs nothing from elsewhere: the figures, every
 * effect and, where texts were kept, some of them beside their rewrites. And self-contained SVG files in `folder`, which is created: effects.svg (naive against RATE, the
 * paper's Fig. 5), single-double.svg (Figs 7–10). */
int regret_rate_draw_estimates(const char *folder, const struct regret_rate_rows *rows,
                               const struct regret_rate_estimate *estimates, size_t n);
/* contrasts.svg: every difference over its standard error, those without one left out. */
int regret_rate_draw_contrasts(const char *folder, const struct regret_rate_rows *rows,
                               const struct regret_rate_contrasts *contrasts);
/* shift-N.svg for every reward model (Figs 4 and 6). */
int regret_rate_draw_shift(const char *folder, const struct regret_rate_rows *rows,
                           const struct regret_rate_shift *shifts, size_t n);
/* typos-N.svg for every reward model (Fig. 3). */
int regret_rate_draw_typos(const char *folder, const struct regret_rate_typos *typos, size_t n,
                           const struct regret_rate_typo_rates *rates);

/* What the report files of this room share. */

/* A document of tables, of which CSV has the first alone; JSON has a frame around them. */
struct rate_document {
    struct regret_buffer *out;
    enum regret_format format;
    const struct regret_rate_rows *rows; /* NULL where no cell needs them */
    size_t n_tables;                     /* written */
    struct data_table table;             /* the one at hand */
};
struct rate_document document_begin(struct regret_buffer *out, enum regret_format format,
                                    const struct regret_rate_rows *rows);
void document_end(struct rate_document *d);
/* Begins a table and, where it has its rows, writes it. */
struct data_table *document_table(struct rate_document *d, const char *name, const char *title,
                                  const char *columns);
void document_put(struct rate_document *d);
/* A paragraph, written as Markdown, in Markdown and LaTeX. */
void document_words(struct rate_document *d, const char *words, ...) REGRET_PRINTF(2, 3);

/* The cells "dataset" and "attribute"; these and "reward_model", a model's name and whether it is contrastive; that
 * alone. */
void group_cells(struct rate_document *d, size_t group);
void model_cells(struct rate_document *d, size_t group, size_t model);
/* "cluster": the key of the clusters' names, or "none". */
void cluster_cell(struct rate_document *d, int clustered);
/* The cells "estimate" to "d_se". */
void effect_cells(struct data_table *t, const struct regret_rate_effect *e);
/* At most `characters` of a UTF-8 text; "…" where there was more. */
void append_cut(struct regret_buffer *out, const char *text, size_t characters);
/* "attribute · model", with the dataset where there are several. */
void append_label(struct regret_buffer *out, const struct regret_rate_rows *rows, size_t group,
                  size_t model);
/* The effect that is told first: RATE's ATE, or what there is in its place; NULL: nothing. */
const struct regret_rate_effect *main_effect(enum regret_rate_effect_kind *kind,
                                             const struct regret_rate_estimate *estimate);
/* 1 when any effect has an interval by the bootstrap. */
int has_bootstrap(const struct regret_rate_estimate *estimates, size_t n);
/* "rows.jsonl:3 (m2), rows.jsonl:9, …" */
void issue_places(struct regret_buffer *out, const struct regret_rate_rows *rows,
                  const struct regret_rate_issue *issue);
/* The page of the estimates: what they say, the figures, every effect, texts beside one another. */
int estimates_page(struct regret_buffer *out, const struct regret_rate_rows *rows,
                   const struct regret_rate_estimate *estimates, size_t n,
                   const struct figures *figures);
/* Whether a row has W and all three texts. */
int has_texts(const struct regret_rate_rows *rows, size_t i);
/* "m 0.5, n 2": what the pointwise reward models make of one text of a row. */
void append_rewards(struct regret_buffer *out, const struct regret_rate_rows *rows, size_t i,
                    int side);
/* Rows with a predicted W. */
size_t count_predicted(const struct regret_rate_rows *rows);
/* The issues as a table of their own: Markdown when there are some, JSON always. */
void write_issues_section(struct rate_document *d);

#endif
