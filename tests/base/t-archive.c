/* Folders, archives and compressed files as one sequence of members; what is hostile is refused. The archives are written here, by
 * libarchive's writers. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>
#include <cJSON.h>

#include "base/archive.h"
#include "base/csv.h"
#include "base/input.h"
#include "base/json.h"
#include "base/scratch.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(archive, .init = scratch_enter, .fini = scratch_leave);

enum { ZIP, TAR_GZ, TAR_ZST, KINDS };
static const char *const END[] = {"zip", "tar.gz", "tar.zst"};

struct member {
    const char *name, *text, *link; /* link: a symbolic one to it */
    size_t same;                    /* bytes that are, instead of a text */
    unsigned type;                  /* 0: a file */
    int is_hard;                    /* the link */
};

static struct archive *begin(const char *path, int kind)
{
    struct archive *a = archive_write_new();
    if (kind == ZIP) {
        archive_write_set_format_zip(a);
    } else {
        archive_write_set_format_pax_restricted(a);
        kind == TAR_GZ ? archive_write_add_filter_gzip(a) : archive_write_add_filter_zstd(a);
    }
    archive_write_set_options(a, "hdrcharset=UTF-8");
    cr_assert_eq(archive_write_open_filename(a, path), ARCHIVE_OK, "%s", archive_error_string(a));
    return a;
}

static void write_text(struct archive *a, const struct member *m)
{
    static char same[1 << 16]; /* of zeros alone a tar without members would be */
    memset(same, 'a', sizeof same);
    if (m->text != NULL) {
        archive_write_data(a, m->text, strlen(m->text));
    }
    for (size_t done = 0; done < m->same; done += sizeof same) {
        archive_write_data(a, same, sizeof same);
    }
}

static void end(struct archive *a)
{
    cr_assert_eq(archive_write_close(a), ARCHIVE_OK, "%s", archive_error_string(a));
    archive_write_free(a);
}

static void add(struct archive *a, const struct member *m)
{
    struct archive_entry *e = archive_entry_new();
    archive_entry_set_pathname(e, m->name);
    archive_entry_set_filetype(e, m->type != 0 ? m->type : (unsigned)AE_IFREG);
    archive_entry_set_perm(e, 0644);
    archive_entry_set_size(e, (la_int64_t)(m->text != NULL ? strlen(m->text) : m->same));
    if (m->link != NULL && m->is_hard) {
        archive_entry_set_hardlink(e, m->link);
    } else if (m->link != NULL) {
        archive_entry_set_filetype(e, AE_IFLNK);
        archive_entry_set_symlink(e, m->link);
    }
    cr_assert_geq(archive_write_header(a, e), ARCHIVE_WARN, "%s", archive_error_string(a));
    write_text(a, m);
    archive_entry_free(e);
}

static void pack(const char *path, int kind, const struct member *m, size_t n)
{
    struct archive *a = begin(path, kind);
    for (size_t i = 0; i < n; i++) {
        add(a, &m[i]);
    }
    end(a);
}

/* One file, compressed. */
static void compress(const char *path, int (*filter)(struct archive *), const struct member *m)
{
    struct archive *a = archive_write_new();
    struct archive_entry *e = archive_entry_new();
    archive_write_set_format_raw(a);
    filter(a);
    cr_assert_eq(archive_write_open_filename(a, path), ARCHIVE_OK);
    archive_entry_set_filetype(e, AE_IFREG);
    archive_write_header(a, e);
    write_text(a, m);
    archive_entry_free(e);
    end(a);
}

/* Without waiting for the disk, as one that is written hundreds of times. */
static void put_bytes(const char *path, const char *data, size_t n)
{
    FILE *f = fopen(path, "wb");
    cr_assert_eq(fwrite(data, 1, n, f), n);
    cr_assert_eq(fclose(f), 0);
}

