#include "import/arenahard.h"

#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "base/archive.h"
#include "base/json_array.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/harness.h"
#include "import/table_rows.h"
#include "regret/buffer.h"
#include "regret/status.h"

static const char QUESTIONS[] = "question.jsonl", ANSWERS[] = "model_answer",
                  JUDGMENTS[] = "model_judgment";

static const char CARD[] =
    "Answers of models to the questions of a benchmark, judged by a model.\n\n"
    "* preference: of a comparison with the baseline's answer; A>>B counts 1, A>B 3/4, A=B 1/2, "
    "B>A "
    "1/4, B>>A 0 for A, and the two games,\n"
    "  in which the answers change places, count as their mean; the baseline itself has 1/2\n"
    "* rating: the judge's grade of the answer alone; several, of turns, count as their mean\n"
    "* an agent's cost is the mean number of tokens of its answers, where the files say it\n";

/* ---------------------------------------------------------------- questions */

/* Turns as one text, NULL of none; owned. */
static int read_turns(char **out, struct arenahard *a, const cJSON *turns)
{
    regret_buffer_clear(&a->text);
    table_turns_append(&a->text, turns, TURNS_OF_USER);
    TRY(regret_buffer_status(&a->text));
    return a->text.length > 0 ? regret_strdup(out, regret_buffer_get(&a->text)) : REGRET_OK;
}

/* Questions and answers by their names. */

/* What names a question, a text or a number; may be in `scratch`. */
static int arenahard_id(const char **out, char scratch[JSON_SCRATCH], const cJSON *line,
                        struct regret_place at)
{
    const char *id = json_text(scratch, json_member(line, "question_id"));
    *out = id != NULL ? id : json_text(scratch, json_member(line, "uid"));
    return *out != NULL ? REGRET_OK
                        : regret_json_error(
                              at, "has neither \"question_id\" nor \"uid\", a text or a number");
}

static int read_question(void *context, const cJSON *line, struct regret_place at)
{
    struct arenahard *a = context;
    struct arenahard_question q = {.baseline = NAMES_NONE};
    char scratch[JSON_SCRATCH];
    const char *id = NULL, *category = NULL;
    const cJSON *prompt = json_member(line, "prompt");
    size_t n = a->questions.n;
    uint32_t i = 0;
    TRY(arenahard_id(&id, scratch, line, at));
    TRY(regret_json_optional_string(&category, line, "category", at));
    TRY(regret_grow((void **)&a->question, &a->question_capacity, n, sizeof q, "questions"));
    TRY(names_enter(&i, &a->questions, id));
    if (i < n) {
        return regret_json_error(at, "question \"%.80s\" stands there twice", id);
    }
    a->question[i] = q;
    TRY(category != NULL ? regret_strdup(&a->question[i].category, category) : REGRET_OK);
    TRY(read_turns(&a->question[i].prompt, a,
                   prompt != NULL ? prompt : json_member(line, "turns")));
    TRY(read_turns(&a->question[i].reference, a, json_member(line, "reference")));
    return a->question[i].prompt != NULL
               ? REGRET_OK
               : regret_json_error(at,
                                   "question \"%.80s\" has neither \"prompt\" nor \"turns\" with "
                                   "a text",
                                   id);
}

/* ---------------------------------------------------------------- files */

/* The lines of a member, where it is of the part that is read at present. */
static int read_member(void *context, struct source *source, const char *name)
{
    struct arenahard *a = context;
    const char *at = source_part(name, a->part);
    if (at == NULL) {
        return REGRET_OK;
    }
    TRY(source_one_folder(&a->folder, source, name, at));
    TRY(harness_file(a->h, source));
    const char *base = path_last(name), *end = strrchr(base, '.');
    regret_free(a->model);
    regret_free(a->first);
    a->model = a->first = NULL;
    TRY(regret_strndup(&a->model, base, end != NULL ? (size_t)(end - base) : strlen(base)));
    return harness_lines(a->h, source, a->line, a);
}

static int read_part(struct arenahard *a, const char *path, const char *part, jsonl_line *line)
{
    static const char *const PATTERNS[] = {"*.jsonl"};
    a->part = part;
    a->line = line;
    return harness_each(a->h, path, PATTERNS, 1, read_member, a);
}

