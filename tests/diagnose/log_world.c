#include "diagnose/log_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/status.h"
#include "regret/task.h"

enum { MOST_AGENTS = 64, MOST_TAGS = 32, VOCABULARY = 300 };
enum stream { FIXED, CONTEXTS, OUTCOMES, CHOICES, USERS };

/* What is fixed in a world, and what a context has besides what the log tells. */
struct making {
    const struct log_world *w;
    struct regret_log *log;
    double agent[MOST_AGENTS], agent_tag[MOST_AGENTS][MOST_TAGS], tag[MOST_TAGS],
        popular[MOST_AGENTS];
    double chance[MOST_AGENTS]; /* EXP's, one an agent */
    double *hidden, *user, *column;
    unsigned char *has_word;
    struct regret_rng choices, outcomes;
};

static void *space(size_t count, size_t size)
{
    void *block = NULL;
    return regret_calloc(&block, count ? count : 1, size, "a world") == REGRET_OK ? block : NULL;
}

static char *copy(const char *text)
{
    char *out = NULL;
    return regret_strdup(&out, text) == REGRET_OK ? out : NULL;
}

static void fix(struct making *m)
{
    struct regret_rng r = regret_rng_at(m->w->seed, REGRET_RNG_TEST, FIXED);
    double sum = 0.0;
    for (size_t t = 0; t < MOST_TAGS; t++) {
        m->tag[t] = regret_rng_normal(&r);
    }
    for (size_t a = 0; a < m->w->n_agents; a++) {
        m->agent[a] = 0.4 * regret_rng_normal(&r);
        m->popular[a] = 0.7 * regret_rng_normal(&r);
        m->chance[a] = 0.35 + regret_rng_uniform(&r);
        sum += m->chance[a];
        for (size_t t = 0; t < MOST_TAGS; t++) {
            m->agent_tag[a][t] = 0.4 * regret_rng_normal(&r);
        }
    }
    for (size_t a = 0; a < m->w->n_agents; a++) {
        m->chance[a] /= sum;
    }
}

/* Eight to twenty words, the frequent ones first; every eighth text has "please". */
static char *write_text(struct regret_rng *r, int has_word)
{
    char text[400] = "";
    size_t n = 8 + regret_rng_below(r, 13), length = 0;
    for (size_t i = 0; i < n; i++) {
        double u = regret_rng_uniform(r);
        length += (size_t)snprintf(text + length, sizeof text - length, "%sw%d", i ? " " : "",
                                   (int)(VOCABULARY * u * u * u));
    }
    if (has_word) {
        snprintf(text + length, sizeof text - length, " please");
    }
    return copy(text);
}

static size_t draw_tag(const struct making *m, struct regret_rng *r, int is_exp)
{
    double u = regret_rng_uniform(r);
    double power = 1.5 + (is_exp ? m->w->mixed : 0.0);
    size_t t = (size_t)((double)m->w->n_tags * pow(u, power));
    return t < m->w->n_tags ? t : m->w->n_tags - 1;
}

static void make_contexts(struct making *m)
{
    struct regret_log *log = m->log;
    struct regret_rng r = regret_rng_at(m->w->seed, REGRET_RNG_TEST, CONTEXTS);
    for (size_t x = 0; x < log->n_contexts; x++) {
        char name[32];
        snprintf(name, sizeof name, "c%zu", x);
        log->context[x] = copy(name);
        m->hidden[x] = regret_rng_normal(&r);
        m->column[x] = exp(regret_rng_normal(&r));
        m->has_word[x] = regret_rng_uniform(&r) < 0.125;
        size_t tag = draw_tag(m, &r, x >= m->w->n_obs);
        char *text = write_text(&r, m->has_word[x]);
        if (log->tag) {
            log->tag[x] = (uint32_t)tag;
        }
        if (log->text) {
            log->text[x] = text;
        } else {
            regret_free(text);
        }
        if (log->n_columns > 0) {
            log->column[0].value[x] = m->column[x];
        }
    }
}

static size_t tag_of(const struct making *m, size_t x)
{
    return m->log->tag ? m->log->tag[x] : 0;
}

/* Rows of a source get users: a new one after each row with chance 1/user_rows. */
static void make_users(struct making *m, size_t source, struct regret_rng *r)
{
    struct regret_log_rows *rows = &m->log->rows[source];
    for (size_t i = 0; i < rows->n; i++) {
        rows->context[i] = (uint32_t)(i + (source == REGRET_LOG_EXP ? m->w->n_obs : 0));
        rows->line[i] = i + 2;
        if (m->w->user_rows <= 0.0) {
            rows->cluster[i] = rows->context[i];
        } else {
            m->log->n_clusters += i == 0 || regret_rng_uniform(r) < 1.0 / m->w->user_rows;
            rows->cluster[i] = (uint32_t)(m->log->n_clusters - 1);
        }
        if (rows->time) {
            rows->time[i] = 1.7e9 + 60.0 * (double)i + 30.0 * regret_rng_uniform(r);
        }
    }
}

