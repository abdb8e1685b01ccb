#include "experiment/cell_cost.h"

#include "experiment/config_keys.h"
#include "experiment/pair_split.h"
#include "regret/svd.h"
#include "regret/text.h"

uint64_t cell_distinct(uint64_t n, uint64_t draws)
{
    /* n (1 − (1 − 1/n)^draws), the power by squaring in units of 2^-31 */
    enum { BITS = 31 };
    const uint64_t one = (uint64_t)1 << BITS;
    if (n <= 1 || draws <= 1) {
        return work_least(n, draws);
    }
    uint64_t never = one, factor = one - one / n;
    for (uint64_t power = draws; power > 0; power >>= 1) {
        if (power & 1) {
            never = never * factor >> BITS;
        }
        factor = factor * factor >> BITS;
    }
    uint64_t missed = work_mul(n, never) >> BITS;
    return work_least(n - work_least(missed, n - 1), draws);
}

/* What a cell's work is made of. */
struct cell {
    const struct regret_config *c;
    const struct feature_set *features;
    struct fit_sizes s;
};

static struct cell cell_of(const struct regret_config *c, const struct feature_set *features)
{
    struct fit_sizes s = {.options = &c->estimate,
                          .pairs = features->pairs,
                          .columns = features->phi->cols,
                          .sparse = features->sparse,
                          .cv_folds = c->cv_folds,
                          .value_folds = c->values ? c->value_folds : 0};
    size_t groups = features->grid->n_contexts;
    /* One product in doubles, cut off: the same everywhere. */
    uint64_t train = c->context_folds > 0
                         ? groups - (groups + c->context_folds - 1) / c->context_folds
                         : work_mul(groups, (uint64_t)(c->train_share * 1e6)) / 1000000;
    uint64_t from = work_mul(train < 1 ? 1 : train, groups > 0 ? features->pairs / groups : 0);
    s.obs = cell_distinct(from, c->n_obs);
    s.exp = cell_distinct(from, c->n_exp);
    s.drawn = cell_distinct(from, (uint64_t)c->n_obs + c->n_exp);
    s.row = features->pairs > 0 ? regret_csr_entries(features->phi) / features->pairs + 1 : 1;
    s.q = features->sparse ? work_least(s.drawn, s.columns) + 1 : s.drawn + 1;
    s.z = (uint64_t)c->proxy.dim + 1;
    return (struct cell){c, features, s};
}

/* Coordinates of φ: a Cholesky factor of the drawn pairs, and in a dense set those of the others. */
static void add_features(struct fit_work *w, const struct fit_sizes *s)
{
    uint64_t cube = work_mul3(s->drawn, s->drawn, s->drawn) / 3;
    if (!s->sparse) {
        uint64_t others = s->pairs - work_least(s->pairs, s->drawn);
        w->block = work_add(w->block, work_add(cube, work_mul3(others, s->drawn, s->drawn) / 2));
        w->scatter = work_add(w->scatter, work_mul(s->pairs, s->drawn));
    } else if (s->drawn <= s->columns) {
        w->block = work_add(w->block, cube);
        w->scatter = work_add(w->scatter, work_mul3(s->drawn, s->drawn, s->row));
    }
}

