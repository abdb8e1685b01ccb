/* `regret recommend --new`: who should answer requests that no agent has answered. */
#ifndef REGRET_CLI_NEW_REQUESTS_H
#define REGRET_CLI_NEW_REQUESTS_H

#include "cli/terminal/cli.h"

struct new_requests {
    const char *from;            /* a table of them, or "-" */
    const char *model, *save;    /* files of models */
    const char *text, *id, *tag; /* columns */
    const char *input;           /* the table's format; NULL: by its name */
    size_t threads;              /* 0: as many as there are processors */
    int refit;
};

/* The options of a command that takes new requests. */
#define CLI_NEW_REQUESTS(n)                                                                        \
    {"new",     0,      CLI_STRING,                                                                \
     &(n).from, "FILE", "recommend for the new requests of this table (- standard input)",         \
     0,         0},                                                                                \
        {"new-format",                                                                             \
         0,                                                                                        \
         CLI_STRING,                                                                               \
         &(n).input,                                                                               \
         "csv|tsv|jsonl",                                                                          \
         "what FILE is (default by its name; csv of standard input)",                              \
         0,                                                                                        \
         0},                                                                                       \
        {"new-text", 0,        CLI_STRING,                                                         \
         &(n).text,  "COLUMN", "the column of texts in FILE (default by its name)",                \
         0,          0},                                                                           \
        {"new-id", 0, CLI_STRING, &(n).id, "COLUMN", "that of ids", 0, 0},                         \
        {"new-tag", 0, CLI_STRING, &(n).tag, "COLUMN", "that of tags", 0, 0},                      \
        {"model",    0,      CLI_STRING,                                                           \
         &(n).model, "PATH", "by this model, made before; RUN may be left out",                    \
         0,          0},                                                                           \
        {"save-model",                                                                             \
         0,                                                                                        \
         CLI_STRING,                                                                               \
         &(n).save,                                                                                \
         "PATH",                                                                                   \
         "keep the model of new requests here, too",                                               \
         0,                                                                                        \
         0},                                                                                       \
        {"refit", 0, CLI_FLAG, &(n).refit, NULL, "make the model of new requests anew", 0, 0},     \
    {                                                                                              \
        "threads", 't', CLI_THREADS, &(n).threads, "N",                                            \
            "threads that new requests may use (default all)", 1, 1024                             \
    }

/* 1 where one of these options asks for a model of new requests. */
int new_requests_are_wanted(const struct new_requests *n);

/* What the command's other options say of them. */
struct new_requests_output {
    size_t cell;      /* REGRET_NO_ROW: none is named */
    const char *word; /* the value of --format; NULL: none was given */
    int json, safe_csv;
};
/* Does what they ask for, with the run `run` or NULL; returns the exit code. */
int new_requests_run(const struct new_requests *wanted, const char *run,
                     const struct new_requests_output *output);

#endif
