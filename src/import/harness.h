/* Answers of a harness. */
#ifndef IMPORT_HARNESS_H
#define IMPORT_HARNESS_H

#include <stddef.h>

#include "base/archive.h"
#include "base/json.h"
#include "base/jsonl.h"
#include "import/importer.h"

/* What becomes of the answers in an evaluation harness's files: one idea for all formats (docs/guide.md).
 *
 * A reader of a format says what stands there, answer by answer; which of them is the same request, what is a failed
 * answer, two runs of one model, two versions of a task, and which metric counts which way, is decided here. */

enum harness_state {
    HARNESS_ANSWERED,
    HARNESS_TRUNCATED, /* cut by a limit of length */
    HARNESS_FAILED     /* an error, a refusal of the service, no answer */
};

struct harness_score {
    const char *
        metric; /* "accuracy"; with the filter, scorer or judge it is by: "exact_match,strict-match" */
    double value; /* NAN: none */
};

/* An answer, as a file has it. Texts are borrowed until harness_add() returns. */
struct harness_answer {
    const char *task; /* data set, scenario or category: becomes the tag; NULL: none */
    const char *id;   /* of the request within its task; NULL: the prompt is its name */
    const char *tag; /* that is no part of the request's name, where there is no task; NULL: none */
    const char *
        content; /* what says that two files speak of one request: its text without a model's own template, or a
                              digest that the harness keeps; NULL: nothing does */
    const char *prompt;    /* what is kept as the context's text; needed */
    const char *agent;     /* the model, with its settings where they tell two apart */
    const char *output;    /* NULL: kept nowhere */
    const char *reference; /* good outputs (import/importer.h); NULL: none */
    const char *
        run; /* what tells two runs of one agent apart: a file's name, an id; of two, the one added later is the last */
    const char *version; /* of task, grader or judge; NULL: not said */
    size_t repeat;       /* epoch or repeat within the run, from 0 */
    enum harness_state state;
    double cost; /* of this answer, in one unit for all; NAN: not known */
    const struct harness_score
        *scores; /* the main ones before the others: of those that are, the first is the answer's */
    size_t n_scores;
    struct regret_place at; /* `file`, too, is copied: many answers of one file are one name */
};

/* What users say; the first member of every such importer's options. */
struct harness_options {
    const char *name;                   /* of the pool; NULL: that of its description */
    struct importer_list metrics;       /* "NAME", "NAME=LOW:HIGH"; none: the harness's main one */
    struct importer_list lower;         /* the same, of which less is better */
    struct importer_list tasks, agents; /* shell patterns; none: all */
    unsigned
        failed; /* enum harness_failed: leave-out (default), worst: counts with the lowest score of each metric */
    unsigned truncated; /* keep (default), leave-out, worst */
    unsigned runs;      /* refuse (default), last, draws: two runs of one agent on one request */
    unsigned versions;  /* refuse (default), tag: two versions of one task or judge are two tasks */
};

enum harness_failed { HARNESS_FAILED_OUT, HARNESS_FAILED_WORST };
enum harness_truncated { HARNESS_TRUNCATED_KEEP, HARNESS_TRUNCATED_OUT, HARNESS_TRUNCATED_WORST };
enum harness_runs { HARNESS_RUNS_REFUSE, HARNESS_RUNS_LAST, HARNESS_RUNS_DRAWS };
enum harness_versions { HARNESS_VERSIONS_REFUSE, HARNESS_VERSIONS_TAG };

/* The members of an importer's array of options that set them; an importer that lists them adds its own behind. */
extern const char *const HARNESS_FAILED_WORDS[],
    *const HARNESS_TRUNCATED_WORDS[], *const HARNESS_RUNS_WORDS[], *const HARNESS_VERSIONS_WORDS[];
#define HARNESS_FIELD(name) offsetof(struct harness_options, name)
/* NAME, letter, type, member, value, help, words. */
#define HARNESS_OPTION(name, letter, type, member, value, help, words)                             \
    {                                                                                              \
        name, letter, type, HARNESS_FIELD(member), value, help, 0, 0, words, NULL                  \
    }
