/* Files of queries: a head of comments says what a table or a figure is (docs/extending.md). */
#include <math.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/report.h"
#include "regret/status.h"
#include "report/internal.h"

/* ---- the head ---- */

static const char *const WORDS[N_QUERY_WORDS] = {
    [QUERY_TITLE] = "title",  [QUERY_OTHERWISE] = "otherwise",
    [QUERY_WHEN] = "when",    [QUERY_IDLE] = "idle",
    [QUERY_OF] = "of",        [QUERY_KIND] = "kind",
    [QUERY_DRAW] = "draw",    [QUERY_X] = "x",
    [QUERY_Y] = "y",          [QUERY_INTERVALS] = "intervals",
    [QUERY_FACTS] = "facts",  [QUERY_DECIMALS] = "decimals",
    [QUERY_ACROSS] = "across"};

void query_file_free(struct query_file *q)
{
    for (size_t i = 0; i < N_QUERY_WORDS; i++) {
        regret_free(q->word[i]);
    }
    for (size_t i = 0; i < q->n_formats; i++) {
        regret_free(q->format[i].names);
    }
    regret_free(q->format);
}

/* ".4", "+.3", "~2" (significant digits), "+~2" */
static int add_format(struct query_file *q, const char *entry, size_t line)
{
    const char *colon = strrchr(entry, ':'),
               *p = colon != NULL ? colon + 1 + (colon[1] == ' ') : "";
    struct column_format f = {.flags = *p == '+' ? TABLE_SIGNED : 0};
    p += *p == '+';
    f.flags |= *p == '~' ? TABLE_SIGNIFICANT : 0;
    if ((*p != '.' && *p != '~') || p[1] < '0' || p[1] > '9' || p[2] != '\0') {
        return regret_json_error(
            (struct regret_place){q->name, line},
            "a column is \"column NAME | NAME: FORMAT\", where the format is .4 "
            "(decimals), +.4 (with a sign) or ~3 (significant digits)");
    }
    f.decimals = p[1] - '0';
    TRY(regret_realloc((void **)&q->format, q->n_formats + 1, sizeof *q->format, "columns"));
    TRY(regret_strndup(&f.names, entry, (size_t)(colon - entry)));
    q->format[q->n_formats++] = f;
    return REGRET_OK;
}

int query_entry(struct regret_buffer *out, const char **p)
{
    regret_buffer_clear(out);
    do {
        const char *begin = *p + 2;
        begin += strspn(begin, " ");
        size_t n = strcspn(begin, "\n");
        regret_buffer_append(out, out->length > 0 ? " " : "");
        regret_buffer_append_n(out, begin, n);
        *p = begin + n + (begin[n] == '\n');
    } while (strncmp(*p, "--  ", 4) == 0);
    return regret_buffer_status(out);
}

const char *query_skip_blanks(const char *p)
{
    return p + strspn(p, " \t\r\n;");
}

size_t query_line(const char *text, const char *p)
{
    size_t n = 1;
    for (; text < p; text++) {
        n += *text == '\n';
    }
    return n;
}

static int take_entry(struct query_file *q, const char *entry, size_t line)
{
    for (size_t i = 0; i < N_QUERY_WORDS; i++) {
        size_t n = strlen(WORDS[i]);
        if (strncmp(entry, WORDS[i], n) == 0 && strncmp(entry + n, ": ", 2) == 0 &&
            q->word[i] == NULL) {
            return regret_strdup(&q->word[i], entry + n + 2);
        }
    }
    return strncmp(entry, "column ", 7) == 0 ? add_format(q, entry + 7, line) : REGRET_OK;
}

int query_read(struct query_file *q, const char *name, const char *text)
{
    FREED_BY(regret_buffer_free) struct regret_buffer entry = REGRET_BUFFER_INIT;
    *q = (struct query_file){.name = name, .text = text};
    for (const char *p = query_skip_blanks(text); strncmp(p, "--", 2) == 0;
         p = query_skip_blanks(p)) {
        size_t line = query_line(text, p);
        TRY(query_entry(&entry, &p));
        TRY(take_entry(q, regret_buffer_get(&entry), line));
    }
    return REGRET_OK;
}

/* ---- those that come with the program ---- */

enum { MOST_FILES = 64 };

/* Nothing here wants memory, so that nothing can be missed for want of it. */
struct query_list {
    const char *folder;
    const struct report_file *file[MOST_FILES];
    const char *names[MOST_FILES];
    char stems[MOST_FILES][32];
    size_t n;
};
static struct query_list lists[] = {[QUERY_TABLES] = {.folder = "data/report/tables/"},
                                    [QUERY_FIGURES] = {.folder = "data/report/figures/"}};
static pthread_once_t listed = PTHREAD_ONCE_INIT;

