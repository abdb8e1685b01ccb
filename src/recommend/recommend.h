/* Which agent to use, by a table of scores. */
#ifndef RECOMMEND_RECOMMEND_H
#define RECOMMEND_RECOMMEND_H

#include <stddef.h>
#include <stdint.h>

#include "import/init.h"
#include "model/model.h"
#include "regret/buffer.h"

/* ---- files.c: the pool that data make, and the folder of an answer. ---- */

struct data_source {
    const char *path; /* a pool's folder, results of a harness, or a table; borrowed, as is: */
    const struct init_known *known;                   /* of the columns of a table */
    void (*note)(void *context, const char *message); /* of rows left out */
    struct regret_buffer said;                        /* what was taken for what, for people */
    struct init_table table;                          /* with the question, where table.is_asked */
};
/* REGRET_E_INPUT: a run, a configuration or a model, which are no data; a question that the columns leave open. */
int pool_of_data(struct regret_pool **out, struct data_source *d);
void data_source_free(struct data_source *d);
/* *is_one: the file is JSON with "obs" or "exp" at its top, and so of a log and a trial. What cannot be read is left to whoever reads it in
 * earnest. */
int data_is_log_config(int *is_one, const char *path);

/* ---- what is asked, and the answer. ---- */

struct answer_options {
    size_t incumbent; /* an agent, REGRET_NO_AGENT: none is named */
    double level;     /* of intervals */
    double worse;     /* what is given up for a cheaper agent at most, of [0,1]; NaN: not said */
    uint64_t seed;
    size_t divisions; /* in parts, at random; 0: one, by the number of a request */
    size_t threads;
};
#define ANSWER_OPTIONS_INIT                                                                        \
    {                                                                                              \
        .incumbent = REGRET_NO_AGENT, .level = 0.95, .worse = NAN, .seed = 1, .divisions = 5,      \
        .threads = 1                                                                               \
    }

struct interval {
    double value, low, high; /* NaN where there is none */
};

/* An agent, of all requests or of a tag. */
struct agent_answer {
    size_t known;          /* requests with a score of it */
    double raw;            /* mean of these */
    struct interval level; /* what it scores on all requests, of this tag */
    int is_ranked;         /* 0: it was not compared with the others on enough requests */
    int may_be_best;       /* the set of these holds the best */
    int is_worse;          /* than another agent: told of all pairs at once */
    double behind;         /* it is at most so much worse than the best … */
    double least;          /* … and at least: 0 of those that may be the best */
    struct interval lead;  /* of the best agent over it */
};

/* Agents compared on the same requests. */
struct group_answer {
    size_t requests;
    struct agent_answer *agent; /* [m] owned */
    size_t set;                 /* how many may be the best; 0: this group is not judged */
    size_t worse;               /* how many are told to be worse than another */
    size_t best;                /* of the largest effect; REGRET_NO_AGENT where nobody is ranked */
    size_t chosen;              /* by the policy by tag */
    /* Requests that would tell the lead of the best agent over the next of the set with power .8: n (2.8 error/lead)²; NaN where
     * the lead is below half its error, or the set is of one. */
    double wanted;
};

/* What one rule gains over a simpler one on requests that it was not learnt on. */
struct gain_answer {
    struct interval gain;
    int is_known; /* 0: too few requests tell */
    int is_same;  /* both chose the same agents everywhere */
};

struct incumbent_answer {
    struct interval over; /* of an agent over the incumbent; simultaneous over all agents */
};

enum verdict {
    VERDICT_TOO_FEW, /* fewer than ten requests */
    VERDICT_NOTHING, /* everybody may be the best */
    VERDICT_SET,     /* one agent for everything, out of a set */
    VERDICT_BY_TAG,
    VERDICT_BY_REQUEST
};
/* "too-few", "nothing", "one-agent", "by-tag", "by-request". */
const char *verdict_name(enum verdict verdict);

enum { LEAST_REQUESTS = 10 };

struct answer {
    const struct score_table *s;   /* borrowed */
    char **agent, **tag_name;      /* their names, fit to be shown; owned, and each */
    size_t unknown;                /* cells */
    size_t comparable;             /* requests with the scores of two agents; of votes all */
    enum verdict verdict;          /* told */
    enum rule likely;              /* the best guess */
    struct group_answer all, *tag; /* [n_tags] */
    int by_strata; /* 1: the holes follow the words of requests, and tags are strata of these */
    struct gain_answer tag_over_one, request_over_one, request_over_tag;
    struct interval value[N_RULES];     /* for new requests; of rules that could be learnt */
    struct incumbent_answer *incumbent; /* [m]; NULL: none is named */
    size_t incumbent_agent;
    double
        first; /* of votes: the share that being shown first wins of agents that are alike; NaN: not known */
    double critical;                 /* κ of the three gains: of all at once */
    size_t cheaper, cheapest_of_set; /* REGRET_NO_AGENT: there is none */
    struct regret_buffer caution;    /* sentences, each ended by a new line, the worst first */
};

/* Of votes an agent scores what it wins of the others, met as often as each other, by the model of Bradley and Terry; the choice by
 * category is told where the best agent is not in the set of a category.
 * REGRET_E_INPUT: fewer than two agents with scores. O(n m²), and for words divisions · min(n, 512)³. */
int answer_make(struct answer *out, const struct score_table *s,
                const struct answer_options *options);
/* Only who leads: `all` of the answer, without sets. */
int answer_lead(struct answer *out, const struct score_table *s,
                const struct answer_options *options);
void answer_free(struct answer *a);

/* ---- say.c, records.c: the answer in words and as a page, as CSV and as JSON. ---- */

/* The first screen, of lines of at most that many columns; result.json; a page of its own. */
int answer_text(struct regret_buffer *out, const struct answer *a, size_t columns);
int answer_json(struct regret_buffer *out, const struct answer *a);
int answer_page(struct regret_buffer *out, const struct answer *a);
/* Agents by all requests and by category, a row each: CSV. */
int answer_csv(struct regret_buffer *out, const struct answer *a);
/* The folder: answer.html, answer.txt, agents.csv, result.json and, where there is a model (or NULL), model.regret; whole or not at all. */
int answer_write(const char *folder, const struct answer *a, const struct regret_model *model,
                 int replace);
enum { ANSWER_SCREEN = 100 }; /* columns */
/* 1: nothing can be told. */
static inline int answer_is_open(const struct answer *a)
{
    return a->verdict == VERDICT_TOO_FEW || a->verdict == VERDICT_NOTHING;
}

#endif
