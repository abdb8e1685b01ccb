/* Whole sets of diagnostics: what must not change them, what they must find, and logs with next to nothing in them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/log_world.h"
#include "evaluate/diagnose.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "regret/task.h"

static struct regret_diagnostics *diagnose(const struct regret_log *log, size_t threads)
{
    struct regret_diagnose_options options = REGRET_DIAGNOSE_OPTIONS_INIT;
    struct regret_diagnostics *d = NULL;
    options.threads = threads;
    cr_assert_eq(regret_diagnose(&d, log, &options), REGRET_OK, "%s", regret_error_message());
    for (size_t i = 0; i < d->n; i++) {
        const struct regret_diagnostic *e = &d->entry[i];
        cr_assert(e->name && e->what && e->sentence && e->sentence[0], "entry %zu", i);
        cr_assert(isnan(e->p) || (e->p >= 0.0 && e->p <= 1.0), "%s: p %g", e->name, e->p);
        cr_assert(isnan(e->low) || isnan(e->high) || e->low <= e->high, "%s", e->name);
        cr_assert(i == 0 || d->entry[i - 1].verdict >= e->verdict, "the gravest come first");
        for (size_t k = 0; k < i; k++) {
            cr_assert_str_neq(d->entry[k].name, e->name);
        }
    }
    return d;
}

static const struct regret_diagnostic *entry(const struct regret_diagnostics *d, const char *name)
{
    for (size_t i = 0; i < d->n; i++) {
        if (strcmp(d->entry[i].name, name) == 0) {
            return &d->entry[i];
        }
    }
    return NULL;
}

static void same_number(double a, double b, const char *name)
{
    cr_assert_eq(memcmp(&a, &b, sizeof a), 0, "%s: %.17g and %.17g", name, a, b);
}

Test(diagnose, has_the_same_bits_whatever_the_threads)
{
    struct log_world world = LOG_WORLD_INIT;
    world.user_rows = 3.0;
    struct regret_log *log = log_world_make(&world);
    struct regret_diagnostics *one = diagnose(log, 1), *three = diagnose(log, 3);
    cr_assert_eq(one->n, three->n);
    for (size_t i = 0; i < one->n; i++) {
        cr_assert_str_eq(one->entry[i].sentence, three->entry[i].sentence);
        same_number(one->entry[i].p, three->entry[i].p, one->entry[i].name);
        same_number(one->entry[i].value, three->entry[i].value, one->entry[i].name);
    }
    regret_diagnostics_free(one);
    regret_diagnostics_free(three);
    regret_log_free(log);
}

static void swap_rows(struct regret_log_rows *r, size_t i, size_t j)
{
#define SWAP(array)                                                                                \
    do {                                                                                           \
        if (r->array) {                                                                            \
            double kept = (double)r->array[i];                                                     \
            r->array[i] = r->array[j];                                                             \
            memcpy(&r->array[j], &(__typeof__(r->array[j])){(__typeof__(r->array[j]))kept},        \
                   sizeof r->array[j]);                                                            \
        }                                                                                          \
    } while (0)
    SWAP(context);
    SWAP(agent);
    SWAP(outcome);
    SWAP(propensity);
    SWAP(cluster);
    SWAP(time);
#undef SWAP
}

/* Numbers and verdicts of what does not permute or sample. */
/* The lead that the sentence about a log alone tells. */
static double lead_told(const struct regret_log *log)
{
    struct regret_diagnostics *d = diagnose(log, 1);
    const struct regret_diagnostic *e = entry(d, "confounding");
    cr_assert_not_null(e);
    double lead = strtod(strchr(e->sentence, ',') + 1, NULL);
    regret_diagnostics_free(d);
    return lead;
}