static size_t pick(struct regret_rng *r, const double *weight, size_t n)
{
    double sum = 0.0, u;
    for (size_t a = 0; a < n; a++) {
        sum += weight[a];
    }
    u = regret_rng_uniform(r) * sum;
    for (size_t a = 0; a + 1 < n; a++) {
        u -= weight[a];
        if (u < 0.0) {
            return a;
        }
    }
    return n - 1;
}

static void choose_in_obs(struct making *m, size_t i)
{
    struct regret_log_rows *rows = &m->log->rows[REGRET_LOG_OBS];
    uint32_t x = rows->context[i];
    double weight[MOST_AGENTS], sum = 0.0;
    for (size_t a = 0; a < m->w->n_agents; a++) {
        double score = m->popular[a] + m->w->recorded * m->tag[tag_of(m, x)] * (a % 2 ? 1.0 : -1.0);
        weight[a] = exp(score + m->w->hidden * m->hidden[x] * (a % 2 ? 1.0 : -1.0));
        sum += weight[a];
    }
    rows->agent[i] = (uint32_t)pick(&m->choices, weight, m->w->n_agents);
    if (rows->propensity) {
        rows->propensity[i] = weight[rows->agent[i]] / sum;
    }
}

/* The stated probabilities. */
static void state(const struct making *m, double *p, uint32_t x)
{
    size_t n = m->w->n_agents, tag = tag_of(m, x);
    size_t likely = (m->log->text ? strlen(m->log->text[x]) : x) % n;
    for (size_t a = 0; a < n; a++) {
        switch (m->w->probabilities) {
        case WORLD_UNIFORM:
            p[a] = 1.0 / (double)n;
            break;
        case WORLD_BY_AGENT:
            p[a] = m->chance[a];
            break;
        case WORLD_BY_TAG:
            p[a] = m->chance[(a + tag) % n];
            break;
        case WORLD_BY_ROW:
            p[a] = 0.4 / (double)n + (a == likely ? 0.6 : 0.0);
            break;
        }
    }
}

static void assign(struct making *m, size_t i)
{
    const struct log_world *w = m->w;
    struct regret_log_rows *rows = &m->log->rows[REGRET_LOG_EXP];
    uint32_t x = rows->context[i];
    int follows = i > 0 && rows->cluster[i] == rows->cluster[i - 1];
    double p[MOST_AGENTS], weight[MOST_AGENTS];
    state(m, p, x);
    double place = (double)i / (double)rows->n - 0.5;
    for (size_t a = 0; a < w->n_agents; a++) {
        double sign = a % 2 ? 1.0 : -1.0;
        weight[a] =
            p[a] *
            exp(sign * (w->assign_tag * m->tag[tag_of(m, x)] + w->assign_word * m->has_word[x] +
                        w->assign_column * log(m->column[x]) + w->assign_time * place));
    }
    weight[0] *= exp(w->wrong);
    size_t agent = pick(&m->choices, weight, w->n_agents);
    double repeat = regret_rng_uniform(&m->choices);
    if ((follows && w->by_user) || (i > 0 && repeat < w->sticky)) {
        agent = rows->agent[i - 1];
    }
    rows->agent[i] = (uint32_t)agent;
    rows->propensity[i] = p[agent];
    if (follows && w->by_user && w->probabilities != WORLD_UNIFORM) {
        rows->propensity[i] = rows->propensity[i - 1];
    }
}

static void answer(struct making *m, size_t source, size_t i)
{
    const struct log_world *w = m->w;
    struct regret_log_rows *rows = &m->log->rows[source];
    uint32_t x = rows->context[i];
    size_t a = rows->agent[i], t = tag_of(m, x);
    double place = (double)i / (double)rows->n - 0.5;
    double logit = w->base + m->agent[a] + m->agent_tag[a][t] + 0.5 * m->tag[t] +
                   0.7 * m->hidden[x] + m->user[rows->cluster[i]] + 0.2 * log(m->column[x]);
    logit += place * (source == REGRET_LOG_OBS ? w->drift_obs : w->drift_exp);
    logit += source == REGRET_LOG_EXP && a == 0 ? w->changed : 0.0;
    double mean = 1.0 / (1.0 + exp(-logit));
    rows->outcome[i] = w->binary ? (regret_rng_uniform(&m->outcomes) < mean ? 1.0 : 0.0)
                                 : regret_rng_beta(&m->outcomes, 4.0 * mean, 4.0 * (1.0 - mean));
}

