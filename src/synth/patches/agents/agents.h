/* The twelve agents: how well they find and fix faults, and their habits. */
#ifndef REGRET_SYNTH_PATCHES_AGENTS_AGENTS_H
#define REGRET_SYNTH_PATCHES_AGENTS_AGENTS_H

#include "synth/patches/issues/diff.h"
#include "synth/patches/issues/issue.h"

/* Chances in percent: of an agent that trusts its change, and of one that does not. */
struct patches_habit {
    unsigned sure, unsure;
};

/* Chances in percent, of one output unless said otherwise. */
struct patches_agent {
    const char *id, *title;
    double cost;
    unsigned locate[PATCHES_NAMINGS]; /* an attempt is at the place of the fault … */
    unsigned follow;                  /* … times this when that is another function */
    unsigned fix[PATCHES_KINDS];      /* an attempt there makes the right change */
    unsigned stray;                   /* an attempt elsewhere is in another file */
    unsigned tries;                   /* attempts at most: number */
    unsigned checks;                  /* an attempt is tried on the example of the issue */
    /* when the last attempt fails on the example */
    unsigned give_up, special_case;
    unsigned silent; /* hands in nothing, whatever it thinks */
    struct patches_habit comment, guard, wrap, reformat, rename, helper, document, add_test,
        bend_test, script, changes, print;
    struct patches_diff_style style;
};

enum { PATCHES_AGENTS = 12 };
extern const struct patches_agent patches_agents[PATCHES_AGENTS];

#endif