Test(diagnose, tells_the_lead_of_a_log_alone_on_the_scale_that_was_given)
{
    struct log_world world = LOG_WORLD_INIT;
    world.n_exp = 0;
    struct regret_log *log = log_world_make(&world);
    double lead = lead_told(log);
    cr_assert(lead > 0.0);
    log->low = 5.0;
    log->high = 1.0;
    cr_expect_float_eq(lead_told(log), -4.0 * lead, 0.0025, "as rounded");
    regret_log_free(log);
}

/* Outcomes of 1 to 5, or of 5 to 1, of which less is better: gaps and changes are theirs, and so are the sentences. */
Test(diagnose, tells_gaps_on_the_scale_that_was_given)
{
    static const char *const names[] = {"gap",       "gap.adjusted", "gap.tag",
                                        "drift.obs", "drift.exp",    "drift.gap"};
    struct log_world world = LOG_WORLD_INIT;
    world.hidden = 2.0;
    world.drift_obs = 1.0;
    struct regret_log *log = log_world_make(&world);
    struct regret_diagnostics *plain = diagnose(log, 1);
    for (int is_turned = 0; is_turned < 2; is_turned++) {
        double sign = is_turned ? -4.0 : 4.0;
        char told[64];
        log->low = is_turned ? 5.0 : 1.0;
        log->high = log->low + sign;
        struct regret_diagnostics *given = diagnose(log, 1);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const struct regret_diagnostic *a = entry(plain, names[i]), *b = entry(given, names[i]);
            cr_assert(a != NULL && b != NULL, "%s", names[i]);
            cr_expect_float_eq(b->value, sign * a->value, 1e-12, "%s", names[i]);
            cr_expect_float_eq(b->low, sign * (is_turned ? a->high : a->low), 1e-12);
            cr_expect_float_eq(b->high, sign * (is_turned ? a->low : a->high), 1e-12);
            cr_expect(a->p == b->p && a->verdict == b->verdict, "%s", names[i]);
            snprintf(told, sizeof told, "%+.3f", b->value);
            cr_expect_not_null(strstr(b->sentence, told), "%s: %s", told, b->sentence);
        }
        regret_diagnostics_free(given);
    }
    regret_diagnostics_free(plain);
    regret_log_free(log);
}

Test(diagnose, does_not_depend_on_the_order_of_rows)
{
    struct log_world world = LOG_WORLD_INIT;
    world.user_rows = 3.0;
    world.hidden = 1.0;
    struct regret_log *log = log_world_make(&world);
    struct regret_diagnostics *before = diagnose(log, 1);
    struct regret_rng r = regret_rng_at(7, REGRET_RNG_TEST, 0);
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = log->rows[s].n; i > 1; i--) {
            swap_rows(&log->rows[s], i - 1, regret_rng_below(&r, (uint32_t)i));
        }
    }
    struct regret_diagnostics *after = diagnose(log, 1);
    cr_assert_eq(before->n, after->n);
    for (size_t i = 0; i < before->n; i++) {
        const struct regret_diagnostic *a = &before->entry[i], *b = entry(after, a->name);
        cr_assert(b != NULL, "%s", a->name);
        cr_assert(isnan(a->value) ? isnan(b->value)
                                  : fabs(a->value - b->value) < 1e-9 * (1.0 + fabs(a->value)),
                  "%s: %.12g and %.12g", a->name, a->value, b->value);
        cr_assert_eq(a->verdict, b->verdict, "%s", a->name);
    }
    regret_diagnostics_free(before);
    regret_diagnostics_free(after);
    regret_log_free(log);
}

