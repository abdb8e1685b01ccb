/* `regret recommend --new`: who should answer requests that no agent has answered. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/input.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/internal.h"
#include "model/model.h"
#include "regret/buffer.h"
#include "regret/status.h"

FREED_POINTER(struct regret_model, regret_model_free)

/* Words about a model, for people. */
static int say_model(FILE *to, const struct regret_model *model)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_model_describe(&text, model);
    TRY(regret_buffer_status(&text));
    fputs(regret_buffer_get(&text), to);
    return REGRET_OK;
}

/* A folder of an answer has no model where nothing can be told: that says more than that there is no such file. */
static int check_model(const char *path)
{
    char *result = NULL;
    int rc = REGRET_OK;
    TRY(path_beside(&result, path, "result.json"));
    if (input_is_absent(path) && regret_file_exists(result)) {
        rc =
            regret_fail(REGRET_E_INPUT,
                        "there is no %s: 'regret recommend' makes none where it cannot tell who is "
                        "better, or where requests are too few (its verdict: %s)",
                        path, result);
    }
    regret_free(result);
    return rc;
}

static int write_out(void *context, const char *text, size_t length)
{
    (void)context;
    TRY(cli_write(text, length));
    return fflush(stdout) == 0 && !ferror(stdout)
               ? REGRET_OK
               : regret_fail(REGRET_E_IO, "cannot write the recommendations: %s", strerror(errno));
}

/* What nobody has seen is answered by what holds elsewhere. */
static void say_told(const struct regret_requests_told *told, const struct regret_model *model)
{
    for (size_t j = 0; j < model->map.n_own; j++) {
        if (told->unknown[j] > 0) {
            cli_say("%zu of %zu requests do not tell the column %s, or a word of it that the model "
                    "never "
                    "saw (note unknown-column): they are answered as at its mean",
                    told->unknown[j], told->n, model->map.own[j].name);
        }
        if (told->far[j] > 0) {
            cli_say(
                "%zu of %zu requests have the column %s beyond all that the model has seen (note "
                "far-column): they are answered as at the nearest",
                told->far[j], told->n, model->map.own[j].name);
        }
    }
    if (told->unknown_tag > 0) {
        cli_say("%zu of %zu requests have no tag, or one that the model never saw (note "
                "unknown-tag): they are answered as of any tag",
                told->unknown_tag, told->n);
    }
    if (told->unseen_agent > 0) {
        cli_say("%zu of %zu requests go to an agent that has never answered their tag (note "
                "unseen-agent): score some of its answers there before",
                told->unseen_agent, told->n);
    }
}

static int answer_requests(const struct regret_model *model, const struct new_requests *call)
{
    const struct regret_requests_options options = {
        .path = call->from,
        .is_json = call->input == NULL ? -1 : call->input[0] == 'j',
        .separator = call->input != NULL && call->input[0] == 't' ? '\t' : '\0',
        .text = call->text,
        .id = call->id,
        .tag = call->tag,
        .json_out = call->json,
        .safe_csv = call->safe_csv,
        .threads = call->threads};
    struct regret_requests_told told = {0};
    TRY(regret_requests_answer(&told, model, &options, write_out, NULL));
    cli_say("values are from 0, the worst outcome, to 1, the best, whatever the scale of the data "
            "was");
    say_told(&told, model);
    return REGRET_OK;
}

int new_requests_answer(const struct new_requests *call, struct regret_model *made)
{
    FREED_BY(regret_model_free_at) struct regret_model *read = NULL;
    if (call->model != NULL) {
        TRY(check_model(call->model));
        TRY(regret_model_read(&read, call->model));
    }
    const struct regret_model *model = call->model != NULL ? read : made;
    TRY(call->save != NULL ? regret_model_write(model, call->save) : REGRET_OK);
    if (call->from == NULL) {
        return say_model(call->save != NULL ? stderr : stdout, model);
    }
    TRY(made != NULL ? say_model(stderr, model) : REGRET_OK);
    if (!model->told) {
        cli_say("CANNOT TELL: what the model was made of tells no agent from another, so these may "
                "be as good as any");
    }
    return answer_requests(model, call);
}
