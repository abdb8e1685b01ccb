#include "experiment/features/feature_set.h"

#include "base/core/texts.h"
#include "experiment/features/covariates.h"
#include "pool/grid/grid_lists.h"
#include "regret/alloc.h"
#include "regret/text.h"

size_t feature_set_blocks(struct regret_feature_block out[REGRET_FEATURE_BLOCKS],
                          const struct feature_set *set)
{
    const struct regret_grid *g = set->grid;
    return regret_feature_blocks(out, &set->config.features, g->n_agents, g->n_tags,
                                 set->columns != NULL ? set->columns->cols : 0);
}

static void put_tags(struct regret_buffer *out, const struct regret_grid *g)
{
    regret_buffer_append(out, ",\n\"tags\":");
    grid_json_tags(out, g);
    regret_buffer_append(out, ",\n\"context_tags\":[");
    for (size_t x = 0; x < g->n_contexts; x++) {
        regret_buffer_printf(out, "%s%u", x > 0 ? "," : "", (unsigned)g->kind[x]);
    }
    regret_buffer_append(out, "]");
}

void feature_set_describe(struct regret_buffer *out, const struct feature_set *set)
{
    struct regret_feature_block block[REGRET_FEATURE_BLOCKS];
    const char *separator = "";
    feature_set_blocks(block, set);
    regret_buffer_append(out, "\"blocks\":{");
    for (size_t i = 0; i < REGRET_FEATURE_BLOCKS; i++) {
        if (block[i].columns > 0) {
            regret_buffer_printf(out, "%s\"%s\":[%zu,%zu]", separator, block[i].name,
                                 block[i].first, block[i].columns);
            separator = ",";
        }
    }
    regret_buffer_append(out, "}");
    if (set->grid->n_tags > 0) {
        put_tags(out, set->grid);
    }
    if (set->columns != NULL) {
        regret_buffer_append(out, ",\n\"column_names\":");
        covariates_names(out, set->grid);
    }
}

void feature_set_free(struct feature_set *set)
{
    if (set == NULL) {
        return;
    }
    regret_grid_free(set->grid);
    regret_free(set->agent);
    regret_free(set->share);
    regret_free(set->context);
    regret_csr_free(set->columns);
    regret_csr_free(set->phi);
    regret_csr_free(set->phi_context);
    regret_free(set->gram);
    regret_terms_free(set->terms);
    regret_free(set->statistics);
    regret_free(set->aux);
    regret_free(set->components);
    regret_free(set->embedding);
    regret_free(set->words);
    texts_free(set->word_names, set->common_words != NULL ? set->common_words->rows : 0);
    regret_csr_free(set->common_words);
    regret_free(set->own);
    regret_free(set);
}
