/* The reader of documents against texts that are JSON, are none, or may be either as a reader chooses; where its messages point.
 * The fuzz target json holds it against a naive reader. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "base/json.h"
#include "regret/status.h"

static const struct regret_place HERE = {"x.json", 0};

static int take(const char *text, size_t length, enum regret_json_mode mode)
{
    cJSON *tree = NULL;
    int rc = regret_json_parse_mode(&tree, text, length, HERE, mode);
    cJSON_Delete(tree);
    return rc == REGRET_OK;
}

struct text {
    const char *text;
    size_t length;
};
#define TEXT(text)                                                                                 \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }

/* Every reader takes these. */
static const struct text TAKEN[] = {
    TEXT("null"),
    TEXT("true"),
    TEXT(" false\n"),
    TEXT("42"),
    TEXT("\"asd\""),
    TEXT("\"\""),
    TEXT("[]"),
    TEXT("[ \t\r\n]"),
    TEXT("[[],[[]],[1,[2,{}]]]"),
    TEXT("[null, 1, \"1\", {}, [], true, false]"),
    TEXT("\n[ 1 ,\t2\r\n, 3 ]\n"),
    TEXT("{}"),
    TEXT("{\"a\":\"b\",\"c\":[{\"d\":null}]}"),
    TEXT("{\"\":0}"),
    TEXT("{\"f\\u006fo\": 1}"),
    TEXT("{\"a\":1,\"A\":2}"),
    TEXT("[0, -0, 0.0, 0e0, 0E+1]"),
    TEXT("[1, -1, 10, 123456789012345678]"),
    TEXT("[0.5, -1.25, 3.0000]"),
    TEXT("[1e5, 1E5, 1e+5, 1e-5, 1.5E-05]"),
    TEXT("[-0.000000000000000000000000000000000000000000000000000001]"),
    TEXT("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]"),
    TEXT("[\"\\u0060\\u012a\\u12AB\\uFFFF\"]"),
    TEXT("[\"\\uD801\\udc37\", \"\\ud83d\\ude39\\ud83d\\udc8d\"]"),
    TEXT("[\"\\\\u0000\"]"),
    TEXT("[\"\x7f\"]"),
    TEXT("[\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"]"),
    TEXT("[\"\xf4\x8f\xbf\xbf\"]"),
    TEXT("[\"\xe2\x80\xa8\xe2\x80\xa9\"]"),
    TEXT("[\"\xef\xbf\xbf\", \"\\uFDD0\"]"),
    TEXT("[\"a/*b*/c/*d//e\"]"),
    TEXT("[\"]}{[,:\"]"),
    TEXT("\xef\xbb\xbf{}"),
    TEXT("\xef\xbb\xbf"
         "1"),
    TEXT("[1e-400, 123e-10000000]"),
    TEXT("[100000000000000000000, -9223372036854775809]"),
    TEXT("[0.12345678901234567890123456789012345678901234567890123456789]")};

