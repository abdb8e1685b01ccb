/* The findings of the paper, held against this run: one line a claim (claims.h). */
#include <math.h>

#include "regret/alloc.h"
#include "regret/estimate.h"
#include "report/claims.h"

static const struct claim_set *const sets[] = {
    &claims_of_ranks,  &claims_of_winners, &claims_of_budgets, &claims_of_reward,
    &claims_of_design, &claims_of_ranking, &claims_of_values,  &claims_of_grounded,
    &claims_of_tuning, &claims_of_world,
};
enum { N_SETS = sizeof sets / sizeof *sets };

static const char *const verdicts[] = {"holds", "does not hold", "not separable", "not applicable"};
_Static_assert(sizeof verdicts / sizeof *verdicts == N_VERDICTS, "one word a verdict");

static void put_finding(struct table *t, const struct claim *c, const struct finding *f)
{
    enum { DECIMALS = 5 };
    enum verdict verdict = finding_verdict(f);
    table_row(t, "%s", c->name);
    table_text(t, "%s", c->sentence);
    table_text(t, "%s", c->paper);
    table_text(t, "%s%s", verdict == VERDICT_NOT_APPLICABLE ? "lacks " : "",
               regret_text_get(verdict == VERDICT_NOT_APPLICABLE ? &f->lacking : &f->numbers));
    table_signed(t, f->weakest.mean, DECIMALS);
    table_signed(t, f->weakest.low, DECIMALS);
    table_signed(t, f->weakest.high, DECIMALS);
    table_cell(t, verdicts[verdict], NAN, NAN, 0, verdict == VERDICT_HOLDS ? TABLE_BEST : 0);
}

static int put_set(struct table *t, const struct group *block, const struct table_data *p,
                   const struct claim_set *set, size_t tally[N_VERDICTS], double *d)
{
    static const char *const heads[] = {"Claim",    "Finding",  "Paper",     "This run",
                                        "Evidence", "95 % low", "95 % high", "Verdict"};
    int rc = REGRET_OK;
    table_block(t, "%s%s%s", block->heading, block->heading[0] != '\0' ? ": " : "", set->idea);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        table_column(t, "%s", heads[i]);
    }
    for (size_t i = 0; rc == REGRET_OK && i < set->n; i++) {
        struct finding f = {.n_seeds = p->r->n_seeds, .d = d};
        rc = claim_ask(&f, &set->claims[i], &block->slice, p->ranked, p->n_ranked);
        if (rc == REGRET_OK) {
            put_finding(t, &set->claims[i], &f);
            tally[finding_verdict(&f)]++;
        }
        finding_clear(&f);
    }
    return rc;
}

static void put_tally(struct table *t, const struct group *block, size_t (*tally)[N_VERDICTS])
{
    table_block(t, "%s%sverdicts", block->heading, block->heading[0] != '\0' ? ": " : "");
    table_column(t, "Idea");
    for (size_t v = 0; v < N_VERDICTS; v++) {
        table_column(t, "%s", verdicts[v]);
    }
    for (size_t i = 0; i <= N_SETS; i++) {
        table_row(t, "%s", i < N_SETS ? sets[i]->idea : "all");
        for (size_t v = 0; v < N_VERDICTS; v++) {
            table_number(t, (double)tally[i][v], 0);
        }
    }
}

static int put_block(struct table *t, const struct group *block, const struct table_data *p,
                     double *d)
{
    size_t tally[N_SETS + 1][N_VERDICTS] = {{0}};
    int rc = REGRET_OK;
    for (size_t i = 0; rc == REGRET_OK && i < N_SETS; i++) {
        rc = put_set(t, block, p, sets[i], tally[i], d);
        for (size_t v = 0; v < N_VERDICTS; v++) {
            tally[N_SETS][v] += tally[i][v];
        }
    }
    if (rc == REGRET_OK) {
        put_tally(t, block, tally);
    }
    return rc;
}

int put_claims(struct table *t, const struct table_data *data)
{
    struct table_data p = *data;
    double *d = NULL;
    int rc = REGRET_NEW(&d, p.r->n_seeds);
    p.ranked = NULL;
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&p.ranked, p.r->n_families);
    }
    p.n_ranked = 0;
    for (size_t f = 0; rc == REGRET_OK && f < p.r->n_families; f++) {
        if (family_has_role(p.r, f, REGRET_ROLE_PAPER)) {
            p.ranked[p.n_ranked++] = f;
        }
    }
    for (size_t i = 0; rc == REGRET_OK && i < p.groups.n; i++) {
        rc = put_block(t, &p.groups.items[i], &p, d);
    }
    regret_free(d);
    regret_free(p.ranked);
    return rc;
}
