#include "experiment/internal.h"

#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/estimate.h"
#include "regret/results.h"
#include "regret/status.h"

void regret_config_default(struct regret_config *c)
{
    *c = (struct regret_config){
        .seeds = 30,
        .grid = REGRET_GRID_OPTIONS_INIT,
        .train_share = 0.8,
        .outcome = REGRET_OUTCOME_OPTIONS_INIT,
        .logging = REGRET_LOGGING_OPTIONS_INIT,
        .logging_rank = 8,
        .synth = REGRET_SYNTH_OPTIONS_INIT,
        .spread = REGRET_SPREAD_OPTIONS_INIT,
        .context_rank = 50,
        .context_sample = 5000,
        .n_obs = 2000,
        .n_exp = 200,
        .features = REGRET_FEATURE_OPTIONS_INIT,
        .proxy = REGRET_PROXY_OPTIONS_INIT,
        .cv_folds = 5,
        .values = 1,
        .value_folds = 5,
        .details = 1,
    };
    regret_reward_options_default(&c->reward);
    regret_world_options_default(&c->world);
    regret_estimate_options_default(&c->estimate);
    for (size_t i = 0; i < regret_family_count(); i++) {
        if (regret_family_at(i)->roles & REGRET_ROLE_PAPER) {
            c->families.index[c->families.n++] = i;
        }
    }
}

void regret_run_plan_free(struct regret_run_plan *plan)
{
    if (plan == NULL) {
        return;
    }
    for (size_t i = 0; i < plan->n_axes; i++) {
        cJSON_Delete(plan->axis[i].values);
    }
    regret_free(plan);
}

size_t regret_run_plan_cells(const struct regret_run_plan *plan)
{
    size_t n = 1;
    for (size_t i = 0; i < plan->n_axes; i++) {
        n *= plan->axis[i].n;
    }
    return n;
}

/* What "auto" stands for. A cached pool has few contexts, which OBS and EXP share. */
static void settle_values(struct regret_config *c)
{
    if (c->value_unit == REGRET_UNIT_AUTO) {
        c->value_unit = c->task == REGRET_TASK_POOL ? REGRET_UNIT_CONTEXT : REGRET_UNIT_ROW;
    }
    if (c->value_plug_in == REGRET_PLUG_IN_AUTO) {
        c->value_plug_in =
            c->value_unit == REGRET_UNIT_CONTEXT ? REGRET_PLUG_IN_FOLDS : REGRET_PLUG_IN_FULL;
    }
}

void regret_run_plan_cell(struct regret_config *out, const struct regret_run_plan *plan,
                          size_t cell)
{
    *out = plan->base;
    for (size_t i = plan->n_axes; i-- > 0;) {
        const struct sweep_axis *axis = &plan->axis[i];
        const cJSON *value = cJSON_GetArrayItem(axis->values, (int)(cell % axis->n));
        cell /= axis->n;
        /* Every value was set once when the plan was read, so this cannot fail. */
        config_key_set(out, axis->key, value, (struct regret_place){"sweep", 0});
    }
    out->n_obs = plan->most_obs > 0 && out->n_obs > plan->most_obs ? plan->most_obs : out->n_obs;
    out->n_exp = plan->most_exp > 0 && out->n_exp > plan->most_exp ? plan->most_exp : out->n_exp;
    settle_values(out);
    out->estimate.cross_fit = out->values && !config_refits(out);
}

void run_plan_cap(struct regret_run_plan *plan, size_t n_obs, size_t n_exp)
{
    plan->most_obs = n_obs;
    plan->most_exp = n_exp;
}

static int is_swept(const struct regret_run_plan *plan, const struct config_key *key)
{
    for (size_t i = 0; i < plan->n_axes; i++) {
        if (plan->axis[i].key == key) {
            return 1;
        }
    }
    return 0;
}

void regret_run_plan_cell_key(struct regret_buffer *text, const struct regret_run_plan *plan,
                              size_t cell)
{
    static const char *const always[] = {"reward.map", "beta", "n_obs", "n_exp"};
    enum { N_ALWAYS = sizeof always / sizeof *always };
    struct regret_config config;
    regret_run_plan_cell(&config, plan, cell);
    const struct config_key *shown[N_ALWAYS + MAX_AXES];
    size_t n = 0;
    for (size_t i = 0; i < N_ALWAYS; i++) {
        shown[n++] = config_key_find(always[i]);
    }
    for (size_t i = 0; config_key_at(i) != NULL; i++) {
        const struct config_key *key = config_key_at(i);
        int listed = 0;
        for (size_t j = 0; j < N_ALWAYS; j++) {
            listed |= shown[j] == key;
        }
        if (!listed && is_swept(plan, key)) {
            shown[n++] = key;
        }
    }
    for (size_t i = 0; i < n; i++) {
        regret_buffer_append(text, i == 0 ? "{" : ",");
        regret_buffer_json_string(text, shown[i]->name);
        regret_buffer_append_char(text, ':');
        if (config.task == REGRET_TASK_WORLD && i == 0) {
            regret_buffer_append(text, "\"world\""); /* in place of a reward map */
        } else {
            config_key_json(text, &config, shown[i]);
        }
    }
    regret_buffer_append_char(text, '}');
}

