from textkit.letters import is_vowel


def count_vowels(text):
    count = 0
    for letter in text:
        if is_vowel(letter):
            count += 1
    return count


def longest_word(text):
    """The longest word, the first of equals."""
    best = ''
    for word in text.split():
        if len(word) > len(best):
            best = word
    return best


def initials(text):
    """Upper-case initials, each with a dot."""
    out = ''
    for word in text.split():
        out += word[0].upper() + '.'
    return out


def shorten(text, limit):
    """Cut to limit characters, the last three being dots."""
    if len(text) <= limit:
        return text
    if limit < 3:
        return text[:limit]
    return text[:limit - 3] + '...'


def wrap(text, width):
    """Break into lines of at most width characters."""
    lines = []
    line = ''
    for word in text.split():
        if line == '':
            line = word
        elif len(line) + 1 + len(word) <= width:
            line = line + ' ' + word
        else:
            lines.append(line)
            line = word
    if line != '':
        lines.append(line)
    return lines
