/* What predicted labels do where the truth is known, and what becomes of it by each way to correct
 * them. */
#include <math.h>

#include "base/core/try.h"
#include "rate/labels/corrected.h"
#include "rate/rows/streams.h"
#include "regret/alloc.h"
#include "regret/parallel.h"
#include "regret/rate_study.h"
#include "regret/rng.h"
#include "regret/student.h"

enum { WAYS = REGRET_RATE_N_WAYS, EFFECTS = REGRET_RATE_N_PREDICTED_EFFECTS };

const char *regret_rate_way_name(enum regret_rate_way way)
{
    static const char *const names[WAYS] = {"all_labelled", "uncorrected",     "adjusted",
                                            "labelled",     "full_correction", "corrected"};
    return names[way];
}

/* One way's estimate of one effect in one replicate. */
struct trial {
    double error, half; /* half the width of the interval; NaN: there is none */
};

struct study {
    const struct regret_rate_world *world;
    const struct regret_rate_predicted_world *how;
    uint64_t seed;
    struct trial *trials; /* replicates × ways × effects; owned */
    double truth[REGRET_RATE_N_WORLD_ESTIMATORS];
};

FREED_FIELDS(study, of->trials)

/* The rows of one replicate. */
struct replicate {
    struct regret_rate_rows *rows;
    double *w, *p, *d; /* truth, prediction (0 or 1), RR − R, in the order of the rows */
    struct labelled_sample sample; /* the labelled ones first */
};

/* Each row is predicted rightly with the classifier's accuracy for its Z, and labelled by chance; the
 * first rows are labelled until there are enough of both sides to estimate. */
static int draw_replicate(struct replicate *r, const struct study *s, size_t index)
{
    struct regret_rng rng =
        regret_rng_at(s->seed, REGRET_RNG_RATE,
                      stream_index(STREAM_LABELS, (uint32_t)(index >> 32), (uint32_t)index));
    const struct regret_rate_predicted_world *how = s->how;
    TRY(regret_rate_world_rows(&r->rows, s->world, how->n_rows, s->seed, index));
    TRY(REGRET_NEW(&r->w, 3 * how->n_rows));
    TRY(REGRET_NEW(&r->sample.w, 3 * how->n_rows));
    r->p = r->w + how->n_rows;
    r->d = r->p + how->n_rows;
    r->sample.p = r->sample.w + how->n_rows;
    r->sample.x = r->sample.p + how->n_rows;
    r->sample.n = (size_t)(how->labelled * (double)how->n_rows);
    r->sample.n_more = how->n_rows - r->sample.n;
    double *const *score = r->rows->models[0].score;
    for (size_t i = 0; i < how->n_rows; i++) {
        double accuracy = how->accuracy + (r->rows->z[i] == 1 ? how->tilt : -how->tilt);
        int right = regret_rng_uniform(&rng) < accuracy;
        r->w[i] = r->sample.w[i] = r->rows->w[i];
        r->p[i] = r->sample.p[i] = right ? r->w[i] : 1.0 - r->w[i];
        r->d[i] = r->sample.x[i] =
            score[REGRET_SIDE_REWRITE_OF_REWRITE][i] - score[REGRET_SIDE_REWRITE][i];
    }
    return REGRET_OK;
}

/* By regret_rate_estimate(), from the labels that the table has. */
static int plain(struct trial out[EFFECTS], const struct regret_rate_rows *rows)
{
    struct regret_rate_estimate *e = NULL;
    const struct regret_rate_options options = {.threads = 1};
    size_t n = 0;
    TRY(regret_rate_estimate(&e, &n, rows, &options));
    for (int k = 0; k < EFFECTS; k++) {
        out[k].error = e->effects[REGRET_EFFECT_RATE_ATE + k].estimate;
        out[k].half = 0.5 * (e->effects[REGRET_EFFECT_RATE_ATE + k].high -
                             e->effects[REGRET_EFFECT_RATE_ATE + k].low);
    }
    regret_free(e);
    return REGRET_OK;
}

/* Takes the labelled rows' shares of right predictions for those of all, whatever their rewards: from
 * E[Ŵ D] = s₁ E[W D] + (1 − s₀) E[(1 − W) D] and E[(1 − Ŵ) D] likewise follow E[W D] and E[(1 − W) D],
 * and P(W = 1) from P(Ŵ = 1) (Rogan and Gladen, American Journal of Epidemiology 107 (1978) 71-76). */
static void adjusted(struct trial out[EFFECTS], const struct labelled_sample *s)
{
    double right1 = 0.0, right0 = 0.0, ones = 0.0, sum1 = 0.0, sum0 = 0.0, positive = 0.0;
    double n = (double)(s->n + s->n_more);
    for (size_t i = 0; i < s->n; i++) {
        ones += s->w[i];
        right1 += s->w[i] * s->p[i];
        right0 += (1.0 - s->w[i]) * (1.0 - s->p[i]);
    }
    for (size_t i = 0; i < s->n + s->n_more; i++) {
        sum1 += s->p[i] * s->x[i] / n;
        sum0 += (1.0 - s->p[i]) * s->x[i] / n;
        positive += s->p[i] / n;
    }
    double s1 = right1 / ones, s0 = right0 / ((double)s->n - ones), both = s1 + s0 - 1.0;
    double one = (s0 * sum1 - (1.0 - s0) * sum0) / both;
    double zero = (s1 * sum0 - (1.0 - s1) * sum1) / both;
    double share = (positive + s0 - 1.0) / both;
    const double estimates[EFFECTS] = {one - zero, one / share, -zero / (1.0 - share)};
    for (int k = 0; k < EFFECTS; k++) {
        out[k] = (struct trial){estimates[k], NAN};
    }
}

