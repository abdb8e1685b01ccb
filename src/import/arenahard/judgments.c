/* Verdicts of a judge. */
#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/json/json_pick.h"
#include "import/arenahard/arenahard.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

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

int arenahard_read_judgment(void *context, const cJSON *line, struct regret_place at)
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
