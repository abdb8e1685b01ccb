#include "estimate/fit/hyper.h"

#include <string.h>

const union regret_hyper_value *hyper_find(const struct regret_estimate_options *options,
                                           const char *key)
{
    for (size_t i = 0; i < REGRET_MAX_HYPERS && options->of[i] != NULL; i++) {
        if (strcmp(options->of[i]->key, key) == 0) {
            return &options->hyper[i];
        }
    }
    return NULL;
}

union regret_hyper_value *regret_hyper_of(struct regret_estimate_options *options, const char *key)
{
    const union regret_hyper_value *found = hyper_find(options, key);
    return found != NULL ? &options->hyper[found - options->hyper] : NULL;
}

const union regret_hyper_value *hyper_value(const struct regret_estimate_options *options,
                                            const struct regret_hyper *hyper)
{
    return hyper_find(options, hyper->key);
}

const struct regret_grid_values *hyper_grid(const struct regret_estimate_options *options,
                                            const struct regret_hyper *hyper)
{
    return &hyper_value(options, hyper)->grid;
}
