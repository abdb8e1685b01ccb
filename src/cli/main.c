#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/help/complete.h"
#include "cli/terminal/cli.h"
#include "cli/terminal/find.h"
#include "regret/blas.h"
#include "regret/status.h"
#include "synth/synth.h"

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
