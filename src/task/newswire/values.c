/* Values of slots: invented people, towns and firms, and numbers. */
#include <stdio.h>
#include <string.h>

#include "task/newswire/grammar.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* The first FEMALE_NAMES of the list take "she". */
enum { FEMALE_NAMES = 22 };
static const char *const first_names[] = {
    "Edda",   "Marit", "Orla",   "Sunniva", "Talitha", "Ilka",   "Brida",  "Nerea", "Jorunn",
    "Wilma",  "Petra", "Amrei",  "Liv",     "Tove",    "Yara",   "Zelda",  "Romy",  "Hedda",
    "Fenna",  "Calla", "Isaura", "Odile",   "Torvin",  "Bram",   "Anselm", "Oskar", "Leander",
    "Emeric", "Joost", "Kaspar", "Ruben",   "Silvan",  "Tibor",  "Ulric",  "Viggo", "Wendel",
    "Aldo",   "Corin", "Dario",  "Falk",    "Gideon",  "Henrik", "Ivo",    "Milo"};

static const char *const last_names[] = {
    "Kallow",     "Vantor",    "Merrowin",  "Strandel",  "Oakhollow", "Brevik",       "Quillan",
    "Tarnok",     "Hesselby",  "Dunmarrow", "Iverlund",  "Castellow", "Falkenrath",   "Grindal",
    "Lorimont",   "Nethery",   "Ostravin",  "Pellworth", "Ravensgar", "Sandoval-Rey", "Thornbeck",
    "Ulverton",   "Wexholm",   "Yarrowby",  "Zellner",   "Ambrel",    "Birkwood",     "Corvane",
    "Drexen",     "Eskildor",  "Farrowick", "Galbraun",  "Holloran",  "Jarnevik",     "Kestrow",
    "Lindqvar",   "Mossgrove", "Norrland",  "Orrin",     "Prastow",   "Rookwood",     "Sellabrand",
    "Tindervall", "Umberlin",  "Vossler",   "Wintergal", "Zandvoorn", "Abernick"};

static const char *const town_heads[] = {"Aldm",  "Brack", "Corr",  "Dunv", "Elst",  "Farn",
                                         "Grell", "Hask",  "Ister", "Jarr", "Kelm",  "Lorn",
                                         "Marl",  "Nett",  "Oster", "Pell", "Quarr", "Rusk",
                                         "Silv",  "Tarr",  "Ulm",   "Verr", "Wend",  "Yarl"};
static const char *const town_tails[] = {"aven", "wick", "holme", "ersted",  "mere",  "ingate",
                                         "ovia", "burn", "astra", "minster", "ondal", "ermouth"};

static const char *const group_names[] = {
    "Halvern",   "Quorra",   "Tessaly",   "Brightwater", "Nordkarr",  "Ambergate", "Calloway",
    "Dravic",    "Elmstone", "Fenwright", "Glasmere",    "Hollin",    "Ironvale",  "Juniper Row",
    "Kestrelle", "Lodestar", "Marchbank", "Nimbly",      "Ostwind",   "Pinnaclo",  "Redcastle",
    "Saltmarsh", "Trellick", "Umbra",     "Vireo",       "Westerley", "Yellowfin", "Zephyrine"};

static const char *const weekdays[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                       "Friday", "Saturday", "Sunday"};
static const char *const small_numbers[] = {"nil",  "one", "two",   "three", "four",
                                            "five", "six", "seven", "eight", "nine"};

size_t newswire_option_count(const char *options)
{
    size_t n = 1;
    for (; *options != '\0'; options++) {
        n += *options == '|';
    }
    return n;
}

void newswire_option(char *out, size_t size, const char *options, size_t index)
{
    for (; index > 0; index--) {
        options = strchr(options, '|') + 1;
    }
    size_t length = strcspn(options, "|");
    if (length >= size) {
        length = size - 1;
    }
    memcpy(out, options, length);
    out[length] = '\0';
}

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

static void draw_person(struct newswire_value *value, const char *role, struct regret_rng *rng)
{
    uint32_t first = regret_rng_below(rng, COUNT_OF(first_names));
    uint32_t last = regret_rng_below(rng, COUNT_OF(last_names));
    value->key = last;
    value->female = first < FEMALE_NAMES;
    snprintf(value->full, sizeof value->full, "%s%s%s %s", role, *role != '\0' ? " " : "",
             first_names[first], last_names[last]);
    snprintf(value->again, sizeof value->again, "%s", last_names[last]);
}

static void draw_place(struct newswire_value *value, struct regret_rng *rng)
{
    uint32_t head = regret_rng_below(rng, COUNT_OF(town_heads));
    uint32_t tail = regret_rng_below(rng, COUNT_OF(town_tails));
    value->key = head * (uint32_t)COUNT_OF(town_tails) + tail;
    snprintf(value->full, sizeof value->full, "%s%s", town_heads[head], town_tails[tail]);
}

/* options: "the company:Freight|Foods". */
static void draw_group(struct newswire_value *value, const char *options, struct regret_rng *rng)
{
    const char *colon = strchr(options, ':');
    char kind[24];
    uint32_t name = regret_rng_below(rng, COUNT_OF(group_names));
    uint32_t n = (uint32_t)newswire_option_count(colon + 1);
    uint32_t option = regret_rng_below(rng, n);
    newswire_option(kind, sizeof kind, colon + 1, option);
    value->key = name * n + option;
    snprintf(value->full, sizeof value->full, "%s %s", group_names[name], kind);
    snprintf(value->again, sizeof value->again, "%.*s", (int)(colon - options), options);
}

void newswire_value_draw(struct newswire_value *value, const struct newswire_slot *slot,
                         struct regret_rng *rng)
{
    memset(value, 0, sizeof *value);
    switch (slot->type) {
    case NEWSWIRE_PERSON:
        draw_person(value, slot->options, rng);
        break;
    case NEWSWIRE_PLACE:
        draw_place(value, rng);
        break;
    case NEWSWIRE_GROUP:
        draw_group(value, slot->options, rng);
        break;
    case NEWSWIRE_CHOICE:
        value->key = regret_rng_below(rng, (uint32_t)newswire_option_count(slot->options));
        newswire_option(value->full, sizeof value->full, slot->options, value->key);
        break;
    case NEWSWIRE_DAY:
        value->key = regret_rng_below(rng, COUNT_OF(weekdays));
        snprintf(value->full, sizeof value->full, "%s", weekdays[value->key]);
        break;
    default:
        draw_number(value, slot, rng);
    }
}

void newswire_value_distort(struct newswire_value *value, const struct newswire_value *from,
                            const struct newswire_slot *slot, struct regret_rng *rng)
{
    for (int tries = 0; tries < 64; tries++) {
        newswire_value_draw(value, slot, rng);
        uint32_t a = value->key, b = from->key;
        uint32_t gap = a > b ? a - b : b - a;
        if (newswire_is_number(slot) ? gap * 10 > b : gap > 0) {
            return;
        }
    }
}

void newswire_stranger(char out[NEWSWIRE_FULL_BYTES], struct regret_rng *rng)
{
    struct newswire_value value;
    memset(&value, 0, sizeof value);
    draw_person(&value, "", rng);
    memcpy(out, value.full, NEWSWIRE_FULL_BYTES);
}
