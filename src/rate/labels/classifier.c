#include "rate/labels/classifier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/spans.h"
#include "rate/rows/rows.h"
#include "regret/alloc.h"

static int unknown_classifier(const char *classifier)
{
    return regret_fail(REGRET_E_INPUT,
                       "\"%s\" is no classifier of W; give \"length:T\", \"score:MODEL:T\" or "
                       "\"text\"",
                       classifier);
}

static int take_threshold(double *out, const char *text, const char *classifier)
{
    char *end = NULL;
    *out = strtod(text, &end);
    return end == text || *end != '\0' || !isfinite(*out) ? unknown_classifier(classifier)
                                                          : REGRET_OK;
}

/* "MODEL:T"; a model's name may hold colons. */
static int parse_score(struct classifier *out, const struct regret_rate_rows *rows,
                       const char *name, const char *classifier)
{
    const char *colon = strrchr(name, ':');
    FREED char *model = NULL;
    if (colon == NULL) {
        return unknown_classifier(classifier);
    }
    TRY(take_threshold(&out->threshold, colon + 1, classifier));
    TRY(regret_strndup(&model, name, (size_t)(colon - name)));
    return rows_find_model(&out->model, rows, model);
}

int classifier_parse(struct classifier *out, const struct regret_rate_rows *rows,
                     const char *classifier)
{
    int by_length = strncmp(classifier, "length:", strlen("length:")) == 0;
    *out = (struct classifier){CLASSIFIER_TEXT, 0, 0.0};
    if (strncmp(classifier, "score:", strlen("score:")) == 0) {
        out->kind = CLASSIFIER_SCORE;
        return parse_score(out, rows, classifier + strlen("score:"), classifier);
    }
    if (!by_length && strcmp(classifier, "text") != 0) {
        return unknown_classifier(classifier);
    }
    if (!rows->keep_texts) {
        return regret_fail(REGRET_E_INPUT, "classifier \"%s\" reads texts; read the rows with them",
                           classifier);
    }
    if (by_length) {
        out->kind = CLASSIFIER_LENGTH;
        return take_threshold(&out->threshold, classifier + strlen("length:"), classifier);
    }
    return REGRET_OK;
}

double classifier_value(const struct classifier *c, const struct regret_rate_rows *rows, size_t i,
                        int side)
{
    if (c->kind == CLASSIFIER_SCORE) {
        return rows->models[c->model].score[side][i];
    }
    const char *text = rows->texts[i].completion[side];
    return text != NULL ? (double)count_characters(text) : (double)NAN;
}
