/* Writes a pool folder. The bytes depend on the pool alone: fixed key order, shortest numbers. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/core/try.h"
#include "base/files/output.h"
#include "base/files/text_store.h"
#include "pool/files/check.h"
#include "pool/files/write.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/file.h"

enum { FLUSH_AT = 1 << 20 }; /* bytes gathered before they are handed to the file */

static void key(struct regret_buffer *t, const char *name)
{
    regret_buffer_json_string(t, name);
    regret_buffer_append(t, ": ");
}

static void string_field(struct regret_buffer *t, const char *name, const char *value)
{
    key(t, name);
    regret_buffer_json_string(t, value == NULL ? "" : value);
}

static void number_field(struct regret_buffer *t, const char *name, double value)
{
    key(t, name);
    regret_buffer_json_number(t, value);
}

/* Ends an entry of a list: a comma unless it is the last. */
static void separate(struct regret_buffer *t, size_t i, size_t n, const char *space)
{
    if (i + 1 < n) {
        regret_buffer_append(t, ",");
        regret_buffer_append(t, space);
    }
}

static void write_agents(struct regret_buffer *t, const struct regret_pool *pool)
{
    regret_buffer_append(t, "  \"agents\": [\n");
    for (size_t i = 0; i < pool->n_agents; i++) {
        const struct regret_agent *a = &pool->agents[i];
        regret_buffer_append(t, "    {");
        string_field(t, "id", a->id);
        regret_buffer_append(t, ", ");
        string_field(t, "title", a->title == NULL ? a->id : a->title);
        regret_buffer_append(t, ", ");
        number_field(t, "cost", a->cost);
        regret_buffer_append(t, "}");
        separate(t, i, pool->n_agents, "");
        regret_buffer_append(t, "\n");
    }
    regret_buffer_append(t, "  ],\n");
}

static void write_components(struct regret_buffer *t, const struct regret_pool *pool)
{
    regret_buffer_append(t, "  \"components\": [\n");
    for (size_t i = 0; i < pool->n_components; i++) {
        const struct regret_component *c = &pool->components[i];
        regret_buffer_append(t, "    {");
        string_field(t, "name", c->name);
        regret_buffer_append(t, ", ");
        number_field(t, "low", c->low);
        regret_buffer_append(t, ", ");
        number_field(t, "high", c->high);
        regret_buffer_append(t, c->is_turned ? ", \"smaller_is_better\": true}" : "}");
        separate(t, i, pool->n_components, "");
        regret_buffer_append(t, "\n");
    }
    regret_buffer_append(t, "  ],\n");
}

static void write_segments(struct regret_buffer *t, const struct regret_pool *pool)
{
    regret_buffer_append(t, "  \"segments\": [\n");
    for (size_t s = 0; s < pool->n_segments; s++) {
        const struct regret_segment *segment = &pool->segments[s];
        regret_buffer_append(t, "    {");
        string_field(t, "name", segment->name);
        regret_buffer_append(t, ", \"weights\": {");
        for (size_t k = 0; k < pool->n_components; k++) {
            number_field(t, pool->components[k].name, segment->weights[k]);
            separate(t, k, pool->n_components, " ");
        }
        regret_buffer_append(t, "}}");
        separate(t, s, pool->n_segments, "");
        regret_buffer_append(t, "\n");
    }
    regret_buffer_append(t, "  ],\n");
}

static void write_names(struct regret_buffer *t, const char *field, char *const *names, size_t n)
{
    regret_buffer_append(t, "  ");
    key(t, field);
    regret_buffer_append(t, "[");
    for (size_t i = 0; i < n; i++) {
        regret_buffer_json_string(t, names[i]);
        separate(t, i, n, " ");
    }
    regret_buffer_append(t, "],\n");
}

static void write_columns(struct regret_buffer *t, const struct regret_pool *pool)
{
    regret_buffer_append(t, pool->n_columns > 0 ? "  \"columns\": [\n" : "");
    for (size_t j = 0; j < pool->n_columns; j++) {
        regret_buffer_append(t, "    {");
        string_field(t, "name", pool->columns[j].name);
        regret_buffer_append(t, ", ");
        string_field(t, "kind", regret_column_kind_name(pool->columns[j].kind));
        regret_buffer_append(t, "}");
        separate(t, j, pool->n_columns, "");
        regret_buffer_append(t, "\n");
    }
    regret_buffer_append(t, pool->n_columns > 0 ? "  ],\n" : "");
}

