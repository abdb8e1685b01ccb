/* Tables on a terminal. */
#include <stdint.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"
#include "regret/status.h"
#include "report/table.h"

enum {
    LINE = 100,
    INDENT = 2,
    GAP = 2,
    HEAD =
        10, /* a head is broken into lines that are not wider, if its words and its column are not */
    LEAST_TEXT = 14,  /* columns of text are not made narrower */
    LEAST_NAMES = 24, /* nor is the first, */
    MOST_NAMES = 40   /* which leaves room for others */
};
static const struct table_signs signs = {"−", " ± ", "–"};

/* A block as texts, heads first: cell (i, j) is text[i * columns + j]. */
struct grid {
    struct regret_buffer *out;
    size_t rows, columns;
    char **text;   /* owned, as the next */
    size_t *width; /* of a column */
    unsigned char *is_number;
};

static void put_cell(char **to, struct regret_buffer *errors, const char *text,
                     const struct table_cell *number)
{
    struct regret_buffer cell = REGRET_BUFFER_INIT;
    if (text != NULL) {
        regret_buffer_append_safe(&cell, text, SIZE_MAX);
    }
    if (number != NULL && number->flags & TABLE_NUMBER) {
        regret_buffer_append(&cell, text != NULL ? " " : "");
        table_cell_number(&cell, number, &signs);
    }
    regret_buffer_append(&cell, number != NULL && number->flags & TABLE_BEST ? "*" : "");
    regret_buffer_fail(errors, regret_buffer_status(&cell));
    regret_buffer_fail(errors, regret_strdup(to, regret_buffer_get(&cell)));
    regret_buffer_free(&cell);
}

static size_t longest_word(const char *text)
{
    size_t most = 0, length;
    for (const char *p = text; *p != '\0'; p += length + (p[length] == ' ')) {
        char word[LINE * 4 + 1];
        length = strcspn(p, " ");
        size_t kept = length < sizeof word - 1 ? length : sizeof word - 1;
        memcpy(word, p, kept);
        word[kept] = '\0';
        size_t columns = regret_text_columns(word);
        most = columns > most ? columns : most;
    }
    return most;
}

static size_t greater(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void measure(struct grid *g)
{
    for (size_t j = 0; j < g->columns; j++) {
        size_t whole = regret_text_columns(g->text[j]);
        size_t broken = greater(longest_word(g->text[j]), HEAD);
        g->width[j] = whole < broken ? whole : broken;
        for (size_t i = 1; i < g->rows; i++) {
            g->width[j] = greater(g->width[j], regret_text_columns(g->text[i * g->columns + j]));
        }
    }
}

static int grid_make(struct grid *g, struct regret_buffer *out, const struct table_block *b)
{
    *g = (struct grid){.out = out, .rows = b->n_rows + 1, .columns = b->n_columns};
    regret_buffer_fail(out, REGRET_NEW(&g->text, g->rows * g->columns));
    regret_buffer_fail(out, REGRET_NEW(&g->width, g->columns));
    regret_buffer_fail(out, REGRET_NEW(&g->is_number, g->columns));
    for (size_t j = 0; j < g->columns && out->status == REGRET_OK; j++) {
        g->is_number[j] = j > 0 && b->n_rows > 0 && b->rows[0].cells[j - 1].text == NULL;
        put_cell(&g->text[j], out, b->columns[j], NULL);
    }
    for (size_t i = 0; i < b->n_rows && out->status == REGRET_OK; i++) {
        put_cell(&g->text[(i + 1) * g->columns], out,
                 b->rows[i].label != NULL ? b->rows[i].label : "", NULL);
        for (size_t j = 1; j < g->columns; j++) {
            const struct table_cell *cell = &b->rows[i].cells[j - 1];
            put_cell(&g->text[(i + 1) * g->columns + j], out, cell->text, cell);
        }
    }
    return out->status;
}

static void grid_free(struct grid *g)
{
    texts_free(g->text, g->text == NULL ? 0 : g->rows * g->columns);
    regret_free(g->width);
    regret_free(g->is_number);
}

static size_t line_width(const struct grid *g)
{
    size_t sum = INDENT;
    for (size_t j = 0; j < g->columns; j++) {
        sum += g->width[j] + (j > 0 ? GAP : 0);
    }
    return sum;
}

/* Takes from the widest column of text, a column at a time, what is too much for a line. */
static void squeeze(struct grid *g)
{
    for (size_t sum = line_width(g); sum > LINE; sum--) {
        size_t widest = SIZE_MAX;
        for (size_t j = 0; j < g->columns; j++) {
            size_t least = j == 0 ? LEAST_NAMES : LEAST_TEXT;
            if (!g->is_number[j] && g->width[j] > least &&
                (widest == SIZE_MAX || g->width[j] > g->width[widest])) {
                widest = j;
            }
        }
        if (widest == SIZE_MAX) {
            return;
        }
        g->width[widest]--;
    }
}

/* Columns as wide as goes beside the first, which is no wider than MOST_NAMES. */
static void cap(struct grid *g)
{
    g->width[0] = g->width[0] < MOST_NAMES ? g->width[0] : MOST_NAMES;
    for (size_t j = 1; j < g->columns; j++) {
        size_t room = LINE - INDENT - GAP - g->width[0];
        g->width[j] = g->width[j] < room ? g->width[j] : room;
    }
}

/* On one line where columns of text may be as narrow as that takes; else each as wide as it is. */
static void lay_out(struct grid *g)
{
    measure(g);
    squeeze(g);
    if (line_width(g) > LINE) {
        measure(g);
        cap(g);
    }
}

/* How many bytes of a text make its next line: whole words as far as they go, or as much as goes of one that is longer. */
static size_t next_line(const char *text, size_t width)
{
    size_t length = 0, columns = 0, words = 0;
    while (text[length] != '\0') {
        size_t bytes = 1;
        char one[8] = {text[length]};
        while (((unsigned char)text[length + bytes] & 0xC0) == 0x80 && bytes < sizeof one - 1) {
            one[bytes] = text[length + bytes];
            bytes++;
        }
        words = one[0] == ' ' ? length : words;
        columns += one[0] == ' ' ? 1 : regret_text_columns(one);
        if (columns > width && length > 0) {
            return one[0] == ' ' ? length : words > 0 ? words : length;
        }
        length += bytes;
    }
    return length;
}

static void blanks(struct regret_buffer *out, size_t n)
{
    while (n-- > 0) {
        regret_buffer_append_char(out, ' ');
    }
}

/* A line of a cell in its column; *owed are blanks that stand before the next text, so that no line ends in one. */
static void put_field(const struct grid *g, size_t j, const char *text, size_t length, size_t *owed)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    regret_buffer_printf(&line, "%.*s", (int)length, text);
    regret_buffer_fail(g->out, regret_buffer_status(&line));
    size_t columns = length > 0 ? regret_text_columns(regret_buffer_get(&line)) : 0;
    size_t fill = g->width[j] > columns ? g->width[j] - columns : 0;
    *owed += g->is_number[j] ? fill : 0;
    if (length > 0) {
        blanks(g->out, *owed);
        regret_buffer_append(g->out, regret_buffer_get(&line));
        *owed = 0;
    }
    *owed += g->is_number[j] ? 0 : fill;
    regret_buffer_free(&line);
}