/* Agents in another order are the same agents. */
Test(diagnose, does_not_depend_on_names_and_numbers_of_agents)
{
    static const enum differences_kind kinds[] = {DIFFERENCES_OF_AGENTS, DIFFERENCES_ADJUSTED};
    struct log_world world = LOG_WORLD_INIT;
    world.hidden = 1.0;
    struct regret_log *log = log_world_make(&world);
    const struct regret_diagnose_options options = REGRET_DIAGNOSE_OPTIONS_INIT;
    for (size_t k = 0; k < 2; k++) {
        struct differences of[2] = {{0}};
        for (size_t turn = 0; turn < 2; turn++) {
            struct cluster_order order = {0};
            cr_assert_eq(cluster_order_build(&order, log), REGRET_OK);
            cr_assert_eq(differences_make(&of[turn], log, &order, kinds[k], &options), REGRET_OK);
            cluster_order_free(&order);
            for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
                for (size_t i = 0; i < log->rows[s].n; i++) {
                    log->rows[s].agent[i] = (uint32_t)(log->n_agents - 1 - log->rows[s].agent[i]);
                }
            }
        }
        for (size_t a = 0; a < log->n_agents; a++) {
            const struct difference *one = &of[0].at[a], *other = &of[1].at[log->n_agents - 1 - a];
            cr_assert_float_eq(one->value, other->value, 1e-12);
            cr_assert_float_eq(one->error, other->error, 1e-12);
            cr_assert_float_eq(one->p, other->p, 0.05); /* other draws */
        }
        differences_free(&of[0]);
        differences_free(&of[1]);
    }
    regret_log_free(log);
}

/* Each planted defect, strong, is found by the entry that is for it. */
Test(diagnose, finds_what_is_wrong)
{
    static const struct {
        struct log_world world;
        const char *name;
    } planted[] = {
#define ROWS .seed = 5, .n_obs = 3000, .n_exp = 1000, .n_agents = 4, .n_tags = 4, .binary = 1
        {{ROWS, .hidden = 2.0}, "gap"},
        {{ROWS, .hidden = 2.0}, "gap.adjusted"},
        {{.seed = 5,
          .n_obs = 8000,
          .n_exp = 3000,
          .n_agents = 4,
          .n_tags = 4,
          .binary = 1,
          .hidden = 2.0},
         "gap.tag"},
        {{ROWS, .wrong = 1.0}, "shares"},
        {{ROWS, .wrong = 1.0, .probabilities = WORLD_BY_TAG}, "shares"},
        {{ROWS, .wrong = 1.2, .probabilities = WORLD_BY_ROW}, "shares"},
        {{ROWS, .assign_tag = 1.0}, "balance.tag"},
        {{ROWS, .assign_tag = 1.0, .probabilities = WORLD_BY_ROW}, "balance.tag"},
        {{ROWS, .assign_word = 1.5}, "balance.words"},
        {{ROWS, .assign_column = 1.0}, "balance.covariates"},
        {{ROWS, .assign_time = 2.0}, "balance.time"},
        {{ROWS, .user_rows = 5.0, .sticky = 0.5}, "balance.previous"},
        {{ROWS, .user_rows = 5.0, .sticky = 0.5, .no_time = 1}, "balance.previous"},
        {{ROWS, .drift_obs = 2.0}, "drift.obs"},
        {{ROWS, .drift_exp = 2.0}, "drift.exp"},
        {{ROWS, .repeated = 0.2}, "repeated.obs"},
#undef ROWS
    };
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        struct regret_log *log = log_world_make(&planted[i].world);
        struct regret_diagnostics *d = diagnose(log, 1);
        const struct regret_diagnostic *found = entry(d, planted[i].name);
        cr_assert(found && found->verdict == REGRET_DIAGNOSTIC_NO, "%zu, %s: %s", i,
                  planted[i].name, found ? found->sentence : "no entry");
        int may_come_after = strcmp(planted[i].name, "balance.covariates") == 0 ||
                             strcmp(planted[i].name, "balance.tag") == 0;
        cr_expect_eq(strstr(found->sentence, "say who was (slate) then; or that") != NULL,
                     may_come_after);
        cr_expect_eq(strstr(found->sentence, "or that comes after the answer") != NULL,
                     may_come_after, "%s", found->sentence);
        regret_diagnostics_free(d);
        regret_log_free(log);
    }
}

