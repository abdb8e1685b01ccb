/* Want of memory wherever a command allocates, in one process, so that the sanitizers see it: nothing may leak, no
 * half-made output may stay, and the user is told what happened.
 *
 * Usage: test-starve SOURCE [NAME]
 * SOURCE is the project's folder, absolute; NAME restricts the sweep to one command of starved_commands.c.
 * Of allocations that the same calls lead to the first and the last fail, of a command that has many
 * of them the first; with REGRET_STARVE=whole every single one. Of the commands a third are tried, which REGRET_SAMPLE settles (tests/run.sh: the
 * commit); without a sanitizer, which sees most, an eighth. */
#include <dirent.h>
#include <execinfo.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"
#include "regret/buffer.h"
#include "regret/status.h"
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
    regret_fail(REGRET_OK, "%s", "");
    regret_alloc_fail_after(k);
    int code = regret_main(argc, argv);
    regret_alloc_fail_after(-1);
    fflush(stdout);
    if (dup2(stderr_fd, STDERR_FILENO) < 0 || dup2(stdout_fd, STDOUT_FILENO) < 0) {
        fail(k, "cannot restore", "the streams");
    }
    return code;
}

/* It is, too, where `evaluate` cannot tell. */
static int is_done(int code)
{
    return code == 0 || code == 3;
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

/* ---- Which allocations fail ---- */

/* Allocations that the same calls lead to. */
struct way {
    uint64_t calls; /* the hash of their stack; 0: none */
    long first, last;
};
enum { MOST_WAYS = 1 << 16, DEPTH = 4, MANY = 200 };
static struct way ways[MOST_WAYS];
static long seen = -1; /* allocations so far; below 0: nobody looks */

/* Before src/base/status.c asks the system, which it does by these three. */
static void see(void)
{
    void *frame[DEPTH + 2];
    if (seen < 0) {
        return;
    }
    int n = backtrace(frame, DEPTH + 2);
    uint64_t calls = regret_hash64(frame + 2, (size_t)(n > 2 ? n - 2 : 0) * sizeof *frame) | 1;
    size_t i = calls % MOST_WAYS;
    while (ways[i].calls != 0 && ways[i].calls != calls) {
        i = (i + 1) % MOST_WAYS;
    }
    ways[i] = (struct way){calls, ways[i].calls == 0 ? seen : ways[i].first, seen};
    seen++;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

void *__wrap_malloc(size_t size)
{
    see();
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    see();
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    see();
    return __real_realloc(block, size);
}

/* The next one that is to fail, after k. */
static long next(long k)
{
    const char *how = getenv("REGRET_STARVE");
    long next = LONG_MAX;
    for (size_t i = 0; i < MOST_WAYS; i++) {
        const struct way *w = &ways[i];
        long at = w->calls == 0  ? LONG_MAX
                  : w->first > k ? w->first
                  : w->last > k  ? w->last
                                 : LONG_MAX;
        next = at < next ? at : next;
    }
    return how != NULL && strcmp(how, "whole") == 0 ? k + 1 : next;
}

/* Success, where nothing was wanted or what was could be done without, which is told. */
static void check_success(const struct starved_command *c, long k, const char *expected)
{
    char *got = result_of(c);
    if (strcmp(expected, got) != 0) {
        fail(k, "the end is not that of a command that wanted nothing", got);
    }
    int wanted = strstr(regret_error_message(), "out of memory") != NULL; /* counts differ a bit */
    if (k < LONG_MAX && wanted && c->left != STARVED_GOES_ON &&
        strstr(said(words), "memory") == NULL) {
        fail(k, "is not told", said(words));
    }
    regret_free(got);
}

/* Which calls lead to the allocations of a command that wants nothing. */
static void learn(const struct starved_command *c)
{
    memset(ways, 0, sizeof ways);
    seen = 0;
    if (!is_done(command(c->arguments, LONG_MAX))) {
        fail(-1, "fails without want", said(words));
    }
    seen = -1;
    size_t n = 0;
    for (size_t i = 0; i < MOST_WAYS; i++) {
        n += ways[i].calls != 0;
    }
    for (size_t i = 0; i < MOST_WAYS && n > MANY; i++) {
        ways[i].last = ways[i].first;
    }
}

static void starve(const struct starved_command *c)
{
    now = c->name;
    discard(c->made);
    size_t before = entries();
    if (!is_done(command(c->arguments, -1))) {
        fail(-1, "fails without want", said(words));
    }
    char *expected = result_of(c);
    discard(c->made);
    learn(c);
    discard(c->made);
    size_t failures = 0;
    int code = 1;
    for (long k = next(-1); !is_done(code) || (k < LONG_MAX && c->left != STARVED_GOES_ON);
         k = next(k)) {
        code = command(c->arguments, k);
        if (!is_done(code)) {
            failures++;
            check_failure(c, k, code, before);
        } else {
            check_success(c, k, expected);
        }
        if (c->left != STARVED_GOES_ON) {
            discard(c->made);
        }
    }
    regret_free(expected);
    discard(c->made);
    if (failures < 3) {
        fail(-1, "hardly allocates", "does the hook reach it?");
    }
    if (__lsan_do_recoverable_leak_check != NULL && __lsan_do_recoverable_leak_check() != 0) {
        fail(-1, "leaks", "see the report above");
    }
    printf("%-20s %4zu failures\n", c->name, failures);
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

/* Whether it is this command's turn. */
static int is_tried(const char *name)
{
    const char *how = getenv("REGRET_STARVE"), *sample = getenv("REGRET_SAMPLE");
    uint64_t turn = sample != NULL ? regret_hash64(sample, strlen(sample)) : 0;
    uint64_t turns = __lsan_do_recoverable_leak_check != NULL ? 3 : 8;
    return (how != NULL && strcmp(how, "whole") == 0) || sample == NULL ||
           (regret_hash64(name, strlen(name)) + turn) % turns == 0;
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
        if (argc < 3 ? is_tried(c->name) : strcmp(argv[2], c->name) == 0) {
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
