/* Feeds files, and all files of folders, to a fuzz target: its corpus as an ordinary test. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/buffer.h"
#include "regret/status.h"
#include "support.h"

static size_t n_inputs, n_accepted, n_wrong;

static void replay_file(const char *path, const char *name)
{
    char *text = NULL;
    size_t length = 0;
    if (regret_file_read(&text, &length, path, (size_t)1 << 20) != 0) {
        fprintf(stderr, "%s\n", regret_error_message());
        n_wrong++;
        return;
    }
    /* The exact size, so that the address sanitizer sees a byte read past the end. */
    uint8_t *data = malloc(length > 0 ? length : 1);
    REQUIRE(data != NULL);
    memcpy(data, text, length);
    regret_free(text);
    fuzz_accepted = 0;
    LLVMFuzzerTestOneInput(data, length);
    free(data);
    n_inputs++;
    n_accepted += fuzz_accepted != 0;
    int must = strncmp(name, "ok-", 3) == 0, must_not = strncmp(name, "bad-", 4) == 0;
    if ((must && !fuzz_accepted) || (must_not && fuzz_accepted)) {
        fprintf(stderr, "%s: was %s; last message: %s\n", path,
                fuzz_accepted ? "accepted" : "refused", regret_error_message());
        n_wrong++;
    }
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void replay_folder(const char *folder)
{
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, NULL, by_name);
    REQUIRE(n >= 0);
    for (int i = 0; i < n; i++) {
        char *path = NULL;
        if (entries[i]->d_name[0] != '.') {
            REQUIRE(regret_path_join(&path, folder, entries[i]->d_name) == 0);
            replay_file(path, entries[i]->d_name);
        }
        regret_free(path);
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv)
{
    fuzz_whole = 1;
    for (int i = 1; i < argc; i++) {
        const char *slash = strrchr(argv[i], '/');
        if (regret_is_folder(argv[i])) {
            replay_folder(argv[i]);
        } else {
            replay_file(argv[i], slash != NULL ? slash + 1 : argv[i]);
        }
    }
    printf("%zu inputs, %zu accepted, %zu wrong\n", n_inputs, n_accepted, n_wrong);
    return n_inputs > 0 && n_wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
