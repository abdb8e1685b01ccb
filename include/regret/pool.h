/* Pools: contexts, agents, outputs, spread of draws. */
#ifndef REGRET_POOL_H
#define REGRET_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/status.h"

/* The task pool: contexts, agents and the cached outputs of each agent on each context, scored.
 *
 * On disk a pool is a folder (docs/formats.md has the same for people):
 *
 *   pool.json       one object
 *     format        "regret-pool-1"
 *     name          an id (below)                    title, version, licence, source   strings
 *     synthetic     true when texts or scores were made by a program
 *     agents        [{id, title, cost}]              title: the id if absent; cost: 1 if absent
 *     components    [{name, low, high}]              the range of the raw score; smaller_is_better, true where it is low + high
 *                                                    less what was measured
 *     counts        [name]                           absent: none
 *     segments      [{name, weights{component: w}}]  absent: regret_pool_default_segments()
 *     aux           [name]                           absent: none
 *     columns       [{name, kind}]                   what is known of a context besides its text: kind
 *                                                    "number" or "word"; absent: none
 *     history       [{pool, what, program, date, from[{name, digest}]}]  where it comes from: steps, the
 *                                                    oldest first; date (YYYY-MM-DD, or YYYY-MM-DDThh:mm:ssZ) may be absent
 *     digests       {contexts.jsonl, outputs.jsonl}  XXH3-128 as 32 hexadecimal digits; optional,
 *                                                    checked when present
 *   contexts.jsonl  {id, text, tag, title, columns{}} a line; tag, what kind of context it is, and title, what
 *                   its source calls it where that is no id, may be absent; columns holds exactly the
 *                   declared names: finite numbers (true and false are 1 and 0) or null where not known, and words of up to
 *                   REGRET_POOL_MAX_ID bytes on one line, of which the empty one is a word like any other
 *   outputs.jsonl   {context, agent, draw, text, components{}, counts{}, aux{}} a line; draw is 0
 *                   if absent; the maps hold exactly the declared names and may be absent only
 *                   where none are declared; true and false are the components 1 and 0
 *   README.md       the card, for people (optional, not read)
 *
 * Ids (of the pool, agents, contexts) and names (of components, counts, segments, aux labels) have
 * 1 to REGRET_POOL_MAX_ID bytes of UTF-8 without white space, control or format characters or
 * slashes; a tag is any text of as many bytes. The draws of a pair are numbered 0, 1, … without gaps, in any order of lines: a gap is
 * nearly always a lost line. Unknown keys are errors, and so are links that lead out of the folder.
 *
 * In memory everything is indexed by number; the order of agents is pool.json's and the order of
 * contexts is the file's, so index 0 is "lowest" wherever ties are broken by lowest index. */

/* "format" of pool.json. */
#define REGRET_POOL_FORMAT "regret-pool-1"

/* Limits for untrusted pools. */
enum {
    REGRET_POOL_MAX_ID = 200,       /* bytes of an id or a name */
    REGRET_POOL_MAX_CARD = 1 << 24, /* bytes of README.md */
    REGRET_POOL_MAX_AGENTS = 4096,
    REGRET_POOL_MAX_COMPONENTS = 64,
    REGRET_POOL_MAX_COUNTS = 16,
    REGRET_POOL_MAX_SEGMENTS = 64,
    REGRET_POOL_MAX_AUX = 256,
    REGRET_POOL_MAX_COLUMNS = 64,
    REGRET_POOL_MAX_HISTORY = 256, /* steps, and sources of a step */
    REGRET_POOL_MAX_LINE = 1000,   /* bytes of a text of the history */
    REGRET_POOL_MAX_CONTEXTS = 1 << 20,
    REGRET_POOL_MAX_OUTPUTS = 1 << 24,
    REGRET_GRID_MAX_PAIRS = 1 << 26
};

struct regret_agent {
    char *id;    /* unique; owned */
    char *title; /* for people; owned; NULL stands for the id */
    double cost; /* any unit, finite and >= 0; the logging policy standardises it */
};

struct regret_component {
    char *name;       /* owned */
    double low, high; /* the range of the raw score, low < high; q = (score - low)/(high - low) */
    int is_turned;    /* 1: less was better, and a score is low + high less what was measured */
};

struct regret_segment {
    char *name;      /* owned */
    double *weights; /* one a component, >= 0, summing to one; owned */
};

/* What a covariate of contexts is. */
enum regret_column_kind { REGRET_COLUMN_NUMBER, REGRET_COLUMN_WORD };
/* "number", "word". */
REGRET_API const char *regret_column_kind_name(enum regret_column_kind kind);

/* A covariate of contexts. */
struct regret_column {
    char *name; /* owned */
    enum regret_column_kind kind;
};

