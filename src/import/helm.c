#define _GNU_SOURCE /* realpath */

#include "import/helm.h"

#include <cJSON.h>
#include <fnmatch.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/archive.h"
#include "base/json_array.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/harness.h"
#include "import/importer.h"
#include "import/metrics.h"
#include "regret/status.h"

/* A metric of an instance: its number among helm_stats' names, and its mean over what the instance has of it. */
struct helm_value {
    uint32_t name;
    uint32_t element; /* of the file, from 1 */
    double mean;
};

/* The statistics of an instance that nobody perturbed, in one trial. */
struct helm_instance {
    struct helm_value *value; /* owned */
    size_t n, capacity;
};

/* Of a run. */
struct helm_stats {
    struct names names;             /* of metrics */
    struct names keys;              /* of instances, "0 id12": trial and id */
    struct helm_instance *instance; /* by the numbers of their keys; owned */
    size_t capacity;
    uint32_t elements; /* read so far */
};

struct helm_run {
    char *folder; /* the path of its files before their names; owned */
    char *task;   /* the scenario with its arguments, without the model; owned */
    struct helm_stats stats;
    enum { HELM_NO_STATS, HELM_HAS_STATS, HELM_DONE } state;
};
/* HELM's runs: going through their files, and the command line. */

static const char CARD[] = "Contexts are instances that nobody perturbed, tagged by their scenario "
                           "with its arguments; agents\n"
                           "are models. Trials with other examples in the prompt are draws. The "
                           "main metric is the one that\n"
                           "HELM's tables show of the scenario. The cost of an agent is the mean "
                           "of its answers' tokens, or of\n"
                           "what they cost where prices were given.\n";

static const char STATES[] = "scenario_state.json", STATS[] = "per_instance_stats.json";

/* What HELM's schemas say of scenarios and metrics: `main_name` of the run groups and `lower_is_better` of the metrics in
 * src/helm/benchmark/static/schema_classic.yaml, schema_lite.yaml, schema_capabilities.yaml and schema_safety.yaml (0.5). */

/* Scenarios, as names of runs begin, with their main metric: of two the first that a run has. */
static const struct {
    const char *scenario, *metric;
} MAIN[] = {
    {"narrative_qa", "f1_score"},
    {"natural_qa", "f1_score"},
    {"quac", "f1_score"},
    {"openbookqa", "exact_match"},
    {"commonsense", "exact_match"},
    {"hellaswag", "exact_match"},
    {"truthful_qa", "exact_match"},
    {"mmlu", "exact_match"},
    {"blimp", "exact_match"},
    {"boolq", "quasi_exact_match"},
    {"imdb", "quasi_exact_match"},
    {"raft", "quasi_exact_match"},
    {"civil_comments", "quasi_exact_match"},
    {"wikifact", "quasi_exact_match"},
    {"babi_qa", "quasi_exact_match"},
    {"synthetic_reasoning", "quasi_exact_match"},
    {"synthetic_reasoning_natural", "f1_set_match"},
    {"legalbench", "quasi_exact_match"},
    {"legal_support", "quasi_exact_match"},
    {"lsat_qa", "quasi_exact_match"},
    {"med_qa", "quasi_exact_match"},
    {"entity_*", "quasi_exact_match"},
    {"msmarco", "RR@10"},
    {"msmarco", "NDCG@10"},
    {"summarization_*", "rouge_2"},
    {"*_legal_summarization", "rouge_2"},
    {"wmt_14", "bleu_4"},
    {"gsm", "final_number_exact_match"},
    {"gsm", "exact_match_indicator"},
    {"dyck_language", "exact_match_indicator"},
    {"math", "math_equiv_chain_of_thought"},
    {"math", "math_equiv"},
    {"code", "pass"},
    {"code", "test_avg"},
    {"ice", "bits_per_byte"},
    {"the_pile", "bits_per_byte"},
    {"twitter_aae", "bits_per_byte"},
    {"numeracy", "absolute_value_difference"},
    {"mmlu_pro", "chain_of_thought_correctness"},
    {"gpqa", "chain_of_thought_correctness"},
    {"ifeval", "ifeval_strict_accuracy"},
    {"wildbench", "wildbench_score_rescaled"},
    {"omni_math", "omni_math_accuracy"},
    {"bbq", "bbq_accuracy"},
    {"bbq", "quasi_exact_match"},
    {"harm_bench*", "safety_score"},
    {"simple_safety_tests", "safety_score"},
    {"xstest", "safety_score"},
    {"anthropic_red_team", "safety_score"},
    /* of any other scenario what one is judged by that has it */
    {"*", "chain_of_thought_correctness"},
    {"*", "safety_score"},
    {"*", "final_number_exact_match"},
    {"*", "math_equiv_chain_of_thought"},
    {"*", "math_equiv"},
};

