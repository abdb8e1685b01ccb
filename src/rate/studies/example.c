/* The example set: everything the module reads, from texts made here. */
#include <string.h>

#include "base/core/try.h"
#include "rate/rows/streams.h"
#include "rate/rows/words.h"
#include "rate/studies/corpus.h"
#include "rate/studies/simulated.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/rate_study.h"

enum { ROWS = 160, UNLABELLED_ROWS = 80, AUTHORS_ROWS = 30, TEXTS = 200, LEARNT = 400 };
static const uint64_t SEED = 20250611;

enum example_layout { LAYOUT_OURS, LAYOUT_AUTHORS };

/* What one file of rows is made of. */
struct recipe {
    uint32_t set; /* a stream of its own */
    enum simulated_attribute attribute;
    enum example_layout layout;
    size_t n;
    int hide_every; /* W is left out of every k-th row; 0: of none */
};

struct example_text {
    struct regret_buffer side[REGRET_N_SIDES];
    int w, z;
};

/* Bad reviews carry more typos than good ones, and long ones tend to be good: what the naive and
 * the single-rewrite estimates fall for. */
static int make_text(struct example_text *t, const struct known_words *known,
                     const struct recipe *recipe, size_t number)
{
    struct regret_rng rng = regret_rng_at(
        SEED, REGRET_RNG_RATE, stream_index(STREAM_CORPUS, recipe->set, (uint32_t)number));
    FREED_BY(regret_buffer_free) struct regret_buffer clean = REGRET_BUFFER_INIT;
    t->w = (int)regret_rng_below(&rng, 2);
    t->z = regret_rng_below(&rng, 20) < (t->w ? 13U : 7U);
    int positive = recipe->attribute == SIMULATED_SENTIMENT ? t->w : t->z;
    int is_long = recipe->attribute == SIMULATED_SENTIMENT ? t->z : t->w;
    corpus_review(&clean, positive, is_long, &rng);
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        regret_buffer_clear(&t->side[side]);
    }
    regret_rate_add_typos(&t->side[0], regret_buffer_get(&clean), t->w ? 4 : 12, &rng);
    simulated_rewrite(&t->side[1], known, regret_buffer_get(&t->side[0]), recipe->attribute, !t->w,
                      &rng);
    simulated_rewrite(&t->side[2], known, regret_buffer_get(&t->side[1]), recipe->attribute, t->w,
                      &rng);
    TRY(regret_buffer_status(&clean));
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        TRY(regret_buffer_status(&t->side[side]));
    }
    return REGRET_OK;
}

static const char *const side_keys[2][REGRET_N_SIDES] = {
    {"original", "rewrite", "rewrite_of_rewrite"}, {"original", "rewrite", "rewritten rewrite"}};

/* Six digits: the same bytes wherever the mathematical functions differ in their last bit. */
static void append_triple(struct regret_buffer *out, const char *model, const double value[3],
                          enum example_layout layout)
{
    regret_buffer_json_string(out, model);
    regret_buffer_printf(out, ": {\"%s\": %.6f, \"%s\": %.6f, \"%s\": %.6f}", side_keys[layout][0],
                         value[0], side_keys[layout][1], value[1], side_keys[layout][2], value[2]);
}

/* A language model's log-likelihood of a text, before (base) and after an edit (policy) that made
 * it fonder of courtesies and of praise: simulated by the reward of the careful model. */
static double likelihood(const struct known_words *known, const char *text, int edited)
{
    double words = 0.0;
    const char *at = text;
    while (next_word(&at).text != NULL) {
        words += 1.0;
    }
    return -2.25 * words + (edited ? 0.8 * simulated_reward(known, 0, text) : 0.0);
}

