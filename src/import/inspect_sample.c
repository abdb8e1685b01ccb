/* A sample of Inspect. */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "base/json_array.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "import/inspect.h"
#include "import/table_cell.h"
#include "regret/status.h"

const char *const INSPECT_SAMPLE_FIELDS[] = {"id",     "epoch",  "input",       "choices",
                                             "target", "output", "scores",      "score",
                                             "error",  "limit",  "model_usage", "invalidation"};
const size_t INSPECT_N_SAMPLE_FIELDS = sizeof INSPECT_SAMPLE_FIELDS / sizeof *INSPECT_SAMPLE_FIELDS;

/* ---- Texts ---- */

/* The content of a message: a text, or a list of parts, of which what is no text is named by its type. */
static void append_content(struct regret_buffer *t, const cJSON *content)
{
    const char *whole = cJSON_GetStringValue(content);
    const cJSON *part = NULL;
    if (whole != NULL) {
        regret_buffer_append(t, whole);
    }
    for (part = content != NULL && cJSON_IsArray(content) ? content->child : NULL; part != NULL;
         part = part->next) {
        const char *text = json_string(part, "text"), *type = json_string(part, "type");
        if (text != NULL) {
            regret_buffer_append(t, text);
        } else if (type != NULL && strcmp(type, "reasoning") != 0) {
            regret_buffer_printf(t, "[%s]", type);
        }
    }
}

/* An input: a text, or messages, each after its role unless there is but one; then the choices, lettered. */
static int append_input(struct regret_buffer *t, const cJSON *sample, struct regret_place at)
{
    const cJSON *input = json_member(sample, "input"), *choice = json_member(sample, "choices");
    size_t n = 0;
    if (!cJSON_IsString(input) && !cJSON_IsArray(input)) {
        return regret_json_error(at, "\"input\" must be a text or a list of messages");
    }
    append_content(t, cJSON_IsString(input) ? input : NULL);
    for (const cJSON *m = cJSON_IsArray(input) ? input->child : NULL; m != NULL; m = m->next) {
        const char *role = json_string(m, "role");
        if (input->child->next != NULL) {
            regret_buffer_printf(t, "%s%s: ", m != input->child ? "\n\n" : "",
                                 role != NULL ? role : "message");
        }
        append_content(t, json_member(m, "content"));
    }
    for (choice = cJSON_IsArray(choice) ? choice->child : NULL; choice != NULL;
         choice = choice->next, n++) {
        if (cJSON_IsString(choice) && n < 26) {
            regret_buffer_printf(t, "\n%c) %s", (char)('A' + n), choice->valuestring);
        }
    }
    return regret_buffer_status(t);
}

/* What the model said: "completion", which older logs leave to the first choice. */
static void append_output(struct regret_buffer *t, const cJSON *output)
{
    const char *completion = json_string(output, "completion");
    if (completion != NULL && completion[0] != '\0') {
        regret_buffer_append(t, completion);
    } else {
        const cJSON *first = cJSON_GetArrayItem(json_member(output, "choices"), 0);
        append_content(t, json_member(json_member(first, "message"), "content"));
    }
}

/* ---- State and cost ---- */

static enum harness_state state_of(const cJSON *sample)
{
    const cJSON *output = json_member(sample, "output");
    const char *stop =
        json_string(cJSON_GetArrayItem(json_member(output, "choices"), 0), "stop_reason");
    if (json_has(sample, "error") || json_has(output, "error") ||
        json_has(sample, "invalidation") || (stop != NULL && strcmp(stop, "content_filter") == 0)) {
        return HARNESS_FAILED;
    }
    if (json_has(sample, "limit") ||
        (stop != NULL && (strcmp(stop, "max_tokens") == 0 || strcmp(stop, "length") == 0 ||
                          strcmp(stop, "model_length") == 0))) {
        return HARNESS_TRUNCATED;
    }
    return HARNESS_ANSWERED;
}

