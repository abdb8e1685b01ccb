/* The language of the coding pool: values worked out by hand, errors, limits, hostile text. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/rng.h"
#include "synth/mini/mini.h"

static const char program_text[] = "from lib.extra import TOP, twice\n"
                                   "\n"
                                   "BASE = [3, 1, 2]\n"
                                   "LIMIT = TOP - 1\n"
                                   "\n"
                                   "\n"
                                   "def fib(n):\n"
                                   "    \"\"\"The n-th number of Fibonacci.\"\"\"\n"
                                   "    if n < 2:\n"
                                   "        return n\n"
                                   "    return fib(n - 1) + fib(n - 2)\n"
                                   "\n"
                                   "def primes(limit):\n"
                                   "    found = []\n"
                                   "    for n in range(2, limit):\n"
                                   "        prime = True\n"
                                   "        for p in found:\n"
                                   "            if n % p == 0:\n"
                                   "                prime = False\n"
                                   "                break\n"
                                   "        if not prime:\n"
                                   "            continue\n"
                                   "        found.append(n)\n"
                                   "    return found\n"
                                   "\n"
                                   "def collatz(n):\n"
                                   "    steps = 0\n"
                                   "    while n != 1:  # a comment\n"
                                   "        if n % 2 == 0: n = n // 2\n"
                                   "        else:\n"
                                   "            n = 3 * n + 1\n"
                                   "        steps += 1\n"
                                   "    return steps\n"
                                   "\n"
                                   "def swap(items, i, j):\n"
                                   "    held = items[i]\n"
                                   "    items[i] = items[j]\n"
                                   "    items[j] = held\n"
                                   "    return items\n"
                                   "\n"
                                   "def grade(score):\n"
                                   "    if score >= 90:\n"
                                   "        return 'a'\n"
                                   "    elif score >= 50:\n"
                                   "        return 'b'\n"
                                   "    else:\n"
                                   "        return 'c'\n"
                                   "\n"
                                   "def careful(items, i):\n"
                                   "    try:\n"
                                   "        return items[i]\n"
                                   "    except IndexError:\n"
                                   "        return 'none'\n"
                                   "\n"
                                   "def nothing():\n"
                                   "    pass\n"
                                   "\n"
                                   "def picky(n):\n"
                                   "    assert n > 0\n"
                                   "    if n > LIMIT:\n"
                                   "        raise ValueError('too large')\n"
                                   "    return twice(n)\n"
                                   "\n"
                                   "def forever():\n"
                                   "    while True:\n"
                                   "        pass\n"
                                   "\n"
                                   "def deep(n):\n"
                                   "    return deep(n + 1)\n"
                                   "\n"
                                   "def greedy():\n"
                                   "    all = [1]\n"
                                   "    while True:\n"
                                   "        all = all + all\n"
                                   "\n"
                                   "def knot():\n"
                                   "    a = []\n"
                                   "    a.append(a)\n"
                                   "    return a\n"
                                   "\n"
                                   "def stubborn():\n"
                                   "    while True:\n"
                                   "        try:\n"
                                   "            forever()\n"
                                   "        except:\n"
                                   "            pass\n"
                                   "\n"
                                   "def shared():\n"
                                   "    rows = [[0]] * 2\n"
                                   "    rows[0].append(5)\n"
                                   "    return rows\n";

static const char extra_text[] = "TOP = 11\n\ndef twice(n):\n    return n + n\n";

static struct mini_program *parse(void)
{
    const struct mini_source sources[] = {{"main.py", program_text}, {"lib/extra.py", extra_text}};
    struct mini_program *program = NULL;
    cr_assert_eq(mini_parse(&program, sources, 2), 0, "%s", regret_error_message());
    return program;
}

static void expect(const struct mini_program *program, const char *expression, int raised,
                   const char *wanted)
{
    const struct mini_limits limits = MINI_LIMITS_INIT;
    struct mini_result result;
    cr_assert_eq(mini_evaluate(&result, program, "main.py", expression, &limits), 0, "%s: %s",
                 expression, regret_error_message());
    cr_assert_str_eq(result.text, wanted, "%s is %s, not %s", expression, result.text, wanted);
    cr_assert_eq(result.raised, raised, "%s", expression);
    cr_assert(result.steps <= limits.steps);
    regret_free(result.text);
}

Test(mini, computes_what_python_computes)
{
    static const char *const cases[][2] = {
        {"fib(12)", "144"},
        {"primes(30)", "[2, 3, 5, 7, 11, 13, 17, 19, 23, 29]"},
        {"collatz(27)", "111"},
        {"swap([1, 2, 3], 0, -1)", "[3, 2, 1]"},
        {"[grade(95), grade(50), grade(49)]", "['a', 'b', 'c']"},
        {"[careful([4], 0), careful([4], 1)]", "[4, 'none']"},
        {"nothing()", "None"},
        {"picky(4)", "8"},
        {"shared()", "[[0, 5], [0, 5]]"},
        {"BASE + [LIMIT]", "[3, 1, 2, 10]"},
        /* floor division and remainders take the divisor's sign */
        {"[7 // 2, -7 // 2, 7 // -2, -7 // -2]", "[3, -4, -4, 3]"},
        {"[7 % 3, -7 % 3, 7 % -3, -7 % -3]", "[1, 2, -2, -1]"},
        {"2 + 3 * 4 - 10 // 3", "11"},
        {"-2 * 3 + (1 - 2) * 4", "-10"},
        {"1 < 2 < 3 and not 3 < 2 < 5", "True"},
        {"0 or '' or [] or 7", "7"},
        {"1 and 0 and x", "0"},
        {"5 if 2 > 1 else 6", "5"},
        {"[1 == True, None is None, 1 is not None, 'a' in 'cab', 2 not in [1, 3]]",
         "[True, True, True, True, True]"},
        {"'abcdef'[1:-2] + 'xyz'[-1] + 'abc'[:1] + 'abc'[5:] + 'abc'[-9:2]", "'bcdzaab'"},
        {"[1, 2, 3, 4][-3:] + [1, 2][2:1]", "[2, 3, 4]"},
        {"'ab' * 3 + 2 * 'c' + 'd' * -1", "'abababcc'"},
        {"[len('abc'), len([1, [2, 3]]), abs(-4), sum([1, 2, 3]), int('-12'), ord('a')]",
         "[3, 2, 4, 6, -12, 97]"},
        {"[min([3, 1, 2]), max(4, 9, 2), min('b', 'a'), str(12) + str([1, 'a'])]",
         "[1, 9, 'a', \"12[1, 'a']\"]"},
        {"[range(3), range(2, 4), range(5, 0, -2), range(3, 3)]",
         "[[0, 1, 2], [2, 3], [5, 3, 1], []]"},
        {"[sorted([3, 1, 2]), reversed([1, 2]), list('ab'), sorted(['b', 'a', 'ab'])]",
         "[[1, 2, 3], [2, 1], ['a', 'b'], ['a', 'ab', 'b']]"},
        {"['aB c'.upper(), 'aB'.lower(), '  x '.strip(), '-'.join(['a', 'b'])]",
         "['AB C', 'ab', 'x', 'a-b']"},
        {"[' a  b '.split(), 'a,,b'.split(','), ''.split(), ''.split(',')]",
         "[['a', 'b'], ['a', '', 'b'], [], ['']]"},
        {"['12'.isdigit(), ''.isdigit(), 'ab'.isalpha(), 'aB'.islower(), 'abc'.startswith('ab'), "
         "'abc'.endswith('b')]",
         "[True, False, True, False, True, False]"},
        {"[[1, 2] < [1, 3], [1] < [1, 0], 'b' > 'abc', [1, 2, 1].count(1)]",
         "[True, True, True, 2]"},
        {"\"it's\"", "\"it's\""},
        {"bool([0]) == True", "True"},
        {"print(1, 2)", "None"},
    };
    struct mini_program *program = parse();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(program, cases[i][0], 0, cases[i][1]);
    }
    mini_free(program);
}