/* "NAME=TEXT;" of every member that matches, then the failure, if there is one. */
static const char *listing(const char *path, const char *pattern)
{
    static struct regret_buffer out;
    struct source *s = NULL;
    const char *name = "";
    char *text = NULL;
    size_t length = 0;
    regret_buffer_clear(&out);
    int rc = source_open(&s, path);
    while (rc == REGRET_OK) {
        rc = source_next(s, &pattern, pattern != NULL, &name);
        if (rc != REGRET_OK || name == NULL) {
            break;
        }
        regret_buffer_append(&out, name);
        rc = source_text(s, &text, &length, 1000);
        regret_buffer_printf(&out, "=%s;", rc == REGRET_OK ? text : "");
        regret_free(text);
        text = NULL;
    }
    if (rc != REGRET_OK) {
        regret_buffer_append(&out, regret_error_message());
    }
    source_close(s);
    return regret_buffer_get(&out);
}

static void refused(const char *path, const char *part)
{
    const char *said = listing(path, NULL);
    cr_assert_not_null(strstr(said, part), "%s: %s", path, said);
}

static const struct member THREE[] = {{.name = "a/x.jsonl", .text = "one"},
                                      {.name = "a/y.txt", .text = "two"},
                                      {.name = "b.jsonl", .text = ""}};

Test(archive, a_folder_and_its_archives_have_the_same_members)
{
    cr_assert_eq(mkdir("f", 0777), 0);
    cr_assert_eq(mkdir("f/a", 0777), 0);
    scratch_put("f/a/x.jsonl", "one");
    scratch_put("f/a/y.txt", "two");
    scratch_put("f/b.jsonl", "");
    cr_assert_str_eq(listing("f", NULL), "a/x.jsonl=one;a/y.txt=two;b.jsonl=;");
    cr_assert_str_eq(listing("f/", "*.jsonl"), "a/x.jsonl=one;b.jsonl=;");
    cr_assert_str_eq(listing("f/a/x.jsonl", NULL), "x.jsonl=one;");
    cr_assert_str_eq(listing("f/a/x.jsonl", "*.txt"), "");
    for (int kind = 0; kind < KINDS; kind++) {
        char path[40];
        snprintf(path, sizeof path, "t.%s", END[kind]);
        pack(path, kind, THREE, 3);
        cr_assert_str_eq(listing(path, NULL), "a/x.jsonl=one;a/y.txt=two;b.jsonl=;");
        cr_assert_str_eq(listing(path, "*.jsonl"), "a/x.jsonl=one;b.jsonl=;");
    }
}

Test(archive, what_no_importer_reads_is_passed_over)
{
    const struct member hidden[] = {{.name = "./", .type = AE_IFDIR},
                                    {.name = "./.x", .text = "no"},
                                    {.name = "./x", .text = "yes"}};
    cr_assert_eq(mkdir("f", 0777), 0);
    scratch_put("f/.hidden", "no");
    scratch_put("f/m", "yes");
    cr_assert_eq(symlink("m", "f/l"), 0);
    cr_assert_eq(mkfifo("f/p", 0600), 0);
    cr_assert_str_eq(listing("f", NULL), "m=yes;");
    pack("f/t.tar.gz", TAR_GZ, hidden, 3);
    cr_assert_str_eq(listing("f", NULL), "m=yes;t.tar.gz/x=yes;");
    refused("f/l", "f/l is a link, a pipe or a device");
    refused("f/p", "f/p is a link, a pipe or a device");
    refused("none", "there is no file or folder none");
}

