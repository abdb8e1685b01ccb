/* The reader of documents against texts that are JSON, are none, or may be either as a reader chooses; and
 * against the naive reader; where its messages point. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "base/json.h"
#include "naive_json.h"
#include "regret/task.h"

static const struct regret_place HERE = {"x.json", 0};

/* 1 where the text is taken; by the naive reader, too, and then as the same value. */
static int take(const char *text, size_t length, enum regret_json_mode mode)
{
    struct regret_buffer naive = REGRET_BUFFER_INIT, ours = REGRET_BUFFER_INIT;
    cJSON *tree = NULL;
    int rc = regret_json_parse_mode(&tree, text, length, HERE, mode);
    int is = naive_json_read(&naive, text, length, mode == REGRET_JSON_IMPORT);
    cr_assert_eq(rc == REGRET_OK, is, "%.*s: %s", (int)length, text,
                 rc == REGRET_OK ? "taken" : regret_error_message());
    if (rc == REGRET_OK) {
        naive_json_print(&ours, tree);
        cr_assert_str_eq(regret_buffer_get(&ours), regret_buffer_get(&naive), "%s", text);
    }
    cJSON_Delete(tree);
    regret_buffer_free(&naive);
    regret_buffer_free(&ours);
    return is;
}

struct vector {
    const char *name, *text;
    size_t length;
};
#define VECTOR(name, text)                                                                         \
    {                                                                                              \
        name, text, sizeof(text) - 1                                                               \
    }

/* y: every reader takes these. n: none does. i, of which RFC 8259 says nothing or lets readers choose:
 * iy is taken, in is not. m: only importing takes these. */
