/* What numbers and words of a column tell by themselves. */
#ifndef IMPORT_SCALES_H
#define IMPORT_SCALES_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"

/* Letter grades and what they count: those of American schools. */

/* The worst and the best. */
#define GRADES_LOW 0.0
#define GRADES_HIGH 4.3

/* 1 where a text is one: A+, A, A-, B+ … D-, F. */
int grades_has(const char *text);
/* Appends {"A+": 4.3, "A": 4, …}. */
void grades_put(struct regret_buffer *out);

/* Scales that people score on. */

/* The narrowest scale that numbers lie on and fill half of, from its low to its high end; or the numbers as they come. */
void scale_of(double out[2], double least, double most);

/* Whether a column only says in its own way what is known of an outcome. */

struct told {
    double summary, number; /* what came of it, and what the column says: a number or … */
    uint64_t word;
};

/* 1 where the column is a function of the outcome, or a number of which the outcome is one, as its rank; of twenty rows at least, five of which
 * are not like most, so that chance would not make it. */
int told_is_made(struct told *told, size_t n, int is_number);

/* 1 where words of twenty different summaries and more lie far apart: between two of them is ten times as much room as between two summaries
 * on average. Such words may be kinds of requests, easy and hard; who cuts summaries in two leaves no room. Orders by summary. */
int told_is_apart(struct told *told, size_t n);

/* Numbers as they come. */
struct numbers {
    double least, most, next_least, next_most; /* the next to these: infinite where there is none */
    size_t n, at_least, at_most;
    double sum; /* of what they are without their signs; 0: not known */
};
#define NUMBERS_NONE                                                                               \
    {                                                                                              \
        INFINITY, -INFINITY, INFINITY, -INFINITY, 0, 0, 0, 0.0                                     \
    }
void numbers_see(struct numbers *s, double x);
/* 1 where the least or the most is none of the others' scale: -1 or 999 where there is no number, or a slip of the pen; *odd is that
 * one, `range` that of the others. */
int numbers_find_odd(double *odd, double range[2], const struct numbers *s);

/* A number, and whose it is; by owner, then number, for qsort(). */
struct owned_number {
    uint64_t owner;
    double x;
};
int owned_number_compare(const void *left, const void *right);
/* Whether some owners have numbers from 0 to 1, and all others mostly beyond, up to 8 and more, or 0 and such alone; of n that are
 * sorted so. */
struct two_scales {
    size_t shares, points; /* owners of either kind */
    double most;
};
int owners_are_on_two_scales(struct two_scales *out, const struct owned_number *r, size_t n);

#endif
