/* The pool: sizes, ranges, success as the tests say, balance. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pool/files/coding_pool.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/patch.h"
#include "synth/corpora.h"
#include "synth/patches/agents/agents.h"
#include "synth/patches/patches.h"

static struct regret_pool *make(uint64_t seed, size_t issues, size_t draws)
{
    struct regret_synth_options options = {seed, issues, draws};
    struct regret_pool *pool = NULL;
    cr_assert_eq(regret_synth_pool(&pool, &patches_generator, &options), 0, "%s",
                 regret_error_message());
    return pool;
}

Test(patches, issues_differ)
{
    enum { N = 400 };
    struct regret_synth *synth = NULL;
    static char *texts[N];
    cr_assert_eq(regret_synth_open(&synth, &patches_generator, 9), 0);
    for (size_t i = 0; i < N; i++) {
        struct regret_context context;
        cr_assert_eq(regret_synth_context(&context, synth, i), 0, "%s", regret_error_message());
        texts[i] = context.text;
        regret_free(context.id);
        for (size_t k = 0; k < i; k++) {
            cr_assert_str_neq(texts[i], texts[k]);
        }
    }
    for (size_t i = 0; i < N; i++) {
        regret_free(texts[i]);
    }
    regret_synth_close(synth);
}

Test(patches, the_pool_obeys_the_rules_of_pools)
{
    struct regret_pool *pool = make(1, 30, 2);
    cr_assert_eq(pool->n_agents, 12);
    cr_assert_eq(pool->n_outputs, 30 * 12 * 2);
    cr_assert_str_eq(pool->components[0].name, "success");
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        cr_assert(o->values[0] == 0.0 || o->values[0] == 1.0);
        for (size_t k = 1; k < 4; k++) {
            cr_assert(o->values[k] >= 0.0 && o->values[k] <= 1.0);
        }
        if (o->text[0] == '\0') {
            for (size_t k = 0; k < 4; k++) {
                cr_assert_eq(o->values[k], 0.0);
            }
        }
    }
    regret_pool_free(pool);
}

/* --- an application of diffs that shares nothing with the library --- */

/* Copies lines of `from` up to line `end` (from 1, exclusive) to `to`; *at is the next line. */
static const char *copy_until(struct regret_buffer *to, const char *from, size_t *at, size_t end)
{
    for (; *at < end; ++*at) {
        const char *stop = strchr(from, '\n');
        cr_assert_not_null(stop, "the hunk lies beyond the file");
        regret_buffer_append_n(to, from, (size_t)(stop + 1 - from));
        from = stop + 1;
    }
    return from;
}

/* Applies the part of `diff` that concerns `path` to `text`. */
static void naive_apply(struct regret_buffer *out, const char *text, const char *diff,
                        const char *path)
{
    char header[128], line[512];
    size_t at = 1;
    int here = 0;
    snprintf(header, sizeof header, "+++ b/%s", path);
    for (const char *next = diff; *next != '\0';) {
        size_t length = strcspn(next, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, next);
        next += length + 1;
        if (strncmp(line, "+++ ", 4) == 0) {
            here = strcmp(line, header) == 0;
        } else if (strncmp(line, "--- ", 4) == 0 || strncmp(line, "diff ", 5) == 0) {
            here = 0;
        } else if (here && strncmp(line, "@@ -", 4) == 0) {
            size_t start = strtoul(line + 4, NULL, 10);
            text = copy_until(out, text, &at, start == 0 ? 1 : start);
        } else if (here && line[0] == '+') {
            regret_buffer_printf(out, "%s\n", line + 1);
        } else if (here) {
            cr_assert(strncmp(text, line + 1, strlen(line + 1)) == 0, "%s", line);
            const char *from = text;
            text = strchr(text, '\n') + 1;
            at++;
            if (line[0] == ' ') {
                regret_buffer_append_n(out, from, (size_t)(text - from));
            } else {
                cr_assert_eq(line[0], '-');
            }
        }
    }
    regret_buffer_append(out, text);
}

static int naive_success(const struct patches_issue *issue, const char *diff)
{
    const struct mini_limits limits = MINI_LIMITS_INIT;
    struct mini_source sources[PATCHES_MAX_FILES];
    struct regret_buffer texts[PATCHES_MAX_FILES] = {{0}};
    struct mini_program *program = NULL;
    int passed = 1;
    size_t n = issue->project->n_modules;
    for (size_t i = 0; i < n; i++) {
        naive_apply(&texts[i], issue->faulty.files[i].text.data, diff, issue->faulty.files[i].path);
        sources[i] =
            (struct mini_source){issue->faulty.files[i].path, regret_buffer_get(&texts[i])};
    }
    if (mini_parse(&program, sources, n) != 0) {
        passed = 0;
    }
    for (size_t t = 0; passed && t < PATCHES_TESTS; t++) {
        struct mini_result result;
        cr_assert_eq(
            mini_evaluate(&result, program, issue->function->path, issue->tests[t].call, &limits),
            0);
        passed = !result.raised && strcmp(result.text, issue->tests[t].expected) == 0;
        regret_free(result.text);
    }
    mini_free(program);
    for (size_t i = 0; i < n; i++) {
        regret_buffer_free(&texts[i]);
    }
    return passed;
}

