/* How a run ends: few lines, none too wide, whatever its names. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "made_run.h"

static double regret(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    (void)made;
    return (family == 1 ? 0.1 : 0.3) + 0.001 * (double)((family + cell + seed) % 5);
}

static void setup(void)
{
    made_begin();
    m.n_seeds = 12;
    m.n_maps = m.n_obs = 1;
    m.regret = regret;
}

TestSuite(ending, .init = setup, .fini = made_end);

/* What is in the folder, in a static buffer. */
static const char *ending_there(size_t columns, const char *report)
{
    static char shown[1 << 13];
    struct regret_results *results = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_results_read(&results, folder), 0, "%s", regret_error_message());
    cr_assert_eq(regret_report_ending(&text, results, report, columns), 0, "%s",
                 regret_error_message());
    cr_assert_lt(text.length, sizeof shown);
    strcpy(shown, regret_buffer_get(&text));
    regret_buffer_free(&text);
    regret_results_free(results);
    return shown;
}

static void expect_few_lines(const char *shown, size_t columns)
{
    size_t lines = 0;
    for (const char *p = shown; *p != '\0'; lines++) {
        char line[1 << 12];
        size_t n = strcspn(p, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, p);
        cr_assert_eq(p[n], '\n', "%s", line);
        cr_expect(regret_text_columns(line) <= columns || strncmp(line, "  Page: ", 8) == 0,
                  "%zu columns: %s", columns, line);
        p += n + 1;
    }
    cr_expect_leq(lines, (size_t)REGRET_ENDING_LINES, "%s", shown);
    cr_expect_null(strchr(shown, '\033'));
    cr_expect_null(strchr(shown, '~'));
}

/* Rows without lists say nothing of new requests, and so nothing is better than anything. */
Test(ending, of_rows_without_lists)
{
    made_up_write(&m, folder);
    const char *shown = ending_there(100, "a folder/report");
    char begin[80];
    snprintf(begin, sizeof begin, "  %s has the lowest mean regret over", m.families[1]);
    cr_expect_eq(strncmp(shown, begin, strlen(begin)), 0, "%s", shown);
    cr_expect_not_null(strstr(shown, "Of new requests this run"), "%s", shown);
    cr_expect_not_null(strstr(shown, "\n  It rests on pool "), "%s", shown);
    cr_expect_not_null(strstr(shown, "\n  Page: 'a folder/report/report.html'\n"), "%s", shown);
    cr_expect_null(strstr(shown, "beats"));
    cr_expect_null(strstr(shown, "better"));
    expect_few_lines(shown, 100);
    m.n_seeds = 3;
    made_up_write(&m, folder);
    cr_expect_not_null(strstr(ending_there(100, "r"), "\n  Bear in mind: "), "%s",
                       ending_there(100, "r"));
}

Test(ending, fits_whatever_it_says)
{
    static const size_t columns[] = {0, 59, 60, 72, 80, 99, 100, 400};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        made_up_write(&m, folder);
        size_t wide = columns[i] < 60 ? 60 : columns[i] > 100 ? 100 : columns[i];
        expect_few_lines(ending_there(columns[i], "r"), wide);
    }
}
