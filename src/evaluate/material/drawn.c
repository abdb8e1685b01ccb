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

enum { OTHERS, KNOWN, FITTED, PARTS };

/* Which part the rows of clusters are of: all FITTED, or in random order as many as hold no more than `most` rows, one at least; of the
 * others as many are KNOWN as hold with them no more than most_known. */
static int choose_clusters(unsigned char *part, const struct regret_log *log,
                           enum regret_log_source source, size_t most, size_t most_known,
                           uint64_t seed)
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
        int is_taken = more > 0 && (n == 0 || n + more <= most);
        part[order[i]] = is_taken ? FITTED : OTHERS;
        n += is_taken ? more : 0;
    }
    for (size_t i = 0; i < log->n_clusters; i++) {
        size_t more = count[order[i]];
        int is_taken = part[order[i]] == OTHERS && more > 0 && n + more <= most_known;
        part[order[i]] = is_taken ? KNOWN : part[order[i]];
        n += is_taken ? more : 0;
    }
    return REGRET_OK;
}

static int draw_rows(struct drawn *d, enum regret_log_source source, size_t most, size_t most_known,
                     uint64_t seed)
{
    const struct regret_log_rows *rows = &d->log->rows[source];
    size_t n = count_rows(d->log, source), to = 0, end[PARTS] = {0};
    FREED unsigned char *part = NULL;
    TRY(REGRET_NEW(&part, d->log->n_clusters));
    TRY(REGRET_NEW(&d->row[source], n));
    TRY(choose_clusters(part, d->log, source, most, most_known, seed));
    for (int p = FITTED; p >= (source == d->basis ? OTHERS : FITTED); p--) {
        for (size_t i = 0; i < n; i++) {
            if (part[rows->cluster[row_of(d->log, source, i)]] == p) {
                d->row[source][to++] = (uint32_t)row_of(d->log, source, i);
            }
        }
        end[p] = to;
    }
    d->n[source] = to;
    d->n_fitted = source == d->basis ? end[FITTED] : d->n_fitted;
    d->n_known = source == d->basis ? end[KNOWN] : d->n_known;
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
                const size_t most[REGRET_LOG_SOURCES], size_t most_known)
{
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        TRY(draw_rows(d, (enum regret_log_source)s, most[s], most_known, options->seed));
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
               const struct regret_evaluate_options *options, const size_t most[REGRET_LOG_SOURCES],
               size_t most_known)
{
    struct drawn d = {.log = log};
    d.basis = rows_of_values(log);
    int rc = fill(&d, options, most, most_known);
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
