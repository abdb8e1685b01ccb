/* What the sources of this folder share. */
#ifndef EVALUATE_INTERNAL_H
#define EVALUATE_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "evaluate/clusters.h"
#include "evaluate/features.h"
#include "evaluate/worth.h"
#include "regret/buffer.h"
#include "regret/design.h"
#include "regret/estimate.h"
#include "regret/evaluate.h"

/* ---- diagnose.c: what is wrong with a log: findings and how far log and trial are apart. ---- */

struct finding {
    const char *name, *what;
    double value, low, high;
    double p;                               /* of a test, not adjusted; NaN of what is none */
    enum regret_diagnostic_verdict verdict; /* of what is no test */
    enum regret_diagnostic_verdict most;    /* that a test can come to */
    struct regret_buffer fine;              /* what is told where the verdict is fine … */
    struct regret_buffer found;             /* … and where it is not; empty: the same */
};

enum { MAX_FINDINGS = 40 };
struct findings {
    size_t n;
    struct finding at[MAX_FINDINGS];
};

/* A new one, without value and p, fine. There is always room: questions are fewer. */
struct finding *findings_add(struct findings *f, const char *name, const char *what);

/* 1 where there is one of that name. */
int findings_have(const struct findings *f, const char *name);

/* What a question is asked of. */
struct asked {
    const struct regret_log *log;
    const struct cluster_order *order;
    const struct regret_diagnose_options *options;
    size_t threads;
    int has[REGRET_LOG_SOURCES]; /* 1: rows */
};
typedef int question(struct findings *f, const struct asked *a);

question ask_scales, ask_gaps, ask_support, ask_shares, ask_balance, ask_drift, ask_contexts,
    ask_copies, ask_same_rows, ask_confounding, ask_outcomes;

/* Names of agents and tags, safe to print. */
void say_agent(struct regret_buffer *text, const struct regret_log *log, size_t agent);
void say_tag(struct regret_buffer *text, const struct regret_log *log, size_t tag);
/* A difference of outcomes and its bounds, as they were given. */
void set_gap(struct finding *f, const struct regret_log *log, double value, double low,
             double high);
/* "word, words" */
const char *say_plural(size_t n);

/* ---- material.c: rows made ready to be fitted. ---- */

struct material {
    const struct regret_log *log;
    struct drawn drawn;
    size_t n_agents, n_contexts;
    uint32_t *log_context; /* [n_contexts] the log's number of a context; owned, as the others */
    uint32_t *local;       /* [log->n_contexts] the reverse; UINT32_MAX: takes no part */
    size_t *
        first; /* [n_contexts] the first of the pairs with every agent; SIZE_MAX: not all are there */
    size_t pairs;
    uint32_t *agent, *context; /* [pairs] */
    unsigned char *train;      /* [pairs] 1: the context has rows */
    uint32_t *tag;             /* [n_contexts]; NULL without two tags */
    size_t n_tags;             /* 0 then */
    int has_text;
    size_t n_outputs; /* pairs whose output is known; features where all are */
    double *z;        /* e(x) by pair, and e of outputs; NULL without texts */
    size_t rank;
    double *words; /* w(x) by context, likewise */
    size_t words_rank;
    struct regret_csr *common_words;
    double *columns; /* k(x) by context; NULL without covariates */
    size_t columns_rank;
    struct regret_csr *own, *shared; /* φ in two parts */
    double *dense;                   /* or whole, of few columns; else NULL */
    struct regret_coordinates coordinates;
    struct regret_design phi;
    struct regret_rows rows[REGRET_LOG_SOURCES]; /* those drawn */
    size_t n_advised; /* the first so many evaluation contexts have all pairs */
};

int material_make(struct material *out, const struct regret_log *log,
                  const struct regret_evaluate_options *options);
void material_clear(struct material *m);

/* φ of all pairs: own, shared, e(x). */
int features_make(struct material *m, const struct regret_evaluate_options *options);

