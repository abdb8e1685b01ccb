/* The paper's findings over several runs: one page, each finding answered by the runs of its view. */
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/core/try.h"
#include "chart/chart.h"
#include "regret/alloc.h"
#include "report/cautions/caution_note.h"
#include "report/claims/answers.h"
#include "results/run/run_file.h"

struct claims_page {
    const struct regret_results *const *runs;
    size_t n;
    struct table_data *data; /* of each */
    struct groups *groups;   /* of each */
    const char **names;      /* of each, borrowed from its folder */
    struct claims claims;
    struct claim_answers answers;
    unsigned views; /* of all runs */
};

/* ---------------------------------------------------------------- the runs */

/* The last part of a path, with the slashes after it. */
static const char *last_part(const char *path)
{
    const char *part = path;
    for (const char *p = path; *p != '\0'; p++) {
        if (*p == '/' && p[1] != '/' && p[1] != '\0') {
            part = p + 1;
        }
    }
    return part;
}

/* Runs go by the last part of their folders unless two have the same, then by the whole. */
static void name_runs(struct claims_page *p)
{
    for (size_t i = 0; i < p->n; i++) {
        const char *own = last_part(p->runs[i]->run.folder);
        p->names[i] = own;
        for (size_t k = 0; k < p->n; k++) {
            if (k != i && strcmp(last_part(p->runs[k]->run.folder), own) == 0) {
                p->names[i] = p->runs[i]->run.folder;
            }
        }
    }
}

