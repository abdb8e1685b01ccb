#include <cJSON.h>
#include <math.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/builder.h"
#include "import/harness.h"
#include "import/importer.h"
#include "import/internal.h"
#include "import/script.h"
#include "import/script_parts.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "table/sql.h"

/* A script over files: its sources become tables, its statements run, and what they put into `answer` goes to the harness. */

FREED_POINTER(struct sql, sql_close)
FREED_POINTER(struct harness, harness_free)
FREED_POINTER(cJSON, cJSON_Delete)

static const char STAGING[] =
    "CREATE TEMP TABLE answer(n INTEGER PRIMARY KEY, file TEXT, line INTEGER, nr INTEGER, task "
    "TEXT, id TEXT, "
    "tag TEXT, place INTEGER, content TEXT, agent TEXT, run TEXT, version TEXT, draw INTEGER, "
    "prompt TEXT, output TEXT, "
    "reference TEXT, scores TEXT, main TEXT, cost REAL, status TEXT)";
static const char *const OTHERS[] = {
    "CREATE TEMP TABLE metric(name TEXT, low REAL, high REAL, lower INTEGER)",
    "CREATE TEMP TABLE keep(name TEXT, use TEXT)",
    "CREATE TEMP TABLE segment(name TEXT, metric TEXT, weight REAL)",
    "CREATE TEMP TABLE agent(name TEXT, title TEXT, cost REAL)",
    "CREATE TEMP TABLE refusal(file TEXT, line INTEGER, message TEXT)",
    "CREATE TEMP TABLE note(file TEXT, line INTEGER, what TEXT, n INTEGER)",
    "CREATE TEMP TABLE card(line TEXT)",
    "CREATE TEMP TABLE written(n INTEGER PRIMARY KEY, name TEXT, text TEXT)"};

/* ---- options and sources ---- */

/* A list as JSON, for json_each(); `more` (NULL: nothing) stands behind it. */
static int put_list(struct sql *sql, const char *name, const struct importer_list *list,
                    const struct importer_list *more)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    size_t n = list->n + (more != NULL ? more->n : 0);
    for (size_t i = 0; i < n; i++) {
        regret_buffer_append(&text, i == 0 ? "[" : ",");
        regret_buffer_json_string(&text, i < list->n ? list->items[i] : more->items[i - list->n]);
    }
    regret_buffer_append(&text, n > 0 ? "]" : "");
    TRY(regret_buffer_status(&text));
    return n > 0 ? sql_set_option(sql, name, regret_buffer_get(&text)) : REGRET_OK;
}

static int put_options(struct sql *sql, const struct script *s, const struct script_values *values)
{
    TRY(values->harness.metrics.n > 0
            ? sql_set_option(sql, "metric", values->harness.metrics.items[0])
            : REGRET_OK);
    TRY(values->harness.lower.n > 0 && values->harness.metrics.n == 0
            ? sql_set_option(sql, "metric", values->harness.lower.items[0])
            : REGRET_OK);
    TRY(put_list(sql, "agent", &values->harness.agents, NULL));
    TRY(put_list(sql, "metrics", &values->harness.metrics, &values->harness.lower));
    for (size_t i = 0; i < s->n_options; i++) {
        const union script_value *v = &values->own[i];
        const struct script_option *o = &s->option[i];
        TRY(o->is_list          ? put_list(sql, o->name, &v->list, NULL)
            : *o->value == '\0' ? sql_set_option(sql, o->name, v->flag ? "1" : NULL)
                                : sql_set_option(sql, o->name, v->string));
    }
    return REGRET_OK;
}

/* One of several words. */
static int check_word(const struct script_option *o, const char *word)
{
    size_t n = word != NULL ? strlen(word) : 0;
    if (word == NULL || strchr(o->value, '|') == NULL) {
        return REGRET_OK;
    }
    for (const char *p = o->value; *p != '\0'; p += strcspn(p, "|"), p += *p == '|') {
        if (strcspn(p, "|") == n && strncmp(p, word, n) == 0) {
            return REGRET_OK;
        }
    }
    return regret_fail(REGRET_E_INPUT, "--%s is %s, not \"%.40s\"", o->name, o->value, word);
}

