#include "evaluate/planted.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "regret/status.h"
#include "regret/task.h"

static char *copy(const char *text)
{
    char *out = NULL;
    cr_assert_eq(regret_strdup(&out, text), REGRET_OK);
    return out;
}

static size_t tags_of(const struct planted *p)
{
    return p->tags > 0 ? p->tags : 1;
}

static double mean_of(const struct planted *p, size_t tag, size_t agent)
{
    return 0.5 + p->effect[agent] + p->tag_effect[tag][agent];
}

double planted_value(const struct planted *p, size_t agent)
{
    double sum = 0.0;
    for (size_t t = 0; t < tags_of(p); t++) {
        sum += mean_of(p, t, agent) / (double)tags_of(p);
    }
    return sum;
}

double planted_best_by_tag(const struct planted *p)
{
    double sum = 0.0;
    for (size_t t = 0; t < tags_of(p); t++) {
        double best = 0.0;
        for (size_t a = 0; a < p->agents; a++) {
            best = fmax(best, mean_of(p, t, a));
        }
        sum += best / (double)tags_of(p);
    }
    return sum;
}

static double probability_of(const struct planted *p, size_t a)
{
    double all = 0.0;
    for (size_t b = 0; b < p->agents; b++) {
        all += p->probability[b];
    }
    return all > 0.0 ? p->probability[a] / all : 1.0 / (double)p->agents;
}

static size_t draw_agent(const struct planted *p, struct regret_rng *rng)
{
    double u = regret_rng_uniform(rng);
    size_t a = 0;
    while (a + 1 < p->agents && u >= probability_of(p, a)) {
        u -= probability_of(p, a++);
    }
    while (probability_of(p, a) == 0.0) {
        a--;
    }
    return a;
}

static size_t choose_agent(const struct planted *p, int happy, struct regret_rng *rng)
{
    size_t a = regret_rng_below(rng, (uint32_t)p->agents);
    if (regret_rng_uniform(rng) < p->confounding) {
        while ((a == p->favourite) != happy) {
            a = happy ? p->favourite : regret_rng_below(rng, (uint32_t)p->agents);
        }
    }
    return a;
}

static double outcome_of(const struct planted *p, double mean, struct regret_rng *rng)
{
    mean = fmin(fmax(mean, 0.02), 0.98);
    double u = regret_rng_uniform(rng);
    return p->is_binary ? u < mean : regret_rng_beta(rng, 25.0 * mean, 25.0 * (1.0 - mean));
}

static void make_rows(struct regret_log_rows *rows, size_t n, int has_propensity)
{
    rows->n = n;
    cr_assert_eq(REGRET_NEW(&rows->context, n), REGRET_OK);
    cr_assert_eq(REGRET_NEW(&rows->agent, n), REGRET_OK);
    cr_assert_eq(REGRET_NEW(&rows->outcome, n), REGRET_OK);
    cr_assert_eq(REGRET_NEW(&rows->cluster, n), REGRET_OK);
    cr_assert_eq(REGRET_NEW(&rows->line, n), REGRET_OK);
    if (has_propensity) {
        cr_assert_eq(REGRET_NEW(&rows->propensity, n), REGRET_OK);
    }
}

/* The words of a request: some of its tag, some of none. */
static char *words_of(size_t tag, struct regret_rng *rng)
{
    static const char *const common[] = {"please", "tell", "me", "how", "what", "this", "about"};
    static const char *const of_tag[][3] = {{"code", "function", "bug"},
                                            {"poem", "verse", "rhyme"},
                                            {"recipe", "oven", "salt"},
                                            {"tax", "law", "form"}};
    char text[128];
    snprintf(text, sizeof text, "%s %s %s %s number %u", common[regret_rng_below(rng, 7)],
             of_tag[tag % 4][regret_rng_below(rng, 3)], common[regret_rng_below(rng, 7)],
             of_tag[tag % 4][regret_rng_below(rng, 3)], regret_rng_below(rng, 50));
    return copy(text);
}

