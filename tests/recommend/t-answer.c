/* Which agent to use, on tables small enough for a reference: its numbers are of NumPy and SciPy, with parts i mod 5, one division and
 * tails of .025. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "recommend/internal.h"
#include "stats/distributions.h"
#include "stats/multiplicity.h"

enum { N = 10, M = 3 };
static const double GRADED[N * M] = {.9, .4, .5, .8, .5, .3, .7, .2, .6, .9, .6, .4, .3, .8, .5,
                                     .2, .9, .4, .4, .7, .6, .3, .6, .2, .8, .3, .4, .2, .7, .3};
static const uint32_t TAGS[N] = {0, 0, 0, 0, 1, 1, 1, 1, 0, 1};
static const char *const NAMES[M] = {"a", "b", "c"};
static const struct answer_options ONCE = {.incumbent = REGRET_NO_AGENT,
                                           .level = 0.95,
                                           .worse = NAN,
                                           .seed = 1,
                                           .divisions = 0,
                                           .threads = 1};

static void table_of(struct score_table *s, const double *y, size_t n, size_t m, int has_tags)
{
    *s = (struct score_table){.n = n, .m = m, .one = 1.0, .measure = "", .name = "table"};
    s->y = malloc(n * m * sizeof *y);
    memcpy(s->y, y, n * m * sizeof *y);
    s->agent = calloc(m, sizeof *s->agent);
    for (size_t a = 0; a < m; a++) {
        s->agent[a] = strdup(NAMES[a]);
    }
    if (has_tags) {
        s->tag = malloc(sizeof TAGS);
        memcpy(s->tag, TAGS, sizeof TAGS);
        s->tag_name = calloc(2, sizeof *s->tag_name);
        s->tag_name[0] = strdup("x");
        s->tag_name[1] = strdup("y");
        s->n_tags = 2;
    }
}

static void expect_near(double got, double want)
{
    cr_expect_float_eq(got, want, 2e-9, "%.10f, not %.10f", got, want);
}

/* What rules are learnt by: two strata by tag, or one. */
static void learner_of(struct learner *l, const struct score_table *s)
{
    static const uint32_t none[12] = {0};
    static const unsigned char all[M] = {1, 1, 1};
    *l = (struct learner){.s = s,
                          .stratum = s->tag != NULL ? s->tag : none,
                          .n_strata = s->tag != NULL ? 2 : 1,
                          .may = all};
}

Test(answer, contrasts_by_tag_are_shrunk)
{
    static const double want[6] = {.2633900857,  -.1459072878, -.1125868114,
                                   -.1900567524, .2592406211,  -.0740798552};
    static const size_t request[N] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    struct score_table s;
    struct learner l;
    struct rules r = {0};
    table_of(&s, GRADED, N, M, 1);
    learner_of(&l, &s);
    cr_assert_eq(rules_learn(&r, &l, request, N, 0), 0);
    expect_near(r.common, .0630444444);
    for (size_t k = 0; k < 6; k++) {
        expect_near(r.surface[k], want[k]);
    }
    cr_expect(r.one == 1 && r.by_tag[0] == 0 && r.by_tag[1] == 1);
    rules_free(&r);
    score_table_free(&s);
}

/* Student's interval, whose κ is of multipliers, at the tail of .025. */
static double low_at_once(const struct answer *a, const struct interval *x)
{
    double tail = 0.5 * normal_two_sided(a->critical);
    return x->value - (x->value - x->low) * regret_student_quantile(0.025, N - 1) /
                          regret_student_quantile(tail, N - 1);
}

Test(answer, by_tag_where_nobody_leads)
{
    struct score_table s;
    struct answer a;
    table_of(&s, GRADED, N, M, 1);
    cr_assert_eq(answer_make(&a, &s, &ONCE), 0);
    expect_near(a.all.agent[0].level.value, .55);
    expect_near(a.all.agent[1].level.value, .57);
    expect_near(a.all.agent[2].level.value, .42);
    cr_expect(a.all.best == 1 && a.all.set == 3);
    cr_expect(a.tag[0].chosen == 0 && a.tag[1].chosen == 1);
    expect_near(a.tag_over_one.gain.value, .33);
    expect_near(low_at_once(&a, &a.tag_over_one.gain), .148243653);
    expect_near(a.value[RULE_TAG].value, .78);
    expect_near(a.value[RULE_TAG].value - (a.value[RULE_TAG].value - a.value[RULE_TAG].low) / 1.2,
                .6549521925);
    expect_near(a.value[RULE_TAG].value + (a.value[RULE_TAG].high - a.value[RULE_TAG].value) / 1.2,
                .8495593907);
    cr_expect(a.verdict == VERDICT_BY_TAG && a.likely == RULE_TAG);
    answer_free(&a);
    score_table_free(&s);
}

Test(answer, one_of_two_with_right_and_wrong)
{
    double y[24];
    struct score_table s;
    struct answer a;
    for (size_t i = 0; i < 12; i++) {
        y[2 * i] = i == 4 ? 0.0 : 1.0;
        y[2 * i + 1] = i == 2 || i == 5 || i == 7 || i == 10 ? 1.0 : 0.0;
    }
    table_of(&s, y, 12, 2, 0);
    cr_assert_eq(answer_make(&a, &s, &ONCE), 0);
    expect_near(a.all.agent[0].level.value, .9166666667);
    cr_expect(a.all.set == 1 && a.all.agent[0].may_be_best && a.all.agent[0].behind <= 0.0);
    cr_expect(a.tag_over_one.is_same, "there is one tag");
    expect_near(a.value[RULE_ONE].value - (a.value[RULE_ONE].value - a.value[RULE_ONE].low) / 1.2,
                .6058249441);
    cr_expect_eq(a.verdict, VERDICT_SET);
    answer_free(&a);
    score_table_free(&s);
}

