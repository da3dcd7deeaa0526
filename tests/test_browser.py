"""A learner's first minutes in the real JupyterLab: `course.py lab`, lesson 01 from top to bottom, the language picker.

JupyterLab is started on a copy of the notebooks, in a folder whose name has a space and letters that are not ASCII, and
keeps its settings there too: nothing in the repository changes. A browser is needed; see `browser_or_skip`.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
LESSON, OTHER = "01_stateless_demo.ipynb", "00_start_here.ipynb"
SECONDS = 480  # for everything in this file; then the server is ended, and what still waits for it fails
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="The browser tests run on Linux and macOS.")


def browser_or_skip():
    """The path of a Chromium. Without one the tests are skipped, but where CI is set they fail."""
    missing = pytest.fail if os.environ.get("CI") else pytest.skip
    if Path(sys.prefix) != ROOT / ".venv":
        missing("The browser tests start course.py, so they run in its environment: python3 course.py test")
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        missing("The browser tests need the package playwright.")
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    return path or missing("The browser tests need Chromium (on Debian: sudo apt install chromium).")


def copy_of_the_course(folder):
    """The two notebooks; the outputs of the lesson are taken out, so that each one seen was made here."""
    notebooks = folder / "notebooks"
    notebooks.mkdir()
    shutil.copy(ROOT / "notebooks" / OTHER, notebooks)
    lesson = nbformat.read(ROOT / "notebooks" / LESSON, as_version=4)
    for cell in lesson.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbformat.write(lesson, notebooks / LESSON)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Lab:
    """JupyterLab through course.py, and one page of a browser on it."""

    def __init__(self, browser, folder):
        self.browser, self.folder, self.said = browser, folder, []
        self.base = ""

    def start(self):
        places = [f"--ServerApp.root_dir={self.folder}"]
        places += [f"--LabApp.{name}_dir={self.folder / name}" for name in ("workspaces", "user_settings")]
        command = [sys.executable, "course.py", "lab", "--no-browser", "--port", str(free_port()), "--", *places]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        self.limit = threading.Timer(SECONDS, self.kill)
        self.limit.start()
        for line in self.process.stdout:
            self.said.append(line)
            found = re.search(r"(http://[\w.]+:\d+)/\S*(\?token=\w+)", line)
            if found:
                self.base, self.token = found.groups()
                break
        assert self.base, "course.py lab printed no address:\n" + "".join(self.said)
        threading.Thread(target=self.said.extend, args=(self.process.stdout,), daemon=True).start()

    def open(self, name):
        self.page = self.browser.new_page(viewport={"width": 1600, "height": 900})
        self.page.set_default_timeout(90_000)  # a loaded machine is slow; nothing waits longer than it must
        self.page.on("dialog", lambda dialog: dialog.accept())  # "changes may be lost" at a reload
        self.page.goto(f"{self.base}/lab/tree/notebooks/{name}{self.token}")
        self.kernel_is_ready()

    def kernel_is_ready(self):
        """Before that, JupyterLab answers a run with a dialog about kernels."""
        self.page.locator("#jp-main-statusbar", has_text="| Idle").wait_for()

    def panel(self, name):
        """The panel of an open notebook, found by the tab that carries its name."""
        tab = self.page.locator("#jp-main-dock-panel .lm-TabBar-tab", has_text=name)
        return self.page.locator(f"#{tab.first.get_attribute('data-id')}")

    def run_all(self):
        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name="Run All Cells", exact=True).click()

    def run_picker(self, name):
        """Run the cell with the picker alone."""
        cell = self.panel(name).locator(".jp-CodeCell").first
        cell.evaluate("cell => cell.querySelectorAll('.lm-picker').forEach(old => { old.className = 'old'; })")
        cell.locator(".jp-InputPrompt").click()
        self.page.keyboard.press("Control+Enter")
        cell.locator(".lm-picker input:enabled").first.wait_for()

    def choose(self, name, label):
        self.panel(name).locator(".lm-picker label", has_text=label).first.click()

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def stop(self):
        """Ctrl-C. Returns the exit code; whatever is left after that is killed."""
        try:
            self.process.send_signal(signal.SIGINT)
            return self.process.wait(60)
        finally:
            self.limit.cancel()
            self.kill()


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    path = browser_or_skip()
    from playwright.sync_api import sync_playwright

    before = repository()
    folder = tmp_path_factory.mktemp("my कोर्स folder")
    copy_of_the_course(folder)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        lab = Lab(browser, folder)
        try:
            lab.start()
            lab.open(LESSON)
            yield lab
        finally:
            browser.close()
            code = lab.stop()
    assert code == 0, "".join(lab.said)
    assert repository() == before


def repository():
    """What a visit could change: the notebooks, and the list of solved exercises."""
    files = [*(ROOT / "notebooks").iterdir(), ROOT / ".progress.json"]
    return {file.name: file.read_bytes() for file in files if file.is_file()}


def shown(panel):
    """Which languages are seen in the prose of a notebook: {"en": …, "hi": …}, each "all", "none" or "some"."""
    script = """panel => ['en', 'hi-Latn'].map(lang => [...panel.querySelectorAll(`.jp-MarkdownCell [lang="${lang}"]`)]
        .filter(div => !div.closest('details:not([open])'))
        .map(div => getComputedStyle(div).visibility === 'visible' && div.getBoundingClientRect().height > 0))"""
    counts = panel.evaluate(script)
    return {
        lang: "all" if seen and all(seen) else "some" if any(seen) else "none"
        for lang, seen in zip(("en", "hi"), counts, strict=True)
    }


ENGLISH, HINGLISH, BOTH = {"en": "all", "hi": "none"}, {"en": "none", "hi": "all"}, {"en": "all", "hi": "all"}


# The tests follow each other on one page, like a learner.


def test_lesson_runs_from_top_to_bottom(lab):
    panel = lab.panel(LESSON)
    cells = nbformat.read(ROOT / "notebooks" / LESSON, as_version=4).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    open_cells = sum("solution" not in cell.metadata.get("tags", []) for cell in code)  # a folded cell has no number
    lab.run_all()
    lab.page.wait_for_function(
        """([panel, cells]) => [...document.querySelectorAll(`#${panel} .jp-CodeCell .jp-InputPrompt`)]
            .filter(prompt => /\\[\\d+\\]/.test(prompt.textContent)).length === cells""",
        arg=[panel.get_attribute("id"), open_cells],
        timeout=180_000,
    )
    panel.locator(".jp-OutputArea [lang=en]", has_text="Solved.").nth(len(code) - open_cells - 1).wait_for()
    assert panel.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
    assert panel.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0


def test_no_question_about_news(lab):
    assert lab.page.locator(".Toastify__toast, .jp-toast-button, .jp-Dialog").count() == 0


@pytest.mark.parametrize("what", [".jp-RenderedImage img", ".jp-RenderedMermaid img"], ids=["figure", "diagram"])
def test_pictures_are_drawn(lab, what):
    picture = lab.panel(LESSON).locator(what).first
    picture.scroll_into_view_if_needed()
    width, height = picture.evaluate(
        "async img => { await img.decode(); return [img.naturalWidth, img.naturalHeight]; }"
    )
    assert width > 100
    assert height > 50
    assert picture.is_visible()


def test_picker_switches(lab):
    panel = lab.panel(LESSON)
    assert shown(panel) == BOTH
    for label, expected in (("English", ENGLISH), ("Hinglish", HINGLISH), ("both", BOTH)):
        lab.choose(LESSON, label)
        assert shown(panel) == expected


def test_picker_serves_what_python_prints(lab):
    verdict = lab.panel(LESSON).locator(".jp-OutputArea [lang]", has_text="Not started yet.").first
    assert verdict.is_visible()
    lab.choose(LESSON, "Hinglish")
    assert not verdict.is_visible()
    lab.choose(LESSON, "both")


def arrow_down(page, cell):
    """Press the key in cell number `cell`, once that is active and has the focus, and see the next one become active.

    JupyterLab marks the active cell at the next frame, and the picker gives the focus back in a timer: wait for both.
    """
    cells = "[...document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell')]"
    active = f"number => {cells}.findIndex(cell => cell.classList.contains('jp-mod-active')) === number"
    page.wait_for_function(f"number => ({active})(number) && {cells}[number] === document.activeElement", arg=cell)
    page.keyboard.press("ArrowDown")
    page.wait_for_function(active, arg=cell + 1)


def test_after_a_click_the_keys_belong_to_jupyterlab_again(lab):
    lab.choose(LESSON, "both")
    arrow_down(lab.page, 1)


def test_picker_by_keyboard(lab):
    panel, page = lab.panel(LESSON), lab.page
    lab.run_picker(LESSON)
    page.evaluate("window.sameLoad = true")
    for _ in range(5):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.lm-picker input')"):
            break
    assert page.evaluate("document.activeElement.value") == "both"
    assert page.evaluate("getComputedStyle(document.activeElement.closest('label')).outlineStyle") == "solid"
    for key, expected in (("ArrowLeft", HINGLISH), ("ArrowUp", ENGLISH), ("ArrowRight", HINGLISH), ("ArrowDown", BOTH)):
        page.keyboard.press(key)
        assert shown(panel) == expected
    page.keyboard.press("Enter")  # must not send the form, and leaves the buttons
    assert page.evaluate("window.sameLoad") is True
    arrow_down(page, 1)


def test_side_by_side_each_keeps_its_choice(lab):
    page = lab.page
    page.locator(".jp-DirListing-item", has_text=OTHER).dblclick()
    tab = page.locator("#jp-main-dock-panel .lm-TabBar-tab", has_text=OTHER)
    tab.wait_for()
    lab.panel(OTHER).locator(".jp-MarkdownCell [lang]").first.wait_for()
    assert shown(lab.panel(OTHER)) == BOTH
    area = page.locator("#jp-main-dock-panel").bounding_box()
    tab.hover()
    page.mouse.down()
    for part in (0.5, 0.98):  # to the right edge: the panel is split there
        page.mouse.move(area["x"] + area["width"] * part, area["y"] + area["height"] / 2, steps=8)
    page.mouse.up()
    lab.run_picker(OTHER)
    lab.choose(LESSON, "English")
    lab.choose(OTHER, "Hinglish")
    assert shown(lab.panel(LESSON)) == ENGLISH
    assert shown(lab.panel(OTHER)) == HINGLISH
    assert lab.panel(LESSON).is_visible()
    assert lab.panel(OTHER).is_visible()
    lab.choose(OTHER, "both")
    assert shown(lab.panel(LESSON)) == ENGLISH


def test_after_a_reload_the_argument_decides(lab):
    lab.page.reload()
    lab.kernel_is_ready()
    lab.panel(LESSON).locator(".jp-MarkdownCell [lang]").first.wait_for()
    lab.run_picker(LESSON)
    assert shown(lab.panel(LESSON)) == BOTH
