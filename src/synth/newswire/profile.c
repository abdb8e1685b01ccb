#include "synth/newswire/profile.h"

#include "synth/newswire/agents.h"

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
