#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"

/* A text handed out at most `most` bytes at a time. */
struct memory {
    const char *text;
    size_t length, at;
};

static long read_memory(void *context, char *to, size_t most)
{
    struct memory *m = context;
    size_t left = m->length - m->at, n = left < most ? left : most;
    memcpy(to, m->text + m->at, n);
    m->at += n;
    return (long)n;
}

static struct regret_csv *open_text(struct memory *m, size_t chunk, char separator)
{
    struct regret_csv_options o = REGRET_CSV_OPTIONS_INIT;
    struct regret_csv *csv = NULL;
    o.chunk = chunk;
    o.separator = separator;
    cr_assert_eq(regret_csv_open_source(&csv, read_memory, m, "text", &o), 0);
    return csv;
}

/* What our scanner makes of a text, line, offset and each field with its length. Every field is
 * asked for twice: resolving its quotes must not be done twice. */
static void scanned(struct regret_buffer *out, const char *text, size_t length, size_t chunk,
                    char separator)
{
    struct memory m = {text, length, 0};
    struct regret_csv *csv = open_text(&m, chunk, separator);
    for (;;) {
        size_t n = 0;
        int rc = regret_csv_next(csv, &n);
        if (rc == REGRET_E_INPUT && !regret_csv_is_over(csv)) {
            regret_buffer_printf(out, "%zu!\n", regret_csv_line(csv));
            continue;
        }
        cr_assert_eq(rc, 0, "%s", regret_error_message());
        if (n == 0) {
            break;
        }
        regret_buffer_printf(out, "%zu@%zu", regret_csv_line(csv), (size_t)regret_csv_offset(csv));
        for (size_t i = 0; i < n; i++) {
            size_t field_length = 0;
            regret_csv_field(NULL, csv, i);
            const char *field = regret_csv_field(&field_length, csv, i);
            cr_assert_eq(field[field_length], '\0');
            regret_buffer_printf(out, "(%zu:", field_length);
            regret_buffer_append_n(out, field, field_length);
            regret_buffer_append(out, ")");
        }
        regret_buffer_append(out, "\n");
    }
    regret_csv_close(csv);
}

Test(csv, fields_are_what_rfc_4180_says)
{
    struct regret_buffer got = REGRET_BUFFER_INIT;
    const char *text = "id,\"te\"\"xt\"\r\n\r\n1,\"line 1\nline 2, still\"\n2,\n";
    scanned(&got, text, strlen(text), 5, ',');
    cr_assert_str_eq(regret_buffer_get(&got), "1@0(2:id)(5:te\"xt)\n"
                                              "3@15(1:1)(20:line 1\nline 2, still)\n"
                                              "5@40(1:2)(0:)\n");
    regret_buffer_free(&got);
    text = "a;b,c\n";
    scanned(&got, text, strlen(text), 3, ';');
    cr_assert_str_eq(regret_buffer_get(&got), "1@0(1:a)(3:b,c)\n");
    regret_buffer_free(&got);
}

/* Bytes CSV is sensitive to, and a few that it is not. */
static size_t random_text(char *text, size_t most, struct regret_rng *r, int wild)
{
    static const char BYTES[] = "\"\"\"\",,,\n\n\r\nab \xc3";
    size_t n = regret_rng_below(r, (uint32_t)most);
    for (size_t i = 0; i < n; i++) {
        int quiet = !wild && regret_rng_below(r, 8) != 0;
        text[i] = quiet ? 'x' : BYTES[regret_rng_below(r, sizeof BYTES - 1)];
    }
    return n;
}

Test(csv, vector_searches_agree_with_plain_ones)
{
    struct regret_rng r = regret_rng_at(4180, REGRET_RNG_TEST, 2);
    char text[20000 + CSV_PADDING];
    memset(text, '\n', sizeof text);
    for (int round = 0; round < 2000; round++) {
        size_t n = random_text(text, round < 1990 ? 300 : 20000, &r, round % 3 == 0);
        size_t from = n > 0 ? regret_rng_below(&r, (uint32_t)n) : 0;
        const char *p = text + from, *end = text + n;
        struct csv_quoted fast = {0, 0}, plain = {0, 0};
        cr_assert_eq(csv_find_close(p, end, &fast), csv_find_close_plain(p, end, &plain));
        cr_assert(fast.lines == plain.lines && fast.doubled >= plain.doubled);
        cr_assert_eq(csv_find_special(p, end, ','), csv_find_special_plain(p, end, ','));
        cr_assert_eq(csv_count_lines(p, end), csv_count_lines_plain(p, end));
    }
    memset(text, '\n', sizeof text); /* more than a column of counters holds */
    cr_assert_eq(csv_count_lines(text, text + 20000), 20000);
}

