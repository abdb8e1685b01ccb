/* From what the tables say to numbers with a meaning; and what has none as a whole. */
#include <cJSON.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/json.h"
#include "base/names.h"
#include "base/random.h"
#include "base/status.h"
#include "base/text.h"
#include "log/internal.h"
#include "log/log.h"
#include "regret/evaluate.h"
#include "regret/status.h"

int log_offer_enter(uint32_t *out, struct log_reading *r, const struct log_slate *slate)
{
    size_t before = r->offers.n;
    TRY(log_keys_put(out, &r->offers, slate->offer));
    r->everybody = slate->n == 0 ? *out + 1 : r->everybody;
    for (size_t k = 0; r->offers.n > before && k < slate->n; k++) {
        TRY(regret_grow((void **)&r->member, &r->member_capacity, r->n_members, sizeof *r->member,
                        "slates"));
        r->member[r->n_members++] = (struct log_member){slate->name[k], *out};
    }
    return REGRET_OK;
}

static int offers_all(const struct regret_log *log, enum regret_log_source source)
{
    for (size_t i = 0; i < log->rows[source].n; i++) {
        for (size_t a = 0; a < log->n_agents; a++) {
            if (!was_on_offer(log, source, i, a)) {
                return 0;
            }
        }
    }
    return 1;
}

/* Who is on each of them, of the agents that the log has; nothing where everybody always is. */
static int log_offers_settle(struct log_reading *r)
{
    struct regret_log *log = r->log;
    FREED_BY(log_keys_free) struct log_keys agents = {0};
    uint32_t a = 0;
    if (r->offers.n == 0) {
        return REGRET_OK;
    }
    log->n_offers = r->offers.n;
    TRY(REGRET_NEW(&log->on_offer, log->n_offers * offer_words(log)));
    for (size_t i = 0; i < log->n_agents; i++) {
        TRY(log_keys_put(&a, &agents, regret_hash64(log->agent[i], strlen(log->agent[i]))));
    }
    for (size_t k = 0; k < r->n_members; k++) {
        const struct log_member *m = &r->member[k];
        TRY(log_keys_put(&a, &agents, m->name));
        if (a < log->n_agents) { /* else no row has it */
            log->on_offer[m->offer * offer_words(log) + a / 64] |= (uint64_t)1 << a % 64;
        }
    }
    for (size_t i = 0; i < log->n_agents && r->everybody > 0; i++) {
        log->on_offer[(r->everybody - 1) * offer_words(log) + i / 64] |= (uint64_t)1 << i % 64;
    }
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        const struct log_pass *pass = &r->pass[s];
        if (log->rows[s].offer != NULL && offers_all(log, (enum regret_log_source)s)) {
            regret_free(log->rows[s].offer);
            log->rows[s].offer = NULL;
        } else if (pass->without_slate > 0) {
            return regret_fail(
                REGRET_E_INPUT,
                "%s:%llu: no slate, as in %zu of %zu rows, and on others not everybody was on "
                "offer: write who was, or leave such rows out",
                r->config.input[s].path, (unsigned long long)pass->slate_line, pass->without_slate,
                log->rows[s].n);
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- outcomes */

static int words_among_numbers(const struct log_reading *r)
{
    enum log_input_of word = r->pass[LOG_INPUT_OBS].has_words ? LOG_INPUT_OBS : LOG_INPUT_EXP,
                      other = r->pass[LOG_INPUT_OBS].has_others ? LOG_INPUT_OBS : LOG_INPUT_EXP;
    return regret_fail(REGRET_E_INPUT,
                       "outcomes are words at %s:%llu and numbers other than 0 and 1 at %s:%llu; "
                       "say which scale it is, \"outcome\": {\"low\": …, \"high\": …} in %s",
                       r->config.input[word].path, (unsigned long long)r->pass[word].word_line,
                       r->config.input[other].path, (unsigned long long)r->pass[other].other_line,
                       r->config.path);
}

/* A range that nobody has given is not that of outcomes beyond all others. */
static int check_slips(const struct log_reading *r)
{
    double odd = 0.0, range[2];
    if (!numbers_find_odd(&odd, range, &r->seen)) {
        return REGRET_OK;
    }
    size_t odds = (range[0] > r->seen.least ? r->seen.at_least : 0) +
                  (range[1] < r->seen.most ? r->seen.at_most : 0);
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        const struct regret_log_rows *rows = &r->log->rows[s];
        for (size_t i = 0; i < rows->n; i++) {
            if (rows->outcome[i] == odd) {
                return regret_fail(
                    REGRET_E_INPUT,
                    "%s:%llu: the outcome is %.6g, where all but %zu of %zu go from %.6g to %.6g: "
                    "correct it, or leave it blank; if it is right, say \"outcome\": {\"low\": …, "
                    "\"high\": …} in %s",
                    r->config.input[s].path, (unsigned long long)rows->line[i], odd, odds,
                    r->seen.n, range[0], range[1], r->config.path);
            }
        }
    }
    return REGRET_OK;
}

/* What may say that there is no outcome, and is taken for one: -1 where no other is negative. */
static int tell_code(const struct log_reading *r)
{
    const struct numbers *seen = &r->seen;
    return seen->least != -1.0 || seen->next_least < 0.0 || seen->next_least >= seen->most
               ? REGRET_OK
               : log_note(r->log,
                          "%zu outcome%s %g, which is taken as worse than %g: where it says that "
                          "there is none, leave it blank",
                          seen->at_least, seen->at_least == 1 ? " is" : "s are", seen->least,
                          seen->next_least);
}

/* One table has words alone, the other numbers: whatever range is said, a mean of both says nothing. */
static int check_kinds(const struct log_reading *r)
{
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        const struct log_pass *words = &r->pass[s], *numbers = &r->pass[!s];
        if (words->has_words && !words->has_others && !numbers->has_words && numbers->has_others) {
            return regret_fail(
                REGRET_E_INPUT,
                "outcomes of %s are words (line %llu), those of %s numbers (line %llu): they are "
                "on two scales; give both tables outcomes of one kind, or leave one table out",
                r->config.input[s].path, (unsigned long long)words->word_line,
                r->config.input[!s].path, (unsigned long long)numbers->other_line);
        }
    }
    return REGRET_OK;
}

