/* What runs say: `report`, `compare` and `merge`. */
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "cli/internal.h"
#include "regret/buffer.h"
#include "regret/report.h"
#include "regret/results.h"
#include "regret/status.h"

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

/* Writes the report, and says how the run ends. */
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
        {"sql", 0, CLI_LIST, &tables, "FILE",
         "print a table of one's own, which a file of SQL says; may be given many times", 0, 0},
        {"format", 'f', CLI_STRING, &word, "text|md|csv|tex|html|json",
         "of what is printed (default text); without --table prints every table", 0, 0},
        {"json", 0, CLI_FLAG, &json, NULL,
         "with --table, --format json; else what the report says, for programs", 0, 0},
        {"output", 'o', CLI_STRING, &out, "DIR", "where the report goes (default RUN/report)", 0,
         0},
        CLI_SAFE_CSV(wanted.safe_csv),
        {"quiet", 'q', CLI_FLAG, &quiet, NULL, "no findings", 0, 0},
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
    .synopsis = "RUN [--table TABLE]... [--sql FILE]... [--format text|md|csv|tex|html|json] "
                "[-o DIR] [--safe-csv]",
    .summary = "make the tables of a run",
    .detail =
        "Reads a run folder and writes a folder with report.md (headline, means and summary), "
        "report.html\n"
        "(a page with figures and every table), figures/NAME as SVG and CSV, "
        "tables/NAME\n"
        "as CSV, results.csv (all rows) and config.json; then it says "
        "on\n"
        "stderr which family has the least regret, and what an unfinished run lacks.\n"
        "With --table or --format it prints tables instead and writes nothing. Tables: means,\n"
        "summary, budget, reward-shape, beta, winners, alignment, crossover, grounded, values, "
        "dr-regime,\nagreement, tags, sweep, tuning, costs; in JSON they are one array. An "
        "unfinished run is reported\nwith a note on what is missing. --sql prints a table of your "
        "own\n(docs/extending.md).\n"
        "Names of agents and the like are other people's texts: a spreadsheet that opens a CSV may "
        "run\nwhat begins with =, +, - or @ as a formula; --safe-csv puts an apostrophe before it.",
    .examples = "regret report runs/main\n"
                "regret report runs/main --table summary --table winners\n"
                "regret report runs/main --table budget --format csv\n"
                "regret report runs/mine --table means\n"
                "regret report runs/mine --sql my.sql --format tex\n"
                "regret report runs/main -o paper/tables\n"
                "regret report runs/main --json --quiet",
    .run = run_report,
};

/* What two words and a format are of: a run and a query, two runs. */
struct asked {
    struct cli_arguments words;
    const char *word; /* of --format */
    int json, safe_csv, any_pools;
    enum regret_format format;
};
#define ASKED_OPTIONS(a)                                                                           \
    {"format",                                                                                     \
     'f',                                                                                          \
     CLI_STRING,                                                                                   \
     &(a).word,                                                                                    \
     "text|md|csv|tex|html|json",                                                                  \
     "of the table (default text)",                                                                \
     0,                                                                                            \
     0},                                                                                           \
        CLI_JSON((a).json), CLI_SAFE_CSV((a).safe_csv)

static int print_asked(struct asked *a, int (*make)(struct regret_buffer *, const struct asked *),
                       const struct cli_command *self, const struct cli_option *options, int argc,
                       char **argv)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    int code = 0, rc;
    if (cli_parse(&a->words, &code, self, options, 2, 2, argc, argv)) {
        return code;
    }
    a->word = cli_format(a->word, a->json);
    if (a->word == NULL) {
        return CLI_USAGE;
    }
    TRY_CLEANUP(regret_format_parse(&a->format, a->word));
    rc = make(&text, a);
cleanup:
    return cli_print_csv(&text, rc, a->safe_csv && a->format == REGRET_FORMAT_CSV);
}

FREED_POINTER(struct regret_results, regret_results_free)

static int make_query(struct regret_buffer *text, const struct asked *a)
{
    FREED_BY(regret_results_free_at) struct regret_results *results = NULL;
    TRY(regret_results_read(&results, a->words.items[0]));
    say_gaps(results);
    return regret_report_sql(text, results, a->words.items[1], a->format);
}

static int run_query(const struct cli_command *self, int argc, char **argv)
{
    struct asked a = {.word = NULL};
    const struct cli_option options[] = {ASKED_OPTIONS(a), {0}};
    return print_asked(&a, make_query, self, options, argc, argv);
}

const struct cli_command cmd_sql = {
    .name = "sql",
    .synopsis = "RUN QUERY [--format text|md|csv|tex|html|json] [--safe-csv]",
    .summary = "ask the rows of a run a question of your own",
    .detail =
        "The query is SQL (SQLite's) over the tables of the run, and may only read: results has "
        "a row\na cell, seed and family; cells and cell_keys say which values of the swept keys a "
        "cell\nhas; context_regrets and agent_values have a row a context and an agent. "
        "est(y, cell, seed)\nis an estimate, of which mean(e), se(e), low(e), high(e) and minus(a, "
        "b) "
        "are numbers.\ndocs/extending.md tells of all tables and functions.",
    .examples =
        "regret sql runs/main \"SELECT family, mean(est(regret, cell, seed)) AS regret FROM "
        "results GROUP BY family\"\n"
        "regret sql runs/main \"SELECT * FROM results\" --format csv > rows.csv",
    .run = run_query,
};

static int make_comparison(struct regret_buffer *text, const struct asked *asked)
{
    FREED_BY(regret_results_free_at) struct regret_results *a = NULL;
    FREED_BY(regret_results_free_at) struct regret_results *b = NULL;
    TRY(regret_results_read(&a, asked->words.items[0]));
    TRY(regret_results_read(&b, asked->words.items[1]));
    return regret_report_compare(text, a, b, asked->any_pools ? REGRET_ANY_POOLS : REGRET_ONE_POOL,
                                 asked->format);
}

