#include "text/features/features.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "text/features/feature_blocks.h"
#include "text/patch/patch_features.h"
#include "text/words/buckets.h"
#include "text/words/keys.h"
#include "text/words/measures.h"

FREED_POINTER(struct regret_csr, regret_csr_free)
FREED_POINTER(struct regret_patch, regret_patch_free)

enum space { OUTPUT, CONTEXT, OVERLAP, SHAPE, AGENT_WORDS, N_SPACES };
enum { SHAPE_KEYS = 7 };

/* Everything one pass over the pairs needs. */
struct builder {
    const struct regret_pairs *pairs;             /* borrowed */
    const struct regret_feature_options *options; /* borrowed */
    struct regret_feature_block block[REGRET_FEATURE_BLOCKS];
    size_t columns; /* of all blocks */
    struct measurer measurer;
    struct sparse_row row;
    struct key_bag bag;
    uint64_t seed[N_SPACES], patch_seed[PATCH_SPACES];
    struct regret_patch_issue **issues; /* of every context, where patches are wanted; owned */
    struct regret_csr *contexts;        /* what the pairs of every context have in common; owned */
};

static size_t longest_text(const struct regret_tokens *tokens)
{
    size_t longest = 0;
    for (size_t i = 0; i < tokens->n_texts; i++) {
        size_t length = tokens->start[i + 1] - tokens->start[i];
        longest = length > longest ? length : longest;
    }
    return longest;
}

static void builder_free(struct builder *b)
{
    measurer_free(&b->measurer);
    sparse_row_free(&b->row);
    key_bag_free(&b->bag);
    regret_csr_free(b->contexts);
    for (size_t x = 0; b->issues != NULL && x < b->pairs->contexts->n_texts; x++) {
        regret_patch_issue_free(b->issues[x]);
    }
    regret_free(b->issues);
}

/* Keys of a row at most. */
static size_t most_keys(const struct regret_pairs *pairs, const struct regret_feature_options *o)
{
    size_t output = longest_text(pairs->outputs), context = longest_text(pairs->contexts);
    size_t most = 2 * (output > context ? output : context) + SHAPE_KEYS;
    for (size_t i = 0; o->patch > 0.0 && i < pairs->n_pairs; i++) {
        const char *text = pairs->output_texts[i];
        size_t keys = patch_keys_most(text != NULL ? strlen(text) : 0);
        most = keys > most ? keys : most;
    }
    return most;
}

static int read_issues(struct builder *b)
{
    size_t n = b->pairs->contexts->n_texts;
    TRY(REGRET_NEW(&b->issues, n));
    for (size_t x = 0; x < n; x++) {
        const char *text = b->pairs->context_texts[x] != NULL ? b->pairs->context_texts[x] : "";
        TRY(regret_patch_issue_read(&b->issues[x], text, strlen(text)));
    }
    return REGRET_OK;
}

static int builder_init(struct builder *b, const struct regret_pairs *pairs,
                        const struct regret_feature_options *options)
{
    static const char *const names[N_SPACES] = {"output", "context", "overlap", "shape",
                                                "agent-words"};
    memset(b, 0, sizeof *b);
    b->pairs = pairs;
    b->options = options;
    b->columns = feature_blocks_of(b->block, options, pairs);
    for (int s = 0; s < N_SPACES; s++) {
        b->seed[s] = namespace_seed(names[s], options->seed);
    }
    patch_space_seeds(b->patch_seed, options->seed);
    TRY(measurer_init(&b->measurer, pairs));
    TRY(key_bag_init(&b->bag, most_keys(pairs, options)));
    if (options->patch > 0.0) {
        TRY(read_issues(b));
    }
    return REGRET_OK;
}

/* Appends the builder's row to m as row i; `capacity` is the room for entries. */
static int append_row(struct regret_csr *m, size_t *capacity, size_t i, struct sparse_row *row)
{
    size_t entries = m->row_start[i], need = entries + row->n;
    if (need > *capacity) {
        size_t grown = need > 2 * *capacity ? need : 2 * *capacity;
        TRY(regret_realloc((void **)&m->column, grown, sizeof *m->column, "feature columns"));
        TRY(regret_realloc((void **)&m->value, grown, sizeof *m->value, "feature values"));
        *capacity = grown;
    }
    m->row_start[i + 1] = entries + sparse_row_take(row, m->column + entries, m->value + entries);
    return REGRET_OK;
}

