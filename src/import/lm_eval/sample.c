/* A row of samples_TASK_DATE.jsonl: a document of the task, what the model was asked and said, and its scores by one filter. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "base/json/json_pick.h"
#include "base/json/json_text.h"
#include "import/build/references.h"
#include "import/lm_eval/lm_eval.h"
#include "regret/alloc.h"

enum { MOST_DRAWS = 4096 };

/* The first of a list; NULL of what is none, or of an empty one. */
static const cJSON *first_of(const cJSON *list)
{
    return list != NULL && cJSON_IsArray(list) ? list->child : NULL;
}

/* ---------------------------------------------------------------- texts */

/* Of a conversation what each turn says, with an empty line between them. */
static void put_turns(struct regret_buffer *out, const cJSON *list)
{
    for (const cJSON *turn = list->child; turn != NULL; turn = turn->next) {
        const cJSON *content = json_member(turn, "content");
        if (cJSON_IsString(content)) {
            regret_buffer_append(out, out->length > 0 ? "\n\n" : "");
            regret_buffer_append(out, content->valuestring);
        }
    }
}

/* A text of arguments: as it is, or, of models that are asked in turns, a list of one text, which is the JSON of them. */
static int put_text(struct regret_buffer *out, const cJSON *value)
{
    const cJSON *one = cJSON_IsArray(value) ? first_of(value) : value;
    cJSON *turns = NULL;
    if (!cJSON_IsString(one)) {
        return REGRET_OK;
    }
    const char *text = one->valuestring;
    if (strncmp(text, "[{", 2) == 0 &&
        regret_json_parse_mode(&turns, text, strlen(text), (struct regret_place){"arguments", 0},
                               REGRET_JSON_IMPORT) == REGRET_OK) {
        put_turns(out, turns);
    }
    cJSON_Delete(turns);
    regret_buffer_append(out, out->length == 0 ? text : "");
    return regret_buffer_status(out);
}

/* Argument j of request i of the row; an object of objects; other writers of the format have lists. */
static const cJSON *argument(const cJSON *row, int i, int j)
{
    const cJSON *requests = json_member(row, "arguments");
    const cJSON *request = requests != NULL ? cJSON_GetArrayItem(requests, i) : NULL;
    return request != NULL ? cJSON_GetArrayItem(request, j) : NULL;
}

/* A number, or the text of one. */
static double number_of(const cJSON *value)
{
    char *end = NULL;
    if (cJSON_IsNumber(value)) {
        return value->valuedouble;
    }
    if (cJSON_IsBool(value)) {
        return cJSON_IsTrue(value);
    }
    if (!cJSON_IsString(value)) {
        return NAN;
    }
    double read = strtod(value->valuestring, &end);
    return end != value->valuestring && *end == '\0' ? read : NAN;
}

/* Is a response a log likelihood and whether it is the most likely text: [-3.1, False], or the texts of these? */
static int is_likelihood(const cJSON *response)
{
    const cJSON *value = first_of(response);
    return value != NULL && value->next != NULL && value->next->next == NULL &&
           !isnan(number_of(value));
}

/* The likeliest of the choices, where there are several, by its log likelihood; -1 where that cannot be told. */
static int chosen(const cJSON *row)
{
    int best = -1, i = 0;
    double most = -INFINITY;
    for (const cJSON *r = first_of(json_member(row, "filtered_resps")); r != NULL; r = r->next) {
        double value = is_likelihood(r) ? number_of(r->child) : NAN;
        if (isnan(value)) {
            return -1;
        }
        if (value > most) {
            most = value;
            best = i;
        }
        i++;
    }
    return i > 1 ? best : -1;
}

/* The text of choice i: what follows the prompt; the whole where choices are prompts (winogrande). */
static int put_choice(struct regret_buffer *out, const cJSON *row, int i)
{
    const cJSON *first = argument(row, 0, 0), *own = argument(row, i, 0);
    const cJSON *follows = argument(row, i, 1);
    if (cJSON_IsString(first) && cJSON_IsString(own) &&
        strcmp(first->valuestring, own->valuestring) != 0) {
        regret_buffer_append(out, own->valuestring);
    }
    if (cJSON_IsString(follows)) {
        const char *text = follows->valuestring;
        regret_buffer_append(out, out->length == 0 ? text + strspn(text, " ") : text);
    }
    return regret_buffer_status(out);
}

/* ---------------------------------------------------------------- what a model said */

/* Response `draw` of the first request: a text, or nothing. */
static const cJSON *response(const cJSON *row, size_t draw)
{
    const cJSON *first = first_of(json_member(row, "resps"));
    const cJSON *one = cJSON_IsArray(first) ? cJSON_GetArrayItem(first, (int)draw) : first;
    return cJSON_IsString(one) ? one : NULL;
}