/* What stands behind "-- WORD: " in a line of the text; "" where none has it. */
static const char *word_of(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n') {
        if (strncmp(text, "-- ", 3) == 0 && strncmp(text + 3, word, n) == 0 &&
            strncmp(text + 3 + n, ": ", 2) == 0) {
            return text + 5 + n;
        }
    }
    return text;
}

static int by_order(const void *a, const void *b)
{
    const struct report_file *const *x = a, *const *y = b;
    double i = strtod(word_of((*x)->text, "order"), NULL),
           j = strtod(word_of((*y)->text, "order"), NULL);
    return i < j ? -1 : i > j;
}

/* Files are FOLDER/NAME.sql. */
static void list_folder(struct query_list *l)
{
    size_t length = strlen(l->folder);
    for (const struct report_file *f = report_files; f->name != NULL && l->n < MOST_FILES; f++) {
        if (strncmp(f->name, l->folder, length) == 0) {
            l->file[l->n++] = f;
        }
    }
    qsort(l->file, l->n, sizeof(const struct report_file *), by_order);
    for (size_t i = 0; i < l->n; i++) {
        const char *stem = l->file[i]->name + length;
        snprintf(l->stems[i], sizeof l->stems[i], "%.*s", (int)strcspn(stem, "."), stem);
        l->names[i] = l->stems[i];
    }
}

static void list_files(void)
{
    list_folder(&lists[QUERY_TABLES]);
    list_folder(&lists[QUERY_FIGURES]);
}

size_t query_names(const char *const **out, enum query_folder folder)
{
    (void)pthread_once(&listed, list_files);
    *out = lists[folder].names;
    return lists[folder].n;
}

size_t regret_report_tables(const char *const **out)
{
    return query_names(out, QUERY_TABLES);
}

const char *report_file(const char *name)
{
    const struct report_file *f = report_files;
    while (f->name != NULL && strcmp(f->name, name) != 0) {
        f++;
    }
    return f->text != NULL ? f->text : "";
}

static const struct report_file *find_file(enum query_folder folder, const char *name)
{
    const char *const *all = NULL;
    size_t n = query_names(&all, folder), i = texts_find(all, n, name);
    return i < n ? lists[folder].file[i] : NULL;
}

int query_find(struct query_file *q, enum query_folder folder, const char *name)
{
    const char *const *all = NULL;
    const struct report_file *f = find_file(folder, name);
    size_t n = query_names(&all, folder);
    return f != NULL ? query_read(q, f->name, f->text)
                     : name_unknown(folder == QUERY_TABLES ? "table" : "figure", name, all, n);
}

enum report_part query_part(enum query_folder folder, const char *name)
{
    static const char *const parts[N_PARTS] = {
        [PART_FIRST] = "first", [PART_TAGS] = "tags",     [PART_FAMILIES] = "families",
        [PART_SWEEP] = "sweep", [PART_VALUES] = "values", [PART_DIAGNOSTICS] = "diagnostics",
        [PART_RUN] = "run"};
    const struct report_file *f = find_file(folder, name);
    const char *word = f != NULL ? word_of(f->text, "part") : "";
    size_t n = strcspn(word, "\n");
    for (size_t i = 0; i < N_PARTS; i++) {
        if (strlen(parts[i]) == n && strncmp(parts[i], word, n) == 0) {
            return (enum report_part)i;
        }
    }
    return PART_DIAGNOSTICS;
}

/* ---- what a head says ---- */

/* The first text of a query. */
static int take_text(void *context, sqlite3_stmt *s)
{
    char **out = context;
    return *out == NULL && sqlite3_column_type(s, 0) != SQLITE_NULL
               ? regret_strdup(out, text_at(s, 0))
               : REGRET_OK;
}

int query_said(char **out, const char *entry, const struct query_file *q, struct run_sql *run)
{
    const struct regret_place at = {q->name, 1};
    *out = NULL;
    return entry == NULL ? REGRET_OK
           : strncmp(entry, "SELECT ", 7) != 0
               ? regret_strdup(out, entry)
               : sql_statement(run->sql, &entry, &at, NULL, take_text, out);
}

int query_asks(int *out, enum query_word word, int assumed, const struct query_file *q,
               struct run_sql *run)
{
    FREED char *text = NULL;
    TRY(query_said(&text, q->word[word], q, run));
    *out = q->word[word] == NULL ? assumed : text != NULL && strcmp(text, "0") != 0;
    return REGRET_OK;
}

int query_lists(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = list; p != NULL;
         p = strstr(p, " | ") != NULL ? strstr(p, " | ") + 3 : NULL) {
        if (strncmp(p, name, n) == 0 && (p[n] == '\0' || strncmp(p + n, " | ", 3) == 0)) {
            return 1;
        }
    }
    return 0;
}