/* What it is of one context. */
struct regret_covariate {
    double number; /* of REGRET_COLUMN_NUMBER; NaN: not known */
    char *word;    /* of REGRET_COLUMN_WORD; owned; NULL otherwise */
};

struct regret_context {
    char *id;    /* unique; owned */
    char *text;  /* UTF-8; owned */
    char *tag;   /* a name, or NULL; owned */
    char *title; /* what its source calls it, where that is not the id; NULL: it is; owned */
    struct regret_covariate
        *columns; /* one a column of the pool; NULL where there are none; owned */
};

/* One of the tags that contexts have. */
struct regret_pool_tag {
    const char *name; /* borrowed from the pool; NULL: those without a tag, where others have one */
    size_t contexts;  /* that have it */
};

struct regret_output {
    uint32_t context; /* index into contexts */
    uint32_t agent;   /* index into agents */
    uint32_t draw;    /* 0, 1, … within (context, agent) */
    char *text;       /* UTF-8, may be empty; owned */
    double *values;   /* n_components raw scores, then n_counts counts, then n_aux labels; owned */
};

/* What a step took: a file or a pool. */
struct regret_pool_source {
    char *name;      /* without its folder; owned */
    char date[24];   /* when the file was last changed, YYYY-MM-DDThh:mm:ssZ; "": not known */
    char digest[33]; /* XXH3-128 of the file, or the digest of the pool (below) */
};

/* A step of how a pool came to be. Its texts are single lines of at most REGRET_POOL_MAX_LINE bytes. */
struct regret_pool_step {
    char *pool;                      /* the name it then had; owned */
    char *what;                      /* the command with its options; owned */
    char *program;                   /* and its version; owned */
    char *date;                      /* YYYY-MM-DD, YYYY-MM-DDThh:mm:ssZ, or NULL; owned */
    struct regret_pool_source *from; /* owned */
    size_t n_from;
};

struct regret_pool {
    char *name, *title, *version, *licence, *source; /* owned; all but the name may be NULL */
    int synthetic; /* 1 when texts or scores were made by a program; shown wherever the pool is */
    struct regret_agent *agents;
    size_t n_agents;
    struct regret_component *components;
    size_t n_components;
    char **counts; /* names; "unsupported_claims" is the one the sharpened reward knows */
    size_t n_counts;
    struct regret_segment *segments;
    size_t n_segments;
    char **aux; /* names of the auxiliary labels T */
    size_t n_aux;
    struct regret_column *columns; /* what is known of contexts besides their texts */
    size_t n_columns;
    struct regret_context *contexts;
    size_t n_contexts;
    struct regret_output *outputs; /* sorted by context, agent, draw */
    size_t n_outputs;
    struct regret_pool_step *history; /* the oldest first */
    size_t n_history;
    struct regret_text_store
        *texts; /* an importer's, holds the texts of contexts and outputs; NULL: each is owned */
    char digest[33]; /* of the files read: the XXH3-128 digest of the three digests (96 digits) of
                        pool.json, without its dates, contexts.jsonl and outputs.jsonl; "" for a pool made in memory */
};

/* Frees a pool and all it owns; NULL is fine. Fields may be NULL (a pool under construction). */
REGRET_API void regret_pool_free(struct regret_pool *pool);

/* Reads and validates the pool folder at `path`; the caller frees *out with regret_pool_free().
 * REGRET_E_INPUT names file, line (of the JSONL files), field and remedy. Linear in the bytes (the
 * outputs are sorted if they are not); memory is that of the pool and one line. */
REGRET_API int regret_pool_read(struct regret_pool **out, const char *path);

/* The card of the pool folder at `path`: the text of its README.md in *out, to be freed with
 * regret_free(); NULL when there is none. At most REGRET_POOL_MAX_CARD bytes. */
REGRET_API int regret_pool_read_card(char **out, const char *path);

/* Checks a pool made in memory by the rules the reader applies (ranges, duplicates, references,
 * weights, draws without gaps); messages name the pool and the index of the row. Sorts outputs by
 * (context, agent, draw). Every pool made in memory goes through here before anything else uses it:
 * the writer and the grid refuse outputs that are out of order. */
REGRET_API int regret_pool_check(struct regret_pool *pool);

/* Writes pool.json, contexts.jsonl, outputs.jsonl and (when not NULL) README.md with `card` as its
 * text into a folder that appears whole or not at all, digests included. The bytes depend on the
 * pool alone: reading and writing again gives the same. With `replace` a pool already at `path` is
 * replaced (anything that holds no pool.json is not). A pool the reader would refuse is refused. */
REGRET_API int regret_pool_write(const struct regret_pool *pool, const char *path, const char *card,
                                 int replace);
/* The same where the pool was made of what stands at `path`, as it was marked before it was read: another that stands there by
 * now is not replaced. */
