/* Families of one's own in a configuration, and those that a program registers. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/fixture.h"
#include "regret/estimate.h"
#include "regret/experiment.h"
#include "regret/status.h"

TestSuite(own, .init = fixture_open, .fini = fixture_close);

/* The plan of a configuration with these families. */
static struct regret_run_plan *plan_of(const char *families)
{
    struct regret_run_plan *plan = NULL;
    char text[2048];
    snprintf(text, sizeof text, "{\"pool\": \"pool\", \"families\": %s}", families);
    sample_write("config.json", text);
    cr_assert_eq(regret_run_plan_read(&plan, fixture_config(), NULL, 0), 0, "%s",
                 regret_error_message());
    return plan;
}

Test(own, they_stand_behind_the_others)
{
    struct regret_run_plan *plan =
        plan_of("[{\"name\": \"z.Z_9\", \"command\": [\"sh\", \"\", \"-c\"], \"time_limit\": 2.5}, "
                "\"cvci\", "
                "{\"name\": \"a\", \"predictions\": \"p.csv\"}, \"exp-only\"]");
    static const char *const names[] = {"exp-only", "cvci", "z.Z_9", "a"};
    struct regret_config c;
    char wanted[512];
    regret_run_plan_cell(&c, plan, 0);
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
    regret_run_plan_free(plan);
}

Test(own, a_plan_is_read_as_it_is_written)
{
    struct regret_run_plan
        *p = plan_of("[\"cvci\", {\"name\": \"m\", \"command\": [\"a \\\"b\\\" \\u00e9\"], "
                     "\"folder\": \"not/there\"}, {\"name\": \"f\", \"predictions\": \"/x.csv\"}]"),
        *q = NULL;
    struct regret_buffer first = REGRET_BUFFER_INIT, second = REGRET_BUFFER_INIT;
    regret_run_plan_json(&first, p);
    sample_write("again.json", regret_buffer_get(&first));
    cr_assert_eq(regret_run_plan_read(&q, sample_path("again.json"), NULL, 0), 0, "%s",
                 regret_error_message());
    regret_run_plan_json(&second, q);
    cr_expect_str_eq(regret_buffer_get(&first), regret_buffer_get(&second));
    cr_expect_not_null(strstr(regret_buffer_get(&first), "\"time_limit\":600"), "the default");
    regret_buffer_free(&first);
    regret_buffer_free(&second);
    regret_run_plan_free(p);
    regret_run_plan_free(q);
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

/* ---------------------------------------------------------------- reward maps */

static double first_quality(const struct regret_reward_view *v, const struct regret_segment *u,
                            size_t pair)
{
    (void)u;
    return regret_grid_quality(v->grid, pair, 0) >= v->parameter[1] ? v->parameter[0] : 0.0;
}

static struct regret_reward_parameter parameters[] = {
    {.key = "reward.height", .help = "h", .high = 1.0, .preset = 0.75},
    {.key = "reward.step", .help = "s", .high = 1.0, .preset = 0.5}};
static struct regret_reward_map map = {
    .name = "step", .parameters = parameters, .n_parameters = 2, .reward = first_quality};

static void map_refused(const char *part)
{
    size_t before = regret_reward_map_count();
    cr_expect_eq(regret_reward_map_register(&map), REGRET_E_INPUT, "%s", part);
    cr_expect_not_null(strstr(regret_error_message(), part), "no \"%s\" in: %s", part,
                       regret_error_message());
    cr_expect_eq(regret_reward_map_count(), before);
}

Test(own, maps_that_cannot_be_registered)
{
    static const char *const names[] = {
        "smooth", "",    "world",
        "A",      "a b", "a_b",
        "9",      NULL,  "a-name-of-more-than-the-forty-letters-that-it-may-have"};
    static const char *const keys[] = {"step",     "reward.",    "reward.map",    "reward.power",
                                       "reward.A", "reward.a.b", "reward.height", NULL};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        map.name = names[i];
        map_refused("lower-case letters");
    }
    map.name = "step";
    map.reward = NULL;
    map_refused("it has no reward");
    map.reward = first_quality;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        parameters[1].key = keys[i];
        map_refused("and as no other key");
    }
    parameters[1].key = "reward.step";
    parameters[1].preset = 2.0;
    map_refused("a preset between finite bounds");
    parameters[1].high = INFINITY;
    map_refused("a preset between finite bounds");
    map.n_parameters = REGRET_MAX_REWARD_PARAMETERS;
    map_refused("no room for it and its parameters");
}

Test(own, a_map_that_is_registered_is_a_map)
{
    struct regret_reward_options defaults, before;
    size_t n = regret_reward_map_count();
    regret_reward_options_default(&before);
    cr_assert_eq(regret_reward_map_register(&map), 0, "%s", regret_error_message());
    map_refused("as no other is");
    cr_expect_eq(regret_reward_map_find("step"), n);
    cr_expect_eq(regret_reward_map_at(n), &map);
    regret_reward_options_default(&defaults);
    cr_expect_eq(*regret_reward_parameter_of(&defaults, "reward.height"), 0.75);
    cr_expect_eq(*regret_reward_parameter_of(&defaults, "reward.power"),
                 *regret_reward_parameter_of(&before, "reward.power"));
    sample_write("config.json", "{\"pool\": \"pool\", " FIXTURE_KEYS
                                ", \"families\": [\"exp-only\"], \"reward\": {\"map\": \"step\", "
                                "\"step\": 0.25}}");
    fixture_make("r");
    char *rows = fixture_read(NULL, "r/results-1-of-1.jsonl");
    cr_expect_not_null(strstr(rows, "\"reward.map\":\"step\""));
    regret_free(rows);
    char *run = fixture_read(NULL, "r/run.json");
    cr_expect_not_null(strstr(run, "\"reward.step\":0.25"));
    regret_free(run);
    const struct regret_reward_map late = {.name = "late", .reward = first_quality};
    cr_expect_eq(regret_reward_map_register(&late), REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), "comes too late"));
}

/* By hand: whatever the segment, the height where the first component reaches the step. */
Test(own, rewards_of_a_map_that_is_registered)
{
    struct regret_pool *pool = NULL;
    struct regret_grid *grid = NULL;
    struct regret_reward_options options;
    double *reward = NULL;
    size_t met = 0, n;
    cr_assert_eq(regret_reward_map_register(&map), 0);
    regret_reward_options_default(&options);
    options.map = (int)regret_reward_map_find("step");
    cr_assert_eq(regret_pool_read(&pool, sample_path("pool")), 0, "%s", regret_error_message());
    cr_assert_eq(regret_grid_cut(&grid, pool, &(struct regret_grid_options){0}), 0);
    cr_assert_eq(regret_reward_build(&reward, grid, &options), 0, "%s", regret_error_message());
    n = regret_grid_pairs(grid);
    for (size_t i = 0; i < pool->n_segments * n; i++) {
        double wanted = regret_grid_quality(grid, i % n, 0) >= 0.5 ? 0.75 : 0.0;
        cr_assert_eq(reward[i], wanted);
        met += wanted > 0.0;
    }
    cr_expect(met > 0 && met < pool->n_segments * n, "%zu", met);
    regret_free(reward);
    *regret_reward_parameter_of(&options, "reward.height") = NAN;
    cr_expect_eq(regret_reward_build(&reward, grid, &options), REGRET_E_INPUT);
    cr_expect_not_null(
        strstr(regret_error_message(), "reward map \"step\" has no number for pair"));
    regret_grid_free(grid);
    regret_pool_free(pool);
}
