/* The findings of the paper as claims that a run can be asked about.
 *
 * A claim is a record of data/paper/claims.csv (data/paper/README.md says what its fields mean). It is reduced to one
 * number a seed, its evidence, which it says is above 0 on average; several such parts where it names several
 * rivals, or says "throughout". The interval of its mean over seeds gives the verdict, so cells that share a
 * seed are never taken for independent. What is no mean over seeds (ranks and wins, which are of cell means as
 * the paper's are) has its interval from resamples of the seeds. */
#ifndef REGRET_REPORT_CLAIMS_H
#define REGRET_REPORT_CLAIMS_H

#include "report/paper/shape.h"
#include "report/paper/sheet.h"
#include "report/rows/ranks.h"
#include "report/rows/table_data.h"

/* ---------------------------------------------------------------- claims as data (claim_file.c) */

/* Whose finding it is. Only the paper's are counted. */
enum claim_standing {
    STANDING_PAPER,
    STANDING_CONSTRUCTION, /* the paper says it, but the set-up leaves no other outcome */
    STANDING_OURS          /* not in the paper */
};

/* What can be compared: the measures of rows, these of a family among those ranked, and of its lists. */
enum {
    MEASURE_RANK = REGRET_N_MEASURES, /* of the mean regret of a cell, mean over cells */
    MEASURE_TOP3,                     /* cells in which that is among the three lowest */
    MEASURE_EXCESS,                   /* in % over the best mean of the cell */
    MEASURE_WINS,                     /* cells in which its mean regret is the lowest */
    MEASURE_MOST_WINS,                /* the most wins that any family has */
    MEASURE_SMALL_LAMBDA,             /* share of fits with λ of at most 0.1 */
    MEASURE_COSTLIEST, /* share of the regret that the costliest tenth of recommendations makes */
    MEASURE_DM_BIAS,   /* squared bias of its DM values, mean over agents; of its DR values */
    MEASURE_DR_BIAS,
    N_CLAIM_MEASURES
};

/* What a subject's number is taken against, which together are the claim's amount. */
enum claim_against {
    AGAINST_NOTHING,
    AGAINST_EACH, /* each of the others or, without any, each other ranked family: a part for each */
    AGAINST_OTHER,          /* the first of the others */
    AGAINST_DM,             /* its own DM error */
    AGAINST_HALF,           /* half of the cells, fits or regret */
    AGAINST_BEST_OTHER,     /* the best of the others, chosen on the other seeds */
    AGAINST_BEST_OBS_BASED, /* the best OBS-based family, likewise */
    AGAINST_BEST_RANKED,    /* the best other ranked family, likewise */
    N_AGAINST
};

/* How the amounts in cells are put together. */
enum claim_over {
    OVER_ALL,   /* their mean */
    OVER_EACH,  /* a part for each cell or, with a key, for each value of it */
    OVER_SLOPE, /* the least-squares slope along the key */
    OVER_CHANGE, /* greatest value of the key less the least; with a second key, less the change along that */
    OVER_FLIP,  /* a part at the least value of the key; at the greatest with the other sign */
    OVER_CROSS, /* a part at each value; at the first two fifths of them with the other sign */
    OVER_FIT, /* where the proxy explains more of the target than success; elsewhere with the other sign */
    OVER_ROWS, /* each budget but the least, less the least */
    N_OVER
};

/* Families chosen on the other seeds, as a subject. */
enum claim_choice { CHOICE_NONE, CHOICE_BY_CELL, CHOICE_BY_TOP1 };

/* Which of the cells the claim speaks of. */
enum claim_at { AT_VALUE, AT_FIRST, AT_LAST, AT_LATER, AT_UPPER, AT_LAST_TWO };
struct claim_cells {
    const char *key;
    enum claim_at at;
    const char *value; /* AT_VALUE */
};

enum { CLAIM_SUBJECTS = 5, CLAIM_KEYS = 2, CLAIM_CELLS = 4, CLAIM_NEEDS = 4, CLAIM_MEASURES = 2 };
struct claim {
    const char *id, *idea, *paper,
        *text; /* the idea heads it; where the paper has it; what it says */
    enum claim_standing standing;
    unsigned views;                       /* bits of claims.views */
    enum regret_row_kind kind;            /* of the subjects */
    const char *subjects[CLAIM_SUBJECTS]; /* those spoken of, then the others */
    size_t n_subjects;                    /* how many those are */
    int everyone;                         /* spoken of is every ranked family */
    enum claim_choice choice;
    int measures[CLAIM_MEASURES]; /* each asked of; the second may be −1 */
    enum claim_against against;
    int sign; /* +1: above; −1: below; 0: near */
    enum claim_over over;
    const char *keys[CLAIM_KEYS];
    struct claim_cells cells[CLAIM_CELLS];
    size_t n_cells;
    const char *needs[CLAIM_NEEDS]; /* keys that must be swept */
    int needs_families;             /* the paper's six */
};

/* Parts of the paper, each an experiment of its own shape (data/paper/views.csv). A claim is asked of runs
 * that have the shape of a view that it is about, and of no others. */
struct claims {
    struct sheet sheet, view_sheet;
    struct shape *views;
    struct claim *items;
    size_t n, n_views;
};

/* Those of the paper; or those of a text called `name` in the same columns, for tests. */
int claims_read(struct claims *out);
int claims_parse(struct claims *out, const char *text, const char *name);
void claims_free(struct claims *c);

/* The views whose shape the run of all these cells has, as bits. */
unsigned claim_views_of(const struct claims *c, const struct slice *all);
/* The cells in groups as those of the run's tables, but not by a key that a view of the run sweeps. */
int claim_groups(struct groups *out, const struct claims *c, const struct table_data *d);
/* Appends the names of those in `views`, ", " between them. */
void claim_views_append(struct regret_buffer *out, const struct claims *c, unsigned views);

#endif
