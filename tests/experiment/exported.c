#include "experiment/exported.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "experiment/fixture.h"
#include "regret/experiment.h"
#include "regret/status.h"

static char *read_file(const struct exported *e, const char *file)
{
    char name[128];
    snprintf(name, sizeof name, "%s/%s", e->folder, file);
    return fixture_read(NULL, name);
}

static cJSON *read_json(const struct exported *e, const char *file)
{
    char *text = read_file(e, file);
    cJSON *json = cJSON_Parse(text);
    cr_assert_not_null(json, "%s is not JSON", file);
    regret_free(text);
    return json;
}

static void *array(size_t n, size_t size)
{
    void *out = calloc(n > 0 ? n : 1, size);
    cr_assert_not_null(out);
    return out;
}

double *exported_column(size_t *rows, const struct exported *e, const char *file, size_t column)
{
    char *text = read_file(e, file);
    size_t n = 0, lines = 0;
    for (const char *p = text; *p != '\0'; p++) {
        lines += *p == '\n';
    }
    double *out = array(lines, sizeof *out);
    for (const char *p = strchr(text, '\n') + 1; *p != '\0'; p = strchr(p, '\n') + 1) {
        const char *field = p;
        for (size_t c = 0; c < column; c++) {
            field = strchr(field, ',') + 1;
        }
        char *end = NULL;
        out[n++] = strtod(field, &end);
        cr_assert(end != field && (*end == ',' || *end == '\n'), "%s: %.60s", file, p);
    }
    regret_free(text);
    *rows = n;
    return out;
}

/* The contexts that cell.json lists, none of which trains, and their pairs. */
static void read_held_out(size_t **contexts, size_t *n, const struct exported *e, const char *name)
{
    const cJSON *x;
    *contexts = array(e->n_contexts, sizeof **contexts);
    cJSON_ArrayForEach(x, cJSON_GetObjectItem(e->cell, name))
    {
        (*contexts)[(*n)++] = (size_t)x->valueint;
    }
}

void exported_open(struct exported *e, const char *folder)
{
    size_t rows = 0;
    *e = (struct exported){.folder = folder};
    e->cell = read_json(e, "cell.json");
    e->hyper = read_json(e, "hyper.json");
    e->n_draws = (size_t)cJSON_GetObjectItem(e->cell, "draws")->valueint;
    e->n_contexts = (size_t)cJSON_GetArraySize(cJSON_GetObjectItem(e->cell, "contexts"));
    int apart = cJSON_GetObjectItem(e->cell, "reference") != NULL;
    read_held_out(&e->test, &e->n_test, e, "test");
    read_held_out(&e->reference, &e->n_reference, e, apart ? "reference" : "test");
    e->mu = exported_column(&rows, e, "target.csv", 2);
}

void exported_close(struct exported *e)
{
    free(e->mu);
    free(e->test);
    free(e->reference);
    cJSON_Delete(e->cell);
    cJSON_Delete(e->hyper);
}

void exported_make(struct exported *e, const char *const *sets, size_t n_sets,
                   struct exported_place at)
{
    cr_assert_eq(regret_export_cell(sample_path("e"), fixture_config(), sets, n_sets, at.cell,
                                    at.seed, at.fold, at.fold > 0, NULL),
                 0, "%s", regret_error_message());
    exported_open(e, "e");
}
