/* The file of a model: what is written comes back, and nothing else is taken. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scratch.h"
#include "model/internal.h"
#include "model/planted.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(model_file, .init = scratch_enter, .fini = scratch_leave);

static struct planted pool;

/* Writes a model to "m" and hands out its bytes. */
static char *write_kind(size_t *length, enum planted_kind kind, enum regret_model_rule rule)
{
    char *bytes = NULL;
    planted_make(&pool, kind, 120, 4, 0.0, 1);
    struct regret_model *m = planted_fit(&pool, 120, 1);
    cr_assert_eq(m->contrast.rule, rule);
    cr_assert_eq(regret_model_write(m, "m"), 0, "%s", regret_error_message());
    cr_assert_eq(regret_file_read(&bytes, length, "m", 1 << 28), 0);
    regret_model_free(m);
    return bytes;
}

static char *write_one(size_t *length)
{
    return write_kind(length, PLANTED_WORD, REGRET_MODEL_WORDS);
}

static void check_back(enum planted_kind kind, enum regret_model_rule rule, uint64_t version)
{
    size_t length = 0, again = 0;
    char *bytes = write_kind(&length, kind, rule), *back = NULL;
    struct regret_model *m = NULL;
    struct model_head head;
    memcpy(&head, bytes, sizeof head);
    cr_expect_eq(head.version, version);
    cr_assert_eq(regret_model_read(&m, "m"), 0, "%s", regret_error_message());
    cr_assert_eq(regret_model_write(m, "n"), 0);
    cr_assert_eq(regret_file_read(&back, &again, "n", 1 << 28), 0);
    cr_expect_eq(again, length);
    cr_expect_eq(memcmp(bytes, back, length), 0);
    struct regret_model *fitted = planted_fit(&pool, 120, 1);
    for (size_t x = 0; x < 120; x++) {
        struct regret_answer a, b;
        const struct regret_request request = {
            .text = pool.text[x], .tag = pool.tag[x], .columns = pool.covariate[x]};
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        cr_assert_eq(regret_model_answer(&a, m, &request, 1), 0);
        cr_assert_eq(regret_model_answer(&b, fitted, &request, 1), 0);
        cr_expect_eq(memcmp(&a, &b, sizeof a), 0);
    }
    regret_model_free(fitted);
    regret_model_free(m);
    regret_free(bytes);
    regret_free(back);
    planted_free(&pool);
}

Test(model_file, comes_back_to_the_bit)
{
    check_back(PLANTED_WORD, REGRET_MODEL_WORDS, MODEL_VERSION);
    check_back(PLANTED_COLUMN, REGRET_MODEL_COLUMNS, MODEL_VERSION_COLUMNS);
}

/* The same bytes whatever the threads. */
Test(model_file, does_not_know_the_threads)
{
    size_t length = 0, again = 0;
    char *bytes = write_one(&length), *back = NULL;
    struct regret_model *m = planted_fit(&pool, 120, 3);
    cr_assert_eq(regret_model_write(m, "n"), 0);
    cr_assert_eq(regret_file_read(&back, &again, "n", 1 << 28), 0);
    cr_expect(again == length && memcmp(bytes, back, length) == 0);
    regret_model_free(m);
    regret_free(bytes);
    regret_free(back);
    planted_free(&pool);
}

static void refused(const char *bytes, size_t length, const char *why)
{
    struct regret_model *m = NULL;
    cr_assert_eq(regret_file_write("bad", bytes, length), 0);
    cr_expect_eq(regret_model_read(&m, "bad"), REGRET_E_INPUT);
    cr_expect(strstr(regret_error_message(), why) != NULL, "%s\nnot %s", regret_error_message(),
              why);
    cr_expect(strncmp(regret_error_message(), "bad: ", 5) == 0, "%s", regret_error_message());
    cr_expect_null(m);
    regret_model_free(m);
}

/* A forger gives what he changed a right checksum. */
static void forge(char *bytes, size_t length)
{
    struct model_head head;
    memcpy(&head, bytes, sizeof head);
    model_digest(head.digest, bytes, length);
    memcpy(bytes, &head, sizeof head);
}

