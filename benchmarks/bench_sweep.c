/* Speed and memory of whole runs: bench-sweep CONFIG [SEEDS [THREADS [REPEATS]]]
 *
 * Runs the configuration REPEATS times (default 3) into a temporary folder and prints replicates
 * per second (best, and every run), the share of each stage and the peak memory of the process. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "regret/status.h"
#include "synth/newswire.h"
#include "temporary_run.h"

static void print_stages(const struct regret_run_summary *s)
{
    double busy = 0.0;
    for (size_t i = 0; i < REGRET_N_STAGES; i++) {
        busy += s->stage_seconds[i];
    }
    for (size_t i = 0; i < REGRET_N_STAGES; i++) {
        printf("  %-8s %5.1f %%  %8.2f ms a replicate and thread\n", s->stage_name[i],
               100.0 * s->stage_seconds[i] / busy,
               1000.0 * s->stage_seconds[i] / (double)s->replicates);
    }
}

int main(int argc, char **argv)
{
    const char *config = argc > 1 ? argv[1] : "configs/main.json";
    const char *seeds = argc > 2 ? argv[2] : "3";
    size_t threads = argc > 3 ? strtoul(argv[3], NULL, 10) : regret_processor_count();
    size_t repeats = argc > 4 ? strtoul(argv[4], NULL, 10) : 3;
    struct regret_run_summary s = {0};
    struct rusage usage;
    double best = 0.0;
    if (synth_register() != REGRET_OK) {
        fprintf(stderr, "bench-sweep: %s\n", regret_error_message());
        return 1;
    }
    struct regret_blas_info blas = regret_blas_describe();
    if (threads < 1 || repeats < 1) {
        fprintf(stderr, "usage: bench-sweep CONFIG [SEEDS [THREADS [REPEATS]]]\n");
        return 2;
    }
    printf("%s, %s seeds, %zu threads, %s (%s)\n", config, seeds, threads, blas.build, blas.kernel);
    for (size_t i = 0; i < repeats; i++) {
        if (temporary_run("bench-sweep", &s, config, seeds, threads) != REGRET_OK) {
            return 1;
        }
        double rate = (double)s.replicates / s.seconds;
        best = rate > best ? rate : best;
        printf("run %zu: %zu replicates in %.2f s, %.2f/s\n", i + 1, s.replicates, s.seconds, rate);
    }
    printf("best: %.2f replicates/s; stages of the last run:\n", best);
    print_stages(&s);
    getrusage(RUSAGE_SELF, &usage);
    printf("peak memory %.0f MiB\n", (double)usage.ru_maxrss / 1024.0);
    return 0;
}
