/* What the sources of this folder share. */
#ifndef CLI_INTERNAL_H
#define CLI_INTERNAL_H

#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "import/init.h"
#include "regret/buffer.h"
#include "regret/experiment.h"
#include "regret/rate.h"

struct regret_results;

/* ---- import.c: `import`, and the date of a step. ---- */

enum { STEP_DATE = 24 };

/* The date that is given; else the time now in UTC or, for bytes that do not depend on the clock, that of SOURCE_DATE_EPOCH
 * (reproducible-builds.org), as "2026-11-25T12:30:00Z" in `room`. */
int step_date(const char **out, char room[STEP_DATE], const char *given);

/* ---- options.c: options: how they are read, and their help. ---- */

/* The command line: one table of commands (cli/main.c), one table of options a command, one parser.
 * A command is a `const struct cli_command cmd_<name>` in a file of its subject, and one line in cli/main.c. Data goes to stdout, words to stderr; 0 is fine, 1 the run failed, 2 wrong usage or bad
 * input, 3 an answer that is none: nothing can be told. */

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

/* One without bounds, and a flag. */
#define CLI_OPTION(name, letter, type, target, value, help)                                        \
    {                                                                                              \
        name, letter, type, target, value, help, 0, 0                                              \
    }
#define CLI_FLAG_OPTION(name, letter, target, help)                                                \
    CLI_OPTION(name, letter, CLI_FLAG, target, NULL, help)

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

int cli_cancelled(void *unused);

/* --allow-commands, and what it is an option of: commands end with an interrupt, once they are caught. */
#define CLI_ALLOW_COMMANDS(commands)                                                               \
    CLI_FLAG_OPTION("allow-commands", 0, &(commands)->allow,                                       \
                    "start the programs that CONFIG names as families")
/* --set, many times. */
#define CLI_SET(list)                                                                              \
    CLI_OPTION("set", 's', CLI_LIST, list, "KEY=VALUE", "override a key; may be given many times")
/* --safe-csv, for cli_print_csv(). */
#define CLI_SAFE_CSV(flag)                                                                         \
    CLI_FLAG_OPTION("safe-csv", 0, &(flag),                                                        \
                    "in CSV, keep spreadsheets from taking text for formulas")
/* --json, beside --format. */
#define CLI_JSON(flag) CLI_FLAG_OPTION("json", 0, &(flag), "the same as --format json")
/* The format that is wanted: json, or `word`, the value of --format, or md where neither was given. Of both
 * options complains and returns NULL. */
const char *cli_format(const char *word, int json);

/* What --help shows, and the same tables for whoever else tells of the options (cli/help). */

/* Gets a command with its options, or (`options` is NULL) with the commands below it, which come next;
 * either table may be NULL and both are gone when it returns. */
typedef void help_visitor(void *context, const struct cli_command *command,
                          const struct cli_option *options, const struct cli_command *below);

/* Shows `command`, and the commands below it, to `visit` instead of on stdout. The tables of options are
 * those that the parser has: each command is started with --help. Returns an exit code. */
int help_visit(const struct cli_command *command, help_visitor *visit, void *context);

/* ---- pool.c: `pool` ---- */

/* A sub-command that prints tables of one pool. */
struct pool_view {
    int (*make)(struct regret_buffer *out, const struct pool_view *view, const char *path);
    const void *options;        /* the command's own, for make */
    struct cli_arguments words; /* the pool, and what stands behind it */
    enum regret_format format;
    const char *word; /* what the options say of that */
    int json, safe_csv;
};

#define POOL_VIEW_OPTIONS(view)                                                                    \
    CLI_OPTION("format", 'f', CLI_STRING, &(view).word, "text|md|csv|tex|html|json",               \
               "what is printed (default text)"),                                                  \
        CLI_JSON((view).json), CLI_SAFE_CSV((view).safe_csv)

/* Parses the options, with at most so many words, makes the tables and prints them; the exit code. */
int pool_view_print(struct pool_view *view, const struct cli_command *self,
                    const struct cli_option *options, size_t most, int argc, char **argv);

/* The sub-commands. */
int cmd_pool_show(const struct cli_command *self, int argc, char **argv); /* and `pool stats` */
int cmd_pool_votes(const struct cli_command *self, int argc, char **argv);
int cmd_pool_agreement(const struct cli_command *self, int argc, char **argv);
int cmd_pool_extend(const struct cli_command *self, int argc, char **argv);
int cmd_pool_merge(const struct cli_command *self, int argc, char **argv);
int cmd_pool_select(const struct cli_command *self, int argc, char **argv);

