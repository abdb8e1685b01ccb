#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/buffer.h"
#include "regret/task.h"
#include "text/patch.h"

static struct regret_patch *parsed(const char *text)
{
    struct regret_patch *patch = NULL;
    cr_assert_eq(regret_patch_parse(&patch, text, strlen(text)), 0);
    return patch;
}

static void is(struct regret_span slice, const char *text)
{
    cr_assert(slice.length == strlen(text) && memcmp(slice.text, text, slice.length) == 0,
              "\"%.*s\" is not \"%s\"", (int)slice.length, slice.text, text);
}

static const char GIT[] = "From 1234 Mon Sep 17 00:00:00 2001\n"
                          "Subject: [PATCH] words before the diff\n"
                          "---\n"
                          " src/a.c | 2 +-\n"
                          "diff --git a/src/a.c b/src/a.c\n"
                          "index 123..456 100644\n"
                          "--- a/src/a.c\n"
                          "+++ b/src/a.c\n"
                          "@@ -10,4 +10,5 @@ int main(void)\n"
                          " one\n"
                          "-two\n"
                          "+2\n"
                          "+2.5\n"
                          "\n"
                          " four\n"
                          "@@ -30 +31 @@\n"
                          "--- a/this is a removed line\n"
                          "+++ b/and this an added one\n"
                          "\\ No newline at end of file\n"
                          "diff --git a/old name.txt b/new name.txt\n"
                          "similarity index 100%\n"
                          "rename from old name.txt\n"
                          "rename to new name.txt\n"
                          "diff --git a/tool b/tool\n"
                          "old mode 100644\n"
                          "new mode 100755\n"
                          "diff --git a/tests/new.py b/tests/new.py\n"
                          "new file mode 100644\n"
                          "index 000..111\n"
                          "--- /dev/null\n"
                          "+++ b/tests/new.py\n"
                          "@@ -0,0 +1,2 @@\n"
                          "+# first\n"
                          "+second\n"
                          "diff --git a/gone.py b/gone.py\n"
                          "deleted file mode 100644\n"
                          "--- a/gone.py\n"
                          "+++ /dev/null\n"
                          "@@ -1 +0,0 @@\n"
                          "-x\n"
                          "diff --git a/i.png b/i.png\n"
                          "index 123..456 100644\n"
                          "GIT binary patch\n"
                          "literal 10\n"
                          "RcmZ?wbhEHbRA69W00961001li0H^=}\n"
                          "\n"
                          "literal 0\n"
                          "HcmV?d00001\n"
                          "\n"
                          "diff --git a/j.png b/k.png\n"
                          "similarity index 90%\n"
                          "copy from j.png\n"
                          "copy to k.png\n"
                          "Binary files a/j.png and b/k.png differ\n"
                          "-- \n"
                          "2.39.2\n";

