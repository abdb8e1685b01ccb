/* What names of columns say. */
#ifndef IMPORT_COLUMN_NAMES_H
#define IMPORT_COLUMN_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"

/* What the names of columns tell of what they hold: by lists of words, "doc_id" being two. */

/* What a name may speak for. */
enum column_kind {
    COLUMN_AGENT,
    COLUMN_TEXT,
    COLUMN_TAG,
    COLUMN_COST,
    COLUMN_SCORE,
    COLUMN_RATER,
    COLUMN_SMALLER, /* a score of which less is better: "rank", "error_rate" */
    COLUMN_MEASURE, /* what is measured: "metric", "criterion" */
    COLUMN_KINDS
};

/* How many words of a name do. */
int column_words(const char *name, enum column_kind kind);
/* How many words of a name are in a list, " agent model "; of NULL, how many there are. */
int column_count_words(const char *name, const char *list);
/* Whether more or less of what a name says is better. */
enum column_direction {
    COLUMN_IS_PLAIN, /* more, or no word says it: "accuracy", "no_error", "bug_free" */
    COLUMN_IS_BAD,   /* less: "error_rate" */
    COLUMN_IS_OPEN   /* words speak for both: "error_accuracy", "not_correct", "refusal" */
};
enum column_direction column_direction(const char *name);
/* 1: the cost that is the sum of others, "total_cost". */
int column_is_total_cost(const char *name);
/* 1 where a map can name the column: it has a name (the index that pandas writes has none) that is not too long, and
 * nothing in it means an agent to a map. */
int column_fits_map(const char *column);
/* What ties an agent's name to the rest of a column's. */
#define COLUMN_NAME_BREAKS "|:_./ -#@"

/* Letter grades and what they count: those of American schools. */

/* The worst and the best. */
#define GRADES_LOW 0.0
#define GRADES_HIGH 4.3

/* 1 where a text is one: A+, A, A-, B+ … D-, F. */
int grades_has(const char *text);
/* Appends {"A+": 4.3, "A": 4, …}. */
void grades_put(struct regret_buffer *out);

/* Scales that people score on. */

/* The narrowest scale that numbers lie on and fill half of, from its low to its high end; NULL: none. */
const double *scale_filled_by(double least, double most);
/* That scale; or the numbers as they come. */
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

#endif
