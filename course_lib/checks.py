"""Checks for the exercises: `checks.run("02.warm_up", warm_up)` says what is right, or the first thing that is wrong.

An answer may be broken in any way without disturbing the notebook: what it prints is dropped, what it raises becomes a
sentence, and a loop without end is stopped after a few seconds. Not stopped are: an answer with a bare `except:`, which
swallows the stop as well; one long call into C code, such as `sum(range(10**12))`; threads that the answer starts.
"""

import _thread
import copy
import importlib
import json
import os
import re
import signal
import sys
import tempfile
import threading
import traceback
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from IPython.display import Markdown, display
from IPython.utils.capture import capture_output

from course_lib.language import bilingual

EXERCISES = Path(__file__).with_name("exercises")
PROGRESS = Path(__file__).parent.parent / ".progress.json"
NAMES = ("warm_up", "core", "stretch")

TEXTS = {  # status: English, Hinglish
    "solved": (
        "**Solved.** {name}: all {count} cases right.",
        "**Solved.** {name}: {count} mein se {count} cases sahi.",
    ),
    "not started": (
        "**Not started yet.** {name} still holds the `...` of the stub. Write your code, run that cell, then this one.",
        "**Abhi shuru nahi hua.** {name} mein abhi `...` hai. Wahan apna code likho, woh cell chalao, phir yeh wala.",
    ),
    "wrong": (
        "**Not right yet.** Case {case}: {complaint}{hint}",
        "**Abhi sahi nahi.** Case {case}: {complaint}{hint}",
    ),
    "error": ("**An error.** Case {case}: {complaint}{hint}", "**Error aaya.** Case {case}: {complaint}{hint}"),
    "too slow": (
        "**Too slow.** {name} was stopped after {seconds:g} seconds. Is there a loop that never ends?{hint}",
        "**Bahut slow.** {name} ko {seconds:g} seconds baad roka gaya. Koi loop hai jo kabhi khatam nahi hota?{hint}",
    ),
}
NO_RETURN = ("the result is None. Is a `return` missing?", "result None hai. `return` chhoot gaya kya?")
ANOTHER = ("the result is another one.", "result kuch aur hai.")
TYPE = ("the result should be of type {wanted}, not {got}.", "result ka type {wanted} hona chahiye, {got} nahi.")
CHANGED = (
    "the result is right, but the argument was changed on the way.",
    "result sahi hai, par argument bhi badal gaya.",
)
IN_ANSWER = ("see the last lines.", "aakhri lines dekho.")
IN_CHECK = ("it comes up where the check uses the result.", "jab check result ko use karta hai, tab error aata hai.")


@dataclass(frozen=True)
class Verdict:
    """`status` is a key of TEXTS; `evidence` is code and values, the same in both languages."""

    status: str
    en: str
    hi: str
    evidence: str = ""


def run(exercise_id, answer, record=True):
    """Judge `answer` and display the verdict in both languages. `record=False` does not count it as progress."""
    try:
        exercise = load(exercise_id)
    except LookupError as error:
        display(Markdown(error.args[0]))
        return
    verdict = judge(exercise, answer)
    if record and verdict.status == "solved":
        _remember(exercise_id)
    fence = "`" * max([3, *(len(ticks) + 1 for ticks in re.findall("`+", verdict.evidence))])
    evidence = f"\n\n{fence}text\n{verdict.evidence}\n{fence}" if verdict.evidence else ""
    display(Markdown(bilingual(verdict.en, verdict.hi).data + evidence))


def load(exercise_id):
    """The `Exercise` with an id such as "02.warm_up". Raises LookupError with the ids that exist."""
    lesson, _, name = str(exercise_id).partition(".")
    if lesson in lessons() and name in _lesson(lesson):
        return _lesson(lesson)[name]
    raise LookupError(f"There is no exercise {exercise_id!r}. These exist: {', '.join(ids()) or 'none yet'}.")


def ids():
    """The ids of all exercises, in the order of the lessons."""
    return [f"{lesson}.{name}" for lesson in lessons() for name in _lesson(lesson)]


def lessons():
    """The numbers of the lessons that have exercises, such as ["01", "02"]."""
    return sorted(path.stem.removeprefix("lesson_") for path in EXERCISES.glob("lesson_*.py"))


def _lesson(lesson):
    return importlib.import_module(f"course_lib.exercises.lesson_{lesson}").EXERCISES


