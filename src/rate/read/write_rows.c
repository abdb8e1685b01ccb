#include "rate/rows/rows.h"
#include "regret/rate.h"

static void label(struct regret_buffer *out, const char *name, uint8_t value)
{
    regret_buffer_printf(out, ", \"%s\": %s", name,
                         value == REGRET_LABEL_1   ? "true"
                         : value == REGRET_LABEL_0 ? "false"
                                                   : "null");
}

static void texts(struct regret_buffer *out, const struct regret_rate_row_texts *t)
{
    static const char *const keys[REGRET_N_SIDES] = {"original", "rewrite", "rewrite_of_rewrite"};
    const char *comma = "";
    if (t->prompt != NULL) {
        regret_buffer_append(out, ", \"prompt\": ");
        regret_buffer_json_string(out, t->prompt);
    }
    regret_buffer_append(out, ", \"completions\": {");
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        if (t->completion[side] != NULL) {
            regret_buffer_printf(out, "%s\"%s\": ", comma, keys[side]);
            regret_buffer_json_string(out, t->completion[side]);
            comma = ", ";
        }
    }
    regret_buffer_append(out, "}");
}

static void scores(struct regret_buffer *out, const struct regret_rate_rows *rows, size_t i,
                   int contrastive)
{
    static const char *const keys[2][REGRET_N_SIDES] = {
        {"original", "rewrite", "rewrite_of_rewrite"}, {"single", "double", NULL}};
    const char *comma = "";
    regret_buffer_printf(out, ", \"%s\": {", contrastive ? "contrasts" : "scores");
    for (size_t m = 0; m < rows->n_models; m++) {
        const struct regret_rate_model *model = &rows->models[m];
        if (model->contrastive != contrastive) {
            continue;
        }
        regret_buffer_append(out, comma);
        regret_buffer_json_string(out, model->name);
        for (int k = 0; k < REGRET_N_SIDES && keys[contrastive][k] != NULL; k++) {
            regret_buffer_printf(out, "%s\"%s\": ", k == 0 ? ": {" : ", ", keys[contrastive][k]);
            regret_buffer_json_number(out, model->score[k][i]);
        }
        regret_buffer_append(out, "}");
        comma = ", ";
    }
    regret_buffer_append(out, "}");
}

void regret_rate_write_rows(struct regret_buffer *out, const struct regret_rate_rows *rows)
{
    int contrastive = 0;
    for (size_t m = 0; m < rows->n_models; m++) {
        contrastive |= rows->models[m].contrastive;
    }
    for (size_t i = 0; i < rows->n_rows; i++) {
        const struct regret_rate_group *g = &rows->groups[rows->group[i]];
        regret_buffer_printf(out, "{\"id\": \"%zu\", \"dataset\": ", i + 1);
        regret_buffer_json_string(out, g->dataset);
        regret_buffer_append(out, ", \"attribute\": ");
        regret_buffer_json_string(out, g->attribute);
        label(out, "w", rows->w[i]);
        if (rows->z[i] <= REGRET_LABEL_1) {
            label(out, "z", rows->z[i]);
        }
        if (rows->texts != NULL) {
            texts(out, &rows->texts[i]);
        }
        scores(out, rows, i, 0);
        if (contrastive) {
            scores(out, rows, i, 1);
        }
        regret_buffer_append(out, "}\n");
    }
}
