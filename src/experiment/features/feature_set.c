#include "experiment/features/feature_set.h"

#include "regret/alloc.h"
#include "regret/text.h"

void feature_set_free(struct feature_set *set)
{
    if (set == NULL) {
        return;
    }
    regret_grid_free(set->grid);
    regret_free(set->agent);
    regret_free(set->context);
    regret_csr_free(set->phi);
    regret_csr_free(set->phi_context);
    regret_free(set->gram);
    regret_terms_free(set->terms);
    regret_free(set->statistics);
    regret_free(set->aux);
    regret_free(set->components);
    regret_free(set->embedding);
    regret_free(set);
}
