/* Columns of contexts: read, refused, written, shown. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pool/sample.h"
#include "pool/statistics.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(pool_columns, .init = sample_hand_written, .fini = sample_cleanup);

#define DECLARED                                                                                   \
    "[{\"name\": \"length\", \"kind\": \"number\"}, {\"name\": \"language\", \"kind\": \"word\"}]"
#define FIRST "{\"id\": \"first\", \"text\": \"One.\""
#define SECOND                                                                                     \
    "{\"id\": \"second\", \"text\": \"Two.\", \"tag\": \"t\", \"columns\": {\"language\": \"\", "  \
    "\"length\": true}}\n"

/* The pool "p" with "columns" as given in pool.json and on the line of the first context, or without. */
static void write_pool(const char *declared, const char *first)
{
    char text[4096], *header = NULL;
    sample_hand_written();
    if (declared != NULL) {
        cr_assert_eq(regret_file_read(&header, NULL, sample_path("p/pool.json"), 1 << 16), 0);
        *strrchr(header, '}') = '\0';
        snprintf(text, sizeof text, "%s, \"columns\": %s}\n", header, declared);
        sample_write("p/pool.json", text);
        regret_free(header);
    }
    snprintf(text, sizeof text, "%s%s}\n" SECOND, FIRST, first);
    sample_write("p/contexts.jsonl", text);
}

#define GOOD ", \"columns\": {\"length\": -2.5, \"language\": \"Old \\\"Norse\\\"\"}"

Test(pool_columns, are_read_by_their_names)
{
    struct regret_pool *p = NULL;
    write_pool(DECLARED, GOOD);
    cr_assert_eq(regret_pool_read(&p, sample_path("p")), 0, "%s", regret_error_message());
    cr_assert_eq(p->n_columns, 2);
    cr_assert_str_eq(p->columns[0].name, "length");
    cr_assert(p->columns[0].kind == REGRET_COLUMN_NUMBER &&
              p->columns[1].kind == REGRET_COLUMN_WORD);
    cr_assert_eq(p->contexts[0].columns[0].number, -2.5);
    cr_assert_str_eq(p->contexts[0].columns[1].word, "Old \"Norse\"");
    cr_assert_eq(p->contexts[1].columns[0].number, 1.0, "true is 1");
    cr_assert_str_eq(p->contexts[1].columns[1].word, "");
    regret_pool_free(p);
}

static char *file(const char *name)
{
    char *text = NULL;
    cr_assert_eq(regret_file_read(&text, NULL, sample_path(name), 1 << 20), 0);
    return text;
}

/* Written and read again the pool is the same, to the byte; without columns nothing names them. */
Test(pool_columns, are_written_as_they_were)
{
    static const char *const names[] = {"pool.json", "contexts.jsonl", "outputs.jsonl"};
    struct regret_pool *p = NULL, *again = NULL;
    write_pool(DECLARED, GOOD);
    cr_assert_eq(regret_pool_read(&p, sample_path("p")), 0);
    cr_assert_eq(regret_pool_write(p, sample_path("a"), NULL, 0), 0, "%s", regret_error_message());
    cr_assert_eq(regret_pool_read(&again, sample_path("a")), 0, "%s", regret_error_message());
    cr_assert_eq(regret_pool_write(again, sample_path("b"), NULL, 0), 0);
    for (size_t i = 0; i < 3; i++) {
        char a[32], b[32];
        snprintf(a, sizeof a, "a/%s", names[i]);
        snprintf(b, sizeof b, "b/%s", names[i]);
        char *left = file(a), *right = file(b);
        cr_assert_str_eq(left, right);
        regret_free(left);
        regret_free(right);
    }
    char *text = file("a/contexts.jsonl");
    cr_assert_not_null(strstr(text, "{\"id\": \"first\", \"text\": \"One.\", \"columns\": "
                                    "{\"length\": -2.5, \"language\": \"Old \\\"Norse\\\"\"}}\n"));
    regret_free(text);
    regret_pool_free(p);
    regret_pool_free(again);
    sample_hand_written();
    cr_assert_eq(regret_pool_read(&p, sample_path("p")), 0);
    cr_assert_eq(regret_pool_write(p, sample_path("c"), NULL, 0), 0);
    text = file("c/pool.json");
    cr_assert_null(strstr(text, "columns"));
    regret_free(text);
    text = file("c/contexts.jsonl");
    cr_assert_null(strstr(text, "columns"));
    regret_free(text);
    regret_pool_free(p);
}

/* One changed value changes the digest of the pool, by which runs know it. */
Test(pool_columns, are_part_of_the_digest)
{
    struct regret_pool *a = NULL, *b = NULL;
    write_pool(DECLARED, GOOD);
    cr_assert_eq(regret_pool_read(&a, sample_path("p")), 0);
    write_pool(DECLARED, ", \"columns\": {\"length\": -2.25, \"language\": \"Old \\\"Norse\\\"\"}");
    cr_assert_eq(regret_pool_read(&b, sample_path("p")), 0);
    cr_assert_str_neq(a->digest, b->digest);
    regret_pool_free(a);
    regret_pool_free(b);
}

