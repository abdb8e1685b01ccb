#include "report/headline.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "regret/evaluate.h"
#include "regret/results.h"
#include "regret/status.h"
#include "report/answer.h"
#include "report/cautions.h"
#include "report/internal.h"
#include "report/slice.h"
#include "report/table.h"

enum { DECIMALS = 4 };

/* What the sentences are made from. */
struct subject_matter {
    const struct regret_results *r;
    struct table_data data;
    struct contenders all;
};

static const struct contender *best_of(const struct contenders *s)
{
    return s->n_families > 0 ? &s->items[0] : NULL;
}

static const char *name_of(const struct regret_results *r, size_t subject)
{
    return r->subjects[subject].name;
}

/* ---------------------------------------------------------------- sentences */

typedef void say(struct regret_buffer *out, const struct subject_matter *m);

static void say_families(struct regret_buffer *out, const struct subject_matter *m)
{
    contenders_sentence(out, &m->all);
}

static void say_scale(struct regret_buffer *out, const struct subject_matter *m)
{
    size_t random = regret_results_subject(m->r, REGRET_ROW_BASELINE, "random");
    double mean = random != REGRET_NO_ROW
                      ? slice_estimate(&m->data.all, REGRET_MEASURE_REGRET, random).mean
                      : NAN;
    const struct contender *best = best_of(&m->all);
    regret_buffer_append(out,
                         "Regret is what a recommendation loses against the best agent for each "
                         "context; 0 is perfect");
    if (isfinite(mean)) {
        regret_buffer_printf(out, ", and recommending at random loses %.*f here%s", DECIMALS, mean,
                             best != NULL && best->mean >= mean ? ", no more than the best family"
                                                                : "");
    }
    regret_buffer_append(out, ".");
}

/* The rules that want no estimator. */
static void say_rules(struct regret_buffer *out, const struct subject_matter *m)
{
    const struct contender *agent = contenders_single_agent(&m->all);
    const struct contender *by_tag = contenders_by_tag(&m->all);
    if (agent == NULL) {
        return;
    }
    regret_buffer_printf(out,
                         "Recommending one agent for everything, always that of the best mean in "
                         "%s (%s), has a mean regret of %.4f",
                         m->r->subjects[agent->subject].source, name_of(m->r, agent->subject),
                         agent->mean);
    if (by_tag != NULL) {
        regret_buffer_printf(out, ", one agent for each tag (%s) %.4f",
                             name_of(m->r, by_tag->subject), by_tag->mean);
    }
    regret_buffer_append_char(out, '.');
}

static void say_sureness(struct regret_buffer *out, const struct subject_matter *m)
{
    const struct ranking ranking = {m->r, m->data.ranked, m->data.n_ranked};
    struct family_pair *pairs = NULL;
    size_t n = 0;
    regret_buffer_printf(out, "%zu seed%s of the same contexts", m->r->n_seeds,
                         m->r->n_seeds == 1 ? "" : "s");
    regret_buffer_fail(out, family_pairs(&pairs, &n, &m->data.all, &ranking));
    double least = n > 0 ? detectable_with(pair_deviation(&pairs[0]), pairs[0].moments.n) : NAN;
    if (isfinite(least)) {
        regret_buffer_printf(
            out,
            ": if the best family and the second truly differ by less than %.4f, a "
            "run of this size will often show them as tied",
            least);
    }
    regret_buffer_append(out, ".");
    if (m->r->n_seeds > 1 && m->r->n_seeds < FEW_SEEDS) {
        regret_buffer_append(out, " Intervals over so few seeds are too narrow.");
    }
    regret_free(pairs);
}

