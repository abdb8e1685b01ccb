/* Configurations: a plan that is read, written as JSON and read again has the same cells and writes the
 * same JSON; two or three of its cells, and of a seed all, have the same keys and values. This is tried
 * with one input in four and each seed.
 *
 * The file comes first, then overrides as --set takes them, one a line. */
#include <stdio.h>
#include <string.h>

#include "regret/experiment.h"
#include "support.h"

enum { MAX_SETS = 8, CELLS_LOOKED_AT = 2 };

/* The lines of a part, cut in place, as overrides. A relative pool of an override starts at the
 * working folder, one of the file at the file's: such a plan reads again as another, so it is left
 * out. */
static size_t overrides(const char *sets[MAX_SETS], struct regret_buffer *lines)
{
    size_t n = 0;
    char *line = lines->length > 0 ? lines->data : NULL;
    while (line != NULL && n < MAX_SETS) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end++ = '\0';
        }
        int is_relative = strncmp(line, "pool=", 5) == 0 && line[5] != '/';
        if (line[0] != '\0' && !is_relative) {
            sets[n++] = line;
        }
        line = end;
    }
    return n;
}

static void check_cell(const struct regret_run_plan *p, const struct regret_run_plan *q,
                       size_t cell)
{
    struct regret_buffer a = REGRET_BUFFER_INIT, b = REGRET_BUFFER_INIT;
    struct regret_config c, d;
    regret_run_plan_cell_key(&a, p, cell);
    regret_run_plan_cell_key(&b, q, cell);
    REQUIRE(strcmp(regret_buffer_get(&a), regret_buffer_get(&b)) == 0);
    regret_run_plan_cell(&c, p, cell);
    regret_run_plan_cell(&d, q, cell);
    regret_config_json(&a, &c);
    regret_config_json(&b, &d);
    REQUIRE(a.status == 0 && strcmp(regret_buffer_get(&a), regret_buffer_get(&b)) == 0);
    regret_buffer_free(&a);
    regret_buffer_free(&b);
}

static void check_plan(const struct regret_run_plan *plan)
{
    struct regret_buffer text = REGRET_BUFFER_INIT, again = REGRET_BUFFER_INIT;
    struct regret_run_plan *back = NULL;
    size_t cells = regret_run_plan_cells(plan);
    REQUIRE(cells >= 1 && cells <= REGRET_MAX_CELLS);
    regret_run_plan_json(&text, plan);
    REQUIRE(regret_buffer_status(&text) == 0);
    const char *path = fuzz_put("again.json", regret_buffer_get(&text), text.length);
    REQUIRE(regret_run_plan_read(&back, path, NULL, 0) == 0);
    REQUIRE(regret_run_plan_cells(back) == cells);
    regret_run_plan_json(&again, back);
    REQUIRE(strcmp(regret_buffer_get(&text), regret_buffer_get(&again)) == 0);
    size_t step = fuzz_whole ? 1 : 1 + cells / CELLS_LOOKED_AT;
    for (size_t cell = 0; cell < cells; cell += step) {
        check_cell(plan, back, cell);
    }
    check_cell(plan, back, cells - 1);
    regret_run_plan_free(back);
    regret_buffer_free(&text);
    regret_buffer_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_part parts[FUZZ_MAX_PARTS];
    struct regret_buffer lines = REGRET_BUFFER_INIT;
    const char *sets[MAX_SETS];
    struct regret_run_plan *plan = NULL;
    fuzz_split(parts, data, size);
    regret_buffer_append_n(&lines, parts[1].text, parts[1].length);
    size_t n = overrides(sets, &lines);
    fuzz_accepted =
        fuzz_taken(regret_run_plan_read(&plan, fuzz_put_part("c.json", parts[0]), sets, n));
    if (fuzz_accepted && fuzz_turn(data, size, 4)) {
        check_plan(plan);
    }
    regret_run_plan_free(plan);
    regret_buffer_free(&lines);
    fuzz_parts_free(parts);
    return 0;
}
