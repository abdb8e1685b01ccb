#include "import/mt_metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/archive.h"
#include "base/json_tokens.h"
#include "base/names.h"
#include "base/status.h"
#include "import/harness.h"
#include "regret/buffer.h"
#include "regret/status.h"

struct source;

enum mt_tag { MT_TAG_DOMAIN, MT_TAG_DOCUMENT };

/* The kinds of members, by their folders. */
enum mt_kind {
    MT_SOURCES,
    MT_DOCUMENTS,
    MT_REFERENCES,
    MT_SYSTEMS,
    MT_RATINGS,
    MT_METRICS,
    MT_KINDS
};

/* The lines of a member. */
struct mt_text {
    char *name,
        *where; /* of the system or the reference, and for messages; owned, as are the next two */
    char *text;
    char **line; /* each ended by a zero */
    size_t n;
};

/* The scores of a system by one rating, a segment each; NAN where it has none. */
struct mt_scores {
    uint32_t rating, system; /* of `ratings` and `systems` */
    double *value;           /* owned */
    size_t n, capacity;
};

struct mt_data {
    const struct mt_options *options; /* borrowed */
    struct harness *h;
    struct names pairs;
    const char *pair; /* borrowed */
    char *folder;     /* of the test set, within what was opened; owned */
    struct mt_text source, documents, reference;
    struct names references;
    struct mt_text *system; /* owned */
    size_t n_systems, system_capacity;
    struct names ratings, systems; /* of which there are scores */
    struct names rating_files;     /* by number of `ratings` */
    struct mt_scores *scores;      /* one for each rating and system; owned */
    size_t n_scores, scores_capacity;
};

static const char CARD[] =
    "Translations by systems of a WMT metrics task, rated by people, segment by segment, as\n"
    "mt-metrics-eval keeps them. MQM is a penalty: 0 is best, and worse is further below.\n"
    "Texts and ratings belong to the organisers of the task and to those who made them.\n";

/* ---------------------------------------------------------------- the language pair */

/* Texts of a test set. */

static const char *const FOLDERS[MT_KINDS] = {"sources",        "documents",    "references",
                                              "system-outputs", "human-scores", "metric-scores"};

/* Of a member: its kind, MT_KINDS for another; *rest: what follows the folder. */
static enum mt_kind mt_kind_of(const char **place, const char **rest, const char *name)
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

/* Members need not be read for that. */
static int look_at(void *context, struct source *source, const char *name)
{
    struct mt_data *d = context;
    const char *place = NULL, *rest = NULL, *end = strrchr(name, '.');
    char pair[80];
    uint32_t i = 0;
    const enum mt_kind kind = mt_kind_of(&place, &rest, name);
    if (kind == MT_KINDS) {
        return REGRET_OK;
    }
    TRY(source_one_folder(&d->folder, source, name, place));
    if (kind != MT_SOURCES || end == NULL || end < rest || strcmp(end, ".txt") != 0) {
        return REGRET_OK;
    }
    snprintf(pair, sizeof pair, "%.*s", (int)(end - rest), rest);
    return names_enter(&i, &d->pairs, pair);
}

static int choose_pair(struct mt_data *d, const char *path)
{
    char list[400] = "";
    const char *wanted = d->options->pair;
    for (size_t i = 0; i < d->pairs.n; i++) {
        importer_remember(list, sizeof list, d->pairs.name[i]);
        d->pair =
            wanted == NULL || strcmp(wanted, d->pairs.name[i]) == 0 ? d->pairs.name[i] : d->pair;
    }
    if (d->pairs.n == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "%s: no sources/PAIR.txt; give the folder of a test set, such as wmt23",
                           path);
    }
    if (d->pair == NULL) {
        return regret_fail(REGRET_E_INPUT, "%s: no sources of \"%.40s\"; there are: %s", path,
                           wanted, list);
    }
    return wanted != NULL || d->pairs.n == 1
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s: several language pairs; choose one of them by --pair: %s", path,
                             list);
}

