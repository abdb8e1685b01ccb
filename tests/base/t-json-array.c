/* Arrays read an element at a time against the same text parsed at once. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cJSON.h>

#include "base/json_array.h"
#include "base/jsonl.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"
#include "scratch.h"

TestSuite(json_array, .init = scratch_enter, .fini = scratch_leave);

/* The records of x.json, joined as one text; the status of reading them. */
static int read_all(struct regret_buffer *out)
{
    struct json_records records = {0};
    const cJSON *record = NULL;
    int rc = json_records_open(&records, "x.json", JSON_RECORDS_OF_SET);
    regret_buffer_clear(out);
    while (rc == REGRET_OK) {
        rc = json_records_next(&records, &record);
        if (rc != REGRET_OK || record == NULL) {
            break;
        }
        char *text = cJSON_PrintUnformatted(record);
        regret_buffer_append(out, text);
        regret_buffer_append_char(out, '\n');
        cJSON_free(text);
    }
    json_records_close(&records);
    return rc;
}

/* The same by a parser of the whole. */
static int parse_all(struct regret_buffer *out, const char *text)
{
    cJSON *tree = NULL;
    int rc = regret_json_parse_mode(&tree, text, strlen(text), (struct regret_place){"x.json", 0},
                                    REGRET_JSON_IMPORT);
    regret_buffer_clear(out);
    for (const cJSON *e = rc == REGRET_OK ? tree->child : NULL; e != NULL; e = e->next) {
        char *one = cJSON_PrintUnformatted(e);
        regret_buffer_append(out, one);
        regret_buffer_append_char(out, '\n');
        cJSON_free(one);
        rc = cJSON_IsObject(e) ? rc : REGRET_E_INPUT;
    }
    cJSON_Delete(tree);
    return rc;
}

static void same_as_whole(const char *text)
{
    struct regret_buffer streamed = REGRET_BUFFER_INIT, whole = REGRET_BUFFER_INIT;
    scratch_put("x.json", text);
    int rc = read_all(&streamed), expected = parse_all(&whole, text);
    cr_assert_eq(rc, expected, "%d, not %d: %.80s: %s", rc, expected, text, regret_error_message());
    if (rc == REGRET_OK) {
        cr_assert_str_eq(regret_buffer_get(&streamed), regret_buffer_get(&whole));
    }
    regret_buffer_free(&streamed);
    regret_buffer_free(&whole);
}

Test(json_array, forms)
{
    static const char *const TEXTS[] = {
        "[]", " [ ] ", "\xef\xbb\xbf[{\"a\":1}]", "[{}]\n",
        "[\n{\"a\": [1, {\"b\": \"]},{[\"}]}\n,\n{}\n]\n\n", "[{\"a\":\"\\\\\"},{\"b\":\"\\\"]\"}]",
        "[{\"a\":NaN},{\"b\":[[[]]]}]",
        /* and what is none */
        "[", "[{}", "[{},", "[{},]", "[,{}]", "[{}{}]", "[{}]x", "[{}],", "[{]}", "[{\"a\":1]",
        "[}]", "[{}}]", "[\"a]", "[{\"a\":\"b]}", "[1]", "[{}, 2]", "[[{}]]", "[{\"a\":1,\"a\":2}]",
        "[{}]]", "[\xef\xbb\xbf{}]", "[{},\xef\xbb\xbf{}]", "[{} {}]"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        same_as_whole(TEXTS[i]);
    }
}

/* Texts of hundreds of kilobytes, so that elements lie across what is read ahead, with everything that a
 * string may hold. */
Test(json_array, large_arrays)
{
    static const char *const PARTS[] = {"[",    "]", "{",        "}",     ",",       "\\\"",
                                        "\\\\", ":", "\xc3\xa9", "word ", "\\u00e9", "\\n"};
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_TEST, 1);
        struct regret_buffer t = REGRET_BUFFER_INIT;
        regret_buffer_append(&t, seed % 2 == 0 ? "[" : "[\n");
        for (size_t i = 0; i < 40; i++) {
            regret_buffer_printf(&t, "%s{\"n\":%zu,%s\"text\":\"", i > 0 ? "," : "", i,
                                 seed % 2 == 0 ? "" : "\n    ");
            size_t n = regret_rng_below(&rng, 9000);
            for (size_t k = 0; k < n; k++) {
                regret_buffer_append(&t, PARTS[regret_rng_below(&rng, 12)]);
            }
            regret_buffer_append(&t, "\",\"deep\":[[{\"x\":[]}]]}\n");
        }
        regret_buffer_append(&t, "]");
        cr_assert_eq(regret_buffer_status(&t), 0);
        same_as_whole(regret_buffer_get(&t));
        regret_buffer_free(&t);
    }
}

