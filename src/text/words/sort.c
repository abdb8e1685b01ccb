#include "text/words/sort.h"

#include <string.h>

enum { FEW = 24, DIGIT = 8 };

unsigned bits_below(uint64_t n)
{
    return n <= 2 ? 1 : 64 - (unsigned)__builtin_clzll(n - 1);
}

static void insertion_sort(uint64_t *item, size_t n, unsigned from, uint64_t mask)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t x = item[i];
        size_t j = i;
        for (; j > 0 && (item[j - 1] >> from & mask) > (x >> from & mask); j--) {
            item[j] = item[j - 1];
        }
        item[j] = x;
    }
}

/* One pass by `bits` <= DIGIT bits. */
static void distribute(uint64_t *out, const uint64_t *item, size_t n, unsigned from, unsigned bits)
{
    uint32_t place[1 << DIGIT], sum = 0, digits = 1u << bits;
    memset(place, 0, digits * sizeof *place);
    for (size_t i = 0; i < n; i++) {
        place[item[i] >> from & (digits - 1)]++;
    }
    for (uint32_t d = 0; d < digits; d++) {
        uint32_t count = place[d];
        place[d] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++) {
        out[place[item[i] >> from & (digits - 1)]++] = item[i];
    }
}

void sort_by_bits(uint64_t *item, uint64_t *spare, size_t n, unsigned from, unsigned bits)
{
    if (n <= FEW) {
        insertion_sort(item, n, from, ((uint64_t)1 << bits) - 1);
        return;
    }
    unsigned passes = (bits + DIGIT - 1) / DIGIT, digit = (bits + passes - 1) / passes;
    uint64_t *to = spare, *at = item;
    for (unsigned done = 0; done < bits; done += digit) {
        distribute(to, at, n, from + done, bits - done < digit ? bits - done : digit);
        uint64_t *swap = at;
        at = to;
        to = swap;
    }
    if (at != item) {
        memcpy(item, at, n * sizeof *item);
    }
}