/* All outcomes of one table are beyond those of the other: no choice of agents makes that of one scale. */
static int check_ranges(const struct log_reading *r)
{
    enum { ENOUGH = 20 }; /* rows of each */
    const struct log_pass *obs = &r->pass[LOG_INPUT_OBS], *exp = &r->pass[LOG_INPUT_EXP];
    if ((obs->most >= exp->least && exp->most >= obs->least) ||
        r->log->rows[REGRET_LOG_OBS].n < ENOUGH || r->log->rows[REGRET_LOG_EXP].n < ENOUGH) {
        return REGRET_OK;
    }
    return regret_fail(REGRET_E_INPUT,
                       "outcomes of %s are %g to %g, those of %s %g to %g: they are on two scales; "
                       "bring them to one, or leave one table out",
                       r->config.input[LOG_INPUT_OBS].path, obs->least, obs->most,
                       r->config.input[LOG_INPUT_EXP].path, exp->least, exp->most);
}

/* The range of outcomes: as given, else 0 and 1, else that of the data. */
static int find_range(struct log_reading *r, double *low, double *high)
{
    const struct log_scale *scale = &r->config.scale;
    const struct log_pass *obs = &r->pass[LOG_INPUT_OBS], *exp = &r->pass[LOG_INPUT_EXP];
    double least = r->seen.least, most = r->seen.most;
    int is_plain = scale->kind == LOG_SCALE_BINARY ||
                   (!scale->is_given && !obs->has_others && !exp->has_others);
    if (!scale->is_given && !is_plain && (obs->has_words || exp->has_words)) {
        return words_among_numbers(r);
    }
    *low = is_plain                          ? 0.0
           : !isnan(scale->low)              ? scale->low
           : scale->kind == LOG_SCALE_COUNTS ? 0.0
                                             : least;
    *high = is_plain ? 1.0 : !isnan(scale->high) ? scale->high : most;
    TRY(!is_plain && (isnan(scale->low) || isnan(scale->high)) ? check_slips(r) : REGRET_OK);
    if (!isfinite(*high - *low)) {
        return regret_fail(
            REGRET_E_INPUT,
            "outcomes from %g to %g are too far apart; say \"outcome\": {\"low\": …, "
            "\"high\": …} in %s",
            *low, *high, r->config.path);
    }
    if (*low == *high) {
        return regret_fail(REGRET_E_INPUT,
                           "every outcome is %g: nothing can be compared; if others could have "
                           "been, say \"outcome\": {\"low\": …, \"high\": …} in %s",
                           least, r->config.path);
    }
    r->log->range_of_data = !is_plain && (isnan(scale->low) || isnan(scale->high));
    if (r->log->range_of_data) {
        TRY(log_note(r->log,
                     "the range of outcomes, %g to %g, is that of the data: say \"outcome\": "
                     "{\"low\": …, \"high\": …} if others could have been",
                     *low, *high));
    }
    return least == most ? log_note(r->log, "every outcome is %g: nothing can be compared", least)
                         : REGRET_OK;
}

