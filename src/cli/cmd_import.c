#include <stdio.h>
#include <string.h>

#include "cli/cmd_import.h"
#include "regret/import.h"

static int run_summeval(const struct cli_command *self, int argc, char **argv)
{
    const char *output = NULL;
    struct regret_import_options import = REGRET_IMPORT_OPTIONS_INIT;
    struct regret_import_report report;
    int force = 0, code = 0;
    const struct cli_option options[] = {
        {"output", 'o', CLI_STRING, &output, "POOL", "the folder to write (required)", 0, 0},
        {"force", 'f', CLI_FLAG, &force, NULL, "replace a pool that is there already", 0, 0},
        {"name", 0, CLI_STRING, &import.name, "NAME", "name of the pool (default: summeval)", 0, 0},
        {"drop-unscored", 0, CLI_FLAG, &import.drop_unscored, NULL,
         "leave out records without all scores instead of refusing them", 0, 0},
        {0}};
    struct cli_arguments rest;
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv)) {
        return code;
    }
    if (output == NULL) {
        return cli_usage_error("say where to write: -o POOL");
    }
    int rc = regret_import_summeval(&report, rest.items[0], output, &import, force);
    if (rc == 0) {
        fprintf(stderr,
                "regret: %s holds %zu contexts, %zu agents, %zu outputs; %zu records left out\n",
                output, report.contexts, report.agents, report.outputs, report.dropped);
    }
    return cli_report(rc);
}

void import_show_bad_row(void *context, const char *message)
{
    size_t *shown = context;
    if (++*shown <= 20) {
        fprintf(stderr, "regret: left out: %s\n", message);
    } else if (*shown == 21) {
        fprintf(stderr, "regret: more bad rows follow and are counted\n");
    }
}

void import_show_count(size_t n, const char *what)
{
    if (n > 0) {
        fprintf(stderr, "  %8zu %s\n", n, what);
    }
}

void import_show_missing(size_t contexts, size_t agents, size_t pairs)
{
    fprintf(stderr, "  %8zu of %zu pairs of context and agent are missing\n",
            contexts * agents - pairs, contexts * agents);
}

static void show_swebench(const char *output, const struct regret_swebench_report *r)
{
    fprintf(stderr,
            "regret: %s holds %zu contexts, %zu agents (%zu runs), %zu outputs out of %zu rows\n",
            output, r->contexts, r->agents, r->runs, r->outputs, r->rows);
    import_show_count(r->issues_without_text,
                      "issues left out because they have no problem_statement");
    import_show_count(r->issues_in_conflict,
                      "issues given again with another problem_statement: the first one counts");
    import_show_count(r->bad, "bad rows left out");
    import_show_count(r->other_benchmark, "rows of other benchmarks left out");
    import_show_count(r->other_agent, "rows of other agents left out");
    import_show_count(r->no_issue, "rows left out because the issues file lacks their issue");
    import_show_count(r->duplicates,
                      "rows left out because their agent has another one for the issue");
    import_show_count(r->thin,
                      "rows left out because their agent or issue is below the least coverage");
    import_show_count(r->thin_agents, "agents below the least coverage");
    import_show_count(r->thin_issues, "issues below the least coverage");
    import_show_count(r->empty, "outputs are empty");
    import_show_count(r->without_diff, "outputs have a text but no diff");
    import_show_count(r->shortened, "outputs were shortened");
    import_show_count(r->contradictions, "outputs have a tests_status that contradicts resolved");
    import_show_count(r->unread_tests, "outputs have a tests_status that could not be read");
    import_show_count(r->mended, "patches had bytes that are not UTF-8 replaced");
    import_show_missing(r->contexts, r->agents, r->pairs);
}

static int read_duplicates(enum regret_duplicates *out, const char *word)
{
    static const char *const WORDS[] = {"first", "last", "refuse"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(word, WORDS[i]) == 0) {
            *out = (enum regret_duplicates)i;
            return 0;
        }
    }
    return cli_usage_error("--duplicates is first, last or refuse, not \"%s\"", word);
}

