/* What a response says. */
#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/json/json_pick.h"
#include "import/batch/batch.h"
#include "import/table/table_turns.h"
#include "regret/buffer.h"

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
