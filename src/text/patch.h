/* Patches: components, features, statistics. */
#ifndef TEXT_PATCH_H
#define TEXT_PATCH_H

#include <stddef.h>
#include <stdint.h>

#include "regret/status.h"
#include "text/buckets.h"
#include "text/patch_parse.h"

/* What an issue says. */

struct regret_patch_issue {
    struct hash_bag excluded, identifiers, words; /* united; owned */
};

/* Unified diffs: what a patch does, told by the patch itself.
 *
 * The reader takes what git and diff write: git headers (renames, copies, new and deleted files,
 * mode changes, binary files), plain ---/+++ headers, "\ No newline at end of file", CRLF, text
 * before, between and after the files. Every sequence of bytes is a patch: what breaks the format
 * is skipped and counted as a defect, because agents do hand in broken patches. */

struct regret_patch_line {
    struct regret_span text;  /* without the first column and the line's end */
    char sign;                /* '+' added, '-' removed, ' ' context */
    unsigned char no_newline; /* 1: followed by "\ No newline at end of file" */
};

struct regret_patch_hunk {
    size_t old_start, old_lines, new_start, new_lines; /* as the header says */
    size_t added, removed, context;                    /* as counted */
    size_t first_line, n_lines;                        /* in regret_patch.lines */
    struct regret_span section;                        /* after the second @@; often the function */
};

/* What a patch does to a file. */
enum regret_patch_change {
    REGRET_PATCH_MODIFIED,
    REGRET_PATCH_ADDED,
    REGRET_PATCH_DELETED,
    REGRET_PATCH_RENAMED,
    REGRET_PATCH_COPIED
};

struct regret_patch_file {
    struct regret_span old_path, path; /* without a/ and b/ and without the prefixes of git's
                                           diff.mnemonicPrefix; `path` is the old one for a deleted
                                           file; empty where the patch names none. A path that git
                                           put in quotes keeps its escapes */
    enum regret_patch_change change;
    unsigned char binary;       /* 1: contents not shown as lines */
    unsigned char mode_changed; /* 1: permissions changed */
    unsigned char is_test;      /* regret_path_is_test(path) */
    size_t first_hunk, n_hunks; /* in regret_patch.hunks */
    size_t added, removed, context;
};

/* A parsed patch. Spans borrow the text it was made from and are never absent. */
struct regret_patch {
    struct regret_patch_file *files; /* in the patch's order; owned */
    size_t n_files;
    struct regret_patch_hunk *hunks; /* owned */
    size_t n_hunks;
    struct regret_patch_line *lines; /* owned */
    size_t n_lines;
    size_t added, removed, context; /* lines of all files */
    size_t defects; /* hunks cut short, hunk headers that cannot be read, lines of content outside
                       the hunks */
};

/* Parses `length` bytes; any bytes will do. A hunk ends when the counts of its header are used up,
 * at the first line that cannot be its next, or at the end. An empty line inside a hunk is an empty
 * context line whose blank was lost; up to three such lines may lack at the end of the text, where
 * trimming takes them. Linear in the bytes; the memory is of the order of the lines.
 * The only error is REGRET_E_NOMEM. */
int regret_patch_parse(struct regret_patch **out, const char *text, size_t length);
void regret_patch_free(struct regret_patch *patch); /* NULL is fine */

/* 1 for a path of tests, letters of either case [C]: a folder named test, tests, testing, __tests__
 * or spec; or a file named conftest.py, test.*, tests.*, test_*, tests_*, *_test.*, *_tests.*,
 * *.test.*, *.spec.* or *_spec.*. */
int regret_path_is_test(struct regret_span path);

