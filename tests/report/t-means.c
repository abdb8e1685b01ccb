/* The table and the figure of means. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_records.h"
#include "made_run.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"
#include "report/internal.h"

enum { MOST_CONTEXTS = 400, MOST_AGENTS = 60, MOST_TAGS = 120 };

static size_t n_contexts, n_agents, n_tags;
static size_t kind[MOST_CONTEXTS];
static double score[MOST_CONTEXTS][MOST_AGENTS]; /* NaN: no output */
static char tag[MOST_TAGS][32], agent[MOST_AGENTS][32];
static struct regret_buffer more;

static void setup(void)
{
    made_begin();
    m.n_maps = m.n_betas = m.n_obs = m.n_exp = 1;
    more = (struct regret_buffer)REGRET_BUFFER_INIT;
}

static void teardown(void)
{
    regret_buffer_free(&more);
    made_end();
}

TestSuite(report_means, .init = setup, .fini = teardown);

/* Agent a is best for the tags t of t mod agents = a, by `lead`; noise of ±.1. */
static void invent(size_t contexts, size_t agents, size_t tags, double lead)
{
    struct regret_rng rng = regret_rng_at(5, REGRET_RNG_TEST, tags);
    n_contexts = contexts;
    n_agents = agents;
    n_tags = tags;
    for (size_t t = 0; t < tags; t++) {
        snprintf(tag[t], sizeof tag[t], "tag%zu", t);
    }
    for (size_t a = 0; a < agents; a++) {
        snprintf(agent[a], sizeof agent[a], "model%zu", a);
    }
    for (size_t x = 0; x < contexts; x++) {
        kind[x] = tags > 0 ? x % tags : 0;
        for (size_t a = 0; a < agents; a++) {
            double best = tags > 0 && kind[x] % agents == a ? lead : 0.0;
            score[x][a] = 0.4 + best + 0.2 * (regret_rng_uniform(&rng) - 0.5);
        }
    }
}

/* ---------------------------------------------------------------- taken anew */

struct naive {
    double n, mean, sd;
};

/* Group 0 is all contexts, g those of tag g − 1. With `b` below n_agents of the difference. */
static struct naive naive_of(size_t group, size_t a, size_t b)
{
    struct naive out = {0.0, 0.0, 0.0};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t x = 0; x < n_contexts; x++) {
            double y = score[x][a] - (b < n_agents ? score[x][b] : 0.0);
            if (isfinite(y) && (group == 0 || kind[x] == group - 1)) {
                out.n += pass == 0;
                out.mean += pass == 0 ? y : 0.0;
                out.sd += pass == 1 ? (y - out.mean) * (y - out.mean) : 0.0;
            }
        }
        out.mean = pass == 0 ? out.mean / out.n : out.mean;
    }
    out.sd = out.n > 1.0 ? sqrt(out.sd / (out.n - 1.0)) : (double)NAN;
    return out;
}

static size_t best_but(size_t group, size_t except)
{
    size_t best = n_agents;
    for (size_t a = 0; a < n_agents; a++) {
        struct naive own = naive_of(group, a, n_agents);
        if (a != except && own.n > 0.0 &&
            (best == n_agents || own.mean > naive_of(group, best, n_agents).mean)) {
            best = a;
        }
    }
    return best;
}

/* ---------------------------------------------------------------- a run of it */

static void put(const char *name, double (*of)(size_t group, size_t a), size_t columns)
{
    regret_buffer_printf(&more, ",\"%s\":[", name);
    for (size_t i = 0; i < (n_tags + 1) * columns; i++) {
        double y = of(i / columns, i % columns);
        regret_buffer_append(&more, i > 0 ? "," : "");
        regret_buffer_json_number(&more, y);
    }
    regret_buffer_append(&more, "]");
}

static double n_of(size_t g, size_t a)
{
    return naive_of(g, a, n_agents).n;
}
static double mean_of(size_t g, size_t a)
{
    struct naive y = naive_of(g, a, n_agents);
    return y.n > 0.0 ? y.mean : (double)NAN;
}
static double sd_of(size_t g, size_t a)
{
    return naive_of(g, a, n_agents).sd;
}
static double first_of(size_t g, size_t a)
{
    (void)a;
    size_t best = best_but(g, n_agents);
    return best < n_agents ? (double)best : (double)NAN;
}
static double second_of(size_t g, size_t a)
{
    (void)a;
    size_t best = best_but(g, best_but(g, n_agents));
    return best < n_agents ? (double)best : (double)NAN;
}
static struct naive lead_of(size_t g)
{
    size_t first = best_but(g, n_agents), second = best_but(g, first);
    return second < n_agents ? naive_of(g, first, second) : (struct naive){0.0, NAN, NAN};
}
static double pairs_of(size_t g, size_t a)
{
    return (void)a, lead_of(g).n;
}
static double lead_mean(size_t g, size_t a)
{
    return (void)a, lead_of(g).mean;
}
static double lead_sd(size_t g, size_t a)
{
    return (void)a, lead_of(g).sd;
}
static double contexts_of(size_t g, size_t a)
{
    (void)a;
    double n = 0.0;
    for (size_t x = 0; x < n_contexts; x++) {
        n += g == 0 || kind[x] == g - 1;
    }
    return n;
}

