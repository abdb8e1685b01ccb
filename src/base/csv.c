#include "base/csv.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/input.h"
#include "base/json.h"
#include "base/jsonl.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/status.h"

static struct regret_csv_options options_of(char separator, int trim)
{
    struct regret_csv_options options = REGRET_CSV_OPTIONS_INIT;
    options.separator = separator;
    options.stray_quotes = separator == '\t';
    options.trim = trim;
    return options;
}

int csv_table_open_source(struct regret_csv **out, regret_csv_source source, void *context,
                          const char *name, char separator)
{
    const struct regret_csv_options options = options_of(separator, 0);
    return regret_csv_open_source(out, source, context, name, &options);
}

int csv_table_open_trimmed(struct regret_csv **out, const char *path, char separator)
{
    const struct regret_csv_options options = options_of(separator, 1);
    return regret_csv_open(out, path, &options);
}

char csv_separator_of(const char *path)
{
    size_t n = strlen(path);
    const char *end = n >= 4 ? path + n - 4 : path;
    return strcasecmp(end, ".csv") == 0 ? ',' : strcasecmp(end, ".tsv") == 0 ? '\t' : '\0';
}

/* Every field of the record at hand is text: no zero byte, valid UTF-8. */
static int check_record(struct regret_csv *csv, size_t n_fields, struct regret_place at)
{
    for (size_t k = 0; k < n_fields; k++) {
        size_t length = 0, bad = 0;
        const char *field = regret_csv_field(&length, csv, k);
        if (memchr(field, '\0', length) != NULL) {
            return regret_json_error(at, "a zero byte in field %zu; remove it", k + 1);
        }
        if (!regret_utf8_valid(field, length, &bad)) {
            return regret_json_error(
                at, "byte %zu of field %zu is not valid UTF-8; convert the file", bad + 1, k + 1);
        }
    }
    return REGRET_OK;
}

int csv_table_next(struct regret_csv *csv, size_t *n_fields, struct regret_place *at)
{
    TRY(regret_csv_next(csv, n_fields));
    at->line = regret_csv_line(csv);
    return check_record(csv, *n_fields, *at);
}

/* The scanner works inside one buffer. The record at hand begins at `start`; positions within it
 * are counted from there, so that moving it to the buffer's front when more bytes are needed
 * changes nothing. */

FREED_POINTER(struct regret_csv, regret_csv_close)

struct field {
    size_t at, length; /* from the record's start; without the quotes around it */
    int doubled;       /* 1: holds doubled quotes, not yet resolved */
};

struct regret_csv {
    regret_csv_source source;
    void *context;
    struct unpack *unpack; /* the source where it is a file; owned */
    char *name;            /* owned */
    struct regret_csv_options options;
    char *buffer;       /* capacity + CSV_PADDING bytes; owned */
    size_t capacity;    /* of the buffer */
    size_t start, end;  /* of the record at hand, and of the bytes in the buffer */
    size_t next;        /* bytes of the record at hand, its line end included, */
    size_t next_lines;  /* and its lines, counted on the way: fields are changed in place later */
    uint64_t offset;    /* of the buffer's first byte in the file */
    size_t line;        /* of the buffer's byte `start` */
    size_t record_line; /* of the record at hand, */
    uint64_t record_offset; /* which may be over already */
    struct field *fields;   /* owned */
    size_t n_fields, field_capacity;
    int at_end; /* 1: the source has no more */
    int over;   /* 1: an error that is final */
    int unclosed;
};

static int check_options(const struct regret_csv_options *o)
{
    if (o->separator == '"' || o->separator == '\n' || o->separator == '\r') {
        return regret_fail(REGRET_E_INPUT, "a quote or a line end cannot separate fields; give "
                                           "another separator");
    }
    if (o->chunk < 1 || o->max_record < 1 || o->max_fields < 1 || o->chunk > SIZE_MAX / 8 ||
        o->max_record > SIZE_MAX / 8) {
        return regret_fail(REGRET_E_INPUT, "limits of a CSV reader must be at least 1 and below "
                                           "an eighth of the address space");
    }
    return REGRET_OK;
}

