/* Issues: a fault seeded in a right program, what a user says of it, and the tests that a patch must pass.
 *
 * Offers: struct patches_issue, struct patches_repository, diffs, patches_judge_diff().
 * Way: corpus.c reads data/synth/patches → repository.c holds a program, mutation.c puts a fault in it → issue.c finds
 * calls (arguments.c) that show it, issue_text.c tells of it → diff.c writes a patch, apply.c applies it, judge.c tests
 * it.
 * Uses: base/core, base/json, base/text, synth/data, synth/mini, text/patch.
 */
#ifndef REGRET_SYNTH_PATCHES_ISSUES_ROOM_H
#define REGRET_SYNTH_PATCHES_ISSUES_ROOM_H

#include "synth/patches/issues/diff.h"
#include "synth/patches/issues/issue.h"
#include "synth/patches/issues/repository.h"

#endif
