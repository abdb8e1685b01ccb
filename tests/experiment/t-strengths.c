/* best-bt and best-by-tag-bt of a pool of votes: who has them. tests/outside/check_votes.py recomputes what they choose. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "experiment/exported.h"
#include "experiment/fixture.h"
#include "regret/buffer.h"

enum { CONTEXTS = 60, AGENTS = 4, KINDS = 2 };

/* Context x is a vote of the pair that x says, of the tag of its last bit; agents of a number from `split` on meet each other
 * alone. `champion` wins all of his votes, if there is one. */
static size_t first_of(size_t x, size_t split)
{
    return split < AGENTS ? x % 4 / 2 * split : x % AGENTS;
}

static size_t second_of(size_t x, size_t split)
{
    return split < AGENTS ? x % 4 / 2 * split + 1 : (x + 1 + x / AGENTS % 3) % AGENTS;
}

static double share_of(size_t x, size_t a, size_t b, size_t champion)
{
    static const double SHARES[] = {1.0, 0.5, 0.0, 1.0, 1.0, 0.0, 0.5};
    return a == champion ? 1.0 : b == champion ? 0.0 : SHARES[x * x % 7];
}

static void write_votes(const char *component, size_t split, size_t champion)
{
    struct regret_buffer contexts = REGRET_BUFFER_INIT, outputs = REGRET_BUFFER_INIT;
    char head[512];
    snprintf(head, sizeof head,
             "{\"format\":\"regret-pool-1\",\"name\":\"votes\",\"title\":\"t\",\"version\":\"1\","
             "\"licence\":\"l\",\"source\":\"s\",\"synthetic\":true,\"agents\":[{\"id\":\"m0\"},"
             "{\"id\":\"m1\"},{\"id\":\"m2\"},{\"id\":\"m3\"}],"
             "\"components\":[{\"name\":\"%s\",\"low\":0,\"high\":1}]}",
             component);
    for (size_t x = 0; x < CONTEXTS; x++) {
        size_t a = first_of(x, split), b = second_of(x, split);
        double s = share_of(x, a, b, champion), low = a < b ? s : 1.0 - s;
        regret_buffer_printf(&contexts,
                             "{\"id\":\"c%02zu\",\"text\":\"request %zu\",\"tag\":\"%s\"}\n", x, x,
                             x % KINDS == 0 ? "even" : "odd");
        for (size_t k = 0; k < 2; k++) {
            size_t agent = k == 0 ? (a < b ? a : b) : (a < b ? b : a);
            regret_buffer_printf(&outputs,
                                 "{\"context\":\"c%02zu\",\"agent\":\"m%zu\",\"draw\":0,\"text\":"
                                 "\"answer %zu\",\"components\":{\"%s\":%g}}\n",
                                 x, agent, agent, component, k == 0 ? low : 1.0 - low);
        }
    }
    sample_write("pool/pool.json", head);
    sample_write("pool/contexts.jsonl", regret_buffer_get(&contexts));
    sample_write("pool/outputs.jsonl", regret_buffer_get(&outputs));
    regret_buffer_free(&contexts);
    regret_buffer_free(&outputs);
}

static const char *const SETS[] = {"grid.policy=observed"};

TestSuite(strengths, .init = fixture_open, .fini = fixture_close);

static struct regret_results *run_of_votes(void)
{
    struct regret_results *r = NULL;
    fixture_make_with("r", SETS, 1);
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0, "%s", regret_error_message());
    return r;
}

static int has_won(const struct regret_run_grid *g, size_t a, size_t b)
{
    int found = 0;
    for (size_t i = 0; i < g->n_won; i++) {
        found |= g->won[i][0] == a && g->won[i][1] == b;
    }
    return found;
}

/* Nothing could be recommended after a run of parts that no vote joins. */
Test(strengths, parts_that_no_vote_joins)
{
    write_votes("win", 2, AGENTS);
    fixture_refused(SETS, 1,
                    "2 parts that no vote joins: {m0, m1}, {m2, m3}; values can be compared within "
                    "a part alone: add votes between them, or take one (regret pool select POOL "
                    "--agent m0 --agent m1 -o PART, to be run with --set router.slate=2)");
}

/* Whoever wins all of his votes is always named, and nothing is lost where he is. */
Test(strengths, who_always_wins_is_best)
{
    write_votes("win", AGENTS, 2);
    struct regret_results *r = run_of_votes();
    size_t subject = regret_results_subject(r, REGRET_ROW_BASELINE, "best-bt");
    cr_assert_neq(subject, REGRET_NO_ROW);
    cr_expect_str_eq(r->subjects[subject].source, "BT");
    cr_expect(has_won(&r->grids[0], 2, 0));
    cr_expect_not(has_won(&r->grids[0], 0, 2));
    for (uint64_t seed = 0; seed < r->n_seeds; seed++) {
        struct regret_list_view c =
            regret_results_list(r, REGRET_LIST_CHOICE_ALL, subject, 0, seed);
        for (size_t i = 0; i < c.n; i++) {
            cr_expect_eq((size_t)c.number[i], 2);
        }
    }
    regret_results_free(r);
}

/* An export knows the share of votes of the two who met on a context, and of nobody else. */
Test(strengths, exports_have_the_two_of_each_vote)
{
    struct exported e;
    write_votes("win", AGENTS, 2);
    exported_make(&e, SETS, 1, (struct exported_place){0, 1, 0});
    for (size_t i = 0; i < e.n_contexts * AGENTS; i++) {
        size_t x = i / AGENTS, a = i % AGENTS;
        int met = first_of(x, AGENTS) == a || second_of(x, AGENTS) == a;
        cr_expect_eq(!isnan(e.mu[i]), met, "context %zu, agent %zu", x, a);
    }
    exported_close(&e);
}

static int has(const char *const *sets, size_t n)
{
    struct regret_run_options o = fixture_options("other");
    struct regret_results *r = NULL;
    o.sets = sets;
    o.n_sets = n;
    o.force = 1;
    fixture_run(&o);
    cr_assert_eq(regret_results_read(&r, sample_path("other")), 0, "%s", regret_error_message());
    int found = regret_results_subject(r, REGRET_ROW_BASELINE, "best-bt") != REGRET_NO_ROW;
    regret_results_free(r);
    return found;
}

Test(strengths, are_of_votes_alone)
{
    static const char *const filled[] = {"grid.policy=impute-zero"};
    static const char *const priced[] = {"grid.policy=observed",
                                         "sweep.reward.map=[\"smooth\",\"priced\"]"};
    write_votes("win", AGENTS, AGENTS);
    struct regret_results *r = run_of_votes();
    cr_expect_null(r->grids[0].won, "all stand in one order");
    regret_results_free(r);
    cr_expect(has(SETS, 1));
    cr_expect_not(has(filled, 1));
    cr_expect_not(has(priced, 2));
    write_votes("score", AGENTS, AGENTS);
    cr_expect_not(has(SETS, 1));
}
