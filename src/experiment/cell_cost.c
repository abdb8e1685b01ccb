#include "experiment/cell_cost.h"

#include <stdint.h>

#include "base/status.h"
#include "estimate/family.h"
#include "estimate/session.h"
#include "experiment/features.h"
#include "experiment/internal.h"
#include "experiment/pool_source.h"
#include "linalg/iterative.h"
#include "linalg/multi_ridge.h"
#include "linalg/svd.h"
#include "regret/status.h"
#include "regret/text.h"
#include "text/features.h"

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

/* Past so many pairs a dense Gram matrix would surprise a shared machine, and past such a side of a system so would
 * its factorisation. Below so many pairs drawn either way takes milliseconds, and the direct one is exact. */
enum { MOST_DENSE_PAIRS = 12000, MOST_DIRECT_SIDE = 6144, LEAST_ITERATIVE_PAIRS = 512 };
/* Of a multiply-add of matrices and of a panel, as weigh() has the others. */
enum { BLOCK_WEIGHT = 3, PRODUCT_WEIGHT = BLOCK_WEIGHT * SPARSE_COST_RATIO };
#define LEAST_ITERATIVE_RHO 0.1

/* What a cell's work is made of. */
struct cell {
    const struct regret_config *c;
    const struct feature_set *features;
    struct fit_sizes s;
};

/* How many different pairs are drawn. */
static void count_drawn(struct fit_sizes *s, const struct regret_config *c,
                        const struct regret_grid *grid)
{
    uint64_t groups = grid->n_contexts, folds = context_folds(c, grid);
    /* One product in doubles, cut off: the same everywhere. */
    uint64_t train = folds > 1 ? groups - (groups + folds - 1) / folds
                               : work_mul(groups, (uint64_t)(c->train_share * 1e6)) / 1000000;
    uint64_t from = work_mul(train < 1 ? 1 : train, groups > 0 ? s->pairs / groups : 0);
    s->obs = cell_distinct(from, c->n_obs);
    s->exp = cell_distinct(from, c->n_exp);
    s->drawn = cell_distinct(from, (uint64_t)c->n_obs + c->n_exp);
}

static uint64_t mean_row(const struct regret_csr *m)
{
    return m->rows > 0 ? regret_csr_entries(m) / m->rows + 1 : 1;
}

/* Of the rows drawn, those of contexts once each. */
static void count_stored(struct fit_sizes *s, const struct feature_set *features,
                         struct row_sizes row)
{
    uint64_t contexts = work_least(features->grid->n_contexts, s->drawn);
    s->row = row.own;
    s->stored = work_add(work_mul(s->drawn, row.own), work_mul(contexts, row.shared));
}

/* Of what may be heavier than texts those columns that are, and come often enough where all come alike. */
static uint64_t count_strong(const struct regret_config *c, const struct feature_set *features,
                             uint64_t drawn)
{
    const struct regret_feature_options *o = &c->features;
    const double scale[REGRET_FEATURE_BLOCKS] = {[REGRET_BLOCK_AGENT] = o->agent,
                                                 [REGRET_BLOCK_TAG] = o->tag,
                                                 [REGRET_BLOCK_AGENT_TAG] = o->agent_tag,
                                                 [REGRET_BLOCK_COLUMNS] = o->columns,
                                                 [REGRET_BLOCK_AGENT_COLUMNS] = o->agent_columns};
    struct regret_feature_block block[REGRET_FEATURE_BLOCKS];
    uint64_t found = 0;
    feature_set_blocks(block, features);
    for (size_t i = 0; i < REGRET_FEATURE_BLOCKS; i++) {
        double square = scale[i] * scale[i];
        int is_strong = square >= STRONG_SQUARE && square > STRONG_SHARE * (double)block[i].columns;
        found += is_strong ? block[i].columns : 0;
    }
    return work_least(found, work_least(MOST_STRONG, drawn / 4));
}

static struct row_sizes cell_row(const struct feature_set *features)
{
    const struct regret_csr *shared = features->phi_context;
    return (struct row_sizes){mean_row(features->phi), shared != NULL ? mean_row(shared) : 0};
}

static struct fit_sizes sizes_of(const struct regret_config *c, const struct feature_set *features)
{
    struct fit_sizes s = {.options = &c->estimate,
                          .pairs = features->pairs,
                          .columns = features->phi->cols - features->config.features.buckets +
                                     c->features.buckets,
                          .sparse = features->sparse,
                          .cv_folds = c->cv_folds,
                          .value_folds = c->values ? c->value_folds : 0};
    count_drawn(&s, c, features->grid);
    count_stored(&s, features, cell_row(features));
    s.strong = count_strong(c, features, s.drawn);
    s.q = features->sparse ? work_least(s.drawn, s.columns) + 1 : s.drawn + 1;
    s.z = (uint64_t)c->proxy.dim + 1;
    return s;
}

