#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "evaluate/internal.h"
#include "log/config.h"
#include "model/deciding.h"
#include "model/model.h"
#include "regret/buffer.h"
#include "regret/estimate.h"
#include "regret/evaluate.h"
#include "regret/experiment.h"
#include "regret/status.h"

/* Says what is being done to whoever wants to know. */
static inline void evaluate_tell(const struct regret_evaluate_options *options, const char *step)
{
    if (options->step != NULL) {
        options->step(options->step_context, step, 0, 0);
    }
}

FREED_POINTER(struct regret_evaluation, regret_evaluation_free)

static int diagnose(struct regret_evaluation *e, const struct regret_log *log,
                    const struct regret_evaluate_options *options)
{
    const struct regret_diagnose_options how = {options->level, options->seed, options->resamples,
                                                options->threads};
    evaluate_tell(options, "asking whether log and trial can be trusted");
    return regret_diagnose(&e->diagnostics, log, &how);
}

/* Once more with other folds and draws, and with mixed for the surface, which is quick: what should not matter. */
static int check_seed(struct regret_evaluation *e, const struct regret_log *log,
                      const struct regret_evaluate_options *options)
{
    const struct regret_family *mixed = regret_family_find("mixed");
    struct regret_evaluate_options other = *options;
    FREED_BY(regret_evaluation_free_at) struct regret_evaluation *again = NULL;
    other.family = &mixed;
    other.n_families = 1;
    other.seed++;
    other.resamples = 100;
    evaluate_tell(options, "fitting once more, with other folds");
    TRY(REGRET_NEW(&again, 1));
    int rc = evaluation_fill(again, log, &other);
    if (rc == REGRET_E_INPUT || rc == REGRET_E_NUMERIC) { /* what mixed cannot fit is not asked */
        return REGRET_OK;
    }
    TRY(rc);
    return answer_add_seed(e, again, log);
}

static int fill(struct regret_evaluation *e, const struct regret_log *log,
                const struct regret_evaluate_options *options)
{
    evaluate_tell(options, "fitting the surfaces");
    TRY(evaluation_fill(e, log, options));
    TRY(options->diagnose ? diagnose(e, log, options) : REGRET_OK);
    TRY(answer_add_checks(e, log));
    TRY(options->diagnose ? check_seed(e, log, options) : REGRET_OK);
    return answer_decide(e, log);
}

int regret_evaluate(struct regret_evaluation **out, const struct regret_log *log,
                    const struct regret_evaluate_options *options)
{
    FREED_BY(regret_evaluation_free_at) struct regret_evaluation *e = NULL;
    TRY(regret_blas_check_threads(options->threads));
    TRY(REGRET_NEW(&e, 1));
    FREED_BY(regret_threads_restore) size_t before = regret_threads_allow(options->threads);
    int rc = fill(e, log, options);
    if (rc == REGRET_E_NOMEM) {
        return regret_fail_suffix(rc,
                                  "; less is taken by fewer \"obs.rows\" (of %zu) or "
                                  "\"families\": [\"mixed\"] in evaluate.json",
                                  options->rows[REGRET_LOG_OBS]);
    }
    TRY(rc);
    *out = e;
    e = NULL;
    return REGRET_OK;
}

/* The keys of the estimation in evaluate.json. */

FREED_POINTER(cJSON, cJSON_Delete)
FREED_POINTER(struct regret_run_plan, regret_run_plan_free)

/* Read here; what else is of the estimation is read as configurations of runs have it. */
static const char *const own_keys[] = {"folds", "level", "resamples"};
enum { OWN_KEYS = sizeof own_keys / sizeof *own_keys };

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

static int no_room(void)
{
    return regret_fail(REGRET_E_NOMEM, "out of memory: a configuration");
}

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
            return no_room();
        }
    }
    return REGRET_OK;
}