static int settle_outcomes(struct log_reading *r)
{
    struct regret_log *log = r->log;
    TRY(check_kinds(r));
    TRY(check_ranges(r));
    TRY(tell_code(r));
    TRY(find_range(r, &log->low, &log->high));
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < log->rows[s].n; i++) {
            log->rows[s].outcome[i] = (log->rows[s].outcome[i] - log->low) / (log->high - log->low);
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- agents */

/* Agents in natural order; rows then have their places in it. */
static int rank_agents(struct log_reading *r)
{
    struct regret_log *log = r->log;
    size_t n = r->agents.n;
    TRY(log_names_rank(&log->agent, &r->rank, &r->agents));
    log->n_agents = n;
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < log->rows[s].n; i++) {
            log->rows[s].agent[i] = r->rank[log->rows[s].agent[i]];
        }
    }
    return REGRET_OK;
}

/* What the tables found by number of agent, by place. */
static int rank_findings(struct log_reading *r)
{
    struct regret_log *log = r->log;
    unsigned char *here = NULL;
    TRY(r->cost != NULL ? REGRET_NEW(&log->cost, log->n_agents) : REGRET_OK);
    for (size_t a = 0; r->cost != NULL && a < log->n_agents; a++) {
        log->cost[r->rank[a]] = r->costs[a] > 0 ? r->cost[a] / (double)r->costs[a] : NAN;
    }
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        TRY(REGRET_NEW(&here, log->n_agents));
        for (size_t a = 0; r->pass[s].agents != NULL && a < log->n_agents; a++) {
            here[r->rank[a]] = r->pass[s].agents[a];
        }
        regret_free(r->pass[s].agents);
        r->pass[s].agents = here;
    }
    return REGRET_OK;
}

static int settle_incumbent(struct log_reading *r)
{
    struct regret_log *log = r->log;
    const char *name = r->config.incumbent;
    log->incumbent = name != NULL ? texts_find((const char *const *)log->agent, log->n_agents, name)
                                  : log->n_agents;
    if (name == NULL || log->incumbent < log->n_agents) {
        return REGRET_OK;
    }
    const char *near = name_nearest(name, (const char *const *)log->agent, log->n_agents);
    return regret_fail(REGRET_E_INPUT, "%s: the incumbent \"%.60s\" has no row; %s \"%.60s\"%s",
                       r->config.path, name, near != NULL ? "did you mean" : "an agent is called",
                       near != NULL ? near : log->agent[0], near != NULL ? "?" : "");
}

/* ---------------------------------------------------------------- tags */

/* Tags in natural order, "" among them where a context has none; contexts then have their places in it. */
static int settle_tags(struct log_reading *r)
{
    struct regret_log *log = r->log;
    uint32_t none = 0;
    FREED uint32_t *rank = NULL;
    size_t n = r->contexts.n, blank = 0;
    if (r->tags.n == 0) {
        return REGRET_OK;
    }
    for (size_t c = 0; c < n; c++) {
        blank += c >= r->tag_capacity || r->tag[c] == 0;
    }
    TRY(blank > 0 ? names_enter(&none, &r->tags, "") : REGRET_OK);
    size_t n_tags = r->tags.n;
    TRY(log_names_rank(&log->tags, &rank, &r->tags));
    log->n_tags = n_tags;
    TRY(REGRET_NEW(&log->tag, n));
    for (size_t c = 0; c < n; c++) {
        log->tag[c] = rank[c < r->tag_capacity && r->tag[c] > 0 ? r->tag[c] - 1 : none];
    }
    regret_free(r->tag);
    r->tag = NULL;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- probabilities */

/* The shares that the configuration says. */
static int set_said_shares(double *share, const struct log_reading *r)
{
    const struct regret_log *log = r->log;
    const cJSON *shares = r->config.shares;
    for (size_t a = 0; a < log->n_agents; a++) {
        const cJSON *said = cJSON_GetObjectItemCaseSensitive(shares, log->agent[a]);
        share[a] = said != NULL ? said->valuedouble : 0.0;
        if (r->pass[REGRET_LOG_EXP].agents[a] && said == NULL) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: \"exp.shares\" has no share of \"%.60s\", which has rows in %s",
                               r->config.path, log->agent[a], r->config.input[LOG_INPUT_EXP].path);
        }
    }
    for (const cJSON *v = shares->child; v != NULL; v = v->next) {
        if (!texts_have((const char *const *)log->agent, log->n_agents, v->string)) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: \"exp.shares\" of \"%.60s\": no row has that agent",
                               r->config.path, v->string);
        }
    }
    return REGRET_OK;
}

