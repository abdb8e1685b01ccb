/* What an evaluation tells: a screen, result.json, tables, a model. */
#include <cJSON.h>
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/scratch.h"
#include "evaluate/internal.h"
#include "evaluate/planted.h"
#include "model/model.h"
#include "regret/buffer.h"
#include "regret/estimate.h"
#include "regret/status.h"

static struct planted shape(void)
{
    struct planted p = {.n_obs = 400,
                        .n_exp = 300,
                        .agents = 3,
                        .tags = 2,
                        .hidden = 0.4,
                        .confounding = 0.8,
                        .favourite = 1,
                        .effect = {0.0, -0.1, 0.15},
                        .seed = 5};
    return p;
}

static const struct regret_family *quick[1];

struct answered {
    struct regret_log *log;
    struct regret_evaluate_options options;
    struct regret_evaluation *e;
};

static struct answered answer(const struct planted *p)
{
    struct answered a = {.log = planted_log(p)};
    regret_evaluate_options_default(&a.options);
    quick[0] = regret_family_find("mixed");
    a.options.family = quick;
    a.options.n_families = 1;
    a.options.resamples = 200;
    regret_free(a.log->agent[0]);
    cr_assert_eq(regret_strdup(&a.log->agent[0], "=cmd(\"x\")"), REGRET_OK);
    a.log->low = 1.0;
    a.log->high = 5.0;
    cr_assert_eq(regret_evaluate(&a.e, a.log, &a.options), REGRET_OK, "%s", regret_error_message());
    return a;
}

static void forget(struct answered *a)
{
    regret_evaluation_free(a->e);
    regret_log_free(a->log);
}

