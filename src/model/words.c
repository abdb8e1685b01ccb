#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "linalg/dense.h"
#include "model/internal.h"
#include "regret/status.h"
#include "regret/text.h"

/* Words of at least so many requests and at most this share of them; hashed where there are more than that, into fewer columns where requests
 * are so many that all of them would take more numbers than that. The length of a request and
 * own numbers beside them are of this scale [C]. */
enum {
    LEAST_WITH = 3,
    MOST_WORDS = 512,
    LEAST_WORDS = 16,
    MOST_NUMBERS = 20000000,
    PENALTIES = 12
};
static const double MOST_SHARE = 0.6, OF_NUMBERS = 1.2;

FREED_POINTER(struct regret_tokens, regret_tokens_free)

void words_map_free(struct words_map *map)
{
    for (size_t j = 0; j < map->n_own; j++) {
        texts_free(map->own[j].word, map->own[j].n);
        regret_free(map->own[j].share);
        regret_free(map->own[j].name);
    }
    regret_free(map->hash);
    regret_free(map->place);
    regret_free(map->own);
    *map = (struct words_map){0};
}

void words_free(struct words *w)
{
    words_map_free(&w->map);
    regret_free(w->x);
    *w = (struct words){0};
}

/* ---------------------------------------------------------------- words */

static int by_hash(const void *left, const void *right)
{
    const uint64_t *x = left, *y = right;
    return (*x > *y) - (*x < *y);
}

size_t words_distinct(uint64_t *hash, size_t n)
{
    size_t kept = 0;
    qsort(hash, n, sizeof *hash, by_hash);
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || hash[i] != hash[kept - 1]) {
            hash[kept++] = hash[i];
        }
    }
    return kept;
}

/* The distinct words of every text, one text after the other; start has n + 1. */
static size_t list_words(uint64_t *hash, size_t *start, const struct regret_tokens *tokens)
{
    size_t at = 0;
    for (size_t i = 0; i < tokens->n_texts; i++) {
        size_t n = tokens->start[i + 1] - tokens->start[i];
        memcpy(hash + at, tokens->hash + tokens->start[i], n * sizeof *hash);
        start[i] = at;
        at += words_distinct(hash + at, n);
    }
    start[tokens->n_texts] = at;
    return at;
}

/* Which words count: of `all`, the words of all texts, sorted. */
static int choose_words(struct words_map *map, const uint64_t *all, size_t n_all, size_t n)
{
    TRY(REGRET_NEW(&map->hash, n_all));
    TRY(REGRET_NEW(&map->place, n_all));
    for (size_t i = 0, end; i < n_all; i = end) {
        for (end = i + 1; end < n_all && all[end] == all[i]; end++) {
        }
        double with = (double)(end - i);
        if (with >= LEAST_WITH && with <= MOST_SHARE * (double)n) {
            map->hash[map->n_words++] = all[i];
        }
    }
    size_t most = n * MOST_WORDS > MOST_NUMBERS ? MOST_NUMBERS / n : MOST_WORDS;
    most = most < LEAST_WORDS ? LEAST_WORDS : most;
    map->hashed = map->n_words > most ? most : map->n_words;
    for (size_t k = 0; k < map->n_words; k++) {
        map->place[k] = (uint32_t)(map->n_words > most ? map->hash[k] % most : k);
    }
    return REGRET_OK;
}

static void measure_lengths(struct words_map *map, const struct regret_tokens *tokens)
{
    double n = (double)tokens->n_texts, squares = 0.0;
    map->has_length = 1;
    for (size_t i = 0; i < tokens->n_texts; i++) {
        map->length += log1p((double)(tokens->start[i + 1] - tokens->start[i])) / n;
    }
    for (size_t i = 0; i < tokens->n_texts; i++) {
        double d = log1p((double)(tokens->start[i + 1] - tokens->start[i])) - map->length;
        squares += d * d;
    }
    map->length_sd = sqrt(squares / (n - 1.0));
}

static size_t find_word(const struct words_map *map, uint64_t hash)
{
    size_t low = 0, high = map->n_words;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        low = map->hash[middle] < hash ? middle + 1 : low;
        high = map->hash[middle] < hash ? high : middle;
    }
    return low < map->n_words && map->hash[low] == hash ? low : SIZE_MAX;
}

/* ---------------------------------------------------------------- covariates */

static int is_number(const struct regret_covariate *v)
{
    return isfinite(v->number);
}

