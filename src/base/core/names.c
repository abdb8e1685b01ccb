#include "base/core/names.h"

#include "base/core/texts.h"
#include "base/core/try.h"
#include "regret/alloc.h"

int names_enter(uint32_t *out, struct names *names, const char *name)
{
    *out = NAMES_NONE;
    if (name == NULL) {
        return REGRET_OK;
    }
    size_t i = names_find(names, name);
    if (i == SIZE_MAX) {
        i = names->n;
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
        TRY(regret_grow((void **)&names->name, &names->capacity, i, sizeof *names->name, "names"));
        TRY(id_table_reserve(&names->table, i + 1));
        TRY(regret_strdup(&names->name[i], name));
        id_table_put(&names->table, names->name[i], i);
        names->n++;
    }
    *out = (uint32_t)i;
    return REGRET_OK;
}

size_t names_find(const struct names *names, const char *name)
{
    return id_table_find(&names->table, name);
}

void names_free(struct names *names)
{
    texts_free(names->name, names->n);
    id_table_free(&names->table);
    *names = (struct names){0};
}
