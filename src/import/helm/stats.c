/* per_instance_stats.json: a list of {instance_id, train_trial_index, perturbation, stats}, several of an instance where
 * several kinds of metrics were computed. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/json/json_array.h"
#include "base/json/json_pick.h"
#include "import/helm/helm.h"
#include "regret/alloc.h"

/* "0 id12" */
static int append_key(struct regret_buffer *out, const char *id, long long trial)
{
    regret_buffer_printf(out, "%lld %s", trial, id);
    return regret_buffer_status(out);
}

/* An instance by its trial and id, a new one where it is the first. */
static int enter_instance(struct helm_instance **out, struct helm_stats *s, const char *id,
                          long long trial)
{
    FREED_BY(regret_buffer_free) struct regret_buffer key = REGRET_BUFFER_INIT;
    size_t n = s->keys.n;
    uint32_t i = 0;
    TRY(append_key(&key, id, trial));
    TRY(regret_grow((void **)&s->instance, &s->capacity, n, sizeof *s->instance, "instances"));
    TRY(names_enter(&i, &s->keys, regret_buffer_get(&key)));
    if (i == n) {
        s->instance[i] = (struct helm_instance){NULL, 0, 0};
    }
    *out = &s->instance[i];
    return REGRET_OK;
}

/* A metric that an instance has twice says the same twice, or nobody knows which value counts. */
static int check_once(const struct helm_stats *s, const struct helm_instance *instance,
                      const struct helm_value *value, const char *id, struct regret_place at)
{
    const char *name = s->names.name[value->name];
    for (size_t i = 0; i < instance->n && !helm_is_bookkeeping(name); i++) {
        const struct helm_value *other = &instance->value[i];
        if (other->name == value->name && other->mean != value->mean) {
            return regret_json_error(
                at,
                "instance \"%.80s\" has %s %.6g in element %u of the list, and "
                "%.6g in element %u (from 1): take one of the two out",
                id, name, other->mean, (unsigned)other->element, value->mean,
                (unsigned)value->element);
        }
    }
    return REGRET_OK;
}

/* One statistic; one that counts nothing has no mean. */
static int add_stat(struct helm_stats *s, struct helm_instance *instance, const cJSON *stat,
                    const char *id, struct regret_place at)
{
    const cJSON *name = NULL;
    const char *metric = NULL;
    struct helm_value value = {0, s->elements, NAN};
    TRY(regret_json_get_object(&name, stat, "name", at));
    TRY(regret_json_get_string(&metric, name, "name", at));
    TRY(regret_json_optional_number(&value.mean, stat, "mean", at));
    if (isnan(value.mean) || json_has(name, "perturbation")) {
        return REGRET_OK;
    }
    TRY(names_enter(&value.name, &s->names, metric));
    TRY(check_once(s, instance, &value, id, at));
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
    long long trial = 0;
    struct helm_instance *instance = NULL;
    s->elements++;
    TRY(regret_json_get_string(&id, json, "instance_id", at));
    TRY(regret_json_optional_integer(&trial, json, "train_trial_index", 0, INT32_MAX, at));
    TRY(regret_json_get_array(&stats, json, "stats", at));
    if (json_has(json, "perturbation")) {
        return REGRET_OK;
    }
    TRY(enter_instance(&instance, s, id, trial));
    for (const cJSON *v = stats->child; v != NULL; v = v->next) {
        TRY(add_stat(s, instance, v, id, at));
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
    for (size_t i = 0; i < s->keys.n; i++) {
        regret_free(s->instance[i].value);
    }
    regret_free(s->instance);
    names_free(&s->names);
    names_free(&s->keys);
    *s = (struct helm_stats){0};
}

const struct helm_instance *helm_find_instance(const struct helm_stats *s, const char *id,
                                               long long trial)
{
    char key[256];
    int n = snprintf(key, sizeof key, "%lld %s", trial, id);
    size_t i = n > 0 && (size_t)n < sizeof key ? names_find(&s->keys, key) : SIZE_MAX;
    return i != SIZE_MAX ? &s->instance[i] : NULL;
}

double helm_value_of(const struct helm_stats *s, const struct helm_instance *instance,
                     const char *name)
{
    size_t metric = names_find(&s->names, name);
    for (size_t i = 0; instance != NULL && i < instance->n; i++) {
        if (instance->value[i].name == metric) {
            return instance->value[i].mean;
        }
    }
    return NAN;
}
