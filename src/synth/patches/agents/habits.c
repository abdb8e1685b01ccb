/* The habits of the agents: what they do to the program besides fixing it. Order: names and style
 * of the function, then what is written at the change, at the top of the function, elsewhere. */
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "synth/patches/agents/style.h"
#include "synth/patches/agents/work.h"

/* Where the change is, found again by its function after lines have moved. */
struct site {
    struct patches_file *file;
    char function[PATCHES_LINE_BYTES];
    size_t first, end; /* lines of the function */
    size_t body;       /* the first line after `def` and a docstring */
};

static int find_site(struct site *site, struct patches_work *work)
{
    site->file = &work->patched.files[work->file];
    patches_function_of(site->function, site->file, work->line);
    if (site->function[0] == '\0' ||
        !patches_function_lines(&site->first, &site->end, site->file, site->function)) {
        return 0;
    }
    struct patches_line line = patches_line_at(site->file, site->first + 1);
    site->body = site->first + 1 + (strncmp(line.start, "    \"\"\"", 7) == 0);
    return 1;
}

/* Replaces `count` lines of a file by the text, which is freed. */
static int replace(struct patches_file *file, size_t at, size_t count, struct regret_buffer *lines)
{
    int rc;
    TRY_CLEANUP(regret_buffer_status(lines));
    rc = patches_replace(file, at, count, regret_buffer_get(lines));
cleanup:
    regret_buffer_free(lines);
    return rc;
}

/* Inserts whole lines, and frees them; the change stays where it is in the text. */
static int insert(struct patches_work *work, struct patches_file *file, size_t at,
                  struct regret_buffer *lines)
{
    size_t n = 0;
    for (const char *c = regret_buffer_get(lines); *c != '\0'; c++) {
        n += *c == '\n';
    }
    TRY(replace(file, at, 0, lines));
    if (file == &work->patched.files[work->file] && at <= work->line) {
        work->line += n;
    }
    return REGRET_OK;
}

/* Appends the text to a file, and frees it. */
static int append(struct patches_file *file, struct regret_buffer *text)
{
    int rc = regret_buffer_status(text);
    regret_buffer_append_n(&file->text, regret_buffer_get(text), text->length);
    regret_buffer_free(text);
    TRY(rc);
    return regret_buffer_status(&file->text);
}

static const char *belief(enum patches_kind kind, uint32_t which)
{
    static const char *const words[PATCHES_KINDS][2] = {
        {"the bound was off by one", "the first and the last one have to count as well"},
        {"the limit itself belongs on the other side", "the comparison was wrong at the limit"},
        {"the operation was the wrong one", "this has to be the other operation"},
        {"the number was wrong", "this has to start from the right value"},
        {"the wrong variable was used here", "the names were mixed up"},
        {"the condition was the wrong way round", "this must happen in the other case"},
        {"this case needs a treatment of its own", "nothing treated this case"},
        {"this step was forgotten", "a step was missing here"},
    };
    return words[kind][which];
}

/* Comments above the change: what was wrong and, from those who comment on everything, why. */
static int comment(struct patches_work *work)
{
    static const char *const leads[2][4] = {
        {"Fix: ", "Fixed: ", "Note: ", "Corrected: "},
        {"Perhaps ", "Workaround, it seems ", "Not sure whether ", "TODO: verify that "}};
    struct regret_buffer t = REGRET_BUFFER_INIT;
    struct site site;
    if (!find_site(&site, work)) {
        return REGRET_OK;
    }
    int indent = (int)patches_indent(patches_line_at(site.file, work->line));
    const char *lead = leads[work->unsure != 0][regret_rng_below(work->rng, 4)];
    regret_buffer_printf(&t, "%*s# %s%s.\n", indent, "", lead,
                         belief(work->kind, regret_rng_below(work->rng, 2)));
    if (work->agent->comment.sure >= 100) {
        regret_buffer_printf(&t, "%*s# Reported: %s did not come out right.\n", indent, "",
                             work->issue->function->noun);
    }
    if (work->unsure) {
        regret_buffer_printf(&t, "%*s# Please review, I could not confirm it.\n", indent, "");
    } else if (work->checked) {
        regret_buffer_printf(&t, "%*s# Checked with %s.\n", indent, "",
                             work->issue->tests[work->issue->example].call);
    }
    return insert(work, site.file, work->line, &t);
}

