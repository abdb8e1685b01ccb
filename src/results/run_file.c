#define _GNU_SOURCE /* realpath */

#include "results/run_file.h"

#include <cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/json.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/estimate.h"
#include "regret/results.h"
#include "regret/status.h"
#include "results/row.h"

int run_file_check_key(const cJSON *key, struct regret_place at)
{
    for (const cJSON *v = key->child; v != NULL; v = v->next) {
        if (!cJSON_IsString(v) && !cJSON_IsNumber(v) && !cJSON_IsBool(v) && !cJSON_IsArray(v)) {
            return regret_json_error(
                at, "\"key\": \"%s\" must be a text, a number, a boolean or a list", v->string);
        }
    }
    return REGRET_OK;
}

static int read_cells(struct run_file *run, struct regret_place at)
{
    const cJSON *cells = NULL;
    long long seeds = 0, number = 0;
    TRY(regret_json_get_array(&cells, run->facts.json, "cells", at));
    TRY(regret_json_get_integer(&seeds, run->facts.json, "seeds", 1, RUN_SEEDS_MOST, at));
    int n = cJSON_GetArraySize(cells);
    if (n == 0 || n > RUN_CELLS_MOST) {
        return regret_json_error(at, "\"cells\" must hold 1 to %d cells, not %d", RUN_CELLS_MOST,
                                 n);
    }
    run->n_seeds = (size_t)seeds;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY(REGRET_NEW(&run->key, (size_t)n));
    for (const cJSON *c = cells->child; c != NULL; c = c->next) {
        const cJSON **key = &run->key[run->n_cells];
        TRY(regret_json_get_integer(&number, c, "cell", 0, n - 1, at));
        TRY(regret_json_get_object(key, c, "key", at));
        TRY(run_file_check_key(*key, at));
        if ((size_t)number != run->n_cells) {
            return regret_json_error(at,
                                     "\"cells\": cell %lld stands in place %zu; cells must be "
                                     "numbered in order from 0",
                                     number, run->n_cells);
        }
        run->n_cells++;
    }
    return REGRET_OK;
}

static int is_named(const struct run_file *run, const char *name)
{
    size_t i = 0;
    while (i < run->n_subjects && strcmp(run->subject[i].name, name) != 0) {
        i++;
    }
    return i < run->n_subjects;
}

static void add_subject(struct run_file *run, enum regret_row_kind kind, const char *name)
{
    run->subject[run->n_subjects++] = (struct regret_subject){.kind = kind, .name = name};
}

/* What this program's own table says of a family, for a run that says nothing. */
static void know_family(struct regret_subject *subject)
{
    const struct regret_family *family = regret_family_find(subject->name);
    if (family != NULL) {
        subject->roles = family->roles;
        subject->variant_of = family->variant_of != NULL ? family->variant_of->name : NULL;
    }
}

static int read_roles(unsigned *roles, const cJSON *facts, struct regret_place at)
{
    const cJSON *names = NULL;
    TRY(regret_json_get_array(&names, facts, "roles", at));
    *roles = 0;
    for (const cJSON *name = names->child; name != NULL; name = name->next) {
        if (!cJSON_IsString(name)) {
            return regret_json_error(at, "\"roles\" must hold names");
        }
        for (unsigned i = 0; i < REGRET_N_ROLES; i++) {
            *roles |= strcmp(regret_family_role_name(i), name->valuestring) == 0 ? 1U << i : 0;
        }
    }
    return REGRET_OK;
}

/* "family_facts": of each family in turn, what tables and claims go by. */
static int read_family_facts(struct run_file *run, struct regret_place at)
{
    const cJSON *facts = cJSON_GetObjectItemCaseSensitive(run->facts.json, RUN_FAMILY_FACTS);
    for (size_t i = 0; facts == NULL && i < run->n_families; i++) {
        know_family(&run->subject[i]);
    }
    if (facts == NULL) {
        return REGRET_OK;
    }
    if (!cJSON_IsArray(facts) || (size_t)cJSON_GetArraySize(facts) != run->n_families) {
        return regret_json_error(at, "\"" RUN_FAMILY_FACTS
                                     "\" must be an array with an object for each "
                                     "of the \"families\"");
    }
    struct regret_subject *subject = run->subject;
    for (const cJSON *f = facts->child; f != NULL; f = f->next, subject++) {
        const char *name = NULL;
        TRY(regret_json_get_string(&name, f, "family", at));
        if (strcmp(name, subject->name) != 0) {
            return regret_json_error(at, "\"" RUN_FAMILY_FACTS "\" has %s in the place of %s", name,
                                     subject->name);
        }
        TRY(read_roles(&subject->roles, f, at));
        TRY(regret_json_optional_string(&subject->variant_of, f, "variant_of", at));
        TRY(regret_json_optional_string(&subject->external, f, "external", at));
    }
    return REGRET_OK;
}

