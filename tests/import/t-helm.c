/* What HELM calls its runs and its metrics. */
#include <criterion/criterion.h>
#include <math.h>

#include "import/helm.h"
#include "regret/status.h"

Test(helm, tasks)
{
    static const char *const CASES[][2] = {
        {"mmlu:subject=anatomy,method=multiple_choice_joint,model=openai_davinci",
         "mmlu:subject=anatomy,method=multiple_choice_joint"},
        {"mmlu:model=a,subject=x,model_deployment=b", "mmlu:subject=x"},
        {"harm_bench:model=a", "harm_bench"},
        {"boolq", "boolq"},
        {"a:", "a"},
        {"a:,,b=1,", "a:b=1"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char *task = NULL;
        cr_assert_eq(helm_task(&task, CASES[i][0]), 0);
        cr_expect_str_eq(task, CASES[i][1]);
        regret_free(task);
    }
}

Test(helm, metrics)
{
    static const struct {
        const char *metric;
        double high;
        int is_lower, is_bookkeeping;
    } CASES[] = {{"exact_match", 1.0, 0, 0},          {"quasi_prefix_exact_match@5", 1.0, 0, 0},
                 {"bits_per_byte", NAN, 1, 0},        {"wildbench_score", NAN, 0, 0},
                 {"toxic_frac", 1.0, 1, 0},           {"num_prompt_tokens", NAN, 0, 1},
                 {"finish_reason_length", NAN, 0, 1}, {"inference_runtime", NAN, 0, 1}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        double low, high;
        int is_lower;
        helm_describe(CASES[i].metric, &low, &high, &is_lower);
        cr_expect(high == CASES[i].high || (isnan(high) && isnan(CASES[i].high)), "%s",
                  CASES[i].metric);
        cr_expect(isnan(low) == isnan(high) && is_lower == CASES[i].is_lower, "%s",
                  CASES[i].metric);
        cr_expect_eq(helm_is_bookkeeping(CASES[i].metric), CASES[i].is_bookkeeping);
    }
}
