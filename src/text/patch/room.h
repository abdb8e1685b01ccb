/* Unified diffs: what files and lines they change, and what of it estimators see.
 *
 * Offers: regret_patch_* (regret/patch.h); patch_add_keys(), the features of a patch.
 * Way: patch_parse.c reads a diff into struct regret_patch (patch_paths.c its file names) → patch_words.c takes
 * the words of issue and lines → patch_statistics.c and patch_components.c measure them, patch_features.c turns
 * them into keys.
 * Uses: base/core, text/words.
 */
#ifndef REGRET_TEXT_PATCH_ROOM_H
#define REGRET_TEXT_PATCH_ROOM_H

#include "regret/patch.h"
#include "text/patch/patch_features.h"

#endif
