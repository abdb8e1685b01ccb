#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cJSON.h>

#include "base/json.h"
#include "base/text.h"
#include "regret/buffer.h"

static const struct regret_place HERE = {"x.json", 0};

static void refused(const char *text, size_t length, const char *part)
{
    cJSON *v = NULL;
    int rc = regret_json_parse(&v, text, length, HERE);
    cr_assert_eq(rc, REGRET_E_INPUT, "accepted: %.40s", text);
    cr_assert_null(v);
    cr_assert_not_null(strstr(regret_error_message(), part), "\"%s\" lacks \"%s\"",
                       regret_error_message(), part);
}

Test(json, bad_texts_are_refused_with_the_line)
{
    refused("{\"a\": }", 7, "x.json:1:7");
    refused("{\n\"a\": 1,\n\"b\": }", 16, "x.json:3:6");
    refused("[NaN]", 5, "NaN");
    refused("1e400", 5, "the value is a number too large");
    refused("[1e999]", 7, "element 0 is a number too large");
    refused("{\"cost\": 1e999}", 15, "\"cost\" is a number too large");
    refused("{\"w\": [1, [-1e999]]}", 20, "\"w\"[0] is a number too large");
    refused("[\"\\udc00\"]", 10, "half of a surrogate pair (\\udc00)");
    refused("{\"a\":1,\"a\":2}", 13, "given twice");
    refused("[1] x", 5, "after the JSON value");
    refused("[\"\xff\"]", 5, "UTF-8");
    refused("[\"a\0b\"]", 7, "zero byte");
    refused("\f{}", 3, "control character (0x0c)");
    refused("{\"a\": \v1}", 9, "control character (0x0b)");
    refused("[\"a\\u0000b\"]", 11, "zero character");
    refused("", 0, "malformed");
    char deep[300];
    memset(deep, '[', sizeof deep);
    refused(deep, sizeof deep, "levels deep");
}

/* Other messages are in t-json-vectors.c. */
Test(json, texts_that_are_no_json)
{
    refused("{\"a\": [1, 1_0]}", 15, "is not a number of JSON; write it as");
    refused("{\"a\": [1, 2\n ", 13, "the text ends too early: a \"[\" is not closed");
    refused("instance_id,agent\na,b\n", 22,
            "x.json:1:1: this is not JSON; it begins \"instance_id,agent\"");
    refused("Name,Id\n", 8, "this is not JSON");
    refused("\"a\",\"b\"\n", 8, "this is not JSON");
    refused("1,2,3", 5, "this is not JSON");
}

Test(json, importing_reads_what_other_programs_write)
{
    const char *text = "{\"a\": NaN, \"b\": [-Infinity,Infinity], \"NaN\": \"NaN \\u0000\\ud83d"
                       "\\ude00\\udfff\\ud800x\\\\u0000\\\"\", \"c\": -1}";
    cJSON *v = NULL;
    cr_assert_eq(regret_json_parse(&v, text, strlen(text), HERE), REGRET_E_INPUT);
    cr_assert_eq(regret_json_parse_mode(&v, text, strlen(text), HERE, REGRET_JSON_STRICT),
                 REGRET_E_INPUT);
    cr_assert_eq(regret_json_parse_mode(&v, text, strlen(text), HERE, REGRET_JSON_IMPORT), 0, "%s",
                 regret_error_message());
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(v, "a")));
    cr_assert(cJSON_IsNull(cJSON_GetArrayItem(cJSON_GetObjectItem(v, "b"), 0)));
    cr_assert(cJSON_IsNull(cJSON_GetArrayItem(cJSON_GetObjectItem(v, "b"), 1)));
    cr_assert_eq(cJSON_GetObjectItem(v, "c")->valuedouble, -1.0);
    const cJSON *s = cJSON_GetObjectItemCaseSensitive(v, "NaN");
    cr_assert_str_eq(s->valuestring, "NaN \xef\xbf\xbd\xf0\x9f\x98\x80\xef\xbf\xbd\xef\xbf\xbd"
                                     "x\\u0000\"");
    cJSON_Delete(v);
    static const char *const STILL[] = {"[nan]",  "[03]",   "[\"\\u12\"]",
                                        "[NaNa]", "[\"a\\", "[\"\xff\"]"};
    for (size_t i = 0; i < sizeof STILL / sizeof *STILL; i++) {
        cr_assert_eq(
            regret_json_parse_mode(&v, STILL[i], strlen(STILL[i]), HERE, REGRET_JSON_IMPORT),
            REGRET_E_INPUT, "%s", STILL[i]);
    }
}

