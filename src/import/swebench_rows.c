/* The first reading of the CSV: which rows there are, and which of them are asked for. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "pool/check.h"
#include "import/import_swebench.h"
#include "regret/alloc.h"

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

/* The table is read twice, which a pipe cannot be. */
static int check_regular(const char *path)
{
    struct stat info;
    return stat(path, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s is a pipe or a device, but the table is read twice; save it as a "
                             "file and give that",
                             path);
}

int swebench_table_open(struct swebench_table *out, const char *path)
{
    struct swebench_table t = {NULL, 0, {0}};
    int rc = check_regular(path);
    if (rc == REGRET_OK) {
        rc = regret_csv_open(&t.csv, path, NULL);
    }
    if (rc == REGRET_OK) {
        rc = regret_csv_next(t.csv, &t.n_columns);
    }
    if (rc == REGRET_OK && t.n_columns == 0) {
        rc = regret_fail(REGRET_E_INPUT, "%s is empty; give a CSV with a header", path);
    }
    if (rc == REGRET_OK) {
        rc = find_columns(&t, path);
    }
    if (rc != REGRET_OK) {
        swebench_table_close(&t);
        return rc;
    }
    *out = t;
    return REGRET_OK;
}

void swebench_table_close(struct swebench_table *table)
{
    regret_csv_close(table->csv);
    table->csv = NULL;
}

static const char *field(const struct swebench_table *t, enum swebench_column k, size_t *length)
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

static int read_verdict(struct swebench_row *row, const struct swebench_table *t)
{
    int resolved = -1, verdict = -1;
    size_t length = 0;
    const char *text = field(t, SWEBENCH_RESOLVED, &length);
    int rc = read_resolved(&resolved, text, length);
    if (rc != REGRET_OK) {
        return rc;
    }
    text = field(t, SWEBENCH_TESTS, &length);
    rc = swebench_verdict(&verdict, text, length);
    row->unread_tests = rc == REGRET_E_INPUT && resolved >= 0;
    if (rc != REGRET_OK && !row->unread_tests) {
        return regret_fail_prefix(rc, "tests_status is neither JSON nor a Python literal");
    }
    if (resolved < 0 && verdict < 0) {
        return regret_fail(REGRET_E_INPUT, "resolved is empty and tests_status gives no verdict; "
                                           "fill one in");
    }
    verdict = row->unread_tests ? -1 : verdict;
    row->resolved = (unsigned char)(resolved >= 0 ? resolved : verdict);
    row->contradicts = resolved >= 0 && verdict >= 0 && resolved != verdict;
    return REGRET_OK;
}

static int find_run(struct swebench *s, struct swebench_row *row, const char *name)
{
    size_t run = id_table_find(&s->run_ids, name);
    if (run == SIZE_MAX) {
        if (s->n_runs == REGRET_POOL_MAX_AGENTS) {
            s->too_many_runs = 1;
            return regret_fail(REGRET_E_INPUT, "more than %d runs; choose with agent patterns",
                               REGRET_POOL_MAX_AGENTS);
        }
        int rc = regret_strdup(&s->runs[s->n_runs], name);
        if (rc != REGRET_OK) {
            return rc;
        }
        run = id_table_put(&s->run_ids, s->runs[s->n_runs], s->n_runs);
        s->n_runs++;
    }
    row->run = (uint32_t)run;
    return REGRET_OK;
}

static int is_wanted_agent(const struct regret_swebench_options *o, const char *name)
{
    size_t i = 0;
    while (i < o->n_agents && fnmatch(o->agents[i], name, 0) != 0) {
        i++;
    }
    return o->n_agents == 0 || i < o->n_agents;
}

/* Remembers a name for a message: "a, b, c", each once, as many as there is room for. */
static void remember(char *list, size_t size, const char *name)
{
    size_t n = strlen(list), length = strlen(name);
    const char *at = list;
    while (length > 0 && (at = strstr(at, name)) != NULL) {
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0')) {
            return;
        }
        at += length;
    }
    if (length > 0 && length < 80 && n + length + 3 < size) {
        snprintf(list + n, size - n, "%s%s", n > 0 ? ", " : "", name);
    }
}

