#include "experiment/replicate/grid_losses.h"

static void put_count(struct regret_buffer *text, size_t n, const char *what)
{
    regret_buffer_printf(text, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

void grid_losses(struct regret_buffer *text, const struct grid_loss *loss)
{
    int left_out = loss->contexts > 0 || loss->agents > 0;
    if (loss->contexts > 0) {
        put_count(text, loss->contexts, "context");
    }
    if (loss->agents > 0) {
        regret_buffer_append(text, loss->contexts > 0 ? " and " : "");
        put_count(text, loss->agents, "agent");
    }
    if (left_out) {
        regret_buffer_append(text, " left out for missing outputs");
        regret_buffer_append(text, loss->imputed > 0 || loss->pairs > 0 ? "; " : "");
    }
    if (loss->imputed > 0) {
        put_count(text, loss->imputed, "missing output");
        regret_buffer_append(text, " counted as 0");
    }
    if (loss->pairs > 0) {
        regret_buffer_printf(text, "%zu of %zu pairs observed (%.2g %%), two or more on ",
                             loss->observed, loss->pairs,
                             100.0 * (double)loss->observed / (double)loss->pairs);
        put_count(text, loss->comparable, "context");
        regret_buffer_append(text, ", where alone regret is taken, among what is observed");
    }
}
