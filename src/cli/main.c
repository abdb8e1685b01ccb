/* The program: its commands, and what it says of itself. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "cli/internal.h"
#include "regret/status.h"
#include "report/table.h"
#include "synth/newswire.h"

/* The commands of the program, each in a file cmd_<name>.c of its own. */

extern const struct cli_command cmd_cell, cmd_compare, cmd_config, cmd_cost, cmd_doctor, cmd_import,
    cmd_init, cmd_merge, cmd_plan, cmd_pool, cmd_rate, cmd_recommend, cmd_report, cmd_run, cmd_sql;

/* Every one, in the order in which a newcomer meets them; ended by NULL. */
static const struct cli_command *const cli_commands[] = {
    &cmd_init,   &cmd_run,       &cmd_cost,    &cmd_plan, &cmd_merge,  &cmd_report,
    &cmd_sql,    &cmd_recommend, &cmd_compare, &cmd_cell, &cmd_config, &cmd_pool,
    &cmd_import, &cmd_rate,      &cmd_doctor,  NULL,
};

#ifdef __GLIBC__
#include <malloc.h>
#endif

static void list_commands(FILE *stream)
{
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        fprintf(stream, "  %-10s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    }
}

static void print_overview(void)
{
    printf("regret %s: which way of combining logs, experiments and replayed outputs recommends "
           "best?\n\nUsage: regret COMMAND [options]\n\nCommands:\n",
           regret_version());
    list_commands(stdout);
    puts(
        "\n'regret COMMAND --help' tells about one command, with examples; 'regret --names\n"
        "configs|pools' lists what can be given by name; 'regret --complete WORDS…' says what the\n"
        "last word may become, for the completion of a shell.");
}

/* A pipe that nobody reads any more. */
static int reader_went_away(void)
{
    struct pollfd out = {STDOUT_FILENO, POLLOUT, 0};
    return poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

/* Data that could not be written is a failure, whatever the command thought of itself; a reader that has gone (`| head`)
 * is not told of it. */
static int finish(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        int cause = cli_output_cause() != 0 ? cli_output_cause() : errno;
        if (!reader_went_away()) {
            cli_say("cannot write to standard output: %s; what was written to files stands",
                    strerror(cause));
        }
        return CLI_FAILED;
    }
    return code;
}

static int unknown_command(const char *word)
{
    static const char *const options[] = {"help", "version", "names", "complete"};
    const char *names[64];
    size_t n = 0;
    while (n < sizeof names / sizeof *names && cli_commands[n] != NULL) {
        names[n] = cli_commands[n]->name;
        n++;
    }
    if (strncmp(word, "--", 2) == 0) {
        return cli_unknown(&(struct cli_unknown){"option", "--", "'regret --help' tells of them"},
                           word + 2, options, sizeof options / sizeof *options);
    }
    if (strcmp(word, "rewrite") == 0) {
        return cli_usage_error("\"rewrite\" is 'regret rate' now; see 'regret rate --help'");
    }
    if (strcmp(word, "evaluate") == 0) {
        return cli_usage_error("\"evaluate\" is 'regret recommend' now: regret recommend CONFIG");
    }
    return cli_unknown(&(struct cli_unknown){"command", "", "'regret --help' lists them"}, word,
                       names, n);
}

static const struct cli_command *find_command(const char *word)
{
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        if (strcmp(cli_commands[i]->name, word) == 0) {
            return cli_commands[i];
        }
    }
    return NULL;
}

/* "help COMMAND [SUBCOMMAND]" is "COMMAND [SUBCOMMAND] --help". */
static int help_on(int argc, char **argv)
{
    static char option[] = "--help";
    char *words[] = {argv[2], argc > 3 ? argv[3] : option, option, NULL};
    const struct cli_command *command = find_command(argv[2]);
    if (command == NULL) {
        return unknown_command(argv[2]);
    }
    if (argc > 4) {
        return cli_usage_error("one argument too many: \"%s\"; usage: regret help COMMAND",
                               argv[4]);
    }
    return command->run(command, argc > 3 ? 3 : 2, words);
}

/* A standard stream that the caller has closed must not become the first file that is opened: each
 * gets what can be neither read (stdin) nor written (stdout, stderr), so that using it still fails. */
static int open_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) {
            continue;
        }
        if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) {
            return 0;
        }
    }
    return 1;
}

/* OpenBLAS starts a thread a processor when it is loaded, before main(), unless its environment says
 * otherwise. None is used here (replicates run in parallel), and under a limit of memory those that
 * it could not start keep the program from ending: start over with the word set. Where that cannot
 * be done, they idle. */
static void start_without_blas_threads(char **argv)
{
    static const char NAME[] = "OPENBLAS_NUM_THREADS";
    const char *given = getenv(NAME);
    if ((given == NULL || strcmp(given, "1") != 0) && setenv(NAME, "1", 1) == 0) {
        execv("/proc/self/exe", argv);
    }
}

/* Replicates ask for the same large arrays again and again. Where the C library would give each back to the system and
 * have fresh pages cleared for the next, this takes a tenth of the controlled world's time; kept, they are taken
 * again; the peak of memory is a few per cent higher or lower. */
static void keep_freed_memory(void)
{
#ifdef __GLIBC__
    enum { LARGEST_KEPT = 32 << 20, MOST_KEPT = 1 << 30 };
    (void)mallopt(M_MMAP_THRESHOLD, LARGEST_KEPT);
    (void)mallopt(M_TRIM_THRESHOLD, MOST_KEPT);
#endif
}

