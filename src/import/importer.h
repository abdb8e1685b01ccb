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
    IMPORTER_SIZE,      /* size_t within [low, high] */
    IMPORTER_SHARE,     /* double within [low, high] */
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
    X(jsonl)                                                                                       \
    X(summeval)                                                                                    \
    X(alpacaeval)                                                                                  \
    X(swebench)                                                                                    \
    X(predictions)

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

/* Importers: public data sets become task pools. Where pool_path is NULL nothing is written; options with `into`
 * set give the pool. */

struct regret_import_options {
    const char *name;  /* of the pool; NULL: the importer's own */
    int drop_unscored; /* 1: records without all their scores are left out and counted; 0: they are
                          errors */
    struct regret_pool **into; /* not NULL: gets the pool, to be freed */
    const char
        *date; /* of the import, YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, in the history; NULL: none */
};
#define REGRET_IMPORT_OPTIONS_INIT                                                                 \
    {                                                                                              \
        NULL, 0, NULL, NULL                                                                        \
    }

/* What an import made. */
struct regret_import_report {
    size_t contexts, agents, outputs;
    size_t dropped; /* records left out by drop_unscored */
};

/* SummEval's expert judgements (Fabbri, Kryściński, McCann, Xiong, Socher and Radev, TACL 2021,
 * doi:10.1162/tacl_a_00373) in the layout of G-Eval (Liu et al., EMNLP 2023,
 * doi:10.18653/v1/2023.emnlp-main.153): records {doc_id, system_id, source, reference,
 * system_output, scores{coherence, consistency, fluency, relevance}}, scores being means of experts
 * on 1 to 5; or as its authors publish them (model_annotations.aligned.paired.jsonl: id, model_id, text,
 * references, decoded, expert_annotations[]), which the first record of a regular file tells. Other keys are skipped. The records stand in one JSON array, one a line (JSONL), in
 * an object {"data": [...]} or in an object under keys of any kind. They are read as a table by a map
 * (regret_import_table()): a score may be a list, one number an expert, and `reference` (or
 * `references`) a list. Writes a pool (regret_pool_write()):
 *
 * contexts      one a doc_id in order of first appearance; the text is the source
 * agents        one a system_id in natural order (M2 before M10); cost = mean tokens of its outputs
 * components    all from 1 to 5, so that q = (score − 1)/4:
 *   faithfulness = consistency      coverage = relevance     clarity = (coherence + fluency)/2
 *   conciseness  = 1 + 4·L·(1 − ρ), made by formula, not judged [C], to four decimals:
 *                  L = clip((3 − n/r)/2, 0, 1) for n tokens where the reference has r (a source's
 *                  tokens / 8 where there is no reference): 1 up to the reference's length, 0 from
 *                  three times that; 0 for an output without tokens. ρ is the share of repeated
 *                  trigrams, 1 − distinct trigrams / trigrams.
 * counts        unsupported_claims = round(5 − consistency)
 * aux           the columns of regret_text_statistics()
 *
 * `options` may be NULL; `report` may be NULL. With `replace` a pool at `pool_path` is replaced.
 * REGRET_E_INPUT names the record by its line, or by its number (from 0), and the field; a (doc_id,
 * system_id) given twice, a doc_id with two sources or two references, and two ids that become one
 * are errors. */
int regret_import_summeval(struct regret_import_report *report, const char *json_path,
                           const char *pool_path, const struct regret_import_options *options,
                           int replace);

/* Which row counts when a run handed in more than one patch for an issue. */
enum regret_duplicates {
    REGRET_DUPLICATES_FIRST, /* the first row with a patch; the first row where none has one */
    REGRET_DUPLICATES_LAST,  /* the last row with a patch; the last row where none has one */
    REGRET_DUPLICATES_REFUSE /* an error that names both lines */
};

struct regret_swebench_options {
    const char *name;          /* of the pool; NULL: "swebench" */
    const char *benchmark;     /* keep the rows of this benchmark alone; NULL keeps all */
    const char *const *agents; /* keep the runs that match one of these shell patterns; */
    size_t n_agents;           /* 0 keeps all */
    const char *const *groups; /* "AGENT=PATTERN": runs that match become draws of one agent; the */
    size_t n_groups;           /* first that matches counts; one that none matches is an error */
    double agent_coverage;     /* least share of the issues an agent must have, 0 to 1 */
    double issue_coverage;     /* least share of the remaining agents an issue must have, 0 to 1 */
    enum regret_duplicates duplicates;
    size_t max_patch; /* bytes of a patch kept as text; what is longer is cut at a line's end, while
                         its components and labels are those of the whole */
    int skip_bad;     /* 1: bad rows are counted and left out; 0: the first one is an error */
    void (*note)(void *context,
                 const char *message); /* told of each bad row left out; may be NULL */
    void *note_context;
    struct regret_pool **into; /* not NULL: gets the pool, to be freed */
    const char
        *date; /* of the import, YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, in the history; NULL: none */
};
#define REGRET_SWEBENCH_OPTIONS_INIT                                                               \
    {                                                                                              \
        .max_patch = (size_t)1 << 20                                                               \
    }

