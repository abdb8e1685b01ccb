#include "report/paper/published.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
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

static int find_statistic(const struct published_statistic **out, const struct sheet *s, size_t i)
{
    const char *words[N_STATISTICS];
    size_t k = 0;
    for (size_t w = 0; w < N_STATISTICS; w++) {
        words[w] = statistics[w].word;
    }
    TRY(sheet_word(&k, s, i, "statistic", words, N_STATISTICS));
    *out = &statistics[k];
    return REGRET_OK;
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

/* ---------------------------------------------------------------- the header */

static int take_head(struct published *p, size_t i)
{
    const char *head = p->sheet.heads[i];
    for (size_t c = 0; c < N_PUBLISHED_COLUMNS; c++) {
        if (strcmp(head, names[c]) == 0) {
            return REGRET_OK;
        }
    }
    if (!sheet_is_key(head)) {
        return regret_json_error((struct regret_place){p->sheet.name, 1},
                                 "column \"%s\" is neither one of table, row, column, statistic, "
                                 "subject, value nor a key of a configuration",
                                 head);
    }
    p->keys[p->n_keys++] = i;
    return REGRET_OK;
}

static int take_heads(struct published *p)
{
    for (size_t i = 0; i < p->sheet.n_columns; i++) {
        TRY(take_head(p, i));
    }
    for (size_t c = 0; c < N_PUBLISHED_COLUMNS; c++) {
        p->at[c] = sheet_column(&p->sheet, names[c]);
        if (p->at[c] == REGRET_NO_ROW) {
            return regret_json_error((struct regret_place){p->sheet.name, 1},
                                     "no column \"%s\" in the header", names[c]);
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

static int add_number(struct published *p, size_t i)
{
    struct regret_place at = sheet_place(&p->sheet, i);
    struct published_number *number = &p->numbers[p->n++];
    number->field = p->sheet.records[i].field;
    TRY(find_statistic(&number->statistic, &p->sheet, i));
    TRY(parse_value(&number->value, published_field(p, number, PUBLISHED_VALUE), at));
    return refuse_duplicate(p, at);
}

/* Takes the sheet. */
static int published_of(struct published *out, struct sheet *sheet)
{
    FREED_BY(published_free) struct published p = {.sheet = *sheet};
    TRY(take_heads(&p));
    if (sheet->n == 0) {
        return regret_json_error((struct regret_place){sheet->name, 0}, "a header and no number");
    }
    TRY(REGRET_NEW(&p.numbers, sheet->n));
    for (size_t i = 0; i < sheet->n; i++) {
        TRY(add_number(&p, i));
    }
    *out = p;
    p = (struct published){0};
    return REGRET_OK;
}

int published_read(struct published *out, const char *path)
{
    struct sheet sheet = {0};
    TRY(sheet_read(&sheet, path, PUBLISHED_LONGEST));
    return published_of(out, &sheet);
}

int published_of_paper(struct published *out, const char *name)
{
    struct sheet sheet = {0};
    TRY(sheet_of_paper(&sheet, name));
    return published_of(out, &sheet);
}

int published_parse(struct published *out, const char *text, const char *name)
{
    struct sheet sheet = {0};
    TRY(sheet_parse(&sheet, text, name, PUBLISHED_LONGEST));
    return published_of(out, &sheet);
}

void published_free(struct published *p)
{
    regret_free(p->numbers);
    sheet_free(&p->sheet);
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
