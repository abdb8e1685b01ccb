#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/json.h"
#include "csv_records.h"
#include "left_over.h"
#include "made_run.h"
#include "regret/buffer.h"
#include "regret/status.h"

static void setup(void)
{
    made_begin();
    m.n_maps = m.n_obs = 1;
    m.n_seeds = 3;
    made_up_write(&m, folder);
}

TestSuite(report, .init = setup, .fini = made_end);

static char *content(const char *name)
{
    char *text = NULL;
    cr_assert_eq(regret_file_read(&text, NULL, made_path(folder, name), 1 << 24), 0, "%s",
                 regret_error_message());
    return text;
}

Test(report, the_folder_holds_every_table_and_row)
{
    cr_assert_eq(regret_report_write(folder, NULL, NULL), 0, "%s", regret_error_message());
    char *report = content("report/report.md");
    static const char *const facts[] = {"# Made up for tests",
                                        "**SYNTHETIC data.**",
                                        "* Pool: made-up",
                                        "* Licence: MIT",
                                        "48 contexts × 20 agents",
                                        "* Cells: 6, seeds: 3, replicates: 18 of 18",
                                        "* Version of regret: 0.1.0",
                                        "* BLAS kernel: k",
                                        "regret run config.json --set pool=FOLDER -o RUN"};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        cr_expect_not_null(strstr(report, facts[i]), "%s", facts[i]);
    }
    const char *const *names = NULL;
    size_t n = regret_report_tables(&names);
    for (size_t i = 0; i < n; i++) {
        char file[64];
        cr_expect_eq(strstr(report, made_markdown(folder, names[i])) != NULL,
                     strcmp(names[i], "summary") == 0, "%s: only the ranking is there whole",
                     names[i]);
        snprintf(file, sizeof file, "report/tables/%s.csv", names[i]);
        char *table = content(file);
        struct csv_records c = csv_parse(table);
        for (size_t k = 0; k < c.n; k++) {
            cr_expect_eq(c.widths[k], 6);
        }
        csv_free(&c);
        regret_free(table);
        snprintf(file, sizeof file, "report/tables/%s.tex", names[i]);
        cr_expect_not(regret_file_exists(made_path(folder, file)), "%s", file);
    }
    char *rows = content("report/results.csv");
    struct csv_records c = csv_parse(rows);
    cr_expect_eq(c.n, 1 + 18 * (8 + 4 + 2));
    csv_free(&c);
    regret_free(rows);
    regret_free(report);
    char *config = content("report/config.json");
    cr_expect_not_null(strstr(config, "\"pool\":\t\"p\""), "%s", config);
    regret_free(config);
}

Test(report, a_foreign_folder_is_not_replaced)
{
    char out[512];
    strcpy(out, made_path(folder, "mine"));
    cr_assert_eq(regret_folder_create(out), 0);
    cr_assert_eq(regret_file_write(made_path(folder, "mine/thesis.txt"), "x", 1), 0);
    cr_expect_eq(regret_report_write(folder, out, NULL), REGRET_E_INPUT);
    cr_expect(regret_file_exists(made_path(folder, "mine/thesis.txt")));
    cr_expect_eq(left_over(folder), 0);
}

/* run.json with a part replaced. */
static void edit_run(const char *from, const char *to)
{
    char *text = content("run.json");
    char *at = strstr(text, from);
    struct regret_buffer edited = REGRET_BUFFER_INIT;
    cr_assert_not_null(at, "no %s", from);
    regret_buffer_printf(&edited, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    cr_assert_eq(regret_file_write_text(folder, "run.json", &edited), 0);
    regret_buffer_free(&edited);
    regret_free(text);
}

static void both_say(const char *markdown, const char *html)
{
    cr_assert_eq(regret_report_write(folder, NULL, NULL), 0, "%s", regret_error_message());
    char *report = content("report/report.md"), *page = content("report/report.html");
    cr_expect_not_null(strstr(report, markdown), "no \"%s\" in %.800s", markdown, report);
    cr_expect_not_null(strstr(page, html), "no \"%s\"", html);
    regret_free(report);
    regret_free(page);
}

static double level;
static double at_level(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    (void)made;
    return level + 1e-4 * (double)family + 1e-6 * (double)((cell + seed) % 3);
}

/* Baselines of this run have regrets from 0 to .1, so best-exp and best-obs about .05; of rows without lists nothing is
 * told of one against the other, however far they are apart by seeds. */
Test(report, the_head_has_the_single_agent_and_no_verdict_by_seeds)
{
    static const char *const verdicts[] = {"beats", "better", "would hold"};
    for (int wins = 0; wins < 2; wins++) {
        m = made_up_default();
        m.n_maps = m.n_obs = 1;
        m.n_seeds = 12;
        m.regret = at_level;
        level = wins ? 0.2 : 0.001;
        made_up_write(&m, folder);
        cr_assert_eq(regret_report_write(folder, NULL, NULL), 0, "%s", regret_error_message());
        char *markdown = content("report/report.md"), *page = content("report/report.html");
        const char *agent =
            "Recommending one agent for everything, always that of the best mean in ";
        cr_expect_not_null(strstr(markdown, agent));
        cr_expect_not_null(strstr(page, agent));
        *strstr(markdown, "\n## ") = '\0';
        for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
            cr_expect_null(strstr(markdown, verdicts[i]), "%s", markdown);
        }
        regret_free(markdown);
        regret_free(page);
    }
}

Test(report, hostile_facts_are_made_visible)
{
    edit_run("Made up for tests", "T\\u001b[2J\\u202e\\u009b");
    edit_run("\"MIT\"", "\"L\\u0007\"");
    edit_run("\"version\":\"1\"", "\"version\":\"\\b\\u2066\"");
    both_say("# T\\\\u{1b}\\[2J\\\\u{202e}\\\\u{9b}\n", "<h1>T\\u{1b}[2J\\u{202e}\\u{9b}</h1>");
    both_say("* Licence: L\\\\u{7}\n", "<dd>L\\u{7}</dd>");
    both_say("* Pool version: \\\\u{8}\\\\u{2066}\n", "<dd>\\u{8}\\u{2066}</dd>");
}
