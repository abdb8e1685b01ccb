/* What people see: names of unknown origin made safe, numbers that are finite, messages that fit. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/rate_report.h"

TestSuite(shown, .fini = scratch_remove);

/* No C0 (but line ends), DEL or C1 control, and no tab or bidirectional one but in CSV, where names come back as they are. */
static void check_safe(const char *text, const char *what, int is_csv)
{
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++) {
        cr_assert(*p == '\n' || (is_csv && *p == '\t') || (*p >= 0x20 && *p != 0x7F),
                  "%s: byte %02x", what, *p);
        cr_assert(!(p[0] == 0xC2 && p[1] >= 0x80 && p[1] <= 0x9F), "%s: C1", what);
        int is_embedding = p[0] == 0xE2 && p[1] == 0x80 && p[2] >= 0xAA && p[2] <= 0xAE;
        int is_isolate = p[0] == 0xE2 && p[1] == 0x81 && p[2] >= 0xA6 && p[2] <= 0xA9;
        cr_assert(is_csv || (!is_embedding && !is_isolate), "%s: bidi", what);
    }
}

#define HOSTILE "x\\u001b[31m\\u0007\\u009b\\u202e\\u2066\\u007f  y\\n\\tz"

static const char HOSTILE_ROWS[] =
    "{\"w\": true, \"z\": true, \"dataset\": \"" HOSTILE "\", \"attribute\": \"" HOSTILE
    "\", \"scores\": {\"" HOSTILE "\": {\"original\": 1, \"rewrite\": 2}}}\n"
    "{\"w\": false, \"z\": true, \"dataset\": \"" HOSTILE "\", \"attribute\": \"" HOSTILE
    "\", \"scores\": {\"" HOSTILE "\": {\"original\": 1, \"rewrite\": \"x\"}}}\n";

Test(shown, names_cannot_steer_a_terminal)
{
    static const char *const commands[] = {"estimate", "shift"};
    static const char *const formats[] = {"md", "csv"};
    char *path = NULL;
    cr_assert_eq(regret_path_join(&path, scratch_folder(), "a\x1b[1m\xe2\x80\xae.jsonl"), 0);
    cr_assert_eq(regret_file_write(path, HOSTILE_ROWS, strlen(HOSTILE_ROWS)), 0);
    for (size_t k = 0; k < 4; k++) {
        char arguments[1024];
        int code = 0;
        snprintf(arguments, sizeof arguments, "rate %s '%s' -f %s", commands[k / 2], path,
                 formats[k % 2]);
        char *text = run_program(&code, arguments, "2>&1");
        cr_assert_eq(code, 1, "%s", text); /* two rows estimate nothing */
        check_safe(text, arguments, k % 2);
        cr_assert_not_null(strstr(text, "u{1b}"), "%s", text);
        cr_assert_not_null(strstr(text, "score-not-number"));
        regret_free(text);
    }
    regret_free(path);
}

Test(shown, plain_names_stay_as_they_are)
{
    struct regret_rate_rows *rows =
        rows_of("{\"w\": true, \"dataset\": \" two  blanks \", \"attribute\": \"Größe, 大\", "
                "\"scores\": {\"a/b-1\": {\"original\": 1}}}\n");
    struct regret_buffer t = REGRET_BUFFER_INIT;
    size_t n = 0;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    regret_rate_write_estimates(&t, REGRET_FORMAT_CSV, rows, e, n);
    cr_assert_not_null(strstr(regret_buffer_get(&t), "\n two  blanks ,\"Größe, 大\",a/b-1,naive,"),
                       "%s", regret_buffer_get(&t));
    regret_buffer_clear(&t);
    regret_rate_write_estimates(&t, REGRET_FORMAT_MARKDOWN, rows, e, n);
    cr_assert_not_null(strstr(regret_buffer_get(&t), "\n1 row; W"));
    regret_free(e);
    regret_rate_rows_free(rows);
    regret_buffer_free(&t);
}

static void check_refusal(const char *arguments, const char *expected)
{
    int code = 0;
    char *text = run_program(&code, arguments, "2>&1");
    cr_assert_eq(code, 2, "regret %s: %d, %s", arguments, code, text);
    cr_assert_not_null(strstr(text, expected), "%s lacks \"%s\"", text, expected);
    regret_free(text);
}

Test(shown, refusals_say_what_to_do)
{
    check_refusal("rate estimate data", "is a folder");
    check_refusal("rate typos data", "is a folder");
    check_refusal("rate estimate data/rate/texts.jsonl", "no row has a reward model");
    check_refusal("rate estimate data/rate/rows.jsonl --figures data/rate/rows.jsonl",
                  "name a folder");
    check_refusal("rate shift --sizes 1,2,3", "wants 4 whole numbers");
    check_refusal("rate typos data/rate/texts.jsonl", "no row has a reward model");
    check_refusal("rate shift data/rate/rough.jsonl", "--z-field");
    check_refusal("rate shift data/rate/rows.jsonl -z zz", "boolean \"zz\"");
}

/* Tables and figures of scores near the largest double. */
Test(shown, nothing_is_infinite)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    for (int i = 0; i < 24; i++) {
        regret_buffer_printf(&t,
                             "{\"w\": %s, \"z\": %s, \"scores\": {\"h\": {\"original\": %s1.7e308, "
                             "\"rewrite\": %d, \"rewrite_of_rewrite\": %s1.7e308}, \"l\": "
                             "{\"original\": %de152, \"rewrite\": 1, \"rewrite_of_rewrite\": "
                             "%de153}, \"t\": {\"original\": %de-160, \"rewrite\": 1, "
                             "\"rewrite_of_rewrite\": 5e-324}}}\n",
                             i % 2 ? "true" : "false", i % 4 < 2 ? "true" : "false",
                             i % 3 ? "" : "-", i, i % 3 ? "" : "-", i, i % 7, i);
    }
    const char *path = scratch_file("huge.jsonl", regret_buffer_get(&t));
    char folder[300];
    snprintf(folder, sizeof folder, "%s/figures", scratch_folder());
    static const char *const commands[] = {"estimate --bootstrap 50", "shift"};
    static const char *const formats[] = {"md", "csv", "json"};
    for (size_t k = 0; k < 6; k++) {
        char arguments[1024];
        int code = 0;
        snprintf(arguments, sizeof arguments, "rate %s '%s' -f %s --figures '%s'", commands[k / 3],
                 path, formats[k % 3], folder);
        char *text = run_program(&code, arguments, "2>&1");
        cr_assert_eq(code, 0, "%s", text);
        static const char *const words[] = {"nan ", "nan,", "-nan", " inf", ",inf", "-inf"};
        for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
            cr_assert_null(strstr(text, words[w]), "%s: \"%s\"", arguments, words[w]);
        }
        regret_free(text);
    }
    char command[700];
    snprintf(command, sizeof command, "! grep -lE '[\" ](-?nan|-?inf)' '%s'/*.svg", folder);
    cr_assert_eq(system(command), 0);
    regret_buffer_free(&t);
}
