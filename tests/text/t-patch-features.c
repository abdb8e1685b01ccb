/* The keys of one small patch written out by hand, hashed and summed densely. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <xxhash.h>

#include "regret/text.h"

enum { BUCKETS = 512 };

static const char ISSUE[] = "joinParts drops the path of base_url";
static const char PATCH[] = "--- a/lib/url.py\n+++ b/lib/url.py\n@@ -3,2 +3,3 @@ def join(self)\n"
                            "-old_name = base_url\n+joinParts(base_url)\n+# base_url\n ctx\n";

/* A key: what it is, its text, and for patch-issue whether the issue has it. */
struct key {
    char part;
    const char *text;
    int said;
};

/* Ends with a part of 0. A `part` of '=' stands for the bare text. */
static const struct {
    const char *name;
    struct key keys[24];
} SPACES[] = {
    {"patch-path",
     {{'d', "lib/", 0}, {'f', "url.py", 0}, {'x', "py", 0}, {'w', "lib", 0}, {'w', "url", 0}, {0}}},
    {"patch-added",
     {{'i', "joinParts", 0},
      {'w', "join", 0},
      {'w', "parts", 0},
      {'i', "base_url", 0},
      {'w', "base", 0},
      {'w', "url", 0},
      {'i', "base_url", 0},
      {'w', "base", 0},
      {'w', "url", 0},
      {0}}},
    {"patch-removed",
     {{'i', "old_name", 0},
      {'w', "old", 0},
      {'w', "name", 0},
      {'i', "base_url", 0},
      {'w', "base", 0},
      {'w', "url", 0},
      {0}}},
    {"patch-hunk",
     {{'i', "def", 0},
      {'w', "def", 0},
      {'i', "join", 0},
      {'w', "join", 0},
      {'i', "self", 0},
      {'w', "self", 0},
      {0}}},
    {"patch-issue",
     {{'i', "lib", 0},
      {'i', "url", 0},
      {'i', "old_name", 0},
      {'i', "base_url", 1},
      {'i', "joinParts", 1},
      {'w', "lib", 0},
      {'w', "url", 1},
      {'w', "old", 0},
      {'w', "name", 0},
      {'w', "base", 1},
      {'w', "join", 1},
      {'w', "parts", 1},
      {0}}},
    {"patch-shape",
     {{'=', "files=2", 0},
      {'=', "hunks=2", 0},
      {'=', "added_lines=3", 0},
      {'=', "removed_lines=2", 0},
      {'=', "context_lines=2", 0},
      {'=', "test_files=0", 0},
      {'=', "new_files=0", 0},
      {'=', "deleted_files=0", 0},
      {'=', "moved_files=0", 0},
      {'=', "binary_files=0", 0},
      {'=', "mode_changes=0", 0},
      {'=', "folders=2", 0},
      {'=', "defects=0", 0},
      {'=', "largest_hunk=10", 0},
      {'=', "reformatted=0", 0},
      {'=', "comment_lines=5", 0},
      {'=', "gap=0", 0},
      {0}}}};

static uint64_t hash_of(const struct key *key, const char *space, int marked)
{
    unsigned char bytes[10] = {(unsigned char)key->part};
    uint64_t seed = XXH3_64bits_withSeed(space, strlen(space), 5);
    uint64_t h = XXH3_64bits(key->text, strlen(key->text));
    if (key->part == '=') {
        return XXH3_64bits_withSeed(key->text, strlen(key->text), seed);
    }
    for (int i = 0; i < 8; i++) {
        bytes[1 + i] = (unsigned char)(h >> (8 * i));
    }
    bytes[9] = (unsigned char)key->said;
    return XXH3_64bits_withSeed(bytes, marked ? 10 : 9, seed);
}

static void expected_row(double *row, double scale)
{
    memset(row, 0, BUCKETS * sizeof *row);
    for (size_t s = 0; s < sizeof SPACES / sizeof *SPACES; s++) {
        double part[BUCKETS] = {0}, squares = 0.0;
        for (const struct key *key = SPACES[s].keys; key->part != 0; key++) {
            uint64_t h = hash_of(key, SPACES[s].name, strcmp(SPACES[s].name, "patch-issue") == 0);
            part[h % BUCKETS] += h >> 63 ? -1.0 : 1.0;
        }
        for (size_t b = 0; b < BUCKETS; b++) {
            squares += part[b] * part[b];
        }
        for (size_t b = 0; b < BUCKETS; b++) {
            row[b] += scale * part[b] / sqrt(squares);
        }
    }
}

struct fixture {
    const char *contexts[1], *outputs[2];
    uint32_t context_of[2];
    struct regret_tokens *context_tokens, *output_tokens;
    struct regret_pairs pairs;
    struct regret_feature_options options;
};

static int fixture_build(struct fixture *f)
{
    *f = (struct fixture){.contexts = {ISSUE}, .outputs = {PATCH, ""}};
    f->options = (struct regret_feature_options){.buckets = BUCKETS, .patch = 1.5, .seed = 5};
    int rc = regret_tokens_build(&f->context_tokens, f->contexts, 1);
    if (rc == REGRET_OK) {
        rc = regret_tokens_build(&f->output_tokens, f->outputs, 2);
    }
    f->pairs = (struct regret_pairs){.n_pairs = 2,
                                     .contexts = f->context_tokens,
                                     .outputs = f->output_tokens,
                                     .context = f->context_of,
                                     .output_texts = f->outputs,
                                     .context_texts = f->contexts};
    return rc;
}

static void fixture_free(struct fixture *f)
{
    regret_tokens_free(f->context_tokens);
    regret_tokens_free(f->output_tokens);
}

Test(patch_features, agree_with_keys_written_by_hand)
{
    struct fixture f;
    struct regret_csr *phi = NULL;
    double expected[BUCKETS], row[BUCKETS] = {0};
    cr_assert_eq(fixture_build(&f), 0);
    cr_assert_eq(regret_features_build(&phi, &f.pairs, &f.options), 0);
    expected_row(expected, 1.5);
    for (size_t e = phi->row_start[0]; e < phi->row_start[1]; e++) {
        row[phi->column[e]] = phi->value[e];
    }
    for (size_t b = 0; b < BUCKETS; b++) {
        cr_assert_float_eq(row[b], expected[b], 1e-14, "bucket %zu: %g, expected %g", b, row[b],
                           expected[b]);
    }
    cr_assert_gt(phi->row_start[2], phi->row_start[1]); /* an empty patch has a shape, too */
    regret_csr_free(phi);
    fixture_free(&f);
}

Test(patch_features, want_their_texts)
{
    struct fixture f;
    struct regret_csr *phi = NULL;
    cr_assert_eq(fixture_build(&f), 0);
    f.pairs.output_texts = NULL;
    cr_assert_eq(regret_features_build(&phi, &f.pairs, &f.options), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "patch scale to 0"));
    f.options.patch = 0.0;
    cr_assert_eq(regret_features_build(&phi, &f.pairs, &f.options), 0);
    cr_assert_eq(phi->row_start[2], 0);
    regret_csr_free(phi);
    fixture_free(&f);
}