static void append_scores(struct regret_buffer *out, const struct known_words *known,
                          const struct example_text *t, enum example_layout layout)
{
    double value[REGRET_N_SIDES];
    for (int m = 0; m < SIMULATED_MODELS; m++) {
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            value[side] = simulated_reward(known, m, regret_buffer_get(&t->side[side]));
        }
        regret_buffer_append(out, m > 0 ? ", " : "");
        append_triple(out, simulated_model_names[m], value, layout);
    }
    for (int edited = 0; edited < 2 && layout == LAYOUT_OURS; edited++) {
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            value[side] = likelihood(known, regret_buffer_get(&t->side[side]), edited);
        }
        regret_buffer_append(out, ", ");
        append_triple(out, edited ? "sim-policy" : "sim-base", value, layout);
    }
}

static void append_contrast(struct regret_buffer *out, const struct known_words *known,
                            const struct example_text *t)
{
    const char *own = regret_buffer_get(&t->side[0]), *flipped = regret_buffer_get(&t->side[1]);
    const char *back = regret_buffer_get(&t->side[2]);
    regret_buffer_printf(
        out, ", \"contrasts\": {\"sim-judge\": {\"single\": %.6f, \"double\": %.6f}}",
        t->w ? simulated_contrast(known, own, flipped) : simulated_contrast(known, flipped, own),
        t->w ? simulated_contrast(known, back, flipped) : simulated_contrast(known, flipped, back));
}

static void append_completions(struct regret_buffer *out, const struct example_text *t,
                               enum example_layout layout)
{
    regret_buffer_append(out, "\"completions\": {");
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        regret_buffer_printf(out, "%s\"%s\": ", side > 0 ? ", " : "", side_keys[layout][side]);
        regret_buffer_json_string(out, regret_buffer_get(&t->side[side]));
    }
    regret_buffer_append(out, "}");
}

static void append_row(struct regret_buffer *out, const struct known_words *known,
                       const struct recipe *recipe, const struct example_text *t, size_t number)
{
    if (recipe->layout == LAYOUT_AUTHORS) {
        regret_buffer_printf(out,
                             "{\"w_original\": %s, \"reward_question\": \"Write a review: \", ",
                             t->w ? "true" : "false");
        append_completions(out, t, LAYOUT_AUTHORS);
        regret_buffer_append(out, ", ");
        append_scores(out, known, t, LAYOUT_AUTHORS);
        regret_buffer_append(out, "}\n");
        return;
    }
    const char *attribute = recipe->attribute == SIMULATED_SENTIMENT ? "sentiment" : "length";
    int hidden = recipe->hide_every > 0 && number % (size_t)recipe->hide_every == 0;
    regret_buffer_printf(out,
                         "{\"id\": \"%s-%03zu\", \"dataset\": \"synthetic-reviews\", "
                         "\"attribute\": \"%s\", \"w\": %s, \"z\": %s, \"prompt\": \"Write a "
                         "review.\", ",
                         attribute, number, attribute,
                         hidden ? "null"
                         : t->w ? "true"
                                : "false",
                         t->z ? "true" : "false");
    append_completions(out, t, LAYOUT_OURS);
    regret_buffer_append(out, ", \"scores\": {");
    append_scores(out, known, t, LAYOUT_OURS);
    regret_buffer_append(out, "}");
    append_contrast(out, known, t);
    regret_buffer_append(out, "}\n");
}

static int append_rows(struct regret_buffer *out, const struct known_words *known,
                       const struct recipe *recipe)
{
    struct example_text t = {{REGRET_BUFFER_INIT, REGRET_BUFFER_INIT, REGRET_BUFFER_INIT}, 0, 0};
    int rc;
    for (size_t i = 0; i < recipe->n; i++) {
        TRY_CLEANUP(make_text(&t, known, recipe, i));
        append_row(out, known, recipe, &t, i);
    }
    rc = regret_buffer_status(out);
cleanup:
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        regret_buffer_free(&t.side[side]);
    }
    return rc;
}

/* Clean texts: what the typo experiment starts from, and what the simulator learns its words from.
 */
