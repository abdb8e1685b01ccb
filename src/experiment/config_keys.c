#include "experiment/config_keys.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include <cJSON.h>

static const char *const tasks[] = {"pool", "world", NULL};
static const char *const policies[] = {"fail", "complete", "impute-zero", NULL};
static const char *const maps[] = {"smooth", "sharpened", "utility", NULL};
static const char *const laws[] = {"beta", "none", NULL};
static const char *const frequencies[] = {"count", "log", "binary", NULL};
static const char *const proxies[] = {"aux-svd", "predicted-labels", "tfidf-svd", NULL};
static const char *const tunings[] = {"cv", "holdout", NULL};

static const char *const fold_units[] = {"row", "context", NULL};
static const char *const plug_ins[] = {"full", "folds", NULL};

#define AT(field) offsetof(struct regret_config, field)

/* clang-format off */
static const struct config_key keys[] = {
    {"title", KEY_STRING, AT(title), 0, REGRET_TITLE_SIZE, NULL, "what the run is called in its report"},
    {"task", KEY_CHOICE, AT(task), 0, 0, tasks, "outcomes by the pool's scores, or by a controlled world over its texts"},
    {"pool", KEY_STRING, AT(pool), 0, REGRET_PATH_SIZE, NULL, "folder of the task pool, or \"" REGRET_SYNTH_PREFIX "NAME\": one generated at the start"},
    {"synth.articles", KEY_SIZE, AT(synth.contexts), 1, REGRET_POOL_MAX_CONTEXTS, NULL, "contexts of a generated pool"},
    {"synth.draws", KEY_SIZE, AT(synth.draws), 1, 1000, NULL, "outputs of each context and agent in a generated pool"},
    {"synth.seed", KEY_U64, AT(synth.seed), 0, 1e15, NULL, "seed of a generated pool"},
    {"seeds", KEY_SIZE, AT(seeds), 1, REGRET_MAX_SEEDS, NULL, "replicates of every cell"},
    {"first_seed", KEY_U64, AT(first_seed), 0, 1e15, NULL, "number of the first seed"},
    {"families", KEY_FAMILIES, AT(families), 0, 0, NULL, "estimator families to fit"},

    {"contexts.hard", KEY_SIZE, AT(grid.hard_contexts), 0, 1e6, NULL, "keep this many hardest contexts; 0 keeps all"},
    {"contexts.train_share", KEY_DOUBLE, AT(train_share), 0.01, 0.99, NULL, "share of the contexts to train on"},
    {"grid.policy", KEY_CHOICE, AT(grid.policy), 0, 0, policies, "what to do about missing outputs"},

    {"reward.map", KEY_CHOICE, AT(reward.map), 0, 0, maps, "from scores to reward"},
    {"reward.power", KEY_DOUBLE, AT(reward.power), 0.01, 100, NULL, "exponent p of the sharpened map"},
    {"reward.penalty", KEY_DOUBLE, AT(reward.penalty), 0, 1, NULL, "price of one unsupported claim"},
    {"reward.claims_cap", KEY_DOUBLE, AT(reward.claims_cap), 0, 1e6, NULL, "most claims that are charged for"},
    {"reward.lambda_fix", KEY_DOUBLE, AT(reward.lambda_fix), 0, 1, NULL, "weight of success in the utility map"},
    {"reward.omega", KEY_DOUBLE, AT(reward.omega), 0, 1, NULL, "weight of the worst quality in the utility map"},
    {"outcome.law", KEY_CHOICE, AT(outcome.law), 0, 0, laws, "noise of an outcome around its reward"},
    {"outcome.precision", KEY_DOUBLE, AT(outcome.precision), 1e-3, 1e9, NULL, "phi of Y ~ Beta(phi r, phi (1-r))"},

    {"beta", KEY_DOUBLE, AT(router.beta), 0, 100, NULL, "confounding strength"},
    {"n_obs", KEY_SIZE, AT(n_obs), 1, 1e7, NULL, "rows of the observational log"},
    {"n_exp", KEY_SIZE, AT(n_exp), 1, 1e7, NULL, "rows of the randomized experiment"},
    {"router.slate", KEY_SIZE, AT(router.slate), 1, REGRET_POOL_MAX_AGENTS, NULL, "agents offered to a user"},
    {"router.eta", KEY_DOUBLE, AT(router.eta), -100, 100, NULL, "weight of the context score"},
    {"router.gamma", KEY_DOUBLE, AT(router.gamma), -100, 100, NULL, "weight of the user affinity, times beta"},
    {"router.kappa", KEY_DOUBLE, AT(router.kappa), -100, 100, NULL, "weight of the cost"},
    {"router.rank", KEY_SIZE, AT(router_rank), 1, 256, NULL, "rank of the context embedding"},
    {"router.seed", KEY_U64, AT(router.seed), 0, 1e15, NULL, "seed of the fixed agent vectors"},

    {"world.seed", KEY_U64, AT(world.seed), 0, 1e15, NULL, "seed of everything fixed in a controlled world"},
    {"world.hidden", KEY_SIZE, AT(world.hidden), 1, REGRET_WORLD_MAX_HIDDEN, NULL, "dimensions H of the hidden representation h(x,m)"},
    {"world.intercept", KEY_DOUBLE, AT(world.intercept), -100, 100, NULL, "b of the score s = b + theta h + theta_x e + delta v"},
    {"world.output_sd", KEY_DOUBLE, AT(world.output_sd), 1e-9, 100, NULL, "deviation of theta h over pairs: how much outputs differ"},
    {"world.context_sd", KEY_DOUBLE, AT(world.context_sd), 0, 100, NULL, "deviation of theta_x e over contexts: how much contexts differ"},
    {"world.context_rank", KEY_SIZE, AT(context_rank), 0, 512, NULL, "rank of the context embedding e(x)"},
    {"world.context_sample", KEY_SIZE, AT(context_sample), 1, 1e6, NULL, "contexts that e(x) is fitted on, at most"},
    {"world.latent_effect", KEY_DOUBLE, AT(world.latent_effect), -100, 100, NULL, "delta: how much the latent user moves outcomes"},
    {"world.segment_weights", KEY_WEIGHTS, AT(world), 0, 1, NULL, "shares of the latent user types, summing to 1"},
    {"world.law", KEY_CHOICE, AT(world.outcome.law), 0, 0, laws, "noise of an outcome around its mean"},
    {"world.precision", KEY_DOUBLE, AT(world.outcome.precision), 1e-3, 1e9, NULL, "phi of Y ~ Beta(phi mu, phi (1-mu))"},
    {"world.context_sharpness", KEY_DOUBLE, AT(world.context_sharpness), 0, 100, NULL, "sharpness of the softmax over the context score"},
    {"world.user_sharpness", KEY_DOUBLE, AT(world.user_sharpness), 0, 100, NULL, "sharpness of the latent users' softmax"},
    {"world.shortlist", KEY_SIZE, AT(world.shortlist), 1, REGRET_POOL_MAX_AGENTS, NULL, "agents on a latent user's shortlist"},
    {"world.labels", KEY_SIZE, AT(world.labels), 1, REGRET_WORLD_MAX_LABELS, NULL, "labels T: noisy linear views of h"},
    {"world.label_noise", KEY_DOUBLE, AT(world.label_noise), 0, 1e6, NULL, "deviation of a label's noise against a view's 1"},
    {"world.sim_tilt", KEY_DOUBLE, AT(world.sim_tilt), 0, 100, NULL, "breaks A2: deployed agents write better than the SIM replays"},
    {"world.mediator_tilt", KEY_DOUBLE, AT(world.mediator_tilt), 0, 100, NULL, "breaks A4: the latent user leans on the output"},
    {"world.direct_effect", KEY_DOUBLE, AT(world.direct_effect), 0, 100, NULL, "breaks the graph: agents whose name alone is worth something"},

    {"features.buckets", KEY_SIZE, AT(features.buckets), 16, 1 << 20, NULL, "hash buckets D, a power of two"},
    {"features.output", KEY_DOUBLE, AT(features.output), 0, 100, NULL, "scale of the output's uni- and bigrams"},
    {"features.context", KEY_DOUBLE, AT(features.context), 0, 100, NULL, "scale of the context's uni- and bigrams"},
    {"features.overlap", KEY_DOUBLE, AT(features.overlap), 0, 100, NULL, "scale of output tokens marked in/out of the context"},
    {"features.shape", KEY_DOUBLE, AT(features.shape), 0, 100, NULL, "scale of bucketed length, punctuation, novelty, …"},
    {"features.patch", KEY_DOUBLE, AT(features.patch), 0, 100, NULL, "scale of the outputs read as patches: paths, added and removed names, hunks, shape"},
    {"features.tf", KEY_CHOICE, AT(features.tf), 0, 0, frequencies, "how often-repeated tokens count"},
    {"features.agent", KEY_BOOL, AT(use_agent), 0, 0, NULL, "also the agent itself, one-hot"},

    {"proxy.kind", KEY_CHOICE, AT(proxy.kind), 0, 0, proxies, "how z(x,m) is made"},
    {"proxy.dim", KEY_SIZE, AT(proxy.dim), 1, 256, NULL, "dimensions of z"},
    {"proxy.tfidf_rank", KEY_SIZE, AT(proxy.tfidf_rank), 1, 512, NULL, "rank of the output's TF-IDF+SVD"},
    {"proxy.max_terms", KEY_SIZE, AT(proxy.max_terms), 1, 1e7, NULL, "TF-IDF vocabulary cap"},
    {"proxy.rho", KEY_DOUBLE, AT(proxy.ridge), 1e-9, 1e9, NULL, "ridge penalty of predicted-labels"},

    {"exp_only.rho", KEY_DOUBLE, AT(estimate.exp_only_rho), 1e-9, 1e9, NULL, "rho_E of exp-only and cvci"},
    {"obs_only.rho", KEY_DOUBLE, AT(estimate.obs_only_rho), 1e-9, 1e9, NULL, "rho_O of obs-only and cvci"},
    {"representation_exp.rho", KEY_DOUBLE, AT(estimate.representation_rho), 1e-9, 1e9, NULL, "rho of representation-exp"},
    {"cvci.lambda", KEY_VALUES, AT(estimate.cvci_lambda), 0, 1, NULL, "candidate OBS pooling weights"},
    {"cvci_residual.lambda", KEY_VALUES, AT(estimate.residual_lambda), 0, 1, NULL, "candidate OBS pooling weights"},
    {"cvci_residual.rho", KEY_VALUES, AT(estimate.residual_rho), 1e-9, 1e9, NULL, "candidate ridge penalties"},
    {"grounded.rho", KEY_VALUES, AT(estimate.grounded_rho), 1e-9, 1e9, NULL, "candidate ridge penalties"},
    {"grounded_linear.alpha", KEY_VALUES, AT(estimate.linear_alpha), 0, 1, NULL, "candidate shrinkages"},
    {"grounded_linear.rho", KEY_DOUBLE, AT(estimate.linear_rho), 1e-9, 1e9, NULL, "ridge penalty of the correction"},
    {"grounded_linear.tuning", KEY_CHOICE, AT(estimate.linear_tuning), 0, 0, tunings, "how alpha is chosen"},
    {"grounded_linear.holdout_share", KEY_DOUBLE, AT(estimate.holdout_share), 0.01, 0.9, NULL, "share of EXP carved out for it"},
    {"grounded_anchored.lambda", KEY_VALUES, AT(estimate.anchored_lambda), 0, 1, NULL, "candidate OBS pooling weights"},
    {"grounded_anchored.tau", KEY_VALUES, AT(estimate.anchored_tau), 1e-9, 1e9, NULL, "candidate anchor strengths"},
    {"grounded_anchored.folds", KEY_SIZE, AT(estimate.obs_folds), 2, 100, NULL, "folds that cross-fit the OBS baseline"},

    {"cv.folds", KEY_SIZE, AT(cv_folds), 2, 100, NULL, "folds of causal cross-validation, over agents"},
    {"cv.tie_tolerance", KEY_DOUBLE, AT(estimate.tie_tolerance), 0, 1, NULL, "losses this near, relatively, are ties"},
    {"values.enabled", KEY_BOOL, AT(values), 0, 0, NULL, "also DM, DR and SNDR values"},
    {"values.folds", KEY_SIZE, AT(value_folds), 2, 100, NULL, "folds of DR cross-fitting, over EXP"},
    {"values.fold_unit", KEY_CHOICE, AT(value_unit), 0, 0, fold_units, "what a fold holds: EXP rows, or contexts, whose OBS rows are then left out too"},
    {"values.plugin", KEY_CHOICE, AT(value_plug_in), 0, 0, plug_ins, "the surface that DR corrects: the fit of all rows, or the mean of the fold fits"},
    {"values.retune", KEY_BOOL, AT(value_retune), 0, 0, NULL, "choose hyper-parameters anew in every fold"},
};
/* clang-format on */

