#include "experiment/fixture.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "experiment/inputs.h"
#include "experiment/pool_source.h"
#include "experiment/run.h"
#include "regret/buffer.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "regret/task.h"

static const char *const WORDS[] = {"harbour", "ferry",  "council", "budget",  "storm",
                                    "bridge",  "player", "goal",    "vaccine", "market",
                                    "river",   "school", "vote",    "engine",  "forest",
                                    "signal",  "mayor",  "tunnel",  "orchard", "glacier"};
enum { N_WORDS = sizeof WORDS / sizeof *WORDS };

/* Replaces a text by some words that `stream` chooses. */
static void salad(char **text, uint64_t stream, size_t words)
{
    struct regret_rng r = regret_rng_at(77, REGRET_RNG_TEST, stream);
    struct regret_buffer t = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < words; i++) {
        regret_buffer_printf(&t, "%s%s", i > 0 ? " " : "", WORDS[regret_rng_below(&r, N_WORDS)]);
    }
    regret_buffer_append(&t, ".");
    cr_assert_eq(regret_buffer_status(&t), 0);
    regret_free(*text);
    *text = t.data;
}

void fixture_pool(size_t contexts, size_t agents, size_t draws, int duplicates)
{
    struct sample_shape shape = {contexts, agents, 1, 0.0, 6, 5};
    shape.max_draws = draws;
    struct regret_pool *pool = sample_pool(&shape);
    for (size_t x = 0; x < pool->n_contexts; x++) {
        salad(&pool->contexts[x].text, duplicates ? x / 2 : x, 30);
    }
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        /* Agents 0 and 1 say the same, and so do contexts 2k and 2k + 1. */
        uint64_t stream = duplicates ? 1000 + o->context / 2 * 100 + o->agent / 2 : 1000 + i;
        salad(&pool->outputs[i].text, stream, 8 + (duplicates ? o->agent / 2 : o->agent));
    }
    cr_assert_eq(regret_pool_check(pool), 0, "%s", regret_error_message());
    cr_assert_eq(regret_pool_write(pool, sample_path("pool"), NULL, 1), 0, "%s",
                 regret_error_message());
    regret_pool_free(pool);
}

const char *fixture_config(void)
{
    return sample_path("config.json");
}

const char *fixture_every_family(void)
{
    static char text[1024];
    size_t n = 0;
    for (size_t i = 0; i < regret_family_count(); i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\"%s\"", i == 0 ? "families=[" : ",",
                              regret_family_at(i)->name);
    }
    snprintf(text + n, sizeof text - n, "]");
    return text;
}

void fixture_open(void)
{
    fixture_pool(8, 4, 1, 0);
    sample_write("config.json",
                 "{\"pool\": \"pool\", " FIXTURE_KEYS
                 ", \"values.fold_unit\": \"row\", \"sweep\": {\"beta\": [0, 1]}}\n");
}

void fixture_close(void)
{
    sample_cleanup();
}

struct regret_run_options fixture_options(const char *out)
{
    static char config[256], path[256];
    struct regret_run_options o = REGRET_RUN_OPTIONS_INIT;
    snprintf(config, sizeof config, "%s", fixture_config());
    snprintf(path, sizeof path, "%s", sample_path(out));
    o.config = config;
    o.out = path;
    return o;
}

int fixture_costs(struct run_costs *out, const char *set)
{
    struct regret_run_plan *plan = NULL;
    struct regret_pool *pool = NULL;
    struct run_inputs *inputs = NULL;
    struct regret_config first;
    int rc = regret_run_plan_read(&plan, fixture_config(), &set, set != NULL);
    if (rc == REGRET_OK) {
        regret_run_plan_cell(&first, plan, 0);
        rc = regret_pool_read(&pool, first.pool);
    }
    if (rc == REGRET_OK && (rc = run_inputs_create(&inputs, plan, pool)) == REGRET_OK) {
        rc = run_costs_create(out, plan, inputs);
    }
    run_inputs_free(inputs);
    regret_pool_free(pool);
    regret_run_plan_free(plan);
    return rc;
}

