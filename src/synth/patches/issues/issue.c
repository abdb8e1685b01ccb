/* Seeding a fault. */
#include "synth/patches/issues/issue.h"

#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "synth/patches/issues/arguments.h"

FREED_POINTER(struct mini_program, mini_free)

enum { MAX_EDITS = 1200, MAX_REDRAWS = 20 };

static struct regret_rng stream_order(uint64_t seed)
{
    return regret_rng_at(seed, REGRET_RNG_PATCHES, UINT64_MAX);
}

static struct regret_rng stream_fault(uint64_t seed, size_t function)
{
    return regret_rng_at(seed, REGRET_RNG_PATCHES, UINT64_MAX - 1 - function);
}

/* 20 bits of the issue, 8 of the agent (0: the issue itself; from 128: grasps), 32 of the draw. */
static struct regret_rng stream_issue(uint64_t seed, uint64_t issue)
{
    return regret_rng_at(seed, REGRET_RNG_PATCHES, issue << 40);
}

struct regret_rng patches_stream_grasp(uint64_t seed, uint64_t issue, size_t agent)
{
    return regret_rng_at(seed, REGRET_RNG_PATCHES, issue << 40 | (uint64_t)(128 + agent) << 32);
}

struct regret_rng patches_stream_output(uint64_t seed, uint64_t issue, size_t agent, uint32_t draw)
{
    return regret_rng_at(seed, REGRET_RNG_PATCHES,
                         issue << 40 | (uint64_t)(1 + agent) << 32 | draw);
}

void patches_issue_clear(struct patches_issue *issue)
{
    patches_clear(&issue->right);
    patches_clear(&issue->faulty);
    regret_buffer_free(&issue->text);
}

/* Every function comes once before any comes again: the seed orders them, the issue's number picks.
 */
static size_t choose_function(size_t n, uint64_t seed, uint64_t index)
{
    size_t order[PATCHES_MAX_FUNCTIONS], pick = (size_t)(index % n);
    struct regret_rng rng = stream_order(seed);
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
    }
    regret_rng_shuffle(&rng, order, n);
    return order[pick];
}

static int load_project(struct patches_repository *out, const struct patches_project *project)
{
    out->n = 0;
    for (size_t i = 0; i < project->n_modules; i++) {
        TRY(patches_add_file(out, project->modules[i].path, project->modules[i].text));
    }
    return REGRET_OK;
}

/* Runs `call`; the value or the error goes to `out`. */
static int record(char out[PATCHES_RESULT_BYTES], int *raised, const struct mini_program *program,
                  const struct patches_issue *issue, const char *call)
{
    static const struct mini_limits limits = MINI_LIMITS_INIT;
    struct mini_result result;
    TRY(mini_evaluate(&result, program, issue->function->path, call, &limits));
    *raised = result.raised;
    if (strlen(result.text) < PATCHES_RESULT_BYTES) {
        snprintf(out, PATCHES_RESULT_BYTES, "%s", result.text);
    } else {
        *raised = 1;
        snprintf(out, PATCHES_RESULT_BYTES, "MemoryError: a result too long to write");
    }
    regret_free(result.text);
    return REGRET_OK;
}

static int draw_call(char out[PATCHES_CALL_BYTES], const struct patches_issue *issue,
                     struct regret_rng *rng)
{
    FREED_BY(regret_buffer_free) struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_printf(&t, "%s(", issue->function->name);
    patches_draw_arguments(&t, rng, issue->function->inputs);
    regret_buffer_append(&t, ")");
    TRY(regret_buffer_status(&t));
    if (t.length >= PATCHES_CALL_BYTES) {
        return regret_fail(REGRET_E_INTERNAL, "patches: a call of %s is too long",
                           issue->function->name);
    }
    memcpy(out, t.data, t.length + 1);
    return REGRET_OK;
}

static int is_new(const struct patches_issue *issue, size_t n, const char *call)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(issue->tests[i].call, call) == 0) {
            return 0;
        }
    }
    return 1;
}

/* A call, if possible another one than those of the first n tests. */
static int draw_new_call(struct patches_issue *issue, size_t n, struct regret_rng *rng)
{
    char *call = issue->tests[n].call;
    int again = 0;
    do {
        TRY(draw_call(call, issue, rng));
    } while (!is_new(issue, n, call) && again++ < 8);
    return REGRET_OK;
}

/* Calls, as far as possible all different, and what the right program makes of them. */
static int draw_tests(struct patches_issue *issue, struct regret_rng *rng)
{
    FREED_BY(mini_free_at) struct mini_program *program = NULL;
    TRY(patches_program(&program, &issue->right));
    for (size_t i = 0; i < PATCHES_TESTS; i++) {
        struct patches_test *test = &issue->tests[i];
        int raised = 0;
        TRY(draw_new_call(issue, i, rng));
        TRY(record(test->expected, &raised, program, issue, test->call));
        if (raised) {
            return regret_fail(REGRET_E_INTERNAL, "patches: %s of the corpus raises %s", test->call,
                               test->expected);
        }
    }
    return REGRET_OK;
}

