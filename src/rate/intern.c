#include "rate/intern.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "rate/internal.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "regret/status.h"

static uint64_t hash_of(uint32_t family, struct regret_span text)
{
    return regret_hash64(text.text, text.length) ^ (family * UINT64_C(0x9E3779B97F4A7C15));
}

static uint32_t number_in(uint64_t slot)
{
    return (uint32_t)slot - 1;
}

/* The slot of the text, or the empty one where it would live. */
static size_t slot_of(const struct intern *t, uint64_t hash, uint32_t family,
                      struct regret_span text)
{
    size_t mask = t->n_slots - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        if (t->slots[i] == 0) {
            return i;
        }
        if (t->slots[i] >> 32 != hash >> 32) {
            continue;
        }
        const struct intern_entry *e = &t->entries[number_in(t->slots[i])];
        if (e->hash == hash && e->family == family && e->length == text.length &&
            memcmp(t->bytes + e->offset, text.text, text.length) == 0) {
            return i;
        }
    }
}

static int grow_slots(struct intern *t)
{
    size_t grown = t->n_slots == 0 ? 64 : t->n_slots * 2;
    uint64_t *slots = NULL;
    TRY(REGRET_NEW(&slots, grown));
    for (size_t k = 0; k < t->n; k++) {
        size_t i = t->entries[k].hash & (grown - 1);
        while (slots[i] != 0) {
            i = (i + 1) & (grown - 1);
        }
        slots[i] = (t->entries[k].hash >> 32 << 32) | (k + 1);
    }
    regret_free(t->slots);
    t->slots = slots;
    t->n_slots = grown;
    return REGRET_OK;
}

static int make_room(struct intern *t, size_t length)
{
    if (t->n == UINT32_MAX - 1) {
        return regret_fail(REGRET_E_INPUT, "more than 2^32 names; split the file");
    }
    if ((t->n + 1) * 2 > t->n_slots) {
        TRY(grow_slots(t));
    }
    TRY(regret_grow((void **)&t->entries, &t->capacity, t->n, sizeof *t->entries, "names"));
    if (t->n_bytes + length + 1 > t->bytes_capacity) {
        size_t grown = (t->bytes_capacity + length + 256) * 2;
        TRY(regret_realloc((void **)&t->bytes, grown, 1, "names"));
        t->bytes_capacity = grown;
    }
    return REGRET_OK;
}

int intern_add(struct intern *t, uint32_t family, struct regret_span text, uint32_t *number,
               int *is_new)
{
    TRY(make_room(t, text.length));
    uint64_t hash = hash_of(family, text);
    size_t slot = slot_of(t, hash, family, text);
    *is_new = t->slots[slot] == 0;
    if (*is_new) {
        t->entries[t->n] = (struct intern_entry){hash, t->n_bytes, text.length, family};
        if (text.length > 0) {
            memcpy(t->bytes + t->n_bytes, text.text, text.length);
        }
        t->bytes[t->n_bytes + text.length] = '\0';
        t->n_bytes += text.length + 1;
        t->slots[slot] = (hash >> 32 << 32) | ++t->n;
    }
    *number = number_in(t->slots[slot]);
    return REGRET_OK;
}

int intern_find(const struct intern *t, uint32_t family, struct regret_span text, uint32_t *number)
{
    if (t->n == 0) {
        return 0;
    }
    size_t slot = slot_of(t, hash_of(family, text), family, text);
    if (t->slots[slot] == 0) {
        return 0;
    }
    *number = number_in(t->slots[slot]);
    return 1;
}

struct regret_span intern_text(const struct intern *t, uint32_t number)
{
    const struct intern_entry *e = &t->entries[number];
    return (struct regret_span){t->bytes + e->offset, e->length};
}

void intern_free(struct intern *t)
{
    regret_free(t->slots);
    regret_free(t->entries);
    regret_free(t->bytes);
    memset(t, 0, sizeof *t);
}

/* Locale-free: what these mean must not depend on where the program runs. */
static int is_no_white(char c)
{
    return c != ' ' && !(c >= '\t' && c <= '\r');
}

struct regret_span next_token(const char **at)
{
    const char *p = *at;
    while (*p != '\0' && !is_no_white(*p)) {
        p++;
    }
    const char *start = p;
    while (*p != '\0' && is_no_white(*p)) {
        p++;
    }
    *at = p;
    return (struct regret_span){p > start ? start : NULL, (size_t)(p - start)};
}

size_t count_tokens(const char *text, size_t most)
{
    size_t n = 0;
    while (n <= most && next_token(&text).text != NULL) {
        n++;
    }
    return n;
}