static void measure_numbers(struct own_column *c, const struct score_table *s, size_t j)
{
    double n = 0.0, squares = 0.0;
    c->least = INFINITY;
    c->most = -INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        if (is_number(&s->covariate[i][j])) {
            double x = s->covariate[i][j].number;
            c->mean += x;
            c->least = fmin(c->least, x);
            c->most = fmax(c->most, x);
            n += 1.0;
        }
    }
    c->mean = n > 0.0 ? c->mean / n : 0.0;
    c->has_blanks = n < (double)s->n;
    for (size_t i = 0; i < s->n; i++) {
        double d = is_number(&s->covariate[i][j]) ? s->covariate[i][j].number - c->mean : 0.0;
        squares += d * d;
    }
    c->sd = n > 1.0 ? sqrt(squares / (n - 1.0)) : 0.0;
    c->n = 1;
}

/* Words of a covariate that enough requests have, in the order in which they come. */
static int measure_words(struct own_column *c, const struct score_table *s, size_t j)
{
    FREED_BY(names_free) struct names words = {0};
    FREED double *with = NULL;
    TRY(REGRET_NEW(&with, s->n + 1));
    for (size_t i = 0; i < s->n; i++) {
        uint32_t k = NAMES_NONE;
        TRY(names_enter(&k, &words, s->covariate[i][j].word));
        with[k == NAMES_NONE ? s->n : k] += 1.0;
    }
    TRY(REGRET_NEW(&c->word, words.n + 1));
    TRY(REGRET_NEW(&c->share, words.n + 1));
    for (size_t k = 0; k < words.n; k++) {
        if (with[k] >= LEAST_WITH && c->n < MOST_WORDS) {
            TRY(regret_strdup(&c->word[c->n], words.name[k]));
            c->share[c->n++] = with[k] / (double)s->n;
        }
    }
    return REGRET_OK;
}

static int measure_columns(struct words_map *map, const struct score_table *s)
{
    TRY(REGRET_NEW(&map->own, s->n_columns));
    for (size_t j = 0; j < s->n_columns; j++) {
        struct own_column *c = &map->own[map->n_own++];
        c->first = map->d;
        TRY(regret_strdup(&c->name, s->column[j].name));
        if (s->column[j].kind == REGRET_COLUMN_WORD) {
            TRY(measure_words(c, s, j));
        } else {
            measure_numbers(c, s, j);
        }
        map->d += c->n;
    }
    return REGRET_OK;
}

int own_column_knows(const struct own_column *c, const struct regret_covariate *value)
{
    return c->word != NULL
               ? value->word != NULL && texts_have((const char *const *)c->word, c->n, value->word)
               : is_number(value) || (isnan(value->number) && c->has_blanks);
}

int own_column_is_far(const struct own_column *c, const struct regret_covariate *value)
{
    return c->word == NULL && is_number(value) &&
           (value->number < c->least || value->number > c->most);
}

static unsigned fill_column(double *row, const struct own_column *c,
                            const struct regret_covariate *value)
{
    if (!own_column_knows(c, value)) {
        return REQUEST_UNKNOWN_COLUMN;
    }
    for (size_t k = 0; c->word != NULL && k < c->n; k++) {
        row[c->first + k] = (strcmp(c->word[k], value->word) == 0) - c->share[k];
    }
    if (c->word == NULL && is_number(value) && c->sd > 0.0) {
        row[c->first] =
            OF_NUMBERS * (fmin(fmax(value->number, c->least), c->most) - c->mean) / c->sd;
    }
    return own_column_is_far(c, value) ? REQUEST_FAR_COLUMN : 0;
}

/* ---------------------------------------------------------------- rows */

unsigned words_fill(double *row, const struct words_map *map, const uint64_t *hash, size_t n,
                    size_t n_words, const struct regret_covariate *covariate)
{
    double squares = 0.0;
    unsigned notes = 0;
    memset(row, 0, map->d * sizeof *row);
    for (size_t i = 0; hash != NULL && i < n; i++) {
        size_t k = find_word(map, hash[i]);
        if (k != SIZE_MAX) {
            row[map->place[k]] += 1.0;
        }
    }
    for (size_t j = 0; j < map->hashed; j++) {
        squares += row[j] * row[j];
    }
    for (size_t j = 0; j < map->hashed && squares > 0.0; j++) {
        row[j] /= sqrt(squares);
    }
    notes |= map->hashed > 0 && !(squares > 0.0) ? REQUEST_UNKNOWN_WORDS : 0;
    if (map->has_length && map->length_sd > 1e-9 && n_words > 0) {
        row[map->hashed] = OF_NUMBERS * (log1p((double)n_words) - map->length) / map->length_sd;
    }
    for (size_t j = 0; j < map->n_own; j++) {
        notes |= covariate != NULL ? fill_column(row, &map->own[j], &covariate[j])
                                   : REQUEST_UNKNOWN_COLUMN;
    }
    return notes;
}

