#include "import/swebench.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/jsonl.h"
#include "base/status.h"
#include "base/text.h"
#include "import/builder.h"
#include "import/importer.h"
#include "pool/check.h"
#include "pool/memory.h"
#include "regret/status.h"
#include "text/patch.h"

/* SWE-bench issues with patches in the layout of BouncerBench. What becomes of what:
 * src/import/importer.h. */

static const char CARD[] =
    "# SWE-bench: patches of coding agents with their test outcomes\n\n"
    "Contexts are issues of real projects, outputs the patches that published coding agents "
    "handed\n"
    "in for them, unified diffs or nothing.\n\n"
    "* success: 1 when the hidden tests of the issue passed with the patch\n"
    "* size, locality, focus: formulas over the diff and the issue, made by the importer; nobody\n"
    "  judged them. src/text/patch.h states them\n"
    "* aux labels: statistics of the diff\n"
    "* an agent's cost is the mean number of lines its patches change; several draws of an agent "
    "are\n"
    "  several runs of one system\n\n"
    "Issues: Jimenez et al., \"SWE-bench: Can Language Models Resolve Real-World GitHub "
    "Issues?\",\n"
    "ICLR 2024, arXiv:2310.06770. Patches belong to those who published them: look up their terms\n"
    "before you pass this pool on.\n";

static int describe(struct regret_pool *pool, const struct regret_swebench_options *options,
                    const char *layout)
{
    char source[200];
    snprintf(
        source, sizeof source,
        "SWE-bench, ICLR 2024, arXiv:2310.06770, with patches and outcomes in the layout of %s",
        layout);
    const struct import_description description = {
        .name = options->name != NULL ? options->name : "swebench",
        .title = "SWE-bench: patches of coding agents with the outcomes of the hidden tests",
        .version = "1",
        .licence = "issues: MIT (SWE-bench); patches: as their authors published them",
        .source = source};
    TRY(import_describe(pool, &description));
    return coding_pool_describe(pool);
}

/* The issues file: contexts. */

static const char BLANKS[] = " \t\n\v\f\r";

static int is_blank(const char *text)
{
    return text[strspn(text, BLANKS)] == '\0';
}

/* Do two texts differ in no more than carriage returns and the white space around them, as copies
 * of one issue do? */
static int is_same_text(const char *a, const char *b)
{
    a += strspn(a, BLANKS);
    b += strspn(b, BLANKS);
    for (;; a++, b++) {
        a += strspn(a, "\r");
        b += strspn(b, "\r");
        if (*a != *b || *a == '\0') {
            return is_blank(a) && is_blank(b);
        }
    }
}

/* An issue may stand in the file twice, as in Lite and in Verified: the first one counts. */
static int add_issue(struct swebench *s, const struct cJSON *record, struct regret_place at)
{
    struct import_register *issues = &s->b.contexts;
    const char *id = NULL, *text = NULL, *repo = "";
    int differs = 0;
    uint32_t x = 0;
    TRY(regret_json_get_string(&id, record, "instance_id", at));
    TRY(regret_json_optional_string(&text, record, "problem_statement", at));
    TRY(regret_json_optional_string(&repo, record, "repo", at));
    if (pool_check_id("instance_id", id) != REGRET_OK) {
        return regret_json_error(at, "%s", regret_error_message());
    }
    if (text == NULL) {
        s->report.issues_without_text++;
        return REGRET_OK;
    }
    TRY(import_enter(&x, issues, id, at.line, at));
    if (issues->entry[x].text == NULL) {
        TRY(import_set_tag(&differs, &issues->entry[x], repo, at));
        return import_text(&issues->entry[x].text, &s->b, text);
    }
    s->report.issues_in_conflict += !is_same_text(issues->entry[x].text, text);
    return REGRET_OK;
}

/* Reads the issues file: the contexts. */
static int swebench_read_issues(struct swebench *s, const char *path)
{
    FREED_BY(json_records_close) struct json_records records = {0};
    const struct cJSON *record = NULL;
    TRY(json_records_open(&records, path, JSON_RECORDS_OF_SET));
    TRY(json_records_next(&records, &record));
    while (record != NULL) {
        TRY(add_issue(s, record, records.at));
        TRY(json_records_next(&records, &record));
    }
    if (s->b.contexts.n == 0) {
        return regret_fail(
            REGRET_E_INPUT,
            "%s has no issue with a problem_statement; give the issues of SWE-bench, "
            "JSONL or one JSON array",
            path);
    }
    return REGRET_OK;
}

