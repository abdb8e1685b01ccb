/* Letter grades and what they count: those of American schools. */
#ifndef REGRET_IMPORT_GRADES_H
#define REGRET_IMPORT_GRADES_H

#include "regret/buffer.h"

/* The worst and the best. */
#define GRADES_LOW 0.0
#define GRADES_HIGH 4.3

/* 1 where a text is one: A+, A, A-, B+ … D-, F. */
int grades_has(const char *text);
/* 1 where one is no mere choice among A, B, C and D: B+, F. */
int grades_is_clear(const char *text);
/* Appends {"A+": 4.3, "A": 4, …}. */
void grades_put(struct regret_buffer *out);

#endif
