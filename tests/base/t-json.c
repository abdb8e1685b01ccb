#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cJSON.h>

#include "regret/file.h"
#include "regret/json.h"

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
    refused("{\"a\": }", 7, "x.json:1");
    refused("{\n\"a\": 1,\n\"b\": }", 16, "x.json:3");
    refused("[NaN]", 5, "NaN");
    refused("[1e999]", 7, "too large");
    refused("{\"a\":1,\"a\":2}", 13, "given twice");
    refused("[1] x", 5, "after the JSON value");
    refused("[\"\xff\"]", 5, "UTF-8");
    refused("[\"a\0b\"]", 7, "zero byte");
    refused("[\"a\\u0000b\"]", 11, "zero character");
    refused("", 0, "malformed");
    char deep[300];
    memset(deep, '[', sizeof deep);
    refused(deep, sizeof deep, "levels deep");
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

Test(json, nearest_word)
{
    const char *known[] = {"n_obs", "n_exp", "beta"};
    cr_assert_str_eq(regret_nearest_word("n_ob", known, 3), "n_obs");
    cr_assert_str_eq(regret_nearest_word("betta", known, 3), "beta");
    cr_assert_null(regret_nearest_word("completely", known, 3));
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
    cr_assert_not_null(strstr(regret_error_message(), ":2: malformed"), "%s",
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
