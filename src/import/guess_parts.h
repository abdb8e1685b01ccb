/* Parts of a guess. */
#ifndef IMPORT_GUESS_PARTS_H
#define IMPORT_GUESS_PARTS_H

#include <stddef.h>

#include "import/profile.h"
#include "regret/buffer.h"

struct table_guess;
struct table_source;

/* A row at hand, or NULL for a bad one. REGRET_E_INPUT: it is bad. */
typedef int guess_take_row(void *context, struct table_source *row);
/* Reads the rows that were looked at; what import would refuse is passed over, and said when it comes to it. */
int guess_read(const struct table_guess *guess, const char *path, const char *const *field,
               size_t n_fields, guess_take_row *take, void *context);

/* The numbers of a table: of columns of scores and others that may matter, by rows as they were looked at; NaN where there
 * is none. */
struct guess_numbers {
    size_t *column; /* owned, as is the next */
    double *value;  /* n × m, by row */
    size_t n, m;
};
/* Takes them from the profile into guess->numbers. Roles of numbers must be known. */
int guess_numbers_take(struct table_guess *guess);
/* Where column k stands among them, or GUESS_NO_COLUMN. O(m). */
size_t guess_numbers_place(const struct guess_numbers *x, size_t k);
void guess_numbers_free(struct guess_numbers *x);

enum { GUESS_MOST_MADE = 8, GUESS_MOST_RATERS = 8, GUESS_QUALITY = 64 };

/* A column that is left out, for it is the mean of the others, or their sum, median, highest or lowest. */
struct guess_made {
    size_t column;
    const char *how; /* static */
};

/* Columns of raters, whose mean is one component. */
struct guess_raters {
    size_t first;             /* the column that stands for them */
    char name[GUESS_QUALITY]; /* of the component */
    double alpha;             /* Krippendorff's, of intervals; NaN: too little to tell */
};

/* What raters in rows agree on: a column of scores. */
struct guess_rated {
    size_t column;
    double alpha;
};

struct guess_relations {
    struct guess_rated rated[GUESS_MOST_RATERS];
    size_t n_rated;
    int has_draws; /* 1: by raters in rows, pairs have several outputs */
    struct guess_made made[GUESS_MOST_MADE];
    size_t n_made;
    struct guess_raters raters[GUESS_MOST_RATERS];
    size_t n_raters;
    size_t apart[2]; /* two that are raters' by their names, on two scales; both 0: none */
    size_t *
        rater_of; /* [columns] its entry of `raters`, or GUESS_NO_COLUMN; NULL: there are none; owned */
};

/* Finds a column that says who has rated a row, where pairs of a context and an agent, which are known, have several
 * raters: at[GUESS_RATER]. And, when outputs and scores are known, too, how well these agree, and whether pairs have several
 * outputs. O(rows · log rows · columns). */
int guess_rater_find(struct table_guess *guess);
int guess_rated_find(struct table_guess *guess);

/* Looks at the components of a long table, or at the agents of a wide one, in guess->numbers, and changes their roles.
 * O(rows · columns²). */
int guess_relations_find(struct table_guess *guess);
void guess_relations_free(struct guess_relations *relations);
void guess_relations_explain(struct regret_buffer *out, const struct table_guess *guess);
/* The raters that column k stands for, or NULL; 1 where another column stands for it. */
const struct guess_raters *guess_raters_at(const struct table_guess *guess, size_t k);
int guess_is_other_rater(const struct table_guess *guess, size_t k);

/* The columns that measure the same, and how many; `rival`: the first of as many that measure something else, or
 * GUESS_NO_COLUMN. */
struct guess_plain {
    size_t *column; /* owned */
    size_t n, rival;
};
int guess_plain_find(struct guess_plain *out, const struct table_guess *guess);

/* What is to be said of a column, so that no agent is lost in silence and nothing else becomes one. */
enum guess_doubt {
    GUESS_SURE,
    GUESS_FAR,         /* an agent whose numbers go beyond those of the others, … */
    GUESS_NARROW,      /* … or have a small part of their range */
    GUESS_OTHER_SCALE, /* none, for its numbers do, … */
    GUESS_OTHER_GROUP, /* … and those of two columns more, which may be agents of another measure */
    GUESS_NO_NAME,     /* none, for its name cannot stand in a map */
    GUESS_OTHER_NAME, /* none, by its name */
    GUESS_DOUBTS
};
/* Sets guess->doubt of a wide table. O(columns²). */
int guess_plain_doubt(struct table_guess *guess);
void guess_plain_explain(struct regret_buffer *out, const struct table_guess *guess);

enum { GUESS_MOST_COVARIATES = 16 };

