#include <string.h>

#include "base/core/try.h"
#include "base/text/json_list.h"
#include "model/core/file.h"
#include "regret/file.h"
#include "regret/hash.h"

void model_digest(uint64_t out[2], char *file, size_t length)
{
    struct model_head head;
    memcpy(&head, file, sizeof head);
    struct model_head blank = head;
    memset(blank.digest, 0, sizeof blank.digest);
    memcpy(file, &blank, sizeof blank);
    regret_hash128(out, file, length);
    memcpy(file, &head, sizeof head);
}

static void put_string(struct regret_buffer *t, const char *name, const char *value)
{
    regret_buffer_printf(t, ",\n\"%s\":", name);
    regret_buffer_json_string(t, value);
}

static void put_number(struct regret_buffer *t, const char *name, double value)
{
    regret_buffer_printf(t, ",\n\"%s\":", name);
    regret_buffer_json_number(t, value);
}

static void put_strings(struct regret_buffer *t, const char *name, char *const *value, size_t n)
{
    regret_buffer_printf(t, ",\n\"%s\":", name);
    json_strings(t, (const char *const *)value, n);
}

static void put_numbers(struct regret_buffer *t, const char *name, const double *value, size_t n)
{
    regret_buffer_printf(t, ",\n\"%s\":", name);
    json_numbers(t, value, n);
}

static void put_layer(struct regret_buffer *t, const char *name, const struct model_layer *layer)
{
    regret_buffer_printf(t, ",\n\"%s\":{\"rule\":\"%s\"", name,
                         regret_model_rule_name(layer->rule));
    put_number(t, "rho", layer->rho);
    put_number(t, "gamma", layer->gamma);
    put_number(t, "centre", layer->centre);
    if (layer->kappa > 0.0) {
        put_number(t, "kappa", layer->kappa);
    }
    put_numbers(t, "shrink", layer->shrink, layer->n);
    regret_buffer_append(t, "}");
}

/* Of every rule that was judged its regret, half-width, gain and its half-width. */
static void put_scores(struct regret_buffer *t, const struct regret_model_facts *f)
{
    regret_buffer_append(t, ",\n\"regret\":{\"contexts\":");
    regret_buffer_json_number(t, (double)f->judged);
    put_number(t, "random", f->random);
    for (int r = 0; r < REGRET_MODEL_RULES; r++) {
        const struct regret_model_score *s = &f->score[r];
        const double numbers[] = {s->regret, s->half, s->gain, s->gain_half};
        if (s->is_there) {
            put_numbers(t, regret_model_rule_name((enum regret_model_rule)r), numbers, 4);
        }
    }
    regret_buffer_append(t, "}");
}

static void put_column(struct regret_buffer *t, const struct model_column *c)
{
    regret_buffer_append(t, "\n{\"name\":");
    regret_buffer_json_string(t, c->name);
    if (c->word != NULL) {
        put_strings(t, "words", c->word, c->n);
        put_numbers(t, "shares", c->share, c->n);
    } else {
        put_number(t, "mean", c->mean);
        put_number(t, "sd", c->sd);
        put_number(t, "blank", c->blank);
        put_number(t, "least", c->least);
        put_number(t, "most", c->most);
        put_numbers(t, "cut", c->number.cut, OWN_STEPS);
        put_numbers(t, "shares", c->number.share, OWN_STEPS);
        put_number(t, "scale", c->number.scale);
    }
    regret_buffer_append_char(t, '}');
}

static void put_text(struct regret_buffer *t, const struct regret_model *m)
{
    regret_buffer_append(t, "{\"format\":\"" MODEL_FORMAT "\"");
    put_string(t, "program", regret_version());
    put_string(t, "pool", m->pool);
    put_string(t, "pool_digest", m->pool_digest);
    put_string(t, "settings", m->settings);
    if (m->told >= 0) {
        put_number(t, "told", m->told);
    }
    put_strings(t, "agents", m->agent, m->n_agents);
    put_strings(t, "tags", m->tag, m->n_tags);
    put_strings(t, "answered", m->answered, m->n_tags);
    put_number(t, "tag_mean", m->tag_mean);
    put_layer(t, "contrasts", &m->contrast);
    put_layer(t, "common", &m->common);
    put_numbers(t, "own", m->own, m->n_agents);
    put_numbers(t, "own_margin", m->own_margin, m->n_agents);
    put_number(t, "common_own", m->common_own);
    put_number(t, "value_factor", m->value_factor);
    put_number(t, "margin_factor", m->margin_factor);
    put_number(t, "contexts", (double)m->facts.n_contexts);
    put_number(t, "pairs", (double)m->facts.n_pairs);
    put_number(t, "single", (double)m->facts.single);
    put_number(t, "error", m->facts.error);
    put_scores(t, &m->facts);
    for (size_t j = 0; j < m->columns.n; j++) {
        regret_buffer_append(t, j == 0 ? ",\n\"columns\":[" : ",");
        put_column(t, &m->columns.item[j]);
    }
    regret_buffer_append(t, m->columns.n > 0 ? "]}\n" : "}\n");
    while (t->length % 8 != 0) {
        regret_buffer_append_char(t, ' ');
    }
}

static void put_head(struct model_head *head, const struct regret_model *m, size_t text)
{
    *head = (struct model_head){.magic = MODEL_MAGIC,
                                .order = MODEL_ORDER,
                                .version = m->columns.n > 0 ? MODEL_VERSION_COLUMNS : MODEL_VERSION,
                                .text = text,
                                .agents = m->n_agents,
                                .tags = m->n_tags,
                                .buckets = m->n_buckets,
                                .directions_contrast = m->contrast.n,
                                .directions_common = m->common.n,
                                .hash_buckets = m->features.buckets,
                                .hash_seed = m->features.seed,
                                .term_frequency = 0,
                                .max_bytes = m->max_bytes};
}

int regret_model_write(const struct regret_model *m, const char *path)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer file = REGRET_BUFFER_INIT;
    struct model_head head;
    put_text(&text, m);
    put_head(&head, m, text.length);
    regret_buffer_append_n(&file, (const char *)&head, sizeof head);
    regret_buffer_append_n(&file, regret_buffer_get(&text), text.length);
    regret_buffer_append_n(&file, (const char *)m->row, model_rows(m) * m->width * sizeof *m->row);
    regret_buffer_append_n(&file, (const char *)m->bucket, m->n_buckets * sizeof *m->bucket);
    regret_buffer_free_into(&file, &text);
    TRY(regret_buffer_status(&file));
    model_digest(head.digest, file.data, file.length);
    memcpy(file.data, &head, sizeof head);
    return regret_file_write(path, file.data, file.length);
}
