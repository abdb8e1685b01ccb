#include "text/patch.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/names.h"
#include "base/status.h"
#include "regret/status.h"
#include "text/buckets.h"
#include "text/patch_parse.h"

/* Measures of a patch that statistics, components and features share. */

/* Columns of regret_patch_statistics(). */
enum patch_measure {
    PATCH_FILES,
    PATCH_HUNKS,
    PATCH_ADDED,
    PATCH_REMOVED,
    PATCH_CONTEXT,
    PATCH_LOG_CHANGED,
    PATCH_TEST_FILES,
    PATCH_NEW_FILES,
    PATCH_DELETED_FILES,
    PATCH_MOVED_FILES,
    PATCH_BINARY_FILES,
    PATCH_MODE_CHANGES,
    PATCH_FOLDERS,
    PATCH_LOG_GAP,
    PATCH_LARGEST_HUNK,
    PATCH_REFORMATTED,
    PATCH_COMMENT_LINES,
    PATCH_DEFECTS
};

/* What an issue says, and the quality components of its patches. */

FREED_POINTER(struct regret_patch_issue, regret_patch_issue_free)

/* From here on a patch is as large, and its hunks as far apart, as can be told [C]. */
static const double LARGEST = 500.0, WIDEST = 10000.0;

int regret_patch_issue_read(struct regret_patch_issue **out, const char *text, size_t length)
{
    FREED_BY(regret_patch_issue_free_at) struct regret_patch_issue *issue = NULL;
    TRY(REGRET_NEW(&issue, 1));
    TRY(excluded_words(&issue->excluded));
    struct word_sink sink = {&issue->excluded, &issue->identifiers, &issue->words};
    sink_text(&sink, (struct regret_span){text, length});
    TRY(issue->identifiers.status);
    TRY(issue->words.status);
    hash_bag_unite(&issue->identifiers);
    hash_bag_unite(&issue->words);
    *out = issue;
    issue = NULL;
    return REGRET_OK;
}

void regret_patch_issue_free(struct regret_patch_issue *issue)
{
    if (issue == NULL) {
        return;
    }
    hash_bag_free(&issue->excluded);
    hash_bag_free(&issue->identifiers);
    hash_bag_free(&issue->words);
    regret_free(issue);
}

/* One minus x on a logarithmic scale from 0 to `top`. */
static double logarithmic(double x, double top)
{
    return 1.0 - fmin(1.0, log1p(x) / log1p(top));
}

/* Lines of the old files between two hunks of the same file, summed over files. */
static double patch_gap(const struct regret_patch *patch)
{
    double gap = 0.0;
    for (size_t f = 0; f < patch->n_files; f++) {
        const struct regret_patch_file *file = &patch->files[f];
        for (size_t i = 1; i < file->n_hunks; i++) {
            const struct regret_patch_hunk *hunk = &patch->hunks[file->first_hunk + i];
            size_t end = hunk[-1].old_start + hunk[-1].old_lines;
            gap += hunk->old_start > end ? (double)(hunk->old_start - end) : 0.0;
        }
    }
    return gap;
}

static double locality(const struct regret_patch *patch)
{
    double changed = (double)(patch->added + patch->removed), files = 0.0, hunks = 0.0;
    for (size_t f = 0; changed > 0.0 && f < patch->n_files; f++) {
        double share = (double)(patch->files[f].added + patch->files[f].removed) / changed;
        files += share * share;
    }
    for (size_t h = 0; changed > 0.0 && h < patch->n_hunks; h++) {
        double share = (double)(patch->hunks[h].added + patch->hunks[h].removed) / changed;
        hunks += share * share;
    }
    if (changed == 0.0) {
        files = 1.0 / (double)patch->n_files;
        hunks = patch->n_hunks > 0 ? 1.0 / (double)patch->n_hunks : 1.0;
    }
    return 0.5 * files + 0.5 * hunks * logarithmic(patch_gap(patch), WIDEST);
}

/* The path up to the extension of its last part. */
static struct regret_span without_extension(struct regret_span path)
{
    for (size_t i = path.length; i-- > 1 && path.text[i] != '/';) {
        if (path.text[i] == '.' && path.text[i - 1] != '/') {
            return (struct regret_span){path.text, i};
        }
    }
    return path;
}

/* P: how much of the files' paths the issue says. */
static int path_share(double *out, const struct regret_patch *patch,
                      const struct regret_patch_issue *issue)
{
    FREED_BY(hash_bag_free) struct hash_bag words = {NULL, 0, 0, REGRET_OK};
    const struct word_sink sink = {&issue->excluded, NULL, &words};
    double sum = 0.0;
    for (size_t f = 0; f < patch->n_files; f++) {
        words.n = 0;
        sink_text(&sink, without_extension(patch->files[f].path));
        hash_bag_unite(&words);
        sum += hash_bag_share(&words, &issue->words);
    }
    *out = sum / (double)patch->n_files;
    return words.status;
}

