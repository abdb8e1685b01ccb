/* What queries of a report have beyond SQL: estimates over seeds, ranks, intervals by seeds and contexts, hulls. */
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "report/internal.h"
#include "report/lists.h"
#include "report/ranks.h"
#include "stats/distributions.h"
#include "stats/multiplicity.h"
#include "stats/resampling.h"
#include "value/costs.h"

static void fail(sqlite3_context *context, int rc)
{
    rc == REGRET_E_NOMEM ? sqlite3_result_error_nomem(context)
                         : sqlite3_result_error(context, regret_error_message(), -1);
}

static void give(sqlite3_context *context, double x)
{
    if (isfinite(x)) {
        sqlite3_result_double(context, x);
    }
}

static double number_of(sqlite3_value *v)
{
    return sqlite3_value_type(v) == SQLITE_NULL ? (double)NAN : sqlite3_value_double(v);
}

/* ---- gathering numbers ---- */

/* A row of an aggregate: what it is of, and a number. */
struct entry {
    sqlite3_int64 key[3]; /* in the order in which they are sorted */
    double x, y;
};

struct entries {
    struct entry *item; /* owned */
    size_t n, capacity;
};

static struct entry *add_entry(sqlite3_context *context)
{
    struct entries *e = sqlite3_aggregate_context(context, sizeof *e);
    int rc = e == NULL
                 ? regret_fail(REGRET_E_NOMEM, "out of memory: a query")
                 : regret_grow((void **)&e->item, &e->capacity, e->n, sizeof *e->item, "rows");
    if (rc != REGRET_OK) {
        fail(context, rc);
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

/* The rows, sorted; nothing where there were none, or memory was. Free them with take_free(). */
static struct entries take(sqlite3_context *context)
{
    struct entries *held = sqlite3_aggregate_context(context, 0), e = {0};
    if (held != NULL) {
        e = *held;
        *held = (struct entries){0};
        qsort(e.item, e.n, sizeof *e.item, by_keys);
    }
    return e;
}

static void take_free(struct entries *e)
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
    struct entry *e = add_entry(context);
    (void)n;
    if (e != NULL) {
        e->key[0] = sqlite3_value_int64(v[1]);
        e->key[1] = sqlite3_value_int64(v[2]);
        e->x = number_of(v[0]);
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
    qsort(e->item, e->n, sizeof *e->item, by_keys);
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
    FREED_BY(take_free) struct entries e = take(context);
    FREED_BY(estimated_free) struct estimated out = {NAN, 0, NULL};
    size_t cells = 0;
    out.value = mean_of_cells(&cells, &e);
    if (!isfinite(out.value)) {
        return;
    }
    int rc = means_of_seeds(&out, &e, cells);
    if (rc != REGRET_OK) {
        fail(context, rc);
        return;
    }
    give_estimate(context, &out);
}

/* minus(a, b): over the seeds that both have. */
static void minus(sqlite3_context *context, int n, sqlite3_value **v)
{
    FREED_BY(estimated_free) struct estimated a = {0};
    FREED_BY(estimated_free) struct estimated b = {0};
    int known[2] = {0, 0};
    double sum = 0.0;
    (void)n;
    int rc = read_estimate(&a, &known[0], v[0]);
    if (rc == REGRET_OK) {
        rc = read_estimate(&b, &known[1], v[1]);
    }
    if (rc != REGRET_OK || !known[0] || !known[1]) {
        rc != REGRET_OK ? fail(context, rc) : (void)0;
        return;
    }
    size_t kept = 0;
    for (size_t i = 0, j = 0; i < a.n && j < b.n;) {
        if (a.seed[i].seed == b.seed[j].seed) {
            a.seed[kept] = (struct seed_value){a.seed[i].seed, a.seed[i].x - b.seed[j].x};
            sum += a.seed[kept++].x;
            i++, j++;
        } else if (a.seed[i].seed < b.seed[j].seed) {
            i++;
        } else {
            j++;
        }
    }
    a.n = kept;
    a.value = kept > 0 ? sum / (double)kept : (double)NAN;
    give_estimate(context, &a);
}

/* ---- numbers of an estimate ---- */

enum of_estimate { E_MEAN, E_WHOLE, E_SEEDS, E_SE, E_LOW, E_HIGH, E_T_LOW, E_T_HIGH, E_P };

/* The ends of the bootstrap's interval; the draws are those of paired_from(), and kept for the next of as many seeds. */
static int bootstrap_ends(struct paired *p, struct run_sql *run, const double *d, size_t n)
{
    double means[PAIRED_RESAMPLES];
    if (run->n_drawn != n) {
        run->n_drawn = 0;
        TRY(regret_realloc((void **)&run->drawn, n * PAIRED_RESAMPLES, sizeof *run->drawn,
                           "resamples"));
        for (size_t b = 0; b < PAIRED_RESAMPLES; b++) {
            resample_draw(run->drawn + b * n, n, 0, b);
        }
        run->n_drawn = n;
    }
    for (size_t b = 0; b < PAIRED_RESAMPLES; b++) {
        const uint32_t *drawn = run->drawn + b * n;
        double sum = 0.0;
        for (size_t i = 0; i < n; i++) {
            sum += d[drawn[i]];
        }
        means[b] = sum / (double)n;
    }
    regret_sort_numbers(means, PAIRED_RESAMPLES);
    p->low = regret_quantile(means, PAIRED_RESAMPLES, 0.025);
    p->high = regret_quantile(means, PAIRED_RESAMPLES, 0.975);
    return REGRET_OK;
}

static int number_of_estimate(double *out, struct run_sql *run, const struct estimated *e,
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

static void of_estimate(sqlite3_context *context, sqlite3_value **v, enum of_estimate which,
                        double against)
{
    FREED_BY(estimated_free) struct estimated e = {0};
    int known = 0;
    double x = NAN;
    int rc = read_estimate(&e, &known, v[0]);
    if (rc == REGRET_OK && known) {
        rc = number_of_estimate(&x, sqlite3_user_data(context), &e, which, against);
    }
    if (rc != REGRET_OK) {
        fail(context, rc);
    } else if (which == E_SEEDS && known) {
        sqlite3_result_int64(context, (sqlite3_int64)x);
    } else {
        give(context, x);
    }
}

#define OF_ESTIMATE(name, which)                                                                   \
    static void name(sqlite3_context *context, int n, sqlite3_value **v)                           \
    {                                                                                              \
        of_estimate(context, v, which, n > 1 ? number_of(v[1]) : 0.0);                             \
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

/* ---- by seeds and contexts ---- */

/* two_way(d, cell, seed, context, y): of each cell and seed the differences d of its contexts, and their exact mean y. It gives the
 * standard error and the ends of the 95 % interval as JSON; nothing where they are not known. */
static void two_way_step(sqlite3_context *context, int n, sqlite3_value **v)
{
    struct entry *e = add_entry(context);
    (void)n;
    if (e != NULL) {
        e->key[0] = sqlite3_value_int64(v[2]);
        e->key[1] = sqlite3_value_int64(v[1]);
        e->key[2] = sqlite3_value_int64(v[3]);
        e->x = number_of(v[0]);
        e->y = number_of(v[4]);
    }
}

/* The rows of one cell and seed from *i on, which is then behind them. */
static int add_held_out(struct held_out *h, const struct entries *e, size_t *i, double *sum)
{
    size_t end = *i;
    while (end < e->n && e->item[end].key[0] == e->item[*i].key[0] &&
           e->item[end].key[1] == e->item[*i].key[1]) {
        end++;
    }
    size_t n = end - *i;
    FREED double *number = NULL, *x = NULL;
    TRY(REGRET_NEW(&number, n));
    TRY(REGRET_NEW(&x, n));
    for (size_t k = 0; k < n; k++) {
        number[k] = (double)e->item[*i + k].key[2];
        x[k] = e->item[*i + k].x;
    }
    held_out_add(h, &(struct regret_list_view){number, n}, NULL, x, 1.0);
    *sum += e->item[*i].y;
    *i = end;
    return REGRET_OK;
}

static int two_way_of(struct regret_two_way *out, const struct entries *e)
{
    FREED_BY(held_out_free) struct held_out h = {0};
    sqlite3_int64 most = 0;
    size_t cells = 0;
    for (size_t i = 0; i < e->n; i++) {
        most = e->item[i].key[2] > most ? e->item[i].key[2] : most;
        if (e->item[i].key[2] < 0 || e->item[i].key[2] > INT32_MAX) {
            return regret_fail(REGRET_E_INPUT,
                               "two_way(): a context is a number of the table contexts");
        }
    }
    TRY(held_out_begin(&h, (size_t)most + 1, e->n));
    for (size_t i = 0; i < e->n;) { /* cells of the seed that has most */
        sqlite3_int64 seed = e->item[i].key[0];
        size_t n = 0;
        for (; i < e->n && e->item[i].key[0] == seed; i++) {
            n += i == 0 || e->item[i - 1].key[0] != seed ||
                 e->item[i - 1].key[1] != e->item[i].key[1];
        }
        cells = n > cells ? n : cells;
    }
    for (size_t i = 0; i < e->n;) {
        sqlite3_int64 seed = e->item[i].key[0];
        double sum = 0.0;
        size_t n = 0;
        for (; i < e->n && e->item[i].key[0] == seed; n++) {
            TRY(add_held_out(&h, e, &i, &sum));
        }
        TRY(held_out_seed(&h, n == cells ? sum : NAN, (double)cells));
    }
    return held_out_interval(out, &h);
}

static void two_way_end(sqlite3_context *context)
{
    FREED_BY(take_free) struct entries e = take(context);
    struct regret_two_way w = {.se = NAN};
    int rc = e.n > 0 ? two_way_of(&w, &e) : REGRET_OK;
    if (rc != REGRET_OK) {
        fail(context, rc);
    } else if (isfinite(w.se)) {
        char json[128];
        sqlite3_snprintf(sizeof json, json, "[%!.17g,%!.17g,%!.17g]", w.se, w.low, w.high);
        sqlite3_result_text(context, json, -1, SQLITE_TRANSIENT);
    }
}

/* ---- ranks ---- */

/* places(y, cell, seed, family): of each resample k of the seeds that have every family in every cell, and as -1 of all of them, the
 * family's rank by its mean over them, mean over cells; as JSON [[k, family, rank], …]. Families are numbers. */
static void places_step(sqlite3_context *context, int n, sqlite3_value **v)
{
    struct entry *e = add_entry(context);
    (void)n;
    if (e != NULL) {
        e->key[0] = sqlite3_value_int64(v[2]);
        e->key[1] = sqlite3_value_int64(v[1]);
        e->key[2] = sqlite3_value_int64(v[3]);
        e->x = number_of(v[0]);
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
        rank[i % t->families] += (above - 0.5) / (double)t->cells;
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

static void places_end(sqlite3_context *context)
{
    FREED_BY(take_free) struct entries e = take(context);
    FREED_BY(tables_free) struct tables t = {0};
    FREED_BY(regret_buffer_free) struct regret_buffer json = REGRET_BUFFER_INIT;
    int rc = whole_tables(&t, &e);
    if (rc == REGRET_OK && t.seeds > 0) {
        rc = put_places(&json, &t);
    }
    if (rc != REGRET_OK) {
        fail(context, rc);
    } else if (t.seeds > 0) {
        sqlite3_result_text(context, regret_buffer_get(&json), (int)json.length, SQLITE_TRANSIENT);
    }
}

/* ---- hulls of value against cost ---- */

/* hull(cost, value): the non-decreasing concave hull, ascending, as JSON [[cost, value], …]. */
static void hull_step(sqlite3_context *context, int n, sqlite3_value **v)
{
    struct entry *e = add_entry(context);
    (void)n;
    if (e != NULL) {
        e->x = number_of(v[0]);
        e->y = number_of(v[1]);
    }
}

static void hull_end(sqlite3_context *context)
{
    FREED_BY(take_free) struct entries e = take(context);
    FREED struct regret_cost_point *point = NULL;
    FREED_BY(regret_buffer_free) struct regret_buffer json = REGRET_BUFFER_INIT;
    int rc = REGRET_NEW(&point, e.n);
    for (size_t i = 0; rc == REGRET_OK && i < e.n; i++) {
        point[i] = (struct regret_cost_point){e.item[i].x, e.item[i].y};
    }
    size_t n = rc == REGRET_OK ? regret_cost_hull(point, e.n) : 0;
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(&json, "%s[%.17g,%.17g]", i > 0 ? "," : "[", point[i].cost,
                             point[i].value);
    }
    regret_buffer_append(&json, n > 0 ? "]" : "[]");
    if (rc != REGRET_OK || regret_buffer_status(&json) != REGRET_OK) {
        fail(context, REGRET_E_NOMEM);
        return;
    }
    sqlite3_result_text(context, regret_buffer_get(&json), (int)json.length, SQLITE_TRANSIENT);
}

/* Points of such a text; free with regret_free(). */
static int read_hull(struct regret_cost_point **out, size_t *n, sqlite3_value *v)
{
    const char *p = (const char *)sqlite3_value_text(v);
    *n = 0;
    TRY(REGRET_NEW(out, p != NULL ? strlen(p) / 4 + 1 : 1));
    for (p = p != NULL ? p + 1 : ""; *p == '[' || *p == ','; p += *p == ']') {
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
        fail(context, rc);
        return;
    }
    give(context, is_area ? regret_cost_area(point, n, number_of(v[1]), number_of(v[2]))
                          : regret_cost_of_value(point, n, number_of(v[1])));
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
    double x = number_of(v[0]);
    struct entry *e = isfinite(x) ? add_entry(context) : NULL;
    if (e != NULL) {
        e->x = x;
        e->y = n > 1 ? number_of(v[1]) : 0.5;
    }
}

/* quantile(y, q) of type 7, as median(y) */
static void quantile_end(sqlite3_context *context)
{
    FREED_BY(take_free) struct entries e = take(context);
    FREED double *x = NULL;
    if (e.n == 0) {
        return;
    }
    int rc = REGRET_NEW(&x, e.n);
    if (rc != REGRET_OK) {
        fail(context, rc);
        return;
    }
    for (size_t i = 0; i < e.n; i++) {
        x[i] = e.item[i].x;
    }
    regret_sort_numbers(x, e.n);
    give(context, regret_quantile(x, e.n, e.item[0].y));
}

/* sd(y), with n − 1 */
static void sd_end(sqlite3_context *context)
{
    FREED_BY(take_free) struct entries e = take(context);
    double sum = 0.0, squares = 0.0, n = (double)e.n;
    for (size_t i = 0; i < e.n; i++) {
        sum += e.item[i].x / n;
    }
    for (size_t i = 0; i < e.n; i++) {
        squares += (e.item[i].x - sum) * (e.item[i].x - sum);
    }
    give(context, e.n > 1 ? sqrt(squares / (n - 1.0)) : (double)NAN);
}

static void t_cdf(sqlite3_context *context, int n, sqlite3_value **v)
{
    (void)n;
    give(context, regret_student_cdf(number_of(v[0]), number_of(v[1])));
}

/* detectable(se, df): the least difference that a two-sided test of 5 % finds with power .8. */
static void detectable(sqlite3_context *context, int n, sqlite3_value **v)
{
    (void)n;
    give(context, regret_detectable_difference(number_of(v[0]), number_of(v[1]), DETECTABLE_SIZE,
                                               RULES_POWER));
}

/* ---- all of them ---- */

typedef void call(sqlite3_context *context, int n, sqlite3_value **v);

int estimates_add(struct run_sql *run)
{
    static const struct {
        const char *name;
        int arguments;
        call *call, *step;
        void (*end)(sqlite3_context *context);
    } FUNCTIONS[] = {{"est", 3, NULL, est_step, est_end},
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
                     {"two_way", 5, NULL, two_way_step, two_way_end},
                     {"places", 4, NULL, places_step, places_end},
                     {"hull", 2, NULL, hull_step, hull_end},
                     {"hull_area", 3, hull_area, NULL, NULL},
                     {"hull_cost", 2, hull_cost, NULL, NULL},
                     {"median", 1, NULL, numbers_step, quantile_end},
                     {"quantile", 2, NULL, numbers_step, quantile_end},
                     {"sd", 1, NULL, numbers_step, sd_end},
                     {"t_cdf", 2, t_cdf, NULL, NULL},
                     {"detectable", 2, detectable, NULL, NULL}};
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        if (sqlite3_create_function_v2(
                sql_handle(run->sql), FUNCTIONS[i].name, FUNCTIONS[i].arguments,
                SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, run, FUNCTIONS[i].call,
                FUNCTIONS[i].step, FUNCTIONS[i].end, NULL) != SQLITE_OK) {
            return regret_fail(REGRET_E_NOMEM, "out of memory: tables");
        }
    }
    return REGRET_OK;
}
