/* The commands that write something, each with what stands there before. */
#ifndef REGRET_TESTS_FAULTS_SCENARIO_H
#define REGRET_TESTS_FAULTS_SCENARIO_H

#include "faults/launch.h"
#include "faults/tree.h"

enum replaces {
    REPLACES_NOTHING,
    REPLACES_FOLDER, /* at every moment the old one or the new one, whole */
    REPLACES_FILES,  /* every file by itself */
    REPLACES_LATER, /* an empty new one stands in the old one's place, to be completed by `resume` */
};

struct scenario {
    const char *name, *line;
    const char *resume; /* started again if the old output is gone; NULL: `line` */
    const char *output; /* what stood there before */
    enum replaces replaces;
    const char *prepare[6];          /* lines that make what stands there before ... */
    void (*age)(const char *folder); /* ... and what is then done to it */
};

extern const struct scenario scenarios[];
extern const size_t n_scenarios;

/* What an undisturbed start needs and makes. */
struct rehearsal {
    struct tree before, after;
    char *wrote; /* on stdout */
    size_t wrote_size;
    size_t counts[64]; /* calls of every kind, by enum shim_call */
    size_t io, memory; /* their sums */
};

/* Prepares below `folder` and rehearses twice; two starts that differ end the process. */
void scenario_rehearse(struct rehearsal *out, const struct scenario *s, const char *folder);
void scenario_forget(struct rehearsal *r);

#endif
