/* The judge: counts what a summary asserts against the facts of its article and maps the counts to
 * the anchors of the rubric. The marks at which points are lost are the difficulty's; the card states
 * all of it in words. */
#include "synth/newswire/judge.h"

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