/* What is told of probabilities that do not hold follows from where they come from. */
Test(diagnose, says_whose_probabilities_do_not_hold)
{
    static const char *const words[] = {"The probabilities are wrong", "was taken as uniform"};
    for (int k = 0; k < 2; k++) {
        struct log_world world = LOG_WORLD_INIT;
        world.n_exp = 1000;
        world.wrong = 1.0;
        struct regret_log *log = log_world_make(&world);
        log->is_uniform = k == 1;
        struct regret_diagnostics *d = diagnose(log, 1);
        cr_expect(strstr(entry(d, "shares")->sentence, words[k]) != NULL, "%s",
                  entry(d, "shares")->sentence);
        regret_diagnostics_free(d);
        regret_log_free(log);
    }
}

static void give_offers(struct regret_log *log, const uint64_t *on_offer, size_t n)
{
    struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    if (on_offer == NULL) {
        return;
    }
    cr_assert_eq(regret_calloc((void **)&exp->offer, exp->n, sizeof *exp->offer, "offers"), 0);
    cr_assert_eq(regret_calloc((void **)&log->on_offer, n, sizeof *log->on_offer, "offers"), 0);
    memcpy(log->on_offer, on_offer, n * sizeof *on_offer);
    log->n_offers = n;
}

/* Slates of two of five agents at random, hardly one of which comes ten times, and one probability: as many rows are expected as half
 * of those on whose slate an agent is. */
Test(diagnose, rows_are_expected_of_those_in_which_an_agent_was_on_offer)
{
    for (int favours = 0; favours < 2; favours++) {
        struct log_world world = LOG_WORLD_INIT;
        uint64_t pair[20];
        size_t n = 0;
        world.n_exp = 1500;
        struct regret_log *log = log_world_make(&world);
        struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
        for (size_t a = 0; a < 5; a++) {
            for (size_t b = 0; b < a; b++) {
                pair[n++] = 1U << a | 1U << b;
            }
        }
        give_offers(log, pair, n);
        log->is_slated = 1;
        for (size_t i = 0; i < exp->n; i++) {
            struct regret_rng r = regret_rng_at(9, 2, i);
            exp->offer[i] = (uint32_t)((double)n * regret_rng_uniform(&r));
            int first = __builtin_ctzll(pair[exp->offer[i]]),
                second = 63 - __builtin_clzll(pair[exp->offer[i]]);
            int takes_second = regret_rng_uniform(&r) < (favours && second == 4 ? 0.7 : 0.5);
            exp->agent[i] = (uint32_t)(takes_second ? second : first);
            exp->propensity[i] = 0.5;
        }
        struct regret_diagnostics *d = diagnose(log, 1);
        const struct regret_diagnostic *shares = entry(d, "shares"),
                                       *slates = entry(d, "shares.slates");
        cr_expect_eq(shares->verdict == REGRET_DIAGNOSTIC_NO, favours, "%s", shares->sentence);
        cr_expect(fabs(shares->value - (favours ? 1.4 : 1.0)) < 0.15, "%s", shares->sentence);
        cr_expect_eq(slates->verdict, REGRET_DIAGNOSTIC_CAUTION);
        cr_expect(fabs(slates->value - 0.4) < 0.05, "%s", slates->sentence);
        regret_diagnostics_free(d);
        regret_log_free(log);
    }
}

