/* What names of columns say, by data/import/roles.json. */
#include <cJSON.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "import/init.h"
#include "regret/status.h"

FREED_POINTER(cJSON, cJSON_Delete)

/* The lists of the file, by their bits. */
static const char *const LISTS[] = {
    "agent",  "not agent", "context", "text",  "tag",      "output", "reference",   "score",
    "bad",    "open",      "cost",    "rater", "draw",     "user",   "left",        "summary",
    "winner", "measure",   "known",   "tail",  "negation", "family", "not context", "item",
    "time",   "chance",    "slate",   "after", "count"};
enum { N_LISTS = sizeof LISTS / sizeof *LISTS, OF_TABLES = 23 }; /* the others are of logs alone */

static int read_list(struct init_words *out, size_t *capacity, const cJSON *list, unsigned bit)
{
    for (const cJSON *e = list->child; e != NULL; e = e->next) {
        size_t before = out->phrases.n;
        uint32_t i = 0;
        TRY(regret_grow((void **)&out->roles, capacity, before, sizeof *out->roles,
                        "words of roles"));
        TRY(names_enter(&i, &out->phrases, e->valuestring));
        out->roles[i] = (i == before ? 0 : out->roles[i]) | bit;
    }
    return REGRET_OK;
}

int init_words_read(struct init_words *out, int is_log)
{
    const struct regret_place at = {import_files[0].name, 0};
    FREED_BY(cJSON_Delete_at) cJSON *root = NULL;
    size_t capacity = 0;
    *out = (struct init_words){0};
    TRY(regret_json_parse(&root, import_files[0].text, strlen(import_files[0].text), at));
    const cJSON *log = cJSON_GetObjectItemCaseSensitive(root, "log"), *list = NULL;
    for (size_t i = 0; i < N_LISTS; i++) {
        const cJSON *more = is_log ? cJSON_GetObjectItemCaseSensitive(log, LISTS[i]) : NULL;
        TRY(i < OF_TABLES ? regret_json_get_array(&list, root, LISTS[i], at) : REGRET_OK);
        TRY(i < OF_TABLES ? read_list(out, &capacity, list, 1U << i) : REGRET_OK);
        TRY(more != NULL ? read_list(out, &capacity, more, 1U << i) : REGRET_OK);
    }
    return REGRET_OK;
}

void init_words_free(struct init_words *w)
{
    names_free(&w->phrases);
    regret_free(w->roles);
    w->roles = NULL;
}

/* ---------------------------------------------------------------- words */

static int is_small(char c)
{
    return islower((unsigned char)c) || (unsigned char)c >= 0x80;
}

