#include "report/headline.h"

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

/* Of data/report/headline.sql, with the answer as the first sentence, or behind that of the families. */
static int fill(struct headline *h, struct run_sql *run, const char *answer)
{
    FREED_BY(table_free) struct table said = {0};
    struct regret_buffer text = REGRET_BUFFER_INIT;
    size_t before = headline_asks_who(run->r) ? 0 : 1;
    TRY(table_part(&h->regimes, run, "regimes"));
    TRY(table_part(&said, run, "headline"));
    for (size_t i = 0; i < said.n_notes; i++) {
        if (i == before) {
            regret_buffer_append(&text, answer);
            TRY(add_sentence(h, &text));
        }
        regret_buffer_append(&text, said.notes[i]);
        TRY(add_sentence(h, &text));
    }
    for (size_t kind = 0; kind < N_CAUTIONS; kind++) {
        if ((CAUTIONS_COMMON & CAUTION_BIT(kind)) != 0) {
            caution_say(&text, (enum caution)kind, run->r);
            TRY(add_sentence(h, &text));
        }
    }
    return REGRET_OK;
}

int headline_families(struct regret_buffer *out, const struct regret_results *r)
{
    FREED_BY(run_sql_close_at) struct run_sql *run = NULL;
    FREED_BY(table_free) struct table said = {0};
    TRY(run_sql_open(&run, r));
    TRY(table_part(&said, run, "headline"));
    regret_buffer_append(out, said.n_notes > 0 ? said.notes[0] : "");
    return regret_buffer_status(out);
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
    FREED_BY(headline_free) struct headline h = {0};
    TRY(fill(&h, run, answer));
    *out = h;
    h = (struct headline){0};
    return REGRET_OK;
}

void headline_free(struct headline *h)
{
    for (size_t i = 0; i < h->n; i++) {
        regret_buffer_free(&h->sentences[i]);
    }
    table_free(&h->regimes);
    *h = (struct headline){0};
}
