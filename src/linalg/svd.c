#include "linalg/svd.h"

#include <cblas.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "linalg/dense.h"
#include "linalg/internal.h"
#include "linalg/sparse.h"
#include "regret/design.h"
#include "regret/status.h"
#include "regret/task.h"

/* Eigenvalues of T are looked at seldom: they cost as much as some blocks. LATER_BLOCKS blocks of a second
 * search tell whether it finds anything above what it is asked for. */
enum { LATER_BLOCKS = 6, PIECE = 256, LINE = 64 };

static const double RESIDUAL = 1e-15; /* of a wanted pair, against the largest eigenvalue */
static const double NOTHING = 1e-14; /* a vector so short, against it, is made of rounding errors */
static const double SHORT = 1e-2;    /* a square that is less of what it was has lost digits */
static const double LEFT =
    0.1; /* of a unit vector, when what lies in the basis is taken out of it */

/* One search. Its basis is made of panels: `locked` ones of eigenvectors that are known, then those of
 * Lanczos, in which A Aᵀ V_j = V_{j-1} β_jᵀ + V_j α_j + V_{j+1} β_{j+1}. */
struct search {
    const struct gram_operator *op;
    double **block; /* owned, each of them too */
    double **panel; /* in each block, where a line of the cache begins; owned */
    size_t panels, capacity, locked;
    double *alpha, *beta; /* SQUARE a panel, by rows; owned */
    double *overlap;      /* 2 SQUARE a panel, while vectors are projected; owned */
    int waiting;          /* 1 when the last panel may have a little of all but the two before it */
    double scale;         /* the largest diagonal element met, about λ_1 */
    struct regret_rng rng;
    double *value, *vector; /* of T at the last look: `wanted` values, vectors m x wanted; owned */
    size_t wanted, looked;  /* looked: the m of that look */
    double worst;           /* the largest residual of a wanted pair then */
};

static void search_clear(struct search *s)
{
    for (size_t j = 0; j < s->panels; j++) {
        regret_free(s->block[j]);
    }
    regret_free(s->block);
    regret_free(s->panel);
    regret_free(s->alpha);
    regret_free(s->beta);
    regret_free(s->overlap);
    regret_free(s->value);
    regret_free(s->vector);
    *s = (struct search){0};
}

/* Appends a panel of zeros. */
static int add_panel(struct search *s)
{
    if (s->panels == s->capacity) {
        size_t grown = s->capacity == 0 ? 64 : 2 * s->capacity;
        TRY(regret_realloc((void **)&s->block, grown, sizeof *s->block, "the panels of a basis"));
        TRY(regret_realloc((void **)&s->panel, grown, sizeof *s->panel, "the panels of a basis"));
        TRY(regret_realloc((void **)&s->alpha, grown * SQUARE, sizeof *s->alpha, "blocks of T"));
        TRY(regret_realloc((void **)&s->beta, grown * SQUARE, sizeof *s->beta, "blocks of T"));
        TRY(regret_realloc((void **)&s->overlap, 2 * grown * SQUARE, sizeof *s->beta, "overlaps"));
        s->capacity = grown;
    }
    s->block[s->panels] = NULL;
    TRY(regret_calloc((void **)&s->block[s->panels], (s->op->rows + 2) * LANES, sizeof(double),
                      "a panel of a basis"));
    double *block = s->block[s->panels];
    s->panel[s->panels] = block + (-(uintptr_t)block % LINE) / sizeof(double);
    memset(s->alpha + SQUARE * s->panels, 0, SQUARE * sizeof *s->alpha);
    memset(s->beta + SQUARE * s->panels, 0, SQUARE * sizeof *s->beta);
    s->panels++;
    return REGRET_OK;
}

/* Takes from w what lies in the n panels up to `end`, one after the other, since w has much of them. What lay
 * in the last is added to alpha, where there is one. */
static void project_out_near(const struct search *s, double *w, size_t end, size_t n, double *alpha)
{
    for (size_t i = end; i-- > end - n;) {
        double c[SQUARE] = {0.0};
        panel_dot(c, s->panel[i], w, s->op->rows);
        panel_subtract(w, s->panel[i], c, s->op->rows);
        for (int k = 0; alpha != NULL && i + 1 == end && k < SQUARE; k++) {
            alpha[k] += c[k];
        }
    }
}