Test(patch, everything_git_writes)
{
    static const struct {
        const char *old, *path;
        enum regret_patch_change change;
        int binary, mode, test;
        size_t hunks, added, removed, context;
    } files[] = {{"src/a.c", "src/a.c", REGRET_PATCH_MODIFIED, 0, 0, 0, 2, 3, 2, 3},
                 {"old name.txt", "new name.txt", REGRET_PATCH_RENAMED, 0, 0, 0, 0, 0, 0, 0},
                 {"tool", "tool", REGRET_PATCH_MODIFIED, 0, 1, 0, 0, 0, 0, 0},
                 {"tests/new.py", "tests/new.py", REGRET_PATCH_ADDED, 0, 0, 1, 1, 2, 0, 0},
                 {"gone.py", "gone.py", REGRET_PATCH_DELETED, 0, 0, 0, 1, 0, 1, 0},
                 {"i.png", "i.png", REGRET_PATCH_MODIFIED, 1, 0, 0, 0, 0, 0, 0},
                 {"j.png", "k.png", REGRET_PATCH_COPIED, 1, 0, 0, 0, 0, 0, 0}};
    struct regret_patch *p = parsed(GIT);
    cr_assert_eq(p->n_files, 7);
    for (size_t f = 0; f < 7; f++) {
        const struct regret_patch_file *file = &p->files[f];
        is(file->old_path, files[f].old);
        is(file->path, files[f].path);
        cr_assert_eq(file->change, files[f].change, "file %zu", f);
        cr_assert(file->binary == files[f].binary && file->mode_changed == files[f].mode &&
                      file->is_test == files[f].test,
                  "file %zu", f);
        cr_assert(file->n_hunks == files[f].hunks && file->added == files[f].added &&
                      file->removed == files[f].removed && file->context == files[f].context,
                  "file %zu", f);
    }
    cr_assert(p->n_hunks == 4 && p->n_lines == 11 && p->defects == 0);
    cr_assert(p->added == 5 && p->removed == 3 && p->context == 3);
    is(p->hunks[0].section, "int main(void)");
    cr_assert(p->hunks[0].old_start == 10 && p->hunks[0].new_lines == 5);
    cr_assert(p->hunks[1].old_lines == 1 && p->hunks[1].new_start == 31);
    is(p->lines[2].text, "2");
    is(p->lines[6].text, "-- a/this is a removed line");
    cr_assert(p->lines[7].sign == '+' && p->lines[7].no_newline && !p->lines[6].no_newline);
    regret_patch_free(p);
}

Test(patch, plain_headers_and_line_ends_of_windows)
{
    struct regret_patch *p = parsed("Index: a.py\r\n"
                                    "===================\r\n"
                                    "--- a.py\t2024-01-01 00:00:00\r\n"
                                    "+++ a.py\t2024-01-02 00:00:00\r\n"
                                    "@@ -1,2 +1,2 @@\r\n"
                                    "-a\r\n"
                                    "+b\r\n"
                                    " c\r\n"
                                    "\r\n"
                                    "--- a/b/test_it.py\n"
                                    "+++ b/b/test_it.py\n"
                                    "@@ -5,0 +6 @@\n"
                                    "+d");
    cr_assert(p->n_files == 2 && p->n_lines == 4 && p->defects == 0);
    is(p->files[0].path, "a.py");
    is(p->files[1].old_path, "b/test_it.py");
    cr_assert(p->files[1].is_test && !p->files[0].is_test);
    is(p->lines[1].text, "b");
    is(p->lines[3].text, "d");
    regret_patch_free(p);
}

Test(patch, paths_git_quotes_and_paths_with_blanks)
{
    struct regret_patch *p = parsed("Binary files old.bin and new.bin differ\n"
                                    "diff --git a/a b/c.txt b/a b/c.txt\nold mode 1\nnew mode 2\n"
                                    "diff --git \"a/\\303\\244.c\" \"b/\\303\\244.c\"\n"
                                    "new file mode 100644\n"
                                    "diff --git a/x b/y\n"
                                    "diff --git nonsense\n");
    cr_assert_eq(p->n_files, 5);
    is(p->files[0].old_path, "old.bin");
    is(p->files[0].path, "new.bin");
    cr_assert(p->files[0].binary && !p->files[1].binary);
    is(p->files[1].path, "a b/c.txt");
    is(p->files[2].path, "\\303\\244.c"); /* as git wrote it */
    cr_assert_eq(p->files[2].change, REGRET_PATCH_ADDED);
    is(p->files[3].old_path, "x");
    is(p->files[3].path, "y");
    is(p->files[4].path, "");
    regret_patch_free(p);
}

/* What git writes with diff.mnemonicPrefix; the first four files by git itself. Folders named like a
 * prefix stay where no such pair says otherwise. */