/* I and W: how much of the changed lines' identifiers and words. */
static int line_shares(double *identifier_share, double *word_share,
                       const struct regret_patch *patch, const struct regret_patch_issue *issue)
{
    FREED_BY(hash_bag_free) struct hash_bag identifiers = {NULL, 0, 0, REGRET_OK};
    FREED_BY(hash_bag_free) struct hash_bag words = {NULL, 0, 0, REGRET_OK};
    const struct word_sink changed = {&issue->excluded, &identifiers, &words};
    const struct word_sink section = {&issue->excluded, NULL, &words};
    for (size_t i = 0; i < patch->n_lines; i++) {
        if (patch->lines[i].sign != ' ') {
            sink_text(&changed, patch->lines[i].text);
        }
    }
    for (size_t h = 0; h < patch->n_hunks; h++) {
        sink_text(&section, patch->hunks[h].section);
    }
    TRY(identifiers.status != REGRET_OK ? identifiers.status : words.status);
    hash_bag_unite(&identifiers);
    hash_bag_unite(&words);
    *identifier_share = hash_bag_share(&identifiers, &issue->identifiers);
    *word_share = hash_bag_share(&words, &issue->words);
    return REGRET_OK;
}

int regret_patch_components(double out[REGRET_PATCH_COMPONENTS], const struct regret_patch *patch,
                            const struct regret_patch_issue *issue)
{
    double paths = 0.0, identifiers = 0.0, words = 0.0;
    if (patch->n_files == 0) {
        out[REGRET_PATCH_SIZE] = out[REGRET_PATCH_LOCALITY] = out[REGRET_PATCH_FOCUS] = 0.0;
        return REGRET_OK;
    }
    TRY(path_share(&paths, patch, issue));
    TRY(line_shares(&identifiers, &words, patch, issue));
    out[REGRET_PATCH_SIZE] = logarithmic((double)(patch->added + patch->removed), LARGEST);
    out[REGRET_PATCH_LOCALITY] = locality(patch);
    out[REGRET_PATCH_FOCUS] = (sqrt(paths) + sqrt(identifiers) + sqrt(words)) / 3.0;
    return REGRET_OK;
}

const char *regret_patch_component_name(size_t k)
{
    static const char *const names[REGRET_PATCH_COMPONENTS] = {"size", "locality", "focus"};
    return k < REGRET_PATCH_COMPONENTS ? names[k] : NULL;
}

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

static int is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* A number for what a line holds besides white space (FNV-1a); 0 for a blank line. */
static uint64_t essence(struct regret_span line)
{
    uint64_t hash = 0xcbf29ce484222325U;
    size_t n = 0;
    for (size_t i = 0; i < line.length; i++) {
        if (!is_blank(line.text[i])) {
            hash = (hash ^ (unsigned char)line.text[i]) * 0x100000001b3U;
            n++;
        }
    }
    return n > 0 ? hash | 1 : 0;
}

/* The largest number of pairs of equal members, one from each of two sorted lists. */
static size_t matches(const uint64_t *a, size_t n, const uint64_t *b, size_t m)
{
    size_t found = 0;
    for (size_t i = 0, j = 0; i < n && j < m;) {
        if (a[i] == b[j]) {
            found++;
            i++;
            j++;
        } else if (a[i] < b[j]) {
            i++;
        } else {
            j++;
        }
    }
    return found;
}

/* Share of the changed lines, blank ones aside, that differ in white space only. */
static int reformatted(double *out, const struct regret_patch *patch)
{
    FREED uint64_t *lines = NULL; /* removed ones from the front, added ones from the back */
    size_t matched = 0, changed = 0;
    TRY(REGRET_NEW(&lines, patch->n_lines));
    for (size_t h = 0; h < patch->n_hunks; h++) {
        const struct regret_patch_hunk *hunk = &patch->hunks[h];
        size_t removed = 0, added = patch->n_lines;
        for (size_t i = hunk->first_line; i < hunk->first_line + hunk->n_lines; i++) {
            uint64_t x = patch->lines[i].sign != ' ' ? essence(patch->lines[i].text) : 0;
            if (x != 0 && patch->lines[i].sign == '-') {
                lines[removed++] = x;
            } else if (x != 0) {
                lines[--added] = x;
            }
        }
        size_t n_added = patch->n_lines - added;
        qsort(lines, removed, sizeof *lines, key_compare);
        qsort(lines + added, n_added, sizeof *lines, key_compare);
        matched += matches(lines, removed, lines + added, n_added);
        changed += removed + n_added;
    }
    *out = changed > 0 ? 2.0 * (double)matched / (double)changed : 0.0;
    return REGRET_OK;
}