/* Takes from the panels w[0] to w[most - 1] what lies in the first n of the basis, a piece at a time, which is read
 * once for all of them. */
static void project_out_far(struct search *s, double *const *w, size_t most, size_t n)
{
    size_t rows = s->op->rows;
    memset(s->overlap, 0, most * n * SQUARE * sizeof *s->overlap);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t first = 0; first < rows; first += PIECE) {
            size_t piece = rows - first < PIECE ? rows - first : PIECE, at = first * LANES;
            for (size_t i = 0; i < most * n; i++) {
                double *c = s->overlap + i * SQUARE, *to = w[i % most] + at;
                const double *v = s->panel[i / most] + at;
                pass == 0 ? panel_dot(c, v, to, piece) : panel_subtract(to, v, c, piece);
            }
        }
    }
}

/* Takes from w what lies in the first n panels. */
static void project_out(struct search *s, double *w, size_t n, double *alpha)
{
    size_t near = n < 2 ? n : 2;
    project_out_near(s, w, n, near, alpha);
    project_out_far(s, &w, 1, n - near);
}

static void column_squares(double *squares, const double *w, size_t n)
{
    double c[SQUARE] = {0.0};
    panel_dot(c, w, w, n);
    for (int k = 0; k < LANES; k++) {
        squares[k] = c[k * LANES + k];
    }
}

/* Fills the columns of the last panel that are zero by random vectors orthogonal to everything; returns how
 * many there are no more of. */
static int refill(int *missing, struct search *s)
{
    size_t n = s->op->rows, last = s->panels - 1;
    double squares[LANES], length[LANES], *w = NULL;
    int rc = REGRET_OK;
    *missing = 0;
    column_squares(squares, s->panel[last], n);
    TRY(REGRET_NEW(&w, n * LANES));
    for (int k = 0; k < LANES; k++) {
        if (squares[k] > 0.0) {
            continue;
        }
        for (size_t i = 0; i < n; i++) {
            w[i * LANES + (size_t)k] = regret_rng_normal(&s->rng);
        }
        for (int pass = 0; pass < 2; pass++) {
            project_out(s, w, s->panels, NULL);
        }
        column_squares(length, w, n);
        int found = length[k] > 1e-12 * (double)n;
        for (size_t i = 0; i < n; i++) {
            s->panel[last][i * LANES + (size_t)k] =
                found ? w[i * LANES + (size_t)k] / sqrt(length[k]) : 0.0;
            w[i * LANES + (size_t)k] = 0.0;
        }
        *missing += !found;
    }
    regret_free(w);
    return rc;
}

static int first_panel(struct search *s)
{
    int missing = 0;
    TRY(add_panel(s));
    return refill(&missing, s);
}

/* 1 when what is left of some column is so short that digits were lost. */
static int is_short(const double *before, const double *w, size_t n)
{
    double after[LANES];
    int found = 0;
    column_squares(after, w, n);
    for (int k = 0; k < LANES; k++) {
        found |= after[k] < SHORT * before[k];
    }
    return found;
}

/* Makes the last panel orthonormal, w = q β. A column that is short beside what it was `before` has lost the digits that keep it
 * orthogonal to the basis: that is taken out of it once more, and where little is left it was made of rounding errors.
 * Returns how many are none. */
static int orthonormalise(struct search *s, const double *before)
{
    size_t n = s->op->rows, last = s->panels - 1;
    double *w = s->panel[last], *beta = s->beta + SQUARE * last, again[SQUARE],
           made[SQUARE] = {0.0};
    int zeros = panel_orthonormalise(w, beta, n, NOTHING * s->scale), is_lost = 0;
    for (size_t k = 0; k < LANES; k++) {
        double length = beta[k * LANES + k];
        is_lost |= length > 0.0 && length * length < SHORT * before[k];
    }
    if (!is_lost) {
        return zeros;
    }
    project_out(s, w, last, NULL);
    zeros = panel_orthonormalise(w, again, n, LEFT);
    for (size_t i = 0; i < SQUARE; i++) {
        for (size_t k = 0; k < LANES; k++) {
            made[i] += again[i / LANES * LANES + k] * beta[k * LANES + i % LANES];
        }
    }
    memcpy(beta, made, sizeof made);
    return zeros;
}