/* Agent 3 is on seven slates of ten, drawn at random: a trial as good as another. One that comes too often is none. */
Test(diagnose, an_agent_need_not_be_on_every_slate)
{
    for (int k = 0; k < 3; k++) {
        struct log_world world = LOG_WORLD_INIT;
        world.n_exp = 1500;
        world.wrong = k == 2 ? 2.0 : 0.0;
        struct regret_log *log = log_world_make(&world);
        struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
        log->is_slated = k > 0;
        give_offers(log, k > 0 ? (const uint64_t[]){31, k == 1 ? 23 : 31} : NULL, 2);
        for (size_t i = 0; i < exp->n && k < 2; i++) {
            int is_offered = i % 10 < 7;
            if (k > 0) {
                exp->offer[i] = !is_offered;
            }
            exp->agent[i] = !is_offered && exp->agent[i] == 3 ? i / 10 % 3 : exp->agent[i];
            exp->propensity[i] = is_offered ? 0.2 : 0.25;
        }
        struct regret_diagnostics *d = diagnose(log, 1);
        const struct regret_diagnostic *shares = entry(d, "shares"),
                                       *slates = entry(d, "shares.slates");
        cr_expect_eq(shares->verdict, k == 1 ? REGRET_DIAGNOSTIC_FINE : REGRET_DIAGNOSTIC_NO,
                     "%d: %s", k, shares->sentence);
        cr_expect_eq(slates != NULL, k == 1);
        cr_expect(k != 1 || (slates->verdict == REGRET_DIAGNOSTIC_CAUTION &&
                             strstr(slates->sentence, " in 1050 of 1500 rows.") != NULL),
                  "%s", slates ? slates->sentence : "");
        regret_diagnostics_free(d);
        regret_log_free(log);
    }
}

/* A trial in which agent 3 comes in the middle and agent 4 leaves later: each row is assigned among those of its slate, and with
 * `favour` one of them comes more often than that. */
static struct regret_log *come_and_go(double drift, int favour)
{
    struct log_world world = LOG_WORLD_INIT;
    world.n_exp = 3000;
    world.drift_exp = drift;
    struct regret_log *log = log_world_make(&world);
    struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    cr_assert_eq(regret_calloc((void **)&exp->slate, exp->n, sizeof *exp->slate, "slates"), 0);
    log->is_slated = 1;
    log->n_slates = 3;
    give_offers(log, (const uint64_t[]){23, 31, 15}, 3);
    for (size_t i = 0; i < exp->n; i++) {
        uint32_t slate = 2 * i < exp->n ? 0 : 3 * i < 2 * exp->n ? 1 : 2, a = exp->agent[i];
        struct regret_rng r = regret_rng_at(9, 1, i);
        if (slate != 1 && a == (slate == 0 ? 3U : 4U)) {
            a = (uint32_t)(4.0 * regret_rng_uniform(&r));
            exp->agent[i] = slate == 0 && a == 3 ? 4 : a;
        }
        exp->agent[i] = favour && slate == 2 && i % 3 == 0 ? 1 : exp->agent[i];
        exp->propensity[i] = slate == 1 ? 0.2 : 0.25;
        exp->slate[i] = exp->offer[i] = slate;
    }
    return log;
}

/* Such a trial is as good as another, where slates are known; where outcomes move with who is on offer values are not of the same requests;
 * not where assignment is not as told. Without slates it seems to go by time. */
Test(diagnose, agents_may_come_and_go)
{
    for (int k = 0; k < 4; k++) {
        struct regret_log *log = come_and_go(k == 1 ? 2.0 : 0.0, k == 2);
        if (k == 3) {
            regret_free(log->rows[REGRET_LOG_EXP].slate);
            log->rows[REGRET_LOG_EXP].slate = NULL;
        }
        struct regret_diagnostics *d = diagnose(log, 1);
        const struct regret_diagnostic *slates = entry(d, "shares.slates"),
                                       *outcome = entry(d, "shares.outcome");
        cr_expect_eq(entry(d, "shares")->verdict == REGRET_DIAGNOSTIC_NO, k == 2, "%d: %s", k,
                     entry(d, "shares")->sentence);
        cr_expect_eq(entry(d, "balance.time")->verdict == REGRET_DIAGNOSTIC_NO, k == 3, "%d: %s", k,
                     entry(d, "balance.time")->sentence);
        cr_expect(entry(d, "balance.tag")->verdict == REGRET_DIAGNOSTIC_FINE);
        cr_expect_eq(slates->verdict, REGRET_DIAGNOSTIC_CAUTION);
        cr_expect(strstr(slates->sentence, " was on offer in 1500 of 3000 rows.") != NULL, "%s",
                  slates->sentence);
        cr_expect_eq(outcome == NULL, k == 3);
        cr_expect(k == 3 || (outcome->verdict == REGRET_DIAGNOSTIC_CAUTION) == (k == 1), "%d: %s",
                  k, outcome != NULL ? outcome->sentence : "");
        regret_diagnostics_free(d);
        regret_log_free(log);
    }
}

