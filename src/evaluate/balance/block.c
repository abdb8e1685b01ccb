#include "evaluate/balance/block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "evaluate/balance/triplets.h"
#include "regret/alloc.h"

enum {
    MAX_LEVELS = 64, /* dimensions of a covariate of words: the others share them */
    EIGHTHS = 8
};

struct ranked {
    double value;
    size_t at;
};

static int ascending(const void *a, const void *b)
{
    double x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;
    return (x > y) - (x < y);
}

int block_ranks(double *ranks, const double *values, size_t n)
{
    struct ranked *sorted = NULL;
    size_t m = 0;
    TRY(REGRET_NEW(&sorted, n));
    for (size_t i = 0; i < n; i++) {
        ranks[i] = NAN;
        if (!isnan(values[i])) {
            sorted[m++] = (struct ranked){values[i], i};
        }
    }
    if (m > 0) {
        qsort(sorted, m, sizeof *sorted, ascending);
    }
    for (size_t i = 0, end = 0; i < m; i = end) {
        for (end = i + 1; end < m && sorted[end].value <= sorted[i].value; end++) {
        }
        for (size_t k = i; k < end; k++) {
            ranks[sorted[k].at] = 0.5 * (double)(i + end) / (double)m;
        }
    }
    regret_free(sorted);
    return REGRET_OK;
}

int block_tags(struct block *out, const struct regret_log *log, const struct assignment *d)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    FREED_BY(triplets_free) struct triplets t = {.assignment = d};
    size_t *source = NULL;
    if (!log->tag || log->n_tags < 2) {
        return REGRET_OK;
    }
    for (size_t i = 0; i < exp->n; i++) {
        TRY(triplets_add(&t, i, log->tag[exp->context[i]], 1.0));
    }
    TRY(REGRET_NEW(&source, log->n_tags));
    for (size_t k = 0; k < log->n_tags; k++) {
        source[k] = k;
    }
    return triplets_take(out, &t, log->n_tags, source);
}

/* Ranks of values of rows, and 1 in the next dimension where there is none. */
static int add_ranks(struct triplets *t, const double *values, size_t n, size_t dimension)
{
    FREED double *ranks = NULL;
    TRY(REGRET_NEW(&ranks, n));
    TRY(block_ranks(ranks, values, n));
    for (size_t i = 0; i < n; i++) {
        /* A missing value is in the middle: it pulls no agent's mean. */
        TRY(triplets_add(t, i, dimension, isnan(ranks[i]) ? 0.5 : ranks[i]));
        if (isnan(ranks[i])) {
            TRY(triplets_add(t, i, dimension + 1, 1.0));
        }
    }
    return REGRET_OK;
}

static int add_column(struct triplets *t, const struct regret_log *log, double *values,
                      const struct regret_log_column *c, size_t first)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    for (size_t i = 0; i < exp->n && c->is_word; i++) {
        TRY(triplets_add(t, i, first + c->word[exp->context[i]] % MAX_LEVELS, 1.0));
    }
    for (size_t i = 0; i < exp->n && !c->is_word; i++) {
        values[i] = c->value[exp->context[i]];
    }
    return c->is_word ? REGRET_OK : add_ranks(t, values, exp->n, first);
}

int block_covariates(struct block *out, const struct regret_log *log, const struct assignment *d)
{
    struct triplets t = {.assignment = d};
    size_t *source = NULL, n = 0;
    double *values = NULL;
    int rc;
    if (log->n_columns == 0) {
        return REGRET_OK;
    }
    TRY_CLEANUP(REGRET_NEW(&values, d->n_rows));
    TRY_CLEANUP(REGRET_NEW(&source, log->n_columns * MAX_LEVELS));
    for (size_t j = 0; j < log->n_columns; j++) {
        size_t levels = log->column[j].is_word ? MAX_LEVELS : 2;
        TRY_CLEANUP(add_column(&t, log, values, &log->column[j], n));
        for (size_t k = 0; k < levels; k++) {
            source[n++] = j;
        }
    }
    rc = triplets_take(out, &t, n, source);
    source = NULL;
cleanup:
    triplets_free(&t);
    regret_free(source);
    regret_free(values);
    return rc;
}

int block_length(struct block *out, const struct regret_log *log, const struct assignment *d)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    FREED_BY(triplets_free) struct triplets t = {.assignment = d};
    FREED double *values = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&values, exp->n));
    for (size_t i = 0; i < exp->n && log->text; i++) {
        const char *text = log->text[exp->context[i]];
        values[i] = text ? (double)strlen(text) : NAN;
        n += text != NULL;
    }
    if (n == 0) {
        return REGRET_OK;
    }
    TRY(add_ranks(&t, values, exp->n, 0));
    return triplets_take(out, &t, 2, NULL);
}

int block_time(struct block *out, const struct regret_log *log, const struct assignment *d)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    FREED_BY(triplets_free) struct triplets t = {.assignment = d};
    FREED double *ranks = NULL;
    if (!exp->time) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&ranks, exp->n));
    TRY(block_ranks(ranks, exp->time, exp->n));
    TRY(add_ranks(&t, exp->time, exp->n, EIGHTHS));
    for (size_t i = 0; i < exp->n; i++) {
        if (!isnan(ranks[i])) {
            size_t eighth = (size_t)(ranks[i] * EIGHTHS);
            TRY(triplets_add(&t, i, eighth < EIGHTHS ? eighth : EIGHTHS - 1, 1.0));
        }
    }
    return triplets_take(out, &t, EIGHTHS + 2, NULL);
}
