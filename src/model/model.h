/* What scores say of agents, and a model of new requests. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/pool.h"

/* ---- tables.c: scores of agents on requests. ---- */

/* What stands in a cell is in [0,1], 1 the best there is, and the mean of the draws of a pair; of a trial it is DR's pseudo-outcome. */
struct score_table {
    size_t n, m; /* requests, agents */
    double
        *y; /* [n × m], by request; NaN where unknown; owned, as the other arrays; NULL of votes */
    struct regret_votes *votes; /* what there is instead of scores, n of them; else NULL; owned */
    uint32_t *tag;              /* [n], below n_tags; NULL: requests are of one kind */
    size_t n_tags;
    char **
        tag_name; /* [n_tags], "" of requests without one, where others have one; owned, and each */
    char **agent; /* [m] owned, and each */
    const char *
        *text; /* [n] borrowed; NULL where there are none, or fewer than ten different ones */
    uint32_t *cluster; /* [n] below n: the same number, the same text; NULL: no two have one */
    /* What else is known of a request, borrowed; NULL where nothing is. */
    const struct regret_column *column;        /* [n_columns] */
    const struct regret_covariate **covariate; /* [n], of each [n_columns]; the array is owned */
    size_t n_columns;
    double *cost;        /* [m]; NULL where no agent costs more than another */
    double zero, one;    /* what 0 and 1 are on the scale of the scores */
    const char *measure; /* what was scored; "" where it has no name */
    const char *name;    /* of the pool, borrowed */
    int synthetic;
};

/* Of a pool: of one component by its number, or of the mean of all (REGRET_EACH_COMPONENT). The pool stays, as names are borrowed. */
#define REGRET_EACH_COMPONENT SIZE_MAX
int score_table_of_pool(struct score_table *out, const struct regret_pool *pool, size_t component);
void score_table_free(struct score_table *s);
static inline size_t cluster_of(const struct score_table *s, size_t request)
{
    return s->cluster != NULL ? s->cluster[request] : request;
}

#define REGRET_NO_AGENT SIZE_MAX

/* Of n numbers of agents the largest that may be chosen; of equals but for rounding the first by name. */
size_t score_table_greatest(const struct score_table *s, const double *x, const unsigned char *may);

/* ---- words.c: what requests say, and a ridge of scores on it. ---- */

/* A covariate of requests: a number is one column, standardised and within what was seen; of a word each is one. */
struct own_column {
    char *name; /* owned */
    double mean, sd, least, most;
    int has_blanks; /* of numbers: some requests lack it, so that a blank is known */
    char **word;    /* [n] owned; NULL: of numbers */
    double *share;  /* [n] owned: of the requests that have the word */
    size_t first, n;
};

/* Which columns texts and covariates fill. */
struct words_map {
    size_t d; /* columns; 0: requests say nothing */
    size_t n_words;
    uint64_t *hash;  /* [n_words] ascending, of words that count; owned, as the others */
    uint32_t *place; /* [n_words] their columns */
    size_t
        hashed; /* columns of words, the first ones; behind them that of the length, where there are texts */
    int has_length;
    double length, length_sd; /* of ln(1 + words) */
    size_t n_own;
    struct own_column *own;
};
void words_map_free(struct words_map *map);

enum request_note {
    REQUEST_UNKNOWN_TAG = 1,     /* none of the model's tags: agents are as over all requests */
    REQUEST_UNKNOWN_WORDS = 4,   /* none of its words was seen, or it has none */
    REQUEST_UNSEEN_AGENT = 8,    /* the agent has no score on any request of the tag */
    REQUEST_UNKNOWN_COLUMN = 16, /* a covariate is not told, or a word that was not seen */
    REQUEST_FAR_COLUMN = 32 /* a number is beyond all that were seen: the nearest stands for it */
};
/* 1 where a value is told, and is no word that was not seen; where a number lies beyond those seen. A number that is not told is INFINITY, a
 * blank one NaN, a word that is not told NULL. */
int own_column_knows(const struct own_column *c, const struct regret_covariate *value);
int own_column_is_far(const struct own_column *c, const struct regret_covariate *value);

struct words {
    struct words_map map;
    size_t n, d;
    double *x; /* [n × d], by request; owned */
};
/* Nothing (d = 0) where there are no texts and no covariates. */
int words_make(struct words *out, const struct score_table *s);
/* Where there are more columns than requests, as many coordinates as these, in which inner products are the same: quicker, and no map any more. */
int words_turn(struct words *w);
void words_free(struct words *w);

/* Ridge of m outcomes at once on the words of n requests, one penalty of twelve for all by what requests that were left out say. */
struct words_fit {
    double *
        weight; /* [d × m], by outcome; NULL: words say nothing that the left out bear out; owned */
    double penalty;
    double share;     /* of the mean square that left-out fits take away; ≤ 0 of none */
    double *left_out; /* [n × m] what they predict, by outcome; only where asked for; owned */
};
int words_learn(struct words_fit *out, const struct words *w, const size_t *request, size_t n,
                const double *e, size_t m, int wants_left_out);
/* At one penalty, whatever left-out requests say. */
int words_learn_at(struct words_fit *out, const struct words *w, const size_t *request, size_t n,
                   const double *e, size_t m, double penalty);
void words_fit_free(struct words_fit *f);
double words_predict(const struct words *w, const struct words_fit *f, size_t request, size_t k);

/* ---- rules.c: three ways of choosing an agent, learnt on some requests. ---- */

