/* Texts of a test set. */
#include <string.h>

#include "base/archive/each.h"
#include "base/archive/source.h"
#include "base/core/try.h"
#include "base/json/json_tokens.h"
#include "import/mt_metrics/mt_metrics.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

static const char *const FOLDERS[MT_KINDS] = {"sources",        "documents",    "references",
                                              "system-outputs", "human-scores", "metric-scores"};

enum mt_kind mt_kind_of(const char **place, const char **rest, const char *name)
{
    enum mt_kind kind = MT_SOURCES;
    while (kind < MT_KINDS && (*place = source_part(name, FOLDERS[kind])) == NULL) {
        kind++;
    }
    if (kind < MT_KINDS) {
        *rest = *place + strlen(FOLDERS[kind]);
        kind = **rest == '/' ? kind : MT_KINDS;
        *rest += **rest == '/';
    }
    return kind;
}

/* ---------------------------------------------------------------- lines */

void mt_text_free(struct mt_text *t)
{
    regret_free(t->name);
    regret_free(t->where);
    regret_free(t->text);
    regret_free(t->line);
    *t = (struct mt_text){0};
}

static int check_utf8(const struct mt_text *t, size_t length)
{
    size_t bad = 0;
    if (memchr(t->text, '\0', length) != NULL) {
        return regret_fail(REGRET_E_INPUT, "%s: holds a zero byte; is it a text?", t->where);
    }
    return regret_utf8_valid(t->text, length, &bad)
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT, "%s: byte %zu is not valid UTF-8; convert the file",
                             t->where, bad + 1);
}

/* Cuts the text into lines, where it stands, after a byte order mark. */
static int cut(struct mt_text *t, size_t length)
{
    size_t n = 0;
    char *end = t->text + length, *p = t->text + (json_skip_mark(t->text, end) - t->text);
    for (size_t i = 0; i < length; i++) {
        n += t->text[i] == '\n' || i + 1 == length;
    }
    TRY(REGRET_NEW(&t->line, n + 1));
    while (p < end) {
        char *stop = memchr(p, '\n', (size_t)(end - p));
        stop = stop != NULL ? stop : end;
        t->line[t->n++] = p;
        *stop = '\0';
        if (stop > p && stop[-1] == '\r') {
            stop[-1] = '\0';
        }
        p = stop + 1;
    }
    return REGRET_OK;
}

int mt_read_lines(struct mt_text *out, struct source *source, const char *name, size_t length)
{
    FREED_BY(mt_text_free) struct mt_text t = {0};
    size_t bytes = 0;
    TRY(regret_strdup(&t.name, name));
    t.name[length] = '\0';
    TRY(regret_strdup(&t.where, source_where(source)));
    TRY(source_text(source, &t.text, &bytes, REGRET_JSON_MAX_BYTES));
    TRY(check_utf8(&t, bytes));
    TRY(cut(&t, bytes));
    mt_text_free(out);
    *out = t;
    t = (struct mt_text){0};
    return REGRET_OK;
}

/* ---------------------------------------------------------------- members */

/* "NAME" of "NAME" + end: its bytes, 0 where it has another end or no name. */
static size_t stem_of(const char *rest, const char *end)
{
    size_t n = strlen(rest), m = strlen(end);
    return n > m && strcmp(rest + n - m, end) == 0 ? n - m : 0;
}

/* Of references the first by name is the contexts' own; the names of all are kept. */
static int read_reference(struct mt_data *d, struct source *source, const char *name, size_t length)
{
    struct mt_text t = {0};
    uint32_t i = 0;
    int rc;
    TRY_CLEANUP(mt_read_lines(&t, source, name, length));
    TRY_CLEANUP(names_enter(&i, &d->references, t.name));
    if (d->reference.name == NULL || strcmp(t.name, d->reference.name) < 0) {
        mt_text_free(&d->reference);
        d->reference = t;
        return REGRET_OK;
    }
cleanup:
    mt_text_free(&t);
    return rc;
}

static int read_system(struct mt_data *d, struct source *source, const char *name, size_t length)
{
    TRY(regret_grow((void **)&d->system, &d->system_capacity, d->n_systems, sizeof *d->system,
                    "systems"));
    d->system[d->n_systems] = (struct mt_text){0};
    TRY(mt_read_lines(&d->system[d->n_systems], source, name, length));
    d->n_systems++;
    return REGRET_OK;
}

static int read_scores(struct mt_data *d, struct source *source, const char *name, size_t length)
{
    FREED_BY(mt_text_free) struct mt_text t = {0};
    TRY(mt_read_lines(&t, source, name, length));
    return mt_read_scores(d, &t);
}

/* 1 where users name this metric, with a range or without. */
static int is_named(const struct importer_list *list, const char *name, size_t length)
{
    size_t i = 0;
    while (i < list->n && (strncmp(list->items[i], name, length) != 0 ||
                           (list->items[i][length] != '\0' && list->items[i][length] != '='))) {
        i++;
    }
    return i < list->n;
}

/* Ratings by people all, scores by programs where they are asked for: there are hundreds. */
static int wants_scores(const struct mt_data *d, enum mt_kind kind, const char *name, size_t length)
{
    const struct harness_options *o = &d->options->harness;
    return length > 0 && (kind == MT_RATINGS || is_named(&o->metrics, name, length) ||
                          is_named(&o->lower, name, length));
}

int mt_read_member(void *context, struct source *source, const char *name)
{
    struct mt_data *d = context;
    const char *place = NULL, *rest = NULL;
    const enum mt_kind kind = mt_kind_of(&place, &rest, name);
    size_t n = strlen(d->pair);
    if (kind == MT_KINDS || strncmp(rest, d->pair, n) != 0 ||
        rest[n] != (kind == MT_SYSTEMS || kind == MT_METRICS ? '/' : '.')) {
        return REGRET_OK;
    }
    rest += n + 1;
    const char *end = kind == MT_RATINGS || kind == MT_METRICS ? ".seg.score" : ".txt";
    size_t length = stem_of(rest, end);
    if (kind == MT_SOURCES || kind == MT_DOCUMENTS) {
        TRY(mt_read_lines(kind == MT_SOURCES ? &d->source : &d->documents, source, rest,
                          strlen(rest)));
    } else if (kind == MT_REFERENCES && length > 0) {
        TRY(read_reference(d, source, rest, length));
    } else if (kind == MT_SYSTEMS && length > 0) {
        TRY(read_system(d, source, rest, length));
    } else if (kind != MT_REFERENCES && kind != MT_SYSTEMS && wants_scores(d, kind, rest, length)) {
        TRY(read_scores(d, source, rest, length));
    } else {
        return REGRET_OK;
    }
    return harness_file(d->h, source);
}
