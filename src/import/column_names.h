/* What names of columns say. */
#ifndef IMPORT_COLUMN_NAMES_H
#define IMPORT_COLUMN_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"

/* What the names of columns tell of what they hold: by lists of words, "doc_id" being two. */

/* What a column is to a pool. */
enum guess_role {
    GUESS_NONE,
    GUESS_CONTEXT,
    GUESS_AGENT,
    GUESS_OUTPUT,
    GUESS_TEXT,
    GUESS_TAG,
    GUESS_COST,
    GUESS_COMPONENT,
    GUESS_AUX,
    GUESS_OWN,       /* of a wide table, an agent's own */
    GUESS_COVARIATE, /* known of a context */
    GUESS_RATER,     /* who has judged: of rows, or in the name of a column of scores */
    GUESS_REFERENCE, /* an output that is known to be good, where there is no score */
    GUESS_ROLES
};

/* What a name may tell beside a role: */
enum {
    COLUMN_SMALLER = GUESS_ROLES, /* a score of which less is better: "rank", "error_rate" */
    COLUMN_MEASURE,               /* what is measured: "metric", "criterion" */
    COLUMN_WINNER,                /* who has won a vote */
    COLUMN_TURNS,                 /* a conversation */
    COLUMN_ID,                    /* an id of whatever it be */
    COLUMN_SUMMARY,               /* made of other columns */
    COLUMN_METRIC,                /* computed of an output and a reference: "bleu", "f1" */
    COLUMN_REPEAT, /* what tells answers of one agent to one request apart: "seed", "epoch" */
    COLUMN_FAMILY, /* models: "gpt" */
    COLUMN_INCIDENTAL, /* numbers of a run or a text, good or bad for nothing by themselves: "seconds", "tokens" */
    COLUMN_KINDS
};

/* How many words of a name speak for a role, or for one of these. */
int column_words(const char *name, unsigned kind);
/* How many words of a name are in a list, " agent model "; of NULL, how many there are. */
int column_count_words(const char *name, const char *list);
/* 1 where all its words speak for something that is measured, kept or compared with, none for an agent: "accuracy", "batch_size",
 * "bertscore_f1", "ground_truth". */
int column_is_measure(const char *name);
/* 1 where it speaks for no request: of numbers of a run, costs and scores ("latency_ms", "n_words", "f1"); an index may be one's. */
int column_is_no_context(const char *name);
/* 1 where it looks like the name of a model or another agent: "gpt-4o", "lab/m1", "m1", "mistral_7b", "system 2", "B". */
int column_is_model(const char *name);
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
/* Names of columns that come in twos: model_a and model_b, left_model and right_model, response1 and response2. */
enum { SIDE_NAME = 200 };

/* What a name says beside its side: the first word of it that is one ("a", "2", "left") is left out of `rest`. */
struct name_side {
    int which;   /* 0 or 1; −1: the name has none */
    size_t kind; /* of words: only "a" goes with "b" */
    char rest[SIDE_NAME];
};
void side_of(struct name_side *out, const char *name);
/* 1 where one is the other's counterpart, the first standing on side 0. */
int side_is_pair(const struct name_side *first, const struct name_side *second);

/* What ties an agent's name to the rest of a column's. */
#define COLUMN_NAME_BREAKS "|:_./ -#@"

/* Letter grades and what they count: those of American schools. */

/* The worst and the best. */
#define GRADES_LOW 0.0
#define GRADES_HIGH 4.3

/* 1 where a text is one: A+, A, A-, B+ … D-, F. */
int grades_has(const char *text);
/* 1 where one is no mere choice among A, B, C and D: B+, F. */
int grades_is_clear(const char *text);
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
