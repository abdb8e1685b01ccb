/* The headline's sentences against runs made so that what they must say is known, and what the page and the
 * short report are made of. How the page looks and works is tests/browser's matter. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "made_run.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "report/internal.h"
#include "report/page.h"
#include "report/report.h"

static struct regret_results *results;

static void setup(void)
{
    made_begin();
    m.n_maps = m.n_obs = 1;
    m.n_seeds = 12;
    results = NULL;
}

static void teardown(void)
{
    regret_results_free(results);
    made_end();
}

TestSuite(page, .init = setup, .fini = teardown);

static struct headline headline(void)
{
    struct headline h;
    struct run_sql *run = NULL;
    made_up_write(&m, folder);
    regret_results_free(results);
    cr_assert_eq(regret_results_read(&results, folder), 0, "%s", regret_error_message());
    cr_assert_eq(run_sql_open(&run, results), 0, "%s", regret_error_message());
    cr_assert_eq(headline_make(&h, run), 0, "%s", regret_error_message());
    run_sql_close(run);
    return h;
}

static int says(const struct headline *h, const char *what)
{
    int found = 0;
    for (size_t i = 0; i < h->n; i++) {
        found |= strstr(regret_buffer_get(&h->sentences[i]), what) != NULL;
    }
    return found;
}

/* The files of the report, whole; the caller frees. */
static char *written(const char *name)
{
    char file[64], *text = NULL;
    made_up_write(&m, folder);
    cr_assert_eq(regret_report_write(folder, NULL, NULL), 0, "%s", regret_error_message());
    snprintf(file, sizeof file, "report/%s", name);
    cr_assert_eq(regret_file_read(&text, NULL, made_path(folder, file), 1 << 24), 0);
    return text;
}

/* Between 0 and 1, another for each seed. */
static double noise(size_t family, size_t cell, size_t seed)
{
    return made_number(REGRET_MEASURE_RMSE, family, cell, seed) * 10.0;
}

static double first_is_best(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    (void)made;
    return (family == 0 ? 0.01 : 0.2) + 0.002 * noise(family, cell, seed);
}

/* The mean regret of a subject in a seed, over all cells, by hand. */
static double seed_regret(size_t subject, size_t seed)
{
    double sum = 0.0;
    for (size_t c = 0; c < made_cells(&m); c++) {
        sum += made_regret(&m, subject, c, seed);
    }
    return sum / (double)made_cells(&m);
}

static double mean_regret(size_t subject)
{
    double sum = 0.0;
    for (size_t s = 0; s < m.n_seeds; s++) {
        sum += seed_regret(subject, s);
    }
    return sum / (double)m.n_seeds;
}

/* best-exp or best-obs, whichever is lower; their subjects follow oracle and random. */
static size_t single_agent(void)
{
    size_t exp = m.n_families + 2;
    return mean_regret(exp + 1) < mean_regret(exp) ? exp + 1 : exp;
}

Test(page, a_clear_winner_is_called_so)
{
    m.regret = first_is_best;
    struct headline h = headline();
    char expected[256];
    snprintf(expected, sizeof expected,
             "exp-only has the lowest mean regret over all %zu cells, %.4f", made_cells(&m),
             mean_regret(0));
    cr_expect(says(&h, expected), "%s", regret_buffer_get(&h.sentences[0]));
    cr_expect(says(&h, " Of new requests this run says nothing: "), "rows without lists");
    snprintf(expected, sizeof expected, ", has a mean regret of %.4f.",
             mean_regret(single_agent()));
    cr_expect(says(&h, expected), "%s\n%s", expected, regret_buffer_get(&h.sentences[1]));
    snprintf(expected, sizeof expected, "recommending at random loses %.4f here.",
             mean_regret(m.n_families + 1));
    cr_expect(says(&h, expected), "%s", expected);
    cr_expect(says(&h, "12 seeds of the same contexts: if the best family and the second truly "
                       "differ by less than 0.0"));
    cr_expect(says(&h, "It is exp-only that has the lowest regret at each of the 5 values"));
    headline_free(&h);
}

static double first_two_are_tied(const struct made_up *made, size_t family, size_t cell,
                                 size_t seed)
{
    (void)made;
    return (family < 2 ? 0.01 : 0.2) + 0.002 * noise(family, cell, seed);
}