static int run_swebench(const struct cli_command *self, int argc, char **argv)
{
    const char *output = NULL, *issues = NULL, *duplicates = "first";
    struct regret_swebench_options import = REGRET_SWEBENCH_OPTIONS_INIT;
    struct regret_swebench_report report;
    struct cli_list agents = {{NULL}, 0}, groups = {{NULL}, 0};
    size_t shown = 0;
    int force = 0, code = 0;
    const struct cli_option options[] = {
        {"output", 'o', CLI_STRING, &output, "POOL", "the folder to write (required)", 0, 0},
        {"issues", 0, CLI_STRING, &issues, "JSONL",
         "the issues of SWE-bench, JSONL or a JSON array (required)", 0, 0},
        {"force", 'f', CLI_FLAG, &force, NULL, "replace a pool that is there already", 0, 0},
        {"name", 0, CLI_STRING, &import.name, "NAME", "name of the pool (default: swebench)", 0, 0},
        {"benchmark", 0, CLI_STRING, &import.benchmark, "NAME",
         "rows of this benchmark alone, such as lite or verified", 0, 0},
        {"agent", 0, CLI_LIST, &agents, "PATTERN",
         "runs that match this shell pattern alone (may be repeated)", 0, 0},
        {"group", 0, CLI_LIST, &groups, "AGENT=PATTERN",
         "runs that match become draws of one agent (may be repeated)", 0, 0},
        {"agent-coverage", 0, CLI_DOUBLE, &import.agent_coverage, "SHARE",
         "leave out agents with less than this share of the issues", 0, 1},
        {"issue-coverage", 0, CLI_DOUBLE, &import.issue_coverage, "SHARE",
         "then leave out issues with less than this share of the agents", 0, 1},
        {"duplicates", 0, CLI_STRING, &duplicates, "RULE",
         "of two rows of an agent for an issue: first (default) or last with a patch, or refuse", 0,
         0},
        {"max-patch", 0, CLI_SIZE, &import.max_patch, "BYTES",
         "longest patch kept as text (default: 1048576)", 1, 1 << 25},
        {"skip-bad", 0, CLI_FLAG, &import.skip_bad, NULL,
         "leave out bad rows, naming them, instead of refusing the file", 0, 0},
        {0}};
    struct cli_arguments rest;
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv)) {
        return code;
    }
    if (output == NULL || issues == NULL) {
        return cli_usage_error(output == NULL ? "say where to write: -o POOL"
                                              : "say where the issues are: --issues JSONL");
    }
    if ((code = read_duplicates(&import.duplicates, duplicates)) != 0) {
        return code;
    }
    import.agents = agents.items;
    import.n_agents = agents.count;
    import.groups = groups.items;
    import.n_groups = groups.count;
    import.note = import_show_bad_row;
    import.note_context = &shown;
    int rc = regret_import_swebench(&report, rest.items[0], issues, output, &import, force);
    if (rc == REGRET_OK) {
        show_swebench(output, &report);
    }
    return cli_report(rc);
}

#define TABLE_DETAIL                                                                               \
    "MAP.json says what stands where (regret/import.h has every key):\n"                           \
    "  {\"name\": \"mine\", \"synthetic\": false,\n"                                               \
    "   \"columns\": {\"context\": \"doc_id\", \"text\": \"article\", \"agent\": \"model\",\n"     \
    "               \"output\": \"summary\", \"cost\": \"price\"},\n"                              \
    "   \"components\": [{\"name\": \"faithful\", \"from\": \"score_1\", \"low\": 1, \"high\": "   \
    "5}],\n"                                                                                       \
    "   \"counts\": [\"unsupported_claims\"], \"aux\": [\"length\"]}"

static const struct cli_command import_commands[] = {
    {.name = "import csv",
     .synopsis = "FILE --map MAP.json -o POOL [options]",
     .summary = "a table of your own: CSV with a header, a row an output",
     .detail = TABLE_DETAIL,
     .examples = "regret import csv scores.csv --map map.json -o my/pool\n"
                 "regret import csv scores.tsv --separator tab --map map.json "
                 "--contexts articles.tsv -o my/pool",
     .run = run_import_table},
    {.name = "import jsonl",
     .synopsis = "FILE --map MAP.json -o POOL [options]",
     .summary = "a table of your own: JSONL, an object an output",
     .detail = TABLE_DETAIL
     "A field \"scores.faith\" or \"judges.0.score\" leads into objects and arrays.",
     .examples = "regret import jsonl outputs.jsonl --map map.json -o my/pool\n"
                 "regret import jsonl outputs.jsonl --map map.json --repeats draws -o my/pool",
     .run = run_import_table},
    {.name = "import summeval",
     .synopsis = "FILE -o POOL [--force]",
     .summary = "SummEval's expert judgements, JSON or JSONL in the layout of G-Eval",
     .detail = "consistency becomes faithfulness, relevance coverage, (coherence + fluency)/2\n"
               "clarity; conciseness, the count unsupported_claims and the aux labels are made\n"
               "by formulas that the pool's README.md and regret/import.h state.",
     .examples = "regret import summeval summeval.json -o summeval\nregret pool show summeval",
     .run = run_summeval},
    {.name = "import swebench",
     .synopsis = "CSV --issues JSONL -o POOL [options]",
     .summary = "patches of coding agents in the layout of BouncerBench's all_patches.csv",
     .detail = "resolved becomes success; size, locality and focus are made of the diff and the\n"
               "issue by formulas that the pool's README.md and regret/patch.h state. What was\n"
               "left out, and why, is told at the end.",
     .examples = "regret import swebench all_patches.csv --issues swebench_issues.jsonl "
                 "--benchmark lite --agent-coverage 0.9 -o lite\n"
                 "regret import swebench all_patches.csv --issues swebench_issues.jsonl "
                 "--group 'moatless=moatless_*' -o grouped",
     .run = run_swebench},
    {0}};

static int run_import(const struct cli_command *self, int argc, char **argv)
{
    return cli_dispatch(self, import_commands, argc, argv);
}

const struct cli_command cmd_import = {
    .name = "import",
    .synopsis = "csv|jsonl|summeval|swebench FILE -o POOL [options]",
    .summary = "make a pool of a table of your own, or of a public data set",
    .run = run_import,
};
