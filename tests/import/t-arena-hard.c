/* Arena-Hard's and MT-bench's folders, by hand. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import/arenahard/arenahard.h"
#include "import/log_checks.h"
#include "pool/sample.h"

extern const struct importer importer_arenahard;

TestSuite(arena_hard, .fini = sample_cleanup);

#define REPORTS(words) cr_expect_not_null(strstr(log_report(), words), "%s", log_report())

/* Two games: the model's answer stands second, then first. */
#define GAMES(first, second) "\"games\": [{\"score\": " first "}, {\"score\": " second "}]"
#define JUDGED(uid, model, judge, baseline, games)                                                 \
    "{\"uid\": \"" uid "\", \"category\": \"c\", \"judge\": \"" judge "\", \"model\": \"" model    \
    "\", \"baseline\": \"" baseline "\", " games "}\n"
#define ANSWERED(uid, model, text, tokens)                                                         \
    "{\"uid\": \"" uid "\", \"ans_id\": \"x\", \"model\": \"" model                                \
    "\", \"messages\": [{\"role\": \"user\", \"content\": \"?\"}, {\"role\": \"assistant\", "      \
    "\"content\": {\"answer\": \"" text "\"}}], \"metadata\": {\"token_len\": " tokens "}}\n"

/* Version 2.0: two categories with a baseline each, and two models beside them. */
static void put_arena(void)
{
    log_put("b/question.jsonl",
            "{\"uid\": \"q1\", \"category\": \"hard_prompt\", \"prompt\": \"One?\"}\n"
            "{\"uid\": \"q2\", \"category\": \"creative_writing\", \"prompt\": \"Two?\"}\n");
    log_put("b/model_answer/base.jsonl",
            ANSWERED("q1", "base", "b1", "10") ANSWERED("q2", "base", "b2", "20"));
    log_put("b/model_answer/other.jsonl", ANSWERED("q2", "other", "o2", "5"));
    log_put("b/model_answer/m.jsonl", ANSWERED("q1", "m", "m1", "1") ANSWERED("q2", "m", "m2", "3")
                                          ANSWERED("q9", "m", "m9", "3"));
    log_put("b/model_judgment/j/m.jsonl",
            JUDGED("q1", "m", "j", "base", GAMES("\"B>>A\"", "\"A=B\""))
                JUDGED("q2", "m", "j", "other", GAMES("\"A>B\"", "\"B>>A\"")));
    log_put("b/model_judgment/j/base.jsonl",
            JUDGED("q2", "base", "j", "other", GAMES("\"A=B\"", "null")));
}

static struct regret_pool *imported(const char *folder)
{
    return log_pool(&importer_arenahard, NULL, folder);
}

/* The swap is undone, games are averaged, and the baseline of a question has one half there; where one game of two lacks a
 * verdict, there is no score. */
Test(arena_hard, verdicts_become_preferences)
{
    put_arena();
    log_put("b/model_judgment/j/n.jsonl", "");
    struct regret_pool *pool = imported("b");
    cr_assert_eq(pool->n_contexts, 2);
    cr_expect_not_null(strstr(log_report(), "1 files without a row: "));
    cr_expect_not_null(strstr(log_report(), "/b/model_judgment/j/n.jsonl\n"));
    cr_expect_str_eq(pool->contexts[0].text, "One?");
    cr_expect_str_eq(pool->contexts[0].tag, "hard_prompt");
    cr_expect_eq(log_value(pool, "hard_prompt:q1", "m", 0, NULL), 0.75);
    cr_expect_eq(log_value(pool, "hard_prompt:q1", "base", 0, NULL), 0.5);
    cr_expect_eq(log_value(pool, "creative_writing:q2", "m", 0, NULL), 0.125);
    cr_expect_eq(log_value(pool, "creative_writing:q2", "other", 0, NULL), 0.5);
    cr_expect_eq(pool->n_outputs, 4, "base has no score on q2");
    cr_expect_eq(log_agent(pool, "m")->cost, 2.0);
    cr_expect_str_eq(pool->components[0].name, "preference");
    regret_pool_free(pool);
    REPORTS("1 answers to questions that question.jsonl lacks");
    REPORTS("1 judgments without a verdict");
}