Test(json, objects_with_very_many_keys)
{
    enum { N = 6000 };
    char *text = malloc(N * 16);
    size_t n = 1;
    text[0] = '{';
    for (int i = 0; i < N; i++) {
        n += (size_t)sprintf(text + n, "%s\"k%d\": %d", i > 0 ? "," : "", i * 7919 % N, i);
    }
    strcpy(text + n, "}");
    cJSON *v = NULL;
    cr_assert_eq(regret_json_parse(&v, text, n + 1, HERE), 0, "%s", regret_error_message());
    cJSON_Delete(v);
    strcpy(text + n, ",\"k77\":0}");
    refused(text, strlen(text), "key \"k77\" is given twice");
    free(text);
}

Test(json, an_escaped_backslash_before_u0000_is_text)
{
    const char *text = "[\"\\\\u0000\"]";
    cJSON *v = NULL;
    cr_assert_eq(regret_json_parse(&v, text, strlen(text), HERE), 0, "%s", regret_error_message());
    cr_assert_str_eq(cJSON_GetArrayItem(v, 0)->valuestring, "\\u0000");
    cJSON_Delete(v);
}

Test(json, fields)
{
    const char *text = "{\"n\": 3, \"x\": 2.5, \"s\": \"hi\", \"none\": null}";
    cJSON *v = NULL;
    cr_assert_eq(regret_json_parse(&v, text, strlen(text), HERE), 0);
    long long n = 0;
    double x = 0;
    const char *s = NULL;
    cr_assert_eq(regret_json_get_integer(&n, v, "n", 0, 10, HERE), 0);
    cr_assert_eq(n, 3);
    cr_assert_eq(regret_json_get_integer(&n, v, "n", 0, 2, HERE), REGRET_E_INPUT);
    cr_assert_eq(regret_json_get_integer(&n, v, "x", 0, 10, HERE), REGRET_E_INPUT);
    cr_assert_eq(regret_json_get_number(&x, v, "s", HERE), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(), "x.json: \"s\" must be a number, but is a string");
    cr_assert_eq(regret_json_optional_number(&x, v, "none", HERE), 0);
    cr_assert_eq(x, 0.0);
    cr_assert_eq(regret_json_get_string(&s, v, "s", HERE), 0);
    cr_assert_str_eq(s, "hi");
    const char *known[] = {"n", "x", "s", "nine"};
    cr_assert_eq(regret_json_check_keys(v, known, 4, HERE), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(),
                     "x.json: unknown key \"none\"; did you mean \"nine\"?");
    cJSON_Delete(v);
}

Test(json, remedies_of_wrong_fields)
{
    const char *text = "{\"id\": 7, \"completely\": 1}";
    const char *known[] = {"id", "text"}, *s = NULL;
    cJSON *v = NULL;
    cr_assert_eq(regret_json_parse(&v, text, strlen(text), HERE), 0);
    cr_assert_eq(regret_json_get_string(&s, v, "id", HERE), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(),
                     "x.json: \"id\" must be a string, but is a number; put it in quotes");
    cr_assert_eq(regret_json_check_keys(v, known, 2, HERE), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(),
                     "x.json: unknown key \"completely\"; remove it; the keys are id, text");
    cJSON_Delete(v);
}

Test(json, nearest_word)
{
    const char *known[] = {"n_obs", "n_exp", "beta"};
    cr_assert_str_eq(name_nearest("n_ob", known, 3), "n_obs");
    cr_assert_str_eq(name_nearest("betta", known, 3), "beta");
    cr_assert_null(name_nearest("completely", known, 3));
    static const char *const alike[] = {"gpt 4", "é", "gpt-4.1", "e\u0301 ", "gpt-4o", "gpt 4O"};
    const char *twin[2];
    cr_assert_eq(name_twins(twin, alike, 6), REGRET_OK);
    cr_assert(twin[0] == alike[1] && twin[1] == alike[3], "composed, and with a blank");
    cr_assert_eq(name_twins(twin, alike + 2, 4), REGRET_OK);
    cr_assert(twin[0] == alike[4] && twin[1] == alike[5], "dashes, blanks and case");
    cr_assert_eq(name_twins(twin, alike, 3), REGRET_OK);
    cr_assert(twin[0] == NULL && twin[1] == NULL);
    static const char *const zeros[] = {"0012", "120", "1.2", "1.02", "0", "12"};
    cr_assert_eq(name_twins(twin, zeros, 5), REGRET_OK);
    cr_assert_null(twin[0]);
    cr_assert_eq(name_twins(twin, zeros, 6), REGRET_OK);
    cr_assert(twin[0] == zeros[0] && twin[1] == zeros[5], "leading zeros");
    cr_assert_str_eq(name_nearest("beat", known, 3), "beta", "neighbours that changed places");
    cr_assert_str_eq(name_nearest("n_epx", known, 3), "n_exp");
    cr_assert_null(name_nearest("ab", known, 3));
    cr_assert_str_eq(name_nearest("", (const char *[]){""}, 1), "");
}

