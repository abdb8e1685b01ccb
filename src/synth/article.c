#include "synth/article.h"

#include <cJSON.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "synth/data.h"
#include "synth/grammar.h"

#define FOLDER DATA_FOLDER "newswire/"

enum { MOST = 1000000000 };

int newswire_slot_find(const struct newswire_domain *domain, const char *name, size_t length)
{
    for (size_t i = 0; i < domain->n_slots; i++) {
        const char *candidate = domain->slots[i].name;
        size_t at = 0;
        while (at < length && candidate[at] != '\0' && candidate[at] == name[at]) {
            at++;
        }
        if (at == length && candidate[at] == '\0') {
            return (int)i;
        }
    }
    return -1;
}

/* Brackets that match, bars inside them only, and slots that there are. */
static int check_template(const struct newswire_domain *domain, const char *text,
                          struct regret_place at)
{
    int depth = 0;
    for (const char *c = text; *c != '\0'; c++) {
        depth += (*c == '[') - (*c == ']');
        if (depth < 0 || (depth == 0 && *c == '|')) {
            return regret_json_error(at, "\"%s\": a ] or | without its [", text);
        }
        size_t length = *c == '{' ? strcspn(c + 1, "}^+") : 0;
        if (*c == '{' && strchr(c, '}') == NULL) {
            return regret_json_error(at, "\"%s\": a { without its }", text);
        }
        if (*c == '{' && newswire_slot_find(domain, c + 1, length) < 0) {
            return regret_json_error(at, "\"%s\": there is no slot {%.*s}", text, (int)length,
                                     c + 1);
        }
    }
    return depth == 0 ? REGRET_OK : regret_json_error(at, "\"%s\": a [ without its ]", text);
}

static int get_number(int *out, const cJSON *object, const char *field, long long most,
                      struct regret_place at)
{
    long long number = 0;
    TRY(regret_json_get_integer(&number, object, field, 0, most, at));
    *out = (int)number;
    return REGRET_OK;
}

static int read_slot(struct newswire_slot *slot, struct data *data, const cJSON *object,
                     struct regret_place at)
{
    static const char *const types[NEWSWIRE_SLOT_TYPES] = {
        "person", "place", "group", "choice", "day", "count", "dollars", "money", "percent"};
    static const char *const known[] = {"name", "type", "low", "high", "role", "again", "options"};
    size_t type = 0;
    TRY(regret_json_check_keys(object, known, sizeof known / sizeof known[0], at));
    TRY(regret_json_get_string(&slot->name, object, "name", at));
    TRY(data_word(&type, types, NEWSWIRE_SLOT_TYPES, object, "type", at));
    slot->type = (enum newswire_slot_type)type;
    if (slot->type == NEWSWIRE_PERSON) {
        TRY(regret_json_get_string(&slot->role, object, "role", at));
    }
    if (slot->type == NEWSWIRE_GROUP) {
        TRY(regret_json_get_string(&slot->again, object, "again", at));
    }
    if (slot->type == NEWSWIRE_GROUP || slot->type == NEWSWIRE_CHOICE) {
        TRY(data_strings(&slot->options, data, object, "options", at));
    }
    if (slot->type >= NEWSWIRE_COUNT) {
        TRY(get_number(&slot->high, object, "high", MOST, at));
        TRY(get_number(&slot->low, object, "low", slot->high, at));
    }
    return REGRET_OK;
}

static int read_slots(struct newswire_domain *domain, struct data *data, const cJSON *root,
                      const char *file)
{
    const cJSON *array = NULL, *object = NULL;
    struct newswire_slot *slots = NULL;
    TRY(regret_json_get_array(&array, root, "slots", data_place(file, root)));
    TRY(DATA_NEW(&slots, data, NEWSWIRE_MAX_SLOTS));
    domain->slots = slots;
    cJSON_ArrayForEach(object, array)
    {
        struct regret_place at = data_place(file, object);
        if (domain->n_slots == NEWSWIRE_MAX_SLOTS) {
            return regret_json_error(at, "more than %d slots", (int)NEWSWIRE_MAX_SLOTS);
        }
        TRY(read_slot(&slots[domain->n_slots], data, object, at));
        domain->n_slots++;
    }
    return REGRET_OK;
}

static int read_fact(struct newswire_fact *fact, const struct newswire_domain *domain,
                     const cJSON *object, struct regret_place at)
{
    static const char *const ranks[NEWSWIRE_RANKS] = {"lead", "core", "extra", "minor", "quote"};
    static const char *const known[] = {"rank", "article", "brief", "full"};
    const char **const wordings[] = {&fact->article, &fact->brief, &fact->full};
    size_t rank = 0;
    TRY(regret_json_check_keys(object, known, 4, at));
    TRY(data_word(&rank, ranks, NEWSWIRE_RANKS, object, "rank", at));
    fact->rank = (enum newswire_rank)rank;
    for (size_t i = 0; i < 3; i++) {
        TRY(regret_json_get_string(wordings[i], object, known[1 + i], at));
        TRY(check_template(domain, *wordings[i], at));
    }
    return REGRET_OK;
}

