#include "import/harness_checks.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pool/sample.h"
#include "regret/buffer.h"
#include "regret/file.h"
#include "regret/pool.h"

static char report[1 << 14];

void harness_put(const char *path, const char *text)
{
    char folder[300];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = folder; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        cr_assert_eq(regret_folder_create(sample_path(folder)), 0, "%s", regret_error_message());
    }
    sample_write(path, text);
}

static int import(const struct importer *importer, const char *from, harness_set *set,
                  const void *value)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    char options[1024], path[600];
    cr_assert_leq(importer->size, sizeof options);
    memcpy(options, importer->defaults, importer->size);
    if (set != NULL) {
        set(options, value);
    }
    snprintf(path, sizeof path, "%s", sample_path(from));
    const struct importer_call call = {
        .from = path, .to = sample_path("p"), .replace = 1, .options = options, .report = &text};
    int rc = importer->run(&call);
    snprintf(report, sizeof report, "%s", regret_buffer_get(&text));
    regret_buffer_free(&text);
    return rc;
}

struct regret_pool *harness_imported(const struct importer *importer, const char *from,
                                     harness_set *set, const void *value)
{
    struct regret_pool *pool = NULL;
    cr_assert_eq(import(importer, from, set, value), 0, "%s", regret_error_message());
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0, "%s", regret_error_message());
    return pool;
}

void harness_report_has(const char *words)
{
    cr_expect_not_null(strstr(report, words), "no \"%s\" in:\n%s", words, report);
}

void harness_refused(const struct importer *importer, const char *from, harness_set *set,
                     const void *value, const char *words)
{
    int was_there = access(sample_path("p"), F_OK) == 0;
    cr_assert_eq(import(importer, from, set, value), REGRET_E_INPUT, "%s", words);
    cr_expect_not_null(strstr(regret_error_message(), words), "\"%s\" lacks \"%s\"",
                       regret_error_message(), words);
    cr_expect_eq(access(sample_path("p"), F_OK) == 0, was_there, "something was written");
}

double harness_value_of(const struct regret_pool *pool, const char *text, const char *agent,
                        size_t k)
{
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        if (strcmp(pool->contexts[o->context].text, text) == 0 &&
            strcmp(regret_agent_name(&pool->agents[o->agent]), agent) == 0) {
            return o->values[k];
        }
    }
    return NAN;
}

double harness_cost_of(const struct regret_pool *pool, const char *agent)
{
    for (size_t i = 0; i < pool->n_agents; i++) {
        if (strcmp(regret_agent_name(&pool->agents[i]), agent) == 0) {
            return pool->agents[i].cost;
        }
    }
    return NAN;
}