Test(json, jsonl_streams_lines_of_any_length)
{
    char path[] = "/tmp/regret-jsonl-XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    close(fd);
    size_t big = 300000;
    char *text = malloc(big + 100);
    size_t n = (size_t)sprintf(text, "{\"a\":1}\n\n  \r\n[\"");
    memset(text + n, 'x', big);
    n += big;
    n += (size_t)sprintf(text + n, "\"]\n{\"last\":2}");
    cr_assert_eq(regret_file_write(path, text, n), 0);
    free(text);
    struct regret_jsonl *r = NULL;
    cr_assert_eq(regret_jsonl_open(&r, path), 0);
    size_t lines[] = {1, 4, 5};
    for (int i = 0; i < 3; i++) {
        cJSON *v = NULL;
        struct regret_place at;
        cr_assert_eq(regret_jsonl_next(r, &v, &at), 0, "%s", regret_error_message());
        cr_assert_not_null(v);
        cr_assert_eq(at.line, lines[i]);
        if (i == 1) {
            cr_assert_eq(strlen(cJSON_GetArrayItem(v, 0)->valuestring), big);
        }
        cJSON_Delete(v);
    }
    cJSON *v = NULL;
    cr_assert_eq(regret_jsonl_next(r, &v, NULL), 0);
    cr_assert_null(v);
    regret_jsonl_close(r);
    cr_assert_eq(regret_file_write(path, "{}\n{\"a\":\n", 9), 0);
    cr_assert_eq(regret_jsonl_open(&r, path), 0);
    cr_assert_eq(regret_jsonl_next(r, &v, NULL), 0);
    cJSON_Delete(v);
    v = NULL;
    cr_assert_eq(regret_jsonl_next(r, &v, NULL), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), ":2:5: malformed"), "%s",
                       regret_error_message());
    regret_jsonl_close(r);
    unlink(path);
}

/* Messages quote no byte behind the text, which need not end in a zero. */
Test(json, text_without_a_zero_at_its_end)
{
    static const char *const texts[] = {"{\"w\": tru", "{} x", "[1"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        size_t length = strlen(texts[k]);
        char *copy = malloc(length + 8);
        cJSON *value = NULL;
        cr_assert_not_null(copy);
        memcpy(copy, texts[k], length);
        memcpy(copy + length, "BEHIND!", 8);
        cr_assert_eq(regret_json_parse(&value, copy, length, (struct regret_place){"f", 1}),
                     REGRET_E_INPUT);
        cr_assert_null(strstr(regret_error_message(), "BEHIND"), "%s", regret_error_message());
        free(copy);
    }
}

static void jsonl_refused(const char *text, size_t length, const char *part)
{
    char path[] = "/tmp/regret-jsonl-XXXXXX";
    struct regret_jsonl *r = NULL;
    cJSON *v = NULL;
    cr_assert_neq(mkstemp(path), -1);
    cr_assert_eq(regret_file_write(path, text, length), 0);
    int rc = regret_jsonl_open(&r, path);
    if (rc == REGRET_OK) {
        rc = regret_jsonl_next(r, &v, NULL);
    }
    cr_assert_eq(rc, REGRET_E_INPUT, "accepted %s", text);
    cr_assert_not_null(strstr(regret_error_message(), part), "%s", regret_error_message());
    regret_jsonl_close(r);
    unlink(path);
}

Test(json, jsonl_says_what_it_is_not)
{
    static const char TWO[] = "{\"a\": 1\n{\"b\": 2}\n", BAD[] = "{\"a\": x, \"b\"\n{\"c\": 2}\n",
                      LIST[] = "[\n {\"a\": 1},\n {\"b\": 2}\n]\n", GZIP[] = "\x1f\x8b\x08\x08";
    jsonl_refused(TWO, strlen(TWO), ":1:7: malformed JSON: the line ends too early: a \"{\"");
    jsonl_refused("{\n  \"a\": 1\n}\n", 13, "a \"{\" is not closed; is this JSONL, each object");
    jsonl_refused(BAD, strlen(BAD), ":1:7: malformed JSON near \"x, \"b\"\"");
    jsonl_refused(LIST, strlen(LIST), "holds a JSON array, not JSONL, one object a line");
    jsonl_refused(GZIP, strlen(GZIP), "is compressed and cannot be unpacked: it ends");
    jsonl_refused("\xff\xfe{\0", 4, "is in UTF-16");
    struct regret_jsonl *r = NULL;
    cr_assert_eq(regret_jsonl_open(&r, "/tmp"), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(), "/tmp is a folder; give a file in it");
}

Test(json, whole_files_of_another_form)
{
    char path[] = "/tmp/regret-json-XXXXXX";
    cJSON *v = NULL;
    cr_assert_neq(mkstemp(path), -1);
    cr_assert_eq(regret_file_write(path, "\x1f\x8b\x08\x08", 4), 0);
    cr_assert_eq(regret_json_read_file(&v, path), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "is compressed and cannot be unpacked"));
    unlink(path);
}