int helm_task(char **out, const char *run)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    size_t scenario = strcspn(run, ":");
    char mark = ':';
    regret_buffer_append_n(&t, run, scenario);
    for (const char *p = run + scenario; *p != '\0';) {
        size_t n = strcspn(++p, ",");
        if (strncmp(p, "model=", 6) != 0 && strncmp(p, "model_deployment=", 17) != 0 && n > 0) {
            regret_buffer_append_char(&t, mark);
            regret_buffer_append_n(&t, p, n);
            mark = ',';
        }
        p += n;
    }
    return text_take(out, &t);
}

/* The metric that HELM's tables show of a scenario ("mmlu" of a task), among those of its statistics; NULL: none is known. */
static const char *helm_main_metric(const char *task, const struct helm_stats *stats)
{
    char scenario[64];
    size_t n = strcspn(task, ":,");
    if (n >= sizeof scenario) {
        return NULL;
    }
    memcpy(scenario, task, n);
    scenario[n] = '\0';
    for (size_t i = 0; i < sizeof MAIN / sizeof *MAIN; i++) {
        if (fnmatch(MAIN[i].scenario, scenario, 0) == 0 &&
            names_find(&stats->names, MAIN[i].metric) != SIZE_MAX) {
            return MAIN[i].metric;
        }
    }
    return NULL;
}

#define IS_ONE_OF(patterns, name)                                                                  \
    name_matches(patterns, sizeof(patterns) / sizeof *(patterns), name)

void helm_describe(const char *metric, double *low, double *high, int *lower_is_better)
{
    static const char *const SHARES[] = {"*exact_match*",
                                         "*exact_set_match",
                                         "f1_*",
                                         "iou_set_match",
                                         "rouge_?",
                                         "bleu_?",
                                         "math_equiv*",
                                         "pass",
                                         "test_avg",
                                         "strict_acc",
                                         "code_eval_acc",
                                         "RR@*",
                                         "NDCG@*",
                                         "chain_of_thought_correctness",
                                         "ifeval_strict_accuracy",
                                         "wildbench_score_rescaled",
                                         "omni_math_accuracy",
                                         "bbq_accuracy",
                                         "safety_score",
                                         "safety_*_score",
                                         "toxic_frac",
                                         "percent_valid",
                                         "edit_similarity"};
    static const char *const LOWER[] = {"bits_per_byte",
                                        "perplexity",
                                        "absolute_value_difference",
                                        "distance",
                                        "longest_common_prefix_length",
                                        "edit_similarity",
                                        "bias_metric:*",
                                        "bbq_metric_*",
                                        "expected_max_toxicity",
                                        "max_toxicity_probability",
                                        "toxic_frac",
                                        "ece_*"};
    int is_share = IS_ONE_OF(SHARES, metric);
    *low = is_share ? 0.0 : NAN;
    *high = is_share ? 1.0 : NAN;
    *lower_is_better = IS_ONE_OF(LOWER, metric);
}

int helm_is_bookkeeping(const char *metric)
{
    static const char *const NAMES[] = {"num_*",      "max_num_*",   "finish_reason_*",
                                        "training_*", "inference_*", "batch_size",
                                        "*truncated", "estimated_*", "predicted_index"};
    return IS_ONE_OF(NAMES, metric);
}

