#include "model/core/own.h"

#include <math.h>
#include <string.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/quantile.h"

void model_columns_free(struct model_columns *columns)
{
    for (size_t j = 0; columns->item != NULL && j < columns->n; j++) {
        struct model_column *c = &columns->item[j];
        regret_free(c->name);
        texts_free(c->word, c->word != NULL ? c->n : 0);
        regret_free(c->share);
    }
    regret_free(columns->item);
    *columns = (struct model_columns){0};
}

static size_t find_word(const struct model_column *c, const char *word)
{
    size_t w = 0;
    while (w < c->n && strcmp(c->word[w], word) != 0) {
        w++;
    }
    return w;
}

/* The words of column j by first appearance, and their shares. */
static int make_words(struct model_column *c, const struct regret_model_data *data, size_t j)
{
    size_t room = 0, room_of_shares = 0;
    for (size_t x = 0; x < data->n_contexts; x++) {
        const char *word = data->covariate[x][j].word;
        size_t w = find_word(c, word);
        if (w == REGRET_MODEL_MAX_TAGS) {
            return regret_fail(REGRET_E_INPUT,
                               "column \"%s\" has more than %d words, too many to tell apart; give "
                               "coarser ones, or leave it out",
                               c->name, REGRET_MODEL_MAX_TAGS);
        }
        if (w == c->n) {
            TRY(regret_grow((void **)&c->word, &room, w, sizeof *c->word, "words"));
            TRY(regret_grow((void **)&c->share, &room_of_shares, w, sizeof *c->share, "words"));
            c->share[w] = 0.0;
            TRY(regret_strdup(&c->word[w], word));
            c->n++;
        }
        c->share[w] += 1.0 / (double)data->n_contexts;
    }
    return REGRET_OK;
}

/* v of a number, 0 where it is blank. */
static double standard(const struct model_column *c, double number)
{
    return isnan(number) || c->sd == 0.0 ? 0.0 : (number - c->mean) / c->sd;
}

static int make_numbers(struct model_column *c, const struct regret_model_data *data, size_t j)
{
    size_t n = data->n_contexts;
    double *value = NULL;
    TRY(REGRET_NEW(&value, n));
    for (size_t x = 0; x < n; x++) {
        value[x] = data->covariate[x][j].number;
    }
    const struct own_moments m = own_moments(value, n);
    c->mean = m.mean;
    c->sd = m.sd;
    for (size_t x = 0; x < n; x++) {
        value[x] = standard(c, value[x]);
    }
    regret_sort_numbers(value, n);
    own_number_cut(&c->number, value, n);
    c->least = value[0];
    c->most = value[n - 1];
    c->blank = m.blank >= OWN_LEAST_BLANKS ? (double)m.blank / (double)n : 0.0;
    c->n = OWN_OF_NUMBER + (c->blank > 0.0);
    regret_free(value);
    return REGRET_OK;
}

int model_columns_make(struct model_columns *out, const struct regret_model_data *data)
{
    struct model_columns made = {0};
    int rc;
    TRY_CLEANUP(REGRET_NEW(&made.item, data->n_columns));
    for (size_t j = 0; j < data->n_columns; j++) {
        struct model_column *c = &made.item[made.n++];
        c->first = made.features;
        TRY_CLEANUP(regret_strdup(&c->name, data->column[j].name));
        TRY_CLEANUP(data->column[j].kind == REGRET_COLUMN_WORD ? make_words(c, data, j)
                                                               : make_numbers(c, data, j));
        made.features += c->n;
    }
    rc = made.features <= REGRET_MODEL_MAX_TAGS
             ? REGRET_OK
             : regret_fail(REGRET_E_INPUT,
                           "the contexts' own columns have %zu words and steps together, more than "
                           "%d; leave some out",
                           made.features, REGRET_MODEL_MAX_TAGS);
    TRY_CLEANUP(rc);
    *out = made;
    made = (struct model_columns){0};
cleanup:
    model_columns_free(&made);
    return rc;
}

int model_column_knows(const struct model_column *c, const struct regret_covariate *value)
{
    return c->word != NULL ? value->word != NULL && find_word(c, value->word) < c->n
                           : isfinite(value->number) || (isnan(value->number) && c->blank > 0.0);
}

int model_column_is_far(const struct model_column *c, const struct regret_covariate *value)
{
    double v = c->word == NULL && isfinite(value->number) ? standard(c, value->number) : c->least;
    return v < c->least || v > c->most;
}

static void read_number(double *out, const struct model_column *c, double number)
{
    if (c->sd > 0.0) {
        own_number_put(out, &c->number, fmin(fmax(standard(c, number), c->least), c->most));
    }
    if (c->blank > 0.0) {
        out[OWN_OF_NUMBER] = (isnan(number) != 0) - c->blank;
    }
}

unsigned model_columns_read(double *out, const struct model_columns *columns,
                            const struct regret_covariate *values)
{
    unsigned notes = 0;
    memset(out, 0, columns->features * sizeof *out);
    for (size_t j = 0; j < columns->n; j++) {
        const struct model_column *c = &columns->item[j];
        int is_known = values != NULL && model_column_knows(c, &values[j]);
        notes |= !is_known                            ? REGRET_REQUEST_UNKNOWN_COLUMN
                 : model_column_is_far(c, &values[j]) ? REGRET_REQUEST_FAR_COLUMN
                                                      : 0;
        if (is_known && c->word == NULL) {
            read_number(out + c->first, c, values[j].number);
        }
        for (size_t w = 0; is_known && c->word != NULL && w < c->n; w++) {
            out[c->first + w] = (strcmp(c->word[w], values[j].word) == 0) - c->share[w];
        }
    }
    return notes;
}
