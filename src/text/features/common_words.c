/* Which texts hold which words, for what looks at one word at a time. */
#include <stdint.h>
#include <string.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/tfidf.h"
#include "text/words/spell.h"

FREED_POINTER(struct regret_csr, regret_csr_free)
FREED_POINTER(struct regret_terms, regret_terms_free)
FREED_POINTER(struct regret_tokens, regret_tokens_free)

/* A word that fewer texts hold, or lack, tells of these texts rather than of itself. */
enum { LEAST_TEXTS = 5, LEAST_SHARE = 100 };

/* Numbers the columns that enough rows have and lack, in their order, all others UINT32_MAX; returns how many. */
static size_t number_common(uint32_t *number, const struct regret_csr *counts)
{
    size_t least = counts->rows / LEAST_SHARE, n = 0;
    least = least > LEAST_TEXTS ? least : LEAST_TEXTS;
    for (size_t i = 0; i < regret_csr_entries(counts); i++) {
        number[counts->column[i]]++;
    }
    for (size_t j = 0; j < counts->cols; j++) {
        int is_common = number[j] >= least && number[j] + least <= counts->rows;
        number[j] = is_common ? (uint32_t)n++ : UINT32_MAX;
    }
    return n;
}

/* Ones in the columns that have a number, in their order. */
static int keep_common(struct regret_csr **out, const struct regret_csr *counts,
                       const uint32_t *number, size_t n)
{
    size_t entries = 0;
    TRY(regret_csr_new(out, counts->rows, n, regret_csr_entries(counts)));
    for (size_t x = 0; x < counts->rows; x++) {
        for (size_t i = counts->row_start[x]; i < counts->row_start[x + 1]; i++) {
            if (number[counts->column[i]] != UINT32_MAX) {
                (*out)->column[entries] = number[counts->column[i]];
                (*out)->value[entries++] = 1.0;
            }
        }
        (*out)->row_start[x + 1] = entries;
    }
    return REGRET_OK;
}

static int spell(char ***out, const struct regret_csr *words, const char *const *texts,
                 const struct regret_terms *terms, const uint32_t *number)
{
    char **names = NULL;
    int rc;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY_CLEANUP(REGRET_NEW(&names, words->rows + 1));
    for (size_t j = 0; j < terms->counts->cols; j++) {
        if (number[j] != UINT32_MAX) { /* its row begins with the first text that holds it */
            size_t text = words->column[words->row_start[number[j]]];
            TRY_CLEANUP(token_spell(&names[number[j]], texts[text], terms->hash[j]));
        }
    }
    *out = names;
    names = NULL;
cleanup:
    texts_free(names, words->rows);
    return rc;
}

int regret_common_words(struct regret_csr **out, char ***names, const char *const *texts, size_t n)
{
    const struct regret_terms_options options = {.bigrams = 0};
    FREED_BY(regret_tokens_free_at) struct regret_tokens *tokens = NULL;
    FREED_BY(regret_terms_free_at) struct regret_terms *terms = NULL;
    FREED_BY(regret_csr_free_at) struct regret_csr *kept = NULL;
    FREED_BY(regret_csr_free_at) struct regret_csr *words = NULL;
    FREED uint32_t *number = NULL;
    TRY(regret_tokens_build(&tokens, texts, n));
    TRY(regret_terms_build(&terms, tokens, &options));
    TRY(REGRET_NEW(&number, terms->counts->cols + 1));
    size_t n_words = number_common(number, terms->counts);
    TRY(keep_common(&kept, terms->counts, number, n_words));
    TRY(regret_csr_transpose(&words, kept));
    TRY(names != NULL ? spell(names, words, texts, terms, number) : REGRET_OK);
    *out = words;
    words = NULL;
    return REGRET_OK;
}
