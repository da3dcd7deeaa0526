"""The contract of a lesson: rules that every notebook keeps.

`python tests/contract.py [NOTEBOOK…]` prints what is broken. Each rule is a function that takes a `Lesson` and yields
complaints, one sentence each. test_notebooks.py runs all rules on all notebooks, and each rule on a broken example.
"""

import re
import statistics
import sys
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"

TAGS = {
    "exercise", "check", "solution", "scoreboard", "figure", "teacher", "rerun-changes", "nbval-ignore-output",
}  # fmt: skip
MARKUP = {"div", "details", "summary", "br", "kbd", "sub", "sup"}
NO_SCOREBOARD = {"00", "05", "08"}  # the start page, and the lessons on the checkpointer, which sends nothing

CODE_LINES, MEDIAN_CODE_LINES = 25, 8
WORDS, FOLDED_WORDS = 90, 280  # a cell and language; a two-minute answer that is folded may be longer
CELLS = (35, 60)

# Wrong spellings of HINGLISH that are no English words.
MISSPELT = set(
    "nahin nhi kyonki kyuki kyon kyo jaruri jyada hein mai pahle bhul pura puri chota choti chote jata jati jate ata "
    "ati batata batati batate krna krta krti krte kuchh acha achi thik dubara jawab sawal vapas sath kahaan chahie "
    "vala vali vale fir rha rhi rhe ye wo yad".split()
)
FORBIDDEN = {
    "simply": r"\bsimply\b",
    "dive in": r"\bdiv(e|ing) (in|into|deep)\b",
    "an exclamation mark": r"!",
    "an emoji": r"[\U0001F300-\U0001FAFF☀-➿⭐]",
}
FORBIDDEN_CODE = {
    "network access": r"\b(import|from) (requests|urllib|httpx|aiohttp|socket|http)\b|https?://",
    "a web service": r"draw_mermaid_png|draw_png",
    "a key": r"[A-Z]_API_KEY\b|\bapi_key\s*=|\bgetpass\b",
    "an installation": r"\bpip install\b|^\s*%(pip|conda)\b|^\s*!",
    "a deprecated function": r"\bcreate_react_agent\b|\bconfig_schema\b",
    "a semicolon at the end, which silences nothing under nbval": r";[ \t]*$",
}
PRIVATE_OUTPUT = {
    "a path": r"(?<![\w.])/(home|root|tmp|Users|usr|opt|var|work|private)/|\b[A-Z]:\\",
    "an address in memory": r"\b0x[0-9a-fA-F]{6,}",
    "a random id": r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\brun--",
    "a measured time": r"\b\d+\.\d+ ?(s|ms|µs|sec|seconds)\b|\d\d:\d\d:\d\d\.\d{3}",
    "a warning": r"\b\w*Warning\b:",
}


# --- reading a notebook


@dataclass
class Lesson:
    """A notebook with the name of its file, which says which lesson it is."""

    notebook: nbformat.NotebookNode
    name: str  # "02_buffer_memory.ipynb"
    folder: Path = NOTEBOOKS  # where its relative links start

    @property
    def number(self):
        return self.name[:2]

    @property
    def is_lesson(self):
        return self.number != "00"

    @property
    def cells(self):
        """(place for a complaint, cell) for all cells, counted from 1."""
        return [(f"cell {position}", cell) for position, cell in enumerate(self.notebook.cells, 1)]

    @property
    def prose(self):
        return [(place, cell.source) for place, cell in self.cells if cell.cell_type == "markdown"]

    @property
    def code(self):
        return [(place, cell) for place, cell in self.cells if cell.cell_type == "code"]

    def tagged(self, tag):
        return [cell for _, cell in self.cells if tag in tags(cell)]

    @property
    def headings(self):
        return [
            line.strip()
            for _, text in self.prose
            for line in without_fences(text).splitlines()
            if re.match(r"#{1,6} ", line)
        ]


def load(path):
    return Lesson(nbformat.read(path, as_version=4), Path(path).name)


def tags(cell):
    return cell.metadata.get("tags", [])


