/* The judge: counts what a summary asserts against the facts of its article and maps the counts to
 * the anchors of the rubric. Every threshold of the pool's scores is in this file; the card states
 * them in words. */
#include "synth/newswire/judge.h"

/* Words a summary of an article may need for each of its major points. */
enum { WORDS_A_POINT = 10 };

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

/* 5 no unsupported claim; 4 one minor; 3 the main story stands; 2 key details wrong; 1 more than
 * half unsupported; 0 four fifths. A key claim weighs two, a minor one weighs one. */
static int faithfulness(const struct counts *c)
{
    unsigned claims = c->distorted + c->invented;
    unsigned asserted = claims + c->supported;
    unsigned weight = claims + c->key;
    if (c->words == 0 || (claims > 0 && claims * 5 >= asserted * 4)) {
        return 0;
    }
    if (claims * 2 > asserted || weight >= 8) {
        return 1;
    }
    return weight == 0 ? 5 : weight == 1 ? 4 : weight <= 3 ? 3 : 2;
}

/* 5 all major points; 4 all but one; then by share: 3 from one half, 2 from one quarter, 1 any. */
static int coverage(const struct counts *c, size_t majors)
{
    if (c->covered >= majors) {
        return 5;
    }
    if (c->covered + 1 == majors) {
        return 4;
    }
    if (c->covered * 2 >= majors) {
        return 3;
    }
    return c->covered * 4 >= majors ? 2 : c->covered > 0;
}

/* Blemishes: 2 for a garble or a dangling reference; 1 for a vague person, a repetition, a jump,
 * every second hedge, more than three bullets and more than six. */
static int clarity(const struct newswire_summary *s, const struct counts *c)
{
    static const unsigned limit[] = {0, 2, 4, 6, 9};
    unsigned blemishes = 2 * s->garbles + 2 * s->dangling + s->vague + c->repeated + s->jumps +
                         s->hedges / 2 + (s->fragments > 3) + (s->fragments > 6);
    if (c->words == 0) {
        return 0;
    }
    for (int i = 0; i < 5; i++) {
        if (blemishes <= limit[i]) {
            return 5 - i;
        }
    }
    return 0;
}

/* Points lost for length (words against ten a major point) and for idle words: filler, scenes,
 * repetition, hedging, and half of minor detail. */
static int conciseness(const struct counts *c, size_t majors)
{
    unsigned target = (unsigned)majors * WORDS_A_POINT;
    unsigned percent = target > 0 ? c->words * 100 / target : 0;
    unsigned idle = c->words > 0 ? (2 * c->idle + c->detail) * 50 / c->words : 100;
    int length = percent >= 60 && percent <= 150   ? 0
                 : percent >= 45 && percent <= 200 ? 1
                 : percent >= 33 && percent <= 270 ? 2
                 : percent >= 20 && percent <= 350 ? 3
                                                   : 4;
    int redundancy = idle < 8 ? 0 : idle < 18 ? 1 : idle < 32 ? 2 : idle < 50 ? 3 : 4;
    int lost = length + redundancy;
    return lost < 5 ? 5 - lost : 0;
}

struct newswire_scores newswire_judge(const struct newswire_summary *s,
                                      const struct newswire_article *a)
{
    struct counts c = count_assertions(s, a);
    return (struct newswire_scores){
        .faithfulness = faithfulness(&c),
        .coverage = coverage(&c, a->n_majors),
        .clarity = clarity(s, &c),
        .conciseness = conciseness(&c, a->n_majors),
        .unsupported_claims = (int)(c.distorted + c.invented),
    };
}
