#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.h"
#include "base/scratch.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(staging, .init = scratch_enter, .fini = scratch_leave);

static void begin(struct regret_staging *s, int replace, const char *text)
{
    char *marker = NULL;
    cr_assert_eq(regret_staging_begin(s, "out/run", replace, "run.json"), 0, "%s",
                 regret_error_message());
    cr_assert_eq(regret_path_join(&marker, s->partial, "run.json"), 0);
    scratch_put(marker, text);
    regret_free(marker);
}

static void commit(struct regret_staging *s)
{
    cr_assert_eq(regret_staging_commit(s), 0, "%s", regret_error_message());
    regret_staging_abandon(s);
}

Test(staging, appears_whole_or_not_at_all)
{
    struct regret_staging s = REGRET_STAGING_INIT;
    begin(&s, 0, "{}");
    cr_assert_not(regret_file_exists("out/run"));
    regret_staging_abandon(&s);
    regret_staging_abandon(&s);
    cr_assert_not(regret_file_exists("out"), "what was made above it goes, too");
    cr_assert_eq(regret_folder_create("out"), 0);
    begin(&s, 0, "{}");
    regret_staging_abandon(&s);
    cr_assert_eq(scratch_entries("out"), 0, "what was there stays");
    begin(&s, 0, "{}");
    commit(&s);
    cr_assert(regret_is_folder("out/run"));
    cr_assert_eq(scratch_entries("out"), 1);
    cr_assert_eq(regret_staging_begin(&s, "", 0, "run.json"), REGRET_E_INPUT);
}

/* Names of what is under construction are nobody's business. */
Test(staging, messages_name_what_will_be)
{
    struct regret_staging s = REGRET_STAGING_INIT;
    cr_assert_eq(regret_folder_create("out"), 0);
    cr_assert_eq(regret_staging_begin(&s, "/proc/none", 0, NULL), REGRET_E_IO);
    cr_assert_not_null(strstr(regret_error_message(), "cannot create folder /proc/none: "), "%s",
                       regret_error_message());
    cr_assert_eq(regret_file_write("/proc/none.json", "{}", 2), REGRET_E_IO);
    cr_assert_not_null(strstr(regret_error_message(), "cannot open /proc/none.json: "), "%s",
                       regret_error_message());
}

Test(staging, replaces_only_what_has_the_marker)
{
    struct regret_staging s = REGRET_STAGING_INIT;
    begin(&s, 0, "old");
    commit(&s);
    cr_assert_eq(regret_staging_begin(&s, "out/run", 0, "run.json"), REGRET_E_INPUT);
    cr_assert_eq(regret_staging_begin(&s, "out/run///", 1, "pool.json"), REGRET_E_INPUT);
    begin(&s, 1, "new");
    scratch_holds("out/run/run.json", "old");
    commit(&s);
    scratch_holds("out/run/run.json", "new");
    cr_assert_eq(scratch_entries("out"), 1);
}

/* What the new folder would not have, and the program has not written, is named and stays. */
Test(staging, files_of_others_are_not_lost)
{
    static const char NAMES[] = "run.json rows-*.jsonl README.md? plots/*.svg";
    static const char *const others[] = {"out/run/notes.md", "out/run/.env", "out/run/plots/a.txt",
                                         "out/run/rows/rows-1.jsonl", "out/run/README.md"};
    struct regret_staging s = REGRET_STAGING_INIT;
    begin(&s, 0, "old");
    commit(&s);
    cr_assert_eq(regret_folder_create("out/run/plots"), 0);
    cr_assert_eq(regret_folder_create("out/run/rows"), 0);
    scratch_put("out/run/rows-1.jsonl", "{}");
    scratch_put("out/run/plots/a.svg", "<svg/>");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        int may_be_renewed = i + 1 == sizeof others / sizeof *others;
        scratch_put(others[i], "mine");
        int rc = regret_staging_begin(&s, "out/run", 1, NAMES);
        cr_expect_eq(rc, may_be_renewed ? REGRET_OK : REGRET_E_INPUT, "%s", others[i]);
        rc = may_be_renewed ? regret_staging_commit(&s) : rc;
        cr_expect_eq(rc, REGRET_E_INPUT, "%s", others[i]);
        cr_expect_not_null(strstr(regret_error_message(), others[i] + strlen("out/run/")), "%s",
                           regret_error_message());
        cr_expect_eq(regret_staging_check("out/run", 1, NAMES) != 0, !may_be_renewed);
        regret_staging_abandon(&s);
        scratch_holds(others[i], "mine");
        cr_assert_eq(unlink(others[i]), 0);
    }
    cr_assert_eq(regret_staging_begin(&s, "out/run", 1, NAMES), 0, "%s", regret_error_message());
    commit(&s);
    cr_assert_eq(scratch_entries("out/run"), 0);
}

