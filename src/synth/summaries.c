/* Summaries that agents write. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "synth/agents.h"

/* The abstractive agents: choose facts, order them, word them, and do to them what the profile of
 * the agent makes likely. Everything done is recorded in the summary and can be read off its text.
 */

struct draft {
    struct newswire_summary *summary;
    const struct newswire_article *article;
    struct newswire_profile profile;
    struct regret_rng rng;
    struct regret_buffer sentence; /* the one being written */
    struct newswire_writer writer;
    int chosen[NEWSWIRE_MAX_FACTS]; /* facts in the order of the telling */
    size_t n_chosen;
    size_t next_phrase; /* where the next stock phrase is taken, so that none comes twice */
};

static int happens(struct draft *d, unsigned per_thousand)
{
    return regret_rng_below(&d->rng, 1000) < per_thousand;
}

static int fact_has(const struct draft *d, const struct newswire_fact *fact,
                    enum newswire_slot_type from, enum newswire_slot_type to)
{
    const struct newswire_domain *domain = d->article->domain;
    uint32_t slots = newswire_slots_of(domain, fact->brief);
    for (size_t i = 0; i < domain->n_slots; i++) {
        if ((slots >> i & 1) && domain->slots[i].type >= from && domain->slots[i].type <= to) {
            return 1;
        }
    }
    return 0;
}

static int priority(struct draft *d, size_t fact)
{
    static const int by_rank[] = {95, 70, 58, 30, 20};
    const struct newswire_fact *f = &d->article->domain->facts[fact];
    const struct newswire_profile *m = &d->profile;
    int value = by_rank[f->rank] + (int)regret_rng_below(&d->rng, m->noise);
    if (f->rank == NEWSWIRE_QUOTE) {
        value += m->quote_tilt;
    } else if (fact_has(d, f, NEWSWIRE_COUNT, NEWSWIRE_PERCENT)) {
        value += m->number_tilt;
    }
    if (m->window > 0 && d->article->position[fact] >= (int)m->window) {
        value -= 40;
    }
    return value;
}

static void choose_facts(struct draft *d)
{
    const struct newswire_article *a = d->article;
    const struct newswire_profile *m = &d->profile;
    int value[NEWSWIRE_MAX_FACTS];
    size_t n = 0;
    for (size_t i = 0; i < a->domain->n_facts; i++) {
        if (!(a->present >> i & 1)) {
            continue;
        }
        int p = priority(d, i);
        size_t at = n++;
        for (; at > 0 && value[at - 1] < p; at--) {
            value[at] = value[at - 1];
            d->chosen[at] = d->chosen[at - 1];
        }
        value[at] = p;
        d->chosen[at] = (int)i;
    }
    size_t want = m->base + (m->majors * a->n_majors + m->minors * (n - a->n_majors)) / 1000;
    d->n_chosen = want < n ? want : n;
    d->summary->jumps += d->n_chosen > 0 && d->chosen[0] != 0;
}

/* The next item of a list, walking through it from a random start. */
static const char *phrase(struct draft *d, enum newswire_list list)
{
    const struct data_strings *phrases = &d->article->corpus->lists[list];
    return phrases->items[d->next_phrase++ % phrases->n];
}

/* Puts the sentence into the summary, which is where its last blemish may happen: a doubled word
 * (garble 1) or a break in the middle (garble 2). Returns the words it has. */
static unsigned commit(struct draft *d, int garble)
{
    struct newswire_summary *s = d->summary;
    const char *text = regret_buffer_get(&d->sentence);
    size_t length = d->sentence.length;
    if (s->text.length > 0) {
        regret_buffer_append(&s->text, d->profile.bullets ? "\n" : " ");
    }
    if (d->profile.bullets) {
        regret_buffer_append(&s->text, "- ");
    }
    size_t start = s->text.length, cut = length / 2;
    while (cut < length && text[cut] != ' ') {
        cut++;
    }
    if (garble == 0 || cut >= length) {
        regret_buffer_append_n(&s->text, text, length);
    } else if (garble == 2) {
        regret_buffer_append_n(&s->text, text, cut);
        regret_buffer_append(&s->text, "...");
    } else {
        size_t end = cut + 1;
        while (end < length && text[end] != ' ') {
            end++;
        }
        regret_buffer_append_n(&s->text, text, end);
        regret_buffer_append_n(&s->text, text + cut, length - cut);
    }
    s->garbles += garble != 0 && cut < length;
    regret_buffer_clear(&d->sentence);
    if (s->text.data == NULL) {
        return 0;
    }
    return (unsigned)newswire_word_count(s->text.data + start, s->text.length - start);
}