Test(answer, holes_are_compared_within_requests)
{
    double y[N * M];
    static const double want[M] = {.0680747126, .0425574713, -.1106321839};
    struct score_table s;
    struct answer a;
    memcpy(y, GRADED, sizeof y);
    y[4 * M] = y[5 * M] = y[6 * M] = y[2] = y[9 * M + 2] = NAN;
    table_of(&s, y, N, M, 1);
    cr_assert_eq(answer_make(&a, &s, &ONCE), 0);
    expect_near(a.all.agent[0].raw, .6571428571);
    expect_near(a.all.agent[0].level.value - a.all.agent[1].level.value, want[0] - want[1]);
    expect_near(a.all.agent[1].level.value - a.all.agent[2].level.value, want[1] - want[2]);
    cr_expect(a.all.best == 0 && a.unknown == 5);
    answer_free(&a);
    score_table_free(&s);
}

/* Agents that are equal: none is told from another, and the first by name is named. An agent that is always just behind is out. */
Test(answer, ties)
{
    double y[40 * M];
    struct score_table s;
    struct answer a;
    for (size_t i = 0; i < 40; i++) {
        y[M * i] = y[M * i + 1] = (double)(i % 5) / 5.0 + 0.2;
        y[M * i + 2] = y[M * i] - 0.2;
    }
    table_of(&s, y, 40, M, 0);
    cr_assert_eq(answer_make(&a, &s, &ONCE), 0);
    cr_expect(a.all.best == 0 && a.all.set == 2 && !a.all.agent[2].may_be_best,
              "%zu, %zu of %d %d %d", a.all.best, a.all.set, a.all.agent[0].may_be_best,
              a.all.agent[1].may_be_best, a.all.agent[2].may_be_best);
    cr_expect(a.request_over_one.is_same);
    answer_free(&a);
    score_table_free(&s);
}

/* A word turns the lead: requests with it are for one agent, the others for the other. */
Test(answer, a_word_decides)
{
    enum { MANY = 120 };
    double y[MANY * 2];
    const char *text[MANY];
    struct score_table s;
    struct answer a;
    struct answer_options o = ONCE;
    for (size_t i = 0; i < MANY; i++) {
        int refund = i % 3 == 0;
        text[i] = refund ? "please refund my order" : "please track my order";
        y[2 * i] = refund ? 0.9 : 0.3 + 0.01 * (double)(i % 7);
        y[2 * i + 1] = refund ? 0.2 + 0.01 * (double)(i % 5) : 0.8;
    }
    table_of(&s, y, MANY, 2, 0);
    s.text = malloc(sizeof text);
    memcpy(s.text, text, sizeof text);
    o.divisions = 5;
    cr_assert_eq(answer_make(&a, &s, &o), 0);
    cr_expect_eq(a.verdict, VERDICT_BY_REQUEST);
    cr_expect_float_eq(a.request_over_one.gain.value, 0.68 / 3.0, 1e-9, "%.4f",
                       a.request_over_one.gain.value);
    answer_free(&a);
    score_table_free(&s);
}

Test(answer, too_few_requests_and_one_agent)
{
    struct score_table s;
    struct answer a;
    table_of(&s, GRADED, 9, M, 0);
    cr_assert_eq(answer_make(&a, &s, &ONCE), 0);
    cr_expect(a.verdict == VERDICT_TOO_FEW && a.all.set == 0);
    answer_free(&a);
    score_table_free(&s);
    table_of(&s, GRADED, N, 1, 0);
    cr_expect_eq(answer_make(&a, &s, &ONCE), REGRET_E_INPUT);
    score_table_free(&s);
}

/* Left-out fits of the ridge are what fits without the request predict. */
Test(answer, words_left_out)
{
    enum { ROWS = 12 };
    const char *text[ROWS];
    double e[ROWS], other[ROWS];
    size_t request[ROWS];
    struct words w;
    struct words_fit f;
    for (size_t i = 0; i < ROWS; i++) {
        text[i] = i % 2 == 0 ? "red car" : i % 3 == 0 ? "blue car and more" : "blue";
        e[i] = (i % 2 == 0 ? 1.0 : -1.0) + 0.1 * (double)(i % 4);
        request[i] = i;
    }
    const struct score_table s = {.n = ROWS, .text = text};
    cr_assert_eq(words_make(&w, &s), 0);
    cr_assert_eq(words_learn(&f, &w, request, ROWS, e, 1, 1), 0);
    cr_assert(f.share > 0.5 && f.left_out != NULL);
    for (size_t out = 0; out < ROWS; out++) {
        struct words_fit without;
        size_t n = 0;
        for (size_t i = 0; i < ROWS; i++) {
            request[n] = i;
            other[n] = e[i];
            n += i != out;
        }
        cr_assert_eq(words_learn_at(&without, &w, request, n, other, 1, f.penalty), 0);
        cr_expect_float_eq(words_predict(&w, &without, out, 0), f.left_out[out], 1e-10);
        words_fit_free(&without);
    }
    words_fit_free(&f);
    words_free(&w);
}
