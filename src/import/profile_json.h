/* Profiles of nested records, and slips of the comma. */
#ifndef IMPORT_PROFILE_JSON_H
#define IMPORT_PROFILE_JSON_H

#include <stddef.h>

/* What does not belong to some numbers. */
struct slip {
    double value;       /* of several the largest */
    size_t n;           /* how many; 0: there is none */
    double least, most; /* of the others */
    double other;       /* a code at the other end, among the n, too; NaN: none */
    int is_next; /* 1: −1 just below others that are whole, too: a code in tables of scores, thumbs down in a log */
};
/* Finds slips of a pen among n finite numbers: of twenty numbers one at most, at least five times as large as any other, and
 * more where the others are skewed themselves, as costs and counts are. Fewer than twenty have none. x is reordered. O(n log
 * n), where all are alike O(n). */
void slip_find(struct slip *out, double *x, size_t n);
/* 1 where n numbers seem to be on two scales, 0 to 1 and one far beyond: a tenth of them at least are shares, a tenth 2 and more, and
 * next to none lie between. O(n). */
int scales_are_mixed(const double *x, size_t n);
/* -1, -9, 99, -99, 999 …, by which people say that there is none. */
int slip_is_code(double x);

/* Finds a number that stands where a score is missing, −1 among 0 to 1, 9 or 99 among 1 to 5, −999, among n finite ones: the least or the greatest of them, apart from the others, for which one of less than
 * half of them stands, twice at least but for 99, 999 …, far off. Whole numbers from −1 to 3 at most are a scale where a
 * fifth of them are −1. O(n). */
void sentinel_find(struct slip *out, const double *x, size_t n);
/* 1 where 0 among ratings up to 4 … 10 may say that there is none: it stands more often than 1, and for less than half. O(n). */
int zero_may_be_none(size_t *zeros, const double *x, size_t n);

#endif
