#include "import/batch.h"

#include <cJSON.h>
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "base/archive.h"
#include "base/json_array.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/harness.h"
#include "import/metrics.h"
#include "import/table_rows.h"
#include "regret/buffer.h"
#include "regret/status.h"

static const char CARD[] = "Answers from the output files of a batch service; the scores are from "
                           "a file of the user's own.\n"
                           "An agent's cost is what its answers took on average, in tokens, or in "
                           "the currency of --prices.\n";

/* The prompts that were sent. */

/* The user's turns of a body, of any of the endpoints; all turns where there are none. */
static void append_prompt(struct regret_buffer *text, const cJSON *body)
{
    static const char *const FIELDS[] = {"messages", "input", "prompt"};
    for (size_t i = 0; i < 3 && text->length == 0; i++) {
        table_turns_append(text, json_member(body, FIELDS[i]), TURNS_OF_USER);
    }
}

/* The same request to another model, which is then of none. */
static int check_again(struct batch_requests *r, uint32_t i, struct batch_request again,
                       struct regret_place at)
{
    struct batch_request *q = &r->request[i];
    q->model = q->model == again.model ? q->model : NAMES_NONE;
    return q->prompt == again.prompt
               ? REGRET_OK
               : regret_json_error(at,
                                   "custom_id \"%.80s\" had another prompt before; give the "
                                   "requests of one of the two",
                                   r->ids.name[i]);
}

static int requests_read_line(void *context, const cJSON *line, struct regret_place at)
{
    struct batch_requests *r = context;
    const cJSON *body = json_member(line, "body");
    const char *id = NULL, *model = json_string(body, "model");
    struct batch_request given = {NAMES_NONE, NAMES_NONE};
    size_t n = r->ids.n;
    uint32_t i = 0;
    if (body == NULL) {
        return REGRET_OK;
    }
    TRY(regret_json_get_string(&id, line, "custom_id", at));
    regret_buffer_clear(&r->text);
    append_prompt(&r->text, body);
    TRY(regret_buffer_status(&r->text));
    if (r->text.length == 0) {
        return regret_json_error(at,
                                 "request \"%.80s\" has no text in \"messages\", \"input\" or "
                                 "\"prompt\"",
                                 id);
    }
    TRY(regret_grow((void **)&r->request, &r->capacity, n, sizeof *r->request, "requests"));
    TRY(names_enter(&given.prompt, &r->prompts, regret_buffer_get(&r->text)));
    TRY(names_enter(&given.model, &r->models, model));
    TRY(names_enter(&i, &r->ids, id));
    if (i < n) {
        return check_again(r, i, given, at);
    }
    r->request[i] = given;
    return REGRET_OK;
}

struct lines {
    struct harness *h;
    const char *path;
    jsonl_line *line;
    void *context;
};

/* Whether a member of `path` is one of JSON lines, as its name says; README.md and the like are passed over, and told of. */
static int batch_is_own(int *is_own, struct harness *h, const struct source *source,
                        const char *name, const char *path)
{
    static const char *const ENDS[] = {"*.jsonl", "*.json", "*.ndjson"};
    *is_own =
        strcmp(source_where(source), path) == 0; /* what is given is read, whatever its name */
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        *is_own |= fnmatch(ENDS[i], name, 0) == 0;
    }
    return *is_own ? harness_own(h, source) : REGRET_OK;
}

static int requests_read_member(void *context, struct source *source, const char *name)
{
    const struct lines *lines = context;
    int is_own = 0;
    TRY(batch_is_own(&is_own, lines->h, source, name, lines->path));
    return !is_own ? REGRET_OK : harness_lines(lines->h, source, lines->line, lines->context);
}

int batch_read_lines(struct harness *h, const char *path, jsonl_line *line, void *context)
{
    struct lines lines = {h, path, line, context};
    return harness_each(h, path, NULL, 0, requests_read_member, &lines);
}