static int map_texts(struct words *w, uint64_t *hash, size_t *start,
                     const struct regret_tokens *tokens)
{
    FREED uint64_t *all = NULL;
    size_t n = list_words(hash, start, tokens);
    TRY(REGRET_NEW(&all, n));
    memcpy(all, hash, n * sizeof *all);
    qsort(all, n, sizeof *all, by_hash);
    TRY(choose_words(&w->map, all, n, w->n));
    measure_lengths(&w->map, tokens);
    w->map.d = w->map.hashed + 1;
    return REGRET_OK;
}

int words_make(struct words *out, const struct score_table *s)
{
    FREED_BY(regret_tokens_free_at) struct regret_tokens *tokens = NULL;
    FREED_BY(words_free) struct words w = {.n = s->n};
    FREED uint64_t *hash = NULL;
    FREED size_t *start = NULL;
    TRY(REGRET_NEW(&start, s->n + 1));
    if (s->text != NULL && s->n > 1) {
        TRY(regret_tokens_build(&tokens, s->text, s->n));
        TRY(REGRET_NEW(&hash, tokens->start[s->n]));
        TRY(map_texts(&w, hash, start, tokens));
    }
    TRY(measure_columns(&w.map, s));
    w.d = w.map.d;
    TRY(REGRET_NEW(&w.x, w.n * w.d));
    for (size_t i = 0; i < s->n && w.d > 0; i++) {
        size_t words = tokens != NULL ? tokens->start[i + 1] - tokens->start[i] : 0;
        words_fill(w.x + i * w.d, &w.map, hash + start[i], start[i + 1] - start[i], words,
                   s->n_columns > 0 ? s->covariate[i] : NULL);
    }
    *out = w;
    w = (struct words){0};
    return REGRET_OK;
}

int words_turn(struct words *w)
{
    FREED double *gram = NULL, *value = NULL, *vector = NULL;
    size_t n = w->n;
    if (w->d <= n) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&gram, n * n));
    TRY(REGRET_NEW(&value, n));
    TRY(REGRET_NEW(&vector, n * n));
    products_by_columns(gram, w->x, w->d, n, w->x, n);
    TRY(eigen_top(value, vector, gram, n, n));
    for (size_t k = 0; k < n; k++) {
        double scale = sqrt(fmax(0.0, value[k]));
        for (size_t i = 0; i < n; i++) {
            w->x[i * n + k] = scale * vector[i + k * n];
        }
    }
    w->d = n;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- ridge */

/* X'X = V diag(s) V', of n requests; XV, and V'X'E. */
struct turned {
    size_t n, d, m;
    double *value, *vector; /* [d], [d × d] owned, as the others */
    double *x;              /* [n × d], column-major */
    double *moment;         /* [d × m] */
    const double *e;        /* [n × m], by outcome */
};

FREED_FIELDS(turned, of->value, of->vector, of->x, of->moment)

static int turned_make(struct turned *out, const struct words *w, const size_t *request, size_t n,
                       const double *e, size_t m)
{
    FREED_BY(turned_fields) struct turned t = {.n = n, .d = w->d, .m = m, .e = e};
    FREED double *x = NULL, *gram = NULL;
    TRY(REGRET_NEW(&x, n * w->d));
    TRY(REGRET_NEW(&gram, w->d * w->d));
    TRY(REGRET_NEW(&t.value, w->d));
    TRY(REGRET_NEW(&t.vector, w->d * w->d));
    TRY(REGRET_NEW(&t.x, n * w->d));
    TRY(REGRET_NEW(&t.moment, w->d * m));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < w->d; j++) {
            x[j * n + i] = w->x[request[i] * w->d + j];
        }
    }
    products_by_columns(gram, x, n, w->d, x, w->d);
    TRY(eigen_top(t.value, t.vector, gram, w->d, w->d));
    products_add(t.x, x, n, w->d, t.vector, w->d);
    products_by_columns(t.moment, t.x, n, w->d, e, m);
    *out = t;
    t = (struct turned){0};
    return REGRET_OK;
}

