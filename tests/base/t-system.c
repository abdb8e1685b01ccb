/* What the system refuses: told with its reason, what was there before is whole, and nothing half-made
 * stays. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/archive.h"
#include "base/csv.h"
#include "base/files.h"
#include "base/input.h"
#include "base/json.h"
#include "base/scratch.h"
#include "base/system_calls.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(system, .init = scratch_enter, .fini = scratch_leave);

/* The call was refused and that is what the message says. */
static void refused(int rc, const char *reason)
{
    cr_assert_eq(rc, REGRET_E_IO);
    cr_assert_not_null(strstr(regret_error_message(), reason), "%s", regret_error_message());
    cr_assert_eq(system_failures(), 1);
}

Test(system, a_file_that_cannot_be_written_stays_what_it_was)
{
    static const enum system_call calls[] = {CALL_FSTAT, CALL_WRITE, CALL_FSYNC, CALL_RENAME};
    scratch_put("a.txt", "old");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        system_fail(calls[i], 0, EIO);
        refused(regret_file_write("a.txt", "new", 3), strerror(EIO));
        scratch_holds("a.txt", "old");
        cr_assert_eq(scratch_entries("."), 1);
    }
    cr_assert_eq(regret_file_write("nowhere/a.txt", "new", 3), REGRET_E_IO);
    cr_assert_not_null(strstr(regret_error_message(), strerror(ENOENT)));
}

Test(system, what_is_interrupted_goes_on)
{
    system_fail(CALL_WRITE, 0, EINTR);
    system_fail(CALL_FSYNC, 0, EINTR);
    scratch_put("a.txt", "whole");
    system_fail(CALL_READ, 0, EINTR);
    scratch_holds("a.txt", "whole");
    cr_assert_eq(system_failures(), 3);
}

Test(system, a_file_that_cannot_be_read_is_told)
{
    static const enum system_call calls[] = {CALL_FSTAT, CALL_READ};
    char *data = NULL, digest[33];
    scratch_put("a.txt", "{\"a\": 1}\n");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        system_fail(calls[i], 0, EIO);
        refused(regret_file_read(&data, NULL, "a.txt", 100), strerror(EIO));
        cr_assert_null(data);
    }
    system_fail(CALL_READ, 0, EIO);
    refused(regret_digest_file(digest, "a.txt"), strerror(EIO));
}

Test(system, records_that_cannot_be_read_are_told)
{
    struct regret_csv *csv = NULL;
    size_t n = 0;
    scratch_put("a.csv", "a,b\n1,2\n");
    cr_assert_eq(regret_csv_open(&csv, "a.csv", NULL), 0);
    system_fail(CALL_READ, 0, EINTR);
    system_fail(CALL_READ, 1, EIO);
    cr_assert_eq(regret_csv_next(csv, &n), REGRET_E_IO);
    cr_assert_not_null(strstr(regret_error_message(), strerror(EIO)));
    cr_assert(regret_csv_is_over(csv));
    cr_assert_eq(system_failures(), 2);
    regret_csv_close(csv);
}

Test(system, a_pipe_that_nobody_writes_to_is_not_waited_for)
{
    int fd = -1;
    cr_assert_eq(mkfifo("pipe", 0600), 0);
    system_fail(CALL_POLL, 0, 0);
    cr_assert_eq(input_open(&fd, "pipe"), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "nobody writes"));
    system_fail(CALL_POLL, 0, EINTR);
    system_fail(CALL_POLL, 1, ENOMEM);
    cr_assert_eq(input_open(&fd, "pipe"), REGRET_E_IO);
    cr_assert_not_null(strstr(regret_error_message(), strerror(ENOMEM)));
    cr_assert_eq(system_failures(), 3);
    system_fail(CALL_FSTAT, 0, EIO);
    refused(input_open(&fd, "pipe"), strerror(EIO));
    cr_assert_eq(input_open(&fd, "."), REGRET_E_INPUT);
    cr_assert_eq(fd, -1);
}