Test(diagnose, names_the_word_that_assignment_depends_on)
{
    struct log_world world = LOG_WORLD_INIT;
    world.n_exp = 1500;
    world.assign_word = 1.5;
    struct regret_log *log = log_world_make(&world);
    struct regret_diagnostics *d = diagnose(log, 1);
    cr_assert(strstr(entry(d, "balance.words")->sentence, "\"please\"") != NULL, "%s",
              entry(d, "balance.words")->sentence);
    regret_diagnostics_free(d);
    regret_log_free(log);
}

/* Copies under other names, a hole in the support, outcomes that are all alike, rows left out, outputs that changed. */
Test(diagnose, counts_what_it_sees)
{
    struct log_world world = LOG_WORLD_INIT;
    world.n_exp = 800;
    struct regret_log *log = log_world_make(&world);
    struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    for (size_t i = 0; i < exp->n; i++) {
        if (log->tag[exp->context[i]] == 0 && exp->agent[i] == 2) {
            exp->agent[i] = 1;
        }
        exp->outcome[i] = 1.0;
        if (i % 2) { /* the text of the row before, with other blanks and capitals */
            char *copy = NULL;
            cr_assert_eq(regret_strndup(&copy, "  ", 2), REGRET_OK);
            regret_free(copy);
            const char *from = log->text[exp->context[i - 1]];
            cr_assert_eq(regret_calloc((void **)&copy, strlen(from) + 3, 1, "a copy"), REGRET_OK);
            strcpy(copy, " ");
            strcat(copy, from);
            copy[1] = 'W';
            regret_free(log->text[exp->context[i]]);
            log->text[exp->context[i]] = copy;
        }
    }
    struct regret_log_loss *loss = NULL;
    cr_assert_eq(REGRET_NEW(&loss, 1), REGRET_OK);
    *loss = (struct regret_log_loss){REGRET_LOG_EXP, 1000, NULL, 17};
    cr_assert_eq(regret_strdup(&loss->reason, "an outcome outside of 0 to 1"), REGRET_OK);
    log->loss = loss;
    log->n_losses = 1;
    struct regret_diagnostics *d = diagnose(log, 1);
    cr_assert_eq(entry(d, "support.tag")->verdict, REGRET_DIAGNOSTIC_NO);
    cr_assert_eq(entry(d, "support.tag")->value, 1.0);
    cr_assert_eq(entry(d, "outcome.exp")->verdict, REGRET_DIAGNOSTIC_NO);
    cr_assert_eq(entry(d, "outcome.obs")->verdict, REGRET_DIAGNOSTIC_FINE);
    cr_assert_eq(entry(d, "copies")->verdict, REGRET_DIAGNOSTIC_NO);
    cr_assert_eq(entry(d, "copies")->value, 1.0);
    cr_assert_eq(entry(d, "left.out")->verdict, REGRET_DIAGNOSTIC_NO);
    cr_assert_float_eq(entry(d, "left.out")->value, 1000.0 / 3800.0, 1e-12);
    cr_assert(
        strstr(entry(d, "left.out")->sentence, "an outcome outside of 0 to 1 (first in line 17)"));
    regret_diagnostics_free(d);
    regret_log_free(log);
}

