#include "experiment/exported.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "experiment/fixture.h"
#include "regret/experiment.h"
#include "regret/status.h"

static char *read_file(const struct exported *e, const char *file)
{
    char name[128];
    snprintf(name, sizeof name, "%s/%s", e->folder, file);
    return fixture_read(NULL, name);
}

static cJSON *read_json(const struct exported *e, const char *file)
{
    char *text = read_file(e, file);
    cJSON *json = cJSON_Parse(text);
    cr_assert_not_null(json, "%s is not JSON", file);
    regret_free(text);
    return json;
}

static void *array(size_t n, size_t size)
{
    void *out = calloc(n > 0 ? n : 1, size);
    cr_assert_not_null(out);
    return out;
}

double *exported_column(size_t *rows, const struct exported *e, const char *file, size_t column)
{
    char *text = read_file(e, file);
    size_t n = 0, lines = 0;
    for (const char *p = text; *p != '\0'; p++) {
        lines += *p == '\n';
    }
    double *out = array(lines, sizeof *out);
    for (const char *p = strchr(text, '\n') + 1; *p != '\0'; p = strchr(p, '\n') + 1) {
        const char *field = p;
        for (size_t c = 0; c < column; c++) {
            field = strchr(field, ',') + 1;
        }
        char *end = NULL;
        out[n++] = strtod(field, &end);
        cr_assert(end != field && (*end == ',' || *end == '\n'), "%s: %.60s", file, p);
    }
    regret_free(text);
    *rows = n;
    return out;
}

static uint32_t *index_column(size_t *rows, const struct exported *e, const char *file,
                              size_t column)
{
    double *numbers = exported_column(rows, e, file, column);
    uint32_t *out = array(*rows, sizeof *out);
    for (size_t i = 0; i < *rows; i++) {
        out[i] = (uint32_t)numbers[i];
        cr_assert_eq((double)out[i], numbers[i]);
    }
    free(numbers);
    return out;
}

/* The rows of a log; row, context and agent must agree with the numbering of the pairs. */
static void read_rows(const uint32_t **pair, const double **y, size_t *n, const struct exported *e,
                      const char *file)
{
    uint32_t *column[4];
    for (size_t c = 0; c < 4; c++) {
        column[c] = index_column(n, e, file, c);
    }
    for (size_t i = 0; i < *n; i++) {
        uint32_t p = column[1][i];
        cr_assert_eq(column[0][i], i);
        cr_assert_eq(column[2][i], p / e->n_draws / e->problem.n_agents);
        cr_assert_eq(column[3][i], p / e->n_draws % e->problem.n_agents);
        cr_assert(e->problem.train[p], "row %zu of %s is of a held-out context", i, file);
    }
    *pair = column[1];
    *y = exported_column(n, e, file, 5);
    free(column[0]);
    free(column[2]);
    free(column[3]);
}

static const double *read_phi(size_t *dim, const struct exported *e)
{
    char *text = read_file(e, "phi.mtx");
    size_t rows = 0, cols = 0, entries = 0;
    const char *p = strchr(text, '\n') + 1;
    cr_assert_eq(sscanf(p, "%zu %zu %zu", &rows, &cols, &entries), 3);
    cr_assert_eq(rows, e->problem.pairs);
    double *phi = array(rows * cols, sizeof *phi);
    for (size_t i = 0; i < entries; i++) {
        size_t r = 0, c = 0;
        double v = 0.0;
        p = strchr(p, '\n') + 1;
        cr_assert_eq(sscanf(p, "%zu %zu %lf", &r, &c, &v), 3);
        phi[(r - 1) * cols + c - 1] = v;
    }
    regret_free(text);
    *dim = cols;
    return phi;
}

static const double *read_z(size_t *dim, const struct exported *e, const char *file)
{
    char *text = read_file(e, file);
    size_t n = 0, rows = 0;
    for (const char *p = text; *p != '\n'; p++) {
        n += *p == ',';
    }
    regret_free(text);
    double *z = array(e->problem.pairs * n, sizeof *z);
    for (size_t j = 0; j < n; j++) {
        double *column = exported_column(&rows, e, file, j + 1);
        cr_assert_eq(rows, e->problem.pairs);
        for (size_t p = 0; p < rows; p++) {
            z[p * n + j] = column[p];
        }
        free(column);
    }
    *dim = n;
    return z;
}

/* fold[i] of each of n rows, from lists of rows that must be a partition. */
static uint32_t *read_folds(size_t *n_folds, const cJSON *lists, size_t n)
{
    uint32_t *fold = array(n, sizeof *fold);
    size_t seen = 0;
    *n_folds = (size_t)cJSON_GetArraySize(lists);
    memset(fold, 0xff, n * sizeof *fold);
    for (size_t k = 0; k < *n_folds; k++) {
        const cJSON *i;
        cJSON_ArrayForEach(i, cJSON_GetArrayItem(lists, (int)k))
        {
            cr_assert(i->valueint >= 0 && (size_t)i->valueint < n);
            cr_assert_eq(fold[i->valueint], UINT32_MAX, "row %d is in two folds", i->valueint);
            fold[i->valueint] = (uint32_t)k;
            seen++;
        }
    }
    cr_assert_eq(seen, n, "every row is in a fold");
    return fold;
}