struct regret_run_summary fixture_run(const struct regret_run_options *options)
{
    struct regret_run_summary summary = {0};
    cr_assert_eq(regret_run(&summary, options), 0, "%s", regret_error_message());
    return summary;
}

void fixture_make(const char *out)
{
    struct regret_run_options o = fixture_options(out);
    fixture_run(&o);
}

void fixture_make_with(const char *out, const char *const *sets, size_t n)
{
    struct regret_run_options o = fixture_options(out);
    o.sets = sets;
    o.n_sets = n;
    fixture_run(&o);
}

void fixture_refused(const char *const *sets, size_t n, const char *part)
{
    struct regret_run_options o = fixture_options("refused");
    o.sets = sets;
    o.n_sets = n;
    cr_assert_eq(regret_run(NULL, &o), REGRET_E_INPUT, "%s", part);
    cr_assert_not_null(strstr(regret_error_message(), part), "no \"%s\" in: %s", part,
                       regret_error_message());
    cr_assert_not(regret_file_exists(sample_path("refused")));
}

int fixture_contains(const char *name, const char *part)
{
    char *text = fixture_read(NULL, name);
    int found = strstr(text, part) != NULL;
    regret_free(text);
    return found;
}

int fixture_stop_after(void *context, const struct regret_progress *progress)
{
    return progress->done >= *(const size_t *)context;
}

char *fixture_read(size_t *length, const char *name)
{
    char *text = NULL;
    cr_assert_eq(regret_file_read(&text, length, sample_path(name), (size_t)1 << 26), 0, "%s",
                 regret_error_message());
    return text;
}

void fixture_same_bytes(const char *a, const char *b)
{
    size_t n = 0, m = 0;
    char *x = fixture_read(&n, a), *y = fixture_read(&m, b);
    cr_assert_gt(n, 0, "%s is empty", a);
    cr_assert(n == m && memcmp(x, y, n) == 0, "%s (%zu bytes) and %s (%zu bytes) differ", a, n, b,
              m);
    regret_free(x);
    regret_free(y);
}

void fixture_same_run(const char *a, const char *b)
{
    static const char *const files[] = {"run.json", "results-1-of-1.jsonl"};
    for (size_t i = 0; i < 2; i++) {
        char x[128], y[128];
        snprintf(x, sizeof x, "%s/%s", a, files[i]);
        snprintf(y, sizeof y, "%s/%s", b, files[i]);
        fixture_same_bytes(x, y);
    }
}

void fixture_truncate(const char *name, size_t length)
{
    cr_assert_eq(truncate(sample_path(name), (off_t)length), 0);
}

size_t fixture_line_end(const char *name, size_t n)
{
    char *text = fixture_read(NULL, name);
    const char *p = text;
    for (size_t i = 0; i < n; i++) {
        p = strchr(p, '\n');
        cr_assert_not_null(p, "%s has fewer than %zu lines", name, n);
        p++;
    }
    size_t offset = (size_t)(p - text);
    regret_free(text);
    return offset;
}

size_t fixture_entries(void)
{
    DIR *folder = opendir(sample_folder());
    cr_assert_not_null(folder);
    size_t n = 0;
    while (readdir(folder) != NULL) {
        n++;
    }
    closedir(folder);
    return n - 2; /* . and .. */
}

struct fixture_inputs fixture_inputs_open(const char *const *sets, size_t n)
{
    struct fixture_inputs o = {NULL, NULL, NULL};
    struct regret_config first;
    cr_assert_eq(regret_run_plan_read(&o.plan, fixture_config(), sets, n), 0, "%s",
                 regret_error_message());
    regret_run_plan_cell(&first, o.plan, 0);
    cr_assert_eq(pool_source_open(&o.pool, &first), 0, "%s", regret_error_message());
    cr_assert_eq(run_inputs_create(&o.inputs, o.plan, o.pool), 0, "%s", regret_error_message());
    return o;
}

void fixture_inputs_close(struct fixture_inputs *o)
{
    run_inputs_free(o->inputs);
    regret_pool_free(o->pool);
    regret_run_plan_free(o->plan);
}
