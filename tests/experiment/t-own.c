/* Families of one's own in a configuration, and those that a program registers. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "experiment/fixture.h"
#include "regret/alloc.h"
#include "regret/config.h"

TestSuite(own, .init = fixture_open, .fini = fixture_close);

/* The plan of a configuration with these families. */
static struct regret_plan *plan_of(const char *families)
{
    struct regret_plan *plan = NULL;
    char text[2048];
    snprintf(text, sizeof text, "{\"pool\": \"pool\", \"families\": %s}", families);
    sample_write("config.json", text);
    cr_assert_eq(regret_plan_read(&plan, fixture_config(), NULL, 0), 0, "%s",
                 regret_error_message());
    return plan;
}

Test(own, they_stand_behind_the_others)
{
    struct regret_plan *plan =
        plan_of("[{\"name\": \"z.Z_9\", \"command\": [\"sh\", \"\", \"-c\"], \"time_limit\": 2.5}, "
                "\"cvci\", "
                "{\"name\": \"a\", \"predictions\": \"p.csv\"}, \"exp-only\"]");
    static const char *const names[] = {"exp-only", "cvci", "z.Z_9", "a"};
    struct regret_config c;
    char wanted[512];
    regret_plan_cell(&c, plan, 0);
    cr_assert_eq(c.families.n, 4);
    for (size_t i = 0; i < 4; i++) {
        cr_expect_str_eq(regret_family_list_name(&c.families, i), names[i]);
        cr_expect_eq(regret_family_list_built_in(&c.families, i) == NULL, i >= 2);
        cr_expect_eq(regret_family_list_external(&c.families, i) == NULL, i < 2);
    }
    const struct regret_external_family *command = regret_family_list_external(&c.families, 2);
    cr_expect_str_eq(command->source, "[\"sh\",\"\",\"-c\"]");
    cr_expect_eq(command->time_limit, 2.5);
    cr_expect_str_eq(command->folder, sample_folder(), "where the configuration lies");
    snprintf(wanted, sizeof wanted, "%s/p.csv", sample_folder());
    cr_expect_str_eq(regret_family_list_external(&c.families, 3)->source, wanted);
    regret_plan_free(plan);
}

Test(own, a_plan_is_read_as_it_is_written)
{
    struct regret_plan
        *p = plan_of("[\"cvci\", {\"name\": \"m\", \"command\": [\"a \\\"b\\\" \\u00e9\"], "
                     "\"folder\": \"not/there\"}, {\"name\": \"f\", \"predictions\": \"/x.csv\"}]"),
        *q = NULL;
    struct regret_text first = REGRET_TEXT_INIT, second = REGRET_TEXT_INIT;
    regret_plan_json(&first, p);
    sample_write("again.json", regret_text_get(&first));
    cr_assert_eq(regret_plan_read(&q, sample_path("again.json"), NULL, 0), 0, "%s",
                 regret_error_message());
    regret_plan_json(&second, q);
    cr_expect_str_eq(regret_text_get(&first), regret_text_get(&second));
    cr_expect_not_null(strstr(regret_text_get(&first), "\"time_limit\":600"), "the default");
    regret_text_free(&first);
    regret_text_free(&second);
    regret_plan_free(p);
    regret_plan_free(q);
}

static int fit_nothing(struct regret_estimate *estimate, struct regret_session *session)
{
    for (size_t i = 0; i < regret_session_problem(session)->pairs; i++) {
        estimate->prediction[i] = regret_session_hyper(session, "no_thing.x")->number;
    }
    return REGRET_OK;
}

static struct regret_hyper hyper = {
    .key = "no_thing.x", .kind = REGRET_HYPER_NUMBER, .high = 1.0, .preset = {.number = 0.5}};
static struct regret_family family = {
    .name = "no-thing", .summary = "", .hypers = &hyper, .n_hypers = 1, .fit = fit_nothing};

static void refused(const char *part)
{
    cr_expect_eq(regret_family_register(&family), REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), part), "no \"%s\" in: %s", part,
                       regret_error_message());
}

Test(own, what_cannot_be_registered)
{
    static const char *const names[] = {
        "cvci", "", "A", "a b", "9", "a-name-of-more-than-the-forty-letters-that-it-may-have"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        family.name = names[i];
        refused("lower-case letters");
    }
    family.name = "no-thing";
    family.fit = NULL;
    refused("it has no fit");
    family.fit = fit_nothing;
    hyper.key = "cvci.lambda";
    refused("must begin with the family's name");
    hyper.key = "no_thing.";
    refused("must begin with the family's name");
    hyper.key = "no_thing.x";
    family.n_hypers = 100;
    hyper.key = "no_thing.x";
    struct regret_hyper many[100];
    char keys[100][32];
    for (size_t i = 0; i < 100; i++) {
        snprintf(keys[i], sizeof keys[i], "no_thing.x%zu", i);
        many[i] = hyper;
        many[i].key = keys[i];
    }
    family.hypers = many;
    refused("there is room for 24");
}

Test(own, what_is_registered_is_fitted)
{
    size_t before = regret_family_count();
    cr_assert_eq(regret_family_register(&family), 0, "%s", regret_error_message());
    cr_expect_eq(regret_family_count(), before + 1);
    refused("as no other is");
    sample_write("config.json",
                 "{\"pool\": \"pool\", " FIXTURE_KEYS
                 ", \"families\": [\"exp-only\", \"no-thing\"], \"no_thing.x\": 0.25, "
                 "\"values.plugin\": \"folds\"}");
    fixture_make("r");
    char *rows = fixture_read(NULL, "r/results-1-of-1.jsonl");
    cr_expect_not_null(strstr(rows, "\"family\":\"no-thing\""));
    regret_free(rows);
    const struct regret_family late = {.name = "late", .fit = fit_nothing};
    cr_expect_eq(regret_family_register(&late), REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), "comes too late"));
}