/* ---------------------------------------------------------------- what belongs together */

static int check_length(const struct mt_data *d, const struct mt_text *t)
{
    return t->n == d->source.n || t->name == NULL
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s has %zu lines and %s %zu; they must match line by line", t->where,
                             t->n, d->source.where, d->source.n);
}

static int check_scores(const struct mt_data *d, const struct mt_scores *s)
{
    const char *file = d->rating_files.name[s->rating], *system = d->systems.name[s->system];
    size_t i = 0;
    while (i < d->n_systems && strcmp(d->system[i].name, system) != 0) {
        i++;
    }
    if (i == d->n_systems) {
        return regret_fail(REGRET_E_INPUT,
                           "%s rates a system \"%.80s\", and there is no "
                           "system-outputs/%s/%.80s.txt",
                           file, system, d->pair, system);
    }
    return s->n == d->source.n
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s has %zu scores of system \"%.80s\", and %s has %zu lines; "
                             "write None where there is no score",
                             file, s->n, system, d->source.where, d->source.n);
}

static int check(const struct mt_data *d)
{
    TRY(check_length(d, &d->documents));
    TRY(check_length(d, &d->reference));
    for (size_t i = 0; i < d->n_systems; i++) {
        TRY(check_length(d, &d->system[i]));
    }
    for (size_t i = 0; i < d->n_scores; i++) {
        TRY(check_scores(d, &d->scores[i]));
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- answers */

/* What a segment is called, and its tag: of "DOMAIN DOCUMENT" one, the other goes before its number. */
struct segment {
    struct regret_buffer tag, id;
};

static int name_segment(struct segment *s, const struct mt_data *d, size_t k)
{
    regret_buffer_clear(&s->tag);
    regret_buffer_clear(&s->id);
    if (d->documents.line != NULL) {
        const char *domain = d->documents.line[k], *document = domain + strcspn(domain, " \t");
        size_t n = (size_t)(document - domain);
        document += strspn(document, " \t");
        if (n == 0 || *document == '\0') {
            return regret_json_error((struct regret_place){d->documents.where, k + 1},
                                     "must be a domain and the name of a document");
        }
        if (d->options->tag == MT_TAG_DOMAIN) {
            regret_buffer_append_n(&s->tag, domain, n);
            regret_buffer_printf(&s->id, "%s:", document);
        } else {
            regret_buffer_append(&s->tag, document);
        }
    }
    regret_buffer_printf(&s->id, "%zu", k + 1);
    TRY(regret_buffer_status(&s->tag));
    return regret_buffer_status(&s->id);
}

/* The scores of a system, of all its segments: NULL where a rating has none. */
static void find_scores(const struct mt_scores **row, const struct mt_data *d, const char *system)
{
    for (size_t r = 0; r < d->ratings.n; r++) {
        row[r] = NULL;
    }
    for (size_t i = 0; i < d->n_scores; i++) {
        if (strcmp(d->systems.name[d->scores[i].system], system) == 0) {
            row[d->scores[i].rating] = &d->scores[i];
        }
    }
}

static int add_system(struct mt_data *d, const struct mt_text *system, struct segment *s,
                      const struct mt_scores **row, struct harness_score *score)
{
    struct harness_answer answer = {
        .agent = system->name, .cost = NAN, .scores = score, .n_scores = d->ratings.n};
    find_scores(row, d, system->name);
    for (size_t k = 0; k < system->n; k++) {
        TRY(name_segment(s, d, k));
        for (size_t r = 0; r < d->ratings.n; r++) {
            score[r] =
                (struct harness_score){d->ratings.name[r], row[r] != NULL ? row[r]->value[k] : NAN};
        }
        answer.task = s->tag.length > 0 ? regret_buffer_get(&s->tag) : NULL;
        answer.id = regret_buffer_get(&s->id);
        answer.prompt = d->source.line[k];
        answer.reference = d->reference.line != NULL ? d->reference.line[k] : NULL;
        answer.output = system->line[k];
        answer.at = (struct regret_place){system->where, k + 1};
        TRY(harness_add(d->h, &answer));
    }
    return REGRET_OK;
}

static int add_all(struct mt_data *d)
{
    struct segment s = {REGRET_BUFFER_INIT, REGRET_BUFFER_INIT};
    struct harness_score *score = NULL;
    const struct mt_scores **row = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&score, d->ratings.n));
    TRY_CLEANUP(REGRET_NEW(&row, d->ratings.n));
    for (size_t i = 0; i < d->n_systems; i++) {
        const struct mt_text *t = &d->system[i];
        int is_left =
            !d->options->references && id_table_find(&d->references.table, t->name) != SIZE_MAX;
        TRY_CLEANUP(is_left ? harness_left_out(
                                  d->h, "translations by people (--references keeps them)", t->n)
                            : add_system(d, t, &s, row, score));
    }
cleanup:
    regret_buffer_free(&s.tag);
    regret_buffer_free(&s.id);
    regret_free(score);
    regret_free((void *)row);
    return rc;
}

