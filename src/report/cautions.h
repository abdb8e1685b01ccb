/* What to beware of. */
#ifndef REPORT_CAUTIONS_H
#define REPORT_CAUTIONS_H

#include <stddef.h>

#include "regret/buffer.h"
#include "regret/results.h"
#include "report/table.h"

/* What is to be borne in mind of a run, whoever tells of it: `run` and the report take it from here. */

/* The kinds, in the order in which they are said. */
enum caution {
    CAUTION_SYNTHETIC, /* generated data */
    CAUTION_GAPS,      /* replicates or shards are missing */
    CAUTION_UNMADE,    /* fits of one's own families are */
    CAUTION_GRID,  /* missing outputs count as 0, or contexts and agents were left out for them */
    CAUTION_APART, /* agents that votes put in no order */
    CAUTION_LEAKS, /* families of one's own that seem to have seen what was held out */
    CAUTION_CONSTANT, /* agents with one text for every context */
    CAUTION_CONTEXTS, /* too few held out to say anything of new ones */
    CAUTION_SEEDS,    /* too few */
    CAUTION_SPREAD,   /* scores were changed as they were read (spread.*) */
    N_CAUTIONS
};
#define CAUTION_BIT(kind) (1u << (kind))
/* What every teller says; the others stand elsewhere in some tellers' texts. */
#define CAUTIONS_COMMON                                                                            \
    (CAUTION_BIT(CAUTION_GRID) | CAUTION_BIT(CAUTION_APART) | CAUTION_BIT(CAUTION_LEAKS) |         \
     CAUTION_BIT(CAUTION_CONSTANT) | CAUTION_BIT(CAUTION_CONTEXTS) | CAUTION_BIT(CAUTION_SPREAD))
#define CAUTIONS_ALL (CAUTION_BIT(N_CAUTIONS) - 1u)

/* Appends what there is of a kind, in sentences; nothing where the run gives no cause. */
void caution_say(struct regret_buffer *out, enum caution kind, const struct regret_results *r);

/* All of the kinds in the mask that have something to say; names are other people's texts, not escaped. */
struct cautions {
    enum caution kind[N_CAUTIONS];
    struct regret_buffer sentences[N_CAUTIONS];
    size_t n;
};
int cautions_make(struct cautions *out, const struct regret_results *r, unsigned mask);
void cautions_free(struct cautions *c);

/* Cautions below a table that more than one run is in. */

/* Notes what a run lacks, with whose it is before it: replicates, fits of one's own families, outputs. */
int caution_notes(struct table *t, const char *whose, const struct regret_results *r);

#endif
