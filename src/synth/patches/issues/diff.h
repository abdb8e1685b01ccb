/* Unified diffs of repositories, as git writes them, and their application. */
#ifndef REGRET_SYNTH_PATCHES_ISSUES_DIFF_H
#define REGRET_SYNTH_PATCHES_ISSUES_DIFF_H

#include "synth/patches/issues/repository.h"

struct patches_diff_style {
    size_t context; /* unchanged lines around a change */
    int git;        /* 1: "diff --git" lines; 0: only --- and +++ */
    int sections;   /* 1: the function after the second @@ */
};

/* Appends the changes from `before` to `after`; nothing when they are equal. Files may be added and
 * changed, not removed. Lines match by the longest common subsequence. */
int patches_diff(struct regret_buffer *out, const struct patches_repository *before,
                 const struct patches_repository *after, const struct patches_diff_style *style);

/* Applies a diff to `repository`, strictly: every context and removed line must stand where the
 * hunk says. REGRET_E_INPUT names the file and the hunk that does not fit; the repository is then
 * in an undefined but valid state. */
int patches_apply(struct patches_repository *repository, const char *diff);

#endif
