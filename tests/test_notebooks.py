"""Every notebook keeps the contract (contract.py); its checks catch mistakes; what changes when run twice is seen."""

import importlib
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
from contract import NOTEBOOKS, ROOT, RULES, Lesson, hinglish, load
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_lib import checks
from course_lib.exercises import Case, Exercise
from course_lib.language import bilingual

PATHS = sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))
every_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def lines(complaints):
    """As one text, so that pytest shows each on its own line."""
    return "\n".join(complaints)


@every_notebook
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_contract(path, rule):
    assert lines(rule(load(path))) == ""


# --- each rule must be able to fail: a good lesson, and one broken in one place


def prose(heading="", en="English text.", hi="Hinglish mein text."):
    return new_markdown_cell((f"{heading}\n\n" if heading else "") + bilingual(en, hi).data)


def code(source, *outputs, tag=None, **metadata):
    return new_code_cell(source, outputs=list(outputs), metadata={**({"tags": [tag]} if tag else {}), **metadata})


def printed(text):
    return new_output("stream", name="stdout", text=text)


def displayed(**data):
    return new_output("display_data", {mime.replace("_", "/"): text for mime, text in data.items()})


def exercise(name):
    check, solution = f'checks.run("01.{name}", {name})', f'checks.run("01.{name}", solution_{name}, record=False)'
    return [
        prose(f"### {name} · {name} karo"),
        code(f"def {name}(): ...", tag="exercise"),
        code(check, displayed(text_markdown="**Not started yet.** …"), tag="check"),
        code(
            f"def solution_{name}(): return 1\n{solution}",
            displayed(text_markdown="**Solved.** …"),
            tag="solution",
            jupyter={"source_hidden": True},
        ),
    ]


def good_lesson(folder):
    """A small lesson that breaks no rule."""
    (folder / "00_start_here.ipynb").touch()
    link = "[start](00_start_here.ipynb)"
    cells = [
        prose(
            "# 01 · good lesson",
            f"1. do it\n2. say it\n3. see it\n\n**20 minutes.** Needs {link}.",
            f"1. karo\n2. bolo\n3. dekho\n\n**20 minute.** Pehle {link}.",
        ),
        code('language("both")', displayed(text_html='<form class="lm-picker">')),
        *[
            part
            for i in range(8)
            for part in (prose(f"## Part {i} · Bhaag {i}"), code(f"print({i})", printed(f"{i}\n")))
        ],
        new_markdown_cell("## Diagram · Diagram\n\n```mermaid\ngraph TD; a-->b\n```"),
        code("scoreboard.table(s)", printed("strategy recall\n"), tag="scoreboard"),
        code("print(1)\nplt.plot([1])\nplt.show()", printed("1\n"), displayed(image_png="…"), tag="figure"),
        prose("## Where people get stuck · Log kahan atakte hain", "See [above](#Part-1-·-Bhaag-1) and `nahin!`."),
        prose("## Exercises · Abhyaas"),
        *exercise("warm_up"),
        *exercise("core"),
        *exercise("stretch"),
        new_markdown_cell('## Interview corner\n\n> **Say:** "It is stateless."\n\n' + bilingual("So.", "Toh.").data),
        prose("## Recap", "Answer:\n\n<details><summary>Why?</summary>\n\nSo.\n\n</details>"),
        new_markdown_cell(
            "<details><summary>For teachers · Teachers ke liye</summary>\n\n"
            + bilingual("x", "y").data
            + "\n\n</details>",
            metadata={"tags": ["teacher"]},
        ),
    ]
    for number, cell in enumerate([cell for cell in cells if cell.cell_type == "code"], 1):
        cell.execution_count = number
    return Lesson(
        new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}}),
        "01_good.ipynb",
        folder,
    )


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule_accepts_a_good_lesson(rule, tmp_path):
    assert not list(rule(good_lesson(tmp_path)))


def replace(position, old, new):
    """Break a lesson: replace a text in one cell, or in all cells where position is None."""

    def change(lesson):
        cells = lesson.notebook.cells if position is None else [lesson.notebook.cells[position]]
        assert any(old in cell.source for cell in cells)
        for cell in cells:
            cell.source = cell.source.replace(old, new)

    return change