static void powered(struct trial out[EFFECTS], const struct labelled_sample *s, double lambda)
{
    double ones = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        ones += s->w[i];
    }
    const double freedom[EFFECTS] = {(double)s->n - 1.0, ones - 1.0, (double)s->n - ones - 1.0};
    for (int k = 0; k < EFFECTS; k++) {
        struct corrected_effect c = correct_effect(
            s, (enum regret_rate_effect_kind)(REGRET_EFFECT_RATE_ATE + k), 0, lambda);
        out[k] = (struct trial){c.estimate, regret_student_quantile(0.975, freedom[k]) * c.se};
    }
}

static int run_replicate(void *context, size_t index, size_t worker)
{
    const struct study *s = context;
    struct replicate r = {0};
    struct trial(*out)[EFFECTS] = (struct trial(*)[EFFECTS])(s->trials + index * WAYS * EFFECTS);
    int rc;
    (void)worker;
    TRY_CLEANUP(draw_replicate(&r, s, index));
    TRY_CLEANUP(plain(out[REGRET_RATE_WAY_ALL_LABELLED], r.rows));
    for (size_t i = r.sample.n; i < r.rows->n_rows; i++) {
        r.rows->w[i] = r.p[i] > 0.5 ? REGRET_LABEL_1 : REGRET_LABEL_0;
    }
    TRY_CLEANUP(plain(out[REGRET_RATE_WAY_UNCORRECTED], r.rows));
    adjusted(out[REGRET_RATE_WAY_ADJUSTED], &r.sample);
    powered(out[REGRET_RATE_WAY_LABELLED], &r.sample, 0.0);
    powered(out[REGRET_RATE_WAY_FULL], &r.sample, 1.0);
    powered(out[REGRET_RATE_WAY_CORRECTED], &r.sample, (double)NAN);
    for (size_t k = 0; k < (size_t)WAYS * EFFECTS; k++) {
        s->trials[index * WAYS * EFFECTS + k].error -=
            s->truth[REGRET_RATE_WORLD_RATE_ATE + k % EFFECTS];
    }
cleanup:
    regret_free(r.w);
    regret_free(r.sample.w);
    regret_rate_rows_free(r.rows);
    return rc;
}

static struct regret_rate_predicted_result result_of(const struct study *s, size_t n, size_t k)
{
    struct regret_rate_predicted_result out = {
        .truth = s->truth[REGRET_RATE_WORLD_RATE_ATE + k % EFFECTS]};
    double squares = 0.0, count = (double)n;
    for (size_t b = 0; b < n; b++) {
        const struct trial *t = &s->trials[b * WAYS * EFFECTS + k];
        out.bias += t->error / count;
        out.width += 2.0 * t->half / count;
        out.coverage += isnan(t->half) ? (double)NAN : (fabs(t->error) <= t->half) / count;
        squares += t->error * t->error / count;
    }
    out.rmse = sqrt(squares);
    out.bias_se = sqrt((squares - out.bias * out.bias) / (count - 1.0));
    return out;
}

static int check_predicted_world(const struct regret_rate_predicted_world *how, size_t n_replicates)
{
    double least = how->accuracy - fabs(how->tilt), most = how->accuracy + fabs(how->tilt);
    double labelled = how->labelled * (double)how->n_rows;
    return least >= 0.0 && most <= 1.0 && labelled >= 20.0 &&
                   labelled <= (double)how->n_rows - 1.0 && n_replicates >= 2
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "predicted labels want accuracies from 0 to 1, a share that labels at "
                             "least 20 of the rows and not all, and 2 replicates");
}

int regret_rate_world_predicted(struct regret_rate_predicted_result out[WAYS * EFFECTS],
                                const struct regret_rate_world *world,
                                const struct regret_rate_predicted_world *how, size_t n_replicates,
                                uint64_t seed, size_t threads)
{
    double bias[REGRET_RATE_N_WORLD_ESTIMATORS];
    FREED_BY(study_fields) struct study s = {.world = world, .how = how, .seed = seed};
    TRY(check_predicted_world(how, n_replicates));
    regret_rate_world_truth(s.truth, bias, world);
    TRY(REGRET_NEW(&s.trials, n_replicates * WAYS * EFFECTS));
    TRY(regret_parallel_for(n_replicates, threads, run_replicate, &s));
    for (size_t k = 0; k < (size_t)WAYS * EFFECTS; k++) {
        out[k] = result_of(&s, n_replicates, k);
    }
    return REGRET_OK;
}
