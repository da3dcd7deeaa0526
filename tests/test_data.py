"""The data files hold what they promise, and the checks that say so notice when they do not.

data/support_customer.json, the transcript that every memory strategy is measured on:

    name, source, user_id   strings
    title                   {"en": ..., "hi": ...}
    sessions                a list; each has an id, a thread_id, a date (YYYY-MM-DD) and turns
      turn                  {"messages": [...]}: a human message, tool calls with their results if any, an answer
      message               {"role": "human" | "ai" | "tool", "content": text}
                            ai, when it calls tools: "tool_calls": [{"name", "args", "id"}]
                            tool: "tool_call_id" and "name" of the call it answers; content is a JSON object as text
    facts                   a list; each has an id, a kind and "said", the places where its newest value stands:
                            {"session", "turn", "value", "text"}; text is the clause as it stands in that message
    probes                  a list; each has an id, a fact (an id, or null: never told), a scope, a session, after_turn,
                            a question {"en", "hi"}, the expected answer (null for "I don't know") and "stale",
                            the answers that are known to be wrong (an earlier value, or another fact)

Turns count from 1 in each session. A probe is asked after the answer of its turn. Scope "within": the answer was said
in the probe's own session; "across": only in an earlier one. A fact of kind "question" is the user's last question.

data/prices.json: as_of, unit, note, read_from; models, each with id, provider, source and dollars per million tokens
(input, cached_input, output); rupees_per_dollar with rate, as_of and a note that calls it an assumption.
"""

import copy
import datetime
import json
import re
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parent.parent / "data"
KINDS = {"name", "other person", "number", "amount", "time", "date", "preference", "place", "thing", "health"}
KINDS |= {"tool result", "question"}
# Words of Hinglish that are no English words; a message with none of them counts as English.
HINGLISH = re.compile(
    r"\b(?:hai|hain|mein|nahi|ka|ki|ke|ko|kya|aur|toh|haan|kar|yeh|woh|mer[aei]|bhi|kab|hoon|liye|har|jahan|phir)\b",
    re.IGNORECASE,
)
# English words that Hinglish rarely borrows; with the set above they mark a message that mixes both.
ENGLISH = re.compile(r"\b(?:the|is|are|my|your|of|but|with|this|have|it|i|you)\b", re.IGNORECASE)
# Spellings that the course does not use and that are no English words.
MISSPELT = re.compile(
    r"\b(?:nahin|nhi|kyonki|kyuki|jyada|pahle|dubara|jawab|sawal|vapas|jaruri|achha|acha|pura|kuchh|bhul)\b",
    re.IGNORECASE,
)


def load(name):
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def searchable(message):
    """All text of a message that a model would read: its content and the arguments of its tool calls."""
    return " ".join([message["content"], *(json.dumps(call["args"]) for call in message.get("tool_calls", []))])


def messages_of(transcript):
    """Yield (session id, turn number, message) in the order in which they were said."""
    for session in transcript["sessions"]:
        for number, turn in enumerate(session["turns"], 1):
            for message in turn["messages"]:
                yield session["id"], number, message


def has_keys(thing, keys, where, optional=()):
    wrong = (set(keys) - set(thing)) | (set(thing) - set(keys) - set(optional))
    return [f"{where}: keys missing or unknown: {sorted(wrong)}"] if wrong else []


def is_date(text):
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except (TypeError, ValueError):
        return False


def is_text(value):
    return isinstance(value, str) and bool(value.strip())


def both_languages(value):
    return isinstance(value, dict) and set(value) == {"en", "hi"} and all(map(is_text, value.values()))


def duplicates(things):
    ids = [thing["id"] for thing in things]
    return sorted({i for i in ids if ids.count(i) > 1})


