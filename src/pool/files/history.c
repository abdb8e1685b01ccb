#include "pool/files/history.h"

#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/file.h"
#include "regret/hash.h"

/* ---- reading ---- */

static int read_source(struct regret_pool_source *source, const cJSON *e, struct regret_place at)
{
    static const char *const KEYS[] = {"name", "date", "digest"};
    const char *name = NULL, *date = "", *digest = NULL;
    if (!cJSON_IsObject(e)) {
        return regret_json_error(at, "\"from\" holds what is not an object in braces");
    }
    TRY(regret_json_check_keys(e, KEYS, sizeof KEYS / sizeof *KEYS, at));
    TRY(regret_json_get_string(&name, e, "name", at));
    TRY(regret_json_get_string(&digest, e, "digest", at));
    TRY(regret_json_optional_string(&date, e, "date", at));
    snprintf(source->date, sizeof source->date, "%s", date);
    snprintf(source->digest, sizeof source->digest, "%s", digest);
    return strlen(digest) < sizeof source->digest
               ? regret_strdup(&source->name, name)
               : regret_json_error(at, "a digest has more than 32 hexadecimal digits");
}

int pool_read_step(struct regret_pool *pool, size_t i, const cJSON *e, struct regret_place at)
{
    static const char *const KEYS[] = {"pool", "what", "program", "date", "from"};
    struct regret_pool_step *step = &pool->history[i];
    const char *name = NULL, *what = NULL, *program = NULL, *date = NULL;
    const cJSON *from = NULL;
    TRY(regret_json_check_keys(e, KEYS, sizeof KEYS / sizeof *KEYS, at));
    TRY(regret_json_get_string(&name, e, "pool", at));
    TRY(regret_json_get_string(&what, e, "what", at));
    TRY(regret_json_get_string(&program, e, "program", at));
    TRY(regret_json_optional_string(&date, e, "date", at));
    TRY(regret_json_get_array(&from, e, "from", at));
    TRY(regret_strdup(&step->pool, name));
    TRY(regret_strdup(&step->what, what));
    TRY(regret_strdup(&step->program, program));
    TRY(date != NULL ? regret_strdup(&step->date, date) : REGRET_OK);
    size_t n = (size_t)cJSON_GetArraySize(from);
    if (n > REGRET_POOL_MAX_HISTORY) {
        return regret_json_error(at, "\"from\" has %zu entries; at most %d are allowed", n,
                                 REGRET_POOL_MAX_HISTORY);
    }
    TRY(REGRET_NEW(&step->from, n));
    for (const cJSON *s = from->child; s != NULL; s = s->next) {
        TRY(read_source(&step->from[step->n_from++], s, at));
    }
    return REGRET_OK;
}

/* ---- rules ---- */

static int check_line(const char *what, const char *text)
{
    size_t n = text != NULL ? strlen(text) : 0;
    if (n == 0 || n > REGRET_POOL_MAX_LINE || !regret_utf8_valid(text, n, NULL)) {
        return regret_fail(REGRET_E_INPUT, "the %s must be a text of 1 to %d bytes of UTF-8", what,
                           REGRET_POOL_MAX_LINE);
    }
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) {
            return regret_fail(REGRET_E_INPUT,
                               "the %s holds a control character (U+%04X); write it on one line",
                               what, (unsigned)text[i]);
        }
    }
    return REGRET_OK;
}

/* The n digits at `text` as a number within [low, high]. */
static int is_number(const char *text, size_t n, int low, int high)
{
    int value = 0;
    for (size_t i = 0; i < n; i++) {
        value = 10 * value + (text[i] - '0');
    }
    return value >= low && value <= high;
}

/* A day, or a second of one in UTC. */
static int check_date(const char *date)
{
    static const char FORM[] = "dddd-dd-ddTdd:dd:ddZ";
    enum { DAY = 10, SECOND = sizeof FORM - 1 };
    size_t n = strlen(date);
    int good = n == DAY || n == SECOND;
    for (size_t i = 0; good && i < n; i++) {
        good = FORM[i] != 'd' ? date[i] == FORM[i] : date[i] >= '0' && date[i] <= '9';
    }
    good = good && is_number(date + 5, 2, 1, 12) && is_number(date + 8, 2, 1, 31) &&
           (n == DAY || (is_number(date + 11, 2, 0, 23) && is_number(date + 14, 2, 0, 59) &&
                         is_number(date + 17, 2, 0, 60)));
    return good ? REGRET_OK
                : regret_fail(REGRET_E_INPUT,
                              "the date \"%.40s\" must be written YYYY-MM-DD or "
                              "YYYY-MM-DDThh:mm:ssZ",
                              date);
}

static int check_source(const struct regret_pool_source *source)
{
    TRY(check_line("name of a source", source->name));
    TRY(source->date[0] != '\0' ? check_date(source->date) : REGRET_OK);
    return strlen(source->digest) == 32 && strspn(source->digest, "0123456789abcdef") == 32
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "the digest of source \"%.40s\" must be 32 hexadecimal digits in "
                             "lower case",
                             source->name);
}

static int check_step(const struct regret_pool_step *step)
{
    TRY(check_line("name of the pool", step->pool));
    TRY(check_line("text of \"what\"", step->what));
    TRY(check_line("text of \"program\"", step->program));
    TRY(step->date != NULL ? check_date(step->date) : REGRET_OK);
    for (size_t i = 0; i < step->n_from; i++) {
        TRY(check_source(&step->from[i]));
    }
    return REGRET_OK;
}

