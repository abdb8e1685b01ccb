/* What is wrong is refused with a message of one line that says where and what to do, and nothing
 * is left behind. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "experiment/fixture.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(refused, .init = fixture_open, .fini = fixture_close);

static void expect_refusal(int rc, const char *part, size_t entries)
{
    cr_expect_eq(rc, REGRET_E_INPUT, "%d for \"%s\": %s", rc, part, regret_error_message());
    cr_expect_not_null(strstr(regret_error_message(), part), "no \"%s\" in: %s", part,
                       regret_error_message());
    cr_expect_null(strchr(regret_error_message(), '\n'));
    cr_expect_eq(fixture_entries(), entries, "something is left behind after: %s",
                 regret_error_message());
}

/* Neither a run nor an export comes of it. */
static void refused(const char *config, const char *const *sets, size_t n_sets, const char *part)
{
    struct regret_run_summary s = {.replicates = 99};
    struct regret_run_options o = fixture_options("deep/er/out");
    if (config != NULL) {
        sample_write("config.json", config);
    }
    size_t entries = fixture_entries();
    o.sets = sets;
    o.n_sets = n_sets;
    expect_refusal(regret_run(&s, &o), part, entries);
    cr_expect_eq(s.replicates, 99, "out-parameters are untouched on failure");
    expect_refusal(regret_export_cell(sample_path("deep/er/out"), fixture_config(), sets, n_sets, 0,
                                      0, 0, 0, NULL),
                   part, entries);
}

