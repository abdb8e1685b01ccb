#include "report/recommend.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "regret/status.h"
#include "report/internal.h"
#include "report/leaks.h"
#include "report/lists.h"
#include "report/slice.h"

/* Sums by context, with all contexts together behind them. */
struct tally {
    size_t n_contexts, n_agents, n_seeds;
    double *value, *times;        /* [(n_contexts + 1) × n_seeds] */
    double *margin[N_REFERENCES]; /* likewise */
    double *count;                /* [(n_contexts + 1) × n_agents] */
};

/* The recommendations of a source in a replicate, and what they are worth. */
struct picked {
    double *choice, *loss, *value, *margin;        /* [n] room for every context */
    struct held_out values, margins[N_REFERENCES]; /* of all replicates */
};

FREED_FIELDS(picked, of->choice, of->loss, of->value, of->margin)

const char *recommend_source(const struct recommend *s, size_t source)
{
    return source == s->n_families ? "vote" : s->r->subjects[s->subject[source]].name;
}

size_t recommend_find(const struct recommend *s, size_t subject)
{
    size_t i = 0;
    while (i < s->n_sources && (i == s->n_families || s->subject[i] != subject)) {
        i++;
    }
    return i;
}

/* ---------------------------------------------------------------- what cells, which families vote */

static int choose_cells(struct recommend *s, const struct table_data *d, size_t cell)
{
    const struct regret_results *r = d->r;
    if (cell != REGRET_NO_ROW && cell >= r->n_cells) {
        return regret_fail(REGRET_E_INPUT, "cell %zu: the run has cells 0 to %zu", cell,
                           r->n_cells - 1);
    }
    TRY(slice_copy(&s->cells, &d->all));
    if (cell != REGRET_NO_ROW) {
        s->cells.cells[0] = cell;
        s->cells.n_cells = 1;
    }
    size_t first = r->cell_grid[s->cells.cells[0]];
    for (size_t i = 1; i < s->cells.n_cells; i++) {
        if (r->cell_grid[s->cells.cells[i]] != first) {
            return regret_fail(REGRET_E_INPUT,
                               "the cells of %s differ in their contexts or agents; choose one "
                               "with --cell N",
                               r->run.folder);
        }
    }
    s->grid = &r->grids[first];
    return REGRET_OK;
}

/* The families, the vote, and the baselines that go by rows. */
static int list_sources(struct recommend *s, const struct table_data *d)
{
    TRY(REGRET_NEW(&s->subject, d->r->n_subjects + 1));
    memcpy(s->subject, d->ranked, d->n_ranked * sizeof *d->ranked);
    s->n_families = d->n_ranked;
    s->subject[d->n_ranked] = REGRET_NO_ROW;
    s->n_sources = d->n_ranked + 1 + baselines_by_rows(s->subject + d->n_ranked + 1, d->r);
    s->oracle = regret_results_subject(d->r, REGRET_ROW_BASELINE, "oracle");
    return REGRET_OK;
}

/* Of some subjects that of the lowest mean regret, of equals the first; REGRET_NO_ROW where none has one. */
static size_t lowest_of(const struct slice *s, const size_t *subjects, size_t n)
{
    size_t lowest = REGRET_NO_ROW;
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        double mean = slice_estimate(s, REGRET_MEASURE_REGRET, subjects[i]).mean;
        lowest = mean < least ? subjects[i] : lowest;
        least = mean < least ? mean : least;
    }
    return lowest;
}

/* The family of lowest mean regret, and all that are not separable from it; and the single agents. */
static int find_voters(struct recommend *s)
{
    const enum regret_measure regret = REGRET_MEASURE_REGRET;
    FREED size_t *single = NULL;
    TRY(REGRET_NEW(&single, s->r->n_subjects));
    size_t n = baselines_by_rule(single, s->r, REGRET_RULE_SINGLE);
    s->reference[OVER_SINGLE] = lowest_of(&s->cells, single, n);
    s->reference[OVER_BEST_EXP] = regret_results_subject(s->r, REGRET_ROW_BASELINE, "best-exp");
    s->reference[OVER_BEST_OBS] = regret_results_subject(s->r, REGRET_ROW_BASELINE, "best-obs");
    size_t best = lowest_of(&s->cells, s->subject, s->n_families);
    for (size_t i = 0; best != REGRET_NO_ROW && i < s->n_families; i++) {
        struct paired p;
        TRY(slice_paired(&p, &s->cells, regret, s->subject[i], regret, best));
        s->best = s->subject[i] == best ? i : s->best;
        s->votes[i] = p.n > 1 ? !paired_separable(&p) : isfinite(p.mean) != 0;
    }
    s->votes[s->best] = 1; /* also where none has a regret */
    return REGRET_OK;
}

