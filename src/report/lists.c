#include "report/lists.h"

#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "experiment/replicate.h"
#include "regret/report.h"
#include "regret/status.h"
#include "regret/synth.h"
#include "report/slice.h"
#include "stats/resampling.h"

typedef void put_fact(struct regret_buffer *out, const char *label, const char *text);

static void fact_markdown(struct regret_buffer *out, const char *label, const char *text)
{
    regret_buffer_printf(out, "* %s: ", label);
    markdown_escape(out, text);
    regret_buffer_append_char(out, '\n');
}

static void fact_html(struct regret_buffer *out, const char *label, const char *text)
{
    regret_buffer_printf(out, "<dt>%s</dt><dd>", label);
    html_escape(out, text);
    regret_buffer_append(out, "</dd>\n");
}

const char head_synthetic[] = "SYNTHETIC data.";
const char head_not_real[] =
    "The pool was generated; nothing here says anything about a real task.";
const char head_real[] = "A real task: the outputs and their scores were collected; OBS and EXP "
                         "are resampled from them.";

/* A fact that is there. */
static void known(struct regret_buffer *out, put_fact *put, const char *label, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        put(out, label, text);
    }
}

/* The largest share of clipped scores of the cells that were run on others than the pool's own; how many these are. */
static size_t cells_with_other_scores(double *clipped, const struct regret_results *r)
{
    const cJSON *cell = NULL;
    size_t n = 0;
    *clipped = 0.0;
    cJSON_ArrayForEach(cell, cJSON_GetObjectItemCaseSensitive(r->run.json, "cells"))
    {
        const cJSON *share = cJSON_GetObjectItemCaseSensitive(cell, "clipped_scores");
        if (cJSON_IsNumber(share) && isfinite(share->valuedouble)) {
            n++;
            *clipped = fmax(*clipped, share->valuedouble);
        }
    }
    return n;
}

/* A key, and the JSON of the value that changes nothing. */
struct said_key {
    const char *name, *off;
};

/* The keys of n with their values that change something. */
static void say_keys(struct regret_buffer *text, const cJSON *config, const struct said_key *keys,
                     size_t n)
{
    const cJSON *sweep = cJSON_GetObjectItemCaseSensitive(config, "sweep");
    const char *joint = "";
    for (size_t i = 0; i < n; i++) {
        const cJSON *swept = cJSON_GetObjectItemCaseSensitive(sweep, keys[i].name);
        const cJSON *v =
            swept != NULL ? swept : cJSON_GetObjectItemCaseSensitive(config, keys[i].name);
        char *json = v != NULL ? cJSON_PrintUnformatted(v) : NULL;
        if (json != NULL && strcmp(json, keys[i].off) != 0) {
            regret_buffer_printf(text, "%s%s = ", joint, keys[i].name);
            regret_buffer_append_safe(text, json, 100);
            joint = ", ";
        }
        cJSON_free(json);
    }
}

void head_changed_scores(struct regret_buffer *out, const struct regret_results *r)
{
    static const struct said_key KEYS[] = {{"spread.within", "1"},
                                           {"spread.agents", "1"},
                                           {"spread.contexts", "1"},
                                           {"spread.noise", "0"}};
    double clipped = 0.0;
    size_t n = cells_with_other_scores(&clipped, r);
    if (n == 0) {
        return;
    }
    regret_buffer_append(out, "not the pool's own: they were changed when it was read (");
    say_keys(out, r->run.config, KEYS, sizeof KEYS / sizeof *KEYS);
    regret_buffer_printf(out, ") in %zu of %zu cells; at most %.2g %% of them were clipped", n,
                         r->n_cells, 100.0 * clipped);
}

/* -1 stands for what run.json does not say. */
static size_t at_least_zero(long long n)
{
    return n > 0 ? (size_t)n : 0;
}

