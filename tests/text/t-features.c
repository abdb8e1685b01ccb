/* What must hold of φ, and what is refused. tests/outside/check_features.py builds φ again from its definition. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "regret/text.h"
#include "text/features.h"

enum { CONTEXTS = 3, PAIRS = 6, BUCKETS = 256, AGENTS = 3, TAGS = 2, COLUMNS = 4 };
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
    const uint32_t far[PAIRS] = {0, 0, 3, 0, 0, 0};
    refused(&f, &(struct regret_feature_options){.buckets = 1000}, "power of two");
    refused(&f, &(struct regret_feature_options){.buckets = 1024, .output = -1.0}, "scale");
    const struct regret_feature_options agent = {.buckets = 1024, .agent = 1.0},
                                        plain = {.buckets = 1024, .output = 1.0};
    f.pairs.agent = NULL;
    refused(&f, &agent, "agent");
    f.pairs.agent = agent_of;
    f.pairs.n_agents = AGENTS - 1;
    refused(&f, &agent, "pair 2 is of agent 2, but there are only 2");
    f.pairs.context = far;
    refused(&f, &plain, "pair 2");
    f.pairs.context = context_of;
    f.pairs.n_pairs = PAIRS - 1;
    refused(&f, &plain, "");
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
