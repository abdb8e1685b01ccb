#include "experiment/features/covariates.h"

#include <math.h>

#include "base/core/id_table.h"
#include "base/core/try.h"
#include "regret/alloc.h"
#include "text/features/own_columns.h"

static const struct regret_covariate *covariate(const struct regret_grid *g, size_t x, size_t j)
{
    return &g->pool->contexts[g->contexts[x]].columns[j];
}

/* The words of column j, numbered by first appearance. */
static int number_words(struct id_table *words, const struct regret_grid *g, size_t j)
{
    for (size_t x = 0; x < g->n_contexts; x++) {
        TRY(id_table_reserve(words, words->n + 1));
        id_table_put(words, covariate(g, x, j)->word, words->n);
    }
    return REGRET_OK;
}

static size_t count_blanks(const struct regret_grid *g, size_t j)
{
    size_t n = 0;
    for (size_t x = 0; g->pool->columns[j].kind == REGRET_COLUMN_NUMBER && x < g->n_contexts; x++) {
        n += isnan(covariate(g, x, j)->number) != 0;
    }
    return n;
}

/* 1 where a column of the matrix says which contexts lack the number j of the pool. */
static int tells_blanks(const struct regret_grid *g, size_t j)
{
    return count_blanks(g, j) >= OWN_LEAST_BLANKS;
}

/* Of a matrix with `stride` elements in every row. */
struct encoding {
    struct regret_csr *m;
    const struct regret_grid *grid;
    size_t stride, at; /* at: which element of every row is next */
};

static void put(const struct encoding *e, size_t x, size_t column, double value)
{
    e->m->column[x * e->stride + e->at] = (uint32_t)column;
    e->m->value[x * e->stride + e->at] = value;
}

/* Column j of the pool behind the columns there are. */
static int encode_words(struct encoding *e, size_t j)
{
    FREED_BY(id_table_free) struct id_table words = {NULL, 0, 0};
    TRY(number_words(&words, e->grid, j));
    for (size_t x = 0; x < e->grid->n_contexts; x++) {
        put(e, x, e->m->cols + id_table_find(&words, covariate(e->grid, x, j)->word), 1.0);
    }
    e->at++;
    e->m->cols += words.n;
    return REGRET_OK;
}

static int encode_numbers(struct encoding *e, size_t j)
{
    size_t n = e->grid->n_contexts;
    double *value = NULL;
    TRY(REGRET_NEW(&value, n));
    for (size_t x = 0; x < n; x++) {
        value[x] = covariate(e->grid, x, j)->number;
    }
    const struct own_moments m = own_moments(value, n);
    for (size_t x = 0; x < n; x++) {
        put(e, x, e->m->cols, m.sd > 0.0 && !isnan(value[x]) ? (value[x] - m.mean) / m.sd : 0.0);
    }
    e->at++;
    e->m->cols++;
    if (m.blank >= OWN_LEAST_BLANKS) {
        for (size_t x = 0; x < n; x++) {
            put(e, x, e->m->cols, isnan(value[x]) != 0);
        }
        e->at++;
        e->m->cols++;
    }
    regret_free(value);
    return REGRET_OK;
}

int covariates_encode(struct regret_csr **out, const struct regret_grid *g)
{
    size_t k = g->pool->n_columns, rows = g->n_contexts;
    struct encoding e = {.grid = g, .stride = k};
    int rc;
    *out = NULL;
    if (k == 0) {
        return REGRET_OK;
    }
    for (size_t j = 0; j < k; j++) {
        e.stride += tells_blanks(g, j) != 0;
    }
    TRY_CLEANUP(regret_csr_new(&e.m, rows, 0, rows * e.stride));
    for (size_t j = 0; j < k; j++) {
        TRY_CLEANUP(g->pool->columns[j].kind == REGRET_COLUMN_WORD ? encode_words(&e, j)
                                                                   : encode_numbers(&e, j));
    }
    for (size_t x = 0; x < rows; x++) {
        e.m->row_start[x + 1] = (x + 1) * e.stride;
    }
    *out = e.m;
    e.m = NULL;
cleanup:
    regret_csr_free(e.m);
    return rc;
}

static void put_name(struct regret_buffer *out, const char *name, const char *word)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, name);
    if (word != NULL) {
        regret_buffer_append_char(&text, '=');
        regret_buffer_append(&text, word);
    }
    regret_buffer_append(out, out->length > 1 ? "," : "");
    regret_buffer_json_string(out, regret_buffer_get(&text));
    regret_buffer_free_into(out, &text);
}

static int put_words(struct regret_buffer *out, const struct regret_grid *g, size_t j)
{
    FREED_BY(id_table_free) struct id_table words = {NULL, 0, 0};
    for (size_t x = 0; x < g->n_contexts; x++) {
        const char *word = covariate(g, x, j)->word;
        size_t known = words.n;
        TRY(id_table_reserve(&words, known + 1));
        id_table_put(&words, word, known);
        if (words.n > known) {
            put_name(out, g->pool->columns[j].name, word);
        }
    }
    return REGRET_OK;
}

void covariates_names(struct regret_buffer *out, const struct regret_grid *g)
{
    struct regret_buffer list = REGRET_BUFFER_INIT;
    regret_buffer_append_char(&list, '[');
    for (size_t j = 0; j < g->pool->n_columns; j++) {
        if (g->pool->columns[j].kind == REGRET_COLUMN_WORD) {
            regret_buffer_fail(&list, put_words(&list, g, j));
        } else {
            put_name(&list, g->pool->columns[j].name, NULL);
        }
        if (tells_blanks(g, j)) {
            put_name(&list, g->pool->columns[j].name, "");
        }
    }
    regret_buffer_append_char(&list, ']');
    regret_buffer_append(out, regret_buffer_get(&list));
    regret_buffer_free_into(out, &list);
}
