/* The judge against summaries written by hand, and against changes to real ones. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "synth/agents.h"
#include "synth/corpora.h"
#include "synth/newswire.h"

static struct newswire_article article;
static struct newswire_summary summary;

static void set_up(size_t index)
{
    article.corpus = corpora_newswire();
    article.difficulty = &newswire_hard;
    cr_assert_eq(newswire_article_write(&article, 1, index), 0);
    newswire_summary_clear(&summary);
}

static void tear_down(void)
{
    newswire_article_free(&article);
    newswire_summary_free(&summary);
}

TestSuite(newswire_judge, .fini = tear_down);

static void state_majors(void)
{
    for (size_t i = 0; i < article.domain->n_facts; i++) {
        if ((article.present >> i & 1) && newswire_is_major(&article.domain->facts[i])) {
            newswire_assert(&summary, (int)i, NEWSWIRE_SUPPORTED, 10);
        }
    }
}

Test(newswire_judge, all_major_facts_rightly_told_are_perfect)
{
    for (size_t index = 0; index < 30; index++) {
        set_up(index);
        state_majors();
        struct newswire_scores s = newswire_judge(&summary, &article);
        cr_assert(s.faithfulness == 5 && s.coverage == 5 && s.clarity == 5 && s.conciseness == 5);
        cr_assert_eq(s.unsupported_claims, 0);
    }
}

Test(newswire_judge, the_article_itself_is_faithful_and_complete)
{
    set_up(3);
    newswire_copy_sentences(&summary, &article, (UINT64_C(1) << article.n_sentences) - 1);
    struct newswire_scores s = newswire_judge(&summary, &article);
    cr_assert(s.faithfulness == 5 && s.coverage == 5 && s.clarity == 5);
    cr_assert(s.conciseness <= 1);
}

Test(newswire_judge, an_invention_costs_faithfulness)
{
    set_up(0);
    state_majors();
    newswire_assert(&summary, -1, NEWSWIRE_INVENTED, 8);
    struct newswire_scores s = newswire_judge(&summary, &article);
    cr_assert(s.faithfulness == 4 && s.unsupported_claims == 1 && s.coverage == 5);
    newswire_assert(&summary, -1, NEWSWIRE_INVENTED, 8)->key = 1;
    s = newswire_judge(&summary, &article);
    cr_assert(s.faithfulness == 3 && s.unsupported_claims == 2);
    for (int i = 0; i < 60; i++) {
        newswire_assert(&summary, -1, NEWSWIRE_INVENTED, 8);
    }
    cr_assert_eq(newswire_judge(&summary, &article).faithfulness, 0);
}

Test(newswire_judge, omitted_and_distorted_points_are_not_covered)
{
    set_up(0);
    state_majors();
    cr_assert(article.n_majors >= 4);
    summary.n_assertions--;
    cr_assert_eq(newswire_judge(&summary, &article).coverage, 4);
    summary.assertions[0].status = NEWSWIRE_DISTORTED;
    struct newswire_scores s = newswire_judge(&summary, &article);
    cr_assert(s.coverage == 3 || s.coverage == 2);
    cr_assert(s.faithfulness == 3 && s.unsupported_claims == 1);
    summary.n_assertions = 0;
    s = newswire_judge(&summary, &article);
    cr_assert(s.faithfulness == 0 && s.coverage == 0 && s.clarity == 0 && s.conciseness == 0);
}

Test(newswire_judge, repetition_and_filler_cost_conciseness_and_garbles_clarity)
{
    set_up(0);
    state_majors();
    size_t n = summary.n_assertions;
    for (int i = 0; i < 3; i++) {
        newswire_assert(&summary, 0, NEWSWIRE_REPEATED, 10);
    }
    struct newswire_scores s = newswire_judge(&summary, &article);
    cr_assert(s.conciseness < 5 && s.clarity < 5 && s.coverage == 5 && s.faithfulness == 5);
    summary.n_assertions = n;
    newswire_assert(&summary, -1, NEWSWIRE_EMPTY, 20);
    s = newswire_judge(&summary, &article);
    cr_assert(s.conciseness < 5 && s.clarity == 5);
    summary.n_assertions = n;
    summary.garbles = 2;
    cr_assert_eq(newswire_judge(&summary, &article).clarity, 3);
    summary.garbles = 0;
    summary.dangling = 5;
    cr_assert_eq(newswire_judge(&summary, &article).clarity, 0);
}

static size_t words_of_text(void)
{
    size_t words = newswire_word_count(summary.text.data, summary.text.length);
    for (size_t i = 0; i + 1 < summary.text.length; i++) {
        words -= summary.text.data[i] == '-' && summary.text.data[i + 1] == ' ' &&
                 (i == 0 || summary.text.data[i - 1] == '\n');
    }
    return words;
}

Test(newswire_judge, records_account_for_every_word_of_real_summaries)
{
    for (size_t index = 0; index < 40; index++) {
        set_up(index);
        for (size_t agent = 0; agent < NEWSWIRE_AGENTS; agent++) {
            size_t words = 0;
            cr_assert_eq(newswire_summarize(&summary, &article, 1, index, agent, 0), 0);
            for (size_t i = 0; i < summary.n_assertions; i++) {
                words += summary.assertions[i].words;
            }
            cr_assert_eq(words, words_of_text(), "%s: %s", newswire_generator.agent(agent).id,
                         summary.text.data);
            cr_assert(summary.n_assertions < NEWSWIRE_MAX_ASSERTIONS);
        }
    }
}

/* The marks of the ceiling are nowhere stricter: no summary of anybody loses by them, and claims are
 * counted alike. */
