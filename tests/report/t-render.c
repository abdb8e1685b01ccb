#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "base/buffer.h"
#include "csv_records.h"
#include "regret/status.h"
#include "report/headline.h"

static void make_nasty(struct table *t)
{
    table_begin(t, "nasty", "Title | with <b> & `code` *stars* _under_ n_exp 50 %% $x$");
    table_note(t, "a \"quoted\", comma'd\nnote [link](x) #1");
    table_block(t, "head, \"one\"");
    table_column(t, "Row");
    table_column(t, "A|B");
    table_column(t, "C");
    table_row(t, "first, row");
    table_estimate(t, 0.12345678901234567, 0.001, 4);
    table_text(t, "multi\nline, \"text\"");
    table_row(t, "second");
    table_estimate(t, -0.00001, NAN, 4);
    table_cell(t, "cvci ≈ obs-only", 0.00021, NAN, 4, TABLE_NUMBER | TABLE_SIGNED | TABLE_BEST);
    table_row(t, "third");
    table_signed(t, -0.5, 2);
    table_number(t, NAN, 2);
}

static char *rendered(enum regret_format format)
{
    struct table t;
    struct regret_buffer out = REGRET_BUFFER_INIT;
    make_nasty(&t);
    cr_assert_eq(render(&out, &t, format), 0, "%s", regret_error_message());
    table_free(&t);
    return out.data;
}

Test(render, markdown_escapes_and_rounds)
{
    char *text = rendered(REGRET_FORMAT_MARKDOWN);
    cr_expect_str_eq(text, "## Title \\| with &lt;b&gt; &amp; \\`code\\` \\*stars\\* \\_under\\_ "
                           "n_exp 50 % \\$x\\$\n"
                           "\n**head, \"one\"**\n"
                           "\n| Row | A\\|B | C |\n|---|---:|---|\n"
                           "| first, row | 0.1235 ± 0.0010 | multi line, \"text\" |\n"
                           "| second | 0.0000 ± – | **cvci ≈ obs-only +0.0002** |\n"
                           "| third | −0.50 | – |\n"
                           "\n* a \"quoted\", comma'd note \\[link\\](x) \\#1\n");
    regret_free(text);
}

Test(render, csv_parses_back)
{
    char *text = rendered(REGRET_FORMAT_CSV);
    struct csv_records c = csv_parse(text);
    cr_assert_eq(c.n, 1 + 1 + 6 + 1);
    for (size_t i = 0; i < c.n; i++) {
        cr_assert_eq(c.widths[i], 6);
    }
    const char *head = "head, \"one\"";
    cr_expect_eq(csv_value(&c, head, "first, row", "A|B"), 0.12345678901234567);
    cr_expect_eq(csv_se(&c, head, "first, row", "A|B"), 0.001);
    cr_expect_str_eq(csv_text(&c, head, "first, row", "C"), "multi\nline, \"text\"");
    cr_expect(isnan(csv_se(&c, head, "second", "A|B")));
    cr_expect_eq(csv_value(&c, head, "second", "C"), 0.00021);
    cr_expect_str_eq(csv_text(&c, head, "second", "C"), "cvci ≈ obs-only");
    cr_expect(isnan(csv_value(&c, head, "third", "C")));
    cr_expect_str_eq(c.fields[8][0], "note");
    cr_expect_str_eq(c.fields[8][5], "a \"quoted\", comma'd\nnote [link](x) #1");
    csv_free(&c);
    regret_free(text);
}

Test(render, latex_escapes)
{
    char *text = rendered(REGRET_FORMAT_LATEX);
    cr_expect_not_null(strstr(text, "\\caption{Title $|$ with $<$b$>$ \\& `code` *stars* "
                                    "\\_under\\_ n\\_exp 50 \\% \\$x\\$}"));
    cr_expect_not_null(strstr(text, "second & 0.0000 $\\pm$ -- & \\textbf{cvci $\\approx$ obs-only "
                                    "+0.0002} \\\\\n"));
    cr_expect_not_null(strstr(text, "third & $-$0.50 & -- \\\\\n"));
    cr_expect_null(strstr(text, "≈"));
    regret_free(text);
}

