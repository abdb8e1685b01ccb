/* What the sources of this folder share. */
#ifndef RATE_INTERNAL_H
#define RATE_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "rate/intern.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "stats/limits.h"

/* ---- units.c: units of RATE: clusters, columns, sums. ---- */

/* Which rows of a group depend on each other: clusters of it, numbered from 0. */

/* Why something is not estimated, where more than one estimate has the reason. */
extern const char MISSING_ONE_CLUSTER[], MISSING_TOO_LARGE[];

struct clusters {
    uint32_t *of;   /* by member of the group; room for all rows asked for; owned */
    uint32_t *seen; /* by name, between groups all REGRET_RATE_NO_CLUSTER; owned */
    size_t n;       /* clusters of the group at hand */
    size_t n_named; /* of them, those with a name */
    int matter;     /* 1: some of its rows share one, and the options let that count */
};

/* Room for groups of at most n_members rows whose clusters have n_names names. Without names there are
 * no clusters. Free it even after a failure. */
int clusters_new(struct clusters *c, size_t n_names, size_t n_members);
void clusters_free(struct clusters *c);
/* Numbers the clusters of the table rows members[0..n) by name[row]; a row of REGRET_RATE_NO_CLUSTER
 * is one by itself. O(n). */
void clusters_number(struct clusters *c, const uint32_t *name, const size_t *members, size_t n,
                     enum regret_rate_clusters which);

/* The cluster of member k of the group at hand, and how many there are; each member is one by itself where they do not
 * matter. */
static inline uint32_t cluster_at(const struct clusters *c, size_t k)
{
    return c->matter ? c->of[k] : (uint32_t)k;
}
static inline size_t cluster_count(const struct clusters *c, size_t n_members)
{
    return c->matter ? c->n : n_members;
}

/* The rows asked for, by group: members of group g are order[start[g] .. start[g + 1]). Both are freed
 * with regret_free(). */
int sort_by_group(size_t **order, size_t **start, const struct regret_rate_rows *rows,
                  const struct regret_rate_options *options);

/* The rows of one group as one reward model sees them, gathered side by side. */

/* The used rows, W = 1 first, each part in the order of the table. */
struct columns {
    size_t n1, n0, n_predicted;
    int contrastive;
    int has[REGRET_N_SIDES]; /* pointwise: which sides are scored */
    int has_single, has_rate;
    double *score[REGRET_N_SIDES]; /* n1 + n0 rewards by side (pointwise only) */
    double *single, *rate;         /* n1 + n0 summands δ of the two kinds of estimators */
    double *drift;                 /* n1 + n0 values RR − O (pointwise only) */
    double *block;                 /* owns all of the above */
    size_t *row;                   /* n1 + n0: where in `members` the row stands; owned */
    size_t capacity;               /* rows that the memory has room for */
};

/* Gathers model `m` over the table rows members[0..n), n >= 1, into *c, which is zeroed or was
 * gathered before (its memory is used again). Free it with columns_free() even after a failure. */
int columns_gather(struct columns *c, const struct regret_rate_rows *rows, size_t m,
                   const size_t *members, size_t n);
void columns_free(struct columns *c);

struct clusters;
/* Bootstrap standard errors and intervals of all the models of one group: estimates[k] belongs to
 * columns[k]; n_members as above. Clusters are resampled whole where they matter. */
int columns_bootstrap(struct regret_rate_estimate *estimates, const struct columns *columns,
                      size_t n_models, const struct regret_rate_rows *rows, const size_t *members,
                      size_t n_members, const struct clusters *clusters,
                      const struct regret_rate_options *options);

/* Sums that lose nothing worth mentioning, and what is made of them. */

double mean_of(const double *x, size_t n);                 /* NaN for n = 0 */
double variance_of(const double *x, size_t n);             /* n − 1 below; NaN for n < 2 */
double dot_of(const double *x, const double *y, size_t n); /* Σ x·y, in eight running sums */

/* Student's two-sided p of 0, for an estimate with its error; where that is 0, 1 of nothing and else 0. */
double p_of_zero(double estimate, double se, double df);

/* What links rows of different groups: units, which are drawn independently of each other. */

/* (*unit)[row], below *n_units: the cluster where the options let clusters of its group count; else rows
 * of one id and dataset are of one unit, whatever their attribute; else the row. In one group no two
 * rows are linked by their ids. *unit is freed with regret_free(). O(rows). */
int units_number(uint32_t **unit, size_t *n_units, const struct regret_rate_rows *rows,
                 enum regret_rate_clusters which);