static const struct vector vectors[] = {
    VECTOR("y_null", "null"),
    VECTOR("y_true", "true"),
    VECTOR("y_false", " false\n"),
    VECTOR("y_number_lone", "42"),
    VECTOR("y_string_lone", "\"asd\""),
    VECTOR("y_string_empty", "\"\""),
    VECTOR("y_array_empty", "[]"),
    VECTOR("y_array_empty_spaced", "[ \t\r\n]"),
    VECTOR("y_array_nested", "[[],[[]],[1,[2,{}]]]"),
    VECTOR("y_array_of_all", "[null, 1, \"1\", {}, [], true, false]"),
    VECTOR("y_array_spaced", "\n[ 1 ,\t2\r\n, 3 ]\n"),
    VECTOR("y_object_empty", "{}"),
    VECTOR("y_object", "{\"a\":\"b\",\"c\":[{\"d\":null}]}"),
    VECTOR("y_object_key_empty", "{\"\":0}"),
    VECTOR("y_object_key_escaped", "{\"f\\u006fo\": 1}"),
    VECTOR("y_object_keys_alike_but_case", "{\"a\":1,\"A\":2}"),
    VECTOR("y_number_zero", "[0, -0, 0.0, 0e0, 0E+1]"),
    VECTOR("y_number_integers", "[1, -1, 10, 123456789012345678]"),
    VECTOR("y_number_fractions", "[0.5, -1.25, 3.0000]"),
    VECTOR("y_number_exponents", "[1e5, 1E5, 1e+5, 1e-5, 1.5E-05]"),
    VECTOR("y_number_close_to_zero", "[-0.000000000000000000000000000000000000000000000000000001]"),
    VECTOR("y_string_escapes", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]"),
    VECTOR("y_string_unicode_escapes", "[\"\\u0060\\u012a\\u12AB\\uFFFF\"]"),
    VECTOR("y_string_surrogate_pair", "[\"\\uD801\\udc37\", \"\\ud83d\\ude39\\ud83d\\udc8d\"]"),
    VECTOR("y_string_backslash_then_u0000", "[\"\\\\u0000\"]"),
    VECTOR("y_string_one_byte_control", "[\"\x7f\"]"),
    VECTOR("y_string_utf8", "[\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"]"),
    VECTOR("y_string_largest_character", "[\"\xf4\x8f\xbf\xbf\"]"),
    VECTOR("y_string_line_separators", "[\"\xe2\x80\xa8\xe2\x80\xa9\"]"),
    VECTOR("y_string_noncharacter", "[\"\xef\xbf\xbf\", \"\\uFDD0\"]"),
    VECTOR("y_string_comments", "[\"a/*b*/c/*d//e\"]"),
    VECTOR("y_string_brackets", "[\"]}{[,:\"]"),

    VECTOR("n_nothing", ""),
    VECTOR("n_blanks", " \n\t"),
    VECTOR("n_lone_bom", "\xef\xbb\xbf"),
    VECTOR("n_bom_twice", "\xef\xbb\xbf\xef\xbb\xbf[]"),
    VECTOR("n_bom_inside", "[\xef\xbb\xbf]"),
    VECTOR("n_bom_of_utf16", "\xff\xfe[\0]\0"),
    VECTOR("n_word_cut", "[nul]"),
    VECTOR("n_word_long", "[truee]"),
    VECTOR("n_word_capital", "[True]"),
    VECTOR("n_word_of_javascript", "[undefined]"),
    VECTOR("n_word_lone_letter", "a"),
    VECTOR("n_words_joined", "[truefalse]"),
    VECTOR("n_array_unclosed", "[1"),
    VECTOR("n_array_unclosed_comma", "[1,"),
    VECTOR("n_array_lone_bracket", "["),
    VECTOR("n_array_closed_twice", "[1]]"),
    VECTOR("n_array_not_opened", "1]"),
    VECTOR("n_array_lone_close", "]"),
    VECTOR("n_array_trailing_comma", "[1,]"),
    VECTOR("n_array_leading_comma", "[,1]"),
    VECTOR("n_array_lone_comma", "[,]"),
    VECTOR("n_array_two_commas", "[1,,2]"),
    VECTOR("n_array_no_comma", "[1 2]"),
    VECTOR("n_array_no_comma_strings", "[\"a\" \"b\"]"),
    VECTOR("n_array_colon", "[\"a\": 1]"),
    VECTOR("n_array_closed_by_brace", "[1}"),
    VECTOR("n_array_semicolon", "[1;2]"),
    VECTOR("n_array_in_angles", "<[]>"),
    VECTOR("n_object_unclosed", "{\"a\":1"),
    VECTOR("n_object_lone_brace", "{"),
    VECTOR("n_object_key_alone", "{\"a\"}"),
    VECTOR("n_object_no_value", "{\"a\":}"),
    VECTOR("n_object_no_key", "{:1}"),
    VECTOR("n_object_no_colon", "{\"a\" 1}"),
    VECTOR("n_object_two_colons", "{\"a\"::1}"),
    VECTOR("n_object_comma_for_colon", "{\"a\",1}"),
    VECTOR("n_object_bare_key", "{a:1}"),
    VECTOR("n_object_single_quotes", "{'a':1}"),
    VECTOR("n_object_number_key", "{1:1}"),
    VECTOR("n_object_word_key", "{null:1}"),
    VECTOR("n_object_array_key", "{[]:1}"),
    VECTOR("n_object_trailing_comma", "{\"a\":1,}"),
    VECTOR("n_object_leading_comma", "{,\"a\":1}"),
    VECTOR("n_object_two_commas", "{\"a\":1,,\"b\":2}"),
    VECTOR("n_object_no_comma", "{\"a\":1 \"b\":2}"),
    VECTOR("n_object_closed_by_bracket", "{\"a\":1]"),
    VECTOR("n_object_cut_in_key", "{\"a"),
    VECTOR("n_object_trailing_comment", "{\"a\":1}//"),
    VECTOR("n_object_comment", "{/**/\"a\":1}"),
    VECTOR("n_object_comment_of_python", "{\"a\":1 # b\n}"),
    VECTOR("n_trailing_word", "{} true"),
    VECTOR("n_trailing_comma", "[1],"),
    VECTOR("n_two_values", "1 2"),
    VECTOR("n_two_documents", "{}{}"),
    VECTOR("n_number_plus", "[+1]"),
    VECTOR("n_number_leading_zero", "[012]"),
    VECTOR("n_number_leading_zero_negative", "[-012]"),
    VECTOR("n_number_two_zeros", "[00]"),
    VECTOR("n_number_minus", "[-]"),
    VECTOR("n_number_two_minuses", "[--1]"),
    VECTOR("n_number_minus_space", "[- 1]"),
    VECTOR("n_number_no_whole", "[.5]"),
    VECTOR("n_number_minus_no_whole", "[-.5]"),
    VECTOR("n_number_no_fraction", "[1.]"),
    VECTOR("n_number_no_fraction_exponent", "[1.e3]"),
    VECTOR("n_number_no_exponent", "[1e]"),
    VECTOR("n_number_no_exponent_sign", "[1e+]"),
    VECTOR("n_number_two_signs", "[1e+-2]"),
    VECTOR("n_number_two_points", "[1.2.3]"),
    VECTOR("n_number_fraction_exponent", "[1e0.5]"),
    VECTOR("n_number_hexadecimal", "[0x1F]"),
    VECTOR("n_number_underscore", "[1_000]"),
    VECTOR("n_number_space", "[1 000.0]"),
    VECTOR("n_number_letter", "[1a]"),
    VECTOR("n_number_nan_lower", "[nan]"),
    VECTOR("n_number_inf", "[Inf]"),
    VECTOR("n_number_minus_nan", "[-NaN]"),
    VECTOR("n_number_plus_infinity", "[+Infinity]"),
    VECTOR("n_number_nan_long", "[NaNs]"),
    VECTOR("n_number_full_width_digit", "[\xef\xbc\x91]"),
    VECTOR("n_string_unclosed", "[\"a"),
    VECTOR("n_string_unclosed_escape", "[\"a\\\"]"),
    VECTOR("n_string_lone_quote", "\""),
    VECTOR("n_string_single_quotes", "['a']"),
    VECTOR("n_string_bare", "[abc]"),
    VECTOR("n_string_escape_unknown", "[\"\\a\"]"),
    VECTOR("n_string_escape_x", "[\"\\x00\"]"),
    VECTOR("n_string_escape_capital_u", "[\"\\U0041\"]"),
    VECTOR("n_string_escape_space", "[\"\\ \"]"),
    VECTOR("n_string_escape_tab", "[\"\\\t\"]"),
    VECTOR("n_string_escape_zero_byte", "[\"\\\0\"]"),
    VECTOR("n_string_escape_short", "[\"\\u12\"]"),
    VECTOR("n_string_escape_short_then_text", "[\"\\u12xyzw\"]"),
    VECTOR("n_string_escape_not_hexadecimal", "[\"\\u00g0\"]"),
    VECTOR("n_string_escape_signed", "[\"\\u+041\"]"),
    VECTOR("n_string_pair_not_hexadecimal", "[\"\\ud800\\uzzzz\"]"),
    VECTOR("n_string_pair_cut", "[\"\\ud800\\u1\"]"),
    VECTOR("n_string_pair_backslash", "[\"\\ud800\\\"]"),
    VECTOR("n_string_tab", "[\"a\tb\"]"),
    VECTOR("n_string_newline", "[\"a\nb\"]"),
    VECTOR("n_string_zero_byte", "[\"a\0b\"]"),
    VECTOR("n_string_unit_separator", "[\"\x1f\"]"),
    VECTOR("n_zero_byte", "[1\0]"),
    VECTOR("n_zero_byte_trailing", "[1]\0"),
    VECTOR("n_form_feed", "[\f1]"),
    VECTOR("n_vertical_tab", "[\v1]"),
    VECTOR("n_space_no_break", "[\xc2\xa0"
                               "1]"),
    VECTOR("n_space_zero_width", "[1]\xe2\x81\xa0"),
    VECTOR("n_escape_outside", "[\\n]"),
    VECTOR("n_utf8_invalid_byte", "[\"\xff\"]"),
    VECTOR("n_utf8_invalid_outside", "[\xe9]"),
    VECTOR("n_utf8_lone_continuation", "[\"\x80\"]"),
    VECTOR("n_utf8_overlong", "[\"\xc0\xaf\"]"),
    VECTOR("n_utf8_overlong_zero", "[\"\xc0\x80\"]"),
    VECTOR("n_utf8_surrogate", "[\"\xed\xa0\x80\"]"),
    VECTOR("n_utf8_beyond_last", "[\"\xf4\x90\x80\x80\"]"),
    VECTOR("n_utf8_cut", "[\"\xe2\x82\"]"),
    VECTOR("n_utf8_cut_at_end", "\"\xf0\x9f\x98"),

    VECTOR("iy_bom", "\xef\xbb\xbf{}"),
    VECTOR("iy_bom_number", "\xef\xbb\xbf"
                            "1"),
    VECTOR("iy_number_tiny", "[1e-400, 123e-10000000]"),
    VECTOR("iy_number_large_integer", "[100000000000000000000, -9223372036854775809]"),
    VECTOR("iy_number_many_digits",
           "[0.12345678901234567890123456789012345678901234567890123456789]"),
    VECTOR("in_number_huge", "[1e400]"),
    VECTOR("in_number_huge_negative", "[-1e9999]"),
    VECTOR("in_number_huge_exponent", "[0.4e006699999999999999999999999999999999999999996909]"),
    VECTOR("in_number_too_many_digits",
           "[0.1234567890123456789012345678901234567890123456789012345678901234]"),
    VECTOR("in_key_twice", "{\"a\":1,\"a\":1}"),
    VECTOR("in_key_twice_escaped", "{\"a\":1,\"\\u0061\":2}"),
    VECTOR("in_key_twice_deep", "[{\"x\":[{\"a\":1,\"b\":2,\"a\":1}]}]"),

    VECTOR("m_nan", "[NaN]"),
    VECTOR("m_infinity", "{\"a\": Infinity, \"b\": [-Infinity]}"),
    VECTOR("m_nan_lone", " NaN "),
    VECTOR("m_escape_zero", "[\"a\\u0000b\"]"),
    VECTOR("m_surrogate_high", "[\"\\uD800\"]"),
    VECTOR("m_surrogate_low", "[\"\\udc00abc\"]"),
    VECTOR("m_surrogate_high_then_text", "[\"\\uD800abcdef\"]"),
    VECTOR("m_surrogate_high_twice", "[\"\\uD800\\uD800\\n\"]"),
    VECTOR("m_surrogate_inverted", "[\"\\uDd1e\\uD834\"]"),
    VECTOR("m_surrogate_high_then_character", "[\"\\ud800\\u0041\"]"),
    VECTOR("m_surrogate_in_key", "{\"\\ud800\": 1}"),
};

