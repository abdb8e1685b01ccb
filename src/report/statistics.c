/* What queries of a report have beyond SQL: intervals by seeds and contexts, ranks over resamples, hulls, small statistics. */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "regret/status.h"
#include "report/internal.h"
#include "report/lists.h"
#include "stats/distributions.h"
#include "stats/multiplicity.h"
#include "stats/resampling.h"
#include "value/costs.h"

/* ---- by seeds and contexts ---- */

/* two_way(a, b, held_out, cell, seed, y): of each cell and seed two lists of losses on the contexts that it held out (NULL: of
 * zeros), and the exact mean y of their differences; of several rows the sum. It gives as JSON the standard error, the ends of the 95 % interval, the mean and the degrees of
 * freedom; nothing where they are not known. */
struct replicate_lists {
    sqlite3_int64 seed, cell;
    double y;
    size_t begin, n; /* in the numbers of all */
};
struct two_way {
    struct replicate_lists *item; /* owned, as are the others */
    size_t n, capacity;
    double *context, *d; /* contexts that were held out, and differences there */
    size_t n_numbers, context_capacity, d_capacity;
    int unknown; /* a replicate without lists has come */
};

static int add_replicate(struct two_way *t, const struct run_sql *run, sqlite3_value **v)
{
    const char *list[3];
    size_t n = (size_t)sqlite3_value_bytes(v[2]) / sizeof(double);
    double y = query_number(v[5]), x[3] = {0.0};
    int lists = n > 0;
    for (size_t i = 0; i < 3; i++) {
        list[i] = sqlite3_value_blob(v[i]);
        lists &= sqlite3_value_type(v[i]) == SQLITE_BLOB
                     ? (size_t)sqlite3_value_bytes(v[i]) == n * sizeof(double)
                     : i < 2 && sqlite3_value_type(v[i]) == SQLITE_NULL;
    }
    lists &= list[0] != NULL || list[1] != NULL;
    n = lists ? n : 0;
    t->unknown |= isfinite(y) && !lists;
    TRY(regret_grow((void **)&t->item, &t->capacity, t->n, sizeof *t->item, "rows"));
    t->item[t->n++] = (struct replicate_lists){sqlite3_value_int64(v[4]), sqlite3_value_int64(v[3]),
                                               y, t->n_numbers, n};
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 3; k++) {
            if (list[k] != NULL) {
                memcpy(&x[k], list[k] + i * sizeof *x, sizeof *x);
            }
        }
        if (!(x[2] >= 0.0 && x[2] < (double)run->contexts.n)) {
            return regret_fail(REGRET_E_INPUT,
                               "two_way(): the third is the list held_out of results");
        }
        TRY(regret_grow((void **)&t->d, &t->d_capacity, t->n_numbers, sizeof *t->d, "losses"));
        TRY(regret_grow((void **)&t->context, &t->context_capacity, t->n_numbers,
                        sizeof *t->context, "losses"));
        t->context[t->n_numbers] = x[2];
        t->d[t->n_numbers++] = x[0] - x[1];
    }
    return REGRET_OK;
}

static void two_way_step(sqlite3_context *context, int n, sqlite3_value **v)
{
    struct two_way *t = sqlite3_aggregate_context(context, sizeof *t);
    (void)n;
    int rc = t != NULL ? add_replicate(t, sqlite3_user_data(context), v) : REGRET_E_NOMEM;
    if (rc != REGRET_OK) {
        query_fail(context, rc);
    }
    if (rc != REGRET_OK && t != NULL) {
        t->n = 0; /* the end is told all the same */
    }
}

static int by_seed(const void *a, const void *b)
{
    const struct replicate_lists *x = a, *y = b;
    return x->seed != y->seed  ? (x->seed < y->seed ? -1 : 1)
           : x->cell < y->cell ? -1
                               : x->cell > y->cell;
}

