/* What the sources of this folder share. */
#ifndef MODEL_INTERNAL_H
#define MODEL_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "regret/text.h"

/* Fills a row [map->d] from the hashes of a text's words, which are sorted, and its covariates (NULL: none is told); returns notes. */
unsigned words_fill(double *row, const struct words_map *map, const uint64_t *hash, size_t n,
                    size_t n_words, const struct regret_covariate *covariate);
/* Sorts and takes out what is there twice; how many are left. */
size_t words_distinct(uint64_t *hash, size_t n);

/* ---- request_table.c: tables of new requests. ---- */

enum request_role { REQUEST_TEXT, REQUEST_ID, REQUEST_TAG, REQUEST_ROLES };

/* Requests in one piece of memory; texts are found by where they begin. */
struct request_block {
    size_t n, capacity;
    struct request_place {
        size_t id, text, tag; /* in `bytes` */
    } * place;                /* owned */
    struct request_value {    /* of own columns */
        double number;
        size_t word;        /* in `bytes`; SIZE_MAX: it is not told */
    } * value;              /* [n × n_columns]; owned */
    size_t n_columns, room; /* room: of `value` */
    struct regret_buffer bytes;
};
void request_block_free(struct request_block *block);

struct request_table; /* opaque */

/* Opens it and finds its columns: those that the options name, or the one column of each role that its name tells, as
 * `regret init` reads names; and the model's own, by their names. REGRET_E_INPUT where there is no column of texts, or more
 * than one it could be. */
int request_table_open(struct request_table **out, const struct regret_requests_options *options,
                       const struct regret_model *model);
void request_table_close(struct request_table *table); /* NULL is fine */

/* The next requests, until there are `most` or they take `bytes`; none at the end. Those without an id have their number in
 * the table, from 1. REGRET_E_INPUT names file and line. */
int request_table_read(struct request_block *block, struct request_table *table, size_t most,
                       size_t bytes);

#endif
