#include "evaluate/repeats.h"

#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/random.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"
#include "regret/status.h"

enum {
    MOST_KEPT = 1 << 20 /* windows that are remembered, chosen by their hash */
};
/* A set of hashes by open addressing; 0 is a free place. */
struct hash_set {
    uint64_t *slot;
    size_t size; /* a power of two */
};

/* 1 where it was there already. */
static int hash_set_add(struct hash_set *set, uint64_t hash)
{
    hash += hash == 0;
    size_t at = (size_t)(hash >> 20U) & (set->size - 1);
    while (set->slot[at] != 0 && set->slot[at] != hash) {
        at = (at + 1) & (set->size - 1);
    }
    int is_there = set->slot[at] == hash;
    set->slot[at] = hash;
    return is_there;
}

static uint64_t hash_row(const struct regret_log_rows *rows, size_t i)
{
    unsigned char bytes[28];
    double time = rows->time && !isnan(rows->time[i]) ? rows->time[i] : 0.0;
    memcpy(bytes, &rows->context[i], 4);
    memcpy(bytes + 4, &rows->agent[i], 4);
    memcpy(bytes + 8, &rows->cluster[i], 4);
    memcpy(bytes + 12, &rows->outcome[i], 8);
    memcpy(bytes + 20, &time, 8);
    return regret_hash64(bytes, sizeof bytes);
}

/* Whether the rows of a window differ at all: a run of one row says nothing. */
static int is_varied(const uint64_t *window)
{
    for (size_t k = 1; k < REPEATS_WINDOW; k++) {
        if (window[k] != window[0]) {
            return 1;
        }
    }
    return 0;
}

/* Of windows of rows in sequence, those that were there before. */
static void count(size_t *repeated, size_t *windows, const struct regret_log_rows *rows,
                  struct hash_set *set, uint64_t mask)
{
    uint64_t ring[REPEATS_WINDOW], window[REPEATS_WINDOW];
    *repeated = *windows = 0;
    for (size_t i = 0; i < rows->n; i++) {
        ring[i % REPEATS_WINDOW] = hash_row(rows, i);
        if (i + 1 < REPEATS_WINDOW) {
            continue;
        }
        for (size_t k = 0; k < REPEATS_WINDOW; k++) {
            window[k] = ring[(i + 1 + k) % REPEATS_WINDOW];
        }
        uint64_t hash = regret_hash64(window, sizeof window);
        if ((hash & mask) == 0 && is_varied(window)) {
            *windows += 1;
            *repeated += (size_t)hash_set_add(set, hash);
        }
    }
}

int repeats_count(double *share, size_t *windows, const struct regret_log_rows *rows)
{
    struct hash_set set = {.size = 1};
    uint64_t mask = 0;
    size_t repeated;
    while ((rows->n >> 1U) > (mask + 1) * (MOST_KEPT / 2)) {
        mask = 2 * mask + 1;
    }
    while (set.size < 4 * rows->n / (mask + 1) + 64) {
        set.size *= 2;
    }
    TRY(REGRET_NEW(&set.slot, set.size));
    count(&repeated, windows, rows, &set, mask);
    *share = *windows > 0 ? (double)repeated / (double)*windows : 0.0;
    regret_free(set.slot);
    return REGRET_OK;
}

/* What a row says but for the names of its context and cluster: 53 bits, as a number that sorts. */
static double kind_of(const struct regret_log *log, const struct regret_log_rows *rows, size_t i)
{
    double said[4 + REGRET_LOG_MAX_COLUMNS] = {rows->agent[i], rows->outcome[i]};
    size_t n = 4;
    uint32_t x = rows->context[i];
    said[2] = rows->time && !isnan(rows->time[i]) ? rows->time[i] : 0.0;
    said[3] = log->tag ? log->tag[x] : 0;
    for (size_t c = 0; c < log->n_columns; c++) {
        const struct regret_log_column *column = &log->column[c];
        double value = column->is_word ? column->word[x] : column->value[x];
        said[n++] = isnan(value) ? -HUGE_VAL : value;
    }
    return (double)(regret_hash64(said, n * sizeof *said) >> 11U);
}

int repeats_times(size_t *times, const struct regret_log *of, enum regret_log_source source)
{
    /* Chance has all counts divide by k in one of k^kinds tables: it is not chance where that is one of e^CERTAIN. */
    static const double CERTAIN = 11.5;
    const struct regret_log_rows *rows = &of->rows[source];
    FREED double *kind = NULL;
    size_t kinds = 0, divisor = 0;
    *times = 1;
    if (of->n_kept < of->n_contexts) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&kind, rows->n));
    for (size_t i = 0; i < rows->n; i++) {
        kind[i] = kind_of(of, rows, i);
    }
    regret_sort_numbers(kind, rows->n);
    for (size_t i = 0, end; i < rows->n; i = end) {
        end = i + 1;
        while (end < rows->n && kind[end] == kind[i]) {
            end++;
        }
        for (size_t rest = end - i; rest != 0;) { /* Euclid's */
            size_t next = divisor % rest;
            divisor = rest;
            rest = next;
        }
        kinds++;
    }
    *times = (double)kinds * log((double)divisor) >= CERTAIN ? divisor : 1;
    return REGRET_OK;
}

