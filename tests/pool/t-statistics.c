#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "pool/grid.h"
#include "pool/sample.h"
#include "pool/statistics.h"
#include "regret/status.h"

static struct regret_pool_stats *stats_of(const struct regret_pool *pool)
{
    struct regret_pool_stats *s = NULL;
    cr_assert_eq(regret_pool_stats_make(&s, pool), 0, "%s", regret_error_message());
    return s;
}

static double quality(const struct regret_pool *p, const struct regret_output *o)
{
    return (o->values[0] / 5 + (o->values[1] - 1) / 4 + (o->values[2] + 1) / 2) / 3 +
           0.0 * (double)p->n_agents;
}

/* Mean and deviation the long way. */
static void check_spread(const struct regret_spread *s, const double *values, size_t n)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        sum += values[i];
    }
    for (size_t i = 0; i < n; i++) {
        squares += (values[i] - sum / (double)n) * (values[i] - sum / (double)n);
    }
    cr_assert_eq(s->n, n);
    cr_assert_float_eq(s->mean, sum / (double)n, 1e-12);
    cr_assert_float_eq(s->sd, n < 2 ? 0 : sqrt(squares / (double)(n - 1)), 1e-12);
}

Test(pool_statistics, agree_with_the_long_way)
{
    for (unsigned long seed = 0; seed < 20; seed++) {
        struct sample_shape shape = {9, 4, 3, 0.2, 6, seed};
        struct regret_pool *pool = sample_pool(&shape);
        struct regret_pool_stats *s = stats_of(pool);
        size_t missing = 0;
        for (size_t a = 0; a < 4; a++) {
            double pairs[9], components = 0;
            size_t n = 0, outputs = 0;
            for (size_t x = 0; x < 9; x++) {
                double sum = 0;
                size_t draws = 0;
                for (size_t i = 0; i < pool->n_outputs; i++) {
                    const struct regret_output *o = &pool->outputs[i];
                    if (o->context == x && o->agent == a) {
                        sum += quality(pool, o);
                        components += o->values[0] / 5;
                        draws++;
                    }
                }
                outputs += draws;
                missing += draws == 0;
                if (draws > 0) {
                    pairs[n++] = sum / (double)draws;
                }
            }
            check_spread(&s->agents[a].quality, pairs, n);
            cr_assert_eq(s->agents[a].outputs, outputs);
            cr_assert_eq(s->agents[a].missing, 9 - n);
            cr_assert_float_eq(s->agent_components[a], components / (double)outputs, 1e-12);
        }
        cr_assert_eq(s->missing_pairs, missing);
        double values[256];
        for (size_t k = 0; k < 6; k++) {
            for (size_t i = 0; i < pool->n_outputs; i++) {
                values[i] = pool->outputs[i].values[k];
            }
            check_spread(&s->values[k], values, pool->n_outputs);
        }
        for (size_t k = 0; k < 3; k++) {
            size_t sum = 0;
            for (size_t b = 0; b < REGRET_POOL_BINS; b++) {
                sum += s->histogram[k * REGRET_POOL_BINS + b];
            }
            cr_assert_eq(sum, pool->n_outputs);
            cr_assert_eq(s->correlation[k * 3 + k], 1.0);
            cr_assert_eq(s->correlation[k * 3], s->correlation[k]);
        }
        cr_assert_float_eq(s->agent_share + s->context_share + s->interaction_share, 1.0, 1e-12);
        double best = 0.0;
        for (size_t a = 0; a < 4; a++) {
            best += s->agents[a].best;
        }
        cr_assert_float_eq(best, (double)s->grid_contexts, 1e-9);
        regret_pool_stats_free(s);
        regret_pool_free(pool);
    }
}

/* Sets all three components of the (only) output of a pair to a normalised quality. */
static void set_quality(struct regret_pool *pool, size_t x, size_t a, double q)
{
    double *v = pool->outputs[x * pool->n_agents + a].values;
    v[0] = 5 * q;
    v[1] = 1 + 4 * q;
    v[2] = -1 + 2 * q;
}

