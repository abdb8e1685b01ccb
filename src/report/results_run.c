#include "report/results.h"

#include <string.h>

#include <cJSON.h>

#include "base/try.h"
#include "experiment/row_fields.h"
#include "regret/alloc.h"
#include "regret/file.h"

enum { MAX_FAMILIES = 256, MAX_CELLS = 100000, MAX_SEEDS = 1000000 };

/* An empty text says nothing: *out stays NULL. */
static int copy_text(char **out, const cJSON *object, const char *field, struct regret_place at)
{
    const char *text = NULL;
    TRY(regret_json_optional_string(&text, object, field, at));
    return text != NULL && text[0] != '\0' ? regret_strdup(out, text) : REGRET_OK;
}

static int copy_count(long long *out, const cJSON *object, const char *field,
                      struct regret_place at)
{
    *out = -1;
    return regret_json_optional_integer(out, object, field, 0, 1LL << 53, at);
}

static int read_pool(struct regret_run_facts *run, const cJSON *root, struct regret_place at)
{
    const cJSON *pool = NULL;
    const char *name = NULL;
    TRY(regret_json_get_object(&pool, root, "pool", at));
    TRY(regret_json_get_string(&name, pool, "name", at));
    TRY(regret_strdup(&run->pool_name, name));
    TRY(copy_text(&run->pool_title, pool, "title", at));
    TRY(copy_text(&run->pool_version, pool, "version", at));
    TRY(copy_text(&run->pool_digest, pool, "digest", at));
    TRY(copy_text(&run->pool_licence, pool, "licence", at));
    TRY(copy_count(&run->contexts, pool, "contexts", at));
    TRY(copy_count(&run->agents, pool, "agents", at));
    TRY(copy_count(&run->draws, pool, "draws", at));
    TRY(copy_count(&run->dropped_contexts, pool, "dropped_contexts", at));
    TRY(copy_count(&run->dropped_agents, pool, "dropped_agents", at));
    TRY(copy_count(&run->imputed, pool, "imputed", at));
    const cJSON *synthetic = cJSON_GetObjectItemCaseSensitive(pool, "synthetic");
    if (!cJSON_IsBool(synthetic)) {
        return regret_json_error(at, "\"pool\": \"synthetic\" must be true or false, so that every "
                                     "table can say what its data are");
    }
    run->synthetic = cJSON_IsTrue(synthetic);
    return REGRET_OK;
}

static int keep_config(struct results_reader *reader, cJSON *root)
{
    reader->config = cJSON_DetachItemFromObjectCaseSensitive(root, "config");
    char *text = cJSON_Print(reader->config);
    int rc = text != NULL ? regret_strdup(&reader->results->run.config, text)
                          : regret_fail(REGRET_E_NOMEM, "out of memory: the configuration");
    cJSON_free(text);
    return rc;
}

static int read_build(struct results_reader *reader, cJSON *root, struct regret_place at)
{
    struct regret_run_facts *run = &reader->results->run;
    const cJSON *config = NULL;
    TRY(regret_json_get_object(&config, root, "config", at));
    TRY(copy_text(&run->title, config, "title", at));
    TRY(copy_text(&run->version, root, "version", at));
    const cJSON *blas = cJSON_GetObjectItemCaseSensitive(root, "blas");
    if (cJSON_IsObject(blas)) {
        TRY(copy_text(&run->blas_build, blas, "build", at));
        TRY(copy_text(&run->blas_kernel, blas, "kernel", at));
    }
    return keep_config(reader, root);
}

static int add_subject(struct regret_results *r, enum regret_row_kind kind, const char *name)
{
    r->subjects[r->n_subjects].kind = kind;
    TRY(regret_strdup(&r->subjects[r->n_subjects].name, name));
    r->n_subjects++;
    return REGRET_OK;
}