Test(render, html_escapes)
{
    char *text = rendered(REGRET_FORMAT_HTML);
    cr_expect_not_null(strstr(text, "<section id=\"nasty\">\n<h2>Title | with &lt;b&gt; &amp; "));
    cr_expect_not_null(strstr(text, "<caption>head, &quot;one&quot;</caption>"));
    cr_expect_not_null(
        strstr(text, "<th scope=\"col\">Row</th><th scope=\"col\" class=\"n\">A|B</th>"));
    cr_expect_not_null(strstr(text, "<th scope=\"row\" class=\"short\">first, row</th>"));
    cr_expect_not_null(strstr(text, "<td class=\"short\"><strong>cvci ≈ obs-only "
                                    "<data value=\"0.00021\">+0.0002</data></strong></td></tr>"));
    cr_expect_not_null(strstr(text, "<td class=\"n\"><data value=\"0.12345678901234566\" "
                                    "data-se=\"0.001\">0.1235 ± 0.0010</data></td>"));
    cr_expect_not_null(strstr(text, "<td class=\"n\"><data value=\"\">–</data></td>"));
    cr_expect_null(strstr(text, "style="), "a page's policy refuses it");
    regret_free(text);
}

Test(render, json_has_typed_columns)
{
    struct table t;
    struct regret_buffer out = REGRET_BUFFER_INIT;
    char *text = rendered(REGRET_FORMAT_JSON);
    cr_expect_str_eq(
        text,
        "{\"format\":\"regret-table-1\",\"name\":\"nasty\",\"title\":\"Title | with <b> & `code` "
        "*stars* _under_ n_exp 50 % $x$\",\"blocks\":[\n {\"heading\":\"head, "
        "\\\"one\\\"\",\"columns\":"
        "[{\"name\":\"Row\",\"type\":\"text\"},{\"name\":\"A|B\",\"type\":\"estimate\"},"
        "{\"name\":\"C\",\"type\":\"mixed\"}],\"rows\":[\n"
        "  [\"first, row\",{\"value\":0.12345678901234566,\"se\":0.001},"
        "{\"text\":\"multi\\nline, \\\"text\\\"\",\"value\":null,\"se\":null}],\n"
        "  [\"second\",{\"value\":-1e-05,\"se\":null},"
        "{\"text\":\"cvci ≈ obs-only\",\"value\":0.00021,\"se\":null}],\n"
        "  [\"third\",{\"value\":-0.5,\"se\":null},{\"text\":null,\"value\":null,\"se\":null}]]}"
        "],\"notes\":[\n \"a \\\"quoted\\\", comma'd\\nnote [link](x) #1\"]}\n");
    regret_free(text);
    table_begin(&t, "plain", "no rows, no labels");
    table_block(&t, "%s", "");
    table_column(&t, "A");
    table_column(&t, "B");
    table_row_of_cells(&t);
    table_text(&t, "x");
    table_number(&t, INFINITY, 2);
    table_row_of_cells(&t);
    table_text(&t, "%s", "");
    table_number(&t, 2.5, 2);
    table_block(&t, "empty");
    table_column(&t, "A");
    cr_assert_eq(render(&out, &t, REGRET_FORMAT_JSON), 0);
    cr_expect_not_null(strstr(regret_buffer_get(&out),
                              "{\"name\":\"A\",\"type\":\"text\"},{\"name\":"
                              "\"B\",\"type\":\"number\"}],\"rows\":[\n"
                              "  [\"x\",null],\n  [\"\",2.5]]}"));
    cr_expect_not_null(strstr(regret_buffer_get(&out), "\"type\":\"text\"}],\"rows\":[]}"));
    table_free(&t);
    regret_buffer_free(&out);
}

