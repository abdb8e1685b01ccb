/* The tables of the grammar: every template of every domain, worded many times. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <string.h>

#include "regret/status.h"
#include "synth/article.h"
#include "synth/corpora.h"

static void check_wording(const char *text)
{
    cr_assert_eq(strcspn(text, "{}[]|%"), strlen(text), "unfinished: %s", text);
    cr_assert_null(strstr(text, "  "), "two blanks: %s", text);
    cr_assert_null(strstr(text, " ,"), "blank before comma: %s", text);
    cr_assert_null(strstr(text, ".."), "two stops: %s", text);
    cr_assert(!islower((unsigned char)text[0]), "no capital: %s", text);
}

/* Writes a template with fresh values, sixty times. */
static void word_template(const struct newswire_domain *domain, const char *text, uint64_t stream)
{
    struct regret_rng rng = regret_rng_at(1, REGRET_RNG_TEST, stream);
    struct regret_buffer out = REGRET_BUFFER_INIT;
    struct newswire_value values[NEWSWIRE_MAX_SLOTS];
    for (int i = 0; i < 60; i++) {
        for (size_t s = 0; s < domain->n_slots; s++) {
            newswire_value_draw(&values[s], corpora_newswire(), &domain->slots[s], &rng);
        }
        struct newswire_writer w = newswire_writer_at(&out, &rng, domain, values);
        w.round = i % 3 == 1;
        regret_buffer_clear(&out);
        newswire_write(&w, "", text, ".");
        check_wording(regret_buffer_get(&out));
    }
    regret_buffer_free(&out);
}

/* That brackets and slots are right has been seen when the corpus was read. */
Test(newswire_grammar, every_template_is_sound)
{
    const struct newswire_corpus *corpus = corpora_newswire();
    for (size_t d = 0; d < corpus->n_domains; d++) {
        const struct newswire_domain *domain = &corpus->domains[d];
        for (size_t f = 0; f < domain->n_facts; f++) {
            const struct newswire_fact *fact = &domain->facts[f];
            const char *forms[] = {fact->article, fact->brief, fact->full};
            for (size_t k = 0; k < 3; k++) {
                cr_assert(!isupper((unsigned char)forms[k][0]), "\"%s\"", forms[k]);
                word_template(domain, forms[k], d << 16 | f << 8 | k);
            }
            /* A summary may only state what the article states or states elsewhere. */
            uint32_t said = newswire_slots_of(domain, fact->article);
            cr_assert_neq(said == 0 && newswire_slots_of(domain, fact->brief) != 0, 1);
        }
        for (size_t c = 0; c < domain->scenes.n; c++) {
            cr_assert(!isupper((unsigned char)domain->scenes.items[c][0]));
        }
    }
}

Test(newswire_grammar, a_summary_states_no_slot_its_fact_or_the_lead_does_not)
{
    const struct newswire_corpus *corpus = corpora_newswire();
    for (size_t d = 0; d < corpus->n_domains; d++) {
        const struct newswire_domain *domain = &corpus->domains[d];
        uint32_t lead = newswire_slots_of(domain, domain->facts[0].article);
        for (size_t f = 0; f < domain->n_facts; f++) {
            const struct newswire_fact *fact = &domain->facts[f];
            uint32_t known = lead | newswire_slots_of(domain, fact->article);
            uint32_t told =
                newswire_slots_of(domain, fact->brief) | newswire_slots_of(domain, fact->full);
            for (size_t s = 0; s < domain->n_slots; s++) {
                cr_assert(!((told & ~known) >> s & 1), "%s: fact %zu tells {%s} unasked",
                          domain->name, f, domain->slots[s].name);
            }
        }
    }
}

Test(newswire_grammar, values_fit_and_distortions_read_differently)
{
    struct regret_rng rng = regret_rng_at(2, REGRET_RNG_TEST, 0);
    const struct newswire_corpus *corpus = corpora_newswire();
    for (size_t d = 0; d < corpus->n_domains; d++) {
        for (size_t s = 0; s < corpus->domains[d].n_slots; s++) {
            const struct newswire_slot *slot = &corpus->domains[d].slots[s];
            for (int i = 0; i < 200; i++) {
                struct newswire_value right, wrong;
                newswire_value_draw(&right, corpus, slot, &rng);
                cr_assert(strlen(right.full) > 0 && strlen(right.full) < NEWSWIRE_FULL_BYTES - 1);
                newswire_value_distort(&wrong, corpus, &right, slot, &rng);
                cr_assert_str_neq(right.full, wrong.full, "{%s}", slot->name);
            }
        }
    }
}

Test(newswire_grammar, numbers_are_written_as_in_newspapers)
{
    static const struct {
        enum newswire_slot_type type;
        int number;
        const char *written, *rounded;
    } cases[] = {
        {NEWSWIRE_COUNT, 7, "seven", "seven"},
        {NEWSWIRE_COUNT, 1240, "1,240", "1,200"},
        {NEWSWIRE_COUNT, 2892, "2,892", "2,900"},
        {NEWSWIRE_DOLLARS, 58000, "$58,000", "$58,000"},
        {NEWSWIRE_MONEY, 34, "$3.4 million", "$3.4 million"},
        {NEWSWIRE_MONEY, 3400, "$340 million", "$340 million"},
        {NEWSWIRE_MONEY, 12340, "$1.23 billion", "$1.20 billion"},
        {NEWSWIRE_PERCENT, 120, "12 percent", "12 percent"},
        {NEWSWIRE_PERCENT, 547, "54.7 percent", "55 percent"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct newswire_slot slot = {
            .type = cases[i].type, .low = cases[i].number, .high = cases[i].number};
        struct regret_rng rng = regret_rng_at(3, REGRET_RNG_TEST, i);
        struct newswire_value value;
        newswire_value_draw(&value, corpora_newswire(), &slot, &rng);
        cr_assert_str_eq(value.full, cases[i].written);
        cr_assert_str_eq(value.rounded, cases[i].rounded);
    }
}

Test(newswire_grammar, articles_introduce_people_before_they_shorten_them)
{
    struct newswire_article article = {.corpus = corpora_newswire(), .difficulty = &newswire_hard};
    for (size_t i = 0; i < 300; i++) {
        uint32_t known = 0;
        cr_assert_eq(newswire_article_write(&article, 11, i), 0);
        check_wording(strstr(article.text.data, "\xE2\x80\x94 ") + 4);
        for (size_t s = 0; s < article.n_sentences; s++) {
            cr_assert_eq(article.sentences[s].needs & ~known & ~article.sentences[s].gives, 0);
            known |= article.sentences[s].gives;
        }
        for (size_t f = 0; f < article.domain->n_facts; f++) {
            cr_assert_eq((article.present >> f & 1) != 0, article.position[f] >= 0);
        }
    }
    newswire_article_free(&article);
}