int regret_csv_open_source(struct regret_csv **out, regret_csv_source source, void *context,
                           const char *name, const struct regret_csv_options *options)
{
    const struct regret_csv_options defaults = REGRET_CSV_OPTIONS_INIT;
    FREED_BY(regret_csv_close_at) struct regret_csv *csv = NULL;
    TRY(check_options(options != NULL ? options : &defaults));
    TRY(REGRET_NEW(&csv, 1));
    csv->source = source;
    csv->context = context;
    csv->options = options != NULL ? *options : defaults;
    csv->capacity = 2 * csv->options.chunk;
    csv->line = csv->record_line = 1;
    TRY(regret_strdup(&csv->name, name));
    TRY(REGRET_NEW(&csv->buffer, csv->capacity + CSV_PADDING));
    *out = csv;
    csv = NULL;
    return REGRET_OK;
}

/* A small file needs no large buffer. Files without a size (of /proc) still get a fair piece. */
static size_t chunk_for(size_t size, size_t chunk)
{
    enum { LEAST = 4096 };
    size_t wanted = size < LEAST ? LEAST : size;
    return wanted < chunk ? wanted + 1 : chunk;
}

int regret_csv_open(struct regret_csv **out, const char *path,
                    const struct regret_csv_options *options)
{
    struct regret_csv_options o = REGRET_CSV_OPTIONS_INIT;
    struct unpack *unpack = NULL;
    TRY(unpack_open(&unpack, path));
    o = options != NULL ? *options : o;
    o.chunk = chunk_for(unpack_size(unpack), o.chunk);
    int rc = regret_csv_open_source(out, unpack_read, unpack, path, &o);
    if (rc != REGRET_OK) {
        unpack_close(unpack);
        return rc;
    }
    (*out)->unpack = unpack;
    return REGRET_OK;
}

void regret_csv_close(struct regret_csv *csv)
{
    if (csv == NULL) {
        return;
    }
    unpack_close(csv->unpack);
    regret_free(csv->name);
    regret_free(csv->buffer);
    regret_free(csv->fields);
    regret_free(csv);
}

static int finally(struct regret_csv *csv, int code)
{
    csv->over = 1;
    return code;
}

/* Room for a chunk after `end`: the record at hand moves to the front, then the buffer grows. */
static int make_room(struct regret_csv *csv)
{
    if (csv->capacity - csv->end >= csv->options.chunk) {
        return REGRET_OK;
    }
    size_t used = csv->end - csv->start;
    memmove(csv->buffer, csv->buffer + csv->start, used);
    csv->offset += csv->start;
    csv->start = 0;
    csv->end = used;
    if (csv->capacity - used >= csv->options.chunk) {
        return REGRET_OK;
    }
    size_t grown = used + csv->options.chunk;
    grown = grown > 2 * csv->capacity ? grown : 2 * csv->capacity;
    TRY(regret_realloc((void **)&csv->buffer, grown + CSV_PADDING, 1, "a record of CSV"));
    csv->capacity = grown;
    return REGRET_OK;
}

/* How far behind a record's last byte the scanner looks: its line end, and a byte after a quote. */
enum { LOOKAHEAD = 2 };

static int too_long(struct regret_csv *csv)
{
    return finally(csv, regret_fail(REGRET_E_INPUT,
                                    "%s:%zu: the record that begins here is longer than %zu bytes; "
                                    "close its quotes, or raise the limit",
                                    csv->name, csv->line, csv->options.max_record));
}

/* More bytes after `end`; none at the end of the file. Whatever the chunk, a record is refused for
 * its length when byte max_record of it belongs to it, line end aside: here when it goes on behind
 * all that is in the buffer, elsewhere by is_too_long(). */
