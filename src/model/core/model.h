/* A model as it is kept: every layer a sum of rows, one a bucket of words and one a tag. */
#ifndef REGRET_MODEL_CORE_MODEL_H
#define REGRET_MODEL_CORE_MODEL_H

#include <stdint.h>

#include "model/core/own.h"

/* One of the two layers, d_a(x) or c(x): a ridge of penalty ρ on z(x) = (√γ [tag], √κ own columns, words). */
struct model_layer {
    enum regret_model_rule rule;
    double rho, gamma, kappa;               /* γ, κ: 0 without */
    size_t n;                               /* directions u_j kept for half-widths */
    double shrink[REGRET_MODEL_DIRECTIONS]; /* 1/(λ_j + ρ) of each */
    double centre;                          /* |z̄|² */
};

/* A row is what a bucket's unit, an own feature's, a tag, or the intercept (the first row) adds to the numbers of a request:
 *
 *   [n_agents]      d_a(x)
 *   [1]             c(x)
 *   [contrast.n]    u_j·(z − z̄) of the contrasts     [1]  z̄·z of the contrasts
 *   [common.n]      the same of the common layer      [1]  the same
 *
 * Rows: the intercept, the tags, the mean over tags for one that is not known, the buckets. Behind those of words stand the
 * features of own columns, as buckets that no word has. */
struct regret_model {
    size_t n_agents, n_tags;
    char **agent; /* names; owned, and each */
    char *
        *tag; /* of the contexts, "": those without one; none where none has one; owned, and each */
    char **
        answered; /* [n_tags] n_agents characters, '1': the agent has a score on a context of the tag; owned, and each */
    double tag_mean; /* Σ share², the squared length of the mean over tags */
    struct regret_feature_options features;
    size_t max_bytes;
    struct model_layer contrast, common;
    double *own;                        /* [n_agents] s_a², the variance of the rest of d_a */
    double *own_margin;                 /* [n_agents] that of the rest of d_a less d_single */
    double common_own;                  /* s_c² */
    double value_factor, margin_factor; /* half-widths over standard errors */
    struct model_columns columns;
    size_t n_buckets, width; /* n_buckets: own features among them */
    uint32_t *bucket;        /* [n_buckets] ascending; owned */
    double *row;             /* [(2 + n_tags + n_buckets) × width], by row; owned */
    struct regret_model_facts facts;
    char *pool, *pool_digest, *settings; /* owned */
    int told;                            /* -1: not known */
};

/* Empty but for its arrays; sizes are set, ids and tags NULL. */
int model_create(struct regret_model **out, size_t n_agents, size_t n_tags, size_t n_buckets,
                 size_t directions_contrast, size_t directions_common);

/* Where the numbers of a layer's directions stand in a row; behind them that of the mean. */
static inline size_t model_directions_at(const struct regret_model *m, const struct model_layer *l)
{
    return l == &m->contrast ? m->n_agents + 1 : m->n_agents + 2 + m->contrast.n;
}

static inline size_t model_rows(const struct regret_model *m)
{
    return 2 + m->n_tags + m->n_buckets;
}

/* How many buckets are of words. */
static inline size_t model_word_buckets(const struct regret_model *m)
{
    return m->n_buckets - m->columns.features;
}

/* 1 where words count. */
static inline int model_reads_words(const struct regret_model *m)
{
    return m->contrast.rule == REGRET_MODEL_WORDS || m->common.rule == REGRET_MODEL_WORDS;
}

/* 1 + 1/n + a/(1 − [in the sample] a) + b: the variance of a left-out outcome over that of the rest, with
 * a = Σ_j t_j²/(λ_j + ρ) over the directions kept and b = (|δ|² − Σ_j t_j²)/ρ of what lies beside them. `numbers` are
 * those of a row of sums, `length` is |z|². */
double model_layer_variance(const struct regret_model *m, const struct model_layer *layer,
                            const double *numbers, double length, int in_sample);

/* The hashed words of texts, cut and scaled as a model's are: [n × buckets], rows of length one or empty. */
int model_words(struct regret_csr **out, const struct regret_feature_options *features,
                size_t max_bytes, const char *const *texts, size_t n);

/* The number of a tag or, without it, of the first of the same words; n_tags of one that is not known. */
size_t model_find_tag(const struct regret_model *m, const char *tag);

/* The sums of rows of a request, [width]: the intercept's, its tag's, its own features', its words'. *length: |z|² of either
 * layer. Words and features may be NULL where they do not count. *t: the number of its tag, n_tags where it is not known. */
struct model_words_row {
    const uint32_t *column;
    const double *value;
    size_t n;
};
unsigned model_add_up(double *numbers, double length[2], size_t *t, const struct regret_model *m,
                      struct model_words_row words, const double *own, const char *tag);

#endif