static size_t count_responses(const cJSON *row)
{
    const cJSON *first = first_of(json_member(row, "resps"));
    int n = cJSON_IsString(first_of(first)) ? cJSON_GetArraySize(first) : 1;
    return n > 1 ? (size_t)n : 1;
}

/* The text of the answer; *is_one 0: there is none. */
static int put_output(struct regret_buffer *out, int *is_one, const cJSON *row, size_t draw,
                      int choice)
{
    const cJSON *text = response(row, draw);
    *is_one = 1;
    if (choice >= 0) {
        return put_choice(out, row, choice);
    }
    const cJSON *first = first_of(json_member(row, "filtered_resps"));
    if (is_likelihood(
            first)) { /* of one text: it is the model's where it is the likeliest of all */
        const cJSON *likeliest = first->child->next;
        int is_its = cJSON_IsTrue(likeliest) ||
                     (cJSON_IsString(likeliest) && strcmp(likeliest->valuestring, "True") == 0);
        return is_its ? put_choice(out, row, 0) : REGRET_OK;
    }
    *is_one = text != NULL;
    regret_buffer_append(out, text != NULL ? text->valuestring : "");
    return regret_buffer_status(out);
}

/* The good answers: the target or targets, of choices the text of that number. */
static int put_reference(struct regret_buffer *out, const cJSON *row, int choice)
{
    const cJSON *target = json_member(row, "target");
    double number = choice >= 0 ? number_of(target) : NAN;
    if (number >= 0.0 && number < MOST_DRAWS && argument(row, (int)number, 0) != NULL) {
        return put_choice(out, row, (int)number);
    }
    references_append_json(out, target);
    return regret_buffer_status(out);
}

/* ---------------------------------------------------------------- scores */

/* Of metric values one a response counts for each, one for all only for the first. */
static double value_of(const cJSON *value, size_t draw, size_t draws)
{
    if (cJSON_IsArray(value) && (size_t)cJSON_GetArraySize(value) == draws) {
        return number_of(cJSON_GetArrayItem(value, (int)draw));
    }
    return draw == 0 ? number_of(value) : NAN;
}

/* Scores that are shares of one, whatever the task. */
static int is_share(const char *metric)
{
    static const char *const SHARES[] = {"acc", "acc_norm", "acc_bytes", "exact_match", "em", "f1"};
    return texts_have(SHARES, sizeof SHARES / sizeof *SHARES, metric) ||
           strncmp(metric, "pass@", 5) == 0;
}

/* "exact_match,strict-match", as results files call it; without a filter the name alone. */
static int name_metric(struct regret_buffer *out, struct samples *s, const char *name,
                       const char *filter, int is_main)
{
    const cJSON *better = json_member(s->better, name);
    double low = is_share(name) ? 0.0 : NAN, high = is_share(name) ? 1.0 : NAN;
    regret_buffer_clear(out);
    regret_buffer_append(out, name);
    if (strcmp(filter, "none") != 0) {
        regret_buffer_append_char(out, ',');
        regret_buffer_append(out, filter);
    }
    TRY(regret_buffer_status(out));
    /* A sample's "perplexity" is the log-likelihood that the task's is made of. */
    int is_lower = cJSON_IsFalse(better) && strcmp(name, "perplexity") != 0;
    return harness_metric(s->h, regret_buffer_get(out), low, high, is_lower, is_main);
}

/* The values of a row's metrics, in its order. */
struct row_scores {
    const cJSON *value[LM_EVAL_MOST_METRICS];
    struct harness_score score[LM_EVAL_MOST_METRICS];
    size_t n;
};

/* Is this a field that every row has? Older rows have no "metrics" that say which are scores. */
static int is_known(const char *field)
{
    static const char *const KNOWN[] = {
        "doc_id", "doc",     "target",   "arguments",   "resps",      "filtered_resps",
        "filter", "metrics", "doc_hash", "prompt_hash", "target_hash"};
    return texts_have(KNOWN, sizeof KNOWN / sizeof *KNOWN, field);
}

static int add_score(struct row_scores *r, struct samples *s, const cJSON *value, const char *name,
                     const char *filter, size_t draws, struct regret_place at)
{
    char where[200];
    if (value == NULL) {
        return REGRET_OK;
    }
    if (isnan(value_of(value, 0, draws))) {
        snprintf(where, sizeof where, "%s:%zu", at.file, at.line);
        return harness_left_out_at(s->h, "scores that are no numbers", where);
    }
    TRY(name_metric(&s->metric[r->n], s, name, filter, r->n == 0));
    r->score[r->n].metric = regret_buffer_get(&s->metric[r->n]);
    r->value[r->n++] = value;
    return REGRET_OK;
}

