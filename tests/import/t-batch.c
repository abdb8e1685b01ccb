/* How custom_ids are taken apart. */
#include <criterion/criterion.h>
#include <string.h>

#include "import/batch.h"

Test(batch, templates)
{
    static const char *const BAD[] = {"",          "{model}",     "{id}{model}",
                                      "{id}-{id}", "{id}-{what}", "{"};
    static const struct {
        const char *template, *id, *part[BATCH_PARTS];
    } GOOD[] = {{"{id}", "a-b", {"a-b", NULL, NULL, NULL}},
                {"{id}-{model}", "a-b-c", {"a", "b-c", NULL, NULL}},
                {"<{model}|{id}>", "<m|x>y>", {"x>y", "m", NULL, NULL}},
                {"{task}::{id}#{repeat}", "t:u::7#3", {"7", NULL, "t:u", "3"}}};
    static const char *const UNFIT[][2] = {{"{id}-{model}", "a"},  {"{id}-{model}", "-b"},
                                           {"{id}-{model}", "a-"}, {"x{id}", "a"},
                                           {"{id}x", "a"},         {"{id}", ""}};
    struct batch_id id = {0};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        cr_expect_eq(batch_template_check(BAD[i]), REGRET_E_INPUT, "%s", BAD[i]);
    }
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) {
        cr_expect_eq(batch_template_check(GOOD[i].template), 0);
        cr_assert_eq(batch_id_read(&id, GOOD[i].id, GOOD[i].template, (struct regret_place){0}), 0);
        for (size_t k = 0; k < BATCH_PARTS; k++) {
            const char *part = batch_id_part(&id, k), *wanted = GOOD[i].part[k];
            cr_expect(part == wanted || (part != NULL && wanted != NULL && !strcmp(part, wanted)),
                      "%s: %s", GOOD[i].template, part);
        }
    }
    for (size_t i = 0; i < sizeof UNFIT / sizeof *UNFIT; i++) {
        cr_expect_eq(batch_id_read(&id, UNFIT[i][1], UNFIT[i][0], (struct regret_place){"f", 1}),
                     REGRET_E_INPUT, "%s", UNFIT[i][1]);
    }
    batch_id_free(&id);
}
