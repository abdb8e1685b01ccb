/* What importers share: options, provenance, references, kept configurations; and the list of all. */
#ifndef IMPORT_IMPORTER_H
#define IMPORT_IMPORTER_H

#include <stddef.h>

#include "base/json.h"
#include "regret/buffer.h"
#include "regret/pool.h"

struct import_builder;
struct importer;
struct script;

/* What `regret import NAME` is made of: an importer is a folder with a `const struct importer importer_NAME` in it and
 * a word in import/importer.h. The program makes its options, its help and its checks of that. */

enum importer_type {
    IMPORTER_FLAG,      /* int: set to 1 */
    IMPORTER_STRING,    /* const char * */
    IMPORTER_LIST,      /* struct importer_list; may be given many times */
    IMPORTER_WORD,      /* an enumeration without negative values, by the words for 0, 1, … */
    IMPORTER_CHARACTER, /* char; "tab" for the tabulator */
    IMPORTER_FORCE      /* IMPORTER_FORCE_OPTION */
};

struct importer_list {
    const char *const *items;
    size_t n;
};

struct importer_option {
    const char *name; /* without the dashes */
    char letter;      /* 'm' for -m, or 0 */
    enum importer_type type;
    size_t offset;            /* in the importer's options */
    const char *value;        /* what help calls the value; NULL for a flag */
    const char *help;         /* one line */
    double low, high;         /* of numbers */
    const char *const *words; /* of IMPORTER_WORD; ended by NULL */
    const char *demanded;     /* what to say where it is missing; NULL: it need not be given */
};

/* --force, wherever it stands among the options. */
#define IMPORTER_FORCE_OPTION                                                                      \
    {                                                                                              \
        "force", 'f', IMPORTER_FORCE, 0, NULL, "replace a pool that is there already", 0, 0, NULL, \
            NULL                                                                                   \
    }

/* One import. */
struct importer_call {
    const struct importer *importer;
    const char *from, *to;    /* the file, and the folder of the pool; NULL: nothing is written */
    const char *const *paths; /* of an importer that takes many: all, the first is `from` */
    size_t n_paths;
    const char *name; /* what the report calls it */
    const char *date; /* of the step in the pool's history; NULL: none */
    int replace;
    struct regret_pool **into;                        /* not NULL: gets the pool */
    void *options;                                    /* of the importer */
    void (*note)(void *context, const char *message); /* for bad rows that are left out */
    void *note_context;
    struct regret_buffer *report; /* gets what people want to know when it is done */
};

struct importer {
    const char *name, *synopsis, *summary, *detail, *examples; /* "import csv"; as of commands */
    const struct importer_option *options;                     /* but for --output */
    size_t n_options;
    const void *defaults; /* of the options */
    size_t size;          /* their bytes */
    int can_dry_run;      /* it heeds `into` */
    int makes_log;        /* it makes a log and a trial with their evaluate.json, and no pool */
    int takes_many;       /* paths */
    const struct script *script; /* of which it is made (import/script.h); NULL: it is C */
    int (*run)(const struct importer_call *call);
};

/* The members for an array of options and the defaults of what they set. */
#define IMPORTER_OPTIONS(array, values)                                                            \
    .options = (array), .n_options = sizeof(array) / sizeof *(array), .defaults = &(values),       \
    .size = sizeof(values)

/* A line of a report, "n what", where n, a size_t of the importer's own report, is not 0. */
struct importer_count {
    size_t offset;
    const char *what;
};

/* Appends such lines, and how many pairs have no output. */
void importer_report_counts(struct regret_buffer *report, const struct importer_count *counts,
                            size_t n, const void *values);
void importer_report_missing(struct regret_buffer *report, size_t contexts, size_t agents,
                             size_t pairs);

/* Appends the first outputs of a pool, as a dry run shows them. */
int importer_preview(struct regret_buffer *out, const struct regret_pool *pool);
/* Appends what may be wrong with it: which agents look like one, and which outputs stand far outside the others: one issue with
 * patches of many thousand lines can decide what a whole pool says. */
int importer_report_doubts(struct regret_buffer *report, const struct regret_pool *pool);

/* Remembers a name for a message: "a, b, c", each once, as many as there is room for. */
void importer_remember(char *list, size_t size, const char *name);

/* The importers there are: the one list that `regret import`, its help and its completions are made of. */

/* In the order of help. Another one is a folder with a `const struct importer importer_NAME` and its name here. */
#define IMPORTERS(X)                                                                               \
    X(csv)                                                                                         \
    X(jsonl)

