/* Texts that stand in a file: each is what was kept, whichever is read when, and memory does not grow with them. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/scratch.h"
#include "base/system_calls.h"
#include "base/text.h"
#include "regret/status.h"

enum { TEXTS = 10000, BYTES = 160000000 };
static const size_t LARGE = 40000000; /* more than is ever kept in memory */

static struct regret_text_store *store;
static char *text[TEXTS], *wanted;

static void set_up(void)
{
    scratch_enter();
    cr_assert_eq(setenv("TMPDIR", ".", 1), 0);
    wanted = malloc(LARGE + 1);
    cr_assert_not_null(wanted);
}

static void tear_down(void)
{
    text_store_free(store);
    free(wanted);
    scratch_leave();
}

TestSuite(text_store, .init = set_up, .fini = tear_down);

/* Text i, of which number 1 is large, and 0 empty. */
static size_t make(size_t i)
{
    size_t n = i == 1 ? LARGE : (i * 7919 % TEXTS) * (2 * (size_t)(BYTES / TEXTS)) / TEXTS;
    memset(wanted, 'a' + (int)(i % 26), n);
    wanted[n] = '\0';
    if (n > 20) { /* the number shows in the middle */
        snprintf(wanted + n / 2, 10, "%09zu", i);
        wanted[n / 2 + 9] = 'b';
    }
    return n;
}

static size_t peak(void)
{
    struct rusage usage;
    cr_assert_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return (size_t)usage.ru_maxrss * 1024;
}

Test(text_store, texts_are_what_they_were_and_leave_memory)
{
    memset(wanted, 1, LARGE);
    size_t before = peak();
    for (size_t i = 0; i < TEXTS; i++) {
        cr_assert_eq(text_store_add(&text[i], &store, wanted, make(i)), 0, "%s",
                     regret_error_message());
    }
    for (size_t k = 0; k < 2 * TEXTS; k++) {
        size_t i = k < TEXTS ? k : k * 7 % TEXTS;
        make(i);
        cr_assert(strcmp(text[i], wanted) == 0, "text %zu", i);
        text_store_pass(store, text[i]);
    }
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    cr_assert_lt(peak() - before, 2 * LARGE, "%zu bytes more than before", peak() - before);
#else
    (void)before;
#endif
    cr_assert_eq(scratch_entries("."), 0);
}

Test(text_store, few_need_no_file)
{
    cr_assert_eq(setenv("TMPDIR", "nowhere", 1), 0);
    cr_assert_eq(text_store_add(&text[0], &store, "a text", 6), 0);
    cr_assert_eq(text_store_add(&text[1], &store, "", 0), 0);
    text_store_pass(store, text[0]);
    text_store_pass(NULL, text[0]);
    cr_assert_str_eq(text[0], "a text");
    cr_assert_str_eq(text[1], "");
}

static void refused(const char *what)
{
    int rc = REGRET_OK;
    for (size_t i = 2; rc == REGRET_OK && i < TEXTS; i++) {
        rc = text_store_add(&text[i], &store, wanted, make(i));
    }
    cr_assert_eq(rc, REGRET_E_IO);
    cr_assert_not_null(strstr(regret_error_message(), what), "%s", regret_error_message());
    cr_assert_not_null(strstr(regret_error_message(), "set TMPDIR to a folder with room"));
}

Test(text_store, no_folder_for_the_file)
{
    cr_assert_eq(setenv("TMPDIR", "nowhere", 1), 0);
    refused("cannot make a temporary file for texts in nowhere: No such file");
}

Test(text_store, no_room_in_the_folder)
{
    system_fail(CALL_WRITE, 0, ENOSPC);
    refused("cannot write a temporary file for texts in .: No space left");
}
