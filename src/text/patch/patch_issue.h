/* What an issue says. */
#ifndef REGRET_SRC_TEXT_PATCH_ISSUE_H
#define REGRET_SRC_TEXT_PATCH_ISSUE_H

#include "text/patch/patch_words.h"

struct regret_patch_issue {
    struct hash_bag excluded, identifiers, words; /* united; owned */
};

#endif
