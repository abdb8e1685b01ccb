/* Which rule a run is found to support, of rows made from a table of values with a winner planted or none. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"
#include "report/cautions.h"
#include "report/csv_records.h"
#include "report/made_run.h"

enum { MOST_CONTEXTS = 60, AGENTS = 4 };

/* How the rows choose. */
enum chooser { ANY, ORACLE, ALWAYS, BY_TAG, SKILLED };
struct source {
    const char *kind, *name;
    enum chooser how;
    size_t agent;
    double skill; /* of SKILLED: how often the best agent is chosen, else any */
};

static struct regret_results *results;
static struct regret_buffer text = REGRET_BUFFER_INIT;
static struct regret_recommendation answer;
static struct regret_rng rng;
static size_t n_contexts, n_never, n_seeds; /* of the first, the last n_never are never held out */
static double mu[MOST_CONTEXTS][AGENTS];
static size_t winner[2]; /* of each tag */
static const char *agent_names[AGENTS], *tag_names[2];
static size_t second_seeds; /* of a second cell; 0: there is none */
static const char *pool_facts, *families, *grid_facts, *config_facts;

static void setup(void)
{
    static const char *const names[AGENTS] = {"ash", "beech", "cedar", "<elm>|,\\\"x\\\""};
    made_begin();
    rng = regret_rng_at(11, REGRET_RNG_TEST, 0);
    n_contexts = 40;
    n_never = 0;
    n_seeds = 12;
    second_seeds = 0;
    memcpy(agent_names, names, sizeof agent_names);
    tag_names[0] = "chat";
    tag_names[1] = "code";
    pool_facts = "\"contexts\":40,\"agents\":4";
    families = "\"exp-only\",\"cvci\"";
    grid_facts = config_facts = "";
}

static void teardown(void)
{
    regret_buffer_free(&text);
    regret_results_free(results);
    results = NULL;
    made_end();
}

TestSuite(recommend_rules, .init = setup, .fini = teardown);

/* Values about a half, and `gain` more for the winner of a context's tag. */
static void plant(size_t of_even, size_t of_odd, double gain)
{
    winner[0] = of_even;
    winner[1] = of_odd;
    for (size_t x = 0; x < n_contexts; x++) {
        for (size_t a = 0; a < AGENTS; a++) {
            mu[x][a] = 0.3 + 0.2 * regret_rng_uniform(&rng) + (a == winner[x % 2] ? gain : 0.0);
        }
    }
}

static size_t best_of(size_t x)
{
    size_t best = 0;
    for (size_t a = 1; a < AGENTS; a++) {
        best = mu[x][a] > mu[x][best] ? a : best;
    }
    return best;
}

static size_t choose(const struct source *s, size_t x)
{
    return s->how == ORACLE   ? best_of(x)
           : s->how == ALWAYS ? s->agent
           : s->how == BY_TAG ? winner[x % 2]
           : s->how == SKILLED && regret_rng_uniform(&rng) < s->skill
               ? best_of(x)
               : regret_rng_below(&rng, AGENTS);
}

static double mean_of(size_t x)
{
    return (mu[x][0] + mu[x][1] + mu[x][2] + mu[x][3]) / AGENTS;
}

static void put_names(FILE *f, const char *key, size_t n, const char *const *names)
{
    fprintf(f, "\"%s\":[", key);
    for (size_t i = 0; i < n; i++) {
        fprintf(f, "%s\"%s\"", i > 0 ? "," : "", names[i]);
    }
    fprintf(f, "]");
}

#define KEY "{\"reward.map\":\"smooth\",\"beta\":0,\"n_obs\":60,\"n_exp\":40}"

