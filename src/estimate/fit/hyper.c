#include "estimate/fit/hyper.h"

#include <string.h>

/* Of options without it, past the last. */
static size_t slot_of(const struct regret_estimate_options *options, const char *key)
{
    size_t i = 0;
    while (i < REGRET_MAX_HYPERS - 1 && options->of[i] != NULL &&
           strcmp(options->of[i]->key, key) != 0) {
        i++;
    }
    return i;
}

union regret_hyper_value *regret_hyper_of(struct regret_estimate_options *options, const char *key)
{
    return &options->hyper[slot_of(options, key)];
}

const union regret_hyper_value *hyper_value(const struct regret_estimate_options *options,
                                            const struct regret_hyper *hyper)
{
    return &options->hyper[slot_of(options, hyper->key)];
}

const struct regret_grid_values *hyper_grid(const struct regret_estimate_options *options,
                                            const struct regret_hyper *hyper)
{
    return &hyper_value(options, hyper)->grid;
}
