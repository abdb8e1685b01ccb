/* What the report files of this room share. */
#ifndef REGRET_RATE_REPORT_INTERNAL_H
#define REGRET_RATE_REPORT_INTERNAL_H

#include "chart/figure.h"
#include "regret/rate_report.h"
#include "report/render/data_table.h"

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
void model_cell(struct rate_document *d, size_t model);
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
