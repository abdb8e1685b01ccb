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
