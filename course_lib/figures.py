"""Figures that several lessons share. matplotlib is imported when a figure is drawn, not with this module."""

from IPython.display import Markdown, display

from course_lib import scoreboard

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
"""A palette that colour-blind readers can tell apart (M. Okabe and K. Ito, "Color Universal Design", 2008)."""


def recall_against_tokens(*scores, lesson=None):
    """Draw recall (percent of the told facts asked for) against tokens sent and received, a labelled point a strategy.

    Points of lessons before `lesson` are grey. A red ring marks a strategy that gave wrong answers, with their number.
    Shows the figure; prints nothing, so print the table beside it.
    """
    import matplotlib.pyplot as plt

    earlier = [row for rows in scoreboard.recorded(before=lesson).values() for row in rows] if lesson else []
    new = [score.row() for score in scores]
    figure, axes = plt.subplots(figsize=(8, 4.8), facecolor="white")
    points = [(row, "#9a9a9a", 6) for row in earlier] + [
        (row, COLOURS[i % len(COLOURS)], 10) for i, row in enumerate(new)
    ]
    labels = []
    for row, colour, size in points:
        x, y = (row["input"] + row["output"]) / 1000, recall(row)
        axes.plot(x, y, "o", color=colour, markersize=size, zorder=3)
        text = row["strategy"]
        if row["wrong"]:
            axes.plot(
                x,
                y,
                "o",
                markersize=size + 7,
                markerfacecolor="none",
                markeredgecolor="#c00000",
                markeredgewidth=1.6,
                zorder=2,
            )
            text += f" ({row['wrong']} wrong)"
        labels.append((x, y, text, "#555555" if colour == "#9a9a9a" else colour))
    axes.set(
        xlabel="tokens in and out over the whole transcript (thousands)", ylabel="facts recalled (%)", ylim=(-6, 106)
    )
    right = max((x for x, *_ in labels), default=1)
    axes.set_xlim(0, right * 1.35)
    _place(axes, labels)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    plt.show()


def recall(row):
    """Percent of the answerable probes that were answered rightly, from a table row."""
    pairs = [map(int, row[scope].split("/")) for scope in ("within", "across")]
    right, asked = map(sum, zip(*pairs))
    return 100 * right / asked


def _place(axes, labels):
    """Write each label to the right of its point, moved down in steps until it covers no label placed before."""
    taken = []
    width = axes.get_xlim()[1]
    for x, y, text, colour in sorted(labels, key=lambda label: -label[1]):
        at, span = y, len(text) * width / 95
        while any(abs(at - other) < 4.5 and x < end and start < x + span for start, end, other in taken):
            at -= 1
        taken.append((x, x + span, at))
        axes.annotate(text, (x, y), xytext=(x + width / 60, at), color=colour, fontsize=9, va="center")


def mermaid(graph):
    """Show a compiled LangGraph graph, or mermaid text, as a diagram that JupyterLab draws without a network."""
    text = graph if isinstance(graph, str) else graph.get_graph().draw_mermaid()
    display(Markdown(f"```mermaid\n{text.strip()}\n```"))
