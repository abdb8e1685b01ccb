#include "cli/process.h"

#include <criterion/criterion.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "regret/buffer.h"
#include "regret/status.h"

char process_stdout[1 << 18], process_stderr[1 << 16];

static char folder[64];

static const char *path_of(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

const char *process_folder(void)
{
    return folder;
}

void process_write(const char *name, const char *text)
{
    cr_assert_eq(regret_file_write(path_of(name), text, strlen(text)), 0, "%s",
                 regret_error_message());
}

char *process_read(const char *name)
{
    char *text = NULL;
    cr_assert_eq(regret_file_read(&text, NULL, path_of(name), (size_t)1 << 26), 0, "%s",
                 regret_error_message());
    return text;
}

int process_exists(const char *name)
{
    return regret_file_exists(path_of(name));
}

void process_open(void)
{
    strcpy(folder, "/tmp/regret-cli-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    process_write("config.json",
                  "{\"pool\": \"pool\", \"contexts.hard\": 0, \"seeds\": 2, \"n_obs\": 40,\n"
                  " \"n_exp\": 30, \"features.buckets\": 256, \"proxy.dim\": 4,\n"
                  " \"sweep\": {\"beta\": [0, 1]}}\n");
    cr_assert_eq(process_run("pool synth newswire --articles 5 -o pool"), 0, "%s", process_stderr);
}

void process_close(void)
{
    cr_assert_eq(regret_folder_remove(folder), 0);
}

static void take(char *out, size_t size, const char *name)
{
    FILE *file = fopen(path_of(name), "rb");
    cr_assert_not_null(file);
    size_t n = fread(out, 1, size - 1, file);
    fclose(file);
    for (size_t i = 0; i < n; i++) {
        out[i] = out[i] == '\0' ? '?' : out[i];
    }
    out[n] = '\0';
    remove(path_of(name));
}

/* Nothing that could steer a terminal: C0 but for line ends and tabs, DEL, C1 in UTF-8. */
static void expect_harmless(const char *stream, const char *text, const char *arguments)
{
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++) {
        int c1 = p[0] == 0xc2 && p[1] >= 0x80 && p[1] <= 0x9f;
        cr_assert((*p >= 0x20 || *p == '\n' || *p == '\t') && *p != 0x7f && !c1,
                  "byte %02x on %s of: regret %s", *p, stream, arguments);
    }
}

static void expect_prefixed(const char *arguments)
{
    for (const char *p = process_stderr; *p != '\0'; p = strchr(p, '\n') + 1) {
        cr_assert(strncmp(p, "regret: ", 8) == 0 || strncmp(p, "  ", 2) == 0,
                  "\"%.80s\" of: regret %s", p, arguments);
        cr_assert_not_null(strchr(p, '\n'), "an unfinished line of: regret %s", arguments);
    }
}

int process_run_in(const char *environment, const char *arguments)
{
    char command[4096];
    int n = snprintf(command, sizeof command, "cd %s && >.stdout 2>.stderr </dev/null %s %s %s",
                     folder, environment, REGRET_PROGRAM, arguments);
    cr_assert(n > 0 && (size_t)n < sizeof command);
    int status = system(command);
    take(process_stdout, sizeof process_stdout, ".stdout");
    take(process_stderr, sizeof process_stderr, ".stderr");
    expect_harmless("stdout", process_stdout, arguments);
    expect_harmless("stderr", process_stderr, arguments);
    expect_prefixed(arguments);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int process_run(const char *arguments)
{
    return process_run_in("", arguments);
}

void process_ok(const char *arguments)
{
    int code = process_run(arguments);
    cr_assert_eq(code, 0, "%d for: regret %s\n%s", code, arguments, process_stderr);
}

void process_same_rows(const char *a, const char *b)
{
    char name[128];
    snprintf(name, sizeof name, "%s/results-1-of-1.jsonl", a);
    char *x = process_read(name);
    snprintf(name, sizeof name, "%s/results-1-of-1.jsonl", b);
    char *y = process_read(name);
    cr_assert(x[0] != '\0' && strcmp(x, y) == 0, "%s and %s differ", a, b);
    regret_free(x);
    regret_free(y);
}

void process_said(const char *part)
{
    cr_expect_not_null(strstr(process_stderr, part), "no \"%s\" in: %s", part, process_stderr);
}

void process_wrote(const char *part)
{
    cr_expect_not_null(strstr(process_stdout, part), "no \"%s\" in: %s", part, process_stdout);
}

void process_refused(const char *arguments, const char *part)
{
    int code = process_run(arguments);
    cr_expect_eq(code, 2, "%d for: regret %s\n%s", code, arguments, process_stderr);
    process_said(part);
    const char *end = strchr(process_stderr, '\n');
    cr_expect(end != NULL && end[1] == '\0', "one line, but: %s", process_stderr);
    cr_expect_str_empty(process_stdout, "data with an error: regret %s", arguments);
}

const char *process_on_terminal(const char *arguments)
{
    static char shown[1 << 16];
    char command[512];
    int terminal = -1;
    size_t n = 0;
    snprintf(command, sizeof command, "cd %s && '%s' %s", folder, REGRET_PROGRAM, arguments);
    pid_t child = forkpty(&terminal, NULL, NULL, NULL);
    cr_assert_geq(child, 0);
    if (child == 0) {
        setenv("TERM", "xterm", 1); /* on a dumb one nothing is drawn over */
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    for (ssize_t got = 1; got > 0 && n + 1 < sizeof shown; n += got > 0 ? (size_t)got : 0) {
        got = read(terminal, shown + n, sizeof shown - 1 - n);
    }
    shown[n] = '\0';
    close(terminal);
    cr_assert_eq(waitpid(child, NULL, 0), child);
    return shown;
}