Test(system, a_pipe_with_a_writer_is_read_as_a_file)
{
    int fd = -1;
    cr_assert_eq(mkfifo("pipe", 0600), 0);
    int both = open("pipe", O_RDWR);
    cr_assert_geq(both, 0);
    cr_assert_eq(write(both, "text", 4), 4);
    cr_assert_eq(input_open(&fd, "pipe"), 0, "%s", regret_error_message());
    cr_assert_eq(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
    close(fd);
    close(both);
}

/* A folder of three models: each that cannot be looked at is told, none is left out. */
Test(system, what_cannot_be_looked_at_is_not_passed_over)
{
    int is_there = 0, rc;
    cr_assert_eq(regret_folder_create("models/a"), 0);
    cr_assert_eq(regret_folder_create("models/b"), 0);
    cr_assert_eq(regret_folder_create("models/c"), 0);
    scratch_put("models/a/x.jsonl", "{}");
    scratch_put("models/b/x.jsonl", "{}");
    scratch_put("models/c/x.jsonl", "{}");
    for (int after = 0;; after++) {
        struct source *s = NULL;
        const char *name = "";
        size_t n = 0;
        system_fail(CALL_LSTAT, after, EACCES);
        rc = source_open(&s, "models");
        while (rc == REGRET_OK && name != NULL) {
            rc = source_next(s, NULL, 0, &name);
            n += name != NULL;
        }
        source_close(s);
        if (rc == REGRET_OK) {
            cr_assert_eq(n, 3);
            break;
        }
        refused(rc, strerror(EACCES));
        cr_assert_not_null(strstr(regret_error_message(), "models"));
        cr_assert_lt(after, 10);
    }
    cr_assert_eq(symlink("loop", "loop"), 0);
    cr_assert_eq(folder_is_there(&is_there, "loop"), REGRET_E_IO);
    cr_assert_not_null(strstr(regret_error_message(), "cannot look at loop: "));
    cr_assert_eq(folder_is_there(&is_there, "models/d/x"), 0);
    cr_assert_not(is_there);
}

Test(system, a_folder_that_cannot_be_removed_is_told)
{
    static const enum system_call calls[] = {CALL_UNLINKAT, CALL_FDOPENDIR, CALL_READDIR};
    cr_assert_eq(regret_folder_create("tree/branch"), 0);
    scratch_put("tree/branch/leaf", "x");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        system_fail(calls[i], 0, EACCES);
        refused(regret_folder_remove("tree"), strerror(EACCES));
        scratch_holds("tree/branch/leaf", "x");
    }
    system_fail(CALL_READDIR, 0, EIO); /* what cannot be listed is not known to be empty */
    cr_assert_not(regret_folder_is_empty("tree/branch"));
    cr_assert_eq(regret_folder_remove("tree/branch/leaf"), 0);
    cr_assert(regret_folder_is_empty("tree/branch"));
    cr_assert_eq(regret_folder_remove("tree"), 0);
    cr_assert_eq(regret_folder_remove("tree"), 0); /* nothing to do */
    scratch_put("file", "x");
    cr_assert_eq(regret_folder_create("file/branch"), REGRET_E_IO);
}

Test(system, a_folder_of_any_depth_is_not_followed_down)
{
    struct regret_buffer path = REGRET_BUFFER_INIT;
    regret_buffer_append(&path, "deep");
    for (int i = 0; i < 40; i++) {
        regret_buffer_append(&path, "/d");
    }
    cr_assert_eq(regret_folder_create(regret_buffer_get(&path)), 0);
    cr_assert_eq(regret_folder_remove("deep"), REGRET_E_IO);
    cr_assert_not_null(strstr(regret_error_message(), "folders deep"));
    cr_assert_eq(chdir("deep/d/d/d/d/d/d/d/d/d/d"), 0);
    cr_assert_eq(regret_folder_remove("d"), 0);
    cr_assert_eq(chdir(scratch_folder), 0);
    regret_buffer_free(&path);
}