static int make_rows(struct regret_log *log, size_t source, size_t n, const struct log_world *w)
{
    struct regret_log_rows *rows = &log->rows[source];
    rows->n = n;
    rows->context = space(n, sizeof *rows->context);
    rows->agent = space(n, sizeof *rows->agent);
    rows->outcome = space(n, sizeof *rows->outcome);
    rows->cluster = space(n, sizeof *rows->cluster);
    rows->line = space(n, sizeof *rows->line);
    rows->time = w->no_time ? NULL : space(n, sizeof *rows->time);
    int has_propensity = source == REGRET_LOG_EXP || w->obs_probabilities > 0.0;
    rows->propensity = has_propensity ? space(n, sizeof *rows->propensity) : NULL;
    return rows->context && rows->agent && rows->outcome && rows->cluster && rows->line;
}

/* The last rows of OBS become those at its beginning again. */
static void repeat(struct making *m)
{
    struct regret_log_rows *rows = &m->log->rows[REGRET_LOG_OBS];
    size_t n = (size_t)(m->w->repeated * (double)rows->n);
    for (size_t i = 0; i < n && 2 * n <= rows->n; i++) {
        size_t to = rows->n - n + i;
        rows->context[to] = rows->context[i];
        rows->agent[to] = rows->agent[i];
        rows->outcome[to] = rows->outcome[i];
        rows->cluster[to] = rows->cluster[i];
        if (rows->time) {
            rows->time[to] = rows->time[i];
        }
    }
}

static int make_log(struct making *m)
{
    const struct log_world *w = m->w;
    struct regret_log *log = m->log;
    size_t n = w->n_obs + w->n_exp;
    log->n_agents = w->n_agents;
    log->n_contexts = n;
    log->n_tags = w->n_tags;
    log->n_columns = w->no_columns ? 0 : 1;
    log->high = 1.0;
    log->incumbent = w->n_agents;
    log->is_uniform = w->probabilities == WORLD_UNIFORM;
    log->agent = space(log->n_agents, sizeof *log->agent);
    log->context = space(n, sizeof *log->context);
    log->text = w->no_text ? NULL : space(n, sizeof *log->text);
    log->tag = w->n_tags > 0 ? space(n, sizeof *log->tag) : NULL;
    log->tags = space(w->n_tags, sizeof *log->tags);
    log->column = space(log->n_columns, sizeof *log->column);
    log->cluster_name = copy(w->user_rows > 0.0 ? "user" : "context");
    for (size_t a = 0; a < log->n_agents; a++) {
        char name[32];
        snprintf(name, sizeof name, "agent-%zu", a);
        log->agent[a] = copy(name);
    }
    for (size_t t = 0; t < log->n_tags; t++) {
        char name[32];
        snprintf(name, sizeof name, "tag-%zu", t);
        log->tags[t] = copy(name);
    }
    if (log->n_columns > 0) {
        log->column[0].name = copy("size");
        log->column[0].value = space(n, sizeof *log->column[0].value);
    }
    return make_rows(log, REGRET_LOG_OBS, w->n_obs, w) &&
           make_rows(log, REGRET_LOG_EXP, w->n_exp, w);
}

struct regret_log *log_world_make(const struct log_world *w)
{
    struct making m = {.w = w, .log = space(1, sizeof *m.log)};
    size_t n = w->n_obs + w->n_exp;
    if (!m.log || !make_log(&m)) {
        regret_log_free(m.log);
        return NULL;
    }
    m.hidden = space(n, sizeof *m.hidden);
    m.column = space(n, sizeof *m.column);
    m.has_word = space(n, sizeof *m.has_word);
    m.user = space(n, sizeof *m.user);
    m.choices = regret_rng_at(w->seed, REGRET_RNG_TEST, CHOICES);
    m.outcomes = regret_rng_at(w->seed, REGRET_RNG_TEST, OUTCOMES);
    struct regret_rng users = regret_rng_at(w->seed, REGRET_RNG_TEST, USERS);
    fix(&m);
    make_contexts(&m);
    make_users(&m, REGRET_LOG_OBS, &users);
    make_users(&m, REGRET_LOG_EXP, &users);
    m.log->n_clusters = w->user_rows > 0.0 ? m.log->n_clusters : n;
    for (size_t c = 0; c < n; c++) {
        m.user[c] = w->user_rows > 0.0 ? 0.5 * regret_rng_normal(&users) : 0.0;
    }
    for (size_t i = 0; i < w->n_obs; i++) {
        choose_in_obs(&m, i);
        answer(&m, REGRET_LOG_OBS, i);
    }
    for (size_t i = 0; i < w->n_exp; i++) {
        assign(&m, i);
        answer(&m, REGRET_LOG_EXP, i);
    }
    repeat(&m);
    m.log->n_kept = m.log->n_contexts;
    m.log->n_evaluation = w->n_exp;
    m.log->evaluation = space(w->n_exp, sizeof *m.log->evaluation);
    for (size_t i = 0; i < w->n_exp; i++) {
        m.log->evaluation[i] = (uint32_t)(w->n_obs + i);
    }
    regret_free(m.hidden);
    regret_free(m.column);
    regret_free(m.has_word);
    regret_free(m.user);
    return m.log;
}