/* Half of a pair of games shows a place, not an answer; one game that grades an answer alone is a grade. */
Test(arena_hard, one_game_is_no_preference)
{
    put_arena();
    log_put("b/model_judgment/j/m.jsonl",
            JUDGED("q1", "m", "j", "base", "\"games\": [{\"score\": \"B>>A\"}]")
                JUDGED("q2", "m", "j", "other", GAMES("\"A>B\"", "\"B>>A\"")));
    struct regret_pool *pool = imported("b");
    cr_expect(isnan(log_value(pool, "hard_prompt:q1", "m", 0, NULL)));
    cr_expect_eq(log_value(pool, "creative_writing:q2", "m", 0, NULL), 0.125);
    regret_pool_free(pool);
    REPORTS("1 judgments of one game alone");
    log_put("b/model_judgment/j/base.jsonl", "\n");
    log_put("b/model_judgment/j/m.jsonl",
            JUDGED("q1", "m", "j", "base", "\"games\": [{\"score\": 7}]"));
    pool = imported("b");
    cr_expect_str_eq(pool->components[0].name, "rating");
    cr_expect_eq(log_value(pool, "hard_prompt:q1", "m", 0, NULL), 7.0);
    regret_pool_free(pool);
}

/* A content may be a list of parts, of which the texts count. */
Test(arena_hard, content_in_parts)
{
    const char *text = NULL;
    put_arena();
    log_put("b/model_answer/m.jsonl",
            "{\"uid\": \"q1\", \"model\": \"m\", \"messages\": [{\"role\": \"assistant\", "
            "\"content\": [{\"type\": \"text\", \"text\": \"m1\"}, {\"type\": \"image_url\"}, "
            "{\"type\": \"text\", \"text\": \"more\"}]}]}\n");
    struct regret_pool *pool = imported("b");
    cr_expect_eq(log_value(pool, "hard_prompt:q1", "m", 0, &text), 0.75);
    cr_expect_str_eq(text, "m1\n\nmore");
    regret_pool_free(pool);
    REPORTS("1 judged answers that model_answer lacks");
}

/* Every label, in both places, is as far from 1/2 as its opposite. */
Test(arena_hard, labels_are_symmetric)
{
    static const char *const PAIRS[][2] = {
        {"A>>B", "B>>A"}, {"A>B", "B>A"}, {"A=B", "B=A"}, {"A<<B", "B<<A"}, {"A<B", "B<A"}};
    char line[400];
    put_arena();
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        for (size_t k = 0; k < 2; k++) {
            snprintf(line, sizeof line, JUDGED("q1", "m", "j", "base", GAMES("\"%s\"", "\"%s\"")),
                     PAIRS[i][k], PAIRS[i][k]);
            log_put("b/model_judgment/j/m.jsonl", line);
            struct regret_pool *pool = imported("b");
            cr_expect_eq(log_value(pool, "hard_prompt:q1", "m", 0, NULL), 0.5,
                         "%s twice is the judge's liking of a place", PAIRS[i][k]);
            regret_pool_free(pool);
        }
        snprintf(line, sizeof line, JUDGED("q1", "m", "j", "base", GAMES("\"%s\"", "\"%s\"")),
                 PAIRS[i][0], PAIRS[i][1]);
        log_put("b/model_judgment/j/m.jsonl", line);
        struct regret_pool *pool = imported("b");
        static const double LOSES[] = {0.0, 0.25, 0.5, 1.0, 0.75};
        cr_expect_eq(log_value(pool, "hard_prompt:q1", "m", 0, NULL), LOSES[i], "%s", PAIRS[i][0]);
        regret_pool_free(pool);
    }
}