/* The penalties rise from .3 to 3·10⁴. */
static double penalty_at(size_t k)
{
    return 0.3 * pow(1e5, (double)k / (PENALTIES - 1));
}

/* V-coordinates of the fits: moments over s + ρ. */
static void shrink(double *theta, const struct turned *t, double penalty)
{
    for (size_t k = 0; k < t->m; k++) {
        for (size_t j = 0; j < t->d; j++) {
            theta[k * t->d + j] = t->moment[k * t->d + j] / (fmax(0.0, t->value[j]) + penalty);
        }
    }
}

/* Σ of squared errors of left-out requests, e less the fit over 1 − h; `fit` [n × m] gets what they predict. */
static double left_out(double *fit, double *lever, const struct turned *t, double *theta,
                       double penalty)
{
    double sum = 0.0;
    shrink(theta, t, penalty);
    memset(fit, 0, t->n * t->m * sizeof *fit);
    products_add(fit, t->x, t->n, t->d, theta, t->m);
    memset(lever, 0, t->n * sizeof *lever);
    for (size_t j = 0; j < t->d; j++) {
        double share = 1.0 / (fmax(0.0, t->value[j]) + penalty);
        for (size_t i = 0; i < t->n; i++) {
            lever[i] += t->x[j * t->n + i] * t->x[j * t->n + i] * share;
        }
    }
    for (size_t k = 0; k < t->n * t->m; k++) {
        double error = (t->e[k] - fit[k]) / (1.0 - lever[k % t->n]);
        fit[k] = t->e[k] - error;
        sum += error * error;
    }
    return sum;
}

static int take_weights(struct words_fit *f, const struct turned *t, double *theta, double penalty)
{
    f->penalty = penalty;
    TRY(REGRET_NEW(&f->weight, t->d * t->m));
    shrink(theta, t, penalty);
    products_add(f->weight, t->vector, t->d, t->d, theta, t->m);
    return REGRET_OK;
}

int words_learn(struct words_fit *out, const struct words *w, const size_t *request, size_t n,
                const double *e, size_t m, int wants_left_out)
{
    FREED_BY(turned_fields) struct turned t = {0};
    FREED_BY(words_fit_free) struct words_fit f = {0};
    FREED double *fit = NULL, *lever = NULL, *theta = NULL;
    double least = INFINITY, best = NAN, all = 0.0;
    TRY(REGRET_NEW(&fit, n * m));
    TRY(REGRET_NEW(&lever, n));
    TRY(REGRET_NEW(&theta, w->d * m));
    TRY(turned_make(&t, w, request, n, e, m));
    for (size_t k = 0; k < n * m; k++) {
        all += e[k] * e[k];
    }
    for (size_t k = 0; k < PENALTIES; k++) {
        double loss = left_out(fit, lever, &t, theta, penalty_at(k));
        best = loss < least ? penalty_at(k) : best;
        least = fmin(loss, least);
    }
    f.share = all > 0.0 ? 1.0 - least / all : 0.0;
    if (f.share > 0.0) {
        left_out(fit, lever, &t, theta, best);
        TRY(take_weights(&f, &t, theta, best));
        f.left_out = wants_left_out ? fit : NULL;
        fit = wants_left_out ? NULL : fit;
    }
    *out = f;
    f = (struct words_fit){0};
    return REGRET_OK;
}

int words_learn_at(struct words_fit *out, const struct words *w, const size_t *request, size_t n,
                   const double *e, size_t m, double penalty)
{
    FREED_BY(turned_fields) struct turned t = {0};
    FREED double *theta = NULL;
    *out = (struct words_fit){.share = NAN};
    TRY(REGRET_NEW(&theta, w->d * m));
    TRY(turned_make(&t, w, request, n, e, m));
    return take_weights(out, &t, theta, penalty);
}

void words_fit_free(struct words_fit *f)
{
    regret_free(f->weight);
    regret_free(f->left_out);
    *f = (struct words_fit){0};
}

double words_predict(const struct words *w, const struct words_fit *f, size_t request, size_t k)
{
    double sum = 0.0;
    for (size_t j = 0; f->weight != NULL && j < w->d; j++) {
        sum += w->x[request * w->d + j] * f->weight[k * w->d + j];
    }
    return sum;
}
