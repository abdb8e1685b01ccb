#define _GNU_SOURCE
#include "faults/faults.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void tree_die(const char *action, const char *path)
{
    fprintf(stderr, "faults: cannot %s %s: %s\n", action, path, strerror(errno));
    exit(3);
}

static void *need(void *memory)
{
    if (memory == NULL) {
        tree_die("allocate for", "a tree");
    }
    return memory;
}

static char *join(const char *folder, const char *name)
{
    char *path = NULL;
    if (asprintf(&path, "%s%s%s", folder, folder[0] != '\0' ? "/" : "", name) < 0) {
        tree_die("name", name);
    }
    return path;
}

static void read_file(struct tree_entry *e, const char *path, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        tree_die("open", path);
    }
    e->data = need(malloc(size + 1));
    for (ssize_t n = 1; n > 0 && e->size < size; e->size += (size_t)n) {
        n = read(fd, e->data + e->size, size - e->size);
        if (n < 0) {
            tree_die("read", path);
        }
    }
    e->data[e->size] = '\0';
    close(fd);
}

static void read_entry(struct tree *tree, const char *root, char *path);

static void read_folder(struct tree *tree, const char *root, const char *inside)
{
    char *path = join(root, inside);
    DIR *folder = opendir(path);
    struct dirent *entry;
    if (folder == NULL) {
        tree_die("open", path);
    }
    while ((entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            read_entry(tree, root, join(inside, entry->d_name));
        }
    }
    closedir(folder);
    free(path);
}

/* Takes `inside` over. */
static void read_entry(struct tree *tree, const char *root, char *inside)
{
    struct stat info;
    struct tree_entry e = {inside, NULL, 0, '?'};
    char *path = join(root, inside);
    if (lstat(path, &info) != 0) {
        tree_die("examine", path);
    }
    if (S_ISREG(info.st_mode)) {
        e.type = 'f';
        read_file(&e, path, (size_t)info.st_size);
    } else if (S_ISLNK(info.st_mode)) {
        char target[4096];
        ssize_t n = readlink(path, target, sizeof target - 1);
        target[n < 0 ? 0 : n] = '\0';
        e.type = 'l';
        e.data = need(strdup(target));
        e.size = strlen(target);
    } else if (S_ISDIR(info.st_mode)) {
        e.type = 'd';
    }
    tree->entries = need(realloc(tree->entries, (tree->n + 1) * sizeof *tree->entries));
    tree->entries[tree->n++] = e;
    if (e.type == 'd') {
        read_folder(tree, root, inside);
    }
    free(path);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct tree_entry *)a)->path, ((const struct tree_entry *)b)->path);
}

void tree_read(struct tree *out, const char *folder)
{
    struct tree tree = TREE_INIT;
    if (access(folder, F_OK) == 0) {
        read_folder(&tree, folder, "");
    }
    if (tree.n > 0) {
        qsort(tree.entries, tree.n, sizeof *tree.entries, by_path);
    }
    *out = tree;
}

void tree_free(struct tree *tree)
{
    for (size_t i = 0; i < tree->n; i++) {
        free(tree->entries[i].path);
        free(tree->entries[i].data);
    }
    free(tree->entries);
    *tree = (struct tree)TREE_INIT;
}

void tree_remove(const char *folder)
{
    DIR *open_folder = opendir(folder);
    struct dirent *entry;
    while (open_folder != NULL && (entry = readdir(open_folder)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            char *path = join(folder, entry->d_name);
            struct stat info;
            if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
                tree_remove(path);
            } else if (unlink(path) != 0) {
                tree_die("remove", path);
            }
            free(path);
        }
    }
    if (open_folder != NULL) {
        closedir(open_folder);
        if (rmdir(folder) != 0 && errno != EBUSY) { /* a mount is emptied only */
            tree_die("remove", folder);
        }
    }
}

static void write_entry(const struct tree_entry *e, const char *path)
{
    if (e->type == 'd' || e->type == 'l') {
        if (e->type == 'd' ? mkdir(path, 0777) != 0 : symlink(e->data, path) != 0) {
            tree_die("create", path);
        }
        return;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, e->data, e->size) != (ssize_t)e->size || close(fd) != 0) {
        tree_die("write", path);
    }
}

void tree_write(const struct tree *tree, const char *folder)
{
    tree_remove(folder);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        tree_die("create", folder);
    }
    for (size_t i = 0; i < tree->n; i++) {
        char *path = join(folder, tree->entries[i].path);
        write_entry(&tree->entries[i], path);
        free(path);
    }
}

const struct tree_entry *tree_find(const struct tree *tree, const char *path)
{
    struct tree_entry key = {(char *)path, NULL, 0, 0};
    return tree->n == 0 ? NULL
                        : bsearch(&key, tree->entries, tree->n, sizeof *tree->entries, by_path);
}