static int first_error(const char *text, size_t chunk, size_t max_record)
{
    struct regret_csv_options o = REGRET_CSV_OPTIONS_INIT;
    struct memory m = {text, strlen(text), 0};
    struct regret_csv *csv = NULL;
    size_t n = 1;
    o.chunk = chunk;
    o.max_record = max_record;
    o.max_fields = 3;
    cr_assert_eq(regret_csv_open_source(&csv, read_memory, &m, "t.csv", &o), 0);
    int rc = REGRET_OK;
    while (rc == REGRET_OK && n > 0) {
        rc = regret_csv_next(csv, &n);
    }
    regret_csv_close(csv);
    return rc;
}

Test(csv, errors_name_the_line_and_the_remedy)
{
    const struct {
        const char *text, *message;
    } cases[] = {
        {"a\nb\"c\n", "t.csv:2: a quote inside an unquoted field; put the field in quotes and "
                      "double the quotes in it"},
        {"\"a\nb\"c\n", "t.csv:1: in the record that begins here, line 2: text after a closing "
                        "quote; double the quotes inside a quoted field"},
        {"a\n\"b\n", "t.csv:2: a quote is opened and never closed; close it"},
        {"a\rb\n", "t.csv:1: a carriage return without a line feed; put the field in quotes or "
                   "end lines with LF or CRLF"},
        {"a,b,c,d\n", "t.csv:1: has more fields than are allowed"},
        {"\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "t.csv:1: the record that begins here is "
                                                    "longer than 30 bytes; close its quotes, or "
                                                    "raise the limit"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t chunk = 1; chunk < 10; chunk++) {
            cr_assert_eq(first_error(cases[i].text, chunk, 30), REGRET_E_INPUT);
            cr_assert_str_eq(regret_error_message(), cases[i].message);
        }
    }
}

Test(csv, options_that_cannot_be_are_refused)
{
    static const char separators[] = "\"\n\r";
    struct regret_csv_options o = REGRET_CSV_OPTIONS_INIT;
    struct memory m = {"a,b\n", 4, 0};
    struct regret_csv *csv = NULL;
    for (size_t i = 0; i < 3; i++) {
        o.separator = separators[i];
        cr_assert_eq(regret_csv_open_source(&csv, read_memory, &m, "t.csv", &o), REGRET_E_INPUT);
        cr_assert_not_null(strstr(regret_error_message(), "cannot separate fields"));
    }
    o.separator = ',';
    for (size_t i = 0; i < 4; i++) {
        struct regret_csv_options wrong = o;
        wrong.chunk = i == 0 ? 0 : i == 1 ? SIZE_MAX / 4 : o.chunk;
        wrong.max_record = i == 2 ? 0 : o.max_record;
        wrong.max_fields = i == 3 ? 0 : o.max_fields;
        cr_assert_eq(regret_csv_open_source(&csv, read_memory, &m, "t.csv", &wrong),
                     REGRET_E_INPUT);
        cr_assert_not_null(strstr(regret_error_message(), "at least 1"));
    }
    cr_assert_null(csv);
}

Test(csv, what_a_spreadsheet_would_run_is_guarded)
{
    const char text[] = "name,x\n=1+1,-1.5e3\n\"=HYPERLINK(\"\"a\"\",b)\",+3\n\"-\nx\",@a\n\"\",-\n"
                        "a=b,\"-2\"\n\t=x,\"\r\"";
    struct regret_buffer out = REGRET_BUFFER_INIT;
    regret_csv_guard(&out, text, sizeof text - 1);
    cr_assert_str_eq(regret_buffer_get(&out),
                     "name,x\n'=1+1,-1.5e3\n\"'=HYPERLINK(\"\"a\"\",b)\",+3\n\"'-\nx\",'@a\n"
                     "\"\",'-\na=b,\"-2\"\n'\t=x,\"'\r\"");
    regret_buffer_clear(&out);
    regret_csv_guard(&out, "\"=open", 6);
    cr_assert_eq(regret_buffer_status(&out), REGRET_OK);
    const char crlf[] = "a,\r\n\r\n\"-1\",=b\r\n-2\r\n"; /* the line ends are no fields */
    regret_buffer_clear(&out);
    regret_csv_guard(&out, crlf, sizeof crlf - 1);
    cr_assert_str_eq(regret_buffer_get(&out), "a,\r\n\r\n\"-1\",'=b\r\n-2\r\n");
    regret_buffer_free(&out);
}

