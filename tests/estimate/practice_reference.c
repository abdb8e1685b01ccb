#include "estimate/practice_reference.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/practice/mixed.h"
#include "regret/alloc.h"
#include "regret/families.h"
#include "regret/rng.h"

static void *room(size_t n, size_t size)
{
    void *out = calloc(n > 0 ? n : 1, size);
    cr_assert_not_null(out);
    return out;
}

/* b (n × m, row-major) ← a⁻¹ b by Gaussian elimination with pivots; returns log|det a|. */
static double eliminate(double *a, double *b, size_t n, size_t m)
{
    double log_det = 0.0;
    for (size_t k = 0; k < n; k++) {
        size_t p = k;
        for (size_t i = k; i < n; i++) {
            p = fabs(a[i * n + k]) > fabs(a[p * n + k]) ? i : p;
        }
        for (size_t j = 0; p != k && j < n; j++) {
            double t = a[k * n + j];
            a[k * n + j] = a[p * n + j];
            a[p * n + j] = t;
        }
        for (size_t j = 0; p != k && j < m; j++) {
            double t = b[k * m + j];
            b[k * m + j] = b[p * m + j];
            b[p * m + j] = t;
        }
        log_det += log(fabs(a[k * n + k]));
        for (size_t i = k + 1; i < n; i++) {
            double l = a[i * n + k] / a[k * n + k];
            for (size_t j = k; j < n && l != 0.0; j++) {
                a[i * n + j] -= l * a[k * n + j];
            }
            for (size_t j = 0; j < m && l != 0.0; j++) {
                b[i * m + j] -= l * b[k * m + j];
            }
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t c = 0; c < m; c++) {
            for (size_t j = k + 1; j < n; j++) {
                b[k * m + c] -= a[k * n + j] * b[j * m + c];
            }
            b[k * m + c] /= a[k * n + k];
        }
    }
    return log_det;
}

/* ---- mixed ------------------------------------------------------------------------------------- */

struct row {
    size_t pair;
    int is_obs;
};

static double text_product(const struct regret_problem *p, size_t i, size_t j)
{
    double sum = 0.0;
    for (size_t k = 0; k < p->z.dim; k++) {
        sum += p->z.value[k * p->pairs + i] * p->z.value[k * p->pairs + j];
    }
    return sum;
}

static double word_product(const struct regret_problem *p, size_t rank, size_t x, size_t y)
{
    double sum = 0.0;
    for (size_t k = 0; k < rank; k++) {
        sum += p->words[k * p->n_contexts + x] * p->words[k * p->n_contexts + y];
    }
    return sum;
}

static double own_product(const struct regret_problem *p, size_t rank, size_t x, size_t y)
{
    double sum = 0.0;
    for (size_t k = 0; k < rank; k++) {
        sum += p->own[k * p->n_contexts + x] * p->own[k * p->n_contexts + y];
    }
    return sum;
}

/* Whether a context holds a word, less the share of contexts that do. */
static double holds(const struct regret_problem *p, size_t word, size_t x)
{
    const struct regret_csr *words = p->common_words;
    double held = 0.0;
    for (size_t i = words->row_start[word]; i < words->row_start[word + 1]; i++) {
        held += (words->column[i] == x) - 1.0 / (double)p->n_contexts;
    }
    return held;
}

/* The covariance of what two rows have in common besides the intercept. `seen` 0: of a row and a new prediction, which
 * has the effects of agent, tag, text and words alone. */
static double covariance(const struct regret_problem *p, size_t rank,
                         const struct regret_estimate *e, const double *v, struct row a,
                         struct row b, int seen)
{
    size_t x = p->context[a.pair], y = p->context[b.pair];
    int same_agent = p->agent[a.pair] == p->agent[b.pair], both = a.is_obs && b.is_obs;
    double sum = v[2] * text_product(p, a.pair, b.pair) + v[7] * own_product(p, p->own_rank, x, y);
    if (same_agent) {
        sum += v[0] + v[3] * word_product(p, rank, x, y);
        sum += p->n_tags > 1 && p->tag[x] == p->tag[y] ? v[1] : 0.0;
        sum +=
            v[8] *
            own_product(p, 128 / p->n_agents < p->own_rank ? 128 / p->n_agents : p->own_rank, x, y);
        for (size_t k = 0; k < e->n_picked; k++) {
            sum += v[4] * holds(p, e->picked[k], x) * holds(p, e->picked[k], y);
        }
    }
    if (seen) {
        sum +=
            both ? 1.0 + (same_agent ? v[5] : 0.0) + v[6] * text_product(p, a.pair, b.pair) : 0.0;
        sum += x == y ? v[9] : 0.0;
        sum += a.pair == b.pair && a.is_obs == b.is_obs ? v[10] : 0.0;
    }
    return sum;
}