Test(system, an_output_that_went_away_is_told)
{
    size_t length = 0;
    int fd = -1;
    cr_assert_eq(output_open(&fd, "rows", O_WRONLY | O_CREAT), 0);
    cr_assert_eq(output_write(fd, "12345", 5, "rows"), 0);
    cr_assert_eq(output_check_there(&length, fd, "rows", "meanwhile"), 0);
    cr_assert_eq(length, 5);
    system_fail(CALL_FSTAT, 0, EIO);
    refused(output_check_there(&length, fd, "rows", "meanwhile"), strerror(EIO));
    cr_assert_eq(rename("rows", "elsewhere"), 0);
    cr_assert_eq(output_check_there(&length, fd, "rows", "meanwhile"), REGRET_E_IO);
    cr_assert_not_null(strstr(regret_error_message(), "moved or replaced meanwhile"));
    scratch_put("rows", "12345");
    cr_assert_eq(output_check_there(&length, fd, "rows", "meanwhile"), REGRET_E_IO);
    close(fd);
    system_fail(CALL_FSTAT, 0, EIO);
    refused(output_open(&fd, "fresh", O_WRONLY | O_CREAT | O_EXCL), strerror(EIO));
    cr_assert_not(regret_file_exists("fresh"));
}

/* ---- staging ---- */

static void begin(struct regret_staging *s, const char *text)
{
    char *marker = NULL;
    cr_assert_eq(regret_staging_begin(s, "out/run", 1, "run.json"), 0, "%s",
                 regret_error_message());
    cr_assert_eq(regret_path_join(&marker, s->partial, "run.json"), 0);
    scratch_put(marker, text);
    regret_free(marker);
}

/* An output that holds "old", and a new one that is being built. */
static void begin_over_old(struct regret_staging *s)
{
    begin(s, "old");
    cr_assert_eq(regret_staging_commit(s), 0);
    regret_staging_abandon(s);
    begin(s, "new");
}

Test(system, a_staging_that_cannot_begin_leaves_nothing)
{
    static const enum system_call calls[] = {CALL_FLOCK, CALL_FDOPENDIR, CALL_READDIR, CALL_MKDIR};
    struct regret_staging s = REGRET_STAGING_INIT;
    cr_assert_eq(regret_folder_create("out"), 0);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        /* "out" is there: the second folder made is the one under construction */
        system_fail(calls[i], calls[i] == CALL_MKDIR, EIO);
        refused(regret_staging_begin(&s, "out/run", 1, "run.json"), strerror(EIO));
        cr_assert_eq(scratch_entries("out"), 0);
    }
    system_fail(CALL_FLOCK, 1, EIO); /* the lock of the folder under construction */
    refused(regret_staging_begin(&s, "out/run", 1, "run.json"), strerror(EIO));
    cr_assert_eq(scratch_entries("out"), 0);
}

Test(system, where_nothing_can_be_locked_outputs_are_still_written)
{
    struct regret_staging s = REGRET_STAGING_INIT;
    cr_assert_eq(regret_folder_create("out/run.replaced-7-0"), 0);
    for (int i = 0; i < 3; i++) {
        system_fail(CALL_FLOCK, i, ENOLCK);
    }
    begin(&s, "new");
    cr_assert_eq(regret_staging_commit(&s), 0, "%s", regret_error_message());
    regret_staging_abandon(&s);
    scratch_holds("out/run/run.json", "new");
    cr_assert_eq(system_failures(), 3);
    cr_assert(regret_file_exists("out/run.replaced-7-0")); /* whose it is cannot be known */
}

Test(system, a_name_that_is_taken_meanwhile_is_passed_over)
{
    struct regret_staging s = REGRET_STAGING_INIT;
    cr_assert_eq(regret_folder_create("out"), 0);
    system_fail(CALL_MKDIR, 1, EEXIST);
    system_fail(CALL_FLOCK, 0, EINTR);
    begin(&s, "new");
    cr_assert_eq(system_failures(), 2);
    cr_assert_eq(regret_staging_commit(&s), 0);
    regret_staging_abandon(&s);
    scratch_holds("out/run/run.json", "new");
    cr_assert_eq(scratch_entries("out"), 1);
}

Test(system, without_an_exchange_of_names_an_output_is_replaced_in_two_steps)
{
    struct regret_staging s = REGRET_STAGING_INIT;
    begin_over_old(&s);
    system_fail(CALL_RENAMEAT2, 0, ENOSYS);
    cr_assert_eq(regret_staging_commit(&s), 0, "%s", regret_error_message());
    regret_staging_abandon(&s);
    scratch_holds("out/run/run.json", "new");
    cr_assert_eq(scratch_entries("out"), 1);
    cr_assert_eq(system_failures(), 1);
}