/* What became of the rows: rows = bad + other_benchmark + other_agent + no_issue + duplicates +
 * thin + outputs. */
struct regret_swebench_report {
    size_t rows;                         /* records after the header */
    size_t bad;                          /* left out by skip_bad */
    size_t other_benchmark;              /* of another benchmark than asked for */
    size_t other_agent;                  /* of a run no pattern asks for */
    size_t no_issue;                     /* whose issue the issues file does not have */
    size_t duplicates;                   /* a second row of the same issue and run */
    size_t thin;                         /* of agents and issues below the least coverage */
    size_t thin_agents, thin_issues;     /* how many of these there are */
    size_t contexts, agents, outputs;    /* of the pool */
    size_t pairs;                        /* of context and agent that have an output */
    size_t runs;                         /* in the pool, before they were grouped */
    size_t empty;                        /* outputs without a patch */
    size_t without_diff;                 /* outputs with a text in which there is no diff */
    size_t resolved_without_diff;        /* outputs that are resolved and hold no diff, … */
    char resolved_without_diff_are[400]; /* … "ISSUE of RUN, …", the first few of them */
    size_t shortened;                    /* outputs longer than max_patch */
    size_t contradictions;               /* outputs whose tests_status says other than `resolved` */
    size_t unread_tests;        /* outputs with `resolved` whose tests_status is neither JSON
                                         nor Python */
    size_t repaired;            /* outputs with bytes that are not UTF-8 */
    size_t issues_without_text; /* records of the issues file, taken for absent */
    size_t issues_in_conflict;  /* records of issues that an earlier one words otherwise */
};

/* clang-format on */
int regret_import_swebench(struct regret_swebench_report *report, const char *csv_path,
                           const char *issues_path, const char *pool_path,
                           const struct regret_swebench_options *options, int replace);

/* The same pool from SWE-bench's own files: a folder of systems, each a folder with the predictions
 * (all_preds.jsonl, all_preds.json or preds.json: records {instance_id, model_patch}, others of their
 * keys are skipped, a null patch is an empty one) and the report of their evaluation (report.json,
 * results.json or either in a folder results/, the first there is, with the ids of the issues resolved
 * under "resolved_ids" or "resolved", or a record {resolved: true or false} under the id of each issue;
 * such records may also stand under "instances"). The run has its folder's name. Where the report lists
 * ids an issue that is not among them is not resolved, as SWE-bench counts it; where it has a record an
 * issue, one without is bad. A run that no pattern asks for is not read, and `benchmark` must be NULL:
 * predictions do not say theirs. Memory is that of all patches of the runs read. */
int regret_import_predictions(struct regret_swebench_report *report, const char *folder,
                              const char *issues_path, const char *pool_path,
                              const struct regret_swebench_options *options, int replace);

/* How a table of one's own is laid out. */
enum regret_table_layout {
    REGRET_TABLE_LAYOUT_CSV,   /* RFC 4180 with a header (csv.h) */
    REGRET_TABLE_LAYOUT_JSONL, /* one object a line, or an array of objects */
    REGRET_TABLE_LAYOUT_SET /* the same, or an object that holds them: in an array "data", or one a key */
};

/* What to do with a second row of the same context and agent. */
enum regret_repeats {
    REGRET_REPEATS_REFUSE, /* an error that names both lines */
    REGRET_REPEATS_FIRST,  /* the first row counts */
    REGRET_REPEATS_LAST,   /* the last row counts */
    REGRET_REPEATS_DRAWS   /* all count, as draws 0, 1, … in the order of the lines */
};