def is_json_object(text):
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def turn_problems(turn, where):
    """Human first, a plain answer last, and between them each tool call followed by its result."""
    problems, waiting, roles = [], {}, [message.get("role") for message in turn["messages"]]
    if not roles or roles[0] != "human" or roles.count("human") != 1 or len(roles) < 2:
        return [f"{where}: a turn is one human message, first, and an answer: {roles}"]
    for message in turn["messages"]:
        role, calls = message.get("role"), message.get("tool_calls", [])
        extra = {"ai": ["tool_calls"] if "tool_calls" in message else [], "tool": ["tool_call_id", "name"]}.get(
            role, []
        )
        problems += has_keys(message, ["role", "content", *extra], where)
        if role not in ("human", "ai", "tool"):
            problems.append(f"{where}: unknown role {role!r}")
        for call in calls:
            problems += has_keys(call, ["name", "args", "id"], where)
        if not is_text(message.get("content")) and not calls:
            problems.append(f"{where}: an empty message")
        if role == "tool":
            if waiting.pop(message.get("tool_call_id"), None) != message.get("name"):
                problems.append(f"{where}: a tool result without its call: {message.get('tool_call_id')}")
            if not is_json_object(message.get("content", "")):
                problems.append(f"{where}: a tool result that is no JSON object")
        elif waiting:
            problems.append(f"{where}: a tool call without a result: {sorted(waiting)}")
        waiting.update({call.get("id"): call.get("name") for call in calls})
    if roles[-1] != "ai" or turn["messages"][-1].get("tool_calls"):
        problems.append(f"{where}: the turn ends without an answer")
    return problems


def session_problems(transcript):
    problems, sessions = [], transcript["sessions"]
    for session in sessions:
        problems += has_keys(session, ["id", "thread_id", "date", "turns"], "a session")
    if problems:
        return problems
    for session in sessions:
        if not is_date(session["date"]):
            problems.append(f"{session['id']}: not a date: {session['date']}")
        for number, turn in enumerate(session["turns"], 1):
            where = f"{session['id']}.{number}"
            problems += has_keys(turn, ["messages"], where) or turn_problems(turn, where)
    if [session["date"] for session in sessions] != sorted({session["date"] for session in sessions}):
        problems.append("the dates of the sessions do not rise")
    for key in ("id", "thread_id"):
        if len({session[key] for session in sessions}) != len(sessions):
            problems.append(f"two sessions share one {key}")
    return problems


def call_problems(transcript):
    calls = [call["id"] for _, _, message in messages_of(transcript) for call in message.get("tool_calls", [])]
    return ["two tool calls share one id"] * (len(calls) != len(set(calls)))


def position(transcript, session, turn):
    """A place in the transcript that can be compared, or None when there is no such turn."""
    order = {s["id"]: (i, len(s["turns"])) for i, s in enumerate(transcript["sessions"])}
    index, turns = order.get(session, (0, 0))
    return (index, turn) if isinstance(turn, int) and 1 <= turn <= turns else None


def fact_problems(transcript):
    """Each clause stands where it is said to stand, and the newest value stands nowhere else."""
    problems = []
    for fact in transcript["facts"]:
        problems += has_keys(fact, ["id", "kind", "said"], "a fact")
        for said in fact.get("said", []):
            problems += has_keys(said, ["session", "turn", "value", "text"], f"said of {fact.get('id')}")
    if problems:
        return problems
    problems += [f"two facts are called {i}" for i in duplicates(transcript["facts"])]
    for fact in transcript["facts"]:
        if fact["kind"] not in KINDS:
            problems.append(f"{fact['id']}: unknown kind {fact['kind']!r}")
        wrong = [problem for said in fact["said"] for problem in said_problems(transcript, fact["id"], said)]
        places = [position(transcript, said["session"], said["turn"]) for said in fact["said"]]
        if None not in places and (not places or places != sorted(places)):
            wrong.append(f"{fact['id']}: never said, or not in order")
        problems += wrong or unlisted(transcript, fact)
    return problems


def said_problems(transcript, name, said):
    here = (said["session"], said["turn"])
    where = f"{name} in {here[0]}.{here[1]}"
    if position(transcript, *here) is None:
        return [f"{where}: there is no such turn"]
    problems = []
    if said["value"] not in said["text"]:
        problems.append(f"{where}: the clause does not hold {said['value']!r}")
    if not any((s, t) == here and said["text"] in searchable(m) for s, t, m in messages_of(transcript)):
        problems.append(f"{where}: no message holds {said['text']!r}")
    return problems


def unlisted(transcript, fact):
    """Messages that hold the value of a fact but are not listed under "said": they would keep it alive unseen."""
    problems, listed = [], {(said["session"], said["turn"]) for said in fact["said"]}
    values = {said["value"].lower() for said in fact["said"]}
    for session, turn, message in messages_of(transcript):
        text = searchable(message).lower()
        if (session, turn) in listed or not any(value in text for value in values):
            continue
        value = newest(transcript, fact, session, turn) or fact["said"][0]["value"]
        if value.lower() in text:
            problems.append(f"{fact['id']}: {value!r} also stands in {session}.{turn}, which is not listed")
    return problems


