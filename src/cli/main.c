#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "regret/blas.h"
#include "regret/json.h"
#include "regret/status.h"
#include "synth/synth.h"

/* Every command, in the order in which a newcomer meets them. */
static const struct cli_command *const commands[] = {
    &cmd_run,    &cmd_merge, &cmd_report, &cmd_compare, &cmd_cell,
    &cmd_config, &cmd_pool,  &cmd_import, &cmd_rewrite, &cmd_doctor,
};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void list_commands(FILE *stream)
{
    for (size_t i = 0; i < N_COMMANDS; i++) {
        fprintf(stream, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    }
}

static void print_overview(void)
{
    printf("regret %s: which way of combining logs, experiments and replayed outputs recommends "
           "best?\n\nUsage: regret COMMAND [options]\n\nCommands:\n",
           regret_version());
    list_commands(stdout);
    puts("\n'regret COMMAND --help' tells about one command, with examples.");
}

/* Data that could not be written is a failure, whatever the command thought of itself. */
static int finish(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli_usage_error("cannot write to standard output");
        return CLI_FAILED;
    }
    return code;
}

static int unknown_command(const char *word)
{
    const char *names[N_COMMANDS];
    for (size_t i = 0; i < N_COMMANDS; i++) {
        names[i] = commands[i]->name;
    }
    const char *near = regret_nearest_word(word, names, N_COMMANDS);
    if (near != NULL) {
        return cli_usage_error("unknown command \"%s\"; did you mean \"%s\"?", word, near);
    }
    return cli_usage_error("unknown command \"%s\"; 'regret --help' lists them", word);
}

static const struct cli_command *find_command(const char *word)
{
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i]->name, word) == 0) {
            return commands[i];
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

int main(int argc, char **argv)
{
    /* Replicates run in parallel; BLAS threads beneath them would only fight over the processors.
     */
    regret_blas_set_threads(1);
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
    if (strcmp(word, "--version") == 0) {
        printf("regret %s\n", regret_version());
        return finish(CLI_OK);
    }
    const struct cli_command *command = find_command(word);
    return command != NULL ? finish(command->run(command, argc - 1, argv + 1))
                           : unknown_command(word);
}
