#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/files/input.h"
#include "experiment/config/config_keys.h"
#include "experiment/config/family_list.h"
#include "experiment/config/run_plan.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/results.h"

FREED_POINTER(cJSON, cJSON_Delete)
FREED_POINTER(struct regret_run_plan, regret_run_plan_free)

enum { MAX_AXIS_VALUES = 1000, MAX_KEY_NAME = 128 };

static void drop_axis(struct regret_run_plan *plan, const struct config_key *key)
{
    for (size_t i = 0; i < plan->n_axes; i++) {
        if (plan->axis[i].key == key) {
            cJSON_Delete(plan->axis[i].values);
            memmove(&plan->axis[i], &plan->axis[i + 1],
                    (plan->n_axes - i - 1) * sizeof *plan->axis);
            plan->n_axes--;
            return;
        }
    }
}

/* Sweeping the pool or the seeds would change what a replicate is. */
static int is_sweepable(const struct config_key *key)
{
    static const char *const fixed[] = {
        "title",      "paper", "task",       "pool",     "synth.articles",   "synth.draws",
        "synth.seed", "seeds", "first_seed", "families", "transport.weights"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        if (strcmp(key->name, fixed[i]) == 0) {
            return 0;
        }
    }
    return 1;
}

/* What a swept key shall be: values that it can have, none of them twice. */
static int check_axis_values(const struct regret_config *base, const struct config_key *key,
                             const cJSON *values, struct regret_place at)
{
    struct regret_config scratch = *base;
    FREED_BY(regret_buffer_free) struct regret_buffer seen = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer one = REGRET_BUFFER_INIT;
    for (const cJSON *v = values->child; v != NULL; v = v->next) {
        TRY(config_key_set(&scratch, key, v, at));
        regret_buffer_clear(&one);
        regret_buffer_append_char(&one, '\n');
        config_key_json(&one, &scratch, key);
        regret_buffer_append_char(&one, '\n');
        TRY(regret_buffer_status(&one));
        if (strstr(regret_buffer_get(&seen), regret_buffer_get(&one)) != NULL) {
            return regret_json_error(at, "\"sweep.%s\" has a value twice", key->name);
        }
        regret_buffer_append(&seen, regret_buffer_get(&one));
    }
    return regret_buffer_status(&seen);
}

static int add_axis(struct regret_run_plan *plan, const char *name, const cJSON *values,
                    struct regret_place at)
{
    const struct config_key *key = config_key_find(name);
    if (key == NULL) {
        return config_key_unknown(name, at);
    }
    int n = cJSON_GetArraySize(values);
    if (values == NULL || !cJSON_IsArray(values) || n < 1) {
        return regret_json_error(at, "\"sweep.%s\" must be an array of at least one value", name);
    }
    if (n > MAX_AXIS_VALUES) {
        return regret_json_error(at, "\"sweep.%s\" has %d values; at most %d are allowed", name, n,
                                 MAX_AXIS_VALUES);
    }
    if (!is_sweepable(key)) {
        return regret_json_error(at, "\"%s\" cannot be swept; make one run for each value", name);
    }
    drop_axis(plan, key);
    if (plan->n_axes == MAX_AXES) {
        return regret_json_error(at, "more than %d swept keys", MAX_AXES);
    }
    TRY(check_axis_values(&plan->base, key, values, at));
    cJSON *copy = cJSON_Duplicate(values, 1);
    if (copy == NULL) {
        return regret_fail(REGRET_E_NOMEM, "out of memory: the values of \"sweep.%s\"", name);
    }
    plan->axis[plan->n_axes++] = (struct sweep_axis){key, copy, (size_t)n};
    return REGRET_OK;
}

/* What is done with a key of the file. */
typedef int key_action(struct regret_run_plan *plan, const char *name, const cJSON *value,
                       struct regret_place at);

