#include "experiment/internal.h"

#include <cJSON.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "base/text.h"
#include "estimate/families.h"
#include "regret/estimate.h"
#include "regret/experiment.h"
#include "task/reward.h"

static const char *const tasks[] = {"pool", "world", NULL};
static const char *const policies[] = {"fail", "complete", "impute-zero", "observed", NULL};
static const char *maps[REGRET_MAX_REWARD_MAPS + 1]; /* filled with the keys */
static const char *const laws[] = {"beta", "none", NULL};
static const char *const scales[] = {"raw", "log1p", "winsor", "rank", NULL};
static const char *const proxies[] = {"aux-svd", "predicted-labels", "tfidf-svd", NULL};

/* Those of which a number survives (data/paper/tables.csv; a test holds the two against each other). */
static const char *const papers[] = {"T4",  "T5",  "T6",  "T7",  "T9", "T10",
                                     "T11", "T12", "T13", "T14", NULL};

static const char *const splits[] = {"random", "stratified", "leave-one-tag-out", NULL};
static const char *const fold_units[] = {"auto", "row", "context", NULL};
static const char *const cv_units[] = {"agents", "contexts", NULL};
static const char *const solvers[] = {"auto", "direct", "iterative", NULL};
static const char *const plug_ins[] = {"auto", "full", "folds", NULL};

#define AT(field) offsetof(struct regret_config, field)

/* clang-format off */
static const struct config_key first_keys[] = {
    {"title", KEY_STRING, AT(title), 0, REGRET_TITLE_SIZE, NULL, "what the run is called in its report"},
    {"paper", KEY_NAMES, AT(paper), 0, REGRET_PAPER_SIZE, papers, "tables of the paper that the run is for, as T4,T5: benchmarks/paper.py holds it against them"},
    {"task", KEY_CHOICE, AT(task), 0, 0, tasks, "outcomes by the pool's scores, or by a controlled world over its texts"},
    {"pool", KEY_STRING, AT(pool), 0, REGRET_PATH_SIZE, NULL, "folder of the task pool, or \"" REGRET_SYNTH_PREFIX "NAME\": one generated at the start"},
    {"synth.articles", KEY_SIZE, AT(synth.contexts), 1, REGRET_POOL_MAX_CONTEXTS, NULL, "contexts of a generated pool"},
    {"synth.draws", KEY_SIZE, AT(synth.draws), 1, 1000, NULL, "outputs of each context and agent in a generated pool"},
    {"synth.seed", KEY_U64, AT(synth.seed), 0, 1e15, NULL, "seed of a generated pool"},
    {"spread.within", KEY_DOUBLE, AT(spread.within), 0, 100, NULL, "factor of the spread of scores inside a context, when the pool is read; 1: as it is"},
    {"spread.agents", KEY_DOUBLE, AT(spread.agents), 0, 100, NULL, "factor of the spread between the agents' mean scores; 1: as it is"},
    {"spread.contexts", KEY_DOUBLE, AT(spread.contexts), 0, 100, NULL, "factor of the spread between the contexts' mean scores; 1: as it is"},
    {"spread.noise", KEY_DOUBLE, AT(spread.noise), 0, 100, NULL, "deviation of noise on the scores that no feature predicts, in units of a score's range; 0: none"},
    {"seeds", KEY_SIZE, AT(seeds), 1, REGRET_MAX_SEEDS, NULL, "replicates of every cell"},
    {"first_seed", KEY_U64, AT(first_seed), 0, 1e15, NULL, "number of the first seed"},
    {"families", KEY_FAMILIES, AT(families), 0, 0, NULL, "estimator families to fit: names, and objects of your own (docs/formats.md)"},

    {"contexts.hard", KEY_SIZE, AT(grid.hard_contexts), 0, 1e6, NULL, "keep this many hardest contexts; 0 keeps all"},
    {"contexts.train_share", KEY_DOUBLE, AT(train_share), 0.01, 0.99, NULL, "share of the contexts to train on"},
    {"contexts.folds", KEY_SIZE, AT(context_folds), 0, REGRET_MAX_CONTEXT_FOLDS, NULL, "hold every context out once a seed, in this many folds; 0: one split by train_share"},
    {"contexts.split", KEY_CHOICE, AT(split), 0, 0, splits, "what is held out: contexts at random, at random with an equal share of each tag, or each tag once a seed"},
    {"contexts.reference", KEY_DOUBLE, AT(reference_share), 0, 0.99, NULL, "share of the held-out contexts kept for values, apart from those of the regret; 0: all serve both"},
    {"grid.policy", KEY_CHOICE, AT(grid.policy), 0, 0, policies, "what to do about missing outputs"},
    {"grid.min_comparable", KEY_SIZE, AT(grid.min_comparable), 1, 1e6, NULL, "with \"observed\" and holes: contexts with outcomes of two agents that there must be"},

    {"reward.map", KEY_CHOICE, AT(reward.map), 0, 0, maps, "from scores to reward"},
};