Test(page, ties_are_named)
{
    m.regret = first_two_are_tied;
    struct headline h = headline();
    size_t best = mean_regret(1) < mean_regret(0);
    char expected[128];
    double d[16];
    for (size_t s = 0; s < m.n_seeds; s++) {
        d[s] = seed_regret(1 - best, s) - seed_regret(best, s);
    }
    cr_assert_leq(naive_interval(d, m.n_seeds).low, 0.0, "the run is not what the test needs");
    snprintf(expected, sizeof expected, "%s has the lowest", m.families[best]);
    cr_expect(says(&h, expected));
    cr_expect_str_eq(h.regimes.blocks[0].rows[0].cells[2].text, m.families[1 - best]);
    headline_free(&h);
}

static double by_beta(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    size_t best = made_cell(made, cell).beta == 0 ? 1 : 0;
    return (family == best ? 0.01 : 0.2) + 0.002 * noise(family, cell, seed);
}

Test(page, regimes_have_their_own_best)
{
    m.regret = by_beta;
    struct headline h = headline();
    static const struct {
        const char *where, *best;
    } rows[] = {{"all cells", "exp-only"},   {"β = 0", "obs-only"},
                {"β = 0.2", "exp-only"},     {"β = 0.4", "exp-only"},
                {"n_exp = 200", "exp-only"}, {"n_exp = 800", "exp-only"}};
    const struct table_block *b = &h.regimes.blocks[0];
    cr_assert_eq(b->n_rows, 6);
    cr_expect_not(h.regimes.idle);
    for (size_t i = 0; i < 6; i++) {
        cr_expect_str_eq(b->rows[i].label, rows[i].where);
        cr_expect_str_eq(b->rows[i].cells[0].text, rows[i].best);
        if (i > 0 && i < 4) { /* where β is fixed */
            cr_expect_str_eq(b->rows[i].cells[2].text, "–", "tied with none");
        }
    }
    cr_expect(says(&h, "depends on the regime: exp-only at 4 of the 5 values"));
    headline_free(&h);
}

Test(page, one_seed_tells_nothing_apart)
{
    m.n_seeds = 1;
    m.regret = first_is_best;
    struct headline h = headline();
    cr_expect(says(&h, " Of new requests this run says nothing: that wants two seeds"));
    cr_expect(says(&h, "1 seed of the same contexts."));
    for (size_t i = 0; i < h.regimes.blocks[0].n_rows; i++) {
        cr_expect_str_eq(h.regimes.blocks[0].rows[i].cells[2].text, "not testable");
    }
    headline_free(&h);
}

static int none_is_there(const char *family, size_t cell, size_t seed)
{
    (void)cell;
    (void)seed;
    return strncmp(family, "best-", 5) != 0;
}

Test(page, without_families_or_agents_nothing_is_made_up)
{
    m.skip = none_is_there;
    struct headline h = headline();
    cr_expect(says(&h, "No family of this run has a regret, so there is no best one."));
    cr_expect(h.regimes.idle);
    cr_expect_eq(h.n, 4);
    headline_free(&h);
}

/* What the run has nothing for is in neither; what it has is in both. */
Test(page, idle_tables_are_left_out)
{
    static const struct {
        const char *table;
        int swept, alone; /* there when β and n_exp are swept; when nothing is */
    } cases[] = {{"summary", 1, 1},   {"budget", 1, 0}, {"reward-shape", 0, 0}, {"beta", 1, 0},
                 {"alignment", 0, 0}, {"values", 1, 1}, {"crossover", 0, 0},    {"dr-regime", 1, 0},
                 {"grounded", 1, 1},  {"sweep", 1, 0},  {"tuning", 1, 1}};
    for (int swept = 0; swept < 2; swept++) {
        m.n_betas = swept ? 3 : 1;
        m.n_exp = swept ? 2 : 1;
        char *page = written("report.html"), *markdown = written("report.md");
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            int there = swept ? cases[i].swept : cases[i].alone;
            char part[64];
            snprintf(part, sizeof part, "<section id=\"%s\">", cases[i].table);
            cr_expect_eq(strstr(page, part) != NULL, there, "%s, %d", part, swept);
            snprintf(part, sizeof part, "* [%s](tables/%s.csv): ", cases[i].table, cases[i].table);
            cr_expect_eq(strstr(markdown, part) != NULL, there, "%s, %d", part, swept);
            snprintf(part, sizeof part, "report/tables/%s.csv", cases[i].table);
            cr_expect(regret_file_exists(made_path(folder, part)), "all are in tables/");
        }
        cr_expect_eq(strstr(page, "Which family for which regime") != NULL, swept);
        cr_expect_eq(strstr(markdown, "Which family for which regime") != NULL, swept);
        regret_free(page);
        regret_free(markdown);
    }
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *p = strstr(text, part); p != NULL; p = strstr(p + 1, part)) {
        n++;
    }
    return n;
}

