/* Success is what the hidden tests say. */
#include <string.h>

#include "regret/alloc.h"
#include "task/patches/diff.h"
#include "task/patches/issue.h"

int patches_run_test(int *passes, const struct mini_program *program, const char *path,
                     const struct patches_test *test)
{
    static const struct mini_limits limits = MINI_LIMITS_INIT;
    struct mini_result result;
    int status = mini_evaluate(&result, program, path, test->call, &limits);
    if (status != REGRET_OK) {
        return status;
    }
    *passes = !result.raised && strcmp(result.text, test->expected) == 0;
    regret_free(result.text);
    return REGRET_OK;
}

/* Runs tests first..end until one fails. */
static int run_tests(int *success, const struct patches_issue *issue,
                     const struct patches_repository *repository, size_t first, size_t end)
{
    struct mini_program *program = NULL;
    int status = patches_program(&program, repository), passes = 1;
    if (status == REGRET_E_INPUT) {
        *success = 0;
        return REGRET_OK;
    }
    for (size_t i = first; i < end && passes && status == REGRET_OK; i++) {
        status = patches_run_test(&passes, program, issue->function->path, &issue->tests[i]);
    }
    if (status == REGRET_OK) {
        *success = passes;
    }
    mini_free(program);
    return status;
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
    int status = REGRET_NEW(&patched, 1);
    if (status != REGRET_OK) {
        return status;
    }
    status = patches_copy(patched, &issue->faulty);
    if (status == REGRET_OK) {
        status = patches_apply(patched, diff);
    }
    if (status == REGRET_OK) {
        status = patches_judge(success, issue, patched);
    }
    patches_clear(patched);
    regret_free(patched);
    return status;
}
