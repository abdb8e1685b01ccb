#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/text.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"

Test(buffer, json_numbers_read_back_exactly)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    struct regret_rng r = regret_rng_at(5, REGRET_RNG_TEST, 0);
    for (int i = 0; i < 10000; i++) {
        double x = ldexp(regret_rng_uniform(&r) - 0.5, (int)regret_rng_below(&r, 200) - 100);
        regret_buffer_clear(&t);
        regret_buffer_json_number(&t, x);
        cr_assert_eq(strtod(regret_buffer_get(&t), NULL), x);
    }
    regret_buffer_clear(&t);
    regret_buffer_json_number(&t, 0.1);
    regret_buffer_json_number(&t, NAN);
    cr_assert_str_eq(regret_buffer_get(&t), "0.1null");
    regret_buffer_free(&t);
}

Test(buffer, json_strings_are_escaped)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_json_string(&t, "a\"b\\c\n\t\x01\x7f\xc3\xa9\xc2\x9b\xc2\xa0");
    cr_assert_str_eq(regret_buffer_get(&t),
                     "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f\xc3\xa9\\u009b\xc2\xa0\"");
    regret_buffer_free(&t);
}

Test(buffer, errors_are_sticky)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_alloc_fail_after(0);
    regret_buffer_append(&t, "x");
    regret_alloc_fail_after(-1);
    regret_buffer_append(&t, "y");
    cr_assert_eq(regret_buffer_status(&t), REGRET_E_NOMEM);
    cr_assert_str_eq(regret_buffer_get(&t), "");
    regret_buffer_clear(&t); /* what was lost before is not there again */
    regret_buffer_printf(&t, "%d-%s", 5, "z");
    cr_assert_eq(regret_buffer_status(&t), REGRET_E_NOMEM);
    cr_assert_str_eq(regret_buffer_get(&t), "");
    regret_buffer_free(&t);
    regret_buffer_printf(&t, "%d-%s", 5, "z");
    cr_assert_str_eq(regret_buffer_get(&t), "5-z");
    regret_buffer_fail(&t, REGRET_OK);
    cr_assert_eq(regret_buffer_status(&t), REGRET_OK);
    regret_buffer_fail(&t, REGRET_E_IO);
    regret_buffer_fail(&t, REGRET_E_INPUT);
    cr_assert_eq(regret_buffer_status(&t), REGRET_E_IO);
    regret_buffer_free(&t);
}

static void safe(const char *text, size_t columns, const char *expected)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_append(&t, "<");
    regret_buffer_append_safe(&t, text, columns);
    regret_buffer_append(&t, ">");
    cr_expect_str_eq(regret_buffer_get(&t), expected);
    regret_buffer_free(&t);
}

Test(buffer, text_of_unknown_origin_cannot_steer_a_terminal)
{
    safe("plain", 80, "<plain>");
    safe("", 0, "<>");
    safe("x", 0, "<>");
    safe("\x1b[31mred\x07", 80, "<\\u{1b}[31mred\\u{7}>");
    safe("a\xc2\x9b"
         "1m",
         80, "<a\\u{9b}1m>");
    safe("one\r\n\t two\xe2\x80\xa8three", 80, "<one two three>");
    safe("abc\xe2\x80\xae"
         "fed",
         80, "<abc\\u{202e}fed>");
    safe("\xff\xc3", 80, "<\xef\xbf\xbd\xef\xbf\xbd>");
}

Test(buffer, text_of_unknown_origin_is_cut_to_columns)
{
    safe("abcdef", 6, "<abcdef>");
    safe("abcdef", 5, "<abcd\xe2\x80\xa6>");
    safe("ab", 1, "<\xe2\x80\xa6>");
    safe("ab\x1b", 4, "<ab\xe2\x80\xa6>");
    /* An ideograph takes two columns, a combining accent none. */
    safe("\xe6\xbc\xa2\xe5\xad\x97", 4, "<\xe6\xbc\xa2\xe5\xad\x97>");
    safe("\xe6\xbc\xa2\xe5\xad\x97", 3, "<\xe6\xbc\xa2\xe2\x80\xa6>");
    safe("e\xcc\x81x", 2, "<e\xcc\x81x>");
}

static void field(const char *text, size_t columns, size_t whole, const char *expected)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_append_field(&t, text, columns);
    regret_buffer_append(&t, "|");
    cr_expect_str_eq(regret_buffer_get(&t), expected);
    cr_expect_eq(regret_text_columns(text), whole, "%s", text);
    regret_buffer_free(&t);
}

