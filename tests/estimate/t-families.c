/* The families against the reference, which refits everything from scratch. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "estimate/family_world.h"
#include "regret/alloc.h"

/* Contexts, agents, training contexts, φ, z, OBS, EXP, noise, stretch. */
static const struct world_shape SHAPES[] = {
    {20, 12, 16, 8, 4, 300, 90, 0.2, 1.0},   /* parts wider than φ: the direct way */
    {20, 12, 16, 50, 3, 250, 60, 0.1, 1.0},  /* parts narrower than φ: Woodbury */
    {15, 20, 12, 20, 9, 200, 200, 0.3, 1.0}, /* interactions stop at the eighth column */
    {10, 6, 8, 30, 2, 40, 25, 0.2, 2.5}, /* more features than EXP rows; outcomes reach 0 and 1 */
};
enum { N_SHAPES = sizeof SHAPES / sizeof *SHAPES, N_SEEDS = 3 };

Test(families, agree_with_the_reference)
{
    for (size_t s = 0; s < N_SHAPES; s++) {
        for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
            char what[60];
            struct world *w = world_draw(&SHAPES[s], 100 * s + seed);
            world_settle(w, seed);
            cr_assert_eq(w->cv->mode, REGRET_FOLDS_AGENTS);
            snprintf(what, sizeof what, "shape %zu, seed %d", s, (int)seed);
            world_compare(w, what);
            world_free(w);
        }
    }
}