/* Chooses what to get wrong in a template: a number three times as readily as anything else.
 * Returns 0 when there is nothing in it to get wrong. */
static int choose_wrong(struct draft *d, const char *template_text)
{
    const struct newswire_domain *domain = d->article->domain;
    const struct newswire_corpus *corpus = d->article->corpus;
    const struct data_strings *roughly = &corpus->lists[NEWSWIRE_ROUGHLY];
    uint32_t slots = newswire_slots_of(domain, template_text);
    size_t candidates[3 * NEWSWIRE_MAX_SLOTS], n = 0;
    for (size_t i = 0; i < domain->n_slots; i++) {
        if (slots >> i & 1) {
            for (int k = newswire_is_number(&domain->slots[i]) ? 3 : 1; k > 0; k--) {
                candidates[n++] = i;
            }
        }
    }
    if (n == 0) {
        return 0;
    }
    size_t slot = candidates[regret_rng_below(&d->rng, (uint32_t)n)];
    const struct newswire_value *right = &d->article->values[slot];
    newswire_value_distort(&d->writer.wrong, corpus, right, &domain->slots[slot], &d->rng);
    if (strcmp(d->writer.wrong.full, right->full) == 0) {
        return 0;
    }
    d->writer.wrong_slot = (int)slot;
    d->writer.before_wrong = roughly->items[regret_rng_below(&d->rng, (uint32_t)roughly->n)];
    return 1;
}

/* Talkative wordings often open with "on Monday," or the like: nothing goes before those. */
static int takes_prefix(const char *template_text)
{
    const char *comma = strchr(template_text, ',');
    static const char *const openers[] = {"in ", "on ",  "at ", "from ",
                                          "as ", "for ", "by ", "with "};
    for (size_t i = 0; i < sizeof openers / sizeof openers[0]; i++) {
        if (strncmp(template_text, openers[i], strlen(openers[i])) == 0) {
            return 0;
        }
    }
    return comma == NULL || comma - template_text > 30;
}

/* The full stop, inside a closing quotation mark. Bullets have none. */
static void finish_sentence(struct draft *d)
{
    struct regret_buffer *t = &d->sentence;
    if (d->profile.bullets || t->length == 0 || t->status != REGRET_OK) {
        return;
    }
    if (t->data[t->length - 1] == '"') {
        t->data[t->length - 1] = '.';
        regret_buffer_append_char(t, '"');
    } else {
        regret_buffer_append_char(t, '.');
    }
}

static unsigned words_of(const char *phrase_text)
{
    return (unsigned)newswire_word_count(phrase_text, strlen(phrase_text));
}

static void tell(struct draft *d, int fact)
{
    const struct newswire_fact *f = &d->article->domain->facts[fact];
    const char *template_text = d->profile.full ? f->full : f->brief;
    const char *prefix = "";
    int wrong = happens(d, d->profile.distort) && choose_wrong(d, template_text);
    int garble = happens(d, d->profile.garble) ? 1 + (int)regret_rng_below(&d->rng, 2) : 0;
    if (wrong && garble == 2) {
        garble = 1; /* a break might hide what was told wrongly */
    }
    if (happens(d, d->profile.prefix) && takes_prefix(template_text) &&
        (d->summary->n_assertions > 0 || d->profile.prefixes != NEWSWIRE_CONNECTIVES)) {
        prefix = phrase(d, d->profile.prefixes);
    }
    d->writer.round = d->profile.round;
    d->writer.vague =
        happens(d, d->profile.vague) && fact_has(d, f, NEWSWIRE_PERSON, NEWSWIRE_PERSON);
    d->summary->vague += d->writer.vague != 0;
    d->summary->hedges += d->profile.hedging && *prefix != '\0';
    d->summary->fragments += d->profile.bullets != 0;
    newswire_write(&d->writer, prefix, template_text, "");
    finish_sentence(d);
    d->writer.vague = 0;
    d->writer.wrong_slot = -1;
    unsigned words = commit(d, garble);
    enum newswire_status status = wrong         ? NEWSWIRE_DISTORTED
                                  : garble == 2 ? NEWSWIRE_EMPTY
                                                : NEWSWIRE_SUPPORTED;
    newswire_assert(d->summary, fact, status, words)->idle_words = words_of(prefix);
}