enum {
    REGRET_TABLE_MAX_FIELD = 500,    /* bytes of a field's name */
    REGRET_TABLE_MAX_WIDE = 19 << 12 /* agents of a wide table × fields of the map */
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

struct regret_alpacaeval_options {
    const char *name;      /* of the pool; NULL: "alpacaeval" */
    const char *annotator; /* whose judgements; NULL: the only one there is */
    const char *const
        *models;     /* keep the models whose folder matches one of these shell patterns; */
    size_t n_models; /* 0 keeps all … */
    const char *const *excluded; /* … but those that match one of these */
    size_t n_excluded;
    const char *prices; /* CSV with the columns model and price; NULL: costs are lengths */
    enum regret_repeats repeats;
    int skip_bad; /* 1: bad records are counted and left out; 0: the first one is an error */
    void (*note)(void *context,
                 const char *message); /* told of each bad record left out; may be NULL */
    void *note_context;
    struct regret_pool **into; /* not NULL: gets the pool, to be freed */
    const char
        *date; /* of the import, YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, in the history; NULL: none */
};
#define REGRET_ALPACAEVAL_OPTIONS_INIT                                                             \
    {                                                                                              \
        .repeats = REGRET_REPEATS_FIRST                                                            \
    }

/* What became of the records: records = bad + unscored + no_output + repeated + outputs. */
struct regret_alpacaeval_report {
    char annotator[256];              /* whose judgements were read */
    size_t records;                   /* of the annotations.json that were read */
    size_t bad;                       /* left out by skip_bad */
    size_t unscored;                  /* without a preference */
    size_t no_output;                 /* whose output is in neither file */
    size_t repeated;                  /* left out by `repeats` */
    size_t draws;                     /* whose preference is 0 */
    size_t contexts, agents, outputs; /* of the pool */
    size_t pairs;                     /* of context and agent that have an output */
    size_t empty;                     /* outputs without a text */
    size_t other_models;              /* folders that no pattern asks for */
    size_t links;                     /* entries that are links, pipes or devices */
    size_t unjudged_models;           /* without judgements of that annotator … */
    char unjudged_models_are[400];    /* … the first few */
    size_t renamed;                   /* models whose records name another generator_2 … */
    char renamed_are[400];            /* … the first few */
    size_t bad_outputs;               /* records of model_outputs.json skipped by skip_bad */
    size_t unjudged;                  /* records of model_outputs.json without a judgement */
    size_t other_outputs;             /* judged outputs that model_outputs.json has otherwise */
    size_t other_datasets; /* records whose dataset is not that of their instruction's first one */
    size_t other_generators; /* records whose generator_2 is not that of their model's first one */
};

/* The results that AlpacaEval 2 publishes (Dubois, Galambosi, Liang and Hashimoto, 2024,
 * arXiv:2404.04475) as they are: FOLDER/MODEL/ANNOTATOR/annotations.json, records {instruction, dataset,
 * output_1 (the reference's), output_2 (the model's), generator_2, preference}; other keys, such as
 * raw_completion, are skipped. Writes a pool (regret_pool_write()):
 *
 * contexts      one an instruction, in order of first appearance (folders in the order of their bytes);
 *               the id is XXH3-64 of the instruction in 16 hexadecimal digits; the tag is the dataset that
 *               the first record about it has
 * agents        one a folder MODEL, by whose name a model is known (generator_2 may be another, and
 *               the same for two folders: it is then said in the title), in natural order; cost = price or, without
 *               prices, the mean number of characters of its outputs
 * components    from 0 to 1:
 *   preference  = preference − 1, the judge's from 1 (the reference is better) to 2 (the model is); 0 is
 *                 AlpacaEval's older word for a draw, ½
 *   brevity     = r / (r + n) for n characters (code points) of the output where the reference's has r,
 *                 ½ where both are empty [C]: ½ for the reference itself, as its preference is
 * segments      thorough (.9 preference, .1 brevity) and brief (.5, .5) [C]
 *
 * A record without a preference (absent, null, NaN) is left out, as AlpacaEval does. One without
 * output_2 takes the output of MODEL/model_outputs.json about the same instruction, if there is one; that
 * file ({instruction, output}) is otherwise only compared: what was judged counts. A bad record is one
 * without instruction or output_1, or with a field of another type or a preference out of range; a file
 * that is no JSON is an error in any case.
 *
 * No file is held in memory: records are read one at a time (REGRET_JSONL_MAX_LINE bytes of each at most),
 * however the array is broken into lines; memory is that of the pool. Entries of FOLDER that are files are
 * skipped, links and pipes are not followed but counted, and an annotations.json or
 * model_outputs.json that is no regular file is an error. `options` and `report` may be NULL. With
 * `replace` a pool at `pool_path` is replaced. REGRET_E_INPUT, too: several annotators and none
 * chosen (the message lists them), no model, a model without a price in `prices`. */
int regret_import_alpacaeval(struct regret_alpacaeval_report *report, const char *folder,
                             const char *pool_path, const struct regret_alpacaeval_options *options,
                             int replace);

#endif
