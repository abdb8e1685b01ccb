/* Fits the difficulty of the pool newswire-ceiling:
 *
 *   fit-ceiling [--penalty LEAST] [POINTS [ROUNDS]]
 *   fit-ceiling check [SEEDS [KNOBS]]
 *
 * The targets describe the paper's pool alone (docs/ceiling.md): what a linear fit of the rubric and
 * of the proxy explains, how far OBS-Only is from the best agent, how alike agents are, how high
 * scores are. No other family runs here, and nothing else the paper prints is looked at.
 *
 * The search measures POINTS of a Halton sequence over the knobs, then goes ROUNDS times through the
 * knobs from the best of them, each by a step that is halved every round. It is deterministic.
 * reward.penalty may go down to 0, or to LEAST: the paper's sharpened map has a penalty, whose value is
 * lost, and the descriptors alone would do without one.
 * `check` measures the pool as it is committed, or at the eleven knobs that a fit printed, with the
 * configuration of the main job. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "regret/experiment.h"
#include "regret/file.h"
#include "regret/pool_stats.h"
#include "regret/results.h"
#include "regret/synth.h"
#include "synth/newswire/newswire.h"
#include "synth/synth.h"

enum { SEEDS = 6, GAMMA = 1 };

/* ---------------------------------------------------------------- what is fitted */

enum measured {
    RUBRIC_SMOOTH,
    RUBRIC_SHARPENED,
    PROXY_SMOOTH,
    PROXY_SHARPENED,
    REGRET_SMOOTH,
    REGRET_SHARPENED,
    AGENT_SHARE,
    MEAN_SCORE,
    N_MEASURED
};

/* A residual counts by how many of `scale` it is. 0: shown only, since it is so by construction. */
static const struct {
    const char *name;
    double value, scale;
} targets[N_MEASURED] = {
    [RUBRIC_SMOOTH] = {"rubric R2, smooth", 1.0, 0.0},
    [RUBRIC_SHARPENED] = {"rubric R2, sharpened", 0.779, 0.03},
    [PROXY_SMOOTH] = {"proxy R2, smooth", 0.161, 0.03},
    [PROXY_SHARPENED] = {"proxy R2, sharpened", 0.171, 0.03},
    [REGRET_SMOOTH] = {"regret of obs-only, smooth", 0.0125, 0.002},
    [REGRET_SHARPENED] = {"regret of obs-only, sharpened", 0.0477, 0.006},
    [AGENT_SHARE] = {"agent variance of agent and interaction", 0.38, 0.08},
    [MEAN_SCORE] = {"mean score of 5", 4.5, 0.15},
};

enum knob {
    SLIPS,
    SUITS,
    LUCK,    /* percent of the chances of bad luck in the pool newswire */
    SMALL,   /* added to the luck of small models */
    CLAIMS,  /* weight of claims forgiven */
    MISSING, /* major points that need not be told */
    BLEMISH, /* blemishes forgiven */
    LENGTH,  /* percent of the width of the marks for length */
    IDLE,    /* percent of the marks for idle words */
    POWER,   /* reward.power */
    PENALTY, /* reward.penalty */
    N_KNOBS
};

static struct {
    const char *name;
    double low, high, unit; /* values are whole multiples of `unit` */
} knobs[N_KNOBS] = {
    [SLIPS] = {"slips", 0, 100, 1},         [SUITS] = {"suits", 0, 100, 1},
    [LUCK] = {"luck", 0, 100, 1},           [SMALL] = {"small", 0, 40, 1},
    [CLAIMS] = {"claims", 0, 3, 1},         [MISSING] = {"missing", 0, 3, 1},
    [BLEMISH] = {"blemish", 0, 4, 1},       [LENGTH] = {"length", 100, 200, 1},
    [IDLE] = {"idle", 100, 300, 1},         [POWER] = {"power", 2, 8, 0.25},
    [PENALTY] = {"penalty", 0, 0.1, 0.005},
};

static unsigned percent_of(double percent, unsigned value)
{
    return (unsigned)lround(percent * value / 100.0);
}

