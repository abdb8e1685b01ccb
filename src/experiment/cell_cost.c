#include "experiment/cell_cost.h"

#include "experiment/config_keys.h"

#include <string.h>

#include "regret/svd.h"
#include "regret/text.h"

/* Sums and products that stop at the top: an absurd configuration is dear, not cheap. */
static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t mul(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t mul3(uint64_t a, uint64_t b, uint64_t c)
{
    return mul(mul(a, b), c);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t cell_distinct(uint64_t n, uint64_t draws)
{
    /* n (1 − (1 − 1/n)^draws), the power by squaring in units of 2^-31 */
    enum { BITS = 31 };
    const uint64_t one = (uint64_t)1 << BITS;
    if (n <= 1 || draws <= 1) {
        return least(n, draws);
    }
    uint64_t never = one, factor = one - one / n;
    for (uint64_t power = draws; power > 0; power >>= 1) {
        if (power & 1) {
            never = never * factor >> BITS;
        }
        factor = factor * factor >> BITS;
    }
    uint64_t missed = mul(n, never) >> BITS;
    return least(n - least(missed, n - 1), draws);
}

/* The sizes that decide. */
struct sizes {
    const struct regret_config *c;
    uint64_t pairs, drawn, obs, exp; /* pairs; different ones drawn, in OBS, in EXP */
    uint64_t row;                    /* stored elements of a row of φ */
    uint64_t q, z;                   /* sides of the systems in φ and in z */
};

static struct sizes sizes_of(const struct regret_config *c, const struct feature_set *features)
{
    struct sizes s = {.c = c, .pairs = features->pairs};
    size_t groups = features->grid->n_contexts;
    /* One product in doubles, cut off: the same everywhere. */
    uint64_t train = mul(groups, (uint64_t)(c->train_share * 1e6)) / 1000000;
    uint64_t from = mul(train < 1 ? 1 : train, groups > 0 ? features->pairs / groups : 0);
    s.obs = cell_distinct(from, c->n_obs);
    s.exp = cell_distinct(from, c->n_exp);
    s.drawn = cell_distinct(from, (uint64_t)c->n_obs + c->n_exp);
    s.row = features->pairs > 0 ? regret_csr_entries(features->phi) / features->pairs + 1 : 1;
    s.q = features->sparse ? least(s.drawn, c->features.buckets) + 1 : s.drawn + 1;
    s.z = (uint64_t)c->proxy.dim + 1;
    return s;
}

/* Coordinates of φ: a Cholesky factor of the drawn pairs, and in a dense set those of the others. */
static void add_features(struct cell_work *w, const struct sizes *s,
                         const struct feature_set *features)
{
    uint64_t cube = mul3(s->drawn, s->drawn, s->drawn) / 3;
    if (!features->sparse) {
        uint64_t others = s->pairs - least(s->pairs, s->drawn);
        w->block = add(w->block, add(cube, mul3(others, s->drawn, s->drawn) / 2));
        w->scatter = add(w->scatter, mul(s->pairs, s->drawn));
    } else if (s->drawn <= s->c->features.buckets) {
        w->block = add(w->block, cube);
        w->scatter = add(w->scatter, mul3(s->drawn, s->drawn, s->row));
    }
}

/* Σ u uᵀ over `rows` lines of φ. */
static void add_moments(struct cell_work *w, const struct sizes *s,
                        const struct feature_set *features, uint64_t rows)
{
    if (features->sparse && s->drawn > s->c->features.buckets) {
        w->scatter = add(w->scatter, mul3(rows, s->row, s->row));
    } else {
        w->block = add(w->block, mul3(rows, s->q, s->q) / 2);
    }
}

static void add_proxy(struct cell_work *w, const struct sizes *s,
                      const struct feature_set *features, size_t labels)
{
    const struct regret_proxy_options *o = &s->c->proxy;
    if (o->kind == REGRET_PROXY_PREDICTED_LABELS) {
        add_moments(w, s, features, s->obs);
        w->block = add(w->block, mul3(s->q, s->q, s->q) / 6);
        w->scatter = add(w->scatter, mul3(s->pairs, s->row, labels));
        w->block = add(w->block, mul3(s->pairs, labels, labels));
        return;
    }
    uint64_t rank = o->kind == REGRET_PROXY_AUX_SVD ? o->tfidf_rank : o->dim;
    uint64_t terms = features->terms != NULL ? regret_csr_entries(features->terms->counts) : 0;
    /* The Gram matrix of the observed texts and its leading vectors, or a randomised method where
     * that is large (include/regret/svd.h); then every text is projected. */
    const struct regret_svd_options svd = REGRET_SVD_OPTIONS_INIT;
    if (s->obs <= svd.exact_limit) {
        w->reduce = add(w->reduce, mul3(s->obs, s->obs, s->obs) / 3 * 2);
        w->scatter = add(w->scatter, mul(terms, rank));
    } else {
        w->scatter = add(w->scatter, mul3(terms, rank + svd.oversampling, 2 * svd.power + 2));
    }
    if (o->kind == REGRET_PROXY_AUX_SVD) {
        uint64_t columns = rank + features->grid->pool->n_aux + REGRET_STATISTICS;
        w->block = add(w->block, mul3(s->pairs, columns, columns) / 2);
    }
}

/* One solve with a fold of `m` lines left out of a system of side q: Woodbury or direct, whichever
 * is cheaper (src/linalg/left_out.c). */
static uint64_t left_out_work(uint64_t m, uint64_t q)
{
    uint64_t direct = mul3(q, q, q) / 3;
    return least(direct, add(mul3(m, m, q), mul3(m, m, m) / 3));
}

/* `fits` pooled systems of side q over `obs` and `exp` lines, `losses` values of λ each. */
static void add_tuning(struct cell_work *w, const struct sizes *s, uint64_t q, uint64_t obs,
                       uint64_t fits, uint64_t losses)
{
    uint64_t folds = s->c->cv_folds > 0 ? s->c->cv_folds : 1;
    uint64_t fold = s->exp / folds + 1, rows = add(obs, s->exp);
    uint64_t fit = add(mul3(rows, q, q) / 2, mul3(q, q, q));
    w->block = add(w->block, mul(fits, add(fit, mul3(s->exp, q, q))));
    w->evaluate = add(w->evaluate, mul(mul3(fits, losses, folds), left_out_work(fold, q)));
    w->scatter = add(w->scatter, mul(mul3(fits, losses, folds), s->pairs));
}

/* Out-of-fold predictions for DR. */
static void add_cross_fit(struct cell_work *w, const struct sizes *s, uint64_t q)
{
    if (s->c->values && s->c->value_folds > 0) {
        uint64_t folds = s->c->value_folds;
        w->evaluate = add(w->evaluate, mul(folds, left_out_work(s->exp / folds + 1, q)));
    }
}

/* The pencil of φ that all families but representation-exp share. */
static void add_pencil(struct cell_work *w, const struct sizes *s,
                       const struct feature_set *features)
{
    add_moments(w, s, features, add(s->obs, s->exp));
    w->block = add(w->block, mul3(s->q, s->q, s->q) / 3 * 2);
    w->block = add(w->block, mul3(s->exp, s->q, s->q) / 2 * 3);
    w->reduce = add(w->reduce, mul3(s->q, s->q, s->q) / 3 * 2);
}

static void add_grounded(struct cell_work *w, const struct sizes *s)
{
    uint64_t k = s->z, crossed = least(k - 1, REGRET_INTERACTION_DIMS);
    const uint64_t side[REGRET_N_BASES] = {k, 2 * k - 1, k + crossed * (crossed + 1) / 2};
    for (size_t b = 0; b < REGRET_N_BASES; b++) {
        w->scatter = add(w->scatter, mul(s->pairs, 3 * side[b]));
        add_tuning(w, s, side[b], 0, s->c->estimate.grounded_rho.n, 1);
        add_cross_fit(w, s, side[b]);
    }
}

static void add_anchored(struct cell_work *w, const struct sizes *s,
                         const struct feature_set *features)
{
    uint64_t folds = s->c->estimate.obs_folds;
    for (uint64_t k = 0; k < folds; k++) {
        add_moments(w, s, features, s->obs);
        w->block = add(w->block, mul3(s->q, s->q, s->q) / 6);
    }
    w->scatter = add(w->scatter, mul3(folds, s->pairs, s->row));
}

/* What one family adds to the pencil. */
static void add_family(struct cell_work *w, const struct sizes *s,
                       const struct feature_set *features, const char *name)
{
    const struct regret_estimate_options *o = &s->c->estimate;
    uint64_t folds = s->c->cv_folds;
    if (strcmp(name, "representation-exp") == 0) {
        add_tuning(w, s, s->z, 0, 1, 1);
        add_cross_fit(w, s, s->z);
    } else if (strcmp(name, "cvci") == 0) {
        uint64_t one = left_out_work(s->exp / (folds > 0 ? folds : 1) + 1, s->q);
        w->evaluate = add(w->evaluate, mul3(o->cvci_lambda.n, folds, one));
        w->scatter = add(w->scatter, mul3(o->cvci_lambda.n, folds, s->pairs));
        add_cross_fit(w, s, s->q);
    } else if (strcmp(name, "exp-only") == 0) {
        add_cross_fit(w, s, s->q);
    } else if (strcmp(name, "cvci-residual") == 0) {
        add_tuning(w, s, s->z, s->obs, o->residual_rho.n, o->residual_lambda.n);
        add_cross_fit(w, s, s->z);
    } else if (strncmp(name, "grounded", 8) == 0) {
        add_grounded(w, s);
        if (strcmp(name, "grounded-anchored") == 0) {
            add_anchored(w, s, features);
        }
    }
    /* Its predictions of every pair. */
    w->scatter = add(w->scatter, mul(s->pairs, features->sparse ? s->row : s->q));
}

static void add_times(struct cell_work *w, uint64_t times, const struct cell_work *more)
{
    w->block = add(w->block, mul(times, more->block));
    w->reduce = add(w->reduce, mul(times, more->reduce));
    w->scatter = add(w->scatter, mul(times, more->scatter));
    w->evaluate = add(w->evaluate, mul(times, more->evaluate));
}

struct cell_work cell_work(const struct regret_config *cell, const struct feature_set *features,
                           size_t labels)
{
    struct cell_work w = {0}, fits = {0};
    struct sizes s = sizes_of(cell, features);
    add_features(&w, &s, features);
    add_proxy(&w, &s, features, labels);
    add_pencil(&fits, &s, features);
    for (size_t i = 0; i < cell->families.n; i++) {
        add_family(&fits, &s, features, regret_family_at(cell->families.index[i])->name);
    }
    /* Refitting the folds is as dear as fitting the whole, up to the rows of one fold. */
    add_times(&w, config_refits(cell) ? add(cell->value_folds, 1) : 1, &fits);
    w.scatter = add(w.scatter, mul(64, add(cell->n_obs, cell->n_exp)));
    return w;
}

uint64_t cell_cost(const struct regret_config *cell, const struct feature_set *features,
                   size_t labels)
{
    struct cell_work w = cell_work(cell, features, labels);
    /* What fits the processor time of the replicates of seven configurations best, relative to what
     * each takes (docs/cluster.md); the last is for what comes with every replicate: many calls. */
    const uint64_t calls = 860000000;
    uint64_t cost = add(mul(w.block, 3), mul(w.reduce, 11));
    cost = add(add(cost, mul(w.scatter, 40)), add(mul(w.evaluate, 5), calls)) >> 15;
    return cost < 1 ? 1 : least(cost, CELL_COST_MOST);
}
