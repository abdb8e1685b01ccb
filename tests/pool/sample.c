#include "pool/sample.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pool/write.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"

static char *copy(const char *text)
{
    char *out = NULL;
    cr_assert_eq(regret_strdup(&out, text), 0);
    return out;
}

static char *numbered(const char *prefix, size_t i)
{
    char name[64];
    snprintf(name, sizeof name, "%s%zu", prefix, i);
    return copy(name);
}

static void *array(size_t n, size_t size)
{
    void *out = NULL;
    cr_assert_eq(regret_calloc(&out, n, size, "a sample"), 0);
    return out;
}

static void fill_header(struct regret_pool *pool, const struct sample_shape *shape)
{
    static const struct {
        const char *name;
        double low, high;
    } COMPONENTS[] = {{"faithfulness", 0, 5}, {"coverage", 1, 5}, {"tone", -1, 1}};
    pool->name = copy("sample");
    pool->title = copy("A sample \"pool\"\twith \xc3\xa9");
    pool->version = copy("1.0");
    pool->licence = copy("CC0-1.0");
    pool->source = copy("made by the tests");
    pool->synthetic = 1;
    pool->n_agents = shape->agents;
    pool->agents = array(shape->agents, sizeof *pool->agents);
    for (size_t a = 0; a < shape->agents; a++) {
        pool->agents[a].id = numbered("agent-", a);
        pool->agents[a].title = numbered("Agent ", a);
        pool->agents[a].cost = 0.1 * (double)a;
    }
    pool->n_components = 3;
    pool->components = array(3, sizeof *pool->components);
    for (size_t k = 0; k < 3; k++) {
        pool->components[k].name = copy(COMPONENTS[k].name);
        pool->components[k].low = COMPONENTS[k].low;
        pool->components[k].high = COMPONENTS[k].high;
    }
    pool->n_counts = 1;
    pool->counts = array(1, sizeof *pool->counts);
    pool->counts[0] = copy("unsupported_claims");
    pool->n_aux = 2;
    pool->aux = array(2, sizeof *pool->aux);
    pool->aux[0] = copy("length");
    pool->aux[1] = copy("novelty");
    cr_assert_eq(regret_pool_default_segments(pool), 0);
}

static void fill_output(struct regret_output *o, const struct regret_pool *pool,
                        const struct sample_shape *shape, struct regret_rng *r)
{
    o->text = numbered("output \xe2\x80\x9cquoted\xe2\x80\x9d\n ", regret_rng_below(r, 1000));
    o->values = array(6, sizeof *o->values);
    for (size_t k = 0; k < 3; k++) {
        double q = (double)regret_rng_below(r, (uint32_t)shape->levels) /
                   (double)(shape->levels > 1 ? shape->levels - 1 : 1);
        const struct regret_component *c = &pool->components[k];
        o->values[k] = q == 1.0 ? c->high : c->low + q * (c->high - c->low);
    }
    o->values[3] = regret_rng_below(r, 6);
    o->values[4] = regret_rng_normal(r);
    o->values[5] = regret_rng_uniform(r) * 1e-7;
}

struct regret_pool *sample_pool(const struct sample_shape *shape)
{
    struct regret_rng r = regret_rng_at(shape->seed, REGRET_RNG_TEST, 0);
    struct regret_pool *pool = array(1, sizeof *pool);
    fill_header(pool, shape);
    pool->n_contexts = shape->contexts;
    pool->contexts = array(shape->contexts, sizeof *pool->contexts);
    for (size_t x = 0; x < shape->contexts; x++) {
        pool->contexts[x].id = numbered("c", x);
        pool->contexts[x].text = numbered("the article ", x);
    }
    pool->outputs =
        array(shape->contexts * shape->agents * shape->max_draws, sizeof *pool->outputs);
    for (size_t x = 0; x < shape->contexts; x++) {
        for (size_t a = 0; a < shape->agents; a++) {
            double u = regret_rng_uniform(&r);
            size_t draws = 1 + regret_rng_below(&r, (uint32_t)shape->max_draws);
            for (size_t k = 0; k < draws && (u >= shape->missing || x + a == 0); k++) {
                struct regret_output *o = &pool->outputs[pool->n_outputs++];
                o->context = (uint32_t)x;
                o->agent = (uint32_t)a;
                o->draw = (uint32_t)k;
                fill_output(o, pool, shape, &r);
            }
        }
    }
    cr_assert_eq(regret_pool_check(pool), 0, "%s", regret_error_message());
    return pool;
}

