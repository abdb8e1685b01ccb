#include "experiment/features/covariates.h"

#include <math.h>

#include "base/core/id_table.h"
#include "base/core/try.h"
#include "regret/alloc.h"

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

/* Column j of the pool behind the `first` columns there are: the place and the value of each context in row x of
 * `place` and `value`, which are contexts × pool columns; leaves behind how many columns it becomes. */
static int encode_words(size_t *n, uint32_t *place, double *value, const struct regret_grid *g,
                        size_t j, size_t first)
{
    size_t stride = g->pool->n_columns;
    struct id_table words = {NULL, 0, 0};
    int rc;
    TRY_CLEANUP(number_words(&words, g, j));
    for (size_t x = 0; x < g->n_contexts; x++) {
        place[x * stride + j] = (uint32_t)(first + id_table_find(&words, covariate(g, x, j)->word));
        value[x * stride + j] = 1.0;
    }
    *n = words.n;
cleanup:
    id_table_free(&words);
    return rc;
}

static void encode_numbers(uint32_t *place, double *value, const struct regret_grid *g, size_t j,
                           size_t first)
{
    size_t stride = g->pool->n_columns;
    double n = (double)g->n_contexts, mean = 0.0, squares = 0.0;
    for (size_t x = 0; x < g->n_contexts; x++) {
        mean += covariate(g, x, j)->number / n;
    }
    for (size_t x = 0; x < g->n_contexts; x++) {
        double d = covariate(g, x, j)->number - mean;
        squares += d * d / n;
    }
    /* What is constant may not be so to the last bit. */
    double least = 1e-12 * (1.0 + fabs(mean)), sd = sqrt(squares);
    for (size_t x = 0; x < g->n_contexts; x++) {
        place[x * stride + j] = (uint32_t)first;
        value[x * stride + j] = sd > least ? (covariate(g, x, j)->number - mean) / sd : 0.0;
    }
}

int covariates_encode(struct regret_csr **out, const struct regret_grid *g)
{
    size_t k = g->pool->n_columns, rows = g->n_contexts, cols = 0;
    struct regret_csr *m = NULL;
    int rc;
    *out = NULL;
    if (k == 0) {
        return REGRET_OK;
    }
    TRY_CLEANUP(regret_csr_new(&m, rows, 0, rows * k));
    for (size_t j = 0; j < k; j++) {
        size_t n = 1;
        if (g->pool->columns[j].kind == REGRET_COLUMN_WORD) {
            TRY_CLEANUP(encode_words(&n, m->column, m->value, g, j, cols));
        } else {
            encode_numbers(m->column, m->value, g, j, cols);
        }
        cols += n;
    }
    m->cols = cols;
    for (size_t x = 0; x < rows; x++) {
        m->row_start[x + 1] = (x + 1) * k;
    }
    *out = m;
    m = NULL;
cleanup:
    regret_csr_free(m);
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
    struct id_table words = {NULL, 0, 0};
    int rc;
    for (size_t x = 0; x < g->n_contexts; x++) {
        const char *word = covariate(g, x, j)->word;
        size_t known = words.n;
        TRY_CLEANUP(id_table_reserve(&words, known + 1));
        id_table_put(&words, word, known);
        if (words.n > known) {
            put_name(out, g->pool->columns[j].name, word);
        }
    }
    rc = REGRET_OK;
cleanup:
    id_table_free(&words);
    return rc;
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
    }
    regret_buffer_append_char(&list, ']');
    regret_buffer_append(out, regret_buffer_get(&list));
    regret_buffer_free_into(out, &list);
}
