#include "log/overlap/features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/texts.h"
#include "regret/alloc.h"
#include "regret/tfidf.h"

FREED_POINTER(struct regret_csr, regret_csr_free)

static uint32_t context_of(const struct features *f, const struct regret_log *log, size_t i)
{
    return log->rows[REGRET_LOG_OBS].context[f->row != NULL ? f->row[i] : i];
}

static int add(struct feature **out, struct features *f, const char *name, size_t n_levels)
{
    TRY(regret_realloc((void **)&f->at, f->n + 1, sizeof *f->at, "what is recorded of requests"));
    struct feature *to = *out = &f->at[f->n];
    *to = (struct feature){.n_levels = n_levels};
    f->n++;
    TRY(regret_strdup(&to->name, name));
    return REGRET_NEW(&to->level, f->n_rows);
}

static int add_tag(struct features *f, const struct regret_log *log, const char *tag)
{
    struct feature *to;
    TRY(add(&to, f, tag, log->n_tags));
    TRY(REGRET_NEW(&to->levels, log->n_tags));
    for (size_t t = 0; t < log->n_tags; t++) {
        to->levels[t] = log->tags[t];
    }
    for (size_t i = 0; i < f->n_rows; i++) {
        to->level[i] = log->tag[context_of(f, log, i)];
    }
    return REGRET_OK;
}

static int add_words(struct features *f, const struct regret_log *log,
                     const struct regret_log_column *column)
{
    struct feature *to;
    TRY(add(&to, f, column->name, column->n_words));
    TRY(REGRET_NEW(&to->levels, column->n_words));
    for (size_t w = 0; w < column->n_words; w++) {
        to->levels[w] = column->words[w];
    }
    for (size_t i = 0; i < f->n_rows; i++) {
        to->level[i] = column->word[context_of(f, log, i)];
    }
    return REGRET_OK;
}

struct numbered {
    double x;
    uint32_t row;
};

/* Missing ones last. */
static int compare(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    int missing = (isnan(x->x) != 0) - (isnan(y->x) != 0);
    return missing != 0                 ? missing
           : x->x < y->x || x->x > y->x ? (x->x > y->x) - (x->x < y->x)
                                        : (x->row > y->row) - (x->row < y->row);
}

/* Levels are the different numbers, in their order. */
static int add_numbers(struct features *f, const char *name, const double *x)
{
    FREED struct numbered *sorted = NULL;
    struct feature *to;
    TRY(add(&to, f, name, 0));
    TRY(REGRET_NEW(&to->order, f->n_rows));
    TRY(REGRET_NEW(&to->value, f->n_rows));
    TRY(REGRET_NEW(&sorted, f->n_rows));
    for (size_t i = 0; i < f->n_rows; i++) {
        sorted[i] = (struct numbered){x[i], (uint32_t)i};
    }
    qsort(sorted, f->n_rows, sizeof *sorted, compare);
    for (size_t i = 0; i < f->n_rows; i++) {
        if (i == 0 || sorted[i].x > sorted[i - 1].x ||
            isnan(sorted[i].x) != isnan(sorted[i - 1].x)) {
            to->value[to->n_levels++] = sorted[i].x;
        }
        to->order[i] = sorted[i].row;
        to->level[sorted[i].row] = (uint32_t)to->n_levels - 1;
    }
    return REGRET_OK;
}

static int add_columns(struct features *f, const struct regret_log *log)
{
    FREED double *x = NULL;
    TRY(REGRET_NEW(&x, f->n_rows));
    for (size_t j = 0; j < log->n_columns; j++) {
        const struct regret_log_column *column = &log->column[j];
        for (size_t i = 0; i < f->n_rows && !column->is_word; i++) {
            x[i] = column->value[context_of(f, log, i)];
        }
        TRY(column->is_word ? add_words(f, log, column) : add_numbers(f, column->name, x));
    }
    return REGRET_OK;
}

/* The length of the text, and which of its common words it has. */
static int add_texts(struct features *f, const struct regret_log *log)
{
    FREED_BY(regret_csr_free_at) struct regret_csr *has = NULL;
    FREED const char **text = NULL;
    FREED double *length = NULL;
    struct feature *to;
    size_t n = 0;
    TRY(REGRET_NEW(&text, f->n_rows));
    TRY(REGRET_NEW(&length, f->n_rows));
    for (size_t i = 0; i < f->n_rows; i++) {
        text[i] = log->text[context_of(f, log, i)];
        n += text[i] != NULL && text[i][0] != '\0';
        length[i] = text[i] != NULL ? (double)strlen(text[i]) : NAN;
    }
    if (n == 0) {
        return REGRET_OK;
    }
    TRY(add_numbers(f, "the length of the text", length));
    TRY(regret_common_words(&has, &f->words, text, f->n_rows));
    f->n_words = has != NULL ? has->rows : 0;
    for (size_t w = 0; w < f->n_words; w++) {
        TRY(add(&to, f, f->words[w], 2));
        to->is_word = 1;
        for (size_t e = has->row_start[w]; e < has->row_start[w + 1]; e++) {
            to->level[has->column[e]] = 1;
        }
    }
    return REGRET_OK;
}

int features_make_of(struct features *f, const struct regret_log *log, const char *tag)
{
    f->row = log->n_drawn > 0 ? log->drawn : NULL;
    f->n_rows = log->n_drawn > 0 ? log->n_drawn : log->rows[REGRET_LOG_OBS].n;
    TRY(log->tag != NULL && log->n_tags > 1 ? add_tag(f, log, tag) : REGRET_OK);
    TRY(add_columns(f, log));
    return log->text != NULL ? add_texts(f, log) : REGRET_OK;
}

void features_clear(struct features *f)
{
    for (size_t i = 0; i < f->n; i++) {
        regret_free(f->at[i].name);
        regret_free(f->at[i].levels);
        regret_free(f->at[i].level);
        regret_free(f->at[i].order);
        regret_free(f->at[i].value);
    }
    regret_free(f->at);
    texts_free(f->words, f->n_words);
}

void feature_say(struct regret_buffer *out, const struct feature *f, size_t first, size_t last)
{
    enum { COLUMNS = 30 };
    if (f->is_word) {
        regret_buffer_append(out, first == 1 ? "the text has \"" : "the text has no \"");
        regret_buffer_append_safe(out, f->name, COLUMNS);
        regret_buffer_append(out, "\"");
        return;
    }
    regret_buffer_append_safe(out, f->name, COLUMNS);
    if (f->levels != NULL) {
        regret_buffer_append(out, " = ");
        regret_buffer_append_safe(out, f->levels[first], COLUMNS);
    } else if (isnan(f->value[first])) {
        regret_buffer_append(out, " is missing");
    } else if (first == 0) {
        regret_buffer_printf(out, " <= %g", f->value[last]);
    } else if (last + 1 == f->n_levels || isnan(f->value[last + 1])) {
        regret_buffer_printf(out, " >= %g", f->value[first]);
    } else {
        regret_buffer_printf(out, " from %g to %g", f->value[first], f->value[last]);
    }
}