# --- judging


class _TooSlow(BaseException):
    """Raised inside the answer when its time is over; no Exception, so that `except Exception` lets it pass."""


def judge(exercise, answer):
    """The `Verdict` on an answer. Raises nothing but a KeyboardInterrupt that the learner caused."""

    def verdict(status, complaint=("", ""), evidence=()):
        count = len(exercise.cases)
        fields = {
            "name": f"`{_name(answer)}`",
            "count": count,
            "case": f"{number}/{count}",
            "seconds": exercise.seconds,
        }
        texts = []
        for text, said, hint in zip(TEXTS[status], complaint, exercise.hint, strict=True):
            texts.append(text.format(**fields, complaint=said, hint=f"\n\n*Hint:* {hint}"))
        return Verdict(status, *texts, "\n".join(evidence))

    number, case = 1, (exercise.cases or [None])[0]  # the time may be up before the first case begins
    if _is_stub(answer):
        return verdict("not started")
    try:
        with capture_output(), warnings.catch_warnings(), _at_most(exercise.seconds):
            warnings.simplefilter("ignore")
            for number, case in enumerate(exercise.cases, 1):
                found = _try(case, answer, exercise.plain)
                if found:
                    return verdict(*found)
    except _TooSlow:
        return verdict("too slow", evidence=_input(case, answer))
    return verdict("solved")


def _try(case, answer, plain):
    """None where the case is right, else status, complaint, evidence. All that belongs to the learner runs in here."""
    got = []
    try:
        args, original = _arguments(case), _arguments(case)
        before = comparable(args) if case.keeps_input else None
        result = answer if plain else answer(*args)
        if result is Ellipsis:
            return ("not started",)
        got.append(f"got       {show(result, 10)}")
        if case.judge:
            complaint = NO_RETURN if result is None else case.judge(result, *original)
        else:
            right = comparable(result) == comparable(case.expected)
            complaint = None if right else NO_RETURN if result is None else _differs(result, case.expected)
            got.insert(0, f"expected  {show(case.expected, 10)}")
        if not complaint and case.keeps_input and comparable(args) != before:
            complaint = CHANGED
    except (KeyboardInterrupt, _TooSlow):
        raise
    except BaseException as error:  # noqa: BLE001  SystemExit too: nothing that an answer raises may end the notebook
        message = _clean("".join(traceback.format_exception_only(error)).strip())
        evidence = [*_input(case, answer), *got, f"error     {message}", *_line(error, answer)]
        return "error", IN_CHECK if got else IN_ANSWER, evidence
    return ("wrong", complaint, [*_input(case, answer), *got]) if complaint else None


def _differs(result, expected):
    """The complaint about another result: a tuple or a text that reads like the expected list or number says so."""
    got, wanted = type(result).__name__, type(expected).__name__
    same = got == wanted or isinstance(result, (int, float)) and isinstance(expected, (int, float))
    return ANOTHER if same else tuple(text.format(got=f"`{got}`", wanted=f"`{wanted}`") for text in TYPE)


def _arguments(case):
    return case.args() if callable(case.args) else copy.deepcopy(case.args)


def _input(case, answer):
    shown = [case.shown] if case.shown is not None else [show(arg, 10) for arg in _arguments(case)]
    return [f"input     {text}" for text in shown] or [f"call      {_name(answer)}()"]


def _line(error, answer):
    """The last line of the learner's code that an error went through, if any."""
    files = {function.__code__.co_filename for function in _functions(answer)}
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in files]
    return [f"line {frames[-1].lineno:<4} {frames[-1].line}"] if frames else []


def _name(answer):
    return getattr(answer, "__name__", "answer")


def _functions(answer):
    """The functions that an answer consists of: itself, or the methods of a class."""
    parts = vars(answer).values() if isinstance(answer, type) else [answer]
    return [part for part in parts if hasattr(part, "__code__")]


def _nothing(): ...


def _is_stub(answer):
    """True for None, `...`, and a function or class in which nothing but `...`, `pass` or a docstring is written."""
    if answer is None or answer is Ellipsis:
        return True
    functions = [function for function in _functions(answer) if function.__name__ != "__init__"]
    return bool(functions) and all(
        function.__code__.co_code[::2] == _nothing.__code__.co_code[::2]  # same steps: load a constant, return it
        and all(const in (None, ..., function.__doc__) for const in function.__code__.co_consts)
        for function in functions
    )


