/* CSV: the scanner against a reader of one byte at a time, and against itself with chunks of other
 * sizes: the same records, places and messages, whatever the limits.
 *
 * A well-formed text that is guarded against spreadsheets has the same fields, but for an apostrophe
 * where one would have been a formula.
 *
 * The first byte of an input holds the options, the second the size of a chunk, the text follows. An
 * input is compared with chunks or with the reference, which one its hash says; a seed with both. */
#include <string.h>

#include "base/csv.h"
#include "support.h"

/* ---- An independent reading: one byte at a time over a text in memory. "line@offset" and each field as "(length:bytes)" for a
 * record, "line!" for a malformed one, each ended by a line feed. ---- */

enum state { FIELD_START, PLAIN, QUOTED, QUOTE_IN_QUOTED };

struct reference {
    const char *text;
    size_t length, at, line;
    struct regret_buffer record, field;
};

static void end_field(struct reference *r)
{
    regret_buffer_printf(&r->record, "(%zu:", r->field.length);
    regret_buffer_append_n(&r->record, regret_buffer_get(&r->field), r->field.length);
    regret_buffer_append(&r->record, ")");
    regret_buffer_clear(&r->field);
}

static int starts(const struct reference *r, const char *what)
{
    size_t n = strlen(what);
    return r->length - r->at >= n && memcmp(r->text + r->at, what, n) == 0;
}

/* One record: 1 read, 0 malformed, with `at` on the byte at fault. */
static int read_record(struct reference *r, char separator)
{
    enum state state = FIELD_START;
    for (; r->at < r->length; r->at++) {
        char c = r->text[r->at];
        if (state == QUOTED) {
            if (c == '"') {
                state = QUOTE_IN_QUOTED;
            } else {
                regret_buffer_append_char(&r->field, c);
            }
        } else if (state == FIELD_START && c == '"') {
            state = QUOTED;
        } else if (state == QUOTE_IN_QUOTED && c == '"') {
            regret_buffer_append_char(&r->field, c);
            state = QUOTED;
        } else if (c == separator) {
            end_field(r);
            state = FIELD_START;
        } else if (c == '\n') {
            end_field(r);
            r->at++;
            return 1;
        } else if (c == '\r') {
            if (!starts(r, "\r\n")) {
                return 0;
            }
        } else if (state == QUOTE_IN_QUOTED || c == '"') {
            return 0;
        } else {
            regret_buffer_append_char(&r->field, c);
            state = PLAIN;
        }
    }
    end_field(r);
    return state != QUOTED;
}

static size_t lines_between(const char *text, size_t from, size_t to)
{
    size_t n = 0;
    for (size_t i = from; i < to; i++) {
        n += text[i] == '\n';
    }
    return n;
}

static void csv_reference(struct regret_buffer *out, const char *text, size_t length,
                          char separator)
{
    struct reference r = {text, length, 0, 1, REGRET_BUFFER_INIT, REGRET_BUFFER_INIT};
    if (starts(&r, "\xef\xbb\xbf")) {
        r.at = 3;
    }
    while (r.at < length) {
        if (starts(&r, "\n") || starts(&r, "\r\n")) {
            r.at += text[r.at] == '\r' ? 2 : 1;
            r.line++;
            continue;
        }
        size_t begin = r.at;
        if (read_record(&r, separator)) {
            regret_buffer_printf(out, "%zu@%zu", r.line, begin);
            regret_buffer_append_n(out, regret_buffer_get(&r.record), r.record.length);
            regret_buffer_append(out, "\n");
        } else {
            regret_buffer_printf(out, "%zu!\n", r.line);
            while (r.at < length && text[r.at] != '\n') {
                r.at++;
            }
            r.at += r.at < length;
        }
        r.line += lines_between(text, begin, r.at);
        regret_buffer_clear(&r.record);
        regret_buffer_clear(&r.field);
    }
    regret_buffer_free(&r.record);
    regret_buffer_free(&r.field);
}

/* ---- What must hold. ---- */

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

static void print_record(struct regret_buffer *out, struct regret_csv *csv, size_t n)
{
    regret_buffer_printf(out, "%zu@%llu", regret_csv_line(csv),
                         (unsigned long long)regret_csv_offset(csv));
    for (size_t i = 0; i < n; i++) {
        size_t length = 0;
        const char *field = regret_csv_field(&length, csv, i);
        REQUIRE(field[length] == '\0');
        REQUIRE(regret_csv_field(NULL, csv, i) == field); /* asking twice resolves quotes once */
        regret_buffer_printf(out, "(%zu:", length);
        regret_buffer_append_n(out, field, length);
        regret_buffer_append_char(out, ')');
    }
    regret_buffer_append_char(out, '\n');
}

/* In the notation of csv_reference(); `messages` gets what was said of malformed records. Returns 1
 * when reading came to the end. */