Test(model_file, damage_is_noticed)
{
    size_t length = 0;
    char *bytes = write_one(&length);
    for (size_t at = sizeof(struct model_head); at < length; at += length / 40) {
        bytes[at] ^= 4;
        refused(bytes, length, "checksum is wrong");
        bytes[at] ^= 4;
    }
    refused(bytes, length - 1, "cut off, or too long");
    refused(bytes, sizeof(struct model_head) - 1, "no model");
    refused("", 0, "no model");
    refused("{\"format\":\"regret-run-1\"}", 25, "no model");
    regret_free(bytes);
    planted_free(&pool);
}

Test(model_file, of_another_version_or_machine_is_refused)
{
    size_t length = 0;
    char *bytes = write_one(&length);
    struct model_head head, kept;
    memcpy(&kept, bytes, sizeof kept);
    head = kept;
    head.version = 1;
    memcpy(bytes, &head, sizeof head);
    refused(bytes, length, "it is of version 1, and this program reads 2");
    head = kept;
    head.order = UINT64_C(0x0807060504030201);
    memcpy(bytes, &head, sizeof head);
    refused(bytes, length, "another byte order");
    regret_free(bytes);
    planted_free(&pool);
}

/* Heads with a right checksum whose sizes would lead out of the file. */
Test(model_file, forged_sizes_are_refused)
{
    size_t length = 0;
    char *bytes = write_one(&length);
    struct model_head kept;
    memcpy(&kept, bytes, sizeof kept);
    for (size_t field = 0; field < 10; field++) {
        static const uint64_t values[] = {0, 3, UINT64_C(1) << 31, UINT64_MAX};
        for (size_t v = 0; v < 4; v++) {
            struct model_head head = kept;
            uint64_t *at = &head.text + field;
            if (field > 6 || *at == values[v]) { /* the hash's seed and the bytes may be anything */
                continue;
            }
            *at = values[v];
            memcpy(bytes, &head, sizeof head);
            forge(bytes, length);
            struct regret_model *m = NULL;
            cr_assert_eq(regret_file_write("bad", bytes, length), 0);
            cr_expect_eq(regret_model_read(&m, "bad"), REGRET_E_INPUT, "field %zu, %llu", field,
                         (unsigned long long)values[v]);
            regret_model_free(m);
        }
    }
    regret_free(bytes);
    planted_free(&pool);
}

/* Replaces a text of the JSON by one of its length, with a right checksum. */
static void forge_text(const char *bytes, size_t length, const char *from, const char *to,
                       const char *why)
{
    char *copy = malloc(length);
    memcpy(copy, bytes, length);
    char *at = copy;
    while (at + strlen(from) < copy + length && memcmp(at, from, strlen(from)) != 0) {
        at++;
    }
    cr_assert_eq(memcmp(at, from, strlen(from)), 0, "%s", from);
    cr_assert_eq(strlen(from), strlen(to));
    memcpy(at, to, strlen(to));
    forge(copy, length);
    refused(copy, length, why);
    free(copy);
}

Test(model_file, forged_numbers_are_refused)
{
    size_t length = 0;
    char *bytes = write_one(&length);
    struct model_head head;
    memcpy(&head, bytes, sizeof head);
    forge_text(bytes, length, "\"rule\":\"words\"", "\"rule\":\"wordy\"", "a rule that");
    forge_text(bytes, length, "\"single\":", "\"sinGle\":", "single");
    forge_text(bytes, length, "\"own\":[", "\"own\":{", "malformed");
    forge_text(bytes, length, "[\"ant\",\"bee\"", "[\"ant\" \"bee\"", "malformed");
    forge_text(bytes, length, "[\"ant\",\"bee\",", "[\"ant,,,bee\",", "too long or too short");
    char *row = bytes + sizeof head + head.text;
    double nan = strtod("nan", NULL), kept;
    memcpy(&kept, row, sizeof kept);
    memcpy(row, &nan, sizeof nan);
    forge(bytes, length);
    refused(bytes, length, "not finite");
    memcpy(row, &kept, sizeof kept);
    uint32_t bucket = 0;
    memcpy(bytes + length - 4, &bucket, 4);
    forge(bytes, length);
    refused(bytes, length, "not in order");
    regret_free(bytes);
    planted_free(&pool);
}