def tagged(tag, change):
    return lambda lesson: change(lesson.tagged(tag)[0])


def output(text, **data):
    return lambda lesson: lesson.notebook.cells[3].outputs.append(displayed(**data) if data else printed(text))


def remove(tag):
    return lambda lesson: lesson.notebook.cells.remove(lesson.tagged(tag)[0])


def insert(source, position=4):
    return lambda lesson: lesson.notebook.cells.insert(position, new_markdown_cell(source))


def set_(**values):
    """Break the first code cell after the story: set its attributes."""
    return lambda lesson: lesson.notebook.cells[3].update(values)


MANY_WORDS = "word " * 91
BROKEN = {
    "metadata_is_clean": [
        lambda lesson: lesson.notebook.metadata.update(widgets={}),
        lambda lesson: lesson.notebook.metadata.update(kernelspec={"name": "my-env"}),
        lambda lesson: lesson.notebook.metadata.update(language_info={"name": "python", "version": "3.11"}),
        lambda lesson: lesson.notebook.cells[3].metadata.update(execution={"iopub.status.busy": "…"}),
    ],
    "tags_are_known": [lambda lesson: lesson.notebook.cells[3].metadata.update(tags=["raises-exception"])],
    "title_card_comes_first": [
        replace(0, "# 01 ·", "# 02 ·"),
        replace(2, "## Part 0", "# Part 0"),
        replace(0, "3. see it", "see it"),
        replace(0, "20 minutes", "quick"),
        replace(0, "20 minute.", "jaldi."),
        replace(0, "Needs", "After"),
        replace(0, ".ipynb)", ".html)"),
    ],
    "picker_comes_second": [
        replace(1, "language(", "print("),
        lambda lesson: lesson.notebook.cells[1].update(outputs=[]),
    ],
    "parts_are_there": [
        replace(None, "Where people get stuck", "Traps"),
        replace(None, "## Recap", "## End"),
        replace(None, "## Interview corner", "## Questions"),
        replace(None, "**Say:**", "Say:"),
        remove("scoreboard"),
        tagged("scoreboard", lambda cell: cell.update(outputs=[])),
    ],
    "teacher_cell_is_last_and_folded": [
        remove("teacher"),
        tagged("teacher", lambda cell: cell.update(source="For teachers")),
        lambda lesson: lesson.notebook.cells.append(prose()),
    ],
    "figure_and_diagram_are_there": [
        tagged("figure", lambda cell: cell.update(outputs=cell.outputs[:1])),
        replace(None, "```mermaid", "```text"),
    ],
    "figures_print_their_numbers": [
        lambda lesson: (
            [cell.update(outputs=cell.outputs[-1:]) for cell in lesson.tagged("figure")]
            and lesson.tagged("scoreboard")[0].update(outputs=[])
        ),
        tagged("figure", lambda cell: cell.update(source="plt.plot([1]);")),
        output("", **{"image_svg+xml": "<svg/>"}),
    ],
    "exercises_are_three": [
        remove("exercise"),
        remove("check"),
        remove("solution"),
        tagged("exercise", lambda cell: cell.update(source="def warm_up(): return 1")),
        tagged("check", lambda cell: cell.update(source='checks.run("01.core", warm_up)')),
        tagged("check", lambda cell: cell.update(source='checks.run("01.warm_up", warm_up, record=False)')),
        tagged("check", lambda cell: cell.update(outputs=[displayed(text_markdown="**Solved.**")])),
        tagged("solution", lambda cell: cell.update(source=cell.source.replace(", record=False", ""))),
        tagged("solution", lambda cell: cell.update(source=cell.source.replace("solution_", ""))),
        tagged("solution", lambda cell: cell.update(source=cell.source.replace("01.warm_up", "02.warm_up"))),
        tagged("solution", lambda cell: cell.metadata.pop("jupyter")),
        tagged("solution", lambda cell: cell.update(outputs=[displayed(text_markdown="**Not right yet.**")])),
    ],
    "both_languages_are_there": [
        insert("Only English, and no div."),
        insert('<div lang="en">\n\nOnly English.\n\n</div>'),
        insert('<div lang="hi">\n\nGalat.\n\n</div>'),
        insert(bilingual("a", "b").data + "\n\nA forgotten line."),
    ],
    "divs_have_blank_lines": [
        replace(2, '<div lang="en">\n\n', '<div lang="en">\n'),
        replace(2, "\n\n</div>", "\n</div>"),
        replace(2, '<div lang="en">\n\n', '<div lang="en">text\n\n'),
        replace(2, "English text.", "<details><summary>Why?</summary>\nSo.\n\n</details>"),
        replace(2, "English text.", "<details><summary>Why?</summary>\n\nSo.\n</details>"),
    ],
    "headings_are_bilingual_and_outside": [
        replace(2, "English text.", "### Inside\n\nText."),
        replace(2, " · Bhaag 0", ""),
    ],
    "markup_is_balanced": [
        replace(2, "</div>", ""),
        replace(2, "English text.", "</details>"),
        replace(2, "English text.", '<span style="color: red">Text.</span>'),
        replace(2, "English text.", '<div lang="en">\n\nText.\n\n</div>'),
        replace(2, "English text.", "<details open><summary>Why?</summary>\n\nSo.\n\n</details>"),
    ],
    "hinglish_is_ascii": [replace(2, "Hinglish mein", "हिन्दी mein"), replace(2, "Bhaag", "Bhāg")],
    "hinglish_has_one_spelling": [replace(2, "Hinglish mein", "Nahin"), replace(2, "Bhaag", "Pura")],
    "voice_is_kept": [
        replace(2, "English text.", "Simply run it."),
        replace(2, "English text.", "Let's dive in."),
        replace(2, "Hinglish mein text.", "Chalo!"),
        replace(2, "English text.", "Done \N{ROCKET}"),
        replace(2, "English text.", "Done \N{WHITE HEAVY CHECK MARK}"),
    ],
    "links_resolve": [
        replace(2, "English text.", "[next](99_missing.ipynb)"),
        replace(2, "English text.", "[next](#Nowhere)"),
        replace(2, "English text.", "[next](/notebooks/x.ipynb)"),
        replace(2, "English text.", "[next](http://localhost:8888/lab)"),
    ],
    "prose_is_short": [
        replace(2, "English text.", MANY_WORDS),
        replace(2, "Hinglish mein text.", MANY_WORDS),
        replace(2, "English text.", f"<details><summary>Why?</summary>\n\n{MANY_WORDS * 4}\n\n</details>"),
    ],
    "cells_are_small_and_not_too_many": [
        set_(source="x = 1\n" * 26),
        lambda lesson: [cell.update(source="x = 1\n" * 9) for _, cell in lesson.code],
        lambda lesson: lesson.notebook.cells.extend(prose() for _ in range(30)),
        lambda lesson: lesson.notebook.cells.__delitem__(slice(2, 16)),
    ],
    "code_stays_offline_and_current": [
        set_(source=source)
        for source in (
            "import requests",
            "from urllib.request import urlopen",
            'page = "https://example.org"',
            "graph.get_graph().draw_mermaid_png()",
            'os.environ["OPENAI_API_KEY"]',
            'ChatOpenAI(api_key="x")',
            "%pip install langgraph",
            "!ls",
            "create_react_agent(model, [])",
            "plt.plot(x);",
        )
    ],
    "outputs_are_stored": [
        set_(execution_count=None),
        set_(execution_count=9),
        set_(outputs=[new_output("error", ename="NameError", evalue="x", traceback=[])]),
        set_(outputs=[new_output("stream", name="stderr", text="UserWarning: old\n")]),
    ],
    "outputs_are_the_same_everywhere": [
        output("saved in /home/fraz/chat.db"),
        output(r"saved in C:\Users\fraz"),
        output("<object at 0x7f3a5c0d1e20>"),
        output("id 1ef4f797-8335-6428-8001-8a1503f9b875"),
        output("took 0.53 s"),
        output("LangGraphDeprecatedSinceV10Warning: old"),
    ],
}


