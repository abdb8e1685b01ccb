/* Values of slots: invented people, towns and firms, and numbers. */
#include <stdio.h>
#include <string.h>

#include "synth/newswire/article/grammar.h"

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
