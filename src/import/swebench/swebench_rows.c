/* The first reading of the CSV: which rows there are, and which of them are asked for. */
#include <string.h>

#include "base/core/try.h"
#include "base/files/input.h"
#include "base/text/path.h"
#include "import/build/importer.h"
#include "import/swebench/swebench.h"
#include "pool/files/check.h"

static const char *const COLUMN_NAMES[SWEBENCH_COLUMNS] = {
    "instance_id", "agent", "patch", "resolved", "tests_status", "benchmark"};

static int find_columns(struct swebench_table *t, const char *path)
{
    for (size_t k = 0; k < SWEBENCH_COLUMNS; k++) {
        t->column[k] = SIZE_MAX;
    }
    for (size_t i = 0; i < t->n_columns; i++) {
        const char *name = regret_csv_field(NULL, t->csv, i);
        for (size_t k = 0; k < SWEBENCH_COLUMNS; k++) {
            if (strcmp(name, COLUMN_NAMES[k]) == 0 && t->column[k] != SIZE_MAX) {
                return regret_fail(REGRET_E_INPUT,
                                   "%s:%zu: column \"%s\" is given twice; rename one", path,
                                   regret_csv_line(t->csv), name);
            }
            if (strcmp(name, COLUMN_NAMES[k]) == 0) {
                t->column[k] = i;
            }
        }
    }
    for (size_t k = 0; k <= SWEBENCH_RESOLVED; k++) {
        if (t->column[k] == SIZE_MAX) {
            return regret_fail(REGRET_E_INPUT,
                               "%s:%zu: there is no column \"%s\"; the header must name "
                               "instance_id, agent, patch and resolved",
                               path, regret_csv_line(t->csv), COLUMN_NAMES[k]);
        }
    }
    return REGRET_OK;
}

static int open_table(struct swebench_table *t, const char *path)
{
    TRY(input_check_regular(path)); /* it is read twice, which a pipe cannot be */
    TRY(regret_csv_open(&t->csv, path, NULL));
    TRY(regret_csv_next(t->csv, &t->n_columns));
    return t->n_columns > 0
               ? find_columns(t, path)
               : regret_fail(REGRET_E_INPUT, "%s is empty; give a CSV with a header", path);
}

int swebench_table_open(struct swebench_table *out, const char *path)
{
    *out = (struct swebench_table){NULL, 0, {0}};
    int rc = open_table(out, path);
    if (rc != REGRET_OK) {
        swebench_table_close(out);
    }
    return rc;
}

void swebench_table_close(struct swebench_table *table)
{
    regret_csv_close(table->csv);
    table->csv = NULL;
}

const char *swebench_field(const struct swebench_table *t, enum swebench_column k, size_t *length)
{
    if (t->column[k] == SIZE_MAX) {
        *length = 0;
        return "";
    }
    return regret_csv_field(length, t->csv, t->column[k]);
}

/* Lower case without the blanks around it; "" when longer than any verdict. */
static void plain_word(char out[8], const char *text, size_t length)
{
    size_t n = 0;
    while (length > 0 && memchr(" \t\r\n", text[length - 1], 4) != NULL) {
        length--;
    }
    for (; length > 0 && memchr(" \t\r\n", *text, 4) != NULL; text++) {
        length--;
    }
    for (; length < 8 && n < length; n++) {
        out[n] = text[n] >= 'A' && text[n] <= 'Z' ? (char)(text[n] - 'A' + 'a') : text[n];
    }
    out[n] = '\0';
}

/* `resolved` as 0 or 1, -1 where it is empty, or what pandas and others write for that. */
static int read_resolved(int *out, const char *text, size_t length)
{
    static const char *const NO[] = {"false", "0", "0.0", "no"};
    static const char *const YES[] = {"true", "1", "1.0", "yes"};
    static const char *const NONE[] = {"nan", "none", "null", "<na>", "na"};
    char word[8];
    plain_word(word, text, length);
    *out = -1;
    for (size_t i = 0; i < sizeof NO / sizeof *NO; i++) {
        *out = strcmp(word, NO[i]) == 0 ? 0 : strcmp(word, YES[i]) == 0 ? 1 : *out;
    }
    int given = *out < 0 && strspn(text, " \t\r\n") < length;
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++) {
        given = given && strcmp(word, NONE[i]) != 0;
    }
    if (given) {
        return regret_fail(REGRET_E_INPUT, "resolved is \"%.40s\"; it must be True or False", text);
    }
    return REGRET_OK;
}

static int read_verdict(struct import_row *row, const struct swebench_table *t)
{
    int resolved = -1, verdict = -1;
    size_t length = 0;
    const char *text = swebench_field(t, SWEBENCH_RESOLVED, &length);
    TRY(read_resolved(&resolved, text, length));
    text = swebench_field(t, SWEBENCH_TESTS, &length);
    int rc = swebench_verdict(&verdict, text, length);
    int unread = rc == REGRET_E_INPUT && resolved >= 0;
    if (rc != REGRET_OK && !unread) {
        return regret_fail_prefix(rc, "tests_status is neither JSON nor a Python literal");
    }
    if (resolved < 0 && verdict < 0) {
        return regret_fail(REGRET_E_INPUT, "resolved is empty and tests_status gives no verdict; "
                                           "fill one in");
    }
    int contradicts = !unread && resolved >= 0 && verdict >= 0 && resolved != verdict;
    int success = resolved >= 0 ? resolved : verdict;
    row->flags = (unsigned char)((success ? SWEBENCH_SUCCESS : 0) |
                                 (contradicts ? SWEBENCH_CONTRADICTS : 0) |
                                 (unread ? SWEBENCH_UNREAD_TESTS : 0));
    return REGRET_OK;
}

