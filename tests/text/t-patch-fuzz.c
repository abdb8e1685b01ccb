/* Any bytes are a patch. Texts stand in blocks of their exact size, so that the address sanitizer
 * sees a byte read past the end. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "regret/buffer.h"
#include "regret/task.h"
#include "text/patch.h"

static int inside(struct regret_span s, const char *text, size_t length)
{
    return s.length == 0 || (s.text >= text && s.text + s.length <= text + length);
}

/* What holds for every patch. */
static void check_patch(const struct regret_patch *p, const char *text, size_t length)
{
    size_t hunks = 0, lines = 0, added = 0, removed = 0, context = 0;
    for (size_t f = 0; f < p->n_files; f++) {
        cr_assert_eq(p->files[f].first_hunk, hunks);
        cr_assert(inside(p->files[f].path, text, length) &&
                  inside(p->files[f].old_path, text, length));
        for (size_t h = hunks; h < hunks + p->files[f].n_hunks; h++) {
            const struct regret_patch_hunk *hunk = &p->hunks[h];
            cr_assert(hunk->first_line == lines && inside(hunk->section, text, length));
            cr_assert(hunk->removed + hunk->context <= hunk->old_lines &&
                      hunk->added + hunk->context <= hunk->new_lines);
            cr_assert_eq(hunk->added + hunk->removed + hunk->context, hunk->n_lines);
            lines += hunk->n_lines;
            added += hunk->added;
            removed += hunk->removed;
            context += hunk->context;
        }
        hunks += p->files[f].n_hunks;
    }
    cr_assert(hunks == p->n_hunks && lines == p->n_lines);
    cr_assert(added == p->added && removed == p->removed && context == p->context);
    for (size_t i = 0; i < p->n_lines; i++) {
        cr_assert(inside(p->lines[i].text, text, length));
        cr_assert_null(p->lines[i].text.length > 0
                           ? memchr(p->lines[i].text.text, '\n', p->lines[i].text.length)
                           : NULL);
    }
}

static size_t check_text(const char *bytes, size_t length)
{
    double value[REGRET_PATCH_STATISTICS], q[REGRET_PATCH_COMPONENTS];
    struct regret_patch *patch = NULL;
    struct regret_patch_issue *issue = NULL;
    char *text = malloc(length > 0 ? length : 1);
    cr_assert_not_null(text);
    memcpy(text, bytes, length);
    cr_assert_eq(regret_patch_parse(&patch, text, length), 0);
    check_patch(patch, text, length);
    cr_assert_eq(regret_patch_issue_read(&issue, text, length / 2), 0);
    cr_assert_eq(regret_patch_statistics(value, patch), 0);
    for (size_t j = 0; j < REGRET_PATCH_STATISTICS; j++) {
        cr_assert(value[j] >= 0.0 && value[j] < 1e15, "%s", regret_patch_statistic_name(j));
    }
    cr_assert_eq(regret_patch_components(q, patch, issue), 0);
    for (size_t k = 0; k < REGRET_PATCH_COMPONENTS; k++) {
        cr_assert(q[k] >= 0.0 && q[k] <= 1.0, "%s", regret_patch_component_name(k));
    }
    size_t n_files = patch->n_files;
    regret_patch_issue_free(issue);
    regret_patch_free(patch);
    free(text);
    return n_files;
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

Test(patch_fuzz, whole_patches_are_read_whole, .timeout = 120)
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

Test(patch_fuzz, damaged_patches_do_no_harm, .timeout = 120)
{
    static const char SENSITIVE[] = "+- @\n\r\\\"/,0129ab\t";
    struct regret_rng r = regret_rng_at(77, REGRET_RNG_TEST, 1);
    struct regret_buffer text = REGRET_BUFFER_INIT;
    size_t with_files = 0;
    for (int round = 0; round < 15000; round++) {
        struct truth truth;
        regret_buffer_clear(&text);
        make_patch(&text, &truth, &r);
        for (uint32_t k = 1 + regret_rng_below(&r, 6); k > 0 && text.length > 0; k--) {
            size_t at = regret_rng_below(&r, (uint32_t)text.length);
            if (regret_rng_below(&r, 5) == 0) {
                text.length = at; /* cut */
            } else {
                text.data[at] = SENSITIVE[regret_rng_below(&r, sizeof SENSITIVE - 1)];
            }
        }
        with_files += check_text(regret_buffer_get(&text), text.length) > 0;
    }
    cr_assert_gt(with_files, 5000);
    regret_buffer_free(&text);
}

Test(patch_fuzz, random_lines_do_no_harm, .timeout = 120)
{
    static const char *const LINES[] = {"diff --git a/x b/x",
                                        "diff --cc x",
                                        "--- a/x",
                                        "+++ b/x",
                                        "@@ -1,2 +1,2 @@ f",
                                        "@@ -1 +1 @@",
                                        "@@",
                                        " c",
                                        "+a",
                                        "-r",
                                        "",
                                        "\\ No newline at end of file",
                                        "rename from a",
                                        "rename to b",
                                        "GIT binary patch",
                                        "literal 3",
                                        "Binary files a/x and b/x differ",
                                        "deleted file mode 1",
                                        "new file mode 1",
                                        "Binary files x",
                                        "index 1",
                                        "\xff\x00z"};
    struct regret_rng r = regret_rng_at(77, REGRET_RNG_TEST, 2);
    struct regret_buffer text = REGRET_BUFFER_INIT;
    for (int round = 0; round < 15000; round++) {
        regret_buffer_clear(&text);
        for (uint32_t k = regret_rng_below(&r, 25); k > 0; k--) {
            regret_buffer_append(&text, LINES[regret_rng_below(&r, sizeof LINES / sizeof *LINES)]);
            regret_buffer_append(&text, regret_rng_below(&r, 12) == 0 ? "\r\n" : "\n");
        }
        check_text(regret_buffer_get(&text), text.length);
    }
    regret_buffer_free(&text);
}

Test(patch_fuzz, random_bytes_do_no_harm, .timeout = 120)
{
    struct regret_rng r = regret_rng_at(77, REGRET_RNG_TEST, 3);
    char bytes[300];
    for (int round = 0; round < 5000; round++) {
        size_t n = regret_rng_below(&r, sizeof bytes);
        for (size_t i = 0; i < n; i++) {
            bytes[i] = (char)regret_rng_below(&r, round % 2 ? 256 : 48);
        }
        check_text(bytes, n);
    }
}