/* Tells the last fact once more, and rightly: after a distortion or a broken sentence that is news.
 */
static void tell_again(struct draft *d)
{
    const struct newswire_assertion *last = &d->summary->assertions[d->summary->n_assertions - 1];
    int fact = last->fact;
    int known = last->status == NEWSWIRE_SUPPORTED;
    newswire_write(&d->writer, phrase(d, NEWSWIRE_REPEATS), d->article->domain->facts[fact].brief,
                   "");
    finish_sentence(d);
    newswire_assert(d->summary, fact, known ? NEWSWIRE_REPEATED : NEWSWIRE_SUPPORTED, commit(d, 0));
}

static void fill(struct draft *d)
{
    newswire_write(&d->writer, "", phrase(d, NEWSWIRE_FILLERS), "");
    finish_sentence(d);
    newswire_assert(d->summary, -1, NEWSWIRE_EMPTY, commit(d, 0));
}

/* A person nobody has heard of; the name of nobody in the article. */
static void draw_unknown_person(struct draft *d, char out[NEWSWIRE_FULL_BYTES])
{
    const struct newswire_article *a = d->article;
    for (int tries = 0; tries < 64; tries++) {
        newswire_name_draw(out, a->corpus, &d->rng);
        const char *last = strchr(out, ' ');
        if (strstr(regret_buffer_get(&a->text), last) == NULL) {
            return;
        }
    }
}

static void invent(struct draft *d, int key)
{
    const char *text = phrase(d, key ? NEWSWIRE_INVENTIONS_KEY : NEWSWIRE_INVENTIONS_MINOR);
    const char *gap = strstr(text, "%s");
    char name[NEWSWIRE_FULL_BYTES];
    if (gap == NULL) {
        newswire_write(&d->writer, "", text, "");
    } else {
        draw_unknown_person(d, name);
        regret_buffer_append_n(&d->sentence, text, (size_t)(gap - text));
        regret_buffer_append(&d->sentence, name);
        regret_buffer_append(&d->sentence, gap + 2);
    }
    finish_sentence(d);
    newswire_assert(d->summary, -1, NEWSWIRE_INVENTED, commit(d, 0))->key = key;
}

static void invent_quote(struct draft *d)
{
    char name[NEWSWIRE_FULL_BYTES];
    const char *quote = phrase(d, NEWSWIRE_FALSE_QUOTES);
    draw_unknown_person(d, name);
    regret_buffer_printf(&d->sentence, "%s said: \"%c%s\"", name,
                         *quote >= 'a' && *quote <= 'z' ? *quote - 'a' + 'A' : *quote, quote + 1);
    finish_sentence(d);
    newswire_assert(d->summary, -1, NEWSWIRE_INVENTED, commit(d, 0));
}

static void write_draft(struct draft *d)
{
    unsigned inventions = 0;
    for (int i = 0; i < 3; i++) {
        inventions += happens(d, d->profile.invent) != 0;
    }
    for (unsigned i = 0; i < d->profile.false_quotes; i++) {
        invent_quote(d);
    }
    for (size_t i = 0; i < d->n_chosen; i++) {
        tell(d, d->chosen[i]);
        if (happens(d, d->profile.repeat)) {
            tell_again(d);
        }
        if (happens(d, d->profile.filler)) {
            fill(d);
        }
        size_t left = d->n_chosen - i;
        while (inventions > 0 && regret_rng_below(&d->rng, (uint32_t)left) < inventions) {
            invent(d, happens(d, 450));
            inventions--;
        }
    }
}

