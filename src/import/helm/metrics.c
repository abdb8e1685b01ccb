/* What HELM's schemas say of scenarios and metrics: `main_name` of the run groups and `lower_is_better` of the metrics in
 * src/helm/benchmark/static/schema_classic.yaml, schema_lite.yaml, schema_capabilities.yaml and schema_safety.yaml (0.5). */
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "base/text/path.h"
#include "base/text/take.h"
#include "import/helm/helm.h"

/* Scenarios, as names of runs begin, with their main metric: of two the first that a run has. */
static const struct {
    const char *scenario, *metric;
} MAIN[] = {
    {"narrative_qa", "f1_score"},
    {"natural_qa", "f1_score"},
    {"quac", "f1_score"},
    {"openbookqa", "exact_match"},
    {"commonsense", "exact_match"},
    {"hellaswag", "exact_match"},
    {"truthful_qa", "exact_match"},
    {"mmlu", "exact_match"},
    {"blimp", "exact_match"},
    {"boolq", "quasi_exact_match"},
    {"imdb", "quasi_exact_match"},
    {"raft", "quasi_exact_match"},
    {"civil_comments", "quasi_exact_match"},
    {"wikifact", "quasi_exact_match"},
    {"babi_qa", "quasi_exact_match"},
    {"synthetic_reasoning", "quasi_exact_match"},
    {"synthetic_reasoning_natural", "f1_set_match"},
    {"legalbench", "quasi_exact_match"},
    {"legal_support", "quasi_exact_match"},
    {"lsat_qa", "quasi_exact_match"},
    {"med_qa", "quasi_exact_match"},
    {"entity_*", "quasi_exact_match"},
    {"msmarco", "RR@10"},
    {"msmarco", "NDCG@10"},
    {"summarization_*", "rouge_2"},
    {"*_legal_summarization", "rouge_2"},
    {"wmt_14", "bleu_4"},
    {"gsm", "final_number_exact_match"},
    {"gsm", "exact_match_indicator"},
    {"dyck_language", "exact_match_indicator"},
    {"math", "math_equiv_chain_of_thought"},
    {"math", "math_equiv"},
    {"code", "pass"},
    {"code", "test_avg"},
    {"ice", "bits_per_byte"},
    {"the_pile", "bits_per_byte"},
    {"twitter_aae", "bits_per_byte"},
    {"numeracy", "absolute_value_difference"},
    {"mmlu_pro", "chain_of_thought_correctness"},
    {"gpqa", "chain_of_thought_correctness"},
    {"ifeval", "ifeval_strict_accuracy"},
    {"wildbench", "wildbench_score_rescaled"},
    {"omni_math", "omni_math_accuracy"},
    {"bbq", "bbq_accuracy"},
    {"bbq", "quasi_exact_match"},
    {"harm_bench*", "safety_score"},
    {"simple_safety_tests", "safety_score"},
    {"xstest", "safety_score"},
    {"anthropic_red_team", "safety_score"},
    /* of any other scenario what one is judged by that has it */
    {"*", "chain_of_thought_correctness"},
    {"*", "safety_score"},
    {"*", "final_number_exact_match"},
    {"*", "math_equiv_chain_of_thought"},
    {"*", "math_equiv"},
};

int helm_task(char **out, const char *run)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    size_t scenario = strcspn(run, ":");
    char mark = ':';
    regret_buffer_append_n(&t, run, scenario);
    for (const char *p = run + scenario; *p != '\0';) {
        size_t n = strcspn(++p, ",");
        if (strncmp(p, "model=", 6) != 0 && strncmp(p, "model_deployment=", 17) != 0 && n > 0) {
            regret_buffer_append_char(&t, mark);
            regret_buffer_append_n(&t, p, n);
            mark = ',';
        }
        p += n;
    }
    return text_take(out, &t);
}

const char *helm_main_metric(const char *task, const struct helm_stats *stats)
{
    char scenario[64];
    size_t n = strcspn(task, ":,");
    if (n >= sizeof scenario) {
        return NULL;
    }
    memcpy(scenario, task, n);
    scenario[n] = '\0';
    for (size_t i = 0; i < sizeof MAIN / sizeof *MAIN; i++) {
        if (fnmatch(MAIN[i].scenario, scenario, 0) == 0 &&
            names_find(&stats->names, MAIN[i].metric) != SIZE_MAX) {
            return MAIN[i].metric;
        }
    }
    return NULL;
}

#define IS_ONE_OF(patterns, name)                                                                  \
    name_matches(patterns, sizeof(patterns) / sizeof *(patterns), name)

void helm_describe(const char *metric, double *low, double *high, int *lower_is_better)
{
    static const char *const SHARES[] = {"*exact_match*",
                                         "*exact_set_match",
                                         "f1_*",
                                         "iou_set_match",
                                         "rouge_?",
                                         "bleu_?",
                                         "math_equiv*",
                                         "pass",
                                         "test_avg",
                                         "strict_acc",
                                         "code_eval_acc",
                                         "RR@*",
                                         "NDCG@*",
                                         "chain_of_thought_correctness",
                                         "ifeval_strict_accuracy",
                                         "wildbench_score_rescaled",
                                         "omni_math_accuracy",
                                         "bbq_accuracy",
                                         "safety_score",
                                         "safety_*_score",
                                         "toxic_frac",
                                         "percent_valid",
                                         "edit_similarity"};
    static const char *const LOWER[] = {"bits_per_byte",
                                        "perplexity",
                                        "absolute_value_difference",
                                        "distance",
                                        "longest_common_prefix_length",
                                        "edit_similarity",
                                        "bias_metric:*",
                                        "bbq_metric_*",
                                        "expected_max_toxicity",
                                        "max_toxicity_probability",
                                        "toxic_frac",
                                        "ece_*"};
    int is_share = IS_ONE_OF(SHARES, metric);
    *low = is_share ? 0.0 : NAN;
    *high = is_share ? 1.0 : NAN;
    *lower_is_better = IS_ONE_OF(LOWER, metric);
}

int helm_is_bookkeeping(const char *metric)
{
    static const char *const NAMES[] = {"num_*",      "max_num_*",   "finish_reason_*",
                                        "training_*", "inference_*", "batch_size",
                                        "*truncated", "estimated_*", "predicted_index"};
    return IS_ONE_OF(NAMES, metric);
}
