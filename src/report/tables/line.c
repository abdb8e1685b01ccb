#include <math.h>

#include "base/core/try.h"
#include "report/tables/spec.h"

static size_t subject_at(const struct subject_spec *subject, const struct line_place *at)
{
    const struct regret_results *r = at->slice->r;
    switch (subject->kind) {
    case SUBJECT_FAMILY:
        return regret_results_subject(r, REGRET_ROW_FAMILY, subject->name);
    case SUBJECT_FIT:
        return regret_results_subject(r, REGRET_ROW_FIT, subject->name);
    case SUBJECT_BEST_OBS_BASED:
        return best_obs_based(at->slice);
    default:
        return at->self;
    }
}

/* Two numbers that are compared. */
struct pair {
    size_t a, b; /* subjects */
    enum regret_measure measure_a, measure_b;
};

/* The share of cells (in %) in which the mean of a is below that of b; NaN without cells that have
 * both. */
static double share_below(const struct slice *s, const struct pair *p)
{
    size_t n = 0, below = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        double x = cell_mean(s->r, p->measure_a, p->a, s->cells[i]);
        double y = cell_mean(s->r, p->measure_b, p->b, s->cells[i]);
        if (isfinite(x) && isfinite(y)) {
            n++;
            below += x < y;
        }
    }
    return n > 0 ? 100.0 * (double)below / (double)n : NAN;
}

static int read_comparison(struct line_value *out, enum statistic statistic,
                           const struct pair *pair, const struct slice *s)
{
    struct paired p;
    if (statistic == STATISTIC_SHARE_BELOW) {
        out->value = share_below(s, pair);
        out->decimals = 0;
        return REGRET_OK;
    }
    TRY(slice_paired(&p, s, pair->measure_a, pair->a, pair->measure_b, pair->b));
    out->flags |= TABLE_SIGNED;
    switch (statistic) {
    case STATISTIC_PAIRED_LOW:
        out->value = p.low;
        break;
    case STATISTIC_PAIRED_HIGH:
        out->value = p.high;
        break;
    case STATISTIC_PAIRED_MEAN:
        out->value = p.mean;
        break;
    case STATISTIC_MEAN_DIFFERENCE:
        out->value = slice_estimate(s, pair->measure_a, pair->a).mean -
                     slice_estimate(s, pair->measure_b, pair->b).mean;
        out->se = p.se;
        out->flags |= TABLE_SE;
        break;
    default:
        out->value = p.mean;
        out->se = p.se;
        out->flags |= TABLE_SE | (p.high < 0.0 ? TABLE_BEST : 0U);
    }
    return REGRET_OK;
}

int line_read(struct line_value *out, const struct line_spec *line, const struct line_place *at)
{
    struct pair pair = {subject_at(&line->subject, at), REGRET_NO_ROW, line->measure,
                        line->other_measure};
    *out = (struct line_value){NAN, NAN, measure_decimals(line->measure), TABLE_NUMBER, NULL};
    if (pair.a == REGRET_NO_ROW) {
        return REGRET_OK;
    }
    if (line->statistic == STATISTIC_WINS) {
        out->value = (double)slice_wins(at->slice, line->measure, -1, pair.a, at->rows, at->n_rows);
        out->decimals = 0;
        return REGRET_OK;
    }
    if (line->statistic == STATISTIC_MEAN || line->statistic == STATISTIC_PLAIN_MEAN) {
        struct estimate e = slice_estimate(at->slice, line->measure, pair.a);
        out->value = e.mean;
        out->se = e.se;
        out->flags |= line->statistic == STATISTIC_MEAN ? TABLE_SE : 0U;
        out->subject = line->subject.kind == SUBJECT_BEST_OBS_BASED
                           ? at->slice->r->subjects[pair.a].name
                           : NULL;
        return REGRET_OK;
    }
    pair.b = subject_at(&line->other, at);
    /* Nothing is compared with itself. */
    int comparable =
        pair.b != REGRET_NO_ROW && (pair.a != pair.b || pair.measure_a != pair.measure_b);
    return comparable ? read_comparison(out, line->statistic, &pair, at->slice) : REGRET_OK;
}