def without_fences(text):
    """Prose without fenced blocks; the lines stay, so that what stands around them does."""
    return re.sub(r"^(`{3,}|~{3,}).*?^\1[ \t]*$", "", text, flags=re.M | re.S)


def without_code(text):
    """Prose without fenced blocks; code spans and formulas become the one word `code`."""
    text = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "code", without_fences(text), flags=re.S)
    return re.sub(r"\$\$.+?\$\$|\$(?=\S)[^$\n]+?(?<=\S)\$", "code", text, flags=re.S)


def divs(text, lang):
    """The contents of the divs of one language ("en", "hi-Latn")."""
    return re.findall(rf'<div lang="{lang}">(.*?)</div>', without_fences(text), flags=re.S)


def outside(text):
    """What stands outside the divs and is not the same in both languages anyway: headings, tables, quotes, pictures."""
    rest = re.sub(r"<div\b.*?</div>", "", without_fences(text), flags=re.S)
    rest = re.sub(r"<summary>.*?</summary>|</?details>|<!--.*?-->", "", rest, flags=re.S)
    return [line.strip() for line in rest.splitlines() if line.strip() and not re.match(r"\s*(#|\||>|!\[|-{3,})", line)]


def folded(text):
    return re.findall(r"<details\b.*?>.*?</details>", text, flags=re.S)


def words(text):
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", without_code(text))
    text = re.sub(r"<[^>]+>|^\s*\|.*$", " ", text, flags=re.M)
    return re.findall(r"\w[\w'’-]*", text)


def output_texts(cell):
    """All texts among the outputs of a code cell, as (MIME type or name of the stream, text)."""
    for output in cell.outputs:
        if output.output_type == "stream":
            yield output.name, output.text
        elif "data" in output:
            yield from ((mime, str(data)) for mime, data in output.data.items() if not mime.startswith("image/"))


def has_output(cell, mime):
    return any(mime in output.get("data", {}) for output in cell.outputs)


# --- the rules: order and parts


def metadata_is_clean(lesson):
    if set(lesson.notebook.metadata) - {"kernelspec", "language_info"}:
        yield f"the notebook's metadata have more than kernel and language: {sorted(lesson.notebook.metadata)}"
    if lesson.notebook.metadata.get("kernelspec", {}).get("name") != "python3":
        yield "the kernel is not python3"
    if set(lesson.notebook.metadata.get("language_info", {})) - {"name"}:
        yield "the metadata name a version of Python"
    for place, cell in lesson.cells:
        if set(cell.metadata) - {"tags", "jupyter"}:
            yield f"{place}: its metadata have more than tags: {sorted(cell.metadata)}"


def tags_are_known(lesson):
    for place, cell in lesson.cells:
        for tag in set(tags(cell)) - TAGS:
            yield f"{place}: unknown tag {tag!r}"


def title_card_comes_first(lesson):
    text = lesson.notebook.cells[0].source
    if not re.match(rf"# {lesson.number} · \S", text):
        yield f"the first cell does not start with '# {lesson.number} · '"
    if sum(heading.startswith("# ") for heading in lesson.headings) != 1:
        yield "there is not exactly one title (a heading with one #)"
    for lang, minutes in (("en", r"\d+ minutes"), ("hi-Latn", r"\d+ minute\b")):
        card = "\n".join(divs(text, lang))
        goals = len(re.findall(r"^\s*(\d+\.|[-*]) ", card, flags=re.M))
        if not 3 <= goals <= 5:
            yield f"the card ({lang}) lists {goals} goals, not 3 to 5"
        if not re.search(minutes, card):
            yield f"the card ({lang}) does not say how many minutes"
        if ".ipynb)" not in card:
            yield f"the card ({lang}) has no link to another lesson"
    if "Needs" not in text:
        yield "the card does not say what the lesson needs"


def picker_comes_second(lesson):
    cell = lesson.notebook.cells[1]
    if cell.cell_type != "code" or "language(" not in cell.source:
        yield 'the second cell does not call language("both")'
    elif not any(mime == "text/html" and "lm-picker" in text for mime, text in output_texts(cell)):
        yield "the second cell has no picker among its stored outputs"