Test(csv, files_are_read_like_memory)
{
    char path[] = "/tmp/regret-csv-XXXXXX";
    cr_assert_neq(mkstemp(path), -1);
    cr_assert_eq(regret_file_write(path, "a,b\n1,\"2\n\"\n", 11), 0);
    struct regret_csv *csv = NULL;
    size_t n = 0, length = 0;
    cr_assert_eq(regret_csv_open(&csv, path, NULL), 0);
    cr_assert_eq(regret_csv_next(csv, &n), 0);
    cr_assert_eq(n, 2);
    cr_assert_eq(regret_csv_next(csv, &n), 0);
    cr_assert_str_eq(regret_csv_field(&length, csv, 1), "2\n");
    cr_assert_eq(length, 2);
    cr_assert_eq(regret_csv_next(csv, &n), 0);
    cr_assert_eq(n, 0);
    cr_assert_eq(regret_csv_next(csv, &n), 0); /* the end stays the end */
    cr_assert_eq(n, 0);
    regret_csv_close(csv);
    remove(path);
    cr_assert_eq(regret_csv_open(&csv, path, NULL), REGRET_E_INPUT);
    cr_assert_eq(regret_csv_open(&csv, "/tmp", NULL), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(), "/tmp is a folder; give a file in it");
}

Test(csv, what_is_no_text_is_told_how_to_become_it)
{
    static const struct {
        const char *text;
        size_t length;
        const char *part;
    } cases[] = {{"\x1f\x8b\x08\x08", 4, "t.csv is compressed by gzip"},
                 {"\xff\xfe"
                  "a\0,\0b\0",
                  8, "iconv -f UTF-16 -t UTF-8 t.csv"},
                 {"\xfe\xff\0a", 4, "in UTF-16"},
                 {"PK\x03\x04", 4, "zip"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t chunk = 1; chunk < 20; chunk += 9) {
            struct regret_csv_options o = REGRET_CSV_OPTIONS_INIT;
            struct memory m = {cases[i].text, cases[i].length, 0};
            struct regret_csv *csv = NULL;
            size_t n = 0;
            o.chunk = chunk;
            cr_assert_eq(regret_csv_open_source(&csv, read_memory, &m, "t.csv", &o), 0);
            cr_assert_eq(regret_csv_next(csv, &n), REGRET_E_INPUT);
            cr_assert_not_null(strstr(regret_error_message(), cases[i].part), "%s",
                               regret_error_message());
            cr_assert(regret_csv_is_over(csv));
            cr_assert_eq(regret_csv_next(csv, &n), REGRET_E_INPUT);
            regret_csv_close(csv);
        }
    }
}

static int read_everything(const char *text)
{
    struct regret_csv_options o = REGRET_CSV_OPTIONS_INIT;
    struct memory m = {text, strlen(text), 0};
    struct regret_csv *csv = NULL;
    o.chunk = 8;
    size_t n = 1;
    int rc = regret_csv_open_source(&csv, read_memory, &m, "text", &o);
    while (rc == REGRET_OK && n > 0) {
        rc = regret_csv_next(csv, &n);
    }
    regret_csv_close(csv);
    return rc;
}

Test(csv, want_of_memory_is_reported)
{
    int rc = REGRET_E_NOMEM;
    long k = 0;
    for (; rc == REGRET_E_NOMEM && k < 100; k++) {
        regret_alloc_fail_after(k);
        rc = read_everything("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18\n\"a record that is "
                             "longer than two chunks of the reader\"\n");
        regret_alloc_fail_after(-1);
    }
    cr_assert_eq(rc, 0);
    cr_assert_gt(k, 5);
}
