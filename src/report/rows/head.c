#include "report/rows/head.h"

#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "base/text/escape.h"
#include "experiment/replicate/grid_losses.h"
#include "regret/synth.h"

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

/* Where values are wanted for another population of contexts: how many those of the grid are worth. */
static void target_population(struct regret_buffer *out, put_fact *put,
                              const struct regret_results *r)
{
    const cJSON *cell = NULL;
    double least = INFINITY, most = -INFINITY;
    cJSON_ArrayForEach(cell, cJSON_GetObjectItemCaseSensitive(r->run.json, "cells"))
    {
        const cJSON *n = cJSON_GetObjectItemCaseSensitive(cell, "effective_contexts");
        if (cJSON_IsNumber(n) && isfinite(n->valuedouble)) {
            least = fmin(least, n->valuedouble);
            most = fmax(most, n->valuedouble);
        }
    }
    if (least > most) {
        return;
    }
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_printf(
        &text,
        "values are wanted for contexts in other shares (transport.*); those of the "
        "grid count as %.4g",
        least);
    if (most > least) {
        regret_buffer_printf(&text, " to %.4g", most);
    }
    if (r->run.contexts >= 0) {
        regret_buffer_printf(&text, " of %lld", r->run.contexts);
    }
    put(out, "Target population", regret_buffer_get(&text));
    regret_buffer_free_into(out, &text);
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
    static const struct said_key JUDGES[] = {{"obs.outcome", "\"\""}, {"exp.outcome", "\"\""}};
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
    say_keys(&text, run->config, JUDGES, sizeof JUDGES / sizeof *JUDGES);
    known(out, put, "Outcomes", regret_buffer_get(&text));
    target_population(out, put, r);
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
