/* Internal to the importer of promptfoo's results. The format: EvaluateSummaryV3, EvaluateSummaryV2 (of versions before
 * 0.96) and EvaluateResult of src/types/index.ts, GradingResult there, ProviderResponse of src/types/providers.ts, as in
 * promptfoo 0.118; a file as `promptfoo eval -o results.json` or `promptfoo export` writes it, or results.jsonl, a result
 * a line. */
#ifndef REGRET_IMPORT_PROMPTFOO_H
#define REGRET_IMPORT_PROMPTFOO_H

#include "base/archive/each.h"
#include "base/core/names.h"
#include "import/harness/harness.h"

struct cJSON;

struct promptfoo {
    const struct harness_options *options;
    const char *path;
    struct harness *harness;
    int is_second;        /* going through the files for the answers */
    const char *run;      /* the name of the file at hand; borrowed */
    size_t results;       /* of it, so far */
    struct names prompts; /* the labels of prompts, or their templates */
    struct names tests;   /* of results whose prompt has no label: what they ask */
    size_t *asked;        /* in so many such results, by prompt; owned */
    size_t asked_capacity;
    struct names seen; /* "agent test" of the file at hand */
    size_t *times;     /* how often; owned */
    size_t capacity;
};

/* Remembers the prompt of a result. */
int promptfoo_add_prompt(struct promptfoo *p, const struct cJSON *result, struct regret_place at);
/* REGRET_E_INPUT: prompts without labels of which nobody knows which are one. */
int promptfoo_check_prompts(const struct promptfoo *p);
/* Hands a result over, once all prompts are known. */
int promptfoo_add_result(struct promptfoo *p, const struct cJSON *result, struct regret_place at);
/* Repeats are counted within a file. */
void promptfoo_forget_seen(struct promptfoo *p);

#endif
