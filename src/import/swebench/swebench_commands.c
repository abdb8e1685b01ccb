/* `regret import swebench` and `regret import predictions`. */
#include "base/core/try.h"
#include "import/build/importer.h"
#include "regret/import.h"

struct call_options {
    struct regret_swebench_options swebench;
    const char *issues;
    struct importer_list agents, groups;
};

#define COUNT(name) offsetof(struct regret_swebench_report, name)
static const struct importer_count COUNTS[] = {
    {COUNT(issues_without_text), "issues left out because they have no problem_statement"},
    {COUNT(issues_in_conflict),
     "issues given again with another problem_statement: the first one counts"},
    {COUNT(bad), "bad rows left out"},
    {COUNT(other_benchmark), "rows of other benchmarks left out"},
    {COUNT(other_agent), "rows of other agents left out"},
    {COUNT(no_issue), "rows left out because the issues file lacks their issue"},
    {COUNT(duplicates), "rows left out because their agent has another one for the issue"},
    {COUNT(thin), "rows left out because their agent or issue is below the least coverage"},
    {COUNT(thin_agents), "agents below the least coverage"},
    {COUNT(thin_issues), "issues below the least coverage"},
    {COUNT(empty), "outputs are empty"},
    {COUNT(without_diff), "outputs have a text but no diff"},
    {COUNT(shortened), "outputs were shortened"},
    {COUNT(contradictions), "outputs have a tests_status that contradicts resolved"},
    {COUNT(unread_tests), "outputs have a tests_status that could not be read"},
    {COUNT(repaired), "patches had bytes that are not UTF-8 replaced"}};

typedef int import_function(struct regret_swebench_report *report, const char *from,
                            const char *issues_path, const char *pool_path,
                            const struct regret_swebench_options *options, int replace);

static int run(const struct importer_call *call, import_function *import)
{
    const struct call_options *given = call->options;
    struct regret_swebench_options o = given->swebench;
    struct regret_swebench_report r;
    o.agents = given->agents.items;
    o.n_agents = given->agents.n;
    o.groups = given->groups.items;
    o.n_groups = given->groups.n;
    o.note = call->note;
    o.note_context = call->note_context;
    o.into = call->into;
    o.date = call->date;
    TRY(import(&r, call->from, given->issues, call->to, &o, call->replace));
    regret_buffer_printf(
        call->report, "%s holds %zu contexts, %zu agents (%zu runs), %zu outputs out of %zu rows\n",
        call->name, r.contexts, r.agents, r.runs, r.outputs, r.rows);
    importer_report_counts(call->report, COUNTS, sizeof COUNTS / sizeof *COUNTS, &r);
    if (r.resolved_without_diff > 0) {
        regret_buffer_printf(call->report, "  %8zu outputs are resolved without a diff: %s\n",
                             r.resolved_without_diff, r.resolved_without_diff_are);
    }
    importer_report_missing(call->report, r.contexts, r.agents, r.pairs);
    return regret_buffer_status(call->report);
}

static int run_table(const struct importer_call *call)
{
    return run(call, regret_import_swebench);
}

static int run_predictions(const struct importer_call *call)
{
    return run(call, regret_import_predictions);
}

static const struct call_options defaults = {.swebench = REGRET_SWEBENCH_OPTIONS_INIT};
static const char *const DUPLICATES[] = {"first", "last", "refuse", NULL};

#define FIELD(name) offsetof(struct call_options, name)
static const struct importer_option options[] = {
    {"issues", 0, IMPORTER_STRING, FIELD(issues), "JSONL",
     "the issues of SWE-bench, JSONL or a JSON array (required)", 0, 0, NULL,
     "say where the issues are: --issues JSONL"},
    IMPORTER_FORCE_OPTION,
    {"name", 0, IMPORTER_STRING, FIELD(swebench.name), "NAME",
     "name of the pool (default: swebench)", 0, 0, NULL, NULL},
    {"agent", 0, IMPORTER_LIST, FIELD(agents), "PATTERN",
     "runs that match this shell pattern alone (may be repeated)", 0, 0, NULL, NULL},
    {"group", 0, IMPORTER_LIST, FIELD(groups), "AGENT=PATTERN",
     "runs that match become draws of one agent (may be repeated)", 0, 0, NULL, NULL},
    {"agent-coverage", 0, IMPORTER_SHARE, FIELD(swebench.agent_coverage), "SHARE",
     "leave out agents with less than this share of the issues", 0, 1, NULL, NULL},
    {"issue-coverage", 0, IMPORTER_SHARE, FIELD(swebench.issue_coverage), "SHARE",
     "then leave out issues with less than this share of the agents", 0, 1, NULL, NULL},
    {"duplicates", 0, IMPORTER_WORD, FIELD(swebench.duplicates), "RULE",
     "of two rows of an agent for an issue: first (default) or last with a patch, or refuse", 0, 0,
     DUPLICATES, NULL},
    {"max-patch", 0, IMPORTER_SIZE, FIELD(swebench.max_patch), "BYTES",
     "longest patch kept as text (default: 1048576)", 1, 1 << 25, NULL, NULL},
    {"skip-bad", 0, IMPORTER_FLAG, FIELD(swebench.skip_bad), NULL,
     "leave out bad rows, naming them, instead of refusing the file", 0, 0, NULL, NULL},
    /* Predictions do not say it, so it comes last. */
    {"benchmark", 0, IMPORTER_STRING, FIELD(swebench.benchmark), "NAME",
     "rows of this benchmark alone, such as lite or verified", 0, 0, NULL, NULL}};
enum { OPTIONS_OF_TABLE = sizeof options / sizeof *options };

const struct importer importer_swebench = {
    .name = "import swebench",
    .synopsis = "CSV --issues JSONL -o POOL [options]",
    .summary = "patches of coding agents in the layout of BouncerBench's all_patches.csv",
    .detail = "resolved becomes success; size, locality and focus are made of the diff and the\n"
              "issue by formulas that the pool's README.md and regret/patch.h state. What was\n"
              "left out, and why, is told at the end.",
    .examples = "regret import swebench all_patches.csv --issues swebench_issues.jsonl "
                "--benchmark lite --agent-coverage 0.9 -o lite\n"
                "regret import swebench all_patches.csv --issues swebench_issues.jsonl "
                "--group 'moatless=moatless_*' -o grouped",
    .options = options,
    .n_options = OPTIONS_OF_TABLE,
    .defaults = &defaults,
    .size = sizeof defaults,
    .can_dry_run = 1,
    .run = run_table,
};

const struct importer importer_predictions = {
    .name = "import predictions",
    .synopsis = "FOLDER --issues JSONL -o POOL [options]",
    .summary =
        "patches in SWE-bench's own files: a folder a system, with all_preds.jsonl and report.json",
    .detail =
        "The pool is that of \"import swebench\". An agent has the name of its folder; an issue\n"
        "that the report does not name among the resolved ones is not resolved.",
    .examples = "regret import predictions systems --issues swebench_issues.jsonl -o mine\n"
                "regret import predictions systems --issues swebench_issues.jsonl --agent '2024*' "
                "--agent-coverage 0.9 -o recent",
    .options = options,
    .n_options = OPTIONS_OF_TABLE - 1,
    .defaults = &defaults,
    .size = sizeof defaults,
    .can_dry_run = 1,
    .run = run_predictions,
};
