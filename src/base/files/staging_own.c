#include "base/files/staging_own.h"

#include <fnmatch.h>
#include <string.h>

#include "base/core/try.h"
#include "base/files/folder_list.h"
#include "regret/alloc.h"
#include "regret/file.h"

enum { MOST_NAMED = 3 };

int staging_marker(char **out, const char *path, const char *names)
{
    FREED char *first = NULL;
    TRY(regret_strndup(&first, names, strcspn(names, " ")));
    return regret_path_join(out, path, first);
}

/* The new folder has the file, too. */
static int is_renewed(int *out, const char *name, const char *partial)
{
    FREED char *path = NULL;
    TRY(regret_path_join(&path, partial, name));
    *out = regret_file_exists(path);
    return REGRET_OK;
}

static int is_own(int *out, const char *name, const char *names, const char *partial)
{
    FREED char *list = NULL;
    char *rest = NULL;
    TRY(regret_strdup(&list, names));
    *out = 0;
    TRY(partial != NULL ? is_renewed(out, name, partial) : REGRET_OK);
    for (char *one = strtok_r(list, " ", &rest); one != NULL && !*out;
         one = strtok_r(NULL, " ", &rest)) {
        size_t n = strlen(one);
        int if_renewed = one[n - 1] == '?';
        one[n - (size_t)if_renewed] = '\0';
        *out = fnmatch(one, name, FNM_PATHNAME) == 0 && (!if_renewed || partial == NULL);
    }
    return REGRET_OK;
}

/* Others found, of which the first are named. */
struct others {
    const char *root, *names, *partial;
    struct regret_buffer named;
    size_t n;
};

static int look_in(struct others *o, const char *below);

static int look_at(struct others *o, const char *name)
{
    FREED char *path = NULL;
    enum folder_entry kind = FOLDER_ENTRY_NONE;
    int own = 0;
    TRY(regret_path_join(&path, o->root, name));
    TRY(folder_entry_of(&kind, path));
    if (kind == FOLDER_ENTRY_FOLDER) {
        return look_in(o, name);
    }
    TRY(is_own(&own, name, o->names, o->partial));
    if (!own && o->n++ < MOST_NAMED) {
        regret_buffer_printf(&o->named, "%s%s", o->named.length > 0 ? ", " : "", name);
    }
    return REGRET_OK;
}

/* `below` the root; "" is the root itself. */
static int look_in(struct others *o, const char *below)
{
    FREED_BY(folder_list_free) struct folder_list list = {0};
    FREED char *path = NULL;
    TRY(regret_path_join(&path, o->root, below));
    TRY(folder_list_read_all(&list, path));
    for (size_t i = 0; i < list.n; i++) {
        FREED char *name = NULL;
        TRY(below[0] != '\0' ? regret_path_join(&name, below, list.name[i])
                             : regret_strdup(&name, list.name[i]));
        TRY(look_at(o, name));
    }
    return REGRET_OK;
}

static void others_free(struct others *o)
{
    regret_buffer_free(&o->named);
}

int staging_check_own(const char *path, const char *names, const char *partial)
{
    FREED_BY(others_free)
    struct others o = {path, names, partial, REGRET_BUFFER_INIT, 0};
    TRY(look_in(&o, ""));
    TRY(regret_buffer_status(&o.named));
    if (o.n == 0) {
        return REGRET_OK;
    }
    if (o.n > MOST_NAMED) {
        regret_buffer_printf(&o.named, " and %zu more", o.n - MOST_NAMED);
    }
    const char *it = o.n > 1 ? "them" : "it";
    return regret_fail(REGRET_E_INPUT,
                       "%s holds %s, which the program did not write: to replace the folder would "
                       "delete %s; move %s, or give another folder",
                       path, regret_buffer_get(&o.named), it, it);
}
