/* Configurations: keys, overrides, sweeps. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "experiment/fixture.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(config, .fini = fixture_close);

/* The plan of a configuration text and overrides, as JSON; free with regret_free(). */
static char *resolve(const char *text, const char *const *sets, size_t n_sets)
{
    struct regret_run_plan *plan = NULL;
    struct regret_buffer json = REGRET_BUFFER_INIT;
    sample_write("c.json", text);
    cr_assert_eq(regret_run_plan_read(&plan, sample_path("c.json"), sets, n_sets), 0, "%s: %s",
                 text, regret_error_message());
    regret_run_plan_json(&json, plan);
    regret_run_plan_free(plan);
    cr_assert_eq(regret_buffer_status(&json), 0);
    return json.data;
}

static void same_plan(const char *a, const char *b, const char *const *sets, size_t n_sets)
{
    char *x = resolve(a, sets, n_sets), *y = resolve(b, NULL, 0);
    cr_assert_str_eq(x, y, "%s\n%s", a, b);
    regret_free(x);
    regret_free(y);
}

/* Another value that key i may have, as JSON. */
static void other_value(struct regret_buffer *t, const struct regret_key_help *key, size_t i)
{
    static const char *const choices[][2] = {{"grid.policy", "\"fail\""},
                                             {"reward.map", "\"sharpened\""},
                                             {"outcome.law", "\"none\""},
                                             {"proxy.kind", "\"tfidf-svd\""},
                                             {"grounded_linear.tuning", "\"holdout\""},
                                             {"task", "\"world\""},
                                             {"values.plugin", "\"folds\""},
                                             {"proxy.scale", "\"rank\""},
                                             {"values.fold_unit", "\"context\""},
                                             {"cv.leave_out", "\"contexts\""},
                                             {"solver", "\"iterative\""},
                                             {"contexts.split", "\"stratified\""},
                                             {"paper", "\"T4,T14\""}};
    struct regret_config config;
    regret_config_default(&config);
    struct regret_buffer old = REGRET_BUFFER_INIT;
    regret_config_key_json(&old, &config, i);
    if (strcmp(key->name, "families") == 0) {
        regret_buffer_append(t, "[\"cvci\",\"grounded-anchored\"]");
    } else if (strcmp(key->name, "features.buckets") == 0) {
        regret_buffer_append(t, "128");
    } else if (strcmp(key->type, "array") == 0) {
        regret_buffer_append(t, "[0.125,0.30000000000000004]");
    } else if (strcmp(key->type, "string") == 0) {
        regret_buffer_append(t, "\"/a \\\"quoted\\\" \xc3\xa9\\n\"");
    } else if (strcmp(key->type, "true/false") == 0) {
        regret_buffer_append(t, strcmp(regret_buffer_get(&old), "true") == 0 ? "false" : "true");
    } else if (strcmp(key->type, "whole number") == 0) {
        regret_buffer_append(t, "7");
    } else if (strcmp(key->type, "number") == 0) {
        regret_buffer_append(t, "0.10000000000000002");
    }
    for (size_t c = 0; c < sizeof choices / sizeof *choices; c++) {
        if (strcmp(key->name, choices[c][0]) == 0) {
            regret_buffer_append(t, choices[c][1]);
        }
    }
    cr_assert(t->length > 0, "%s is a %s that this test does not know", key->name, key->type);
    cr_assert_str_neq(regret_buffer_get(t), regret_buffer_get(&old), "%s", key->name);
    regret_buffer_free(&old);
}

Test(config, every_key_is_read_back_as_it_was_written)
{
    struct regret_buffer all = REGRET_BUFFER_INIT;
    struct regret_key_help key;
    size_t n = 0;
    for (; regret_config_key(&key, n); n++) {
        struct regret_buffer value = REGRET_BUFFER_INIT, text = REGRET_BUFFER_INIT;
        other_value(&value, &key, n);
        cr_assert(key.help[0] != '\0' && key.type[0] != '\0');
        /* All at once is of a pool: a world refuses spread.*. */
        regret_buffer_printf(&all, "%c\"%s\":%s", n == 0 ? '{' : ',', key.name,
                             strcmp(key.name, "task") == 0 ? "\"pool\""
                                                           : regret_buffer_get(&value));
        regret_buffer_printf(&text, "{%s\"%s\":%s}",
                             strcmp(key.name, "pool") != 0 ? "\"pool\":\"/p\"," : "", key.name,
                             regret_buffer_get(&value));
        char *json = resolve(regret_buffer_get(&text), NULL, 0);
        regret_buffer_clear(&text);
        regret_buffer_printf(&text, "\"%s\":%s", key.name, regret_buffer_get(&value));
        cr_assert_not_null(strstr(json, regret_buffer_get(&text)), "%s", regret_buffer_get(&text));
        regret_free(json);
        regret_buffer_free(&value);
        regret_buffer_free(&text);
    }
    cr_assert_gt(n, 40);
    regret_buffer_append(&all, "}");
    char *once = resolve(all.data, NULL, 0);
    cr_assert_str_eq(once, all.data);
    regret_buffer_free(&all);
    char *twice = resolve(once, NULL, 0);
    cr_assert_str_eq(once, twice);
    regret_free(once);
    regret_free(twice);
    cr_assert_eq(regret_config_key(&key, n), 0);
}

