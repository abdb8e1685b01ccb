#include "value/deciding/deciding.h"

enum { COLUMNS = 40 };

static void say_side(struct regret_buffer *out, const struct deciding_side *side,
                     const char *const *agent)
{
    regret_buffer_append_safe(out, agent[side->agent], COLUMNS);
    regret_buffer_printf(out, " for %.0f %% of %zu", 100.0 * side->share, side->rows);
}

static void say_cut(struct regret_buffer *out, const struct deciding_cut *cut,
                    const struct deciding_column *c)
{
    regret_buffer_append_safe(out, c->name, COLUMNS);
    if (c->number != NULL) {
        regret_buffer_printf(out, " at least %.4g", cut->least);
    } else {
        regret_buffer_append(out, " is ");
        regret_buffer_append_safe(out, c->words[cut->word], COLUMNS);
    }
}

void deciding_say(struct regret_buffer *out, const struct deciding *d,
                  const struct deciding_column *column, const char *const *agent)
{
    for (size_t k = 0; k < d->n; k++) {
        const struct deciding_cut *cut = &d->cut[k];
        regret_buffer_append(out, k > 0 ? "; " : "");
        if (cut->within >= 0) {
            const struct deciding_cut *of = &d->cut[cut->within];
            regret_buffer_append(out, cut->on ? "where " : "where not ");
            say_cut(out, of, &column[of->column]);
            regret_buffer_append(out, ", ");
        }
        say_cut(out, cut, &column[cut->column]);
        regret_buffer_append(out, ": ");
        say_side(out, &cut->side[1], agent);
        regret_buffer_append(out, k == 0 ? " requests, else " : ", else ");
        say_side(out, &cut->side[0], agent);
    }
}

void deciding_json(struct regret_buffer *out, const struct deciding *d,
                   const struct deciding_column *column, const char *const *agent)
{
    regret_buffer_append_char(out, '[');
    for (size_t k = 0; k < d->n; k++) {
        const struct deciding_cut *cut = &d->cut[k];
        const struct deciding_column *c = &column[cut->column];
        regret_buffer_append(out, k > 0 ? ",\n{\"column\":" : "\n{\"column\":");
        regret_buffer_json_string(out, c->name);
        regret_buffer_append(out, c->number != NULL ? ",\"least\":" : ",\"is\":");
        if (c->number != NULL) {
            regret_buffer_json_number(out, cut->least);
        } else {
            regret_buffer_json_string(out, c->words[cut->word]);
        }
        if (cut->within >= 0) {
            regret_buffer_printf(out, ",\"within\":%d,\"side\":\"%s\"", cut->within,
                                 cut->on ? "then" : "else");
        }
        for (size_t side = 2; side-- > 0;) {
            const struct deciding_side *of = &cut->side[side];
            regret_buffer_printf(out, ",\"%s\":{\"agent\":", side == 1 ? "then" : "else");
            regret_buffer_json_string(out, agent[of->agent]);
            regret_buffer_printf(out, ",\"rows\":%zu,\"share\":", of->rows);
            regret_buffer_json_number(out, of->share);
            regret_buffer_append_char(out, '}');
        }
        regret_buffer_append_char(out, '}');
    }
    regret_buffer_append_char(out, ']');
}
