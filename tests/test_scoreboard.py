"""The scoreboard counts what it says it counts, on a transcript small enough to count by hand."""

import json

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from course_lib import figures, models, scoreboard, tokens, transcripts
from course_lib.transcripts import Probe, Session, Transcript


def probe(id, scope, session, after_turn, expected, stale=(), question=None):
    question = question or {"en": "What is my city?", "hi": "Mera sheher kya hai?"}
    return Probe(id, None, scope, session, after_turn, question, expected, list(stale))


@pytest.fixture
def small():
    """Two threads: the city is told in the first, changed there, and not told in the second."""
    first = Session(
        "s1",
        "t1",
        "2026-01-01",
        [
            [HumanMessage("My city is Pune."), AIMessage("Thank you.")],
            [HumanMessage("My city is Nashik."), AIMessage("Thank you.")],
        ],
    )
    second = Session("s2", "t2", "2026-01-02", [[HumanMessage("Hello."), AIMessage("Hello.")]])
    probes = [
        probe("early", "within", "s1", 1, "Pune"),
        probe("late", "within", "s1", 2, "Nashik", ["Pune"]),
        probe("next", "across", "s2", 1, "Nashik", ["Pune"]),
        probe("never", "within", "s2", 1, None, question={"en": "What is my name?", "hi": "Mera naam kya hai?"}),
    ]
    return Transcript("small", "u", [first, second], [], probes)


def everything(history):
    return history


class Notebook:
    """A strategy with long-term memory: it writes down every human message and survives a new thread."""

    def __init__(self, model=None):
        self.notes, self.resets, self.model = [], 0, model

    def reset(self):
        self.resets += 1

    def prompt(self, history):
        if self.model:
            self.model.invoke([history[-1]])
        self.notes.append(history[-1].text)
        return [SystemMessage("\n".join(f"user: {note}" for note in self.notes[:-1])), history[-1]]


def test_everything_recalls_within_a_thread_and_not_across(small):
    score = scoreboard.score("everything", everything, small)
    assert score.recalled("within") == (4, 4)
    assert score.recalled("across") == (0, 2)
    assert (score.count("right"), score.count("unsure"), score.count("wrong")) == (4, 4, 0)


def test_tokens_are_those_of_the_prompts_and_the_recorded_answers(small):
    score = scoreboard.score("everything", everything, small)
    prompts = [s.messages()[:n] for s, n in [(small.sessions[0], 1), (small.sessions[0], 3), (small.sessions[1], 1)]]
    assert score.calls == 3
    assert score.input_tokens == sum(tokens.count(p) for p in prompts)
    assert score.largest == max(tokens.count(p) for p in prompts)
    assert score.output_tokens == sum(tokens.count(m) for s in small.sessions for m in s.messages() if m.type == "ai")


def test_long_term_memory_survives_reset_and_probes_leave_no_trace(small):
    strategy = Notebook()
    score = scoreboard.score("notebook", strategy, small)
    assert score.recalled("across") == (2, 2)
    assert strategy.resets == 2
    assert strategy.notes == ["My city is Pune.", "My city is Nashik.", "Hello."]


def test_the_strategys_own_model_calls_are_metered_but_not_those_of_probes(small):
    plain = scoreboard.score("notebook", Notebook(), small)
    calling = scoreboard.score("notebook", Notebook(models.KeylessChatModel()), small)
    assert calling.calls == 2 * plain.calls
    humans = [turn[0] for session in small.sessions for turn in session.turns]
    assert calling.input_tokens - plain.input_tokens == sum(tokens.count([message]) for message in humans)


def test_a_stale_fact_is_wrong_not_unsure(small):
    score = scoreboard.score("first message", lambda history: [history[0], history[-1]], small)
    late = [answer for answer in score.answers if answer.probe.id == "late"]
    assert [answer.verdict for answer in late] == ["wrong", "wrong"]


@pytest.mark.parametrize(
    ("reply", "expected", "stale", "verdict"),
    [
        ("Your city is Pune.", "Pune", [], "right"),
        ("pune hai", "Pune", [], "right"),
        ("It was Pune, now Nashik.", "Nashik", ["Pune"], "wrong"),
        ("I don't know your city.", "Pune", [], "unsure"),
        ("I'm sorry, I do not have that information.", "Pune", [], "unsure"),
        ("Mujhe nahi pata.", "Pune", [], "unsure"),
        ("Your city is Puneville.", "Pune", [], "wrong"),
        ("Your city is Pune.", None, [], "wrong"),
        ("I don't know.", None, [], "unsure"),
        ("The time is 19:15.", "9:15", [], "wrong"),
    ],
)
def test_judge(reply, expected, stale, verdict):
    assert scoreboard.judge(reply, probe("p", "within", "s1", 1, expected, stale)) == verdict


@pytest.mark.parametrize("broken", [lambda history: None, lambda history: "text", lambda history: ["text"]])
def test_a_strategy_that_returns_no_messages_gets_a_sentence(broken, small):
    with pytest.raises(TypeError, match="list of messages"):
        scoreboard.score("broken", broken, small)


def test_an_empty_prompt_knows_nothing(small):
    score = scoreboard.score("nothing", lambda history: [], small)
    assert score.count("unsure") == len(score.answers)


def test_the_table_can_be_read_back_and_is_the_same_each_time(small, capsys):
    scores = [scoreboard.score("last 1 (naive)", lambda h: h[-1:], small), scoreboard.score("all", everything, small)]
    scoreboard.table(*scores)
    first = capsys.readouterr().out
    scoreboard.table(*scores)
    assert capsys.readouterr().out == first
    assert scoreboard.parse_table(f"text before\n{first}") == [score.row() for score in scores]
    assert scoreboard.parse_table("no table here") == []


def test_recorded_rows_are_those_that_the_notebooks_print(pytestconfig):
    """tests/execute.py writes data/scores.json; a lesson edited without it would leave old points in the figures."""
    printed = {}
    for path in sorted((pytestconfig.rootpath / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts = [
            "".join(output.get("text", ""))
            for cell in cells
            if "scoreboard" in cell["metadata"].get("tags", [])
            for output in cell.get("outputs", [])
        ]
        rows = [row for text in texts for row in scoreboard.parse_table(text)]
        if rows:
            printed[path.name[:2]] = rows
    assert scoreboard.recorded() == printed


def test_recorded_before_a_lesson(monkeypatch, tmp_path):
    (tmp_path / "scores.json").write_text('{"03": [{"strategy": "b"}], "02": [{"strategy": "a"}]}')
    monkeypatch.setattr(transcripts, "DATA", tmp_path)
    assert list(scoreboard.recorded()) == ["02", "03"]
    assert list(scoreboard.recorded(before="03")) == ["02"]


def test_recall_in_percent():
    assert figures.recall({"within": "3/4", "across": "0/2"}) == pytest.approx(50)


def test_the_figure_labels_each_point_and_marks_wrong_answers(small, monkeypatch):
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    monkeypatch.setattr(plt, "show", lambda: None)
    scores = [
        scoreboard.score("everything", everything, small),
        scoreboard.score("first message", lambda history: [history[0], history[-1]], small),
    ]
    figures.recall_against_tokens(*scores)
    labels = [text.get_text() for text in plt.gca().texts]
    plt.close("all")
    assert sorted(labels) == ["everything", "first message (2 wrong)"]
