#include "text/patch/patch_features.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <xxhash.h>

#include "base/core/try.h"
#include "text/patch/patch_issue.h"
#include "text/patch/patch_measures.h"
#include "text/words/keys.h"

enum { SHAPE_KEYS = 32 };

/* What a key is made of. */
enum part { IDENTIFIER = 'i', WORD = 'w', FOLDER = 'd', FILE_NAME = 'f', EXTENSION = 'x' };

size_t patch_keys_most(size_t length)
{
    /* Identifiers and words have three bytes or more each; a file takes three bytes or more and
     * has three keys besides the words of its one or two paths. */
    return 2 * length + SHAPE_KEYS;
}

void patch_space_seeds(uint64_t seed[PATCH_SPACES], uint64_t hash_seed)
{
    static const char *const names[PATCH_SPACES] = {"patch-path", "patch-added", "patch-removed",
                                                    "patch-hunk", "patch-issue", "patch-shape"};
    for (int s = 0; s < PATCH_SPACES; s++) {
        seed[s] = namespace_seed(names[s], hash_seed);
    }
}

static void add_part(struct key_bag *bag, enum part part, const char *text, size_t length)
{
    unsigned char bytes[9] = {(unsigned char)part};
    key_store(bytes + 1, XXH3_64bits(text, length));
    key_bag_add(bag, bytes, sizeof bytes);
}

static void add_word(void *context, const char *word, size_t length)
{
    add_part(context, WORD, word, length);
}

static void add_path_words(void *context, struct regret_span name)
{
    visit_words(name, add_word, context);
}

static void add_identifier(void *context, struct regret_span name)
{
    add_part(context, IDENTIFIER, name.text, name.length);
    visit_words(name, add_word, context);
}

/* The folder, the name and the extension of a path, and its words. */
static void add_path(struct key_bag *bag, struct regret_span path)
{
    size_t name = path.length, dot = path.length;
    while (name > 0 && path.text[name - 1] != '/') {
        name--;
    }
    while (dot > name && path.text[dot - 1] != '.') {
        dot--;
    }
    if (path.length == 0) {
        return;
    }
    add_part(bag, FOLDER, path.text, name);
    add_part(bag, FILE_NAME, path.text + name, path.length - name);
    if (dot > name) {
        add_part(bag, EXTENSION, path.text + dot, path.length - dot);
    }
    visit_identifiers(path, add_path_words, bag);
}

static void add_lines(struct key_bag *bag, const struct regret_patch *patch, char sign)
{
    for (size_t i = 0; i < patch->n_lines; i++) {
        if (patch->lines[i].sign == sign) {
            visit_identifiers(patch->lines[i].text, add_identifier, bag);
        }
    }
}

static void add_marked(struct key_bag *bag, enum part part, const struct hash_bag *hashes,
                       const struct hash_bag *said)
{
    unsigned char bytes[10] = {(unsigned char)part};
    for (size_t i = 0; i < hashes->n; i++) {
        key_store(bytes + 1, hashes->hash[i]);
        bytes[9] = (unsigned char)hash_bag_has(said, hashes->hash[i]);
        key_bag_add(bag, bytes, sizeof bytes);
    }
}

/* Distinct identifiers and words of paths and changed lines, said in the issue or not. */
static int add_issue(struct key_bag *bag, const struct regret_patch *patch,
                     const struct regret_patch_issue *issue)
{
    FREED_BY(hash_bag_free) struct hash_bag identifiers = {NULL, 0, 0, REGRET_OK};
    FREED_BY(hash_bag_free) struct hash_bag words = {NULL, 0, 0, REGRET_OK};
    const struct word_sink sink = {&issue->excluded, &identifiers, &words};
    for (size_t f = 0; f < patch->n_files; f++) {
        sink_text(&sink, patch->files[f].path);
    }
    for (size_t i = 0; i < patch->n_lines; i++) {
        if (patch->lines[i].sign != ' ') {
            sink_text(&sink, patch->lines[i].text);
        }
    }
    TRY(identifiers.status != REGRET_OK ? identifiers.status : words.status);
    hash_bag_unite(&identifiers);
    hash_bag_unite(&words);
    add_marked(bag, IDENTIFIER, &identifiers, &issue->identifiers);
    add_marked(bag, WORD, &words, &issue->words);
    return REGRET_OK;
}

/* NAME=level: counts on a logarithmic scale, shares in tenths, logarithms halved. */
static int add_shape(struct key_bag *bag, const struct regret_patch *patch)
{
    static const enum patch_measure counts[] = {
        PATCH_FILES,       PATCH_HUNKS,        PATCH_ADDED,        PATCH_REMOVED,
        PATCH_CONTEXT,     PATCH_TEST_FILES,   PATCH_NEW_FILES,    PATCH_DELETED_FILES,
        PATCH_MOVED_FILES, PATCH_BINARY_FILES, PATCH_MODE_CHANGES, PATCH_FOLDERS,
        PATCH_DEFECTS};
    static const enum patch_measure shares[] = {PATCH_LARGEST_HUNK, PATCH_REFORMATTED,
                                                PATCH_COMMENT_LINES};
    double value[REGRET_PATCH_STATISTICS];
    char key[48];
    TRY(regret_patch_statistics(value, patch));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int n = snprintf(key, sizeof key, "%s=%.0f", regret_patch_statistic_name(counts[i]),
                         floor(2.0 * log2(1.0 + value[counts[i]])));
        key_bag_add(bag, key, (size_t)n);
    }
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        int n = snprintf(key, sizeof key, "%s=%.0f", regret_patch_statistic_name(shares[i]),
                         floor(10.0 * value[shares[i]]));
        key_bag_add(bag, key, (size_t)n);
    }
    int n = snprintf(key, sizeof key, "gap=%.0f", floor(value[PATCH_LOG_GAP]));
    key_bag_add(bag, key, (size_t)n);
    return REGRET_OK;
}

int patch_add_keys(struct key_bag *bag, enum patch_space space, const struct regret_patch *patch,
                   const struct regret_patch_issue *issue)
{
    switch (space) {
    case PATCH_SPACE_PATH:
        for (size_t f = 0; f < patch->n_files; f++) {
            add_path(bag, patch->files[f].path);
        }
        return REGRET_OK;
    case PATCH_SPACE_ADDED:
        add_lines(bag, patch, '+');
        return REGRET_OK;
    case PATCH_SPACE_REMOVED:
        add_lines(bag, patch, '-');
        return REGRET_OK;
    case PATCH_SPACE_HUNK:
        for (size_t h = 0; h < patch->n_hunks; h++) {
            visit_identifiers(patch->hunks[h].section, add_identifier, bag);
        }
        return REGRET_OK;
    case PATCH_SPACE_ISSUE:
        return add_issue(bag, patch, issue);
    default:
        return add_shape(bag, patch);
    }
}
