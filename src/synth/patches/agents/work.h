/* What an agent has done to the program so far, and the two parts of its work. */
#ifndef REGRET_SYNTH_PATCHES_AGENTS_WORK_H
#define REGRET_SYNTH_PATCHES_AGENTS_WORK_H

#include "synth/patches/agents/agents.h"
#include "synth/patches/issues/issue.h"

struct patches_work {
    const struct patches_issue *issue;
    const struct patches_agent *agent;
    struct regret_rng *rng;
    struct patches_repository patched;
    size_t file, line;      /* the first line changed */
    enum patches_kind kind; /* what the agent takes the fault to be */
    int changed;            /* 1: there is a change at that place */
    int unsure;             /* what the agent thinks of it */
    int checked;            /* 1: the example of the issue works */
};

/* 1 with a chance of `percent`. */
static inline int patches_chance(struct regret_rng *rng, unsigned percent)
{
    return regret_rng_below(rng, 100) < percent;
}

/* attempt.c: tries to fix the fault. */
int patches_attempt(struct patches_work *work);
/* habits.c: does to the program what the agent does besides. */
int patches_follow_habits(struct patches_work *work);

#endif