static int same_folder(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* The same experiment, whose seeds must not count twice: shards, or a copy. */
static int same_experiment(const struct regret_results *a, const struct regret_results *b)
{
    const char *x = a->run.pool_digest, *y = b->run.pool_digest;
    int common = 0;
    for (size_t i = 0, j = 0; i < a->n_seeds && j < b->n_seeds && !common;) {
        long long first = a->seeds[i], second = b->seeds[j];
        common = first == second;
        i += first <= second;
        j += first >= second;
    }
    return common && run_same_json(a->run.config, b->run.config) &&
           (x == NULL || y == NULL || strcmp(x, y) == 0);
}

static int check_runs(const struct claims_page *p)
{
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = 0; k < i; k++) {
            const char *a = p->runs[k]->run.folder, *b = p->runs[i]->run.folder;
            if (same_folder(a, b)) {
                return regret_fail(REGRET_E_INPUT, "%s and %s are the same folder; name it once", a,
                                   b);
            }
            if (same_experiment(p->runs[k], p->runs[i])) {
                return regret_fail(REGRET_E_INPUT,
                                   "%s and %s have the same configuration, pool and seeds; leave "
                                   "one out, or join shards with 'regret merge'",
                                   a, b);
            }
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- asking */

static int ask_run(struct claims_page *p, size_t i)
{
    struct table_data *d = &p->data[i];
    TRY(table_data_make(d, p->runs[i], 0));
    p->views |= claim_views_of(&p->claims, &d->all);
    TRY(claim_groups(&p->groups[i], &p->claims, d));
    for (size_t g = 0; g < p->groups[i].n; g++) {
        TRY(answers_ask(&p->answers, d, &p->groups[i].items[g], p->names[i]));
    }
    return REGRET_OK;
}

static int ask_runs(struct claims_page *p)
{
    struct regret_buffer all = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < p->n; i++) {
        TRY(ask_run(p, i));
    }
    if (p->views != 0) {
        return answers_correct(&p->answers);
    }
    claim_views_append(&all, &p->claims, ~0U);
    TRY(regret_buffer_status(&all));
    int rc =
        regret_fail(REGRET_E_INPUT,
                    "no run here has the shape of a view of the paper (%s); data/paper/views.csv "
                    "says what each sweeps",
                    regret_buffer_get(&all));
    regret_buffer_free(&all);
    return rc;
}

/* ---------------------------------------------------------------- the page */

static int note_run(struct table *t, const struct claims_page *p, size_t i)
{
    const struct regret_results *r = p->runs[i];
    unsigned views = claim_views_of(&p->claims, &p->data[i].all);
    struct regret_buffer names = REGRET_BUFFER_INIT;
    claim_views_append(&names, &p->claims, views);
    int rc = regret_buffer_status(&names);
    table_note(t, "%s: pool %s%s, %zu cells × %zu seeds; %s%s.", p->names[i], r->run.pool_name,
               r->run.synthetic ? " (SYNTHETIC)" : "", r->n_cells, r->n_seeds,
               views != 0 ? "view " : "the shape of no view of the paper, so that nothing is asked",
               regret_buffer_get(&names));
    regret_buffer_free(&names);
    TRY(rc);
    return caution_notes(t, p->names[i], r);
}

/* Which views no run has the shape of, and how many findings are about those alone. */
static int note_not_asked(struct table *t, const struct claims_page *p)
{
    struct regret_buffer names = REGRET_BUFFER_INIT;
    claim_views_append(&names, &p->claims, ~p->views);
    int rc = regret_buffer_status(&names);
    if (names.length > 0) {
        table_note(t, "No run of the views %s: %zu findings are about these alone and not asked.",
                   regret_buffer_get(&names), claims_about_others(&p->claims, p->views));
    }
    regret_buffer_free(&names);
    return rc;
}

static int put_page(struct table *t, const struct claims_page *p)
{
    static char nothing[] = "";
    const struct group no_heading = {.heading = nothing};
    for (size_t i = 0; i < p->n; i++) {
        TRY(note_run(t, p, i));
    }
    TRY(note_not_asked(t, p));
    put_tallies(t, &p->answers, &no_heading, 1);
    put_answers(t, &p->answers, &no_heading, 1);
    note_claims(t);
    return REGRET_OK;
}

static void page_close(struct claims_page *p)
{
    for (size_t i = 0; p->data != NULL && i < p->n; i++) {
        table_data_free(&p->data[i]);
    }
    for (size_t i = 0; p->groups != NULL && i < p->n; i++) {
        groups_free(&p->groups[i]);
    }
    answers_free(&p->answers);
    claims_free(&p->claims);
    regret_free(p->data);
    regret_free(p->groups);
    regret_free(p->names);
}

/* The page as a table, which is begun. */
static int make_page(struct table *t, const struct regret_results *const *runs, size_t n_runs)
{
    FREED_BY(page_close) struct claims_page p = {.runs = runs, .n = n_runs};
    p.answers.claims = &p.claims;
    int synthetic = 0;
    TRY(n_runs > 0 ? REGRET_OK : regret_fail(REGRET_E_INPUT, "no run to ask"));
    TRY(claims_read(&p.claims));
    TRY(REGRET_NEW(&p.data, n_runs));
    TRY(REGRET_NEW(&p.groups, n_runs));
    TRY(REGRET_NEW(&p.names, n_runs));
    for (size_t i = 0; i < n_runs; i++) {
        synthetic |= runs[i]->run.synthetic;
    }
    name_runs(&p);
    TRY(check_runs(&p));
    TRY(ask_runs(&p));
    table_begin(t, "claims", "Findings of the paper in %zu run%s%s", n_runs, n_runs == 1 ? "" : "s",
                synthetic ? " (SYNTHETIC data among them)" : "");
    return put_page(t, &p);
}

int regret_report_claims(struct regret_buffer *out, const struct regret_results *const *runs,
                         size_t n_runs, enum regret_format format)
{
    struct table t = {0};
    return render_made(out, &t, make_page(&t, runs, n_runs), format);
}

/* The block of verdicts as shares of each row; that a claim needs what the run lacks is not counted. */
static void add_verdicts(struct chart *c, const struct table_block *b)
{
    for (size_t v = 0; v < VERDICT_NOT_APPLICABLE; v++) {
        chart_column(c, "%s", b->columns[1 + v]);
    }
    chart_panel(c, "%s", "");
    for (size_t i = 0; i < b->n_rows; i++) {
        double all = 0.0;
        for (size_t v = 0; v < VERDICT_NOT_APPLICABLE; v++) {
            all += b->rows[i].cells[v].value;
        }
        chart_row(c, "%s (%.0f)", b->rows[i].label, all);
        for (size_t v = 0; v < VERDICT_NOT_APPLICABLE; v++) {
            chart_point(c, (struct chart_point){.series = CHART_NO_SERIES,
                                                .row = i,
                                                .column = v,
                                                .value = b->rows[i].cells[v].value / all,
                                                .low = NAN,
                                                .high = NAN});
        }
    }
}

int regret_report_claims_draw(const char *folder, const struct regret_results *const *runs,
                              size_t n_runs)
{
    FREED_BY(table_free) struct table t = {0};
    struct chart c;
    TRY(make_page(&t, runs, n_runs));
    TRY(table_check(&t));
    chart_begin(&c, CHART_SHARES, "claims", "%s", t.title);
    chart_facts(&c, "shares of the findings that each run is asked; their number in brackets");
    chart_caption(&c, "A finding holds where the 95 %% bootstrap interval over seeds of every part "
                      "lies on the claimed side, is mixed where some lie there and others on the "
                      "other one, and is not separable where every interval holds 0. Corrected: "
                      "for the number of comparisons.");
    c.decimals = 0;
    add_verdicts(&c, &t.blocks[0]);
    return chart_save(folder, &c);
}
