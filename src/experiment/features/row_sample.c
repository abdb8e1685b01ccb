#include "experiment/features/row_sample.h"

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/text.h"
#include "text/features/features.h"

FREED_POINTER(struct regret_csr, regret_csr_free)
FREED_POINTER(struct regret_tokens, regret_tokens_free)

enum { SAMPLED = 64 };

/* The pairs drawn, and all contexts, those of others without text. */
struct sample {
    size_t n;
    uint32_t context[SAMPLED], agent[SAMPLED];
    const char *output[SAMPLED];
    const char **context_text;
};

FREED_FIELDS(sample, of->context_text)

static int draw(struct sample *s, const struct feature_set *set, const char *const *texts,
                const char *const *context_texts)
{
    size_t pairs = set->pairs, contexts = set->grid->n_contexts;
    TRY(REGRET_NEW(&s->context_text, contexts));
    for (size_t x = 0; x < contexts; x++) {
        s->context_text[x] = "";
    }
    for (size_t i = 0; i < SAMPLED; i++) {
        size_t p = i * pairs / SAMPLED;
        if (texts[p] != NULL) {
            s->context[s->n] = set->context[p];
            s->agent[s->n] = set->agent[p];
            s->context_text[set->context[p]] = context_texts[set->context[p]];
            s->output[s->n++] = texts[p];
        }
    }
    return REGRET_OK;
}

/* Elements of a row on average, rounded up. */
static void measure(struct row_sizes *out, const struct sample *s, const struct regret_csr *own,
                    const struct regret_csr *shared)
{
    size_t entries = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t x = s->context[i];
        entries += shared->row_start[x + 1] - shared->row_start[x];
    }
    *out = (struct row_sizes){regret_csr_entries(own) / (s->n + (s->n == 0)) + 1,
                              entries / (s->n + (s->n == 0)) + 1};
}

int row_sample(struct row_sizes *out, const struct feature_set *set, const char *const *texts,
               const char *const *context_texts)
{
    const struct regret_grid *g = set->grid;
    FREED_BY(sample_fields) struct sample s = {.n = 0};
    FREED_BY(regret_tokens_free_at) struct regret_tokens *contexts = NULL;
    FREED_BY(regret_tokens_free_at) struct regret_tokens *outputs = NULL;
    FREED_BY(regret_csr_free_at) struct regret_csr *own = NULL;
    FREED_BY(regret_csr_free_at) struct regret_csr *shared = NULL;
    TRY(draw(&s, set, texts, context_texts));
    TRY(regret_tokens_build(&contexts, s.context_text, g->n_contexts));
    TRY(regret_tokens_build(&outputs, s.output, s.n));
    const struct regret_pairs pairs = {.n_pairs = s.n,
                                       .contexts = contexts,
                                       .outputs = outputs,
                                       .context = s.context,
                                       .agent = s.agent,
                                       .n_agents = g->n_agents,
                                       .output_texts = s.output,
                                       .context_texts = s.context_text,
                                       .tag = g->kind,
                                       .n_tags = g->n_tags,
                                       .columns = set->columns};
    TRY(features_build_parts(&own, &shared, &pairs, &set->config.features));
    measure(out, &s, own, shared);
    return REGRET_OK;
}
