#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "regret/blas.h"
#include "regret/parallel.h"

static const char *const parallel_words[] = {"serial", "pthreads", "OpenMP"};

static int run_doctor(const struct cli_command *self, int argc, char **argv)
{
    size_t threads = regret_processor_count();
    const struct cli_option options[] = {{"threads", 't', CLI_THREADS, &threads, "N",
                                          "threads to check with (default: all allowed)", 1, 1024},
                                         {0}};
    int code = 0;
    if (cli_parse_options(&code, self, options, argc, argv)) {
        return code;
    }
    struct regret_blas_info blas = regret_blas_describe();
    int known = blas.parallel >= 0 && blas.parallel <= 2;
    printf("regret      %s\n", regret_version());
    printf("processors  %zu allowed, %ld on the machine\n", regret_processor_count(),
           sysconf(_SC_NPROCESSORS_ONLN));
    printf("BLAS        %s\n", blas.build);
    printf("kernel      %s\n", blas.kernel);
    printf("BLAS build  %s, %d thread%s a call\n",
           known ? parallel_words[blas.parallel] : "unknown", blas.blas_threads,
           blas.blas_threads == 1 ? "" : "s");
    int rc = regret_blas_check_threads(threads);
    if (rc != 0) {
        return cli_report(rc);
    }
    if (blas.parallel == 2) {
        puts("note        the OpenMP build changes last digits; the pthread build is the tested "
             "one");
    }
    double worst = 0.0;
    rc = regret_blas_self_check(threads, &worst);
    if (rc != 0) {
        return cli_report(rc);
    }
    printf("self-check  passed on %zu thread%s, largest error %.1e\n", threads,
           threads == 1 ? "" : "s", worst);
    return CLI_OK;
}

const struct cli_command cmd_doctor = {
    .name = "doctor",
    .synopsis = "[--threads N]",
    .summary = "check the linear algebra library and the machine",
    .detail =
        "Prints the BLAS build, its kernel and threads, and runs a numerical self-check on as\n"
        "many threads as a run would use. The serial build of OpenBLAS is refused with more\n"
        "than one thread, because it gives wrong answers there.",
    .examples = "regret doctor\nregret doctor --threads 1",
    .run = run_doctor,
};
