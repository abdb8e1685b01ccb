/* Kinds of tables that people have, a row of `kinds` each: what is asked of them, or what is made of them. All synthetic. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "import/guess_checks.h"
#include "pool/sample.h"
#include "regret/buffer.h"

TestSuite(kinds, .fini = sample_cleanup);

enum { CONTEXTS = 30, AGENTS = 3, CELL = 80 };

/* Of context i and agent a, whose quality goes from 15 to 97 of 100 and is highest of agent 1. */
static int quality(int i, int a)
{
    return 15 + (i * 37 + a * 11) % 50 + (a == 1 ? 33 : 0);
}

static void by_half(char *out, int i, int a)
{
    snprintf(out, CELL, i % 2 ? "%d" : "0.%02d", quality(i, a));
}

static void by_row(char *out, int i, int a)
{
    snprintf(out, CELL, (i * 7 + a * 5) % 11 < 5 ? "%d" : "0.%02d", quality(i, a));
}

static void share(char *out, int i, int a)
{
    snprintf(out, CELL, "0.%02d", quality(i, a));
}

static void flag(char *out, int i, int a)
{
    snprintf(out, CELL, "%d", quality(i, a) > 50);
}

static void judged(char *out, int i, int a)
{
    snprintf(out, CELL, "human,%d\n%d,m%d,gpt,%d", 1 + quality(i, a) / 20, i, a,
             1 + quality(i, a) / 10);
}

static void words(char *out, int i, int a)
{
    snprintf(out, CELL, quality(i, a) > 50 ? "resolved" : "unresolved");
}

static void ticks(char *out, int i, int a)
{
    snprintf(out, CELL, quality(i, a) > 50 ? "\u2705" : "\u274C");
}

static void dashes(char *out, int i, int a)
{
    snprintf(out, CELL, i == 3 ? "-" : "0.%02d", quality(i, a));
}

static void money(char *out, int i, int a)
{
    snprintf(out, CELL, "0.%02d,$0.%04d,%d.5s", quality(i, a), quality(a, i), a + i % 7);
}

static void commas(char *out, int i, int a)
{
    snprintf(out, CELL, "0.%02d,\"$1,2%02d.50\"", quality(i, a), quality(a, i));
}

static void costs(char *out, int i, int a)
{
    snprintf(out, CELL, "0.%02d,%d,%d,%d", quality(i, a), i, a, i + a);
}

static void two_judges(char *out, int i, int a)
{
    snprintf(out, CELL, "%d,%d", 1 + (i + a) % 5, (i * 3 + a * 5) % 11);
}

static const struct {
    const char *header;
    void (*cell)(char *out, int i, int a);
    int is_refused;
    const char *words;
} kinds[] = {
    {"id,model,score", by_half, 1, "holds shares of 1 and numbers up to 96"},
    {"id,model,score", by_row, 1, "holds shares of 1 and numbers up to 96"},
    {"id,model,judge,score", judged, 1, "goes up to 5 of one \"judge\", and up to 10 of another"},
    {"id,model,not_correct", flag, 1, "does not tell by its name"},
    {"id,model,refusal", share, 1, "init --range WORST:BEST says it"},
    {"id,model,refusal_accuracy", share, 1, "\"good\" or \"bad\" in the name"},
    {"id,model,refusal_bad", share, 0, "smaller is better by its name"},
    {"id,model,penalty", share, 0, "smaller is better by its name"},
    {"id,model,loss_reduction", share, 0, "loss_reduction, 0 to 1 (found: 0.15 to 0.97)\n"},
    {"x0,m0,0.25", share, 1, "t.csv:1: a column is called \"0.25\""},
    {"id, model ,score", share, 0, "30 contexts, 3 agents, 90 of 90 pairs"},
    {"id,model,outcome", words, 0, "yes, pass and true are 1"},
    {"id,model,done", ticks, 0, "yes, pass and true are 1"},
    {"id,model,score", dashes, 0, "3 rows or more lack a score: --drop-unscored"},
    {"id,model,score,cost,latency", money, 0, "  cost       cost\n"},
    {"id,model,score,cost_usd", commas, 0,
     "cost_usd, a cost that cannot be read; line 2 holds \"$1,215.50\": write a cost as a number"},
    {"id,model,score,input_cost,output_cost,total_cost", costs, 0, "  cost       total_cost\n"},
    {"id,model,judge_alice,judge_bob", two_judges, 0,
     "judge_alice (1 to 5) and judge_bob (0 to 10) are on two scales, and so two scores"},
};

