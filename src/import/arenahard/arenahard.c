#include "import/arenahard/arenahard.h"

#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "base/archive/each.h"
#include "base/core/try.h"
#include "base/json/json_pick.h"
#include "base/text/path.h"
#include "import/table/table_turns.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

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
static const struct importer_option options[] = {
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
    IMPORTER_OPTIONS(options, defaults),
};