/* ---------------------------------------------------------------- the importer */

/* ---------------------------------------------------------------- lines */

static void mt_text_free(struct mt_text *t)
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

/* The whole member at hand as lines of UTF-8. */
static int mt_read_lines(struct mt_text *out, struct source *source, const char *name,
                         size_t length)
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

/* Scores of segments: a block of lines for each system, "SYSTEM SCORE", in the order of the segments. */

enum { MOST_SYSTEMS = 4096 };

/* The scores of a system by a rating; lines of one stand together, as a rule. */
static int find(size_t *out, struct mt_data *d, uint32_t rating, const char *name,
                struct regret_place at)
{
    uint32_t system = 0;
    TRY(names_enter(&system, &d->systems, name));
    for (size_t i = d->n_scores; i-- > 0;) {
        if (d->scores[i].system == system && d->scores[i].rating == rating) {
            *out = i;
            return REGRET_OK;
        }
    }
    if (system >= MOST_SYSTEMS) {
        return regret_json_error(at, "more than %d systems", MOST_SYSTEMS);
    }
    TRY(regret_grow((void **)&d->scores, &d->scores_capacity, d->n_scores, sizeof *d->scores,
                    "ratings"));
    *out = d->n_scores++;
    d->scores[*out] = (struct mt_scores){.rating = rating, .system = system};
    return REGRET_OK;
}

/* Cuts a line in two where it stands; the score is NAN for None, and no zero has a sign. */
static int read_score(double *out, char *line, struct regret_place at)
{
    char *end = NULL, *score = line + strcspn(line, " \t");
    *out = NAN;
    if (*score != '\0') {
        *score++ = '\0';
        score += strspn(score, " \t");
    }
    if (strcmp(score, "None") == 0 && line[0] != '\0') {
        return REGRET_OK;
    }
    *out = strtod(score, &end) + 0.0;
    return line[0] != '\0' && end != score && end[strspn(end, " \t")] == '\0' && isfinite(*out)
               ? REGRET_OK
               : regret_json_error(at, "must be the name of a system and its score, a number or "
                                       "None");
}

