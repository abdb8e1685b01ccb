#include "synth/agents.h"

#include <string.h>

#include "synth/article.h"

void newswire_summary_clear(struct newswire_summary *s)
{
    regret_buffer_clear(&s->text);
    s->n_assertions = 0;
    s->garbles = s->dangling = s->vague = s->hedges = s->fragments = s->jumps = 0;
}

void newswire_summary_free(struct newswire_summary *s)
{
    regret_buffer_free(&s->text);
}

struct newswire_assertion *newswire_assert(struct newswire_summary *s, int fact,
                                           enum newswire_status status, unsigned words)
{
    /* The longest summaries have about thirty sentences; the last record takes what exceeds. */
    if (s->n_assertions == NEWSWIRE_MAX_ASSERTIONS) {
        s->n_assertions--;
    }
    struct newswire_assertion *a = &s->assertions[s->n_assertions++];
    *a = (struct newswire_assertion){.fact = fact, .status = status, .words = words};
    return a;
}

/* The judge: counts what a summary asserts against the facts of its article and maps the counts to
 * the anchors of the rubric. The marks at which points are lost are the difficulty's; the card states
 * all of it in words. */

struct counts {
    unsigned supported, distorted, invented, repeated;
    unsigned key;   /* unsupported claims about the event itself */
    size_t covered; /* major facts stated rightly */
    unsigned words, idle, detail;
    unsigned sentences;
};

static struct counts count_assertions(const struct newswire_summary *s,
                                      const struct newswire_article *a)
{
    struct counts c = {0};
    uint32_t seen = 0;
    for (size_t i = 0; i < s->n_assertions; i++) {
        const struct newswire_assertion *as = &s->assertions[i];
        int major = as->fact >= 0 && newswire_is_major(&a->domain->facts[as->fact]);
        c.words += as->words;
        c.sentences++;
        switch (as->status) {
        case NEWSWIRE_SUPPORTED:
            c.supported++;
            c.idle += as->idle_words;
            c.detail += major ? 0 : as->words;
            if (major && !(seen >> as->fact & 1)) {
                c.covered++;
            }
            seen |= UINT32_C(1) << as->fact;
            break;
        case NEWSWIRE_DISTORTED:
            c.distorted++;
            c.key += major != 0;
            c.idle += as->idle_words;
            break;
        case NEWSWIRE_INVENTED:
            c.invented++;
            c.key += as->key != 0;
            c.idle += as->idle_words;
            break;
        case NEWSWIRE_REPEATED:
            c.repeated++;
            c.idle += as->words;
            break;
        case NEWSWIRE_EMPTY:
            c.idle += as->words;
            break;
        }
    }
    return c;
}

/* How many of the n ascending marks `value` is above. */
static int above(const unsigned *marks, int n, unsigned value)
{
    int i = 0;
    while (i < n && value > marks[i]) {
        i++;
    }
    return i;
}

/* 5 no unsupported claim; 4 one minor; 3 the main story stands; 2 key details wrong; 1 more than
 * half unsupported; 0 four fifths. A key claim weighs two, a minor one weighs one. */
static int faithfulness(const struct counts *c, const struct newswire_marks *marks)
{
    unsigned claims = c->distorted + c->invented;
    unsigned asserted = claims + c->supported;
    unsigned weight = claims + c->key;
    if (c->words == 0 || (claims > 0 && claims * 5 >= asserted * 4)) {
        return 0;
    }
    return claims * 2 > asserted ? 1 : 5 - above(marks->claims, 4, weight);
}

/* 5 all major points; 4 all but one; then by share: 3 from one half, 2 from one quarter, 1 any. */
static int coverage(const struct counts *c, size_t majors, const struct newswire_marks *marks)
{
    for (int i = 0; i < 2; i++) {
        if (c->covered + marks->missing[i] >= majors) {
            return 5 - i;
        }
    }
    for (int i = 0; i < 2; i++) {
        if (c->covered * 100 >= majors * marks->told[i]) {
            return 3 - i;
        }
    }
    return c->covered > 0;
}

/* Blemishes: 2 for a garble or a dangling reference; 1 for a vague person, a repetition, a jump,
 * every second hedge, more than three bullets and more than six. */
