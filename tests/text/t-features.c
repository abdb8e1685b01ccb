/* The reference below builds φ from strings: words cut at blanks, keys compared with strcmp, a
 * dense vector a namespace. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "regret/text.h"
#include "text/features.h"

enum { CONTEXTS = 3, PAIRS = 6, BUCKETS = 256, WORDS = 40, AGENTS = 3, TAGS = 2, COLUMNS = 4 };
enum { MOST_COLUMNS = 2 * BUCKETS + AGENTS + TAGS + AGENTS * TAGS + COLUMNS + AGENTS * COLUMNS };

static const char *const contexts[CONTEXTS] = {"the quick brown fox jumps over the lazy dog",
                                               "one two three two one", ""};
static const char *const outputs[PAIRS] = {
    "quick fox", "the dog the dog the wolf", "", "two one two", "fox", "nothing here nothing"};
static const uint32_t context_of[PAIRS] = {0, 0, 0, 1, 1, 2}, agent_of[PAIRS] = {0, 1, 2, 0, 1, 0};
static const uint32_t tag_of[CONTEXTS] = {1, 0, 1};
/* Two numbers, and a word that is one of two. */
static const double covariate[CONTEXTS][COLUMNS] = {
    {0.5, -1.25, 1.0, 0.0}, {-1.5, 0.0, 0.0, 1.0}, {1.0, 1.25, 1.0, 0.0}};

struct words {
    char word[WORDS][16];
    size_t n;
};

static struct words split(const char *text)
{
    struct words w = {.n = 0};
    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");
        memcpy(w.word[w.n], text, length);
        w.word[w.n++][length] = '\0';
        text += length;
    }
    return w;
}

/* A bag of keys: readable names to tell keys apart, bytes to hash them. */
struct bag {
    struct {
        char name[48];
        unsigned char bytes[40];
        size_t length, count;
    } key[2 * WORDS];
    size_t n;
};

static void put(struct bag *bag, const char *name, const void *bytes, size_t length)
{
    for (size_t k = 0; k < bag->n; k++) {
        if (strcmp(bag->key[k].name, name) == 0) {
            bag->key[k].count++;
            return;
        }
    }
    snprintf(bag->key[bag->n].name, sizeof bag->key[0].name, "%s", name);
    memcpy(bag->key[bag->n].bytes, bytes, length);
    bag->key[bag->n].length = length;
    bag->key[bag->n++].count = 1;
}

static void le64(unsigned char *bytes, uint64_t x)
{
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(x >> (8 * i) & 0xff);
    }
}

static void put_grams(struct bag *bag, const struct words *w)
{
    char name[48];
    unsigned char bytes[16];
    for (size_t i = 0; i < w->n; i++) {
        le64(bytes, XXH3_64bits(w->word[i], strlen(w->word[i])));
        put(bag, w->word[i], bytes, 8);
        if (i + 1 < w->n) {
            snprintf(name, sizeof name, "%s %s", w->word[i], w->word[i + 1]);
            le64(bytes + 8, XXH3_64bits(w->word[i + 1], strlen(w->word[i + 1])));
            put(bag, name, bytes, 16);
        }
    }
}

static int contains(const struct words *w, const char *word)
{
    for (size_t i = 0; i < w->n; i++) {
        if (strcmp(w->word[i], word) == 0) {
            return 1;
        }
    }
    return 0;
}

static void put_overlap(struct bag *bag, const struct words *output, const struct words *context)
{
    for (size_t i = 0; i < output->n; i++) {
        char name[48];
        unsigned char bytes[9];
        const char *word = output->word[i];
        bytes[8] = (unsigned char)contains(context, word);
        snprintf(name, sizeof name, "%s %d", word, bytes[8]);
        le64(bytes, XXH3_64bits(word, strlen(word)));
        put(bag, name, bytes, 9);
    }
}

