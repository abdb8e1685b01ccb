/* Diffs: what they say, that they apply, and that other programs can apply them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/rng.h"
#include "synth/corpora.h"
#include "synth/patches/agents/agents.h"
#include "synth/patches/issues/diff.h"
#include "synth/patches/patches.h"

static const struct patches_diff_style git = {3, 1, 1}, plain = {3, 0, 0};

static struct patches_repository *repository(void)
{
    struct patches_repository *out = NULL;
    cr_assert_eq(REGRET_NEW(&out, 1), 0);
    return out;
}

static void drop(struct patches_repository *r)
{
    patches_clear(r);
    regret_free(r);
}

static struct patches_repository *with(const char *path, const char *text)
{
    struct patches_repository *out = repository();
    cr_assert_eq(patches_add_file(out, path, text), 0);
    return out;
}

static void expect_diff(const char *before, const char *after,
                        const struct patches_diff_style *style, const char *wanted)
{
    struct patches_repository *a = with("f.py", before), *b = with("f.py", after);
    struct regret_buffer t = REGRET_BUFFER_INIT;
    cr_assert_eq(patches_diff(&t, a, b, style), 0);
    cr_assert_str_eq(regret_buffer_get(&t), wanted);
    regret_buffer_free(&t);
    drop(a);
    drop(b);
}

Test(patches_diff, writes_what_git_writes)
{
    expect_diff("1\n2\n", "1\n2\n", &git, "");
    expect_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", &plain,
                "--- a/f.py\n+++ b/f.py\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
    expect_diff("1\n", "1\n2\n", &plain, "--- a/f.py\n+++ b/f.py\n@@ -1 +1,2 @@\n 1\n+2\n");
    expect_diff("", "1\n", &plain, "--- a/f.py\n+++ b/f.py\n@@ -0,0 +1 @@\n+1\n");
    expect_diff("1\n2\n", "2\n", &plain, "--- a/f.py\n+++ b/f.py\n@@ -1,2 +1 @@\n-1\n 2\n");
    expect_diff("def f():\n    a\n    b\n    c\n    d\n    e\n",
                "def f():\n    a\n    b\n    c\n    d\n    E\n", &git,
                "diff --git a/f.py b/f.py\n--- a/f.py\n+++ b/f.py\n"
                "@@ -3,4 +3,4 @@ def f():\n     b\n     c\n     d\n-    e\n+    E\n");
}

/* Six unchanged lines between two changes share a hunk, seven do not. */
Test(patches_diff, joins_hunks_as_git_does)
{
    expect_diff(
        "a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n", &plain,
        "--- a/f.py\n+++ b/f.py\n@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n");
    expect_diff("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n", &plain,
                "--- a/f.py\n+++ b/f.py\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n"
                "@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
}

Test(patches_diff, new_files)
{
    struct patches_repository *a = with("f.py", "1\n"), *b = with("f.py", "1\n");
    struct regret_buffer t = REGRET_BUFFER_INIT;
    cr_assert_eq(patches_add_file(b, "g.py", "x\ny\n"), 0);
    cr_assert_eq(patches_diff(&t, a, b, &git), 0);
    cr_assert_str_eq(regret_buffer_get(&t),
                     "diff --git a/g.py b/g.py\nnew file mode 100644\n--- /dev/null\n+++ b/g.py\n"
                     "@@ -0,0 +1,2 @@\n+x\n+y\n");
    cr_assert_eq(patches_apply(a, regret_buffer_get(&t)), 0, "%s", regret_error_message());
    cr_assert_eq(a->n, 2);
    cr_assert_str_eq(regret_buffer_get(&a->files[1].text), "x\ny\n");
    /* Once is enough. */
    cr_assert_eq(patches_apply(a, regret_buffer_get(&t)), REGRET_E_INPUT);
    regret_buffer_free(&t);
    drop(a);
    drop(b);
}

static void random_lines(struct regret_buffer *t, struct regret_rng *rng)
{
    for (uint32_t n = regret_rng_below(rng, 40); n > 0; n--) {
        regret_buffer_printf(t, "line %u\n", (unsigned)regret_rng_below(rng, 6));
    }
}

Test(patches_diff, any_change_applies)
{
    for (uint64_t round = 0; round < 2000; round++) {
        struct regret_rng rng = regret_rng_at(11, REGRET_RNG_TEST, round);
        struct regret_buffer before = REGRET_BUFFER_INIT, after = REGRET_BUFFER_INIT,
                             diff = REGRET_BUFFER_INIT;
        const struct patches_diff_style style = {regret_rng_below(&rng, 5), 1, 0};
        random_lines(&before, &rng);
        random_lines(&after, &rng);
        struct patches_repository *a = with("f.py", regret_buffer_get(&before)),
                                  *b = with("f.py", regret_buffer_get(&after));
        cr_assert_eq(patches_diff(&diff, a, b, &style), 0);
        cr_assert_eq(patches_apply(a, regret_buffer_get(&diff)), 0, "%s", regret_error_message());
        cr_assert_str_eq(regret_buffer_get(&a->files[0].text), regret_buffer_get(&after));
        regret_buffer_free(&before);
        regret_buffer_free(&after);
        regret_buffer_free(&diff);
        drop(a);
        drop(b);
    }
}

Test(patches_diff, what_does_not_fit_is_refused)
{
    static const char *const diffs[] = {
        "--- a/f.py\n+++ b/f.py\n@@ -1,2 +1,2 @@\n 1\n-3\n+4\n",   /* another line */
        "--- a/f.py\n+++ b/f.py\n@@ -2,2 +2,2 @@\n 1\n-2\n+4\n",   /* another place */
        "--- a/g.py\n+++ b/g.py\n@@ -1,2 +1,2 @@\n 1\n-2\n+4\n",   /* another file */
        "--- a/f.py\n+++ b/f.py\n@@ -90,2 +90,2 @@\n 1\n-2\n+4\n", /* beyond the end */
        "--- a/f.py\n+++ b/f.py\n@@ -1,9 +1,9 @@\n 1\n-2\n+4\n",   /* cut short */
        "--- a/f.py\n+++ b/f.py\n@@ -18446744073709551615,2 +1,2 @@\n 1\n-2\n+4\n",
    };
    for (size_t i = 0; i < sizeof diffs / sizeof diffs[0]; i++) {
        struct patches_repository *a = with("f.py", "1\n2\n");
        cr_assert_eq(patches_apply(a, diffs[i]), REGRET_E_INPUT, "%s", diffs[i]);
        drop(a);
    }
}

static void write_all(const char *folder, const struct patches_repository *r)
{
    for (size_t i = 0; i < r->n; i++) {
        char command[512], *path = NULL;
        snprintf(command, sizeof command, "mkdir -p '%s/%.*s'", folder,
                 (int)(strrchr(r->files[i].path, '/') != NULL
                           ? strrchr(r->files[i].path, '/') - r->files[i].path
                           : 0),
                 r->files[i].path);
        cr_assert_eq(system(command), 0);
        cr_assert_eq(regret_path_join(&path, folder, r->files[i].path), 0);
        cr_assert_eq(regret_file_write(path, r->files[i].text.data, r->files[i].text.length), 0);
        regret_free(path);
    }
}

static void compare_all(const char *folder, const struct patches_repository *r, const char *tool)
{
    for (size_t i = 0; i < r->n; i++) {
        char *path = NULL, *text = NULL;
        size_t length = 0;
        cr_assert_eq(regret_path_join(&path, folder, r->files[i].path), 0);
        cr_assert_eq(regret_file_read(&text, &length, path, 1 << 20), 0);
        cr_assert_str_eq(text, regret_buffer_get(&r->files[i].text), "%s: %s", tool, path);
        regret_free(path);
        regret_free(text);
    }
}

/* Hands the agents' diffs to `tool` and compares its files with ours. */
static void apply_with(const char *tool)
{
    static struct patches_issue issue;
    for (uint64_t index = 0; index < 2; index++) {
        issue.corpus = corpora_patches();
        cr_assert_eq(patches_issue_make(&issue, 1, index), 0);
        for (size_t agent = 0; agent < PATCHES_AGENTS; agent++) {
            char folder[] = "/tmp/regret-patches-XXXXXX", command[512];
            struct regret_buffer diff = REGRET_BUFFER_INIT;
            struct patches_repository *ours = repository();
            cr_assert_eq(patches_answer(&diff, &issue, agent, 0), 0);
            cr_assert_eq(patches_copy(ours, &issue.faulty), 0);
            cr_assert_eq(patches_apply(ours, regret_buffer_get(&diff)), 0);
            cr_assert_not_null(mkdtemp(folder));
            write_all(folder, &issue.faulty);
            snprintf(command, sizeof command,
                     "cd '%s' && cat > .diff && { test ! -s .diff || %s; }", folder, tool);
            FILE *pipe = popen(command, "w");
            cr_assert_not_null(pipe);
            fputs(regret_buffer_get(&diff), pipe);
            cr_assert_eq(pclose(pipe), 0, "%s refuses:\n%s", tool, regret_buffer_get(&diff));
            compare_all(folder, ours, tool);
            cr_assert_eq(regret_folder_remove(folder), 0);
            regret_buffer_free(&diff);
            drop(ours);
        }
    }
    patches_issue_clear(&issue);
}

Test(patches_diff, git_applies_the_agents_diffs)
{
    if (system("git --version > /dev/null 2>&1") != 0) {
        cr_skip_test("git is not installed");
    }
    apply_with("git apply --whitespace=nowarn .diff");
}

Test(patches_diff, patch_applies_the_agents_diffs)
{
    if (system("patch --version > /dev/null 2>&1") != 0) {
        cr_skip_test("patch is not installed");
    }
    apply_with("patch --quiet --strip=1 --fuzz=0 --input=.diff");
}
