#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/core/try.h"
#include "cli/terminal/cli.h"
#include "regret/blas.h"
#include "regret/parallel.h"
#include "report/render/table.h"

static const char *const parallel_words[] = {"serial", "pthreads", "OpenMP"};

/* What was found; `worst` is the largest error of the self-check. */
struct found {
    struct regret_blas_info blas;
    const char *build; /* serial, pthreads, … */
    size_t threads;
    double worst;
};

static int print_json(const struct found *f)
{
    struct table t = {0};
    struct regret_buffer text = REGRET_BUFFER_INIT;
    table_begin(&t, "doctor", "The linear algebra library and the machine");
    table_block(&t, "%s", "");
    static const char *const columns[] = {"regret",         "BLAS",
                                          "kernel",         "BLAS build",
                                          "processors",     "processors on the machine",
                                          "threads a call", "threads checked",
                                          "largest error"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        table_column(&t, "%s", columns[i]);
    }
    table_row_of_cells(&t);
    table_text(&t, "%s", regret_version());
    table_text(&t, "%s", f->blas.build);
    table_text(&t, "%s", f->blas.kernel);
    table_text(&t, "%s", f->build);
    table_number(&t, (double)regret_processor_count(), 0);
    table_number(&t, (double)sysconf(_SC_NPROCESSORS_ONLN), 0);
    table_number(&t, f->blas.blas_threads, 0);
    table_number(&t, (double)f->threads, 0);
    table_number(&t, f->worst, 0);
    int rc = render(&text, &t, REGRET_FORMAT_JSON);
    table_free(&t);
    return cli_print(&text, rc);
}

static void print_library(const struct found *f)
{
    printf("regret      %s\n", regret_version());
    printf("processors  %zu allowed, %ld on the machine\n", regret_processor_count(),
           sysconf(_SC_NPROCESSORS_ONLN));
    printf("BLAS        %s\n", f->blas.build);
    printf("kernel      %s\n", f->blas.kernel);
    printf("BLAS build  %s, %d thread%s a call\n", f->build, f->blas.blas_threads,
           plural(f->blas.blas_threads));
}

static void print_check(const struct found *f)
{
    printf("self-check  passed on %zu thread%s, largest error %.1e\n", f->threads,
           plural(f->threads), f->worst);
}

static int examine(struct found *f, int json)
{
    int known = f->blas.parallel >= 0 && f->blas.parallel <= 2;
    f->build = known ? parallel_words[f->blas.parallel] : "unknown";
    if (!json) {
        print_library(f);
    }
    TRY(regret_blas_check_threads(f->threads));
    if (f->blas.parallel == 2) {
        static const char NOTE[] =
            "the OpenMP build changes last digits; the pthread build is the tested one";
        if (json) {
            cli_say("%s", NOTE);
        } else {
            printf("note        %s\n", NOTE);
        }
    }
    return regret_blas_self_check(f->threads, &f->worst);
}

static int run_doctor(const struct cli_command *self, int argc, char **argv)
{
    struct found f = {.threads = regret_processor_count()};
    int code = 0, json = 0;
    const struct cli_option options[] = {
        {"threads", 't', CLI_THREADS, &f.threads, "N",
         "threads to check with (default: all allowed)", 1, 1024},
        {"json", 0, CLI_FLAG, &json, NULL, "the same for programs, once all is well", 0, 0},
        {0}};
    if (cli_parse_options(&code, self, options, argc, argv)) {
        return code;
    }
    f.blas = regret_blas_describe();
    code = cli_report(examine(&f, json));
    if (code == CLI_OK && json) {
        return print_json(&f);
    }
    if (code == CLI_OK) {
        print_check(&f);
    }
    return code;
}

const struct cli_command cmd_doctor = {
    .name = "doctor",
    .synopsis = "[--threads N] [--json]",
    .summary = "check the linear algebra library and the machine",
    .detail =
        "Prints the BLAS build, its kernel and threads, and runs a numerical self-check on as\n"
        "many threads as a run would use. The serial build of OpenBLAS is refused with more\n"
        "than one thread, because it gives wrong answers there.",
    .examples = "regret doctor\nregret doctor --threads 1",
    .run = run_doctor,
};
