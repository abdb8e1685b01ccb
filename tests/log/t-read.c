/* Logs and trials read: each role of a column, and the same from every layout. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/scratch.h"
#include "log/told.h"
#include "regret/buffer.h"
#include "regret/log.h"

static char folder[32];

static void enter(void)
{
    snprintf(folder, sizeof folder, "/tmp/logXXXXXX");
    scratch_enter(folder);
}

static void leave(void)
{
    scratch_leave(folder);
}

TestSuite(log_read, .init = enter, .fini = leave);

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
