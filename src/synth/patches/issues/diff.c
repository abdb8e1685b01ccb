#include "synth/patches/issues/diff.h"

#include <stdint.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"

/* One line of the comparison of two files. */
struct row {
    char sign; /* ' ', '-', '+' */
    struct patches_line text;
    size_t old_line, new_line; /* lines of either file before this one */
};

struct comparison {
    struct patches_line *old_lines, *new_lines;
    size_t n_old, n_new;
    uint16_t *common; /* (n_old + 1) × (n_new + 1): length of the longest common subsequence of the
                         rests from (i, j) */
    struct row *rows;
    size_t n_rows;
};

static int same(const struct patches_line *a, const struct patches_line *b)
{
    return a->length == b->length && memcmp(a->start, b->start, a->length) == 0;
}

static int split(struct patches_line **out, size_t *n, const struct patches_file *file)
{
    *n = patches_line_count(file);
    TRY(REGRET_NEW(out, *n));
    const char *at = regret_buffer_get(&file->text);
    for (size_t i = 0; i < *n; i++) {
        (*out)[i] = (struct patches_line){at, strcspn(at, "\n")};
        at += (*out)[i].length + 1;
    }
    return REGRET_OK;
}

static void fill_common(struct comparison *c)
{
    size_t width = c->n_new + 1;
    for (size_t i = c->n_old; i-- > 0;) {
        for (size_t j = c->n_new; j-- > 0;) {
            uint16_t *at = &c->common[i * width + j];
            if (same(&c->old_lines[i], &c->new_lines[j])) {
                *at = (uint16_t)(at[width + 1] + 1);
            } else {
                *at = at[width] >= at[1] ? at[width] : at[1];
            }
        }
    }
}

/* Walks the table; removed lines come before added ones. */
static void make_rows(struct comparison *c)
{
    size_t i = 0, j = 0, width = c->n_new + 1;
    while (i < c->n_old || j < c->n_new) {
        const uint16_t *at = &c->common[i * width + j];
        struct row *row = &c->rows[c->n_rows++];
        *row = (struct row){.old_line = i, .new_line = j};
        if (i < c->n_old && j < c->n_new && same(&c->old_lines[i], &c->new_lines[j])) {
            row->sign = ' ';
            row->text = c->old_lines[i++];
            j++;
        } else if (i < c->n_old && (j == c->n_new || at[width] >= at[1])) {
            row->sign = '-';
            row->text = c->old_lines[i++];
        } else {
            row->sign = '+';
            row->text = c->new_lines[j++];
        }
    }
}

static void comparison_free(struct comparison *c)
{
    regret_free(c->old_lines);
    regret_free(c->new_lines);
    regret_free(c->common);
    regret_free(c->rows);
}

static int compare(struct comparison *c, const struct patches_file *before,
                   const struct patches_file *after)
{
    TRY(split(&c->old_lines, &c->n_old, before));
    TRY(split(&c->new_lines, &c->n_new, after));
    if (c->n_old > 10000 || c->n_new > 10000) {
        return regret_fail(REGRET_E_INPUT, "%s: too long for a diff; split the file", after->path);
    }
    TRY(REGRET_NEW(&c->common, (c->n_old + 1) * (c->n_new + 1)));
    TRY(REGRET_NEW(&c->rows, c->n_old + c->n_new + 1));
    fill_common(c);
    make_rows(c);
    return REGRET_OK;
}

/* The function that old line i is in: the last line before it that begins with a letter, as git
 * has it. */
static void section(struct regret_buffer *out, const struct comparison *c, size_t i)
{
    while (i-- > 0) {
        if (c->old_lines[i].length > 4 && strncmp(c->old_lines[i].start, "def ", 4) == 0) {
            regret_buffer_append_char(out, ' ');
            regret_buffer_append_n(out, c->old_lines[i].start, c->old_lines[i].length);
            return;
        }
    }
}

static void side(struct regret_buffer *out, char sign, size_t lines_before, size_t n)
{
    regret_buffer_printf(out, "%c%zu", sign, n == 0 ? lines_before : lines_before + 1);
    if (n != 1) {
        regret_buffer_printf(out, ",%zu", n);
    }
}

static void hunk(struct regret_buffer *out, const struct comparison *c, size_t first, size_t end,
                 const struct patches_diff_style *style)
{
    size_t old_lines = 0, new_lines = 0;
    for (size_t i = first; i < end; i++) {
        old_lines += c->rows[i].sign != '+';
        new_lines += c->rows[i].sign != '-';
    }
    regret_buffer_append(out, "@@ ");
    side(out, '-', c->rows[first].old_line, old_lines);
    regret_buffer_append_char(out, ' ');
    side(out, '+', c->rows[first].new_line, new_lines);
    regret_buffer_append(out, " @@");
    if (style->sections) {
        section(out, c, c->rows[first].old_line);
    }
    regret_buffer_append_char(out, '\n');
    for (size_t i = first; i < end; i++) {
        regret_buffer_append_char(out, c->rows[i].sign);
        regret_buffer_append_n(out, c->rows[i].text.start, c->rows[i].text.length);
        regret_buffer_append_char(out, '\n');
    }
}

/* Changes with at most 2 × context unchanged lines between them share a hunk. */
static void hunks(struct regret_buffer *out, const struct comparison *c,
                  const struct patches_diff_style *style)
{
    for (size_t i = 0; i < c->n_rows;) {
        if (c->rows[i].sign == ' ') {
            i++;
            continue;
        }
        size_t first = i > style->context ? i - style->context : 0, last = i;
        for (size_t k = i; k < c->n_rows && k - last <= 2 * style->context + 1; k++) {
            last = c->rows[k].sign != ' ' ? k : last;
        }
        size_t end = last + 1 + style->context < c->n_rows ? last + 1 + style->context : c->n_rows;
        hunk(out, c, first, end, style);
        i = end;
    }
}

static int diff_file(struct regret_buffer *out, const struct patches_file *before,
                     const struct patches_file *after, const struct patches_diff_style *style)
{
    static const struct patches_file nothing = {.text = REGRET_BUFFER_INIT};
    FREED_BY(comparison_free) struct comparison c = {0};
    TRY(compare(&c, before != NULL ? before : &nothing, after));
    if (style->git) {
        regret_buffer_printf(out, "diff --git a/%s b/%s\n", after->path, after->path);
    }
    if (style->git && before == NULL) {
        regret_buffer_append(out, "new file mode 100644\n");
    }
    regret_buffer_printf(out, before != NULL ? "--- a/%s\n" : "--- /dev/null\n", after->path);
    regret_buffer_printf(out, "+++ b/%s\n", after->path);
    hunks(out, &c, style);
    return regret_buffer_status(out);
}

int patches_diff(struct regret_buffer *out, const struct patches_repository *before,
                 const struct patches_repository *after, const struct patches_diff_style *style)
{
    for (size_t i = 0; i < after->n; i++) {
        const struct patches_file *old = NULL, *new = &after->files[i];
        for (size_t k = 0; k < before->n; k++) {
            if (strcmp(before->files[k].path, new->path) == 0) {
                old = &before->files[k];
            }
        }
        if (old == NULL ||
            strcmp(regret_buffer_get(&old->text), regret_buffer_get(&new->text)) != 0) {
            TRY(diff_file(out, old, new, style));
        }
    }
    return REGRET_OK;
}
