#include "base/scratch.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "regret/buffer.h"
#include "regret/status.h"

char scratch_folder[32];

void scratch_enter(void)
{
    strcpy(scratch_folder, "/tmp/regret-scratch-XXXXXX");
    cr_assert_not_null(mkdtemp(scratch_folder));
    cr_assert_eq(chdir(scratch_folder), 0);
}

void scratch_leave(void)
{
    cr_assert_eq(regret_folder_remove(scratch_folder), 0);
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
