VOWELS = 'aeiou'


def is_vowel(letter):
    return letter.lower() in VOWELS


def shift(letter, by):
    """Move a small letter along the alphabet, around its end."""
    if not letter.isalpha():
        return letter
    place = (ord(letter) - 97 + by) % 26
    return chr(97 + place)