static double tokens(const cJSON *usage, const char *name)
{
    const cJSON *v = json_member(usage, name);
    return cJSON_IsNumber(v) ? v->valuedouble : 0.0;
}

/* What the model that is asked used in the sample: nothing at all says that nobody counted. Not what was used by those that judge it (but for one that judges itself, which no log
 * tells apart). Tokens of a cache are tokens of the input. */
static int cost_of(double *out, const struct inspect_log *log, const cJSON *sample,
                   const struct prices *prices, unsigned cost)
{
    const cJSON *usage = json_member(json_member(sample, "model_usage"), log->model);
    usage = usage != NULL ? usage : json_member(json_member(sample, "output"), "usage");
    double input = tokens(usage, "input_tokens") + tokens(usage, "input_tokens_cache_write") +
                   tokens(usage, "input_tokens_cache_read"),
           output = tokens(usage, "output_tokens"), recorded = tokens(usage, "total_cost");
    *out = NAN;
    if (cost == INSPECT_COST_RECORDED && prices->path == NULL) {
        *out = json_has(usage, "total_cost") && input + output + recorded > 0.0 ? recorded : NAN;
        return REGRET_OK;
    }
    return input + output > 0.0 ? prices_cost(out, prices, log->model, input, output) : REGRET_OK;
}

/* ---- Scores ---- */

struct scores {
    struct harness_score *score; /* owned */
    char **made;                 /* names that are made of two; owned */
    size_t n, n_made, capacity, made_capacity;
    int all; /* 0: none but the main one */
};

static void free_scores(struct scores *s)
{
    texts_free(s->made, s->n_made);
    regret_free(s->score);
}

/* As value_to_float() has it: C, I, P and N are letters of a grade, words say yes or no. *is_grade: the value is one of
 * them, and lies between 0 and 1 with all its kind. */
static double value_of(const cJSON *v, int *is_grade)
{
    static const struct {
        const char *letter;
        double value;
    } GRADES[] = {{"C", 1.0}, {"I", 0.0}, {"P", 0.5}, {"N", 0.0}};
    double value = NAN;
    *is_grade = cJSON_IsBool(v);
    if (cJSON_IsNumber(v)) {
        return v->valuedouble;
    }
    if (cJSON_IsBool(v)) {
        return cJSON_IsTrue(v) ? 1.0 : 0.0;
    }
    for (size_t i = 0; cJSON_IsString(v) && i < sizeof GRADES / sizeof *GRADES; i++) {
        if (strcmp(v->valuestring, GRADES[i].letter) == 0) {
            *is_grade = 1;
            return GRADES[i].value;
        }
    }
    *is_grade = cJSON_IsString(v) && table_source_parse_word(&value, v->valuestring);
    return *is_grade || (cJSON_IsString(v) && table_source_parse(&value, v->valuestring)) ? value
                                                                                          : NAN;
}

/* Scorers of Inspect whose numbers are shares. */
static int is_share(const char *scorer)
{
    return strcmp(scorer, "f1") == 0 || strcmp(scorer, "exact") == 0;
}

/* The first score of a log is its main one, and all that is handed over where nobody names others. */
static int add_score(struct scores *s, struct harness *h, struct inspect_log *log, const char *name,
                     const cJSON *value)
{
    int is_grade = 0;
    double x = value_of(value, &is_grade), high = is_grade || is_share(name) ? 1.0 : NAN;
    TRY(log->main == NULL ? regret_strdup(&log->main, name) : REGRET_OK);
    if (!s->all && strcmp(log->main, name) != 0) {
        return REGRET_OK;
    }
    if (isnan(x) && cJSON_IsString(value) && !table_source_is_missing(value->valuestring)) {
        TRY(harness_metric(h, name, NAN, NAN, 0, 1));
        return harness_label(h, name, value->valuestring, log->name);
    }
    if (isnan(x)) {
        return harness_left_out_at(h, "scores that are no numbers", log->name);
    }
    TRY(harness_metric(h, name, high - high, high, 0, 1));
    TRY(regret_grow((void **)&s->score, &s->capacity, s->n, sizeof *s->score, "scores"));
    s->score[s->n++] = (struct harness_score){name, x};
    return REGRET_OK;
}