/* What families of the user's own are: the command as it was given, or where the predictions lay. */
static void own_families(struct regret_buffer *out, put_fact *put, const struct regret_results *r)
{
    const cJSON *family = NULL;
    cJSON_ArrayForEach(family, cJSON_GetObjectItemCaseSensitive(r->run.config, "families"))
    {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(family, "name");
        const cJSON *what = cJSON_GetObjectItemCaseSensitive(family, "command");
        what = what != NULL ? what : cJSON_GetObjectItemCaseSensitive(family, "predictions");
        char *json = cJSON_IsString(name) && what != NULL ? cJSON_PrintUnformatted(what) : NULL;
        if (json != NULL) {
            struct regret_buffer text = REGRET_BUFFER_INIT;
            regret_buffer_append_safe(&text, name->valuestring, 60);
            regret_buffer_append(&text, cJSON_IsArray(what) ? " asks " : " is read from ");
            regret_buffer_append_safe(&text, json, 300);
            put(out, "Own family", regret_buffer_get(&text));
            regret_buffer_free_into(out, &text);
        }
        cJSON_free(json);
    }
}

/* May the configuration start programs? */
static int has_commands(const struct regret_run_facts *run)
{
    const cJSON *family = NULL;
    int any = 0;
    cJSON_ArrayForEach(family, cJSON_GetObjectItemCaseSensitive(run->config, "families"))
    {
        any |= cJSON_GetObjectItemCaseSensitive(family, "command") != NULL;
    }
    return any;
}

static void composed(struct regret_buffer *out, put_fact *put, const struct regret_results *r)
{
    const struct regret_run_facts *run = &r->run;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    if (run->contexts >= 0 && run->agents >= 0) {
        regret_buffer_printf(&text, "%lld contexts × %lld agents", run->contexts, run->agents);
        if (run->least_draws > 0) {
            regret_buffer_printf(&text, " × %lld to %lld draws", run->least_draws, run->draws);
        } else if (run->draws > 1) {
            regret_buffer_printf(&text, " × %lld draws", run->draws);
        }
        put(out, "Grid", regret_buffer_get(&text));
        regret_buffer_clear(&text);
    }
    const struct grid_loss loss = {
        .contexts = at_least_zero(run->dropped_contexts),
        .agents = at_least_zero(run->dropped_agents),
        .imputed = at_least_zero(run->imputed),
        .observed = at_least_zero(run->observed),
        .pairs = run->observed > 0 ? at_least_zero(run->contexts) * at_least_zero(run->agents) : 0,
        .comparable = at_least_zero(run->comparable)};
    grid_losses(&text, &loss);
    known(out, put, "Of the pool", regret_buffer_get(&text));
    regret_buffer_clear(&text);
    head_changed_scores(&text, r);
    known(out, put, "Scores", regret_buffer_get(&text));
    regret_buffer_clear(&text);
    regret_buffer_printf(&text, "%zu, seeds: %zu, replicates: %zu of %zu", r->n_cells,
                         r->seeds_planned, r->n_complete, r->n_cells * r->seeds_planned);
    put(out, "Cells", regret_buffer_get(&text));
    regret_buffer_clear(&text);
    for (size_t f = 0; f < r->n_families; f++) {
        regret_buffer_printf(&text, "%s%s", f > 0 ? ", " : "", r->subjects[f].name);
    }
    put(out, "Families", regret_buffer_get(&text));
    regret_buffer_free_into(out, &text);
    own_families(out, put, r);
}

static void put_facts(struct regret_buffer *out, put_fact *put, const struct regret_results *r)
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

const char *head_title(const struct regret_run_facts *run)
{
    return run->title != NULL        ? run->title
           : run->pool_title != NULL ? run->pool_title
                                     : run->pool_name;
}

/* A pool that is generated when a run starts lies in no folder. */
const char *head_command(const struct regret_run_facts *run)
{
    const cJSON *pool = cJSON_GetObjectItemCaseSensitive(run->config, "pool");
    int is_synth = cJSON_IsString(pool) && strncmp(pool->valuestring, REGRET_SYNTH_PREFIX,
                                                   strlen(REGRET_SYNTH_PREFIX)) == 0;
    if (has_commands(run)) {
        return is_synth ? "regret run config.json -o RUN --allow-commands"
                        : "regret run config.json --set pool=FOLDER -o RUN --allow-commands";
    }
    return is_synth ? "regret run config.json -o RUN"
                    : "regret run config.json --set pool=FOLDER -o RUN";
}