static const char *option_of(const struct script *s, const struct script_values *values,
                             const char *name)
{
    for (size_t i = 0; i < s->n_options; i++) {
        if (strcmp(s->option[i].name, name) == 0) {
            return values->own[i].string;
        }
    }
    return NULL;
}

/* Data beside a script that comes with the program. */
static const char *text_beside(const char *name)
{
    for (size_t i = 0; script_files[i].name != NULL; i++) {
        if (strcmp(path_last(script_files[i].name), name) == 0) {
            return script_files[i].text;
        }
    }
    return NULL;
}

static int add_source(struct sql *sql, const struct script *s, const struct script_source *source,
                      const struct script_values *values, const char *const *paths, size_t n_paths)
{
    FREED char *beside = NULL;
    const char *path = source->is_option ? option_of(s, values, source->option) : NULL;
    struct sql_source to = {.name = source->name,
                            .kind = source->kind,
                            .paths = paths,
                            .n_paths = n_paths,
                            .patterns = source->patterns,
                            .lists = source->lists,
                            .fields = source->fields,
                            .is_mended = source->is_mended,
                            .without = source->without};
    if (source->beside != NULL && s->is_own) {
        TRY(path_beside(&beside, s->file, source->beside));
        path = beside;
    } else if (source->beside != NULL) {
        to.text = text_beside(source->beside);
    }
    if (source->patterns == NULL) {
        to.paths = &path;
        to.n_paths = path != NULL;
    }
    return sql_add_source(sql, &to);
}

/* A database with the sources, the options and the empty tables of a script. */
static int prepare(struct sql **out, const struct script *s, struct script_values *values,
                   const char *const *paths, size_t n_paths)
{
    FREED_BY(sql_close_at) struct sql *sql = NULL;
    TRY(sql_open(&sql));
    for (size_t i = 0; i < s->n_options; i++) {
        TRY(check_word(&s->option[i], *s->option[i].value != '\0' && !s->option[i].is_list
                                          ? values->own[i].string
                                          : NULL));
    }
    TRY(put_options(sql, s, values));
    TRY(script_add_functions(sql_handle(sql), &values->harness));
    for (size_t i = 0; i < s->n_sources; i++) {
        TRY(add_source(sql, s, &s->source[i], values, paths, n_paths));
    }
    TRY(sql_each(sql, NULL, NULL, "%s", STAGING));
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        TRY(sql_each(sql, NULL, NULL, "%s", OTHERS[i]));
    }
    sql_guard(sql);
    *out = sql;
    sql = NULL;
    return REGRET_OK;
}

/* ---- what the statements have made ---- */

static const char *text_at(sqlite3_stmt *row, int column)
{
    return (const char *)sqlite3_column_text(row, column);
}

static struct regret_place place_at(sqlite3_stmt *row)
{
    const char *file = text_at(row, 0);
    sqlite3_int64 line = sqlite3_column_int64(row, 1);
    return (struct regret_place){file != NULL ? file : "", line > 0 ? (size_t)line : 0};
}

static int take_refusal(void *context, sqlite3_stmt *row)
{
    const struct regret_place at = place_at(row);
    const char *message = text_at(row, 2);
    message = message != NULL ? message : "refused, without a message";
    (void)context;
    return *at.file != '\0' ? regret_json_error(at, "%s", message)
                            : regret_fail(REGRET_E_INPUT, "%s", message);
}

/* Each record of a source is in an answer, or was noted. */
static int check_every(struct sql *sql, const struct script_every *e)
{
    FREED char *lost = NULL;
    TRY(sql_text(
        &lost, sql,
        "SELECT file || ':' || line FROM (SELECT file, line FROM \"%w\" WHERE %s EXCEPT SELECT "
        "file, line FROM (SELECT file, line FROM answer UNION ALL SELECT file, line FROM "
        "note)) ORDER BY met(file), line LIMIT 1",
        e->name, e->where != NULL ? e->where : "1"));
    return lost == NULL ? REGRET_OK
                        : regret_fail(REGRET_E_INPUT,
                                      "%s: a record that the importer makes nothing of; what it "
                                      "belongs to may be missing or cut short",
                                      lost);
}