def newest(transcript, fact, session, turn, only=None):
    """The value of a fact after a turn, None when not yet said; with `only`, what was said in that session alone."""
    now = position(transcript, session, turn)
    values = [
        said["value"]
        for said in fact["said"]
        if position(transcript, said["session"], said["turn"]) <= now and only in (None, said["session"])
    ]
    return values[-1] if values else None


def last_question(transcript, session, turn):
    """The last question of the user up to a turn of one session."""
    asked = [
        sentence
        for s, t, message in messages_of(transcript)
        if s == session and t <= turn and message["role"] == "human"
        for sentence in re.findall(r"[^.?!]*[^.?!\s][^.?!]*\?", message["content"])
    ]
    return asked[-1].strip() if asked else None


def probe_problems(transcript):
    facts = {fact["id"]: fact for fact in transcript["facts"]}
    keys = ["id", "fact", "scope", "session", "after_turn", "question", "expected", "stale"]
    problems = [problem for probe in transcript["probes"] for problem in has_keys(probe, keys, "a probe")]
    if problems:
        return problems
    problems += [f"two probes are called {i}" for i in duplicates(transcript["probes"])]
    problems += [f"no probe asks for {i}" for i in sorted(set(facts) - {p["fact"] for p in transcript["probes"]})]
    for probe in transcript["probes"]:
        where, session, turn = f"probe {probe['id']}", probe["session"], probe["after_turn"]
        if not both_languages(probe["question"]) or not all(q.endswith("?") for q in probe["question"].values()):
            problems.append(f"{where}: a question in en and in hi is needed")
        if probe["expected"] in probe["stale"]:
            problems.append(f"{where}: the expected answer is listed as stale")
        if position(transcript, session, turn) is None:
            problems.append(f"{where}: there is no turn {session}.{turn}")
        elif probe["fact"] is None:
            problems += [f"{where}: a fact that was never told has the answer null"] * (probe["expected"] is not None)
        elif probe["fact"] not in facts:
            problems.append(f"{where}: unknown fact {probe['fact']!r}")
        else:
            problems += answer_problems(transcript, facts[probe["fact"]], probe, where)
    return problems


def answer_problems(transcript, fact, probe, where):
    """The expected answer is the newest value before the probe, from the right side of the session's border."""
    session, turn, expected = probe["session"], probe["after_turn"], probe["expected"]
    here = newest(transcript, fact, session, turn, only=session)
    problems = []
    if fact["kind"] == "question" and expected != last_question(transcript, session, turn):
        problems.append(f"{where}: the last question was {last_question(transcript, session, turn)!r}")
    if fact["kind"] != "question" and (expected is None or expected != newest(transcript, fact, session, turn)):
        problems.append(f"{where}: the newest value is {newest(transcript, fact, session, turn)!r}, not {expected!r}")
    if probe["scope"] not in ("within", "across"):
        problems.append(f"{where}: unknown scope {probe['scope']!r}")
    if probe["scope"] == "within" and here is None:
        problems.append(f"{where}: within, but nothing was said in {session} before turn {turn}")
    if probe["scope"] == "across" and here is not None:
        problems.append(f"{where}: across, but it was said in {session} itself")
    changed = {
        s["value"]
        for s in fact["said"]
        if position(transcript, s["session"], s["turn"]) <= position(transcript, session, turn)
    }
    problems += [
        f"{where}: {old!r} is an earlier value and not listed as stale"
        for old in sorted(changed - {expected, *probe["stale"]})
    ]
    return problems


def language_problems(transcript):
    """No Devanagari, one spelling a word, and English, Hinglish and mixed turns each in fair number."""
    text = json.dumps(transcript, ensure_ascii=False)
    problems = [f"Devanagari: {found}" for found in re.findall(r"[\u0900-\u097f]+", text)]
    problems += [f"not ASCII: {found}" for found in re.findall(r"[^\x00-\x7f\u0900-\u097f]+", text)]
    problems += [f"not the course's spelling: {word}" for word in MISSPELT.findall(text)]
    counts = {"English": 0, "Hinglish": 0, "mixed": 0}
    for _, _, message in messages_of(transcript):
        if message["role"] == "human":
            hindi, english = HINGLISH.search(message["content"]), ENGLISH.search(message["content"])
            counts["mixed" if hindi and english else "Hinglish" if hindi else "English"] += 1
    return problems + [f"only {n} {kind} turns" for kind, n in counts.items() if n < 8]