/* A row of the columns [first, end) and the first, on as many lines as its longest cell takes. */
static void put_row(const struct grid *g, size_t i, size_t first, size_t end)
{
    char **text = g->text + i * g->columns;
    size_t at[64] = {0}; /* where the next line of a cell begins */
    int more = 1;
    for (int line = 0; more && g->out->status == REGRET_OK; line++) {
        size_t owed = INDENT;
        more = 0;
        for (size_t k = 0, j = 0; j < end; j = j == 0 ? greater(first, 1) : j + 1, k++) {
            const char *rest = text[j] + at[k];
            size_t length = next_line(rest, g->width[j]);
            put_field(g, j, rest, length, &owed);
            owed += GAP;
            at[k] += length + (rest[length] == ' ');
            more |= text[j][at[k]] != '\0';
        }
        regret_buffer_append_char(g->out, '\n');
    }
}

/* As many columns as go on a line, and the others below with the first column once more. */
static void put_bands(const struct grid *g)
{
    for (size_t first = 0; first < g->columns;) {
        size_t end = greater(first, 1), sum = INDENT + g->width[0];
        while (end < g->columns && end - first < 60 &&
               (end == greater(first, 1) || sum + GAP + g->width[end] <= LINE)) {
            sum += GAP + g->width[end++];
        }
        regret_buffer_append(g->out, "\n");
        for (size_t i = 0; i < g->rows; i++) {
            put_row(g, i, first, end);
        }
        first = end;
    }
}

static void put_words(struct regret_buffer *out, const char *text, size_t first, size_t rest)
{
    const struct text_margins margins = {LINE, first, rest};
    struct regret_buffer safe = REGRET_BUFFER_INIT;
    regret_buffer_append(&safe, first < rest ? "* " : "");
    regret_buffer_append_safe(&safe, text, SIZE_MAX);
    text_wrap(out, regret_buffer_get(&safe), &margins);
    regret_buffer_free_into(out, &safe);
}

static int put_block(struct regret_buffer *out, const struct table_block *b)
{
    struct grid g;
    int stressed = 0;
    for (size_t i = 0; i < b->n_rows; i++) {
        for (size_t j = 0; j < b->rows[i].n_cells; j++) {
            stressed |= (b->rows[i].cells[j].flags & TABLE_BEST) != 0;
        }
    }
    if (b->heading[0] != '\0') {
        regret_buffer_append_char(out, '\n');
        put_words(out, b->heading, 0, 0);
    }
    if (grid_make(&g, out, b) == REGRET_OK) {
        lay_out(&g);
        put_bands(&g);
    }
    grid_free(&g);
    return stressed;
}

void render_text(struct regret_buffer *out, const struct table *t)
{
    int stressed = 0;
    put_words(out, t->title, 0, 0);
    for (size_t i = 0; i < t->n_blocks; i++) {
        if (t->blocks[i].readers != TABLE_FOR_DATA) {
            stressed |= put_block(out, &t->blocks[i]);
        }
    }
    regret_buffer_append(out, t->n_notes > 0 || stressed ? "\n" : "");
    for (size_t i = 0; i < t->n_notes; i++) {
        put_words(out, t->notes[i], 0, 2);
    }
    regret_buffer_append(out, stressed ? "* stands where other formats are bold.\n" : "");
}
