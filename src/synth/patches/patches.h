/* patches: a synthetic coding pool and its simulator.
 *
 * Everything here is made by a program. An issue is a fault seeded in a right program: one of ten
 * small projects of several modules, written in a subset of Python that ../mini interprets. A
 * fault is one of eight kinds (off by one, comparison, operator, constant, wrong or swapped names,
 * condition, missing check, missing step), in the function a user calls or in one that it calls. A
 * user tells of it in words: the symptom, an example with the results of both programs, sometimes
 * the function, the file, a guess at the cause. Twelve agents hand in unified diffs, each in its
 * style and with its skill, which depends on the kind of the fault.
 *
 * success is 1 when the program, patched by applying the text of the diff, passes every hidden
 * test: the calls on which the right program says what is right, run by the interpreter. size,
 * locality and focus are those of include/regret/patch.h, and so are the aux labels; nothing is
 * drawn at random apart from the texts. The rules are stated by the card.
 *
 * All bytes depend on (seed, issue, agent, draw) alone, through streams of REGRET_RNG_PATCHES. The
 * first issues, as many as there are functions in the corpus, are about different ones; from some
 * hundreds on, faults come again, mostly with other examples. An issue with all its agents takes
 * about 5 ms. */
#ifndef REGRET_SYNTH_PATCHES_PATCHES_H
#define REGRET_SYNTH_PATCHES_PATCHES_H

#include "regret/synth.h"
#include "synth/patches/issues/issue.h"

extern const struct regret_generator patches_generator;

/* Appends the diff that `agent` hands in, for any draw. */
int patches_answer(struct regret_buffer *out, const struct patches_issue *issue, size_t agent,
                   uint32_t draw);

#endif
