/* Rows that stand twice, and trials within logs. */
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/random.h"
#include "base/status.h"
#include "evaluate/diagnose.h"
#include "log/log.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"
#include "regret/status.h"

enum { MOST_KEPT = 1 << 20 /* windows that are remembered, chosen by their hash */ };

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

int repeats_count(double *share, size_t *windows, const struct regret_log_rows *rows)
{
    FREED_BY(log_keys_free) struct log_keys seen = {0};
    uint64_t ring[REPEATS_WINDOW], window[REPEATS_WINDOW], mask = 0;
    uint32_t number;
    while ((rows->n >> 1U) > (mask + 1) * (MOST_KEPT / 2)) {
        mask = 2 * mask + 1;
    }
    *windows = 0;
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
            TRY(log_keys_put(&number, &seen, hash));
        }
    }
    *share = *windows > 0 ? (double)(*windows - seen.n) / (double)*windows : 0.0;
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

/* What a context is told by, as a hash; 0: by nothing. */
typedef uint64_t told_by(struct regret_buffer *scratch, const struct regret_log *log, size_t x);

static uint64_t by_text(struct regret_buffer *scratch, const struct regret_log *log, size_t x)
{
    const char *text = log->text != NULL ? log->text[x] : NULL;
    return text != NULL && text[0] != '\0' ? hash_text(scratch, text) : 0;
}

/* Its text, its tag and its covariates together, of contexts that have kept them. */
static uint64_t by_content(struct regret_buffer *scratch, const struct regret_log *log, size_t x)
{
    const char *text = log->text != NULL ? log->text[x] : NULL;
    uint64_t said[REGRET_LOG_MAX_COLUMNS + 2];
    size_t n = 0, kept = log->n_kept > 0 ? log->n_kept : log->n_contexts;
    int is_told = (text != NULL && text[0] != '\0') || log->tag != NULL || log->n_columns > 0;
    if (x >= kept || !is_told) {
        return 0;
    }
    said[n++] = text != NULL ? hash_text(scratch, text) : 0;
    said[n++] = log->tag != NULL ? log->tag[x] : 0;
    for (size_t j = 0; j < log->n_columns; j++, n++) {
        const struct regret_log_column *column = &log->column[j];
        int is_here = column->n_known == 0 || x < column->n_known;
        double value = column->is_word || !is_here ? 0.0 : column->value[x];
        memcpy(&said[n], &value, sizeof value);
        said[n] = column->is_word && is_here ? column->word[x] : said[n];
    }
    return regret_hash64(said, n * sizeof *said);
}

/* first[x]: the first context that is told by the same, itself where it is by nothing; *n_told: those told by anything. */
static int find_first(uint32_t *first, size_t *n_told, const struct regret_log *log, told_by *hash)
{
    FREED_BY(regret_buffer_free) struct regret_buffer scratch = REGRET_BUFFER_INIT;
    FREED_BY(log_keys_free) struct log_keys keys = {0};
    FREED uint32_t *of = NULL; /* of each key */
    *n_told = 0;
    TRY(REGRET_NEW(&of, log->n_contexts));
    for (size_t x = 0; x < log->n_contexts; x++) {
        uint64_t told = hash(&scratch, log, x);
        size_t before = keys.n;
        uint32_t key = 0;
        first[x] = (uint32_t)x;
        if (told != 0) {
            TRY(log_keys_put(&key, &keys, told));
            of[key] = keys.n > before ? (uint32_t)x : of[key];
            first[x] = of[key];
            ++*n_told;
        }
    }
    return regret_buffer_status(&scratch);
}

int texts_find_copies(uint32_t *first, size_t *n_texts, const struct regret_log *log)
{
    return find_first(first, n_texts, log, by_text);
}

enum { LEAST_WINDOW = 8, MOST_WINDOW = 64 };
static const double sure = 4.0;    /* standard errors */
static const double rarely = 1e-4; /* windows expected to be alike by chance */