int newswire_abstract(struct newswire_summary *summary, const struct newswire_article *article,
                      uint64_t seed, size_t index, size_t agent, uint32_t draw)
{
    struct draft d = {
        .summary = summary,
        .article = article,
        .profile = newswire_profile_of(article, seed, index, agent),
        .rng = regret_rng_at(seed, REGRET_RNG_NEWSWIRE, newswire_stream_draw(index, agent, draw)),
        .sentence = REGRET_BUFFER_INIT,
    };
    d.writer = newswire_writer_at(&d.sentence, &d.rng, article->domain, article->values);
    d.next_phrase = regret_rng_below(&d.rng, 1 << 20);
    choose_facts(&d);
    write_draft(&d);
    int rc = regret_buffer_status(&d.sentence);
    regret_buffer_free(&d.sentence);
    TRY(rc);
    return regret_buffer_status(&summary->text);
}

/* The extractive systems, run on the words of the article.
 *
 * TextRank (Mihalcea and Tarau, EMNLP 2004): PageRank over word overlap, |common| / (log|a| +
 * log|b|).
 *
 * Continuous LexRank (Erkan and Radev, JAIR 2004, doi:10.1613/jair.1523): PageRank over tf-idf
 * cosines, without the threshold, which would leave a short article few edges.
 *
 * SumBasic (Nenkova and Vanderwende, MSR-TR-2005-101): mean word probability, squared once used.
 *
 * Logarithms are fixed-point integers and scores are rounded to 1e-9 before they are compared, so
 * that every machine chooses the same sentences; ties go to the earlier one. */

enum {
    MAX_WORDS = 512, /* different words of an article */
    LEAD_SENTENCES = 3,
    TEXTRANK_SENTENCES = 4,
    LEXRANK_SENTENCES = 3,
    SUMBASIC_WORDS = 100,
    ROUNDS = 60
};

static const double DAMPING = 0.85;

struct matrix {
    double at[NEWSWIRE_MAX_SENTENCES][NEWSWIRE_MAX_SENTENCES];
};

/* Which content words each sentence has; words numbered by first use. */
struct bags {
    size_t n, n_words;
    unsigned sentences_with[MAX_WORDS];
    unsigned uses[MAX_WORDS];
    unsigned total;
    unsigned size[NEWSWIRE_MAX_SENTENCES]; /* content words with repetition */
    unsigned char count[NEWSWIRE_MAX_SENTENCES][MAX_WORDS];
    size_t n_different[NEWSWIRE_MAX_SENTENCES]; /* words of a sentence, ascending: */
    unsigned short word[NEWSWIRE_MAX_SENTENCES][MAX_WORDS];
};

/* log2(n) in units of 2^-16, n >= 1, by repeated squaring. */
static uint32_t log2_fixed(uint32_t n)
{
    uint32_t whole = 0, result;
    uint64_t x = (uint64_t)n << 30;
    while (n > 1) {
        n >>= 1;
        whole++;
    }
    x >>= whole; /* in [1, 2) with 30 fractional bits */
    result = whole << 16;
    for (uint32_t bit = 1U << 15; bit > 0; bit >>= 1) {
        x = x * x >> 30;
        if (x >= UINT64_C(2) << 30) {
            result |= bit;
            x >>= 1;
        }
    }
    return result;
}

/* What a bag needs to number words: by the first place of each in the article, its number + 1. */
struct numbers {
    unsigned short at[NEWSWIRE_MAX_TOKENS];
};

/* MAX_WORDS for a word that has no number any more. */
static size_t word_index(struct bags *b, struct numbers *numbers, size_t place)
{
    if (numbers->at[place] == 0 && b->n_words < MAX_WORDS) {
        numbers->at[place] = (unsigned short)++b->n_words;
    }
    return numbers->at[place] > 0 ? numbers->at[place] - 1U : MAX_WORDS;
}

static void list_words(struct bags *b)
{
    for (size_t s = 0; s < b->n; s++) {
        for (size_t w = 0; w < b->n_words; w++) {
            if (b->count[s][w] > 0) {
                b->word[s][b->n_different[s]++] = (unsigned short)w;
            }
        }
    }
}

