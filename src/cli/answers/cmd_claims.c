#include <string.h>

#include "base/core/try.h"
#include "cli/terminal/cli.h"
#include "regret/alloc.h"
#include "regret/csv.h"
#include "regret/file.h"
#include "regret/report.h"

struct wanted {
    const char *format;  /* its word */
    const char *out;     /* NULL: standard output */
    const char *figures; /* the folder to draw into, or NULL */
    int safe_csv;
};

static int check_folder(const char *path)
{
    return !regret_file_exists(path) || regret_is_folder(path)
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s is a file; name the folders that 'regret run' wrote", path);
}

static int make_page(struct regret_buffer *out, const struct cli_arguments *folders,
                     const struct wanted *w)
{
    enum regret_format format = REGRET_FORMAT_TEXT;
    struct regret_results **runs = NULL;
    int rc;
    TRY(regret_format_parse(&format, w->format));
    TRY_CLEANUP(REGRET_NEW(&runs, folders->count));
    for (size_t i = 0; i < folders->count; i++) {
        TRY_CLEANUP(check_folder(folders->items[i]));
        TRY_CLEANUP(regret_results_read(&runs[i], folders->items[i]));
    }
    const struct regret_results *const *all = (const struct regret_results *const *)runs;
    TRY_CLEANUP(regret_report_claims(out, all, folders->count, format));
    rc =
        w->figures != NULL ? regret_report_claims_draw(w->figures, all, folders->count) : REGRET_OK;
cleanup:
    for (size_t i = 0; runs != NULL && i < folders->count; i++) {
        regret_results_free(runs[i]);
    }
    regret_free(runs);
    return rc;
}

static int write_page(const struct cli_arguments *folders, const struct wanted *w, int guard)
{
    FREED_BY(regret_buffer_free) struct regret_buffer page = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer guarded = REGRET_BUFFER_INIT;
    const struct regret_buffer *written = &page;
    TRY(make_page(&page, folders, w));
    if (guard) {
        regret_csv_guard(&guarded, regret_buffer_get(&page), page.length);
        TRY(regret_buffer_status(&guarded));
        written = &guarded;
    }
    return regret_file_write(w->out, regret_buffer_get(written), written->length);
}

static int run_claims(const struct cli_command *self, int argc, char **argv)
{
    struct wanted w = {"text", NULL, NULL, 0};
    const struct cli_option options[] = {
        {"format", 'f', CLI_STRING, &w.format, "text|md|csv|tex|html|json",
         "of the page (default text)", 0, 0},
        {"output", 'o', CLI_STRING, &w.out, "FILE", "where it goes (default: standard output)", 0,
         0},
        {"figures", 0, CLI_STRING, &w.figures, "DIR", "draw the verdicts by run there, too", 0, 0},
        CLI_SAFE_CSV(w.safe_csv),
        {0}};
    enum { MOST_RUNS = 64 };
    struct cli_arguments rest;
    struct regret_buffer page = REGRET_BUFFER_INIT;
    int code = 0;
    if (cli_parse(&rest, &code, self, options, 1, MOST_RUNS, argc, argv)) {
        return code;
    }
    int guard = w.safe_csv && strcmp(w.format, "csv") == 0;
    int rc = w.out != NULL ? write_page(&rest, &w, guard) : make_page(&page, &rest, &w);
    if (w.out == NULL) {
        return cli_print_csv(&page, rc, guard);
    }
    if (rc != REGRET_OK) {
        return cli_report(rc);
    }
    cli_say("wrote %s", w.out);
    return CLI_OK;
}

const struct cli_command cmd_claims = {
    .name = "claims",
    .synopsis =
        "RUN... [--format text|md|csv|tex|html|json] [-o FILE] [--figures DIR] [--safe-csv]",
    .summary = "hold the findings of the paper against several runs at once",
    .detail =
        "One page for the whole paper. Each run answers the findings about the parts of the paper\n"
        "whose shape it has (what it sweeps, its task, whether it has estimates of values):\n"
        "main, values, grounded, map24, world, world-dr, coding, coding-axes; docs/paper.md has\n"
        "the rules. A finding holds, holds partly (so many of its parts, none against it), is\n"
        "mixed (parts for it and parts against it), does not hold, or cannot be told with so many\n"
        "seeds, and then the least difference that could be is given. The verdicts are counted by\n"
        "run, as they are and corrected for the number of comparisons (Holm, Benjamini-Hochberg).\n"
        "Findings that the set-up makes true, and those that are not the paper's, are shown and\n"
        "not counted.",
    .examples =
        "regret claims runs/main runs/values runs/grounded runs/map24 runs/world "
        "runs/patches\n"
        "regret claims runs/main\n"
        "regret claims runs/main runs/values --format html -o findings.html --figures figures",
    .run = run_claims,
};