Test(config, a_sweep_is_read_back)
{
    char *once =
        resolve("{\"pool\": \"/p\", \"sweep\": {\"reward.map\": [\"sharpened\", \"smooth\"],"
                "\"cvci.lambda\": [[0, 1], [0.5]], \"beta\": [1, 0, 0.1]}}",
                NULL, 0);
    cr_assert_not_null(strstr(once, "\"sweep\":{\"reward.map\":[\"sharpened\",\"smooth\"],"
                                    "\"cvci.lambda\":[[0,1],0.5],\"beta\":[1,0,0.1]}}"));
    char *twice = resolve(once, NULL, 0);
    cr_assert_str_eq(once, twice);
    regret_free(once);
    regret_free(twice);
}

Test(config, nested_and_dotted_are_the_same)
{
    same_plan("{\"pool\": \"/p\", \"reward\": {\"map\": \"sharpened\", \"power\": 2}}",
              "{\"reward.power\": 2, \"reward.map\": \"sharpened\", \"pool\": \"/p\"}", NULL, 0);
    same_plan("{\"pool\": \"/p\", \"_about\": [1], \"sweep\": {\"router\": {\"eta\": [0, 1]}}}",
              "{\"pool\": \"/p\", \"sweep\": {\"router.eta\": [0, 1]}}", NULL, 0);
}

Test(config, overrides)
{
    static const char base[] = "{\"pool\": \"/p\", \"beta\": 0.5, \"title\": \"t\", "
                               "\"sweep\": {\"beta\": [0, 1], \"n_exp\": [10, 20]}}";
    const char *end[] = {"beta=0.25"};
    same_plan(base,
              "{\"pool\": \"/p\", \"beta\": 0.25, \"title\": \"t\", "
              "\"sweep\": {\"n_exp\": [10, 20]}}",
              end, 1);
    const char *replace[] = {"sweep.beta=[0.75]", "title=2024", "reward.map=sharpened"};
    same_plan(base,
              "{\"pool\": \"/p\", \"beta\": 0.5, \"title\": \"2024\", \"reward.map\": "
              "\"sharpened\", \"sweep\": {\"n_exp\": [10, 20], \"beta\": [0.75]}}",
              replace, 3);
    const char *later[] = {"n_obs=5", "sweep.n_obs=[7,8]", "n_obs=6", "title=\"quoted\""};
    same_plan("{\"pool\": \"/p\"}", "{\"pool\": \"/p\", \"n_obs\": 6, \"title\": \"quoted\"}",
              later, 4);
}

static void cell_of(struct regret_config *out, const char *set, size_t cell)
{
    struct regret_run_plan *plan = NULL;
    cr_assert_eq(regret_run_plan_read(&plan, sample_path("sub/c.json"), &set, set != NULL), 0, "%s",
                 regret_error_message());
    cr_assert_lt(cell, regret_run_plan_cells(plan));
    regret_run_plan_cell(out, plan, cell);
    regret_run_plan_free(plan);
}

Test(config, names_of_the_papers_tables)
{
    struct regret_config c;
    cr_assert_eq(regret_folder_create(sample_path("sub")), 0);
    sample_write("sub/c.json", "{\"pool\": \"/p\", \"paper\": \"T14,T4\"}");
    cell_of(&c, NULL, 0);
    cr_assert_str_eq(c.paper, "T14,T4");
    cell_of(&c, "paper=T5", 0);
    cr_assert_str_eq(c.paper, "T5");
    cell_of(&c, "paper=", 0);
    cr_assert_str_empty(c.paper);
}

