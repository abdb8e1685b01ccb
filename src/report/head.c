#include "report/head.h"

#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "base/escape.h"
#include "base/try.h"
#include "experiment/grid_losses.h"
#include "regret/synth.h"
#include "report/slice.h"

typedef void text_escape(struct regret_text *out, const char *text);
typedef void put_fact(struct regret_text *out, const char *label, const char *text);

static void fact_markdown(struct regret_text *out, const char *label, const char *text)
{
    regret_text_printf(out, "* %s: ", label);
    markdown_escape(out, text);
    regret_text_append_char(out, '\n');
}

static void fact_html(struct regret_text *out, const char *label, const char *text)
{
    regret_text_printf(out, "<dt>%s</dt><dd>", label);
    html_escape(out, text);
    regret_text_append(out, "</dd>\n");
}

/* A fact that is there. */
static void known(struct regret_text *out, put_fact *put, const char *label, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        put(out, label, text);
    }
}

/* -1 stands for what run.json does not say. */
static size_t at_least_zero(long long n)
{
    return n > 0 ? (size_t)n : 0;
}

static void composed(struct regret_text *out, put_fact *put, const struct regret_results *r)
{
    const struct regret_run_facts *run = &r->run;
    struct regret_text text = REGRET_TEXT_INIT;
    if (run->contexts >= 0 && run->agents >= 0) {
        regret_text_printf(&text, "%lld contexts × %lld agents", run->contexts, run->agents);
        if (run->draws > 1) {
            regret_text_printf(&text, " × %lld draws", run->draws);
        }
        put(out, "Grid", regret_text_get(&text));
        regret_text_clear(&text);
    }
    grid_losses(&text, at_least_zero(run->dropped_contexts), at_least_zero(run->dropped_agents),
                at_least_zero(run->imputed));
    known(out, put, "Of the pool", regret_text_get(&text));
    regret_text_clear(&text);
    regret_text_printf(&text, "%zu, seeds: %zu, replicates: %zu of %zu", r->n_cells,
                       r->seeds_planned, r->n_complete, r->n_cells * r->seeds_planned);
    put(out, "Cells", regret_text_get(&text));
    regret_text_clear(&text);
    for (size_t f = 0; f < r->n_families; f++) {
        regret_text_printf(&text, "%s%s", f > 0 ? ", " : "", r->subjects[f].name);
    }
    put(out, "Families", regret_text_get(&text));
    regret_text_free(&text);
}

static void put_facts(struct regret_text *out, put_fact *put, const struct regret_results *r)
{
    const struct regret_run_facts *run = &r->run;
    known(out, put, "Pool", run->pool_name);
    known(out, put, "Pool title", run->pool_title);
    known(out, put, "Pool version", run->pool_version);
    known(out, put, "Pool digest", run->pool_digest);
    known(out, put, "Licence", run->pool_licence);
    composed(out, put, r);
    known(out, put, "Version of regret", run->version);
    known(out, put, "BLAS", run->blas_build);
    known(out, put, "BLAS kernel", run->blas_kernel);
}

static const char *title_of(const struct regret_run_facts *run)
{
    return run->title != NULL        ? run->title
           : run->pool_title != NULL ? run->pool_title
                                     : run->pool_name;
}

static const char synthetic[] = "SYNTHETIC data.";
static const char not_real[] =
    "The pool was generated; nothing here says anything about a real task.";
static const char real[] = "A real task: the outputs and their scores were collected; OBS and EXP "
                           "are resampled from them.";
/* A pool that is generated when a run starts lies in no folder. */
static const char *command_of(const struct regret_run_facts *run)
{
    const cJSON *pool = cJSON_GetObjectItemCaseSensitive(run->config, "pool");
    return cJSON_IsString(pool) &&
                   strncmp(pool->valuestring, REGRET_SYNTH_PREFIX, strlen(REGRET_SYNTH_PREFIX)) == 0
               ? "regret run config.json -o RUN"
               : "regret run config.json --set pool=FOLDER -o RUN";
}

/* The subject of that kind with the lowest mean regret over all cells; REGRET_NO_ROW when none has
 * data. Of the baselines those that are an agent: best-exp and best-obs. */
static size_t lowest(double *mean, const struct slice *all, enum regret_row_kind kind)
{
    size_t best = REGRET_NO_ROW;
    *mean = INFINITY;
    for (size_t i = 0; i < all->r->n_subjects; i++) {
        const struct regret_subject *s = &all->r->subjects[i];
        int meant = s->kind == kind &&
                    (kind == REGRET_ROW_FAMILY || strncmp(s->name, "best-", strlen("best-")) == 0);
        double x = meant ? slice_estimate(all, REGRET_MEASURE_REGRET, i).mean : NAN;
        if (x < *mean) {
            *mean = x;
            best = i;
        }
    }
    return best;
}

