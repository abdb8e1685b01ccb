#include "report/against.h"

#include <string.h>

#include "base/try.h"
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
    const struct paper_table *t = NULL;
    for (size_t i = 0; (t = paper_table_at(i)) != NULL; i++) {
        if (paper_table_fits(t, r)) {
            TRY(add_source(a, t));
        }
    }
    return REGRET_OK;
}

static int unknown_table(const char *name)
{
    struct regret_text list = REGRET_TEXT_INIT;
    paper_table_names(&list);
    int rc =
        regret_fail(REGRET_E_INPUT,
                    "nothing called \"%s\" to hold the run against; there are paper (its tables "
                    "that fit the run), %s, and files that end in .csv",
                    name, regret_text_get(&list));
    regret_text_free(&list);
    return rc;
}

static int add_named(struct against *a, const char *name)
{
    const struct paper_table *t = paper_table_find(name);
    if (t == NULL) {
        return unknown_table(name);
    }
    if (t->file == NULL) {
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

static int add_list(struct against *a, const char *list)
{
    for (const char *p = list; p != NULL;) {
        const char *comma = strchr(p, ',');
        char *name = NULL;
        TRY(regret_strndup(&name, p, comma != NULL ? (size_t)(comma - p) : strlen(p)));
        int rc = add_named(a, name);
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
    } else if (strcmp(what, "paper") == 0) {
        rc = add_fitting(&a, r);
    } else {
        rc = add_list(&a, what);
    }
    if (rc != REGRET_OK) {
        against_free(&a);
        return rc;
    }
    *out = a;
    return REGRET_OK;
}

void against_free(struct against *a)
{
    for (size_t i = 0; i < a->n; i++) {
        published_free(&a->sources[i].published);
    }
    regret_free(a->sources);
    *a = (struct against){0};
}