/* A seed counts that has as many cells as the seed of most. */
static int two_way_of(struct regret_two_way *out, struct two_way *t)
{
    FREED_BY(held_out_free) struct held_out h = {0};
    double most = 0.0;
    size_t cells = 0;
    for (size_t i = 0; i < t->n_numbers; i++) {
        most = fmax(most, t->context[i]);
    }
    if (t->n > 1) {
        qsort(t->item, t->n, sizeof *t->item, by_seed);
    }
    for (size_t i = 0, n = 0; i < t->n; i++) {
        int is_new = i == 0 || t->item[i].seed != t->item[i - 1].seed;
        n = is_new ? 1 : n + (t->item[i].cell != t->item[i - 1].cell);
        cells = n > cells ? n : cells;
    }
    TRY(held_out_begin(&h, (size_t)most + 1, t->n));
    h.unknown = t->unknown;
    for (size_t i = 0; i < t->n;) {
        const struct replicate_lists *first = &t->item[i], *x = first;
        double sum = 0.0;
        size_t n = 1;
        for (; i < t->n && t->item[i].seed == first->seed; i++) {
            n += t->item[i].cell != x->cell;
            x = &t->item[i];
            held_out_add(&h, &(struct regret_list_view){t->context + x->begin, x->n},
                         t->d + x->begin);
            sum += x->y;
        }
        TRY(held_out_seed(&h, n == cells ? sum : NAN, (double)cells));
    }
    return held_out_interval(out, &h);
}

static void two_way_end(sqlite3_context *context)
{
    struct two_way *t = sqlite3_aggregate_context(context, 0);
    struct regret_two_way w = {.se = NAN};
    int rc = t != NULL ? two_way_of(&w, t) : REGRET_OK;
    if (t != NULL) {
        regret_free(t->item);
        regret_free(t->context);
        regret_free(t->d);
    }
    if (rc != REGRET_OK) {
        query_fail(context, rc);
    } else if (isfinite(w.se)) {
        char json[160];
        snprintf(json, sizeof json, "[%.17g,%.17g,%.17g,%.17g,%.17g]", w.se, w.low, w.high, w.mean,
                 w.df);
        sqlite3_result_text(context, json, -1, SQLITE_TRANSIENT);
    }
}

/* ---- ranks ---- */

/* places(y, cell, seed, family): of each resample k of the seeds that have every family in every cell, and as -1 of all of them, the
 * family's rank by its mean over them, mean over cells; as JSON [[k, family, rank], …]. Families are numbers. */
static void places_step(sqlite3_context *context, int n, sqlite3_value **v)
{
    struct entry *e = entries_add(context);
    (void)n;
    if (e != NULL) {
        e->key[0] = sqlite3_value_int64(v[2]);
        e->key[1] = sqlite3_value_int64(v[1]);
        e->key[2] = sqlite3_value_int64(v[3]);
        e->x = query_number(v[0]);
    }
}

/* Numbers of whole seeds: [seeds × cells × families]. */
struct tables {
    double *y;                 /* owned */
    const struct entry *first; /* of a whole seed, which says whose numbers they are */
    size_t seeds, cells, families;
};

static void tables_free(struct tables *t)
{
    regret_free(t->y);
}

static int whole_tables(struct tables *out, const struct entries *e)
{
    size_t widest = 0;
    TRY(REGRET_NEW(&out->y, e->n));
    for (size_t i = 0, end = 0; i < e->n; i = end) {
        while (end < e->n && e->item[end].key[0] == e->item[i].key[0]) {
            end++;
        }
        widest = end - i > widest ? end - i : widest;
    }
    for (size_t i = 0, end = 0; i < e->n; i = end) {
        size_t at = out->seeds * widest;
        int whole = 1;
        while (end < e->n && e->item[end].key[0] == e->item[i].key[0]) {
            whole &= isfinite(e->item[end].x) != 0;
            out->y[at + end - i] = e->item[end].x;
            end++;
        }
        if (whole && end - i == widest) {
            out->first = out->seeds++ == 0 ? &e->item[i] : out->first;
        }
    }
    while (out->first != NULL && out->families < widest &&
           out->first[out->families].key[1] == out->first->key[1]) {
        out->families++;
    }
    out->cells = out->families > 0 ? widest / out->families : 0;
    return REGRET_OK;
}