static void find_leaks(struct recommend *s)
{
    for (size_t i = 0; i < s->n_families; i++) {
        if (s->r->subjects[s->subject[i]].external != NULL) {
            struct leak_evidence evidence = leak_evidence(s->r, s->subject[i]);
            s->leaks[i] = leak_is_likely(&evidence)    ? LEAKS_LIKELY
                          : leak_is_unknown(&evidence) ? LEAKS_UNKNOWN
                                                       : LEAKS_NOT;
        }
    }
}

/* ---------------------------------------------------------------- counting */

static void tally_free(struct tally *t)
{
    regret_free(t->value);
    for (size_t i = 0; i < N_REFERENCES; i++) {
        regret_free(t->margin[i]);
    }
    regret_free(t->times);
    regret_free(t->count);
}

static int tally_make(struct tally *t, const struct recommend *s)
{
    *t = (struct tally){
        .n_contexts = s->grid->n_contexts, .n_agents = s->grid->n_agents, .n_seeds = s->r->n_seeds};
    TRY(REGRET_NEW(&t->value, (t->n_contexts + 1) * t->n_seeds));
    for (size_t i = 0; i < N_REFERENCES; i++) {
        TRY(REGRET_NEW(&t->margin[i], (t->n_contexts + 1) * t->n_seeds));
    }
    TRY(REGRET_NEW(&t->times, (t->n_contexts + 1) * t->n_seeds));
    return REGRET_NEW(&t->count, (t->n_contexts + 1) * t->n_agents);
}

struct regret_list_view recommend_choices(const struct recommend *s, size_t subject, size_t cell,
                                          size_t seed)
{
    struct regret_list_view all =
        regret_results_list(s->r, REGRET_LIST_CHOICE_ALL, subject, cell, seed);
    return all.n > 0 ? all : regret_results_list(s->r, REGRET_LIST_CHOICE, subject, cell, seed);
}

/* The agent with most of the voters' choices of context k; of equals that of the best family, or else the
 * lowest. What it loses is known from a family that chose it. Returns 0 where the lists are not there. */
static int vote(struct picked *out, const struct recommend *s, size_t cell, size_t seed, size_t k)
{
    double most = 0.0;
    int found = 0;
    for (size_t i = 0; i < s->n_families; i++) {
        struct regret_list_view choice = recommend_choices(s, s->subject[i], cell, seed);
        struct regret_list_view loss =
            regret_results_list(s->r, REGRET_LIST_LOSS, s->subject[i], cell, seed);
        double votes = 0.0;
        for (size_t j = 0; j < s->n_families && k < choice.n && s->votes[i]; j++) {
            struct regret_list_view other = recommend_choices(s, s->subject[j], cell, seed);
            votes += s->votes[j] && k < other.n && other.number[k] == choice.number[k];
        }
        votes += i == s->best ? 0.5 : 0.0;
        if (votes < 1.0 || k >= loss.n) {
            continue;
        }
        if (votes > most || (votes == most && choice.number[k] < out->choice[k])) {
            most = votes;
            out->choice[k] = choice.number[k];
            out->loss[k] = loss.number[k];
            found = 1;
        }
    }
    return found;
}