/* The text with ASCII letters small and white space as one blank, none at its ends. */
static uint64_t hash_text(struct regret_buffer *scratch, const char *text)
{
    regret_buffer_clear(scratch);
    int is_blank = 0;
    for (; *text; text++) {
        char c = *text;
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            is_blank = scratch->length > 0;
            continue;
        }
        if (is_blank) {
            regret_buffer_append_char(scratch, ' ');
            is_blank = 0;
        }
        regret_buffer_append_char(scratch, c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c);
    }
    return regret_hash64(regret_buffer_get(scratch), scratch->length);
}

/* All that a context is told by: its text, its tag, its covariates; *is_told: there is any. */
static uint64_t hash_content(struct regret_buffer *scratch, const struct regret_log *log, size_t x,
                             int *is_told)
{
    const char *text = log->text != NULL ? log->text[x] : NULL;
    uint64_t said[REGRET_LOG_MAX_COLUMNS + 2];
    size_t n = 0;
    said[n++] = text != NULL ? hash_text(scratch, text) : 0;
    said[n++] = log->tag != NULL ? log->tag[x] : 0;
    *is_told = (text != NULL && text[0] != '\0') || log->tag != NULL || log->n_columns > 0;
    for (size_t j = 0; j < log->n_columns; j++, n++) {
        const struct regret_log_column *column = &log->column[j];
        int is_here = column->n_known == 0 || x < column->n_known;
        double value = column->is_word || !is_here ? 0.0 : column->value[x];
        memcpy(&said[n], &value, sizeof value);
        said[n] = column->is_word && is_here ? column->word[x] : said[n];
    }
    return regret_hash64(said, n * sizeof *said);
}

/* The same by text, tag and covariates together, of contexts that have kept them; *n_told: contexts of which there are any. */
static int texts_find_alike(uint32_t *first, size_t *n_told, const struct regret_log *log)
{
    FREED_BY(regret_buffer_free) struct regret_buffer scratch = REGRET_BUFFER_INIT;
    size_t kept = log->n_kept > 0 ? log->n_kept : log->n_contexts, size = 64;
    FREED uint64_t *hash = NULL;
    FREED uint32_t *slot = NULL;
    *n_told = 0;
    while (size < 2 * kept) {
        size *= 2;
    }
    TRY(REGRET_NEW(&hash, size));
    TRY(REGRET_NEW(&slot, size));
    for (size_t x = 0; x < log->n_contexts; x++) {
        int is_told = 0;
        uint64_t h = x < kept ? hash_content(&scratch, log, x, &is_told) : 0;
        size_t at = (size_t)h & (size - 1);
        first[x] = (uint32_t)x;
        while (is_told && slot[at] != 0 && hash[at] != h) {
            at = (at + 1) & (size - 1);
        }
        if (is_told && slot[at] == 0) {
            slot[at] = (uint32_t)x + 1;
            hash[at] = h;
        }
        first[x] = is_told ? slot[at] - 1 : first[x];
        *n_told += (size_t)is_told;
    }
    return regret_buffer_status(&scratch);
}

int texts_find_copies(uint32_t *first, size_t *n_texts, const struct regret_log *log)
{
    FREED_BY(regret_buffer_free) struct regret_buffer scratch = REGRET_BUFFER_INIT;
    FREED uint64_t *hash = NULL;
    FREED uint32_t *slot = NULL;
    size_t size = 64;
    *n_texts = 0;
    for (size_t x = 0; log->text && x < log->n_contexts; x++) {
        *n_texts += log->text[x] && log->text[x][0];
    }
    while (size < 2 * *n_texts) {
        size *= 2;
    }
    TRY(REGRET_NEW(&hash, size));
    TRY(REGRET_NEW(&slot, size));
    for (size_t x = 0; x < log->n_contexts; x++) {
        first[x] = (uint32_t)x;
        if (!log->text || !log->text[x] || !log->text[x][0]) {
            continue;
        }
        uint64_t h = hash_text(&scratch, log->text[x]);
        size_t at = (size_t)h & (size - 1);
        while (slot[at] != 0 && hash[at] != h) {
            at = (at + 1) & (size - 1);
        }
        if (slot[at] == 0) {
            slot[at] = (uint32_t)x + 1;
            hash[at] = h;
        }
        first[x] = slot[at] - 1;
    }
    return regret_buffer_status(&scratch);
}

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

static uint64_t same_rows_hash_row(const struct comparison *c, const struct regret_log_rows *rows,
                                   size_t i)
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
        counted_add(&c->rows, same_rows_hash_row(c, c->exp, i));
    }
    for (size_t i = 0; i < c->obs->n; i++) {
        uint32_t x = context_of(c, c->obs, i), a = c->obs->agent[i];
        size_t at = counted_find(&c->rows, same_rows_hash_row(c, c->obs, i));
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
        size_t at = counted_find(&c->rows, same_rows_hash_row(c, c->exp, i));
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
        uint64_t hash = rolling_add(&r, i, same_rows_hash_row(c, rows, i));
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