/* Finds out whether the record at hand is asked for; *wanted is 0 if not, which is counted. */
static int ask_for(struct swebench *s, struct swebench_row *row, const struct swebench_table *t,
                   int *wanted)
{
    size_t length = 0, id_length = 0, agent_length = 0;
    const char *benchmark = field(t, SWEBENCH_BENCHMARK, &length);
    const char *id = field(t, SWEBENCH_INSTANCE, &id_length);
    const char *agent = field(t, SWEBENCH_AGENT, &agent_length);
    *wanted = 0;
    remember(s->benchmarks, sizeof s->benchmarks, benchmark);
    if (s->options->benchmark != NULL && strcmp(s->options->benchmark, benchmark) != 0) {
        s->report.other_benchmark++;
        return REGRET_OK;
    }
    if (strlen(id) != id_length || strlen(agent) != agent_length) {
        return regret_fail(REGRET_E_INPUT, "instance_id or agent holds a zero byte; remove it");
    }
    int rc = pool_check_id("instance_id", id);
    if (rc == REGRET_OK) {
        rc = pool_check_id("agent", agent);
    }
    if (rc != REGRET_OK) {
        return rc;
    }
    if (!is_wanted_agent(s->options, agent)) {
        s->report.other_agent++;
        remember(s->other_agents, sizeof s->other_agents, agent);
        return REGRET_OK;
    }
    size_t issue = id_table_find(&s->issue_ids, id);
    if (issue == SIZE_MAX) {
        s->report.no_issue++;
        if (s->missing_issue[0] == '\0') {
            remember(s->missing_issue, sizeof s->missing_issue, id);
        }
        return REGRET_OK;
    }
    row->issue = (uint32_t)issue;
    *wanted = 1;
    return REGRET_OK;
}

static int add_row(struct swebench *s, const struct swebench_row *row)
{
    int rc = regret_grow((void **)&s->rows, &s->row_capacity, s->n_rows, sizeof *s->rows, "rows");
    if (rc == REGRET_OK) {
        s->rows[s->n_rows++] = *row;
    }
    return rc;
}

static int read_row(struct swebench *s, const struct swebench_table *t, size_t n_fields)
{
    struct swebench_row row = {.line = regret_csv_line(t->csv)};
    size_t length = 0;
    int wanted = 0;
    if (n_fields != t->n_columns) {
        return regret_fail(REGRET_E_INPUT, "has %zu fields where the header has %zu", n_fields,
                           t->n_columns);
    }
    int rc = ask_for(s, &row, t, &wanted);
    if (rc != REGRET_OK || !wanted) {
        return rc;
    }
    rc = read_verdict(&row, t);
    if (rc == REGRET_OK) {
        field(t, SWEBENCH_PATCH, &length);
        row.has_patch = length > 0;
        rc = find_run(s, &row, field(t, SWEBENCH_AGENT, &length));
    }
    return rc != REGRET_OK ? rc : add_row(s, &row);
}

/* A bad row: the end, or one more of those left out. */
static int leave_out(struct swebench *s, int rc)
{
    if (rc != REGRET_E_INPUT || s->too_many_runs) {
        return rc;
    }
    if (!s->options->skip_bad) {
        return regret_fail_suffix(rc, "; --skip-bad leaves bad rows out");
    }
    s->report.bad++;
    if (s->options->note != NULL) {
        s->options->note(s->options->note_context, regret_error_message());
    }
    return REGRET_OK;
}

int swebench_read_rows(struct swebench *s, const char *path)
{
    struct swebench_table t = {NULL, 0, {0}};
    size_t n = 0;
    int rc = REGRET_NEW(&s->runs, REGRET_POOL_MAX_AGENTS);
    if (rc == REGRET_OK) {
        rc = id_table_init(&s->run_ids, REGRET_POOL_MAX_AGENTS);
    }
    if (rc == REGRET_OK) {
        rc = swebench_table_open(&t, path);
    }
    while (rc == REGRET_OK) {
        rc = regret_csv_next(t.csv, &n);
        if (rc == REGRET_OK && n == 0) {
            break;
        }
        s->report.rows++;
        if (rc == REGRET_OK) {
            rc = read_row(s, &t, n);
            if (rc != REGRET_OK) {
                rc = regret_fail_prefix(rc, "%s:%zu", path, regret_csv_line(t.csv));
            }
        } else if (regret_csv_is_over(t.csv)) {
            break;
        }
        if (rc != REGRET_OK) {
            rc = leave_out(s, rc);
        }
    }
    swebench_table_close(&t);
    return rc;
}
