#include "report/paper/published.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/name.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/config.h"
#include "regret/csv.h"
#include "regret/json.h"

static const char *const names[N_PUBLISHED_COLUMNS] = {"table",     "row",     "column",
                                                       "statistic", "subject", "value"};

static const struct published_statistic statistics[] = {
    {"none", PUBLISHED_NOTHING, REGRET_MEASURE_REGRET, 0, 4},
    {"regret", PUBLISHED_MEAN, REGRET_MEASURE_REGRET, -1, 4},
    {"rank", PUBLISHED_RANK, REGRET_MEASURE_REGRET, -1, 2},
    {"top3", PUBLISHED_TOP3, REGRET_MEASURE_REGRET, 1, 0},
    {"excess", PUBLISHED_EXCESS, REGRET_MEASURE_REGRET, -1, 1},
    {"lead", PUBLISHED_LEAD, REGRET_MEASURE_REGRET, 0, 4},
    {"wins", PUBLISHED_WINS, REGRET_MEASURE_REGRET, 1, 0},
    {"top1_wins", PUBLISHED_WINS, REGRET_MEASURE_TOP1, 1, 0},
    {"top3_wins", PUBLISHED_WINS, REGRET_MEASURE_TOP3, 1, 0},
    {"rmse", PUBLISHED_MEAN, REGRET_MEASURE_RMSE, -1, 4},
    {"dm_rmse", PUBLISHED_MEAN, REGRET_MEASURE_DM_RMSE, -1, 4},
    {"dr_rmse", PUBLISHED_MEAN, REGRET_MEASURE_DR_RMSE, -1, 4},
    {"sndr_rmse", PUBLISHED_MEAN, REGRET_MEASURE_SNDR_RMSE, -1, 4},
    {"dr_minus_dm", PUBLISHED_CHANGE, REGRET_MEASURE_DR_RMSE, 0, 4},
    {"r2", PUBLISHED_MEAN, REGRET_MEASURE_R2, 1, 3},
};
enum { N_STATISTICS = sizeof statistics / sizeof *statistics };

/* ---------------------------------------------------------------- words */

static int find_statistic(const struct published_statistic **out, const char *word,
                          struct regret_place at)
{
    const char *words[N_STATISTICS];
    for (size_t i = 0; i < N_STATISTICS; i++) {
        words[i] = statistics[i].word;
        if (strcmp(statistics[i].word, word) == 0) {
            *out = &statistics[i];
            return REGRET_OK;
        }
    }
    return regret_fail_prefix(name_unknown("statistic", word, words, N_STATISTICS), "%s:%zu",
                              at.file, at.line);
}

static int is_key(const char *name)
{
    struct regret_key_help key;
    for (size_t i = 0; regret_config_key(&key, i); i++) {
        if (strcmp(key.name, name) == 0) {
            return 1;
        }
    }
    return 0;
}

