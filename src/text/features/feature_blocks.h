/* The columns of φ, and what the options may ask of the pairs. */
#ifndef REGRET_TEXT_FEATURE_BLOCKS_H
#define REGRET_TEXT_FEATURE_BLOCKS_H

#include "regret/text.h"

/* regret_feature_blocks() for the pairs at hand. */
size_t feature_blocks_of(struct regret_feature_block out[REGRET_FEATURE_BLOCKS],
                         const struct regret_feature_options *options,
                         const struct regret_pairs *pairs);
/* REGRET_E_INPUT: bad options, or such as want of the pairs what they do not have. */
int feature_options_check(const struct regret_feature_options *options,
                          const struct regret_pairs *pairs);

#endif
