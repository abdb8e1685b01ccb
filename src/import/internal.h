/* What the sources of this folder share. */
#ifndef IMPORT_INTERNAL_H
#define IMPORT_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/files.h"
#include "base/names.h"
#include "import/builder.h"
#include "import/harness.h"

struct cJSON;
struct fields;

/* ---- summary_scores.c: Scores of texts, winners of votes. ---- */

/* Scores and labels of summaries that are computed from the texts. */

/* What is made of the texts of a pool. */
struct summary_scores {
    int wanted;                  /* any of it */
    int conciseness, statistics; /* 1: this */
    size_t conciseness_value;    /* which of a row's values it is */
    size_t statistics_value;     /* the first of them */
    int cost; /* 1: the cost of an agent is the mean number of tokens of its outputs */
};

/* Conciseness lies between these. Where there is no reference a good summary has one token for so many of its source: SummEval's
 * have. */
enum { SUMMARY_LEAST = 1, SUMMARY_MOST = 5, SUMMARY_SHARE = 8 };

/* Fills in, of the values of each row, the conciseness (below) and the columns of
 * regret_text_statistics(), and the costs. A context's reference is a good summary of it, NULL where none is
 * known. Texts of contexts must be there, and rows settled. */
int summary_scores_derive(struct import_builder *b, const struct summary_scores *wanted);

/* 1 + 4·L·(1 − ρ), to four decimals, of n tokens (given by their hashes) where r, `expected`, are wanted [C]: L = clip((3 − n/r)/2, 0,
 * 1) is 1 up to r tokens and 0 from 3r on, ρ = 1 − distinct trigrams / trigrams the share of those that are repeated; 1 of no
 * token. `scratch` holds n numbers. */
double summary_conciseness(const uint64_t *tokens, size_t n, double expected, uint64_t *scratch);

/* Who has won a vote, in the words that people and arenas write. */

enum vote_winner { WINNER_A, WINNER_B, WINNER_NONE, WINNER_BOTH_BAD, WINNER_UNKNOWN };

/* model_a, a, 1, left and their like, the model's own name; tie, draw; tie (bothbad), both bad. Letters alone of either case
 * and digits count, but for names. */
enum vote_winner winner_of(const char *word, const char *model_a, const char *model_b);
/* The words of the first kind, for messages. */
#define WINNER_WORDS                                                                               \
    "\"model_a\" or \"model_b\" (also a or b, 1 or 2, left or right, or the model's name), "       \
    "\"tie\", "                                                                                    \
    "or \"both bad\""

/* ---- table_map.c: The map of a table. ---- */

/* What a column is; several may be one of it together. */
enum map_role {
    MAP_CONTEXT,
    MAP_AGENT, /* of a vote the first of the two, as the output is its */
    MAP_OUTPUT,
    MAP_TEXT,
    MAP_TAG,
    MAP_REFERENCE,
    MAP_TITLE,
    MAP_COST,
    MAP_RATER, /* who has given the scores of the row */
    MAP_OTHER_AGENT,
    MAP_OTHER_OUTPUT,
    MAP_WINNER,
    MAP_ROLES
};

struct map_fields {
    size_t first, n; /* of map_table.field; n 0: not given */
};

/* The fields that are asked of one table. */
struct map_table {
    const char **field; /* owned, the strings borrowed of the map */
    size_t n, capacity;
    struct map_fields role[MAP_ROLES], covariates;
};

/* A value of the pool: the mean of its fields. */
struct map_value {
    struct map_fields from;    /* n 0: it is made */
    const struct cJSON *words; /* what words count, an object of numbers; NULL: none; of the map */
    const char *rater;         /* whose scores count; NULL: the mean of all raters; of the map */
    int is_reversed; /* 1: smaller is better, and the pool has low + high less the value */
};

/* "votes": rows are outcomes of two answers. */
struct table_votes {
    int wanted;
    int is_words; /* the field says who has won in words; else, of one, what model_a has of the win, of several which is so */
    int first;    /* who was shown first: 0 model_a, 1 model_b; -1: nobody knows */
    int drops_bad; /* 1: a vote that finds both bad is left out; 0: it is a tie */
};

struct table_map {
    struct cJSON *root;             /* owns the strings below */
    struct map_table rows, context; /* of the table, of the file of contexts */
    struct map_value *value;        /* components, counts and aux labels, in this order; owned */
    size_t n_values, capacity;
    size_t first_number;          /* of the fields of the table: from it on they are numbers */
    struct summary_scores derive; /* what is made of the texts */
    struct made_score
        made[REGRET_POOL_MAX_COMPONENTS]; /* and what of texts and references, or of repeats */
    size_t n_made;
    int is_wide; /* a row a context: fields may hold FIELDS_AGENT, there is no agent */
    const char *agent_pattern; /* which column names one; NULL: */
    const char **agent;        /* the list; owned, the strings borrowed */
    size_t n_agents;
    struct table_votes votes;
    int decimal_comma; /* 1: 3,5 is 3.5 */
    int is_coding;     /* the outputs are patches: value 0 is their success, the rest is computed */
};

/* Reads and checks a map into *map, which is empty; fills the header of an empty pool but for its
 * agents. Both are to be freed even on failure. With
 * `contexts_apart` the texts of contexts are looked for in a file of their own. `table_path` names
 * the source where the map does not. */
int table_map_read(struct table_map *map, struct regret_pool *pool, const char *path,
                   const char *table_path, int contexts_apart);
void table_map_free(struct table_map *map);

/* The name of the first field of that role; NULL: not given. */
const char *table_map_field(const struct map_table *table, enum map_role role);
/* Appends the card of the pool. */
void table_map_card(struct regret_buffer *card, const struct table_map *map,
                    const struct regret_pool *pool);

/* ---- table.c: A table becomes a pool. ---- */

struct table_import {
    const struct regret_table_options *options;
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
    uint32_t tag;     /* of h->names; NAMES_NONE: none */
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
    enum harness_use use;
    size_t n;                         /* scores */
    size_t labels;                    /* texts in the place of a score, … */
    char label[40], labelled_at[200]; /* … the first, and where */
};

/* A component of the pool, a count or an auxiliary label. */
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
    struct harness_agent {
        double sum;
        size_t n;    /* answers that have a cost */
        double own;  /* NAN: that of its answers */
        char *title; /* import_text()'s; NULL: none */
    } * agent;       /* by their numbers */
    size_t agent_capacity;
    struct harness_segment {
        uint32_t name, metric; /* of h->names and h->metrics */
        double weight;
    } * segment; /* one after the other */
    size_t n_segments, segment_capacity;
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
    size_t other_prompts, other_tags, other_tasks, other_agents;
    char other_tasks_are[400], other_agents_are[400];

    struct import_builder b;
    struct harness_component *component; /* and behind them counts, and auxiliary labels */
    size_t n_components, n_counts, n_aux;
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
/* How many values an answer has in the pool: components, counts and auxiliary labels. */
size_t harness_values(const struct harness *h);
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
