#include "synth/grammar.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/task.h"
#include "synth/article.h"
#include "synth/data.h"

const struct newswire_difficulty newswire_hard = {
    .slips = 100,
    .suits = 100,
    .luck = {.sure = 42,
             .partial = 55,
             .garbling = 63,
             .rambling = 72,
             .confused = 83,
             .small = 8,
             .large = 95},
    .marks = {.claims = {0, 1, 3, 7},
              .missing = {0, 1},
              .told = {50, 25},
              .blemishes = {0, 2, 4, 6, 9},
              .words = 10,
              .shortest = {60, 45, 33, 20},
              .longest = {150, 200, 270, 350},
              .idle = {8, 18, 32, 50}},
};

const struct newswire_difficulty newswire_ceiling = {
    .slips = 81,
    .suits = 70,
    .luck = {.sure = 76,
             .partial = 82,
             .garbling = 85,
             .rambling = 89,
             .confused = 93,
             .small = 19,
             .large = 95},
    .marks = {.claims = {0, 1, 3, 7},
              .missing = {3, 4},
              .told = {28, 14},
              .blemishes = {2, 4, 6, 8, 11},
              .words = 10,
              .shortest = {50, 37, 27, 17},
              .longest = {182, 242, 327, 424},
              .idle = {16, 35, 63, 98}},
};

const struct regret_spread_options newswire_fitted = {
    .within = 0.18,
    .agents = 1.75,
    .contexts = 1.0,
    .noise = 0.0,
    .seed = 0,
};

struct newswire_writer newswire_writer_at(struct regret_buffer *text, struct regret_rng *rng,
                                          const struct newswire_domain *domain,
                                          const struct newswire_value *values)
{
    return (struct newswire_writer){.text = text,
                                    .rng = rng,
                                    .domain = domain,
                                    .values = values,
                                    .subject = -1,
                                    .wrong_slot = -1,
                                    .before_wrong = ""};
}

static void mention_wrong(struct newswire_writer *w, int slot)
{
    if (newswire_is_number(&w->domain->slots[slot])) {
        regret_buffer_append(w->text, w->before_wrong);
    }
    regret_buffer_append(w->text, w->wrong.full);
}

/* By what it is called once it was introduced, or else in full. */
static void mention_by_name(struct newswire_writer *w, int slot, char form)
{
    const struct newswire_value *value = &w->values[slot];
    uint32_t bit = UINT32_C(1) << slot;
    if ((w->introduced & bit) && form != '+') {
        w->needs |= bit;
        regret_buffer_append(w->text, value->again);
    } else {
        w->gives |= bit;
        w->introduced |= bit;
        regret_buffer_append(w->text, value->full);
    }
}

static void mention_person(struct newswire_writer *w, int slot, char form)
{
    if (w->vague) {
        regret_buffer_append(w->text, "the official");
    } else if (form == '^' && w->subject == slot) {
        w->needs |= UINT32_C(1) << slot;
        regret_buffer_append(w->text, w->values[slot].female ? "she" : "he");
    } else {
        mention_by_name(w, slot, form);
    }
    w->subject = slot;
}

static void mention_other(struct newswire_writer *w, int slot, char form)
{
    if (w->values[slot].again[0] == '\0') {
        regret_buffer_append(w->text, w->values[slot].full);
    } else {
        mention_by_name(w, slot, form);
    }
}

static void mention(struct newswire_writer *w, int slot, char form)
{
    const struct newswire_value *value = &w->values[slot];
    if (slot == w->wrong_slot) {
        mention_wrong(w, slot);
    } else if (w->domain->slots[slot].type == NEWSWIRE_PERSON) {
        mention_person(w, slot, form);
    } else if (w->round && value->rounded[0] != '\0' && strcmp(value->rounded, value->full) != 0) {
        regret_buffer_append(w->text, "about ");
        regret_buffer_append(w->text, value->rounded);
    } else {
        mention_other(w, slot, form);
    }
}

/* `at` points behind "[": the end of the group, its number of options, and where option `want`
 * starts. */
static const char *scan_group(const char *at, size_t want, const char **option, size_t *count)
{
    int depth = 0;
    size_t n = 0;
    *option = at;
    for (; *at != '\0'; at++) {
        if (*at == '[') {
            depth++;
        } else if (*at == ']' && depth-- == 0) {
            break;
        } else if (*at == '|' && depth == 0) {
            n++;
            if (n == want) {
                *option = at + 1;
            }
        }
    }
    *count = n + 1;
    return *at == ']' ? at + 1 : at;
}