Test(kinds, are_asked_about_or_taken)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct regret_buffer text = REGRET_BUFFER_INIT, said = REGRET_BUFFER_INIT;
        struct regret_table_report report;
        struct table_guess g;
        regret_buffer_printf(&text, "%s\n", kinds[k].header);
        for (int x = 0; x < CONTEXTS * AGENTS; x++) {
            char cell[CELL];
            kinds[k].cell(cell, x / AGENTS, x % AGENTS);
            regret_buffer_printf(&text, "%d,%sm%d%s,%s\n", x / AGENTS, x % 2 ? " " : "", x % AGENTS,
                                 x % 5 ? "" : "  ", cell);
        }
        if (kinds[k].is_refused) {
            guess_refuses("t.csv", regret_buffer_get(&text), kinds[k].words);
        } else {
            sample_write("t.csv", regret_buffer_get(&text));
            cr_assert_eq(table_guess_make(&g, sample_path("t.csv"), &(struct guess_known){0}), 0,
                         "%zu: %s", k, regret_error_message());
            table_guess_explain(&said, &g);
            cr_expect_not_null(strstr(regret_buffer_get(&said), kinds[k].words), "%s is not in\n%s",
                               kinds[k].words, regret_buffer_get(&said));
            cr_expect_null(strstr(regret_buffer_get(&said), "output     latency"));
            if (g.unscored == 0) {
                guess_imports(&report, &g, "t.csv");
                cr_expect_eq(report.outputs, CONTEXTS * AGENTS);
            }
            table_guess_free(&g);
        }
        regret_buffer_free(&text);
        regret_buffer_free(&said);
    }
}

/* 60 votes of three models, three of five of them coded by the first word. */
static void write_votes(struct regret_buffer *text, const char *header, const char *const code[3])
{
    regret_buffer_printf(text, "prompt,topic,%s\n", header);
    for (int x = 0; x < 60; x++) {
        regret_buffer_printf(text, "what is %d,t%d,m%d,m%d,%s\n", x, x % 2, x % 3, (x + 1) % 3,
                             code[x % 5 < 3 ? 0 : x % 5 - 2]);
    }
}

/* Two models a row are votes, or asked about, and never agents of a row each. */
Test(kinds, two_models_a_row_are_votes)
{
    static const struct {
        const char *header, *code[3], *refusal;
        size_t ties;
    } VOTES[] = {
        {"model_a,model_b,a_wins", {"1", "0", "0.5"}, NULL, 12},
        {"model_a,model_b,score_a", {"0", "1", ".5"}, NULL, 12},
        {"model_a,model_b,a_better", {"True", "False", "False"}, NULL, 0},
        {"first,second,preferred", {"first", "second", "tie"}, NULL, 12},
        {"model_a,model_b,label", {"1", "0", "0.5"}, "call it a_wins where it is 1, 0 or 0.5", 0},
        {"model_a,model_b,score", {"1", "0", "0.5"}, "no column says who has won: call it", 0},
        {"model_a,model_b,loser", {"model_a", "model_b", "tie"}, "no column says who has won", 0},
        {"winner,loser,comment", {"x", "y", "z"}, "who has won a vote and who has lost", 0},
    };
    for (size_t k = 0; k < sizeof VOTES / sizeof *VOTES; k++) {
        struct regret_buffer text = REGRET_BUFFER_INIT;
        struct regret_table_report report;
        struct table_guess g;
        write_votes(&text, VOTES[k].header, VOTES[k].code);
        if (VOTES[k].refusal != NULL) {
            guess_refuses("t.csv", regret_buffer_get(&text), VOTES[k].refusal);
        } else {
            sample_write("t.csv", regret_buffer_get(&text));
            cr_assert_eq(table_guess_make(&g, sample_path("t.csv"), &(struct guess_known){0}), 0,
                         "%zu: %s", k, regret_error_message());
            cr_assert(g.votes.is_found && g.agents == 3 && g.contexts == 60, "%zu", k);
            guess_imports(&report, &g, "t.csv");
            cr_expect(report.outputs == 120 && report.ties == VOTES[k].ties, "%zu: %zu", k,
                      report.ties);
            table_guess_free(&g);
        }
        regret_buffer_free(&text);
    }
}

/* 1 says that the first has won, 0 that the second has. */
Test(kinds, shares_of_a_win_are_of_the_first)
{
    struct regret_pool *pool = NULL;
    struct regret_table_report report;
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    sample_write("t.csv", "p,a,b,w\nq,x,y,1\nr,y,z,0\n");
    sample_write("map.json", "{\"name\": \"t\", \"synthetic\": true, \"columns\": {\"context\": "
                             "\"p\", \"text\": \"p\"}, "
                             "\"votes\": {\"model_a\": \"a\", \"model_b\": \"b\", \"winner\": "
                             "[\"w\"]}}");
    options.into = &pool;
    cr_assert_eq(regret_import_table(&report, sample_path("t.csv"), sample_path("map.json"), NULL,
                                     &options, 0),
                 0, "%s", regret_error_message());
    for (size_t i = 0; i < pool->n_outputs; i++) {
        char agent = regret_agent_name(&pool->agents[pool->outputs[i].agent])[0];
        cr_expect_eq(pool->outputs[i].values[0], agent != 'y' ? 1.0 : 0.0);
    }
    regret_pool_free(pool);
    sample_write("t.csv", "p,a,b,w\nq,x,y,2\n");
    cr_assert_eq(regret_import_table(&report, sample_path("t.csv"), sample_path("map.json"), NULL,
                                     &options, 0),
                 REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), "\"w\" is 2; what model_a has of the win"));
}

