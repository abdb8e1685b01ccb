#include "made_up.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_records.h"
#include "regret/buffer.h"
#include "regret/task.h"

static const double betas[] = {0.0, 0.2, 0.4, 0.6, 0.8, 1.0};
static const int obs[] = {2000, 5000};
static const int exps[] = {200, 800, 1600};
static const char *const maps[] = {"smooth", "sharpened"};
static const char *const baselines[] = {"oracle",   "random",          "best-exp",
                                        "best-obs", "best-by-tag-exp", "best-by-tag-obs"};
static const char *const fits[] = {"proxy", "components", "success", "patch-statistics"};
static const char *const bases[] = {"linear", "quadratic", "interactions"};

struct made_up made_up_default(void)
{
    return (struct made_up){.families = {"exp-only", "obs-only", "representation-exp", "grounded",
                                         "grounded-linear", "grounded-anchored", "cvci",
                                         "cvci-residual"},
                            .n_families = 8,
                            .n_maps = 2,
                            .n_betas = 3,
                            .n_obs = 2,
                            .n_exp = 2,
                            .n_seeds = 6,
                            .n_shards = 1,
                            .synthetic = 1,
                            .values = 1,
                            .pool_name = "made-up"};
}

static size_t at_least_one(size_t n)
{
    return n > 0 ? n : 1;
}

struct made_cell made_cell(const struct made_up *m, size_t cell)
{
    struct made_cell c;
    c.exp = cell % m->n_exp;
    cell /= m->n_exp;
    c.obs = cell % m->n_obs;
    cell /= m->n_obs;
    c.beta = cell % m->n_betas;
    cell /= m->n_betas;
    c.map = cell % m->n_maps;
    cell /= m->n_maps;
    c.fix = cell % at_least_one(m->n_fixes);
    cell /= at_least_one(m->n_fixes);
    c.omega = cell % at_least_one(m->n_omegas);
    cell /= at_least_one(m->n_omegas);
    c.agent = cell;
    return c;
}

size_t made_cells(const struct made_up *m)
{
    return m->n_exp * m->n_obs * m->n_betas * m->n_maps * at_least_one(m->n_fixes) *
           at_least_one(m->n_omegas) * (m->agent_key ? 2 : 1);
}

double made_beta(size_t i)
{
    return betas[i];
}

int made_exp(size_t i)
{
    return exps[i];
}

const char *made_map(size_t i)
{
    return maps[i];
}

static struct regret_rng stream(size_t what, size_t subject, size_t cell, size_t seed)
{
    return regret_rng_at(7, REGRET_RNG_TEST, ((what * 64 + subject) * 4096 + cell) * 4096 + seed);
}

double made_number(enum regret_measure measure, size_t subject, size_t cell, size_t seed)
{
    struct regret_rng r = stream((size_t)measure, subject, cell, seed);
    return 0.1 * regret_rng_uniform(&r);
}

double made_regret(const struct made_up *m, size_t subject, size_t cell, size_t seed)
{
    return m->regret != NULL && subject < m->n_families
               ? m->regret(m, subject, cell, seed)
               : made_number(REGRET_MEASURE_REGRET, subject, cell, seed);
}

static double made_lambda(size_t subject, size_t cell, size_t seed)
{
    static const double grid[] = {0.0, 0.05, 0.1, 0.15, 0.2};
    struct regret_rng r = stream(100, subject, cell, seed);
    return grid[regret_rng_below(&r, 5)];
}

double made_value(const struct made_up *m, enum regret_measure measure, size_t subject, size_t cell,
                  size_t seed)
{
    switch (measure) {
    case REGRET_MEASURE_REGRET:
        return made_regret(m, subject, cell, seed);
    case REGRET_MEASURE_LAMBDA:
        return made_lambda(subject, cell, seed);
    case REGRET_MEASURE_ALPHA:
        return 1.0;
    default:
        return made_number(measure, subject, cell, seed);
    }
}

double made_design(size_t i)
{
    return 0.5 * (double)i;
}

static double made_rho(size_t subject, size_t cell, size_t seed)
{
    static const double grid[] = {0.1, 1.0, 10.0, 100.0};
    struct regret_rng r = stream(101, subject, cell, seed);
    return grid[regret_rng_below(&r, 4)];
}

static const char *made_basis(size_t subject, size_t cell, size_t seed)
{
    struct regret_rng r = stream(102, subject, cell, seed);
    return bases[regret_rng_below(&r, 3)];
}