/* How long the text at `at` is that stands for itself. */
static size_t plain_length(const char *at)
{
    size_t n = 0;
    while (at[n] != '\0' && at[n] != '[' && at[n] != '|' && at[n] != ']' && at[n] != '{') {
        n++;
    }
    return n;
}

/* Writes until the end of the template or of the present option. */
static void write_span(struct newswire_writer *w, const char *at)
{
    while (*at != '\0' && *at != ']' && *at != '|') {
        if (*at == '[') {
            const char *option;
            size_t count;
            scan_group(at + 1, 0, &option, &count);
            const char *next =
                scan_group(at + 1, regret_rng_below(w->rng, (uint32_t)count), &option, &count);
            write_span(w, option);
            at = next;
        } else if (*at == '{') {
            size_t length = strcspn(at + 1, "}^+");
            char form = at[1 + length];
            int slot = newswire_slot_find(w->domain, at + 1, length);
            if (slot >= 0) {
                mention(w, slot, form);
            }
            at = strchr(at, '}') + 1;
        } else {
            size_t length = plain_length(at);
            regret_buffer_append_n(w->text, at, length);
            at += length;
        }
    }
}

void newswire_write(struct newswire_writer *w, const char *prefix, const char *template_text,
                    const char *stop)
{
    size_t start = w->text->length;
    w->gives = w->needs = 0;
    regret_buffer_append(w->text, prefix);
    write_span(w, template_text);
    regret_buffer_append(w->text, stop);
    if (w->text->length > start && w->text->data[start] >= 'a' && w->text->data[start] <= 'z') {
        w->text->data[start] = (char)(w->text->data[start] - 'a' + 'A');
    }
}

