#include "evaluate/copies/same_rows.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "evaluate/copies/texts.h"
#include "regret/alloc.h"
#include "regret/hash.h"

enum { LEAST_WINDOW = 8, MOST_WINDOW = 64 };
static const double sure = 4.0;    /* standard errors */
static const double rarely = 1e-4; /* windows expected to be alike by chance */

/* Hashes by open addressing, 0 a free place, each with two numbers. */
struct counted {
    uint64_t *hash, *line;
    uint32_t *count;
    size_t size; /* a power of two */
};

struct comparison {
    const struct regret_log *log;
    const struct regret_log_rows *exp, *obs;
    const uint32_t *name; /* [contexts] what they go by; NULL: their own */
    size_t n;             /* contexts of EXP are below */
    uint32_t *exps;       /* [n] rows of EXP that a context has */
    uint32_t *others;     /* [n] … and of OBS */
    double *share;        /* [agents] of EXP's rows */
    int by_context, by_cluster, by_time;
    struct counted rows;  /* of EXP: how many, and the first line of OBS that says the same */
    struct counted pairs; /* contexts of EXP and agents that they have in OBS */
    double alike;         /* that a row of each, drawn at random, say the same */
};

static int counted_begin(struct counted *set, size_t n)
{
    set->size = 64;
    while (set->size < 2 * n) {
        set->size *= 2;
    }
    TRY(REGRET_NEW(&set->hash, set->size));
    TRY(REGRET_NEW(&set->line, set->size));
    return REGRET_NEW(&set->count, set->size);
}

static void counted_free(struct counted *set)
{
    regret_free(set->hash);
    regret_free(set->line);
    regret_free(set->count);
}

/* Where it is, or belongs. */
static size_t counted_find(const struct counted *set, uint64_t hash)
{
    size_t at = (size_t)(hash >> 20U) & (set->size - 1);
    while (set->hash[at] != 0 && set->hash[at] != hash) {
        at = (at + 1) & (set->size - 1);
    }
    return at;
}

static void counted_add(struct counted *set, uint64_t hash)
{
    size_t at = counted_find(set, hash);
    set->hash[at] = hash;
    set->count[at]++;
}

static uint32_t context_of(const struct comparison *c, const struct regret_log_rows *rows, size_t i)
{
    return c->name != NULL ? c->name[rows->context[i]] : rows->context[i];
}

static uint64_t hash_row(const struct comparison *c, const struct regret_log_rows *rows, size_t i)
{
    const uint64_t key[] = {c->by_context ? context_of(c, rows, i) : 0, rows->agent[i],
                            c->by_cluster ? rows->cluster[i] : 0};
    double numbers[] = {rows->outcome[i], c->by_time ? rows->time[i] : 0.0};
    unsigned char bytes[sizeof key + sizeof numbers];
    numbers[1] = isnan(numbers[1]) ? 0.0 : numbers[1];
    memcpy(bytes, key, sizeof key);
    memcpy(bytes + sizeof key, numbers, sizeof numbers);
    uint64_t hash = regret_hash64(bytes, sizeof bytes);
    return hash + (hash == 0);
}

static uint64_t hash_pair(uint32_t context, uint32_t agent)
{
    const uint32_t key[] = {context, agent};
    uint64_t hash = regret_hash64(key, sizeof key);
    return hash + (hash == 0);
}

static int is_shared(const struct comparison *c, uint32_t context)
{
    return context < c->n && c->exps[context] > 0;
}

static int begin(struct comparison *c)
{
    for (size_t i = 0; i < c->exp->n; i++) {
        uint32_t x = context_of(c, c->exp, i);
        c->n = x >= c->n ? (size_t)x + 1 : c->n;
    }
    TRY(REGRET_NEW(&c->exps, c->n));
    TRY(REGRET_NEW(&c->others, c->n));
    TRY(REGRET_NEW(&c->share, c->log->n_agents));
    for (size_t i = 0; i < c->exp->n; i++) {
        c->exps[context_of(c, c->exp, i)]++;
        c->share[c->exp->agent[i]] += 1.0 / (double)c->exp->n;
    }
    size_t rows = 0;
    for (size_t i = 0; i < c->obs->n; i++) {
        rows += (size_t)is_shared(c, context_of(c, c->obs, i));
    }
    c->by_context = rows > 0;
    c->by_cluster = strcmp(c->log->cluster_name, "context") != 0;
    c->by_time = c->exp->time != NULL && c->obs->time != NULL;
    TRY(counted_begin(&c->rows, c->exp->n));
    return counted_begin(&c->pairs, rows);
}