Test(answer, the_screen_has_forty_lines_of_a_hundred_columns)
{
    struct planted p = shape();
    p.agents = 14;
    p.n_obs = p.n_exp = 200;
    struct answered a = answer(&p);
    struct regret_buffer text = REGRET_BUFFER_INIT;
    size_t lines = 0;
    regret_evaluation_describe(&text, a.e, a.log);
    cr_assert_eq(regret_buffer_status(&text), REGRET_OK);
    for (char *line = strtok(text.data, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        cr_expect_leq(regret_text_columns(line), 100, "%s", line);
        cr_expect_neq(line[strlen(line) - 1], ' ', "%s", line);
        lines++;
    }
    cr_expect_leq(lines + 3, 40, "%zu and three that are empty", lines);
    regret_buffer_free(&text);
    forget(&a);
}

/* Sentences end with what to do about it. */
Test(answer, the_screen_cuts_no_remedy_without_saying_where_it_stands)
{
    static const char *const fillers[] = {"a reason of several words, ", "x "};
    struct planted p = shape();
    struct answered a = answer(&p);
    struct regret_buffer note = REGRET_BUFFER_INIT, text = REGRET_BUFFER_INIT;
    struct regret_diagnostic *d = &a.e->diagnostics->entry[0];
    for (int is_long = 0; is_long < 2; is_long++) {
        for (int i = 0; i < (is_long ? 400 : 8); i++) {
            regret_buffer_append(&note, fillers[is_long]);
        }
        regret_buffer_append(&note, "then say regret do-that.");
        regret_free(d->sentence);
        cr_assert_eq(regret_strdup(&d->sentence, regret_buffer_get(&note)), REGRET_OK);
        regret_evaluation_describe(&text, a.e, a.log);
        const char *shown = regret_buffer_get(&text);
        cr_expect_eq(strstr(shown, "regret do-that.") != NULL, !is_long, "%s", shown);
        cr_expect_eq(strstr(shown, "… (whole in") != NULL, is_long, "%s", shown);
        regret_buffer_clear(&note);
        regret_buffer_clear(&text);
    }
    regret_buffer_free(&note);
    regret_buffer_free(&text);
    forget(&a);
}

/* What says no stands before the answer. */
Test(answer, what_says_no_comes_first)
{
    struct planted p = shape();
    struct answered a = answer(&p);
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_evaluation_describe(&text, a.e, a.log);
    cr_expect_eq(strncmp(regret_buffer_get(&text), "NO ", 3), 0, "%s", regret_buffer_get(&text));
    cr_expect_not_null(strstr(regret_buffer_get(&text), "ONE AGENT. Use agent-02"));
    for (size_t i = 1; i < a.e->diagnostics->n; i++) {
        cr_expect_geq(a.e->diagnostics->entry[i - 1].verdict, a.e->diagnostics->entry[i].verdict);
    }
    regret_buffer_free(&text);
    forget(&a);
}

static void decide_again(struct answered *a)
{
    regret_free(a->e->sentence);
    regret_free(a->e->lambda_says);
    regret_free(a->e->guess_sentence);
    a->e->sentence = a->e->lambda_says = a->e->guess_sentence = NULL;
    cr_assert_eq(answer_decide(a->e, a->log), REGRET_OK);
}

/* The trial's assignment depends on the tag: its values are worth nothing, whatever they are. */
Test(answer, a_trial_that_is_none_cannot_tell)
{
    struct planted p = shape();
    struct answered a = answer(&p);
    cr_assert_eq(a.e->verdict, REGRET_VERDICT_AGENT);
    struct regret_diagnostic *d = &a.e->diagnostics->entry[0];
    d->name = "balance.tag";
    d->verdict = REGRET_DIAGNOSTIC_NO;
    a.e->agent[2].simultaneous_low = -0.5; /* else a larger trial were asked for */
    decide_again(&a);
    cr_expect_eq(a.e->verdict, REGRET_VERDICT_CANNOT_TELL);
    cr_expect_not_null(strstr(a.e->sentence, "is not what chance gave"), "%s", a.e->sentence);
    cr_expect_not_null(strstr(a.e->sentence, "(slate)"), "%s", a.e->sentence);
    cr_expect_null(strstr(a.e->sentence, "differs"), "%s", a.e->sentence);
    cr_expect(isnan(a.e->trial_rows));
    cr_expect_eq(a.e->advice[0].agent, a.e->incumbent);
    forget(&a);
}

/* An agent that is told to be worse needs no larger trial; of the others the one of the highest value is named. */
Test(answer, a_trial_is_sized_for_who_is_not_told_yet)
{
    struct planted p = shape();
    struct answered a = answer(&p);
    struct regret_agent_value *x = a.e->agent;
    a.e->policy[REGRET_POLICY_BY_TAG].is_there = a.e->policy[REGRET_POLICY_REQUEST].is_there = 0;
    a.e->incumbent = 0;
    x[1].difference.value = -0.2;
    x[1].difference.error = 0.04;
    x[1].simultaneous_low = -0.3;
    x[1].simultaneous_high = -0.1;
    x[2].difference.value = 0.05;
    x[2].difference.error = 0.04;
    x[2].simultaneous_low = -0.05;
    x[2].simultaneous_high = 0.15;
    decide_again(&a);
    cr_expect_eq(a.e->verdict, REGRET_VERDICT_CANNOT_TELL);
    cr_expect_eq(a.e->trial_rows, 10.0 * ceil(4.0 * (double)a.e->rows / 10.0));
    x[1].simultaneous_high = 0.1; /* not told, and further from 0 than the other */
    decide_again(&a);
    cr_expect_eq(a.e->trial_rows, 10.0 * ceil(4.0 * (double)a.e->rows / 10.0));
    x[2].difference.value = -0.05;
    decide_again(&a);
    cr_expect_not_null(strstr(a.e->sentence, a.log->agent[2]), "%s", a.e->sentence);
    cr_expect_null(strstr(a.e->sentence, a.log->agent[1]), "%s", a.e->sentence);
    cr_expect_null(strstr(a.e->sentence, "guess"), "%s", a.e->sentence);
    a.e->rows = 12; /* four times as many would be next to none */
    decide_again(&a);
    cr_expect_eq(a.e->trial_rows, 20.0 * (double)a.e->n_agents, "%g", a.e->trial_rows);
    cr_expect_not_null(strstr(a.e->sentence, "That is a guess: 12 rows do not say"), "%s",
                       a.e->sentence);
    forget(&a);
}

/* Where few rows had rival and incumbent on offer, slates are to be mended rather than rows added. */
Test(answer, says_where_slates_are_what_limits)
{
    static const char words[] = "on every slate, or larger slates: only 20 rows had both on offer.";
    struct planted p = shape();
    struct answered a = answer(&p);
    struct regret_log_rows *exp = &a.log->rows[REGRET_LOG_EXP];
    a.e->policy[REGRET_POLICY_BY_TAG].is_there = a.e->policy[REGRET_POLICY_REQUEST].is_there = 0;
    for (size_t i = 0; i < a.e->n_agents; i++) {
        a.e->agent[i].simultaneous_low = -0.5;
        a.e->agent[i].simultaneous_high = 0.5;
        a.e->agent[i].difference.rows = 20;
        a.e->agent[i].value[REGRET_VALUE_SNDR].rows = 100;
    }
    decide_again(&a);
    cr_expect_null(strstr(a.e->sentence, "slate"), "everybody was: %s", a.e->sentence);
    cr_assert_eq(regret_calloc((void **)&exp->offer, exp->n, sizeof *exp->offer, "slates"), 0);
    cr_assert_eq(regret_calloc((void **)&a.log->on_offer, 1, sizeof *a.log->on_offer, "slates"), 0);
    a.log->n_offers = 1;
    a.log->on_offer[0] = 7;
    decide_again(&a);
    cr_expect_not_null(strstr(a.e->sentence, words), "%s", a.e->sentence);
    for (size_t i = 0; i < a.e->n_agents; i++) {
        a.e->agent[i].difference.rows = 80;
    }
    decide_again(&a);
    cr_expect_null(strstr(a.e->sentence, "slate"), "%s", a.e->sentence);
    forget(&a);
}

/* Alike outcomes, agents of too few clusters, agents that are the very same: three reasons, not one. */
Test(answer, says_why_nobody_can_be_told_apart)
{
    struct planted p = shape();
    struct answered a = answer(&p);
    struct regret_log_rows *exp = &a.log->rows[REGRET_LOG_EXP];
    for (size_t i = 0; i < a.e->n_agents; i++) {
        a.e->agent[i].difference = (struct regret_valued){.rows = 100};
        a.e->agent[i].simultaneous_low = a.e->agent[i].simultaneous_high = 0.0;
    }
    a.e->policy[REGRET_POLICY_BY_TAG].is_there = a.e->policy[REGRET_POLICY_REQUEST].is_there = 0;
    decide_again(&a);
    cr_expect_not_null(strstr(a.e->sentence, "has no rival left"), "%s", a.e->sentence);
    for (size_t i = 0; i < a.e->n_agents; i++) {
        a.e->agent[i].difference.error = NAN;
    }
    decide_again(&a);
    cr_expect_not_null(strstr(a.e->sentence, "fewer than two clusters"), "%s", a.e->sentence);
    for (size_t i = 0; i < a.e->n_agents; i++) {
        a.e->agent[i].difference =
            (struct regret_valued){.value = 1e-17, .error = 1e-13, .df = 9.0};
        a.e->agent[i].simultaneous_low = -1e-12;
        a.e->agent[i].simultaneous_high = 1e-12;
    }
    for (size_t i = 0; i < exp->n; i++) {
        exp->outcome[i] = 1.0;
    }
    decide_again(&a);
    cr_expect_not_null(strstr(a.e->sentence, "All outcomes of the trial are alike"), "%s",
                       a.e->sentence);
    cr_expect_null(strstr(a.e->sentence, "differs"), "%s", a.e->sentence);
    cr_expect(isnan(a.e->trial_rows));
    forget(&a);
}

static double number_at(const cJSON *object, const char *field)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, field);
    cr_assert(cJSON_IsNumber(v), "%s", field);
    return v->valuedouble;
}