Test(json_vectors, are_taken_as_their_names_say)
{
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const struct vector *v = &vectors[i];
        int needs_repair = v->name[0] == 'm';
        int is_good = v->name[0] == 'y' || strncmp(v->name, "iy", 2) == 0;
        cr_assert_eq(take(v->text, v->length, REGRET_JSON_STRICT), is_good, "%s", v->name);
        cr_assert_eq(take(v->text, v->length, REGRET_JSON_IMPORT), is_good || needs_repair, "%s",
                     v->name);
    }
}

Test(json_vectors, depth)
{
    for (int depth = 63; depth <= 66; depth++) {
        char text[160];
        for (int objects = 0; objects < 2; objects++) {
            size_t n = 0;
            for (int i = 0; i < depth && objects; i++) {
                n += (size_t)snprintf(text + n, sizeof text - n, i + 1 < depth ? "[" : "{");
            }
            for (int i = 0; i < depth && !objects; i++) {
                text[n++] = '[';
            }
            for (int i = 0; i < depth; i++) {
                text[n++] = objects && i == 0 ? '}' : ']';
            }
            cr_assert_eq(take(text, n, REGRET_JSON_STRICT), depth <= REGRET_JSON_MAX_DEPTH);
            cr_assert_eq(take(text, n, REGRET_JSON_IMPORT), depth <= REGRET_JSON_MAX_DEPTH);
        }
    }
}