static void put_key(FILE *f, const struct made_up *m, size_t cell)
{
    struct made_cell c = made_cell(m, cell);
    fprintf(f, "{\"reward.map\":\"%s\",\"beta\":%.17g,\"n_obs\":%d,\"n_exp\":%d", maps[c.map],
            betas[c.beta], obs[c.obs], exps[c.exp]);
    if (m->n_fixes > 0) {
        fprintf(f, ",\"%s\":%g", m->spreads ? "spread.noise" : "reward.lambda_fix",
                made_design(c.fix));
    }
    if (m->n_omegas > 0) {
        fprintf(f, ",\"%s\":%g", m->spreads ? "spread.within" : "reward.omega",
                made_design(c.omega));
    }
    if (m->agent_key) {
        fprintf(f, ",\"features.agent\":%s", c.agent ? "true" : "false");
    }
    fputc('}', f);
}

static void write_run(const struct made_up *m, const char *folder)
{
    FILE *f = fopen(made_path(folder, "run.json"), "w");
    cr_assert_not_null(f);
    fprintf(f,
            "{\"format\":\"regret-run-1\",\"results_version\":1,\"config\":{\"pool\":\"p\","
            "\"reward.map\":\"smooth\",\"beta\":0,"
            "\"n_obs\":2000,\"n_exp\":200%s},"
            "\"pool\":{\"name\":\"%s\",\"title\":\"Made up for tests\",\"version\":\"1\","
            "\"digest\":\"0123\",\"synthetic\":%s,\"licence\":\"MIT\",\"contexts\":48,"
            "\"agents\":20,\"draws\":1},\"version\":\"0.1.0\",\"blas\":{\"build\":\"b\","
            "\"kernel\":\"k\"},\"families\":[",
            m->config != NULL ? m->config : "", m->pool_name, m->synthetic ? "true" : "false");
    for (size_t i = 0; i < m->n_families; i++) {
        fprintf(f, "%s\"%s\"", i > 0 ? "," : "", m->families[i]);
    }
    fprintf(f, "],");
    if (m->by_tag) {
        fprintf(f, "\"baselines\":[\"oracle\",\"random\",\"best-exp\",\"best-obs\","
                   "\"best-by-tag-exp\",\"best-by-tag-obs\"],");
    }
    fprintf(f, "%s\"cells\":[", m->more != NULL ? m->more : "");
    for (size_t c = 0; c < made_cells(m); c++) {
        fprintf(f, "%s{\"cell\":%zu,\"key\":", c > 0 ? "," : "", c);
        put_key(f, m, c);
        fputc('}', f);
    }
    fprintf(f, "],\"seeds\":%zu,\"shard\":\"1/1\",\"replicates\":%zu}\n", m->n_seeds,
            m->n_seeds * made_cells(m));
    fclose(f);
}

static void put_head(FILE *f, const struct made_up *m, size_t cell, size_t seed, const char *kind,
                     const char *name)
{
    fprintf(f, "{\"cell\":%zu,\"seed\":%zu,\"key\":", cell, seed);
    put_key(f, m, cell);
    fprintf(f, ",\"kind\":\"%s\",\"family\":\"%s\"", kind, name);
}

static void put_family(FILE *f, const struct made_up *m, size_t i, size_t cell, size_t seed)
{
    static const enum regret_measure values[] = {REGRET_MEASURE_DM_RMSE, REGRET_MEASURE_DR_RMSE,
                                                 REGRET_MEASURE_SNDR_RMSE};
    static const char *const names[] = {"dm_rmse", "dr_rmse", "sndr_rmse"};
    const char *family = m->families[i];
    int pooled = strncmp(family, "cvci", 4) == 0 || strcmp(family, "grounded-anchored") == 0;
    put_head(f, m, cell, seed, "family", family);
    fprintf(f, ",\"regret\":%.17g", made_value(m, REGRET_MEASURE_REGRET, i, cell, seed));
    fprintf(f,
            ",\"rmse\":%.17g,\"top1\":%.17g,\"top3\":%.17g,\"spearman\":%.17g"
            ",\"kendall\":%.17g,\"hit1\":%.17g,\"hit3\":%.17g",
            made_value(m, REGRET_MEASURE_RMSE, i, cell, seed),
            made_value(m, REGRET_MEASURE_TOP1, i, cell, seed),
            made_value(m, REGRET_MEASURE_TOP3, i, cell, seed),
            made_value(m, REGRET_MEASURE_SPEARMAN, i, cell, seed),
            made_value(m, REGRET_MEASURE_KENDALL, i, cell, seed),
            made_value(m, REGRET_MEASURE_HIT1, i, cell, seed),
            made_value(m, REGRET_MEASURE_HIT3, i, cell, seed));
    for (size_t k = 0; k < 3; k++) {
        if (m->values) {
            fprintf(f, ",\"%s\":%.17g", names[k], made_value(m, values[k], i, cell, seed));
        } else {
            fprintf(f, ",\"%s\":null", names[k]);
        }
    }
    if (pooled) {
        fprintf(f, ",\"lambda\":%.17g,\"cv\":\"agents\"",
                made_value(m, REGRET_MEASURE_LAMBDA, i, cell, seed));
    } else {
        fprintf(f, ",\"lambda\":null,\"cv\":\"none\"");
    }
    if (strcmp(family, "grounded") == 0) {
        fprintf(f, ",\"alpha\":1,\"rho\":%.17g,\"basis\":\"%s\"}\n", made_rho(i, cell, seed),
                made_basis(i, cell, seed));
    } else {
        fprintf(f, ",\"alpha\":null,\"rho\":1,\"basis\":null}\n");
    }
}

