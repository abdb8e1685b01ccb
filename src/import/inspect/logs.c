/* What logs say of themselves, which their samples do not repeat. */
#include <stdint.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "base/json/json_array.h"
#include "base/json/json_pick.h"
#include "base/text/take.h"
#include "import/inspect/inspect.h"
#include "import/table/table_cell.h"
#include "regret/alloc.h"

FREED_POINTER(cJSON, cJSON_Delete)

enum { NEWEST = 3 }; /* version of logs */

static const char *const LOG_FIELDS[] = {"version", "status", "eval", "plan"};
enum { N_LOG_FIELDS = sizeof LOG_FIELDS / sizeof *LOG_FIELDS };
const char *const INSPECT_FILES[] = {"*.json"};

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

/* Samples of a log come one after the other: the one found last is looked at first. */
struct inspect_log *inspect_find_log(struct inspect_logs *logs, const char *name, size_t prefix)
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

int inspect_open_document(struct json_array *array, int *found, cJSON **before,
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

static int read_document(struct inspect_logs *logs, struct source *source, const char *name)
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

static int read_member(void *context, struct source *source, const char *name)
{
    struct inspect_logs *logs = context;
    size_t prefix = 0;
    switch (inspect_part_of(name, logs->path, &prefix)) {
    case INSPECT_HEADER:
        return read_header(logs, source, name, prefix);
    case INSPECT_DOCUMENT:
        return read_document(logs, source, name);
    default:
        return REGRET_OK;
    }
}

int inspect_read_logs(struct inspect_logs *out, struct harness *h, const char *path)
{
    out->path = path;
    TRY(harness_each(h, path, INSPECT_FILES, 1, read_member, out));
    return out->n > 0 ? name_agents(out)
                      : regret_fail(REGRET_E_INPUT,
                                    "%s holds no log of Inspect: a .eval archive, or JSON with "
                                    "\"eval\" and \"samples\"",
                                    path);
}

void inspect_free_logs(struct inspect_logs *logs)
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