static void add_baseline(struct run_file *run, const struct row_baseline *baseline)
{
    add_subject(run, REGRET_ROW_BASELINE, baseline->name);
    run->subject[run->n_subjects - 1].rule = baseline->rule;
    run->subject[run->n_subjects - 1].source = baseline->source;
}

/* The baseline of that name, or NULL. */
static const struct row_baseline *find_baseline(const char *name)
{
    size_t i = 0;
    while (i < ROW_BASELINES && strcmp(row_baselines[i].name, name) != 0) {
        i++;
    }
    return i < ROW_BASELINES ? &row_baselines[i] : NULL;
}

/* Those that the run names; of a run that names none those that every run has. */
static int read_baselines(struct run_file *run, struct regret_place at)
{
    const cJSON *names = cJSON_GetObjectItemCaseSensitive(run->facts.json, RUN_BASELINES);
    for (size_t i = 0; names == NULL && i < ROW_BASELINES_ALWAYS; i++) {
        add_baseline(run, &row_baselines[i]);
    }
    if (names == NULL) {
        return REGRET_OK;
    }
    size_t first = run->n_subjects;
    TRY(regret_json_get_array(&names, run->facts.json, RUN_BASELINES, at));
    for (const cJSON *name = names->child; name != NULL; name = name->next) {
        const struct row_baseline *known =
            cJSON_IsString(name) ? find_baseline(name->valuestring) : NULL;
        if (known == NULL || run->n_subjects - first == ROW_BASELINES) {
            return regret_json_error(at,
                                     "\"" RUN_BASELINES "\" must hold names of baselines that "
                                     "this program knows; a newer regret may have made the run");
        }
        add_baseline(run, known);
    }
    return REGRET_OK;
}

static int read_subjects(struct run_file *run, struct regret_place at)
{
    const cJSON *families = NULL;
    TRY(regret_json_get_array(&families, run->facts.json, "families", at));
    int n = cJSON_GetArraySize(families);
    if (n == 0 || n > RUN_FAMILIES_MOST) {
        return regret_json_error(at, "\"families\" must name 1 to %d families, not %d",
                                 RUN_FAMILIES_MOST, n);
    }
    TRY(REGRET_NEW(&run->subject, (size_t)n + ROW_BASELINES + ROW_FITS));
    for (const cJSON *f = families->child; f != NULL; f = f->next) {
        if (!cJSON_IsString(f) || f->valuestring[0] == '\0') {
            return regret_json_error(at, "\"families\" must hold names");
        }
        if (is_named(run, f->valuestring)) {
            return regret_json_error(at, "\"families\" names %s twice", f->valuestring);
        }
        add_subject(run, REGRET_ROW_FAMILY, f->valuestring);
    }
    run->n_families = run->n_subjects;
    TRY(read_family_facts(run, at));
    TRY(read_baselines(run, at));
    for (size_t i = 0; i < ROW_FITS; i++) {
        add_subject(run, REGRET_ROW_FIT, row_fits[i]);
    }
    return REGRET_OK;
}

/* A text for people; an empty one says nothing and stays NULL. */
static int take_text(const char **out, const cJSON *object, const char *field,
                     struct regret_place at)
{
    TRY(regret_json_optional_string(out, object, field, at));
    *out = *out != NULL && (*out)[0] != '\0' ? *out : NULL;
    return REGRET_OK;
}

static int take_count(long long *out, const cJSON *object, const char *field,
                      struct regret_place at)
{
    *out = -1;
    return regret_json_optional_integer(out, object, field, 0, 1LL << 53, at);
}

static int take_scale(double scale[2], const cJSON *pool, struct regret_place at)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(pool, "scale");
    for (int i = 0; i < 2; i++) {
        const cJSON *end = list != NULL ? cJSON_GetArrayItem(list, i) : NULL;
        scale[i] = end != NULL && cJSON_IsNumber(end) ? end->valuedouble : (double)NAN;
    }
    return list == NULL || scale[0] < scale[1] || scale[1] < scale[0]
               ? REGRET_OK
               : regret_json_error(at, "\"pool\": \"scale\" must be two different numbers");
}

