/* Pools joined and cut, in memory: identities, what each failure of memory leaves, the history. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "pool/join.h"
#include "pool/sample.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(pool_join, .fini = sample_cleanup);

static const struct sample_shape SHAPE = {9, 4, 3, 0.2, 5, 3};

/* Keeps the contexts and agents that the patterns name; NULL: all. */
static struct regret_pool *part(const char *contexts, const char *agents)
{
    struct regret_pool *pool = sample_pool(&SHAPE);
    struct regret_pool_select_options o = {.contexts = {&contexts, contexts != NULL},
                                           .agents = {&agents, agents != NULL}};
    cr_assert_eq(regret_pool_select(pool, &o), 0, "%s", regret_error_message());
    return pool;
}

static char *bytes(const struct regret_pool *pool)
{
    static const char *const FILES[] = {"pool.json", "contexts.jsonl", "outputs.jsonl"};
    struct regret_buffer all = REGRET_BUFFER_INIT;
    char name[64];
    cr_assert_eq(regret_pool_write(pool, sample_path("w"), NULL, 1), 0, "%s",
                 regret_error_message());
    for (size_t i = 0; i < 3; i++) {
        char *text = NULL;
        snprintf(name, sizeof name, "w/%s", FILES[i]);
        cr_assert_eq(regret_file_read(&text, NULL, sample_path(name), 1 << 24), 0);
        regret_buffer_append(&all, text);
        regret_free(text);
    }
    return all.data;
}

/* Frees `pool`, which must be the sample again. */
static void is_the_sample(struct regret_pool *pool, const char *what)
{
    struct regret_pool *whole = sample_pool(&SHAPE);
    char *got = bytes(pool), *want = bytes(whole);
    cr_expect_str_eq(got, want, "%s", what);
    regret_free(got);
    regret_free(want);
    regret_pool_free(whole);
    regret_pool_free(pool);
}

static struct regret_pool_joined join(struct regret_pool *pool, struct regret_pool *more,
                                      const struct regret_pool_join_options *options)
{
    struct regret_pool_joined joined;
    cr_assert_eq(regret_pool_join(&joined, pool, more, options), 0, "%s", regret_error_message());
    regret_pool_free(more);
    return joined;
}

static void join_fails(struct regret_pool *pool, struct regret_pool *more, const char *message)
{
    cr_expect_eq(regret_pool_join(NULL, pool, more, NULL), REGRET_E_INPUT, "%s", message);
    cr_expect_not_null(strstr(regret_error_message(), message), "no \"%s\" in \"%s\"", message,
                       regret_error_message());
    regret_pool_free(pool);
    regret_pool_free(more);
}

static void set(char **text, const char *value)
{
    regret_free(*text);
    *text = NULL;
    cr_assert_eq(regret_strdup(text, value), 0);
}

Test(pool_join, what_differs_is_refused_by_name)
{
    struct regret_pool *more = sample_pool(&SHAPE);
    set(&more->contexts[4].text, "another");
    join_fails(sample_pool(&SHAPE), more,
               "context \"c4\" has another text than in pool \"sample\"; correct one of them, or "
               "--rename joins it as a context of its own, \"c4:2\"");
    struct regret_pool *pool = sample_pool(&SHAPE);
    set(&pool->contexts[2].tag, "news");
    more = sample_pool(&SHAPE);
    set(&more->contexts[2].tag, "sport");
    join_fails(pool, more, "context \"c2\" has another tag than");
    more = sample_pool(&SHAPE);
    more->components[1].high = 6;
    join_fails(sample_pool(&SHAPE), more,
               "component \"coverage\" is scored from 1 to 6 here and from 1 to 5 in pool "
               "\"sample\"; bring both to one range, or give one another name");
    more = sample_pool(&SHAPE);
    set(&more->outputs[0].text, "another");
    join_fails(
        sample_pool(&SHAPE), more,
        "context \"c0\", agent \"agent-0\", draw 0 has another text than in pool \"sample\"; "
        "--draws joins it");
    more = sample_pool(&SHAPE);
    more->outputs[0].values[3] += 1;
    join_fails(sample_pool(&SHAPE), more, "but \"unsupported_claims\" is ");
    more = sample_pool(&SHAPE);
    more->agents[1].cost = 7;
    join_fails(sample_pool(&SHAPE), more,
               "agent \"agent-1\" costs 7 here and 0.1 in pool \"sample\"; say which it is: "
               "--costs first, or --costs mean");
    more = sample_pool(&SHAPE);
    set(&more->aux[0], "mood");
    more->outputs[1].values[4] = 2;
    join_fails(part("c[0-4]", NULL), more,
               "\"length\" is not here but in pool \"sample\", so that ");
    more = part("c[0-4]", NULL);
    set(&more->components[2].name, "mood");
    join_fails(sample_pool(&SHAPE), more, "\"mood\" is here and not in pool \"sample\", so that ");
    more = sample_pool(&SHAPE);
    for (size_t k = 0; k < 3; k++) {
        char name[] = {(char)('a' + k), '\0'};
        set(&more->components[k].name, name);
    }
    pool = sample_pool(&SHAPE);
    const struct regret_pool_join_options common = {.common = 1};
    cr_expect_eq(regret_pool_join(NULL, pool, more, &common), REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), "has no component that pool \"sample\" has"));
    regret_pool_free(pool);
    regret_pool_free(more);
}

