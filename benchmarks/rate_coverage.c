/* Whether the intervals of attribute effects hold the truth: the tables coverage.csv and together.csv of reports/rate, of
 * SYNTHETIC rewards.
 *
 *   rate-coverage coverage [REPLICATES]   95 % intervals by sizes and correlation of the clusters
 *   rate-coverage together [REPLICATES]   all differences between four reward models at once
 *
 * 4,000 replicates if not said otherwise; replicate b of a line draws from the stream (1, its number).
 * A reward is that of its prompt (deviation 1), plus the effect of W at this prompt, plus noise
 * (deviation sqrt(1/2)), so that the two rewards of δ leave it the noise 1; the effect's deviation over
 * prompts h makes the intra-cluster correlation h²/(h² + 1). W is a coin. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rate/contrast.h"
#include "regret/rate.h"
#include "regret/status.h"
#include "regret/task.h"

enum { MODELS = 4, SEED = 1 };

struct design {
    const char *name;
    size_t n_clusters, n_sizes, sizes[6]; /* of the clusters, again and again */
};

static const struct design designs[] = {
    {"12 prompts x 1", 12, 1, {1}},
    {"12 prompts x 8", 12, 1, {8}},
    {"40 prompts x 1", 40, 1, {1}},
    {"40 prompts x 2", 40, 1, {2}},
    {"40 prompts x 8", 40, 1, {8}},
    {"48 prompts x 1 to 8", 48, 6, {1, 2, 8, 3, 1, 5}},
    {"12 prompts x 1 to 8", 12, 6, {1, 2, 8, 3, 1, 5}},
    {"20 prompts x 1 to 20", 20, 5, {1, 1, 2, 5, 20}},
};
enum { N_DESIGNS = sizeof designs / sizeof *designs };

static void die(const char *what)
{
    fprintf(stderr, "rate-coverage: %s: %s\n", what, regret_error_message());
    exit(1);
}

static void draw_row(struct regret_rate_row *row, size_t n_models, const double *base,
                     const double *effect, struct regret_rng *rng)
{
    int w = (int)regret_rng_below(rng, 2);
    row->w = w ? REGRET_LABEL_1 : REGRET_LABEL_0;
    row->n_scores = n_models;
    for (size_t m = 0; m < n_models; m++) {
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            int has = side == REGRET_SIDE_REWRITE ? !w : w;
            row->scores[m].value[side] =
                base[m] + effect[m] * has + sqrt(0.5) * regret_rng_normal(rng);
        }
    }
}

static struct regret_rate_rows *draw(const struct design *d, size_t n_models, double effect,
                                     double icc, uint64_t replicate)
{
    static struct regret_rate_row row;
    static const char *const names[MODELS] = {"m0", "m1", "m2", "m3"};
    struct regret_rate_rows *rows = NULL;
    struct regret_rng rng = regret_rng_at(SEED, REGRET_RNG_TEST, replicate);
    double spread = sqrt(icc / (1.0 - icc)), base[MODELS], own[MODELS];
    if (regret_rate_rows_new(&rows, 0) != 0) {
        die("rows");
    }
    row.z = REGRET_LABEL_MISSING;
    row.dataset = row.attribute = (struct regret_span){"", 0};
    for (size_t g = 0; g < d->n_clusters; g++) {
        static char name[24];
        row.cluster.length = (size_t)snprintf(name, sizeof name, "%zu", g);
        row.cluster.text = name;
        for (size_t m = 0; m < n_models; m++) {
            row.scores[m].model = (struct regret_span){names[m], 2};
            base[m] = regret_rng_normal(&rng);
            own[m] = effect + spread * regret_rng_normal(&rng);
        }
        for (size_t k = 0; k < d->sizes[g % d->n_sizes]; k++) {
            draw_row(&row, n_models, base, own, &rng);
            if (regret_rate_rows_add(rows, &row) != 0) {
                die("rows");
            }
        }
    }
    if (regret_rate_rows_finish(rows) != 0) {
        die("rows");
    }
    return rows;
}

static struct regret_rate_estimate *estimate(const struct regret_rate_rows *rows,
                                             struct regret_rate_options options)
{
    struct regret_rate_estimate *e = NULL;
    size_t n = 0;
    options.threads = 1;
    if (regret_rate_estimate(&e, &n, rows, &options) != 0) {
        die("estimate");
    }
    return e;
}

/* ---- Coverage ---- */

static const struct {
    const char *name;
    struct regret_rate_options options;
} ways[] = {
    {"independent, 1.96", {.clusters = REGRET_CLUSTERS_NONE, .interval = REGRET_INTERVAL_NORMAL}},
    {"independent, t", {.clusters = REGRET_CLUSTERS_NONE}},
    {"clusters, 1.96", {.clusters = REGRET_CLUSTERS_OF_GROUP, .interval = REGRET_INTERVAL_NORMAL}},
    {"clusters, t", {.clusters = REGRET_CLUSTERS_OF_GROUP}},
};
enum { N_WAYS = sizeof ways / sizeof *ways };
static const enum regret_rate_effect_kind kinds[] = {REGRET_EFFECT_NAIVE, REGRET_EFFECT_RATE_ATE,
                                                     REGRET_EFFECT_RATE_ATT};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