static void write_head(void)
{
    FILE *f = fopen(made_path(folder, "run.json"), "w");
    fprintf(
        f,
        "{\"format\":\"regret-run-1\",\"results_version\":1,\"config\":{\"pool\":\"p\","
        "\"contexts.hard\":0%s},\"pool\":{\"name\":\"tiny\",\"synthetic\":false,%s},\"grids\":[{",
        config_facts, pool_facts);
    put_names(f, "agents", AGENTS, agent_names);
    fprintf(f, ",\"contexts\":[");
    for (size_t x = 0; x < n_contexts; x++) {
        fprintf(f, "%s\"x%zu\"", x > 0 ? "," : "", x);
    }
    fprintf(f, "],\"tags\":[");
    for (size_t x = 0; x < n_contexts; x++) {
        fprintf(f, "%s\"%s\"", x > 0 ? "," : "", tag_names[x % 2]);
    }
    fprintf(
        f,
        "]%s}],\"version\":\"0.1.0\",\"families\":[%s],\"baselines\":[\"oracle\",\"random\","
        "\"best-exp\",\"best-obs\",\"best-by-tag-exp\",\"best-by-tag-obs\"],\"cells\":[{\"cell\":0,"
        "\"key\":{\"reward.map\":\"smooth\",\"beta\":0,\"n_obs\":60,\"n_exp\":40}}%s],\"seeds\":%"
        "zu,"
        "\"shard\":\"1/1\",\"replicates\":%zu}\n",
        grid_facts, families, second_seeds > 0 ? ",{\"cell\":1,\"key\":" KEY "}" : "", n_seeds,
        n_seeds * (second_seeds > 0 ? 2 : 1));
    fclose(f);
}

/* One number for each context that the seed holds out. */
static void put_list(FILE *f, const char *name, const int *held, const double *number)
{
    const char *before = "";
    fprintf(f, ",\"%s\":[", name);
    for (size_t x = 0; x < n_contexts; x++) {
        if (held[x]) {
            fprintf(f, "%s%.6g", before, number[x]);
            before = ",";
        }
    }
    fprintf(f, "]");
}

static void write_row(FILE *f, const struct source *s, size_t cell, size_t seed, const int *held)
{
    double choice[MOST_CONTEXTS], loss[MOST_CONTEXTS], context[MOST_CONTEXTS], best[MOST_CONTEXTS];
    double regret = 0.0, n = 0.0;
    int is_random = strcmp(s->name, "random") == 0;
    for (size_t x = 0; x < n_contexts; x++) {
        size_t a = choose(s, x);
        context[x] = (double)x;
        best[x] = mu[x][best_of(x)];
        choice[x] = (double)a;
        loss[x] = best[x] - (is_random ? mean_of(x) : mu[x][a]);
        regret += held[x] ? loss[x] : 0.0;
        n += held[x];
    }
    fprintf(f,
            "{\"cell\":%zu,\"seed\":%zu,\"key\":" KEY
            ",\"kind\":\"%s\",\"family\":\"%s\",\"regret\":%.17g",
            cell, seed, s->kind, s->name, regret / n);
    put_list(f, "loss", held, loss);
    if (!is_random) {
        put_list(f, "choice", held, choice);
    }
    if (s->how == ORACLE) {
        put_list(f, "context", held, context);
        put_list(f, "best", held, best);
    }
    fprintf(f, "}\n");
}

/* The families' sources first. Every seed holds out about a half. */
static void write_run(const struct source *sources, size_t n)
{
    FILE *f = fopen(made_path(folder, "results-1-of-1.jsonl"), "w");
    write_head();
    for (size_t seed = 0; seed < n_seeds; seed++) {
        int held[MOST_CONTEXTS] = {0};
        for (size_t x = 0; x < n_contexts; x++) {
            held[x] = x + n_never < n_contexts && (x < 2 || regret_rng_below(&rng, 2));
        }
        for (size_t i = 0; i < n; i++) {
            write_row(f, &sources[i], 0, seed, held);
        }
        for (size_t i = 0; i < n && seed < second_seeds; i++) {
            write_row(f, &sources[i], 1, seed, held);
        }
    }
    fclose(f);
    regret_results_free(results);
    results = NULL;
    cr_assert_eq(regret_results_read(&results, folder), 0, "%s", regret_error_message());
}

static const char *ask(enum regret_recommend_format format)
{
    const struct regret_recommend_options options = {.format = format};
    regret_buffer_clear(&text);
    cr_assert_eq(regret_recommend(&text, &answer, results, &options), 0, "%s",
                 regret_error_message());
    return regret_buffer_get(&text);
}

/* A text without its ends of lines and what stands before the next: as it was before it was wrapped. */
static const char *unwrapped(const char *wrapped)
{
    static char flat[1 << 14];
    size_t n = 0;
    for (const char *p = wrapped; *p != '\0' && n + 1 < sizeof flat; p++) {
        int blank = *p == ' ' || *p == '\n';
        if (!blank || (n > 0 && flat[n - 1] != ' ')) {
            flat[n++] = blank ? ' ' : *p;
        }
    }
    flat[n] = '\0';
    return flat;
}

