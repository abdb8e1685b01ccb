/* The corpus, the faults, the issues, the changes of style. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "regret/alloc.h"
#include "synth/corpora.h"
#include "synth/patches/agents/agents.h"
#include "synth/patches/agents/style.h"
#include "synth/patches/issues/arguments.h"
#include "synth/patches/patches.h"

/* Too large for a stack. */
static struct patches_issue issue;

static void make(uint64_t seed, uint64_t index)
{
    issue.corpus = corpora_patches();
    cr_assert_eq(patches_issue_make(&issue, seed, index), 0, "issue %zu: %s", (size_t)index,
                 regret_error_message());
}

static struct mini_program *program_of(const struct patches_project *project)
{
    struct mini_source sources[PATCHES_MAX_FILES];
    struct mini_program *program = NULL;
    cr_assert(project->n_modules + 4 <= PATCHES_MAX_FILES);
    for (size_t i = 0; i < project->n_modules; i++) {
        sources[i] = (struct mini_source){project->modules[i].path, project->modules[i].text};
    }
    cr_assert_eq(mini_parse(&program, sources, project->n_modules), 0, "%s",
                 regret_error_message());
    return program;
}

static const struct patches_project *project_at(const char *path)
{
    const struct patches_corpus *corpus = corpora_patches();
    for (size_t p = 0; p < corpus->n_projects; p++) {
        if (strncmp(corpus->projects[p].name, path, strcspn(path, "/")) == 0) {
            return &corpus->projects[p];
        }
    }
    return NULL;
}

static const char *module_text(const struct patches_function *f)
{
    for (size_t i = 0; i < f->project->n_modules; i++) {
        if (strcmp(f->project->modules[i].path, f->path) == 0) {
            return f->project->modules[i].text;
        }
    }
    return "";
}

Test(patches_issue, the_corpus_is_sound)
{
    const struct patches_corpus *corpus = corpora_patches();
    for (size_t p = 0; p < corpus->n_projects; p++) {
        mini_free(program_of(&corpus->projects[p]));
    }
    for (size_t i = 0; i < corpus->n_functions; i++) {
        const struct patches_function *f = &corpus->functions[i];
        char head[128];
        snprintf(head, sizeof head, "def %s(", f->name);
        cr_assert_not_null(strstr(module_text(f), head), "%s has no %s", f->path, f->name);
        for (size_t k = 0; k < i; k++) {
            cr_assert(f->project != corpus->functions[k].project ||
                      strcmp(f->name, corpus->functions[k].name) != 0);
        }
    }
}

/* Worked out by hand, a few of each project: the right programs are right. */
Test(patches_issue, right_programs_are_right)
{
    static const char *const cases[][3] = {
        {"shop/cart.py", "subtotal([5, 2], [2, 3])", "16"},
        {"shop/cart.py", "split_bill(10, 3)", "[4, 3, 3]"},
        {"shop/cart.py", "shipping(100, 12)", "570"},
        {"shop/money.py", "format_price(-205)", "'-2.05'"},
        {"shop/money.py", "round_to(13, 5)", "15"},
        {"shop/stock.py", "remaining(10, [4, 9, 5])", "1"},
        {"ledger/coins.py", "change(88)", "[50, 20, 10, 5, 2, 1]"},
        {"ledger/interest.py", "years_to_reach(100, 120, 10)", "2"},
        {"ledger/entries.py", "refused(5, [-6, -5, 2, -3])", "[0, 3]"},
        {"loans/shelf.py", "find([2, 4, 7, 9], 9)", "3"},
        {"loans/shelf.py", "merge([1, 4], [2, 4, 5])", "[1, 2, 4, 4, 5]"},
        {"loans/fines.py", "fine(10, 15)", "60"},
        {"loans/dates.py", "due_day(1, 2, [15, 16])", "17"},
        {"textkit/words.py", "wrap('the cat sat on it', 7)", "['the cat', 'sat on', 'it']"},
        {"textkit/words.py", "shorten('abcdefgh', 6)", "'abc...'"},
        {"textkit/codes.py", "run_lengths('aabbb')", "'a2b3'"},
        {"textkit/codes.py", "encode('xyz a', 3)", "'abc d'"},
        {"textkit/codes.py", "check_digit('4006381')", "2"},
        {"grid/paths.py", "walk([[0, 0], [0, 0]], 'RRDL')", "[1, 0]"},
        {"grid/cells.py", "neighbours([[1, 1, 1], [1, 1, 0], [0, 0, 1]], 1, 1)", "5"},
        {"grid/shapes.py", "border(4, 3)", "10"},
        {"rota/days.py", "day_of_year(2000, 3, 1)", "61"},
        {"rota/days.py", "days_left(2100, 12, 30)", "1"},
        {"rota/shifts.py", "night_hours(20, 7)", "8"},
        {"rota/clock.py", "overlap(1, 5, 3, 9)", "2"},
        {"league/rounds.py", "rounds_needed(9)", "4"},
        {"league/table.py", "rank_of([7, 9, 7, 3], 2)", "2"},
        {"league/scores.py", "bowling([5, 5, 3, 7, 9])", "39"},
        {"trips/fares.py", "daily_cap([5, 5, 5], 12)", "[5, 5, 2]"},
        {"trips/route.py", "refuel_stops([6, 5, 3, 8], 10)", "2"},
        {"sensors/series.py", "peaks([1, 3, 2, 2, 5, 4])", "[1, 4]"},
        {"sensors/alarms.py", "alarm_count([1, 9, 9, 1, 9], 5)", "2"},
        {"sensors/repair.py", "fill_gaps([None, 3, None])", "[0, 3, 3]"},
        {"jobs/queue.py", "total_wait([3, 1, 2])", "4"},
        {"jobs/load.py", "assign([5, 3, 4], 2)", "[7, 5]"},
        {"jobs/retry.py", "delay(7)", "60"},
    };
    const struct mini_limits limits = MINI_LIMITS_INIT;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mini_program *program = program_of(project_at(cases[i][0]));
        struct mini_result result;
        cr_assert_eq(mini_evaluate(&result, program, cases[i][0], cases[i][1], &limits), 0);
        cr_assert_str_eq(result.text, cases[i][2], "%s is %s", cases[i][1], result.text);
        regret_free(result.text);
        mini_free(program);
    }
}

