/* Logs and trials read: each role of a column, slates, and large logs. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scratch.h"
#include "log/log.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"

TestSuite(log_read, .init = scratch_enter, .fini = scratch_leave);

static const char CONFIG[] =
    "{\"obs\": {\"file\": \"log.csv\", \"context\": \"id\", \"text\": \"prompt\", \"agent\": "
    "\"model\","
    " \"outcome\": \"stars\", \"propensity\": \"p\", \"cluster\": \"user\", \"time\": \"at\","
    " \"tag\": \"kind\", \"covariates\": [\"len\", \"lang\"], \"output\": \"answer\","
    " \"cost\": \"usd\"},"
    " \"exp\": {\"file\": \"trial.csv\", \"context\": \"id\", \"text\": \"prompt\","
    " \"agent\": \"model\", \"outcome\": \"stars\", \"cluster\": \"user\", \"tag\": \"kind\","
    " \"covariates\": [\"lang\"]},"
    " \"outcome\": {\"low\": 1, \"high\": 5}, \"incumbent\": \"m10\"}";
static const char LOG[] =
    "id,prompt,model,stars,p,user,at,kind,len,lang,answer,usd\n"
    "q1,\"Write, please\",m10,5,0.5,ann,2026-03-01T12:00:00Z,text,3.5,en,Yes,0.25\n"
    "q2,Add 1 and 1,m2,1,0.25,ben,2026-03-01T13:00:00+01:00,sum,,,,0.5\n"
    "q1,\"Write, please\",m2,3,0.5,ann,1772366402,text,3.5,en,No,1.5\n";
static const char TRIAL[] = "id,prompt,model,stars,user,kind,lang\n"
                            "q9,Sing,m2,4,cat,text,de\n"
                            "q9,Sing,m10,2,cat,text,de\n"
                            "q2,Add 1 and 1,m10,5,ben,sum,\n";

/* 1 where a note has these words. */
static int told_note(const struct regret_log *log, const char *words)
{
    int found = 0;
    for (size_t i = 0; i < log->n_notes; i++) {
        found |= strstr(log->note[i], words) != NULL;
    }
    return found;
}

static struct regret_log *read_log(const char *config)
{
    struct regret_log *log = NULL;
    scratch_put("evaluate.json", config);
    cr_assert_eq(regret_log_read(&log, "evaluate.json"), 0, "%s", regret_error_message());
    return log;
}

Test(log_read, every_role)
{
    scratch_put("log.csv", LOG);
    scratch_put("trial.csv", TRIAL);
    struct regret_log *log = read_log(CONFIG);
    const struct regret_log_rows *obs = &log->rows[REGRET_LOG_OBS],
                                 *exp = &log->rows[REGRET_LOG_EXP];
    cr_assert(log->n_agents == 2 && log->n_contexts == 3 && obs->n == 3 && exp->n == 3);
    cr_assert_str_eq(log->agent[0], "m2", "agents are in natural order");
    cr_assert_str_eq(log->agent[1], "m10");
    cr_assert_eq(log->incumbent, 1);
    cr_assert(log->low == 1.0 && log->high == 5.0);
    cr_assert(obs->outcome[0] == 1.0 && obs->outcome[1] == 0.0 && obs->outcome[2] == 0.5);
    cr_assert(obs->propensity[0] == 0.5 && obs->propensity[1] == 0.25);
    cr_assert(exp->propensity[0] == 0.5 && exp->propensity[2] == 0.5, "uniform over two agents");
    cr_assert_eq(log->is_uniform, 1);
    cr_assert_eq(obs->time[0], 1772366400.0, "12:00 UTC");
    cr_assert_eq(obs->time[1], 1772366400.0, "13:00 an hour east is 12:00");
    cr_assert_eq(obs->time[2], 1772366402.0);
    cr_assert_null(exp->time);
    cr_assert(obs->line[0] == 2 && obs->line[2] == 4);
    cr_assert_eq(obs->context[0], obs->context[2]);
    cr_assert_eq(obs->context[1], exp->context[2], "contexts of one id are one");
    cr_assert_eq(obs->cluster[1], exp->cluster[2], "and so are clusters");
    cr_assert_neq(obs->cluster[0], obs->cluster[1]);
    cr_assert_eq(log->n_clusters, 3);
    cr_assert_str_eq(log->cluster_name, "user");
    cr_assert_str_eq(log->text[obs->context[0]], "Write, please");
    cr_assert_str_eq(log->context[exp->context[0]], "q9");
    cr_assert_str_eq(log->tags[log->tag[obs->context[1]]], "sum");
    cr_assert(log->cost[0] == 1.0 && log->cost[1] == 0.25);
    cr_assert_str_eq(log->row_output[REGRET_LOG_OBS][0], "Yes");
    cr_assert_null(log->row_output[REGRET_LOG_OBS][1]);
    cr_assert_null(log->row_output[REGRET_LOG_EXP]);
    cr_assert_eq(log->n_columns, 2);
    cr_assert_eq(log->column[0].value[obs->context[0]], 3.5);
    cr_assert(isnan(log->column[0].value[obs->context[1]]));
    cr_assert(log->column[1].is_word);
    cr_assert_str_eq(log->column[1].words[log->column[1].word[exp->context[0]]], "de");
    cr_assert_str_eq(log->column[1].words[log->column[1].word[obs->context[1]]], "");
    cr_assert_eq(log->n_evaluation, 2, "of EXP");
    cr_assert(log->n_drawn == 3 && log->drawn[2] == 2 && log->n_kept == 3);
    cr_assert(told_note(log, "1 context is in both OBS and EXP"));
    cr_assert_eq(log->n_losses, 0);
    regret_log_free(log);
}

