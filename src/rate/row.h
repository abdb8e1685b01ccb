/* A row of RATE. */
#ifndef RATE_ROW_H
#define RATE_ROW_H

#include <stddef.h>

#include "rate/read_csv.h"
#include "regret/rate.h"

/* What a row may be refused for although it is JSON, in the order in which it is told. */
enum row_fault {
    FAULT_LAYOUT,
    FAULT_ID,
    FAULT_DATASET,
    FAULT_ATTRIBUTE,
    FAULT_REWRITER,
    FAULT_REPEAT,
    FAULT_COMPLETIONS,
    FAULT_SCORES,
    FAULT_CONTRASTS,
    FAULT_MODELS, /* of the authors' layout */
    FAULT_CLUSTER,
    NO_FAULT
};

/* What a row is read into, and by which names: zero but for what its caller asks for. Free it with
 * row_reader_free(). */
struct row_reader {
    struct regret_span z_field;       /* the key of Z */
    struct regret_span w_field;       /* the key of W; text NULL: "w" and "w_original" */
    struct regret_span dataset_field; /* the key of the dataset; text NULL: "dataset" */
    const double *w_above, *z_above;  /* not NULL: numbers are ratings, 1 above this */
    struct regret_span cluster; /* the key of the cluster, "prompt" of either layout; or NULL */
    int with_texts;             /* the prompt and the completions are wanted */
    const char *whole; /* what the rows stand in, for the columns of messages; NULL: each is a
                                   line of its own */
    struct regret_rate_row row; /* borrows from its text and from this reader */
    struct value_reader json;
    struct regret_place place;
    enum row_fault fault;           /* the first; its message is set */
    int is_ours, is_authors;        /* a key of our layout, of the authors', was seen */
    struct regret_span question[2]; /* "prompt" or "query", "reward_question" */
    struct regret_span model; /* the name of one whose scores stand in the row itself: the file's */
    double bare[3];           /* these scores; NAN: none */
    int is_bare;              /* 1: they are the row's */
    int is_perturbed; /* 1: they are of a base and its perturbation, which has what that lacks */
};

/* A name such as "original", "base_score", "rewrite_reward" or "perturbed_response": of which side it is, or -1; a score or a text,
 * and of a base and its perturbation or not. */
struct bare_name {
    int side, is_text, is_perturbed;
};
struct bare_name bare_name_of(struct regret_span key);

/* Reads one row from its text (no line end) in one pass. Rows are read as Python writes them: NaN,
 * Infinity and -Infinity mean that there is nothing (as a score: that it is not a number), and
 * escapes that stand for no character (\u0000, half a surrogate pair) U+FFFD. REGRET_E_INPUT with a
 * message that names `at` for everything else that is not JSON or not a row. */
int row_read(struct row_reader *reader, const char *text, size_t length, struct regret_place at);
void row_reader_free(struct row_reader *reader);

/* The side of a key of completions or scores, in either layout; -1 for another key. */
int side_of_key(struct regret_span key);
/* The same, or of "single" (0) and "double" (1) of a contrastive model. */
int slot_of_key(struct regret_span key, int contrastive);
/* Of a number: 1 and 0, or, of a rating, whether it is above *above. */
enum regret_rate_label label_of_number(double number, const double *above);
/* Whether the prompts, in either layout, are the clusters. */
int is_by_prompt(const struct row_reader *reader);
/* "true" or "false" in any case, or else REGRET_LABEL_NOT_BOOLEAN. */
enum regret_rate_label label_of_word(struct regret_span word);

#endif