static int set_base(struct regret_run_plan *plan, const char *name, const cJSON *value,
                    struct regret_place at)
{
    const struct config_key *key = config_key_find(name);
    if (strcmp(name, "obs.file") == 0 || strcmp(name, "exp.file") == 0) {
        return regret_json_error(at,
                                 "\"%s\" names a table of a log: that is not for a run, but for "
                                 "regret evaluate %s -o DIR",
                                 name, at.file);
    }
    int one_value = key != NULL && key->type <= KEY_CHOICE; /* in the order of enum key_type */
    if (one_value && cJSON_IsArray(value)) {
        return regret_json_error(at,
                                 "\"%s\" is one value (%s); several stand in the sweep: \"sweep\": "
                                 "{\"%s\": [...]}, or --set 'sweep.%s=[...]'",
                                 name, key->help, name, name);
    }
    return key == NULL ? config_key_unknown(name, at) : config_key_set(&plan->base, key, value, at);
}

/* The keys met so far, each with a line end before and after it: JSON knows that "reward.map" is
 * given twice, but not that it is given dotted and nested. */
static int meet_key(struct regret_buffer *met, const char *name, struct regret_place at)
{
    char line[MAX_KEY_NAME + 2];
    snprintf(line, sizeof line, "\n%s\n", name);
    if (strstr(regret_buffer_get(met), line) != NULL) {
        return regret_json_error(at, "key \"%s\" is given twice, nested and dotted", name);
    }
    regret_buffer_append(met, line);
    return regret_buffer_status(met);
}

/* Takes every key below `object`, whose dotted name so far is `prefix`. */
static int apply_object(struct regret_run_plan *plan, const cJSON *object, const char *prefix,
                        key_action *action, struct regret_buffer *met, struct regret_place at)
{
    for (const cJSON *v = object->child; v != NULL; v = v->next) {
        char name[MAX_KEY_NAME];
        int n = snprintf(name, sizeof name, "%s%s%s", prefix, prefix[0] ? "." : "", v->string);
        if (n < 0 || (size_t)n >= sizeof name) {
            return regret_json_error(at, "a key longer than %d bytes", MAX_KEY_NAME - 1);
        }
        if (action == set_base && prefix[0] == '\0' &&
            (strcmp(name, "sweep") == 0 || name[0] == '_')) {
            continue; /* the sweep comes last; names that begin with "_" are comments */
        }
        if (config_key_find(name) == NULL && cJSON_IsObject(v) && v->child != NULL) {
            TRY(apply_object(plan, v, name, action, met, at));
        } else {
            TRY(meet_key(met, name, at));
            TRY(action(plan, name, v, at));
        }
    }
    return REGRET_OK;
}

static int apply_file(struct regret_run_plan *plan, const cJSON *file, struct regret_place at)
{
    FREED_BY(regret_buffer_free) struct regret_buffer met = REGRET_BUFFER_INIT;
    const cJSON *sweep = cJSON_GetObjectItemCaseSensitive(file, "sweep");
    TRY(apply_object(plan, file, "", set_base, &met, at));
    if (sweep != NULL) {
        regret_buffer_clear(&met);
        return cJSON_IsObject(sweep)
                   ? apply_object(plan, sweep, "", add_axis, &met, at)
                   : regret_json_error(at, "\"sweep\" must be an object of arrays");
    }
    return REGRET_OK;
}

/* The value of "NAME=TEXT": JSON, or else bare text, as in reward.map=smooth. What begins like a list
 * but is none is no text that anybody means. */
static int parse_set(cJSON **out, const char *name, const char *text, const struct config_key *key,
                     struct regret_place at)
{
    cJSON *value = NULL;
    if (!regret_utf8_valid(text, strlen(text), NULL)) { /* run.json could not be read again */
        return regret_json_error(at,
                                 "the value of %s is not valid UTF-8; a terminal set to UTF-8 "
                                 "passes it on so",
                                 name);
    }
    int rc = regret_json_parse(&value, text, strlen(text), at);
    int wants_text = key != NULL && key->type == KEY_STRING;
    if (rc == REGRET_E_INPUT && !wants_text && (text[0] == '[' || text[0] == '{')) {
        return regret_json_error(at,
                                 "%s=%.60s is not JSON; texts in a list stand in double quotes, "
                                 "and the whole in single ones for the shell: "
                                 "'sweep.reward.map=[\"smooth\",\"sharpened\"]'",
                                 name, text);
    }
    if (rc == REGRET_E_INPUT || (wants_text && !cJSON_IsString(value))) {
        cJSON_Delete(value);
        value = cJSON_CreateString(text);
        rc = value != NULL ? REGRET_OK : regret_fail(REGRET_E_NOMEM, "out of memory: --set");
    }
    TRY(rc);
    *out = value;
    return REGRET_OK;
}

