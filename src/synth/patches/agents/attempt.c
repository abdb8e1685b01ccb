/* Finding the fault and changing the program. */
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "synth/patches/agents/work.h"

enum { MAX_CHANGES = 64, MAX_PLACES = 256 };

/* Percent, moved by how well the agent grasps this issue, −22 … 22. */
static unsigned moved(unsigned percent, int grasp)
{
    int out = (int)percent + grasp;
    return percent == 0 || out < 0 ? 0 : out > 97 ? 97 : (unsigned)out;
}

/* The same in all redraws of the agent. */
static int grasp_of(const struct patches_work *work)
{
    size_t agent = (size_t)(work->agent - patches_agents);
    struct regret_rng rng = patches_stream_grasp(work->issue->seed, work->issue->index, agent);
    return (int)regret_rng_below(&rng, 23) + (int)regret_rng_below(&rng, 23) - 22;
}

static int change(struct patches_work *work, size_t file, size_t line, size_t count,
                  const char *with, enum patches_kind kind)
{
    work->file = file;
    work->line = line;
    work->kind = kind;
    work->changed = 1;
    return patches_replace(&work->patched.files[file], line, count, with);
}

/* Puts the lost lines back, the first of them perhaps otherwise than it was. */
static int put_back(struct patches_work *work, const char *first)
{
    const struct patches_issue *issue = work->issue;
    const struct patches_edit *fault = &issue->fault;
    char with[2 * PATCHES_LINE_BYTES + 4];
    snprintf(with, sizeof with, "%s\n%s%s", first, issue->n_lost > 1 ? issue->lost[1] : "",
             issue->n_lost > 1 ? "\n" : "");
    return change(work, fault->file, fault->line, fault->with[0] != '\0', with, fault->kind);
}

/* Fills `out` with the changes of line i that keep the line; returns how many. */
static size_t rewordings(struct patches_edit *out, const struct patches_repository *repository,
                         size_t file, size_t i)
{
    size_t n = patches_mutations(out, MAX_CHANGES, repository, file, i), kept = 0;
    for (size_t k = 0; k < n; k++) {
        if (out[k].with[0] != '\0') {
            out[kept++] = out[k];
        }
    }
    return kept;
}

/* At the right place, another change than the right one. */
static int blunder(struct patches_work *work, struct patches_edit *changes)
{
    const struct patches_issue *issue = work->issue;
    const struct patches_edit *fault = &issue->fault;
    int there = fault->with[0] != '\0';
    size_t n =
        rewordings(changes, there ? &issue->faulty : &issue->right, fault->file, fault->line);
    if (n == 0) {
        return put_back(work, issue->lost[0]);
    }
    struct patches_edit *pick = &changes[regret_rng_below(work->rng, (uint32_t)n)];
    pick->with[strlen(pick->with) - 1] = '\0';
    /* The mutations of the faulty line include the cure. */
    if (there && strcmp(pick->with, issue->lost[0]) == 0 && n > 1) {
        pick = pick == changes ? changes + 1 : changes;
    }
    pick->with[strcspn(pick->with, "\n")] = '\0';
    TRY(put_back(work, pick->with));
    work->kind = pick->kind;
    return REGRET_OK;
}

/* Where an attempt that misses the fault looks: the function the user calls, the rest of its file,
 * or another file. Returns places, in pairs of file and line. */
static size_t decoys(size_t (*places)[2], const struct patches_work *work)
{
    const struct patches_issue *issue = work->issue;
    const struct patches_repository *faulty = &issue->faulty;
    size_t n = 0, modules = issue->project->n_modules, first = 0, end = SIZE_MAX, only = SIZE_MAX;
    int stray = patches_chance(work->rng, work->agent->stray);
    for (size_t f = 0; f < modules; f++) {
        if (strcmp(faulty->files[f].path, issue->function->path) == 0) {
            only = f;
        }
    }
    if (!stray && patches_chance(work->rng, 75)) {
        patches_function_lines(&first, &end, &faulty->files[only], issue->function->name);
    }
    for (size_t f = 0; f < modules; f++) {
        size_t lines = patches_line_count(&faulty->files[f]);
        if ((f == only) == (stray && modules > 1)) {
            continue;
        }
        for (size_t i = first; i < lines && i < end && n < MAX_PLACES; i++) {
            if (f != issue->fault.file || i != issue->fault.line) {
                places[n][0] = f;
                places[n++][1] = i;
            }
        }
    }
    return n;
}