/* After the parameters of the reward maps, and before the hyper-parameters of the families: both are
 * declared where they belong. */
static const struct config_key middle_keys[] = {
    {"outcome.law", KEY_CHOICE, AT(outcome.law), 0, 0, laws, "noise of an outcome around its reward"},
    {"outcome.precision", KEY_DOUBLE, AT(outcome.precision), 1e-3, 1e9, NULL, "phi of Y ~ Beta(phi r, phi (1-r))"},

    {"beta", KEY_DOUBLE, AT(logging.beta), 0, 100, NULL, "confounding strength"},
    {"n_obs", KEY_SIZE, AT(n_obs), 1, 1e7, NULL, "rows of the observational log"},
    {"n_exp", KEY_SIZE, AT(n_exp), 1, 1e7, NULL, "rows of the randomized experiment"},
    {"router.slate", KEY_SIZE, AT(logging.slate), 1, REGRET_POOL_MAX_AGENTS, NULL, "agents offered to a user"},
    {"router.eta", KEY_DOUBLE, AT(logging.eta), -100, 100, NULL, "weight of the context score"},
    {"router.gamma", KEY_DOUBLE, AT(logging.gamma), -100, 100, NULL, "weight of the user affinity, times beta"},
    {"router.kappa", KEY_DOUBLE, AT(logging.kappa), -100, 100, NULL, "weight of the cost"},
    {"router.rank", KEY_SIZE, AT(logging_rank), 1, 256, NULL, "rank of the context embedding"},

    {"world.context_sd", KEY_DOUBLE, AT(world.context_sd), 0, 100, NULL, "deviation of theta_x e over contexts: how much contexts differ"},
    {"world.context_rank", KEY_SIZE, AT(context_rank), 1, 512, NULL, "rank of the context embedding e(x)"},
    {"world.context_sample", KEY_SIZE, AT(context_sample), 1, 1e6, NULL, "contexts that e(x) is fitted on, at most"},
    {"world.latent_effect", KEY_DOUBLE, AT(world.latent_effect), -100, 100, NULL, "delta: how much the latent user moves outcomes"},
    {"world.precision", KEY_DOUBLE, AT(world.outcome.precision), 1e-3, 1e9, NULL, "phi of Y ~ Beta(phi mu, phi (1-mu))"},
    {"world.user_context", KEY_DOUBLE, AT(world.user_context), 0, 100, NULL, "how much the latent users differ by context; 0: the same everywhere"},
    {"world.shortlist", KEY_SIZE, AT(world.shortlist), 1, REGRET_POOL_MAX_AGENTS, NULL, "agents on a latent user's shortlist"},
    {"world.labels", KEY_SIZE, AT(world.labels), 1, REGRET_WORLD_MAX_LABELS, NULL, "labels T: noisy linear views of h"},
    {"world.label_noise", KEY_DOUBLE, AT(world.label_noise), 0, 1e6, NULL, "deviation of a label's noise against a view's 1"},
    {"world.sim_tilt", KEY_DOUBLE, AT(world.sim_tilt), 0, 100, NULL, "breaks A2: deployed agents write better than the SIM replays"},
    {"world.mediator_tilt", KEY_DOUBLE, AT(world.mediator_tilt), 0, 100, NULL, "breaks A4: the latent user leans on the output"},
    {"world.direct_effect", KEY_DOUBLE, AT(world.direct_effect), 0, 100, NULL, "breaks the graph: agents whose name alone is worth something"},

    {"text.max_bytes", KEY_SIZE, AT(text_max_bytes), 0, 1e9, NULL, "bytes of an output that features and proxies see, cut between characters; 0: all"},

    {"features.buckets", KEY_SIZE, AT(features.buckets), 16, 1 << 20, NULL, "hash buckets D, a power of two"},
    {"features.output", KEY_DOUBLE, AT(features.output), 0, 100, NULL, "scale of the output's uni- and bigrams"},
    {"features.context", KEY_DOUBLE, AT(features.context), 0, 100, NULL, "scale of the context's uni- and bigrams"},
    {"features.overlap", KEY_DOUBLE, AT(features.overlap), 0, 100, NULL, "scale of output tokens marked in/out of the context"},
    {"features.shape", KEY_DOUBLE, AT(features.shape), 0, 100, NULL, "scale of bucketed length, punctuation, novelty, …"},
    {"features.patch", KEY_DOUBLE, AT(features.patch), 0, 100, NULL, "scale of the outputs read as patches: paths, added and removed names, hunks, shape"},
    {"features.agent", KEY_SCALE, AT(features.agent), 0, 1000, NULL, "scale of the agent itself, one-hot in columns of its own; ridge shrinks it by rho / scale^2"},
    {"features.tag", KEY_DOUBLE, AT(features.tag), 0, 1000, NULL, "scale of the context's tag, one-hot in columns of its own"},
    {"features.agent_tag", KEY_DOUBLE, AT(features.agent_tag), 0, 1000, NULL, "scale of agent x tag, one-hot in columns of their own: who is good at what kind of request"},
    {"features.agent_words", KEY_DOUBLE, AT(features.agent_words), 0, 1000, NULL, "scale of agent x uni- and bigrams of the context, hashed into as many buckets of their own"},
    {"features.columns", KEY_DOUBLE, AT(features.columns), 0, 1000, NULL, "scale of the contexts' columns: numbers standardised, words one-hot"},
    {"features.agent_columns", KEY_DOUBLE, AT(features.agent_columns), 0, 1000, NULL, "scale of agent x the contexts' columns"},

    {"proxy.kind", KEY_CHOICE, AT(proxy.kind), 0, 0, proxies, "how z(x,m) is made"},
    {"proxy.dim", KEY_SIZE, AT(proxy.dim), 1, 256, NULL, "dimensions of z"},
    {"proxy.scale", KEY_CHOICE, AT(proxy.scale), 0, 0, scales, "how counts, statistics and labels enter z: as they are, signed ln(1+|v|), moved into the OBS rows' middle 98 %, or as ranks"},
};

