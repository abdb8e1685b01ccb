#include "import/lm_eval.h"

#include <cJSON.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/archive.h"
#include "base/json.h"
#include "base/json_array.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/harness.h"
#include "import/importer.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* regret import lm-eval */

struct source;

enum { LM_EVAL_MOST_METRICS = 256 }; /* of a row */

/* What a results file says; a run is a folder and a date. */
struct lm_eval_results {
    struct results_run {
        char *folder, *date, *model;             /* owned; the last is "" where nothing names it */
        struct cJSON *versions, *shots, *better; /* by task; NULL where absent; owned */
    } * run;
    size_t n, capacity;
};

/* "FOLDER/samples_TASK_DATE.jsonl" taken apart: owned, "" what is not there. */
struct lm_eval_name {
    char *folder, *task, *date;
};

/* A file of samples being read. */
struct samples {
    struct harness *h;
    const struct lm_eval_options *options;
    const struct cJSON *better; /* of its task: metric → whether more is better; NULL */
    const char *task, *agent, *run;
    char version[80]; /* "" where not said */
    char *filter;     /* the first one; owned */
    size_t other_filters, more_responses;
    struct regret_buffer id, prompt, output, reference,
        metric[LM_EVAL_MOST_METRICS]; /* of the row at hand */
};

static void lm_eval_name_free(struct lm_eval_name *name)
{
    regret_free(name->folder);
    regret_free(name->task);
    regret_free(name->date);
}

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

static int lm_eval_name_read(struct lm_eval_name *out, const char *path, const char *prefix)
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

/* results_DATE.json: whose samples lie beside it, of which version of the tasks, and which way their metrics count. */

FREED_POINTER(cJSON, cJSON_Delete)

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

struct results_reading {
    struct lm_eval_results *out;
    struct harness *h;
};

/* source_member. */
static int read_one(void *context, struct source *source, const char *path)
{
    const struct results_reading *r = context;
    FREED_BY(lm_eval_name_free) struct lm_eval_name name = {NULL, NULL, NULL};
    FREED_BY(cJSON_Delete_at) cJSON *root = NULL;
    TRY(lm_eval_name_read(&name, path, "results"));
    TRY(source_json(source, &root));
    TRY(add_run(r->out, root, &name));
    return harness_file(r->h, source);
}

static int results_read(struct lm_eval_results *out, struct harness *h, const char *path)
{
    static const char *const PATTERNS[] = {"results_*.json", "*_20[0-9][0-9]-[0-9][0-9]-*.json"};
    struct results_reading results_reading = {out, h};
    return harness_each(h, path, PATTERNS, sizeof PATTERNS / sizeof *PATTERNS, read_one,
                        &results_reading);
}

/* The one of a folder and date; of another date of that folder where there is none; or NULL. */
static const struct results_run *results_find(const struct lm_eval_results *results,
                                              const char *folder, const char *date)
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

static void results_free(struct lm_eval_results *results)
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

/* A row of samples_TASK_DATE.jsonl: a document of the task, what the model was asked and said, and its scores by one filter. */

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

/* A row: jsonl_line. */
static int samples_line(void *context, const cJSON *row, struct regret_place at)
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

static void samples_free(struct samples *s)
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

/* "1.0, 5 shots": with another number of examples a task is another one. */
static void put_version(char *out, size_t size, const struct results_run *run, const char *task)
{
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(run->versions, task);
    const cJSON *shots = cJSON_GetObjectItemCaseSensitive(run->shots, task);
    size_t n = 0;
    if (cJSON_IsNumber(version)) {
        n = (size_t)snprintf(out, size, "%.6g", version->valuedouble);
    } else if (cJSON_IsString(version)) {
        n = (size_t)snprintf(out, size, "%.40s", version->valuestring);
    }
    if (cJSON_IsNumber(shots)) {
        snprintf(out + n, size - n, "%s%.6g shots", n > 0 ? ", " : "", shots->valuedouble);
    }
}

/* The folder's last part, which is the model's name with "__" for "/". */
static const char *folder_name(const struct lm_eval_name *name)
{
    return name->folder[0] == '\0' ? "model" : path_last(name->folder);
}

