#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "rate/intern.h"
#include "rate/typos.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"

TestSuite(typos, .fini = scratch_remove);

static int compare_bytes(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

static int is_permutation(struct regret_span a, struct regret_span b)
{
    char x[64], y[64];
    if (a.length != b.length || a.length > sizeof x) {
        return 0;
    }
    memcpy(x, a.text, a.length);
    memcpy(y, b.text, b.length);
    qsort(x, a.length, 1, compare_bytes);
    qsort(y, b.length, 1, compare_bytes);
    return memcmp(x, y, a.length) == 0;
}

/* How many words differ; every changed one must be a permutation of more than two characters. */
static size_t count_changes(const char *before, const char *after)
{
    size_t changed = 0;
    for (;;) {
        struct regret_span a = next_token(&before), b = next_token(&after);
        cr_assert_eq(a.text == NULL, b.text == NULL, "words lost");
        if (a.text == NULL) {
            return changed;
        }
        if (a.length != b.length || memcmp(a.text, b.text, a.length) != 0) {
            cr_assert(is_permutation(a, b) && a.length > 2);
            changed++;
        }
    }
}

static const char sentence[] =
    "It was, to be fair, a wonderful  evening:\tthe café in 1984 had naïve waiters and 3 tables of "
    "an odd kind; we laughed and wept, and all of us would come again tomorrow.";

Test(typos, are_swaps_in_that_many_words)
{
    struct regret_rng rng = regret_rng_at(1, REGRET_RNG_TEST, 0);
    struct regret_buffer t = REGRET_BUFFER_INIT;
    size_t words = 0, most = 0;
    const char *at = sentence;
    while (next_token(&at).text != NULL) {
        words++;
    }
    for (size_t percent = 0; percent <= 100; percent += 5) {
        size_t wanted = words * percent / 100;
        for (int k = 0; k < 50; k++) {
            regret_buffer_clear(&t);
            regret_rate_add_typos(&t, sentence, percent, &rng);
            size_t changed = count_changes(sentence, regret_buffer_get(&t));
            cr_assert_leq(changed, wanted);
            most = changed > most ? changed : most;
        }
        if (wanted == 0) {
            cr_assert_str_eq(regret_buffer_get(&t), sentence);
        }
    }
    cr_assert_geq(most, words / 2, "at most %zu of %zu words", most, words);
    regret_buffer_free(&t);
}

Test(typos, every_word_is_as_likely)
{
    enum { WORDS = 10, DRAWS = 20000 };
    static const char text[] = "abcd efgh ijkl mnop qrst uvwx yzab cdef ghij klmn";
    struct regret_rng rng = regret_rng_at(2, REGRET_RNG_TEST, 0);
    struct regret_buffer t = REGRET_BUFFER_INIT;
    int hits[WORDS] = {0};
    for (int k = 0; k < DRAWS; k++) {
        regret_buffer_clear(&t);
        regret_rate_add_typos(&t, text, 30, &rng);
        for (int w = 0; w < WORDS; w++) {
            hits[w] += memcmp(text + 5 * w, t.data + 5 * w, 4) != 0;
        }
    }
    for (int w = 0; w < WORDS; w++) {
        cr_assert_float_eq(hits[w], 0.3 * DRAWS, 5.0 * sqrt(0.21 * DRAWS), "word %d: %d", w,
                           hits[w]);
    }
    regret_buffer_free(&t);
}

Test(typos, vowels)
{
    cr_assert(starts_with_vowel("Apple") && starts_with_vowel("urn") && starts_with_vowel("I"));
    cr_assert(!starts_with_vowel("") && !starts_with_vowel(" a") && !starts_with_vowel("Yes") &&
              !starts_with_vowel("écru"));
}

/* Exported rows, scored, are estimated rate by rate, in any order of the rates. */
Test(typos, scored_exports_are_the_levels)
{
    static const size_t percents[] = {30, 0, 10};
    struct regret_rate_texts texts;
    struct regret_rate_rows *level[3], *rows = NULL;
    struct regret_buffer all = REGRET_BUFFER_INIT;
    struct regret_rate_typos *scored = NULL;
    const struct regret_rate_options how = {.threads = 1};
    struct regret_rng r = regret_rng_at(5, REGRET_RNG_TEST, 71);
    size_t n = 0;
    cr_assert_eq(
        regret_rate_texts_read(&texts, REGRET_SOURCE_FOLDER "/data/rate/texts.jsonl", "text"), 0);
    for (size_t k = 0; k < 3; k++) {
        struct regret_buffer exported = REGRET_BUFFER_INIT, t = REGRET_BUFFER_INIT;
        cr_assert_eq(regret_rate_write_typo_texts(&exported, &texts, percents[k], 1, "test"), 0);
        for (char *line = strtok(exported.data, "\n"); line != NULL; line = strtok(NULL, "\n")) {
            regret_buffer_printf(&t,
                                 "%.*s, \"scores\": {\"m\": {\"original\": %.17g, \"rewrite\": "
                                 "%.17g, \"rewrite_of_rewrite\": %.17g}}}\n",
                                 (int)strlen(line) - 1, line, regret_rng_normal(&r),
                                 regret_rng_normal(&r), regret_rng_normal(&r));
        }
        level[k] = rows_of(regret_buffer_get(&t));
        cr_assert_eq(level[k]->n_rows, texts.n);
        for (size_t i = 0; i < texts.n; i++) {
            cr_assert_eq(level[k]->w[i], starts_with_vowel(texts.text[i]));
        }
        regret_buffer_append(&all, regret_buffer_get(&t));
        regret_buffer_free(&exported);
        regret_buffer_free(&t);
    }
    const char *path = scratch_file("levels.jsonl", regret_buffer_get(&all));
    const struct regret_rate_read_options by = {.dataset_field = "typo_percent"};
    struct regret_rate_typo_rates found = {.dataset = "test"};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &by), 0, "%s", regret_error_message());
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    cr_assert_eq(regret_rate_scored_typos(&scored, &n, &found, rows, &how), 0, "%s",
                 regret_error_message());
    cr_assert(n == 1 && found.n == 3 && found.percents[0] == 0 && found.percents[2] == 30);
    for (size_t k = 0; k < 3; k++) {
        size_t m = 0;
        struct regret_rate_estimate *e = estimates_of(level[k], &m, REGRET_SE_PAIRED);
        const struct regret_rate_estimate *s = &scored[0].rates[(k + 2) % 3];
        for (int f = 0; f < REGRET_N_EFFECTS; f++) {
            cr_assert_eq(s->effects[f].estimate, e->effects[f].estimate);
            cr_assert_eq(s->effects[f].se, e->effects[f].se);
        }
        regret_free(e);
        regret_rate_rows_free(level[k]);
    }
    regret_rate_rows_free(rows);
    regret_rate_typos_free(scored, n);
    regret_rate_texts_free(&texts);
    regret_buffer_free(&all);
}