static int refuse_without_judgment(const struct arenahard *a, const char *path)
{
    char list[400] = "";
    for (size_t i = 0; i < a->judges.n; i++) {
        importer_remember(list, sizeof list, a->judges.name[i]);
    }
    if (a->judges.n == 0 && a->has_strangers) {
        return regret_fail(REGRET_E_INPUT,
                           "%s: no judgment's id is in %s; are they of the same benchmark?", path,
                           QUESTIONS);
    }
    return a->judges.n > 0
               ? regret_fail(REGRET_E_INPUT, "%s: no judgments by \"%.80s\"; there are some by: %s",
                             path, a->options->judge, list)
               : regret_fail(REGRET_E_INPUT,
                             "%s: no judgments; they belong in %s/JUDGE/MODEL.jsonl beside %s",
                             path, JUDGMENTS, QUESTIONS);
}

/* Verdicts of a judge. */

/* Whom version 0.1 compares with, whose judgments do not say so. */
static const char OLD_BASELINE[] = "gpt-4-0314";

/* Of a game in which the first answer is A's: how much A is preferred, from 0 to 1. */
static const struct {
    const char *label;
    double value;
} VERDICTS[] = {{"A>>B", 1.0}, {"A>B", 0.75}, {"A=B", 0.5},  {"B=A", 0.5},  {"A<B", 0.25},
                {"B>A", 0.25}, {"A<<B", 0.0}, {"B>>A", 0.0}, {"B<<A", 1.0}, {"B<A", 0.75}};

/* ---------------------------------------------------------------- judge and baseline */

/* Who judged: "judge", a name or [name, prompt]; *mine 1: whose judgments are wanted. */
static int find_judge(int *mine, struct arenahard *a, const cJSON *line, struct regret_place at)
{
    const cJSON *judge = json_member(line, "judge");
    judge = cJSON_IsArray(judge) ? judge->child : judge;
    const char *name = cJSON_IsString(judge) ? judge->valuestring : "(nobody)";
    const char *wanted = a->options->judge;
    uint32_t i = 0;
    TRY(names_enter(&i, &a->judges, name));
    if (wanted != NULL) {
        *mine = strcmp(name, wanted) == 0;
        a->judge = *mine ? i : a->judge;
        return *mine ? REGRET_OK
                     : harness_left_out(a->h, "judgments by judges that were not asked for", 1);
    }
    if (a->judge != NAMES_NONE && a->judge != i) {
        return regret_json_error(at,
                                 "judged by \"%.80s\", and others by \"%.80s\": choose one of the "
                                 "judges with --judge",
                                 name, a->judges.name[a->judge]);
    }
    a->judge = i;
    *mine = 1;
    return REGRET_OK;
}