/* Reads the requests of a file, a folder or an archive; other lines are passed over. */
static int batch_requests_read(struct batch_requests *out, struct harness *h, const char *path)
{
    out->path = path;
    TRY(path != NULL ? batch_read_lines(h, path, requests_read_line, out) : REGRET_OK);
    return path == NULL || out->ids.n > 0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s: no requests there, lines with \"custom_id\" and \"body\"", path);
}

/* What a response says. */

static double number(const cJSON *object, const char *field, const char *other)
{
    const cJSON *v = json_member(object, field);
    v = v != NULL ? v : json_member(object, other);
    return cJSON_IsNumber(v) && v->valuedouble >= 0.0 ? v->valuedouble : NAN;
}

static int is(const char *text, const char *word)
{
    return text != NULL && strcmp(text, word) == 0;
}

/* The text of a chat's or a completion's first choice, or of a response's output; a refusal in words is an answer, too. */
static void append_output(struct regret_buffer *text, const cJSON *body, const cJSON *choice)
{
    const cJSON *message = json_member(choice, "message");
    const char *refusal = json_string(message, "refusal");
    const char *plain = json_string(choice, "text");
    table_turns_append(text, json_member(message, "content"), TURNS_OF_AGENT);
    table_turns_append(text, json_member(body, "output"), TURNS_OF_AGENT);
    regret_buffer_append(text, plain != NULL ? plain : "");
    regret_buffer_append(text, text->length == 0 && refusal != NULL ? refusal : "");
}

static enum harness_state state_of(const cJSON *body, const cJSON *choice, int has_text)
{
    const char *finish = json_string(choice, "finish_reason");
    const char *reason = json_string(json_member(body, "incomplete_details"), "reason");
    const int is_call = json_has(json_member(choice, "message"), "tool_calls");
    if (is(finish, "content_filter") || is(reason, "content_filter") || (!has_text && !is_call)) {
        return HARNESS_FAILED;
    }
    return is(finish, "length") || is(reason, "max_output_tokens") ? HARNESS_TRUNCATED
                                                                   : HARNESS_ANSWERED;
}

int batch_body_read(struct batch_body *out, struct regret_buffer *text, const cJSON *line,
                    struct regret_place at)
{
    const cJSON *response = json_member(line, "response"), *body = json_member(response, "body");
    const cJSON *choices = json_member(body, "choices"), *usage = json_member(body, "usage");
    const cJSON *choice = cJSON_IsArray(choices) ? choices->child : NULL;
    double status = 200.0;
    regret_buffer_clear(text);
    TRY(regret_json_optional_number(&status, response, "status_code", at));
    int is_error = json_has(line, "error") || !json_has(line, "response") || status >= 400.0;
    if (!is_error) {
        append_output(text, body, choice);
        TRY(regret_buffer_status(text));
    }
    *out = (struct batch_body){
        .model = json_string(body, "model"),
        .output = is_error ? NULL : regret_buffer_get(text),
        .state = is_error ? HARNESS_FAILED : state_of(body, choice, text->length > 0),
        .input = number(usage, "prompt_tokens", "input_tokens"),
        .tokens = number(usage, "completion_tokens", "output_tokens"),
        .more = choice != NULL ? (size_t)cJSON_GetArraySize(choices) - 1 : 0};
    return REGRET_OK;
}

/* What a custom_id is made of. */

static const char *const PARTS[BATCH_PARTS] = {[BATCH_ID] = "{id}",
                                               [BATCH_MODEL] = "{model}",
                                               [BATCH_TASK] = "{task}",
                                               [BATCH_REPEAT] = "{repeat}"};

/* The part that a template goes on with; BATCH_PARTS: text. */
static enum batch_part part_at(const char *template)
{
    enum batch_part k = BATCH_ID;
    while (k < BATCH_PARTS && strncmp(template, PARTS[k], strlen(PARTS[k])) != 0) {
        k++;
    }
    return k;
}

/* Where the text between two parts stands in the rest of an id, that after the last one at its end; NULL: nowhere. */
static const char *find_end(const char *rest, const char *text, size_t n, int is_last)
{
    size_t length = strlen(rest);
    if (is_last) {
        return length >= n && memcmp(rest + length - n, text, n) == 0 ? rest + length - n : NULL;
    }
    for (const char *end = rest; strlen(end) >= n; end++) {
        if (memcmp(end, text, n) == 0) {
            return end;
        }
    }
    return NULL;
}