Test(refused, malformed_files)
{
    static const char *const cases[][2] = {
        {"", "config.json"},
        {"{\"pool\": \"pool\",\n \"n_obs\": }", "config.json:2:11: malformed JSON"},
        {"[1]", "config.json: a configuration must be a JSON object"},
        {"{\"pool\": \"pool\"} x", "text after the JSON value"},
        {"{\"pool\": \"pool\", \"beta\": NaN}", "NaN and Infinity"},
        {"{\"pool\": \"pool\", \"beta\": 1e999}", "too large"},
        {"{\"pool\": \"pool\", \"beta\": 0, \"beta\": 1}", "\"beta\" is given twice"},
        {"{\"pool\": \"pool\", \"reward\": {\"map\": \"smooth\"}, \"reward.map\": \"sharpened\"}",
         "\"reward.map\" is given twice"},
        {"{\"pool\": \"pool\", \"sweep\": {\"router.eta\": [1], \"router\": {\"eta\": [0]}}}",
         "\"router.eta\" is given twice"},
        {"{\"pool\": \"\xff\"}", "not valid UTF-8"},
        {"{\"n_obs\": 5}", "no \"pool\"; name the folder"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        refused(cases[i][0], NULL, 0, cases[i][1]);
    }
    char deep[400] = "{\"pool\": \"pool\", \"title\": ";
    memset(deep + strlen(deep), '[', 200);
    refused(deep, NULL, 0, "nested more than");
    struct regret_run_options o = fixture_options("out");
    o.config = sample_path("nothing.json");
    expect_refusal(regret_run(&(struct regret_run_summary){0}, &o), "cannot open",
                   fixture_entries());
    o.config = sample_folder();
    expect_refusal(regret_run(&(struct regret_run_summary){0}, &o), "not a regular file",
                   fixture_entries());
}

Test(refused, keys_and_values)
{
    static const char *const cases[][2] = {
        {"n_obbs=5", "--set: unknown key \"n_obbs\"; did you mean \"n_obs\"?"},
        {"rewardmap=smooth", "did you mean \"reward.map\"?"},
        {"quite_another_thing=1", "'regret config' lists them all"},
        {"n_obs", "is not KEY=VALUE"},
        {"=3", "unknown key \"\""},
        {"n_exp=0", "\"n_exp\" must be a whole number from 1 to 10000000, but is 0"},
        {"n_obs=2.5", "whole number"},
        {"n_obs=-3", "whole number"},
        {"n_obs=1e300", "whole number"},
        {"n_obs=\"5\"", "\"n_obs\" must be a whole number (rows of the observational log)"},
        {"n_obs=five", "must be a whole number"},
        {"beta=-0.1", "\"beta\" must be a number from 0 to 100, but is -0.1"},
        {"beta=true", "\"beta\" must be a number"},
        {"contexts.train_share=1", "from 0.01 to 0.99"},
        {"contexts.folds=1001", "from 0 to 1000"},
        {"contexts.reference=1", "from 0 to 0.99"},
        {"reward.map=smoth", "\"reward.map\" must be one of \"smooth\", \"sharpened\", "},
        {"reward.map=1", "must be a string"},
        {"features.agent=\"1\"", "\"features.agent\" must be a number"},
        {"features.agent=-1", "from 0 to 1000, but is -1"},
        {"proxy.scale=log", "must be one of \"raw\", \"log1p\", \"winsor\", \"rank\""},
        {"text.max_bytes=-1", "must be a whole number from 0"},
        {"exp_only.rho=0", "from 1e-09 to 1000000000, but is 0"},
        {"exp_only.rho=[10,1]", "ascending order"},
        {"features.buckets=100", "must be a power of two, but is 100"},
        {"sweep.features.buckets=[64,100]", "must be a power of two, but is 100"},
        {"families=[]", "at least one family name"},
        {"families=cvci", "must be an array"},
        {"families=[\"cvcy\"]", "\"cvcy\"; did you mean \"cvci\"? there are exp-only, obs-only, "},
        {"families=[\"magic\"]", "unknown family \"magic\"; there are exp-only, obs-only, "},
        {"families=[1]", "\"families\" must hold names in quotes; there are exp-only, "},
        {"families=[cvci]", "families=[cvci] is not JSON; texts in a list stand in double quotes"},
        {"sweep={}", "a sweep is set key by key: --set 'sweep.beta=[0,1]'"},
        {"sweep=[0]", "a sweep is set key by key"},
        {"sweep.reward.map=[smooth]", "sweep.reward.map=[smooth] is not JSON; texts in a list"},
        {"beta={0", "is not JSON"},
        {"cvci.lambda=[]", "array of 1 to"},
        {"cvci.lambda=[0.5,0.5]", "ascending order without repeats"},
        {"cvci.lambda=[1,0]", "ascending"},
        {"cvci.lambda=[0,2]", "from 0 to 1, but is 2"},
        {"cvci.lambda=[\"a\"]", "array of numbers"},
        {"seeds=0", "from 1 to 100000"},
        {"sweep.beta=0.5", "\"sweep.beta\" must be an array of at least one value"},
        {"sweep.beta=[]", "at least one value"},
        {"sweep.beta=[0,1,0.0]", "\"sweep.beta\" has a value twice"},
        {"sweep.beta=[0,101]", "from 0 to 100, but is 101"},
        {"sweep.bta=[0]", "unknown key \"bta\"; did you mean \"beta\"?"},
        {"sweep.pool=[\"a\",\"b\"]", "\"pool\" cannot be swept; make one run for each value"},
        {"sweep.seeds=[1,2]", "cannot be swept"},
        {"sweep.families=[[\"cvci\"]]", "cannot be swept"},
        {"pool=", "no \"pool\""},
        {"pool=nowhere", "nowhere is not a folder"},
        {"contexts.hard=9", "has 8; --set contexts.hard=0 keeps them all"},
        {"sweep.contexts.hard=[8,9]", "contexts.hard = 9, but the grid of pool \"sample\" has 8"},
        {"router.slate=5", "the pool's 4 agents; use --set router.slate=4 or less"},
        {"sweep.router.slate=[4,7]", "router.slate = 7 cannot be drawn from the pool's 4 agents"},
        {"contexts.train_share=0.05", "8 contexts at contexts.train_share = 0.05 leave 0 to train"},
        {"contexts.hard=1", "each side needs one"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        refused(NULL, &cases[i][0], 1, cases[i][1]);
    }
}

Test(refused, in_the_file_as_on_the_command_line)
{
    static const char *const cases[][2] = {
        {"\"reward\": {\"mapp\": \"smooth\"}",
         "unknown key \"reward.mapp\"; did you mean \"reward.map\""},
        {"\"reward\": \"smooth\"", "unknown key \"reward\""},
        {"\"wreward\": {}", "unknown key \"wreward\""},
        {"\"n_obs\": {\"x\": 1}", "\"n_obs\" must be a whole number"},
        {"\"n_obs\": null", "must be a whole number"},
        {"\"sweep\": []", "\"sweep\" must be an object of arrays"},
        {"\"sweep\": {\"beta\": {\"a\": 1}}", "must be an array"},
        {"\"sweep\": {\"_note\": [1]}", "unknown key \"_note\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text, "{\"pool\": \"pool\", %s}", cases[i][0]);
        refused(text, NULL, 0, cases[i][1]);
    }
}

/* A list of `n` numbers. */
static void put_axis(struct regret_buffer *t, const char *key, size_t n)
{
    regret_buffer_printf(t, "\"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(t, "%s%zu", i > 0 ? "," : "", i + 1);
    }
    regret_buffer_append(t, "]");
}

Test(refused, sweeps_without_end)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_append(&t, "{\"pool\": \"pool\", \"sweep\": {");
    put_axis(&t, "n_obs", 400);
    regret_buffer_append(&t, ", ");
    put_axis(&t, "n_exp", 300);
    regret_buffer_append(&t, "}}");
    refused(regret_buffer_get(&t), NULL, 0, "the sweep makes 120000 cells; at most 100000");
    regret_buffer_clear(&t);
    regret_buffer_append(&t, "{\"pool\": \"pool\", \"sweep\": {");
    put_axis(&t, "n_obs", 200000);
    regret_buffer_append(&t, "}}");
    refused(regret_buffer_get(&t), NULL, 0, "\"sweep.n_obs\" has 200000 values; at most");
    regret_buffer_free(&t);
}

Test(refused, pools)
{
    sample_write("config.json", "{\"pool\": \"pool\", " FIXTURE_KEYS "}");
    cr_assert_eq(regret_folder_create(sample_path("none")), 0);
    refused("{\"pool\": \"none\"}", NULL, 0, "none/pool.json");
    refused("{\"pool\": \"config.json\"}", NULL, 0, "config.json is not a folder");
    fixture_pool(1, 4, 1, 0);
    refused("{\"pool\": \"pool\", " FIXTURE_KEYS "}", NULL, 0,
            "1 contexts at contexts.train_share");
    sample_hand_written();
    sample_write("p/contexts.jsonl", "");
    sample_write("p/outputs.jsonl", "");
    refused("{\"pool\": \"p\", " FIXTURE_KEYS "}", NULL, 0, "p");
    sample_hand_written();
    const char *sets[] = {"proxy.kind=predicted-labels", "router.slate=1"};
    refused("{\"pool\": \"p\", \"contexts.hard\": 0}", sets, 2, "");
}

Test(refused, cells_and_shards_that_do_not_exist)
{
    size_t entries = fixture_entries();
    expect_refusal(
        regret_export_cell(sample_path("e"), fixture_config(), NULL, 0, 2, 0, 0, 0, NULL),
        "has cells 0 to 1, not 2", entries);
    struct regret_run_options o = fixture_options("r");
    const size_t shards[][2] = {{0, 1}, {2, 1}, {1, 0}, {1, 7}, {8, 7}};
    for (size_t i = 0; i < 5; i++) {
        o.shard = shards[i][0];
        o.shards = shards[i][1];
        expect_refusal(regret_run(&(struct regret_run_summary){0}, &o),
                       "shards are numbered from 1", entries);
    }
}

Test(refused, curves_of_costs)
{
    const char *sets[] = {"costs.enabled=true", "details=false"};
    refused(NULL, sets, 2, "details is false; --set details=true");
    sets[1] = "costs.budget=-1";
    refused(NULL, sets, 2, "costs.budget");
    fixture_pool(8, 4, 1, 0);
    struct regret_pool *pool = NULL;
    cr_assert_eq(regret_pool_read(&pool, sample_path("pool")), 0);
    double low = pool->agents[0].cost;
    for (size_t a = 0; a < pool->n_agents; a++) {
        low = pool->agents[a].cost < low ? pool->agents[a].cost : low;
        pool->agents[a].cost += 1.0;
    }
    cr_assert_eq(regret_pool_write(pool, sample_path("dear"), NULL, 0), 0);
    for (size_t a = 0; a < pool->n_agents; a++) {
        pool->agents[a].cost = 3.0;
    }
    cr_assert_eq(regret_pool_write(pool, sample_path("alike"), NULL, 0), 0);
    regret_pool_free(pool);
    cr_assert_geq(low, 0.0);
    refused("{\"pool\": \"alike\", " FIXTURE_KEYS "}", sets, 1,
            "the 4 agents of the grid cost 3 each, so that no price tells them apart");
    sets[1] = "costs.budget=0.5";
    refused("{\"pool\": \"dear\", " FIXTURE_KEYS "}", sets, 2,
            "costs.budget = 0.5 is less than the cheapest agent costs");
}
