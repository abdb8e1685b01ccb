/* The run's numbers beside published ones, and what they are in resamples of the seeds. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/families.h"
#include "report/paper/against.h"
#include "report/rows/ranks.h"
#include "report/rows/table_data.h"
#include "value/resample.h"

/* ---------------------------------------------------------------- which cells */

/* Says why the run has no such number. */
static int lacks(struct comparison *c, const char *format, ...) REGRET_PRINTF(2, 3);
static int lacks(struct comparison *c, const char *format, ...)
{
    char text[3 * PUBLISHED_LONGEST];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return regret_strdup(&c->lacking, text);
}

/* "#2/6", the second of six values: 1 and the two numbers. */
static int parse_position(size_t *k, size_t *of, const char *text)
{
    char *end = NULL;
    if (text[0] != '#') {
        return 0;
    }
    unsigned long a = strtoul(text + 1, &end, 10);
    if (*end != '/') {
        return 0;
    }
    unsigned long b = strtoul(end + 1, &end, 10);
    *k = a;
    *of = b;
    return *end == '\0' && a >= 1 && a <= b;
}

/* 1 when two texts are the same number, or the same. */
static int same_value(const char *a, const char *b)
{
    char *end_a = NULL, *end_b = NULL;
    double x = strtod(a, &end_a), y = strtod(b, &end_b);
    int numbers = end_a != a && *end_a == '\0' && end_b != b && *end_b == '\0';
    return numbers ? x == y : strcmp(a, b) == 0;
}

/* Which value of the run's key the text says; REGRET_NO_ROW, with `lacking` set, where none. */
static int find_value(size_t *value, struct comparison *c, const struct regret_results *r,
                      const char *name, const char *text)
{
    size_t key = regret_results_find_key(r, name), k = 0, of = 0;
    *value = REGRET_NO_ROW;
    if (strcmp(text, "?") == 0) {
        return lacks(c, "which %s it is about is lost", name);
    }
    if (key == REGRET_NO_ROW) {
        return lacks(c, "the run does not sweep %s", name);
    }
    if (parse_position(&k, &of, text)) {
        if (r->keys[key].n_values != of) {
            return lacks(c, "the run has %zu value%s of %s, not %zu", r->keys[key].n_values,
                         r->keys[key].n_values == 1 ? "" : "s", name, of);
        }
        *value = k - 1;
        return REGRET_OK;
    }
    for (size_t v = 0; v < r->keys[key].n_values; v++) {
        if (same_value(r->keys[key].values[v], text)) {
            *value = v;
            return REGRET_OK;
        }
    }
    return lacks(c, "the run has no %s %s", name, text);
}

/* The cells that the number's keys leave of `base`. */
static int find_cells(struct comparison *c, const struct published *p, const struct slice *base)
{
    TRY(slice_copy(&c->cells, base));
    for (size_t i = 0; i < p->n_keys && c->lacking == NULL; i++) {
        const char *name = p->sheet.heads[p->keys[i]], *text = c->number->field[p->keys[i]];
        struct slice part = {0};
        size_t value = REGRET_NO_ROW;
        if (text[0] == '\0') {
            continue;
        }
        TRY(find_value(&value, c, base->r, name, text));
        if (value != REGRET_NO_ROW) {
            TRY(slice_where(&part, &c->cells, regret_results_find_key(base->r, name), value));
            slice_free(&c->cells);
            c->cells = part;
        }
    }
    return c->lacking == NULL && c->cells.n_cells == 0 ? lacks(c, "the run has no such cell")
                                                       : REGRET_OK;
}

static int find_subject(struct comparison *c, const struct published *p)
{
    static const enum regret_row_kind kinds[] = {REGRET_ROW_FAMILY, REGRET_ROW_BASELINE,
                                                 REGRET_ROW_FIT};
    const char *name = published_field(p, c->number, PUBLISHED_SUBJECT);
    c->subject = REGRET_NO_ROW;
    if (strcmp(name, "best-obs-based") == 0) {
        c->subject = best_obs_based(&c->cells);
    }
    for (size_t i = 0; i < 3 && c->subject == REGRET_NO_ROW; i++) {
        c->subject = regret_results_subject(c->cells.r, kinds[i], name);
    }
    return c->subject == REGRET_NO_ROW ? lacks(c, "the run has no %s", name) : REGRET_OK;
}