static void put_level(struct bag *bag, const char *name, int level)
{
    char key[40];
    snprintf(key, sizeof key, "%s=%d", name, level);
    put(bag, key, key, strlen(key));
}

/* The texts have no punctuation: one line and one sentence, or none. */
static void put_shape(struct bag *bag, const struct words *output, const struct words *context)
{
    size_t novel = 0, repeated = 0;
    for (size_t i = 0; i < output->n; i++) {
        struct words before = *output;
        before.n = i;
        novel += !contains(context, output->word[i]);
        repeated += contains(&before, output->word[i]);
    }
    double n = output->n > 0 ? (double)output->n : 1.0;
    put_level(bag, "length", (int)floor(2 * log2(1.0 + (double)output->n)));
    put_level(bag, "sentences", output->n > 0 ? 2 : 0);
    put_level(bag, "lines", output->n > 0 ? 2 : 0);
    put_level(bag, "compression", (int)floor(2 * log2(1.0 + (double)context->n / n)));
    put_level(bag, "punctuation", 0);
    put_level(bag, "novelty", (int)floor(10.0 * (double)novel / n));
    put_level(bag, "repetition", (int)floor(10.0 * (double)repeated / n));
}

static void add_keys(double *row, const struct bag *bag, uint64_t seed, double scale)
{
    double part[BUCKETS] = {0}, squares = 0.0;
    for (size_t k = 0; k < bag->n; k++) {
        uint64_t h = XXH3_64bits_withSeed(bag->key[k].bytes, bag->key[k].length, seed);
        double count = (double)bag->key[k].count;
        part[h % BUCKETS] += h >= (uint64_t)1 << 63 ? -count : count;
    }
    for (size_t b = 0; b < BUCKETS; b++) {
        squares += part[b] * part[b];
    }
    for (size_t b = 0; b < BUCKETS && squares > 0.0; b++) {
        row[b] += scale * part[b] / sqrt(squares);
    }
}

static void add_namespace(double *row, const struct bag *bag, const char *name, double scale,
                          const struct regret_feature_options *o)
{
    add_keys(row, bag, XXH3_64bits_withSeed(name, strlen(name), o->seed), scale);
}

/* The blocks behind the buckets, one after the other as far as they are on; returns how many columns there are. */
static size_t reference_blocks(double *row, size_t pair, const struct bag *words,
                               const struct regret_feature_options *o)
{
    size_t at = BUCKETS, a = agent_of[pair], x = context_of[pair];
    const unsigned char agent[4] = {(unsigned char)a, 0, 0, 0};
    if (o->agent > 0.0) {
        row[at + a] = o->agent;
        at += AGENTS;
    }
    if (o->tag > 0.0) {
        row[at + tag_of[x]] = o->tag;
        at += TAGS;
    }
    if (o->agent_tag > 0.0) {
        row[at + a * TAGS + tag_of[x]] = o->agent_tag;
        at += (size_t)AGENTS * TAGS;
    }
    for (size_t j = 0; o->columns > 0.0 && j < COLUMNS; j++) {
        row[at++] = o->columns * covariate[x][j];
    }
    for (size_t j = 0; o->agent_columns > 0.0 && j < (size_t)AGENTS * COLUMNS; j++) {
        row[at++] = j / COLUMNS == a ? o->agent_columns * covariate[x][j % COLUMNS] : 0.0;
    }
    if (o->agent_words > 0.0) {
        uint64_t seed = XXH3_64bits_withSeed("agent-words", 11, o->seed);
        add_keys(row + at, words, XXH3_64bits_withSeed(agent, 4, seed), o->agent_words);
        at += BUCKETS;
    }
    return at;
}