struct columns;
/* What is done with one estimate: its columns, the clusters of its group (`of` NULL: none), and the
 * table rows of the group. */
typedef int visit_estimate(void *context, size_t number, const struct columns *columns,
                           const struct clusters *clusters, const size_t *members,
                           size_t n_members);
/* Visits the n estimates of regret_rate_estimate() of all rows in order; rows of one name[row] below
 * n_names are of one cluster. */
int visit_estimates(const struct regret_rate_rows *rows,
                    const struct regret_rate_estimate *estimates, size_t n, const uint32_t *name,
                    size_t n_names, enum regret_rate_clusters which, visit_estimate *visit,
                    void *context);

/* ---- influence.c: influence of units, and splits of rows. ---- */

/* Which rows a mean is over. */
enum influence_rows { ROWS_WITHOUT, ROWS_WITH, ROWS_ALL, N_INFLUENCE_ROWS };

/* One mean of an effect. */
struct cluster_mean {
    const double *size; /* m_ck by cluster */
    double n, variance; /* n_k, φ_k */
};
enum { MAX_MEANS = 4 }; /* of a difference of two effects */

struct influence {
    size_t n_clusters;               /* of the group */
    double n[N_INFLUENCE_ROWS];      /* used rows */
    size_t held[N_INFLUENCE_ROWS];   /* clusters that hold some of them */
    double *size[N_INFLUENCE_ROWS];  /* by cluster; owned */
    double *scale[N_INFLUENCE_ROWS]; /* by cluster: 1/|u|, NaN where it holds all rows; owned */
    double *psi[REGRET_N_EFFECTS];   /* by cluster; NULL where not made; owned */
    double variance[REGRET_N_EFFECTS][2]; /* φ of its means */
    double *sum;                          /* by cluster, zero between effects; owned */
    uint32_t *cluster;                    /* by used row; owned */
};

/* The rows of `c` by cluster: of[k] is that of member k, one of n_clusters; NULL: every member is one.
 * Free it even after a failure. */
int influence_new(struct influence *f, const struct columns *c, const uint32_t *of,
                  size_t n_clusters);
void influence_free(struct influence *f);
/* Makes ψ of one effect that is there. O(rows + clusters). NaN where a mean rests on one cluster. */
int influence_add(struct influence *f, const struct columns *c, enum regret_rate_effect_kind kind);
/* ψ of Cohen's d of an effect, [n_clusters], by the jackknife: √((n − 1)/n) (mean of d₋ − d₋ₖ), d₋ₖ being without cluster k of the n that
 * hold used rows, so that Σψ² is its variance (Tukey, "Bias and confidence in not-quite large samples", Annals of Mathematical Statistics 29,
 * 1958; Miller, Biometrika 61, 1974). Not finite where the originals that are left do not vary. O(rows + clusters). */
int influence_of_d(double *psi, const struct influence *f, const struct columns *c,
                   enum regret_rate_effect_kind kind, double effect);
/* Whether all rows of one of its means are of one cluster. */
int influence_rests_on_one(const struct influence *f, enum regret_rate_effect_kind kind);
/* The means of an effect made, 1 or 2. */
size_t influence_means(struct cluster_mean means[2], const struct influence *f,
                       enum regret_rate_effect_kind kind);
/* The rows of its first mean over all that count for it. */
enum influence_rows influence_rows_of(enum regret_rate_effect_kind kind);
/* Satterthwaite's degrees of freedom, above. O(clusters · means²). */
double cluster_df(const struct cluster_mean *means, size_t n, size_t n_clusters);

/* ---- check.c: checks of rewrites. ---- */

/* Whether row i of a group counts: its W is its own. */
int check_counts(const struct regret_rate_rows *rows, size_t group, size_t i);

/* R(text with W = 1) less R(text with W = 0) of row i, by its rewrites (is_double: δ of RATE) or by the
 * original and its rewrite; NaN: one is not there. */
double advantage(const struct regret_rate_rows *rows, const struct regret_rate_model *m,
                 int is_double, size_t i);

/* 95 % limits (stats/limits.h) of the mean of n values of [0,1] in clusters with numbers below the room's half. */
struct limits share_limits(double *room, const double *x, const uint32_t *cluster, size_t n);

/* ---- rows.c: rows of RATE. ---- */

