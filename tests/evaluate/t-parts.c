/* What an evaluation says of tags and margins, made again from the rows that it keeps. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "evaluate/planted.h"
#include "evaluate/reference.h"
#include "regret/alloc.h"
#include "regret/evaluate.h"
#include "regret/families.h"

/* Every tag has an agent of its own. */
static const struct planted by_tag = {.n_obs = 400,
                                      .n_exp = 300,
                                      .agents = 4,
                                      .tags = 3,
                                      .per_cluster = 2,
                                      .hidden = 0.2,
                                      .tag_effect = {{0.2}, {0.0, 0.0, 0.1}, {0.0, 0.0, 0.0, 0.2}},
                                      .seed = 5};

enum { MOST = 300, AGENTS = 4 };

/* Rows of an evaluation for which of[row] is `value`; those of UINT32_MAX are of no part. */
struct rows {
    struct basis basis;
    size_t at[MOST]; /* of the evaluation */
    uint32_t agent[MOST], cluster[MOST], choice[MOST], other[MOST];
    double y[MOST], propensity[MOST], surface[MOST * AGENTS];
    unsigned char all[MOST];
};

static void take(struct rows *r, const struct regret_evaluation *e, const struct regret_log *log,
                 const uint32_t *of, uint32_t value)
{
    const struct regret_log_rows *from = &log->rows[e->basis];
    size_t n = 0;
    for (size_t i = 0; i < e->rows; i++) {
        if (of[i] == value) {
            r->at[n] = i;
            r->agent[n] = from->agent[e->row[i]];
            r->cluster[n] = from->cluster[e->row[i]];
            r->y[n] = from->outcome[e->row[i]];
            r->propensity[n] = e->propensity[i];
            memcpy(r->surface + n * AGENTS, e->surface + i * AGENTS, AGENTS * sizeof(double));
            r->all[n++] = 1;
        }
    }
    r->basis = (struct basis){
        n,          AGENTS,   log->n_clusters, r->agent, r->cluster, r->y, r->propensity,
        r->surface, e->level, e->noise,        NULL,     NULL,       0};
}

/* NULL: one agent everywhere. */
static void choose(uint32_t *to, const struct rows *r, const uint32_t *choice, size_t agent)
{
    for (size_t i = 0; i < r->basis.n; i++) {
        to[i] = choice != NULL ? choice[r->at[i]] : (uint32_t)agent;
    }
}

static void expect_near(double is, double wanted, const char *what, size_t k)
{
    cr_expect(fabs(is - wanted) <= 1e-9 * (1.0 + fabs(wanted)), "%s %zu: %.17g, not %.17g", what, k,
              is, wanted);
}

static void expect_value(const struct rows *r, const struct regret_valued *v, const char *what,
                         size_t k)
{
    struct reference wanted = reference_worth(&r->basis, r->choice, r->all);
    expect_near(v->value, wanted.sndr, what, k);
    expect_near(v->error, wanted.sndr_error, what, k);
    expect_near(v->df, fmax(1.0, wanted.sndr_df), what, k);
}

static void expect_difference(const struct rows *r, const struct regret_valued *v, const char *what,
                              size_t k)
{
    double value, error;
    if (memcmp(r->choice, r->other, r->basis.n * sizeof *r->choice) == 0) {
        cr_expect(v->value == 0.0 && v->error == 0.0, "%s %zu: of nothing", what, k);
        return;
    }
    reference_difference(&value, &error, &r->basis, r->choice, r->other);
    expect_near(v->value, value, what, k);
    expect_near(v->error, error, what, k);
}

static struct regret_log *planted;
static struct regret_evaluation *e;
static uint32_t part[MOST];
static struct rows rows;

static void evaluate_log(const struct planted *p)
{
    static const struct regret_family *family[1];
    struct regret_evaluate_options o;
    regret_evaluate_options_default(&o);
    family[0] = regret_family_find("mixed");
    o.family = family;
    o.n_families = 1;
    o.resamples = 100;
    o.diagnose = 0;
    planted = planted_log(p);
    cr_assert_eq(regret_evaluate(&e, planted, &o), REGRET_OK, "%s", regret_error_message());
    cr_assert_leq(e->rows, MOST);
}

static void evaluate(void)
{
    evaluate_log(&by_tag);
}

static void forget(void)
{
    regret_evaluation_free(e);
    regret_log_free(planted);
}

TestSuite(parts, .init = evaluate, .fini = forget);

/* The agent that was chosen and, but for the incumbent, all that are not behind it by √ln n errors of n rows. */
static size_t rivals_of(uint32_t chosen)
{
    size_t n = 1;
    for (uint32_t a = 0; a < e->n_agents; a++) {
        double lead, error;
        choose(rows.other, &rows, NULL, a);
        if (a != chosen && a != e->incumbent) {
            reference_difference(&lead, &error, &rows.basis, rows.choice, rows.other);
            n += lead <= sqrt(log((double)rows.basis.n)) * error;
        }
    }
    return n;
}