static int make_clean(struct regret_buffer *out, size_t number)
{
    struct regret_rng rng =
        regret_rng_at(SEED, REGRET_RNG_RATE, stream_index(STREAM_CORPUS, 0, (uint32_t)number));
    regret_buffer_clear(out);
    int positive = (int)regret_rng_below(&rng, 2), is_long = (int)regret_rng_below(&rng, 2);
    corpus_review(out, positive, is_long, &rng);
    return regret_buffer_status(out);
}

static int learn_words(struct known_words *known)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < LEARNT; i++) {
        TRY(make_clean(&text, i));
        TRY(known_words_learn(known, regret_buffer_get(&text)));
    }
    for (size_t k = 0; k < SENTIMENT_PAIRS; k++) {
        TRY(known_words_learn(known, sentiment_words[k][0]));
        TRY(known_words_learn(known, sentiment_words[k][1]));
    }
    return known_words_learn(known, "Thank you for reading. Here is a review.");
}

static int append_texts(struct regret_buffer *out)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < TEXTS; i++) {
        TRY(make_clean(&text, i));
        regret_buffer_printf(out, "{\"id\": \"text-%03zu\", \"text\": ", i);
        regret_buffer_json_string(out, regret_buffer_get(&text));
        regret_buffer_append(out, "}\n");
    }
    return regret_buffer_status(out);
}

static const char rough_rows[] =
    "{\"id\": \"a\", \"w\": true, \"scores\": {\"m1\": {\"original\": 1.0, \"rewrite\": 0.5, "
    "\"rewrite_of_rewrite\": 0.9}, \"m2\": {\"original\": 3, \"rewrite\": 2, "
    "\"rewrite_of_rewrite\": 4}}}\n"
    "{\"id\": \"b\", \"w\": true, \"scores\": {\"m1\": {\"original\": 1.2, \"rewrite\": 0.4, "
    "\"rewrite_of_rewrite\": 1.0}, \"m2\": {\"original\": 4, \"rewrite\": 2, "
    "\"rewrite_of_rewrite\": null}}}\n"
    "{\"id\": \"c\", \"w\": true, \"scores\": {\"m1\": {\"original\": 1.1, \"rewrite\": 0.7, "
    "\"rewrite_of_rewrite\": 1.3}}}\n"
    "{\"id\": \"d\", \"w\": 2, \"scores\": {\"m1\": {\"original\": 0.3, \"rewrite\": 0.8, "
    "\"rewrite_of_rewrite\": 0.2}, \"m2\": {\"original\": 1, \"rewrite\": 2, "
    "\"rewrite_of_rewrite\": 1}}}\n"
    "{\"id\": \"e\", \"w\": false, \"scores\": {\"m1\": {\"original\": 0.1, \"rewrite\": \"high\", "
    "\"rewrite_of_rewrite\": 0.2}, \"m2\": {\"original\": 1, \"rewrite\": 3, "
    "\"rewrite_of_rewrite\": 1}}}\n"
    "{\"id\": \"a\", \"w\": true, \"scores\": {\"m1\": {\"original\": 9.0, \"rewrite\": 9.5, "
    "\"rewrite_of_rewrite\": 9.9}, \"m2\": {\"original\": 3, \"rewrite\": 2, "
    "\"rewrite_of_rewrite\": 4}}}\n"
    "{\"id\": \"f\", \"scores\": {\"m1\": {\"original\": 0.2, \"rewrite\": 0.8, "
    "\"rewrite_of_rewrite\": 0.3}, \"m2\": {\"original\": 1, \"rewrite\": 2, "
    "\"rewrite_of_rewrite\": 2}}}\n"
    "{\"id\": \"g\", \"w\": false, \"scores\": {\"m1\": {\"original\": 0.4, \"rewrite\": 0.9, "
    "\"rewrite_of_rewrite\": 0.1}, \"m2\": {\"original\": 2, \"rewrite\": 3, "
    "\"rewrite_of_rewrite\": 1}}}\n";

