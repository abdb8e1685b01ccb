/* A model for new requests, and its answers. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/text.h"
#include "text/tfidf.h"

/* Who should answer a request that nobody has answered yet (docs/guide.md; protocol §12).
 *
 * A cached pool knows the outputs of every agent; of a new request there are none. What a model can go by is the
 * request's words, its tag and its own columns. It has two layers over contexts x and agents a of the grid,
 *
 *   mu(x,a) = c(x) + d_a(x) + noise,      c(x) the mean over agents, d_a what is the agent's own,
 *
 * and either is a ridge: of nothing (its mean), of the tag, of that and own columns, or of these and the hashed words. Which of
 * them the contrasts d take is decided by the regret of contexts that were left out; only what is separably better than always
 * asking the best single agent is used. */

/* Limits, for what is fitted and for files of strangers. */
enum {
    REGRET_MODEL_LEAST_CONTEXTS = 20, /* with two agents' scores or more */
    REGRET_MODEL_RANK = 512,          /* directions of the words that a fit keeps */
    REGRET_MODEL_DIRECTIONS = 32,     /* of them in a half-width, at most */
    REGRET_MODEL_MAX_TAGS = 4096
};
/* The share of requests whose reward an interval is to hold. */
#define REGRET_MODEL_LEVEL 0.95

/* What a layer goes by, from the simplest. */
enum regret_model_rule {
    REGRET_MODEL_SINGLE,  /* nothing: one agent for all */
    REGRET_MODEL_TAG,     /* the tag */
    REGRET_MODEL_COLUMNS, /* the tag and the contexts' own columns */
    REGRET_MODEL_WORDS,   /* these and the words */
    REGRET_MODEL_RULES
};
const char *regret_model_rule_name(enum regret_model_rule rule);

/* An outcome that was seen, with the weight (> 0) that makes an agent's rows stand for all contexts: 1/p of a trial. */
struct regret_model_row {
    uint32_t context, agent;
    double outcome, weight;
};

/* What a model is fitted on. All borrowed. */
struct regret_model_data {
    size_t n_contexts, n_agents;
    const char *const *text;  /* [n_contexts] UTF-8 */
    const char *const *tag;   /* [n_contexts] NULL: without one; or NULL: no context has one */
    const char *const *agent; /* [n_agents] names, which answers give */
    const struct regret_column *column; /* what else is known of contexts, [n_columns] */
    const struct regret_covariate *const *covariate; /* [n_contexts], of each [n_columns] */
    size_t n_columns;
    const double *target; /* mu(x,a), [n_contexts × n_agents] by context; NaN: not observed */
    /* Where targets have the mean of mu, but not its spread (pseudo-outcomes of a trial), the outcomes that intervals are to
     * hold, each of a target that is there. NULL: the targets are these. */
    const struct regret_model_row *row;
    size_t n_rows;
    struct regret_feature_options features; /* of them buckets and seed count */
    size_t max_bytes;                       /* of a context that words are taken from; 0: all */
    /* Where it comes from, for the file; "" where it does not say. */
    const char *pool, *pool_digest; /* name, and struct regret_pool's digest */
    const char *settings;           /* a JSON object of configuration keys */
};

struct regret_model; /* opaque; read-only once made, so threads may share it */

/* Fits and judges. The same bits whatever `threads` (>= 1). REGRET_E_INPUT: fewer than REGRET_MODEL_LEAST_CONTEXTS contexts
 * with two agents' scores, an agent without any, agents in parts that no context joins, more than REGRET_MODEL_MAX_TAGS tags
 * or words and steps of own columns, a text that is not UTF-8, a row that is of no target or has no weight. With n contexts,
 * p = tags + words and steps of own columns + min(n, REGRET_MODEL_RANK) columns: O(n p² + p³) time and O(n p) memory a penalty
 * path where the grid is complete, that for every agent and the sweeps of backfitting where it is not. */
int regret_model_fit(struct regret_model **out, const struct regret_model_data *data,
                     size_t threads);
void regret_model_free(struct regret_model *model); /* NULL is fine */

/* The model of a pool: of all its scored outputs, by one of its components from 0 to 1 or the mean of all of them; what has no
 * score is not known, and counts as nothing. Of a pool of votes by values of agents (docs/protocol.md). */
#define REGRET_MODEL_ALL_COMPONENTS ((size_t)-1)
int regret_model_of_pool(struct regret_model **out, const struct regret_pool *pool,
                         size_t component, size_t threads);

/* Whether what the model was made of tells anything apart (a verdict of regret_evaluate()): 1, 0, or -1 where that is not
 * known, as of files that do not say. It is kept in the file. */