static size_t take_rows(struct row *row, double *y, const struct regret_problem *p,
                        const unsigned char *use)
{
    size_t n = 0;
    for (size_t i = 0; i < p->obs->n; i++) {
        row[n] = (struct row){p->obs->pair[i], 1};
        y[n++] = p->obs->y[i];
    }
    for (size_t i = 0; i < p->exp->n; i++) {
        if (use == NULL || use[i]) {
            row[n] = (struct row){p->exp->pair[i], 0};
            y[n++] = p->exp->y[i];
        }
    }
    return n;
}

double mixed_reference(double *f, const struct regret_problem *p, size_t rank,
                       const struct regret_estimate *e, const double *v, const unsigned char *use)
{
    size_t most = p->obs->n + p->exp->n;
    struct row *row = room(most, sizeof *row);
    double *y = room(most, sizeof *y), *cov = room(most * most, sizeof *cov);
    double *right = room(2 * most, sizeof *right), ones = 0.0, sum = 0.0, square = 0.0;
    size_t n = take_rows(row, y, p, use);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            cov[i * n + j] = covariance(p, rank, e, v, row[i], row[j], 1) + (i == j ? v[11] : 0.0);
        }
        right[2 * i] = y[i];
        right[2 * i + 1] = 1.0;
    }
    double log_det = eliminate(cov, right, n, 2);
    for (size_t i = 0; i < n; i++) {
        sum += right[2 * i];
        ones += right[2 * i + 1];
    }
    double mean = sum / ones;
    for (size_t i = 0; i < n; i++) {
        right[2 * i] -= mean * right[2 * i + 1];
        square += y[i] * right[2 * i];
    }
    for (size_t q = 0; f != NULL && q < p->pairs; q++) {
        f[q] = mean;
        for (size_t i = 0; i < n; i++) {
            f[q] += covariance(p, rank, e, v, (struct row){q, 0}, row[i], 0) * right[2 * i];
        }
    }
    free(row);
    free(y);
    free(cov);
    free(right);
    return -0.5 * (log_det + log(ones) + square);
}

/* ---- stack: members ------------------------------------------------------------------------------ */

static const char *const member_family[STACK_MEMBERS] = {
    "mixed-agent", NULL,    NULL,           "mixed-tag", NULL,
    NULL,          "mixed", "exp-only",     "obs-only",  "representation-exp",
    "grounded",    "cvci",  "cvci-residual"};
static const size_t library_members[STACK_LIBRARIES] = {1, 3, 6, 7, STACK_MEMBERS};
enum { MIXED = 6 };

static const struct regret_family *family_of(size_t member)
{
    const char *name = member_family[member];
    return name == NULL  ? NULL
           : member == 0 ? &mixed_one_agent
           : member == 3 ? &mixed_by_tag
                         : regret_family_find(name);
}

/* Members 1, 2, 4 and 5: means of an agent by EXP and OBS, and by tag. */
static double mean_of(const struct regret_problem *p, size_t member, size_t pair,
                      const unsigned char *use_exp, const unsigned char *use_obs)
{
    int is_exp = member == 1 || member == 4;
    const struct regret_rows *rows = is_exp ? p->exp : p->obs;
    const unsigned char *use = is_exp ? use_exp : use_obs;
    double all = 0.0, agent = 0.0, cell = 0.0, n_all = 0.0, n_agent = 0.0, n_cell = 0.0;
    for (size_t i = 0; i < rows->n; i++) {
        size_t q = rows->pair[i];
        double on = use == NULL || use[i];
        double of_agent = on * (p->agent[q] == p->agent[pair]);
        double of_cell =
            of_agent * (p->n_tags < 2 || p->tag[p->context[q]] == p->tag[p->context[pair]]);
        all += on * rows->y[i];
        n_all += on;
        agent += of_agent * rows->y[i];
        n_agent += of_agent;
        cell += of_cell * rows->y[i];
        n_cell += of_cell;
    }
    double f = (agent + 2.0 * all / n_all) / (n_agent + 2.0);
    return member >= 4 ? (cell + 2.0 * f) / (n_cell + 2.0) : f;
}

