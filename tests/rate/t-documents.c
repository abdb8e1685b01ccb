/* Rows in one JSON document, as json.dump() writes them: the same table as from JSONL. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "rate/report.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "regret/status.h"
#include "regret/task.h"

TestSuite(documents, .fini = scratch_remove);

enum form { LINES, ARRAY, OBJECT, PRETTY_ARRAY, PRETTY_OBJECT, N_FORMS };

/* Row i of the authors' data sets, over several lines if `indent`. */
static void append_row(struct regret_buffer *t, int i, int indent)
{
    const char *sep = indent ? ",\n        " : ", ";
    regret_buffer_printf(t, "{%s\"w_original\": %s%s", indent ? "\n        " : "",
                         i % 3 ? "true" : "false", sep);
    regret_buffer_printf(
        t, "\"completions\": {\"original\": \"a } ] \\\" {%d\", \"rewrite\": \"b\"}", i);
    regret_buffer_printf(t, "%s\"org/m\": {\"original\": %.17g, \"rewrite\": %.17g, ", sep,
                         0.37 * i + sin(i), 0.11 * i + 1.0);
    regret_buffer_printf(t, "\"rewritten rewrite\": %.17g}%s}", 0.3 * i + cos(i),
                         indent ? "\n    " : "");
}

static void append_document(struct regret_buffer *t, enum form form, int n)
{
    int is_object = form == OBJECT || form == PRETTY_OBJECT, indent = form >= PRETTY_ARRAY;
    regret_buffer_append(t, form == LINES ? "" : is_object ? "{" : "[");
    for (int i = 0; i < n; i++) {
        regret_buffer_append(t, form == LINES || i == 0 ? "" : ", ");
        regret_buffer_append(t, indent ? "\n    " : "");
        if (is_object) {
            regret_buffer_printf(t, "\"id \\u00e9 %d\": ", i);
        }
        append_row(t, i, indent);
        regret_buffer_append(t, form == LINES ? "\n" : "");
    }
    regret_buffer_append(t, indent ? "\n" : "");
    regret_buffer_append(t, form == LINES ? "" : is_object ? "}" : "]");
}

static int read_text(struct regret_rate_rows **rows, const char *text, int texts)
{
    const char *path = scratch_file("rows.json", text);
    const struct regret_rate_read_options how = {.keep_texts = texts, .need_scores = 1};
    return regret_rate_read(rows, &path, 1, &how);
}

Test(documents, are_the_same_rows_in_every_form)
{
    enum { N = 5000 };
    struct regret_rate_rows *rows[N_FORMS][2];
    for (int form = 0; form < N_FORMS; form++) {
        struct regret_buffer t = REGRET_BUFFER_INIT;
        append_document(&t, (enum form)form, N);
        for (int texts = 0; texts < 2; texts++) {
            struct regret_rate_rows **r = &rows[form][texts];
            cr_assert_eq(read_text(r, regret_buffer_get(&t), texts), 0, "form %d: %s", form,
                         regret_error_message());
            cr_assert_eq((*r)->n_rows, N);
            cr_assert_eq((*r)->n_models, 1);
            cr_assert_eq((*r)->files[0].is_document, form != LINES);
            cr_assert_eq((*r)->files[0].n_scored, N);
            for (size_t i = 0; i < N; i++) {
                cr_assert_eq((*r)->line[i], i + 1);
                cr_assert_eq((*r)->w[i], rows[0][0]->w[i]);
                for (int side = 0; side < 3; side++) {
                    cr_assert_eq((*r)->models[0].score[side][i],
                                 rows[0][0]->models[0].score[side][i]);
                }
            }
        }
        regret_buffer_free(&t);
    }
    for (int k = 0; k < N_FORMS * 2; k++) {
        regret_rate_rows_free(rows[k / 2][k % 2]);
    }
}

Test(documents, survive_want_of_memory)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    append_document(&t, PRETTY_OBJECT, 12);
    const char *path = scratch_file("rows.json", regret_buffer_get(&t));
    const struct regret_rate_read_options how = {.keep_texts = 1};
    regret_buffer_free(&t);
    long k = 0;
    for (; k < 10000; k++) {
        struct regret_rate_rows *rows = NULL;
        regret_alloc_fail_after(k);
        int rc = regret_rate_read(&rows, &path, 1, &how);
        regret_alloc_fail_after(-1);
        regret_rate_rows_free(rows);
        if (rc == 0) {
            break;
        }
        cr_assert_eq(rc, REGRET_E_NOMEM, "allocation %ld: %s", k, regret_error_message());
    }
    cr_assert(k > 20 && k < 10000, "%ld allocations", k);
}
