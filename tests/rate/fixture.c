#include "fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"

const char *scratch_folder(void)
{
    static char path[128];
    const char *base = getenv("TMPDIR");
    snprintf(path, sizeof path, "%.90s/regret-rate-%ld", base != NULL ? base : "/tmp",
             (long)getpid());
    cr_assert_eq(regret_folder_create(path), 0, "%s", regret_error_message());
    return path;
}

void scratch_remove(void)
{
    const char *path = scratch_folder();
    cr_assert_eq(regret_folder_remove(path), 0, "%s", regret_error_message());
}

const char *scratch_file(const char *name, const char *text)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", scratch_folder(), name);
    cr_assert_eq(regret_file_write(path, text, strlen(text)), 0, "%s", regret_error_message());
    return path;
}

/* Splits in place; quotes as RFC 4180 has them. */
struct csv csv_parse(const char *text)
{
    struct csv c = {NULL, NULL, 0, 0};
    size_t n = 0, length = strlen(text);
    cr_assert_eq(regret_strdup(&c.text, text), 0);
    char *plain = c.text; /* line ends are \n from here on */
    for (const char *p = text; *p != '\0'; p++) {
        if (*p != '\r') {
            *plain++ = *p;
        }
    }
    *plain = '\0';
    cr_assert_eq(REGRET_NEW(&c.cells, length + 1), 0);
    char *in = c.text, *out = c.text;
    while (*in != '\0') {
        int quoted = *in == '"';
        c.cells[n++] = out;
        in += quoted;
        while (*in != '\0' && (quoted ? *in != '"' || in[1] == '"' : *in != ',' && *in != '\n')) {
            in += quoted && *in == '"';
            *out++ = *in++;
        }
        in += quoted;
        char end = *in;
        in += end != '\0';
        *out++ = '\0';
        if (end == '\n' && c.n_columns == 0) {
            c.n_columns = n;
        }
        if (end == ',' && (*in == '\n' || *in == '\0')) { /* an empty last cell */
            c.cells[n++] = out;
            in += *in != '\0';
            *out++ = '\0';
        }
    }
    cr_assert_eq(n % c.n_columns, 0, "%zu cells in rows of %zu", n, c.n_columns);
    c.n_rows = n / c.n_columns - 1;
    return c;
}

struct csv csv_read(const char *path)
{
    char *text = NULL;
    cr_assert_eq(regret_file_read(&text, NULL, path, 1 << 24), 0, "%s", regret_error_message());
    struct csv c = csv_parse(text);
    regret_free(text);
    return c;
}

void csv_free(struct csv *c)
{
    regret_free(c->text);
    regret_free(c->cells);
}

struct regret_rate_rows *rows_of(const char *jsonl)
{
    struct regret_rate_rows *rows = NULL;
    const char *path = scratch_file("rows.jsonl", jsonl);
    const struct regret_rate_read_options how = {0};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0, "%s", regret_error_message());
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    return rows;
}

char *random_jsonl(size_t n, unsigned seed)
{
    static const char *const sides[] = {"original", "rewrite", "rewrite_of_rewrite"};
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 1);
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(&text,
                             "{\"id\": \"r%zu\", \"dataset\": \"D\", \"attribute\": \"a\", "
                             "\"w\": %s, \"scores\": {",
                             i, regret_rng_below(&r, 5) < 2 ? "true" : "false");
        for (int m = 0; m < 2; m++) {
            regret_buffer_printf(&text, "%s\"m%d\": {", m ? ", " : "", m);
            for (int side = 0; side < 3; side++) {
                regret_buffer_printf(&text, "%s\"%s\": ", side ? ", " : "", sides[side]);
                regret_buffer_json_number(&text, 100.0 * m + regret_rng_normal(&r));
            }
            regret_buffer_append(&text, "}");
        }
        regret_buffer_append(&text, "}}\n");
    }
    cr_assert_eq(regret_buffer_status(&text), 0);
    return text.data;
}

struct regret_rate_estimate *estimates_of(const struct regret_rate_rows *rows, size_t *n,
                                          enum regret_rate_se se)
{
    struct regret_rate_estimate *e = NULL;
    const struct regret_rate_options options = {.se = se, .threads = 1};
    cr_assert_eq(regret_rate_estimate(&e, n, rows, &options), 0, "%s", regret_error_message());
    return e;
}

char *run_program(int *code, const char *arguments, const char *redirect)
{
    struct regret_buffer out = REGRET_BUFFER_INIT;
    char command[2048], buffer[4096];
    snprintf(command, sizeof command, "cd '%s' && '%s' %s %s", REGRET_SOURCE_FOLDER, REGRET_PROGRAM,
             arguments, redirect);
    FILE *pipe = popen(command, "r");
    cr_assert_not_null(pipe);
    size_t n;
    while ((n = fread(buffer, 1, sizeof buffer, pipe)) > 0) {
        regret_buffer_append_n(&out, buffer, n);
    }
    int status = pclose(pipe);
    cr_assert(WIFEXITED(status), "%s: ended by a signal", arguments);
    *code = WEXITSTATUS(status);
    regret_buffer_append_char(&out, '\0');
    cr_assert_eq(regret_buffer_status(&out), 0);
    return out.data;
}

unsigned repeats(unsigned full)
{
#ifdef REGRET_FEW_REPLICATES
    return full / 8;
#else
    return full;
#endif
}

double repeats_slack(unsigned full, double p)
{
    unsigned n = repeats(full);
    return n == full ? 0.0 : 4.0 * sqrt(p * (1.0 - p) / (double)n);
}