/* The records of sources without conditions are counted first: reading them anew is for those that lack some. */
static int check_all(struct sql *sql, const struct script *s)
{
    double found = 0.0;
    size_t records = 0, conditions = 0;
    if (s->n_every == 0) {
        return REGRET_OK;
    }
    for (size_t i = 0; i < s->n_every; i++) {
        records += sql_source_records(sql, s->every[i].name);
        conditions += s->every[i].where != NULL;
    }
    TRY(sql_number(&found, sql,
                   "SELECT count(*) FROM (SELECT file, line FROM answer UNION SELECT file, line "
                   "FROM note)"));
    for (size_t i = 0; i < s->n_every && (conditions > 0 || found < (double)records); i++) {
        TRY(check_every(sql, &s->every[i]));
    }
    return REGRET_OK;
}

static int take_note(void *context, sqlite3_stmt *row)
{
    struct harness *h = context;
    const struct regret_place at = place_at(row);
    const char *what = text_at(row, 2);
    sqlite3_int64 n = sqlite3_column_int64(row, 3);
    char where[200];
    what = what != NULL ? what : "records";
    if (*at.file == '\0' || n != 1) {
        return harness_left_out(h, what, n > 0 ? (size_t)n : 0);
    }
    snprintf(where, sizeof where, at.line > 0 ? "%s:%zu" : "%s", at.file, at.line);
    return harness_left_out_at(h, what, where);
}

static double number_at(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL ? NAN
                                                           : sqlite3_column_double(row, column);
}

static int take_metric(void *context, sqlite3_stmt *row)
{
    static const char *const USES[HARNESS_USES] = {[HARNESS_SCORE] = "score",
                                                   [HARNESS_COMPONENT] = "component",
                                                   [HARNESS_COUNT] = "count",
                                                   [HARNESS_AUX] = "aux"};
    const char *name = text_at(row, 0), *use = text_at(row, 5);
    size_t k = use != NULL ? texts_find(USES, HARNESS_USES, use) : HARNESS_SCORE;
    if (k == HARNESS_USES) {
        return regret_fail(REGRET_E_INPUT,
                           "metric \"%.80s\" is used as \"%.40s\"; there are score, component, "
                           "count and aux",
                           name, use);
    }
    return name == NULL ? REGRET_OK
                        : harness_metric(context, name, number_at(row, 1), number_at(row, 2),
                                         sqlite3_column_int(row, 3), sqlite3_column_int(row, 4),
                                         (enum harness_use)k);
}

static int take_segment(void *context, sqlite3_stmt *row)
{
    return harness_segment(context, text_at(row, 0), text_at(row, 1), number_at(row, 2));
}

static int take_agent(void *context, sqlite3_stmt *row)
{
    return harness_agent(context, text_at(row, 0), text_at(row, 1), number_at(row, 2));
}

/* ---- answers ---- */

enum { MOST_SCORES = 1000 };

struct answers {
    struct harness *h;
    struct harness_score score[MOST_SCORES];
    struct regret_buffer reference;
};

/* Appends a score; the main one stands first. */
static int put_score(struct answers *a, size_t *n, const cJSON *v, const char *main,
                     struct regret_place at)
{
    char where[200];
    if (cJSON_IsString(v) || cJSON_IsNull(v)) {
        snprintf(where, sizeof where, "%s:%zu", at.file, at.line);
        return cJSON_IsString(v) ? harness_label(a->h, v->string, v->valuestring, where)
                                 : harness_left_out_at(a->h, "scores that are no numbers", where);
    }
    if (*n == MOST_SCORES) {
        return regret_json_error(at, "more than %d scores of one answer", MOST_SCORES);
    }
    for (size_t i = 0; i < *n; i++) {
        if (strcmp(a->score[i].metric, v->string) == 0 && a->score[i].value != v->valuedouble) {
            return regret_json_error(at, "\"%.80s\" is %.10g and %.10g for one answer", v->string,
                                     a->score[i].value, v->valuedouble);
        }
    }
    a->score[(*n)++] = (struct harness_score){v->string, cJSON_IsNumber(v) ? v->valuedouble
                                                         : cJSON_IsBool(v) ? cJSON_IsTrue(v)
                                                                           : NAN};
    if (main != NULL && strcmp(main, v->string) == 0) {
        struct harness_score first = a->score[0];
        a->score[0] = a->score[*n - 1];
        a->score[*n - 1] = first;
    }
    return REGRET_OK;
}