static int scan(struct regret_buffer *out, struct regret_buffer *messages, const char *text,
                size_t length, const struct regret_csv_options *options)
{
    struct memory memory = {text, length, 0};
    struct regret_csv *csv = NULL;
    REQUIRE(regret_csv_open_source(&csv, read_memory, &memory, "text", options) == 0);
    int at_end = 0;
    for (size_t round = 0; !at_end && !regret_csv_is_over(csv); round++) {
        size_t n = 0;
        REQUIRE(round <= length + 1); /* every call gets on */
        if (fuzz_taken(regret_csv_next(csv, &n))) {
            at_end = n == 0;
            REQUIRE(n <= options->max_fields);
            if (n > 0) {
                print_record(out, csv, n);
            }
        } else {
            regret_buffer_append(messages, regret_error_message());
            regret_buffer_printf(messages, "@%llu\n", (unsigned long long)regret_csv_offset(csv));
            regret_buffer_printf(out, "%zu!\n", regret_csv_line(csv));
        }
    }
    regret_csv_close(csv);
    return at_end;
}

static int same(const struct regret_buffer *a, const struct regret_buffer *b)
{
    return a->length == b->length &&
           memcmp(regret_buffer_get(a), regret_buffer_get(b), a->length) == 0;
}

static struct regret_csv *open_memory(struct memory *memory)
{
    struct regret_csv_options options = REGRET_CSV_OPTIONS_INIT;
    struct regret_csv *csv = NULL;
    options.chunk = memory->length + 1;
    REQUIRE(regret_csv_open_source(&csv, read_memory, memory, "text", &options) == 0);
    return csv;
}

/* The field as it was, or with an apostrophe; and then nothing a spreadsheet would run, which the
 * first byte tells unless it is the sign of a number. */
static void check_guarded_field(struct regret_csv *before, struct regret_csv *after, size_t i)
{
    size_t n = 0, m = 0;
    const char *a = regret_csv_field(&n, before, i), *b = regret_csv_field(&m, after, i);
    int is_guarded = m == n + 1 && b[0] == '\'';
    REQUIRE(is_guarded || m == n);
    REQUIRE(memcmp(a, b + is_guarded, n) == 0);
    REQUIRE(m == 0 || (b[0] != '=' && b[0] != '@'));
}

static struct regret_buffer guarded;

static void check_guard(const char *text, size_t length)
{
    regret_buffer_clear(&guarded);
    regret_csv_guard(&guarded, text, length);
    REQUIRE(regret_buffer_status(&guarded) == 0);
    struct memory m = {text, length, 0}, g = {regret_buffer_get(&guarded), guarded.length, 0};
    struct regret_csv *before = open_memory(&m), *after = open_memory(&g);
    size_t n = 0, k = 0;
    do {
        REQUIRE(regret_csv_next(before, &n) == 0);
        REQUIRE(regret_csv_next(after, &k) == 0 && n == k);
        for (size_t i = 0; i < n; i++) {
            check_guarded_field(before, after, i);
        }
    } while (n > 0);
    regret_csv_close(before);
    regret_csv_close(after);
}

/* The buffers are kept between inputs. */
static struct regret_buffer whole, parts, wanted, whole_messages, parts_messages;

/* The same in chunks as at once. */
static void check_chunks(const char *text, size_t length, const struct regret_csv_options *options,
                         int at_end)
{
    regret_buffer_clear(&parts);
    regret_buffer_clear(&parts_messages);
    REQUIRE(scan(&parts, &parts_messages, text, length, options) == at_end);
    REQUIRE(same(&whole, &parts) && same(&whole_messages, &parts_messages));
}

static void check_reference(const char *text, size_t length, char separator)
{
    regret_buffer_clear(&wanted);
    csv_reference(&wanted, text, length, separator);
    REQUIRE(same(&whole, &wanted));
    int has_mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    if (fuzz_accepted && separator == ',' && !has_mark) {
        check_guard(text, length);
    }
}

static void check(const char *text, size_t length, const struct regret_csv_options *options,
                  size_t chunk)
{
    struct regret_csv_options o = *options;
    o.chunk = length + 1;
    regret_buffer_clear(&whole);
    regret_buffer_clear(&whole_messages);
    int at_end = scan(&whole, &whole_messages, text, length, &o);
    fuzz_accepted = at_end && whole_messages.length == 0;
    int is_plain = !o.stray_quotes && o.max_record > length && o.max_fields > length && at_end;
    int in_chunks = fuzz_turn((const uint8_t *)text, length, 2);
    if (in_chunks || !is_plain) {
        o.chunk = chunk;
        check_chunks(text, length, &o, at_end);
    }
    if (is_plain && (!in_chunks || fuzz_whole)) {
        check_reference(text, length, o.separator);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char SEPARATORS[] = ",\t;|";
    if (size < 2) {
        return 0;
    }
    struct regret_csv_options options = REGRET_CSV_OPTIONS_INIT;
    options.stray_quotes = data[0] & 1;
    options.separator = SEPARATORS[(data[0] >> 1) & 3];
    if (data[0] & 8) { /* limits that inputs can meet */
        options.max_record = 1 + data[1] % 40;
        options.max_fields = 1 + (data[0] >> 4);
    }
    check((const char *)data + 2, size - 2, &options, data[1] & 1 ? 1 : 1 + data[1] % 70);
    return 0;
}
