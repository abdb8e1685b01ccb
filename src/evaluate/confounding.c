/* Balance of covariates, and confounding that is seen. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "evaluate/diagnose.h"
#include "log/log.h"
#include "regret/status.h"

/* Does assignment depend on anything known before it? In words. */

/* Units that are permuted, at most; words cost more. */
enum { MOST_UNITS = 10000, MOST_WORD_UNITS = 3000 };

/* What assignment may depend on. */
struct aspect {
    const char *name, *what, *of;
    int (*build)(struct block *out, const struct regret_log *log, const struct assignment *d);
    size_t most;
};
enum aspects { ASPECT_TAG, ASPECT_COVARIATES, ASPECT_LENGTH, ASPECT_TIME, ASPECT_WORDS, N_ASPECTS };
static const struct aspect aspects[N_ASPECTS] = {
    {"balance.tag", "share of a tag among an agent's EXP rows less its share in EXP, the clearest",
     "the tag", block_tags, MOST_UNITS},
    {"balance.covariates",
     "mean of a covariate (rank, or share of a word) among an agent's EXP rows less that of EXP, "
     "the clearest",
     "covariates", block_covariates, MOST_UNITS},
    {"balance.length", "mean rank of the text's length among an agent's EXP rows less 1/2",
     "the length of the text", block_length, MOST_UNITS},
    {"balance.time",
     "mean rank of the time (or share of an eighth of it) among an agent's EXP rows less that of "
     "EXP",
     "time", block_time, MOST_UNITS},
    {"balance.words",
     "share of texts with a word among an agent's EXP rows less that in EXP, the clearest",
     "words of the text", block_words, MOST_WORD_UNITS},
};

struct balancing {
    const struct asked *asked;
    const struct assignment *whole;
    enum aspects at;
};

/* "gpt-x has the tag "code" on 31.0 % of its rows, 20.4 % were to be expected." */
static int say_imbalance(struct regret_buffer *text, const struct balancing *b,
                         const struct block *block, const struct assignment *d,
                         const struct imbalance *found)
{
    const struct regret_log *log = b->asked->log;
    double mean = 100.0 * found->mean, expected = 100.0 * found->expected;
    char *word = NULL;
    log_say(text, log, "The clearest: @", (const size_t[]){d->agent[found->label]});
    switch (b->at) {
    case ASPECT_TAG:
        regret_buffer_append(text, " has the tag ");
        say_tag(text, log, block->source[found->dimension]);
        break;
    case ASPECT_WORDS:
        TRY(block_word(&word, block, found->dimension, log, d));
        regret_buffer_append(text, " has texts with \"");
        regret_buffer_append_safe(text, word, 30);
        regret_buffer_append_char(text, '"');
        regret_free(word);
        break;
    case ASPECT_COVARIATES:
        regret_buffer_append(text, " by ");
        regret_buffer_append_safe(text, log->column[block->source[found->dimension]].name, 30);
        regret_buffer_printf(text, ", mean rank or share %.1f %%, expected %.1f %%.", mean,
                             expected);
        return REGRET_OK;
    case ASPECT_LENGTH:
    case ASPECT_TIME:
    case N_ASPECTS:
        regret_buffer_printf(text, ", mean rank or share %.1f %%, expected %.1f %%.", mean,
                             expected);
        return REGRET_OK;
    }
    regret_buffer_printf(text, " on %.1f %% of its trial, expected %.1f %%.", mean, expected);
    return REGRET_OK;
}

/* How it was tested: "2,000 permutations of 600 rows". */
static void say_how(struct regret_buffer *text, const struct balancing *b,
                    const struct assignment *d, const struct imbalance *found)
{
    const char *units = d->by_cluster ? "cluster" : "row";
    if (found->permutations > 0) {
        regret_buffer_printf(text, " (%zu permutations of %zu %s%s", found->permutations,
                             d->n_units, units, say_plural(d->n_units));
    } else {
        regret_buffer_printf(text, " (weighted means of %zu row%s", d->n_units,
                             say_plural(d->n_units));
    }
    if (d->n_units < b->whole->n_units) {
        regret_buffer_printf(text, ", a sample by seed %" PRIu64 " of %zu", b->asked->options->seed,
                             b->whole->n_units);
    }
    regret_buffer_append(text, ").");
}