def parts_are_there(lesson):
    if not lesson.is_lesson:
        return
    for part in ("Where people get stuck", "Exercises", "Interview corner", "Recap"):
        if not any(part in heading for heading in lesson.headings):
            yield f"there is no heading with {part!r}"
    if lesson.number not in NO_SCOREBOARD and not lesson.tagged("scoreboard"):
        yield "no cell is tagged scoreboard"
    if not any("> **Say:**" in text for _, text in lesson.prose):
        yield "there is no definition to say aloud (> **Say:**)"
    for cell in lesson.tagged("scoreboard"):
        if not any(name == "stdout" for name, _ in output_texts(cell)):
            yield "a cell tagged scoreboard prints no table"


def teacher_cell_is_last_and_folded(lesson):
    if not lesson.is_lesson:
        return
    cells = lesson.tagged("teacher")
    if len(cells) != 1 or cells[0].cell_type != "markdown":
        yield "there is not exactly one Markdown cell tagged teacher"
    elif "<details>" not in cells[0].source.lstrip()[:200]:
        yield "the cell for teachers is not folded (<details>)"
    elif lesson.notebook.cells[-1] is not cells[0]:
        yield "the cell for teachers is not the last one"


def figure_and_diagram_are_there(lesson):
    if not lesson.is_lesson:
        return
    if not any(has_output(cell, "image/png") for cell in lesson.tagged("figure")):
        yield "no cell tagged figure has a picture among its stored outputs"
    outputs = [text for _, cell in lesson.code for mime, text in output_texts(cell) if mime == "text/markdown"]
    if not any("```mermaid" in text for text in outputs + [text for _, text in lesson.prose]):
        yield "there is no mermaid diagram"


def figures_print_their_numbers(lesson):
    """nbval does not compare pictures: the numbers stand in the text of the same code cell or of the one before."""
    before = False
    for place, cell in lesson.code:
        printed = any(mime in ("stdout", "text/plain") and "<Figure" not in text for mime, text in output_texts(cell))
        if has_output(cell, "image/png") and not (printed or before):
            yield f"{place}: a figure, and neither this nor the last code cell prints the numbers"
        if has_output(cell, "image/png") and "plt." in cell.source and "plt.show()" not in cell.source:
            yield f"{place}: a figure without plt.show()"
        if has_output(cell, "image/svg+xml"):
            yield f"{place}: a figure as SVG; use PNG"
        before = printed


def exercises_are_three(lesson):
    if not lesson.is_lesson:
        return
    cells = lesson.notebook.cells
    stubs = [position for position, cell in enumerate(cells) if "exercise" in tags(cell)]
    if len(stubs) != 3:
        yield f"there are {len(stubs)} cells tagged exercise, not 3"
    for tag in ("check", "solution"):
        if len(lesson.tagged(tag)) != len(stubs):
            yield f"there are {len(lesson.tagged(tag))} cells tagged {tag} for {len(stubs)} exercises"
    for name, position in zip(("warm_up", "core", "stretch"), stubs, strict=False):
        exercise = f"{lesson.number}.{name}"
        stub, check, solution = (*cells[position : position + 3], {}, {})[:3]
        if not check or "check" not in tags(check) or not solution or "solution" not in tags(solution):
            yield f"{exercise}: the cell tagged exercise is not followed by check and solution"
            continue
        if "..." not in stub.source:
            yield f"{exercise}: the stub has no `...`"
        if f'checks.run("{exercise}"' not in check.source or "record=False" in check.source:
            yield f'{exercise}: the check does not call checks.run("{exercise}", …)'
        if f'checks.run("{exercise}"' not in solution.source or "record=False" not in solution.source:
            yield f'{exercise}: the solution does not call checks.run("{exercise}", …, record=False)'
        if "solution_" not in solution.source:
            yield f"{exercise}: the solution does not define a name of its own, solution_…"
        if not solution.metadata.get("jupyter", {}).get("source_hidden"):
            yield f"{exercise}: the solution is not folded"
        if not any("**Not started yet.**" in text for _, text in output_texts(check)):
            yield f"{exercise}: the stored output of the check is not 'not started'"
        if not any("**Solved.**" in text for _, text in output_texts(solution)):
            yield f"{exercise}: the stored output of the solution is not 'solved'"