static void compare_rows(struct comparison *c)
{
    double alike = 0.0;
    for (size_t i = 0; i < c->exp->n; i++) {
        counted_add(&c->rows, hash_row(c, c->exp, i));
    }
    for (size_t i = 0; i < c->obs->n; i++) {
        uint32_t x = context_of(c, c->obs, i), a = c->obs->agent[i];
        size_t at = counted_find(&c->rows, hash_row(c, c->obs, i));
        alike += c->rows.count[at];
        if (c->rows.count[at] > 0 && c->rows.line[at] == 0) {
            c->rows.line[at] = c->obs->line[i];
        }
        if (is_shared(c, x)) {
            counted_add(&c->pairs, hash_pair(x, a));
            c->others[x]++;
        }
    }
    c->alike = alike / (double)c->exp->n / (double)c->obs->n;
}

/* What rows of EXP add up to, and by the clusters that they are assigned in. */
struct excess {
    double sum, of_copies;
    double *of_cluster; /* [n_clusters]; owned */
};

/* A row of EXP on a context that has m rows in OBS, k of them of its agent, which it had the chance p to get: k/p has the mean m where
 * chance alone gave it, and of a copy 1/p − 1 more. Each counts 1/m, for of many rows one that is a copy is hardly seen. */
static void add_excess(struct excess *e, const struct comparison *c, size_t i, double p)
{
    uint32_t x = context_of(c, c->exp, i), a = c->exp->agent[i];
    double m = c->others[x], k = c->pairs.count[counted_find(&c->pairs, hash_pair(x, a))];
    if (m > 0.0) {
        e->sum += (k / p - m) / m;
        e->of_copies += (1.0 / p - 1.0) / m;
        e->of_cluster[c->exp->cluster[i]] += (k / p - m) / m;
    }
}

/* The share of copies among rows on contexts that OBS has; 0 where chance may have made what is alike. */
static double share_of(const struct excess *e, size_t n_clusters)
{
    double squares = 0.0;
    for (size_t c = 0; c < n_clusters; c++) {
        squares += e->of_cluster[c] * e->of_cluster[c];
    }
    return e->sum > sure * sqrt(squares) ? e->sum / e->of_copies : 0.0;
}

