#include "text/features.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "regret/status.h"
#include "regret/text.h"
#include "text/buckets.h"
#include "text/classes.h"
#include "text/internal.h"
#include "text/patch.h"

/* Which texts hold which words, for what looks at one word at a time. */

FREED_POINTER(struct regret_csr, regret_csr_free)
FREED_POINTER(struct regret_terms, regret_terms_free)
FREED_POINTER(struct regret_tokens, regret_tokens_free)

/* A word that fewer texts hold, or lack, tells of these texts rather than of itself. */
enum { LEAST_TEXTS = 5, LEAST_SHARE = 100 };

/* Numbers the columns that enough rows have and lack, in their order, all others UINT32_MAX; returns how many. */
static size_t number_common(uint32_t *number, const struct regret_csr *counts)
{
    size_t least = counts->rows / LEAST_SHARE, n = 0;
    least = least > LEAST_TEXTS ? least : LEAST_TEXTS;
    for (size_t i = 0; i < regret_csr_entries(counts); i++) {
        number[counts->column[i]]++;
    }
    for (size_t j = 0; j < counts->cols; j++) {
        int is_common = number[j] >= least && number[j] + least <= counts->rows;
        number[j] = is_common ? (uint32_t)n++ : UINT32_MAX;
    }
    return n;
}

/* Ones in the columns that have a number, in their order. */
static int keep_common(struct regret_csr **out, const struct regret_csr *counts,
                       const uint32_t *number, size_t n)
{
    size_t entries = 0;
    TRY(regret_csr_new(out, counts->rows, n, regret_csr_entries(counts)));
    for (size_t x = 0; x < counts->rows; x++) {
        for (size_t i = counts->row_start[x]; i < counts->row_start[x + 1]; i++) {
            if (number[counts->column[i]] != UINT32_MAX) {
                (*out)->column[entries] = number[counts->column[i]];
                (*out)->value[entries++] = 1.0;
            }
        }
        (*out)->row_start[x + 1] = entries;
    }
    return REGRET_OK;
}

static int spell(char ***out, const struct regret_csr *words, const char *const *texts,
                 const struct regret_terms *terms, const uint32_t *number)
{
    char **names = NULL;
    int rc;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY_CLEANUP(REGRET_NEW(&names, words->rows + 1));
    for (size_t j = 0; j < terms->counts->cols; j++) {
        if (number[j] != UINT32_MAX) { /* its row begins with the first text that holds it */
            size_t text = words->column[words->row_start[number[j]]];
            TRY_CLEANUP(token_spell(&names[number[j]], texts[text], terms->hash[j]));
        }
    }
    *out = names;
    names = NULL;
cleanup:
    texts_free(names, words->rows);
    return rc;
}

int regret_common_words(struct regret_csr **out, char ***names, const char *const *texts, size_t n)
{
    const struct regret_terms_options options = {.bigrams = 0};
    FREED_BY(regret_tokens_free_at) struct regret_tokens *tokens = NULL;
    FREED_BY(regret_terms_free_at) struct regret_terms *terms = NULL;
    FREED_BY(regret_csr_free_at) struct regret_csr *kept = NULL;
    FREED_BY(regret_csr_free_at) struct regret_csr *words = NULL;
    FREED uint32_t *number = NULL;
    TRY(regret_tokens_build(&tokens, texts, n));
    TRY(regret_terms_build(&terms, tokens, &options));
    TRY(REGRET_NEW(&number, terms->counts->cols + 1));
    size_t n_words = number_common(number, terms->counts);
    TRY(keep_common(&kept, terms->counts, number, n_words));
    TRY(regret_csr_transpose(&words, kept));
    TRY(names != NULL ? spell(names, words, texts, terms, number) : REGRET_OK);
    *out = words;
    words = NULL;
    return REGRET_OK;
}

/* The columns of φ, and what the options may ask of the pairs. */

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

/* regret_feature_blocks() for the pairs at hand. */
static size_t feature_blocks_of(struct regret_feature_block out[REGRET_FEATURE_BLOCKS],
                                const struct regret_feature_options *o,
                                const struct regret_pairs *pairs)
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

/* REGRET_E_INPUT: bad options, or such as want of the pairs what they do not have. */
static int feature_options_check(const struct regret_feature_options *o,
                                 const struct regret_pairs *pairs)
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

FREED_POINTER(struct regret_patch, regret_patch_free)

enum space { OUTPUT, CONTEXT, OVERLAP, SHAPE, AGENT_WORDS, N_SPACES };
enum { SHAPE_KEYS = 7 };

/* Everything one thread's pass over the pairs needs. */
struct builder {
    const struct regret_pairs *pairs;             /* borrowed */
    const struct regret_feature_options *options; /* borrowed */
    struct regret_feature_block block[REGRET_FEATURE_BLOCKS];
    size_t columns; /* of all blocks */
    struct measuring measuring;
    struct sparse_row row;
    struct key_bag bag;
    uint64_t seed[N_SPACES], patch_seed[PATCH_SPACES];
    struct regret_patch_issue **issues; /* of every context, where patches are wanted; shared */
    const struct regret_csr
        *contexts; /* what the pairs of every context have in common, to be added; or NULL */
};