/* Counts an agent's rows; its clusters where each has one agent, for then these were assigned. */
static int count_assigned(double *count, double *n, const struct log_reading *r)
{
    const struct regret_log_rows *exp = &r->log->rows[REGRET_LOG_EXP];
    FREED uint32_t *first = NULL;
    int is_one = r->has_clusters;
    TRY(REGRET_NEW(&first, r->clusters.n));
    for (size_t i = 0; i < exp->n && is_one; i++) {
        uint32_t *of = &first[exp->cluster[i]];
        is_one = *of == 0 || *of == exp->agent[i] + 1;
        *of = exp->agent[i] + 1;
    }
    for (size_t i = 0; i < (is_one ? r->clusters.n : exp->n); i++) {
        if (!is_one || first[i] > 0) {
            count[is_one ? first[i] - 1 : exp->agent[i]] += 1.0;
            *n += 1.0;
        }
    }
    return REGRET_OK;
}

/* Where nobody says, uniform; but where counts cannot be those of equal chances (χ², .001 [C]), as they are. */
static int set_seen_shares(double *share, struct log_reading *r, int may_differ)
{
    const double unlikely = 1e-3;
    struct regret_log *log = r->log;
    double agents = 0.0, n = 0.0, q = 0.0;
    TRY(count_assigned(share, &n, r));
    for (size_t a = 0; a < log->n_agents; a++) {
        agents += r->pass[REGRET_LOG_EXP].agents[a];
    }
    for (size_t a = 0; a < log->n_agents; a++) {
        share[a] /= n;
        double d = share[a] - 1.0 / agents;
        q += share[a] > 0.0 ? n * agents * d * d : 0.0;
    }
    log->has_seen_shares =
        may_differ && agents > 1.0 && 1.0 - chi_square_cdf(q, agents - 1.0) < unlikely;
    for (size_t a = 0; a < log->n_agents && !log->has_seen_shares; a++) {
        share[a] = 1.0 / agents;
    }
    return REGRET_OK;
}

static int settle_chances(struct log_reading *r)
{
    FREED double *share = NULL;
    struct regret_log_rows *obs = &r->log->rows[REGRET_LOG_OBS],
                           *exp = &r->log->rows[REGRET_LOG_EXP];
    int is_silent = exp->n > 0 && r->pass[REGRET_LOG_EXP].stated_chances == 0;
    TRY(REGRET_NEW(&share, r->log->n_agents));
    if (r->config.shares != NULL) {
        TRY(set_said_shares(share, r));
    } else if (exp->n > 0) {
        TRY(set_seen_shares(share, r,
                            is_silent && r->config.input[LOG_INPUT_EXP].field[LOG_SLATE] == NULL));
    }
    for (size_t i = 0; i < exp->n; i++) {
        exp->propensity[i] = isnan(exp->propensity[i]) ? share[exp->agent[i]] : exp->propensity[i];
    }
    r->log->is_slated = exp->n > 0 && r->config.input[LOG_INPUT_EXP].field[LOG_SLATE] != NULL;
    r->log->is_by_slate = is_silent && r->log->is_slated;
    r->log->is_uniform =
        is_silent && !r->log->is_by_slate && !r->log->has_seen_shares && r->config.shares == NULL;
    if (r->pass[REGRET_LOG_OBS].without_chance > 0) {
        regret_free(obs->propensity);
        obs->propensity = NULL;
    }
    return REGRET_OK;
}

int log_settle(struct log_reading *r)
{
    struct regret_log *log = r->log;
    TRY(rank_agents(r));
    TRY(rank_findings(r));
    TRY(log_offers_settle(r));
    TRY(log_check_agents(r));
    TRY(settle_chances(r));
    TRY(log_check_sums(r));
    TRY(settle_outcomes(r));
    TRY(settle_incumbent(r));
    TRY(settle_tags(r));
    TRY(log_find_withdrawn(log));
    TRY(log_tell_doubts(r));
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        TRY(log_losses_tell(log, &r->config, (enum regret_log_source)s, r->pass[s].tally));
    }
    return REGRET_OK;
}