/* Takes a part and the text behind it, *n bytes; *rest is NULL where they do not fit. */
static void take_part(struct regret_buffer *part, const char **rest, const char *text, size_t *n)
{
    const char *end = NULL;
    *n = strcspn(text, "{");
    end = find_end(*rest, text, *n, text[*n] == '\0');
    if (end == NULL || end == *rest) {
        *rest = NULL;
        return;
    }
    regret_buffer_append_n(part, *rest, (size_t)(end - *rest));
    *rest = end + *n;
}

int batch_id_read(struct batch_id *out, const char *custom_id, const char *template,
                  struct regret_place at)
{
    const char *rest = custom_id;
    size_t n = 0;
    for (size_t k = 0; k < BATCH_PARTS; k++) {
        regret_buffer_clear(&out->part[k]);
    }
    for (const char *p = template; *p != '\0' && rest != NULL;) {
        enum batch_part k = part_at(p);
        if (k == BATCH_PARTS) {
            rest = *rest == *p++ ? rest + 1 : NULL;
        } else {
            p += strlen(PARTS[k]);
            take_part(&out->part[k], &rest, p, &n);
            TRY(regret_buffer_status(&out->part[k]));
            p += n;
        }
    }
    return rest != NULL && *rest == '\0'
               ? REGRET_OK
               : regret_json_error(at, "custom_id \"%.80s\" is not made as --ids \"%.80s\" says",
                                   custom_id, template);
}

const char *batch_id_part(const struct batch_id *id, enum batch_part part)
{
    return id->part[part].length > 0 ? regret_buffer_get(&id->part[part]) : NULL;
}

/* Lines of output files as answers. */

/* Whose answer it is: what the id says, or the file's name, or the body, or, of a line that failed, the line before or the
 * request; NULL: nobody knows. */
static const char *model_of(const struct batch *b, const struct batch_body *body,
                            const char *of_request)
{
    const char *said = batch_id_part(&b->id, BATCH_MODEL);
    if (said == NULL && !b->options->by_file) {
        said = body->model;
    }
    if (said == NULL && b->model.length > 0) {
        said = regret_buffer_get(&b->model);
    }
    return said != NULL ? said : of_request;
}

static int read_repeat(size_t *out, const char *text, struct regret_place at)
{
    *out = 0;
    for (const char *p = text; p != NULL && *p != '\0'; p++) {
        if (*p < '0' || *p > '9' || p - text > 8) {
            return regret_json_error(at, "{repeat} is \"%.40s\"; it must be a whole number", text);
        }
        *out = 10 * *out + (size_t)(*p - '0');
    }
    return REGRET_OK;
}

/* The prompt, NULL where there is no such request; *model NULL: it went to several, or to none that is named. */
static const char *batch_request_find(const char **model, const struct batch_requests *r,
                                      const char *custom_id)
{
    size_t i = names_find(&r->ids, custom_id);
    uint32_t m = i != SIZE_MAX ? r->request[i].model : NAMES_NONE;
    *model = m != NAMES_NONE ? r->models.name[m] : NULL;
    return i != SIZE_MAX ? r->prompts.name[r->request[i].prompt] : NULL;
}