enum { N_KEYS = sizeof keys / sizeof *keys };

const struct config_key *config_key_at(size_t i)
{
    return i < N_KEYS ? &keys[i] : NULL;
}

const struct config_key *config_key_find(const char *name)
{
    for (size_t i = 0; i < N_KEYS; i++) {
        if (strcmp(keys[i].name, name) == 0) {
            return &keys[i];
        }
    }
    return NULL;
}

int config_key_unknown(const char *name, struct regret_place at)
{
    const char *names[N_KEYS];
    for (size_t i = 0; i < N_KEYS; i++) {
        names[i] = keys[i].name;
    }
    const char *near = regret_nearest_word(name, names, N_KEYS);
    return near != NULL
               ? regret_json_error(at, "unknown key \"%s\"; did you mean \"%s\"?", name, near)
               : regret_json_error(at, "unknown key \"%s\"; 'regret config' lists them all", name);
}

static int wrong_type(const struct config_key *key, const char *wanted, struct regret_place at)
{
    return regret_json_error(at, "\"%s\" must be %s (%s)", key->name, wanted, key->help);
}

static int check_number(double x, const struct config_key *key, int whole, struct regret_place at)
{
    if (!isfinite(x) || x < key->low || x > key->high || (whole && x != floor(x))) {
        return regret_json_error(at, "\"%s\" must be a %snumber from %.12g to %.12g, but is %.12g",
                                 key->name, whole ? "whole " : "", key->low, key->high, x);
    }
    return REGRET_OK;
}