/* Adds the mutations of the lines of one function. */
static size_t mutate_function(struct patches_edit *edits, size_t n,
                              const struct patches_repository *right, size_t file, const char *name)
{
    size_t first = 0, end = 0;
    if (patches_function_lines(&first, &end, &right->files[file], name)) {
        for (size_t i = first; i < end && n < MAX_EDITS; i++) {
            n += patches_mutations(edits + n, MAX_EDITS - n, right, file, i);
        }
    }
    return n;
}

/* Does function `name` of a file call `other`? */
static int calls(const struct patches_file *file, const char *name, const char *other)
{
    size_t first = 0, end = 0, n = strlen(other);
    if (!patches_function_lines(&first, &end, file, name)) {
        return 0;
    }
    const char *at = patches_line_at(file, first + 1).start,
               *stop = patches_line_at(file, end).start;
    while ((at = strstr(at, other)) != NULL && at < stop) {
        if (at[n] == '(' && (at[-1] == ' ' || at[-1] == '(' || at[-1] == '[')) {
            return 1;
        }
        at += n;
    }
    return 0;
}

/* Mutations of the function the user calls and of those it calls itself. */
static size_t all_mutations(struct patches_edit *edits, struct patches_issue *issue)
{
    struct patches_repository *right = &issue->right;
    const struct patches_file *home = patches_find_file(right, issue->function->path);
    size_t n =
        mutate_function(edits, 0, right, (size_t)(home - right->files), issue->function->name);
    for (size_t f = 0; f < right->n; f++) {
        for (size_t i = 0; i < patches_line_count(&right->files[f]); i++) {
            char name[PATCHES_LINE_BYTES];
            struct patches_line line = patches_line_at(&right->files[f], i);
            if (line.length < 5 || strncmp(line.start, "def ", 4) != 0) {
                continue;
            }
            patches_function_of(name, &right->files[f], i);
            if (strcmp(name, issue->function->name) != 0 &&
                calls(home, issue->function->name, name)) {
                n = mutate_function(edits, n, right, f, name);
            }
        }
    }
    return n;
}

/* One time in `n`, `kind` moves to the front. */
static void favour(size_t kinds[PATCHES_KINDS], size_t kind, uint32_t n, struct regret_rng *rng)
{
    if (regret_rng_below(rng, n) != 0) {
        return;
    }
    for (size_t k = PATCHES_KINDS - 1; k > 0; k--) {
        if (kinds[k] == kind) {
            kinds[k] = kinds[k - 1];
            kinds[k - 1] = kind;
        }
    }
}

/* Orders the edits: kinds take turns, in an order of the function's own; within a kind at random.
 * Kinds for which few functions have room are favoured. */
static void order_edits(size_t *order, const struct patches_edit *edits, size_t n,
                        struct regret_rng *rng)
{
    size_t kinds[PATCHES_KINDS], shuffled[MAX_EDITS], next[PATCHES_KINDS] = {0}, done = 0;
    for (size_t k = 0; k < PATCHES_KINDS; k++) {
        kinds[k] = k;
    }
    for (size_t i = 0; i < n; i++) {
        shuffled[i] = i;
    }
    regret_rng_shuffle(rng, kinds, PATCHES_KINDS);
    favour(kinds, PATCHES_MISSING_CHECK, 6, rng);
    favour(kinds, PATCHES_MISSING_STEP, 2, rng);
    favour(kinds, PATCHES_CONDITION, 3, rng);
    regret_rng_shuffle(rng, shuffled, n);
    while (done < n) {
        for (size_t k = 0; k < PATCHES_KINDS; k++) {
            size_t *at = &next[k];
            while (*at < n && edits[shuffled[*at]].kind != (enum patches_kind)kinds[k]) {
                ++*at;
            }
            if (*at < n) {
                order[done++] = shuffled[(*at)++];
            }
        }
    }
}

/* Nobody ships a program that raises these. */
static int is_crude(const struct patches_test *test)
{
    return test->actual_raised && (strncmp(test->actual, "TypeError", 9) == 0 ||
                                   strncmp(test->actual, "NameError", 9) == 0);
}

/* Puts the fault in; *program is NULL when that is no program any more. */
static int put_fault(struct mini_program **program, struct patches_issue *issue,
                     const struct patches_edit *edit)
{
    struct patches_file *file = &issue->faulty.files[edit->file];
    TRY(patches_copy(&issue->faulty, &issue->right));
    TRY(patches_replace(file, edit->line, edit->count, edit->with));
    int rc = patches_program(program, &issue->faulty);
    return rc == REGRET_E_INPUT ? REGRET_OK : rc;
}