@contextmanager
def _at_most(seconds):
    """Raise _TooSlow in the block when it takes longer; a learner's own interrupt stays one. Main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    over, running = threading.Event(), True

    def interrupted(signum, frame):
        if not over.is_set():
            raise KeyboardInterrupt
        if running:  # else the answer came in just before the timer, and counts
            raise _TooSlow

    def stop():
        over.set()
        if hasattr(signal, "pthread_kill"):  # a real signal also ends a long time.sleep
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        else:
            _thread.interrupt_main()

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    previous = signal.signal(signal.SIGINT, interrupted)
    timer.start()
    try:
        yield
    finally:
        running = False
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, previous)


# --- values: to compare and to show


def _is_message(value):
    messages = sys.modules.get("langchain_core.messages")  # not loaded: then there are no messages
    return messages is not None and isinstance(value, messages.BaseMessage)


def comparable(value):
    """A form in which equal content is equal: messages by type and content (not by id), floats to nine places."""
    if _is_message(value):
        calls = [(call["name"], comparable(call["args"])) for call in getattr(value, "tool_calls", [])]
        return ("message", value.type, comparable(value.content), calls)
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, [comparable(item) for item in value])
    if isinstance(value, dict):
        return {key: comparable(item) for key, item in value.items()}
    return round(value, 9) if isinstance(value, float) else value


def show(value, indent=0, depth=0):
    """A short text for a value, the same in every run: no ids, no addresses, sets in order, long lists cut."""
    if _is_message(value):
        calls = "".join(f", calls {call['name']}({show(call['args'])})" for call in getattr(value, "tool_calls", []))
        return f"{type(value).__name__}({_short(value.content)}{calls})"
    brackets = {list: "[]", tuple: "()", set: "{}", dict: "{}"}.get(type(value))
    if not brackets or not value or depth > 5:
        return _short(value)
    if isinstance(value, dict):
        parts = [f"{_short(key)}: {show(item, indent + 2, depth + 1)}" for key, item in value.items()]
    else:
        parts = [show(item, indent + 2, depth + 1) for item in value]
    if isinstance(value, set):
        parts.sort()
    if len(parts) > 12:
        parts[6:-6] = [f"… {len(parts) - 12} more …"]
    one_line = ", ".join(parts) + ("," if isinstance(value, tuple) and len(parts) == 1 else "")
    if len(one_line) <= 90 and "\n" not in one_line:
        return brackets[0] + one_line + brackets[1]
    gap = "\n" + " " * (indent + 2)
    return brackets[0] + gap + ("," + gap).join(parts) + ",\n" + " " * indent + brackets[1]


def _short(value):
    try:
        text = _clean(repr(value))
    except Exception:  # noqa: BLE001  a repr of the learner's own may raise anything
        text = f"<{type(value).__name__} that cannot be shown>"
    return text if len(text) <= 300 else f"{text[:200]} … {text[-60:]}"


def _clean(text):
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", text)
    return re.sub(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "<id>", text)


# --- progress


def _solved():
    try:
        return {str(item) for item in json.loads(PROGRESS.read_text(encoding="utf-8"))["solved"]}
    except (OSError, ValueError, LookupError, TypeError):
        return set()


def _remember(exercise_id):
    """Write a new file beside the old one and move it there, whole or not at all. A read-only folder is fine."""
    text = json.dumps({"solved": sorted(_solved() | {exercise_id})})
    try:
        with tempfile.NamedTemporaryFile("w", dir=PROGRESS.parent, prefix=".progress-", delete=False) as file:
            file.write(text)
        os.replace(file.name, PROGRESS)
    except OSError:
        pass


def progress():
    """Display which exercises are solved on this computer: a sentence in both languages and one table."""
    solved = _solved()
    rows = ["| Lesson | " + " | ".join(NAMES) + " |", "|---" * (len(NAMES) + 1) + "|"]
    for lesson in lessons():
        marks = {name: "solved" if f"{lesson}.{name}" in solved else "-" for name in _lesson(lesson)}
        rows.append(f"| {lesson} | " + " | ".join(marks.get(name, "") for name in NAMES) + " |")
    done, count = sum(item in solved for item in ids()), len(ids())
    text = bilingual(f"Solved: {done} of {count} exercises.", f"{count} mein se {done} exercises solved.")
    display(Markdown(text.data + "\n\n" + "\n".join(rows)))
