#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "evaluate/balance/block.h"
#include "evaluate/balance/triplets.h"
#include "regret/alloc.h"
#include "regret/text.h"

FREED_POINTER(struct regret_tokens, regret_tokens_free)
FREED_POINTER(struct regret_terms, regret_terms_free)

enum { MAX_WORDS = 1000, LEAST_UNITS = 10 };

static const struct regret_terms_options words_alone = {.bigrams = 0, .keep_stop_words = 0};

/* One text a unit of the sample: that of its first row, "" where there is none. Borrowed. */
static int unit_texts(const char ***out, size_t *n_texts, const struct regret_log *log,
                      const struct assignment *d)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    const char **texts = NULL;
    *n_texts = 0;
    TRY(REGRET_NEW(&texts, d->n_units));
    for (size_t u = 0; u < d->n_units; u++) {
        const char *text = log->text ? log->text[exp->context[d->first[u]]] : NULL;
        *n_texts += text != NULL;
        texts[u] = text ? text : "";
    }
    *out = texts;
    return REGRET_OK;
}

struct counted {
    size_t units, term;
};

/* The most frequent first, then in order of appearance. */
static int descending(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    return x->units != y->units ? (x->units < y->units) - (x->units > y->units)
                                : (x->term > y->term) - (x->term < y->term);
}

/* column[term]: its dimension, or SIZE_MAX; source[dimension]: the term. */
static int choose(size_t *column, size_t **source, size_t *n, const struct regret_csr *counts)
{
    FREED struct counted *order = NULL;
    *n = 0;
    TRY(REGRET_NEW(&order, counts->cols));
    TRY(REGRET_NEW(source, MAX_WORDS));
    for (size_t t = 0; t < counts->cols; t++) {
        order[t].term = t;
        column[t] = SIZE_MAX;
    }
    for (size_t e = 0; e < regret_csr_entries(counts); e++) {
        order[counts->column[e]].units++;
    }
    if (counts->cols > 0) {
        qsort(order, counts->cols, sizeof *order, descending);
    }
    for (; *n < MAX_WORDS && *n < counts->cols && order[*n].units >= LEAST_UNITS; (*n)++) {
        column[order[*n].term] = *n;
        (*source)[*n] = order[*n].term;
    }
    return REGRET_OK;
}

static int add_words(struct triplets *t, const struct regret_csr *counts, const size_t *column)
{
    const struct assignment *d = t->assignment;
    for (size_t u = 0; u < counts->rows; u++) {
        for (size_t e = counts->row_start[u]; e < counts->row_start[u + 1]; e++) {
            size_t j = column[counts->column[e]];
            if (j != SIZE_MAX) {
                TRY(triplets_add(t, d->first[u], j, (double)d->rows[u]));
            }
        }
    }
    return REGRET_OK;
}

static int count_words(struct regret_terms **out, const char *const *texts, size_t n)
{
    FREED_BY(regret_tokens_free_at) struct regret_tokens *tokens = NULL;
    TRY(regret_tokens_build(&tokens, texts, n));
    return regret_terms_build(out, tokens, &words_alone);
}

int block_words(struct block *out, const struct regret_log *log, const struct assignment *d)
{
    struct triplets t = {.assignment = d};
    struct regret_terms *terms = NULL;
    const char **texts = NULL;
    size_t *column = NULL, *source = NULL, n, n_texts;
    int rc;
    TRY_CLEANUP(unit_texts(&texts, &n_texts, log, d));
    if (n_texts == 0) {
        goto cleanup;
    }
    TRY_CLEANUP(count_words(&terms, texts, d->n_units));
    TRY_CLEANUP(REGRET_NEW(&column, terms->counts->cols));
    TRY_CLEANUP(choose(column, &source, &n, terms->counts));
    TRY_CLEANUP(add_words(&t, terms->counts, column));
    if (n > 0) {
        rc = triplets_take(out, &t, n, source);
        source = NULL;
    }
cleanup:
    triplets_free(&t);
    regret_terms_free(terms);
    regret_free(texts);
    regret_free(column);
    regret_free(source);
    return rc;
}

/* A copy of the first piece of the text, cut at blanks, that consists of the token. */
static int find_piece(char **out, const char *text, uint64_t hash)
{
    while (*text && !*out) {
        size_t length = strcspn(text, " \t\r\n");
        char *piece = NULL;
        struct regret_tokens *tokens = NULL;
        int rc;
        TRY_CLEANUP(regret_strndup(&piece, text, length));
        TRY_CLEANUP(regret_tokens_build(&tokens, (const char *const *)&piece, 1));
        for (size_t i = 0; i < tokens->start[1] && !*out; i++) {
            if (tokens->hash[i] == hash) {
                *out = piece;
                piece = NULL;
            }
        }
    cleanup:
        regret_tokens_free(tokens);
        regret_free(piece);
        if (rc < 0) {
            return rc;
        }
        text += length + (text[length] != '\0');
    }
    return REGRET_OK;
}

int block_word(char **out, const struct block *block, size_t j, const struct regret_log *log,
               const struct assignment *d)
{
    FREED_BY(regret_terms_free_at) struct regret_terms *terms = NULL;
    FREED const char **texts = NULL;
    FREED char *word = NULL;
    size_t n_texts, term = block->source[j];
    TRY(unit_texts(&texts, &n_texts, log, d));
    TRY(count_words(&terms, texts, d->n_units));
    for (size_t u = 0; u < d->n_units && !word; u++) {
        for (size_t e = terms->counts->row_start[u]; e < terms->counts->row_start[u + 1]; e++) {
            if (terms->counts->column[e] == term) {
                TRY(find_piece(&word, texts[u], terms->hash[term]));
                break;
            }
        }
    }
    TRY(word ? REGRET_OK : regret_strdup(&word, "?"));
    *out = word;
    word = NULL;
    return REGRET_OK;
}
