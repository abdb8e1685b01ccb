/* Want of memory at every allocation of every command, in one process, so that the sanitizers see
 * it: nothing may leak, no half-made output may stay, and the user is told what happened.
 *
 * Usage: test-starve SOURCE [NAME]
 * SOURCE is the project's folder, absolute; NAME restricts the sweep to one command of starved_commands.c.
 * Some allocations of each command are tried; with REGRET_STARVE=whole every single one. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "regret/alloc.h"
#include "regret/file.h"
#include "starve/starved_commands.h"

/* src/cli/main.c, renamed. */
int regret_main(int argc, char **argv);

/* Of the address sanitizer, where there is one. */
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));
void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

static char folder[] = "/tmp/regret-starve-XXXXXX";
static FILE *words, *data; /* what a command says on stderr and stdout */
static int stderr_fd, stdout_fd;
static const char *now = "preparing"; /* the command */

static void fail(long k, const char *what, const char *detail)
{
    dprintf(stderr_fd, "starve: %s, allocation %ld: %s: %s\n", now, k, what, detail);
    if (chdir("/") == 0) {
        regret_folder_remove(folder);
    }
    exit(1);
}

static char *said(FILE *file)
{
    static char text[2][1 << 16];
    char *out = text[file == data];
    rewind(file);
    out[fread(out, 1, sizeof text[0] - 1, file)] = '\0';
    return out;
}

static void take(FILE *file, int fd)
{
    rewind(file);
    if (ftruncate(fileno(file), 0) != 0 || dup2(fileno(file), fd) < 0) {
        fail(-1, "cannot redirect", "a stream");
    }
}

/* Runs "regret ARGUMENTS" with `k` allocations granted, any number when negative. */
static int command(const char *arguments, long k)
{
    char copy[1024], program[] = "regret", *argv[64] = {program};
    int argc = 1;
    snprintf(copy, sizeof copy, "%s", arguments);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    take(words, STDERR_FILENO);
    take(data, STDOUT_FILENO);
    regret_alloc_fail_after(k);
    int code = regret_main(argc, argv);
    regret_alloc_fail_after(-1);
    fflush(stdout);
    if (dup2(stderr_fd, STDERR_FILENO) < 0 || dup2(stdout_fd, STDOUT_FILENO) < 0) {
        fail(k, "cannot restore", "the streams");
    }
    return code;
}

static size_t entries(void)
{
    size_t n = 0;
    DIR *here = opendir(".");
    if (here == NULL) {
        fail(-1, "cannot list", folder);
    }
    while (readdir(here) != NULL) {
        n++;
    }
    closedir(here);
    return n;
}

static void discard(const char *made)
{
    if (made != NULL && regret_file_exists(made) && regret_folder_remove(made) != 0) {
        fail(-1, "cannot remove", regret_error_message());
    }
}

/* What the command makes when it wants nothing; free with regret_free(). */
static char *result_of(const struct starved_command *c)
{
    char *path = NULL, *text = NULL;
    int rc = c->made == NULL ? regret_strdup(&text, said(data))
                             : regret_path_join(&path, c->made, c->proof);
    if (rc == 0 && path != NULL) {
        rc = regret_file_read(&text, NULL, path, (size_t)1 << 24);
    }
    regret_free(path);
    if (rc != 0 || text[0] == '\0') {
        fail(-1, "made nothing", rc != 0 ? regret_error_message() : c->arguments);
    }
    return text;
}

/* A failure: told as want of memory, with nothing half-made. */
static void check_failure(const struct starved_command *c, long k, int code, size_t before)
{
    const char *told = said(words);
    if (code != 1) {
        fail(k, "exit code is not 1", told);
    }
    if (strstr(told, "out of memory") == NULL) {
        fail(k, "not told as want of memory", told);
    }
    if (said(data)[0] != '\0') {
        fail(k, "data in spite of a failure", said(data));
    }
    int left = c->made != NULL && regret_file_exists(c->made);
    int run = c->left == STARVED_RUN || c->left == STARVED_GOES_ON;
    if (left && (c->left == STARVED_NOTHING || (run && !regret_file_exists("out/run.json")))) {
        fail(k, "half an output is left", c->made);
    }
    if (entries() != before + (size_t)left) {
        fail(k, "something else is left behind", told);
    }
}

static long next(long k)
{
    const char *how = getenv("REGRET_STARVE");
    int whole = how != NULL && strcmp(how, "whole") == 0;
    /* All of the first, then in growing steps of changing length. */
    return whole || k < 24 ? k + 1 : k + 1 + k / 8 + k % 3;
}

static void starve(const struct starved_command *c)
{
    now = c->name;
    discard(c->made);
    size_t before = entries();
    if (command(c->arguments, -1) != 0) {
        fail(-1, "fails without want", said(words));
    }
    char *expected = result_of(c);
    discard(c->made);
    size_t failures = 0;
    long k = 0, last = 0;
    for (int code = 1; code != 0; k = next(k)) {
        last = k;
        if (k > 100000000) {
            fail(k, "does not end", said(words));
        }
        code = command(c->arguments, k);
        if (code != 0) {
            failures++;
            check_failure(c, k, code, before);
            if (c->left != STARVED_GOES_ON) {
                discard(c->made);
            }
        }
    }
    char *got = result_of(c);
    if (strcmp(expected, got) != 0) {
        fail(k, "the end is not that of a command that wanted nothing", got);
    }
    regret_free(expected);
    regret_free(got);
    discard(c->made);
    if (failures < 3) {
        fail(k, "hardly allocates", "does the hook reach it?");
    }
    if (__lsan_do_recoverable_leak_check != NULL && __lsan_do_recoverable_leak_check() != 0) {
        fail(k, "leaks", "see the report above");
    }
    printf("%-20s %4zu failures, done with %ld allocations or fewer\n", c->name, failures, last);
    fflush(stdout);
}

static void prepare(const char *source)
{
    /* Or else main() starts the process over to set it. */
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("SOURCE_DATE_EPOCH", "0", 1); /* bytes are compared */
    stderr_fd = dup(STDERR_FILENO);
    stdout_fd = dup(STDOUT_FILENO);
    words = tmpfile();
    data = tmpfile();
    if (stderr_fd < 0 || stdout_fd < 0 || words == NULL || data == NULL ||
        mkdtemp(folder) == NULL || chdir(folder) != 0) {
        perror("starve");
        exit(1);
    }
    if (__sanitizer_set_report_fd != NULL) {
        __sanitizer_set_report_fd((void *)(intptr_t)stderr_fd);
    }
    if (starved_files(source) != 0) {
        fail(-1, "cannot write the files", regret_error_message());
    }
    for (size_t i = 0; starved_preparations[i] != NULL; i++) {
        if (command(starved_preparations[i], -1) != 0) {
            fail(-1, starved_preparations[i], said(words));
        }
    }
}

int main(int argc, char **argv)
{
    int found = 0;
    if (argc < 2) {
        fputs("usage: test-starve SOURCE [NAME]\n", stderr);
        return 2;
    }
    prepare(argv[1]);
    for (const struct starved_command *c = starved_commands; c->name != NULL; c++) {
        if (argc < 3 || strcmp(argv[2], c->name) == 0) {
            starve(c);
            found = 1;
        }
    }
    fclose(words);
    fclose(data);
    if (chdir("/") != 0 || regret_folder_remove(folder) != 0) {
        fprintf(stderr, "starve: %s\n", regret_error_message());
        return 1;
    }
    return found ? 0 : 2;
}