/* The next panel: A Aᵀ of the last one, without what lies in the basis. *missing columns of it could not
 * be found, the basis being that of the whole space. By the recurrence it has of all but two panels only rounding
 * errors, which the next step multiplies by λ_1 over its length: unless digits were lost, every other panel waits
 * for the one after it, and both have them taken out in one reading of the basis. */
static int expand(int *missing, struct search *s)
{
    size_t n = s->op->rows, last = s->panels - 1;
    double before[LANES];
    TRY(add_panel(s));
    double *w = s->panel[last + 1], *alpha = s->alpha + SQUARE * last;
    gram_operator_apply(w, s->op, s->panel[last]);
    column_squares(before, w, n);
    project_out_near(s, w, last + 1, last < 1 ? 1 : 2, alpha);
    int lost = is_short(before, w, n), was_waiting = s->waiting;
    s->waiting = !lost && !was_waiting;
    if (!s->waiting && last > 1) {
        project_out_far(s, s->panel + last + !was_waiting, 1 + (size_t)was_waiting, last - 1);
    }
    if (lost) {
        project_out(s, w, last + 1, alpha);
    }
    for (int k = 0; k < LANES; k++) {
        s->scale = fmax(s->scale, alpha[k * LANES + k]);
    }
    *missing = 0;
    return orthonormalise(s, before) > 0 ? refill(missing, s) : REGRET_OK;
}

/* T of the Lanczos panels but the last, which only bounds the residuals; lower triangle. */
static void fill_t(double *t, const struct search *s, size_t m)
{
    for (size_t j = 0; j < m / LANES; j++) {
        const double *alpha = s->alpha + SQUARE * (s->locked + j);
        const double *beta = s->beta + SQUARE * (s->locked + j);
        for (size_t r = 0; r < LANES; r++) {
            for (size_t c = 0; c < LANES; c++) {
                double mean = 0.5 * (alpha[r * LANES + c] + alpha[c * LANES + r]);
                t[j * LANES + r + (j * LANES + c) * m] = mean;
                if (j > 0) {
                    t[j * LANES + r + ((j - 1) * LANES + c) * m] = beta[r * LANES + c];
                }
            }
        }
    }
}

/* ‖β e‖ of the last LANES elements e of an eigenvector of T. */
static double residual(const struct search *s, const double *end)
{
    const double *beta = s->beta + SQUARE * (s->panels - 1);
    double squares = 0.0;
    for (int r = 0; r < LANES; r++) {
        double x = 0.0;
        for (int c = 0; c < LANES; c++) {
            x += beta[r * LANES + c] * end[c];
        }
        squares += x * x;
    }
    return sqrt(squares);
}

/* The Ritz pairs of at most k values above `floor`, and the worst of their residuals. */
static int look(struct search *s, size_t k, double floor)
{
    size_t m = LANES * (s->panels - 1 - s->locked);
    FREED double *t = NULL;
    k = k < m ? k : m;
    TRY(REGRET_NEW(&t, m * m));
    TRY(regret_realloc((void **)&s->value, k, sizeof *s->value, "Ritz values"));
    TRY(regret_realloc((void **)&s->vector, m * k, sizeof *s->vector, "Ritz vectors"));
    fill_t(t, s, m);
    TRY(eigen_top(s->value, s->vector, t, m, k));
    s->looked = m;
    s->wanted = 0;
    s->worst = 0.0;
    for (; s->wanted < k && s->value[s->wanted] > floor; s->wanted++) {
        s->worst = fmax(s->worst, residual(s, s->vector + (s->wanted + 1) * m - LANES));
    }
    return REGRET_OK;
}

/* How many vectors until the next look: residuals fall ever faster. Before the speed is known a decade in
 * five vectors is thought of, then the speed between the last looks. */
static size_t vectors_to_next_look(const struct search *s, double last_worst, size_t last_look)
{
    double left = log10(fmax(s->worst / (RESIDUAL * s->scale), 1.0)), speed = 0.2;
    if (last_worst > s->worst && s->worst > 0.0) {
        speed = log10(last_worst / s->worst) / (double)(s->looked - last_look);
    }
    double vectors = fmin(left / speed, 0.25 * (double)s->looked);
    return (size_t)fmax(vectors, LANES) / LANES * LANES;
}

