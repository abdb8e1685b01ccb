#include "experiment/replicate/grid_losses.h"

static void put_count(struct regret_buffer *text, size_t n, const char *what)
{
    regret_buffer_printf(text, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

void grid_losses(struct regret_buffer *text, size_t contexts, size_t agents, size_t imputed)
{
    if (contexts > 0) {
        put_count(text, contexts, "context");
    }
    if (agents > 0) {
        regret_buffer_append(text, contexts > 0 ? " and " : "");
        put_count(text, agents, "agent");
    }
    if (contexts > 0 || agents > 0) {
        regret_buffer_append(text, " left out for missing outputs");
        regret_buffer_append(text, imputed > 0 ? "; " : "");
    }
    if (imputed > 0) {
        put_count(text, imputed, "missing output");
        regret_buffer_append(text, " counted as 0");
    }
}
