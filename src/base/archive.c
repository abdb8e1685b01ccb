#include "base/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/input.h"
#include "base/json.h"
#include "base/jsonl.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* The files of a folder and its folders, one after the other. */

enum { WALK_MOST_DEPTH = 16 }; /* folders in each other */

struct walk {
    struct walk_folder {
        struct folder_list list;
        size_t next;   /* entry of it */
        size_t length; /* of `path` at this folder */
    } * folder;        /* those that are open, one in the other; owned */
    size_t depth, capacity;
    struct regret_buffer path; /* the file at hand */
    size_t root;               /* bytes of `path` before the part within what was opened */
    int is_file, is_over;      /* what was opened is one; it has been given out */
};

static void cut(struct walk *w, size_t length)
{
    w->path.length = length;
    w->path.data[length] = '\0';
}

static int enter(struct walk *w)
{
    const char *path = regret_buffer_get(&w->path);
    if (w->depth == WALK_MOST_DEPTH) {
        return regret_fail(REGRET_E_INPUT, "%s lies more than %d folders deep; give one of them",
                           path, WALK_MOST_DEPTH);
    }
    TRY(regret_grow((void **)&w->folder, &w->capacity, w->depth, sizeof *w->folder, "folders"));
    struct walk_folder *folder = &w->folder[w->depth];
    *folder = (struct walk_folder){.length = w->path.length};
    TRY(folder_list_read(&folder->list, path));
    w->depth++;
    return REGRET_OK;
}

/* Of a file: it alone. REGRET_E_INPUT: nothing there, a link, a pipe or a device. */
static int walk_begin(struct walk *w, const char *path)
{
    size_t n = strlen(path);
    enum folder_entry entry = FOLDER_ENTRY_NONE;
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    regret_buffer_append_n(&w->path, path, n);
    TRY(regret_buffer_status(&w->path));
    TRY(folder_entry_of(&entry, regret_buffer_get(&w->path)));
    switch (entry) {
    case FOLDER_ENTRY_FOLDER:
        w->root = n + 1;
        return enter(w);
    case FOLDER_ENTRY_FILE: {
        w->is_file = 1;
        w->root = (size_t)(path_last(w->path.data) - w->path.data);
        return REGRET_OK;
    }
    case FOLDER_ENTRY_OTHER:
        return regret_fail(REGRET_E_INPUT,
                           "%s is a link, a pipe or a device; give the file or folder itself",
                           path);
    default:
        return regret_fail(REGRET_E_INPUT, "there is no file or folder %s", path);
    }
}

/* Goes on to the next entry of the innermost folder, and out of it at its end. */
static int step(enum folder_entry *entry, struct walk *w)
{
    struct walk_folder *folder = &w->folder[w->depth - 1];
    cut(w, folder->length);
    if (folder->next == folder->list.n) {
        folder_list_free(&folder->list);
        w->depth--;
        *entry = FOLDER_ENTRY_NONE;
        return REGRET_OK;
    }
    regret_buffer_append_char(&w->path, '/');
    regret_buffer_append(&w->path, folder->list.name[folder->next++]);
    TRY(regret_buffer_status(&w->path));
    return folder_entry_of(entry, regret_buffer_get(&w->path));
}

/* The next file, NULL after the last one; borrowed until the next call. *is_file 0: it is a link, a pipe or a device, which is not
 * to be opened. */
static int walk_next(struct walk *w, const char **path, int *is_file)
{
    enum folder_entry entry = w->is_file && !w->is_over ? FOLDER_ENTRY_FILE : FOLDER_ENTRY_NONE;
    w->is_over = 1;
    while (entry != FOLDER_ENTRY_FILE && entry != FOLDER_ENTRY_OTHER && w->depth > 0) {
        TRY(step(&entry, w));
        TRY(entry == FOLDER_ENTRY_FOLDER ? enter(w) : REGRET_OK);
    }
    *is_file = entry == FOLDER_ENTRY_FILE;
    *path = *is_file || entry == FOLDER_ENTRY_OTHER ? regret_buffer_get(&w->path) : NULL;
    return REGRET_OK;
}