/* Searches for the k largest eigenvalues above `floor`; 0 when the space was exhausted first. */
static int run(int *complete, struct search *s, size_t k, double floor, size_t first_look)
{
    size_t most = s->op->rows - LANES * s->locked, next = first_look;
    double last_worst = 0.0; /* of the look before */
    size_t last_look = 0;
    int missing = 0;
    TRY(first_panel(s));
    for (size_t m = LANES; m + LANES <= most && missing == 0; m += LANES) {
        TRY(expand(&missing, s));
        if (m >= next || missing > 0) {
            TRY(look(s, k, floor));
            if (s->worst <= RESIDUAL * s->scale) {
                *complete = 1;
                return REGRET_OK;
            }
            next = m + vectors_to_next_look(s, last_worst, last_look);
            last_worst = s->worst;
            last_look = m;
        }
    }
    *complete = 0;
    return REGRET_OK;
}

/* Rows first .. first + n of the Lanczos panels as an n x m matrix. */
static void gather_rows(double *out, const struct search *s, size_t first, size_t n)
{
    for (size_t j = 0; j < s->looked / LANES; j++) {
        const double *panel = s->panel[s->locked + j] + first * LANES;
        for (size_t i = 0; i < n; i++) {
            for (size_t c = 0; c < LANES; c++) {
                out[i + (j * LANES + c) * n] = panel[i * LANES + c];
            }
        }
    }
}

/* The wanted Ritz vectors, rows x wanted. */
static int ritz_vectors(double *u, const struct search *s)
{
    size_t rows = s->op->rows;
    double *chunk = NULL;
    TRY(regret_calloc((void **)&chunk, s->looked, PIECE * sizeof *chunk, "rows of a basis"));
    for (size_t first = 0; first < rows; first += PIECE) {
        size_t n = rows - first < PIECE ? rows - first : PIECE;
        gather_rows(chunk, s, first, n);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)s->wanted,
                    (int)s->looked, 1.0, chunk, (int)n, s->vector, (int)s->looked, 0.0, u + first,
                    (int)rows);
    }
    regret_free(chunk);
    return REGRET_OK;
}

/* The columns of u (rows x k) as the first panels of a search. */
static int lock(struct search *s, const double *u, size_t k)
{
    size_t rows = s->op->rows;
    for (size_t j = 0; j < k; j++) {
        if (j % LANES == 0) {
            TRY(add_panel(s));
        }
        for (size_t i = 0; i < rows; i++) {
            s->panel[j / LANES][i * LANES + j % LANES] = u[i + j * rows];
        }
    }
    s->locked = s->panels;
    return REGRET_OK;
}

/* Puts the pairs that a later search found among the k, of which the least are lost. */
static void merge(double *lambda, double *u, size_t k, const struct search *s, const double *found)
{
    size_t rows = s->op->rows;
    for (size_t j = 0; j < s->wanted; j++) {
        size_t at = k;
        while (at > 0 && lambda[at - 1] < s->value[j]) {
            at--;
        }
        if (at < k) {
            memmove(lambda + at + 1, lambda + at, (k - at - 1) * sizeof *lambda);
            memmove(u + (at + 1) * rows, u + at * rows, (k - at - 1) * rows * sizeof *u);
            lambda[at] = s->value[j];
            memcpy(u + at * rows, found + j * rows, rows * sizeof *u);
        }
    }
}

/* Searches among the vectors orthogonal to u, *missed when there was something above λ_k there. */
static int search_again(int *complete, int *missed, double *lambda, double *u,
                        const struct gram_operator *op, size_t k, uint64_t seed, uint64_t turn)
{
    FREED_BY(search_clear)
    struct search s = {.op = op, .rng = regret_rng_at(seed, REGRET_RNG_SVD, turn)};
    FREED double *found = NULL;
    /* What is no larger, or no more than rounding, may stay where it is. */
    double least = REGRET_RANK_TOLERANCE * REGRET_RANK_TOLERANCE * lambda[0];
    double floor = fmax(lambda[k - 1] * (1.0 + 1e-9), least);
    s.scale = lambda[0];
    TRY(lock(&s, u, k));
    TRY(run(complete, &s, k, floor, (size_t)LATER_BLOCKS * LANES));
    *missed = *complete && s.wanted > 0;
    if (*missed) {
        TRY(REGRET_NEW(&found, op->rows * s.wanted));
        TRY(ritz_vectors(found, &s));
        merge(lambda, u, k, &s, found);
    }
    return REGRET_OK;
}