static void add_column(struct regret_pool *pool, const char *name, enum regret_column_kind kind)
{
    cr_assert_eq(REGRET_NEW(&pool->columns, 1), 0);
    pool->n_columns = 1;
    pool->columns[0].kind = kind;
    set(&pool->columns[0].name, name);
    for (size_t x = 0; x < pool->n_contexts; x++) {
        cr_assert_eq(REGRET_NEW(&pool->contexts[x].columns, 1), 0);
        pool->contexts[x].columns[0].number = kind == REGRET_COLUMN_NUMBER ? (double)x : 0.0;
        if (kind == REGRET_COLUMN_WORD) {
            set(&pool->contexts[x].columns[0].word, pool->contexts[x].id);
        }
    }
}

Test(pool_join, columns_of_both)
{
    struct regret_pool *pool = sample_pool(&SHAPE), *more = sample_pool(&SHAPE);
    add_column(pool, "age", REGRET_COLUMN_NUMBER);
    add_column(more, "place", REGRET_COLUMN_WORD);
    join(pool, more, NULL);
    cr_assert_eq(pool->n_columns, 2);
    cr_expect_eq(pool->contexts[8].columns[0].number, 8);
    cr_expect_str_eq(pool->contexts[8].columns[1].word, "c8");
    more = sample_pool(&SHAPE);
    add_column(more, "place", REGRET_COLUMN_WORD);
    const struct regret_pool_join_options common = {.common = 1};
    cr_expect_eq(join(pool, more, &common).left_out, 1);
    cr_assert_eq(pool->n_columns, 1);
    cr_expect_str_eq(pool->contexts[8].columns[0].word, "c8");
    more = part("c[0-4]", NULL);
    cr_expect_eq(join(pool, more, &common).left_out, 1, "no column is left");
    is_the_sample(pool, "without its columns");
    pool = sample_pool(&SHAPE);
    more = part("c[0-4]", NULL);
    add_column(more, "age", REGRET_COLUMN_NUMBER);
    join_fails(pool, more,
               "column \"age\" is here and not in pool \"sample\", so that context \"c5\" has "
               "none; add it, or --common");
    pool = sample_pool(&SHAPE);
    more = sample_pool(&SHAPE);
    add_column(pool, "age", REGRET_COLUMN_NUMBER);
    add_column(more, "age", REGRET_COLUMN_WORD);
    join_fails(pool, more, "column \"age\" is a word here and a number in pool");
    pool = sample_pool(&SHAPE);
    more = sample_pool(&SHAPE);
    add_column(pool, "age", REGRET_COLUMN_NUMBER);
    add_column(more, "age", REGRET_COLUMN_NUMBER);
    more->contexts[3].columns[0].number = 77;
    join_fails(pool, more, "context \"c3\" has another age than");
}

Test(pool_join, renamed_contexts_are_joined_once)
{
    const struct regret_pool_join_options rename = {.rename = 1};
    struct regret_pool *pool = sample_pool(&SHAPE);
    for (int round = 0; round < 2; round++) {
        struct regret_pool *more = part("c[0-4]", NULL);
        set(&more->contexts[1].text, "of another table");
        set(&more->contexts[3].id, "c1:2");
        set(&more->contexts[3].text, "which has that id");
        struct regret_pool_joined joined = join(pool, more, &rename);
        cr_expect_eq(joined.renamed, round == 0 ? 1 : 0);
        cr_expect_eq(joined.contexts, round == 0 ? 2 : 0, "the second time all are there");
        cr_expect_eq(joined.outputs == 0, round == 1);
        cr_assert_eq(pool->n_contexts, 11);
        cr_expect_str_eq(pool->contexts[9].id, "c1:3", "c1:2 is another one's");
        cr_expect_str_eq(pool->contexts[9].title, "c1");
        cr_expect_str_eq(pool->contexts[10].id, "c1:2");
    }
    regret_pool_free(pool);
}