static int make_pool(struct swebench *s, const struct swebench_source *source,
                     const char *issues_path)
{
    TRY(swebench_check_options(s->options));
    TRY(import_begin(&s->b));
    s->b.contexts.many = "issues";
    s->b.agents.many = "runs; choose with agent patterns";
    TRY(swebench_read_issues(s, issues_path));
    TRY(import_note_file(&s->b, issues_path));
    TRY(import_note_file(&s->b, s->path)); /* a table; of a folder its files are noted */
    TRY(source->read_rows(s));
    int rc = swebench_select(s);
    if (rc == REGRET_E_INPUT) {
        rc = regret_fail_prefix(rc, "%s", s->path);
    }
    TRY(rc);
    TRY(describe(s->b.pool, s->options, source->layout));
    TRY(source->read_outputs(s));
    return import_build(&s->b);
}

int swebench_import(const struct swebench_source *source, struct regret_swebench_report *report,
                    const char *from, const char *issues_path, const char *pool_path,
                    const struct regret_swebench_options *options, int replace)
{
    const struct regret_swebench_options defaults = REGRET_SWEBENCH_OPTIONS_INIT;
    const struct regret_swebench_options *o = options != NULL ? options : &defaults;
    struct swebench s = {
        .options = o, .path = from, .bad = {o->skip_bad, o->note, o->note_context, 0}};
    int rc;
    TRY_CLEANUP(make_pool(&s, source, issues_path));
    s.report.contexts = s.b.pool->n_contexts;
    s.report.agents = s.b.pool->n_agents;
    s.report.pairs = s.b.pairs;
    TRY_CLEANUP(import_record(&s.b, source->name, o->date, 1));
    TRY_CLEANUP(import_finish(&s.b, o->into, pool_path, CARD, replace));
    if (report != NULL) {
        *report = s.report;
    }
cleanup:
    import_register_free(&s.runs);
    import_free(&s.b);
    return rc;
}

int regret_import_swebench(struct regret_swebench_report *report, const char *csv_path,
                           const char *issues_path, const char *pool_path,
                           const struct regret_swebench_options *options, int replace)
{
    static const struct swebench_source TABLE = {swebench_read_rows, swebench_read_outputs,
                                                 "BouncerBench's all_patches.csv", "swebench"};
    return swebench_import(&TABLE, report, csv_path, issues_path, pool_path, options, replace);
}

/* `regret import swebench` and `regret import predictions`. */

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
                            const struct regret_swebench_options *swebench_commands_options,
                            int replace);

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

static const struct call_options swebench_commands_defaults = {.swebench =
                                                                   REGRET_SWEBENCH_OPTIONS_INIT};
static const char *const DUPLICATES[] = {"first", "last", "refuse", NULL};

#define FIELD(name) offsetof(struct call_options, name)
static const struct importer_option swebench_commands_options[] = {
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
enum { OPTIONS_OF_TABLE = sizeof swebench_commands_options / sizeof *swebench_commands_options };

const struct importer importer_swebench = {
    .name = "import swebench",
    .synopsis = "CSV --issues JSONL -o POOL [options]",
    .summary = "patches of coding agents in the layout of BouncerBench's all_patches.csv",
    .detail = "resolved becomes success; size, locality and focus are made of the diff and the\n"
              "issue by formulas that the pool's README.md and src/text/patch.h state. What was\n"
              "left out, and why, is told at the end.",
    .examples = "regret import swebench all_patches.csv --issues swebench_issues.jsonl "
                "--benchmark lite --agent-coverage 0.9 -o lite\n"
                "regret import swebench all_patches.csv --issues swebench_issues.jsonl "
                "--group 'moatless=moatless_*' -o grouped",
    .options = swebench_commands_options,
    .n_options = OPTIONS_OF_TABLE,
    .defaults = &swebench_commands_defaults,
    .size = sizeof swebench_commands_defaults,
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
    .options = swebench_commands_options,
    .n_options = OPTIONS_OF_TABLE - 1,
    .defaults = &swebench_commands_defaults,
    .size = sizeof swebench_commands_defaults,
    .can_dry_run = 1,
    .run = run_predictions,
};

/* A reader of JSON and Python literals that keeps nothing but the lengths of four lists. */

enum { MAX_DEPTH = 64 };

/* Where a value stands. */
enum role { ANYWHERE, FAIL_TO_PASS, PASS_TO_PASS, COUNTED };

struct literal {
    const char *begin, *at, *end;
    int seen[2];                     /* FAIL_TO_PASS and PASS_TO_PASS were there */
    size_t success, failure, others; /* items under these keys, and elsewhere */
    size_t *count;                   /* for the value in role COUNTED */
};

static int wrong(const struct literal *p, const char *wanted)
{
    return regret_fail(REGRET_E_INPUT, "byte %zu: %s is missing", (size_t)(p->at - p->begin) + 1,
                       wanted);
}

static int is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Passes white space; the next byte, or 0 at the end. */
static char peek(struct literal *p)
{
    while (p->at < p->end && memchr(" \t\r\n", *p->at, 4) != NULL) {
        p->at++;
    }
    return p->at < p->end ? *p->at : '\0';
}

static int parse_string(struct literal *p, struct regret_span *out)
{
    char quote = *p->at++;
    const char *start = p->at;
    while (p->at < p->end && *p->at != quote) {
        p->at += *p->at == '\\' && p->at + 1 < p->end ? 2 : 1;
    }
    if (p->at >= p->end) {
        return wrong(p, "the end of a string");
    }
    *out = (struct regret_span){start, (size_t)(p->at++ - start)};
    return REGRET_OK;
}

/* True, null, -1.5e3, and the prefix of a string such as b'…'. */
static int parse_word(struct literal *p)
{
    static const char *const NAMES[] = {"True", "False", "None", "true",     "false",
                                        "null", "nan",   "NaN",  "Infinity", "inf"};
    struct regret_span string;
    const char *start = p->at;
    p->at += *p->at == '-' || *p->at == '+';
    const char *word = p->at;
    while (p->at < p->end && (is_name(*p->at) || *p->at == '.' ||
                              ((*p->at == '-' || *p->at == '+') && (p->at[-1] | 32) == 'e'))) {
        p->at++;
    }
    size_t n = (size_t)(p->at - word);
    if (n > 0 && n <= 2 && p->at < p->end && (*p->at == '\'' || *p->at == '"') &&
        strspn(word, "bBrRuU") >= n) {
        return parse_string(p, &string);
    }
    if (n > 0 && ((*word >= '0' && *word <= '9') || (*word == '.' && n > 1))) {
        return REGRET_OK;
    }
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (strlen(NAMES[i]) == n && memcmp(NAMES[i], word, n) == 0) {
            return REGRET_OK;
        }
    }
    p->at = start;
    return wrong(p, "a value of JSON or Python");
}

