/* What a layer may go by: z(x) = (√γ [tag], √κ own columns, words) of every context. */
#ifndef REGRET_MODEL_DESIGN_H
#define REGRET_MODEL_DESIGN_H

#include <stdint.h>

#include "model/core/own.h"
#include "regret/matrix.h"
#include "regret/model.h"
#include "regret/svd.h"

/* Tags, own columns and words of the contexts, once. */
struct vocabulary {
    size_t n, n_tags;
    char **tag;     /* [n_tags], "" of those without; owned */
    uint32_t *kind; /* [n] */
    double *share;  /* [n_tags] of the contexts */
    struct model_columns columns;
    double *own;            /* their features, columns.features × n */
    struct regret_csr *phi; /* n × buckets */
    struct regret_svd
        *svd; /* φ ≈ S Vᵀ with the leading directions: all where n is at most REGRET_MODEL_RANK */
    double *score; /* S, n × svd->rank */
    double *mean;  /* [buckets] of φ over contexts */
};
int vocabulary_create(struct vocabulary **out, const struct regret_model_data *data);
void vocabulary_free(struct vocabulary *v);

/* One way to be fitted. The first is of nothing, then by tag, then by tag and own columns, then by these and words at each
 * γ and κ. */
struct design {
    enum regret_model_rule rule;
    double gamma, kappa;        /* of the tags and the own columns, 0 without */
    size_t n_tags, n_own, cols; /* columns: n_tags of the tags, n_own, then the words' directions */
    double *z;                  /* n × cols */
};
enum { DESIGNS = 5 };
struct design_list {
    size_t n;
    struct design item[DESIGNS];
};
int design_list_create(struct design_list *out, const struct vocabulary *v);
void design_list_clear(struct design_list *list);

#endif