/* The mean rank over cells of each family, by the means of the seeds that were drawn (NULL: all). */
static void mean_ranks(double *rank, double *mean, const struct tables *t, const uint32_t *drawn)
{
    size_t size = t->cells * t->families;
    memset(mean, 0, size * sizeof *mean);
    memset(rank, 0, t->families * sizeof *rank);
    for (size_t s = 0; s < t->seeds; s++) {
        const double *one = t->y + size * (drawn != NULL ? drawn[s] : s);
        for (size_t i = 0; i < size; i++) {
            mean[i] += one[i];
        }
    }
    for (size_t i = 0; i < size; i++) {
        mean[i] /= (double)t->seeds;
    }
    for (size_t i = 0; i < size; i++) {
        const double *cell = mean + i / t->families * t->families;
        double above = 1.0;
        for (size_t f = 0; f < t->families; f++) {
            above += mean_is_below(cell[f], mean[i])   ? 1.0
                     : mean_is_below(mean[i], cell[f]) ? 0.0
                                                       : 0.5;
        }
        rank[i % t->families] += above - 0.5;
    }
    for (size_t f = 0; f < t->families; f++) {
        rank[f] /= (double)t->cells;
    }
}

static int put_places(struct regret_buffer *out, const struct tables *t)
{
    FREED double *mean = NULL, *rank = NULL;
    FREED uint32_t *drawn = NULL;
    TRY(REGRET_NEW(&mean, t->cells * t->families));
    TRY(REGRET_NEW(&rank, t->families));
    TRY(REGRET_NEW(&drawn, t->seeds));
    for (long b = -1; b < (t->seeds > 1 ? PAIRED_RESAMPLES : 0); b++) {
        if (b >= 0) {
            resample_draw(drawn, t->seeds, 0, (uint64_t)b);
        }
        mean_ranks(rank, mean, t, b < 0 ? NULL : drawn);
        for (size_t f = 0; f < t->families; f++) {
            regret_buffer_printf(out, "%s[%ld,%lld,%.17g]", out->length > 0 ? "," : "[", b,
                                 (long long)t->first[f].key[2], rank[f]);
        }
    }
    regret_buffer_append(out, "]");
    return regret_buffer_status(out);
}

static int places_of(struct regret_buffer *json, const struct entries *e)
{
    FREED_BY(tables_free) struct tables t = {0};
    TRY(whole_tables(&t, e));
    return t.seeds > 0 ? put_places(json, &t) : REGRET_OK;
}

/* Of an aggregate that gives a text: nothing where that is empty. */
static void give_text(sqlite3_context *c,
                      int (*make)(struct regret_buffer *out, const struct entries *e))
{
    FREED_BY(entries_free) struct entries e = entries_take(c);
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_fail(&text, make(&text, &e));
    if (text.length > 0 || regret_buffer_status(&text) != REGRET_OK) {
        sql_give(c, &text);
    }
    regret_buffer_free(&text);
}

static void places_end(sqlite3_context *context)
{
    give_text(context, places_of);
}

/* ---- hulls of value against cost ---- */

/* hull(cost, value): the non-decreasing concave hull, ascending, as JSON [[cost, value], …]. */
static void hull_step(sqlite3_context *context, int n, sqlite3_value **v)
{
    struct entry *e = entries_add(context);
    (void)n;
    if (e != NULL) {
        e->x = query_number(v[0]);
        e->y = query_number(v[1]);
    }
}

static int hull_of(struct regret_buffer *json, const struct entries *e)
{
    FREED struct regret_cost_point *point = NULL;
    TRY(REGRET_NEW(&point, e->n));
    for (size_t i = 0; i < e->n; i++) {
        point[i] = (struct regret_cost_point){e->item[i].x, e->item[i].y};
    }
    size_t n = regret_cost_hull(point, e->n);
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(json, "%s[%.17g,%.17g]", i > 0 ? "," : "[", point[i].cost,
                             point[i].value);
    }
    regret_buffer_append(json, n > 0 ? "]" : "[]");
    return regret_buffer_status(json);
}

static void hull_end(sqlite3_context *context)
{
    give_text(context, hull_of);
}

/* Points of such a text; free with regret_free(). */
static int read_hull(struct regret_cost_point **out, size_t *n, sqlite3_value *v)
{
    const char *p = (const char *)sqlite3_value_text(v);
    *n = 0;
    TRY(REGRET_NEW(out, p != NULL ? strlen(p) / 4 + 1 : 1));
    for (p = p != NULL && *p == '[' ? p + 1 : ""; *p == '[' || *p == ','; p += *p == ']') {
        char *end = NULL;
        p += strspn(p, "[,");
        (*out)[*n].cost = strtod(p, &end);
        p = end + (*end == ',');
        (*out)[*n].value = strtod(p, &end);
        if (p == end) {
            return regret_fail(REGRET_E_INPUT, "this is no hull: hull(cost, value) makes one");
        }
        p = end;
        ++*n;
    }
    return REGRET_OK;
}

