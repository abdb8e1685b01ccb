#define _GNU_SOURCE /* realpath */

#include "experiment/internal.h"

#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/buffer.h"
#include "regret/estimate.h"
#include "regret/experiment.h"
#include "results/row.h"

enum { MOST_WORDS = 64, DEFAULT_LIMIT = 600 };
static const double LEAST_LIMIT = 0.01, MOST_LIMIT = 1e6;

const struct regret_external_family *
regret_family_list_external(const struct regret_family_list *list, size_t i)
{
    return list->index[i] >= REGRET_EXTERNAL_INDEX
               ? &list->external[list->index[i] - REGRET_EXTERNAL_INDEX]
               : NULL;
}

const struct regret_family *regret_family_list_built_in(const struct regret_family_list *list,
                                                        size_t i)
{
    return regret_family_at(list->index[i]);
}

const char *regret_family_list_name(const struct regret_family_list *list, size_t i)
{
    const struct regret_external_family *external = regret_family_list_external(list, i);
    return external != NULL ? external->name : regret_family_at(list->index[i])->name;
}

int family_list_has_commands(const struct regret_family_list *list)
{
    int any = 0;
    for (size_t i = 0; i < list->n_external; i++) {
        any |= list->external[i].is_command;
    }
    return any;
}

int family_list_crosses_words(const struct regret_family_list *list)
{
    int any = 0;
    for (size_t i = 0; i < list->n; i++) {
        any |= list->index[i] < REGRET_EXTERNAL_INDEX &&
               regret_family_at(list->index[i])->crosses_words;
    }
    return any;
}

/* "unknown family "X"; there are …", or what else the value is instead of a name. */
static int wrong_family(const cJSON *value, struct regret_place at)
{
    const char *names[REGRET_MAX_FAMILIES];
    struct regret_buffer list = REGRET_BUFFER_INIT;
    size_t n = regret_family_count();
    for (size_t i = 0; i < n; i++) {
        names[i] = regret_family_at(i)->name;
        regret_buffer_printf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    int rc = REGRET_OK;
    if (!cJSON_IsString(value)) {
        rc = regret_json_error(at, "\"families\" must hold names in quotes; there are %s",
                               regret_buffer_get(&list));
    } else {
        const char *near = name_nearest(value->valuestring, names, n);
        rc = regret_json_error(at, "unknown family \"%.40s\"; %s%s%sthere are %s",
                               value->valuestring, near != NULL ? "did you mean \"" : "",
                               near != NULL ? near : "", near != NULL ? "\"? " : "",
                               regret_buffer_get(&list));
    }
    regret_buffer_free(&list);
    return rc;
}

/* ---------------------------------------------------------------- families of one's own */

/* Is the name one that tables have for something else? */
static int is_taken(const char *name, const struct regret_family_list *list)
{
    int taken = regret_family_find(name) != NULL;
    for (size_t i = 0; i < ROW_BASELINES; i++) {
        taken |= strcmp(name, row_baselines[i].name) == 0;
    }
    for (size_t i = 0; i < list->n_external; i++) {
        taken |= strcmp(name, list->external[i].name) == 0;
    }
    return taken;
}

static int take_name(struct regret_external_family *out, const struct regret_family_list *list,
                     const cJSON *value, struct regret_place at)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *name = NULL;
    TRY(regret_json_get_string(&name, value, "name", at));
    size_t n = strlen(name), first = strspn(name, letters), good = 0;
    while (good < n &&
           (strchr(letters, name[good]) != NULL || strchr("0123456789._-", name[good]))) {
        good++;
    }
    if (n == 0 || n >= sizeof out->name || first == 0 || good < n) {
        return regret_json_error(at,
                                 "the family \"%.60s\" wants a name of 1 to %zu letters, digits, "
                                 "\".\", \"_\" and \"-\", a letter first",
                                 name, sizeof out->name - 1);
    }
    if (is_taken(name, list)) {
        return regret_json_error(at, "the name of the family \"%s\" is taken; give it another",
                                 name);
    }
    memcpy(out->name, name, n + 1);
    return REGRET_OK;
}

