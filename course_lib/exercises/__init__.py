"""The hidden cases of the exercises, one module a lesson: `lesson_02.py` holds `EXERCISES = {"warm_up": Exercise(…), …}`.

An exercise is a list of cases and a hint in both languages:

    Exercise(
        cases=[
            Case(args=([1, 2, 3], 2), expected=[2, 3], keeps_input=True),          # an answer that is a function
            Case(args=lambda: (InMemorySaver(),), judge=counts_one_then_three),    # arguments that cannot be copied; several right forms
        ],
        hint=("A slice that starts at -k keeps the last k.", "Slice -k se shuru karo, toh aakhri k bachte hain."),
    )

`judge(result, *args)` returns None where the result is right, else a complaint in both languages. It may run what the answer built (a graph, a
strategy object: if the answer is a class, `args=()` makes the object): it works under the same time limit and the same protection.
With `plain=True` the answer is a value and nothing is called: `Exercise(plain=True, cases=[Case(expected=4)], hint=…)`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

NOT_GIVEN = object()


@dataclass(frozen=True)
class Case:
    """One call of the answer, and what is right. Give either `expected` or `judge`."""

    args: tuple | Callable[[], tuple] = ()  # a function makes fresh arguments for each run; a tuple is deep-copied
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
