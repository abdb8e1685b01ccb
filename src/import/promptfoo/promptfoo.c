/* promptfoo's results: going through their files, and the command line. */
#include "import/promptfoo/promptfoo.h"

#include <fnmatch.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/json/json_array.h"
#include "base/json/json_pick.h"
#include "base/text/escape.h"
#include "import/harness/lines.h"
#include "regret/alloc.h"

static const char CARD[] = "# Answers from results of promptfoo\n\n"
                           "Contexts are test cases; agents are providers, with a prompt where "
                           "there are several. score is\n"
                           "promptfoo's: the mean of a test's assertions by their weights; "
                           "success, 1 where all hold, and\n"
                           "named scores can be kept beside it. Repeats are draws. Costs are those "
                           "that the results state.\n";

static const char *const PATTERNS[] = {"*.json", "*.jsonl"};

/* For the prompts the first alone. */
static const char *const RESULT_FIELDS[] = {"prompt",      "vars",         "testCase", "provider",
                                            "response",    "cost",         "score",    "success",
                                            "namedScores", "failureReason"};
enum { N_PROMPT_FIELDS = 3, N_RESULT_FIELDS = sizeof RESULT_FIELDS / sizeof *RESULT_FIELDS };

static int see(void *context, const cJSON *result, struct regret_place at)
{
    struct promptfoo *p = context;
    p->results++;
    if (!cJSON_IsObject(result)) {
        return regret_json_error(at, "a result must be an object");
    }
    return p->is_second ? promptfoo_add_result(p, result, at) : promptfoo_add_prompt(p, result, at);
}

/* EvaluateSummaryV3's; the file of an export around it counts versions of its own. */
enum { NEWEST = 3 };
static const char *const VERSION[] = {"version"};

static int check_version(const cJSON *before, struct regret_place at)
{
    long long version = NEWEST;
    TRY(regret_json_optional_integer(&version, before, "version", 0, INT32_MAX, at));
    return version <= NEWEST
               ? REGRET_OK
               : regret_json_error(at,
                                   "results of version %lld; up to %d can be read: write them anew "
                                   "with a promptfoo that writes that",
                                   version, NEWEST);
}

static int read_document(struct promptfoo *p, struct json_array *array)
{
    cJSON *before = NULL;
    int found = 0, rc;
    TRY_CLEANUP(json_array_seek(array, &found, &before, "results", VERSION, 1));
    rc = check_version(before, (struct regret_place){array->path, 0});
cleanup:
    cJSON_Delete(before);
    TRY(rc);
    return found ? json_array_each(array, see, p)
                 : regret_json_error((struct regret_place){array->path, 0},
                                     "no results of promptfoo: \"results\" must hold a list of "
                                     "them, as \"promptfoo eval -o results.json\" writes it");
}

static int read_member(void *context, struct source *source, const char *name)
{
    struct promptfoo *p = context;
    struct json_array array = {.path = source_where(source),
                               .fields = RESULT_FIELDS,
                               .n_fields = p->is_second ? N_RESULT_FIELDS : N_PROMPT_FIELDS};
    promptfoo_forget_seen(p);
    p->run = name;
    p->results = 0;
    TRY(harness_file(p->harness, source));
    if (fnmatch("*.jsonl", name, 0) == 0) {
        return harness_lines(p->is_second ? p->harness : NULL, source, see, p);
    }
    TRY(source_jsonl(source, &array.reader));
    TRY(read_document(p, &array));
    return p->is_second && p->results == 0
               ? harness_left_out_at(p->harness, "files without a row", array.path)
               : REGRET_OK;
}

/* The prompts, by their numbers, for the card. */
static int put_card(struct regret_buffer *card, const struct promptfoo *p)
{
    regret_buffer_append(card, CARD);
    for (size_t i = 0; i < p->prompts.n && p->prompts.n > 1; i++) {
        regret_buffer_printf(card, "%s* prompt %zu: ", i == 0 ? "\n" : "", i + 1);
        markdown_escape(card, p->prompts.name[i]);
        regret_buffer_append_char(card, '\n');
    }
    return regret_buffer_status(card);
}

static int read_results(struct promptfoo *p)
{
    TRY(harness_each(p->harness, p->path, PATTERNS, 2, read_member, p));
    if (p->prompts.n == 0) {
        return harness_tell(
            p->harness,
            regret_fail(REGRET_E_INPUT,
                        "%s holds no results of promptfoo: a .json or .jsonl that \"promptfoo "
                        "eval -o\" writes",
                        p->path));
    }
    TRY(promptfoo_check_prompts(p));
    p->is_second = 1;
    return harness_each(p->harness, p->path, PATTERNS, 2, read_member, p);
}

static int run(const struct importer_call *call)
{
    struct promptfoo p = {.options = call->options, .path = call->from};
    struct regret_buffer card = REGRET_BUFFER_INIT;
    int rc;
    TRY_CLEANUP(harness_begin(&p.harness, p.options));
    TRY_CLEANUP(read_results(&p));
    TRY_CLEANUP(put_card(&card, &p));
    rc = harness_finish(p.harness, call, "promptfoo", "Answers from results of promptfoo",
                        regret_buffer_get(&card));
cleanup:
    regret_buffer_free(&card);
    harness_free(p.harness);
    promptfoo_forget_seen(&p);
    names_free(&p.prompts);
    names_free(&p.tests);
    regret_free(p.asked);
    return rc;
}

static const struct harness_options defaults = {0};

static const struct importer_option options[] = {HARNESS_OPTIONS};

const struct importer importer_promptfoo = {
    .name = "import promptfoo",
    .synopsis = "FILE|FOLDER -o POOL [options]",
    .summary = "results of promptfoo: results.json or .jsonl, or a folder of them",
    .detail =
        "A test case is a context, a provider an agent, with its prompt where there are several,\n"
        "repeats are draws. Scores are score, the default, success and the named ones. Errors\n"
        "of a provider are failed answers, assertions that do not hold are not.",
    .examples = "regret import promptfoo results.json -o mine --dry-run\n"
                "regret import promptfoo results.json -o mine -m score -m success",
    .run = run,
    .can_dry_run = 1,
    IMPORTER_OPTIONS(options, defaults),
};