static int read_pool(struct regret_run_facts *facts, struct regret_place at)
{
    const cJSON *pool = NULL;
    TRY(regret_json_get_object(&pool, facts->json, "pool", at));
    TRY(regret_json_get_string(&facts->pool_name, pool, "name", at));
    TRY(take_text(&facts->pool_title, pool, "title", at));
    TRY(take_text(&facts->pool_version, pool, "version", at));
    TRY(take_text(&facts->pool_digest, pool, "digest", at));
    TRY(take_text(&facts->pool_licence, pool, "licence", at));
    TRY(take_count(&facts->contexts, pool, "contexts", at));
    TRY(take_count(&facts->agents, pool, "agents", at));
    TRY(take_count(&facts->draws, pool, "draws", at));
    TRY(take_count(&facts->least_draws, pool, "least_draws", at));
    TRY(take_count(&facts->dropped_contexts, pool, "dropped_contexts", at));
    TRY(take_count(&facts->dropped_agents, pool, "dropped_agents", at));
    TRY(take_count(&facts->imputed, pool, "imputed", at));
    TRY(take_count(&facts->observed, pool, "observed", at));
    TRY(take_count(&facts->comparable, pool, "comparable", at));
    TRY(take_scale(facts->scale, pool, at));
    const cJSON *synthetic = cJSON_GetObjectItemCaseSensitive(pool, "synthetic");
    if (!cJSON_IsBool(synthetic)) {
        return regret_json_error(at, "\"pool\": \"synthetic\" must be true or false, so that every "
                                     "table can say what its data are");
    }
    facts->synthetic = cJSON_IsTrue(synthetic);
    return REGRET_OK;
}

static int read_build(struct regret_run_facts *facts, struct regret_place at)
{
    TRY(regret_json_get_object(&facts->config, facts->json, "config", at));
    TRY(take_text(&facts->title, facts->config, "title", at));
    TRY(take_text(&facts->version, facts->json, "version", at));
    const cJSON *blas = cJSON_GetObjectItemCaseSensitive(facts->json, "blas");
    if (cJSON_IsObject(blas)) {
        TRY(take_text(&facts->blas_build, blas, "build", at));
        TRY(take_text(&facts->blas_kernel, blas, "kernel", at));
    }
    return REGRET_OK;
}

static int read_all(struct run_file *run, struct regret_place at)
{
    TRY(read_cells(run, at));
    TRY(run_file_read_grids(run, at));
    TRY(run_file_read_means(run, at));
    TRY(read_build(&run->facts, at));
    TRY(read_subjects(run, at));
    return read_pool(&run->facts, at);
}

int run_file_parse(struct run_file *out, const char *text, struct regret_place at)
{
    FREED_BY(run_file_free) struct run_file run = {0};
    TRY(regret_json_parse(&run.facts.json, text, strlen(text), at));
    TRY(read_all(&run, at));
    *out = run;
    run = (struct run_file){0};
    return REGRET_OK;
}

static int check_version(const cJSON *json, struct regret_place at)
{
    const char *format = NULL;
    long long version = 0;
    TRY(regret_json_get_string(&format, json, "format", at));
    if (strcmp(format, REGRET_RUN_FORMAT) != 0) {
        return regret_json_error(at, "\"format\" is \"%s\"; this program reads \"%s\"", format,
                                 REGRET_RUN_FORMAT);
    }
    TRY(regret_json_get_integer(&version, json, "results_version", 0, 1000000, at));
    if (version != REGRET_RESULTS_VERSION) {
        return regret_json_error(at, "\"results_version\" is %lld; this program reads %d", version,
                                 REGRET_RESULTS_VERSION);
    }
    return REGRET_OK;
}

enum { RUN_NAME_COLUMNS = 255 };

/* The last part of the folder's path, whatever it was called by: "." and a link name the folder that is meant, and
 * one that is being built names what it will be. */
static int name_run(char **out, const char *folder)
{
    char *whole = realpath(folder, NULL);
    if (whole == NULL) {
        return regret_fail(errno == ENOMEM ? REGRET_E_NOMEM : REGRET_E_IO, "cannot open %s: %s",
                           folder, strerror(errno));
    }
    struct regret_buffer name = REGRET_BUFFER_INIT;
    char *last = strrchr(whole, '/') + 1;
    last[staging_name_length(last)] = '\0';
    regret_buffer_append_safe(&name, last, RUN_NAME_COLUMNS);
    int rc = regret_buffer_status(&name);
    TRY_CLEANUP(rc);
    rc = regret_strdup(out, regret_buffer_get(&name));
cleanup:
    regret_buffer_free(&name);
    free(whole);
    return rc;
}

int run_file_read(struct run_file *out, const char *folder)
{
    FREED_BY(run_file_free) struct run_file run = {0};
    FREED char *path = NULL;
    TRY(regret_strdup(&run.facts.folder, folder));
    TRY(regret_path_join(&path, folder, "run.json"));
    TRY(regret_json_read_file(&run.facts.json, path));
    TRY(check_version(run.facts.json, (struct regret_place){path, 0}));
    TRY(name_run(&run.facts.name, folder));
    TRY(read_all(&run, (struct regret_place){path, 0}));
    *out = run;
    run = (struct run_file){0};
    return REGRET_OK;
}