void head_facts_markdown(struct regret_buffer *out, const struct regret_results *r)
{
    put_facts(out, fact_markdown, r);
}

void head_facts_html(struct regret_buffer *out, const struct regret_results *r)
{
    regret_buffer_append(out, "<dl>\n");
    put_facts(out, fact_html, r);
    regret_buffer_append(out, "</dl>\n");
}

static int same_agents(const struct regret_run_grid *a, const struct regret_run_grid *b)
{
    size_t i = 0;
    while (a->n_agents == b->n_agents && i < a->n_agents &&
           strcmp(a->agents[i], b->agents[i]) == 0) {
        i++;
    }
    return a->n_agents == b->n_agents && i == a->n_agents;
}

size_t lists_oracle(const struct regret_results *r)
{
    size_t oracle = regret_results_subject(r, REGRET_ROW_BASELINE, "oracle");
    for (size_t i = 1; i < r->n_grids; i++) {
        if (!same_agents(&r->grids[0], &r->grids[i])) {
            return REGRET_NO_ROW;
        }
    }
    for (size_t i = 0; oracle != REGRET_NO_ROW && i < r->n_cells * r->n_seeds; i++) {
        if (regret_results_list(r, REGRET_LIST_CONTEXT, oracle, i % r->n_cells, i / r->n_cells).n >
            0) {
            return oracle;
        }
    }
    return REGRET_NO_ROW;
}

/* ---------------------------------------------------------------- what contexts do to a mean */

int held_out_begin(struct held_out *h, size_t n_contexts, size_t n_seeds)
{
    *h = (struct held_out){.n_contexts = n_contexts};
    TRY(REGRET_NEW(&h->mean, n_seeds));
    TRY(REGRET_NEW(&h->shift, n_contexts));
    TRY(REGRET_NEW(&h->touched, n_contexts));
    return REGRET_NEW(&h->is_in, n_contexts);
}

void held_out_free(struct held_out *h)
{
    regret_free(h->mean);
    regret_free(h->shift);
    regret_free(h->touched);
    regret_free(h->is_in);
    regret_free(h->pairs);
    *h = (struct held_out){0};
}

void held_out_add(struct held_out *h, const struct regret_list_view *context, const double *x)
{
    size_t n = context->n;
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) {
        sum += x[k];
    }
    for (size_t k = 0; k < n; k++) {
        size_t c = (size_t)context->number[k];
        if (!h->is_in[c]) {
            h->is_in[c] = 1;
            h->touched[h->n_touched++] = c;
        }
        h->shift[c] += n > 1 ? (sum / (double)n - x[k]) / (double)(n - 1) : NAN;
    }
}

int held_out_seed(struct held_out *h, double sum, double total)
{
    int counts = isfinite(sum / total);
    for (size_t k = 0; k < h->n_touched; k++) {
        size_t c = h->touched[k];
        if (counts) {
            TRY(regret_grow((void **)&h->pairs, &h->room, h->n_pairs, sizeof *h->pairs, "pairs"));
            h->pairs[h->n_pairs++] =
                (struct regret_two_way_pair){h->n_seeds, c, h->shift[c] / total};
        }
        h->shift[c] = 0.0;
        h->is_in[c] = 0;
    }
    h->n_touched = 0;
    h->mean[h->n_seeds] = sum / total;
    h->n_seeds += (size_t)counts;
    return REGRET_OK;
}

int held_out_interval(struct regret_two_way *out, const struct held_out *h)
{
    TRY(regret_two_way(out, h->mean, h->n_seeds, h->pairs, h->n_pairs, h->n_contexts));
    if (h->unknown || out->n_contexts < FEW_CONTEXTS) {
        out->se = out->low = out->high = NAN;
    }
    return REGRET_OK;
}