static const char card[] =
    "# Example set for `regret rate`: SYNTHETIC\n\n"
    "Every text was made by this project's own generator, the rewriter is a small program with "
    "the\n"
    "habits of a language model (it mends typos and adds courtesies nobody asked for), and the\n"
    "reward models are formulas. Nothing here says anything about a real model. The bytes come\n"
    "from `regret rate example -o DIR`, always the same.\n\n"
    "| file | what |\n|---|---|\n"
    "| rows.jsonl | 160 rows each for the attributes sentiment and length; rewards by sim-careful "
    "and sim-chatty, log-likelihoods by sim-policy and sim-base (a model edit), a contrastive "
    "sim-judge; `z` is the other attribute |\n"
    "| authors-layout.jsonl | 30 rows in the layout of the paper's public code |\n"
    "| unlabelled.jsonl | 80 rows, W missing in every second |\n"
    "| rough.jsonl | eight rows with every kind of fault |\n"
    "| texts.jsonl | 200 clean texts for the typo experiment |\n\n"
    "What is true here: low-W texts carry more typos (12 % of the words against 4 %), the "
    "rewriter\n"
    "mends 95 % of those one swap away from a known word, and both reward models dislike unknown\n"
    "words. So naive and single-rewrite estimates mix the attribute with spelling.\n";

static int write_file(const char *folder, const char *name, const char *data, size_t length)
{
    FREED char *path = NULL;
    TRY(regret_path_join(&path, folder, name));
    return regret_file_write(path, data, length);
}

static int write_rows(const char *folder, const char *name, const struct known_words *known,
                      const struct recipe *recipes, size_t n)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    for (size_t k = 0; k < n; k++) {
        TRY(append_rows(&text, known, &recipes[k]));
    }
    return write_file(folder, name, regret_buffer_get(&text), text.length);
}

static int write_all(const char *folder, const struct known_words *known)
{
    static const struct recipe rows[2] = {{1, SIMULATED_SENTIMENT, LAYOUT_OURS, ROWS, 0},
                                          {2, SIMULATED_LENGTH, LAYOUT_OURS, ROWS, 0}};
    static const struct recipe authors = {3, SIMULATED_SENTIMENT, LAYOUT_AUTHORS, AUTHORS_ROWS, 0};
    static const struct recipe unlabelled = {4, SIMULATED_SENTIMENT, LAYOUT_OURS, UNLABELLED_ROWS,
                                             2};
    FREED_BY(regret_buffer_free) struct regret_buffer texts = REGRET_BUFFER_INIT;
    TRY(write_rows(folder, "rows.jsonl", known, rows, 2));
    TRY(write_rows(folder, "authors-layout.jsonl", known, &authors, 1));
    TRY(write_rows(folder, "unlabelled.jsonl", known, &unlabelled, 1));
    TRY(write_file(folder, "rough.jsonl", rough_rows, strlen(rough_rows)));
    TRY(append_texts(&texts));
    TRY(write_file(folder, "texts.jsonl", regret_buffer_get(&texts), texts.length));
    return write_file(folder, "README.md", card, strlen(card));
}

int regret_rate_example(const char *folder, int replace)
{
    struct known_words known = {{0}};
    struct regret_staging staging = REGRET_STAGING_INIT;
    int rc;
    TRY_CLEANUP(learn_words(&known));
    TRY_CLEANUP(regret_staging_begin(&staging, folder, replace,
                                     "rough.jsonl rows.jsonl authors-layout.jsonl "
                                     "unlabelled.jsonl texts.jsonl README.md?"));
    TRY_CLEANUP(write_all(staging.partial, &known));
    rc = regret_staging_commit(&staging);
cleanup:
    regret_staging_abandon(&staging);
    known_words_free(&known);
    return rc;
}
