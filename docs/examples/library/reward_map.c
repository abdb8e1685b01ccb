/* A reward map of one's own, run beside one of the library: a user is content with a component of the quality from a bar
 * on, and not at all below it.
 *
 *     r_u = Σ_k w_uk 1[q_k ≥ bar]
 *
 *     cc reward_map.c $(pkg-config --cflags --libs regret) -o reward-map
 *     ./reward-map CONFIG RUN [KEY=VALUE]... */
#include <regret/regret.h>
#include <stdio.h>

/* A key of configurations, as those of the library's maps are: it can be set and swept. */
static const struct regret_reward_parameter bar = {
    .key = "reward.bar",
    .help = "quality from which on a component is good enough in the acceptable map",
    .low = 0.0,
    .high = 1.0,
    .preset = 0.5,
};

/* Any thread may call it; it depends on its arguments alone. */
static double reward(const struct regret_reward_view *v, const struct regret_segment *u,
                     size_t pair)
{
    double r = 0.0;
    for (size_t k = 0; k < v->grid->pool->n_components; k++) {
        r += regret_grid_quality(v->grid, pair, k) >= v->parameter[0] ? u->weights[k] : 0.0;
    }
    return r;
}

static const struct regret_reward_map acceptable = {
    .name = "acceptable", .parameters = &bar, .n_parameters = 1, .reward = reward};

int main(int argc, char **argv)
{
    enum { MOST = 16 };
    const char *sets[MOST] = {"sweep.reward.map=[\"smooth\",\"acceptable\"]"};
    struct regret_run_options options = REGRET_RUN_OPTIONS_INIT;
    struct regret_run_summary summary;
    if (argc < 3 || argc - 3 > MOST - 1) {
        fprintf(stderr, "usage: reward-map CONFIG RUN [KEY=VALUE]...\n");
        return 2;
    }
    options.config = argv[1];
    options.out = argv[2];
    options.sets = sets;
    for (options.n_sets = 1; (int)options.n_sets < argc - 2; options.n_sets++) {
        sets[options.n_sets] = argv[options.n_sets + 2];
    }
    int rc = regret_reward_map_register(&acceptable); /* first of all, before there are threads */
    if (rc == REGRET_OK) {
        rc = regret_run(&summary, &options);
    }
    if (rc == REGRET_OK) {
        rc = regret_report_write(argv[2], NULL, NULL);
    }
    if (rc != REGRET_OK) {
        fprintf(stderr, "reward-map: %s\n", regret_error_message());
        return 1;
    }
    printf("%zu replicates of %zu cells in %s\n", summary.replicates, summary.cells, argv[2]);
    return 0;
}