/* Statistics of a patch, the labels T of the auxiliary proxy (protocol §4):
 *   files                files touched
 *   hunks
 *   added_lines, removed_lines, context_lines
 *   log_changed_lines    ln(1 + added + removed)
 *   test_files           of the files touched, those of tests
 *   new_files, deleted_files, moved_files (renamed or copied), binary_files, mode_changes
 *   folders              distinct folders of the files touched
 *   log_gap              ln(1 + gap): the spread of hunks; gap = lines of the old files that lie
 *                        between two hunks of the same file, summed over files
 *   largest_hunk         share of the changed lines that is in the hunk with most of them
 *   reformatted          share of the changed lines (blank ones aside) that come back in the same
 *                        hunk with other white space, a removed and an added line matched one to
 *                        one; 2·matches/(removed + added)
 *   comment_lines        share of the added lines that begin with #, //, /\*, *, or three quotes
 *   defects
 * All 0 for a patch without a file. Shares of nothing are 0. */
enum { REGRET_PATCH_STATISTICS = 18 };
int regret_patch_statistics(double out[REGRET_PATCH_STATISTICS], const struct regret_patch *patch);
/* The name of statistic j above; NULL when j >= REGRET_PATCH_STATISTICS. */
const char *regret_patch_statistic_name(size_t j);

/* What an issue says, prepared once for all its patches: its identifiers and words. */
struct regret_patch_issue; /* opaque */
int regret_patch_issue_read(struct regret_patch_issue **out, const char *text, size_t length);
void regret_patch_issue_free(struct regret_patch_issue *issue); /* NULL is fine */

/* Quality components of a patch, each in [0,1], 1 the best [C]; all 0 for a patch that changes
 * nothing (no file), which is a patch that cannot be judged, not a perfect one.
 *
 * size      1 − min(1, ln(1 + n)/ln(1 + 500)), n = added + removed lines. 1 changed line: 0.89;
 *           10: 0.61; 100: 0.26; from 500 on: 0. A change without lines (a binary file, a pure
 *           rename) has n = 0 and size 1.
 * locality  ½·C_file + ½·C_hunk·G. C is the concentration of the changed lines, Σ share² over the
 *           files or the hunks (1 in one place, 1/k spread evenly over k; where nothing is counted
 *           in lines, the shares of k files or hunks are even and no hunk counts as one); G =
 *           1 − min(1, ln(1 + gap)/ln(1 + 10000)) with the gap of the statistics.
 * focus     (√P + √I + √W)/3, three shares of what the patch touches that the issue speaks of,
 *           under a root because they are small for the best of patches:
 *   P  mean over the files of the share of the distinct words of the path that are words of the
 *      issue (extension left out; a path without words counts 0)
 *   I  share of the distinct identifiers of the changed lines that stand in the issue, case and all
 *   W  share of the distinct words of the changed lines and of the hunks' sections that do
 *   An identifier is a run of letters, digits, _ and bytes from 0x80 that does not begin with a
 *   digit, three bytes or longer. Words are its parts between underscores, digits and changes of
 *   case (parseURLPath: parse, url, path), in lower case (ASCII), three bytes or longer. English
 *   function words and the commonest keywords of programming languages are neither. */
enum { REGRET_PATCH_SIZE, REGRET_PATCH_LOCALITY, REGRET_PATCH_FOCUS, REGRET_PATCH_COMPONENTS };
int regret_patch_components(double out[REGRET_PATCH_COMPONENTS], const struct regret_patch *patch,
                            const struct regret_patch_issue *issue);
/* "size", "locality", "focus"; NULL when k >= REGRET_PATCH_COMPONENTS. */
const char *regret_patch_component_name(size_t k);

/* The patch namespaces of φ; include/regret/text.h defines their keys. */

enum patch_space {
    PATCH_SPACE_PATH,
    PATCH_SPACE_ADDED,
    PATCH_SPACE_REMOVED,
    PATCH_SPACE_HUNK,
    PATCH_SPACE_ISSUE,
    PATCH_SPACE_SHAPE,
    PATCH_SPACES
};

/* Keys that a patch of `length` bytes has at most in any namespace. */
size_t patch_keys_most(size_t length);

/* Seeds of the namespaces under the hash's seed. */
void patch_space_seeds(uint64_t seed[PATCH_SPACES], uint64_t hash_seed);

/* Adds the keys of one namespace to the bag, whose seed is set. */
int patch_add_keys(struct key_bag *bag, enum patch_space space, const struct regret_patch *patch,
                   const struct regret_patch_issue *issue);

#endif
