"""Figures that several lessons share. matplotlib is imported when a figure is drawn, not with this module."""

from IPython.display import Markdown, display
from langchain_core.runnables.graph import NodeStyles

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
                markersize=size + 4,  # inside the gap that _place leaves
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
    """Write each label beside its point, as near as it covers no other label or point; a line leads to one further off.

    Labels that are not grey are placed first and so stand nearest to their points.
    """
    width = axes.get_xlim()[1]
    gap, taken = width / 60, [(x - width / 90, x + width / 90, y) for x, y, *_ in labels]  # start, end, height
    for x, y, text, colour in sorted(labels, key=lambda label: (label[3] == "#555555", -label[1])):
        span = len(text) * width / 95
        places = [(x + side, y + step) for step in _STEPS for side in (gap, -gap - span)]
        start, at = next(
            (start, at)
            for start, at in places
            if start > 0
            and not any(abs(at - h) < 4.2 and start < end and left < start + span for left, end, h in taken)
        )
        taken.append((start, start + span, at))
        line = {"arrowstyle": "-", "color": colour, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 3}
        edge, side = (start, "left") if start > x else (x - gap, "right")
        if abs(at - y) > 1:
            axes.annotate("", (x, y), xytext=(edge, at), arrowprops=line)
        axes.text(edge, at, text, color=colour, fontsize=9, va="center", ha=side)


_STEPS = [0, *(sign * step for step in range(2, 200, 2) for sign in (1, -1))]
"""How far above or below its point a label may stand, the nearest first; the last one is always free."""


def mermaid(graph):
    """Show a compiled LangGraph graph, or mermaid text, as a diagram that JupyterLab draws without a network.

    The colours are those of JupyterLab's theme: on LangGraph's own light ones a dark theme writes light text.
    """
    plain = NodeStyles(default="line-height:1.2", last="line-height:1.2")
    text = graph if isinstance(graph, str) else graph.get_graph().draw_mermaid(node_colors=plain)
    display(Markdown(f"```mermaid\n{text.strip()}\n```"))