/* Fills in the choices of a source; 0 where the replicate has none. */
static int pick(struct picked *out, const struct recommend *s, size_t source, size_t cell,
                size_t seed, size_t n)
{
    if (source == s->n_families) {
        size_t k = 0;
        while (k < n && vote(out, s, cell, seed, k)) {
            k++;
        }
        return k == n;
    }
    size_t subject = s->subject[source];
    struct regret_list_view choice = recommend_choices(s, subject, cell, seed);
    struct regret_list_view loss = regret_results_list(s->r, REGRET_LIST_LOSS, subject, cell, seed);
    if (choice.n != n || loss.n != n) {
        return 0;
    }
    memcpy(out->choice, choice.number, n * sizeof *out->choice);
    memcpy(out->loss, loss.number, n * sizeof *out->loss);
    return 1;
}

/* The margins over one reference; NaN where the rows have none. */
static void count_margin(struct tally *t, const struct recommend *s, struct picked *p,
                         enum reference over, const struct regret_list_view *x, size_t cell,
                         size_t seed)
{
    struct regret_list_view lost = {NULL, 0};
    if (s->reference[over] != REGRET_NO_ROW) {
        lost = regret_results_list(s->r, REGRET_LIST_LOSS, s->reference[over], cell, seed);
    }
    for (size_t k = 0; k < x->n; k++) {
        p->margin[k] = lost.n == x->n ? lost.number[k] - p->loss[k] : NAN;
        t->margin[over][(size_t)x->number[k] * t->n_seeds + seed] += p->margin[k];
        t->margin[over][t->n_contexts * t->n_seeds + seed] += p->margin[k] / (double)x->n;
    }
    held_out_add(&p->margins[over], x, p->margin);
}

static void count_replicate(struct tally *t, const struct recommend *s, struct picked *p,
                            size_t source, size_t cell, size_t seed)
{
    struct regret_list_view x =
        regret_results_list(s->r, REGRET_LIST_CONTEXT, s->oracle, cell, seed);
    struct regret_list_view best =
        regret_results_list(s->r, REGRET_LIST_BEST, s->oracle, cell, seed);
    size_t all = t->n_contexts;
    if (x.n == 0 || best.n != x.n || !pick(p, s, source, cell, seed, x.n)) {
        return;
    }
    for (size_t k = 0; k < x.n; k++) {
        size_t context = (size_t)x.number[k], agent = (size_t)p->choice[k];
        p->value[k] = best.number[k] - p->loss[k];
        t->value[context * t->n_seeds + seed] += p->value[k];
        t->value[all * t->n_seeds + seed] += p->value[k] / (double)x.n;
        t->times[context * t->n_seeds + seed] += 1.0;
        t->count[context * t->n_agents + agent] += 1.0;
        t->count[all * t->n_agents + agent] += 1.0 / (double)x.n;
    }
    held_out_add(&p->values, &x, p->value);
    for (size_t i = 0; i < N_REFERENCES; i++) {
        count_margin(t, s, p, (enum reference)i, &x, cell, seed);
    }
    t->times[all * t->n_seeds + seed] += 1.0;
}

/* ---------------------------------------------------------------- what it comes to */

static struct seeds_mean over_seeds(const double *sum, const double *times, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = sum[i] / times[i]; /* 0/0: NaN, a seed that did not hold the context out */
    }
    return seeds_mean(x, n);
}

static struct recommended sum_up(const struct tally *t, size_t x, double *scratch)
{
    const double *counts = t->count + x * t->n_agents, *times = t->times + x * t->n_seeds;
    const struct regret_two_way none = {.se = NAN, .low = NAN, .high = NAN};
    struct recommended out = {.share = NAN, .new_value = none};
    double all = 0.0;
    for (size_t a = 0; a < t->n_agents; a++) {
        out.agent = counts[a] > counts[out.agent] ? a : out.agent;
        all += counts[a];
    }
    for (size_t i = 0; i < t->n_seeds; i++) {
        out.replicates += (size_t)times[i];
    }
    out.share = counts[out.agent] / all;
    out.value = over_seeds(t->value + x * t->n_seeds, times, t->n_seeds, scratch);
    for (size_t i = 0; i < N_REFERENCES; i++) {
        out.new_margin[i] = none;
        out.margin[i] = over_seeds(t->margin[i] + x * t->n_seeds, times, t->n_seeds, scratch);
    }
    return out;
}