def test_every_rule_has_a_broken_example():
    assert {rule.__name__ for rule in RULES} == set(BROKEN)


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        pytest.param(rule, change, id=f"{rule.__name__}-{i}")
        for rule in RULES
        for i, change in enumerate(BROKEN[rule.__name__])
    ],
)
def test_rule_reports_a_broken_lesson(rule, change, tmp_path):
    lesson = good_lesson(tmp_path)
    change(lesson)
    assert list(rule(lesson))


@pytest.mark.parametrize(
    "source",
    [
        bilingual("Write `<b>!simply` and\n\n```python\n# simply!\n<div>\n```", "`nahin`, aur $\\alpha!$").data,
        "| a | b |\n|---|---|\n| pura | 1 |",
        '## Two · Do\n\n> **Say:** "It stays in English."',
    ],
)
def test_rules_leave_code_tables_and_quotes_alone(source, tmp_path):
    lesson = good_lesson(tmp_path)
    insert(source)(lesson)
    assert not [complaint for rule in RULES for complaint in rule(lesson)]


# --- run twice (conftest.py, at every run of nbval)


def test_run_twice_reports_what_changes(tmp_path):
    """A notebook among whose cells three are broken: their stored outputs are those of a first run."""
    cells = [
        code("seen = []"),
        code("seen.append(1)\nprint(len(seen))", printed("1\n")),  # then 2
        code("print(2)", printed("2\n")),
        code("if 'once' in globals(): 1 / 0\nonce = True"),  # then an error
        code("seen.append(1)\nlen(seen)", new_output("execute_result", {"text/plain": "3"})),  # then 4
        code("seen.append(1)\nprint(len(seen))", printed("5\n"), tag="rerun-changes"),
        code("print(len(seen))", printed("5\n")),
    ]
    for number, cell in enumerate(cells, 1):
        cell.execution_count = number
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(new_notebook(cells=cells, metadata=kernel), tmp_path / "broken.ipynb")
    shutil.copy(ROOT / "conftest.py", tmp_path)
    options = ["--nbval", "-rN", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command = [sys.executable, "-m", "pytest", *options, "broken.ipynb"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8").stdout
    assert re.findall(r"Cell (\d): (Run a second time: [^\n]*)", said) == [
        ("1", "Run a second time: Cell outputs differ"),
        ("3", "Run a second time: Cell execution caused an exception"),
        ("4", "Run a second time: Cell outputs differ"),
    ], said
    assert "3 failed, 4 passed" in said


# --- the hidden cases of the exercises


def complaints_about(exercise, wrong):
    """Why an exercise and its list of typical wrong answers, {what is wrong: answer}, do not do."""
    if not wrong:
        yield "no typical wrong answer"
    for mistake, answer in wrong.items():
        status = checks.judge(exercise, answer).status
        if status in ("solved", "not started"):
            yield f"{mistake!r} is judged as {status}"
    for stub in (None, ...):
        if checks.judge(exercise, stub).status != "not started":
            yield f"{stub} is not judged as not started"
    if not all(text.strip() for text in exercise.hint):
        yield "the hint is not there in both languages"
    if hinglish(bilingual(*exercise.hint).data) and not exercise.hint[1].isascii():
        yield "the Hinglish hint is not ASCII"


@pytest.mark.parametrize("exercise_id", checks.ids())
def test_exercise_catches_typical_mistakes(exercise_id):
    lesson, name = exercise_id.split(".")
    wrong = importlib.import_module(f"wrong_answers.lesson_{lesson}").WRONG
    assert name in checks.NAMES
    assert lines(complaints_about(checks.load(exercise_id), wrong[name])) == ""


def test_exercise_that_catches_nothing_is_reported():
    lax = Exercise([Case(judge=lambda result: None)], ("Count.", "Gino."))
    assert list(complaints_about(lax, {"always five": lambda: 5})) == ["'always five' is judged as solved"]
    assert list(complaints_about(lax, {})) == ["no typical wrong answer"]
    strict = Exercise([Case(expected=4)], ("Count.", "Gino."))
    assert not list(complaints_about(strict, {"always five": lambda: 5}))
    assert list(complaints_about(strict, {"a stub": lambda: None})) == ["'a stub' is judged as not started"]
