#include "import/inspect.h"

#include <cJSON.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/archive.h"
#include "base/json_array.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/harness.h"
#include "import/metrics.h"
#include "import/table_source.h"
#include "import/table_wide.h"
#include "regret/status.h"

/* Inspect's logs: reading their samples, and the command line. */

struct inspect_logs {
    const char *path;        /* where they are; borrowed */
    struct inspect_log *log; /* owned */
    size_t n, capacity;
    size_t last; /* the one found last */
};

/* What a member of a source is, by its name: */
enum inspect_part {
    INSPECT_HEADER,   /* of an archive: what it says of itself */
    INSPECT_SAMPLE,   /* of an archive */
    INSPECT_DOCUMENT, /* JSON that may be a whole log */
    INSPECT_OTHER
};

FREED_POINTER(cJSON, cJSON_Delete)

static const char CARD[] = "Contexts are samples, tagged by their task; agents are models, with "
                           "solver and settings where a\n"
                           "model answered one task with several. Scores are scorers': C, I, P and "
                           "N are 1, 0, 1/2 and 0,\n"
                           "keys of a score are scores of their own. Epochs are draws. The cost of "
                           "an agent is the mean of\n"
                           "its answers' tokens, or of what they cost where prices were given or "
                           "the log's were asked for.\n";

struct import {
    const struct inspect_options *options;
    const char *path;
    struct harness *harness;
    struct inspect_logs logs;
    struct inspect_log *log; /* of the document at hand */
    struct prices prices;
};

static int add(struct import *s, struct inspect_log *log, const cJSON *sample,
               struct regret_place at)
{
    log->samples++;
    return inspect_add_sample(s->harness, log, sample, &s->prices, s->options, at);
}

static int read_sample(struct import *s, struct inspect_log *log, struct source *source)
{
    const struct regret_place at = {source_where(source), 0};
    FREED char *text = NULL;
    size_t length = 0;
    FREED_BY(cJSON_Delete_at) cJSON *sample = NULL;
    TRY(source_text(source, &text, &length, REGRET_JSON_MAX_BYTES));
    TRY(json_pick(&sample, text, length, at, 1, INSPECT_SAMPLE_FIELDS, INSPECT_N_SAMPLE_FIELDS));
    return add(s, log, sample, at);
}

static int see_sample(void *context, const cJSON *sample, struct regret_place at)
{
    struct import *s = context;
    return add(s, s->log, sample, at);
}

static const char *const LOG_FIELDS[] = {"version", "status", "eval", "plan"};
enum { N_LOG_FIELDS = sizeof LOG_FIELDS / sizeof *LOG_FIELDS };

/* A document of which the samples are read one at a time; *found 0: it is no log, or has none. `before` as
 * json_array_seek() has it, with the fields that a log says of itself. */
static int inspect_open_document(struct json_array *array, int *found, cJSON **before,
                                 struct source *source)
{
    struct regret_jsonl *lines = NULL;
    *found = 0;
    TRY(source_jsonl(source, &lines));
    if (regret_jsonl_peek(lines) == '[') { /* some other JSON that lies beside logs */
        return REGRET_OK;
    }
    *array = (struct json_array){.reader = lines,
                                 .path = source_where(source),
                                 .fields = INSPECT_SAMPLE_FIELDS,
                                 .n_fields = INSPECT_N_SAMPLE_FIELDS};
    return json_array_seek(array, found, before, "samples", LOG_FIELDS, N_LOG_FIELDS);
}

static int read_document(struct import *s, struct inspect_log *log, struct source *source)
{
    struct json_array array;
    cJSON *before = NULL;
    int found = 0;
    int rc = inspect_open_document(&array, &found, &before, source);
    cJSON_Delete(before);
    TRY(rc);
    s->log = log;
    return found ? json_array_each(&array, see_sample, s) : REGRET_OK;
}

/* What members of a log are called, in an archive and where one was unpacked. */

/* The last n parts of a path; NULL: it has fewer. */
static const char *last_parts(const char *name, size_t n)
{
    const char *p = name + strlen(name);
    while (n > 0 && p > name) {
        p--;
        n -= *p == '/' || p == name;
    }
    return n > 0 ? NULL : p + (*p == '/');
}

/* The last "samples/" that is a folder: ids of samples may have slashes of their own. */
static const char *samples_folder(const char *name)
{
    const char *found = NULL, *p = name;
    while ((p = strstr(p, "samples/")) != NULL) {
        found = p == name || p[-1] == '/' ? p : found;
        p++;
    }
    return found;
}