/* per_instance_stats.json: a list of {instance_id, train_trial_index, perturbation, stats}, several of an instance where
 * several kinds of metrics were computed. */

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

/* Everything about the statistics of instances. */
static int helm_read_stats(struct helm_stats *out, struct source *source)
{
    struct json_array array = {.path = source_where(source)};
    TRY(source_jsonl(source, &array.reader));
    return json_array_each(&array, add_instance, out);
}

static void helm_free_stats(struct helm_stats *s)
{
    for (size_t i = 0; i < s->keys.n; i++) {
        regret_free(s->instance[i].value);
    }
    regret_free(s->instance);
    names_free(&s->names);
    names_free(&s->keys);
    *s = (struct helm_stats){0};
}

/* Those of an instance; NULL: none. */
static const struct helm_instance *helm_find_instance(const struct helm_stats *s, const char *id,
                                                      long long trial)
{
    char key[256];
    int n = snprintf(key, sizeof key, "%lld %s", trial, id);
    size_t i = n > 0 && (size_t)n < sizeof key ? names_find(&s->keys, key) : SIZE_MAX;
    return i != SIZE_MAX ? &s->instance[i] : NULL;
}

/* The mean of a metric; NAN: there is none. */
static double helm_value_of(const struct helm_stats *s, const struct helm_instance *instance,
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

/* scenario_state.json: {adapter_spec, request_states: [{instance, train_trial_index, request, result, …}]}. */

FREED_POINTER(cJSON, cJSON_Delete)

/* A run being read. */
struct states {
    struct harness *harness;
    const struct helm_run *run;
    const struct prices *prices;
    const char *agent, *method, *main; /* `main` NULL: users name metrics */
    struct harness_score *score;       /* owned */
    size_t capacity;
    size_t n; /* states read */
};

FREED_FIELDS(states, of->score)

static int starts(const char *text, const char *with)
{
    return text != NULL && strncmp(text, with, strlen(with)) == 0;
}

/* The input of an instance and, where the request maps letters to them, its options. */
static int append_prompt(struct regret_buffer *t, const cJSON *state, struct regret_place at)
{
    const cJSON *instance = json_member(state, "instance"),
                *option = json_member(state, "output_mapping");
    const char *text = json_string(json_member(instance, "input"), "text");
    text = text != NULL ? text : json_string(instance, "input"); /* HELM 0.1 had it there */
    if (text == NULL) {
        return regret_json_error(at, "\"instance\" has no \"input\" with a \"text\"");
    }
    regret_buffer_append(t, text);
    for (option = cJSON_IsObject(option) ? option->child : NULL; option != NULL;
         option = option->next) {
        if (cJSON_IsString(option)) {
            regret_buffer_printf(t, "\n%s. %s", option->string, option->valuestring);
        }
    }
    return regret_buffer_status(t);
}

/* The outputs of the references that are tagged correct. */
static void put_references(struct regret_buffer *out, const cJSON *instance)
{
    const cJSON *reference = NULL, *tag = NULL;
    cJSON_ArrayForEach(reference, json_member(instance, "references"))
    {
        cJSON_ArrayForEach(tag, json_member(reference, "tags"))
        {
            if (cJSON_IsString(tag) && strcmp(tag->valuestring, "correct") == 0) {
                const char *text = json_string(json_member(reference, "output"), "text");
                text = text != NULL ? text : json_string(reference, "output");
                references_append(out, text != NULL ? text : "");
                break;
            }
        }
    }
}

static enum harness_state state_of(const cJSON *result)
{
    const cJSON *first = cJSON_GetArrayItem(json_member(result, "completions"), 0);
    const char *reason = json_string(json_member(first, "finish_reason"), "reason");
    if (first == NULL || cJSON_IsFalse(json_member(result, "success")) ||
        json_string(result, "error") != NULL) {
        return HARNESS_FAILED;
    }
    return reason != NULL && strcmp(reason, "length") == 0 ? HARNESS_TRUNCATED : HARNESS_ANSWERED;
}

/* Tokens as HELM counted them. Where it was given none of the output's, their number is not known. */
static int cost_of(double *out, const struct states *s, const struct helm_instance *instance,
                   const char *output)
{
    double input = helm_value_of(&s->run->stats, instance, "num_prompt_tokens");
    double tokens = helm_value_of(&s->run->stats, instance, "num_output_tokens");
    *out = NAN;
    if (isnan(input) || isnan(tokens) || (tokens == 0.0 && output != NULL && output[0] != '\0')) {
        return REGRET_OK;
    }
    return prices_cost(out, s->prices, s->agent, input, tokens);
}

/* The main metric of an instance, or all where users name some. */
static int read_scores(size_t *n, struct states *s, const struct helm_instance *instance)
{
    const struct helm_stats *stats = &s->run->stats;
    *n = 0;
    for (size_t i = 0; instance != NULL && i < instance->n; i++) {
        const char *name = stats->names.name[instance->value[i].name];
        double low, high;
        int is_lower;
        if (s->main != NULL ? strcmp(name, s->main) != 0 : helm_is_bookkeeping(name)) {
            continue;
        }
        helm_describe(name, &low, &high, &is_lower);
        TRY(harness_metric(s->harness, name, low, high, is_lower, 1));
        TRY(regret_grow((void **)&s->score, &s->capacity, *n, sizeof *s->score, "scores"));
        s->score[(*n)++] = (struct harness_score){name, instance->value[i].mean};
    }
    return REGRET_OK;
}

/* Why a request is no answer of its own: NULL where it is one. Of the requests that each ask how likely one option is, the answer
 * is that of the option that was chosen. */
static const char *left_out(const struct states *s, const cJSON *state,
                            const struct helm_instance *instance)
{
    const char *mode = json_string(state, "request_mode");
    double chosen = helm_value_of(&s->run->stats, instance, "predicted_index");
    const cJSON *index = json_member(state, "reference_index");
    if (json_has(json_member(state, "instance"), "perturbation")) {
        return "requests of perturbed instances";
    }
    if (mode != NULL && strcmp(mode, "calibration") == 0) {
        return "requests that calibrate";
    }
    return starts(s->method, "multiple_choice_separate_") && cJSON_IsNumber(index) &&
                   !isnan(chosen) && index->valuedouble != chosen
               ? "requests about options that were not chosen"
               : NULL;
}

static int add_state(void *context, const cJSON *state, struct regret_place at)
{
    struct states *s = context;
    const cJSON *instance = NULL, *result = json_member(state, "result");
    const char *id = NULL;
    FREED_BY(regret_buffer_free) struct regret_buffer prompt = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer references = REGRET_BUFFER_INIT;
    long long trial = 0;
    s->n++;
    TRY(regret_json_get_object(&instance, state, "instance", at));
    TRY(regret_json_get_string(&id, instance, "id", at));
    TRY(regret_json_optional_integer(&trial, state, "train_trial_index", 0, INT32_MAX, at));
    const struct helm_instance *stats = helm_find_instance(&s->run->stats, id, trial);
    const char *why = left_out(s, state, stats);
    if (why != NULL) {
        return harness_left_out(s->harness, why, 1);
    }
    struct harness_answer answer = {
        .task = s->run->task,
        .id = id,
        .agent = s->agent,
        .output = json_string(cJSON_GetArrayItem(json_member(result, "completions"), 0), "text"),
        .run = s->run->folder,
        .repeat = (size_t)trial,
        .state = state_of(result),
        .at = at};
    TRY(append_prompt(&prompt, state, at));
    TRY(read_scores(&answer.n_scores, s, stats));
    TRY(cost_of(&answer.cost, s, stats, answer.output));
    put_references(&references, instance);
    TRY(regret_buffer_status(&references));
    answer.reference = references_get(&references);
    answer.prompt = answer.content = regret_buffer_get(&prompt);
    answer.scores = s->score;
    return harness_add(s->harness, &answer);
}

/* The model, whose name stands before its requests. */
static int read_spec(struct states *s, const cJSON *before, int found, struct regret_place at)
{
    const cJSON *spec = NULL;
    TRY(regret_json_get_object(&spec, before, "adapter_spec", at));
    TRY(regret_json_get_string(&s->agent, spec, "model", at));
    s->method = json_string(spec, "method");
    return found ? REGRET_OK
                 : regret_json_error(at,
                                     "\"request_states\" must be an array behind \"adapter_spec\"");
}

/* The main metric, or the only one. REGRET_E_INPUT: none is known, with those that there are. */
static int find_main(struct states *s, const char *where)
{
    const struct helm_stats *stats = &s->run->stats;
    const char *last = NULL;
    char list[400] = "";
    size_t n = 0;
    for (size_t i = 0; i < stats->names.n; i++) {
        if (!helm_is_bookkeeping(stats->names.name[i])) {
            last = stats->names.name[i];
            n++;
            importer_remember(list, sizeof list, last);
        }
    }
    s->main = n == 1 ? last : helm_main_metric(s->run->task, stats);
    return s->main != NULL
               ? REGRET_OK
               : regret_fail(
                     REGRET_E_INPUT,
                     "%s: which metric of scenario \"%.60s\" counts is not known; say it by "
                     "--metric; there are: %s",
                     where, s->run->task, list[0] != '\0' ? list : "none");
}

/* Hands the requests of a run over. */
static int helm_read_states(struct harness *h, const struct helm_run *run,
                            const struct prices *prices, int is_metric_named, struct source *source)
{
    static const char *const BEFORE[] = {"adapter_spec"};
    static const char *const FIELDS[] = {"instance",     "train_trial_index", "reference_index",
                                         "request_mode", "output_mapping",    "result",
                                         "-tokens",      "-embedding"};
    struct json_array array = {
        .path = source_where(source), .fields = FIELDS, .n_fields = sizeof FIELDS / sizeof *FIELDS};
    FREED_BY(states_fields) struct states s = {.harness = h, .run = run, .prices = prices};
    struct regret_place at = {array.path, 0};
    FREED_BY(cJSON_Delete_at) cJSON *before = NULL;
    int found = 0, wants = 0;
    TRY(source_jsonl(source, &array.reader));
    TRY(json_array_seek(&array, &found, &before, "request_states", BEFORE, 1));
    TRY(read_spec(&s, before, found, at));
    TRY(harness_wants(&wants, h, run->task, s.agent));
    if (wants) {
        TRY(is_metric_named ? REGRET_OK : find_main(&s, array.path));
        TRY(harness_file(h, source));
        TRY(json_array_each(&array, add_state, &s));
        return s.n == 0 ? harness_left_out_at(h, "files without a row", array.path) : REGRET_OK;
    }
    return REGRET_OK;
}

struct import {
    const struct helm_options *options;
    const char *path;
    struct harness *harness;
    struct prices prices;
    struct helm_run *run; /* owned */
    size_t n, capacity;
    size_t progress; /* files read in the present round */
};

/* ---- Runs ---- */

/* The name of a run is that of the folder that its files are in; of the one given it may be ".". */
static int name_run(char **task, const char *folder, const char *path)
{
    char *real = folder[0] == '\0' ? realpath(path, NULL) : NULL;
    const char *of = real != NULL ? real : folder[0] != '\0' ? folder : path;
    int rc = helm_task(task, path_last(of));
    free(real);
    return rc;
}

/* The run that a file is of, by its folder: one that is new to us is entered. */
static int enter_run(struct helm_run **out, struct import *s, const char *name)
{
    const char *last = path_last(name);
    size_t n = last > name ? (size_t)(last - name) - 1 : 0;
    for (size_t i = s->n; i-- > 0;) {
        *out = &s->run[i];
        if (strncmp((*out)->folder, name, n) == 0 && (*out)->folder[n] == '\0') {
            return REGRET_OK;
        }
    }
    TRY(regret_grow((void **)&s->run, &s->capacity, s->n, sizeof *s->run, "runs"));
    *out = &s->run[s->n++];
    **out = (struct helm_run){.state = HELM_NO_STATS};
    TRY(regret_strndup(&(*out)->folder, name, n));
    return name_run(&(*out)->task, (*out)->folder, s->path);
}

/* The model is known once the requests are read. */
static int wants(const struct import *s, const struct helm_run *run)
{
    const struct importer_list *tasks = &s->options->harness.tasks;
    return tasks->n == 0 || name_matches(tasks->items, tasks->n, run->task);
}

static int read_member(void *context, struct source *source, const char *name)
{
    struct import *s = context;
    struct helm_run *run = NULL;
    TRY(harness_own(s->harness, source));
    TRY(enter_run(&run, s, name));
    const char *base = path_last(name);
    if (!wants(s, run) || run->state == HELM_DONE) {
        return REGRET_OK;
    }
    if (strcmp(base, STATS) == 0) {
        if (run->state == HELM_NO_STATS) {
            TRY(helm_read_stats(&run->stats, source));
            run->state = HELM_HAS_STATS;
            s->progress++;
        }
        return REGRET_OK;
    }
    if (run->state == HELM_HAS_STATS) {
        const struct harness_options *o = &s->options->harness;
        TRY(helm_read_states(s->harness, run, &s->prices, o->metrics.n + o->lower.n > 0, source));
        helm_free_stats(&run->stats);
        run->state = HELM_DONE;
        s->progress++;
    }
    return REGRET_OK;
}

/* ---- Files ---- */

/* A run that is wanted and lacks one of its files, so far; NULL: none. */
static const struct helm_run *pending(const struct import *s)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->run[i].state != HELM_DONE && wants(s, &s->run[i])) {
            return &s->run[i];
        }
    }
    return NULL;
}

