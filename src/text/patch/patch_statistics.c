#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/hash.h"
#include "text/patch/patch_measures.h"
#include "text/patch/patch_words.h"
#include "text/words/keys.h"

double patch_gap(const struct regret_patch *patch)
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
