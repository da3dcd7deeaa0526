"""Two languages in one notebook: the picker, and Markdown from Python that the picker serves too.

Prose cells hold both languages, each in its own `<div lang="…">`. The picker is plain HTML and CSS: radio buttons, and
rules that ask with `:has()` which one is checked. Where such rules do not work (GitHub, VS Code, a notebook that is not
trusted yet), both languages are shown.
"""

from IPython.display import Markdown, display

CHOICES = {"en": "English", "hi": "Hinglish", "both": "both · dono"}

# - Each rule starts at .jp-Notebook, so that another open notebook keeps its own choice, and JupyterLab's own
#   <html lang="en"> stays visible.
# - A language is hidden only where no picker of the notebook asks for something else: two pickers that disagree show
#   both languages, never none.
# - visibility and height instead of display: MathJax measures wrongly what is not displayed.
STYLE = """
.jp-Notebook:has(.lm-picker [value="en"]:checked):not(:has(.lm-picker :not([value="en"]):checked)) [lang="hi-Latn"],
.jp-Notebook:has(.lm-picker [value="hi"]:checked):not(:has(.lm-picker :not([value="hi"]):checked)) [lang="en"] {
  visibility: hidden; height: 0; overflow: hidden;
}
.jp-Notebook .lm-run-first { display: none; }
.lm-picker { display: flex; flex-wrap: wrap; gap: 0.2em 1.2em; padding: 0.3em 0.2em; }
.jp-Notebook .lm-picker { color: var(--jp-content-font-color1); }
.lm-picker label { cursor: pointer; padding: 0.1em 0.5em 0.1em 0.2em; border-radius: 3px; }
.lm-picker label:focus-within { outline: 2px solid var(--jp-brand-color1, #1976d2); }
.lm-picker input { accent-color: var(--jp-brand-color1, #1976d2); }
""".strip()

# What CSS cannot do. A choice sets the other pickers of the notebook as well. After a click, Enter or Escape the cell
# gets the focus back: on the buttons JupyterLab hears no shortcuts (see _button), and Shift+Enter would do nothing.
FOLLOW = (
    "this.closest('.jp-Notebook')?.querySelectorAll('.lm-picker [value=' + event.target.value + ']')"
    ".forEach(button => { button.checked = true; })"
)
LEAVE = "setTimeout(() => this.closest('.jp-Cell')?.focus())"
EVENTS = f"""onchange="{FOLLOW}" onclick="if (event.detail) {LEAVE}"
 onkeydown="if (['Enter', 'Escape'].includes(event.key)) {LEAVE}\""""


def language(choice="both"):
    """Display the picker, set to `choice`: "en", "hi" (Hinglish) or "both".

    A click holds until the page is reloaded; after that the argument decides again.
    Raises ValueError, naming what is allowed, for anything else.
    """
    if choice not in list(CHOICES):  # a list: what cannot be hashed gets the same sentence
        raise ValueError(
            f'language({choice!r}) does not exist. Write language("en"), language("hi") or language("both").'
        )
    buttons = "\n".join(_button(value, label, value == choice) for value, label in CHOICES.items())
    html = (
        # method="dialog": pressing Enter would otherwise send the form, and that reloads the page.
        f'<form class="lm-picker" method="dialog" aria-label="Language" {EVENTS}>\n'
        f"<span>Language · Bhasha:</span>\n{buttons}\n</form>\n"
        '<small class="lm-run-first">These buttons work in JupyterLab, once this cell has been run. · '
        "Yeh buttons JupyterLab mein chalte hain, is cell ko run karne ke baad.</small>\n"
        f"<style>\n{STYLE}\n</style>"
    )
    display({"text/html": html, "text/plain": f"Language · Bhasha: {CHOICES[choice]}"}, raw=True)


def _button(value, label, checked):
    # data-lm-suppress-shortcuts: otherwise JupyterLab takes the arrow keys and moves to another cell.
    return (
        f'<label><input type="radio" name="lm-language" value="{value}"{" checked" if checked else ""}'
        f' data-lm-suppress-shortcuts="true"> {label}</label>'
    )


def bilingual(en, hi):
    """Markdown with one text in both languages, in the two divs that the picker switches."""
    return Markdown(f'<div lang="en">\n\n{en.strip()}\n\n</div>\n\n<div lang="hi-Latn">\n\n{hi.strip()}\n\n</div>')