static const struct config_key last_keys[] = {
    {"cv.folds", KEY_SIZE, AT(cv_folds), 2, 100, NULL, "folds of causal cross-validation, over agents"},
    {"cv.leave_out", KEY_CHOICE, AT(cv_unit), 0, 0, cv_units, "what its folds leave out of EXP: agents, or contexts, where features know agents by name"},
    {"baseline.clip", KEY_BOOL, AT(estimate.clip_baseline), 0, 0, NULL, "move the OBS baseline f_O into [0,1] before residuals are formed of it"},
    {"values.enabled", KEY_BOOL, AT(values), 0, 0, NULL, "also DM, DR and SNDR values"},
    {"values.folds", KEY_SIZE, AT(value_folds), 2, 100, NULL, "folds of DR cross-fitting, over EXP"},
    {"values.fold_unit", KEY_CHOICE, AT(value_unit), 0, 0, fold_units, "what a fold holds: EXP rows, or contexts, whose OBS rows are then left out too; auto: contexts on a cached pool"},
    {"values.plugin", KEY_CHOICE, AT(value_plug_in), 0, 0, plug_ins, "the surface that DR corrects: the fit of all rows, or the mean of the fold fits; auto: that with folds of contexts"},
    {"values.retune", KEY_BOOL, AT(value_retune), 0, 0, NULL, "choose hyper-parameters anew in every fold"},
    {"solver", KEY_CHOICE, AT(solver), 0, 0, solvers, "of fits on raw features: the cheaper by their sizes, a factorisation, or conjugate gradients"},
    {"costs.enabled", KEY_BOOL, AT(costs), 0, 0, NULL, "rows keep what recommending by value less price times cost is worth and costs, for a grid of prices (docs/guide.md)"},
    {"costs.budget", KEY_DOUBLE, AT(budget), 0, 1e300, NULL, "mean cost that a policy may have, in the pool's unit: its price is found on training contexts; 0: no such policy"},
    {"details", KEY_BOOL, AT(details), 0, 0, NULL, "rows keep what was recommended on every held-out context and estimated of every agent"},
};
/* clang-format on */

