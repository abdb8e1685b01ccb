/* The tables and figures of the paper: which runs each is about, and how its cells were told where the
 * text has lost their heads. data/paper/README.md has what is lost. */
#include <string.h>

#include "regret/estimate.h"
#include "report/paper/published.h"
#include "report/rows/table_data.h"

#define MAP_BY_BUDGET(maps)                                                                        \
    {                                                                                              \
        {"reward.map", (maps)}, {"beta", 6}, {"n_obs", 2},                                         \
        {                                                                                          \
            "n_exp", 2                                                                             \
        }                                                                                          \
    }

static const char budgets_by_exp[] = "The heads of the rows and columns are lost. β ascends from "
                                     "left to right, as the paper's words "
                                     "about the winners have it. Rows: n_exp by two, n_obs within: "
                                     "its words on rows 3 and 4 name them "
                                     "the row of the small and that of the large log.";

static const struct paper_table papers[] = {
    {.name = "T4",
     .title = "ranks of the families over 48 cells of cached summarization",
     .file = "data/paper/table4.csv",
     .task = PAPER_SUMMARIES,
     .swept = MAP_BY_BUDGET(2)},
    {.name = "T5",
     .title = "regret by budget, smooth reward",
     .file = "data/paper/table5.csv",
     .task = PAPER_SUMMARIES,
     .swept = MAP_BY_BUDGET(2),
     .reading =
         "The heads of the columns are lost. Each pair shares n_obs, for obs-only is equal "
         "in it; within a pair n_exp ascends, for exp-only falls. That the first pair is the "
         "smaller log and that the numbers are means over β is our reading."},
    {.name = "T6",
     .title = "smooth against sharpened reward",
     .file = "data/paper/table6.csv",
     .task = PAPER_SUMMARIES,
     .swept = MAP_BY_BUDGET(2),
     .reading = "Means over the four budgets, as its head says; that they are over β too is our "
                "reading."},
    {.name = "T7",
     .title = "error of the agents' values, all budgets",
     .file = "data/paper/table7.csv",
     .task = PAPER_SUMMARIES,
     .swept = {{"n_exp", 3}},
     .reading = "Its numbers are the means over n_exp of T11's; that they are over β too is our "
                "reading. The column of differences is lost."},
    {.name = "T9",
     .title = "the grounded variants",
     .file = "data/paper/table9.csv",
     .task = PAPER_SUMMARIES,
     .variants_of = "grounded",
     .reading = "Every number of the table is lost; these wins are from the words below it, which "
                "do not say at which budgets. The paper counts over β, n_obs and n_exp."},
    {.name = "T10",
     .title = "error of the agents' values in the controlled world",
     .file = "data/paper/table10.csv",
     .task = PAPER_WORLD,
     .swept = {{"beta", 6}, {"n_obs", 2}, {"n_exp", 2}}},
    {.name = "T11",
     .title = "error of the agents' values by n_exp",
     .file = "data/paper/table11.csv",
     .task = PAPER_SUMMARIES,
     .swept = {{"n_exp", 3}},
     .reading = "That the numbers are means over β is our reading."},
    {.name = "T12",
     .title = "the winner of each cell of the controlled world",
     .file = "data/paper/table12.csv",
     .task = PAPER_WORLD,
     .swept = {{"beta", 6}, {"n_obs", 2}, {"n_exp", 2}},
     .reading =
         "The heads of the rows and columns are lost. β ascends from left to right and row 1 "
         "is that of the smallest budgets, as the paper's words have it; that the other rows "
         "are as in T13 (n_exp by two, n_obs within) is our reading."},
    {.name = "T13",
     .title = "the winner of each cell of cached summarization at other budgets",
     .file = "data/paper/table13.csv",
     .task = PAPER_SUMMARIES,
     .swept = MAP_BY_BUDGET(1),
     .reading = budgets_by_exp},
    {.name = "T14",
     .title = "the winner of each cell of the reward design",
     .file = "data/paper/table14.csv",
     .task = PAPER_CODING,
     .swept = {{"reward.lambda_fix", 5}, {"reward.omega", 5}},
     .reading = "The heads of the rows (weight of success) and columns (weight of the worst "
                "quality) are lost. Both ascend, for the paper's words have representation-exp win "
                "at a low weight of success under additive scoring."},
    {.name = "F3", .title = "fit of the target along λ_fix", .task = PAPER_CODING},
    {.name = "F4", .title = "regret gaps along λ_fix and ω", .task = PAPER_CODING},
    {.name = "F5", .title = "DR against DM as n_exp grows", .task = PAPER_WORLD},
};
enum { N_PAPERS = sizeof papers / sizeof *papers };

const struct paper_table *paper_table_at(size_t i)
{
    return i < N_PAPERS ? &papers[i] : NULL;
}

const struct paper_table *paper_table_find(const char *name)
{
    for (size_t i = 0; i < N_PAPERS; i++) {
        if (strcmp(papers[i].name, name) == 0) {
            return &papers[i];
        }
    }
    return NULL;
}

void paper_table_names(struct regret_buffer *out)
{
    for (size_t i = 0; i < N_PAPERS; i++) {
        regret_buffer_printf(out, "%s%s", i > 0 ? ", " : "", papers[i].name);
    }
}

static int has_map(const struct regret_results *r, const char *map)
{
    const struct regret_key *key = &r->keys[REGRET_KEY_MAP];
    for (size_t v = 0; v < key->n_values; v++) {
        if (strcmp(key->values[v], map) == 0) {
            return 1;
        }
    }
    return 0;
}

enum paper_task paper_task_of(const struct regret_results *r)
{
    return has_map(r, "world")     ? PAPER_WORLD
           : has_map(r, "utility") ? PAPER_CODING
                                   : PAPER_SUMMARIES;
}

int paper_table_is_about(const struct paper_table *t, const struct regret_results *r)
{
    return t->task == paper_task_of(r);
}

int has_variant_of(const struct regret_results *r, const char *family)
{
    int has = 0;
    for (size_t f = 0; f < r->n_families; f++) {
        const char *base = r->subjects[f].variant_of;
        has |= base != NULL && strcmp(base, family) == 0;
    }
    return has;
}

int ranks_families(const struct regret_results *r)
{
    size_t n = 0;
    for (size_t f = 0; f < r->n_families; f++) {
        n += (size_t)family_has_role(r, f, REGRET_ROLE_PAPER);
    }
    return n >= 3;
}

int paper_table_fits(const struct paper_table *t, const struct regret_results *r)
{
    int fits = t->file != NULL && paper_table_is_about(t, r);
    for (size_t i = 0; i < PAPER_KEYS && t->swept[i].key != NULL; i++) {
        size_t k = regret_results_find_key(r, t->swept[i].key);
        fits &= k != REGRET_NO_ROW && r->keys[k].n_values == t->swept[i].n_values;
    }
    return fits && (t->variants_of != NULL ? has_variant_of(r, t->variants_of) : ranks_families(r));
}

int paper_table_read(struct published *out, const struct paper_table *t)
{
    for (const struct paper_file *file = paper_files; file->name != NULL; file++) {
        if (strcmp(file->name, t->file) == 0) {
            return published_parse(out, file->text, file->name);
        }
    }
    return regret_fail(REGRET_E_INTERNAL, "%s is not built in", t->file);
}