/* From the simplest. */
enum rule { RULE_ONE, RULE_TAG, RULE_REQUEST, N_RULES };
/* "one", "by-tag", "by-request". */
const char *rule_name(enum rule rule);

/* Tags of five requests or more keep a number, all others and requests without a tag share the last: [n], and how many. */
int strata_of_tags(uint32_t **stratum, size_t *n_strata, const struct score_table *s);

struct learner {
    const struct score_table *s;
    const uint32_t *stratum; /* [s->n] */
    size_t n_strata;
    const unsigned char *may; /* [m] who may be chosen */
    struct words words;
};

struct rules {
    size_t one;
    size_t *by_tag;  /* [n_strata] owned, as the others */
    double *surface; /* [n_strata × m] what an agent is worth there over the mean agent */
    double *mean;    /* [m] that of all strata */
    double common;   /* σ², of agents by tag */
    struct words_fit fit;
};
/* `wants_left_out` is for r->fit. */
int rules_learn(struct rules *out, const struct learner *l, const size_t *request, size_t n,
                int wants_left_out);
void rules_free(struct rules *p);
size_t rule_choose(const struct rules *p, const struct learner *l, enum rule rule, size_t request);

/* ---- model.c: who should answer a request that nobody has answered yet (docs/guide.md; protocol §12). ---- */

/* A score that was seen where those of the table are no scores: DR's pseudo-outcomes have their means, not their spread. */
struct model_row {
    uint32_t request, agent;
    double outcome;
};

struct model_options {
    enum rule rule;              /* of the answer: what is told, or likely */
    int told;                    /* 1: it is told */
    const struct model_row *row; /* NULL: the scores of the table */
    size_t n_rows;
    const char *digest; /* of the pool; "" */
};

/* value = level + words of it + what the agent is worth there; read-only once made, so that threads may share it. */
struct regret_model {
    size_t n_agents, n_tags, n_strata;
    char **agent, **tag; /* owned, and each, as the other arrays */
    uint32_t *
        stratum; /* [n_tags] of a tag; the last, n_strata, is of all requests: for tags not known */
    double *surface;         /* [(n_strata + 1) × n_agents] */
    double *level;           /* [n_strata + 1] */
    unsigned char *answered; /* [n_tags × n_agents] 1: the agent has a score there */
    unsigned char *may;      /* [n_agents] 1: it may be chosen */
    struct words_map map;
    double *weight; /* [map.d × (n_agents + 1)] by outcome, the level last */
    enum rule rule;
    size_t single;
    int told;
    double low, high; /* of the errors of left-out values 2.5 % and 97.5 % quantiles */
    char *pool, *digest;
};

/* REGRET_E_INPUT: votes, whose requests have no score of every agent. O(n d² + d³). */
int regret_model_make(struct regret_model **out, const struct score_table *s,
                      const struct model_options *options);
void regret_model_free(struct regret_model *model); /* NULL is fine */
/* Appends what is known of it, for people. */
void regret_model_describe(struct regret_buffer *out, const struct regret_model *model);

/* The file, JSON (docs/formats.md): written whole or not at all; of what is read every size and number is checked, or REGRET_E_INPUT. */
int regret_model_write(const struct regret_model *model, const char *path);
int regret_model_read(struct regret_model **out, const char *path);

/* A request and the answer to it. */
struct regret_request {
    const char *text;                       /* UTF-8; NULL counts as empty */
    const char *tag;                        /* NULL or "": none */
    const struct regret_covariate *columns; /* [map.n_own]; NULL: none is told */
};
struct regret_answer {
    size_t agent;
    double value, low, high; /* of its score, and the interval that holds it */
    double margin;           /* over the best single agent, on this request */
    unsigned notes;
};
/* REGRET_E_INPUT: a text that is not UTF-8. */
int regret_model_answer(struct regret_answer *answers, const struct regret_model *model,
                        const struct regret_request *requests, size_t n);

/* ---- requests.c: tables of new requests answered. ---- */

struct regret_requests_options {
    const char
        *path;   /* CSV, TSV or JSONL (an array of objects is fine, too); "-": standard input */
    int is_json; /* 1: JSON; 0: CSV; -1: by the name of the file, CSV of standard input */
    char
        separator; /* of CSV; 0: of a file the one that gives its header most columns, else a comma */
    const char *text, *id, *tag; /* columns; NULL: found by their names */
    int json_out;                /* 1: an object a line; 0: CSV */
    int safe_csv;                /* guard CSV for spreadsheets */
    size_t threads;
};
/* Takes a piece of the answer; what it returns other than 0 stops. */
typedef int regret_requests_sink(void *context, const char *text, size_t length);

/* How many requests there were, and of them with REQUEST_UNKNOWN_TAG and REQUEST_UNSEEN_AGENT; and of how many
 * each own column was not known, or far. */
struct regret_requests_told {
    size_t n, unknown_tag, unseen_agent, unknown[REGRET_POOL_MAX_COLUMNS],
        far[REGRET_POOL_MAX_COLUMNS];
};

/* Answers a table, a line a request in its order, block by block: memory does not grow with their number. The same bytes
 * whatever the threads. `told` may be NULL. REGRET_E_INPUT names file and line. */
int regret_requests_answer(struct regret_requests_told *told, const struct regret_model *model,
                           const struct regret_requests_options *options,
                           regret_requests_sink *sink, void *context);

#endif