/* Adds a value in one column of a block, that is nobody else's. */
static int add_one(struct builder *b, enum regret_feature_block_place block, size_t place,
                   double value)
{
    uint32_t column = (uint32_t)place;
    return sparse_row_add(&b->row, b->block[block].first, &column, &value, 1, 1.0);
}

/* Adds the covariates of a context from column `place` of a block on. */
static int add_columns(struct builder *b, enum regret_feature_block_place block, size_t place,
                       size_t context, double scale)
{
    const struct regret_csr *m = b->pairs->columns;
    size_t start = m->row_start[context];
    return sparse_row_add(&b->row, b->block[block].first + place, m->column + start,
                          m->value + start, m->row_start[context + 1] - start, scale);
}

static int pour(struct builder *b, enum space space)
{
    const struct regret_feature_options *o = b->options;
    const double scale[N_SPACES] = {o->output, o->context, o->overlap, o->shape, o->agent_words};
    b->bag.first = space == AGENT_WORDS ? b->block[REGRET_BLOCK_AGENT_WORDS].first : 0;
    return key_bag_pour(&b->row, &b->bag, o->buckets, scale[space], o->tf);
}

static void bag_context(struct builder *b, size_t context)
{
    const struct regret_tokens *contexts = b->pairs->contexts;
    size_t start = contexts->start[context];
    key_bag_add_grams(&b->bag, contexts->hash + start, contexts->start[context + 1] - start);
}

/* The words of a context, its tag and its covariates. */
static int fill_context(struct builder *b, size_t context)
{
    const struct regret_feature_options *o = b->options;
    if (o->context > 0.0) {
        b->bag.seed = b->seed[CONTEXT];
        bag_context(b, context);
        TRY(pour(b, CONTEXT));
    }
    TRY(o->tag > 0.0 ? add_one(b, REGRET_BLOCK_TAG, b->pairs->tag[context], o->tag) : REGRET_OK);
    return o->columns > 0.0 ? add_columns(b, REGRET_BLOCK_COLUMNS, 0, context, o->columns)
                            : REGRET_OK;
}

static int build_contexts(struct builder *b)
{
    size_t n = b->pairs->contexts->n_texts, capacity = 0;
    TRY(regret_csr_new(&b->contexts, n, b->columns, 0));
    for (size_t x = 0; x < n; x++) {
        TRY(fill_context(b, x));
        TRY(append_row(b->contexts, &capacity, x, &b->row));
    }
    return REGRET_OK;
}

/* Of the namespace of an agent's words of contexts. */
static uint64_t agent_seed(uint64_t seed, uint32_t agent)
{
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(agent >> (8 * i));
    }
    return XXH3_64bits_withSeed(bytes, sizeof bytes, seed);
}

static int add_overlap(struct builder *b, size_t pair)
{
    const struct regret_tokens *outputs = b->pairs->outputs;
    const uint8_t *known = measure_known(&b->measurer, pair);
    unsigned char bytes[9];
    b->bag.seed = b->seed[OVERLAP];
    for (size_t t = outputs->start[pair]; t < outputs->start[pair + 1]; t++) {
        key_store(bytes, outputs->hash[t]);
        bytes[8] = known[t - outputs->start[pair]];
        key_bag_add(&b->bag, bytes, sizeof bytes);
    }
    return pour(b, OVERLAP);
}

/* "name=level", the level rounded down; 0 <= level < 2^32. */
static void add_shape_key(struct builder *b, const char *name, double level)
{
    char key[40], digits[10];
    size_t length = strlen(name), n = 0;
    uint32_t whole = (uint32_t)level;
    memcpy(key, name, length);
    key[length++] = '=';
    do {
        digits[n++] = (char)('0' + whole % 10);
        whole /= 10;
    } while (whole > 0);
    while (n > 0) {
        key[length++] = digits[--n];
    }
    key_bag_add(&b->bag, key, length);
}

static int add_shape(struct builder *b, size_t pair)
{
    double value[REGRET_STATISTICS];
    measure_shape(value, &b->measurer, pair);
    b->bag.seed = b->seed[SHAPE];
    double lines = (double)b->pairs->outputs->shape[pair].lines;
    add_shape_key(b, "length", 2.0 * log2(1.0 + value[MEASURE_WORDS]));
    add_shape_key(b, "sentences", 2.0 * log2(1.0 + value[MEASURE_SENTENCES]));
    add_shape_key(b, "lines", 2.0 * log2(1.0 + lines));
    add_shape_key(b, "compression", 2.0 * log2(1.0 + value[MEASURE_COMPRESSION]));
    add_shape_key(b, "punctuation", fmin(50.0 * value[MEASURE_PUNCTUATION], 20.0));
    add_shape_key(b, "novelty", 10.0 * value[MEASURE_NOVEL_TOKENS]);
    add_shape_key(b, "repetition", 10.0 * value[MEASURE_REPETITION]);
    return pour(b, SHAPE);
}

