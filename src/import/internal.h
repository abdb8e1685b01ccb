/* What the sources of this folder share. */
#ifndef IMPORT_INTERNAL_H
#define IMPORT_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/files.h"
#include "base/names.h"
#include "import/builder.h"
#include "import/harness.h"
#include "import/table_map.h"

struct fields;

/* ---- alpacaeval.c: alpacaEval. ---- */

/* The values of an output. */
enum { ALPACAEVAL_PREFERENCE, ALPACAEVAL_BREVITY, ALPACAEVAL_VALUES };

/* The last row that a model has for a context. */
struct alpacaeval_last {
    uint32_t model; /* its number, from 1; 0: none has one */
    size_t row;
};

struct alpacaeval {
    const struct regret_alpacaeval_options *options; /* borrowed */
    const char *path;                                /* the folder of results; borrowed */
    struct regret_alpacaeval_report report;
    struct import_bad_rows bad;
    struct import_builder b;
    struct folder_list models;    /* the folders that are asked for */
    char *annotator;              /* owned */
    struct alpacaeval_last *last; /* by context; owned */
    size_t last_capacity;
    char there[400]; /* folders no pattern asks for, the first few, for messages */
};

/* A model under way. */
struct alpacaeval_model {
    uint32_t agent;
    uint32_t number; /* from 1 */
    size_t begin;    /* the first of its rows */
    size_t seen;     /* records so far */
    char *generator; /* what its first record calls it; owned */
};
/* Adds the rows of a model; counts what is lost. */
int alpacaeval_read_model(struct alpacaeval *s, const char *name, uint32_t number);

/* PATH/A or PATH/A/B, to be freed. */
int alpacaeval_path(char **out, const char *path, const char *a, const char *b);

/* ---- table.c: A table becomes a pool. ---- */

/* A data set that is a table with a map of its own, and what the map cannot say. */
struct table_recipe {
    const char *map;  /* what the file of a map would hold */
    const char *name; /* of the pool; NULL: the map's */
    const char *card; /* the pool's README.md */
    void (*complete)(
        double *values); /* makes the values of a row of those that were read; may be NULL */
    const char *const (*titles)[2]; /* of agents: id and title */
    size_t n_titles;
    const char *by; /* the import's name, for the history */
};

struct table_import {
    const struct regret_table_options *options;
    const struct table_recipe *recipe; /* NULL: the map is a file */
    const char *path;
    struct regret_table_report report;
    char other_agents[200]; /* the first of those that no pattern asks for */
    struct import_bad_rows bad;
    struct table_map map;
    struct import_builder b;
    uint32_t rater;                /* of the row at hand, of the next */
    struct import_register raters; /* of rows that say who has rated */
    struct table_vote *vote; /* of a table of votes, until they are rows; owned, as is the next */
    size_t n_votes, votes_capacity;
    struct regret_buffer references; /* of the context read last */
    struct regret_buffer id;         /* of several columns */
};

/* Imports as regret_import_table() does; with a recipe its map counts, and map_path is not looked at. */
int table_import(struct regret_table_report *report, const struct table_recipe *recipe,
                 const char *table_path, const char *map_path, const char *pool_path,
                 const struct regret_table_options *options, int replace);

/* ---- table_rows.c ---- */

/* Puts the row of that number before a message; returns rc. */
int table_fail_in_row(int rc, const char *path, const char *unit, size_t number);
/* Enters the context of the row at hand, with its text, its tag, its references and its covariates. */
int table_context_read(uint32_t *out, struct table_import *t, struct fields *f,
                       const struct map_table *m);
/* Field i as a finite number: one of the words, what table_source_parse() takes or, where commas are points, one with a comma. */
int table_row_number(double *out, const struct table_import *t, struct fields *f, size_t i,
                     const struct cJSON *words);
/* 1 where field i holds nothing, in none of its elements; of numbers, nothing but words for missing ones. */
int table_row_lacks(struct fields *f, size_t i, int is_number);
/* Enters and reads the contexts that stand in a file of their own, if they do: there are no others then. */
int table_read_contexts(struct table_import *t);
/* Rows of several raters of an output become one; one without a score of somebody who is asked for may be left out. */
int table_raters_settle(struct table_import *t);
/* Reads the rows of t->path into the builder. */
int table_read_rows(struct table_import *t);

/* ---- table_votes.c ---- */

/* Reads the vote of the row at hand. */
int table_vote_read(struct table_import *t, struct fields *f);
/* The votes become rows, two for a prompt and a pair of agents: the means of the votes on them. */
int table_votes_settle(struct table_import *t);

/* ---- harness.c, settle.c, metrics.c: answers of harnesses. ---- */

/* Where something was met. */
struct harness_place {
    uint32_t file; /* of h->files */
    size_t line;
};