static void add_proxy(struct fit_work *w, const struct cell *cell, size_t labels)
{
    const struct regret_proxy_options *o = &cell->c->proxy;
    const struct feature_set *features = cell->features;
    const struct fit_sizes *s = &cell->s;
    if (o->kind == REGRET_PROXY_PREDICTED_LABELS) {
        work_moments(w, s, s->obs);
        w->block = work_add(w->block, work_mul3(s->q, s->q, s->q) / 6);
        w->scatter = work_add(w->scatter, work_mul3(s->pairs, s->row, labels));
        w->block = work_add(w->block, work_mul3(s->pairs, labels, labels));
        return;
    }
    uint64_t rank = o->kind == REGRET_PROXY_AUX_SVD ? o->tfidf_rank : o->dim;
    uint64_t terms = features->terms != NULL ? regret_csr_entries(features->terms->counts) : 0;
    /* The Gram matrix of the observed texts and its leading vectors; where they are many, Lanczos with
     * about five vectors a component (include/regret/svd.h). Then every text is projected. */
    uint64_t vectors = 5 * rank;
    w->scatter = work_add(w->scatter, work_mul(terms, rank));
    if (s->obs < 12 * rank) {
        w->reduce = work_add(w->reduce, work_mul3(s->obs, s->obs, s->obs) / 3 * 2);
    } else {
        w->scatter = work_add(w->scatter, work_mul3(terms, vectors, 2));
        w->block = work_add(w->block, work_mul3(s->obs, vectors, vectors));
    }
    if (o->kind == REGRET_PROXY_AUX_SVD) {
        uint64_t columns = rank + features->grid->pool->n_aux + REGRET_STATISTICS;
        w->block = work_add(w->block, work_mul3(s->pairs, columns, columns) / 2);
    }
}

/* The pencil of φ that most families share. */
static void add_pencil(struct fit_work *w, const struct fit_sizes *s)
{
    work_moments(w, s, work_add(s->obs, s->exp));
    w->block = work_add(w->block, work_mul3(s->q, s->q, s->q) / 3 * 2);
    w->block = work_add(w->block, work_mul3(s->exp, s->q, s->q) / 2 * 3);
    work_plain_rhos(w, s);
    w->reduce = work_add(w->reduce, work_mul3(s->q, s->q, s->q) / 3 * 2);
}

/* What one family adds to the pencil. */
static void add_family(struct fit_work *w, const struct fit_sizes *s,
                       const struct regret_family *family)
{
    if (family->work != NULL) {
        family->work(w, s);
    }
    /* Its predictions of every pair. */
    w->scatter = work_add(w->scatter, work_mul(s->pairs, s->sparse ? s->row : s->q));
}

static void add_times(struct fit_work *w, uint64_t times, const struct fit_work *more)
{
    w->block = work_add(w->block, work_mul(times, more->block));
    w->reduce = work_add(w->reduce, work_mul(times, more->reduce));
    w->scatter = work_add(w->scatter, work_mul(times, more->scatter));
    w->evaluate = work_add(w->evaluate, work_mul(times, more->evaluate));
}

struct fit_work cell_work(const struct regret_config *cell, const struct feature_set *features,
                          size_t labels)
{
    struct fit_work w = {0}, fits = {0};
    struct cell of = cell_of(cell, features);
    add_features(&w, &of.s);
    add_proxy(&w, &of, labels);
    add_pencil(&fits, &of.s);
    for (size_t i = 0; i < cell->families.n; i++) {
        add_family(&fits, &of.s, regret_family_at(cell->families.index[i]));
    }
    /* Refitting the folds is as dear as fitting the whole, up to the rows of one fold. */
    add_times(&w, config_refits(cell) ? work_add(cell->value_folds, 1) : 1, &fits);
    w.scatter = work_add(w.scatter, work_mul(64, work_add(cell->n_obs, cell->n_exp)));
    struct fit_work all = {0};
    add_times(&all, context_folds(cell), &w);
    return all;
}

uint64_t cell_cost(const struct regret_config *cell, const struct feature_set *features,
                   size_t labels)
{
    struct fit_work w = cell_work(cell, features, labels);
    /* What fits the processor time of the replicates of seven configurations best, relative to what
     * each takes (docs/cluster.md); the last is for what comes with every replicate: many calls. */
    const uint64_t calls = 860000000;
    uint64_t cost = work_add(work_mul(w.block, 3), work_mul(w.reduce, 11));
    cost = work_add(work_add(cost, work_mul(w.scatter, 40)),
                    work_add(work_mul(w.evaluate, 5), work_mul(context_folds(cell), calls))) >>
           15;
    return cost < 1 ? 1 : work_least(cost, CELL_COST_MOST);
}
