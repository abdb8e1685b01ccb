/* What a run will cost, and how large it must be. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "cli/process.h"

TestSuite(plans, .init = process_open, .fini = process_close);

Test(plans, cost)
{
    process_ok("cost config.json --shards 2 --threads 1");
    process_wrote("replicates       4 (2 cells x 2 seeds)\n");
    process_wrote("(2 measured)\n");
    process_wrote("shards           2 of 2 to 2 replicates, on 1 thread each\n");
    process_ok("cost config.json --shards 4 --threads 3 --format slurm");
    int tasks = 0, threads = 0, memory = 0, minutes = 0, merge_memory = 0;
    cr_assert_eq(sscanf(process_stdout,
                        "array: --array=1-%d --cpus-per-task=%d --mem=%dM --time=0-00:%d:00\n"
                        "merge: --cpus-per-task=1 --mem=%dM --time=0-00:04:00\n",
                        &tasks, &threads, &memory, &minutes, &merge_memory),
                 5, "%s", process_stdout);
    cr_assert(tasks == 4 && threads == 3);
    cr_assert(memory >= 80 && memory < 1000 && memory % 16 == 0, "%d MiB", memory);
    cr_assert(minutes >= 3 && minutes < 10, "%d minutes", minutes);
    process_ok("cost config.json --format json --set seeds=7");
    process_wrote("\"replicates\":14,");
    cr_assert_not(process_exists("runs"));
    process_refused("cost config.json --format yaml", "it is one of text|json|slurm");
    process_refused("cost config.json --shards 5", "5 shards on");
    process_refused("cost nowhere.json", "nowhere.json");
}

Test(plans, plan)
{
    process_ok(
        "plan config.json --difference 0.05 --pilot-seeds 3 --folds 2 --threads 1 --keep pilots");
    process_said("pilot, single split: 2 cells x 3 seeds, about ");
    process_said("pilot, 2 folds of contexts: 2 cells x 3 seeds, about ");
    process_wrote("What a difference of 0.05 needs");
    process_wrote("  single split: every pair ");
    process_wrote("  2 (planned) ");
    process_wrote("* A seed of \"2 folds of contexts\" has ");
    cr_assert(process_exists("pilots/pilot/run.json") &&
              process_exists("pilots/pilot-folds/run.json"));
    process_ok("report pilots/pilot-folds --table summary");
    process_wrote("* contexts.folds = 2: every seed holds each context out once");
    process_ok("report pilots/pilot --table summary");
    cr_assert_null(strstr(process_stdout, "contexts.folds"));
    /* The run that was kept says the same of itself. */
    process_ok("plan config.json --pilot pilots/pilot --set sweep.beta=[0,0.5] --format csv");
    process_said("the pilot differs from config.json in sweep: ");
    process_ok("plan config.json --pilot pilots/pilot --format csv");
    process_wrote("single split: least detectable difference by seeds,200,");
    cr_assert_null(strstr(process_stderr, "differs"));
    process_ok("plan config.json --set contexts.folds=2 --pilot-seeds 2");
    process_wrote("\n2 folds of contexts: least detectable difference by seeds\n");
    process_refused("plan config.json --keep pilots", "pilots exists and is not empty");
    process_refused("plan config.json --pilot-seeds 1", "a pilot of one seed tells nothing");
    process_refused("plan config.json -d 0", "wants a difference of regret above 0");
    process_refused("plan config.json -d -0.1", "wants a difference of regret above 0");
    process_refused("plan config.json --folds 1", "--folds wants 2 or more, or 0");
    process_refused("plan config.json --folds 999 --pilot-seeds 2",
                    "the pilot with folds (--folds 0 leaves it out)");
    process_refused("plan config.json --pilot pilots/pilot --folds 3", "that is to be run");
    process_refused("plan config.json --pilot nowhere", "nowhere");
    process_refused("plan config.json --format yaml", "yaml");
    process_refused("plan config.json --pilot pilots/pilot --set "
                    "families=[\\\"cvci\\\",\\\"grounded-anchored\\\"]",
                    "has no family");
}