size_t tree_pages(const struct tree *tree)
{
    size_t pages = 0;
    for (size_t i = 0; i < tree->n; i++) {
        pages += tree->entries[i].type == 'd' ? 1 : tree->entries[i].size / 4096 + 1;
    }
    return pages;
}

static int is_timing(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strncmp(slash != NULL ? slash + 1 : path, "timing-", 7) == 0;
}

/* Where the seconds of a line of timings begin: after {"cell":C,"seed":S */
static size_t head_of(const char *line, size_t n)
{
    size_t commas = 0, i = 0;
    while (i < n && line[i] != '\n' && !(line[i] == ',' && ++commas == 2)) {
        i++;
    }
    return i;
}

static size_t line_of(const char *line, size_t n)
{
    const char *end = memchr(line, '\n', n);
    return end != NULL ? (size_t)(end - line) + 1 : n;
}

/* Does `now` hold whole lines of `whole` only, in their order? A line may be missing: where a run was
 * killed after the rows of a replicate and before its seconds, these are lost, and no result is. */
static int same_timings(const struct tree_entry *now, const struct tree_entry *whole)
{
    size_t i = 0, j = 0;
    while (i < now->size) {
        size_t n = line_of(now->data + i, now->size - i), m = 0;
        size_t head = head_of(now->data + i, n);
        if (now->data[i + n - 1] != '\n') {
            return 0;
        }
        do {
            j += m;
            if (j >= whole->size) {
                return 0;
            }
            m = line_of(whole->data + j, whole->size - j);
        } while (head != head_of(whole->data + j, m) ||
                 memcmp(now->data + i, whole->data + j, head) != 0);
        i += n;
        j += m;
    }
    return 1;
}

static int same_entry(const struct tree_entry *a, const struct tree_entry *b)
{
    if (a->type != b->type) {
        return 0;
    }
    if (a->type == 'f' && is_timing(a->path)) {
        return same_timings(a, b);
    }
    return a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

static int is_below(const char *path, const char *part)
{
    size_t n = strlen(part);
    return n == 0 || (strncmp(path, part, n) == 0 && (path[n] == '/' || path[n] == '\0'));
}

/* NAME.partial-12-0, NAME.replaced-12-0, or below one of these. */
static int is_left_over(const char *path)
{
    static const char *const MARKS[] = {".partial-", ".replaced-"};
    for (size_t i = 0; i < 2; i++) {
        const char *mark = strstr(path, MARKS[i]);
        if (mark != NULL && mark[strlen(MARKS[i])] >= '0' && mark[strlen(MARKS[i])] <= '9') {
            return 1;
        }
    }
    return 0;
}

size_t tree_drop_left_over(struct tree *tree)
{
    size_t kept = 0, n = tree->n;
    for (size_t i = 0; i < n; i++) {
        if (is_left_over(tree->entries[i].path)) {
            free(tree->entries[i].path);
            free(tree->entries[i].data);
        } else {
            tree->entries[kept++] = tree->entries[i];
        }
    }
    tree->n = kept;
    return n - kept;
}

int tree_same(char *words, size_t size, const struct tree *a, const struct tree *b,
              const char *part)
{
    size_t i = 0, j = 0;
    words[0] = '\0';
    while (i < a->n || j < b->n) {
        const struct tree_entry *x = i < a->n ? &a->entries[i] : NULL;
        const struct tree_entry *y = j < b->n ? &b->entries[j] : NULL;
        int order = x == NULL ? 1 : y == NULL ? -1 : strcmp(x->path, y->path);
        const char *path = order <= 0 ? x->path : y->path;
        i += order <= 0;
        j += order >= 0;
        if (is_below(path, part) && (order != 0 || !same_entry(x, y))) {
            snprintf(words, size, "%s is %s", path,
                     order < 0   ? "left over"
                     : order > 0 ? "missing"
                                 : "different");
            return 0;
        }
    }
    return 1;
}

int tree_mixes(char *words, size_t size, const struct tree *now, const struct tree *old,
               const struct tree *new, const char *part)
{
    for (size_t i = 0; i < now->n; i++) {
        const struct tree_entry *e = &now->entries[i], *was = tree_find(old, e->path),
                                *will = tree_find(new, e->path);
        if (is_below(e->path, part) && (was != NULL || will != NULL) &&
            !(was != NULL && same_entry(e, was)) && !(will != NULL && same_entry(e, will))) {
            snprintf(words, size, "%s is neither the old nor the new one", e->path);
            return 0;
        }
    }
    for (size_t i = 0; i < old->n; i++) {
        const char *path = old->entries[i].path;
        if (is_below(path, part) && tree_find(now, path) == NULL) {
            snprintf(words, size, "%s is lost", path);
            return 0;
        }
    }
    return 1;
}
