/* Columns of scores that tell of each other: one that is made of the rest, and several of raters of the same thing. */
#ifndef REGRET_IMPORT_GUESS_RELATIONS_H
#define REGRET_IMPORT_GUESS_RELATIONS_H

#include "regret/buffer.h"

struct table_guess;

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

struct guess_relations {
    struct guess_made made[GUESS_MOST_MADE];
    size_t n_made;
    struct guess_raters raters[GUESS_MOST_RATERS];
    size_t n_raters;
    size_t *
        rater_of; /* [columns] its entry of `raters`, or GUESS_NO_COLUMN; NULL: there are none; owned */
};

/* Looks at the components of a long table, or at the agents of a wide one, and changes their roles. The table is read once
 * more. O(rows · columns²). */
int guess_relations_find(struct table_guess *guess, const char *path);
void guess_relations_free(struct guess_relations *relations);
void guess_relations_explain(struct regret_buffer *out, const struct table_guess *guess);
/* The raters that column k stands for, or NULL; 1 where another column stands for it. */
const struct guess_raters *guess_raters_at(const struct table_guess *guess, size_t k);
int guess_is_other_rater(const struct table_guess *guess, size_t k);

/* Krippendorff's alpha with the squared difference (Computing Krippendorff's alpha-reliability, 2011) of n units by m raters,
 * [n × m] by units, NaN where one says nothing; NaN where nothing differs or no unit has two. O(n m). */
double krippendorff_alpha(const double *value, size_t n, size_t m);

#endif