Test(mini, raises_what_python_raises)
{
    static const char *const cases[][2] = {
        {"[1, 2][2]", "IndexError: list index out of range"},
        {"''[0]", "IndexError: string index out of range"},
        {"1 // 0", "ZeroDivisionError: integer division or modulo by zero"},
        {"1 % 0", "ZeroDivisionError: integer modulo by zero"},
        {"unknown", "NameError: name 'unknown' is not defined"},
        {"unknown(1)", "NameError: name 'unknown' is not defined"},
        {"1 + 'a'", "TypeError: unsupported operand type(s) for +: 'int' and 'str'"},
        {"[1] < 2", "TypeError: '<' not supported between instances of 'list' and 'int'"},
        {"len(3)", "TypeError: object of type 'int' has no len()"},
        {"fib()", "TypeError: fib() takes 1 positional arguments but 0 were given"},
        {"min([])", "ValueError: min() arg is an empty sequence"},
        {"int('x')", "ValueError: invalid literal for int() with base 10: 'x'"},
        {"picky(11)", "ValueError: too large"},
        {"picky(0)", "AssertionError"},
        {"(5).upper()", "AttributeError: 'int' object has no attribute 'upper'"},
        {"[].pop()", "IndexError: pop from empty list"},
        {"None[0]", "TypeError: 'NoneType' object is not subscriptable"},
        {"-'a'", "TypeError: bad operand type for unary -: 'str'"},
        {"9223372036854775807 + 1", "OverflowError: a number beyond 64 bits"},
        {"(-9223372036854775807 - 1) // -1", "OverflowError: a number beyond 64 bits"},
        {"abs(-9223372036854775807 - 1)", "OverflowError: a number beyond 64 bits"},
    };
    struct mini_program *program = parse();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(program, cases[i][0], 1, cases[i][1]);
    }
    mini_free(program);
}

