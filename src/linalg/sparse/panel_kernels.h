/* The kernels of panel.c for rows of VECTORS vectors of type VECTOR; included once for each. No guard. */

static void KERNEL(apply)(double *y, const struct gram_operator *op, const double *v)
{
    const struct regret_csr *a = op->column;
    const uint32_t *row = a->column;
    const VECTOR *from = (const VECTOR *)(const void *)v;
    VECTOR *to = (VECTOR *)(void *)y;
    for (size_t i = 0; i < VECTORS * op->rows; i++) {
        to[i] = op->diagonal[i / VECTORS] * from[i];
    }
    for (size_t j = 0; j < a->rows; j++) {
        size_t begin = a->row_start[j], end = a->row_start[j + 1];
        VECTOR sum[VECTORS] = {{0.0}};
        for (size_t e = begin; e < end; e++) {
            for (size_t h = 0; h < VECTORS; h++) {
                sum[h] += a->value[e] * from[VECTORS * (size_t)row[e] + h];
            }
        }
        for (size_t e = begin; e < end; e++) {
            for (size_t h = 0; h < VECTORS; h++) {
                to[VECTORS * (size_t)row[e] + h] += a->value[e] * sum[h];
            }
        }
    }
}

static void KERNEL(dot)(double *c, const double *a, const double *b, size_t n)
{
    const VECTOR *right = (const VECTOR *)(const void *)b;
    VECTOR even[VECTORS * LANES], odd[VECTORS * LANES] = {{0.0}}; /* sums wait for themselves */
    memcpy(even, c, sizeof even);
    for (size_t i = 0; i + 1 < n; i += 2) {
        const double *left = a + i * LANES;
        for (size_t k = 0; k < LANES; k++) {
            for (size_t h = 0; h < VECTORS; h++) {
                even[VECTORS * k + h] += left[k] * right[VECTORS * i + h];
                odd[VECTORS * k + h] += left[LANES + k] * right[VECTORS * (i + 1) + h];
            }
        }
    }
    for (size_t k = 0; k < LANES; k++) {
        for (size_t h = 0; h < VECTORS; h++) {
            double last = n % 2 == 1 ? a[(n - 1) * LANES + k] : 0.0;
            size_t row = n % 2 == 1 ? n - 1 : 0;
            odd[VECTORS * k + h] += last * right[VECTORS * row + h];
            even[VECTORS * k + h] += odd[VECTORS * k + h];
        }
    }
    memcpy(c, even, sizeof even);
}

static void KERNEL(subtract)(double *w, const double *v, const double *c, size_t n)
{
    VECTOR factor[VECTORS * LANES], *to = (VECTOR *)(void *)w;
    memcpy(factor, c, sizeof factor);
    for (size_t i = 0; i < n; i++) {
        const double *x = v + i * LANES;
        for (size_t h = 0; h < VECTORS; h++) {
            to[VECTORS * i + h] -=
                (x[0] * factor[h] + x[1] * factor[VECTORS + h]) +
                (x[2] * factor[2 * VECTORS + h] + x[3] * factor[3 * VECTORS + h]);
        }
    }
}
