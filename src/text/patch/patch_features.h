/* The patch namespaces of φ; include/regret/text.h defines their keys. */
#ifndef REGRET_SRC_TEXT_PATCH_FEATURES_H
#define REGRET_SRC_TEXT_PATCH_FEATURES_H

#include "regret/patch.h"
#include "text/words/buckets.h"

enum patch_space {
    PATCH_SPACE_PATH,
    PATCH_SPACE_ADDED,
    PATCH_SPACE_REMOVED,
    PATCH_SPACE_HUNK,
    PATCH_SPACE_ISSUE,
    PATCH_SPACE_SHAPE,
    PATCH_SPACES
};

/* Keys that a patch of `length` bytes has at most in any namespace. */
size_t patch_keys_most(size_t length);

/* Seeds of the namespaces under the hash's seed. */
void patch_space_seeds(uint64_t seed[PATCH_SPACES], uint64_t hash_seed);

/* Adds the keys of one namespace to the bag, whose seed is set. */
int patch_add_keys(struct key_bag *bag, enum patch_space space, const struct regret_patch *patch,
                   const struct regret_patch_issue *issue);

#endif
