/* Measures of a patch that statistics, components and features share. */
#ifndef REGRET_SRC_TEXT_PATCH_MEASURES_H
#define REGRET_SRC_TEXT_PATCH_MEASURES_H

#include "regret/patch.h"

/* Columns of regret_patch_statistics(). */
enum patch_measure {
    PATCH_FILES,
    PATCH_HUNKS,
    PATCH_ADDED,
    PATCH_REMOVED,
    PATCH_CONTEXT,
    PATCH_LOG_CHANGED,
    PATCH_TEST_FILES,
    PATCH_NEW_FILES,
    PATCH_DELETED_FILES,
    PATCH_MOVED_FILES,
    PATCH_BINARY_FILES,
    PATCH_MODE_CHANGES,
    PATCH_FOLDERS,
    PATCH_LOG_GAP,
    PATCH_LARGEST_HUNK,
    PATCH_REFORMATTED,
    PATCH_COMMENT_LINES,
    PATCH_DEFECTS
};

/* Lines of the old files between two hunks of the same file, summed over files. */
double patch_gap(const struct regret_patch *patch);

#endif
