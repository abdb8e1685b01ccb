#include "experiment/measures/surfaces.h"

#include <string.h>

void measures_surface_of(double *surface, const struct setting *s, const double *prediction,
                         const size_t *contexts, size_t n)
{
    const struct regret_task *task = s->task;
    for (size_t i = 0; i < n; i++) {
        for (size_t a = 0; a < task->n_agents; a++) {
            size_t cell = contexts[i] * task->n_agents + a;
            size_t first = regret_task_first(task, cell), end = regret_task_first(task, cell + 1);
            double sum = 0.0;
            for (size_t p = first; p < end; p++) {
                sum += prediction[p];
            }
            surface[i * task->n_agents + a] = sum / (double)(end - first);
        }
    }
}

void measures_surface(double *surface, const struct setting *s, const double *prediction)
{
    const struct regret_split *split = s->split.contexts;
    measures_surface_of(surface, s, prediction, split->test, split->n_test);
}

void measures_target_of(double *surface, const struct setting *s, const size_t *contexts, size_t n)
{
    size_t n_agents = s->task->n_agents;
    for (size_t i = 0; i < n; i++) {
        memcpy(surface + i * n_agents, s->task->target + contexts[i] * n_agents,
               n_agents * sizeof *surface);
    }
}
