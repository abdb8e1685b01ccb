/* No agent of a table of one's own is lost in silence: wide tables of scores of many kinds, and long ones. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/guess/guess.h"
#include "import/guess_checks.h"
#include "import/profile/slip.h"
#include "pool/sample.h"
#include "regret/buffer.h"
#include "regret/hash.h"
#include "regret/import.h"

TestSuite(agents, .fini = sample_cleanup);

enum { ROWS = 80, MOST = 24 };

/* In [0, 1), of row i and column k, as by chance. */
static double chance(size_t i, size_t k)
{
    uint64_t key[2] = {i, k};
    return (double)(regret_hash64(key, sizeof key) >> 11) * 0x1p-53;
}

/* Roughly normal: the sum of twelve. */
static double normal(size_t i, size_t k)
{
    double sum = -6.0;
    for (size_t j = 0; j < 12; j++) {
        sum += chance(i, 100 * k + j + 7);
    }
    return sum;
}

/* ---------------------------------------------------------------- what columns hold */

/* A cell of row i of column k. */
typedef void put_cell(struct regret_buffer *out, size_t i, size_t k);

static void id(struct regret_buffer *out, size_t i, size_t k)
{
    (void)k;
    regret_buffer_printf(out, "p%zu", i);
}

static void number_id(struct regret_buffer *out, size_t i, size_t k)
{
    (void)k;
    regret_buffer_printf(out, "%zu", i * 37 % ROWS + 20);
}

static void prompt(struct regret_buffer *out, size_t i, size_t k)
{
    (void)k;
    regret_buffer_printf(out, "what is there to say of no. %zu", i);
}

static void cut(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.2f", fmin(fmax(3.0 + 0.7 * normal(i, k), 0.0), 5.0));
}

static void bad_cut(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.2f", fmin(fmax(0.5 + 0.4 * normal(i, k), 0.0), 5.0));
}

static void likert(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%d", 1 + (int)(5.0 * chance(i, k)));
}

static void upper_likert(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%d", 3 + (int)(3.0 * chance(i, k)));
}

static void three(struct regret_buffer *out, size_t i, size_t k)
{
    (void)i;
    (void)k;
    regret_buffer_append(out, "3");
}

static void passes(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_append(out, chance(i, k) < 0.5 ? "1" : "0");
}

static void one(struct regret_buffer *out, size_t i, size_t k)
{
    (void)i;
    (void)k;
    regret_buffer_append(out, "1");
}

static void yes_no(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_append(out, chance(i, k) < 0.5 ? "yes" : "no");
}

static void share(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.3f", chance(i, k));
}

static void points(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%d", (int)(101.0 * chance(i, k)));
}

static void percent(struct regret_buffer *out, size_t i, size_t k)
{
    points(out, i, k);
    regret_buffer_append(out, "%");
}

static void holes(struct regret_buffer *out, size_t i, size_t k)
{
    if (i % 9 != k) {
        likert(out, i, k);
    }
}

static void slip(struct regret_buffer *out, size_t i, size_t k)
{
    likert(out, i, k);
    regret_buffer_append(out, i == 5 ? "5" : ""); /* 45 for 4 */
}

static void lost(struct regret_buffer *out, size_t i, size_t k)
{
    if (i == 5) {
        regret_buffer_append(out, "-999");
    } else {
        share(out, i, k);
    }
}

/* The mark that 1 has on another scale. */
static void other_mark(struct regret_buffer *out, size_t i, size_t k)
{
    if (i == 5) {
        regret_buffer_append(out, "4");
    } else {
        share(out, i, k);
    }
}

static void lost_rating(struct regret_buffer *out, size_t i, size_t k)
{
    if (i % 3 == 1) {
        regret_buffer_append(out, "99");
    } else {
        likert(out, i, k);
    }
}

static void lost_as_9(struct regret_buffer *out, size_t i, size_t k)
{
    if (i % 9 == 1) {
        regret_buffer_append(out, "9");
    } else {
        likert(out, i, k);
    }
}

static void typing_error(struct regret_buffer *out, size_t i, size_t k)
{
    if (i == 5) {
        regret_buffer_append(out, "n.d.");
    } else {
        likert(out, i, k);
    }
}

static void negative(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.2f", -1.0 + 2.0 * normal(i, k));
}

static void large(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.0f", 1000.0 + 200.0 * normal(i, k));
}

static void grade(struct regret_buffer *out, size_t i, size_t k)
{
    static const char *const GRADES[] = {"A", "A-", "B+", "B", "C", "F"};
    regret_buffer_append(out, GRADES[(size_t)(6.0 * chance(i, k))]);
}

