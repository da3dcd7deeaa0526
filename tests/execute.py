"""Execute notebooks in place: `python tests/execute.py [NOTEBOOK…]` (all of them without an argument).

Each runs from top to bottom in a fresh kernel whose folder is notebooks/. The outputs are stored, everything that would
differ from machine to machine is removed, and the tables of cells tagged `scoreboard` are kept in data/scores.json.
"""

import asyncio
import json
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
SCORES = ROOT / "data" / "scores.json"
WIDGET = "application/vnd.jupyter.widget-view+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def clean(notebook, number):
    """Keep what the author wrote and what the code printed: no timings, no versions, no random cell ids."""
    notebook.metadata = nbformat.from_dict(METADATA)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for position, cell in enumerate(notebook.cells):
        tags = cell.metadata.get("tags", [])
        cell.id = f"{number}-{position:03}"
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if cell.cell_type == "code":  # a stored widget is dead: what it shows lived in its kernel
            cell.outputs = [output for output in cell.outputs if WIDGET not in output.get("data", {})]
        if "solution" in tags:
            cell.metadata["jupyter"] = {"source_hidden": True}


def stream_text(cell):
    return "".join(output.text for output in cell.get("outputs", []) if output.output_type == "stream")


def record_scores(notebook, number):
    """Keep the rows that this lesson's `scoreboard` cells printed; later lessons draw them in grey."""
    cells = [cell for cell in notebook.cells if "scoreboard" in cell.metadata.get("tags", [])]
    if not cells:
        return
    from course_lib.scoreboard import parse_table

    scores = json.loads(SCORES.read_text(encoding="utf-8")) if SCORES.exists() else {}
    scores[number] = [row for cell in cells for row in parse_table(stream_text(cell))]
    text = json.dumps(scores, indent=1, sort_keys=True, ensure_ascii=False)
    SCORES.write_text(text + "\n", encoding="utf-8", newline="\n")


def execute(path):
    """Run one notebook; an error in a cell is raised, and the file is then left as it was."""
    number = path.name[:2]
    notebook = nbformat.read(path, as_version=4)
    clean(notebook, number)
    client = NotebookClient(notebook, kernel_name="python3", timeout=120, record_timing=False, coalesce_streams=True,
                            resources={"metadata": {"path": str(ROOT / "notebooks")}})
    client.execute()
    clean(notebook, number)
    nbformat.validate(notebook)
    path.write_text(nbformat.writes(notebook, indent=1) + "\n", encoding="utf-8", newline="\n")
    record_scores(notebook, number)


def main(arguments):
    if sys.platform == "win32":
        asyncio.set_event_loop_policy(asyncio.WindowsSelectorEventLoopPolicy())  # pyzmq needs it
    for path in [Path(a) for a in arguments] or sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb")):
        print(path.name, flush=True)
        execute(path.resolve())


if __name__ == "__main__":
    main(sys.argv[1:])
