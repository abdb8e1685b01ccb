#include "base/archive/walk.h"

#include <string.h>

#include "base/core/try.h"
#include "base/text/path.h"
#include "regret/alloc.h"

static void cut(struct walk *w, size_t length)
{
    w->path.length = length;
    w->path.data[length] = '\0';
}

static int enter(struct walk *w)
{
    const char *path = regret_buffer_get(&w->path);
    if (w->depth == WALK_MOST_DEPTH) {
        return regret_fail(REGRET_E_INPUT, "%s lies more than %d folders deep; give one of them",
                           path, WALK_MOST_DEPTH);
    }
    TRY(regret_grow((void **)&w->folder, &w->capacity, w->depth, sizeof *w->folder, "folders"));
    struct walk_folder *folder = &w->folder[w->depth];
    *folder = (struct walk_folder){.length = w->path.length};
    TRY(folder_list_read(&folder->list, path));
    w->depth++;
    return REGRET_OK;
}

int walk_begin(struct walk *w, const char *path)
{
    size_t n = strlen(path);
    enum folder_entry entry = FOLDER_ENTRY_NONE;
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    regret_buffer_append_n(&w->path, path, n);
    TRY(regret_buffer_status(&w->path));
    TRY(folder_entry_of(&entry, regret_buffer_get(&w->path)));
    switch (entry) {
    case FOLDER_ENTRY_FOLDER:
        w->root = n + 1;
        return enter(w);
    case FOLDER_ENTRY_FILE: {
        w->is_file = 1;
        w->root = (size_t)(path_last(w->path.data) - w->path.data);
        return REGRET_OK;
    }
    case FOLDER_ENTRY_OTHER:
        return regret_fail(REGRET_E_INPUT,
                           "%s is a link, a pipe or a device; give the file or folder itself",
                           path);
    default:
        return regret_fail(REGRET_E_INPUT, "there is no file or folder %s", path);
    }
}

/* Goes on to the next entry of the innermost folder, and out of it at its end. */
static int step(enum folder_entry *entry, struct walk *w)
{
    struct walk_folder *folder = &w->folder[w->depth - 1];
    cut(w, folder->length);
    if (folder->next == folder->list.n) {
        folder_list_free(&folder->list);
        w->depth--;
        *entry = FOLDER_ENTRY_NONE;
        return REGRET_OK;
    }
    regret_buffer_append_char(&w->path, '/');
    regret_buffer_append(&w->path, folder->list.name[folder->next++]);
    TRY(regret_buffer_status(&w->path));
    return folder_entry_of(entry, regret_buffer_get(&w->path));
}

int walk_next(struct walk *w, const char **path, int *is_file)
{
    enum folder_entry entry = w->is_file && !w->is_over ? FOLDER_ENTRY_FILE : FOLDER_ENTRY_NONE;
    w->is_over = 1;
    while (entry != FOLDER_ENTRY_FILE && entry != FOLDER_ENTRY_OTHER && w->depth > 0) {
        TRY(step(&entry, w));
        TRY(entry == FOLDER_ENTRY_FOLDER ? enter(w) : REGRET_OK);
    }
    *is_file = entry == FOLDER_ENTRY_FILE;
    *path = *is_file || entry == FOLDER_ENTRY_OTHER ? regret_buffer_get(&w->path) : NULL;
    return REGRET_OK;
}

void walk_free(struct walk *w)
{
    for (size_t i = 0; i < w->depth; i++) {
        folder_list_free(&w->folder[i].list);
    }
    regret_free(w->folder);
    regret_buffer_free(&w->path);
}