/* Coordinates of φ: a Cholesky factor of the drawn pairs, and in a dense set those of the others. */
static void add_features(struct fit_work *w, const struct fit_sizes *s)
{
    uint64_t cube = work_mul3(s->drawn, s->drawn, s->drawn) / 3;
    if (s->iterative) {
        w->scatter = work_add(w->scatter, work_mul(4, s->stored));
    } else if (!s->sparse) {
        uint64_t others = s->pairs - work_least(s->pairs, s->drawn);
        w->block = work_add(w->block, work_add(cube, work_mul3(others, s->drawn, s->drawn) / 2));
        w->scatter = work_add(w->scatter, work_mul(s->pairs, s->drawn));
    }
    if (!s->iterative && s->sparse && s->drawn <= s->columns) {
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
        struct fit_sizes of = *s;
        double stored = (double)s->stored * (double)s->obs / (double)(s->drawn > 0 ? s->drawn : 1);
        of.iterative &= !multi_ridge_by_columns((double)s->obs, (double)s->columns + 1.0, stored,
                                                (double)labels);
        work_ridge(w, &of, s->obs, labels);
        w->scatter = work_add(w->scatter, work_mul3(s->pairs, s->row, labels));
        w->block = work_add(w->block, work_mul3(s->pairs, labels, labels));
        return;
    }
    uint64_t rank = o->kind == REGRET_PROXY_AUX_SVD ? o->tfidf_rank : o->dim;
    uint64_t terms = features->terms != NULL ? regret_csr_entries(features->terms->counts) : 0;
    /* The Gram matrix of the observed texts and its leading vectors; where they are many, Lanczos with
     * about five vectors a component (include/regret/design.h). Then every text is projected. */
    uint64_t vectors = 5 * rank;
    w->scatter = work_add(w->scatter, work_mul(terms, rank));
    if (s->obs < LANCZOS_LEAST_ROWS * rank) {
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
    work_plain_rhos(w, s);
    if (s->kept) { /* f_O */
        work_refits(w, s, 1);
        return;
    }
    if (s->iterative) { /* its sketch, and f_O */
        work_ridge(w, s, s->obs, 1);
        return;
    }
    work_moments(w, s, work_add(s->obs, s->exp));
    w->block = work_add(w->block, work_mul3(s->q, s->q, s->q) / 3 * 2);
    w->block = work_add(w->block, work_mul3(s->exp, s->q, s->q) / 2 * 3);
    w->reduce = work_add(w->reduce, work_mul3(s->q, s->q, s->q) / 3 * 2);
}

/* What one family adds to the pencil. */
static void add_family(struct fit_work *w, const struct fit_sizes *s,
                       const struct regret_family *family)
{
    if (family != NULL && family->work != NULL) { /* what a command takes is not known */
        family->work(w, s);
    }
    /* Its predictions of every pair, and the mean of those of its folds. */
    w->scatter = work_add(w->scatter, work_mul(s->pairs, s->sparse ? s->row : s->q));
}

static void add_times(struct fit_work *w, uint64_t times, const struct fit_work *more)
{
    w->block = work_add(w->block, work_mul(times, more->block));
    w->reduce = work_add(w->reduce, work_mul(times, more->reduce));
    w->scatter = work_add(w->scatter, work_mul(times, more->scatter));
    w->product = work_add(w->product, work_mul(times, more->product));
    w->evaluate = work_add(w->evaluate, work_mul(times, more->evaluate));
}

/* Of all families, `times`. */
static void add_fits(struct fit_work *w, uint64_t times, const struct regret_config *c,
                     const struct fit_sizes *s)
{
    struct fit_work fits = {0};
    add_pencil(&fits, s);
    for (size_t i = 0; i < c->families.n; i++) {
        add_family(&fits, s, regret_family_list_built_in(&c->families, i));
    }
    add_times(w, times, &fits);
}

static struct fit_work work_of(const struct cell *of, size_t labels)
{
    const struct regret_config *c = of->c;
    struct fit_work w = {0};
    struct fit_sizes whole = of->s, refit = of->s;
    add_features(&w, &of->s);
    add_proxy(&w, of, labels);
    refit.kept = !c->value_retune;
    refit.value_folds = 0;
    if (config_refits(c) && !(refit.kept && refit.iterative)) {
        whole.value_folds = 0; /* else one batch of the whole and its folds */
    }
    add_fits(&w, 1, c, &whole);
    if (config_refits(c)) {
        add_fits(&w, c->value_folds, c, &refit);
    }
    uint64_t rows = work_add(c->n_obs, c->n_exp);
    w.scatter = work_add(w.scatter, work_mul(64, rows));
    return w;
}

/* What fits the processor time of the replicates of seven configurations best, relative to what each takes
 * (165 cells: correlation .98 between the logarithms of estimate and time, .85 to .98 within those that sweep a budget);
 * products: benchmarks/growth.py. */
static uint64_t weigh(const struct fit_work *w)
{
    uint64_t cost = work_add(work_mul(w->block, BLOCK_WEIGHT), work_mul(w->reduce, 11));
    cost = work_add(cost, work_add(work_mul(w->scatter, 40), work_mul(w->evaluate, 5)));
    return work_add(cost, work_mul(w->product, PRODUCT_WEIGHT));
}

static uint64_t cost_by(struct fit_sizes s, const struct regret_config *c,
                        const struct feature_set *features, int iterative)
{
    s.iterative = iterative;
    const struct cell of = {c, features, s};
    const struct fit_work w = work_of(&of, 0);
    return weigh(&w);
}

/* Rounding keeps residuals from proving anything of a fit that is hardly regularised. */
static int too_loose(const struct regret_config *c)
{
    return hyper_grid(&c->estimate, &plain_rho_hyper[RHO_OF_OBS])->value[0] < LEAST_ITERATIVE_RHO ||
           hyper_grid(&c->estimate, &plain_rho_hyper[RHO_OF_EXP])->value[0] < LEAST_ITERATIVE_RHO ||
           (c->proxy.kind == REGRET_PROXY_PREDICTED_LABELS && c->proxy.ridge < LEAST_ITERATIVE_RHO);
}

enum regret_solver cell_solver(const struct regret_config *c, const struct feature_set *features)
{
    if (!features->sparse) {
        return REGRET_SOLVER_DIRECT;
    }
    if (c->solver != REGRET_SOLVER_AUTO) {
        return c->solver;
    }
    const struct fit_sizes s = sizes_of(c, features);
    return !too_loose(c) && cost_by(s, c, features, 1) < cost_by(s, c, features, 0)
               ? REGRET_SOLVER_ITERATIVE
               : REGRET_SOLVER_DIRECT;
}

int cell_wants_sparse(const struct regret_config *c, const struct feature_set *features,
                      struct row_sizes row)
{
    struct regret_feature_block block[REGRET_FEATURE_BLOCKS];
    struct fit_sizes s = {.options = &c->estimate,
                          .pairs = features->pairs,
                          .columns = feature_set_blocks(block, features),
                          .cv_folds = c->cv_folds,
                          .value_folds = c->values ? c->value_folds : 0};
    if (features->pairs > MOST_DENSE_PAIRS || c->solver == REGRET_SOLVER_ITERATIVE) {
        return 1;
    }
    count_drawn(&s, c, features->grid);
    count_stored(&s, features, row);
    s.q = s.drawn + 1;
    s.z = (uint64_t)c->proxy.dim + 1;
    return c->solver == REGRET_SOLVER_AUTO && s.drawn >= LEAST_ITERATIVE_PAIRS && !too_loose(c) &&
           cost_by(s, c, features, 1) < cost_by(s, c, features, 0);
}

int cell_check_solver(const struct regret_config *c, const struct feature_set *features)
{
    uint64_t side = work_least((uint64_t)c->n_obs + c->n_exp, features->phi->cols);
    if (!features->sparse || side <= MOST_DIRECT_SIDE ||
        cell_solver(c, features) == REGRET_SOLVER_ITERATIVE) {
        return REGRET_OK;
    }
    return regret_fail(REGRET_E_INPUT,
                       "fits of n_obs + n_exp = %zu rows on %zu columns are too large to be solved "
                       "directly: use solver=iterative, which wants penalties of at least %g, or "
                       "fewer rows",
                       c->n_obs + c->n_exp, features->phi->cols, LEAST_ITERATIVE_RHO);
}

static struct fit_work cell_work(const struct regret_config *cell,
                                 const struct feature_set *features, size_t labels)
{
    struct cell of = {cell, features, sizes_of(cell, features)};
    struct fit_work all = {0};
    of.s.iterative = cell_solver(cell, features) == REGRET_SOLVER_ITERATIVE;
    const struct fit_work w = work_of(&of, labels);
    add_times(&all, context_folds(cell, features->grid), &w);
    return all;
}

uint64_t cell_cost(const struct regret_config *cell, const struct feature_set *features,
                   size_t labels)
{
    const uint64_t calls = 860000000; /* for what comes with every replicate: many calls */
    struct fit_work w = cell_work(cell, features, labels);
    uint64_t cost = work_add(weigh(&w), work_mul(context_folds(cell, features->grid), calls)) >> 15;
    return cost < 1 ? 1 : work_least(cost, CELL_COST_MOST);
}

double cell_bytes(const struct regret_config *cell, const struct feature_set *features)
{
    /* Measured: matrices of a pencil, with those of a fold; of iterative fits, a list of 21 candidates at once, vectors and
     * moments each, and copies of their sketch; a row drawn. */
    enum { MATRICES = 6, CANDIDATES = 21, FIT_BYTES = 44, SKETCH_BYTES = 20, ROW_BYTES = 136 };
    const struct fit_sizes s = sizes_of(cell, features);
    int iterative = cell_solver(cell, features) == REGRET_SOLVER_ITERATIVE;
    double drawn = (double)s.drawn, q = (double)s.q, pairs = (double)s.pairs;
    double wide = SKETCH_RANK + (double)s.strong, at_once = CANDIDATES * (double)s.cv_folds;
    double phi = s.sparse ? (iterative ? 24.0 : 16.0) * (double)s.stored : 4.0 * pairs * drawn;
    double fits = iterative ? drawn * (SKETCH_BYTES * SKETCH_RANK + FIT_BYTES * at_once) +
                                  8.0 * at_once * wide * wide
                            : 8.0 * MATRICES * q * q;
    return phi + fits + 16.0 * pairs * (double)(s.z + cell->families.n) +
           ROW_BYTES * ((double)cell->n_obs + (double)cell->n_exp);
}

FREED_POINTER(struct regret_csr, regret_csr_free)
FREED_POINTER(struct regret_tokens, regret_tokens_free)

enum { SAMPLED = 64 };

/* The pairs drawn, and all contexts, those of others without text. */
struct sample {
    size_t n;
    uint32_t context[SAMPLED], agent[SAMPLED];
    const char *output[SAMPLED];
    const char **context_text;
};

FREED_FIELDS(sample, of->context_text)

static int draw(struct sample *s, const struct feature_set *set, const char *const *texts,
                const char *const *context_texts)
{
    size_t pairs = set->pairs, contexts = set->grid->n_contexts;
    TRY(REGRET_NEW(&s->context_text, contexts));
    for (size_t x = 0; x < contexts; x++) {
        s->context_text[x] = "";
    }
    for (size_t i = 0; i < SAMPLED; i++) {
        size_t p = i * pairs / SAMPLED;
        if (texts[p] != NULL) {
            s->context[s->n] = set->context[p];
            s->agent[s->n] = set->agent[p];
            s->context_text[set->context[p]] = context_texts[set->context[p]];
            s->output[s->n++] = texts[p];
        }
    }
    return REGRET_OK;
}

/* Elements of a row on average, rounded up. */
static void measure(struct row_sizes *out, const struct sample *s, const struct regret_csr *own,
                    const struct regret_csr *shared)
{
    size_t entries = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t x = s->context[i];
        entries += shared->row_start[x + 1] - shared->row_start[x];
    }
    *out = (struct row_sizes){regret_csr_entries(own) / (s->n + (s->n == 0)) + 1,
                              entries / (s->n + (s->n == 0)) + 1};
}

