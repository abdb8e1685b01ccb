/* SWE-bench issues with patches in the layout of BouncerBench. What becomes of what:
 * include/regret/import.h. */
#include "import/import_swebench.h"

#include "regret/alloc.h"

static const char CARD[] =
    "# SWE-bench: patches of coding agents with their test outcomes\n\n"
    "Contexts are issues of real projects, outputs the patches that published coding agents "
    "handed\n"
    "in for them, unified diffs or nothing.\n\n"
    "* success: 1 when the hidden tests of the issue passed with the patch\n"
    "* size, locality, focus: formulas over the diff and the issue, made by the importer; nobody\n"
    "  judged them. include/regret/patch.h states them\n"
    "* aux labels: statistics of the diff\n"
    "* an agent's cost is the mean number of lines its patches change; several draws of an agent "
    "are\n"
    "  several runs of one system\n\n"
    "Issues: Jimenez et al., \"SWE-bench: Can Language Models Resolve Real-World GitHub "
    "Issues?\",\n"
    "ICLR 2024, arXiv:2310.06770. Patches belong to those who published them: look up their terms\n"
    "before you pass this pool on.\n";

static void swebench_free(struct swebench *s)
{
    for (size_t x = 0; x < s->n_issues; x++) {
        regret_free(s->issues[x].id);
        regret_free(s->issues[x].text);
        regret_issue_free(s->issues[x].read);
    }
    for (size_t r = 0; r < s->n_runs; r++) {
        regret_free(s->runs[r]);
    }
    regret_free(s->issues);
    regret_free(s->runs);
    regret_free(s->rows);
    regret_free(s->run_agent);
    regret_free(s->agents);
    id_table_free(&s->issue_ids);
    id_table_free(&s->run_ids);
}

int regret_import_swebench(struct regret_swebench_report *report, const char *csv_path,
                           const char *issues_path, const char *pool_path,
                           const struct regret_swebench_options *options, int replace)
{
    const struct regret_swebench_options defaults = REGRET_SWEBENCH_OPTIONS_INIT;
    struct swebench s = {.options = options != NULL ? options : &defaults};
    struct regret_pool *pool = NULL;
    int rc = swebench_check_options(s.options);
    if (rc == REGRET_OK) {
        rc = swebench_read_issues(&s, issues_path);
    }
    if (rc == REGRET_OK) {
        rc = swebench_read_rows(&s, csv_path);
    }
    if (rc == REGRET_OK) {
        rc = swebench_select(&s);
        if (rc == REGRET_E_INPUT) {
            rc = regret_fail_prefix(rc, "%s", csv_path);
        }
    }
    if (rc == REGRET_OK) {
        rc = swebench_pool(&pool, &s, csv_path);
    }
    if (rc == REGRET_OK) {
        rc = regret_pool_write(pool, pool_path, CARD, replace);
    }
    if (rc == REGRET_OK && report != NULL) {
        *report = s.report;
    }
    regret_pool_free(pool);
    swebench_free(&s);
    return rc;
}
