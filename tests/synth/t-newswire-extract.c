/* The extractive systems against naive references that share no code with them but the words. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "regret/task.h"
#include "synth/agents.h"
#include "synth/corpora.h"
#include "synth/newswire.h"

static struct newswire_article article;
static struct newswire_summary summary;

static void tear_down(void)
{
    newswire_article_free(&article);
    newswire_summary_free(&summary);
}

TestSuite(newswire_extract, .fini = tear_down);

static void extract(size_t index, size_t agent)
{
    article.corpus = corpora_newswire();
    article.difficulty = &newswire_hard;
    cr_assert_eq(newswire_article_write(&article, 1, index), 0);
    cr_assert_eq(newswire_summarize(&summary, &article, 1, index, agent, 0), 0);
}

Test(newswire_extract, outputs_hold_nothing_but_sentences_of_the_article)
{
    for (size_t index = 0; index < 80; index++) {
        for (size_t agent = NEWSWIRE_LEAD3; agent < NEWSWIRE_AGENTS; agent++) {
            extract(index, agent);
            char *copy = strdup(summary.text.data), *at = copy;
            while (at !=
                   NULL) { /* ". " also cuts inside a sentence: pieces must occur all the same */
                char *end = strstr(at, ". ");
                if (end != NULL) {
                    end[1] = '\0';
                }
                cr_assert_not_null(strstr(article.text.data, at), "%s is not in the article", at);
                at = end != NULL ? end + 2 : NULL;
            }
            free(copy);
        }
    }
}

Test(newswire_extract, lead_3_is_how_the_article_begins)
{
    for (size_t index = 0; index < 80; index++) {
        extract(index, NEWSWIRE_LEAD3);
        const char *at = strstr(article.text.data, "\xE2\x80\x94 ") + 4, *lead = summary.text.data;
        for (; *lead != '\0'; lead++, at++) {
            if (*at == '\n') {
                at++; /* the second of two; a blank stands for both */
            }
            cr_assert(*lead == *at || (*lead == ' ' && *at == '\n'), "%s", lead);
        }
    }
}

/* Content words of sentence s, into `words`; returns how many. */
static size_t bag(size_t s, uint64_t words[128])
{
    size_t n = 0;
    for (size_t t = 0; t < article.tokens.count && n < 128; t++) {
        const struct newswire_token *token = &article.tokens.items[t];
        if (token->start >= article.sentences[s].start && token->start < article.sentences[s].end &&
            !token->stop) {
            words[n++] = token->hash;
        }
    }
    return n;
}

static size_t uses(const uint64_t *words, size_t n, uint64_t word)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        count += words[i] == word;
    }
    return count;
}

static double naive_textrank(size_t i, size_t j)
{
    uint64_t a[128], b[128];
    size_t n = bag(i, a), m = bag(j, b), common = 0;
    for (size_t k = 0; k < n; k++) {
        common += uses(a, k, a[k]) == 0 && uses(b, m, a[k]) > 0;
    }
    double logs = log((double)n) + log((double)m);
    return n > 0 && m > 0 && logs > 0 ? (double)common / logs : 0.0;
}

static double idf(uint64_t word)
{
    size_t with = 0;
    for (size_t s = 0; s < article.n_sentences; s++) {
        uint64_t w[128];
        size_t n = bag(s, w);
        with += uses(w, n, word) > 0;
    }
    return log((double)article.n_sentences / (double)with);
}

static double dot(size_t i, size_t j)
{
    uint64_t a[128], b[128];
    size_t n = bag(i, a), m = bag(j, b);
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) {
        if (uses(a, k, a[k]) == 0) {
            double f = idf(a[k]);
            sum += f * f * (double)(uses(a, n, a[k]) * uses(b, m, a[k]));
        }
    }
    return sum;
}

static double naive_lexrank(size_t i, size_t j)
{
    double norm = sqrt(dot(i, i) * dot(j, j));
    return norm > 0 ? dot(i, j) / norm : 0.0;
}

/* Chosen sentences by PageRank with the weights of `weight`, iterated to rest. */
static uint64_t naive_rank(double (*weight)(size_t, size_t), size_t want)
{
    static double w[64][64];
    double score[64], next[64], out[64];
    size_t n = article.n_sentences;
    uint64_t chosen = 0;
    for (size_t i = 0; i < n; i++) {
        out[i] = 0.0;
        score[i] = 1.0;
        for (size_t j = 0; j < n; j++) {
            out[i] += w[i][j] = i == j ? 0.0 : weight(i, j);
        }
    }
    for (int round = 0; round < 500; round++) {
        for (size_t i = 0; i < n; i++) {
            next[i] = 0.15;
            for (size_t j = 0; j < n; j++) {
                next[i] += out[j] > 0 ? 0.85 * score[j] * w[j][i] / out[j] : 0.0;
            }
        }
        memcpy(score, next, sizeof next);
    }
    while (want-- > 0) {
        size_t top = n;
        for (size_t i = 0; i < n; i++) {
            if (!(chosen >> i & 1) && (top == n || score[i] > score[top] + 1e-7)) {
                top = i;
            }
        }
        chosen |= UINT64_C(1) << top;
    }
    return chosen;
}

static uint64_t sentences_of_summary(void)
{
    uint64_t chosen = 0;
    for (size_t s = 0; s < article.n_sentences; s++) {
        size_t length = article.sentences[s].end - article.sentences[s].start;
        char *copy = strndup(article.text.data + article.sentences[s].start, length);
        if (strstr(summary.text.data, copy) != NULL) {
            chosen |= UINT64_C(1) << s;
        }
        free(copy);
    }
    return chosen;
}