static void add_row(struct regret_log *log, const struct planted *p, enum regret_log_source s,
                    size_t i, size_t x, size_t cluster)
{
    struct regret_log_rows *rows = &log->rows[s];
    /* The user has a stream of his own, and the request. */
    struct regret_rng user = regret_rng_at(p->seed, REGRET_RNG_TEST, 2 * cluster);
    struct regret_rng rng = regret_rng_at(p->seed, REGRET_RNG_TEST, 2 * x + 1);
    int happy = regret_rng_uniform(&user) < 0.5;
    size_t tag = regret_rng_below(&rng, (uint32_t)tags_of(p));
    size_t a = s == REGRET_LOG_EXP ? draw_agent(p, &rng) : choose_agent(p, happy, &rng);
    rows->context[i] = (uint32_t)x;
    rows->cluster[i] = (uint32_t)cluster;
    rows->agent[i] = (uint32_t)a;
    rows->line[i] = i + 2;
    rows->outcome[i] = outcome_of(p, mean_of(p, tag, a) + p->hidden * (happy ? 0.5 : -0.5), &rng);
    if (rows->propensity != NULL) {
        rows->propensity[i] = s == REGRET_LOG_EXP ? probability_of(p, a) : 1.0 / (double)p->agents;
    }
    if (log->tag != NULL) {
        log->tag[x] = (uint32_t)tag;
    }
    log->text[x] = p->without_text ? NULL : words_of(tag, &rng);
}

static void name_things(struct regret_log *log)
{
    char name[32];
    for (size_t a = 0; a < log->n_agents; a++) {
        snprintf(name, sizeof name, "agent-%02zu", a);
        log->agent[a] = copy(name);
    }
    for (size_t x = 0; x < log->n_contexts; x++) {
        snprintf(name, sizeof name, "q%zu", x);
        log->context[x] = copy(name);
    }
    for (size_t t = 0; t < log->n_tags; t++) {
        snprintf(name, sizeof name, "tag-%zu", t);
        log->tags[t] = copy(name);
    }
}

struct regret_log *planted_log(const struct planted *p)
{
    struct regret_log *log = NULL;
    size_t n = p->n_obs + p->n_exp, per = p->per_cluster > 0 ? p->per_cluster : 1;
    cr_assert_eq(REGRET_NEW(&log, 1), REGRET_OK);
    log->n_agents = p->agents;
    log->n_contexts = n;
    log->n_tags = p->tags;
    log->n_clusters = n / per + 2;
    log->incumbent = p->agents;
    log->high = 1.0;
    log->is_uniform = 1;
    cr_assert_eq(REGRET_NEW(&log->agent, p->agents), REGRET_OK);
    cr_assert_eq(REGRET_NEW(&log->context, n), REGRET_OK);
    cr_assert_eq(REGRET_NEW(&log->text, n), REGRET_OK);
    cr_assert_eq(REGRET_NEW(&log->tags, p->tags), REGRET_OK);
    if (p->tags > 0) {
        cr_assert_eq(REGRET_NEW(&log->tag, n), REGRET_OK);
    }
    log->cluster_name = copy(per > 1 ? "user" : "context");
    name_things(log);
    make_rows(&log->rows[REGRET_LOG_OBS], p->n_obs, p->gives_obs_propensities);
    make_rows(&log->rows[REGRET_LOG_EXP], p->n_exp, 1);
    for (size_t i = 0; i < p->n_exp; i++) {
        add_row(log, p, REGRET_LOG_EXP, i, i, i / per);
    }
    for (size_t i = 0; i < p->n_obs; i++) {
        add_row(log, p, REGRET_LOG_OBS, i, p->n_exp + i, p->n_exp / per + 1 + i / per);
    }
    log->n_evaluation = p->n_exp > 0 ? p->n_exp : p->n_obs;
    cr_assert_eq(REGRET_NEW(&log->evaluation, log->n_evaluation), REGRET_OK);
    for (size_t i = 0; i < log->n_evaluation; i++) {
        log->evaluation[i] = (uint32_t)i;
    }
    return log;
}
