#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"
#include "regret/text.h"
#include "text/classes.h"

/* The text's tokens are exactly the words of `expected`, which are separated by blanks. */
static void check(const char *text, const char *expected)
{
    struct regret_tokens *tokens = NULL;
    cr_assert_eq(regret_tokens_build(&tokens, &text, 1), REGRET_OK, "%s", regret_error_message());
    size_t n = 0;
    for (const char *at = expected + strspn(expected, " "); *at != '\0'; n++) {
        size_t length = strcspn(at, " ");
        cr_assert_lt(n, tokens->start[1], "\"%s\" gives %zu tokens, fewer than \"%s\"", text,
                     tokens->start[1], expected);
        cr_assert_eq(tokens->hash[n], XXH3_64bits(at, length), "token %zu of \"%s\" is not %.*s", n,
                     text, (int)length, at);
        at += length;
        at += strspn(at, " ");
    }
    cr_assert_eq(tokens->start[1], n, "\"%s\" gives %zu tokens, \"%s\" has %zu", text,
                 tokens->start[1], expected, n);
    regret_tokens_free(tokens);
}

Test(tokens, words_and_case)
{
    check("The cat, the CAT; (the) cat!", "the cat the cat the cat");
    check("snake_case and kebab-case x+y", "snake case and kebab case x y");
    check("a\tb\nc\r\nd", "a b c d");
    check("", "");
    check(" .,;:!? -- ", "");
}

Test(tokens, apostrophes)
{
    check("Don't 'quote' the dogs' it's", "don't quote the dogs it's");
    check("don\xe2\x80\x99t", "don't"); /* U+2019 */
    check("rock 'n' roll l'\xc3\x89tat", "rock n roll l'\xc3\xa9tat");
    check("'' a''b", "a b");
}

Test(tokens, numbers)
{
    check("3.14 1,234,567.89 v2.0 3. 4, 5", "3.14 1,234,567.89 v2.0 3 4 5");
    check("covid-19 3rd $5,000 .5 1..2 a.b", "covid 19 3rd 5,000 5 1 2 a b");
}

Test(tokens, unicode)
{
    check("\xc3\x89T\xc3\x89 e\xcc\x81t\xc3\xa9", /* composed, and e + combining acute */
          "\xc3\xa9t\xc3\xa9 \xc3\xa9t\xc3\xa9");
    check("Stra\xc3\x9f"
          "e STRASSE",
          "strasse strasse");
    check("\xef\xac\x81sh \xef\xbc\xa1\xef\xbc\xa2", "fish ab"); /* fi ligature, full width */
    check("co\xc2\xadop zero\xe2\x80\x8bwidth", "coop zerowidth");
    check("\xe6\x97\xa5\xe6\x9c\xac"
          "go \xe4\xba\xba",
          "\xe6\x97\xa5 \xe6\x9c\xac go \xe4\xba\xba");
    check("\xd0\x9c\xd0\xb8\xd1\x80 \xce\xa3\xce\x9f\xce\xa6\xce\x9f\xce\xa3",
          "\xd0\xbc\xd0\xb8\xd1\x80 \xcf\x83\xce\xbf\xcf\x86\xce\xbf\xcf\x83");
}

Test(tokens, shape)
{
    const char *texts[] = {"One two. \"Three?\" Four... five 3.5 six\n\n Seven eight\n\n\nNine.",
                           "", NULL, "no end", "a.b c. d"};
    struct regret_tokens *t = NULL;
    cr_assert_eq(regret_tokens_build(&t, texts, 5), REGRET_OK);
    /* One two | Three | Four | five 3.5 six | Seven eight | Nine */
    cr_assert_eq(t->shape[0].sentences, 6);
    cr_assert_eq(t->shape[0].lead_tokens, 4);
    cr_assert_eq(t->shape[0].lines, 3);
    cr_assert_eq(t->shape[0].punctuation, 1 + 3 + 3 + 1 + 1);
    cr_assert_eq(t->shape[0].characters, 3 + 4 + 8 + 7 + 4 + 3 + 3 + 5 + 5 + 5);
    for (int i = 1; i <= 2; i++) {
        cr_assert_eq(t->start[i + 1], t->start[i]);
        cr_assert(t->shape[i].sentences == 0 && t->shape[i].lines == 0 &&
                  t->shape[i].characters == 0);
    }
    cr_assert(t->shape[3].sentences == 1 && t->shape[3].lead_tokens == 2);
    cr_assert(t->shape[4].sentences == 2 && t->shape[4].lead_tokens == 4);
    const uint8_t numbers[] = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
    cr_assert_arr_eq(t->is_number, numbers, sizeof numbers);
    regret_tokens_free(t);
}

