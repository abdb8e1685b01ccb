#include "base/files/folder_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "base/files/output.h"
#include "regret/alloc.h"

static int by_bytes(const void *left, const void *right)
{
    const char *const *a = left, *const *b = right;
    return strcmp(*a, *b);
}

static int add_names(struct folder_list *list, DIR *folder, const char *path)
{
    size_t capacity = 0;
    const struct dirent *entry = NULL;
    errno = 0;
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        if (list->n == FOLDER_LIST_MOST) {
            return regret_fail(REGRET_E_INPUT, "%s has more than %d entries", path,
                               FOLDER_LIST_MOST);
        }
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
        TRY(regret_grow((void **)&list->name, &capacity, list->n, sizeof *list->name, "entries"));
        list->name[list->n] = NULL;
        TRY(regret_strdup(&list->name[list->n], entry->d_name));
        list->n++;
        errno = 0;
    }
    return errno == 0 ? REGRET_OK
                      : regret_fail(REGRET_E_IO, "cannot read %s: %s", path, strerror(errno));
}

int folder_list_read(struct folder_list *out, const char *path)
{
    DIR *folder = opendir(path);
    *out = (struct folder_list){NULL, 0};
    if (folder == NULL) {
        return errno == ENOMEM
                   ? regret_fail(REGRET_E_NOMEM, "out of memory: %s", path)
                   : regret_fail(REGRET_E_INPUT, "%s is not a folder that can be read: %s", path,
                                 strerror(errno));
    }
    int rc = add_names(out, folder, path);
    closedir(folder);
    if (rc != REGRET_OK) {
        folder_list_free(out);
        return rc;
    }
    if (out->n > 0) {
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
        qsort(out->name, out->n, sizeof *out->name, by_bytes);
    }
    return REGRET_OK;
}

void folder_list_free(struct folder_list *list)
{
    texts_free(list->name, list->n);
    *list = (struct folder_list){NULL, 0};
}

/* What the last look at a path failed with, where it may be there all the same. */
static int unless_absent(const char *path)
{
    return errno == ENOENT || errno == ENOTDIR ? REGRET_OK : io_error("look at", path);
}

int folder_entry_of(enum folder_entry *out, const char *path)
{
    struct stat info;
    *out = FOLDER_ENTRY_NONE;
    if (lstat(path, &info) != 0) {
        return unless_absent(path);
    }
    *out = S_ISREG(info.st_mode)   ? FOLDER_ENTRY_FILE
           : S_ISDIR(info.st_mode) ? FOLDER_ENTRY_FOLDER
                                   : FOLDER_ENTRY_OTHER;
    return REGRET_OK;
}

int folder_is_there(int *is_there, const char *path)
{
    struct stat info;
    *is_there = stat(path, &info) == 0;
    TRY(*is_there ? REGRET_OK : unless_absent(path));
    *is_there = *is_there && S_ISDIR(info.st_mode);
    return REGRET_OK;
}
