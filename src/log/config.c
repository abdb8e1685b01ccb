#include "log/config.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "table/fields.h"

enum { OBS_ROWS = 50000, MOST_OBS_ROWS = 10000000 };

/* What the object of a table may say; those of fields stand where log_field has them. */
static const char *const input_keys[] = {"context", "text",       "agent", "outcome",  "propensity",
                                         "slate",   "cluster",    "time",  "tag",      "output",
                                         "cost",    "covariates", "file",  "separator"};
enum { INPUT_KEYS = sizeof input_keys / sizeof *input_keys };

const char *log_field_name(size_t field)
{
    return input_keys[field];
}

const char *log_input_name(enum log_input_of input)
{
    static const char *const names[LOG_INPUTS] = {"obs", "exp", "outputs"};
    return names[input];
}

static int check_column(const char *name, const char *key, struct regret_place at)
{
    size_t n = strlen(name);
    return n > 0 && n <= FIELDS_MAX_NAME
               ? REGRET_OK
               : regret_json_error(at, "the column of \"%s\" must have 1 to %d bytes", key,
                                   FIELDS_MAX_NAME);
}

/* Enters a covariate of a table, and among those of all. */
static int add_covariate(struct log_config *config, struct log_input *input, const char *name,
                         struct regret_place at)
{
    TRY(check_column(name, "covariates", at));
    size_t c = texts_find(config->column, config->n_columns, name);
    for (size_t i = 0; i < input->n_columns; i++) {
        if (input->column[i] == c) {
            return regret_json_error(at, "covariate \"%s\" is given twice; name it once", name);
        }
    }
    if (c >= REGRET_LOG_MAX_COLUMNS) {
        return regret_json_error(at, "more than %d covariates; leave some out",
                                 REGRET_LOG_MAX_COLUMNS);
    }
    config->column[c] = name;
    config->n_columns += c == config->n_columns;
    input->field[LOG_COVARIATES + input->n_columns] = name;
    input->column[input->n_columns++] = c;
    return REGRET_OK;
}

static int read_covariates(struct log_config *config, struct log_input *input, const cJSON *object,
                           struct regret_place at)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "covariates");
    if (list == NULL || cJSON_IsNull(list)) {
        return REGRET_OK;
    }
    if (!cJSON_IsArray(list)) {
        return regret_json_error(at, "\"covariates\" must be a list of columns");
    }
    for (const cJSON *v = list->child; v != NULL; v = v->next) {
        if (!cJSON_IsString(v)) {
            return regret_json_error(at, "\"covariates\" must be a list of columns");
        }
        TRY(add_covariate(config, input, v->valuestring, at));
    }
    return REGRET_OK;
}

/* A file is looked for from the folder of the configuration on. */
static int resolve(char **out, const char *config, const char *file)
{
    return file[0] == '/' ? regret_strdup(out, file) : path_beside(out, config, file);
}

static int read_separator(struct log_input *input, const cJSON *object, struct regret_place at)
{
    const char *text = NULL;
    TRY(regret_json_optional_string(&text, object, "separator", at));
    if (text == NULL) {
        return REGRET_OK;
    }
    input->separator = strcmp(text, "tab") == 0 ? '\t' : text[0];
    return strcmp(text, "tab") == 0 || (strlen(text) == 1 && strchr("\"\r\n", text[0]) == NULL)
               ? REGRET_OK
               : regret_json_error(at, "\"separator\" must be one character, or \"tab\"");
}

static int demand(const struct log_input *input, enum log_field field, struct regret_place at,
                  const char *what)
{
    return input->field[field] != NULL
               ? REGRET_OK
               : regret_json_error(at, "\"%s\" is missing: the column of %s", input_keys[field],
                                   what);
}

/* A row says who answered and how good it was; of outputs who answered what, or neither: then it is a request. */
static int check_fields(struct log_input *input, enum log_input_of which, struct regret_place at)
{
    if (which != LOG_INPUT_OUTPUTS) {
        TRY(demand(input, LOG_AGENT, at, "who answered"));
        return demand(input, LOG_OUTCOME, at, "how good the answer was");
    }
    for (int f = 0; f < LOG_COVARIATES; f++) {
        if (input->field[f] != NULL && !log_field_is_of_outputs((enum log_field)f)) {
            return regret_json_error(at,
                                     "outputs have no \"%s\"; rows with one are of \"obs\" or "
                                     "\"exp\"",
                                     input_keys[f]);
        }
    }
    if (input->field[LOG_CONTEXT] == NULL) {
        TRY(demand(input, LOG_TEXT, at, "the request; or \"context\", its id"));
    }
    const char *output = input->field[LOG_AGENT] == NULL ? input->field[LOG_OUTPUT] : NULL,
               *mark = output != NULL ? strstr(output, FIELDS_AGENT) : NULL;
    if (mark != NULL && strstr(mark + 1, FIELDS_AGENT) == NULL) {
        input->pattern = output;
        return REGRET_OK;
    }
    if ((input->field[LOG_AGENT] == NULL) != (input->field[LOG_OUTPUT] == NULL)) {
        return regret_json_error(at, "outputs have \"agent\" and \"output\"; or, of columns of "
                                     "agents, \"output\" alone with their names as {agent}, such "
                                     "as \"{agent}_answer\"; or neither: then the rows are "
                                     "requests");
    }
    return REGRET_OK;
}

