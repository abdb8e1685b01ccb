#include "task/patches/corpus.h"

const struct patches_project *const patches_projects[PATCHES_PROJECTS] = {
    &patches_shop, &patches_ledger, &patches_loans, &patches_textkit, &patches_grid,
    &patches_rota, &patches_league, &patches_trips, &patches_sensors, &patches_jobs,
};

const struct patches_function *patches_function_at(const struct patches_project **project, size_t i)
{
    size_t p = 0;
    while (i >= patches_projects[p]->n_functions) {
        i -= patches_projects[p++]->n_functions;
    }
    *project = patches_projects[p];
    return &patches_projects[p]->functions[i];
}
