#include "synth/patches/issues/corpus.h"

#include <cJSON.h>
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "synth/patches/issues/arguments.h"

#define FOLDER DATA_FOLDER "patches/"

static const char list_file[] = FOLDER "projects.json";

/* The modules of a project are the files of its folder. */
static int add_modules(struct patches_project *project, struct regret_place at)
{
    char folder[128];
    snprintf(folder, sizeof folder, FOLDER "%s/", project->name);
    for (const struct data_file *file = patches_files; file->name != NULL; file++) {
        if (strncmp(file->name, folder, strlen(folder)) != 0) {
            continue;
        }
        if (project->n_modules == PATCHES_MAX_MODULES) {
            return regret_json_error(at, "project \"%s\" has more than %d modules", project->name,
                                     (int)PATCHES_MAX_MODULES);
        }
        project->modules[project->n_modules++] =
            (struct patches_module){file->name + sizeof FOLDER - 1, file->text};
    }
    return project->n_modules > 0 ? REGRET_OK
                                  : regret_json_error(at, "project \"%s\" has no modules in %s",
                                                      project->name, folder);
}

static int has_module(const struct patches_project *project, const char *path)
{
    for (size_t i = 0; i < project->n_modules; i++) {
        if (strcmp(project->modules[i].path, path) == 0) {
            return 1;
        }
    }
    return 0;
}

static int read_function(struct patches_function *f, const cJSON *object)
{
    static const char *const known[] = {"module", "name", "inputs", "noun"};
    struct regret_place at = data_place(list_file, object);
    TRY(regret_json_check_keys(object, known, 4, at));
    TRY(regret_json_get_string(&f->path, object, "module", at));
    TRY(regret_json_get_string(&f->name, object, "name", at));
    TRY(regret_json_get_string(&f->inputs, object, "inputs", at));
    TRY(regret_json_get_string(&f->noun, object, "noun", at));
    if (!has_module(f->project, f->path)) {
        return regret_json_error(at, "there is no module %s", f->path);
    }
    if (!patches_arguments_valid(f->inputs)) {
        return regret_json_error(at, "\"inputs\": \"%s\" is no pattern of arguments", f->inputs);
    }
    return REGRET_OK;
}

static int read_project(struct patches_project *project, struct patches_function *functions,
                        size_t *n_functions, const cJSON *object)
{
    static const char *const known[] = {"name", "functions"};
    const cJSON *array = NULL, *function = NULL;
    struct regret_place at = data_place(list_file, object);
    TRY(regret_json_check_keys(object, known, 2, at));
    TRY(regret_json_get_string(&project->name, object, "name", at));
    TRY(add_modules(project, at));
    TRY(regret_json_get_array(&array, object, "functions", at));
    cJSON_ArrayForEach(function, array)
    {
        if (*n_functions == PATCHES_MAX_FUNCTIONS) {
            return regret_json_error(at, "more than %d functions", (int)PATCHES_MAX_FUNCTIONS);
        }
        functions[*n_functions].project = project;
        TRY(read_function(&functions[*n_functions], function));
        ++*n_functions;
    }
    return REGRET_OK;
}

int patches_corpus_read(struct patches_corpus *corpus)
{
    const cJSON *root = NULL, *object = NULL;
    struct patches_project *projects = NULL;
    struct patches_function *functions = NULL;
    corpus->data.built_in = patches_files;
    TRY(data_read(&root, &corpus->data, list_file));
    TRY(DATA_NEW(&projects, &corpus->data, PATCHES_MAX_PROJECTS));
    TRY(DATA_NEW(&functions, &corpus->data, PATCHES_MAX_FUNCTIONS));
    corpus->projects = projects;
    corpus->functions = functions;
    cJSON_ArrayForEach(object, root)
    {
        if (corpus->n_projects == PATCHES_MAX_PROJECTS) {
            return regret_json_error(data_place(list_file, object), "more than %d projects",
                                     (int)PATCHES_MAX_PROJECTS);
        }
        TRY(read_project(&projects[corpus->n_projects], functions, &corpus->n_functions, object));
        corpus->n_projects++;
    }
    if (corpus->n_functions == 0) {
        return regret_json_error((struct regret_place){list_file, 0}, "there are no functions");
    }
    return REGRET_OK;
}

void patches_corpus_free(struct patches_corpus *corpus)
{
    data_free(&corpus->data);
}