static int put_scores(struct answers *a, size_t *n, const cJSON *scores, const char *main,
                      struct regret_place at)
{
    for (const cJSON *v = scores != NULL ? scores->child : NULL; v != NULL; v = v->next) {
        TRY(put_score(a, n, v, main, at));
    }
    return REGRET_OK;
}

/* JSON that a script has put together; infinities are numbers there. *out is NULL where it is none. */
static int parse(cJSON **out, const char *text, struct regret_place at)
{
    *out = cJSON_Parse(text);
    if (*out != NULL) {
        return REGRET_OK;
    }
    int rc = regret_json_parse_mode(out, text, strlen(text), at, REGRET_JSON_IMPORT);
    return rc == REGRET_E_INPUT ? REGRET_OK : rc;
}

static int put_reference(struct answers *a, const char *text, struct regret_place at)
{
    FREED_BY(cJSON_Delete_at) cJSON *list = NULL;
    regret_buffer_clear(&a->reference);
    TRY(text != NULL && *text == '[' ? parse(&list, text, at) : REGRET_OK);
    if (list != NULL) {
        references_append_json(&a->reference, list);
    } else if (text != NULL) {
        references_append(&a->reference, text);
    }
    return regret_buffer_status(&a->reference);
}

static int read_numbers(struct harness_answer *to, sqlite3_stmt *row)
{
    sqlite3_int64 draw = sqlite3_column_int64(row, 8);
    int type = sqlite3_column_type(row, 8);
    if ((type != SQLITE_INTEGER && type != SQLITE_NULL) || draw < 0) {
        return regret_json_error(to->at, "draw \"%.40s\" is no whole number of 0 or more",
                                 text_at(row, 8));
    }
    if (sqlite3_column_type(row, 14) == SQLITE_TEXT) {
        return regret_json_error(to->at, "a cost of \"%.40s\"; costs are numbers of 0 or more",
                                 text_at(row, 14));
    }
    to->repeat = (size_t)draw;
    to->cost = number_at(row, 14);
    return REGRET_OK;
}

/* What a status says; *is_out 1: it is no answer, which was noted. */
static int read_state(struct answers *a, struct harness_answer *to, const char *status, int *is_out)
{
    char where[200];
    *is_out = status != NULL && strncmp(status, "out: ", 5) == 0;
    if (*is_out) {
        snprintf(where, sizeof where, "%s:%zu", to->at.file, to->at.line);
        return harness_left_out_at(a->h, status + 5, where);
    }
    to->state = status == NULL || strcmp(status, "ok") == 0 ? HARNESS_ANSWERED
                : strcmp(status, "truncated") == 0          ? HARNESS_TRUNCATED
                                                            : HARNESS_FAILED;
    return to->state != HARNESS_FAILED || strcmp(status, "failed") == 0
               ? REGRET_OK
               : regret_json_error(to->at,
                                   "a status of \"%.40s\"; there are ok, truncated, failed "
                                   "and out: WHY",
                                   status);
}

