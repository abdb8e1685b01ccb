#include "evaluate/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "estimate/mixed.h"
#include "linalg/mixed_model.h"
#include "regret/design.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "regret/task.h"
#include "text/tfidf.h"

/* Pairs of contexts with every agent, and rows with every agent that have predictions of their own, at most; and pairs that are drawn, up
 * to which fits are direct [C]. */
enum { MOST_PAIRS = 4000000, MOST_DIRECT_PAIRS = 1500 };

/* What a context is to the evaluation. */
enum { SEEN = 1, COMPLETE = 2 };

/* Marks the contexts of rows, and of recommendations as far as there is room. */
static void mark_contexts(unsigned char *mark, struct material *m)
{
    const struct drawn *d = &m->drawn;
    const struct regret_log *log = m->log;
    size_t complete = 0;
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        int all = (enum regret_log_source)s == d->basis;
        for (size_t i = 0; i < drawn_known(d, (enum regret_log_source)s); i++) {
            unsigned char *of = &mark[drawn_context(d, (enum regret_log_source)s, i)];
            complete += all && !(*of & COMPLETE);
            *of |= (unsigned char)(SEEN | (all ? COMPLETE : 0));
        }
    }
    for (; m->n_advised < log->n_evaluation; m->n_advised++) {
        unsigned char *of = &mark[log->evaluation[m->n_advised]];
        if (!(*of & COMPLETE) && ++complete * log->n_agents > MOST_PAIRS) {
            break;
        }
        *of |= COMPLETE;
    }
}

static int number_contexts(struct material *m, const unsigned char *mark)
{
    TRY(REGRET_NEW(&m->local, m->log->n_contexts));
    for (size_t x = 0; x < m->log->n_contexts; x++) {
        m->local[x] = mark[x] != 0 ? (uint32_t)m->n_contexts++ : UINT32_MAX;
    }
    TRY(REGRET_NEW(&m->log_context, m->n_contexts));
    for (size_t x = 0; x < m->log->n_contexts; x++) {
        if (mark[x] != 0) {
            m->log_context[m->local[x]] = (uint32_t)x;
        }
    }
    return REGRET_OK;
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static uint64_t key_of(const struct material *m, enum regret_log_source s, size_t i)
{
    return (uint64_t)m->local[drawn_context(&m->drawn, s, i)] << 32 | drawn_agent(&m->drawn, s, i);
}

/* The pairs of rows on contexts that do not have all, once each, in order. */
static int single_pairs(uint64_t **out, size_t *n, const struct material *m,
                        const unsigned char *mark)
{
    const struct drawn *d = &m->drawn;
    uint64_t *key = NULL;
    size_t all = drawn_known(d, REGRET_LOG_OBS), found = 0;
    *n = 0;
    TRY(REGRET_NEW(&key, all));
    for (size_t i = 0; i < all; i++) {
        if (!(mark[drawn_context(d, REGRET_LOG_OBS, i)] & COMPLETE)) {
            key[found++] = key_of(m, REGRET_LOG_OBS, i);
        }
    }
    qsort(key, found, sizeof *key, compare_keys);
    for (size_t i = 0; i < found; i++) {
        if (i == 0 || key[i] != key[i - 1]) {
            key[(*n)++] = key[i];
        }
    }
    *out = key;
    return REGRET_OK;
}

static void put_pair(struct material *m, size_t context, size_t agent, int is_seen)
{
    m->context[m->pairs] = (uint32_t)context;
    m->agent[m->pairs] = (uint32_t)agent;
    m->train[m->pairs++] = (unsigned char)is_seen;
}

static int lay_out_pairs(struct material *m, const unsigned char *mark, const uint64_t *key,
                         size_t n_keys)
{
    size_t most = n_keys, next = 0;
    for (size_t x = 0; x < m->n_contexts; x++) {
        most += mark[m->log_context[x]] & COMPLETE ? m->n_agents : 0;
    }
    TRY(REGRET_NEW(&m->agent, most));
    TRY(REGRET_NEW(&m->context, most));
    TRY(REGRET_NEW(&m->train, most));
    TRY(REGRET_NEW(&m->first, m->n_contexts));
    for (size_t x = 0; x < m->n_contexts; x++) {
        unsigned char of = mark[m->log_context[x]];
        m->first[x] = of & COMPLETE ? m->pairs : SIZE_MAX;
        for (size_t a = 0; a < m->n_agents && (of & COMPLETE); a++) {
            put_pair(m, x, a, of & SEEN);
        }
        for (; next < n_keys && key[next] >> 32 == x; next++) {
            put_pair(m, x, (uint32_t)key[next], 1);
        }
    }
    return REGRET_OK;
}

/* The pair of a row on a context that does not have all: both lists are in the same order. */
static size_t find_pair(const struct material *m, uint64_t key)
{
    size_t low = 0, high = m->pairs;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t at = (uint64_t)m->context[middle] << 32 | m->agent[middle];
        low = at < key ? middle + 1 : low;
        high = at < key ? high : middle;
    }
    return low;
}