static double clip(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

/* ---- stack: what members say of a fold ----------------------------------------------------------- */

struct judged {
    size_t n, folds;
    const uint32_t *fold;
    double *target, *contrast; /* [n], [n × STACK_MEMBERS] */
};

/* The fits of families without one fold: the mean of fold fits where that one is the only fold. */
static void fit_without(double *f[STACK_MEMBERS], const struct regret_problem *p,
                        const struct regret_estimate_options *options, const uint32_t *fold,
                        size_t k)
{
    struct regret_problem only = *p;
    uint32_t *is_out = room(p->exp->n, sizeof *is_out);
    size_t held = 0;
    for (size_t i = 0; i < p->exp->n; i++) {
        is_out[i] = fold[i] == k ? 0 : 1;
        held += fold[i] == k;
    }
    struct regret_sample *part = NULL;
    cr_assert_eq(
        regret_sample_gather(&part, p->exp->pair, p->exp->y, p->exp->n, p->pairs, is_out, 0), 0);
    struct regret_folds folds = {REGRET_FOLDS_CONTEXTS, 1, p->exp->n, is_out, &part};
    for (size_t m = 0; m < STACK_MEMBERS; m++) {
        struct regret_session *session = NULL;
        struct regret_estimate *e = NULL;
        const struct regret_family *family = family_of(m);
        if (family == NULL) {
            continue;
        }
        cr_assert_eq(regret_session_open(&session, p, options), 0);
        cr_assert_eq(regret_family_fit(&e, family, session), 0);
        regret_session_close(session);
        only.dr = &folds;
        cr_assert_eq(
            regret_refit_folds(&e, &family, 1, &only, options,
                               &(struct regret_refit){p->context, p->n_contexts, 0, 5, NULL}),
            0);
        for (size_t q = 0; q < p->pairs; q++) {
            f[m][q] = e->fold_mean[q] * (double)p->exp->n / (double)held;
        }
        regret_estimate_free(e);
    }
    regret_sample_free(part);
    free(is_out);
}

static double context_mean(const double *f, const struct regret_problem *p, size_t x)
{
    double sum = 0.0, n = 0.0;
    for (size_t q = 0; q < p->pairs; q++) {
        sum += p->context[q] == x && p->train[q] ? f[q] : 0.0;
        n += p->context[q] == x && p->train[q];
    }
    return sum / n;
}

static void judge_fold(struct judged *j, const struct regret_problem *p,
                       const struct regret_estimate_options *options, size_t k)
{
    double *f[STACK_MEMBERS];
    unsigned char *use_exp = room(p->exp->n, 1), *use_obs = room(p->obs->n, 1);
    for (size_t i = 0; i < p->exp->n; i++) {
        use_exp[i] = j->fold[i] != k;
    }
    for (size_t i = 0; i < p->obs->n; i++) {
        use_obs[i] = 1;
        for (size_t e = 0; e < p->exp->n; e++) {
            use_obs[i] &= use_exp[e] || p->context[p->exp->pair[e]] != p->context[p->obs->pair[i]];
        }
    }
    for (size_t m = 0; m < STACK_MEMBERS; m++) {
        f[m] = room(p->pairs, sizeof **f);
        for (size_t q = 0; member_family[m] == NULL && q < p->pairs; q++) {
            f[m][q] = mean_of(p, m, q, use_exp, use_obs);
        }
    }
    fit_without(f, p, options, j->fold, k);
    for (size_t i = 0; i < p->exp->n; i++) {
        size_t x = p->context[p->exp->pair[i]];
        for (size_t m = 0; j->fold[i] == k && m < STACK_MEMBERS; m++) {
            double mean = context_mean(f[m], p, x);
            j->contrast[i * STACK_MEMBERS + m] = f[m][p->exp->pair[i]] - mean;
            j->target[i] = m == MIXED ? p->exp->y[i] - mean : j->target[i];
        }
    }
    for (size_t m = 0; m < STACK_MEMBERS; m++) {
        free(f[m]);
    }
    free(use_exp);
    free(use_obs);
}

/* ---- stack: weights ------------------------------------------------------------------------------ */

/* The weight of a member before data: thirds for what knows agents and tags alone, for mixed and for the six. */
static double before_data(size_t member, size_t members)
{
    size_t alone = members < MIXED ? members : MIXED;
    double kinds = 1.0 + (members > MIXED) + (members > MIXED + 1);
    double in_kind = member < MIXED    ? (double)alone
                     : member == MIXED ? 1.0
                                       : (double)(members - MIXED - 1);
    return 1.0 / (kinds * in_kind);
}

/* The minimum over the simplex: of every set of members, that of the plane Σ w = 1, where it has no negative weight. */
static void weigh(double *best, const struct judged *j, size_t members, size_t without)
{
    double q[STACK_MEMBERS][STACK_MEMBERS] = {{0}}, c[STACK_MEMBERS] = {0}, trace = 0.0;
    double least = INFINITY, rows = 0.0;
    for (size_t i = 0; i < j->n; i++) {
        const double *g = j->contrast + i * STACK_MEMBERS;
        rows += j->fold[i] != without;
        for (size_t a = 0; j->fold[i] != without && a < members; a++) {
            c[a] += g[a] * j->target[i];
            trace += g[a] * g[a];
            for (size_t b = 0; b < members; b++) {
                q[a][b] += g[a] * g[b];
            }
        }
    }
    for (size_t a = 0; a < members; a++) {
        double cost = trace > 0.0 ? 400.0 / rows * trace / (double)members : 1.0;
        q[a][a] += cost;
        c[a] += cost * before_data(a, members);
    }
    for (size_t set = 1; set < (size_t)1 << members; set++) {
        double a[(STACK_MEMBERS + 1) * (STACK_MEMBERS + 1)] = {0}, b[STACK_MEMBERS + 1] = {0};
        size_t in[STACK_MEMBERS], n = 0;
        for (size_t m = 0; m < members; m++) {
            if (set >> m & 1) {
                in[n++] = m;
            }
        }
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n; k++) {
                a[i * (n + 1) + k] = q[in[i]][in[k]];
            }
            a[i * (n + 1) + n] = a[n * (n + 1) + i] = 1.0;
            b[i] = c[in[i]];
        }
        b[n] = 1.0;
        eliminate(a, b, n + 1, 1);
        double w[STACK_MEMBERS] = {0}, value = 0.0;
        int is_allowed = 1;
        for (size_t i = 0; i < n; i++) {
            w[in[i]] = b[i];
            is_allowed &= b[i] >= 0.0;
        }
        for (size_t i = 0; i < members; i++) {
            value -= 2.0 * c[i] * w[i];
            for (size_t k = 0; k < members; k++) {
                value += w[i] * q[i][k] * w[k];
            }
        }
        if (is_allowed && value < least) {
            least = value;
            memcpy(best, w, sizeof w);
        }
    }
}