/* Next to nothing is no error, and no test. */
Test(diagnose, of_small_logs)
{
    static const struct log_world small[] = {
        {.seed = 1, .n_obs = 1, .n_agents = 1},
        {.seed = 1, .n_exp = 1, .n_agents = 1},
        {.seed = 1, .n_obs = 1, .n_exp = 1, .n_agents = 2, .n_tags = 1, .binary = 1},
        {.seed = 1, .n_obs = 50, .n_exp = 20, .n_agents = 1, .n_tags = 2, .binary = 1},
        {.seed = 1,
         .n_obs = 50,
         .n_exp = 20,
         .n_agents = 3,
         .binary = 1,
         .no_text = 1,
         .no_time = 1,
         .no_columns = 1},
        {.seed = 1,
         .n_obs = 60,
         .n_exp = 24,
         .n_agents = 3,
         .n_tags = 2,
         .base = 40.0,
         .binary = 1},
        {.seed = 1, .n_exp = 40, .n_agents = 3, .n_tags = 2, .binary = 1},
        {.seed = 1, .n_obs = 400, .n_agents = 3, .n_tags = 2, .binary = 1},
        {.seed = 1, .n_obs = 9, .n_exp = 7, .n_agents = 6, .n_tags = 5, .user_rows = 20.0},
        {.seed = 1,
         .n_obs = 9,
         .n_exp = 9,
         .n_agents = 3,
         .probabilities = WORLD_BY_ROW,
         .n_tags = 2},
    };
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        struct regret_log *log = log_world_make(&small[i]);
        struct regret_diagnostics *d = diagnose(log, 1);
        cr_assert_gt(d->n, 0, "%zu", i);
        for (size_t k = 0; k < d->n; k++) {
            const struct regret_diagnostic *e = &d->entry[k];
            cr_assert(isnan(e->p) || e->p > 0.05, "%zu: %s", i, e->sentence);
        }
        regret_diagnostics_free(d);
        regret_log_free(log);
    }
}

Test(diagnose, refuses_what_makes_no_sense)
{
    struct log_world world = LOG_WORLD_INIT;
    struct regret_log *log = log_world_make(&world), empty = {0};
    struct regret_diagnostics *d = NULL;
    struct regret_diagnose_options options = REGRET_DIAGNOSE_OPTIONS_INIT;
    cr_assert_eq(regret_diagnose(&d, &empty, &options), REGRET_E_INPUT);
    options.level = 1.0;
    cr_assert_eq(regret_diagnose(&d, log, &options), REGRET_E_INPUT);
    options.level = 0.95;
    options.resamples = 99;
    cr_assert_eq(regret_diagnose(&d, log, &options), REGRET_E_INPUT);
    cr_assert(strstr(regret_error_message(), "give 100 to 1,000,000") != NULL);
    cr_assert(d == NULL);
    regret_log_free(log);
}

/* Every allocation that fails is an error that is told, and leaks nothing (which the address sanitizer sees). */
Test(diagnose, survives_the_lack_of_memory)
{
    struct log_world worlds[] = {
        {.seed = 1, .n_obs = 90, .n_exp = 60, .n_agents = 2, .n_tags = 2, .user_rows = 3.0},
        {.seed = 1, .n_obs = 90, .n_agents = 2, .n_tags = 2},
        {.seed = 1, .n_exp = 60, .n_agents = 2, .n_tags = 2, .probabilities = WORLD_BY_ROW},
    };
    struct regret_diagnose_options options = REGRET_DIAGNOSE_OPTIONS_INIT;
    options.resamples = 100;
    for (size_t w = 0; w < sizeof worlds / sizeof *worlds; w++) {
        struct regret_log *log = log_world_make(&worlds[w]);
        int rc = REGRET_E_NOMEM;
        long n = 0;
        for (; rc != REGRET_OK && n < 100000; n++) {
            struct regret_diagnostics *d = NULL;
            regret_alloc_fail_after(n);
            rc = regret_diagnose(&d, log, &options);
            regret_alloc_fail_after(-1);
            cr_assert(rc == REGRET_OK || rc == REGRET_E_NOMEM, "%s", regret_error_message());
            cr_assert_eq(rc == REGRET_OK, d != NULL);
            regret_diagnostics_free(d);
        }
        cr_assert(n > 50 && n < 100000);
        regret_log_free(log);
    }
}