/* Of a value, or of a difference from `other`. */
static void expect_tails(const struct regret_valued *told, struct tails tails,
                         const uint32_t *other, uint32_t t)
{
    const struct chooser x = {rows.choice, 0}, y = {other, 0};
    struct regret_valued v[REGRET_N_VALUES], wanted;
    struct worth_parts parts;
    struct gap gap;
    if (other != NULL) {
        cr_assert_eq(worth_difference(&wanted, &gap, NULL, &rows.basis, &x, &y, NULL), REGRET_OK);
        difference_set_interval(&wanted, &gap, tails);
    } else {
        cr_assert_eq(worth_of(v, &parts, &rows.basis, &x, NULL), REGRET_OK);
        wanted = v[REGRET_VALUE_SNDR];
        value_set_interval(&wanted, &parts.sndr, tails);
    }
    expect_near(told->low, wanted.low, "low", t);
    expect_near(told->high, wanted.high, "high", t);
}

/* Who is named for a tag is valued, on all of its rows, and with room for having been chosen of four, or over the incumbent of those that
 * could have been. */
Test(parts, a_tags_value_is_of_the_agent_that_it_names)
{
    size_t least = 3;
    for (size_t i = 0; i < e->rows; i++) {
        part[i] = planted->tag[planted->rows[e->basis].context[e->row[i]]];
    }
    for (uint32_t t = 0; t < e->n_tags; t++) {
        const struct regret_tag_value *tag = &e->tag[t];
        take(&rows, e, planted, part, t);
        choose(rows.choice, &rows, NULL, tag->agent);
        choose(rows.other, &rows, NULL, e->incumbent);
        expect_value(&rows, &tag->value, "tag", t);
        expect_difference(&rows, &tag->over_incumbent, "tag over incumbent", t);
        expect_tails(&tag->value, (struct tails){0.04 / 4, 0.01}, NULL, t);
        if (tag->agent != e->incumbent) {
            size_t rivals = rivals_of((uint32_t)tag->agent);
            choose(rows.other, &rows, NULL, e->incumbent);
            struct tails chosen = {0.04 / (double)rivals, 0.01}, one = {0.025, 0.025};
            expect_tails(&tag->over_incumbent, rivals > 1 ? chosen : one, rows.other, t);
            least = rivals < least ? rivals : least;
        }
    }
    cr_expect_lt(least, 3, "none of three is out of the question");
    cr_expect_eq(e->tag[0].agent, 0);
    cr_expect_eq(e->tag[2].agent, 3);
    cr_expect(e->tag[2].value.low < 0.7 && 0.7 < e->tag[2].value.high);
}

Test(parts, margins_are_of_the_requests_of_their_group)
{
    size_t told = 0;
    for (uint32_t g = 0; g < e->n_groups; g++) {
        take(&rows, e, planted, e->margin_group, g);
        cr_expect_eq(rows.basis.n, e->group[g].rows);
        told += rows.basis.n;
        choose(rows.choice, &rows, e->choice[REGRET_POLICY_REQUEST], 0);
        choose(rows.other, &rows, NULL, e->incumbent);
        expect_difference(&rows, &e->group[g].margin, "margin", g);
    }
    take(&rows, e, planted, e->margin_group, UINT32_MAX);
    cr_expect_eq(told + rows.basis.n, e->rows, "the first folds are in no group");
    cr_expect_geq(e->n_groups, 2);
}

/* Where f knows agents alone all requests of a fold have one margin, or nearly: no group of positive ones is empty or small beside
 * others, and of one that is, as where all early folds stay with the incumbent, nothing is told. */
Test(groups, no_margin_is_told_of_requests_that_there_are_none_of)
{
    size_t empty = 0, several = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct planted p = {.n_exp = 300, .agents = 4, .without_text = 1, .seed = seed};
        p.effect[1] = 0.1 * (double)(seed % 3);
        evaluate_log(&p);
        for (size_t g = 1; g < e->n_groups; g++) {
            const struct regret_margin_group *group = &e->group[g];
            cr_expect(e->n_groups == 2 || group->rows >= 50, "seed %zu: %zu rows", (size_t)seed,
                      group->rows);
            cr_expect(group->rows > 0 || (isnan(group->margin.low) && isnan(group->margin.value)));
            empty += group->rows == 0;
        }
        several += e->n_groups > 2;
        forget();
    }
    cr_expect_gt(empty, 0);
    cr_expect_gt(several, 0);
}