static int apply_set(struct regret_run_plan *plan, const char *set)
{
    const struct regret_place at = {"--set", 0};
    const char *equals = strchr(set, '=');
    char name[MAX_KEY_NAME];
    if (equals == NULL || (size_t)(equals - set) >= sizeof name) {
        return regret_json_error(at, "\"%.60s\" is not KEY=VALUE", set);
    }
    snprintf(name, sizeof name, "%.*s", (int)(equals - set), set);
    if (strcmp(name, "sweep") == 0) {
        return regret_json_error(at, "a sweep is set key by key: --set 'sweep.beta=[0,1]'; "
                                     "--set beta=0 ends that of beta");
    }
    FREED_BY(cJSON_Delete_at) cJSON *value = NULL;
    const struct config_key *key = config_key_find(name);
    TRY(parse_set(&value, name, equals + 1, key, at));
    if (strncmp(name, "sweep.", 6) == 0) {
        return add_axis(plan, name + 6, value, at);
    } else {
        TRY(set_base(plan, name, value, at));
        drop_axis(plan, key);
    }
    return REGRET_OK;
}

/* A relative path of the file is taken from the file's folder; one of --set from where we are. */
static int resolve(char field[REGRET_PATH_SIZE], const char *what, const char *path)
{
    return field[0] == '\0' || config_is_synth(field) ? REGRET_OK
                                                      : family_list_beside(field, what, path);
}

/* The configuration in the run.json of a run, or NULL where the file is none. Its pool is told from
 * the folder where the run was started. */
static const cJSON *config_of_run(const cJSON *file)
{
    const cJSON *format = cJSON_GetObjectItemCaseSensitive(file, "format");
    const cJSON *config = cJSON_GetObjectItemCaseSensitive(file, "config");
    return cJSON_IsString(format) && strcmp(format->valuestring, REGRET_RUN_FORMAT) == 0 &&
                   cJSON_IsObject(config)
               ? config
               : NULL;
}

static int make_run_plan(struct regret_run_plan **out, const cJSON *file, const char *path,
                         const char *const *sets, size_t n_sets)
{
    FREED_BY(regret_run_plan_free_at) struct regret_run_plan *plan = NULL;
    const struct regret_place at = {path, 0};
    TRY(REGRET_NEW(&plan, 1));
    regret_config_default(&plan->base);
    if (!cJSON_IsObject(file)) {
        return regret_json_error(at, "a configuration must be a JSON object");
    }
    const cJSON *of_run = config_of_run(file);
    TRY(apply_file(plan, of_run != NULL ? of_run : file, at));
    if (of_run == NULL) {
        TRY(resolve(plan->base.pool, "the pool", path));
        TRY(resolve(plan->base.transport_weights, "the weights", path));
        TRY(family_list_place(&plan->base.families, path));
    }
    for (size_t i = 0; i < n_sets; i++) {
        TRY(apply_set(plan, sets[i]));
    }
    TRY(family_list_place(&plan->base.families, NULL));
    TRY(run_plan_check(plan, path));
    *out = plan;
    plan = NULL;
    return REGRET_OK;
}

int regret_run_plan_read(struct regret_run_plan **out, const char *path, const char *const *sets,
                         size_t n_sets)
{
    FREED_BY(cJSON_Delete_at) cJSON *file = NULL;
    TRY(regret_json_read_file(&file, path));
    return make_run_plan(out, file, path, sets, n_sets);
}

int regret_run_plan_parse(struct regret_run_plan **out, const char *text, size_t length,
                          const char *name, const char *const *sets, size_t n_sets)
{
    FREED_BY(cJSON_Delete_at) cJSON *file = NULL;
    TRY(input_check_head(text, length, name));
    TRY(regret_json_parse(&file, text, length, (struct regret_place){name, 0}));
    return make_run_plan(out, file, name, sets, n_sets);
}
