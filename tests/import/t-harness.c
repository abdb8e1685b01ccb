/* Which answers of evaluation harnesses are kept, against a naive look at all of them (tests/cases/imports/answers has the rest). */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/builder.h"
#include "import/harness.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "regret/task.h"

#pragma GCC diagnostic ignored "-Woverride-init" /* ANSWER() has a default of each field */

static struct regret_buffer said;
static struct harness *h;
static struct harness_options options;

static void begin(void)
{
    harness_free(h);
    h = NULL;
    regret_buffer_clear(&said);
    cr_assert_eq(harness_begin(&h, &options), 0);
}

static const struct harness_score HALF[] = {{"acc", 0.5}};

/* An answer to request 1 of task t by agent a, with a score of .5, but for what is said otherwise. */
#define ANSWER(...)                                                                                \
    (&(struct harness_answer){.task = "t",                                                         \
                              .id = "1",                                                           \
                              .prompt = "p",                                                       \
                              .agent = "a",                                                        \
                              .output = "o",                                                       \
                              .run = "r",                                                          \
                              .cost = NAN,                                                         \
                              .scores = HALF,                                                      \
                              .n_scores = 1,                                                       \
                              .at = {"f", 1},                                                      \
                              __VA_ARGS__})
#define SCORES(...)                                                                                \
    .scores = (struct harness_score[]){__VA_ARGS__},                                               \
    .n_scores = sizeof((struct harness_score[]){__VA_ARGS__}) / sizeof(struct harness_score)

static void add(const struct harness_answer *answer)
{
    cr_assert_eq(harness_add(h, answer), 0, "%s", regret_error_message());
}

/* The pool of what was added. */
static struct regret_pool *finished(void)
{
    struct regret_pool *pool = NULL;
    const struct importer_call call = {.name = "the pool", .into = &pool, .report = &said};
    const struct import_description made = {.name = "made", .title = "Made"};
    cr_assert_eq(harness_finish(h, &call, &made, "A card."), 0, "%s", regret_error_message());
    return pool;
}

/* ---------------------------------------------------------------- against a naive reference */

enum { MOST = 400, TASKS = 3, IDS = 7, AGENTS = 4, RUNS = 2, REPEATS = 2 };

struct made {
    int task, id, agent, run, repeat, state;
    double score;
};

/* Whether answer i is kept, by looking at all others. */
static int is_kept(const struct made *m, size_t n, size_t i)
{
    if (m[i].state == HARNESS_FAILED || isnan(m[i].score)) {
        return 0;
    }
    for (size_t j = 0; j < n && options.runs == HARNESS_RUNS_LAST; j++) {
        int is_same = m[j].task == m[i].task && m[j].id == m[i].id && m[j].agent == m[i].agent &&
                      m[j].state != HARNESS_FAILED && !isnan(m[j].score);
        if (is_same && (m[j].run > m[i].run ||
                        (m[j].run == m[i].run && m[j].repeat == m[i].repeat && j > i))) {
            return 0;
        }
    }
    return 1;
}

static size_t output_of(const struct regret_pool *pool, const struct made *m, double score)
{
    char context[40], agent[20];
    size_t found = 0;
    snprintf(context, sizeof context, "t%d:%d", m->task, m->id);
    snprintf(agent, sizeof agent, "m%d", m->agent);
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        found += strcmp(pool->contexts[o->context].id, context) == 0 &&
                 strcmp(pool->agents[o->agent].id, agent) == 0 && o->values[0] == score;
    }
    return found;
}

static void add_made(const struct made *m)
{
    static const char *const RUN[] = {"0", "1"};
    char task[20], id[20], agent[20];
    snprintf(task, sizeof task, "t%d", m->task);
    snprintf(id, sizeof id, "%d", m->id);
    snprintf(agent, sizeof agent, "m%d", m->agent);
    add(ANSWER(.task = task, .id = id, .agent = agent, .run = RUN[m->run],
               .repeat = (size_t)m->repeat, .state = (enum harness_state)m->state,
               SCORES({"acc", m->score})));
}

Test(harness, what_is_kept_is_what_a_naive_look_at_all_answers_keeps)
{
    static struct made m[MOST];
    options.runs = HARNESS_RUNS_DRAWS;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct regret_rng rng = regret_rng_at(seed, 0, 0);
        size_t kept = 0;
        options.runs = seed % 2 ? HARNESS_RUNS_DRAWS : HARNESS_RUNS_LAST;
        begin();
        add(ANSWER(.task = "t0", .id = "0", .agent = "m0", .run = "0",
                   .state = HARNESS_FAILED)); /* runs in order */
        add(ANSWER(.task = "t0", .id = "0", .agent = "m0", .run = "1", .state = HARNESS_FAILED));
        for (size_t i = 0; i < MOST; i++) {
            m[i] = (struct made){(int)regret_rng_below(&rng, TASKS),
                                 (int)regret_rng_below(&rng, IDS),
                                 (int)regret_rng_below(&rng, AGENTS),
                                 (int)regret_rng_below(&rng, RUNS),
                                 (int)regret_rng_below(&rng, REPEATS),
                                 regret_rng_uniform(&rng) < 0.1 ? HARNESS_FAILED : HARNESS_ANSWERED,
                                 regret_rng_uniform(&rng) < 0.1 ? NAN : (double)i / MOST};
            add_made(&m[i]);
        }
        struct regret_pool *pool = finished();
        for (size_t i = 0; i < MOST; i++) {
            int is = is_kept(m, MOST, i);
            kept += (size_t)is;
            cr_assert_eq(output_of(pool, &m[i], m[i].score), is, "seed %d, answer %zu", (int)seed,
                         i);
        }
        cr_assert_eq(pool->n_outputs, kept);
        regret_pool_free(pool);
    }
}