def size_problems(transcript):
    turns = sum(len(session["turns"]) for session in transcript["sessions"])
    across = sum(probe["scope"] == "across" for probe in transcript["probes"])
    unknown = sum(probe["expected"] is None for probe in transcript["probes"])
    limits = [
        ("sessions", len(transcript["sessions"]), 3),
        ("turns", turns, 40),
        ("facts", len(transcript["facts"]), 12),
        ("probes across sessions", across, 5),
        ("probes without an answer", unknown, 2),
        ("facts that change", sum(len({s["value"] for s in fact["said"]}) > 1 for fact in transcript["facts"]), 2),
        ("kinds of facts", len({fact["kind"] for fact in transcript["facts"]}), 8),
    ]
    return [f"only {n} {what}, at least {least} wanted" for what, n, least in limits if n < least]


def transcript_problems(transcript):
    """All that is wrong with a transcript, as sentences; a broken structure is reported before what builds on it."""
    keys = ["name", "title", "source", "user_id", "sessions", "facts", "probes"]
    problems = has_keys(transcript, keys, "the file")
    if problems:
        return problems
    if not both_languages(transcript["title"]) or not all(
        is_text(transcript[key]) for key in ("name", "source", "user_id")
    ):
        problems.append("the title in en and hi, the name, the source and the user_id are needed")
    problems += session_problems(transcript)
    problems = problems or call_problems(transcript) + fact_problems(transcript)
    problems = problems or probe_problems(transcript)
    return problems or language_problems(transcript) + size_problems(transcript)


def price_problems(prices):
    problems = has_keys(prices, ["as_of", "unit", "note", "models", "read_from", "rupees_per_dollar"], "prices")
    if problems:
        return problems
    rupees, keys = prices["rupees_per_dollar"], ["id", "provider", "input", "cached_input", "output", "source"]
    problems += has_keys(rupees, ["rate", "as_of", "note"], "rupees_per_dollar")
    problems += [problem for row in prices["models"] for problem in has_keys(row, keys, "a row")]
    if problems:
        return problems
    problems += [f"not a date: {date}" for date in (prices["as_of"], rupees["as_of"]) if not is_date(date)]
    if "assumption" not in rupees["note"].lower() or rupees["rate"] <= 0:
        problems.append("the rupee rate is a positive number and is called an assumption")
    problems += [f"two rows for {i}" for i in duplicates(prices["models"])]
    for row in prices["models"]:
        if not 0 < row["cached_input"] < row["input"] < row["output"]:
            problems.append(f"{row['id']}: cached input, input and output should rise, from above 0")
        if not row["source"].startswith("https://"):
            problems.append(f"{row['id']}: a source is the address of a price page")
    return problems


@pytest.fixture
def transcript():
    return load("support_customer.json")


@pytest.fixture
def prices():
    return load("prices.json")


def test_the_transcript_is_in_order(transcript):
    assert transcript_problems(transcript) == []


def test_the_prices_are_in_order(prices):
    assert price_problems(prices) == []


def test_the_name_of_the_file_is_the_name_in_it(transcript):
    assert transcript["name"] == "support_customer"


def test_some_facts_are_near_their_probe_and_some_far(transcript):
    """Otherwise every window would do the same: some probes look back 3 turns at most, some 12 or more."""
    facts = {fact["id"]: fact for fact in transcript["facts"]}
    back = [
        probe["after_turn"]
        - max(
            s["turn"]
            for s in facts[probe["fact"]]["said"]
            if s["session"] == probe["session"] and s["turn"] <= probe["after_turn"]
        )
        for probe in transcript["probes"]
        if probe["fact"] and probe["scope"] == "within"
    ]
    near, middle, far = (sum(low <= n <= high for n in back) for low, high in [(0, 3), (4, 11), (12, 99)])
    assert near >= 4 and middle >= 4 and far >= 3, sorted(back)