static int tell(struct findings *f, const struct balancing *b, const struct block *block,
                const struct assignment *d, const struct imbalance *found)
{
    const struct aspect *aspect = &aspects[b->at];
    struct finding *finding = findings_add(f, aspect->name, aspect->what);
    finding->value = found->mean - found->expected;
    finding->p = found->p;
    regret_buffer_printf(&finding->fine, "Assignment in EXP does not depend visibly on %s",
                         aspect->of);
    say_how(&finding->fine, b, d, found);
    regret_buffer_printf(&finding->found, "Assignment in EXP depends on %s. ", aspect->of);
    TRY(say_imbalance(&finding->found, b, block, d, found));
    regret_buffer_append(&finding->found,
                         " The trial is not randomised as it says: find out what assigned, and "
                         "give the probabilities that it used (propensity), or treat these rows "
                         "as a log");
    regret_buffer_append(
        &finding->found,
        b->at <= ASPECT_COVARIATES
            ? "; or not everybody was on offer to all: say who was (slate) then; or that comes "
              "after the answer: take it out of evaluate.json then."
        : b->at == ASPECT_TIME ? "; or agents came and went: say who was on offer (slate) then."
                               : ".");
    say_how(&finding->found, b, d, found);
    return REGRET_OK;
}

static int ask_aspect(struct findings *f, const struct balancing *b)
{
    const struct asked *a = b->asked;
    struct permutation_options options = {.resamples = a->options->resamples,
                                          .threads = a->threads,
                                          .seed = a->options->seed,
                                          .stream = 1 + (uint64_t)b->at};
    FREED_BY(assignment_free) struct assignment d = {0};
    FREED_BY(block_free) struct block block = {0};
    struct imbalance found = {.p = NAN};
    TRY(assignment_sample(&d, b->whole, aspects[b->at].most, a->options->seed));
    TRY(aspects[b->at].build(&block, a->log, &d));
    if (!block.x) {
        return REGRET_OK;
    }
    if (d.kind == ASSIGNMENT_BY_ROW) {
        TRY(weighted_test(&found, a->log, &d, &block, a->order));
    } else {
        TRY(permutation_test(&found, &d, &block, &options));
    }
    if (!isnan(found.p)) {
        TRY(tell(f, b, &block, &d, &found));
    }
    return REGRET_OK;
}

static int ask_previous(struct findings *f, const struct balancing *b)
{
    const struct asked *a = b->asked;
    struct permutation_options options = {.resamples = a->options->resamples,
                                          .threads = a->threads,
                                          .seed = a->options->seed,
                                          .stream = 1 + (uint64_t)N_ASPECTS};
    FREED_BY(assignment_free) struct assignment d = {0};
    struct succession found;
    TRY(assignment_sample(&d, b->whole, MOST_UNITS, a->options->seed));
    TRY(sequence_test(&found, a->log, &d, a->order, &options));
    if (isnan(found.p)) {
        return REGRET_OK;
    }
    struct finding *finding =
        findings_add(f, "balance.previous", "share of neighbours of one agent less that of chance");
    double alike = (double)found.alike / (double)found.pairs;
    double expected = found.expected / (double)found.pairs;
    finding->value = alike - expected;
    finding->p = found.p;
    /* Blocks that deal agents out evenly are a way of randomising; sticking to an agent is not. */
    finding->most = alike < expected ? REGRET_DIAGNOSTIC_CAUTION : REGRET_DIAGNOSTIC_NO;
    regret_buffer_printf(&finding->fine,
                         "Assignment in EXP does not depend visibly on the one before: %.1f %% of "
                         "%zu neighbours have one agent, "
                         "chance gives %.1f %%.",
                         100.0 * alike, found.pairs, 100.0 * expected);
    regret_buffer_printf(
        &finding->found,
        "Neighbours in EXP have one agent in %.1f %% of %zu pairs, chance gives %.1f %%: %s",
        100.0 * alike, found.pairs, 100.0 * expected,
        alike < expected ? "agents are dealt out in blocks or by turns. Intervals are then rather "
                           "too wide; without chance in it "
                           "it is no randomised trial."
                         : "an assignment goes on from the one before. Name what was assigned as "
                           "one (a session, a user) "
                           "as the cluster.");
    return REGRET_OK;
}

int ask_balance(struct findings *f, const struct asked *a)
{
    FREED_BY(assignment_free) struct assignment whole = {0};
    struct balancing b = {.asked = a, .whole = &whole};
    if (!a->has[REGRET_LOG_EXP]) {
        return REGRET_OK;
    }
    TRY(assignment_build(&whole, a->log, a->order));
    if (whole.n_labels < 2 || whole.n_units < 4) {
        return REGRET_OK;
    }
    for (b.at = 0; b.at < N_ASPECTS; b.at++) {
        TRY(ask_aspect(f, &b));
    }
    if (whole.kind != ASSIGNMENT_BY_ROW) {
        TRY(ask_previous(f, &b));
    }
    return REGRET_OK;
}

/* Where there is a log alone: how strong something unrecorded has to be to overturn it. No test can say that there is none. */