static int begin_intervals(struct picked *p, size_t n_contexts, size_t n_seeds)
{
    TRY(held_out_begin(&p->values, n_contexts, n_seeds));
    for (size_t i = 0; i < N_REFERENCES; i++) {
        TRY(held_out_begin(&p->margins[i], n_contexts, n_seeds));
    }
    return REGRET_OK;
}

static void free_intervals(struct picked *p)
{
    held_out_free(&p->values);
    for (size_t i = 0; i < N_REFERENCES; i++) {
        held_out_free(&p->margins[i]);
    }
}

static int count_seed(struct tally *t, const struct recommend *s, struct picked *p, size_t source,
                      size_t seed)
{
    size_t all = t->n_contexts * t->n_seeds + seed;
    for (size_t i = 0; i < s->cells.n_cells; i++) {
        count_replicate(t, s, p, source, s->cells.cells[i], seed);
    }
    TRY(held_out_seed(&p->values, t->value[all], t->times[all]));
    for (size_t i = 0; i < N_REFERENCES; i++) {
        TRY(held_out_seed(&p->margins[i], t->margin[i][all], t->times[all]));
    }
    return REGRET_OK;
}

static int make_source(struct recommend *s, size_t source, struct picked *p, double *scratch)
{
    struct tally t = {0};
    size_t n = s->grid->n_contexts;
    struct recommended *item = s->item + source * (n + 1);
    int rc;
    TRY_CLEANUP(tally_make(&t, s));
    TRY_CLEANUP(begin_intervals(p, n, t.n_seeds));
    for (size_t seed = 0; seed < t.n_seeds; seed++) {
        TRY_CLEANUP(count_seed(&t, s, p, source, seed));
    }
    for (size_t x = 0; x <= n; x++) {
        item[x] = sum_up(&t, x, scratch);
    }
    TRY_CLEANUP(held_out_interval(&item[n].new_value, &p->values));
    for (size_t i = 0; i < N_REFERENCES; i++) {
        TRY_CLEANUP(held_out_interval(&item[n].new_margin[i], &p->margins[i]));
    }
cleanup:
    tally_free(&t);
    free_intervals(p);
    return rc;
}

static int no_lists(const struct regret_results *r)
{
    return regret_fail(REGRET_E_INPUT,
                       "%s: its rows do not say what was recommended; run it again with "
                       "\"details\": true (older programs did not write it)",
                       r->run.folder);
}

int recommend_make(struct recommend *out, const struct table_data *d, size_t cell)
{
    FREED_BY(recommend_free) struct recommend s = {.r = d->r};
    FREED_BY(picked_fields) struct picked p = {0};
    FREED double *scratch = NULL;
    if (d->r->n_grids == 0 || d->n_ranked == 0) {
        return no_lists(d->r);
    }
    TRY(list_sources(&s, d));
    TRY(s.oracle != REGRET_NO_ROW ? REGRET_OK : no_lists(s.r));
    TRY(choose_cells(&s, d, cell));
    TRY(REGRET_NEW(&s.votes, s.n_families));
    TRY(find_voters(&s));
    TRY(REGRET_NEW(&s.leaks, s.n_families));
    find_leaks(&s);
    TRY(REGRET_NEW(&s.item, s.n_sources * (s.grid->n_contexts + 1)));
    TRY(REGRET_NEW(&p.choice, s.grid->n_contexts));
    TRY(REGRET_NEW(&p.loss, s.grid->n_contexts));
    TRY(REGRET_NEW(&p.value, s.grid->n_contexts));
    TRY(REGRET_NEW(&p.margin, s.grid->n_contexts));
    TRY(REGRET_NEW(&scratch, s.r->n_seeds));
    for (size_t i = 0; i < s.n_sources; i++) {
        TRY(make_source(&s, i, &p, scratch));
    }
    TRY(s.item[s.grid->n_contexts].replicates > 0 ? REGRET_OK : no_lists(s.r));
    *out = s;
    s = (struct recommend){0};
    return REGRET_OK;
}

void recommend_free(struct recommend *s)
{
    slice_free(&s->cells);
    regret_free(s->subject);
    regret_free(s->votes);
    regret_free(s->leaks);
    regret_free(s->item);
    *s = (struct recommend){0};
}