/* Returns the number of columns. */
static size_t reference_row(double *row, size_t pair, const struct regret_feature_options *o)
{
    struct words output = split(outputs[pair]), context = split(contexts[context_of[pair]]);
    static struct bag bags[4];
    memset(bags, 0, sizeof bags);
    memset(row, 0, MOST_COLUMNS * sizeof *row);
    put_grams(&bags[0], &output);
    put_grams(&bags[1], &context);
    put_overlap(&bags[2], &output, &context);
    put_shape(&bags[3], &output, &context);
    add_namespace(row, &bags[0], "output", o->output, o);
    add_namespace(row, &bags[1], "context", o->context, o);
    add_namespace(row, &bags[2], "overlap", o->overlap, o);
    add_namespace(row, &bags[3], "shape", o->shape, o);
    return reference_blocks(row, pair, &bags[1], o);
}

struct fixture {
    struct regret_tokens *contexts, *outputs;
    struct regret_csr *columns;
    struct regret_pairs pairs;
};

static struct regret_csr *covariates(void)
{
    struct regret_csr *m = NULL;
    cr_assert_eq(regret_csr_new(&m, CONTEXTS, COLUMNS, (size_t)CONTEXTS * COLUMNS), REGRET_OK);
    for (size_t x = 0, e = 0; x < CONTEXTS; x++) {
        for (uint32_t j = 0; j < COLUMNS; j++, e++) {
            m->column[e] = j;
            m->value[e] = covariate[x][j];
        }
        m->row_start[x + 1] = e; /* behind its last */
    }
    return m;
}

static struct fixture fixture_new(void)
{
    struct fixture f = {0};
    cr_assert_eq(regret_tokens_build(&f.contexts, contexts, CONTEXTS), REGRET_OK);
    cr_assert_eq(regret_tokens_build(&f.outputs, outputs, PAIRS), REGRET_OK);
    f.columns = covariates();
    f.pairs = (struct regret_pairs){.n_pairs = PAIRS,
                                    .contexts = f.contexts,
                                    .outputs = f.outputs,
                                    .context = context_of,
                                    .agent = agent_of,
                                    .n_agents = AGENTS,
                                    .tag = tag_of,
                                    .n_tags = TAGS,
                                    .columns = f.columns};
    return f;
}

static void fixture_free(struct fixture *f)
{
    regret_tokens_free(f->contexts);
    regret_tokens_free(f->outputs);
    regret_csr_free(f->columns);
}

static void check_options(const struct fixture *f, const struct regret_feature_options *o)
{
    struct regret_csr *phi = NULL;
    cr_assert_eq(regret_features_build(&phi, &f->pairs, o), REGRET_OK);
    for (size_t i = 0; i < PAIRS; i++) {
        double expected[MOST_COLUMNS], row[MOST_COLUMNS] = {0};
        size_t columns = reference_row(expected, i, o);
        cr_assert(phi->rows == PAIRS && phi->cols == columns);
        for (size_t e = phi->row_start[i]; e < phi->row_start[i + 1]; e++) {
            cr_assert(e == phi->row_start[i] || phi->column[e - 1] < phi->column[e]);
            cr_assert_neq(phi->value[e], 0.0);
            row[phi->column[e]] = phi->value[e];
        }
        for (size_t b = 0; b < MOST_COLUMNS; b++) {
            cr_assert_float_eq(row[b], expected[b], 1e-14, "pair %zu bucket %zu: %g, expected %g",
                               i, b, row[b], expected[b]);
        }
    }
    regret_csr_free(phi);
}

Test(features, agree_with_the_reference)
{
    struct fixture f = fixture_new();
    struct regret_feature_options o = REGRET_FEATURE_OPTIONS_INIT;
    o.buckets = BUCKETS;
    check_options(&f, &o);
    o.seed = 77;
    o.agent = 0.7;
    o.overlap = 2.0;
    check_options(&f, &o);
    o.context = o.shape = 0.0;
    check_options(&f, &o);
    fixture_free(&f);
}