/* The difficulty at a point: marks move from those of the hard pool. */
static struct newswire_difficulty difficulty_at(const double at[N_KNOBS])
{
    struct newswire_difficulty d = newswire_hard;
    d.slips = (unsigned)at[SLIPS];
    d.suits = (unsigned)at[SUITS];
    d.luck.sure = 100 - percent_of(at[LUCK], 100 - newswire_hard.luck.sure);
    d.luck.partial = 100 - percent_of(at[LUCK], 100 - newswire_hard.luck.partial);
    d.luck.garbling = 100 - percent_of(at[LUCK], 100 - newswire_hard.luck.garbling);
    d.luck.rambling = 100 - percent_of(at[LUCK], 100 - newswire_hard.luck.rambling);
    d.luck.confused = 100 - percent_of(at[LUCK], 100 - newswire_hard.luck.confused);
    d.luck.small = (unsigned)at[SMALL];
    for (int i = 0; i < 4; i++) {
        d.marks.claims[i] += (unsigned)at[CLAIMS];
        d.marks.shortest[i] = percent_of(1e4 / at[LENGTH], newswire_hard.marks.shortest[i]);
        d.marks.longest[i] = percent_of(at[LENGTH], newswire_hard.marks.longest[i]);
        d.marks.idle[i] = percent_of(at[IDLE], newswire_hard.marks.idle[i]);
    }
    for (int i = 0; i < 2; i++) {
        d.marks.missing[i] += (unsigned)at[MISSING];
        d.marks.told[i] = percent_of(100.0 - 15.0 * at[MISSING], newswire_hard.marks.told[i]);
    }
    for (int i = 0; i < 5; i++) {
        d.marks.blemishes[i] += (unsigned)at[BLEMISH];
    }
    return d;
}

/* ---------------------------------------------------------------- measuring a point */

static struct newswire_difficulty tried; /* of the generator "candidate" */

static int open_candidate(void *state)
{
    return newswire_open(state, &tried);
}

static int measure_pool(double m[N_MEASURED], const struct regret_generator *g)
{
    const struct regret_synth_options options = REGRET_SYNTH_OPTIONS_INIT;
    struct regret_pool *pool = NULL;
    struct regret_pool_stats *stats = NULL;
    int rc = regret_synth_pool(&pool, g, &options);
    if (rc == REGRET_OK) {
        rc = regret_pool_stats_make(&stats, pool);
    }
    if (rc == REGRET_OK) {
        m[AGENT_SHARE] = stats->agent_share / (stats->agent_share + stats->interaction_share);
        m[MEAN_SCORE] = 0.0;
        for (size_t k = 0; k < pool->n_components; k++) {
            m[MEAN_SCORE] += stats->values[k].mean / (double)pool->n_components;
        }
    }
    regret_pool_stats_free(stats);
    regret_pool_free(pool);
    return rc;
}

/* The mean over seeds and the cells of one reward map. */
static double mean_of(const struct regret_results *r, enum regret_measure measure,
                      enum regret_row_kind kind, const char *name, const char *map)
{
    size_t subject = regret_results_subject(r, kind, name);
    double sum = 0.0, n = 0.0;
    for (size_t cell = 0; cell < r->n_cells; cell++) {
        if (strcmp(regret_results_key_text(r, cell, REGRET_KEY_MAP), map) == 0) {
            for (size_t seed = 0; seed < r->n_seeds; seed++) {
                sum += regret_results_value(r, measure, subject, cell, seed);
                n += 1.0;
            }
        }
    }
    return sum / n;
}

static void measure_rows(double m[N_MEASURED], const struct regret_results *r)
{
    static const char *const maps[] = {"smooth", "sharpened"};
    for (int i = 0; i < 2; i++) {
        m[RUBRIC_SMOOTH + i] = mean_of(r, REGRET_MEASURE_R2, REGRET_ROW_FIT, "components", maps[i]);
        m[PROXY_SMOOTH + i] = mean_of(r, REGRET_MEASURE_R2, REGRET_ROW_FIT, "proxy", maps[i]);
        m[REGRET_SMOOTH + i] =
            mean_of(r, REGRET_MEASURE_REGRET, REGRET_ROW_FAMILY, "obs-only", maps[i]);
    }
}