enum {
    N_FIRST = sizeof first_keys / sizeof *first_keys,
    N_MIDDLE = sizeof middle_keys / sizeof *middle_keys,
    N_LAST = sizeof last_keys / sizeof *last_keys,
    MAX_KEYS = N_FIRST + REGRET_MAX_REWARD_PARAMETERS + N_MIDDLE + REGRET_MAX_HYPERS + N_LAST
};

static struct config_key keys[MAX_KEYS];
static size_t n_keys;
static pthread_once_t keys_once = PTHREAD_ONCE_INIT;

static struct config_key key_of_hyper(const struct regret_hyper *hyper, size_t slot)
{
    static const enum key_type types[] = {[REGRET_HYPER_GRID] = KEY_VALUES,
                                          [REGRET_HYPER_NUMBER] = KEY_DOUBLE,
                                          [REGRET_HYPER_CHOICE] = KEY_CHOICE};
    size_t offset = AT(estimate.hyper) + slot * sizeof(union regret_hyper_value);
    return (struct config_key){hyper->key,  types[hyper->kind], offset,     hyper->low,
                               hyper->high, hyper->choices,     hyper->help};
}

static void append_keys(const struct config_key *more, size_t n)
{
    memcpy(keys + n_keys, more, n * sizeof *keys);
    n_keys += n;
}

static void append_parameters(void)
{
    const struct regret_reward_parameter *p = NULL;
    for (size_t i = 0; i < regret_reward_map_count(); i++) {
        maps[i] = regret_reward_map_at(i)->name;
    }
    for (size_t i = 0;
         i < REGRET_MAX_REWARD_PARAMETERS && (p = regret_reward_parameter_at(i)) != NULL; i++) {
        size_t offset = AT(reward.parameter) + i * sizeof(double);
        const struct config_key key = {p->key, KEY_DOUBLE, offset, p->low, p->high, NULL, p->help};
        append_keys(&key, 1);
    }
}

static void append_hypers(void)
{
    const struct regret_hyper *hyper = NULL;
    for (size_t i = 0; i < REGRET_MAX_HYPERS && (hyper = regret_hyper_at(i)) != NULL; i++) {
        const struct config_key key = key_of_hyper(hyper, i);
        append_keys(&key, 1);
    }
}

static void join_keys(void)
{
    reward_maps_seal();
    families_seal();
    append_keys(first_keys, N_FIRST);
    append_parameters();
    append_keys(middle_keys, N_MIDDLE);
    append_hypers();
    append_keys(last_keys, N_LAST);
}

const struct config_key *config_key_at(size_t i)
{
    pthread_once(&keys_once, join_keys);
    return i < n_keys ? &keys[i] : NULL;
}

const struct config_key *config_key_find(const char *name)
{
    size_t i = 0;
    while (config_key_at(i) != NULL && strcmp(keys[i].name, name) != 0) {
        i++;
    }
    return config_key_at(i);
}

