/* Folders that appear whole or not at all, and what in them is the program's own. */
/* Output folders that appear whole or not at all. The lock of the parent folder is held for moments:
 * while names beside one another are looked at and changed. Where the parent can be neither read nor
 * locked (NFS without locks), nothing of dead processes is cleared away; the rest stays as it is. */
#define _GNU_SOURCE /* renameat2 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/input.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* What of a folder that is to be replaced is the program's own. */

enum { MOST_NAMED = 3 };

/* "path/run.json" of the first of the names, in a fresh string. */
static int staging_marker(char **out, const char *path, const char *names)
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

/* REGRET_E_INPUT, naming them, where `path` holds files that are none of `names` (regret_staging_begin()) and would be lost;
 * `partial` is the folder that is to take its place, NULL where that is not known yet. */
static int staging_check_own(const char *path, const char *names, const char *partial)
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

static const char PARTIAL[] = ".partial-", ASIDE[] = ".replaced-";

/* The bytes of `path` up to its last name. */
static size_t parent_length(const char *path)
{
    return (size_t)(path_last(path) - path);
}

/* 0 when it was locked, else the reason. */
static int lock_descriptor(int fd, int how)
{
    int rc;
    do {
        rc = flock(fd, how);
    } while (rc != 0 && errno == EINTR);
    return rc == 0 ? 0 : errno;
}

static int cannot_be_locked(int reason)
{
    return reason == ENOSYS || reason == EOPNOTSUPP || reason == ENOLCK || reason == EINVAL;
}

size_t staging_name_length(const char *name)
{
    const char *mark = strstr(name, PARTIAL);
    return mark != NULL && mark > name ? (size_t)(mark - name) : strlen(name);
}

/* Is it a folder that this process is building, and holds locked? */
static int is_own_partial(const char *folder)
{
    char mark[64];
    snprintf(mark, sizeof mark, "%s%ld-", PARTIAL, (long)getpid());
    const char *name = folder + parent_length(folder);
    return strstr(name, mark) != NULL;
}

/* The folder in which a path stands; owned, but for the folders above. */
struct parent {
    char *path;
    size_t there; /* folder_create() */
    int lock;     /* -1: there can be none, or need be none */
};

/* Opens and locks the folder in which `path` will appear, made where it is missing. */
static int lock_parent(struct parent *out, const char *path)
{
    size_t n = parent_length(path);
    TRY(n > 1 ? regret_strndup(&out->path, path, n - 1)
              : regret_strdup(&out->path, n > 0 ? "/" : "."));
    const char *parent = out->path;
    out->there = strlen(parent);
    if (is_own_partial(parent)) {
        return REGRET_OK;
    }
    TRY(folder_create(&out->there, parent));
    int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && errno != EACCES) {
        return io_error("open", parent);
    }
    int reason = fd >= 0 ? lock_descriptor(fd, LOCK_EX) : 0;
    if (reason != 0) {
        close(fd);
        fd = -1;
        errno = reason;
        TRY(cannot_be_locked(reason) ? REGRET_OK : io_error("lock", parent));
    }
    out->lock = fd;
    return REGRET_OK;
}

static void unlock_parent(struct parent *parent)
{
    if (parent->lock >= 0) {
        close(parent->lock);
    }
    regret_free(parent->path);
}

/* ---- what dead processes left ---- */

/* Is `name` BASE, then `kind`, then two numbers with a dash between them? */
static int is_left_over(const char *name, const char *base, const char *kind)
{
    size_t n = strlen(base), k = strlen(kind);
    if (strncmp(name, base, n) != 0 || strncmp(name + n, kind, k) != 0) {
        return 0;
    }
    const char *p = name + n + k;
    size_t process = strspn(p, "0123456789");
    if (process == 0 || p[process] != '-') {
        return 0;
    }
    p += process + 1;
    size_t number = strspn(p, "0123456789");
    return number > 0 && p[number] == '\0';
}

/* Removes a folder under construction whose process is dead. One that cannot be removed stays for
 * the next time: it must not stop new work. */
static void remove_dead(int parent, const char *name, const char *path)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int dead = fd >= 0 && lock_descriptor(fd, LOCK_EX | LOCK_NB) == 0;
    struct regret_buffer whole = REGRET_BUFFER_INIT;
    if (dead) {
        regret_buffer_append_n(&whole, path, parent_length(path));
        regret_buffer_append(&whole, name);
        if (regret_buffer_status(&whole) == REGRET_OK) {
            (void)regret_folder_remove(regret_buffer_get(&whole));
        }
        regret_buffer_free(&whole);
    }
    if (fd >= 0) {
        close(fd);
    }
}

