#include <math.h>

#include "base/core/try.h"
#include "base/text/escape.h"
#include "experiment/export/export.h"
#include "regret/alloc.h"
#include "regret/value.h"

void export_number(struct regret_buffer *t, double x)
{
    if (isnan(x)) {
        regret_buffer_append(t, "nan");
    } else {
        regret_buffer_printf(t, "%.17g", x);
    }
}

const char *export_family(const struct replicate *r, size_t i)
{
    return r->measures.family[i].family;
}

static const char *agent_id(const struct replicate *r, size_t a)
{
    const struct regret_grid *g = r->setting.features->grid;
    return g->pool->agents[g->agents[a]].id;
}

void export_values(struct regret_buffer *t, const struct replicate *r)
{
    regret_buffer_append(t, "family,agent,truth,dm,dr,sndr\n");
    for (size_t i = 0; i < r->estimates.n; i++) {
        const struct agent_values *v = &r->values.family[i];
        for (size_t a = 0; a < r->setting.task->n_agents; a++) {
            regret_buffer_printf(t, "%s,", export_family(r, i));
            csv_field(t, agent_id(r, a));
            const double columns[] = {r->values.truth[a], v->dm[a], v->dr != NULL ? v->dr[a] : NAN,
                                      v->sndr != NULL ? v->sndr[a] : NAN};
            for (size_t j = 0; j < 4; j++) {
                regret_buffer_append_char(t, ',');
                export_number(t, columns[j]);
            }
            regret_buffer_append_char(t, '\n');
        }
    }
}

static void put_interval(struct regret_buffer *t, const struct regret_interval *interval)
{
    regret_buffer_append_char(t, ',');
    export_number(t, interval->low);
    regret_buffer_append_char(t, ',');
    export_number(t, interval->high);
    regret_buffer_append_char(t, '\n');
}

static void put_family(struct regret_buffer *values, struct regret_buffer *differences,
                       const struct replicate *r, size_t family,
                       const struct regret_interval *interval,
                       const struct regret_interval *difference)
{
    static const char *const kinds[] = {"dm", "dr", "sndr"};
    size_t n = r->setting.task->n_agents, n_kinds = r->setting.config.values ? REGRET_N_VALUES : 1;
    for (size_t kind = 0; kind < n_kinds; kind++) {
        for (size_t a = 0; a < n; a++) {
            regret_buffer_printf(values, "%s,%s,", export_family(r, family), kinds[kind]);
            csv_field(values, agent_id(r, a));
            put_interval(values, &interval[kind * n + a]);
            for (size_t b = a + 1; b < n; b++) {
                regret_buffer_printf(differences, "%s,%s,", export_family(r, family), kinds[kind]);
                csv_field(differences, agent_id(r, a));
                regret_buffer_append_char(differences, ',');
                csv_field(differences, agent_id(r, b));
                put_interval(differences, &difference[(kind * n + a) * n + b]);
            }
        }
    }
}

int export_intervals(struct regret_buffer *values, struct regret_buffer *differences,
                     const struct replicate *r)
{
    const struct regret_grid *g = r->setting.features->grid;
    const struct regret_value_bootstrap options = {2000, 0.95, r->setting.seed};
    FREED struct regret_interval *interval = NULL, *difference = NULL;
    size_t n = REGRET_N_VALUES * g->n_agents;
    TRY(REGRET_NEW(&interval, n));
    TRY(REGRET_NEW(&difference, n * g->n_agents));
    regret_buffer_append(values, "family,kind,agent,low,high\n");
    regret_buffer_append(differences, "family,kind,agent_a,agent_b,low,high\n");
    for (size_t i = 0; i < r->estimates.n; i++) {
        const struct regret_value_problem problem =
            replicate_value_problem(r, r->estimates.family[i]);
        TRY(regret_value_intervals(interval, difference, &problem, &options));
        put_family(values, differences, r, i, interval, difference);
    }
    return REGRET_OK;
}
