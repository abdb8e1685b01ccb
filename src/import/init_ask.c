/* Questions: what the columns could be, and the commands that settle it. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "import/init.h"
#include "regret/status.h"

enum { SHOWN_NAME = 28, MOST_COLUMNS = 40, MOST_OFFERS = 6, OPTION_COLUMNS = 46 };

void init_option(struct regret_buffer *out, const char *name, const char *const *items, size_t n)
{
    FREED_BY(regret_buffer_free) struct regret_buffer list = REGRET_BUFFER_INIT;
    int has_comma = 0;
    for (size_t i = 0; i < n; i++) {
        has_comma |= strchr(items[i], ',') != NULL;
        regret_buffer_printf(&list, "%s%s", i > 0 ? "," : "", items[i]);
    }
    for (size_t i = 0; i < (has_comma ? n : 1); i++) {
        regret_buffer_printf(out, " %s ", name);
        shell_word(out, has_comma ? items[i] : regret_buffer_get(&list));
    }
    regret_buffer_fail(out, regret_buffer_status(&list));
}

void init_offer_list(struct init_table *t, const char *what, const char *option,
                     const char *const *items, size_t n)
{
    regret_buffer_printf(&t->offers, "%s\t", option);
    init_option(&t->offers, option, items, n);
    regret_buffer_printf(&t->offers, "\t%s\n", what);
}

void init_offer(struct init_table *t, const char *what, const char *option, const char *first,
                const char *second)
{
    const char *const items[] = {first, second};
    init_offer_list(t, what, option, items, second != NULL ? 2 : 1);
}

/* Columns of numbers that no name speaks against: each might be an agent's. */
size_t init_offer_agents(struct init_table *t)
{
    const char *name[INIT_NAMES];
    size_t n = 0;
    for (size_t k = 0; k < t->n_columns && n < INIT_NAMES; k++) {
        const struct init_column *c = &t->column[k];
        if (!c->is_used && !c->is_left && c->is_scorable &&
            (c->said.roles & ~(unsigned)INIT_AGENT) == 0) {
            name[n++] = c->name;
        }
    }
    if (n >= 2) {
        init_offer_list(t, "they are agents", "--agents", name, n);
    }
    return n >= 2 ? n : 0;
}

/* Columns of a few words that might name agents: those first whose names speak of one. */
void init_offer_agent(struct init_table *t)
{
    enum { MOST = 3 };
    size_t n = 0;
    for (int speaks = 1; speaks >= 0; speaks--) {
        for (size_t k = 0; k < t->n_columns && n < MOST; k++) {
            const struct init_column *c = &t->column[k];
            int is_named = (init_name_any(&t->words, c->name) & INIT_AGENT) != 0;
            if (!c->is_used && !c->is_left && !c->is_scorable && !c->is_list && c->distinct >= 2 &&
                4 * c->distinct <= t->rows && 10 * c->filled >= 9 * t->rows && is_named == speaks &&
                (c->said.roles & (INIT_OUTPUT | INIT_REFERENCE | INIT_TEXT)) == 0) {
                init_offer(t, "it says who answered", "--agent", c->name, NULL);
                n++;
            }
        }
    }
}

int init_question(struct init_table *t, const char *format, ...)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    char said[512];
    va_list args;
    va_start(args, format);
    vsnprintf(said, sizeof said, format, args);
    va_end(args);
    regret_buffer_append_safe(&text, said, sizeof said);
    TRY(regret_buffer_status(&text));
    TRY(regret_buffer_status(&t->offers));
    t->is_asked = 1;
    return regret_fail(REGRET_E_INPUT, "%s: %s", t->path, regret_buffer_get(&text));
}

/* ---------------------------------------------------------------- in words */

static const char *const ROLES[] = {"agent",
                                    NULL,
                                    "context",
                                    "text",
                                    "tag",
                                    "output",
                                    "reference",
                                    "score",
                                    "score",
                                    "score",
                                    "cost",
                                    "rater",
                                    "draw",
                                    "user",
                                    NULL,
                                    NULL,
                                    "winner",
                                    "measure",
                                    "known of a request",
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL,
                                    "agent",
                                    "time",
                                    "probability",
                                    "slate"};
