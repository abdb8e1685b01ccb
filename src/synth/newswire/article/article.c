#include "synth/newswire/article/article.h"

#include <string.h>

#include "base/core/try.h"

enum {
    SHORTEST_ARTICLE = 215,
    LONGEST_ARTICLE = 560,
    MAX_PLAN = NEWSWIRE_MAX_FACTS + NEWSWIRE_MAX_SCENES
};

static const char *const months[] = {"January",   "February", "March",    "April",
                                     "May",       "June",     "July",     "August",
                                     "September", "October",  "November", "December"};

/* Streams of the purpose REGRET_RNG_NEWSWIRE: the kinds never collide. */
static uint64_t stream_article(size_t index)
{
    return index;
}

static uint64_t stream_block(size_t block)
{
    return UINT64_C(1) << 61 | block;
}

uint64_t newswire_stream_grasp(size_t article, size_t agent)
{
    return UINT64_C(1) << 62 | (uint64_t)article << 8 | agent;
}

uint64_t newswire_stream_draw(size_t article, size_t agent, uint32_t draw)
{
    return UINT64_C(1) << 63 | (uint64_t)article << 40 | (uint64_t)agent << 32 | draw;
}

int newswire_is_major(const struct newswire_fact *fact)
{
    return fact->rank <= NEWSWIRE_EXTRA;
}

/* Domains come in shuffled blocks, so that a block of articles has each of them once. */
static const struct newswire_domain *choose_domain(const struct newswire_corpus *corpus,
                                                   uint64_t seed, size_t index)
{
    size_t order[NEWSWIRE_MAX_DOMAINS], n = corpus->n_domains;
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_NEWSWIRE, stream_block(index / n));
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
    }
    regret_rng_shuffle(&rng, order, n);
    return &corpus->domains[order[index % n]];
}

/* Two people never share a last name, two places never a name, two groups never a first word. */
static int clashes(const struct newswire_article *a, size_t slot)
{
    for (size_t i = 0; i < slot; i++) {
        if (a->domain->slots[i].type != a->domain->slots[slot].type) {
            continue;
        }
        enum newswire_slot_type type = a->domain->slots[slot].type;
        if (type == NEWSWIRE_PERSON && a->values[i].key == a->values[slot].key) {
            return 1;
        }
        if ((type == NEWSWIRE_PLACE || type == NEWSWIRE_GROUP) &&
            strncmp(a->values[i].full, a->values[slot].full, 4) == 0) {
            return 1;
        }
        if (type == NEWSWIRE_DAY && a->values[i].key == a->values[slot].key) {
            return 1;
        }
    }
    return 0;
}

static void draw_values(struct newswire_article *a, struct regret_rng *rng)
{
    for (size_t i = 0; i < a->domain->n_slots; i++) {
        int tries = 0;
        do {
            newswire_value_draw(&a->values[i], a->corpus, &a->domain->slots[i], rng);
        } while (clashes(a, i) && ++tries < 64);
    }
}

static int states_number(const struct newswire_article *a, const struct newswire_fact *fact)
{
    uint32_t slots = newswire_slots_of(a->domain, fact->article);
    for (size_t i = 0; i < a->domain->n_slots; i++) {
        if ((slots >> i & 1) && newswire_is_number(&a->domain->slots[i])) {
            return 1;
        }
    }
    return 0;
}

static void draw_facts(struct newswire_article *a, struct regret_rng *rng)
{
    static const uint32_t chance[] = {100, 100, 68, 75, 60};
    a->present = 0;
    a->n_majors = a->n_quotes = a->n_numbers = 0;
    for (size_t i = 0; i < a->domain->n_facts; i++) {
        const struct newswire_fact *fact = &a->domain->facts[i];
        a->position[i] = -1;
        if (regret_rng_below(rng, 100) >= chance[fact->rank]) {
            continue;
        }
        a->present |= UINT32_C(1) << i;
        a->n_majors += newswire_is_major(fact) != 0;
        a->n_quotes += fact->rank == NEWSWIRE_QUOTE;
        a->n_numbers += states_number(a, fact) != 0;
    }
}

