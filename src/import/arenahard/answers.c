/* Answers of models, each with what the judge said of it. */
#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/json/json_pick.h"
#include "import/arenahard/arenahard.h"
#include "import/table/table_turns.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

/* What both harnesses write where the service gave no answer. */
static const char NO_ANSWER[] = "$ERROR$";

/* The answer as text: of version 0.1 and MT-bench the turns of the first choice, the one that is judged; of 2.0 the last message,
 * a text or {"answer": …}. */
static void append_answer(struct regret_buffer *text, const cJSON *line)
{
    const cJSON *message = NULL;
    const cJSON *choices = json_member(line, "choices");
    cJSON_ArrayForEach(message, json_member(line, "messages"))
    {
        if (message->next == NULL) {
            const cJSON *content = json_member(message, "content");
            const cJSON *answer = json_member(content, "answer");
            table_turns_append(text, answer != NULL ? answer : content, TURNS_OF_AGENT);
        }
    }
    table_turns_append(text, json_member(choices != NULL ? choices->child : NULL, "turns"),
                       TURNS_OF_AGENT);
}

/* What the harness counts of an answer: its tokens by one tokenizer, for the style of answers. */
static double tokens_of(const cJSON *line)
{
    const cJSON *data = json_member(line, "metadata");
    const cJSON *n =
        json_member(data != NULL ? data : json_member(line, "conv_metadata"), "token_len");
    return cJSON_IsNumber(n) && n->valuedouble >= 0.0 ? n->valuedouble : NAN;
}

/* What the judge said, in the order of the metrics; 1 where he said anything. The baseline is as good as itself. */
static int scores_of(double value[ARENAHARD_METRICS], struct arenahard *a, uint32_t judged,
                     uint32_t question, const char *model)
{
    const uint32_t baseline = a->question[question].baseline;
    for (size_t k = 0; k < ARENAHARD_METRICS; k++) {
        const struct arenahard_judgment *j = judged != NAMES_NONE ? &a->judgment[judged] : NULL;
        value[k] = j != NULL && j->n[k] > 0 ? j->sum[k] / (double)j->n[k] : NAN;
    }
    if (baseline != NAMES_NONE && strcmp(a->baselines.name[baseline], model) == 0) {
        value[ARENAHARD_PREFERENCE] = 0.5;
        return 1;
    }
    return judged != NAMES_NONE;
}

/* NULL of nothing. */
static const char *name_or_none(const struct names *names, uint32_t i)
{
    return i != NAMES_NONE ? names->name[i] : NULL;
}

static int add(struct arenahard *a, uint32_t question, const char *model, const cJSON *line,
               struct regret_place at)
{
    const struct arenahard_question *q = &a->question[question];
    double value[ARENAHARD_METRICS];
    uint32_t judged = 0;
    TRY(arenahard_answer_of(&judged, a, question, model, 0));
    if (!scores_of(value, a, judged, question, model)) {
        return harness_left_out(a->h, "answers that nobody judged", 1);
    }
    if (judged != NAMES_NONE) {
        a->judgment[judged].is_answered = 1;
    }
    const char *output = regret_buffer_get(&a->text);
    const struct harness_score scores[] = {{"preference", value[ARENAHARD_PREFERENCE]},
                                           {"rating", value[ARENAHARD_RATING]}};
    const int is_failed = output[0] == '\0' || strstr(output, NO_ANSWER) != NULL;
    const struct harness_answer answer = {.task = q->category,
                                          .id = a->questions.name[question],
                                          .prompt = q->prompt,
                                          .agent = model,
                                          .output = output,
                                          .reference = q->reference,
                                          .version = name_or_none(&a->baselines, q->baseline),
                                          .state = is_failed ? HARNESS_FAILED : HARNESS_ANSWERED,
                                          .cost = tokens_of(line),
                                          .scores = scores,
                                          .n_scores = sizeof scores / sizeof *scores,
                                          .at = at};
    return harness_add(a->h, &answer);
}

/* Both harnesses call a model by its file of answers; where nobody judged it by that name, and in a file of several models, it is
 * called what its answers say. */
static int name_model(const char **out, struct arenahard *a, uint32_t question, const cJSON *line,
                      struct regret_place at)
{
    double value[ARENAHARD_METRICS];
    uint32_t judged = 0;
    const char *said = NULL;
    *out = a->model;
    TRY(arenahard_answer_of(&judged, a, question, a->model, 0));
    TRY(regret_json_optional_string(&said, line, "model_id", at));
    TRY(said == NULL ? regret_json_optional_string(&said, line, "model", at) : REGRET_OK);
    TRY(said != NULL && a->first == NULL ? regret_strdup(&a->first, said) : REGRET_OK);
    if (said != NULL &&
        (strcmp(said, a->first) != 0 || !scores_of(value, a, judged, question, a->model))) {
        *out = said;
    }
    return REGRET_OK;
}

int arenahard_read_answer(void *context, const cJSON *line, struct regret_place at)
{
    struct arenahard *a = context;
    const char *model = NULL;
    uint32_t question = 0;
    TRY(arenahard_question_of(&question, a, line, at));
    if (question == NAMES_NONE) {
        return harness_left_out(a->h, "answers to questions that question.jsonl lacks", 1);
    }
    if (json_member(line, "choices") == NULL && json_member(line, "messages") == NULL) {
        return regret_json_error(at, "has neither \"choices\" nor \"messages\"; is it an answer?");
    }
    TRY(name_model(&model, a, question, line, at));
    regret_buffer_clear(&a->text);
    append_answer(&a->text, line);
    TRY(regret_buffer_status(&a->text));
    return add(a, question, model, line, at);
}
