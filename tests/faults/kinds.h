/* What can go wrong, and how many trials of each fit into a test that is run every day. */
#ifndef REGRET_TESTS_FAULTS_KINDS_H
#define REGRET_TESTS_FAULTS_KINDS_H

#include "faults/scenario.h"

struct kind {
    const char *name;
    struct fault fault;
    size_t sample; /* trials of a command, unless all are wanted */
};

extern const struct kind kinds[];
extern const size_t n_kinds;

enum { MAX_KINDS = 96 };

/* How often a command can meet a fault of this kind. */
size_t kind_places(const struct kind *k, const struct rehearsal *r);

/* The i-th of `wanted` places among `places`, spread over all of them; places count from 1. */
size_t kind_place(size_t i, size_t wanted, size_t places, size_t salt);

#endif