# --- the rules: two languages


def both_languages_are_there(lesson):
    for place, text in lesson.prose:
        order = re.findall(r'<div lang="([^"]*)">', without_fences(text))
        if order != ["en", "hi-Latn"] * (len(order) // 2):
            yield f"{place}: the divs are {order}, not en, hi-Latn, …"
        for line in outside(text):
            yield f"{place}: text outside the language divs: {line[:50]!r}"


def divs_have_blank_lines(lesson):
    """Without them the Markdown inside stays raw text."""
    for place, text in lesson.prose:
        lines = ["", *without_fences(text).splitlines(), ""]
        for position, line in enumerate(lines):
            opens, closes = re.search(r"<div\b|</summary>", line), re.search(r"</div>|</details>", line)
            if opens and lines[position + 1].strip():
                yield f"{place}: no blank line after {line.strip()[:40]!r}"
            if closes and lines[position - 1].strip():
                yield f"{place}: no blank line before {line.strip()[:40]!r}"
            if re.search(r"</?div\b", line) and not re.fullmatch(r'<div lang="(en|hi-Latn)">|</div>', line):
                yield f"{place}: {line.strip()[:40]!r} is not a line of its own: <div lang=…> or </div>"


def headings_are_bilingual_and_outside(lesson):
    for place, text in lesson.prose:
        for lang in ("en", "hi-Latn"):
            for part in divs(text, lang):
                for heading in re.findall(r"^\s*#{1,6} .*", part, flags=re.M):
                    yield f"{place}: a heading inside a div: {heading.strip()[:50]!r}"
    for heading in lesson.headings:
        if " · " not in heading and heading.lstrip("# ") not in ("Interview corner", "Recap"):
            yield f"a heading in one language only (English · Hinglish): {heading!r}"


class _Markup(HTMLParser):
    """Collects complaints about tags: unknown, not balanced, attributes other than lang."""

    def __init__(self):
        super().__init__()
        self.open, self.found = [], []

    def handle_starttag(self, tag, attributes):
        if tag not in MARKUP:
            self.found.append(f"the tag <{tag}> is not used here")
        if any(name != "lang" for name, _ in attributes):
            self.found.append(f"an attribute in {self.get_starttag_text()}")
        if tag == "div" and "div" in self.open:
            self.found.append("a div inside a div")
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.found.append(f"</{tag}> closes something else")


def markup_is_balanced(lesson):
    for place, text in lesson.prose:
        parser = _Markup()
        parser.feed(without_code(text))
        parser.close()
        yield from (f"{place}: {complaint}" for complaint in parser.found)
        if parser.open:
            yield f"{place}: <{parser.open[-1]}> is not closed"


def hinglish(text):
    """All Hinglish of a text: the divs, and the second half of each heading."""
    halves = re.findall(r"^#{1,6} .* · (.*)$", without_fences(text), flags=re.M)
    return "\n".join(re.sub(r"\]\([^)]*\)", "]", without_code(part)) for part in divs(text, "hi-Latn") + halves)


def hinglish_is_ascii(lesson):
    for place, text in lesson.prose:
        letters = sorted({letter for letter in hinglish(text) if letter.isalpha() and not letter.isascii()})
        if letters:
            yield f"{place}: letters that are not ASCII in Hinglish: {' '.join(letters)}"


def hinglish_has_one_spelling(lesson):
    for place, text in lesson.prose:
        for word in sorted({word.lower() for word in re.findall(r"[A-Za-z]+", hinglish(text))} & MISSPELT):
            yield f"{place}: {word!r} has another spelling in this course"


# --- the rules: prose


def voice_is_kept(lesson):
    for place, text in lesson.prose:
        plain = re.sub(r"!\[|<!--.*?-->", "", without_code(text), flags=re.S)
        for what, pattern in FORBIDDEN.items():
            if re.search(pattern, plain, flags=re.I):
                yield f"{place}: {what} in the prose"


def links_resolve(lesson):
    anchors = {heading.lstrip("#").strip().replace(" ", "-") for heading in lesson.headings}
    for place, text in lesson.prose:
        for target in sorted(set(re.findall(r"\]\(([^)\s]+)[^)]*\)", without_code(text)))):
            if re.match(r"https?://", target):
                if re.match(r"https?://(localhost|127\.|10\.|192\.168\.)", target):
                    yield f"{place}: a link to one machine: {target}"
            elif target.startswith("#"):
                if target[1:] not in anchors:
                    yield f"{place}: no heading for {target}"
            elif target.startswith("/") or not (lesson.folder / target.split("#")[0]).exists():
                yield f"{place}: the link {target} leads nowhere"


def prose_is_short(lesson):
    for place, text in lesson.prose[1:]:  # the card is a list
        for lang in ("en", "hi-Latn"):
            parts = "\n".join(divs(text, lang))
            for part in folded(parts):
                parts = parts.replace(part, "")
                if len(words(part)) > FOLDED_WORDS:
                    yield f"{place}: {len(words(part))} folded words ({lang}), more than {FOLDED_WORDS}"
            if len(words(parts)) > WORDS:
                yield f"{place}: {len(words(parts))} words ({lang}), more than {WORDS}"


def cells_are_small_and_not_too_many(lesson):
    lengths = []
    for place, cell in lesson.code:
        lengths.append(sum(bool(line.strip()) for line in cell.source.splitlines()))
        if lengths[-1] > CODE_LINES:
            yield f"{place}: {lengths[-1]} lines of code, more than {CODE_LINES}"
    if lesson.is_lesson:
        if lengths and statistics.median(lengths) > MEDIAN_CODE_LINES:
            yield f"the median code cell has {statistics.median(lengths):g} lines, more than {MEDIAN_CODE_LINES}"
        if not CELLS[0] <= len(lesson.cells) <= CELLS[1]:
            yield f"there are {len(lesson.cells)} cells, not {CELLS[0]} to {CELLS[1]}"


# --- the rules: code and stored outputs


def code_stays_offline_and_current(lesson):
    for place, cell in lesson.code:
        for what, pattern in FORBIDDEN_CODE.items():
            if re.search(pattern, cell.source, flags=re.M):
                yield f"{place}: {what}"


def outputs_are_stored(lesson):
    counts = [cell.execution_count for _, cell in lesson.code]
    if counts != list(range(1, len(counts) + 1)):
        yield f"the execution counts are not 1, 2, 3, …: {counts}"
    for place, cell in lesson.code:
        for output in cell.outputs:
            if output.output_type == "error":
                yield f"{place}: a stored error: {output.ename}"
            if output.get("name") == "stderr":
                yield f"{place}: output on stderr: {output.text.strip()[:60]!r}"


def outputs_are_the_same_everywhere(lesson):
    for place, cell in lesson.code:
        if "nbval-ignore-output" in tags(cell):
            continue
        for _, text in output_texts(cell):
            for what, pattern in PRIVATE_OUTPUT.items():
                found = re.search(pattern, text)
                if found:
                    yield f"{place}: {what} in the output: {found.group()!r}"


RULES = (
    metadata_is_clean,
    tags_are_known,
    title_card_comes_first,
    picker_comes_second,
    parts_are_there,
    teacher_cell_is_last_and_folded,
    figure_and_diagram_are_there,
    figures_print_their_numbers,
    exercises_are_three,
    both_languages_are_there,
    divs_have_blank_lines,
    headings_are_bilingual_and_outside,
    markup_is_balanced,
    hinglish_is_ascii,
    hinglish_has_one_spelling,
    voice_is_kept,
    links_resolve,
    prose_is_short,
    cells_are_small_and_not_too_many,
    code_stays_offline_and_current,
    outputs_are_stored,
    outputs_are_the_same_everywhere,
)


def main(arguments):
    found = 0
    for path in [Path(argument) for argument in arguments] or sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb")):
        for rule in RULES:
            for complaint in rule(load(path)):
                found += 1
                print(f"{path.name}: {complaint}  [{rule.__name__}]")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
