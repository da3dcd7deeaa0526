"""The exercise checks: what is solved, what is not, and that no answer can disturb the notebook."""

import json
import os
import signal
import threading
import time
from types import SimpleNamespace

import pytest
from IPython.display import display as show_in_notebook
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from course_lib import checks
from course_lib.exercises import Case, Exercise

HINT = ("Slice from the end.", "Aakhir se slice karo.")
LAST_K = Exercise(
    cases=[
        Case(args=([1, 2, 3], 2), expected=[2, 3], keeps_input=True),
        Case(args=(["SECRET"], 0), expected=[]),
    ],
    hint=HINT,
    seconds=0.5,
)


def last_k(items, k):
    return items[len(items) - k :]


def stub(items, k): ...


def stub_with_docstring(items, k):
    """Return the last k."""


def stub_with_unfinished_name(items, k):
    kept = ...
    return kept


class StubClass:
    """To be written."""

    def __init__(self):
        self.items = []

    def prompt(self, history): ...


@pytest.mark.parametrize(
    "answer", [None, ..., stub, stub_with_docstring, stub_with_unfinished_name, StubClass, lambda items, k: None]
)
def test_stub_is_not_started(answer):
    verdict = checks.judge(LAST_K, answer)
    assert verdict.status == "not started"
    assert getattr(answer, "__name__", "answer") in verdict.en


def test_right_answer_is_solved():
    assert checks.judge(LAST_K, last_k).status == "solved"


def off_by_one(items, k):
    return items[-k - 1 :]


def zero_keeps_everything(items, k):
    return items[-k:]


def no_return(items, k):
    items = items[len(items) - k :]


def tuple_instead_of_list(items, k):
    return tuple(last_k(items, k))


def changes_its_argument(items, k):
    del items[: len(items) - k]
    return items


@pytest.mark.parametrize(
    "answer", [off_by_one, zero_keeps_everything, no_return, tuple_instead_of_list, changes_its_argument]
)
def test_wrong_answer_is_wrong(answer):
    verdict = checks.judge(LAST_K, answer)
    assert verdict.status == "wrong"
    assert HINT[0] in verdict.en
    assert HINT[1] in verdict.hi


def test_first_failing_case_is_shown_and_no_other():
    verdict = checks.judge(LAST_K, off_by_one)
    assert verdict.evidence == "input     [1, 2, 3]\ninput     2\nexpected  [2, 3]\ngot       [1, 2, 3]"
    assert "SECRET" in checks.judge(LAST_K, zero_keeps_everything).evidence


def test_forgotten_return_is_named():
    assert "`return` missing" in checks.judge(LAST_K, no_return).en


def test_changed_argument_is_harmless_without_the_option():
    args = ([1, 2, 3], 2)
    assert checks.judge(Exercise([Case(args, expected=[2, 3])] * 2, HINT), changes_its_argument).status == "solved"
    assert args == ([1, 2, 3], 2)


class BadRepr:
    def __repr__(self):
        raise RuntimeError("no")


def recursion(items, k):
    return recursion(items, k)


def leaves(items, k):
    raise SystemExit("bye")


def raises(items, k):
    number = len(items)
    return number / 0


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (recursion, "RecursionError"),
        (leaves, "SystemExit: bye"),
        (raises, "ZeroDivisionError: division by zero"),
        (lambda items: items, "takes 1 positional argument but 2 were given"),
        ([1, 2], "'list' object is not callable"),
    ],
)
def test_exception_is_reported(answer, words):
    verdict = checks.judge(LAST_K, answer)
    assert verdict.status == "error"
    assert words in verdict.evidence


def test_line_of_the_learner_is_named():
    line = raises.__code__.co_firstlineno + 2
    assert checks.judge(LAST_K, raises).evidence.endswith(f"line {line:<4} return number / 0")


def test_result_that_cannot_be_shown():
    assert "BadRepr that cannot be shown" in checks.judge(LAST_K, lambda items, k: BadRepr()).evidence


def busy(items, k):
    while True:
        pass


def naps(items, k):
    while True:
        time.sleep(0.01)


def sleeps_long(items, k):
    time.sleep(60)


def catches_exceptions(items, k):
    while True:
        try:
            time.sleep(0.01)
        except Exception:  # noqa: BLE001, S110
            pass


@pytest.mark.parametrize("answer", [busy, naps, sleeps_long, catches_exceptions])
def test_endless_loop_is_stopped(answer):
    start = time.monotonic()
    verdict = checks.judge(LAST_K, answer)
    assert verdict.status == "too slow"
    assert time.monotonic() - start < 5
    assert "0.5 seconds" in verdict.en


def test_the_learners_own_interrupt_stays_an_interrupt():
    before = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        checks.judge(LAST_K, naps)
    assert signal.getsignal(signal.SIGINT) is before