Test(patches, success_is_what_the_hidden_tests_say)
{
    static struct patches_issue issue;
    struct regret_pool *pool = make(1, 96, 1);
    size_t passed = 0;
    for (size_t x = 0; x < pool->n_contexts; x++) {
        issue.corpus = corpora_patches();
        cr_assert_eq(patches_issue_make(&issue, 1, x), 0);
        cr_assert_str_eq(issue.text.data, pool->contexts[x].text);
        for (size_t a = 0; a < 12; a++) {
            const struct regret_output *o = &pool->outputs[x * 12 + a];
            cr_assert_eq((int)o->values[0], naive_success(&issue, o->text), "%s on issue %zu:\n%s",
                         pool->agents[a].id, x, o->text);
            passed += o->values[0] > 0.0;
        }
    }
    cr_assert(passed > 200 && passed < 700, "%zu", passed);
    patches_issue_clear(&issue);
    regret_pool_free(pool);
}

/* Line counts of the hunk headers against the lines that follow them. */
Test(patches, diffs_are_well_formed)
{
    struct regret_pool *pool = make(1, 96, 1);
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const char *text = pool->outputs[i].text;
        struct regret_patch *patch = NULL;
        cr_assert_eq(regret_patch_parse(&patch, text, strlen(text)), 0);
        cr_assert_eq(patch->defects, 0, "%s", text);
        cr_assert_eq(patch->n_files > 0, text[0] != '\0');
        for (size_t h = 0; h < patch->n_hunks; h++) {
            const struct regret_patch_hunk *hunk = &patch->hunks[h];
            cr_assert_eq(hunk->old_lines, hunk->removed + hunk->context);
            cr_assert_eq(hunk->new_lines, hunk->added + hunk->context);
            cr_assert_gt(hunk->added + hunk->removed, 0);
        }
        regret_patch_free(patch);
    }
    regret_pool_free(pool);
}

Test(patches, components_are_those_of_the_diff_reader)
{
    struct regret_pool *pool = make(2, 12, 1);
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        const char *words = pool->contexts[o->context].text;
        struct regret_patch *patch = NULL;
        struct regret_patch_issue *issue = NULL;
        double components[REGRET_PATCH_COMPONENTS], statistics[REGRET_PATCH_STATISTICS];
        cr_assert_eq(regret_patch_parse(&patch, o->text, strlen(o->text)), 0);
        cr_assert_eq(regret_patch_issue_read(&issue, words, strlen(words)), 0);
        cr_assert_eq(regret_patch_components(components, patch, issue), 0);
        cr_assert_eq(regret_patch_statistics(statistics, patch), 0);
        cr_assert_eq(memcmp(o->values + 1, components, sizeof components), 0);
        cr_assert_eq(memcmp(o->values + 4, statistics, sizeof statistics), 0);
        regret_patch_free(patch);
        regret_patch_issue_free(issue);
    }
    regret_pool_free(pool);
}

Test(patches, agents_differ_in_skill_and_none_wins_everywhere)
{
    struct regret_pool *pool = make(1, 96, 1);
    size_t wins[12] = {0}, solved[12] = {0}, any = 0, low = 12, high = 0;
    for (size_t x = 0; x < pool->n_contexts; x++) {
        size_t best = 0, here = 0;
        double top = -1.0;
        for (size_t a = 0; a < 12; a++) {
            const double *v = pool->outputs[x * 12 + a].values;
            double utility = 0.5 * v[0] + (v[1] + v[2] + v[3]) / 6.0;
            best = utility > top ? a : best;
            top = utility > top ? utility : top;
            solved[a] += v[0] > 0.0;
            here += v[0] > 0.0;
        }
        wins[best]++;
        any += here > 0;
        cr_assert_lt(here, 12, "everybody solves issue %zu", x);
    }
    for (size_t a = 0; a < 12; a++) {
        cr_assert(wins[a] <= 40, "%s wins %zu of 96", pool->agents[a].id, wins[a]);
        cr_assert(solved[a] >= 5 && solved[a] <= 72, "%s solves %zu of 96", pool->agents[a].id,
                  solved[a]);
        low = solved[a] < solved[low % 12] ? a : low;
        high = solved[a] > solved[high] ? a : high;
    }
    cr_assert(solved[low % 12] <= 15 && solved[high] >= 50);
    cr_assert_geq(any, 80);
    regret_pool_free(pool);
}

/* The best agent depends on the kind of the fault. */
Test(patches, skill_depends_on_the_kind_of_fault)
{
    static struct patches_issue issue;
    enum { ISSUES = 300 };
    double share[PATCHES_KINDS][PATCHES_AGENTS] = {{0}};
    size_t n[PATCHES_KINDS] = {0}, leaders[PATCHES_AGENTS] = {0}, different = 0;
    struct regret_pool *pool = make(1, ISSUES, 1);
    for (size_t x = 0; x < ISSUES; x++) {
        issue.corpus = corpora_patches();
        cr_assert_eq(patches_issue_make(&issue, 1, x), 0);
        n[issue.fault.kind]++;
        for (size_t a = 0; a < PATCHES_AGENTS; a++) {
            share[issue.fault.kind][a] += pool->outputs[x * 12 + a].values[0];
        }
    }
    for (size_t k = 0; k < PATCHES_KINDS; k++) {
        size_t best = 0;
        for (size_t a = 0; a < PATCHES_AGENTS; a++) {
            best = share[k][a] > share[k][best] ? a : best;
        }
        leaders[best]++;
    }
    for (size_t a = 0; a < PATCHES_AGENTS; a++) {
        different += leaders[a] > 0;
    }
    cr_assert_geq(different, 3);
    patches_issue_clear(&issue);
    regret_pool_free(pool);
}