Test(arena_hard, several_judges_are_refused_until_one_is_named)
{
    put_arena();
    log_put("b/model_judgment/k/m.jsonl",
            JUDGED("q1", "m", "k", "base", GAMES("\"A>>B\"", "\"B>>A\"")));
    log_refused(&importer_arenahard, NULL, "b",
                "m.jsonl:1: judged by \"k\", and others "
                "by \"j\": choose one of the judges with "
                "--judge");
    struct regret_pool *pool =
        log_pool(&importer_arenahard, &(struct arenahard_options){.judge = "k"}, "b");
    cr_expect_eq(log_value(pool, "hard_prompt:q1", "m", 0, NULL), 0.0);
    regret_pool_free(pool);
    REPORTS("3 judgments by judges that were not asked for");
    log_refused(&importer_arenahard, &(struct arenahard_options){.judge = "l"}, "b",
                "no judgments by \"l\"; there are some by: j, k");
}

Test(arena_hard, two_baselines_of_a_category_are_two_versions)
{
    put_arena();
    log_put("b/question.jsonl", "{\"uid\": \"q1\", \"category\": \"c\", \"prompt\": \"One?\"}\n"
                                "{\"uid\": \"q2\", \"category\": \"c\", \"prompt\": \"Two?\"}\n");
    log_refused(&importer_arenahard, NULL, "b", "\"other\"");
    struct regret_pool *pool =
        log_pool(&importer_arenahard,
                 &(struct arenahard_options){.harness.versions = HARNESS_VERSIONS_TAG}, "b");
    cr_expect_eq(log_value(pool, "c:base:q1", "m", 0, NULL), 0.75);
    cr_expect_eq(log_value(pool, "c:other:q2", "m", 0, NULL), 0.125);
    regret_pool_free(pool);
    log_put("b/model_judgment/j/n.jsonl",
            JUDGED("q1", "n", "j", "other", GAMES("\"B>>A\"", "\"A=B\"")));
    log_refused(&importer_arenahard, NULL, "b", "choose one with --baseline");
}

/* 0.1 names ids and models otherwise, and no baseline. */
Test(arena_hard, version_0_1_and_an_answer_that_failed)
{
    log_put("b/question.jsonl",
            "{\"question_id\": \"q1\", \"category\": \"arena-hard-v0.1\", \"cluster\": \"x\", "
            "\"turns\": [{\"content\": \"One?\"}]}\n");
    log_put("b/model_answer/gpt-4-0314.jsonl",
            "{\"question_id\": \"q1\", \"answer_id\": \"x\", \"model_id\": \"gpt-4-0314\", "
            "\"choices\": [{\"index\": 0, \"turns\": [{\"content\": \"b\"}]}]}\n");
    log_put("b/model_answer/m.jsonl",
            "{\"question_id\": \"q1\", \"answer_id\": \"x\", \"model_id\": \"m\", "
            "\"choices\": [{\"index\": 0, \"turns\": [{\"content\": \"a \\ud83d\"}]}]}\n");
    log_put("b/model_answer/n.jsonl",
            "{\"question_id\": \"q1\", \"answer_id\": \"x\", \"model_id\": \"n\", "
            "\"choices\": [{\"index\": 0, \"turns\": [{\"content\": \"$ERROR$\"}]}]}\n");
    log_put("b/model_judgment/j/m.jsonl",
            "{\"question_id\": \"q1\", \"model\": \"m\", \"judge\": \"j\", " GAMES(
                "\"B>A\"", "\"A>B\"") "}\n{\"question_id\": \"q1\", \"model\": \"n\", "
                                      "\"judge\": \"j\", " GAMES("\"A>>B\"", "\"B>>A\"") "}\n");
    struct regret_pool *pool = imported("b");
    cr_expect_eq(pool->n_agents, 2);
    cr_expect_eq(log_value(pool, "arena-hard-v0.1:q1", "m", 0, NULL), 0.75);
    cr_expect_eq(log_value(pool, "arena-hard-v0.1:q1", "gpt-4-0314", 0, NULL), 0.5);
    regret_pool_free(pool);
    REPORTS("1 failed answers left out");
}