static void grade_or_points(struct regret_buffer *out, size_t i, size_t k)
{
    (i % 5 == 0 ? points : grade)(out, i, k);
}

static void price(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.5f", 0.01 * chance(i, k));
}

static void length(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%d", 5 + (int)(900.0 * chance(i, k)));
}

static void turns(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%d", 1 + (int)(4.0 * chance(i, k)));
}

/* ---------------------------------------------------------------- tables */

struct column {
    const char *name;
    put_cell *put;
};

static void write_table(const struct column *column, char separator)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    for (size_t i = 0; i <= ROWS; i++) {
        for (size_t k = 0; k < MOST && column[k].name != NULL; k++) {
            if (k > 0) {
                regret_buffer_append_char(&text, separator);
            }
            if (i == 0) {
                regret_buffer_append(&text, column[k].name);
            } else {
                column[k].put(&text, i - 1, k);
            }
        }
        regret_buffer_append(&text, "\n");
    }
    sample_write("t.csv", regret_buffer_get(&text));
    regret_buffer_free(&text);
}

static struct table_guess guessed(const char *what)
{
    struct table_guess g;
    cr_assert_eq(table_guess_make(&g, sample_path("t.csv"), &(struct guess_known){0}), 0, "%s: %s",
                 what, regret_error_message());
    return g;
}

static void is_refused(const char *message, size_t i)
{
    struct table_guess g;
    cr_assert_eq(table_guess_make(&g, sample_path("t.csv"), &(struct guess_known){0}),
                 REGRET_E_INPUT, "case %zu", i);
    cr_assert_not_null(strstr(regret_error_message(), message), "case %zu: %s", i,
                       regret_error_message());
    table_guess_free(&g);
}

static void says(const struct table_guess *g, const char *what, const char *words)
{
    struct regret_buffer said = REGRET_BUFFER_INIT;
    table_guess_explain(&said, g);
    cr_assert_not_null(strstr(regret_buffer_get(&said), words), "%s: \"%s\" is not in\n%s", what,
                       words, regret_buffer_get(&said));
    regret_buffer_free(&said);
}

/* The agents in the order of their columns, with commas. */
static void agents_are(const struct table_guess *g, const char *what, const char *wanted)
{
    char found[400] = "";
    cr_assert(g->is_wide, "%s: long", what);
    for (size_t a = 0; a < g->wide.n_agents; a++) {
        size_t n = strlen(found);
        snprintf(found + n, sizeof found - n, "%s%s", a > 0 ? "," : "", g->wide.agent[a]);
    }
    cr_assert_str_eq(found, wanted, "%s: %s", what, found);
}

#define FOUR(put)                                                                                  \
    {"gpt", put}, {"claude", put}, {"llama", put},                                                 \
    {                                                                                              \
        "mistral", put                                                                             \
    }
#define THREE(put)                                                                                 \
    {"gpt", put}, {"claude", put},                                                                 \
    {                                                                                              \
        "llama", put                                                                               \
    }
#define NAMES "gpt,claude,llama,mistral"
#define KEYS                                                                                       \
    {"id", id},                                                                                    \
    {                                                                                              \
        "prompt", prompt                                                                           \
    }

