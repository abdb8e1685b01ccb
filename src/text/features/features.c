#include "regret/text.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "text/patch/patch_features.h"
#include "text/words/buckets.h"
#include "text/words/keys.h"
#include "text/words/measures.h"

enum space { OUTPUT, CONTEXT, OVERLAP, SHAPE, N_SPACES };
enum { SHAPE_KEYS = 7 };

/* Everything one pass over the pairs needs. */
struct builder {
    const struct regret_pairs *pairs;             /* borrowed */
    const struct regret_feature_options *options; /* borrowed */
    struct measurer measurer;
    struct sparse_row row;
    struct key_bag bag;
    uint64_t seed[N_SPACES], patch_seed[PATCH_SPACES];
    struct regret_patch_issue **issues; /* of every context, where patches are wanted; owned */
    struct regret_csr *contexts;        /* the scaled context namespace of every context; owned */
};

static int check_options(const struct regret_feature_options *o, const struct regret_pairs *pairs)
{
    size_t d = o->buckets;
    if (d < 2 || d > (size_t)1 << 30 || (d & (d - 1)) != 0) {
        return regret_fail(REGRET_E_INPUT,
                           "%zu feature buckets: give a power of two from 2 to 2^30", d);
    }
    const double scale[] = {o->output, o->context, o->overlap, o->shape, o->agent, o->patch};
    for (size_t s = 0; s < sizeof scale / sizeof *scale; s++) {
        if (!isfinite(scale[s]) || scale[s] < 0.0) {
            return regret_fail(REGRET_E_INPUT,
                               "a feature scale of %g: scales must be finite and >= 0", scale[s]);
        }
    }
    if (o->agent > 0.0 && pairs->agent == NULL) {
        return regret_fail(REGRET_E_INPUT, "agent features are asked for, but the pairs have no "
                                           "agent indices; give them or set the agent scale to 0");
    }
    for (size_t i = 0; o->agent > 0.0 && i < pairs->n_pairs; i++) {
        if (pairs->agent[i] >= pairs->n_agents) {
            return regret_fail(REGRET_E_INPUT, "pair %zu is of agent %u, but there are only %zu", i,
                               (unsigned)pairs->agent[i], pairs->n_agents);
        }
    }
    if (o->patch > 0.0 && (pairs->output_texts == NULL || pairs->context_texts == NULL)) {
        return regret_fail(REGRET_E_INPUT, "patch features are asked for, but the pairs have no "
                                           "texts; give them or set the patch scale to 0");
    }
    if (o->tf != REGRET_TF_COUNT && o->tf != REGRET_TF_LOG && o->tf != REGRET_TF_BINARY) {
        return regret_fail(REGRET_E_INPUT, "unknown term frequency weighting %d", (int)o->tf);
    }
    return REGRET_OK;
}

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
    static const char *const names[N_SPACES] = {"output", "context", "overlap", "shape"};
    memset(b, 0, sizeof *b);
    b->pairs = pairs;
    b->options = options;
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

/* Appends the builder's row to m as row i, with room for one entry more; `capacity` is the room for
 * entries. */
static int append_row(struct regret_csr *m, size_t *capacity, size_t i, struct sparse_row *row)
{
    size_t entries = m->row_start[i], need = entries + row->n + 1;
    if (need > *capacity) {
        size_t grown = need > 2 * *capacity ? need : 2 * *capacity;
        TRY(regret_realloc((void **)&m->column, grown, sizeof *m->column, "feature columns"));
        TRY(regret_realloc((void **)&m->value, grown, sizeof *m->value, "feature values"));
        *capacity = grown;
    }
    m->row_start[i + 1] = entries + sparse_row_take(row, m->column + entries, m->value + entries);
    return REGRET_OK;
}

/* The agent's own column, behind the buckets; append_row() left room for it. */
static void append_agent(struct regret_csr *m, size_t pair, const struct builder *b)
{
    size_t entry = m->row_start[pair + 1]++;
    m->column[entry] = (uint32_t)(b->options->buckets + b->pairs->agent[pair]);
    m->value[entry] = b->options->agent;
}

static int pour(struct builder *b, enum space space)
{
    const struct regret_feature_options *o = b->options;
    const double scale[N_SPACES] = {o->output, o->context, o->overlap, o->shape};
    return key_bag_pour(&b->row, &b->bag, o->buckets, scale[space], o->tf);
}

static int build_contexts(struct builder *b)
{
    const struct regret_tokens *contexts = b->pairs->contexts;
    size_t n = b->options->context > 0.0 ? contexts->n_texts : 0, capacity = 0;
    TRY(regret_csr_new(&b->contexts, contexts->n_texts, b->options->buckets, 0));
    b->bag.seed = b->seed[CONTEXT];
    for (size_t i = 0; i < n; i++) {
        key_bag_add_grams(&b->bag, contexts->hash + contexts->start[i],
                          contexts->start[i + 1] - contexts->start[i]);
        TRY(pour(b, CONTEXT));
        TRY(append_row(b->contexts, &capacity, i, &b->row));
    }
    return REGRET_OK;
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
    struct regret_patch *patch = NULL;
    int rc;
    TRY_CLEANUP(regret_patch_parse(&patch, text, strlen(text)));
    for (int space = 0; space < PATCH_SPACES; space++) {
        b->bag.seed = b->patch_seed[space];
        TRY_CLEANUP(patch_add_keys(&b->bag, (enum patch_space)space, patch, issue));
        TRY_CLEANUP(
            key_bag_pour(&b->row, &b->bag, b->options->buckets, b->options->patch, b->options->tf));
    }
cleanup:
    regret_patch_free(patch);
    return rc;
}

static int fill_row(struct builder *b, size_t pair)
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
    size_t start = contexts->row_start[x];
    TRY(sparse_row_add(&b->row, contexts->column + start, contexts->value + start,
                       contexts->row_start[x + 1] - start, 1.0));
    if (o->overlap > 0.0) {
        TRY(add_overlap(b, pair));
    }
    if (o->shape > 0.0) {
        TRY(add_shape(b, pair));
    }
    return o->patch > 0.0 ? add_patch(b, pair) : REGRET_OK;
}

static size_t columns_of(const struct regret_pairs *pairs, const struct regret_feature_options *o)
{
    return o->buckets + (o->agent > 0.0 ? pairs->n_agents : 0);
}

int regret_features_build(struct regret_csr **out, const struct regret_pairs *pairs,
                          const struct regret_feature_options *options)
{
    struct builder b;
    struct regret_csr *phi = NULL;
    size_t capacity = 0;
    int rc;
    TRY(check_options(options, pairs));
    TRY_CLEANUP(builder_init(&b, pairs, options));
    TRY_CLEANUP(build_contexts(&b));
    TRY_CLEANUP(regret_csr_new(&phi, pairs->n_pairs, columns_of(pairs, options), 0));
    for (size_t i = 0; i < pairs->n_pairs; i++) {
        TRY_CLEANUP(fill_row(&b, i));
        TRY_CLEANUP(append_row(phi, &capacity, i, &b.row));
        if (options->agent > 0.0) {
            append_agent(phi, i, &b);
        }
    }
    *out = phi;
    phi = NULL;
cleanup:
    builder_free(&b);
    regret_csr_free(phi);
    return rc;
}