/* ---- rate.c: `rate`: its arguments and its estimates. ---- */

/* What the sub-commands of `regret rate` share: their options, rows and documents. */

/* What the options about rows and estimates say. */
struct rate_arguments {
    const char *format, *se, *interval, *cluster, *predict, *dataset, *attribute, *z_field;
    const char *figures;
    struct cli_list edits; /* NAME=EDITED,BASE */
    int combine;           /* datasets of one attribute together */
    int keep_texts;        /* for samples of them */
    int skip_bad;          /* malformed rows are left out */
    int without_issues;    /* which are not said beside CSV */
    const char *without_ids, *w_field, *dataset_field;
    double w_above, z_above; /* NaN: labels are no ratings */
    size_t max_words;        /* 0: any */
    int safe_csv;            /* see regret_csv_guard() */
    size_t bootstrap, threads;
    uint64_t seed;
    enum regret_format table_format;
    struct regret_rate_options options;
    struct cli_arguments files;
    int code; /* how the command ends, where it is over */
};

#define RATE_ARGUMENTS                                                                             \
    {                                                                                              \
        .format = "md", .se = "paired", .threads = regret_processor_count(), .seed = 1,            \
        .w_above = NAN, .z_above = NAN                                                             \
    }

/* Options that all sub-commands about rows have, with `a`, a struct rate_arguments. */
#define RATE_FORMAT_OPTION(a)                                                                      \
    CLI_OPTION("format", 'f', CLI_STRING, &(a).format, "md|csv|tex|json",                          \
               "what is printed (default md)")
#define RATE_FORMAT_OPTIONS(a) RATE_FORMAT_OPTION(a), CLI_SAFE_CSV((a).safe_csv)
#define RATE_SE_OPTIONS(a)                                                                         \
    CLI_OPTION("se", 0, CLI_STRING, &(a).se, "paired|unpaired",                                    \
               "(default paired); unpaired as in the authors' code"),                              \
        CLI_OPTION("interval", 0, CLI_STRING, &(a).interval, "student|normal",                     \
                   "(default student; with --se unpaired normal: 1.96)"),                          \
        RATE_CLUSTER_OPTION(a)
#define RATE_CLUSTER_OPTION(a)                                                                     \
    CLI_OPTION(                                                                                    \
        "cluster", 'c', CLI_STRING, &(a).cluster, "KEY",                                           \
        "rows that depend: of one prompt (default where prompts differ), of one KEY, or none")
#define RATE_PREDICT_OPTION(a)                                                                     \
    CLI_OPTION("predict-w", 0, CLI_STRING, &(a).predict, "HOW",                                    \
               "label rows without W: length:T, score:MODEL:T or text")
#define RATE_FIGURES_OPTION(a)                                                                     \
    CLI_OPTION("figures", 0, CLI_STRING, &(a).figures, "DIR", "write SVG figures there")
#define RATE_SOURCE_OPTIONS(a)                                                                     \
    CLI_FLAG_OPTION("combine", 0, &(a).combine, "put the datasets of one attribute together"),     \
        CLI_OPTION("dataset", 0, CLI_STRING, &(a).dataset, "NAME", "for rows that name none"),     \
        CLI_OPTION("attribute", 0, CLI_STRING, &(a).attribute, "NAME", "for rows that name none"), \
        CLI_OPTION("w-field", 0, CLI_STRING, &(a).w_field, "KEY", "the key of W (default w)"),     \
        CLI_OPTION("w-above", 0, CLI_DOUBLE, &(a).w_above, "T", "W is a rating, 1 above T"),       \
        {"max-words", 0,  CLI_SIZE, &(a).max_words, "N", "leave out rows with a longer text",      \
         1,           1e9},                                                                        \
        CLI_FLAG_OPTION("skip-bad", 0, &(a).skip_bad,                                              \
                        "leave malformed rows out, and count them, instead of refusing the file"), \
        CLI_OPTION("without-ids", 0, CLI_STRING, &(a).without_ids, "pair|separate",                \
                   "rows without ids in several files: pair them by their order")
#define RATE_ROWS_OPTIONS(a)                                                                       \
    CLI_OPTION("edit", 0, CLI_LIST, &(a).edits, "NAME=A,B",                                        \
               "a model edit: the reward log A - log B"),                                          \
        RATE_SOURCE_OPTIONS(a)

/* cli_parse() of a command that takes `least` files at least, and the words turned into values; 1: the command is over. */
int rate_parse(struct rate_arguments *a, const struct cli_command *self,
               const struct cli_option *options, size_t least, int argc, char **argv);