static int add(struct batch *b, const char *custom_id, const struct batch_body *body,
               struct regret_place at)
{
    const char *model = NULL, *prompt = batch_request_find(&model, &b->requests, custom_id);
    struct harness_answer answer = {.task = batch_id_part(&b->id, BATCH_TASK),
                                    .id = batch_id_part(&b->id, BATCH_ID),
                                    .agent = model_of(b, body, model),
                                    .output = body->output,
                                    .state = body->state,
                                    .cost = NAN,
                                    .at = at};
    int wants = 0;
    if (answer.agent == NULL) {
        return harness_left_out(
            b->h,
            body->state == HARNESS_FAILED
                ? "failed lines of which nobody knows the model (--requests)"
                : "answers of which nobody knows the model (--by-file, or {model} in --ids)",
            1);
    }
    if (prompt == NULL && b->requests.path != NULL) {
        return regret_json_error(at, "custom_id \"%.80s\" is not among the requests of %s",
                                 custom_id, b->requests.path);
    }
    answer.prompt = prompt != NULL ? prompt : answer.id;
    answer.content = prompt;
    TRY(harness_wants(&wants, b->h, answer.task, answer.agent));
    if (!wants) {
        return harness_add(b->h, &answer);
    }
    if (body->state != HARNESS_FAILED) {
        TRY(prices_cost(&answer.cost, &b->prices, answer.agent, body->input, body->tokens));
    }
    TRY(read_repeat(&answer.repeat, batch_id_part(&b->id, BATCH_REPEAT), at));
    TRY(batch_scores_find(&answer.scores, &answer.n_scores, &b->scores, custom_id, answer.agent,
                          at));
    TRY(harness_left_out(b->h, "further choices, which have no score of their own", body->more));
    return harness_add(b->h, &answer);
}

static int read_line(void *context, const cJSON *line, struct regret_place at)
{
    struct batch *b = context;
    struct batch_body body;
    const char *custom_id = NULL;
    if (json_member(line, "response") == NULL && json_member(line, "error") == NULL) {
        return json_has(line, "body")
                   ? harness_left_out(b->h, "requests among the outputs (--requests reads them)", 1)
                   : regret_json_error(at,
                                       "has neither \"response\" nor \"error\"; is it a line of a "
                                       "batch output? Scores go with --scores");
    }
    TRY(regret_json_get_string(&custom_id, line, "custom_id", at));
    TRY(batch_id_read(&b->id, custom_id, b->options->ids, at));
    TRY(batch_body_read(&body, &b->text, line, at));
    if (body.model != NULL && !b->options->by_file) {
        regret_buffer_clear(&b->model);
        regret_buffer_append(&b->model, body.model);
        TRY(regret_buffer_status(&b->model));
    }
    return add(b, custom_id, &body, at);
}

/* The model of the file before is not that of this one; its name, without folders and ends, may be. */
static int read_member(void *context, struct source *source, const char *name)
{
    struct batch *b = context;
    const char *stem = path_last(name), *end = strrchr(stem, '.');
    int is_own = 0;
    TRY(batch_is_own(&is_own, b->h, source, name, b->path));
    if (!is_own) {
        return REGRET_OK;
    }
    b->n_files++;
    regret_buffer_clear(&b->model);
    if (b->options->by_file) {
        regret_buffer_append_n(&b->model, stem,
                               end != NULL && end > stem ? (size_t)(end - stem) : strlen(stem));
    }
    TRY(regret_buffer_status(&b->model));
    TRY(harness_file(b->h, source));
    return harness_lines(b->h, source, read_line, b);
}

/* Reads the outputs of a file, a folder or an archive. */
static int batch_outputs_read(struct batch *b, const char *path)
{
    b->path = path;
    TRY(harness_each(b->h, path, NULL, 0, read_member, b));
    return b->n_files > 0
               ? REGRET_OK
               : harness_tell(b->h, regret_fail(REGRET_E_INPUT,
                                                "%s holds no outputs of a batch: a .jsonl with "
                                                "\"custom_id\" and \"response\" on each line",
                                                path));
}

static int read_all(struct batch *b, const char *path)
{
    const struct batch_options *o = b->options;
    TRY(batch_template_check(o->ids));
    TRY(prices_read(&b->prices, o->prices));
    TRY(batch_requests_read(&b->requests, b->h, o->requests));
    TRY(batch_scores_read(&b->scores, b->h, o->scores));
    TRY(batch_outputs_read(b, path));
    TRY(harness_left_out(b->h, "rows of scores that are of no answer",
                         batch_scores_unused(&b->scores)));
    TRY(harness_left_out(b->h, "columns of scores that hold no numbers", b->scores.texts));
    return harness_left_out(b->h, "outputs of the judge without a score", b->scores.silent);
}

