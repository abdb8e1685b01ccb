/* What the report files of this room share. */
#ifndef REGRET_RATE_REPORT_INTERNAL_H
#define REGRET_RATE_REPORT_INTERNAL_H

#include "regret/rate_report.h"

struct sheet;
/* A cell with the model's name, and whether it is contrastive. */
void model_cell(struct sheet *t, const struct regret_rate_rows *rows, size_t model);
/* The issues as a table of their own: Markdown when there are some, JSON always. */
void write_issues_section(struct regret_text *out, enum regret_rate_format format,
                          const struct regret_rate_rows *rows);

#endif