static const struct good {
    const char *what;
    struct column column[MOST];
    const char *agents, *said;
} GOOD[] = {
    {"scores cut at 0 and 5, few of them below 1",
     {KEYS, FOUR(cut), {"a", cut}, {"b", cut}, {"c", cut}, {"d", cut}, {"e", cut}, {"f", cut}},
     NAMES ",a,b,c,d,e,f",
     "component  {agent}, 0 to 5"},
    {"an agent who is always bad", {KEYS, THREE(cut), {"mistral", bad_cut}}, NAMES, "0 to 5"},
    {"an agent with all equal scores", {KEYS, THREE(likert), {"mistral", three}}, NAMES, "1 to 5"},
    {"an agent who passes all", {KEYS, THREE(passes), {"mistral", one}}, NAMES, "0 to 1"},
    {"yes and no beside 1 and 0", {KEYS, THREE(passes), {"mistral", yes_no}}, NAMES, "0 to 1"},
    {"an agent with 3 to 5 of 1 to 5",
     {KEYS, THREE(likert), {"mistral", upper_likert}},
     NAMES,
     "1 to 5"},
    {"shares, and three columns of points",
     {KEYS, FOUR(share), {"ann", points}, {"bob", points}, {"cid", points}},
     NAMES,
     "Left out, for they look like agents on another scale: ann (0 to "},
    {"a cost of each agent",
     {KEYS,
      FOUR(likert),
      {"gpt_cost", price},
      {"claude_cost", price},
      {"llama_cost", price},
      {"mistral_cost", price}},
     NAMES,
     "cost       {agent}_cost"},
    {"holes", {KEYS, FOUR(holes)}, NAMES, "The grid has holes"},
    {"a beginning in common",
     {KEYS, {"score_gpt", cut}, {"score_claude", cut}, {"score_llama", bad_cut}},
     "gpt,claude,llama",
     "score_{agent}, 0 to 5"},
    {"an ending in common",
     {KEYS, {"gpt_score", cut}, {"claude_score", cut}, {"llama_score", one}},
     "gpt,claude,llama",
     "{agent}_score"},
    {"the length of prompts", {KEYS, {"prompt_length", length}, FOUR(cut)}, NAMES, "prompt_length"},
    {"turns and difficulty",
     {KEYS, {"n_turns", turns}, {"difficulty", likert}, FOUR(cut)},
     NAMES,
     "n_turns"},
    {"ids that are numbers", {{"id", number_id}, FOUR(points)}, NAMES, "context    id"},
    {"nameless ids that are numbers",
     {{"", number_id}, {"prompt", prompt}, FOUR(points)},
     NAMES,
     "0 to 100"},
    {"yes and no beside ratings",
     {KEYS, {"is_long", yes_no}, FOUR(likert)},
     NAMES,
     "Not taken for agents, for their numbers are on another scale: is_long (0 to 1)"},
    {"negative scores", {KEYS, FOUR(negative)}, NAMES, "component  {agent}, -"},
    {"scores beyond all scales", {KEYS, FOUR(large)}, NAMES, "component  {agent}, "},
    {"letter grades", {KEYS, FOUR(grade)}, NAMES, "letter grades"},
    {"grades by name",
     {KEYS, {"gpt grade", grade}, {"claude grade", grade}},
     "gpt,claude",
     "letter grades"},
    {"two agents", {KEYS, {"gpt", likert}, {"claude", upper_likert}}, "gpt,claude", "1 to 5"},
    {"a cell that is no number", {KEYS, THREE(likert), {"mistral", typing_error}}, NAMES, ""},
    {"names that say other things",
     {KEYS,
      {"prompt-tuned", likert},
      {"langchain", likert},
      {"lang-agent", likert},
      {"quality-bot", likert}},
     "langchain,lang-agent,quality-bot",
     "Not taken for agents by their names, though their numbers look like the agents': "
     "prompt-tuned"},
    {"a small part of the scale",
     {KEYS, THREE(points), {"mistral", likert}},
     NAMES,
     "Agents that have a small part of the scale: mistral (1 to 5); all agents': "}};

Test(agents, every_one_is_kept_or_named)
{
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) {
        struct regret_table_report r;
        write_table(GOOD[i].column, ',');
        struct table_guess g = guessed(GOOD[i].what);
        agents_are(&g, GOOD[i].what, GOOD[i].agents);
        says(&g, GOOD[i].what, GOOD[i].said);
        if (strcmp(GOOD[i].what, "a cell that is no number") != 0) {
            guess_imports(&r, &g, "t.csv");
            cr_assert_eq(r.agents, g.wide.n_agents, "%s", GOOD[i].what);
            cr_assert_eq(r.contexts, ROWS, "%s", GOOD[i].what);
        }
        table_guess_free(&g);
    }
}

/* A semicolon and commas for points, too. */
Test(agents, what_cannot_be_told_is_refused_with_its_place)
{
    static const struct {
        struct column column[MOST];
        const char *message;
    } BAD[] = {{{KEYS, FOUR(percent)}, "t.csv:2: column \"gpt\" holds \""},
               {{KEYS, THREE(points), {"mistral", percent}}, ": column \"mistral\" holds \""},
               {{KEYS, THREE(likert), {"mistral", slip}}, "t.csv:7: column \"mistral\" holds "},
               {{KEYS, {"a_score", likert}, {"b_score", likert}, {"c_score", slip}},
                "t.csv:7: column \"c_score\""},
               {{KEYS, THREE(share), {"mistral", lost}},
                "t.csv:7: column \"mistral\" holds -999, where nearly all"},
               {{KEYS, THREE(share), {"mistral", other_mark}},
                "t.csv:7: column \"mistral\" holds 4, where nearly all"},
               {{KEYS, {"a_score", share}, {"b_score", share}, {"c_score", lost}},
                "t.csv:7: column \"c_score\" holds -999"},
               {{KEYS, THREE(grade), {"mistral", grade_or_points}},
                ", but scores are numbers beyond those of letter"},
               {{KEYS, THREE(share), {"ann", points}, {"bob", points}, {"cid", points}},
                "3 columns hold numbers as \"ann\" does"}};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        write_table(BAD[i].column, ',');
        is_refused(BAD[i].message, i);
    }
}