void regret_run_plan_json(struct regret_buffer *text, const struct regret_run_plan *plan)
{
    regret_buffer_append_char(text, '{');
    config_members_json(text, &plan->base);
    for (size_t i = 0; i < plan->n_axes; i++) {
        const struct sweep_axis *axis = &plan->axis[i];
        regret_buffer_append(text, i == 0 ? ",\"sweep\":{" : ",");
        regret_buffer_json_string(text, axis->key->name);
        regret_buffer_append(text, ":[");
        for (size_t v = 0; v < axis->n; v++) {
            struct regret_config scratch = plan->base;
            config_key_set(&scratch, axis->key, cJSON_GetArrayItem(axis->values, (int)v),
                           (struct regret_place){"sweep", 0});
            regret_buffer_append(text, v > 0 ? "," : "");
            config_key_json(text, &scratch, axis->key);
        }
        regret_buffer_append_char(text, ']');
    }
    regret_buffer_append(text, plan->n_axes > 0 ? "}}" : "}");
}

static int starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* A sweep along what the task does not have would make cells of equal results. */
static int check_axes(const struct regret_run_plan *plan, const char *path)
{
    int world = plan->base.task == REGRET_TASK_WORLD;
    for (size_t i = 0; i < plan->n_axes; i++) {
        const char *name = plan->axis[i].key->name;
        if (plan->base.split == REGRET_SPLIT_ONE_KIND &&
            strcmp(name, "contexts.train_share") == 0) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: \"%s\" cannot be swept with contexts.split = "
                               "\"leave-one-tag-out\", which says which contexts train",
                               path, name);
        }
        if (plan->base.context_folds > 0 && strcmp(name, "contexts.train_share") == 0) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: \"%s\" cannot be swept with contexts.folds = %zu, which says "
                               "how many contexts train; sweep contexts.folds",
                               path, name, plan->base.context_folds);
        }
        int of_pool = starts_with(name, "reward.") || starts_with(name, "outcome.") ||
                      starts_with(name, "router.") || starts_with(name, "spread.");
        if (world ? of_pool : starts_with(name, "world.")) {
            return regret_fail(REGRET_E_INPUT, "%s: \"%s\" cannot be swept with task \"%s\", %s",
                               path, name, world ? "world" : "pool",
                               world ? "whose outcomes have a law of their own; see the keys "
                                       "world.*"
                                     : "which has no controlled world; set task to \"world\"");
        }
    }
    return REGRET_OK;
}

static int check_world(const struct regret_config *cell, const char *path)
{
    int rc = REGRET_OK;
    if (regret_spread_is_on(&cell->spread)) {
        rc = regret_fail(REGRET_E_INPUT,
                         "spread.* changes the scores of a pool, and the outcomes of a controlled "
                         "world do not come of them; leave these keys out, or set task to "
                         "\"pool\"");
    } else if (cell->logging.beta > 1.0) {
        rc = regret_fail(REGRET_E_INPUT,
                         "beta = %g is out of range in a controlled world, where it is the chance "
                         "of the latent user's own choice; use 0 to 1",
                         cell->logging.beta);
    } else {
        rc = regret_world_options_check(&cell->world, 0);
    }
    return rc != REGRET_OK ? regret_fail_prefix(rc, "%s", path) : rc;
}

/* REGRET_E_INPUT for what no key forbids by itself: no pool, too many cells, keys that contradict each other or the
 * task, in any cell. Messages begin with `path`. */
static int run_plan_check(const struct regret_run_plan *plan, const char *path)
{
    const struct regret_config *c = &plan->base;
    if (c->pool[0] == '\0') {
        return regret_fail(REGRET_E_INPUT,
                           "%s: no \"pool\"; name the folder of a task pool, or --set pool=DIR",
                           path);
    }
    double cells = 1.0;
    for (size_t i = 0; i < plan->n_axes; i++) {
        cells *= (double)plan->axis[i].n;
    }
    if (cells > REGRET_MAX_CELLS) {
        return regret_fail(REGRET_E_INPUT, "%s: the sweep makes %.0f cells; at most %d are allowed",
                           path, cells, REGRET_MAX_CELLS);
    }
    TRY(check_axes(plan, path));
    for (size_t i = 0; i < regret_run_plan_cells(plan); i++) {
        struct regret_config cell;
        regret_run_plan_cell(&cell, plan, i);
        if ((cell.features.buckets & (cell.features.buckets - 1)) != 0) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: \"features.buckets\" must be a power of two, but is %zu", path,
                               cell.features.buckets);
        }
        if (cell.split == REGRET_SPLIT_ONE_KIND && cell.context_folds > 0) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: contexts.split = \"leave-one-tag-out\" holds out one tag after "
                               "the other, contexts.folds = %zu does so with blocks of contexts; "
                               "--set contexts.folds=0",
                               path, cell.context_folds);
        }
        if (cell.task == REGRET_TASK_WORLD) {
            TRY(check_world(&cell, path));
        }
    }
    return REGRET_OK;
}

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
    static const char *const fixed[] = {"title",          "paper",       "task",       "pool",
                                        "synth.articles", "synth.draws", "synth.seed", "seeds",
                                        "first_seed",     "families"};
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
                                 "regret recommend %s -o DIR",
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
