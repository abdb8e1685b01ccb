/* Tables of attribute effects for papers. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/rate_report.h"

TestSuite(tex, .fini = scratch_remove);

static size_t count(const char *text, const char *words)
{
    size_t n = 0;
    for (const char *at = strstr(text, words); at != NULL; at = strstr(at + 1, words)) {
        n++;
    }
    return n;
}

/* The rows of all tables of a Markdown document, heads and rules not counted. */
static size_t markdown_rows(const char *text)
{
    return count(text, "\n| ") - count(text, "\n|---");
}

/* As many tables and rows as Markdown has. */
static void check_command(const char *command)
{
    char arguments[1200];
    int code = 0;
    snprintf(arguments, sizeof arguments, "rate %s", command);
    char *md = run_program(&code, arguments, "2>/dev/null");
    cr_assert_eq(code, 0, "%s", command);
    snprintf(arguments, sizeof arguments, "rate %s -f tex", command);
    char *tex = run_program(&code, arguments, "2>/dev/null");
    cr_assert_eq(code, 0, "%s", command);
    size_t tables = count(md, "## ");
    static const char *const marks[] = {"% needs \\usepackage{booktabs}\n\\begin{table}",
                                        "\\begin{tabular}{",
                                        "\\toprule\n",
                                        "\\midrule\n",
                                        "\\bottomrule\n\\end{tabular}",
                                        "\\end{table}\n"};
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
        cr_assert_eq(count(tex, marks[k]), tables, "%s: %zu of %zu %s", command,
                     count(tex, marks[k]), tables, marks[k]);
    }
    cr_assert_eq(count(tex, " \\\\\n"), markdown_rows(md) + tables, "%s: %zu, %zu", command,
                 count(tex, " \\\\\n"), markdown_rows(md));
    cr_assert_null(strchr(tex, '`'));
    regret_free(md);
    regret_free(tex);
}

Test(tex, every_command_has_the_tables_of_markdown)
{
#define ROWS " data/rate/rows.jsonl"
    static const char *const commands[] = {"estimate" ROWS,
                                           "estimate data/rate/rough.jsonl",
                                           "estimate data/rate/unlabelled.jsonl --predict-w text",
                                           "contrast" ROWS,
                                           "shift" ROWS,
                                           "shift --sizes 10,20,30,40",
                                           "check" ROWS " --classifier length:300",
                                           "samples" ROWS,
                                           "human" ROWS " --human sim-judge",
                                           "world --rows 40 --replicates 4"};
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        check_command(commands[k]);
    }
}

Test(tex, what_is_special_is_escaped)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    for (int i = 0; i < 6; i++) {
        regret_buffer_printf(
            &t,
            "{\"dataset\": \"a_b & c%%\", \"attribute\": \"{x}^2 ~ $1 #1 \\\\\", \"w\": %s, "
            "\"scores\": {\"m_1\": {\"original\": %d, \"rewrite\": %d, "
            "\"rewrite_of_rewrite\": -%d}}}\n",
            i % 2 ? "true" : "false", i, i * i % 5, i + i % 3);
    }
    char arguments[1200];
    snprintf(arguments, sizeof arguments, "rate estimate %s -f tex",
             scratch_file("special.jsonl", regret_buffer_get(&t)));
    check_run(arguments, "2>&1", 0,
              "a\\_b \\& c\\% & \\{x\\}\\textasciicircum{}2 \\textasciitilde{} \\$1 \\#1 "
              "\\textbackslash{} & m\\_1 & RATE\\_ATE & 6 & $-$");
    regret_buffer_free(&t);
    check_run("rate estimate data/rate/rows.jsonl -f latex", "2>&1", 2, "did you mean \"tex\"?");
}