/* Agents a, b and c on offer in each row of EXP. */
static void expect_offers(const struct regret_log *log, const char *const *offered)
{
    for (size_t i = 0; i < log->rows[REGRET_LOG_EXP].n; i++) {
        for (size_t a = 0; a < log->n_agents; a++) {
            cr_expect_eq(was_on_offer(log, REGRET_LOG_EXP, i, a),
                         strchr(offered[i], log->agent[a][0]) != NULL, "row %zu, %s", i,
                         log->agent[a]);
        }
        cr_expect_eq(was_on_offer(log, REGRET_LOG_EXP, i, UINT32_MAX), 0);
    }
}

Test(log_read, slates_say_who_was_on_offer)
{
    const char *config =
        "{\"exp\": {\"file\": \"e\", \"context\": \"q\", \"agent\": \"m\", \"outcome\": "
        "\"y\", \"slate\": \"s\"}}";
    scratch_put(
        "e",
        "q,m,y,s\nx,a,1,a|b\nz,b,0,\" b ; c; d;e\"\nv,c,1,\"[\"\"c\"\", \"\"a\"\", \"\"b\"\"]\"\n");
    struct regret_log *log = read_log(config);
    const double *p = log->rows[REGRET_LOG_EXP].propensity;
    cr_assert(p[0] == 0.5 && p[1] == 0.25 && fabs(p[2] - 1.0 / 3.0) < 1e-15);
    cr_assert(log->is_by_slate == 1 && log->is_uniform == 0);
    cr_assert(told_note(log, "EXP gives no probabilities: that of a row is one over the agents of "
                             "its slate"));
    cr_assert_eq(log->n_agents, 3, "d and e never answered");
    expect_offers(log, (const char *[]){"ab", "bc", "abc"});
    regret_log_free(log);
    scratch_put("e", "q,m,y,s\nx,a,1,a|b\nz,b,0,a;b;c\nw,b,1,b| a\nv,c,1,\"[\"\"c\"\", \"\"a\"\", "
                     "\"\"b\"\"]\"\n");
    log = read_log(config);
    const uint32_t *slate = log->rows[REGRET_LOG_EXP].slate;
    cr_assert(log->n_slates == 2 && slate[0] == slate[2] && slate[1] == slate[3] &&
              slate[0] != slate[1]);
    regret_log_free(log);
    scratch_put("e", "{\"q\": \"x\", \"m\": \"a\", \"y\": 1, \"s\": {\"a\": 0.3, \"b\": 0.7}}\n"
                     "{\"q\": \"z\", \"m\": \"b\", \"y\": 0, \"s\": {\"b\": 1, \"a\": 0}}\n");
    log = read_log(config);
    p = log->rows[REGRET_LOG_EXP].propensity;
    cr_assert(p[0] == 0.3 && p[1] == 1.0 && log->is_uniform == 0 && log->is_by_slate == 0);
    cr_assert_eq(log->n_slates, 2, "of other probabilities");
    expect_offers(log, (const char *[]){"ab", "b"});
    regret_log_free(log);
    scratch_put("e", "q,m,y,s\nx,a,1,a|b\nz,b,0,b|a\n");
    log = read_log(config);
    cr_assert(log->rows[REGRET_LOG_EXP].offer == NULL && log->rows[REGRET_LOG_EXP].slate != NULL,
              "everybody, always");
    regret_log_free(log);
    scratch_put("e", "q,m,y,s\nx,a,1,a|b\nz,b,0,\nw,a,0,NA\n");
    log = read_log(config);
    cr_assert_eq(log->rows[REGRET_LOG_EXP].n, 3, "a blank is everybody");
    cr_assert(log->rows[REGRET_LOG_EXP].propensity[1] == 0.5 &&
              log->rows[REGRET_LOG_EXP].offer == NULL);
    regret_log_free(log);
}

/* ---------------------------------------------------------------- large logs */

static void put_large(size_t n, size_t contexts)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, "q,prompt,m,y,kind,n\n");
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(&text, "c%zu,say %zu,m%zu,%zu,k%zu,%zu\n", i % contexts, i % contexts,
                             i % 3, i * i % 7 % 2, i % contexts % 4, i % contexts);
    }
    scratch_put("o.csv", regret_buffer_get(&text));
    regret_buffer_free(&text);
}

