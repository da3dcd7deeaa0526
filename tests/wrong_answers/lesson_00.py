"""Answers to the exercises of lesson 00 that must not pass."""


def joins_only(old, new):
    return old + new


def forgets_the_old(old, new):
    return new[-3:]


def keeps_the_oldest(old, new):
    return (old + new)[:3]


def changes_its_input(old, new):
    old.extend(new)
    return old[-3:]


def keeps_the_largest(old, new):
    return sorted(old + new)[-3:]


ANSWERS = (joins_only, forgets_the_old, keeps_the_oldest, changes_its_input, keeps_the_largest)
WRONG = {"warm_up": {answer.__name__: answer for answer in ANSWERS}}