Test(config, where_a_relative_pool_begins)
{
    struct regret_config c;
    cr_assert_eq(regret_folder_create(sample_path("sub")), 0);
    sample_write("sub/c.json", "{\"pool\": \"../p\", \"sweep\": {\"beta\": [0, 1], \"n_exp\": "
                               "[10, 20, 30]}}");
    cell_of(&c, NULL, 0);
    cr_assert_str_eq(c.pool, sample_path("sub/../p"), "of the file: from the file's folder");
    cell_of(&c, "pool=p", 0);
    cr_assert_str_eq(c.pool, "p", "of --set: from the working folder");
    cell_of(&c, "pool=/p", 5);
    cr_assert_str_eq(c.pool, "/p");
    cr_assert(c.logging.beta == 1.0 && c.n_exp == 30, "the first swept key is outermost");
    cell_of(&c, NULL, 3);
    cr_assert(c.logging.beta == 1.0 && c.n_exp == 10);
    cr_assert_eq(chdir(sample_path("sub")), 0);
    struct regret_run_plan *plan = NULL;
    cr_assert_eq(regret_run_plan_read(&plan, "c.json", NULL, 0), 0);
    regret_run_plan_cell(&c, plan, 0);
    cr_assert_str_eq(c.pool, "../p");
    regret_run_plan_free(plan);
}

Test(config, the_key_of_a_cell)
{
    struct regret_run_plan *plan = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    sample_write("c.json",
                 "{\"pool\": \"/p\", \"sweep\": {\"proxy.dim\": [4, 8], \"beta\": [0, 1]}}");
    cr_assert_eq(regret_run_plan_read(&plan, sample_path("c.json"), NULL, 0), 0);
    regret_run_plan_cell_key(&text, plan, 3);
    cr_assert_str_eq(regret_buffer_get(&text),
                     "{\"reward.map\":\"smooth\",\"beta\":1,\"n_obs\":2000,"
                     "\"n_exp\":200,\"proxy.dim\":8}");
    regret_buffer_free(&text);
    regret_run_plan_free(plan);
}

/* What older runs and shorter configurations say of the same. */
Test(config, other_ways_to_say_it)
{
    same_plan("{\"pool\":\"/p\",\"features.agent\":true}", "{\"pool\":\"/p\",\"features.agent\":1}",
              NULL, 0);
    same_plan("{\"pool\":\"/p\",\"features.agent\":false}", "{\"pool\":\"/p\"}", NULL, 0);
    same_plan("{\"pool\":\"/p\",\"sweep\":{\"features.agent\":[0,1]}}",
              "{\"pool\":\"/p\",\"sweep\":{\"features.agent\":[0,1]}}", NULL, 0);
    same_plan("{\"pool\":\"/p\",\"obs_only.rho\":[30]}", "{\"pool\":\"/p\",\"obs_only.rho\":30}",
              NULL, 0);
    same_plan("{\"pool\":\"/p\",\"cvci.lambda\":0.5}", "{\"pool\":\"/p\",\"cvci.lambda\":[0.5]}",
              NULL, 0);
    char *json =
        resolve("{\"pool\":\"/p\",\"exp_only.rho\":[1,10000],\"obs_only.rho\":[3]}", NULL, 0);
    cr_assert_not_null(strstr(json, "\"exp_only.rho\":[1,10000],\"obs_only.rho\":3"), "%s", json);
    regret_free(json);
}

/* What "auto" of values.* stands for, in every cell of a sweep over it. */
Test(config, whole_contexts_are_left_out_on_cached_pools)
{
    static const struct {
        const char *text;
        enum regret_fold_unit unit;
        enum regret_plug_in plug_in;
    } cases[] = {
        {"{\"pool\": \"/p\"}", REGRET_UNIT_CONTEXT, REGRET_PLUG_IN_FOLDS},
        {"{\"pool\": \"/p\", \"task\": \"world\"}", REGRET_UNIT_ROW, REGRET_PLUG_IN_FULL},
        {"{\"pool\": \"/p\", \"values.fold_unit\": \"row\"}", REGRET_UNIT_ROW, REGRET_PLUG_IN_FULL},
        {"{\"pool\": \"/p\", \"values.plugin\": \"full\"}", REGRET_UNIT_CONTEXT,
         REGRET_PLUG_IN_FULL},
        {"{\"pool\": \"/p\", \"task\": \"world\", \"values.fold_unit\": \"context\"}",
         REGRET_UNIT_CONTEXT, REGRET_PLUG_IN_FOLDS},
        {"{\"pool\": \"/p\", \"sweep\": {\"values.fold_unit\": [\"auto\"]}}", REGRET_UNIT_CONTEXT,
         REGRET_PLUG_IN_FOLDS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct regret_run_plan *plan = NULL;
        struct regret_config config;
        sample_write("c.json", cases[i].text);
        cr_assert_eq(regret_run_plan_read(&plan, sample_path("c.json"), NULL, 0), 0, "%s",
                     regret_error_message());
        regret_run_plan_cell(&config, plan, 0);
        cr_assert_eq(config.value_unit, cases[i].unit, "%s", cases[i].text);
        cr_assert_eq(config.value_plug_in, cases[i].plug_in, "%s", cases[i].text);
        regret_run_plan_free(plan);
    }
}
