#include "import/profile.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/csv.h"
#include "base/names.h"
#include "base/status.h"
#include "import/column_names.h"
#include "import/profile_json.h"
#include "import/table_cell.h"
#include "regret/buffer.h"
#include "regret/status.h"

FREED_POINTER(struct regret_csv, regret_csv_close)

/* Of so many cells of a column of scores one may be something else. */
enum { SLIPS = 20 };

/* ---------------------------------------------------------------- separator */

static int count_fields(size_t *out, const char *path, char separator)
{
    FREED_BY(regret_csv_close_at) struct regret_csv *csv = NULL;
    TRY(csv_table_open_trimmed(&csv, path, separator));
    return regret_csv_next(csv, out);
}

int table_profile_separator(char *out, const char *path)
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

/* ---------------------------------------------------------------- reading */

/* Figures with what stands beside them: 0,5 or 45% or $1,200 or 3/5. */
static int is_nearly_number(const char *text, size_t length)
{
    size_t digits = 0;
    for (size_t i = 0; i < length; i++) {
        digits += text[i] >= '0' && text[i] <= '9';
    }
    return digits > 0 && length < PROFILE_NUMBER &&
           strspn(text, "0123456789.,' +-%/$eE\xe2\x82\xac\xc2\xa3\xa0") == length;
}

/* The beginning of a text, of whole characters. */
static void remember(char *out, size_t size, const char *text)
{
    size_t n = strlen(text);
    n = n < size ? n : size - 1;
    while (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80) {
        n--;
    }
    memcpy(out, text, n);
    out[n] = '\0';
}

static void remember_cell(struct profile_cell *out, const char *text, size_t at)
{
    if (out->at == 0) {
        out->at = at;
        remember(out->text, sizeof out->text, text);
    }
}

/* A number with a comma for its point, or NaN; three figures behind it may be thousands. */
static double look_at_comma(struct profile_column *c, const char *text, size_t at)
{
    double x = 0.0;
    if (!table_source_parse_comma(&x, text)) {
        remember_cell(&c->beyond, text, at);
        return NAN;
    }
    if (c->commas == 0 || x < c->comma_least) {
        c->comma_least = x;
        c->comma_least_at = at;
    }
    if (c->commas == 0 || x > c->comma_most) {
        c->comma_most = x;
        c->comma_most_at = at;
    }
    c->commas++;
    c->clear_commas += table_source_comma_is_clear(text) != 0;
    return x;
}

/* What is no number may be one with a percent sign, or with other things beside it, or a letter grade. */
static double look_at_other(struct profile_column *c, const char *text, size_t length, size_t at)
{
    double x = 0.0;
    int is_missing = table_source_is_missing(text), is_grade = grades_has(text) != 0;
    int is_nearly = is_nearly_number(text, length);
    c->missing += (size_t)is_missing;
    if (is_missing || text[strspn(text, " \t\r\n")] == '\0') {
        return NAN;
    }
    remember_cell(&c->other, text, at);
    c->grades += (size_t)is_grade;
    x = look_at_comma(c, text, at);
    c->others += !is_grade && !is_nearly;
    return x;
}

/* Its number, or NaN. */
static double look_at(struct profile_column *c, const char *text, size_t length, size_t at)
{
    double x = 0.0;
    if (length == 0) {
        return NAN;
    }
    c->filled++;
    c->mean_bytes += (double)length;
    c->longest = length > c->longest ? length : c->longest;
    if (!table_source_parse(&x, text) &&
        (!table_source_parse_money(&x, text) || column_words(c->name, COLUMN_COST) == 0)) {
        return look_at_other(c, text, length, at);
    }
    if (c->numbers == 0 || x < c->least) {
        c->least = x;
        c->least_at = at;
    }
    if (c->numbers == 0 || x > c->most) {
        c->most = x;
        c->most_at = at;
    }
    c->numbers++;
    c->whole += x == floor(x);
    c->words += table_source_parse_word(&x, text) != 0;
    return x;
}

int table_profile_check_columns(size_t n, size_t least, const char *path)
{
    return n >= least && n <= PROFILE_COLUMNS
               ? REGRET_OK
               : regret_fail(
                     REGRET_E_INPUT,
                     "%s has %s%zu column%s; a table has 3 (context, agent, score) or more, "
                     "and of more than %d the map is to be written by hand "
                     "(docs/formats.md)",
                     path, n > PROFILE_COLUMNS ? "at least " : "", n, n == 1 ? "" : "s",
                     PROFILE_COLUMNS);
}