Test(render, text_stands_in_columns)
{
    char *text = rendered(REGRET_FORMAT_TEXT);
    cr_expect_str_eq(text, "Title | with <b> & `code` *stars* _under_ n_exp 50 % $x$\n"
                           "\nhead, \"one\"\n"
                           "\n  Row                     A|B  C\n"
                           "  first, row  0.1235 ± 0.0010  multi line, \"text\"\n"
                           "  second           0.0000 ± –  cvci ≈ obs-only +0.0002*\n"
                           "  third                 −0.50  –\n"
                           "\n* a \"quoted\", comma'd note [link](x) #1\n"
                           "* stands where other formats are bold.\n");
    regret_free(text);
}

/* Words of every length, names of every width, up to forty columns: no line is too long or ends in a blank, and every word
 * is there. */
Test(render, text_goes_on_a_line_of_a_hundred)
{
    for (size_t columns = 2; columns <= 40; columns += 2) {
        struct table t;
        struct regret_buffer out = REGRET_BUFFER_INIT;
        size_t numbers = 0, names = 0;
        table_begin(&t, "wide", "Wide");
        table_block(&t, "%s", "");
        for (size_t j = 0; j < columns; j++) {
            table_column(&t, "a head of %zu %.*s", j, (int)(3 * j),
                         "wordsandmorewordsandmorewordsandmorewordsand"
                         "morewordsandmorewordsandmorewordsandmorewords"
                         "andmorewordsandmorewordsandmore");
        }
        for (size_t i = 0; i < 6; i++) {
            table_row(&t, "name%zu %.*s", i, (int)(40 * i),
                      "漢字漢字漢字漢字 and a name that goes on and on, as names of "
                      "models do, withalongestwordthatnobodywouldwrite"
                      "butsomebodywillhavetoread, and on, and on, and on");
            for (size_t j = 1; j < columns; j++) {
                j % 3 == 0 ? table_text(&t, "verdict of some words %zu", i)
                           : table_number(&t, 1000.0 + (double)(i * 40 + j), 2);
            }
        }
        cr_assert_eq(render(&out, &t, REGRET_FORMAT_TEXT), 0, "%s", regret_error_message());
        for (char *line = out.data, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            *end = '\0';
            cr_expect_leq(regret_text_columns(line), 100, "%zu columns: %s", columns, line);
            cr_expect(end == line || end[-1] != ' ', "%s", line);
            for (const char *p = line; (p = strstr(p, ".00")) != NULL; p++) {
                numbers++;
            }
            names += strncmp(line, "  name", 6) == 0;
        }
        cr_expect_eq(numbers, 6 * (columns - 1 - (columns - 1) / 3), "%zu columns: %zu", columns,
                     numbers);
        cr_expect_eq(names % 6, 0);
        table_free(&t);
        regret_buffer_free(&out);
    }
}

Test(render, a_ragged_table_is_a_defect)
{
    struct table t;
    struct regret_buffer out = REGRET_BUFFER_INIT;
    table_begin(&t, "ragged", "x");
    table_block(&t, "%s", "");
    table_column(&t, "Row");
    table_column(&t, "A");
    table_row(&t, "r");
    cr_expect_eq(render(&out, &t, REGRET_FORMAT_CSV), REGRET_E_INTERNAL);
    cr_expect_eq(out.length, 0);
    table_free(&t);
}

