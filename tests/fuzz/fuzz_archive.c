/* Archives and compressed files: whatever the bytes, members have names within the archive and bytes within bounds, and what is
 * read twice is the same. */
#include <string.h>

#include "base/archive.h"
#include "base/names.h"
#include "regret/status.h"
#include "support.h"

enum { MOST = 1 << 20 };

/* A hash of all members; *members of them. 0 where the archive is refused. */
static int read_all(uint64_t *hash, size_t *members, const char *path)
{
    struct source *s = NULL;
    const char *name = "";
    char *text = NULL;
    size_t length = 0;
    REQUIRE(fuzz_taken(source_open(&s, path)));
    int taken = fuzz_taken(source_next(s, NULL, 0, &name));
    while (taken && name != NULL) {
        REQUIRE(name[0] != '/' && strncmp(name, "../", 3) != 0 && strstr(name, "/../") == NULL);
        ++*members;
        taken = fuzz_taken(source_text(s, &text, &length, MOST));
        if (taken) {
            REQUIRE(length <= MOST && text[length] == '\0');
            *hash = *hash * 31 + regret_hash64(text, length) + regret_hash64(name, strlen(name));
            regret_free(text);
            text = NULL;
            taken = fuzz_taken(source_next(s, NULL, 0, &name));
        }
    }
    source_close(s);
    return taken;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t hash[2] = {0, 0};
    size_t members[2] = {0, 0};
    const char *path = fuzz_put("archive", (const char *)data, size);
    fuzz_accepted = read_all(&hash[0], &members[0], path);
    if (fuzz_turn(data, size, 4)) {
        REQUIRE(read_all(&hash[1], &members[1], path) == fuzz_accepted);
        REQUIRE(hash[0] == hash[1] && members[0] == members[1]);
    }
    return 0;
}
