#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "rate/rows/words.h"
#include "rate/studies/simulated.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/rate_study.h"
#include "regret/rng.h"

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

Test(typos, the_rewriter_settles_the_vowel_and_mends)
{
    struct known_words known = {{0}};
    struct regret_rng rng = regret_rng_at(3, REGRET_RNG_TEST, 0);
    struct regret_buffer t = REGRET_BUFFER_INIT, back = REGRET_BUFFER_INIT;
    static const char *const texts[] = {"An evening well spent.", "The evening was well spent.",
                                        "nA evening wlel spent."};
    cr_assert_eq(known_words_learn(&known, "An the evening was well spent"), 0);
    for (int k = 0; k < 300; k++) {
        regret_buffer_clear(&t);
        regret_buffer_clear(&back);
        int w = k % 2;
        simulated_rewrite(&t, &known, texts[k % 3], SIMULATED_VOWEL, w, &rng);
        cr_assert_eq(starts_with_vowel(regret_buffer_get(&t)), w, "%s", t.data);
        simulated_rewrite(&back, &known, regret_buffer_get(&t), SIMULATED_VOWEL, !w, &rng);
        cr_assert_eq(starts_with_vowel(regret_buffer_get(&back)), !w, "%s", back.data);
        cr_assert_lt(back.length, strlen(texts[k % 3]) + 20, "openings pile up: %s", back.data);
    }
    regret_buffer_free(&t);
    regret_buffer_free(&back);
    known_words_free(&known);
}

/* Each text with a last word of its own for every seed: the models' quirks, which a hash of the text
 * settles, are drawn anew. */
static struct regret_rate_texts texts_of_seed(const struct regret_rate_texts *texts, uint64_t seed)
{
    struct regret_rate_texts own = {NULL, texts->n};
    cr_assert_eq(REGRET_NEW(&own.text, texts->n), 0);
    for (size_t i = 0; i < texts->n; i++) {
        struct regret_buffer t = REGRET_BUFFER_INIT;
        regret_buffer_printf(&t, "%s %llu", texts->text[i], (unsigned long long)seed);
        cr_assert_eq(regret_strdup(&own.text[i], regret_buffer_get(&t)), 0);
        regret_buffer_free(&t);
    }
    return own;
}

/* The effect is zero in expectation at any rate, not nearly so: over many seeds its mean is within its
 * error of zero, which is small. */
Test(typos, the_effect_is_zero_by_construction)
{
    unsigned seeds = repeats(60) + 8 * (repeats(60) < 60);
    struct regret_rate_texts texts;
    const char *path = REGRET_SOURCE_FOLDER "/data/rate/texts.jsonl";
    const struct regret_rate_options how = {.threads = 1};
    cr_assert_eq(regret_rate_texts_read(&texts, path, "text"), 0, "%s", regret_error_message());
    double sum[2][2][3] = {{{0.0}}}, squares[2][2][3] = {{{0.0}}};
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        const struct regret_rate_typo_options options = {seed, 2, {0, 30}, "test", 0};
        struct regret_rate_typos *typos = NULL;
        size_t n = 0;
        struct regret_rate_texts own = texts_of_seed(&texts, seed);
        cr_assert_eq(regret_rate_typos(&typos, &n, &own, &options, &how), 0);
        regret_rate_texts_free(&own);
        for (size_t k = 0; k < 12; k++) {
            double e =
                typos[k / 6].rates[k / 3 % 2].effects[REGRET_EFFECT_RATE_ATE + k % 3].estimate;
            sum[k / 6][k / 3 % 2][k % 3] += e;
            squares[k / 6][k / 3 % 2][k % 3] += e * e;
        }
        regret_rate_typos_free(typos, n);
    }
    for (size_t k = 0; k < 12; k++) {
        double mean = sum[k / 6][k / 3 % 2][k % 3] / seeds;
        double variance = squares[k / 6][k / 3 % 2][k % 3] / seeds - mean * mean;
        double error = sqrt(variance / (seeds - 1));
        cr_assert_lt(fabs(mean), (seeds < 60 ? 5.2 : 4.0) * error, "%zu: %g (%g)", k, mean, error);
        cr_assert_lt(error, 0.01 * sqrt(60.0 / seeds));
    }
    regret_rate_texts_free(&texts);
}