/* What programs seldom do, and what is refused only when it is reached. */
static const char seldom_text[] = "def rest(items, i):\n"
                                  "    items.pop(i)\n"
                                  "    return items\n"
                                  "\n"
                                  "def until(items):\n"
                                  "    while items.pop() > 1:\n"
                                  "        if len(items) == 0:\n"
                                  "            return 'empty'\n"
                                  "    return items\n"
                                  "\n"
                                  "def while_none():\n"
                                  "    while None:\n"
                                  "        pass\n"
                                  "    return 'over'\n"
                                  "\n"
                                  "def bare():\n"
                                  "    raise KeyError\n"
                                  "\n"
                                  "def of_nothing():\n"
                                  "    raise KeyError(nothing)\n"
                                  "\n"
                                  "def over(what):\n"
                                  "    for x in what:\n"
                                  "        return x\n"
                                  "\n"
                                  "def over_nothing():\n"
                                  "    for x in nothing:\n"
                                  "        pass\n"
                                  "\n"
                                  "def while_nothing():\n"
                                  "    while nothing:\n"
                                  "        pass\n"
                                  "\n"
                                  "def if_nothing():\n"
                                  "    if nothing:\n"
                                  "        pass\n"
                                  "\n"
                                  "def assert_nothing():\n"
                                  "    assert nothing\n"
                                  "\n"
                                  "def stray():\n"
                                  "    break\n"
                                  "\n"
                                  "def put(what):\n"
                                  "    what[0] = 1\n"
                                  "    return what\n";

static struct mini_program *parse_text(const char *text)
{
    const struct mini_source source = {"main.py", text};
    struct mini_program *program = NULL;
    cr_assert_eq(mini_parse(&program, &source, 1), 0, "%s", regret_error_message());
    return program;
}

Test(mini, computes_what_programs_seldom_do)
{
    static const char *const cases[][2] = {
        {"[rest([1, 2, 3], 0), rest([1, 2, 3], -1), rest([1, 2, 3], True)]",
         "[[2, 3], [1, 2], [1, 3]]"},
        {"[[1, 2, 3].pop(), [1, 2, 3].pop(0), [1, 2, 3].pop(-2)]", "[3, 1, 2]"},
        {"[until([1, 0, 4]), until([5, 5])]", "[[1], 'empty']"},
        {"while_none()", "'over'"},
        {"[int(5), int(True), chr(97), bool(None)]", "[5, 1, 'a', False]"},
        {"['a'.startswith('ab'), 'a'.endswith('ba')]", "[False, False]"},
        {"range(9223372036854775806, 9223372036854775807, 5)", "[9223372036854775806]"},
        {"[over([7]), over('yz'), over([])]", "[7, 'y', None]"},
        {"put([3, 4])", "[1, 4]"},
    };
    struct mini_program *program = parse_text(seldom_text);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(program, cases[i][0], 0, cases[i][1]);
    }
    mini_free(program);
}