Test(newswire_judge, the_judge_of_the_ceiling_is_the_more_lenient)
{
    size_t better = 0;
    for (size_t index = 0; index < 20; index++) {
        set_up(index);
        for (size_t agent = 0; agent < NEWSWIRE_AGENTS; agent++) {
            cr_assert_eq(newswire_summarize(&summary, &article, 1, index, agent, 0), 0);
            struct newswire_scores hard = newswire_judge(&summary, &article);
            article.difficulty = &newswire_ceiling;
            struct newswire_scores ceiling = newswire_judge(&summary, &article);
            article.difficulty = &newswire_hard;
            cr_assert(ceiling.faithfulness >= hard.faithfulness &&
                      ceiling.coverage >= hard.coverage && ceiling.clarity >= hard.clarity &&
                      ceiling.conciseness >= hard.conciseness);
            cr_assert_eq(ceiling.unsupported_claims, hard.unsupported_claims);
            better += ceiling.conciseness > hard.conciseness;
        }
    }
    cr_assert_gt(better, 0);
}

Test(newswire_judge, worse_summaries_never_score_higher)
{
    for (size_t index = 0; index < 60; index++) {
        set_up(index);
        for (size_t agent = 0; agent < NEWSWIRE_AGENTS; agent++) {
            cr_assert_eq(newswire_summarize(&summary, &article, 1, index, agent, 0), 0);
            struct newswire_scores before = newswire_judge(&summary, &article), after;
            newswire_assert(&summary, -1, NEWSWIRE_INVENTED, 8);
            after = newswire_judge(&summary, &article);
            cr_assert(after.faithfulness <= before.faithfulness);
            cr_assert(before.faithfulness < 5 || after.faithfulness < 5);
            cr_assert_eq(after.unsupported_claims, before.unsupported_claims + 1);
            summary.n_assertions--;
            summary.garbles++;
            cr_assert(newswire_judge(&summary, &article).clarity <= before.clarity);
            summary.garbles--;
            summary.n_assertions--;
            cr_assert(newswire_judge(&summary, &article).coverage <= before.coverage);
        }
    }
}