/* ---- surfaces.c: outcome surfaces and propensities. ---- */

/* What was learned of some folds: who answers, by the two policies that know no request. */
struct learned {
    uint32_t single;
    uint32_t *by_tag; /* [n_tags]; NULL without tags */
};

/* A family. Rows are those of the basis. */
struct surfaces {
    const struct regret_family *family;
    /* f^(−k), and f of the folds before k alone, for the later folds, by agents: on the context of each row that has pairs (its
     * drawn.n_known); behind these, where not all have, for each fold on average over those by tag (surface_at()). Owned. */
    double *out_of_fold, *early;
    double *
        level; /* [folds × n_agents] f^(−k) on average over all rows with the agent on offer; owned */
    double *whole; /* [pairs] f of all rows; owned */
    double lambda; /* of that fit; NaN where it has none */
    /* [folds + 1] of the folds before each of the later ones; last, of all rows. Owned. */
    struct learned *learned;
    int status;   /* REGRET_OK, or why it could not be fitted */
    char *reason; /* then; NULL else */
};

struct surface_list {
    size_t n, folds, used; /* `used` corrects values and makes policies */
    size_t incumbent;      /* whom policies are compared to */
    size_t first_late;     /* policies are valued on rows of this fold and those behind it */
    struct surfaces *of;   /* [n] */
};

/* Fits every family that the options name or that the data allow. Of those that could not be fitted, by reason of what
 * they are, status and reason tell; REGRET_E_INPUT where none could. The same bits whatever options->threads. */
int surfaces_make(struct surface_list *out, const struct material *m,
                  const struct regret_evaluate_options *options);
void surfaces_clear(struct surface_list *list);

/* Where a row of the basis has its f, of out_of_fold and early; and how many there are. */
size_t surface_at(const struct material *m, size_t row);
size_t count_surfaces(const struct material *m);

/* Agents that policies may name: those with rows of two clusters of the basis that are not withdrawn. */
int eligible_agents(unsigned char *eligible, const struct material *m);
/* Probabilities of what was chosen, of rows of the basis: as given, or where the log has none, of its tag's shares. */
int propensities_make(double *propensity, const struct material *m);
/* Folds that are left out: from..to − 1. */
struct left_out {
    size_t from, to;
};
/* f by agents on average over the rows that are laid out, for each tag (of none of these over all): [tags × n_agents]. */
int levels_by_tag(double **level, const struct material *m, const double *f);
/* Learns from f and from the rows of the basis that are not left out: agents are compared with the incumbent, on requests of a tag with
 * the single one, on rows in which both were on offer. */
int policies_learn(struct learned *out, const struct material *m, const double *f,
                   const double *propensity, const unsigned char *eligible, size_t incumbent,
                   struct left_out left);
/* The agent of the largest f on a context that has all pairs, of equals the lowest, of those on offer in a row of the basis (SIZE_MAX:
 * all); UINT32_MAX of none. */
uint32_t policy_by_request(const struct material *m, const double *f_of_agents,
                           const unsigned char *eligible, size_t row);

/* ---- values.c: values of agents and policies. ---- */

/* Of a row whose fold is only learned from. */
#define NO_CHOICE UINT32_MAX

struct valuing {
    const struct material *m;
    const struct surface_list *list;
    const struct regret_evaluate_options *options;
    struct basis basis;           /* with the surface that is used */
    unsigned char *eligible;      /* [n_agents]; owned */
    uint32_t *is_late;            /* [rows] 1: of a fold on which policies are valued; owned */
    uint32_t *is_late_known;      /* [rows] … and the row has an f of its own; owned */
    struct part late, late_known; /* these; by request can be valued on the second alone */
    struct regret_evaluation *e;
};
int value_margins(struct valuing *v);
int compare_families(struct valuing *v);

/* All numbers of an evaluation but the verdict and the sentences. */
int evaluation_fill(struct regret_evaluation *e, const struct regret_log *log,
                    const struct regret_evaluate_options *options);

#endif