/* Hashes, each with two numbers. */
struct counted {
    struct log_keys keys;
    struct line_count {
        uint64_t line; /* 0: none */
        uint32_t n;
    } * at; /* owned, as the keys */
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

static void counted_free(struct counted *set)
{
    log_keys_free(&set->keys);
    regret_free(set->at);
}

/* NULL: it is not there. */
static struct line_count *counted_find(const struct counted *set, uint64_t hash)
{
    uint32_t key = log_keys_find(&set->keys, hash);
    return key != UINT32_MAX ? &set->at[key] : NULL;
}

/* Of those that there is room for. */
static int counted_add(struct counted *set, uint64_t hash)
{
    uint32_t key;
    TRY(log_keys_put(&key, &set->keys, hash));
    set->at[key].n++;
    return REGRET_OK;
}

static void counted_find_line(struct counted *set, uint64_t hash, uint64_t line)
{
    struct line_count *of = counted_find(set, hash);
    if (of != NULL && of->line == 0) {
        of->line = line;
    }
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
    return regret_hash64(bytes, sizeof bytes);
}

static uint64_t hash_pair(uint32_t context, uint32_t agent)
{
    const uint32_t key[] = {context, agent};
    return regret_hash64(key, sizeof key);
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
    TRY(REGRET_NEW(&c->rows.at, c->exp->n));
    return REGRET_NEW(&c->pairs.at, rows);
}

static int compare_rows(struct comparison *c)
{
    double alike = 0.0;
    for (size_t i = 0; i < c->exp->n; i++) {
        TRY(counted_add(&c->rows, same_rows_hash_row(c, c->exp, i)));
    }
    for (size_t i = 0; i < c->obs->n; i++) {
        uint32_t x = context_of(c, c->obs, i), a = c->obs->agent[i];
        uint64_t hash = same_rows_hash_row(c, c->obs, i);
        const struct line_count *of = counted_find(&c->rows, hash);
        alike += of != NULL ? of->n : 0;
        counted_find_line(&c->rows, hash, c->obs->line[i]);
        if (is_shared(c, x)) {
            TRY(counted_add(&c->pairs, hash_pair(x, a)));
            c->others[x]++;
        }
    }
    c->alike = alike / (double)c->exp->n / (double)c->obs->n;
    return REGRET_OK;
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
    const struct line_count *pair = counted_find(&c->pairs, hash_pair(x, a));
    double m = c->others[x], k = pair != NULL ? pair->n : 0;
    if (m > 0.0) {
        e->sum += (k / p - m) / m;
        e->of_copies += (1.0 / p - 1.0) / m;
        e->of_cluster[c->exp->cluster[i]] += (k / p - m) / m;
    }
}

/* The share of copies among rows on contexts that OBS has; 0 where chance may have made what is alike. */
static double copied_share(const struct excess *e, size_t n_clusters)
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
        const struct line_count *row = counted_find(&c->rows, same_rows_hash_row(c, c->exp, i));
        if (row->line != 0 && out->n++ == 0) {
            out->exp_line = c->exp->line[i];
            out->obs_line = row->line;
        }
        add_excess(&stated, c, i, c->exp->propensity[i]);
        add_excess(&seen, c, i, c->share[c->exp->agent[i]]);
        shared += c->others[context_of(c, c->exp, i)] > 0;
    }
    double share =
        fmin(copied_share(&stated, c->log->n_clusters), copied_share(&seen, c->log->n_clusters));
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
    return r->value;
}

/* The windows of rows: those of EXP are entered, those of OBS say where they stand. */
static int enter_windows(struct counted *set, const struct comparison *c, size_t window,
                         const struct regret_log_rows *rows)
{
    struct rolling r;
    rolling_begin(&r, window);
    for (size_t i = 0; i < rows->n; i++) {
        uint64_t hash = rolling_add(&r, i, same_rows_hash_row(c, rows, i));
        if (i + 1 >= window && rows == c->exp) {
            TRY(counted_add(set, hash));
        } else if (i + 1 >= window) {
            counted_find_line(set, hash, rows->line[i + 1 - window]);
        }
    }
    return REGRET_OK;
}

/* Of windows that EXP has once, those that OBS has, too. */
static int count_sequences(struct same_rows *out, const struct comparison *c)
{
    FREED_BY(counted_free) struct counted set = {0};
    size_t window = window_of(c), found = 0;
    if (window == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&set.at, c->exp->n));
    TRY(enter_windows(&set, c, window, c->exp));
    TRY(enter_windows(&set, c, window, c->obs));
    for (size_t k = 0; k < set.keys.n; k++) {
        found += set.at[k].n == 1 && set.at[k].line != 0;
    }
    double share = (double)found / (double)(c->exp->n - window + 1);
    if (share > 0.5 && share > out->share) {
        out->share = share;
        out->n = found + window - 1;
    }
    return REGRET_OK;
}

static void comparison_free(struct comparison *c)
{
    regret_free(c->exps);
    regret_free(c->others);
    regret_free(c->share);
    counted_free(&c->rows);
    counted_free(&c->pairs);
}

static int compare_by(struct same_rows *out, const struct regret_log *log, const uint32_t *name)
{
    FREED_BY(comparison_free)
    struct comparison c = {.log = log,
                           .exp = &log->rows[REGRET_LOG_EXP],
                           .obs = &log->rows[REGRET_LOG_OBS],
                           .name = name};
    *out = (struct same_rows){0};
    TRY(begin(&c));
    TRY(compare_rows(&c));
    TRY(count_alike(out, &c));
    return count_sequences(out, &c);
}

int same_rows_count(struct same_rows *out, const struct regret_log *log)
{
    FREED uint32_t *name = NULL;
    struct same_rows other = {0};
    size_t n_told = 0, n = log->rows[REGRET_LOG_OBS].n;
    TRY(compare_by(out, log, NULL));
    TRY(REGRET_NEW(&name, log->n_contexts));
    TRY(find_first(name, &n_told, log, by_content));
    if (n_told == 0) {
        return REGRET_OK;
    }
    TRY(compare_by(&other, log, name));
    if (log->n_drawn > 0 && log->n_drawn < n) { /* what others are told by is not kept */
        other.share = fmin(1.0, other.share * (double)n / (double)log->n_drawn);
    }
    *out = other.share > out->share ? other : *out;
    return REGRET_OK;
}