/* The files of samples: source_member. */
struct reading {
    struct harness *h;
    const struct lm_eval_options *options;
    struct lm_eval_results results;
    size_t n;
};

static int read_samples(void *context, struct source *source, const char *path)
{
    struct reading *r = context;
    int wants = 0;
    FREED_BY(lm_eval_name_free) struct lm_eval_name name = {NULL, NULL, NULL};
    FREED_BY(samples_free) struct samples s = {.h = r->h, .options = r->options, .run = path};
    r->n++;
    TRY(lm_eval_name_read(&name, path, "samples"));
    const struct results_run *run = results_find(&r->results, name.folder, name.date);
    s.task = name.task;
    s.agent = run != NULL && run->model[0] != '\0' ? run->model : folder_name(&name);
    if (run != NULL) {
        put_version(s.version, sizeof s.version, run, name.task);
        s.better = cJSON_GetObjectItemCaseSensitive(run->better, name.task);
    }
    TRY(harness_wants(&wants, r->h, s.task, s.agent));
    TRY(harness_own(r->h, source));
    if (!wants) {
        TRY(harness_left_out(r->h, "files of tasks and models that were not asked for", 1));
        return REGRET_OK;
    }
    TRY(harness_file(r->h, source));
    TRY(harness_lines(r->h, source, samples_line, &s));
    TRY(harness_left_out(r->h, "rows of other filters (--filter)", s.other_filters));
    return harness_left_out(r->h, "further responses, which have no score of their own",
                            s.more_responses);
}

static int read_all(struct reading *r, const char *path)
{
    static const char *const PATTERNS[] = {"samples_*.jsonl"};
    TRY(results_read(&r->results, r->h, path));
    TRY(harness_each(r->h, path, PATTERNS, 1, read_samples, r));
    return r->n > 0
               ? REGRET_OK
               : harness_tell(
                     r->h,
                     regret_fail(REGRET_E_INPUT,
                                 "%s has no samples_TASK_DATE.jsonl, which lm_eval writes with "
                                 "--output_path and --log_samples",
                                 path));
}

static int run(const struct importer_call *call)
{
    struct reading r = {.options = call->options};
    int rc;
    TRY_CLEANUP(harness_begin(&r.h, &r.options->harness));
    TRY_CLEANUP(read_all(&r, call->from));
    rc = harness_finish(r.h, call, "lm-eval", "Samples of lm-evaluation-harness",
                        "Made by `regret import lm-eval` of samples that lm-evaluation-harness "
                        "(Gao et al., EleutherAI) wrote. Texts belong to the authors of the tasks "
                        "and of the models.");
cleanup:
    results_free(&r.results);
    harness_free(r.h);
    return rc;
}

static const struct lm_eval_options defaults;

static const struct importer_option lm_eval_options[] = {
    HARNESS_OPTIONS,
    {"filter", 0, IMPORTER_LIST, offsetof(struct lm_eval_options, filters), "PATTERN",
     "rows of this filter, such as flexible-extract (default: the first of each file)", 0, 0, NULL,
     NULL}};

const struct importer importer_lm_eval = {
    .name = "import lm-eval",
    .synopsis = "FOLDER -o POOL [options]",
    .summary = "samples of lm-evaluation-harness (--log_samples): a folder a model, a file a task",
    .detail =
        "Reads samples_TASK_DATE.jsonl and results_DATE.json of versions 0.4.3 and later in\n"
        "FOLDER, an archive of it, or one such file, compressed or not. A context is a document\n"
        "of a task, which is its tag; the score is each task's first metric unless --metric says\n"
        "another one, as results files call it (exact_match,strict-match). Of choices the output\n"
        "is the likeliest one. docs/guide.md says what becomes of failed answers, two runs and\n"
        "two versions of a task.",
    .examples = "regret import lm-eval results -o my/pool\n"
                "regret import lm-eval results.tar.zst --task 'mmlu_*' --metric acc --dry-run\n"
                "regret import lm-eval results --filter flexible-extract --runs last -o my/pool",
    IMPORTER_OPTIONS(lm_eval_options, defaults),
    .can_dry_run = 1,
    .run = run,
};