static const char ALONE[] = "There is a log alone. ";
enum { LEAST_ROWS = 30 /* of an agent that may be the best */ };

/* The best and the second agent by values that weigh for what choice is known to depend on. 1 where there are two. */
static int find_two(size_t *best, size_t *second, const struct odds *o)
{
    *best = *second = o->n_agents;
    for (size_t a = 0; a < o->n_agents; a++) {
        if (o->rows[a] < LEAST_ROWS) {
            continue;
        }
        if (*best == o->n_agents || o->value[a] > o->value[*best]) {
            *second = *best;
            *best = a;
        } else if (*second == o->n_agents || o->value[a] > o->value[*second]) {
            *second = a;
        }
    }
    return *second < o->n_agents;
}

static void say_group(struct regret_buffer *text, const struct regret_log *log,
                      const struct column_group *g)
{
    if (g->kind == GROUP_COVARIATE) {
        regret_buffer_append_safe(text, log->column[g->covariate].name, 30);
    } else {
        regret_buffer_append(text, g->kind == GROUP_TAGS ? "the tag" : "the length of the text");
    }
}

/* The recorded group that a cause as strong as would take the most. n_groups where none can be said. */
static int find_benchmark(size_t *at, struct benchmark *strongest, const struct regression *r,
                          const struct robustness *s)
{
    double least = INFINITY;
    *at = r->n_groups;
    for (size_t g = 0; g < r->n_groups; g++) {
        struct benchmark b;
        TRY(benchmark_of(&b, r, s, g));
        double left = s->value < 0.0 ? -b.left : b.left;
        if (left < least) {
            least = left;
            *at = g;
            *strongest = b;
        }
    }
    return REGRET_OK;
}

static int tell_robustness(struct findings *f, const struct asked *a, const struct regression *r,
                           const struct robustness *s, size_t best, size_t second)
{
    struct benchmark b = {NAN, NAN, NAN};
    size_t at;
    TRY(find_benchmark(&at, &b, r, s));
    struct finding *found =
        findings_add(f, "confounding",
                     "robustness value of the best agent's lead in OBS (Cinelli and Hazlett 2020)");
    found->value = s->to_zero;
    found->low = s->to_chance;
    int is_overturned = at < r->n_groups && !(s->value * b.left > 0.0);
    found->verdict = is_overturned ? REGRET_DIAGNOSTIC_NO : REGRET_DIAGNOSTIC_CAUTION;
    struct regret_buffer *text = &found->fine;
    regret_buffer_append(text, ALONE);
    log_say(text, a->log, "The lead of @ over @", (const size_t[]){best, second});
    regret_buffer_printf(
        text,
        ", %+.3f after taking out what is recorded, is gone if something unrecorded explains %.1f "
        "%% of what "
        "is left both of choice and of outcome, and within chance from %.1f %% on.",
        gap_as_given(a->log, s->value), 100.0 * s->to_zero, 100.0 * s->to_chance);
    if (a->log->n_columns > REGRESSION_MAX_COLUMNS) {
        regret_buffer_printf(text, " Of %zu covariates the first %d are taken out.",
                             a->log->n_columns, REGRESSION_MAX_COLUMNS);
    }
    if (at < r->n_groups) {
        regret_buffer_append(text, " One as strong as ");
        say_group(text, a->log, &r->group[at]);
        regret_buffer_printf(text, " would leave %+.3f.", gap_as_given(a->log, b.left));
    }
    regret_buffer_append(text,
                         " Only a trial excludes it: assign a small part of requests at random.");
    return REGRET_OK;
}

static int ask_robustness(struct findings *f, const struct asked *a, size_t best, size_t second)
{
    FREED_BY(regression_free) struct regression r = {0};
    struct robustness s;
    TRY(regression_build(&r, a->log, best, second));
    TRY(robustness_of(&s, &r, a->options->level));
    if (!isnan(s.to_zero)) {
        TRY(tell_robustness(f, a, &r, &s, best, second));
    }
    return REGRET_OK;
}

static int ask_odds(struct findings *f, const struct asked *a, const struct odds *o, size_t best)
{
    size_t other = best;
    double by_tag, lambda = odds_of_change(&other, o, best);
    TRY(odds_by_tag(&by_tag, a->log, best));
    if (other == best) {
        return REGRET_OK;
    }
    struct finding *found = findings_add(
        f, "confounding.odds",
        "factor on the odds of being chosen at which the best agent may change (Tan 2006)");
    found->value = lambda;
    found->verdict = lambda <= by_tag ? REGRET_DIAGNOSTIC_NO : REGRET_DIAGNOSTIC_CAUTION;
    struct regret_buffer *text = &found->fine;
    regret_buffer_append(text, ALONE);
    log_say(text, a->log, "@ may be as good as @", (const size_t[]){other, best});
    if (isinf(lambda)) {
        regret_buffer_append(text, " at no odds, however much is unrecorded.");
    } else {
        regret_buffer_printf(text,
                             " as soon as something unrecorded changes the odds of being chosen by "
                             "a factor of %.2f, either way.",
                             lambda);
    }
    if (!isnan(by_tag)) {
        log_say(text, a->log, " The tag changes those of @", &best);
        regret_buffer_printf(text, " by %.2f in the mean.", by_tag);
    }
    return REGRET_OK;
}