/* ---------------------------------------------------------------- long tables */

/* Rows of four agents, the first of whom scores otherwise. */
static void write_long(put_cell *first, put_cell *others)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, "prompt_id,prompt,model,score\n");
    for (size_t i = 0; i < (size_t)4 * ROWS; i++) {
        regret_buffer_printf(&text, "p%zu,what is %zu,m%zu,", i / 4, i / 4, i % 4);
        (i % 4 == 0 ? first : others)(&text, i / 4, i % 4);
        regret_buffer_append(&text, "\n");
    }
    sample_write("t.csv", regret_buffer_get(&text));
    regret_buffer_free(&text);
}

Test(agents, long_tables_keep_every_agent)
{
    static put_cell *const pairs[][2] = {
        {bad_cut, cut},   {three, likert},        {one, passes},
        {yes_no, passes}, {upper_likert, likert}, {negative, likert},
        {large, large},   {grade, grade},         {three, grade}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct regret_table_report r;
        write_long(pairs[i][0], pairs[i][1]);
        struct table_guess g = guessed("long");
        cr_assert(!g.is_wide && g.agents == 4, "case %zu", i);
        cr_assert_eq(guess_imports(&r, &g, "t.csv"), 1);
        cr_assert(r.agents == 4 && r.outputs == (size_t)4 * ROWS, "case %zu", i);
        table_guess_free(&g);
    }
}

Test(agents, long_tables_refuse_what_is_mixed)
{
    static const struct {
        put_cell *first, *others;
        const char *message;
    } BAD[] = {
        {percent, share, "t.csv:2: column \"score\" holds \""},
        {yes_no, likert, "t.csv:2: column \"score\" holds \""},
        {grade, points, "t.csv:2: column \"score\" holds \""},
        {share, points,
         "column \"score\" goes from 0 to 1 of 1 agents, and up to 100 of the other 3"},
        {lost, share, "t.csv:22: column \"score\" holds -999, where all but 1 of its "},
        {slip, likert, "t.csv:22: column \"score\" holds "},
        {lost_rating, likert, "t.csv:6: column \"score\" holds 99, as do 27 of 320 cells, "}};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        write_long(BAD[i].first, BAD[i].others);
        is_refused(BAD[i].message, i);
    }
}

/* Scores, costs and counts as they come, however skewed, of which none is a slip; and the same with `slips` of them. */
static size_t count_slips(put_cell *put, size_t n, size_t slips, double slip)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    double x[1000];
    for (size_t i = 0; i < n; i++) {
        regret_buffer_clear(&text);
        put(&text, i, 1);
        x[i] = i % 50 == 7 && i / 50 < slips ? slip : strtod(regret_buffer_get(&text), NULL);
    }
    regret_buffer_free(&text);
    struct slip found;
    slip_find(&found, x, n);
    return found.n;
}

static void lognormal(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.6g", exp(2.0 * normal(i, k)));
}

static void loss(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.6g", -20.0 - exp(normal(i, k)));
}

static void pareto(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.6g", pow(1.0 - chance(i, k), -1.0));
}

static void few_zeros(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.2f", i % 100 == 3 ? 0.0 : 90.0 + normal(i, k));
}

static void few_ones(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_append(out, chance(i, k) < 0.01 ? "1" : "0");
}

Test(agents, slips_are_told_from_skewed_scores)
{
    static put_cell *const honest[] = {share,  points, likert,    passes,  lognormal,
                                       pareto, loss,   few_zeros, few_ones};
    static const double slips[] = {-999.0, 99999.0, 1e300, -1e300};
    for (size_t i = 0; i < sizeof honest / sizeof *honest; i++) {
        for (size_t n = 20; n <= 1000; n += 70) {
            cr_expect_eq(count_slips(honest[i], n, 0, 0.0), 0, "case %zu of %zu", i, n);
        }
    }
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        cr_expect_eq(count_slips(share, 1000, 1, slips[i]), 1, "%g", slips[i]);
        cr_expect_eq(count_slips(likert, 1000, 6, slips[i]), 6, "%g", slips[i]);
        cr_expect_eq(count_slips(passes, 1000, 4, slips[i]), 4, "%g", slips[i]);
        cr_expect_eq(count_slips(few_zeros, 20, 1, slips[i]), 1, "%g", slips[i]);
        cr_expect_eq(count_slips(share, 19, 1, slips[i]), 0, "too few to tell");
    }
}