static int run_compare(const struct cli_command *self, int argc, char **argv)
{
    struct asked a = {.word = NULL};
    const struct cli_option options[] = {
        ASKED_OPTIONS(a),
        CLI_FLAG_OPTION("different-pools", 0, &a.any_pools,
                        "compare runs of different pools, whose contexts are not the same"),
        {0}};
    return print_asked(&a, make_comparison, self, options, argc, argv);
}

const struct cli_command cmd_compare = {
    .name = "compare",
    .synopsis = "RUN_A RUN_B [--format text|md|csv|tex|html|json] [--different-pools] [--safe-csv]",
    .summary = "compare the regrets of two runs, paired by cell and seed",
    .detail = "Matches cells by their keys and seeds by their numbers, and prints for each family\n"
              "the mean regret in both runs, the paired difference B − A with its standard error\n"
              "over seeds and 95 % bootstrap interval, and everything that does not match.\n"
              "Runs of different pools are refused without --different-pools.\n"
              "JSON is a table of typed columns (docs/formats.md).",
    .examples = "regret compare runs/before runs/after\n"
                "regret compare runs/hashed runs/with-agent --format csv",
    .run = run_compare,
};

/* After the error, a line or two for every shard that would repair it; nothing for other errors. */
static void print_missing(const struct cli_arguments *runs)
{
    struct regret_buffer lines = REGRET_BUFFER_INIT, shown = REGRET_BUFFER_INIT;
    if (regret_merge_missing(&lines, runs->items, runs->count) == REGRET_OK) {
        regret_buffer_append_visible(&shown, regret_buffer_get(&lines));
        fputs(regret_buffer_get(&shown), stderr);
    }
    regret_buffer_free(&lines);
    regret_buffer_free(&shown);
}

static int report_refusal(int rc, const struct cli_arguments *runs)
{
    int code = cli_report(rc);
    if (rc == REGRET_E_INPUT) {
        print_missing(runs);
    }
    return code;
}

/* The report is a part of what appears. */
static int on_finish(void *context, const char *folder)
{
    (void)context;
    return regret_report_write(folder, NULL, NULL);
}

static void put_output(struct regret_buffer *t, const char *out, int report)
{
    regret_buffer_printf(
        t, "would write %s: run.json, rows and times of shard 1 of 1%s%s\n", out,
        report ? ", report/" : "",
        regret_file_exists(out) && !regret_folder_is_empty(out) ? "; replaces what is there" : "");
}

/* Says what would be joined, and then what the merge would say. */
static int dry_merge(const char *out, const struct cli_arguments *runs,
                     const struct regret_merge_options *merge)
{
    struct regret_buffer lines = REGRET_BUFFER_INIT, shown = REGRET_BUFFER_INIT;
    int rc;
    TRY_CLEANUP(regret_merge_preview(&lines, out, runs->items, runs->count, merge));
    put_output(&lines, out, merge->finish != NULL);
cleanup:
    regret_buffer_append_visible(&shown, regret_buffer_get(&lines));
    regret_buffer_free_into(&shown, &lines);
    int code = report_refusal(rc, runs), printed = cli_print(&shown, REGRET_OK);
    return code != CLI_OK ? code : printed;
}

static int run_merge(const struct cli_command *self, int argc, char **argv)
{
    struct cli_arguments rest;
    const char *out = NULL;
    struct regret_merge_options merge = {.force = 0};
    int code = 0, no_report = 0, dry = 0;
    const struct cli_option options[] = {
        {"output", 'o', CLI_STRING, &out, "RUN", "the whole run's folder (needed)", 0, 0},
        {"force", 0, CLI_FLAG, &merge.force, NULL, "replace an existing run folder", 0, 0},
        {"dry-run", 'n', CLI_FLAG, &dry, NULL,
         "check everything, say what would be joined, and write nothing", 0, 0},
        {"no-report", 0, CLI_FLAG, &no_report, NULL, "write only the rows", 0, 0},
        {0}};
    if (cli_parse(&rest, &code, self, options, 1, sizeof rest.items / sizeof *rest.items, argc,
                  argv)) {
        return code;
    }
    if (out == NULL) {
        return cli_usage_error("merge wants a folder for the whole run: -o RUN");
    }
    merge.finish = no_report ? NULL : on_finish;
    if (dry) {
        return dry_merge(out, &rest, &merge);
    }
    int rc = regret_merge(out, rest.items, rest.count, &merge);
    if (rc != REGRET_OK) {
        return report_refusal(rc, &rest);
    }
    cli_say("joined %zu %s in %s", rest.count, rest.count == 1 ? "shard" : "shards", out);
    return CLI_OK;
}

const struct cli_command cmd_merge = {
    .name = "merge",
    .synopsis = "RUN... -o RUN",
    .summary = "join the shards of a run",
    .detail =
        "The merged rows are the bytes of an unsharded run. Shards of different\n"
        "configurations or pools, missing, doubled or unfinished ones are refused; the cells and\n"
        "seeds that are not there are listed, each with the command that computes them. --dry-run\n"
        "says on stdout of every folder which shard it is and how much of it is there, or why it "
        "is\n"
        "refused, with the rows found, missing and doubled; it ends as the merge would, but for "
        "what\n"
        "only writing can tell.",
    .examples = "regret merge runs/main-1 runs/main-2 -o runs/main\n"
                "regret merge runs/part-* -o runs/whole --dry-run\n"
                "regret merge runs/part-* -o runs/whole",
    .run = run_merge,
};