static int is_comment(struct regret_span line)
{
    static const char *const MARKS[] = {"#", "//", "/*", "*", "\"\"\"", "'''"};
    while (line.length > 0 && is_blank(line.text[0])) {
        line.text++;
        line.length--;
    }
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++) {
        size_t n = strlen(MARKS[i]);
        if (line.length >= n && memcmp(line.text, MARKS[i], n) == 0) {
            return 1;
        }
    }
    return 0;
}

static double comment_share(const struct regret_patch *patch)
{
    size_t comments = 0;
    for (size_t i = 0; i < patch->n_lines; i++) {
        comments += patch->lines[i].sign == '+' && is_comment(patch->lines[i].text);
    }
    return patch->added > 0 ? (double)comments / (double)patch->added : 0.0;
}

static double largest_share(const struct regret_patch *patch)
{
    size_t largest = 0, changed = patch->added + patch->removed;
    for (size_t h = 0; h < patch->n_hunks; h++) {
        size_t n = patch->hunks[h].added + patch->hunks[h].removed;
        largest = n > largest ? n : largest;
    }
    return changed > 0 ? (double)largest / (double)changed : 0.0;
}

static int folders(double *out, const struct regret_patch *patch)
{
    FREED_BY(hash_bag_free) struct hash_bag found = {NULL, 0, 0, REGRET_OK};
    for (size_t f = 0; f < patch->n_files; f++) {
        struct regret_span path = patch->files[f].path;
        while (path.length > 0 && path.text[path.length - 1] != '/') {
            path.length--;
        }
        hash_bag_add(&found, regret_hash64(path.text, path.length));
    }
    hash_bag_unite(&found);
    TRY(found.status);
    *out = (double)found.n;
    return REGRET_OK;
}

static void count_files(double *out, const struct regret_patch *patch)
{
    for (size_t f = 0; f < patch->n_files; f++) {
        const struct regret_patch_file *file = &patch->files[f];
        out[PATCH_TEST_FILES] += file->is_test;
        out[PATCH_NEW_FILES] += file->change == REGRET_PATCH_ADDED;
        out[PATCH_DELETED_FILES] += file->change == REGRET_PATCH_DELETED;
        out[PATCH_MOVED_FILES] +=
            file->change == REGRET_PATCH_RENAMED || file->change == REGRET_PATCH_COPIED;
        out[PATCH_BINARY_FILES] += file->binary;
        out[PATCH_MODE_CHANGES] += file->mode_changed;
    }
}

int regret_patch_statistics(double out[REGRET_PATCH_STATISTICS], const struct regret_patch *patch)
{
    double value[REGRET_PATCH_STATISTICS] = {0};
    if (patch->n_files > 0) {
        value[PATCH_FILES] = (double)patch->n_files;
        value[PATCH_HUNKS] = (double)patch->n_hunks;
        value[PATCH_ADDED] = (double)patch->added;
        value[PATCH_REMOVED] = (double)patch->removed;
        value[PATCH_CONTEXT] = (double)patch->context;
        value[PATCH_LOG_CHANGED] = log1p((double)(patch->added + patch->removed));
        value[PATCH_LOG_GAP] = log1p(patch_gap(patch));
        value[PATCH_LARGEST_HUNK] = largest_share(patch);
        value[PATCH_COMMENT_LINES] = comment_share(patch);
        value[PATCH_DEFECTS] = (double)patch->defects;
        count_files(value, patch);
        TRY(folders(&value[PATCH_FOLDERS], patch));
        TRY(reformatted(&value[PATCH_REFORMATTED], patch));
    }
    memcpy(out, value, sizeof value);
    return REGRET_OK;
}

const char *regret_patch_statistic_name(size_t j)
{
    static const char *const names[REGRET_PATCH_STATISTICS] = {
        [PATCH_FILES] = "files",
        [PATCH_HUNKS] = "hunks",
        [PATCH_ADDED] = "added_lines",
        [PATCH_REMOVED] = "removed_lines",
        [PATCH_CONTEXT] = "context_lines",
        [PATCH_LOG_CHANGED] = "log_changed_lines",
        [PATCH_TEST_FILES] = "test_files",
        [PATCH_NEW_FILES] = "new_files",
        [PATCH_DELETED_FILES] = "deleted_files",
        [PATCH_MOVED_FILES] = "moved_files",
        [PATCH_BINARY_FILES] = "binary_files",
        [PATCH_MODE_CHANGES] = "mode_changes",
        [PATCH_FOLDERS] = "folders",
        [PATCH_LOG_GAP] = "log_gap",
        [PATCH_LARGEST_HUNK] = "largest_hunk",
        [PATCH_REFORMATTED] = "reformatted",
        [PATCH_COMMENT_LINES] = "comment_lines",
        [PATCH_DEFECTS] = "defects"};
    return j < REGRET_PATCH_STATISTICS ? names[j] : NULL;
}