/* Turns are graded each; -1 is no grade; pairs of models are votes. */
Test(arena_hard, mt_bench_grades_turns)
{
    static const char QUESTION[] = "{\"question_id\": 81, \"category\": \"writing\", \"turns\": "
                                   "[\"One?\", \"More?\"], \"reference\": [\"r1\", \"r2\"]}\n";
    log_put("b/question.jsonl", QUESTION);
    log_put("b/model_answer/m.jsonl",
            "{\"question_id\": 81, \"answer_id\": \"x\", \"model_id\": \"m\", \"choices\": "
            "[{\"index\": 0, \"turns\": [\"a1\", \"a2\"]}], \"tstamp\": 1.5}\n");
    log_put("b/model_judgment/gpt-4_single.jsonl",
            "{\"question_id\": 81, \"model\": \"m\", \"judge\": [\"gpt-4\", \"single-v1\"], "
            "\"score\": 9, \"turn\": 1}\n"
            "{\"question_id\": 81, \"model\": \"m\", \"judge\": [\"gpt-4\", "
            "\"single-v1-multi-turn\"], \"score\": 6.5, \"turn\": 2}\n"
            "{\"question_id\": 81, \"model\": \"n\", \"judge\": [\"gpt-4\", \"single-v1\"], "
            "\"score\": -1, \"turn\": 1}\n");
    log_put("b/model_judgment/gpt-4_pair.jsonl",
            "{\"question_id\": 81, \"model_1\": \"m\", \"model_2\": \"n\", \"g1_winner\": "
            "\"model_1\", \"g2_winner\": \"tie\", \"judge\": [\"gpt-4\", \"pair-v2\"]}\n");
    struct regret_pool *pool = imported("b");
    cr_expect_str_eq(pool->contexts[0].text, "One?\n\nMore?");
    cr_expect_str_eq(pool->outputs[0].text, "a1\n\na2");
    cr_expect_eq(pool->outputs[0].values[0], 7.75);
    cr_expect_eq(pool->components[0].high, 10.0);
    regret_pool_free(pool);
    REPORTS("1 judgments of two models, which are votes");
    REPORTS("1 judgments without a verdict");
}

Test(arena_hard, what_is_wrong_is_told_with_its_place)
{
    log_put("b/question.jsonl", "{\"uid\": \"q1\", \"prompt\": \"One?\"}\n");
    log_refused(&importer_arenahard, NULL, "b", "no judgments; they belong in");
    log_put("b/model_judgment/j/m.jsonl",
            JUDGED("q2", "m", "j", "base", GAMES("\"A>B\"", "\"A=B\"")));
    log_refused(&importer_arenahard, NULL, "b", "no judgment's id is in question.jsonl");
    log_put("b/model_judgment/j/m.jsonl",
            JUDGED("q1", "m", "j", "base", GAMES("\"A<>B\"", "\"A=B\"")));
    log_refused(&importer_arenahard, NULL, "b",
                "j/m.jsonl:1: the score of a game is \"A<>B\"; it must be A>>B");
    log_put("b/model_judgment/j/m.jsonl", "\n{\"uid\": \"q1\", \"mod");
    log_refused(&importer_arenahard, NULL, "b", "j/m.jsonl:2:");
    log_put("b/model_judgment/j/m.jsonl",
            JUDGED("q1", "m", "j", "base", GAMES("\"A>B\"", "\"A=B\"")));
    log_put("b/model_answer/m.jsonl", "{\"uid\": \"q1\", \"model\": \"m\"}\n");
    log_refused(&importer_arenahard, NULL, "b",
                "m.jsonl:1: has neither \"choices\" nor \"messages\"");
    log_put("b/question.jsonl", "{\"prompt\": \"One?\"}\n");
    log_refused(&importer_arenahard, NULL, "b",
                "question.jsonl:1: has neither \"question_id\" nor \"uid\"");
    log_put("b/question.jsonl", "{\"uid\": \"q1\", \"prompt\": \"One?\"}\n{\"uid\": \"q1\", "
                                "\"prompt\": \"One?\"}\n");
    log_refused(&importer_arenahard, NULL, "b",
                "question.jsonl:2: question \"q1\" "
                "stands there twice");
    log_put("b/other/question.jsonl", "{\"uid\": \"q1\", \"prompt\": \"One?\"}\n");
    log_put("b/question.jsonl", "{\"uid\": \"q1\", \"prompt\": \"One?\"}\n");
    log_refused(&importer_arenahard, NULL, "b", "of another data set than");
}