static int read_facts(struct newswire_domain *domain, struct data *data, const cJSON *root,
                      const char *file)
{
    const cJSON *array = NULL, *object = NULL;
    struct newswire_fact *facts = NULL;
    TRY(regret_json_get_array(&array, root, "facts", data_place(file, root)));
    TRY(DATA_NEW(&facts, data, NEWSWIRE_MAX_FACTS));
    domain->facts = facts;
    cJSON_ArrayForEach(object, array)
    {
        struct regret_place at = data_place(file, object);
        if (domain->n_facts == NEWSWIRE_MAX_FACTS) {
            return regret_json_error(at, "more than %d facts", (int)NEWSWIRE_MAX_FACTS);
        }
        struct newswire_fact *fact = &facts[domain->n_facts++];
        TRY(read_fact(fact, domain, object, at));
        if ((fact->rank == NEWSWIRE_LEAD) != (fact == facts)) {
            return regret_json_error(at, "the first fact must be the lead, and no other one");
        }
    }
    return REGRET_OK;
}

static int read_scenes(struct newswire_domain *domain, struct newswire_corpus *corpus,
                       const cJSON *root, struct regret_place at)
{
    struct data_strings *scenes = &domain->scenes;
    TRY(data_strings(scenes, &corpus->data, root, "scenes", at));
    for (size_t i = 0; i < scenes->n; i++) {
        TRY(check_template(domain, scenes->items[i], at));
    }
    size_t n = scenes->n + corpus->lists[NEWSWIRE_BACKGROUND].n;
    if (n < NEWSWIRE_LEAST_SCENES || n > NEWSWIRE_MAX_SCENES) {
        return regret_json_error(at, "%zu scenes with those of the background; have %d to %d", n,
                                 (int)NEWSWIRE_LEAST_SCENES, (int)NEWSWIRE_MAX_SCENES);
    }
    return REGRET_OK;
}

static int read_domain(struct newswire_domain *domain, struct newswire_corpus *corpus,
                       const char *name)
{
    static const char *const known[] = {"drama", "technical", "slots", "facts", "scenes"};
    const cJSON *root = NULL;
    char file[128];
    int drama = 0, technical = 0;
    snprintf(file, sizeof file, FOLDER "domains/%s.json", name);
    TRY(data_read(&root, &corpus->data, file));
    struct regret_place at = data_place(file, root);
    TRY(regret_json_check_keys(root, known, 5, at));
    TRY(get_number(&drama, root, "drama", 3, at));
    TRY(get_number(&technical, root, "technical", 3, at));
    *domain = (struct newswire_domain){
        .name = name, .drama = (unsigned)drama, .technical = (unsigned)technical};
    TRY(read_slots(domain, &corpus->data, root, file));
    TRY(read_facts(domain, &corpus->data, root, file));
    return read_scenes(domain, corpus, root, at);
}

static int read_domains(struct newswire_corpus *corpus)
{
    static const char file[] = FOLDER "domains.json";
    const cJSON *root = NULL;
    struct data_strings names;
    struct newswire_domain *domains = NULL;
    TRY(data_read(&root, &corpus->data, file));
    TRY(data_strings(&names, &corpus->data, root, "domains", data_place(file, root)));
    if (names.n > NEWSWIRE_MAX_DOMAINS) {
        return regret_json_error(data_place(file, root), "more than %d domains",
                                 (int)NEWSWIRE_MAX_DOMAINS);
    }
    TRY(DATA_NEW(&domains, &corpus->data, names.n));
    for (size_t i = 0; i < names.n; i++) {
        TRY(read_domain(&domains[i], corpus, names.items[i]));
    }
    corpus->domains = domains;
    corpus->n_domains = names.n;
    return REGRET_OK;
}

/* The lists first..end of a file that holds these and no others. */
static int read_lists(struct newswire_corpus *corpus, const char *file, size_t first, size_t end)
{
    static const char *const names[NEWSWIRE_LISTS] = {
        "female_names", "male_names", "last_names", "town_heads",     "town_tails",
        "group_names",  "stop_words", "background", "inventions_key", "inventions_minor",
        "false_quotes", "fillers",    "hedges",     "intensives",     "simplifiers",
        "connectives",  "repeats",    "roughly"};
    const cJSON *root = NULL;
    TRY(data_read(&root, &corpus->data, file));
    struct regret_place at = data_place(file, root);
    TRY(regret_json_check_keys(root, names + first, end - first, at));
    for (size_t i = first; i < end; i++) {
        TRY(data_strings(&corpus->lists[i], &corpus->data, root, names[i], at));
    }
    return REGRET_OK;
}

int newswire_corpus_read(struct newswire_corpus *corpus)
{
    static const struct newswire_domain none = {0};
    static const char phrases[] = FOLDER "phrases.json";
    const struct data_strings *background = &corpus->lists[NEWSWIRE_BACKGROUND];
    corpus->data.built_in = newswire_files;
    TRY(read_lists(corpus, FOLDER "words.json", 0, NEWSWIRE_BACKGROUND));
    TRY(read_lists(corpus, phrases, NEWSWIRE_BACKGROUND, NEWSWIRE_LISTS));
    for (size_t i = 0; i < background->n; i++) {
        TRY(check_template(&none, background->items[i], (struct regret_place){phrases, 0}));
    }
    return read_domains(corpus);
}

void newswire_corpus_free(struct newswire_corpus *corpus)
{
    data_free(&corpus->data);
}

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
