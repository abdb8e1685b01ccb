/* Synthetic logs and trials with known defects, or none. */
#ifndef REGRET_TESTS_LOG_WORLD_H
#define REGRET_TESTS_LOG_WORLD_H

#include "regret/evaluate.h"

enum world_probabilities {
    WORLD_UNIFORM,  /* EXP says nothing: is_uniform */
    WORLD_BY_AGENT, /* unequal, one an agent */
    WORLD_BY_TAG,   /* one an agent and tag */
    WORLD_BY_ROW    /* by the length of the text: a likely agent, the others one in five together */
};

/* Zero is a clean log of one agent; LOG_WORLD_INIT one of five. What is broken is a strength, 0: nothing. */
struct log_world {
    uint64_t seed;
    size_t n_obs, n_exp, n_agents, n_tags;
    int binary;       /* outcomes 0 and 1, else in between */
    double user_rows; /* mean rows of a user; 0: clusters are contexts, each of one row */
    int by_user;      /* 1: EXP assigns users */
    enum world_probabilities probabilities;
    int no_text, no_time, no_columns;
    double base;              /* logit of the mean outcome */
    double recorded;          /* choice in OBS by tag, which moves outcomes */
    double hidden;            /* choice in OBS by a difficulty that is not recorded */
    double obs_probabilities; /* 1: OBS tells how probable its choices were, given the tag */
    double assign_tag;        /* EXP's assignment by tag */
    double assign_word;       /* by a word that one text in eight has */
    double assign_column;     /* by a covariate */
    double assign_time;       /* by time */
    double sticky;            /* chance that an assignment repeats the user's one before */
    double wrong; /* stated probabilities are off: that of agent 0 by the factor exp(wrong) */
    double drift_obs, drift_exp; /* outcomes on the logit scale from first row to last */
    double
        changed;  /* outcomes of agent 0 in EXP are those of another version, on the logit scale */
    double mixed; /* EXP's tags are others than those of OBS */
    double repeated; /* share of OBS that stands in it again at its end */
};
#define LOG_WORLD_INIT                                                                             \
    {                                                                                              \
        .seed = 1, .n_obs = 2000, .n_exp = 400, .n_agents = 5, .n_tags = 4, .binary = 1            \
    }

/* NULL where there is no memory. */
struct regret_log *log_world_make(const struct log_world *world);

#endif