static int take_answer(void *context, sqlite3_stmt *row)
{
    FREED_BY(cJSON_Delete_at) cJSON *scores = NULL;
    struct answers *a = context;
    int is_out = 0;
    struct harness_answer to = {.task = text_at(row, 2),
                                .id = text_at(row, 3),
                                .tag = text_at(row, 16),
                                .content = text_at(row, 4),
                                .agent = text_at(row, 5),
                                .run = text_at(row, 6),
                                .version = text_at(row, 7),
                                .prompt = text_at(row, 9),
                                .output = text_at(row, 10),
                                .scores = a->score,
                                .at = place_at(row)};
    const char *text = text_at(row, 12);
    if (*to.at.file == '\0') {
        return regret_fail(REGRET_E_INPUT,
                           "an answer without its place: INSERT INTO answer(file, line, …)");
    }
    TRY(read_state(a, &to, text_at(row, 15), &is_out));
    if (is_out) {
        return REGRET_OK;
    }
    TRY(read_numbers(&to, row));
    TRY(put_reference(a, text_at(row, 11), to.at));
    to.reference = references_get(&a->reference);
    TRY(text != NULL ? parse(&scores, text, to.at) : REGRET_OK);
    if (text != NULL && !cJSON_IsObject(scores)) {
        return regret_json_error(to.at, "scores that are no object of JSON: %.80s", text);
    }
    TRY(put_scores(a, &to.n_scores, scores, text_at(row, 13), to.at));
    to.agent = to.agent != NULL ? to.agent : "";
    return harness_add(a->h, &to);
}

static int take_answers(struct harness *h, struct sql *sql)
{
    struct answers *a = NULL;
    TRY(sql_each(
        sql, NULL, NULL,
        "CREATE TEMP TABLE placed AS SELECT n FROM answer ORDER BY place, met(file), line, nr, n"));
    TRY(REGRET_NEW(&a, 1));
    a->h = h;
    int rc = sql_each(sql, take_answer, a,
                      "SELECT file, line, task, id, content, agent, run, version, draw, prompt, "
                      "output, reference, scores, main, cost, status, tag FROM placed CROSS JOIN "
                      "answer "
                      "USING (n) ORDER BY placed.rowid");
    regret_buffer_free(&a->reference);
    regret_free(a);
    return rc;
}

/* ---- files ---- */

static int enter_all(struct names *to, const struct names *from)
{
    uint32_t number = 0;
    for (size_t i = 0; i < from->n; i++) {
        TRY(names_enter(&number, to, from->name[i]));
    }
    return REGRET_OK;
}

static int tell_files(struct harness *h, const struct sql *sql)
{
    const struct names *passed = sql_files(sql, SQL_FILES_PASSED);
    TRY(enter_all(&h->met, sql_files(sql, SQL_FILES_MET)));
    TRY(enter_all(&h->own, sql_files(sql, SQL_FILES_READ)));
    TRY(enter_all(&h->read, sql_files(sql, SQL_FILES_DISK)));
    for (size_t i = 0; i < passed->n; i++) {
        FREED char *what = NULL;
        const char *where = strchr(passed->name[i], '\n');
        TRY(regret_strndup(&what, passed->name[i], (size_t)(where - passed->name[i])));
        TRY(harness_left_out_at(h, what, where + 1));
    }
    return REGRET_OK;
}

static int refuse_no_file(const struct script *s, const char *path)
{
    FREED_BY(regret_buffer_free) struct regret_buffer names = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < s->n_sources; i++) {
        const char *patterns = s->source[i].patterns;
        if (patterns != NULL && strstr(regret_buffer_get(&names), patterns) == NULL) {
            regret_buffer_printf(&names, "%s%s", names.length > 0 ? ", " : "", patterns);
        }
    }
    TRY(regret_buffer_status(&names));
    return regret_fail(REGRET_E_INPUT, "%s has no file that is called as %s reads them: %s", path,
                       s->command, regret_buffer_get(&names));
}

static int take_line(void *context, sqlite3_stmt *row)
{
    const char *line = text_at(row, 0);
    regret_buffer_append_char(context, '\n');
    markdown_escape(context, line != NULL ? line : "");
    return REGRET_OK;
}