/* Runs obs-only under both maps in `folder`. */
static int measure_run(double m[N_MEASURED], const char *folder, const char *config,
                       const char *const *sets, size_t n_sets)
{
    struct regret_run_options o = REGRET_RUN_OPTIONS_INIT;
    struct regret_run_summary summary;
    struct regret_results *results = NULL;
    char out[512];
    snprintf(out, sizeof out, "%s/run", folder);
    o.config = config;
    o.sets = sets;
    o.n_sets = n_sets;
    o.out = out;
    o.force = 1;
    int rc = regret_run(&summary, &o);
    if (rc == REGRET_OK) {
        rc = regret_results_read(&results, out);
    }
    if (rc == REGRET_OK) {
        measure_rows(m, results);
    }
    regret_results_free(results);
    return rc;
}

static int measure(double m[N_MEASURED], const char *folder, const double at[N_KNOBS])
{
    static const char config[] =
        "{\"pool\": \"synth:candidate\", \"synth\": {\"articles\": 80, \"draws\": 1},\n"
        " \"values.enabled\": false, \"families\": [\"obs-only\"], \"n_obs\": 2000, \"n_exp\": "
        "100,\n"
        " \"beta\": 0.4, \"sweep\": {\"reward.map\": [\"smooth\", \"sharpened\"]}}\n";
    char path[512], set[4][64];
    const char *const sets[] = {set[0], set[1], set[2], set[3]};
    struct regret_generator candidate = newswire_generator;
    snprintf(path, sizeof path, "%s/config.json", folder);
    snprintf(set[0], sizeof set[0], "reward.power=%g", at[POWER]);
    snprintf(set[1], sizeof set[1], "reward.penalty=%g", at[PENALTY]);
    snprintf(set[2], sizeof set[2], "router.gamma=%d", GAMMA);
    snprintf(set[3], sizeof set[3], "seeds=%d", SEEDS);
    tried = difficulty_at(at);
    candidate.open = open_candidate;
    int rc = regret_file_write(path, config, sizeof config - 1);
    if (rc == REGRET_OK) {
        rc = measure_pool(m, &candidate);
    }
    return rc == REGRET_OK ? measure_run(m, folder, path, sets, 4) : rc;
}

static double loss_of(const double m[N_MEASURED])
{
    double sum = 0.0;
    for (int i = 0; i < N_MEASURED; i++) {
        if (targets[i].scale > 0.0) {
            double residual = (m[i] - targets[i].value) / targets[i].scale;
            sum += residual * residual;
        }
    }
    return sum;
}

/* ---------------------------------------------------------------- the search */

struct search {
    const char *folder;
    size_t tries;
    double best[N_KNOBS], measured[N_MEASURED], loss;
};

static int same_point(const double a[N_KNOBS], const double b[N_KNOBS])
{
    int k = 0;
    while (k < N_KNOBS && a[k] == b[k]) {
        k++;
    }
    return k == N_KNOBS;
}

/* Measures a point and keeps it where it is better. */
static int try_point(struct search *s, const double point[N_KNOBS])
{
    double at[N_KNOBS], m[N_MEASURED];
    for (int i = 0; i < N_KNOBS; i++) {
        double value = fmin(fmax(point[i], knobs[i].low), knobs[i].high);
        at[i] = round(value / knobs[i].unit) * knobs[i].unit;
    }
    if (s->tries > 0 && same_point(at, s->best)) {
        return REGRET_OK;
    }
    int rc = measure(m, s->folder, at);
    if (rc != REGRET_OK) {
        return rc;
    }
    double loss = loss_of(m);
    if (s->tries++ == 0 || loss < s->loss) {
        memcpy(s->best, at, sizeof at);
        memcpy(s->measured, m, sizeof m);
        s->loss = loss;
        fprintf(stderr, "%zu: loss %.2f\n", s->tries, loss);
    }
    return REGRET_OK;
}