enum { N_ROLES = sizeof ROLES / sizeof *ROLES };

static void say_roles(struct regret_buffer *out, const struct init_column *c)
{
    const char *before = "";
    unsigned roles = c->is_left ? 0 : c->said.roles;
    roles = (roles & (INIT_BAD | INIT_OPEN)) != 0 ? roles | INIT_SCORE : roles;
    for (size_t i = 0; i < N_ROLES; i++) {
        if ((roles & (1U << i)) != 0 && ROLES[i] != NULL && i != 8 && i != 9) {
            regret_buffer_printf(out, "%s%s", before, ROLES[i]);
            before = " or ";
        }
    }
    regret_buffer_append(out, before[0] != '\0' ? "" : roles != 0 ? "-" : "?");
}

static void say_column(struct regret_buffer *out, const struct init_table *t,
                       const struct init_column *c)
{
    regret_buffer_append(out, "  ");
    regret_buffer_append_field(out, c->name[0] != '\0' ? c->name : "(no name)", SHOWN_NAME);
    regret_buffer_printf(out, " %8zu  ", c->distinct);
    if (c->numbers + c->truths > 0 && c->is_scorable) {
        char range[48];
        snprintf(range, sizeof range, "%.6g to %.6g", c->least, c->most);
        regret_buffer_append_field(out, range, INIT_EXAMPLE);
    } else {
        regret_buffer_append_field(out, c->example, INIT_EXAMPLE);
    }
    regret_buffer_append(out, "  ");
    say_roles(out, c);
    if (c->filled < t->rows) {
        regret_buffer_printf(out, " (blank in %zu rows)", t->rows - c->filled);
    }
    regret_buffer_append(out, "\n");
}

/* "--score" is said already by the command as it was given: once is enough. */
static void put_command(struct regret_buffer *out, const char *option, const char *words,
                        init_command *command, void *context)
{
    int is_log = strcmp(option, "--obs") == 0 || strcmp(option, "--exp") == 0;
    size_t begin = out->length;
    regret_buffer_append(out, "  ");
    if (is_log) {
        regret_buffer_printf(out, "regret init%s -o evaluate.json", words);
    } else {
        command(out, context, option);
        regret_buffer_append(out, words);
    }
    for (size_t n = out->length - begin; n < OPTION_COLUMNS; n++) {
        regret_buffer_append_char(out, ' ');
    }
}

void init_question_print(struct regret_buffer *out, const struct init_table *t,
                         init_command *command, void *context)
{
    const char *line = regret_buffer_get(&t->offers);
    regret_buffer_append(out, "\n  ");
    regret_buffer_append_field(out, "column", SHOWN_NAME);
    regret_buffer_append(out, "   values  ");
    regret_buffer_append_field(out, "from, or the first", INIT_EXAMPLE);
    regret_buffer_append(out, "  could be, by its name\n");
    for (size_t k = 0; k < t->n_columns && k < MOST_COLUMNS; k++) {
        say_column(out, t, &t->column[k]);
    }
    if (t->n_columns > MOST_COLUMNS) {
        regret_buffer_printf(out, "  and %zu more\n", t->n_columns - MOST_COLUMNS);
    }
    for (size_t n = 0; line[0] != '\0'; n++) {
        char option[32];
        size_t first = strcspn(line, "\t"), middle = strcspn(line + first + 1, "\t");
        const char *words = line + first + 1, *what = words + middle + 1;
        size_t last = strcspn(what, "\n");
        FREED_BY(regret_buffer_free) struct regret_buffer said = REGRET_BUFFER_INIT;
        snprintf(option, sizeof option, "%.*s", (int)first, line);
        regret_buffer_append_n(&said, words, middle);
        if (n < MOST_OFFERS) {
            regret_buffer_append(out, n == 0 ? "\nSay which:\n\n" : "");
            put_command(out, option, regret_buffer_get(&said), command, context);
            regret_buffer_printf(out, "  # %.*s\n", (int)last, what);
        }
        regret_buffer_fail(out, regret_buffer_status(&said));
        line = what + last + (what[last] == '\n');
    }
}