/* What the statements made goes to the harness. */
static int hand_over(struct harness *h, struct sql *sql, const struct script *s)
{
    TRY(check_all(sql, s));
    TRY(sql_each(sql, take_note, h,
                 "SELECT file, line, what, n FROM note ORDER BY met(file), line, what"));
    TRY(sql_each(sql, take_metric, h,
                 "SELECT name, max(low), min(high), max(lower), name IN (SELECT main FROM answer), "
                 "max(use) FROM (SELECT name, low, high, lower, NULL AS use, NULL AS n FROM metric "
                 "UNION ALL SELECT DISTINCT main, NULL, NULL, NULL, NULL, NULL FROM answer UNION "
                 "ALL SELECT name, NULL, NULL, NULL, use, rowid FROM keep) GROUP BY name ORDER BY "
                 "min(n) IS NULL, min(n), name"));
    TRY(sql_each(
        sql, take_segment, h,
        "SELECT name, metric, weight FROM segment WHERE name IS NOT NULL AND metric IS NOT "
        "NULL ORDER BY rowid"));
    TRY(sql_each(sql, take_agent, h,
                 "SELECT name, title, cost FROM agent WHERE name IS NOT NULL ORDER BY rowid"));
    TRY(take_answers(h, sql));
    return tell_files(h, sql);
}

/* ---- a log and a trial ---- */

/* What a script makes of them: obs.csv, exp.csv and evaluate.json, which it puts into the table `written`. */

enum { OBS, EXP, CONFIG, MADE };
static const char *const NAMES[MADE] = {
    [OBS] = "obs.csv", [EXP] = "exp.csv", [CONFIG] = "evaluate.json"};

struct made {
    struct regret_buffer text[MADE];
};

static void made_free(struct made *m)
{
    for (size_t i = 0; i < MADE; i++) {
        regret_buffer_free(&m->text[i]);
    }
}

static int take_written(void *context, sqlite3_stmt *row)
{
    struct made *m = context;
    const char *name = (const char *)sqlite3_column_text(row, 0);
    const char *text = (const char *)sqlite3_column_text(row, 1);
    for (size_t i = 0; i < MADE && name != NULL && text != NULL; i++) {
        if (strcmp(name, NAMES[i]) == 0) {
            regret_buffer_append(&m->text[i], text);
            regret_buffer_append_char(&m->text[i], '\n');
        }
    }
    return REGRET_OK;
}

/* The rows below the header. */
static size_t rows_of(struct regret_buffer *text)
{
    size_t n = 0;
    for (const char *p = strchr(regret_buffer_get(text), '\n'); p != NULL;
         p = strchr(p + 1, '\n')) {
        n++;
    }
    return n > 0 ? n - 1 : 0;
}

/* The three files, in a folder that appears whole. */
static int write_files(int *edited, struct made *m, const struct importer_call *call)
{
    FREED_BY(regret_staging_abandon) struct regret_staging staging = REGRET_STAGING_INIT;
    TRY(regret_staging_begin(&staging, call->to, call->replace, "evaluate.json obs.csv exp.csv"));
    TRY(regret_file_write_text(staging.partial, NAMES[OBS], &m->text[OBS]));
    TRY(regret_file_write_text(staging.partial, NAMES[EXP], &m->text[EXP]));
    TRY(kept_config_differs(edited, call->to, NAMES[CONFIG], &m->text[CONFIG]));
    TRY(kept_config_write(staging.partial, NAMES[CONFIG], &m->text[CONFIG], call->to, *edited));
    return regret_staging_commit(&staging);
}