Test(patch, mnemonic_prefixes)
{
    struct regret_patch *p = parsed("diff --git i/src/a.c w/src/a.c\n"
                                    "--- i/src/a.c\n"
                                    "+++ w/src/a.c\n"
                                    "@@ -1 +1 @@\n"
                                    "-a\n"
                                    "+b\n"
                                    "diff --git c/gone.py i/gone.py\n"
                                    "deleted file mode 100644\n"
                                    "--- c/gone.py\n"
                                    "+++ /dev/null\n"
                                    "@@ -1 +0,0 @@\n"
                                    "-x\n"
                                    "diff --git c/w/new.py w/w/new.py\n"
                                    "new file mode 100644\n"
                                    "--- /dev/null\n"
                                    "+++ w/w/new.py\n"
                                    "@@ -0,0 +1 @@\n"
                                    "+x\n"
                                    "diff --git c/old.c w/moved.c\n"
                                    "similarity index 60%\n"
                                    "rename from old.c\n"
                                    "rename to moved.c\n"
                                    "--- c/old.c\n"
                                    "+++ w/moved.c\n"
                                    "@@ -1 +1 @@\n"
                                    "-x\n"
                                    "+y\n"
                                    "diff --git c/plain.c c/plain.c\n"
                                    "--- c/plain.c\n"
                                    "+++ c/plain.c\n"
                                    "@@ -1 +1 @@\n"
                                    "-x\n"
                                    "+y\n"
                                    "--- /dev/null\n"
                                    "+++ w/plain.c\n"
                                    "@@ -0,0 +1 @@\n"
                                    "+y\n"
                                    "--- 1/one.c\n"
                                    "+++ 2/one.c\n"
                                    "@@ -0,0 +1 @@\n"
                                    "+y\n"
                                    "Binary files i/x.png and w/x.png differ\n");
    static const char *const PATHS[][2] = {{"src/a.c", "src/a.c"},     {"gone.py", "gone.py"},
                                           {"w/new.py", "w/new.py"},   {"old.c", "moved.c"},
                                           {"c/plain.c", "c/plain.c"}, {"", "w/plain.c"},
                                           {"one.c", "one.c"},         {"x.png", "x.png"}};
    cr_assert_eq(p->n_files, sizeof PATHS / sizeof *PATHS);
    for (size_t i = 0; i < p->n_files; i++) {
        is(p->files[i].old_path, PATHS[i][0]);
        is(p->files[i].path, PATHS[i][1]);
    }
    cr_assert_eq(p->defects, 0);
    regret_patch_free(p);
}

Test(patch, what_breaks_the_format_is_counted)
{
    static const struct {
        const char *text;
        size_t files, lines, defects;
    } cases[] = {
        {"", 0, 0, 0},
        {"\n", 0, 0, 0},
        {"# No patch generated\n", 0, 0, 0},
        {"--- a\n", 0, 0, 0},
        {"@@ -1 +1 @@\n-a\n+b\n", 1, 2, 1},            /* no file */
        {"--- a\n+++ b\n@@ -1 +1\n-a\n+b\n", 1, 0, 3}, /* header, two strays */
        {"--- a\n+++ b\n@@ -1,5 +1,5 @@\n-a\ndiff --git a/c b/c\n", 2, 1, 1}, /* cut short */
        {"--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n+c\n d\n", 1, 2, 2},             /* too many lines */
        {"--- a\n+++ b\n@@ -1,3 +1,3 @@\n-a\n+b\n", 1, 2, 0}, /* trimmed at the end */
        {"--- a\n+++ b\n@@ -1,9 +1,9 @@\n-a\n+b\n", 1, 2, 1}, /* more than trimmed */
        {"--- a\n+++ b\n@@ -1,3 +1,2 @@\n-a\n+b\n", 1, 2, 1},
        {"--- a\n+++ b\n@@ -9999999999 +1 @@\n", 1, 0, 1},
        {"--- a\n+++ b\n@@ -1 +1 @@\n\\ No newline\n-a\n+b\n", 1, 0, 4},
        {"@@@ -1 -1 +1 @@@\n", 0, 0, 1},
        {"--- a\n+++ b\n@@ -1 +1 @@\n-a\n\\ No\n+b\n\\ No\n", 1, 2, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct regret_patch *p = parsed(cases[i].text);
        cr_assert(p->n_files == cases[i].files && p->n_lines == cases[i].lines &&
                      p->defects == cases[i].defects,
                  "case %zu: %zu files, %zu lines, %zu defects", i, p->n_files, p->n_lines,
                  p->defects);
        regret_patch_free(p);
    }
}

Test(patch, paths_of_tests)
{
    static const char *const TESTS[] = {"tests/a.py",       "a/test/b.c",       "a/TESTING/b.c",
                                        "test_a.py",        "x/a_test.go",      "conftest.py",
                                        "x/tests.py",       "x/button.spec.ts", "__tests__/a.js",
                                        "a/spec/b_spec.rb", "x/Test_A.py"};
    static const char *const OTHERS[] = {"",          "a.py",         "attest/a.py",
                                         "latest.py", "contest_a.py", "src/testutil.c",
                                         "tests",     "spec.md",      "protest.c"};
    for (size_t i = 0; i < sizeof TESTS / sizeof *TESTS; i++) {
        struct regret_span path = {TESTS[i], strlen(TESTS[i])};
        cr_assert(regret_path_is_test(path), "%s", TESTS[i]);
    }
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        struct regret_span path = {OTHERS[i], strlen(OTHERS[i])};
        cr_assert_not(regret_path_is_test(path), "%s", OTHERS[i]);
    }
}

