#include "pool/write.h"

#include <cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "pool/check.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"

/* Writes a pool folder. The bytes depend on the pool alone: fixed key order, shortest numbers. */

enum { FLUSH_AT = 1 << 20 }; /* bytes gathered before they are handed to the file */

typedef void row_writer(struct regret_buffer *t, const struct regret_pool *pool, size_t i);

/* The name of a member, and what parts it from the one before. */
static void key(struct regret_buffer *t, const char *name)
{
    int is_first = t->length == 0 || t->data[t->length - 1] == '{';
    regret_buffer_append(t, is_first ? "" : ", ");
    regret_buffer_json_string(t, name);
    regret_buffer_append(t, ": ");
}

static void text_member(struct regret_buffer *t, const char *name, const char *value)
{
    key(t, name);
    regret_buffer_json_string(t, value == NULL ? "" : value);
}

static void number_member(struct regret_buffer *t, const char *name, double value)
{
    key(t, name);
    regret_buffer_json_number(t, value);
}

static void optional_member(struct regret_buffer *t, const char *name, const char *value)
{
    if (value != NULL) {
        text_member(t, name, value);
    }
}

/* The n values from number `first` on, by their names. */
static void values_member(struct regret_buffer *t, const char *name, const struct regret_pool *pool,
                          const double *values, size_t first, size_t n)
{
    key(t, name);
    regret_buffer_append(t, "{");
    for (size_t k = first; k < first + n; k++) {
        number_member(t, regret_pool_value_name(pool, k), values[k]);
    }
    regret_buffer_append(t, "}");
}

static void write_agent(struct regret_buffer *t, const struct regret_pool *pool, size_t i)
{
    const struct regret_agent *a = &pool->agents[i];
    text_member(t, "id", a->id);
    text_member(t, "title", a->title == NULL ? a->id : a->title);
    number_member(t, "cost", a->cost);
}

static void write_component(struct regret_buffer *t, const struct regret_pool *pool, size_t i)
{
    const struct regret_component *c = &pool->components[i];
    text_member(t, "name", c->name);
    number_member(t, "low", c->low);
    number_member(t, "high", c->high);
    regret_buffer_append(t, c->is_turned ? ", \"smaller_is_better\": true" : "");
}

static void write_segment(struct regret_buffer *t, const struct regret_pool *pool, size_t i)
{
    text_member(t, "name", pool->segments[i].name);
    values_member(t, "weights", pool, pool->segments[i].weights, 0, pool->n_components);
}

static void write_column(struct regret_buffer *t, const struct regret_pool *pool, size_t i)
{
    text_member(t, "name", pool->columns[i].name);
    text_member(t, "kind", regret_column_kind_name(pool->columns[i].kind));
}

static void write_step(struct regret_buffer *t, const struct regret_pool *pool, size_t i)
{
    const struct regret_pool_step *step = &pool->history[i];
    text_member(t, "pool", step->pool);
    text_member(t, "what", step->what);
    text_member(t, "program", step->program);
    optional_member(t, "date", step->date);
    key(t, "from");
    for (size_t k = 0; k < step->n_from; k++) {
        const struct regret_pool_source *from = &step->from[k];
        regret_buffer_append(t, k == 0 ? "[{" : ", {");
        text_member(t, "name", from->name);
        optional_member(t, "date", from->date[0] != '\0' ? from->date : NULL); /* never last */
        text_member(t, "digest", from->digest);
        regret_buffer_append(t, "}");
    }
    regret_buffer_append(t, step->n_from == 0 ? "[]" : "]");
}

/* Objects, one a line. */
static void write_list(struct regret_buffer *t, const char *name, const struct regret_pool *pool,
                       size_t n, row_writer *write)
{
    regret_buffer_printf(t, "  \"%s\": [\n", name);
    for (size_t i = 0; i < n; i++) {
        regret_buffer_append(t, "    {");
        write(t, pool, i);
        regret_buffer_append(t, i + 1 < n ? "},\n" : "}\n");
    }
    regret_buffer_append(t, "  ],\n");
}

static void write_names(struct regret_buffer *t, const char *field, char *const *names, size_t n)
{
    regret_buffer_printf(t, "  \"%s\": [", field);
    for (size_t i = 0; i < n; i++) {
        regret_buffer_append(t, i > 0 ? ", " : "");
        regret_buffer_json_string(t, names[i]);
    }
    regret_buffer_append(t, "],\n");
}

static void header_line(struct regret_buffer *t, const char *name, const char *value)
{
    regret_buffer_printf(t, "  \"%s\": ", name);
    regret_buffer_json_string(t, value == NULL ? "" : value);
    regret_buffer_append(t, ",\n");
}