/* Every set of the blocks that can be on, each with a scale of its own. */
Test(features, blocks_agree_with_the_reference)
{
    struct fixture f = fixture_new();
    for (unsigned on = 0; on < 64; on++) {
        struct regret_feature_options o = REGRET_FEATURE_OPTIONS_INIT;
        double *const scale[] = {&o.agent,   &o.tag,           &o.agent_tag,
                                 &o.columns, &o.agent_columns, &o.agent_words};
        o.buckets = BUCKETS;
        o.seed = on;
        for (size_t i = 0; i < 6; i++) {
            *scale[i] = on >> i & 1 ? 0.5 + (double)i : 0.0;
        }
        check_options(&f, &o);
    }
    fixture_free(&f);
}

/* The layout is that of the columns of φ: no gap, no overlap, in the order of the enumeration. */
Test(features, blocks_are_laid_out_one_behind_the_other)
{
    static const char *const names[] = {"buckets", "agent",         "tag",        "agent_tag",
                                        "columns", "agent_columns", "agent_words"};
    struct regret_feature_options o = {
        .buckets = 8, .agent = 1.0, .agent_tag = 2.0, .agent_words = 1.0};
    struct regret_feature_block block[REGRET_FEATURE_BLOCKS];
    const size_t first[] = {0, 8, 11, 11, 17, 17, 17}, columns[] = {8, 3, 0, 6, 0, 0, 8};
    cr_assert_eq(regret_feature_blocks(block, &o, 3, 2, 5), 25);
    for (size_t i = 0; i < REGRET_FEATURE_BLOCKS; i++) {
        cr_assert_str_eq(block[i].name, names[i]);
        cr_assert(block[i].first == first[i] && block[i].columns == columns[i], "%s", names[i]);
    }
    o.columns = o.agent_columns = o.tag = 1.0;
    cr_assert_eq(regret_feature_blocks(block, &o, 3, 2, 5), 8 + 3 + 2 + 6 + 5 + 15 + 8);
    cr_assert_eq(regret_feature_blocks(block, &o, 0, 0, 0), 16);
}

/* The two parts are φ. */
Test(features, parts_add_up)
{
    struct fixture f = fixture_new();
    struct regret_feature_options o = REGRET_FEATURE_OPTIONS_INIT;
    struct regret_csr *whole = NULL, *pairs = NULL, *of_contexts = NULL;
    o.buckets = BUCKETS;
    o.agent = o.tag = o.agent_tag = o.columns = o.agent_columns = o.agent_words = 0.75;
    cr_assert_eq(regret_features_build(&whole, &f.pairs, &o), REGRET_OK);
    cr_assert_eq(features_build_parts(&pairs, &of_contexts, &f.pairs, &o), REGRET_OK);
    cr_assert(pairs->rows == PAIRS && of_contexts->rows == CONTEXTS);
    cr_assert(pairs->cols == whole->cols && of_contexts->cols == whole->cols);
    for (size_t i = 0; i < PAIRS; i++) {
        double row[MOST_COLUMNS] = {0};
        const struct regret_csr *const part[] = {whole, pairs, of_contexts};
        const size_t at[] = {i, i, context_of[i]};
        for (size_t k = 0; k < 3; k++) {
            for (size_t e = part[k]->row_start[at[k]]; e < part[k]->row_start[at[k] + 1]; e++) {
                row[part[k]->column[e]] += k == 0 ? part[k]->value[e] : -part[k]->value[e];
            }
        }
        for (size_t j = 0; j < MOST_COLUMNS; j++) {
            cr_assert_float_eq(row[j], 0.0, 1e-15);
        }
    }
    regret_csr_free(whole);
    regret_csr_free(pairs);
    regret_csr_free(of_contexts);
    fixture_free(&f);
}