Test(pool_join, costs)
{
    struct regret_pool_join_options o = {.costs = REGRET_JOIN_COSTS_MEAN};
    struct regret_pool *pool = part("c[0-3]", "agent-2"), *more = part("c[4-8]", "agent-2");
    double n = (double)pool->n_outputs, m = (double)more->n_outputs;
    pool->agents[0].cost = 3;
    more->agents[0].cost = 5;
    join(pool, more, &o);
    cr_expect_float_eq(pool->agents[0].cost, (3 * n + 5 * m) / (n + m), 1e-12);
    double before = pool->agents[0].cost;
    join(pool, part("c[4-8]", "agent-2"), &o);
    cr_expect_eq(pool->agents[0].cost, before, "no new output, no new cost");
    o.costs = REGRET_JOIN_COSTS_FIRST;
    join(pool, part(NULL, "agent-2"), &o);
    cr_expect_eq(pool->agents[0].cost, before);
    regret_pool_free(pool);
}

Test(pool_join, segments)
{
    struct regret_pool *pool = sample_pool(&SHAPE), *more = sample_pool(&SHAPE);
    set(&more->components[2].name, "judge");
    struct regret_pool_joined joined = join(pool, more, NULL);
    cr_expect(joined.components == 1 && joined.default_segments == 1);
    cr_expect_eq(pool->n_segments, 4);
    cr_expect_str_eq(pool->segments[3].name, "judge");
    pool->segments[0].weights[0] = 0.25;
    pool->segments[0].weights[3] = 0.45;
    const struct regret_pool_join_options common = {.common = 1};
    cr_expect_eq(join(pool, sample_pool(&SHAPE), &common).default_segments, 1, "weight was lost");
    is_the_sample(pool, "without the judge");
    pool = sample_pool(&SHAPE);
    more = sample_pool(&SHAPE);
    set(&more->components[0].name, "judge");
    pool->segments[1].weights[1] = 0.775;
    pool->segments[1].weights[0] = 0;
    cr_expect_eq(join(pool, more, NULL).default_segments, 0);
    cr_expect_eq(pool->n_segments, 3);
    cr_expect(pool->segments[1].weights[1] == 0.775 && pool->segments[1].weights[3] == 0);
    regret_pool_free(pool);
}

Test(pool_join, header_and_history)
{
    static const char DIGEST[] = "0123456789abcdef0123456789abcdef";
    char name[] = "table.csv";
    struct regret_pool_source from = {.name = name};
    strcpy(from.digest, DIGEST);
    strcpy(from.date, "2026-02-27T12:00:00Z");
    struct regret_pool *pool = part("c[0-3]", NULL), *more = part("c[4-8]", NULL);
    set(&pool->licence, "MIT; CC0-1.0");
    set(&more->source, "elsewhere");
    pool->synthetic = 0;
    cr_assert_eq(regret_pool_record(pool, "import csv", "2026-02-28", &from, 1), 0);
    cr_assert_eq(regret_pool_record(more, "import csv", "2026-02-28", &from, 1), 0);
    cr_assert_eq(regret_pool_record(more, "select", NULL, NULL, 0), 0);
    join(pool, more, NULL);
    cr_expect_str_eq(pool->licence, "MIT; CC0-1.0");
    cr_expect_str_eq(pool->source, "made by the tests; elsewhere");
    cr_expect_eq(pool->synthetic, 1);
    cr_assert_eq(pool->n_history, 2, "a step that both have is one");
    cr_expect_str_eq(pool->history[1].what, "select");
    char *once = bytes(pool), *twice = NULL;
    struct regret_pool *again = NULL;
    cr_assert_eq(regret_pool_read(&again, sample_path("w")), 0, "%s", regret_error_message());
    cr_expect_str_eq(again->history[0].from[0].digest, DIGEST);
    cr_expect_str_eq(again->history[0].from[0].date, from.date);
    twice = bytes(again);
    cr_expect_str_eq(once, twice);
    static const char *const DATES[] = {"2026-13-01", "2026-00-01", "2026-01-32",
                                        "2026-1-1",   "today",      ""};
    for (size_t i = 0; i < sizeof DATES / sizeof *DATES; i++) {
        cr_expect_eq(regret_pool_record(pool, "x", DATES[i], NULL, 0), REGRET_E_INPUT, "%s",
                     DATES[i]);
    }
    from.digest[3] = 'G';
    cr_expect_eq(regret_pool_record(pool, "x", NULL, &from, 1), REGRET_E_INPUT);
    cr_expect_eq(regret_pool_record(pool, "two\nlines", NULL, NULL, 0), REGRET_E_INPUT);
    cr_expect_eq(pool->n_history, 2, "nothing has changed");
    while (pool->n_history < REGRET_POOL_MAX_HISTORY) {
        cr_assert_eq(regret_pool_record(pool, "x", NULL, NULL, 0), 0);
    }
    cr_expect_eq(regret_pool_record(pool, "x", NULL, NULL, 0), REGRET_E_INPUT);
    regret_free(once);
    regret_free(twice);
    regret_pool_free(again);
    regret_pool_free(pool);
}