static void walk_free(struct walk *w)
{
    for (size_t i = 0; i < w->depth; i++) {
        folder_list_free(&w->folder[i].list);
    }
    regret_free(w->folder);
    regret_buffer_free(&w->path);
}

/* What is given and what is called an archive goes through libarchive, whose format "raw" is any file; before, what is compressed as a
 * whole, and files that are none in any case, through base/input.h. */

enum {
    SOURCE_MOST_MEMBERS = 1 << 20, /* of an archive */
    SOURCE_MOST_RATIO = 1000       /* bytes unpacked to bytes read, beyond the first MiB */
};

FREED_POINTER(struct source, source_close)

enum { BLOCK = 1 << 18, FIRST_MIB = 1 << 20 };

struct source {
    struct walk walk;
    locale_t utf8;    /* libarchive reads names by the thread's locale; 0: there is none of UTF-8 */
    const char *path; /* of the file at hand; borrowed from the walk */
    int fd;           /* of it; -1: none */
    struct unpack
        *packed; /* of one that is compressed, in place of `fd`: what is in it is read through */
    char *block; /* and from here; owned */
    int failed;  /* what reading it came to */
    struct archive *archive; /* that reads it; NULL: none */
    enum { IN_ARCHIVE, PLAIN, EMPTY } kind;
    size_t members;          /* of the archive, so far */
    uint64_t unpacked, most; /* bytes of the file so far, and as many as it may have */
    struct regret_buffer name, where;
    struct regret_jsonl *lines; /* of the member at hand, for as long as it is; owned */
    source_passed *passed;      /* NULL: nobody wants to know */
    void *context;              /* its */
};

/* ---------------------------------------------------------------- names */

static int matches(const char *const *patterns, size_t n, const char *name)
{
    return n == 0 || name_matches(patterns, n, path_last(name));
}

/* Without the end that says it is compressed. */
static size_t bare_length(const char *name)
{
    static const char *const ENDS[] = {".gz", ".zst", ".xz", ".bz2"};
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        size_t length = strlen(ENDS[i]);
        if (n > length && strcmp(name + n - length, ENDS[i]) == 0) {
            return n - length;
        }
    }
    return n;
}

static int is_archive_name(const char *path)
{
    static const char *const ENDS[] = {"*.zip", "*.eval", "*.tar",  "*.tar.*",
                                       "*.tgz", "*.txz",  "*.tzst", "*.tbz2"};
    return matches(ENDS, sizeof ENDS / sizeof *ENDS, path);
}

/* Does a part of the path lead upwards? */
static int climbs(const char *name)
{
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) {
            return 1;
        }
    }
    return 0;
}

/* ---------------------------------------------------------------- files */

static int tell(const struct source *s, const char *what, const char *where)
{
    return s->passed != NULL ? s->passed(s->context, what, where) : REGRET_OK;
}

static void close_file(struct source *s)
{
    regret_jsonl_close(s->lines);
    s->lines = NULL;
    archive_read_free(s->archive);
    s->archive = NULL;
    unpack_close(s->packed);
    s->packed = NULL;
    if (s->fd >= 0) {
        close(s->fd);
    }
    s->fd = -1;
}

static int refuse_file(const struct source *s, const char *where)
{
    const char *why = archive_error_string(s->archive);
    return s->failed != REGRET_OK ? s->failed
           : archive_errno(s->archive) == ENOMEM
               ? regret_fail(REGRET_E_NOMEM, "out of memory: %s", where)
               : regret_fail(REGRET_E_INPUT,
                             "%s cannot be unpacked: %s; it may be damaged or cut short", where,
                             why != NULL ? why : "no reason is known");
}

