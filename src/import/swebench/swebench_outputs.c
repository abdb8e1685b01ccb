/* The second reading of the CSV: patches and values of the rows that are kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "base/files/text_store.h"
#include "import/build/importer.h"
#include "import/swebench/swebench.h"
#include "pool/files/coding_pool.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

/* A reading under way. */
struct reading {
    struct swebench *s;
    struct swebench_table table;
    struct regret_patch_issue **words; /* owned */
    size_t next; /* the row that is waited for; rows are in the order of lines */
};

/* The first `most` bytes at most, up to the end of a line where there is one. */
static size_t shortened(const char *text, size_t length, size_t most)
{
    if (length <= most) {
        return length;
    }
    size_t n = most;
    while (n > 0 && text[n - 1] != '\n') {
        n--;
    }
    for (n = n > 0 ? n : most; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80;) {
        n--; /* not inside a character */
    }
    return n;
}

enum { NAMED = 4 };

/* "ISSUE of RUN", for the first few. */
static void remember_resolved(struct swebench *s, const struct import_row *row)
{
    struct regret_swebench_report *r = &s->report;
    char name[2 * REGRET_POOL_MAX_ID + 8];
    snprintf(name, sizeof name, "%s of %s", s->b.contexts.entry[row->context].id,
             s->runs.entry[row->run].id);
    if (r->resolved_without_diff++ < NAMED) {
        importer_remember(r->resolved_without_diff_are, sizeof r->resolved_without_diff_are, name);
    } else if (r->resolved_without_diff == NAMED + 1) {
        importer_remember(r->resolved_without_diff_are, sizeof r->resolved_without_diff_are, "…");
    }
}

static int fill_row(struct swebench *s, struct regret_patch_issue **words, struct import_row *row,
                    const char *patch, size_t length)
{
    struct import_entry *agent = &s->b.agents.entry[row->agent];
    const char *issue = s->b.contexts.entry[row->context].text;
    size_t changed = 0, files = 0, kept = shortened(patch, length, s->options->max_patch);
    TRY(*words == NULL ? regret_patch_issue_read(words, issue, strlen(issue)) : REGRET_OK);
    TRY(REGRET_NEW(&row->values, CODING_VALUES));
    TRY(row->text != patch || kept < length
            ? text_store_add(&row->text, &s->b.pool->texts, patch, kept)
            : REGRET_OK);
    TRY(coding_values(row->values, &changed, &files, row->flags & SWEBENCH_SUCCESS, patch, length,
                      *words));
    agent->cost += (double)changed;
    agent->costs++;
    s->report.shortened += kept < length;
    s->report.empty += length == 0;
    s->report.without_diff += length > 0 && files == 0;
    if ((row->flags & SWEBENCH_SUCCESS) && files == 0) {
        remember_resolved(s, row);
    }
    s->report.contradictions += (row->flags & SWEBENCH_CONTRADICTS) != 0;
    s->report.unread_tests += (row->flags & SWEBENCH_UNREAD_TESTS) != 0;
    return REGRET_OK;
}

/* Patches of files in Latin-1, or of binary ones, hold bytes that a pool cannot. */
static int fill_repaired(struct swebench *s, struct regret_patch_issue **words,
                         struct import_row *row, const char *patch, size_t length)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    int rc;
    regret_utf8_append_repaired(&text, patch, length);
    TRY_CLEANUP(regret_buffer_status(&text));
    rc = fill_row(s, words, row, text.data, text.length);
    s->report.repaired++;
cleanup:
    regret_buffer_free(&text);
    return rc;
}

int swebench_fill_row(struct swebench *s, struct regret_patch_issue **words, struct import_row *row,
                      const char *patch, size_t length)
{
    words += row->context;
    return memchr(patch, '\0', length) == NULL && regret_utf8_valid(patch, length, NULL)
               ? fill_row(s, words, row, patch, length)
               : fill_repaired(s, words, row, patch, length);
}

int swebench_issues_new(struct regret_patch_issue ***words, const struct swebench *s)
{
    return REGRET_NEW(words, s->b.contexts.n);
}

void swebench_issues_free(struct regret_patch_issue **words, const struct swebench *s)
{
    for (size_t x = 0; words != NULL && x < s->b.contexts.n; x++) {
        regret_patch_issue_free(words[x]);
    }
    regret_free(words);
}

static int changed_underway(const char *path)
{
    return regret_fail(REGRET_E_INPUT, "%s changed while it was read; try again", path);
}

/* The record at hand, if it is the row that is waited for. */
static int take_record(struct reading *r)
{
    struct swebench *s = r->s;
    size_t length = 0;
    if (s->b.rows[r->next].number != regret_csv_line(r->table.csv)) {
        return REGRET_OK;
    }
    struct import_row *row = &s->b.rows[r->next++];
    if (strcmp(swebench_field(&r->table, SWEBENCH_INSTANCE, &length),
               s->b.contexts.entry[row->context].id) != 0 ||
        strcmp(swebench_field(&r->table, SWEBENCH_AGENT, &length), s->runs.entry[row->run].id) !=
            0) {
        return changed_underway(s->path);
    }
    const char *patch = swebench_field(&r->table, SWEBENCH_PATCH, &length);
    return swebench_fill_row(s, r->words, row, patch, length);
}

/* Goes on to the next row that is kept; 0 when there is none. */
static int is_waiting(struct reading *r)
{
    const struct import_builder *b = &r->s->b;
    while (r->next < b->n_rows && !b->rows[r->next].kept) {
        r->next++;
    }
    return r->next < b->n_rows;
}

static int read_table(struct reading *r)
{
    size_t n = 0;
    while (is_waiting(r)) {
        int rc = regret_csv_next(r->table.csv, &n);
        if (rc == REGRET_E_INPUT && r->s->bad.skip && !regret_csv_is_over(r->table.csv)) {
            continue; /* counted the first time */
        }
        TRY(rc);
        if (n == 0) {
            return changed_underway(r->s->path);
        }
        TRY(n == r->table.n_columns ? take_record(r) : REGRET_OK);
    }
    return REGRET_OK;
}

static int by_number(const void *left, const void *right)
{
    const struct import_row *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

int swebench_read_outputs(struct swebench *s)
{
    struct reading r = {.s = s};
    int rc;
    qsort(s->b.rows, s->b.n_rows, sizeof *s->b.rows, by_number);
    TRY_CLEANUP(swebench_issues_new(&r.words, s));
    TRY_CLEANUP(swebench_table_open(&r.table, s->path));
    rc = read_table(&r);
cleanup:
    swebench_issues_free(r.words, s);
    swebench_table_close(&r.table);
    return rc;
}
