/* A table of the report as a specification: which cells make its blocks and columns, and which
 * numbers its rows. tables.c holds them all and spec_table.c makes a struct table of one. It says
 * nothing of how numbers are shown, so that a figure can follow it as well. */
#ifndef REGRET_REPORT_SPEC_H
#define REGRET_REPORT_SPEC_H

#include "report/render/table.h"
#include "report/rows/blocks.h"
#include "report/rows/parts.h"
#include "report/rows/table_data.h"

/* ---------------------------------------------------------------- lines */

/* Whose number it is. */
enum subject_kind {
    SUBJECT_SELF, /* that of the block or, in a block without axes, of the row */
    SUBJECT_FAMILY,
    SUBJECT_FIT,
    SUBJECT_BEST_OBS_BASED /* the OBS-based family of lowest mean regret in the cells at hand */
};
struct subject_spec {
    enum subject_kind kind;
    const char *name; /* of a family or a fit */
};

enum statistic {
    STATISTIC_MEAN, /* over cells and seeds, ± its standard error over seeds */
    STATISTIC_PLAIN_MEAN,
    STATISTIC_MEAN_DIFFERENCE,   /* of two such means, ± the error of the paired difference */
    STATISTIC_PAIRED_DIFFERENCE, /* over seeds, ± its error; stressed where below 0 for certain */
    STATISTIC_PAIRED_MEAN,       /* the same number by itself */
    STATISTIC_PAIRED_LOW,        /* the ends of its 95 % interval */
    STATISTIC_PAIRED_HIGH,
    STATISTIC_SHARE_BELOW, /* in %, of the cells in which the mean is below the other's */
    STATISTIC_WINS /* cells with the lowest mean of the block's rows, ties counting for each */
};

/* The subjects that a line is there for, each of them SUBJECT_SELF. Baselines and fits only where
 * the run has their number. */
enum line_each { LINE_ONCE, LINE_EACH_RANKED, LINE_EACH_BASELINE, LINE_EACH_FIT };

/* A number of some cells: a row of a block with axes, or a column of one without. */
struct line_spec {
    const char *label; /* comes before the subject's name in a line for each of several */
    enum statistic statistic;
    enum regret_measure measure;
    enum line_each each;
    struct subject_spec subject;
    enum regret_measure other_measure; /* of a difference or share: what it is against */
    struct subject_spec other;
};

/* Where a line is read. */
struct line_place {
    const struct slice *slice;
    size_t self;        /* SUBJECT_SELF; REGRET_NO_ROW where there is none */
    const size_t *rows; /* n_rows subjects that STATISTIC_WINS is among */
    size_t n_rows;
};

struct line_value {
    double value, se;    /* NaN where the run has none */
    int decimals;        /* worth showing */
    unsigned flags;      /* enum table_flag */
    const char *subject; /* the best family's name where the line chose it, or NULL; borrowed */
};
int line_read(struct line_value *out, const struct line_spec *line, const struct line_place *at);

/* ---------------------------------------------------------------- blocks */

/* A key whose values make columns; a block whose key is not swept is left out. */
struct axis_spec {
    const char *key, *symbol; /* "beta", "β"; the symbol "" shows the values by themselves, and
                                 NULL is that of a parameter of a reward map */
};

enum {
    SPEC_AXES = 2,
    SPEC_ROWS = 4,
    SPEC_BLOCKS = 4,
    SPEC_NOTES = 3,
    SPEC_NEEDS = 2,
    SPEC_KEYS = 2
};

/* The cells with that value of a key; a block of them is left out of a run that has no others, too. */
struct at_spec {
    const char *key, *value; /* no key: every cell */
};

/* A block is there once for each group of cells. With axes the values of the keys make its columns
 * and the lines its rows; without, the lines make its columns and families its rows. */
struct block_spec {
    const char *corner;  /* heads the labels of the rows */
    const char *heading; /* after the group's own, or NULL */
    struct axis_spec axes[SPEC_AXES];
    const struct line_spec *lines; /* up to one without a label */
    /* with axes */
    struct at_spec at;
    const char *self;      /* the family that is SUBJECT_SELF, or NULL; without it, no block */
    int each_family;       /* 1: a block for each ranked family with the first line's measure */
    const char *from, *to; /* values of the axis: a last column of `to` less `from`; or NULL */
    /* without axes */
    const char *rows[SPEC_ROWS]; /* the families of the rows; none: all that are ranked */
    int variants;                /* 1: and every other variant of one of them */
    const char *split;           /* after the block a block for each value of this key, or NULL */
    int count_cells;             /* 1: the heading is how many cells the block is over */
};

/* ---------------------------------------------------------------- tables */

/* What a run must have for the table to say anything. */
enum table_need_kind {
    TABLE_NEEDS_NOTHING,
    TABLE_NEEDS_SWEEP,   /* of one of the keys; of any where none is named */
    TABLE_NEEDS_MEASURE, /* of a ranked family */
    TABLE_NEEDS_VARIANT, /* a family that is compared with another only */
    TABLE_NEEDS_TUNING   /* a family that chooses hyper-parameters */
};
struct table_need {
    enum table_need_kind kind;
    const char *keys[SPEC_KEYS];
    enum regret_measure measure;
    const char *otherwise; /* the note that is all there is without it; of variants its end */
};

enum groups_by {
    GROUPS_BY_KEYS,          /* every extra swept key but those of the reward design */
    GROUPS_BY_MAP_AND_KEYS,  /* the reward map, then those */
    GROUPS_NONE_BUT_THE_KEYS /* all cells; a block along each swept key in turn */
};

/* What a specification cannot say. */
typedef int table_part(struct table *t, const struct table_data *d);

struct table_spec {
    const char *name, *title;
    const char *title_of_votes; /* of runs of votes, where it is another one */
    enum report_part part;
    struct table_need needs[SPEC_NEEDS];
    enum groups_by groups_by;
    struct block_spec blocks[SPEC_BLOCKS];
    int of_pool;      /* 1: of the pool itself, so that seeds and rows that lack do not matter */
    table_part *more; /* blocks, or notes, after those blocks; or NULL */
    const char *notes[SPEC_NOTES]; /* what the numbers are */
    table_part *remark;            /* notes after those that depend on the run; or NULL */
};

/* Makes the table. Errors of the table itself stay in t->status. */
int table_from_spec(struct table *t, const struct table_spec *spec, const struct regret_results *r);

/* The table of the report of that name (REGRET_E_INPUT with a suggestion where there is none). */
int table_make(struct table *t, const struct regret_results *r, const char *name);

/* Where the table of that name stands in a page. */
enum report_part table_part_of(const char *name);

/* ---------------------------------------------------------------- for parts in code */

table_part put_means, put_summary, put_winners, put_tags, put_costs, put_chosen_lambdas, put_tuning,
    remark_detectable;

/* 1 when the family chose hyper-parameters anywhere; those of fixed defaults choose nothing. */
int family_is_tuned(const struct regret_results *r, size_t family);

#endif
