/* Proxies z(x, m): low-dimensional representations of outputs fitted on OBS without any outcome
 * (protocol §4).
 *
 * What does not depend on the replicate is prepared once a pool (regret_proxy_source); the fit then
 * sees a replicate only as the number of times each pair occurs in its OBS sample. */
#ifndef REGRET_PROXY_H
#define REGRET_PROXY_H

#include <stddef.h>
#include <stdint.h>

#include "regret/pooled_ridge.h"
#include "regret/status.h"
#include "regret/tfidf.h"

enum regret_proxy_kind {
    REGRET_PROXY_AUX_SVD,
    REGRET_PROXY_PREDICTED_LABELS,
    REGRET_PROXY_TFIDF_SVD,
    REGRET_PROXY_KINDS /* their number */
};

/* "aux-svd", "predicted-labels", "tfidf-svd"; NULL for anything else. */
REGRET_API const char *regret_proxy_kind_name(enum regret_proxy_kind kind);

/* How a number about an output (an auxiliary label, a text statistic) enters a proxy, before it is
 * standardised: one output of 16,000 lines among patches of ten has |z| of hundreds as it is, and its
 * column then says nothing of the others. Every scale is a monotone map t that is fitted on OBS rows
 * and used on all pairs. */
enum regret_proxy_scale {
    REGRET_SCALE_RAW,    /* t(v) = v */
    REGRET_SCALE_LOG,    /* sign(v) ln(1 + |v|): a count of any size, a label of either sign */
    REGRET_SCALE_WINSOR, /* v moved into [q_1, q_99], the least values that at least 1 % and 99 % of
                            OBS rows do not exceed */
    REGRET_SCALE_RANK,   /* (#{v_i < v} + #{v_i = v}/2) / n over OBS rows */
    REGRET_PROXY_SCALES  /* their number */
};

/* Brings the columns of x (rows x cols, column-major) onto a scale fitted on the rows with multiplicity
 * count[i] >= 0. REGRET_E_NUMERIC names a column with a value that is not finite, and x is then as it
 * was. O(cols · rows log rows). */
REGRET_API int regret_proxy_rescale(double *x, size_t rows, size_t cols, const double *count,
                                    enum regret_proxy_scale scale);

/* Per-pool data of P pairs, all borrowed, read only: one source serves many threads. */
struct regret_proxy_source {
    size_t n_pairs;                   /* P */
    const double *aux;                /* P x n_aux auxiliary labels T */
    size_t n_aux;                     /* may be 0 for aux-svd and tfidf-svd */
    const double *statistics;         /* P x n_statistics, regret_text_statistics(); aux-svd */
    size_t n_statistics;              /* may be 0 */
    const struct regret_terms *terms; /* of the outputs, document i = pair i; the two SVD kinds */
    const struct regret_design *features; /* φ of the pairs; predicted-labels */
};

struct regret_proxy_options {
    enum regret_proxy_kind kind;
    size_t dim;                    /* components of z, >= 1 */
    size_t tfidf_rank;             /* rank of the TF-IDF+SVD block of aux-svd */
    size_t max_terms;              /* vocabulary */
    double ridge;                  /* ρ > 0 of predicted-labels */
    enum regret_proxy_scale scale; /* of aux labels and text statistics */
    int standardise; /* every component of z by its mean and deviation over OBS rows */
    uint64_t
        seed; /* of the start of Lanczos where the SVD takes that method; results do not show it */
};
#define REGRET_PROXY_OPTIONS_INIT                                                                  \
    {                                                                                              \
        REGRET_PROXY_AUX_SVD, 16, 50, 50000, 1.0, REGRET_SCALE_WINSOR, 1, 0                        \
    }

/* Fits the proxy on pairs with multiplicity obs_count[i] >= 0 in OBS (0: unobserved or held out)
 * and evaluates it on all P pairs: z is P x options->dim, columns past *actual_dim are zero.
 *
 *   aux-svd           aux labels and text statistics, standardised over OBS rows (constant columns
 *                     become zero), beside the TF-IDF+SVD of the outputs, centred and multiplied by
 *                     one factor so that its columns have mean variance one over OBS rows [C: the
 *                     block then weighs as much as as many standardised columns, and its components
 *                     keep their proportions]; the whole compressed by its weighted SVD to `dim`
 *   predicted-labels  labels T standardised over OBS rows [C], ridge of T on φ with free intercepts,
 *                     min Σ (c_i/n)‖T_i − b − φ_i θ‖² + (ρ/n)‖θ‖², n = Σ c_i, then the weighted
 *                     principal components of the predictions
 *   tfidf-svd         TF-IDF+SVD of the outputs at rank `dim`
 *
 * With `standardise` the components end with mean 0 and deviation 1 over OBS rows [P for aux-svd, C
 * for the others]. A count of 2 equals the row twice. Errors: REGRET_E_INPUT when the source lacks
 * what the kind needs or no count is positive; z is untouched on failure. Deterministic, no shared
 * state. */
REGRET_API int regret_proxy_fit(double *z, size_t *actual_dim,
                                const struct regret_proxy_source *source, const double *obs_count,
                                const struct regret_proxy_options *options);

#endif