/* By the chances that are stated, and by the shares of agents, where those are wrong: what says less counts. */
static int count_alike(struct same_rows *out, const struct comparison *c)
{
    struct excess stated = {0}, seen = {0};
    FREED double *of_clusters = NULL;
    double shared = 0.0, n = (double)c->exp->n;
    TRY(REGRET_NEW(&of_clusters, 2 * c->log->n_clusters));
    stated.of_cluster = of_clusters;
    seen.of_cluster = of_clusters + c->log->n_clusters;
    for (size_t i = 0; i < c->exp->n && c->by_context; i++) {
        size_t at = counted_find(&c->rows, hash_row(c, c->exp, i));
        if (c->rows.line[at] != 0 && out->n++ == 0) {
            out->exp_line = c->exp->line[i];
            out->obs_line = c->rows.line[at];
        }
        add_excess(&stated, c, i, c->exp->propensity[i]);
        add_excess(&seen, c, i, c->share[c->exp->agent[i]]);
        shared += c->others[context_of(c, c->exp, i)] > 0;
    }
    double share = fmin(share_of(&stated, c->log->n_clusters), share_of(&seen, c->log->n_clusters));
    out->share = fmin(share * shared, (double)out->n) / n;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- in sequence */

/* Rows in sequence that do not come again by chance; 0: no so many do. */
static size_t window_of(const struct comparison *c)
{
    double n = c->alike < 1.0 ? log(rarely / (double)c->obs->n) / log(c->alike) : MOST_WINDOW + 1;
    size_t window = n < LEAST_WINDOW ? LEAST_WINDOW : n <= MOST_WINDOW ? (size_t)ceil(n) : 0;
    return 2 * window <= c->exp->n && window <= c->obs->n ? window : 0;
}

/* A hash of each window, the next from the one before; *at is that of the window that ends with row i. */
struct rolling {
    uint64_t value, last; /* the factor of the row that leaves */
    uint64_t ring[MOST_WINDOW];
    size_t window;
};
static const uint64_t factor = 0x9E3779B97F4A7C15U;

static void rolling_begin(struct rolling *r, size_t window)
{
    *r = (struct rolling){.last = 1, .window = window};
    for (size_t k = 0; k < window; k++) {
        r->last *= factor;
    }
}

static uint64_t rolling_add(struct rolling *r, size_t i, uint64_t hash)
{
    uint64_t *place = &r->ring[i % r->window];
    r->value = r->value * factor + hash - *place * r->last;
    *place = hash;
    return r->value + (r->value == 0);
}

/* The windows of rows: those of EXP are entered, those of OBS say where they stand. */
static void enter_windows(struct counted *set, const struct comparison *c, size_t window,
                          const struct regret_log_rows *rows)
{
    struct rolling r;
    rolling_begin(&r, window);
    for (size_t i = 0; i < rows->n; i++) {
        uint64_t hash = rolling_add(&r, i, hash_row(c, rows, i));
        size_t at = counted_find(set, hash);
        if (i + 1 >= window && rows == c->exp) {
            counted_add(set, hash);
        } else if (i + 1 >= window && set->count[at] > 0 && set->line[at] == 0) {
            set->line[at] = rows->line[i + 1 - window];
        }
    }
}

/* Of windows that EXP has once, those that OBS has, too. */
static int count_sequences(struct same_rows *out, const struct comparison *c)
{
    FREED_BY(counted_free) struct counted set = {0};
    size_t window = window_of(c), found = 0;
    if (window == 0) {
        return REGRET_OK;
    }
    TRY(counted_begin(&set, c->exp->n));
    enter_windows(&set, c, window, c->exp);
    enter_windows(&set, c, window, c->obs);
    for (size_t at = 0; at < set.size; at++) {
        found += set.count[at] == 1 && set.line[at] != 0;
    }
    double share = (double)found / (double)(c->exp->n - window + 1);
    if (share > 0.5 && share > out->share) {
        out->share = share;
        out->n = found + window - 1;
    }
    return REGRET_OK;
}

static int compare_by(struct same_rows *out, const struct regret_log *log, const uint32_t *name)
{
    struct comparison c = {.log = log,
                           .exp = &log->rows[REGRET_LOG_EXP],
                           .obs = &log->rows[REGRET_LOG_OBS],
                           .name = name};
    int rc;
    *out = (struct same_rows){0};
    TRY_CLEANUP(begin(&c));
    compare_rows(&c);
    TRY_CLEANUP(count_alike(out, &c));
    rc = count_sequences(out, &c);
cleanup:
    regret_free(c.exps);
    regret_free(c.others);
    regret_free(c.share);
    counted_free(&c.rows);
    counted_free(&c.pairs);
    return rc;
}

int same_rows_count(struct same_rows *out, const struct regret_log *log)
{
    FREED uint32_t *name = NULL;
    struct same_rows by_content = {0};
    size_t n_told = 0, n = log->rows[REGRET_LOG_OBS].n;
    TRY(compare_by(out, log, NULL));
    TRY(REGRET_NEW(&name, log->n_contexts));
    TRY(texts_find_alike(name, &n_told, log));
    if (n_told == 0) {
        return REGRET_OK;
    }
    TRY(compare_by(&by_content, log, name));
    if (log->n_drawn > 0 && log->n_drawn < n) { /* what others are told by is not kept */
        by_content.share = fmin(1.0, by_content.share * (double)n / (double)log->n_drawn);
    }
    *out = by_content.share > out->share ? by_content : *out;
    return REGRET_OK;
}