static double statistic(const struct regret_patch *patch, const char *name)
{
    double value[REGRET_PATCH_STATISTICS];
    cr_assert_eq(regret_patch_statistics(value, patch), 0);
    for (size_t j = 0; j < REGRET_PATCH_STATISTICS; j++) {
        if (strcmp(regret_patch_statistic_name(j), name) == 0) {
            return value[j];
        }
    }
    cr_assert_fail("no statistic %s", name);
    return NAN;
}

Test(patch, statistics_of_the_git_patch)
{
    static const struct {
        const char *name;
        double value;
    } wanted[] = {{"files", 7},
                  {"hunks", 4},
                  {"added_lines", 5},
                  {"removed_lines", 3},
                  {"context_lines", 3},
                  {"test_files", 1},
                  {"new_files", 1},
                  {"deleted_files", 1},
                  {"moved_files", 2},
                  {"binary_files", 2},
                  {"mode_changes", 1},
                  {"folders", 3},
                  {"largest_hunk", 3.0 / 8.0},
                  {"reformatted", 0},
                  {"comment_lines", 1.0 / 5.0},
                  {"defects", 0}};
    struct regret_patch *p = parsed(GIT);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        cr_assert_eq(statistic(p, wanted[i].name), wanted[i].value, "%s", wanted[i].name);
    }
    cr_assert_float_eq(statistic(p, "log_changed_lines"), log(9.0), 1e-14);
    cr_assert_float_eq(statistic(p, "log_gap"), log(1.0 + 30 - 14), 1e-14);
    cr_assert_null(regret_patch_statistic_name(REGRET_PATCH_STATISTICS));
    regret_patch_free(p);
}

Test(patch, reformatting_is_seen_line_by_line)
{
    struct regret_patch *p = parsed("--- a\n+++ b\n@@ -1,4 +1,5 @@\n-if(x){\n-  y;\n-y ;\n-\n"
                                    "+if (x) {\n+\ty;\n+z;\n+\n+\n");
    /* if(x){ and one y; come back: two pairs of six changed lines that are not blank. */
    cr_assert_float_eq(statistic(p, "reformatted"), 4.0 / 6.0, 1e-15);
    regret_patch_free(p);
    p = parsed("# nothing\n");
    for (size_t j = 0; j < REGRET_PATCH_STATISTICS; j++) {
        cr_assert_eq(statistic(p, regret_patch_statistic_name(j)), 0.0);
    }
    regret_patch_free(p);
}

static void components(double out[REGRET_PATCH_COMPONENTS], const char *patch, const char *issue)
{
    struct regret_patch *p = parsed(patch);
    struct regret_patch_issue *x = NULL;
    cr_assert_eq(regret_patch_issue_read(&x, issue, strlen(issue)), 0);
    cr_assert_eq(regret_patch_components(out, p, x), 0);
    regret_patch_issue_free(x);
    regret_patch_free(p);
}

