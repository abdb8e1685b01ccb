#define _GNU_SOURCE
#include "faults/background.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/process.h"
#include "faults/faults.h"
#include "regret/status.h"

enum { MAX_WORDS = 24 };

static _Noreturn void become(const char *line, int number)
{
    static char words[1024];
    char *argv[MAX_WORDS] = {(char *)"regret"}, said[64];
    size_t n = 1;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word != NULL && n + 1 < MAX_WORDS;
         word = strtok(NULL, " ")) {
        argv[n++] = word;
    }
    snprintf(said, sizeof said, ".said-%d", number);
    if (chdir(process_folder()) != 0 || freopen("/dev/null", "w", stdout) == NULL ||
        freopen(said, "w", stderr) == NULL) {
        _exit(99);
    }
    execv(REGRET_PROGRAM, argv);
    _exit(98);
}

pid_t background_start(const char *line, int number)
{
    fflush(NULL);
    pid_t pid = fork();
    cr_assert_geq(pid, 0);
    if (pid == 0) {
        become(line, number);
    }
    return pid;
}

int background_wait(pid_t pid)
{
    int status = 0;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

const char *background_said(int number)
{
    static char text[4096];
    char name[64];
    snprintf(name, sizeof name, ".said-%d", number);
    char *all = process_read(name);
    snprintf(text, sizeof text, "%s", all);
    regret_free(all);
    remove(background_path(name));
    return text;
}

const char *background_path(const char *name)
{
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", process_folder(), name);
    return path;
}

void background_expect_same(const char *folder, const char *expected, const char *what)
{
    struct tree a = TREE_INIT, b = TREE_INIT;
    char words[512];
    tree_read(&a, background_path(folder));
    tree_read(&b, background_path(expected));
    cr_assert_gt(b.n, 0, "nothing is expected of %s", what);
    cr_expect(tree_same(words, sizeof words, &a, &b, ""), "%s: %s", what, words);
    tree_free(&a);
    tree_free(&b);
}
