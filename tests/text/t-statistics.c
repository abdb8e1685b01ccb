#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "regret/task.h"
#include "regret/text.h"

static void compute(double *out, const char *const *contexts, size_t n_contexts,
                    const char *const *outputs, size_t n, const uint32_t *context_of)
{
    struct regret_tokens *x = NULL, *m = NULL;
    cr_assert_eq(regret_tokens_build(&x, contexts, n_contexts), REGRET_OK);
    cr_assert_eq(regret_tokens_build(&m, outputs, n), REGRET_OK);
    struct regret_pairs pairs = {.n_pairs = n, .contexts = x, .outputs = m, .context = context_of};
    cr_assert_eq(regret_text_statistics(out, &pairs), REGRET_OK);
    regret_tokens_free(x);
    regret_tokens_free(m);
}

static double named(const double *out, size_t n, size_t pair, const char *name)
{
    for (size_t j = 0; j < REGRET_STATISTICS; j++) {
        if (strcmp(regret_text_statistic_name(j), name) == 0) {
            return out[pair + j * n];
        }
    }
    cr_assert_fail("no statistic %s", name);
    return NAN;
}

Test(statistics, by_hand)
{
    const char *context = "A b c. D e f g. H i 12. J k 7 l a b.";
    const char *output = "a b c! X 7 l, l 99 h. Q a b";
    /* tokens: a b c x 7 l l 99 h q a b = 12; sentences: 3 */
    const uint32_t zero = 0;
    double s[REGRET_STATISTICS];
    compute(s, &context, 1, &output, 1, &zero);
    const struct {
        const char *name;
        double value;
    } expected[] = {
        {"words", 12},
        {"log_words", log(13)},
        {"sentences", 3},
        {"mean_sentence_words", 4},
        {"compression", 16.0 / 12},
        {"novel_tokens", 3.0 / 12},  /* x 99 q */
        {"novel_bigrams", 7.0 / 11}, /* known: ab bc 7l ab */
        {"unmatched_numbers", 1},    /* 99 */
        {"repetition", 3.0 / 12},    /* l a b */
        {"punctuation", 3.0 / 16},   /* ! , . beside 13 letters and digits */
        {"fragment_coverage", 9.0 / 12},
        {"fragment_density", (9 + 4 + 1 + 1 + 4) / 12.0}, /* abc, 7l, l, h, ab */
        {"lead_overlap", 6.0 / 12},                       /* a b c h a b */
    };
    cr_assert_eq(sizeof expected / sizeof *expected, REGRET_STATISTICS);
    for (size_t i = 0; i < REGRET_STATISTICS; i++) {
        cr_assert_float_eq(named(s, 1, 0, expected[i].name), expected[i].value, 1e-14, "%s: %g",
                           expected[i].name, named(s, 1, 0, expected[i].name));
    }
    cr_assert_null(regret_text_statistic_name(REGRET_STATISTICS));
}

/* The fourth sentence begins with "j": it is out of the lead, the token before it is in. */
Test(statistics, the_lead_ends_with_the_third_sentence)
{
    const char *context = "A b c. D e f g. H i 12. J k 7 l a b.", *output = "12 j";
    const uint32_t zero = 0;
    double s[REGRET_STATISTICS];
    compute(s, &context, 1, &output, 1, &zero);
    cr_assert_eq(named(s, 1, 0, "lead_overlap"), 0.5);
}

Test(statistics, extremes)
{
    const char *contexts[] = {"some words stand here", ""};
    const char *outputs[] = {"some words stand here", "", "a a a", "some words", ""};
    const uint32_t context_of[] = {0, 0, 0, 1, 1};
    enum { N = 5 };
    double s[N * REGRET_STATISTICS];
    compute(s, contexts, 2, outputs, N, context_of);
    for (size_t i = 0; i < N * REGRET_STATISTICS; i++) {
        cr_assert(isfinite(s[i]));
    }
    cr_assert_eq(named(s, N, 0, "fragment_density"), 4.0);
    cr_assert_eq(named(s, N, 0, "fragment_coverage"), 1.0);
    cr_assert_eq(named(s, N, 0, "novel_bigrams"), 0.0);
    cr_assert_eq(named(s, N, 1, "compression"), 4.0);
    cr_assert_eq(named(s, N, 1, "novel_tokens"), 0.0);
    cr_assert_float_eq(named(s, N, 2, "repetition"), 2.0 / 3.0, 1e-15);
    cr_assert_eq(named(s, N, 3, "novel_tokens"), 1.0);
    cr_assert_eq(named(s, N, 3, "lead_overlap"), 0.0);
    cr_assert_eq(named(s, N, 3, "compression"), 0.0);
}