static char folder[64];

const char *sample_folder(void)
{
    if (folder[0] == '\0') {
        strcpy(folder, "/tmp/regret-pool-XXXXXX");
        cr_assert_not_null(mkdtemp(folder));
    }
    return folder;
}

void sample_cleanup(void)
{
    if (folder[0] != '\0') {
        cr_assert_eq(regret_folder_remove(folder), 0);
        folder[0] = '\0';
    }
}

const char *sample_path(const char *name)
{
    static char paths[8][256];
    static size_t next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", sample_folder(), name);
    return path;
}

void sample_write(const char *name, const char *text)
{
    cr_assert_eq(regret_file_write(sample_path(name), text, strlen(text)), 0, "%s",
                 regret_error_message());
}

struct regret_pool *sample_without_history(const char *name)
{
    struct regret_pool *pool = NULL;
    cr_assert_eq(regret_pool_read(&pool, sample_path(name)), 0, "%s", regret_error_message());
    pool_free_history(pool->history, pool->n_history);
    pool->history = NULL;
    pool->n_history = 0;
    char card[64]; /* would be lost, which is refused */
    snprintf(card, sizeof card, "%s/README.md", name);
    remove(sample_path(card));
    cr_assert_eq(regret_pool_write(pool, sample_path(name), NULL, 1), 0, "%s",
                 regret_error_message());
    regret_pool_free(pool);
    cr_assert_eq(regret_pool_read(&pool, sample_path(name)), 0, "%s", regret_error_message());
    return pool;
}

void sample_hand_written(void)
{
    cr_assert_eq(regret_folder_create(sample_path("p")), 0);
    sample_write("p/pool.json",
                 "{\"format\": \"regret-pool-1\", \"name\": \"hand\", \"title\": \"By hand\",\n"
                 " \"version\": \"1\", \"licence\": \"CC0-1.0\", \"source\": \"a test\",\n"
                 " \"synthetic\": true,\n"
                 " \"agents\": [{\"id\": \"lead\"}, {\"id\": \"long\", \"title\": \"Long\", "
                 "\"cost\": 2.5}],\n"
                 " \"components\": [{\"name\": \"faithfulness\", \"low\": 0, \"high\": 5},\n"
                 "                {\"name\": \"coverage\", \"low\": 1, \"high\": 5}],\n"
                 " \"counts\": [\"unsupported_claims\"], \"aux\": [\"words\"]}\n");
    sample_write("p/contexts.jsonl", "{\"id\": \"first\", \"text\": \"One.\"}\n\n"
                                     "{\"id\": \"second\", \"text\": \"Two.\"}\n");
    sample_write(
        "p/outputs.jsonl",
        "{\"context\": \"second\", \"agent\": \"long\", \"draw\": 1, \"text\": \"s-long-1\", "
        "\"components\": {\"faithfulness\": 5, \"coverage\": 1}, "
        "\"counts\": {\"unsupported_claims\": 2}, \"aux\": {\"words\": 1.5}}\n"
        "{\"context\": \"first\", \"agent\": \"lead\", \"text\": \"\", "
        "\"components\": {\"faithfulness\": 2, \"coverage\": 3}, "
        "\"counts\": {\"unsupported_claims\": 0}, \"aux\": {\"words\": -1}}\n"
        "{\"context\": \"second\", \"agent\": \"long\", \"text\": \"s-long-0\", "
        "\"components\": {\"coverage\": 5, \"faithfulness\": 0}, "
        "\"counts\": {\"unsupported_claims\": 7}, \"aux\": {\"words\": 0}}\n");
}