static int fill_rows(struct material *m)
{
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        enum regret_log_source source = (enum regret_log_source)s;
        TRY(regret_rows_create(&m->rows[s], drawn_known(&m->drawn, source)));
        for (size_t i = 0; i < m->rows[s].n; i++) {
            size_t first = m->first[m->local[drawn_context(&m->drawn, source, i)]];
            size_t agent = drawn_agent(&m->drawn, source, i);
            m->rows[s].pair[i] =
                (uint32_t)(first != SIZE_MAX ? first + agent : find_pair(m, key_of(m, source, i)));
            m->rows[s].y[i] = drawn_outcome(&m->drawn, source, i);
        }
    }
    return REGRET_OK;
}

static int lay_out(struct material *m)
{
    FREED unsigned char *mark = NULL;
    FREED uint64_t *key = NULL;
    size_t n_keys = 0;
    TRY(REGRET_NEW(&mark, m->log->n_contexts));
    mark_contexts(mark, m);
    TRY(number_contexts(m, mark));
    TRY(single_pairs(&key, &n_keys, m, mark));
    TRY(lay_out_pairs(m, mark, key, n_keys));
    return fill_rows(m);
}

static int copy_tags(struct material *m)
{
    if (m->log->tag == NULL || m->log->n_tags < 2) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&m->tag, m->n_contexts));
    m->n_tags = m->log->n_tags;
    for (size_t x = 0; x < m->n_contexts; x++) {
        m->tag[x] = m->log->tag[m->log_context[x]];
    }
    return REGRET_OK;
}

/* Columns that hold anything get numbers from 1, in their order; returns how many. */
static uint32_t number_filled(uint32_t *number, const struct material *m)
{
    const struct regret_csr *const parts[] = {m->own, m->shared};
    uint32_t n = 0;
    for (size_t k = 0; k < 2; k++) {
        for (size_t e = 0; parts[k] != NULL && e < regret_csr_entries(parts[k]); e++) {
            number[parts[k]->column[e]] = 1;
        }
    }
    for (size_t j = 0; j < m->own->cols; j++) {
        number[j] = number[j] ? ++n : 0;
    }
    return n;
}

static void add_dense_row(double *value, size_t pairs, size_t p, const struct regret_csr *part,
                          size_t row, const uint32_t *number)
{
    for (size_t e = part->row_start[row]; e < part->row_start[row + 1]; e++) {
        value[(size_t)(number[part->column[e]] - 1) * pairs + p] += part->value[e];
    }
}

/* φ of few columns, as of a log without words, is made dense: what conjugate gradients in thousands of pairs that are nearly
 * all alike would take is then a small factorisation. */
static int make_dense(struct material *m)
{
    enum { MOST_COLUMNS = 1024, MOST_VALUES = 1 << 25 };
    FREED uint32_t *number = NULL;
    TRY(REGRET_NEW(&number, m->own->cols));
    size_t n = number_filled(number, m);
    if (n == 0 || n > MOST_COLUMNS || n * m->pairs > MOST_VALUES) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&m->dense, n * m->pairs));
    for (size_t p = 0; p < m->pairs; p++) {
        add_dense_row(m->dense, m->pairs, p, m->own, p, number);
        if (m->shared != NULL) {
            add_dense_row(m->dense, m->pairs, p, m->shared, m->context[p], number);
        }
    }
    m->phi = regret_design_dense(m->pairs, n, m->dense);
    return REGRET_OK;
}

