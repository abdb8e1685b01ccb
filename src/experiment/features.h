/* φ of pairs. */
#ifndef EXPERIMENT_FEATURES_H
#define EXPERIMENT_FEATURES_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/design.h"
#include "regret/experiment.h"
#include "regret/pool.h"

/* The columns of contexts as numbers for φ. */

/* Appends the names of these, a list of JSON: "words", "language=en" of a word, "words=" of its lack. */
void covariates_names(struct regret_buffer *out, const struct regret_grid *grid);

/* A grid with its features: what every replicate of some feature options reads. */

/* Read-only once made.
 *
 * A dense set holds the Gram matrix of its pairs, from which replicates take coordinates of φ. Where
 * that would be dearer than conjugate gradients, or too large, and for a controlled world, the set is sparse: φ itself,
 * in two parts, serves as the design, and fits are solved by whichever way is the cheapest (cell_cost.h). */
struct feature_set {
    struct regret_config config; /* the options it was made by */
    struct regret_grid *grid;
    size_t pairs;
    uint32_t *agent, *context; /* [pairs] grid indices */
    double *
        share; /* [pairs] what a pair counts where those of an (x, a) count as one; NULL: all alike */
    int outputs_known; /* 0: an agent that is unobserved somewhere gives several texts, so that nobody knows
                                       what φ and z of such a pair would be */
    int sparse;
    struct regret_csr *columns; /* covariates of the contexts, where they are features; else NULL */
    struct regret_csr
        *phi; /* pairs × columns, those of feature_set_blocks(); of a sparse set without
                               what follows */
    struct regret_csr
        *phi_context; /* contexts × columns, what all pairs of a context have in common; NULL in a
                         dense set */
    double *gram;     /* φ φᵀ, pairs × pairs; NULL in a sparse set */
    struct regret_terms *terms; /* these two: NULL in a sparse set that no proxy asks for them */
    double *statistics;         /* pairs × REGRET_STATISTICS */
    double *aux;                /* pairs × n_aux */
    double *components;         /* pairs × n_components, normalised */
    double *embedding;          /* e(x), n_contexts × embedding_rank */
    size_t embedding_rank;
    double *
        words; /* n_contexts × words_rank: directions of the contexts' words, for families that cross these with agents;
                      NULL where there is none */
    size_t words_rank;
    struct regret_csr *common_words; /* likewise: which contexts hold which words */
    char **word_names;               /* and how these are written */
    double
        *own; /* n_contexts × own_rank: directions of `columns`, likewise; NULL where either is */
    size_t own_rank;
};

/* Where the blocks of φ stand; returns the number of columns. The set may lack its features still. */
size_t feature_set_blocks(struct regret_feature_block out[REGRET_FEATURE_BLOCKS],
                          const struct feature_set *set);
/* What the blocks are, as a member of a JSON object: "blocks":{"buckets":[first, columns],…} of those that are on,
 * with "tags" (their names by number, null for those without), "context_tags" (numbers of tags) and "column_names" of the
 * covariates where there are any. */
void feature_set_describe(struct regret_buffer *out, const struct feature_set *set);

void feature_set_free(struct feature_set *set);

/* Making a feature set of the texts of a pool. */

/* `config` has the largest budgets of the cells that will use the set. `texts_wanted`: statistics and terms of the outputs are made in a sparse set too. */
int feature_set_create(struct feature_set **out, const struct regret_config *config,
                       const struct regret_pool *pool, int texts_wanted);

#endif