static void write_header(struct regret_buffer *t, const struct regret_pool *pool,
                         const char *contexts_digest, const char *outputs_digest)
{
    regret_buffer_append(t, "{\n");
    header_line(t, "format", REGRET_POOL_FORMAT);
    header_line(t, "name", pool->name);
    header_line(t, "title", pool->title);
    header_line(t, "version", pool->version);
    header_line(t, "licence", pool->licence);
    header_line(t, "source", pool->source);
    regret_buffer_printf(t, "  \"synthetic\": %s,\n", pool->synthetic ? "true" : "false");
    write_list(t, "agents", pool, pool->n_agents, write_agent);
    write_list(t, "components", pool, pool->n_components, write_component);
    write_names(t, "counts", pool->counts, pool->n_counts);
    write_list(t, "segments", pool, pool->n_segments, write_segment);
    write_names(t, "aux", pool->aux, pool->n_aux);
    if (pool->n_columns > 0) {
        write_list(t, "columns", pool, pool->n_columns, write_column);
    }
    if (pool->n_history > 0) {
        write_list(t, "history", pool, pool->n_history, write_step);
    }
    regret_buffer_append(t, "  \"digests\": {");
    text_member(t, "contexts.jsonl", contexts_digest);
    text_member(t, "outputs.jsonl", outputs_digest);
    regret_buffer_append(t, "}\n}\n");
}

static void write_covariates(struct regret_buffer *t, const struct regret_pool *pool, size_t i)
{
    const struct regret_covariate *value = pool->contexts[i].columns;
    key(t, "columns");
    regret_buffer_append(t, "{");
    for (size_t j = 0; j < pool->n_columns; j++) {
        if (pool->columns[j].kind == REGRET_COLUMN_WORD) {
            text_member(t, pool->columns[j].name, value[j].word);
        } else {
            number_member(t, pool->columns[j].name, value[j].number);
        }
    }
    regret_buffer_append(t, "}");
}

static void write_context(struct regret_buffer *t, const struct regret_pool *pool, size_t i)
{
    const struct regret_context *c = &pool->contexts[i];
    regret_buffer_append(t, "{");
    text_member(t, "id", c->id);
    text_member(t, "text", c->text);
    text_store_pass(pool->texts, c->text);
    optional_member(t, "tag", c->tag);
    optional_member(t, "title", c->title);
    if (pool->n_columns > 0) {
        write_covariates(t, pool, i);
    }
    regret_buffer_append(t, "}\n");
}

static void write_output(struct regret_buffer *t, const struct regret_pool *pool, size_t i)
{
    const struct regret_output *o = &pool->outputs[i];
    size_t counts = pool->n_components, aux = counts + pool->n_counts;
    regret_buffer_append(t, "{");
    text_member(t, "context", pool->contexts[o->context].id);
    text_member(t, "agent", pool->agents[o->agent].id);
    regret_buffer_printf(t, ", \"draw\": %u", (unsigned)o->draw);
    text_member(t, "text", o->text);
    text_store_pass(pool->texts, o->text);
    values_member(t, "components", pool, o->values, 0, pool->n_components);
    values_member(t, "counts", pool, o->values, counts, pool->n_counts);
    values_member(t, "aux", pool, o->values, aux, pool->n_aux);
    regret_buffer_append(t, "}\n");
}

static int append_rows(int fd, const char *path, const struct regret_pool *pool,
                       row_writer *write_row, size_t n)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < n; i++) {
        write_row(&text, pool, i);
        if (text.length >= FLUSH_AT || i + 1 == n) {
            TRY(regret_buffer_status(&text));
            TRY(output_write(fd, regret_buffer_get(&text), text.length, path));
            regret_buffer_clear(&text);
        }
    }
    return output_sync(fd, path);
}

/* Writes n rows to folder/name, a megabyte at a time, and leaves the digest of the file. */
static int write_rows(char digest[33], const struct regret_pool *pool, const char *folder,
                      const char *name, row_writer *write_row, size_t n)
{
    char *path = NULL;
    int fd = -1, rc;
    TRY(regret_path_join(&path, folder, name));
    TRY_CLEANUP(output_open(&fd, path, O_WRONLY | O_CREAT | O_EXCL));
    TRY_CLEANUP(append_rows(fd, path, pool, write_row, n));
    int closed = close(fd);
    fd = -1;
    rc = closed == 0 ? regret_digest_file(digest, path)
                     : regret_fail(REGRET_E_IO, "cannot write %s: %s", path, strerror(errno));
cleanup:
    if (fd >= 0) {
        close(fd);
    }
    regret_free(path);
    return rc;
}