extern const struct importer *const importers[]; /* ended by NULL */

/* A configuration that somebody has edited outlives the import that is made anew over it. */

/* Whether something else than this text stands as folder/NAME. */
int kept_config_differs(int *differs, const char *folder, const char *name,
                        const struct regret_buffer *text);

/* Writes `fresh` as NAME.json into `partial`, which takes the folder's place. Where that of the folder is edited it is copied instead,
 * and the new one is NAME.new.json. */
int kept_config_write(const char *partial, const char *name, const struct regret_buffer *fresh,
                      const char *folder, int is_edited);

/* Says so, of FOLDER/NAME.json. */
void kept_config_say(struct regret_buffer *out, const char *folder, const char *name);

/* The order people expect of ids. */

/* For qsort of const char *: digits compare as numbers, "M2" stands before "M10". Total. */
int natural_order(const void *left, const void *right);

/* A configuration to begin with, of a size that suits a pool: what `regret init` writes, and what stands in pools of evaluation harnesses. */

/* What it depends on. */
struct practice {
    const char *pool;     /* its path from the configuration's folder */
    size_t pairs, agents; /* pairs that have an output */
    int has_holes, has_tags, has_texts, has_columns, has_costs;
    int has_rewards; /* several components, so that users differ in what they want */
};

/* Appends config.json. */
void practice_config(struct regret_buffer *out, const struct practice *p);
/* Of a pool, whose texts say something of its contexts. */
struct practice practice_of(const struct regret_pool *pool, const char *path);

/* Which files an import has read: the step that it adds to the history of its pool. */

/* Notes a file that was read, once; what is read once only, a pipe, is passed over. */
int import_note_file(struct import_builder *b, const char *path);

/* Records that the pool, which has its name, is "import NAME" of the files noted, with their digests and dates. They are called as the last parts
 * of their paths: with the folder, where many files have one name. `date` may be NULL: files then have none, either. */
int import_record(struct import_builder *b, const char *name, const char *date, int with_folder);

/* The good outputs of a context as one text: several stand one after the other, a byte between them that UTF-8 has not. */

/* Appends one; the first goes into an empty buffer. */
void references_append(struct regret_buffer *references, const char *text);
/* Appends every text of a JSON list, or the one that it is; whatever is no text is passed over. */
struct cJSON;
void references_append_json(struct regret_buffer *references, const struct cJSON *value);

/* What a buffer has: NULL of none. */
const char *references_get(const struct regret_buffer *references);

/* The bytes of the first. */
size_t references_first(const char *references);
/* regret_metric_score_any() of them all. */
int references_score(double *out, const char *metric, const char *output, const char *references);

/* Components that an import makes where a table has no score: of texts and references, of repeats. */

struct made_score {
    size_t value; /* which of a row's values */
    const char *
        metric; /* of text/metrics.h, of the output against its context's reference; NULL: pass@k */
    size_t k;   /* the values of a pair's draws, 0 or 1, become pass@k of them */
};

/* Reads "metric" or "pass_at" of a component; *is_made is 0 where it has neither. The texts are of `component`. REGRET_E_INPUT:
 * both, no such metric, or another range than from 0 to 1. */
int made_score_read(struct made_score *out, int *is_made, const struct cJSON *component,
                    struct regret_place at);

/* Fills in the values of the rows that are kept; rows must be settled. REGRET_E_INPUT: a context without a reference, or
 * a pair with fewer than k draws, or with one that is neither 0 nor 1. */
int made_scores_derive(struct import_builder *b, const struct made_score *made, size_t n);

/* A table of one's own becomes a pool. Where pool_path is NULL nothing is written; options with `into` set give the pool. */

/* How a table of one's own is laid out. */
enum regret_table_layout {
    REGRET_TABLE_LAYOUT_CSV,  /* RFC 4180 with a header (csv.h) */
    REGRET_TABLE_LAYOUT_JSONL /* one object a line, or an array of objects */
};

/* What to do with a second row of the same context and agent. */
enum regret_repeats {
    REGRET_REPEATS_REFUSE, /* an error that names both lines */
    REGRET_REPEATS_FIRST,  /* the first row counts */
    REGRET_REPEATS_LAST,   /* the last row counts */
    REGRET_REPEATS_DRAWS   /* all count, as draws 0, 1, … in the order of the lines */
};