/* What a sub-command makes of the rows, with options of its own, is appended to the document; *estimated, 1 before, is
 * 0 where nothing could be. */
typedef int rate_study(struct regret_buffer *document, int *estimated,
                       struct regret_rate_rows *rows, const struct rate_arguments *a,
                       const void *options);
/* Loads the rows, has them studied and prints the document. The exit code: 1, with words, where nothing could be
 * estimated, too. */
int rate_run(rate_study *study, const void *options, const struct rate_arguments *a);

/* The sub-commands of `regret rate`. */

int run_rate_estimate(const struct cli_command *self, int argc, char **argv);
int run_rate_contrast(const struct cli_command *self, int argc, char **argv);
int run_rate_shift(const struct cli_command *self, int argc, char **argv);
int run_rate_typos(const struct cli_command *self, int argc, char **argv);
int run_rate_world(const struct cli_command *self, int argc, char **argv);

/* ---- run.c: `run`, `cell` and `config`. ---- */

/* Says it on stderr. */
void dry_run_notice(void *context, const char *message);

/* ---- find.c: where a name on the command line leads: configurations, pools, runs. ---- */

enum { FIND_PATH_SIZE = 4096 };

/* What a command is to read, with room for it; nothing to free. */
struct find_inputs {
    char config[FIND_PATH_SIZE];
    char pool[FIND_PATH_SIZE]; /* "pool=PATH" */
};

/* Finds the configuration `*config`, or reads it from standard input, and the pool that it names, with `sets`, both where they are not there as
 * they are given. *config is then its path, or FIND_STANDARD, and `sets` has one more, "pool=PATH". Says on stderr what was
 * found. Returns 0, or CLI_USAGE having said where it looked, for a pool only if it is wanted; what is wrong with
 * a configuration is left to whoever reads it in earnest. */
int find_inputs(struct find_inputs *found, const char **config, struct cli_list *sets,
                int wants_pool);

/* What messages call a configuration from standard input: this very pointer. */
extern const char FIND_STANDARD[];

/* The plan of a configuration that find_inputs() has found. */
int find_plan(struct regret_run_plan **out, const char *config, const struct cli_list *sets);
/* Sets the configuration of a run to one that find_inputs() has found. */
void find_set_config(struct regret_run_options *o, const char *config);

/* find_inputs() for a run, whose configuration and overrides it sets. */
int find_run_inputs(struct find_inputs *found, struct regret_run_options *o, const char *config,
                    struct cli_list *sets);

/* The path of a pool, given as a path or by name: `word` itself, or `out`, which has FIND_PATH_SIZE bytes.
 * NULL where it is nowhere, having said so. */
const char *find_pool(char *out, const char *word);

/* 1 where the folder has a pool.json. */
int find_is_pool(const char *folder);

/* The i-th folder in which pools are looked for, or NULL past the last. */
const char *find_pool_folder(char *out, size_t i);

/* Appends the names that find something, "configs" or "pools", one a line and each once. Where nothing can be looked
 * through there are none. */
int find_names(struct regret_buffer *out, const char *what);
/* Prints them, and returns the exit code. */
int find_print_names(const char *what);

/* ---- progress.c: A line of progress, and Ctrl-C. ---- */

/* What stderr, where words go, can show. */

/* What is not written for a terminal is no wider. */
enum { SCREEN_MOST = 100 };

/* "regret: MESSAGE" to stderr, in lines that a terminal has room for, and elsewhere of so many columns; 0: as it is. */
void screen_put_message(const char *message, size_t columns);

/* Appends how a run ends (regret/report.h), its report being in that folder. It is made before a report is written, so that
 * want of memory leaves no report of a command that failed. */
int screen_ending(struct regret_buffer *out, const struct regret_results *results,
                  const char *folder);

/* The line that says what a run does, how fast and how long it will take. On a terminal it is drawn over
 * and over, from the first moment and by a thread of its own, so that it moves while nothing is finished;
 * elsewhere there is a line a minute, and none before the first is over. */

struct progress {
    int shown;    /* 0 with --quiet: nothing is said */
    int terminal; /* one line, drawn over and over */
    int ticking;  /* there is a thread */
    pthread_t ticker;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t wake;
    int over;
    const char *step;          /* static; NULL: none */
    size_t steps, begun;       /* of how many, 0 where that is not known; and how many have begun */
    struct regret_progress at; /* total 0 where the step has no count */
    size_t threads;
    double began;   /* of the step, on the clock */
    double counted; /* when `at` was true */
    double drawn;   /* the last drawing */
    int open;       /* the cursor stands behind a drawn line */
    double spoke;   /* the last line where nothing is drawn, or the beginning */
};

