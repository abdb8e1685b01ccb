/* How a run ends on a terminal or in a file: in a few lines. */
#include <string.h>

#include "base/core/try.h"
#include "base/text/escape.h"
#include "base/text/wrap.h"
#include "regret/report.h"
#include "report/folder/headline.h"
#include "report/rows/contenders.h"

enum { LEAST_COLUMNS = 60, MOST_COLUMNS = 100, INDENT = 2 };

/* Words, names among them, that leave room for others on a line. */
static void put_short(struct regret_buffer *out, const char *text)
{
    enum { WORD = 40 };
    struct regret_buffer word = REGRET_BUFFER_INIT;
    while (*text != '\0') {
        size_t n = strcspn(text, " ");
        regret_buffer_clear(&word);
        regret_buffer_append_n(&word, text, n);
        safe_middle(out, regret_buffer_get(&word), WORD);
        regret_buffer_append(out, text[n] == ' ' ? " " : "");
        text += n + (text[n] == ' ');
    }
    regret_buffer_free_into(out, &word);
}

/* Lines of whole words, `most` of them; what is cut off ends in dots, and the other places have it whole. Frees the sentence,
 * in which names are other people's. */
static void put_lines(struct regret_buffer *out, struct regret_buffer *sentence, size_t columns,
                      size_t most)
{
    const struct text_margins margins = {columns - 2, INDENT,
                                         (size_t)2 * INDENT}; /* and room for dots */
    struct regret_buffer safe = REGRET_BUFFER_INIT, cut = REGRET_BUFFER_INIT,
                         lines = REGRET_BUFFER_INIT;
    regret_buffer_append_safe(&safe, regret_buffer_get(sentence), (size_t)-1);
    put_short(&cut, regret_buffer_get(&safe));
    text_wrap(&lines, regret_buffer_get(&cut), &margins);
    const char *end = regret_buffer_get(&lines);
    for (size_t i = 0; i < most && *end != '\0'; i++) {
        end += strcspn(end, "\n");
        end += *end == '\n';
    }
    size_t length = (size_t)(end - regret_buffer_get(&lines));
    int is_cut = length > 0 && length < lines.length;
    regret_buffer_append_n(out, regret_buffer_get(&lines), is_cut ? length - 1 : length);
    regret_buffer_append(out, is_cut ? " …\n" : "");
    regret_buffer_free_into(out, &lines);
    regret_buffer_free_into(out, &safe);
    regret_buffer_free_into(out, &cut);
    regret_buffer_free_into(out, sentence);
}

/* The answer where agents are asked for, else the families and then the answer, in `most` lines. */
static int put_answer(struct regret_buffer *out, const struct regret_results *r, size_t columns,
                      size_t most)
{
    FREED_BY(regret_buffer_free) struct regret_buffer answer = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer families = REGRET_BUFFER_INIT;
    FREED_BY(contenders_free) struct contenders s = {0};
    FREED_BY(slice_free) struct slice all = {0};
    TRY(headline_answer(&answer, r));
    if (answer.length == 0 || !headline_asks_who(r)) {
        TRY(slice_all(&all, r));
        TRY(contenders_make(&s, &all));
        contenders_sentence(&families, &s);
        put_lines(out, &families, columns, answer.length > 0 ? most / 2 : most);
    }
    put_lines(out, &answer, columns, most - text_count_lines(out));
    return REGRET_OK;
}

/* "Bear in mind: holes in the table; few seeds." */
static int put_cautions(struct regret_buffer *out, const struct regret_results *r, size_t columns)
{
    static const char *const words[N_CAUTIONS] = {
        [CAUTION_GAPS] = "the run is not finished",
        [CAUTION_UNMADE] = "fits of families are missing",
        [CAUTION_GRID] = "holes in the table",
        [CAUTION_APART] = "agents that votes put in no order",
        [CAUTION_LEAKS] = "families that seem to know what was held out",
        [CAUTION_CONSTANT] = "agents with one text for every context",
        [CAUTION_CONTEXTS] = "few contexts held out",
        [CAUTION_SEEDS] = "few seeds",
        [CAUTION_SPREAD] = "scores that were changed"};
    struct regret_buffer line = REGRET_BUFFER_INIT;
    struct cautions c;
    TRY(cautions_make(&c, r, CAUTIONS_ALL & ~CAUTION_BIT(CAUTION_SYNTHETIC)));
    for (size_t i = 0; i < c.n; i++) {
        regret_buffer_printf(&line, "%s%s", i == 0 ? "Bear in mind: " : "; ", words[c.kind[i]]);
    }
    regret_buffer_append(&line, c.n > 0 ? "." : "");
    put_lines(out, &line, columns, 2);
    cautions_free(&c);
    return REGRET_OK;
}

/* What it rests on, where the page is, and what to type next. */
static int put_rest(struct regret_buffer *out, const struct regret_results *r, const char *folder,
                    size_t columns)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    headline_rests(&line, r);
    put_lines(out, &line, columns, 2);
    TRY(put_cautions(out, r, columns));
    shell_path(out, "  Page: ", folder, "/report.html");
    shell_path(out, "\n  Next: regret recommend ", r->run.folder, "");
    regret_buffer_append(out, r->n_grids > 1 ? " --cell 0\n" : "\n");
    return regret_buffer_status(out);
}

int regret_report_ending(struct regret_buffer *out, const struct regret_results *results,
                         const char *folder, size_t columns)
{
    FREED_BY(regret_buffer_free) struct regret_buffer answer = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer rest = REGRET_BUFFER_INIT;
    columns = columns < LEAST_COLUMNS  ? LEAST_COLUMNS
              : columns > MOST_COLUMNS ? MOST_COLUMNS
                                       : columns;
    TRY(put_rest(&rest, results, folder, columns));
    TRY(put_answer(&answer, results, columns, REGRET_ENDING_LINES - text_count_lines(&rest)));
    regret_buffer_append(out, regret_buffer_get(&answer));
    regret_buffer_append(out, regret_buffer_get(&rest));
    return regret_buffer_status(out);
}