int table_profile_begin_row(struct table_profile *p, int *full)
{
    *full = p->cut = p->rows == PROFILE_CELLS / p->n_columns;
    if (*full) {
        return REGRET_OK;
    }
    size_t before = p->capacity;
    TRY(regret_grow((void **)&p->cell, &p->capacity, p->rows, p->n_columns * sizeof *p->cell,
                    "a look at a table"));
    TRY(p->capacity == before
            ? REGRET_OK
            : regret_realloc((void **)&p->number, p->capacity, p->n_columns * sizeof *p->number,
                             "a look at a table"));
    p->rows++;
    return REGRET_OK;
}

void table_profile_cell(struct table_profile *p, size_t column, const char *text, size_t length)
{
    size_t i = (p->rows - 1) * p->n_columns + column;
    p->number[i] = look_at(&p->column[column], text, length, p->at);
    p->cell[i] = regret_hash64(text, length);
}

static int read_header(struct table_profile *p, struct regret_csv *csv, const char *path)
{
    TRY(regret_csv_next(csv, &p->n_columns));
    size_t n = p->n_columns;
    p->n_columns = 0;
    TRY(table_profile_check_columns(n, 1, path));
    TRY(REGRET_NEW(&p->column, n));
    for (; p->n_columns < n; p->n_columns++) {
        const char *name = regret_csv_field(NULL, csv, p->n_columns);
        if (!regret_utf8_valid(name, strlen(name), NULL)) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: the header is not UTF-8; convert the file, as by iconv -f "
                               "WINDOWS-1252 -t UTF-8",
                               path);
        }
        TRY(regret_strdup(&p->column[p->n_columns].name, name));
    }
    return REGRET_OK;
}

static int read_rows(struct table_profile *p, struct regret_csv *csv, const char *path)
{
    for (int full = 0;;) {
        size_t n = 0;
        TRY(regret_csv_next(csv, &n));
        if (n == 0) {
            return REGRET_OK;
        }
        if (n != p->n_columns) {
            return regret_fail(REGRET_E_INPUT, "%s:%zu: %zu fields, but the header has %zu%s", path,
                               regret_csv_line(csv), n, p->n_columns,
                               p->rows == 0 && n > p->n_columns ? ": take out what stands above it"
                               : n == 1 ? ": take the line out if it is a note"
                                        : "");
        }
        TRY(table_profile_begin_row(p, &full));
        p->at = regret_csv_line(csv);
        for (size_t k = 0; k < n && !full; k++) {
            size_t length = 0;
            const char *text = regret_csv_field(&length, csv, k);
            table_profile_cell(p, k, text, length);
        }
        if (full) {
            return REGRET_OK;
        }
    }
}

/* ---------------------------------------------------------------- what follows from what */

int profile_pair_compare(const void *x, const void *y)
{
    const struct profile_pair *p = x, *q = y;
    if (p->a != q->a) {
        return p->a < q->a ? -1 : 1;
    }
    return (p->b > q->b) - (p->b < q->b);
}

int table_profile_distinct(struct profile_pair **out, size_t *n, const struct table_profile *p,
                           size_t a, size_t b)
{
    struct profile_pair *pair = NULL;
    TRY(REGRET_NEW(&pair, p->rows));
    for (size_t i = 0; i < p->rows; i++) {
        pair[i] =
            (struct profile_pair){p->cell[i * p->n_columns + a], p->cell[i * p->n_columns + b]};
    }
    qsort(pair, p->rows, sizeof *pair, profile_pair_compare);
    *n = 0;
    for (size_t i = 0; i < p->rows; i++) {
        if (*n == 0 || profile_pair_compare(&pair[*n - 1], &pair[i]) != 0) {
            pair[(*n)++] = pair[i];
        }
    }
    *out = pair;
    return REGRET_OK;
}

int table_profile_pairs(size_t *out, const struct table_profile *p, size_t a, size_t b)
{
    struct profile_pair *pair = NULL;
    TRY(table_profile_distinct(&pair, out, p, a, b));
    regret_free(pair);
    return REGRET_OK;
}

int table_profile_follows(int *out, const struct table_profile *p, size_t to, size_t from)
{
    struct profile_pair *pair = NULL;
    size_t n = 0;
    TRY(table_profile_distinct(&pair, &n, p, from, to));
    *out = 1;
    for (size_t i = 1; i < n && *out; i++) {
        *out = pair[i].a != pair[i - 1].a;
    }
    regret_free(pair);
    return REGRET_OK;
}

