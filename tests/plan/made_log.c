#include "made_log.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "regret/status.h"

enum { MOST = 40000 };

static void make(void *out, size_t n, size_t size)
{
    cr_assert_eq(regret_calloc(out, n, size, "a log"), REGRET_OK);
}

struct regret_log *made_log(size_t n_agents, size_t n_tags)
{
    struct regret_log *log;
    char name[32];
    make(&log, 1, sizeof *log);
    *log = (struct regret_log){
        .n_agents = n_agents, .n_tags = n_tags, .high = 1.0, .incumbent = n_agents};
    make(&log->agent, n_agents, sizeof *log->agent);
    for (size_t a = 0; a < n_agents; a++) {
        snprintf(name, sizeof name, "a%zu", a);
        cr_assert_eq(regret_strdup(&log->agent[a], name), REGRET_OK);
    }
    if (n_tags > 0) {
        make(&log->tags, n_tags, sizeof *log->tags);
        make(&log->tag, MOST, sizeof *log->tag);
        for (size_t g = 0; g < n_tags; g++) {
            snprintf(name, sizeof name, "tag%zu", g);
            cr_assert_eq(regret_strdup(&log->tags[g], name), REGRET_OK);
        }
    }
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        struct regret_log_rows *r = &log->rows[s];
        make(&r->context, MOST, sizeof *r->context);
        make(&r->agent, MOST, sizeof *r->agent);
        make(&r->outcome, MOST, sizeof *r->outcome);
        make(&r->propensity, MOST, sizeof *r->propensity);
        make(&r->cluster, MOST, sizeof *r->cluster);
        make(&r->line, MOST, sizeof *r->line);
    }
    return log;
}

void made_row(struct regret_log *log, enum regret_log_source source, size_t tag, size_t agent,
              double outcome, double propensity, size_t cluster)
{
    struct regret_log_rows *r = &log->rows[source];
    size_t i = r->n++;
    cr_assert_lt(log->n_contexts, MOST);
    if (log->tag != NULL) {
        log->tag[log->n_contexts] = (uint32_t)tag;
    }
    r->context[i] = (uint32_t)log->n_contexts++;
    r->agent[i] = (uint32_t)agent;
    r->outcome[i] = outcome;
    r->propensity[i] = propensity;
    r->cluster[i] = (uint32_t)cluster;
    log->n_clusters = cluster >= log->n_clusters ? cluster + 1 : log->n_clusters;
}

double made_outcome(struct regret_rng *rng, double mean, double variance)
{
    if (!(variance > 0.0)) {
        return mean;
    }
    double size = mean * (1.0 - mean) / variance - 1.0;
    cr_assert_gt(size, 0.0);
    return regret_rng_beta(rng, mean * size, (1.0 - mean) * size);
}

struct regret_log *made_pilot(size_t n_agents, const double *mean, const double *sd, size_t rows,
                              uint64_t seed)
{
    struct regret_log *log = made_log(n_agents, 0);
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_TEST, 31);
    for (size_t i = 0; i < rows; i++) {
        size_t a = i % n_agents;
        made_row(log, REGRET_LOG_EXP, 0, a, made_outcome(&rng, mean[a], sd[a] * sd[a]),
                 1.0 / (double)n_agents, i);
    }
    return log;
}