/* What Fig. 3 shows: with typos the naive and the single estimates fall, the double one does not.
 */
static void check_experiment(const char *path, const char *column, double double_bound)
{
    struct regret_rate_texts texts;
    struct regret_rate_typos *typos = NULL;
    const struct regret_rate_typo_options options = {1, 3, {0, 15, 30}, "test", 0};
    const struct regret_rate_options how = {.threads = 1};
    size_t n = 0;
    cr_assert_eq(regret_rate_texts_read(&texts, path, column), 0, "%s", regret_error_message());
    cr_assert_eq(regret_rate_typos(&typos, &n, &texts, &options, &how), 0, "%s",
                 regret_error_message());
    for (size_t m = 0; m < n; m++) {
        const struct regret_rate_estimate *e = typos[m].rates;
        for (int rate = 1; rate < 3; rate++) {
            cr_assert_lt(e[rate].effects[REGRET_EFFECT_NAIVE].d,
                         e[rate - 1].effects[REGRET_EFFECT_NAIVE].d - 0.2);
            cr_assert_lt(e[rate].effects[REGRET_EFFECT_SINGLE_ATE].d,
                         e[rate - 1].effects[REGRET_EFFECT_SINGLE_ATE].d - 0.1);
            cr_assert_lt(fabs(e[rate].effects[REGRET_EFFECT_RATE_ATE].d), double_bound);
            /* W is taken before the typos: the same texts at every rate. */
            cr_assert_eq(e[rate].n1, e[0].n1);
        }
    }
    regret_rate_typos_free(typos, n);
    regret_rate_texts_free(&texts);
}

Test(typos, example_texts)
{
    check_experiment(REGRET_SOURCE_FOLDER "/data/rate/texts.jsonl", "text", 0.25);
}

Test(typos, real_reviews)
{
    const char *path = shared_file("imdb_counterfactual_dev_paired.tsv");
    if (path == NULL) {
        cr_skip_test("imdb_counterfactual_dev_paired.tsv is not here");
    }
    check_experiment(path, "Text", 0.25);
    struct regret_rate_texts texts;
    cr_assert_eq(regret_rate_texts_read(&texts, path, "Text"), 0);
    cr_assert_eq(texts.n, 490);
    cr_assert_not_null(strstr(texts.text[2], "\"Pulp Fiction\" was robbed for \"Best Picture.\""));
    regret_rate_texts_free(&texts);
}