/* The baseline of a judgment, which is that of its question; *mine 1: the one that is wanted. */
static int find_baseline(int *mine, struct arenahard *a, uint32_t question, const cJSON *line,
                         struct regret_place at)
{
    const char *wanted = a->options->baseline, *name = wanted != NULL ? wanted : OLD_BASELINE;
    uint32_t *kept = &a->question[question].baseline, i = 0;
    TRY(regret_json_optional_string(&name, line, "baseline", at));
    *mine = wanted == NULL || strcmp(name, wanted) == 0;
    if (!*mine) {
        return harness_left_out(a->h, "judgments against baselines that were not asked for", 1);
    }
    TRY(names_enter(&i, &a->baselines, name));
    if (*kept != NAMES_NONE && *kept != i) {
        return regret_json_error(at,
                                 "question \"%.80s\" is judged against \"%.80s\" here, and against "
                                 "\"%.80s\" elsewhere: choose one with --baseline",
                                 a->questions.name[question], name, a->baselines.name[*kept]);
    }
    *kept = i;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- one judgment */

static int verdict_of(double *out, const char *label, struct regret_place at)
{
    for (size_t i = 0; i < sizeof VERDICTS / sizeof *VERDICTS; i++) {
        if (strcmp(label, VERDICTS[i].label) == 0) {
            *out = VERDICTS[i].value;
            return REGRET_OK;
        }
    }
    return regret_json_error(at,
                             "the score of a game is \"%.40s\"; it must be A>>B, A>B, A=B, B>A, "
                             "B>>A, or a number",
                             label);
}

/* The means of the games: of verdicts with the model's answer in its place, second in games 0, 2, …, first in the others; NAN
 * where there is one game alone or one has no verdict, for half of a pair of games shows the judge's liking of places. */
static int read_games(double value[ARENAHARD_METRICS], const cJSON *games, struct regret_place at)
{
    size_t n[ARENAHARD_METRICS] = {0}, all = 0;
    value[ARENAHARD_PREFERENCE] = value[ARENAHARD_RATING] = 0.0;
    for (const cJSON *game = games->child; game != NULL; game = game->next, all++) {
        const cJSON *score = json_member(game, "score");
        double x = 0.0;
        if (cJSON_IsString(score)) {
            TRY(verdict_of(&x, score->valuestring, at));
            value[ARENAHARD_PREFERENCE] += all % 2 == 0 ? 1.0 - x : x;
            n[ARENAHARD_PREFERENCE]++;
        } else if (cJSON_IsNumber(score)) {
            value[ARENAHARD_RATING] += score->valuedouble;
            n[ARENAHARD_RATING]++;
        }
    }
    for (size_t i = 0; i < ARENAHARD_METRICS; i++) {
        value[i] = n[i] > 0 && n[i] == all ? value[i] / (double)all : NAN;
    }
    value[ARENAHARD_PREFERENCE] = all < 2 ? NAN : value[ARENAHARD_PREFERENCE];
    return REGRET_OK;
}

/* MT-bench's grade of a turn, -1 where the judge gave none. */
static double grade_of(const cJSON *line)
{
    const cJSON *score = json_member(line, "score");
    return cJSON_IsNumber(score) && score->valuedouble != -1.0 ? score->valuedouble : NAN;
}

/* The number of the answer of a model to a question; `enter` 0: NAMES_NONE where nobody judged it. */
static int arenahard_answer_of(uint32_t *out, struct arenahard *a, uint32_t question,
                               const char *model, int enter)
{
    size_t n = a->judged.n;
    regret_buffer_clear(&a->key);
    regret_buffer_printf(&a->key, "%u/", (unsigned)question);
    regret_buffer_append(&a->key, model);
    TRY(regret_buffer_status(&a->key));
    size_t i = id_table_find(&a->judged.table, regret_buffer_get(&a->key));
    *out = i != SIZE_MAX ? (uint32_t)i : NAMES_NONE;
    if (i != SIZE_MAX || !enter) {
        return REGRET_OK;
    }
    TRY(regret_grow((void **)&a->judgment, &a->judgment_capacity, n, sizeof *a->judgment,
                    "judgments"));
    TRY(names_enter(out, &a->judged, regret_buffer_get(&a->key)));
    a->judgment[n] = (struct arenahard_judgment){0};
    return REGRET_OK;
}

/* Several judgments of an answer, of its turns or of the same, count as their mean. */
static int keep(struct arenahard *a, uint32_t question, const char *model,
                const double value[ARENAHARD_METRICS], const cJSON *games)
{
    uint32_t i = 0;
    TRY(arenahard_answer_of(&i, a, question, model, 1));
    for (size_t k = 0; k < ARENAHARD_METRICS; k++) {
        a->judgment[i].sum[k] += isnan(value[k]) ? 0.0 : value[k];
        a->judgment[i].n[k] += !isnan(value[k]);
    }
    return isnan(value[ARENAHARD_PREFERENCE]) && isnan(value[ARENAHARD_RATING])
               ? harness_left_out(a->h,
                                  cJSON_GetArraySize(games) == 1
                                      ? "judgments of one game alone, of two in which answers "
                                        "change places"
                                      : "judgments without a verdict",
                                  1)
               : REGRET_OK;
}

/* The number of the question that a line is about; NAMES_NONE: none of the benchmark's. */
static int arenahard_question_of(uint32_t *out, const struct arenahard *a, const cJSON *line,
                                 struct regret_place at)
{
    char scratch[JSON_SCRATCH];
    const char *id = NULL;
    TRY(arenahard_id(&id, scratch, line, at));
    size_t i = names_find(&a->questions, id);
    *out = i != SIZE_MAX ? (uint32_t)i : NAMES_NONE;
    return REGRET_OK;
}

/* Take a line of a file each; `context` is a struct arenahard: jsonl_line. */
static int arenahard_read_judgment(void *context, const cJSON *line, struct regret_place at)
{
    struct arenahard *a = context;
    double value[ARENAHARD_METRICS] = {NAN, grade_of(line)};
    const cJSON *games = json_member(line, "games");
    const char *model = NULL;
    uint32_t question = 0;
    int mine = 0;
    if (json_member(line, "model_1") != NULL) {
        return harness_left_out(a->h, "judgments of two models, which are votes (docs/guide.md)",
                                1);
    }
    TRY(arenahard_question_of(&question, a, line, at));
    if (question == NAMES_NONE) {
        a->has_strangers = 1;
        return harness_left_out(a->h, "judgments on questions that question.jsonl lacks", 1);
    }
    TRY(find_judge(&mine, a, line, at));
    TRY(mine ? regret_json_get_string(&model, line, "model", at) : REGRET_OK);
    if (games != NULL && mine) {
        TRY(regret_json_get_array(&games, line, "games", at));
        TRY(read_games(value, games, at));
        TRY(isnan(value[ARENAHARD_RATING]) ? find_baseline(&mine, a, question, line, at)
                                           : REGRET_OK);
    }
    return mine ? keep(a, question, model, value, games) : REGRET_OK;
}

/* Answers of models, each with what the judge said of it. */

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

static int arenahard_read_answer(void *context, const cJSON *line, struct regret_place at)
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

static int read_all(struct arenahard *a, const char *path)
{
    TRY(harness_metric(a->h, "preference", 0.0, 1.0, 0, 1));
    TRY(harness_metric(a->h, "rating", 1.0, 10.0, 0, 1));
    TRY(read_part(a, path, QUESTIONS, read_question));
    if (a->questions.n == 0) {
        return regret_fail(REGRET_E_INPUT, "%s: no %s there, or an empty one", path, QUESTIONS);
    }
    TRY(read_part(a, path, JUDGMENTS, arenahard_read_judgment));
    TRY(a->judge == NAMES_NONE ? refuse_without_judgment(a, path) : REGRET_OK);
    TRY(read_part(a, path, ANSWERS, arenahard_read_answer));
    size_t unanswered = 0;
    for (size_t i = 0; i < a->judged.n; i++) {
        unanswered += !a->judgment[i].is_answered;
    }
    return harness_left_out(a->h, "judged answers that model_answer lacks", unanswered);
}

static void free_all(struct arenahard *a)
{
    for (size_t i = 0; i < a->questions.n && a->question != NULL; i++) {
        regret_free(a->question[i].category);
        regret_free(a->question[i].prompt);
        regret_free(a->question[i].reference);
    }
    names_free(&a->questions);
    names_free(&a->baselines);
    names_free(&a->judged);
    names_free(&a->judges);
    regret_free(a->question);
    regret_free(a->judgment);
    regret_free(a->folder);
    regret_free(a->model);
    regret_free(a->first);
    regret_buffer_free(&a->text);
    regret_buffer_free(&a->key);
    harness_free(a->h);
}

static int run(const struct importer_call *call)
{
    FREED_BY(free_all)
    struct arenahard a = {.options = call->options,
                          .judge = NAMES_NONE,
                          .text = REGRET_BUFFER_INIT,
                          .key = REGRET_BUFFER_INIT};
    TRY(harness_begin(&a.h, &a.options->harness));
    TRY(read_all(&a, call->from));
    regret_buffer_clear(&a.text);
    regret_buffer_append(&a.text, "Answers judged by ");
    regret_buffer_append_safe(&a.text, a.judges.name[a.judge], 80);
    TRY(regret_buffer_status(&a.text));
    return harness_finish(a.h, call, "arena-hard", regret_buffer_get(&a.text), CARD);
}

static const struct arenahard_options defaults = {.judge = NULL};
static const struct importer_option arenahard_options[] = {
    {"judge", 'j', IMPORTER_STRING, offsetof(struct arenahard_options, judge), "NAME",
     "whose judgments are read; needed where there are several judges", 0, 0, NULL, NULL},
    {"baseline", 'b', IMPORTER_STRING, offsetof(struct arenahard_options, baseline), "MODEL",
     "judgments against this model alone (default: that of the files; of 0.1 gpt-4-0314)", 0, 0,
     NULL, NULL},
    HARNESS_OPTIONS};

const struct importer importer_arenahard = {
    .name = "import arena-hard",
    .synopsis = "FOLDER -o POOL [options]",
    .summary =
        "Arena-Hard-Auto 0.1 and 2.0, MT-bench: question.jsonl, model_answer, model_judgment",
    .detail =
        "A question is a context, its category the tag, a model an agent. Verdicts on the answer\n"
        "beside the baseline's become preference, 0 to 1, grades of it alone rating, 1 to 10.\n"
        "FOLDER may be an archive. docs/guide.md has what is left out, and why.",
    .examples = "regret import arena-hard arena-hard-v2.0 --judge gpt-4.1 --dry-run -o arena\n"
                "regret import arena-hard mt_bench --judge gpt-4 -o mt-bench",
    .run = run,
    .can_dry_run = 1,
    IMPORTER_OPTIONS(arenahard_options, defaults),
};
