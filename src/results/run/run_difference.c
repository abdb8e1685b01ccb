/* Are two run.json of one run, and if not, in what do they differ? */
#include <string.h>

#include <cJSON.h>

#include "results/run/run_file.h"

/* The member, or the next where it is the description of the families and the other side has none:
 * that of a program that did not write it. */
static const cJSON *past_facts(const cJSON *member, const cJSON *other)
{
    int facts =
        member != NULL && member->string != NULL && strcmp(member->string, RUN_FAMILY_FACTS) == 0 &&
        !(other != NULL && other->string != NULL && strcmp(other->string, RUN_FAMILY_FACTS) == 0);
    return facts ? member->next : member;
}

/* Members in the same order, but for those that may differ. */
static int same_members(const cJSON *a, const cJSON *b,
                        int (*may_differ)(const cJSON *member, const cJSON *other))
{
    const cJSON *v = a != NULL ? a->child : NULL, *w = b != NULL ? b->child : NULL;
    for (; v != NULL && w != NULL; v = v->next, w = w->next) {
        const cJSON *first = v;
        v = past_facts(v, w);
        w = past_facts(w, first);
        if (v == NULL || w == NULL) {
            break;
        }
        int named = v->string != NULL && w->string != NULL;
        if ((named && strcmp(v->string, w->string) != 0) ||
            !((named && may_differ != NULL && may_differ(v, w)) || run_same_json(v, w))) {
            return 0;
        }
    }
    return v == NULL && w == NULL;
}

int run_same_json(const cJSON *a, const cJSON *b)
{
    if ((a->type & 0xFF) != (b->type & 0xFF)) {
        return 0;
    }
    return cJSON_IsString(a)   ? strcmp(a->valuestring, b->valuestring) == 0
           : cJSON_IsNumber(a) ? a->valuedouble == b->valuedouble
                               : same_members(a, b, NULL);
}

static int is_config(const cJSON *member, const cJSON *other)
{
    (void)other;
    return strcmp(member->string, "config") == 0;
}

static int is_config_or_range(const cJSON *member, const cJSON *other)
{
    return is_config(member, other) || strcmp(member->string, "shard") == 0 ||
           strcmp(member->string, "begin") == 0 || strcmp(member->string, "replicates") == 0;
}

/* Of a family of one's own, a path: what lies there is told by the digest. */
static int is_family_path(const cJSON *member, const cJSON *other)
{
    return cJSON_IsString(member) && cJSON_IsString(other) &&
           (strcmp(member->string, "folder") == 0 || strcmp(member->string, "predictions") == 0);
}

static int same_families(const cJSON *a, const cJSON *b)
{
    const cJSON *v = a->child, *w = b->child;
    while (v != NULL && w != NULL &&
           (cJSON_IsObject(v) && cJSON_IsObject(w) ? same_members(v, w, is_family_path)
                                                   : run_same_json(v, w))) {
        v = v->next;
        w = w->next;
    }
    return v == NULL && w == NULL;
}

static int is_path(const cJSON *member, const cJSON *other)
{
    if (cJSON_IsArray(member) && cJSON_IsArray(other) && strcmp(member->string, "families") == 0) {
        return same_families(member, other);
    }
    return cJSON_IsString(member) && (strcmp(member->string, "pool") == 0 ||
                                      strcmp(member->string, "transport.weights") == 0);
}

static int same_run(const cJSON *a, const cJSON *b, int any_shard)
{
    return cJSON_IsObject(a) && cJSON_IsObject(b) &&
           same_members(a, b, any_shard ? is_config_or_range : is_config) &&
           same_members(cJSON_GetObjectItemCaseSensitive(a, "config"),
                        cJSON_GetObjectItemCaseSensitive(b, "config"), is_path);
}

static void put_value(struct regret_buffer *text, const cJSON *value)
{
    enum { COLUMNS = 60 };
    char *json = value != NULL ? cJSON_PrintUnformatted(value) : NULL;
    if (value != NULL && json == NULL) {
        text->status = regret_fail(REGRET_E_NOMEM, "out of memory: a difference of two runs");
    }
    regret_buffer_append_safe(text, json != NULL ? json : "absent", COLUMNS);
    cJSON_free(json);
}

