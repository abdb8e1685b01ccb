/* The kernels of sparse_rows.c for panels of REAL, a row of which is VECTORS vectors of type VECTOR; included once
 * for each. No guard. */

enum { KERNEL(VECTORS) = PANEL * sizeof(REAL) / sizeof(VECTOR) };

/* t += partᵀ v in one block, over rows [0, rows). */
FOR_EACH_PROCESSOR
static void KERNEL(scatter)(REAL *restrict t, const struct sparse_part *part, size_t block,
                            size_t rows, const REAL *restrict v)
{
    const size_t *start = part->row_start + block * (part->rows + 1);
    const uint16_t *column = part->column;
    const REAL *value = part->VALUES;
    for (size_t i = 0; i < rows; i++) {
        VECTOR x[KERNEL(VECTORS)];
        memcpy(x, v + i * PANEL, sizeof x);
        for (size_t e = start[i]; e < start[i + 1]; e++) {
            VECTOR *to = (VECTOR *)(t + (size_t)column[e] * PANEL);
            for (int h = 0; h < KERNEL(VECTORS); h++) {
                to[h] += value[e] * x[h];
            }
        }
    }
}

/* out += part t in one block, over rows [0, rows). */
FOR_EACH_PROCESSOR
static void KERNEL(gather)(REAL *restrict out, const struct sparse_part *part, size_t block,
                           size_t rows, const REAL *restrict t)
{
    const size_t *start = part->row_start + block * (part->rows + 1);
    const uint16_t *column = part->column;
    const REAL *value = part->VALUES;
    for (size_t i = 0; i < rows; i++) {
        VECTOR *to = (VECTOR *)(out + i * PANEL);
        VECTOR even[KERNEL(VECTORS)], odd[KERNEL(VECTORS)];
        memset(odd, 0, sizeof odd);
        size_t e = start[i], end = start[i + 1];
        memcpy(even, to, sizeof even);
        for (; e + 1 < end; e += 2) { /* two chains: an addition takes four cycles */
            const VECTOR *x = (const VECTOR *)(t + (size_t)column[e] * PANEL);
            const VECTOR *y = (const VECTOR *)(t + (size_t)column[e + 1] * PANEL);
            for (int h = 0; h < KERNEL(VECTORS); h++) {
                even[h] += value[e] * x[h];
                odd[h] += value[e + 1] * y[h];
            }
        }
        if (e < end) {
            const VECTOR *x = (const VECTOR *)(t + (size_t)column[e] * PANEL);
            for (int h = 0; h < KERNEL(VECTORS); h++) {
                even[h] += value[e] * x[h];
            }
        }
        for (int h = 0; h < KERNEL(VECTORS); h++) {
            to[h] = even[h] + odd[h];
        }
    }
}

/* to += from, a row of a panel each. */
static void KERNEL(add)(REAL *restrict to, const REAL *restrict from)
{
    for (int c = 0; c < PANEL; c++) {
        to[c] += from[c];
    }
}

/* out = Φ Φᵀ v for panels of the first `rows` rows; `t` is scratch. */
static void KERNEL(gram_panel)(REAL *out, const struct sparse_rows *m,
                               const struct sparse_layout *l, size_t rows, const REAL *v, REAL *t)
{
    size_t width = (m->cols < l->width ? m->cols : l->width) * PANEL;
    REAL *sum = t + width, *back = sum + m->groups * PANEL;
    memset(out, 0, rows * PANEL * sizeof *out);
    memset(sum, 0, 2 * m->groups * PANEL * sizeof *sum);
    for (size_t i = 0; m->group != NULL && i < rows; i++) {
        KERNEL(add)(sum + (size_t)m->group[i] * PANEL, v + i * PANEL);
    }
    for (size_t b = 0; b < l->blocks; b++) {
        memset(t, 0, width * sizeof *t);
        KERNEL(scatter)(t, &l->own, b, rows, v);
        KERNEL(scatter)(t, &l->shared, b, m->groups, sum);
        KERNEL(gather)(back, &l->shared, b, m->groups, t);
        KERNEL(gather)(out, &l->own, b, rows, t);
    }
    for (size_t i = 0; m->group != NULL && i < rows; i++) {
        KERNEL(add)(out + i * PANEL, back + (size_t)m->group[i] * PANEL);
    }
}

/* Columns [first, first + width) of sparse_rows_gram(); so many rows are turned at a time that their panels stay in the
 * nearest cache. */
static void KERNEL(gram)(double *out, const struct sparse_rows *m, const struct sparse_layout *l,
                         size_t rows, const struct sparse_columns *v, REAL *in, size_t first,
                         size_t width)
{
    REAL *kv = in + rows * PANEL, *t = kv + rows * PANEL;
    memset(in, 0, rows * PANEL * sizeof *in);
    for (size_t from = 0; from < rows; from += TURNED) {
        size_t to = from + TURNED < rows ? from + TURNED : rows;
        for (size_t c = 0; c < width; c++) {
            size_t at = (v->which != NULL ? v->which[first + c] : first + c) * v->lines;
            const double *factor = v->factor + (v->one_factor ? 0 : at);
            for (size_t i = from; i < to; i++) {
                in[i * PANEL + c] = (REAL)(factor[i] * v->value[at + i]);
            }
        }
    }
    KERNEL(gram_panel)(kv, m, l, rows, in, t);
    for (size_t from = 0; from < rows; from += TURNED) {
        size_t to = from + TURNED < rows ? from + TURNED : rows;
        for (size_t c = 0; c < width; c++) {
            int in_order = v->which == NULL || v->packed;
            size_t at = (in_order ? first + c : v->which[first + c]) * v->lines;
            for (size_t i = from; i < to; i++) {
                out[at + i] = (double)kv[i * PANEL + c];
            }
        }
    }
}

#undef KERNEL
#undef PANEL
#undef REAL
#undef VALUES
#undef VECTOR
