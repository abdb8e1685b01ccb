#include "synth/corpora.h"

#include <criterion/criterion.h>

#include "synth/newswire.h"

void corpora_register(void)
{
    cr_assert_eq(synth_register(), 0, "%s", regret_error_message());
}

const struct newswire_corpus *corpora_newswire(void)
{
    static struct newswire_corpus corpus;
    if (corpus.n_domains == 0) {
        cr_assert_eq(newswire_corpus_read(&corpus), 0, "%s", regret_error_message());
    }
    return &corpus;
}