void run_facts_csv(struct regret_buffer *out, const struct regret_run_facts *facts)
{
    regret_buffer_append_char(out, ',');
    csv_field(out, facts->name);
    regret_buffer_append_char(out, ',');
    csv_field(out, facts->pool_name);
    regret_buffer_append(out, facts->synthetic ? ",true\n" : ",false\n");
}

void run_resume_command(struct regret_buffer *text, const struct run_resume *missing,
                        const struct regret_subject *families, size_t n)
{
    struct regret_buffer path = REGRET_BUFFER_INIT;
    int commands = 0; /* a family of the user's own that is one must be allowed to run */
    for (size_t i = 0; i < n; i++) {
        const char *external = families[i].external;
        commands |= external != NULL && strcmp(external, "command") == 0;
    }
    regret_buffer_printf(&path, "%s/run.json", missing->from);
    regret_buffer_append(text, "regret run ");
    shell_word(text, regret_buffer_get(&path));
    if (missing->shards > 1) {
        regret_buffer_printf(text, " --shard %zu/%zu", missing->shard, missing->shards);
    }
    regret_buffer_append(text, " -o ");
    shell_word(text, missing->folder);
    regret_buffer_append(text, commands ? " --resume --allow-commands" : " --resume");
    regret_buffer_free_into(text, &path);
}

void run_file_free(struct run_file *run)
{
    cJSON_Delete(run->facts.json);
    regret_free(run->facts.folder);
    regret_free(run->facts.name);
    regret_free(run->key);
    regret_free(run->subject);
    run_grids_free(run->grids, run->n_grids);
    regret_free(run->cell_grid);
    run_means_clear(run->means, run->n_means);
    regret_free(run->cell_means);
    *run = (struct run_file){0};
}

int run_file_read_order(struct run_file *run, struct regret_place at)
{
    long long lines = 0;
    TRY(regret_json_get_integer(&run->first_seed, run->facts.config, "first_seed", 0, 1LL << 53,
                                at));
    TRY(regret_json_get_integer(&lines, run->facts.json, "rows", 1, 1LL << 20, at));
    run->lines = (size_t)lines;
    /* two fits less where the pool has no "success", one where its outputs have no statistics of patches, as in
     * all runs of older programs */
    if (run->lines > run->n_subjects || run->lines + 2 < run->n_subjects) {
        return regret_json_error(at, "\"rows\" is %zu, which %zu families do not make", run->lines,
                                 run->n_families);
    }
    return REGRET_OK;
}

/* "2/8" */
static int parse_label(struct shard_range *range, const char *label)
{
    char *end = NULL;
    if (label[0] < '0' || label[0] > '9') {
        return 0;
    }
    unsigned long long i = strtoull(label, &end, 10);
    if (end[0] != '/' || end[1] < '0' || end[1] > '9') {
        return 0;
    }
    unsigned long long n = strtoull(end + 1, &end, 10);
    range->shard = (size_t)i;
    range->shards = (size_t)n;
    return *end == '\0' && i >= 1 && i <= n && n <= SHARDS_MOST;
}

int run_file_read_range(struct run_file *run, struct regret_place at)
{
    const char *label = NULL;
    const cJSON *json = run->facts.json;
    long long begin = 0, replicates = 0, total = (long long)run->n_cells * (long long)run->n_seeds;
    TRY(regret_json_get_string(&label, json, "shard", at));
    if (!parse_label(&run->range, label)) {
        return regret_json_error(at, "\"shard\" must look like \"1/4\", but is \"%.20s\"", label);
    }
    if (cJSON_GetObjectItemCaseSensitive(json, "begin") == NULL) {
        return regret_json_error(at, "no \"begin\": an older regret made this shard, and did not "
                                     "record where it begins; run the shards again with --force");
    }
    TRY(regret_json_get_integer(&begin, json, "begin", 0, total - 1, at));
    TRY(regret_json_get_integer(&replicates, json, "replicates", 1, total - begin, at));
    run->range.begin = (size_t)begin;
    run->range.end = (size_t)(begin + replicates);
    return REGRET_OK;
}

void run_file_write_range(struct regret_buffer *t, const struct shard_range *range)
{
    regret_buffer_printf(t, "\"shard\":\"%zu/%zu\",\"begin\":%zu,\"replicates\":%zu}\n",
                         range->shard, range->shards, range->begin, range->end - range->begin);
}