static void write_step(struct regret_buffer *t, const struct regret_pool_step *step)
{
    regret_buffer_append(t, "    {");
    string_field(t, "pool", step->pool);
    regret_buffer_append(t, ", ");
    string_field(t, "what", step->what);
    regret_buffer_append(t, ", ");
    string_field(t, "program", step->program);
    if (step->date != NULL) {
        regret_buffer_append(t, ", ");
        string_field(t, "date", step->date);
    }
    regret_buffer_append(t, ", \"from\": [");
    for (size_t i = 0; i < step->n_from; i++) {
        regret_buffer_append(t, "{");
        string_field(t, "name", step->from[i].name);
        regret_buffer_append(t, ", ");
        if (step->from[i].date[0] != '\0') { /* never last: the digest is of what is left without */
            string_field(t, "date", step->from[i].date);
            regret_buffer_append(t, ", ");
        }
        string_field(t, "digest", step->from[i].digest);
        regret_buffer_append(t, "}");
        separate(t, i, step->n_from, " ");
    }
    regret_buffer_append(t, "]}");
}

static void write_history(struct regret_buffer *t, const struct regret_pool *pool)
{
    regret_buffer_append(t, pool->n_history > 0 ? "  \"history\": [\n" : "");
    for (size_t i = 0; i < pool->n_history; i++) {
        write_step(t, &pool->history[i]);
        separate(t, i, pool->n_history, "");
        regret_buffer_append(t, "\n");
    }
    regret_buffer_append(t, pool->n_history > 0 ? "  ],\n" : "");
}

static void header_line(struct regret_buffer *t, const char *name, const char *value)
{
    regret_buffer_append(t, "  ");
    string_field(t, name, value);
    regret_buffer_append(t, ",\n");
}

static void write_header(struct regret_buffer *t, const struct regret_pool *pool,
                         const char *contexts_digest, const char *outputs_digest)
{
    regret_buffer_append(t, "{\n");
    header_line(t, "format", REGRET_POOL_FORMAT);
    header_line(t, "name", pool->name);
    header_line(t, "title", pool->title);
    header_line(t, "version", pool->version);
    header_line(t, "licence", pool->licence);
    header_line(t, "source", pool->source);
    regret_buffer_printf(t, "  \"synthetic\": %s,\n", pool->synthetic ? "true" : "false");
    write_agents(t, pool);
    write_components(t, pool);
    write_names(t, "counts", pool->counts, pool->n_counts);
    write_segments(t, pool);
    write_names(t, "aux", pool->aux, pool->n_aux);
    write_columns(t, pool);
    write_history(t, pool);
    regret_buffer_append(t, "  \"digests\": {");
    string_field(t, "contexts.jsonl", contexts_digest);
    regret_buffer_append(t, ", ");
    string_field(t, "outputs.jsonl", outputs_digest);
    regret_buffer_append(t, "}\n}\n");
}

static void write_covariates(struct regret_buffer *t, const struct regret_pool *pool, size_t i)
{
    const struct regret_covariate *value = pool->contexts[i].columns;
    regret_buffer_append(t, ", ");
    key(t, "columns");
    regret_buffer_append(t, "{");
    for (size_t j = 0; j < pool->n_columns; j++) {
        const struct regret_column *column = &pool->columns[j];
        if (column->kind == REGRET_COLUMN_WORD) {
            string_field(t, column->name, value[j].word);
        } else {
            number_field(t, column->name, value[j].number);
        }
        separate(t, j, pool->n_columns, " ");
    }
    regret_buffer_append(t, "}");
}

static void write_context(struct regret_buffer *t, const struct regret_pool *pool, size_t i)
{
    regret_buffer_append(t, "{");
    string_field(t, "id", pool->contexts[i].id);
    regret_buffer_append(t, ", ");
    string_field(t, "text", pool->contexts[i].text);
    text_store_pass(pool->texts, pool->contexts[i].text);
    if (pool->contexts[i].tag != NULL) {
        regret_buffer_append(t, ", ");
        string_field(t, "tag", pool->contexts[i].tag);
    }
    if (pool->contexts[i].title != NULL) {
        regret_buffer_append(t, ", ");
        string_field(t, "title", pool->contexts[i].title);
    }
    if (pool->n_columns > 0) {
        write_covariates(t, pool, i);
    }
    regret_buffer_append(t, "}\n");
}

/* The n values from number `first` on, by their names. */
static void write_values(struct regret_buffer *t, const char *field, const struct regret_pool *pool,
                         const double *values, size_t first, size_t n)
{
    regret_buffer_append(t, ", ");
    key(t, field);
    regret_buffer_append(t, "{");
    for (size_t k = 0; k < n; k++) {
        number_field(t, regret_pool_value_name(pool, first + k), values[first + k]);
        separate(t, k, n, " ");
    }
    regret_buffer_append(t, "}");
}