/* " is A there, B here" */
static void put_both(struct regret_buffer *text, const cJSON *there, const cJSON *here)
{
    regret_buffer_append(text, " is ");
    put_value(text, there);
    regret_buffer_append(text, " there, ");
    put_value(text, here);
    regret_buffer_append(text, " here");
}

/* The first member in which two objects differ, `skip` left out: 1, with "NAME is A there, B here"
 * put down. */
static int members_differ(struct regret_buffer *text, const char *prefix, const cJSON *a,
                          const cJSON *b, const char *skip)
{
    const cJSON *const sides[] = {b, a};
    for (size_t s = 0; s < 2; s++) {
        for (const cJSON *v = sides[s] != NULL ? sides[s]->child : NULL; v != NULL; v = v->next) {
            const cJSON *there = cJSON_GetObjectItemCaseSensitive(a, v->string);
            const cJSON *here = cJSON_GetObjectItemCaseSensitive(b, v->string);
            int same = there != NULL && here != NULL &&
                       (cJSON_Compare(there, here, 1) ||
                        (strcmp(v->string, "families") == 0 && is_path(there, here)));
            if (same || (skip != NULL && strcmp(v->string, skip) == 0)) {
                continue;
            }
            regret_buffer_append(text, prefix);
            regret_buffer_append_safe(text, v->string, 60);
            put_both(text, there, here);
            return 1;
        }
    }
    return 0;
}

static int configs_differ(struct regret_buffer *text, const cJSON *a, const cJSON *b)
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
static int field_differs(struct regret_buffer *text, const char *field, const cJSON *a,
                         const cJSON *b)
{
    const cJSON *there = cJSON_GetObjectItemCaseSensitive(a, field);
    const cJSON *here = cJSON_GetObjectItemCaseSensitive(b, field);
    if (there != NULL && here != NULL && cJSON_Compare(there, here, 1)) {
        return 0;
    }
    if (cJSON_IsObject(there) && cJSON_IsObject(here)) {
        regret_buffer_printf(text, "its ");
        return members_differ(text, "", there, here, NULL);
    }
    regret_buffer_append(text, field);
    put_both(text, there, here);
    return 1;
}

/* The files of a family of one's own: 1 when they differ. */
static int digests_differ(struct regret_buffer *text, const cJSON *a, const cJSON *b)
{
    const cJSON *there = cJSON_GetObjectItemCaseSensitive(a, RUN_FAMILY_FACTS);
    const cJSON *here = cJSON_GetObjectItemCaseSensitive(b, RUN_FAMILY_FACTS);
    int n = cJSON_GetArraySize(here);
    for (int i = 0; i < n && i < cJSON_GetArraySize(there); i++) {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(here, i), "family");
        const cJSON *before =
            cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(there, i), "digest");
        const cJSON *now = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(here, i), "digest");
        if ((before == NULL) != (now == NULL) || (now != NULL && !cJSON_Compare(before, now, 1))) {
            regret_buffer_append(text, "the digest of the files of ");
            regret_buffer_append_safe(text, cJSON_IsString(name) ? name->valuestring : "a family",
                                      60);
            put_both(text, before, now);
            return 1;
        }
    }
    return 0;
}

const char *run_difference(struct regret_buffer *text, const cJSON *there, const cJSON *here,
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
    if (same_run(there, here, any_shard)) {
        return NULL;
    }
    if (configs_differ(text, there, here)) {
        return "configuration";
    }
    if (digests_differ(text, there, here)) {
        return "estimator";
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (any_shard &&
            (strcmp(parts[i].field, "shard") == 0 || strcmp(parts[i].field, "begin") == 0)) {
            continue;
        }
        if (field_differs(text, parts[i].field, there, here)) {
            return parts[i].word;
        }
    }
    regret_buffer_append(text, "its run.json was written by another build");
    return "program";
}
