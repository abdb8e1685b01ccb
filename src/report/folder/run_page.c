/* The page of a run: the answer on its first screen, and what it rests on in parts that are folded. */
#include <string.h>

#include "base/core/try.h"
#include "base/text/escape.h"
#include "report/cautions/cautions.h"
#include "report/figures/figure.h"
#include "report/folder/report.h"
#include "report/rows/head.h"
#include "report/tables/spec.h"

/* Id, heading and what is in it, by enum report_part. */
static const struct {
    const char *id, *title, *what;
} parts[N_PARTS] = {
    [PART_ANSWER] = {"answer", "Answer", ""},
    [PART_TAGS] = {"by-tag", "By tag",
                   "mean reward and regret of agents and families, by kind of context"},
    [PART_REQUESTS] = {"by-request", "By request", "who is recommended for which context"},
    [PART_FAMILIES] = {"families", "Families",
                       "which way of combining OBS, EXP and SIM recommends best"},
    [PART_SWEEP] = {"by-setting", "Sweep",
                    "how that depends on confounding, budgets and what else was swept"},
    [PART_VALUES] = {"agent-value", "Values and costs",
                     "how well agents' values are estimated, and what they cost"},
    [PART_DIAGNOSTICS] = {"diagnostics", "Diagnostics",
                          "agreement with the truth, hyper-parameters, shares"},
    [PART_RUN] = {"facts", "How it was made",
                  "pool, digest, seeds, versions, and how to repeat it"},
};

/* ---------------------------------------------------------------- which stands where */

static int answers_who(const struct report *r)
{
    return r->advice.answer.length > 0 && headline_asks_who(r->results);
}

static const char *key_figure(const struct report *r)
{
    return answers_who(r) ? "means" : "regret";
}

/* The figure of that name, or NULL. */
static const struct figure *find_figure(const struct report *r, const char *name)
{
    for (size_t i = 0; i < r->figures.n; i++) {
        if (strcmp(r->figures.items[i].name, name) == 0) {
            return &r->figures.items[i];
        }
    }
    return NULL;
}

static int shows_figure(const struct report *r, enum report_part part, const struct figure *f)
{
    return figure_part_of(f->name) == part && strcmp(f->name, key_figure(r)) != 0;
}

static int shows_table(enum report_part part, const struct table *t)
{
    return !t->idle && table_part_of(t->name) == part;
}

static int has_part(const struct report *r, enum report_part part)
{
    size_t n = part == PART_ANSWER || part == PART_RUN || part == PART_FAMILIES ||
               (part == PART_REQUESTS && r->advice.contexts.length > 0);
    for (size_t i = 0; i < r->n_tables; i++) {
        n += (size_t)shows_table(part, &r->tables[i]);
    }
    for (size_t i = 0; i < r->figures.n; i++) {
        n += (size_t)shows_figure(r, part, &r->figures.items[i]);
    }
    return n > 0;
}

static void put_navigation(struct regret_buffer *out, const struct report *r)
{
    page_contents(out);
    for (size_t i = 0; i < N_PARTS; i++) {
        if (has_part(r, (enum report_part)i)) {
            page_link(out, parts[i].id, parts[i].title);
        }
    }
    page_main(out);
}

/* ---------------------------------------------------------------- the answer */

static void put_data(struct regret_buffer *out, const struct regret_results *r)
{
    if (r->run.synthetic) {
        regret_buffer_printf(out, "<p class=\"data synthetic\"><strong>%s</strong> %s</p>\n",
                             head_synthetic, head_not_real);
    } else {
        regret_buffer_printf(out, "<p class=\"data\">%s</p>\n", head_real);
    }
}

/* An element of words, in which an estimate and its error stay on one line. */
static void put_sentence(struct regret_buffer *out, const char *element,
                         const struct regret_buffer *words)
{
    struct regret_buffer escaped = REGRET_BUFFER_INIT;
    html_element(&escaped, element, regret_buffer_get(words));
    html_estimates(out, regret_buffer_get(&escaped));
    regret_buffer_free_into(out, &escaped);
}

static void put_sentences(struct regret_buffer *out, const struct headline *h, size_t from)
{
    regret_buffer_append(out, "<ul class=\"sentences\">\n");
    for (size_t i = from; i < h->n; i++) {
        put_sentence(out, "li", &h->sentences[i]);
    }
    regret_buffer_append(out, "</ul>\n");
}

static void put_rests(struct regret_buffer *out, const struct regret_results *r)
{
    struct regret_buffer words = REGRET_BUFFER_INIT;
    headline_rests(&words, r);
    html_element(out, "p class=\"rests\"", regret_buffer_get(&words));
    regret_buffer_free_into(out, &words);
}

static int put_cautions(struct regret_buffer *out, const struct regret_results *r)
{
    struct cautions c;
    TRY(cautions_make(&c, r,
                      CAUTIONS_COMMON | CAUTION_BIT(CAUTION_GAPS) | CAUTION_BIT(CAUTION_UNMADE) |
                          CAUTION_BIT(CAUTION_SEEDS)));
    regret_buffer_append(out, c.n > 0 ? "<ul class=\"sentences gaps\">\n" : "");
    for (size_t i = 0; i < c.n; i++) {
        html_element(out, "li", regret_buffer_get(&c.sentences[i]));
    }
    regret_buffer_append(out, c.n > 0 ? "</ul>\n" : "");
    cautions_free(&c);
    return REGRET_OK;
}