static void write_output(struct regret_buffer *t, const struct regret_pool *pool, size_t i)
{
    const struct regret_output *o = &pool->outputs[i];
    size_t counts = pool->n_components, aux = counts + pool->n_counts;
    regret_buffer_append(t, "{");
    string_field(t, "context", pool->contexts[o->context].id);
    regret_buffer_append(t, ", ");
    string_field(t, "agent", pool->agents[o->agent].id);
    regret_buffer_printf(t, ", \"draw\": %u, ", (unsigned)o->draw);
    string_field(t, "text", o->text);
    text_store_pass(pool->texts, o->text);
    write_values(t, "components", pool, o->values, 0, pool->n_components);
    write_values(t, "counts", pool, o->values, counts, pool->n_counts);
    write_values(t, "aux", pool, o->values, aux, pool->n_aux);
    regret_buffer_append(t, "}\n");
}

typedef void row_writer(struct regret_buffer *t, const struct regret_pool *pool, size_t i);

static int append_rows(int fd, const char *path, const struct regret_pool *pool,
                       row_writer *write_row, size_t n)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < n; i++) {
        write_row(&text, pool, i);
        if (text.length >= FLUSH_AT || i + 1 == n) {
            TRY(regret_buffer_status(&text));
            TRY(output_write(fd, regret_buffer_get(&text), text.length, path));
            regret_buffer_clear(&text);
        }
    }
    return output_sync(fd, path);
}

/* Writes n rows to folder/name, a megabyte at a time, and leaves the digest of the file. */
static int write_rows(char digest[33], const struct regret_pool *pool, const char *folder,
                      const char *name, row_writer *write_row, size_t n)
{
    char *path = NULL;
    int fd = -1, rc;
    TRY(regret_path_join(&path, folder, name));
    TRY_CLEANUP(output_open(&fd, path, O_WRONLY | O_CREAT | O_EXCL));
    TRY_CLEANUP(append_rows(fd, path, pool, write_row, n));
    int closed = close(fd);
    fd = -1;
    rc = closed == 0 ? regret_digest_file(digest, path)
                     : regret_fail(REGRET_E_IO, "cannot write %s: %s", path, strerror(errno));
cleanup:
    if (fd >= 0) {
        close(fd);
    }
    regret_free(path);
    return rc;
}

static int write_file(const char *folder, const char *name, const char *text, size_t length)
{
    FREED char *path = NULL;
    TRY(regret_path_join(&path, folder, name));
    return regret_file_write(path, text, length);
}

static int write_files(const struct regret_pool *pool, const char *folder, const char *card)
{
    char contexts[33] = "", outputs[33] = "";
    FREED_BY(regret_buffer_free) struct regret_buffer header = REGRET_BUFFER_INIT;
    TRY(write_rows(contexts, pool, folder, "contexts.jsonl", write_context, pool->n_contexts));
    TRY(write_rows(outputs, pool, folder, "outputs.jsonl", write_output, pool->n_outputs));
    write_header(&header, pool, contexts, outputs);
    TRY(regret_buffer_status(&header));
    TRY(write_file(folder, "pool.json", regret_buffer_get(&header), header.length));
    if (card != NULL) {
        return write_file(folder, "README.md", card, strlen(card));
    }
    return REGRET_OK;
}

/* What the reader would refuse is not written. */
static int check_writable(const struct regret_pool *pool)
{
    TRY(pool_check_parts(pool));
    return pool_check_order(pool, NULL);
}

int pool_write_into(const char *folder, const struct regret_pool *pool, const char *card)
{
    TRY(check_writable(pool));
    return write_files(pool, folder, card);
}

int regret_pool_write(const struct regret_pool *pool, const char *path, const char *card,
                      int replace)
{
    return regret_pool_rewrite(pool, path, card, replace, NULL);
}

int regret_pool_rewrite(const struct regret_pool *pool, const char *path, const char *card,
                        int replace, const struct regret_folder_mark *mark)
{
    struct regret_staging staging = REGRET_STAGING_INIT;
    int rc;
    TRY(check_writable(pool));
    TRY_CLEANUP(regret_staging_begin(&staging, path, replace, POOL_FILES));
    if (mark != NULL) {
        regret_staging_expect(&staging, mark);
    }
    TRY_CLEANUP(write_files(pool, staging.partial, card));
    rc = regret_staging_commit(&staging);
cleanup:
    regret_staging_abandon(&staging);
    return rc;
}