/* Deals with one name beside `path`, under the parent's lock. */
static int recover_entry(int parent, const char *name, const char *path)
{
    const char *base = path + parent_length(path);
    if (is_left_over(name, base, PARTIAL)) {
        remove_dead(parent, name, path);
    } else if (is_left_over(name, base, ASIDE)) {
        /* Names are moved aside under the lock we hold: its process is dead. */
        if (input_is_absent(path)) {
            return renameat(parent, name, parent, base) == 0 ? REGRET_OK
                                                             : io_error("put back", path);
        }
        if (regret_file_exists(path)) {
            remove_dead(parent, name, path);
        }
    }
    return REGRET_OK;
}

static int recover(int parent, const char *path)
{
    int copy = parent >= 0 ? fcntl(parent, F_DUPFD_CLOEXEC, 0) : -1;
    DIR *folder = copy >= 0 ? fdopendir(copy) : NULL;
    if (folder == NULL) {
        int rc = parent >= 0 ? io_error("list the folder of", path) : REGRET_OK;
        if (copy >= 0) {
            close(copy);
        }
        return rc;
    }
    rewinddir(folder);
    int rc;
    const struct dirent *entry = NULL;
    do {
        errno = 0;
        entry = readdir(folder);
        TRY_CLEANUP(entry == NULL && errno != 0 ? io_error("list the folder of", path) : REGRET_OK);
        TRY_CLEANUP(entry != NULL ? recover_entry(parent, entry->d_name, path) : REGRET_OK);
    } while (entry != NULL);
cleanup:
    closedir(folder);
    return rc;
}

/* `path` without slashes at its end. */
static int copy_path(char **out, const char *path)
{
    size_t n = strlen(path);
    if (n == 0) {
        return regret_fail(REGRET_E_INPUT, "the output folder has no name");
    }
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    return regret_strndup(out, path, n);
}

int regret_staging_recover(const char *path)
{
    char *copy = NULL;
    struct parent parent = {NULL, 0, -1};
    int rc;
    TRY(copy_path(&copy, path));
    TRY_CLEANUP(lock_parent(&parent, copy));
    rc = recover(parent.lock, copy);
cleanup:
    unlock_parent(&parent);
    regret_free(copy);
    return rc;
}

/* ---- begin ---- */

void regret_folder_mark(struct regret_folder_mark *out, const char *path)
{
    struct stat info;
    *out = (struct regret_folder_mark){0, 0, 0, 0};
    if (stat(path, &info) == 0) {
        *out = (struct regret_folder_mark){
            (unsigned long long)info.st_dev, (unsigned long long)info.st_ino,
            (unsigned long long)info.st_ctim.tv_sec, (unsigned long long)info.st_ctim.tv_nsec};
    }
}

void regret_staging_expect(struct regret_staging *s, const struct regret_folder_mark *mark)
{
    s->mark = *mark;
}

/* What stands at `path` is what was read, or there at begin. */
static int check_mark(const struct regret_staging *s)
{
    struct regret_folder_mark now;
    regret_folder_mark(&now, s->path);
    return memcmp(&now, &s->mark, sizeof now) == 0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "another process has changed %s meanwhile; what it wrote stands: run "
                             "this command again",
                             s->path);
}

/* May what stands at `path` be replaced? By `partial`, if that is known. */
static int check_replaceable(const char *path, const char *names, const char *partial)
{
    if (input_is_absent(path) || regret_folder_is_empty(path)) {
        return REGRET_OK;
    }
    if (names == NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "%s exists already; give another folder, or --force to replace it",
                           path);
    }
    FREED char *marker = NULL;
    TRY(staging_marker(&marker, path, names));
    return regret_is_folder(path) && regret_file_exists(marker)
               ? staging_check_own(path, names, partial)
               : regret_fail(REGRET_E_INPUT,
                             "%s has no %s in it, so it is not replaced; remove it by hand if you "
                             "mean it",
                             path, path_last(marker));
}