REGRET_API int regret_pool_rewrite(const struct regret_pool *pool, const char *path,
                                   const char *card, int replace,
                                   const struct regret_folder_mark *mark);

/* Adds a step of this program to the history: `what` was done, on `date` (as above, or NULL: the clock is not
 * read), with what `from` names. All is copied. REGRET_E_INPUT: a text or the date is not what a pool may hold, or
 * there are REGRET_POOL_MAX_HISTORY steps already; nothing has changed then. */
REGRET_API int regret_pool_record(struct regret_pool *pool, const char *what, const char *date,
                                  const struct regret_pool_source *from, size_t n_from);

/* What people call an agent: its title where the id is that title made fit (white space, control characters and slashes
 * are "-"), ":2" behind tells two such apart), so that outputs join with the table that it came from; else its id. And a context: its title, else
 * its id. Borrowed. */
REGRET_API const char *regret_agent_name(const struct regret_agent *agent);
REGRET_API const char *regret_context_name(const struct regret_context *context);

/* The default segments [C]: one per component, 0.55 on its own and the rest shared equally (0.15
 * each with four components; all on the only one), named after it. Replaces pool->segments. */
REGRET_API int regret_pool_default_segments(struct regret_pool *pool);

/* The name of value k of an output: of a component, a count or an aux label; borrowed. */
REGRET_API const char *regret_pool_value_name(const struct regret_pool *pool, size_t k);

/* Normalised component k of an output: (score - low)/(high - low), in [0,1]. */
REGRET_API double regret_pool_quality(const struct regret_pool *pool,
                                      const struct regret_output *output, size_t component);

/* A grid cut out of a pool: what every experiment runs on. Pairs are numbered
 * context-major, agent-minor, draw last: those of (x, a) begin at regret_grid_first(x * n_agents + a), each (x, a)
 * with all the draws that the pool has of it. It is complete, but for REGRET_GRID_OBSERVED, under which pairs may be
 * unobserved. */
enum regret_grid_policy {
    REGRET_GRID_FAIL,        /* any missing (context, agent) is an error that names the first one */
    REGRET_GRID_COMPLETE,    /* the largest complete sub-grid found by the stated greedy rule */
    REGRET_GRID_IMPUTE_ZERO, /* a missing output is empty text with all scores at their low end */
    REGRET_GRID_OBSERVED /* a missing pair is unobserved: it is never drawn, and nothing is made up for it */
};

struct regret_grid_options {
    enum regret_grid_policy policy;
    size_t hard_contexts; /* keep this many contexts of highest difficulty; 0 keeps all */
    size_t
        min_comparable; /* of REGRET_GRID_OBSERVED: contexts with two observed agents that there must be */
};
#define REGRET_GRID_OPTIONS_INIT                                                                   \
    {                                                                                              \
        REGRET_GRID_COMPLETE, 0, 20                                                                \
    }

struct regret_grid {
    const struct regret_pool *pool; /* borrowed; must outlive the grid */
    size_t n_contexts, n_agents;
    size_t n_draws,
        most_draws; /* the fewest and the most draws of an (x, a) with any; 1 if none has */
    size_t *
        first; /* [n_contexts * n_agents + 1] the first pair of each (x, a), then the number of pairs; NULL
                      where all have n_draws. Owned. */
    size_t *contexts;                     /* pool indices, ascending; owned */
    size_t *agents;                       /* pool indices, ascending; owned */
    const struct regret_output **outputs; /* one a pair; NULL where imputed; owned array */
    double *difficulty;                   /* one a context of the grid; owned */
    struct regret_pool_tag
        *tags;      /* those of its contexts, by first appearance; NULL without; owned */
    size_t n_tags;  /* 0: no context has one */
    uint32_t *kind; /* which of them each context has; NULL without tags; owned */
    size_t dropped_contexts, dropped_agents; /* by REGRET_GRID_COMPLETE; under REGRET_GRID_OBSERVED
                                                those without any output */
    size_t imputed; /* pairs, each draw counted, without an output that count as 0 */
    /* Where pairs are unobserved, those (x, a) that are not: the agents of context x are
     * observed[observed_start[x]] to observed[observed_start[x + 1] - 1], ascending, one at least. NULL of
     * a grid without unobserved pairs. Owned. */
    size_t *observed_start; /* [n_contexts + 1] */
    uint32_t *observed;
    size_t
        comparable; /* contexts with two observed agents at least; all, where nothing is unobserved */
};