static int read_input(struct log_config *config, enum log_input_of which)
{
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(config->root, log_input_name(which));
    struct log_input *input = &config->input[which];
    struct regret_place at = {config->path, 0};
    const char *file = NULL;
    if (object == NULL || cJSON_IsNull(object)) {
        return REGRET_OK;
    }
    if (!cJSON_IsObject(object)) {
        return regret_json_error(at, "must be an object: {\"file\": …, \"agent\": …, …}");
    }
    TRY(regret_json_check_keys(object, input_keys, INPUT_KEYS, at));
    TRY(regret_json_get_string(&file, object, "file", at));
    for (int f = 0; f < LOG_COVARIATES; f++) {
        TRY(regret_json_optional_string(&input->field[f], object, input_keys[f], at));
        TRY(input->field[f] != NULL ? check_column(input->field[f], input_keys[f], at) : REGRET_OK);
    }
    TRY(read_covariates(config, input, object, at));
    TRY(read_separator(input, object, at));
    TRY(check_fields(input, which, at));
    return resolve(&input->path, config->path, file);
}

static int read_scale(struct log_scale *scale, const cJSON *root, struct regret_place at)
{
    static const char *const keys[] = {"low", "high", "scale"}, *const kinds[] = {"range", "binary",
                                                                                  "counts"};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    size_t k = 0;
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "outcome");
    const char *kind = NULL;
    *scale = (struct log_scale){LOG_SCALE_RANGE, 0, NAN, NAN};
    if (object == NULL || cJSON_IsNull(object)) {
        return REGRET_OK;
    }
    if (!cJSON_IsObject(object)) {
        return regret_json_error(at, "must be an object: {\"low\": 1, \"high\": 5}");
    }
    TRY(regret_json_check_keys(object, keys, 3, at));
    TRY(regret_json_optional_number(&scale->low, object, "low", at));
    TRY(regret_json_optional_number(&scale->high, object, "high", at));
    TRY(regret_json_optional_string(&kind, object, "scale", at));
    scale->is_given = 1;
    k = kind != NULL ? texts_find(kinds, KINDS, kind) : 0;
    if (k == KINDS) {
        return regret_fail_prefix(name_unknown("\"scale\"", kind, kinds, KINDS), "%s", at.file);
    }
    scale->kind = (enum log_scale_kind)k;
    if (scale->kind == LOG_SCALE_BINARY && (!isnan(scale->low) || !isnan(scale->high))) {
        return regret_json_error(at, "binary outcomes are 0 and 1: leave out \"low\" and \"high\"");
    }
    if (scale->low == scale->high) {
        return regret_json_error(at, "\"low\" and \"high\" must differ");
    }
    if (scale->kind == LOG_SCALE_COUNTS && (scale->low < 0 || scale->high < 0)) {
        return regret_json_error(at, "counts are 0 or more: \"low\" and \"high\" must be so");
    }
    return REGRET_OK;
}

