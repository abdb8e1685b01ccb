/* Columns that decide are named with their cut, and columns that do not are not. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "model/deciding.h"
#include "regret/task.h"

enum { ROWS = 400 };
static const char *const agents[] = {"a", "b", "c"}, *const lands[] = {"here", "there"};

struct world {
    double size[ROWS], noise[ROWS];
    uint32_t land[ROWS], choice[ROWS];
    struct deciding_column column[3];
};

static void make(struct world *w, uint64_t seed)
{
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_TEST, 0);
    for (size_t i = 0; i < ROWS; i++) {
        w->size[i] = i % 40 == 1 ? NAN : regret_rng_uniform(&rng);
        w->noise[i] = regret_rng_normal(&rng);
        w->land[i] = regret_rng_below(&rng, 2);
        w->choice[i] = regret_rng_below(&rng, 3);
    }
    w->column[0] = (struct deciding_column){.name = "noise", .number = w->noise};
    w->column[1] = (struct deciding_column){.name = "size", .number = w->size};
    w->column[2] = (struct deciding_column){"land", NULL, w->land, 2, lands, NULL};
}

static struct deciding found(const struct world *w)
{
    struct deciding d;
    cr_assert_eq(deciding_find(&d, w->choice, ROWS, 3, w->column, 3), REGRET_OK);
    return d;
}

/* c above .6; below, or where it is not known, b there and a here. */
Test(deciding, names_what_was_planted)
{
    static struct world w;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        size_t large = 0, there = 0;
        make(&w, seed);
        for (size_t i = 0; i < ROWS; i++) {
            int is_large = w.size[i] >= 0.6;
            w.choice[i] = i == 0 ? UINT32_MAX : is_large ? 2 : w.land[i];
            large += i > 0 && is_large;
            there += i > 0 && !is_large && w.land[i] == 1;
        }
        struct deciding d = found(&w);
        cr_assert_eq(d.n, 2);
        const struct deciding_cut *size = &d.cut[0], *land = &d.cut[1];
        cr_expect(size->column == 1 && size->within == -1 && fabs(size->least - 0.6) < 0.02);
        cr_expect(size->side[1].agent == 2 && size->side[1].share == 1.0 &&
                  size->side[1].rows == large && size->side[0].rows == ROWS - 1 - large);
        cr_expect(land->column == 2 && land->within == 0 && land->on == 0);
        size_t one = land->word;
        cr_expect(land->side[1].agent == one && land->side[0].agent == 1 - one);
        cr_expect_eq(land->side[one].rows, there);
    }
}

Test(deciding, names_nothing_where_nothing_decides)
{
    static struct world w;
    size_t named = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        make(&w, seed);
        named += found(&w).n;
    }
    cr_expect_leq(named, 2);
}

Test(deciding, says_it)
{
    static struct world w;
    struct regret_buffer t = REGRET_BUFFER_INIT;
    make(&w, 1);
    const struct deciding d = {2,
                               100,
                               {{1, 0.625, 0, -1, 0, {{60, 0, 0.95}, {40, 2, 1.0}}},
                                {2, 0.0, 1, 0, 0, {{30, 0, 1.0}, {30, 1, 0.9}}}}};
    deciding_say(&t, &d, w.column, agents);
    cr_expect_str_eq(
        regret_buffer_get(&t),
        "size at least 0.625: c for 100 % of 40 requests, else a for 95 % of 60; where "
        "not size at least 0.625, land is there: b for 90 % of 30, else a for 100 % of "
        "30");
    regret_buffer_clear(&t);
    deciding_json(&t, &d, w.column, agents);
    cr_expect_str_eq(
        regret_buffer_get(&t),
        "[\n{\"column\":\"size\",\"least\":0.625,\"then\":{\"agent\":\"c\",\"rows\":40,\"share\":1}"
        ","
        "\"else\":{\"agent\":\"a\",\"rows\":60,\"share\":0.95}},"
        "\n{\"column\":\"land\",\"is\":\"there\",\"within\":0,\"side\":\"else\",\"then\":{"
        "\"agent\":"
        "\"b\",\"rows\":30,\"share\":0.9},\"else\":{\"agent\":\"a\",\"rows\":30,\"share\":1}}]");
    regret_buffer_free(&t);
}