struct regret_rate_index {
    struct intern ids;        /* family: the group */
    struct intern attributes; /* groups: family: number of the dataset; text: attribute */
    struct intern datasets;
    struct intern models;   /* family: contrastive */
    struct intern clusters; /* text: the 16 bytes of last_mark */
    uint64_t last_mark[2];  /* of the last row's cluster: the hash of its name */
    uint32_t last_cluster;
    struct intern named; /* models named without any score: family: the group; text: the bytes of
                             the model's uint32_t */
    struct intern bad;   /* (row, model) where a model is named with nothing that is a number */
    struct source {
        uint32_t named, nameless; /* 1 + the first file with rows that have ids, that have none */
        uint32_t first, other;    /* 1 + the first file, and the first other than it; 0: none */
    } * sources;                  /* by group: where its rows come from; owned */
    size_t *row_of_id;            /* by number in `ids`: the row that has it; owned */
    size_t id_capacity;
};

/* Beside the bits of the sides in regret_rate_rows.needed: the model is named in the group. */
enum { NEEDED_SIDES = (1U << REGRET_N_SIDES) - 1, NEEDED_NAMED = 1U << REGRET_N_SIDES };

/* What the id of a row begins with that is known by its number in its file: no UTF-8 has this byte. */
#define ID_BY_NUMBER ((char)0xFF)

/* Counts an issue and keeps its place when it is among the first. */
void rows_note_issue(struct regret_rate_rows *rows, enum regret_rate_issue_kind issue,
                     uint32_t file, size_t line, uint32_t model);
/* The same with a word on it, which is cut. */
void rows_note_detail(struct regret_rate_rows *rows, enum regret_rate_issue_kind issue,
                      uint32_t file, size_t line, uint32_t model, struct regret_span detail);
/* Notes that row i names a model, but with nothing that is a number. */
int rows_note_bad(struct regret_rate_rows *rows, size_t i, uint32_t model);
/* The number of a model, added with NaN scores for the rows so far when it is new. */
int rows_model(struct regret_rate_rows *rows, struct regret_span name, int contrastive,
               uint32_t *number);
/* Adds a row whose models have names of their own, whatever its rewriter: regret_rate_rows_add() otherwise. */
int rows_add_one(struct regret_rate_rows *rows, const struct regret_rate_row *row);
/* The same of a pointwise model that must be there. */
int rows_find_model(uint32_t *number, const struct regret_rate_rows *rows, const char *name);
/* How many scores that model m needs in the group of row i are not there. */
int rows_missing(const struct regret_rate_rows *rows, size_t m, size_t i);
/* Notes that a group has a model of which a row has no score. */
int rows_note_named(struct regret_rate_rows *rows, uint32_t group, uint32_t model);
int rows_add_file(struct regret_rate_rows *rows, const char *path);

/* ---- row.c: a row from a record. ---- */

struct row_member {
    struct regret_span key, value; /* the value as JSON */
};

/* What a row is read into, and by which names: zero but for what its caller asks for; `room` and `member` are freed. */
struct row_reader {
    struct regret_span z_field;       /* the key of Z */
    struct regret_span w_field;       /* the key of W; text NULL: "w" and "w_original" */
    struct regret_span dataset_field; /* the key of the dataset; text NULL: "dataset" */
    struct regret_span cluster; /* the key of the cluster, "prompt" of either layout; or NULL */
    struct regret_span model; /* the name of one whose scores stand in the row itself: the file's */
    const double *w_above, *z_above; /* not NULL: numbers are ratings, 1 above this */
    int with_texts;                  /* the prompt and the completions are wanted */
    int is_table;                    /* values are fields of CSV, all of them texts */
    struct regret_rate_row row;      /* borrows from its record and from this reader */
    struct regret_place place;
    const char *end;           /* of the record */
    struct regret_buffer room; /* texts that had escapes */
    struct row_member *member; /* of the record; owned */
    size_t n_members, capacity;
    int is_ours;                            /* a key of our layout was seen */
    struct regret_span question[2];         /* "prompt" or "query", "reward_question" */
    unsigned known[REGRET_RATE_MAX_MODELS]; /* of each model: bit s where side s was named */
    struct regret_rate_scores bare;         /* those that stand in the row itself */
    int is_perturbed; /* 1: they are of a base and its perturbation, which has what that lacks */
};

/* Reads one row from its record, plain JSON (table/fields.h). REGRET_E_INPUT with a message that names `at`: it is no row. */
int row_read(struct row_reader *reader, struct regret_span record, struct regret_place at);

/* The side of a key of completions or scores, in either layout; -1 for another key. */
int side_of_key(struct regret_span key);

#endif
