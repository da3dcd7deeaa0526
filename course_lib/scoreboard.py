"""The scoreboard: one transcript goes through every memory strategy, and is scored by recall against tokens.

A strategy turns a history into a prompt. It is a function `prompt(history) -> messages`, or an object with such a
method and, where it keeps something between turns, `reset()`: a new thread begins. What survives `reset()` is
long-term memory.
`history` holds the messages of the current thread, the one to be answered last, and no system prompt.
"""

import copy
import json
import re
from contextvars import ContextVar
from dataclasses import dataclass, field

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.tracers.context import register_configure_hook

from course_lib import models, tokens, transcripts

UNSURE = re.compile(rf"{'|'.join(models.UNKNOWN)}|\bdo(?:n['’]t| not) (?:know|have)\b|\bnot sure\b|\bpata nahi\b", re.I)
"""How a model says that it does not know: the keyless one in its own sentences, a real one in many ways."""

COLUMNS = ["strategy", "right", "unsure", "wrong", "within", "across", "calls", "input", "output", "largest"]


@dataclass(frozen=True)
class Answer:
    """One probe in one language: `verdict` is "right", "unsure" (the model said that it does not know) or "wrong"."""

    probe: transcripts.Probe
    language: str
    reply: str
    verdict: str


@dataclass(frozen=True)
class Score:
    """What one strategy did with one transcript. Tokens are sums over model calls; `largest` is the largest prompt."""

    name: str
    answers: list = field(repr=False)
    calls: int
    input_tokens: int
    output_tokens: int
    largest: int

    def count(self, verdict):
        return sum(answer.verdict == verdict for answer in self.answers)

    def recalled(self, scope):
        """(right, asked) over the probes of a scope, "within" or "across", whose fact was told at all."""
        told = [a for a in self.answers if a.probe.scope == scope and a.probe.expected is not None]
        return sum(a.verdict == "right" for a in told), len(told)

    def row(self):
        """The score as one row of the table: {column: value}. `within` and `across` are texts such as "20/44"."""
        within, across = self.recalled("within"), self.recalled("across")
        return dict(
            zip(
                COLUMNS,
                [
                    self.name,
                    self.count("right"),
                    self.count("unsure"),
                    self.count("wrong"),
                    f"{within[0]}/{within[1]}",
                    f"{across[0]}/{across[1]}",
                    self.calls,
                    self.input_tokens,
                    self.output_tokens,
                    self.largest,
                ],
            )
        )


def score(name, strategy, transcript=None, model=None):
    """Run a strategy through a transcript turn by turn, ask the probes, and return a Score.

    name: how the table and the figure call it. transcript: the support customer unless another is given.
    model: answers the probes; the keyless model unless another is given.

    Each recorded assistant message stands for one model call: its prompt is input, the message is output. Calls that
    the strategy itself makes (summaries, extraction) are counted with them. Probes are asked on a copy of the strategy
    and never enter the history; their tokens are not counted.
    """
    transcript, model = transcript or transcripts.load(), model or models.KeylessChatModel()
    meter, answers = Meter(), []
    for session in transcript.sessions:
        if hasattr(strategy, "reset"):
            strategy.reset()
        history = []
        for number, turn in enumerate(session.turns, start=1):
            for message in turn:
                if message.type == "ai":
                    with meter:
                        prompt = prompt_of(strategy, history)
                    meter.add(tokens.count(prompt), tokens.count(message))
                history.append(message)
            here = [p for p in transcript.probes if (p.session, p.after_turn) == (session.id, number)]
            answers += [ask(strategy, history, probe, language, model) for probe in here for language in probe.question]
    return Score(name, answers, meter.calls, meter.input_tokens, meter.output_tokens, meter.largest)


def prompt_of(strategy, history):
    """The messages that a strategy sends for a history. Raises TypeError if it returns anything but messages."""
    prompt = getattr(strategy, "prompt", strategy)(list(history))
    if not isinstance(prompt, list) or not all(isinstance(message, BaseMessage) for message in prompt):
        got = type(prompt).__name__
        raise TypeError(f"A strategy returns the list of messages to send; this one returned {got}. No return?")
    return prompt


def ask(strategy, history, probe, language, model):
    """Put one probe to a copy of the strategy and judge the reply."""
    prompt = prompt_of(copy.deepcopy(strategy), [*history, HumanMessage(probe.question[language])])
    reply = model.invoke(prompt).text if prompt else models.UNKNOWN[0]  # nothing was sent, so nothing can be known
    return Answer(probe, language, reply, judge(reply, probe))


def judge(reply, probe):
    """The verdict on a reply.

    "right": it holds the expected value and no stale one; "unsure": it says that it does not know; "wrong": the rest.
    """
    if probe.expected and _holds(reply, probe.expected) and not any(_holds(reply, value) for value in probe.stale):
        return "right"
    return "unsure" if UNSURE.search(reply) else "wrong"


def _holds(reply, value):
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", reply, re.I) is not None


_meter = ContextVar("course_meter", default=None)
register_configure_hook(_meter, inheritable=True)


class Meter(BaseCallbackHandler):
    """Counts the model calls made inside `with meter:` by their usage_metadata, through LangChain's callbacks."""

    run_inline = True

    def __init__(self):
        self.calls = self.input_tokens = self.output_tokens = self.largest = 0

    def __enter__(self):
        self._token = _meter.set(self)
        return self

    def __exit__(self, *error):
        _meter.reset(self._token)

    def on_llm_end(self, response, **kwargs):
        usage = response.generations[0][0].message.usage_metadata or {}
        self.add(usage.get("input_tokens", 0), usage.get("output_tokens", 0))

    def add(self, input_tokens, output_tokens):
        self.calls += 1
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens
        self.largest = max(self.largest, input_tokens)


def table(*scores):
    """Print scores as a table, one row a strategy."""
    print(format_rows([score.row() for score in scores]))


def format_rows(rows):
    cells = [COLUMNS, *[[str(row[column]) for column in COLUMNS] for row in rows]]
    widths = [max(len(line[i]) for line in cells) for i in range(len(COLUMNS))]
    lines = [
        "  ".join([line[0].ljust(widths[0]), *[text.rjust(width) for text, width in zip(line[1:], widths[1:])]])
        for line in cells
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def parse_table(text):
    """The rows of a table printed by `table`, as Score.row() gives them; [] when there is none in the text."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if re.split(r"\s{2,}", line.strip()) == COLUMNS), None)
    rows = [re.split(r"\s{2,}", line.strip()) for line in lines[start + 2 :]] if start is not None else []
    return [{c: int(v) if v.isdigit() else v for c, v in zip(COLUMNS, row)} for row in rows if len(row) == len(COLUMNS)]


def recorded(before=None):
    """The rows that lessons printed, {lesson: [row, …]}, from data/scores.json; only those `before` a lesson "03"."""
    path = transcripts.DATA / "scores.json"
    rows = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {lesson: rows[lesson] for lesson in sorted(rows) if before is None or lesson < before}