static int take_field(char *out, size_t size, const char *text, const char *name, const char *field,
                      struct regret_place at)
{
    if ((size_t)snprintf(out, size, "%s", text) >= size || text[0] == '\0') {
        return regret_json_error(at, "family \"%s\": \"%s\" must have 1 to %zu bytes", name, field,
                                 size - 1);
    }
    return REGRET_OK;
}

static int take_command(struct regret_external_family *out, const cJSON *command,
                        struct regret_place at)
{
    int words = cJSON_GetArraySize(command), good = cJSON_IsArray(command) && words >= 1;
    for (const cJSON *w = command->child; w != NULL; w = w->next) {
        good = good && cJSON_IsString(w) && (w->valuestring[0] != '\0' || w != command->child);
    }
    if (!good || words > MOST_WORDS) {
        return regret_json_error(
            at,
            "family \"%s\": \"command\" must be an array of 1 to %d words, the "
            "program first: [\"python3\", \"mine.py\"]",
            out->name, MOST_WORDS);
    }
    char *text = cJSON_PrintUnformatted(command);
    int rc = text != NULL
                 ? take_field(out->source, sizeof out->source, text, out->name, "command", at)
                 : regret_fail(REGRET_E_NOMEM, "out of memory: a command");
    cJSON_free(text);
    out->is_command = 1;
    return rc;
}

/* The rest of a command: where it is started, and its time. */
static int take_terms(struct regret_external_family *out, const cJSON *value,
                      struct regret_place at)
{
    const char *folder = NULL;
    TRY(regret_json_optional_string(&folder, value, "folder", at));
    if (folder != NULL) {
        TRY(take_field(out->folder, sizeof out->folder, folder, out->name, "folder", at));
    }
    out->time_limit = DEFAULT_LIMIT;
    TRY(regret_json_optional_number(&out->time_limit, value, "time_limit", at));
    return out->time_limit >= LEAST_LIMIT && out->time_limit <= MOST_LIMIT
               ? REGRET_OK
               : regret_json_error(at,
                                   "family \"%s\": \"time_limit\" must be %g to %g seconds, but is "
                                   "%.12g",
                                   out->name, LEAST_LIMIT, MOST_LIMIT, out->time_limit);
}