static int refill(struct regret_csv *csv)
{
    if (csv->at_end) {
        return REGRET_OK;
    }
    int rc = csv->end - csv->start > csv->options.max_record + LOOKAHEAD ? too_long(csv)
                                                                         : make_room(csv);
    if (rc != REGRET_OK) {
        return finally(csv, rc);
    }
    long n = csv->source(csv->context, csv->buffer + csv->end, csv->options.chunk);
    if (n < 0) {
        return finally(csv, (int)n);
    }
    csv->end += (size_t)n;
    csv->at_end = n == 0;
    memset(csv->buffer + csv->end, 0, CSV_PADDING);
    return REGRET_OK;
}

/* Sees to it that byte `p` of the record is in the buffer, unless the file ends before it. */
static int reach(struct regret_csv *csv, size_t p)
{
    while (csv->end - csv->start <= p && !csv->at_end) {
        TRY(refill(csv));
    }
    return REGRET_OK;
}

static size_t lines_in(const struct regret_csv *csv, size_t n)
{
    const char *from = csv->buffer + csv->start;
    return csv_count_lines(from, from + n);
}

/* Leaves `n` bytes of the buffer behind. */
static void advance(struct regret_csv *csv, size_t n)
{
    csv->line += lines_in(csv, n);
    csv->start += n;
}

/* Goes past the line that holds byte `p`. */
static int skip_line(struct regret_csv *csv, size_t p)
{
    for (;;) {
        const char *from = csv->buffer + csv->start + p, *end = csv->buffer + csv->end;
        const char *lf = from < end ? memchr(from, '\n', (size_t)(end - from)) : NULL;
        if (lf != NULL) {
            advance(csv, (size_t)(lf - from) + p + 1);
            return REGRET_OK;
        }
        advance(csv, csv->end - csv->start);
        p = 0;
        if (csv->at_end) {
            return REGRET_OK;
        }
        TRY(refill(csv));
    }
}

/* Does the record, of which `n` bytes are known, exceed the limit? */
static int is_too_long(const struct regret_csv *csv, size_t n)
{
    return n > csv->options.max_record;
}

/* The record breaks the format at byte p: says so, and goes past the line of byte `resume`. */
static int malformed(struct regret_csv *csv, size_t p, size_t resume, const char *what)
{
    if (is_too_long(csv, p)) {
        return too_long(csv);
    }
    size_t line = csv->line + lines_in(csv, p);
    TRY(skip_line(csv, resume));
    if (line == csv->record_line) {
        return regret_fail(REGRET_E_INPUT, "%s:%zu: %s", csv->name, csv->record_line, what);
    }
    return regret_fail(REGRET_E_INPUT, "%s:%zu: in the record that begins here, line %zu: %s",
                       csv->name, csv->record_line, line, what);
}

static int add_field(struct regret_csv *csv, size_t at, size_t length, int doubled)
{
    if (csv->n_fields == csv->field_capacity) {
        size_t grown = csv->field_capacity == 0 ? 16 : 2 * csv->field_capacity;
        grown = grown < csv->options.max_fields ? grown : csv->options.max_fields;
        int rc = regret_realloc((void **)&csv->fields, grown, sizeof *csv->fields, "CSV fields");
        if (rc != REGRET_OK) {
            return finally(csv, rc);
        }
        csv->field_capacity = grown;
    }
    csv->fields[csv->n_fields++] = (struct field){at, length, doubled};
    return REGRET_OK;
}

/* Goes past blanks where they are no part of fields. */
static int skip_blanks(struct regret_csv *csv, size_t *p)
{
    TRY(reach(csv, *p));
    while (csv->options.trim && csv->start + *p < csv->end && csv->buffer[csv->start + *p] == ' ') {
        ++*p;
        TRY(reach(csv, *p));
    }
    return REGRET_OK;
}

