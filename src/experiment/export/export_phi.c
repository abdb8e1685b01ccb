#include <string.h>

#include "base/core/try.h"
#include "experiment/export/export.h"
#include "linalg/design/design.h"
#include "regret/alloc.h"

/* φ of the pairs that a fit or a measure of this replicate looks at. */
static int used_rows(struct regret_csr **out, const struct replicate *r)
{
    const struct feature_set *f = r->setting.features;
    const struct regret_design phi = regret_design_sparse(f->phi, f->phi_context, f->context);
    FREED unsigned char *used = NULL;
    TRY(REGRET_NEW(&used, f->pairs));
    for (size_t p = 0; p < f->pairs; p++) {
        used[p] = r->setting.split.test[p] || r->setting.split.reference[p];
    }
    draws_mark(used, &r->draws);
    return design_join(out, &phi, used);
}

void export_phi(struct regret_buffer *t, const struct replicate *r)
{
    struct regret_csr *joined = NULL;
    if (!r->setting.features->sparse) {
        regret_csr_matrix_market(t, r->setting.features->phi);
        return;
    }
    int rc = used_rows(&joined, r);
    if (rc != REGRET_OK) {
        regret_buffer_fail(t, rc);
        return;
    }
    regret_csr_matrix_market(t, joined);
    regret_csr_free(joined);
}