/* None does. */
static const struct text REFUSED[] = {
    TEXT(""),
    TEXT(" \n\t"),
    TEXT("\xef\xbb\xbf"),
    TEXT("\xef\xbb\xbf\xef\xbb\xbf[]"),
    TEXT("[\xef\xbb\xbf]"),
    TEXT("\xff\xfe[\0]\0"),
    TEXT("[nul]"),
    TEXT("[truee]"),
    TEXT("[True]"),
    TEXT("[undefined]"),
    TEXT("a"),
    TEXT("[truefalse]"),
    TEXT("[1"),
    TEXT("[1,"),
    TEXT("["),
    TEXT("[1]]"),
    TEXT("1]"),
    TEXT("]"),
    TEXT("[1,]"),
    TEXT("[,1]"),
    TEXT("[,]"),
    TEXT("[1,,2]"),
    TEXT("[1 2]"),
    TEXT("[\"a\" \"b\"]"),
    TEXT("[\"a\": 1]"),
    TEXT("[1}"),
    TEXT("[1;2]"),
    TEXT("<[]>"),
    TEXT("{\"a\":1"),
    TEXT("{"),
    TEXT("{\"a\"}"),
    TEXT("{\"a\":}"),
    TEXT("{:1}"),
    TEXT("{\"a\" 1}"),
    TEXT("{\"a\"::1}"),
    TEXT("{\"a\",1}"),
    TEXT("{a:1}"),
    TEXT("{'a':1}"),
    TEXT("{1:1}"),
    TEXT("{null:1}"),
    TEXT("{[]:1}"),
    TEXT("{\"a\":1,}"),
    TEXT("{,\"a\":1}"),
    TEXT("{\"a\":1,,\"b\":2}"),
    TEXT("{\"a\":1 \"b\":2}"),
    TEXT("{\"a\":1]"),
    TEXT("{\"a"),
    TEXT("{\"a\":1}//"),
    TEXT("{/**/\"a\":1}"),
    TEXT("{\"a\":1 # b\n}"),
    TEXT("{} true"),
    TEXT("[1],"),
    TEXT("1 2"),
    TEXT("{}{}"),
    TEXT("[+1]"),
    TEXT("[012]"),
    TEXT("[-012]"),
    TEXT("[00]"),
    TEXT("[-]"),
    TEXT("[--1]"),
    TEXT("[- 1]"),
    TEXT("[.5]"),
    TEXT("[-.5]"),
    TEXT("[1.]"),
    TEXT("[1.e3]"),
    TEXT("[1e]"),
    TEXT("[1e+]"),
    TEXT("[1e+-2]"),
    TEXT("[1.2.3]"),
    TEXT("[1e0.5]"),
    TEXT("[0x1F]"),
    TEXT("[1_000]"),
    TEXT("[1 000.0]"),
    TEXT("[1a]"),
    TEXT("[nan]"),
    TEXT("[Inf]"),
    TEXT("[-NaN]"),
    TEXT("[+Infinity]"),
    TEXT("[NaNs]"),
    TEXT("[\xef\xbc\x91]"),
    TEXT("[\"a"),
    TEXT("[\"a\\\"]"),
    TEXT("\""),
    TEXT("['a']"),
    TEXT("[abc]"),
    TEXT("[\"\\a\"]"),
    TEXT("[\"\\x00\"]"),
    TEXT("[\"\\U0041\"]"),
    TEXT("[\"\\ \"]"),
    TEXT("[\"\\\t\"]"),
    TEXT("[\"\\\0\"]"),
    TEXT("[\"\\u12\"]"),
    TEXT("[\"\\u12xyzw\"]"),
    TEXT("[\"\\u00g0\"]"),
    TEXT("[\"\\u+041\"]"),
    TEXT("[\"\\ud800\\uzzzz\"]"),
    TEXT("[\"\\ud800\\u1\"]"),
    TEXT("[\"\\ud800\\\"]"),
    TEXT("[\"a\tb\"]"),
    TEXT("[\"a\nb\"]"),
    TEXT("[\"a\0b\"]"),
    TEXT("[\"\x1f\"]"),
    TEXT("[1\0]"),
    TEXT("[1]\0"),
    TEXT("[\f1]"),
    TEXT("[\v1]"),
    TEXT("[\xc2\xa0"
         "1]"),
    TEXT("[1]\xe2\x81\xa0"),
    TEXT("[\\n]"),
    TEXT("[\"\xff\"]"),
    TEXT("[\xe9]"),
    TEXT("[\"\x80\"]"),
    TEXT("[\"\xc0\xaf\"]"),
    TEXT("[\"\xc0\x80\"]"),
    TEXT("[\"\xed\xa0\x80\"]"),
    TEXT("[\"\xf4\x90\x80\x80\"]"),
    TEXT("[\"\xe2\x82\"]"),
    TEXT("\"\xf0\x9f\x98"),
    TEXT("[1e400]"),
    TEXT("[-1e9999]"),
    TEXT("[0.4e006699999999999999999999999999999999999999996909]"),
    TEXT("[0.1234567890123456789012345678901234567890123456789012345678901234]"),
    TEXT("{\"a\":1,\"a\":1}"),
    TEXT("{\"a\":1,\"\\u0061\":2}"),
    TEXT("[{\"x\":[{\"a\":1,\"b\":2,\"a\":1}]}]")};

/* Only importing does. */
static const struct text IMPORTED[] = {TEXT("[NaN]"),
                                       TEXT("{\"a\": Infinity, \"b\": [-Infinity]}"),
                                       TEXT(" NaN "),
                                       TEXT("[\"a\\u0000b\"]"),
                                       TEXT("[\"\\uD800\"]"),
                                       TEXT("[\"\\udc00abc\"]"),
                                       TEXT("[\"\\uD800abcdef\"]"),
                                       TEXT("[\"\\uD800\\uD800\\n\"]"),
                                       TEXT("[\"\\uDd1e\\uD834\"]"),
                                       TEXT("[\"\\ud800\\u0041\"]"),
                                       TEXT("{\"\\ud800\": 1}")};

Test(json_vectors, are_taken_or_refused)
{
    static const struct {
        const struct text *texts;
        size_t n;
        int strictly, importing;
    } LISTS[] = {{TAKEN, sizeof TAKEN / sizeof *TAKEN, 1, 1},
                 {REFUSED, sizeof REFUSED / sizeof *REFUSED, 0, 0},
                 {IMPORTED, sizeof IMPORTED / sizeof *IMPORTED, 0, 1}};
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < LISTS[k].n; i++) {
            const struct text *v = &LISTS[k].texts[i];
            cr_expect_eq(take(v->text, v->length, REGRET_JSON_STRICT), LISTS[k].strictly, "%s",
                         v->text);
            cr_expect_eq(take(v->text, v->length, REGRET_JSON_IMPORT), LISTS[k].importing, "%s",
                         v->text);
        }
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
