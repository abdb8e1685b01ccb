/* What to beware of. */
#ifndef REPORT_CAUTIONS_H
#define REPORT_CAUTIONS_H

#include <stddef.h>

#include "regret/buffer.h"
#include "regret/results.h"
#include "report/table.h"

/* Agents of votes that no chain of them puts in an order. */

/* Marks the agents of the grid that no chain of votes, each won or tied, leads to from `agent`, nor back from: which of the
 * two is better is not in the votes, whatever a model says. *n: how many; all are 0 where the run is not of votes. */
int apart_mark(unsigned char **out, size_t *n, const struct regret_run_grid *grid, size_t agent);

/* Appends up to three of the names that are marked, ", and N more" behind them. */
void apart_names(struct regret_buffer *out, const struct regret_run_grid *grid,
                 const unsigned char *mark);

/* Agents that give one text to every context, and whether families go by outputs at all. */

/* 1 where the families read outputs that say more than whose they are: who is best for a request is then known only once
 * all agents have answered it. */
int outputs_are_read(const struct regret_results *r);

/* What is to be borne in mind of a run, whoever tells of it: `run`, the report and `recommend` take it from here. */

/* The kinds, in the order in which they are said. */
enum caution {
    CAUTION_SYNTHETIC, /* generated data */
    CAUTION_GAPS,      /* replicates or shards are missing */
    CAUTION_UNMADE,    /* fits of one's own families are */
    CAUTION_GRID,  /* missing outputs count as 0, or contexts and agents were left out for them */
    CAUTION_APART, /* agents that votes put in no order */
    CAUTION_LEAKS, /* families of one's own that seem to have seen what was held out */
    CAUTION_CONSTANT, /* agents with one text for every context */
    CAUTION_CONTEXTS, /* too few held out to say anything of new ones */
    CAUTION_SEEDS,    /* too few */
    CAUTION_SPREAD,   /* scores were changed as they were read (spread.*) */
    N_CAUTIONS
};
#define CAUTION_BIT(kind) (1u << (kind))
/* What every teller says; the others stand elsewhere in some tellers' texts. */
#define CAUTIONS_COMMON                                                                            \
    (CAUTION_BIT(CAUTION_GRID) | CAUTION_BIT(CAUTION_APART) | CAUTION_BIT(CAUTION_LEAKS) |         \
     CAUTION_BIT(CAUTION_CONSTANT) | CAUTION_BIT(CAUTION_CONTEXTS) | CAUTION_BIT(CAUTION_SPREAD))
#define CAUTIONS_ALL (CAUTION_BIT(N_CAUTIONS) - 1u)

/* Appends what there is of a kind, in sentences; nothing where the run gives no cause. */
void caution_say(struct regret_buffer *out, enum caution kind, const struct regret_results *r);

/* A word of a kind for programs: "grid". */
const char *caution_name(enum caution kind);

/* All of the kinds in the mask that have something to say; names are other people's texts, not escaped. */
struct cautions {
    enum caution kind[N_CAUTIONS];
    struct regret_buffer sentences[N_CAUTIONS];
    size_t n;
};
int cautions_make(struct cautions *out, const struct regret_results *r, unsigned mask);
void cautions_free(struct cautions *c);

/* Cautions below a table that more than one run is in. */

/* Notes what a run lacks, with whose it is before it: replicates, fits of one's own families, outputs. */
int caution_notes(struct table *t, const char *whose, const struct regret_results *r);

/* Whether an answer stands where agents are compared on the same requests, of a grid with pairs that nobody observed. */

/* Agents by tag, or one for all: group k of the means is the tag, group 0 all. */
struct holes_choice {
    size_t group, agent;
    double share; /* of the requests */
};

/* 1: some pairs of the run were not observed, and its rows are no votes. */
int holes_are_there(const struct regret_results *r);
/* Why the n choices are not told to be good; nothing where they are. `m` NULL: not known. */
void holes_say(struct regret_buffer *why, const struct regret_run_grid *grid,
               const struct regret_run_means *m, const struct holes_choice *choice, size_t n);
/* How much better an agent is than the mean of all, and ± of 95 %. */
double holes_gain(double *half, const struct regret_run_means *m, size_t agent);

#endif
