/* What queries of a report have beyond SQL: estimates over seeds, ranks, intervals by seeds and contexts, hulls. */
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/random.h"
#include "base/status.h"
#include "regret/status.h"
#include "report/internal.h"
#include "report/lists.h"
#include "stats/distributions.h"
#include "stats/resampling.h"

void query_fail(sqlite3_context *context, int rc)
{
    rc == REGRET_E_NOMEM ? sqlite3_result_error_nomem(context)
                         : sqlite3_result_error(context, regret_error_message(), -1);
}

void query_give(sqlite3_context *context, double x)
{
    if (isfinite(x)) {
        sqlite3_result_double(context, x);
    }
}

double query_number(sqlite3_value *v)
{
    return sqlite3_value_type(v) == SQLITE_NULL ? (double)NAN : sqlite3_value_double(v);
}

/* ---- gathering numbers ---- */

struct entry *entries_add(sqlite3_context *context)
{
    struct entries *e = sqlite3_aggregate_context(context, sizeof *e);
    if (e == NULL) {
        query_fail(context, REGRET_E_NOMEM);
        return NULL;
    }
    int rc = regret_grow((void **)&e->item, &e->capacity, e->n, sizeof *e->item, "rows");
    if (rc != REGRET_OK) {
        query_fail(context, rc);
        return NULL;
    }
    e->item[e->n] = (struct entry){{0, 0, 0}, NAN, NAN};
    return &e->item[e->n++];
}

static int by_keys(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    for (size_t k = 0; k < 3; k++) {
        if (x->key[k] != y->key[k]) {
            return x->key[k] < y->key[k] ? -1 : 1;
        }
    }
    return 0;
}

static void sort(struct entries *e)
{
    size_t i = 1;
    while (i < e->n && by_keys(&e->item[i - 1], &e->item[i]) <= 0) {
        i++;
    }
    if (i < e->n) { /* else they have come in order */
        qsort(e->item, e->n, sizeof *e->item, by_keys);
    }
}

/* The rows, sorted; nothing where there were none, or memory was. Free them with entries_free(). */
struct entries entries_take(sqlite3_context *context)
{
    struct entries *held = sqlite3_aggregate_context(context, 0), e = {0};
    if (held != NULL) {
        e = *held;
        *held = (struct entries){0};
        sort(&e);
    }
    return e;
}

void entries_free(struct entries *e)
{
    regret_free(e->item);
}

/* ---- an estimate: a value, and what it is in each seed ---- */

static const char MAGIC[8] = "est 1";

struct seed_value {
    sqlite3_int64 seed;
    double x;
};
struct estimate_head {
    char magic[8];
    double value;
};
struct estimated {
    double value;
    size_t n;
    struct seed_value *seed; /* n of them, by their numbers; owned */
};

static void estimated_free(struct estimated *e)
{
    regret_free(e->seed);
}

/* Of a value that is one; *known 0 of NULL. */
static int read_estimate(struct estimated *out, int *known, sqlite3_value *v)
{
    const char *blob = sqlite3_value_blob(v);
    size_t length = (size_t)sqlite3_value_bytes(v);
    struct estimate_head head;
    *out = (struct estimated){NAN, 0, NULL};
    *known = sqlite3_value_type(v) != SQLITE_NULL;
    if (!*known) {
        return REGRET_OK;
    }
    if (sqlite3_value_type(v) != SQLITE_BLOB || length < sizeof head ||
        (length - sizeof head) % sizeof(struct seed_value) != 0 ||
        memcmp(blob, MAGIC, sizeof MAGIC) != 0) {
        return regret_fail(REGRET_E_INPUT, "this is no estimate: est(y, cell, seed) makes one");
    }
    memcpy(&head, blob, sizeof head);
    out->value = head.value;
    out->n = (length - sizeof head) / sizeof(struct seed_value);
    TRY(REGRET_NEW(&out->seed, out->n));
    memcpy(out->seed, blob + sizeof head, out->n * sizeof *out->seed);
    return REGRET_OK;
}

