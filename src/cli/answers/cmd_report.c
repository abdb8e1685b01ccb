#include <string.h>

#include "base/core/try.h"
#include "cli/terminal/cli.h"
#include "cli/terminal/screen.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/report.h"

/* An unfinished run says so beside whatever is shown of it. */
static void say_gaps(const struct regret_results *results)
{
    if (results->gaps != NULL) {
        cli_say("%s", results->gaps);
    }
    if (results->unmade != NULL) {
        cli_say("%s", results->unmade);
    }
}

/* Prints the named tables, or with none named every table. */
static int print_tables(const char *run, const struct cli_list *tables, enum regret_format format,
                        const struct regret_report_options *options)
{
    struct regret_results *results = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct cli_list all = {{NULL}, 0};
    const char *const *names = NULL;
    size_t n = regret_report_tables(&names);
    for (size_t i = 0; tables->count == 0 && i < n; i++) {
        all.items[all.count++] = names[i];
    }
    const struct cli_list *printed = tables->count > 0 ? tables : &all;
    int rc, json = format == REGRET_FORMAT_JSON; /* an array of tables */
    TRY_CLEANUP(regret_results_read(&results, run));
    say_gaps(results);
    for (size_t i = 0; i < printed->count; i++) {
        regret_buffer_append(&text, i > 0 ? json ? "," : "\n" : json ? "[" : "");
        TRY_CLEANUP(regret_report_table(&text, results, printed->items[i], format));
    }
    regret_buffer_append(&text, json ? "]\n" : "");
cleanup:
    regret_results_free(results);
    return cli_print_csv(&text, rc, options->safe_csv && format == REGRET_FORMAT_CSV);
}

/* Writes the report, and says what the run recommends. */
static int write_report(const char *run, const char *out, int quiet, int json,
                        const struct regret_report_options *options)
{
    struct regret_results *results = NULL;
    struct regret_buffer ending = REGRET_BUFFER_INIT, described = REGRET_BUFFER_INIT;
    char *own = NULL;
    int rc;
    TRY_CLEANUP(regret_results_read(&results, run));
    TRY_CLEANUP(regret_path_join(&own, run, "report"));
    const char *folder = out != NULL ? out : own;
    if (!quiet) {
        TRY_CLEANUP(screen_ending(&ending, results, folder));
    }
    TRY_CLEANUP(regret_report_write(run, out, options));
    cli_say("wrote %s/report.md", folder);
    say_gaps(results);
    fputs(regret_buffer_get(&ending), stderr);
    if (json) {
        TRY_CLEANUP(regret_report_json(&described, results, folder));
    }
cleanup:
    regret_buffer_free(&ending);
    regret_free(own);
    regret_results_free(results);
    return cli_print(&described, rc);
}

static int run_report(const struct cli_command *self, int argc, char **argv)
{
    struct cli_list tables = {{NULL}, 0};
    const char *word = NULL, *out = NULL;
    struct regret_report_options wanted = {0};
    int code = 0, quiet = 0, json = 0;
    const struct cli_option options[] = {
        {"table", 't', CLI_LIST, &tables, "TABLE",
         "print this table and write nothing; may be given many times", 0, 0},
        {"format", 'f', CLI_STRING, &word, "text|md|csv|tex|html|json",
         "of what is printed (default text); without --table prints every table", 0, 0},
        {"json", 0, CLI_FLAG, &json, NULL,
         "with --table, --format json; else what the report says, for programs", 0, 0},
        {"output", 'o', CLI_STRING, &out, "DIR", "where the report goes (default RUN/report)", 0,
         0},
        CLI_SAFE_CSV(wanted.safe_csv),
        {"quiet", 'q', CLI_FLAG, &quiet, NULL, "no answer", 0, 0},
        {0}};
    struct cli_arguments rest;
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv)) {
        return code;
    }
    if (tables.count == 0 && word == NULL) {
        return write_report(rest.items[0], out, quiet, json, &wanted);
    }
    if (out != NULL) {
        return cli_usage_error("--output writes the whole report; leave out "
                               "--table and --format");
    }
    word = cli_format(word, json);
    if (word == NULL) {
        return CLI_USAGE;
    }
    enum regret_format format = REGRET_FORMAT_TEXT;
    int rc = regret_format_parse(&format, word);
    return rc != 0 ? cli_report(rc) : print_tables(rest.items[0], &tables, format, &wanted);
}

const struct cli_command cmd_report = {
    .name = "report",
    .synopsis = "RUN [--table TABLE]... [--format text|md|csv|tex|html|json] [-o DIR] "
                "[--safe-csv]",
    .summary = "make the tables of a run",
    .detail =
        "Reads a run folder and writes a folder with report.md (headline, means and summary), "
        "report.html\n"
        "(a page with figures and every table), figures/NAME as SVG and CSV, "
        "tables/NAME\n"
        "as CSV, results.csv (all rows) and config.json; then it says "
        "on\n"
        "stderr what the run recommends, and what an unfinished run lacks.\n"
        "With --table or --format it prints tables instead and writes nothing. Tables: means,\n"
        "summary, budget, reward-shape, beta, winners, alignment, crossover, grounded, values, "
        "dr-regime,\nagreement, tags, sweep, tuning, costs; in JSON they are one array. An "
        "unfinished run is reported\nwith a note on what is missing.\n"
        "Names of agents and the like are other people's texts: a spreadsheet that opens a CSV may "
        "run\nwhat begins with =, +, - or @ as a formula; --safe-csv puts an apostrophe before it.",
    .examples = "regret report runs/main\n"
                "regret report runs/main --table summary --table winners\n"
                "regret report runs/main --table budget --format csv\n"
                "regret report runs/mine --table means\n"
                "regret report runs/main -o paper/tables\n"
                "regret report runs/main --json --quiet",
    .run = run_report,
};
