/* What the sub-commands of `regret rate` share: their options, rows and documents. */
#ifndef REGRET_CLI_RATE_ARGUMENTS_H
#define REGRET_CLI_RATE_ARGUMENTS_H

#include "cli/terminal/cli.h"
#include "regret/rate.h"
#include "regret/rate_report.h"

/* What the options about rows and estimates say. */
struct rate_arguments {
    const char *format, *se, *interval, *cluster, *predict, *dataset, *attribute, *z_field;
    const char *figures;
    struct cli_list edits; /* NAME=EDITED,BASE */
    int combine;           /* datasets of one attribute together */
    int keep_texts;        /* for samples of them */
    int skip_bad;          /* malformed rows are left out */
    const char *without_ids, *w_field, *dataset_field;
    double w_above, z_above; /* NaN: labels are no ratings */
    size_t max_words;        /* 0: any */
    int safe_csv;            /* see regret_csv_guard() */
    size_t bootstrap, threads;
    uint64_t seed;
    enum regret_format table_format;
    struct regret_rate_options options;
};

/* Defaults; then, after parsing, the words turned into values (0 or a negative code). */
void rate_arguments_init(struct rate_arguments *a);
int rate_arguments_settle(struct rate_arguments *a);

/* Options that all sub-commands about rows have, with `a`, a struct rate_arguments. */
#define RATE_OPTION(name, letter, type, member, value, help)                                       \
    {                                                                                              \
        name, letter, type, &(member), value, help, 0, 0                                           \
    }
#define RATE_FORMAT_OPTION(a)                                                                      \
    RATE_OPTION("format", 'f', CLI_STRING, (a).format, "md|csv|tex|json",                          \
                "what is printed (default md)")
#define RATE_FORMAT_OPTIONS(a) RATE_FORMAT_OPTION(a), CLI_SAFE_CSV((a).safe_csv)
#define RATE_SE_OPTIONS(a)                                                                         \
    RATE_OPTION("se", 0, CLI_STRING, (a).se, "paired|unpaired",                                    \
                "(default paired); unpaired as in the authors' code"),                             \
        RATE_OPTION("interval", 0, CLI_STRING, (a).interval, "student|normal",                     \
                    "(default student; with --se unpaired normal: 1.96)"),                         \
        RATE_CLUSTER_OPTION(a)
#define RATE_CLUSTER_OPTION(a)                                                                     \
    RATE_OPTION(                                                                                   \
        "cluster", 'c', CLI_STRING, (a).cluster, "KEY",                                            \
        "rows that depend: of one prompt (default where prompts differ), of one KEY, or none")
#define RATE_PREDICT_OPTION(a)                                                                     \
    RATE_OPTION("predict-w", 0, CLI_STRING, (a).predict, "HOW",                                    \
                "label rows without W: length:T, score:MODEL:T or text")
#define RATE_FIGURES_OPTION(a)                                                                     \
    RATE_OPTION("figures", 0, CLI_STRING, (a).figures, "DIR", "write SVG figures there")
#define RATE_SOURCE_OPTIONS(a)                                                                     \
    RATE_OPTION("combine", 0, CLI_FLAG, (a).combine, NULL,                                         \
                "put the datasets of one attribute together"),                                     \
        RATE_OPTION("dataset", 0, CLI_STRING, (a).dataset, "NAME", "for rows that name none"),     \
        RATE_OPTION("attribute", 0, CLI_STRING, (a).attribute, "NAME", "for rows that name none"), \
        RATE_OPTION("w-field", 0, CLI_STRING, (a).w_field, "KEY", "the key of W (default w)"),     \
        RATE_OPTION("w-above", 0, CLI_DOUBLE, (a).w_above, "T", "W is a rating, 1 above T"),       \
        {"max-words", 0,  CLI_SIZE, &(a).max_words, "N", "leave out rows with a longer text",      \
         1,           1e9},                                                                        \
        RATE_OPTION("skip-bad", 0, CLI_FLAG, (a).skip_bad, NULL,                                   \
                    "leave malformed rows out, and count them, instead of refusing the file"),     \
        RATE_OPTION("without-ids", 0, CLI_STRING, (a).without_ids, "pair|separate",                \
                    "rows without ids in several files: pair them by their order")
#define RATE_ROWS_OPTIONS(a)                                                                       \
    RATE_OPTION("edit", 0, CLI_LIST, (a).edits, "NAME=A,B",                                        \
                "a model edit: the reward log A - log B"),                                         \
        RATE_SOURCE_OPTIONS(a)

/* Prints the finished table, guarded where it is CSV and that was asked for; frees it. */
int rate_print(struct regret_buffer *document, int rc, const struct rate_arguments *a);

/* cli_parse() of a command that takes files, and then the above. */
int rate_parse(struct cli_arguments *files, int *code, struct rate_arguments *a,
               const struct cli_command *self, const struct cli_option *options, int argc,
               char **argv);

/* Reads, derives and finishes the rows of the files. */
int rate_load(struct regret_rate_rows **out, const struct rate_arguments *a,
              const struct cli_arguments *files);

/* What a sub-command makes of the rows, with options of its own, is appended to the document; *estimated, 1 before, is
 * 0 where nothing could be. */
typedef int rate_study(struct regret_buffer *document, int *estimated,
                       struct regret_rate_rows *rows, const struct rate_arguments *a,
                       const void *options);
/* Loads the rows, has them studied and prints the document. The exit code: 1, with words, where nothing could be
 * estimated, too. */
int rate_run(rate_study *study, const void *options, const struct rate_arguments *a,
             const struct cli_arguments *files);

#endif
