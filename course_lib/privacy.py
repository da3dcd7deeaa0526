"""Masking what identifies a person, before anything is written: e-mail, phone and card numbers, 12-digit ids."""

import re

MASKS = [  # in this order: a card number holds what looks like an id, an id what looks like a phone number
    ("e-mail", re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    ("card", re.compile(r"(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])")),
    (
        "id",
        re.compile(r"(?<![\w-])(?<!\d )\d{4}([ -]?)\d{4}\1\d{4}(?![\w-]| \d)"),
    ),  # twelve digits, as on an Aadhaar card
    ("phone", re.compile(r"(?<![\w-])(?:\+\d{1,3}[ -]?|0)?(?:\d{5}[ -]?\d{5}|\d{3}[ -]\d{3}[ -]\d{4})(?![\w-])")),
]


def masked(text):
    """The text with each such number or address replaced by its kind: "write to [e-mail]".

    A card number is masked if its last digit is right (H. P. Luhn, US patent 2950048), so that a long order number
    without it stays. Numbers written as words, or broken over two messages, are not found.
    """
    for kind, pattern in MASKS:
        text = pattern.sub(lambda found: found[0] if kind == "card" and not _luhn(found[0]) else f"[{kind}]", text)
    return text


def _luhn(number):
    digits = [int(digit) for digit in reversed(re.sub(r"\D", "", number))]
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[1::2]]
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0