/* libarchive's callback. */
static la_ssize_t give_block(struct archive *archive, void *context, const void **block)
{
    struct source *s = context;
    long n = unpack_read(s->packed, s->block, BLOCK);
    *block = s->block;
    s->failed = n < 0 ? (int)n : REGRET_OK;
    if (n < 0) {
        archive_set_error(archive, EIO, "cannot be read");
    }
    return n < 0 ? ARCHIVE_FATAL : (la_ssize_t)n;
}

/* Reads a compressed file to its end, which an archive's may come before: only there it is known to be whole. */
static int read_to_end(struct source *s)
{
    long n = s->packed != NULL ? 1 : 0;
    while (n > 0) {
        n = unpack_read(s->packed, s->block, BLOCK);
    }
    return (int)n;
}

static int refuse(const struct source *s, const char *why)
{
    return regret_fail(REGRET_E_INPUT, "%s %s; nothing is read of such an archive",
                       regret_buffer_get(&s->where), why);
}

static int is_archive_given(const struct source *s)
{
    return s->walk.is_file || is_archive_name(s->path);
}

static int open_file(struct source *s)
{
    size_t size = 0;
    TRY(input_open_regular(&s->fd, &size, s->path));
    TRY(unpack_open(&s->packed, s->path));
    s->most = FIRST_MIB + (uint64_t)SOURCE_MOST_RATIO * size;
    s->unpacked = s->members = 0;
    s->kind = IN_ARCHIVE;
    s->failed = REGRET_OK;
    if (!is_archive_given(s)) { /* a file among others, which is one by its name */
        s->kind = PLAIN;
        return REGRET_OK;
    }
    s->archive = archive_read_new();
    if (s->archive == NULL) {
        return regret_fail(REGRET_E_NOMEM, "out of memory: %s", s->path);
    }
    archive_read_support_format_raw(s->archive);
    archive_read_support_format_empty(s->archive);
    archive_read_support_format_zip(s->archive);
    archive_read_support_format_tar(s->archive);
    if (!unpack_is_packed(s->packed)) {
        unpack_close(s->packed);
        s->packed = NULL;
    }
    int code = s->packed != NULL ? archive_read_open(s->archive, s, NULL, give_block, NULL)
                                 : archive_read_open_fd(s->archive, s->fd, BLOCK);
    return code == ARCHIVE_OK ? REGRET_OK : refuse_file(s, s->path);
}

/* The next file that may hold a member that is wanted; s->path is NULL after the last one. */
static int open_next(struct source *s, const char *const *patterns, size_t n)
{
    for (;;) {
        int is_file = 0;
        TRY(walk_next(&s->walk, &s->path, &is_file));
        if (s->path == NULL) {
            return REGRET_OK;
        }
        if (!is_file) {
            TRY(tell(s, "links, pipes or devices passed over", s->path));
            continue;
        }
        regret_buffer_clear(&s->name);
        regret_buffer_append_n(&s->name, s->path + s->walk.root,
                               bare_length(s->path) - s->walk.root);
        TRY(regret_buffer_status(&s->name));
        if (is_archive_given(s) || matches(patterns, n, regret_buffer_get(&s->name))) {
            return open_file(s);
        }
        TRY(tell(s, SOURCE_OTHER, s->path));
    }
}

/* ---------------------------------------------------------------- members */

