#include <string.h>

#include "experiment/export.h"
#include "linalg/design.h"
#include "regret/alloc.h"

/* The pairs that a fit or a measure of this replicate looks at. */
static int mark_used(unsigned char **out, const struct replicate *r)
{
    unsigned char *used = NULL;
    int rc = REGRET_NEW(&used, r->lab->pairs);
    if (rc != REGRET_OK) {
        return rc;
    }
    memcpy(used, r->bench->test, r->lab->pairs);
    replicate_mark_drawn(used, r);
    *out = used;
    return REGRET_OK;
}

void export_phi(struct regret_text *t, const struct replicate *r)
{
    struct regret_csr *joined = NULL;
    unsigned char *used = NULL;
    if (!r->lab->sparse) {
        regret_csr_matrix_market(t, r->lab->phi);
        return;
    }
    int rc = mark_used(&used, r);
    if (rc == REGRET_OK) {
        const struct regret_design phi =
            regret_design_sparse(r->lab->phi, r->lab->phi_context, r->lab->context);
        rc = design_join(&joined, &phi, used);
    }
    if (rc == REGRET_OK) {
        regret_csr_matrix_market(t, joined);
    } else {
        t->status = rc;
    }
    regret_csr_free(joined);
    regret_free(used);
}