/* Whether the best family is the best wherever one looks. */
static void say_regimes(struct regret_buffer *out, const struct subject_matter *m,
                        const struct table *regimes)
{
    size_t same = 0, n = 0;
    const struct contender *best = best_of(&m->all);
    if (best == NULL || regimes->idle || regimes->status != REGRET_OK) {
        return;
    }
    const struct table_block *b = &regimes->blocks[0];
    for (size_t i = 1; i < b->n_rows; i++) {
        n++;
        same += strcmp(b->rows[i].cells[0].text, name_of(m->r, best->subject)) == 0;
    }
    if (same == n) {
        regret_buffer_printf(out,
                             "It is %s that has the lowest regret at each of the %zu values of "
                             "the swept keys.",
                             name_of(m->r, best->subject), n);
    } else {
        regret_buffer_printf(
            out,
            "Which family has the lowest regret depends on the regime: %s at %zu of "
            "the %zu values of the swept keys; the table says which at the "
            "others.",
            name_of(m->r, best->subject), same, n);
    }
}

/* ---------------------------------------------------------------- all of it */

/* Takes the sentence's memory unless it is empty. */
static int add_sentence(struct headline *h, struct regret_buffer *sentence)
{
    if (regret_buffer_status(sentence) != REGRET_OK || sentence->length == 0) {
        int rc = regret_buffer_status(sentence);
        regret_buffer_free(sentence);
        return rc;
    }
    h->sentences[h->n++] = *sentence;
    *sentence = (struct regret_buffer)REGRET_BUFFER_INIT;
    return REGRET_OK;
}

static int fill(struct headline *h, const struct subject_matter *m, const char *answer,
                int is_asked)
{
    static say *const sentences[] = {say_families, say_rules, say_scale, say_sureness};
    struct regret_buffer text = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        if (i == (is_asked ? 0 : 1)) {
            regret_buffer_append(&text, answer);
            TRY(add_sentence(h, &text));
        }
        sentences[i](&text, m);
        TRY(add_sentence(h, &text));
    }
    say_regimes(&text, m, &h->regimes);
    TRY(add_sentence(h, &text));
    for (size_t kind = 0; kind < N_CAUTIONS; kind++) {
        if ((CAUTIONS_COMMON & CAUTION_BIT(kind)) != 0) {
            caution_say(&text, (enum caution)kind, m->r);
            TRY(add_sentence(h, &text));
        }
    }
    return REGRET_OK;
}

void headline_rests(struct regret_buffer *out, const struct regret_results *r)
{
    regret_buffer_printf(out, "It rests on pool %s (%s): %zu cell%s, %zu seed%s", r->run.pool_name,
                         r->run.synthetic ? "SYNTHETIC data" : "real task", r->n_cells,
                         r->n_cells == 1 ? "" : "s", r->n_seeds, r->n_seeds == 1 ? "" : "s");
    if (r->n_grids > 0) {
        regret_buffer_printf(out, ", %zu contexts and %zu agents", r->grids[0].n_contexts,
                             r->grids[0].n_agents);
    }
    regret_buffer_append_char(out, '.');
}

int headline_answer(struct regret_buffer *out, const struct regret_results *r)
{
    int rc = r->n_grids == 1 ? recommend_words(out, r) : REGRET_OK;
    return rc == REGRET_E_INPUT ? REGRET_OK : rc;
}

int headline_asks_who(const struct regret_results *r)
{
    return r->n_means > 0 && !r->run.synthetic;
}

int headline_make(struct headline *out, struct run_sql *run, const char *answer)
{
    const struct regret_results *r = run->r;
    struct subject_matter m = {.r = r};
    struct headline h = {0};
    int rc;
    TRY_CLEANUP(table_part(&h.regimes, run, "regimes"));
    TRY_CLEANUP(table_data_make(&m.data, r, 0));
    TRY_CLEANUP(contenders_make(&m.all, &m.data.all));
    TRY_CLEANUP(fill(&h, &m, answer, headline_asks_who(r)));
    *out = h;
    h = (struct headline){0};
cleanup:
    headline_free(&h);
    contenders_free(&m.all);
    table_data_free(&m.data);
    return rc;
}

void headline_free(struct headline *h)
{
    for (size_t i = 0; i < h->n; i++) {
        regret_buffer_free(&h->sentences[i]);
    }
    table_free(&h->regimes);
    *h = (struct headline){0};
}
