/* The claims of the paper, held against this run: one line each (claims.h). */
#include <math.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "regret/estimate.h"
#include "report/claims.h"

static const char *const verdicts[] = {"holds", "does not hold", "not separable", "not applicable"};
_Static_assert(sizeof verdicts / sizeof *verdicts == N_VERDICTS, "one word a verdict");

/* Verdicts of the claims of one idea, or of all. */
struct verdict_tally {
    const char *idea;
    size_t count[N_VERDICTS];
};

/* What the rows of a block need. */
struct asking {
    const struct group *group;
    struct ranking ranking; /* of the paper's families */
    double *d;              /* scratch: a number for each seed */
    struct verdict_tally *tallies;
    size_t n_tallies; /* the last so far is that of the idea at hand */
};

static void put_result(struct table *t, const struct claim *c, const struct claim_result *f)
{
    enum { DECIMALS = 5 };
    enum verdict verdict = claim_verdict(f);
    table_row(t, "%s", c->id);
    table_text(t, "%s", c->text);
    table_text(t, "%s", c->source);
    table_text(t, "%s%s", verdict == VERDICT_NOT_APPLICABLE ? "lacks " : "",
               regret_text_get(verdict == VERDICT_NOT_APPLICABLE ? &f->lacking : &f->numbers));
    table_signed(t, f->weakest.mean, DECIMALS);
    table_signed(t, f->weakest.low, DECIMALS);
    table_signed(t, f->weakest.high, DECIMALS);
    table_cell(t, verdicts[verdict], NAN, NAN, 0, verdict == VERDICT_HOLDS ? TABLE_BEST : 0);
}

static void begin_idea(struct table *t, struct asking *a, const char *idea)
{
    static const char *const heads[] = {"Claim",    "Finding",  "Paper",     "This run",
                                        "Evidence", "95 % low", "95 % high", "Verdict"};
    a->tallies[a->n_tallies++] = (struct verdict_tally){.idea = idea};
    table_block_of(t, a->group, idea);
    table_columns(t, heads, sizeof heads / sizeof *heads);
}

static int put_claim(struct table *t, struct asking *a, const struct claim *c)
{
    struct claim_result f = {.n_seeds = a->group->slice.r->n_seeds, .d = a->d};
    int rc;
    TRY_CLEANUP(claim_ask(&f, c, &a->group->slice, &a->ranking));
    put_result(t, c, &f);
    a->tallies[a->n_tallies - 1].count[claim_verdict(&f)]++;
cleanup:
    claim_result_clear(&f);
    return rc;
}

static void put_tallies(struct table *t, const struct asking *a)
{
    struct verdict_tally all = {.idea = "all"};
    table_block_of(t, a->group, "verdicts");
    table_column(t, "Idea");
    table_columns(t, verdicts, N_VERDICTS);
    for (size_t i = 0; i <= a->n_tallies; i++) {
        const struct verdict_tally *tally = i < a->n_tallies ? &a->tallies[i] : &all;
        table_row(t, "%s", tally->idea);
        for (size_t v = 0; v < N_VERDICTS; v++) {
            table_number(t, (double)tally->count[v], 0);
            all.count[v] += tally->count[v];
        }
    }
}

static int put_group(struct table *t, struct asking *a)
{
    const struct claim *claims = NULL;
    size_t n = claims_all(&claims);
    a->n_tallies = 0;
    for (size_t i = 0; i < n; i++) {
        if (claims[i].idea != NULL) {
            begin_idea(t, a, claims[i].idea);
        }
        TRY(put_claim(t, a, &claims[i]));
    }
    put_tallies(t, a);
    return REGRET_OK;
}

int put_claims(struct table *t, const struct table_data *d)
{
    const struct claim *claims = NULL;
    size_t *families = NULL;
    struct asking a = {.ranking.r = d->r};
    int rc;
    TRY_CLEANUP(REGRET_NEW(&a.d, d->r->n_seeds));
    TRY_CLEANUP(REGRET_NEW(&families, d->r->n_families));
    TRY_CLEANUP(REGRET_NEW(&a.tallies, claims_all(&claims)));
    for (size_t f = 0; f < d->r->n_families; f++) {
        if (family_has_role(d->r, f, REGRET_ROLE_PAPER)) {
            families[a.ranking.n++] = f;
        }
    }
    a.ranking.families = families;
    for (size_t i = 0; i < d->groups.n; i++) {
        a.group = &d->groups.items[i];
        TRY_CLEANUP(put_group(t, &a));
    }
cleanup:
    regret_free(a.d);
    regret_free(families);
    regret_free(a.tallies);
    return rc;
}