static void row_losses(double *loss, const struct judged *j, size_t members)
{
    for (size_t k = 0; k < j->folds; k++) {
        double w[STACK_MEMBERS];
        weigh(w, j, members, k);
        for (size_t i = 0; i < j->n; i++) {
            double gap = j->target[i];
            for (size_t m = 0; m < members; m++) {
                gap -= w[m] * j->contrast[i * STACK_MEMBERS + m];
            }
            loss[i] = j->fold[i] == k ? gap * gap : loss[i];
        }
    }
}

/* The standard error of a mean by contexts. */
static double error_of(const double *d, double mean, const struct regret_problem *p)
{
    double total = 0.0, clusters = 0.0;
    for (size_t x = 0; x < p->n_contexts; x++) {
        double sum = 0.0;
        int rows = 0;
        for (size_t i = 0; i < p->exp->n; i++) {
            if (p->context[p->exp->pair[i]] == x) {
                sum += d[i] - mean;
                rows++;
            }
        }
        total += sum * sum;
        clusters += rows > 0;
    }
    return sqrt(total * clusters / (clusters - 1.0)) / (double)p->exp->n;
}

static void choose(struct stack_reference *out, const struct judged *j,
                   const struct regret_problem *p, double errors)
{
    double *loss[STACK_LIBRARIES], *d = room(j->n, sizeof *d);
    size_t best = 0;
    for (size_t l = 0; l < STACK_LIBRARIES; l++) {
        loss[l] = room(j->n, sizeof **loss);
        row_losses(loss[l], j, library_members[l]);
        out->loss[l] = 0.0;
        for (size_t i = 0; i < j->n; i++) {
            out->loss[l] += loss[l][i] / (double)j->n;
        }
        best = out->loss[l] < out->loss[best] ? l : best;
    }
    out->library = STACK_LIBRARIES;
    for (size_t l = 0; l < STACK_LIBRARIES; l++) {
        out->difference[l] = 0.0;
        for (size_t i = 0; i < j->n; i++) {
            d[i] = loss[l][i] - loss[best][i];
            out->difference[l] += d[i] / (double)j->n;
        }
        out->error[l] = error_of(d, out->difference[l], p);
        if (out->library == STACK_LIBRARIES && l <= best &&
            (l == best || out->difference[l] <= errors * out->error[l])) {
            out->library = l;
        }
    }
    for (size_t l = 0; l < STACK_LIBRARIES; l++) {
        free(loss[l]);
    }
    free(d);
}