int row_sample(struct row_sizes *out, const struct feature_set *set, const char *const *texts,
               const char *const *context_texts)
{
    const struct regret_grid *g = set->grid;
    FREED_BY(sample_fields) struct sample s = {.n = 0};
    FREED_BY(regret_tokens_free_at) struct regret_tokens *contexts = NULL;
    FREED_BY(regret_tokens_free_at) struct regret_tokens *outputs = NULL;
    FREED_BY(regret_csr_free_at) struct regret_csr *own = NULL;
    FREED_BY(regret_csr_free_at) struct regret_csr *shared = NULL;
    TRY(draw(&s, set, texts, context_texts));
    TRY(regret_tokens_build(&contexts, s.context_text, g->n_contexts));
    TRY(regret_tokens_build(&outputs, s.output, s.n));
    const struct regret_pairs pairs = {.n_pairs = s.n,
                                       .contexts = contexts,
                                       .outputs = outputs,
                                       .context = s.context,
                                       .agent = s.agent,
                                       .n_agents = g->n_agents,
                                       .output_texts = s.output,
                                       .context_texts = s.context_text,
                                       .tag = g->kind,
                                       .n_tags = g->n_tags,
                                       .columns = set->columns};
    TRY(features_build_parts(&own, &shared, &pairs, &set->config.features));
    measure(out, &s, own, shared);
    return REGRET_OK;
}
