#include "regret/matrix.h"

void regret_csr_matrix_market(struct regret_buffer *out, const struct regret_csr *m)
{
    regret_buffer_append(out, "%%MatrixMarket matrix coordinate real general\n");
    regret_buffer_printf(out, "%zu %zu %zu\n", m->rows, m->cols, regret_csr_entries(m));
    for (size_t i = 0; i < m->rows; i++) {
        for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
            regret_buffer_printf(out, "%zu %lu %.17g\n", i + 1, (unsigned long)m->column[e] + 1,
                                 m->value[e]);
        }
    }
}