static int set_choice(int *field, const struct config_key *key, const cJSON *value,
                      struct regret_place at)
{
    if (!cJSON_IsString(value)) {
        return wrong_type(key, "a string", at);
    }
    size_t n = 0;
    for (; key->choices[n] != NULL; n++) {
        if (strcmp(key->choices[n], value->valuestring) == 0) {
            *field = (int)n;
            return REGRET_OK;
        }
    }
    struct regret_text list = REGRET_TEXT_INIT;
    for (size_t i = 0; i < n; i++) {
        regret_text_printf(&list, "%s\"%s\"", i > 0 ? ", " : "", key->choices[i]);
    }
    int rc = regret_json_error(at, "\"%s\" must be one of %s, but is \"%.40s\"", key->name,
                               regret_text_get(&list), value->valuestring);
    regret_text_free(&list);
    return rc;
}

static int set_values(struct regret_grid_values *field, const struct config_key *key,
                      const cJSON *value, struct regret_place at)
{
    int count = cJSON_GetArraySize(value);
    if (!cJSON_IsArray(value) || count < 1 || count > REGRET_MAX_GRID) {
        return regret_json_error(at, "\"%s\" must be an array of 1 to %d numbers", key->name,
                                 REGRET_MAX_GRID);
    }
    struct regret_grid_values made = {0};
    for (const cJSON *v = value->child; v != NULL; v = v->next) {
        if (!cJSON_IsNumber(v)) {
            return wrong_type(key, "an array of numbers", at);
        }
        int rc = check_number(v->valuedouble, key, 0, at);
        if (rc != REGRET_OK) {
            return rc;
        }
        if (made.n > 0 && v->valuedouble <= made.value[made.n - 1]) {
            return regret_json_error(at, "\"%s\" must be in ascending order without repeats",
                                     key->name);
        }
        made.value[made.n++] = v->valuedouble;
    }
    *field = made;
    return REGRET_OK;
}

