/* evaluate.json. */
#ifndef LOG_CONFIG_H
#define LOG_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "regret/evaluate.h"

struct cJSON;

/* How far probabilities that should sum to one may be from it: they are written with a few figures. */
#define LOG_SUM_SLACK 0.02

/* What a column is to a row. */
enum log_field {
    LOG_CONTEXT,
    LOG_TEXT,
    LOG_AGENT,
    LOG_OUTCOME,
    LOG_PROPENSITY,
    LOG_SLATE,
    LOG_CLUSTER,
    LOG_TIME,
    LOG_TAG,
    LOG_OUTPUT,
    LOG_COST,
    LOG_COVARIATES /* the first of them */
};
/* What evaluate.json calls each, "context". */
const char *log_field_name(size_t field);
/* 1 of what outputs may have. */
static inline int log_field_is_of_outputs(enum log_field field)
{
    return field <= LOG_AGENT || field == LOG_TAG || field == LOG_OUTPUT;
}

/* The tables, in the order of REGRET_LOG_SOURCES and behind them: */
enum log_input_of {
    LOG_INPUT_OBS = REGRET_LOG_OBS,
    LOG_INPUT_EXP = REGRET_LOG_EXP,
    LOG_INPUT_OUTPUTS,
    LOG_INPUTS
};

struct log_input {
    char *path;        /* owned; NULL: there is none */
    char separator;    /* of CSV; 0: guessed */
    int decimal_comma; /* 1: 3,5 is 3.5; set by log_table_find_commas() */
    const char *field[LOG_COVARIATES + REGRET_LOG_MAX_COLUMNS]; /* columns; NULL: not named */
    const char *pattern; /* of outputs with a column an agent, that of "output"; else NULL */
    size_t n_columns;    /* covariates */
    size_t column[REGRET_LOG_MAX_COLUMNS]; /* of each covariate, its number in log_config.column */
};

enum log_scale_kind { LOG_SCALE_RANGE, LOG_SCALE_BINARY, LOG_SCALE_COUNTS };

struct log_scale {
    enum log_scale_kind kind;
    int is_given;     /* 0: what the outcomes are like decides */
    double low, high; /* the worst and the best; NaN: the data's */
};

struct log_config {
    struct cJSON *root; /* owns the strings */
    const char *path;   /* borrowed */
    struct log_input input[LOG_INPUTS];
    const char *column[LOG_INPUTS * REGRET_LOG_MAX_COLUMNS]; /* names of covariates, each once */
    size_t n_columns;
    struct log_scale scale;
    const char *incumbent;      /* NULL: not said */
    const struct cJSON *shares; /* an object: of agents in EXP; borrowed of root; NULL: not said */
    size_t obs_rows;            /* OBS rows drawn at most */
    uint64_t seed;
};

/* "obs", "exp", "outputs". */
const char *log_input_name(enum log_input_of input);

/* Reads and checks; free it even on failure. */
int log_config_read(struct log_config *out, const char *path);
void log_config_free(struct log_config *config);

/* Refuses a key that is neither of the input (read by regret_log_read()) nor of the estimation (read by who estimates),
 * naming the nearest; and a configuration of `regret run`. A key of the estimation that ends in ".*" in the list stands
 * for all that begin so: what may follow is for its reader to check. */
int log_config_check_keys(const struct cJSON *root, struct regret_place at);
/* 1 where a key is read by regret_log_read(): whoever reads the others passes over it. */
int log_config_is_input_key(const char *key);

#endif
