/* One more look at a table, at the cells that the first has found to matter; and the numbers that it has found. */
#include <math.h>

#include "base/core/try.h"
#include "import/guess/guess.h"
#include "import/table/table_source.h"
#include "regret/alloc.h"

static int take_next(int *more, struct table_source *source, guess_take_row *take, void *context)
{
    TRY(table_source_next(source, more));
    return *more ? take(context, source) : REGRET_OK;
}

/* The next row, or that there is none; of a bad one, of which import speaks when it comes to it, nothing is taken. */
static int next_row(int *more, struct table_source *source, guess_take_row *take, void *context)
{
    int rc = take_next(more, source, take, context);
    if (rc != REGRET_E_INPUT || source->over) {
        return rc;
    }
    *more = 1;
    return take(context, NULL);
}

int guess_read(const struct table_guess *g, const char *path, const char *const *field,
               size_t n_fields, guess_take_row *take, void *context)
{
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct table_source source = {0};
    int more = 1, rc;
    options.layout = g->is_json ? REGRET_TABLE_LAYOUT_JSONL : REGRET_TABLE_LAYOUT_CSV;
    options.separator = g->separator;
    TRY_CLEANUP(table_source_open(&source, path, &options, field, n_fields, NULL));
    source.decimal_comma = g->profile.decimal_comma;
    for (size_t row = 0; more && row < g->profile.rows; row++) {
        TRY_CLEANUP(next_row(&more, &source, take, context));
    }
cleanup:
    table_source_close(&source);
    return rc == REGRET_E_INPUT ? REGRET_OK : rc;
}

/* ---------------------------------------------------------------- numbers */

/* Numbers that may be scores, or tell of contexts. */
static int is_looked_at(const struct table_guess *g, size_t k)
{
    const struct profile_column *c = &g->profile.column[k];
    enum guess_role role = g->role[k];
    return c->numbers > 0 && column_fits_map(c->name) &&
           (role == GUESS_NONE || role == GUESS_OWN || role == GUESS_COMPONENT ||
            role == GUESS_AUX) &&
           (2 * c->numbers > c->filled || g->is_score[k]);
}

int guess_numbers_take(struct table_guess *g)
{
    const struct table_profile *p = &g->profile;
    struct guess_numbers *x = &g->numbers;
    TRY(REGRET_NEW(&x->column, p->n_columns));
    for (size_t k = 0; k < p->n_columns; k++) {
        if (is_looked_at(g, k)) {
            x->column[x->m++] = k;
        }
    }
    if (x->m == 0) {
        return REGRET_OK;
    }
    x->n = p->rows;
    TRY(REGRET_NEW(&x->value, x->n * x->m));
    for (size_t i = 0; i < x->n; i++) {
        for (size_t j = 0; j < x->m; j++) {
            x->value[i * x->m + j] = p->number[i * p->n_columns + x->column[j]];
        }
    }
    return REGRET_OK;
}

size_t guess_numbers_place(const struct guess_numbers *x, size_t k)
{
    size_t j = 0;
    while (j < x->m && x->column[j] != k) {
        j++;
    }
    return j < x->m ? j : GUESS_NO_COLUMN;
}

void guess_numbers_free(struct guess_numbers *x)
{
    regret_free(x->column);
    regret_free(x->value);
    *x = (struct guess_numbers){0};
}
