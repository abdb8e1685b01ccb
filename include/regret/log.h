/* A log and a trial as they were collected (docs/guide.md): rows of who was asked what, who answered, and how good it was.
 *
 * OBS is what a router or users chose; EXP is what was assigned at random, with a known probability. Contexts are requests,
 * agents are whoever may answer one. Nothing is drawn here, and nothing is known but what a row says. */
#ifndef REGRET_LOG_H
#define REGRET_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/status.h"

/* Limits, also for files of strangers. */
enum {
    REGRET_LOG_MAX_AGENTS = 4096,
    REGRET_LOG_MAX_TAGS = 4096,
    REGRET_LOG_MAX_COLUMNS = 64 /* covariates */
};
/* Where a row comes from: a log, in which users or a router chose, or a trial, in which chance did. */
enum regret_log_source { REGRET_LOG_OBS, REGRET_LOG_EXP, REGRET_LOG_SOURCES };
REGRET_API const char *regret_log_source_name(enum regret_log_source source); /* "obs" */

/* Rows of one source, in the order of their file. Arrays are owned by the log. */
struct regret_log_rows {
    size_t n;
    uint32_t *context; /* [n] below n_contexts */
    uint32_t *agent;   /* [n] below n_agents */
    double *outcome;   /* [n] in [0,1]: (outcome as given - low) / (high - low) */
    double *
        propensity; /* [n] probability, in (0,1], with which this agent was chosen given the context; of OBS NULL where
                           the log does not say, of EXP always there */
    uint32_t *
        cluster; /* [n] below n_clusters: what was sampled as one (a user, a session; if nothing is named the context, and the same array) */
    uint32_t *
        slate; /* [n] below n_slates: who was on offer, and with which probabilities; of OBS, and without slates, NULL */
    uint32_t *
        offer; /* [n] below n_offers: who was on offer; NULL where everybody was in all rows, or nothing says who */
    double *time; /* [n] seconds since 1970; NULL where rows have none; NaN of a row without one */
    uint32_t *line; /* [n] of the file, from 1; of an array of JSON the element, from 1 */
};

/* Covariates of contexts. */
struct regret_log_column {
    char *name;
    int is_word; /* 1: `word` holds the number of a word; 0: `value` a number */
    size_t
        n_known;   /* contexts that have an entry in `value`: those behind have none; 0: all have */
    double *value; /* NaN where missing; NULL of words */
    uint32_t *word;
    size_t n_words;
    char **words; /* [n_words] */
};

/* Why rows are not in it; sentence for people, with the first line concerned. */
struct regret_log_loss {
    enum regret_log_source source;
    size_t n;      /* rows */
    char *reason;  /* "an outcome outside of 1 to 5" */
    uint64_t line; /* the first */
};

/* Requests of a log alone on which it never has an agent, or next to never: what the agent is worth there it does not say. */
struct regret_log_hole {
    uint32_t agent;
    size_t rows,
        own; /* of OBS on such requests that are in no hole of the agent before; of them its own */
    char *where; /* "kind = easy" */
};

struct regret_log {
    size_t n_agents, n_contexts, n_tags, n_clusters, n_columns;
    char **agent; /* [n_agents] names as given, in natural order */
    /* Of a large log only the drawn rows have texts: contexts below n_kept (all of outputs and EXP, and those of the drawn
     * OBS rows) have ids, texts and covariates. Those behind have rows, clusters and tags only: their id and text are NULL,
     * their covariates missing. A log of at most "obs.rows" rows is drawn whole, and n_kept is n_contexts. */
    size_t n_kept;
    size_t
        n_drawn; /* OBS rows to estimate from, and which they are: ascending indices of rows[REGRET_LOG_OBS] */
    uint32_t *drawn;
    char **
        context; /* [n_contexts] ids as given; contexts of the same id in OBS, EXP and outputs are one */
    char **
        text; /* [n_contexts] the request, UTF-8; an entry is NULL where its text is not kept or not given */
    uint64_t *
        first; /* [n_contexts] the line of the first row of those that are kept: in the file of outputs, else of EXP, else
                          of OBS, whichever has it first; 0 of the others. NULL of a log that was made otherwise */
    uint32_t *
        tag; /* [n_contexts] below n_tags; NULL without tags. "" is a tag of its own where some have none */
    char **tags;                      /* [n_tags] */
    struct regret_log_column *column; /* [n_columns] */
    char *cluster_name;               /* "context", or the column of clusters */
    struct regret_log_rows rows[REGRET_LOG_SOURCES];
    /* Contexts for which a recommendation is wanted: of the file of outputs where there is one, else those of EXP, else of OBS. */
    size_t n_evaluation;
    uint32_t *evaluation;
    /* Cached outputs, output[e * n_agents + a] on evaluation contexts; NULL without them; an entry NULL where missing. And the
     * output of every row of a source, NULL where rows have none; OBS rows that were not drawn have none. */
    char **output;
    char **row_output[REGRET_LOG_SOURCES];
    double *
        cost; /* [n_agents] mean cost of a row; NULL where no column of costs is named; NaN of an agent without one */
    double low, high; /* of outcomes as given */
    int range_of_data; /* 1: these are the least and the most that there are, and others could have been */
    size_t incumbent; /* the agent that differences are taken to, or n_agents: not said */
    int is_uniform; /* 1: EXP gave no probabilities and was taken as uniform over the agents it has … */
    int is_by_slate; /* … 1: over those of each row's slate */
    int has_seen_shares; /* 1: it gave none, its agents have no equal shares of its rows, and these were taken */
    int is_slated;      /* 1: EXP's rows have slates, on which an agent need not be */
    size_t n_slates;    /* different ones of EXP */
    size_t n_offers;    /* different ones, whatever their probabilities … */
    uint64_t *on_offer; /* … and who is on each: [n_offers × ⌈n_agents/64⌉], a bit an agent */
    unsigned char *
        withdrawn; /* [n_agents] 1: by time and offers it can be chosen no more; NULL: nobody, or nothing tells */
    size_t n_holes;
    struct regret_log_hole *hole; /* the largest first; there an agent is not on offer in OBS */
    size_t n_losses;
    struct regret_log_loss *loss; /* what was left out, in order of reasons */
    size_t n_notes;
    char **
        note; /* what a reader should know besides: "12 contexts are in both OBS and EXP", "times go backwards at line 40" */
};

/* Reads evaluate.json and the tables it names (docs/guide.md): CSV, TSV, JSONL or an array of JSON, each a
 * regular file, for it is read twice. The keys of the estimation are passed over, those that nobody has are refused. Rows
 * that cannot be used are left out and counted in `loss`, several hundred of them in a few lines; where more than half of a
 * table's rows are such, or what is there means nothing (one agent only, no agent in both tables, every outcome alike), that
 * is REGRET_E_INPUT with file, line and remedy.
 *
 * OBS rows are drawn by a random number of each line's own, which its seed and the line decide: the same whatever the order
 * of work, and a draw of more rows holds one of fewer. Memory: 48 bytes a row at most (20 without clusters, times, probabilities and slates),
 * 4 a context for its tag, 13 to 19 a context while reading, 8 a kept context for each covariate of numbers, and the
 * texts that are kept. O(rows + texts kept). */
REGRET_API int regret_log_read(struct regret_log **out, const char *path);
REGRET_API void regret_log_free(struct regret_log *log); /* NULL is fine */

#endif
