/* SWE-bench issues with patches in the layout of BouncerBench. What becomes of what:
 * include/regret/import.h. */
#include "import/swebench/swebench.h"

#include <stdio.h>

#include "base/core/try.h"
#include "import/build/provenance.h"
#include "pool/files/coding_pool.h"

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
