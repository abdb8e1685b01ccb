/* The fields of a result row (include/regret/results.h): which kinds of rows have which, and within
 * which bounds. rows.c writes rows; resuming, merging and the report read them by this table. */
#ifndef REGRET_EXPERIMENT_ROW_FIELDS_H
#define REGRET_EXPERIMENT_ROW_FIELDS_H

#include "regret/json.h"
#include "regret/report.h"

enum { ROW_KINDS = 3, ROW_BASELINES = 4, ROW_FITS = 3 };

/* What a row of kind baseline or fit may be about, in the order in which a replicate has them; the
 * last fit only where the pool has "success". */
extern const char *const row_baselines[ROW_BASELINES];
extern const char *const row_fits[ROW_FITS];

/* "family", "baseline", "fit". Static. */
const char *row_kind_name(enum regret_row_kind kind);
/* The JSON field of a measure. Static. */
const char *row_measure_name(enum regret_measure measure);
/* How many fields a row of the kind has as rows.c writes it. */
int row_field_count(enum regret_row_kind kind);

/* Refuses fields that no row has. */
int row_check_fields(const struct cJSON *row, struct regret_place at);
/* What the row is about; *name is borrowed from it. */
int row_read_subject(enum regret_row_kind *kind, const char **name, const struct cJSON *row,
                     struct regret_place at);
/* Every number of the row, NaN where it is null or absent; refuses those of other kinds of rows and
 * those out of bounds. */
int row_read_measures(double out[REGRET_N_MEASURES], enum regret_row_kind kind,
                      const struct cJSON *row, struct regret_place at);

#endif
