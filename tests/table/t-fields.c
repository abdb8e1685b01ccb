/* Rows by named fields: what is read of each form, row by row, as one line of text. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "base/scratch.h"
#include "regret/buffer.h"
#include "table/fields.h"

TestSuite(fields, .init = scratch_enter, .fini = scratch_leave);

struct form {
    enum fields_layout layout;
    const char *text, *rows, *pattern;
    const char *names[5];
    const char *wanted;
};

static int put_row(struct regret_buffer *out, struct fields *f, size_t n)
{
    struct fields_cell cell;
    struct fields_walk walk;
    for (size_t i = 0; i < n; i++) {
        if (fields_walk(&walk, f, i) != REGRET_OK) {
            return REGRET_E_INPUT;
        }
        while (fields_walk_next(&cell, &walk)) {
            regret_buffer_printf(out, "%s,", cell.text != NULL ? cell.text : "-");
        }
        regret_buffer_append(out, "|");
    }
    return REGRET_OK;
}

static void read_all(struct regret_buffer *out, const struct form *form)
{
    struct fields *f = NULL;
    size_t n = 0;
    int more = 1;
    while (n < 5 && form->names[n] != NULL) {
        n++;
    }
    scratch_put("t", form->text);
    int rc = fields_open(&f, "t", form->layout, ',', form->rows);
    rc = rc != REGRET_OK ? rc : fields_pick(f, form->names, n);
    rc = rc == REGRET_OK && form->pattern != NULL ? fields_widen(f, form->pattern, NULL, 0, 9) : rc;
    while (rc == REGRET_OK && more) {
        rc = fields_next(f, &more);
        for (size_t a = 0; more && rc == REGRET_OK && a < (form->pattern ? fields_agents(f) : 1);
             a++) {
            regret_buffer_printf(out, "%zu%s", fields_number(f),
                                 form->pattern != NULL ? fields_choose(f, a) : "");
            rc = put_row(out, f, n);
        }
        if (rc != REGRET_OK && !fields_is_over(f)) { /* a bad row is left behind */
            struct regret_buffer nothing = REGRET_BUFFER_INIT;
            (void)put_row(&nothing, f, n);
            regret_buffer_free(&nothing);
            regret_buffer_append(out, "!");
            rc = REGRET_OK;
            more = 1;
        }
    }
    regret_buffer_append(out, rc != REGRET_OK ? "over" : "");
    fields_close(f);
}

Test(fields, forms)
{
    static const struct form FORMS[] = {
        {FIELDS_CSV, "a,b\n1, x \n\"2\n\",\n3\n", NULL, NULL, {"b", "a"}, "2x,|1,|3,|2\n,|!"},
        {FIELDS_CSV, "a,b\n1,2\n", NULL, NULL, {"c"}, "over"},
        {FIELDS_CSV, "a,a\n1,2\n", NULL, NULL, {"a"}, "over"},
        {FIELDS_CSV, "", NULL, NULL, {"a"}, "over"},
        {FIELDS_CSV,
         "i,x_s,y_s\n1,2,3\n",
         NULL,
         "{agent}_s",
         {"i", "{agent}_s"},
         "2x1,|2,|2y1,|3,|"},
        {FIELDS_CSV, "i,x,y\n1,2,3\n", NULL, "{agent}_s", {"i"}, "over"},
        {FIELDS_LINES,
         "{\"a\": 1.50, \"b\": {\"c\": \"x\\ny\"}}\n\n{\"b.c\": true, \"a\": NaN, \"b\": "
         "[]}\n[]\n{\n",
         NULL,
         NULL,
         {"a", "b.c", "b"},
         "11.50,|x\ny,|{\"c\":\"x\\ny\"},|3-,|true,||!!"},
        {FIELDS_LINES,
         "{\"s\": [{\"name\": \"q\", \"value\": 3}, {\"name\": \"r\", \"score\": 4}, {}]}\n",
         NULL,
         NULL,
         {"s[q]", "s[r]", "s[t]", "s.*.value", "s.1.score"},
         "13,|4,||3,-,-,|4,|"},
        {FIELDS_LINES, "[{\"a\": 1},\n 2, {\"a\": 3}]", NULL, NULL, {"a"}, "01,|!23,|"},
        {FIELDS_LINES, "[{\"a\": 1} {\"a\": 3}]", NULL, NULL, {"a"}, "!"},
        {FIELDS_LINES, "[{\"a\": 1},]", NULL, NULL, {"a"}, "01,|over"},
        {FIELDS_SET, "{\"k\": {\"a\": 1},\n\"m\": {\"a\": 2}\n}", NULL, NULL, {"a"}, "01,|12,|"},
        {FIELDS_SET, "{\"data\": [{\"a\": 1}, {\"a\": 2}]}", NULL, NULL, {"a"}, "01,|12,|"},
        {FIELDS_LINES,
         "{\"i\": 1, \"c\": [{\"m\": \"x\"}, {\"m\": \"y\"}]}\n{\"i\": 2, \"c\": []}\n{\"i\": 3}\n",
         "c",
         NULL,
         {"i", "c.*.m"},
         "01,|x,|11,|y,|!"},
        {FIELDS_LINES,
         "{\"i\": 1, \"s\": {\"x\": 2}}\n{\"i\": 2, \"s\": {\"y\": 3}}\n",
         NULL,
         "s.{agent}",
         {"i", "s.{agent}"},
         "1x1,|2,|2x2,||2y2,|3,|"}};
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
        struct regret_buffer out = REGRET_BUFFER_INIT;
        read_all(&out, &FORMS[i]);
        cr_expect_str_eq(regret_buffer_get(&out), FORMS[i].wanted, "form %zu: %s not %s", i,
                         regret_buffer_get(&out), FORMS[i].wanted);
        regret_buffer_free(&out);
    }
}