/* The requests of a run are read once its statistics are there: in a folder, where names come in order, at once; in an archive,
 * whose order is any, perhaps in a second round. */
static int read_runs(struct import *s)
{
    static const char *const PATTERNS[] = {STATES, STATS};
    TRY(prices_read(&s->prices, s->options->prices));
    do {
        s->progress = 0;
        TRY(harness_each(s->harness, s->path, PATTERNS, 2, read_member, s));
    } while (s->progress > 0 && pending(s) != NULL);
    const struct helm_run *run = pending(s);
    if (run != NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "%s%s%s has no %s; let HELM finish the run, or take it away", s->path,
                           run->folder[0] != '\0' ? "/" : "", run->folder,
                           run->state == HELM_NO_STATS ? STATS : STATES);
    }
    return s->n > 0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT, "%s holds no run of HELM: a folder with %s and %s",
                             s->path, STATES, STATS);
}

static int run(const struct importer_call *call)
{
    struct import s = {.options = call->options, .path = call->from};
    int rc;
    TRY_CLEANUP(harness_begin(&s.harness, &s.options->harness));
    TRY_CLEANUP(read_runs(&s));
    rc = harness_finish(s.harness, call, "helm", "Answers from runs of HELM", CARD);
cleanup:
    for (size_t i = 0; i < s.n; i++) {
        regret_free(s.run[i].folder);
        regret_free(s.run[i].task);
        helm_free_stats(&s.run[i].stats);
    }
    regret_free(s.run);
    prices_free(&s.prices);
    harness_free(s.harness);
    return rc;
}

static const struct helm_options defaults = {0};

static const struct importer_option options[] = {PRICES_OPTION(struct helm_options, prices),
                                                 HARNESS_OPTIONS};

const struct importer importer_helm = {
    .name = "import helm",
    .synopsis = "FOLDER -o POOL [options]",
    .summary = "runs of HELM: folders with scenario_state.json and per_instance_stats.json",
    .detail =
        "An instance is a context, its scenario the tag, a model an agent, trials with other\n"
        "examples are draws. Perturbed instances are left out. The main metric is the one that\n"
        "HELM's tables show of the scenario; of a scenario that is not known it has to be\n"
        "named. The cost of an answer is its tokens, times their prices where these are given.",
    .examples = "regret import helm benchmark_output/runs/v1 -o helm --dry-run\n"
                "regret import helm benchmark_output/runs/v1 -o mmlu -t 'mmlu:*' -m exact_match",
    .run = run,
    .can_dry_run = 1,
    IMPORTER_OPTIONS(options, defaults),
};
