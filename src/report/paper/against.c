#include "report/paper/against.h"

#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "regret/alloc.h"

static int add_source(struct against *a, const struct paper_table *paper)
{
    TRY(regret_realloc((void **)&a->sources, a->n + 1, sizeof *a->sources, "published tables"));
    struct against_source *source = &a->sources[a->n];
    *source = (struct against_source){.paper = paper};
    TRY(paper_table_read(&source->published, paper));
    a->n++;
    return REGRET_OK;
}

static int add_fitting(struct against *a, const struct regret_results *r)
{
    FREED_BY(slice_free) struct slice all = {0};
    TRY(slice_all(&all, r));
    for (size_t i = 0; i < a->tables.n; i++) {
        if (paper_table_fits(&a->tables.items[i], &all)) {
            TRY(add_source(a, &a->tables.items[i]));
        }
    }
    return REGRET_OK;
}

static int add_named(void *context, const char *name)
{
    struct against *a = context;
    const struct paper_table *t = NULL;
    TRY(paper_table_find(&t, &a->tables, name));
    if (t->file[0] == '\0') {
        return regret_fail(REGRET_E_INPUT,
                           "no number of %s is known, so nothing can be held against it", name);
    }
    for (size_t i = 0; i < a->n; i++) {
        if (a->sources[i].paper == t) {
            return regret_fail(REGRET_E_INPUT, "%s is named twice", name);
        }
    }
    return add_source(a, t);
}

/* Calls `take` with every name of a list "T4,T5". */
static int each_name(const char *list, int (*take)(void *context, const char *name), void *context)
{
    for (const char *p = list; p != NULL;) {
        const char *comma = strchr(p, ',');
        char *name = NULL;
        TRY(regret_strndup(&name, p, comma != NULL ? (size_t)(comma - p) : strlen(p)));
        int rc = take(context, name);
        regret_free(name);
        TRY(rc);
        p = comma != NULL ? comma + 1 : NULL;
    }
    return REGRET_OK;
}

static int add_file(struct against *a, const char *path)
{
    TRY(REGRET_NEW(&a->sources, 1));
    TRY(published_read(&a->sources[0].published, path));
    a->n = 1;
    return REGRET_OK;
}

static int is_path(const char *what)
{
    size_t n = strlen(what);
    return strchr(what, '/') != NULL || (n > 4 && strcmp(what + n - 4, ".csv") == 0);
}

int against_read(struct against *out, const char *what, const struct regret_results *r)
{
    struct against a = {.is_paper = !is_path(what)};
    int rc;
    if (!a.is_paper) {
        rc = add_file(&a, what);
        goto cleanup;
    }
    TRY_CLEANUP(paper_tables_read(&a.tables));
    if (strcmp(what, "paper") == 0) {
        rc = add_fitting(&a, r);
    } else {
        rc = each_name(what, add_named, &a);
    }
cleanup:
    if (rc != REGRET_OK) {
        against_free(&a);
        return rc;
    }
    *out = a;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- by the configuration */

struct fitting {
    struct paper_tables tables;
    struct slice all;
    struct regret_buffer names;
};

static int keep_fitting(void *context, const char *name)
{
    struct fitting *f = context;
    const struct paper_table *t = NULL;
    TRY(paper_table_find(&t, &f->tables, name));
    if (paper_table_fits(t, &f->all)) {
        regret_buffer_printf(&f->names, "%s%s", f->names.length > 0 ? "," : "", name);
    }
    return REGRET_OK;
}

int against_configured(char **out, const struct regret_results *r)
{
    const cJSON *named = cJSON_GetObjectItemCaseSensitive(r->run.config, "paper");
    struct fitting f = {.names = REGRET_BUFFER_INIT};
    int rc = REGRET_OK;
    *out = NULL;
    if (cJSON_IsString(named) && named->valuestring[0] != '\0') {
        TRY_CLEANUP(paper_tables_read(&f.tables));
        TRY_CLEANUP(slice_all(&f.all, r));
        TRY_CLEANUP(each_name(named->valuestring, keep_fitting, &f));
        TRY_CLEANUP(regret_buffer_status(&f.names));
    }
    if (f.names.length > 0) {
        TRY_CLEANUP(regret_strdup(out, regret_buffer_get(&f.names)));
    }
cleanup:
    paper_tables_free(&f.tables);
    slice_free(&f.all);
    regret_buffer_free(&f.names);
    return rc != REGRET_OK ? regret_fail_prefix(rc, "run.json: \"paper\"") : rc;
}

void against_free(struct against *a)
{
    for (size_t i = 0; i < a->n; i++) {
        published_free(&a->sources[i].published);
    }
    regret_free(a->sources);
    paper_tables_free(&a->tables);
    *a = (struct against){0};
}