#define N(sources) (sizeof(sources) / sizeof *(sources))
#define BASELINES(single)                                                                          \
    {"baseline", "oracle", ORACLE, 0, 0}, {"baseline", "random", ANY, 0, 0},                       \
        {"baseline", "best-exp", ALWAYS, single, 0}, {"baseline", "best-obs", ALWAYS, 3, 0},       \
        {"baseline", "best-by-tag-exp", BY_TAG, 0, 0},                                             \
    {                                                                                              \
        "baseline", "best-by-tag-obs", ANY, 0, 0                                                   \
    }

Test(recommend_rules, a_planted_winner_of_each_tag)
{
    const struct source sources[] = {
        {"family", "exp-only", ANY, 0, 0}, {"family", "cvci", ALWAYS, 0, 0}, BASELINES(0)};
    plant(0, 1, 0.4);
    write_run(sources, N(sources));
    const char *shown = ask(REGRET_RECOMMEND_TEXT);
    cr_assert_eq(answer.rule, REGRET_ADVICE_BY_TAG, "%s", shown);
    cr_assert_str_eq(answer.subject, "best-by-tag-exp");
    cr_assert_null(answer.agent);
    cr_expect_not_null(strstr(shown, "BY TAG: chat to ash, code to beech (by best-by-tag-exp)."));
    cr_expect_not_null(strstr(shown, "\n  chat          20    ash               100 %"), "%s",
                       shown);
    cr_expect_not_null(strstr(shown, "\n  code          20    beech             100 %"), "%s",
                       shown);
    cJSON *json = cJSON_Parse(ask(REGRET_RECOMMEND_JSON));
    cr_assert_str_eq(cJSON_GetObjectItem(json, "rule")->valuestring, "by-tag");
    const cJSON *tags = cJSON_GetObjectItem(json, "tags");
    cr_assert_eq(cJSON_GetArraySize(tags), 2);
    cr_expect_str_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(tags, 1), "agent")->valuestring,
                     "beech");
    cJSON_Delete(json);
}

/* By tag is better than either single agent, which is why it is asked: and it comes to one agent for both. */
Test(recommend_rules, one_agent_for_every_tag_is_one_agent)
{
    const struct source sources[] = {
        {"family", "exp-only", ANY, 0, 0}, {"family", "cvci", ALWAYS, 1, 0}, BASELINES(1)};
    plant(0, 0, 0.4);
    write_run(sources, N(sources));
    const char *shown = ask(REGRET_RECOMMEND_TEXT);
    cr_assert_eq(answer.rule, REGRET_ADVICE_ONE_AGENT, "%s", shown);
    cr_assert_str_eq(answer.subject, "best-by-tag-exp");
    cr_assert_str_eq(answer.agent, "ash");
    cr_expect_not_null(strstr(unwrapped(shown), "ONE AGENT: send everything to ash, to whom "
                                                "best-by-tag-exp comes for every tag. It is "
                                                "worth 0.8"),
                       "%s", shown);
    cr_expect_null(strstr(shown, "By tag (gain"));
    cr_expect_not_null(strstr(unwrapped(shown), "] better one agent best-obs"), "%s", shown);
    cJSON *json = cJSON_Parse(ask(REGRET_RECOMMEND_JSON));
    cr_expect_str_eq(cJSON_GetObjectItem(json, "rule")->valuestring, "one-agent");
    cr_expect_str_eq(cJSON_GetObjectItem(json, "agent")->valuestring, "ash");
    cJSON_Delete(json);
}

