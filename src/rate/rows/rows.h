/* What the files of this room share about the table of rows. */
#ifndef REGRET_RATE_ROWS_H
#define REGRET_RATE_ROWS_H

#include "rate/rows/intern.h"
#include "regret/rate.h"

struct regret_rate_index {
    struct intern ids;        /* family: the group */
    struct intern attributes; /* groups: family: number of the dataset; text: attribute */
    struct intern datasets;
    struct intern models;   /* family: contrastive */
    struct intern clusters; /* text: the 16 bytes of last_mark */
    uint64_t last_mark[2];  /* of the last row's cluster: the hash of its name */
    uint32_t last_cluster;
    struct intern named; /* models named without any score: family: the group; text: the bytes of
                             the model's uint32_t */
    struct intern bad;   /* (row, model) where a model is named with nothing that is a number */
    struct source {
        uint32_t named, nameless; /* 1 + the first file with rows that have ids, that have none */
        uint32_t first, other;    /* 1 + the first file, and the first other than it; 0: none */
    } * sources;                  /* by group: where its rows come from; owned */
    size_t *row_of_id;            /* by number in `ids`: the row that has it; owned */
    size_t id_capacity;
};

/* Beside the bits of the sides in regret_rate_rows.needed: the model is named in the group. */
enum { NEEDED_SIDES = (1U << REGRET_N_SIDES) - 1, NEEDED_NAMED = 1U << REGRET_N_SIDES };

/* What the id of a row begins with that is known by its number in its file: no UTF-8 has this byte. */
#define ID_BY_NUMBER ((char)0xFF)

/* Counts an issue and keeps its place when it is among the first. */
void rows_note_issue(struct regret_rate_rows *rows, enum regret_rate_issue_kind issue,
                     uint32_t file, size_t line, uint32_t model);
/* The same with a word on it, which is cut. */
void rows_note_detail(struct regret_rate_rows *rows, enum regret_rate_issue_kind issue,
                      uint32_t file, size_t line, uint32_t model, struct regret_span detail);
/* Notes that row i names a model, but with nothing that is a number. */
int rows_note_bad(struct regret_rate_rows *rows, size_t i, uint32_t model);
/* The number of a model, added with NaN scores for the rows so far when it is new. */
int rows_model(struct regret_rate_rows *rows, struct regret_span name, int contrastive,
               uint32_t *number);
/* Adds a row whose models have names of their own, whatever its rewriter: regret_rate_rows_add() otherwise. */
int rows_add_one(struct regret_rate_rows *rows, const struct regret_rate_row *row);
/* The same of a pointwise model that must be there. */
int rows_find_model(uint32_t *number, const struct regret_rate_rows *rows, const char *name);
/* How many scores that model m needs in the group of row i are not there. */
int rows_missing(const struct regret_rate_rows *rows, size_t m, size_t i);
/* Notes that a group has a model of which a row has no score. */
int rows_note_named(struct regret_rate_rows *rows, uint32_t group, uint32_t model);
int rows_add_file(struct regret_rate_rows *rows, const char *path);

#endif
