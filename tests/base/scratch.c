#include "base/scratch.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "regret/alloc.h"
#include "regret/file.h"

void scratch_enter(char *folder)
{
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
}

void scratch_leave(const char *folder)
{
    cr_assert_eq(regret_folder_remove(folder), 0);
}

void scratch_put(const char *path, const char *text)
{
    cr_assert_eq(regret_file_write(path, text, strlen(text)), 0, "%s", regret_error_message());
}

void scratch_holds(const char *path, const char *text)
{
    char *data = NULL;
    cr_assert_eq(regret_file_read(&data, NULL, path, 4096), 0, "%s", regret_error_message());
    cr_assert_str_eq(data, text);
    regret_free(data);
}

int scratch_entries(const char *path)
{
    int n = 0;
    DIR *listing = opendir(path);
    cr_assert_not_null(listing);
    while (readdir(listing) != NULL) {
        n++;
    }
    closedir(listing);
    return n - 2;
}