/* "scorer/key" for each key of a score that is a dictionary. */
static int add_keys(struct scores *s, struct harness *h, struct inspect_log *log,
                    const char *scorer, const cJSON *value)
{
    for (const cJSON *v = value->child; v != NULL; v = v->next) {
        struct regret_buffer name = REGRET_BUFFER_INIT;
        TRY(regret_grow((void **)&s->made, &s->made_capacity, s->n_made, sizeof *s->made,
                        "names of scores"));
        regret_buffer_printf(&name, "%s/%s", scorer, v->string);
        TRY(text_take(&s->made[s->n_made], &name));
        s->n_made++;
        TRY(add_score(s, h, log, s->made[s->n_made - 1], v));
    }
    return REGRET_OK;
}

static int read_score(struct scores *s, struct harness *h, struct inspect_log *log,
                      const char *scorer, const cJSON *score)
{
    const cJSON *value = json_member(score, "value");
    if (cJSON_IsArray(value)) {
        return harness_left_out_at(h, "scores that are lists", log->name);
    }
    return cJSON_IsObject(value) ? add_keys(s, h, log, scorer, value)
                                 : add_score(s, h, log, scorer, value);
}

/* Of all scorers; the oldest logs have one that has no name. */
static int read_scores(struct scores *s, struct harness *h, struct inspect_log *log,
                       const cJSON *sample)
{
    const cJSON *scores = json_member(sample, "scores");
    for (const cJSON *v = cJSON_IsObject(scores) ? scores->child : NULL; v != NULL; v = v->next) {
        TRY(read_score(s, h, log, v->string, v));
    }
    return json_has(sample, "score") ? read_score(s, h, log, "score", json_member(sample, "score"))
                                     : REGRET_OK;
}

/* ---- The answer ---- */

int inspect_add_sample(struct harness *h, struct inspect_log *log, const cJSON *sample,
                       const struct prices *prices, const struct inspect_options *options,
                       struct regret_place at)
{
    char scratch[JSON_SCRATCH];
    FREED_BY(regret_buffer_free) struct regret_buffer input = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer output = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer targets = REGRET_BUFFER_INIT;
    FREED_BY(free_scores)
    struct scores scores = {.all = options->harness.metrics.n + options->harness.lower.n > 0};
    long long epoch = 1;
    struct harness_answer answer = {.task = log->task,
                                    .id = json_text(scratch, json_member(sample, "id")),
                                    .agent = log->agent,
                                    .run = log->name,
                                    .version = log->version,
                                    .at = at};
    if (answer.id == NULL) {
        return regret_json_error(at, "a sample without an \"id\" that is a text or a number");
    }
    TRY(regret_json_optional_integer(&epoch, sample, "epoch", 1, INT32_MAX, at));
    TRY(append_input(&input, sample, at));
    append_output(&output, json_member(sample, "output"));
    references_append_json(&targets, json_member(sample, "target")); /* of a list each is right */
    TRY(regret_buffer_status(&output));
    TRY(regret_buffer_status(&targets));
    TRY(read_scores(&scores, h, log, sample));
    TRY(cost_of(&answer.cost, log, sample, prices, options->cost));
    answer.prompt = answer.content = regret_buffer_get(&input);
    answer.output = regret_buffer_get(&output);
    answer.reference = references_get(&targets);
    answer.repeat = (size_t)epoch - 1;
    answer.state = state_of(sample);
    answer.scores = scores.score;
    answer.n_scores = scores.n;
    return harness_add(h, &answer);
}
