/* The numbers of an evaluation, from surfaces that never saw what they are held against. */
#ifndef REGRET_EVALUATE_VALUES_H
#define REGRET_EVALUATE_VALUES_H

#include "evaluate/estimate/surfaces.h"
#include "evaluate/worth/worth.h"

/* Of a row whose fold is only learned from. */
#define NO_CHOICE UINT32_MAX

struct valuing {
    const struct material *m;
    const struct surface_list *list;
    const struct regret_evaluate_options *options;
    struct basis basis;           /* with the surface that is used */
    unsigned char *eligible;      /* [n_agents]; owned */
    uint32_t *is_late;            /* [rows] 1: of a fold on which policies are valued; owned */
    uint32_t *is_late_known;      /* [rows] … and the row has an f of its own; owned */
    struct part late, late_known; /* these; by request can be valued on the second alone */
    struct regret_evaluation *e;
};

/* Of a log alone in which agents are missing from kinds of requests: sets what is said of x, on the rows of a part, to nothing unless
 * x, and y if there is one, is on offer in all of them. */
void forget_unknown(struct regret_valued *value, const struct valuing *v, const struct chooser *x,
                    const struct chooser *y, const struct part *part);
/* Agents, differences, policies, tags (values.c, policy_values.c); groups of margins and what is advised (margins.c); what families miss
 * (losses.c). */
int value_agents(struct valuing *v);
int value_policies(struct valuing *v);
int value_margins(struct valuing *v);
int compare_families(struct valuing *v);

/* All numbers of an evaluation but the verdict and the sentences. */
int evaluation_fill(struct regret_evaluation *e, const struct regret_log *log,
                    const struct regret_evaluate_options *options);

#endif