uint32_t newswire_slots_of(const struct newswire_domain *domain, const char *template_text)
{
    uint32_t slots = 0;
    for (const char *at = strchr(template_text, '{'); at != NULL; at = strchr(at + 1, '{')) {
        int slot = newswire_slot_find(domain, at + 1, strcspn(at + 1, "}^+"));
        if (slot >= 0) {
            slots |= UINT32_C(1) << slot;
        }
    }
    return slots;
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_word(char c)
{
    return is_letter(c) || is_digit(c);
}

static int joins(char c)
{
    return c == '.' || c == ',' || c == '\'' || c == '-';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static uint64_t hash_word(const char *word, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)lower(word[i])) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static size_t slot_of(uint64_t hash)
{
    return (hash ^ hash >> 32) % NEWSWIRE_TOKEN_SLOTS;
}

/* From the last, so that places of a slot ascend. */
static void index_places(struct newswire_tokens *tokens)
{
    for (size_t i = 0; i < NEWSWIRE_TOKEN_SLOTS; i++) {
        tokens->first[i] = (uint16_t)tokens->count;
    }
    for (size_t i = tokens->count; i-- > 0;) {
        uint16_t *first = &tokens->first[slot_of(tokens->items[i].hash)];
        tokens->next[i] = *first;
        *first = (uint16_t)i;
    }
}

/* The first place of the word from `place` on, along its slot. */
static size_t place_from(const struct newswire_tokens *tokens, size_t place, uint64_t hash)
{
    while (place < tokens->count && tokens->items[place].hash != hash) {
        place = tokens->next[place];
    }
    return place;
}

size_t newswire_first_place(const struct newswire_tokens *tokens, uint64_t hash)
{
    return place_from(tokens, tokens->first[slot_of(hash)], hash);
}

size_t newswire_next_place(const struct newswire_tokens *tokens, size_t place)
{
    return place_from(tokens, tokens->next[place], tokens->items[place].hash);
}

static void mark_stop_words(struct newswire_tokens *tokens, const struct data_strings *stop_words)
{
    for (size_t i = 0; i < stop_words->n; i++) {
        const char *word = stop_words->items[i];
        size_t place = newswire_first_place(tokens, hash_word(word, strlen(word)));
        for (; place < tokens->count; place = newswire_next_place(tokens, place)) {
            tokens->items[place].stop = 1;
        }
    }
}

void newswire_tokenize(struct newswire_tokens *tokens, const char *text,
                       const struct data_strings *stop_words)
{
    int inside = 0; /* a sentence has begun */
    tokens->count = 0;
    for (size_t at = 0; text[at] != '\0' && tokens->count < NEWSWIRE_MAX_TOKENS;) {
        if (!is_word(text[at])) {
            if (text[at] == '.' || text[at] == '\n' || text[at] == '"' || text[at] == ':') {
                inside = 0;
            }
            at++;
            continue;
        }
        size_t end = at + 1;
        while (is_word(text[end]) || (joins(text[end]) && is_word(text[end + 1]))) {
            end++;
        }
        tokens->items[tokens->count++] = (struct newswire_token){
            .hash = hash_word(text + at, end - at),
            .start = (uint32_t)at,
            .number = is_digit(text[at]) != 0,
            .capital = inside && text[at] >= 'A' && text[at] <= 'Z',
        };
        inside = 1;
        at = end;
    }
    index_places(tokens);
    mark_stop_words(tokens, stop_words);
}

static int is_space(char c)
{
    return c == ' ' || c == '\n';
}

size_t newswire_word_count(const char *text, size_t length)
{
    size_t words = length > 0 && !is_space(text[0]);
    for (size_t i = 1; i < length; i++) {
        words += (size_t)(is_space(text[i - 1]) & !is_space(text[i]));
    }
    return words;
}

/* Values of slots: invented people, towns and firms, and numbers. */

static const char *const weekdays[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                       "Friday", "Saturday", "Sunday"};
static const char *const small_numbers[] = {"nil",  "one", "two",   "three", "four",
                                            "five", "six", "seven", "eight", "nine"};

int newswire_is_number(const struct newswire_slot *slot)
{
    return slot->type >= NEWSWIRE_COUNT;
}

/* 1240 -> "1,240". */
static void write_thousands(char *out, size_t size, uint32_t number)
{
    if (number >= 1000000) {
        snprintf(out, size, "%u,%03u,%03u", number / 1000000, number / 1000 % 1000, number % 1000);
    } else if (number >= 1000) {
        snprintf(out, size, "%u,%03u", number / 1000, number % 1000);
    } else {
        snprintf(out, size, "%u", number);
    }
}

static void write_number(char *out, size_t size, enum newswire_slot_type type, uint32_t number)
{
    char digits[24];
    write_thousands(digits, sizeof digits, number);
    if (type == NEWSWIRE_COUNT) {
        snprintf(out, size, "%s", number < 10 ? small_numbers[number] : digits);
    } else if (type == NEWSWIRE_DOLLARS) {
        snprintf(out, size, "$%s", digits);
    } else if (type == NEWSWIRE_PERCENT && number % 10 == 0) {
        snprintf(out, size, "%u percent", number / 10);
    } else if (type == NEWSWIRE_PERCENT) {
        snprintf(out, size, "%u.%u percent", number / 10, number % 10);
    } else if (number >= 10000) {
        snprintf(out, size, "$%u.%02u billion", number / 10000, number % 10000 / 100);
    } else if (number >= 1000 || number % 10 == 0) {
        snprintf(out, size, "$%u million", number / 10);
    } else {
        snprintf(out, size, "$%u.%u million", number / 10, number % 10);
    }
}

/* The nearest number of two significant digits. */
static uint32_t nearest(uint32_t number)
{
    uint32_t step = 1;
    while (number / step >= 100) {
        step *= 10;
    }
    return (number + step / 2) / step * step;
}

/* Newspapers do not print every digit: three or four significant ones stay. */
static uint32_t significant(uint32_t number, uint32_t keep)
{
    uint32_t step = 1;
    while (number / step >= keep) {
        step *= 10;
    }
    return number / step * step;
}

static void draw_number(struct newswire_value *value, const struct newswire_slot *slot,
                        struct regret_rng *rng)
{
    uint32_t span = (uint32_t)(slot->high - slot->low + 1);
    uint32_t number = (uint32_t)slot->low + regret_rng_below(rng, span);
    number = significant(number, 10000);
    if (slot->type == NEWSWIRE_MONEY && number >= 1000) {
        number = number / 10 * 10;
    }
    value->key = number;
    write_number(value->full, sizeof value->full, slot->type, number);
    if (slot->type == NEWSWIRE_PERCENT) {
        write_number(value->rounded, sizeof value->rounded, slot->type, (number + 5) / 10 * 10);
    } else if (number >= 20) {
        write_number(value->rounded, sizeof value->rounded, slot->type, nearest(number));
    } else {
        memcpy(value->rounded, value->full, sizeof value->rounded - 1);
    }
}

static void draw_person(struct newswire_value *value, const struct newswire_corpus *corpus,
                        const char *role, struct regret_rng *rng)
{
    const struct data_strings *female = &corpus->lists[NEWSWIRE_FEMALE_NAMES];
    const struct data_strings *male = &corpus->lists[NEWSWIRE_MALE_NAMES];
    const struct data_strings *last_names = &corpus->lists[NEWSWIRE_LAST_NAMES];
    uint32_t first = regret_rng_below(rng, (uint32_t)(female->n + male->n));
    uint32_t last = regret_rng_below(rng, (uint32_t)last_names->n);
    value->key = last;
    value->female = first < female->n;
    snprintf(value->full, sizeof value->full, "%s%s%s %s", role, *role != '\0' ? " " : "",
             value->female ? female->items[first] : male->items[first - female->n],
             last_names->items[last]);
    snprintf(value->again, sizeof value->again, "%s", last_names->items[last]);
}

static void draw_place(struct newswire_value *value, const struct newswire_corpus *corpus,
                       struct regret_rng *rng)
{
    const struct data_strings *heads = &corpus->lists[NEWSWIRE_TOWN_HEADS];
    const struct data_strings *tails = &corpus->lists[NEWSWIRE_TOWN_TAILS];
    uint32_t head = regret_rng_below(rng, (uint32_t)heads->n);
    uint32_t tail = regret_rng_below(rng, (uint32_t)tails->n);
    value->key = head * (uint32_t)tails->n + tail;
    snprintf(value->full, sizeof value->full, "%s%s", heads->items[head], tails->items[tail]);
}

static void draw_group(struct newswire_value *value, const struct newswire_corpus *corpus,
                       const struct newswire_slot *slot, struct regret_rng *rng)
{
    const struct data_strings *names = &corpus->lists[NEWSWIRE_GROUP_NAMES];
    uint32_t name = regret_rng_below(rng, (uint32_t)names->n);
    uint32_t option = regret_rng_below(rng, (uint32_t)slot->options.n);
    value->key = name * (uint32_t)slot->options.n + option;
    snprintf(value->full, sizeof value->full, "%s %s", names->items[name],
             slot->options.items[option]);
    snprintf(value->again, sizeof value->again, "%s", slot->again);
}

/* One of a list. */
static void choose(struct newswire_value *value, const char *const *items, size_t n,
                   struct regret_rng *rng)
{
    value->key = regret_rng_below(rng, (uint32_t)n);
    snprintf(value->full, sizeof value->full, "%s", items[value->key]);
}

void newswire_value_draw(struct newswire_value *value, const struct newswire_corpus *corpus,
                         const struct newswire_slot *slot, struct regret_rng *rng)
{
    memset(value, 0, sizeof *value);
    switch (slot->type) {
    case NEWSWIRE_PERSON:
        draw_person(value, corpus, slot->role, rng);
        break;
    case NEWSWIRE_PLACE:
        draw_place(value, corpus, rng);
        break;
    case NEWSWIRE_GROUP:
        draw_group(value, corpus, slot, rng);
        break;
    case NEWSWIRE_CHOICE:
        choose(value, slot->options.items, slot->options.n, rng);
        break;
    case NEWSWIRE_DAY:
        choose(value, weekdays, sizeof weekdays / sizeof weekdays[0], rng);
        break;
    default:
        draw_number(value, slot, rng);
    }
}

void newswire_value_distort(struct newswire_value *value, const struct newswire_corpus *corpus,
                            const struct newswire_value *from, const struct newswire_slot *slot,
                            struct regret_rng *rng)
{
    for (int tries = 0; tries < 64; tries++) {
        newswire_value_draw(value, corpus, slot, rng);
        uint32_t a = value->key, b = from->key;
        uint32_t gap = a > b ? a - b : b - a;
        if (newswire_is_number(slot) ? gap * 10 > b : gap > 0) {
            return;
        }
    }
}

void newswire_name_draw(char out[NEWSWIRE_FULL_BYTES], const struct newswire_corpus *corpus,
                        struct regret_rng *rng)
{
    struct newswire_value value = {0};
    draw_person(&value, corpus, "", rng);
    memcpy(out, value.full, NEWSWIRE_FULL_BYTES);
}