Test(json_array, messages_say_where)
{
    struct regret_buffer out = REGRET_BUFFER_INIT;
    static const struct {
        const char *text, *message;
    } CASES[] = {{"[\n{\"a\": 1},\n{\"a\": }\n]", "x.json:3:7: malformed"},
                 {"\xef\xbb\xbf[{\"é\": 1}, {\"b\": 2},\t{\"a\": x", "x.json:1:28: malformed"},
                 {"[{\"a\":\n1}, {\"a\": x}]", "x.json:2:11: malformed"},
                 {"[{}, {}, 7]", "x.json:1: record 2 (from 0)"},
                 {"[{\"a\": 1}", "a \"[\" is not closed"},
                 {"[{}\n,]", "x.json:2:2: malformed JSON: no value before the \"]\""},
                 {"[{}]\n\n{}", "x.json:3:1: text after the JSON value"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        scratch_put("x.json", CASES[i].text);
        cr_assert_eq(read_all(&out), REGRET_E_INPUT, "%s", CASES[i].text);
        cr_assert_not_null(strstr(regret_error_message(), CASES[i].message), "%s",
                           regret_error_message());
    }
    regret_buffer_free(&out);
}

/* After a bad record the next one is read, under its own number. */
Test(json_array, the_next_after_a_bad_one)
{
    static const struct {
        enum json_records_kind kind;
        const char *text, *units;
    } CASES[] = {{JSON_RECORDS_OF_TABLE, "[{}, {\"a\": x}, 7, {}]", "record 0, record 3, "},
                 {JSON_RECORDS_OF_SET, "[{}, {\"a\": x}, 7, {}]", "record 0, record 3, "},
                 {JSON_RECORDS_OF_TABLE, "{\"a\": x}\n\n[7]\n{\"a\": {}}\n{}", "line 4, line 5, "},
                 {JSON_RECORDS_OF_SET, "{\"a\": x}\n\n[7]\n{\"a\": {}}\n{}", "record 0, line 5, "},
                 {JSON_RECORDS_OF_SET, "{\n\"a\": {}, \"b\": 7, \"c\": {}}", "record 0, "},
                 {JSON_RECORDS_OF_SET, "{\n\"a\": {}, \"b\": {}}", "record 0, record 1, "}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct regret_buffer units = REGRET_BUFFER_INIT;
        struct json_records records;
        const cJSON *record = NULL;
        scratch_put("x.json", CASES[i].text);
        cr_assert_eq(json_records_open(&records, "x.json", CASES[i].kind), 0);
        for (int over = 0; !over;) {
            int rc = json_records_next(&records, &record);
            if (record != NULL) {
                regret_buffer_printf(&units, "%s %zu, ", records.unit, records.number);
            }
            over = rc != 0 ? json_records_is_over(&records) : record == NULL;
        }
        cr_expect_str_eq(regret_buffer_get(&units), CASES[i].units, "case %zu: %s", i,
                         regret_buffer_get(&units));
        json_records_close(&records);
        regret_buffer_free(&units);
    }
}

/* ---- An array within an object, and a few fields of its elements ---- */

static const char *const BEFORE[] = {"eval", "version"};
static const char *const FIELDS[] = {"id", "score"};

/* What stands before the array "samples" of a text, and its elements, one a line; the status of reading. */
static int seek_all(struct regret_buffer *out, const char *text)
{
    struct regret_jsonl *reader = NULL;
    struct json_array array = {.path = "x.json", .fields = FIELDS, .n_fields = 2};
    struct regret_place at;
    cJSON *value = NULL;
    int found = 0;
    scratch_put("x.json", text);
    cr_assert_eq(regret_jsonl_open(&reader, "x.json"), 0);
    array.reader = reader;
    int rc = json_array_seek(&array, &found, &value, "samples", BEFORE, 2);
    regret_buffer_clear(out);
    while (value != NULL) {
        char *one = cJSON_PrintUnformatted(value);
        regret_buffer_printf(out, "%s;", one);
        cJSON_free(one);
        cJSON_Delete(value);
        value = NULL;
        rc = rc == 0 && found ? json_array_next(&array, &value, &at) : rc;
    }
    regret_jsonl_close(reader);
    return rc;
}

Test(json_array, within_an_object)
{
    static const char *const CASES[][2] = {
        {"{}", "{};"},
        {" { \"x\" : 1 , \"eval\" : {\"a\":[1,2]} } ", "{\"eval\":{\"a\":[1,2]}};"},
        {"{\"samples\":[]}", "{};"},
        {"{\"samples\":null,\"eval\":1}", "{\"samples\":null,\"eval\":1};"},
        {"\xef\xbb\xbf{\"eval\":1,\"big\":[{\"samples\":[1]}],\"samples\":[{\"id\":1,\"x\":[{]},"
         "\"score\":\"]\"}\n,{}]",
         "{\"eval\":1};{\"id\":1,\"score\":\"]\"};{};"},
        {"{\"samples\":{\"version\":3,\"samples\":[{\"id\":\"{\"}]},\"eval\":",
         "{\"version\":3};{\"id\":\"{\"};"},
        {"{\"version\":4,\"eval\":1,\"samples\":{\"version\":3,\"samples\":[]}}",
         "{\"version\":3};"},
        {"{\"samples\":[3,[{\"id\":1}],\"x\"]}", "{};3;[{\"id\":1}];\"x\";"},
        {"{\"x\":NaN,\"samples\":[{\"score\":NaN}]}", "{};{\"score\":null};"},
    };
    struct regret_buffer t = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        cr_assert_eq(seek_all(&t, CASES[i][0]), 0, "%s: %s", CASES[i][0], regret_error_message());
        cr_expect_str_eq(regret_buffer_get(&t), CASES[i][1], "%s", CASES[i][0]);
    }
    regret_buffer_free(&t);
}

