#include "synth/newswire/article/corpus.h"

#include <cJSON.h>
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"

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