Test(typos, tables_of_texts)
{
    struct regret_rate_texts texts;
    const char *path = scratch_file(
        "t.csv", "id,text\r\n1,plain\r\n2,\"two\nlines, \"\"quoted\"\"\"\r\n3,\n4,last");
    cr_assert_eq(regret_rate_texts_read(&texts, path, "text"), 0, "%s", regret_error_message());
    cr_assert_eq(texts.n, 4);
    cr_assert_str_eq(texts.text[0], "plain");
    cr_assert_str_eq(texts.text[1], "two\nlines, \"quoted\"");
    cr_assert_str_eq(texts.text[2], "");
    cr_assert_str_eq(texts.text[3], "last");
    regret_rate_texts_free(&texts);
    static const char *const bad[][2] = {{"a,b\n1,2\n", "no column \"text\""},
                                         {"id,text\n1,\"open\n", "t.csv:2:"},
                                         {"id,text\n1,\"a\"b\n", "closing quote"},
                                         {"id,text\n1,a\n2\n", "t.csv:3:"},
                                         {"id,text\n", "no texts"},
                                         {"id,text\n1,\xff\n", "UTF-8"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        path = scratch_file("t.csv", bad[k][0]);
        cr_assert_eq(regret_rate_texts_read(&texts, path, "text"), REGRET_E_INPUT, "%s", bad[k][0]);
        cr_assert_not_null(strstr(regret_error_message(), bad[k][1]), "%s", regret_error_message());
    }
}

/* Exported rows, scored by the same simulated models, give the same table. */
Test(typos, scored_exports_are_the_levels)
{
    struct regret_rate_texts texts;
    struct regret_rate_typos *own = NULL, *scored = NULL;
    struct regret_rate_typo_options options = {1, 3, {0, 10, 30}, "test", 0};
    const struct regret_rate_options how = {.threads = 1};
    struct regret_buffer t = REGRET_BUFFER_INIT;
    size_t n = 0, k = 0;
    cr_assert_eq(
        regret_rate_texts_read(&texts, REGRET_SOURCE_FOLDER "/data/rate/texts.jsonl", "text"), 0);
    cr_assert_eq(regret_rate_typos(&own, &n, &texts, &options, &how), 0);
    for (size_t r = 3; r-- > 0;) { /* in any order */
        struct regret_rate_rows *rows = NULL;
        cr_assert_eq(regret_rate_typo_rows(&rows, &texts, options.percents[r], &options), 0);
        for (size_t i = 0; i < rows->n_rows; i++) {
            regret_buffer_printf(&t,
                                 "{\"id\": %zu, \"dataset\": 7, \"w\": %d, \"typo_percent\": %zu, "
                                 "\"scores\": {",
                                 i, rows->w[i], options.percents[r]);
            for (size_t m = 0; m < n; m++) {
                double *const *score = rows->models[m].score;
                regret_buffer_printf(&t,
                                     "%s\"%s\": {\"original\": %.17g, \"rewrite\": %.17g, "
                                     "\"rewrite_of_rewrite\": %.17g}",
                                     m ? ", " : "", rows->models[m].name, score[0][i], score[1][i],
                                     score[2][i]);
            }
            regret_buffer_append(&t, "}}\n");
        }
        regret_rate_rows_free(rows);
    }
    struct regret_rate_rows *rows = NULL;
    const char *path = scratch_file("levels.jsonl", regret_buffer_get(&t));
    const struct regret_rate_read_options by = {.dataset_field = "typo_percent"};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &by), 0, "%s", regret_error_message());
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    struct regret_rate_typo_options found = {.dataset = "test", 0};
    cr_assert_eq(regret_rate_scored_typos(&scored, &k, &found, rows, &how), 0, "%s",
                 regret_error_message());
    cr_assert(k == n && found.n_rates == 3 && found.scored);
    for (size_t c = 0; c < 3 * n; c++) {
        cr_assert_eq(found.percents[c % 3], options.percents[c % 3]);
        for (int e = 0; e < REGRET_N_EFFECTS; e++) {
            const struct regret_rate_effect *x = &own[c / 3].rates[c % 3].effects[e];
            cr_assert_float_eq(scored[c / 3].rates[c % 3].effects[e].estimate, x->estimate, 1e-12);
            cr_assert_float_eq(scored[c / 3].rates[c % 3].effects[e].se, x->se, 1e-12);
        }
    }
    regret_rate_rows_free(rows);
    regret_rate_typos_free(own, n);
    regret_rate_typos_free(scored, n);
    regret_rate_texts_free(&texts);
    char arguments[600];
    int code = 0;
    snprintf(arguments, sizeof arguments, "rate typos %s --scored", path);
    char *text = run_program(&code, arguments, "2>&1");
    cr_assert(code == 0 && strstr(text, "SYNTHETIC") == NULL, "%s", text);
    cr_assert_not_null(strstr(text, "| sim-chatty | 30 | RATE_ATE |"));
    regret_free(text);
    regret_buffer_free(&t);
    static const char *const bad[][2] = {
        {"{\"w\": 1, \"scores\": {\"m\": {\"original\": 1}}}\n", "is no percent"},
        {"{\"w\": 1, \"typo_percent\": 101, \"scores\": {\"m\": {\"original\": 1}}}\n",
         "no percent"},
        {"{\"w\": 1, \"typo_percent\": 1, \"scores\": {\"m\": {\"original\": 1}}}\n"
         "{\"w\": 1, \"typo_percent\": 2, \"scores\": {\"k\": {\"original\": 1}}}\n",
         "every rate"},
        {"{\"w\": 1, \"typo_percent\": [1], \"scores\": {\"m\": {\"original\": 1}}}\n",
         "\"typo_percent\" must be"}};
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        snprintf(arguments, sizeof arguments, "rate typos %s --scored",
                 scratch_file("bad.jsonl", bad[b][0]));
        text = run_program(&code, arguments, "2>&1");
        cr_assert(code == 2 && strstr(text, bad[b][1]) != NULL, "%d: %s", code, text);
        regret_free(text);
    }
}