/* With which chances agents were assigned in EXP, where they are the same for all rows and no column has them. */
static int read_shares(struct log_config *config, struct regret_place at)
{
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(config->root, "exp.shares");
    const struct log_input *exp = &config->input[LOG_INPUT_EXP];
    double sum = 0.0;
    if (object == NULL || cJSON_IsNull(object)) {
        return REGRET_OK;
    }
    for (const cJSON *v = object->child; v != NULL; v = v->next) {
        if (!cJSON_IsNumber(v) || !(v->valuedouble > 0.0)) {
            return regret_json_error(at, "\"exp.shares\" of \"%.60s\" must be above 0", v->string);
        }
        sum += v->valuedouble;
    }
    if (!cJSON_IsObject(object) || fabs(sum - 1.0) > LOG_SUM_SLACK) {
        return regret_json_error(at, "\"exp.shares\" must be an object of agents and shares that "
                                     "sum to 1, as {\"old\": 0.9, \"new\": 0.1}");
    }
    if (exp->path == NULL || exp->field[LOG_PROPENSITY] != NULL || exp->field[LOG_SLATE] != NULL) {
        return regret_json_error(at, "\"exp.shares\" is for a trial without columns of "
                                     "probabilities or slates: leave it out, or those");
    }
    config->shares = object;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- keys */

/* Read here. */
static const char *const root_keys[] = {"obs",       "exp",      "outputs",    "outcome",
                                        "incumbent", "obs.rows", "exp.shares", "seed"};
enum { ROOT_KEYS = sizeof root_keys / sizeof *root_keys };

/* Read by who estimates, as configurations of `regret run` have them. */
static const char *const estimation_keys[] = {"folds",
                                              "level",
                                              "resamples",
                                              "families",
                                              "features.*",
                                              "cv.*",
                                              "text.*",
                                              "solver",
                                              "exp_only.*",
                                              "obs_only.*",
                                              "representation_exp.*",
                                              "cvci.*",
                                              "cvci_residual.*",
                                              "grounded.*",
                                              "grounded_linear.*",
                                              "grounded_anchored.*",
                                              "mixed.*",
                                              "stack.*"};
enum { ESTIMATION_KEYS = sizeof estimation_keys / sizeof *estimation_keys };

/* What a configuration of `regret run` has and this one never. */
static const char *const run_keys[] = {"pool", "cells", "seeds", "budget.obs", "budget.exp"};

int log_config_is_input_key(const char *key)
{
    return texts_have(root_keys, ROOT_KEYS, key);
}

static int is_estimation_key(const char *key)
{
    int found = 0;
    for (size_t i = 0; i < ESTIMATION_KEYS; i++) {
        size_t n = strlen(estimation_keys[i]);
        found |= estimation_keys[i][n - 1] == '*' ? strncmp(key, estimation_keys[i], n - 1) == 0
                                                  : strcmp(key, estimation_keys[i]) == 0;
    }
    return found;
}

/* The nearest key there is; of "feature.agent" the nearest beginning, "features.*". */
static const char *nearest(char *room, size_t size, const char *key)
{
    const char *known[ROOT_KEYS + ESTIMATION_KEYS];
    memcpy(known, root_keys, sizeof root_keys);
    memcpy(known + ROOT_KEYS, estimation_keys, sizeof estimation_keys);
    const char *near = name_nearest(key, known, ROOT_KEYS + ESTIMATION_KEYS);
    if (near == NULL && strchr(key, '.') != NULL) {
        snprintf(room, size, "%.*s.*", (int)strcspn(key, "."), key);
        near = name_nearest(room, known, ROOT_KEYS + ESTIMATION_KEYS);
    }
    return near;
}

static int refuse(const char *key, struct regret_place at)
{
    char room[80];
    const char *near = nearest(room, sizeof room, key);
    return near != NULL
               ? regret_json_error(at, "there is no key \"%.60s\"; did you mean \"%s\"?", key, near)
               : regret_json_error(at, "there is no key \"%.60s\"; docs/guide.md lists them", key);
}

int log_config_check_keys(const cJSON *root, struct regret_place at)
{
    for (size_t i = 0; i < sizeof run_keys / sizeof *run_keys; i++) {
        if (cJSON_GetObjectItemCaseSensitive(root, run_keys[i]) != NULL) {
            return regret_json_error(at,
                                     "\"%s\" is a key of `regret run`, whose configuration this "
                                     "seems to be; `regret recommend` wants one with \"obs\" or "
                                     "\"exp\": regret init --obs LOG --exp TRIAL -o evaluate.json",
                                     run_keys[i]);
        }
    }
    for (const cJSON *v = root->child; v != NULL; v = v->next) {
        if (!log_config_is_input_key(v->string) && !is_estimation_key(v->string)) {
            return refuse(v->string, at);
        }
    }
    return REGRET_OK;
}

int log_config_read(struct log_config *out, const char *path)
{
    struct regret_place at = {path, 0};
    long long rows = OBS_ROWS, seed = 1;
    *out = (struct log_config){.path = path};
    TRY(regret_json_read_file(&out->root, path));
    if (!cJSON_IsObject(out->root)) {
        return regret_json_error(at, "must be an object: {\"obs\": {…}, \"exp\": {…}}");
    }
    TRY(log_config_check_keys(out->root, at));
    for (int i = 0; i < LOG_INPUTS; i++) {
        int rc = read_input(out, (enum log_input_of)i);
        if (rc == REGRET_E_INPUT) {
            return regret_fail_suffix(rc, " (in \"%s\")", log_input_name((enum log_input_of)i));
        }
        TRY(rc);
    }
    if (out->input[LOG_INPUT_OBS].path == NULL && out->input[LOG_INPUT_EXP].path == NULL) {
        return regret_json_error(at, "neither \"obs\" nor \"exp\" is given; name the table of at "
                                     "least one");
    }
    int rc = read_scale(&out->scale, out->root, at);
    TRY(rc == REGRET_E_INPUT ? regret_fail_suffix(rc, " (in \"outcome\")") : rc);
    TRY(read_shares(out, at));
    TRY(regret_json_optional_string(&out->incumbent, out->root, "incumbent", at));
    TRY(regret_json_optional_integer(&rows, out->root, "obs.rows", 1, MOST_OBS_ROWS, at));
    TRY(regret_json_optional_integer(&seed, out->root, "seed", 0, 1000000000000000, at));
    out->obs_rows = (size_t)rows;
    out->seed = (uint64_t)seed;
    return REGRET_OK;
}

void log_config_free(struct log_config *config)
{
    for (int i = 0; i < LOG_INPUTS; i++) {
        regret_free(config->input[i].path);
    }
    cJSON_Delete(config->root);
    *config = (struct log_config){0};
}