/* ---- stack: predictions -------------------------------------------------------------------------- */

static void predict(struct stack_reference *out, const struct regret_problem *p,
                    const struct regret_estimate_options *options)
{
    out->prediction = room(p->pairs, sizeof *out->prediction);
    out->cross_fit = room(p->exp->n, sizeof *out->cross_fit);
    unsigned char *use = room(p->exp->n, 1);
    for (size_t m = 0; m < STACK_MEMBERS; m++) {
        struct regret_session *session = NULL;
        struct regret_estimate *e = NULL;
        if (member_family[m] != NULL) {
            cr_assert_eq(regret_session_open(&session, p, options), 0);
            cr_assert_eq(regret_family_fit(&e, family_of(m), session), 0);
            regret_session_close(session);
        }
        for (size_t q = 0; q < p->pairs; q++) {
            double f = e != NULL ? e->prediction[q] : mean_of(p, m, q, NULL, NULL);
            out->prediction[q] += out->weight[m] * f;
        }
        for (size_t i = 0; i < p->exp->n; i++) {
            for (size_t k = 0; e == NULL && k < p->exp->n; k++) {
                use[k] = p->dr->fold[k] != p->dr->fold[i];
            }
            double f = e != NULL ? e->cross_fit[i] : mean_of(p, m, p->exp->pair[i], use, NULL);
            out->cross_fit[i] += out->weight[m] * f;
        }
        regret_estimate_free(e);
    }
    for (size_t q = 0; q < p->pairs; q++) {
        out->prediction[q] = clip(out->prediction[q]);
    }
    free(use);
}

void stack_reference(struct stack_reference *out, const struct regret_problem *p,
                     const struct regret_estimate_options *options, double errors)
{
    struct regret_folds *folds = NULL;
    *out = (struct stack_reference){.library = 0};
    cr_assert_eq(regret_folds_by_context(&folds, p->exp, p->pairs, p->context, p->n_contexts, 5,
                                         p->seed, REGRET_RNG_CV_FOLDS),
                 0);
    struct judged j = {p->exp->n, folds->n_folds, folds->fold, room(p->exp->n, sizeof(double)),
                       room(p->exp->n * STACK_MEMBERS, sizeof(double))};
    for (size_t k = 0; k < folds->n_folds; k++) {
        judge_fold(&j, p, options, k);
    }
    choose(out, &j, p, errors);
    weigh(out->weight, &j, library_members[out->library], SIZE_MAX);
    predict(out, p, options);
    free(j.target);
    free(j.contrast);
    regret_folds_free(folds);
}