/* One style and one script, told by their hashes; nothing inline besides, nothing from elsewhere. */
static double another_wins_each_cell(const struct made_up *made, size_t family, size_t cell,
                                     size_t seed)
{
    (void)made;
    return (family == cell % 4 ? 0.01 : 0.2) + 0.002 * noise(family, cell, seed);
}

/* Rows begin with the best; its mean is that over the seeds, by hand. */
Test(page, every_cell_of_a_sweep_has_its_families)
{
    m.regret = another_wins_each_cell;
    char *page = written("report.html");
    for (size_t cell = 0; cell < made_cells(&m); cell++) {
        char id[32], row[128];
        double mean = 0.0;
        for (size_t seed = 0; seed < m.n_seeds; seed++) {
            mean += another_wins_each_cell(&m, cell % 4, cell, seed) / (double)m.n_seeds;
        }
        snprintf(id, sizeof id, "id=\"cell-%zu\">", cell + 1);
        snprintf(row, sizeof row, ">%s</th>", m.families[cell % 4]);
        const char *at = strstr(page, id), *body = at != NULL ? strstr(at, "<tbody>") : NULL;
        const char *end = body != NULL ? strstr(body, "</tr>") : NULL;
        const char *best = body != NULL ? strstr(body, row) : NULL;
        const char *value = best != NULL ? strstr(best, "value=\"") : NULL;
        cr_assert(value != NULL && value < end, "%s %s", id, row);
        cr_assert_float_eq(strtod(value + 7, NULL), mean, 1e-12);
    }
    regret_free(page);
    m.n_betas = m.n_exp = 1;
    page = written("report.html");
    cr_assert_null(strstr(page, "class=\"cell\""));
    regret_free(page);
    cr_assert_not(run_has_cells(&(struct regret_results){.n_cells = 501, .n_subjects = 5}));
}

Test(page, the_policy_names_all_that_may_run)
{
    char *page = written("report.html"), expected[512];
    snprintf(expected, sizeof expected,
             "content=\"default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; "
             "base-uri 'none'; form-action 'none'\">",
             page_files[0].sha256, page_files[1].sha256);
    cr_expect_not_null(strstr(page, expected), "%s", expected);
    for (size_t i = 0; i < 2; i++) {
        cr_expect_eq(strlen(page_files[i].sha256), 44);
        cr_expect_not_null(strstr(page, page_files[i].text), "%s", page_files[i].name);
        cr_expect_null(strstr(page_files[i].text, "</s"), "it would end early");
    }
    cr_expect_eq(count(page, "<style"), 1);
    cr_expect_eq(count(page, "<script"), 1);
    cr_expect_eq(count(page, " style="), 0);
    cr_expect_eq(count(page, " onclick="), 0);
    cr_expect_eq(count(page, "src="), 0);
    cr_expect_eq(count(page, "href=\"http"), 0);
    regret_free(page);
}

Test(page, names_of_the_run_are_words_only)
{
    m.families[0] = "a<b>&'x";
    m.regret = first_is_best;
    char *page = written("report.html"), *markdown = written("report.md");
    cr_expect_not_null(
        strstr(page, "<p class=\"verdict headline\">a&lt;b&gt;&amp;'x has the lowest"));
    cr_expect_eq(count(page, "a<b>"), 0);
    cr_expect_not_null(strstr(markdown, "**a&lt;b&gt;&amp;'x has the lowest"));
    regret_free(page);
    regret_free(markdown);
}

/* Spreadsheets take these for formulas; the page's own copy is guarded where the file is. */
Test(page, safe_csv_is_safe_in_the_page)
{
    const struct regret_report_options options = {.safe_csv = 1};
    char *page = NULL;
    m.families[0] = "=1+1";
    made_up_write(&m, folder);
    for (int safe = 0; safe < 2; safe++) {
        cr_assert_eq(regret_report_write(folder, NULL, safe ? &options : NULL), 0);
        cr_assert_eq(
            regret_file_read(&page, NULL, made_path(folder, "report/report.html"), 1 << 24), 0);
        cr_expect_eq(count(page, ",=1+1,") > 0, !safe);
        cr_expect_eq(count(page, ",%27=1+1,") > 0, safe);
        regret_free(page);
    }
}
