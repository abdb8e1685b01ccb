#include "evaluate/material/drawn.h"

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/rng.h"

/* Of a large log the reader has kept the texts of some rows alone. */
static int is_drawn_before(const struct regret_log *log, enum regret_log_source source)
{
    return source == REGRET_LOG_OBS && log->n_drawn > 0;
}

static size_t count_rows(const struct regret_log *log, enum regret_log_source source)
{
    return is_drawn_before(log, source) ? log->n_drawn : log->rows[source].n;
}

static size_t row_of(const struct regret_log *log, enum regret_log_source source, size_t i)
{
    return is_drawn_before(log, source) ? log->drawn[i] : i;
}

/* The clusters whose rows are taken: all, or in random order as many as hold no more than `most` rows, one at least. */
static int choose_clusters(unsigned char *taken, const struct regret_log *log,
                           enum regret_log_source source, size_t most, uint64_t seed)
{
    const struct regret_log_rows *rows = &log->rows[source];
    uint32_t purpose = source == REGRET_LOG_OBS ? REGRET_RNG_OBS_ROW : REGRET_RNG_EXP_ROW;
    size_t n = 0;
    FREED size_t *order = NULL, *count = NULL;
    TRY(REGRET_NEW(&count, log->n_clusters));
    TRY(regret_rng_order(&order, log->n_clusters, seed, purpose, 0));
    for (size_t i = 0; i < count_rows(log, source); i++) {
        count[rows->cluster[row_of(log, source, i)]]++;
    }
    for (size_t i = 0; i < log->n_clusters; i++) {
        size_t more = count[order[i]];
        taken[order[i]] = more > 0 && (n == 0 || n + more <= most);
        n += taken[order[i]] ? more : 0;
    }
    return REGRET_OK;
}

static int draw_rows(struct drawn *d, enum regret_log_source source, size_t most, uint64_t seed)
{
    const struct regret_log_rows *rows = &d->log->rows[source];
    FREED unsigned char *taken = NULL;
    TRY(REGRET_NEW(&taken, d->log->n_clusters));
    TRY(choose_clusters(taken, d->log, source, most, seed));
    for (size_t i = 0; i < count_rows(d->log, source); i++) {
        d->n[source] += taken[rows->cluster[row_of(d->log, source, i)]];
    }
    TRY(REGRET_NEW(&d->row[source], d->n[source]));
    for (size_t i = 0, to = 0; i < count_rows(d->log, source); i++) {
        if (taken[rows->cluster[row_of(d->log, source, i)]]) {
            d->row[source][to++] = (uint32_t)row_of(d->log, source, i);
        }
    }
    return REGRET_OK;
}

/* Numbers the clusters of the basis in their order in the log. */
static int number_clusters(struct drawn *d)
{
    const struct regret_log_rows *rows = &d->log->rows[d->basis];
    FREED uint32_t *number = NULL;
    size_t n = d->n[d->basis];
    TRY(REGRET_NEW(&number, d->log->n_clusters));
    TRY(REGRET_NEW(&d->cluster, n));
    for (size_t i = 0; i < n; i++) {
        number[rows->cluster[d->row[d->basis][i]]] = 1;
    }
    for (size_t c = 0; c < d->log->n_clusters; c++) {
        number[c] = number[c] ? (uint32_t)d->n_clusters++ : UINT32_MAX;
    }
    for (size_t i = 0; i < n; i++) {
        d->cluster[i] = number[rows->cluster[d->row[d->basis][i]]];
    }
    return REGRET_OK;
}

static int deal_folds(struct drawn *d, size_t folds, uint64_t seed)
{
    const struct regret_log_rows *rows = &d->log->rows[d->basis];
    size_t n = d->n[d->basis];
    FREED size_t *order = NULL;
    FREED uint32_t *fold = NULL;
    d->n_folds = folds < d->n_clusters ? folds : d->n_clusters;
    TRY(REGRET_NEW(&fold, d->n_clusters));
    TRY(REGRET_NEW(&d->fold, n));
    TRY(REGRET_NEW(&d->fold_of, d->log->n_clusters));
    TRY(regret_rng_order(&order, d->n_clusters, seed, REGRET_RNG_DR_FOLDS, 0));
    for (size_t c = 0; c < d->n_clusters; c++) {
        fold[order[c]] = (uint32_t)(c % d->n_folds);
    }
    for (size_t c = 0; c < d->log->n_clusters; c++) {
        d->fold_of[c] = UINT32_MAX;
    }
    for (size_t i = 0; i < n; i++) {
        d->fold[i] = fold[d->cluster[i]];
        d->fold_of[rows->cluster[d->row[d->basis][i]]] = d->fold[i];
    }
    return REGRET_OK;
}

static int fill(struct drawn *d, const struct regret_evaluate_options *options,
                const size_t most[REGRET_LOG_SOURCES])
{
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        TRY(draw_rows(d, (enum regret_log_source)s, most[s], options->seed));
    }
    TRY(number_clusters(d));
    if (d->n_clusters < 2) {
        return regret_fail(REGRET_E_INPUT,
                           "all rows of %s are of one %s: nothing says how far others would lie "
                           "from it; name a finer \"cluster\", or collect more",
                           regret_log_source_name(d->basis), d->log->cluster_name);
    }
    return deal_folds(d, options->folds, options->seed);
}

int drawn_make(struct drawn *out, const struct regret_log *log,
               const struct regret_evaluate_options *options, const size_t most[REGRET_LOG_SOURCES])
{
    struct drawn d = {.log = log};
    d.basis = log->rows[REGRET_LOG_EXP].n > 0 ? REGRET_LOG_EXP : REGRET_LOG_OBS;
    int rc = fill(&d, options, most);
    if (rc != REGRET_OK) {
        drawn_clear(&d);
        return rc;
    }
    *out = d;
    return REGRET_OK;
}

void drawn_clear(struct drawn *d)
{
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        regret_free(d->row[s]);
    }
    regret_free(d->cluster);
    regret_free(d->fold);
    regret_free(d->fold_of);
}
