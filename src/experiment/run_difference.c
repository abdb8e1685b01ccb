/* Are two run.json of one run, and if not, in what do they differ? */
#include <string.h>

#include <cJSON.h>

#include "experiment/run_file.h"
#include "regret/json.h"

/* Where the path of the pool begins and how long it is. A title cannot look like the field: quotes
 * are escaped in it. */
static const char *pool_path(size_t *length, const char *text)
{
    static const char field[] = "\"pool\":\"";
    const char *at = strstr(text, field);
    if (at == NULL) {
        *length = 0;
        return text;
    }
    at += sizeof field - 1;
    size_t n = 0;
    while (at[n] != '\0' && at[n] != '"') {
        n += at[n] == '\\' && at[n + 1] != '\0' ? 2 : 1;
    }
    *length = n;
    return at;
}

int run_file_same(const char *a, const char *b, int any_shard)
{
    size_t skip_a = 0, skip_b = 0;
    const char *pool_a = pool_path(&skip_a, a), *pool_b = pool_path(&skip_b, b);
    if (pool_a - a != pool_b - b || memcmp(a, b, (size_t)(pool_a - a)) != 0) {
        return 0;
    }
    a = pool_a + skip_a;
    b = pool_b + skip_b;
    const char *tail_a = strstr(a, "\"shard\":"), *tail_b = strstr(b, "\"shard\":");
    if (!any_shard || tail_a == NULL || tail_b == NULL) {
        return strcmp(a, b) == 0;
    }
    return tail_a - a == tail_b - b && memcmp(a, b, (size_t)(tail_a - a)) == 0;
}

static void put_value(struct regret_text *text, const cJSON *value)
{
    enum { COLUMNS = 60 };
    char *json = value != NULL ? cJSON_PrintUnformatted(value) : NULL;
    if (value != NULL && json == NULL) {
        text->status = regret_fail(REGRET_E_NOMEM, "out of memory: a difference of two runs");
    }
    regret_text_append_safe(text, json != NULL ? json : "absent", COLUMNS);
    cJSON_free(json);
}

/* The first member in which two objects differ, `skip` left out: 1, with "NAME is A there, B here"
 * put down. */
static int members_differ(struct regret_text *text, const char *prefix, const cJSON *a,
                          const cJSON *b, const char *skip)
{
    const cJSON *const sides[] = {b, a};
    for (size_t s = 0; s < 2; s++) {
        for (const cJSON *v = sides[s] != NULL ? sides[s]->child : NULL; v != NULL; v = v->next) {
            const cJSON *there = cJSON_GetObjectItemCaseSensitive(a, v->string);
            const cJSON *here = cJSON_GetObjectItemCaseSensitive(b, v->string);
            int same = there != NULL && here != NULL && cJSON_Compare(there, here, 1);
            if (same || (skip != NULL && strcmp(v->string, skip) == 0)) {
                continue;
            }
            regret_text_append(text, prefix);
            regret_text_append_safe(text, v->string, 60);
            regret_text_append(text, " is ");
            put_value(text, there);
            regret_text_append(text, " there, ");
            put_value(text, here);
            regret_text_append(text, " here");
            return 1;
        }
    }
    return 0;
}

static int configs_differ(struct regret_text *text, const cJSON *a, const cJSON *b)
{
    const cJSON *config_a = cJSON_GetObjectItemCaseSensitive(a, "config");
    const cJSON *config_b = cJSON_GetObjectItemCaseSensitive(b, "config");
    const cJSON *sweep_a = cJSON_GetObjectItemCaseSensitive(config_a, "sweep");
    const cJSON *sweep_b = cJSON_GetObjectItemCaseSensitive(config_b, "sweep");
    if (members_differ(text, "sweep.", sweep_a, sweep_b, NULL)) {
        return 1;
    }
    /* Where the pool lies does not matter, what is in it is told by its digest. Of a generated
     * pool the keys that made it come first. */
    return members_differ(text, "", config_a, config_b, "pool");
}

/* A member of the whole description: 1 when it differs. */
static int field_differs(struct regret_text *text, const char *field, const cJSON *a,
                         const cJSON *b)
{
    const cJSON *there = cJSON_GetObjectItemCaseSensitive(a, field);
    const cJSON *here = cJSON_GetObjectItemCaseSensitive(b, field);
    if (there != NULL && here != NULL && cJSON_Compare(there, here, 1)) {
        return 0;
    }
    if (cJSON_IsObject(there) && cJSON_IsObject(here)) {
        regret_text_printf(text, "its ");
        return members_differ(text, "", there, here, NULL);
    }
    regret_text_printf(text, "%s is ", field);
    put_value(text, there);
    regret_text_append(text, " there, ");
    put_value(text, here);
    regret_text_append(text, " here");
    return 1;
}

static const char *difference(struct regret_text *text, const cJSON *a, const cJSON *b,
                              int any_shard)
{
    static const struct {
        const char *field, *word;
    } parts[] = {{"pool", "pool"},
                 {"shard", "shard"},
                 {"begin", "program"},
                 {"version", "program"},
                 {"results_version", "program"},
                 {"blas", "machine"}};
    if (configs_differ(text, a, b)) {
        return "configuration";
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (any_shard &&
            (strcmp(parts[i].field, "shard") == 0 || strcmp(parts[i].field, "begin") == 0)) {
            continue;
        }
        if (field_differs(text, parts[i].field, a, b)) {
            return parts[i].word;
        }
    }
    regret_text_append(text, "its run.json was written by another build");
    return "program";
}

const char *run_file_difference(struct regret_text *text, const char *a, const char *b,
                                int any_shard)
{
    const struct regret_place at = {"run.json", 0};
    cJSON *there = NULL, *here = NULL;
    const char *word = "program";
    if (regret_json_parse(&there, a, strlen(a), at) == REGRET_OK &&
        regret_json_parse(&here, b, strlen(b), at) == REGRET_OK) {
        word = difference(text, there, here, any_shard);
    } else {
        regret_text_append(text, regret_error_message());
    }
    cJSON_Delete(there);
    cJSON_Delete(here);
    return word;
}