static void put_names(const char *name, char names[][32], size_t n)
{
    regret_buffer_printf(&more, "\"%s\":[", name);
    for (size_t i = 0; i < n; i++) {
        regret_buffer_append(&more, i > 0 ? "," : "");
        regret_buffer_json_string(&more, names[i]);
    }
    regret_buffer_append(&more, "]");
}

static void write_run(void)
{
    regret_buffer_clear(&more);
    regret_buffer_append(&more, "\"grids\":[{");
    put_names("agents", agent, n_agents);
    regret_buffer_append(&more, ",\"contexts\":[\"x\"]}],\"means\":{\"version\":1,\"items\":[{");
    put_names("tags", tag, n_tags);
    put("contexts", contexts_of, 1);
    put("n", n_of, n_agents);
    put("mean", mean_of, n_agents);
    put("sd", sd_of, n_agents);
    put("first", first_of, 1);
    put("second", second_of, 1);
    put("pairs", pairs_of, 1);
    put("lead", lead_mean, 1);
    put("lead_sd", lead_sd, 1);
    regret_buffer_append(&more, "}]},");
    cr_assert_eq(regret_buffer_status(&more), 0);
    m.more = regret_buffer_get(&more);
    made_up_write(&m, folder);
}

/* ---------------------------------------------------------------- the table */

Test(report_means, by_tag)
{
    invent(60, 3, 2, 0.15);
    write_run();
    const char *md = made_markdown(folder, "means");
    cr_expect_not_null(strstr(md, "| tag0 | 30 | model0 | **"), "%s", md);
    cr_expect_not_null(strstr(md, "| Agent | all (60) | tag0 (30) | tag1 (30) |"), "%s", md);
    cr_expect_null(strstr(md, "every agent"), "records are for programs");
    cr_expect_null(strstr(md, "A page shows"));
}

/* Equal agents: the lowest is named, and nothing is told apart; nor of a tag of one context. */
Test(report_means, ties_and_a_tag_of_one_context)
{
    invent(41, 3, 2, 0.0);
    n_tags = 3;
    strcpy(tag[2], "rare");
    kind[40] = 2;
    for (size_t x = 0; x < n_contexts; x++) {
        score[x][1] = score[x][2] = 0.9;
        score[x][0] = 0.5;
    }
    write_run();
    struct csv_records t = made_table(folder, "means");
    static const char *const rows[] = {"all", "tag0", "tag1"};
    for (size_t i = 0; i < 3; i++) {
        cr_expect_str_eq(csv_text(&t, "who is best", rows[i], "Best"), "model1");
        cr_expect_str_eq(csv_text(&t, "who is best", rows[i], "Second"), "model2");
        cr_expect_eq(csv_value(&t, "who is best", rows[i], "p"), 1.0);
        cr_expect_str_eq(csv_text(&t, "who is best", rows[i], "Best is"), "not separable");
    }
    cr_expect_str_eq(csv_text(&t, "who is best", "rare", "Best is"), "too few contexts");
    cr_expect(isnan(csv_value(&t, "who is best", "rare", "95 % low")));
    csv_free(&t);
}

static size_t count_lines(const char *text, const char *begin)
{
    size_t n = 0;
    for (const char *p = text; p != NULL; p = strchr(p, '\n')) {
        p += *p == '\n';
        n += strncmp(p, begin, strlen(begin)) == 0;
    }
    return n;
}

