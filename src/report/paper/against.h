/* A run held against numbers that somebody has published: ours beside each, with its interval; whether
 * the families are in the same order and the same one wins. table_against.c shows it. */
#ifndef REGRET_REPORT_AGAINST_H
#define REGRET_REPORT_AGAINST_H

#include "report/paper/published.h"
#include "report/render/table.h"
#include "report/rows/table_data.h"

/* ---------------------------------------------------------------- what a run is held against */

struct against_source {
    struct published published;
    const struct paper_table *paper; /* borrowed; NULL for a file of the user's */
};
struct against {
    int is_paper;
    struct paper_tables tables; /* all of the paper, where is_paper */
    struct against_source *sources;
    size_t n;
};

/* "paper": the tables of the paper that the run has the shape of; "T4,T5": those, whatever its shape;
 * a path with a slash or the end ".csv": that file. An unknown name is REGRET_E_INPUT with a list. */
int against_read(struct against *out, const char *what, const struct regret_results *r);
void against_free(struct against *a);

/* Of the tables that the run's configuration names (key "paper"), those that it has the shape of, as
 * against_read() takes them; NULL when there are none. A name that no table has is REGRET_E_INPUT. Free it. */
int against_configured(char **out, const struct regret_results *r);

/* ---------------------------------------------------------------- numbers (against_numbers.c) */

enum agreement {
    AGREEMENT_NONE, /* nothing to agree on */
    AGREEMENT_YES,
    AGREEMENT_CLEAR, /* and the run can tell the winner from the second, or the sign from 0 */
    AGREEMENT_TIED,  /* not the same, but the run cannot tell the two apart */
    AGREEMENT_NO
};

struct comparison {
    const struct published_number *number;
    struct slice cells; /* of the run, that it speaks of; owned */
    size_t subject;     /* of the run */
    char *lacking;      /* why the run has no such number; NULL where it has one; owned */
    double ours, low, high;
    double *resample; /* ours in each of PAIRED_RESAMPLES resamples of the seeds; owned */
    size_t winner;    /* of a lead: the run's family of lowest mean regret in the cells */
    size_t group;     /* of numbers that rank families, from 0; REGRET_NO_ROW outside of any */
    size_t place, place_ours; /* in the group, from 1; 0 where there is none */
    enum agreement agreement; /* of the lead or sign, or of the place */
};

/* One table held against some cells. */
struct comparisons {
    const struct published *published;
    const struct slice *cells; /* borrowed */
    struct comparison *items;
    size_t n;
    size_t *rivals; /* families that are ranked against each other here */
    size_t n_rivals;
    size_t n_groups;
    enum agreement *winners; /* of each group */
};

/* The numbers of the file's table that the `first` is of. */
int comparisons_make(struct comparisons *out, const struct published *p, size_t first,
                     const struct slice *cells);
void comparisons_free(struct comparisons *c);

/* ---------------------------------------------------------------- order (against_order.c) */

/* Groups the numbers that rank families, and fills in places, winners and agreements. */
int comparisons_rank(struct comparisons *all);

/* What the numbers of one statistic come to. */
struct against_tally {
    const struct published_statistic *statistic;
    size_t printed, compared;
    size_t families;            /* that the correlations are over */
    double spearman, kendall;   /* of their means over the groups or, of leads, of the cells won */
    size_t agree, tied, differ; /* winners of groups or cells; of differences, signs */
    size_t clear;               /* of those that agree */
    size_t pairs, in_order;     /* pairs of families of a group whose published numbers differ */
};

/* The i-th statistic of the table, in the order in which they come; *more is 0 past the last. */
int comparisons_tally(struct against_tally *out, int *more, const struct comparisons *all,
                      size_t i);

/* ---------------------------------------------------------------- the table (table_against.c) */

/* The run beside d->against: a headline, then a block for each published table. */
int put_against(struct table *t, const struct table_data *d);

#endif