static int clarity(const struct newswire_summary *s, const struct counts *c,
                   const struct newswire_marks *marks)
{
    unsigned blemishes = 2 * s->garbles + 2 * s->dangling + s->vague + c->repeated + s->jumps +
                         s->hedges / 2 + (s->fragments > 3) + (s->fragments > 6);
    return c->words == 0 ? 0 : 5 - above(marks->blemishes, 5, blemishes);
}

/* Points lost for length (words against so many a major point) and for idle words: filler, scenes,
 * repetition, hedging, and half of minor detail. */
static int conciseness(const struct counts *c, size_t majors, const struct newswire_marks *marks)
{
    unsigned target = (unsigned)majors * marks->words;
    unsigned percent = target > 0 ? c->words * 100 / target : 0;
    unsigned idle = c->words > 0 ? (2 * c->idle + c->detail) * 50 / c->words : 100;
    int length = 0, redundancy = 0;
    while (length < 4 && (percent < marks->shortest[length] || percent > marks->longest[length])) {
        length++;
    }
    while (redundancy < 4 && idle >= marks->idle[redundancy]) {
        redundancy++;
    }
    int lost = length + redundancy;
    return lost < 5 ? 5 - lost : 0;
}

struct newswire_scores newswire_judge(const struct newswire_summary *s,
                                      const struct newswire_article *a)
{
    struct counts c = count_assertions(s, a);
    const struct newswire_marks *marks = &a->difficulty->marks;
    return (struct newswire_scores){
        .faithfulness = faithfulness(&c, marks),
        .coverage = coverage(&c, a->n_majors, marks),
        .clarity = clarity(s, &c, marks),
        .conciseness = conciseness(&c, a->n_majors, marks),
        .unsupported_claims = (int)(c.distorted + c.invented),
    };
}

/* The auxiliary labels T: cheap heuristics of two texts, in steps of 1/10000 so that they print
 * short. None knows what the texts say. */

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

static const struct newswire_profile styles[NEWSWIRE_STYLES] = {
    [NEWSWIRE_BRIEF] = {.base = 3, .majors = 120, .distort = 40, .invent = 20, .garble = 20},
    [NEWSWIRE_DETAILED] = {.base = 1,
                           .majors = 1000,
                           .minors = 600,
                           .full = 1,
                           .distort = 45,
                           .invent = 50,
                           .repeat = 40,
                           .filler = 60,
                           .garble = 25,
                           .prefix = 350,
                           .prefixes = NEWSWIRE_CONNECTIVES},
    [NEWSWIRE_BULLETS] = {.base = 1,
                          .majors = 740,
                          .minors = 60,
                          .bullets = 1,
                          .distort = 50,
                          .invent = 30,
                          .repeat = 50,
                          .garble = 40,
                          .vague = 80},
    [NEWSWIRE_PLAIN] = {.base = 1,
                        .majors = 620,
                        .round = 1,
                        .distort = 40,
                        .invent = 40,
                        .filler = 90,
                        .garble = 15,
                        .vague = 120,
                        .prefix = 350,
                        .prefixes = NEWSWIRE_SIMPLIFIERS},
    [NEWSWIRE_NUMBERS] = {.base = 1,
                          .majors = 650,
                          .minors = 150,
                          .number_tilt = 40,
                          .distort = 60,
                          .invent = 30,
                          .repeat = 30,
                          .garble = 30,
                          .vague = 60},
    [NEWSWIRE_QUOTES] = {.base = 2,
                         .majors = 420,
                         .minors = 250,
                         .full = 1,
                         .quote_tilt = 75,
                         .distort = 45,
                         .invent = 50,
                         .garble = 25},
    [NEWSWIRE_CAUTIOUS] = {.base = 1,
                           .majors = 680,
                           .distort = 10,
                           .invent = 5,
                           .filler = 80,
                           .garble = 25,
                           .vague = 90,
                           .prefix = 700,
                           .prefixes = NEWSWIRE_HEDGES,
                           .hedging = 1},
    [NEWSWIRE_VIVID] = {.base = 1,
                        .majors = 720,
                        .minors = 80,
                        .full = 1,
                        .distort = 50,
                        .invent = 110,
                        .garble = 10,
                        .prefix = 400,
                        .prefixes = NEWSWIRE_INTENSIVES},
};