/* Numbers with commas are numbers. */
static void take_commas(struct profile_column *c)
{
    if (c->commas == 0) {
        return;
    }
    if (c->numbers == 0 || c->comma_least < c->least) {
        c->least = c->comma_least;
        c->least_at = c->comma_least_at;
    }
    if (c->numbers == 0 || c->comma_most > c->most) {
        c->most = c->comma_most;
        c->most_at = c->comma_most_at;
    }
    c->numbers += c->commas;
    c->other = c->beyond;
}

/* Numbers far beyond all others of column k are out of its range. */
static int set_slips_apart(struct table_profile *p, size_t k)
{
    struct profile_column *c = &p->column[k];
    double *x = NULL;
    size_t n = 0;
    if (c->numbers == 0 || (c->commas > 0 && !p->decimal_comma)) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&x, p->rows));
    for (size_t i = 0; i < p->rows; i++) {
        x[n] = p->number[i * p->n_columns + k];
        n += !isnan(x[n]);
    }
    struct slip s;
    int is_mixed = scales_are_mixed(x, n);
    sentinel_find(&s, x, n);
    c->is_sentinel = s.n > 0;
    c->is_next = s.is_next;
    if (!c->is_sentinel) {
        slip_find(&s, x, n);
    }
    regret_free(x);
    c->slips = s.n;
    c->is_mixed = is_mixed;
    if (s.n > 0) {
        c->slip = s.value;
        c->slip_at = s.value == c->least ? c->least_at : c->most_at;
        c->least = s.least;
        c->most = s.most;
    }
    return REGRET_OK;
}

int profile_column_fail_slip(const char *path, const struct profile_column *c, const char *remedy)
{
    return regret_fail(
        REGRET_E_INPUT,
        "%s:%zu: column \"%.40s\" holds %.6g, where all but %zu of its %zu numbers go "
        "from %.6g to %.6g: correct it, or leave it blank; if it is right, %s",
        path, c->slip_at, c->name, c->slip, c->slips, c->numbers, c->least, c->most, remedy);
}

int profile_column_check_direction(const struct profile_column *c, const char *path)
{
    return c->grades > 0 || column_direction(c->name) != COLUMN_IS_OPEN
               ? REGRET_OK
               : regret_fail(
                     REGRET_E_INPUT,
                     "%s: column \"%.40s\", %.6g to %.6g, does not tell by its name whether "
                     "more or less of it is better: init --range WORST:BEST says it, or "
                     "\"good\" or \"bad\" in the name",
                     path, c->name, c->least, c->most);
}

int table_profile_finish(struct table_profile *p, const char *path)
{
    if (p->rows == 0) {
        return regret_fail(REGRET_E_INPUT, "%s has no rows", path);
    }
    for (size_t k = 0; k < p->n_columns;
         k++) { /* a column of numbers, some of them clear, and a slip in twenty cells at most */
        const struct profile_column *c = &p->column[k];
        p->decimal_comma |= c->clear_commas > 0 && SLIPS * (c->commas + c->numbers) >=
                                                       (SLIPS - 1) * (c->filled - c->missing);
    }
    for (size_t k = 0; k < p->n_columns; k++) {
        struct profile_column *c = &p->column[k];
        if (p->decimal_comma) {
            take_commas(c);
        }
        TRY(set_slips_apart(p, k));
        c->mean_bytes /= c->filled > 0 ? (double)c->filled : 1.0;
        if (c->numbers > 0 && c->numbers + c->missing == c->filled) {
            c->filled = c->numbers;
        } else if (c->grades > 0 && c->grades + c->missing == c->filled) {
            c->filled = c->grades;
        }
        TRY(table_profile_pairs(&c->distinct, p, k, k));
    }
    return REGRET_OK;
}

int table_profile_read(struct table_profile *out, const char *path, char separator)
{
    FREED_BY(regret_csv_close_at) struct regret_csv *csv = NULL;
    *out = (struct table_profile){0};
    TRY(csv_table_open_trimmed(&csv, path, separator));
    TRY(read_header(out, csv, path));
    TRY(read_rows(out, csv, path));
    return table_profile_finish(out, path);
}

void table_profile_free(struct table_profile *profile)
{
    for (size_t k = 0; k < profile->n_columns; k++) {
        regret_free(profile->column[k].name);
    }
    regret_free(profile->column);
    regret_free(profile->cell);
    regret_free(profile->number);
    *profile = (struct table_profile){0};
}

/* ---------------------------------------------------------------- two scales */

int owned_number_compare(const void *left, const void *right)
{
    const struct owned_number *a = left, *b = right;
    return a->owner != b->owner ? (a->owner > b->owner) - (a->owner < b->owner)
                                : (a->x > b->x) - (a->x < b->x);
}