#define LARGE(more)                                                                                \
    "{\"obs\": {\"file\": \"o.csv\", \"context\": \"q\", \"text\": \"prompt\", \"agent\": \"m\", " \
    "\"outcome\": \"y\", \"tag\": \"kind\", \"covariates\": [\"n\"]}, \"exp\": {\"file\": "        \
    "\"e.csv\", \"context\": \"q\", \"agent\": \"m\", \"outcome\": \"y\"}" more "}"

/* What is true of every log, drawn whole or not. */
static void check_kept(const struct regret_log *log)
{
    const struct regret_log_rows *obs = &log->rows[REGRET_LOG_OBS];
    for (size_t i = 0; i < log->n_drawn; i++) {
        cr_assert(log->drawn[i] < obs->n && (i == 0 || log->drawn[i - 1] < log->drawn[i]));
        cr_assert(obs->context[log->drawn[i]] < log->n_kept);
    }
    for (size_t c = 0; c < log->n_contexts; c++) {
        cr_assert_eq(log->context[c] != NULL, c < log->n_kept);
        cr_assert(c < log->n_kept ||
                  (log->text[c] == NULL && log->column[0].n_known == log->n_kept));
    }
    for (size_t i = 0; i < obs->n; i++) { /* a context is what its line says, whatever its number */
        uint32_t c = obs->context[i];
        size_t number = (size_t)(obs->line[i] - 2) % 1000;
        char id[32];
        snprintf(id, sizeof id, "c%zu", number);
        cr_assert(c >= log->n_kept || strcmp(log->context[c], id) == 0);
        cr_assert(c >= log->n_kept || log->column[0].value[c] == (double)number);
        snprintf(id, sizeof id, "k%zu", number % 4);
        cr_assert_str_eq(log->tags[log->tag[c]], id);
        cr_assert_eq(obs->cluster[i], c);
    }
}

Test(log_read, of_a_large_log_the_drawn_rows_have_texts)
{
    put_large(3000, 1000);
    scratch_put("e.csv", "q,m,y\nc7,m0,1\nnew,m1,0\n");
    struct regret_log *whole = read_log(LARGE("")), *some = read_log(LARGE(", \"obs.rows\": 50")),
                      *again = read_log(LARGE(", \"obs.rows\": 50")),
                      *more = read_log(LARGE(", \"obs.rows\": 200")),
                      *other = read_log(LARGE(", \"obs.rows\": 50, \"seed\": 2"));
    cr_assert(whole->n_drawn == 3000 && whole->n_kept == 1001);
    cr_assert(some->n_drawn == 50 && some->rows[REGRET_LOG_OBS].n == 3000);
    cr_assert(some->n_contexts == 1001 && some->n_kept <= 52);
    check_kept(whole);
    check_kept(some);
    check_kept(more);
    cr_assert_arr_eq(some->drawn, again->drawn, 50 * sizeof *some->drawn);
    cr_assert_arr_neq(some->drawn, other->drawn, 50 * sizeof *some->drawn);
    for (size_t i = 0, j = 0; i < 50; i++, j++) { /* a larger draw holds a smaller one */
        while (j < 200 && more->drawn[j] < some->drawn[i]) {
            j++;
        }
        cr_assert(j < 200 && more->drawn[j] == some->drawn[i]);
    }
    cr_assert_eq(some->n_evaluation, 2);
    cr_assert_str_eq(some->context[some->evaluation[1]], "new");
    regret_log_free(whole);
    regret_log_free(some);
    regret_log_free(again);
    regret_log_free(more);
    regret_log_free(other);
}

Test(log_read, every_row_is_drawn_as_often)
{
    size_t times[60] = {0};
    put_large(60, 1000);
    scratch_put("e.csv", "q,m,y\nc7,m0,1\nnew,m1,0\n");
    for (int seed = 0; seed < 200; seed++) {
        char more[64];
        struct regret_buffer config = REGRET_BUFFER_INIT;
        snprintf(more, sizeof more, ", \"obs.rows\": 15, \"seed\": %d}", seed);
        regret_buffer_append_n(&config, LARGE(""), strlen(LARGE("")) - 1);
        regret_buffer_append(&config, more);
        struct regret_log *log = read_log(regret_buffer_get(&config));
        for (size_t i = 0; i < 15; i++) {
            times[log->drawn[i]]++;
        }
        regret_log_free(log);
        regret_buffer_free(&config);
    }
    double squares = 0.0;
    for (size_t i = 0; i < 60; i++) {
        squares += ((double)times[i] - 50.0) * ((double)times[i] - 50.0) / (50.0 * 0.75);
    }
    cr_assert_lt(squares, 110.0,
                 "chi-square with 59 degrees of freedom: %g, of which 100 is p = 0.0006", squares);
    cr_assert_gt(squares, 25.0);
}
