/* Attribute effects of reward models on scored rewrites, from a file or from memory.
 *
 *     cc rate.c $(pkg-config --cflags --libs regret) && ./a.out scores.jsonl
 */
#include <stdio.h>

#include <regret/regret.h>

static void print_effects(const struct regret_rate_rows *rows, const struct regret_rate_estimate *e)
{
    const struct regret_rate_group *group = &rows->groups[e->group];
    printf("%s %s, %s (%zu rows)\n", group->dataset, group->attribute, rows->models[e->model].name,
           e->n_used);
    for (size_t k = 0; k < REGRET_N_EFFECTS; k++) {
        const struct regret_rate_effect *effect = &e->effects[k];
        const char *name = regret_rate_effect_name((enum regret_rate_effect_kind)k);
        if (effect->missing != NULL) {
            printf("  %-12s %s\n", name, effect->missing);
        } else {
            printf("  %-12s %+.4f [%+.4f, %+.4f]\n", name, effect->estimate, effect->low,
                   effect->high);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s SCORES.jsonl\n", argv[0]);
        return 2;
    }
    const char *paths[] = {argv[1]};
    const struct regret_rate_read_options reading = {.need_scores = 1};
    const struct regret_rate_options estimating = {.se = REGRET_SE_PAIRED, .threads = 1};
    struct regret_rate_rows *rows = NULL;
    struct regret_rate_estimate *estimates = NULL;
    size_t n = 0;
    int rc = regret_rate_read(&rows, paths, 1, &reading);
    if (rc == REGRET_OK) {
        rc = regret_rate_rows_finish(rows);
    }
    if (rc == REGRET_OK) {
        rc = regret_rate_estimate(&estimates, &n, rows, &estimating);
    }
    for (size_t i = 0; rc == REGRET_OK && i < n; i++) {
        print_effects(rows, &estimates[i]);
    }
    if (rc != REGRET_OK) {
        fprintf(stderr, "rate: %s\n", regret_error_message());
    }
    regret_free(estimates);
    regret_rate_rows_free(rows);
    return rc == REGRET_OK ? 0 : 1;
}
