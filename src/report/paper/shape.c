#include "report/paper/shape.h"

#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "report/rows/regime.h"
#include "report/rows/table_data.h"

/* ---------------------------------------------------------------- what a run has */

static int has_map(const struct regret_results *r, const char *map)
{
    const struct regret_key *key = &r->keys[REGRET_KEY_MAP];
    return value_number(key, map) < key->n_values;
}

static const char *task_of(const struct regret_results *r)
{
    return has_map(r, "world") ? "world" : has_map(r, "utility") ? "coding" : "summaries";
}

static int has_variant_of(const struct regret_results *r, const char *family)
{
    int has = 0;
    for (size_t f = 0; f < r->n_families; f++) {
        const char *base = r->subjects[f].variant_of;
        has |= base != NULL && strcmp(base, family) == 0;
    }
    return has;
}

static int has_values(const struct regret_results *r)
{
    int has = 0;
    for (size_t f = 0; f < r->n_families; f++) {
        has |= has_measure(r, REGRET_MEASURE_DM_RMSE, f);
    }
    return has;
}

static int ranks_families(const struct regret_results *r)
{
    size_t n = 0;
    for (size_t f = 0; f < r->n_families; f++) {
        n += (size_t)family_has_role(r, f, REGRET_ROLE_PAPER);
    }
    return n >= 3;
}

static int is_stressed(const struct slice *all)
{
    struct regime regime = regime_read(all);
    return regime_is_stressed(&regime);
}

/* ---------------------------------------------------------------- words */

static const char variant[] = "variant:";

/* "KEY=N" or "KEY>1": where its key ends. */
static size_t key_length(const char *word)
{
    return strcspn(word, "=>");
}

static int is_swept_as(const char *word, const struct regret_results *r)
{
    size_t length = key_length(word), n = 1;
    for (size_t k = 0; k < r->n_keys; k++) {
        if (strlen(r->keys[k].name) == length && strncmp(r->keys[k].name, word, length) == 0) {
            n = r->keys[k].n_values;
        }
    }
    size_t said = strtoul(word + length + 1, NULL, 10);
    return word[length] == '=' ? n == said : n > said;
}

static int has_word(const char *word, const struct slice *all)
{
    return strcmp(word, "families") == 0   ? ranks_families(all->r)
           : strcmp(word, "values") == 0   ? has_values(all->r)
           : strcmp(word, "stressed") == 0 ? is_stressed(all)
           : strncmp(word, variant, strlen(variant)) == 0
               ? has_variant_of(all->r, word + strlen(variant))
               : is_swept_as(word, all->r);
}

/* ---------------------------------------------------------------- shapes */

int shape_read(struct shape *out, struct sheet *sheet, size_t i)
{
    static const char *const tasks[] = {"summaries", "world", "coding"};
    size_t task = 0;
    out->name = sheet->records[i].field[0];
    TRY(sheet_word(&task, sheet, i, "task", tasks, 3));
    out->task = tasks[task];
    return sheet_words(out->words, SHAPE_WORDS, &out->n, sheet, i, "shape");
}

int shape_is_about(const struct shape *s, const struct regret_results *r)
{
    return strcmp(s->task, task_of(r)) == 0;
}

int shape_fits(const struct shape *s, const struct slice *all)
{
    int fits = shape_is_about(s, all->r);
    for (size_t k = 0; fits && k < s->n; k++) {
        fits = has_word(s->words[k], all);
    }
    return fits;
}

int shape_sweeps(const struct shape *s, const char *key)
{
    int sweeps = 0;
    for (size_t k = 0; k < s->n; k++) {
        size_t length = key_length(s->words[k]);
        sweeps |= strlen(key) == length && strncmp(s->words[k], key, length) == 0 &&
                  strcmp(s->words[k] + length, "=1") != 0;
    }
    return sweeps;
}
