#include "text/patch/patch_words.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "text/words/keys.h"
#include "text/words/stop_words.h"

enum { SHORTEST = 3, LONGEST_WORD = 64 };

/* Of Python, C, C++, Java, JavaScript, Go and Rust, in lower case. */
static const char *const KEYWORDS[] = {
    "abstract",  "assert",     "async",   "await",     "auto",     "bool",       "boolean",
    "break",     "case",       "catch",   "char",      "class",    "const",      "continue",
    "def",       "default",    "defer",   "del",       "double",   "elif",       "else",
    "enum",      "except",     "exec",    "export",    "extends",  "extern",     "false",
    "final",     "finally",    "float",   "func",      "function", "global",     "goto",
    "impl",      "implements", "import",  "include",   "inline",   "instanceof", "int",
    "interface", "isinstance", "lambda",  "len",       "let",      "long",       "mut",
    "namespace", "new",        "nil",     "none",      "nonlocal", "null",       "package",
    "pass",      "print",      "private", "protected", "pub",      "public",     "raise",
    "range",     "return",     "self",    "short",     "signed",   "sizeof",     "static",
    "str",       "string",     "struct",  "super",     "switch",   "template",   "this",
    "throw",     "throws",     "trait",   "true",      "try",      "typedef",    "typename",
    "union",     "unsigned",   "using",   "var",       "virtual",  "void",       "volatile",
    "while",     "yield"};

void hash_bag_add(struct hash_bag *bag, uint64_t hash)
{
    if (bag->status == REGRET_OK) {
        bag->status =
            regret_grow((void **)&bag->hash, &bag->capacity, bag->n, sizeof *bag->hash, "words");
    }
    if (bag->status == REGRET_OK) {
        bag->hash[bag->n++] = hash;
    }
}

void hash_bag_unite(struct hash_bag *bag)
{
    size_t kept = 0;
    if (bag->n > 0) {
        qsort(bag->hash, bag->n, sizeof *bag->hash, key_compare);
    }
    for (size_t i = 0; i < bag->n; i++) {
        if (kept == 0 || bag->hash[kept - 1] != bag->hash[i]) {
            bag->hash[kept++] = bag->hash[i];
        }
    }
    bag->n = kept;
}

int hash_bag_has(const struct hash_bag *bag, uint64_t hash)
{
    return bag->n > 0 && bsearch(&hash, bag->hash, bag->n, sizeof hash, key_compare) != NULL;
}

double hash_bag_share(const struct hash_bag *bag, const struct hash_bag *among)
{
    size_t found = 0;
    for (size_t i = 0; i < bag->n; i++) {
        found += (size_t)hash_bag_has(among, bag->hash[i]);
    }
    return bag->n > 0 ? (double)found / (double)bag->n : 0.0;
}

void hash_bag_free(struct hash_bag *bag)
{
    regret_free(bag->hash);
    *bag = (struct hash_bag){NULL, 0, 0, REGRET_OK};
}

static int is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Letters, and all bytes of characters beyond ASCII. */
static int is_letter(char c)
{
    return is_upper(c) || (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

void visit_identifiers(struct regret_span text, identifier_visitor visit, void *context)
{
    for (size_t i = 0, start; i < text.length;) {
        for (start = i; i < text.length && (is_letter(text.text[i]) || is_digit(text.text[i]) ||
                                            text.text[i] == '_');) {
            i++;
        }
        if (i - start >= SHORTEST && !is_digit(text.text[start])) {
            visit(context, (struct regret_span){text.text + start, i - start});
        }
        i += i == start;
    }
}

/* 1 when a word ends before byte i of the letters at hand: aB, or ABc before B. */
static int changes_case(struct regret_span s, size_t i)
{
    return is_upper(s.text[i]) &&
           (!is_upper(s.text[i - 1]) ||
            (i + 1 < s.length && is_letter(s.text[i + 1]) && !is_upper(s.text[i + 1])));
}

static size_t lower_case(char *to, const char *from, size_t n)
{
    n = n < LONGEST_WORD ? n : LONGEST_WORD;
    for (size_t i = 0; i < n; i++) {
        to[i] = is_upper(from[i]) ? (char)(from[i] - 'A' + 'a') : from[i];
    }
    return n;
}

void visit_words(struct regret_span name, word_visitor visit, void *context)
{
    char word[LONGEST_WORD];
    for (size_t i = 0, start; i < name.length;) {
        for (start = i; i < name.length && is_letter(name.text[i]) &&
                        (i == start || !changes_case(name, i));) {
            i++;
        }
        if (i - start >= SHORTEST) {
            visit(context, word, lower_case(word, name.text + start, i - start));
        }
        i += i == start;
    }
}

int excluded_words(struct hash_bag *out)
{
    struct hash_bag bag = {NULL, 0, 0, REGRET_OK};
    int rc = REGRET_OK;
    TRY(stop_word_hashes(&bag.hash, &bag.n));
    bag.capacity = bag.n;
    for (size_t i = 0; i < sizeof KEYWORDS / sizeof *KEYWORDS; i++) {
        hash_bag_add(&bag, XXH3_64bits(KEYWORDS[i], strlen(KEYWORDS[i])));
    }
    rc = bag.status;
    if (rc != REGRET_OK) {
        hash_bag_free(&bag);
        return rc;
    }
    hash_bag_unite(&bag);
    *out = bag;
    return REGRET_OK;
}

static void sink_word(void *context, const char *word, size_t length)
{
    const struct word_sink *sink = context;
    uint64_t hash = XXH3_64bits(word, length);
    if (!hash_bag_has(sink->excluded, hash)) {
        hash_bag_add(sink->words, hash);
    }
}

static void sink_identifier(void *context, struct regret_span name)
{
    struct word_sink *sink = context;
    if (sink->words != NULL) {
        visit_words(name, sink_word, sink);
    }
    if (sink->identifiers == NULL) {
        return;
    }
    char lower[LONGEST_WORD];
    size_t n = lower_case(lower, name.text, name.length);
    if (name.length > LONGEST_WORD || !hash_bag_has(sink->excluded, XXH3_64bits(lower, n))) {
        hash_bag_add(sink->identifiers, XXH3_64bits(name.text, name.length));
    }
}

void sink_text(const struct word_sink *sink, struct regret_span text)
{
    struct word_sink copy = *sink;
    visit_identifiers(text, sink_identifier, &copy);
}
