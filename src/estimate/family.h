/* What a family is: its hyper-parameters, their candidates, its basis. */
#ifndef ESTIMATE_FAMILY_H
#define ESTIMATE_FAMILY_H

#include "regret/estimate.h"

/* What the options say of a hyper-parameter, by its key (NULL: of none such) or by its declaration. */
const union regret_hyper_value *hyper_find(const struct regret_estimate_options *options,
                                           const char *key);
const union regret_hyper_value *hyper_value(const struct regret_estimate_options *options,
                                            const struct regret_hyper *hyper);
const struct regret_grid_values *hyper_grid(const struct regret_estimate_options *options,
                                            const struct regret_hyper *hyper);

/* Hyper-parameters that several families have, each under a key of its own. An OBS pooling weight λ
 * that is chosen from 0, 0.05, …, 1: */
#define POOLING_WEIGHT(name)                                                                       \
    {                                                                                              \
        .key = (name), .help = "candidate OBS pooling weights", .kind = REGRET_HYPER_GRID,         \
        .low = 0.0, .high = 1.0, .column = "lambda", .preset = {                                   \
            .grid = {21, {0.0,  0.05, 0.1,  0.15, 0.2,  0.25, 0.3,  0.35, 0.4,  0.45, 0.5,         \
                          0.55, 0.6,  0.65, 0.7,  0.75, 0.8,  0.85, 0.9,  0.95, 1.0}}              \
        }                                                                                          \
    }
/* A ridge penalty that is chosen from 0.1, 1, …, 10^4, and one that stays as it is given. */
#define CHOSEN_PENALTY(name)                                                                       \
    {                                                                                              \
        .key = (name), .help = "candidate ridge penalties", .kind = REGRET_HYPER_GRID,             \
        .low = LEAST_PENALTY, .high = MOST_PENALTY, .column = "rho", .preset = {                   \
            .grid = {6, {0.1, 1.0, 10.0, 100.0, 1e3, 1e4}}                                         \
        }                                                                                          \
    }
#define FIXED_PENALTY(name, words)                                                                 \
    {                                                                                              \
        .key = (name), .help = (words), .kind = REGRET_HYPER_NUMBER, .low = LEAST_PENALTY,         \
        .high = MOST_PENALTY, .column = "rho", .preset = {                                         \
            .number = 1.0                                                                          \
        }                                                                                          \
    }
#define LEAST_PENALTY 1e-9
#define MOST_PENALTY 1e9

#endif