/* What steers a terminal or hides: ESC, BEL, BS, CR, DEL, C1, bidirectional overrides and isolates. */
Test(render, no_format_lets_control_characters_through)
{
    static const char hazards[] = "a\x1b[2J\x07\x08\r\x7f\xc2\x9b"
                                  "31m\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9\xff"
                                  "z β";
    for (int f = 0; f < REGRET_N_FORMATS; f++) {
        struct table t;
        struct regret_buffer out = REGRET_BUFFER_INIT;
        table_begin(&t, "nasty", "%s", hazards);
        table_note(&t, "%s", hazards);
        table_block(&t, "%s", hazards);
        table_column(&t, "%s", hazards);
        table_column(&t, "%s", hazards);
        table_row(&t, "%s", hazards);
        table_text(&t, "%s", hazards);
        cr_assert_eq(render(&out, &t, (enum regret_format)f), 0);
        table_free(&t);
        size_t n = 0;
        const unsigned char *text = (const unsigned char *)regret_buffer_get(&out);
        for (const unsigned char *p = text; *p != '\0'; p++) {
            cr_expect((*p >= 0x20 || *p == '\n') && *p != 0x7f && *p != 0xff, "byte %02x in %s", *p,
                      regret_format_word((enum regret_format)f));
            cr_expect_not(p[0] == 0xc2 && p[1] < 0xa0);
            int is_csv = f == REGRET_FORMAT_CSV; /* names come back from there byte for byte */
            cr_expect_not(!is_csv && p[0] == 0xe2 && p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae);
            cr_expect_not(!is_csv && p[0] == 0xe2 && p[1] == 0x81);
            n += strncmp((const char *)p, is_csv ? "\xe2\x80\xae" : "202e", is_csv ? 3 : 4) == 0;
        }
        /* CSV leaves out the head of the labels; HTML has the heading of a block twice, unseen once. */
        cr_expect_eq(n,
                     f == REGRET_FORMAT_CSV    ? 6
                     : f == REGRET_FORMAT_HTML ? 8
                                               : 7,
                     "%s shows %zu overrides", regret_format_word((enum regret_format)f), n);
        cr_expect_not_null(
            strstr((const char *)text, f == REGRET_FORMAT_LATEX ? "$\\beta$" : "z β"));
        regret_buffer_free(&out);
    }
}

/* Programs join on names: a zero width space, an override, a no-break space are theirs, and so is a quote. */
Test(render, names_come_back_byte_for_byte)
{
    static const char name[] = "a\xe2\x80\x8b\"b\xe2\x80\xae,c\xc2\xa0\xc2\xa0 d\\\xf3\xa0\x81\x81";
    struct regret_buffer out = REGRET_BUFFER_INIT;
    struct table t;
    table_begin(&t, "t", "title");
    table_block(&t, "block");
    table_column(&t, "name");
    table_column(&t, "x");
    table_row(&t, "%s", name);
    table_text(&t, "%s", name);
    cr_assert_eq(render(&out, &t, REGRET_FORMAT_JSON), 0);
    cJSON *json = cJSON_Parse(regret_buffer_get(&out));
    const cJSON *block = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "blocks"), 0);
    const cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItem(block, "rows"), 0);
    cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetArrayItem(row, 0)), name);
    cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetArrayItem(row, 1)), name);
    cJSON_Delete(json);
    regret_buffer_clear(&out);
    cr_assert_eq(render(&out, &t, REGRET_FORMAT_CSV), 0);
    cr_expect_not_null(
        strstr(regret_buffer_get(&out),
               "\"a\xe2\x80\x8b\"\"b\xe2\x80\xae,c\xc2\xa0\xc2\xa0 d\\\xf3\xa0\x81\x81\""));
    regret_buffer_free(&out);
    table_free(&t);
}

Test(render, escaping_reports_want_of_memory)
{
    void (*const escapes[])(struct regret_buffer *, const char *) = {markdown_escape, html_escape,
                                                                     csv_field, latex_escape};
    for (size_t i = 0; i < 4; i++) {
        for (long k = 0; k < 2; k++) {
            struct regret_buffer out = REGRET_BUFFER_INIT;
            regret_alloc_fail_after(k);
            escapes[i](&out, "a\x1b");
            regret_alloc_fail_after(-1);
            cr_expect_eq(regret_buffer_status(&out), REGRET_E_NOMEM, "%zu %ld", i, k);
            regret_buffer_free(&out);
        }
    }
}