static int parse_value(struct literal *p, enum role role, int depth);

/* After an item: 1 when another may follow. */
static int parse_comma(struct literal *p, char close, int *more)
{
    char c = peek(p);
    *more = c == ',';
    if (c != ',' && c != close) {
        return wrong(p, "a comma or the closing bracket");
    }
    p->at++;
    return REGRET_OK;
}

/* The role of the value under `key` in a map in role `role`. */
static enum role role_of(struct literal *p, enum role role, struct regret_span key)
{
    if (span_is(key, "FAIL_TO_PASS") || span_is(key, "PASS_TO_PASS")) {
        enum role tests = key.text[0] == 'F' ? FAIL_TO_PASS : PASS_TO_PASS;
        p->seen[tests - FAIL_TO_PASS] = 1;
        return tests;
    }
    if ((role == FAIL_TO_PASS || role == PASS_TO_PASS) &&
        (span_is(key, "success") || span_is(key, "failure"))) {
        p->count = key.text[0] == 's' ? &p->success : &p->failure;
        return COUNTED;
    }
    return ANYWHERE;
}

static int parse_items(struct literal *p, enum role role, char close, int depth)
{
    size_t *count = role == COUNTED ? p->count : &p->others;
    int more = 1;
    while (more) {
        char c = peek(p);
        if (c == close) { /* empty, or after a last comma */
            p->at++;
            return REGRET_OK;
        }
        struct regret_span key = {NULL, 0};
        TRY(c == '\'' || c == '"' ? parse_string(p, &key) : parse_value(p, ANYWHERE, depth));
        if (close == '}' && peek(p) == ':') {
            p->at++;
            TRY(parse_value(p, key.text != NULL ? role_of(p, role, key) : ANYWHERE, depth));
        }
        ++*count;
        TRY(parse_comma(p, close, &more));
    }
    return REGRET_OK;
}

static int parse_value(struct literal *p, enum role role, int depth)
{
    static const char OPEN[] = "[({", CLOSE[] = "])}";
    struct regret_span string;
    char c = peek(p);
    const char *open = c != '\0' ? strchr(OPEN, c) : NULL;
    if (depth == MAX_DEPTH) {
        return regret_fail(REGRET_E_INPUT, "has more than %d levels of brackets", MAX_DEPTH);
    }
    if (open != NULL) {
        p->at++;
        return parse_items(p, role, CLOSE[open - OPEN], depth + 1);
    }
    if (p->at >= p->end) {
        return wrong(p, "a value");
    }
    return c == '\'' || c == '"' ? parse_string(p, &string) : parse_word(p);
}

int swebench_verdict(int *verdict, const char *text, size_t length)
{
    struct literal p = {.begin = text, .at = text, .end = text + length};
    *verdict = -1;
    if (peek(&p) == '\0' && p.at == p.end) {
        return REGRET_OK;
    }
    TRY(parse_value(&p, ANYWHERE, 0));
    peek(&p);
    if (p.at < p.end) {
        return wrong(&p, "the end of the value");
    }
    if (p.seen[0] && p.seen[1] && p.success + p.failure > 0) {
        *verdict = p.failure == 0;
    }
    return REGRET_OK;
}