int regret_model_told(const struct regret_model *model);
void regret_model_set_told(struct regret_model *model, int told);

/* The file (docs/formats.md): written whole or not at all; what is read has its version, its XXH3-128 and every size
 * and number checked, or REGRET_E_INPUT. A written model reads back to the bit. */
int regret_model_write(const struct regret_model *model, const char *path);
int regret_model_read(struct regret_model **out, const char *path);

/* Appends what is known of it, for people. */
void regret_model_describe(struct regret_buffer *out, const struct regret_model *model);

/* The regret of contexts left out, joined over folds: of the best single agent of the others, of the best by tag, of
 * the ridge of tag and words, and of picking blindly; half-widths at 95 %. */
struct regret_model_score {
    int is_there;        /* 0: the data have no tags, or no words */
    double regret, half; /* its mean over contexts */
    double gain,
        gain_half; /* mean regret of the single agent less this one's, at the level of the decision */
};
struct regret_model_facts {
    size_t n_contexts, n_agents, n_pairs, n_tags,
        judged;                               /* judged: contexts with two scores or more */
    enum regret_model_rule contrasts, common; /* what is used */
    size_t single;                            /* the best single agent */
    struct regret_model_score score[REGRET_MODEL_RULES];
    double random; /* mean regret of an agent at random */
    double error;  /* root mean square of the value's error on contexts left out */
};
struct regret_model_facts regret_model_facts(const struct regret_model *model);
/* The own columns that its answers go by, 0 where they go by none, and one's name. */
size_t regret_model_columns(const struct regret_model *model);
const char *regret_model_column(const struct regret_model *model, size_t column);

/* A request and the answer to it. */
struct regret_request {
    const char *text; /* UTF-8, zero-terminated; NULL counts as empty */
    const char *tag;  /* NULL or "": none */
    /* Its own columns, one each of regret_model_columns(); NULL: none is told. A number that is not told is INFINITY, a word
     * NULL: the column's mean stands for it; NaN is a blank as the pool has them. */
    const struct regret_covariate *columns;
};
enum regret_request_note {
    REGRET_REQUEST_UNKNOWN_TAG = 1, /* none of the model's tags: agents are as over all contexts */
    REGRET_REQUEST_UNKNOWN_WORDS = 4, /* none of its words was seen, or it has none */
    REGRET_REQUEST_UNSEEN_AGENT = 8,  /* the agent has no score on any context of the tag */
    REGRET_REQUEST_UNKNOWN_COLUMN =
        16, /* an own column is not told, or a word that the model has not seen */
    REGRET_REQUEST_FAR_COLUMN =
        32 /* a number is beyond all that the model has seen, the nearest of which stands for it */
};
struct regret_answer {
    size_t agent;
    double value, low, high; /* mu(x, agent) and the interval that holds it; of rows, an outcome */
    double margin, margin_low, margin_high; /* over the best single agent, on this request */
    unsigned notes;
};

/* Answers n requests. By itself a thread, which may be one of many. REGRET_E_INPUT: a text that is not UTF-8. Linear in
 * the bytes and in distinct words × agents. */
int regret_model_answer(struct regret_answer *answers, const struct regret_model *model,
                        const struct regret_request *requests, size_t n);

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

/* How many requests there were, and of them with REGRET_REQUEST_UNKNOWN_TAG and REGRET_REQUEST_UNSEEN_AGENT; and of how many
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

/* What is known of a request beside its text and its tag, as numbers: every own column as features of mean zero. */

/* A number is one column v (less the mean over the contexts that have it, over its deviation; 0 where it is blank) as v/√2
 * and steps at its octiles, as tfidf.h has it, and one more where OWN_LEAST_BLANKS contexts or more lack it: 1 in
 * those; a word is one column each. All less their means over the contexts. */
struct model_column {
    char *name;      /* owned */
    size_t first, n; /* of its features */
    char **word;     /* [n], of a column of words; NULL: of numbers; owned, and each */
    double *share;   /* [n], of the contexts that have the word; owned */
    double mean, sd,
        blank; /* of numbers; sd 0: all are alike; blank: the share that lacks it, 0 without a column for it */
    double least, most; /* v of the contexts; what is farther away is as far */
    struct own_number number;
};
struct model_columns {
    size_t n, features;
    struct model_column *item; /* owned */
};

/* Of the contexts of the data. REGRET_E_INPUT: more than REGRET_MODEL_MAX_TAGS features. */
int model_columns_make(struct model_columns *out, const struct regret_model_data *data);
void model_columns_free(struct model_columns *columns);