Test(newswire_extract, textrank_agrees_with_a_naive_one)
{
    for (size_t index = 0; index < 26; index++) {
        extract(index, NEWSWIRE_TEXTRANK);
        cr_assert_eq(sentences_of_summary(), naive_rank(naive_textrank, 4), "article %zu", index);
    }
}

/* The naive one takes three seconds an article under the sanitizers. */
#ifdef REGRET_FEW_REPLICATES
enum { LEXRANK_ARTICLES = 3 };
#else
enum { LEXRANK_ARTICLES = 13 };
#endif

Test(newswire_extract, lexrank_agrees_with_a_naive_one)
{
    for (size_t index = 0; index < LEXRANK_ARTICLES; index++) {
        extract(index, NEWSWIRE_LEXRANK);
        cr_assert_eq(sentences_of_summary(), naive_rank(naive_lexrank, 3), "article %zu", index);
    }
}

/* SumBasic with word weights kept as the number of times each was squared. */
static uint64_t naive_sumbasic(void)
{
    static uint64_t all[2048];
    static int squared[2048];
    size_t n = 0, words = 0;
    uint64_t chosen = 0;
    for (size_t s = 0; s < article.n_sentences; s++) {
        n += bag(s, all + n);
    }
    memset(squared, 0, sizeof squared);
    while (words < 100) {
        double best = 0.0;
        size_t top = article.n_sentences;
        for (size_t s = 0; s < article.n_sentences; s++) {
            uint64_t w[128];
            size_t m = bag(s, w);
            double sum = 0.0;
            for (size_t k = 0; k < m; k++) {
                size_t at = 0;
                while (all[at] != w[k]) {
                    at++;
                }
                sum += pow((double)uses(all, n, w[k]) / (double)n, exp2(squared[at]));
            }
            if (m > 0 && !(chosen >> s & 1) && sum / (double)m > best + 1e-9) {
                best = sum / (double)m;
                top = s;
            }
        }
        if (top == article.n_sentences) {
            break;
        }
        uint64_t w[128];
        size_t m = bag(top, w);
        for (size_t k = 0; k < m; k++) {
            for (size_t at = 0; at < n && uses(w, k, w[k]) == 0; at++) {
                if (all[at] == w[k]) {
                    squared[at]++;
                    break;
                }
            }
        }
        chosen |= UINT64_C(1) << top;
        words += newswire_word_count(article.text.data + article.sentences[top].start,
                                     article.sentences[top].end - article.sentences[top].start);
    }
    return chosen;
}

Test(newswire_extract, sumbasic_agrees_with_a_naive_one)
{
    for (size_t index = 0; index < 80; index++) {
        extract(index, NEWSWIRE_SUMBASIC);
        cr_assert_eq(sentences_of_summary(), naive_sumbasic(), "article %zu", index);
    }
}

Test(newswire_extract, places_of_a_word_are_those_a_scan_finds)
{
    for (size_t index = 0; index < 20; index++) {
        extract(index, NEWSWIRE_LEAD3);
        const struct newswire_tokens *t = &article.tokens;
        cr_assert_gt(t->count, 50);
        for (size_t i = 0; i < t->count; i++) {
            size_t place = newswire_first_place(t, t->items[i].hash);
            for (size_t j = 0; j < t->count; j++) {
                if (t->items[j].hash == t->items[i].hash) {
                    cr_assert_eq(place, j);
                    place = newswire_next_place(t, place);
                }
            }
            cr_assert_eq(place, t->count);
            uint64_t absent = ~t->items[i].hash;
            cr_assert_eq(newswire_first_place(t, absent), t->count);
        }
    }
}

static int has_text(const struct data_strings *list, const char *word, size_t length)
{
    for (size_t i = 0; i < list->n; i++) {
        if (strlen(list->items[i]) == length && strncasecmp(list->items[i], word, length) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Words that join parts ("half-mile", "1,240") are no stop words: an end short of a part is harmless. */
Test(newswire_extract, stop_words_are_those_of_the_list)
{
    static const char in_words[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'-";
    const struct data_strings *stop_words = &corpora_newswire()->lists[NEWSWIRE_STOP_WORDS];
    size_t n_stop = 0, n = 0;
    for (size_t index = 0; index < 20; index++) {
        extract(index, NEWSWIRE_LEAD3);
        const struct newswire_tokens *t = &article.tokens;
        for (size_t i = 0; i < t->count; i++) {
            const char *word = article.text.data + t->items[i].start;
            size_t length = strspn(word, in_words);
            cr_assert_eq(t->items[i].stop != 0, has_text(stop_words, word, length), "%.*s",
                         (int)length, word);
            n_stop += t->items[i].stop;
        }
        n += t->count;
    }
    cr_assert(n_stop > n / 10 && n_stop < n / 2, "%zu of %zu", n_stop, n);
}

Test(newswire_extract, words_are_counted_as_a_reader_of_single_letters_counts_them)
{
    struct regret_rng rng = regret_rng_at(12, REGRET_RNG_TEST, 0);
    for (int round = 0; round < 2000; round++) {
        char text[100];
        size_t length = regret_rng_below(&rng, sizeof text), words = 0;
        int inside = 0;
        for (size_t i = 0; i < length; i++) {
            text[i] = "ab.  \n"[regret_rng_below(&rng, 6)];
            int space = text[i] == ' ' || text[i] == '\n';
            words += !space && !inside;
            inside = !space;
        }
        cr_assert_eq(newswire_word_count(text, length), words);
    }
}
