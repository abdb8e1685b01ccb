#include "log_checks.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <archive.h>
#include <archive_entry.h>

#include "pool/sample.h"
#include "regret/file.h"

void log_put(const char *name, const char *text)
{
    char folder[256];
    for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - name), name);
        cr_assert_eq(regret_folder_create(sample_path(folder)), 0, "%s", regret_error_message());
    }
    sample_write(name, text);
}

void log_zip(const char *name, const struct log_member *member, size_t n)
{
    log_put(name, "");
    struct archive *a = archive_write_new();
    cr_assert(archive_write_set_format_zip(a) == ARCHIVE_OK &&
              archive_write_open_filename(a, sample_path(name)) == ARCHIVE_OK);
    for (size_t i = 0; i < n; i++) {
        struct archive_entry *entry = archive_entry_new();
        size_t length = strlen(member[i].text);
        archive_entry_set_pathname(entry, member[i].name);
        archive_entry_set_size(entry, (la_int64_t)length);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        cr_assert_eq(archive_write_header(a, entry), ARCHIVE_OK);
        cr_assert_eq(archive_write_data(a, member[i].text, length), (la_ssize_t)length);
        archive_entry_free(entry);
    }
    cr_assert_eq(archive_write_close(a), ARCHIVE_OK);
    archive_write_free(a);
}

static struct regret_buffer report = REGRET_BUFFER_INIT;

static int import(struct regret_pool **pool, const struct importer *importer, const void *options,
                  const char *from)
{
    char *copy = malloc(importer->size);
    cr_assert_not_null(copy);
    memcpy(copy, options != NULL ? options : importer->defaults, importer->size);
    regret_buffer_clear(&report);
    const struct importer_call call = {.from = sample_path(from),
                                       .name = "pool",
                                       .into = pool,
                                       .options = copy,
                                       .report = &report};
    int rc = importer->run(&call);
    free(copy);
    return rc;
}

struct regret_pool *log_pool(const struct importer *importer, const void *options, const char *from)
{
    struct regret_pool *pool = NULL;
    cr_assert_eq(import(&pool, importer, options, from), 0, "%s: %s", from, regret_error_message());
    return pool;
}

const char *log_report(void)
{
    return regret_buffer_get(&report);
}

void log_refused(const struct importer *importer, const void *options, const char *from,
                 const char *message)
{
    struct regret_pool *pool = NULL;
    cr_expect_eq(import(&pool, importer, options, from), REGRET_E_INPUT, "%s", message);
    cr_expect_null(pool);
    cr_expect_not_null(strstr(regret_error_message(), message), "\"%s\" lacks \"%s\"",
                       regret_error_message(), message);
}

const struct regret_context *log_context(const struct regret_pool *pool, const char *id)
{
    for (size_t i = 0; i < pool->n_contexts; i++) {
        if (strcmp(pool->contexts[i].id, id) == 0) {
            return &pool->contexts[i];
        }
    }
    cr_assert_fail("no context %s, but %s", id, pool->contexts[0].id);
    return NULL;
}

const struct regret_agent *log_agent(const struct regret_pool *pool, const char *id)
{
    for (size_t i = 0; i < pool->n_agents; i++) {
        if (strcmp(pool->agents[i].id, id) == 0) {
            return &pool->agents[i];
        }
    }
    cr_assert_fail("no agent %s, but %s", id, pool->agents[0].id);
    return NULL;
}

double log_value(const struct regret_pool *pool, const char *context, const char *agent,
                 size_t draw, const char **text)
{
    size_t c = (size_t)(log_context(pool, context) - pool->contexts);
    size_t a = (size_t)(log_agent(pool, agent) - pool->agents);
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        if (o->context == c && o->agent == a && o->draw == draw) {
            if (text != NULL) {
                *text = o->text;
            }
            return o->values[0];
        }
    }
    return NAN;
}