int swebench_is_wanted(const struct regret_swebench_options *o, const char *run)
{
    return o->n_agents == 0 || name_matches(o->agents, o->n_agents, run);
}

int swebench_find_issue(uint32_t *out, struct swebench *s, const char *id)
{
    size_t issue = id_table_find(&s->b.contexts.ids, id);
    if (issue == SIZE_MAX) {
        s->report.no_issue++;
        if (s->missing_issue[0] == '\0') {
            importer_remember(s->missing_issue, sizeof s->missing_issue, id);
        }
        return 0;
    }
    *out = (uint32_t)issue;
    return 1;
}

/* Finds out whether the record at hand is asked for; *wanted is 0 if not, which is counted. */
static int ask_for(struct swebench *s, struct import_row *row, const struct swebench_table *t,
                   int *wanted)
{
    size_t length = 0, id_length = 0, agent_length = 0;
    const char *benchmark = swebench_field(t, SWEBENCH_BENCHMARK, &length);
    const char *id = swebench_field(t, SWEBENCH_INSTANCE, &id_length);
    const char *agent = swebench_field(t, SWEBENCH_AGENT, &agent_length);
    *wanted = 0;
    importer_remember(s->benchmarks, sizeof s->benchmarks, benchmark);
    if (s->options->benchmark != NULL && strcmp(s->options->benchmark, benchmark) != 0) {
        s->report.other_benchmark++;
        return REGRET_OK;
    }
    if (strlen(id) != id_length || strlen(agent) != agent_length) {
        return regret_fail(REGRET_E_INPUT, "instance_id or agent holds a zero byte; remove it");
    }
    TRY(pool_check_id("instance_id", id));
    TRY(pool_check_id("agent", agent));
    if (!swebench_is_wanted(s->options, agent)) {
        s->report.other_agent++;
        importer_remember(s->other_agents, sizeof s->other_agents, agent);
        return REGRET_OK;
    }
    *wanted = swebench_find_issue(&row->context, s, id);
    return REGRET_OK;
}

/* All of a row but its run; *wanted as ask_for() has it. Messages do not say where. */
static int judge(struct swebench *s, struct import_row *row, const struct swebench_table *t,
                 size_t n_fields, int *wanted)
{
    size_t length = 0;
    if (n_fields != t->n_columns) {
        return regret_fail(REGRET_E_INPUT, "has %zu fields where the header has %zu", n_fields,
                           t->n_columns);
    }
    TRY(ask_for(s, row, t, wanted));
    if (*wanted) {
        TRY(read_verdict(row, t));
        swebench_field(t, SWEBENCH_PATCH, &length);
        row->weak = length == 0;
    }
    return REGRET_OK;
}

static int read_row(struct swebench *s, const struct swebench_table *t, size_t n_fields)
{
    struct import_register *runs = &s->b.agents;
    struct regret_place at = {s->path, regret_csv_line(t->csv)};
    struct import_row row = {.number = at.line};
    size_t length = 0;
    int wanted = 0;
    int rc = judge(s, &row, t, n_fields, &wanted);
    if (rc != REGRET_OK) {
        return regret_fail_prefix(rc, "%s:%zu", at.file, at.line);
    }
    if (!wanted) {
        return REGRET_OK;
    }
    const char *run = swebench_field(t, SWEBENCH_AGENT, &length);
    s->too_many_runs = runs->n == runs->most && id_table_find(&runs->ids, run) == SIZE_MAX;
    TRY(import_enter(&row.agent, runs, run, at.line, at));
    return import_add_row(&s->b, &row);
}

/* The next row, *more = 0 at the end; a bad one may be skipped. */
static int next_row(struct swebench *s, const struct swebench_table *t, int *more)
{
    size_t n = 0;
    int rc = regret_csv_next(t->csv, &n);
    *more = rc != REGRET_OK || n > 0;
    if (!*more) {
        return REGRET_OK;
    }
    s->report.rows++;
    if (rc != REGRET_OK && regret_csv_is_over(t->csv)) {
        return rc;
    }
    rc = rc != REGRET_OK ? rc : read_row(s, t, n);
    return s->too_many_runs ? rc : import_skip_row(&s->bad, rc);
}

int swebench_read_rows(struct swebench *s)
{
    struct swebench_table t;
    int more = 1, rc = REGRET_OK;
    TRY(swebench_table_open(&t, s->path));
    while (more) {
        TRY_CLEANUP(next_row(s, &t, &more));
    }
cleanup:
    s->report.bad = s->bad.n;
    swebench_table_close(&t);
    return rc;
}