Test(patch, components_by_hand)
{
    double q[REGRET_PATCH_COMPONENTS];
    const char *patch = "--- a/lib/parse_url.py\n+++ b/lib/parse_url.py\n"
                        "@@ -10,2 +10,2 @@ def join_parts(self):\n"
                        "-    return baseURL + path_name\n"
                        "+    return quote(baseURL) + path_name\n"
                        " \n"
                        "@@ -111,1 +111,2 @@\n"
                        " x\n"
                        "+    value3 = None\n"
                        "--- a/docs.txt\n+++ b/docs.txt\n@@ -1 +1,2 @@\n a\n+parts\n";
    components(q, patch, "The URL is not joined to path_name: baseURL and quote of parts.");
    cr_assert_float_eq(q[REGRET_PATCH_SIZE], 1.0 - log(5.0) / log(501.0), 1e-14);
    double files = 0.75 * 0.75 + 0.25 * 0.25, hunks = 0.5 * 0.5 + 2 * 0.25 * 0.25;
    double g = 1.0 - log(1.0 + 111 - 12) / log(10001.0);
    cr_assert_float_eq(q[REGRET_PATCH_LOCALITY], 0.5 * files + 0.5 * hunks * g, 1e-14);
    /* Words of lib/parse_url: lib parse url, one of three; of docs: none of one.
     * Identifiers: baseURL path_name quote value3 parts, all said but value3.
     * Words: base url path name quote value parts join; said: base url path name quote parts
     * (baseURL and path_name stand in the issue). */
    double wanted = (sqrt((1.0 / 3.0 + 0.0) / 2.0) + sqrt(4.0 / 5.0) + sqrt(6.0 / 8.0)) / 3.0;
    cr_assert_float_eq(q[REGRET_PATCH_FOCUS], wanted, 1e-14, "%g %g", q[REGRET_PATCH_FOCUS],
                       wanted);
}

Test(patch, components_at_their_ends)
{
    double q[REGRET_PATCH_COMPONENTS];
    components(q, "", "anything");
    cr_assert(q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0);
    components(q, "diff --git a/a b/a\nold mode 1\nnew mode 2\n", "anything");
    cr_assert(q[REGRET_PATCH_SIZE] == 1.0 && q[REGRET_PATCH_LOCALITY] == 1.0);
    components(q, "diff --git a/a b/a\nold mode 1\nnew mode 2\ndiff --git a/b b/b\nnew mode 3\n",
               "");
    cr_assert_eq(q[REGRET_PATCH_LOCALITY], 0.75); /* two files, no hunk */
    components(q, "--- a/alpha.py\n+++ b/alpha.py\n@@ -1 +1 @@\n-beta\n+gamma\n",
               "alpha beta gamma");
    cr_assert_float_eq(q[REGRET_PATCH_FOCUS], 1.0, 1e-15);
    cr_assert_eq(q[REGRET_PATCH_LOCALITY], 1.0);
    components(q, "--- a/alpha.py\n+++ b/alpha.py\n@@ -1 +1 @@\n-beta\n+gamma\n", "delta");
    cr_assert_eq(q[REGRET_PATCH_FOCUS], 0.0);
    cr_assert_str_eq(regret_patch_component_name(REGRET_PATCH_FOCUS), "focus");
    cr_assert_null(regret_patch_component_name(REGRET_PATCH_COMPONENTS));
}

/* Any order of files and any text in between leaves the components alone. */
Test(patch, components_do_not_depend_on_the_order_of_files)
{
    const char *one = "--- a/one.py\n+++ b/one.py\n@@ -1,2 +1,2 @@ alpha\n-beta\n+gamma\n c\n";
    const char *two = "--- a/two.py\n+++ b/two.py\n@@ -5 +5,3 @@ delta\n-x1\n+beta\n+y2\n+z3\n";
    char ab[400], ba[400];
    double p[REGRET_PATCH_COMPONENTS], q[REGRET_PATCH_COMPONENTS];
    snprintf(ab, sizeof ab, "%s\n%s", one, two);
    snprintf(ba, sizeof ba, "some words\n%s%s", two, one);
    components(p, ab, "beta in one, not in gamma");
    components(q, ba, "beta in one, not in gamma");
    for (size_t k = 0; k < REGRET_PATCH_COMPONENTS; k++) {
        cr_assert_float_eq(p[k], q[k], 1e-15);
    }
}