static int make_run(char **out, const cJSON *root, const struct regret_evaluate_options *o)
{
    FREED_BY(cJSON_Delete_at) cJSON *run = cJSON_CreateObject();
    if (run == NULL || cJSON_AddStringToObject(run, "pool", "none") == NULL) {
        return no_room();
    }
    for (const cJSON *v = root->child; v != NULL; v = v->next) {
        if (!texts_have(own_keys, OWN_KEYS, v->string) && !log_config_is_input_key(v->string) &&
            !cJSON_AddItemToObject(run, v->string, cJSON_Duplicate(v, 1))) {
            return no_room();
        }
    }
    TRY(add_defaults(run, o));
    char *text = cJSON_PrintUnformatted(run);
    int rc = text != NULL ? regret_strdup(out, text) : no_room();
    cJSON_free(text);
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

void regret_evaluation_free(struct regret_evaluation *e)
{
    if (e == NULL) {
        return;
    }
    texts_free(e->note, e->n_notes);
    for (size_t p = 0; p < REGRET_POLICIES; p++) {
        regret_free(e->choice[p]);
    }
    regret_diagnostics_free(e->diagnostics);
    regret_free(e->agent);
    regret_free(e->tag);
    regret_free(e->advice);
    regret_free(e->group);
    regret_free(e->family);
    regret_free(e->lambda_says);
    regret_free(e->sentence);
    regret_free(e->guess_sentence);
    regret_free(e->row);
    regret_free(e->fold);
    regret_free(e->surface);
    regret_free(e->surface_of);
    regret_free(e->propensity);
    regret_free(e->margin_group);
    regret_free(e);
}

void regret_evaluate_options_default(struct regret_evaluate_options *options)
{
    const struct regret_feature_options features = REGRET_FEATURE_OPTIONS_INIT;
    *options = (struct regret_evaluate_options){
        .folds = 5,
        .level = 0.95,
        .seed = 1,
        .resamples = 2000,
        .rows = {[REGRET_LOG_OBS] = 5000, [REGRET_LOG_EXP] = 20000},
        .features = features,
        .embedding_rank = 8,
        .cv_folds = 5,
        .diagnose = 1,
        .threads = 1,
    };
    /* What `init` chooses for a table: who answers, and on what, weighs more than single words (protocol §13). */
    options->features.agent = options->features.agent_tag = 10.0;
    options->features.agent_words = 3.0;
    options->features.tag = 3.0;
    options->features.columns = options->features.agent_columns = 1.0;
    regret_estimate_options_default(&options->estimate);
    options->estimate.cross_fit = 0;
    regret_hyper_of(&options->estimate, "exp_only.rho")->grid =
        (struct regret_grid_values){1, {10.0}};
    regret_hyper_of(&options->estimate, "obs_only.rho")->grid =
        (struct regret_grid_values){1, {10.0}};
}

const char *regret_policy_name(enum regret_policy_kind policy)
{
    static const char *const names[REGRET_POLICIES] = {"single", "by-tag", "by-request"};
    return names[policy];
}

const char *regret_verdict_name(enum regret_verdict verdict)
{
    static const char *const names[REGRET_VERDICTS] = {"cannot tell", "one agent", "by tag",
                                                       "by request"};
    return names[verdict];
}

FREED_POINTER(struct regret_model, regret_model_free)

static const char RESULT[] = "result.json", MODEL[] = "model.regret";

struct writing {
    const char *folder;
    const struct regret_evaluation *e;
    const struct regret_log *log;
    const struct regret_evaluation_files *files;
};

static int put_csv(const struct writing *w, const char *name, struct regret_buffer *text)
{
    FREED_BY(regret_buffer_free) struct regret_buffer guarded = REGRET_BUFFER_INIT;
    TRY(regret_buffer_status(text));
    if (w->files->safe_csv) {
        regret_csv_guard(&guarded, regret_buffer_get(text), text->length);
    }
    TRY(regret_file_write_text(w->folder, name, w->files->safe_csv ? &guarded : text));
    regret_buffer_clear(text);
    return REGRET_OK;
}

static void diagnostics_of(struct regret_buffer *out, const struct regret_evaluation *e,
                           const struct regret_log *log)
{
    (void)log;
    table_diagnostics(out, e);
}

static const struct {
    const char *name;
    void (*make)(struct regret_buffer *out, const struct regret_evaluation *e,
                 const struct regret_log *log);
    int is_detail;
} tables[] = {
    {"agents.csv", table_agents, 0},        {"tags.csv", table_tags, 0},
    {"policies.csv", table_policies, 0},    {"recommendations.csv", table_recommendations, 0},
    {"diagnostics.csv", diagnostics_of, 0}, {"rows.csv", table_rows, 1},
};

static int write_tables(const struct writing *w)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (!tables[i].is_detail || w->files->details) {
            tables[i].make(&text, w->e, w->log);
            TRY(put_csv(w, tables[i].name, &text));
        }
    }
    regret_evaluation_json(&text, w->e, w->log);
    return regret_file_write_text(w->folder, RESULT, &text);
}

/* A model that cannot be fitted to so little is no reason to fail. Where it cannot be told who is better requests stay with the incumbent: a
 * model that names others would be believed. */
static int write_model(const struct writing *w, const struct regret_evaluate_options *options)
{
    FREED_BY(regret_model_free_at) struct regret_model *model = NULL;
    FREED char *path = NULL;
    if (w->e->verdict == REGRET_VERDICT_CANNOT_TELL) {
        return REGRET_OK;
    }
    evaluate_tell(options, "fitting the model of new requests");
    int fitted = answer_model(&model, w->e, w->log);
    if (fitted == REGRET_E_INPUT) {
        return REGRET_OK;
    }
    TRY(fitted);
    TRY(regret_path_join(&path, w->folder, MODEL));
    return regret_model_write(model, path);
}

int regret_evaluation_write(const char *folder, const struct regret_evaluation *evaluation,
                            const struct regret_log *log,
                            const struct regret_evaluate_options *options,
                            const struct regret_evaluation_files *files)
{
    FREED_BY(regret_staging_abandon) struct regret_staging staging = REGRET_STAGING_INIT;
    TRY(regret_staging_begin(&staging, folder, files->replace, REGRET_EVALUATION_FILES));
    const struct writing w = {staging.partial, evaluation, log, files};
    TRY(write_tables(&w));
    TRY(write_model(&w, options));
    return regret_staging_commit(&staging);
}
