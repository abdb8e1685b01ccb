#include "base/parent_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "regret/alloc.h"
#include "regret/file.h"

int parent_lock_take(int *out, const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    while (n > 0 && path[n - 1] != '/') {
        n--;
    }
    char *parent = NULL; /* with its slash, or where we are */
    int rc = n > 0 ? regret_strndup(&parent, path, n) : regret_strdup(&parent, ".");
    if (rc == REGRET_OK && n > 1) {
        parent[n - 1] = '\0';
        rc = regret_folder_create(parent);
    }
    if (rc == REGRET_OK) {
        int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0 && errno != EACCES) {
            rc = regret_fail(REGRET_E_IO, "cannot open %s: %s", parent, strerror(errno));
        }
        /* Where a folder cannot be read or locked (NFS), only that race stays open. */
        while (fd >= 0 && flock(fd, LOCK_EX) != 0 && errno == EINTR) {
        }
        *out = rc == REGRET_OK ? fd : *out;
    }
    regret_free(parent);
    return rc;
}

void parent_lock_release(int lock)
{
    if (lock >= 0) {
        close(lock);
    }
}