/* ---------------------------------------------------------------- what stands for missing numbers */

static void three_levels(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%d", (int)(3.0 * chance(i, k)) - 1);
}

static void better_levels(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%d", chance(i, k) < 0.05 ? -1 : chance(i, k) < 0.4 ? 0 : 1);
}

/* How often `value`, which every `nth` of n cells holds, is found to stand for a number that is missing. */
static size_t count_sentinels(put_cell *put, size_t n, size_t nth, double value)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct slip s;
    double x[1000];
    for (size_t i = 0; i < n; i++) {
        regret_buffer_clear(&text);
        put(&text, i, 1);
        x[i] = i % nth == 3 ? value : strtod(regret_buffer_get(&text), NULL);
    }
    regret_buffer_free(&text);
    sentinel_find(&s, x, n);
    cr_expect(s.n == 0 || s.value == value, "%g", s.value);
    return s.n;
}

Test(agents, what_stands_for_missing_numbers_is_told_from_scores)
{
    static put_cell *const honest[] = {
        share,    points,       likert, passes, lognormal,    pareto, loss,  few_zeros, few_ones,
        negative, three_levels, one,    three,  upper_likert, large,  price, length};
    static const struct {
        put_cell *put;
        double value;
    } LOST[] = {{share, -1.0},  {share, -9.0},  {share, 99.0},   {share, -999.0}, {share, 10.0},
                {likert, -1.0}, {likert, 99.0}, {likert, 999.0}, {likert, -99.0}, {three, 99.0},
                {points, -1.0}, {points, -9.0}, {points, 999.0}, {passes, 99.0},  {large, -999.0}};
    for (size_t i = 0; i < sizeof honest / sizeof *honest; i++) {
        for (size_t n = 2; n <= 1000; n += 7) {
            cr_expect_eq(count_sentinels(honest[i], n, n + 4, 0.0), 0, "case %zu of %zu", i, n);
        }
    }
    for (size_t i = 0; i < sizeof LOST / sizeof *LOST; i++) {
        cr_expect_eq(count_sentinels(LOST[i].put, 1000, 4, LOST[i].value), 250, "case %zu", i);
        cr_expect_eq(count_sentinels(LOST[i].put, 1000, 100, LOST[i].value), 10, "case %zu", i);
    }
    cr_expect_eq(count_sentinels(passes, 1000, 4, -1.0), 0, "a scale of three");
    cr_expect_eq(count_sentinels(passes, 1000, 50, -1.0), 20);
    cr_expect_eq(count_sentinels(share, 1000, 2, -1.0), 0, "half of all");
    cr_expect_eq(count_sentinels(points, 1000, 10, 99.0), 0);
    cr_expect_eq(count_sentinels(likert, 12, 12, 99.0), 1);
    cr_expect_eq(count_sentinels(likert, 12, 12, 0.0), 0);
}

static void lost_share(struct regret_buffer *out, size_t i, size_t k)
{
    (i % 8 == 5 ? three_levels : share)(out, i % 8 == 5 ? 1 : i, i % 8 == 5 ? 0 : k);
}

static void lost_cost(struct regret_buffer *out, size_t i, size_t k)
{
    if (i % 9 == 2) {
        regret_buffer_append(out, "-1");
    } else {
        price(out, i, k);
    }
}

static void two_codes(struct regret_buffer *out, size_t i, size_t k)
{
    if (i % 11 == 3 || i % 13 == 4) {
        regret_buffer_append(out, i % 11 == 3 ? "99" : "-1");
    } else {
        likert(out, i, k);
    }
}

static void rank(struct regret_buffer *out, size_t i, size_t k)
{
    (void)k;
    regret_buffer_printf(out, "%zu", 1 + i % 4);
}

static void next_rank(struct regret_buffer *out, size_t i, size_t k)
{
    rank(out, i + 1, k);
}

static void third_rank(struct regret_buffer *out, size_t i, size_t k)
{
    rank(out, i + 2, k);
}

static void last_rank(struct regret_buffer *out, size_t i, size_t k)
{
    rank(out, i + 3, k);
}