int starts_with_vowel(const char *text)
{
    return text[0] != '\0' && strchr("aeiouAEIOU", text[0]) != NULL;
}

/* What is made of all rows before estimating: model edits, long texts set aside, datasets put together. */

/* The edit is there wherever one of its two parts is. */
static int name_edit(struct regret_rate_rows *rows, uint32_t derived,
                     const struct regret_rate_model *edited, const struct regret_rate_model *base)
{
    for (size_t i = 0; i < rows->n_rows; i++) {
        int any = 0;
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            any |= !isnan(edited->score[side][i]) || !isnan(base->score[side][i]);
        }
        if (any) {
            TRY(rows_note_named(rows, rows->group[i], derived));
        }
    }
    return REGRET_OK;
}

int regret_rate_add_edit(struct regret_rate_rows *rows, const char *name, const char *edited,
                         const char *base)
{
    uint32_t pi = 0, pi0 = 0, derived = 0;
    const struct regret_span span = {name, strlen(name)};
    TRY(rows_find_model(&pi, rows, edited));
    TRY(rows_find_model(&pi0, rows, base));
    if (intern_find(&rows->index->models, 0, span, &derived)) {
        return regret_fail(REGRET_E_INPUT,
                           "\"%s\" is already a reward model; name the edit otherwise", name);
    }
    TRY(rows_model(rows, span, 0, &derived));
    for (size_t side = 0; side < REGRET_N_SIDES; side++) {
        for (size_t i = 0; i < rows->n_rows; i++) {
            double score = rows->models[pi].score[side][i] - rows->models[pi0].score[side][i];
            rows->models[derived].score[side][i] = isfinite(score) ? score : (double)NAN;
        }
    }
    return name_edit(rows, derived, &rows->models[pi], &rows->models[pi0]);
}

int regret_rate_drop_long(struct regret_rate_rows *rows, size_t most)
{
    if (!rows->keep_texts) {
        return regret_fail(REGRET_E_INPUT,
                           "the length of texts is asked for; read the rows with them");
    }
    for (size_t i = 0; i < rows->n_rows; i++) {
        int is_long = 0;
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            const char *text = rows->texts[i].completion[side];
            is_long |= text != NULL && count_tokens(text, most) > most;
        }
        if (is_long && rows->w[i] != REGRET_LABEL_EXCLUDED) {
            rows->w[i] = REGRET_LABEL_EXCLUDED;
            rows_note_issue(rows, REGRET_RATE_ISSUE_TOO_LONG, rows->file[i], rows->line[i],
                            UINT32_MAX);
        }
    }
    return REGRET_OK;
}

/* Appends "+dataset" to a combined group's name. */
static int join_name(struct regret_rate_group *into, const char *dataset)
{
    FREED_BY(regret_buffer_free) struct regret_buffer name = REGRET_BUFFER_INIT;
    char *joined = NULL;
    regret_buffer_printf(&name, "%s+%s", into->dataset, dataset);
    TRY(regret_buffer_status(&name));
    TRY(regret_strdup(&joined, regret_buffer_get(&name)));
    regret_free(into->dataset);
    into->dataset = joined;
    return REGRET_OK;
}

/* place[g]: the combined group of group g, numbered by first appearance; the groups themselves are
 * packed to the front. */
static int pack_groups(uint32_t *place, struct regret_rate_rows *rows)
{
    size_t n = 0;
    for (size_t g = 0; g < rows->n_groups; g++) {
        size_t k = 0;
        while (k < n && strcmp(rows->groups[k].attribute, rows->groups[g].attribute) != 0) {
            k++;
        }
        place[g] = (uint32_t)k;
        if (k == n) {
            struct regret_rate_group moved = rows->groups[g];
            rows->groups[g] = rows->groups[n];
            rows->groups[n++] = moved;
            continue;
        }
        TRY(join_name(&rows->groups[k], rows->groups[g].dataset));
    }
    for (size_t g = n; g < rows->n_groups; g++) {
        regret_free(rows->groups[g].dataset);
        regret_free(rows->groups[g].attribute);
    }
    rows->n_groups = n;
    return REGRET_OK;
}

int regret_rate_combine_datasets(struct regret_rate_rows *rows)
{
    FREED uint32_t *place = NULL;
    TRY(REGRET_NEW(&place, rows->n_groups));
    TRY(pack_groups(place, rows));
    for (size_t i = 0; i < rows->n_rows; i++) {
        rows->group[i] = place[rows->group[i]];
    }
    for (size_t k = 0; k < rows->index->named.n; k++) {
        uint32_t *group = &rows->index->named.entries[k].family;
        *group = place[*group];
    }
    return REGRET_OK;
}