/* Planted is a winner for all; whether votes have an order for him is another matter. */
Test(recommend_rules, agents_that_no_chain_of_votes_joins_are_not_ranked)
{
    static const struct {
        const char *won, *says; /* NULL: the answer stands */
    } cases[] = {
        {",\"won\":[[0,1],[1,0],[2,3],[3,2]]", "to ash, beech or back."}, /* two parts */
        {",\"won\":[[2,3],[0,1],[1,0],[0,3]]", "to ash, beech or back."}, /* all votes won, of 3 */
        {",\"won\":[[2,0],[0,1],[1,0],[0,3]]", NULL},                     /* from the best of all */
        {",\"won\":[[2,0],[2,1],[1,0],[0,1],[3,0]]", "leads from there to <elm>"},
    };
    const struct source sources[] = {
        {"family", "exp-only", ALWAYS, 2, 0}, {"family", "cvci", BY_TAG, 0, 0}, BASELINES(2)};
    for (size_t i = 0; i < N(cases); i++) {
        grid_facts = cases[i].won;
        plant(2, 2, 0.3);
        write_run(sources, N(sources));
        const char *shown = unwrapped(ask(REGRET_RECOMMEND_TEXT));
        cr_expect_eq(answer.rule,
                     cases[i].says != NULL ? REGRET_ADVICE_NONE : REGRET_ADVICE_ONE_AGENT, "%s",
                     shown);
        cr_expect_eq(strstr(shown, "CANNOT TELL: cedar is chosen by best-exp, and no chain") !=
                         NULL,
                     cases[i].says != NULL, "%s", shown);
        cr_expect(cases[i].says == NULL || (strstr(shown, cases[i].says) != NULL &&
                                            strstr(shown, "--agent PATTERN") != NULL),
                  "%s", shown);
        cr_expect_eq(strstr(ask(REGRET_RECOMMEND_JSON), "\"kind\":\"apart\"") != NULL,
                     cases[i].says != NULL);
    }
}

/* A context's size says who is best for it, its land and mood nothing. */
Test(recommend_rules, own_columns_that_decide_are_named)
{
    const struct source sources[] = {
        {"family", "exp-only", ANY, 0, 0}, {"family", "cvci", SKILLED, 0, 0.98}, BASELINES(0)};
    static char facts[MOST_CONTEXTS * 40];
    plant(0, 0, 0.02);
    size_t n =
        (size_t)snprintf(facts, sizeof facts, ",\"columns\":[{\"name\":\"mood\",\"values\":");
    for (int j = 0; j < 3; j++) {
        static const char *const next[] = {
            "]},{\"name\":\"size\",\"values\":", "]},{\"name\":\"land\",\"values\":", "]}]"};
        for (size_t x = 0; x < n_contexts; x++) {
            double mood = regret_rng_uniform(&rng);
            char number[16];
            snprintf(number, sizeof number, "%.4f",
                     j == 0 ? mood : (double)best_of(x) + 0.5 * mood);
            n += (size_t)snprintf(facts + n, sizeof facts - n, "%c%s", x > 0 ? ',' : '[',
                                  j == 2   ? (mood < 0.5 ? "\"here\"" : "\"there\"")
                                  : x == 3 ? "null"
                                           : number);
        }
        n += (size_t)snprintf(facts + n, sizeof facts - n, "%s", next[j]);
    }
    grid_facts = facts;
    write_run(sources, N(sources));
    const char *shown = unwrapped(ask(REGRET_RECOMMEND_TEXT));
    cr_assert_eq(answer.rule, REGRET_ADVICE_BY_REQUEST, "%s", shown);
    const char *says = strstr(shown, "Own columns of requests that decide which agent is chosen");
    cr_assert(says != NULL && strstr(says, "size at least ") != NULL, "%s", shown);
    cr_expect(strstr(says, "mood") == NULL && strstr(says, "land") == NULL, "%s", says);
    cr_expect_not_null(strstr(ask(REGRET_RECOMMEND_JSON), "\"columns\":[\n{\"column\":\"size\""));
    grid_facts = "";
    write_run(sources, N(sources));
    cr_expect_null(strstr(ask(REGRET_RECOMMEND_TEXT), "Own columns"));
}

static double number_of(const cJSON *rule, const char *over)
{
    return cJSON_GetObjectItem(cJSON_GetObjectItem(rule, over), "gain")->valuedouble;
}

static int is_told(const cJSON *rule, const char *over)
{
    return cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetObjectItem(rule, over), "told"));
}

/* What more seeds of the same contexts tell is known; what they tell by contexts that no seed held out yet is not. */
Test(recommend_rules, more_seeds_hold_out_more_of_the_contexts)
{
    const struct source sources[] = {
        {"family", "exp-only", ANY, 0, 0}, {"family", "cvci", SKILLED, 0, 1.0}, BASELINES(2)};
    for (n_never = 0; n_never <= 10; n_never += 10) {
        plant(2, 2, 0.1);
        write_run(sources, N(sources));
        const char *shown = unwrapped(ask(REGRET_RECOMMEND_TEXT));
        cr_assert_eq(answer.rule, REGRET_ADVICE_ONE_AGENT, "%s", shown);
        cr_expect_eq(strstr(shown, "more seeds of these contexts alone would not.") != NULL,
                     n_never == 0, "%s", shown);
        cr_expect_eq(strstr(shown, "more seeds hold out more of the contexts (here 30 of 40): try "
                                   "the default of 30 first.") != NULL,
                     n_never > 0, "%s", shown);
    }
}

