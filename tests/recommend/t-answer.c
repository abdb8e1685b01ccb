/* Which agent to use, on tables small enough for a reference: its numbers are of NumPy and SciPy, with parts i mod 5 and one division. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "recommend/internal.h"

static const double GRADED[30] = {.9, .4, .5, .8, .5, .3, .7, .2, .6, .9, .6, .4, .3, .8, .5,
                                  .2, .9, .4, .4, .7, .6, .3, .6, .2, .8, .3, .4, .2, .7, .3};
static const uint32_t TAGS[10] = {0, 0, 0, 0, 1, 1, 1, 1, 0, 1};
static const char *const NAMES[3] = {"a", "b", "c"};
static const char *const TAG_NAMES[2] = {"x", "y"};

static void table_of(struct score_table *s, const double *y, size_t n, size_t m, int tags)
{
    *s = (struct score_table){.n = n, .m = m, .one = 1.0, .measure = "", .name = "table"};
    s->y = malloc(n * m * sizeof *y);
    memcpy(s->y, y, n * m * sizeof *y);
    s->agent = malloc(3 * sizeof *NAMES);
    memcpy(s->agent, NAMES, 3 * sizeof *NAMES);
    if (tags) {
        s->tag = malloc(n * sizeof *s->tag);
        memcpy(s->tag, TAGS, n * sizeof *s->tag);
        s->tag_name = malloc(2 * sizeof *TAG_NAMES);
        memcpy(s->tag_name, TAG_NAMES, 2 * sizeof *TAG_NAMES);
        s->n_tags = 2;
    }
}

static void expect_near(double got, double want)
{
    cr_expect_float_eq(got, want, 2e-9, "%.10f, not %.10f", got, want);
}

static const struct answer_options ONCE = {.incumbent = REGRET_NO_AGENT,
                                           .level = 0.95,
                                           .worse = NAN,
                                           .seed = 1,
                                           .divisions = 0,
                                           .threads = 1};

Test(answer, graded_by_tag)
{
    struct score_table s;
    struct answer a;
    table_of(&s, GRADED, 10, 3, 1);
    cr_assert_eq(answer_make(&a, &s, &ONCE), 0);
    expect_near(a.all.agent[0].level.value, 0.55);
    expect_near(a.all.agent[1].level.value, 0.57);
    expect_near(a.all.agent[2].level.value, 0.42);
    cr_expect_eq(a.all.best, 1u);
    cr_expect_eq(a.all.set, 3u);
    cr_expect(a.tag[0].chosen == 0 && a.tag[1].chosen == 1);
    expect_near(a.tag_over_one.gain.value, 0.33);
    expect_near(a.tag_over_one.gain.low, 0.148243653);
    expect_near(a.tag_over_one.gain.high, 0.511756347);
    cr_expect_eq(a.verdict, VERDICT_BY_TAG);
    answer_free(&a);
    score_table_free(&s);
}
