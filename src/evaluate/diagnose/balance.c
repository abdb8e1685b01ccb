/* Does assignment depend on anything known before it? In words. */
#include <inttypes.h>
#include <math.h>

#include "base/core/try.h"
#include "evaluate/balance/assignment.h"
#include "evaluate/balance/block.h"
#include "evaluate/balance/permute.h"
#include "evaluate/balance/sequence.h"
#include "evaluate/balance/weighted.h"
#include "evaluate/diagnose/findings.h"
#include "regret/alloc.h"

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
    regret_buffer_append(text, "The clearest: ");
    say_agent(text, log, d->agent[found->label]);
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