/* Coverage and density by the plain quadratic search over single-letter tokens. */
static void naive_fragments(const char *output, const char *context, double *coverage,
                            double *density)
{
    size_t n = strlen(output), m = strlen(context);
    *coverage = *density = 0.0;
    for (size_t i = 0; i < n;) {
        size_t best = 0;
        for (size_t j = 0; j < m; j++) {
            size_t k = 0;
            while (i + k < n && j + k < m && output[i + k] == context[j + k]) {
                k++;
            }
            best = k > best ? k : best;
        }
        *coverage += (double)best / (double)n;
        *density += (double)(best * best) / (double)n;
        i += best > 0 ? best : 1;
    }
}

static void spaced(char *out, const char *letters)
{
    for (; *letters != '\0'; letters++) {
        *out++ = *letters;
        *out++ = ' ';
    }
    *out = '\0';
}

Test(statistics, fragments_agree_with_quadratic_search)
{
    struct regret_rng r = regret_rng_at(8, REGRET_RNG_TEST, 0);
    for (int round = 0; round < 200; round++) {
        char letters[2][40] = {{0}}, text[2][90];
        for (int k = 0; k < 2; k++) {
            size_t n = 1 + regret_rng_below(&r, 30);
            for (size_t i = 0; i < n; i++) {
                letters[k][i] = (char)('a' + regret_rng_below(&r, 4));
            }
            spaced(text[k], letters[k]);
        }
        const char *context = text[0], *output = text[1];
        const uint32_t zero = 0;
        double s[REGRET_STATISTICS], coverage, density;
        compute(s, &context, 1, &output, 1, &zero);
        naive_fragments(letters[1], letters[0], &coverage, &density);
        cr_assert_float_eq(named(s, 1, 0, "fragment_coverage"), coverage, 1e-12);
        cr_assert_float_eq(named(s, 1, 0, "fragment_density"), density, 1e-12);
    }
}

static int stands_in(const uint64_t *hash, size_t n, uint64_t word)
{
    size_t i = 0;
    while (i < n && hash[i] != word) {
        i++;
    }
    return i < n;
}

/* A word that is likely to collide: few differ, most only in their upper half, and one is 0. */
static uint64_t draw_word(struct regret_rng *r)
{
    return ((uint64_t)regret_rng_below(r, 12) << 40) + regret_rng_below(r, 2);
}

/* Repetition and novelty of texts of hashes, two outputs of one context, by comparing every word with every
 * other. */
Test(statistics, words_are_told_apart_as_by_quadratic_search)
{
    enum { MOST = 70 };
    struct regret_rng r = regret_rng_at(9, REGRET_RNG_TEST, 0);
    for (int round = 0; round < 300; round++) {
        uint64_t words[MOST], context[MOST];
        size_t m = regret_rng_below(&r, MOST), n = regret_rng_below(&r, MOST);
        size_t cut = regret_rng_below(&r, (uint32_t)n + 1);
        for (size_t i = 0; i < MOST; i++) {
            words[i] = draw_word(&r);
            context[i] = draw_word(&r);
        }
        size_t start[] = {0, cut, n}, context_start[] = {0, m};
        uint8_t no_numbers[MOST] = {0};
        struct regret_text_shape shape[2] = {{0}};
        struct regret_tokens x = {1, context_start, context, no_numbers, shape};
        struct regret_tokens o = {2, start, words, no_numbers, shape};
        const uint32_t zeros[] = {0, 0};
        struct regret_pairs pairs = {.n_pairs = 2, .contexts = &x, .outputs = &o, .context = zeros};
        double s[2 * REGRET_STATISTICS];
        cr_assert_eq(regret_text_statistics(s, &pairs), REGRET_OK);
        for (size_t k = 0; k < 2; k++) {
            size_t repeated = 0, novel = 0, length = start[k + 1] - start[k];
            for (size_t i = 0; i < length; i++) {
                repeated += stands_in(words + start[k], i, words[start[k] + i]) != 0;
                novel += !stands_in(context, m, words[start[k] + i]);
            }
            double whole = length > 0 ? (double)length : 1.0;
            cr_assert_eq(named(s, 2, k, "repetition"), (double)repeated / whole);
            cr_assert_eq(named(s, 2, k, "novel_tokens"), (double)novel / whole);
        }
    }
}
