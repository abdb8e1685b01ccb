#include "experiment/replicate.h"

#include <string.h>
#include <time.h>

#include "regret/alloc.h"
#include "regret/measure.h"
#include "regret/rng.h"
#include "regret/value.h"

const char *const stage_names[N_STAGES] = {"features", "draw", "proxy", "fit", "measure"};

double stage_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int draw_pool(struct replicate *r)
{
    const struct regret_config *c = &r->config;
    const struct lab *lab = r->lab;
    int rc = regret_reward_build(&r->reward, lab->grid, &c->reward);
    if (rc != REGRET_OK || (rc = regret_target_build(&r->mu, lab->grid, r->reward)) != REGRET_OK) {
        return rc;
    }
    r->task = (struct regret_task){.grid = lab->grid,
                                   .reward = r->reward,
                                   .embedding = lab->embedding,
                                   .embedding_rank = lab->embedding_rank,
                                   .outcome = c->outcome,
                                   .router = c->router};
    const struct regret_split *split = r->bench->split;
    if ((rc = regret_draw_exp(&r->exp, &r->task, split, c->n_exp, r->seed)) != REGRET_OK) {
        return rc;
    }
    return regret_draw_obs(&r->obs, &r->task, split, c->n_obs, r->seed);
}

static int draw_world(struct replicate *r)
{
    const struct regret_controlled_world *world = r->world->world;
    const struct regret_split *split = r->bench->split;
    size_t cells = world->n_contexts * world->n_agents;
    int rc = REGRET_NEW(&r->mu, cells);
    if (rc != REGRET_OK) {
        return rc;
    }
    memcpy(r->mu, r->world->mu, cells * sizeof *r->mu);
    if ((rc = regret_world_draw_exp(&r->exp, world, split, r->config.n_exp, r->seed)) !=
        REGRET_OK) {
        return rc;
    }
    return regret_world_draw_obs(&r->obs, world, split, r->config.router.beta, r->config.n_obs,
                                 r->seed);
}

static int draw(struct replicate *r)
{
    return r->world != NULL ? draw_world(r) : draw_pool(r);
}

static size_t mark_rows(unsigned char *mark, const struct regret_rows *rows)
{
    size_t fresh = 0;
    for (size_t i = 0; i < rows->n; i++) {
        fresh += !mark[rows->pair[i]];
        mark[rows->pair[i]] = 1;
    }
    return fresh;
}

size_t replicate_mark_drawn(unsigned char *mark, const struct replicate *r)
{
    return mark_rows(mark, &r->obs) + mark_rows(mark, &r->exp);
}

/* In a sparse lab φ has its D columns, or as many as there are pairs drawn, whichever is less. */
static int take_features(struct replicate *r)
{
    const struct lab *lab = r->lab;
    unsigned char *drawn = NULL;
    int rc = REGRET_NEW(&drawn, lab->pairs);
    if (rc != REGRET_OK) {
        return rc;
    }
    size_t n = replicate_mark_drawn(drawn, r);
    if (!lab->sparse) {
        rc = coordinates_create(&r->coordinates, lab, drawn);
        r->phi = regret_design_dense(lab->pairs, r->coordinates.rank, r->coordinates.value);
    } else {
        r->phi = regret_design_sparse(lab->phi, lab->phi_context, lab->context);
        if (n <= lab->config.features.buckets) {
            rc = regret_coordinates_create(&r->reduced, &r->phi, drawn);
            r->phi = regret_design_reduced(&r->phi, &r->reduced);
        }
    }
    regret_free(drawn);
    return rc;
}

static int fit_proxy(struct replicate *r)
{
    const struct lab *lab = r->lab;
    double *count = NULL;
    int rc = REGRET_NEW(&count, lab->pairs);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&r->z, lab->pairs * r->config.proxy.dim);
    }
    if (rc == REGRET_OK) {
        for (size_t i = 0; i < r->obs.n; i++) {
            count[r->obs.pair[i]] += 1.0;
        }
        const struct lab_world *w = r->world;
        const struct regret_proxy_source source = {
            .n_pairs = lab->pairs,
            .aux = w != NULL ? w->labels : lab->aux,
            .n_aux = w != NULL ? w->config.world.labels : lab->grid->pool->n_aux,
            .statistics = lab->statistics,
            .n_statistics = lab->statistics != NULL ? REGRET_STATISTICS : 0,
            .terms = lab->terms,
            .coordinates = r->coordinates.value,
            .n_coordinates = r->coordinates.rank,
            .features = lab->sparse ? &r->phi : NULL};
        rc = regret_proxy_fit(r->z, &r->z_dim, &source, count, &r->config.proxy);
    }
    regret_free(count);
    return rc;
}