/* Changes something elsewhere. */
static int miss(struct patches_work *work, struct patches_edit *changes)
{
    size_t places[MAX_PLACES][2];
    size_t n = decoys(places, work);
    for (int again = 0; again < 20 && n > 0; again++) {
        const size_t *place = places[regret_rng_below(work->rng, (uint32_t)n)];
        size_t found = rewordings(changes, &work->issue->faulty, place[0], place[1]);
        if (found == 0) {
            continue;
        }
        const struct patches_edit *pick = &changes[regret_rng_below(work->rng, (uint32_t)found)];
        return change(work, pick->file, pick->line, pick->count, pick->with, pick->kind);
    }
    return REGRET_OK;
}

static int one_attempt(struct patches_work *work, struct patches_edit *changes, int grasp)
{
    const struct patches_issue *issue = work->issue;
    const struct patches_agent *agent = work->agent;
    unsigned locate = agent->locate[issue->naming];
    if (issue->elsewhere) {
        locate = locate * agent->follow / 100;
    }
    work->changed = 0;
    TRY(patches_copy(&work->patched, &issue->faulty));
    if (!patches_chance(work->rng, moved(locate, grasp))) {
        work->unsure = patches_chance(work->rng, 86);
        return miss(work, changes);
    }
    if (!patches_chance(work->rng, moved(agent->fix[issue->fault.kind], grasp))) {
        work->unsure = patches_chance(work->rng, 80);
        return blunder(work, changes);
    }
    work->unsure = patches_chance(work->rng, 7);
    return put_back(work, issue->lost[0]);
}

/* The parameters compared with the arguments of the example: "a == 1 and b == [2]". */
static void write_condition(struct regret_buffer *t, const char *parameters, const char *arguments)
{
    int depth = 0;
    const char *name = parameters + 1;
    for (const char *at = arguments + 1, *from = at;; at++) {
        depth += *at == '[' || *at == '(';
        depth -= *at == ']';
        if ((*at == ',' && depth == 0) || at[1] == '\0') {
            size_t length = strcspn(name, ",)");
            regret_buffer_append(t, from == arguments + 1 ? "" : " and ");
            regret_buffer_append_n(t, name, length);
            regret_buffer_append(t, " == ");
            regret_buffer_append_n(t, from, (size_t)(at - from));
            name += length + 2;
            from = at + 2;
        }
        if (at[1] == '\0') {
            return;
        }
    }
}

/* Answers the example alone: if a == … and b == …: return …, at the top of the function. */
static int special_case(struct patches_work *work)
{
    const struct patches_issue *issue = work->issue;
    const struct patches_test *example = &issue->tests[issue->example];
    struct patches_file *file = patches_find_file(&work->patched, issue->function->path);
    FREED_BY(regret_buffer_free) struct regret_buffer t = REGRET_BUFFER_INIT;
    char head[PATCHES_LINE_BYTES];
    size_t first = 0, end = 0;
    if (!patches_function_lines(&first, &end, file, issue->function->name)) {
        return REGRET_OK;
    }
    patches_line_copy(head, file, first);
    regret_buffer_append(&t, "    if ");
    write_condition(&t, strchr(head, '('), strchr(example->call, '('));
    regret_buffer_printf(&t, ":\n        return %s\n", example->expected);
    struct patches_line body = patches_line_at(file, first + 1);
    first += 1 + (strncmp(body.start, "    \"\"\"", 7) == 0);
    TRY(regret_buffer_status(&t));
    return change(work, (size_t)(file - work->patched.files), first, 0, regret_buffer_get(&t),
                  PATCHES_MISSING_CHECK);
}

/* The last attempt does not make the example work. */
static int settle(struct patches_work *work)
{
    work->unsure = patches_chance(work->rng, 95);
    if (patches_chance(work->rng, work->agent->give_up)) {
        work->changed = 0;
        return patches_copy(&work->patched, &work->issue->faulty);
    }
    if (!patches_chance(work->rng, work->agent->special_case)) {
        return REGRET_OK;
    }
    TRY(patches_copy(&work->patched, &work->issue->faulty));
    return special_case(work);
}

/* One attempt after the other, until the example works or the agent does not look. */
static int try_often(struct patches_work *work, struct patches_edit *changes)
{
    int grasp = grasp_of(work), passes = 1;
    for (unsigned i = 0; i < work->agent->tries; i++) {
        TRY(one_attempt(work, changes, grasp));
        if (!patches_chance(work->rng, work->agent->checks)) {
            break;
        }
        TRY(patches_try_example(&passes, work->issue, &work->patched));
        if (passes) {
            work->unsure = patches_chance(work->rng, 3);
            work->checked = 1;
            break;
        }
    }
    return passes ? REGRET_OK : settle(work);
}

int patches_attempt(struct patches_work *work)
{
    FREED struct patches_edit *changes = NULL;
    TRY(REGRET_NEW(&changes, MAX_CHANGES));
    return try_often(work, changes);
}