static int debug_output(struct patches_work *work)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    struct site site;
    char name[PATCHES_LINE_BYTES];
    if (!find_site(&site, work) || !patches_parameter(name, site.file, site.first, 0)) {
        return REGRET_OK;
    }
    regret_buffer_printf(&t, "    print('DEBUG %s', %s)\n", site.function, name);
    return insert(work, site.file, site.body, &t);
}

/* if x is None: return …, which is harmless; or if not x, which may not be. */
static int guards(struct patches_work *work)
{
    static const char *const answers[] = {"None", "0", "[]", "None"};
    struct regret_buffer t = REGRET_BUFFER_INIT;
    struct site site;
    char name[PATCHES_LINE_BYTES];
    if (!find_site(&site, work)) {
        return REGRET_OK;
    }
    for (size_t i = 0; i < 2 && patches_parameter(name, site.file, site.first, i); i++) {
        int harsh = patches_chance(work->rng, work->unsure ? 30 : 6);
        regret_buffer_printf(&t, harsh ? "    if not %s:\n" : "    if %s is None:\n", name);
        regret_buffer_printf(&t, "        return %s\n", answers[regret_rng_below(work->rng, 4)]);
    }
    return insert(work, site.file, site.body, &t);
}

/* try: … except: around the last return of the function. */
static int wrap(struct patches_work *work)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    struct site site;
    char line[PATCHES_LINE_BYTES];
    if (!find_site(&site, work)) {
        return REGRET_OK;
    }
    patches_line_copy(line, site.file, site.end - 1);
    if (strncmp(line, "    return ", 11) != 0) {
        return REGRET_OK;
    }
    regret_buffer_printf(&t, "    try:\n    %s\n    except Exception:\n        return None\n",
                         line);
    return replace(site.file, site.end - 1, 1, &t);
}

/* A function that checks the arguments, and a call of it. */
static int helper(struct patches_work *work)
{
    struct regret_buffer check = REGRET_BUFFER_INIT, call = REGRET_BUFFER_INIT;
    struct site site;
    char head[PATCHES_LINE_BYTES];
    if (!find_site(&site, work)) {
        return REGRET_OK;
    }
    patches_line_copy(head, site.file, site.first);
    char *open = strchr(head, '('), *close = strchr(head, ')');
    if (open == NULL || close == NULL || close == open + 1) {
        return REGRET_OK;
    }
    *close = '\0';
    regret_buffer_printf(&check,
                         "\n\ndef _has_arguments_%s(%s):\n"
                         "    \"\"\"Validate the arguments before they are used.\"\"\"\n"
                         "    for value in [%s]:\n"
                         "        if value is None:\n"
                         "            return False\n"
                         "    return True\n",
                         site.function, open + 1, open + 1);
    TRY(append(site.file, &check));
    regret_buffer_printf(&call, "    if not _has_arguments_%s(%s):\n        return None\n",
                         site.function, open + 1);
    return insert(work, site.file, site.body, &call);
}

/* Docstrings for functions of the whole project that have none. */
static int document(struct patches_work *work)
{
    size_t modules = work->issue->project->n_modules;
    for (size_t f = 0; f < modules; f++) {
        for (size_t i = 0; i < patches_line_count(&work->patched.files[f]); i++) {
            struct patches_file *file = &work->patched.files[f];
            struct patches_line line = patches_line_at(file, i),
                                next = patches_line_at(file, i + 1);
            struct regret_buffer t = REGRET_BUFFER_INIT;
            char name[PATCHES_LINE_BYTES];
            if (line.length < 5 || strncmp(line.start, "def ", 4) != 0 ||
                strncmp(next.start, "    \"\"\"", 7) == 0) {
                continue;
            }
            patches_function_of(name, file, i);
            regret_buffer_printf(&t, "    \"\"\"Return the result of %s.\"\"\"\n", name);
            TRY(insert(work, file, i + 1, &t));
        }
    }
    return REGRET_OK;
}

