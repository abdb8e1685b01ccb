/* The command line: one table of commands (cli/commands.c), one table of options a command, one parser.
 * A command is a file cmd_<name>.c with a `const struct cli_command cmd_<name>`, which cli/commands.h declares,
 * and one line in cli/commands.c. Data goes to stdout, words to stderr; 0 is fine, 1 the run failed, 2 wrong usage or bad
 * input, 3 an answer that is none: nothing can be told. */
#ifndef REGRET_CLI_TERMINAL_CLI_H
#define REGRET_CLI_TERMINAL_CLI_H

#include <stddef.h>
#include <stdio.h>

#include "regret/buffer.h"

enum cli_exit { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_CANNOT_TELL = 3 };

enum cli_type {
    CLI_FLAG,    /* int *: set to 1 */
    CLI_STRING,  /* const char **: borrowed from argv */
    CLI_SIZE,    /* size_t *: a whole number within [low, high] */
    CLI_THREADS, /* the same, and warns above the processors there are */
    CLI_U64,     /* uint64_t *: a whole number */
    CLI_DOUBLE,  /* double *: a finite number within [low, high] */
    CLI_LIST     /* struct cli_list *: may be given many times */
};

struct cli_list {
    const char *items[64]; /* borrowed from argv */
    size_t count;
};

struct cli_option {
    const char *name; /* without the dashes, "threads" */
    char letter;      /* 'o' for -o, or 0 */
    enum cli_type type;
    void *target;      /* see cli_type; NULL ends a table */
    const char *value; /* what --help calls the value: "N", "DIR"; NULL for a flag */
    const char *help;  /* one line */
    double low, high;  /* for numbers; both 0: no bounds */
};

/* What is left after the options. */
struct cli_arguments {
    const char *items[4096];
    size_t count;
};

struct cli_command {
    const char *name;     /* "run" */
    const char *synopsis; /* "CONFIG -o RUN [options]" */
    const char *summary;  /* one line for the list of commands */
    const char *detail;   /* paragraphs for --help, may be NULL */
    const char *examples; /* lines "regret run …", one a line */
    int (*run)(const struct cli_command *self, int argc, char **argv); /* argv[0] is the command */
};

/* Parses argv[1..argc) by `options` (ended by a NULL target; may be NULL), with between
 * `least` and `most` arguments left over. -h and --help print the help made from the table to
 * stdout. Returns 0 to go on, or 1 when the command is over and *exit_code says how (help shown:
 * CLI_OK; wrong usage, already explained on stderr: CLI_USAGE). */
int cli_parse(struct cli_arguments *rest, int *exit_code, const struct cli_command *command,
              const struct cli_option *options, size_t least, size_t most, int argc, char **argv);

/* The same for a command that takes options only. */
int cli_parse_options(int *exit_code, const struct cli_command *command,
                      const struct cli_option *options, int argc, char **argv);

/* For commands with sub-commands ("pool show"): finds argv[1] in `table` (ended by a NULL run),
 * runs it with argv+1, and explains what there is when it is missing or unknown. */
int cli_dispatch(const struct cli_command *parent, const struct cli_command *table, int argc,
                 char **argv);

/* Prints "regret: MESSAGE" with the library's last message to stderr and returns the exit code that
 * goes with `rc` (REGRET_E_INPUT: 2, any other error: 1, REGRET_OK: 0 without printing). */
int cli_report(int rc);

/* "regret: …" to stderr, on one line and made harmless: it may quote untrusted paths and names. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What n of something end in. */
static inline const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* Writes to stdout; on a terminal with what could steer it, or hides there, made visible. A text of `length` bytes and a zero;
 * whether stdout took it is for ferror(stdout). */
int cli_write(const char *text, size_t length);
/* Why standard output took no more of it, as errno has it; 0: it took all. */
int cli_output_cause(void);

/* Writes a finished document to stdout, if it and `rc` are in order; frees it. Returns the exit
 * code, having reported an error as cli_report() does. */
int cli_print(struct regret_buffer *document, int rc);
/* The same for what is CSV, and guarded for spreadsheets where that is asked for: see regret_csv_guard(). */
int cli_print_csv(struct regret_buffer *document, int rc, int is_guarded);

/* The one character that `word`, the value of --NAME, is, or a tab for the word "tab"; complains otherwise and returns
 * CLI_USAGE. */
int cli_read_character(char *out, const char *name, const char *word);

/* "regret: …" to stderr; returns CLI_USAGE. */
int cli_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What is wrong with a word that is none of `known`, said the same way wherever it stands: "unknown WHAT
 * "BEFOREword"; did you mean "BEFOREnear"?", for the known word nearest to it or the only one that it begins,
 * and where there is none "unknown WHAT "BEFOREword"; OTHERWISE". Returns CLI_USAGE. */
struct cli_unknown {
    const char *what, *before, *otherwise;
};
int cli_unknown(const struct cli_unknown *as, const char *word, const char *const *known, size_t n);
/* The words of a value such as "md|csv|tex", of which an option takes no other, or 0 for any other value. Into
 * words[0..CLI_MOST_WORDS), with `storage` of CLI_WORDS_SIZE bytes for them. */
enum { CLI_MOST_WORDS = 16, CLI_WORDS_SIZE = 256 };
size_t cli_value_words(const char **words, char *storage, const char *value);

/* From now on an interrupt asks the run at hand to stop, which it does in the middle of its fits, and a second one
 * kills as usual; cli_interrupted() says whether there was one. */
void cli_catch_interrupts(void);
int cli_interrupted(void);

/* --allow-commands, and what it is an option of: commands end with an interrupt, once they are caught. */
#define CLI_ALLOW_COMMANDS(commands)                                                               \
    {                                                                                              \
        "allow-commands", 0, CLI_FLAG, &(commands)->allow, NULL,                                   \
            "start the programs that CONFIG names as families", 0, 0                               \
    }
int cli_cancelled(void *unused);

/* --set, many times. */
#define CLI_SET(list)                                                                              \
    {                                                                                              \
        "set", 's', CLI_LIST, (list), "KEY=VALUE", "override a key; may be given many times", 0, 0 \
    }

/* --safe-csv, for cli_print_csv(). */
#define CLI_SAFE_CSV(flag)                                                                         \
    {                                                                                              \
        "safe-csv", 0, CLI_FLAG, &(flag), NULL,                                                    \
            "in CSV, keep spreadsheets from taking text for formulas", 0, 0                        \
    }

/* --json, beside --format. */
#define CLI_JSON(flag)                                                                             \
    {                                                                                              \
        "json", 0, CLI_FLAG, &(flag), NULL, "the same as --format json", 0, 0                      \
    }
/* The format that is wanted: json, or `word`, the value of --format, or md where neither was given. Of both
 * options complains and returns NULL. */
const char *cli_format(const char *word, int json);

#endif
