/* What the agents share of a context, c(x), by the design that foretells it best. */
#ifndef REGRET_MODEL_SHARED_H
#define REGRET_MODEL_SHARED_H

#include "model/fit/contrast.h"

struct shared {
    size_t design;
    double rho, mean;
    struct smooth *smooth; /* of the panel's contexts by that design; owned */
    double *coefficient;   /* [smooth->k]; owned */
    double *miss;          /* [rows] what the fit without a context misses of its c_x; owned */
};

/* Every design at every penalty, by the mean square of what the fit without a context misses. Of two rules the simpler is
 * taken unless the other's mean square is less by more than a standard error of the difference over contexts (Breiman and
 * others, Classification and Regression Trees, 1984, section 3.4.3). */
int shared_find(struct shared *out, const struct panel *panel, const struct design_list *designs,
                const double *value);
void shared_clear(struct shared *s);

#endif