static int write_log(struct sql *sql, const struct importer_call *call)
{
    FREED_BY(made_free)
    struct made m = {{REGRET_BUFFER_INIT, REGRET_BUFFER_INIT, REGRET_BUFFER_INIT}};
    FREED_BY(regret_buffer_free) struct regret_buffer path = REGRET_BUFFER_INIT;
    int edited = 0;
    TRY(sql_each(sql, take_written, &m, "SELECT name, text FROM written ORDER BY n"));
    for (size_t i = 0; i < MADE; i++) {
        TRY(regret_buffer_status(&m.text[i]));
    }
    size_t n_obs = rows_of(&m.text[OBS]), n_exp = rows_of(&m.text[EXP]);
    if (n_obs == 0 || n_exp == 0) {
        return regret_fail(REGRET_E_INPUT, "%s has no %s; give the folder as published", call->from,
                           n_obs == 0 ? "ratings that were chosen" : "random ratings");
    }
    TRY(write_files(&edited, &m, call));
    regret_buffer_printf(call->report,
                         "%s holds obs.csv, %zu ratings that were chosen, exp.csv, %zu drawn at "
                         "random, and evaluate.json; regret recommend ",
                         call->to, n_obs, n_exp);
    regret_buffer_printf(&path, "%s/evaluate.json", call->to);
    shell_word(call->report, regret_buffer_get(&path));
    regret_buffer_append(call->report, " -o evaluated\n");
    if (edited) {
        kept_config_say(call->report, call->to, NAMES[CONFIG]);
    }
    return regret_buffer_status(call->report);
}

int script_run(const struct importer_call *call)
{
    FREED_BY(harness_free_at) struct harness *h = NULL;
    FREED_BY(sql_close_at) struct sql *sql = NULL;
    FREED_BY(regret_buffer_free) struct regret_buffer card = REGRET_BUFFER_INIT;
    const struct script *s = call->importer->script;
    struct script_values *values = call->options;
    TRY(harness_begin(&h, &values->harness));
    TRY(prepare(&sql, s, values, call->paths, call->n_paths));
    sql_guard(sql);
    TRY(sql_run(sql, s->text, &(struct regret_place){s->file, 1}));
    if (sql_files(sql, SQL_FILES_READ)->n == 0) {
        TRY(tell_files(h, sql));
        return harness_tell(h, refuse_no_file(s, call->from));
    }
    TRY(sql_each(sql, take_refusal, NULL,
                 "SELECT file, line, message FROM refusal ORDER BY met(file), line, message"));
    if (s->makes_log) {
        return write_log(sql, call);
    }
    TRY(hand_over(h, sql, s));
    regret_buffer_printf(&card, "Made by `regret %s`. %s\n", s->command,
                         s->card != NULL ? s->card : "");
    TRY(sql_each(sql, take_line, &card, "SELECT '* ' || line FROM card ORDER BY rowid"));
    sql_close(sql);
    sql = NULL;
    TRY(regret_buffer_status(&card));
    const struct import_description description = {
        .name = s->name, .title = s->title, .licence = s->licence, .source = s->origin};
    return harness_finish(h, call, &description, regret_buffer_get(&card));
}

/* ---- which script ---- */

static int take_yes(void *context, sqlite3_stmt *row)
{
    *(int *)context |= sqlite3_column_int(row, 0) != 0;
    return REGRET_OK;
}

/* Whether the script knows the files; what it cannot read it does not know. */
static int knows(int *yes, const struct script *s, const char *const *paths, size_t n_paths)
{
    FREED_BY(sql_close_at) struct sql *sql = NULL;
    *yes = 0;
    if (s->detect == NULL) {
        return REGRET_OK;
    }
    struct script_values values = s->defaults;
    TRY(prepare(&sql, s, &values, paths, n_paths));
    int rc = sql_each(sql, take_yes, yes, "SELECT EXISTS (%s)", s->detect);
    return rc == REGRET_E_INPUT ? REGRET_OK : rc;
}

int script_detect(const struct script **out, const struct script_set *set, const char *const *paths,
                  size_t n_paths)
{
    FREED_BY(regret_buffer_free) struct regret_buffer names = REGRET_BUFFER_INIT;
    size_t n = 0;
    for (size_t i = 0; i < set->n; i++) {
        int yes = 0;
        TRY(knows(&yes, set->script[i], paths, n_paths));
        if (yes) {
            *out = set->script[i];
            regret_buffer_printf(&names, "%s%s", n++ > 0 ? ", " : "", set->script[i]->name);
        }
    }
    TRY(regret_buffer_status(&names));
    return n <= 1 ? REGRET_OK
                  : regret_fail(REGRET_E_INPUT,
                                "%s may be several formats: %s; name one: regret import NAME %s",
                                paths[0], regret_buffer_get(&names), paths[0]);
}