static struct regret_rate_texts texts_of(const char *name, const char *bytes, size_t length)
{
    struct regret_rate_texts texts = {NULL, 0};
    char *path = NULL;
    cr_assert_eq(regret_path_join(&path, scratch_folder(), name), 0);
    cr_assert_eq(regret_file_write(path, bytes, length), 0);
    cr_assert_eq(regret_rate_texts_read(&texts, path, "Text"), 0, "%s", regret_error_message());
    regret_free(path);
    return texts;
}

static void check_refused_texts(const char *name, const char *bytes, size_t length,
                                const char *expected)
{
    struct regret_rate_texts texts = {NULL, 0};
    char *path = NULL;
    cr_assert_eq(regret_path_join(&path, scratch_folder(), name), 0);
    cr_assert_eq(regret_file_write(path, bytes, length), 0);
    cr_assert_eq(regret_rate_texts_read(&texts, path, "Text"), REGRET_E_INPUT, "%s", name);
    cr_assert_not_null(strstr(regret_error_message(), expected), "%s lacks \"%s\"",
                       regret_error_message(), expected);
    regret_free(path);
}

#define BYTES(text) text, sizeof(text) - 1

Test(typos, marks_blank_lines_and_suffixes_do_no_harm)
{
    struct regret_rate_texts t =
        texts_of("UP.TSV", BYTES("\xef\xbb\xbfText\tx\nOne\t1\n\nTwo\t2\n\n\n"));
    cr_assert_eq(t.n, 2);
    cr_assert_str_eq(t.text[0], "One");
    cr_assert_str_eq(t.text[1], "Two");
    regret_rate_texts_free(&t);
    t = texts_of("up.Csv", BYTES("x,Text\r\n1,\"One, \"\"two\"\"\"\r\n\r\n"));
    cr_assert_eq(t.n, 1);
    cr_assert_str_eq(t.text[0], "One, \"two\"");
    regret_rate_texts_free(&t);
}

Test(typos, stray_quotes_of_a_tsv_are_text)
{
    struct regret_rate_texts t =
        texts_of("stray.tsv", BYTES("x\tText\ty\n1\t\"Great\" film\t2\n2\t6\" long\t3\n"
                                    "3\t\"He said \"\"no\"\"\"\t4\n4\t\"two\nlines\"\t5\n"
                                    "5\t\"never closed\t6\n6\tlast\t7\n"));
    static const char *const expected[] = {"\"Great\" film", "6\" long",       "He said \"no\"",
                                           "two\nlines",     "\"never closed", "last"};
    cr_assert_eq(t.n, 6);
    for (size_t k = 0; k < 6; k++) {
        cr_assert_str_eq(t.text[k], expected[k]);
    }
    regret_rate_texts_free(&t);
    check_refused_texts("stray.csv", BYTES("x,Text\n1,\"Great\" film\n"), "stray.csv:2:");
}

