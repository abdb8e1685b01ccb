#include "base/try.h"
#include "cli/cli.h"
#include "regret/report.h"

/* Prints the named tables, or with none named every table. */
static int print_tables(const char *run, const struct cli_list *tables, enum regret_format format,
                        int safe_csv)
{
    struct regret_results *results = NULL;
    struct regret_text text = REGRET_TEXT_INIT;
    const char *const *names = tables->items;
    size_t n = tables->count;
    if (n == 0) {
        n = regret_report_tables(&names);
    }
    int rc;
    TRY_CLEANUP(regret_results_read(&results, run));
    for (size_t i = 0; i < n; i++) {
        if (i > 0) {
            regret_text_append_char(&text, '\n');
        }
        TRY_CLEANUP(regret_report_table(&text, results, names[i], format));
    }
cleanup:
    regret_results_free(results);
    return safe_csv ? cli_print_safe_csv(&text, rc) : cli_print(&text, rc);
}

static int write_report(const char *run, const char *out, int safe_csv)
{
    const struct regret_report_options options = {.safe_csv = safe_csv};
    int rc = regret_report_write(run, out, &options);
    if (rc != REGRET_OK) {
        return cli_report(rc);
    }
    cli_say("wrote %s%s/report.md", out != NULL ? out : run, out != NULL ? "" : "/report");
    return CLI_OK;
}

static int run_report(const struct cli_command *self, int argc, char **argv)
{
    struct cli_list tables = {{NULL}, 0};
    const char *word = NULL, *out = NULL;
    int safe_csv = 0;
    const struct cli_option options[] = {
        {"table", 't', CLI_LIST, &tables, "NAME",
         "print this table and write nothing; may be given many times", 0, 0},
        {"format", 'f', CLI_STRING, &word, "md|csv|tex|html",
         "of what is printed (default md); without --table prints every table", 0, 0},
        {"output", 'o', CLI_STRING, &out, "DIR", "where the report goes (default RUN/report)", 0,
         0},
        {"safe-csv", 0, CLI_FLAG, &safe_csv, NULL,
         "in CSV, keep spreadsheets from taking text for formulas", 0, 0},
        {0}};
    struct cli_arguments rest;
    int code = 0;
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv)) {
        return code;
    }
    if (tables.count == 0 && word == NULL) {
        return write_report(rest.items[0], out, safe_csv);
    }
    if (out != NULL) {
        return cli_usage_error("--output writes the whole report in every format; leave out "
                               "--table and --format");
    }
    enum regret_format format = REGRET_FORMAT_MARKDOWN;
    int rc = word != NULL ? regret_format_parse(&format, word) : 0;
    safe_csv = safe_csv && format == REGRET_FORMAT_CSV;
    return rc != 0 ? cli_report(rc) : print_tables(rest.items[0], &tables, format, safe_csv);
}

const struct cli_command cmd_report = {
    .name = "report",
    .synopsis = "RUN [--table NAME]... [--format md|csv|tex|html] [-o DIR] [--safe-csv]",
    .summary = "make the tables of a run",
    .detail =
        "Reads a run folder and writes a folder with report.md (the facts of the run and every\n"
        "table), tables/NAME in Markdown, CSV, LaTeX and HTML, results.csv (all rows) and "
        "config.json.\n"
        "With --table or --format it prints tables instead and writes nothing. Tables: summary,\n"
        "budget, reward-shape, beta, winners, alignment, crossover, grounded, values, dr-regime, "
        "sweep,\ntuning, claims. An unfinished run is reported with a note on what is missing.\n"
        "Names of agents and the like are other people's texts: a spreadsheet that opens a CSV may "
        "run\nwhat begins with =, +, - or @ as a formula; --safe-csv puts an apostrophe before it.",
    .examples = "regret report runs/main\n"
                "regret report runs/main --table summary --table winners\n"
                "regret report runs/main --table budget --format csv\n"
                "regret report runs/main -o paper/tables",
    .run = run_report,
};