/* What in the article helps or hurts which style. */
static void adapt(struct newswire_profile *m, const struct newswire_article *a,
                  enum newswire_style style, int small)
{
    const struct newswire_domain *domain = a->domain;
    unsigned suits = a->difficulty->suits;
    switch (style) {
    case NEWSWIRE_DETAILED:
        if (a->n_sentences < 22) { /* not enough to be detailed about */
            m->filler += 260 * suits / 100;
        }
        break;
    case NEWSWIRE_PLAIN:
        m->distort += 70 * domain->technical * suits / 100;
        break;
    case NEWSWIRE_NUMBERS:
        m->invent += a->n_numbers < 8 ? 250 * suits / 100 : 0;
        break;
    case NEWSWIRE_QUOTES:
        m->false_quotes = (a->n_quotes == 0 ? 3 : a->n_quotes == 1 ? 1 : 0) * suits / 100;
        break;
    case NEWSWIRE_CAUTIOUS:
        m->vague += 60 * domain->technical * suits / 100;
        break;
    case NEWSWIRE_VIVID:
        m->invent += 190 * domain->drama * suits / 100;
        m->distort += 25 * domain->drama * suits / 100;
        break;
    default:
        break;
    }
    if (small && a->n_numbers > 8) {
        m->distort += 30 * (unsigned)(a->n_numbers - 8) * suits / 100;
    }
}

static void grow(unsigned *rate, unsigned percent, unsigned plus)
{
    *rate = *rate * percent / 100 + plus;
}

/* An agent has good and bad articles: it may be sure of this one, or confuse it, ramble, break
 * down, or see only a part of it. */
static void grasp(struct newswire_profile *m, uint32_t luck, const struct newswire_luck *marks)
{
    if (luck < marks->sure) {
        grow(&m->distort, 25, 0);
        grow(&m->invent, 40, 0);
        grow(&m->garble, 20, 0);
        grow(&m->repeat, 40, 0);
        grow(&m->filler, 60, 0);
    } else if (luck >= marks->confused) {
        grow(&m->distort, 200, 150);
        grow(&m->invent, 150, 480);
    } else if (luck >= marks->rambling) {
        grow(&m->repeat, 200, 220);
        grow(&m->filler, 200, 260);
    } else if (luck >= marks->garbling) {
        grow(&m->garble, 200, 260);
        grow(&m->vague, 150, 150);
    } else if (luck >= marks->partial) {
        grow(&m->majors, 45, 0);
        grow(&m->minors, 150, 150);
    }
}

/* All rates are those of the difficulty. */
static void slip(struct newswire_profile *m, const struct newswire_difficulty *difficulty)
{
    grow(&m->distort, difficulty->slips, 0);
    grow(&m->invent, difficulty->slips, 0);
    grow(&m->repeat, difficulty->slips, 0);
    grow(&m->filler, difficulty->slips, 0);
    grow(&m->garble, difficulty->slips, 0);
    grow(&m->vague, difficulty->slips, 0);
}

struct newswire_profile newswire_profile_of(const struct newswire_article *article, uint64_t seed,
                                            size_t index, size_t agent)
{
    enum newswire_style style = (enum newswire_style)(agent % NEWSWIRE_STYLES);
    int small = agent < NEWSWIRE_STYLES;
    const struct newswire_difficulty *difficulty = article->difficulty;
    struct newswire_profile m = styles[style];
    struct regret_rng rng =
        regret_rng_at(seed, REGRET_RNG_NEWSWIRE, newswire_stream_grasp(index, agent));
    uint32_t luck = regret_rng_below(&rng, 100);
    m.noise = 30;
    if (small) {
        grow(&m.distort, 170, 20);
        grow(&m.garble, 200, 10);
        grow(&m.repeat, 150, 15);
        grow(&m.vague, 130, 20);
        m.noise = 50;
        m.window = 7 + regret_rng_below(&rng, 7);
        luck += difficulty->luck.small;
    } else {
        luck = luck * difficulty->luck.large / 100;
    }
    adapt(&m, article, style, small);
    grasp(&m, luck, &difficulty->luck);
    slip(&m, difficulty);
    return m;
}
