/* The language against the one it is a part of: right, faulty and patched programs, run by Python.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/alloc.h"
#include "synth/corpora.h"
#include "synth/patches/agents/agents.h"
#include "synth/patches/patches.h"

static void write_files(struct regret_buffer *t, const struct patches_repository *repository)
{
    const char *comma = "";
    regret_buffer_append(t, "{\"files\": {");
    for (size_t i = 0; i < repository->n; i++) {
        regret_buffer_append(t, comma);
        regret_buffer_json_string(t, repository->files[i].path);
        regret_buffer_append(t, ": ");
        regret_buffer_json_string(t, regret_buffer_get(&repository->files[i].text));
        comma = ", ";
    }
    regret_buffer_append(t, "}");
}

/* Limits are ours: where they end a program, Python has nothing to say. */
static int is_limit(const char *error)
{
    static const char *const limits[] = {"TimeoutError", "MemoryError", "RecursionError",
                                         "OverflowError"};
    for (size_t i = 0; i < 4; i++) {
        if (strncmp(error, limits[i], strlen(limits[i])) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Writes the program and what we make of its calls as a line; nothing when it does not parse. */
static void write_program(FILE *to, const struct patches_issue *issue,
                          const struct patches_repository *repository)
{
    const struct mini_limits limits = MINI_LIMITS_INIT;
    struct regret_buffer t = REGRET_BUFFER_INIT;
    struct mini_program *program = NULL;
    const char *comma = "";
    if (patches_program(&program, repository) != REGRET_OK) {
        return;
    }
    write_files(&t, repository);
    regret_buffer_append(&t, ", \"path\": ");
    regret_buffer_json_string(&t, issue->function->path);
    regret_buffer_append(&t, ", \"runs\": [");
    for (size_t i = 0; i < PATCHES_TESTS; i++) {
        struct mini_result result;
        cr_assert_eq(
            mini_evaluate(&result, program, issue->function->path, issue->tests[i].call, &limits),
            0);
        if (result.raised) {
            result.text[strcspn(result.text, ":")] = '\0';
        }
        if (!result.raised || !is_limit(result.text)) {
            regret_buffer_printf(&t, "%s[", comma);
            regret_buffer_json_string(&t, issue->tests[i].call);
            regret_buffer_printf(&t, ", %d, ", result.raised);
            regret_buffer_json_string(&t, result.text);
            regret_buffer_append(&t, "]");
            comma = ", ";
        }
        regret_free(result.text);
    }
    regret_buffer_append(&t, "]}\n");
    cr_assert_eq(regret_buffer_status(&t), 0);
    fputs(regret_buffer_get(&t), to);
    regret_buffer_free(&t);
    mini_free(program);
}

Test(mini, agrees_with_python)
{
    static struct patches_issue issue;
    static struct patches_repository patched;
    if (system("python3 --version > /dev/null 2>&1") != 0) {
        cr_skip_test("python3 is not installed");
    }
    FILE *python = popen("python3 '" REGRET_SOURCE_FOLDER "/tests/synth/mini_oracle.py'", "w");
    cr_assert_not_null(python);
    for (uint64_t index = 0; index < corpora_patches()->n_functions; index++) {
        issue.corpus = corpora_patches();
        cr_assert_eq(patches_issue_make(&issue, 5, index), 0, "%s", regret_error_message());
        write_program(python, &issue, &issue.right);
        write_program(python, &issue, &issue.faulty);
        for (size_t agent = index % 4; agent < PATCHES_AGENTS; agent += 4) {
            struct regret_buffer diff = REGRET_BUFFER_INIT;
            cr_assert_eq(patches_answer(&diff, &issue, agent, 0), 0);
            cr_assert_eq(patches_copy(&patched, &issue.faulty), 0);
            cr_assert_eq(patches_apply(&patched, regret_buffer_get(&diff)), 0);
            write_program(python, &issue, &patched);
            regret_buffer_free(&diff);
        }
    }
    cr_assert_eq(pclose(python), 0, "Python sees it otherwise");
    patches_issue_clear(&issue);
    patches_clear(&patched);
}