/* What the threads share, and each for itself. */
struct building {
    struct builder *by; /* one a thread */
    size_t threads;
    struct measurer measurer;
    struct regret_patch_issue **issues;
    size_t n_issues;
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

static void building_free(struct building *b)
{
    for (size_t t = 0; b->by != NULL && t < b->threads; t++) {
        measuring_free(&b->by[t].measuring);
        sparse_row_free(&b->by[t].row);
        key_bag_free(&b->by[t].bag);
    }
    regret_free(b->by);
    measurer_free(&b->measurer);
    for (size_t x = 0; b->issues != NULL && x < b->n_issues; x++) {
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

static int read_issues(struct building *b, const struct regret_pairs *pairs)
{
    size_t n = pairs->contexts->n_texts;
    TRY(REGRET_NEW(&b->issues, n));
    b->n_issues = n;
    for (size_t x = 0; x < n; x++) {
        const char *text = pairs->context_texts[x] != NULL ? pairs->context_texts[x] : "";
        TRY(regret_patch_issue_read(&b->issues[x], text, strlen(text)));
    }
    return REGRET_OK;
}

static void lay_out(struct builder *b, const struct regret_pairs *pairs,
                    const struct regret_feature_options *options)
{
    static const char *const names[N_SPACES] = {"output", "context", "overlap", "shape",
                                                "agent-words"};
    b->pairs = pairs;
    b->options = options;
    b->columns = feature_blocks_of(b->block, options, pairs);
    for (int s = 0; s < N_SPACES; s++) {
        b->seed[s] = namespace_seed(names[s], options->seed);
    }
    patch_space_seeds(b->patch_seed, options->seed);
}

static int building_init(struct building *b, const struct regret_pairs *pairs,
                         const struct regret_feature_options *options)
{
    size_t most = most_keys(pairs, options);
    b->threads = regret_threads_allowed();
    TRY(measurer_init(&b->measurer, pairs));
    TRY(options->patch > 0.0 ? read_issues(b, pairs) : REGRET_OK);
    TRY(REGRET_NEW(&b->by, b->threads));
    for (size_t t = 0; t < b->threads; t++) {
        lay_out(&b->by[t], pairs, options);
        b->by[t].issues = b->issues;
        TRY(measuring_init(&b->by[t].measuring, &b->measurer));
        TRY(key_bag_init(&b->by[t].bag, most));
    }
    return REGRET_OK;
}

/* Appends the builder's row to those of its part. */
static int take_row(struct gather_part *part, struct sparse_row *row)
{
    TRY(gather_reserve(part, row->n));
    part->n += sparse_row_take(row, (uint32_t *)part->array[0] + part->n,
                               (double *)part->array[1] + part->n);
    return REGRET_OK;
}

/* A matrix of n rows. */
static int gather_matrix(struct regret_csr **out, size_t n, gather_row *make, struct building *b)
{
    FREED_BY(regret_csr_free_at) struct regret_csr *m = NULL;
    TRY(regret_csr_new(&m, n, b->by->columns, 0));
    struct gather_whole rows = {
        m->row_start,
        {.array = {m->column, m->value}, .size = {sizeof *m->column, sizeof *m->value}}};
    int rc = gather_rows(&rows, n, make, b);
    m->column = rows.all.array[0];
    m->value = rows.all.array[1];
    TRY(rc);
    *out = m;
    m = NULL;
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
    return key_bag_pour(&b->row, &b->bag, o->buckets, scale[space]);
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

static int make_context(void *context, size_t x, size_t worker, struct gather_part *part)
{
    struct builder *b = &((struct building *)context)->by[worker];
    TRY(fill_context(b, x));
    return take_row(part, &b->row);
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
    const uint8_t *known = measure_known(&b->measuring, pair);
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
    measure_shape(value, &b->measuring, pair);
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
        TRY(key_bag_pour(&b->row, &b->bag, b->options->buckets, b->options->patch));
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
    if (contexts != NULL) {
        size_t start = contexts->row_start[x];
        TRY(sparse_row_add(&b->row, 0, contexts->column + start, contexts->value + start,
                           contexts->row_start[x + 1] - start, 1.0));
    }
    TRY(o->overlap > 0.0 ? add_overlap(b, pair) : REGRET_OK);
    TRY(o->shape > 0.0 ? add_shape(b, pair) : REGRET_OK);
    TRY(o->patch > 0.0 ? add_patch(b, pair) : REGRET_OK);
    return add_agent(b, pair);
}

static int make_pair(void *context, size_t pair, size_t worker, struct gather_part *part)
{
    struct builder *b = &((struct building *)context)->by[worker];
    TRY(fill_row(b, pair));
    return take_row(part, &b->row);
}

int features_build_parts(struct regret_csr **of_pairs, struct regret_csr **of_contexts,
                         const struct regret_pairs *pairs,
                         const struct regret_feature_options *options)
{
    FREED_BY(building_free) struct building b = {0};
    FREED_BY(regret_csr_free_at) struct regret_csr *contexts = NULL;
    TRY(feature_options_check(options, pairs));
    TRY(building_init(&b, pairs, options));
    TRY(gather_matrix(&contexts, pairs->contexts->n_texts, make_context, &b));
    for (size_t t = 0; t < b.threads; t++) {
        b.by[t].contexts = of_contexts == NULL ? contexts : NULL;
    }
    TRY(gather_matrix(of_pairs, pairs->n_pairs, make_pair, &b));
    if (of_contexts != NULL) {
        *of_contexts = contexts;
        contexts = NULL;
    }
    return REGRET_OK;
}

int regret_features_build(struct regret_csr **out, const struct regret_pairs *pairs,
                          const struct regret_feature_options *options)
{
    return features_build_parts(out, NULL, pairs, options);
}
