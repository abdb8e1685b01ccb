#include "faults/faults.h"

#include <string.h>

#include "faults/shim.h"

/* clang-format off */
const struct kind kinds[] = {
    {"kill at a call", {"io", "kill", 0}, 12},
    {"kill in a write", {"write", "torn", 0}, 3},
    {"kill in a fwrite", {"fwrite", "torn", 0}, 2},
    {"memory once", {"memory", "ENOMEM", 0}, 10},
    {"memory from then on", {"memory", "ENOMEM", 1}, 6},
    {"disk of so many pages", {TRIAL_FULL_DISK, "", 0}, 4},
    {"stdout is full", {TRIAL_FULL_OUTPUT, "", 0}, 1},
    {"open EIO", {"open", "EIO", 0}, 2},
    {"open EMFILE on", {"open", "EMFILE", 1}, 1},
    {"open EINTR", {"open", "EINTR", 0}, 1},
    {"openat EIO", {"openat", "EIO", 0}, 1},
    {"read EIO", {"read", "EIO", 0}, 2},
    {"read EINTR", {"read", "EINTR", 0}, 1},
    {"read short", {"read", "short", 0}, 2},
    {"read short on", {"read", "short", 1}, 1},
    {"write EIO", {"write", "EIO", 0}, 1},
    {"write ENOSPC on", {"write", "ENOSPC", 1}, 2},
    {"write EINTR", {"write", "EINTR", 0}, 1},
    {"write short", {"write", "short", 0}, 2},
    {"write short on", {"write", "short", 1}, 1},
    {"write zero", {"write", "zero", 0}, 1},
    {"write zero on", {"write", "zero", 1}, 1},
    {"fsync EIO", {"fsync", "EIO", 0}, 1},
    {"fsync EINTR", {"fsync", "EINTR", 0}, 1},
    {"close EIO", {"close", "EIO", 0}, 2},
    {"rename EIO", {"rename", "EIO", 0}, 1},
    {"rename EACCES on", {"rename", "EACCES", 1}, 1},
    {"renameat2 EIO", {"renameat2", "EIO", 0}, 1},
    {"renameat2 EINVAL on", {"renameat2", "EINVAL", 1}, 1},
    {"link EIO", {"link", "EIO", 0}, 1},
    {"symlink EIO", {"symlink", "EIO", 0}, 1},
    {"mkdir ENOSPC", {"mkdir", "ENOSPC", 0}, 1},
    {"mkdirat ENOSPC", {"mkdirat", "ENOSPC", 0}, 1},
    {"rmdir EIO", {"rmdir", "EIO", 0}, 1},
    {"unlink EIO", {"unlink", "EIO", 0}, 1},
    {"unlinkat EIO", {"unlinkat", "EIO", 0}, 2},
    {"unlinkat EACCES on", {"unlinkat", "EACCES", 1}, 1},
    {"ftruncate EIO", {"ftruncate", "EIO", 0}, 1},
    {"lseek EIO", {"lseek", "EIO", 0}, 1},
    {"stat EIO", {"stat", "EIO", 0}, 2},
    {"lstat EIO", {"lstat", "EIO", 0}, 2},
    {"lstat EACCES on", {"lstat", "EACCES", 1}, 1},
    {"fstat EIO", {"fstat", "EIO", 0}, 2},
    {"fstatat EIO", {"fstatat", "EIO", 0}, 1},
    {"access EIO", {"access", "EIO", 0}, 1},
    {"flock ENOLCK", {"flock", "ENOLCK", 0}, 1},
    {"flock ENOLCK on", {"flock", "ENOLCK", 1}, 1},
    {"flock EINTR", {"flock", "EINTR", 0}, 1},
    {"fcntl ENOLCK", {"fcntl", "ENOLCK", 0}, 1},
    {"fcntl EINVAL on", {"fcntl", "EINVAL", 1}, 1},
    {"opendir EMFILE", {"opendir", "EMFILE", 0}, 1},
    {"fdopendir ENOMEM", {"fdopendir", "ENOMEM", 0}, 1},
    {"readdir EIO", {"readdir", "EIO", 0}, 2},
    {"fopen EMFILE", {"fopen", "EMFILE", 0}, 1},
    {"fdopen ENOMEM", {"fdopen", "ENOMEM", 0}, 1},
    {"fread EISDIR", {"fread", "EIO", 0}, 2},
    {"fwrite ENOSPC", {"fwrite", "ENOSPC", 0}, 1},
    {"fflush ENOSPC", {"fflush", "ENOSPC", 0}, 1},
    {"fclose EIO", {"fclose", "EIO", 0}, 1},
    {"mmap ENOMEM", {"mmap", "ENOMEM", 0}, 1},
    {"pthread_create EAGAIN", {"pthread_create", "EAGAIN", 0}, 1},
};
/* clang-format on */
const size_t n_kinds = sizeof kinds / sizeof *kinds;

_Static_assert(sizeof kinds / sizeof *kinds <= MAX_KINDS, "kinds fit");
_Static_assert(SHIM_N_CALLS <= 64, "counts fit");

static const char *const names[SHIM_N_CALLS] = {
#define SHIM_NAME(name) #name,
    SHIM_CALLS(SHIM_NAME)
#undef SHIM_NAME
};

size_t kind_places(const struct kind *k, const struct rehearsal *r)
{
    const char *call = k->fault.call;
    if (strcmp(call, "io") == 0) {
        return r->io;
    }
    if (strcmp(call, "memory") == 0) {
        return r->memory;
    }
    if (strcmp(call, TRIAL_FULL_OUTPUT) == 0) {
        return r->wrote_size > 0;
    }
    if (strcmp(call, TRIAL_FULL_DISK) == 0) {
        size_t before = tree_pages(&r->before), after = tree_pages(&r->after);
        return after > before ? after - before + 4 : 4;
    }
    for (size_t i = 0; i < SHIM_N_CALLS; i++) {
        if (strcmp(names[i], call) == 0) {
            return r->counts[i];
        }
    }
    return 0;
}

size_t kind_place(size_t i, size_t wanted, size_t places, size_t salt)
{
    if (wanted >= places) {
        return i + 1;
    }
    size_t begin = i * places / wanted, end = (i + 1) * places / wanted;
    size_t mixed = (i + 1) * 2654435761u + salt * 40503u;
    return begin + (mixed >> 7) % (end - begin) + 1;
}