Test(tokens, characters_that_are_neither_words_nor_punctuation)
{
    /* delete, next line (white space), a private use character, no-break space */
    const char *text = "a\x7f\xc2\x85\xee\x80\x80\xc2\xa0z";
    struct regret_tokens *t = NULL;
    cr_assert_eq(regret_tokens_build(&t, &text, 1), REGRET_OK);
    cr_assert_eq(t->start[1], 2);
    cr_assert_eq(t->shape[0].characters, 4);
    cr_assert_eq(t->shape[0].punctuation, 0);
    regret_tokens_free(t);
}

Test(tokens, text_that_is_not_utf8_is_named)
{
    const char *texts[] = {"fine", "bad \xff\xfe text", "cut \xe2\x80"};
    struct regret_tokens *t = NULL;
    cr_assert_eq(regret_tokens_build(&t, texts, 2), REGRET_E_INPUT);
    cr_assert_null(t);
    cr_assert_not_null(strstr(regret_error_message(), "text 1"));
    cr_assert_eq(regret_tokens_build(&t, texts + 2, 1), REGRET_E_INPUT);
    cr_assert_eq(regret_tokens_build(&t, texts, 0), REGRET_OK);
    cr_assert_eq(t->start[0], 0);
    regret_tokens_free(t);
}

Test(tokens, a_cut_text_ends_with_a_whole_character)
{
    const char *text = "ab\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z"; /* of 1, 1, 2, 3, 4 and 1 bytes */
    const size_t expected[] = {12, 1, 2, 2, 4, 4, 4, 7, 7, 7, 7, 11, 12, 12};
    for (size_t most = 0; most < sizeof expected / sizeof *expected; most++) {
        size_t n = regret_text_cut(text, most);
        cr_assert_eq(n, expected[most], "%zu bytes: %zu, not %zu", most, n, expected[most]);
        cr_assert(regret_utf8_valid(text, n, NULL));
    }
    cr_assert_eq(regret_text_cut("", 5), 0);
    cr_assert_eq(regret_text_cut("", 0), 0);
}

/* Every token is spelled as a text of that one token; what is in no text has no spelling. */
Test(tokens, are_spelled_by_their_hashes)
{
    static const char *const TEXTS[] = {
        "Don't stop, v2.10 of the STRASSE; stra\xc3\x9f"
        "e!",
        "\xe6\xbc\xa2\xe5\xad\x97 and kana, 3,14 \xc3\x89t\xc3\xa9",
        "a long line of words that goes on beyond the sixty-four bytes of a block and ends", "",
        "x"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        struct regret_tokens *tokens = NULL, *one = NULL;
        char *word = NULL;
        cr_assert_eq(regret_tokens_build(&tokens, &TEXTS[i], 1), 0);
        for (size_t k = 0; k < tokens->start[1]; k++) {
            cr_assert_eq(token_spell(&word, TEXTS[i], tokens->hash[k]), 0);
            cr_assert_not_null(word);
            cr_assert_eq(regret_tokens_build(&one, (const char *const[]){word}, 1), 0);
            cr_expect_eq(one->start[1], 1, "\"%s\"", word);
            cr_expect_eq(one->hash[0], tokens->hash[k], "\"%s\"", word);
            regret_tokens_free(one);
            regret_free(word);
        }
        cr_assert_eq(token_spell(&word, TEXTS[i], 1), 0);
        cr_expect_null(word);
        regret_tokens_free(tokens);
    }
}