/* Other numbers for the tags move their columns, and nothing else. */
Test(features, numbering_tags_anew_permutes_their_columns)
{
    struct fixture f = fixture_new();
    struct regret_feature_options o = {
        .buckets = BUCKETS, .output = 1.0, .agent = 2.0, .tag = 1.5, .agent_tag = 3.0};
    const uint32_t other_way[CONTEXTS] = {0, 1, 0};
    struct regret_csr *a = NULL, *b = NULL;
    enum { TAG = BUCKETS + AGENTS, CROSS = TAG + TAGS };
    cr_assert_eq(regret_features_build(&a, &f.pairs, &o), REGRET_OK);
    f.pairs.tag = other_way;
    cr_assert_eq(regret_features_build(&b, &f.pairs, &o), REGRET_OK);
    cr_assert_eq(regret_csr_entries(a), regret_csr_entries(b));
    for (size_t e = 0; e < regret_csr_entries(a); e++) {
        size_t j = a->column[e];
        size_t moved = j < TAG     ? j
                       : j < CROSS ? TAG + (1 - (j - TAG))
                                   : CROSS + (j - CROSS) / TAGS * TAGS + (1 - (j - CROSS) % TAGS);
        cr_assert_eq(b->column[e], moved);
        cr_assert_eq(b->value[e], a->value[e]);
    }
    regret_csr_free(a);
    regret_csr_free(b);
    fixture_free(&f);
}

/* Rows of two agents have no word of a context in common but by collision, rows of one agent on contexts with the same
 * words all of them. */
Test(features, words_of_contexts_are_each_agents_own)
{
    struct fixture f = fixture_new();
    struct regret_feature_options o = {.buckets = (size_t)1 << 20, .agent_words = 2.0, .seed = 3};
    struct regret_csr *phi = NULL;
    const uint32_t one_context[PAIRS] = {0}, one_agent[PAIRS] = {0, 0, 1, 1, 2, 2};
    f.pairs.context = one_context;
    f.pairs.agent = one_agent;
    cr_assert_eq(regret_features_build(&phi, &f.pairs, &o), REGRET_OK);
    for (size_t p = 0; p < PAIRS; p++) {
        for (size_t q = 0; q < PAIRS; q++) {
            double inner = 0.0;
            for (size_t i = phi->row_start[p]; i < phi->row_start[p + 1]; i++) {
                for (size_t j = phi->row_start[q]; j < phi->row_start[q + 1]; j++) {
                    inner += phi->column[i] == phi->column[j] ? phi->value[i] * phi->value[j] : 0.0;
                }
            }
            cr_assert_float_eq(inner, one_agent[p] == one_agent[q] ? 4.0 : 0.0, 1e-13);
        }
    }
    regret_csr_free(phi);
    fixture_free(&f);
}

static void refused(const struct fixture *f, const struct regret_feature_options *o,
                    const char *words)
{
    struct regret_csr *phi = NULL;
    cr_assert_eq(regret_features_build(&phi, &f->pairs, o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), words), "%s", regret_error_message());
    cr_assert_null(phi);
}

Test(features, blocks_of_what_is_not_there_are_refused)
{
    struct fixture f = fixture_new();
    const struct regret_feature_options tag = {.buckets = 16, .tag = 1.0},
                                        cross = {.buckets = 16, .agent_tag = 1.0},
                                        columns = {.buckets = 16, .agent_columns = 1.0},
                                        words = {.buckets = 16, .agent_words = 1.0},
                                        wrong = {.buckets = 16, .agent_words = NAN};
    refused(&f, &wrong, "a feature scale of nan");
    f.pairs.n_tags = 1;
    refused(&f, &tag, "context 0 has tag 1, but there are only 1");
    f.pairs.n_tags = (size_t)1 << 30;
    refused(&f, &cross, "make more than 2147483647 features");
    f.pairs.tag = NULL;
    refused(&f, &tag, "set features.tag and features.agent_tag to 0");
    refused(&f, &cross, "no context has a tag");
    f.columns->rows = CONTEXTS - 1;
    refused(&f, &columns, "columns of 2 contexts, but there are 3");
    f.columns->rows = CONTEXTS;
    f.pairs.columns = NULL;
    refused(&f, &columns, "features.agent_columns to 0");
    f.pairs.agent = NULL;
    refused(&f, &words, "set the agent scales to 0");
    fixture_free(&f);
}

