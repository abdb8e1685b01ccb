/* Success is what the hidden tests say. */
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "synth/patches/issues/diff.h"
#include "synth/patches/issues/issue.h"

/* Runs one call on a program: *passes says whether it returns test->expected. */
static int run_test(int *passes, const struct mini_program *program, const char *path,
                    const struct patches_test *test)
{
    static const struct mini_limits limits = MINI_LIMITS_INIT;
    struct mini_result result;
    TRY(mini_evaluate(&result, program, path, test->call, &limits));
    *passes = !result.raised && strcmp(result.text, test->expected) == 0;
    regret_free(result.text);
    return REGRET_OK;
}

/* Runs tests first..end until one fails. */
static int run_tests(int *success, const struct patches_issue *issue,
                     const struct patches_repository *repository, size_t first, size_t end)
{
    struct mini_program *program = NULL;
    int rc = patches_program(&program, repository), passes = 1;
    if (rc == REGRET_E_INPUT) {
        *success = 0;
        return REGRET_OK;
    }
    TRY(rc);
    for (size_t i = first; i < end && passes; i++) {
        TRY_CLEANUP(run_test(&passes, program, issue->function->path, &issue->tests[i]));
    }
    *success = passes;
cleanup:
    mini_free(program);
    return rc;
}

int patches_judge(int *success, const struct patches_issue *issue,
                  const struct patches_repository *repository)
{
    return run_tests(success, issue, repository, 0, PATCHES_TESTS);
}

int patches_try_example(int *passes, const struct patches_issue *issue,
                        const struct patches_repository *repository)
{
    return run_tests(passes, issue, repository, issue->example, issue->example + 1);
}

int patches_judge_diff(int *success, const struct patches_issue *issue, const char *diff)
{
    struct patches_repository *patched = NULL;
    int rc;
    TRY(REGRET_NEW(&patched, 1));
    TRY_CLEANUP(patches_copy(patched, &issue->faulty));
    TRY_CLEANUP(patches_apply(patched, diff));
    rc = patches_judge(success, issue, patched);
cleanup:
    patches_clear(patched);
    regret_free(patched);
    return rc;
}