struct tally {
    size_t made, held;
    double width, df;
};

static void count(struct tally *t, const struct regret_rate_effect *f, double truth)
{
    if (f->missing == NULL) {
        t->made++;
        t->held += f->low <= truth && truth <= f->high;
        t->width += f->high - f->low;
        t->df += f->df;
    }
}

static void print_tallies(const struct design *d, double icc, const struct tally *tallies)
{
    size_t rows = 0;
    for (size_t g = 0; g < d->n_clusters; g++) {
        rows += d->sizes[g % d->n_sizes];
    }
    for (size_t k = 0; k < N_KINDS; k++) {
        for (size_t way = 0; way < N_WAYS; way++) {
            const struct tally *t = &tallies[k * N_WAYS + way];
            double n = (double)t->made, share = (double)t->held / n;
            printf("%s,%zu,%zu,%g,%s,\"%s\",%zu,%.4f,%.4f,%.4f,", d->name, d->n_clusters, rows, icc,
                   regret_rate_effect_name(kinds[k]), ways[way].name, t->made, share,
                   sqrt(share * (1.0 - share) / n), t->width / n);
            printf(isinf(t->df) ? "\n" : "%.2f\n", t->df / n);
        }
    }
}

static void coverage(size_t replicates)
{
    static const double correlations[] = {0.0, 0.3, 0.8};
    puts("design,prompts,rows,icc,effect,interval,replicates,coverage,coverage_se,mean_width,mean_"
         "df");
    for (size_t line = 0; line < (size_t)N_DESIGNS * 3; line++) {
        const struct design *d = &designs[line / 3];
        double icc = correlations[line % 3];
        struct tally tallies[(size_t)N_KINDS * N_WAYS] = {{0}};
        for (size_t b = 0; b < replicates; b++) {
            struct regret_rate_rows *rows = draw(d, 1, 0.5, icc, (uint64_t)line << 32 | b);
            for (size_t way = 0; way < N_WAYS; way++) {
                struct regret_rate_estimate *e = estimate(rows, ways[way].options);
                for (size_t k = 0; k < N_KINDS; k++) {
                    count(&tallies[k * N_WAYS + way], &e->effects[kinds[k]], 0.5);
                }
                regret_free(e);
            }
            regret_rate_rows_free(rows);
        }
        print_tallies(d, icc, tallies);
    }
}

/* ---- Together ---- */

static void together(size_t replicates)
{
    puts("design,prompts,icc,contrasts,replicates,each,all_by_own,all_by_together,holm_finds_one,"
         "mean_critical");
    for (size_t line = 0; line < N_DESIGNS; line++) {
        double each = 0.0, own = 0.0, all = 0.0, found = 0.0, critical = 0.0;
        size_t n = 0;
        for (size_t b = 0; b < replicates; b++) {
            const struct regret_rate_contrast_options options = {.kinds = 1U
                                                                          << REGRET_CONTRAST_MODELS,
                                                                 .effect = REGRET_EFFECT_RATE_ATE,
                                                                 .scale = REGRET_SCALE_REWARD,
                                                                 .seed = b};
            struct regret_rate_contrasts c = {0};
            struct regret_rate_rows *rows =
                draw(&designs[line], MODELS, 0.5, 0.5, (uint64_t)(line + 1000) << 32 | b);
            if (regret_rate_contrast(&c, rows, &options) != 0) {
                die("contrast");
            }
            int by_own = 1, by_all = 1, none = 1;
            n = c.n;
            for (size_t k = 0; k < n; k++) {
                int holds = c.contrasts[k].low <= 0.0 && 0.0 <= c.contrasts[k].high;
                each += (double)holds / (double)n;
                by_own &= holds;
                by_all &= c.contrasts[k].all_low <= 0.0 && 0.0 <= c.contrasts[k].all_high;
                none &= c.contrasts[k].p_holm > 0.05;
            }
            own += by_own;
            all += by_all;
            found += !none;
            critical += c.critical;
            regret_rate_contrasts_free(&c);
            regret_rate_rows_free(rows);
        }
        double r = (double)replicates;
        printf("%s,%zu,0.5,%zu,%zu,%.4f,%.4f,%.4f,%.4f,%.3f\n", designs[line].name,
               designs[line].n_clusters, n, replicates, each / r, own / r, all / r, found / r,
               critical / r);
    }
}

int main(int argc, char **argv)
{
    size_t replicates = argc > 2 ? strtoul(argv[2], NULL, 10) : 4000;
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "coverage") == 0) {
        coverage(replicates);
    } else if (strcmp(what, "together") == 0) {
        together(replicates);
    } else {
        fputs("usage: rate-coverage coverage|together [REPLICATES]\n", stderr);
        return 2;
    }
    return 0;
}