/* Of outcomes of 1 to 5, and of 5 to 1, of which less is better. */
Test(answer, tells_nothing_beyond_what_outcomes_can_be)
{
    const struct regret_valued v = {1.023, 0.2, 9.0, -0.089, 1.279, 0}, none = {.low = NAN};
    const struct regret_valued d = {-1.05, 0.3, 9.0, -1.411, 0.2, 0};
    for (int is_turned = 0; is_turned < 2; is_turned++) {
        struct regret_log log = {.low = is_turned ? 5.0 : 1.0, .high = is_turned ? 1.0 : 5.0};
        struct regret_valued value = value_as_given(&log, &v), gap = difference_as_given(&log, &d);
        double sign = is_turned ? -1.0 : 1.0;
        cr_expect_eq(value.value, log.high);
        cr_expect_eq(value.low, 1.0);
        cr_expect_eq(value.high, 5.0);
        cr_expect(fabs(value.error - 0.8) < 1e-12, "an error is no outcome");
        cr_expect_eq(gap.value, -4.0 * sign);
        cr_expect_eq(is_turned ? gap.high : gap.low, -4.0 * sign);
        cr_expect(fabs((is_turned ? gap.low : gap.high) - 0.8 * sign) < 1e-12);
        value = value_as_given(&log, &none);
        cr_expect(isnan(is_turned ? value.high : value.low), "what is unknown stays so");
    }
}