int config_key_unknown(const char *name, struct regret_place at)
{
    const char *names[MAX_KEYS];
    size_t n = 0;
    for (; config_key_at(n) != NULL; n++) {
        names[n] = config_key_at(n)->name;
    }
    const char *near = name_nearest(name, names, n);
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

/* "A", "B", "C" */
static void list_choices(struct regret_buffer *out, const struct config_key *key)
{
    for (size_t i = 0; key->choices[i] != NULL; i++) {
        regret_buffer_printf(out, "%s\"%s\"", i > 0 ? ", " : "", key->choices[i]);
    }
}

static int set_choice(int *field, const struct config_key *key, const cJSON *value,
                      struct regret_place at)
{
    if (!cJSON_IsString(value)) {
        return wrong_type(key, "a string", at);
    }
    for (size_t n = 0; key->choices[n] != NULL; n++) {
        if (strcmp(key->choices[n], value->valuestring) == 0) {
            *field = (int)n;
            return REGRET_OK;
        }
    }
    struct regret_buffer list = REGRET_BUFFER_INIT;
    list_choices(&list, key);
    int rc = regret_json_error(at, "\"%s\" must be one of %s, but is \"%.40s\"", key->name,
                               regret_buffer_get(&list), value->valuestring);
    regret_buffer_free(&list);
    return rc;
}

/* An array of 1 to `most` ascending numbers into `out`. */
static int read_numbers(double *out, size_t *n, size_t most, const struct config_key *key,
                        const cJSON *value, struct regret_place at)
{
    int count = cJSON_GetArraySize(value);
    if (!cJSON_IsArray(value) || count < 1 || (size_t)count > most) {
        return regret_json_error(at, "\"%s\" must be an array of 1 to %zu numbers", key->name,
                                 most);
    }
    *n = 0;
    for (const cJSON *v = value->child; v != NULL; v = v->next) {
        if (!cJSON_IsNumber(v)) {
            return wrong_type(key, "an array of numbers", at);
        }
        TRY(check_number(v->valuedouble, key, 0, at));
        if (*n > 0 && v->valuedouble <= out[*n - 1]) {
            return regret_json_error(at, "\"%s\" must be in ascending order without repeats",
                                     key->name);
        }
        out[(*n)++] = v->valuedouble;
    }
    return REGRET_OK;
}

static int set_values(struct regret_grid_values *field, const struct config_key *key,
                      const cJSON *value, struct regret_place at)
{
    struct regret_grid_values made = {.n = 1};
    if (cJSON_IsNumber(value)) {
        TRY(check_number(value->valuedouble, key, 0, at));
        made.value[0] = value->valuedouble;
        *field = made;
        return REGRET_OK;
    }
    TRY(read_numbers(made.value, &made.n, REGRET_MAX_GRID, key, value, at));
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

/* The number of the choice that is written from `name` on, `length` bytes; that of the end where there is none. */
static size_t find_choice(const struct config_key *key, const char *name, size_t length)
{
    size_t i = 0;
    while (key->choices[i] != NULL &&
           (strlen(key->choices[i]) != length || strncmp(key->choices[i], name, length) != 0)) {
        i++;
    }
    return i;
}

static int set_names(char *field, const struct config_key *key, const cJSON *value,
                     struct regret_place at)
{
    char made[REGRET_PAPER_SIZE] = "";
    unsigned long long seen = 0;
    TRY(set_string(made, key, value, at));
    for (const char *p = made; *p != '\0';) {
        size_t n = strcspn(p, ","), i = find_choice(key, p, n);
        if (key->choices[i] == NULL || (seen >> i & 1) != 0 || (p[n] == ',' && p[n + 1] == '\0')) {
            struct regret_buffer list = REGRET_BUFFER_INIT;
            list_choices(&list, key);
            int rc = regret_json_error(at,
                                       "\"%s\" must be names with commas between, none twice, of "
                                       "%s, but is \"%.40s\"",
                                       key->name, regret_buffer_get(&list), made);
            regret_buffer_free(&list);
            return rc;
        }
        seen |= 1ULL << i;
        p += n + (p[n] == ',');
    }
    memcpy(field, made, sizeof made);
    return REGRET_OK;
}

static int set_number(void *field, const struct config_key *key, const cJSON *value,
                      struct regret_place at)
{
    int whole = key->type != KEY_DOUBLE && key->type != KEY_SCALE;
    if (key->type == KEY_SCALE && cJSON_IsBool(value)) {
        *(double *)field = cJSON_IsTrue(value) ? 1.0 : 0.0;
        return REGRET_OK;
    }
    if (!cJSON_IsNumber(value)) {
        return wrong_type(key, whole ? "a whole number" : "a number", at);
    }
    TRY(check_number(value->valuedouble, key, whole, at));
    if (!whole) {
        *(double *)field = value->valuedouble;
    } else if (key->type == KEY_SIZE) {
        *(size_t *)field = (size_t)value->valuedouble;
    } else {
        *(uint64_t *)field = (uint64_t)value->valuedouble;
    }
    return REGRET_OK;
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
    case KEY_NAMES:
        return set_names(field, key, value, at);
    case KEY_VALUES:
        return set_values(field, key, value, at);
    case KEY_FAMILIES:
        return family_list_set(field, value, at);
    default:
        return set_number(field, key, value, at);
    }
}

static void put_numbers(struct regret_buffer *text, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        regret_buffer_append(text, i == 0 ? "[" : ",");
        regret_buffer_json_number(text, x[i]);
    }
    regret_buffer_append_char(text, ']');
}

