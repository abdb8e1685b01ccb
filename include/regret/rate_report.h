/* Tables and figures of the attribute-effect module (rate.h, rate_study.h). */
#ifndef REGRET_RATE_REPORT_H
#define REGRET_RATE_REPORT_H

#include "regret/buffer.h"
#include "regret/format.h"
#include "regret/rate.h"
#include "regret/rate_inference.h"
#include "regret/rate_study.h"

/* Each appends a whole document to `out`, whose sticky status tells of failure; there is none in HTML
 * (REGRET_E_INPUT). CSV is one tidy table with every column, and numbers that read back exactly; JSON one object
 * of arrays of objects; Markdown and LaTeX have four significant digits and the main columns. Markdown, LaTeX and JSON
 * name the rows with issues by line; CSV has no room for it, so print
 * regret_rate_write_issues() beside it. */
REGRET_API void regret_rate_write_estimates(struct regret_buffer *out, enum regret_format format,
                                            const struct regret_rate_rows *rows,
                                            const struct regret_rate_estimate *estimates, size_t n);
/* Columns of the first effect, of the second, and of their difference. */
REGRET_API void regret_rate_write_contrasts(struct regret_buffer *out, enum regret_format format,
                                            const struct regret_rate_rows *rows,
                                            const struct regret_rate_contrasts *contrasts);
REGRET_API void regret_rate_write_calibration(struct regret_buffer *out, enum regret_format format,
                                              const struct regret_rate_rows *rows,
                                              const struct regret_rate_calibration *calibration);
REGRET_API void regret_rate_write_shift(struct regret_buffer *out, enum regret_format format,
                                        const struct regret_rate_rows *rows,
                                        const struct regret_rate_shift *shifts, size_t n);
/* The counts alone, of given cell sizes. */
REGRET_API void
regret_rate_write_counts(struct regret_buffer *out, enum regret_format format,
                         const struct regret_rate_shift_cells counts[REGRET_RATE_SHIFT_LEVELS]);
REGRET_API void regret_rate_write_typos(struct regret_buffer *out, enum regret_format format,
                                        const struct regret_rate_typos *typos, size_t n,
                                        const struct regret_rate_typo_rates *rates);
/* results[world * REGRET_RATE_N_WORLD_ESTIMATORS + estimator] for the worlds numbered worlds[0..n). */
REGRET_API void regret_rate_write_worlds(struct regret_buffer *out, enum regret_format format,
                                         const size_t *worlds, size_t n,
                                         const struct regret_rate_world_result *results);
REGRET_API void regret_rate_write_check(struct regret_buffer *out, enum regret_format format,
                                        const struct regret_rate_rows *rows,
                                        const struct regret_rate_check *check);
/* The first per_group rows of each group that have W and all three texts, the texts and their rewards beside
 * one another; Markdown cuts texts to 240 columns. Says how many in *shown; wants keep_texts. */
REGRET_API int regret_rate_write_samples(struct regret_buffer *out, enum regret_format format,
                                         const struct regret_rate_rows *rows, size_t per_group,
                                         size_t *shown);
/* Every issue, a line each, as words. Nothing when there is none. */
REGRET_API void regret_rate_write_issues(struct regret_buffer *out,
                                         const struct regret_rate_rows *rows);

/* report.html, a page of what the estimates say, which needs nothing from elsewhere: the figures, every
 * effect and, where texts were kept, some of them beside their rewrites. And self-contained SVG files in `folder`, which is created: effects.svg (naive against RATE, the
 * paper's Fig. 5), single-double.svg (Figs 7–10). */
REGRET_API int regret_rate_draw_estimates(const char *folder, const struct regret_rate_rows *rows,
                                          const struct regret_rate_estimate *estimates, size_t n);
/* contrasts.svg: every difference over its standard error, those without one left out. */
REGRET_API int regret_rate_draw_contrasts(const char *folder, const struct regret_rate_rows *rows,
                                          const struct regret_rate_contrasts *contrasts);
/* shift-N.svg for every reward model (Figs 4 and 6). */
REGRET_API int regret_rate_draw_shift(const char *folder, const struct regret_rate_rows *rows,
                                      const struct regret_rate_shift *shifts, size_t n);
/* typos-N.svg for every reward model (Fig. 3). */
REGRET_API int regret_rate_draw_typos(const char *folder, const struct regret_rate_typos *typos,
                                      size_t n, const struct regret_rate_typo_rates *rates);

#endif