/* Which end of ranks is the better is asked, and what a range says is done. */
Test(agents, ranks_without_a_name_are_asked_about)
{
    static const struct column RANKS[MOST] = {
        KEYS, {"gpt", rank}, {"claude", next_rank}, {"llama", third_rank}, {"mistral", last_rank}};
    static const double range[2] = {4.0, 1.0};
    struct regret_buffer map = REGRET_BUFFER_INIT;
    struct table_guess g;
    write_table(RANKS, ',');
    is_refused("1 to 4: ranks, of which nothing says which end is the better; init --range 4:1 ",
               0);
    cr_assert_eq(table_guess_make(&g, sample_path("t.csv"), &(struct guess_known){.range = range}),
                 0, "%s", regret_error_message());
    says(&g, "ranks", "component  {agent}, 1 to 4 (found: 1 to 4); smaller is better");
    table_guess_map(&map, &g, "t");
    cr_expect_not_null(
        strstr(regret_buffer_get(&map), "\"low\": 1, \"high\": 4, \"smaller_is_better\": true"));
    table_guess_free(&g);
    regret_buffer_free(&map);
}

/* One agent's scores in percent, all others' as shares. */
Test(agents, two_scales_in_one_column_are_refused)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, "id,model,score\n");
    for (size_t i = 0; i < 120; i++) {
        regret_buffer_printf(&text, "q%zu,m%zu,%.4f\n", i / 3, i % 3,
                             (i % 3 == 1 ? 100.0 : 1.0) * (0.2 + 0.7 * chance(i, 1)));
    }
    sample_write("t.csv", regret_buffer_get(&text));
    regret_buffer_free(&text);
    is_refused("\"score\" goes from 0 to 1 of 2 agents, and up to 8", 0);
}

/* The mean of agents, of whose scores fewer places were kept, is none of them, whatever its own places. */
Test(agents, a_rounded_average_is_no_agent)
{
    for (int places = 2; places < 5; places++) {
        struct regret_buffer text = REGRET_BUFFER_INIT;
        regret_buffer_append(&text, "id,gpt,claude,llama,average\n");
        for (size_t i = 0; i < 60; i++) {
            double a = chance(i, 1), b = chance(i, 2), c = chance(i, 3);
            regret_buffer_printf(&text, "q%zu,%.2f,%.2f,%.2f,%.*f\n", i, a, b, c, places,
                                 (a + b + c) / 3.0);
        }
        sample_write("t.csv", regret_buffer_get(&text));
        regret_buffer_free(&text);
        struct table_guess g = guessed("an average");
        agents_are(&g, "an average", "gpt,claude,llama");
        table_guess_free(&g);
    }
}

/* Twenty questions asked three times under other ids, whatever these are called, are twenty; a template beside what fills it
 * is none. */
Test(agents, questions_asked_again_are_no_new_ones)
{
    static const char *const ids[] = {"id", "prompt_id", "question"};
    for (size_t c = 0; c < 2 * sizeof ids / sizeof *ids; c++) {
        int filled = (int)(c % 2);
        struct regret_buffer text = REGRET_BUFFER_INIT;
        regret_buffer_printf(&text, "%s,instruction,%s,model,score\n", ids[c / 2],
                             filled ? "input" : "lang");
        for (size_t i = 0; i < 180; i++) {
            size_t x = i / 3;
            regret_buffer_printf(&text, "q%zu,what is the capital of land %zu?,", x, x % 20);
            regret_buffer_printf(&text, filled ? "a text of its own of land %zu" : "en%zu",
                                 filled ? x : x % 20 / 10);
            regret_buffer_printf(&text, ",m%zu,%.2f\n", i % 3, chance(i, 1));
        }
        sample_write("t.csv", regret_buffer_get(&text));
        regret_buffer_free(&text);
        struct table_guess g = guessed("copies");
        cr_expect_eq(g.contexts, filled ? 60 : 20);
        cr_expect_eq(g.import.repeats, filled ? REGRET_REPEATS_REFUSE : REGRET_REPEATS_DRAWS);
        if (!filled) {
            says(&g, ids[c / 2], " has 60 ids for 20 texts");
        }
        table_guess_free(&g);
    }
}

