#include "evaluate/copies/same_rows.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
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
    size_t n;        /* contexts of EXP are below */
    uint32_t *exps;  /* [n] rows of EXP that a context has */
    uint32_t *known; /* [n] agents that it has in OBS, … */
    double *chance;  /* … and their share of EXP's rows */
    double *share;   /* [agents] of EXP's rows */
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

/* 1 where it was there already. */
static int counted_add(struct counted *set, uint64_t hash)
{
    size_t at = counted_find(set, hash);
    set->hash[at] = hash;
    return set->count[at]++ > 0;
}

static uint64_t hash_row(const struct comparison *c, const struct regret_log_rows *rows, size_t i)
{
    const uint64_t key[] = {c->by_context ? rows->context[i] : 0, rows->agent[i],
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
        c->n = c->exp->context[i] >= c->n ? (size_t)c->exp->context[i] + 1 : c->n;
    }
    TRY(REGRET_NEW(&c->exps, c->n));
    TRY(REGRET_NEW(&c->known, c->n));
    TRY(REGRET_NEW(&c->chance, c->n));
    TRY(REGRET_NEW(&c->share, c->log->n_agents));
    for (size_t i = 0; i < c->exp->n; i++) {
        c->exps[c->exp->context[i]]++;
        c->share[c->exp->agent[i]] += 1.0 / (double)c->exp->n;
    }
    size_t rows = 0;
    for (size_t i = 0; i < c->obs->n; i++) {
        rows += (size_t)is_shared(c, c->obs->context[i]);
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
        uint32_t x = c->obs->context[i], a = c->obs->agent[i];
        size_t at = counted_find(&c->rows, hash_row(c, c->obs, i));
        alike += c->rows.count[at];
        if (c->rows.count[at] > 0 && c->rows.line[at] == 0) {
            c->rows.line[at] = c->obs->line[i];
        }
        if (is_shared(c, x) && !counted_add(&c->pairs, hash_pair(x, a))) {
            c->known[x]++;
            c->chance[x] += c->share[a];
        }
    }
    c->alike = alike / (double)c->exp->n / (double)c->obs->n;
}

/* A row of a context that has k agents in OBS is alike at most as often as these are assigned: of 1 [alike] / p the mean is at most
 * k, and of copies it is the number of agents that there are. And so by the shares of agents, where the stated p are wrong. */
static void count_alike(struct same_rows *out, const struct comparison *c)
{
    double above = 0.0, square = 0.0, whole = 0.0, more = 0.0, most = 0.0;
    for (size_t i = 0; i < c->exp->n && c->by_context; i++) {
        size_t at = counted_find(&c->rows, hash_row(c, c->exp, i));
        uint32_t x = c->exp->context[i];
        int is_alike = c->rows.line[at] != 0;
        if (is_alike && out->n++ == 0) {
            out->exp_line = c->exp->line[i];
            out->obs_line = c->rows.line[at];
        }
        double weight = 1.0 / c->exp->propensity[i];
        double one = (is_alike ? weight : 0.0) - c->known[x];
        above += one;
        square += one * one;
        whole += weight - c->known[x];
        more += is_alike - c->chance[x];
        most += 1.0 - c->chance[x];
    }
    if (above > sure * sqrt(square) && whole > 0.0 && more > 0.0) {
        out->share = fmin(fmin(above / whole, more / most), 1.0);
    }
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

int same_rows_count(struct same_rows *out, const struct regret_log *log)
{
    struct comparison c = {
        .log = log, .exp = &log->rows[REGRET_LOG_EXP], .obs = &log->rows[REGRET_LOG_OBS]};
    int rc;
    *out = (struct same_rows){0};
    TRY_CLEANUP(begin(&c));
    compare_rows(&c);
    count_alike(out, &c);
    rc = count_sequences(out, &c);
cleanup:
    regret_free(c.exps);
    regret_free(c.known);
    regret_free(c.chance);
    regret_free(c.share);
    counted_free(&c.rows);
    counted_free(&c.pairs);
    return rc;
}