/* Element `index` of the Halton sequence in `base`: the digits of the index behind the point. */
static double halton(size_t index, unsigned base)
{
    double value = 0.0, digit = 1.0;
    for (; index > 0; index /= base) {
        digit /= base;
        value += digit * (double)(index % base);
    }
    return value;
}

static int search_space(struct search *s, size_t points)
{
    static const unsigned primes[N_KNOBS] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31};
    for (size_t i = 1; i <= points; i++) {
        double at[N_KNOBS];
        for (int k = 0; k < N_KNOBS; k++) {
            at[k] = knobs[k].low + halton(i, primes[k]) * (knobs[k].high - knobs[k].low);
        }
        int rc = try_point(s, at);
        if (rc != REGRET_OK) {
            return rc;
        }
    }
    return REGRET_OK;
}

static int search_knobs(struct search *s, size_t rounds)
{
    double step = 0.25; /* of a knob's range */
    for (size_t round = 0; round < rounds; round++, step /= 2.0) {
        for (int k = 0; k < N_KNOBS; k++) {
            double size = fmax(step * (knobs[k].high - knobs[k].low), knobs[k].unit);
            const double from = s->best[k];
            for (int sign = -1; sign <= 1; sign += 2) {
                double at[N_KNOBS];
                memcpy(at, s->best, sizeof at);
                at[k] = from + sign * size;
                int rc = try_point(s, at);
                if (rc != REGRET_OK) {
                    return rc;
                }
            }
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- what is printed */

static void print_fit(const double m[N_MEASURED])
{
    printf("| what | target | measured | residual |\n|---|---:|---:|---:|\n");
    for (int i = 0; i < N_MEASURED; i++) {
        printf("| %s | %.4g | %.4f | %+.4f |\n", targets[i].name, targets[i].value, m[i],
               m[i] - targets[i].value);
    }
    printf("\nloss %.2f\n", loss_of(m));
}

static void print_marks(const char *name, const unsigned *marks, int n)
{
    printf("  .%s = {", name);
    for (int i = 0; i < n; i++) {
        printf("%s%u", i == 0 ? "" : ", ", marks[i]);
    }
    printf("}\n");
}

static void print_difficulty(const double at[N_KNOBS])
{
    const struct newswire_difficulty d = difficulty_at(at);
    printf("\n");
    for (int i = 0; i < N_KNOBS; i++) {
        printf("%s%s %g", i == 0 ? "" : ", ", knobs[i].name, at[i]);
    }
    printf(
        "\n  .slips = %u, .suits = %u\n  .luck = {%u, %u, %u, %u, %u, .small = %u, .large = %u}\n",
        d.slips, d.suits, d.luck.sure, d.luck.partial, d.luck.garbling, d.luck.rambling,
        d.luck.confused, d.luck.small, d.luck.large);
    print_marks("claims", d.marks.claims, 4);
    print_marks("missing", d.marks.missing, 2);
    print_marks("told", d.marks.told, 2);
    print_marks("blemishes", d.marks.blemishes, 5);
    print_marks("shortest", d.marks.shortest, 4);
    print_marks("longest", d.marks.longest, 4);
    print_marks("idle", d.marks.idle, 4);
}

static int fit(const char *folder, size_t points, size_t rounds)
{
    struct regret_generator candidate = newswire_generator;
    struct search s = {.folder = folder};
    candidate.name = "candidate";
    candidate.open = open_candidate;
    int rc = regret_generator_register(&candidate);
    if (rc == REGRET_OK) {
        rc = search_space(&s, points);
    }
    if (rc == REGRET_OK) {
        rc = search_knobs(&s, rounds);
    }
    if (rc == REGRET_OK) {
        print_fit(s.measured);
        print_difficulty(s.best);
    }
    return rc;
}

/* The committed pool, or a point of the search, and the committed configuration; of its sweep all but the
 * sizes of EXP, which obs-only does not see. */
static int check(const char *folder, const char *seeds, const double *at)
{
    char set[4][64];
    const char *const sets[] = {
        set[0], "families=[\"obs-only\"]", "values.enabled=false", "sweep.n_exp=[200]", set[1],
        set[2], "pool=synth:candidate",    "synth.articles=80"};
    struct regret_generator generator =
        at != NULL ? newswire_generator : newswire_ceiling_generator;
    double m[N_MEASURED];
    int rc = REGRET_OK;
    snprintf(set[0], sizeof set[0], "seeds=%s", seeds);
    if (at != NULL) {
        snprintf(set[1], sizeof set[1], "reward.power=%g", at[POWER]);
        snprintf(set[2], sizeof set[2], "reward.penalty=%g", at[PENALTY]);
        tried = difficulty_at(at);
        generator.name = "candidate";
        generator.open = open_candidate;
        rc = regret_generator_register(&generator);
    }
    if (rc == REGRET_OK) {
        rc = measure_pool(m, &generator);
    }
    if (rc == REGRET_OK) {
        rc = measure_run(m, folder, "configs/main.json", sets, at != NULL ? 8 : 4);
    }
    if (rc == REGRET_OK) {
        print_fit(m);
    }
    return rc;
}

/* Takes --penalty LEAST off the arguments; 0 where LEAST is none. */
static int take_penalty(int *argc, char ***argv)
{
    if (*argc < 2 || strcmp((*argv)[1], "--penalty") != 0) {
        return 1;
    }
    char *end = NULL;
    double least = *argc > 2 ? strtod((*argv)[2], &end) : -1.0;
    if (end == NULL || *end != '\0' || !(least >= 0.0 && least < knobs[PENALTY].high)) {
        fprintf(stderr, "fit-ceiling: --penalty wants a number from 0 to below %g\n",
                knobs[PENALTY].high);
        return 0;
    }
    knobs[PENALTY].low = ceil(least / knobs[PENALTY].unit - 1e-9) * knobs[PENALTY].unit;
    *argc -= 2;
    *argv += 2;
    return 1;
}

/* The knobs among the arguments of `check`: 0 where they are not eleven numbers. */
static int take_knobs(double at[N_KNOBS], int argc, char **argv)
{
    int n = 0;
    for (; n < argc && n < N_KNOBS; n++) {
        char *end = NULL;
        at[n] = strtod(argv[n], &end);
        if (end == argv[n] || *end != '\0' || !(at[n] >= knobs[n].low && at[n] <= knobs[n].high)) {
            break;
        }
    }
    if (n < N_KNOBS || n != argc) {
        fprintf(stderr,
                "fit-ceiling: check wants SEEDS and %d numbers, as a fit prints them; "
                "number %d is wrong\n",
                N_KNOBS, n + 1);
        return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    double at[N_KNOBS];
    char folder[] = "/tmp/fit-ceiling-XXXXXX";
    if (!take_penalty(&argc, &argv)) {
        return 2;
    }
    int checks = argc > 1 && strcmp(argv[1], "check") == 0, at_point = checks && argc > 3;
    if (at_point && !take_knobs(at, argc - 3, argv + 3)) {
        return 2;
    }
    if (mkdtemp(folder) == NULL) {
        perror("fit-ceiling");
        return 1;
    }
    int rc = synth_register();
    if (rc == REGRET_OK && checks) {
        rc = check(folder, argc > 2 ? argv[2] : "30", at_point ? at : NULL);
    } else if (rc == REGRET_OK) {
        rc = fit(folder, argc > 1 ? strtoul(argv[1], NULL, 10) : 80,
                 argc > 2 ? strtoul(argv[2], NULL, 10) : 4);
    }
    if (rc != REGRET_OK) {
        fprintf(stderr, "fit-ceiling: %s\n", regret_error_message());
    }
    regret_folder_remove(folder);
    return rc == REGRET_OK ? 0 : 1;
}