/* Fewer than a tenth stay apart, and their number is told from a hundredth on. */
Test(agents, few_questions_asked_again_are_told)
{
    for (size_t again = 0; again < 4; again++) {
        struct regret_buffer text = REGRET_BUFFER_INIT;
        regret_buffer_append(&text, "id,instruction,model,score\n");
        for (size_t i = 0; i < 360; i++) {
            size_t x = i / 3;
            regret_buffer_printf(&text, "q%zu,what is the capital of land %zu?,m%zu,%.2f\n", x,
                                 x % (120 - again), i % 3, chance(i, 1));
        }
        sample_write("t.csv", regret_buffer_get(&text));
        regret_buffer_free(&text);
        struct table_guess g = guessed("copies");
        cr_expect_eq(g.contexts, 120);
        cr_expect_eq(g.again, again);
        if (again > 1) {
            says(&g, "copies",
                 again == 2 ? "2 of 120 contexts have the text of another and count apart"
                            : "3 of 120 contexts have the text of another and count apart");
        }
        table_guess_free(&g);
    }
}

/* A prompt that differs by agent is no answer. */
Test(agents, a_prompt_is_no_output)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, "id,prompt,model,score\n");
    for (size_t i = 0; i < 120; i++) {
        regret_buffer_printf(&text, "q%zu,be brief: what is %zu to %zu?,m%zu,%.2f\n", i / 3, i,
                             i / 3, i % 3, chance(i, 1));
    }
    sample_write("t.csv", regret_buffer_get(&text));
    regret_buffer_free(&text);
    struct table_guess g = guessed("a prompt");
    cr_expect_eq(g.at[GUESS_OUTPUT], GUESS_NO_COLUMN);
    table_guess_free(&g);
}

/* What rows measure, who is the best of all, how long it took, and who sums up the others are no scores and no agents. */
Test(agents, measures_oracles_seconds_and_averages)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, "id,model,metric,value\n");
    for (size_t i = 0; i < 120; i++) {
        regret_buffer_printf(&text, "q%zu,m%zu,%s,%.2f\n", i / 6, i / 2 % 3,
                             i % 2 ? "toxicity" : "accuracy", chance(i, 1));
    }
    guess_refuses("t.csv", regret_buffer_get(&text),
                  "t.csv:2: column \"metric\" says what a row measures (\"accuracy\" there)");
    regret_buffer_clear(&text);
    regret_buffer_append(&text, "id,topic,gpt,claude,llama,oracle,best_model\n");
    for (size_t i = 0; i < 60; i++) {
        double a = chance(i, 1), b = chance(i, 2), c = chance(i, 3), most = fmax(a, fmax(b, c));
        regret_buffer_printf(&text, "q%zu,t%zu,%.2f,%.2f,%.2f,%.2f,%s\n", i, i % 3, a, b, c, most,
                             most == a   ? "gpt"
                             : most == b ? "claude"
                                         : "llama");
    }
    sample_write("t.csv", regret_buffer_get(&text));
    struct table_guess g = guessed("an oracle");
    agents_are(&g, "an oracle", "gpt,claude,llama");
    table_guess_free(&g);
    regret_buffer_clear(&text);
    regret_buffer_append(&text, "id,gpt_result,gpt_seconds,claude_result,claude_seconds\n");
    for (size_t i = 0; i < 60; i++) {
        regret_buffer_printf(&text, "q%zu,%s,%.1f,%s,%.1f\n", i,
                             chance(i, 1) < 0.5 ? "pass" : "fail", 9.0 * chance(i, 3),
                             chance(i, 2) < 0.5 ? "pass" : "fail", 9.0 * chance(i, 4));
    }
    sample_write("t.csv", regret_buffer_get(&text));
    g = guessed("seconds");
    agents_are(&g, "seconds", "gpt,claude");
    cr_expect_eq(g.n_components, 1);
    table_guess_free(&g);
    regret_buffer_clear(&text);
    regret_buffer_append(&text, "id,model,score\n");
    for (size_t i = 0; i < 90; i++) {
        regret_buffer_printf(&text, "q%zu,%s,%.2f\n", i / 3,
                             i % 3 == 2 ? "Oracle"
                             : i % 3    ? "a"
                                        : "b",
                             chance(i, 1));
    }
    sample_write("t.csv", regret_buffer_get(&text));
    regret_buffer_free(&text);
    g = guessed("an average in rows");
    says(&g, "an average in rows",
         "Line 4 has \"Oracle\" for its agent: take it out if it sums up");
    table_guess_free(&g);
}

static void rated_or_0(struct regret_buffer *out, size_t i, size_t k)
{
    if (i % 9 == 2) {
        regret_buffer_append(out, "0");
    } else {
        regret_buffer_printf(out, "%d", 2 + (int)(4.0 * chance(i, k)));
    }
}