/* ---------------------------------------------------------------- means of cells */

/* The mean over seeds of every measure that is wanted, of each subject in each cell. */
struct cell_means {
    const struct regret_results *r;
    double *of[REGRET_N_MEASURES]; /* subject fastest; NULL where not wanted; owned */
};

static void cell_means_free(struct cell_means *m)
{
    for (size_t k = 0; k < REGRET_N_MEASURES; k++) {
        regret_free(m->of[k]);
        m->of[k] = NULL;
    }
}

static int want(struct cell_means *m, enum regret_measure k)
{
    return m->of[k] != NULL ? REGRET_OK : REGRET_NEW(&m->of[k], m->r->n_subjects * m->r->n_cells);
}

static int want_all(struct cell_means *m, const struct comparisons *c)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct published_statistic *s = c->items[i].number->statistic;
        if (c->items[i].lacking == NULL) {
            TRY(want(m, s->measure));
        }
        if (c->items[i].lacking == NULL && s->kind == PUBLISHED_CHANGE) {
            TRY(want(m, REGRET_MEASURE_DM_RMSE));
        }
    }
    return REGRET_OK;
}

/* Seed s counts weight[s] times. */
static double weighted_mean(const struct regret_results *r, enum regret_measure k, size_t subject,
                            size_t cell, const double *weight)
{
    double sum = 0.0, n = 0.0;
    for (size_t s = 0; s < r->n_seeds; s++) {
        double x = weight[s] > 0.0 ? regret_results_value(r, k, subject, cell, s) : NAN;
        if (isfinite(x)) {
            sum += weight[s] * x;
            n += weight[s];
        }
    }
    return n > 0.0 ? sum / n : NAN;
}

static void fill_means(struct cell_means *m, const struct slice *cells, const double *weight)
{
    const struct regret_results *r = m->r;
    for (size_t k = 0; k < REGRET_N_MEASURES; k++) {
        for (size_t i = 0; m->of[k] != NULL && i < cells->n_cells; i++) {
            for (size_t j = 0; j < r->n_subjects; j++) {
                m->of[k][cells->cells[i] * r->n_subjects + j] =
                    weighted_mean(r, (enum regret_measure)k, j, cells->cells[i], weight);
            }
        }
    }
}

static double mean_of(const struct cell_means *m, enum regret_measure k, size_t subject,
                      size_t cell)
{
    return m->of[k][cell * m->r->n_subjects + subject];
}

/* ---------------------------------------------------------------- statistics */

/* The rank of the subject among the rivals, 1 for the lowest; equals share the average. */
static double rank_of(const struct comparisons *all, const struct cell_means *m, size_t subject,
                      size_t cell)
{
    struct standing s = {0, 0};
    double own = mean_of(m, REGRET_MEASURE_REGRET, subject, cell);
    for (size_t i = 0; i < all->n_rivals; i++) {
        double other = mean_of(m, REGRET_MEASURE_REGRET, all->rivals[i], cell);
        if (!isfinite(other)) {
            return NAN;
        }
        standing_count(&s, own, other);
    }
    return standing_rank(s);
}

/* The lowest (sign −1) or highest mean of the rivals but `except`. */
static double best_of(const struct comparisons *all, const struct cell_means *m,
                      enum regret_measure k, int sign, size_t cell, size_t except)
{
    double best = NAN;
    for (size_t i = 0; i < all->n_rivals; i++) {
        double x = mean_of(m, k, all->rivals[i], cell);
        int is_better = !isfinite(best) || sign * x > sign * best;
        best = all->rivals[i] != except && isfinite(x) && is_better ? x : best;
    }
    return best;
}