/* One sentence where always recommending one agent did better than every family; else "". */
static int say_agent_wins(struct regret_text *out, const struct regret_results *r)
{
    struct slice all = {0};
    struct paired p;
    double by_agent = NAN, by_family = NAN;
    int rc;
    TRY_CLEANUP(slice_all(&all, r));
    size_t agent = lowest(&by_agent, &all, REGRET_ROW_BASELINE);
    size_t family = lowest(&by_family, &all, REGRET_ROW_FAMILY);
    if (agent == REGRET_NO_ROW || family == REGRET_NO_ROW || !(by_agent < by_family)) {
        goto cleanup;
    }
    TRY_CLEANUP(
        slice_paired(&p, &all, REGRET_MEASURE_REGRET, agent, REGRET_MEASURE_REGRET, family));
    regret_text_printf(out,
                       "No family beats a single agent here: %s, always the agent of the best mean "
                       "in %s, has a mean regret of %.4f over all cells, the best family, %s, %.4f",
                       r->subjects[agent].name,
                       strcmp(r->subjects[agent].name, "best-exp") == 0 ? "EXP" : "OBS", by_agent,
                       r->subjects[family].name, by_family);
    regret_text_append(out, p.high < 0.0 ? "." : ", a difference that is not separable.");
cleanup:
    slice_free(&all);
    return rc;
}

/* That sentence as a paragraph. */
static void put_agent_wins(struct regret_text *out, const struct regret_results *r,
                           const char *before, text_escape *escape, const char *after)
{
    struct regret_text sentence = REGRET_TEXT_INIT;
    int rc = say_agent_wins(&sentence, r);
    if (rc != REGRET_OK) {
        regret_text_fail(out, rc);
    } else if (sentence.length > 0) {
        regret_text_append(out, before);
        escape(out, regret_text_get(&sentence));
        regret_text_append(out, after);
    }
    regret_text_free(&sentence);
}

void head_markdown(struct regret_text *out, const struct regret_results *r)
{
    regret_text_append(out, "# ");
    markdown_escape(out, title_of(&r->run));
    if (r->run.synthetic) {
        regret_text_printf(out, "\n\n**%s** %s\n\n", synthetic, not_real);
    } else {
        regret_text_printf(out, "\n\n%s\n\n", real);
    }
    if (r->gaps != NULL) {
        regret_text_append(out, "**");
        markdown_escape(out, r->gaps);
        regret_text_append(out, "**\n\n");
    }
    put_agent_wins(out, r, "**", markdown_escape, "**\n\n");
    put_facts(out, fact_markdown, r);
    regret_text_printf(out,
                       "\nTo repeat the run, with the config.json beside this file:\n\n"
                       "    %s\n\nAll rows are in results.csv, every table by itself in tables/, "
                       "and report.html is this report for a browser.\n",
                       command_of(&r->run));
}

static const char style[] =
    "body { font: 15px/1.5 system-ui, sans-serif; margin: 0; color: #1b1b1b; background: #fff }\n"
    "main { max-width: 72rem; margin: 0 auto; padding: 1rem }\n"
    "nav { position: sticky; top: 0; background: #fff; border-bottom: 1px solid #ccc; "
    "padding: .5rem 0 }\n"
    "nav a { margin-right: 1rem; white-space: nowrap }\n"
    "section { overflow-x: auto; scroll-margin-top: 3rem }\n"
    "table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums }\n"
    "caption { text-align: left; font-weight: 600; padding: .3rem 0 }\n"
    "th, td { padding: .2rem .6rem; border-bottom: 1px solid #ddd; text-align: left }\n"
    "thead th { border-bottom: 2px solid #888 }\n"
    "dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem }\n"
    "dt { font-weight: 600 } dd { margin: 0; overflow-wrap: anywhere }\n"
    "li { font-size: 13px; color: #444 }\n"
    ".synthetic { border-left: 4px solid #b45309; padding-left: .8rem }\n"
    "@media (prefers-color-scheme: dark) { body, nav { background: #16181c; color: #e6e6e6 }\n"
    "  li { color: #b5b5b5 } a { color: #8ab4f8 } th, td { border-color: #3a3d44 } }\n";

void head_html(struct regret_text *out, const struct regret_results *r, const char *const *tables,
               size_t n_tables)
{
    regret_text_append(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                            "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                            "content=\"width=device-width, initial-scale=1\">\n<title>");
    html_escape(out, title_of(&r->run));
    regret_text_printf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>", style);
    html_escape(out, title_of(&r->run));
    if (r->run.synthetic) {
        regret_text_printf(out, "</h1>\n<p class=\"synthetic\"><strong>%s</strong> %s</p>\n",
                           synthetic, not_real);
    } else {
        regret_text_printf(out, "</h1>\n<p>%s</p>\n", real);
    }
    if (r->gaps != NULL) {
        regret_text_append(out, "<p><strong>");
        html_escape(out, r->gaps);
        regret_text_append(out, "</strong></p>\n");
    }
    put_agent_wins(out, r, "<p><strong>", html_escape, "</strong></p>\n");
    regret_text_append(out, "<dl>\n");
    put_facts(out, fact_html, r);
    regret_text_printf(out, "</dl>\n<p>To repeat the run: <code>%s</code></p>\n<nav>",
                       command_of(&r->run));
    for (size_t i = 0; i < n_tables; i++) {
        regret_text_printf(out, "<a href=\"#%s\">%s</a>\n", tables[i], tables[i]);
    }
    regret_text_append(out, "</nav>\n");
}
