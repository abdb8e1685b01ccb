/* Codes and messages. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "regret/status.h"

Test(status, the_version_is_three_numbers)
{
    unsigned major = 0, minor = 0, patch = 0;
    char more = 0;
    cr_expect_eq(sscanf(regret_version(), "%u.%u.%u%c", &major, &minor, &patch, &more), 3, "%s",
                 regret_version());
}

Test(status, a_message_grows_at_both_ends)
{
    cr_expect_eq(regret_fail(REGRET_E_INPUT, "line %d: %s", 7, "no number"), REGRET_E_INPUT);
    cr_expect_eq(regret_fail_prefix(REGRET_E_IO, "file %s", "a.csv"), REGRET_E_IO);
    cr_expect_eq(regret_fail_suffix(REGRET_E_IO, "; give %d", 8), REGRET_E_IO);
    cr_expect_str_eq(regret_error_message(), "file a.csv: line 7: no number; give 8");
}

/* What a stranger's file can put into a message: a line end, an escape sequence, DEL, C1 and
 * bidirectional overrides in UTF-8. Letters beyond ASCII stay. */
Test(status, nothing_in_a_message_steers_a_terminal)
{
    regret_fail(REGRET_E_INPUT, "%s",
                "a\nb\x1b[31mc\x7f"
                "d\xc2\x9b"
                "e\xe2\x80\xae"
                "f\xe2\x81\xa6"
                "gλ");
    cr_expect_str_eq(regret_error_message(), "a?b?[31mc?d??e???f???gλ");
    regret_fail_prefix(REGRET_E_INPUT, "%s", "p\rq");
    cr_expect_eq(strncmp(regret_error_message(), "p?q: a?b", 8), 0);
    regret_fail_suffix(REGRET_E_INPUT, "%s", "\tend");
    cr_expect_not_null(strstr(regret_error_message(), "gλ?end"));
}

/* Cut, not overrun: at 1,023 bytes, whichever end grows. */
Test(status, long_messages_are_cut)
{
    char text[3000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    regret_fail(REGRET_E_INPUT, "%s", text);
    cr_expect_eq(strlen(regret_error_message()), 1023);
    regret_fail_suffix(REGRET_E_INPUT, "%s", text);
    cr_expect_eq(strlen(regret_error_message()), 1023);
    regret_fail_prefix(REGRET_E_INPUT, "file");
    cr_expect_eq(strlen(regret_error_message()), 1023);
    cr_expect_eq(strncmp(regret_error_message(), "file: xxx", 9), 0);
    regret_fail_prefix(REGRET_E_INPUT, "%s", text);
    cr_expect_eq(strlen(regret_error_message()), 1023);
    cr_expect_eq(regret_error_message()[0], 'x');
}

static int fail_quietly(void *context, size_t index, size_t worker)
{
    (void)context;
    (void)worker;
    return index == 1 ? regret_fail(REGRET_E_NUMERIC, "of the second job") : REGRET_OK;
}

/* A message belongs to its thread; that of a job is handed to the caller. */
Test(status, the_message_of_a_job_arrives)
{
    regret_fail(REGRET_E_INPUT, "of the caller");
    cr_expect_eq(regret_parallel_for(1, 2, fail_quietly, NULL), REGRET_OK);
    cr_expect_str_eq(regret_error_message(), "of the caller");
    cr_expect_eq(regret_parallel_for(2, 2, fail_quietly, NULL), REGRET_E_NUMERIC);
    cr_expect_str_eq(regret_error_message(), "of the second job");
}