Test(answer, result_json_is_on_the_given_scale)
{
    struct planted p = shape();
    struct answered a = answer(&p);
    struct regret_buffer text = REGRET_BUFFER_INIT;
    cJSON *root = NULL;
    regret_evaluation_json(&text, a.e, a.log);
    cr_assert_eq(regret_json_parse(&root, regret_buffer_get(&text), text.length,
                                   (struct regret_place){"result.json", 0}),
                 REGRET_OK, "%s", regret_error_message());
    cr_expect_eq(number_at(root, "version"), 1.0);
    const cJSON *agents = cJSON_GetObjectItemCaseSensitive(root, "agents");
    cr_assert_eq(cJSON_GetArraySize(agents), 3);
    const cJSON *sndr = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(agents, 2), "sndr");
    const struct regret_valued *v = &a.e->agent[2].value[REGRET_VALUE_SNDR];
    cr_expect(fabs(number_at(sndr, "value") - (1.0 + 4.0 * v->value)) < 1e-12);
    cr_expect(fabs(number_at(sndr, "error") - 4.0 * v->error) < 1e-12);
    cr_expect(fabs(number_at(sndr, "low") - (1.0 + 4.0 * v->low)) < 1e-12);
    cJSON_Delete(root);
    regret_buffer_free(&text);
    forget(&a);
}

/* Every record of a table has as many fields as its head; returns how many there are. */
static size_t count_records(const char *path)
{
    struct regret_csv *csv = NULL;
    size_t fields = 0, head = 0, n = 0;
    cr_assert_eq(regret_csv_open(&csv, path, NULL), REGRET_OK, "%s", regret_error_message());
    cr_assert_eq(regret_csv_next(csv, &head), REGRET_OK);
    cr_assert_eq(regret_csv_next(csv, &fields), REGRET_OK);
    for (; fields > 0; n++) {
        cr_expect_eq(fields, head, "%s:%zu", path, regret_csv_line(csv));
        cr_assert_eq(regret_csv_next(csv, &fields), REGRET_OK);
    }
    regret_csv_close(csv);
    return n;
}

static int file_holds(const char *path, const char *what)
{
    char *text = NULL;
    cr_assert_eq(regret_file_read(&text, NULL, path, 1 << 26), REGRET_OK);
    int found = strstr(text, what) != NULL;
    regret_free(text);
    return found;
}

Test(answer, the_folder_is_whole)
{
    struct planted p = shape();
    struct answered a = answer(&p);
    struct regret_evaluation_files files = {0};
    scratch_enter();
    cr_assert_eq(regret_evaluation_write("out", a.e, a.log, &a.options, &files), REGRET_OK, "%s",
                 regret_error_message());
    cr_expect_eq(scratch_entries("out"), 7);
    cr_expect_eq(count_records("out/agents.csv"), 3);
    cr_expect_eq(count_records("out/tags.csv"), 2);
    cr_expect_eq(count_records("out/policies.csv"), 3);
    cr_expect_eq(count_records("out/recommendations.csv"), 300);
    cr_expect_eq(count_records("out/diagnostics.csv"), a.e->diagnostics->n);
    cr_expect(file_holds("out/agents.csv", "\n\"=cmd("));
    cr_expect_eq(regret_evaluation_write("out", a.e, a.log, &a.options, &files), REGRET_E_INPUT);
    files = (struct regret_evaluation_files){1, 1, 1};
    cr_assert_eq(regret_evaluation_write("out", a.e, a.log, &a.options, &files), REGRET_OK, "%s",
                 regret_error_message());
    cr_expect_eq(count_records("out/rows.csv"), 300);
    cr_expect(file_holds("out/agents.csv", "\n\"'=cmd("));
    scratch_leave();
    forget(&a);
}

/* model.regret answers new requests, and a log alone makes none. */
Test(answer, the_model_answers)
{
    struct planted p = shape();
    p.n_exp = 600;
    p.tag_effect[0][1] = 0.4;
    struct answered a = answer(&p);
    struct regret_evaluation_files files = {0};
    struct regret_model *model = NULL;
    struct regret_answer got[2];
    const struct regret_request asked[] = {{.text = "tell me of code", .tag = "tag-0"},
                                           {.text = "tell me a verse", .tag = "tag-1"}};
    scratch_enter();
    cr_assert_eq(regret_evaluation_write("out", a.e, a.log, &a.options, &files), REGRET_OK);
    cr_assert_eq(regret_model_read(&model, "out/model.regret"), REGRET_OK, "%s",
                 regret_error_message());
    cr_assert_eq(regret_model_answer(got, model, asked, 2), REGRET_OK);
    cr_expect_str_eq(model->agent[got[0].agent], "agent-01");
    cr_expect_str_eq(model->agent[got[1].agent], "agent-02");
    regret_model_free(model);
    forget(&a);
    p.n_exp = 0;
    a = answer(&p);
    cr_assert_eq(regret_evaluation_write("alone", a.e, a.log, &a.options, &files), REGRET_OK);
    cr_expect(!regret_file_exists("alone/model.regret"));
    scratch_leave();
    forget(&a);
}