static int read_subjects(struct regret_results *r, const cJSON *root, struct regret_place at)
{
    const cJSON *families = NULL;
    TRY(regret_json_get_array(&families, root, "families", at));
    int n = cJSON_GetArraySize(families);
    if (n == 0 || n > MAX_FAMILIES) {
        return regret_json_error(at, "\"families\" must name 1 to %d families, not %d",
                                 MAX_FAMILIES, n);
    }
    TRY(REGRET_NEW(&r->subjects, (size_t)n + ROW_BASELINES + ROW_FITS));
    for (const cJSON *f = families->child; f != NULL; f = f->next) {
        if (!cJSON_IsString(f) || f->valuestring[0] == '\0') {
            return regret_json_error(at, "\"families\" must hold names");
        }
        if (regret_results_subject(r, REGRET_ROW_FAMILY, f->valuestring) != REGRET_NO_ROW) {
            return regret_json_error(at, "\"families\" names %s twice", f->valuestring);
        }
        TRY(add_subject(r, REGRET_ROW_FAMILY, f->valuestring));
    }
    r->n_families = r->n_subjects;
    for (size_t i = 0; i < ROW_BASELINES; i++) {
        TRY(add_subject(r, REGRET_ROW_BASELINE, row_baselines[i]));
    }
    for (size_t i = 0; i < ROW_FITS; i++) {
        TRY(add_subject(r, REGRET_ROW_FIT, row_fits[i]));
    }
    return REGRET_OK;
}

int results_check_key(const cJSON *key, struct regret_place at)
{
    for (const cJSON *v = key->child; v != NULL; v = v->next) {
        if (!cJSON_IsString(v) && !cJSON_IsNumber(v) && !cJSON_IsBool(v) && !cJSON_IsArray(v)) {
            return regret_json_error(
                at, "\"key\": \"%s\" must be a text, a number, a boolean or a list", v->string);
        }
    }
    return REGRET_OK;
}

static int read_cells(struct results_reader *reader, cJSON *root, struct regret_place at)
{
    struct regret_results *r = reader->results;
    const cJSON *cells = NULL;
    long long seeds = 0;
    TRY(regret_json_get_array(&cells, root, "cells", at));
    TRY(regret_json_get_integer(&seeds, root, "seeds", 1, MAX_SEEDS, at));
    int n = cJSON_GetArraySize(cells);
    if (n == 0 || n > MAX_CELLS) {
        return regret_json_error(at, "\"cells\" must hold 1 to %d cells, not %d", MAX_CELLS, n);
    }
    r->n_cells = (size_t)n;
    r->seeds_planned = (size_t)seeds;
    TRY(REGRET_NEW(&reader->keys, r->n_cells));
    size_t i = 0;
    for (cJSON *c = cells->child; c != NULL; c = c->next, i++) {
        long long number = 0;
        const cJSON *key = NULL;
        TRY(regret_json_get_integer(&number, c, "cell", 0, n - 1, at));
        TRY(regret_json_get_object(&key, c, "key", at));
        TRY(results_check_key(key, at));
        if ((size_t)number != i) {
            return regret_json_error(at,
                                     "\"cells\": cell %lld stands in place %zu; cells must be "
                                     "numbered in order from 0",
                                     number, i);
        }
        reader->keys[i] = cJSON_DetachItemFromObjectCaseSensitive(c, "key");
    }
    return REGRET_OK;
}

int results_read_run(struct results_reader *reader, const char *folder)
{
    struct regret_results *r = reader->results;
    char *path = NULL;
    cJSON *root = NULL;
    const char *format = NULL;
    long long version = 0;
    int rc;
    TRY_CLEANUP(regret_strdup(&r->run.folder, folder));
    TRY_CLEANUP(regret_path_join(&path, folder, "run.json"));
    TRY_CLEANUP(regret_json_read_file(&root, path));
    struct regret_place at = {path, 0};
    TRY_CLEANUP(regret_json_get_string(&format, root, "format", at));
    if (strcmp(format, REGRET_RUN_FORMAT) != 0) {
        rc = regret_json_error(at, "\"format\" is \"%s\"; this program reads \"%s\"", format,
                               REGRET_RUN_FORMAT);
        goto cleanup;
    }
    TRY_CLEANUP(regret_json_get_integer(&version, root, "results_version", 0, 1000000, at));
    if (version != REGRET_RESULTS_VERSION) {
        rc = regret_json_error(at, "\"results_version\" is %lld; this program reads %d", version,
                               REGRET_RESULTS_VERSION);
        goto cleanup;
    }
    TRY_CLEANUP(read_pool(&r->run, root, at));
    TRY_CLEANUP(read_build(reader, root, at));
    TRY_CLEANUP(read_subjects(r, root, at));
    rc = read_cells(reader, root, at);
cleanup:
    cJSON_Delete(root);
    regret_free(path);
    return rc;
}