/* One agent is worth what chance is, whatever the seeds; by tag is nearly told, and it is what the forecast is of. */
Test(recommend_rules, the_forecast_is_of_the_rule_that_needs_least)
{
    const struct source sources[] = {
        {"family", "exp-only", ANY, 0, 0}, {"family", "cvci", ANY, 0, 0}, BASELINES(2)};
    plant(0, 1, 0.045);
    write_run(sources, N(sources));
    const char *shown = unwrapped(ask(REGRET_RECOMMEND_TEXT));
    cr_assert_eq(answer.rule, REGRET_ADVICE_NONE, "%s", shown);
    const char *said = strstr(shown, "A run of this size tells a gain over ");
    cr_assert_not_null(said, "%s", shown);
    cr_expect_not_null(strstr(said, ", by tag, the rule that needs least. Were that the true gain, "
                                    "it would take about "),
                       "%s", shown);
    cJSON *json = cJSON_Parse(ask(REGRET_RECOMMEND_JSON));
    const cJSON *rules = cJSON_GetObjectItem(json, "rules");
    double seen = strtod(strstr(said, "seen is ") + strlen("seen is "), NULL);
    cr_expect_float_eq(seen, number_of(cJSON_GetArrayItem(rules, 1), "over_random"), 1e-4);
    cr_expect_lt(number_of(cJSON_GetArrayItem(rules, 0), "over_random"), seen);
    cJSON_Delete(json);
}

/* One agent is not told from chance, and by tag, which is, not from one agent: that no rule beats chance would be false. */
Test(recommend_rules, a_rule_that_alone_beats_chance_is_the_answer)
{
    const struct source sources[] = {
        {"family", "exp-only", ANY, 0, 0}, {"family", "cvci", ANY, 0, 0}, BASELINES(2)};
    plant(0, 1, 0.061);
    write_run(sources, N(sources));
    const char *shown = ask(REGRET_RECOMMEND_TEXT);
    cr_assert_eq(answer.rule, REGRET_ADVICE_BY_TAG, "%s", shown);
    cr_expect_null(strstr(shown, "CANNOT TELL"));
    cJSON *json = cJSON_Parse(ask(REGRET_RECOMMEND_JSON));
    const cJSON *rules = cJSON_GetObjectItem(json, "rules"), *by_tag = cJSON_GetArrayItem(rules, 1);
    cr_expect(!is_told(cJSON_GetArrayItem(rules, 0), "over_random"));
    cr_expect(!is_told(by_tag, "over_single") && is_told(by_tag, "over_random"));
    cJSON_Delete(json);
}

/* By Student's t of one degree of freedom that gain is beyond the scale: no number is said, and no forecast. */
Test(recommend_rules, two_seeds_tell_nothing)
{
    const struct source sources[] = {
        {"family", "exp-only", ANY, 0, 0}, {"family", "cvci", ANY, 0, 0}, BASELINES(2)};
    n_seeds = 2;
    plant(0, 1, 0.02);
    write_run(sources, N(sources));
    const char *shown = unwrapped(ask(REGRET_RECOMMEND_TEXT));
    cr_assert_eq(answer.rule, REGRET_ADVICE_NONE, "%s", shown);
    cr_expect_not_null(strstr(shown, "are so few that no gain, however large, would be told from "
                                     "none: take at least 50 contexts and 10 seeds. Rules"),
                       "%s", shown);
    cr_expect_null(strstr(shown, "A run of this size"), "%s", shown);
}

/* A run of two seeds of which one cell has only the first yet. */
Test(recommend_rules, every_cell_wants_two_seeds)
{
    const struct source sources[] = {
        {"family", "exp-only", ANY, 0, 0}, {"family", "cvci", ANY, 0, 0}, BASELINES(2)};
    n_seeds = 2;
    second_seeds = 1;
    plant(0, 1, 0.4);
    write_run(sources, N(sources));
    const char *shown = unwrapped(ask(REGRET_RECOMMEND_TEXT));
    cr_assert_eq(answer.rule, REGRET_ADVICE_NONE, "%s", shown);
    cr_expect_not_null(strstr(shown, "that wants two seeds and ten held-out contexts in every "
                                     "cell."),
                       "%s", shown);
}