static int is_letter(char c)
{
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Where the word that begins at i ends: "HTML" and "Page" of "HTMLPage", "gpt4", "7b". */
static size_t word_end(const char *s, size_t i)
{
    size_t j = i;
    if (isdigit((unsigned char)s[i])) {
        for (; isdigit((unsigned char)s[j]); j++) {
        }
        for (; isalpha((unsigned char)s[j]); j++) {
        }
        return j;
    }
    for (; isupper((unsigned char)s[j]); j++) {
    }
    if (j > i + 1 && is_small(s[j])) {
        return j - 1;
    }
    for (; is_small(s[j]); j++) {
    }
    for (; isdigit((unsigned char)s[j]); j++) {
    }
    return j;
}

void init_name_split(struct init_name *out, const char *name)
{
    out->n = 0;
    for (size_t i = 0, end; name[i] != '\0' && out->n < INIT_NAME_WORDS; i = end) {
        end = i + 1;
        if (!isdigit((unsigned char)name[i]) && !is_letter(name[i])) {
            continue;
        }
        struct init_word *w = &out->word[out->n++];
        end = word_end(name, i);
        *w = (struct init_word){.start = i, .end = end};
        for (size_t k = 0; k + 1 < INIT_WORD && i + k < end; k++) {
            w->text[k] = (char)tolower((unsigned char)name[i + k]);
        }
    }
}

unsigned init_word_roles(const struct init_words *words, const char *word)
{
    size_t i = names_find(&words->phrases, word);
    return i == SIZE_MAX ? 0 : words->roles[i];
}

/* Of the words from..end-1 as one phrase. */
static unsigned phrase_roles(const struct init_words *words, const struct init_name *name,
                             size_t from, size_t end)
{
    char phrase[INIT_REST] = "";
    size_t n = 0;
    for (size_t k = from; k < end && n < sizeof phrase; k++) {
        n += (size_t)snprintf(phrase + n, sizeof phrase - n, "%s%s", k > from ? " " : "",
                              name->word[k].text);
    }
    return n < sizeof phrase ? init_word_roles(words, phrase) : 0;
}

unsigned init_name_any(const struct init_words *words, const char *name)
{
    struct init_name split;
    unsigned all = 0;
    init_name_split(&split, name);
    for (size_t k = 0; k < split.n; k++) {
        all |= init_word_roles(words, split.word[k].text);
    }
    return all;
}

static int is_one_of(const char *word, const char *list)
{
    char padded[INIT_WORD + 3];
    snprintf(padded, sizeof padded, " %s ", word);
    return strstr(list, padded) != NULL;
}

int init_name_has(const char *name, const char *list)
{
    struct init_name split;
    int found = 0;
    init_name_split(&split, name);
    for (size_t k = 0; k < split.n; k++) {
        found |= is_one_of(split.word[k].text, list);
    }
    return found;
}

/* ---------------------------------------------------------------- roles */

enum {
    LISTS_ALONE = INIT_TAIL | INIT_NEGATION | INIT_FAMILY | INIT_NO_ID | INIT_AFTER | INIT_COUNT
};

/* Without what ties it to the rest of the name. */
static void take_rest(char out[INIT_REST], const char *from, size_t n)
{
    static const char ties[] = " _|:./-[]()@#{}";
    size_t first = 0;
    while (first < n && strchr(ties, from[first]) != NULL) {
        first++;
    }
    while (n > first && strchr(ties, from[n - 1]) != NULL) {
        n--;
    }
    snprintf(out, INIT_REST, "%.*s", (int)(n - first < INIT_REST ? n - first : INIT_REST - 1),
             from + first);
}

/* Scripts without blanks: a phrase that the name begins or ends with. */
static unsigned unspaced_roles(const struct init_words *words, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < words->phrases.n; i++) {
        const char *p = words->phrases.name[i];
        size_t length = strlen(p);
        if ((unsigned char)p[0] >= 0xe3 && length <= n &&
            (strncmp(name, p, length) == 0 || strcmp(name + n - length, p) == 0)) {
            return words->roles[i] & ~(unsigned)LISTS_ALONE;
        }
    }
    return 0;
}

/* Of a phrase that the name begins with, before a separator. */
static int said_first(struct init_said *out, const struct init_words *words,
                      const struct init_name *split, const char *name, size_t n)
{
    const unsigned leading = INIT_ANY_SCORE | INIT_COST | INIT_OUTPUT | INIT_LEFT | INIT_SUMMARY;
    for (size_t k = n; k-- > 1;) {
        size_t end = split->word[k - 1].end;
        unsigned roles = phrase_roles(words, split, 0, k) & ~(unsigned)LISTS_ALONE;
        if (roles != 0 && name[end] != '\0' && strchr(" _|:.([@", name[end]) != NULL) {
            out->roles = roles & leading;
            take_rest(out->rest, name + end, strlen(name + end));
            return 1;
        }
    }
    return 0;
}

void init_name_role(struct init_said *out, const struct init_words *words, const char *name)
{
    const unsigned of_answers = INIT_OUTPUT | INIT_ANY_SCORE | INIT_COST | INIT_REFERENCE;
    struct init_name split;
    *out = (struct init_said){0};
    init_name_split(&split, name);
    size_t n = split.n;
    if (n == 0) {
        out->roles = INIT_LEFT;
        return;
    }
    if ((phrase_roles(words, &split, 0, n) & ~(unsigned)LISTS_ALONE) == 0) {
        while (n > 1 && (init_word_roles(words, split.word[n - 1].text) & INIT_TAIL) != 0) {
            out->is_id |= is_one_of(split.word[--n].text, " id ids uid uuid key hash ");
        }
    }
    for (size_t k = 0; k < n; k++) {
        unsigned roles = phrase_roles(words, &split, k, n) & ~(unsigned)LISTS_ALONE;
        if (roles != 0) {
            out->roles = roles;
            out->is_id |= k + 1 == n && is_one_of(split.word[k].text, " id qid uid idx index ");
            take_rest(out->rest, name, split.word[k].start);
            out->roles &= out->is_id ? ~(unsigned)of_answers : ~0U;
            if (out->roles == INIT_RATER && strchr(name, '.') != NULL) { /* "scores.judge" */
                struct init_said first = *out;
                *out = said_first(&first, words, &split, name, n) && first.roles == INIT_SCORE
                           ? first
                           : *out;
            }
            return;
        }
    }
    if (said_first(out, words, &split, name, n)) {
        return;
    }
    out->roles = unspaced_roles(words, name);
    if (out->roles == 0 && out->is_id &&
        (init_word_roles(words, split.word[n - 1].text) & INIT_NO_ID) == 0) {
        out->roles = INIT_CONTEXT; /* ANYTHING_id, where structure agrees */
    }
}

