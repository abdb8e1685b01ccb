/* Functions of scripts that make numbers of texts: their tokens and statistics, conciseness, and what a patch does. */
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "import/internal.h"
#include "import/script_parts.h"
#include "pool/memory.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/text.h"
#include "table/sql.h"
#include "text/patch.h"

FREED_POINTER(struct regret_tokens, regret_tokens_free)

static const char *text_of(sqlite3_value *v)
{
    const char *text = (const char *)sqlite3_value_text(v);
    return text != NULL ? text : "";
}

static int tokens_of(struct regret_tokens **out, sqlite3_value *v)
{
    const char *text = text_of(v);
    return regret_tokens_build(out, &text, 1);
}

static size_t count(const struct regret_tokens *t)
{
    return t->start[1] - t->start[0];
}

/* What a function failed with, if it did. */
static void tell(sqlite3_context *c, int rc)
{
    if (rc == REGRET_E_NOMEM) {
        sqlite3_result_error_nomem(c);
    } else if (rc != REGRET_OK) {
        sqlite3_result_error(c, regret_error_message(), -1);
    }
}

/* Numbers by their names, as an object. */
static int give_numbers(sqlite3_context *c, const char *(*name)(size_t i), const double *x)
{
    FREED_BY(regret_buffer_free) struct regret_buffer out = REGRET_BUFFER_INIT;
    for (size_t i = 0; name(i) != NULL; i++) {
        regret_buffer_printf(&out, "%c\"%s\":", i == 0 ? '{' : ',', name(i));
        regret_buffer_json_number(&out, x[i]);
    }
    regret_buffer_append_char(&out, '}');
    TRY(regret_buffer_status(&out));
    sqlite3_result_text64(c, out.data, out.length, SQLITE_TRANSIENT, SQLITE_UTF8);
    return REGRET_OK;
}

/* tokens(text): how many. */
static int give_tokens(sqlite3_context *c, sqlite3_value **v)
{
    FREED_BY(regret_tokens_free_at) struct regret_tokens *t = NULL;
    TRY(tokens_of(&t, v[0]));
    sqlite3_result_int64(c, (sqlite3_int64)count(t));
    return REGRET_OK;
}

/* statistics(output, context): those of regret_text_statistics(). */
static int give_statistics(sqlite3_context *c, sqlite3_value **v)
{
    FREED_BY(regret_tokens_free_at) struct regret_tokens *output = NULL;
    FREED_BY(regret_tokens_free_at) struct regret_tokens *context = NULL;
    static const uint32_t FIRST[] = {0};
    double x[REGRET_STATISTICS];
    TRY(tokens_of(&output, v[0]));
    TRY(tokens_of(&context, v[1]));
    const struct regret_pairs pair = {
        .n_pairs = 1, .contexts = context, .outputs = output, .context = FIRST};
    TRY(regret_text_statistics(x, &pair));
    return give_numbers(c, regret_text_statistic_name, x);
}

/* conciseness(output, reference, context): by the length of a good summary, or of what is summed up where none is known. */
static int give_conciseness(sqlite3_context *c, sqlite3_value **v)
{
    FREED_BY(regret_tokens_free_at) struct regret_tokens *output = NULL;
    FREED_BY(regret_tokens_free_at) struct regret_tokens *wanted = NULL;
    FREED uint64_t *scratch = NULL;
    TRY(tokens_of(&output, v[0]));
    TRY(tokens_of(&wanted, v[1]));
    double expected = (double)count(wanted);
    if (expected == 0.0) {
        regret_tokens_free(wanted);
        wanted = NULL;
        TRY(tokens_of(&wanted, v[2]));
        expected = (double)count(wanted) / SUMMARY_SHARE;
    }
    TRY(REGRET_NEW(&scratch, count(output) + 1));
    sqlite3_result_double(
        c, summary_conciseness(output->hash + output->start[0], count(output), expected, scratch));
    return REGRET_OK;
}

static const char *patch_name(size_t i)
{
    return i < REGRET_PATCH_COMPONENTS ? regret_patch_component_name(i)
                                       : regret_patch_statistic_name(i - REGRET_PATCH_COMPONENTS);
}

/* The issue that was read last: that of the next patch, mostly. */
struct issue {
    char *text;
    struct regret_patch_issue *read;
};

static void forget(void *context)
{
    struct issue *i = context;
    regret_patch_issue_free(i->read);
    regret_free(i->text);
    *i = (struct issue){NULL, NULL};
}

static void free_issue(void *context)
{
    forget(context);
    regret_free(context);
}

static int give_patch(sqlite3_context *c, sqlite3_value **v)
{
    struct issue *i = sqlite3_user_data(c);
    double x[CODING_VALUES];
    const char *text = text_of(v[0]), *asked = text_of(v[1]);
    if (i->read == NULL || strcmp(i->text, asked) != 0) {
        forget(i);
        TRY(regret_strdup(&i->text, asked));
        TRY(regret_patch_issue_read(&i->read, asked, strlen(asked)));
    }
    TRY(coding_values(x, NULL, NULL, 0, text, strlen(text), i->read));
    return give_numbers(c, patch_name, x + CODING_SIZE);
}

/* patch(text, issue): components and statistics of src/text/patch.h. */
static void patch(sqlite3_context *c, int n, sqlite3_value **v)
{
    (void)n;
    tell(c, give_patch(c, v));
}

/* wanted(task, agent): whether users ask for both. */
static void give_wanted(sqlite3_context *context, int n, sqlite3_value **values)
{
    const struct harness_options *o = sqlite3_user_data(context);
    const struct importer_list *lists[2] = {&o->tasks, &o->agents};
    int wanted = 1;
    for (int i = 0; i < n && i < 2; i++) {
        const char *name = (const char *)sqlite3_value_text(values[i]);
        wanted = wanted && (lists[i]->n == 0 ||
                            name_matches(lists[i]->items, lists[i]->n, name != NULL ? name : ""));
    }
    sqlite3_result_int(context, wanted);
}

static const struct function {
    const char *name;
    int n;
    int (*give)(sqlite3_context *c, sqlite3_value **v);
} FUNCTIONS[] = {{"tokens", 1, give_tokens},
                 {"statistics", 2, give_statistics},
                 {"conciseness", 3, give_conciseness}};

static void call(sqlite3_context *c, int n, sqlite3_value **v)
{
    const struct function *f = sqlite3_user_data(c);
    (void)n;
    tell(c, f->give(c, v));
}

int script_add_functions(sqlite3 *db, struct harness_options *options)
{
    enum { FLAGS = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS };
    struct issue *issue = NULL;
    TRY(REGRET_NEW(&issue, 1)); /* SQLite frees it, even where it fails */
    int rc =
        sqlite3_create_function_v2(db, "patch", 2, FLAGS, issue, patch, NULL, NULL, free_issue);
    rc |= sqlite3_create_function_v2(db, "wanted", 2, FLAGS & ~SQLITE_DETERMINISTIC, options,
                                     give_wanted, NULL, NULL, NULL);
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS && rc == SQLITE_OK; i++) {
        const struct function *f = &FUNCTIONS[i];
        rc =
            sqlite3_create_function_v2(db, f->name, f->n, FLAGS, (void *)f, call, NULL, NULL, NULL);
    }
    return rc == SQLITE_OK ? REGRET_OK : regret_fail(REGRET_E_NOMEM, "out of memory: functions");
}