Test(pool_statistics, variance_goes_where_it_comes_from)
{
    struct sample_shape shape = {8, 4, 1, 0.0, 6, 1};
    struct regret_pool *pool = sample_pool(&shape);
    for (int kind = 0; kind < 4; kind++) {
        for (size_t x = 0; x < 8; x++) {
            for (size_t a = 0; a < 4; a++) {
                double by_agent = (double)a / 4, by_context = (double)x / 16;
                double interaction = (x + a) % 2 == 0 ? 0.25 : 0.75;
                set_quality(pool, x, a,
                            kind == 0   ? by_agent
                            : kind == 1 ? by_context
                            : kind == 2 ? interaction
                                        : by_agent + by_context / 2);
            }
        }
        struct regret_pool_stats *s = stats_of(pool);
        cr_assert_float_eq(s->agent_share,
                           kind == 0   ? 1.0
                           : kind == 3 ? s->agent_share
                                       : 0.0,
                           1e-12);
        cr_assert_float_eq(s->context_share,
                           kind == 1   ? 1.0
                           : kind == 3 ? s->context_share
                                       : 0.0,
                           1e-12);
        cr_assert_float_eq(s->interaction_share, kind == 2 ? 1.0 : 0.0, 1e-12);
        if (kind == 0) { /* all agents' values 0, 1/4, 1/2, 3/4: variance 5/64 */
            cr_assert_float_eq(s->quality_variance, 5.0 / 64, 1e-12);
            cr_assert_eq(s->agents[3].best, 8);
            cr_assert_float_eq(s->difficulty.mean, 1 - 0.375, 1e-12);
            cr_assert_float_eq(s->difficulty.sd, 0.0, 1e-12);
        }
        if (kind == 2) { /* two agents tie on each context */
            cr_assert_eq(s->agents[0].best, 2);
        }
        if (kind == 1) { /* difficulties 1 - x/16, all agents tie: a part each */
            for (size_t a = 0; a < 4; a++) {
                cr_assert_eq(s->agents[a].best, 2);
            }
            cr_assert_float_eq(s->difficulty_quartile[1], 1 - 3.5 / 16, 1e-12);
            cr_assert_float_eq(s->difficulty_quartile[0], 1 - 5.25 / 16, 1e-12);
            cr_assert_float_eq(s->correlation[1], 1.0, 1e-12);
        }
        regret_pool_stats_free(s);
    }
    regret_pool_free(pool);
}

Test(pool_statistics, a_constant_pool)
{
    struct sample_shape shape = {3, 2, 1, 0.0, 1, 1};
    struct regret_pool *pool = sample_pool(&shape);
    struct regret_pool_stats *s = stats_of(pool);
    cr_assert_eq(s->agent_share + s->context_share + s->interaction_share, 0.0);
    cr_assert_eq(s->correlation[0], 0.0);
    cr_assert_eq(s->histogram[0], 6);
    regret_pool_stats_free(s);
    regret_pool_free(pool);
}

static void rename_to(char **field, const char *text)
{
    regret_free(*field);
    cr_assert_eq(regret_strdup(field, text), 0);
}

Test(pool_statistics, texts_name_what_matters_and_cannot_steer_a_terminal)
{
    struct sample_shape shape = {5, 20, 1, 0.1, 6, 2};
    struct regret_pool *pool = sample_pool(&shape);
    rename_to(&pool->title, "evil \x1b]0;title\x07 pool");
    rename_to(&pool->source, "<b>a|b</b>");
    rename_to(&pool->contexts[0].text, "line\x1b[2J\nline two");
    rename_to(&pool->outputs[0].text, "out\xc2\x9b"
                                      "1m");
    rename_to(&pool->agents[1].id, "a|b");
    struct regret_pool_stats *s = stats_of(pool);
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_pool_overview_text(&t, pool, s);
    const char *text = regret_buffer_get(&t);
    cr_assert_null(strchr(text, 0x1b));
    cr_assert_null(strstr(text, "\xc2\x9b"));
    const char *parts[] = {
        "# evil \\\\u{1b}\\]0;title",
        "CC0-1.0",
        "source    &lt;b&gt;a\\|b&lt;/b&gt;\n",
        "SYNTHETIC",
        "5 contexts, 20 agents",
        "and 8 more agents",
        "a/b",
        "line\\u{1b}[2J line two",
        "out\\u{9b}1m",
        "unsupported_claims",
        "coverage (1 to 5)",
        "\n\nquality: mean component on 0 to 1; sd: over contexts; best on: wins in "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        cr_expect_not_null(strstr(text, parts[i]), "no %s in:\n%s", parts[i], text);
    }
    size_t lines = 0;
    for (const char *p = text; *p != '\0'; p++) {
        lines += *p == '\n';
    }
    cr_assert_lt(lines, 50);
    regret_buffer_clear(&t);
    regret_pool_stats_text(&t, pool, s);
    text = regret_buffer_get(&t);
    cr_assert_null(strchr(text, 0x1b));
    cr_assert_not_null(strstr(text, "| agent-19 "));
    cr_assert_not_null(strstr(text, "% agent x context"));
    regret_buffer_free(&t);
    regret_pool_stats_free(s);
    regret_pool_free(pool);
}