Test(system, an_output_that_cannot_be_replaced_stays)
{
    struct regret_staging s = REGRET_STAGING_INIT;
    begin_over_old(&s);
    system_fail(CALL_RENAMEAT2, 0, EIO);
    refused(regret_staging_commit(&s), strerror(EIO));
    scratch_holds("out/run/run.json", "old");
    for (int step = 0; step < 2; step++) { /* aside, and in; then the old one is put back */
        system_fail(CALL_RENAMEAT2, 0, EINVAL);
        system_fail(CALL_RENAME, step, EIO);
        cr_assert_eq(regret_staging_commit(&s), REGRET_E_IO);
        cr_assert_eq(system_failures(), 2);
        scratch_holds("out/run/run.json", "old");
        cr_assert_eq(scratch_entries("out"), 2);
    }
    system_fail(CALL_FSYNC, 0, EIO);
    refused(regret_staging_commit(&s), strerror(EIO));
    regret_staging_abandon(&s);
    scratch_holds("out/run/run.json", "old");
    cr_assert_eq(scratch_entries("out"), 1);
}

Test(system, an_output_that_cannot_be_put_back_is_put_back_by_the_next_start)
{
    struct regret_staging s = REGRET_STAGING_INIT;
    begin_over_old(&s);
    system_fail(CALL_RENAMEAT2, 0, EINVAL);
    system_fail(CALL_RENAME, 1, EIO);
    system_fail(CALL_RENAME, 2, EIO);
    cr_assert_eq(regret_staging_commit(&s), REGRET_E_IO);
    cr_assert_not_null(strstr(regret_error_message(), "the next start puts it back"));
    cr_assert_eq(system_failures(), 3);
    regret_staging_abandon(&s);
    cr_assert_not(regret_file_exists("out/run"));
    system_fail(CALL_RENAMEAT, 0, EIO);
    refused(regret_staging_recover("out/run"), strerror(EIO));
    cr_assert_eq(regret_staging_recover("out/run"), 0);
    scratch_holds("out/run/run.json", "old");
    cr_assert_eq(scratch_entries("out"), 1);
}

Test(system, an_output_that_cannot_be_published_is_told)
{
    struct regret_staging s = REGRET_STAGING_INIT;
    begin(&s, "new");
    system_fail(CALL_RENAME, 0, EIO);
    refused(regret_staging_commit(&s), strerror(EIO));
    cr_assert_not(regret_file_exists("out/run"));
    system_fail(CALL_FSYNC, 0, EINVAL); /* a file system that does not flush folders */
    cr_assert_eq(regret_staging_commit(&s), 0, "%s", regret_error_message());
    regret_staging_abandon(&s);
    scratch_holds("out/run/run.json", "new");
}

Test(system, files_that_cannot_join_a_folder_are_told)
{
    static const enum system_call calls[] = {CALL_FSYNC, CALL_READDIR, CALL_RENAME};
    struct regret_staging s = REGRET_STAGING_INIT;
    cr_assert_eq(regret_folder_create("figures"), 0);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char *path = NULL;
        cr_assert_eq(regret_staging_begin_files(&s, "figures"), 0);
        cr_assert_eq(regret_path_join(&path, s.partial, "a.svg"), 0);
        scratch_put(path, "one");
        regret_free(path);
        system_fail(calls[i], 0, EIO);
        refused(regret_staging_commit_files(&s), strerror(EIO));
        regret_staging_abandon(&s);
        cr_assert_eq(scratch_entries("figures"), 0);
        cr_assert_eq(scratch_entries("."), 1);
    }
}

/* ---- threads ---- */

static int count_job(void *context, size_t index, size_t worker)
{
    (void)index;
    (void)worker;
    ++*(int *)context;
    return REGRET_OK;
}

Test(system, a_thread_that_cannot_be_started_is_told)
{
    int jobs = 0;
    system_fail(CALL_PTHREAD_CREATE, 0, EAGAIN);
    refused(regret_parallel_for(100, 4, count_job, &jobs), strerror(EAGAIN));
    cr_assert_eq(jobs, 0);
}