Test(features, each_namespace_has_the_length_of_its_scale)
{
    struct fixture f = fixture_new();
    struct regret_feature_options o = {.buckets = BUCKETS, .context = 0.3, .seed = 1};
    struct regret_csr *phi = NULL;
    cr_assert_eq(regret_features_build(&phi, &f.pairs, &o), REGRET_OK);
    for (size_t i = 0; i < PAIRS; i++) {
        double squares = 0.0;
        for (size_t e = phi->row_start[i]; e < phi->row_start[i + 1]; e++) {
            squares += phi->value[e] * phi->value[e];
        }
        cr_assert_float_eq(sqrt(squares), context_of[i] == 2 ? 0.0 : 0.3, 1e-15);
    }
    regret_csr_free(phi);
    fixture_free(&f);
}

Test(features, bad_input_is_refused)
{
    struct fixture f = fixture_new();
    struct regret_feature_options o = REGRET_FEATURE_OPTIONS_INIT;
    struct regret_csr *phi = NULL;
    o.buckets = 1000;
    cr_assert_eq(regret_features_build(&phi, &f.pairs, &o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "power of two"));
    o.buckets = 1024;
    o.output = -1.0;
    cr_assert_eq(regret_features_build(&phi, &f.pairs, &o), REGRET_E_INPUT);
    o.output = 1.0;
    o.agent = 1.0;
    f.pairs.agent = NULL;
    cr_assert_eq(regret_features_build(&phi, &f.pairs, &o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "agent"));
    f.pairs.agent = agent_of;
    f.pairs.n_agents = AGENTS - 1;
    cr_assert_eq(regret_features_build(&phi, &f.pairs, &o), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(), "pair 2 is of agent 2, but there are only 2");
    o.agent = 0.0;
    const uint32_t far[PAIRS] = {0, 0, 3, 0, 0, 0};
    f.pairs.context = far;
    cr_assert_eq(regret_features_build(&phi, &f.pairs, &o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "pair 2"));
    f.pairs.context = context_of;
    f.pairs.n_pairs = PAIRS - 1;
    cr_assert_eq(regret_features_build(&phi, &f.pairs, &o), REGRET_E_INPUT);
    cr_assert_null(phi);
    fixture_free(&f);
}

/* The columns of agents are the buckets' neighbours: those of the words stay what they were, few as
 * they are, and two rows with the same words differ in the agent alone. */
Test(features, agents_share_no_column_with_words)
{
    struct fixture f = fixture_new();
    struct regret_feature_options o = {.buckets = 2, .output = 1.0, .seed = 1};
    struct regret_csr *without = NULL, *with = NULL;
    cr_assert_eq(regret_features_build(&without, &f.pairs, &o), REGRET_OK);
    o.agent = 30.0;
    cr_assert_eq(regret_features_build(&with, &f.pairs, &o), REGRET_OK);
    cr_assert(without->cols == 2 && with->cols == 2 + AGENTS);
    for (size_t i = 0; i < PAIRS; i++) {
        size_t n = without->row_start[i + 1] - without->row_start[i], at = with->row_start[i];
        cr_assert_eq(with->row_start[i + 1] - at, n + 1);
        for (size_t e = 0; e < n; e++) {
            cr_assert_eq(with->column[at + e], without->column[without->row_start[i] + e]);
            cr_assert_eq(with->value[at + e], without->value[without->row_start[i] + e]);
        }
        cr_assert_eq(with->column[at + n], 2 + agent_of[i]);
        cr_assert_eq(with->value[at + n], 30.0);
    }
    regret_csr_free(without);
    regret_csr_free(with);
    fixture_free(&f);
}