/* Byte p ends a field: goes past it. *more is 1 when another field follows. */
static int end_field(struct regret_csv *csv, size_t *p, int *more, const char *otherwise)
{
    *more = 0;
    TRY(reach(csv, *p + 1));
    const char *record = csv->buffer + csv->start;
    size_t limit = csv->end - csv->start;
    if (*p >= limit) {
        return REGRET_OK;
    }
    char c = record[*p];
    if (c == csv->options.separator) {
        *more = 1;
    } else if (c == '\r' && *p + 1 < limit && record[*p + 1] == '\n') {
        ++*p;
    } else if (c == '\r') {
        return malformed(csv, *p, *p,
                         "a carriage return without a line feed; put the field in quotes "
                         "or end lines with LF or CRLF");
    } else if (c != '\n') {
        return malformed(csv, *p, *p, otherwise);
    }
    csv->next_lines += !*more;
    ++*p;
    return REGRET_OK;
}

/* The closing quote of the field that goes on at *q, or *q = SIZE_MAX where the file ends before
 * it. */
static int find_close(struct regret_csv *csv, size_t *q, struct csv_quoted *met)
{
    for (;;) {
        const char *record = csv->buffer + csv->start, *end = csv->buffer + csv->end;
        const char *close = csv_find_close(record + *q, end, met);
        if (close != NULL) {
            *q = (size_t)(close - record);
            return REGRET_OK;
        }
        size_t limit = csv->end - csv->start, run = limit;
        while (run > *q && record[run - 1] == '"') {
            run--;
        }
        if (csv->at_end) { /* a run of odd length closes the field with its last quote */
            *q = (limit - run) % 2 == 1 ? limit - 1 : SIZE_MAX;
            return REGRET_OK;
        }
        *q = run;
        TRY(refill(csv));
    }
}

static int scan_unquoted(struct regret_csv *csv, size_t *p, int *more)
{
    size_t at = *p, q = at;
    for (;;) {
        const char *record = csv->buffer + csv->start, *end = csv->buffer + csv->end;
        q = (size_t)(csv_find_special(record + q, end, csv->options.separator) - record);
        if (q < csv->end - csv->start && record[q] == '"' && csv->options.stray_quotes) {
            q++;
            continue;
        }
        if (q < csv->end - csv->start || csv->at_end) {
            break;
        }
        TRY(refill(csv));
    }
    size_t n = q - at;
    while (csv->options.trim && n > 0 && csv->buffer[csv->start + at + n - 1] == ' ') {
        n--;
    }
    TRY(add_field(csv, at, n, 0));
    *p = q;
    return end_field(csv, p, more,
                     "a quote inside an unquoted field; put the field in quotes and double the "
                     "quotes in it");
}

/* Whether the quote at `q` (SIZE_MAX: there is none) closes its field as RFC 4180 has it. */
static int closes_field(const struct regret_csv *csv, size_t q)
{
    size_t limit = csv->end - csv->start;
    if (q == SIZE_MAX || q + 1 >= limit) {
        return q != SIZE_MAX;
    }
    const char *next = csv->buffer + csv->start + q + 1;
    return *next == csv->options.separator || *next == '\n' ||
           (*next == '\r' && q + 2 < limit && next[1] == '\n');
}

/* The field that begins with the quote at *p. */
static int scan_quoted(struct regret_csv *csv, size_t *p, int *more)
{
    struct csv_quoted met = {0, 0};
    size_t at = *p + 1, q = at;
    TRY(find_close(csv, &q, &met));
    if (is_too_long(csv, q != SIZE_MAX ? q : csv->end - csv->start)) {
        return too_long(csv); /* a close beyond the limit is none, nor is the end of the file */
    }
    if (csv->options.stray_quotes) {
        TRY(q != SIZE_MAX ? reach(csv, q + 2) : REGRET_OK);
        if (!closes_field(csv, q)) {
            return scan_unquoted(csv, p, more);
        }
    }
    if (q == SIZE_MAX) {
        csv->unclosed = 1;
        return malformed(csv, at - 1, csv->end - csv->start,
                         "a quote is opened and never closed; close it");
    }
    csv->next_lines += met.lines;
    TRY(add_field(csv, at, q - at, met.doubled));
    *p = q + 1;
    TRY(skip_blanks(csv, p));
    return end_field(csv, p, more,
                     "text after a closing quote; double the quotes inside a quoted field");
}