static void put_replicate(FILE *f, const struct made_up *m, size_t cell, size_t seed)
{
    for (size_t i = 0; i < m->n_families; i++) {
        if (m->skip == NULL || !m->skip(m->families[i], cell, seed)) {
            put_family(f, m, i, cell, seed);
        }
    }
    for (size_t i = 0; i < (m->by_tag ? 6 : 4); i++) {
        if (m->skip != NULL && m->skip(baselines[i], cell, seed)) {
            continue;
        }
        put_head(f, m, cell, seed, "baseline", baselines[i]);
        fprintf(f, ",\"regret\":%.17g",
                made_value(m, REGRET_MEASURE_REGRET, m->n_families + i, cell, seed));
        fprintf(f, "}\n");
    }
    for (size_t i = 0; i < (size_t)(m->success ? 4 : 2); i++) {
        if (m->skip != NULL && m->skip(fits[i], cell, seed)) {
            continue;
        }
        put_head(f, m, cell, seed, "fit", fits[i]);
        fprintf(f, ",\"r2\":%.17g",
                made_value(m, REGRET_MEASURE_R2, m->n_families + 4 + i, cell, seed));
        fprintf(f, ",\"r2_clipped\":%.17g",
                made_value(m, REGRET_MEASURE_R2_CLIPPED, m->n_families + 4 + i, cell, seed));
        fprintf(f, "}\n");
    }
}

void made_up_write(const struct made_up *m, const char *folder)
{
    write_run(m, folder);
    for (size_t shard = 0; shard < m->n_shards; shard++) {
        char name[64];
        snprintf(name, sizeof name, "results-%zu-of-%zu.jsonl", shard + 1, m->n_shards);
        FILE *f = fopen(made_path(folder, name), "w");
        cr_assert_not_null(f);
        for (size_t s = 0; s < m->n_seeds; s++) {
            for (size_t c = 0; c < made_cells(m); c++) {
                if ((s * made_cells(m) + c) % m->n_shards == shard) {
                    put_replicate(f, m, c, s);
                }
            }
        }
        fclose(f);
    }
}

void made_folder(char *path)
{
    strcpy(path, "/tmp/regret-report-XXXXXX");
    cr_assert_not_null(mkdtemp(path));
}

const char *made_path(const char *folder, const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

struct csv_records made_table(const char *folder, const char *table)
{
    struct regret_results *r = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_results_read(&r, folder), 0, "%s", regret_error_message());
    cr_assert_eq(regret_report_table(&text, r, table, REGRET_FORMAT_CSV), 0, "%s",
                 regret_error_message());
    struct csv_records c = csv_parse(regret_buffer_get(&text));
    regret_buffer_free(&text);
    regret_results_free(r);
    return c;
}

const char *made_markdown(const char *folder, const char *table)
{
    struct regret_results *r = NULL;
    static struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_clear(&text);
    cr_assert_eq(regret_results_read(&r, folder), 0, "%s", regret_error_message());
    cr_assert_eq(regret_report_table(&text, r, table, REGRET_FORMAT_MARKDOWN), 0, "%s",
                 regret_error_message());
    regret_results_free(r);
    return regret_buffer_get(&text);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct interval naive_interval(const double *d, size_t n)
{
    static double means[2000];
    struct interval i = {0.0, 0.0, 0.0};
    for (int b = 0; b < 2000; b++) {
        struct regret_rng r = regret_rng_at(0, REGRET_RNG_BOOTSTRAP, (uint64_t)b);
        means[b] = 0.0;
        for (size_t s = 0; s < n; s++) {
            means[b] += d[regret_rng_below(&r, (uint32_t)n)] / (double)n;
        }
    }
    qsort(means, 2000, sizeof *means, by_size);
    for (size_t s = 0; s < n; s++) {
        i.mean += d[s] / (double)n;
    }
    i.low = means[49] + 0.975 * (means[50] - means[49]);
    i.high = means[1949] + 0.025 * (means[1950] - means[1949]);
    return i;
}
