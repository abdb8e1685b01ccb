#include "synth/newswire/article/grammar.h"

#include <string.h>

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
