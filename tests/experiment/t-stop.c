/* A wish to stop is heard in the middle of a replicate, wherever it comes, and resuming gives the same bytes. */
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <string.h>

#include "experiment/fixture.h"

/* How many places a run is stopped at. */
#ifdef REGRET_FEW_REPLICATES
enum { STOPS = 4 };
#else
enum { STOPS = 12 };
#endif

TestSuite(stop, .init = fixture_open, .fini = fixture_close);

/* Counts how often it is asked, and says yes from the last time on that it is to let pass. */
struct patience {
    atomic_size_t asked;
    size_t most;
};

static int is_over(void *context)
{
    struct patience *p = context;
    return atomic_fetch_add(&p->asked, 1) >= p->most;
}

static struct regret_run_options options_of(const char *out, const char *const *sets, size_t n,
                                            struct patience *p)
{
    struct regret_run_options o = fixture_options(out);
    o.sets = sets;
    o.n_sets = n;
    o.commands.cancelled = is_over;
    o.commands.context = p;
    return o;
}

/* Stops a run at its k-th question for several k over the whole of it, and goes on each time from what there is. */
static void stops_anywhere(const char *const *sets, size_t n, size_t replicates, size_t least_asked)
{
    struct patience whole = {0, SIZE_MAX};
    struct regret_run_options o = options_of("whole", sets, n, &whole);
    fixture_run(&o);
    size_t asked = whole.asked;
    cr_assert_geq(asked, replicates * least_asked, "asked %zu times in %zu replicates", asked,
                  replicates);
    for (size_t i = 0; i < STOPS; i++) {
        struct patience some = {0, i * asked / STOPS}, all = {0, SIZE_MAX};
        struct regret_run_summary summary = {0};
        o = options_of("cut", sets, n, &some);
        o.force = 1;
        cr_assert_eq(regret_run(&summary, &o), REGRET_E_CANCELLED, "stop %zu: %s", i,
                     regret_error_message());
        cr_expect(strncmp(regret_error_message(), "stopped ", 8) == 0, "%s",
                  regret_error_message());
        cr_expect_not_null(strstr(regret_error_message(), "--resume goes on"), "%s",
                           regret_error_message());
        cr_expect_leq(some.asked, some.most + 2, "nothing goes on after a yes");
        cr_expect_lt(summary.replicates, replicates);
        o = options_of("cut", sets, n, &all);
        o.resume = 1;
        summary = fixture_run(&o);
        cr_expect_eq(summary.replicates, replicates);
        fixture_same_run("whole", "cut");
    }
}

Test(stop, between_and_within_fits_that_are_factorised)
{
    const char *sets[] = {fixture_every_family(), "seeds=1", "values.retune=true"};
    stops_anywhere(sets, 3, 2, 100);
}

/* Between steps of conjugate gradients. */
Test(stop, within_iterative_fits)
{
    const char *sets[] = {fixture_every_family(), "seeds=1", "solver=iterative", "n_exp=200"};
    stops_anywhere(sets, 4, 2, 400);
}

/* All threads hear it, each once at most. */
Test(stop, on_every_thread)
{
    const char *sets[] = {fixture_every_family(), "seeds=4"};
    struct patience whole = {0, SIZE_MAX};
    struct regret_run_options o = options_of("whole", sets, 2, &whole);
    fixture_run(&o);
    for (size_t i = 1; i <= STOPS / 4; i++) {
        struct patience some = {0, i * whole.asked / (STOPS / 4 + 1)}, all = {0, SIZE_MAX};
        struct regret_run_summary summary = {0};
        o = options_of("cut", sets, 2, &some);
        o.threads = 3;
        o.force = 1;
        cr_assert_eq(regret_run(&summary, &o), REGRET_E_CANCELLED);
        cr_expect_leq(some.asked, some.most + 6);
        o = options_of("cut", sets, 2, &all);
        o.threads = 2;
        o.resume = 1;
        fixture_run(&o);
        fixture_same_run("whole", "cut");
    }
}

/* Nothing is left behind of a run that had not begun. */
Test(stop, before_anything)
{
    struct patience none = {0, 0};
    struct regret_run_summary summary = {0};
    struct regret_run_options o = options_of("cut", NULL, 0, &none);
    size_t before = fixture_entries();
    cr_assert_eq(regret_run(&summary, &o), REGRET_E_CANCELLED);
    cr_expect_str_eq(regret_error_message(),
                     "stopped before the first replicate; --resume goes on, or begins");
    cr_expect_eq(fixture_entries(), before);
}
