/* regret import lm-eval */
#include <stdio.h>

#include <cJSON.h>

#include "base/archive/each.h"
#include "base/core/try.h"
#include "base/text/path.h"
#include "import/harness/lines.h"
#include "import/lm_eval/lm_eval.h"
#include "regret/alloc.h"

/* "1.0, 5 shots": with another number of examples a task is another one. */
static void put_version(char *out, size_t size, const struct results_run *run, const char *task)
{
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(run->versions, task);
    const cJSON *shots = cJSON_GetObjectItemCaseSensitive(run->shots, task);
    size_t n = 0;
    if (cJSON_IsNumber(version)) {
        n = (size_t)snprintf(out, size, "%.6g", version->valuedouble);
    } else if (cJSON_IsString(version)) {
        n = (size_t)snprintf(out, size, "%.40s", version->valuestring);
    }
    if (cJSON_IsNumber(shots)) {
        snprintf(out + n, size - n, "%s%.6g shots", n > 0 ? ", " : "", shots->valuedouble);
    }
}

/* The folder's last part, which is the model's name with "__" for "/". */
static const char *folder_name(const struct lm_eval_name *name)
{
    return name->folder[0] == '\0' ? "model" : path_last(name->folder);
}

/* The files of samples: source_member. */
struct reading {
    struct harness *h;
    const struct lm_eval_options *options;
    struct lm_eval_results results;
    size_t n;
};

static int read_samples(void *context, struct source *source, const char *path)
{
    struct reading *r = context;
    int wants = 0;
    FREED_BY(lm_eval_name_free) struct lm_eval_name name = {NULL, NULL, NULL};
    FREED_BY(samples_free) struct samples s = {.h = r->h, .options = r->options, .run = path};
    r->n++;
    TRY(lm_eval_name_read(&name, path, "samples"));
    const struct results_run *run = results_find(&r->results, name.folder, name.date);
    s.task = name.task;
    s.agent = run != NULL && run->model[0] != '\0' ? run->model : folder_name(&name);
    if (run != NULL) {
        put_version(s.version, sizeof s.version, run, name.task);
        s.better = cJSON_GetObjectItemCaseSensitive(run->better, name.task);
    }
    TRY(harness_wants(&wants, r->h, s.task, s.agent));
    TRY(harness_own(r->h, source));
    if (!wants) {
        TRY(harness_left_out(r->h, "files of tasks and models that were not asked for", 1));
        return REGRET_OK;
    }
    TRY(harness_file(r->h, source));
    TRY(harness_lines(r->h, source, samples_line, &s));
    TRY(harness_left_out(r->h, "rows of other filters (--filter)", s.other_filters));
    return harness_left_out(r->h, "further responses, which have no score of their own",
                            s.more_responses);
}

static int read_all(struct reading *r, const char *path)
{
    static const char *const PATTERNS[] = {"samples_*.jsonl"};
    TRY(results_read(&r->results, r->h, path));
    TRY(harness_each(r->h, path, PATTERNS, 1, read_samples, r));
    return r->n > 0
               ? REGRET_OK
               : harness_tell(
                     r->h,
                     regret_fail(REGRET_E_INPUT,
                                 "%s has no samples_TASK_DATE.jsonl, which lm_eval writes with "
                                 "--output_path and --log_samples",
                                 path));
}

static int run(const struct importer_call *call)
{
    struct reading r = {.options = call->options};
    int rc;
    TRY_CLEANUP(harness_begin(&r.h, &r.options->harness));
    TRY_CLEANUP(read_all(&r, call->from));
    rc = harness_finish(r.h, call, "lm-eval", "Samples of lm-evaluation-harness",
                        "Made by `regret import lm-eval` of samples that lm-evaluation-harness "
                        "(Gao et al., EleutherAI) wrote. Texts belong to the authors of the tasks "
                        "and of the models.");
cleanup:
    results_free(&r.results);
    harness_free(r.h);
    return rc;
}

static const struct lm_eval_options defaults;

static const struct importer_option options[] = {
    HARNESS_OPTIONS,
    {"filter", 0, IMPORTER_LIST, offsetof(struct lm_eval_options, filters), "PATTERN",
     "rows of this filter, such as flexible-extract (default: the first of each file)", 0, 0, NULL,
     NULL}};

const struct importer importer_lm_eval = {
    .name = "import lm-eval",
    .synopsis = "FOLDER -o POOL [options]",
    .summary = "samples of lm-evaluation-harness (--log_samples): a folder a model, a file a task",
    .detail =
        "Reads samples_TASK_DATE.jsonl and results_DATE.json of versions 0.4.3 and later in\n"
        "FOLDER, an archive of it, or one such file, compressed or not. A context is a document\n"
        "of a task, which is its tag; the score is each task's first metric unless --metric says\n"
        "another one, as results files call it (exact_match,strict-match). Of choices the output\n"
        "is the likeliest one. docs/guide.md says what becomes of failed answers, two runs and\n"
        "two versions of a task.",
    .examples = "regret import lm-eval results -o my/pool\n"
                "regret import lm-eval results.tar.zst --task 'mmlu_*' --metric acc --dry-run\n"
                "regret import lm-eval results --filter flexible-extract --runs last -o my/pool",
    IMPORTER_OPTIONS(options, defaults),
    .can_dry_run = 1,
    .run = run,
};