/* Before the first record: is this text at all? These bytes may be several records. */
static int check_head(struct regret_csv *csv)
{
    size_t limit = csv->options.max_record;
    csv->options.max_record = limit > INPUT_HEAD ? limit : INPUT_HEAD;
    int rc = reach(csv, INPUT_HEAD - 1);
    csv->options.max_record = limit;
    TRY(rc);
    rc = input_check_head(csv->buffer + csv->start, csv->end - csv->start, csv->name);
    return rc != REGRET_OK ? finally(csv, rc) : rc;
}

/* Passes over the byte order mark and empty lines. */
static int skip_blank(struct regret_csv *csv)
{
    if (csv->offset + csv->start == 0) {
        TRY(check_head(csv));
    }
    for (;;) {
        TRY(reach(csv, 2));
        const char *p = csv->buffer + csv->start;
        size_t n = csv->end - csv->start;
        if (csv->offset + csv->start == 0 && n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
            advance(csv, 3);
        } else if (n >= 1 && p[0] == '\n') {
            advance(csv, 1);
        } else if (n >= 2 && p[0] == '\r' && p[1] == '\n') {
            advance(csv, 2);
        } else {
            return REGRET_OK;
        }
    }
}

static int scan_field(struct regret_csv *csv, size_t *p, int *more)
{
    if (csv->n_fields == csv->options.max_fields) {
        return malformed(csv, *p, *p, "has more fields than are allowed");
    }
    TRY(skip_blanks(csv, p));
    int quoted = csv->start + *p < csv->end && csv->buffer[csv->start + *p] == '"';
    return quoted ? scan_quoted(csv, p, more) : scan_unquoted(csv, p, more);
}

/* The bytes of a record of `n` without its line end. */
static size_t without_line_end(const struct regret_csv *csv, size_t n)
{
    const char *record = csv->buffer + csv->start;
    n -= n > 0 && record[n - 1] == '\n';
    return n - (n > 0 && record[n - 1] == '\r');
}

/* The next record from where the buffer stands; *length is its bytes, 0 at the end of the file. */
static int scan_record(struct regret_csv *csv, size_t *length)
{
    size_t p = 0;
    int rc = skip_blank(csv);
    csv->record_line = csv->line;
    csv->record_offset = csv->offset + csv->start;
    TRY(rc);
    int more = csv->start < csv->end;
    while (more) {
        TRY(scan_field(csv, &p, &more));
    }
    *length = p;
    return is_too_long(csv, without_line_end(csv, p)) ? too_long(csv) : REGRET_OK;
}

int regret_csv_next(struct regret_csv *csv, size_t *n_fields)
{
    if (csv->over) {
        return regret_fail(REGRET_E_INPUT, "%s: reading stopped at an earlier error", csv->name);
    }
    csv->start += csv->next;
    csv->line += csv->next_lines;
    csv->next = csv->next_lines = csv->n_fields = 0;
    size_t length = 0;
    int rc = scan_record(csv, &length);
    if (rc != REGRET_OK) {
        csv->n_fields = csv->next_lines = 0;
        return rc;
    }
    csv->next = length;
    *n_fields = csv->n_fields;
    return REGRET_OK;
}

/* Doubled quotes become single ones, in place. */
static void resolve(struct field *f, char *text)
{
    const char *from = text, *end = text + f->length;
    char *to = text;
    while (from < end) {
        const char *quote = memchr(from, '"', (size_t)(end - from));
        size_t n = (size_t)((quote != NULL ? quote + 1 : end) - from);
        memmove(to, from, n);
        to += n;
        from += n + (quote != NULL);
    }
    f->length = (size_t)(to - text);
    f->doubled = 0;
}

const char *regret_csv_field(size_t *length, struct regret_csv *csv, size_t i)
{
    struct field *f = &csv->fields[i];
    char *text = csv->buffer + csv->start + f->at;
    if (f->doubled) {
        resolve(f, text);
    }
    text[f->length] = '\0'; /* over the quote, separator or line end, or into the padding */
    if (length != NULL) {
        *length = f->length;
    }
    return text;
}