static int ask_both(struct findings *f, const struct asked *a)
{
    FREED_BY(odds_free) struct odds o = {0};
    size_t best, second;
    TRY(odds_build(&o, a->log));
    if (find_two(&best, &second, &o)) {
        TRY(ask_robustness(f, a, best, second));
        TRY(ask_odds(f, a, &o, best));
    }
    return REGRET_OK;
}

/* Of the offers of two agents and more the one that most rows have; n_offers: there is none. */
static int find_common(size_t *common, const struct regret_log *log)
{
    FREED size_t *rows = NULL;
    TRY(REGRET_NEW(&rows, log->n_offers));
    for (size_t i = 0; i < log->n_drawn; i++) {
        rows[log->rows[REGRET_LOG_OBS].offer[log->drawn[i]]]++;
    }
    *common = log->n_offers;
    for (size_t o = 0; o < log->n_offers; o++) {
        size_t agents = 0;
        for (size_t b = 0; b < log->n_agents; b++) {
            agents += is_on(log, o, b) != 0;
        }
        if (agents > 1 && rows[o] > 0 && (*common == log->n_offers || rows[o] > rows[*common])) {
            *common = o;
        }
    }
    return REGRET_OK;
}

/* Rows on which all agents of an offer could be, and one of them was. */
static int is_common(const struct regret_log *log, size_t row, size_t offer)
{
    const struct regret_log_rows *obs = &log->rows[REGRET_LOG_OBS];
    int is = is_on(log, offer, obs->agent[row]);
    for (size_t w = 0; w < offer_words(log) && is; w++) {
        uint64_t all = log->on_offer[offer * offer_words(log) + w];
        is = (log->on_offer[obs->offer[row] * offer_words(log) + w] & all) == all;
    }
    return is;
}

/* Where agents are missing from kinds of requests, on those that most of them have had together; of none nothing is told. */
static int ask_common(struct findings *f, const struct asked *a)
{
    const struct regret_log *log = a->log;
    const struct regret_log_rows *obs = &log->rows[REGRET_LOG_OBS];
    struct regret_log part = *log;
    struct regret_log_rows *rows = &part.rows[REGRET_LOG_OBS];
    struct asked of = *a;
    FREED uint32_t *numbers = NULL;
    FREED double *values = NULL;
    size_t common = 0, n = log->n_drawn, told = f->n;
    TRY(find_common(&common, log));
    TRY(REGRET_NEW(&numbers, 3 * n));
    TRY(REGRET_NEW(&values, 2 * n));
    *rows = (struct regret_log_rows){.context = numbers,
                                     .agent = numbers + n,
                                     .cluster = numbers + 2 * n,
                                     .outcome = values,
                                     .propensity = obs->propensity != NULL ? values + n : NULL};
    for (size_t k = 0; k < n && common < log->n_offers; k++) {
        size_t i = log->drawn[k];
        if (is_common(log, i, common)) {
            rows->context[rows->n] = obs->context[i];
            rows->agent[rows->n] = obs->agent[i];
            rows->cluster[rows->n] = obs->cluster[i];
            rows->outcome[rows->n] = obs->outcome[i];
            values[n + rows->n] = obs->propensity != NULL ? obs->propensity[i] : 0.0;
            rows->n++;
        }
    }
    of.log = &part;
    TRY(rows->n > 0 ? ask_both(f, &of) : REGRET_OK);
    for (; told < f->n; told++) {
        FREED_BY(regret_buffer_free) struct regret_buffer text = f->at[told].fine;
        f->at[told].fine = (struct regret_buffer)REGRET_BUFFER_INIT;
        regret_buffer_printf(&f->at[told].fine,
                             "On the %zu of %zu requests that the log has both on: ", rows->n, n);
        regret_buffer_append(&f->at[told].fine, regret_buffer_get(&text) + strlen(ALONE));
    }
    return REGRET_OK;
}

int ask_confounding(struct findings *f, const struct asked *a)
{
    if (!a->has[REGRET_LOG_OBS] || a->has[REGRET_LOG_EXP]) {
        return REGRET_OK;
    }
    return a->log->n_holes > 0 ? ask_common(f, a) : ask_both(f, a);
}