/* Of a member of `path`. *prefix: the bytes before what an archive calls it; of a document all of it. */
static enum inspect_part inspect_part_of(const char *name, const char *path, size_t *prefix)
{
    static const struct {
        const char *pattern;
        size_t parts;
    } HEADERS[] = {{"_journal/start.json", 2}, {"header.json", 1}, {"start.json", 1}};
    const char *base = last_parts(name, 1), *samples = samples_folder(name);
    *prefix = strlen(name);
    for (size_t i = 0; i < sizeof HEADERS / sizeof *HEADERS; i++) {
        const char *tail = last_parts(name, HEADERS[i].parts);
        if (tail != NULL && strcmp(tail, HEADERS[i].pattern) == 0) {
            *prefix = (size_t)(tail - name);
            return INSPECT_HEADER;
        }
    }
    if (samples != NULL && fnmatch("*_epoch_*.json", base, 0) == 0) {
        *prefix = (size_t)(samples - name);
        return INSPECT_SAMPLE;
    }
    return fnmatch("*.eval", path, 0) == 0 || strstr(name, ".eval/") != NULL ? INSPECT_OTHER
                                                                             : INSPECT_DOCUMENT;
}

/* The log that a member with this prefix is of; NULL: none. */
/* Samples of a log come one after the other: the one found last is looked at first. */
static struct inspect_log *inspect_find_log(struct inspect_logs *logs, const char *name,
                                            size_t prefix)
{
    for (size_t k = 0; k < logs->n; k++) {
        size_t i = (logs->last + k) % logs->n;
        struct inspect_log *log = &logs->log[i];
        if (strncmp(log->name, name, prefix) == 0 && log->name[prefix] == '\0') {
            logs->last = i;
            return log;
        }
    }
    return NULL;
}

static int read_member(void *context, struct source *source, const char *name)
{
    struct import *s = context;
    size_t prefix = 0;
    int wants = 0;
    enum inspect_part part = inspect_part_of(name, s->path, &prefix);
    struct inspect_log *log = inspect_find_log(&s->logs, name, prefix);
    if (part == INSPECT_SAMPLE && log == NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "%s is a sample of a log that has neither header.json nor "
                           "_journal/start.json: which model it is of is not said",
                           source_where(source));
    }
    TRY(log != NULL || part == INSPECT_OTHER ? harness_own(s->harness, source) : REGRET_OK);
    TRY(log != NULL ? harness_wants(&wants, s->harness, log->task, log->agent) : REGRET_OK);
    if (!wants) {
        return REGRET_OK;
    }
    TRY(harness_file(s->harness, source));
    return part == INSPECT_SAMPLE     ? read_sample(s, log, source)
           : part == INSPECT_DOCUMENT ? read_document(s, log, source)
                                      : REGRET_OK;
}

/* The model of a log without samples would vanish unnoticed. */
static int tell_empty(const struct import *s)
{
    char what[80];
    for (size_t i = 0; i < s->logs.n; i++) {
        const struct inspect_log *log = &s->logs.log[i];
        snprintf(what, sizeof what, "logs without samples (status %.20s)", log->status);
        int wants = 0;
        TRY(harness_wants(&wants, s->harness, log->task, log->agent));
        TRY(log->samples == 0 && wants
                ? harness_left_out_at(s->harness, what, log->name[0] != '\0' ? log->name : s->path)
                : REGRET_OK);
    }
    return REGRET_OK;
}
/* Names of their members. */
static const char *const INSPECT_FILES[] = {"*.json"};

/* What logs say of themselves, which their samples do not repeat. */

enum { NEWEST = 3 }; /* version of logs */

/* ---- Names of tasks and agents ---- */

/* What says how requests are sent, and nothing of what comes back. */
static int is_plumbing(const char *name)
{
    static const char *const NAMES[] = {
        "max_connections", "max_retries",  "timeout", "attempt_timeout",
        "batch",           "cache_prompt", "cache",   "adaptive_connections"};
    return texts_have(NAMES, sizeof NAMES / sizeof *NAMES, name);
}

/* Appends "a=1, b=x" of an object that has these. */
static int append_pairs(struct regret_buffer *t, const cJSON *object)
{
    char scratch[JSON_SCRATCH];
    for (const cJSON *v = cJSON_IsObject(object) ? object->child : NULL; v != NULL; v = v->next) {
        if (cJSON_IsNull(v) || is_plumbing(v->string)) {
            continue;
        }
        const char *text = json_text(scratch, v);
        char *printed = text == NULL ? cJSON_PrintUnformatted(v) : NULL;
        if (text == NULL && printed == NULL) {
            return regret_fail(REGRET_E_NOMEM, "out of memory: settings of a log");
        }
        regret_buffer_printf(t, "%s%s=%s", t->length > 0 ? ", " : "", v->string,
                             text != NULL ? text : printed);
        cJSON_free(printed);
    }
    return regret_buffer_status(t);
}