struct regret_table_options {
    enum regret_table_layout layout;
    char separator;            /* of CSV; with tabs, quotes that RFC 4180 does not allow are text */
    const char *contexts_path; /* the texts of contexts, in the same layout; NULL: in the table */
    const char *const
        *agents; /* keep the agents that match one of these shell patterns; 0 keeps all */
    size_t n_agents;
    enum regret_repeats repeats;
    int drop_unscored; /* 1: rows without all their scores are counted and left out; 0: they are bad */
    int skip_bad;      /* 1: bad rows are counted and left out; 0: the first one is an error */
    void (*note)(void *context,
                 const char *message); /* told of each bad row left out; may be NULL */
    void *note_context;
    struct regret_pool **into; /* not NULL: gets the pool, to be freed */
    const char
        *date; /* of the import, YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, in the history; NULL: none */
};
#define REGRET_TABLE_OPTIONS_INIT                                                                  \
    {                                                                                              \
        .separator = ','                                                                           \
    }

/* What became of the rows: rows = other_agent + bad + unscored + repeated + rated + outputs. Of a table of votes the rows are those, and
 * rows = other_agent + bad + unscored + same_agent + dropped_bad + averaged + outputs / 2. */
struct regret_table_report {
    size_t
        rows; /* records after the header; of a wide table one for every agent that has a cell, and … */
    size_t records;     /* … of that these; else 0 */
    size_t other_agent; /* of an agent that no pattern asks for, whatever else is wrong with it */
    size_t bad;         /* left out by skip_bad */
    size_t unscored;    /* left out by drop_unscored */
    size_t repeated;    /* left out by `repeats` */
    size_t rated;       /* further ratings of an output, by other raters than its first */
    size_t contexts, agents, outputs; /* of the pool */
    size_t pairs;                     /* of context and agent that have an output */
    size_t blank; /* of a wide table, agents of a record whose cells are all blank; no rows */
    size_t empty; /* outputs without a text */
    size_t without_cost;   /* rows whose agent's cost is that of its others, for they have none */
    size_t without_number; /* covariates of contexts that are not known */
    size_t without_diff;   /* with "coding": outputs with a text in which there is no diff */
    int is_of_votes;       /* 1: the map has "votes", and: */
    int shown_first;       /* 0: model_a was, 1: model_b; -1: nobody knows */
    size_t same_agent;     /* left out: both sides are one agent */
    size_t ties;           /* of those that count, both bad among them */
    size_t both_bad;       /* both answers are bad … */
    size_t dropped_bad;    /* … and left out */
    size_t averaged;       /* with an earlier one on the same prompt and pair of agents … */
    size_t
        other_texts; /* … of them, those whose answers are others than the first, which are kept */
    size_t other_pairs; /* contexts of a prompt that another pair was judged on, too */
};

/* A table of one's own becomes a pool, by a map: docs/formats.md has its keys. What they do not say:
 *
 *   Of a list of numbers, or what a step "*" of a path leads to, each must lie within the range (1e-9 of its width beyond are taken for its
 *   end), and the value is their mean. A number is finite; words for yes and no are 1 and 0, those of the map in any case of letters.
 *   A field "completions.*.model" of agents makes every element of the list a row: fields that begin so are the element's.
 *   Of votes `winner` is a field in words, a list of 2 to 4 flags (a, b, tie, both bad), or a list of one that is what model_a has of the
 *   win; both_bad is "tie" or "drop"; texts may be lists of turns. A context is a prompt and a pair of agents, in one order where
 *   that is known; its two outputs have the component `win` and the aux label `votes`.
 *
 * Contexts are in order of first appearance (in contexts_path, where it is given, without those that
 * have no output), agents in natural order; a cost is the mean over the agent's rows (1 without the
 * field). A context that says two things and two ids that become one are errors. A bad row is one
 * that cannot be read, lacks a field, or whose number is none or out of range; with contexts_path,
 * one without its context. A row without a score is one of whose numbers is absent, blank, NA or the like, or an empty
 * list, or a list that holds such: with drop_unscored it is left out whatever else is wrong with it. An agent of a wide table without
 * anything in its own cells of a row has no output there.
 *
 * A table_path of "-" is standard input. Memory is that of the pool. `options` and `report` may be NULL. With
 * `replace` a pool at `pool_path` is replaced. */
int regret_import_table(struct regret_table_report *report, const char *table_path,
                        const char *map_path, const char *pool_path,
                        const struct regret_table_options *options, int replace);

#endif
