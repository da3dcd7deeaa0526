"""Masking what identifies a person, before anything is written: e-mail, phone and card numbers, 12-digit ids."""

import re

GAP = r"[ .\u00a0\u2010-\u2013-]"  # what may stand between groups of digits: space, dot, hyphens
FREE = rf"(?<!\d)(?<!\d{GAP})"  # no digits before
END = rf"(?!{GAP}?\d)"  # and none after
TEN_DIGITS = "|".join(
    rf"(?:{groups})"
    for groups in (
        rf"\d{{5}}{GAP}?\d{{5}}",
        rf"\(?\d{{3}}\)?{GAP}?\d{{3}}{GAP}\d{{4}}",
        rf"\(?\d{{2,4}}\)?{GAP}\d{{3,4}}{GAP}?\d{{3,4}}(?<=\d{{4}})",
    )
)
MASKS = [  # in this order: a card number holds what looks like an id, an id what looks like a phone number
    ("e-mail", re.compile(r"[\w.+'%-]+@[\w-]+(?:\.[\w-]+)+")),
    ("card", re.compile(rf"{FREE}\d(?:{GAP}?\d){{12,18}}{END}")),
    ("phone", re.compile(rf"\+\d(?:{GAP}?\(?\d\)?){{7,14}}{END}")),  # with the code of its country: any groups
    ("id", re.compile(rf"{FREE}\d{{4}}({GAP}?)\d{{4}}\1\d{{4}}{END}")),  # twelve digits, as on an Aadhaar card
    # no phone number: the ten digits of a code such as KB-1234567890
    ("phone", re.compile(rf"(?<![A-Z\d])(?<![A-Z\d]{GAP})(?:\d{{1,2}}[ -]|0)?(?:{TEN_DIGITS}){END}")),
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