void progress_begin(struct progress *p, int shown, size_t threads);
/* Ends the line and the thread. */
void progress_end(struct progress *p);

/* A step begins; `total` replicates, of which `done` were there, or 0 where there is nothing to count. The
 * name is static; NULL: nothing is being done. */
void progress_step(struct progress *p, const char *step, size_t done, size_t total);
void progress_count(struct progress *p, const struct regret_progress *at);

/* Replicates a second, in the least unit in which there is more than one: "5.3/s", "2.0/min". */
void progress_rate(char out[32], double rate);

/* cli_say() between two drawings. */
void progress_say(struct progress *p, const char *message);

/* ---- complete.c: completion of a command line. ---- */

/* Prints what the last of the `n` words that follow "regret" may become, a candidate a line; returns the exit code. The
 * words may be cut at "=", as bash cuts them: then what follows the last "=" is printed alone. `commands` are all there
 * are, ended by NULL. */
int complete_print(char **words, size_t n, const struct cli_command *const *commands);

/* ---- init.c: options that say what the columns of a table are. ---- */

struct column_options {
    const char *separator, *layout, *scale;
    struct cli_list context, agent, agents, score, better, worse, leave, covariate;
    double range[2]; /* that `scale` says */
    struct init_known known;
    int argc;
    char *const *argv; /* the command as it was given */
};
#define CLI_COLUMNS(c)                                                                             \
    CLI_OPTION(                                                                                    \
        "separator", 0, CLI_STRING, &(c).separator, "CHARACTER",                                   \
        "between fields of CSV (default: the one that makes the most columns); tab for tabs"),     \
        CLI_OPTION("layout", 0, CLI_STRING, &(c).layout, "long|wide",                              \
                   "a row an output, or a row a context with columns of every agent"),             \
        CLI_OPTION("context", 0, CLI_LIST, &(c).context, "COLUMNS",                                \
                   "says which context a row is of; two: only together they do"),                  \
        CLI_OPTION("agent", 0, CLI_LIST, &(c).agent, "COLUMNS", "says which agent; two as above"), \
        CLI_OPTION("agents", 0, CLI_LIST, &(c).agents, "A,B,...",                                  \
                   "columns of agents, or agents that the names of columns have"),                 \
        CLI_OPTION("score", 0, CLI_LIST, &(c).score, "COLUMNS",                                    \
                   "the scores, no other; \"note {agent}\": those of agents"),                     \
        CLI_OPTION("better", 0, CLI_LIST, &(c).better, "COLUMNS",                                  \
                   "scores of which more is better"),                                              \
        CLI_OPTION("worse", 0, CLI_LIST, &(c).worse, "COLUMNS", "scores of which less is better"), \
        CLI_OPTION("leave", 0, CLI_LIST, &(c).leave, "COLUMNS",                                    \
                   "columns that are nothing of this"),                                            \
        CLI_OPTION("tag", 0, CLI_STRING, &(c).known.tag, "COLUMN", "the kind of a context"),       \
        CLI_OPTION("covariate", 0, CLI_LIST, &(c).covariate, "COLUMNS",                            \
                   "known of a context before it is answered"),                                    \
        CLI_OPTION("answer", 0, CLI_STRING, &(c).known.output, "COLUMN", "what an agent wrote"),   \
        CLI_OPTION("reference", 0, CLI_STRING, &(c).known.reference, "COLUMN",                     \
                   "a good answer, where there is no score"),                                      \
        CLI_OPTION("draw", 0, CLI_STRING, &(c).known.draw, "COLUMN",                               \
                   "tells the draws of an answer apart"),                                          \
        CLI_OPTION("rater", 0, CLI_STRING, &(c).known.rater, "COLUMN",                             \
                   "who gave the scores of a row"),                                                \
        CLI_OPTION("repeats", 0, CLI_STRING, &(c).known.repeats, "draws|first|last",               \
                   "what counts of rows of one context and agent"),                                \
        CLI_OPTION("winner", 0, CLI_STRING, &(c).known.winner, "COLUMN", "who has won a vote"),    \
        CLI_OPTION("range", 0, CLI_STRING, &(c).scale, "WORST:BEST",                               \
                   "scores or outcomes go from here to there, less being better where WORST is "   \
                   "above BEST")

/* Fills `known` of what was given; an exit code. */
int column_options_take(struct column_options *c);
/* The command as it was given, of struct column_options (import/init.h). */
void column_options_command(struct regret_buffer *out, void *options, const char *without);

#endif
