#include "report/made_run.h"

#include <criterion/criterion.h>

#include "regret/buffer.h"

char folder[64];
struct made_up m;

void made_begin(void)
{
    made_folder(folder);
    m = made_up_default();
}

void made_end(void)
{
    cr_assert_eq(regret_folder_remove(folder), 0);
}