static int put_answer(struct regret_buffer *out, const struct report *r)
{
    const struct figure *key = find_figure(r, key_figure(r));
    page_section(out, PAGE_TOP, parts[PART_ANSWER].id, parts[PART_ANSWER].title);
    regret_buffer_append(out, "<div class=\"answer\">\n<div>\n");
    if (answers_who(r)) {
        regret_buffer_append_n(out, regret_buffer_get(&r->advice.answer), r->advice.answer.length);
    } else {
        put_sentence(out, "p class=\"verdict headline\"", &r->headline.sentences[0]);
        put_rests(out, r->results);
        TRY(put_cautions(out, r->results));
        put_sentences(out, &r->headline, 1);
    }
    regret_buffer_append(out, "</div>\n");
    TRY(key != NULL ? page_figure(out, key, r->options->safe_csv) : REGRET_OK);
    regret_buffer_append(out, "</div>\n</section>\n");
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the parts */

/* What the families come to, where the answer is another. */
static int put_headline(struct regret_buffer *out, const struct report *r)
{
    const struct headline *h = &r->headline;
    if (answers_who(r)) {
        put_sentences(out, h, 1);
    }
    if (!h->regimes.idle) {
        html_element(out, "h3", h->regimes.title);
        html_table(out, &h->regimes);
        TRY(page_table_download(out, &h->regimes, r->options->safe_csv));
    }
    return REGRET_OK;
}

static void put_run(struct regret_buffer *out, const struct regret_results *r)
{
    head_facts_html(out, r);
    regret_buffer_printf(out,
                         "<p>To repeat the run, with the config.json beside this page: "
                         "<code>%s</code></p>\n",
                         head_command(&r->run));
}

int run_has_requests(const struct report *r)
{
    return r->advice.requests.length > 0;
}

static void put_requests(struct regret_buffer *out, const struct report *r)
{
    if (run_has_requests(r)) {
        regret_buffer_append(out,
                             "<p>Prompts, outputs and scores side by side: <a href=\"" REQUESTS_PAGE
                             "\">" REQUESTS_PAGE "</a>, beside this page.</p>\n");
    }
    regret_buffer_append(out, "<section id=\"contexts\">\n<div class=\"blocks list\">\n");
    regret_buffer_append_n(out, regret_buffer_get(&r->advice.contexts), r->advice.contexts.length);
    regret_buffer_append(out, "</div>\n</section>\n");
}

/* Those whose tiles choose a cell, before what they choose, or the others. */
static int put_figures(struct regret_buffer *out, const struct report *r, enum report_part part,
                       int choosing)
{
    size_t n = 0;
    for (size_t i = 0; i < r->figures.n; i++) {
        const char *svg = regret_buffer_get(&r->figures.items[i].svg);
        if (shows_figure(r, part, &r->figures.items[i]) &&
            (strstr(svg, " data-cell=") != NULL) == choosing) {
            regret_buffer_append(out, n++ == 0 ? "<div class=\"figures\">\n" : "");
            TRY(page_figure(out, &r->figures.items[i], r->options->safe_csv));
        }
    }
    regret_buffer_append(out, n > 0 ? "</div>\n" : "");
    return REGRET_OK;
}

static int put_part(struct regret_buffer *out, const struct report *r, enum report_part part)
{
    page_part(out, parts[part].id, parts[part].title, parts[part].what);
    if (part == PART_FAMILIES) {
        TRY(put_headline(out, r));
    } else if (part == PART_REQUESTS) {
        put_requests(out, r);
    }
    TRY(put_figures(out, r, part, 1));
    if (part == PART_SWEEP && run_has_cells(r->results)) {
        TRY(run_cells(out, r->results));
    }
    TRY(put_figures(out, r, part, 0));
    for (size_t i = 0; i < r->n_tables; i++) {
        if (shows_table(part, &r->tables[i])) {
            TRY(page_table(out, PAGE_IN_PART, &r->tables[i], r->options->safe_csv));
        }
    }
    if (part == PART_RUN) {
        put_run(out, r->results);
    }
    page_part_end(out);
    return REGRET_OK;
}

int run_page(struct regret_buffer *out, const struct report *r)
{
    page_begin(out, head_title(&r->results->run));
    put_data(out, r->results);
    put_navigation(out, r);
    TRY(put_answer(out, r));
    for (size_t i = PART_ANSWER + 1; i < N_PARTS; i++) {
        TRY(has_part(r, (enum report_part)i) ? put_part(out, r, (enum report_part)i) : REGRET_OK);
    }
    page_end(out);
    return regret_buffer_status(out);
}

int run_requests_page(struct regret_buffer *out, const struct report *r)
{
    struct regret_buffer title = REGRET_BUFFER_INIT;
    regret_buffer_printf(&title, "%s: requests one by one", head_title(&r->results->run));
    page_begin(out, regret_buffer_get(&title));
    put_data(out, r->results);
    regret_buffer_free_into(out, &title);
    page_contents(out);
    regret_buffer_append(out, "<li><a href=\"report.html\">The report</a></li>\n");
    page_link(out, "requests", "Requests");
    page_main(out);
    page_section(out, PAGE_TOP, "requests", "Requests");
    regret_buffer_append_n(out, regret_buffer_get(&r->advice.requests), r->advice.requests.length);
    regret_buffer_append(out, "</section>\n");
    page_end(out);
    return regret_buffer_status(out);
}