Test(mini, refuses_what_is_wrong_only_when_it_is_reached)
{
    static const char *const cases[][2] = {
        {"range(1, 2, 0)", "ValueError: range() arg 3 must not be zero"},
        {"max(3)", "TypeError: 'int' object is not iterable"},
        {"sum('a')", "TypeError: 'str' object is not iterable"},
        {"int([])", "TypeError: int() argument must be a string or a number, not 'list'"},
        {"chr('a')", "TypeError: 'str' object cannot be interpreted as an integer"},
        {"chr(127)", "ValueError: chr() arg not in range(32, 127)"},
        {"len()", "TypeError: len() got 0 arguments"},
        {"print(1, 2, 3, 4, 5, 6, 7, 8, 9)", "TypeError: too many arguments"},
        {"'a'.split('')", "ValueError: empty separator"},
        {"','.join('ab')", "TypeError: can only join an iterable"},
        {"','.join(['a', 1])", "TypeError: sequence item 1: expected str instance, int found"},
        {"'a'.title()", "AttributeError: 'str' object has no attribute 'title'"},
        {"'a'.find('a')", "AttributeError: 'str' object has no attribute 'find'"},
        {"'a'.split(1)", "TypeError: wrong arguments of str.split()"},
        {"[1].pop(1)", "IndexError: list index out of range"},
        {"bare()", "KeyError"},
        {"of_nothing()", "NameError: name 'nothing' is not defined"},
        {"over(3)", "TypeError: 'int' object is not iterable"},
        {"over_nothing()", "NameError: name 'nothing' is not defined"},
        {"while_nothing()", "NameError: name 'nothing' is not defined"},
        {"if_nothing()", "NameError: name 'nothing' is not defined"},
        {"assert_nothing()", "NameError: name 'nothing' is not defined"},
        {"stray()", "SyntaxError: 'break' or 'continue' outside of a loop"},
        {"put('abc')", "TypeError: 'str' object does not support item assignment"},
    };
    struct mini_program *program = parse_text(seldom_text);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(program, cases[i][0], 1, cases[i][1]);
    }
    mini_free(program);
}

/* A function of so many local variables, or a block in so many others. */
static struct mini_program *parse_many(int locals)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_append(&t, "def many():\n");
    for (int i = 0; i < locals; i++) {
        regret_buffer_printf(&t, "    v%d = %d\n", i, i);
    }
    regret_buffer_append(&t, "    return 'done'\n");
    struct mini_program *program = parse_text(regret_buffer_get(&t));
    regret_buffer_free(&t);
    return program;
}

Test(mini, local_variables_are_bounded)
{
    struct mini_program *program = parse_many(MINI_MAX_LOCALS);
    expect(program, "many()", 0, "'done'");
    mini_free(program);
    program = parse_many(MINI_MAX_LOCALS + 1);
    expect(program, "many()", 1, "MemoryError: too many local variables");
    mini_free(program);
}

/* Blocks within blocks, each a blank further in. */
Test(mini, blocks_within_blocks_are_bounded)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    struct mini_program *program = NULL;
    regret_buffer_append(&t, "def f():\n");
    for (int i = 1; i < 200; i++) {
        regret_buffer_printf(&t, "%*sif 1:\n", i, "");
    }
    regret_buffer_printf(&t, "%*spass\n", 200, "");
    const struct mini_source source = {"deep.py", regret_buffer_get(&t)};
    cr_assert_eq(mini_parse(&program, &source, 1), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "nested too deeply"), "%s",
                       regret_error_message());
    regret_buffer_free(&t);
}

