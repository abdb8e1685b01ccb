/* The twelve agents: how well they find and mend faults, and their manners. */
#ifndef REGRET_TASK_PATCHES_AGENTS_H
#define REGRET_TASK_PATCHES_AGENTS_H

#include "task/patches/diff.h"
#include "task/patches/issue.h"

/* Chances in percent: of an agent that trusts its change, and of one that does not. */
struct patches_manner {
    unsigned sure, unsure;
};

/* Chances in percent, of one output unless said otherwise. */
struct patches_agent {
    const char *id, *title;
    double cost;
    unsigned locate[PATCHES_NAMINGS]; /* an attempt is at the place of the fault … */
    unsigned follow;                  /* … times this when that is another function */
    unsigned mend[PATCHES_KINDS];     /* an attempt there makes the right change */
    unsigned stray;                   /* an attempt elsewhere is in another file */
    unsigned tries;                   /* attempts at most: number */
    unsigned checks;                  /* an attempt is tried on the example of the issue */
    /* when the last attempt fails on the example */
    unsigned give_up, special_case;
    unsigned silent; /* hands in nothing, whatever it thinks */
    struct patches_manner comment, guard, wrap, reformat, rename, helper, document, add_test,
        bend_test, script, changes, print;
    struct patches_diff_style style;
};

enum { PATCHES_AGENTS = 12 };
extern const struct patches_agent patches_agents[PATCHES_AGENTS];

/* What an agent has done to the program so far. */
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

/* attempt.c: tries to mend the fault. dress.c: the manners. */
int patches_attempt(struct patches_work *work);
int patches_dress(struct patches_work *work);

/* Appends the diff that `agent` hands in, for any draw. */
int patches_answer(struct regret_text *out, const struct patches_issue *issue, size_t agent,
                   uint32_t draw);

/* 1 with a chance of `percent`. */
int patches_chance(struct regret_rng *rng, unsigned percent);

#endif