static int add_patch(struct builder *b, size_t pair)
{
    const char *text = b->pairs->output_texts[pair] != NULL ? b->pairs->output_texts[pair] : "";
    const struct regret_patch_issue *issue = b->issues[b->pairs->context[pair]];
    FREED_BY(regret_patch_free_at) struct regret_patch *patch = NULL;
    TRY(regret_patch_parse(&patch, text, strlen(text)));
    for (int space = 0; space < PATCH_SPACES; space++) {
        b->bag.seed = b->patch_seed[space];
        TRY(patch_add_keys(&b->bag, (enum patch_space)space, patch, issue));
        TRY(key_bag_pour(&b->row, &b->bag, b->options->buckets, b->options->patch, b->options->tf));
    }
    return REGRET_OK;
}

/* The blocks of the agent and its crosses with the context. */
static int add_agent(struct builder *b, size_t pair)
{
    const struct regret_feature_options *o = b->options;
    const struct regret_pairs *pairs = b->pairs;
    size_t a = pairs->agent != NULL ? pairs->agent[pair] : 0, x = pairs->context[pair];
    TRY(o->agent > 0.0 ? add_one(b, REGRET_BLOCK_AGENT, a, o->agent) : REGRET_OK);
    if (o->agent_tag > 0.0) {
        TRY(add_one(b, REGRET_BLOCK_AGENT_TAG, a * pairs->n_tags + pairs->tag[x], o->agent_tag));
    }
    if (o->agent_columns > 0.0) {
        TRY(add_columns(b, REGRET_BLOCK_AGENT_COLUMNS, a * pairs->columns->cols, x,
                        o->agent_columns));
    }
    if (o->agent_words > 0.0) {
        b->bag.seed = agent_seed(b->seed[AGENT_WORDS], (uint32_t)a);
        bag_context(b, x);
        TRY(pour(b, AGENT_WORDS));
    }
    return REGRET_OK;
}

/* All of a pair, or only what it does not have in common with the others of its context. */
static int fill_row(struct builder *b, size_t pair, int is_whole)
{
    const struct regret_feature_options *o = b->options;
    const struct regret_tokens *outputs = b->pairs->outputs;
    const struct regret_csr *contexts = b->contexts;
    size_t x = b->pairs->context[pair];
    if (o->output > 0.0) {
        b->bag.seed = b->seed[OUTPUT];
        key_bag_add_grams(&b->bag, outputs->hash + outputs->start[pair],
                          outputs->start[pair + 1] - outputs->start[pair]);
        TRY(pour(b, OUTPUT));
    }
    if (is_whole) {
        size_t start = contexts->row_start[x];
        TRY(sparse_row_add(&b->row, 0, contexts->column + start, contexts->value + start,
                           contexts->row_start[x + 1] - start, 1.0));
    }
    TRY(o->overlap > 0.0 ? add_overlap(b, pair) : REGRET_OK);
    TRY(o->shape > 0.0 ? add_shape(b, pair) : REGRET_OK);
    TRY(o->patch > 0.0 ? add_patch(b, pair) : REGRET_OK);
    return add_agent(b, pair);
}

int features_build_parts(struct regret_csr **of_pairs, struct regret_csr **of_contexts,
                         const struct regret_pairs *pairs,
                         const struct regret_feature_options *options)
{
    FREED_BY(builder_free) struct builder b = {0};
    FREED_BY(regret_csr_free_at) struct regret_csr *phi = NULL;
    size_t capacity = 0;
    TRY(feature_options_check(options, pairs));
    TRY(builder_init(&b, pairs, options));
    TRY(build_contexts(&b));
    TRY(regret_csr_new(&phi, pairs->n_pairs, b.columns, 0));
    for (size_t i = 0; i < pairs->n_pairs; i++) {
        TRY(fill_row(&b, i, of_contexts == NULL));
        TRY(append_row(phi, &capacity, i, &b.row));
    }
    *of_pairs = phi;
    phi = NULL;
    if (of_contexts != NULL) {
        *of_contexts = b.contexts;
        b.contexts = NULL;
    }
    return REGRET_OK;
}

int regret_features_build(struct regret_csr **out, const struct regret_pairs *pairs,
                          const struct regret_feature_options *options)
{
    return features_build_parts(out, NULL, pairs, options);
}