/* φ as the cheaper solver wants it. */
static int choose_solver(struct material *m)
{
    FREED unsigned char *seen = NULL;
    size_t n = 0;
    TRY(make_dense(m));
    if (m->dense != NULL) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&seen, m->pairs));
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < m->rows[s].n; i++) {
            n += !seen[m->rows[s].pair[i]];
            seen[m->rows[s].pair[i]] = 1;
        }
    }
    m->phi = regret_design_sparse(m->own, m->shared, m->context);
    m->phi.iterative = n > MOST_DIRECT_PAIRS;
    m->phi.most_direct = MOST_DIRECT_PAIRS; /* the cube of more is never worth the last digits */
    if (!m->phi.iterative) {
        TRY(regret_coordinates_of_design(&m->coordinates, &m->phi, seen));
        m->phi = regret_design_reduced(&m->phi, &m->coordinates);
    }
    return REGRET_OK;
}

/* Rows of OBS by which a step of mixed's fits is of the work that it may be: rows × the columns of a line², and the cube of
 * all columns, or of the requests with two rows, whichever are fewer (linalg/mixed). */
static size_t most_rows(const struct regret_log *log, const struct regret_evaluate_options *options)
{
    const double work = 2e10, fewest = 1000.0;
    double a = (double)log->n_agents, crossed = options->embedding_rank > 0 ? 32.0 : 0.0, own = 0.0;
    for (size_t j = 0; j < log->n_columns; j++) {
        own += log->column[j].is_word ? (double)log->column[j].n_words : OWN_OF_NUMBER;
    }
    own = fmin(own, OWN_COLUMNS_RANK);
    double common = 10.0 + own, of_agent = (double)(log->n_tags > 1 ? log->n_tags : 1) + 1.0 +
                                           fmin(crossed, MIXED_MOST_CROSSED / a) +
                                           fmin(own, MIXED_MOST_OWN / a);
    double line = common + of_agent, all = common + a * of_agent, rows = work / (line * line);
    if (all * all * all > work) {
        rows = fmin(rows, 2.0 * cbrt(work));
    }
    return (size_t)fmax(rows, fewest);
}

/* Rows that are fitted to, fewer where their contexts with every agent are more pairs than there is room for. */
static int draw(struct material *m, const struct regret_evaluate_options *options,
                size_t most[REGRET_LOG_SOURCES])
{
    struct drawn *d = &m->drawn;
    for (size_t contexts = SIZE_MAX; contexts > MOST_PAIRS / m->n_agents;) {
        FREED unsigned char *mark = NULL;
        TRY(REGRET_NEW(&mark, m->log->n_contexts));
        drawn_clear(d);
        TRY(drawn_make(d, m->log, options, most, MOST_PAIRS / 2 / m->n_agents));
        contexts = 0;
        for (size_t i = 0; i < d->n_fitted; i++) {
            unsigned char *of = &mark[drawn_context(d, d->basis, i)];
            contexts += !*of;
            *of = 1;
        }
        most[d->basis] = d->n_fitted / 2;
    }
    return REGRET_OK;
}

static int fill(struct material *m, const struct regret_evaluate_options *options)
{
    size_t most[REGRET_LOG_SOURCES], bound = most_rows(m->log, options);
    most[REGRET_LOG_EXP] = options->rows[REGRET_LOG_EXP];
    most[REGRET_LOG_OBS] =
        bound < options->rows[REGRET_LOG_OBS] ? bound : options->rows[REGRET_LOG_OBS];
    TRY(draw(m, options, most));
    TRY(lay_out(m));
    TRY(copy_tags(m));
    TRY(features_make(m, options));
    return choose_solver(m);
}

int material_make(struct material *out, const struct regret_log *log,
                  const struct regret_evaluate_options *options)
{
    FREED_BY(material_clear) struct material m = {.log = log, .n_agents = log->n_agents};
    TRY(fill(&m, options));
    *out = m;
    memset(&m, 0, sizeof m); /* handed on */
    return REGRET_OK;
}

void material_clear(struct material *m)
{
    drawn_clear(&m->drawn);
    regret_free(m->log_context);
    regret_free(m->local);
    regret_free(m->first);
    regret_free(m->agent);
    regret_free(m->context);
    regret_free(m->train);
    regret_free(m->tag);
    regret_free(m->words);
    regret_csr_free(m->common_words);
    regret_free(m->columns);
    regret_free(m->dense);
    regret_free(m->z);
    regret_csr_free(m->own);
    regret_csr_free(m->shared);
    regret_coordinates_free(&m->coordinates);
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        regret_rows_clear(&m->rows[s]);
    }
}
