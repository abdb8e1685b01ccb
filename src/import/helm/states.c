/* scenario_state.json: {adapter_spec, request_states: [{instance, train_trial_index, request, result, …}]}. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/json/json_array.h"
#include "base/json/json_pick.h"
#include "import/build/references.h"
#include "import/helm/helm.h"
#include "regret/alloc.h"

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

int helm_read_states(struct harness *h, const struct helm_run *run, const struct prices *prices,
                     int is_metric_named, struct source *source)
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
