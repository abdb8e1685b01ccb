/* The tokeniser of JSON: its tokens and their faults, numbers against strtod,
 * columns. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_tokens.h"
#include "regret/buffer.h"
#include "regret/task.h"

static struct regret_rng rng;

static uint32_t below(uint32_t n)
{
    return regret_rng_below(&rng, n);
}

/* ---- Tokens ---- */

/* A line a token: kind, text, fault with its offset, flags. */
static void list(struct regret_buffer *out, const char *text, enum regret_json_mode mode)
{
    static const char *const kinds[] = {"end",  "mark",    "string", "number",
                                        "word", "nothing", "other"};
    static const char *const faults[] = {"", " bad-escape", " cut", " bad-number", " no-character"};
    struct json_tokens t = {text, text + strlen(text), mode};
    struct json_token s;
    regret_buffer_clear(out);
    do {
        s = json_next(&t);
        cr_assert(s.end == t.at && (s.kind == JSON_END || s.end > s.begin), "%s", text);
        cr_assert_eq(s.fault == JSON_NO_FAULT, s.where == NULL);
        regret_buffer_printf(out, "%s %.*s%s", kinds[s.kind], (int)(s.end - s.begin), s.begin,
                             faults[s.fault]);
        if (s.where != NULL) {
            regret_buffer_printf(out, "@%d", (int)(s.where - text));
        }
        regret_buffer_append(out, "|");
    } while (s.kind != JSON_END);
    cr_assert(s.begin == t.end && s.end == t.end);
}

Test(json_tokens, are_told_with_their_faults)
{
    static const struct {
        const char *text, *tokens;
        enum regret_json_mode mode;
    } cases[] = {
        {"", "end |", REGRET_JSON_STRICT},
        {" \t\r\n", "end |", REGRET_JSON_STRICT},
        {"{\"a\":[1,true]}",
         "mark {|string \"a\"|mark :|mark [|number 1|mark ,|word true|mark ]|mark }|end |",
         REGRET_JSON_STRICT},
        {"nullnull falsey", "word null|word null|word false|other y|end |", REGRET_JSON_STRICT},
        {"NaN -Infinity Infinity", "nothing NaN|nothing -Infinity|nothing Infinity|end |",
         REGRET_JSON_STRICT},
        {"nan", "other n|other a|other n|end |", REGRET_JSON_IMPORT},
        {"03 1. - -x 1e+ 1.5e3]", /* a bad number is its first byte: what follows is looked at, too */
         "number 0 bad-number@0|number 3|number 1 bad-number@3|other .|number - bad-number@6|"
         "number - bad-number@8|other x|number 1 bad-number@11|other e|other +|number 1.5e3|mark ]|"
         "end |",
         REGRET_JSON_STRICT},
        {"\"a\\n\\\"\" x", "string \"a\\n\\\"\"|other x|end |", REGRET_JSON_STRICT},
        {"\"ab\\q\\u12g4c\"", "string \"ab\\q\\u12g4c\" bad-escape@3|end |", REGRET_JSON_STRICT},
        {"\"a\tb\x01", "string \"a\tb\x01 no-character@2|end |", REGRET_JSON_STRICT},
        {" \"abc, [", "string \"abc, [ cut@1|end |", REGRET_JSON_STRICT},
        {"\"abc\\", "string \"abc\\ cut@0|end |", REGRET_JSON_STRICT},
        {"\"\\u0000\\ud800\"", "string \"\\u0000\\ud800\" no-character@1|end |",
         REGRET_JSON_STRICT},
        {"\"\\u0000\\ud800\"", "string \"\\u0000\\ud800\"|end |", REGRET_JSON_IMPORT},
        {"\"\\ud83d\\ude00 \\ude00\\ud83d\"",
         "string \"\\ud83d\\ude00 \\ude00\\ud83d\" no-character@14|end |", REGRET_JSON_STRICT},
        {"'a'", "other '|other a|other '|end |", REGRET_JSON_STRICT},
    };
    struct regret_buffer out = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        list(&out, cases[i].text, cases[i].mode);
        cr_assert_str_eq(regret_buffer_get(&out), cases[i].tokens, "%s", cases[i].text);
    }
    regret_buffer_free(&out);
}

/* ---- Numbers ---- */

static void check_number(const char *text)
{
    struct json_tokens t = {text, text + strlen(text), REGRET_JSON_STRICT};
    double value = -77.0, expected = strtod(text, NULL);
    cr_assert(json_take_number(&t, &value), "%s", text);
    cr_assert(t.at == t.end, "%s: stopped early", text);
    cr_assert_eq(memcmp(&value, &expected, sizeof value), 0, "%s: %.17g, strtod has %.17g", text,
                 value, expected);
}