static void fill_bags(struct bags *b, const struct newswire_article *a)
{
    struct numbers numbers = {{0}};
    size_t s = 0;
    b->n = a->n_sentences;
    for (size_t t = 0; t < a->tokens.count; t++) {
        const struct newswire_token *token = &a->tokens.items[t];
        while (s < b->n && token->start >= a->sentences[s].end) {
            s++;
        }
        if (s == b->n || token->start < a->sentences[s].start || token->stop) {
            continue;
        }
        size_t w = word_index(b, &numbers, newswire_first_place(&a->tokens, token->hash));
        if (w == MAX_WORDS) {
            continue;
        }
        b->sentences_with[w] += b->count[s][w] == 0;
        b->count[s][w]++;
        b->uses[w]++;
        b->size[s]++;
        b->total++;
    }
    list_words(b);
}

static void textrank_weights(struct matrix *weights, const struct bags *b)
{
    uint32_t logs[NEWSWIRE_MAX_SENTENCES];
    for (size_t i = 0; i < b->n; i++) {
        logs[i] = b->size[i] > 0 ? log2_fixed(b->size[i]) : 0;
        for (size_t j = 0; j < i; j++) {
            unsigned common = 0;
            for (size_t k = 0; k < b->n_different[i]; k++) {
                common += b->count[j][b->word[i][k]] > 0;
            }
            uint32_t both = logs[i] + logs[j];
            double weight = both > 0 ? (double)common * 65536.0 / both : 0.0;
            weights->at[i][j] = weights->at[j][i] = weight;
        }
    }
}

static void lexrank_weights(struct matrix *weights, const struct bags *b)
{
    double idf[MAX_WORDS], length[NEWSWIRE_MAX_SENTENCES];
    for (size_t w = 0; w < b->n_words; w++) {
        uint32_t log_n = log2_fixed((uint32_t)b->n), log_w = log2_fixed(b->sentences_with[w]);
        idf[w] = (double)(log_n - log_w) / 65536.0;
    }
    for (size_t i = 0; i < b->n; i++) {
        double squares = 0.0, x[MAX_WORDS];
        for (size_t k = 0; k < b->n_different[i]; k++) {
            x[k] = b->count[i][b->word[i][k]] * idf[b->word[i][k]];
            squares += x[k] * x[k];
        }
        length[i] = sqrt(squares);
        for (size_t j = 0; j < i; j++) {
            double dot = 0.0;
            for (size_t k = 0; k < b->n_different[i]; k++) {
                dot += x[k] * (b->count[j][b->word[i][k]] * idf[b->word[i][k]]);
            }
            double lengths = length[i] * length[j];
            weights->at[i][j] = weights->at[j][i] = lengths > 0.0 ? dot / lengths : 0.0;
        }
    }
}

/* What each sentence hands on in a round, a row a sentence that gives, in place of the weights. */
static void make_shares(struct matrix *weights, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double out = 0.0;
        for (size_t i = 0; i < n; i++) {
            out += weights->at[j][i];
        }
        for (size_t i = 0; i < n; i++) {
            weights->at[j][i] = out > 0.0 ? DAMPING * weights->at[j][i] / out : 0.0;
        }
    }
}

static void page_rank(double score[NEWSWIRE_MAX_SENTENCES], const struct matrix *shares, size_t n)
{
    double next[NEWSWIRE_MAX_SENTENCES];
    for (size_t i = 0; i < n; i++) {
        score[i] = 1.0;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < n; i++) {
            next[i] = 1.0 - DAMPING;
        }
        for (size_t j = 0; j < n; j++) {
            for (size_t i = 0; i < n; i++) {
                next[i] += shares->at[j][i] * score[j];
            }
        }
        for (size_t i = 0; i < n; i++) {
            score[i] = next[i];
        }
    }
}