Test(archive, compressed_files_are_read_as_they_are)
{
    static int (*const FILTERS[])(struct archive *) = {
        archive_write_add_filter_gzip, archive_write_add_filter_zstd, archive_write_add_filter_xz,
        archive_write_add_filter_bzip2};
    static const char *const ENDS[] = {"gz", "zst", "xz", "bz2"};
    const struct member lines = {.text = "{\"a\": 1}\n{\"a\": 2}\n"},
                        table = {.text = "a,b\n1,2\n"}, none = {.text = ""};
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        char path[40];
        struct regret_jsonl *r = NULL;
        struct regret_csv *csv = NULL;
        struct regret_place at;
        cJSON *value = NULL;
        size_t n = 0;
        snprintf(path, sizeof path, "x.jsonl.%s", ENDS[i]);
        compress(path, FILTERS[i], &lines);
        cr_assert_str_eq(listing(path, "*.jsonl"), "x.jsonl={\"a\": 1}\n{\"a\": 2}\n;");
        cr_assert_eq(regret_jsonl_open(&r, path), 0, "%s", regret_error_message());
        for (int k = 1; k <= 2; k++, cJSON_Delete(value)) {
            cr_assert_eq(regret_jsonl_next(r, &value, &at), 0);
            cr_assert_eq(cJSON_GetObjectItem(value, "a")->valueint, k);
            cr_assert_eq(at.line, k);
        }
        cr_assert_eq(regret_jsonl_next(r, &value, &at), 0);
        cr_assert_null(value);
        regret_jsonl_close(r);
        compress(path, FILTERS[i], &table);
        cr_assert_eq(regret_csv_open(&csv, path, NULL), 0);
        for (int k = 0; k < 2; k++) {
            cr_assert_eq(regret_csv_next(csv, &n), 0);
            cr_assert_str_eq(regret_csv_field(NULL, csv, 1), k == 0 ? "b" : "2");
        }
        cr_assert_eq(regret_csv_next(csv, &n), 0);
        cr_assert_eq(n, 0);
        regret_csv_close(csv);
        compress(path, FILTERS[i], &(struct member){.text = "{\"a\": [1,\n 2]}"});
        cr_assert_eq(regret_json_read_file(&value, path), 0, "%s", regret_error_message());
        cr_assert_eq(cJSON_GetArraySize(value->child), 2);
        cJSON_Delete(value);
        compress(path, FILTERS[i], &none);
        cr_assert_str_eq(listing(path, NULL), "x.jsonl=;");
    }
}

Test(archive, names_of_utf8_need_no_locale)
{
    const struct member m = {.name = "m\xc3\xbcnze/\xe6\xa8\xa1.jsonl", .text = "1"};
    for (int kind = 0; kind < KINDS; kind++) {
        setlocale(LC_ALL, "C.UTF-8"); /* for the writer */
        pack("t", kind, &m, 1);
        setlocale(LC_ALL, "C");
        cr_assert_str_eq(listing("t", NULL), "m\xc3\xbcnze/\xe6\xa8\xa1.jsonl=1;");
    }
    pack("t", TAR_GZ, &(struct member){.name = "\xff", .text = "1"}, 1);
    refused("t", "no UTF-8");
}

Test(archive, documents_and_lines_of_members)
{
    const struct member two[] = {{.name = "d.json", .text = "{\"a\": NaN}"},
                                 {.name = "l.jsonl", .text = "{}\n\n{\"b\": 1}"},
                                 {.name = "bad.json", .text = "{\n\"a\": x}"}};
    struct source *s = NULL;
    struct regret_jsonl *lines = NULL;
    struct regret_place at;
    const char *name = NULL, *line = NULL;
    char *text = NULL;
    size_t n = 0, length = 0;
    pack("t.zip", ZIP, two, 3);
    cr_assert_eq(source_open(&s, "t.zip"), 0);
    cr_assert_eq(source_next(s, NULL, 0, &name), 0);
    cr_assert_str_eq(source_where(s), "t.zip: d.json");
    cr_assert_str_eq(source_file(s), "t.zip");
    cr_assert_eq(source_text(s, &text, &length, 100), 0, "%s", regret_error_message());
    cr_assert_str_eq(text, two[0].text);
    regret_free(text);
    cr_assert_eq(source_next(s, NULL, 0, &name), 0);
    cr_assert_eq(source_jsonl(s, &lines), 0);
    while (regret_jsonl_next_line(lines, &line, &length, &at) == 0 && line != NULL) {
        cr_assert_eq(at.line, n++ == 0 ? 1 : 3);
    }
    cr_assert_eq(n, 2);
    cr_assert_str_eq(at.file, "t.zip: l.jsonl");
    cr_assert_eq(source_next(s, NULL, 0, &name), 0);
    cr_assert_eq(source_text(s, &text, &length, 5), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(), "t.zip: bad.json has more than 5 bytes");
    cr_assert_eq(source_next(s, NULL, 0, &name), 0);
    cr_assert_null(name);
    source_close(s);
}