/* Of two that replace one folder the second would lose what the first has written, be it begun before or read before. */
Test(staging, what_another_has_replaced_meanwhile_stays)
{
    struct regret_staging first = REGRET_STAGING_INIT, second = REGRET_STAGING_INIT;
    struct regret_folder_mark read;
    begin(&first, 0, "old");
    commit(&first);
    regret_folder_mark(&read, "out/run");
    for (int marked = 0; marked < 2; marked++) {
        begin(&first, 1, "first");
        if (!marked) {
            begin(&second, 1, "second");
        }
        commit(&first);
        if (marked) {
            begin(&second, 1, "second");
            regret_staging_expect(&second, &read);
        }
        cr_assert_eq(regret_staging_commit(&second), REGRET_E_INPUT);
        cr_assert_not_null(strstr(regret_error_message(), "another process has changed out/run"));
        regret_staging_abandon(&second);
        scratch_holds("out/run/run.json", "first");
    }
}

Test(staging, of_two_at_once_the_second_is_told)
{
    struct regret_staging first = REGRET_STAGING_INIT, second = REGRET_STAGING_INIT;
    begin(&first, 0, "first");
    begin(&second, 0, "second");
    cr_assert_str_neq(first.partial, second.partial);
    commit(&first);
    cr_assert_eq(regret_staging_commit(&second), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "another process has made it meanwhile"));
    regret_staging_abandon(&second);
    scratch_holds("out/run/run.json", "first");
    cr_assert_eq(scratch_entries("out"), 1);
}

Test(staging, what_appears_meanwhile_is_not_replaced_unless_it_is_ours)
{
    struct regret_staging s = REGRET_STAGING_INIT;
    begin(&s, 1, "new");
    cr_assert_eq(regret_folder_create("out/run"), 0);
    scratch_put("out/run/thesis.txt", "do not lose me");
    cr_assert_eq(regret_staging_commit(&s), REGRET_E_INPUT);
    regret_staging_abandon(&s);
    scratch_holds("out/run/thesis.txt", "do not lose me");
}

/* A child that is killed while it builds. */
static void die_while_building(void)
{
    pid_t child = fork();
    cr_assert_neq(child, -1);
    if (child == 0) {
        struct regret_staging s = REGRET_STAGING_INIT;
        if (regret_staging_begin(&s, "out/run", 1, "run.json") == 0) {
            kill(getpid(), SIGKILL);
        }
        _exit(1);
    }
    int status = 0;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFSIGNALED(status));
}

Test(staging, what_dead_processes_left_is_removed_and_what_lives_is_kept)
{
    struct regret_staging living = REGRET_STAGING_INIT, s = REGRET_STAGING_INIT;
    begin(&living, 0, "living");
    cr_assert_eq(regret_folder_create("out/run.partial-7"), 0); /* not a name of ours */
    cr_assert_eq(regret_folder_create("out/running.partial-7-1"), 0);
    cr_assert_eq(symlink("run.partial-7", "out/run.partial-7-1"), 0);
    die_while_building();
    cr_assert_eq(scratch_entries("out"), 5);
    begin(&s, 0, "new");
    cr_assert_eq(scratch_entries("out"), 5);
    cr_assert(regret_file_exists("out/run.partial-7"));
    cr_assert(regret_file_exists("out/running.partial-7-1"));
    cr_assert(regret_file_exists(living.partial));
    commit(&s);
    regret_staging_abandon(&living);
}