static void read_all_folds(struct exported *e)
{
    struct reference_problem *p = &e->problem;
    const cJSON *cv = cJSON_GetObjectItem(e->folds, "cv"),
                *dr = cJSON_GetObjectItem(e->folds, "dr");
    const cJSON *obs = cJSON_GetObjectItem(e->folds, "obs");
    const cJSON *held = cJSON_GetObjectItem(e->folds, "holdout");
    p->cv_by_agent = strcmp(cJSON_GetObjectItem(cv, "mode")->valuestring, "agents") == 0;
    p->cv_fold = read_folds(&p->cv_folds, cJSON_GetObjectItem(cv, "rows"), p->n_exp);
    p->dr_fold = read_folds(&p->dr_folds, cJSON_GetObjectItem(dr, "rows"), p->n_exp);
    for (size_t i = 0; p->cv_by_agent && i < p->n_exp; i++) {
        for (size_t j = 0; j < i; j++) {
            int same = p->agent[p->exp_pair[i]] == p->agent[p->exp_pair[j]];
            cr_assert(!same || p->cv_fold[i] == p->cv_fold[j], "an agent is in two folds");
        }
    }
    if (obs != NULL) {
        p->obs_fold = read_folds(&p->obs_folds, cJSON_GetObjectItem(obs, "rows"), p->n_obs);
    }
    if (held != NULL) {
        unsigned char *holdout = array(p->n_exp, 1);
        const cJSON *i;
        cJSON_ArrayForEach(i, held)
        {
            holdout[i->valueint] = 1;
        }
        p->holdout = holdout;
    }
}

/* The contexts that cell.json lists, none of which trains, and their pairs. */
static void read_held_out(size_t **contexts, size_t *n, unsigned char **eval,
                          const struct exported *e, const char *name)
{
    const struct reference_problem *p = &e->problem;
    size_t per_context = p->n_agents * e->n_draws;
    const cJSON *x;
    *eval = array(p->pairs, 1);
    *contexts = array(e->n_contexts, sizeof **contexts);
    cJSON_ArrayForEach(x, cJSON_GetObjectItem(e->cell, name))
    {
        cr_assert_not(p->train[(size_t)x->valueint * per_context]);
        memset(*eval + (size_t)x->valueint * per_context, 1, per_context);
        (*contexts)[(*n)++] = (size_t)x->valueint;
    }
}

static void read_cell(struct exported *e)
{
    struct reference_problem *p = &e->problem;
    p->pairs = (size_t)cJSON_GetObjectItem(e->cell, "pairs")->valueint;
    e->n_draws = (size_t)cJSON_GetObjectItem(e->cell, "draws")->valueint;
    p->n_agents = (size_t)cJSON_GetArraySize(cJSON_GetObjectItem(e->cell, "agents"));
    e->n_contexts = (size_t)cJSON_GetArraySize(cJSON_GetObjectItem(e->cell, "contexts"));
    cr_assert_eq(p->pairs, e->n_contexts * p->n_agents * e->n_draws);
    uint32_t *agent = array(p->pairs, sizeof *agent);
    unsigned char *train = array(p->pairs, 1);
    for (size_t i = 0; i < p->pairs; i++) {
        agent[i] = (uint32_t)(i / e->n_draws % p->n_agents);
    }
    const cJSON *x;
    size_t per_context = p->n_agents * e->n_draws;
    cJSON_ArrayForEach(x, cJSON_GetObjectItem(e->cell, "train"))
    {
        memset(train + (size_t)x->valueint * per_context, 1, per_context);
    }
    p->agent = agent;
    p->train = train;
    int apart = cJSON_GetObjectItem(e->cell, "reference") != NULL;
    read_held_out(&e->test, &e->n_test, &e->eval, e, "test");
    read_held_out(&e->reference, &e->n_reference, &e->reference_eval, e,
                  apart ? "reference" : "test");
}

void exported_open(struct exported *e, const char *folder, const char *z_file)
{
    size_t rows = 0;
    *e = (struct exported){.folder = folder};
    struct reference_problem *p = &e->problem;
    e->cell = read_json(e, "cell.json");
    e->folds = read_json(e, "folds.json");
    e->hyper = read_json(e, "hyper.json");
    read_cell(e);
    p->phi = read_phi(&p->phi_dim, e);
    p->z = read_z(&p->z_dim, e, z_file);
    read_rows(&p->obs_pair, &p->obs_y, &p->n_obs, e, "obs.csv");
    read_rows(&p->exp_pair, &p->exp_y, &p->n_exp, e, "exp.csv");
    read_all_folds(e);
    e->mu = exported_column(&rows, e, "target.csv", 2);
    cr_assert_eq(rows, e->n_contexts * p->n_agents);
}

void exported_close(struct exported *e)
{
    struct reference_problem *p = &e->problem;
    const void *const owned[] = {
        p->agent, p->train,     p->phi,           p->z,  p->obs_pair, p->obs_y,   p->exp_pair,
        p->exp_y, p->cv_fold,   p->dr_fold,       e->mu, p->obs_fold, p->holdout, e->test,
        e->eval,  e->reference, e->reference_eval};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        free((void *)owned[i]);
    }
    cJSON_Delete(e->cell);
    cJSON_Delete(e->folds);
    cJSON_Delete(e->hyper);
}

void exported_make(struct exported *e, const char *const *sets, size_t n_sets,
                   struct exported_place at)
{
    cr_assert_eq(regret_export_cell(sample_path("e"), fixture_config(), sets, n_sets, at.cell,
                                    at.seed, at.fold, at.fold > 0, NULL),
                 0, "%s", regret_error_message());
    exported_open(e, "e", "z-aux-svd.csv");
}
