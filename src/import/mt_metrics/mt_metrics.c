#include "import/mt_metrics/mt_metrics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/archive/each.h"
#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

static const char CARD[] =
    "Translations by systems of a WMT metrics task, rated by people, segment by segment, as\n"
    "mt-metrics-eval keeps them. MQM is a penalty: 0 is best, and worse is further below.\n"
    "Texts and ratings belong to the organisers of the task and to those who made them.\n";

/* ---------------------------------------------------------------- the language pair */

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
static const struct importer_option options[] = {
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
    IMPORTER_OPTIONS(options, defaults),
};