static int write_files(const struct regret_pool *pool, const char *folder, const char *card)
{
    char contexts[33] = "", outputs[33] = "";
    FREED_BY(regret_buffer_free) struct regret_buffer header = REGRET_BUFFER_INIT;
    TRY(write_rows(contexts, pool, folder, "contexts.jsonl", write_context, pool->n_contexts));
    TRY(write_rows(outputs, pool, folder, "outputs.jsonl", write_output, pool->n_outputs));
    write_header(&header, pool, contexts, outputs);
    TRY(regret_file_write_text(folder, "pool.json", &header));
    if (card == NULL) {
        return REGRET_OK;
    }
    regret_buffer_clear(&header);
    regret_buffer_append(&header, card);
    return regret_file_write_text(folder, "README.md", &header);
}

/* What the reader would refuse is not written. */
static int check_writable(const struct regret_pool *pool)
{
    TRY(pool_check_parts(pool));
    return pool_check_order(pool, NULL);
}

int pool_write_into(const char *folder, const struct regret_pool *pool, const char *card)
{
    TRY(check_writable(pool));
    return write_files(pool, folder, card);
}

int regret_pool_write(const struct regret_pool *pool, const char *path, const char *card,
                      int replace)
{
    return regret_pool_rewrite(pool, path, card, replace, NULL);
}

int regret_pool_rewrite(const struct regret_pool *pool, const char *path, const char *card,
                        int replace, const struct regret_folder_mark *mark)
{
    struct regret_staging staging = REGRET_STAGING_INIT;
    int rc;
    TRY(check_writable(pool));
    TRY_CLEANUP(regret_staging_begin(&staging, path, replace, POOL_FILES));
    if (mark != NULL) {
        regret_staging_expect(&staging, mark);
    }
    TRY_CLEANUP(write_files(pool, staging.partial, card));
    rc = regret_staging_commit(&staging);
cleanup:
    regret_staging_abandon(&staging);
    return rc;
}

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
    char **const to[] = {&step->pool, &step->what, &step->program};
    const char *text = NULL;
    const cJSON *from = NULL;
    TRY(regret_json_check_keys(e, KEYS, sizeof KEYS / sizeof *KEYS, at));
    for (size_t k = 0; k < sizeof to / sizeof *to; k++) {
        TRY(regret_json_get_string(&text, e, KEYS[k], at));
        TRY(regret_strdup(to[k], text));
    }
    text = NULL;
    TRY(regret_json_optional_string(&text, e, "date", at));
    TRY(text != NULL ? regret_strdup(&step->date, text) : REGRET_OK);
    TRY(regret_json_get_array(&from, e, "from", at));
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

/* ---- what is said of a joined pool ---- */

/* 1 where two steps say the same. */
static int same_step(const struct regret_pool_step *a, const struct regret_pool_step *b)
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

/* 1 where `part` is one of the texts of a list with "; " between them. */
static int is_listed(const char *list, const char *part)
{
    size_t n = strlen(part);
    while (!(strncmp(list, part, n) == 0 && (list[n] == '\0' || strncmp(list + n, "; ", 2) == 0))) {
        list = strstr(list, "; ");
        if (list == NULL) {
            return 0;
        }
        list += 2;
    }
    return 1;
}

/* A licence or a source: of both, "A; B". */
static int join_words(char **words, const char *more)
{
    FREED_BY(regret_buffer_free) struct regret_buffer both = REGRET_BUFFER_INIT;
    char *joined = NULL;
    if (more == NULL || more[0] == '\0' || (*words != NULL && is_listed(*words, more))) {
        return REGRET_OK;
    }
    regret_buffer_append(&both, *words != NULL ? *words : "");
    regret_buffer_printf(&both, "%s%s", both.length > 0 ? "; " : "", more);
    TRY(regret_buffer_status(&both));
    TRY(regret_strdup(&joined, regret_buffer_get(&both)));
    regret_free(*words);
    *words = joined;
    return REGRET_OK;
}

/* Those steps of `more` that the pool lacks, in their order. */
static int join_history(struct regret_pool *pool, struct regret_pool *more)
{
    size_t n = pool->n_history;
    TRY(regret_realloc((void **)&pool->history, n + more->n_history, sizeof *pool->history,
                       "the history of a joined pool"));
    for (size_t i = 0; i < more->n_history; i++) {
        size_t k = 0;
        while (k < n && !same_step(&pool->history[k], &more->history[i])) {
            k++;
        }
        if (k == n) {
            pool->history[pool->n_history++] = more->history[i];
            more->history[i] = (struct regret_pool_step){0};
        }
    }
    return REGRET_OK;
}

int pool_join_said(struct regret_pool *pool, struct regret_pool *more)
{
    TRY(join_words(&pool->licence, more->licence));
    TRY(join_words(&pool->source, more->source));
    TRY(join_history(pool, more));
    pool->synthetic |= more->synthetic;
    pool->digest[0] = '\0';
    return REGRET_OK;
}
