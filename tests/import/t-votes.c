/* Tables of votes between two answers. */
#include <criterion/criterion.h>
#include <string.h>

#include "../pool/sample.h"
#include "regret/import.h"
#include "regret/pool.h"

TestSuite(import_votes, .fini = sample_cleanup);

#define MAP(more)                                                                                  \
    "{\"name\": \"v\", \"synthetic\": true, \"columns\": {\"context\": \"id\", \"text\": "         \
    "\"prompt\"}, \"votes\": {\"model_a\": \"a\", \"model_b\": \"b\", \"winner\": \"w\"" more "}}"
#define HEAD "id,prompt,a,b,w\n"

static int import(struct regret_pool **out, const char *map, const char *table)
{
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    sample_write("v.csv", table);
    sample_write("map.json", map);
    int rc = regret_import_table(NULL, sample_path("v.csv"), sample_path("map.json"),
                                 sample_path("p"), &options, 1);
    return rc == 0 ? regret_pool_read(out, sample_path("p")) : rc;
}

/* A win is 1 and 0, a tie and both bad are a half of each; two votes on one prompt and pair are their mean. */
Test(import_votes, are_outcomes_of_a_pair)
{
    static const double wins[4][2] = {{1.0, 0.0}, {0.5, 0.5}, {0.5, 0.5}, {0.5, 0.5}};
    struct regret_pool *pool = NULL;
    cr_assert_eq(import(&pool, MAP(""),
                        HEAD "1,one,x,y,model_a\n2,two,x,y,tie\n3,three,x,y,tie (bothbad)\n"
                             "4,four,x,y,model_a\n4,four,x,y,model_b\n"),
                 0, "%s", regret_error_message());
    cr_assert_eq(pool->n_contexts, 4);
    cr_assert_eq(pool->n_agents, 2);
    cr_assert_eq(pool->n_outputs, 8);
    for (size_t i = 0; i < 8; i++) {
        const struct regret_output *o = &pool->outputs[i];
        cr_expect_eq(o->values[0], wins[o->context][o->agent], "output %zu", i);
        cr_expect_eq(o->values[1], o->context == 3 ? 2.0 : 1.0, "votes of output %zu", i);
    }
    regret_pool_free(pool);
}

Test(import_votes, what_is_no_vote_is_refused_with_its_line)
{
    struct regret_pool *pool = NULL;
    cr_assert_eq(import(&pool, MAP(""), HEAD "1,one,x,y,model_a\n2,two,x,y,perhaps\n"),
                 REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "v.csv:3"), "%s", regret_error_message());
    /* nobody wins against himself: left out */
    cr_assert_eq(import(&pool, MAP(""), HEAD "1,one,x,x,model_a\n"), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "none of its 1 rows is of use"), "%s",
                       regret_error_message());
}
