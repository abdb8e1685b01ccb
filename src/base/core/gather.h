/* Rows of two arrays side by side, made by the threads that are allowed and put one behind the other. */
#ifndef REGRET_BASE_CORE_GATHER_H
#define REGRET_BASE_CORE_GATHER_H

#include <stddef.h>

/* Rows that one thread makes. */
struct gather_part {
    void *array[2];
    size_t size[2];     /* of an element of each */
    size_t n, capacity; /* elements */
    size_t place;       /* of the first among those of all */
};
struct gather_whole {
    size_t *start; /* rows + 1 offsets, start[0] = 0; the caller's */
    struct gather_part
        all; /* its sizes are said beforehand; arrays are the caller's, after a failure too */
};

/* Room for more elements in each array. */
int gather_reserve(struct gather_part *part, size_t more);

/* Appends a row to a part: as many elements to both arrays, and to n. `worker` is below regret_threads_allowed(). */
typedef int gather_row(void *context, size_t row, size_t worker, struct gather_part *part);

/* Makes n rows. One thread puts them where they stay; more of them hold some MiB of rows each that wait for their place. */
int gather_rows(struct gather_whole *to, size_t n, gather_row *make, void *context);

#endif