/* A task, or one version of it. */
struct harness_task {
    uint32_t name;    /* of h->names; NAMES_NONE: requests without one */
    uint32_t version; /* of h->versions; NAMES_NONE: not said */
    struct harness_place at;
    size_t requests, pairs, outputs; /* of the pool; set by harness_settle() */
};

/* A request: a context to be. */
struct harness_request {
    char *key; /* "TASK/ID", TASK being its number; owned */
    const char *id;
    char *text, *reference;   /* import_text()'s; the second may be NULL */
    uint64_t content, prompt; /* hashes; 0: nothing says the first */
    uint32_t task;
    uint32_t version; /* which text that has this key it is, from 0 */
    uint32_t next;    /* the request with the same key and another content; NAMES_NONE */
    struct harness_place at;
    uint32_t context; /* in the builder; set by harness_settle() */
};

/* Why an answer is not in the pool. */
enum harness_fate {
    HARNESS_KEPT,
    HARNESS_LEFT_FAILED,
    HARNESS_LEFT_TRUNCATED,
    HARNESS_LEFT_UNSCORED,
    HARNESS_LEFT_RUN, /* a later run counts */
    HARNESS_FATES
};

struct harness_kept {
    uint32_t request, agent, run, repeat;
    struct harness_place at;
    size_t scores; /* the first of it */
    uint32_t n_scores;
    unsigned char state; /* enum harness_state */
    unsigned char fate;  /* enum harness_fate */
    char *output;        /* import_text()'s; NULL: kept nowhere */
};

struct harness_value {
    uint32_t metric;
    double value;
};

struct harness_metric {
    double low, high;
    int is_lower, is_main, is_declared;
    size_t n;                         /* scores */
    size_t labels;                    /* texts in the place of a score, … */
    char label[40], labelled_at[200]; /* … the first, and where */
};

/* A component of the pool. */
struct harness_component {
    char *name;                 /* as the pool has it; owned */
    uint32_t metric;            /* NAMES_NONE: the main one of each answer */
    double low, high;           /* of the values as the harness has them */
    int is_lower, is_from_data; /* 1: less is better; 1: the range is that of the values */
    size_t n;                   /* answers in the pool that have it */
};

struct harness {
    const struct harness_options *options;
    struct names files, agents, runs, names, versions, metrics, left_out;
    struct harness_task *tasks;
    size_t n_tasks, task_capacity;
    struct id_table by_key; /* of requests */
    struct harness_request *requests;
    size_t n_requests, request_capacity;
    struct harness_kept *answers;
    size_t n_answers, answer_capacity;
    struct harness_value *values;
    size_t n_values, value_capacity;
    struct harness_metric *metric; /* by their numbers */
    size_t metric_capacity;
    struct harness_cost {
        double sum;
        size_t n; /* answers that have a cost */
    } * cost;     /* by agent */
    size_t cost_capacity;
    struct harness_left {
        size_t n;
        char first[200]; /* where; "" where that was not said */
    } * left;            /* by the numbers of left_out */
    size_t left_capacity;
    struct names read;     /* files on disk */
    struct names met, own; /* members by where they stand: all, and those that the importer knows */
    struct {
        const struct importer_list *patterns; /* NULL: none were looked at */
        struct names seen;
    } choice[HARNESS_CHOICES];
    size_t no_numbers;                 /* scores that are NAN */
    struct harness_place no_number_at; /* the first */
    size_t other_prompts, other_tasks, other_agents;
    char other_tasks_are[400], other_agents_are[400];

    struct import_builder b;
    struct harness_component *component;
    size_t n_components;
    size_t fates[HARNESS_FATES], failed_worst, truncated, pairs;
    int is_without_text, costs_are_partly_known;
};

/* "FILE:LINE" */
struct regret_place harness_at(const struct harness *h, struct harness_place at);
/* A task's name in `out`, with its version where there are several; "" without. */
void harness_task_name(struct regret_buffer *out, const struct harness *h, uint32_t task);

/* Refuses patterns of users that match nothing (harness.c). */
int harness_check_choices(const struct harness *h);
/* Fails with why, and with what there is; of metrics those with scores. */
int harness_refuse(const char *why, const struct names *names, const struct harness_metric *metric);

/* The components, by the options or what is known of metrics (metrics.c). */
int harness_choose(struct harness *h);
/* The value of a component that an answer has; NAN: none. */
double harness_value(const struct harness *h, const struct harness_kept *a,
                     const struct harness_component *c);
/* Their ranges, of the answers that are kept, and what lies beyond refused. */
int harness_measure(struct harness *h);
/* Leaves out, settles runs, and fills the builder (settle.c). */
int harness_settle(struct harness *h);
/* How many members no reader has called its own, and the last parts of their names. */
size_t harness_others(char *list, size_t size, const struct harness *h);

#endif