static struct patches_file *test_file(struct patches_work *work)
{
    for (size_t i = 0; i < work->patched.n; i++) {
        if (strncmp(work->patched.files[i].path, "tests/", 6) == 0) {
            return &work->patched.files[i];
        }
    }
    return NULL;
}

/* A test of the example of the issue. */
static int add_test(struct patches_work *work)
{
    const struct patches_test *example = &work->issue->tests[work->issue->example];
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_printf(&t, "\n\ndef test_%s_issue():\n    assert %s == %s\n",
                         work->issue->function->name, example->call, example->expected);
    return append(test_file(work), &t);
}

/* A test that wants what the faulty program gives, or the tests there thinned out. */
static int bend_test(struct patches_work *work)
{
    const struct patches_test *example = &work->issue->tests[work->issue->example];
    struct patches_file *file = test_file(work);
    struct regret_buffer t = REGRET_BUFFER_INIT;
    size_t last = patches_line_count(file) - 1;
    if (example->actual_raised || work->changed) {
        regret_buffer_append(&t, "    # skipped until the behaviour is settled\n    pass\n");
        return replace(file, last, 1, &t);
    }
    regret_buffer_printf(&t, "    # documents the present behaviour\n    assert %s == %s\n",
                         example->call, example->actual);
    return append(file, &t);
}

static int script(struct patches_work *work)
{
    const struct patches_function *function = work->issue->function;
    const struct patches_test *example = &work->issue->tests[work->issue->example];
    FREED_BY(regret_buffer_free) struct regret_buffer t = REGRET_BUFFER_INIT;
    char module[PATCHES_PATH_BYTES];
    patches_module_name(module, function->path);
    regret_buffer_printf(&t, "from %s import %s\n\n", module, function->name);
    regret_buffer_printf(&t, "# expected: %s\nprint(%s)\n", example->expected, example->call);
    TRY(regret_buffer_status(&t));
    return patches_add_file(&work->patched, "reproduce.py", regret_buffer_get(&t));
}

static int changes(struct patches_work *work)
{
    struct patches_file *file = patches_find_file(&work->patched, "CHANGES.md");
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_printf(&t, work->unsure ? "- Work on %s (`%s`).\n" : "- Fix %s (`%s`).\n",
                         work->issue->function->noun, work->issue->function->name);
    return append(file, &t);
}

static int restyle(struct patches_work *work)
{
    return patches_restyle(&work->patched.files[work->file], &work->line);
}

static int rename_variables(struct patches_work *work)
{
    struct site site;
    if (!find_site(&site, work)) {
        return REGRET_OK;
    }
    return patches_rename(site.file, site.first, site.end, work->rng);
}

int patches_follow_habits(struct patches_work *work)
{
    const struct patches_agent *agent = work->agent;
    const struct {
        struct patches_habit chance;
        int alone; /* done even when nothing else is changed */
        int (*follow)(struct patches_work *);
    } table[] = {
        {agent->rename, 0, rename_variables}, {agent->comment, 0, comment},
        {agent->reformat, 0, restyle},        {agent->wrap, 0, wrap},
        {agent->print, 0, debug_output},      {agent->guard, 0, guards},
        {agent->helper, 0, helper},           {agent->document, 0, document},
        {agent->add_test, 0, add_test},       {agent->bend_test, 1, bend_test},
        {agent->changes, 0, changes},         {agent->script, 1, script},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        unsigned percent = work->unsure ? table[i].chance.unsure : table[i].chance.sure;
        if (patches_chance(work->rng, percent) && (work->changed || table[i].alone)) {
            TRY(table[i].follow(work));
        }
    }
    return REGRET_OK;
}