/* The best `want` sentences. */
static uint64_t best(const double score[], size_t n, size_t want)
{
    uint64_t chosen = 0;
    for (; want > 0; want--) {
        size_t top = n;
        for (size_t i = 0; i < n; i++) {
            if (!(chosen >> i & 1) &&
                (top == n || llround(score[i] * 1e9) > llround(score[top] * 1e9))) {
                top = i;
            }
        }
        if (top < n) {
            chosen |= UINT64_C(1) << top;
        }
    }
    return chosen;
}

/* `weigh` gives the weights of different sentences. */
static uint64_t rank_sentences(const struct bags *b,
                               void (*weigh)(struct matrix *, const struct bags *), size_t want)
{
    struct matrix weights = {0};
    double score[NEWSWIRE_MAX_SENTENCES];
    weigh(&weights, b);
    make_shares(&weights, b->n);
    page_rank(score, &weights, b->n);
    return best(score, b->n, want);
}

static uint64_t sum_basic(const struct bags *b, const struct newswire_article *a)
{
    double p[MAX_WORDS], score[NEWSWIRE_MAX_SENTENCES];
    uint64_t chosen = 0;
    size_t words = 0;
    for (size_t w = 0; w < b->n_words; w++) {
        p[w] = (double)b->uses[w] / b->total;
    }
    while (words < SUMBASIC_WORDS) {
        for (size_t s = 0; s < b->n; s++) {
            double sum = 0.0;
            for (size_t k = 0; k < b->n_different[s]; k++) {
                sum += b->count[s][b->word[s][k]] * p[b->word[s][k]];
            }
            score[s] = (chosen >> s & 1) || b->size[s] == 0 ? -1.0 : sum / b->size[s];
        }
        uint64_t top = best(score, b->n, 1);
        if ((top & ~chosen) == 0) {
            break;
        }
        chosen |= top;
        for (size_t s = 0; s < b->n; s++) {
            if (!(top >> s & 1)) {
                continue;
            }
            const struct newswire_sentence *sentence = &a->sentences[s];
            words += newswire_word_count(regret_buffer_get(&a->text) + sentence->start,
                                         sentence->end - sentence->start);
            for (size_t k = 0; k < b->n_different[s]; k++) {
                p[b->word[s][k]] *= p[b->word[s][k]];
            }
        }
    }
    return chosen;
}

void newswire_copy_sentences(struct newswire_summary *s, const struct newswire_article *a,
                             uint64_t chosen)
{
    uint32_t known = 0;
    int last = -1;
    for (size_t i = 0; i < a->n_sentences; i++) {
        const struct newswire_sentence *sentence = &a->sentences[i];
        if (!(chosen >> i & 1)) {
            continue;
        }
        size_t length = sentence->end - sentence->start;
        const char *text = regret_buffer_get(&a->text) + sentence->start;
        if (s->text.length > 0) {
            regret_buffer_append(&s->text, " ");
        }
        regret_buffer_append_n(&s->text, text, length);
        newswire_assert(s, sentence->fact,
                        sentence->fact >= 0 ? NEWSWIRE_SUPPORTED : NEWSWIRE_EMPTY,
                        (unsigned)newswire_word_count(text, length));
        for (uint32_t lost = sentence->needs & ~known & ~sentence->gives; lost != 0;
             lost &= lost - 1) {
            s->dangling++;
        }
        known |= sentence->gives;
        s->jumps += last >= 0 && (int)i > last + 1;
        last = (int)i;
    }
}

int newswire_extract(struct newswire_summary *s, const struct newswire_article *a, size_t agent)
{
    struct bags b = {0};
    uint64_t chosen = 0;
    fill_bags(&b, a);
    if (agent == NEWSWIRE_LEAD3) {
        chosen = (UINT64_C(1) << LEAD_SENTENCES) - 1;
    } else if (agent == NEWSWIRE_TEXTRANK) {
        chosen = rank_sentences(&b, textrank_weights, TEXTRANK_SENTENCES);
    } else if (agent == NEWSWIRE_LEXRANK) {
        chosen = rank_sentences(&b, lexrank_weights, LEXRANK_SENTENCES);
    } else {
        chosen = sum_basic(&b, a);
    }
    newswire_copy_sentences(s, a, chosen);
    return regret_buffer_status(&s->text);
}