Test(typos, bytes_that_are_no_text_are_refused_by_line)
{
    check_refused_texts("zero.tsv", BYTES("Text\tx\nOne\t1\nTw\0o\t2\n"),
                        "zero.tsv:3: a zero byte");
    check_refused_texts("latin.csv", BYTES("Text,x\nOne,1\nCaf\xe9,2\n"), "latin.csv:3: byte 4");
    check_refused_texts("none.csv", BYTES("Words,x\nOne,1\n"), "none.csv:1: no column");
    check_refused_texts("short.csv", BYTES("x,Text\n1\n"), "short.csv:2: a record without");
    check_refused_texts("empty.csv", BYTES(""), "empty");
    struct regret_rate_texts texts = {NULL, 0};
    cr_assert_eq(regret_rate_texts_read(&texts, scratch_folder(), "Text"), REGRET_E_INPUT);
}

/* The real file, field by field, against a reader that knows only what that file needs. */
Test(typos, the_real_reviews_read_as_a_plain_reader_reads_them)
{
    const char *path = shared_file("imdb_counterfactual_dev_paired.tsv");
    if (path == NULL) {
        cr_skip_test("no shared data");
    }
    struct regret_rate_texts texts = {NULL, 0};
    char *bytes = NULL;
    cr_assert_eq(regret_rate_texts_read(&texts, path, "Text"), 0, "%s", regret_error_message());
    cr_assert_eq(regret_file_read(&bytes, NULL, path, 1 << 24), 0);
    size_t n = 0;
    for (char *line = strchr(bytes, '\n') + 1; *line != '\0'; n++) {
        char *in = strchr(line, '\t') + 1, *out = in, *field = in;
        int quoted = *in == '"';
        for (in += quoted; quoted ? *in != '"' || in[1] == '"' : *in != '\t'; in++) {
            in += quoted && *in == '"';
            *out++ = *in;
        }
        line = strchr(in, '\n') + 1;
        *out = '\0';
        cr_assert_lt(n, texts.n);
        cr_assert_str_eq(texts.text[n], field, "review %zu", n + 1);
    }
    cr_assert_eq(n, texts.n);
    cr_assert_eq(n, 490);
    regret_free(bytes);
    regret_rate_texts_free(&texts);
}

/* Scored rows of one prompt depend on each other; simulated ones are refused clusters. */
Test(typos, scored_rows_have_clusters)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    struct regret_rng r = regret_rng_at(12, REGRET_RNG_TEST, 70);
    char path[512], arguments[1200], *out[3];
    double own = 0.0;
    for (int i = 0; i < 80; i++) {
        own = i % 4 == 0 ? regret_rng_normal(&r) : own;
        regret_buffer_printf(&t,
                             "{\"id\": %d, \"w\": %d, \"prompt\": \"p%d\", \"typo_percent\": 10, "
                             "\"scores\": {\"m\": {\"original\": 1.%d, \"rewrite\": 0, "
                             "\"rewrite_of_rewrite\": %.17g}}}\n",
                             i, i % 8 < 4, i / 4, i % 7, own + 0.1 * regret_rng_normal(&r));
    }
    snprintf(path, sizeof path, "%s", scratch_file("scored.jsonl", regret_buffer_get(&t)));
    regret_buffer_free(&t);
    static const char *const clusters[] = {"", "--cluster none", "--cluster prompt"};
    for (int k = 0; k < 3; k++) {
        int code = 0;
        snprintf(arguments, sizeof arguments, "rate typos %s --scored -f csv %s", path,
                 clusters[k]);
        out[k] = run_program(&code, arguments, "2>/dev/null");
        cr_assert_eq(code, 0);
    }
    cr_assert_str_eq(out[0], out[2]);
    cr_assert_str_neq(out[0], out[1]);
    for (int k = 0; k < 3; k++) {
        regret_free(out[k]);
    }
    check_run("rate typos data/rate/texts.jsonl --cluster prompt", "2>&1", 2,
              "--cluster goes with --scored");
    check_run("rate world --cluster prompt", "2>&1", 2, "are drawn one by one");
    snprintf(arguments, sizeof arguments, "rate typos %s --scored --cluster topic", path);
    check_run(arguments, "2>&1", 2, "no row has a \"topic\"");
}