/* A decimal number and nothing else: no formula, no white space, no "inf". */
static int parse_value(double *out, const char *text, struct regret_place at)
{
    char *end = NULL;
    double value = strtod(text, &end);
    if (*text == '\0' || strspn(text, "0123456789+-.eE") != strlen(text) || *end != '\0' ||
        !isfinite(value)) {
        return regret_json_error(at, "value \"%s\" is not a number", text);
    }
    *out = value;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- fields */

/* A field is short text on one line. */
static int copy_field(char **out, struct regret_csv *csv, size_t i, struct regret_place at)
{
    size_t length = 0, bad = 0;
    const char *field = regret_csv_field(&length, csv, i);
    if (length > PUBLISHED_LONGEST) {
        return regret_json_error(at, "field %zu has %zu bytes; at most %d", i + 1, length,
                                 (int)PUBLISHED_LONGEST);
    }
    for (size_t k = 0; k < length; k++) {
        if ((unsigned char)field[k] < ' ' || field[k] == 0x7f) {
            return regret_json_error(at, "field %zu holds a control character (byte 0x%02x)", i + 1,
                                     (unsigned)(unsigned char)field[k]);
        }
    }
    if (!regret_utf8_valid(field, length, &bad)) {
        return regret_json_error(at, "byte %zu of field %zu is not valid UTF-8; convert the file",
                                 bad + 1, i + 1);
    }
    return regret_strdup(out, field);
}

static int copy_fields(char ***out, struct regret_csv *csv, size_t n, struct regret_place at)
{
    TRY(REGRET_NEW(out, n));
    for (size_t i = 0; i < n; i++) {
        TRY(copy_field(&(*out)[i], csv, i, at));
    }
    return REGRET_OK;
}

static void free_fields(char **fields, size_t n)
{
    for (size_t i = 0; fields != NULL && i < n; i++) {
        regret_free(fields[i]);
    }
    regret_free(fields);
}

/* ---------------------------------------------------------------- the header */

static int take_head(struct published *p, size_t i, struct regret_place at)
{
    for (size_t j = 0; j < i; j++) {
        if (strcmp(p->heads[i], p->heads[j]) == 0) {
            return regret_json_error(at, "column \"%s\" is there twice", p->heads[i]);
        }
    }
    for (size_t c = 0; c < N_PUBLISHED_COLUMNS; c++) {
        if (strcmp(p->heads[i], names[c]) == 0) {
            p->at[c] = i;
            return REGRET_OK;
        }
    }
    if (!is_key(p->heads[i])) {
        return regret_json_error(at,
                                 "column \"%s\" is neither one of table, row, column, statistic, "
                                 "subject, value nor a key of a configuration",
                                 p->heads[i]);
    }
    p->keys[p->n_keys++] = i;
    return REGRET_OK;
}

static int read_header(struct published *p, struct regret_csv *csv, struct regret_place at)
{
    size_t n = 0;
    TRY(regret_csv_next(csv, &n));
    if (n == 0) {
        return regret_json_error((struct regret_place){at.file, 0}, "the file is empty");
    }
    p->n_columns = n;
    TRY(copy_fields(&p->heads, csv, n, at));
    for (size_t c = 0; c < N_PUBLISHED_COLUMNS; c++) {
        p->at[c] = REGRET_NO_ROW;
    }
    for (size_t i = 0; i < n; i++) {
        TRY(take_head(p, i, at));
    }
    for (size_t c = 0; c < N_PUBLISHED_COLUMNS; c++) {
        if (p->at[c] == REGRET_NO_ROW) {
            return regret_json_error(at, "no column \"%s\" in the header", names[c]);
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- numbers */

/* One number has one place in its table. */
static int refuse_duplicate(const struct published *p, struct regret_place at)
{
    const struct published_number *last = &p->numbers[p->n - 1];
    for (size_t i = 0; i + 1 < p->n; i++) {
        int same = 1;
        for (enum published_column c = PUBLISHED_TABLE; same && c <= PUBLISHED_COLUMN; c++) {
            same = strcmp(published_field(p, last, c), published_field(p, &p->numbers[i], c)) == 0;
        }
        if (same) {
            return regret_json_error(at, "table \"%s\", row \"%s\", column \"%s\" is there twice",
                                     published_field(p, last, PUBLISHED_TABLE),
                                     published_field(p, last, PUBLISHED_ROW),
                                     published_field(p, last, PUBLISHED_COLUMN));
        }
    }
    return REGRET_OK;
}

static int add_number(struct published *p, struct regret_csv *csv, size_t n_fields,
                      struct regret_place at)
{
    if (n_fields != p->n_columns) {
        return regret_json_error(at, "%zu field%s where the header has %zu", n_fields,
                                 n_fields == 1 ? "" : "s", p->n_columns);
    }
    if (p->n == PUBLISHED_MOST) {
        return regret_json_error(at, "more than %d numbers", (int)PUBLISHED_MOST);
    }
    TRY(regret_grow((void **)&p->numbers, &p->capacity, p->n, sizeof *p->numbers, "numbers"));
    struct published_number *number = &p->numbers[p->n++];
    *number = (struct published_number){0};
    TRY(copy_fields(&number->field, csv, n_fields, at));
    TRY(find_statistic(&number->statistic, published_field(p, number, PUBLISHED_STATISTIC), at));
    TRY(parse_value(&number->value, published_field(p, number, PUBLISHED_VALUE), at));
    return refuse_duplicate(p, at);
}

static int read_all(struct published *p, struct regret_csv *csv, const char *name)
{
    struct regret_place at = {name, 1};
    size_t n = 0;
    TRY(read_header(p, csv, at));
    TRY(regret_csv_next(csv, &n));
    while (n > 0) {
        at.line = regret_csv_line(csv);
        if (regret_csv_offset(csv) > PUBLISHED_MOST_BYTES) {
            return regret_json_error(at, "the file is longer than %d bytes",
                                     (int)PUBLISHED_MOST_BYTES);
        }
        TRY(add_number(p, csv, n, at));
        TRY(regret_csv_next(csv, &n));
    }
    return p->n > 0 ? REGRET_OK
                    : regret_json_error((struct regret_place){name, 0}, "a header and no number");
}

static const struct regret_csv_options options = {',', (size_t)64 << 10, (size_t)64 << 10,
                                                  PUBLISHED_MOST_COLUMNS, 0};

/* Takes what was opened. */
static int read_opened(struct published *out, struct regret_csv *csv, const char *name)
{
    struct published p = {0};
    int rc = read_all(&p, csv, name);
    regret_csv_close(csv);
    if (rc != REGRET_OK) {
        published_free(&p);
        return rc;
    }
    *out = p;
    return REGRET_OK;
}

int published_read(struct published *out, const char *path)
{
    struct regret_csv *csv = NULL;
    TRY(regret_csv_open(&csv, path, &options));
    return read_opened(out, csv, path);
}

/* The rest of a text as a source of bytes. */
static long take_text(void *context, char *to, size_t most)
{
    const char **rest = context;
    size_t n = strlen(*rest);
    n = n < most ? n : most;
    memcpy(to, *rest, n);
    *rest += n;
    return (long)n;
}

int published_parse(struct published *out, const char *text, const char *name)
{
    struct regret_csv *csv = NULL;
    TRY(regret_csv_open_source(&csv, take_text, &text, name, &options));
    return read_opened(out, csv, name);
}

void published_free(struct published *p)
{
    for (size_t i = 0; i < p->n; i++) {
        free_fields(p->numbers[i].field, p->n_columns);
    }
    regret_free(p->numbers);
    free_fields(p->heads, p->n_columns);
    *p = (struct published){0};
}

const char *published_field(const struct published *p, const struct published_number *number,
                            enum published_column column)
{
    return number->field[p->at[column]];
}

int published_table_at(size_t *first, const struct published *p, size_t i)
{
    for (size_t k = 0; k < p->n; k++) {
        const char *name = published_field(p, &p->numbers[k], PUBLISHED_TABLE);
        size_t j = 0;
        while (j < k && strcmp(published_field(p, &p->numbers[j], PUBLISHED_TABLE), name) != 0) {
            j++;
        }
        if (j == k && i-- == 0) {
            *first = k;
            return 1;
        }
    }
    return 0;
}