/* No family's choices without outputs are in the rows: what is said of them is of the other rules. */
Test(recommend_rules, without_outputs_by_request_was_not_tried)
{
    const struct source sources[] = {
        {"family", "exp-only", ANY, 0, 0}, {"family", "cvci", SKILLED, 0, 1.0}, BASELINES(2)};
    config_facts = ",\"features.output\":1";
    plant(2, 2, 0.06);
    write_run(sources, N(sources));
    const char *shown = unwrapped(ask(REGRET_RECOMMEND_TEXT));
    cr_assert_eq(answer.rule, REGRET_ADVICE_BY_REQUEST, "%s", shown);
    cr_expect_not_null(strstr(shown, "Without outputs, of one agent and rules by tag: ONE AGENT: "
                                     "send everything to cedar; by request without them was not "
                                     "tried (import the table without its outputs); recommend"),
                       "%s", shown);
    cr_expect_not_null(strstr(ask(REGRET_RECOMMEND_JSON), "\"without_outputs\":\"one-agent\""));
}

Test(recommend_rules, nothing_planted_is_not_told)
{
    const struct source sources[] = {
        {"family", "exp-only", ANY, 0, 0},          {"family", "cvci", ANY, 0, 0},
        {"baseline", "oracle", ORACLE, 0, 0},       {"baseline", "random", ANY, 0, 0},
        {"baseline", "best-exp", ANY, 1, 0},        {"baseline", "best-obs", ANY, 3, 0},
        {"baseline", "best-by-tag-exp", ANY, 0, 0}, {"baseline", "best-by-tag-obs", ANY, 0, 0}};
    size_t told = 0;
    enum { TABLES = 20 };
    for (size_t i = 0; i < TABLES; i++) {
        plant(0, 0, 0.0);
        write_run(sources, N(sources));
        const char *shown = ask(REGRET_RECOMMEND_TEXT);
        told += answer.rule != REGRET_ADVICE_NONE;
        cr_expect(answer.rule != REGRET_ADVICE_NONE ||
                      (answer.subject == NULL && answer.agent == NULL &&
                       strstr(shown, "CANNOT TELL: no rule") != NULL &&
                       strstr(shown, "A run of this size tells a gain over ") != NULL),
                  "%s", shown);
    }
    cr_assert_leq(told, 1, "%zu of %d", told, (int)TABLES);
}

/* `run`, the report and recommend say the same of the same run. */
Test(recommend_rules, cautions_are_the_same_wherever_they_are_said)
{
    static const enum caution all[] = {CAUTION_GRID, CAUTION_CONTEXTS};
    const struct source sources[] = {
        {"family", "exp-only", ANY, 0, 0}, {"family", "cvci", ALWAYS, 0, 0}, BASELINES(0)};
    struct regret_buffer caution = REGRET_BUFFER_INIT, shown = REGRET_BUFFER_INIT;
    n_contexts = 6;
    pool_facts = "\"contexts\":6,\"agents\":4,\"dropped_contexts\":94,\"dropped_agents\":0";
    plant(0, 1, 0.4);
    write_run(sources, N(sources));
    cr_assert_eq(regret_report_write(folder, NULL, NULL), 0, "%s", regret_error_message());
    char *report = NULL;
    size_t length = 0;
    cr_assert_eq(regret_file_read(&report, &length, made_path(folder, "report/report.md"), 1 << 20),
                 0);
    cr_assert_eq(regret_report_ending(&shown, results, "r", 80), 0);
    cr_expect_not_null(strstr(unwrapped(regret_buffer_get(&shown)),
                              "Bear in mind: holes in the table; few contexts held out"),
                       "%s", regret_buffer_get(&shown));
    for (size_t i = 0; i < N(all); i++) {
        regret_buffer_clear(&caution);
        caution_say(&caution, all[i], results);
        cr_assert_gt(caution.length, 20);
        const char *said = regret_buffer_get(&caution);
        cr_expect_not_null(strstr(unwrapped(ask(REGRET_RECOMMEND_TEXT)), said), "%s", said);
        cr_expect_not_null(strstr(report, all[i] == CAUTION_GRID ? "The grid holds 6 %"
                                                                 : "No more than 6 contexts"));
    }
    regret_free(report);
    regret_buffer_free(&caution);
    regret_buffer_free(&shown);
}