def test_the_assistant_never_says_what_stands_in_a_tool_result_only(transcript):
    hidden = [fact["said"][0]["value"] for fact in transcript["facts"] if fact["kind"] == "tool result"]
    assert len(hidden) == 2
    for _, _, message in messages_of(transcript):
        assert message["role"] == "tool" or not any(value in message["content"] for value in hidden)


def message(transcript, session, turn, index):
    return transcript["sessions"][session]["turns"][turn - 1]["messages"][index]


def named(things, name):
    return next(thing for thing in things if thing["id"] == name)


def reuse_call_id(transcript):
    message(transcript, 0, 15, 1)["tool_calls"][0]["id"] = "call_1"
    message(transcript, 0, 15, 2)["tool_call_id"] = "call_1"


def say_everywhere(transcript, sentence):
    for _, _, said in messages_of(transcript):
        if said["role"] == "human":
            said["content"] += " " + sentence


BROKEN = {
    "session without a date": (lambda t: t["sessions"][1].pop("date"), "date"),
    "message without content": (lambda t: message(t, 0, 2, 2).pop("content"), "content"),
    "call without arguments": (lambda t: message(t, 0, 2, 1)["tool_calls"][0].pop("args"), "args"),
    "clause without text": (lambda t: named(t["facts"], "city")["said"][1].pop("text"), "text"),
    "probe without an answer": (lambda t: t["probes"][3].pop("expected"), "expected"),
    "one of two places in no turn": (lambda t: named(t["facts"], "city")["said"][2].update(turn=0), "no such turn"),
    "key missing": (lambda t: t.pop("user_id"), "user_id"),
    "unknown key in a turn": (lambda t: t["sessions"][0]["turns"][0].update(mood="calm"), "mood"),
    "title in one language": (lambda t: t["title"].pop("hi"), "title"),
    "unknown role": (lambda t: message(t, 0, 1, 1).update(role="assistant"), "unknown role"),
    "two human messages": (lambda t: message(t, 0, 1, 1).update(role="human"), "one human message"),
    "no answer": (lambda t: t["sessions"][0]["turns"][1]["messages"].pop(), "without an answer"),
    "tool result of another call": (lambda t: message(t, 0, 2, 2).update(tool_call_id="call_9"), "without its call"),
    "tool result of another tool": (lambda t: message(t, 0, 2, 2).update(name="get_weather"), "without its call"),
    "tool call without result": (lambda t: t["sessions"][0]["turns"][1]["messages"].pop(2), "without a result"),
    "tool result that is no JSON": (lambda t: message(t, 0, 2, 2).update(content="delivered"), "no JSON object"),
    "tool ids used twice": (reuse_call_id, "share one id"),
    "empty message": (lambda t: message(t, 0, 3, 1).update(content=" "), "empty message"),
    "date that is none": (lambda t: t["sessions"][1].update(date="16.02.2026"), "not a date"),
    "dates that fall": (lambda t: t["sessions"][1].update(date="2026-01-01"), "do not rise"),
    "one thread for two sessions": (
        lambda t: t["sessions"][1].update(thread_id=t["sessions"][0]["thread_id"]),
        "share one thread_id",
    ),
    "clause changed in the talk only": (
        lambda t: message(t, 0, 3, 0).update(content="It cost Rs 2,499."),
        "no message holds",
    ),
    "clause in another turn": (lambda t: named(t["facts"], "amount")["said"][0].update(turn=4), "no message holds"),
    "clause without the value": (
        lambda t: named(t["facts"], "amount")["said"][0].update(value="Rs 2,500"),
        "does not hold",
    ),
    "fact in no turn": (lambda t: named(t["facts"], "amount")["said"][0].update(turn=99), "no such turn"),
    "fact never said": (lambda t: named(t["facts"], "amount")["said"].clear(), "never said"),
    "changes out of order": (lambda t: named(t["facts"], "city")["said"].reverse(), "not in order"),
    "unknown kind": (lambda t: named(t["facts"], "amount").update(kind="money"), "unknown kind"),
    "fact repeated unseen": (lambda t: message(t, 2, 9, 1).update(content="No cinnamon in it."), "not listed"),
    "fact repeated in arguments": (
        lambda t: message(t, 1, 3, 1)["tool_calls"][0].update(args={"order": "KB-4471-X"}),
        "not listed",
    ),
    "two facts, one id": (lambda t: t["facts"].append(copy.deepcopy(t["facts"][0])), "two facts"),
    "two probes, one id": (lambda t: t["probes"].append(copy.deepcopy(t["probes"][0])), "two probes"),
    "fact without probe": (
        lambda t: t.update(probes=[p for p in t["probes"] if p["fact"] != "payment"]),
        "no probe asks for payment",
    ),
    "probe for an unknown fact": (lambda t: t["probes"][0].update(fact="shoe_size"), "unknown fact"),
    "probe in no turn": (lambda t: t["probes"][0].update(after_turn=21), "no turn"),
    "probe in one language": (lambda t: t["probes"][0]["question"].pop("hi"), "in en and in hi"),
    "probe asked too early": (
        lambda t: named(t["probes"], "pickup-time-late").update(after_turn=8),
        "newest value is None",
    ),
    "stale value expected": (
        lambda t: named(t["probes"], "city-late").update(expected="Pune", stale=[]),
        "newest value is 'Nashik'",
    ),
    "old value not listed": (lambda t: named(t["probes"], "city-late").update(stale=[]), "not listed as stale"),
    "expected and stale at once": (
        lambda t: named(t["probes"], "city-late").update(stale=["Pune", "Nashik"]),
        "listed as stale",
    ),
    "expected is null for a told fact": (
        lambda t: named(t["probes"], "gift-late").update(expected=None),
        "newest value",
    ),
    "answer to what was never told": (
        lambda t: named(t["probes"], "sister-never-told").update(expected="Arjun", stale=[]),
        "answer null",
    ),
    "within, said in another session": (
        lambda t: named(t["probes"], "name-next-session").update(scope="within"),
        "nothing was said in s2",
    ),
    "across, said in this session": (
        lambda t: named(t["probes"], "gift-late").update(scope="across"),
        "said in s3 itself",
    ),
    "unknown scope": (lambda t: named(t["probes"], "gift-late").update(scope="global"), "unknown scope"),
    "another last question": (lambda t: named(t["probes"], "last-question").update(after_turn=18), "last question was"),
    "Devanagari": (
        lambda t: message(t, 0, 20, 1).update(content="\u0927\u0928\u094d\u092f\u0935\u093e\u0926"),
        "Devanagari",
    ),
    "a curly quote": (lambda t: message(t, 0, 20, 1).update(content="It\u2019s fine."), "not ASCII"),
    "another spelling": (lambda t: message(t, 0, 20, 1).update(content="Koi baat nahin."), "nahin"),
    "Hinglish everywhere": (lambda t: say_everywhere(t, "Theek hai."), "English turns"),
    "English everywhere": (lambda t: say_everywhere(t, "That is the one."), "Hinglish turns"),
    "too few across": (
        lambda t: t.update(probes=[p for p in t["probes"] if p["scope"] == "within"]),
        "across sessions",
    ),
    "everything can be answered": (
        lambda t: t.update(probes=[p for p in t["probes"] if p["fact"]]),
        "without an answer",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_transcript_is_reported(transcript, case):
    break_it, sentence = BROKEN[case]
    break_it(transcript)
    assert any(sentence in problem for problem in transcript_problems(transcript)), transcript_problems(transcript)


def test_a_short_transcript_is_reported():
    assert "only 1 turns, at least 40 wanted" in size_problems(
        {"sessions": [{"turns": [{}]}], "facts": [], "probes": []}
    )


BROKEN_PRICES = {
    "no date": (lambda p: p.pop("as_of"), "as_of"),
    "date that is none": (lambda p: p.update(as_of="November 2026"), "not a date"),
    "no source": (lambda p: p["models"][0].pop("source"), "source"),
    "source that is no address": (lambda p: p["models"][0].update(source="I remember"), "address"),
    "price per token": (lambda p: p["models"][0].update(input=15.0), "should rise"),
    "free": (lambda p: p["models"][0].update(cached_input=0), "above 0"),
    "row twice": (lambda p: p["models"].append(copy.deepcopy(p["models"][0])), "two rows"),
    "rate as a fact": (lambda p: p["rupees_per_dollar"].update(note="The official rate."), "assumption"),
}


@pytest.mark.parametrize("case", BROKEN_PRICES)
def test_broken_prices_are_reported(prices, case):
    break_it, sentence = BROKEN_PRICES[case]
    break_it(prices)
    assert any(sentence in problem for problem in price_problems(prices)), price_problems(prices)
