#include "experiment/config/run_plan.h"

#include <cJSON.h>

#include "regret/alloc.h"
#include "regret/families.h"

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
        .transport_reweight = 1,
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
