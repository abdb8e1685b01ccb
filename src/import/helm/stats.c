/* per_instance_stats.json: a list of {instance_id, train_trial_index, perturbation, stats}, several of an instance where
 * several kinds of metrics were computed. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include <cJSON.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "base/json/json_array.h"
#include "base/json/json_pick.h"
#include "base/text/take.h"
#include "import/helm/helm.h"
#include "regret/alloc.h"

static int make_key(char **out, const char *id, long long trial)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_printf(&t, "%lld %s", trial, id);
    return text_take(out, &t);
}

/* The number of a metric's name, a new one where it is the first. */
static int enter_name(size_t *out, struct helm_stats *s, const char *name)
{
    *out = id_table_find(&s->names, name);
    if (*out != SIZE_MAX) {
        return REGRET_OK;
    }
    TRY(regret_grow((void **)&s->name, &s->names_capacity, s->n_names, sizeof *s->name, "metrics"));
    TRY(id_table_reserve(&s->names, s->n_names + 1));
    TRY(regret_strdup(&s->name[s->n_names], name));
    *out = id_table_put(&s->names, s->name[s->n_names], s->n_names);
    s->n_names++;
    return REGRET_OK;
}

/* Takes `key` over. */
static int enter_instance(struct helm_instance **out, struct helm_stats *s, char *key)
{
    size_t i = id_table_find(&s->keys, key);
    int rc;
    if (i == SIZE_MAX) {
        TRY_CLEANUP(regret_grow((void **)&s->instance, &s->capacity, s->n, sizeof *s->instance,
                                "instances"));
        TRY_CLEANUP(id_table_reserve(&s->keys, s->n + 1));
        s->instance[s->n] = (struct helm_instance){.key = key};
        i = id_table_put(&s->keys, key, s->n++);
        key = NULL;
    }
    *out = &s->instance[i];
    rc = REGRET_OK;
cleanup:
    regret_free(key);
    return rc;
}

/* One statistic; one that counts nothing has no mean. */
static int add_stat(struct helm_stats *s, struct helm_instance *instance, const cJSON *stat,
                    struct regret_place at)
{
    const cJSON *name = NULL;
    const char *metric = NULL;
    struct helm_value value = {0, NAN};
    TRY(regret_json_get_object(&name, stat, "name", at));
    TRY(regret_json_get_string(&metric, name, "name", at));
    TRY(regret_json_optional_number(&value.mean, stat, "mean", at));
    if (isnan(value.mean) || json_has(name, "perturbation")) {
        return REGRET_OK;
    }
    TRY(enter_name(&value.name, s, metric));
    TRY(regret_grow((void **)&instance->value, &instance->capacity, instance->n,
                    sizeof *instance->value, "statistics"));
    instance->value[instance->n++] = value;
    return REGRET_OK;
}

static int add_instance(void *context, const cJSON *json, struct regret_place at)
{
    struct helm_stats *s = context;
    const cJSON *stats = NULL;
    const char *id = NULL;
    char *key = NULL;
    long long trial = 0;
    struct helm_instance *instance = NULL;
    TRY(regret_json_get_string(&id, json, "instance_id", at));
    TRY(regret_json_optional_integer(&trial, json, "train_trial_index", 0, INT32_MAX, at));
    TRY(regret_json_get_array(&stats, json, "stats", at));
    if (json_has(json, "perturbation")) {
        return REGRET_OK;
    }
    TRY(make_key(&key, id, trial));
    TRY(enter_instance(&instance, s, key));
    for (const cJSON *v = stats->child; v != NULL; v = v->next) {
        TRY(add_stat(s, instance, v, at));
    }
    return REGRET_OK;
}

int helm_read_stats(struct helm_stats *out, struct source *source)
{
    struct json_array array = {.path = source_where(source)};
    TRY(source_jsonl(source, &array.reader));
    return json_array_each(&array, add_instance, out);
}

void helm_free_stats(struct helm_stats *s)
{
    for (size_t i = 0; i < s->n; i++) {
        regret_free(s->instance[i].key);
        regret_free(s->instance[i].value);
    }
    regret_free(s->instance);
    texts_free(s->name, s->n_names);
    id_table_free(&s->names);
    id_table_free(&s->keys);
    *s = (struct helm_stats){0};
}

const struct helm_instance *helm_find_instance(const struct helm_stats *s, const char *id,
                                               long long trial)
{
    char key[256];
    int n = snprintf(key, sizeof key, "%lld %s", trial, id);
    size_t i = n > 0 && (size_t)n < sizeof key ? id_table_find(&s->keys, key) : SIZE_MAX;
    return i != SIZE_MAX ? &s->instance[i] : NULL;
}

double helm_value_of(const struct helm_stats *s, const struct helm_instance *instance,
                     const char *name)
{
    size_t metric = id_table_find(&s->names, name);
    for (size_t i = 0; instance != NULL && i < instance->n; i++) {
        if (instance->value[i].name == metric) {
            return instance->value[i].mean;
        }
    }
    return NAN;
}