/* Every allocation fails once. */
Test(pool_join, no_memory)
{
    const struct regret_pool_join_options o = {.rename = 1, .costs = REGRET_JOIN_COSTS_MEAN};
    int rc = REGRET_E_NOMEM;
    long k = 0;
    for (; rc == REGRET_E_NOMEM; k++) {
        struct regret_pool *pool = part("c[0-6]", NULL), *more = part("c[0-6]", NULL);
        add_column(pool, "place", REGRET_COLUMN_WORD);
        add_column(more, "town", REGRET_COLUMN_WORD);
        set(&more->components[1].name, "judge");
        set(&more->source, "elsewhere");
        more->agents[1].cost = 9;
        cr_assert_eq(regret_pool_record(more, "select", NULL, NULL, 0), 0);
        regret_alloc_fail_after(k);
        rc = regret_pool_join(NULL, pool, more, &o);
        regret_alloc_fail_after(-1);
        cr_assert(rc == REGRET_OK || rc == REGRET_E_NOMEM, "%ld: %s", k, regret_error_message());
        regret_pool_free(pool);
        regret_pool_free(more);
    }
    cr_expect_gt(k, 100);
    const char *tag = "c[0-3]";
    for (k = 0, rc = REGRET_E_NOMEM; rc == REGRET_E_NOMEM; k++) {
        struct regret_pool *pool = sample_pool(&SHAPE);
        struct regret_pool_select_options s = {
            .contexts = {&tag, 1}, .sample = 2, .seed = 5, .by_tag = 1};
        set(&pool->contexts[0].tag, "news");
        regret_alloc_fail_after(k);
        rc = regret_pool_select(pool, &s);
        regret_alloc_fail_after(-1);
        cr_assert(rc == REGRET_OK || rc == REGRET_E_NOMEM);
        cr_expect_eq(pool->n_contexts, rc == REGRET_OK ? 3 : 9, "as it was, or cut");
        regret_pool_free(pool);
    }
    cr_expect_gt(k, 5);
}

/* Screens show titles, which are as good as ids. */
Test(pool_join, titles_select_as_ids_do)
{
    struct regret_pool *pool = part(NULL, "agent-[12]"), *same = part(NULL, "Agent [12]");
    char *by_id = bytes(pool), *by_title = bytes(same);
    cr_expect_str_eq(by_id, by_title);
    regret_free(by_id);
    regret_free(by_title);
    regret_pool_free(same);
    const char *title = "A/title";
    set(&pool->contexts[4].title, title);
    struct regret_pool_select_options o = {.contexts = {&title, 1}};
    cr_assert_eq(regret_pool_select(pool, &o), 0, "%s", regret_error_message());
    cr_expect(pool->n_contexts == 1 && pool->n_agents == 2);
    regret_pool_free(pool);
}

Test(pool_join, what_cannot_be_selected_is_refused)
{
    struct regret_pool *pool = sample_pool(&SHAPE);
    const char *one = "c1", *none = "c77", *near = "Agemt 2";
    const struct {
        struct regret_pool_select_options options;
        const char *message;
    } cases[] = {
        {{.contexts = {&none, 1}}, "--context \"c77\" matches nothing in pool \"sample\""},
        {{.agents = {&near, 1}}, "did you mean \"Agent 2\"?"},
        {{.agents = {&one, 1}}, "there are \"agent-0\", \"agent-1\", \"agent-2\""},
        {{.not_agents = {&none, 1}}, "--not-agent \"c77\" matches nothing"},
        {{.contexts = {&one, 1}, .not_contexts = {&one, 1}}, "0 contexts and 4 agents of pool"},
        {{.sample = 10}, "a sample of 10 contexts is wanted where 9 of pool \"sample\" match"},
        {{.sample = 1, .by_tag = 1}, "has a tag; leave --by-tag out"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_expect_eq(regret_pool_select(pool, &cases[i].options), REGRET_E_INPUT);
        cr_expect_not_null(strstr(regret_error_message(), cases[i].message), "no \"%s\" in \"%s\"",
                           cases[i].message, regret_error_message());
    }
    is_the_sample(pool, "after refusals");
}

Test(pool_join, a_larger_sample_holds_the_smaller)
{
    for (size_t size = 1; size < 9; size++) {
        struct regret_pool *small = sample_pool(&SHAPE), *large = sample_pool(&SHAPE);
        struct regret_pool_select_options o = {.sample = size, .seed = 4};
        cr_assert_eq(regret_pool_select(small, &o), 0);
        o.sample = size + 1;
        cr_assert_eq(regret_pool_select(large, &o), 0);
        cr_expect(small->n_contexts == size && large->n_contexts == size + 1);
        cr_expect_eq(join(large, small, NULL).contexts, 0);
        regret_pool_free(large);
    }
}
