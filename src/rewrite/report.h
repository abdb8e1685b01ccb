/* What the report files of this room share. */
#ifndef REGRET_REWRITE_REPORT_INTERNAL_H
#define REGRET_REWRITE_REPORT_INTERNAL_H

#include "regret/rewrite_report.h"

struct sheet;
/* A cell with the model's name, and whether it is contrastive. */
void model_cell(struct sheet *t, const struct regret_rewrite_rows *rows, size_t model);
/* The issues as a table of their own: Markdown when there are some, JSON always. */
void write_issues_section(struct regret_text *out, enum regret_table_format format,
                          const struct regret_rewrite_rows *rows);

#endif