/* Older rows: a family can still be told from chance, but not from an agent that nobody names. */
Test(recommend_rules, rows_without_single_agents)
{
    const struct source sources[] = {{"family", "exp-only", ANY, 0, 0},
                                     {"family", "cvci", SKILLED, 0, 0.9},
                                     {"baseline", "oracle", ORACLE, 0, 0},
                                     {"baseline", "random", ANY, 0, 0}};
    plant(0, 1, 0.1);
    write_run(sources, N(sources));
    const char *shown = ask(REGRET_RECOMMEND_TEXT);
    cr_assert_eq(answer.rule, REGRET_ADVICE_BY_REQUEST, "%s", shown);
    cr_assert_str_eq(answer.subject, "cvci");
    cr_expect_null(strstr(shown, "\n  one agent "), "%s", shown);
    cr_expect_null(strstr(shown, "nan"), "%s", shown);
    cJSON *json = cJSON_Parse(ask(REGRET_RECOMMEND_JSON));
    cr_assert_eq(cJSON_GetArraySize(cJSON_GetObjectItem(json, "rules")), 1);
    cJSON_Delete(json);
}

static void expect_narrow(const char *shown)
{
    size_t lines = 0;
    for (const char *p = shown; *p != '\0'; lines++) {
        size_t n = strcspn(p, "\n");
        char line[2048];
        cr_assert_lt(n, sizeof line);
        memcpy(line, p, n);
        line[n] = '\0';
        cr_expect_leq(regret_text_columns(line), 80, "%s", line);
        cr_expect(n == 0 || line[n - 1] != ' ', "blanks at the end of \"%s\"", line);
        p += n + (p[n] == '\n');
    }
    cr_expect_leq(lines, 45, "%zu lines:\n%s", lines, shown);
    cr_expect_null(strchr(shown, '\033'));
}

/* Names are other people's: they neither steer the terminal nor leave the lines. */
Test(recommend_rules, text_is_narrow_and_harmless_whatever_the_names)
{
    static const char longest[] =
        "\\u001b[31m a name that is very much longer than any column of the "
        "text, with \\u202e and 中文中文中文中文中文中文中文中文";
    const struct source sources[] = {
        {"family", "exp-only", ANY, 0, 0}, {"family", "cvci", ALWAYS, 0, 0}, BASELINES(0)};
    const struct regret_recommend_options lists[] = {
        {.tag = "code"}, {.context = "x1"}, {.agent = "ash"}};
    agent_names[1] = longest;
    tag_names[0] = longest;
    plant(0, 1, 0.4);
    write_run(sources, N(sources));
    expect_narrow(ask(REGRET_RECOMMEND_TEXT));
    for (size_t i = 0; i < N(lists); i++) {
        regret_buffer_clear(&text);
        cr_assert_eq(regret_recommend(&text, &answer, results, &lists[i]), 0);
        expect_narrow(regret_buffer_get(&text));
    }
    cr_expect_null(strstr(ask(REGRET_RECOMMEND_MARKDOWN), "<elm>"));
}

/* A tag with ends of lines or outer blanks may be typed as it is shown; of two with the same words that one is meant which is
 * typed. */
Test(recommend_rules, tags_are_typed_as_they_are_shown)
{
    const struct source sources[] = {
        {"family", "exp-only", ANY, 0, 0}, {"family", "cvci", ALWAYS, 0, 0}, BASELINES(0)};
    struct regret_recommend_options o = {.format = REGRET_RECOMMEND_CSV};
    plant(0, 1, 0.4);
    for (int both = 0; both < 2; both++) {
        tag_names[0] = " small\\n  talk ";
        tag_names[1] = both ? "small talk" : "code";
        write_run(sources, N(sources));
        o.tag = "small talk";
        regret_buffer_clear(&text);
        cr_assert_eq(regret_recommend(&text, NULL, results, &o), 0, "%s", regret_error_message());
        struct csv_records c = csv_parse(regret_buffer_get(&text));
        cr_expect_eq(c.n, 1 + 7 * 20);
        cr_expect_str_eq(c.fields[1][1], both ? "small talk" : " small\n  talk ");
        csv_free(&c);
    }
}
