#include "made_clusters.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

void clustered_add(struct regret_rate_rows *rows, const struct clustered *c, struct regret_rng *rng)
{
    static struct regret_rate_row row;
    size_t number = c->first_id;
    for (size_t g = 0; g < c->n_clusters; g++) {
        static char cluster[32], id[32], names[8][8];
        double base[8], effect[8];
        int length = snprintf(cluster, sizeof cluster, "c%zu", g);
        for (size_t m = 0; m < c->n_models; m++) {
            base[m] = c->base * regret_rng_normal(rng);
            effect[m] = c->effect + c->heterogeneity * regret_rng_normal(rng);
            snprintf(names[m], sizeof names[m], "m%d", (int)m);
        }
        for (size_t k = 0; k < c->sizes[g % c->n_sizes]; k++) {
            int w = (int)regret_rng_below(rng, 2);
            row = (struct regret_rate_row){.w = w ? REGRET_LABEL_1 : REGRET_LABEL_0,
                                           .z = REGRET_LABEL_MISSING,
                                           .n_scores = c->n_models,
                                           .line = ++number};
            row.dataset = (struct regret_span){c->dataset, strlen(c->dataset)};
            row.attribute = (struct regret_span){c->attribute, strlen(c->attribute)};
            row.cluster = (struct regret_span){cluster, (size_t)length};
            row.id.text = id;
            row.id.length = (size_t)snprintf(id, sizeof id, "r%zu", number);
            for (size_t m = 0; m < c->n_models; m++) {
                row.scores[m].model = (struct regret_span){names[m], 2};
                for (int side = 0; side < REGRET_N_SIDES; side++) {
                    int has = side == REGRET_SIDE_REWRITE ? !w : w;
                    row.scores[m].value[side] =
                        base[m] + effect[m] * has + c->noise * regret_rng_normal(rng);
                }
            }
            cr_assert_eq(regret_rate_rows_add(rows, &row), 0);
        }
    }
}

struct regret_rate_rows *clustered_rows(const struct clustered *c, unsigned seed)
{
    struct regret_rate_rows *rows = NULL;
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_TEST, 77);
    cr_assert_eq(regret_rate_rows_new(&rows, 0), 0);
    clustered_add(rows, c, &rng);
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    return rows;
}