/* Bytes of the vectors changed, left out and joined: taken where the naive reader takes them. */
Test(json_vectors, mutations)
{
    static const char spice[] = "\"\\{}[]:,0123456789eE+-. \t\n\x01\x80\xff\xc3ntfuNI";
    struct regret_rng rng = regret_rng_at(8, REGRET_RNG_TEST, 0);
    const uint32_t n_vectors = sizeof vectors / sizeof *vectors;
    int taken = 0;
    for (int i = 0; i < 100000; i++) {
        const struct vector *a = &vectors[regret_rng_below(&rng, n_vectors)],
                            *b = &vectors[regret_rng_below(&rng, n_vectors)];
        char text[300];
        size_t cut = regret_rng_below(&rng, (uint32_t)a->length + 1), n = cut;
        memcpy(text, a->text, cut);
        if (regret_rng_below(&rng, 3) == 0) {
            text[n++] = spice[regret_rng_below(&rng, sizeof spice - 1)];
        }
        const struct vector *rest = regret_rng_below(&rng, 4) == 0 ? b : a;
        size_t from = rest == a ? cut + regret_rng_below(&rng, 2) : 0;
        if (from < rest->length) {
            memcpy(text + n, rest->text + from, rest->length - from);
            n += rest->length - from;
        }
        taken += take(text, n, regret_rng_below(&rng, 2) ? REGRET_JSON_STRICT : REGRET_JSON_IMPORT);
    }
    cr_assert_gt(taken, 5000, "%d", taken);
}

