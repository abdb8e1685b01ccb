from textkit.letters import shift


def encode(text, by):
    """Caesar cipher of small letters."""
    out = ''
    for letter in text:
        out += shift(letter, by)
    return out


def run_lengths(text):
    """Write 'aaab' as 'a3b1'."""
    if text == '':
        return ''
    out = ''
    count = 1
    for i in range(1, len(text)):
        if text[i] == text[i - 1]:
            count += 1
        else:
            out += text[i - 1] + str(count)
            count = 1
    return out + text[len(text) - 1] + str(count)


def is_palindrome(text):
    """Same backwards, blanks aside."""
    kept = []
    for letter in text:
        if letter != ' ':
            kept.append(letter)
    left = 0
    right = len(kept) - 1
    while left < right:
        if kept[left] != kept[right]:
            return False
        left += 1
        right -= 1
    return True


def check_digit(code):
    """Weights 3 and 1 in turn; the digit that completes a ten."""
    total = 0
    for i in range(len(code)):
        if i % 2 == 0:
            total += 3 * int(code[i])
        else:
            total += int(code[i])
    return (10 - total % 10) % 10
