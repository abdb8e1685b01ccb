/* results_DATE.json: whose samples lie beside it, of which version of the tasks, and which way their metrics count. */
#include <string.h>

#include <cJSON.h>

#include "base/archive/each.h"
#include "base/core/try.h"
#include "base/text/path.h"
#include "import/lm_eval/lm_eval.h"
#include "regret/alloc.h"

FREED_POINTER(cJSON, cJSON_Delete)

static const char SAMPLES_END[] = ".jsonl", RESULTS_END[] = ".json";

/* Where the date begins, "2025-03-01T12-00-00.123456", behind the last "_"; the end where there is none. */
static const char *date_in(const char *name, const char *end)
{
    const char *p = end;
    while (p > name && p[-1] != '_') {
        p--;
    }
    size_t digits = strspn(p, "0123456789");
    return p > name && digits == 4 && p[4] == '-' ? p : end;
}

int lm_eval_name_read(struct lm_eval_name *out, const char *path, const char *prefix)
{
    const char *name = path_last(path);
    const char *last = strcmp(prefix, "results") == 0 ? RESULTS_END : SAMPLES_END;
    const char *end = name + strlen(name) - strlen(last), *date = date_in(name, end);
    const char *task = name + strlen(prefix), *task_end = date < end ? date - 1 : end;
    task += *task == '_' && task < task_end;
    int rc;
    *out = (struct lm_eval_name){NULL, NULL, NULL};
    TRY_CLEANUP(regret_strndup(&out->folder, path, name > path ? (size_t)(name - path) - 1 : 0));
    TRY_CLEANUP(regret_strndup(&out->task, task, task < task_end ? (size_t)(task_end - task) : 0));
    TRY_CLEANUP(regret_strndup(&out->date, date, (size_t)(end - date)));
    return REGRET_OK;
cleanup:
    lm_eval_name_free(out);
    return rc;
}

void lm_eval_name_free(struct lm_eval_name *name)
{
    regret_free(name->folder);
    regret_free(name->task);
    regret_free(name->date);
}

static const char *text_at(const cJSON *object, const char *field)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, field);
    return cJSON_IsString(value) && value->valuestring[0] != '\0' ? value->valuestring : NULL;
}

/* What the harness calls the model, or the arguments of its command do. */
static int model_name(char **out, const cJSON *root)
{
    static const char *const KEYS[] = {"peft=", "delta=", "pretrained=", "model=", "path="};
    const char *name = text_at(root, "model_name");
    const cJSON *config = cJSON_GetObjectItemCaseSensitive(root, "config");
    const char *args = text_at(config, "model_args");
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS && name == NULL && args != NULL; i++) {
        const char *found = strstr(args, KEYS[i]);
        if (found != NULL) {
            found += strlen(KEYS[i]);
            return regret_strndup(out, found, strcspn(found, ","));
        }
    }
    return regret_strdup(out, name != NULL ? name : "");
}

static cJSON *detach(cJSON *root, const char *field)
{
    return cJSON_IsObject(root) ? cJSON_DetachItemFromObjectCaseSensitive(root, field) : NULL;
}

static int add_run(struct lm_eval_results *out, cJSON *root, struct lm_eval_name *name)
{
    TRY(regret_grow((void **)&out->run, &out->capacity, out->n, sizeof *out->run, "results"));
    struct results_run run = {0};
    TRY(model_name(&run.model, root));
    run.folder = name->folder;
    run.date = name->date;
    name->folder = name->date = NULL;
    run.versions = detach(root, "versions");
    run.shots = detach(root, "n-shot");
    run.better = detach(root, "higher_is_better");
    out->run[out->n++] = run;
    return REGRET_OK;
}

struct reading {
    struct lm_eval_results *out;
    struct harness *h;
};

/* source_member. */
static int read_one(void *context, struct source *source, const char *path)
{
    const struct reading *r = context;
    FREED_BY(lm_eval_name_free) struct lm_eval_name name = {NULL, NULL, NULL};
    FREED_BY(cJSON_Delete_at) cJSON *root = NULL;
    TRY(lm_eval_name_read(&name, path, "results"));
    TRY(source_json(source, &root));
    TRY(add_run(r->out, root, &name));
    return harness_file(r->h, source);
}

int results_read(struct lm_eval_results *out, struct harness *h, const char *path)
{
    static const char *const PATTERNS[] = {"results_*.json", "*_20[0-9][0-9]-[0-9][0-9]-*.json"};
    struct reading reading = {out, h};
    return harness_each(h, path, PATTERNS, sizeof PATTERNS / sizeof *PATTERNS, read_one, &reading);
}

const struct results_run *results_find(const struct lm_eval_results *results, const char *folder,
                                       const char *date)
{
    const struct results_run *found = NULL;
    for (size_t i = 0; i < results->n; i++) {
        const struct results_run *r = &results->run[i];
        if (strcmp(r->folder, folder) == 0 && (found == NULL || strcmp(r->date, date) == 0)) {
            found = r;
        }
    }
    return found;
}

void results_free(struct lm_eval_results *results)
{
    for (size_t i = 0; i < results->n; i++) {
        struct results_run *r = &results->run[i];
        regret_free(r->folder);
        regret_free(r->date);
        regret_free(r->model);
        cJSON_Delete(r->versions);
        cJSON_Delete(r->shots);
        cJSON_Delete(r->better);
    }
    regret_free(results->run);
}