/* "task", or "task (a=1)" with the arguments that it was given. */
static int name_task(char **out, const cJSON *eval, struct regret_place at)
{
    FREED_BY(regret_buffer_free) struct regret_buffer pairs = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer name = REGRET_BUFFER_INIT;
    const cJSON *passed = json_member(eval, "task_args_passed");
    const char *task = NULL;
    TRY(regret_json_get_string(&task, eval, "task", at));
    TRY(append_pairs(&pairs, passed != NULL ? passed : json_member(eval, "task_args")));
    regret_buffer_append(&name, task);
    if (pairs.length > 0) {
        regret_buffer_printf(&name, " (%s)", regret_buffer_get(&pairs));
    }
    return text_take(out, &name);
}

static int read_settings(char **out, const cJSON *eval, const cJSON *plan)
{
    FREED_BY(regret_buffer_free) struct regret_buffer t = REGRET_BUFFER_INIT;
    const cJSON *solver = json_member(eval, "solver");
    if (cJSON_IsString(solver)) {
        regret_buffer_append(&t, solver->valuestring);
    }
    TRY(append_pairs(&t, json_member(eval, "solver_args_passed")));
    TRY(append_pairs(&t, json_member(eval, "model_args")));
    TRY(append_pairs(&t, json_member(eval, "model_generate_config")));
    TRY(append_pairs(&t, json_member(plan, "config")));
    return text_take(out, &t);
}

/* Marks the logs of models that answered one task with two settings. */
static void mark_split(struct inspect_logs *logs)
{
    for (size_t i = 0; i < logs->n; i++) {
        for (size_t k = 0; k < i; k++) {
            struct inspect_log *a = &logs->log[i], *b = &logs->log[k];
            if (strcmp(a->model, b->model) == 0 && strcmp(a->task, b->task) == 0 &&
                strcmp(a->settings, b->settings) != 0) {
                a->is_split = b->is_split = 1;
            }
        }
    }
}

static int has_split(const struct inspect_logs *logs, const char *model)
{
    size_t i = 0;
    while (i < logs->n && (!logs->log[i].is_split || strcmp(logs->log[i].model, model) != 0)) {
        i++;
    }
    return i < logs->n;
}

static int name_agents(struct inspect_logs *logs)
{
    mark_split(logs);
    for (size_t i = 0; i < logs->n; i++) {
        struct inspect_log *log = &logs->log[i];
        struct regret_buffer t = REGRET_BUFFER_INIT;
        regret_buffer_append(&t, log->model);
        if (log->settings[0] != '\0' && has_split(logs, log->model)) {
            regret_buffer_printf(&t, " (%s)", log->settings);
        }
        TRY(text_take(&log->agent, &t));
    }
    return REGRET_OK;
}

/* ---- Reading ---- */

static int check_version(const cJSON *json, struct regret_place at)
{
    long long version = 1;
    TRY(regret_json_optional_integer(&version, json, "version", 0, INT32_MAX, at));
    return version <= NEWEST
               ? REGRET_OK
               : regret_json_error(at,
                                   "a log of version %lld; up to %d can be read: write it anew "
                                   "with an Inspect that writes that",
                                   version, NEWEST);
}

/* How it ended, which the header at an archive's beginning does not know. */
static int read_status(struct inspect_log *log, const cJSON *json)
{
    const char *status = cJSON_GetStringValue(json_member(json, "status"));
    if (log->status != NULL && status == NULL) {
        return REGRET_OK;
    }
    regret_free(log->status);
    log->status = NULL;
    return regret_strdup(&log->status, status != NULL ? status : "started");
}

/* A log by what it says of itself: a header, or what stands before the samples of a document. */
static int add_log(struct inspect_logs *logs, const char *name, size_t prefix, const cJSON *json,
                   struct regret_place at)
{
    char scratch[JSON_SCRATCH];
    const cJSON *eval = NULL;
    const char *model = NULL;
    TRY(check_version(json, at));
    TRY(regret_json_get_object(&eval, json, "eval", at));
    TRY(regret_json_get_string(&model, eval, "model", at));
    TRY(regret_grow((void **)&logs->log, &logs->capacity, logs->n, sizeof *logs->log, "logs"));
    struct inspect_log *log = &logs->log[logs->n++];
    *log = (struct inspect_log){0};
    TRY(regret_strndup(&log->name, name, prefix));
    TRY(read_status(log, json));
    TRY(name_task(&log->task, eval, at));
    TRY(regret_strdup(&log->model, model));
    TRY(read_settings(&log->settings, eval, json_member(json, "plan")));
    const char *version = json_text(scratch, json_member(eval, "task_version"));
    return version != NULL ? regret_strdup(&log->version, version) : REGRET_OK;
}