void config_key_json(struct regret_buffer *text, const struct regret_config *config,
                     const struct config_key *key)
{
    const void *field = (const char *)config + key->offset;
    const struct regret_grid_values *values = field;
    switch (key->type) {
    case KEY_DOUBLE:
    case KEY_SCALE:
        regret_buffer_json_number(text, *(const double *)field);
        break;
    case KEY_SIZE:
        regret_buffer_printf(text, "%zu", *(const size_t *)field);
        break;
    case KEY_U64:
        regret_buffer_printf(text, "%llu", (unsigned long long)*(const uint64_t *)field);
        break;
    case KEY_BOOL:
        regret_buffer_append(text, *(const int *)field ? "true" : "false");
        break;
    case KEY_CHOICE:
        regret_buffer_json_string(text, key->choices[*(const int *)field]);
        break;
    case KEY_STRING:
    case KEY_NAMES:
        regret_buffer_json_string(text, field);
        break;
    case KEY_VALUES:
        if (values->n == 1) {
            regret_buffer_json_number(text, values->value[0]);
        } else {
            put_numbers(text, values->value, values->n);
        }
        break;
    case KEY_FAMILIES:
        family_list_json(text, field);
        break;
    }
}

int regret_config_key(struct regret_key_help *out, size_t i)
{
    static const char *const types[] = {"number",     "number", "whole number", "whole number",
                                        "true/false", "choice", "string",       "names",
                                        "array",      "array",  "array"};
    const struct config_key *k = config_key_at(i);
    if (k == NULL) {
        return 0;
    }
    int has_range = k->type == KEY_DOUBLE || k->type == KEY_SCALE || k->type == KEY_SIZE ||
                    k->type == KEY_U64 || k->type == KEY_VALUES;
    *out = (struct regret_key_help){k->name, types[k->type], k->help,   has_range,
                                    k->low,  k->high,        k->choices};
    return 1;
}

int config_refits(const struct regret_config *config)
{
    return config->values && (config->value_unit != REGRET_UNIT_ROW ||
                              config->value_plug_in != REGRET_PLUG_IN_FULL || config->value_retune);
}

void regret_config_key_json(struct regret_buffer *text, const struct regret_config *config,
                            size_t i)
{
    const struct config_key *key = config_key_at(i);
    if (key != NULL) {
        config_key_json(text, config, key);
    }
}

void config_members_json(struct regret_buffer *text, const struct regret_config *config)
{
    const struct config_key *key = NULL;
    for (size_t i = 0; (key = config_key_at(i)) != NULL; i++) {
        regret_buffer_append(text, i == 0 ? "" : ",");
        regret_buffer_json_string(text, key->name);
        regret_buffer_append_char(text, ':');
        config_key_json(text, config, key);
    }
}

void regret_config_json(struct regret_buffer *text, const struct regret_config *config)
{
    regret_buffer_append_char(text, '{');
    config_members_json(text, config);
    regret_buffer_append_char(text, '}');
}

int config_is_synth(const char *pool)
{
    return strncmp(pool, REGRET_SYNTH_PREFIX, sizeof REGRET_SYNTH_PREFIX - 1) == 0;
}
