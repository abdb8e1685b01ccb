#include "chart/chart.h"

int chart_tex(struct regret_text *out, const struct chart *c)
{
    regret_text_printf(out, "%% %s\n", c->name);
    return regret_text_status(out);
}