static double statistic_in(const struct comparisons *all, const struct comparison *c,
                           const struct cell_means *m, size_t cell)
{
    const struct published_statistic *s = c->number->statistic;
    double own = mean_of(m, s->measure, c->subject, cell), best = NAN;
    int sign = s->measure == REGRET_MEASURE_REGRET ? -1 : 1;
    switch (s->kind) {
    case PUBLISHED_MEAN:
        return own;
    case PUBLISHED_CHANGE:
        return own - mean_of(m, REGRET_MEASURE_DM_RMSE, c->subject, cell);
    case PUBLISHED_RANK:
        return rank_of(all, m, c->subject, cell);
    case PUBLISHED_TOP3:
        own = rank_of(all, m, c->subject, cell);
        return isfinite(own) ? own <= 3.0 : NAN;
    case PUBLISHED_EXCESS:
        best = best_of(all, m, s->measure, sign, cell, REGRET_NO_ROW);
        return best > 0.0 ? 100.0 * (own / best - 1.0) : NAN;
    case PUBLISHED_WINS:
        best = best_of(all, m, s->measure, sign, cell, c->subject);
        return isfinite(own) && isfinite(best) ? !mean_is_below(sign * own, sign * best) : NAN;
    case PUBLISHED_LEAD:
        return best_of(all, m, s->measure, sign, cell, c->subject) - own;
    case PUBLISHED_NOTHING:
        break;
    }
    return NAN;
}

/* Counts are sums over cells, other numbers means; cells without one are left out. */
static double statistic_of(const struct comparisons *all, const struct comparison *c,
                           const struct cell_means *m)
{
    enum published_kind kind = c->number->statistic->kind;
    double sum = 0.0, n = 0.0;
    for (size_t i = 0; i < c->cells.n_cells; i++) {
        double x = statistic_in(all, c, m, c->cells.cells[i]);
        sum += isfinite(x) ? x : 0.0;
        n += isfinite(x);
    }
    int is_count = kind == PUBLISHED_TOP3 || kind == PUBLISHED_WINS;
    return n > 0.0 ? sum / (is_count ? 1.0 : n) : NAN;
}

/* ---------------------------------------------------------------- resamples */

static int resample_interval(struct comparison *c)
{
    double *sorted = NULL;
    TRY(REGRET_NEW(&sorted, PAIRED_RESAMPLES));
    memcpy(sorted, c->resample, PAIRED_RESAMPLES * sizeof *sorted);
    percentile_interval(&c->low, &c->high, sorted, PAIRED_RESAMPLES);
    regret_free(sorted);
    return REGRET_OK;
}

static void evaluate(struct comparisons *all, const struct cell_means *m, size_t resample)
{
    for (size_t i = 0; i < all->n; i++) {
        struct comparison *c = &all->items[i];
        if (c->resample != NULL) {
            double x = statistic_of(all, c, m);
            *(resample == REGRET_NO_ROW ? &c->ours : &c->resample[resample]) = x;
        }
    }
}

static int evaluate_all(struct comparisons *all)
{
    const struct regret_results *r = all->cells->r;
    FREED_BY(cell_means_free) struct cell_means m = {.r = r};
    FREED double *weight = NULL;
    TRY(want_all(&m, all));
    TRY(REGRET_NEW(&weight, r->n_seeds));
    for (size_t s = 0; s < r->n_seeds; s++) {
        weight[s] = 1.0;
    }
    fill_means(&m, all->cells, weight);
    evaluate(all, &m, REGRET_NO_ROW);
    for (size_t b = 0; b < PAIRED_RESAMPLES && r->n_seeds > 1; b++) {
        resample_weigh(weight, r->n_seeds, 0, b);
        fill_means(&m, all->cells, weight);
        evaluate(all, &m, b);
    }
    return REGRET_OK;
}