static int read_scores(struct row_scores *r, struct samples *s, const cJSON *row,
                       const char *filter, size_t draws, struct regret_place at)
{
    size_t n = 0;
    const cJSON *metrics = json_member(row, "metrics");
    const cJSON *e = cJSON_IsArray(metrics) ? metrics->child : row->child;
    for (; e != NULL; e = e->next) {
        const char *name = cJSON_IsArray(metrics) ? cJSON_GetStringValue(e) : e->string;
        if (name == NULL || is_known(name)) {
            continue;
        }
        if (n++ == LM_EVAL_MOST_METRICS) {
            return regret_json_error(at, "more than %d metrics in a row", LM_EVAL_MOST_METRICS);
        }
        TRY(add_score(r, s, cJSON_IsArray(metrics) ? json_member(row, name) : e, name, filter,
                      draws, at));
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- a row */

/* Whether the row's filter is one that is wanted: of those named, or the first one of the file. */
static int is_filter_wanted(int *is_wanted, struct samples *s, const char *filter)
{
    const struct importer_list *wanted = &s->options->filters;
    if (wanted->n == 0 && s->filter == NULL) {
        TRY(regret_strdup(&s->filter, filter));
    }
    TRY(harness_see(is_wanted, s->h, HARNESS_FILTERS, wanted, filter));
    *is_wanted = wanted->n > 0 ? *is_wanted : strcmp(filter, s->filter) == 0;
    s->other_filters += !*is_wanted;
    return REGRET_OK;
}

static int add_draws(struct samples *s, const cJSON *row, struct row_scores *r,
                     struct harness_answer *answer, size_t draws)
{
    int choice = chosen(row);
    TRY(put_reference(&s->reference, row, choice));
    answer->reference = references_get(&s->reference);
    for (size_t draw = 0; draw < draws; draw++) {
        int is_one = 0;
        size_t scored = 0;
        for (size_t i = 0; i < r->n; i++) {
            r->score[i].value = value_of(r->value[i], draw, draws);
            scored += !isnan(r->score[i].value);
        }
        if (draw > 0 && scored == 0) {
            s->more_responses += draws - draw;
            break;
        }
        regret_buffer_clear(&s->output);
        TRY(put_output(&s->output, &is_one, row, draw, choice));
        answer->output = is_one ? regret_buffer_get(&s->output) : NULL;
        answer->repeat = draw;
        TRY(harness_add(s->h, answer));
    }
    return REGRET_OK;
}

int samples_line(void *context, const cJSON *row, struct regret_place at)
{
    struct samples *s = context;
    char scratch[JSON_SCRATCH];
    const char *name = json_text(scratch, json_member(row, "doc_id"));
    const cJSON *given = json_member(row, "filter");
    const char *filter = cJSON_IsString(given) ? given->valuestring : "none";
    int is_wanted = 0;
    TRY(is_filter_wanted(&is_wanted, s, filter));
    if (!is_wanted) {
        return REGRET_OK;
    }
    struct regret_buffer *texts[] = {&s->id, &s->prompt, &s->reference};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        regret_buffer_clear(texts[i]);
    }
    if (name == NULL) {
        return regret_json_error(at, "no \"doc_id\"; is this a file of samples of "
                                     "lm-evaluation-harness?");
    }
    regret_buffer_append(&s->id, name);
    TRY(put_text(&s->prompt, argument(row, 0, 0)));
    if (s->prompt.length == 0) {
        return regret_json_error(at, "no prompt in \"arguments\"; samples are needed with what the "
                                     "model was asked");
    }
    struct row_scores r = {.n = 0};
    size_t draws = count_responses(row);
    TRY(read_scores(&r, s, row, filter, draws, at));
    struct harness_answer answer = {.task = s->task,
                                    .id = regret_buffer_get(&s->id),
                                    .content = json_string(row, "doc_hash"),
                                    .prompt = regret_buffer_get(&s->prompt),
                                    .agent = s->agent,
                                    .run = s->run,
                                    .version = s->version[0] != '\0' ? s->version : NULL,
                                    .cost = NAN,
                                    .scores = r.score,
                                    .n_scores = r.n,
                                    .at = at};
    return add_draws(s, row, &r, &answer, draws);
}

void samples_free(struct samples *s)
{
    regret_free(s->filter);
    regret_buffer_free(&s->id);
    regret_buffer_free(&s->prompt);
    regret_buffer_free(&s->output);
    regret_buffer_free(&s->reference);
    for (size_t i = 0; i < LM_EVAL_MOST_METRICS; i++) {
        regret_buffer_free(&s->metric[i]);
    }
}
