/* run.json holds the configuration of cell 0 and the keys of every cell. A full product of sweeps
 * is recognised in the cells and put back, so that the configuration repeats the whole run. */
#include <string.h>

#include <cJSON.h>

#include "regret/alloc.h"
#include "report/results.h"

/* One swept key. Cells are numbered with the last axis fastest. */
struct axis {
    size_t key;
    size_t change; /* the first cell whose value is not that of cell 0 */
};

static size_t value_of(const struct regret_results *r, size_t cell, size_t key)
{
    return r->cell_value[cell + r->n_cells * key];
}

/* The swept keys, slowest first: the later the first change, the slower the key. */
static size_t find_axes(struct axis *axes, const struct regret_results *r)
{
    size_t n = 0;
    for (size_t k = 0; k < r->n_keys; k++) {
        if (r->keys[k].n_values < 2) {
            continue;
        }
        struct axis a = {k, 1};
        while (value_of(r, a.change, k) == value_of(r, 0, k)) {
            a.change++;
        }
        size_t i = n++;
        for (; i > 0 && axes[i - 1].change < a.change; i--) {
            axes[i] = axes[i - 1];
        }
        axes[i] = a;
    }
    return n;
}

/* 1 when cell c has the value numbered (c / change) mod n_values of every axis, counted in the
 * order of first appearance, and the axes make as many cells as there are. */
static int is_product(const struct results_reader *reader, const struct axis *axes, size_t n)
{
    const struct regret_results *r = reader->results;
    size_t cells = 1;
    for (size_t i = n; i-- > 0;) {
        size_t n_values = r->keys[axes[i].key].n_values;
        if (axes[i].change != cells || n_values > r->n_cells / cells) {
            return 0;
        }
        for (size_t c = 0; c < r->n_cells; c++) {
            size_t first = c / cells % n_values * cells;
            const char *name = r->keys[axes[i].key].name;
            if (value_of(r, c, axes[i].key) != value_of(r, first, axes[i].key) ||
                cJSON_GetObjectItemCaseSensitive(reader->keys[c], name) == NULL) {
                return 0;
            }
        }
        cells *= n_values;
    }
    return cells == r->n_cells;
}

/* "sweep": {name: [values]} in place of the single values. */
static int add_sweep(struct results_reader *reader, const struct axis *axes, size_t n)
{
    const struct regret_results *r = reader->results;
    cJSON *sweep = n > 0 ? cJSON_AddObjectToObject(reader->config, "sweep") : NULL;
    int good = n == 0 || sweep != NULL;
    for (size_t i = 0; good && i < n; i++) {
        const struct regret_key *key = &r->keys[axes[i].key];
        cJSON_DeleteItemFromObjectCaseSensitive(reader->config, key->name);
        cJSON *values = cJSON_AddArrayToObject(sweep, key->name);
        for (size_t v = 0; v < key->n_values; v++) {
            const cJSON *own =
                cJSON_GetObjectItemCaseSensitive(reader->keys[v * axes[i].change], key->name);
            good = good && values != NULL && cJSON_AddItemToArray(values, cJSON_Duplicate(own, 1));
        }
    }
    return good ? REGRET_OK : regret_fail(REGRET_E_NOMEM, "out of memory: the sweep");
}

int results_make_config(struct results_reader *reader)
{
    struct regret_results *r = reader->results;
    struct axis *axes = NULL;
    int rc = REGRET_NEW(&axes, r->n_keys);
    if (rc != REGRET_OK) {
        return rc;
    }
    size_t n = find_axes(axes, r);
    r->run.config_repeats = is_product(reader, axes, n);
    if (r->run.config_repeats &&
        cJSON_GetObjectItemCaseSensitive(reader->config, "sweep") == NULL) {
        rc = add_sweep(reader, axes, n);
    }
    char *text = rc == REGRET_OK ? cJSON_Print(reader->config) : NULL;
    if (rc == REGRET_OK && text == NULL) {
        rc = regret_fail(REGRET_E_NOMEM, "out of memory: the text of the configuration");
    }
    if (rc == REGRET_OK) {
        rc = regret_strdup(&r->run.config, text);
    }
    cJSON_free(text);
    regret_free(axes);
    return rc;
}
