#include "text/features/feature_blocks.h"

#include <math.h>

#include "base/core/try.h"

size_t regret_feature_blocks(struct regret_feature_block out[REGRET_FEATURE_BLOCKS],
                             const struct regret_feature_options *o, size_t n_agents, size_t n_tags,
                             size_t n_columns)
{
    const struct {
        const char *name;
        double scale;
        size_t columns;
    } blocks[REGRET_FEATURE_BLOCKS] = {
        [REGRET_BLOCK_BUCKETS] = {"buckets", 1.0, o->buckets},
        [REGRET_BLOCK_AGENT] = {"agent", o->agent, n_agents},
        [REGRET_BLOCK_TAG] = {"tag", o->tag, n_tags},
        [REGRET_BLOCK_AGENT_TAG] = {"agent_tag", o->agent_tag, n_agents * n_tags},
        [REGRET_BLOCK_COLUMNS] = {"columns", o->columns, n_columns},
        [REGRET_BLOCK_AGENT_COLUMNS] = {"agent_columns", o->agent_columns, n_agents * n_columns},
        [REGRET_BLOCK_AGENT_WORDS] = {"agent_words", o->agent_words, o->buckets}};
    size_t first = 0;
    for (size_t i = 0; i < REGRET_FEATURE_BLOCKS; i++) {
        size_t columns = blocks[i].scale > 0.0 ? blocks[i].columns : 0;
        out[i] = (struct regret_feature_block){blocks[i].name, first, columns};
        first += columns;
    }
    return first;
}

size_t feature_blocks_of(struct regret_feature_block out[REGRET_FEATURE_BLOCKS],
                         const struct regret_feature_options *o, const struct regret_pairs *pairs)
{
    return regret_feature_blocks(out, o, pairs->n_agents, pairs->n_tags,
                                 pairs->columns != NULL ? pairs->columns->cols : 0);
}

static int check_scales(const struct regret_feature_options *o)
{
    const double scale[] = {o->output,  o->context,       o->overlap,    o->shape,
                            o->patch,   o->agent,         o->tag,        o->agent_tag,
                            o->columns, o->agent_columns, o->agent_words};
    for (size_t s = 0; s < sizeof scale / sizeof *scale; s++) {
        if (!isfinite(scale[s]) || scale[s] < 0.0) {
            return regret_fail(REGRET_E_INPUT,
                               "a feature scale of %g: scales must be finite and >= 0", scale[s]);
        }
    }
    return REGRET_OK;
}

static int check_agents(const struct regret_feature_options *o, const struct regret_pairs *pairs)
{
    if (!(o->agent > 0.0 || o->agent_tag > 0.0 || o->agent_columns > 0.0 || o->agent_words > 0.0)) {
        return REGRET_OK;
    }
    if (pairs->agent == NULL) {
        return regret_fail(REGRET_E_INPUT, "agent features are asked for, but the pairs have no "
                                           "agent indices; give them or set the agent scales to 0");
    }
    for (size_t i = 0; i < pairs->n_pairs; i++) {
        if (pairs->agent[i] >= pairs->n_agents) {
            return regret_fail(REGRET_E_INPUT, "pair %zu is of agent %u, but there are only %zu", i,
                               (unsigned)pairs->agent[i], pairs->n_agents);
        }
    }
    return REGRET_OK;
}

static int check_tags(const struct regret_feature_options *o, const struct regret_pairs *pairs)
{
    if (!(o->tag > 0.0 || o->agent_tag > 0.0)) {
        return REGRET_OK;
    }
    if (pairs->tag == NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "features of tags are asked for, but no context has a tag: give tags, "
                           "or set features.tag and features.agent_tag to 0");
    }
    for (size_t x = 0; x < pairs->contexts->n_texts; x++) {
        if (pairs->tag[x] >= pairs->n_tags) {
            return regret_fail(REGRET_E_INPUT, "context %zu has tag %u, but there are only %zu", x,
                               (unsigned)pairs->tag[x], pairs->n_tags);
        }
    }
    return REGRET_OK;
}

static int check_columns(const struct regret_feature_options *o, const struct regret_pairs *pairs)
{
    if (!(o->columns > 0.0 || o->agent_columns > 0.0)) {
        return REGRET_OK;
    }
    if (pairs->columns == NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "features of columns are asked for, but contexts have none: give them "
                           "(\"columns\" of pool.json), or set features.columns and "
                           "features.agent_columns to 0");
    }
    return pairs->columns->rows == pairs->contexts->n_texts
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT, "columns of %zu contexts, but there are %zu",
                             pairs->columns->rows, pairs->contexts->n_texts);
}

/* Column numbers are whole numbers of 32 bits with a sign in files that others read. */
static int check_width(const struct regret_feature_options *o, const struct regret_pairs *pairs)
{
    const size_t most = INT32_MAX;
    struct regret_feature_block block[REGRET_FEATURE_BLOCKS];
    size_t n_columns = pairs->columns != NULL ? pairs->columns->cols : 0;
    int is_countable = pairs->n_agents <= most && pairs->n_tags <= most && n_columns <= most;
    if (is_countable && feature_blocks_of(block, o, pairs) <= most) {
        return REGRET_OK;
    }
    return regret_fail(REGRET_E_INPUT,
                       "%zu agents, %zu tags and %zu columns of contexts make more than %zu "
                       "features: set features.agent_tag or features.agent_columns to 0",
                       pairs->n_agents, pairs->n_tags, n_columns, most);
}

int feature_options_check(const struct regret_feature_options *o, const struct regret_pairs *pairs)
{
    size_t d = o->buckets;
    if (d < 2 || d > (size_t)1 << 30 || (d & (d - 1)) != 0) {
        return regret_fail(REGRET_E_INPUT,
                           "%zu feature buckets: give a power of two from 2 to 2^30", d);
    }
    TRY(check_scales(o));
    TRY(check_agents(o, pairs));
    TRY(check_tags(o, pairs));
    TRY(check_columns(o, pairs));
    TRY(check_width(o, pairs));
    if (o->patch > 0.0 && (pairs->output_texts == NULL || pairs->context_texts == NULL)) {
        return regret_fail(REGRET_E_INPUT, "patch features are asked for, but the pairs have no "
                                           "texts; give them or set the patch scale to 0");
    }
    return REGRET_OK;
}
