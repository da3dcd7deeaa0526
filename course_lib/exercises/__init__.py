"""The hidden cases of the exercises, one module a lesson.

`lesson_02.py` holds `EXERCISES = {"warm_up": Exercise(…), "core": …, "stretch": …}`. An exercise is a list of cases and
a hint in both languages:

    Exercise(
        cases=[
            Case(args=([1, 2, 3], 2), expected=[2, 3], keeps_input=True),        # the answer is a function
            Case(args=lambda: (InMemorySaver(),), judge=counts_one_then_three),  # no copies; several right forms
        ],
        hint=("A slice that starts at -k keeps the last k.", "Slice -k se shuru karo, toh aakhri k bachte hain."),
    )

`judge(result, *args)` returns None where the result is right, else a complaint in both languages that starts in lower
case. It may run what the answer built, a graph or a strategy object: the same time limit and protection hold for it.
Where the answer is a class, the call makes the object. With `plain=True` the answer is a value and nothing is called:
`Exercise(plain=True, cases=[Case(expected=4)], hint=…)`.

tests/wrong_answers/lesson_02.py holds typical wrong answers, which must not pass.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

NOT_GIVEN = object()


@dataclass(frozen=True)
class Case:
    """One call of the answer, and what is right. Give either `expected` or `judge`."""

    args: tuple | Callable[[], tuple] = ()  # a tuple is copied for each run; a function makes new arguments
    expected: Any = NOT_GIVEN
    judge: Callable[..., tuple[str, str] | None] | None = None
    keeps_input: bool = False  # True: an answer that changes its arguments is wrong
    shown: str | None = None  # what stands for the arguments when this case fails, where their own form says little

    def __post_init__(self):
        if (self.expected is NOT_GIVEN) == (self.judge is None):
            raise ValueError("A case needs either expected or judge.")


@dataclass(frozen=True)
class Exercise:
    """What `checks.judge` needs to know about one exercise."""

    cases: list[Case]
    hint: tuple[str, str]  # English, Hinglish
    plain: bool = False  # True: the answer is a value, not a function or class
    seconds: float = 5  # for all cases together
