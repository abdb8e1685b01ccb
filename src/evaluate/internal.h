/* What the sources of this folder share, but for diagnoses. */
#ifndef EVALUATE_INTERNAL_H
#define EVALUATE_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "log/log.h"
#include "model/deciding.h"
#include "regret/design.h"
#include "regret/estimate.h"
#include "regret/evaluate.h"
#include "stats/limits.h"

/* ---- features.c: what is drawn by chance, and features of requests. ---- */

struct drawn {
    const struct regret_log *log;
    enum regret_log_source basis; /* whose rows values rest on, all of them */
    size_t n[REGRET_LOG_SOURCES]; /* rows that take part; of the basis in the order: */
    size_t n_fitted;              /* the first are those that surfaces are fitted to … */
    size_t
        n_known; /* … then those whose requests are laid out with them; the others go by their tag */
    uint32_t
        *row[REGRET_LOG_SOURCES]; /* [n] of log->rows, each part ascending; owned, as the others */
    size_t n_clusters;            /* of the basis */
    uint32_t *cluster;            /* [n[basis]] below n_clusters, in the order of the log's */
    size_t n_folds;
    uint32_t *fold;    /* [n[basis]] */
    uint32_t *fold_of; /* [log->n_clusters] UINT32_MAX: not in the basis */
};

/* Rows of a source that has more than most[source] are drawn in whole clusters, by the stream (seed,
 * REGRET_RNG_EXP_ROW or …OBS_ROW, 0), to fit; of the basis more come behind them, up to most_known. Folds deal the clusters of the basis
 * out by (seed, REGRET_RNG_DR_FOLDS, 0). Both depend on the numbers of clusters, not on the order of rows. REGRET_E_INPUT: fewer than
 * two clusters in the basis. */
int drawn_make(struct drawn *out, const struct regret_log *log,
               const struct regret_evaluate_options *options, const size_t most[REGRET_LOG_SOURCES],
               size_t most_known);
void drawn_clear(struct drawn *drawn);

/* Rows of a source whose requests are laid out. */
static inline size_t drawn_known(const struct drawn *d, enum regret_log_source s)
{
    return s == d->basis ? d->n_known : d->n[s];
}
/* What row i of the drawn rows of a source says. */
static inline uint32_t drawn_context(const struct drawn *d, enum regret_log_source s, size_t i)
{
    return d->log->rows[s].context[d->row[s][i]];
}
static inline uint32_t drawn_agent(const struct drawn *d, enum regret_log_source s, size_t i)
{
    return d->log->rows[s].agent[d->row[s][i]];
}
static inline double drawn_outcome(const struct drawn *d, enum regret_log_source s, size_t i)
{
    return d->log->rows[s].outcome[d->row[s][i]];
}
/* The tag of row i of the basis; 0 without tags. */
static inline size_t drawn_tag(const struct drawn *d, size_t i)
{
    return d->log->tag != NULL ? d->log->tag[drawn_context(d, d->basis, i)] : 0;
}
/* 1 where an agent was on offer in row i of the basis. */
static inline int drawn_offers(const struct drawn *d, size_t i, size_t agent)
{
    return was_on_offer(d->log, d->basis, d->row[d->basis][i], agent);
}

/* ---- worth.c: DM, DR and SNDR of rows with their influence. ---- */

/* What values rest on. Borrowed. */
struct basis {
    size_t n, n_agents, n_clusters;
    const uint32_t *agent, *cluster; /* [n] */
    const double *y, *propensity;    /* [n] */
    const double *surface;           /* [n × n_agents] */
    double level;
    double noise;               /* s², of basis_noise(); 0 before */
    const struct drawn *drawn;  /* who was on offer; NULL: everybody, always */
    const uint32_t *surface_of; /* [n] which of the surfaces is a row's; NULL: its own */
    int range_of_data;          /* 1: outcomes beyond [0,1] could have been */
};
/* f of row i, by agents. */
static inline const double *basis_surface(const struct basis *b, size_t i)
{
    return b->surface + (b->surface_of != NULL ? b->surface_of[i] : i) * b->n_agents;
}
static inline int basis_offers(const struct basis *b, size_t i, size_t agent)
{
    return b->drawn == NULL || drawn_offers(b->drawn, i, agent);
}
/* One agent, or the agent of each row. */
struct chooser {
    const uint32_t *choice; /* [n]; NULL: `agent` everywhere */
    uint32_t agent;
};
/* Rows with group[i] == value; NULL: all. */
struct part {
    const uint32_t *group;
    uint32_t value;
};

