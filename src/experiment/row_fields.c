#include "experiment/row_fields.h"

#include <math.h>
#include <string.h>

#include <cJSON.h>

const char *const row_baselines[ROW_BASELINES] = {"oracle", "random", "best-exp", "best-obs"};
const char *const row_fits[ROW_FITS] = {"proxy", "components", "success"};

enum {
    IN_FAMILY = 1 << REGRET_ROW_FAMILY,
    IN_BASELINE = 1 << REGRET_ROW_BASELINE,
    IN_FIT = 1 << REGRET_ROW_FIT
};

/* Every number of a row: adding a measure is one line here and one in enum regret_measure. */
static const struct field {
    const char *name;
    unsigned kinds;   /* rows that may have it */
    int demanded;     /* 1: must be given, null at least */
    double low, high; /* with a little room for rounding */
} fields[REGRET_N_MEASURES] = {
    [REGRET_MEASURE_REGRET] = {"regret", IN_FAMILY | IN_BASELINE, 1, 0.0, INFINITY},
    [REGRET_MEASURE_RMSE] = {"rmse", IN_FAMILY, 0, 0.0, INFINITY},
    [REGRET_MEASURE_TOP1] = {"top1", IN_FAMILY, 0, 0.0, 1.0},
    [REGRET_MEASURE_TOP3] = {"top3", IN_FAMILY, 0, 0.0, 1.0},
    [REGRET_MEASURE_SPEARMAN] = {"spearman", IN_FAMILY, 0, -1.0, 1.0},
    [REGRET_MEASURE_DM_RMSE] = {"dm_rmse", IN_FAMILY, 0, 0.0, INFINITY},
    [REGRET_MEASURE_DR_RMSE] = {"dr_rmse", IN_FAMILY, 0, 0.0, INFINITY},
    [REGRET_MEASURE_SNDR_RMSE] = {"sndr_rmse", IN_FAMILY, 0, 0.0, INFINITY},
    [REGRET_MEASURE_LAMBDA] = {"lambda", IN_FAMILY, 0, 0.0, 1.0},
    [REGRET_MEASURE_ALPHA] = {"alpha", IN_FAMILY, 0, -INFINITY, INFINITY},
    [REGRET_MEASURE_RHO] = {"rho", IN_FAMILY, 0, 0.0, INFINITY},
    [REGRET_MEASURE_TAU] = {"tau", IN_FAMILY, 0, 0.0, INFINITY},
    [REGRET_MEASURE_R2] = {"r2", IN_FIT, 1, -INFINITY, 1.0},
};
static const double rounding = 1e-9;

static const char *const kind_names[ROW_KINDS] = {"family", "baseline", "fit"};

static const char *const known_fields[] = {"cell",    "seed",    "key",       "kind",   "family",
                                           "regret",  "rmse",    "top1",      "top3",   "spearman",
                                           "dm_rmse", "dr_rmse", "sndr_rmse", "lambda", "alpha",
                                           "rho",     "tau",     "basis",     "cv",     "r2"};

const char *row_kind_name(enum regret_row_kind kind)
{
    return kind_names[kind];
}

const char *row_measure_name(enum regret_measure measure)
{
    return fields[measure].name;
}

int row_field_count(enum regret_row_kind kind)
{
    enum { HEAD = 5, WORDS = 2 }; /* cell, seed, key, kind, family; basis, cv */
    int n = HEAD + (kind == REGRET_ROW_FAMILY ? WORDS : 0);
    for (size_t i = 0; i < REGRET_N_MEASURES; i++) {
        n += (int)((fields[i].kinds >> kind) & 1);
    }
    return n;
}

int row_check_fields(const cJSON *row, struct regret_place at)
{
    return regret_json_check_keys(row, known_fields, sizeof known_fields / sizeof *known_fields,
                                  at);
}

int row_read_subject(enum regret_row_kind *kind, const char **name, const cJSON *row,
                     struct regret_place at)
{
    const char *word = NULL;
    int rc = regret_json_get_string(&word, row, "kind", at);
    if (rc == REGRET_OK) {
        rc = regret_json_get_string(name, row, "family", at);
    }
    if (rc != REGRET_OK) {
        return rc;
    }
    for (size_t k = 0; k < ROW_KINDS; k++) {
        if (strcmp(word, kind_names[k]) == 0) {
            *kind = (enum regret_row_kind)k;
            return REGRET_OK;
        }
    }
    return regret_json_error(at, "\"kind\" must be \"family\", \"baseline\" or \"fit\", not \"%s\"",
                             word);
}

int row_read_measures(double out[REGRET_N_MEASURES], enum regret_row_kind kind, const cJSON *row,
                      struct regret_place at)
{
    for (size_t i = 0; i < REGRET_N_MEASURES; i++) {
        const struct field *f = &fields[i];
        double value = NAN;
        int here = (f->kinds >> kind) & 1;
        const cJSON *given = cJSON_GetObjectItemCaseSensitive(row, f->name);
        if (given != NULL && !here && !cJSON_IsNull(given)) {
            return regret_json_error(at, "\"%s\" does not belong in a row of kind \"%s\"", f->name,
                                     kind_names[kind]);
        }
        if (here && f->demanded && given == NULL) {
            return regret_json_error(at, "\"%s\" is absent; write null where it is not known",
                                     f->name);
        }
        int rc = regret_json_optional_number(&value, row, f->name, at);
        if (rc != REGRET_OK) {
            return rc;
        }
        if (value < f->low - rounding || value > f->high + rounding) {
            return regret_json_error(at, "\"%s\" is %.17g, outside [%g, %g]", f->name, value,
                                     f->low, f->high);
        }
        out[i] = value;
    }
    return REGRET_OK;
}
