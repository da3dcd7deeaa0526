"""What a long conversation costs: `python benchmarks/chat_growth.py [TURNS]` (1,000 unless told), run by hand.

The naive graph (all messages in the state, a checkpoint after each step) beside the chat program, in one run: size of
the file, and the time of a turn at the end as a ratio to the time at turn 50. Messages have 200 characters. On a busy
machine the ratio of the processor time is the one to trust.
"""

import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph

from course_lib import chat, chatfile, models

REPLY = "r" * 200


class SameReply(models.KeylessChatModel):
    """Answers with 200 characters; what is measured is the memory around the model."""

    def _generate(self, messages, **kwargs):
        result = super()._generate(messages, **kwargs)
        if not kwargs.get("tools"):
            result.generations[0].message.content = REPLY
        return result


def text(number):
    return f"Sentence {number} of a long talk. ".ljust(200, ".")


def naive(folder):
    """A function that takes one turn of the graph of lesson 05, and its file."""
    file = Path(folder) / "naive.sqlite"
    saver = SqliteSaver(sqlite3.connect(file, check_same_thread=False))
    graph = StateGraph(MessagesState).add_node("reply", lambda state: {"messages": [AIMessage(REPLY)]})
    graph.add_edge(START, "reply").add_edge("reply", END)
    graph = graph.compile(checkpointer=saver)
    config = {"configurable": {"thread_id": "one"}}
    return lambda number: graph.invoke({"messages": [HumanMessage(text(number))]}, config), file


def program(folder):
    """A function that takes one turn of the chat program, and its file."""
    file = chatfile.ChatFile(Path(folder) / "chat.sqlite")
    talk = chat.Chat(file, "fraz", "one", SameReply())
    return lambda number: talk.answer(text(number)), file.path


def measure(turn, file, turns):
    """(bytes of the file and its WAL, growth of a turn's time and processor time from turns 41-60 to the last 20)."""
    spent = []
    for number in range(turns):
        start = time.perf_counter(), time.process_time()
        turn(number)
        spent.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    size = sum(path.stat().st_size for path in file.parent.glob(file.name + "*"))
    early, late = (map(statistics.median, zip(*part)) for part in (spent[40:60], spent[-20:]))
    return size, *(end / begin for begin, end in zip(early, late))


def main():
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    if turns < 60:
        sys.exit("At least 60 turns are needed: turn 50 is compared with the end.")
    for name, make in (("naive graph", naive), ("chat program", program)):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            size, elapsed, processor = measure(*make(folder), turns)
        print(f"{name:13} {turns} turns: {size / 1e6:7.1f} MB; the last turns against turn 50:", end=" ")
        print(f"{elapsed:.1f} x the time, {processor:.1f} x the processor time")


if __name__ == "__main__":
    main()
