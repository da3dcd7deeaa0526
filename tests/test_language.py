"""The language picker as text: what a browser does with it is in test_browser.py."""

import re
from html.parser import HTMLParser

import pytest
from IPython.display import Markdown

from course_lib import language as module
from course_lib.language import bilingual, language


@pytest.fixture
def shown(monkeypatch):
    """Call language(…) and get what it displays: {MIME type: text}."""

    def call(*arguments):
        displayed = []
        monkeypatch.setattr(module, "display", lambda data, raw: displayed.append(data))
        assert language(*arguments) is None
        return displayed[0]

    return call


class Elements(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))

    def all(self, tag):
        return [attributes for name, attributes in self.found if name == tag]


@pytest.mark.parametrize("choice", ["en", "hi", "both"])
def test_the_argument_is_checked_at_the_start(shown, choice):
    data = shown(choice)
    inputs = Elements(data["text/html"]).all("input")
    assert [item["value"] for item in inputs] == ["en", "hi", "both"]
    assert [item["value"] for item in inputs if "checked" in item] == [choice]
    assert module.CHOICES[choice] in data["text/plain"]


def test_both_is_the_default(shown):
    assert shown() == shown("both")


@pytest.mark.parametrize("choice", ["english", "EN", "", None, 1, "hi-Latn"])
def test_wrong_argument_names_what_is_allowed(choice):
    with pytest.raises(ValueError, match=r'language\("en"\), language\("hi"\) or language\("both"\)'):
        language(choice)


def test_an_argument_that_cannot_be_hashed_gets_the_sentence_too():
    with pytest.raises(ValueError, match="does not exist"):
        language(["en"])


def test_same_output_each_time(shown):
    assert shown("hi") == shown("hi")


def test_inputs_keep_their_keys_and_the_form_sends_nothing(shown):
    elements = Elements(shown()["text/html"])
    assert all(item["data-lm-suppress-shortcuts"] == "true" for item in elements.all("input"))
    assert [item["method"] for item in elements.all("form")] == ["dialog"]


def test_each_hiding_rule_stays_in_its_notebook_and_hides_without_display_none():
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", module.STYLE)
    hiding = [(selectors, body) for selectors, body in rules if "[lang=" in selectors]
    assert len(hiding) == 1
    selectors, body = hiding[0]
    for selector in re.split(r",\n", selectors.strip()):
        assert selector.startswith(".jp-Notebook:has(")
        assert re.search(r' \[lang="(en|hi-Latn)"\]$', selector)
    assert "visibility: hidden" in body
    assert "display" not in body


def test_nothing_comes_from_the_network(shown):
    assert not re.search(r"https?:|//\w|\bsrc=|\bhref=|@import|url\(", shown()["text/html"])


def test_bilingual_has_two_divs_with_blank_lines():
    text = bilingual("\nHello *you*.\n", "Namaste.")
    assert isinstance(text, Markdown)
    assert text.data == ('<div lang="en">\n\nHello *you*.\n\n</div>\n\n<div lang="hi-Latn">\n\nNamaste.\n\n</div>')