/* Sixty agents by a hundred tags: a page has some and says so, CSV has all. */
Test(report_means, wide_tables_stay_readable)
{
    invent(150, 60, 100, 0.3);
    write_run();
    const char *md = made_markdown(folder, "means");
    cr_expect_eq(count_lines(md, "| tag"), 59, "and all");
    cr_expect_eq(count_lines(md, "| model"), 40);
    cr_expect_not_null(strstr(
        md, "A page shows who is best for 59 of 100 tags, and 40 of 60 agents by 8 of them"));
    for (const char *p = strchr(md, '\n'); p != NULL; p = strchr(p + 1, '\n')) {
        size_t columns = 0;
        for (const char *q = p + 1; *q != '\n' && *q != '\0'; q++) {
            columns += *q == '|';
        }
        cr_expect_leq(columns, 13);
    }
}

/* Names of one's own can do no harm in any format. */
Test(report_means, names_are_escaped)
{
    invent(40, 2, 2, 0.2);
    strcpy(tag[0], "a|b <i> & 50% \x1b[1m");
    strcpy(agent[0], "m_1|<script>");
    write_run();
    struct regret_results *r = NULL;
    cr_assert_eq(regret_results_read(&r, folder), 0);
    for (int f = 0; f < REGRET_N_FORMATS; f++) {
        struct regret_buffer text = REGRET_BUFFER_INIT;
        cr_assert_eq(regret_report_table(&text, r, "means", (enum regret_format)f), 0);
        cr_expect_null(strchr(regret_buffer_get(&text), '\x1b'), "%d", f);
        if (f == REGRET_FORMAT_HTML) {
            cr_expect_null(strstr(regret_buffer_get(&text), "<script>"));
        }
        if (f == REGRET_FORMAT_LATEX) {
            cr_expect_null(strstr(regret_buffer_get(&text), " & 50%"));
        }
        if (f == REGRET_FORMAT_MARKDOWN) {
            cr_expect_null(strstr(regret_buffer_get(&text), "m_1|<"));
        }
        regret_buffer_free(&text);
    }
    regret_results_free(r);
}

/* ---------------------------------------------------------------- page, figure */

Test(report_means, stand_before_the_families_on_the_page)
{
    invent(60, 3, 2, 0.15);
    m.n_betas = 3;
    m.n_exp = 2;
    write_run();
    cr_assert_eq(regret_report_write(folder, NULL, NULL), 0, "%s", regret_error_message());
    char *text = NULL;
    size_t length = 0;
    cr_assert_eq(regret_file_read(&text, &length, made_path(folder, "report/report.md"), 1 << 22),
                 0);
    const char *means = strstr(text, "## Mean reward by agent and tag"),
               *summary = strstr(text, "## Ranks and mean regret");
    const char *regimes = strstr(text, "## Which family for which regime");
    cr_expect(means != NULL && regimes != NULL && summary != NULL);
    cr_expect(means < regimes && regimes < summary);
    regret_free(text);
}

static size_t points_of(const char *csv)
{
    return count_lines(csv, "") > 1 ? count_lines(csv, "") - 2 : 0; /* a head, and the end */
}

Test(report_means, in_a_figure)
{
    struct regret_results *r = NULL;
    struct run_sql *run = NULL;
    struct figures figures = {NULL, 0};
    invent(300, 60, 100, 0.3);
    write_run();
    cr_assert_eq(regret_results_read(&r, folder), 0);
    cr_assert_eq(run_sql_open(&run, r), 0);
    cr_assert_eq(figures_make(&figures, run), 0, "%s", regret_error_message());
    cr_assert_str_eq(figures.items[0].name, "means");
    cr_expect_not_null(strstr(figures.items[0].caption, "30 of 60 agents and 8 of 101 panels"),
                       "%s", figures.items[0].caption);
    cr_expect_eq(points_of(regret_buffer_get(&figures.items[0].csv)), 30 * 8);
    figures_free(&figures);
    run_sql_close(run);
    regret_results_free(r);
}

/* Runs that keep none: no figure, no page, a word in the table. */
Test(report_means, of_a_run_that_keeps_none)
{
    struct regret_results *r = NULL;
    struct run_sql *run = NULL;
    struct figures figures = {NULL, 0};
    made_up_write(&m, folder);
    cr_expect_not_null(strstr(made_markdown(folder, "means"), "This run does not say"));
    cr_assert_eq(regret_results_read(&r, folder), 0);
    cr_assert_eq(run_sql_open(&run, r), 0);
    cr_assert_eq(figures_make(&figures, run), 0);
    cr_expect_str_neq(figures.items[0].name, "means");
    figures_free(&figures);
    run_sql_close(run);
    regret_results_free(r);
    m.more = "\"means\":{\"version\":2,\"items\":7},"; /* of a newer program */
    made_up_write(&m, folder);
    cr_expect_not_null(strstr(made_markdown(folder, "means"), "This run does not say"));
}