/* Sorts plan[from..n) by key (insertion sort: stable, and the lists are short). */
static void sort_plan(int *plan, uint32_t *keys, size_t from, size_t n)
{
    for (size_t i = from + 1; i < n; i++) {
        for (size_t j = i; j > from && keys[j] < keys[j - 1]; j--) {
            int item = plan[j];
            uint32_t key = keys[j];
            plan[j] = plan[j - 1];
            keys[j] = keys[j - 1];
            plan[j - 1] = item;
            keys[j - 1] = key;
        }
    }
}

/* Where an item wants to stand; the shape decides how importance and chance mix. */
static uint32_t place_key(const struct newswire_article *a, int item, struct regret_rng *rng)
{
    static const uint32_t pyramid[] = {0, 100, 160, 300, 260};
    static const uint32_t delayed[] = {180, 240, 280, 200, 200};
    uint32_t noise = regret_rng_below(rng, 160);
    if (item < 0) {
        return (a->shape == NEWSWIRE_DELAYED ? 120 : 280) + 2 * noise;
    }
    enum newswire_rank rank = a->domain->facts[item].rank;
    if (a->shape == NEWSWIRE_SCATTERED) {
        return rank == NEWSWIRE_LEAD ? 0 : 100 + 2 * noise;
    }
    if (a->shape == NEWSWIRE_DELAYED) {
        return delayed[rank] + noise;
    }
    return pyramid[rank] + (rank == NEWSWIRE_LEAD ? 0 : noise);
}

/* What the article states, in order: facts by number, scene i as -1 - i. The first *planned items
 * are its text; the others, all scenes, wait until it is seen to be too short. Returns the number
 * of both. */
static size_t plan_article(struct newswire_article *a, int plan[MAX_PLAN], size_t *planned,
                           struct regret_rng *rng)
{
    uint32_t keys[MAX_PLAN];
    size_t scenes[NEWSWIRE_MAX_SCENES], n = 0;
    size_t wanted = 3 + regret_rng_below(rng, 6) + regret_rng_below(rng, 8);
    size_t n_scenes = a->domain->scenes.n + a->corpus->lists[NEWSWIRE_BACKGROUND].n;
    uint32_t shape = regret_rng_below(rng, 100);
    a->shape = shape < 45 ? NEWSWIRE_PYRAMID : shape < 75 ? NEWSWIRE_DELAYED : NEWSWIRE_SCATTERED;
    for (size_t i = 0; i < a->domain->n_facts; i++) {
        if (a->present >> i & 1) {
            plan[n] = (int)i;
            keys[n++] = place_key(a, (int)i, rng);
        }
    }
    for (size_t i = 0; i < n_scenes; i++) {
        scenes[i] = i;
    }
    regret_rng_shuffle(rng, scenes, n_scenes);
    for (size_t i = 0; i < wanted; i++) {
        plan[n] = -1 - (int)scenes[i];
        keys[n] = place_key(a, plan[n], rng);
        n++;
    }
    sort_plan(plan, keys, 0, n);
    *planned = n;
    for (size_t i = wanted; i < n_scenes && n < MAX_PLAN; i++) {
        plan[n++] = -1 - (int)scenes[i];
    }
    return n;
}

static const char *template_of(const struct newswire_article *a, int item)
{
    if (item >= 0) {
        return a->domain->facts[item].article;
    }
    size_t scene = (size_t)(-1 - item), own = a->domain->scenes.n;
    return scene < own ? a->domain->scenes.items[scene]
                       : a->corpus->lists[NEWSWIRE_BACKGROUND].items[scene - own];
}