/* ---------------------------------------------------------------- what is hostile */

Test(archive, members_that_lead_out_or_are_no_files_are_refused)
{
    static const struct {
        struct member m;
        const char *part;
        int of_tar; /* alone */
    } CASES[] = {
        {{.name = "../x", .text = "1"}, ": ../x has a name that leads out of the archive", 0},
        {{.name = "a/../../x", .text = "1"}, "leads out of the archive", 0},
        {{.name = "a/..", .text = "1"}, "leads out of the archive", 0},
        {{.name = "/etc/x", .text = "1"}, ": /etc/x has a name that leads out of the archive", 0},
        {{.name = "l", .link = "/etc/passwd"}, ": l is a link", 0},
        {{.name = "l", .link = "x", .is_hard = 1}, ": l is a link", 1},
        {{.name = "p", .type = AE_IFIFO}, ": p is a pipe or a device", 1},
        {{.name = "c", .type = AE_IFCHR}, ": c is a pipe or a device", 1},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        for (int kind = 0; kind < KINDS; kind++) {
            if (kind != ZIP || !CASES[i].of_tar) {
                pack("t", kind, &CASES[i].m, 1);
                refused("t", CASES[i].part);
            }
        }
    }
    pack("t", ZIP, &(struct member){.name = "..x/...", .text = "1"}, 1); /* climbs nowhere */
    cr_assert_str_eq(listing("t", NULL), "");
    pack("t", ZIP, &(struct member){.name = "..x/a..", .text = "1"}, 1);
    cr_assert_str_eq(listing("t", NULL), "..x/a..=1;");
}

Test(archive, what_is_encrypted_is_refused)
{
    struct archive *a = archive_write_new();
    archive_write_set_format_zip(a);
    archive_write_set_options(a, "zip:encryption=traditional");
    archive_write_set_passphrase(a, "secret");
    cr_assert_eq(archive_write_open_filename(a, "t.zip"), ARCHIVE_OK);
    add(a, &(struct member){.name = "x", .text = "1"});
    end(a);
    refused("t.zip", "t.zip: x is encrypted");
}

Test(archive, what_unpacks_to_far_more_than_it_has_is_refused)
{
    const struct member bomb = {.name = "x", .same = (size_t)100 << 20};
    struct regret_buffer text = REGRET_BUFFER_INIT;
    for (int kind = 0; kind < KINDS; kind++) {
        pack("t", kind, &bomb, 1);
        refused("t", "t: x unpacks to far more than its archive has");
    }
    compress("x.zst", archive_write_add_filter_zstd, &bomb);
    struct source *s = NULL;
    const char *name = NULL;
    char *all = NULL;
    size_t length = 0;
    cr_assert_eq(source_open(&s, "x.zst"), 0);
    cr_assert_eq(source_next(s, NULL, 0, &name), 0);
    cr_assert_eq(source_text(s, &all, &length, SIZE_MAX), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "unpacks to more than 1000 times"));
    source_close(s);
    cr_assert_eq(unpack_file(&text, "x.zst", SIZE_MAX), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "x.zst unpacks to more than 1000 times"));
    regret_buffer_free(&text);
    cr_assert_eq(unpack_file(&text, "x.zst", 1000), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "more than 1000 bytes"));
    regret_buffer_free(&text);
}

