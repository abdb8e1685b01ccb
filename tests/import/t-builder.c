/* The builder that all importers share. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "import/builder.h"
#include "regret/status.h"

static const struct regret_place AT = {"rows", 3};

/* A row of a context and an agent, with a text and the one score. */
static void add(struct import_builder *b, const char *context, const char *agent, const char *text,
                double score)
{
    struct import_row row = {.number = b->n_rows + 1, .weak = text[0] == '\0'};
    cr_assert_eq(import_enter(&row.context, &b->contexts, context, row.number, AT), 0);
    cr_assert_eq(import_enter(&row.agent, &b->agents, agent, row.number, AT), 0);
    if (b->contexts.entry[row.context].text == NULL) {
        cr_assert_eq(import_text(&b->contexts.entry[row.context].text, b, context), 0);
    }
    cr_assert_eq(import_text(&row.text, b, text), 0);
    cr_assert_eq(REGRET_NEW(&row.values, 1), 0);
    row.values[0] = score;
    cr_assert_eq(import_add_row(b, &row), 0);
}

static void begin(struct import_builder *b)
{
    const struct import_description description = {"made", "Made", "1", "none", "here"};
    cr_assert_eq(import_begin(b), 0);
    cr_assert_eq(import_describe(b->pool, &description), 0);
    cr_assert_eq(REGRET_NEW(&b->pool->components, 1), 0);
    b->pool->n_components = 1;
    b->pool->components[0].high = 9.0;
    cr_assert_eq(regret_strdup(&b->pool->components[0].name, "good"), 0);
    cr_assert_eq(regret_pool_default_segments(b->pool), 0);
}

static int refuse(const struct import_repeat *repeat, const char *path)
{
    return regret_fail(REGRET_E_INPUT, "%s %s %s %zu %zu", path, repeat->context, repeat->agent,
                       repeat->first, repeat->second);
}

/* The scores of the pool's outputs, in its order. */
static void check_repeats(enum regret_repeats rule, const char *wanted)
{
    struct import_builder b;
    char scores[32] = "";
    begin(&b);
    add(&b, "x", "a10", "", 1);
    add(&b, "y", "a2", "t", 2);
    add(&b, "x", "a10", "t", 3);
    add(&b, "x", "a2", "t", 4);
    add(&b, "x", "a10", "t", 5);
    add(&b, "x", "a10", "", 6);
    cr_assert_eq(import_settle_repeats(&b, rule, refuse, NULL), 0);
    cr_assert_eq(import_number_draws(&b), 0);
    cr_assert_eq(import_build(&b), 0, "%s", regret_error_message());
    for (size_t i = 0; i < b.pool->n_outputs; i++) {
        const struct regret_output *o = &b.pool->outputs[i];
        snprintf(scores + strlen(scores), sizeof scores - strlen(scores), "%g/%u ", o->values[0],
                 (unsigned)o->draw);
    }
    cr_assert_str_eq(scores, wanted);
    cr_assert_eq(b.pairs, 3);
    cr_assert_str_eq(b.pool->contexts[0].id, "x"); /* as entered */
    cr_assert_str_eq(b.pool->agents[0].id, "a2");  /* in natural order */
    import_free(&b);
}

Test(import_builder, repeats)
{
    check_repeats(REGRET_REPEATS_FIRST, "4/0 3/0 2/0 ");
    check_repeats(REGRET_REPEATS_LAST, "4/0 5/0 2/0 ");
    check_repeats(REGRET_REPEATS_DRAWS, "4/0 1/0 3/1 5/2 6/3 2/0 ");
}

Test(import_builder, a_repeat_can_be_refused)
{
    struct import_builder b;
    begin(&b);
    add(&b, "x", "a", "t", 1);
    add(&b, "y", "a", "t", 2);
    add(&b, "x", "a", "t", 3);
    cr_assert_eq(import_settle_repeats(&b, REGRET_REPEATS_REFUSE, refuse, "rows"), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(), "rows x a 1 3");
    import_free(&b);
}

/* What no row that is kept names is not in the pool; a cost is a mean, or 1. */
Test(import_builder, registers)
{
    struct import_builder b;
    uint32_t i = 0;
    begin(&b);
    cr_assert_eq(import_enter(&i, &b.contexts, "unused", 0, AT), 0);
    cr_assert_eq(import_enter(&i, &b.agents, "unused", 0, AT), 0);
    add(&b, "x", "a b", "t", 1);
    add(&b, "x", "c", "t", 2);
    cr_assert_eq(import_enter(&i, &b.agents, "a/b", 7, AT), 0);
    cr_assert_str_eq(b.agents.entry[i].id, "a-b:2", "two names have two ids");
    cr_assert_str_eq(b.agents.entry[i].given, "a/b");
    cr_assert_eq(import_enter(&i, &b.agents, "c", 7, AT), 0);
    b.agents.entry[i].cost = 3.0;
    b.agents.entry[i].costs = 2;
    b.agents.closed_by = "the list";
    cr_assert_eq(import_enter(&i, &b.agents, "d", 7, AT), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(), "rows:3: agent \"d\" is not in the list");
    cr_assert_eq(import_settle_repeats(&b, REGRET_REPEATS_FIRST, refuse, NULL), 0);
    cr_assert_eq(import_build(&b), 0, "%s", regret_error_message());
    cr_assert(b.pool->n_contexts == 1 && b.pool->n_agents == 2);
    cr_assert_str_eq(b.pool->agents[0].id, "a-b");
    cr_assert_str_eq(b.pool->agents[0].title, "a b");
    cr_assert(b.pool->agents[0].cost == 1.0 && b.pool->agents[1].cost == 1.5);
    import_free(&b);
}

/* Ids are found after agents were put in order, and there is room for many. */
Test(import_builder, many_agents_in_natural_order)
{
    struct import_builder b;
    char name[16];
    uint32_t i = 0;
    begin(&b);
    b.agents.most = 1000;
    for (int a = 999; a >= 0; a--) {
        snprintf(name, sizeof name, "a%d", a);
        add(&b, "x", name, "t", 1);
    }
    cr_assert_eq(import_enter(&i, &b.agents, "another", 0, AT), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(), "rows:3: more than 1000 agents");
    cr_assert_eq(import_rank_agents(&b), 0);
    for (uint32_t a = 0; a < 1000; a++) {
        snprintf(name, sizeof name, "a%u", a);
        cr_assert_eq(import_enter(&i, &b.agents, name, 0, AT), 0);
        cr_assert_eq(i, a);
        cr_assert_eq(b.rows[999 - a].agent, a);
    }
    import_free(&b);
}
