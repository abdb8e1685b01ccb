/* The keys of the estimation in evaluate.json. */
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "log/read/keys.h"
#include "regret/alloc.h"
#include "regret/config.h"
#include "regret/evaluate.h"
#include "regret/json.h"

FREED_POINTER(cJSON, cJSON_Delete)
FREED_POINTER(struct regret_run_plan, regret_run_plan_free)

/* Read here; what else is of the estimation is read as configurations of runs have it. */
static const char *const own_keys[] = {"folds", "level", "resamples"};

static int is_own_key(const char *key)
{
    int found = 0;
    for (size_t i = 0; i < sizeof own_keys / sizeof *own_keys; i++) {
        found |= strcmp(key, own_keys[i]) == 0;
    }
    return found;
}

static int read_own(struct regret_evaluate_options *o, const cJSON *root, struct regret_place at)
{
    long long folds = (long long)o->folds, resamples = (long long)o->resamples;
    long long seed = (long long)o->seed, rows = (long long)o->rows[REGRET_LOG_OBS];
    const long long most_folds = 100, most_resamples = 1000000, most_rows = 10000000;
    TRY(regret_json_optional_integer(&folds, root, "folds", 2, most_folds, at));
    TRY(regret_json_optional_integer(&resamples, root, "resamples", 100, most_resamples, at));
    TRY(regret_json_optional_integer(&seed, root, "seed", 0, 1LL << 53, at));
    TRY(regret_json_optional_integer(&rows, root, "obs.rows", 1, most_rows, at));
    TRY(regret_json_optional_number(&o->level, root, "level", at));
    if (!(o->level >= 0.5 && o->level < 1.0)) {
        return regret_json_error(at, "\"level\" must be from 0.5 to below 1, say 0.95");
    }
    o->folds = (size_t)folds;
    o->resamples = (size_t)resamples;
    o->seed = (uint64_t)seed;
    o->rows[REGRET_LOG_OBS] = (size_t)rows;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- keys of runs */

/* What evaluate has other defaults of than runs. */
static int add_defaults(cJSON *to, const struct regret_evaluate_options *o)
{
    const struct {
        const char *key;
        double value;
    } of[] = {{"features.context", o->features.context},
              {"features.agent", o->features.agent},
              {"features.tag", o->features.tag},
              {"features.agent_tag", o->features.agent_tag},
              {"features.agent_words", o->features.agent_words},
              {"features.columns", o->features.columns},
              {"features.agent_columns", o->features.agent_columns},
              {"exp_only.rho", 10.0},
              {"obs_only.rho", 10.0}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        if (cJSON_GetObjectItemCaseSensitive(to, of[i].key) == NULL &&
            cJSON_AddNumberToObject(to, of[i].key, of[i].value) == NULL) {
            return regret_fail(REGRET_E_NOMEM, "out of memory: a configuration");
        }
    }
    return REGRET_OK;
}

static int make_run(char **out, const cJSON *root, const struct regret_evaluate_options *o)
{
    cJSON *run = cJSON_CreateObject();
    char *text = NULL;
    int rc = run != NULL && cJSON_AddStringToObject(run, "pool", "none") != NULL
                 ? REGRET_OK
                 : regret_fail(REGRET_E_NOMEM, "out of memory: a configuration");
    TRY_CLEANUP(rc);
    for (const cJSON *v = root->child; v != NULL; v = v->next) {
        if (!is_own_key(v->string) && !log_config_is_input_key(v->string) &&
            !cJSON_AddItemToObject(run, v->string, cJSON_Duplicate(v, 1))) {
            TRY_CLEANUP(regret_fail(REGRET_E_NOMEM, "out of memory: a configuration"));
        }
    }
    TRY_CLEANUP(add_defaults(run, o));
    text = cJSON_PrintUnformatted(run);
    rc = text != NULL ? regret_strdup(out, text)
                      : regret_fail(REGRET_E_NOMEM, "out of memory: a configuration");
cleanup:
    cJSON_free(text);
    cJSON_Delete(run);
    return rc;
}

static int take_run(struct regret_evaluate_options *o, const struct regret_family **families,
                    const struct regret_config *c, int names_families, const char *path)
{
    o->features = c->features;
    o->estimate = c->estimate;
    o->cv_folds = c->cv_folds;
    o->max_bytes = c->text_max_bytes;
    if (!names_families) {
        return REGRET_OK;
    }
    if (c->families.n_external > 0) {
        return regret_fail(REGRET_E_INPUT,
                           "%s: families of your own are for runs; name those of the program",
                           path);
    }
    for (size_t i = 0; i < c->families.n; i++) {
        families[i] = regret_family_list_built_in(&c->families, i);
    }
    o->family = families;
    o->n_families = c->families.n;
    return REGRET_OK;
}

static int read_run(struct regret_evaluate_options *o, const struct regret_family **families,
                    const cJSON *root, const char *path)
{
    FREED_BY(regret_run_plan_free_at) struct regret_run_plan *plan = NULL;
    FREED struct regret_config *config = NULL;
    FREED char *text = NULL;
    TRY(make_run(&text, root, o));
    TRY(regret_run_plan_parse(&plan, text, strlen(text), path, NULL, 0));
    TRY(REGRET_NEW(&config, 1));
    regret_run_plan_cell(config, plan, 0);
    return take_run(o, families, config, cJSON_GetObjectItemCaseSensitive(root, "families") != NULL,
                    path);
}

int regret_evaluate_options_read(struct regret_evaluate_options *options,
                                 const struct regret_family **families, const char *path)
{
    const struct regret_place at = {path, 0};
    struct regret_evaluate_options o;
    FREED_BY(cJSON_Delete_at) cJSON *root = NULL;
    regret_evaluate_options_default(&o);
    TRY(regret_json_read_file(&root, path));
    TRY(cJSON_IsObject(root) ? REGRET_OK
                             : regret_json_error(at, "a configuration must be a JSON object"));
    TRY(log_config_check_keys(root, at));
    TRY(read_own(&o, root, at));
    TRY(read_run(&o, families, root, path));
    *options = o;
    return REGRET_OK;
}
