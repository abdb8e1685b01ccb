#include "task/patches/corpus.h"

const struct patches_project *const patches_projects[PATCHES_PROJECTS] = {
    &patches_shop, &patches_ledger, &patches_loans, &patches_textkit, &patches_grid,
    &patches_rota, &patches_league, &patches_trips, &patches_sensors, &patches_jobs,
};

size_t patches_function_count(void)
{
    size_t n = 0;
    for (size_t i = 0; i < PATCHES_PROJECTS; i++)
        n += patches_projects[i]->n_functions;
    return n;
}

const struct patches_function *patches_function_at(const struct patches_project **project, size_t i)
{
    size_t p = 0;
    while (i >= patches_projects[p]->n_functions)
        i -= patches_projects[p++]->n_functions;
    *project = patches_projects[p];
    return &patches_projects[p]->functions[i];
}