/* What a value is made of. */
struct worth_parts {
    double correction;          /* R */
    double by_surface, by_rows; /* C/(C−1) Σ P², V_Q as it is without s² */
    double clusters, effective; /* C, and m */
    size_t own;                 /* clusters with rows of the policy */
    struct bounded sndr;
};

/* s²: V_Q m of agents, weighted by m − 1; 0 where none has rows of two clusters. */
int basis_noise(double *noise, const struct basis *b);
/* DM, DR, SNDR. DM's interval is that of the mean of the surface; NaN of the others where m < 2. `parts` may be NULL. */
int worth_of(struct regret_valued out[REGRET_N_VALUES], struct worth_parts *parts,
             const struct basis *b, const struct chooser *x, const struct part *part);

/* Of the one of n estimates that was chosen because it is large; of one there was no choice. The choice makes a value too high and not
 * too low: .8 of what the level leaves is for the lower bound, shared by all n (Bonferroni), .2 for the upper [C]. */
struct tails tails_of_chosen(double level, size_t n);

/* What limits of a difference come from: both values on the rows where they differ and how their errors go together, the share of these
 * rows, and the part of the variance that is the share's. */
struct gap {
    struct bounded x, y;
    double rho, share, by_share, df;
};
/* SNDR of x less that of y over the rows where they differ, times the share of these; exactly 0 where they nowhere do, NaN of no rows.
 * influence [n_clusters] gets what clusters add to it; it and gap may be NULL. */
int worth_difference(struct regret_valued *out, struct gap *gap, double *influence,
                     const struct basis *b, const struct chooser *x, const struct chooser *y,
                     const struct part *part);

/* Intervals; NaN where the error is. Student's, for what has no range; limits of a value and of a difference (stats/limits.h): the edge
 * of the range is decided by the policy's own rows. */
void student_set_interval(struct regret_valued *v, struct tails tails);
void value_set_interval(struct regret_valued *v, const struct bounded *of, struct tails tails);
void difference_set_interval(struct regret_valued *v, const struct gap *of, struct tails tails);

/* Intervals of DM that know what the surface misses (losses.c). f follows an agent's own rows by the share s: DM moves by s where
 * their mean moves by 1. With R = SNDR − DM of n agents and v = V_Q, which is their rows' part of the variance,
 *
 *   E (DM − V)² = V_P + s² v + M      M = mean (1 − s)² δ², of which mean R² − (1 − s)² mean v is an unbiased estimate
 *
 * since DM − V = s ε + (1 − s) δ and R = (1 − s)(ε − δ), ε the error of the rows and δ that of all else; M is its mean given that it is
 * not negative (stats/distributions.h). s is the slope of `level`, what f^(−k) says of an agent on the same requests for every k, on the residuals of its
 * rows without fold k, over agents and folds, in [0,1]: requests that differ between folds would blur it. They cover on average over agents.
 * NaN of an agent without rows. */
void direct_intervals(struct regret_valued *direct, const struct worth_parts *parts, size_t n,
                      double share, double level);
int own_share(double *share, const struct basis *b, const uint32_t *fold, size_t n_folds,
              const double *level);

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

/* 1 where there are no tags. */
static inline size_t count_tags(const struct material *m)
{
    return m->n_tags > 0 ? m->n_tags : 1;
}

/* The pairs of the request of row i of the basis with every agent, of a row whose request is laid out with them. */
static inline size_t pairs_of_row(const struct material *m, size_t i)
{
    return m->first[m->context[m->rows[m->drawn.basis].pair[i]]];
}

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

/* ---- decide.c, screen.c, records.c: the answer. ---- */

struct regret_model;

/* The verdict, the agent of each recommendation, the size of a trial that would tell, and the sentences (protocol §13). */
int answer_decide(struct regret_evaluation *e, const struct regret_log *log);

/* Puts what the evaluation itself asks (calibration, whether families agree) among the diagnostics, the gravest first;
 * makes the list where there is none. */
int answer_add_checks(struct regret_evaluation *e, const struct regret_log *log);

/* The same of another evaluation of the log, with other folds: does it name the same agent, of about the same value? */
int answer_add_seed(struct regret_evaluation *e, const struct regret_evaluation *again,
                    const struct regret_log *log);

/* 1 where a diagnostic that says no is about the randomisation that values rest on, or about rows that are no rows of their own. */
int answer_trial_is_void(const struct regret_evaluation *e);

/* As given (log/log.h), with errors that are not negative and bounds in their order, all within what outcomes can be. */
struct regret_valued value_as_given(const struct regret_log *log, const struct regret_valued *v);
struct regret_valued difference_as_given(const struct regret_log *log,
                                         const struct regret_valued *v);