/* Reads "SYSTEM SCORE" lines of a rating into data->scores, and cuts them apart. */
static int mt_read_scores(struct mt_data *d, struct mt_text *text)
{
    uint32_t rating = 0, file = 0;
    size_t before = d->ratings.n;
    TRY(names_enter(&rating, &d->ratings, text->name));
    TRY(names_enter(&file, &d->rating_files, text->where));
    if (rating < before) {
        return regret_fail(REGRET_E_INPUT, "%s: \"%s\" has been read before", text->where,
                           text->name);
    }
    for (size_t k = 0; k < text->n; k++) {
        const struct regret_place at = {text->where, k + 1};
        double value = NAN;
        size_t i = 0;
        TRY(read_score(&value, text->line[k], at));
        TRY(find(&i, d, rating, text->line[k], at));
        struct mt_scores *s = &d->scores[i];
        TRY(regret_grow((void **)&s->value, &s->capacity, s->n, sizeof *s->value, "scores"));
        s->value[s->n++] = value;
    }
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

/* Read a member of the pair: source_member. */
static int mt_read_member(void *context, struct source *source, const char *name)
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

static int read_all(struct mt_data *d, const char *path)
{
    TRY(harness_each(d->h, path, NULL, 0, look_at, d));
    TRY(choose_pair(d, path));
    TRY(harness_each(d->h, path, NULL, 0, mt_read_member, d));
    if (d->n_systems == 0 || d->ratings.n == 0) {
        return regret_fail(REGRET_E_INPUT, "%s: no %s of %s", path,
                           d->n_systems == 0 ? "system-outputs/PAIR/SYSTEM.txt"
                                             : "human-scores/PAIR.RATING.seg.score",
                           d->pair);
    }
    TRY(check(d));
    for (size_t r = 0; r < d->ratings.n; r++) {
        const char *name = d->ratings.name[r];
        TRY(harness_metric(d->h, name, NAN, NAN, 0, strcmp(name, "mqm") == 0));
    }
    return add_all(d);
}

static void free_all(struct mt_data *d)
{
    struct names *names[] = {&d->pairs, &d->references, &d->ratings, &d->systems, &d->rating_files};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        names_free(names[i]);
    }
    for (size_t i = 0; i < d->n_systems; i++) {
        mt_text_free(&d->system[i]);
    }
    for (size_t i = 0; i < d->n_scores; i++) {
        regret_free(d->scores[i].value);
    }
    mt_text_free(&d->source);
    mt_text_free(&d->documents);
    mt_text_free(&d->reference);
    regret_free(d->system);
    regret_free(d->scores);
    regret_free(d->folder);
    harness_free(d->h);
}

static int run(const struct importer_call *call)
{
    FREED_BY(free_all) struct mt_data d = {.options = call->options};
    char title[120];
    TRY(harness_begin(&d.h, &d.options->harness));
    TRY(read_all(&d, call->from));
    snprintf(title, sizeof title, "Translations and their ratings, %s", d.pair);
    return harness_finish(d.h, call, "mt-metrics", title, CARD);
}

static const char *const TAGS[] = {"domain", "document", NULL};
static const struct mt_options defaults = {.pair = NULL};
#define FIELD(name) offsetof(struct mt_options, name)
static const struct importer_option mt_metrics_options[] = {
    {"pair", 'p', IMPORTER_STRING, FIELD(pair), "PAIR",
     "the languages, such as en-de; needed where there are several pairs", 0, 0, NULL, NULL},
    {"tag", 0, IMPORTER_WORD, FIELD(tag), "PART",
     "what the tag of a segment is: domain (default), or document", 0, 0, TAGS, NULL},
    {"references", 0, IMPORTER_FLAG, FIELD(references), NULL,
     "keep people's translations among the systems", 0, 0, NULL, NULL},
    HARNESS_OPTIONS};

const struct importer importer_mt_metrics = {
    .name = "import mt-metrics",
    .synopsis = "FOLDER -o POOL [options]",
    .summary = "WMT metrics data as mt-metrics-eval keeps them: systems by segments, with ratings",
    .detail =
        "A segment is a context, its domain the tag, a system an agent, a rating by people a "
        "score:\n"
        "mqm where there is one, or that of --metric, which may also name a metric of\n"
        "metric-scores, such as COMET-22-refA. None is no score. FOLDER is that of a test set\n"
        "(sources, documents, references, system-outputs, human-scores), or an archive of it.",
    .examples =
        "regret import mt-metrics mt-metrics-eval-v2/wmt22 --pair en-de -o ende\n"
        "regret import mt-metrics wmt22 --pair zh-en --metric mqm=-25:0 --tag document -o zhen",
    .run = run,
    .can_dry_run = 1,
    IMPORTER_OPTIONS(mt_metrics_options, defaults),
};