Test(patches_issue, right_programs_pass_and_faulty_ones_fail)
{
    size_t kinds[PATCHES_KINDS] = {0}, namings[PATCHES_NAMINGS] = {0}, elsewhere = 0;
    for (uint64_t index = 0; index < 300; index++) {
        int success = 0, example = 0;
        size_t failing = 0;
        make(1, index);
        cr_assert_eq(patches_judge(&success, &issue, &issue.right), 0);
        cr_assert_eq(success, 1, "issue %zu: the right program fails", (size_t)index);
        cr_assert_eq(patches_judge(&success, &issue, &issue.faulty), 0);
        cr_assert_eq(success, 0, "issue %zu: the faulty program passes", (size_t)index);
        cr_assert_eq(patches_judge_diff(&success, &issue, ""), 0);
        cr_assert_eq(success, 0);
        cr_assert_eq(patches_try_example(&example, &issue, &issue.faulty), 0);
        cr_assert_eq(example, 0);
        for (size_t t = 0; t < PATCHES_TESTS; t++) {
            failing += !issue.tests[t].passes;
        }
        cr_assert(failing > 0 && failing < PATCHES_TESTS);
        cr_assert(!issue.tests[issue.example].passes && issue.tests[issue.counterexample].passes);
        kinds[issue.fault.kind]++;
        namings[issue.naming]++;
        elsewhere += issue.elsewhere != 0;
    }
    for (size_t k = 0; k < PATCHES_KINDS; k++) {
        cr_assert(kinds[k] >= 9, "kind %zu comes %zu times in 300", k, kinds[k]);
    }
    for (size_t k = 0; k < PATCHES_NAMINGS; k++) {
        cr_assert(namings[k] >= 40, "naming %zu comes %zu times", k, namings[k]);
    }
    cr_assert(elsewhere >= 15 && elsewhere <= 120, "%zu", elsewhere);
    patches_issue_clear(&issue);
}

Test(patches_issue, the_reverse_of_the_fault_mends_it)
{
    for (uint64_t index = 0; index < 100; index++) {
        struct regret_buffer diff = REGRET_BUFFER_INIT;
        const struct patches_diff_style style = {3, 1, 1};
        int success = 0;
        make(2, index);
        struct patches_repository *repaired = NULL;
        cr_assert_eq(REGRET_NEW(&repaired, 1), 0);
        cr_assert_eq(patches_copy(repaired, &issue.right), 0);
        for (size_t f = issue.right.n; f < issue.faulty.n; f++) {
            cr_assert_eq(patches_add_file(repaired, issue.faulty.files[f].path,
                                          issue.faulty.files[f].text.data),
                         0);
        }
        cr_assert_eq(patches_diff(&diff, &issue.faulty, repaired, &style), 0);
        cr_assert_eq(patches_judge_diff(&success, &issue, regret_buffer_get(&diff)), 0);
        cr_assert_eq(success, 1);
        regret_buffer_free(&diff);
        patches_clear(repaired);
        regret_free(repaired);
    }
    patches_issue_clear(&issue);
}

/* What the issue quotes is what the programs say. */
Test(patches_issue, the_text_tells_the_truth)
{
    for (uint64_t index = 0; index < 120; index++) {
        make(3, index);
        const struct patches_test *bad = &issue.tests[issue.example];
        const char *text = regret_buffer_get(&issue.text);
        cr_assert_not_null(strstr(text, bad->expected), "%s", text);
        cr_assert_not_null(strstr(text, bad->actual), "%s", text);
        cr_assert(strlen(text) > 120 && strlen(text) < 1500, "%s", text);
        if (issue.naming == PATCHES_VAGUE) {
            cr_assert_null(strstr(text, ">>>"));
        } else {
            cr_assert_not_null(strstr(text, bad->call));
        }
        cr_assert_eq(strstr(text, ".py`") != NULL, issue.naming >= PATCHES_LOCATED);
    }
    patches_issue_clear(&issue);
}