static void of_hull(sqlite3_context *context, int is_area, sqlite3_value **v)
{
    FREED struct regret_cost_point *point = NULL;
    size_t n = 0;
    int rc = read_hull(&point, &n, v[0]);
    if (rc != REGRET_OK) {
        query_fail(context, rc);
        return;
    }
    query_give(context, is_area ? regret_cost_area(point, n, query_number(v[1]), query_number(v[2]))
                                : regret_cost_of_value(point, n, query_number(v[1])));
}

/* hull_area(hull, low, high): the mean value over costs; hull_cost(hull, value): the least cost that gives it. */
static void hull_area(sqlite3_context *context, int n, sqlite3_value **v)
{
    (void)n;
    of_hull(context, 1, v);
}

static void hull_cost(sqlite3_context *context, int n, sqlite3_value **v)
{
    (void)n;
    of_hull(context, 0, v);
}

/* ---- small statistics ---- */

static void numbers_step(sqlite3_context *context, int n, sqlite3_value **v)
{
    double x = query_number(v[0]);
    struct entry *e = isfinite(x) ? entries_add(context) : NULL;
    if (e != NULL) {
        e->x = x;
        e->y = n > 1 ? query_number(v[1]) : 0.5;
    }
}

/* quantile(y, q) of type 7, as median(y) */
static void quantile_end(sqlite3_context *context)
{
    FREED_BY(entries_free) struct entries e = entries_take(context);
    FREED double *x = NULL;
    if (e.n == 0) {
        return;
    }
    int rc = REGRET_NEW(&x, e.n);
    if (rc != REGRET_OK) {
        query_fail(context, rc);
        return;
    }
    for (size_t i = 0; i < e.n; i++) {
        x[i] = e.item[i].x;
    }
    regret_sort_numbers(x, e.n);
    query_give(context, regret_quantile(x, e.n, e.item[0].y));
}

/* sd(y), with n − 1 */
static void sd_end(sqlite3_context *context)
{
    FREED_BY(entries_free) struct entries e = entries_take(context);
    double sum = 0.0, squares = 0.0, n = (double)e.n;
    for (size_t i = 0; i < e.n; i++) {
        sum += e.item[i].x / n;
    }
    for (size_t i = 0; i < e.n; i++) {
        squares += (e.item[i].x - sum) * (e.item[i].x - sum);
    }
    query_give(context, e.n > 1 ? sqrt(squares / (n - 1.0)) : (double)NAN);
}

static void t_cdf(sqlite3_context *context, int n, sqlite3_value **v)
{
    (void)n;
    query_give(context, regret_student_cdf(query_number(v[0]), query_number(v[1])));
}

static void t_quantile(sqlite3_context *context, int n, sqlite3_value **v)
{
    (void)n;
    query_give(context, regret_student_quantile(query_number(v[0]), query_number(v[1])));
}

/* detectable(se, df): the least difference that a two-sided test of 5 % finds with power .8. */
static void detectable(sqlite3_context *context, int n, sqlite3_value **v)
{
    (void)n;
    query_give(context, regret_detectable_difference(query_number(v[0]), query_number(v[1]),
                                                     DETECTABLE_SIZE, DETECTABLE_POWER));
}

/* ---- all of them ---- */

int statistics_add(struct run_sql *run)
{
    static const struct query_function FUNCTIONS[] = {
        {"two_way", 6, NULL, two_way_step, two_way_end},
        {"places", 4, NULL, places_step, places_end},
        {"hull", 2, NULL, hull_step, hull_end},
        {"hull_area", 3, hull_area, NULL, NULL},
        {"hull_cost", 2, hull_cost, NULL, NULL},
        {"median", 1, NULL, numbers_step, quantile_end},
        {"quantile", 2, NULL, numbers_step, quantile_end},
        {"sd", 1, NULL, numbers_step, sd_end},
        {"t_cdf", 2, t_cdf, NULL, NULL},
        {"t_quantile", 2, t_quantile, NULL, NULL},
        {"detectable", 2, detectable, NULL, NULL},
        {0}};
    return functions_add(run, FUNCTIONS);
}