static void give_estimate(sqlite3_context *context, const struct estimated *e)
{
    struct estimate_head head = {.value = e->value};
    size_t size = e->n * sizeof *e->seed;
    char *blob = sqlite3_malloc64(sizeof head + size);
    if (blob == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    memcpy(blob, &head, sizeof head);
    memcpy(blob + sizeof head, e->seed, size);
    sqlite3_result_blob64(context, blob, sizeof head + size, sqlite3_free);
}

/* est(y, cell, seed) */
static void est_step(sqlite3_context *context, int n, sqlite3_value **v)
{
    struct entry *e = entries_add(context);
    (void)n;
    if (e != NULL) {
        e->key[0] = sqlite3_value_int64(v[1]);
        e->key[1] = sqlite3_value_int64(v[2]);
        e->x = query_number(v[0]);
    }
}

/* The mean over cells of the means over seeds; *cells: how many there are, with a number or without. */
static double mean_of_cells(size_t *cells, const struct entries *e)
{
    double sum = 0.0, n = 0.0;
    *cells = 0;
    for (size_t i = 0, end = 0; i < e->n; i = end) {
        double inner = 0.0, k = 0.0;
        while (end < e->n && e->item[end].key[0] == e->item[i].key[0]) {
            double x = e->item[end++].x;
            inner += isfinite(x) ? x : 0.0;
            k += isfinite(x);
        }
        sum += k > 0.0 ? inner / k : 0.0;
        n += k > 0.0;
        ++*cells;
    }
    return n > 0.0 ? sum / n : (double)NAN;
}

/* The means over all cells of the seeds that have them. */
static int means_of_seeds(struct estimated *out, struct entries *e, size_t cells)
{
    for (size_t i = 0; i < e->n; i++) {
        sqlite3_int64 cell = e->item[i].key[0];
        e->item[i].key[0] = e->item[i].key[1];
        e->item[i].key[1] = cell;
    }
    sort(e);
    TRY(REGRET_NEW(&out->seed, e->n));
    for (size_t i = 0, end = 0; i < e->n; i = end) {
        double sum = 0.0;
        while (end < e->n && e->item[end].key[0] == e->item[i].key[0]) {
            if (end > i && e->item[end].key[1] == e->item[end - 1].key[1]) {
                return regret_fail(REGRET_E_INPUT,
                                   "est(): two rows of cell %lld and seed %lld; average them first",
                                   (long long)e->item[end].key[1], (long long)e->item[i].key[0]);
            }
            sum += e->item[end++].x;
        }
        if (end - i == cells && isfinite(sum)) {
            out->seed[out->n++] = (struct seed_value){e->item[i].key[0], sum / (double)cells};
        }
    }
    return REGRET_OK;
}

static void est_end(sqlite3_context *context)
{
    FREED_BY(entries_free) struct entries e = entries_take(context);
    FREED_BY(estimated_free) struct estimated out = {NAN, 0, NULL};
    size_t cells = 0;
    out.value = mean_of_cells(&cells, &e);
    if (!isfinite(out.value)) {
        return;
    }
    int rc = means_of_seeds(&out, &e, cells);
    if (rc != REGRET_OK) {
        query_fail(context, rc);
        return;
    }
    give_estimate(context, &out);
}

/* Over the seeds that both have; *known 0 where one is NULL. */
static int difference(struct estimated *a, int *known, sqlite3_value **v)
{
    FREED_BY(estimated_free) struct estimated b = {0};
    int both[2] = {0, 0};
    double sum = 0.0;
    size_t kept = 0;
    TRY(read_estimate(a, &both[0], v[0]));
    TRY(read_estimate(&b, &both[1], v[1]));
    *known = both[0] && both[1];
    for (size_t i = 0, j = 0; i < a->n && j < b.n;) {
        if (a->seed[i].seed == b.seed[j].seed) {
            a->seed[kept] = (struct seed_value){a->seed[i].seed, a->seed[i].x - b.seed[j].x};
            sum += a->seed[kept++].x;
            i++, j++;
        } else if (a->seed[i].seed < b.seed[j].seed) {
            i++;
        } else {
            j++;
        }
    }
    a->n = kept;
    a->value = kept > 0 ? sum / (double)kept : (double)NAN;
    return REGRET_OK;
}

/* minus(a, b) */
static void minus(sqlite3_context *context, int n, sqlite3_value **v)
{
    FREED_BY(estimated_free) struct estimated a = {0};
    int known = 0;
    (void)n;
    int rc = difference(&a, &known, v);
    if (rc != REGRET_OK) {
        query_fail(context, rc);
    } else if (known) {
        give_estimate(context, &a);
    }
}

/* ---- numbers of an estimate ---- */

enum of_estimate { E_MEAN, E_WHOLE, E_SEEDS, E_SE, E_LOW, E_HIGH, E_T_LOW, E_T_HIGH, E_P };

/* Resample b of the seeds is drawn from regret_rng_at(0, REGRET_RNG_BOOTSTRAP, b); draws are kept for the next of as many seeds. */
static int draw(struct run_sql *run, size_t n)
{
    if (run->n_drawn == n) {
        return REGRET_OK;
    }
    run->n_drawn = 0;
    TRY(regret_realloc((void **)&run->drawn, n * PAIRED_RESAMPLES, sizeof *run->drawn,
                       "resamples"));
    for (size_t b = 0; b < PAIRED_RESAMPLES; b++) {
        resample_draw(run->drawn + b * n, n, 0, b);
    }
    run->n_drawn = n;
    return REGRET_OK;
}

/* The ends of the bootstrap's interval, which queries ask for one after the other. */
static int bootstrap_ends(struct paired *p, struct run_sql *run, const double *d, size_t n)
{
    double means[PAIRED_RESAMPLES];
    uint64_t hash[2];
    regret_hash128(hash, d, n * sizeof *d);
    struct bootstrapped *kept = &run->ends[hash[0] % BOOTSTRAPS_KEPT];
    if (kept->hash[0] != hash[0] || kept->hash[1] != hash[1]) {
        TRY(draw(run, n));
        for (size_t b = 0; b < PAIRED_RESAMPLES; b++) {
            const uint32_t *drawn = run->drawn + b * n;
            double sum = 0.0;
            for (size_t i = 0; i < n; i++) {
                sum += d[drawn[i]];
            }
            means[b] = sum / (double)n;
        }
        regret_sort_numbers(means, PAIRED_RESAMPLES);
        *kept = (struct bootstrapped){{hash[0], hash[1]},
                                      regret_quantile(means, PAIRED_RESAMPLES, 0.025),
                                      regret_quantile(means, PAIRED_RESAMPLES, 0.975)};
    }
    p->low = kept->low;
    p->high = kept->high;
    return REGRET_OK;
}

static int number_in(double *out, struct run_sql *run, const struct estimated *e,
                     enum of_estimate which, double against)
{
    FREED double *d = NULL;
    TRY(REGRET_NEW(&d, e->n));
    for (size_t i = 0; i < e->n; i++) {
        d[i] = e->seed[i].x;
    }
    struct paired p = paired_moments(d, e->n);
    double half = half_width(p.se, p.n);
    TRY((which == E_LOW || which == E_HIGH) && e->n > 1 ? bootstrap_ends(&p, run, d, e->n)
                                                        : REGRET_OK);
    const double numbers[] = {[E_MEAN] = e->value,
                              [E_WHOLE] = p.mean,
                              [E_SEEDS] = (double)p.n,
                              [E_SE] = p.se,
                              [E_LOW] = p.low,
                              [E_HIGH] = p.high,
                              [E_T_LOW] = e->value - half,
                              [E_T_HIGH] = e->value + half,
                              [E_P] = paired_p(&p, against)};
    *out = numbers[which];
    return REGRET_OK;
}

/* Of NULL nothing: NaN. */
static int number_of_estimate(double *out, struct run_sql *run, sqlite3_value *v,
                              enum of_estimate which, double against)
{
    FREED_BY(estimated_free) struct estimated e = {0};
    int known = 0;
    *out = NAN;
    TRY(read_estimate(&e, &known, v));
    return known ? number_in(out, run, &e, which, against) : REGRET_OK;
}

static void of_estimate(sqlite3_context *context, sqlite3_value **v, enum of_estimate which,
                        double against)
{
    double x = NAN;
    int rc = number_of_estimate(&x, sqlite3_user_data(context), v[0], which, against);
    if (rc != REGRET_OK) {
        query_fail(context, rc);
    } else if (which == E_SEEDS && isfinite(x)) {
        sqlite3_result_int64(context, (sqlite3_int64)x);
    } else {
        query_give(context, x);
    }
}

#define OF_ESTIMATE(name, which)                                                                   \
    static void name(sqlite3_context *context, int n, sqlite3_value **v)                           \
    {                                                                                              \
        of_estimate(context, v, which, n > 1 ? query_number(v[1]) : 0.0);                          \
    }
OF_ESTIMATE(give_mean, E_MEAN)
OF_ESTIMATE(give_whole, E_WHOLE)
OF_ESTIMATE(give_seeds, E_SEEDS)
OF_ESTIMATE(give_se, E_SE)
OF_ESTIMATE(give_low, E_LOW)
OF_ESTIMATE(give_high, E_HIGH)
OF_ESTIMATE(give_t_low, E_T_LOW)
OF_ESTIMATE(give_t_high, E_T_HIGH)
OF_ESTIMATE(give_p, E_P)

/* ---- all of them ---- */

int functions_add(struct run_sql *run, const struct query_function *f)
{
    for (; f->name != NULL; f++) {
        if (sqlite3_create_function_v2(sql_handle(run->sql), f->name, f->arguments,
                                       SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, run,
                                       f->call, f->step, f->end, NULL) != SQLITE_OK) {
            return regret_fail(REGRET_E_NOMEM, "out of memory: tables");
        }
    }
    return REGRET_OK;
}

int estimates_add(struct run_sql *run)
{
    static const struct query_function FUNCTIONS[] = {{"est", 3, NULL, est_step, est_end},
                                                      {"minus", 2, minus, NULL, NULL},
                                                      {"mean", 1, give_mean, NULL, NULL},
                                                      {"whole", 1, give_whole, NULL, NULL},
                                                      {"seeds", 1, give_seeds, NULL, NULL},
                                                      {"se", 1, give_se, NULL, NULL},
                                                      {"low", 1, give_low, NULL, NULL},
                                                      {"high", 1, give_high, NULL, NULL},
                                                      {"t_low", 1, give_t_low, NULL, NULL},
                                                      {"t_high", 1, give_t_high, NULL, NULL},
                                                      {"p_value", 1, give_p, NULL, NULL},
                                                      {"p_value", 2, give_p, NULL, NULL},
                                                      {0}};
    return functions_add(run, FUNCTIONS);
}
