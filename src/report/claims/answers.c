#include "report/claims/answers.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/families.h"
#include "regret/multiplicity.h"
#include "regret/power.h"

static const char *const verdicts[] = {"holds",         "partly",        "mixed",
                                       "does not hold", "not separable", "not applicable"};
_Static_assert(sizeof verdicts / sizeof *verdicts == N_VERDICTS, "one word a verdict");

size_t claims_about_others(const struct claims *c, unsigned views)
{
    size_t others = 0;
    for (size_t i = 0; i < c->n; i++) {
        others += !(c->items[i].views & views);
    }
    return others;
}

/* ---------------------------------------------------------------- asking */

static int ask(struct claim_answers *a, const struct claim_answer *about, const struct group *group,
               const struct ranking *ranking, double *d)
{
    TRY(regret_grow((void **)&a->items, &a->capacity, a->n, sizeof *a->items, "answers"));
    struct claim_answer *answer = &a->items[a->n++];
    *answer = *about;
    answer->result = (struct claim_result){.n_seeds = group->slice.r->n_seeds, .d = d};
    int rc = claim_ask(&answer->result, about->claim, &group->slice, ranking);
    answer->result.d = NULL;
    return rc;
}

int answers_ask(struct claim_answers *a, const struct table_data *d, const struct group *group,
                const char *run)
{
    struct claim_answer about = {.run = run, .group = group->heading, .first = REGRET_NO_ROW};
    struct ranking ranking = {.r = d->r};
    FREED size_t *families = NULL;
    FREED double *scratch = NULL;
    unsigned views = claim_views_of(a->claims, &d->all);
    TRY(REGRET_NEW(&scratch, d->r->n_seeds));
    TRY(REGRET_NEW(&families, d->r->n_families));
    ranking.n = families_with_role(families, d->r, REGRET_ROLE_PAPER);
    ranking.families = families;
    for (size_t i = 0; i < a->claims->n; i++) {
        about.claim = &a->claims->items[i];
        if (about.claim->views & views) {
            TRY(ask(a, &about, group, &ranking, scratch));
        }
    }
    return REGRET_OK;
}

void answers_free(struct claim_answers *a)
{
    for (size_t i = 0; i < a->n; i++) {
        claim_result_clear(&a->items[i].result);
    }
    regret_free(a->items);
    regret_free(a->holm);
    regret_free(a->benjamini_hochberg);
    *a = (struct claim_answers){.claims = a->claims};
}

/* ---------------------------------------------------------------- multiplicity */

static int is_counted(const struct claim_answer *answer)
{
    return answer->claim->standing == STANDING_PAPER && answer->result.lacking.length == 0;
}

int answers_correct(struct claim_answers *a)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++) {
        if (is_counted(&a->items[i])) {
            a->items[i].first = n;
            n += a->items[i].result.n_parts;
        }
    }
    TRY(REGRET_NEW(&a->holm, n));
    TRY(REGRET_NEW(&a->benjamini_hochberg, n));
    for (size_t i = 0; i < a->n; i++) {
        const struct claim_answer *answer = &a->items[i];
        for (size_t k = 0; answer->first != REGRET_NO_ROW && k < answer->result.n_parts; k++) {
            a->holm[answer->first + k] = answer->result.parts[k].p;
        }
    }
    TRY(regret_benjamini_hochberg(a->benjamini_hochberg, a->holm, n));
    return regret_holm(a->holm, a->holm, n);
}

/* The verdict by the adjusted p-values. */
static enum verdict corrected(const struct claim_answer *answer, const double *adjusted)
{
    return claim_verdict(&answer->result, adjusted + answer->first);
}

/* ---------------------------------------------------------------- rows */

