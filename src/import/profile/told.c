#include "import/profile/told.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_WORDS = 24, LEAST_ROWS = 20, LEAST_OTHERS = 5 };

static int by_summary(const void *left, const void *right)
{
    const struct told *a = left, *b = right;
    return (a->summary > b->summary) - (a->summary < b->summary);
}

/* 1 where a word stands before place i. */
static int is_back(const struct told *told, size_t i)
{
    size_t j = 0;
    while (told[j].word != told[i].word) {
        j++;
    }
    return j < i;
}

static int is_same(const struct told *a, const struct told *b, int is_number)
{
    return is_number ? a->number == b->number : a->word == b->word;
}

size_t told_levels(struct told *told, size_t n, int is_number, size_t *wide)
{
    size_t levels = n > 0;
    int rises = 0, falls = 0, broken = 0;
    qsort(told, n, sizeof *told, by_summary);
    *wide = 0;
    for (size_t i = 1; i < n && !broken; i++) {
        int is_tied = told[i].summary == told[i - 1].summary;
        int stays = is_same(&told[i], &told[i - 1], is_number);
        levels += !stays;
        *wide += stays && !is_tied;
        rises |= told[i].number > told[i - 1].number;
        falls |= told[i].number < told[i - 1].number;
        broken = !stays && (is_tied ||
                            (is_number ? rises && falls : levels > MOST_WORDS || is_back(told, i)));
    }
    return broken ? 0 : levels;
}

static int is_made(struct told *told, size_t n, int is_number)
{
    size_t wide, run = 1, longest = 1;
    if (n < LEAST_ROWS || told_levels(told, n, is_number, &wide) < 2) {
        return 0;
    }
    for (size_t i = 1; i < n; i++) {
        run = is_same(&told[i], &told[i - 1], is_number) ? run + 1 : 1;
        longest = run > longest ? run : longest;
    }
    return n - longest >= LEAST_OTHERS;
}

int told_is_made(struct told *told, size_t n, int is_number)
{
    if (is_made(told, n, is_number)) {
        return 1;
    }
    for (size_t i = 0; i < n && is_number; i++) {
        told[i] = (struct told){told[i].number, told[i].summary, 0};
    }
    return is_number && is_made(told, n, 1);
}

int told_is_apart(struct told *told, size_t n)
{
    enum { ENOUGH = 20, TIMES = 10 };
    double least = INFINITY, different = 1.0;
    qsort(told, n, sizeof *told, by_summary);
    for (size_t i = 1; i < n; i++) {
        double gap = told[i].summary - told[i - 1].summary;
        different += gap > 0.0;
        least = told[i].word != told[i - 1].word ? fmin(least, gap) : least;
    }
    return different >= ENOUGH &&
           least > TIMES * (told[n - 1].summary - told[0].summary) / (different - 1.0);
}
