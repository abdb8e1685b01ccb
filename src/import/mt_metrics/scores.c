/* Scores of segments: a block of lines for each system, "SYSTEM SCORE", in the order of the segments. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "import/mt_metrics/mt_metrics.h"
#include "regret/alloc.h"

enum { MOST_SYSTEMS = 4096 };

/* The scores of a system by a rating; lines of one stand together, as a rule. */
static int find(size_t *out, struct mt_data *d, uint32_t rating, const char *name,
                struct regret_place at)
{
    uint32_t system = 0;
    TRY(names_enter(&system, &d->systems, name));
    for (size_t i = d->n_scores; i-- > 0;) {
        if (d->scores[i].system == system && d->scores[i].rating == rating) {
            *out = i;
            return REGRET_OK;
        }
    }
    if (system >= MOST_SYSTEMS) {
        return regret_json_error(at, "more than %d systems", MOST_SYSTEMS);
    }
    TRY(regret_grow((void **)&d->scores, &d->scores_capacity, d->n_scores, sizeof *d->scores,
                    "ratings"));
    *out = d->n_scores++;
    d->scores[*out] = (struct mt_scores){.rating = rating, .system = system};
    return REGRET_OK;
}

/* Cuts a line in two where it stands; the score is NAN for None, and no zero has a sign. */
static int read_score(double *out, char *line, struct regret_place at)
{
    char *end = NULL, *score = line + strcspn(line, " \t");
    *out = NAN;
    if (*score != '\0') {
        *score++ = '\0';
        score += strspn(score, " \t");
    }
    if (strcmp(score, "None") == 0 && line[0] != '\0') {
        return REGRET_OK;
    }
    *out = strtod(score, &end) + 0.0;
    return line[0] != '\0' && end != score && end[strspn(end, " \t")] == '\0' && isfinite(*out)
               ? REGRET_OK
               : regret_json_error(at, "must be the name of a system and its score, a number or "
                                       "None");
}

int mt_read_scores(struct mt_data *d, struct mt_text *text)
{
    uint32_t rating = 0, file = 0;
    size_t before = d->ratings.n;
    TRY(names_enter(&rating, &d->ratings, text->name));
    TRY(names_enter(&file, &d->rating_files, text->where));
    if (rating < before) {
        return regret_fail(REGRET_E_INPUT, "%s: \"%s\" has been read before", text->where,
                           text->name);
    }
    for (size_t k = 0; k < text->n; k++) {
        const struct regret_place at = {text->where, k + 1};
        double value = NAN;
        size_t i = 0;
        TRY(read_score(&value, text->line[k], at));
        TRY(find(&i, d, rating, text->line[k], at));
        struct mt_scores *s = &d->scores[i];
        TRY(regret_grow((void **)&s->value, &s->capacity, s->n, sizeof *s->value, "scores"));
        s->value[s->n++] = value;
    }
    return REGRET_OK;
}
