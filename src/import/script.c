#include "import/script.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/harness.h"
#include "import/script_parts.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* The head of a script: lines "-- KEY: …", "-- KEY NAME: …", each of which "--" and three blanks or more continue. */

enum { MOST_BYTES = 1 << 20 };

FREED_POINTER(struct script, script_free)

static const struct importer_option SHARED[] = {HARNESS_OPTIONS};
enum { N_SHARED = sizeof SHARED / sizeof *SHARED };

/* ---- words of a line ---- */

static int is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static const char *skip(const char *p)
{
    return p + strspn(p, " ");
}

/* A word of names at *p. */
static int take_name(char **out, const char **p)
{
    const char *begin = skip(*p);
    *p = begin;
    while (is_name(**p)) {
        ++*p;
    }
    return regret_strndup(out, begin, (size_t)(*p - begin));
}

/* What follows a word, up to another one or the end: "of id, doc". NULL where the word does not come next. */
static int take_after(char **out, const char **p, const char *word, const char *other)
{
    const char *begin = skip(*p);
    size_t n = strlen(word);
    if (strncmp(begin, word, n) != 0) {
        return REGRET_OK;
    }
    begin = skip(begin + n);
    const char *end = other != NULL ? strstr(begin, other) : NULL;
    end = end != NULL ? end : begin + strlen(begin);
    *p = end;
    return regret_strndup(out, begin, (size_t)(end - begin));
}

/* A text in single quotes, behind a comma where one is wanted. */
static int take_quoted(char **out, const char **p, const char *before)
{
    const char *begin = skip(*p);
    size_t n = strlen(before);
    if (strncmp(begin, before, n) != 0) {
        return REGRET_OK;
    }
    begin = skip(begin + n);
    const char *end = *begin == '\'' ? strchr(begin + 1, '\'') : NULL;
    if (end == NULL) {
        return REGRET_OK;
    }
    *p = end + 1;
    return regret_strndup(out, begin + 1, (size_t)(end - begin) - 1);
}

static int refuse(const struct script *s, size_t line, const char *what)
{
    const struct regret_place at = {s->file, line};
    return regret_json_error(at, "%s", what);
}

/* ---- the lines there are ---- */

static int read_kind(struct script_source *source, const char *word)
{
    static const char *const KINDS[SQL_KINDS] = {
        [SQL_JSON] = "json",   [SQL_JSONL] = "jsonl", [SQL_ROWS] = "rows",
        [SQL_LINES] = "lines", [SQL_CELLS] = "cells", [SQL_LIST] = "list"};
    size_t k = texts_find(KINDS, SQL_KINDS, word);
    source->kind = (enum sql_source_kind)k;
    return k < SQL_KINDS;
}

/* "NAME: KIND('PATTERNS'[, 'LISTS']) [mended] [of FIELDS] [without NAMES]", "NAME: KIND(--OPTION)", "NAME: rows(@FILE)". */
static int read_source(struct script *s, const char *p, size_t line)
{
    FREED char *kind = NULL;
    TRY(regret_grow((void **)&s->source, &s->source_capacity, s->n_sources, sizeof *s->source,
                    "sources"));
    struct script_source *source = &s->source[s->n_sources++];
    *source = (struct script_source){.kind = SQL_JSON};
    TRY(take_name(&source->name, &p));
    p = skip(p + (*p == ':'));
    TRY(take_name(&kind, &p));
    if (!read_kind(source, kind) || *p != '(' || *source->name == '\0') {
        return refuse(s, line, "a source is NAME: json|jsonl|rows|lines|cells|list('PATTERN')");
    }
    p = skip(p + 1);
    if (strncmp(p, "--", 2) == 0 || *p == '@') {
        source->is_option = *p == '-';
        size_t begin = source->is_option ? 2 : 1, n = strcspn(p + begin, ")");
        TRY(regret_strndup(source->is_option ? &source->option : &source->beside, p + begin, n));
        p += begin + n;
    } else {
        TRY(take_quoted(&source->patterns, &p, ""));
        TRY(take_quoted(&source->lists, &p, ","));
    }
    p = skip(p);
    int is_good = (source->patterns != NULL || source->option != NULL || source->beside != NULL) &&
                  *p == ')' && (source->kind == SQL_LIST) == (source->lists != NULL);
    p += is_good;
    source->is_mended = strncmp(skip(p), "mended", 6) == 0;
    p = source->is_mended ? skip(p) + 6 : p;
    TRY(take_after(&source->fields, &p, "of ", " without "));
    TRY(take_after(&source->without, &p, "without ", NULL));
    return is_good && *skip(p) == '\0'
               ? REGRET_OK
               : refuse(s, line,
                        "a source is NAME: KIND('PATTERN|PATTERN') [of FIELDS] [without NAMES], a "
                        "list KIND('PATTERN', '$.LIST')");
}