def test_no_interrupt_is_left_over():
    """The timer and the answer finish at the same moment, many times: nothing may be raised afterwards."""
    for _ in range(20):
        exercise = Exercise([Case(expected=1)], HINT, seconds=0.01)
        assert checks.judge(exercise, lambda: time.sleep(0.01) or 1).status in {"solved", "too slow"}
    time.sleep(0.05)


def test_outside_the_main_thread_it_judges_without_a_limit():
    found = []
    thread = threading.Thread(target=lambda: found.append(checks.judge(LAST_K, last_k).status))
    thread.start()
    thread.join()
    assert found == ["solved"]


def test_prints_are_dropped(capsys):
    def chatty(items, k):
        print("noise")
        show_in_notebook("noise")
        return last_k(items, k)

    assert checks.judge(LAST_K, chatty).status == "solved"
    assert capsys.readouterr().out == ""


def test_messages_compare_by_type_and_content():
    exercise = Exercise([Case(args=(), expected=[SystemMessage("s"), HumanMessage("Hi", id="1")])], HINT)
    assert checks.judge(exercise, lambda: [SystemMessage("s"), HumanMessage("Hi", id="2")]).status == "solved"
    assert checks.judge(exercise, lambda: [SystemMessage("s"), AIMessage("Hi")]).status == "wrong"
    verdict = checks.judge(exercise, lambda: [SystemMessage("s"), HumanMessage("Ho")])
    assert "got       [SystemMessage('s'), HumanMessage('Ho')]" in verdict.evidence


def test_tool_calls_count():
    def call(city):
        return AIMessage("", tool_calls=[{"name": "weather", "args": {"city": city}, "id": "x"}])

    exercise = Exercise([Case(expected=call("Pune"))], HINT)
    assert checks.judge(exercise, lambda: call("Pune")).status == "solved"
    verdict = checks.judge(exercise, lambda: call("Goa"))
    assert verdict.status == "wrong"
    assert "calls weather({'city': 'Goa'})" in verdict.evidence


def test_floats_compare_to_nine_places():
    assert checks.judge(Exercise([Case(expected=0.3)], HINT), lambda: 0.1 + 0.2).status == "solved"


def counts(strategy):
    strategy.add("a")
    return None if strategy.items == ["a"] else ("It keeps nothing.", "Kuch nahi rakhta.")


class Keeps:
    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(item)


class Forgets(Keeps):
    def add(self, item):
        self.items = []


class Breaks(Keeps):
    def add(self, item):
        raise ValueError(object())


STRATEGY = Exercise([Case(judge=counts)], HINT)


@pytest.mark.parametrize(
    ("answer", "status"), [(Keeps, "solved"), (Forgets, "wrong"), (Breaks, "error"), (int, "error")]
)
def test_judge_drives_what_the_answer_built(answer, status):
    verdict = checks.judge(STRATEGY, answer)
    assert verdict.status == status
    assert "0x" not in verdict.evidence
    if status == "wrong":
        assert "It keeps nothing." in verdict.en
        assert "Kuch nahi rakhta." in verdict.hi


def test_fresh_arguments_from_a_function():
    exercise = Exercise([Case(args=lambda: (threading.Lock(),), judge=lambda result, lock: None)], HINT)
    assert checks.judge(exercise, lambda lock: lock.acquire()).status == "solved"


@pytest.mark.parametrize(
    ("answer", "status"), [(4, "solved"), (5, "wrong"), (None, "not started"), (..., "not started")]
)
def test_plain_value(answer, status):
    assert checks.judge(Exercise([Case(expected=4)], HINT, plain=True), answer).status == status


def test_a_case_says_what_is_right():
    with pytest.raises(ValueError, match="either expected or judge"):
        Case(args=(1,))
    with pytest.raises(ValueError, match="either expected or judge"):
        Case(expected=1, judge=lambda result: None)


def test_show_is_the_same_in_every_run():
    words = {f"word{i}" for i in range(5)}
    assert checks.show(words) == "{'word0', 'word1', 'word2', 'word3', 'word4'}"
    assert checks.show([SimpleNamespace(), object()]) == "[namespace(), <object object>]"
    assert checks.show("id 6a8cbd6b-63a5-4a1f-8f4a-0d6b0c4f4f12") == "'id <id>'"
    assert checks.show(list(range(40))) == "[0, 1, 2, 3, 4, 5, … 28 more …, 34, 35, 36, 37, 38, 39]"
    assert checks.show((1,)) == "(1,)"
    assert len(checks.show("x" * 5000)) < 300
    assert checks.show(["x" * 60, "y" * 60]) == f"[\n  '{'x' * 60}',\n  '{'y' * 60}',\n]"


def test_show_survives_a_list_that_holds_itself():
    items = []
    items.append(items)
    assert checks.show(items).startswith("[")


# --- run, ids, progress