/* Questions that were never asked are no blanks. */
Test(kinds, only_own_rows_lack_scores)
{
    struct regret_buffer text = REGRET_BUFFER_INIT, map = REGRET_BUFFER_INIT,
                         said = REGRET_BUFFER_INIT;
    struct table_guess g;
    regret_buffer_append(&text, "id,model,score\n");
    for (int x = 0; x < 200; x++) {
        if (x % 5 != 4 || x % 3 == 0) { /* m4 has 14 of 40 */
            regret_buffer_printf(&text, x == 7 || x == 12 ? "%d,m%d,\n" : "%d,m%d,0.%d\n", x / 5,
                                 x % 5, 1 + x * 7 % 9);
        }
    }
    sample_write("t.csv", regret_buffer_get(&text));
    cr_assert_eq(table_guess_make(&g, sample_path("t.csv"), &(struct guess_known){0}), 0);
    table_guess_map(&map, &g, "t");
    sample_write("map.json", regret_buffer_get(&map));
    cr_assert_eq(table_guess_try(&g, sample_path("t.csv"), sample_path("map.json")), 0);
    table_guess_explain(&said, &g);
    cr_expect_not_null(strstr(regret_buffer_get(&said), "the most of m2 (2 of its 40 contexts)"),
                       "%s", regret_buffer_get(&said));
    table_guess_free(&g);
    regret_buffer_free(&text);
    regret_buffer_free(&map);
    regret_buffer_free(&said);
}

/* What most rows call a winner is not enough where the others are called otherwise. */
Test(kinds, votes_are_understood_or_refused)
{
    static const char *const codes[][3] = {
        {"1", "-1", "0"}, {"1", "2", "0"}, {"1", "0", "1"}, {"win", "loss", "tie"}};
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++) {
        struct regret_buffer text = REGRET_BUFFER_INIT;
        struct table_guess g;
        regret_buffer_append(&text, "id,prompt,model_a,model_b,winner\n");
        for (int x = 0; x < 60; x++) {
            regret_buffer_printf(&text, "%d,what is %d,m%d,m%d,%s\n", x, x, x % 3, (x + 1) % 3,
                                 codes[k][x % 5 < 3 ? 0 : x % 5 - 2]);
        }
        if (k < 3) {
            guess_refuses("t.csv", regret_buffer_get(&text), "look like those of votes, but");
        } else {
            sample_write("t.csv", regret_buffer_get(&text));
            cr_assert_eq(table_guess_make(&g, sample_path("t.csv"), &(struct guess_known){0}), 0);
            cr_expect(g.votes.is_found && g.votes.unknown == 0);
            table_guess_free(&g);
        }
        regret_buffer_free(&text);
    }
}

Test(kinds, units_below_the_header_are_named)
{
    static const char *const HEADS[] = {"id,model,score\n,,(0-1)\n",
                                        "id,model,score,ms\n-,-,0-1,ms\n"};
    for (size_t k = 0; k < 2; k++) {
        struct regret_buffer text = REGRET_BUFFER_INIT;
        regret_buffer_append(&text, HEADS[k]);
        for (int x = 0; x < 60; x++) {
            regret_buffer_printf(&text, "%d,m%d,0.%d%s\n", x / 3, x % 3, 1 + x % 7,
                                 k == 0 ? "" : ",12");
        }
        guess_refuses("t.csv", regret_buffer_get(&text), "t.csv:2: this looks like a row of units");
        regret_buffer_free(&text);
    }
}

Test(kinds, cells_that_were_merged_are_named)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, "prompt_id,model,score\n");
    for (int x = 0; x < 60; x++) {
        if (x % 3 == 0) {
            regret_buffer_printf(&text, "q%d", x / 3);
        }
        regret_buffer_printf(&text, ",m%d,0.%d\n", x % 3, 1 + x % 7);
    }
    guess_refuses("t.csv", regret_buffer_get(&text),
                  "t.csv:3: column \"prompt_id\" is empty there; every row needs a context: fill");
    regret_buffer_free(&text);
}

/* 3,000 models on 4 prompts are no 3,000 prompts; of more than a pool has, the column is named. */
Test(kinds, many_agents_are_agents)
{
    for (int n = 3000; n <= 5000; n += 2000) {
        struct regret_buffer text = REGRET_BUFFER_INIT;
        regret_buffer_append(&text, "qid,model,score\n");
        for (int i = 0; i < 4 * n; i++) {
            regret_buffer_printf(&text, "q%d,model-%d,0.%02d\n", i % 4, i / 4, i * 7 % 97);
        }
        if (n > REGRET_POOL_MAX_AGENTS) {
            guess_refuses("t.csv", regret_buffer_get(&text),
                          "t.csv: column \"model\" names 5000 agents, and a pool has 4096 at most");
        } else {
            struct table_guess g;
            sample_write("t.csv", regret_buffer_get(&text));
            cr_assert_eq(table_guess_make(&g, sample_path("t.csv"), &(struct guess_known){0}), 0);
            cr_expect(g.agents == 3000 && g.contexts == 4);
            table_guess_free(&g);
        }
        regret_buffer_free(&text);
    }
}
