/* Published numbers to hold a run against: what is read keeps the limits, has each number once, in one
 * table, and is the same when it is written and read again. */
#include <math.h>
#include <string.h>

#include "report/paper/published.h"
#include "support.h"

static void check_field(const char *field)
{
    REQUIRE(strlen(field) <= PUBLISHED_LONGEST);
    for (const char *p = field; *p != '\0'; p++) {
        REQUIRE((unsigned char)*p >= ' ' && *p != 0x7f);
    }
}

static int same_place(const struct published *p, size_t i, size_t j)
{
    int same = 1;
    for (enum published_column c = PUBLISHED_TABLE; c <= PUBLISHED_COLUMN; c++) {
        same &= strcmp(published_field(p, &p->numbers[i], c),
                       published_field(p, &p->numbers[j], c)) == 0;
    }
    return same;
}

static void check_numbers(const struct published *p)
{
    REQUIRE(p->n > 0 && p->n <= SHEET_MOST && p->sheet.n_columns <= SHEET_MOST_COLUMNS);
    REQUIRE(p->n_keys + N_PUBLISHED_COLUMNS == p->sheet.n_columns);
    for (size_t i = 0; i < p->n; i++) {
        REQUIRE(isfinite(p->numbers[i].value) && p->numbers[i].statistic != NULL);
        for (size_t k = 0; k < p->sheet.n_columns; k++) {
            check_field(p->numbers[i].field[k]);
        }
        for (size_t j = 0; j < i; j++) {
            REQUIRE(!same_place(p, i, j));
        }
    }
}

/* Every number is of one of the tables. */
static void check_tables(const struct published *p)
{
    size_t first = 0, n = 0;
    for (size_t i = 0; published_table_at(&first, p, i); i++) {
        const char *name = published_field(p, &p->numbers[first], PUBLISHED_TABLE);
        for (size_t k = 0; k < p->n; k++) {
            n += strcmp(published_field(p, &p->numbers[k], PUBLISHED_TABLE), name) == 0;
        }
    }
    REQUIRE(n == p->n);
}

/* As it is; csv_field() would make control characters visible. */
static void put_quoted(struct regret_buffer *out, const char *text)
{
    regret_buffer_append_char(out, '"');
    for (; *text != '\0'; text++) {
        regret_buffer_append(out, *text == '"' ? "\"" : "");
        regret_buffer_append_char(out, *text);
    }
    regret_buffer_append_char(out, '"');
}

static void print_record(struct regret_buffer *out, char *const *fields, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        regret_buffer_append(out, k > 0 ? "," : "");
        put_quoted(out, fields[k]);
    }
    regret_buffer_append_char(out, '\n');
}

static void check_again(const struct published *p)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct published again = {0};
    print_record(&text, p->sheet.heads, p->sheet.n_columns);
    for (size_t i = 0; i < p->n; i++) {
        print_record(&text, p->numbers[i].field, p->sheet.n_columns);
    }
    /* Longer by quotes, it may be longer than a file is allowed to be. */
    if (text.length < SHEET_MOST_BYTES) {
        REQUIRE(published_parse(&again, regret_buffer_get(&text), "text") == REGRET_OK);
        REQUIRE(again.n == p->n && again.sheet.n_columns == p->sheet.n_columns);
        for (size_t i = 0; i < p->n; i++) {
            REQUIRE(again.numbers[i].statistic == p->numbers[i].statistic);
            REQUIRE(fuzz_same_number(again.numbers[i].value, p->numbers[i].value));
            for (size_t k = 0; k < p->sheet.n_columns; k++) {
                REQUIRE(strcmp(again.numbers[i].field[k], p->numbers[i].field[k]) == 0);
            }
        }
        published_free(&again);
    }
    regret_buffer_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct published p = {0};
    fuzz_accepted =
        fuzz_taken(published_read(&p, fuzz_put("published.csv", (const char *)data, size)));
    if (fuzz_accepted) {
        check_numbers(&p);
        check_tables(&p);
        check_again(&p);
        published_free(&p);
    }
    return 0;
}