static int end_comparison(struct comparison *c, size_t n_seeds)
{
    c->low = c->high = NAN;
    if (c->resample == NULL) {
        return REGRET_OK;
    }
    if (!isfinite(c->ours)) {
        return lacks(c, "the run has no %s of it", c->number->statistic->word);
    }
    return n_seeds > 1 ? resample_interval(c) : REGRET_OK;
}

/* ---------------------------------------------------------------- all of a table */

/* The family whose variants the table compares; NULL where it compares families. */
static const char *find_base(const struct published *p, const char *table)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct regret_family *f =
            regret_family_find(published_field(p, &p->numbers[i], PUBLISHED_SUBJECT));
        if (f != NULL && f->variant_of != NULL &&
            strcmp(published_field(p, &p->numbers[i], PUBLISHED_TABLE), table) == 0) {
            return f->variant_of->name;
        }
    }
    return NULL;
}

static int is_or_varies(const struct regret_subject *subject, const char *base)
{
    return strcmp(subject->name, base) == 0 ||
           (subject->variant_of != NULL && strcmp(subject->variant_of, base) == 0);
}

/* Those that are ranked, or a family and its variants where the table is about them. */
static int find_rivals(struct comparisons *c, const char *table)
{
    const struct regret_results *r = c->cells->r;
    const char *base = find_base(c->published, table);
    TRY(REGRET_NEW(&c->rivals, r->n_families));
    for (size_t f = 0; f < r->n_families; f++) {
        if (base != NULL ? is_or_varies(&r->subjects[f], base) : family_is_ranked(r, f)) {
            c->rivals[c->n_rivals++] = f;
        }
    }
    return REGRET_OK;
}

static int begin_comparison(struct comparisons *all, const struct published_number *number)
{
    struct comparison *c = &all->items[all->n++];
    *c = (struct comparison){
        .number = number, .ours = NAN, .winner = REGRET_NO_ROW, .group = REGRET_NO_ROW};
    if (number->statistic->kind == PUBLISHED_NOTHING) {
        return lacks(c, "no number of the run's cells");
    }
    TRY(find_cells(c, all->published, all->cells));
    if (c->lacking != NULL) {
        return REGRET_OK;
    }
    TRY(find_subject(c, all->published));
    if (c->lacking != NULL) {
        return REGRET_OK;
    }
    if (number->statistic->kind == PUBLISHED_LEAD) {
        c->winner = slice_best(&c->cells, REGRET_MEASURE_REGRET, -1, all->rivals, all->n_rivals,
                               REGRET_NO_ROW);
    }
    return REGRET_NEW(&c->resample, PAIRED_RESAMPLES);
}

static int fill(struct comparisons *c, size_t first)
{
    const struct published *p = c->published;
    const char *table = published_field(p, &p->numbers[first], PUBLISHED_TABLE);
    TRY(find_rivals(c, table));
    TRY(REGRET_NEW(&c->items, p->n));
    for (size_t i = first; i < p->n; i++) {
        if (strcmp(published_field(p, &p->numbers[i], PUBLISHED_TABLE), table) == 0) {
            TRY(begin_comparison(c, &p->numbers[i]));
        }
    }
    TRY(evaluate_all(c));
    for (size_t i = 0; i < c->n; i++) {
        TRY(end_comparison(&c->items[i], c->cells->r->n_seeds));
    }
    return comparisons_rank(c);
}

int comparisons_make(struct comparisons *out, const struct published *p, size_t first,
                     const struct slice *cells)
{
    struct comparisons c = {.published = p, .cells = cells};
    int rc = fill(&c, first);
    if (rc != REGRET_OK) {
        comparisons_free(&c);
        return rc;
    }
    *out = c;
    return REGRET_OK;
}

void comparisons_free(struct comparisons *c)
{
    for (size_t i = 0; i < c->n; i++) {
        slice_free(&c->items[i].cells);
        regret_free(c->items[i].lacking);
        regret_free(c->items[i].resample);
    }
    regret_free(c->items);
    regret_free(c->rivals);
    regret_free(c->winners);
    *c = (struct comparisons){0};
}
