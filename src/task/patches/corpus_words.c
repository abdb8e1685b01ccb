/* Projects of the corpus: texts and grids. */
#include "task/patches/corpus.h"

static const char textkit_codes[] =
    "from textkit.letters import shift\n"
    "\n"
    "\n"
    "def encode(text, by):\n"
    "    \"\"\"Caesar cipher of small letters.\"\"\"\n"
    "    out = ''\n"
    "    for letter in text:\n"
    "        out += shift(letter, by)\n"
    "    return out\n"
    "\n"
    "\n"
    "def run_lengths(text):\n"
    "    \"\"\"Write 'aaab' as 'a3b1'.\"\"\"\n"
    "    if text == '':\n"
    "        return ''\n"
    "    out = ''\n"
    "    count = 1\n"
    "    for i in range(1, len(text)):\n"
    "        if text[i] == text[i - 1]:\n"
    "            count += 1\n"
    "        else:\n"
    "            out += text[i - 1] + str(count)\n"
    "            count = 1\n"
    "    return out + text[len(text) - 1] + str(count)\n"
    "\n"
    "\n"
    "def is_palindrome(text):\n"
    "    \"\"\"Same backwards, blanks aside.\"\"\"\n"
    "    kept = []\n"
    "    for letter in text:\n"
    "        if letter != ' ':\n"
    "            kept.append(letter)\n"
    "    left = 0\n"
    "    right = len(kept) - 1\n"
    "    while left < right:\n"
    "        if kept[left] != kept[right]:\n"
    "            return False\n"
    "        left += 1\n"
    "        right -= 1\n"
    "    return True\n"
    "\n"
    "\n"
    "def check_digit(code):\n"
    "    \"\"\"Weights 3 and 1 in turn; the digit that completes a ten.\"\"\"\n"
    "    total = 0\n"
    "    for i in range(len(code)):\n"
    "        if i % 2 == 0:\n"
    "            total += 3 * int(code[i])\n"
    "        else:\n"
    "            total += int(code[i])\n"
    "    return (10 - total % 10) % 10\n";

static const char textkit_letters[] =
    "VOWELS = 'aeiou'\n"
    "\n"
    "\n"
    "def is_vowel(letter):\n"
    "    return letter.lower() in VOWELS\n"
    "\n"
    "\n"
    "def shift(letter, by):\n"
    "    \"\"\"Move a small letter along the alphabet, around its end.\"\"\"\n"
    "    if not letter.isalpha():\n"
    "        return letter\n"
    "    place = (ord(letter) - 97 + by) % 26\n"
    "    return chr(97 + place)\n";

static const char textkit_words[] =
    "from textkit.letters import is_vowel\n"
    "\n"
    "\n"
    "def count_vowels(text):\n"
    "    count = 0\n"
    "    for letter in text:\n"
    "        if is_vowel(letter):\n"
    "            count += 1\n"
    "    return count\n"
    "\n"
    "\n"
    "def longest_word(text):\n"
    "    \"\"\"The longest word, the first of equals.\"\"\"\n"
    "    best = ''\n"
    "    for word in text.split():\n"
    "        if len(word) > len(best):\n"
    "            best = word\n"
    "    return best\n"
    "\n"
    "\n"
    "def initials(text):\n"
    "    \"\"\"Upper-case initials, each with a dot.\"\"\"\n"
    "    out = ''\n"
    "    for word in text.split():\n"
    "        out += word[0].upper() + '.'\n"
    "    return out\n"
    "\n"
    "\n"
    "def shorten(text, limit):\n"
    "    \"\"\"Cut to limit characters, the last three being dots.\"\"\"\n"
    "    if len(text) <= limit:\n"
    "        return text\n"
    "    if limit < 3:\n"
    "        return text[:limit]\n"
    "    return text[:limit - 3] + '...'\n"
    "\n"
    "\n"
    "def wrap(text, width):\n"
    "    \"\"\"Break into lines of at most width characters.\"\"\"\n"
    "    lines = []\n"
    "    line = ''\n"
    "    for word in text.split():\n"
    "        if line == '':\n"
    "            line = word\n"
    "        elif len(line) + 1 + len(word) <= width:\n"
    "            line = line + ' ' + word\n"
    "        else:\n"
    "            lines.append(line)\n"
    "            line = word\n"
    "    if line != '':\n"
    "        lines.append(line)\n"
    "    return lines\n";

static const struct patches_module textkit_modules[] = {
    {"textkit/codes.py", textkit_codes},
    {"textkit/letters.py", textkit_letters},
    {"textkit/words.py", textkit_words},
};

static const struct patches_function textkit_functions[] = {
    {"textkit/words.py", "count_vowels", "\"aeiouAEbcd \"0:9", "the number of vowels"},
    {"textkit/words.py", "longest_word",
     "('a bee flew by'|'one two three'|''|'red fox'|'same size here'|'tiny'|'big old oak'|'ab cd "
     "ef'|'it was noon')",
     "the longest word of a text"},
    {"textkit/words.py", "initials",
     "('ada lovelace'|'grace'|''|'edsger w dijkstra'|'alan m turing'|'barbara liskov')",
     "the initials of a name"},
    {"textkit/words.py", "shorten", "\"abcdef gh\"0:12 #0:10", "the shortened text"},
    {"textkit/words.py", "wrap",
     "('the cat sat on the mat'|'one two three four'|''|'a bb ccc dddd'|'up up and away'|'lots of "
     "short words in it') #4:11",
     "the wrapping of text"},
    {"textkit/codes.py", "encode", "\"abcxyz -\"0:8 #0:27", "the encoded message"},
    {"textkit/codes.py", "run_lengths", "\"aab\"0:8", "the run lengths of a text"},
    {"textkit/codes.py", "is_palindrome",
     "('abba'|'abcba'|'never odd or even'|'ab'|'abca'|''|'a b a'|'aabb'|'abcdba'|'x')",
     "the check for palindromes"},
    {"textkit/codes.py", "check_digit", "\"0123456789\"1:8", "the check digit of a code"},
};