/* A name beside `path` that nothing has: `path`, `kind`, this process and a number from *n on. */
static int name_beside(char **out, int *n, const char *path, const char *kind)
{
    FREED_BY(regret_buffer_free) struct regret_buffer name = REGRET_BUFFER_INIT;
    do {
        regret_buffer_clear(&name);
        regret_buffer_printf(&name, "%s%s%ld-%d", path, kind, (long)getpid(), (*n)++);
        TRY(regret_buffer_status(&name));
    } while (regret_file_exists(regret_buffer_get(&name)));
    return regret_strdup(out, regret_buffer_get(&name));
}

/* Makes the folder under construction and locks it, so that others know its process lives. */
static int make_partial(struct regret_staging *s)
{
    enum { MOST = 1000 };
    int n = 0, made = -1;
    while (made != 0) {
        TRY(name_beside(&s->partial, &n, s->path, PARTIAL));
        made = mkdir(s->partial, 0777);
        if (made != 0 && (errno != EEXIST || n > MOST)) {
            int rc = io_error("create folder", s->partial);
            regret_free(s->partial);
            s->partial = NULL;
            return rc;
        }
        if (made != 0) {
            regret_free(s->partial);
            s->partial = NULL;
        }
    }
    s->lock = open(s->partial, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (s->lock < 0) {
        return io_error("open", s->partial);
    }
    int reason = lock_descriptor(s->lock, LOCK_EX | LOCK_NB);
    if (reason != 0 && !cannot_be_locked(reason)) {
        errno = reason;
        return io_error("lock", s->partial);
    }
    return REGRET_OK;
}

static int begin(struct regret_staging *s, const char *path, const char *names, int into_folder)
{
    struct regret_staging made = REGRET_STAGING_INIT;
    struct parent parent = {NULL, SIZE_MAX, -1};
    int rc;
    made.names = names;
    TRY(copy_path(&made.path, path));
    TRY_CLEANUP(lock_parent(&parent, made.path));
    TRY_CLEANUP(recover(parent.lock, made.path));
    if (!into_folder) {
        TRY_CLEANUP(check_replaceable(made.path, names, NULL));
    } else if (regret_file_exists(made.path) && !regret_is_folder(made.path)) {
        rc = regret_fail(REGRET_E_INPUT, "%s is a file; name a folder", made.path);
        goto cleanup;
    }
    regret_folder_mark(&made.mark, made.path);
    rc = make_partial(&made);
cleanup:
    made.there = parent.there;
    unlock_parent(&parent);
    if (rc != REGRET_OK) {
        regret_staging_abandon(&made);
        return rc;
    }
    *s = made;
    return REGRET_OK;
}

int regret_staging_begin(struct regret_staging *s, const char *path, int replace, const char *names)
{
    return begin(s, path, replace ? names : NULL, 0);
}

/* The first folder above `path` that is there can be written to. */
static int check_parent(const char *path)
{
    char *parent = NULL;
    size_t n;
    TRY(regret_strdup(&parent, path));
    do {
        n = parent_length(parent);
        while (n > 1 && parent[n - 1] == '/') {
            n--;
        }
        parent[n] = '\0';
    } while (n > 1 && !regret_file_exists(parent));
    const char *there = n > 0 ? parent : ".";
    errno = regret_is_folder(there) ? 0 : ENOTDIR;
    int rc =
        errno != 0 || access(there, W_OK | X_OK) != 0 ? io_error("create folder", path) : REGRET_OK;
    regret_free(parent);
    return rc;
}

int regret_staging_check(const char *path, int replace, const char *names)
{
    FREED char *copy = NULL;
    TRY(copy_path(&copy, path));
    TRY(check_parent(copy));
    return check_replaceable(copy, replace ? names : NULL, NULL);
}

int regret_staging_begin_files(struct regret_staging *s, const char *path)
{
    return begin(s, path, NULL, 1);
}

/* ---- commit ---- */

/* Flushes the names in a folder to disk, on file systems that know how. */
static int sync_folder(int fd, const char *path)
{
    return fd < 0 || fsync(fd) == 0 || errno == EINVAL ? REGRET_OK : io_error("write", path);
}

/* Where two names cannot be exchanged: the old one aside, the new one in. */
static int replace_in_two_steps(struct regret_staging *s, char **old)
{
    int n = 0, rc;
    TRY(name_beside(old, &n, s->path, ASIDE));
    if (rename(s->path, *old) != 0) {
        rc = io_error("put aside", s->path);
        goto cleanup;
    }
    if (rename(s->partial, s->path) == 0) {
        return REGRET_OK;
    }
    rc = io_error("put in place", s->path);
    if (rename(*old, s->path) != 0) {
        rc = regret_fail_suffix(
            rc, "; what was there before is now %s, and the next start puts it back", *old);
    }
cleanup:
    regret_free(*old);
    *old = NULL;
    return rc;
}

/* Puts the new folder where an old one is. *old is then the name that the old one has; owned. */
static int replace(struct regret_staging *s, char **old)
{
    if (renameat2(AT_FDCWD, s->partial, AT_FDCWD, s->path, RENAME_EXCHANGE) == 0) {
        *old = s->partial;
        s->partial = NULL;
        return REGRET_OK;
    }
    if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) {
        return io_error("put in place", s->path);
    }
    TRY(replace_in_two_steps(s, old));
    regret_free(s->partial);
    s->partial = NULL;
    return REGRET_OK;
}