/* ---- Messages ---- */

static void check_message(const char *text, size_t length, enum regret_json_mode mode,
                          const char *message)
{
    cJSON *tree = NULL;
    cr_assert_eq(regret_json_parse_mode(&tree, text, length, HERE, mode), REGRET_E_INPUT, "%s",
                 text);
    cr_assert_str_eq(regret_error_message(), message);
}

Test(json_vectors, messages_name_line_and_column)
{
    static const struct {
        const char *text;
        size_t length;
        const char *message;
    } cases[] = {
#define CASE(text, message) {text, sizeof(text) - 1, "x.json:" message}
        CASE("{\"a\": tru}", "1:7: malformed JSON near \"tru}\""),
        CASE("{\n  \"é\": x\n}", "2:8: malformed JSON near \"x\""),
        CASE("{\"a\": 1 \"b\"}", "1:9: malformed JSON near \"\"b\"}\""),
        CASE("{a: 1}", "1:2: malformed JSON near \"a: 1}\""),
        CASE("[\"ab\\q\"]", "1:5: malformed JSON near \"\\q\"]\""),
        CASE("[\"\\u12g4\"]", "1:3: malformed JSON near \"\\u12g4\"]\""),
        CASE("{\"a\": 1,\n}", "2:1: malformed JSON: a comma before a \"}\": take it away"),
        CASE("[1, ]", "1:5: malformed JSON: a comma before a \"]\": take it away"),
        CASE("[1,\n 2", "2:2: malformed JSON: the text ends too early: a \"[\" is not closed"),
        CASE("[1,\n \"2]", "2:2: malformed JSON: the text ends too early: a quote is not closed"),
        CASE("", "1:1: malformed JSON: the text is empty"),
        CASE("[1}", "1:3: malformed JSON: a \"}\" that closes no \"{\""),
        CASE("[1]\n ]", "2:2: malformed JSON: a \"]\" that closes no \"[\""),
        CASE("[1]\nx", "2:1: text after the JSON value: \"x\""),
        CASE("[\n 03]", "2:2: \"03]\" is not a number of JSON; write it as 3, 0.5 or 1e-3"),
        CASE("[1, NaN]", "1:5: NaN and Infinity are not JSON numbers; leave the value out"),
        CASE("[\"é\\u0000\"]", "1:4: a zero character (\\u0000) inside a string; remove it"),
        CASE("[\"\\ud800\"]", "1:3: half of a surrogate pair (\\ud800) inside a string; remove it"),
        CASE("[\"a\tb\"]", "1:4: a control character inside a string; write it as \\u0009"),
        CASE("[\v]", "1:2: a control character (0x0b) between values; remove it"),
        CASE("[\"a\0\"]", "1:4: a zero byte in the text"),
        CASE("[1\0]", "1:3: a zero byte in the text"),
        CASE("[\n\"\xff\"]", "2:2: byte 4 is not valid UTF-8"),
        CASE("a,b\n1,2\n", "1:1: this is not JSON; it begins \"a,b\""),
        CASE("\xef\xbb\xbf[x]", "1:2: malformed JSON near \"x]\""),
#undef CASE
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_message(cases[i].text, cases[i].length, REGRET_JSON_STRICT, cases[i].message);
    }
}

/* What importing forgives before a fault moves nothing, and is quoted as it stands. */
Test(json_vectors, messages_of_importing_are_of_the_text_itself)
{
    static const char text[] = "[NaN, \"\\u0000\", x, -Infinity]",
                      bytes[] = "[-Infinity, \"\xff\"]";
    check_message(text, sizeof text - 1, REGRET_JSON_IMPORT,
                  "x.json:1:17: malformed JSON near \"x, -Infinity]\"");
    check_message(bytes, sizeof bytes - 1, REGRET_JSON_IMPORT,
                  "x.json:1:14: byte 14 is not valid UTF-8");
}

Test(json_vectors, a_text_may_begin_in_the_middle_of_a_line)
{
    cJSON *tree = NULL;
    const struct regret_place at = {"x.json", 7};
    cr_assert_eq(json_parse_from(&tree, "[x]", 3, at, 5, REGRET_JSON_STRICT), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(), "x.json:7:6: malformed JSON near \"x]\"");
    cr_assert_eq(json_parse_from(&tree, "[\nx]", 4, at, 5, REGRET_JSON_STRICT), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(), "x.json:8:1: malformed JSON near \"x]\"");
}