/* Names the member as messages and importers do; *is_passed: a folder, or a name with a dot before it. */
static int name_member(struct source *s, struct archive_entry *entry, int *is_passed)
{
    const char *name = archive_entry_pathname(entry);
    while (name != NULL && strncmp(name, "./", 2) == 0) {
        name += 2;
    }
    regret_buffer_clear(&s->where);
    regret_buffer_append(&s->where, s->path);
    regret_buffer_append(&s->where, ": ");
    regret_buffer_append_safe(&s->where, name != NULL ? name : "a member without a name", SIZE_MAX);
    TRY(regret_buffer_status(&s->where));
    *is_passed = name != NULL && (archive_entry_filetype(entry) == AE_IFDIR ||
                                  path_last(name)[0] == '.' || *name == '\0');
    if (name == NULL || !regret_utf8_valid(name, strlen(name), NULL)) {
        return refuse(s, "has a name that is no UTF-8");
    }
    if (*name == '/' || climbs(name)) {
        return refuse(s, "has a name that leads out of the archive");
    }
    regret_buffer_clear(&s->name);
    if (!s->walk.is_file) {
        regret_buffer_append(&s->name, s->path + s->walk.root);
        regret_buffer_append_char(&s->name, '/');
    }
    regret_buffer_append(&s->name, name);
    return regret_buffer_status(&s->name);
}

static int check_member(struct source *s, struct archive_entry *entry, int is_passed)
{
    if (archive_entry_hardlink(entry) != NULL || archive_entry_symlink(entry) != NULL) {
        return refuse(s, "is a link");
    }
    if (!is_passed && archive_entry_filetype(entry) != AE_IFREG) {
        return refuse(s, "is a pipe or a device");
    }
    if (archive_entry_is_encrypted(entry)) {
        return refuse(s, "is encrypted");
    }
    if (++s->members > SOURCE_MOST_MEMBERS) {
        return refuse(s, "is one member too many");
    }
    uint64_t size = archive_entry_size_is_set(entry) ? (uint64_t)archive_entry_size(entry) : 0;
    return size <= s->most - s->unpacked ? REGRET_OK
                                         : refuse(s, "unpacks to far more than its archive has");
}

/* The next member of the file at hand; *found 0: none is left. */
static int next_of_file(struct source *s, const char *const *patterns, size_t n, int *found)
{
    struct archive_entry *entry = NULL;
    int is_passed = 0;
    if (s->archive == NULL) {
        regret_buffer_clear(&s->where);
        regret_buffer_append(&s->where, s->path);
        *found = matches(patterns, n, regret_buffer_get(&s->name));
        return regret_buffer_status(&s->where);
    }
    while (!*found) {
        int code = archive_read_next_header(s->archive, &entry);
        int format = archive_format(s->archive);
        if (code < ARCHIVE_WARN) {
            return refuse_file(s, s->path);
        }
        TRY(code == ARCHIVE_EOF ? read_to_end(s) : REGRET_OK);
        TRY(code == ARCHIVE_EOF && s->members == 0 && is_archive_name(s->path)
                ? tell(s, "archives without a member", s->path)
                : REGRET_OK);
        if (s->members == 0 && (format == ARCHIVE_FORMAT_RAW || format == ARCHIVE_FORMAT_EMPTY)) {
            s->kind = format == ARCHIVE_FORMAT_RAW && code != ARCHIVE_EOF ? PLAIN : EMPTY;
            regret_buffer_clear(&s->where);
            regret_buffer_append(&s->where, s->path);
            if (s->kind == PLAIN && is_archive_name(s->path)) {
                return regret_fail(REGRET_E_INPUT, "%s is no archive; it may be damaged", s->path);
            }
            *found = matches(patterns, n, regret_buffer_get(&s->name));
            return regret_buffer_status(&s->where);
        }
        if (code == ARCHIVE_EOF) {
            return REGRET_OK;
        }
        TRY(name_member(s, entry, &is_passed));
        TRY(check_member(s, entry, is_passed));
        const char *name = regret_buffer_get(&s->name);
        int is_packed = !is_passed && (is_archive_name(name) || name[bare_length(name)] != '\0');
        TRY(is_packed ? tell(s, "packed files within an archive, not entered; unpack it",
                             regret_buffer_get(&s->where))
                      : REGRET_OK);
        *found = !is_passed && !is_packed && matches(patterns, n, name);
        TRY(is_passed || is_packed || *found ? REGRET_OK
                                             : tell(s, SOURCE_OTHER, regret_buffer_get(&s->where)));
        s->unpacked +=
            *found || !archive_entry_size_is_set(entry) ? 0 : (uint64_t)archive_entry_size(entry);
    }
    return REGRET_OK;
}