static size_t characters(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++) {
        n += (*text & 0xC0) != 0x80;
    }
    return n;
}

/* Labels of the agents renamed so, which are looked at one by one. */
static void labelled(const char *const *ids, const char *const *labels, size_t n)
{
    struct sample_shape shape = {2, 0, 1, 0.0, 6, 2};
    shape.agents = n;
    struct regret_pool *pool = sample_pool(&shape);
    char **made = NULL;
    for (size_t a = 0; a < n; a++) {
        rename_to(&pool->agents[a].id, ids[a]);
    }
    cr_assert_eq(agent_labels_make(&made, pool, 24), 0);
    for (size_t a = 0; a < n; a++) {
        cr_expect_str_eq(made[a], labels[a]);
        cr_expect_leq(characters(made[a]), 24);
        for (size_t b = 0; b < a; b++) {
            cr_expect_str_neq(made[a], made[b]);
        }
    }
    agent_labels_free(made, pool);
    regret_pool_free(pool);
}

#define DOTS "\xe2\x80\xa6"

Test(pool_statistics, labels_of_agents_differ)
{
    labelled(
        (const char *const[]){"short", "exactly-twenty-four-here", "a-name-of-twenty-five-xyz"},
        (const char *const[]){"short", "exactly-twenty-four-here",
                              "a-name-of-tw" DOTS "ty-five-xyz"},
        3);
    /* Beginnings alike, ends alike. */
    labelled(
        (const char *const[]){"moatless_claude35sonnet_20240623",
                              "moatless_claude35sonnet_20241117"},
        (const char *const[]){"moatless_cla" DOTS "et_20240623", "moatless_cla" DOTS "et_20241117"},
        2);
    /* What tells them apart stands where the middle was cut out. */
    labelled(
        (const char *const[]){"aaaaaaaaaaaaaXaaaaaaaaaaaaaaaaaa",
                              "aaaaaaaaaaaaaYaaaaaaaaaaaaaaaaaa"},
        (const char *const[]){"aaaaaaaaaaaaaX" DOTS "aaaaaaaaa", "aaaaaaaaaaaaaY" DOTS "aaaaaaaaa"},
        2);
    /* Nothing but the number does. */
    labelled((const char *const[]){"aaaaaaaaaaaaaaaaaaaaaaaaXaaaaaaaaaaaaaaaaaaaaaaaa", "b",
                                   "aaaaaaaaaaaaaaaaaaaaaaaaYaaaaaaaaaaaaaaaaaaaaaaaa"},
             (const char *const[]){"aaaaaaaaaaaaaaaaaaaaaa" DOTS "1", "b",
                                   "aaaaaaaaaaaaaaaaaaaaaa" DOTS "3"},
             3);
    /* Characters are not cut in two. */
    labelled((const char *const[]){"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3"
                                   "\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9-0123456789012345"},
             (const char *const[]){"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3"
                                   "\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9" DOTS "56789012345"},
             1);
}

/* Costs from a millionth to a million stand with their points below one another, and no digit is lost. */
Test(pool_statistics, costs_of_every_size_are_aligned)
{
    static const double cost[] = {0.000001, 0.003992, 0.5, 12, 1234567, 0};
    struct sample_shape shape = {4, 6, 1, 0.0, 3, 1};
    struct regret_pool *pool = sample_pool(&shape);
    for (size_t a = 0; a < 6; a++) {
        pool->agents[a].cost = cost[a];
    }
    struct regret_pool_stats *s = stats_of(pool);
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_pool_stats_text(&t, pool, s);
    static const char *const rows[] = {
        " |           cost | outputs |", " |       0.000001 |       4 |",
        " |       0.003992 |       4 |", " |       0.5      |       4 |",
        " |      12        |       4 |", " | 1234567        |       4 |",
        " |       0        |       4 |", "|---------------:|--------:|"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_not_null(strstr(regret_buffer_get(&t), rows[i]), "no %s in:\n%s", rows[i],
                           regret_buffer_get(&t));
    }
    regret_buffer_free(&t);
    regret_pool_stats_free(s);
    regret_pool_free(pool);
}