/* Why a column that tells of contexts must not be known to those who choose among agents. */
enum guess_leak {
    GUESS_NO_LEAK,
    GUESS_AGENTS_NAMES, /* it names agents: the best one, it may be */
    GUESS_FROM_SCORES /* it follows from the mean of a context's scores, or their highest, lowest or range */
};
/* Sets guess->leak of the columns without a role that follow from the context. Scores must be known, and guess->numbers.
 * O(columns · scores · rows log rows). */
int guess_leaks_find(struct table_guess *guess);
/* Makes numbers and words of contexts covariates, but for those that leak: GUESS_COVARIATE in guess->role, or why not in
 * guess->left. */
int guess_covariates_find(struct table_guess *guess);
/* 1: a number; 0: a word, as is the number of a kind ("category": 3). */
int guess_covariate_is_number(const struct profile_column *column);
void guess_covariates_explain(struct regret_buffer *out, const struct table_guess *guess);

/* Why a column without a role is no covariate. */
enum guess_left {
    GUESS_LEFT_NOT,
    GUESS_LEFT_NAMELESS,
    GUESS_LEFT_BLANK,
    GUESS_LEFT_SAME,
    GUESS_LEFT_NAMED,
    GUESS_LEFT_BELOW, /* a leak or a doubt, which are explained */
    GUESS_LEFT_HOLES,
    GUESS_LEFT_VARIES,
    GUESS_LEFT_COUNTS,
    GUESS_LEFT_LONG,
    GUESS_LEFT_MIXED,
    GUESS_LEFT_KINDS,
    GUESS_LEFT_FEW,
    GUESS_LEFT_AGAIN,
    GUESS_LEFT_MANY,
    GUESS_LEFTS
};
/* Appends it, after a comma. */
void guess_covariates_why(struct regret_buffer *out, const struct table_guess *guess, size_t k);

/* REGRET_E_INPUT where columns of scores hold percentages, words or letters beside other numbers, or texts in more than one
 * row of twenty; or an agent's column a number that must be a slip. The message says where, and what to do. */
int guess_check_scores(struct table_guess *guess, const char *path);
/* The same where line 2 of CSV is of the header, too; and where a wide table has a row an agent. */
int guess_check_header(const struct table_guess *guess, const char *path);
int guess_check_turned(const struct table_guess *guess, const char *path);
/* REGRET_E_INPUT: no columns can be contexts and agents, or none a score; what nearly could be is named. */
int guess_refuse_without_keys(const struct table_guess *guess, const char *path);
int guess_refuse_without_score(const struct table_guess *guess, const char *path);

/* REGRET_E_INPUT: a column of agents says the same in every row; or a row has one answer or one score, and nothing says whose; */
int guess_check_one(const struct table_guess *guess, const char *path);
int guess_check_answers(const struct table_guess *guess, const char *path);
/* columns taken for agents are not called so where either holds (1 where half of them are called as models are); */
int guess_wide_has_models(const struct table_guess *guess);
int guess_check_wide(const struct table_guess *guess, const char *path);
/* rows of one context (and agent, of a long table) are of several kinds: its ids start anew in each; or no column tells rows apart,
 * and a kind and a number together do. */
int guess_check_restart(const struct table_guess *guess, size_t context, size_t agent,
                        const char *path);
int guess_check_joint(const struct table_guess *guess, const char *path);

struct guess_votes {
    int is_found;
    size_t model[2];             /* columns */
    size_t winner[4], n_winners; /* one of words, or flags of model_a, model_b, tie, both bad */
    int is_share;                /* 1: the one is a number, what model_a has of the win */
    char *text[2];               /* fields of the answers; NULL: none; owned, as are the next two */
    char *context, *prompt; /* fields of id and text: the same where the text tells prompts apart */
    size_t tag;             /* a column; GUESS_NO_COLUMN: none */
    size_t blank, unknown;  /* rows without a winner, and with one that is not understood, … */
    char example[40];       /* … the first of these */
};

/* Looks for two columns of models and one that says who has won: with all of it, guess->votes.is_found, and the numbers of
 * contexts, agents and pairs are set. `path` is read once more where there are such columns. REGRET_E_INPUT: it is a table of votes, but lacks a prompt,
 * or winners that are understood. */
int guess_votes_find(struct table_guess *guess, const char *path);
void guess_votes_free(struct guess_votes *votes);

/* Append what stands behind "columns": { in the map, and what was assumed, for people. */
void guess_votes_map(struct regret_buffer *out, const struct table_guess *guess);
void guess_votes_explain(struct regret_buffer *out, const struct table_guess *guess);

#endif