/* "3 of 5, 1 against"; of a claim that is not asked what the run lacks. */
static void put_parts(struct table *t, const struct claim_result *f)
{
    size_t on = claim_parts_on(f, 1, NULL), against = claim_parts_on(f, -1, NULL);
    if (f->lacking.length > 0) {
        table_text(t, "lacks %s", regret_buffer_get(&f->lacking));
    } else if (against > 0) {
        table_text(t, "%zu of %zu, %zu against", on, f->n_parts, against);
    } else {
        table_text(t, "%zu of %zu", on, f->n_parts);
    }
}

static void put_corrected(struct table *t, const struct claim_answer *answer,
                          const double *adjusted)
{
    table_text(t, "%s",
               answer->first == REGRET_NO_ROW ? "–" : verdicts[corrected(answer, adjusted)]);
}

static void put_answer(struct table *t, const struct claim_answers *a,
                       const struct claim_answer *answer, int with_run)
{
    enum { DECIMALS = 5 };
    const struct claim *c = answer->claim;
    const struct claim_result *f = &answer->result;
    enum verdict verdict = claim_verdict(f, NULL);
    table_row(t, "%s", c->id);
    if (with_run) {
        table_text(t, "%s%s%s", answer->run, answer->group[0] != '\0' ? ": " : "", answer->group);
    }
    table_text(t, "%s", c->text);
    table_text(t, "%s", c->paper);
    table_signed(t, f->weakest.mean, DECIMALS);
    table_signed(t, f->weakest.low, DECIMALS);
    table_signed(t, f->weakest.high, DECIMALS);
    table_number(t,
                 regret_detectable_difference(f->weakest.se, (double)f->weakest.n - 1.0, 0.05, 0.8),
                 DECIMALS);
    put_parts(t, f);
    table_cell(t, verdicts[verdict], NAN, NAN, 0, verdict == VERDICT_HOLDS ? TABLE_BEST : 0);
    put_corrected(t, answer, a->holm);
    put_corrected(t, answer, a->benjamini_hochberg);
}

static void begin_idea(struct table *t, const struct group *heading, const char *idea, int with_run)
{
    table_block_of(t, heading, idea);
    table_column(t, "Claim");
    if (with_run) {
        table_column(t, "Run");
    }
    TABLE_HEADS(t, "Finding", "Paper", "Evidence", "95 % low", "95 % high", "Detectable", "Parts",
                "Verdict", "Holm", "Benjamini–Hochberg");
}

/* By claim first, so that the runs that answer one stand together; ideas come in their order. */
void put_answers(struct table *t, const struct claim_answers *a, const struct group *heading,
                 int with_run)
{
    const char *idea = NULL;
    for (size_t i = 0; i < a->claims->n; i++) {
        for (size_t k = 0; k < a->n; k++) {
            const struct claim_answer *answer = &a->items[k];
            if (answer->claim != &a->claims->items[i]) {
                continue;
            }
            if (idea == NULL || strcmp(idea, answer->claim->idea) != 0) {
                idea = answer->claim->idea;
                begin_idea(t, heading, idea, with_run);
            }
            put_answer(t, a, answer, with_run);
        }
    }
}

/* ---------------------------------------------------------------- counts */

struct verdict_tally {
    size_t count[N_VERDICTS], comparisons;
};

/* By the adjusted p-values where there are some. */
static void count(struct verdict_tally *to, const struct claim_answer *answer,
                  const double *adjusted)
{
    const struct claim_result *f = &answer->result;
    int is_corrected = adjusted != NULL && answer->first != REGRET_NO_ROW;
    to->count[is_corrected ? corrected(answer, adjusted) : claim_verdict(f, NULL)]++;
    for (size_t i = 0; f->lacking.length == 0 && i < f->n_parts; i++) {
        to->comparisons += !isnan(f->parts[i].p);
    }
}

static void put_tally(struct table *t, const char *what, const struct verdict_tally *tally)
{
    table_row(t, "%s", what);
    for (size_t v = 0; v < N_VERDICTS; v++) {
        table_number(t, (double)tally->count[v], 0);
    }
    table_number(t, (double)tally->comparisons, 0);
}