/* What a made-up patch is known to hold. */
struct truth {
    size_t files, hunks, added, removed, context;
};

static void make_hunk(struct regret_buffer *out, struct truth *truth, struct regret_rng *r)
{
    static const char *const WORDS[] = {
        "alpha", "betaGamma",          "-- a/x", "++ b/y", "@@ -1 +1 @@",
        "",      "diff --git a/x b/x", "\\ No",  "_x9",    "\xc3\xa9"};
    struct regret_buffer body = REGRET_BUFFER_INIT;
    size_t n = 1 + regret_rng_below(r, 8), count[3] = {0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        uint32_t kind = regret_rng_below(r, 3);
        count[kind]++;
        regret_buffer_printf(&body, "%c%s\n", " +-"[kind], WORDS[regret_rng_below(r, 10)]);
    }
    regret_buffer_printf(out, "@@ -%u,%zu +%u,%zu @@ section %u\n", regret_rng_below(r, 500),
                         count[0] + count[2], regret_rng_below(r, 500), count[0] + count[1],
                         regret_rng_below(r, 9));
    regret_buffer_append(out, regret_buffer_get(&body));
    if (regret_rng_below(r, 4) == 0) {
        regret_buffer_append(out, "\\ No newline at end of file\n");
    }
    truth->hunks++;
    truth->context += count[0];
    truth->added += count[1];
    truth->removed += count[2];
    regret_buffer_free(&body);
}

static void make_patch(struct regret_buffer *out, struct truth *truth, struct regret_rng *r)
{
    uint32_t is_git = regret_rng_below(r, 2);
    *truth = (struct truth){0, 0, 0, 0, 0};
    for (uint32_t f = regret_rng_below(r, 4); f > 0; f--) {
        uint32_t name = regret_rng_below(r, 100), manner = is_git ? 1 + regret_rng_below(r, 4) : 0;
        if (is_git) {
            regret_buffer_printf(out, "diff --git a/f%u.py b/f%u.py\n", name, name);
        }
        truth->files++;
        if (manner == 1) {
            regret_buffer_printf(out, "similarity index 90%%\nrename from f%u.py\nrename to g.py\n",
                                 name);
        } else if (manner == 2) {
            regret_buffer_append(out, "index 1..2\nBinary files a/x and b/y differ\n");
        }
        if (manner != 1 && manner != 2) {
            regret_buffer_printf(out, "--- %s\n+++ b/f%u.py\n",
                                 manner == 3 ? "/dev/null" : "a/f.py", name);
            for (uint32_t h = 1 + regret_rng_below(r, 3); h > 0; h--) {
                make_hunk(out, truth, r);
            }
        }
    }
}

Test(patch, whole_patches_are_read_whole, .timeout = 120)
{
    struct regret_rng r = regret_rng_at(77, REGRET_RNG_TEST, 0);
    struct regret_buffer text = REGRET_BUFFER_INIT;
    for (int round = 0; round < 4000; round++) {
        struct truth truth;
        struct regret_patch *p = NULL;
        regret_buffer_clear(&text);
        make_patch(&text, &truth, &r);
        cr_assert_eq(regret_patch_parse(&p, regret_buffer_get(&text), text.length), 0);
        cr_assert(p->n_files == truth.files && p->n_hunks == truth.hunks &&
                      p->added == truth.added && p->removed == truth.removed &&
                      p->context == truth.context && p->defects == 0,
                  "round %d, %zu defects:\n%s", round, p->defects, regret_buffer_get(&text));
        regret_patch_free(p);
    }
    regret_buffer_free(&text);
}
