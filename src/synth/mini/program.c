/* A program: its modules parsed and linked, and an expression evaluated in it. */
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "synth/mini/run.h"
#include "synth/mini/syntax.h"

FREED_POINTER(struct mini_program, mini_free)

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
    FREED_BY(mini_free_at) struct mini_program *program = NULL;
    TRY(REGRET_NEW(&program, 1));
    program->arena.limit = PROGRAM_BYTES;
    TRY(REGRET_NEW(&program->modules, n));
    program->n_modules = n;
    for (size_t i = 0; i < n; i++) {
        TRY(parse_one(program, &program->modules[i], &sources[i]));
    }
    for (size_t i = 0; i < n; i++) {
        TRY(link_module(program, &program->modules[i]));
    }
    *out = program;
    program = NULL;
    return REGRET_OK;
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

static const struct mini_module *find_module(const struct mini_program *program, const char *path)
{
    for (size_t i = 0; i < program->n_modules; i++) {
        if (strcmp(program->modules[i].path, path) == 0) {
            return &program->modules[i];
        }
    }
    return NULL;
}

static int parse_expression(struct mini_node **out, struct arena *syntax, const char *expression)
{
    struct mini_parser parser;
    mini_parser_begin(&parser, syntax, "<expression>", expression, 1);
    *out = mini_parse_expression(&parser);
    if (parser.status == REGRET_OK && parser.token.kind != MINI_END) {
        mini_parser_fail(&parser, "invalid syntax");
    }
    return parser.status;
}

int mini_evaluate(struct mini_result *out, const struct mini_program *program, const char *path,
                  const char *expression, const struct mini_limits *limits)
{
    struct mini_run run = {.call = mini_call, .limits = *limits, .arena.limit = limits->bytes};
    struct arena syntax = {.limit = MINI_MAX_SOURCE_BYTES};
    struct mini_frame frame = {.module = find_module(program, path)};
    struct regret_buffer t = REGRET_BUFFER_INIT;
    struct mini_value value;
    struct mini_node *node = NULL;
    char *text = NULL;
    int rc;
    if (frame.module == NULL) {
        return regret_fail(REGRET_E_INPUT, "%s: no such module in the program", path);
    }
    TRY_CLEANUP(parse_expression(&node, &syntax, expression));
    int raised = mini_eval(&value, &run, &frame, node) || mini_write(&t, &run, &value, 0, 0);
    if (raised) {
        regret_buffer_clear(&t);
        regret_buffer_append(&t, run.error);
    }
    TRY_CLEANUP(run.arena.status);
    TRY_CLEANUP(regret_buffer_status(&t));
    TRY_CLEANUP(regret_strndup(&text, regret_buffer_get(&t), t.length));
    *out = (struct mini_result){raised, text, run.steps};
cleanup:
    regret_buffer_free(&t);
    arena_free(&run.arena);
    arena_free(&syntax);
    return rc;
}