/* "BRACKWICK, March 4 — " */
static void write_dateline(struct newswire_article *a, struct regret_rng *rng)
{
    for (size_t i = 0; i < a->domain->n_slots; i++) {
        if (a->domain->slots[i].type != NEWSWIRE_PLACE) {
            continue;
        }
        for (const char *at = a->values[i].full; *at != '\0'; at++) {
            regret_buffer_append_char(&a->text, (char)(*at >= 'a' && *at <= 'z' ? *at - 32 : *at));
        }
        break;
    }
    uint32_t month = regret_rng_below(rng, 12);
    regret_buffer_printf(&a->text, ", %s %u \xE2\x80\x94 ", months[month],
                         1 + regret_rng_below(rng, 28));
}

/* Newspapers do not begin a sentence with digits: "A total of 36 people …". */
static const char *before_number(const struct newswire_article *a, const char *template_text)
{
    char start[32];
    size_t length = strcspn(template_text, "}");
    if (template_text[0] != '{' || length + 2 > sizeof start) {
        return "";
    }
    memcpy(start, template_text, length + 1);
    start[length + 1] = '\0';
    uint32_t first = newswire_slots_of(a->domain, start);
    for (size_t i = 0; i < a->domain->n_slots; i++) {
        if ((first >> i & 1) && a->domain->slots[i].type == NEWSWIRE_COUNT &&
            a->values[i].full[0] <= '9') {
            return "a total of ";
        }
    }
    return "";
}

static void write_sentence(struct newswire_article *a, struct newswire_writer *w, int item)
{
    struct newswire_sentence *sentence = &a->sentences[a->n_sentences];
    sentence->start = a->text.length;
    sentence->fact = item >= 0 ? item : -1;
    newswire_write(w, before_number(a, template_of(a, item)), template_of(a, item), ".");
    sentence->end = a->text.length;
    sentence->gives = w->gives;
    sentence->needs = w->needs;
    if (item < 0) {
        w->subject = -1; /* "she" would now point at somebody in the scene */
    }
    if (item >= 0) {
        a->position[item] = (int)a->n_sentences;
    }
    a->n_sentences++;
}

static void write_body(struct newswire_article *a, struct regret_rng *rng)
{
    int plan[MAX_PLAN];
    size_t planned, n = plan_article(a, plan, &planned, rng);
    struct newswire_writer w = newswire_writer_at(&a->text, rng, a->domain, a->values);
    uint32_t left = 1 + regret_rng_below(rng, 3); /* sentences until the paragraph ends */
    size_t words = 0;
    for (size_t i = 0; i < n && a->n_sentences < NEWSWIRE_MAX_SENTENCES; i++) {
        if (i >= planned && words >= SHORTEST_ARTICLE) {
            break;
        }
        if (plan[i] < 0 && words >= LONGEST_ARTICLE) {
            continue;
        }
        if (a->n_sentences > 0) {
            regret_buffer_append(&a->text, left == 0 ? "\n\n" : " ");
        }
        if (left == 0) {
            left = 1 + regret_rng_below(rng, 3);
        }
        write_sentence(a, &w, plan[i]);
        left--;
        const struct newswire_sentence *last = &a->sentences[a->n_sentences - 1];
        if (a->text.data != NULL) {
            words += newswire_word_count(a->text.data + last->start, last->end - last->start);
        }
    }
}

int newswire_article_write(struct newswire_article *a, uint64_t seed, size_t index)
{
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_NEWSWIRE, stream_article(index));
    a->domain = choose_domain(a->corpus, seed, index);
    a->n_sentences = 0;
    regret_buffer_clear(&a->text);
    draw_values(a, &rng);
    draw_facts(a, &rng);
    write_dateline(a, &rng);
    write_body(a, &rng);
    TRY(regret_buffer_status(&a->text));
    newswire_tokenize(&a->tokens, regret_buffer_get(&a->text),
                      &a->corpus->lists[NEWSWIRE_STOP_WORDS]);
    return REGRET_OK;
}

void newswire_article_free(struct newswire_article *a)
{
    regret_buffer_free(&a->text);
}
