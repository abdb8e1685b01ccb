#include "synth/corpora.h"

#include <criterion/criterion.h>

#include "synth/patches/patches.h"
#include "synth/synth.h"

void corpora_register(void)
{
    cr_assert_eq(synth_register(), 0, "%s", regret_error_message());
    cr_assert_eq(regret_generator_register(&patches_generator), 0, "%s", regret_error_message());
}

const struct newswire_corpus *corpora_newswire(void)
{
    static struct newswire_corpus corpus;
    if (corpus.n_domains == 0) {
        cr_assert_eq(newswire_corpus_read(&corpus), 0, "%s", regret_error_message());
    }
    return &corpus;
}

const struct patches_corpus *corpora_patches(void)
{
    static struct patches_corpus corpus;
    if (corpus.n_functions == 0) {
        cr_assert_eq(patches_corpus_read(&corpus), 0, "%s", regret_error_message());
    }
    return &corpus;
}