Test(staging, an_output_moved_aside_by_a_dead_process_is_put_back)
{
    cr_assert_eq(regret_folder_create("out/run.replaced-7-0"), 0);
    scratch_put("out/run.replaced-7-0/run.json", "old");
    cr_assert_eq(regret_staging_recover("out/run"), 0, "%s", regret_error_message());
    scratch_holds("out/run/run.json", "old");
    cr_assert_eq(regret_folder_create("out/run.replaced-7-0"), 0); /* the new one is in: finished */
    cr_assert_eq(regret_staging_recover("out/run"), 0);
    scratch_holds("out/run/run.json", "old");
    cr_assert_eq(scratch_entries("out"), 1);
    cr_assert_eq(regret_staging_recover(""), REGRET_E_INPUT);
}

Test(staging, files_join_a_folder_that_is_there)
{
    struct regret_staging s = REGRET_STAGING_INIT;
    scratch_put("victim", "whole");
    for (int round = 0; round < 2; round++) {
        char *path = NULL;
        cr_assert_eq(regret_staging_begin_files(&s, "figures"), 0, "%s", regret_error_message());
        cr_assert_eq(regret_path_join(&path, s.partial, "a.svg"), 0);
        scratch_put(path, round == 0 ? "one" : "two");
        regret_free(path);
        cr_assert_eq(regret_staging_commit_files(&s), 0, "%s", regret_error_message());
        regret_staging_abandon(&s);
        scratch_holds("figures/a.svg", round == 0 ? "one" : "two");
        scratch_put("figures/mine.txt", "kept");
        cr_assert_eq(unlink("figures/a.svg"), 0);
        cr_assert_eq(symlink("../victim", "figures/a.svg"), 0);
    }
    scratch_holds("victim", "whole");
    scratch_holds("figures/mine.txt", "kept");
    cr_assert_eq(regret_staging_begin_files(&s, "victim"), REGRET_E_INPUT);
}

Test(staging, output_files_are_regular_and_not_linked)
{
    int fd = -1;
    scratch_put("victim", "whole");
    cr_assert_eq(symlink("victim", "link"), 0);
    cr_assert_eq(mkfifo("pipe", 0600), 0);
    cr_assert_eq(output_open(&fd, "link", O_WRONLY | O_TRUNC), REGRET_E_IO);
    cr_assert_not_null(strstr(regret_error_message(), "is a link"));
    cr_assert_eq(output_open(&fd, "pipe", O_RDWR), REGRET_E_IO);
    cr_assert_not_null(strstr(regret_error_message(), "not a regular file"));
    cr_assert_eq(link("victim", "twin"), 0);
    cr_assert_eq(output_open(&fd, "twin", O_WRONLY), REGRET_E_IO);
    cr_assert_not_null(strstr(regret_error_message(), "another name elsewhere"));
    scratch_holds("victim", "whole");
}

Test(staging, output_files_stay_clear_of_the_standard_streams)
{
    int kept = dup(STDERR_FILENO), fd = -1;
    close(STDERR_FILENO);
    int rc = output_open(&fd, "data", O_WRONLY | O_CREAT);
    dup2(kept, STDERR_FILENO);
    close(kept);
    cr_assert_eq(rc, 0);
    cr_assert_gt(fd, STDERR_FILENO);
    close(fd);
}

Test(staging, a_planted_temporary_name_is_never_written_through)
{
    char name[64];
    scratch_put("victim", "whole");
    snprintf(name, sizeof name, "a.txt.tmp-%ld-0", (long)getpid());
    cr_assert_eq(symlink("victim", name), 0);
    cr_assert_eq(symlink("victim", "a.txt"), 0);
    scratch_put("a.txt", "new");
    scratch_holds("a.txt", "new");
    scratch_holds("victim", "whole");
}