int pool_check_history(const struct regret_pool_step *history, size_t n)
{
    if (n > REGRET_POOL_MAX_HISTORY) {
        return regret_fail(REGRET_E_INPUT,
                           "the history has more than %d steps; take the oldest out of "
                           "\"history\" in pool.json",
                           REGRET_POOL_MAX_HISTORY);
    }
    for (size_t i = 0; i < n; i++) {
        int rc = check_step(&history[i]);
        TRY(rc != REGRET_OK ? regret_fail_prefix(rc, "history[%zu]", i) : REGRET_OK);
    }
    return REGRET_OK;
}

int pool_same_step(const struct regret_pool_step *a, const struct regret_pool_step *b)
{
    int same = strcmp(a->pool, b->pool) == 0 && strcmp(a->what, b->what) == 0 &&
               strcmp(a->program, b->program) == 0 && a->n_from == b->n_from &&
               strcmp(a->date != NULL ? a->date : "", b->date != NULL ? b->date : "") == 0;
    for (size_t i = 0; same && i < a->n_from; i++) {
        same = strcmp(a->from[i].name, b->from[i].name) == 0 &&
               strcmp(a->from[i].date, b->from[i].date) == 0 &&
               strcmp(a->from[i].digest, b->from[i].digest) == 0;
    }
    return same;
}

/* ---- what a pool is, whenever it was made ---- */

static size_t skip_blanks(const char *text, size_t i)
{
    return i + strspn(text + i, " \t\r\n");
}

/* The end of a member "date": "…" that begins at i, with the comma behind it; i where there is none. */
static size_t end_of_date(const char *text, size_t i)
{
    static const char KEY[] = "\"date\"";
    if (strncmp(text + i, KEY, sizeof KEY - 1) != 0 || (i > 0 && text[i - 1] == '\\')) {
        return i;
    }
    size_t at = skip_blanks(text, i + sizeof KEY - 1);
    at = text[at] == ':' ? skip_blanks(text, at + 1) : at;
    size_t end = text[at] == '"' ? at + 1 + strcspn(text + at + 1, "\"\\") : at;
    if (text[end] != '"' || end == at) {
        return i;
    }
    end = skip_blanks(text, end + 1);
    return text[end] == ',' ? skip_blanks(text, end + 1) : end;
}

static int digest_without_dates(char out[33], const char *path)
{
    FREED_BY(regret_buffer_free) struct regret_buffer kept = REGRET_BUFFER_INIT;
    FREED char *text = NULL;
    size_t length = 0, from = 0, i = 0;
    TRY(regret_file_read(&text, &length, path, REGRET_JSON_MAX_BYTES));
    while (i < length) {
        size_t end = text[i] == '"' ? end_of_date(text, i) : i;
        if (end > i) {
            regret_buffer_append_n(&kept, text + from, i - from);
            from = end;
        }
        i = end > i ? end : i + 1;
    }
    regret_buffer_append_n(&kept, text + from, length - from);
    TRY(regret_buffer_status(&kept));
    regret_digest(out, regret_buffer_get(&kept), kept.length);
    return REGRET_OK;
}

int pool_digest_header(char out[33], const struct regret_pool *pool, const char *path)
{
    return pool->n_history > 0 ? digest_without_dates(out, path) : regret_digest_file(out, path);
}

/* ---- a further step ---- */

static int make_step(struct regret_pool_step *step, const char *what, const char *date,
                     const struct regret_pool_source *from, size_t n_from)
{
    FREED_BY(regret_buffer_free) struct regret_buffer program = REGRET_BUFFER_INIT;
    regret_buffer_printf(&program, "regret %s", regret_version());
    TRY(regret_buffer_status(&program));
    TRY(regret_strdup(&step->program, regret_buffer_get(&program)));
    TRY(regret_strdup(&step->what, what));
    TRY(date != NULL ? regret_strdup(&step->date, date) : REGRET_OK);
    TRY(REGRET_NEW(&step->from, n_from));
    for (; step->n_from < n_from; step->n_from++) {
        struct regret_pool_source *source = &step->from[step->n_from];
        *source = from[step->n_from];
        source->name = NULL;
        TRY(regret_strdup(&source->name, from[step->n_from].name));
    }
    return check_step(step);
}

static void free_step(struct regret_pool_step *step)
{
    regret_free(step->pool);
    regret_free(step->what);
    regret_free(step->program);
    regret_free(step->date);
    for (size_t i = 0; i < step->n_from; i++) {
        regret_free(step->from[i].name);
    }
    regret_free(step->from);
}

int regret_pool_record(struct regret_pool *pool, const char *what, const char *date,
                       const struct regret_pool_source *from, size_t n_from)
{
    FREED_BY(free_step) struct regret_pool_step step = {0};
    if (pool->n_history >= REGRET_POOL_MAX_HISTORY || n_from > REGRET_POOL_MAX_HISTORY) {
        return regret_fail(REGRET_E_INPUT,
                           "pool \"%s\": the history has no room for a step (at most %d, from as "
                           "many sources); take the oldest out of \"history\" in pool.json",
                           pool->name, REGRET_POOL_MAX_HISTORY);
    }
    TRY(regret_strdup(&step.pool, pool->name));
    TRY(make_step(&step, what, date, from, n_from));
    TRY(regret_realloc((void **)&pool->history, pool->n_history + 1, sizeof step,
                       "a step of the history"));
    pool->history[pool->n_history++] = step;
    step = (struct regret_pool_step){0};
    return REGRET_OK;
}

void pool_free_history(struct regret_pool_step *history, size_t n)
{
    for (size_t i = 0; history != NULL && i < n; i++) {
        free_step(&history[i]);
    }
    regret_free(history);
}
