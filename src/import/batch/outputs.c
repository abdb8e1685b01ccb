/* Lines of output files as answers. */
#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "base/archive/each.h"
#include "base/archive/source.h"
#include "base/core/try.h"
#include "base/json/json_pick.h"
#include "base/text/path.h"
#include "import/batch/batch.h"
#include "regret/buffer.h"

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

int batch_outputs_read(struct batch *b, const char *path)
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