Test(agents, zero_below_ratings_is_told)
{
    static const struct column RATED[MOST] = {KEYS, FOUR(rated_or_0)},
                               CUT[MOST] = {KEYS, FOUR(likert)};
    write_table(RATED, ',');
    struct table_guess g = guessed("0 as a code");
    says(&g, "0 as a code", "scores are 0, more than are 1: if 0 says that there is none, ");
    table_guess_free(&g);
    write_table(CUT, ',');
    g = guessed("no 0");
    cr_expect_eq(g.zeros, 0);
    table_guess_free(&g);
}

/* The name says that less is better, of yes and no, too; a word before or after may turn that back, or leave both. */
Test(agents, names_of_failures_turn_the_scale)
{
    static const char *const
        names[] = {"failed",        "hallucinated",
                   "ppl",           "is_wrong",
                   "unsafe",        "crashed",
                   "no_of_errors",  "zero_shot_error",
                   "edit_distance", "error_free_but_harmful",
                   "dislikes",      "downvotes",
                   "faults_found",  "misses",
                   "low_is_good",   "lower_is_better"},
        *const back[] = {"not_failed",     "no_error",        "errorFree",
                         "bug_free",       "non_toxic",       "pass_without_errors",
                         "lack_of_errors", "harm_free",       "failure_recovery_rate",
                         "error_handling", "resolved_issues", "high_is_better"},
        *const both[] = {"attack_success_rate", "quality_issues", "accuracy_drop", "rejection",
                         "deflection",          "score_inverted", "latency_score"};
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        cr_expect_eq(column_direction(both[i]), COLUMN_IS_OPEN, "%s", both[i]);
    }
    for (size_t i = 0; i < sizeof back / sizeof *back; i++) {
        cr_expect_not(column_direction(back[i]) == COLUMN_IS_BAD, "%s", back[i]);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct regret_buffer text = REGRET_BUFFER_INIT;
        regret_buffer_printf(&text, "id,model,%s\n", names[i]);
        for (size_t x = 0; x < 60; x++) {
            regret_buffer_printf(&text, "q%zu,m%zu,%s\n", x / 3, x % 3,
                                 chance(x, 1) < 0.5 ? "true" : "false");
        }
        sample_write("t.csv", regret_buffer_get(&text));
        regret_buffer_free(&text);
        struct table_guess g = guessed(names[i]);
        says(&g, names[i], "smaller is better by its name");
        table_guess_free(&g);
    }
}

Test(agents, titles_above_the_header_are_named)
{
    guess_refuses("t.csv", "Results of May,,\n,,\nid,model,score\na,m,1\nb,n,0\n",
                  "t.csv:1: 1 of 3 columns has a name: take out what stands above the header");
    guess_refuses("t.csv", "Results of May\nid,model,score\na,m,1\nb,n,0\n",
                  "t.csv:2: 3 fields, but the header has 1: take out what stands above it");
}

Test(agents, what_stands_for_missing_numbers_is_named_with_its_count)
{
    static const struct {
        struct column column[MOST];
        const char *message;
    } BAD[] = {
        {{KEYS, THREE(likert), {"mistral", two_codes}},
         "t.csv:6: column \"mistral\" holds -1; that or 99 hold 12 of 320 cells of all agents, "
         "where all others go from 1 to 5"},
        {{KEYS, THREE(share), {"mistral", lost_share}},
         "t.csv:7: column \"mistral\" holds -1, as do 10 of 320 cells of all agents, where "},
        {{KEYS, THREE(likert), {"mistral", lost_rating}},
         "t.csv:3: column \"mistral\" holds 99, as do 27 of 320 cells of all agents, where "
         "all others go from 1 to 5: "},
        {{KEYS, FOUR(lost_rating)}, "t.csv:3: column \"gpt\" holds 99, as do 108 of 320 "},
        {{KEYS, FOUR(lost_as_9)}, "t.csv:3: column \"gpt\" holds 9, as do 36 of 320 "},
        {{KEYS, {"a_score", likert}, {"a_cost", price}, {"b_score", likert}, {"b_cost", lost_cost}},
         "t.csv:4: column \"b_cost\" holds -1, as do 9 of 160 "}};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        write_table(BAD[i].column, ',');
        is_refused(BAD[i].message, i);
    }
    write_table((struct column[MOST]){KEYS, THREE(three_levels), {"mistral", better_levels}}, ',');
    struct table_guess g = guessed("a scale of three");
    agents_are(&g, "a scale of three", NAMES);
    says(&g, "a scale of three", "-1 to 1 (found: -1 to 1)");
    table_guess_free(&g);
}
