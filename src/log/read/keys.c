#include "log/read/keys.h"

#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "base/text/name.h"

/* Read here. */
static const char *const input_keys[] = {"obs",       "exp",      "outputs",    "outcome",
                                         "incumbent", "obs.rows", "exp.shares", "seed"};
enum { INPUT_KEYS = sizeof input_keys / sizeof *input_keys };

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
    int found = 0;
    for (size_t i = 0; i < INPUT_KEYS; i++) {
        found |= strcmp(key, input_keys[i]) == 0;
    }
    return found;
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
    const char *known[INPUT_KEYS + ESTIMATION_KEYS];
    memcpy(known, input_keys, sizeof input_keys);
    memcpy(known + INPUT_KEYS, estimation_keys, sizeof estimation_keys);
    const char *near = name_nearest(key, known, INPUT_KEYS + ESTIMATION_KEYS);
    if (near == NULL && strchr(key, '.') != NULL) {
        snprintf(room, size, "%.*s.*", (int)strcspn(key, "."), key);
        near = name_nearest(room, known, INPUT_KEYS + ESTIMATION_KEYS);
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
                                     "seems to be; `regret evaluate` wants one with \"obs\" or "
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
