/* The auxiliary labels T: cheap heuristics of two texts, in steps of 1/10000 so that they print
 * short. None knows what the texts say. */
#include <string.h>

#include "synth/newswire/judge.h"

enum { LEAD_WORDS = 70 };

const char *const newswire_label_names[NEWSWIRE_LABELS] = {"words",
                                                           "sentences",
                                                           "compression",
                                                           "novel_token_share",
                                                           "novel_bigram_share",
                                                           "unmatched_numbers",
                                                           "unmatched_names",
                                                           "copied_density",
                                                           "repetition",
                                                           "lead_overlap"};

static double share(size_t part, size_t whole)
{
    size_t steps = whole > 0 ? part * 10000 / whole : 0;
    return (double)steps / 10000.0;
}

static int occurs(const struct newswire_tokens *in, uint64_t hash, size_t before)
{
    size_t place = newswire_first_place(in, hash);
    return place < in->count && place < before;
}

/* Tokens the output shares with the article from positions i and j on. */
static size_t run(const struct newswire_tokens *o, size_t i, const struct newswire_tokens *a,
                  size_t j)
{
    size_t n = 0;
    while (i + n < o->count && j + n < a->count && o->items[i + n].hash == a->items[j + n].hash) {
        n++;
    }
    return n;
}

static size_t longest_run(const struct newswire_tokens *o, size_t i,
                          const struct newswire_tokens *a)
{
    size_t longest = 0;
    for (size_t j = newswire_first_place(a, o->items[i].hash); j < a->count;
         j = newswire_next_place(a, j)) {
        size_t n = run(o, i, a, j);
        longest = n > longest ? n : longest;
    }
    return longest;
}

/* Mean length of the fragments copied from the article, weighted by length (the extractive fragment
 * density of Grusky, Naaman and Artzi, NAACL 2018, doi:10.18653/v1/N18-1065). */
static double copied_density(const struct newswire_tokens *o, const struct newswire_tokens *a)
{
    size_t squares = 0;
    for (size_t i = 0; i < o->count;) {
        size_t n = longest_run(o, i, a);
        squares += n * n;
        i += n > 0 ? n : 1;
    }
    return share(squares, o->count);
}

static size_t repeated_bigrams(const struct newswire_tokens *o)
{
    size_t repeated = 0;
    for (size_t i = 1; i + 1 < o->count; i++) {
        for (size_t j = newswire_first_place(o, o->items[i].hash); j < i;
             j = newswire_next_place(o, j)) {
            if (run(o, i, o, j) >= 2) {
                repeated++;
                break;
            }
        }
    }
    return repeated;
}

static size_t sentence_ends(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++) {
        n += (*text == '.' || *text == '\n') && text[1] != '.' &&
             !(text[1] >= '0' && text[1] <= '9');
    }
    return n;
}

void newswire_label(double labels[NEWSWIRE_LABELS], const struct newswire_article *article,
                    const char *output)
{
    static const struct data_strings no_stop_words = {0}; /* no label asks for them */
    struct newswire_tokens o;
    const struct newswire_tokens *a = &article->tokens;
    size_t novel = 0, novel_bigrams = 0, numbers = 0, names = 0, lead = 0;
    newswire_tokenize(&o, output, &no_stop_words);
    for (size_t i = 0; i < o.count; i++) {
        int known = occurs(a, o.items[i].hash, a->count);
        novel += !known;
        numbers += !known && o.items[i].number;
        names += !known && o.items[i].capital;
        lead += occurs(a, o.items[i].hash, LEAD_WORDS) != 0;
        novel_bigrams += i + 1 < o.count && longest_run(&o, i, a) < 2;
    }
    labels[0] = (double)newswire_word_count(output, strlen(output));
    labels[1] = (double)sentence_ends(output);
    labels[2] = share(o.count, a->count);
    labels[3] = share(novel, o.count);
    labels[4] = share(novel_bigrams, o.count > 1 ? o.count - 1 : 0);
    labels[5] = (double)numbers;
    labels[6] = (double)names;
    labels[7] = copied_density(&o, a);
    labels[8] = share(repeated_bigrams(&o), o.count);
    labels[9] = share(lead, o.count);
}