static void batch_requests_free(struct batch_requests *r)
{
    names_free(&r->ids);
    names_free(&r->prompts);
    names_free(&r->models);
    regret_free(r->request);
    r->request = NULL;
    r->capacity = 0;
    regret_buffer_free(&r->text);
}

static int run(const struct importer_call *call)
{
    struct batch b = {.options = call->options};
    int rc;
    TRY_CLEANUP(harness_begin(&b.h, &b.options->harness));
    TRY_CLEANUP(read_all(&b, call->from));
    batch_requests_free(&b.requests); /* the harness has the prompts of answers */
    rc = harness_finish(b.h, call, "batch", "Outputs of a batch service", CARD);
cleanup:
    batch_requests_free(&b.requests);
    batch_scores_free(&b.scores);
    prices_free(&b.prices);
    batch_id_free(&b.id);
    regret_buffer_free(&b.text);
    regret_buffer_free(&b.model);
    harness_free(b.h);
    return rc;
}

static const struct batch_options defaults = {.ids = "{id}"};
#define FIELD(name) offsetof(struct batch_options, name)
static const struct importer_option batch_options[] = {
    {"scores", 's', IMPORTER_STRING, FIELD(scores), "FILE",
     "custom_id, model where it is needed, and scores, CSV or JSONL; or a judge's batch output", 0,
     0, NULL, "say where the scores are: --scores FILE (CSV or JSONL with custom_id and a number)"},
    {"requests", 'r', IMPORTER_STRING, FIELD(requests), "FILE",
     "the input file of the batch, for the prompts (a folder or an archive, too)", 0, 0, NULL,
     NULL},
    {"ids", 0, IMPORTER_STRING, FIELD(ids), "TEMPLATE",
     "how custom_id is made, of {id}, {model}, {task} and {repeat} (default: {id})", 0, 0, NULL,
     NULL},
    {"by-file", 0, IMPORTER_FLAG, FIELD(by_file), NULL,
     "the name of an output file is that of its model", 0, 0, NULL, NULL},
    PRICES_OPTION(struct batch_options, prices),
    HARNESS_OPTIONS};

const struct importer importer_batch = {
    .name = "import batch",
    .synopsis = "OUTPUTS --scores FILE -o POOL [options]",
    .summary =
        "outputs of OpenAI's Batch API, vLLM's run_batch and their like, with scores from a file",
    .detail =
        "OUTPUTS is a file, a folder or an archive of JSONL with custom_id and response. Requests "
        "are\n"
        "told apart by custom_id; where that names the model, too, say how: --ids '{id}@{model}'.\n"
        "finish_reason length is an answer cut short, status 400 and above one that failed. The\n"
        "cost is the tokens used, or their price (--prices). docs/guide.md has the rest.",
    .examples =
        "regret import batch outputs/ --requests batch.jsonl --scores scores.csv -o pool\n"
        "regret import batch outputs/ --ids '{task}/{id}@{model}' --scores judge.jsonl -o pool",
    .run = run,
    .can_dry_run = 1,
    IMPORTER_OPTIONS(batch_options, defaults),
};

int batch_template_check(const char *template)
{
    size_t seen[BATCH_PARTS] = {0};
    int after_part = 0, is_good = 1;
    for (const char *p = template; *p != '\0' && is_good;) {
        enum batch_part k = part_at(p);
        is_good = k < BATCH_PARTS ? !after_part && seen[k]++ == 0 : *p != '{';
        after_part = k < BATCH_PARTS;
        p += k < BATCH_PARTS ? strlen(PARTS[k]) : 1;
    }
    return is_good && seen[BATCH_ID] == 1
               ? REGRET_OK
               : regret_fail(
                     REGRET_E_INPUT,
                     "--ids \"%.80s\": it must have {id}, may have {model}, {task} and {repeat}, "
                     "each once, with a text between two of them, such as \"{id}@{model}\"",
                     template);
}

void batch_id_free(struct batch_id *id)
{
    for (size_t k = 0; k < BATCH_PARTS; k++) {
        regret_buffer_free(&id->part[k]);
    }
}
