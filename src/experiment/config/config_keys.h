/* The table of configuration keys: where each lives, what it may be, what it means. */
#ifndef REGRET_EXPERIMENT_CONFIG_KEYS_H
#define REGRET_EXPERIMENT_CONFIG_KEYS_H

#include <stddef.h>

#include "regret/config.h"
#include "regret/json.h"

struct cJSON;

enum key_type {
    KEY_DOUBLE,  /* double, within [low, high] */
    KEY_SCALE,   /* the same; false and true are 0 and 1 */
    KEY_SIZE,    /* size_t, within [low, high] */
    KEY_U64,     /* uint64_t, within [low, high] */
    KEY_BOOL,    /* int */
    KEY_CHOICE,  /* an enum (int-sized), one of `choices` in order */
    KEY_STRING,  /* char[high] */
    KEY_NAMES,   /* char[high]: some of `choices`, none twice, with commas between; or "" */
    KEY_VALUES,  /* struct regret_grid_values, ascending, each within [low, high]; or one number */
    KEY_FAMILIES /* struct regret_family_list */
};

struct config_key {
    const char *name;
    enum key_type type;
    size_t offset; /* in struct regret_config */
    double low, high;
    const char *const *choices; /* ended by NULL */
    const char *help;
};

const struct config_key *config_key_at(size_t i);           /* NULL past the end */
const struct config_key *config_key_find(const char *name); /* or NULL */

/* Sets one key; errors name `at`, the key, what was given and what is allowed. */
int config_key_set(struct regret_config *config, const struct config_key *key,
                   const struct cJSON *value, struct regret_place at);
/* Appends the key's value as JSON. */
void config_key_json(struct regret_buffer *text, const struct regret_config *config,
                     const struct config_key *key);
/* Every key as "name":value, comma-separated, without the braces. */
void config_members_json(struct regret_buffer *text, const struct regret_config *config);
/* 1: the fits of DR's folds are made anew (regret_refit_folds()), not had from the fit of all rows. */
int config_refits(const struct regret_config *config);
/* 1 when `pool` asks for a generated pool ("synth:…"). */
int config_is_synth(const char *pool);
/* 1 where the target population has weights of a file. */
int config_wants_weights(const struct regret_config *config);
/* Refuses an unknown key and suggests the nearest one. */
int config_key_unknown(const char *name, struct regret_place at);

#endif