static int make_problem(struct replicate *r)
{
    const struct lab *lab = r->lab;
    const struct regret_config *c = &r->config;
    int rc = regret_folds_by_agent(&r->cv, &r->exp, lab->pairs, lab->agent, lab->grid->n_agents,
                                   c->cv_folds, r->seed);
    if (rc == REGRET_OK) {
        rc = regret_folds_by_row(&r->dr, &r->exp, lab->pairs, c->value_folds, r->seed,
                                 REGRET_RNG_DR_FOLDS);
    }
    r->problem = (struct regret_problem){
        .pairs = lab->pairs,
        .agent = lab->agent,
        .n_agents = lab->grid->n_agents,
        .train = r->bench->train,
        .phi = r->phi,
        .z = regret_design_dense(lab->pairs, r->z_dim, r->z),
        .obs = &r->obs,
        .exp = &r->exp,
        .cv = r->cv,
        .dr = r->dr,
        .seed = r->seed,
    };
    return rc;
}

static int fit_families(struct replicate *r)
{
    const struct regret_family_list *list = &r->config.families;
    struct regret_session *session = NULL;
    int rc = REGRET_NEW(&r->estimate, list->n);
    if (rc == REGRET_OK) {
        rc = make_problem(r);
    }
    if (rc == REGRET_OK) {
        rc = regret_session_open(&session, &r->problem, &r->config.estimate);
    }
    for (size_t i = 0; rc == REGRET_OK && i < list->n; i++) {
        rc = regret_family_fit(&r->estimate[i], regret_family_at(list->index[i]), session);
    }
    regret_session_close(session);
    return rc;
}

static int value_family(struct replicate *r, size_t i)
{
    const struct lab *lab = r->lab;
    size_t n_agents = lab->grid->n_agents;
    struct agent_values *v = &r->values[i];
    int rc = REGRET_NEW(&v->dm, n_agents);
    if (rc != REGRET_OK) {
        return rc;
    }
    regret_value_dm(v->dm, r->estimate[i]->prediction, lab->agent, r->bench->test, lab->pairs,
                    n_agents);
    if (!r->config.values) {
        return REGRET_OK;
    }
    if ((rc = REGRET_NEW(&v->dr, n_agents)) == REGRET_OK &&
        (rc = REGRET_NEW(&v->sndr, n_agents)) == REGRET_OK) {
        regret_value_dr(v->dr, v->sndr, v->dm, &r->exp, r->estimate[i]->cross_fit, lab->agent,
                        n_agents);
    }
    return rc;
}

/* V(a): the mean of mu over the test contexts. */
static int true_values(struct replicate *r)
{
    const struct regret_split *split = r->bench->split;
    size_t n_agents = r->lab->grid->n_agents;
    int rc = REGRET_NEW(&r->truth, n_agents);
    for (size_t i = 0; rc == REGRET_OK && i < split->n_test; i++) {
        for (size_t a = 0; a < n_agents; a++) {
            r->truth[a] += r->mu[split->test[i] * n_agents + a] / (double)split->n_test;
        }
    }
    return rc;
}

static int value_families(struct replicate *r)
{
    int rc = true_values(r);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&r->values, r->config.families.n);
    }
    for (size_t i = 0; rc == REGRET_OK && i < r->config.families.n; i++) {
        rc = value_family(r, i);
    }
    return rc;
}

int replicate_run(struct replicate **out, const struct regret_config *config,
                  const struct bench *bench, const struct lab_world *world)
{
    static int (*const steps[])(struct replicate *) = {draw, take_features, fit_proxy, fit_families,
                                                       value_families};
    static const enum stage stages[] = {STAGE_DRAW, STAGE_FEATURES, STAGE_PROXY, STAGE_FIT,
                                        STAGE_MEASURE};
    struct replicate *r = NULL;
    int rc = REGRET_NEW(&r, 1);
    if (rc != REGRET_OK) {
        return rc;
    }
    r->config = *config;
    r->seed = bench->seed;
    r->bench = bench;
    r->lab = bench->lab;
    r->world = world;
    for (size_t i = 0; rc == REGRET_OK && i < sizeof steps / sizeof *steps; i++) {
        double start = stage_clock();
        rc = steps[i](r);
        r->seconds[stages[i]] += stage_clock() - start;
    }
    if (rc != REGRET_OK) {
        replicate_free(r);
        return rc;
    }
    *out = r;
    return REGRET_OK;
}

void replicate_free(struct replicate *r)
{
    if (r == NULL) {
        return;
    }
    for (size_t i = 0; i < r->config.families.n; i++) {
        if (r->estimate != NULL) {
            regret_estimate_free(r->estimate[i]);
        }
        if (r->values != NULL) {
            regret_free(r->values[i].dm);
            regret_free(r->values[i].dr);
            regret_free(r->values[i].sndr);
        }
    }
    regret_free(r->estimate);
    regret_free(r->values);
    regret_free(r->reward);
    regret_free(r->mu);
    regret_free(r->truth);
    regret_rows_clear(&r->obs);
    regret_rows_clear(&r->exp);
    coordinates_free(&r->coordinates);
    regret_coordinates_free(&r->reduced);
    regret_free(r->z);
    regret_folds_free(r->cv);
    regret_folds_free(r->dr);
    regret_free(r);
}
