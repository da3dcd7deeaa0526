"""A chat box for a notebook: the conversation, and beside it what the two memories hold."""

import html

from langchain_core.messages import HumanMessage

from course_lib import chatbot


class ChatBox:
    """One user in one thread of a graph made by `chatbot.build_graph`.

    At the end of a cell the box shows itself as HTML, with nothing to type into; `widget()` returns the same with an
    input line, alive as long as its kernel.
    """

    def __init__(self, graph, user_id, thread_id):
        self.graph, self.user_id, self.thread_id = graph, user_id, thread_id

    @property
    def config(self):
        return {"configurable": {"thread_id": self.thread_id}}

    def say(self, text):
        """Take one turn and return the reply."""
        said = {"messages": [HumanMessage(text)], "user_id": self.user_id}
        return self.graph.invoke(said, self.config)["messages"][-1].text

    def _memories(self):
        messages = self.graph.get_state(self.config).values.get("messages", [])
        return messages, chatbot.profile(self.graph.store, self.user_id)

    def __repr__(self):
        messages, facts = self._memories()
        return f"ChatBox: thread {self.thread_id}, {len(messages)} messages; user {self.user_id}, {len(facts)} facts"

    def _repr_html_(self):
        messages, facts = self._memories()
        talk = [_line("you" if message.type == "human" else "bot", message.text) for message in messages]
        page = [_line(fact, entry["value"], entry["said"]) for fact, entry in facts.items()]
        return (
            '<div style="display: flex; flex-wrap: wrap; gap: 0.5em 3em">'
            + _column(f"Checkpointer: thread {self.thread_id}, {len(messages)} messages", talk)
            + _column(f"Store: user {self.user_id}, {len(facts)} facts", page)
            + "</div>"
        )

    def widget(self):
        """The box with an input line: Enter or the button sends. Needs ipywidgets and a running kernel."""
        import ipywidgets

        line = ipywidgets.Text(placeholder="Write a message, then Enter", continuous_update=False)
        button = ipywidgets.Button(description="Send")
        shown = ipywidgets.HTML(self._repr_html_())

        def send(_):
            if line.value.strip():
                self.say(line.value)
                line.value = ""
                shown.value = self._repr_html_()

        line.observe(send, "value")  # with continuous_update=False: at Enter, or when the line loses the focus
        button.on_click(send)
        return ipywidgets.VBox([shown, ipywidgets.HBox([line, button])])


def _column(title, lines):
    body = "".join(lines) or "<p>-</p>"
    return f'<div style="flex: 1 1 18em"><p><b>{html.escape(title)}</b></p>{body}</div>'


def _line(label, text, note=""):
    note = f' <small>"{html.escape(note)}"</small>' if note else ""
    return f'<p style="margin: 0.2em 0"><code>{html.escape(label)}</code> {html.escape(text)}{note}</p>'