/* The verdict on scales of a log and a trial whose outcomes, of [0,1], become low + (high - low) y in each, and of `steps` equal
 * steps where these are not 0. */
static int tells_scales(const struct log_world *world, const double to[2][2], const double steps[2])
{
    struct regret_log *log = log_world_make(world);
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < log->rows[s].n; i++) {
            double *y = &log->rows[s].outcome[i];
            *y = steps[s] > 0.0 ? floor(*y * steps[s] + 0.5) / steps[s] : *y;
            *y = to[s][0] + (to[s][1] - to[s][0]) * *y;
        }
    }
    log->high = 100.0;
    struct regret_diagnostics *d = diagnose(log, 1);
    const struct regret_diagnostic *found = entry(d, "scale");
    cr_expect(!found || (found == d->entry && found->verdict == REGRET_DIAGNOSTIC_NO &&
                         strstr(found->sentence, "of EXP") != NULL));
    int is_found = found != NULL;
    cr_expect((entry(d, "gap") == NULL && entry(d, "gap.adjusted") == NULL) == is_found,
              "of means on two scales nothing follows");
    regret_diagnostics_free(d);
    regret_log_free(log);
    return is_found;
}

/* Stars beside percent and shares, in both places, thumbs beside shares; not users who choose well, even always. */
Test(diagnose, knows_two_scales_from_a_log_that_lies)
{
    struct log_world world = LOG_WORLD_INIT, binary = LOG_WORLD_INIT, hidden = LOG_WORLD_INIT;
    world.binary = hidden.binary = 0;
    hidden.hidden = 4.0;
#define TO(a, b, c, d) ((const double[2][2]){{a, b}, {c, d}})
#define STEPS(a, b) ((const double[2]){a, b})
    cr_expect(tells_scales(&world, TO(0.01, 0.05, 0.0, 1.0), STEPS(4, 0)), "stars, percent");
    cr_expect(tells_scales(&world, TO(0.0, 1.0, 0.01, 0.05), STEPS(0, 4)), "percent, stars");
    cr_expect(tells_scales(&world, TO(0.0, 0.2, 0.2, 1.0), STEPS(0, 4)), "shares, stars");
    cr_expect(tells_scales(&world, TO(0.2, 1.0, 0.0, 0.2), STEPS(4, 0)), "stars, shares");
    cr_expect(tells_scales(&world, TO(0.0, 1.0, 0.0, 1.0), STEPS(0, 1)), "shares, thumbs");
    cr_expect(tells_scales(&world, TO(0.0, 1.0, 0.0, 1.0), STEPS(1, 4)), "thumbs, stars");
    cr_expect(!tells_scales(&world, TO(0.0, 1.0, 0.0, 1.0), STEPS(0, 0)), "shares in both");
    cr_expect(!tells_scales(&binary, TO(0.0, 1.0, 0.0, 1.0), STEPS(0, 0)), "yes and no in both");
    cr_expect(!tells_scales(&hidden, TO(0.0, 1.0, 0.0, 1.0), STEPS(0, 0)), "a log that lies");
    cr_expect(!tells_scales(&hidden, TO(0.0, 1.0, 0.0, 1.0), STEPS(4, 4)), "stars in both");
    cr_expect(!tells_scales(&world, TO(0.8, 1.0, 0.0, 1.0), STEPS(0, 0)), "only good answers");
    cr_expect(!tells_scales(&world, TO(0.2, 1.0, 0.0, 0.8), STEPS(0, 0)), "better ones");
#undef TO
#undef STEPS
}