/* Simultaneous bounds of an agent's difference; of nothing else than low and high. */
struct regret_valued bounds_as_given(const struct regret_log *log,
                                     const struct regret_agent_value *agent);

/* By which own columns and tags the choice by request goes; of other verdicts by none. */
int answer_deciding(struct regret_buffer *out, const struct regret_evaluation *e,
                    const struct regret_log *log, deciding_writer *write);

/* The tables of the folder, as CSV. */
void table_agents(struct regret_buffer *out, const struct regret_evaluation *e,
                  const struct regret_log *log);
void table_tags(struct regret_buffer *out, const struct regret_evaluation *e,
                const struct regret_log *log);
void table_policies(struct regret_buffer *out, const struct regret_evaluation *e,
                    const struct regret_log *log);
void table_recommendations(struct regret_buffer *out, const struct regret_evaluation *e,
                           const struct regret_log *log);
void table_diagnostics(struct regret_buffer *out, const struct regret_evaluation *e);
void table_rows(struct regret_buffer *out, const struct regret_evaluation *e,
                const struct regret_log *log);

/* The model of new requests, on DR's pseudo-outcomes of the rows that values rest on; NULL in *out, with the reason in the thread's
 * message, where none can be fitted. */
int answer_model(struct regret_model **out, const struct regret_evaluation *e,
                 const struct regret_log *log);

/* ---- pilot.c: what a pilot says of the spread. ---- */

/* What a pilot (EXP of a log), or in its want OBS, says of means and deviations, by agent and tag. */

/* A cell is a tag and an agent that takes part, tag by tag. Outcomes count by the inverse of their propensities. */
struct pilot {
    size_t n_agents, n_tags, n_rows, n_clusters;
    int is_trial; /* 1: from EXP, 0: from OBS, whose means say nothing of values */
    /* Rows that say of a variance as little as one normal row: (κ − 1)/2 of their kurtosis κ, at least 1. Of rare clicks it is
     * half of 1/rate: three hundred rows without one do not tell that there are none. */
    double tail;
    double *tag_share; /* [n_tags] of the rows */
    struct pilot_cell {
        size_t rows;
        double weight;   /* Σ w */
        double mean;     /* Σ w y / Σ w; NaN of an empty one */
        double variance; /* of an outcome, drawn together; never NaN */
    } * cell;            /* [cells] */
    double *mean, *se2;  /* [n_agents] as below */
    struct pilot_agent {
        size_t rows, clusters;
        /* mean: Σ share · mean over the tags in which the agent has rows; NaN of none. se2: its variance by clusters; infinite without
         * rows. */
        double within; /* variance of an outcome within tags, drawn together */
        /* What rows of one cluster add to n times the variance of a mean, and of a difference to agent `reference`. Not negative.
         * They are of a trial whose clusters are as large as the pilot's, whatever its allocation. */
        double excess, excess_difference;
        /* Σ over tags of share·(mean − agent's mean)², less what chance makes of it, not below 0; and of differences. */
        double between, between_difference;
        enum regret_trial_basis basis;
    } * agent; /* [n_agents] */
};

/* `place` is where an agent of the log stands among those that take part, n_agents for others. */
int pilot_make(struct pilot *out, const struct regret_log *log, const uint32_t *place,
               size_t n_agents, size_t reference);
void pilot_clear(struct pilot *pilot);
/* n times the variance of the estimated value of agent a, or of its difference to `reference`, where agents get `share` of n
 * rows: of the mean over tags of means within tags. `safe` (may be NULL) are factors of the agents' variances. */
double pilot_value_variance(const struct pilot *p, const double *share, const double *safe,
                            size_t a);
double pilot_difference_variance(const struct pilot *p, const double *share, const double *safe,
                                 size_t a, size_t reference);

/* How much agents differ: a normal prior of their means. */

/* The prior normal with mean `centre` and deviation `deviation`, of n agents whose means have the errors se² (infinite: no
 * mean). The deviation is the median of its posterior under a flat prior on (0, 1/2], the centre given it. */
struct prior {
    double centre, deviation;
};
struct prior prior_fit(const double *mean, const double *se2, size_t n);

/* How rows are divided among agents. */

void shares_uniform(double *share, const struct pilot *p);
/* By Neyman (1934): proportional to the deviation of a row, times the root of `differences` for the reference. */
void shares_neyman(double *share, const struct pilot *p, size_t reference, double differences);

#endif
