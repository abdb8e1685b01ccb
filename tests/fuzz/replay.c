/* Feeds files, and all files of folders, to a fuzz target: its corpus as an ordinary test, and each with MUTATIONS damages, the same
 * whenever it runs. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"
#include "support.h"

static size_t n_inputs, n_accepted, n_wrong;

/* A few bytes replaced, taken out or doubled, or the end cut, in a block of just its size. */
static void feed_damaged(const char *text, size_t length, uint64_t number)
{
    static const char TELLING[] = "{}[]\":,;\\\n\r\t +-.0129eE'/@=|#ab\0\xc3\xa9\xff";
    struct regret_rng r =
        regret_rng_at(fuzz_hash((const uint8_t *)text, length), REGRET_RNG_TEST, number);
    uint8_t *data = malloc(2 * length + 1);
    size_t n = length;
    REQUIRE(data != NULL);
    memcpy(data, text, length);
    for (uint32_t edits = 1 + regret_rng_below(&r, 4); edits > 0 && n > 0; edits--) {
        size_t at = regret_rng_below(&r, (uint32_t)n), few = 1 + regret_rng_below(&r, 8);
        few = few < n - at ? few : n - at;
        switch (regret_rng_below(&r, 12)) {
        case 0:
            n = at;
            break;
        case 1:
            memmove(data + at, data + at + few, n - at - few);
            n -= few;
            break;
        case 2:
            few = n + few <= 2 * length ? few : 0;
            memmove(data + at + few, data + at, n - at);
            n += few;
            break;
        case 3:
            data[at] = (uint8_t)regret_rng_below(&r, 256);
            break;
        default:
            data[at] = (uint8_t)TELLING[regret_rng_below(&r, sizeof TELLING - 1)];
        }
    }
    uint8_t *exact = realloc(data, n > 0 ? n : 1);
    LLVMFuzzerTestOneInput(exact != NULL ? exact : data, n);
    free(exact != NULL ? exact : data);
}

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
    fuzz_accepted = 0;
    fuzz_whole = 1;
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
    fuzz_whole = 0;
    for (uint64_t k = 0; k < MUTATIONS; k++) {
        feed_damaged(text, length, k);
    }
    regret_free(text);
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