/* Puts the fault in and runs the tests: *fair is 1 when some fail and some pass, none crudely. */
static int try_fault(int *fair, struct patches_issue *issue, const struct patches_edit *edit)
{
    FREED_BY(mini_free_at) struct mini_program *program = NULL;
    size_t failed = 0, crude = 0;
    *fair = 0;
    TRY(put_fault(&program, issue, edit));
    for (size_t i = 0; program != NULL && i < PATCHES_TESTS; i++) {
        struct patches_test *test = &issue->tests[i];
        TRY(record(test->actual, &test->actual_raised, program, issue, test->call));
        test->passes = !test->actual_raised && strcmp(test->actual, test->expected) == 0;
        failed += !test->passes;
        crude += is_crude(test) != 0;
    }
    *fair = failed > 0 && failed < PATCHES_TESTS && crude == 0;
    return REGRET_OK;
}

/* The fault number `round` of the fair ones; they begin again after the last. *found is 0 when
 * there is none. */
static int seed_fault(int *found, struct patches_issue *issue, const struct patches_edit *edits,
                      const size_t *order, size_t n, uint64_t round)
{
    for (int pass = 0; pass < 2; pass++) {
        uint64_t seen = 0;
        for (size_t i = 0; i < n; i++) {
            int fair = 0;
            TRY(try_fault(&fair, issue, &edits[order[i]]));
            if (fair && seen++ == round) {
                issue->fault = edits[order[i]];
                *found = 1;
                return REGRET_OK;
            }
        }
        if (seen == 0) {
            return REGRET_OK;
        }
        round %= seen;
    }
    return REGRET_OK;
}

/* Draws tests, and a fault that they find; other tests when no fault is fair by these. */
static int choose_fault(struct patches_issue *issue, size_t function, struct regret_rng *rng)
{
    struct regret_rng faults = stream_fault(issue->seed, function);
    uint64_t round = issue->index / issue->corpus->n_functions;
    FREED struct patches_edit *edits = NULL;
    FREED size_t *order = NULL;
    int found = 0;
    TRY(REGRET_NEW(&edits, MAX_EDITS));
    TRY(REGRET_NEW(&order, MAX_EDITS));
    size_t n = all_mutations(edits, issue);
    order_edits(order, edits, n, &faults);
    for (int again = 0; again < MAX_REDRAWS && !found; again++) {
        TRY(draw_tests(issue, rng));
        TRY(seed_fault(&found, issue, edits, order, n, round));
    }
    if (!found) {
        return regret_fail(REGRET_E_INTERNAL, "patches: no fair fault of %s",
                           issue->function->name);
    }
    return REGRET_OK;
}

/* What the fault replaced, where it is, and the shortest test that shows it. */
static void describe_fault(struct patches_issue *issue)
{
    const struct patches_edit *fault = &issue->fault;
    const struct patches_file *file = &issue->right.files[fault->file];
    size_t shortest = SIZE_MAX;
    issue->n_lost = fault->count;
    for (size_t i = 0; i < fault->count; i++) {
        patches_line_copy(issue->lost[i], file, fault->line + i);
    }
    patches_function_of(issue->fault_function, file, fault->line);
    issue->elsewhere = strcmp(issue->fault_function, issue->function->name) != 0;
    for (size_t i = 0; i < PATCHES_TESTS; i++) {
        const struct patches_test *test = &issue->tests[i];
        size_t length = strlen(test->call) + strlen(test->expected);
        if (test->passes) {
            issue->counterexample = i;
        } else if (length < shortest) {
            shortest = length;
            issue->example = i;
        }
    }
}

/* A test file as the project had it before the fault was noticed: calls that still work. */
static int add_visible_tests(struct patches_issue *issue)
{
    char path[2 * PATCHES_PATH_BYTES], module[PATCHES_PATH_BYTES];
    FREED_BY(regret_buffer_free) struct regret_buffer t = REGRET_BUFFER_INIT;
    size_t told = 0;
    patches_module_name(module, issue->function->path);
    snprintf(path, sizeof path, "tests/test_%s.py", strchr(module, '.') + 1);
    regret_buffer_printf(&t, "from %s import %s\n\n\ndef test_%s():\n", module,
                         issue->function->name, issue->function->name);
    for (size_t i = 0; i < PATCHES_TESTS && told < 2; i++) {
        if (issue->tests[i].passes && is_new(issue, i, issue->tests[i].call)) {
            regret_buffer_printf(&t, "    assert %s == %s\n", issue->tests[i].call,
                                 issue->tests[i].expected);
            told++;
        }
    }
    TRY(regret_buffer_status(&t));
    TRY(patches_add_file(&issue->faulty, path, regret_buffer_get(&t)));
    return patches_add_file(&issue->faulty, "CHANGES.md", "# Changes\n\n## Unreleased\n\n");
}

int patches_issue_make(struct patches_issue *issue, uint64_t seed, uint64_t index)
{
    struct regret_rng rng = stream_issue(seed, index);
    size_t function = choose_function(issue->corpus->n_functions, seed, index);
    issue->seed = seed;
    issue->index = index;
    issue->function = &issue->corpus->functions[function];
    issue->project = issue->function->project;
    TRY(load_project(&issue->right, issue->project));
    TRY(choose_fault(issue, function, &rng));
    describe_fault(issue);
    TRY(add_visible_tests(issue));
    return patches_issue_write(issue, &rng);
}