static const char *row_of(const struct claim_answer *answer, int by_run)
{
    return by_run ? answer->run : answer->claim->idea;
}

/* The paper's findings by idea or run, in the order in which these come. */
static void put_counted(struct table *t, const struct claim_answers *a, int by_run)
{
    for (size_t i = 0; i < a->n; i++) {
        const char *row = row_of(&a->items[i], by_run);
        struct verdict_tally tally = {0};
        int is_first = a->items[i].claim->standing == STANDING_PAPER;
        for (size_t k = 0; k < a->n; k++) {
            const struct claim_answer *other = &a->items[k];
            if (other->claim->standing == STANDING_PAPER &&
                strcmp(row_of(other, by_run), row) == 0) {
                is_first &= k >= i;
                count(&tally, other, NULL);
            }
        }
        if (is_first) {
            put_tally(t, row, &tally);
        }
    }
}

static void put_total(struct table *t, const struct claim_answers *a, const char *what,
                      enum claim_standing standing, const double *adjusted)
{
    struct verdict_tally tally = {0};
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++) {
        if (a->items[i].claim->standing == standing) {
            count(&tally, &a->items[i], adjusted);
            n++;
        }
    }
    if (n > 0) {
        put_tally(t, what, &tally);
    }
}

void put_tallies(struct table *t, const struct claim_answers *a, const struct group *heading,
                 int by_run)
{
    table_block_of(t, heading, "verdicts");
    table_column(t, "%s", by_run ? "Run" : "Idea");
    table_columns(t, verdicts, N_VERDICTS);
    table_column(t, "Comparisons");
    put_counted(t, a, by_run);
    put_total(t, a, "all", STANDING_PAPER, NULL);
    put_total(t, a, "all, Holm", STANDING_PAPER, a->holm);
    put_total(t, a, "all, Benjamini–Hochberg", STANDING_PAPER, a->benjamini_hochberg);
    put_total(t, a, "true by construction (not counted)", STANDING_CONSTRUCTION, NULL);
    put_total(t, a, "ours (not counted)", STANDING_OURS, NULL);
}

/* ---------------------------------------------------------------- notes */

void note_claims(struct table *t)
{
    table_note(t, "%s",
               "Evidence: what the finding says is above 0 (a paired difference in the claimed "
               "direction; along β, λ_fix and ω the least-squares slope, along a budget the slope "
               "against its ln), one number a seed, its mean and the 95 % bootstrap interval of "
               "that mean. Ranks, top-3 and wins are of cell means over all seeds, as the paper's, "
               "with their interval over resamples of the seeds. Flat, or equal: the evidence is "
               "the difference, and the part holds when its interval lies within ± 5 % of what it "
               "is held against (of R², ± 0.05). \"Best of\" several families: chosen, for each "
               "seed, on the other seeds, so that the choice is not judged by the data it was "
               "made on.");
    table_note(
        t, "%s",
        "Parts: a finding about several rivals, measures or cells (\"every\", "
        "\"throughout\") has one for each; how many intervals lie above 0 and, against it, "
        "below. Holds: all above. Partly: some above, none below. Mixed: some above and others "
        "below. Does not hold: none above, some below. Not separable: every interval holds 0, or "
        "there are fewer than 10 seeds. Shown is "
        "the part that speaks most against it. Detectable: the true size of that evidence "
        "which so many seeds tell from 0 with a power of 0.8 (two-sided t test, .05).");
    table_note(t, "%s",
               "Comparisons: the parts of the paper's findings in this table, each with the "
               "two-sided p-value of Student's t over seeds (of ranks and wins with the standard "
               "error of their resamples; of flat and equal against the nearer margin). Holm, "
               "Benjamini–Hochberg: the verdict when a part must also have an adjusted p-value of "
               "at most .05, over all of these comparisons: no false one among all with a chance "
               "of .95, and at most .05 of them false on average.");
}
_Static_assert(FEW_SEEDS == 10, "the notes say so");
