/* Which models there are, and whose judgements of them. */
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/path.h"
#include "import/alpacaeval/alpacaeval.h"
#include "import/build/importer.h"
#include "regret/alloc.h"
#include "regret/file.h"

enum { MOST_ANNOTATORS = 64, NAMED = 12 };

/* The annotators met so far. */
struct annotators {
    struct {
        char *name; /* owned */
        size_t models;
    } item[MOST_ANNOTATORS];
    size_t n;
};

int alpacaeval_path(char **out, const char *path, const char *a, const char *b)
{
    char *folder = NULL;
    TRY(regret_path_join(&folder, path, a));
    if (b == NULL) {
        *out = folder;
        return REGRET_OK;
    }
    int rc = regret_path_join(out, folder, b);
    regret_free(folder);
    return rc;
}

static int is_wanted(const struct regret_alpacaeval_options *o, const char *model)
{
    return (o->n_models == 0 || name_matches(o->models, o->n_models, model)) &&
           !name_matches(o->excluded, o->n_excluded, model);
}

/* Whether an entry of the folder is a model that is asked for; files beside them are skipped. */
static int look_at(int *wanted, struct alpacaeval *s, const char *name)
{
    char *path = NULL;
    enum folder_entry kind = FOLDER_ENTRY_NONE;
    TRY(alpacaeval_path(&path, s->path, name, NULL));
    int rc = folder_entry_of(&kind, path);
    regret_free(path);
    TRY(rc);
    s->report.links += kind == FOLDER_ENTRY_OTHER;
    *wanted = kind == FOLDER_ENTRY_FOLDER && is_wanted(s->options, name);
    if (kind == FOLDER_ENTRY_FOLDER && !*wanted) {
        s->report.other_models++;
        importer_remember(s->there, sizeof s->there, name);
    }
    return REGRET_OK;
}

int alpacaeval_find_models(struct alpacaeval *s)
{
    struct folder_list *models = &s->models;
    size_t n = 0;
    TRY(folder_list_read(models, s->path));
    for (size_t i = 0; i < models->n; i++) {
        int wanted = 0;
        TRY(look_at(&wanted, s, models->name[i]));
        if (wanted) {
            char *name = models->name[i];
            models->name[i] = models->name[n];
            models->name[n++] = name;
        }
    }
    for (size_t i = n; i < models->n; i++) {
        regret_free(models->name[i]);
    }
    models->n = n;
    if (n > 0) {
        return REGRET_OK;
    }
    return s->there[0] != '\0'
               ? regret_fail(REGRET_E_INPUT,
                             "%s: no model is asked for by the patterns; there are: %s", s->path,
                             s->there)
               : regret_fail(REGRET_E_INPUT,
                             "%s has no folders; give AlpacaEval's folder of results, which holds "
                             "MODEL/ANNOTATOR/annotations.json",
                             s->path);
}

static int add_annotator(struct annotators *a, const char *name, const char *path)
{
    size_t i = 0;
    while (i < a->n && strcmp(a->item[i].name, name) != 0) {
        i++;
    }
    if (i == MOST_ANNOTATORS) {
        return regret_fail(REGRET_E_INPUT,
                           "%s has more than %d annotators; choose with --annotator", path,
                           MOST_ANNOTATORS);
    }
    if (i == a->n) {
        TRY(regret_strdup(&a->item[i].name, name));
        a->item[i].models = 0;
        a->n++;
    }
    a->item[i].models++;
    return REGRET_OK;
}

/* Adds those that have judged the model. */
static int add_annotators(struct annotators *a, const struct alpacaeval *s, const char *model)
{
    FREED_BY(folder_list_free) struct folder_list entries = {NULL, 0};
    FREED char *folder = NULL, *path = NULL;
    enum folder_entry kind = FOLDER_ENTRY_NONE;
    TRY(alpacaeval_path(&folder, s->path, model, NULL));
    TRY(folder_list_read(&entries, folder));
    for (size_t i = 0; i < entries.n; i++) {
        regret_free(path);
        path = NULL;
        TRY(alpacaeval_path(&path, folder, entries.name[i], NULL));
        TRY(folder_entry_of(&kind, path));
        if (kind != FOLDER_ENTRY_FOLDER) {
            continue;
        }
        regret_free(path);
        path = NULL;
        TRY(alpacaeval_path(&path, folder, entries.name[i], "annotations.json"));
        TRY(folder_entry_of(&kind, path));
        if (kind != FOLDER_ENTRY_NONE) {
            TRY(add_annotator(a, entries.name[i], s->path));
        }
    }
    return REGRET_OK;
}

static int choose(struct alpacaeval *s, const struct annotators *a)
{
    char list[1000] = "";
    size_t used = 0;
    if (a->n == 1) {
        return regret_strdup(&s->annotator, a->item[0].name);
    }
    if (a->n == 0) {
        return regret_fail(REGRET_E_INPUT, "%s has no MODEL/ANNOTATOR/annotations.json", s->path);
    }
    for (size_t i = 0; i < a->n && i < NAMED && used < sizeof list; i++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.60s (%zu models)",
                                 i > 0 ? ", " : "", a->item[i].name, a->item[i].models);
    }
    return regret_fail(REGRET_E_INPUT,
                       "%s has the judgements of %zu annotators; choose one with --annotator: %s%s",
                       s->path, a->n, list, a->n > NAMED ? ", …" : "");
}

/* The name of a folder, and no way out of the one it is in. */
static int check_name(const char *name)
{
    return name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "annotator \"%.60s\" is not the name of a folder; give one that "
                             "models have, such as weighted_alpaca_eval_gpt4_turbo",
                             name);
}

int alpacaeval_find_annotator(struct alpacaeval *s)
{
    struct annotators annotators = {.n = 0};
    int rc;
    if (s->options->annotator != NULL) {
        TRY(check_name(s->options->annotator));
        return regret_strdup(&s->annotator, s->options->annotator);
    }
    for (size_t i = 0; i < s->models.n; i++) {
        TRY_CLEANUP(add_annotators(&annotators, s, s->models.name[i]));
    }
    rc = choose(s, &annotators);
cleanup:
    for (size_t i = 0; i < annotators.n; i++) {
        regret_free(annotators.item[i].name);
    }
    return rc;
}