Test(buffer, fields_are_filled_to_columns)
{
    field("", 3, 0, "   |");
    field("ab", 2, 2, "ab|");
    field("ab", 4, 2, "ab  |");
    field("abc", 2, 3, "a\xe2\x80\xa6|");
    field("a  b", 0, 3, "|");
    /* Where an ideograph does not fit, its half column is filled, too. */
    field("\xe6\xbc\xa2\xe5\xad\x97", 3, 4, "\xe6\xbc\xa2\xe2\x80\xa6|");
    field("\xe6\xbc\xa2\xe5\xad\x97", 2, 4, "\xe2\x80\xa6 |");
    field("e\xcc\x81\x1b", 8, 7, "e\xcc\x81\\u{1b} |");
}

Test(buffer, what_is_not_utf8_is_repaired)
{
    static const char given[] = "a\xff\xc3\xa9\0\xed\xa0\x80z\xf0\x9f\x98\x80\xe2\x82";
    static const char wanted[] = "a\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                                 "\xef\xbf\xbdz\xf0\x9f\x98\x80\xef\xbf\xbd\xef\xbf\xbd";
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_utf8_append_repaired(&t, given, sizeof given - 1);
    cr_assert_str_eq(regret_buffer_get(&t), wanted);
    cr_assert(regret_utf8_valid(t.data, t.length, NULL));
    regret_buffer_clear(&t);
    regret_utf8_append_repaired(&t, wanted, sizeof wanted - 1);
    cr_assert_str_eq(regret_buffer_get(&t), wanted);
    regret_buffer_clear(&t);
    regret_utf8_append_repaired(&t, "", 0);
    cr_assert_eq(t.length, 0);
    regret_buffer_free(&t);
}

Test(buffer, visible_texts_keep_their_lines)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_append_visible(&t, "two  blanks\n\ttab\r\x1b[0m \xe2\x80\xae é\xff");
    cr_expect_str_eq(regret_buffer_get(&t),
                     "two  blanks\n\ttab \\u{1b}[0m \\u{202e} é\xef\xbf\xbd");
    regret_buffer_free(&t);
    regret_fail(REGRET_E_INPUT, "a\x1b\xc2\x9b|\xe2\x80\xae|\xe2\x81\xa6|\xe2\x80\xa6|\xe2\x80");
    cr_expect_str_eq(regret_error_message(), "a???|???|???|\xe2\x80\xa6|\xe2\x80");
}

Test(buffer, json_lists_have_commas_between)
{
    static const char *const text[] = {"a\"", NULL, ""};
    static const double number[] = {0.1, NAN, -2.0};
    struct regret_buffer t = REGRET_BUFFER_INIT;
    json_strings(&t, text, 3);
    json_numbers(&t, number, 3);
    json_strings(&t, NULL, 0);
    json_numbers(&t, number, 1);
    cr_expect_str_eq(regret_buffer_get(&t), "[\"a\\\"\",null,\"\"][0.1,null,-2][][0.1]");
    regret_buffer_free(&t);
}

static int says(void *context)
{
    return *(int *)context;
}

Test(buffer, a_wish_to_stop_is_asked_for)
{
    int wish = 0;
    const struct regret_stop stop = {says, &wish}, nobody = {NULL, NULL};
    cr_expect_eq(regret_stop_check(NULL), REGRET_OK);
    cr_expect_eq(regret_stop_check(&nobody), REGRET_OK);
    cr_expect_eq(regret_stop_check(&stop), REGRET_OK);
    wish = 1;
    cr_expect_eq(regret_stop_check(&stop), REGRET_E_CANCELLED);
    cr_expect_str_eq(regret_error_message(), "stopped");
}

Test(buffer, texts_are_taken)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    char *text = NULL;
    cr_assert_eq(text_take(&text, &t), 0);
    cr_assert_str_eq(text, "");
    regret_free(text);
    regret_buffer_append(&t, "abc");
    cr_assert_eq(text_take(&text, &t), 0);
    cr_assert_str_eq(text, "abc");
    cr_assert(t.data == NULL && t.length == 0 && t.capacity == 0);
    regret_free(text);
    text = NULL;
    regret_buffer_append(&t, "abc");
    regret_buffer_fail(&t, REGRET_E_NOMEM);
    cr_assert_eq(text_take(&text, &t), REGRET_E_NOMEM);
    cr_assert(text == NULL && t.data == NULL && regret_buffer_status(&t) == 0);
}
