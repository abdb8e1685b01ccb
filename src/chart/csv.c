/* The numbers of a chart: a record a point, the columns that its kind uses. */
#include "base/text/escape.h"
#include "chart/chart.h"

enum column {
    COLUMN_PANEL,
    COLUMN_SERIES,
    COLUMN_ROW,
    COLUMN_COLUMN,
    COLUMN_X,
    COLUMN_VALUE,
    COLUMN_LOW,
    COLUMN_HIGH,
    COLUMN_TIE,
    N_COLUMNS
};

static const char *const names[N_COLUMNS] = {"panel", "series", "row",  "column", "x",
                                             "value", "low",    "high", "tie"};

#define BIT(column) (1u << (column))
static const unsigned used[CHART_N_KINDS] = {
    [CHART_LINES] = BIT(COLUMN_SERIES) | BIT(COLUMN_X) | BIT(COLUMN_LOW) | BIT(COLUMN_HIGH),
    [CHART_INTERVALS] = BIT(COLUMN_SERIES) | BIT(COLUMN_ROW) | BIT(COLUMN_LOW) | BIT(COLUMN_HIGH),
    [CHART_STRIPS] = BIT(COLUMN_SERIES) | BIT(COLUMN_ROW),
    [CHART_WINNERS] = BIT(COLUMN_SERIES) | BIT(COLUMN_ROW) | BIT(COLUMN_COLUMN) | BIT(COLUMN_TIE),
    [CHART_SHARES] = BIT(COLUMN_ROW) | BIT(COLUMN_COLUMN),
    [CHART_RANKS] = BIT(COLUMN_SERIES) | BIT(COLUMN_LOW) | BIT(COLUMN_HIGH),
};

static int has_column(const struct chart *c, int k)
{
    return k == COLUMN_VALUE || (k == COLUMN_PANEL && c->n_panels > 1) ||
           (k == COLUMN_ROW && c->kind == CHART_LINES && c->rows.n > 0) ||
           (used[c->kind] & BIT(k)) != 0;
}

static void put_field(struct regret_buffer *out, const struct chart *c,
                      const struct chart_panel *panel, const struct chart_point *p, int k)
{
    switch (k) {
    case COLUMN_PANEL:
        csv_field(out, panel->heading);
        break;
    case COLUMN_SERIES:
        csv_field(out, p->series == CHART_NO_SERIES ? "" : c->series[p->series].name);
        break;
    case COLUMN_ROW:
        csv_field(out,
                  c->kind == CHART_LINES && !(p->flags & CHART_NAMED) ? "" : c->rows.text[p->row]);
        break;
    case COLUMN_COLUMN:
        csv_field(out, c->columns.text[p->column]);
        break;
    case COLUMN_TIE:
        regret_buffer_append_char(out, p->flags & CHART_TIE ? '1' : '0');
        break;
    default:
        csv_number(out, k == COLUMN_X       ? p->x
                        : k == COLUMN_VALUE ? p->value
                        : k == COLUMN_LOW   ? p->low
                                            : p->high);
    }
}

int chart_csv(struct regret_buffer *out, const struct chart *c)
{
    const char *comma = "";
    for (int k = 0; k < N_COLUMNS; k++) {
        if (has_column(c, k)) {
            regret_buffer_printf(out, "%s%s", comma, names[k]);
            comma = ",";
        }
    }
    for (size_t i = 0; i < c->n_panels; i++) {
        for (size_t j = 0; j < c->panels[i].n_points; j++) {
            comma = "\n";
            for (int k = 0; k < N_COLUMNS; k++) {
                if (has_column(c, k)) {
                    regret_buffer_append(out, comma);
                    put_field(out, c, &c->panels[i], &c->panels[i].points[j], k);
                    comma = ",";
                }
            }
        }
    }
    regret_buffer_append_char(out, '\n');
    return regret_buffer_status(out);
}
