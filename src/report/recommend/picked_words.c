#include "report/recommend/picked_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/core/names.h"
#include "base/core/try.h"
#include "regret/alloc.h"

static int most_frequent_first(const void *left, const void *right)
{
    const struct picked_word *a = left, *b = right;
    return a->share != b->share ? (a->share < b->share ? 1 : -1) : strcmp(a->word, b->word);
}

/* Counts a word of a fit, of `length` bytes. */
static int count(struct picked_words *out, struct names *names, const char *word, size_t length)
{
    FREED char *copy = NULL;
    uint32_t i = 0;
    TRY(regret_strndup(&copy, word, length));
    TRY(names_enter(&i, names, copy));
    if (i == out->n) {
        TRY(regret_realloc((void **)&out->items, i + 1, sizeof *out->items, "words"));
        out->items[out->n++] = (struct picked_word){copy, 0.0};
        copy = NULL;
    }
    out->items[i].share += 1.0;
    return REGRET_OK;
}

static int count_row(struct picked_words *out, struct names *names, const char *words)
{
    for (size_t length; words != NULL && *words != '\0'; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        TRY(length > 0 ? count(out, names, words, length) : REGRET_OK);
    }
    return REGRET_OK;
}

static int is_by_mixed(const struct recommend *s, const struct contest *rules, size_t mixed)
{
    size_t named = rules->item[REGRET_ADVICE_BY_REQUEST].named;
    return mixed != REGRET_NO_ROW && rules->answer == REGRET_ADVICE_BY_REQUEST &&
           (named == mixed || strcmp(s->r->subjects[named].name, "stack") == 0);
}

int picked_words_make(struct picked_words *out, const struct recommend *s,
                      const struct contest *rules)
{
    const struct regret_results *r = s->r;
    size_t mixed = regret_results_subject(r, REGRET_ROW_FAMILY, "mixed"), fits = 0;
    FREED_BY(names_free) struct names names = {0};
    *out = (struct picked_words){NULL, 0};
    if (!is_by_mixed(s, rules, mixed)) {
        return REGRET_OK;
    }
    for (size_t k = 0; k < s->cells.n_cells * r->n_seeds; k++) {
        size_t cell = s->cells.cells[k % s->cells.n_cells], seed = k / s->cells.n_cells;
        size_t row = r->at[mixed + r->n_subjects * (cell + r->n_cells * seed)];
        fits += row != REGRET_NO_ROW;
        TRY(row != REGRET_NO_ROW ? count_row(out, &names, r->row_picked[row]) : REGRET_OK);
    }
    for (size_t i = 0; i < out->n; i++) {
        out->items[i].share /= (double)fits;
    }
    qsort(out->items, out->n, sizeof *out->items, most_frequent_first);
    return REGRET_OK;
}

void picked_words_free(struct picked_words *words)
{
    for (size_t i = 0; i < words->n; i++) {
        regret_free(words->items[i].word);
    }
    regret_free(words->items);
    *words = (struct picked_words){NULL, 0};
}

/* ---------------------------------------------------------------- own columns */

/* Columns of the grid, and its tags behind them. */
struct cells {
    struct deciding_column *column; /* [n_columns + 1]; owned, as the others */
    uint32_t **word;
    struct names *names;
    uint32_t *choice;
    size_t n_columns;
};

static void cells_free(struct cells *c)
{
    for (size_t j = 0; c->names != NULL && j <= c->n_columns; j++) {
        regret_free(c->word[j]);
        names_free(&c->names[j]);
    }
    regret_free(c->word);
    regret_free(c->names);
    regret_free(c->column);
    regret_free(c->choice);
}

static int number_words(struct cells *c, size_t j, const char *name, const char *const *word,
                        size_t n)
{
    TRY(REGRET_NEW(&c->word[j], n));
    for (size_t x = 0; x < n; x++) {
        const char *of = word != NULL && word[x] != NULL ? word[x] : "";
        TRY(names_enter(&c->word[j][x], &c->names[j], of));
    }
    c->column[j] = (struct deciding_column){name, NULL, c->word[j], c->names[j].n,
                                            (const char *const *)c->names[j].name};
    return REGRET_OK;
}

static int take_cells(struct cells *c, const struct recommend *s, size_t source)
{
    const struct regret_run_grid *g = s->grid;
    size_t k = c->n_columns;
    TRY(REGRET_NEW(&c->column, k + 1));
    TRY(REGRET_NEW(&c->word, k + 1));
    TRY(REGRET_NEW(&c->names, k + 1));
    TRY(REGRET_NEW(&c->choice, g->n_contexts));
    for (size_t j = 0; j < k; j++) {
        const struct regret_run_column *of = &g->columns[j];
        if (of->number != NULL) {
            c->column[j] = (struct deciding_column){.name = of->name, .number = of->number};
        } else {
            TRY(number_words(c, j, of->name, of->word, g->n_contexts));
        }
    }
    for (size_t x = 0; x < g->n_contexts; x++) {
        const struct recommended *item = recommend_item(s, source, x);
        c->choice[x] = item->replicates > 0 ? (uint32_t)item->agent : UINT32_MAX;
    }
    return number_words(c, k, "tag", g->tags, g->n_contexts);
}

int picked_columns(struct regret_buffer *out, const struct recommend *s, size_t source,
                   deciding_writer *write)
{
    const struct regret_run_grid *g = s->grid;
    FREED_BY(cells_free) struct cells c = {.n_columns = g->n_columns};
    struct deciding d = {0};
    if (g->n_columns > 0) {
        TRY(take_cells(&c, s, source));
        TRY(deciding_find(&d, c.choice, g->n_contexts, g->n_agents, c.column, g->n_columns + 1));
    }
    write(out, &d, c.column, g->agents);
    return REGRET_OK;
}
