#include "experiment/external/external_phi.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/core/try.h"
#include "external/npy.h"
#include "linalg/design/design.h"
#include "regret/alloc.h"
#include "regret/file.h"

FREED_POINTER(struct regret_csr, regret_csr_free)

static const char *const phi_files[] = {"phi_indptr.npy", "phi_indices.npy", "phi_data.npy"};
enum { PHI_FILES = sizeof phi_files / sizeof *phi_files };

_Static_assert(sizeof(size_t) == 8, "offsets are written as they are");

static int write_csr(const char *folder, const struct regret_csr *phi)
{
    size_t n = regret_csr_entries(phi);
    const struct npy_array arrays[PHI_FILES] = {{NPY_I64, phi->rows + 1, 0, phi->row_start},
                                                {NPY_I32, n, 0, phi->column},
                                                {NPY_F64, n, 0, phi->value}};
    for (size_t i = 0; i < PHI_FILES; i++) {
        TRY(npy_write(folder, phi_files[i], &arrays[i]));
    }
    return REGRET_OK;
}

int external_write_phi(const char *folder, const struct feature_set *f)
{
    const struct regret_design phi = regret_design_sparse(f->phi, f->phi_context, f->context);
    FREED_BY(regret_csr_free_at) struct regret_csr *joined = NULL;
    FREED unsigned char *all = NULL;
    if (!f->sparse) {
        return write_csr(folder, f->phi);
    }
    TRY(REGRET_NEW(&all, f->pairs));
    memset(all, 1, f->pairs);
    TRY(design_join(&joined, &phi, all));
    return write_csr(folder, joined);
}

int external_link_phi(const char *folder, const char *phi)
{
    for (size_t i = 0; i < PHI_FILES; i++) {
        char *from = NULL, *to = NULL;
        int rc;
        TRY_CLEANUP(regret_path_join(&from, phi, phi_files[i]));
        TRY_CLEANUP(regret_path_join(&to, folder, phi_files[i]));
        if (link(from, to) != 0) {
            rc = regret_fail(REGRET_E_IO, "cannot link %s to %s: %s", from, to, strerror(errno));
        }
    cleanup:
        regret_free(from);
        regret_free(to);
        TRY(rc);
    }
    return REGRET_OK;
}