#define HARNESS_OPTIONS                                                                            \
    HARNESS_OPTION("name", 0, IMPORTER_STRING, name, "NAME", "what the pool is called", NULL),     \
        HARNESS_OPTION(                                                                            \
            "metric", 'm', IMPORTER_LIST, metrics, "METRIC",                                       \
            "a score to keep, NAME or NAME=LOW:HIGH (may be repeated; default: the main one)",     \
            NULL),                                                                                 \
        HARNESS_OPTION("lower", 0, IMPORTER_LIST, lower, "METRIC",                                 \
                       "the same of one of which less is better", NULL),                           \
        HARNESS_OPTION("task", 't', IMPORTER_LIST, tasks, "PATTERN",                               \
                       "tasks that match this shell pattern alone (may be repeated)", NULL),       \
        HARNESS_OPTION("agent", 'a', IMPORTER_LIST, agents, "PATTERN",                             \
                       "models that match this shell pattern alone (may be repeated)", NULL),      \
        HARNESS_OPTION("failed", 0, IMPORTER_WORD, failed, "RULE",                                 \
                       "failed answers: leave-out (default), or worst: the lowest score",          \
                       HARNESS_FAILED_WORDS),                                                      \
        HARNESS_OPTION("truncated", 0, IMPORTER_WORD, truncated, "RULE",                           \
                       "answers cut short: keep (default), leave-out, or worst",                   \
                       HARNESS_TRUNCATED_WORDS),                                                   \
        HARNESS_OPTION("runs", 0, IMPORTER_WORD, runs, "RULE",                                     \
                       "two runs of a model on a request: refuse (default), last, or draws",       \
                       HARNESS_RUNS_WORDS),                                                        \
        HARNESS_OPTION("versions", 0, IMPORTER_WORD, versions, "RULE",                             \
                       "two versions of a task: refuse (default), or tag: they are two tasks",     \
                       HARNESS_VERSIONS_WORDS),                                                    \
        IMPORTER_FORCE_OPTION

struct harness;
struct import_description;

int harness_begin(struct harness **out, const struct harness_options *options);
/* What the pool has of a metric: where some are components, these are what is kept unless users say others. */
enum harness_use { HARNESS_SCORE, HARNESS_COMPONENT, HARNESS_COUNT, HARNESS_AUX, HARNESS_USES };
/* What is known of a metric before its scores come: its range (NAN, NAN: not known) and direction, whether it is the main
 * one of its harness. What was said first stands. */
int harness_metric(struct harness *h, const char *name, double low, double high,
                   int lower_is_better, int is_main, enum harness_use use);
/* What users of a kind want of a component; of a pool that has them all. Weights of a segment sum to one. */
int harness_segment(struct harness *h, const char *name, const char *metric, double weight);
/* What an agent is called for people (NULL: by its name), and what it costs (NAN: the mean of its answers' costs). */
int harness_agent(struct harness *h, const char *name, const char *title, double cost);
/* That the metric holds a text that is no score: left out, and refused where it is one of many. */
int harness_label(struct harness *h, const char *name, const char *label, const char *where);
/* What users choose by patterns. */
enum harness_choice { HARNESS_TASKS, HARNESS_AGENTS, HARNESS_CHOICES };
int harness_add(struct harness *h, const struct harness_answer *answer);
/* Something else that was left out, for the report: n of `what`, "rows of other filters". Adds up. */
int harness_left_out(struct harness *h, const char *what, size_t n);
/* One of them, at a place of which the first is shown. */
int harness_left_out_at(struct harness *h, const char *what, const char *where);
/* Appends to the message of an error what became of the answers, and what was left out: `code`. */
int harness_tell(const struct harness *h, int code);
/* Decides, writes the pool (or hands it over, call->into) and the report: a table of files, models, contexts, holes, metrics,
 * and what was left out, with counts. `card`: what the pool is, for people; its name is that of the description where users give
 * none. */
int harness_finish(struct harness *h, const struct importer_call *call,
                   const struct import_description *description, const char *card);
void harness_free(struct harness *h); /* NULL is fine */

#endif
