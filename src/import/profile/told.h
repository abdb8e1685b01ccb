/* Whether a column only says in its own way what is known of an outcome. */
#ifndef REGRET_IMPORT_TOLD_H
#define REGRET_IMPORT_TOLD_H

#include <stddef.h>
#include <stdint.h>

struct told {
    double summary, number; /* what came of it, and what the column says: a number or … */
    uint64_t word;
};

/* Different values that the column has along the summary, none of which comes again once another has, nor beside another at one
 * summary; its numbers only rise or fall. 0 where that is not so, or its words are many. *wide: places where it stays and the summary does not.
 * Orders by summary. O(n log n). */
size_t told_levels(struct told *told, size_t n, int is_number, size_t *wide);

/* 1 where the column is a function of the outcome, or a number of which the outcome is one, as its rank; of twenty rows at least, five of which
 * are not like most, so that chance would not make it. */
int told_is_made(struct told *told, size_t n, int is_number);

/* 1 where words of twenty different summaries and more lie far apart: between two of them is ten times as much room as between two summaries
 * on average. Such words may be kinds of requests, easy and hard; who cuts summaries in two leaves no room. Orders by summary. */
int told_is_apart(struct told *told, size_t n);

#endif