size_t regret_csv_line(const struct regret_csv *csv)
{
    return csv->record_line;
}

uint64_t regret_csv_offset(const struct regret_csv *csv)
{
    return csv->record_offset;
}

int regret_csv_is_over(const struct regret_csv *csv)
{
    return csv->over;
}

int csv_is_unclosed(const struct regret_csv *csv)
{
    return csv->unclosed;
}

/* Spreadsheets run what begins with one of these signs as a formula, in quotes or not (OWASP, "CSV
 * injection"). A leading apostrophe makes them show it as text. */

enum { NUMBER_LENGTH = 64 }; /* longer than any number is written */

/* The field [p, end) without its quotes as a number: those may begin with a sign. */
static int is_number(const char *p, const char *end)
{
    char number[NUMBER_LENGTH], *rest = NULL;
    size_t n = (size_t)(end - p);
    if (n >= sizeof number) {
        return 0;
    }
    memcpy(number, p, n);
    number[n] = '\0';
    (void)strtod(number, &rest);
    return n > 0 && rest == number + n;
}

static int is_formula(const char *p, const char *end)
{
    return p < end && memchr("=+-@\t\r", *p, 6) != NULL && !is_number(p, end);
}

/* Whether a line ends at p. In CRLF the carriage return is no part of the field before it. */
static int is_line_end(const char *p, const char *end)
{
    return *p == '\n' || (*p == '\r' && p + 1 < end && p[1] == '\n');
}

/* Where the field that begins at p ends: at a comma, a line end or the end. */
static const char *field_end(const char *p, const char *end)
{
    if (p < end && *p == '"') {
        for (p++; p < end && (*p != '"' || (p + 1 < end && p[1] == '"')); p++) {
            p += *p == '"';
        }
    }
    while (p < end && *p != ',' && !is_line_end(p, end)) {
        p++;
    }
    return p;
}

void regret_csv_guard(struct regret_buffer *out, const char *text, size_t length)
{
    const char *p = text, *end = text + length;
    while (p < end) {
        const char *stop = field_end(p, end), *inside = p + (*p == '"');
        const char *last = stop > inside && *p == '"' ? stop - 1 : stop;
        regret_buffer_append_n(out, p, (size_t)(inside - p));
        if (is_formula(inside, last)) {
            regret_buffer_append_char(out, '\'');
        }
        stop += stop < end; /* with what ends it */
        regret_buffer_append_n(out, inside, (size_t)(stop - inside));
        p = stop;
    }
}

static int count_fields(size_t *out, const char *path, char separator)
{
    FREED_BY(regret_csv_close_at) struct regret_csv *csv = NULL;
    TRY(csv_table_open_trimmed(&csv, path, separator));
    return regret_csv_next(csv, out);
}

int csv_find_separator(char *out, const char *path)
{
    static const char candidates[] = {',', ';', '\t', '|'};
    size_t most = 0;
    *out = ',';
    for (size_t i = 0; i < sizeof candidates; i++) {
        size_t n = 0;
        int rc = count_fields(&n, path, candidates[i]);
        if (rc == REGRET_E_INPUT) { /* a header that is malformed by one may be fine by another */
            continue;
        }
        TRY(rc);
        if (n > most) {
            most = n;
            *out = candidates[i];
        }
    }
    return REGRET_OK;
}

int csv_find_layout(int *is_json, char *separator, const char *path)
{
    struct regret_jsonl *lines = NULL;
    *is_json = 0;
    if (*separator != '\0') {
        return REGRET_OK;
    }
    TRY(regret_jsonl_open(&lines, path));
    char first = regret_jsonl_peek(lines);
    regret_jsonl_close(lines);
    *is_json = first == '{' || first == '[';
    return *is_json ? REGRET_OK : csv_find_separator(separator, path);
}