Test(pool_columns, bad_ones_are_refused_with_file_and_line)
{
    static const char *const cases[][3] = {
        {"[{\"name\": \"length\", \"kind\": \"text\"}]", GOOD,
         "p/pool.json: columns[0]: \"kind\" is \"text\"; it must be \"number\" or \"word\""},
        {"[{\"name\": \"length\"}]", GOOD, "columns[0]: \"kind\" must be a string"},
        {"[{\"name\": \"a b\", \"kind\": \"word\"}]", GOOD, "the column name \"a b\" holds U+0020"},
        {"[{\"name\": \"a\", \"kind\": \"word\"}, {\"name\": \"a\", \"kind\": \"number\"}]", GOOD,
         "the column name \"a\" is given twice"},
        {"[3]", GOOD, "columns[0]: must be an object"},
        {NULL, GOOD,
         "contexts.jsonl:1: \"columns\" holds \"length\", which pool.json does not "
         "declare; remove it, or declare it there"},
        {DECLARED, "", "contexts.jsonl:1: \"columns\" must be an object"},
        {DECLARED, ", \"columns\": {\"length\": 1}",
         "contexts.jsonl:1: \"columns\" lacks \"language\", which pool.json declares; add it, \"\" "
         "where it is not known"},
        {DECLARED, ", \"columns\": {\"language\": \"x\"}", "\"columns\" lacks \"length\""},
        {DECLARED, ", \"columns\": {\"length\": 1, \"langage\": \"x\"}",
         "which pool.json does not declare; did you mean \"language\"?"},
        {DECLARED, ", \"columns\": {\"length\": \"1\", \"language\": \"x\"}",
         "\"length\" must be a number, true, false or null; write it without quotes"},
        {DECLARED, ", \"columns\": {\"length\": 1, \"language\": 2}",
         "\"language\" is declared as a word; write a string in quotes"},
        {DECLARED, ", \"columns\": {\"length\": 1, \"language\": \"a\\nb\"}",
         "contexts.jsonl:1: column \"language\" holds a control character (U+000A); remove it"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct regret_pool *p = NULL;
        write_pool(cases[i][0], cases[i][1]);
        cr_assert_eq(regret_pool_read(&p, sample_path("p")), REGRET_E_INPUT, "case %zu", i);
        cr_expect_not_null(strstr(regret_error_message(), cases[i][2]), "case %zu: %s", i,
                           regret_error_message());
        cr_assert_null(p);
    }
}

Test(pool_columns, a_word_has_at_most_so_many_bytes)
{
    struct regret_pool *p = NULL;
    char first[512], word[REGRET_POOL_MAX_ID + 2];
    memset(word, 'w', sizeof word);
    word[REGRET_POOL_MAX_ID + 1] = '\0';
    snprintf(first, sizeof first, ", \"columns\": {\"length\": 1, \"language\": \"%s\"}", word);
    write_pool(DECLARED, first);
    cr_assert_eq(regret_pool_read(&p, sample_path("p")), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "of more than 200 bytes; shorten the word"));
    word[REGRET_POOL_MAX_ID] = '\0';
    snprintf(first, sizeof first, ", \"columns\": {\"length\": 1, \"language\": \"%s\"}", word);
    write_pool(DECLARED, first);
    cr_assert_eq(regret_pool_read(&p, sample_path("p")), 0, "%s", regret_error_message());
    regret_pool_free(p);
}

/* Pools made in memory obey the same rules. */
Test(pool_columns, of_a_pool_made_in_memory_are_checked)
{
    struct regret_pool *p = NULL;
    write_pool(DECLARED, GOOD);
    cr_assert_eq(regret_pool_read(&p, sample_path("p")), 0);
    p->contexts[1].columns[0].number = INFINITY;
    cr_assert_eq(regret_pool_check(p), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "context 1: column \"length\" is"), "%s",
                       regret_error_message());
    p->contexts[1].columns[0].number = 0.0;
    regret_free(p->contexts[1].columns[1].word);
    p->contexts[1].columns[1].word = NULL;
    cr_assert_eq(regret_pool_check(p), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "column \"language\" has no word"));
    regret_pool_free(p);
}

Test(pool_columns, have_statistics)
{
    struct regret_pool *p = NULL;
    struct regret_pool_stats *s = NULL;
    write_pool(DECLARED, GOOD);
    cr_assert_eq(regret_pool_read(&p, sample_path("p")), 0);
    cr_assert_eq(regret_pool_stats_make(&s, p), 0);
    cr_assert_eq(s->columns[0].number.mean, -0.75);
    cr_assert_eq(s->columns[1].words, 2);
    regret_pool_stats_free(s);
    regret_pool_free(p);
}