/* Cuts the grid; NULL options are the defaults. Order of work: the policy, then the hard subset, then the
 * draws: all that there are; an (x, a) without any has n_draws places.
 * Difficulty of a context [C]: one minus the mean over its kept agents of the mean over the pair's
 * draws of the mean
 * normalised component; an imputed pair counts as zero, an unobserved one not at all. Difficulties equal to 2^-40 tie (the same
 * scores summed in another order); ties keep the lower index. The greedy rule of
 * REGRET_GRID_COMPLETE: while a pair is missing, drop the context or agent with the largest share
 * of missing pairs among those kept (ties: the context, then the lower index). REGRET_GRID_OBSERVED drops
 * contexts and agents without any output. REGRET_E_INPUT: a missing pair under REGRET_GRID_FAIL, fewer than
 * min_comparable contexts with two observed agents where pairs are unobserved, more hard contexts than there are, more than
 * REGRET_GRID_MAX_PAIRS pairs, outputs out of order (regret_pool_check() sorts them). O(outputs +
 * pairs log agents), and the work of the greedy rule. */
REGRET_API int regret_grid_cut(struct regret_grid **out, const struct regret_pool *pool,
                               const struct regret_grid_options *options);
REGRET_API void regret_grid_free(struct regret_grid *grid);

/* Where pairs are numbered cell by cell: the first of a cell, and the cell of a pair, O(log cells). `first` is NULL where
 * every cell has n_draws. */
REGRET_API size_t regret_first_pair(const size_t *first, size_t n_draws, size_t cell);
REGRET_API size_t regret_cell_of(const size_t *first, size_t n_draws, size_t cells, size_t pair);
/* The first pair of cell x * n_agents + a; of the cell behind the last the number of pairs. */
REGRET_API size_t regret_grid_first(const struct regret_grid *grid, size_t cell);
/* The cell of a pair. */
REGRET_API size_t regret_grid_cell(const struct regret_grid *grid, size_t pair);
/* Number of pairs. */
REGRET_API size_t regret_grid_pairs(const struct regret_grid *grid);
/* How many agents are observed on a context: all, where nothing is unobserved; and the i-th of them. */
REGRET_API size_t regret_grid_observed(const struct regret_grid *grid, size_t context);
REGRET_API size_t regret_grid_observed_agent(const struct regret_grid *grid, size_t context,
                                             size_t i);
/* 1: nothing is known of the pair. */
REGRET_API int regret_grid_is_unobserved(const struct regret_grid *grid, size_t pair);
/* Text of a pair's output ("" where imputed or unobserved) and of its context. Borrowed. */
REGRET_API const char *regret_grid_output_text(const struct regret_grid *grid, size_t pair);
REGRET_API const char *regret_grid_context_text(const struct regret_grid *grid, size_t context);
/* 1 when agent `agent` of the grid gives one text to all of its contexts, two at least, and is nowhere
 * imputed; to all on which it is observed, where pairs are unobserved. */
REGRET_API int regret_grid_is_constant(const struct regret_grid *grid, size_t agent);
/* Normalised component, count by index, and aux label by index of a pair (0 where imputed or unobserved). */
REGRET_API double regret_grid_quality(const struct regret_grid *grid, size_t pair,
                                      size_t component);
REGRET_API double regret_grid_count(const struct regret_grid *grid, size_t pair, size_t count);
REGRET_API double regret_grid_aux(const struct regret_grid *grid, size_t pair, size_t label);

/* A pool's scores, drawn closer or pushed apart: between contexts, between agents, inside a context, and by noise
 * that nothing predicts. */

/* How far apart the normalised components q of a pool are to lie, as factors, and noise. */
struct regret_spread_options {
    double within;   /* w: inside a context */
    double agents;   /* g: between the agents' means, inside contexts */
    double contexts; /* c: between the contexts' means */
    double noise;    /* s: deviation of noise, in units of the component's range */
    uint64_t seed;   /* of the noise */
};
#define REGRET_SPREAD_OPTIONS_INIT                                                                 \
    {                                                                                              \
        1.0, 1.0, 1.0, 0.0, 0                                                                      \
    }

/* 1 when the options change anything. */
REGRET_API int regret_spread_is_on(const struct regret_spread_options *options);

/* Changes the scores of a pool, component by component. With m the mean over all outputs, m + C(x) that over the
 * outputs on x, A(a) the mean of q - m - C over the outputs of a, and I the rest of an output, its draw's included,
 *
 *   q' = clip(m + c C(x) + w (g A(a) + I) + s ε, 0, 1)
 *
 * with ε standard normal, keyed by the seed and the ids of context, agent and component and the draw: of one
 * output it is the same whatever other outputs there are, in any order. Missing outputs are left missing; the means
 * are over those there are. Counts, aux labels and texts stay. Options that are not on leave every bit.
 * *clipped, which may be NULL: how many scores were moved into their range. REGRET_E_INPUT for a number that is
 * negative or not finite. The pool is one that regret_pool_check() passed. O(outputs × components). */
REGRET_API int regret_pool_spread(struct regret_pool *pool,
                                  const struct regret_spread_options *options, size_t *clipped);

#endif