static int take_external(struct regret_family_list *list, const cJSON *value,
                         struct regret_place at)
{
    static const char *const of_command[] = {"name", "command", "folder", "time_limit"};
    static const char *const of_file[] = {"name", "predictions"};
    const cJSON *command = cJSON_GetObjectItemCaseSensitive(value, "command");
    const cJSON *path = cJSON_GetObjectItemCaseSensitive(value, "predictions");
    struct regret_external_family made = {.is_command = 0};
    TRY(take_name(&made, list, value, at));
    if ((command == NULL) == (path == NULL)) {
        return regret_json_error(at,
                                 "family \"%s\" wants either a \"command\" or \"predictions\" "
                                 "(docs/formats.md)",
                                 made.name);
    }
    if (command != NULL) {
        TRY(regret_json_check_keys(value, of_command, sizeof of_command / sizeof *of_command, at));
        TRY(take_command(&made, command, at));
        TRY(take_terms(&made, value, at));
    } else {
        const char *text = NULL;
        TRY(regret_json_check_keys(value, of_file, sizeof of_file / sizeof *of_file, at));
        TRY(regret_json_get_string(&text, value, "predictions", at));
        TRY(take_field(made.source, sizeof made.source, text, made.name, "predictions", at));
    }
    if (list->n_external == REGRET_MAX_EXTERNAL) {
        return regret_json_error(at, "\"families\" holds more than %d of your own",
                                 REGRET_MAX_EXTERNAL);
    }
    list->external[list->n_external++] = made;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the list */

/* Families are fitted in the table's order, whatever order they are named in; then those of one's own. */
static int order(struct regret_family_list *list, const int *wanted, struct regret_place at)
{
    for (size_t i = 0; i < regret_family_count(); i++) {
        if (wanted[i]) {
            list->index[list->n++] = i;
        }
    }
    if (list->n + list->n_external > REGRET_MAX_FAMILIES) {
        return regret_json_error(at, "\"families\" holds more than %d", REGRET_MAX_FAMILIES);
    }
    for (size_t i = 0; i < list->n_external; i++) {
        list->index[list->n++] = REGRET_EXTERNAL_INDEX + i;
    }
    return REGRET_OK;
}

int family_list_set(struct regret_family_list *list, const cJSON *value, struct regret_place at)
{
    if (!cJSON_IsArray(value) || value->child == NULL) {
        return regret_json_error(at, "\"families\" must be an array of at least one family name");
    }
    int wanted[REGRET_MAX_FAMILIES] = {0};
    struct regret_family_list made = {0};
    for (const cJSON *v = value->child; v != NULL; v = v->next) {
        if (cJSON_IsObject(v)) {
            TRY(take_external(&made, v, at));
            continue;
        }
        const struct regret_family *family =
            cJSON_IsString(v) ? regret_family_find(v->valuestring) : NULL;
        if (family == NULL) {
            return wrong_family(v, at);
        }
        for (size_t i = 0; i < regret_family_count(); i++) {
            wanted[i] |= regret_family_at(i) == family;
        }
    }
    TRY(order(&made, wanted, at));
    *list = made;
    return REGRET_OK;
}

static void external_json(struct regret_buffer *t, const struct regret_external_family *external)
{
    regret_buffer_append(t, "{\"name\":");
    regret_buffer_json_string(t, external->name);
    if (external->is_command) {
        regret_buffer_printf(t, ",\"command\":%s,\"folder\":", external->source);
        regret_buffer_json_string(t, external->folder);
        regret_buffer_append(t, ",\"time_limit\":");
        regret_buffer_json_number(t, external->time_limit);
    } else {
        regret_buffer_append(t, ",\"predictions\":");
        regret_buffer_json_string(t, external->source);
    }
    regret_buffer_append_char(t, '}');
}

void family_list_json(struct regret_buffer *t, const struct regret_family_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct regret_external_family *external = regret_family_list_external(list, i);
        regret_buffer_append(t, i == 0 ? "[" : ",");
        if (external != NULL) {
            external_json(t, external);
        } else {
            regret_buffer_json_string(t, regret_family_list_name(list, i));
        }
    }
    regret_buffer_append_char(t, ']');
}

/* The path from the root, without links as far as it is there. */
static void make_whole(char field[REGRET_PATH_SIZE])
{
    char joined[REGRET_PATH_SIZE];
    char *whole = realpath(field, NULL), *here = getcwd(NULL, 0);
    int n = whole != NULL || field[0] == '/' || here == NULL
                ? snprintf(joined, sizeof joined, "%s", whole != NULL ? whole : field)
                : snprintf(joined, sizeof joined, "%s/%s", here, field);
    if (n > 0 && (size_t)n < sizeof joined && regret_utf8_valid(joined, (size_t)n, NULL)) {
        memcpy(field, joined, (size_t)n + 1);
    }
    free(whole);
    free(here);
}

int family_list_beside(char field[REGRET_PATH_SIZE], const char *what, const char *path)
{
    char joined[REGRET_PATH_SIZE];
    int n = snprintf(joined, sizeof joined, "%.*s%s", (int)(path_last(path) - path), path, field);
    if (field[0] == '/') {
        return REGRET_OK;
    }
    if (n < 0 || (size_t)n >= sizeof joined) {
        return regret_fail(REGRET_E_INPUT, "%s: the path of %s is too long", path, what);
    }
    memcpy(field, joined, (size_t)n + 1);
    return REGRET_OK;
}

/* Beside `path`, where there is one; no field stands for the folder. */
static int place(char field[REGRET_PATH_SIZE], const char *path)
{
    if (field[0] == '\0') {
        memcpy(field, ".", 2);
    }
    TRY(path != NULL ? family_list_beside(field, "a family", path) : REGRET_OK);
    make_whole(field);
    return REGRET_OK;
}

int family_list_place(struct regret_family_list *list, const char *path)
{
    for (size_t i = 0; i < list->n_external; i++) {
        struct regret_external_family *f = &list->external[i];
        TRY(place(f->is_command ? f->folder : f->source, path));
    }
    return REGRET_OK;
}