int init_name_direction(const struct init_words *words, const char *name)
{
    static const char counts[] = " score scores rating ratings rate count mark grade total bad ";
    struct init_name split;
    struct init_said said;
    init_name_split(&split, name);
    init_name_role(&said, words, name);
    size_t n = split.n, from = 0;
    if (n > 2 && is_one_of(split.word[0].text, " no number num ") &&
        strcmp(split.word[1].text, "of") == 0) {
        from = 2;
    } else if (n > 2 && strcmp(split.word[0].text, "zero") == 0 &&
               strcmp(split.word[1].text, "shot") == 0) {
        from = 2;
    }
    unsigned all = 0;
    int is_good = 0, is_worse = 0;
    for (size_t k = from; k < n; k++) {
        all |= init_word_roles(words, split.word[k].text);
        is_good |= is_one_of(split.word[k].text, " good better ");
        is_worse |= is_one_of(split.word[k].text, " bad worse ");
    }
    int is_bad = ((all | said.roles) & INIT_BAD) != 0, is_turned = (all & INIT_NEGATION) != 0,
        is_count = n > from && (is_one_of(split.word[n - 1].text, counts) ||
                                is_one_of(split.word[from].text, " score rating n num "));
    if (is_good) {
        return is_turned || is_bad ? 0 : 1;
    }
    if (is_worse) {
        return is_turned ? 0 : -1;
    }
    if (((all | said.roles) & INIT_OPEN) != 0 ||
        (is_turned && (is_bad || (said.roles & INIT_SCORE) != 0)) ||
        (is_bad && (said.roles & INIT_SCORE) != 0 && !is_count)) {
        return 0;
    }
    return is_bad ? -1 : 1;
}

/* ---------------------------------------------------------------- families */

static int is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* "org/name", "7b", "1.5B". */
static int has_model_mark(const char *s)
{
    for (size_t i = 0; s[i] != '\0'; i++) {
        int is_slash = s[i] == '/' && i > 0 && is_word_byte(s[i - 1]) && is_word_byte(s[i + 1]);
        int is_size = isdigit((unsigned char)s[i]) && (s[i + 1] == 'b' || s[i + 1] == 'B') &&
                      !is_word_byte(s[i + 2]);
        size_t first = i;
        while (is_size && first > 0 && isdigit((unsigned char)s[first - 1])) {
            first--;
        }
        if (is_slash || (is_size && (first == 0 || !is_word_byte(s[first - 1])))) {
            return 1;
        }
    }
    return 0;
}

/* "m1", "model 2", "sys-3". */
static int is_numbered(const char *s)
{
    size_t letters = 0;
    char word[INIT_WORD] = "";
    while (isalpha((unsigned char)s[letters]) && letters + 1 < sizeof word) {
        word[letters] = (char)tolower((unsigned char)s[letters]);
        letters++;
    }
    const char *p = s + letters + (s[letters] != '\0' && strchr(" _-", s[letters]) != NULL);
    return letters > 0 && is_one_of(word, " m model sys system agent llm ") && *p != '\0' &&
           p[strspn(p, "0123456789")] == '\0';
}

int init_name_is_family(const struct init_words *words, const char *name)
{
    struct init_name split;
    init_name_split(&split, name);
    for (size_t k = 0; k < split.n; k++) {
        char *text = split.word[k].text;
        if ((init_word_roles(words, text) & INIT_FAMILY) != 0) {
            return 1;
        }
        text[strcspn(text, "0123456789")] = '\0';
        if (text[0] != '\0' && (init_word_roles(words, text) & INIT_FAMILY) != 0) {
            return 1;
        }
    }
    return has_model_mark(name) || is_numbered(name);
}