const struct patches_project patches_textkit = {"textkit", textkit_modules, 3, textkit_functions,
                                                9};

static const char grid_cells[] = "def inside(rows, row, column):\n"
                                 "    if row < 0 or row >= len(rows):\n"
                                 "        return False\n"
                                 "    return 0 <= column < len(rows[row])\n"
                                 "\n"
                                 "\n"
                                 "def count_marked(rows):\n"
                                 "    count = 0\n"
                                 "    for row in rows:\n"
                                 "        for cell in row:\n"
                                 "            if cell == 1:\n"
                                 "                count += 1\n"
                                 "    return count\n"
                                 "\n"
                                 "\n"
                                 "def neighbours(rows, row, column):\n"
                                 "    \"\"\"Marked cells among the eight around a cell.\"\"\"\n"
                                 "    count = 0\n"
                                 "    for r in range(row - 1, row + 2):\n"
                                 "        for c in range(column - 1, column + 2):\n"
                                 "            if r == row and c == column:\n"
                                 "                continue\n"
                                 "            if inside(rows, r, c):\n"
                                 "                count += rows[r][c]\n"
                                 "    return count\n";

static const char grid_paths[] =
    "from grid.cells import inside\n"
    "\n"
    "\n"
    "def walk(rows, moves):\n"
    "    \"\"\"Follow R, L, U and D from the top left corner, staying inside.\"\"\"\n"
    "    row = 0\n"
    "    column = 0\n"
    "    for move in moves:\n"
    "        r = row\n"
    "        c = column\n"
    "        if move == 'R':\n"
    "            c += 1\n"
    "        elif move == 'L':\n"
    "            c -= 1\n"
    "        elif move == 'D':\n"
    "            r += 1\n"
    "        elif move == 'U':\n"
    "            r -= 1\n"
    "        if inside(rows, r, c):\n"
    "            row = r\n"
    "            column = c\n"
    "    return [row, column]\n"
    "\n"
    "\n"
    "def column_sums(rows):\n"
    "    if not rows:\n"
    "        return []\n"
    "    sums = []\n"
    "    for c in range(len(rows[0])):\n"
    "        total = 0\n"
    "        for row in rows:\n"
    "            total += row[c]\n"
    "        sums.append(total)\n"
    "    return sums\n"
    "\n"
    "\n"
    "def path_cost(rows):\n"
    "    \"\"\"Cost along the top row, then down the last column.\"\"\"\n"
    "    cost = 0\n"
    "    last = len(rows[0]) - 1\n"
    "    for c in range(last):\n"
    "        cost += rows[0][c]\n"
    "    for row in rows:\n"
    "        cost += row[last]\n"
    "    return cost\n";

static const char grid_shapes[] = "def transpose(rows):\n"
                                  "    if not rows:\n"
                                  "        return []\n"
                                  "    out = []\n"
                                  "    for c in range(len(rows[0])):\n"
                                  "        line = []\n"
                                  "        for r in range(len(rows)):\n"
                                  "            line.append(rows[r][c])\n"
                                  "        out.append(line)\n"
                                  "    return out\n"
                                  "\n"
                                  "\n"
                                  "def diagonal(rows):\n"
                                  "    \"\"\"Sum along the main diagonal.\"\"\"\n"
                                  "    total = 0\n"
                                  "    for i in range(min(len(rows), len(rows[0]))):\n"
                                  "        total += rows[i][i]\n"
                                  "    return total\n"
                                  "\n"
                                  "\n"
                                  "def border(width, height):\n"
                                  "    \"\"\"Number of tiles on the border of a floor.\"\"\"\n"
                                  "    if width <= 0 or height <= 0:\n"
                                  "        return 0\n"
                                  "    if width == 1 or height == 1:\n"
                                  "        return width * height\n"
                                  "    return 2 * (width + height) - 4\n"
                                  "\n"
                                  "\n"
                                  "def flip(rows):\n"
                                  "    \"\"\"Every row from right to left.\"\"\"\n"
                                  "    out = []\n"
                                  "    for row in rows:\n"
                                  "        out.append(reversed(row))\n"
                                  "    return out\n";

static const struct patches_module grid_modules[] = {
    {"grid/cells.py", grid_cells},
    {"grid/paths.py", grid_paths},
    {"grid/shapes.py", grid_shapes},
};

static const struct patches_function grid_functions[] = {
    {"grid/cells.py", "count_marked", "[[#0:1]3:3]0:4", "the number of marked cells"},
    {"grid/cells.py", "neighbours", "[[#0:1]3:3]3:3 #0:2 #0:2", "the number of neighbours"},
    {"grid/shapes.py", "transpose", "[[#0:9]3:3]0:4", "the transposed grid"},
    {"grid/shapes.py", "diagonal", "[[#0:9]3:3]2:4", "the sum along the diagonal"},
    {"grid/shapes.py", "border", "#0:7 #0:7", "the number of border tiles"},
    {"grid/shapes.py", "flip", "[[#0:9]3:3]0:3", "the mirrored grid"},
    {"grid/paths.py", "walk", "[[#0:1]3:3]3:3 \"RLUDRD\"0:8", "the place where a walk ends"},
    {"grid/paths.py", "column_sums", "[[#0:9]3:3]0:3", "the sums of the columns"},
    {"grid/paths.py", "path_cost", "[[#0:9]3:3]1:3", "the cost of the path"},
};

const struct patches_project patches_grid = {"grid", grid_modules, 3, grid_functions, 9};