static int search_first(int *complete, double *lambda, double *u, const struct gram_operator *op,
                        size_t k, uint64_t seed)
{
    FREED_BY(search_clear)
    struct search s = {.op = op, .rng = regret_rng_at(seed, REGRET_RNG_SVD, 0)};
    TRY(run(complete, &s, k, -INFINITY, (size_t)(3.2 * (double)k + 2.0 * LANES)));
    if (*complete) {
        memcpy(lambda, s.value, k * sizeof *lambda);
        return ritz_vectors(u, &s);
    }
    return REGRET_OK;
}

/* The k largest eigenvalues of A Aᵀ (n x n), descending, and their eigenvectors u (n x k), from Aᵀ, a
 * matrix of n columns; n >= 2 (k + LANES).
 *
 * Blocks of LANES vectors from a random start (stream (seed, REGRET_RNG_SVD, 0)), each orthogonalised
 * against all before it (Golub and Underwood 1977), until every wanted Ritz pair has a residual
 * ‖A Aᵀ u - λ u‖ of at most 1e-15 λ_1. A block finds no more than LANES copies of one eigenvalue, so
 * the search is repeated among vectors orthogonal to what was found, until nothing above λ_k
 * turns up. *complete is 0 where the whole space was searched before that: the caller then has to take a
 * dense method. REGRET_E_NUMERIC when A holds what is not finite.
 * O(m (entries + n m)) with m, the vectors needed, 160 to 300 for 50 pairs of TF-IDF; n m doubles. */
static int lanczos_top(double *lambda, double *u, int *complete, const struct regret_csr *transpose,
                       size_t k, uint64_t seed)
{
    FREED_BY(gram_operator_clear) struct gram_operator op = {0};
    int missed = 1;
    TRY(gram_operator_make(&op, transpose));
    TRY(search_first(complete, lambda, u, &op, k, seed));
    for (uint64_t turn = 2; *complete && missed; turn++) {
        TRY(search_again(complete, &missed, lambda, u, &op, k, seed, turn));
    }
    return REGRET_OK;
}

/* Both methods work on one matrix A, which is B = diag(√w) X without its rows of weight zero, or Bᵀ
 * when that has fewer rows: the Gram matrix A Aᵀ is then the smaller of the two. Its leading
 * eigenvectors U are the left singular vectors of A. When A = Bᵀ they are V; when A = B, V = BᵀU
 * with its columns scaled to length one. */

FREED_POINTER(struct regret_csr, regret_csr_free)
FREED_POINTER(struct regret_svd, regret_svd_free)

static int weighted_rows(struct regret_csr **out, const struct regret_csr *x,
                         const double *row_weight)
{
    FREED double *factor = NULL;
    TRY(REGRET_NEW(&factor, x->rows));
    for (size_t i = 0; i < x->rows; i++) {
        factor[i] = row_weight == NULL ? 1.0 : sqrt(row_weight[i]);
    }
    return regret_csr_scale_rows(out, x, factor);
}

/* λ (k values) and U (rows x k) of A Aᵀ by its dense Gram matrix. */
static int exact_eigen(double *lambda, double *u, const struct regret_csr *a, size_t k)
{
    FREED double *gram = NULL;
    TRY(REGRET_NEW(&gram, a->rows * a->rows));
    TRY(regret_csr_gram(gram, a, NULL));
    return eigen_top(lambda, u, gram, a->rows, k);
}

/* λ and U of A Aᵀ from A and its transpose. */
static int eigen_of_gram(double *lambda, double *u, const struct regret_csr *a,
                         const struct regret_csr *transpose, size_t k,
                         const struct regret_svd_options *options)
{
    int few = a->rows < 2 * (k + LANES), complete = 0;
    int exact = options->method == REGRET_SVD_EXACT ||
                (options->method == REGRET_SVD_AUTO && a->rows < LANCZOS_LEAST_ROWS * k);
    if (!exact && !few) {
        TRY(lanczos_top(lambda, u, &complete, transpose, k, options->seed));
    }
    return complete ? REGRET_OK : exact_eigen(lambda, u, a, k);
}