/* "NAME [VALUE]: HELP"; VALUE "A|B" are words, "PATTERN..." may be given many times, none: a flag. */
static int read_option(struct script *s, const char *p, size_t line)
{
    struct script_option *o = &s->option[s->n_options];
    const char *colon = strchr(p, ':');
    if (s->n_options == SCRIPT_MOST_OPTIONS || colon == NULL) {
        return refuse(s, line, "an option is NAME [VALUE]: HELP, and a script has 8 at most");
    }
    s->n_options++;
    TRY(take_name(&o->name, &p));
    for (size_t i = 0; i < N_SHARED; i++) {
        if (strcmp(SHARED[i].name, o->name) == 0) {
            return refuse(s, line, "an option of this name is one that all importers have");
        }
    }
    p = skip(p);
    TRY(regret_strndup(&o->value, p, p < colon ? (size_t)(colon - p) : 0));
    TRY(regret_strdup(&o->help, skip(colon + 1)));
    size_t n = strlen(o->value);
    o->is_list = n > 3 && strcmp(o->value + n - 3, "...") == 0;
    if (o->is_list) {
        o->value[n - 3] = '\0';
    }
    return REGRET_OK;
}

/* Appends a paragraph, or a line. */
static int append(char **text, const char *more)
{
    FREED_BY(regret_buffer_free) struct regret_buffer both = REGRET_BUFFER_INIT;
    regret_buffer_append(&both, *text != NULL ? *text : "");
    regret_buffer_append(&both, *text != NULL ? "\n" : "");
    regret_buffer_append(&both, more);
    regret_free(*text);
    *text = NULL;
    return text_take(text, &both);
}

/* "every NAME [where CONDITION]", of a source that stands before. */
static int read_every(struct script *s, const char *p, size_t line)
{
    struct script_every *e = &s->every[s->n_every];
    size_t i = 0;
    if (s->n_every == SCRIPT_MOST_EVERY) {
        return refuse(s, line, "more than 8 lines \"every\"");
    }
    s->n_every++;
    TRY(take_name(&e->name, &p));
    TRY(take_after(&e->where, &p, "where ", NULL));
    while (i < s->n_sources && strcmp(s->source[i].name, e->name) != 0) {
        i++;
    }
    return i < s->n_sources && *skip(p) == '\0'
               ? REGRET_OK
               : refuse(s, line,
                        "every NAME [where CONDITION] is of a source, which stands before");
}

static int read_entry(struct script *s, const char *entry, size_t line)
{
    static const char *const KEYS[] = {
        "title:", "card:", "docs:", "licence:", "origin:", "example:", "detect:"};
    char **texts[] = {&s->title,  &s->card,     &s->docs,  &s->licence,
                      &s->origin, &s->examples, &s->detect};
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
        size_t n = strlen(KEYS[i]);
        if (strncmp(entry, KEYS[i], n) == 0) {
            return append(texts[i], skip(entry + n));
        }
    }
    if (strcmp(entry, "makes: log") == 0) {
        s->makes_log = 1;
        return REGRET_OK;
    }
    if (strncmp(entry, "source ", 7) == 0) {
        return read_source(s, entry + 7, line);
    }
    if (strncmp(entry, "option ", 7) == 0) {
        return read_option(s, entry + 7, line);
    }
    if (strncmp(entry, "every ", 6) == 0) {
        return read_every(s, entry + 6, line);
    }
    return refuse(s, line,
                  "a line of the head begins with title:, docs:, card:, licence:, origin:, "
                  "example:, detect:, makes:, source, every or option");
}

/* The lines of comments that the text begins with. */
static int read_head(struct script *s)
{
    FREED_BY(regret_buffer_free) struct regret_buffer entry = REGRET_BUFFER_INIT;
    size_t line = 1, begin = 1;
    for (const char *p = s->text; strncmp(p, "--", 2) == 0; line++) {
        size_t n = strcspn(p, "\n"), margin = strspn(p + 2, " ");
        int is_more = margin >= 3 && entry.length > 0;
        if (!is_more && entry.length > 0) {
            TRY(read_entry(s, regret_buffer_get(&entry), begin));
            regret_buffer_clear(&entry);
        }
        begin = is_more ? begin : line;
        regret_buffer_append(&entry, is_more ? " " : "");
        regret_buffer_append_n(&entry, p + 2 + margin, n - 2 - margin);
        TRY(regret_buffer_status(&entry));
        p += n + (p[n] == '\n');
    }
    TRY(entry.length > 0 ? read_entry(s, regret_buffer_get(&entry), begin) : REGRET_OK);
    return s->title != NULL && s->n_sources > 0
               ? REGRET_OK
               : refuse(s, 1, "the head of a script has a title and a source at least");
}

/* ---- the importer ---- */

static void make_option(struct importer_option *to, const struct script_option *o, size_t i)
{
    *to = (struct importer_option){.name = o->name,
                                   .type = o->is_list          ? IMPORTER_LIST
                                           : *o->value == '\0' ? IMPORTER_FLAG
                                                               : IMPORTER_STRING,
                                   .offset = offsetof(struct script_values, own) +
                                             i * sizeof(union script_value),
                                   .value = *o->value != '\0' ? o->value : NULL,
                                   .help = o->help};
}