/* Names with a mark are hollow wherever they stand; texts are no names. */
Test(json_array, hollow_fields)
{
    static const char *const HOLLOW[] = {"a", "b", "-deep"};
    static const char *const CASES[][2] = {
        {"{\"a\":{\"deep\":[[{\"deep\":1}]],\"x\":1},\"deep\":2}",
         "{\"a\":{\"deep\":null,\"x\":1}}"},
        {"{\"b\":[\"deep\",{\"deep\" : \"]\" , \"y\":{\"deep\":01}}], \"a\":\"deep\"}",
         "{\"b\":[\"deep\",{\"deep\":null,\"y\":{\"deep\":null}}],\"a\":\"deep\"}"},
        {"{\"-deep\":1}", "{\"-deep\":1}"},
        {"[1]", "[1]"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        cJSON *picked = NULL;
        cr_assert_eq(json_pick(&picked, CASES[i][0], strlen(CASES[i][0]),
                               (struct regret_place){"x", 1}, 1, HOLLOW, 3),
                     0, "%s", regret_error_message());
        char *text = cJSON_PrintUnformatted(picked);
        cr_expect_str_eq(text, CASES[i][1], "%s", text);
        cJSON_free(text);
        cJSON_Delete(picked);
    }
    static const char BAD[] = "{\"a\":{\"deep\":}}";
    cJSON *picked = NULL;
    cr_assert_eq(json_pick(&picked, BAD, strlen(BAD), (struct regret_place){"x", 1}, 1, HOLLOW, 3),
                 REGRET_E_INPUT);
}

Test(json_array, within_an_object_malformed)
{
    static const char *const CASES[][2] = {
        {"[]", "x.json:1:1: must be a JSON object"},
        {"", "x.json:1:1: must be a JSON object"},
        {"{", "x.json:1:2: malformed JSON: the text ends too early: a \"{\" is not closed"},
        {"{\n \"a\": 1",
         "x.json:2:8: malformed JSON: the text ends too early: a \"{\" is not closed"},
        {"{\"a\" 1}", "x.json:1:2: malformed JSON: a name in quotes and a colon"},
        {"{a: 1}", "x.json:1:2: malformed JSON: a name in quotes and a colon"},
        {"{\"a\": x \"samples\": []}", "x.json:1:7: malformed JSON: a value must stand here"},
        {"{\"a\":, \"samples\": []}", "x.json:1:6: malformed JSON: a value must stand here"},
        {"{\"eval\":1,\"eval\":2}", "key \"eval\" is given twice"},
        {"{\"eval\":01}", "x.json:1:9: \"01\" is not a number"},
        {"{\"samples\":[{\"id\":1}", "a \"[\" is not closed"},
        {"{\"samples\":[{\"id\":1,\"id\":2}]}", "key \"id\" is given twice"},
        {"{\"samples\":[\n {\"x\":3,\n\"id\":01}]}", "x.json:3:6: \"01}\" is not a number"},
        {"{\"samples\":[{\"x\":,\"id\":1}]}", "malformed JSON near \",\""},
        {"{\"samples\":[{\"x\":1 \"id\":1}]}", "malformed JSON near"},
        {"{\"samples\":[{\"id\":1,}]}", "a comma before a \"}\""},
        {"{\"samples\":[{\"id\" 1}]}", "malformed JSON near \"1}\""},
        {"{\"samples\":[}]}", "malformed JSON"},
        {"{\"samples\":[{\"id\":\"\xff\"}]}", "is not valid UTF-8"},
    };
    struct regret_buffer t = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        cr_expect_eq(seek_all(&t, CASES[i][0]), REGRET_E_INPUT, "%s", CASES[i][0]);
        cr_expect_not_null(strstr(regret_error_message(), CASES[i][1]), "%s: %s", CASES[i][0],
                           regret_error_message());
    }
    regret_buffer_free(&t);
}
