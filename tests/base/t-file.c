#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"
#include "regret/buffer.h"
#include "regret/status.h"

static char folder[] = "/tmp/regret-file-XXXXXX";

static void setup(void)
{
    cr_assert_not_null(mkdtemp(folder));
}

static void teardown(void)
{
    cr_assert_eq(regret_folder_remove(folder), 0);
    cr_assert_not(regret_file_exists(folder));
}

TestSuite(file, .init = setup, .fini = teardown);

static char *inside(const char *name)
{
    char *path = NULL;
    cr_assert_eq(regret_path_join(&path, folder, name), 0);
    return path;
}

Test(file, written_bytes_are_read_back)
{
    char *path = inside("a.txt");
    cr_assert_eq(regret_file_write(path, "one\0two", 7), 0);
    char *data = NULL;
    size_t n = 0;
    cr_assert_eq(regret_file_read(&data, &n, path, 100), 0);
    cr_assert_eq(n, 7);
    cr_assert_eq(memcmp(data, "one\0two", 8), 0);
    regret_free(data);
    cr_assert_eq(regret_file_read(&data, &n, path, 6), REGRET_E_INPUT);
    cr_assert_eq(regret_file_read(&data, &n, folder, 6), REGRET_E_INPUT);
    cr_assert_eq(regret_file_read(&data, &n, "/nowhere/at/all", 6), REGRET_E_INPUT);
    regret_free(path);
}

/* Folders that were made for one that cannot be are taken away again, and no others. */
Test(file, a_folder_that_fails_leaves_none)
{
    char name[400], *there = inside("there"), *made = inside("there/made"), *path = NULL;
    struct regret_staging staging = REGRET_STAGING_INIT;
    memset(name, 'n', sizeof name - 1);
    cr_assert_eq(regret_folder_create(there), 0);
    for (size_t length = 250; length < sizeof name;
         length += 100) { /* too long with ".partial-…", and so */
        name[length] = '\0';
        cr_assert_eq(regret_path_join(&path, made, name), 0);
        cr_expect_neq(length == 250 ? regret_staging_begin_files(&staging, path)
                                    : regret_folder_create(path),
                      0);
        cr_expect(regret_file_exists(there) && !regret_file_exists(made), "%zu", length);
        name[length] = 'n';
        regret_free(path);
    }
    regret_free(there);
    regret_free(made);
}

Test(file, removal_does_not_follow_links)
{
    char *keep = inside("keep"), *tree = inside("tree"), *link = inside("tree/link");
    char *file = inside("keep/file");
    cr_assert_eq(regret_folder_create(keep), 0);
    cr_assert_eq(regret_folder_create(tree), 0);
    cr_assert_eq(regret_file_write(file, "x", 1), 0);
    cr_assert_eq(symlink(keep, link), 0);
    cr_assert_eq(regret_folder_remove(tree), 0);
    cr_assert(regret_file_exists(file));
    regret_free(keep);
    regret_free(tree);
    regret_free(link);
    regret_free(file);
}

Test(file, utf8)
{
    const struct {
        const char *text;
        size_t length;
        int valid;
    } cases[] = {{"plain", 5, 1},    {"\xc3\xa9", 2, 1},     {"\xf0\x9f\x98\x80", 4, 1},
                 {"\xc0\x80", 2, 0}, {"\xed\xa0\x80", 3, 0}, {"\xf4\x90\x80\x80", 4, 0},
                 {"\xe2\x82", 2, 0}, {"\x80", 1, 0},         {"", 0, 1},
                 {"a\xff", 2, 0},    {"\xe0\x80\xaf", 3, 0}, {"\xf4\x8f\xbf\xbf", 4, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_eq(regret_utf8_valid(cases[i].text, cases[i].length, NULL), cases[i].valid,
                     "case %zu", i);
    }
    size_t bad = 0;
    cr_assert_not(regret_utf8_valid("ab\xff", 3, &bad));
    cr_assert_eq(bad, 2);
}

/* XXH3_128bits of the empty input, from the xxHash reference (XSUM sanity values). */
Test(file, digest_is_stable)
{
    char d[33];
    regret_digest(d, "", 0);
    cr_assert_str_eq(d, "99aa06d3014798d86001c324468d497f");
}

Test(file, the_digest_of_a_file_is_the_digest_of_its_bytes)
{
    char *path = inside("big");
    size_t n = 700001; /* several pieces, the last one partial */
    char *data = malloc(n);
    for (size_t i = 0; i < n; i++) {
        data[i] = (char)(i * 2654435761u >> 13);
    }
    char whole[33], pieces[33] = "untouched";
    cr_assert_eq(regret_digest_file(pieces, path), REGRET_E_INPUT);
    cr_assert_str_eq(pieces, "untouched");
    cr_assert_eq(regret_file_write(path, data, n), 0);
    regret_digest(whole, data, n);
    cr_assert_eq(regret_digest_file(pieces, path), 0, "%s", regret_error_message());
    cr_assert_str_eq(pieces, whole);
    cr_assert_eq(regret_digest_file(pieces, folder), REGRET_E_INPUT);
    free(data);
    regret_free(path);
}

Test(file, messages_hold_no_control_characters)
{
    cr_assert_eq(regret_fail(REGRET_E_INPUT, "a\x1b[31m\nb\x7f \xc2\x9b \xc3\xa9"), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(), "a?[31m?b? ?? \xc3\xa9");
    regret_fail_prefix(REGRET_E_INPUT, "x\r");
    cr_assert_str_eq(regret_error_message(), "x?: a?[31m?b? ?? \xc3\xa9");
}