Test(mini, every_limit_ends_a_program)
{
    struct mini_program *program = parse();
    expect(program, "forever()", 1, "TimeoutError: the program does not end");
    expect(program, "stubborn()", 1, "TimeoutError: the program does not end");
    expect(program, "deep(0)", 1, "RecursionError: maximum recursion depth exceeded");
    expect(program, "greedy()", 1, "MemoryError: the program makes too many values");
    expect(program, "[0] * 9223372036854775807", 1,
           "MemoryError: the program makes too many values");
    expect(program, "'' * 9223372036854775807", 1, "TimeoutError: the program does not end");
    expect(program, "range(9223372036854775807)", 1,
           "MemoryError: the program makes too many values");
    expect(program, "knot()", 1, "MemoryError: a value too large to write");
    expect(program, "knot() == knot()", 1, "RecursionError: maximum recursion depth exceeded");
    mini_free(program);
}

Test(mini, limits_are_those_asked_for)
{
    struct mini_program *program = parse();
    struct mini_result result;
    size_t least = 0;
    for (size_t steps = 1; least == 0; steps++) {
        const struct mini_limits limits = {steps, 40, 1 << 16};
        cr_assert_eq(mini_evaluate(&result, program, "main.py", "fib(5)", &limits), 0);
        cr_assert(result.steps <= steps && steps < 10000);
        least = result.raised ? 0 : steps;
        regret_free(result.text);
    }
    cr_assert_gt(least, 50);
    const struct mini_limits shallow = {10000, 4, 1 << 16}, enough = {10000, 5, 1 << 16};
    cr_assert_eq(mini_evaluate(&result, program, "main.py", "fib(5)", &shallow), 0);
    cr_assert_eq(result.raised, 1);
    regret_free(result.text);
    cr_assert_eq(mini_evaluate(&result, program, "main.py", "fib(5)", &enough), 0);
    cr_assert_eq(result.raised, 0);
    regret_free(result.text);
    mini_free(program);
}

Test(mini, broken_programs_are_refused_with_file_and_line)
{
    static const struct {
        const char *text, *where;
    } cases[] = {
        {"def f(:\n    pass\n", "bad.py:1"},
        {"def f():\npass\n", "bad.py:2: expected an indented block"},
        {"def f():\n    return (1\n", "bad.py:"},
        {"x = 'abc\n", "bad.py:1: a string that never ends"},
        {"\n\nx = 1 +\n", "bad.py:3"},
        {"def f():\n        a = 1\n    b = 2\n", "bad.py:3: indentation"},
        {"x = $\n", "bad.py:1: an unknown character"},
        {"from nowhere import f\n", "bad.py:1: No module named 'nowhere'"},
        {"from bad import g\n", "bad.py:1: cannot import name 'g'"},
        {"if 1:\n    x = 2\n", "bad.py:1"},
        {"def f():\n    1 = 2\n", "bad.py:2: cannot assign"},
        {"def f(a, b, c, d, e, g, h, i, j):\n    pass\n", "bad.py:1: too many parameters"},
        {"x = 99999999999999999999\n", "bad.py:1: a number too large"},
        {"def return():\n    pass\n", "bad.py:1"},
        {"x = 'a\\n'\n", "bad.py:1: an escape"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct mini_source source = {"bad.py", cases[i].text};
        struct mini_program *program = NULL;
        cr_assert_eq(mini_parse(&program, &source, 1), REGRET_E_INPUT, "%s", cases[i].text);
        cr_assert_null(program);
        cr_assert(strncmp(regret_error_message(), cases[i].where, strlen(cases[i].where)) == 0,
                  "%s: %s", cases[i].where, regret_error_message());
    }
}

static void refuse_nesting(const char *before, const char *unit, size_t times, const char *after)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    struct mini_program *program = NULL;
    regret_buffer_append(&t, before);
    for (size_t i = 0; i < times; i++) {
        regret_buffer_append(&t, unit);
    }
    regret_buffer_append(&t, after);
    const struct mini_source source = {"deep.py", regret_buffer_get(&t)};
    cr_assert_eq(mini_parse(&program, &source, 1), REGRET_E_INPUT, "%s", unit);
    regret_buffer_free(&t);
}