Test(json_tokens, numbers_are_those_of_strtod)
{
    rng = regret_rng_at(1, REGRET_RNG_TEST, 0);
    for (int i = 0; i < 200000; i++) {
        char text[400];
        double x = regret_rng_normal(&rng) * pow(10.0, (double)below(12) - 6.0);
        switch (below(4)) {
        case 0:
            snprintf(text, sizeof text, "%.*g", below(2) ? 17 : 15, x);
            break;
        case 1:
            snprintf(text, sizeof text, "%.*f", (int)below(50), x);
            break;
        case 2:
            snprintf(text, sizeof text, "%.*e", (int)below(40), x);
            break;
        default:
            snprintf(text, sizeof text, "%u.%05ue%d", below(1000), below(100000),
                     (int)below(800) - 400);
        }
        check_number(text);
    }
    check_number("1e999");
    check_number("-1e99999999999999999999");
    check_number("1e-99999999999999999999");
    check_number("0.00000000000000000000000000000000000000000000000000000000001");
}

/* Decimals right at, just below and just above the middle between two doubles. */
Test(json_tokens, numbers_half_way)
{
    rng = regret_rng_at(2, REGRET_RNG_TEST, 0);
    for (int i = 0; i < 100000; i++) {
        char text[64];
        uint64_t odd = ((uint64_t)1 << 53) + 1 + 2 * (regret_rng_u64(&rng) >> 13);
        snprintf(text, sizeof text, "%llu%s", (unsigned long long)(odd + below(3) - 1),
                 below(2)   ? ""
                 : below(2) ? ".0"
                            : "e0");
        check_number(text);
        snprintf(text, sizeof text, "%llue-%u", (unsigned long long)(odd >> below(3)), below(25));
        check_number(text);
    }
}

/* ---- Places ---- */

Test(json_tokens, values_are_skipped_by_their_brackets)
{
    static const struct {
        const char *text;
        int length; /* -1: it does not end */
    } cases[] = {{"1, 2", 1},           {"\"a]\\\"\" ", 6}, {"[[], {\"]\": 1}] ]", 14},
                 {"tru]", 3},           {"[1", -1},         {"\"a", -1},
                 {"{\"a\": \"}\"", -1}, {"a\"b\"c d", 5},   {"[1}], 2", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text, *end = json_skip_value(text, text + strlen(text));
        cr_assert_eq(end == NULL ? -1 : (int)(end - text), cases[i].length, "%s", text);
    }
}

Test(json_tokens, columns_count_characters)
{
    static const char text[] = "\xef\xbb\xbf{\"é日\": 1,\n  x";
    cr_assert_eq(json_column(text, text), 1);
    cr_assert_eq(json_column(text, text + 3), 1);
    cr_assert_eq(json_column(text, strchr(text, ':')), 6);
    cr_assert_eq(json_column(text, strchr(text, 'x')), 3);
    cr_assert_eq(json_column(text, strchr(text, '\n') + 1), 1);
    cr_assert_eq(json_column(text, text + strlen(text)), 4);
}

/* The first of the marks outside of brackets and strings, a byte at a time; SIZE_MAX: none. */
static size_t naive_mark(const char *text, size_t n, const char *ends)
{
    size_t depth = 0;
    int inside = 0;
    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        if (inside) {
            i += c == '\\';
            inside = c != '"';
        } else if (c == '"') {
            inside = 1;
        } else if (depth == 0 && memchr(ends, c, strlen(ends)) != NULL) {
            return i;
        } else if (c == '[' || c == '{') {
            depth++;
        } else if ((c == ']' || c == '}') && depth > 0) {
            depth--;
        }
    }
    return SIZE_MAX;
}

/* Whatever the text, and wherever what was read of it so far ends. */
Test(json_tokens, marks_are_found)
{
    static const char BYTES[] = "[]{},:\"\"\\ab1 \n\x01\xc3", *const ENDS[] = {",]", ",}", ":,}"};
    char text[24];
    for (uint64_t seed = 0; seed < 40000; seed++) {
        rng = regret_rng_at(seed, REGRET_RNG_TEST, 2);
        size_t n = below(sizeof text), cut = below((uint32_t)n + 1), depth = 0;
        const char *ends = ENDS[seed % 3], *at = text;
        for (size_t i = 0; i < n; i++) {
            text[i] = BYTES[below(sizeof BYTES - 1)];
        }
        const char *found = json_find_mark(&at, text + cut, ends, &depth);
        found = found != NULL ? found : json_find_mark(&at, text + n, ends, &depth);
        size_t expected = naive_mark(text, n, ends);
        cr_assert_eq(found != NULL ? (size_t)(found - text) : SIZE_MAX, expected,
                     "%.*s, cut at %zu", (int)n, text, cut);
        cr_assert(found == NULL || at == found);
    }
}