/* Wherever an archive is cut, what comes of it is a beginning of what is in it, and the cut is told, unless
 * nothing is lost but the end of a tar, which is zeros, or a zip's table of contents. */
Test(archive, archives_that_are_cut_short_are_told)
{
    static const char WHOLE[] = "a/x.jsonl=one;a/y.txt=two;b.jsonl=;";
    char *data = NULL;
    size_t size = 0, whole = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        pack("t", kind, THREE, 3);
        cr_assert_eq(regret_file_read(&data, &size, "t", 1 << 20), 0);
        whole = 0;
        for (size_t n = 20; n < size; n++) {
            put_bytes("cut", data, n);
            const char *said = listing("cut", NULL);
            int is_told = strstr(said, "cut") != NULL;
            whole += !is_told && strcmp(said, WHOLE) == 0;
            cr_assert(is_told || strcmp(said, WHOLE) == 0, "%s cut at %zu of %zu: %s", END[kind], n,
                      size, said);
        }
        cr_assert_lt(whole, size / 2, "%s: %zu cuts are not told", END[kind], whole);
        regret_free(data);
    }
    struct regret_jsonl *r = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    compress("x.gz", archive_write_add_filter_gzip,
             &(struct member){.text = "{\"a\": \"0123456789\"}"});
    cr_assert_eq(regret_file_read(&data, &size, "x.gz", 1 << 20), 0);
    cr_assert_eq(regret_file_write("x.gz", data, size - 9), 0);
    cr_assert_eq(unpack_file(&text, "x.gz", 100), REGRET_E_INPUT);
    cr_assert_not_null(
        strstr(regret_error_message(), "x.gz is compressed and cannot be unpacked: "));
    cr_assert_eq(regret_jsonl_open(&r, "x.gz"), REGRET_E_INPUT);
    regret_buffer_free(&text);
    regret_free(data);
}

/* Without names, of which a zip has no checksum. */
static char *contents(const char *listed)
{
    char *out = calloc(1, strlen(listed) + 1), *to = out;
    int is_name = 1;
    for (const char *p = listed; *p != '\0'; p++) {
        is_name = *p == ';' || (is_name && *p != '=');
        to += is_name ? 0 : (*to = *p, 1);
    }
    return out;
}

/* One byte of a file is another one: what is read is whole, or the damage is told with the file's name. */
static void check_damage(const char *path, size_t from)
{
    char *data = NULL, *whole = contents(listing(path, NULL));
    size_t size = 0;
    cr_assert_eq(regret_file_read(&data, &size, path, 1 << 20), 0);
    for (size_t i = from; i < size; i++) {
        data[i] ^= (char)(1 << i % 8);
        put_bytes(path, data, size);
        const char *said = listing(path, NULL);
        char *read = contents(said);
        cr_expect(strcmp(read, whole) == 0 || strstr(said, path) != NULL, "byte %zu of %s: %s", i,
                  path, said);
        free(read);
        data[i] ^= (char)(1 << i % 8);
    }
    free(whole);
    regret_free(data);
}