/* The numbers of column k by who stands in another. */
static int gather_owned(struct owned_number **out, size_t *n, const struct table_profile *p,
                        size_t k, size_t owner)
{
    struct owned_number *r = NULL;
    *n = 0;
    TRY(REGRET_NEW(&r, p->rows));
    for (size_t at = 0; at < p->rows * p->n_columns; at += p->n_columns) {
        r[*n] = (struct owned_number){p->cell[at + owner], p->number[at + k]};
        *n += !isnan(p->number[at + k]);
    }
    qsort(r, *n, sizeof *r, owned_number_compare);
    *out = r;
    return REGRET_OK;
}

static const char ONE_SCALE[] = "bring all to one scale, or say it, init --range WORST:BEST";

int owners_are_on_two_scales(struct two_scales *out, const struct owned_number *r, size_t n)
{
    struct two_scales s = {0, 0, 0.0};
    size_t owners = 0, ones = 0, zeros = 0, verdicts = 0;
    for (size_t i = 0, end, first; i < n; i = end, owners++) {
        for (end = i + 1; end < n && r[end].owner == r[i].owner; end++) {
        }
        for (first = i; first + 1 < end && r[first].x <= 0.0; first++) {
        }
        double least = r[i].x, most = r[end - 1].x, middle = r[i + (end - i) / 2].x;
        int is_verdict = least == 0.0 && most >= 8.0 && r[first].x >= 8.0; /* 0 or 100 */
        s.shares += least >= 0.0 && most <= 1.0 && least < most;
        ones += least == 1.0 && most == 1.0;
        zeros += least == 0.0 && most == 0.0;
        verdicts += (size_t)is_verdict;
        s.points += most >= 8.0 && (middle > 1.0 || is_verdict);
        s.most = fmax(s.most, most);
    }
    s.shares += verdicts == s.points ? ones : 0; /* else it may be the least of 1 to 10 */
    *out = s;
    return s.shares > 0 && s.points > 0 && s.shares + s.points + zeros >= owners;
}

static int check_agents(const struct table_profile *p, size_t k, size_t agent, const char *path)
{
    FREED struct owned_number *r = NULL;
    struct two_scales s;
    size_t n = 0;
    TRY(gather_owned(&r, &n, p, k, agent));
    return !owners_are_on_two_scales(&s, r, n)
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s: column \"%.40s\" goes from 0 to 1 of %zu agents, and up to %.6g "
                             "of the other %zu: %s",
                             path, p->column[k].name, s.shares, s.most, s.points, ONE_SCALE);
}

/* The scales of raters with so many numbers may end at most FARTHER times one another. */
enum { RATED = 20 };
static const double FARTHER = 1.8;

static int check_raters(const struct table_profile *p, size_t k, size_t rater, const char *path)
{
    FREED struct owned_number *r = NULL;
    size_t n = 0;
    double end_of[2] = {INFINITY, 0.0};
    TRY(gather_owned(&r, &n, p, k, rater));
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && r[end].owner == r[i].owner; end++) {
        }
        const double *scale = scale_filled_by(r[i].x, r[end - 1].x);
        double own = scale != NULL ? scale[1] : r[end - 1].x;
        end_of[0] = end - i >= RATED ? fmin(end_of[0], own) : end_of[0];
        end_of[1] = end - i >= RATED ? fmax(end_of[1], own) : end_of[1];
    }
    return end_of[0] <= 0.0 || end_of[1] < FARTHER * end_of[0]
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s: column \"%.40s\" goes up to %.6g of one \"%.40s\", and up to "
                             "%.6g of another: %s",
                             path, p->column[k].name, end_of[0], p->column[rater].name, end_of[1],
                             ONE_SCALE);
}

int table_profile_check_units(const struct table_profile *p, size_t k, size_t agent,
                              const char *path)
{
    TRY(agent < p->n_columns ? check_agents(p, k, agent, path) : REGRET_OK);
    for (size_t j = 0; j < p->n_columns && agent < p->n_columns; j++) {
        const struct profile_column *c = &p->column[j];
        int is_rater = j != k && j != agent && 2 * c->numbers < c->filled && c->distinct > 1 &&
                       column_words(c->name, COLUMN_RATER) > 0;
        TRY(is_rater ? check_raters(p, k, j, path) : REGRET_OK);
    }
    return !p->column[k].is_mixed
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s: column \"%.40s\" holds shares of 1 and numbers up to %.6g, with "
                             "next to none between 1 and 2: %s",
                             path, p->column[k].name, p->column[k].most, ONE_SCALE);
}