int main(int argc, char **argv)
{
    keep_freed_memory();
    if (!open_standard_streams()) {
        return CLI_FAILED;
    }
    start_without_blas_threads(argv);
    regret_blas_set_threads(1);
    /* A reader that goes away (`| head`) must not end a run: its writes fail, and are told of. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ,
           SIG_IGN); /* a file beyond `ulimit -f` is an error of writing, which cleans up */
    if (synth_register() != REGRET_OK) {
        return cli_report(REGRET_E_INTERNAL);
    }
    if (argc < 2) {
        fputs("regret: usage: regret COMMAND [options]; 'regret COMMAND --help' tells about one of "
              "these:\n",
              stderr);
        list_commands(stderr);
        return CLI_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "help") == 0 && argc > 2) {
        return finish(help_on(argc, argv));
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_overview();
        return finish(CLI_OK);
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("regret %s\n", regret_version());
        return finish(CLI_OK);
    }
    if (strcmp(word, "--complete") == 0) {
        return finish(complete_print(argv + 2, (size_t)argc - 2, cli_commands));
    }
    if (strcmp(word, "--names") == 0) {
        return finish(argc == 3 ? find_print_names(argv[2])
                                : cli_usage_error("usage: regret --names configs|pools"));
    }
    const struct cli_command *command = find_command(word);
    return command != NULL ? finish(command->run(command, argc - 1, argv + 1))
                           : unknown_command(word);
}

static const char *const parallel_words[] = {"serial", "pthreads", "OpenMP"};

/* What was found; `worst` is the largest error of the self-check. */
struct found {
    struct regret_blas_info blas;
    const char *build; /* serial, pthreads, … */
    size_t threads;
    double worst;
};

static int print_json(const struct found *f)
{
    struct table t = {0};
    struct regret_buffer text = REGRET_BUFFER_INIT;
    table_begin(&t, "doctor", "The linear algebra library and the machine");
    table_block(&t, "%s", "");
    static const char *const columns[] = {"regret",         "BLAS",
                                          "kernel",         "BLAS build",
                                          "processors",     "processors on the machine",
                                          "threads a call", "threads checked",
                                          "largest error"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        table_column(&t, "%s", columns[i]);
    }
    table_row_of_cells(&t);
    table_text(&t, "%s", regret_version());
    table_text(&t, "%s", f->blas.build);
    table_text(&t, "%s", f->blas.kernel);
    table_text(&t, "%s", f->build);
    table_number(&t, (double)regret_processor_count(), 0);
    table_number(&t, (double)sysconf(_SC_NPROCESSORS_ONLN), 0);
    table_number(&t, f->blas.blas_threads, 0);
    table_number(&t, (double)f->threads, 0);
    table_number(&t, f->worst, 0);
    int rc = render(&text, &t, REGRET_FORMAT_JSON);
    table_free(&t);
    return cli_print(&text, rc);
}

static void print_library(const struct found *f)
{
    printf("regret      %s\n", regret_version());
    printf("processors  %zu allowed, %ld on the machine\n", regret_processor_count(),
           sysconf(_SC_NPROCESSORS_ONLN));
    printf("BLAS        %s\n", f->blas.build);
    printf("kernel      %s\n", f->blas.kernel);
    printf("BLAS build  %s, %d thread%s a call\n", f->build, f->blas.blas_threads,
           plural(f->blas.blas_threads));
}

static void print_check(const struct found *f)
{
    printf("self-check  passed on %zu thread%s, largest error %.1e\n", f->threads,
           plural(f->threads), f->worst);
}

static int examine(struct found *f, int json)
{
    int known = f->blas.parallel >= 0 && f->blas.parallel <= 2;
    f->build = known ? parallel_words[f->blas.parallel] : "unknown";
    if (!json) {
        print_library(f);
    }
    TRY(regret_blas_check_threads(f->threads));
    if (f->blas.parallel == 2) {
        static const char NOTE[] =
            "the OpenMP build changes last digits; the pthread build is the tested one";
        if (json) {
            cli_say("%s", NOTE);
        } else {
            printf("note        %s\n", NOTE);
        }
    }
    return regret_blas_self_check(f->threads, &f->worst);
}

static int run_doctor(const struct cli_command *self, int argc, char **argv)
{
    struct found f = {.threads = regret_processor_count()};
    int code = 0, json = 0;
    const struct cli_option options[] = {
        {"threads", 't', CLI_THREADS, &f.threads, "N",
         "threads to check with (default: all allowed)", 1, 1024},
        CLI_FLAG_OPTION("json", 0, &json, "the same for programs, once all is well"),
        {0}};
    if (cli_parse_options(&code, self, options, argc, argv)) {
        return code;
    }
    f.blas = regret_blas_describe();
    code = cli_report(examine(&f, json));
    if (code == CLI_OK && json) {
        return print_json(&f);
    }
    if (code == CLI_OK) {
        print_check(&f);
    }
    return code;
}

const struct cli_command cmd_doctor = {
    .name = "doctor",
    .synopsis = "[--threads N] [--json]",
    .summary = "check the linear algebra library and the machine",
    .detail =
        "Prints the BLAS build, its kernel and threads, and runs a numerical self-check on as\n"
        "many threads as a run would use. The serial build of OpenBLAS is refused with more\n"
        "than one thread, because it gives wrong answers there.",
    .examples = "regret doctor\nregret doctor --threads 1",
    .run = run_doctor,
};