Test(mini, nesting_is_bounded)
{
    refuse_nesting("x = ", "(", 100000, "1\n");
    refuse_nesting("x = ", "[", 100000, "\n");
    refuse_nesting("x = ", "-", 100000, "1\n");
    refuse_nesting("x = ", "not ", 100000, "1\n");
    refuse_nesting("x = 1", " + 1", 100000, "\n");
    refuse_nesting("x = 1", " and 1", 100000, "\n");
    refuse_nesting("x = 1", " < 1", 100000, "\n");
    refuse_nesting("x = a", "[0]", 100000, "\n");
    refuse_nesting("x = ", "f(", 100000, "\n");
    refuse_nesting("x = 1", " if 1 else 1", 100000, "\n");
    refuse_nesting("def f():\n    if 1:\n        pass\n", "    elif 1:\n        pass\n", 100000,
                   "");
}

Test(mini, expressions_that_are_none_are_refused)
{
    static const char *const cases[] = {"", "1 2", "f(", "def f():", "x = 1", "1\n2", "["};
    const struct mini_limits limits = MINI_LIMITS_INIT;
    struct mini_program *program = parse();
    struct mini_result result;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_assert_eq(mini_evaluate(&result, program, "main.py", cases[i], &limits), REGRET_E_INPUT,
                     "%s", cases[i]);
    }
    cr_assert_eq(mini_evaluate(&result, program, "other.py", "1", &limits), REGRET_E_INPUT);
    mini_free(program);
}

/* Random damage to a program: it must parse or be refused, and run or raise, nothing else. */
Test(mini, damaged_programs_do_no_harm)
{
    static const char *const calls[] = {"fib(6)", "primes(9)", "collatz(3)", "picky(3)",
                                        "shared()"};
    const struct mini_limits limits = {2000, 20, 1 << 14};
    char text[sizeof program_text];
    size_t parsed = 0;
    for (uint64_t round = 0; round < 3000; round++) {
        struct regret_rng rng = regret_rng_at(7, REGRET_RNG_TEST, round);
        memcpy(text, program_text, sizeof text);
        for (uint32_t k = regret_rng_below(&rng, 4); k < 4; k++) {
            size_t from = regret_rng_below(&rng, sizeof text - 1);
            size_t to = regret_rng_below(&rng, sizeof text - 1);
            text[to] =
                regret_rng_below(&rng, 3) ? text[from] : (char)(1 + regret_rng_below(&rng, 255));
        }
        const struct mini_source sources[] = {{"main.py", text}, {"lib/extra.py", extra_text}};
        struct mini_program *program = NULL;
        int status = mini_parse(&program, sources, 2);
        cr_assert(status == REGRET_OK || status == REGRET_E_INPUT);
        for (size_t i = 0; status == REGRET_OK && i < 5; i++) {
            struct mini_result result;
            cr_assert_eq(mini_evaluate(&result, program, "main.py", calls[i], &limits), 0);
            regret_free(result.text);
        }
        parsed += status == REGRET_OK;
        mini_free(program);
    }
    cr_assert(parsed > 300 && parsed < 2900, "%zu", parsed);
}

static int parse_and_run(void)
{
    const struct mini_source sources[] = {{"main.py", program_text}, {"lib/extra.py", extra_text}};
    const struct mini_limits limits = MINI_LIMITS_INIT;
    struct mini_program *program = NULL;
    struct mini_result result = {0};
    int status = mini_parse(&program, sources, 2);
    if (status == REGRET_OK) {
        status = mini_evaluate(&result, program, "main.py", "str(primes(300)) * 9", &limits);
    }
    regret_free(result.text);
    mini_free(program);
    return status;
}

Test(mini, survives_every_failing_allocation)
{
    for (long k = 0;; k++) {
        cr_assert(k < 1000);
        regret_alloc_fail_after(k);
        int status = parse_and_run();
        regret_alloc_fail_after(-1);
        if (status == REGRET_OK) {
            break;
        }
        cr_assert_eq(status, REGRET_E_NOMEM, "%ld: %s", k, regret_error_message());
    }
}