static int read_header(struct inspect_logs *logs, struct source *source, const char *name,
                       size_t prefix)
{
    const struct regret_place at = {source_where(source), 0};
    FREED char *text = NULL;
    size_t length = 0;
    FREED_BY(cJSON_Delete_at) cJSON *json = NULL;
    struct inspect_log *log = inspect_find_log(logs, name, prefix);
    TRY(source_text(source, &text, &length, REGRET_JSON_MAX_BYTES));
    TRY(json_pick(&json, text, length, at, 1, LOG_FIELDS, N_LOG_FIELDS));
    return log != NULL ? read_status(log, json) /* an archive has a first and a last one */
                       : add_log(logs, name, prefix, json, at);
}

static int logs_read_document(struct inspect_logs *logs, struct source *source, const char *name)
{
    struct json_array array;
    FREED_BY(cJSON_Delete_at) cJSON *before = NULL;
    int found = 0;
    TRY(inspect_open_document(&array, &found, &before, source));
    if (found || json_member(before, "eval") != NULL) {
        const struct regret_place at = {source_where(source), 0};
        return add_log(logs, name, strlen(name), before, at);
    }
    return REGRET_OK;
}

static int logs_read_member(void *context, struct source *source, const char *name)
{
    struct inspect_logs *logs = context;
    size_t prefix = 0;
    switch (inspect_part_of(name, logs->path, &prefix)) {
    case INSPECT_HEADER:
        return read_header(logs, source, name, prefix);
    case INSPECT_DOCUMENT:
        return logs_read_document(logs, source, name);
    default:
        return REGRET_OK;
    }
}

/* Reads the beginnings of all logs. REGRET_E_INPUT: none there, one of another version. */
static int inspect_read_logs(struct inspect_logs *out, struct harness *h, const char *path)
{
    out->path = path;
    TRY(harness_each(h, path, INSPECT_FILES, 1, logs_read_member, out));
    return out->n > 0 ? name_agents(out)
                      : regret_fail(REGRET_E_INPUT,
                                    "%s holds no log of Inspect: a .eval archive, or JSON with "
                                    "\"eval\" and \"samples\"",
                                    path);
}

static int read_logs(struct import *s)
{
    int rc = inspect_read_logs(&s->logs, s->harness, s->path);
    TRY(rc != REGRET_OK && s->logs.n == 0 ? harness_tell(s->harness, rc) : rc);
    TRY(harness_each(s->harness, s->path, INSPECT_FILES, 1, read_member, s));
    return tell_empty(s);
}

static void inspect_free_logs(struct inspect_logs *logs)
{
    for (size_t i = 0; i < logs->n; i++) {
        struct inspect_log *log = &logs->log[i];
        char *const owned[] = {log->name,  log->task,    log->model, log->settings,
                               log->agent, log->version, log->main,  log->status};
        for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
            regret_free(owned[k]);
        }
    }
    regret_free(logs->log);
}

static int run(const struct importer_call *call)
{
    struct import s = {.options = call->options, .path = call->from};
    int rc;
    TRY_CLEANUP(prices_read(&s.prices, s.options->prices));
    TRY_CLEANUP(harness_begin(&s.harness, &s.options->harness));
    TRY_CLEANUP(read_logs(&s));
    rc = harness_finish(s.harness, call, "inspect", "Answers from logs of Inspect", CARD);
cleanup:
    harness_free(s.harness);
    inspect_free_logs(&s.logs);
    prices_free(&s.prices);
    return rc;
}

static const struct inspect_options defaults = {0};
static const char *const COSTS[] = {"tokens", "recorded", NULL};

static const struct importer_option options[] = {
    PRICES_OPTION(struct inspect_options, prices),
    {"cost", 0, IMPORTER_WORD, offsetof(struct inspect_options, cost), "RULE",
     "without prices: tokens (default), or recorded: the dollars that the log has", 0, 0, COSTS,
     NULL},
    HARNESS_OPTIONS};

const struct importer importer_inspect = {
    .name = "import inspect",
    .synopsis = "LOG|FOLDER -o POOL [options]",
    .summary = "logs of Inspect: .eval archives and JSON, or a folder of them",
    .detail =
        "A sample is a context, its task the tag, a model an agent, epochs are draws. Scores are\n"
        "scorers'; C, I, P and N are 1, 0, 1/2 and 0. The cost of an answer is its tokens, times\n"
        "their prices where a table of these is given. Which log is of which model is read in\n"
        "the log, not from its name.",
    .examples = "regret import inspect logs -o mine --dry-run\n"
                "regret import inspect logs -o mine --prices prices.csv --runs last",
    .run = run,
    .can_dry_run = 1,
    IMPORTER_OPTIONS(options, defaults),
};
