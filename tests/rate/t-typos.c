#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "rate/rows/words.h"
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

/* Scored rows of one prompt depend on each other. */
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
        snprintf(arguments, sizeof arguments, "rate typos %s -f csv %s", path, clusters[k]);
        out[k] = run_program(&code, arguments, "2>/dev/null");
        cr_assert_eq(code, 0);
    }
    cr_assert_str_eq(out[0], out[2]);
    cr_assert_str_neq(out[0], out[1]);
    for (int k = 0; k < 3; k++) {
        regret_free(out[k]);
    }
    check_run("rate world --cluster prompt", "2>&1", 2, "are drawn one by one");
    snprintf(arguments, sizeof arguments, "rate typos %s --cluster topic", path);
    check_run(arguments, "2>&1", 2, "no row has a \"topic\"");
}