static int find_next(struct source *s, const char *const *patterns, size_t n, int *found)
{
    do {
        if (s->archive == NULL || s->kind != IN_ARCHIVE) {
            close_file(s);
            TRY(open_next(s, patterns, n));
        }
        if (s->path == NULL) {
            return REGRET_OK;
        }
        TRY(next_of_file(s, patterns, n, found));
        if (!*found) {
            close_file(s);
        }
    } while (!*found);
    return REGRET_OK;
}

int source_next(struct source *s, const char *const *patterns, size_t n, const char **name)
{
    int found = 0;
    regret_jsonl_close(s->lines);
    s->lines = NULL;
    *name = NULL;
    locale_t before = uselocale(s->utf8);
    int rc = find_next(s, patterns, n, &found);
    uselocale(before);
    TRY(rc);
    *name = found ? regret_buffer_get(&s->name) : NULL;
    return REGRET_OK;
}

void source_listen(struct source *s, source_passed *passed, void *context)
{
    s->passed = passed;
    s->context = context;
}

/* ---------------------------------------------------------------- bytes */

long source_read(void *context, char *to, size_t most)
{
    struct source *s = context;
    if (s->kind == EMPTY) {
        return 0;
    }
    la_ssize_t n = s->archive != NULL ? archive_read_data(s->archive, to, most)
                                      : unpack_read(s->packed, to, most);
    if (n < 0) {
        return s->archive != NULL ? refuse_file(s, regret_buffer_get(&s->where)) : (long)n;
    }
    s->unpacked += (uint64_t)n;
    return s->unpacked <= s->most ? (long)n : refuse(s, "unpacks to far more than its archive has");
}

int source_text(struct source *s, char **text, size_t *length, size_t most)
{
    struct regret_buffer all = REGRET_BUFFER_INIT;
    long n = 1;
    int rc;
    while (n > 0) {
        TRY_CLEANUP(regret_buffer_reserve(&all, BLOCK));
        n = source_read(s, all.data + all.length, BLOCK);
        TRY_CLEANUP(n < 0 ? (int)n : REGRET_OK);
        all.length += (size_t)n;
        TRY_CLEANUP(all.length <= most ? REGRET_OK
                                       : regret_fail(REGRET_E_INPUT, "%s has more than %zu bytes",
                                                     regret_buffer_get(&s->where), most));
    }
    all.data[all.length] = '\0';
    *text = all.data;
    *length = all.length;
    return REGRET_OK;
cleanup:
    regret_buffer_free(&all);
    return rc;
}

int source_jsonl(struct source *s, struct regret_jsonl **out)
{
    regret_jsonl_close(s->lines);
    s->lines = NULL;
    TRY(jsonl_open_source(&s->lines, source_read, s, regret_buffer_get(&s->where)));
    *out = s->lines;
    return REGRET_OK;
}

const char *source_where(const struct source *s)
{
    return regret_buffer_get(&s->where);
}

const char *source_file(const struct source *s)
{
    return s->path;
}

int source_open(struct source **out, const char *path)
{
    FREED_BY(source_close_at) struct source *s = NULL;
    TRY(REGRET_NEW(&s, 1));
    s->fd = -1;
    TRY(REGRET_NEW(&s->block, BLOCK));
    s->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    TRY(walk_begin(&s->walk, path));
    *out = s;
    s = NULL;
    return REGRET_OK;
}

void source_close(struct source *s)
{
    if (s == NULL) {
        return;
    }
    close_file(s);
    walk_free(&s->walk);
    if (s->utf8 != (locale_t)0) {
        freelocale(s->utf8);
    }
    regret_buffer_free(&s->name);
    regret_buffer_free(&s->where);
    regret_free(s->block);
    regret_free(s);
}