Test(archive, damage_is_told)
{
    static const struct member LINES = {.text = "{\"a\": 1}\n{\"a\": 2}\n"};
    enum { MARK = 10 }; /* bytes that say that it is compressed: else it is read as it is */
    char *one = NULL, both[400];
    size_t size = 0;
    pack("t.zip", ZIP, THREE, 3);
    check_damage("t.zip", 0);
    pack("t.tar.gz", TAR_GZ, THREE, 3);
    check_damage("t.tar.gz", 0);
    compress("x.gz", archive_write_add_filter_gzip, &LINES);
    cr_assert_eq(regret_file_read(&one, &size, "x.gz", 200), 0);
    memcpy(both, one, size);
    memcpy(both + size, one, size);
    cr_assert_eq(regret_file_write("x.jsonl.gz", both, 2 * size), 0); /* of two members */
    regret_free(one);
    check_damage("x.jsonl.gz", MARK);
    compress("x.bz2", archive_write_add_filter_bzip2, &LINES);
    cr_assert_eq(regret_file_read(&one, &size, "x.bz2", 200), 0);
    memcpy(both, one, size);
    memcpy(both + size, one, size);
    cr_assert_eq(regret_file_write("x.jsonl.bz2", both, 2 * size), 0);
    regret_free(one);
    check_damage("x.jsonl.bz2", MARK);
    compress("x.xz", archive_write_add_filter_xz, &LINES);
    check_damage("x.xz", MARK);
}

Test(archive, folders_have_an_end_of_depth)
{
    char path[200] = "d";
    for (int i = 0; i < 17; i++) {
        cr_assert_eq(mkdir(path, 0777), 0);
        strcat(path, "/d");
    }
    refused("d", "folders deep; give one of them");
}

Test(archive, want_of_memory_is_reported)
{
    int rc = REGRET_E_NOMEM;
    long k = 0;
    pack("t.zip", ZIP, THREE, 3);
    for (; rc == REGRET_E_NOMEM && k < 200; k++) {
        struct source *s = NULL;
        const char *name = "";
        char *text = NULL;
        size_t length = 0;
        regret_alloc_fail_after(k);
        rc = source_open(&s, "t.zip");
        while (rc == REGRET_OK && name != NULL) {
            rc = source_next(s, NULL, 0, &name);
            if (rc == REGRET_OK && name != NULL) {
                rc = source_text(s, &text, &length, 100);
                regret_free(text);
                text = NULL;
            }
        }
        regret_alloc_fail_after(-1);
        source_close(s);
    }
    cr_assert_eq(rc, REGRET_OK, "%s", regret_error_message());
    cr_assert_gt(k, 5);
}

static int put_passed(void *context, const char *what, const char *where)
{
    regret_buffer_printf(context, "%.5s %s\n", what, where);
    return regret_buffer_status(context);
}

Test(archive, what_is_passed_over_is_told)
{
    static const struct member INNER[] = {{.name = "a.jsonl.gz", .text = "x"},
                                          {.name = "b.tar", .text = "x"},
                                          {.name = "c.jsonl", .text = "x"}};
    struct regret_buffer told = REGRET_BUFFER_INIT;
    struct source *source = NULL;
    const char *name = "";
    cr_assert_eq(regret_folder_create("f"), 0);
    for (int kind = 0; kind < KINDS; kind++) {
        char path[40];
        snprintf(path, sizeof path, "f/%d.%s", kind, END[kind]);
        pack(path, kind, INNER, 3);
    }
    cr_assert(fclose(fopen("f/3.zip", "w")) == 0 && fclose(fopen("f/4.jsonl", "w")) == 0);
    cr_assert(symlink("0.zip", "f/5") == 0 && symlink("nowhere", "f/6") == 0);
    cr_assert_eq(source_open(&source, "f"), 0, "%s", regret_error_message());
    source_listen(source, put_passed, &told);
    while (name != NULL) {
        cr_assert_eq(source_next(source, NULL, 0, &name), 0, "%s", regret_error_message());
    }
    source_close(source);
    cr_assert_str_eq(regret_buffer_get(&told),
                     "packe f/0.zip: a.jsonl.gz\npacke f/0.zip: b.tar\n"
                     "packe f/1.tar.gz: a.jsonl.gz\npacke f/1.tar.gz: b.tar\n"
                     "packe f/2.tar.zst: a.jsonl.gz\npacke f/2.tar.zst: b.tar\n"
                     "archi f/3.zip\nlinks f/5\nlinks f/6\n");
    regret_buffer_free(&told);
}
