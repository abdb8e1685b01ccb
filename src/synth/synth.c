#include "synth/synth.h"

#include "base/core/try.h"
#include "synth/newswire/newswire.h"

/* The one table: nothing else names them. */
static const struct regret_generator *const generators[] = {
    &newswire_generator, &newswire_ceiling_generator, &newswire_fitted_generator};

int synth_register(void)
{
    for (size_t i = 0; i < sizeof generators / sizeof generators[0]; i++) {
        TRY(regret_generator_register(generators[i]));
    }
    return REGRET_OK;
}
