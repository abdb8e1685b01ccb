/* How the families and the baselines stand over some cells: mean regret, its interval, and the verdict
 * against the best family. */
#ifndef REGRET_REPORT_CONTENDERS_H
#define REGRET_REPORT_CONTENDERS_H

#include "report/rows/lists.h"
#include "report/rows/table_data.h"

enum contender_verdict {
    CONTENDER_BEST,   /* the family of lowest mean regret; of equals the first of the run */
    CONTENDER_TIED,   /* the 95 % interval of the paired difference to the best holds 0 */
    CONTENDER_WORSE,  /* … lies above 0 */
    CONTENDER_BETTER, /* … below 0: a baseline that no family reaches */
    CONTENDER_UNKNOWN /* fewer than two seeds have both */
};

struct contender {
    size_t subject;
    double mean, se;       /* of regret, over cells and seeds (struct estimate) */
    struct paired to_best; /* its regret less the best family's; of that itself 0 of no pairs */
    struct regret_two_way
        on_new; /* the same difference, by seeds and contexts; of the best itself 0 */
    enum contender_verdict verdict;
};

/* Those with data, each kind by mean regret; equals keep the run's order. Families are the ranked ones,
 * baselines all but the oracle, whose regret is 0. */
struct contenders {
    const struct regret_results *r; /* borrowed */
    struct contender *items;        /* owned: the families, then the baselines */
    size_t n_families, n;
};
int contenders_make(struct contenders *out, const struct slice *cells);
/* The same, for many cells one by one, without the intervals on new contexts (0). */
int contenders_compare(struct contenders *out, const struct slice *cells);
void contenders_free(struct contenders *s);

/* The baselines of lowest mean regret that are one agent for everybody (best-exp or best-obs), and one agent for each
 * tag; NULL without one. */
const struct contender *contenders_single_agent(const struct contenders *s);
const struct contender *contenders_by_tag(const struct contenders *s);

/* Names of the families that are in, each by its place among the items: "a, b and c", or "a, b, c, d and 4 more". */
void contenders_list(struct regret_buffer *out, const struct contenders *s,
                     int (*is_in)(const struct contenders *, size_t));

/* Which family has the lowest regret, and which would be behind it on new contexts, by intervals that are wide enough
 * for all pairs of families, since the lowest was chosen by them. Names are other people's texts, not escaped. */
void contenders_sentence(struct regret_buffer *out, const struct contenders *s);

#endif
