/* Results that are taken away while they are written: the run must not claim to have written them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/process.h"
#include "faults/background.h"

TestSuite(vanished, .init = process_open, .fini = process_close, .timeout = 300);

static void wait_for_rows(void)
{
    const struct timespec nap = {0, 2000000};
    struct stat info = {0};
    for (int i = 0; i < 30000 && info.st_size == 0; i++) {
        if (stat(background_path("out/results-1-of-1.jsonl"), &info) != 0) {
            info.st_size = 0;
        }
        nanosleep(&nap, NULL);
    }
    cr_assert_gt(info.st_size, 0, "the run does not begin");
}

/* Does something to the folder of a running run, which must then fail and say so. */
static void loses(const char *deed, const char *options)
{
    char line[512];
    snprintf(line, sizeof line, "run config.json -o out --threads 1 -q --set seeds=200 %s",
             options);
    pid_t pid = background_start(line, 1);
    wait_for_rows();
    snprintf(line, sizeof line, "cd '%s' && %s", process_folder(), deed);
    cr_expect_eq(system(line), 0, "%s", line);
    int code = background_wait(pid);
    const char *said = background_said(1);
    cr_expect_eq(code, 1, "exit code %d after: %s\n%s", code, deed, said);
    cr_expect_not_null(strstr(said, "regret: "), "silent after: %s", deed);
    cr_expect_null(strstr(said, "wrote the rows"), "a false claim after: %s\n%s", deed, said);
}

/* A file may come into being while the folder is emptied. */
static const char *const DEEDS[][2] = {
    {"{ rm -rf out || rm -rf out; }", "--no-report"},
    {"rm out/results-1-of-1.jsonl", "--no-report"},
    {"rm out/results-1-of-1.jsonl", ""}, /* before the report */
    {"mv out elsewhere", "--no-report"},
    {"mv out/results-1-of-1.jsonl out/other.jsonl", "--no-report"},
    {"cp out/results-1-of-1.jsonl copy && mv copy out/results-1-of-1.jsonl", "--no-report"},
    {"truncate -s 0 out/results-1-of-1.jsonl", "--no-report"},
    {"echo '{}' >> out/results-1-of-1.jsonl", "--no-report"},
    {"rm out/run.json", "--no-report"}};

Test(vanished, what_is_taken_away_is_told)
{
    for (size_t i = 0; i < sizeof DEEDS / sizeof *DEEDS; i++) {
        loses(DEEDS[i][0], DEEDS[i][1]);
        process_close();
        process_open();
    }
}