static int make_importer(struct script *s)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    size_t first = s->makes_log ? N_SHARED - 1 : 0, n_shared = N_SHARED - first; /* --force */
    TRY(REGRET_NEW(&s->options, n_shared + s->n_options));
    memcpy(s->options, SHARED + first, n_shared * sizeof *SHARED);
    for (size_t i = 0; i < s->n_options; i++) {
        make_option(&s->options[n_shared + i], &s->option[i], i);
    }
    regret_buffer_printf(&text, "import %s", s->name);
    TRY(text_take(&s->command, &text));
    text_wrap(&text, s->card != NULL ? s->card : s->title, &(struct text_margins){96, 0, 0});
    TRY(text_take(&s->detail, &text));
    s->importer = (struct importer){.name = s->command,
                                    .synopsis = s->makes_log ? "PATH... -o DIR [options]"
                                                             : "PATH... -o POOL [options]",
                                    .summary = s->title,
                                    .detail = s->detail,
                                    .examples = s->examples,
                                    .options = s->options,
                                    .n_options = n_shared + s->n_options,
                                    .defaults = &s->defaults,
                                    .size = sizeof s->defaults,
                                    .can_dry_run = !s->makes_log,
                                    .makes_log = s->makes_log,
                                    .takes_many = 1,
                                    .script = s,
                                    .run = script_run};
    return REGRET_OK;
}

/* The file's name without its folder and its end. */
static int name_script(struct script *s)
{
    const char *last = path_last(s->file);
    size_t n = strlen(last), end = n > 4 && strcmp(last + n - 4, ".sql") == 0 ? 4 : 0;
    return regret_strndup(&s->name, last, n - end);
}

static int make(struct script **out, const char *file, const char *text)
{
    FREED_BY(script_free_at) struct script *s = NULL;
    TRY(REGRET_NEW(&s, 1));
    TRY(regret_strdup(&s->file, file));
    TRY(regret_strdup(&s->text, text));
    TRY(name_script(s));
    TRY(read_head(s));
    TRY(make_importer(s));
    *out = s;
    s = NULL;
    return REGRET_OK;
}

int script_read(struct script **out, const char *path)
{
    FREED char *text = NULL;
    size_t length = 0, bad = 0;
    TRY(regret_file_read(&text, &length, path, MOST_BYTES));
    if (strlen(text) != length || !regret_utf8_valid(text, length, &bad)) {
        return regret_fail(REGRET_E_INPUT, "%s is no text in UTF-8", path);
    }
    TRY(make(out, path, text));
    (*out)->is_own = 1;
    return REGRET_OK;
}

void script_free(struct script *s)
{
    if (s == NULL) {
        return;
    }
    for (size_t i = 0; i < s->n_sources; i++) {
        struct script_source *source = &s->source[i];
        char *texts[] = {source->name,    source->patterns, source->lists, source->fields,
                         source->without, source->option,   source->beside};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            regret_free(texts[k]);
        }
    }
    for (size_t i = 0; i < s->n_options; i++) {
        regret_free(s->option[i].name);
        regret_free(s->option[i].value);
        regret_free(s->option[i].help);
    }
    for (size_t i = 0; i < SCRIPT_MOST_EVERY; i++) {
        regret_free(s->every[i].name);
        regret_free(s->every[i].where);
    }
    void *texts[] = {s->source,   s->options, s->file,    s->text,    s->name,
                     s->title,    s->card,    s->docs,    s->licence, s->origin,
                     s->examples, s->detect,  s->command, s->detail};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        regret_free(texts[i]);
    }
    regret_free(s);
}

const struct importer *script_importer(const struct script *s)
{
    return &s->importer;
}

/* ---- those that come with the program ---- */

static int by_name(const void *left, const void *right)
{
    const struct script *const *a = left, *const *b = right;
    return strcmp((*a)->name, (*b)->name);
}

int script_set_read(struct script_set *out)
{
    *out = (struct script_set){0};
    for (size_t i = 0; script_files[i].name != NULL; i++) {
        const char *name = script_files[i].name;
        size_t n = strlen(name);
        if (n < 4 || strcmp(name + n - 4, ".sql") != 0) {
            continue;
        }
        TRY(regret_grow((void **)&out->script, &out->capacity, out->n, sizeof *out->script,
                        "importers"));
        TRY(make(&out->script[out->n], name, script_files[i].text));
        out->n++;
    }
    if (out->n > 0) {
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
        qsort(out->script, out->n, sizeof *out->script, by_name);
    }
    return REGRET_OK;
}

void script_set_free(struct script_set *set)
{
    for (size_t i = 0; i < set->n; i++) {
        script_free(set->script[i]);
    }
    regret_free(set->script);
    *set = (struct script_set){0};
}