/* Columns of v scaled to length one; zero columns stay. */
static void normalise_columns(double *v, size_t n, size_t k)
{
    for (size_t j = 0; j < k; j++) {
        double length = cblas_dnrm2((int)n, v + j * n, 1);
        if (length > 0.0) {
            cblas_dscal((int)n, 1.0 / length, v + j * n, 1);
        }
    }
}

static int svd_new(struct regret_svd **out, size_t n_columns, size_t k)
{
    FREED_BY(regret_svd_free_at) struct regret_svd *svd = NULL;
    TRY(REGRET_NEW(&svd, 1));
    svd->n_columns = n_columns;
    TRY(REGRET_NEW(&svd->singular, k));
    TRY(REGRET_NEW(&svd->v, n_columns * k));
    *out = svd;
    svd = NULL;
    return REGRET_OK;
}

/* Fills `svd`, made for k components, from B. */
static int decompose(struct regret_svd *svd, const struct regret_csr *b, size_t k,
                     const struct regret_svd_options *options)
{
    FREED_BY(regret_csr_free_at) struct regret_csr *bt = NULL;
    FREED double *u = NULL;
    int wide = b->rows <= b->cols;
    TRY(regret_csr_transpose(&bt, b));
    if (wide) {
        TRY(REGRET_NEW(&u, b->rows * k));
    }
    TRY(eigen_of_gram(svd->singular, wide ? u : svd->v, wide ? b : bt, wide ? bt : b, k, options));
    svd->rank = eigen_rank(svd->singular, k);
    for (size_t j = 0; j < svd->rank; j++) {
        svd->singular[j] = sqrt(svd->singular[j]);
    }
    if (wide) {
        TRY(regret_csr_times_dense(svd->v, bt, u, svd->rank));
        normalise_columns(svd->v, b->cols, svd->rank);
    }
    eigen_fix_signs(svd->v, b->cols, svd->rank);
    return REGRET_OK;
}

/* How many columns hold anything: the rank is no greater, and what is sought beyond it is dear and not there. */
static int count_filled(size_t *n, const struct regret_csr *m)
{
    unsigned char *seen = NULL;
    TRY(REGRET_NEW(&seen, m->cols));
    *n = 0;
    for (size_t e = 0; e < regret_csr_entries(m); e++) {
        *n += !seen[m->column[e]];
        seen[m->column[e]] = 1;
    }
    regret_free(seen);
    return REGRET_OK;
}

int regret_svd_fit(struct regret_svd **out, const struct regret_csr *x, const double *row_weight,
                   const struct regret_svd_options *options)
{
    if (options->rank == 0) {
        return regret_fail(REGRET_E_INPUT, "an SVD of rank 0: ask for at least one component");
    }
    FREED_BY(regret_csr_free_at) struct regret_csr *b = NULL;
    FREED_BY(regret_svd_free_at) struct regret_svd *svd = NULL;
    size_t filled = 0;
    TRY(sides_check(x->rows, x->cols));
    TRY(weights_check(row_weight, x->rows));
    TRY(weighted_rows(&b, x, row_weight));
    TRY(count_filled(&filled, b));
    size_t side = b->rows < filled ? b->rows : filled;
    size_t k = options->rank < side ? options->rank : side > 0 ? side : 1;
    TRY(svd_new(&svd, x->cols, k));
    TRY(decompose(svd, b, k, options));
    *out = svd;
    svd = NULL;
    return REGRET_OK;
}

int regret_svd_project(double *out, const struct regret_svd *svd, const struct regret_csr *x)
{
    if (x->cols != svd->n_columns) {
        return regret_fail(REGRET_E_INPUT,
                           "a matrix of %zu columns cannot be projected by an SVD of %zu: use the "
                           "vocabulary it was fitted with",
                           x->cols, svd->n_columns);
    }
    return regret_csr_times_dense(out, x, svd->v, svd->rank);
}

void regret_svd_free(struct regret_svd *svd)
{
    if (svd == NULL) {
        return;
    }
    regret_free(svd->singular);
    regret_free(svd->v);
    regret_free(svd);
}