/* 1 where a value is told, and is none of a word that no context had. */
int model_column_knows(const struct model_column *column, const struct regret_covariate *value);
/* 1 where a number lies beyond those of the contexts. */
int model_column_is_far(const struct model_column *column, const struct regret_covariate *value);
/* The features of a request, [columns->features]: 0, their mean, where a column is not known. Returns notes on it. */
unsigned model_columns_read(double *out, const struct model_columns *columns,
                            const struct regret_covariate *values);

/* A model as it is kept: every layer a sum of rows, one a bucket of words and one a tag. */

/* One of the two layers, d_a(x) or c(x): a ridge of penalty ρ on z(x) = (√γ [tag], √κ own columns, words). */
struct model_layer {
    enum regret_model_rule rule;
    double rho, gamma, kappa;               /* γ, κ: 0 without */
    size_t n;                               /* directions u_j kept for half-widths */
    double shrink[REGRET_MODEL_DIRECTIONS]; /* 1/(λ_j + ρ) of each */
    double centre;                          /* |z̄|² */
};

/* A row is what a bucket's unit, an own feature's, a tag, or the intercept (the first row) adds to the numbers of a request:
 *
 *   [n_agents]      d_a(x)
 *   [1]             c(x)
 *   [contrast.n]    u_j·(z − z̄) of the contrasts     [1]  z̄·z of the contrasts
 *   [common.n]      the same of the common layer      [1]  the same
 *
 * Rows: the intercept, the tags, the mean over tags for one that is not known, the buckets. Behind those of words stand the
 * features of own columns, as buckets that no word has. */
struct regret_model {
    size_t n_agents, n_tags;
    char **agent; /* names; owned, and each */
    char *
        *tag; /* of the contexts, "": those without one; none where none has one; owned, and each */
    char **
        answered; /* [n_tags] n_agents characters, '1': the agent has a score on a context of the tag; owned, and each */
    double tag_mean; /* Σ share², the squared length of the mean over tags */
    struct regret_feature_options features;
    size_t max_bytes;
    struct model_layer contrast, common;
    double *own;                        /* [n_agents] s_a², the variance of the rest of d_a */
    double *own_margin;                 /* [n_agents] that of the rest of d_a less d_single */
    double common_own;                  /* s_c² */
    double value_factor, margin_factor; /* half-widths over standard errors */
    struct model_columns columns;
    size_t n_buckets, width; /* n_buckets: own features among them */
    uint32_t *bucket;        /* [n_buckets] ascending; owned */
    double *row;             /* [(2 + n_tags + n_buckets) × width], by row; owned */
    struct regret_model_facts facts;
    char *pool, *pool_digest, *settings; /* owned */
    int told;                            /* -1: not known */
};

/* Empty but for its arrays; sizes are set, ids and tags NULL. */
int model_create(struct regret_model **out, size_t n_agents, size_t n_tags, size_t n_buckets,
                 size_t directions_contrast, size_t directions_common);

/* Where the numbers of a layer's directions stand in a row; behind them that of the mean. */
static inline size_t model_directions_at(const struct regret_model *m, const struct model_layer *l)
{
    return l == &m->contrast ? m->n_agents + 1 : m->n_agents + 2 + m->contrast.n;
}

static inline size_t model_rows(const struct regret_model *m)
{
    return 2 + m->n_tags + m->n_buckets;
}

/* How many buckets are of words. */
static inline size_t model_word_buckets(const struct regret_model *m)
{
    return m->n_buckets - m->columns.features;
}

/* 1 + 1/n + a/(1 − [in the sample] a) + b: the variance of a left-out outcome over that of the rest, with
 * a = Σ_j t_j²/(λ_j + ρ) over the directions kept and b = (|δ|² − Σ_j t_j²)/ρ of what lies beside them. `numbers` are
 * those of a row of sums, `length` is |z|². */
double model_layer_variance(const struct regret_model *m, const struct model_layer *layer,
                            const double *numbers, double length, int in_sample);

/* The hashed words of texts, cut and scaled as a model's are: [n × buckets], rows of length one or empty. */
int model_words(struct regret_csr **out, const struct regret_feature_options *features,
                size_t max_bytes, const char *const *texts, size_t n);

/* The sums of rows of a request, [width]: the intercept's, its tag's, its own features', its words'. *length: |z|² of either
 * layer. Words and features may be NULL where they do not count. *t: the number of its tag, n_tags where it is not known. */
struct model_words_row {
    const uint32_t *column;
    const double *value;
    size_t n;
};
unsigned model_add_up(double *numbers, double length[2], size_t *t, const struct regret_model *m,
                      struct model_words_row words, const double *own, const char *tag);

#endif