@pytest.fixture
def shown(monkeypatch, tmp_path):
    """The texts that are displayed, with one invented lesson and a progress file of its own."""
    texts = []
    monkeypatch.setattr(checks, "display", lambda item: texts.append(item.data))
    monkeypatch.setattr(checks, "PROGRESS", tmp_path / ".progress.json")
    monkeypatch.setattr(checks, "lessons", lambda: ["02"])
    monkeypatch.setattr(checks, "_lesson", lambda lesson: {"warm_up": LAST_K, "core": LAST_K})
    return texts


def test_another_type_is_named():
    verdict = checks.judge(LAST_K, lambda items, k: tuple(items[-k:]))
    assert "should be of type `list`, not `tuple`" in verdict.en
    assert "type `list` hona chahiye, `tuple` nahi" in verdict.hi


def test_run_returns_nothing_and_displays_both_languages(shown):
    assert checks.run("02.warm_up", off_by_one) is None
    assert len(shown) == 1
    assert '<div lang="en">\n\n**Not right yet.**' in shown[0]
    assert '<div lang="hi-Latn">\n\n**Abhi sahi nahi.**' in shown[0]
    assert shown[0].endswith(
        "\n\n```text\ninput     [1, 2, 3]\ninput     2\nexpected  [2, 3]\ngot       [1, 2, 3]\n```"
    )


def test_evidence_cannot_break_out_of_its_fence(shown):
    checks.run("02.warm_up", lambda items, k: "````")
    assert shown[0].endswith("'````'\n`````")


@pytest.mark.parametrize("wrong_id", ["02.warmup", "99.core", "warm_up", "", None, 2])
def test_unknown_id_lists_those_that_exist(shown, wrong_id):
    checks.run(wrong_id, last_k)
    assert shown == [f"There is no exercise {wrong_id!r}. These exist: 02.warm_up, 02.core."]


def test_progress_is_remembered_when_solved_and_recorded(shown):
    checks.run("02.core", last_k, record=False)
    checks.run("02.core", off_by_one)
    assert not checks.PROGRESS.exists()
    checks.run("02.warm_up", last_k)
    checks.run("02.core", last_k)
    assert json.loads(checks.PROGRESS.read_text()) == {"solved": ["02.core", "02.warm_up"]}
    assert [path.name for path in checks.PROGRESS.parent.iterdir()] == [".progress.json"]


@pytest.mark.parametrize("content", ["", "[]", "{", '{"solved": 3}', "\xff"])
def test_broken_progress_file_counts_as_empty(shown, content):
    checks.PROGRESS.write_text(content, encoding="latin-1")
    checks.run("02.warm_up", last_k)
    assert json.loads(checks.PROGRESS.read_text()) == {"solved": ["02.warm_up"]}


def test_progress_that_cannot_be_written_is_no_error(shown, monkeypatch, tmp_path):
    monkeypatch.setattr(checks, "PROGRESS", tmp_path / "no such folder" / ".progress.json")
    checks.run("02.warm_up", last_k)
    assert "**Solved.**" in shown[0]


def test_progress_table(shown):
    checks.run("02.warm_up", last_k)
    checks.progress()
    assert "Solved: 1 of 2 exercises." in shown[1]
    assert "2 mein se 1 exercises solved." in shown[1]
    assert shown[1].endswith("| Lesson | warm_up | core | stretch |\n|---|---|---|---|\n| 02 | solved | - |  |")


def test_in_a_real_kernel():
    """There the interrupt, the display and the lines of a cell are other than here."""
    cells = [
        "from course_lib import checks\nfrom course_lib.exercises import Case, Exercise\n"
        'checks.load = lambda name: Exercise([Case(args=(3,), expected=4)], ("Add.", "Jodo."), seconds=0.5)',
        "def loops(n):\n    while True:\n        print(n)\n\nchecks.run('x', loops, record=False)",
        "import time\n\ndef sleeps(n):\n    time.sleep(60)\n\nchecks.run('x', sleeps, record=False)",
        "def leaves(n):\n    raise SystemExit\n\nchecks.run('x', leaves, record=False)",
        "def breaks(n):\n    display('noise')\n    return n + 'a'\n\nchecks.run('x', breaks, record=False)",
        "def adds(n):\n    return n + 1\n\nchecks.run('x', adds, record=False)",
    ]
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, kernel_name="python3", timeout=30).execute()
    texts = ["\n".join(output.data["text/markdown"] for output in cell.outputs) for cell in notebook.cells]
    assert texts[0] == ""
    for text, title in zip(texts[1:], ("Too slow", "Too slow", "An error", "An error", "Solved"), strict=True):
        assert text.startswith(f'<div lang="en">\n\n**{title}.**')
    assert "error     SystemExit\nline 2    raise SystemExit\n" in texts[3]
    assert "line 3    return n + 'a'\n" in texts[4]
