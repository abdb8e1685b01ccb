#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "regret/text.h"

static struct regret_terms *terms_of(const char *const *texts, size_t n, int bigrams, int keep)
{
    struct regret_tokens *tokens = NULL;
    struct regret_terms *terms = NULL;
    struct regret_terms_options options = {bigrams, keep};
    cr_assert_eq(regret_tokens_build(&tokens, texts, n), REGRET_OK);
    cr_assert_eq(regret_terms_build(&terms, tokens, &options), REGRET_OK);
    regret_tokens_free(tokens);
    return terms;
}

static double count(const struct regret_terms *terms, size_t row, size_t column)
{
    const struct regret_csr *m = terms->counts;
    for (size_t e = m->row_start[row]; e < m->row_start[row + 1]; e++) {
        if (m->column[e] == column) {
            return m->value[e];
        }
    }
    return 0.0;
}

/* Bytes of a bigram's two hashes; the machine of the tests is little-endian, the library need not
 * know. */
static uint64_t bigram(const char *a, const char *b)
{
    uint64_t pair[2] = {XXH3_64bits(a, strlen(a)), XXH3_64bits(b, strlen(b))};
    return XXH3_64bits(pair, sizeof pair);
}

Test(terms, columns_by_first_appearance)
{
    const char *texts[] = {"The cat saw the cat", "", "dog saw cat cat dog"};
    struct regret_terms *t = terms_of(texts, 3, 1, 0);
    /* cat, cat saw, saw, saw cat | dog, dog saw, (saw, saw cat, cat), cat cat, cat dog */
    const uint64_t hash[] = {XXH3_64bits("cat", 3), bigram("cat", "saw"),  XXH3_64bits("saw", 3),
                             bigram("saw", "cat"),  XXH3_64bits("dog", 3), bigram("dog", "saw"),
                             bigram("cat", "cat"),  bigram("cat", "dog")};
    /* Stop words go first, so cat+saw and saw+cat are neighbours. */
    cr_assert_eq(t->counts->cols, 8);
    for (size_t j = 0; j < 8; j++) {
        cr_assert_eq(t->hash[j], hash[j], "column %zu", j);
    }
    const double counts[3][8] = {
        {2, 1, 1, 1, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}, {2, 0, 1, 1, 2, 1, 1, 1}};
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 8; j++) {
            cr_assert_eq(count(t, i, j), counts[i][j], "document %zu term %zu", i, j);
        }
    }
    regret_terms_free(t);
}

Test(terms, options)
{
    const char *texts[] = {"the cat and the hat"};
    struct regret_terms *unigrams = terms_of(texts, 1, 0, 0), *all = terms_of(texts, 1, 1, 1);
    cr_assert_eq(unigrams->counts->cols, 2);
    cr_assert_eq(all->counts->cols, 8); /* the cat and hat; the cat, cat and, and the, the hat */
    regret_terms_free(unigrams);
    regret_terms_free(all);
}

Test(terms, stop_words)
{
    const char *texts[] = {"It isn\xe2\x80\x99t what YOU would've, I ain't the"};
    struct regret_terms *t = terms_of(texts, 1, 1, 0);
    cr_assert_eq(t->counts->cols, 1); /* would've is not on the list */
    regret_terms_free(t);
}

/* Enough different words to make the vocabulary grow several times. */
Test(terms, a_large_vocabulary_is_counted_right)
{
    enum { WORDS = 6000 };
    char *text = malloc(16 * WORDS + 1), *at = text;
    for (int i = 0; i < WORDS; i++) {
        at += sprintf(at, "w%d ", i % 5000);
    }
    const char *texts[] = {text};
    struct regret_terms *t = terms_of(texts, 1, 0, 0);
    cr_assert_eq(t->counts->cols, 5000);
    for (size_t j = 0; j < 5000; j++) {
        cr_assert_eq(count(t, 0, j), j < 1000 ? 2.0 : 1.0);
    }
    regret_terms_free(t);
    free(text);
}