/* Puts the new folder where there is nothing, or an empty folder. */
static int publish(struct regret_staging *s)
{
    if (rename(s->partial, s->path) != 0) {
        return errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR
                   ? regret_fail(REGRET_E_INPUT,
                                 "%s exists already: another process has made it meanwhile; give "
                                 "another folder, or --force to replace it",
                                 s->path)
                   : io_error("put in place", s->path);
    }
    regret_free(s->partial);
    s->partial = NULL;
    return REGRET_OK;
}

static int put_in_place(struct regret_staging *s, char **old)
{
    int there = regret_file_exists(s->path) && !regret_folder_is_empty(s->path);
    if (!there || s->names == NULL) {
        return publish(s);
    }
    TRY(check_mark(s));
    TRY(check_replaceable(s->path, s->names, s->partial));
    return replace(s, old);
}

int regret_staging_commit(struct regret_staging *s)
{
    char *old = NULL;
    struct parent parent = {NULL, 0, -1};
    int rc;
    TRY(sync_folder(s->lock, s->partial));
    TRY_CLEANUP(lock_parent(&parent, s->path));
    TRY_CLEANUP(put_in_place(s, &old));
    rc = sync_folder(parent.lock, s->path);
cleanup:
    unlock_parent(&parent);
    if (old != NULL) {
        /* The new output stands. What cannot be removed of the old one, the next start removes. */
        (void)regret_folder_remove(old);
        regret_free(old);
    }
    return rc;
}

static int move_file(const struct regret_staging *s, const char *name)
{
    FREED char *from = NULL, *to = NULL;
    TRY(regret_path_join(&from, s->partial, name));
    TRY(regret_path_join(&to, s->path, name));
    return rename(from, to) == 0 ? REGRET_OK : io_error("put in place", to);
}

static int check_absent(const struct regret_staging *s, const char *name)
{
    FREED char *path = NULL;
    TRY(regret_path_join(&path, s->path, name));
    return regret_file_exists(path)
               ? regret_fail(REGRET_E_INPUT, "%s is there already; --force replaces it", path)
               : REGRET_OK;
}

/* Moves each file into the folder that stands at s->path, which is locked. */
static int move_files(const struct regret_staging *s)
{
    FREED_BY(folder_list_free) struct folder_list list = {0};
    TRY(folder_list_read_all(&list, s->partial));
    for (size_t i = 0; s->keeps && i < list.n; i++) {
        TRY(check_absent(s, list.name[i]));
    }
    for (size_t i = 0; i < list.n; i++) {
        TRY(move_file(s, list.name[i]));
    }
    return REGRET_OK;
}

int regret_staging_commit_files(struct regret_staging *s)
{
    if (!regret_file_exists(s->path)) {
        return regret_staging_commit(s);
    }
    struct parent parent = {NULL, 0, -1};
    int rc;
    TRY(sync_folder(s->lock, s->partial));
    TRY_CLEANUP(lock_parent(&parent, s->path));
    rc = move_files(s); /* abandon removes the empty folder */
cleanup:
    unlock_parent(&parent);
    return rc;
}

void regret_staging_abandon(struct regret_staging *s)
{
    if (s->path == NULL) {
        return;
    }
    if (s->partial != NULL) {
        (void)regret_folder_remove(s->partial); /* else the next start does */
    }
    size_t n = parent_length(s->path);
    s->path[n > 1 ? n - 1 : n] = '\0';
    folder_remove_made(s->path, s->there);
    if (s->lock >= 0) {
        close(s->lock);
    }
    regret_free(s->partial);
    regret_free(s->path);
    *s = (struct regret_staging)REGRET_STAGING_INIT;
}