/* The tests in the repository pass before and after: the fault went unnoticed. */
Test(patches_issue, the_visible_tests_pass_on_the_faulty_program)
{
    const struct mini_limits limits = MINI_LIMITS_INIT;
    for (uint64_t index = 0; index < 60; index++) {
        struct mini_program *program = NULL;
        struct mini_result result;
        char call[PATCHES_LINE_BYTES];
        make(4, index);
        cr_assert_eq(patches_program(&program, &issue.faulty), 0);
        for (size_t f = 0; f < issue.faulty.n; f++) {
            const char *path = issue.faulty.files[f].path;
            if (strncmp(path, "tests/", 6) != 0) {
                continue;
            }
            snprintf(call, sizeof call, "test_%s()", issue.function->name);
            cr_assert_eq(mini_evaluate(&result, program, path, call, &limits), 0);
            cr_assert_eq(result.raised, 0, "%s: %s", call, result.text);
            regret_free(result.text);
        }
        mini_free(program);
    }
    patches_issue_clear(&issue);
}

Test(patches_issue, arguments_follow_their_pattern)
{
    for (uint64_t round = 0; round < 500; round++) {
        struct regret_rng rng = regret_rng_at(5, REGRET_RNG_TEST, round);
        struct regret_buffer t = REGRET_BUFFER_INIT;
        int a = 0, b = 0, c = 0, d = 0, end = 0;
        char word[16] = "";
        patches_draw_arguments(&t, &rng, "#-3:4 [#0:1]2:2 (10|20) \"ab\"1:3");
        cr_assert_eq(sscanf(regret_buffer_get(&t), "%d, [%d, %d], %d, '%3[ab]'%n", &a, &b, &c, &d,
                            word, &end),
                     5, "%s", regret_buffer_get(&t));
        cr_assert_eq((size_t)end, t.length);
        cr_assert(a >= -3 && a <= 4 && b >= 0 && b <= 1 && c >= 0 && c <= 1);
        cr_assert(d == 10 || d == 20);
        regret_buffer_free(&t);
    }
}

/* Restyled and renamed, every right program of the corpus still passes the hidden tests. */
Test(patches_issue, patterns_of_arguments_are_checked)
{
    static const char *const wrong[] = {"#",           "#1",        "#3:1", "[#0:1]",  "[#0:1",
                                        "(a|b",        "\"\"1:2",   "\"ab", "^[#0:3]", "x",
                                        "#0:1 [x]1:2", "#0:1,#0:1", "^#0:3"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cr_assert(!patches_arguments_valid(wrong[i]), "%s", wrong[i]);
    }
    cr_assert(patches_arguments_valid("#-3:4 [#0:1]2:2 (10|20) \"ab\"1:3 ^[#0:9]0:4"));
}

Test(patches_issue, style_does_not_change_the_meaning)
{
    size_t renamed = 0;
    for (uint64_t index = 0; index < corpora_patches()->n_functions; index++) {
        struct regret_rng rng = regret_rng_at(6, REGRET_RNG_TEST, index);
        size_t first = 0, end = 0, line = 0;
        int success = 0;
        make(1, index);
        struct patches_file *file = patches_find_file(&issue.right, issue.function->path);
        cr_assert(patches_function_lines(&first, &end, file, issue.function->name));
        uint64_t before = file->text.length;
        cr_assert_eq(patches_rename(file, first, end, &rng), 0);
        renamed += file->text.length != before;
        cr_assert_eq(patches_restyle(file, &line), 0);
        cr_assert_eq(patches_judge(&success, &issue, &issue.right), 0);
        cr_assert_eq(success, 1, "%s:\n%s", issue.function->name, file->text.data);
    }
    cr_assert_gt(renamed, 30);
    patches_issue_clear(&issue);
}

/* A mutation is another line, and of the indentation it had. */
Test(patches_issue, mutations_change_their_line)
{
    static struct patches_edit edits[256];
    size_t total = 0;
    make(1, 0);
    for (size_t f = 0; f < issue.right.n; f++) {
        for (size_t i = 0; i < patches_line_count(&issue.right.files[f]); i++) {
            char line[PATCHES_LINE_BYTES];
            patches_line_copy(line, &issue.right.files[f], i);
            size_t n = patches_mutations(edits, 256, &issue.right, f, i);
            for (size_t k = 0; k < n; k++) {
                cr_assert(edits[k].file == f && edits[k].line == i);
                if (edits[k].with[0] == '\0') {
                    continue;
                }
                cr_assert_eq(edits[k].with[strlen(edits[k].with) - 1], '\n');
                cr_assert(strncmp(edits[k].with, line, strlen(line)) != 0 ||
                          strlen(edits[k].with) != strlen(line) + 1);
                cr_assert_eq(strspn(edits[k].with, " "), strspn(line, " "));
            }
            cr_assert(patches_mutations(edits, 3, &issue.right, f, i) <= 3);
            total += n;
        }
    }
    cr_assert_gt(total, 100);
    patches_issue_clear(&issue);
}
