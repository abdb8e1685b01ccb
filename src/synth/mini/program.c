/* Parsing and linking the modules of a program. */
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "synth/mini/run.h"
#include "synth/mini/syntax.h"

enum { PROGRAM_BYTES = 1 << 23 };

/* "shop/cart.py" → "shop.cart" */
static char *module_name(struct arena *arena, const char *path)
{
    size_t length = strlen(path);
    if (length > 3 && strcmp(path + length - 3, ".py") == 0) {
        length -= 3;
    }
    char *name = arena_take(arena, length + 1);
    for (size_t i = 0; name != NULL && i < length; i++) {
        name[i] = (char)(path[i] == '/' ? '.' : path[i]);
    }
    return name;
}

static int parse_one(struct mini_program *program, struct mini_module *module,
                     const struct mini_source *source)
{
    struct mini_parser parser;
    size_t length = strlen(source->path);
    if (strlen(source->text) > MINI_MAX_SOURCE_BYTES) {
        return regret_fail(REGRET_E_INPUT, "%s: more than %d bytes; split the module", source->path,
                           (int)MINI_MAX_SOURCE_BYTES);
    }
    char *path = arena_take(&program->arena, length + 1);
    module->name = module_name(&program->arena, source->path);
    if (path == NULL || module->name == NULL) {
        return program->arena.status != REGRET_OK
                   ? program->arena.status
                   : regret_fail(REGRET_E_INPUT, "%s: a program too large", source->path);
    }
    memcpy(path, source->path, length);
    module->path = path;
    mini_parser_begin(&parser, &program->arena, module->path, source->text, 0);
    return mini_parse_module(&parser, module);
}

static int link_module(const struct mini_program *program, struct mini_module *module)
{
    for (struct mini_import *import = module->imports; import != NULL; import = import->next) {
        for (size_t i = 0; i < program->n_modules; i++) {
            if (strcmp(program->modules[i].name, import->module) == 0) {
                import->from = &program->modules[i];
            }
        }
        if (import->from == NULL) {
            return regret_fail(REGRET_E_INPUT, "%s:%d: No module named '%s'", module->path,
                               import->line, import->module);
        }
        if (!mini_module_has(import->from, import->name)) {
            return regret_fail(REGRET_E_INPUT, "%s:%d: cannot import name '%s' from '%s'",
                               module->path, import->line, import->name, import->module);
        }
    }
    return REGRET_OK;
}

int mini_parse(struct mini_program **out, const struct mini_source *sources, size_t n)
{
    struct mini_program *program = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&program, 1));
    program->arena.limit = PROGRAM_BYTES;
    TRY_CLEANUP(REGRET_NEW(&program->modules, n));
    program->n_modules = n;
    for (size_t i = 0; i < n; i++) {
        TRY_CLEANUP(parse_one(program, &program->modules[i], &sources[i]));
    }
    for (size_t i = 0; i < n; i++) {
        TRY_CLEANUP(link_module(program, &program->modules[i]));
    }
    *out = program;
    program = NULL;
cleanup:
    mini_free(program);
    return rc;
}

void mini_free(struct mini_program *program)
{
    if (program == NULL) {
        return;
    }
    arena_free(&program->arena);
    regret_free(program->modules);
    regret_free(program);
}