static int set_weights(struct regret_world_options *field, const struct config_key *key,
                       const cJSON *value, struct regret_place at)
{
    int count = cJSON_GetArraySize(value);
    if (!cJSON_IsArray(value) || count < 1 || count > REGRET_POOL_MAX_SEGMENTS) {
        return regret_json_error(at, "\"%s\" must be an array of 1 to %d numbers", key->name,
                                 REGRET_POOL_MAX_SEGMENTS);
    }
    double weight[REGRET_POOL_MAX_SEGMENTS] = {0}, sum = 0.0;
    size_t n = 0;
    for (const cJSON *v = value->child; v != NULL; v = v->next, n++) {
        if (!cJSON_IsNumber(v)) {
            return wrong_type(key, "an array of numbers", at);
        }
        int rc = check_number(v->valuedouble, key, 0, at);
        if (rc != REGRET_OK) {
            return rc;
        }
        sum += weight[n] = v->valuedouble;
    }
    if (fabs(sum - 1.0) > 1e-9) {
        return regret_json_error(at, "\"%s\" must sum to 1, but sums to %.12g", key->name, sum);
    }
    field->n_segments = n;
    memcpy(field->segment_weight, weight, sizeof weight);
    return REGRET_OK;
}

/* "unknown family "X"; there are …", or what else the value is instead of a name. */
static int wrong_family(const cJSON *value, struct regret_place at)
{
    const char *names[REGRET_MAX_FAMILIES];
    struct regret_text list = REGRET_TEXT_INIT;
    size_t n = regret_family_count();
    for (size_t i = 0; i < n; i++) {
        names[i] = regret_family_at(i)->name;
        regret_text_printf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    int rc = REGRET_OK;
    if (!cJSON_IsString(value)) {
        rc = regret_json_error(at, "\"families\" must hold names in quotes; there are %s",
                               regret_text_get(&list));
    } else {
        const char *near = regret_nearest_word(value->valuestring, names, n);
        rc = regret_json_error(at, "unknown family \"%.40s\"; %s%s%sthere are %s",
                               value->valuestring, near != NULL ? "did you mean \"" : "",
                               near != NULL ? near : "", near != NULL ? "\"? " : "",
                               regret_text_get(&list));
    }
    regret_text_free(&list);
    return rc;
}

/* Families are fitted in the table's order, whatever order they are named in. */
static int set_families(struct regret_family_list *field, const cJSON *value,
                        struct regret_place at)
{
    if (!cJSON_IsArray(value) || value->child == NULL) {
        return regret_json_error(at, "\"families\" must be an array of at least one family name");
    }
    int wanted[REGRET_MAX_FAMILIES] = {0};
    for (const cJSON *v = value->child; v != NULL; v = v->next) {
        const struct regret_family *family =
            cJSON_IsString(v) ? regret_family_find(v->valuestring) : NULL;
        if (family == NULL) {
            return wrong_family(v, at);
        }
        for (size_t i = 0; i < regret_family_count(); i++) {
            wanted[i] |= regret_family_at(i) == family;
        }
    }
    struct regret_family_list made = {0};
    for (size_t i = 0; i < regret_family_count(); i++) {
        if (wanted[i]) {
            made.index[made.n++] = i;
        }
    }
    *field = made;
    return REGRET_OK;
}

static int set_string(char *field, const struct config_key *key, const cJSON *value,
                      struct regret_place at)
{
    if (!cJSON_IsString(value)) {
        return wrong_type(key, "a string", at);
    }
    size_t n = strlen(value->valuestring), size = (size_t)key->high;
    if (n >= size) {
        return regret_json_error(at, "\"%s\" is longer than %zu bytes", key->name, size - 1);
    }
    memcpy(field, value->valuestring, n + 1);
    return REGRET_OK;
}

static int set_number(void *field, const struct config_key *key, const cJSON *value,
                      struct regret_place at)
{
    int whole = key->type != KEY_DOUBLE;
    if (!cJSON_IsNumber(value)) {
        return wrong_type(key, whole ? "a whole number" : "a number", at);
    }
    int rc = check_number(value->valuedouble, key, whole, at);
    if (rc == REGRET_OK && key->type == KEY_DOUBLE) {
        *(double *)field = value->valuedouble;
    } else if (rc == REGRET_OK && key->type == KEY_SIZE) {
        *(size_t *)field = (size_t)value->valuedouble;
    } else if (rc == REGRET_OK) {
        *(uint64_t *)field = (uint64_t)value->valuedouble;
    }
    return rc;
}

int config_key_set(struct regret_config *config, const struct config_key *key, const cJSON *value,
                   struct regret_place at)
{
    void *field = (char *)config + key->offset;
    switch (key->type) {
    case KEY_BOOL:
        if (!cJSON_IsBool(value)) {
            return wrong_type(key, "true or false", at);
        }
        *(int *)field = cJSON_IsTrue(value);
        return REGRET_OK;
    case KEY_CHOICE:
        return set_choice(field, key, value, at);
    case KEY_STRING:
        return set_string(field, key, value, at);
    case KEY_VALUES:
        return set_values(field, key, value, at);
    case KEY_FAMILIES:
        return set_families(field, value, at);
    case KEY_WEIGHTS:
        return set_weights(field, key, value, at);
    default:
        return set_number(field, key, value, at);
    }
}

void config_key_json(struct regret_text *text, const struct regret_config *config,
                     const struct config_key *key)
{
    const void *field = (const char *)config + key->offset;
    const struct regret_grid_values *values = field;
    const struct regret_family_list *families = field;
    const struct regret_world_options *world = field;
    switch (key->type) {
    case KEY_DOUBLE:
        regret_text_json_number(text, *(const double *)field);
        break;
    case KEY_SIZE:
        regret_text_printf(text, "%zu", *(const size_t *)field);
        break;
    case KEY_U64:
        regret_text_printf(text, "%llu", (unsigned long long)*(const uint64_t *)field);
        break;
    case KEY_BOOL:
        regret_text_append(text, *(const int *)field ? "true" : "false");
        break;
    case KEY_CHOICE:
        regret_text_json_string(text, key->choices[*(const int *)field]);
        break;
    case KEY_STRING:
        regret_text_json_string(text, field);
        break;
    case KEY_VALUES:
        for (size_t i = 0; i < values->n; i++) {
            regret_text_append(text, i == 0 ? "[" : ",");
            regret_text_json_number(text, values->value[i]);
        }
        regret_text_append_char(text, ']');
        break;
    case KEY_FAMILIES:
        for (size_t i = 0; i < families->n; i++) {
            regret_text_append(text, i == 0 ? "[" : ",");
            regret_text_json_string(text, regret_family_at(families->index[i])->name);
        }
        regret_text_append_char(text, ']');
        break;
    case KEY_WEIGHTS:
        for (size_t i = 0; i < world->n_segments; i++) {
            regret_text_append(text, i == 0 ? "[" : ",");
            regret_text_json_number(text, world->segment_weight[i]);
        }
        regret_text_append_char(text, ']');
        break;
    }
}

int regret_config_key(struct regret_key_help *out, size_t i)
{
    static const char *const types[] = {"number",     "whole number", "whole number",
                                        "true/false", "choice",       "string",
                                        "array",      "array",        "array"};
    if (i >= N_KEYS) {
        return 0;
    }
    const struct config_key *k = &keys[i];
    int has_range = k->type == KEY_DOUBLE || k->type == KEY_SIZE || k->type == KEY_U64 ||
                    k->type == KEY_VALUES || k->type == KEY_WEIGHTS;
    *out = (struct regret_key_help){k->name, types[k->type], k->help,   has_range,
                                    k->low,  k->high,        k->choices};
    return 1;
}

int config_refits(const struct regret_config *config)
{
    return config->values && (config->value_unit != REGRET_UNIT_ROW ||
                              config->value_plug_in != REGRET_PLUG_IN_FULL || config->value_retune);
}

void regret_config_key_json(struct regret_text *text, const struct regret_config *config, size_t i)
{
    if (i < N_KEYS) {
        config_key_json(text, config, &keys[i]);
    }
}

void config_members_json(struct regret_text *text, const struct regret_config *config)
{
    for (size_t i = 0; i < N_KEYS; i++) {
        regret_text_append(text, i == 0 ? "" : ",");
        regret_text_json_string(text, keys[i].name);
        regret_text_append_char(text, ':');
        config_key_json(text, config, &keys[i]);
    }
}

void regret_config_json(struct regret_text *text, const struct regret_config *config)
{
    regret_text_append_char(text, '{');
    config_members_json(text, config);
    regret_text_append_char(text, '}');
}
